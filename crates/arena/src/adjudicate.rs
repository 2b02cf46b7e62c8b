//! Adjudication: ending games early by length, by scores, or by known results.

use ludus_core::{EndReason, Outcome, Side};
use ludus_players::{Board, Finish};
use serde::{Deserialize, Serialize};

/// Adjudication rules, none by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// The game is drawn after this many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// A side whose own score is lost for some moves has lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A game that both sides score as even for some moves is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
}

impl Adjudication {
    /// Checks the rules.
    ///
    /// # Errors
    /// If a rule has no moves or a score below 0.
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

/// Source of known results: an endgame database or a solver.
pub trait ResultOracle: Sync {
    /// The result with best play, if it is known.
    fn result(&self, game: &dyn Board) -> Option<Outcome>;
}

/// Applies adjudication rules to one game by following its scores.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    oracle: Option<&'a dyn ResultOracle>,
    /// Consecutive own moves in which each side's score was lost.
    lost_moves: [u32; 2],
    /// Consecutive plies with an even score.
    even_plies: u32,
}

impl<'a> Adjudicator<'a> {
    /// The adjudicator of a new game.
    pub fn new(rules: &'a Adjudication, oracle: Option<&'a dyn ResultOracle>) -> Adjudicator<'a> {
        Adjudicator { rules, oracle, lost_moves: [0; 2], even_plies: 0 }
    }

    /// Records a move of `side` with its own `score`; returns the finish if the game is decided.
    pub fn after_move(
        &mut self,
        game: &dyn Board,
        side: Side,
        score: Option<i32>,
        plies: u32,
    ) -> Option<Finish> {
        let finish = |outcome, reason| Some(Finish { outcome, reason, margin: None });
        self.record_score(side, score);
        let lost_long_enough =
            |rule: ResignRule| self.lost_moves[side.index()] >= rule.moves && rule.moves > 0;
        if self.rules.resign.is_some_and(lost_long_enough) {
            return finish(Outcome::Win(!side), EndReason::Adjudication);
        }
        let even_long_enough = |rule: DrawRule| {
            self.even_plies >= 2 * rule.moves && plies >= rule.after && rule.moves > 0
        };
        if self.rules.draw.is_some_and(even_long_enough) {
            return finish(Outcome::Draw, EndReason::Adjudication);
        }
        if let Some(outcome) = self.oracle.and_then(|oracle| oracle.result(game)) {
            return finish(outcome, EndReason::Adjudication);
        }
        if self.rules.max_plies.is_some_and(|most| plies >= most) {
            return finish(Outcome::Draw, EndReason::Length);
        }
        None
    }

    fn record_score(&mut self, side: Side, score: Option<i32>) {
        let lost = &mut self.lost_moves[side.index()];
        let sees_loss = self
            .rules
            .resign
            .is_some_and(|rule| score.is_some_and(|s| s <= rule.score.saturating_neg()));
        *lost = if sees_loss { *lost + 1 } else { 0 };
        let sees_draw = self
            .rules
            .draw
            .is_some_and(|rule| score.is_some_and(|s| s.saturating_abs() <= rule.score));
        self.even_plies = if sees_draw { self.even_plies + 1 } else { 0 };
    }
}
