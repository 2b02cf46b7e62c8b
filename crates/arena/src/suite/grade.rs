//! How hard the problems of a suite are: how deep plain alpha-beta has to look.
//!
//! A measure that needs nobody's opinion: the depth from which on `alphabeta`, which prunes only what
//! cannot matter, plays a right move, up to a depth at which it is given up. A suite whose problems are
//! all easy by it tells players apart by speed at best.

use super::{
    Problem, read,
    run::{Examination, examine},
};
use ludus_core::{Limits, PlayerError};
use ludus_formats::epd::Epd;

/// Whose depth it is.
pub const MEASURE: &str = "alphabeta";
/// The comment of a line that says it, and how it begins.
const COMMENT: &str = "c9";
const WORD: &str = "hardness";

/// How hard a problem is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hardness {
    /// It is solved from this depth on.
    Depth(u32),
    /// It is not solved at this depth.
    Beyond(u32),
}

impl Hardness {
    /// In words, such as `4` or `beyond 5`.
    pub fn words(self) -> String {
        match self {
            Hardness::Depth(depth) => depth.to_string(),
            Hardness::Beyond(depth) => format!("beyond {depth}"),
        }
    }

    /// What a line says of itself, such as `c9 "hardness 4"`.
    pub(super) fn of(epd: &Epd) -> Option<Hardness> {
        let comment = epd.operation(COMMENT)?.operands.first()?;
        let words: Vec<&str> = comment.split_whitespace().collect();
        match words[..] {
            [WORD, depth] => Some(Hardness::Depth(depth.parse().ok()?)),
            [WORD, "beyond", depth] => Some(Hardness::Beyond(depth.parse().ok()?)),
            _ => None,
        }
    }
}

/// How hard each of `problems` is, if alpha-beta looks `deepest` plies ahead at most; `on_depth` hears
/// of every depth that is done.
///
/// # Errors
/// If the player fails.
pub fn grade(
    problems: &[Problem],
    deepest: u32,
    threads: usize,
    on_depth: &mut dyn FnMut(u32),
) -> Result<Vec<Hardness>, PlayerError> {
    let mut found = vec![Hardness::Beyond(deepest); problems.len()];
    for depth in 1..=deepest {
        let examination = Examination {
            player: MEASURE.to_owned(),
            limits: Limits { depth: Some(depth), ..Limits::default() },
            threads,
            seed: 1,
        };
        let answers = examine(problems, &examination, &mut |_| {})?;
        for (hardness, answer) in found.iter_mut().zip(answers) {
            *hardness = match *hardness {
                _ if !answer.solved => Hardness::Beyond(deepest),
                Hardness::Depth(since) => Hardness::Depth(since),
                Hardness::Beyond(_) => Hardness::Depth(depth),
            };
        }
        on_depth(depth);
    }
    Ok(found)
}

/// The text of a suite with the hardness of every problem in it; all else stays as it is.
///
/// # Errors
/// If the suite cannot be read or the player fails.
pub fn graded(
    text: &str,
    deepest: u32,
    threads: usize,
    on_depth: &mut dyn FnMut(u32),
) -> Result<String, PlayerError> {
    let mut hardness = grade(&read(text)?, deepest, threads, on_depth)?.into_iter();
    let mut graded = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim_end();
        graded += line;
        if !line.is_empty() && !line.starts_with('#') {
            let hardness = hardness.next().map_or(String::new(), Hardness::words);
            graded.truncate(graded.len() - line.len());
            graded += &without_mark(line);
            graded += &format!(" {COMMENT} \"{WORD} {hardness}\";");
        }
        graded.push('\n');
    }
    Ok(graded)
}

/// A line without the mark it had.
fn without_mark(line: &str) -> String {
    let mark = format!(" {COMMENT} \"{WORD}");
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
        // Mate in two is three plies; what a search makes of it that sees less is chance.
        assert!(morphy.hardness <= Some(Hardness::Depth(3)));
        assert_eq!(fool.hardness, Some(Hardness::Depth(1)));
        assert_eq!(wrong.hardness, Some(Hardness::Beyond(4)));
        assert_eq!(wrong.hardness.unwrap().words(), "beyond 4");
        assert_eq!(graded(&text, 4, 1, &mut |_| {}).unwrap(), text, "it is marked once");
        assert!(text.starts_with("# two\n") && text.lines().count() == SUITE.lines().count());
    }
}
