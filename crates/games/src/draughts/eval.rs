//! The evaluation: material, what of it can be captured at once, where the pieces stand, how they
//! can move, and two products that make trades attractive to whoever is ahead and damp endings that
//! cannot be won.

use super::{
    board::{MAIN_ROAD, all_squares, bits, directions, row, turned},
    position::Draughts,
    rules::{Colour, Rules},
};
use ludus_core::{Composition, Judged, Position, Scoring, Side, Weight, eval::PHASES};

const ONE: Weight = Weight::flat(1);

static EVALUATION: Scoring<Draughts> = Scoring::Sum(
    "draughts",
    &[
        (
            ONE,
            Scoring::Product(
                "material, damped where it cannot win",
                &Scoring::Product("material, more with fewer pieces", &MATERIAL, emptier),
                winnable,
            ),
        ),
        (Weight::sliding(7, 10), Scoring::Count("tenths of men to be captured at once", at_stake)),
        (ONE, MEN),
        (ONE, KINGS),
        (Weight::flat(3), Scoring::Count("steps", |p| difference(p, steps))),
        (Weight::flat(4), Scoring::Count("to move", |p| p.turn().sign())),
    ],
);

static MATERIAL: Scoring<Draughts> = Scoring::Sum(
    "material",
    &[
        (Weight::flat(100), Scoring::Count("men", |p| difference(p, |half| count(half.men)))),
        (ONE, Scoring::Product("kings by their worth", &KING_MATERIAL, king_worth)),
    ],
);

/// Weighed before it is multiplied, so that the product's division loses nothing.
static KING_MATERIAL: Scoring<Draughts> = Scoring::Sum(
    "king material",
    &[(Weight::flat(100), Scoring::Count("kings", |p| difference(p, |half| count(half.kings))))],
);

const MEN: Scoring<Draughts> = Scoring::Sum(
    "men's places",
    &[
        (Weight::sliding(1, 4), Scoring::Count("advance", |p| difference(p, advance))),
        (Weight::sliding(9, 0), Scoring::Count("home row", |p| difference(p, home_row))),
        (Weight::sliding(4, 2), Scoring::Count("centre", |p| difference(p, centre))),
        (Weight::sliding(-3, 0), Scoring::Count("edges", |p| difference(p, edges))),
        (Weight::sliding(3, 1), Scoring::Count("support", |p| difference(p, support))),
        (Weight::sliding(6, 12), Scoring::Count("runaways", |p| difference(p, runaways))),
    ],
);

const KINGS: Scoring<Draughts> = Scoring::Sum(
    "kings' places",
    &[
        (Weight::flat(-35), Scoring::Count("trapped kings", |p| difference(p, trapped_kings))),
        (Weight::sliding(4, 8), Scoring::Count("central kings", |p| difference(p, central_kings))),
        (Weight::flat(20), Scoring::Count("long diagonal", |p| difference(p, long_diagonal))),
    ],
);

/// One side of a position, turned so that its men move towards the high bits.
struct Half {
    men: u64,
    kings: u64,
    /// The pieces of the other side.
    other: u64,
    empty: u64,
    rules: Rules,
}

impl Half {
    fn new(position: &Draughts, side: Side) -> Half {
        let rules = position.rules;
        let colour = rules.colour(side);
        let view = |set| if colour == Colour::Black { set } else { turned(rules, set) };
        let own = position.pieces(colour);
        let occupied = position.own | position.other;
        Half {
            men: view(own & !position.kings),
            kings: view(own & position.kings),
            other: view(position.pieces(!colour)),
            empty: view(all_squares(rules) & !occupied),
            rules,
        }
    }

    /// The two directions in which its men move.
    fn ahead(&self) -> [u32; 2] {
        let [down_left, down_right, ..] = directions(self.rules);
        [down_left, down_right]
    }

    fn row(&self, index: u32) -> u64 {
        row(self.rules.width(), index)
    }

    /// The squares of the middle: four columns by two rows, six by four on the larger board.
    fn middle(&self) -> u64 {
        let inner = |set| !self.edge() & set;
        let last = 2 * self.rules.width() - 1;
        (3..=last - 3).map(|index| inner(self.row(index))).sum()
    }

    /// The outermost columns.
    fn edge(&self) -> u64 {
        let all = all_squares(self.rules);
        let [left, right] = self.ahead().map(|direction| all & !all.rotate_right(direction));
        (left | right) & !self.row(2 * self.rules.width() - 1)
    }
}

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

/// The first side's measure minus the second side's.
fn difference(position: &Draughts, measure: fn(&Half) -> i32) -> i32 {
    measure(&Half::new(position, Side::First)) - measure(&Half::new(position, Side::Second))
}

/// A flying king is worth three men, a short one less than one and a half; in hundredths.
fn king_worth(position: &Draughts) -> i32 {
    if position.rules.flying_kings() { 300 } else { 140 }
}

/// The dearest capture of the side to move, in tenths of men. Captures are forced and most are
/// answered by another, so it weighs less than the pieces themselves.
fn at_stake(position: &Draughts) -> i32 {
    let worth = |captured: u64| {
        let kings = count(captured & position.kings);
        10 * (count(captured) - kings) + kings * king_worth(position) / 10
    };
    let dearest = position.capture_paths().iter().map(|path| worth(path.mv.captured())).max();
    dearest.unwrap_or(0) * position.turn().sign()
}

/// Rows the men have gone.
fn advance(half: &Half) -> i32 {
    (1..2 * half.rules.width()).map(|index| index as i32 * count(half.men & half.row(index))).sum()
}

/// Men that keep the enemy from being crowned.
fn home_row(half: &Half) -> i32 {
    count(half.men & half.row(0))
}

fn centre(half: &Half) -> i32 {
    count(half.men & half.middle())
}

fn edges(half: &Half) -> i32 {
    count(half.men & half.edge())
}

/// Men with a friend or the edge right behind them, so that they cannot be jumped from ahead; each
/// of the two squares behind counts.
fn support(half: &Half) -> i32 {
    let friends = half.men | half.kings;
    half.ahead().iter().map(|&direction| count(friends.rotate_left(direction) & half.men)).sum()
}

/// Rows gone by men that meet no enemy on any way to the crowning row.
fn runaways(half: &Half) -> i32 {
    let rows = 2 * half.rules.width();
    let all = all_squares(half.rules);
    let is_free = |man: u32| {
        let mut reach = 1u64 << man;
        let mut front = reach;
        while front != 0 {
            front = half.ahead().iter().fold(0, |next, &way| next | front.rotate_left(way) & all);
            reach |= front;
        }
        reach & half.other == 0
    };
    let gone = |man: u32| (0..rows).find(|&index| half.row(index) >> man & 1 == 1).unwrap_or(0);
    bits(half.men).filter(|&man| is_free(man)).map(|man| gone(man) as i32).sum()
}

/// Steps to a neighbouring empty square.
fn steps(half: &Half) -> i32 {
    let step = |set: u64, direction: u32| count(set.rotate_left(direction) & half.empty);
    let men: i32 = half.ahead().iter().map(|&direction| step(half.men, direction)).sum();
    let kings: i32 = directions(half.rules).iter().map(|&way| step(half.kings, way)).sum();
    men + kings
}

/// Kings with no empty square beside them.
fn trapped_kings(half: &Half) -> i32 {
    let free = directions(half.rules)
        .iter()
        .fold(0, |free, &direction| free | half.empty.rotate_right(direction));
    count(half.kings & !free)
}

fn central_kings(half: &Half) -> i32 {
    count(half.kings & half.middle())
}

/// Whether a flying king holds the long diagonal that joins two corners.
fn long_diagonal(half: &Half) -> i32 {
    let holds = half.rules.flying_kings() && half.kings & long_diagonal_squares(half.rules) != 0;
    i32::from(holds)
}

fn long_diagonal_squares(rules: Rules) -> u64 {
    if rules != Rules::International {
        return MAIN_ROAD;
    }
    // From the bottom left corner, square 46, up to square 5: the lowest bit of each odd row and
    // so on, five bits apart.
    (0..10).map(|step| 1u64 << (49 - 5 * step)).sum()
}

/// Pieces gone make a lead worth more: from 100 at the start to 150 on an empty board.
fn emptier(position: &Draughts) -> i32 {
    let all = 2 * position.rules.men() as i32;
    100 + 50 * (all - count(position.own | position.other)) / all
}

/// With flying kings a lone king on the long diagonal holds against three pieces with a king, and
/// elsewhere against two: such a lead is worth a tenth. Short kings hold as one against two only in
/// a double corner, which the rest of the evaluation leaves to search.
fn winnable(position: &Draughts) -> i32 {
    if !position.rules.flying_kings() {
        return 100;
    }
    let lone = |pieces: u64, against: u64| {
        let is_king = pieces.count_ones() == 1 && pieces & position.kings == pieces;
        let road = pieces & long_diagonal_squares(position.rules) != 0;
        let crowned = against & position.kings != 0;
        is_king && crowned && against.count_ones() <= if road { 3 } else { 2 }
    };
    let holds = lone(position.own, position.other) || lone(position.other, position.own);
    if holds { 10 } else { 100 }
}

fn phase(position: &Draughts) -> i32 {
    let all = 2 * position.rules.men() as i32;
    (all - count(position.own | position.other)) * PHASES / all
}

impl Judged for Draughts {
    type Hand = Composition<Draughts>;

    fn hand() -> Composition<Draughts> {
        Composition::new(&EVALUATION, phase)
    }

    fn material(&self) -> Option<i32> {
        let men = difference(self, |half| count(half.men));
        let kings = difference(self, |half| count(half.kings));
        Some(100 * men + king_worth(self) * kings)
    }

    /// The board turned by half a circle, with the colours exchanged.
    fn swapped(&self) -> Option<Draughts> {
        let [own, other, kings] =
            [self.own, self.other, self.kings].map(|set| turned(self.rules, set));
        Some(Draughts { own, other, kings, colour: !self.colour, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_cover_what_they_name() {
        for rules in Rules::ALL {
            let half = Half::new(&Draughts::new(rules), Side::First);
            let width = rules.width();
            assert_eq!(half.edge() & !all_squares(rules), 0);
            assert_eq!(count(half.edge()) as u32, 2 * width - 1);
            assert_eq!(long_diagonal_squares(rules).count_ones(), 2 * width);
            assert_eq!(long_diagonal_squares(rules) & !all_squares(rules), 0);
            assert_eq!(turned(rules, half.middle()), half.middle());
        }
    }
}
