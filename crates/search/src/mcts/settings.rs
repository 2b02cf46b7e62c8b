//! The settings that make one Monte-Carlo search differ from another.

/// The settings of one search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MctsSettings {
    /// Selection policy: the child a descent goes to.
    pub selection: SelectionPolicy,
    /// Expansion threshold: visits a node needs before it gets children; [`NEVER`](MctsSettings::NEVER) leaves all
    /// simulations to the moves of the root.
    pub expansion_threshold: u32,
    /// The criterion of the best root move.
    pub final_choice: FinalChoice,
    /// RAVE: values of moves played later are blended in.
    pub rave: Option<RaveSettings>,
    /// First-play urgency: the value of a move without visits, from 0 (lost) to 1 (won); `None` tries
    /// every move once before any move twice.
    pub first_play_urgency: Option<f32>,
    /// Progressive widening: the number of moves considered, those with the best priors first.
    pub widening: Widening,
    /// Progressive bias: factor of the leaf evaluator's biases; 0 never asks for them.
    pub bias: f32,
    /// MCTS-Solver: whether proven results are carried up the tree, and nodes they settle are not
    /// searched again.
    pub solver: bool,
    /// Tree reuse: whether the subtree below the moves made since is kept for the next search.
    pub reuse: bool,
    /// Whether to stop when the simulations left cannot change the choice.
    pub early_stop: bool,
    /// Memory of the tree, in bytes.
    pub memory: u64,
    /// Hundredths of the game's unit that are worth 0.71 on the scale from -1 to 1.
    pub scale: f32,
}

impl MctsSettings {
    /// No node but the root ever gets children.
    pub const NEVER: u32 = u32::MAX;

    /// Plain UCT with the MCTS-Solver.
    pub const UCT: MctsSettings = MctsSettings {
        selection: SelectionPolicy::Ucb(0.7),
        expansion_threshold: 1,
        final_choice: FinalChoice::Visits,
        rave: None,
        first_play_urgency: None,
        widening: Widening::All,
        bias: 0.0,
        solver: true,
        reuse: true,
        early_stop: true,
        memory: 256 << 20,
        scale: 300.0,
    };

    /// Flat Monte Carlo: every root move gets as many simulations as any other.
    pub const FLAT: MctsSettings = MctsSettings {
        selection: SelectionPolicy::Even,
        expansion_threshold: MctsSettings::NEVER,
        final_choice: FinalChoice::Value,
        solver: false,
        reuse: false,
        ..MctsSettings::UCT
    };

    /// Whether nodes need more than visits and values.
    pub(super) fn needs_extras(&self) -> bool {
        self.rave.is_some() || self.asks_for_biases()
    }

    /// Whether the leaf evaluator is asked for biases.
    pub(super) fn asks_for_biases(&self) -> bool {
        self.bias != 0.0 || matches!(self.selection, SelectionPolicy::Puct(_))
    }
}

/// The selection policy: the child a descent goes to.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum SelectionPolicy {
    /// The greatest `mean + c * sqrt(ln(visits of the node) / visits of the move)`, with means from
    /// 0 (lost) to 1 (won).
    Ucb(f32),
    /// The greatest `mean + c * chance * sqrt(visits of the node) / (1 + visits of the move)`, where
    /// the leaf evaluator's biases are the probabilities of the moves (AlphaGo's PUCT, after Rosin
    /// 2011).
    Puct(f32),
    /// The move with the fewest visits.
    Even,
}

/// Progressive widening: the number of moves considered by the visits of their node.
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
        /// Factor from one wait to the next.
        growth: f32,
    },
}

impl Widening {
    /// The schedule of Crazy Stone.
    pub const COULOM: Widening = Widening::Geometric { wait: 40.0, growth: 1.4 };
}

/// The criterion of the best root move.
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

/// RAVE (rapid action value estimation): the results of all simulations in which the same side makes
/// the move later.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RaveSettings {
    /// The weight of these results.
    pub schedule: RaveSchedule,
    /// One descent in this many goes without them; 0 for none.
    pub skip: u32,
    /// Whether a move counts only for the side that makes it first: a point where the other side
    /// played before is another point.
    pub first_only: bool,
    /// Extra weight of a move that is made at once over one at the end of a simulation; 0 makes all
    /// equal.
    pub nearness: f32,
    /// Whether priors count as RAVE visits too.
    pub priors: bool,
}

/// The weight of RAVE values, which falls as a move gets visits of its own.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum RaveSchedule {
    /// Weight `w = r / (1 / initial + r / last)` of `r` RAVE visits against the visits.
    Fuego {
        /// The weight of the first RAVE visit.
        initial: f32,
        /// The limit of the weight.
        last: f32,
    },
    /// Share `r / (r + n + 4 n r bias^2)` of the value, with `n` visits (Gelly and Silver, 2007).
    GellySilver {
        /// The assumed error of RAVE values.
        bias: f32,
    },
}

impl RaveSchedule {
    /// Fuego's defaults.
    pub const FUEGO: RaveSchedule = RaveSchedule::Fuego { initial: 1.0, last: 5000.0 };
    /// An equivalence of about 1,000 visits.
    pub const GELLY_SILVER: RaveSchedule = RaveSchedule::GellySilver { bias: 0.016 };
}
