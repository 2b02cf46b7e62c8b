//! `study-mcts`: Monte-Carlo tree search by UCB1 on raw evaluations, as in a 2021 study of chess algorithms.

use super::study_values::EvalValues;
use crate::{
    PlayerRecipe, Resources, Roster,
    chess::study_minimax::SCALE,
    common::{
        mcts::number,
        search_player::{PlayerSearch, SearchPlayer},
    },
};
use ludus_core::{
    History, Limits, OptionKind, OptionSpec, Options, Position, Random, Report, SearchControl,
};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::{STUDY_UNIT, StudyEval};
use ludus_search::{
    Search, SearchOutput,
    mcts::MctsTrace,
    plain::{FinalMove, Selection, Ucb1, Ucb1Settings, Values},
};

pub const ID: &str = "study-mcts";

const EXPLORATION: OptionSpec =
    number("c", "2", 0.0, 1000.0, "exploration constant of UCB1, in units of the evaluation");
const ITERATIONS: OptionSpec = OptionSpec {
    name: "iterations",
    kind: OptionKind::Integer { min: 1, max: 10_000_000 },
    default: "3000",
    about: "simulations a move; limits can lower it",
};
const PLIES: OptionSpec = OptionSpec {
    name: "plies",
    kind: OptionKind::Integer { min: 0, max: 1000 },
    default: "6",
    about: "random plies of a simulation before the evaluation; 16 is MCTS(16)",
};
const SELECTION: OptionSpec = OptionSpec {
    name: "selection",
    kind: OptionKind::Choice(&["published", "negated"]),
    default: "published",
    about: "published: the first side's values at every level; negated: the second side's where it moves",
};
const FINAL: OptionSpec = OptionSpec {
    name: "final",
    kind: OptionKind::Choice(&["total", "visits"]),
    default: "total",
    about: "choice of the final move: best total of the values, or most visits",
};

/// The options that every game has.
pub const COMMON_OPTIONS: [OptionSpec; 5] = [EXPLORATION, ITERATIONS, PLIES, SELECTION, FINAL];

/// A game with values for `study-mcts`.
pub trait StudyValued: Roster {
    /// The values of positions.
    type Values: Values<Self> + 'static;
    /// Points of the values in one unit.
    const UNIT: i32;
    /// The options of the player in this game.
    const PLAYER_OPTIONS: &'static [OptionSpec];

    /// The values that `options` ask for.
    fn values(options: &Options) -> Self::Values;
}

impl StudyValued for Chess {
    type Values = EvalValues;
    const UNIT: i32 = STUDY_UNIT;
    const PLAYER_OPTIONS: &'static [OptionSpec] =
        &[EXPLORATION, ITERATIONS, PLIES, SELECTION, FINAL, SCALE];

    fn values(options: &Options) -> EvalValues {
        EvalValues(StudyEval::with_scale(options.integer("scale") as i32))
    }
}

/// The player for a game with values.
pub fn recipe<P: StudyValued>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: ID,
        about: "study of 2021: Monte-Carlo tree search, UCB1 on evaluations after random plies",
        options: P::PLAYER_OPTIONS,
        build: |options, resources| Ok(Box::new(build::<P>(options, resources))),
        build_traced: Some(|options, resources| Ok(Box::new(build::<P>(options, resources)))),
    }
}

fn build<P: StudyValued>(
    options: &Options,
    resources: &Resources,
) -> SearchPlayer<StudyMcts<P::Values>> {
    let settings = Ucb1Settings {
        exploration: options.number("c"),
        iterations: options.integer("iterations") as u64,
        plies: options.integer("plies") as u32,
        selection: match options.text("selection") {
            "negated" => Selection::Negated,
            _ => Selection::Published,
        },
        final_move: match options.text("final") {
            "visits" => FinalMove::Visits,
            _ => FinalMove::Total,
        },
        unit: P::UNIT.into(),
    };
    let (values, random) = (P::values(options), random(resources.seed));
    SearchPlayer::new(ID, Limits::default(), StudyMcts { settings, values, random })
}

fn random(seed: u64) -> Random {
    Random::new(seed).split(ID)
}

/// The search: a new tree for every move.
struct StudyMcts<V> {
    settings: Ucb1Settings,
    values: V,
    random: Random,
}

impl<P: Position, V: Values<P>> Search<P> for StudyMcts<V> {
    type Trace = MctsTrace<P::Move>;

    fn new_game(&mut self, seed: u64) {
        self.random = random(seed);
    }

    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        let (lines, trace) = output.split();
        let mut search = Ucb1::new(self.settings, &mut self.values, &mut self.random, game.last());
        let report = search.search(limits, lines, control.stop, trace);
        (control.on_report)(&report);
        report
    }
}

impl<P: Position, V: Values<P>> PlayerSearch<P> for StudyMcts<V> {}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Action, Notation, Player};
    use std::sync::atomic::AtomicBool;

    fn player(options: &str) -> Box<dyn Player<Chess>> {
        crate::build_player::<Chess>(&format!("study-mcts:{options}"), &Resources::default())
            .unwrap()
    }

    fn choose(
        player: &mut dyn Player<Chess>,
        fen: &str,
        nodes: Option<u64>,
    ) -> (String, Report<<Chess as Position>::Move>) {
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let options = Options::defaults(Chess::ID, Chess::OPTIONS);
        let position = Chess::parse(&options, fen).unwrap();
        let limits = Limits { nodes, ..Limits::default() };
        let choice = player.choose(&History::new(position.clone()), &limits, &mut control).unwrap();
        let Action::Play(mv) = choice.action else { panic!("it plays on") };
        (position.move_text(mv), choice.report)
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    #[test]
    fn a_mate_in_one_is_found_by_both_colours() {
        for selection in ["published", "negated"] {
            let options = format!("iterations=1000,selection={selection}");
            let (white, report) = choose(&mut *player(&options), BACK_RANK, None);
            assert_eq!(white, "d1d8");
            assert_eq!(report.nodes, 1000);
            let most = report.moves.iter().map(|entry| entry.visits).max();
            assert_eq!(report.moves[0].visits, most.unwrap(), "its value is 1000 units");
        }
        let black = "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
        assert_eq!(
            choose(&mut *player("iterations=2000,selection=negated"), black, None).0,
            "d8d1"
        );
    }

    #[test]
    fn a_seed_gives_the_same_game_whatever_was_played_before() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mut player = player("iterations=200");
        player.new_game(9);
        let first = choose(&mut *player, start, None).1;
        let second = choose(&mut *player, start, None).1;
        player.new_game(9);
        assert_eq!(choose(&mut *player, start, None).1, first);
        assert_ne!(second.moves, first.moves, "a new tree with new random plies");
    }

    #[test]
    fn limits_lower_the_number_of_simulations() {
        let report = choose(&mut *player(""), BACK_RANK, Some(50)).1;
        assert_eq!(report.nodes, 50);
        assert_eq!(choose(&mut *player("iterations=40"), BACK_RANK, Some(50)).1.nodes, 40);
        let playouts = report.playouts.unwrap();
        assert!(playouts.begun == 50 && playouts.moves <= 6 * 50 && playouts.moves > 0);
    }
}
