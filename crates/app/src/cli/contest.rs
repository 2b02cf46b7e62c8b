//! Common part of `ludus match` and `ludus tournament`: runs a contest and shows its report.

use super::{Common, write_json};
use crate::{
    data_dir::store_error,
    error::{bad_input, print_message},
    records,
};
use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use ludus_arena::{
    contest::{self, ContestCallbacks, ContestProgress, ContestResult, ContestSpec, StartMode},
    openings::{self, Openings, Source},
    parallel::ContestError,
    provenance::CONTEST_EVENT,
    report::{self, ShowTimes, StandingsSnapshot},
    store::Store,
    table::Standings,
};
use ludus_core::Options;
use ludus_files::LockHolder;
use ludus_players::Game;
use serde_json::{Value, json};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Options for running a contest and saving its results.
#[derive(clap::Args)]
pub struct ContestArgs {
    /// Games played in parallel (default: number of CPU cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,
    /// Resume the latest run of the same contest, or start it if there is none
    #[arg(long)]
    pub resume: bool,
    /// Save all games to this new file, as PGN, PDN or SGF; with --resume, a file that the same contest
    /// saved is replaced
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Save SVG plots to this folder: cross table, ratings, score over time
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Show milliseconds per move (`ms_per_move` in the JSON), which vary from run to run
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

/// Maximum number of games per pairing.
pub const MAX_GAMES_PER_PAIRING: u64 = 10_000_000;

/// Approximate number of points in the chart of scores over time.
const PLOT_POINTS: u64 = 200;

/// Runs the contest with a progress bar on stderr, and shows its report.
pub fn run(
    spec: &ContestSpec,
    args: &ContestArgs,
    common: &Common,
    document: fn(&str, &ContestResult, ShowTimes) -> Value,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if let Some(path) = &args.save {
        check_save_target(path, spec, args.resume)?;
    }
    if let Some(folder) = &args.plots {
        ludus_files::create_folder(folder)
            .map_err(|error| bad_input(format!("cannot create {}: {error}", folder.display())))?;
    }
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let mut live = LiveTable { bar: progress_bar(common.json), next: Instant::now() };
    let start = if args.resume { StartMode::Resume } else { StartMode::New };
    let mut history = Vec::new();
    let mut on_progress = |progress: &ContestProgress<'_>| {
        live.show(progress);
        if args.plots.is_some() && progress.done.is_multiple_of(progress.planned / PLOT_POINTS + 1)
        {
            history.push(StandingsSnapshot::of(progress.standings));
        }
    };
    let on_wait = |id: i64, holder: &LockHolder| {
        print_message(&format!("contest {id} is being played by {holder}; waiting for its end"));
    };
    let mut callbacks =
        ContestCallbacks { on_wait: Some(&on_wait), ..ContestCallbacks::new(&mut on_progress) };
    let result = contest::run_watched(spec, &store, start, &stop, &mut callbacks);
    live.bar.finish_and_clear();
    let result = result.map_err(|error| match error {
        ContestError::Player(error) => anyhow::Error::from(error),
        ContestError::Opening(error) => error.into(),
        ContestError::Store(error) => store_error(error),
        ContestError::Lock(error) => error.into(),
        other @ ContestError::OtherBuild { .. } => bad_input(other.to_string()),
    })?;
    let times = if args.times { ShowTimes::Shown } else { ShowTimes::Hidden };
    if common.json {
        let mut document = document(&spec.options.to_string(), &result, times);
        document["identities"] = json!(store.contest_players(result.id).map_err(store_error)?);
        write_json(out, &document)?;
    } else {
        write!(out, "{}", report::text(&result, times))?;
    }
    if let Some(path) = &args.save {
        save_games(path, &store, &result)?;
    }
    if let Some(folder) = &args.plots {
        write_plots(folder, &spec.name, &result, &history)?;
    }
    if result.complete { Ok(()) } else { Err(anyhow!("interrupted; use --resume to continue")) }
}

/// Checks that the games can be saved at `path`: as a new file or, if the contest is resumed, in
/// place of one that it saved before.
fn check_save_target(path: &Path, spec: &ContestSpec, resume: bool) -> anyhow::Result<()> {
    if !resume || !path.exists() {
        return records::check_target(path, spec.game);
    }
    records::check_format(path, spec.game)?;
    if !was_saved_by(path, spec)? {
        return Err(bad_input(format!(
            "{}: exists and was not saved by this contest, expected a new file name",
            path.display()
        )));
    }
    records::check_writable(path)
}

/// Whether a file holds games of this contest: players and seed of the first tell. An empty one
/// does, because the contest may have been interrupted before its first game.
fn was_saved_by(path: &Path, spec: &ContestSpec) -> anyhow::Result<bool> {
    let mut games = records::read(records::FileKind::of(path)?, records::open(path)?)?;
    let first = match games.next() {
        None => return Ok(true),
        Some(Err(_)) => return Ok(false),
        Some(Ok(first)) => first,
    };
    let is_player =
        |tag: &str| first.tag(tag).is_some_and(|name| spec.players.iter().any(|it| it == name));
    Ok(first.tag("Event") == Some(CONTEST_EVENT)
        && first.tag("Seed") == Some(&spec.seed.to_string())
        && is_player("White")
        && is_player("Black"))
}

/// A stop flag that is set by Ctrl-C. Running games are dropped, finished ones are kept.
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

/// Minimum interval between redraws of the live table.
const TABLE_INTERVAL: Duration = Duration::from_millis(200);

/// The live table below the progress bar, redrawn at most five times a second.
struct LiveTable {
    bar: ProgressBar,
    next: Instant,
}

impl LiveTable {
    fn show(&mut self, progress: &ContestProgress<'_>) {
        if self.bar.is_hidden() || Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + TABLE_INTERVAL;
        self.bar.set_length(progress.planned.max(progress.done));
        self.bar.set_position(progress.done);
        let llr = progress.sprt.map(|sprt| format!(", LLR {:.2}", sprt.llr)).unwrap_or_default();
        self.bar.set_message(format!("{llr}{}", live_rows(progress.standings)));
    }
}

/// The leading players, one per line.
fn live_rows(standings: &Standings) -> String {
    const ROWS: usize = 12;
    let mut order: Vec<usize> = (0..standings.players.len()).collect();
    let points = |player: usize| standings.total(player).wdl.score().unwrap_or(0.0);
    order.sort_by(|&a, &b| points(b).total_cmp(&points(a)));
    let row = |&player: &usize| {
        let wdl = standings.total(player).wdl;
        let (name, score) = (&standings.players[player], 100.0 * points(player));
        format!("\n{name:<40.40} {score:>5.1} %  +{} ={} -{}", wdl.wins, wdl.draws, wdl.losses)
    };
    order.iter().take(ROWS).map(row).collect()
}

fn save_games(path: &Path, store: &Store, result: &ContestResult) -> anyhow::Result<()> {
    // Games that ended after a sequential test was decided are stored, but not counted.
    let most = if result.complete { result.standings.games() as usize } else { usize::MAX };
    records::write_whole(path, |file| {
        for game in store.contest_games(result.id).take(most) {
            file.write_all(game.map_err(store_error)?.record.as_bytes())?;
        }
        Ok(())
    })
}

fn write_plots(
    folder: &Path,
    title: &str,
    result: &ContestResult,
    history: &[StandingsSnapshot],
) -> anyhow::Result<()> {
    for (name, svg) in report::plots(title, result, history) {
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
        Some("none") => Ok(Openings::start_position()),
        None => Ok(Openings::default_for(&options.to_string())),
        Some("suite") => Openings::suite(&options.to_string()).ok_or_else(|| {
            bad_input(format!("there is no suite for {options}: expected a file or none"))
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
    let source = Source::of_file(&path.to_string_lossy(), plies).ok_or_else(|| {
        bad_input(format!(
            "{}: expected a .pgn, .pdn, .sgf, .epd, .fen or .txt file of openings, suite or none",
            path.display()
        ))
    })?;
    let read = openings::read(source, records::open(path)?, game, options);
    Ok(Openings::from_file(read.with_context(|| path.display().to_string())?))
}
