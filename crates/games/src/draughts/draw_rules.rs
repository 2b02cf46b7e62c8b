//! Draw rules that depend on the moves played, decided by two counters beside the board.
//!
//! A position that occurs for the third time is a draw in every rule set. In addition (a move
//! is one of each side, two plies):
//!
//! | rule set | only kings moved, nothing captured | the same balance of few pieces |
//! |---|---|---|
//! | English, Italian | 40 moves | – |
//! | Brazilian | 20 moves | 5 moves of 2 kings against 2 kings, against 1 king or against 1 king and 1 man; of 1 king against 1 king or against 1 king and 1 man |
//! | Russian | 15 moves | see below |
//! | International | 25 moves | 16 moves of 3 pieces with a king against a lone king; 5 moves of 1 or 2 pieces with a king against a lone king |
//! | Spanish | 20 moves | 12 moves of 3 kings against a lone king |
//! | Czech | 30 moves | – |
//! | Pool | 40 moves | 13 moves of 3 kings against a lone king |
//!
//! The lengths, in plies, are in the table of `rule_set`, which also says which of them are from general
//! knowledge.
//!
//! Russian balances, counted while both sides have kings: 5 moves with 2 or 3 pieces in all, and
//! of 3 pieces against a lone king on the main road; 15 moves of 3 or more kings against a lone
//! king; 30 moves with 4 or 5 pieces; 60 moves with 6 or 7. The count on the main road restarts
//! when the lone king leaves it.
//!
//! A balance is counted from the position in which it arises. A capture restarts the count, in
//! Russian draughts also a man that is crowned. A position read from text starts with both
//! counters at zero. Draws agreed or claimed on other grounds are not covered.

use super::{
    board::MAIN_ROAD,
    position::Draughts,
    rule_set::{Balances, BothKingsPlies, QUIET_PLIES, SHORTEST_BALANCE},
};
use ludus_core::EndReason;

/// Most pieces of a counted balance.
const MAX_BALANCE_PIECES: u32 = 7;

/// The draw by one of the counters of `position`, if there is one.
#[inline]
pub(super) fn draw_by_counters(position: &Draughts) -> Option<EndReason> {
    let limit = QUIET_PLIES[position.rules as usize];
    // Most positions skip the second test.
    let stalled = position.quiet_plies >= limit
        || position.balance_plies >= SHORTEST_BALANCE
            && position.balance_plies >= balance_limit(position);
    stalled.then_some(EndReason::NoProgress)
}

/// The balance counter after a move from `before` to `after`.
#[inline]
pub(super) fn next_balance(before: &Draughts, after: &Draughts) -> u8 {
    let balances = after.rules.set().draws.balances;
    let pieces = (after.own | after.other).count_ones();
    if pieces > MAX_BALANCE_PIECES || balances == Balances::None {
        return 0;
    }
    let limit = balance_limit(after);
    let captured = before.other != after.own;
    let crowned = after.kings.count_ones() > before.kings.count_ones();
    let reset = captured || crowned && matches!(balances, Balances::BothKings(_));
    if reset || limit == u8::MAX || limit != balance_limit(before) {
        return 0;
    }
    before.balance_plies.saturating_add(1)
}

/// Men and kings of one side.
#[derive(Copy, Clone, PartialEq, Eq)]
struct SideMaterial {
    men: u32,
    kings: u32,
}

impl SideMaterial {
    const LONE_KING: SideMaterial = SideMaterial { men: 0, kings: 1 };

    fn of(pieces: u64, kings: u64) -> SideMaterial {
        SideMaterial { men: (pieces & !kings).count_ones(), kings: (pieces & kings).count_ones() }
    }

    fn pieces(self) -> u32 {
        self.men + self.kings
    }
}

/// Limit of the present balance in plies; `u8::MAX` if it is not counted.
#[inline]
fn balance_limit(position: &Draughts) -> u8 {
    let Draughts { own, other, kings, rules, .. } = *position;
    let forces = [SideMaterial::of(own, kings), SideMaterial::of(other, kings)];
    let limit = match rules.set().draws.balances {
        Balances::None => None,
        Balances::TwoKings(limit) => are_two_kings(forces).then_some(limit),
        Balances::LoneKing { two_pieces, three_pieces } => {
            match against_lone_king(forces).map(SideMaterial::pieces) {
                Some(1 | 2) => Some(two_pieces),
                Some(3) => Some(three_pieces),
                _ => None,
            }
        }
        Balances::BothKings(limits) => limit_of_both_kings(limits, position, forces),
        Balances::ThreeKings(limit) => three_kings_face_one(forces).then_some(limit),
    };
    limit.unwrap_or(u8::MAX)
}

/// The force that faces a lone king, if there is one with a king.
fn against_lone_king([own, other]: [SideMaterial; 2]) -> Option<SideMaterial> {
    let facing = match (own, other) {
        (SideMaterial::LONE_KING, facing) | (facing, SideMaterial::LONE_KING) => facing,
        _ => return None,
    };
    (facing.kings > 0).then_some(facing)
}

fn three_kings_face_one(forces: [SideMaterial; 2]) -> bool {
    against_lone_king(forces) == Some(SideMaterial { men: 0, kings: 3 })
}

/// Whether it is a balance of [`Balances::TwoKings`].
fn are_two_kings([own, other]: [SideMaterial; 2]) -> bool {
    let balance = |stronger: SideMaterial, weaker: SideMaterial| {
        matches!(
            (stronger.kings, stronger.men, weaker.kings, weaker.men),
            (2, 0, 2, 0) | (2, 0, 1, 0 | 1) | (1, 0, 1, 0 | 1)
        )
    };
    balance(own, other) || balance(other, own)
}

/// Limit of the present balance of [`Balances::BothKings`].
fn limit_of_both_kings(
    limits: BothKingsPlies,
    position: &Draughts,
    forces: [SideMaterial; 2],
) -> Option<u8> {
    let [own, other] = forces;
    if own.kings == 0 || other.kings == 0 {
        return None;
    }
    if let Some(facing) = against_lone_king(forces) {
        let lone = if own == SideMaterial::LONE_KING { position.own } else { position.other };
        if facing.pieces() == 3 && lone & MAIN_ROAD != 0 {
            return Some(limits.main_road);
        }
        if facing.men == 0 && facing.kings >= 3 {
            return Some(limits.three_kings);
        }
    }
    match own.pieces() + other.pieces() {
        2 | 3 => Some(limits.three_pieces),
        4 | 5 => Some(limits.five_pieces),
        6 | 7 => Some(limits.seven_pieces),
        _ => None,
    }
}
