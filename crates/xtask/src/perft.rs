//! The large perft counts, in the release build: `perft.txt` beside this package's `Cargo.toml`.

use crate::{
    command::{cargo, ludus, output, run, shown},
    report::{Report, Tally},
};
use anyhow::{Context, Result, bail};
use std::time::Instant;

const COUNTS: &str = include_str!("../perft.txt");

/// One line of the file.
#[derive(Debug, PartialEq, Eq)]
struct Count<'a> {
    game: &'a str,
    depth: &'a str,
    leaves: &'a str,
    from: From<'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum From<'a> {
    Start,
    /// From the start, every path of a move counted.
    StartByPaths,
    Position(&'a str),
}

pub fn step(report: &mut Report) {
    let mut build = cargo(&["build", "--release", "--package", "ludus-app"]);
    report.step(&shown(&build), || run(&mut build).map(|()| Tally::PASS));
    report.step("ludus perft, release build", || {
        let mut tally = Tally::default();
        for count in parse(COUNTS)? {
            tally.add(check(&count));
        }
        Ok(tally)
    });
}

fn check(count: &Count) -> Tally {
    let arguments = arguments(count);
    let start = Instant::now();
    let outcome = output(&mut ludus(&arguments)).and_then(|text| compare(count, &text));
    let seconds = start.elapsed().as_secs_f64();
    match outcome {
        Ok(()) => {
            println!("{} = {} ({seconds:.1} s)", arguments.join(" "), count.leaves);
            Tally::PASS
        }
        Err(error) => {
            println!("{error:#}");
            Tally::FAIL
        }
    }
}

fn arguments<'a>(count: &Count<'a>) -> Vec<&'a str> {
    let mut arguments = vec!["perft", count.game, count.depth];
    match count.from {
        From::Start => {}
        From::StartByPaths => arguments.push("--keep-duplicates"),
        From::Position(text) => arguments.extend(["--position", text]),
    }
    arguments
}

/// The last line of the output is `perft(D) = N`.
fn compare(count: &Count, output: &str) -> Result<()> {
    let found = output.lines().last().unwrap_or_default();
    let expected = format!("perft({}) = {}", count.depth, count.leaves);
    if found != expected {
        let arguments = arguments(count).join(" ");
        bail!("{arguments} ends with {found:?}, expected {expected:?}");
    }
    Ok(())
}

fn parse(text: &str) -> Result<Vec<Count<'_>>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| parse_line(line).with_context(|| format!("perft.txt: {line:?}"))).collect()
}

fn parse_line(line: &str) -> Result<Count<'_>> {
    let words: Vec<&str> = line.splitn(4, ' ').collect();
    let (&[game, depth, leaves], rest) = words.split_first_chunk().context("three words")?;
    let from = match rest {
        [] => From::Start,
        ["paths"] => From::StartByPaths,
        [rest] => {
            From::Position(rest.strip_prefix("position ").context("\"paths\" or \"position …\"")?)
        }
        _ => unreachable!("four pieces at most"),
    };
    depth.parse::<u32>().context("a depth")?;
    leaves.parse::<u64>().context("a number of leaves")?;
    Ok(Count { game, depth, leaves, from })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_well_formed() {
        assert!(parse(COUNTS).unwrap().len() >= 10);
    }

    #[test]
    fn lines_become_arguments() {
        let count = parse_line("chess 5 193690690 position 8/8 w - -").unwrap();
        assert_eq!(arguments(&count), ["perft", "chess", "5", "--position", "8/8 w - -"]);
        let count = parse_line("draughts 12 388623673 paths").unwrap();
        assert_eq!(arguments(&count), ["perft", "draughts", "12", "--keep-duplicates"]);
        assert!(parse_line("draughts 12").is_err());
        assert!(parse_line("draughts 12 3 pahts").is_err());
    }

    #[test]
    fn only_the_right_last_line_will_do() {
        let count = parse_line("connect4 2 49").unwrap();
        assert!(compare(&count, "a: 7\nperft(2) = 49\n").is_ok());
        assert!(compare(&count, "perft(2) = 490\n").is_err());
        assert!(compare(&count, "").is_err());
    }
}
