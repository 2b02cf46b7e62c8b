//! `ludus suite`: mines chess problems from games and has players solve them.

use super::{Common, limits::LimitArgs, progress::ProgressReporter, write_json};
use crate::error::bad_input;
use clap::{Subcommand, ValueEnum};
use ludus_arena::suite::{
    SuiteProblem,
    grade::graded,
    mine::{MiningOptions, ProblemKind, mine},
    read,
    run::{Answer, Asked, SolveOptions, solve_suite},
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

/// Mine chess problems from games, solve them with a player, or measure their difficulty
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
/// The suites in data/suites were made this way; their first lines hold the commands. The defaults
/// require Stockfish.
#[derive(clap::Args)]
struct MineArgs {
    /// Kind of problem
    kind: KindArg,
    /// Number of problems, half of them for each side to move
    #[arg(long, default_value_t = 300, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    count: u16,
    /// Player of the games; can be repeated
    #[arg(long = "player", value_name = "PLAYER", default_values = [
        "uci:path=stockfish,depth=1", "uci:path=stockfish,depth=3", "uci:path=stockfish,depth=5"])]
    players: Vec<String>,
    /// Random plies at the start of each game
    #[arg(long, default_value_t = 8, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: u8,
    /// Percentage of random moves; if not 0, only positions after random moves are examined
    #[arg(long, default_value_t = 0, value_name = "PERCENT",
          value_parser = clap::value_parser!(u8).range(0..=100))]
    blunders: u8,
    /// Player that must miss the move (tactics)
    #[arg(long, value_name = "PLAYER", default_value = "uci:path=stockfish,depth=1")]
    glance: String,
    /// Player that must find it before the judge is asked; can be repeated (tactics)
    #[arg(long = "scout", value_name = "PLAYER", default_values = [
        "uci:path=stockfish,depth=7", "uci:path=stockfish,depth=10,set=MultiPV=2"])]
    scouts: Vec<String>,
    /// Player that proves it; with MultiPV=2 the other moves need no searches of their own (tactics)
    #[arg(
        long,
        value_name = "PLAYER",
        default_value = "uci:path=stockfish,depth=18,set=MultiPV=2,patience=10m"
    )]
    judge: String,
}

#[derive(Copy, Clone, ValueEnum)]
enum KindArg {
    /// One winning move that a shallow search misses
    Tactics,
    /// One move that forces mate in two
    MateInTwo,
}

/// Solve the problems of a file with a player
///
/// The file is EPD with one problem per line: bm lists the right moves, am wrong ones, dm N asks for a
/// mate in N moves with any key. --line plays mates out. --threads is the number of problems solved in
/// parallel, each with one thread.
#[derive(clap::Args)]
struct RunArgs {
    /// The suite, such as data/suites/chess-tactics.epd
    file: PathBuf,
    /// Player that solves them
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
    /// Play mates out: every move must keep the mate, the best defence (the longest, then the first)
    /// answers. Without it the first move alone decides
    #[arg(long)]
    line: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Measure the hardness of every problem of a file
///
/// The hardness is the depth from which on alphabeta, with the handcrafted evaluation and no unsound
/// pruning, plays a right move. It is appended to the problem as c9 "hardness 4" or c9 "hardness beyond
/// 5", and suite run groups its results by it. The file is written to stdout.
#[derive(clap::Args)]
struct GradeArgs {
    /// The suite, such as data/suites/chess-tactics.epd
    file: PathBuf,
    /// Maximum depth
    #[arg(long, default_value_t = 5, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Mine(args) => run_mine(args, common, out),
        Command::Run(args) => run_solve(args, common, out),
        Command::Grade(args) => run_grade(args, common, out),
    }
}

fn run_mine(args: &MineArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("suites are written as EPD: expected no --json"));
    }
    let recipe = MiningOptions {
        kind: match args.kind {
            KindArg::Tactics => ProblemKind::Tactics,
            KindArg::MateInTwo => ProblemKind::MateInTwo,
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
    let progress = ProgressReporter::new("problems", "found");
    let started = Instant::now();
    let stats = mine(&recipe, &mut |epd, stats| {
        // The header comes with the first problem, so that bad input leaves stdout empty.
        let head = match stats.taken {
            1 => writeln!(out, "# {}", command_line(&recipe)),
            _ => Ok(()),
        };
        let written = head.and_then(|()| writeln!(out, "{epd}")).and_then(|()| out.flush());
        broken = broken.take().or(written.err());
        let games = format!("{} games", stats.games);
        progress.show(stats.taken as u64, recipe.count as u64, &games);
    });
    drop(progress);
    let stats = stats?;
    crate::error::print_message(&format!(
        "{} games, {} positions, {} analysed by the judge, {} proved, {} taken, {:.0} s",
        stats.games,
        stats.positions,
        stats.judged,
        stats.proved,
        stats.taken,
        started.elapsed().as_secs_f64()
    ));
    broken.map_or(Ok(()), |error| Err(error.into()))
}

/// The command that reproduces this suite.
fn command_line(recipe: &MiningOptions) -> String {
    let kind = match recipe.kind {
        ProblemKind::Tactics => "tactics",
        ProblemKind::MateInTwo => "mate-in-two",
    };
    let mut text = format!("ludus suite mine {kind} --count {}", recipe.count);
    let mut add = |name: &str, value: &str| text += &format!(" --{name} {value}");
    recipe.players.iter().for_each(|player| add("player", player));
    add("plies", &recipe.plies.to_string());
    if recipe.blunders > 0 {
        add("blunders", &recipe.blunders.to_string());
    }
    if recipe.kind == ProblemKind::Tactics {
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
        return Err(bad_input("suites are written as EPD: expected no --json"));
    }
    let text = text_of(&args.file)?;
    let progress = ProgressReporter::new("hardness", "plies");
    let all = args.depth.into();
    let graded = graded(&text, args.depth, common.threads(), &mut |depth| {
        progress.show(depth.into(), all, "");
    });
    drop(progress);
    Ok(out.write_all(graded?.as_bytes())?)
}

fn run_solve(args: &RunArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let problems = read(&text_of(&args.file)?)?;
    find_game("chess")?.0.check_player(&args.player, &common.resources())?;
    let options = SolveOptions {
        player: args.player.clone(),
        limits: args.limits.limits(),
        threads: common.threads(),
        seed: common.seed,
        asked: if args.line { Asked::Line } else { Asked::Key },
    };
    let progress = ProgressReporter::new("suite", "problems");
    let (mut done, mut right) = (0, 0);
    let answers = solve_suite(&problems, &options, &mut |answer| {
        done += 1;
        right += usize::from(is_solved(answer));
        progress.show(done, problems.len() as u64, &format!("{right} solved"));
    });
    drop(progress);
    let answers = answers?;
    let solved = answers.iter().filter(|answer| is_solved(answer)).count();
    let keys = answers.iter().filter(|answer| answer.solved).count();
    if common.json {
        let mut document = json!({
            "suite": args.file.display().to_string(),
            "player": args.player,
            "total": answers.len(),
            "solved": solved,
            "by_hardness": by_hardness(&problems, &answers),
            "problems": answers,
        });
        if args.line {
            document["keys"] = json!(keys);
        }
        return write_json(out, &document);
    }
    for answer in answers.iter().filter(|answer| !is_solved(answer)) {
        write_failure(out, answer)?;
    }
    write_times(out, &answers)?;
    for class in by_hardness(&problems, &answers) {
        let HardnessClass { hardness, total, solved } = class;
        writeln!(out, "hardness {hardness}: {solved} of {total} solved")?;
    }
    if args.line {
        writeln!(out, "{keys} of {} first moves found", answers.len())?;
    }
    let percent = 100.0 * solved as f64 / answers.len() as f64;
    Ok(writeln!(out, "{solved} of {} solved ({percent:.1} %)", answers.len())?)
}

/// Whether the answer is right: every move of it, if the line was asked for.
fn is_solved(answer: &Answer) -> bool {
    answer.line.as_ref().map_or(answer.solved, |line| line.solved)
}

/// Results on problems of equal hardness.
#[derive(Serialize)]
struct HardnessClass {
    hardness: String,
    total: usize,
    solved: usize,
}

/// Results by hardness, easiest first.
fn by_hardness(problems: &[SuiteProblem], answers: &[Answer]) -> Vec<HardnessClass> {
    let mut classes = BTreeMap::new();
    for (problem, answer) in problems.iter().zip(answers) {
        let Some(hardness) = problem.hardness else { continue };
        let class = HardnessClass { hardness: hardness.text(), total: 0, solved: 0 };
        let class = classes.entry(hardness).or_insert(class);
        class.total += 1;
        class.solved += usize::from(is_solved(answer));
    }
    classes.into_values().collect()
}

fn write_failure(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let Answer { id, position, solutions, played, depth, .. } = answer;
    if let Some(line) = answer.line.as_ref().filter(|_| answer.solved) {
        let line = line.moves.join(" ");
        return Ok(writeln!(out, "{id}: {line} (depth {depth}) is no forced mate in {position}")?);
    }
    let played = played.as_deref().unwrap_or("resigned");
    let solutions = solutions.join(" ");
    Ok(writeln!(out, "{id}: {played} (depth {depth}) instead of {solutions} in {position}")?)
}

/// Percentiles of the time to the solution, if the player reports progress.
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
