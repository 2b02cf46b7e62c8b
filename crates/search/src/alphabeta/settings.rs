//! The settings that make one depth-first search differ from another.

use super::params::SearchParams;

/// The window each move of a node is searched with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Windows {
    /// Every move with the full window: negamax, nothing is pruned.
    Full,
    /// Every move with what is left of the window: alpha-beta.
    AlphaBeta,
    /// The first move with the window, the others with a null window, and again with the window if
    /// that fails high: principal variation search.
    Pvs,
    /// The same, but the last two plies before the horizon need no second search, because there a
    /// fail-soft null-window search is exact already (Reinefeld's NegaScout).
    NegaScout,
}

/// The value returned by a search outside its window.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fail {
    /// The best bound it has.
    Soft,
    /// The edge of the window.
    Hard,
}

/// The way from searches of the tree to the value of its root.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RootSearch {
    /// One search with an open window.
    OpenWindow,
    /// Aspiration windows: a narrow window around the last value, widened until the value is inside.
    Aspiration,
    /// Null windows only, from a first guess: a memory-enhanced test driver (Plaat).
    Mtd(FirstGuess),
}

/// The first guess of a memory-enhanced test driver.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FirstGuess {
    /// At the value of the previous iteration: MTD(f).
    Previous,
    /// Above every value, so that bounds come down: SSS*.
    Above,
    /// Below every value: DUAL*.
    Below,
}

/// Stored results that may be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Only those of exactly the wanted depth, so that the value is that of a fixed-depth search.
    Exact,
    /// Those of at least the wanted depth.
    Deeper,
}

/// The techniques of a selective search. With any of them values are no longer those of minimax.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// Null-move pruning: if passing the turn is good enough, a move will be.
    pub null_move: bool,
    /// Late-move reductions and internal iterative reduction: late quiet moves are searched less
    /// deeply first.
    pub late_move_reductions: bool,
    /// Reverse futility pruning, razoring and futility pruning: near the horizon, positions and quiet
    /// moves far from the window are pruned.
    pub futility: bool,
    /// Late-move pruning and history pruning: near the horizon, quiet moves after the first few are
    /// pruned.
    pub late_move_pruning: bool,
    /// SEE pruning: moves that lose material in the exchange are pruned near the horizon and in
    /// quiescence.
    pub see_pruning: bool,
    /// Singular extensions: a move much better than all others is searched deeper.
    pub singular_extensions: bool,
}

impl Pruning {
    /// No technique.
    pub const OFF: Pruning = Pruning {
        null_move: false,
        late_move_reductions: false,
        futility: false,
        late_move_pruning: false,
        see_pruning: false,
        singular_extensions: false,
    };

    /// All of them.
    pub const ALL: Pruning = Pruning {
        null_move: true,
        late_move_reductions: true,
        futility: true,
        late_move_pruning: true,
        see_pruning: true,
        singular_extensions: true,
    };
}

/// The settings of one search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// The windows of the moves of a node.
    pub windows: Windows,
    /// The value returned from outside the window.
    pub fail: Fail,
    /// The way to the value of the root.
    pub root_search: RootSearch,
    /// Iterative deepening: plies between one iteration and the next; 0 goes straight to the depth
    /// wanted.
    pub step: u32,
    /// Whether moves are ordered: captures, killer moves, countermoves, history.
    pub ordering: bool,
    /// Whether at least the hash move is tried first.
    pub hash_move_first: bool,
    /// Quiescence search: whether captures are played out at the horizon.
    pub quiescence: bool,
    /// Whether forced replies are searched deeper.
    pub extensions: bool,
    /// Whether draws by repetition and no-progress counters count, which depend on the path.
    pub path_draws: bool,
    /// Stored results that are used.
    pub reuse: Reuse,
    /// The smallest depth at which the table is used; 0 is at the horizon and below. A probe of a
    /// table larger than the caches takes as long as a few evaluations of a simple game.
    pub min_table_depth: i32,
    /// Whether stored results of a selective search end the search of a node in an open window too.
    /// In null windows they always do; elsewhere they may hide a repetition or shorten the line.
    pub table_cuts_open_windows: bool,
    /// Whether evaluations are expensive enough to be cached.
    pub eval_cache: bool,
    /// The techniques of the selective search.
    pub pruning: Pruning,
    /// Their margins, reductions and thresholds.
    pub params: SearchParams,
}

impl SearchSettings {
    /// Whether the value may differ from that of a plain search to the same depth.
    pub fn is_selective(&self) -> bool {
        self.reuse == Reuse::Deeper
    }

    /// Negamax: minimax with one point of view. Everything else is built on it.
    pub const NEGAMAX: SearchSettings = SearchSettings {
        windows: Windows::Full,
        fail: Fail::Soft,
        root_search: RootSearch::OpenWindow,
        step: 0,
        ordering: true,
        hash_move_first: true,
        quiescence: false,
        extensions: false,
        path_draws: false,
        reuse: Reuse::Exact,
        min_table_depth: 1,
        table_cuts_open_windows: false,
        eval_cache: false,
        pruning: Pruning::OFF,
        params: SearchParams::DEFAULT,
    };

    /// Alpha-beta.
    pub const ALPHA_BETA: SearchSettings =
        SearchSettings { windows: Windows::AlphaBeta, ..SearchSettings::NEGAMAX };

    /// Alpha-beta with iterative deepening and aspiration windows.
    pub const ASPIRATION: SearchSettings = SearchSettings {
        root_search: RootSearch::Aspiration,
        step: 1,
        params: SearchParams { aspiration_width: 25, ..SearchParams::DEFAULT },
        ..SearchSettings::ALPHA_BETA
    };

    /// NegaScout.
    pub const NEGASCOUT: SearchSettings =
        SearchSettings { windows: Windows::NegaScout, ..SearchSettings::NEGAMAX };

    /// Principal variation search.
    pub const PVS: SearchSettings =
        SearchSettings { windows: Windows::Pvs, ..SearchSettings::NEGAMAX };

    /// MTD(f), with iterative deepening for its guesses.
    pub const MTDF: SearchSettings = SearchSettings {
        root_search: RootSearch::Mtd(FirstGuess::Previous),
        step: 1,
        ..SearchSettings::ALPHA_BETA
    };

    /// SSS* as MTD(+∞).
    pub const SSS: SearchSettings = SearchSettings {
        root_search: RootSearch::Mtd(FirstGuess::Above),
        ..SearchSettings::ALPHA_BETA
    };

    /// DUAL* as MTD(−∞).
    pub const DUAL: SearchSettings = SearchSettings {
        root_search: RootSearch::Mtd(FirstGuess::Below),
        ..SearchSettings::ALPHA_BETA
    };

    /// The strong search: every technique.
    pub const STRONG: SearchSettings = SearchSettings {
        windows: Windows::Pvs,
        fail: Fail::Soft,
        root_search: RootSearch::Aspiration,
        step: 1,
        ordering: true,
        hash_move_first: true,
        quiescence: true,
        extensions: true,
        path_draws: true,
        reuse: Reuse::Deeper,
        min_table_depth: 1,
        table_cuts_open_windows: false,
        eval_cache: false,
        pruning: Pruning::ALL,
        params: SearchParams::DEFAULT,
    };
}
