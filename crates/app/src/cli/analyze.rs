//! `ludus analyze`: what a player thinks of a position.

use super::{Common, limits::LimitArgs, write_json};
use crate::{
    records::write_whole,
    terminal::{Style, draw},
};
use ludus_core::{
    Score,
    eval::{Part, PartWeight},
};
use ludus_players::{Analysis, Explanation, Progress, Session, TableUse, find_game};
use serde::Serialize;
use serde_json::{Value, json};
use std::{io::Write, path::PathBuf, sync::atomic::AtomicBool};

/// Ask a player about a position
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as go:size=9
    game: String,
    /// The position, instead of the start of the game
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// Moves played from there
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    moves: Vec<String>,
    /// Who is asked
    #[arg(long, default_value = "minimax", value_name = "PLAYER")]
    player: String,
    /// Show what the hand evaluation is made of
    #[arg(long)]
    explain: bool,
    /// Record the search, node by node or simulation by simulation, as JSON in this file
    /// (docs/SEARCH.md and docs/MCTS.md tell what is in it)
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The most nodes (or simulations) to record
    #[arg(long, default_value_t = 10_000, value_name = "N", requires = "trace",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    trace_size: u32,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The JSON of this command.
#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    analysis: Analysis,
    /// What the hand evaluation is made of, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Value>,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    game.check_player(&args.player, &common.resources())?;
    let mut session = game.open(&options, args.position.as_deref())?;
    for mv in &args.moves {
        session.play(mv)?;
    }
    if session.ending().is_some() {
        return Err(crate::error::bad_input(format!(
            "the game is over in {}, expected a position in which it goes on",
            session.position()
        )));
    }
    let mut progress = Progress {
        limits: args.limits.limits(),
        stop: &AtomicBool::new(false),
        on_report: &mut |_| {},
    };
    let analysis = match &args.trace {
        Some(file) => {
            let size = args.trace_size as usize;
            let resources = common.resources();
            let (analysis, trace) = session.trace(&args.player, size, &resources, &mut progress)?;
            write_whole(file, |file| Ok(serde_json::to_writer(file, &trace)?))?;
            analysis
        }
        None => session.analyze(&args.player, &common.resources(), &mut progress)?,
    };
    let explanation =
        if args.explain { Some(game.explain(&options, Some(&session.position()))?) } else { None };
    if common.json {
        let evaluation = explanation.as_ref().map(explanation_json);
        return write_json(out, &Document { analysis, evaluation });
    }
    write!(out, "{}", draw(&session.view(), &session.last_move_cells(), &Style::detect()))?;
    write_analysis(out, &analysis, &*session)?;
    explanation.map_or(Ok(()), |explanation| write_explanation(out, &explanation))
}

fn write_analysis(
    out: &mut impl Write,
    analysis: &Analysis,
    session: &dyn Session,
) -> anyhow::Result<()> {
    writeln!(out, "{} to move in {}", session.side_name(session.turn()), analysis.position)?;
    writeln!(out, "best   {}", analysis.best.as_deref().unwrap_or("resign"))?;
    if let Some(score) = analysis.score {
        writeln!(out, "score  {} for {}", Score(score), session.side_name(session.turn()))?;
    }
    if let Some(margin) = analysis.margin {
        writeln!(out, "proved {}", margin.text(session))?;
    }
    writeln!(out, "line   {}", analysis.pv.join(" "))?;
    let Analysis { depth, nodes, leaves, seconds, .. } = analysis;
    writeln!(out, "depth {depth}, {nodes} nodes, {leaves} leaves, {seconds:.3} s")?;
    if let Some(table) = analysis.table {
        write_table_use(out, table)?;
    }
    let mut moves: Vec<_> = analysis.moves.iter().collect();
    // Where moves were tried a different number of times, those tried most are the ones believed in.
    moves.sort_by_key(|entry| std::cmp::Reverse((entry.visits, entry.score)));
    for entry in moves.iter().take(10) {
        let score = entry.score.map_or("-".to_owned(), |score| Score(score).to_string());
        let visits = match entry.visits {
            0 => String::new(),
            visits => format!("  {visits} visits"),
        };
        writeln!(out, "  {:<10} {score}{visits}", entry.mv)?;
    }
    Ok(())
}

fn write_table_use(out: &mut impl Write, table: TableUse) -> anyhow::Result<()> {
    let TableUse { capacity, used, probes, hits, cutoffs, stores, overwrites, lost } = table;
    writeln!(
        out,
        "table: {used} of {capacity} places in use, {probes} probes, {hits} hits, {cutoffs} cutoffs, \
         {stores} stores, {overwrites} overwrites, {lost} lost"
    )?;
    Ok(())
}

fn write_explanation(out: &mut impl Write, explanation: &Explanation) -> anyhow::Result<()> {
    let Explanation { parts, score } = explanation;
    writeln!(out, "hand evaluation {score}, made of (weight x value, first side's view):")?;
    for Part { name, level, weight, value } in parts {
        writeln!(out, "  {:indent$}{name}: {weight} {value}", "", indent = 2 * level)?;
    }
    Ok(())
}

fn explanation_json(explanation: &Explanation) -> Value {
    let describe = |part: &Part| {
        let (kind, weight) = match part.weight {
            PartWeight::Times(weight) => ("weight", weight),
            PartWeight::Percent(factor) => ("percent", factor),
        };
        json!({ "name": part.name, "level": part.level, kind: weight, "value": part.value })
    };
    let parts: Vec<Value> = explanation.parts.iter().map(describe).collect();
    json!({ "score": explanation.score.0, "parts": parts })
}
