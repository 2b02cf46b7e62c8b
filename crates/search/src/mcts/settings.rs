//! What makes one Monte-Carlo search differ from another.

/// How a search selects, expands, remembers and decides.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Settings {
    /// How a descent goes on from a node.
    pub selection: Selection,
    /// Visits a node needs before it gets children; [`NEVER`](Settings::NEVER) leaves all
    /// simulations to the moves of the root.
    pub expand: u32,
    /// What makes a root move the best.
    pub choice: FinalChoice,
    /// How values of moves played later are blended in, if they are.
    pub rave: Option<Rave>,
    /// What a move nobody tried is taken to be worth, as a chance of winning; `None` tries every
    /// move once before any move twice.
    pub first_play: Option<f32>,
    /// How many moves are looked at, those with the best priors first.
    pub widening: Widening,
    /// Factor of the guide's biases; 0 never asks for them.
    pub bias: f32,
    /// Whether proven results are carried up the tree, and what they settle is not searched again.
    pub solver: bool,
    /// Whether the part of the tree below the moves made since is kept for the next search.
    pub reuse: bool,
    /// Whether to stop when the simulations left cannot change the choice.
    pub early: bool,
    /// Bytes the tree may take.
    pub memory: u64,
    /// Hundredths of the game's unit that are worth 0.71 on the scale from -1 to 1.
    pub scale: f32,
}

impl Settings {
    /// No node but the root ever gets children.
    pub const NEVER: u32 = u32::MAX;

    /// Plain UCT that proves what it can.
    pub const UCT: Settings = Settings {
        selection: Selection::Ucb(0.7),
        expand: 1,
        choice: FinalChoice::Visits,
        rave: None,
        first_play: None,
        widening: Widening::All,
        bias: 0.0,
        solver: true,
        reuse: true,
        early: true,
        memory: 256 << 20,
        scale: 300.0,
    };

    /// Flat Monte Carlo: every root move gets as many simulations as any other.
    pub const FLAT: Settings = Settings {
        selection: Selection::Even,
        expand: Settings::NEVER,
        choice: FinalChoice::Value,
        solver: false,
        reuse: false,
        ..Settings::UCT
    };

    /// Whether nodes need more than counts and values.
    pub(super) fn needs_extras(&self) -> bool {
        self.rave.is_some() || self.asks_for_biases()
    }

    /// Whether the guide is asked for what is added to the values of moves.
    pub(super) fn asks_for_biases(&self) -> bool {
        self.bias != 0.0 || matches!(self.selection, Selection::Puct(_))
    }
}

/// How a descent goes on from a node.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Selection {
    /// The greatest `mean + c * sqrt(ln(visits of the node) / visits of the move)`, with means from
    /// 0 (lost) to 1 (won).
    Ucb(f32),
    /// The greatest `mean + c * chance * sqrt(visits of the node) / (1 + visits of the move)`, where
    /// the guide's biases are the chances of moves to be made (AlphaGo's, after Rosin 2011).
    Puct(f32),
    /// The move with the fewest visits.
    Even,
}

/// How the number of moves looked at grows with the visits of their node.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Widening {
    /// All at once.
    All,
    /// `1 + factor * sqrt(visits)`.
    Root(f32),
    /// One at first, the second after `wait` visits, and each later one after `growth` times as many
    /// more as the one before it (Coulom 2007).
    Geometric {
        /// Visits before the second move.
        wait: f32,
        /// The factor from one pause to the next.
        growth: f32,
    },
}

impl Widening {
    /// The figures of Crazy Stone.
    pub const COULOM: Widening = Widening::Geometric { wait: 40.0, growth: 1.4 };
}

/// What makes a root move the best.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FinalChoice {
    /// The most visits.
    Visits,
    /// The greatest mean.
    Value,
    /// The greatest lower end of the mean's 95 % interval, of the moves with a tenth of the most
    /// visits.
    LowerBound,
    /// The greatest sum of results, from -1 to 1 each.
    Total,
}

/// RAVE: the results of all simulations in which the same side makes a move later.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rave {
    /// How much they count.
    pub schedule: Schedule,
    /// One descent in so many goes without them; 0 for none.
    pub skip: u32,
    /// Whether a move counts only for the side that makes it first: a point where the other side
    /// played before is another point.
    pub first_only: bool,
    /// How much more a move counts that comes at once than one at the end of a simulation; 0 makes
    /// all equal.
    pub nearness: f32,
    /// Whether priors count as RAVE visits too.
    pub priors: bool,
}

/// How the weight of RAVE falls as a move gets visits of its own.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Schedule {
    /// Weight `w = r / (1 / initial + r / last)` of `r` RAVE visits against the visits.
    Fuego {
        /// The weight of the first RAVE visit.
        initial: f32,
        /// What the weight grows to.
        last: f32,
    },
    /// Share `r / (r + n + 4 n r bias^2)` of the value, with `n` visits (Gelly and Silver, 2007).
    GellySilver {
        /// How far RAVE values are taken to be off.
        bias: f32,
    },
}

impl Schedule {
    /// Fuego's usual figures.
    pub const FUEGO: Schedule = Schedule::Fuego { initial: 1.0, last: 5000.0 };
    /// An equivalence of about 1,000 visits.
    pub const GELLY_SILVER: Schedule = Schedule::GellySilver { bias: 0.016 };
}
