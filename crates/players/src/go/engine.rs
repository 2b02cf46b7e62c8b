//! `engine` of Go: our strongest Monte-Carlo tree search, at ten levels.

use crate::{
    PlayerRecipe, Resources,
    common::{engine::LEVEL, mcts::number},
    go::{
        book::{BOOK, WithBook},
        leaf_evaluator::{
            LearnedLeafEvaluator, LearnedPolicy, MovePredictor, ValueMix, ValueShare,
        },
        mcts_player::{self, GoMctsPlayer, GoSearch},
        move_strengths::{MoveStrengths, WEIGHTS},
        net::{self, NET},
        player_config::GoPlayerConfig,
        playout_weights::{PLAYOUT_WEIGHTS, PolicyWeights},
    },
    settings::{switch, text},
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::Go;
use ludus_knowledge::go::priors::GoPriors;
use ludus_search::mcts::{Mcts, MctsSettings, RaveSettings};

const WINNER: OptionSpec = text(
    "winner",
    "auto",
    "weight of the network's value beside a playout, from 0 to 1; auto: 0.5, and 0.8 on boards \
     larger than 11x11",
);

/// Smallest board size whose ladders are longer than the search looks ahead.
const MIN_LADDER_SIZE: usize = 14;

const OPTIONS: &[OptionSpec] = mcts_player::options_with![
    LEVEL,
    switch(
        "moves",
        "on",
        "without a network: learned move strengths; off: the priors of Fuego and Pachi",
    ),
    number("visits", "112", 0.0, 1e4, "prior: won visits of a move of probability 1"),
    WEIGHTS,
    NET,
    WINNER,
    switch("fading", "on", "let the weight of the network's value fade as the board fills"),
    PLAYOUT_WEIGHTS,
    BOOK,
];

/// The handicap of a level below the top.
struct WeakLevel {
    /// Playouts a move.
    playouts: u64,
    knowledge: LevelKnowledge,
}

/// Knowledge of a level besides the rules.
#[derive(Copy, Clone, PartialEq)]
enum LevelKnowledge {
    /// The playout policy.
    Playouts,
    /// And the priors of Fuego and Pachi.
    Shapes,
    /// All learned knowledge.
    Everything,
}

impl WeakLevel {
    /// People look further ahead as they learn, and know shapes before they can evaluate whole boards. Each
    /// level runs two to four times as many playouts as the one below, or knows more. With few
    /// playouts the network is worth ten times as many (9x9, 20 games).
    fn of(level: i64) -> Option<WeakLevel> {
        let (playouts, knowledge) = match level {
            1 => (10, LevelKnowledge::Playouts),
            2 => (20, LevelKnowledge::Playouts),
            3 => (45, LevelKnowledge::Playouts),
            4 => (100, LevelKnowledge::Playouts),
            5 => (100, LevelKnowledge::Shapes),
            6 => (400, LevelKnowledge::Shapes),
            7 => (100, LevelKnowledge::Everything),
            8 => (400, LevelKnowledge::Everything),
            9 => (1_600, LevelKnowledge::Everything),
            _ => return None,
        };
        Some(WeakLevel { playouts, knowledge })
    }
}

fn learned_policy(
    options: &Options,
    knowledge: LevelKnowledge,
) -> Result<Option<LearnedPolicy>, TextError> {
    if knowledge != LevelKnowledge::Everything {
        return Ok(None);
    }
    let visits = options.number("visits") as f32;
    let predictor = match net::of_options(options)? {
        Some(net) => MovePredictor::Net { net, value_mix: value_mix(options)? },
        None if options.switch("moves") => {
            MovePredictor::Strengths(MoveStrengths::of_options(options)?)
        }
        None => return Ok(None),
    };
    Ok(Some(LearnedPolicy { predictor, visits }))
}

fn value_mix(options: &Options) -> Result<ValueMix, TextError> {
    let share = match options.text(WINNER.name) {
        "auto" => ValueShare::BySize,
        text => {
            let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
            let wrong = || TextError::whole(WINNER.name, text, "auto or a number from 0 to 1");
            ValueShare::Fixed(number.ok_or_else(wrong)?)
        }
    };
    Ok(ValueMix { share, fades: options.switch("fading") })
}

/// The search of Fuego with the RAVE of Pachi: only the first move on a point counts, nearer moves
/// count more, and priors do not count as RAVE visits.
fn search(options: &Options) -> MctsSettings {
    let base = mcts_player::fuego_search(options);
    let rave = base.rave.map(|rave| RaveSettings {
        first_only: true,
        nearness: 3.0,
        priors: false,
        ..rave
    });
    // Tree reuse would make a weak level stronger than it is meant to be.
    let reuse = base.reuse && WeakLevel::of(options.integer(LEVEL.name)).is_none();
    MctsSettings { solver: true, rave, reuse, ..base }
}

fn build(
    options: &Options,
    resources: &Resources,
) -> Result<GoMctsPlayer<LearnedLeafEvaluator>, TextError> {
    let weak_level = WeakLevel::of(options.integer(LEVEL.name));
    let level_knowledge =
        weak_level.as_ref().map_or(LevelKnowledge::Everything, |level| level.knowledge);
    let learned = learned_policy(options, level_knowledge)?;
    let knows_shapes = learned.is_none() && level_knowledge != LevelKnowledge::Playouts;
    let priors = if knows_shapes { GoPriors::strong() } else { GoPriors::even() };
    let base = GoPlayerConfig::new(PolicyWeights::policy_of(options)?, search(options));
    let knowledge = GoPlayerConfig { priors, min_ladder_size: MIN_LADDER_SIZE, ..base };
    let knowledge = knowledge.changed(options)?;
    let evaluator = || LearnedLeafEvaluator::new(knowledge.leaf_evaluator(), learned.clone());
    let threads = if level_knowledge == LevelKnowledge::Everything { resources.threads } else { 1 };
    let mcts = Mcts::new(knowledge.search, threads, resources.seed, evaluator);
    let search = GoSearch::new(options, mcts);
    let search = match weak_level {
        Some(level) => search.with_max_playouts(level.playouts),
        None => search,
    };
    search.player("engine", options)
}

fn build_with_book(
    options: &Options,
    resources: &Resources,
) -> Result<WithBook<GoMctsPlayer<LearnedLeafEvaluator>>, TextError> {
    WithBook::new(build(options, resources)?, options, resources)
}

pub fn recipe() -> PlayerRecipe<Go> {
    PlayerRecipe {
        id: "engine",
        about: "our strongest Monte-Carlo tree search, at levels from beginner to full strength",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build_with_book(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build_with_book(options, resources)?))),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Analysis, AnalysisControl, Resources, find_game};
    use ludus_core::Limits;
    use std::sync::atomic::AtomicBool;

    fn analysis(game: &str, player: &str) -> Analysis {
        let (game, options) = find_game(game).unwrap();
        let board = game.open(&options, None).unwrap();
        let stop = AtomicBool::new(false);
        let mut progress =
            AnalysisControl { limits: Limits::default(), stop: &stop, on_report: &mut |_| {} };
        board.analyze(player, &Resources::default(), &mut progress).unwrap()
    }

    #[test]
    fn higher_levels_search_more() {
        let nodes = |player| analysis("go:size=5", player).nodes;
        assert!((1..=10).contains(&nodes("engine:level=1")));
        assert!((11..=45).contains(&nodes("engine:level=3")));
        assert!(
            (1..=20).contains(&nodes("engine:level=9,playouts=20")),
            "the smaller limit counts"
        );
    }

    #[test]
    fn beginners_are_quick_on_large_boards() {
        let analysis = analysis("go", "engine:level=3");
        assert!(analysis.best.is_some());
        assert!((1..=45).contains(&analysis.nodes), "{} playouts", analysis.nodes);
    }
}
