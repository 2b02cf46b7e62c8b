//! `crazystone-like`: UCT with progressive widening in the order of move strengths learned from games,
//! after Crazy Stone (Coulom 2007).
//!
//! Crazy Stone also drew the moves of its playouts by learned strengths. Here the playout policy is
//! that of `engine`.

use crate::{
    PlayerRecipe, Resources,
    common::mcts::number,
    go::{
        leaf_evaluator::{LearnedLeafEvaluator, LearnedPolicy, MovePredictor},
        mcts_player::{self, GoMctsPlayer, GoSearch},
        move_strengths::{MoveStrengths, WEIGHTS},
        player_config::GoPlayerConfig,
    },
    settings::switch,
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::Go;
use ludus_knowledge::go::policy::PlayoutPolicy;
use ludus_search::mcts::{Mcts, MctsSettings, SelectionPolicy, Widening};

/// Its name.
pub const ID: &str = "crazystone-like";

const OPTIONS: &[OptionSpec] = mcts_player::options_with![
    number("c", "0.3", 0.0, 100.0, "exploration constant of UCT"),
    number(
        "wait",
        "40",
        0.0,
        1e9,
        "progressive widening: visits before the second move is added; 0 adds all at once",
    ),
    number(
        "growth",
        "1.4",
        1.0,
        100.0,
        "progressive widening: growth of the visits before each further move",
    ),
    number(
        "visits",
        "0",
        0.0,
        1e6,
        "prior visits of the learned strengths, besides ordering the moves",
    ),
    switch("rave", "off", "RAVE: count moves played later as if played first"),
    WEIGHTS,
];

fn search(options: &Options) -> MctsSettings {
    let base = mcts_player::fuego_search(options);
    let [c, wait, growth] = ["c", "wait", "growth"].map(|name| options.number(name) as f32);
    MctsSettings {
        selection: SelectionPolicy::Ucb(c),
        expansion_threshold: 1,
        rave: base.rave.filter(|_| options.switch("rave")),
        first_play_urgency: None,
        widening: match wait {
            0.0 => Widening::All,
            _ => Widening::Geometric { wait, growth },
        },
        ..base
    }
}

fn build(
    options: &Options,
    resources: &Resources,
) -> Result<GoMctsPlayer<LearnedLeafEvaluator>, TextError> {
    let search = search(options);
    let mut knowledge = GoPlayerConfig::new(PlayoutPolicy::strong(), search).changed(options)?;
    knowledge.search.selection = search.selection; // the same exploration with and without RAVE
    let visits = options.number("visits") as f32;
    let predictor = MovePredictor::Strengths(MoveStrengths::of_options(options)?);
    let learned = LearnedPolicy { predictor, visits };
    let evaluator = || LearnedLeafEvaluator::new(knowledge.leaf_evaluator(), Some(learned.clone()));
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, evaluator);
    GoSearch::new(options, mcts).player(ID, options)
}

pub fn recipe() -> PlayerRecipe<Go> {
    PlayerRecipe {
        id: ID,
        about: "UCT with progressive widening by learned move strengths, after Crazy Stone (2007)",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build(options, resources)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Action, History, Limits, Notation, Player, SearchControl};
    use ludus_games::go::GoMove;
    use ludus_knowledge::go::move_features::MoveFeatures;
    use std::sync::atomic::AtomicBool;

    fn game() -> History<Go> {
        let options = Options::parse("go:size=5,komi=0.5", Go::OPTIONS).unwrap();
        History::new(Go::start(&options).unwrap())
    }

    /// The number of root moves with visits, and the action chosen.
    fn searched(spec: &str) -> (usize, Action<GoMove>) {
        let options = Options::parse(spec, OPTIONS).unwrap();
        let mut player = build(&options, &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let choice = player.choose(&game(), &Limits::default(), &mut control).unwrap();
        let tried = choice.report.moves.iter().filter(|it| it.visits > 0).count();
        (tried, choice.action)
    }

    #[test]
    fn few_moves_are_searched_first() {
        assert_eq!(searched("crazystone-like:playouts=30").0, 1);
        assert_eq!(searched("crazystone-like:playouts=90").0, 2);
        assert_eq!(searched("crazystone-like:playouts=200,wait=0").0, 25);
    }

    #[test]
    fn weights_decide_the_order() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (line, expected) in [("first line", 0), ("third", 2)] {
            std::fs::write(file.path(), format!("edge: {line} = 100\n")).unwrap();
            let weights = file.path().display();
            let spec = format!("crazystone-like:playouts=30,weights={weights}");
            let (tried, action) = searched(&spec);
            let Action::Play(mv) = action else { panic!("resigned on an empty board") };
            let game = game();
            let features = MoveFeatures::new(game.last()).of(mv);
            assert_eq!((tried, features[5]), (1, expected));
        }
    }
}
