//! Kinds of draws, by the stored reasons.

use ludus_arena::store::StoredGame;
use ludus_core::{EndReason, Outcome};
use serde::{Deserialize, Serialize};

/// Drawn games by their reason.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawKinds {
    /// By stalemate.
    pub stalemate: u64,
    /// By insufficient material.
    pub material: u64,
    /// By repetition.
    pub repetition: u64,
    /// By the no-progress rule, such as fifty moves.
    pub no_progress: u64,
    /// By the length of the game.
    pub length: u64,
    /// By any other reason.
    pub other: u64,
}

impl DrawKinds {
    /// Counts the draws among these games.
    pub fn count<'a>(games: impl IntoIterator<Item = &'a StoredGame>) -> DrawKinds {
        let mut kinds = DrawKinds::default();
        for game in games {
            if game.result == Outcome::Draw {
                *kinds.of(game.reason) += 1;
            }
        }
        kinds
    }

    fn of(&mut self, reason: EndReason) -> &mut u64 {
        match reason {
            EndReason::Stalemate => &mut self.stalemate,
            EndReason::Material => &mut self.material,
            EndReason::Repetition => &mut self.repetition,
            EndReason::NoProgress => &mut self.no_progress,
            EndReason::Length => &mut self.length,
            _ => &mut self.other,
        }
    }

    /// Forced draws: those of games that did not end by themselves.
    pub fn forced(&self) -> u64 {
        self.repetition + self.no_progress + self.length
    }

    /// All other draws.
    pub fn drawn(&self) -> u64 {
        self.stalemate + self.material + self.other
    }

    /// Sum of two counts.
    pub fn plus(self, other: DrawKinds) -> DrawKinds {
        DrawKinds {
            stalemate: self.stalemate + other.stalemate,
            material: self.material + other.material,
            repetition: self.repetition + other.repetition,
            no_progress: self.no_progress + other.no_progress,
            length: self.length + other.length,
            other: self.other + other.other,
        }
    }
}

/// Whether a drawn game is a forced draw.
pub(super) fn is_forced(game: &StoredGame) -> bool {
    DrawKinds::count([game]).forced() == 1
}
