//! Every kind of search, and one call to run it.

use crate::known::Known;
use ludus_core::{Evaluator, History, Limits, Report, SearchControl};
use ludus_search::alphabeta::{
    Fail, ReplacementScheme, SearchSettings, Searcher, Trace, TranspositionTable, Windows,
};
use ludus_search::{Search, SearchOutput};
use std::sync::atomic::AtomicBool;

/// The textbook searches, and the strong one with all selective techniques off.
pub const KINDS: &[(&str, SearchSettings)] = &[
    ("negamax", SearchSettings::NEGAMAX),
    ("alphabeta", SearchSettings::ALPHA_BETA),
    ("alphabeta hard", SearchSettings { fail: Fail::Hard, ..SearchSettings::ALPHA_BETA }),
    ("aspiration", SearchSettings::ASPIRATION),
    ("negascout", SearchSettings::NEGASCOUT),
    ("pvs", SearchSettings::PVS),
    ("mtdf", SearchSettings::MTDF),
    ("sss", SearchSettings::SSS),
    ("dual", SearchSettings::DUAL),
    ("engine", EXACT_ENGINE),
];

const EXACT_ENGINE: SearchSettings = SearchSettings {
    windows: Windows::Pvs,
    root_search: SearchSettings::STRONG.root_search,
    params: SearchSettings::STRONG.params,
    step: SearchSettings::STRONG.step,
    ..SearchSettings::NEGAMAX
};

/// Size and scheme of a table, or none.
pub type Memory = Option<(u64, ReplacementScheme)>;

/// No table, a tiny one and a sufficient one of every scheme.
pub fn tables() -> Vec<Memory> {
    let schemes = [
        ReplacementScheme::Always,
        ReplacementScheme::Deeper,
        ReplacementScheme::Newer,
        ReplacementScheme::TwoLevel,
        ReplacementScheme::Aged,
    ];
    let sized = |bytes| schemes.map(|scheme| Some((bytes, scheme)));
    [None].into_iter().chain(sized(64)).chain(sized(1 << 16)).collect()
}

fn limits(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Searches the last position of `game` with a fresh search on `threads` threads.
pub fn search<P: Known, E: Evaluator<P> + Clone>(
    game: &History<P>,
    depth: u32,
    evaluator: &E,
    settings: SearchSettings,
    memory: Memory,
    threads: usize,
) -> Report<P::Move> {
    let table = memory.map(|(bytes, scheme)| TranspositionTable::new(bytes, scheme));
    let mut searcher = Searcher::new(settings, table, evaluator, P::Knowledge::default(), threads);
    let stop = AtomicBool::new(false);
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    searcher.search(game, &limits(depth), control)
}

/// The same on one thread, with a record of at most `size` visits.
pub fn traced<P: Known, E: Evaluator<P> + Clone>(
    game: &History<P>,
    depth: u32,
    evaluator: &E,
    settings: SearchSettings,
    memory: Memory,
    size: usize,
) -> (Report<P::Move>, Trace<P::Move>) {
    let table = memory.map(|(bytes, scheme)| TranspositionTable::new(bytes, scheme));
    let mut searcher = Searcher::new(settings, table, evaluator, P::Knowledge::default(), 1);
    let stop = AtomicBool::new(false);
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    let mut trace = Trace::new(size);
    let report = searcher.run(game, &limits(depth), SearchOutput::Trace(&mut trace), control);
    (report, trace)
}
