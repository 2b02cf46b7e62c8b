//! Development tasks, run as `cargo xtask TASK`. One file per task.
#![forbid(unsafe_code)]

mod api;
mod calm;
mod command;
mod gtp;
mod guards;
mod instructions;
mod packages;
mod peers;
mod playthroughs;
mod portable;
mod python;
mod ratings;
mod report;
mod slow_tests;
mod suite;
mod test;
mod web;

use std::{env, process::ExitCode};

const USAGE: &str = "\
usage: cargo xtask TASK

  test [--quick]            formatting, lints, guards, tests, documentation, licences;
                            --quick skips the browser tests, the large perft counts, documentation,
                            licences and the tests that were slow in the last complete run, and
                            lists what it skipped
  guards                    conventions of comments, type names, dependencies and the glossary
  calm [--rounds N] [--busy N]
                            stress test: the tests that use a browser, a server, a clock or another
                            process, N rounds (10) beside N busy threads (4)
  portable                  the tests, built for the baseline processor of this architecture
  peers [--only games|networks] [--markdown FILE]
                            playouts and simulations per second compared with OpenSpiel, and the
                            convolutional network with PyTorch
  gtp [--minutes N] [--games N]
                            fuzz `ludus gtp` with random commands (10 minutes) and compare it with
                            GNU Go (200 games)
  instructions BINARY [OTHER]
                            instructions per node of every player in the release build (or OTHER)
                            compared with BINARY, counted by valgrind
  playthroughs              regenerate the golden playthroughs, for review as a diff
  types                     regenerate web/types.d.ts, the API types of the browser app
  ratings                   play the tournaments in data/ratings and write data/ratings.toml";

enum Task {
    Help,
    Test(test::TestScope),
    Guards,
    Calm(calm::StressLoad),
    Portable,
    Peers(peers::PeerComparisons),
    Gtp(gtp::GtpTestSize),
    Instructions(instructions::Builds),
    Playthroughs,
    Types,
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
        Task::Test(scope) => return test::run(scope),
        Task::Guards => return test::guards_alone(),
        Task::Calm(load) => calm::run(load),
        Task::Portable => return portable::run(),
        Task::Peers(comparisons) => peers::run(&comparisons),
        Task::Gtp(size) => gtp::run(size),
        Task::Instructions(builds) => instructions::compare(&builds),
        Task::Playthroughs => playthroughs::run(),
        Task::Types => web::types(),
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
        ["test"] => Task::Test(test::TestScope::Everything),
        ["test", "--quick"] => Task::Test(test::TestScope::Quick),
        ["guards"] => Task::Guards,
        ["calm", ref rest @ ..] => Task::Calm(calm::parse(rest)?),
        ["portable"] => Task::Portable,
        ["peers", ref rest @ ..] => Task::Peers(peers::parse(rest)?),
        ["gtp", ref rest @ ..] => Task::Gtp(gtp::parse(rest)?),
        ["instructions", ref rest @ ..] => Task::Instructions(instructions::parse_builds(rest)?),
        ["playthroughs"] => Task::Playthroughs,
        ["types"] => Task::Types,
        ["ratings"] => Task::Ratings,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_valid(text: &str) -> bool {
        let words: Vec<String> = text.split_whitespace().map(String::from).collect();
        parse(&words).is_some()
    }

    #[test]
    fn tasks_are_parsed_and_typos_rejected() {
        for text in [
            "",
            "help",
            "test",
            "test --quick",
            "peers --markdown x.md",
            "peers --only networks",
            "guards",
            "portable",
            "types",
            "gtp --minutes 1",
            "instructions old/ludus",
            "calm --rounds 2 --busy 0",
        ] {
            assert!(is_valid(text), "{text}");
        }
        for text in [
            "tset",
            "test --quik",
            "peers --markdown",
            "peers --only chess",
            "portable now",
            "gtp --minutes",
            "instructions",
        ] {
            assert!(!is_valid(text), "{text}");
        }
    }
}
