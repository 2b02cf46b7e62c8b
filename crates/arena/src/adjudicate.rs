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

impl Adjudication {
    /// What no game could be judged by, if there is something.
    ///
    /// # Errors
    /// If a rule asks for no moves at all or for a score below 0; the text says which.
    pub fn check(&self) -> Result<(), String> {
        let rules = [
            ("resign", self.resign.map(|rule| (rule.score, rule.moves))),
            ("draw", self.draw.map(|rule| (rule.score, rule.moves))),
        ];
        for (name, rule) in rules {
            let Some((score, moves)) = rule else { continue };
            if score < 0 {
                return Err(format!("{name}: score {score}, expected 0 or more"));
            }
            if moves == 0 {
                return Err(format!("{name}: moves 0, expected at least 1"));
            }
        }
        Ok(())
    }
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
        let lost_long_enough =
            |rule: ResignRule| self.lost[side.index()] >= rule.moves && rule.moves > 0;
        if self.rules.resign.is_some_and(lost_long_enough) {
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
        let sees_loss = self
            .rules
            .resign
            .is_some_and(|rule| score.is_some_and(|s| s <= rule.score.saturating_neg()));
        *lost = if sees_loss { *lost + 1 } else { 0 };
        let sees_draw = self
            .rules
            .draw
            .is_some_and(|rule| score.is_some_and(|s| s.saturating_abs() <= rule.score));
        self.even = if sees_draw { self.even + 1 } else { 0 };
    }
}
