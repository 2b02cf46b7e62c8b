//! Input planes of the network: one bit a point and plane, from the view of the side to move.

use super::move_features::{MoveFeatures, NO_FEATURE};
use ludus_core::{Position, Side};
use ludus_games::go::{Go, GoMove, Point};

/// The number of planes; the last marks legal points.
pub const PLANES: usize = 32;

const ON_BOARD: u32 = 0;
const OWN: u32 = 1;
const OTHER: u32 = 2;
/// Own chains with one, two and three liberties, then the other side's.
const LIBERTIES: u32 = 3;
const LAST: u32 = 9;
const BEFORE: u32 = 10;
const OWN_EYE: u32 = 11;
const OTHER_EYE: u32 = 12;
/// Planes that are constant over the board.
const FIRST_SIDE: u32 = 13;
const AFTER_PASS: u32 = 14;
/// Planes of moves.
const CAPTURE_OF_ATTACKER: u32 = 15;
const CAPTURE: u32 = 16;
const ESCAPE_IN_VAIN: u32 = 17;
const ESCAPE: u32 = 18;
const SELF_ATARI_OF_ONE: u32 = 19;
const SELF_ATARI: u32 = 20;
const ATARI: u32 = 21;
const KO: u32 = 22;
/// Ladder moves: catches, saves, in vain, dead anyway.
const LADDER: u32 = 23;
const VITAL: u32 = 27;
const ATARI_ON_LAST: u32 = 29;
const CAPTURE_OF_LAST: u32 = 30;
const LEGAL: u32 = PLANES as u32 - 1;

/// The planes of a position, row by row.
pub fn planes(position: &Go, out: &mut Vec<u32>) {
    let board = position.board();
    let features = MoveFeatures::new(position);
    let [last, before] = position.last_moves();
    let side = position.turn();
    let mut everywhere = 1 << ON_BOARD;
    everywhere |= u32::from(side == Side::First) << FIRST_SIDE;
    everywhere |= u32::from(position.passes() > 0) << AFTER_PASS;
    out.clear();
    out.extend(board.points().map(|point| {
        let mut bits = everywhere;
        bits |= u32::from(last == Some(point)) << LAST | u32::from(before == Some(point)) << BEFORE;
        bits | match board.stone(point) {
            Some(owner) => of_stone(&features, point, owner == side),
            None => {
                let eyes = u32::from(board.is_eye(side, point)) << OWN_EYE
                    | u32::from(board.is_eye(!side, point)) << OTHER_EYE;
                let is_legal = position.illegal(point).is_none();
                eyes | if is_legal { of_move(&features, point) } else { 0 }
            }
        }
    }));
}

fn of_stone(features: &MoveFeatures<'_>, point: Point, is_own: bool) -> u32 {
    let stone = if is_own { 1 << OWN } else { 1 << OTHER };
    let whose = if is_own { LIBERTIES } else { LIBERTIES + 3 };
    match features.liberties(point) as u32 {
        few @ 1..=3 => stone | 1 << (whose + few - 1),
        _ => stone,
    }
}

fn of_move(features: &MoveFeatures<'_>, point: Point) -> u32 {
    let team = features.of(GoMove::Play(point));
    let [_, capture, escape, self_atari, atari, .., ladder, vital, _] = team;
    let mut bits = 1 << LEGAL;
    let mut set = |plane: u32| bits |= 1 << plane;
    match capture {
        NO_FEATURE => {}
        0 => set(CAPTURE_OF_ATTACKER),
        1 => set(CAPTURE_OF_LAST),
        _ => set(CAPTURE),
    }
    match escape {
        NO_FEATURE => {}
        0 => set(ESCAPE_IN_VAIN),
        _ => set(ESCAPE),
    }
    match self_atari {
        NO_FEATURE => {}
        0 => set(SELF_ATARI_OF_ONE),
        _ => set(SELF_ATARI),
    }
    match atari {
        NO_FEATURE => {}
        0 => set(ATARI_ON_LAST),
        3 => set(KO),
        _ => set(ATARI),
    }
    match ladder {
        NO_FEATURE => {}
        0 | 1 => set(LADDER),
        2 | 3 => set(LADDER + 1),
        other => set(LADDER + u32::from(other) - 2),
    }
    if vital != NO_FEATURE {
        set(VITAL + u32::from(vital));
    }
    bits
}

/// The index of a move in the policy output: points row by row, then the pass.
pub fn policy_index(position: &Go, mv: GoMove) -> usize {
    let size = position.board().size();
    match mv {
        GoMove::Play(point) => {
            let (row, column) = position.board().row_column(point);
            row * size + column
        }
        GoMove::Pass => size * size,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};

    fn at(position: &Go, row: usize, column: usize) -> u32 {
        let mut bits = Vec::new();
        planes(position, &mut bits);
        bits[row * position.board().size() + column]
    }

    #[test]
    fn stones_liberties_and_moves_have_their_planes() {
        // White's stone in the middle has one liberty, below.
        let (position, _) = read(".X... XOX.. ..... ...O. .....");
        assert_eq!(position.turn(), Side::First);
        let everywhere = 1 << ON_BOARD | 1 << FIRST_SIDE;
        assert_eq!(at(&position, 1, 1), everywhere | 1 << OTHER | 1 << (LIBERTIES + 3));
        let black = at(&position, 1, 0);
        assert_eq!(black & (1 << OWN | 1 << OTHER), 1 << OWN);
        let capture = at(&position, 2, 1);
        assert_ne!(capture & 1 << LEGAL, 0);
        assert_ne!(capture & (1 << CAPTURE | 1 << CAPTURE_OF_LAST), 0);
        let far = at(&position, 4, 4);
        assert_eq!(far, everywhere | 1 << LEGAL);
    }

    #[test]
    fn moves_have_numbers_of_their_own() {
        let (position, _) = read("..... ..... ..... ..... .....");
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut numbers: Vec<usize> = moves.iter().map(|&mv| policy_index(&position, mv)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..26));
    }
}
