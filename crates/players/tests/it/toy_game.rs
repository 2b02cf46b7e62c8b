//! A new game is one small type with three traits: `Position`, `Notation` and its entry in the roster.
//! This one at once has perft, the conformance kit and all common players. (Take one to three stones
//! from a heap; whoever takes the last one wins.)

use crate::seated::{Seated, Turn};
use ludus_core::{conformance, *};
use ludus_players::{ErasedGame, Game, Resources, Roster, measure::PerftJob};

#[derive(Copy, Clone, PartialEq, Eq)]
struct Heap {
    stones: u8,
    turn: Side,
}

impl Position for Heap {
    type Move = u8;
    fn turn(&self) -> Side {
        self.turn
    }
    fn legal_moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.stones.min(3));
    }
    fn play(&mut self, taken: u8) {
        *self = Heap { stones: self.stones - taken, turn: !self.turn };
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0).then_some(Outcome::Win(!self.turn))
    }
    fn key(&self) -> u64 {
        position::mix(u64::from(self.stones) * 2 + self.turn.index() as u64)
    }
}

impl Notation for Heap {
    const ID: &'static str = "heap";
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: "stones",
        kind: OptionKind::Integer { min: 1, max: 100 },
        default: "10",
        about: "stones in the heap",
    }];
    fn start(options: &Options) -> Result<Heap, TextError> {
        Ok(Heap { stones: options.integer("stones") as u8, turn: Side::First })
    }
    fn parse(_: &Options, text: &str) -> Result<Heap, TextError> {
        let error = || TextError::whole("heap", text, "a number of stones and first or second");
        let (stones, turn) = text.split_once(' ').ok_or_else(error)?;
        let turn = Side::BOTH.into_iter().find(|side| format!("{side:?}") == turn);
        let stones = stones.parse().ok().filter(|&stones| stones <= 100);
        Ok(Heap { stones: stones.ok_or_else(error)?, turn: turn.ok_or_else(error)? })
    }
    fn text(&self) -> String {
        format!("{} {:?}", self.stones, self.turn)
    }
    fn move_text(&self, taken: u8) -> String {
        taken.to_string()
    }
}

impl Roster for Heap {
    type Knowledge = ();
}

// The game ends here; what follows is what it gets for it.

const GAME: &dyn Game = &ErasedGame::<Heap>::NEW;

#[test]
fn it_passes_the_conformance_kit() {
    conformance::check::<Heap>("heap:stones=30", 100);
    conformance::check_knowledge::<Heap, ()>("heap:stones=30", 100);
}

#[test]
fn it_has_perft_on_any_number_of_threads() {
    let options = Options::parse("heap:stones=10", GAME.options()).unwrap();
    for threads in [1, 2, 5] {
        let job = PerftJob { position: None, depth: 3, threads, keep_duplicates: false };
        let counts = GAME.measure().perft(&options, &job).unwrap();
        assert_eq!(counts, [("1".into(), 9), ("2".into(), 9), ("3".into(), 9)]);
    }
}

/// The winner of a game between two players.
fn winner(first: &str, second: &str) -> Outcome {
    let options = Options::defaults("heap", GAME.options());
    let mut seated = Seated::at(GAME.open(&options, None).unwrap());
    seated.seat(Side::First, first, &Resources::default()).unwrap();
    seated.seat(Side::Second, second, &Resources::default()).unwrap();
    while seated.board.ending().is_none() {
        assert!(matches!(seated.let_play(Limits::default()).unwrap(), Turn::Moved(_)));
    }
    seated.board.ending().unwrap().outcome
}

#[test]
fn it_has_every_common_player() {
    let names: Vec<_> = GAME.players().iter().map(|&(id, ..)| id).collect();
    assert!(names.starts_with(&["random", "greedy", "minimax", "negamax", "alphabeta"]));
    assert!(names.ends_with(&["dual", "flat", "mcts", "engine", "ludus"]));
    assert!(matches!(winner("greedy", "random"), Outcome::Win(_)));
    assert_eq!(winner("minimax:depth=10", "random"), Outcome::Win(Side::First));
    assert_eq!(winner("minimax:depth=10", "minimax:depth=10"), Outcome::Win(Side::First));
    assert_eq!(winner("mcts:playouts=500", "mtdf:depth=10"), Outcome::Win(Side::First));
    assert_eq!(winner("engine:nodes=500", "mtdf:depth=10"), Outcome::Win(Side::First));
}

#[test]
fn wrong_names_are_refused_with_the_right_ones() {
    let error = |player| GAME.check_player(player, &Resources::default()).unwrap_err().to_string();
    assert_eq!(
        error("mimimax"),
        "bad player \"mimimax\": \
         expected one of the players of heap: random, greedy, minimax, negamax, alphabeta, \
         aspiration, negascout, pvs, mtdf, sss, dual, flat, mcts, engine, ludus"
    );
    assert!(error("minimax:depth=101").contains("a whole number from 0 to 100"));
}
