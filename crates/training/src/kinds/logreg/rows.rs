//! Rows of the regression: moves that the winner of a game made, and moves it did not make.

use super::{LogRegSettings, games::DecisiveGame};
use crate::go_self_play::held_out;
use ludus_core::{Position, Random};
use ludus_games::chess::{Chess, Move, PackedChess};
use ludus_knowledge::chess::{study_board_features, study_move_features, study_target};

/// A position in which the winner of a game had a choice.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Decision {
    position: PackedChess,
    /// Number of the move it made, among [`distinct_moves`].
    chosen: u8,
}

/// A move of a decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    decision: u32,
    mv: u8,
}

/// Decisions, and the rows of them that are used.
#[derive(Default)]
pub(super) struct DecisionRows {
    decisions: Vec<Decision>,
    pub rows: Vec<Row>,
}

/// Features of a row that are on, and whether the winner made the move.
#[derive(Default)]
pub(super) struct RowFeatures {
    pub on: Vec<u16>,
    pub is_good: bool,
}

impl DecisionRows {
    /// Adds the decisions of a game.
    fn add(&mut self, game: &DecisiveGame, balance: bool, random: &mut Random) {
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        for (ply, &mv) in game.moves.iter().enumerate() {
            if ply >= game.random_plies && position.turn() == game.winner {
                distinct_moves(&position, &mut moves);
                let is_same = |other: &Move| squares(&position, *other) == squares(&position, mv);
                let chosen = moves.iter().position(is_same).expect("a legal move") as u8;
                self.add_decision(&position, chosen, moves.len() as u8, balance, random);
            }
            position.play(mv);
        }
    }

    /// Adds a decision among `count` moves; nothing is learned where there is only one.
    fn add_decision(
        &mut self,
        position: &Chess,
        chosen: u8,
        count: u8,
        balance: bool,
        random: &mut Random,
    ) {
        if count < 2 {
            return;
        }
        let decision = self.decisions.len() as u32;
        self.decisions.push(Decision { position: PackedChess::new(position), chosen });
        let row = |mv| Row { decision, mv };
        if balance {
            let bad = random.below(usize::from(count) - 1) as u8;
            self.rows.extend([row(chosen), row(bad + u8::from(bad >= chosen))]);
        } else {
            self.rows.extend((0..count).map(row));
        }
    }

    /// Features of a row.
    pub fn features(&self, row: Row, interactions: bool, out: &mut RowFeatures) {
        let decision = self.decisions[row.decision as usize];
        let position = decision.position.unpack().expect("a packed position");
        let mut moves = Vec::new();
        distinct_moves(&position, &mut moves);
        out.on.clear();
        study_board_features(&position, &mut out.on);
        study_move_features(&position, moves[usize::from(row.mv)], interactions, &mut out.on);
        out.is_good = row.mv == decision.chosen;
    }

    /// Number of decisions.
    pub fn decisions(&self) -> usize {
        self.decisions.len()
    }

    /// Position of a decision, its distinct moves, and the number of the one that was made.
    pub fn decision(&self, number: usize, moves: &mut Vec<Move>) -> (Chess, usize) {
        let Decision { position, chosen } = self.decisions[number];
        let position = position.unpack().expect("a packed position");
        distinct_moves(&position, moves);
        (position, chosen.into())
    }
}

/// Rows to learn from, in the order in which they are used, and rows held out.
pub(super) struct RowSets {
    pub train: DecisionRows,
    pub held_out: DecisionRows,
    /// Games of both.
    pub games: usize,
}

impl RowSets {
    /// Rows of these games; all that is random comes from the seed.
    pub fn new(games: &[DecisiveGame], settings: &LogRegSettings, seed: u64) -> RowSets {
        let (mut train, mut held) = (DecisionRows::default(), DecisionRows::default());
        for (number, game) in games.iter().enumerate() {
            let random = &mut Random::new(seed).split(&format!("bad moves, game {number}"));
            let set = match held_out(number as u64, settings.validation) {
                true => &mut held,
                false => &mut train,
            };
            set.add(game, settings.balance, random);
        }
        Random::new(seed).split("rows").shuffle(&mut train.rows);
        train.rows.truncate(settings.batches as usize * settings.rows);
        RowSets { train, held_out: held, games: games.len() }
    }
}

/// Squares of a move as its features have them.
fn squares(position: &Chess, mv: Move) -> (u8, u8) {
    (mv.from as u8, study_target(position, mv) as u8)
}

/// Legal moves of a position; of promotions with the same squares, which no feature tells apart, one.
fn distinct_moves(position: &Chess, moves: &mut Vec<Move>) {
    moves.clear();
    position.legal_moves(moves);
    moves.dedup_by_key(|mv| squares(position, *mv));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Side};
    use ludus_knowledge::chess::study_feature_name;

    fn game(moves: &str, winner: Side, random_plies: usize) -> DecisiveGame {
        let mut position = Chess::default();
        let parse = |text| {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            mv
        };
        let moves = moves.split_whitespace().map(parse).collect();
        DecisiveGame { random_plies, winner, moves }
    }

    fn rows(games: &[DecisiveGame], balance: bool) -> RowSets {
        let settings = LogRegSettings { balance, validation: 0.0, ..LogRegSettings::default() };
        RowSets::new(games, &settings, 1)
    }

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

    #[test]
    fn only_moves_of_the_winner_after_the_random_ones_count() {
        let games = [game(MATE, Side::Second, 0), game(MATE, Side::Second, 2)];
        let all = rows(&games, false).train;
        assert_eq!(all.decisions(), 3, "two of the first game, one of the second");
        let good = |rows: &DecisionRows| {
            let is_good = |&&row: &&Row| {
                let mut features = RowFeatures::default();
                rows.features(row, true, &mut features);
                features.is_good
            };
            rows.rows.iter().filter(is_good).count()
        };
        assert_eq!((good(&all), all.rows.len()), (3, 20 + 30 + 30), "all legal moves");
        let even = rows(&games, true).train;
        assert_eq!((good(&even), even.rows.len()), (3, 6));
    }

    #[test]
    fn features_are_those_of_board_and_move() {
        let rows = rows(&[game(MATE, Side::Second, 2)], true).train;
        let mut features = RowFeatures::default();
        for &row in &rows.rows {
            rows.features(row, true, &mut features);
            let names: Vec<String> =
                features.on.iter().map(|&it| study_feature_name(it.into())).collect();
            assert!(names.contains(&"P on g4".to_owned()), "{names:?}");
            if features.is_good {
                assert_eq!(names[64..], ["from d8", "to h4", "q to h4", "q from d8"]);
            }
        }
    }

    #[test]
    fn promotions_are_one_move() {
        let start = "e2e4 f7f5 e4f5 g7g6 f5g6 a7a6 g6h7 a6a5 h7g8q";
        let rows = rows(&[game(start, Side::First, 8)], false).train;
        let mut moves = Vec::new();
        let (position, chosen) = rows.decision(0, &mut moves);
        assert_eq!(squares(&position, moves[chosen]), (55, 62));
        let promotions = moves.iter().filter(|mv| squares(&position, **mv) == (55, 62)).count();
        assert_eq!(promotions, 1);
    }
}
