//! The Monte-Carlo player of Go: search settings of Fuego, and when to pass and to resign.

use crate::{
    Recording, Traced,
    common::mcts::{PLAYOUTS, TIME, number, own_limits},
    go::player_config::{SET, WITHOUT},
    settings::{self, switch},
};
use ludus_core::{
    Action, Choice, History, LeafEvaluator, Limits, OptionKind, OptionSpec, Options, Player,
    PlayerError, Position, Report, SearchControl, TextError,
};
use ludus_games::go::{Go, GoMove};
use ludus_search::mcts::{
    FinalChoice, Mcts, MctsSettings, MctsTrace, RaveSchedule, RaveSettings, SelectionPolicy,
    Widening, squash,
};

/// Options of all Monte-Carlo players of Go.
pub const OPTIONS: [OptionSpec; 7] = [
    PLAYOUTS,
    TIME,
    WITHOUT,
    SET,
    number("resign", "5", 0.0, 50.0, "resign below this probability of winning, in percent"),
    switch("reuse", "on", "tree reuse: keep the subtree of the moves played"),
    OptionSpec {
        name: "memory",
        kind: OptionKind::Bytes,
        default: "256MB",
        about: "size of the tree; once full it stops growing while simulations continue",
    },
];

/// A player's own options, followed by those of all.
pub const fn with_own<const OWN: usize, const ALL: usize>(
    own: [OptionSpec; OWN],
) -> [OptionSpec; ALL] {
    assert!(ALL == OWN + OPTIONS.len());
    let mut all = [OPTIONS[0]; ALL];
    let mut index = 0;
    while index < ALL {
        all[index] = if index < OWN { own[index] } else { OPTIONS[index - OWN] };
        index += 1;
    }
    all
}

/// Score in hundredths of a point that maps to 0.71 on the scale from -1 to 1.
pub const SCALE: f32 = 300.0;

/// Fewest simulations after which a player resigns.
const MIN_SIMULATIONS_TO_RESIGN: u64 = 100;

/// The search settings of Fuego: RAVE in place of UCB exploration, first-play urgency 1.
pub fn fuego_search(options: &Options) -> MctsSettings {
    MctsSettings {
        selection: SelectionPolicy::Ucb(0.0),
        expansion_threshold: 3,
        final_choice: FinalChoice::Visits,
        rave: Some(RaveSettings {
            schedule: RaveSchedule::FUEGO,
            skip: 20,
            first_only: true,
            nearness: 1.0,
            priors: true,
        }),
        first_play_urgency: Some(1.0),
        widening: Widening::All,
        bias: 0.0,
        solver: false,
        reuse: options.switch("reuse"),
        early_stop: true,
        memory: options.bytes("memory"),
        scale: SCALE,
    }
}

/// A player of Go by Monte-Carlo tree search.
pub struct GoMctsPlayer<G> {
    name: &'static str,
    limits: Limits,
    /// Largest number of playouts for a move, whatever the limits are.
    max_playouts: u64,
    /// Probability of winning below which it resigns.
    resign: f32,
    mcts: Mcts<Go, G>,
}

impl<G: LeafEvaluator<Go>> GoMctsPlayer<G> {
    /// A player by the search `mcts`; the limits in its options override the caller's.
    ///
    /// # Errors
    /// If the limits cannot be read.
    pub fn new(
        name: &'static str,
        options: &Options,
        mcts: Mcts<Go, G>,
    ) -> Result<GoMctsPlayer<G>, TextError> {
        let resign = options.number("resign") as f32 / 100.0;
        Ok(GoMctsPlayer {
            name,
            limits: own_limits(options)?,
            max_playouts: u64::MAX,
            resign,
            mcts,
        })
    }

    /// The same player with at most `playouts` a move.
    pub fn with_max_playouts(self, playouts: u64) -> GoMctsPlayer<G> {
        GoMctsPlayer { max_playouts: playouts, ..self }
    }

    fn limits_of_move(&self, limits: &Limits) -> Limits {
        let mut limits = settings::merge_limits(&self.limits, limits);
        if self.max_playouts < u64::MAX {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(self.max_playouts));
        }
        limits
    }

    /// The search, with the statistics of its leaf evaluators.
    pub fn mcts(&self) -> &Mcts<Go, G> {
        &self.mcts
    }

    /// The search, to change its leaf evaluators.
    pub fn mcts_mut(&mut self) -> &mut Mcts<Go, G> {
        &mut self.mcts
    }

    fn decide(&self, position: &Go, report: Report<GoMove>) -> Result<Choice<GoMove>, PlayerError> {
        let Some(&mv) = report.line.first() else {
            return Err(PlayerError::failed("the search found no move"));
        };
        if self.is_hopeless(position, &report) {
            return Ok(Choice { action: Action::Resign, report });
        }
        Ok(Choice::play(mv, report))
    }

    fn is_hopeless(&self, position: &Go, report: &Report<GoMove>) -> bool {
        let Some(score) = report.score else { return false };
        let probability = (squash(score, SCALE) + 1.0) / 2.0;
        // A side that would win as the board stands does not resign: both may pass.
        let is_ahead = position.score() * position.turn().sign() as f32 > 0.0;
        probability < self.resign && report.nodes >= MIN_SIMULATIONS_TO_RESIGN && !is_ahead
    }
}

/// The answer to a pass that wins the game at once, if there is one.
fn winning_pass(game: &History<Go>) -> Option<Choice<GoMove>> {
    let position = game.last();
    let ends = game.moves().last() == Some(&GoMove::Pass);
    let wins = position.score() * position.turn().sign() as f32 > 0.0;
    let report = Report { line: vec![GoMove::Pass], ..Report::default() };
    (ends && wins).then(|| Choice::play(GoMove::Pass, report))
}

fn check_not_over(game: &History<Go>) -> Result<(), PlayerError> {
    match game.last().outcome() {
        Some(_) => Err(PlayerError::failed("the game is over")),
        None => Ok(()),
    }
}

impl<G: LeafEvaluator<Go>> Player<Go> for GoMctsPlayer<G> {
    fn name(&self) -> &str {
        self.name
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        check_not_over(game)?;
        if let Some(choice) = winning_pass(game) {
            return Ok(choice);
        }
        let limits = self.limits_of_move(limits);
        let report = self.mcts.search(game, &limits, control);
        self.decide(game.last(), report)
    }

    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        if lines == 1 {
            return self.choose(game, limits, control);
        }
        check_not_over(game)?;
        let limits = self.limits_of_move(limits);
        let report = self.mcts.search_lines(game, &limits, lines, control);
        self.decide(game.last(), report)
    }

    fn new_game(&mut self, seed: u64) {
        self.mcts.new_game(seed);
    }
}

impl<G: LeafEvaluator<Go>> Traced<Go> for GoMctsPlayer<G> {
    fn choose_traced(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &mut SearchControl<'_, GoMove>,
        size: usize,
    ) -> Result<(Choice<GoMove>, Recording<GoMove>), PlayerError> {
        check_not_over(game)?;
        let mut growth = MctsTrace::new(size);
        let limits = self.limits_of_move(limits);
        let report = self.mcts.trace(game, &limits, control, &mut growth);
        Ok((self.decide(game.last(), report)?, Recording::Growth(growth)))
    }
}
