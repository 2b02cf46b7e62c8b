//! Positions of games, and who won.

use super::HabitsSettings;
use crate::go_games::{GameFile, held_out, split_thought, winner};
use ludus_core::{Notation, Position, Side, TextError};
use ludus_games::go::{Go, Move};

/// A position to learn from: a game, how many of its moves were made, and who won it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Lesson {
    game: u32,
    ply: u32,
    pub winner: Side,
}

/// The positions of all games.
pub(super) struct Lessons {
    starts: Vec<Go>,
    /// Which start, and the moves.
    games: Vec<(usize, Vec<Move>)>,
    /// Learned from.
    pub train: Vec<Lesson>,
    /// Not learned from.
    pub held_out: Vec<Lesson>,
}

impl Lessons {
    pub fn new() -> Lessons {
        Lessons { starts: Vec::new(), games: Vec::new(), train: Vec::new(), held_out: Vec::new() }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Takes in the games of a file.
    pub fn add(&mut self, file: &GameFile<'_>, settings: &HabitsSettings) -> Result<(), TextError> {
        let start = Go::start(&file.options)?;
        for (number, text) in file.games.iter().enumerate() {
            // The line with the rules comes before the games.
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            let (moves, end) = read(&start, text).map_err(in_line)?;
            let Some(winner) = winner(&end, moves.len(), settings.longest) else { continue };
            let first = settings.random_plies + settings.skip;
            let game = self.games.len() as u32;
            let lessons = match held_out(number as u64, settings.validation) {
                true => &mut self.held_out,
                false => &mut self.train,
            };
            let plies = first as u32..moves.len() as u32;
            lessons.extend(plies.map(|ply| Lesson { game, ply, winner }));
            self.games.push((self.starts.len(), moves));
        }
        self.starts.push(start);
        Ok(())
    }

    /// The position of a lesson.
    pub fn position(&self, lesson: &Lesson) -> Go {
        let (start, moves) = &self.games[lesson.game as usize];
        let mut position = self.starts[*start].clone();
        for &mv in &moves[..lesson.ply as usize] {
            position.play(mv);
        }
        position
    }
}

fn read(start: &Go, text: &str) -> Result<(Vec<Move>, Go), TextError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in text.split_whitespace() {
        let mv = position.parse_move(split_thought(word).0)?;
        position.play(mv);
        moves.push(mv);
    }
    Ok((moves, position))
}
