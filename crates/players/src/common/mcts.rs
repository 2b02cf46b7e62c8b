//! `mcts`: Monte-Carlo tree search with random playouts or the game's evaluation at the leaves.

use crate::{
    PlayerRecipe, Resources, Roster,
    common::search_player::SearchPlayer,
    roster::Handcrafted,
    settings::{self, integer, switch, text},
};
use ludus_core::{HasEval, Limits, OptionKind, OptionSpec, Options, Position, TextError};
use ludus_search::mcts::{
    EitherLeaf, FinalChoice, Mcts, MctsSettings, ProgressiveBias, RaveSchedule, RaveSettings,
    Rollouts, SelectionPolicy, TruncatedRollouts, Widening,
};

const OPTIONS: &[OptionSpec] = &[
    PLAYOUTS,
    TIME,
    number("c", "0.7", 0.0, 100.0, "exploration constant of UCT"),
    OptionSpec {
        name: "expand",
        kind: OptionKind::Integer { min: 0, max: 1_000_000 },
        default: "1",
        about: "visits of a leaf before it is expanded",
    },
    OptionSpec {
        name: "final",
        kind: OptionKind::Choice(&["visits", "value", "lcb", "total"]),
        default: "visits",
        about: "choice of the final move: most visits, best mean value, best lower confidence bound, largest sum of results",
    },
    LEAF,
    PLIES,
    OptionSpec {
        name: "rave",
        kind: OptionKind::Choice(&["off", "fuego", "gelly-silver"]),
        default: "off",
        about: "RAVE: count moves played later as if played first, and the schedule of its weight",
    },
    number("winit", "1", 0.001, 1e6, "first weight of rave=fuego"),
    number("wfinal", "5000", 1.0, 1e9, "final weight of rave=fuego"),
    number("ravebias", "0.016", 0.0, 1.0, "bias of the values of rave=gelly-silver"),
    OptionSpec {
        name: "raveskip",
        kind: OptionKind::Integer { min: 0, max: 1_000_000 },
        default: "20",
        about: "one descent in this many goes without RAVE; 0 for none",
    },
    number(
        "fpu",
        "0",
        0.0,
        2.0,
        "first-play urgency: value of unvisited moves; 0 visits each move once",
    ),
    number(
        "widening",
        "0",
        0.0,
        1e6,
        "progressive widening: search 1 + widening x sqrt(visits) moves; 0 for all",
    ),
    number("bias", "0", -10.0, 10.0, "progressive bias: weight of the evaluation in the selection"),
    switch("solver", "on", "MCTS solver: back up proven results"),
    switch("reuse", "on", "tree reuse: keep the subtree of the moves played"),
    switch("early", "on", "stop early once the choice cannot change"),
    OptionSpec {
        name: "memory",
        kind: OptionKind::Bytes,
        default: "256MB",
        about: "size of the tree; once full it stops growing while simulations continue",
    },
];

pub(crate) const PLAYOUTS: OptionSpec =
    integer("playouts", i64::MAX, "simulations a move; 0 leaves it to the limits, else 10,000");
pub(crate) const TIME: OptionSpec = text("time", "", "time a move, such as 500ms");
pub(crate) const LEAF: OptionSpec = OptionSpec {
    name: "leaf",
    kind: OptionKind::Choice(&["playout", "eval", "mixed"]),
    default: "playout",
    about: "value of a leaf: a random playout, the evaluation, or the evaluation after random plies",
};
pub(crate) const PLIES: OptionSpec = OptionSpec {
    name: "plies",
    kind: OptionKind::Integer { min: 0, max: 1000 },
    default: "6",
    about: "random plies of leaf=mixed",
};

pub(crate) const fn number(
    name: &'static str,
    default: &'static str,
    min: f64,
    max: f64,
    about: &'static str,
) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Number { min, max }, default, about }
}

pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "mcts",
        about: "Monte-Carlo tree search (UCT, RAVE)",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build::<P>(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build::<P>(options, resources)?))),
    }
}

/// The search settings the options of `mcts` ask for.
fn search_settings<P: Roster>(options: &Options) -> MctsSettings {
    let number = |name| options.number(name) as f32;
    let schedule = match options.text("rave") {
        "fuego" => Some(RaveSchedule::Fuego { initial: number("winit"), last: number("wfinal") }),
        "gelly-silver" => Some(RaveSchedule::GellySilver { bias: number("ravebias") }),
        _ => None,
    };
    let skip = options.integer("raveskip") as u32;
    MctsSettings {
        selection: SelectionPolicy::Ucb(number("c")),
        expansion_threshold: options.integer("expand") as u32,
        final_choice: match options.text("final") {
            "value" => FinalChoice::Value,
            "lcb" => FinalChoice::LowerBound,
            "total" => FinalChoice::Total,
            _ => FinalChoice::Visits,
        },
        rave: schedule.map(|schedule| RaveSettings {
            schedule,
            skip,
            first_only: false,
            nearness: 0.0,
            priors: true,
        }),
        first_play_urgency: Some(number("fpu")).filter(|&value| value > 0.0),
        widening: match number("widening") {
            0.0 => Widening::All,
            factor => Widening::Root(factor),
        },
        bias: number("bias"),
        solver: options.switch("solver"),
        reuse: options.switch("reuse"),
        early_stop: options.switch("early"),
        memory: options.bytes("memory"),
        scale: scale::<P>(),
    }
}

/// The score mapped to 0.71 on the scale from -1 to 1: three of the game's units.
pub(crate) fn scale<P: Roster>() -> f32 {
    3.0 * P::engine_settings().params.margin_scale as f32
}

/// The leaf evaluator every game has.
pub(crate) type CommonLeafEvaluator<P> = ProgressiveBias<
    EitherLeaf<Rollouts<<P as Position>::Move>, TruncatedRollouts<Handcrafted<P>>>,
    Handcrafted<P>,
>;

/// The leaf evaluator that `leaf` and `plies` ask for; `recorded` playouts report their moves.
pub(crate) fn leaf_evaluator<P: Roster>(
    options: &Options,
    recorded: bool,
) -> CommonLeafEvaluator<P> {
    let scale = scale::<P>();
    let plies = if options.text("leaf") == "mixed" { options.integer("plies") as u32 } else { 0 };
    let leaf = match options.text("leaf") {
        "playout" if recorded => EitherLeaf::One(Rollouts::recorded()),
        "playout" => EitherLeaf::One(Rollouts::new()),
        _ => EitherLeaf::Other(TruncatedRollouts::new(P::Knowledge::handcrafted(), scale, plies)),
    };
    ProgressiveBias::new(leaf, P::Knowledge::handcrafted(), scale)
}

fn build<P: Roster>(
    options: &Options,
    resources: &Resources,
) -> Result<MctsPlayer<P, CommonLeafEvaluator<P>>, TextError> {
    let settings = search_settings::<P>(options);
    let evaluator = || leaf_evaluator::<P>(options, settings.rave.is_some());
    let mcts = Mcts::new(settings, resources.threads, resources.seed, evaluator);
    Ok(MctsPlayer::new("mcts", own_limits(options)?, mcts))
}

/// The limits in the options: `playouts` and `time`.
pub(crate) fn own_limits(options: &Options) -> Result<Limits, TextError> {
    Ok(Limits {
        nodes: settings::nonzero(options, "playouts"),
        time: settings::time(options, "time")?,
        ..Limits::default()
    })
}

/// A player by Monte-Carlo tree search with the leaf evaluator `G`.
pub type MctsPlayer<P, G> = SearchPlayer<Mcts<P, G>>;
