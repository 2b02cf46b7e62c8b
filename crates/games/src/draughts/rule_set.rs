//! The rule sets as one table: every difference between them is a field.
//!
//! Sources: boards, numbering and first movers as in PDN 3.0; captures as in the rules of the
//! federations, proved by perft counts. Draw rules as in the federations' rules for English,
//! Brazilian, Russian and international draughts and for three kings against one in pool; from
//! general knowledge, not checked against a federation's text: the 40 moves of Italian draughts,
//! both limits of Spanish draughts, and the limits of moves of kings in Czech draughts and pool.

use super::rules::{Colour, Rules};

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
    /// Which captures are legal if there are several, the first preference deciding before the
    /// second. Without preferences the choice is free.
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
    /// The rule set with evaluation weights that is most like this one; itself, if it has some.
    pub evaluation: Rules,
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

/// Balances of few pieces that must be won within some moves; `draw_rules` has the numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Balances {
    /// None.
    None,
    /// Those of Brazilian draughts.
    Brazilian,
    /// Those of Russian draughts.
    Russian,
    /// Those of international draughts.
    International,
    /// Three kings against a lone king, within so many plies.
    ThreeKings(u8),
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
        evaluation: Rules::English,
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
        draws: DrawRules { quiet_plies: 40, balances: Balances::Brazilian },
        squares: LETTERS,
        capture_sign: 'x',
        game_type: 26,
        hub_variant: "brazilian",
        evaluation: Rules::Brazilian,
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
        draws: DrawRules { quiet_plies: 30, balances: Balances::Russian },
        squares: LETTERS,
        capture_sign: ':',
        game_type: 25,
        hub_variant: "russian",
        evaluation: Rules::Russian,
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
        draws: DrawRules { quiet_plies: 50, balances: Balances::International },
        squares: NUMBERS,
        capture_sign: 'x',
        game_type: 20,
        hub_variant: "normal",
        evaluation: Rules::International,
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
        evaluation: Rules::English,
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
        evaluation: Rules::Brazilian,
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
        evaluation: Rules::Russian,
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
        evaluation: Rules::Russian,
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
