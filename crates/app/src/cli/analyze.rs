//! `ludus analyze`: analysis of a position by a player.

use super::{Common, limits::LimitArgs, progress, write_json};
use crate::{
    records::write_whole,
    terminal::{TerminalStyle, draw},
};
use ludus_core::{
    Proof,
    eval::{EvalPart, PartWeight},
};
use ludus_players::{
    Analysis, AnalysisControl, Board, EvalExplanation, MoveScore, ReportNumbers, TableUse,
    find_game,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::{cmp::Reverse, io::Write, path::PathBuf, sync::atomic::AtomicBool};

/// Analyse a position with a player
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as go:size=9
    game: String,
    /// Position (default: the start position)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Moves to play from there
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Player
    #[arg(long, default_value = "minimax", value_name = "PLAYER")]
    player: String,
    /// Show the N best moves with their lines (MultiPV), all searched to the same depth
    #[arg(long, value_name = "N", conflicts_with = "trace",
          value_parser = clap::value_parser!(u16).range(1..=500))]
    lines: Option<u16>,
    /// Show the terms of the handcrafted evaluation
    #[arg(long)]
    explain: bool,
    /// Save a trace of the search, by nodes or simulations, as JSON to this file (format: docs/SEARCH.md
    /// and docs/MCTS.md)
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Maximum number of nodes or simulations in the trace
    #[arg(long, default_value_t = 10_000, value_name = "N", requires = "trace",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    trace_size: u32,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Minimum number of moves to show, including those without a line.
const MIN_MOVES_SHOWN: usize = 10;

/// The JSON of this command.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    analysis: Analysis,
    /// Terms of the handcrafted evaluation, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Value>,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    game.check_player(&args.player, &common.resources())?;
    let mut board = game.open(&options, args.position.as_deref())?;
    for mv in &args.moves {
        board.play(mv)?;
    }
    if board.ending().is_some() {
        return Err(crate::error::bad_input(format!(
            "the game is over in {}: expected a position with legal moves",
            board.position()
        )));
    }
    let shown =
        progress::ProgressReporter::new(format!("analysis by {}", args.player), "positions");
    let mut progress = AnalysisControl {
        limits: args.limits.limits(),
        stop: &AtomicBool::new(false),
        on_report: &mut |report| {
            let ReportNumbers { depth, nodes, .. } = report.numbers;
            // Most reports come before anything is displayed: no text of moves is made for them.
            let note = match shown.is_displayed() {
                true => progress_note(&report.analysis()),
                false => format!("depth {depth}"),
            };
            shown.show(nodes, 0, &note);
        },
    };
    let lines = args.lines.unwrap_or(1).into();
    let analysis = match &args.trace {
        Some(file) => {
            let size = args.trace_size as usize;
            let resources = common.resources();
            let (analysis, trace) = board.trace(&args.player, size, &resources, &mut progress)?;
            write_whole(file, |file| Ok(serde_json::to_writer(file, &trace)?))?;
            analysis
        }
        None => board.analyze_lines(&args.player, lines, &common.resources(), &mut progress)?,
    };
    drop(shown);
    let explanation =
        if args.explain { Some(game.explain(&options, Some(&board.position()))?) } else { None };
    if common.json {
        let evaluation = explanation.as_ref().map(explanation_json);
        return write_json(out, &Document { analysis, evaluation });
    }
    write!(out, "{}", draw(&board.view(), &board.last_move_cells(), &TerminalStyle::detect()))?;
    write_analysis(out, &analysis, &*board)?;
    explanation.map_or(Ok(()), |explanation| write_explanation(out, &explanation))
}

/// Progress text of a running search.
fn progress_note(analysis: &Analysis) -> String {
    let Analysis { depth, best, score_words, .. } = analysis;
    format!("depth {depth}, best {} {score_words}", best.as_deref().unwrap_or("resign"))
}

fn write_analysis(
    out: &mut impl Write,
    analysis: &Analysis,
    board: &dyn Board,
) -> anyhow::Result<()> {
    let side = board.side_name(board.turn());
    writeln!(out, "{side} to move in {}", analysis.position)?;
    writeln!(out, "best   {}", analysis.best.as_deref().unwrap_or("resign"))?;
    let unproven = analysis.proof == Proof::NotFound;
    let remark = if unproven { ", not proven" } else { "" };
    if analysis.score.is_some() {
        writeln!(out, "score  {} for {side}{remark}", analysis.score_words)?;
    } else if unproven {
        writeln!(out, "score  not proven within the limits")?;
    }
    if let Some(margin) = analysis.margin {
        writeln!(out, "proved {}", margin.text(board))?;
    }
    writeln!(out, "line   {}", analysis.pv.join(" "))?;
    let Analysis { depth, nodes, leaves, seconds, .. } = analysis;
    writeln!(out, "depth {depth}, {nodes} nodes, {leaves} leaves, {seconds:.3} s")?;
    if let Some(table) = analysis.table {
        write_table_use(out, table)?;
    }
    write_moves(out, analysis, board)
}

/// Writes the moves, those with a line of their own first.
fn write_moves(out: &mut impl Write, analysis: &Analysis, board: &dyn Board) -> anyhow::Result<()> {
    let several = analysis.moves.iter().any(|entry| entry.rank > Some(1));
    let mut moves: Vec<&MoveScore> = analysis.moves.iter().collect();
    // Moves with more visits come first.
    moves.sort_by_key(|entry| {
        let rank = entry.rank.filter(|_| several).unwrap_or(usize::MAX);
        (rank, Reverse((entry.visits, entry.score)))
    });
    let ranked = moves.iter().filter(|entry| several && entry.rank.is_some()).count();
    for entry in moves.iter().take(ranked.max(MIN_MOVES_SHOWN)) {
        let score = match entry.score {
            Some(_) => entry.score_words.as_str(),
            None if analysis.proof == Proof::NotSought => "-",
            None => "not proven",
        };
        let visits = match entry.visits {
            0 => String::new(),
            visits => format!("  {visits} visits"),
        };
        let margin = entry.margin.filter(|_| several);
        let margin = margin.map_or(String::new(), |it| format!("  {}", it.text(board)));
        let line = match entry.rank {
            Some(rank) if several => format!("  {rank}: {}", entry.pv.join(" ")),
            _ => String::new(),
        };
        writeln!(out, "  {:<10} {score}{visits}{margin}{line}", entry.mv)?;
    }
    Ok(())
}

fn write_table_use(out: &mut impl Write, table: TableUse) -> anyhow::Result<()> {
    let TableUse { capacity, used, probes, hits, cutoffs, stores, overwrites, lost } = table;
    writeln!(
        out,
        "table: {used} of {capacity} entries in use, {probes} probes, {hits} hits, {cutoffs} cutoffs, \
         {stores} stores, {overwrites} overwrites, {lost} lost"
    )?;
    Ok(())
}

fn write_explanation(out: &mut impl Write, explanation: &EvalExplanation) -> anyhow::Result<()> {
    let EvalExplanation { parts, score } = explanation;
    writeln!(out, "handcrafted evaluation {score}, from (weight x value, first side's view):")?;
    for EvalPart { name, level, weight, value } in parts {
        writeln!(out, "  {:indent$}{name}: {weight} {value}", "", indent = 2 * level)?;
    }
    Ok(())
}

fn explanation_json(explanation: &EvalExplanation) -> Value {
    let describe = |part: &EvalPart| {
        let (kind, weight) = match part.weight {
            PartWeight::Times(weight) => ("weight", weight),
            PartWeight::Percent(factor) => ("percent", factor),
        };
        json!({ "name": part.name, "level": part.level, kind: weight, "value": part.value })
    };
    let parts: Vec<Value> = explanation.parts.iter().map(describe).collect();
    json!({ "score": explanation.score.0, "parts": parts })
}
