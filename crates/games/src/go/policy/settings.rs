//! What a policy does and how often.

use super::habits::Habits;
use std::sync::Arc;

/// The rules of a playout and the chance of each, in percent: 0 switches a rule off, 100 asks it at
/// every move. They are asked in the order of the fields, and the first that has a move plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Take back a ko that was taken a few moves ago.
    pub ko_refight: u8,
    /// Play the vital point of a small region beside the last move.
    pub nakade: u8,
    /// Capture the chain of the last move.
    pub capture: u8,
    /// Save chains the last move put in atari.
    pub defence: u8,
    /// Whether a chain that would be caught in a ladder all the same is left alone.
    pub ladders: bool,
    /// Play on liberties of chains with two of them, beside the last move.
    pub low_liberty: u8,
    /// Play 3x3 patterns around the last move and the one before.
    pub patterns: u8,
    /// Learned weights in the place of drawn patterns, and for random moves.
    pub habits: Option<Arc<Habits>>,
    /// Capture anything anywhere.
    pub global_capture: u8,
    /// Instead of a random move that puts an own chain in atari, play on the chain's other liberty.
    pub correction: u8,
    /// Instead of a lone stone with one liberty, play on that liberty if it has more.
    pub shift: u8,
    /// Reject a random move that puts own stones in atari for nothing.
    pub rejection: u8,
    /// Whether points of a seki are left alone.
    pub seki: bool,
    /// Stop when one side has so many stones more than the other, in percent of the board; 0 plays
    /// every game to its end.
    pub mercy: u8,
}

impl Policy {
    /// Nothing but random moves that fill no own eye.
    pub fn light() -> Policy {
        Policy {
            ko_refight: 0,
            nakade: 0,
            capture: 0,
            defence: 0,
            ladders: false,
            low_liberty: 0,
            patterns: 0,
            habits: None,
            global_capture: 0,
            correction: 0,
            shift: 0,
            rejection: 0,
            seki: false,
            mercy: 0,
        }
    }

    /// The rules of Fuego as it comes, in its order; its nakade rule is off.
    pub fn fuego() -> Policy {
        Policy {
            capture: 100,
            defence: 100,
            low_liberty: 100,
            patterns: 100,
            global_capture: 100,
            correction: 100,
            shift: 100,
            seki: true,
            mercy: 30,
            ..Policy::light()
        }
    }

    /// The rules of Fuego with the vital points and the doubts of Pachi: no rule is always right, and
    /// a playout that may err somewhere judges a fight more evenly. Ladders are left to the tree:
    /// playouts that read them foretell results no better.
    pub fn strong() -> Policy {
        Policy {
            ko_refight: 40,
            nakade: 80,
            capture: 90,
            defence: 90,
            low_liberty: 85,
            patterns: 95,
            global_capture: 90,
            shift: 0,
            rejection: 60,
            seki: false,
            ..Policy::fuego()
        }
    }

    /// Sets the chance of the rule of this name, in percent; `None` if there is no such rule.
    pub fn set(&mut self, rule: &str, percent: u8) -> Option<()> {
        match rule {
            "ko" => self.ko_refight = percent,
            "nakade" => self.nakade = percent,
            "capture" => self.capture = percent,
            "defence" => self.defence = percent,
            "ladders" => self.ladders = percent > 0,
            "low-liberty" => self.low_liberty = percent,
            "patterns" => self.patterns = percent,
            "global-capture" => self.global_capture = percent,
            "correction" => self.correction = percent,
            "shift" => self.shift = percent,
            "rejection" => self.rejection = percent,
            "seki" => self.seki = percent > 0,
            "mercy" => self.mercy = percent,
            _ => return None,
        }
        Some(())
    }

    /// Whether it matters that a random move leaves a chain with one liberty.
    #[inline(always)]
    pub(super) const fn minds_self_atari(&self) -> bool {
        self.seki || self.correction | self.shift | self.rejection != 0
    }

    /// The same rules for counting: every game is played to its end.
    pub fn without_mercy(self) -> Policy {
        Policy { mercy: 0, ..self }
    }
}

/// What made a policy choose a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A ko is taken back.
    KoRefight,
    /// The vital point of a small region.
    Nakade,
    /// The last move's chain is captured.
    Capture,
    /// A chain is saved from atari.
    Defence,
    /// A liberty of a chain with two of them, where it gains more.
    LowLiberty,
    /// A 3x3 pattern.
    Pattern,
    /// A capture anywhere.
    GlobalCapture,
    /// A random move.
    Random,
    /// No move was left.
    Pass,
}

impl Rule {
    /// The rules that propose moves, in the order in which they are asked.
    pub const PROPOSING: [Rule; 7] = [
        Rule::KoRefight,
        Rule::Nakade,
        Rule::Capture,
        Rule::Defence,
        Rule::LowLiberty,
        Rule::Pattern,
        Rule::GlobalCapture,
    ];

    /// All rules, in order.
    pub const ALL: [Rule; 9] = [
        Rule::KoRefight,
        Rule::Nakade,
        Rule::Capture,
        Rule::Defence,
        Rule::LowLiberty,
        Rule::Pattern,
        Rule::GlobalCapture,
        Rule::Random,
        Rule::Pass,
    ];

    /// The chance of this rule in `policy`, in percent.
    #[inline]
    pub const fn chance(self, policy: &Policy) -> u8 {
        match self {
            Rule::KoRefight => policy.ko_refight,
            Rule::Nakade => policy.nakade,
            Rule::Capture => policy.capture,
            Rule::Defence => policy.defence,
            Rule::LowLiberty => policy.low_liberty,
            Rule::Pattern => policy.patterns,
            Rule::GlobalCapture => policy.global_capture,
            Rule::Random | Rule::Pass => 100,
        }
    }
}
