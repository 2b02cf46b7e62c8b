//! Difficulty of problems: the depth that plain alpha-beta needs to solve them.
//!
//! An objective measure: the depth from which on `alphabeta`, without unsound pruning, plays a right
//! move, up to a maximum depth. If all problems of a suite are easy by this measure, it distinguishes
//! players by speed at best.

use super::{
    SuiteProblem, read,
    run::{Asked, SolveOptions, solve_suite},
};
use ludus_core::{Limits, PlayerError};
use ludus_formats::epd::Epd;

/// The player whose search depth is measured.
pub const GRADING_PLAYER: &str = "alphabeta";
/// The EPD operation that holds the hardness, and the word it starts with.
const HARDNESS_OPERATION: &str = "c9";
const HARDNESS_TAG: &str = "hardness";

/// Difficulty of a problem.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hardness {
    /// Solved from this depth on.
    Depth(u32),
    /// Not solved at this depth.
    Beyond(u32),
}

impl Hardness {
    /// Text such as `4` or `beyond 5`.
    pub fn text(self) -> String {
        match self {
            Hardness::Depth(depth) => depth.to_string(),
            Hardness::Beyond(depth) => format!("beyond {depth}"),
        }
    }

    /// Reads the hardness of a line, such as `c9 "hardness 4"`.
    pub(super) fn read(epd: &Epd) -> Option<Hardness> {
        let comment = epd.operation(HARDNESS_OPERATION)?.operands.first()?;
        let words: Vec<&str> = comment.split_whitespace().collect();
        match words[..] {
            [HARDNESS_TAG, depth] => Some(Hardness::Depth(depth.parse().ok()?)),
            [HARDNESS_TAG, "beyond", depth] => Some(Hardness::Beyond(depth.parse().ok()?)),
            _ => None,
        }
    }
}

/// Measures the hardness of each problem up to `max_depth` plies; calls `on_depth` after every depth.
///
/// # Errors
/// If the player fails.
pub fn grade(
    problems: &[SuiteProblem],
    max_depth: u32,
    threads: usize,
    on_depth: &mut dyn FnMut(u32),
) -> Result<Vec<Hardness>, PlayerError> {
    let mut found = vec![Hardness::Beyond(max_depth); problems.len()];
    for depth in 1..=max_depth {
        let options = SolveOptions {
            player: GRADING_PLAYER.to_owned(),
            limits: Limits { depth: Some(depth), ..Limits::default() },
            threads,
            seed: 1,
            asked: Asked::Key,
        };
        let answers = solve_suite(problems, &options, &mut |_| {})?;
        for (hardness, answer) in found.iter_mut().zip(answers) {
            *hardness = match *hardness {
                _ if !answer.solved => Hardness::Beyond(max_depth),
                Hardness::Depth(since) => Hardness::Depth(since),
                Hardness::Beyond(_) => Hardness::Depth(depth),
            };
        }
        on_depth(depth);
    }
    Ok(found)
}

/// Adds the hardness of every problem to the text of a suite, which is otherwise unchanged.
///
/// # Errors
/// If the suite cannot be read or the player fails.
pub fn graded(
    text: &str,
    max_depth: u32,
    threads: usize,
    on_depth: &mut dyn FnMut(u32),
) -> Result<String, PlayerError> {
    let mut hardness = grade(&read(text)?, max_depth, threads, on_depth)?.into_iter();
    let mut graded = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim_end();
        graded += line;
        if !line.is_empty() && !line.starts_with('#') {
            let hardness = hardness.next().map_or(String::new(), Hardness::text);
            graded.truncate(graded.len() - line.len());
            graded += &without_mark(line);
            graded += &format!(" {HARDNESS_OPERATION} \"{HARDNESS_TAG} {hardness}\";");
        }
        graded.push('\n');
    }
    Ok(graded)
}

/// A line without its previous hardness.
fn without_mark(line: &str) -> String {
    let mark = format!(" {HARDNESS_OPERATION} \"{HARDNESS_TAG}");
    let Some(start) = line.find(&mark) else { return line.to_owned() };
    let end = line[start..].find(';').map_or(line.len(), |end| start + end + 1);
    format!("{}{}", &line[..start], &line[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = "# two\n\
        kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"Morphy\";\n\
        \n\
        rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; c9 \"hardness 9\"; id \"fool\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Nxa5; id \"wrong\";\n";

    #[test]
    fn problems_are_as_hard_as_alpha_beta_finds_them() {
        let problems = read(SUITE).unwrap();
        assert_eq!(problems[1].hardness, Some(Hardness::Depth(9)));
        let mut depths = Vec::new();
        let text = graded(SUITE, 4, 2, &mut |depth| depths.push(depth)).unwrap();
        assert_eq!(depths, [1, 2, 3, 4]);
        let problems = read(&text).unwrap();
        let [morphy, fool, wrong] = &problems[..] else { panic!("{problems:?}") };
        // Mate in two takes three plies; a shallower search may find the key by chance.
        assert!(morphy.hardness <= Some(Hardness::Depth(3)));
        assert_eq!(fool.hardness, Some(Hardness::Depth(1)));
        assert_eq!(wrong.hardness, Some(Hardness::Beyond(4)));
        assert_eq!(wrong.hardness.unwrap().text(), "beyond 4");
        assert_eq!(graded(&text, 4, 1, &mut |_| {}).unwrap(), text, "it is marked once");
        assert!(text.starts_with("# two\n") && text.lines().count() == SUITE.lines().count());
    }
}
