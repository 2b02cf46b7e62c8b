//! The evaluation: linear in its weights, which are in `data/hand/draughts.txt`, a block of terms
//! for each rule set.
//!
//! It judges quiet positions. Captures are for search to resolve: of them it knows only whether the
//! side to move has one and what the other side could jump next.

mod layout;
mod masks;
mod patterns;
mod walk;

use super::{
    board::{Ten, turned},
    position::Draughts,
    rules::{Colour, Rules},
};
use ludus_core::{Judged, Linear, LinearlyJudged, Tally, Weights, eval::PHASES, linear::Group};
use masks::Masks;
use std::sync::LazyLock;

impl LinearlyJudged for Draughts {
    const GROUPS: &'static [Group] = &layout::GROUPS;

    #[inline]
    fn tally(&self, tally: &mut impl Tally) {
        match self.rules {
            Rules::English => walk::walk::<walk::English>(self, tally),
            Rules::Brazilian => walk::walk::<walk::Brazilian>(self, tally),
            Rules::Russian => walk::walk::<walk::Russian>(self, tally),
            Rules::International => walk::walk::<walk::International>(self, tally),
        }
    }

    /// By how many pieces are gone.
    #[inline]
    fn phase(&self) -> i32 {
        let pieces = (self.own | self.other).count_ones();
        i32::from(PHASE[usize::from(self.rules == Rules::International)][pieces as usize])
    }

    /// With flying kings a lone king on the long diagonal holds against three pieces with a king,
    /// and elsewhere against two: such a lead is worth a tenth. Short kings hold as one against two
    /// only in a double corner, which is left to search.
    #[inline]
    fn damp(&self, sum: i32) -> i32 {
        let few = (self.own | self.other).count_ones() <= 4;
        if few && self.rules.flying_kings() && lone_king_holds(self) { sum / 10 } else { sum }
    }
}

/// The phase by number of pieces, on the small board and on the large.
const PHASE: [[u16; 65]; 2] = [phases(24), phases(40)];

const fn phases(all: usize) -> [u16; 65] {
    let mut phases = [0; 65];
    let mut pieces = 0;
    while pieces < all {
        phases[pieces] = ((all - pieces) * PHASES as usize / all) as u16;
        pieces += 1;
    }
    phases
}

#[inline(never)]
fn lone_king_holds(position: &Draughts) -> bool {
    let diagonal = match position.rules {
        Rules::International => Ten::LONG_DIAGONAL,
        Rules::English | Rules::Brazilian | Rules::Russian => super::board::MAIN_ROAD,
    };
    let holds = |pieces: u64, against: u64| {
        let is_king = pieces.count_ones() == 1 && pieces & position.kings == pieces;
        let crowned = against & position.kings != 0;
        let enough = if pieces & diagonal != 0 { 3 } else { 2 };
        is_king && crowned && against.count_ones() <= enough
    };
    holds(position.own, position.other) || holds(position.other, position.own)
}

/// What a king is worth in hundredths of a man, at first sight.
#[inline]
pub(super) const fn king_worth(rules: Rules) -> i32 {
    if rules.flying_kings() { 300 } else { 140 }
}

static HAND: LazyLock<Linear<Draughts>> = LazyLock::new(|| {
    let text = include_str!("../../../../../data/hand/draughts.txt");
    let weights = Weights::parse(text, Draughts::GROUPS).expect("a test reads these weights");
    Linear::new(&weights)
});

impl Judged for Draughts {
    type Hand = Linear<Draughts>;

    fn hand() -> Linear<Draughts> {
        HAND.clone()
    }

    fn material(&self) -> Option<i32> {
        let worth = |pieces: u64| {
            let kings = (pieces & self.kings).count_ones() as i32;
            100 * (pieces.count_ones() as i32 - kings) + king_worth(self.rules) * kings
        };
        let [first, second] = match self.rules.first() {
            Colour::Black => [Colour::Black, Colour::White],
            Colour::White => [Colour::White, Colour::Black],
        };
        Some(worth(self.pieces(first)) - worth(self.pieces(second)))
    }

    /// The board turned by half a circle, with the colours exchanged.
    fn swapped(&self) -> Option<Draughts> {
        let [own, other, kings] =
            [self.own, self.other, self.kings].map(|set| turned(self.rules, set));
        Some(Draughts { own, other, kings, colour: !self.colour, ..*self })
    }
}
