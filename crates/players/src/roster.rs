//! The players a game offers, and building one of them by its name.

use crate::{
    Endgames, PlayerRecipe, Resources, Traced,
    common::{
        engine::{self, Networked},
        flat, greedy, mcts, minimax, random, textbook,
    },
    external,
    memory::check_memory,
};
use ludus_core::{
    EndgameSolver, HasEval, Knowledge, LinearEval, Notation, Options, Player, PlayerError,
    TextError, Weights, WithWeights, options::split_name,
};
use ludus_games::{split_nim::SplitNim, tictactoe::TicTacToe};
use ludus_knowledge::split_nim::SplitNimKnowledge;
use ludus_knowledge::tictactoe::TicTacToeKnowledge;
use ludus_models::nnue::{Net, Shape};
use ludus_search::alphabeta::{EndgameOracle, Pruning, SearchSettings};
use std::sync::Arc;

/// A game that can be played here, and its players. Every game has the common players.
pub trait Roster: Notation {
    /// Its evaluation and search hints; `()` knows nothing.
    type Knowledge: Knowledge<Self>;

    /// All recipes, weakest first.
    fn recipes() -> Vec<PlayerRecipe<Self>> {
        common_and([engine::recipe()])
    }

    /// The search settings that suit the game best.
    fn engine_settings() -> SearchSettings {
        let pruning = Pruning { late_move_reductions: true, ..Pruning::OFF };
        SearchSettings { pruning, ..SearchSettings::STRONG }
    }

    /// The handcrafted evaluation with other weights, in games whose evaluation has weights.
    ///
    /// # Errors
    /// If the text does not fit, or the game has no weights.
    fn eval_from_weights(_weights: &str) -> Result<Handcrafted<Self>, TextError> {
        let expected = "the default: its evaluation has no weights";
        Err(TextError::whole("option of the engine for this game", "weights", expected))
    }

    /// The endgame tables of the game, if it has any.
    fn endgames() -> Option<&'static dyn Endgames> {
        None
    }

    /// The endgame database the options of a player ask for.
    ///
    /// # Errors
    /// If it is missing, damaged or cannot be built.
    fn endgame_oracle(
        _options: &Options,
        _resources: &Resources,
    ) -> Result<Option<Arc<dyn EndgameOracle<Self>>>, PlayerError> {
        Ok(None)
    }

    /// A solver that plays the endgame perfectly, if the game has one.
    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Self>>> {
        None
    }
}

/// The handcrafted evaluation of the game `P`.
pub type Handcrafted<P> = <<P as Roster>::Knowledge as HasEval<P>>::Handcrafted;

/// The players every game has, and the `own` ones of a game.
pub fn common_and<P: Roster, const N: usize>(own: [PlayerRecipe<P>; N]) -> Vec<PlayerRecipe<P>> {
    let mut recipes = vec![random::recipe(), greedy::recipe(), minimax::recipe()];
    recipes.extend(textbook::recipes());
    recipes.extend([flat::recipe(), mcts::recipe()]);
    recipes.extend(own);
    recipes.push(external::ludus::recipe());
    recipes
}

/// Reads the weights of a linear evaluation.
pub(crate) fn linear_eval<P>(weights: &str) -> Result<Handcrafted<P>, TextError>
where
    P: Roster<Knowledge: LinearEval + HasEval<P, Handcrafted: WithWeights>>,
{
    Ok(Handcrafted::<P>::with_weights(&Weights::parse(weights, P::Knowledge::GROUPS)?))
}

/// Reads a network that is part of the program.
pub(crate) fn parse_net<P: Networked>(bytes: &[u8]) -> Arc<Net> {
    let net = Net::from_bytes(bytes, P::ID, Shape::of::<P::Knowledge>());
    Arc::new(net.expect("the built-in network fits its game"))
}

/// Builds the player named by `text`, such as `minimax:depth=3`.
pub fn build<P: Roster>(
    text: &str,
    resources: &Resources,
) -> Result<Box<dyn Player<P>>, PlayerError> {
    let (recipe, options) = find::<P>(text)?;
    check_memory(&options)?;
    (recipe.build)(&options, resources)
}

/// Builds the player named by `text`, if its search can be traced.
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
    check_memory(&options)?;
    build(&options, resources)
}

pub(crate) fn find<P: Roster>(text: &str) -> Result<(PlayerRecipe<P>, Options), TextError> {
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

impl Roster for TicTacToe {
    type Knowledge = TicTacToeKnowledge;
}

impl Roster for SplitNim {
    type Knowledge = SplitNimKnowledge;
}
