//! Players that search with given weights.

use ludus_core::{
    Choice, History, Limits, Linear, LinearlyJudged, Options, Player, PlayerError, TextError,
    Watch, Weights, options::split_name,
};
use ludus_engine::search::{Budget, Minimax};
use ludus_players::Roster;

/// A game whose hand evaluation can be tuned.
pub trait Tunable: Roster + LinearlyJudged {
    /// The weights the game has now under `options`.
    fn shipped(options: &Options) -> Weights;
}

/// The player named by `text`, such as `minimax:depth=2`, judging by `weights`.
///
/// # Errors
/// If there is no such player, or it does not judge by weights.
pub fn contender<P: Tunable>(
    text: &str,
    weights: &Weights,
) -> Result<Box<dyn Player<P>>, PlayerError> {
    let (name, _) = split_name(text);
    let recipe = P::recipes().into_iter().find(|recipe| recipe.id == name);
    match (name, recipe) {
        ("minimax", Some(recipe)) => {
            let options = Options::parse(text, recipe.options)?;
            let depth = options.integer("depth") as u32;
            Ok(Box::new(MinimaxWith { evaluation: Linear::new(weights), depth }))
        }
        _ => Err(TextError::whole("player", text, "one that judges by weights: minimax").into()),
    }
}

/// Plain minimax with given weights.
struct MinimaxWith<P> {
    evaluation: Linear<P>,
    depth: u32,
}

impl<P: LinearlyJudged> Player<P> for MinimaxWith<P> {
    fn name(&self) -> &str {
        "minimax"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut budget = Budget::new(limits, watch.stop);
        let report =
            Minimax::new(&mut self.evaluation, &mut budget).search(game.last(), self.depth);
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        Ok(Choice::play(mv, report))
    }
}
