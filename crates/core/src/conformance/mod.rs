//! Conformance tests for every game, to be called by the game's tests: [`check`] for its rules,
//! notation and records, [`check_knowledge`] for its evaluation and search hints, and a function for each
//! capability that only some games have.

mod endgame_solver;
mod knowledge;
mod leaf_evaluator;
mod numbering;
mod playing;
mod records;
#[cfg(test)]
mod tests;

pub use endgame_solver::check_endgame_solver;
pub use knowledge::{check_knowledge, check_linear_eval};
pub use leaf_evaluator::check_leaf_evaluator;
pub use numbering::{check_endgame_index, check_nnue_inputs};

use crate::{BoardView, Grid, History, Notation, Options, Random};
use playing::{RolloutCounts, check_margin};
use records::SetUpNames;
use std::collections::{HashMap, HashSet};

/// Plays random games and checks at every position that the game satisfies the contracts of
/// [`Position`](crate::Position) and [`Notation`], whichever of their items it overrides.
///
/// # Panics
/// At the first violation, naming the position.
pub fn check<P>(spec: &str, games: usize)
where
    P: Notation,
{
    let options = Options::parse(spec, P::OPTIONS).expect("the kit is given valid options");
    let mut kit = Kit::<P>::new(options);
    kit.check_record_tags();
    kit.check_invalid_text();
    for _ in 0..games {
        kit.random_game();
    }
    kit.check_rollout_counts();
}

/// Checks that positions of different rule sets are told apart by equality and by both keys: those
/// of random games, and those that the text of one rule set describes under another.
///
/// `specs` are games that differ in rules which positions carry.
///
/// # Panics
/// At the first two positions that are taken for each other.
pub fn check_rule_sets<P: Notation>(specs: &[&str], games: usize) {
    let parse = |spec: &&str| Options::parse(spec, P::OPTIONS).expect("valid options");
    let options: Vec<Options> = specs.iter().map(parse).collect();
    let mut random = Random::new(2);
    let mut seen: HashMap<u64, (usize, P)> = HashMap::new();
    let mut twins = 0;
    for own in 0..specs.len() {
        for position in random_positions::<P>(&options[own], games, &mut random) {
            for other in (0..specs.len()).filter(|&other| other != own) {
                // Not every text can be read under other rules.
                if let Ok(twin) = P::parse(&options[other], &position.text()) {
                    check_apart(&position, specs[own], &twin, specs[other]);
                    twins += 1;
                }
            }
            if let Some((other, twin)) = seen.get(&position.key())
                && *other != own
            {
                check_apart(&position, specs[own], twin, specs[*other]);
            }
            seen.insert(position.key(), (own, position));
        }
    }
    assert!(twins > 0, "no rule set can read the positions of another");
}

fn check_apart<P: Notation>(position: &P, spec: &str, twin: &P, other_spec: &str) {
    let place = format!("{} of {spec} and {} of {other_spec}", position.text(), twin.text());
    assert!(position != twin, "equal under two rule sets: {place}");
    assert_ne!(position.key(), twin.key(), "one key: {place}");
    assert_ne!(position.verification_key(), twin.verification_key(), "one key: {place}");
}

/// The positions of random games.
fn random_positions<P: Notation>(options: &Options, games: usize, random: &mut Random) -> Vec<P> {
    let mut positions = Vec::new();
    let mut moves = Vec::new();
    for _ in 0..games {
        let start = P::start(options).expect("valid options give a starting position");
        let mut game = History::new(start);
        while P::ending(&game).is_none() && game.moves().len() < MAX_RANDOM_GAME_PLIES {
            moves.clear();
            game.last().legal_moves(&mut moves);
            game.push(random.pick(&moves).expect("a game that goes on has moves"));
        }
        positions.extend_from_slice(game.positions());
    }
    positions
}

/// More plies than a random game of any known game takes.
const MAX_RANDOM_GAME_PLIES: usize = 20_000;

/// Calls `each` with the positions of random games and their legal moves.
fn random_games<P: Notation>(
    spec: &str,
    games: usize,
    mut each: impl FnMut(&P, &[P::Move], &mut Random),
) {
    let options = Options::parse(spec, P::OPTIONS).expect("the kit is given valid options");
    let start = P::start(&options).expect("valid options give a starting position");
    let mut random = Random::new(2);
    for _ in 0..games {
        let mut game = History::new(start.clone());
        loop {
            assert!(game.moves().len() < MAX_RANDOM_GAME_PLIES, "a random game does not end");
            let mut moves = Vec::new();
            game.last().legal_moves(&mut moves);
            each(game.last(), &moves, &mut random);
            if P::ending(&game).is_some() {
                break;
            }
            game.push(random.pick(&moves).expect("a game that goes on has moves"));
        }
    }
}

struct Kit<P> {
    options: Options,
    start: P,
    random: Random,
    seen: HashMap<u64, P>,
    rollouts: RolloutCounts,
    set_up_names: Option<SetUpNames>,
}

impl<P: Notation> Kit<P> {
    fn new(options: Options) -> Kit<P> {
        let start = P::start(&options).expect("valid options give a starting position");
        let set_up_names = SetUpNames::of::<P>(&options);
        Kit {
            options,
            start,
            random: Random::new(1),
            seen: HashMap::new(),
            rollouts: RolloutCounts::default(),
            set_up_names,
        }
    }

    fn random_game(&mut self) {
        let mut game = History::new(self.start.clone());
        let mut moves = Vec::new();
        while P::ending(&game).is_none() {
            assert!(game.moves().len() < MAX_RANDOM_GAME_PLIES, "a random game does not end");
            let position = game.last().clone();
            moves.clear();
            position.legal_moves(&mut moves);
            self.check_position(&position, &moves);
            let mv = self.random.pick(&moves).expect("a game that goes on has moves");
            game.push(mv);
            let before = game.positions()[game.moves().len() - 1].clone();
            assert!(before == position, "playing changed the position played from");
        }
        let last = game.last().clone();
        moves.clear();
        last.legal_moves(&mut moves);
        self.check_position(&last, &moves);
        self.check_reversible_plies(&game);
        self.check_undo(game);
    }

    fn check_position(&mut self, position: &P, moves: &[P::Move]) {
        let place = position.text();
        assert_eq!(
            moves.is_empty(),
            position.outcome().is_some(),
            "no moves if and only if the game is over: {place}"
        );
        assert_eq!(position.count_moves(), moves.len(), "count_moves disagrees: {place}");
        self.check_appending(position, moves, &place);
        self.check_keys(position, &place);
        self.check_text(position, moves, &place);
        self.check_moves(position, moves, &place);
        self.check_view(position, moves, &place);
        self.check_indices(position, moves, &place);
        check_margin(position, &place);
        if !moves.is_empty() {
            self.check_symmetries(position, &place);
        }
        if self.random.below(8) == 0 {
            self.check_rollout(position, &place);
            self.check_recorded_rollout(position, &place);
            self.check_short_cycle(position, moves, &place);
            self.check_set_up(position, &place);
        }
    }

    fn check_appending(&self, position: &P, moves: &[P::Move], place: &str) {
        let mut twice = moves.to_vec();
        position.legal_moves(&mut twice);
        assert_eq!(twice.len(), 2 * moves.len(), "legal_moves must append: {place}");
        assert_eq!(twice[moves.len()..], *moves, "the order of moves must not change: {place}");
        let mut paths = Vec::new();
        position.legal_paths(&mut paths);
        assert!(
            paths.len() >= moves.len() && moves.iter().all(|mv| paths.contains(mv)),
            "legal_paths must hold every legal move: {place}"
        );
    }

    fn check_keys(&mut self, position: &P, place: &str) {
        if let Some(other) = self.seen.get(&position.key()) {
            assert!(other == position, "one key for two positions: {place} and {}", other.text());
            assert_eq!(
                other.verification_key(),
                position.verification_key(),
                "equal positions, two verification keys: {place}"
            );
        } else {
            self.seen.insert(position.key(), position.clone());
        }
    }

    fn check_text(&self, position: &P, moves: &[P::Move], place: &str) {
        assert!(!place.contains('\n'), "the text of a position is one line: {place}");
        let read = P::parse(&self.options, place)
            .unwrap_or_else(|error| panic!("a written position must parse: {place}: {error}"));
        assert!(read == *position, "parse(text) differs: {place} became {}", read.text());
        assert_eq!(read.key(), position.key(), "a key differs from its recomputation: {place}");
        assert_eq!(
            read.verification_key(),
            position.verification_key(),
            "a verification key differs from its recomputation: {place}"
        );
        assert_eq!(read.text(), place, "text is not canonical");
        assert!(read.turn() == position.turn(), "parse(text) changed the turn: {place}");
        let mut read_moves = Vec::new();
        read.legal_moves(&mut read_moves);
        // Superko history is outside equality, so a position read from text may allow more moves.
        assert!(
            moves.iter().all(|mv| read_moves.contains(mv)),
            "parse(text) lost a legal move: {place}"
        );
    }

    fn check_moves(&self, position: &P, moves: &[P::Move], place: &str) {
        let mut texts = HashSet::new();
        for &mv in moves {
            let text = position.move_text(mv);
            assert!(!text.contains(char::is_whitespace), "white space in move {text:?}: {place}");
            assert!(texts.insert(text.clone()), "two moves are both {text:?}: {place}");
            for text in [text, position.record_text(mv)] {
                let read = position
                    .parse_move(&text)
                    .unwrap_or_else(|error| panic!("a written move must parse: {place}: {error}"));
                assert!(read == mv, "move {text:?} reads back as another: {place}");
            }
            let next = position.after(mv);
            assert!(next.turn() != position.turn(), "sides must alternate: {place}");
            assert!(next != *position, "a move must change the position: {place}");
        }
    }

    fn check_view(&self, position: &P, moves: &[P::Move], place: &str) {
        let BoardView { grid, columns, rows, cells, .. } = position.view();
        assert_eq!(cells.len(), columns * rows, "cells must fill the board: {place}");
        if grid != Grid::Text {
            for &mv in moves {
                let paths = position.move_paths(mv);
                assert_eq!(
                    paths.first(),
                    Some(&position.move_cells(mv)),
                    "the first path: {place}"
                );
                assert!(
                    paths.iter().flatten().all(|&cell| cell < cells.len()),
                    "a move leaves the board: {place}"
                );
            }
        }
    }

    fn check_symmetries(&self, position: &P, place: &str) {
        if let Some(flipped) = position.colour_flipped() {
            assert!(
                flipped.turn() != position.turn(),
                "colour_flipped must flip the turn: {place}"
            );
            assert!(flipped.colour_flipped().as_ref() == Some(position), "flip twice: {place}");
        }
        if let Some(other) = position.other_to_move() {
            assert!(other.turn() != position.turn(), "the other must be to move: {place}");
            assert!(other.other_to_move().as_ref() == Some(position), "and back: {place}");
        }
    }

    fn check_undo(&self, mut game: History<P>) {
        let mut replay = History::new(game.start().clone());
        for &mv in game.moves() {
            replay.push(mv);
        }
        assert_eq!(replay.keys(), game.keys(), "replaying the moves gave another game");
        while game.pop().is_some() {}
        assert!(*game.last() == self.start, "taking back every move leads to the start");
    }

    fn check_invalid_text(&mut self) {
        let start = self.start.clone();
        let mut texts: Vec<String> =
            ["", " ", "\0", "é", "-", "x", "0", "99999999999999999999", "(((", "a0", "\u{1F600}/8"]
                .map(String::from)
                .to_vec();
        texts.extend((0..200).map(|_| {
            let length = self.random.below(12);
            (0..length).map(|_| char::from(self.random.below(128) as u8)).collect()
        }));
        for text in texts {
            // Neither may panic; valid text is fine.
            let _ = start.parse_move(&text);
            let _ = P::parse(&self.options, &text);
        }
    }
}
