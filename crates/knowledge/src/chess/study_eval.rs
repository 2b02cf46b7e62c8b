//! The evaluation of a 2021 study of chess algorithms (L. F. C. Duarte, "Estudo de Algoritmos em uma Chess Engine",
//! PUC-Rio): 0.4 of the material and 0.6 of the placement, from White's point of view.
//!
//! The source's placement tables were made for a pawn of 10 and stand beside a pawn of 1, so a pawn counts 0.4 for
//! being there and 3.0 on the seventh rank. That is kept; [`StudyEval::with_scale`] multiplies the material instead.

use cozy_chess::{Color, Piece, Square};
use ludus_core::{EndReason, Outcome, Position, Side};
use ludus_games::chess::Chess;

/// Value of a mate given by White, in the unit of the evaluation. Mates of all lengths are worth the same.
pub const STUDY_MATE: i32 = 1000;

/// Evaluation points in one unit of the study: all sums are whole numbers of hundredths.
pub const STUDY_UNIT: i32 = 100;

/// Weights of material and placement, in tenths.
const MATERIAL_WEIGHT: i32 = 4;
const PLACEMENT_WEIGHT: i32 = 6;

/// Piece values in tenths: pawn, knight, bishop, rook, queen, king.
const VALUES: [i32; 6] = [10, 30, 35, 50, 90, 1000];

/// A placement table in tenths. The first row is rank 8, as printed; columns are files a to h.
type PlacementTable = [[i32; 8]; 8];

const PAWN: PlacementTable = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [50, 50, 50, 50, 50, 50, 50, 50],
    [10, 10, 20, 30, 30, 20, 10, 10],
    [5, 5, 10, 25, 25, 10, 5, 5],
    [0, 0, 0, 20, 20, 0, 0, 0],
    [5, -5, -10, 0, 0, -10, -5, 5],
    [5, 10, 10, -20, -20, 10, 10, 5],
    [0, 0, 0, 0, 0, 0, 0, 0],
];

const KNIGHT: PlacementTable = [
    [-50, -40, -30, -30, -30, -30, -40, -50],
    [-40, -20, 0, 0, 0, 0, -20, -40],
    [-30, 0, 10, 15, 15, 10, 0, -30],
    [-30, 5, 15, 20, 20, 15, 5, -30],
    [-30, 0, 15, 20, 20, 15, 0, -30],
    [-30, 5, 10, 15, 15, 10, 5, -30],
    [-40, -20, 0, 5, 5, 0, -20, -40],
    [-50, -40, -30, -30, -30, -30, -40, -50],
];

const BISHOP: PlacementTable = [
    [-20, -10, -10, -10, -10, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 10, 10, 5, 0, -10],
    [-10, 5, 5, 10, 10, 5, 5, -10],
    [-10, 0, 10, 10, 10, 10, 0, -10],
    [-10, 10, 10, 10, 10, 10, 10, -10],
    [-10, 5, 0, 0, 0, 0, 5, -10],
    [-20, -10, -10, -10, -10, -10, -10, -20],
];

const ROOK: PlacementTable = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [5, 10, 10, 10, 10, 10, 10, 5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [-5, 0, 0, 0, 0, 0, 0, -5],
    [0, 0, 0, 5, 5, 0, 0, 0],
];

/// Not symmetric on ranks 2 to 4, as in the source.
const QUEEN: PlacementTable = [
    [-20, -10, -10, -5, -5, -10, -10, -20],
    [-10, 0, 0, 0, 0, 0, 0, -10],
    [-10, 0, 5, 5, 5, 5, 0, -10],
    [-5, 0, 5, 5, 5, 5, 0, -5],
    [0, 0, 5, 5, 5, 5, 0, -5],
    [-10, 5, 5, 5, 5, 5, 0, -10],
    [-10, 0, 5, 0, 0, 0, 0, -10],
    [-20, -10, -10, -5, -5, -10, -10, -20],
];

const KING: PlacementTable = [
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-30, -40, -40, -50, -50, -40, -40, -30],
    [-20, -30, -30, -40, -40, -30, -30, -20],
    [-10, -20, -20, -20, -20, -20, -20, -10],
    [20, 20, 0, 0, 0, 0, 20, 20],
    [20, 30, 10, 0, 0, 10, 30, 20],
];

/// The tables by kind of piece, in the order of [`Piece`].
const PLACEMENT: [PlacementTable; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];

/// The entry of White's `piece` on `square`, in tenths. Black's is that of the square in the mirrored rank.
fn placement(piece: Piece, square: Square) -> i32 {
    PLACEMENT[piece as usize][7 - square.rank() as usize][square.file() as usize]
}

/// The evaluation of the study, with a factor for the material.
#[derive(Clone, Debug)]
pub struct StudyEval {
    /// Points in hundredths by piece and square, for White: material and placement together.
    points: [[i32; 64]; 6],
}

impl Default for StudyEval {
    fn default() -> StudyEval {
        StudyEval::with_scale(1)
    }
}

impl StudyEval {
    /// The evaluation with the material multiplied by `scale`; 1 is the published one.
    pub fn with_scale(scale: i32) -> StudyEval {
        let points = Piece::ALL.map(|piece| {
            let material = MATERIAL_WEIGHT * VALUES[piece as usize] * scale;
            Square::ALL.map(|square| material + PLACEMENT_WEIGHT * placement(piece, square))
        });
        StudyEval { points }
    }

    /// The static value for White in hundredths, whether or not the game is over.
    pub fn board_value(&self, position: &Chess) -> i32 {
        let board = position.board();
        let mut sum = 0;
        for (piece, points) in Piece::ALL.into_iter().zip(&self.points) {
            for square in board.colored_pieces(Color::White, piece) {
                sum += points[square as usize];
            }
            for square in board.colored_pieces(Color::Black, piece) {
                sum -= points[square.flip_rank() as usize];
            }
        }
        sum
    }

    /// The value for White in hundredths: that of the ending in a finished game.
    pub fn value(&self, position: &Chess) -> i32 {
        match study_ending(position) {
            Some(outcome) => StudyEval::ending_value(outcome),
            None => self.board_value(position),
        }
    }

    /// The value of an ending for White, in hundredths.
    pub fn ending_value(outcome: Outcome) -> i32 {
        STUDY_UNIT
            * match outcome {
                Outcome::Win(Side::First) => STUDY_MATE,
                Outcome::Win(Side::Second) => -STUDY_MATE,
                Outcome::Draw => 0,
            }
    }
}

/// The end of the game as the study's players see it: mate, stalemate and dead positions. They know no past, so
/// neither repetition nor the fifty moves end a game.
pub fn study_ending(position: &Chess) -> Option<Outcome> {
    if position.rule_draw() == Some(EndReason::Material) {
        return Some(Outcome::Draw);
    }
    position.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Random};

    fn chess(fen: &str) -> Chess {
        Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), fen).unwrap()
    }

    fn table(piece: Piece, square: &str) -> i32 {
        placement(piece, square.parse().unwrap())
    }

    #[test]
    fn tables_have_the_printed_orientation() {
        assert_eq!(table(Piece::King, "g1"), 30);
        assert_eq!(table(Piece::Pawn, "d2"), -20);
        assert_eq!(table(Piece::Pawn, "d7"), 50);
        // Asymmetric entries of the queen.
        assert_eq!([table(Piece::Queen, "a4"), table(Piece::Queen, "h4")], [0, -5]);
        assert_eq!([table(Piece::Queen, "b3"), table(Piece::Queen, "g3")], [5, 0]);
        assert_eq!([table(Piece::Queen, "c2"), table(Piece::Queen, "f2")], [5, 0]);
        // Sums of the printed tables guard against a wrong digit anywhere.
        let sum = |piece| Square::ALL.into_iter().map(|square| placement(piece, square)).sum();
        let sums: [i32; 6] = Piece::ALL.map(sum);
        assert_eq!(sums, [660, -810, -140, 30, -185, -1460]);
    }

    #[test]
    fn the_start_is_even() {
        assert_eq!(StudyEval::default().value(&Chess::default()), 0);
    }

    /// Values counted by hand: 4 x material and 6 x placement, both in tenths.
    #[test]
    fn six_positions_counted_by_hand() {
        let cases = [
            // e4: the pawn leaves -2.0 for 2.0.
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 6 * 40),
            // A pawn on the seventh rank: 0.4 and 3.0. Both kings stand on their e-squares.
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", 40 + 6 * 50),
            // A black pawn on its seventh rank, and White castled: g1 is worth 3.0.
            ("4k3/8/8/8/8/8/p7/6K1 w - - 0 1", -(40 + 6 * 50) + 6 * 30),
            // A knight in the corner: 1.2 and -3.0.
            ("4k3/8/8/8/8/8/3p4/N3K3 w - - 0 1", 120 - 6 * 50 - (40 + 6 * 50)),
            // Queen a4 (0.0) and bishop d3 (1.0) against rook a8 (0.0) and queen h5 (-0.5): 140 + 60 - 200, and h5.
            ("r3k3/8/8/7q/Q7/3B4/8/4K3 b - - 0 1", 6 * 5),
            // White's king in the centre (e5: -5.0), Black's castled (c8: 1.0), rooks d1 and e7 (0.5 and 1.0 of
            // their own sides' tables: e7 is Black's second rank, so 0.0).
            ("2k5/4r3/8/4K3/8/8/8/3R4 w - - 0 1", -6 * 50 - 6 * 10 + 6 * 5),
        ];
        let evaluation = StudyEval::default();
        for (fen, value) in cases {
            assert_eq!(evaluation.value(&chess(fen)), value, "{fen}");
        }
    }

    #[test]
    fn endings_have_fixed_values() {
        let evaluation = StudyEval::default();
        let mate = chess("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        assert_eq!(evaluation.value(&mate), -100_000);
        assert_eq!(evaluation.value(&mate.colour_flipped().unwrap()), 100_000);
        for drawn in ["7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"] {
            assert_eq!(evaluation.value(&chess(drawn)), 0, "{drawn}");
            assert_ne!(evaluation.board_value(&chess(drawn)), 0, "{drawn}");
        }
        // The fifty moves are not seen.
        let stalled = chess("4k3/8/8/8/8/8/8/R3K3 w - - 100 90");
        assert_eq!(study_ending(&stalled), None);
    }

    /// Random games: swapping colours negates the value, and the scaled material is the difference of the scales.
    #[test]
    fn values_are_antisymmetric_and_scaled_by_material_alone() {
        let mut random = Random::new(4);
        let [one, ten, two] = [1, 10, 2].map(StudyEval::with_scale);
        for _ in 0..40 {
            let mut position = Chess::default();
            for _ in 0..120 {
                let flipped = position.colour_flipped().unwrap();
                let value = one.value(&position);
                assert_eq!(value, -one.value(&flipped), "{}", position.text());
                let material = two.board_value(&position) - one.board_value(&position);
                assert_eq!(ten.board_value(&position) - one.board_value(&position), 9 * material);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
    }
}
