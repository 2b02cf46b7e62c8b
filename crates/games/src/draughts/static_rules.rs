//! Rule sets as types, for code that is compiled once for each of them.

use super::{
    board::{BoardGeometry, Eight, Ten},
    flying_kings::FlyingKings,
    generator::Generator,
    moves::DraughtsMove,
    rule_set::{CapturePreference, RuleSet, TABLE},
    rules::Rules,
    short_kings::ShortKings,
};
use crate::draughts_rule_sets;

/// A rule set that is known at compile time, so that what it does not need costs nothing.
pub trait StaticRules {
    type Board: BoardGeometry;
    type Generator: Generator;
    const RULES: Rules;
    const SET: RuleSet = {
        let set = TABLE[Self::RULES as usize];
        assert!(set.width == Self::Board::WIDTH, "the board of the table");
        assert!(set.flying_kings == Self::Generator::FLYING_KINGS, "the kings of the table");
        set
    };
    /// Whether some captures are not legal because of others.
    const PREFERS: bool = !Self::SET.capture_preferences.is_empty();
}

macro_rules! static_rules {
    ($(#[$doc:meta] $name:ident: $board:ident $generator:ident,)+) => {
        $(
            #[doc = concat!("The rule set [`Rules::", stringify!($name), "`].")]
            pub struct $name;
            impl StaticRules for $name {
                type Board = $board;
                type Generator = $generator<$name>;
                const RULES: Rules = Rules::$name;
            }
        )+
    };
}

draughts_rule_sets!((static_rules));

/// Evaluates an expression with a type in place of the rule set that `$rules` names.
#[macro_export]
macro_rules! with_static_rules {
    ($rules:expr, $R:ident => $body:expr) => {
        $crate::draughts_rule_sets!(($crate::with_static_rules) @each $rules, $R => $body,)
    };
    (@each $rules:expr, $R:ident => $body:expr,
        $(#[$doc:meta] $name:ident: $board:ident $generator:ident,)+) => {
        match $rules {
            $($crate::draughts::Rules::$name => {
                type $R = $crate::draughts::static_rules::$name;
                $body
            })+
        }
    };
}

/// A complete capture, as far as rules prefer some captures to others.
#[derive(Copy, Clone)]
pub struct RankedCapture {
    pub mv: DraughtsMove,
    /// Number of captured pieces.
    pub pieces: u32,
    /// The kings of both sides before the move.
    pub kings: u64,
    /// One bit for each captured king, the highest for the piece captured first.
    pub kings_in_order: u16,
}

/// The rank of a capture under the preferences of `R`: only captures of the highest rank are legal.
#[inline(always)]
pub fn capture_rank<R: StaticRules>(capture: RankedCapture) -> u64 {
    let RankedCapture { mv, pieces, kings, kings_in_order } = capture;
    let preferences = R::SET.capture_preferences;
    let mut rank = 0;
    let mut index = 0;
    while index < preferences.len() {
        let value = match preferences[index] {
            CapturePreference::MostPieces => pieces as u16,
            CapturePreference::WithKing => (kings >> mv.from() & 1) as u16,
            CapturePreference::MostKings => (mv.captured() & kings).count_ones() as u16,
            CapturePreference::KingsFirst => kings_in_order,
        };
        rank = rank << 16 | u64::from(value);
        index += 1;
    }
    rank
}
