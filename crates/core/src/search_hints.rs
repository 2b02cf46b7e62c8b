//! Search hints: knowledge of a game, beyond its rules, that a depth-first search can use.

use crate::{Outcome, Position};

/// Everything a search asks about a move before playing it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveHint {
    /// [`SearchHints::history_index`].
    pub history_index: u16,
    /// Whether [`SearchHints::material_gain`] is zero.
    pub is_quiet: bool,
    /// [`SearchHints::forces_response`].
    pub forces_response: bool,
    /// [`SearchHints::quiet_bonus`] of a quiet move, [`SearchHints::capture_score`] of any other.
    pub order_score: i32,
}

/// Hints for depth-first searches of the game `P`: a value given to the search beside its evaluator,
/// usually without any data. Every method has a default without any knowledge; `()` knows nothing.
///
/// None of them changes the rules: a wrong hint makes a search slower or weaker, never illegal.
pub trait SearchHints<P: Position>: Copy + Send + Sync + 'static {
    /// Size of a history table: every [`history_index`](SearchHints::history_index) is below it. At
    /// most 8,192.
    const HISTORY_SIZE: usize = 1;

    /// Index of `mv` in history tables: equal for similar moves of different positions, such as a
    /// piece and its target square.
    #[inline]
    fn history_index(self, _position: &P, _mv: P::Move) -> usize {
        0
    }

    /// Material that `mv` wins before any reply, in hundredths of the game's unit: captured pieces,
    /// promotions. Zero for a quiet move. It must be cheap: searches ask it for every move.
    #[inline]
    fn material_gain(self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Ordering score of captures and promotions, greater first (in chess MVV-LVA: most valuable
    /// victim, least valuable attacker).
    #[inline]
    fn capture_score(self, position: &P, mv: P::Move) -> i32 {
        self.material_gain(position, mv)
    }

    /// Ordering bonus of a quiet move, on the scale of history scores (a few hundred).
    #[inline]
    fn quiet_bonus(self, _position: &P, _mv: P::Move) -> i32 {
        0
    }

    /// Whether the opponent [must respond](SearchHints::must_respond) to `mv`, as far as a cheap test
    /// shows (a check, in chess). Such moves are exempt from late-move and futility pruning.
    #[inline]
    fn forces_response(self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// All hints about `mv`.
    #[inline]
    fn hint(self, position: &P, mv: P::Move) -> MoveHint {
        let is_quiet = self.material_gain(position, mv) == 0;
        let order_score = if is_quiet {
            self.quiet_bonus(position, mv)
        } else {
            self.capture_score(position, mv)
        };
        MoveHint {
            history_index: self.history_index(position, mv) as u16,
            is_quiet,
            forces_response: self.forces_response(position, mv),
            order_score,
        }
    }

    /// Calls `each` with the hints of `moves`, in order. Overridden where several moves share work
    /// that is worth doing once: a search spends much of its time here.
    #[inline]
    fn hints(self, position: &P, moves: &[P::Move], mut each: impl FnMut(MoveHint)) {
        for &mv in moves {
            each(self.hint(position, mv));
        }
    }

    /// Calls `each` with the index and the hints of those `moves` that win material or have one of
    /// these history indices (killer moves and countermoves): the first stages of a move picker,
    /// often the only ones. Overridden where they can be found without hints of the other moves.
    #[inline]
    fn priority_hints(
        self,
        position: &P,
        moves: &[P::Move],
        history_indices: [u16; 3],
        mut each: impl FnMut(usize, MoveHint),
    ) {
        let mut index = 0;
        self.hints(position, moves, |hint| {
            if !hint.is_quiet
                || history_indices
                    .iter()
                    .fold(false, |any, &wanted| any | (wanted == hint.history_index))
            {
                each(index, hint);
            }
            index += 1;
        });
    }

    /// Static exchange evaluation (SEE): whether the captures that `mv` starts on its target square
    /// win at least `threshold` hundredths, with best play there by both sides.
    #[inline]
    fn see_at_least(self, position: &P, mv: P::Move, threshold: i32) -> bool {
        self.material_gain(position, mv) >= threshold
    }

    /// Whether the side to move has to respond to a threat (in check, in chess; a compulsory capture,
    /// in draughts), so that the static evaluation is unreliable and standing pat is no option.
    #[inline]
    fn must_respond(self, _position: &P) -> bool {
        false
    }

    /// Appends the moves that quiescence search tries: every legal move if the side to move
    /// [must respond](SearchHints::must_respond), else the legal captures and promotions. Appending
    /// none means the position is quiet. A game without captures leaves it empty.
    #[inline]
    fn noisy_moves(self, _position: &P, _out: &mut Vec<P::Move>) {}

    /// The position after a null move (a pass), where null-move pruning is sound enough: the side to
    /// move need not respond and zugzwang is unlikely.
    #[inline]
    fn null_move(self, _position: &P) -> Option<P> {
        None
    }

    /// Search extension, in plies, of a position with `replies` legal moves.
    #[inline]
    fn extension(self, _position: &P, replies: usize) -> i32 {
        i32::from(replies == 1)
    }

    /// The outcome as tested at the horizon: overridden by games in which
    /// [`outcome`](Position::outcome) is expensive and an ending missed there is rare.
    #[inline]
    fn horizon_outcome(self, position: &P) -> Option<Outcome> {
        position.outcome()
    }
}

impl<P: Position> SearchHints<P> for () {}
