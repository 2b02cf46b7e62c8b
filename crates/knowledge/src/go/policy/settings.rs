//! Settings of a playout policy: its rules and their chances.

use super::playout_weights::PlayoutWeights;
use std::sync::Arc;

/// The rules of a playout and the chance of each, in percent: 0 switches a rule off, 100 asks it at
/// every move. They are tried in the order of the fields; the first that has a move plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutPolicy {
    /// Retake a ko that was taken a few moves ago.
    pub ko_refight: u8,
    /// Play the vital point of a small region beside the last move.
    pub nakade: u8,
    /// Capture the chain of the last move.
    pub capture: u8,
    /// Save chains the last move put in atari.
    pub defence: u8,
    /// Whether chains that a ladder would catch anyway are not defended.
    pub ladders: bool,
    /// Play on liberties of chains with two of them, beside the last move.
    pub low_liberty: u8,
    /// Play 3x3 patterns around the last move and the one before.
    pub patterns: u8,
    /// Learned weights in place of hand-drawn patterns, and for random moves.
    pub weights: Option<Arc<PlayoutWeights>>,
    /// Capture anything anywhere.
    pub global_capture: u8,
    /// Instead of a random move that puts an own chain in atari, play on the chain's other liberty.
    pub correction: u8,
    /// Instead of a lone stone with one liberty, play on that liberty if it has more.
    pub shift: u8,
    /// Reject a random move that puts own stones in atari for nothing.
    pub rejection: u8,
    /// Whether points of a seki are not played.
    pub seki: bool,
    /// Mercy rule: stop at this lead in stones, in percent of the board; 0 plays every game to its
    /// end.
    pub mercy: u8,
}

impl PlayoutPolicy {
    /// Light playouts: random moves that fill no own eye.
    pub fn light() -> PlayoutPolicy {
        PlayoutPolicy {
            ko_refight: 0,
            nakade: 0,
            capture: 0,
            defence: 0,
            ladders: false,
            low_liberty: 0,
            patterns: 0,
            weights: None,
            global_capture: 0,
            correction: 0,
            shift: 0,
            rejection: 0,
            seki: false,
            mercy: 0,
        }
    }

    /// The default rules of Fuego, in its order; its nakade rule is off.
    pub fn fuego() -> PlayoutPolicy {
        PlayoutPolicy {
            capture: 100,
            defence: 100,
            low_liberty: 100,
            patterns: 100,
            global_capture: 100,
            correction: 100,
            shift: 100,
            seki: true,
            mercy: 30,
            ..PlayoutPolicy::light()
        }
    }

    /// The rules of Fuego with the nakade and the random chances of Pachi: no rule is always right,
    /// and randomised playouts evaluate fights with less bias. Ladders are left to the tree:
    /// reading them in playouts does not predict results better.
    pub fn strong() -> PlayoutPolicy {
        PlayoutPolicy {
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
            ..PlayoutPolicy::fuego()
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

    /// Whether random moves are checked for self-atari.
    #[inline(always)]
    pub(super) const fn checks_self_atari(&self) -> bool {
        self.seki || self.correction | self.shift | self.rejection != 0
    }

    /// The same rules without the mercy rule: every game is played to its end.
    pub fn without_mercy(self) -> PlayoutPolicy {
        PlayoutPolicy { mercy: 0, ..self }
    }
}

/// The rule that chose a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlayoutRule {
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

impl PlayoutRule {
    /// The rules that propose moves, in the order in which they are tried.
    pub const PROPOSING: [PlayoutRule; 7] = [
        PlayoutRule::KoRefight,
        PlayoutRule::Nakade,
        PlayoutRule::Capture,
        PlayoutRule::Defence,
        PlayoutRule::LowLiberty,
        PlayoutRule::Pattern,
        PlayoutRule::GlobalCapture,
    ];

    /// All rules, in order.
    pub const ALL: [PlayoutRule; 9] = [
        PlayoutRule::KoRefight,
        PlayoutRule::Nakade,
        PlayoutRule::Capture,
        PlayoutRule::Defence,
        PlayoutRule::LowLiberty,
        PlayoutRule::Pattern,
        PlayoutRule::GlobalCapture,
        PlayoutRule::Random,
        PlayoutRule::Pass,
    ];

    /// The chance of this rule in `policy`, in percent.
    #[inline]
    pub const fn chance(self, policy: &PlayoutPolicy) -> u8 {
        match self {
            PlayoutRule::KoRefight => policy.ko_refight,
            PlayoutRule::Nakade => policy.nakade,
            PlayoutRule::Capture => policy.capture,
            PlayoutRule::Defence => policy.defence,
            PlayoutRule::LowLiberty => policy.low_liberty,
            PlayoutRule::Pattern => policy.patterns,
            PlayoutRule::GlobalCapture => policy.global_capture,
            PlayoutRule::Random | PlayoutRule::Pass => 100,
        }
    }
}
