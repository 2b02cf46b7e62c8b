//! Every kind of search, and one call to run it.

use ludus_core::{Ending, Evaluator, History, Limits, Report, SearchHints, Watch};
use ludus_search::alphabeta::{Fail, Scheme, Searcher, Settings, Table, Trace, Windows};
use std::sync::atomic::AtomicBool;

/// The textbook searches, and the strong one with all its guesses left out.
pub const KINDS: &[(&str, Settings)] = &[
    ("negamax", Settings::NEGAMAX),
    ("alphabeta", Settings::ALPHA_BETA),
    ("alphabeta hard", Settings { fail: Fail::Hard, ..Settings::ALPHA_BETA }),
    ("aspiration", Settings::ASPIRATION),
    ("negascout", Settings::NEGASCOUT),
    ("pvs", Settings::PVS),
    ("mtdf", Settings::MTDF),
    ("sss", Settings::SSS),
    ("dual", Settings::DUAL),
    ("engine", EXACT_ENGINE),
];

const EXACT_ENGINE: Settings = Settings {
    windows: Windows::Principal,
    driver: Settings::STRONG.driver,
    step: Settings::STRONG.step,
    ..Settings::NEGAMAX
};

/// Size and scheme of a table, or none.
pub type Memory = Option<(u64, Scheme)>;

/// No table, a tiny one and a sufficient one of every scheme.
pub fn tables() -> Vec<Memory> {
    let schemes = [Scheme::Always, Scheme::Deeper, Scheme::Newer, Scheme::TwoLevel, Scheme::Aged];
    let sized = |bytes| schemes.map(|scheme| Some((bytes, scheme)));
    [None].into_iter().chain(sized(64)).chain(sized(1 << 16)).collect()
}

fn limits(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Searches the last position of `game` with a fresh search on `threads` threads.
pub fn search<P: Ending + SearchHints, E: Evaluator<P> + Clone>(
    game: &History<P>,
    depth: u32,
    evaluator: &E,
    settings: Settings,
    memory: Memory,
    threads: usize,
) -> Report<P::Move> {
    let table = memory.map(|(bytes, scheme)| Table::new(bytes, scheme));
    let mut searcher = Searcher::new(settings, table, evaluator, threads);
    let stop = AtomicBool::new(false);
    let watch = &mut Watch { stop: &stop, on_report: &mut |_| {} };
    searcher.search(game, &limits(depth), watch)
}

/// The same on one thread, with a record of at most `size` visits.
pub fn traced<P: Ending + SearchHints, E: Evaluator<P> + Clone>(
    game: &History<P>,
    depth: u32,
    evaluator: &E,
    settings: Settings,
    memory: Memory,
    size: usize,
) -> (Report<P::Move>, Trace<P::Move>) {
    let table = memory.map(|(bytes, scheme)| Table::new(bytes, scheme));
    let mut searcher = Searcher::new(settings, table, evaluator, 1);
    let stop = AtomicBool::new(false);
    let watch = &mut Watch { stop: &stop, on_report: &mut |_| {} };
    let mut trace = Trace::new(size);
    let report = searcher.trace(game, &limits(depth), watch, &mut trace);
    (report, trace)
}
