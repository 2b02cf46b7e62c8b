//! Positions of games, and their winners.

use super::PlayoutWeightsSettings;
use crate::go_self_play::{GoGameFile, held_out, split_annotation, winner};
use ludus_core::{Notation, Position, Side, TextError};
use ludus_games::go::{Go, GoMove};

/// A training position: a game, the number of its moves made, and its winner.
#[derive(Copy, Clone, Debug)]
pub(super) struct LabelledPosition {
    game: u32,
    ply: u32,
    pub winner: Side,
}

/// Positions of all games.
pub(super) struct Dataset {
    starts: Vec<Go>,
    /// Index of the starting position, and the moves.
    games: Vec<(usize, Vec<GoMove>)>,
    /// Training samples.
    pub train: Vec<LabelledPosition>,
    /// Held-out samples.
    pub held_out: Vec<LabelledPosition>,
}

impl Dataset {
    pub fn new() -> Dataset {
        Dataset { starts: Vec::new(), games: Vec::new(), train: Vec::new(), held_out: Vec::new() }
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Adds the games of a file.
    pub fn add(
        &mut self,
        file: &GoGameFile<'_>,
        settings: &PlayoutWeightsSettings,
    ) -> Result<(), TextError> {
        let start = Go::start(&file.options)?;
        for (number, text) in file.games.iter().enumerate() {
            // The line with the game's options comes before the games.
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            let (moves, end) = read(&start, text).map_err(in_line)?;
            let Some(winner) = winner(&end, moves.len(), settings.longest) else { continue };
            let first = settings.random_plies + settings.skip;
            let game = self.games.len() as u32;
            let dataset = match held_out(number as u64, settings.validation) {
                true => &mut self.held_out,
                false => &mut self.train,
            };
            let plies = first as u32..moves.len() as u32;
            dataset.extend(plies.map(|ply| LabelledPosition { game, ply, winner }));
            self.games.push((self.starts.len(), moves));
        }
        self.starts.push(start);
        Ok(())
    }

    /// Position of a sample.
    pub fn position(&self, sample: &LabelledPosition) -> Go {
        let (start, moves) = &self.games[sample.game as usize];
        let mut position = self.starts[*start].clone();
        for &mv in &moves[..sample.ply as usize] {
            position.play(mv);
        }
        position
    }
}

fn read(start: &Go, text: &str) -> Result<(Vec<GoMove>, Go), TextError> {
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in text.split_whitespace() {
        let mv = position.parse_move(split_annotation(word).0)?;
        position.play(mv);
        moves.push(mv);
    }
    Ok((moves, position))
}
