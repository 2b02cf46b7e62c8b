//! The 28 features of a board that Samuel's checkers programs looked at (Samuel 1959 and 1967), as
//! table 4.1 of Duarte 2009 tells them, for draughts learners.
//!
//! A feature is a count, seen by one player: its own pieces are black and go down the board, the
//! enemy's are red. [`View`] turns the board for the player of the other colour.

use super::{
    board::{Board, Eight, turned},
    position::Draughts,
    rules::{Colour, Rules},
};

/// A board as one of its players sees it, with its own pieces at the top.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct View {
    own: u64,
    enemy: u64,
    kings: u64,
}

/// A feature of the board.
#[derive(Copy, Clone, Debug)]
pub struct Feature {
    /// Its name in the literature.
    pub name: &'static str,
    /// Bits its count is written with for a network. A greater count is written as the greatest
    /// possible one (the source is silent).
    pub bits: u32,
    /// Its count, never negative.
    pub count: fn(&View) -> i32,
}

const fn feature(name: &'static str, bits: u32, count: fn(&View) -> i32) -> Feature {
    Feature { name, bits, count }
}

/// All of them: first the twelve of NeuroDraughts and VisionDraughts, then the two that IIGA adds. The
/// bits of the other fourteen, which the source leaves open, hold all but freak counts.
pub const FEATURES: [Feature; 28] = [
    feature("PieceAdvantage", 4, View::piece_advantage),
    feature("PieceDisadvantage", 4, View::piece_disadvantage),
    feature("PieceThreat", 3, View::piece_threat),
    feature("PieceTake", 3, View::piece_take),
    feature("Advancement", 3, View::advancement),
    feature("DoubleDiagonal", 4, View::double_diagonal),
    feature("BackRowBridge", 1, View::back_row_bridge),
    feature("CentreControl", 3, View::centre_control),
    feature("XCentreControl", 3, View::x_centre_control),
    feature("TotalMobility", 4, View::total_mobility),
    feature("Exposure", 3, View::exposure),
    feature("KingCentreControl", 3, View::king_centre_control),
    feature("Threat", 3, View::threat),
    feature("DiagonalMoment", 4, View::diagonal_moment),
    feature("Taken", 3, View::taken),
    feature("Pole", 4, View::pole),
    feature("Node", 4, View::node),
    feature("TriangleOfOreo", 1, View::triangle_of_oreo),
    feature("UndeniedMobility", 4, View::undenied_mobility),
    feature("Hole", 4, View::hole),
    feature("BackRowControl", 1, View::back_row_control),
    feature("Gap", 4, View::gap),
    feature("Exchange", 3, View::exchange),
    feature("Apex", 1, View::apex),
    feature("Cramp", 1, View::cramp),
    feature("Dyke", 3, View::dyke),
    feature("DenialOfOccupancy", 3, View::denial_of_occupancy),
    feature("Fork", 3, View::fork),
];

/// How many of [`FEATURES`] NeuroDraughts and VisionDraughts use.
pub const TWELVE: usize = 12;
/// How many IIGA and MP-Draughts use.
pub const FOURTEEN: usize = 14;

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
/// Their last squares.
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
    set << Eight::WIDE & Eight::SQUARES
}

#[inline]
fn up_right(set: u64) -> u64 {
    set >> Eight::WIDTH & Eight::SQUARES
}

#[inline]
fn up_left(set: u64) -> u64 {
    set >> Eight::WIDE & Eight::SQUARES
}

/// Each with the direction back.
const BOTH_WAYS: [(Shift, Shift); 4] =
    [(down_left, up_right), (down_right, up_left), (up_right, down_left), (up_left, down_right)];

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

fn holds(set: u64, squares: u64) -> bool {
    set & squares == squares
}

/// Squares at least three of whose four neighbours are in `set`.
fn beside_three(set: u64) -> u64 {
    let [a, b, c, d] = BOTH_WAYS.map(|(shift, _)| shift(set));
    (a & b & (c | d)) | (c & d & (a | b))
}

/// The pieces of one side by where they may go: down the board or up.
#[derive(Copy, Clone)]
struct Movers {
    down: u64,
    up: u64,
}

impl Movers {
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

    /// Squares they can step to from where they would jump over one of `victims`. Nothing that a
    /// step leaves is where such a jump ends.
    #[inline]
    fn threatening(self, victims: u64, empty: u64) -> u64 {
        let down = up_right(victims & up_right(empty)) | up_left(victims & up_left(empty));
        let up = down_right(victims & down_right(empty)) | down_left(victims & down_left(empty));
        let stepping = |down, up| Movers { down, up }.targets(empty);
        let both = self.down & self.up;
        // Men jump on the way they go, kings both ways.
        stepping(self.down, 0) & down
            | stepping(0, self.up) & up
            | stepping(both, both) & (down | up)
    }
}

/// Calls `each` with the steps of `movers`: from where to where, one bit each.
fn each_step(movers: Movers, empty: u64, mut each: impl FnMut(u64, u64)) {
    let [down, up] = [movers.down, movers.up];
    let movers = [down, down, up, up];
    for ((shift, back), pieces) in BOTH_WAYS.into_iter().zip(movers) {
        let mut targets = shift(pieces) & empty;
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            targets ^= to;
            each(back(to), to);
        }
    }
}

impl View {
    /// What the player of `colour` sees.
    ///
    /// # Panics
    /// If the board is not one of English draughts.
    pub fn of(position: &Draughts, colour: Colour) -> View {
        assert_eq!(position.rules, Rules::English, "the features are of English draughts");
        let (own, enemy) = (position.pieces(colour), position.pieces(!colour));
        let facing = |set| match colour {
            Colour::Black => set,
            Colour::White => turned(Rules::English, set),
        };
        View { own: facing(own), enemy: facing(enemy), kings: facing(position.kings) }
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

    fn own_movers(&self) -> Movers {
        Movers { down: self.own, up: self.own_kings() }
    }

    fn enemy_movers(&self) -> Movers {
        Movers { down: self.enemy_kings(), up: self.enemy }
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

    /// Targets of own steps after which `holds` is true of the board and the target.
    fn own_targets_where(&self, holds: impl Fn(&View, u64) -> bool) -> u64 {
        let mut found = 0;
        each_step(self.own_movers(), self.empty(), |from, to| {
            let kings = if self.kings & from == 0 { self.kings } else { self.kings ^ from ^ to };
            let after = View { own: self.own ^ from ^ to, enemy: self.enemy, kings };
            if holds(&after, to) {
                found |= to;
            }
        });
        found
    }

    /// Pieces more than the enemy has.
    pub fn piece_advantage(&self) -> i32 {
        (count(self.own) - count(self.enemy)).max(0)
    }

    /// Pieces fewer than the enemy has.
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
    /// difference counts as none, for a network reads bits.
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
        i32::from(holds(self.own, OWN_BRIDGE) && self.enemy_kings() == 0)
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

    /// Own men with nothing beside them.
    pub fn pole(&self) -> i32 {
        let occupied = self.own | self.enemy;
        let beside = BOTH_WAYS.iter().fold(0, |near, (shift, _)| near | shift(occupied));
        count(self.own & !self.kings & !beside)
    }

    /// Enemy pieces with at least three empty squares beside them.
    pub fn node(&self) -> i32 {
        count(self.enemy & beside_three(self.empty()))
    }

    /// Whether one side holds its triangle of Oreo (2, 3, 7 or 26, 30, 31) and the other has no king.
    pub fn triangle_of_oreo(&self) -> i32 {
        let own = self.enemy_kings() == 0 && holds(self.own, OWN_TRIANGLE);
        let enemy = self.own_kings() == 0 && holds(self.enemy, ENEMY_TRIANGLE);
        i32::from(own || enemy)
    }

    /// [`total_mobility`](View::total_mobility) minus
    /// [`denial_of_occupancy`](View::denial_of_occupancy), or nothing if that is negative.
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
        let held = holds(self.enemy, ENEMY_BRIDGE) || holds(self.enemy, ENEMY_TRIANGLE);
        i32::from(self.own_kings() == 0 && held)
    }

    /// Empty squares between two enemy pieces of a diagonal, or between an enemy piece and the edge.
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

    /// Whether nobody has a king, an own man stands on 7 or 26 and no enemy on either. (Samuel's
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
        let cramps = holds(self.own, CRAMPING) && self.own & HELPING != 0;
        i32::from(cramps && holds(self.enemy, CRAMPED))
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
pub fn counts(view: &View) -> [i32; FEATURES.len()] {
    FEATURES.map(|feature| (feature.count)(view))
}

/// Features of a board as the inputs of a network: every count in binary, lowest bit first
/// (NET-FEATUREMAP).
#[derive(Clone, Debug)]
pub struct FeatureMap {
    features: Vec<Feature>,
}

impl FeatureMap {
    /// The features with these places in [`FEATURES`].
    pub fn new(places: &[usize]) -> FeatureMap {
        FeatureMap { features: places.iter().map(|&place| FEATURES[place]).collect() }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.features.iter().map(|feature| feature.bits as usize).sum()
    }

    /// The inputs that are on, one bit each: a network has fewer than 128.
    #[inline]
    pub fn bits(&self, view: &View) -> u128 {
        let (mut bits, mut place) = (0, 0);
        for feature in &self.features {
            let most = (1 << feature.bits) - 1;
            bits |= u128::from((feature.count)(view).min(most) as u32) << place;
            place += feature.bits;
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Position, Random};

    /// What Black sees of a board given by its pieces.
    fn board(pieces: &str) -> View {
        let options = Options::parse("draughts", Draughts::OPTIONS).unwrap();
        let position = Draughts::parse(&options, &format!("B:{pieces}")).unwrap();
        View::of(&position, Colour::Black)
    }

    #[test]
    fn pieces_more_and_fewer() {
        let ahead = board("B1,2,3,K20:W32");
        assert_eq!((ahead.piece_advantage(), ahead.piece_disadvantage()), (3, 0));
        let behind = board("B1:W30,31,K32");
        assert_eq!((behind.piece_advantage(), behind.piece_disadvantage()), (0, 2));
    }

    #[test]
    fn pieces_under_threat() {
        // 18 can take 15 (to 11); 14 is guarded by 9 and 10. Black can take 18 by 15x22 and 14x23.
        let view = board("B9,10,14,15:W18,26");
        assert_eq!((view.piece_threat(), view.piece_take()), (1, 1));
        // A man does not take backwards, a king does.
        assert_eq!(board("B18:W14").piece_threat(), 0);
        assert_eq!(board("B18:WK14").piece_threat(), 1);
        assert_eq!(board("BK18:W14").piece_take(), 1);
    }

    #[test]
    fn rows_gained() {
        assert_eq!(board("B17,20,24,9:W32").advancement(), 2);
        assert_eq!(board("B9,13,17:W32").advancement(), 0);
    }

    #[test]
    fn places() {
        let view = board("B1,3,5,10,14,K15,K27:W12,21");
        assert_eq!(view.double_diagonal(), 6);
        assert_eq!((view.centre_control(), view.king_centre_control()), (3, 1));
        assert_eq!(view.back_row_bridge(), 1);
        assert_eq!(board("B1,3:WK32").back_row_bridge(), 0);
    }

    #[test]
    fn what_the_enemy_reaches() {
        // 22 stands in the middle and goes to 17 and 18, 27 to 23 and 24.
        let view = board("B1:W22,27");
        assert_eq!((view.x_centre_control(), view.total_mobility()), (3, 4));
        assert_eq!(board("B1:WK18").total_mobility(), 4);
    }

    #[test]
    fn exposed_pieces() {
        // 15 stands between 10 and 19, and between 11 and 18; 2 is on the edge; 22 is shut in.
        assert_eq!(board("B2,15:W32").exposure(), 1);
        assert_eq!(board("B22,17,18:W25,26").exposure(), 2);
    }

    #[test]
    fn steps_that_threaten() {
        // 10-15 attacks 19 (24 behind it is empty), 10-14 nothing.
        assert_eq!(board("B10:W19").threat(), 1);
        assert_eq!(board("B10:W19,24").threat(), 0);
        // 23-19 or 23-18 attacks 15 or 14.
        assert_eq!(board("B14,15:W23").taken(), 2);
    }

    #[test]
    fn diagonal_moments() {
        // 32 ends a file, 2 and 13 are beside one; 18 is inside one, 29 three steps off.
        assert_eq!(board("B12:WK2,13,18,29,32").diagonal_moment(), 3);
    }

    #[test]
    fn lonely_pieces() {
        assert_eq!(board("B1,10,11,15,K20:W30").pole(), 1);
        assert_eq!(board("B10:W18,22,29").node(), 2);
    }

    #[test]
    fn back_rows() {
        assert_eq!(board("B2,3,7:W32").triangle_of_oreo(), 1);
        assert_eq!(board("B2,3,7:WK32").triangle_of_oreo(), 0);
        assert_eq!(board("B12:W26,30,31").triangle_of_oreo(), 1);
        assert_eq!(board("B12:W30,32").back_row_control(), 1);
        assert_eq!(board("BK12:W30,32").back_row_control(), 0);
    }

    #[test]
    fn empty_squares() {
        // 14 has 9, 10 and 18 beside it.
        assert_eq!(board("B9,10:W18,32").hole(), 1);
        // 18 lies between 14 and 23.
        let between = board("B1:W14,23").gap();
        let apart = board("B1:W14,K4").gap();
        assert!(between > apart && apart >= 0, "{between} {apart}");
    }

    #[test]
    fn offers() {
        // 11-15 and 11-16 can be taken by 19 and 20; so can nothing else.
        let view = board("B11:W19,20");
        assert_eq!((view.exchange(), view.denial_of_occupancy()), (2, 2));
        assert_eq!(view.undenied_mobility(), (view.total_mobility() - 2).max(0));
        assert_eq!(board("B1:W32").exchange(), 0);
    }

    #[test]
    fn apex_and_cramp() {
        assert_eq!(board("B7,12:W32").apex(), 1);
        assert_eq!(board("B7,12:W26").apex(), 0);
        assert_eq!(board("B7,K12:W32").apex(), 0);
        assert_eq!(board("B9,13:W17,21,22,25").cramp(), 1);
        assert_eq!(board("B9,13:W17,21,22").cramp(), 0);
        assert_eq!(board("B13:W17,21,22,25").cramp(), 0);
    }

    #[test]
    fn strings_and_forks() {
        assert_eq!(board("B1:W14,18,23").dyke(), 1);
        assert_eq!(board("B1:W14,18,23,27").dyke(), 2);
        // 7-10 attacks 14 (to 17) and 15 (to 19).
        assert_eq!(board("B7:W14,15").fork(), 1);
        assert_eq!(board("B7:W14,15,19").fork(), 0);
    }

    #[test]
    fn both_players_see_the_same_of_a_turned_board() {
        let mut random = Random::new(6);
        for _ in 0..40 {
            let mut position = Draughts::new(Rules::English);
            for _ in 0..80 {
                let turned_round = Draughts::with(
                    Rules::English,
                    !position.colour,
                    [Colour::Black, Colour::White]
                        .map(|colour| turned(Rules::English, position.pieces(!colour))),
                    turned(Rules::English, position.kings),
                );
                let [black, white] = [Colour::Black, Colour::White]
                    .map(|colour| (View::of(&position, colour), View::of(&turned_round, !colour)));
                assert_eq!(black.0, black.1);
                assert_eq!(white.0, white.1);
                for feature in FEATURES {
                    let count = (feature.count)(&black.0);
                    assert!((0..=32).contains(&count), "{}: {count}", feature.name);
                }
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
    }

    #[test]
    fn all_counts_stand_in_the_order_of_the_features() {
        let counts = counts(&board("B7,10:W14,15,19"));
        let place = |name| FEATURES.iter().position(|feature| feature.name == name).unwrap();
        assert_eq!(counts[place("PieceDisadvantage")], 1);
        assert_eq!(counts[place("CentreControl")], 1);
    }

    #[test]
    fn inputs_are_the_counts_in_binary() {
        let places: Vec<usize> = (0..FOURTEEN).collect();
        assert_eq!(FeatureMap::new(&places).inputs(), 45);
        assert_eq!(FeatureMap::new(&places[..TWELVE]).inputs(), 38);
        let view = board("B1,2,3,K20:W32");
        let map = FeatureMap::new(&[0, 1, 5]);
        // An advantage of 3, no disadvantage, one piece on the double diagonal.
        assert_eq!(map.bits(&view), 0b0001_0000_0011);
        // 20 pieces more do not fit into four bits.
        let many = View { own: Eight::SQUARES & 0x7FFFFF, enemy: 0, kings: 0 };
        assert_eq!(FeatureMap::new(&[0]).bits(&many), 0b1111);
    }
}
