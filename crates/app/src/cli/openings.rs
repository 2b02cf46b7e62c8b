//! `ludus openings`: makes suites of balanced openings.

use super::{Common, progress::ProgressReporter};
use ludus_arena::{
    ballots::three_move_ballots,
    game::Opening,
    openings::{OpeningSuiteOptions, make},
};
use ludus_players::find_game;
use std::io::Write;

/// Make a suite of balanced openings from random plies, as evaluated by a player
///
/// The suites in data/openings were made this way; their first lines hold the commands. The suite of
/// English draughts is not random: it consists of all 174 three-move ballots (--ballots).
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// Number of openings
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Random plies of each opening
    #[arg(long, default_value_t = 6, value_name = "N")]
    plies: usize,
    /// Player that evaluates them
    #[arg(long, default_value = "minimax:depth=3", value_name = "PLAYER")]
    judge: String,
    /// Maximum absolute score, in hundredths, of a balanced opening
    #[arg(long, default_value_t = 50, value_name = "SCORE")]
    balance: i32,
    /// Write all three-move ballots of English draughts
    #[arg(long)]
    ballots: bool,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    game.check_player(&args.judge, &common.contest_resources())?;
    if args.ballots {
        if options.to_string() != "draughts" {
            return Err(crate::error::bad_input("--ballots is for English draughts only"));
        }
        writeln!(out, "# ludus openings draughts --ballots")?;
        return write_all(&three_move_ballots(), out);
    }
    let recipe = OpeningSuiteOptions {
        count: args.count,
        plies: args.plies,
        judge: args.judge.clone(),
        balance: args.balance,
        seed: common.seed,
    };
    let progress = ProgressReporter::new("openings", "openings");
    let all = recipe.count as u64;
    let openings = make(game, &options, &recipe, |made| progress.show(made as u64, all, ""));
    drop(progress);
    let openings = openings?;
    let OpeningSuiteOptions { count, plies, judge, balance, seed } = recipe;
    writeln!(
        out,
        "# ludus openings {options} --count {count} --plies {plies} --judge {judge} \
         --balance {balance} --seed {seed}"
    )?;
    write_all(&openings, out)
}

fn write_all(openings: &[Opening], out: &mut impl Write) -> anyhow::Result<()> {
    for opening in openings {
        writeln!(out, "{}", opening.moves.join(" "))?;
    }
    Ok(())
}
