//! What `ludus match` and `ludus tournament` share: holding a contest and showing its table.

use super::{Common, write_json};
use crate::{data_dir::in_words, error::bad_input, records};
use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use ludus_arena::{
    contest::{Held, Progress, Setup, Start, hold},
    openings::{self, Openings, Source},
    report::{self, Moment, Times},
    run::RunError,
    store::Store,
    table::Standings,
};
use ludus_core::Options;
use ludus_formats::Format;
use ludus_players::Game;
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// How a contest is held and what becomes of it.
#[derive(clap::Args)]
pub struct ContestArgs {
    /// Games played at once (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// Go on with the latest run of the same contest; also starts one that has not begun
    #[arg(long)]
    pub resume: bool,
    /// Write all games to this new file, as PGN, PDN or SGF
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write SVG plots into this folder: cross table, ratings, score over time
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Show milliseconds a move (`ms_per_move` in the JSON), which no two runs share
    #[arg(long)]
    times: bool,
}

impl ContestArgs {
    pub fn concurrency(&self) -> usize {
        self.concurrency.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }
}

/// The most games of a pairing.
pub const MOST_GAMES: u64 = 10_000_000;

/// Points of the chart of scores over time, about.
const MOMENTS: u64 = 200;

/// Holds the contest, with a progress bar on stderr, and shows its table.
pub fn run(
    setup: &Setup,
    args: &ContestArgs,
    common: &Common,
    document: fn(&str, &Held, Times) -> Value,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if let Some(path) = &args.save {
        records::check_target(path, setup.game)?;
    }
    if let Some(folder) = &args.plots {
        fs::create_dir_all(folder)
            .map_err(|error| bad_input(format!("cannot make {}: {error}", folder.display())))?;
    }
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let mut live = LiveTable { bar: progress_bar(common.json), next: Instant::now() };
    let start = if args.resume { Start::Resume } else { Start::Anew };
    let mut history = Vec::new();
    let held = hold(setup, &store, start, &stop, &mut |progress| {
        live.show(progress);
        if args.plots.is_some() && progress.done.is_multiple_of(progress.planned / MOMENTS + 1) {
            history.push(Moment::of(progress.standings));
        }
    });
    live.bar.finish_and_clear();
    let held = held.map_err(|error| match error {
        RunError::Player(error) => anyhow::Error::from(error),
        RunError::Opening(error) => error.into(),
        RunError::Store(error) => in_words(error),
        other @ RunError::OtherBuild { .. } => bad_input(other.to_string()),
    })?;
    let times = if args.times { Times::Shown } else { Times::Hidden };
    if common.json {
        let mut document = document(&setup.options.to_string(), &held, times);
        document["identities"] = json!(store.contest_players(held.id).map_err(in_words)?);
        write_json(out, &document)?;
    } else {
        write!(out, "{}", report::text(&held, times))?;
    }
    if let Some(path) = &args.save {
        save_games(path, &store, &held)?;
    }
    if let Some(folder) = &args.plots {
        write_plots(folder, &setup.name, &held, &history)?;
    }
    if held.complete { Ok(()) } else { Err(anyhow!("interrupted, --resume goes on")) }
}

/// A flag that Ctrl-C raises: running games are dropped, finished ones are kept.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                flag.store(true, Ordering::Relaxed);
            }
        });
    });
    Ok(stop)
}

fn progress_bar(hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0); // draws on stderr, and only if that is a terminal
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left{msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// The live table below the progress bar, made anew a few times a second at most.
struct LiveTable {
    bar: ProgressBar,
    next: Instant,
}

impl LiveTable {
    fn show(&mut self, progress: &Progress<'_>) {
        if self.bar.is_hidden() || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + Duration::from_millis(200);
        self.bar.set_length(progress.planned.max(progress.done));
        self.bar.set_position(progress.done);
        let llr = progress.sprt.map(|sprt| format!(", LLR {:.2}", sprt.llr)).unwrap_or_default();
        self.bar.set_message(format!("{llr}{}", live_rows(progress.standings)));
    }
}

/// The best players so far by points, a line each.
fn live_rows(standings: &Standings) -> String {
    const ROWS: usize = 12;
    let mut order: Vec<usize> = (0..standings.players.len()).collect();
    let points = |player: usize| standings.total(player).tally.score().unwrap_or(0.0);
    order.sort_by(|&a, &b| points(b).total_cmp(&points(a)));
    let row = |&player: &usize| {
        let tally = standings.total(player).tally;
        let (name, score) = (&standings.players[player], 100.0 * points(player));
        format!(
            "\n{name:<40.40} {score:>5.1} %  +{} ={} -{}",
            tally.wins, tally.draws, tally.losses
        )
    };
    order.iter().take(ROWS).map(row).collect()
}

fn save_games(path: &Path, store: &Store, held: &Held) -> anyhow::Result<()> {
    // Games still under way when a sequential test was decided are stored too, but not counted.
    let most = if held.complete { held.standings.games() as usize } else { usize::MAX };
    records::write_whole(path, |file| {
        for game in store.contest_games(held.id).take(most) {
            file.write_all(game.map_err(in_words)?.record.as_bytes())?;
        }
        Ok(())
    })
}

fn write_plots(folder: &Path, title: &str, held: &Held, history: &[Moment]) -> anyhow::Result<()> {
    for (name, svg) in report::plots(title, held, history) {
        records::write_whole(&folder.join(name), |file| Ok(file.write_all(svg.as_bytes())?))?;
    }
    Ok(())
}

/// The openings of a contest: `none`, `suite`, or a file.
pub fn openings(
    choice: Option<&str>,
    plies: Option<usize>,
    game: &dyn Game,
    options: &Options,
) -> anyhow::Result<Openings> {
    match choice {
        Some("none") => Ok(Openings::usual()),
        None => Ok(Openings::of_game(&options.to_string())),
        Some("suite") => Openings::suite(&options.to_string()).ok_or_else(|| {
            bad_input(format!("there is no suite for {options}, expected a file or none"))
        }),
        Some(file) => read_openings(Path::new(file), plies, game, options),
    }
}

fn read_openings(
    path: &Path,
    plies: Option<usize>,
    game: &dyn Game,
    options: &Options,
) -> anyhow::Result<Openings> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let source = match (Format::from_name(extension), extension.to_ascii_lowercase().as_str()) {
        (Some(format), _) => Source::Records(format, plies),
        (None, "epd" | "fen") => Source::Positions,
        (None, "txt") => Source::Moves,
        _ => {
            return Err(bad_input(format!(
                "{}: expected openings in a .pgn, .pdn, .sgf, .epd, .fen or .txt file, suite or none",
                path.display()
            )));
        }
    };
    let read = openings::read(source, records::open(path)?, game, options);
    Ok(Openings::of_file(read.with_context(|| path.display().to_string())?))
}
