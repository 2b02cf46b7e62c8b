//! What the Monte-Carlo players of Go share: how they search, when they pass and when they give up.

use crate::{
    Recording, Traced,
    go_knowledge::{SET, WITHOUT},
    mcts::{PLAYOUTS, TIME, number, own_limits},
    settings::{self, switch},
};
use ludus_core::{
    Action, Choice, History, Kind, LeafEvaluator, Limits, OptionSpec, Options, Player, PlayerError,
    Position, Report, TextError, Watch,
};
use ludus_games::go::{Go, Move};
use ludus_search::mcts::{
    FinalChoice, Growth, Mcts, Rave, Schedule, Selection, Settings, Widening, squash,
};

/// The options every one of them has.
pub const OPTIONS: [OptionSpec; 7] = [
    PLAYOUTS,
    TIME,
    WITHOUT,
    SET,
    number("resign", "5", 0.0, 50.0, "give up below this chance of winning, in percent"),
    switch("reuse", "on", "keep the tree from move to move"),
    OptionSpec {
        name: "memory",
        kind: Kind::Bytes,
        default: "256MB",
        about: "size of the tree; once full it grows no more, simulations go on",
    },
];

/// A player's own options, and after them those that all have.
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

/// Hundredths of a point that are worth 0.71 on the scale from -1 to 1.
pub const SCALE: f32 = 300.0;

/// Nobody gives up a game that was looked at so little.
const FEWEST_TO_RESIGN: u64 = 100;

/// The search of Fuego: RAVE explores, a move is as good as won until it was tried.
pub fn fuego_search(options: &Options) -> Settings {
    Settings {
        selection: Selection::Ucb(0.0),
        expand: 3,
        choice: FinalChoice::Visits,
        rave: Some(Rave {
            schedule: Schedule::FUEGO,
            skip: 20,
            first_only: true,
            nearness: 1.0,
            priors: true,
        }),
        first_play: Some(1.0),
        widening: Widening::All,
        bias: 0.0,
        solver: false,
        reuse: options.switch("reuse"),
        early: true,
        memory: options.bytes("memory"),
        scale: SCALE,
    }
}

/// A player that makes the moves a Monte-Carlo search of Go finds.
pub struct GoPlayer<G> {
    name: &'static str,
    limits: Limits,
    /// Playouts that no move goes beyond, whatever the limits are.
    most: u64,
    /// Chance of winning below which it gives up.
    resign: f32,
    mcts: Mcts<Go, G>,
}

impl<G: LeafEvaluator<Go>> GoPlayer<G> {
    /// Plays by `mcts`; the limits of its options go before the caller's.
    ///
    /// # Errors
    /// If the limits cannot be read.
    pub fn new(
        name: &'static str,
        options: &Options,
        mcts: Mcts<Go, G>,
    ) -> Result<GoPlayer<G>, TextError> {
        let resign = options.number("resign") as f32 / 100.0;
        Ok(GoPlayer { name, limits: own_limits(options)?, most: u64::MAX, resign, mcts })
    }

    /// The same player with at most so many playouts a move.
    pub fn with_at_most(self, playouts: u64) -> GoPlayer<G> {
        GoPlayer { most: playouts, ..self }
    }

    fn limits_of_move(&self, limits: &Limits) -> Limits {
        let mut limits = settings::before(&self.limits, limits);
        if self.most < u64::MAX {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(self.most));
        }
        limits
    }

    /// The search, for what its guides have counted.
    pub fn mcts(&self) -> &Mcts<Go, G> {
        &self.mcts
    }

    /// The search, to tell its guides something.
    pub fn mcts_mut(&mut self) -> &mut Mcts<Go, G> {
        &mut self.mcts
    }

    fn decide(&self, position: &Go, report: Report<Move>) -> Result<Choice<Move>, PlayerError> {
        let Some(&mv) = report.line.first() else {
            return Err(PlayerError::failed("the search found no move"));
        };
        if self.is_hopeless(position, &report) {
            return Ok(Choice { action: Action::Resign, report });
        }
        Ok(Choice::play(mv, report))
    }

    fn is_hopeless(&self, position: &Go, report: &Report<Move>) -> bool {
        let Some(score) = report.score else { return false };
        let chance = (squash(score, SCALE) + 1.0) / 2.0;
        // One who would win as the board stands does not give up: both may pass.
        let is_ahead = position.score() * position.turn().sign() as f32 > 0.0;
        chance < self.resign && report.nodes >= FEWEST_TO_RESIGN && !is_ahead
    }
}

/// The answer to a pass that wins the game at once, if there is one.
fn winning_pass(game: &History<Go>) -> Option<Choice<Move>> {
    let position = game.last();
    let ends = game.moves().last() == Some(&Move::Pass);
    let wins = position.score() * position.turn().sign() as f32 > 0.0;
    let report = Report { line: vec![Move::Pass], ..Report::default() };
    (ends && wins).then(|| Choice::play(Move::Pass, report))
}

fn refuse_the_end(game: &History<Go>) -> Result<(), PlayerError> {
    match game.last().outcome() {
        Some(_) => Err(PlayerError::failed("the game is over")),
        None => Ok(()),
    }
}

impl<G: LeafEvaluator<Go>> Player<Go> for GoPlayer<G> {
    fn name(&self) -> &str {
        self.name
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        refuse_the_end(game)?;
        if let Some(choice) = winning_pass(game) {
            return Ok(choice);
        }
        let limits = self.limits_of_move(limits);
        let report = self.mcts.search(game, &limits, watch);
        self.decide(game.last(), report)
    }

    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        if lines == 1 {
            return self.choose(game, limits, watch);
        }
        refuse_the_end(game)?;
        let limits = self.limits_of_move(limits);
        let report = self.mcts.search_lines(game, &limits, lines, watch);
        self.decide(game.last(), report)
    }

    fn new_game(&mut self, seed: u64) {
        self.mcts.new_game(seed);
    }
}

impl<G: LeafEvaluator<Go>> Traced<Go> for GoPlayer<G> {
    fn choose_traced(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        size: usize,
    ) -> Result<(Choice<Move>, Recording<Move>), PlayerError> {
        refuse_the_end(game)?;
        let mut growth = Growth::new(size);
        let limits = self.limits_of_move(limits);
        let report = self.mcts.trace(game, &limits, watch, &mut growth);
        Ok((self.decide(game.last(), report)?, Recording::Growth(growth)))
    }
}
