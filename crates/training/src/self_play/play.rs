//! One game: a random opening, and the moves after it.

use crate::TrainingError;
use ludus_core::{Action, Choice, Ending, History, Outcome, Position, Random};
use serde::{Deserialize, Serialize};

/// Random openings that are balanced enough for a game to tell something.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Opening {
    /// Random plies; in every second game one more, so that each side moves first from there.
    pub plies: usize,
    /// The most hundredths one side may be ahead after them, as the player sees it.
    pub balance: i32,
}

impl Default for Opening {
    fn default() -> Opening {
        Opening { plies: 8, balance: 150 }
    }
}

/// When a game is stopped before its rules end it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Plies after which it is a draw.
    pub longest: usize,
    /// Hundredths which, seen by both sides for `agreed` plies in a row, decide the game.
    pub decided: Option<i32>,
    /// See `decided`.
    pub agreed: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { longest: 400, decided: None, agreed: 6 }
    }
}

/// What picks the moves of a game.
pub type Choose<'a, P> =
    &'a mut dyn FnMut(&History<P>) -> Result<Choice<<P as Position>::Move>, TrainingError>;

/// Openings drawn before an unbalanced one is taken after all.
const ATTEMPTS: usize = 50;

impl Opening {
    /// Draws openings until `choose` calls one balanced.
    pub fn play<P: Ending>(
        &self,
        start: &P,
        random: &mut Random,
        choose: Choose<'_, P>,
    ) -> Result<History<P>, TrainingError> {
        let mut last = History::new(start.clone());
        for _ in 0..ATTEMPTS {
            let Some(game) = self.draw(start, random) else { continue };
            let score = choose(&game)?.report.score;
            last = game;
            if score.is_none_or(|score| score.0.abs() <= self.balance) {
                break;
            }
        }
        Ok(last)
    }

    /// A random opening; `None` if the game ended in it.
    fn draw<P: Ending>(&self, start: &P, random: &mut Random) -> Option<History<P>> {
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

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Ended {
    /// Who won.
    pub outcome: Outcome,
    /// By how many points the first side was ahead, if the game was played to a final count.
    pub margin: Option<f32>,
}

/// Plays `game` to its end.
///
/// # Errors
/// Whatever `choose` fails with.
pub fn play_out<P: Ending>(
    game: &mut History<P>,
    rules: &Rules,
    choose: Choose<'_, P>,
) -> Result<Ended, TrainingError> {
    // For how many plies in a row which side was seen to win.
    let (mut winning, mut agreed) = (0, 0);
    let unplayed = |outcome| Ok(Ended { outcome, margin: None });
    loop {
        if let Some((outcome, _)) = P::ending(game) {
            return Ok(Ended { outcome, margin: game.last().margin() });
        }
        if game.moves().len() >= rules.longest {
            return unplayed(Outcome::Draw);
        }
        let turn = game.last().turn();
        let choice = choose(game)?;
        let Action::Play(mv) = choice.action else {
            return unplayed(Outcome::Win(!turn));
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
                return unplayed(Outcome::from_margin(winning as f32));
            }
        }
        game.push(mv);
    }
}
