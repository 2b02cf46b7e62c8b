//! `ludus openings`: make a suite of balanced openings.

use super::{Common, progress::Progress};
use ludus_arena::{
    ballots::three_move_ballots,
    game::Opening,
    openings::{SuiteRecipe, make},
};
use ludus_players::find_game;
use std::io::Write;

/// Make a suite of openings: distinct random plies that a player calls balanced
///
/// The suites under data/openings were made so; their first lines say how. The suite of English
/// draughts is not random: it holds all 174 three-move ballots (--ballots).
#[derive(clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// How many openings
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Random plies of each
    #[arg(long, default_value_t = 6, value_name = "N")]
    plies: usize,
    /// Who judges them
    #[arg(long, default_value = "minimax:depth=3", value_name = "PLAYER")]
    judge: String,
    /// The largest score, in hundredths, that counts as balanced
    #[arg(long, default_value_t = 50, value_name = "SCORE")]
    balance: i32,
    /// All three-move ballots of English draughts
    #[arg(long)]
    ballots: bool,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    game.check_player(&args.judge, &common.contest_resources())?;
    if args.ballots {
        if options.to_string() != "draughts" {
            return Err(crate::error::bad_input("--ballots goes with English draughts"));
        }
        writeln!(out, "# ludus openings draughts --ballots")?;
        return write_all(&three_move_ballots(), out);
    }
    let recipe = SuiteRecipe {
        count: args.count,
        plies: args.plies,
        judge: args.judge.clone(),
        balance: args.balance,
        seed: common.seed,
    };
    let progress = Progress::new("openings", "openings");
    let all = recipe.count as u64;
    let openings = make(game, &options, &recipe, |made| progress.show(made as u64, all, ""));
    drop(progress);
    let openings = openings?;
    let SuiteRecipe { count, plies, judge, balance, seed } = recipe;
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
