//! Positions of games, what the search thought of them, and how the games ended.

use super::GoNetSettings;
use crate::go_games::{GameFile, held_out, split_thought, winner};
use ludus_core::{Notation, Position, Side, TextError};
use ludus_games::go::{
    Go, Move,
    planes::{move_number, planes},
};
use ludus_models::board_net::Lesson;

/// A search this sure of the winner, or the loser, has little to teach.
const SURE: f32 = 0.03;

/// The positions of all games.
#[derive(Default)]
pub(super) struct Lessons {
    /// Learned from.
    pub train: Vec<Lesson>,
    /// Not learned from.
    pub held_out: Vec<Lesson>,
    /// Games with a result.
    pub games: usize,
}

/// A position before its game has ended.
struct Open {
    lesson: Lesson,
    side: Side,
    /// What the search gave the side to move.
    chance: Option<f32>,
}

impl Lessons {
    /// Takes in the games of a file.
    pub fn add(&mut self, file: &GameFile<'_>, settings: &GoNetSettings) -> Result<(), TextError> {
        let start = Go::start(&file.options)?;
        for (number, text) in file.games.iter().enumerate() {
            // The line with the rules comes before the games.
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            let (open, end) = read(&start, text, settings).map_err(in_line)?;
            let plies = text.split_whitespace().count();
            let Some(winner) = winner(&end, plies, settings.longest) else { continue };
            self.games += 1;
            let lessons = match held_out(number as u64, settings.validation) {
                true => &mut self.held_out,
                false => &mut self.train,
            };
            // Who gave up left the board unsettled.
            let owners = end.outcome().map(|_| owners(&end));
            lessons.extend(
                open.into_iter()
                    .map(|open| closed(open, winner, owners.as_deref(), settings.result as f32)),
            );
        }
        Ok(())
    }
}

/// The positions of a game and its end.
fn read(start: &Go, text: &str, settings: &GoNetSettings) -> Result<(Vec<Open>, Go), TextError> {
    let (mut position, mut open) = (start.clone(), Vec::new());
    for (ply, word) in text.split_whitespace().enumerate() {
        let (mv, thought) = split_thought(word);
        let mv = position.parse_move(mv)?;
        let Thought { chance, moves } = read_thought(&position, mv, thought)?;
        let decided = chance.is_some_and(|chance| !(SURE..=1.0 - SURE).contains(&chance));
        let is_random = ply < settings.random_plies && thought.is_empty();
        if !is_random && (!decided || ply.is_multiple_of(settings.decided)) {
            let mut points = Vec::new();
            planes(&position, &mut points);
            let size = position.board().size();
            let (points, owners) = (points.into(), Box::default());
            let lesson = Lesson { size, points, moves, winner: 0.5, owners };
            open.push(Open { lesson, side: position.turn(), chance });
        }
        position.play(mv);
    }
    Ok((open, position))
}

/// What a search thought.
struct Thought {
    /// The chance of the side to move to win.
    chance: Option<f32>,
    /// Numbers of moves and how often they were tried.
    moves: Box<[(u16, u16)]>,
}

/// The chance of winning and the moves of a thought such as `0.512;C3:180;D4:66`; without one, the
/// move that was made.
fn read_thought(position: &Go, made: Move, thought: &str) -> Result<Thought, TextError> {
    let number = |mv| move_number(position, mv) as u16;
    let fault =
        |part: &str| TextError::whole("thought of a search", part, "such as 0.512;C3:180;D4:66");
    let mut parts = thought.split(';').filter(|part| !part.is_empty());
    let Some(chance) = parts.next() else {
        return Ok(Thought { chance: None, moves: Box::new([(number(made), 1)]) });
    };
    let chance = chance.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    let chance = chance.ok_or_else(|| fault(thought))?;
    let mut moves = Vec::new();
    for part in parts {
        let (mv, visits) = part.split_once(':').ok_or_else(|| fault(part))?;
        let visits: u32 = visits.parse().map_err(|_| fault(part))?;
        moves.push((number(position.parse_move(mv)?), visits.min(u16::MAX.into()) as u16));
    }
    Ok(Thought { chance: Some(chance), moves: moves.into() })
}

/// Whose the points of a finished board are: 0 for the first side, 2 for the second, 1 for nobody.
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

fn closed(open: Open, winner: Side, owners: Option<&[u8]>, result: f32) -> Lesson {
    let Open { mut lesson, side, chance } = open;
    let won = if side == winner { 1.0 } else { 0.0 };
    lesson.winner = chance.map_or(won, |chance| result * won + (1.0 - result) * chance);
    if let Some(owners) = owners {
        let own = |&owner: &u8| if side == Side::First { 2 - owner } else { owner };
        lesson.owners = owners.iter().map(own).collect();
    }
    lesson
}
