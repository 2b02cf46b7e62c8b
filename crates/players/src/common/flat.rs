//! `flat`: flat Monte Carlo, simulations of every root move without a tree.

use crate::{
    PlayerRecipe, Resources, Roster,
    common::mcts::{
        CommonLeafEvaluator, LEAF, MctsPlayer, PLAYOUTS, PLIES, TIME, leaf_evaluator, number,
        own_limits, scale,
    },
};
use ludus_core::{OptionKind, OptionSpec, Options, TextError};
use ludus_search::mcts::{Mcts, MctsSettings, SelectionPolicy};

const OPTIONS: &[OptionSpec] = &[
    PLAYOUTS,
    TIME,
    OptionSpec {
        name: "split",
        kind: OptionKind::Choice(&["ucb1", "even"]),
        default: "ucb1",
        about: "move of the next simulation: the one with the best upper confidence bound, or each in turn",
    },
    number("c", "0.7", 0.0, 100.0, "exploration constant of split=ucb1"),
    LEAF,
    PLIES,
];

pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "flat",
        about: "flat Monte Carlo: simulations of every move, no tree",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build::<P>(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build::<P>(options, resources)?))),
    }
}

fn build<P: Roster>(
    options: &Options,
    resources: &Resources,
) -> Result<MctsPlayer<P, CommonLeafEvaluator<P>>, TextError> {
    let selection = match options.text("split") {
        "even" => SelectionPolicy::Even,
        _ => SelectionPolicy::Ucb(options.number("c") as f32),
    };
    // The moves of one position need little memory.
    let settings =
        MctsSettings { selection, memory: 1 << 20, scale: scale::<P>(), ..MctsSettings::FLAT };
    let evaluator = || leaf_evaluator::<P>(options, false);
    let mcts = Mcts::new(settings, resources.threads, resources.seed, evaluator);
    Ok(MctsPlayer::new("flat", own_limits(options)?, mcts))
}
