//! `ludus suite`: sets of chess problems, mined from games and set to players.

use super::{Common, limits::LimitArgs, progress::Progress, write_json};
use crate::error::bad_input;
use clap::{Subcommand, ValueEnum};
use ludus_arena::suite::{
    Problem,
    grade::graded,
    mine::{Kind, MineRecipe, mine},
    read,
    run::{Answer, Examination, examine},
};
use ludus_core::TextError;
use ludus_players::find_game;
use serde::Serialize;
use serde_json::json;
use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

/// Mine chess problems from games, set them to a player, or say how hard they are
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Mine(MineArgs),
    Run(RunArgs),
    Grade(GradeArgs),
}

/// Find problems in quick games, prove them, and write them as EPD
///
/// The suites under data/suites were made so; their first lines say how. The defaults need
/// Stockfish.
#[derive(clap::Args)]
struct MineArgs {
    /// What to look for
    kind: KindArg,
    /// How many problems, half of them for each side
    #[arg(long, default_value_t = 300, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Who plays the games; may be given several times
    #[arg(long = "player", value_name = "PLAYER", default_values = [
        "uci:path=stockfish,depth=1", "uci:path=stockfish,depth=3", "uci:path=stockfish,depth=5"])]
    players: Vec<String>,
    /// Random plies before they begin
    #[arg(long, default_value_t = 8, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Percent of their moves made at random; if there are any, problems are looked for after these
    #[arg(long, default_value_t = 0, value_name = "PERCENT",
          value_parser = clap::value_parser!(u8).range(0..=100))]
    blunders: u8,
    /// Who must not find the move (tactics)
    #[arg(long, value_name = "PLAYER", default_value = "uci:path=stockfish,depth=1")]
    glance: String,
    /// Who must find it before the judge is asked; may be given several times (tactics)
    #[arg(long = "scout", value_name = "PLAYER", default_values = [
        "uci:path=stockfish,depth=7", "uci:path=stockfish,depth=10,set=MultiPV=2"])]
    scouts: Vec<String>,
    /// Who proves it; one that tells two lines saves looking at every other move (tactics)
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "uci:path=stockfish,depth=18,set=MultiPV=2,patience=10m"
    )]
    judge: String,
}

#[derive(Copy, Clone, ValueEnum)]
enum KindArg {
    /// One winning move that a glance does not show
    Tactics,
    /// One move that forces mate in two
    MateInTwo,
}

/// Set the problems of a file to a player
///
/// The file is EPD, a problem a line: bm names the right moves, am wrong ones, dm asks for a mate in
/// so many moves by any key. With --threads, so many problems are set at the same time; the player
/// thinks about each with one thread.
#[derive(clap::Args)]
struct RunArgs {
    /// The suite, such as data/suites/chess-tactics.epd
    file: PathBuf,
    /// Who is to solve them
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Say of every problem of a file how hard it is
///
/// That is the depth from which on alphabeta, with the hand evaluation and no guesses, plays a right
/// move. It is written behind the problem, as c9 "hardness 4" or c9 "hardness beyond 5", and suite run
/// counts by it. The file goes to stdout.
#[derive(clap::Args)]
struct GradeArgs {
    /// The suite, such as data/suites/chess-tactics.epd
    file: PathBuf,
    /// The deepest it looks
    #[arg(long, default_value_t = 5, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Mine(args) => run_mine(args, common, out),
        Command::Run(args) => run_suite(args, common, out),
        Command::Grade(args) => run_grade(args, common, out),
    }
}

fn run_mine(args: &MineArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("suites are written as EPD, expected no --json"));
    }
    let recipe = MineRecipe {
        kind: match args.kind {
            KindArg::Tactics => Kind::Tactics,
            KindArg::MateInTwo => Kind::MateInTwo,
        },
        count: args.count.into(),
        players: args.players.clone(),
        plies: args.plies.into(),
        blunders: args.blunders,
        glance: args.glance.clone(),
        scouts: args.scouts.clone(),
        judge: args.judge.clone(),
        seed: common.seed,
        threads: common.threads(),
    };
    let mut broken = None;
    let progress = Progress::new("problems", "found");
    let started = Instant::now();
    let tally = mine(&recipe, &mut |epd, tally| {
        // The head line waits for the first problem: bad input leaves stdout empty.
        let head = match tally.taken {
            1 => writeln!(out, "# {}", command_line(&recipe)),
            _ => Ok(()),
        };
        let written = head.and_then(|()| writeln!(out, "{epd}")).and_then(|()| out.flush());
        broken = broken.take().or(written.err());
        let games = format!("{} games", tally.games);
        progress.show(tally.taken as u64, recipe.count as u64, &games);
    });
    drop(progress);
    let tally = tally?;
    crate::error::say(&format!(
        "{} games, {} positions, {} put before the judge, {} proved, {} taken, {:.0} s",
        tally.games,
        tally.positions,
        tally.judged,
        tally.proved,
        tally.taken,
        started.elapsed().as_secs_f64()
    ));
    broken.map_or(Ok(()), |error| Err(error.into()))
}

/// The command that makes this suite again.
fn command_line(recipe: &MineRecipe) -> String {
    let kind = match recipe.kind {
        Kind::Tactics => "tactics",
        Kind::MateInTwo => "mate-in-two",
    };
    let mut text = format!("ludus suite mine {kind} --count {}", recipe.count);
    let mut add = |name: &str, value: &str| text += &format!(" --{name} {value}");
    recipe.players.iter().for_each(|player| add("player", player));
    add("plies", &recipe.plies.to_string());
    if recipe.blunders > 0 {
        add("blunders", &recipe.blunders.to_string());
    }
    if recipe.kind == Kind::Tactics {
        add("glance", &recipe.glance);
        recipe.scouts.iter().for_each(|scout| add("scout", scout));
        add("judge", &recipe.judge);
    }
    add("seed", &recipe.seed.to_string());
    text
}

fn text_of(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file)
        .map_err(|error| bad_input(format!("cannot read {}: {error}", file.display())))?;
    Ok(String::from_utf8(bytes).map_err(|error| {
        TextError::whole("suite", &file.display().to_string(), format!("UTF-8: {error}"))
    })?)
}

fn run_grade(args: &GradeArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("suites are written as EPD, expected no --json"));
    }
    let text = text_of(&args.file)?;
    let progress = Progress::new("hardness", "plies");
    let all = args.depth.into();
    let graded = graded(&text, args.depth, common.threads(), &mut |depth| {
        progress.show(depth.into(), all, "");
    });
    drop(progress);
    Ok(out.write_all(graded?.as_bytes())?)
}

fn run_suite(args: &RunArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let problems = read(&text_of(&args.file)?)?;
    find_game("chess")?.0.check_player(&args.player, &common.resources())?;
    let examination = Examination {
        player: args.player.clone(),
        limits: args.limits.limits(),
        threads: common.threads(),
        seed: common.seed,
    };
    let progress = Progress::new("suite", "problems");
    let (mut done, mut right) = (0, 0);
    let answers = examine(&problems, &examination, &mut |answer| {
        done += 1;
        right += usize::from(answer.solved);
        progress.show(done, problems.len() as u64, &format!("{right} solved"));
    });
    drop(progress);
    let answers = answers?;
    let solved = answers.iter().filter(|answer| answer.solved).count();
    if common.json {
        let document = json!({
            "suite": args.file.display().to_string(),
            "player": args.player,
            "total": answers.len(),
            "solved": solved,
            "by_hardness": by_hardness(&problems, &answers),
            "problems": answers,
        });
        return write_json(out, &document);
    }
    for answer in answers.iter().filter(|answer| !answer.solved) {
        write_failure(out, answer)?;
    }
    write_times(out, &answers)?;
    for class in by_hardness(&problems, &answers) {
        let Class { hardness, total, solved } = class;
        writeln!(out, "hardness {hardness}: {solved} of {total} solved")?;
    }
    let percent = 100.0 * solved as f64 / answers.len() as f64;
    Ok(writeln!(out, "{solved} of {} solved ({percent:.1} %)", answers.len())?)
}

/// Problems that are equally hard.
#[derive(Serialize)]
struct Class {
    hardness: String,
    total: usize,
    solved: usize,
}

/// The problems by how hard the file says they are, the easiest first.
fn by_hardness(problems: &[Problem], answers: &[Answer]) -> Vec<Class> {
    let mut classes = BTreeMap::new();
    for (problem, answer) in problems.iter().zip(answers) {
        let Some(hardness) = problem.hardness else { continue };
        let words = hardness.words();
        let class = Class { hardness: words, total: 0, solved: 0 };
        let class = classes.entry(hardness).or_insert(class);
        class.total += 1;
        class.solved += usize::from(answer.solved);
    }
    classes.into_values().collect()
}

fn write_failure(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let Answer { id, position, solutions, played, depth, .. } = answer;
    let played = played.as_deref().unwrap_or("resigned");
    let solutions = solutions.join(" ");
    Ok(writeln!(out, "{id}: {played} (depth {depth}) instead of {solutions} in {position}")?)
}

/// How soon the right moves were found, as far as the player told.
fn write_times(out: &mut impl Write, answers: &[Answer]) -> anyhow::Result<()> {
    let mut times: Vec<f64> = answers.iter().filter_map(|answer| answer.solved_after).collect();
    if times.is_empty() {
        return Ok(());
    }
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    Ok(writeln!(
        out,
        "seconds to the solution: half within {:.3}, 90 % within {:.3}, all within {:.3}",
        at(50),
        at(90),
        at(100)
    )?)
}
