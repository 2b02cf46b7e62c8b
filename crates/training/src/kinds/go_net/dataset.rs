//! Positions of games with search annotations and results.

use super::GoNetSettings;
use crate::go_self_play::{GoGameFile, held_out, split_annotation, winner};
use ludus_core::{Notation, Position, Side, TextError};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::planes::{planes, policy_index};
use ludus_models::board_net::TrainingPosition;

/// Win probability this close to 0 or 1 counts as decided.
const DECIDED_MARGIN: f32 = 0.03;

/// Positions of all games.
#[derive(Default)]
pub(super) struct Dataset {
    /// Training positions.
    pub train: Vec<TrainingPosition>,
    /// Held-out positions.
    pub held_out: Vec<TrainingPosition>,
    /// Games with a result.
    pub games: usize,
}

/// A position whose game result is not known yet.
struct UnlabelledSample {
    sample: TrainingPosition,
    side: Side,
    /// Win probability of the side to move, by the search.
    chance: Option<f32>,
}

impl Dataset {
    /// Adds the games of a file.
    pub fn add(
        &mut self,
        file: &GoGameFile<'_>,
        settings: &GoNetSettings,
    ) -> Result<(), TextError> {
        let start = Go::start(&file.options)?;
        for (number, text) in file.games.iter().enumerate() {
            // The line with the game's options comes before the games.
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            let (unlabelled, end) = read(&start, text, settings).map_err(in_line)?;
            let plies = text.split_whitespace().count();
            let Some(winner) = winner(&end, plies, settings.longest) else { continue };
            self.games += 1;
            let dataset = match held_out(number as u64, settings.validation) {
                true => &mut self.held_out,
                false => &mut self.train,
            };
            // A resignation leaves the ownership of the board open.
            let owners = end.outcome().map(|_| owners(&end));
            dataset.extend(unlabelled.into_iter().map(|unlabelled| {
                labelled(unlabelled, winner, owners.as_deref(), settings.result as f32)
            }));
        }
        Ok(())
    }
}

/// Positions of a game, and its final position.
fn read(
    start: &Go,
    text: &str,
    settings: &GoNetSettings,
) -> Result<(Vec<UnlabelledSample>, Go), TextError> {
    let (mut position, mut unlabelled) = (start.clone(), Vec::new());
    for (ply, word) in text.split_whitespace().enumerate() {
        let (mv, annotation) = split_annotation(word);
        let mv = position.parse_move(mv)?;
        let SearchAnnotation { chance, moves } = read_annotation(&position, mv, annotation)?;
        let decided =
            chance.is_some_and(|chance| !(DECIDED_MARGIN..=1.0 - DECIDED_MARGIN).contains(&chance));
        let is_random = ply < settings.random_plies && annotation.is_empty();
        if !is_random && (!decided || ply.is_multiple_of(settings.decided)) {
            let mut points = Vec::new();
            planes(&position, &mut points);
            let size = position.board().size();
            let (points, owners) = (points.into(), Box::default());
            let sample = TrainingPosition { size, points, moves, winner: 0.5, owners };
            unlabelled.push(UnlabelledSample { sample, side: position.turn(), chance });
        }
        position.play(mv);
    }
    Ok((unlabelled, position))
}

/// Search annotation of a move.
struct SearchAnnotation {
    /// Win probability of the side to move.
    chance: Option<f32>,
    /// Indices of moves and their visits.
    moves: Box<[(u16, u16)]>,
}

/// Parses an annotation such as `0.512;C3:180;D4:66`; without one, the only visited move is the one
/// that was made.
fn read_annotation(
    position: &Go,
    made: GoMove,
    annotation: &str,
) -> Result<SearchAnnotation, TextError> {
    let number = |mv| policy_index(position, mv) as u16;
    let bad =
        |part: &str| TextError::whole("search annotation", part, "such as 0.512;C3:180;D4:66");
    let mut parts = annotation.split(';').filter(|part| !part.is_empty());
    let Some(chance) = parts.next() else {
        return Ok(SearchAnnotation { chance: None, moves: Box::new([(number(made), 1)]) });
    };
    let chance = chance.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    let chance = chance.ok_or_else(|| bad(annotation))?;
    let mut moves = Vec::new();
    for part in parts {
        let (mv, visits) = part.split_once(':').ok_or_else(|| bad(part))?;
        let visits: u32 = visits.parse().map_err(|_| bad(part))?;
        moves.push((number(position.parse_move(mv)?), visits.min(u16::MAX.into()) as u16));
    }
    Ok(SearchAnnotation { chance: Some(chance), moves: moves.into() })
}

/// Owners of the points of a finished board: 0 for the first side, 2 for the second, 1 for neither.
fn owners(end: &Go) -> Box<[u8]> {
    let board = end.board();
    board
        .points()
        .map(|point| match board.owner(point) {
            Some(Side::First) => 0,
            Some(Side::Second) => 2,
            None => 1,
        })
        .collect()
}

fn labelled(
    unlabelled: UnlabelledSample,
    winner: Side,
    owners: Option<&[u8]>,
    result: f32,
) -> TrainingPosition {
    let UnlabelledSample { mut sample, side, chance } = unlabelled;
    let won = if side == winner { 1.0 } else { 0.0 };
    sample.winner = chance.map_or(won, |chance| result * won + (1.0 - result) * chance);
    if let Some(owners) = owners {
        let own = |&owner: &u8| if side == Side::First { 2 - owner } else { owner };
        sample.owners = owners.iter().map(own).collect();
    }
    sample
}
