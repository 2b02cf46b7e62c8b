//! `crazystone-like`: UCT that looks at few moves first and at more the longer it thinks, in the order
//! of strengths learned from games, after Crazy Stone (Coulom 2007).
//!
//! Crazy Stone also drew the moves of its playouts by learned strengths. Here they are played by the
//! same policy as those of `engine`.

use crate::{
    Recipe, Resources,
    go_guide::{Learned, LearnedGuide, Likely},
    go_knowledge::Knowledge,
    go_search::{self, GoPlayer},
    mcts::number,
    move_strengths::{MoveStrengths, WEIGHTS},
    settings::switch,
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::{Go, policy::Policy};
use ludus_search::mcts::{Mcts, Selection, Settings, Widening};

/// Its name.
pub const ID: &str = "crazystone-like";

const OPTIONS: [OptionSpec; 13] = go_search::with_own([
    number("c", "0.3", 0.0, 100.0, "how much untried moves are tried: c of UCT"),
    number("wait", "40", 0.0, 1e9, "visits before the second move is looked at; 0 for all at once"),
    number("growth", "1.4", 1.0, 100.0, "how many times as long the next move waits"),
    number("visits", "0", 0.0, 1e6, "visits that learned strengths count for besides the order"),
    switch("rave", "off", "count moves played later as if played first"),
    WEIGHTS,
]);

fn search(options: &Options) -> Settings {
    let base = go_search::fuego_search(options);
    let [c, wait, growth] = ["c", "wait", "growth"].map(|name| options.number(name) as f32);
    Settings {
        selection: Selection::Ucb(c),
        expand: 1,
        rave: base.rave.filter(|_| options.switch("rave")),
        first_play: None,
        widening: match wait {
            0.0 => Widening::All,
            _ => Widening::Geometric { wait, growth },
        },
        ..base
    }
}

fn build(options: &Options, resources: &Resources) -> Result<GoPlayer<LearnedGuide>, TextError> {
    let search = search(options);
    let mut knowledge = Knowledge::new(Policy::strong(), search).changed(options)?;
    knowledge.search.selection = search.selection; // it explores without RAVE as with it
    let visits = options.number("visits") as f32;
    let likely = Likely::Strengths(MoveStrengths::of_options(options)?);
    let learned = Learned { likely, visits };
    let guide = || LearnedGuide::new(knowledge.guide(), Some(learned.clone()));
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, guide);
    GoPlayer::new(ID, options, mcts)
}

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: ID,
        about: "UCT that widens by learned strengths of moves, after Crazy Stone (2007)",
        options: &OPTIONS,
        build: |options, resources| Ok(Box::new(build(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build(options, resources)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Action, History, Limits, Notation, Player, Watch};
    use ludus_games::go::{Move, move_features::MoveFeatures};
    use std::sync::atomic::AtomicBool;

    fn game() -> History<Go> {
        let options = Options::parse("go:size=5,komi=0.5", Go::OPTIONS).unwrap();
        History::new(Go::start(&options).unwrap())
    }

    /// How many moves of the root have visits, and what is played.
    fn searched(spec: &str) -> (usize, Action<Move>) {
        let options = Options::parse(spec, &OPTIONS).unwrap();
        let mut player = build(&options, &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
        let choice = player.choose(&game(), &Limits::default(), &mut watch).unwrap();
        let tried = choice.report.moves.iter().filter(|it| it.visits > 0).count();
        (tried, choice.action)
    }

    #[test]
    fn few_moves_are_looked_at_first() {
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
            let Action::Play(mv) = action else { panic!("nobody resigns an empty board") };
            let game = game();
            let features = MoveFeatures::new(game.last()).of(mv);
            assert_eq!((tried, features[5]), (1, expected));
        }
    }
}
