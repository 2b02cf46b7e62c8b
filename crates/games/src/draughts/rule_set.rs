//! The rule sets: a list of their names and, as one table, every difference between them.
//!
//! Sources: boards, numbering and first movers as in PDN 3.0; captures as in the rules of the
//! federations, proved by perft counts. Draw rules as in the federations' rules for English,
//! Brazilian, Russian and international draughts and for three kings against one in pool; from
//! general knowledge, not checked against a federation's text: the 40 moves of Italian draughts,
//! both limits of Spanish draughts, and the limits of moves of kings in Czech draughts and pool.

use super::rules::{Colour, Rules};

/// The list of the rule sets, with their boards and generators, as arguments of another macro after its
/// own: it makes [`Rules`], the types in `static_rules`, and the dispatch to them. The order is that of
/// [`TABLE`] and never changes, because the keys of positions contain the place in it.
#[doc(hidden)]
#[macro_export]
macro_rules! draughts_rule_sets {
    (($($then:tt)+) $($args:tt)*) => {
        $($then)+! {
            $($args)*
            /// 8x8, Black first, short kings, men capture forward only, free choice of capture.
            English: Eight ShortKings,
            /// International rules on 8x8.
            Brazilian: Eight FlyingKings,
            /// 8x8, flying kings, free choice of capture, crowned in passing.
            Russian: Eight FlyingKings,
            /// 10x10, flying kings, the most pieces must be captured.
            International: Ten FlyingKings,
            /// 8x8, short kings, men cannot capture kings, the most and best pieces must be captured.
            Italian: Eight ShortKings,
            /// 8x8, flying kings, men capture forward only, the most and best pieces must be captured.
            Spanish: Eight FlyingKings,
            /// 8x8, flying kings, men capture forward only, kings must capture before men.
            Czech: Eight FlyingKings,
            /// 8x8, Black first, flying kings, free choice of capture.
            Pool: Eight FlyingKings,
        }
    };
}

/// A rule set.
#[derive(Copy, Clone, Debug)]
pub struct RuleSet {
    /// Its place in the table.
    pub rules: Rules,
    /// Name on the command line.
    pub name: &'static str,
    /// Dark squares in a row: half the side of the board.
    pub width: u32,
    /// The colour that moves first.
    pub first: Colour,
    /// Whether kings move along whole diagonals.
    pub flying_kings: bool,
    /// Whether men capture backwards too.
    pub men_capture_backwards: bool,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// Whether a man that touches the crowning row while capturing goes on as a king.
    pub crowned_in_passing: bool,
    /// Preferences that decide between several captures, the first before the second. Without
    /// preferences the choice is free.
    pub capture_preferences: &'static [CapturePreference],
    /// Draw rules besides repetition.
    pub draws: DrawRules,
    /// Names of squares, and the board as it is drawn.
    pub squares: SquareNames,
    /// The sign between the squares of a capture.
    pub capture_sign: char,
    /// Number in the `GameType` tag of PDN.
    pub game_type: u32,
    /// Name of the variant in the Hub protocol.
    pub hub_variant: &'static str,
}

/// A quantity of which a capture must have as much as any other legal capture.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CapturePreference {
    /// Captured pieces.
    MostPieces,
    /// Capturing with a king rather than a man.
    WithKing,
    /// Captured kings.
    MostKings,
    /// Captured kings as early as possible, compared from the first captured piece on.
    KingsFirst,
}

/// Draw rules that depend on the moves played, in plies.
#[derive(Copy, Clone, Debug)]
pub struct DrawRules {
    /// Plies in which only kings moved and nothing was captured.
    pub quiet_plies: u8,
    /// Balances of few pieces that are draws sooner.
    pub balances: Balances,
}

/// Balances of few pieces that are draws after so many plies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Balances {
    /// None.
    None,
    /// One or two kings a side, or one or two kings against a king and a man.
    TwoKings(u8),
    /// Pieces with a king against a lone king.
    LoneKing {
        /// Against it one or two pieces.
        two_pieces: u8,
        /// Against it three pieces.
        three_pieces: u8,
    },
    /// Both sides with kings. A man that is crowned restarts the count.
    BothKings(BothKingsPlies),
    /// Three kings against a lone king.
    ThreeKings(u8),
}

/// Lengths of balances in plies while both sides have kings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BothKingsPlies {
    /// Three pieces against a lone king on the main road.
    pub main_road: u8,
    /// Three or more kings against a lone king.
    pub three_kings: u8,
    /// Two or three pieces in all.
    pub three_pieces: u8,
    /// Four or five pieces in all.
    pub five_pieces: u8,
    /// Six or seven pieces in all.
    pub seven_pieces: u8,
}

impl Balances {
    /// The shortest of the lengths, in plies; `u8::MAX` without any.
    const fn shortest(self) -> u8 {
        const fn least(lengths: &[u8]) -> u8 {
            let mut least = u8::MAX;
            let mut index = 0;
            while index < lengths.len() {
                if lengths[index] < least {
                    least = lengths[index];
                }
                index += 1;
            }
            least
        }
        match self {
            Balances::None => u8::MAX,
            Balances::TwoKings(plies) | Balances::ThreeKings(plies) => plies,
            Balances::LoneKing { two_pieces, three_pieces } => least(&[two_pieces, three_pieces]),
            Balances::BothKings(it) => least(&[
                it.main_road,
                it.three_kings,
                it.three_pieces,
                it.five_pieces,
                it.seven_pieces,
            ]),
        }
    }
}

/// Names of squares and orientation of the board.
#[derive(Copy, Clone, Debug)]
pub struct SquareNames {
    /// Whether squares are written as on a chess board (`c3`) rather than by number.
    pub algebraic: bool,
    /// Whether the board is mirrored: the corner at each player's right hand is dark.
    pub mirrored: bool,
    /// Whether squares are numbered from White's right hand upwards rather than down from the top
    /// left.
    pub from_below: bool,
}

const NUMBERS: SquareNames = SquareNames { algebraic: false, mirrored: false, from_below: false };
const LETTERS: SquareNames = SquareNames { algebraic: true, ..NUMBERS };

use CapturePreference::{KingsFirst, MostKings, MostPieces, WithKing};

/// Every rule set, in the order of [`Rules::ALL`].
pub(super) static RULE_SETS: [RuleSet; Rules::ALL.len()] = TABLE;

pub(super) const TABLE: [RuleSet; Rules::ALL.len()] = [
    RuleSet {
        rules: Rules::English,
        name: "english",
        width: 4,
        first: Colour::Black,
        flying_kings: false,
        men_capture_backwards: false,
        men_capture_kings: true,
        crowned_in_passing: false,
        capture_preferences: &[],
        draws: DrawRules { quiet_plies: 80, balances: Balances::None },
        squares: NUMBERS,
        capture_sign: 'x',
        game_type: 21,
        hub_variant: "english",
    },
    RuleSet {
        rules: Rules::Brazilian,
        name: "brazilian",
        width: 4,
        first: Colour::White,
        flying_kings: true,
        men_capture_backwards: true,
        men_capture_kings: true,
        crowned_in_passing: false,
        capture_preferences: &[MostPieces],
        draws: DrawRules { quiet_plies: 40, balances: Balances::TwoKings(10) },
        squares: LETTERS,
        capture_sign: 'x',
        game_type: 26,
        hub_variant: "brazilian",
    },
    RuleSet {
        rules: Rules::Russian,
        name: "russian",
        width: 4,
        first: Colour::White,
        flying_kings: true,
        men_capture_backwards: true,
        men_capture_kings: true,
        crowned_in_passing: true,
        capture_preferences: &[],
        draws: DrawRules {
            quiet_plies: 30,
            balances: Balances::BothKings(BothKingsPlies {
                main_road: 10,
                three_kings: 30,
                three_pieces: 10,
                five_pieces: 60,
                seven_pieces: 120,
            }),
        },
        squares: LETTERS,
        capture_sign: ':',
        game_type: 25,
        hub_variant: "russian",
    },
    RuleSet {
        rules: Rules::International,
        name: "international",
        width: 5,
        first: Colour::White,
        flying_kings: true,
        men_capture_backwards: true,
        men_capture_kings: true,
        crowned_in_passing: false,
        capture_preferences: &[MostPieces],
        draws: DrawRules {
            quiet_plies: 50,
            balances: Balances::LoneKing { two_pieces: 10, three_pieces: 32 },
        },
        squares: NUMBERS,
        capture_sign: 'x',
        game_type: 20,
        hub_variant: "normal",
    },
    RuleSet {
        rules: Rules::Italian,
        name: "italian",
        width: 4,
        first: Colour::White,
        flying_kings: false,
        men_capture_backwards: false,
        men_capture_kings: false,
        crowned_in_passing: false,
        capture_preferences: &[MostPieces, WithKing, MostKings, KingsFirst],
        draws: DrawRules { quiet_plies: 80, balances: Balances::None },
        squares: SquareNames { mirrored: true, ..NUMBERS },
        capture_sign: 'x',
        game_type: 22,
        hub_variant: "italian",
    },
    RuleSet {
        rules: Rules::Spanish,
        name: "spanish",
        width: 4,
        first: Colour::White,
        flying_kings: true,
        men_capture_backwards: false,
        men_capture_kings: true,
        crowned_in_passing: false,
        capture_preferences: &[MostPieces, MostKings],
        draws: DrawRules { quiet_plies: 40, balances: Balances::ThreeKings(24) },
        squares: SquareNames { mirrored: true, from_below: true, ..NUMBERS },
        capture_sign: 'x',
        game_type: 24,
        hub_variant: "spanish",
    },
    RuleSet {
        rules: Rules::Czech,
        name: "czech",
        width: 4,
        first: Colour::White,
        flying_kings: true,
        men_capture_backwards: false,
        men_capture_kings: true,
        crowned_in_passing: false,
        capture_preferences: &[WithKing],
        draws: DrawRules { quiet_plies: 60, balances: Balances::None },
        squares: LETTERS,
        capture_sign: 'x',
        game_type: 29,
        hub_variant: "czech",
    },
    RuleSet {
        rules: Rules::Pool,
        name: "pool",
        width: 4,
        first: Colour::Black,
        flying_kings: true,
        men_capture_backwards: true,
        men_capture_kings: true,
        crowned_in_passing: false,
        capture_preferences: &[],
        draws: DrawRules { quiet_plies: 80, balances: Balances::ThreeKings(26) },
        squares: NUMBERS,
        capture_sign: 'x',
        game_type: 23,
        hub_variant: "pool",
    },
];

/// The rule sets for which `$test` holds, one bit each. A property that is asked at every node is
/// then one test of a constant rather than a look at the table.
macro_rules! rule_sets_where {
    (|$set:ident| $test:expr) => {{
        let (mut bits, mut index) = (0u32, 0);
        while index < TABLE.len() {
            let $set = &TABLE[index];
            assert!($set.rules as usize == index, "the table is in the order of the enumeration");
            bits |= ($test as u32) << index;
            index += 1;
        }
        bits
    }};
}

pub(super) const FLYING_KINGS: u32 = rule_sets_where!(|set| set.flying_kings);
pub(super) const CROWNED_IN_PASSING: u32 = rule_sets_where!(|set| set.crowned_in_passing);
pub(super) const WHITE_FIRST: u32 = rule_sets_where!(|set| set.first as u8 == Colour::White as u8);
pub(super) const LARGE_BOARD: u32 = rule_sets_where!(|set| set.width == 5);
pub(super) const ONE_WAY_MEN: u32 = rule_sets_where!(|set| {
    set.width == 4
        && !set.flying_kings
        && !set.men_capture_backwards
        && !set.crowned_in_passing
        && matches!(set.draws.balances, Balances::None)
});

/// Length of the shortest balance of any rule set, in plies.
pub(super) const SHORTEST_BALANCE: u8 = {
    let (mut shortest, mut index) = (u8::MAX, 0);
    while index < TABLE.len() {
        let length = TABLE[index].draws.balances.shortest();
        shortest = if length < shortest { length } else { shortest };
        index += 1;
    }
    shortest
};

/// The number of plies of [`DrawRules::quiet_plies`], which is asked for at every node.
pub(super) const QUIET_PLIES: [u8; TABLE.len()] = {
    let mut plies = [0; TABLE.len()];
    let mut index = 0;
    while index < plies.len() {
        plies[index] = TABLE[index].draws.quiet_plies;
        index += 1;
    }
    plies
};

pub(super) const NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};
