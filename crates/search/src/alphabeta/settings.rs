//! What makes one search differ from another.

/// How the moves of a node are searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Windows {
    /// Every move with the full window: negamax, nothing is pruned.
    Full,
    /// Every move with what is left of the window: alpha-beta.
    Narrowing,
    /// The first move with the window, the others with a null window, and again with the window if
    /// that fails high: principal variation search.
    Principal,
    /// The same, but the last two plies before the horizon need no second search, because there a
    /// fail-soft null-window search is exact already (Reinefeld's NegaScout).
    Scout,
}

/// What a search outside its window returns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fail {
    /// The best bound it has.
    Soft,
    /// The edge of the window.
    Hard,
}

/// How the value of the root is found with searches of the tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Driver {
    /// One search with an open window.
    Open,
    /// A window of this half width around the last value, widened until the value is inside.
    Aspiration(i32),
    /// Null windows only, from a first guess: a memory-enhanced test driver (Plaat).
    Test(Guess),
}

/// Where a test driver begins.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Guess {
    /// At the value of the previous iteration: MTD(f).
    Previous,
    /// Above every value, so that bounds come down: SSS*.
    Above,
    /// Below every value: DUAL*.
    Below,
}

/// Which stored results may be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Only those of exactly the wanted depth, so that the value is that of a fixed-depth search.
    Exact,
    /// Those of at least the wanted depth.
    Deeper,
}

/// Guesses about what need not be searched. Values are no longer those of minimax.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// If passing the turn is still good enough, a move will be.
    pub null_move: bool,
    /// Late quiet moves are searched less deeply first.
    pub reductions: bool,
    /// Near the horizon, positions and quiet moves far from the window are given up.
    pub futility: bool,
    /// Near the horizon, quiet moves after the first few are given up.
    pub late_moves: bool,
    /// Moves that lose material in the exchange are given up near the horizon and in quiescence.
    pub exchange: bool,
    /// A move much better than all others is searched deeper.
    pub singular: bool,
    /// The least depth left at which reductions begin.
    pub reduce_from: i32,
    /// Hundredths of the game's unit that a pawn's worth of margin means here.
    pub unit: i32,
}

impl Pruning {
    /// No guesses.
    pub const OFF: Pruning = Pruning {
        null_move: false,
        reductions: false,
        futility: false,
        late_moves: false,
        exchange: false,
        singular: false,
        reduce_from: 3,
        unit: 100,
    };

    /// All of them.
    pub const ALL: Pruning = Pruning {
        null_move: true,
        reductions: true,
        futility: true,
        late_moves: true,
        exchange: true,
        singular: true,
        ..Pruning::OFF
    };
}

/// One kind of search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How moves are searched.
    pub windows: Windows,
    /// What comes back from outside the window.
    pub fail: Fail,
    /// How the root is.
    pub driver: Driver,
    /// Plies between one iteration and the next; 0 goes straight to the depth wanted.
    pub step: u32,
    /// Whether likely good moves are tried first.
    pub ordering: bool,
    /// Whether at least the move an earlier search found best is.
    pub remembered_first: bool,
    /// Whether captures are played out at the horizon.
    pub quiescence: bool,
    /// Whether forced replies are searched deeper.
    pub extensions: bool,
    /// Whether repetitions and no-progress counters count, which depend on the path.
    pub path: bool,
    /// Which stored results are used.
    pub reuse: Reuse,
    /// The least depth left at which the table is used; 0 is at the horizon and below. Looking into
    /// a table larger than the caches takes as long as a few evaluations of a simple game.
    pub table_from: i32,
    /// Whether stored results of a search that guesses end the search of a node in an open window
    /// too. In null windows they always do; elsewhere they may hide a repetition or shorten the line.
    pub cuts_open_windows: bool,
    /// Whether evaluations are dear enough to remember them.
    pub cache: bool,
    /// What is guessed.
    pub pruning: Pruning,
}

impl Settings {
    /// Whether the value may differ from that of a plain search to the same depth.
    pub fn guesses(&self) -> bool {
        self.reuse == Reuse::Deeper
    }

    /// Negamax: minimax with one point of view. Everything else is built on it.
    pub const NEGAMAX: Settings = Settings {
        windows: Windows::Full,
        fail: Fail::Soft,
        driver: Driver::Open,
        step: 0,
        ordering: true,
        remembered_first: true,
        quiescence: false,
        extensions: false,
        path: false,
        reuse: Reuse::Exact,
        table_from: 1,
        cuts_open_windows: false,
        cache: false,
        pruning: Pruning::OFF,
    };

    /// Alpha-beta.
    pub const ALPHA_BETA: Settings = Settings { windows: Windows::Narrowing, ..Settings::NEGAMAX };

    /// Alpha-beta with deepening and aspiration windows.
    pub const ASPIRATION: Settings =
        Settings { driver: Driver::Aspiration(25), step: 1, ..Settings::ALPHA_BETA };

    /// NegaScout.
    pub const NEGASCOUT: Settings = Settings { windows: Windows::Scout, ..Settings::NEGAMAX };

    /// Principal variation search.
    pub const PVS: Settings = Settings { windows: Windows::Principal, ..Settings::NEGAMAX };

    /// MTD(f), with deepening for its guesses.
    pub const MTDF: Settings =
        Settings { driver: Driver::Test(Guess::Previous), step: 1, ..Settings::ALPHA_BETA };

    /// SSS* as MTD(+∞).
    pub const SSS: Settings =
        Settings { driver: Driver::Test(Guess::Above), ..Settings::ALPHA_BETA };

    /// DUAL* as MTD(−∞).
    pub const DUAL: Settings =
        Settings { driver: Driver::Test(Guess::Below), ..Settings::ALPHA_BETA };

    /// Everything that makes a strong player.
    pub const STRONG: Settings = Settings {
        windows: Windows::Principal,
        fail: Fail::Soft,
        driver: Driver::Aspiration(15),
        step: 1,
        ordering: true,
        remembered_first: true,
        quiescence: true,
        extensions: true,
        path: true,
        reuse: Reuse::Deeper,
        table_from: 1,
        cuts_open_windows: false,
        cache: false,
        pruning: Pruning::ALL,
    };
}
