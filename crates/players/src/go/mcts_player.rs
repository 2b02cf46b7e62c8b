//! The Monte-Carlo player of Go: search settings of Fuego, and when to pass and to resign.

use crate::{
    common::{
        mcts::{PLAYOUTS, TIME, number, own_limits},
        search_player::{PlayerSearch, SearchPlayer},
    },
    go::player_config::{SET, WITHOUT},
    settings::switch,
};
use ludus_core::{
    Action, Choice, History, LeafEvaluator, Limits, OptionKind, OptionSpec, Options, PlayerError,
    Position, Report, SearchControl, TextError,
};
use ludus_games::go::{Go, GoMove};
use ludus_search::{
    Search, SearchOutput,
    mcts::{
        FinalChoice, Mcts, MctsSettings, MctsTrace, RaveSchedule, RaveSettings, SelectionPolicy,
        Widening, squash,
    },
};

/// Options of all Monte-Carlo players of Go.
pub const OPTIONS: &[OptionSpec] = &[
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

/// The options of a player: its own, followed by those of all.
macro_rules! options_with {
    ($($own:expr),+ $(,)?) => {{
        use $crate::go::mcts_player::{OPTIONS, followed_by_common};
        const OWN: &[ludus_core::OptionSpec] = &[$($own),+];
        const ALL: [ludus_core::OptionSpec; OWN.len() + OPTIONS.len()] = followed_by_common(OWN);
        &ALL
    }};
}
pub(super) use options_with;

/// The options `own` and those of all players; for [`options_with`], which knows their number.
pub(super) const fn followed_by_common<const ALL: usize>(own: &[OptionSpec]) -> [OptionSpec; ALL] {
    let mut all = [OPTIONS[0]; ALL];
    let mut index = 0;
    while index < ALL {
        all[index] = if index < own.len() { own[index] } else { OPTIONS[index - own.len()] };
        index += 1;
    }
    all
}

/// Score in hundredths of a point that maps to 0.71 on the scale from -1 to 1.
pub const SCORE_SCALE: f32 = 300.0;

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
        scale: SCORE_SCALE,
    }
}

/// A player of Go by Monte-Carlo tree search.
pub type GoMctsPlayer<G> = SearchPlayer<GoSearch<G>>;

/// A Monte-Carlo tree search that passes to win and resigns what is lost.
pub struct GoSearch<G> {
    /// Largest number of playouts for a move, whatever the limits are.
    max_playouts: u64,
    /// Probability of winning below which it resigns.
    resign: f32,
    mcts: Mcts<Go, G>,
}

impl<G: LeafEvaluator<Go>> GoSearch<G> {
    /// The search `mcts`, which resigns as the options say.
    pub fn new(options: &Options, mcts: Mcts<Go, G>) -> GoSearch<G> {
        let resign = options.number("resign") as f32 / 100.0;
        GoSearch { max_playouts: u64::MAX, resign, mcts }
    }

    /// The same search with at most `playouts` a move.
    pub fn with_max_playouts(self, playouts: u64) -> GoSearch<G> {
        GoSearch { max_playouts: playouts, ..self }
    }

    /// The player by this search; the limits in its options override the caller's.
    ///
    /// # Errors
    /// If the limits cannot be read.
    pub fn player(
        self,
        name: &'static str,
        options: &Options,
    ) -> Result<GoMctsPlayer<G>, TextError> {
        Ok(SearchPlayer::new(name, own_limits(options)?, self))
    }

    /// The search, with the statistics of its leaf evaluators.
    pub fn mcts(&self) -> &Mcts<Go, G> {
        &self.mcts
    }

    /// The search, to change its leaf evaluators.
    pub fn mcts_mut(&mut self) -> &mut Mcts<Go, G> {
        &mut self.mcts
    }

    fn is_hopeless(&self, position: &Go, report: &Report<GoMove>) -> bool {
        let Some(score) = report.score else { return false };
        let probability = (squash(score, SCORE_SCALE) + 1.0) / 2.0;
        // A side that would win as the board stands does not resign: both may pass.
        let is_ahead = position.score() * position.turn().sign() as f32 > 0.0;
        probability < self.resign && report.nodes >= MIN_SIMULATIONS_TO_RESIGN && !is_ahead
    }
}

impl<G: LeafEvaluator<Go>> Search<Go> for GoSearch<G> {
    type Trace = MctsTrace<GoMove>;

    fn new_game(&mut self, seed: u64) {
        self.mcts.new_game(seed);
    }

    /// Does not search if a pass wins at once, unless several lines or a record are wanted.
    fn run(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Report<GoMove> {
        if matches!(output, SearchOutput::Lines(1)) && pass_wins(game) {
            return Report { line: vec![GoMove::Pass], ..Report::default() };
        }
        self.mcts.run(game, limits, output, control)
    }
}

impl<G: LeafEvaluator<Go>> PlayerSearch<Go> for GoSearch<G> {
    fn limits_of_move(&self, mut limits: Limits) -> Limits {
        if self.max_playouts < u64::MAX {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(self.max_playouts));
        }
        limits
    }

    fn decide(
        &self,
        game: &History<Go>,
        report: Report<GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        let Some(&mv) = report.line.first() else {
            return Err(PlayerError::failed("the search found no move"));
        };
        if self.is_hopeless(game.last(), &report) {
            return Ok(Choice { action: Action::Resign, report });
        }
        Ok(Choice::play(mv, report))
    }
}

/// Whether a pass, as an answer to a pass, wins the game at once.
fn pass_wins(game: &History<Go>) -> bool {
    let position = game.last();
    let ends = game.moves().last() == Some(&GoMove::Pass);
    ends && position.score() * position.turn().sign() as f32 > 0.0
}
