//! Suites of chess problems: mined from games, proved, stored as EPD files, and solved by players.
//!
//! `forced` proves short wins by exhaustive search, `analyst` asks a strong player for its best and
//! second-best move, `mine` finds problems with both, `run` has a player solve them, `line` plays their
//! mates out, `chance` computes what random moves solve, `grade` measures their difficulty.

mod analyst;
pub mod chance;
pub mod forced;
pub mod grade;
pub mod line;
pub mod mine;
pub mod run;

use grade::Hardness;
use ludus_core::{Notation, Options, Position, TextError};
use ludus_formats::epd::{Epd, Operation};
use ludus_games::chess::{Chess, Move};

/// Longest mate in a suite, in moves; each is proved by exhaustive search.
const MAX_MATE_MOVES: u32 = 3;

/// A test position with a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteProblem {
    /// Name; `line 17` if the file gives none.
    pub id: String,
    /// The position.
    pub position: Chess,
    /// The goal.
    pub goal: Goal,
    /// Difficulty, if given in the file.
    pub hardness: Option<Hardness>,
}

/// Goal of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// One of these moves (EPD's `bm`).
    Best(Vec<Move>),
    /// Any move except these (EPD's `am`).
    Avoid(Vec<Move>),
    /// Any move that forces mate in this many moves (EPD's `dm`).
    Mate(u32),
}

impl SuiteProblem {
    /// The moves that solve it.
    pub fn solutions(&self) -> Vec<Move> {
        match &self.goal {
            Goal::Best(moves) => moves.clone(),
            Goal::Avoid(avoided) => {
                let mut moves = legal_moves(&self.position);
                moves.retain(|mv| !avoided.contains(mv));
                moves
            }
            Goal::Mate(moves) => forced::winning_moves(&self.position, 2 * moves - 1),
        }
    }
}

/// Reads a suite with one problem per line; empty lines and lines that start with `#` are skipped.
pub fn read(text: &str) -> Result<Vec<SuiteProblem>, TextError> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        // The parser of a line counts from line 1: set the line number of the file.
        let problem = read_line(line, index + 1);
        problems.push(problem.map_err(|error| TextError { line: index + 1, ..error })?);
    }
    if problems.is_empty() {
        return Err(TextError::whole("suite", "", "at least one problem"));
    }
    Ok(problems)
}

fn read_line(line: &str, number: usize) -> Result<SuiteProblem, TextError> {
    let epd = Epd::parse(line)?;
    let position = Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), &epd.position)?;
    let id = epd.operation("id").and_then(|id| id.operands.first().cloned());
    let goal = read_goal(&epd, &position, line)?;
    let id = id.unwrap_or_else(|| format!("line {number}"));
    Ok(SuiteProblem { id, position, goal, hardness: Hardness::read(&epd) })
}

/// A mate takes precedence over best moves, as the listed keys may not be the only ones.
fn read_goal(epd: &Epd, position: &Chess, line: &str) -> Result<Goal, TextError> {
    let error = |operation: &Operation, expected: &str| {
        TextError::at("suite", line, operation.start, expected)
    };
    if position.count_moves() == 0 {
        return Err(TextError::at("suite", line, 0, "a position in which the game is not over"));
    }
    let moves = |operation: &Operation| -> Result<Vec<Move>, TextError> {
        let read = |text: &String| {
            position.parse_move(text).map_err(|wrong| TextError {
                found: text.clone(),
                ..error(operation, &wrong.expected)
            })
        };
        operation.operands.iter().map(read).collect()
    };
    if let Some(operation) = epd.operation("dm") {
        let number = operation.operands.first().and_then(|number| number.parse::<u32>().ok());
        let Some(number) = number.filter(|number| (1..=MAX_MATE_MOVES).contains(number)) else {
            return Err(error(operation, "dm and a number of moves from 1 to 3"));
        };
        // Refuses wrong keys in the file.
        let keys = forced::winning_moves(position, 2 * number - 1);
        let claimed = epd.operation("bm").map(moves).transpose()?.unwrap_or_default();
        if keys.is_empty() || claimed.iter().any(|mv| !keys.contains(mv)) {
            return Err(error(operation, "a mate that can be forced, with the right key"));
        }
        return Ok(Goal::Mate(number));
    }
    for (name, goal) in [("bm", Goal::Best as fn(_) -> _), ("am", Goal::Avoid as fn(_) -> _)] {
        if let Some(operation) = epd.operation(name) {
            return match moves(operation)? {
                moves if moves.is_empty() => Err(error(operation, "a move after bm or am")),
                moves => Ok(goal(moves)),
            };
        }
    }
    Err(TextError::at("suite", line, line.len(), "an operation bm, am or dm"))
}

/// The first `count` problems for each side to move, in the order of the file.
///
/// # Errors
/// If there are fewer.
pub fn first_of_each_side(
    problems: Vec<SuiteProblem>,
    count: usize,
) -> Result<Vec<SuiteProblem>, TextError> {
    let mut taken = [0; 2];
    let mut chosen = problems;
    chosen.retain(|problem| {
        let taken = &mut taken[problem.position.turn().index()];
        *taken += 1;
        *taken <= count
    });
    if taken.iter().any(|&taken| taken < count) {
        let found = format!("{} and {} problems for the two sides", taken[0], taken[1]);
        return Err(TextError::whole("suite", &found, format!("at least {count} for each")));
    }
    Ok(chosen)
}

fn legal_moves(position: &Chess) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The position as EPD: the first four fields of its FEN.
fn epd_of(position: &Chess) -> Epd {
    let text = position.text();
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    Epd { position: fields.join(" "), ..Epd::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - -";
    const FOOL: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -";

    fn solutions(line: &str) -> Vec<String> {
        let problem = read(line).unwrap().remove(0);
        problem.solutions().iter().map(|&mv| problem.position.move_text(mv)).collect()
    }

    #[test]
    fn a_suite_is_read() {
        let text = format!(
            "# a comment\n\n{MORPHY} bm Ra6; dm 2; id \"Morphy\";\r\n{FOOL} bm Qh4# d8f6; c0 \"x\";\n"
        );
        let problems = read(&text).unwrap();
        assert_eq!((problems[0].id.as_str(), problems[1].id.as_str()), ("Morphy", "line 4"));
        assert_eq!(problems[0].goal, Goal::Mate(2));
        assert!(matches!(&problems[1].goal, Goal::Best(moves) if moves.len() == 2));
    }

    #[test]
    fn solutions_follow_from_the_goal() {
        assert_eq!(solutions(&format!("{MORPHY} dm 2;")), ["a1a6"]);
        assert_eq!(solutions(&format!("{FOOL} bm d8h4;")), ["d8h4"]);
        assert_eq!(solutions(&format!("{FOOL} am Qh4# a5;")).len(), 28);
    }

    #[test]
    fn the_first_problems_of_each_side_are_taken() {
        let line =
            |fen: &str, id: usize, solution: &str| format!("{fen} {solution} id \"{id}\";\n");
        let text: String = [MORPHY, MORPHY, FOOL, MORPHY, FOOL]
            .into_iter()
            .zip(1..)
            .map(|(fen, id)| line(fen, id, if fen == FOOL { "bm Qh4#;" } else { "dm 2;" }))
            .collect();
        let ids = |count| {
            let chosen = first_of_each_side(read(&text).unwrap(), count)?;
            Ok::<_, TextError>(chosen.into_iter().map(|problem| problem.id).collect::<Vec<_>>())
        };
        assert_eq!(ids(1).unwrap(), ["1", "3"]);
        assert_eq!(ids(2).unwrap(), ["1", "2", "3", "5"]);
        let error = ids(3).unwrap_err().to_string();
        assert!(error.contains("3 and 2") && error.contains("at least 3"), "{error}");
    }

    #[test]
    fn bad_files_are_refused_with_the_line() {
        let place = |text: &str| {
            let error = read(text).unwrap_err();
            (error.line, error.column)
        };
        assert_eq!(place(&format!("{FOOL} bm Qh4#;\n\n{FOOL} bm Qh5;")), (3, FOOL.len() + 2));
        assert_eq!(place(&format!("#\n{FOOL} id \"a\";")), (2, FOOL.len() + 9));
        assert_eq!(place(&format!("{FOOL} bm;")), (1, FOOL.len() + 2));
        assert_eq!(place(&format!("{MORPHY} dm 1;")), (1, MORPHY.len() + 2));
        assert_eq!(place(&format!("{MORPHY} dm 9;")), (1, MORPHY.len() + 2));
        assert_eq!(place(&format!("{MORPHY} bm Ra5; dm 2;")), (1, MORPHY.len() + 10));
        assert_eq!(place("7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;"), (1, 1));
        assert_eq!(place("9/8 w - - bm e4;").0, 1);
        assert_eq!(place(""), (0, 0));
    }
}
