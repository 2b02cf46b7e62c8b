//! Players of training runs: built with given weights, and checked to be reproducible.

use ludus_core::{
    Choice, HasEval, History, Limits, LinearEval, Options, Player, PlayerError, SearchControl,
    TextError, Weights, WithWeights, options::split_name,
};
use ludus_players::{Handcrafted, Resources, Roster, build_player, common::engine};
use ludus_search::alphabeta::{Budget, Minimax};

/// A game whose handcrafted evaluation can be tuned: any that is linear in its weights.
pub trait TunableEval:
    Roster<Knowledge: LinearEval<Position = Self> + HasEval<Self, Handcrafted: WithWeights>>
{
}

impl<P> TunableEval for P where
    P: Roster<Knowledge: LinearEval<Position = Self> + HasEval<Self, Handcrafted: WithWeights>>
{
}

/// Builds the player named by `text`, such as `engine:nodes=2000`, with `weights`.
///
/// # Errors
/// If there is no such player, it has no weights, or it is limited by time: then no seed would give
/// the same games twice.
pub fn player_with_weights<P: TunableEval>(
    text: &str,
    weights: &Weights,
) -> Result<Box<dyn Player<P>>, PlayerError> {
    let (name, _) = split_name(text);
    let Some(recipe) = P::recipes().into_iter().find(|recipe| recipe.id == name) else {
        return Err(unfit(text, "a player with tunable weights: minimax, engine"));
    };
    let options = Options::parse(text, recipe.options)?;
    let evaluation = Handcrafted::<P>::with_weights(weights);
    match name {
        "minimax" => {
            let depth = options.integer("depth") as u32;
            if depth == 0 {
                return Err(unfit(text, "a depth, such as minimax:depth=2"));
            }
            Ok(Box::new(MinimaxWith { evaluation, depth }))
        }
        "engine" => {
            check_limits(text, &options)?;
            if !options.text("weights").is_empty() {
                return Err(unfit(text, "no weights: they come from the recipe's start"));
            }
            Ok(engine::with_evaluator(evaluation, &options, &Resources::default())?)
        }
        _ => Err(unfit(text, "a player with tunable weights: minimax, engine")),
    }
}

/// Checks that `text` names an engine that plays the same games for the same seed.
pub(crate) fn check_reproducible<P: Roster>(text: &str) -> Result<(), PlayerError> {
    let recipes = P::recipes();
    let engine = recipes.iter().find(|recipe| recipe.id == "engine");
    let Some(recipe) = engine.filter(|recipe| split_name(text).0 == recipe.id) else {
        return Err(unfit(text, "the engine, such as engine:nodes=1000"));
    };
    check_limits(text, &Options::parse(text, recipe.options)?)
}

/// Checks that the player named by `text` exists and has no time limit; `what` names its place in
/// the recipe.
pub(crate) fn check_untimed<P: Roster>(what: &str, text: &str) -> Result<(), PlayerError> {
    build_player::<P>(text, &Resources::default())?;
    let (name, _) = split_name(text);
    let recipe = P::recipes().into_iter().find(|recipe| recipe.id == name);
    let known = recipe.map_or(&[][..], |recipe| recipe.options);
    let is_timed = known.iter().any(|option| option.name == "time")
        && !Options::parse(text, known)?.text("time").is_empty();
    if is_timed {
        let expected = "a player without a time limit: its games would differ each time";
        return Err(TextError::whole(what, text, expected).into());
    }
    Ok(())
}

fn check_limits(text: &str, options: &Options) -> Result<(), PlayerError> {
    let limited = options.integer("nodes") > 0 || options.integer("depth") > 0;
    if !limited || !options.text("time").is_empty() || options.switch("ponder") {
        return Err(unfit(text, "nodes or a depth and no time, such as engine:nodes=2000"));
    }
    Ok(())
}

fn unfit(text: &str, expected: &str) -> PlayerError {
    TextError::whole("player", text, expected).into()
}

/// Plain minimax with given weights.
struct MinimaxWith<P: Roster> {
    evaluation: Handcrafted<P>,
    depth: u32,
}

impl<P: Roster> Player<P> for MinimaxWith<P> {
    fn name(&self) -> &str {
        "minimax"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut budget = Budget::new(limits, control.stop);
        let report =
            Minimax::new(&mut self.evaluation, &mut budget).search(game.last(), self.depth);
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        Ok(Choice::play(mv, report))
    }
}
