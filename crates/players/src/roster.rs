//! Which players a game offers.

use crate::endgame_solver::{EndgameSolver, ReversiEndgameSolver};
use crate::endgames::{Endgames, Tables};
use crate::engine::Networked;
use crate::{
    Recipe, Resources, Traced, anaconda, btt_go, crazystone_like, database, engine, external, flat,
    fuego_like, go_engine, greedy, mcts, migos, minimax, mp_draughts, neural, random, solver,
    textbook,
};
use ludus_core::{
    Ending, HasEval, LinearEval, MoveIndex, Notation, Options, Player, PlayerError, Rollout,
    SearchHints, TextError, Weights, WithWeights, options::split_name,
};
use ludus_models::nnue::{Net, Shape};
use ludus_search::alphabeta::{Oracle, Pruning, Settings};
use std::sync::{Arc, LazyLock};

/// A game that can be played here, and its players. Every game gets the common ones for free.
pub trait Roster: Notation + Ending + Rollout + MoveIndex + HasEval + SearchHints {
    /// All recipes, weakest first.
    fn recipes() -> Vec<Recipe<Self>> {
        common_and([engine::recipe()])
    }

    /// What search suits the game best.
    fn engine_settings() -> Settings {
        let pruning = Pruning { reductions: true, ..Pruning::OFF };
        Settings { pruning, ..Settings::STRONG }
    }

    /// The hand evaluation with other weights, in games whose evaluation has any.
    ///
    /// # Errors
    /// If the text does not fit, or the game has no weights.
    fn hand_from(_weights: &str) -> Result<Self::Hand, TextError> {
        let expected = "the default: its evaluation has no weights";
        Err(TextError::whole("option of the engine for this game", "weights", expected))
    }

    /// The tables of its endings, if there can be any.
    fn endgames() -> Option<&'static dyn Endgames> {
        None
    }

    /// Who knows endings of the game for certain, as the options of the player want it.
    ///
    /// # Errors
    /// If they want tables that cannot be had.
    fn oracle(
        _options: &Options,
        _resources: &Resources,
    ) -> Result<Option<Arc<dyn Oracle<Self>>>, PlayerError> {
        Ok(None)
    }

    /// What plays the end of the game perfectly, if anything does.
    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }
}

/// The players every game has, and some of its own.
pub fn common_and<P: Roster, const N: usize>(own: [Recipe<P>; N]) -> Vec<Recipe<P>> {
    let mut recipes = vec![random::recipe(), greedy::recipe(), minimax::recipe()];
    recipes.extend(textbook::recipes());
    recipes.extend([flat::recipe(), mcts::recipe()]);
    recipes.extend(own);
    recipes.push(external::ludus::recipe());
    recipes
}

const CHESS_NET: &[u8] = include_bytes!("../../../data/net/chess.net");
const DRAUGHTS_NET: &[u8] = include_bytes!("../../../data/net/draughts.net");

fn embedded<P: Networked>(bytes: &[u8]) -> Arc<Net> {
    let net = Net::from_bytes(bytes, P::ID, Shape::of::<P>());
    Arc::new(net.expect("the network fits its game"))
}

/// The evaluation of a game that is linear in its weights.
fn weighed<P>(text: &str) -> Result<P::Hand, TextError>
where
    P: LinearEval + HasEval<Hand: WithWeights>,
{
    Ok(P::Hand::with_weights(&Weights::parse(text, P::GROUPS)?))
}

/// Builds the player named by `text`, such as `minimax:depth=3`.
pub fn build<P: Roster>(
    text: &str,
    resources: &Resources,
) -> Result<Box<dyn Player<P>>, PlayerError> {
    let (recipe, options) = find::<P>(text)?;
    (recipe.build)(&options, resources)
}

/// Builds the player named by `text`, if it is one that shows how it searches.
pub fn build_traced<P: Roster>(
    text: &str,
    resources: &Resources,
) -> Result<Box<dyn Traced<P>>, PlayerError> {
    let (recipe, options) = find::<P>(text)?;
    let Some(build) = recipe.build_traced else {
        let names = P::recipes().into_iter().filter(|recipe| recipe.build_traced.is_some());
        let names: Vec<&str> = names.map(|recipe| recipe.id).collect();
        let expected = format!("a player that searches a tree: {}", names.join(", "));
        return Err(TextError::whole("player to trace", recipe.id, expected).into());
    };
    build(&options, resources)
}

pub(crate) fn find<P: Roster>(text: &str) -> Result<(Recipe<P>, Options), TextError> {
    let recipes = P::recipes();
    let (name, _) = split_name(text);
    let names: Vec<&str> = recipes.iter().map(|recipe| recipe.id).collect();
    let Some(recipe) = recipes.into_iter().find(|recipe| recipe.id == name) else {
        let expected = format!("one of the players of {}: {}", P::ID, names.join(", "));
        return Err(TextError::whole("player", name, expected));
    };
    let options = Options::parse(text, recipe.options)?;
    Ok((recipe, options))
}

impl Roster for ludus_games::tictactoe::TicTacToe {}
impl Roster for ludus_games::split_nim::SplitNim {}
impl Roster for ludus_games::connect4::Connect4 {
    fn recipes() -> Vec<Recipe<Self>> {
        common_and([engine::recipe(), solver::recipe()])
    }
}
impl Roster for ludus_games::reversi::Reversi {
    fn hand_from(weights: &str) -> Result<Self::Hand, TextError> {
        weighed::<Self>(weights)
    }

    fn engine_settings() -> Settings {
        let pruning = Pruning { reductions: true, futility: true, unit: 400, ..Pruning::OFF };
        Settings { pruning, ..Settings::STRONG }
    }

    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Self>>> {
        Some(Box::new(ReversiEndgameSolver::default()))
    }
}
impl Roster for ludus_games::draughts::Draughts {
    fn endgames() -> Option<&'static dyn Endgames> {
        Some(&Tables::<Self>::NEW)
    }

    fn recipes() -> Vec<Recipe<Self>> {
        let mut recipes = common_and([]);
        recipes.extend(neural::FAMILIES.iter().map(|family| (family.recipe)()));
        recipes.extend([
            mp_draughts::recipe(),
            anaconda::recipe(),
            engine::recipe_with_net_and_tables(),
            external::hub::recipe(),
        ]);
        // Other programs come last.
        recipes.sort_by_key(|recipe| recipe.id == "ludus");
        recipes
    }

    fn oracle(
        options: &Options,
        resources: &Resources,
    ) -> Result<Option<Arc<dyn Oracle<Self>>>, PlayerError> {
        database::oracle(options, resources)
    }

    fn hand_from(weights: &str) -> Result<Self::Hand, TextError> {
        weighed::<Self>(weights)
    }

    fn engine_settings() -> Settings {
        let pruning = Pruning { reductions: true, futility: true, ..Pruning::OFF };
        Settings { pruning, table_from: 2, extensions: false, ..Settings::STRONG }
    }
}
impl Networked for ludus_games::draughts::Draughts {
    fn net() -> Arc<Net> {
        static NET: LazyLock<Arc<Net>> =
            LazyLock::new(|| embedded::<ludus_games::draughts::Draughts>(DRAUGHTS_NET));
        Arc::clone(&NET)
    }
}
impl Roster for ludus_games::chess::Chess {
    fn recipes() -> Vec<Recipe<Self>> {
        common_and([engine::recipe_with_net(), external::uci::recipe()])
    }

    fn hand_from(weights: &str) -> Result<Self::Hand, TextError> {
        weighed::<Self>(weights)
    }

    fn engine_settings() -> Settings {
        Settings { cache: true, table_from: 2, ..Settings::STRONG }
    }
}
impl Networked for ludus_games::chess::Chess {
    fn net() -> Arc<Net> {
        static NET: LazyLock<Arc<Net>> =
            LazyLock::new(|| embedded::<ludus_games::chess::Chess>(CHESS_NET));
        Arc::clone(&NET)
    }
}
impl Roster for ludus_games::go::Go {
    fn recipes() -> Vec<Recipe<Self>> {
        common_and([
            migos::recipe(),
            fuego_like::recipe(),
            btt_go::recipe(),
            crazystone_like::recipe(),
            go_engine::recipe(),
            external::gtp::recipe(),
        ])
    }
}
