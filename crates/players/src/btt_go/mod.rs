//! `btt-go`: Fuego's search with memory and playouts by the Bradley-Terry model (Vieira Júnior 2014).
//!
//! Version 1 keeps values of positions in a table: playouts stop where it knows the result. Version 2
//! rates the moves that all playout rules propose by six attributes and plays the strongest. Version
//! 3 does both, each with a table of its own.

mod attributes;
mod guide;
mod table;

pub use guide::{BttGuide, Counts, Design, Model, Pick};

use crate::{
    Recipe, Recording, Resources, Traced, fuego_like,
    go_book::{BOOK, Booked},
    go_search::{self, GoPlayer},
    settings::switch,
};
use ludus_core::{
    Choice, History, Kind, Limits, OptionSpec, Options, Player, PlayerError, TextError, Watch,
};
use ludus_games::go::{Go, Move, priors::Priors};
use ludus_search::mcts::Mcts;

/// Its name.
pub const ID: &str = "btt-go";

const OPTIONS: [OptionSpec; 15] = go_search::with_own([
    OptionSpec {
        name: "version",
        kind: Kind::Integer { min: 1, max: 3 },
        default: "3",
        about: "1: a table of values, 2: playouts by the Bradley-Terry model, 3: both",
    },
    switch("priors", "on", "prior knowledge of moves"),
    percent("tactical", "20", "chance of the tactical element for a candidate, in percent"),
    percent("punishment", "0", "by how much a remembered value counts less if no rule led to it"),
    OptionSpec {
        name: "pick",
        kind: Kind::Choice(&["best", "sample"]),
        default: "best",
        about: "how a playout takes one of the candidates: the strongest, or by probability",
    },
    bytes("values", "64MB", "size of the table of values, of each thread"),
    // The source tells no size. With its 43,000 simulations a move any table is full after a move or
    // two and drops newcomers from then on, so that hardly a playout meets it; a small one is as good
    // as full with few simulations too. One that has room for all repeats forever what chance chose
    // once, and loses 150 Elo (docs/results/go.md).
    bytes("moves", "16KB", "size of the table of moves, of each thread"),
    BOOK,
]);

const fn percent(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: Kind::Integer { min: 0, max: 100 }, default, about }
}

const fn bytes(name: &'static str, default: &'static str, about: &'static str) -> OptionSpec {
    OptionSpec { name, kind: Kind::Bytes, default, about }
}

fn design(options: &Options) -> Design {
    let version = options.integer("version");
    let model = || Model {
        moves: options.bytes("moves"),
        tactical: options.integer("tactical") as u32,
        pick: if options.text("pick") == "sample" { Pick::Sample } else { Pick::Best },
    };
    Design {
        values: (version != 2).then(|| options.bytes("values")),
        punishment: options.integer("punishment") as u32,
        model: (version != 1).then(model),
    }
}

/// BTT-Go.
struct BttPlayer {
    player: GoPlayer<BttGuide>,
}

fn build(options: &Options, resources: &Resources) -> Result<BttPlayer, TextError> {
    let (mut knowledge, design) = (fuego_like::knowledge(options)?, design(options));
    if !options.switch("priors") {
        knowledge.priors = Priors::none();
    }
    // Nakade is among the rules the source lists for the candidates of its playouts.
    if design.model.is_some() && !options.text("without").contains("nakade") {
        knowledge.policy.nakade = 100;
    }
    let guide = || BttGuide::new(knowledge.guide(), &design);
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, guide);
    Ok(BttPlayer { player: GoPlayer::new(ID, options, mcts)? })
}

impl BttPlayer {
    /// Adds what the table of values, or else that of moves, did in this game.
    fn with_table(&self, mut choice: Choice<Move>) -> Choice<Move> {
        let guide = self.player.mcts().guides().next();
        choice.report.table = guide.and_then(|guide| {
            let [values, moves] = guide.tables();
            values.or(moves)
        });
        choice
    }
}

impl Player<Go> for BttPlayer {
    fn name(&self) -> &str {
        ID
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let choice = self.player.choose(game, limits, watch)?;
        Ok(self.with_table(choice))
    }

    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let choice = self.player.analyze(game, limits, lines, watch)?;
        Ok(self.with_table(choice))
    }

    fn new_game(&mut self, seed: u64) {
        self.player.mcts_mut().guides_mut().for_each(BttGuide::clear);
        self.player.new_game(seed);
    }
}

impl Traced<Go> for BttPlayer {
    fn choose_traced(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        size: usize,
    ) -> Result<(Choice<Move>, Recording<Move>), PlayerError> {
        let (choice, recording) = self.player.choose_traced(game, limits, watch, size)?;
        Ok((self.with_table(choice), recording))
    }
}

fn booked(options: &Options, resources: &Resources) -> Result<Booked<BttPlayer>, TextError> {
    Booked::new(build(options, resources)?, options, resources)
}

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: ID,
        about: "Fuego's search with tables of positions and Bradley-Terry playouts (2014)",
        options: &OPTIONS,
        build: |options, resources| Ok(Box::new(booked(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(booked(options, resources)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Roster, build_player};
    use ludus_core::{Action, LeafEvaluator, NodeStats, Notation, Playout, Position, Random};
    use ludus_games::go::guide::GoGuide;
    use std::sync::atomic::AtomicBool;

    /// Positions of random games on 5x5 in which `stones` stand on the board.
    fn positions(count: u64, stones: usize) -> Vec<History<Go>> {
        let options = Options::parse("go:size=5,komi=0.5", Go::OPTIONS).unwrap();
        let mut games = Vec::new();
        for seed in 0.. {
            let mut random = Random::new(seed);
            let mut game = History::new(Go::start(&options).unwrap());
            let mut guide = GoGuide::fuego();
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

    fn choose(player: &mut dyn Player<Go>, game: &History<Go>) -> Choice<Move> {
        let stop = AtomicBool::new(false);
        let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
        player.new_game(1);
        player.choose(game, &Limits::default(), &mut watch).unwrap()
    }

    /// In how many of the games another move is made with the second options than with the first.
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

    fn searched(spec: &str, game: &History<Go>) -> (Counts, Choice<Move>) {
        let options = Options::parse(spec, &OPTIONS).unwrap();
        let mut player = build(&options, &Resources::default()).unwrap();
        let choice = choose(&mut player, game);
        let counts = player.player.mcts().guides().next().unwrap().counts;
        (counts, choice)
    }

    #[test]
    fn the_tables_are_used_as_the_version_says() {
        let late = &positions(1, 14)[0];
        let (counts, choice) = searched("btt-go:version=1,playouts=400", late);
        assert!(counts.interrupted > 0 && counts.known_children > 0 && counts.repeated_moves == 0);
        let table = choice.report.table.unwrap();
        assert!(table.hits > 0 && table.stores > 0 && table.cutoffs == counts.interrupted);
        let playouts = choice.report.playouts.unwrap();
        assert_eq!((playouts.begun, playouts.interrupted), (counts.playouts, counts.interrupted));
        let (counts, _) = searched("btt-go:version=2,playouts=400", late);
        assert!(counts.interrupted == 0 && counts.repeated_moves > 0);
        let (counts, _) = searched("btt-go:version=3,playouts=400", late);
        assert!(counts.interrupted > 0 && counts.repeated_moves > 0);
    }

    /// Less than half of the board is full, and not even a playout gets there before it ends.
    #[test]
    fn the_table_of_values_is_left_alone_early_in_the_game() {
        let early = &positions(1, 2)[0];
        let (counts, choice) = searched("btt-go:version=1,playouts=50", early);
        assert_eq!((counts.interrupted, counts.known_children), (0, 0));
        assert_eq!(choice.report.table.unwrap().stores, 0);
    }

    /// The keys of the table know no passes, so what it says of the stones is no word on a game that
    /// has ended with them.
    #[test]
    fn a_game_that_ends_is_counted_and_not_remembered() {
        let options = Options::parse("go:size=5,komi=0.5", Go::OPTIONS).unwrap();
        let finished = Go::parse(&options, "1XXO1/XXXOO/1XXO1/XXXOO/1XXO1 b - 0 0/0").unwrap();
        let design = Design { values: Some(1 << 16), punishment: 0, model: None };
        let mut guide = BttGuide::new(GoGuide::fuego(), &design);
        let wrong = NodeStats { depth: 2, visits: 3, value: -0.9, result: -0.9 };
        assert_eq!(guide.observe(&finished, wrong), None, "it is new");
        assert!(guide.observe(&finished, wrong).is_some(), "it is remembered");
        let mut playout = Playout::default();
        let value = guide.simulate(&finished, &mut Random::new(1), &mut playout);
        assert!(value > 0.9 && !playout.interrupted, "Black has won: {value}");
        let over = finished.after(Move::Pass).after(Move::Pass);
        assert_eq!(guide.observe(&over, wrong), None);
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
            let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
            let choice = player.choose(&game, &Limits::default(), &mut watch).unwrap();
            let Action::Play(mv) = choice.action else { unreachable!("it never gives up") };
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
