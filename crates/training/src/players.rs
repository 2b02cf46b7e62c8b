//! Players of training runs, checked to be reproducible.

use ludus_core::{Options, PlayerError, TextError, options::split_name};
use ludus_players::{Resources, Roster, build_player};

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

/// Checks that `text` names a player that judges a position the same each time: the engine, or an
/// external one that searches with one thread.
pub(crate) fn check_judge<P: Roster>(text: &str) -> Result<(), PlayerError> {
    let (name, _) = split_name(text);
    if name != "uci" {
        return check_reproducible::<P>(text);
    }
    build_player::<P>(text, &Resources::default())?;
    let recipe = P::recipes().into_iter().find(|recipe| recipe.id == name);
    let options = Options::parse(text, recipe.map_or(&[][..], |recipe| recipe.options))?;
    let limited = options.integer("nodes") > 0 || options.integer("depth") > 0;
    if !limited || !options.text("time").is_empty() || options.integer("threads") > 1 {
        let expected =
            "nodes or a depth, no time and one thread, such as uci:path=stockfish,nodes=5000";
        return Err(unfit(text, expected));
    }
    Ok(())
}

pub(crate) fn check_limits(text: &str, options: &Options) -> Result<(), PlayerError> {
    let limited = options.integer("nodes") > 0 || options.integer("depth") > 0;
    if !limited || !options.text("time").is_empty() || options.switch("ponder") {
        return Err(unfit(text, "nodes or a depth and no time, such as engine:nodes=2000"));
    }
    Ok(())
}

pub(crate) fn unfit(text: &str, expected: &str) -> PlayerError {
    TextError::whole("player", text, expected).into()
}
