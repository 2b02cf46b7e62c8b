//! Scores, always from the point of view of the side to move.

use crate::{Outcome, Side};
use std::{fmt, ops::Neg};

/// A score in hundredths of the game's natural unit (a pawn, a man, a point), from the point of view
/// of the side to move.
///
/// Every score fits in 16 bits. Static evaluations lie within ±[`EVAL_MAX`](Score::EVAL_MAX), proven
/// results beyond it; ±[`INFINITE`](Score::INFINITE) is never the score of a position.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Larger than the score of any position.
    pub const INFINITE: Score = Score(32_000);
    /// A won game; a win in `n` plies scores `n` less.
    pub const WIN: Score = Score(31_000);
    /// The largest score a static evaluation may return.
    pub const EVAL_MAX: Score = Score(20_000);
    /// A draw, or an even position.
    pub const DRAW: Score = Score(0);

    /// Score, for `side` to move, of a game that ended with `outcome` `ply` plies from the root.
    #[inline]
    pub fn terminal(outcome: Outcome, side: Side, ply: i32) -> Score {
        match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(winner) if winner == side => Score(Score::WIN.0 - ply),
            Outcome::Win(_) => Score(ply - Score::WIN.0),
        }
    }

    /// `value`, clamped to the range of static evaluations.
    #[inline]
    pub fn evaluation(value: i32) -> Score {
        Score(value.clamp(-Score::EVAL_MAX.0, Score::EVAL_MAX.0))
    }

    /// Like [`Display`](fmt::Display), but with the distance to a win in moves of the winner, as in
    /// chess.
    pub fn in_moves(self) -> String {
        match self.win_in() {
            Some(plies) if plies != 0 => {
                let (verb, moves) = (verb(plies), (plies.abs() + 1) / 2);
                format!("{verb} in {moves} {}", if moves == 1 { "move" } else { "moves" })
            }
            _ => self.to_string(),
        }
    }

    /// Distance in plies to a proven win: positive if the side to move wins, negative if it loses,
    /// `None` if nothing is proven.
    #[inline]
    pub fn win_in(self) -> Option<i32> {
        if self.0 > Score::EVAL_MAX.0 {
            Some(Score::WIN.0 - self.0)
        } else if self.0 < -Score::EVAL_MAX.0 {
            Some(-(Score::WIN.0 + self.0))
        } else {
            None
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.win_in() {
            Some(0) => f.write_str(if self.0 > 0 { "has won" } else { "has lost" }),
            Some(plies) => {
                let unit = if plies.abs() == 1 { "ply" } else { "plies" };
                write!(f, "{} in {} {unit}", verb(plies), plies.abs())
            }
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

fn verb(win_in: i32) -> &'static str {
    if win_in > 0 { "wins" } else { "loses" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_show_their_distance() {
        let won = Score::terminal(Outcome::Win(Side::First), Side::First, 3);
        assert_eq!((won.win_in(), (-won).win_in()), (Some(3), Some(-3)));
        assert_eq!(won.to_string(), "wins in 3 plies");
        assert_eq!((-won).to_string(), "loses in 3 plies");
        assert_eq!(
            (won.in_moves(), (-won).in_moves()),
            ("wins in 2 moves".into(), "loses in 2 moves".into())
        );
        assert_eq!(Score(Score::WIN.0 - 1).to_string(), "wins in 1 ply");
        assert_eq!(Score(Score::WIN.0 - 1).in_moves(), "wins in 1 move");
        assert_eq!((-Score::WIN).in_moves(), "has lost");
        assert_eq!(Score(-125).in_moves(), "-1.25");
        assert_eq!(Score::evaluation(i32::MAX).win_in(), None);
        assert_eq!(Score(-125).to_string(), "-1.25");
    }
}
