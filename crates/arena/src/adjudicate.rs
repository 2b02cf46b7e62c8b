//! Ending games early: by length, by agreement of the scores, by knowledge.

use ludus_core::{Outcome, Reason, Side};
use ludus_players::{Finish, Session};
use serde::{Deserialize, Serialize};

/// When a game is stopped before its rules end it. Nothing is, by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// The game is a forced draw after this many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// A side that sees itself lost for some moves has lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A game both sides see as even for some moves is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
}

/// A side whose own score is at most `-score` in `moves` consecutive moves of its own has lost.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// In hundredths.
    pub score: i32,
    /// Consecutive moves of the losing side.
    pub moves: u32,
}

/// A game is drawn once both sides' scores stayed within ±`score` for `moves` moves each, from
/// ply `after` on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// In hundredths.
    pub score: i32,
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Plies before which nothing is drawn.
    #[serde(default)]
    pub after: u32,
}

/// Somebody who knows the value of some positions: an endgame database, a solver.
pub trait Oracle: Sync {
    /// The result with best play, if it is known.
    fn verdict(&self, game: &dyn Session) -> Option<Outcome>;
}

/// Follows the scores of one game.
pub struct Judge<'a> {
    rules: &'a Adjudication,
    oracle: Option<&'a dyn Oracle>,
    /// Consecutive own moves in which each side saw itself lost.
    lost: [u32; 2],
    /// Consecutive plies both sides called even.
    even: u32,
}

impl<'a> Judge<'a> {
    /// The judge of a new game.
    pub fn new(rules: &'a Adjudication, oracle: Option<&'a dyn Oracle>) -> Judge<'a> {
        Judge { rules, oracle, lost: [0; 2], even: 0 }
    }

    /// Takes note of a move by `side` with its own `score`, and decides the game if it can.
    pub fn after_move(
        &mut self,
        game: &dyn Session,
        side: Side,
        score: Option<i32>,
        plies: u32,
    ) -> Option<Finish> {
        let finish = |outcome, reason| Some(Finish { outcome, reason, margin: None });
        self.note(side, score);
        if self.rules.resign.is_some_and(|rule| self.lost[side.index()] >= rule.moves) {
            return finish(Outcome::Win(!side), Reason::Adjudication);
        }
        let even_long_enough =
            |rule: DrawRule| self.even >= 2 * rule.moves && plies >= rule.after && rule.moves > 0;
        if self.rules.draw.is_some_and(even_long_enough) {
            return finish(Outcome::Draw, Reason::Adjudication);
        }
        if let Some(outcome) = self.oracle.and_then(|oracle| oracle.verdict(game)) {
            return finish(outcome, Reason::Adjudication);
        }
        if self.rules.max_plies.is_some_and(|most| plies >= most) {
            return finish(Outcome::Draw, Reason::Length);
        }
        None
    }

    fn note(&mut self, side: Side, score: Option<i32>) {
        let lost = &mut self.lost[side.index()];
        let sees_loss =
            self.rules.resign.is_some_and(|rule| score.is_some_and(|score| score <= -rule.score));
        *lost = if sees_loss { *lost + 1 } else { 0 };
        let sees_draw =
            self.rules.draw.is_some_and(|rule| score.is_some_and(|s| s.abs() <= rule.score));
        self.even = if sees_draw { self.even + 1 } else { 0 };
    }
}
