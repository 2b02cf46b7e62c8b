//! One self-play game: a random opening, and the moves after it.

use crate::{TrainingError, recipe::range};
use ludus_core::{Action, Choice, History, Outcome, Position, Random, TextError};
use serde::{Deserialize, Serialize};

/// Random openings, redrawn until the player finds them balanced.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RandomOpening {
    /// Random plies; in every second game one more, so that each side moves first from there.
    pub plies: usize,
    /// Largest advantage of one side after the opening, in hundredths, by the player's score.
    pub balance: i32,
}

impl Default for RandomOpening {
    fn default() -> RandomOpening {
        RandomOpening { plies: 8, balance: 150 }
    }
}

/// Rules for stopping a game before it ends by the rules of the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdjudicationRules {
    /// Plies after which the game is a draw.
    pub longest: usize,
    /// Score in hundredths that decides the game once both sides agree on it for `agreed` plies in
    /// a row.
    pub decided: Option<i32>,
    /// Plies in a row, see `decided`.
    pub agreed: u32,
}

impl Default for AdjudicationRules {
    fn default() -> AdjudicationRules {
        AdjudicationRules { longest: 400, decided: None, agreed: 6 }
    }
}

impl AdjudicationRules {
    /// Checks the ranges; `name` is the path of the rules in their recipe.
    pub(crate) fn check(&self, name: &str) -> Result<(), TextError> {
        range(&format!("{name}.longest"), self.longest as f64, 1.0, 100_000.0)?;
        range(&format!("{name}.agreed"), self.agreed.into(), 1.0, 1_000.0)?;
        range(&format!("{name}.decided"), self.decided.unwrap_or(1).into(), 1.0, 32_000.0)
    }
}

/// Chooses the moves of a game.
pub type ChooseMove<'a, P> =
    &'a mut dyn FnMut(&History<P>) -> Result<Choice<<P as Position>::Move>, TrainingError>;

/// Openings drawn before an unbalanced one is accepted.
const MAX_OPENING_DRAWS: usize = 50;

impl RandomOpening {
    /// Checks the ranges; `name` is the path of the opening in its recipe.
    pub(crate) fn check(&self, name: &str) -> Result<(), TextError> {
        range(&format!("{name}.plies"), self.plies as f64, 0.0, 200.0)?;
        range(&format!("{name}.balance"), self.balance.into(), 0.0, 32_000.0)
    }

    /// Draws openings until `choose` finds one balanced.
    pub fn play<P: Position>(
        &self,
        start: &P,
        random: &mut Random,
        choose: ChooseMove<'_, P>,
    ) -> Result<History<P>, TrainingError> {
        let mut last = History::new(start.clone());
        for _ in 0..MAX_OPENING_DRAWS {
            let Some(game) = self.draw(start, random) else { continue };
            let score = choose(&game)?.report.score;
            last = game;
            if score.is_none_or(|score| score.0.abs() <= self.balance) {
                break;
            }
        }
        Ok(last)
    }

    /// Draws a random opening; `None` if the game ended in it.
    fn draw<P: Position>(&self, start: &P, random: &mut Random) -> Option<History<P>> {
        let mut game = History::new(start.clone());
        let mut moves = Vec::new();
        for _ in 0..self.plies + random.below(2) {
            moves.clear();
            game.last().legal_moves(&mut moves);
            game.push(random.pick(&moves)?);
        }
        P::ending(&game).is_none().then_some(game)
    }
}

/// End of a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GameEnd {
    /// Outcome for both sides.
    pub outcome: Outcome,
    /// Margin of the first side in points, if the game was played to a final count.
    pub margin: Option<f32>,
}

/// Plays `game` to its end.
///
/// # Errors
/// The first error of `choose`.
pub fn play_out<P: Position>(
    game: &mut History<P>,
    rules: &AdjudicationRules,
    choose: ChooseMove<'_, P>,
) -> Result<GameEnd, TrainingError> {
    // Side that is winning by the scores, and for how many plies in a row.
    let (mut winning, mut agreed) = (0, 0);
    let stopped_early = |outcome| Ok(GameEnd { outcome, margin: None });
    loop {
        if let Some((outcome, _)) = P::ending(game) {
            return Ok(GameEnd { outcome, margin: game.last().margin() });
        }
        if game.moves().len() >= rules.longest {
            return stopped_early(Outcome::Draw);
        }
        let turn = game.last().turn();
        let choice = choose(game)?;
        let Action::Play(mv) = choice.action else {
            return stopped_early(Outcome::Win(!turn));
        };
        if let (Some(decided), Some(score)) = (rules.decided, choice.report.score) {
            let leader = score.0.signum() * turn.sign();
            let clear = score.0.abs() >= decided;
            agreed = match clear {
                true if leader == winning => agreed + 1,
                true => 1,
                false => 0,
            };
            winning = leader;
            if agreed >= rules.agreed {
                return stopped_early(Outcome::from_margin(winning as f32));
            }
        }
        game.push(mv);
    }
}
