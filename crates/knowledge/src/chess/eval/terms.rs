//! The terms of the evaluation, by name. `data/hand/chess.txt` holds the weights in this order.
//!
//! Squares, ranks and files are seen by the side whose pieces are counted: its first rank is rank
//! 1.

use ludus_core::linear::Group;

/// Rows of eight distances, for passed pawns on the third rank (and below) to the seventh.
pub(super) const PASSER_ROWS: usize = 5;
/// Number of king-danger levels, each a term of its own.
pub(super) const DANGER_LEVELS: usize = 48;

pub(super) const GROUPS: &[Group] = &[
    // Pawn, knight, bishop, rook, queen.
    group("material", 5),
    // Own pawns times knights, bishops, rooks; a second rook; rooks beside a queen.
    group("imbalance", 5),
    group("bishop pair", 1),
    group("pawn squares", 64),
    group("knight squares", 64),
    group("bishop squares", 64),
    group("rook squares", 64),
    group("queen squares", 64),
    group("king squares", 64),
    // By the number of squares reached.
    group("knight reach", 9),
    group("bishop reach", 14),
    group("rook reach", 15),
    group("queen reach", 28),
    // Knight on an outpost, bishop on an outpost, knight that can go to one.
    group("outposts", 3),
    // Minor piece behind a pawn; distance of knights and of bishops to the own king.
    group("minor pieces", 3),
    // Own pawns on squares of the bishop's colour, and those of them that are blocked.
    group("bad bishops", 2),
    // On a file without own pawns, on one without pawns; trapped by the king, and that without
    // castling rights.
    group("rooks", 4),
    // Doubled, isolated, backward; isolated and backward ones with no enemy pawn ahead.
    group("pawn weaknesses", 5),
    // By rank.
    group("supported pawns", 8),
    group("pawns side by side", 8),
    group("candidates", 8),
    group("passed pawns", 8),
    group("protected passed pawns", 8),
    group("connected passed pawns", 8),
    group("passed pawns with a free path", 8),
    group("passed pawns with a safe step", 8),
    group("passed pawns blocked", 8),
    // By rank, then distance from the king to the square ahead of the pawn.
    group("own king to passed pawn", PASSER_ROWS * 8),
    group("enemy king to passed pawn", PASSER_ROWS * 8),
    // Own rook behind, enemy rook behind, out of reach of a lone king.
    group("passed pawns and pieces", 3),
    // By distance of the file from the edge, then rank of the nearest pawn (0: none).
    group("shelter", 32),
    group("storm", 32),
    // By rank of the enemy pawn.
    group("storm stopped", 8),
    // Open file at the king; no pawn on the king's wing.
    group("king files", 2),
    // The right to castle long, short.
    group("castling", 2),
    // Enemy pieces that attack squares around the king: knights, bishops, rooks, queens.
    group("attackers", 4),
    // Safe enemy checks by knight, bishop, rook, queen.
    group("safe checks", 4),
    // By units of danger.
    group("king danger", DANGER_LEVELS),
    // By the piece attacked: knight, bishop, rook, queen.
    group("threats of pawns", 4),
    // By the piece attacked: pawn to queen.
    group("threats of minor pieces", 5),
    group("threats of rooks", 5),
    // By king, hanging pieces, by pawn steps, on the queen by knights, by sliders, squares denied.
    group("other threats", 6),
    group("space", 1),
    group("the move", 1),
];

/// The number of terms.
pub(super) const COUNT: usize = first("the move") + 1;

const fn group(name: &'static str, terms: usize) -> Group {
    Group { name, terms }
}

/// The number of the first term of group `name`; refused by the compiler if there is none.
const fn first(name: &str) -> usize {
    let mut index = 0;
    let mut term = 0;
    while !same(GROUPS[index].name, name) {
        term += GROUPS[index].terms;
        index += 1;
    }
    term
}

const fn same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

pub(super) const MATERIAL: usize = first("material");
pub(super) const IMBALANCE: usize = first("imbalance");
pub(super) const BISHOP_PAIR: usize = first("bishop pair");
/// Six groups of 64, by piece.
pub(super) const SQUARES: usize = first("pawn squares");
pub(super) const KNIGHT_REACH: usize = first("knight reach");
pub(super) const BISHOP_REACH: usize = first("bishop reach");
pub(super) const ROOK_REACH: usize = first("rook reach");
pub(super) const QUEEN_REACH: usize = first("queen reach");
pub(super) const OUTPOSTS: usize = first("outposts");
pub(super) const MINORS: usize = first("minor pieces");
pub(super) const BAD_BISHOPS: usize = first("bad bishops");
pub(super) const ROOKS: usize = first("rooks");
pub(super) const WEAKNESSES: usize = first("pawn weaknesses");
pub(super) const SUPPORTED: usize = first("supported pawns");
pub(super) const SIDE_BY_SIDE: usize = first("pawns side by side");
pub(super) const CANDIDATES: usize = first("candidates");
pub(super) const PASSED: usize = first("passed pawns");
pub(super) const PROTECTED: usize = first("protected passed pawns");
pub(super) const CONNECTED: usize = first("connected passed pawns");
pub(super) const FREE_PATH: usize = first("passed pawns with a free path");
pub(super) const SAFE_STEP: usize = first("passed pawns with a safe step");
pub(super) const BLOCKED: usize = first("passed pawns blocked");
pub(super) const OWN_KING: usize = first("own king to passed pawn");
pub(super) const ENEMY_KING: usize = first("enemy king to passed pawn");
pub(super) const PASSERS_AND_PIECES: usize = first("passed pawns and pieces");
pub(super) const SHELTER: usize = first("shelter");
pub(super) const STORM: usize = first("storm");
pub(super) const STORM_STOPPED: usize = first("storm stopped");
pub(super) const KING_FILES: usize = first("king files");
pub(super) const CASTLING: usize = first("castling");
pub(super) const ATTACKERS: usize = first("attackers");
pub(super) const SAFE_CHECKS: usize = first("safe checks");
pub(super) const DANGER: usize = first("king danger");
pub(super) const BY_PAWNS: usize = first("threats of pawns");
pub(super) const BY_MINORS: usize = first("threats of minor pieces");
pub(super) const BY_ROOKS: usize = first("threats of rooks");
pub(super) const OTHER_THREATS: usize = first("other threats");
pub(super) const SPACE: usize = first("space");
pub(super) const THE_MOVE: usize = first("the move");
