//! The 28 board features of Samuel's checkers programs (Samuel 1959 and 1967), as defined in table
//! 4.1 of Duarte 2009, for programs that learn draughts.
//!
//! A feature is a count from the view of one player: its own pieces are black and go down the
//! board, the enemy's are red. [`PlayerView`] rotates the board for the other colour.

use ludus_games::draughts::{
    Colour, Draughts, Rules,
    board::{BoardGeometry, Eight, rotated},
};

/// A board as one of its players sees it, with its own pieces at the top.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    own: u64,
    enemy: u64,
    kings: u64,
}

/// A feature of the board.
#[derive(Copy, Clone, Debug)]
pub struct Feature {
    /// Name in the literature.
    pub name: &'static str,
    /// Bits of its count as network input. Greater counts saturate (the source does not say).
    pub bits: u32,
    /// Function that counts it; never negative.
    pub count: fn(&PlayerView) -> i32,
}

const fn feature(name: &'static str, bits: u32, count: fn(&PlayerView) -> i32) -> Feature {
    Feature { name, bits, count }
}

/// All features: first the twelve of NeuroDraughts and VisionDraughts, then the two that IIGA adds.
/// The source leaves the bits of the other fourteen open; ours hold all but extreme counts.
pub const FEATURES: [Feature; 28] = [
    feature("PieceAdvantage", 4, PlayerView::piece_advantage),
    feature("PieceDisadvantage", 4, PlayerView::piece_disadvantage),
    feature("PieceThreat", 3, PlayerView::piece_threat),
    feature("PieceTake", 3, PlayerView::piece_take),
    feature("Advancement", 3, PlayerView::advancement),
    feature("DoubleDiagonal", 4, PlayerView::double_diagonal),
    feature("BackRowBridge", 1, PlayerView::back_row_bridge),
    feature("CentreControl", 3, PlayerView::centre_control),
    feature("XCentreControl", 3, PlayerView::x_centre_control),
    feature("TotalMobility", 4, PlayerView::total_mobility),
    feature("Exposure", 3, PlayerView::exposure),
    feature("KingCentreControl", 3, PlayerView::king_centre_control),
    feature("Threat", 3, PlayerView::threat),
    feature("DiagonalMoment", 4, PlayerView::diagonal_moment),
    feature("Taken", 3, PlayerView::taken),
    feature("Pole", 4, PlayerView::pole),
    feature("Node", 4, PlayerView::node),
    feature("TriangleOfOreo", 1, PlayerView::triangle_of_oreo),
    feature("UndeniedMobility", 4, PlayerView::undenied_mobility),
    feature("Hole", 4, PlayerView::hole),
    feature("BackRowControl", 1, PlayerView::back_row_control),
    feature("Gap", 4, PlayerView::gap),
    feature("Exchange", 3, PlayerView::exchange),
    feature("Apex", 1, PlayerView::apex),
    feature("Cramp", 1, PlayerView::cramp),
    feature("Dyke", 3, PlayerView::dyke),
    feature("DenialOfOccupancy", 3, PlayerView::denial_of_occupancy),
    feature("Fork", 3, PlayerView::fork),
];

/// Number of [`FEATURES`] that NeuroDraughts and VisionDraughts use.
pub const NEURODRAUGHTS_FEATURES: usize = 12;
/// Number of [`FEATURES`] that IIGA and MP-Draughts use.
pub const IIGA_FEATURES: usize = 14;

/// The squares with these numbers, 1 to 32.
const fn squares<const N: usize>(numbers: [u32; N]) -> u64 {
    let mut set = 0;
    let mut index = 0;
    while index < N {
        let place = numbers[index] - 1;
        set |= 1 << (place + place / 8);
        index += 1;
    }
    set
}

/// The files that end in the two double corners.
const DOUBLE_DIAGONAL: u64 = squares([1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32]);
/// The ends of these files.
const DOUBLE_CORNERS: u64 = squares([1, 5, 28, 32]);
const CENTRE: u64 = squares([10, 11, 14, 15, 18, 19, 22, 23]);
const FIFTH_AND_SIXTH_ROW: u64 = squares([17, 18, 19, 20, 21, 22, 23, 24]);
const THIRD_AND_FOURTH_ROW: u64 = squares([9, 10, 11, 12, 13, 14, 15, 16]);
const OWN_BRIDGE: u64 = squares([1, 3]);
const ENEMY_BRIDGE: u64 = squares([30, 32]);
const OWN_TRIANGLE: u64 = squares([2, 3, 7]);
const ENEMY_TRIANGLE: u64 = squares([26, 30, 31]);

type Shift = fn(u64) -> u64;

#[inline]
fn down_left(set: u64) -> u64 {
    set << Eight::WIDTH & Eight::SQUARES
}

#[inline]
fn down_right(set: u64) -> u64 {
    set << Eight::LONG_SHIFT & Eight::SQUARES
}

#[inline]
fn up_right(set: u64) -> u64 {
    set >> Eight::WIDTH & Eight::SQUARES
}

#[inline]
fn up_left(set: u64) -> u64 {
    set >> Eight::LONG_SHIFT & Eight::SQUARES
}

/// The four directions, each with its opposite.
const BOTH_WAYS: [(Shift, Shift); 4] =
    [(down_left, up_right), (down_right, up_left), (up_right, down_left), (up_left, down_right)];

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

fn contains(set: u64, squares: u64) -> bool {
    set & squares == squares
}

/// Squares at least three of whose four neighbours are in `set`.
fn beside_three(set: u64) -> u64 {
    let [a, b, c, d] = BOTH_WAYS.map(|(shift, _)| shift(set));
    (a & b & (c | d)) | (c & d & (a | b))
}

/// The pieces of one side by the direction they may move in: down the board or up.
#[derive(Copy, Clone)]
struct MovablePieces {
    down: u64,
    up: u64,
}

impl MovablePieces {
    /// Empty squares they can step to.
    #[inline]
    fn targets(self, empty: u64) -> u64 {
        let down = down_left(self.down) | down_right(self.down);
        let up = up_left(self.up) | up_right(self.up);
        (down | up) & empty
    }

    /// The `victims` they jump over to an empty square.
    #[inline]
    fn jumped(self, victims: u64, empty: u64) -> u64 {
        let down = down_left(self.down) & up_right(empty) | down_right(self.down) & up_left(empty);
        let up = up_left(self.up) & down_right(empty) | up_right(self.up) & down_left(empty);
        (down | up) & victims
    }

    /// Target squares of steps after which a piece threatens to jump over one of `victims`. A jump
    /// never ends on the square that the step has left.
    #[inline]
    fn threatening(self, victims: u64, empty: u64) -> u64 {
        let down = up_right(victims & up_right(empty)) | up_left(victims & up_left(empty));
        let up = down_right(victims & down_right(empty)) | down_left(victims & down_left(empty));
        let stepping = |down, up| MovablePieces { down, up }.targets(empty);
        let both = self.down & self.up;
        // Men jump in the direction they move in, kings in both.
        stepping(self.down, 0) & down
            | stepping(0, self.up) & up
            | stepping(both, both) & (down | up)
    }
}

/// Calls `each` with the start and the target of every step of `pieces`, one bit each.
fn each_step(pieces: MovablePieces, empty: u64, mut each: impl FnMut(u64, u64)) {
    let [down, up] = [pieces.down, pieces.up];
    let pieces = [down, down, up, up];
    for ((shift, back), pieces) in BOTH_WAYS.into_iter().zip(pieces) {
        let mut targets = shift(pieces) & empty;
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            targets ^= to;
            each(back(to), to);
        }
    }
}

impl PlayerView {
    /// The board as the player of `colour` sees it.
    ///
    /// # Panics
    /// If the board is not one of English draughts.
    pub fn of(position: &Draughts, colour: Colour) -> PlayerView {
        assert_eq!(position.rules(), Rules::English, "the features are of English draughts");
        let (own, enemy) = (position.pieces(colour), position.pieces(!colour));
        let oriented = |set| match colour {
            Colour::Black => set,
            Colour::White => rotated(Rules::English, set),
        };
        PlayerView { own: oriented(own), enemy: oriented(enemy), kings: oriented(position.kings()) }
    }

    #[inline]
    fn empty(&self) -> u64 {
        Eight::SQUARES & !(self.own | self.enemy)
    }

    fn own_kings(&self) -> u64 {
        self.own & self.kings
    }

    fn enemy_kings(&self) -> u64 {
        self.enemy & self.kings
    }

    fn own_movers(&self) -> MovablePieces {
        MovablePieces { down: self.own, up: self.own_kings() }
    }

    fn enemy_movers(&self) -> MovablePieces {
        MovablePieces { down: self.enemy_kings(), up: self.enemy }
    }

    /// Squares the enemy can step to.
    #[inline]
    fn enemy_targets(&self) -> u64 {
        self.enemy_movers().targets(self.empty())
    }

    /// Own pieces the enemy could take if it were to move.
    #[inline]
    fn own_under_threat(&self) -> u64 {
        self.enemy_movers().jumped(self.own, self.empty())
    }

    /// Targets of own steps after which `contains` is true of the board and the target.
    fn own_targets_where(&self, contains: impl Fn(&PlayerView, u64) -> bool) -> u64 {
        let mut found = 0;
        each_step(self.own_movers(), self.empty(), |from, to| {
            let kings = if self.kings & from == 0 { self.kings } else { self.kings ^ from ^ to };
            let after = PlayerView { own: self.own ^ from ^ to, enemy: self.enemy, kings };
            if contains(&after, to) {
                found |= to;
            }
        });
        found
    }

    /// Surplus of own pieces over enemy pieces.
    pub fn piece_advantage(&self) -> i32 {
        (count(self.own) - count(self.enemy)).max(0)
    }

    /// Surplus of enemy pieces over own pieces.
    pub fn piece_disadvantage(&self) -> i32 {
        (count(self.enemy) - count(self.own)).max(0)
    }

    /// Own pieces under threat.
    pub fn piece_threat(&self) -> i32 {
        count(self.own_under_threat())
    }

    /// Enemy pieces under threat.
    pub fn piece_take(&self) -> i32 {
        count(self.own_movers().jumped(self.enemy, self.empty()))
    }

    /// Own pieces on the fifth and sixth row minus those on the third and fourth; a negative
    /// difference counts as 0, because the inputs are unsigned.
    pub fn advancement(&self) -> i32 {
        let difference =
            count(self.own & FIFTH_AND_SIXTH_ROW) - count(self.own & THIRD_AND_FOURTH_ROW);
        difference.max(0)
    }

    /// Own pieces on the files that end in the double corners.
    pub fn double_diagonal(&self) -> i32 {
        count(self.own & DOUBLE_DIAGONAL)
    }

    /// Whether own pieces hold squares 1 and 3 and the enemy has no king.
    pub fn back_row_bridge(&self) -> i32 {
        i32::from(contains(self.own, OWN_BRIDGE) && self.enemy_kings() == 0)
    }

    /// Own pieces on the eight squares in the middle.
    pub fn centre_control(&self) -> i32 {
        count(self.own & CENTRE)
    }

    /// Squares in the middle where enemy pieces stand or can step to.
    pub fn x_centre_control(&self) -> i32 {
        count((self.enemy | self.enemy_targets()) & CENTRE)
    }

    /// Empty squares the enemy can step to.
    pub fn total_mobility(&self) -> i32 {
        count(self.enemy_targets())
    }

    /// Own pieces between two empty squares of a diagonal.
    pub fn exposure(&self) -> i32 {
        let empty = self.empty();
        let one = down_left(empty) & up_right(empty);
        let other = down_right(empty) & up_left(empty);
        count(self.own & (one | other))
    }

    /// Own kings in the middle.
    pub fn king_centre_control(&self) -> i32 {
        count(self.own_kings() & CENTRE)
    }

    /// Squares an own piece can step to so that it threatens an enemy piece.
    pub fn threat(&self) -> i32 {
        count(self.own_movers().threatening(self.enemy, self.empty()))
    }

    /// Enemy pieces one or two steps beside the files that end in the double corners, and those on
    /// the ends of these files. (Samuel weighed pieces by their distance from the files; the source
    /// counts them.)
    pub fn diagonal_moment(&self) -> i32 {
        let beside = |set: u64| BOTH_WAYS.iter().fold(set, |near, (shift, _)| near | shift(set));
        let near = beside(beside(DOUBLE_DIAGONAL)) & !DOUBLE_DIAGONAL;
        count(self.enemy & (near | DOUBLE_CORNERS))
    }

    /// Squares an enemy piece can step to so that it threatens an own piece.
    pub fn taken(&self) -> i32 {
        count(self.enemy_movers().threatening(self.own, self.empty()))
    }

    /// Own men without a neighbour.
    pub fn pole(&self) -> i32 {
        let occupied = self.own | self.enemy;
        let beside = BOTH_WAYS.iter().fold(0, |near, (shift, _)| near | shift(occupied));
        count(self.own & !self.kings & !beside)
    }

    /// Enemy pieces with at least three empty squares beside them.
    pub fn node(&self) -> i32 {
        count(self.enemy & beside_three(self.empty()))
    }

    /// Whether one side holds its triangle of Oreo (2, 3, 7 or 26, 30, 31) and the other has no
    /// king.
    pub fn triangle_of_oreo(&self) -> i32 {
        let own = self.enemy_kings() == 0 && contains(self.own, OWN_TRIANGLE);
        let enemy = self.own_kings() == 0 && contains(self.enemy, ENEMY_TRIANGLE);
        i32::from(own || enemy)
    }

    /// [`total_mobility`](PlayerView::total_mobility) minus
    /// [`denial_of_occupancy`](PlayerView::denial_of_occupancy), or 0 if that is negative.
    pub fn undenied_mobility(&self) -> i32 {
        (self.total_mobility() - self.denial_of_occupancy()).max(0)
    }

    /// Empty squares with at least three pieces beside them.
    pub fn hole(&self) -> i32 {
        count(self.empty() & beside_three(self.own | self.enemy))
    }

    /// Whether the player has no king and the enemy holds its bridge (30, 32) or its triangle of
    /// Oreo.
    pub fn back_row_control(&self) -> i32 {
        let held = contains(self.enemy, ENEMY_BRIDGE) || contains(self.enemy, ENEMY_TRIANGLE);
        i32::from(self.own_kings() == 0 && held)
    }

    /// Empty squares between two enemy pieces of a diagonal, or between an enemy piece and the
    /// edge.
    pub fn gap(&self) -> i32 {
        let mut gaps = 0;
        for (shift, back) in BOTH_WAYS {
            // Squares whose neighbour over there is an enemy, or that have none.
            let bounded = back(self.enemy) | Eight::SQUARES & !back(Eight::SQUARES);
            gaps |= shift(self.enemy) & bounded;
        }
        count(gaps & self.empty())
    }

    /// Squares an own piece can step to so that the enemy has to capture.
    pub fn exchange(&self) -> i32 {
        count(self.own_targets_where(|after, _| after.own_under_threat() != 0))
    }

    /// Whether there are no kings, an own man stands on 7 or 26 and no enemy on either. (Samuel's
    /// three conditions together; the source joins them by an "or" that every opening would meet.)
    pub fn apex(&self) -> i32 {
        const PLACES: u64 = squares([7, 26]);
        i32::from(self.kings == 0 && self.own & PLACES != 0 && self.enemy & PLACES == 0)
    }

    /// Whether own pieces on 13 and on 9 or 14 cramp enemy pieces on 17, 21, 22 and 25.
    pub fn cramp(&self) -> i32 {
        const CRAMPING: u64 = squares([13]);
        const HELPING: u64 = squares([9, 14]);
        const CRAMPED: u64 = squares([17, 21, 22, 25]);
        let cramps = contains(self.own, CRAMPING) && self.own & HELPING != 0;
        i32::from(cramps && contains(self.enemy, CRAMPED))
    }

    /// Strings of three enemy pieces along a diagonal.
    pub fn dyke(&self) -> i32 {
        let strings = |shift: Shift| count(self.enemy & shift(self.enemy & shift(self.enemy)));
        strings(down_left) + strings(down_right)
    }

    /// Squares an own piece can step to only to be captured there.
    pub fn denial_of_occupancy(&self) -> i32 {
        count(self.own_targets_where(|after, to| after.own_under_threat() & to != 0))
    }

    /// Empty squares from which an own man, stepping there, would attack two enemy pieces at once,
    /// with room behind both.
    pub fn fork(&self) -> i32 {
        let empty = self.empty();
        let attacks = |shift: Shift, back: Shift| back(self.enemy & back(empty) & shift(empty));
        let forks = attacks(down_left, up_right) & attacks(down_right, up_left);
        let reached = down_left(self.own) | down_right(self.own);
        count(forks & reached & empty)
    }
}

/// All of [`FEATURES`] as plain numbers.
pub fn counts(view: &PlayerView) -> [i32; FEATURES.len()] {
    FEATURES.map(|feature| (feature.count)(view))
}

/// Features of a board as the inputs of a network: every count in binary, lowest bit first
/// (NET-FEATUREMAP).
#[derive(Clone, Debug)]
pub struct FeatureMap {
    features: Vec<Feature>,
}

impl FeatureMap {
    /// A map of the features at these indices of [`FEATURES`].
    pub fn new(places: &[usize]) -> FeatureMap {
        FeatureMap { features: places.iter().map(|&place| FEATURES[place]).collect() }
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.features.iter().map(|feature| feature.bits as usize).sum()
    }

    /// The active inputs, one bit each: a network has fewer than 128.
    #[inline]
    pub fn bits(&self, view: &PlayerView) -> u128 {
        let (mut bits, mut place) = (0, 0);
        for feature in &self.features {
            let max_count = (1 << feature.bits) - 1;
            bits |= u128::from((feature.count)(view).min(max_count) as u32) << place;
            place += feature.bits;
        }
        bits
    }
}

#[cfg(test)]
mod tests;
