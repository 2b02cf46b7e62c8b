//! Development tasks, run as `cargo xtask TASK`. One file a task.

mod calm;
mod command;
mod gtp;
mod instructions;
mod packages;
mod peers;
mod playthroughs;
mod portable;
mod ratings;
mod report;
mod suite;
mod test;
mod web;

use std::{env, path::PathBuf, process::ExitCode};

const USAGE: &str = "\
usage: cargo xtask TASK

  test [--quick]            format, lints, tests, documentation, licences;
                            --quick is for the time between: it leaves out the browser, the large perft
                            counts, documentation and licences, and says so
  calm [--rounds N] [--busy N]
                            the tests that use a browser, a server, a clock or another process,
                            N rounds (10) beside N threads that keep the processor busy (4)
  portable                  the tests again, built for the plainest processor of this kind
  peers [--markdown FILE]   playouts and simulations per second beside OpenSpiel's, in the same run
  gtp [--minutes N] [--games N]
                            random commands for `ludus gtp` (10 minutes) and games beside GNU Go (200)
  instructions BINARY [OTHER]
                            instructions a node of every player in the release build (or OTHER)
                            beside those in BINARY, counted by valgrind
  playthroughs              write the golden playthroughs anew, for review as a diff
  ratings                   play the tournaments in data/ratings and write data/ratings.toml";

enum Task {
    Help,
    Test(test::Extent),
    Calm(calm::Extent),
    Portable,
    Peers(Option<PathBuf>),
    Gtp(gtp::Extent),
    Instructions(instructions::Builds),
    Playthroughs,
    Ratings,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(task) = parse(&arguments) else {
        eprintln!("no such task: {}\n\n{USAGE}", arguments.join(" "));
        return ExitCode::from(2);
    };
    let done = match task {
        Task::Help => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Task::Test(extent) => return test::run(extent),
        Task::Calm(extent) => calm::run(extent),
        Task::Portable => return portable::run(),
        Task::Peers(markdown) => peers::run(markdown.as_deref()),
        Task::Gtp(extent) => gtp::run(extent),
        Task::Instructions(builds) => instructions::compare(&builds),
        Task::Playthroughs => playthroughs::run(),
        Task::Ratings => ratings::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Option<Task> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    Some(match words[..] {
        [] | ["help" | "--help" | "-h"] => Task::Help,
        ["test"] => Task::Test(test::Extent::Everything),
        ["test", "--quick"] => Task::Test(test::Extent::Quick),
        ["calm", ref rest @ ..] => Task::Calm(calm::parse(rest)?),
        ["portable"] => Task::Portable,
        ["peers"] => Task::Peers(None),
        ["peers", "--markdown", file] => Task::Peers(Some(file.into())),
        ["gtp", ref rest @ ..] => Task::Gtp(gtp::parse(rest)?),
        ["instructions", ref rest @ ..] => Task::Instructions(instructions::parse_builds(rest)?),
        ["playthroughs"] => Task::Playthroughs,
        ["ratings"] => Task::Ratings,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn understood(text: &str) -> bool {
        let words: Vec<String> = text.split_whitespace().map(String::from).collect();
        parse(&words).is_some()
    }

    #[test]
    fn tasks_are_understood_and_mistakes_refused() {
        for text in [
            "",
            "help",
            "test",
            "test --quick",
            "peers --markdown x.md",
            "portable",
            "gtp --minutes 1",
            "instructions old/ludus",
            "calm --rounds 2 --busy 0",
        ] {
            assert!(understood(text), "{text}");
        }
        for text in [
            "tset",
            "test --quik",
            "peers --markdown",
            "portable now",
            "gtp --minutes",
            "instructions",
        ] {
            assert!(!understood(text), "{text}");
        }
    }
}
