//! `btt-go`: Fuego's search with a table of values and Bradley-Terry playouts (Vieira Júnior 2014).
//!
//! Version 1 keeps values of positions in a table, and playouts stop at positions it holds. Version 2
//! rates the moves that all playout rules propose by six attributes and plays the strongest. Version
//! 3 does both, each with its own table.

mod leaf_evaluator;
mod move_rater;
mod position_table;

pub use leaf_evaluator::{
    BradleyTerryPlayouts, BttLeafEvaluator, BttSettings, BttStats, MoveChoice,
};

use crate::{
    PlayerRecipe, Resources,
    common::{
        mcts::own_limits,
        search_player::{PlayerSearch, SearchPlayer},
    },
    go::{
        book::{BOOK, WithBook},
        fuego_like,
        mcts_player::{self, GoSearch},
    },
    settings::switch,
};
use ludus_core::{
    Choice, History, Limits, OptionKind, OptionSpec, Options, PlayerError, Report, SearchControl,
    TextError,
};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::priors::GoPriors;
use ludus_search::{
    Search, SearchOutput,
    mcts::{Mcts, MctsTrace},
};

/// Its name.
pub const ID: &str = "btt-go";

const OPTIONS: &[OptionSpec] = mcts_player::options_with![
    OptionSpec {
        name: "version",
        kind: OptionKind::Integer { min: 1, max: 3 },
        default: "3",
        about: "1: a table of values, 2: playouts by the Bradley-Terry model, 3: both",
    },
    switch("priors", "on", "priors of moves"),
    percent("tactical", "20", "probability of the tactical element for a candidate, in percent"),
    percent("punishment", "0", "discount of a stored value if no rule led to it, in percent"),
    OptionSpec {
        name: "pick",
        kind: OptionKind::Choice(&["best", "sample"]),
        default: "best",
        about: "move of a playout: the strongest candidate, or one drawn by probability",
    },
    bytes("values", "64MB", "size of the table of values, of each thread"),
    // The thesis gives no size. With its 43,000 simulations a move any table is full after a move or
    // two and stores nothing new from then on, so that hardly a playout finds an entry; a small one fills
    // as soon with few simulations too. A table with room for all repeats forever the moves chosen
    // first by chance, and loses 150 Elo (docs/results/go.md).
    bytes("moves", "16KB", "size of the table of moves, of each thread"),
    BOOK,
];

const fn percent(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Integer { min: 0, max: 100 }, default, about }
}

const fn bytes(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Bytes, default, about }
}

fn btt_settings(options: &Options) -> BttSettings {
    let version = options.integer("version");
    let playouts = || BradleyTerryPlayouts {
        table_bytes: options.bytes("moves"),
        tactical: options.integer("tactical") as u32,
        choice: match options.text("pick") {
            "sample" => MoveChoice::Sample,
            _ => MoveChoice::Best,
        },
    };
    BttSettings {
        value_table_bytes: (version != 2).then(|| options.bytes("values")),
        punishment: options.integer("punishment") as u32,
        playouts: (version != 1).then(playouts),
    }
}

/// Player of BTT-Go.
type BttPlayer = SearchPlayer<BttSearch>;

/// The search, which reports the statistics of its tables.
struct BttSearch(GoSearch<BttLeafEvaluator>);

fn build(options: &Options, resources: &Resources) -> Result<BttPlayer, TextError> {
    let (mut knowledge, settings) = (fuego_like::knowledge(options)?, btt_settings(options));
    if !options.switch("priors") {
        knowledge.priors = GoPriors::none();
    }
    // Nakade is among the rules the thesis lists for the candidates of its playouts.
    if settings.playouts.is_some() && !options.text("without").contains("nakade") {
        knowledge.policy.nakade = 100;
    }
    let evaluator = || BttLeafEvaluator::new(knowledge.leaf_evaluator(), &settings);
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, evaluator);
    let search = BttSearch(GoSearch::new(options, mcts));
    Ok(SearchPlayer::new(ID, own_limits(options)?, search))
}

impl BttSearch {
    /// Adds the statistics of the table of values, or else of the table of moves, in this game.
    fn with_table_report(&self, mut report: Report<GoMove>) -> Report<GoMove> {
        report.table = self.0.mcts().evaluators().next().and_then(|evaluator| {
            let [values, moves] = evaluator.tables();
            values.or(moves)
        });
        report
    }
}

impl Search<Go> for BttSearch {
    type Trace = MctsTrace<GoMove>;

    fn new_game(&mut self, seed: u64) {
        self.0.mcts_mut().evaluators_mut().for_each(BttLeafEvaluator::clear);
        self.0.new_game(seed);
    }

    fn run(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Report<GoMove> {
        let report = self.0.run(game, limits, output, control);
        self.with_table_report(report)
    }
}

impl PlayerSearch<Go> for BttSearch {
    fn limits_of_move(&self, limits: Limits) -> Limits {
        self.0.limits_of_move(limits)
    }

    fn decide(
        &self,
        game: &History<Go>,
        report: Report<GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        self.0.decide(game, report)
    }
}

fn build_with_book(
    options: &Options,
    resources: &Resources,
) -> Result<WithBook<BttPlayer>, TextError> {
    WithBook::new(build(options, resources)?, options, resources)
}

pub fn recipe() -> PlayerRecipe<Go> {
    PlayerRecipe {
        id: ID,
        about: "Fuego's search with a table of values and Bradley-Terry playouts (2014)",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build_with_book(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build_with_book(options, resources)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Roster, build_player};
    use ludus_core::{
        Action, LeafEvaluator, NodeStats, Notation, Player, Playout, Position, Random,
    };
    use ludus_knowledge::go::leaf_evaluator::GoLeafEvaluator;
    use std::sync::atomic::AtomicBool;

    /// Positions of random games on 5x5 in which `stones` stand on the board.
    fn positions(count: u64, stones: usize) -> Vec<History<Go>> {
        let options = Options::parse("go:size=5,komi=0.5", Go::OPTIONS).unwrap();
        let mut games = Vec::new();
        for seed in 0.. {
            let mut random = Random::new(seed);
            let mut game = History::new(Go::start(&options).unwrap());
            let mut guide = GoLeafEvaluator::fuego();
            let mut moves = Vec::new();
            let standing = |go: &Go| 25 - go.board().empties().len();
            while standing(game.last()) < stones && game.moves().len() < 40 {
                moves.clear();
                LeafEvaluator::moves(&mut guide, game.last(), &mut moves);
                game.push(random.pick(&moves).unwrap());
            }
            if standing(game.last()) == stones && game.last().outcome().is_none() {
                games.push(game);
            }
            if games.len() as u64 == count {
                return games;
            }
        }
        unreachable!()
    }

    fn choose(player: &mut dyn Player<Go>, game: &History<Go>) -> Choice<GoMove> {
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        player.new_game(1);
        player.choose(game, &Limits::default(), &mut control).unwrap()
    }

    /// The number of games in which the second options choose another move than the first.
    fn changed_decisions(one: &str, other: &str, games: &[History<Go>]) -> usize {
        let [mut one, mut other] =
            [one, other].map(|spec| build_player::<Go>(spec, &Resources::default()).unwrap());
        let differs = |game: &&History<Go>| {
            let [one, other] =
                [&mut one, &mut other].map(|player| choose(&mut **player, game).action);
            one != other
        };
        games.iter().filter(differs).count()
    }

    #[test]
    fn every_switch_changes_a_decision() {
        let (early, middle, late) = (positions(12, 8), positions(120, 11), positions(40, 13));
        let v2 = "btt-go:resign=0,playouts=150,version=2";
        let v3 = "btt-go:resign=0,playouts=150";
        for (one, other, games) in [
            ("fuego-like:resign=0,playouts=150".to_owned(), format!("{v3},version=1"), &late),
            (v2.to_owned(), v3.to_owned(), &late),
            (format!("{v3},version=1"), v3.to_owned(), &late),
            (v3.to_owned(), format!("{v3},priors=off"), &early),
            (v2.to_owned(), format!("{v2},tactical=0"), &early),
            (v2.to_owned(), format!("{v2},tactical=60"), &early),
            (v2.to_owned(), format!("{v2},pick=sample"), &early),
            (
                format!("{v3},version=1,without=patterns+low-liberty"),
                format!("{v3},version=1,without=patterns+low-liberty,punishment=30"),
                &middle,
            ),
            (v3.to_owned(), format!("{v3},values=1KB"), &late),
            (v2.to_owned(), format!("{v2},moves=64MB"), &early),
        ] {
            assert!(changed_decisions(&one, &other, games) > 0, "{one} and {other}");
            assert_eq!(changed_decisions(&one, &one, games), 0, "{one} is the same every time");
        }
    }

    fn searched(spec: &str, game: &History<Go>) -> (BttStats, Choice<GoMove>) {
        let options = Options::parse(spec, OPTIONS).unwrap();
        let mut player = build(&options, &Resources::default()).unwrap();
        let choice = choose(&mut player, game);
        let stats = player.search().0.mcts().evaluators().next().unwrap().stats;
        (stats, choice)
    }

    #[test]
    fn the_tables_are_used_as_the_version_says() {
        let late = &positions(1, 14)[0];
        let (stats, choice) = searched("btt-go:version=1,playouts=400", late);
        assert!(stats.interrupted > 0 && stats.known_children > 0 && stats.repeated_moves == 0);
        let table = choice.report.table.unwrap();
        assert!(table.hits > 0 && table.stores > 0 && table.cutoffs == stats.interrupted);
        let playouts = choice.report.playouts.unwrap();
        assert_eq!((playouts.begun, playouts.interrupted), (stats.playouts, stats.interrupted));
        let (stats, _) = searched("btt-go:version=2,playouts=400", late);
        assert!(stats.interrupted == 0 && stats.repeated_moves > 0);
        let (stats, _) = searched("btt-go:version=3,playouts=400", late);
        assert!(stats.interrupted > 0 && stats.repeated_moves > 0);
    }

    /// Less than half of the points are taken, and no playout takes half of them before it ends.
    #[test]
    fn the_table_of_values_is_not_used_early_in_the_game() {
        let early = &positions(1, 2)[0];
        let (stats, choice) = searched("btt-go:version=1,playouts=50", early);
        assert_eq!((stats.interrupted, stats.known_children), (0, 0));
        assert_eq!(choice.report.table.unwrap().stores, 0);
    }

    /// The keys of the table leave out passes, so its values do not hold for games that have ended.
    #[test]
    fn a_game_that_ends_is_counted_and_not_remembered() {
        let options = Options::parse("go:size=5,komi=0.5", Go::OPTIONS).unwrap();
        let finished = Go::parse(&options, "1XXO1/XXXOO/1XXO1/XXXOO/1XXO1 b - 0 0/0").unwrap();
        let settings =
            BttSettings { value_table_bytes: Some(1 << 16), punishment: 0, playouts: None };
        let mut evaluator = BttLeafEvaluator::new(GoLeafEvaluator::fuego(), &settings);
        let wrong = NodeStats { depth: 2, visits: 3, value: -0.9, result: -0.9 };
        assert_eq!(evaluator.observe(&finished, wrong), None, "not stored yet");
        assert!(evaluator.observe(&finished, wrong).is_some(), "stored");
        let mut playout = Playout::default();
        let value = evaluator.simulate(&finished, &mut Random::new(1), &mut playout);
        assert!(value > 0.9 && !playout.interrupted, "Black has won: {value}");
        let over = finished.after(GoMove::Pass).after(GoMove::Pass);
        assert_eq!(evaluator.observe(&over, wrong), None);
    }

    #[test]
    fn the_leaf_evaluator_conforms() {
        let settings =
            BttSettings { value_table_bytes: Some(1 << 16), punishment: 20, playouts: None };
        let evaluator = BttLeafEvaluator::new(GoLeafEvaluator::fuego(), &settings);
        ludus_core::conformance::check_leaf_evaluator("go:size=5", 2, evaluator);
    }

    #[test]
    fn it_plays_legal_moves_to_the_end_of_a_game() {
        let mut player = build_player::<Go>("btt-go:playouts=60,resign=0", &Resources::default());
        let player = player.as_mut().unwrap();
        let options = Options::parse("go:size=5", Go::OPTIONS).unwrap();
        let mut game = History::new(Go::start(&options).unwrap());
        let stop = AtomicBool::new(false);
        player.new_game(3);
        while game.last().outcome().is_none() && game.moves().len() < 200 {
            let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
            let choice = player.choose(&game, &Limits::default(), &mut control).unwrap();
            let Action::Play(mv) = choice.action else { unreachable!("it never resigns") };
            let mut legal = Vec::new();
            game.last().legal_moves(&mut legal);
            assert!(legal.contains(&mv));
            game.push(mv);
        }
        assert!(game.last().outcome().is_some(), "{:?}", game.last());
    }

    #[test]
    fn go_offers_it() {
        assert!(Go::recipes().iter().any(|recipe| recipe.id == ID));
    }
}
