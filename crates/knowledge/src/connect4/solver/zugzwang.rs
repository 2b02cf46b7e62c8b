//! Zugzwang rules: bounds proved without search, from which side will have to move into which
//! column.
//!
//! Two of the rules of Victor Allis, "A Knowledge-based Approach of Connect-Four" (1988), joined:
//! *claimeven* (answer every disc with one on top of it) and *baseinverse* (of two cells that can
//! be filled, take whichever the opponent leaves). A side that answers every move by one of the two
//! determines the cells the opponent can ever get. If these contain no line, the opponent never
//! wins.
//!
//! Columns have six cells, so the answering side leaves the opponent the cells of the odd rows,
//! except in columns whose height has the wrong parity: there the next cell is one of a pair.

use super::cells::{EVEN_ROWS, ODD_ROWS, column_mask, column_of, lowest};
use ludus_games::connect4::{FULL, has_four};

/// For the first player to move with the discs `own` of `all`: a score it cannot exceed, if the
/// second player can keep it from winning by answering every move.
#[inline]
pub(super) fn second_player_bound(own: u64, all: u64, landings: u64) -> Option<i32> {
    let empty = FULL & !all;
    let paired = landings & EVEN_ROWS;
    if !prevents_four(own | (empty & ODD_ROWS), paired) {
        return None;
    }
    // The second player fills the other even cells; with a line among them it wins in the end.
    let certain = (own ^ all) | (empty & EVEN_ROWS & !paired);
    Some(if has_four(certain) { -1 } else { 0 })
}

/// For the second player to move with the discs `own` of `all`: a score it cannot exceed, if the
/// first player wins by answering every move.
///
/// The first player needs one of its `threats` in an odd row. In that column the parity is turned
/// round: below the threat the second player gets the even rows, and when nothing else is left it
/// must fill the cell below the threat.
#[inline]
pub(super) fn first_player_bound(own: u64, all: u64, landings: u64, threats: u64) -> Option<i32> {
    let empty = FULL & !all;
    let mut threats = threats & empty & ODD_ROWS & !landings;
    let mut bound = None;
    while threats != 0 {
        let threat = lowest(threats);
        let column = column_mask(column_of(threat));
        threats &= !column;
        let below = column & (threat - 1);
        let gets = own | (empty & ((ODD_ROWS & !column) | (EVEN_ROWS & below)));
        let paired = landings & ((EVEN_ROWS & !column) | (ODD_ROWS & column));
        if prevents_four(gets, paired) {
            // At the latest only the cells above the threat stay empty, two of them a disc of each.
            let above = (column & FULL & !(below | threat)).count_ones() as i32;
            let score = -(above + 1) / 2;
            bound = Some(bound.map_or(score, |bound: i32| bound.min(score)));
        }
    }
    bound
}

/// Whether a side that gets all of `gets` and one of each pair of `paired` cells never has four in
/// a line, the opponent choosing the pairs beforehand.
#[inline]
fn prevents_four(gets: u64, paired: u64) -> bool {
    if has_four(gets) {
        return false;
    }
    if paired == 0 || !has_four(gets | paired) {
        return true;
    }
    let first = lowest(paired);
    let others = paired ^ first;
    match others.count_ones() {
        1 => !has_four(gets | first) && !has_four(gets | others),
        3 => two_pairs(gets, first, others),
        _ => false, // proving three pairs costs more than it saves
    }
}

/// [`prevents_four`] for the four cells `first` and `others`.
fn two_pairs(gets: u64, first: u64, others: u64) -> bool {
    let mut partners = others;
    while partners != 0 {
        let partner = lowest(partners);
        partners ^= partner;
        let third = lowest(others ^ partner);
        let fourth = others ^ partner ^ third;
        let safe = |one: u64, two: u64| !has_four(gets | one | two);
        if safe(first, third)
            && safe(first, fourth)
            && safe(partner, third)
            && safe(partner, fourth)
        {
            return true;
        }
    }
    false
}
