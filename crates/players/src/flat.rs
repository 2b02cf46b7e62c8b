//! `flat`: flat Monte Carlo, which simulates every move of the position and looks no deeper.

use crate::{
    Recipe, Resources, Roster,
    mcts::{
        CommonGuide, LEAF, MctsPlayer, PLAYOUTS, PLIES, TIME, guide, number, own_limits, scale,
    },
};
use ludus_core::{Kind, OptionSpec, Options, TextError};
use ludus_search::mcts::{Mcts, Selection, Settings};

const OPTIONS: &[OptionSpec] = &[
    PLAYOUTS,
    TIME,
    OptionSpec {
        name: "split",
        kind: Kind::Choice(&["ucb1", "even"]),
        default: "ucb1",
        about: "who gets the next simulation: the most promising move, or all in turn",
    },
    number("c", "0.7", 0.0, 100.0, "how much split=ucb1 tries moves that look worse"),
    LEAF,
    PLIES,
];

pub fn recipe<P: Roster>() -> Recipe<P> {
    Recipe {
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
) -> Result<MctsPlayer<P, CommonGuide<P>>, TextError> {
    let selection = match options.text("split") {
        "even" => Selection::Even,
        _ => Selection::Ucb(options.number("c") as f32),
    };
    // The moves of one position need little room.
    let settings = Settings { selection, memory: 1 << 20, scale: scale::<P>(), ..Settings::FLAT };
    let guide = || guide::<P>(options, false);
    let mcts = Mcts::new(settings, resources.threads, resources.seed, guide);
    Ok(MctsPlayer::new("flat", own_limits(options)?, mcts))
}
