//! `ludus perft`: counts leaves of the move tree.

use super::{Common, progress::ProgressReporter, write_json};
use ludus_players::{find_game, measure::PerftJob};
use serde_json::json;
use std::{collections::BTreeMap, io::Write, time::Instant};

/// Count the move sequences of a given length, to check a move generator
///
/// No hash table and no symmetry are used, but moves of the last ply are only counted (bulk counting). In
/// draughts, capture paths with the same start, end and captured pieces are one move; --keep-duplicates
/// counts every path.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as draughts:rules=brazilian
    game: String,
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=200))]
    depth: u32,
    /// Start from this position instead of the start of the game
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Show the count of each root move
    #[arg(long)]
    divide: bool,
    /// Count a move once for every path it can be made by
    #[arg(long)]
    keep_duplicates: bool,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    let started = Instant::now();
    let job = PerftJob {
        position: args.position.as_deref(),
        depth: args.depth,
        threads: common.threads(),
        keep_duplicates: args.keep_duplicates,
    };
    let progress = ProgressReporter::new("perft", "positions");
    let counts = game.measure().perft(&options, &job);
    drop(progress);
    let counts = counts?;
    let nodes: u64 = counts.iter().map(|(_, count)| count).sum();
    let seconds = started.elapsed().as_secs_f64();
    let divided = args.divide && counts.iter().all(|(mv, _)| !mv.is_empty());
    if common.json {
        let mut document = json!({
            "game": options.to_string(), "depth": args.depth, "nodes": nodes, "seconds": seconds,
        });
        if divided {
            // The paths of one move share its text: their counts are added.
            let mut moves = BTreeMap::<String, u64>::new();
            for (mv, count) in counts {
                *moves.entry(mv).or_default() += count;
            }
            document["moves"] = json!(moves);
        }
        return write_json(out, &document);
    }
    if divided {
        for (mv, count) in &counts {
            writeln!(out, "{mv}: {count}")?;
        }
    }
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "{seconds:.3} s, {rate:.1} M/s")?;
    writeln!(out, "perft({}) = {nodes}", args.depth)?;
    Ok(())
}
