//! Counts the evaluation terms of a position.
//!
//! Everything is counted for Black and for White by sets of squares, without rotating the board:
//! White's masks are Black's, rotated at compile time.

use super::{
    board_masks::{BoardMasks, rotate},
    patterns,
    term_layout::{MAX_RUNAWAY_ROWS, TermLayout},
};
use ludus_core::{Position, TermSink};
use ludus_games::draughts::{
    Colour, Draughts,
    board::{BoardGeometry, row},
    static_rules::StaticRules,
};

/// Constants of the evaluation under a rule set.
pub(super) trait EvalRules: StaticRules {
    const LAYOUT: TermLayout = TermLayout::of(Self::RULES);
    /// Turns "Black minus White" into "first side minus second side".
    const SIGN: i32 = match Self::RULES.first() {
        Colour::Black => 1,
        Colour::White => -1,
    };
}

impl<R: StaticRules> EvalRules for R {}

#[inline(always)]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// Reports every term of `position`, which is of the rule set `R`.
#[inline(always)]
pub(super) fn count_terms<R: EvalRules>(position: &Draughts, sink: &mut impl TermSink) {
    let [black, white] = [Colour::Black, Colour::White].map(|colour| position.pieces(colour));
    let empty = R::Board::SQUARES & !(black | white);
    let kings = position.kings();
    let counter = TermCounter::<R, _> {
        black: SidePieces { men: black & !kings, kings: black & kings, enemy: white, empty },
        white: SidePieces { men: white & !kings, kings: white & kings, enemy: black, empty },
        sink,
        rules: std::marker::PhantomData,
    };
    counter.all(position);
}

/// The pieces of one colour, the enemy's and the empty squares.
#[derive(Copy, Clone)]
struct SidePieces {
    men: u64,
    kings: u64,
    enemy: u64,
    empty: u64,
}

impl SidePieces {
    fn pieces(&self) -> u64 {
        self.men | self.kings
    }
}

struct TermCounter<'a, R, T> {
    black: SidePieces,
    white: SidePieces,
    sink: &'a mut T,
    rules: std::marker::PhantomData<R>,
}

impl<R: EvalRules, T: TermSink> TermCounter<'_, R, T> {
    /// The greatest constant term comes first: once the sink has checked that it is in range, the
    /// compiler drops the check for the others.
    #[inline(always)]
    fn all(mut self, position: &Draughts) {
        self.turn(position);
        self.men();
        self.runaways();
        if position.kings() != 0 {
            self.kings();
        }
        let TermCounter { black, white, sink, .. } = self;
        patterns::entries::<R::Board>(black.men, white.men, |by_black, by_white| {
            sink.add(R::LAYOUT.patterns + by_black, R::SIGN);
            sink.add(R::LAYOUT.patterns + by_white, -R::SIGN);
        });
    }

    /// Adds `term`: Black has `black` of it, White `white`.
    #[inline(always)]
    fn add(&mut self, term: usize, black: i32, white: i32) {
        self.sink.add(term, R::SIGN * (black - white));
    }

    /// Counts the squares of two sets.
    #[inline(always)]
    fn add_sets(&mut self, term: usize, black: u64, white: u64) {
        self.add(term, count(black), count(white));
    }

    /// Counts the squares of `part`, as Black sees it, that are in `black` or, turned, in `white`.
    #[inline(always)]
    fn add_part(&mut self, term: usize, part: u64, black: u64, white: u64) {
        self.add_sets(term, black & part, white & rotate::<R::Board>(part));
    }

    /// Men: structure and mobility.
    #[inline(always)]
    fn men(&mut self) {
        let width = R::Board::WIDTH;
        let [black, white] = [self.black.men, self.white.men];
        self.add_sets(R::LAYOUT.material, black, white);

        let structure = R::LAYOUT.structure;
        let planes = R::Board::ADVANCE;
        let advancement = |men: u64, rotated: fn(u64) -> u64| -> i32 {
            (0..4).map(|bit| count(men & rotated(planes[bit])) << bit).sum()
        };
        self.add(structure, advancement(black, |set| set), advancement(white, rotate::<R::Board>));
        self.add_part(structure + 1, R::Board::CENTRE, black, white);
        let behind = |side: &SidePieces, ahead: [u32; 2]| -> i32 {
            ahead.iter().map(|&way| count(side.pieces().rotate_left(way) & side.men)).sum()
        };
        let [down, up] = forward_directions::<R::Board>();
        self.add(structure + 2, behind(&self.black, down), behind(&self.white, up));
        if R::Board::WIDTH == 5 {
            let skew = |men: u64| (count(men) - 2 * count(men & R::Board::RIGHT)).abs();
            self.add(structure + 3, skew(black), skew(white));
        }

        let home = (black & row(width, 0)) as usize;
        let away = (white >> row(width, R::Board::LAST).trailing_zeros()) as usize;
        let rotated = MIRRORED[away & 31] as usize >> (5 - width);
        self.sink.add(R::LAYOUT.home + home, R::SIGN);
        self.sink.add(R::LAYOUT.home + rotated, -R::SIGN);

        let empty = self.black.empty;
        let steps = |men: u64, ahead: [u32; 2]| -> i32 {
            ahead.iter().map(|&way| count(men.rotate_left(way) & empty)).sum()
        };
        self.add(R::LAYOUT.mobility, steps(black, down), steps(white, up));
    }

    /// Runaways: men near the crowning row with no enemy on any path there.
    #[inline(always)]
    fn runaways(&mut self) {
        let far = R::Board::FAR_ROWS;
        let rotated = rotate::<R::Board>(far);
        if self.black.men & far | self.white.men & rotated == 0 {
            return;
        }
        let [down, up] = forward_directions::<R::Board>();
        let black = free::<R::Board>(&self.black, far, down);
        let white = free::<R::Board>(&self.white, rotated, up);
        if black | white == 0 {
            return;
        }
        for to_go in 0..MAX_RUNAWAY_ROWS as u32 {
            let rows = row(R::Board::WIDTH, R::Board::LAST - 1 - to_go);
            self.add_part(R::LAYOUT.runaways + to_go as usize, rows, black, white);
        }
    }

    /// Kings: squares and mobility.
    #[inline(always)]
    fn kings(&mut self) {
        let [black, white] = [self.black.kings, self.white.kings];
        self.add_sets(R::LAYOUT.material + 1, black, white);
        self.add(R::LAYOUT.material + 2, i32::from(black != 0), i32::from(white != 0));
        let empty = self.black.empty;
        let beside = R::Board::DIRECTIONS.map(|direction| empty.rotate_right(direction));
        let steps = |kings: u64| beside.iter().map(|&beside| count(kings & beside)).sum();
        self.add(R::LAYOUT.mobility + 1, steps(black), steps(white));
        let free = beside.iter().fold(0, |all, beside| all | beside);
        self.add_sets(R::LAYOUT.mobility + 2, black & !free, white & !free);
        let places = R::LAYOUT.kings;
        for (index, part) in
            [R::Board::CENTRE, R::Board::EDGE, R::Board::DOUBLE_CORNERS].into_iter().enumerate()
        {
            self.add_part(places + index, part, black, white);
        }
        let holds = |kings: u64| i32::from(kings & R::Board::LONG_DIAGONAL != 0);
        self.add(places + 3, holds(black), holds(white));
    }

    /// Terms that depend on the side to move.
    #[inline(always)]
    fn turn(&mut self, position: &Draughts) {
        let sign = position.turn().sign();
        let [down, up] = forward_directions::<R::Board>();
        let black = capturable::<R>(&self.black, self.white.kings, down, up);
        let white = capturable::<R>(&self.white, self.black.kings, up, down);
        let (own, other) =
            if position.colour() == Colour::Black { (black, white) } else { (white, black) };
        let turn = R::LAYOUT.turn;
        self.sink.add(turn + 3, sign * count(other));
        self.sink.add(turn + 2, sign * i32::from(own != 0));
        self.sink.add(turn + 1, sign * opposition::<R::Board>(position));
        self.sink.add(turn, sign);
    }
}

/// The directions in which men of Black move, and those of White.
#[inline(always)]
fn forward_directions<B: BoardGeometry>() -> [[u32; 2]; 2] {
    let [down_left, down_right, up_right, up_left] = B::DIRECTIONS;
    [[down_left, down_right], [up_right, up_left]]
}

/// Five bits in the opposite order.
const MIRRORED: [u8; 32] = {
    let mut mirrored = [0; 32];
    let mut set = 0u8;
    while set < 32 {
        mirrored[set as usize] = set.reverse_bits() >> 3;
        set += 1;
    }
    mirrored
};

/// Men of `side` in the rows `far`, near where they are crowned, that meet no enemy on any path
/// there.
#[inline(always)]
fn free<B: BoardGeometry>(side: &SidePieces, far: u64, ahead: [u32; 2]) -> u64 {
    let mut blocked = side.enemy;
    for _ in 0..MAX_RUNAWAY_ROWS {
        let [left, right] = ahead.map(|way| blocked.rotate_right(way));
        blocked |= (left | right) & B::SQUARES;
    }
    side.men & far & !blocked
}

/// Enemies that `side` could capture by a jump from the next square, were it to move.
#[inline(always)]
fn capturable<R: EvalRules>(
    side: &SidePieces,
    enemy_kings: u64,
    ahead: [u32; 2],
    back: [u32; 2],
) -> u64 {
    let over = |pieces: u64, enemy: u64, directions: [u32; 2]| {
        let [left, right] =
            directions.map(|way| pieces.rotate_left(way) & side.empty.rotate_right(way) & enemy);
        left | right
    };
    if !R::SET.men_capture_kings {
        return over(side.pieces(), side.enemy & !enemy_kings, ahead)
            | over(side.kings, side.enemy, ahead)
            | over(side.kings, side.enemy, back);
    }
    let backwards = if R::SET.men_capture_backwards { side.pieces() } else { side.kings };
    over(side.pieces(), side.enemy, ahead) | over(backwards, side.enemy, back)
}

/// 1 if the side to move has the opposition ("the move"), -1 if the other side has it, 0 if the
/// numbers of pieces differ. The side to move has it if an odd number of pieces of both sides
/// stands in every second row, counted from its own first row.
#[inline(always)]
fn opposition<B: BoardGeometry>(position: &Draughts) -> i32 {
    let (own, other, colour) = (position.own(), position.other(), position.colour());
    let rows = match colour {
        Colour::Black => B::EVEN_ROWS,
        Colour::White => rotate::<B>(B::EVEN_ROWS),
    };
    let equal = i32::from(own.count_ones() == other.count_ones());
    equal * (2 * (count((own | other) & rows) & 1) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::DraughtsKnowledge;
    use ludus_core::{Random, linear::TermCounts};
    use ludus_games::draughts::{
        Rules,
        board::{Eight, Ten, all_squares, bits, directions},
    };

    /// Random positions of every rule set, from random games.
    fn positions(rules: Rules) -> Vec<Draughts> {
        let mut random = Random::new(5);
        let mut found = Vec::new();
        for _ in 0..15 {
            let mut position = Draughts::new(rules);
            for _ in 0..120 {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                found.push(position);
                position.play(mv);
            }
        }
        found
    }

    fn plain_free(position: &Draughts, man: u32, ahead: [u32; 2], enemy: u64) -> bool {
        let mut front = 1u64 << man;
        while front != 0 {
            let next = ahead.map(|way| front.rotate_left(way) & all_squares(position.rules()));
            front = next[0] | next[1];
            if front & enemy != 0 {
                return false;
            }
        }
        true
    }

    #[test]
    fn runaways_are_what_walking_finds() {
        let mut found = 0;
        for rules in Rules::ALL {
            let [a, b, ..] = directions(rules);
            for position in positions(rules) {
                let [black, white] = [Colour::Black, Colour::White].map(|c| position.pieces(c));
                let kings = position.kings();
                let empty = all_squares(rules) & !(black | white);
                let side =
                    SidePieces { men: black & !kings, kings: black & kings, enemy: white, empty };
                let (far, fast) = if rules.large_board() {
                    (Ten::FAR_ROWS, free::<Ten>(&side, Ten::FAR_ROWS, [a, b]))
                } else {
                    (Eight::FAR_ROWS, free::<Eight>(&side, Eight::FAR_ROWS, [a, b]))
                };
                let plain: u64 = bits(side.men & far)
                    .filter(|&man| plain_free(&position, man, [a, b], white))
                    .map(|man| 1u64 << man)
                    .sum();
                assert_eq!(fast, plain);
                found += plain.count_ones();
            }
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn only_the_block_of_the_rule_set_is_counted() {
        for rules in Rules::ALL {
            let block = TermLayout::of(rules).terms(rules);
            for position in positions(rules) {
                let counts = TermCounts::of::<DraughtsKnowledge>(&position);
                assert!(!counts.0.is_empty());
                assert!(counts.0.iter().all(|(term, _)| block.contains(term)));
            }
        }
    }

    #[test]
    fn capturable_pieces_are_those_that_a_move_captures() {
        let mut found = 0;
        for rules in Rules::ALL {
            let turn = TermLayout::of(rules).turn;
            for position in positions(rules) {
                // A king may capture from afar, and a preference may forbid a capture.
                if position.kings() != 0 || rules.set().capture_preferences.len() == 1 {
                    continue;
                }
                let can_capture = TermCounts::of::<DraughtsKnowledge>(&position)
                    .0
                    .iter()
                    .any(|&(term, _)| term == turn + 2);
                assert_eq!(can_capture, position.can_capture(), "{position:?}");
                found += u32::from(can_capture);
            }
        }
        assert!(found > 500, "{found}");
    }
}
