//! Build check on resume: the program and the players must be those that started the contest.

use crate::{
    build::BUILD,
    parallel::ContestError,
    store::{ContestPlayer, Store, StoreError},
};
use ludus_players::identity::UNKNOWN_BUILD;

/// A player or program with another build than at the start of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildDifference {
    /// A player, or `ludus` for the program itself.
    pub name: String,
    /// The build that started the contest.
    pub original: String,
    /// The present build.
    pub current: String,
}

/// Builds of `players` and this program that differ from those that started contest `id`.
pub fn build_differences(
    store: &Store,
    id: i64,
    players: &[ContestPlayer],
) -> Result<Vec<BuildDifference>, StoreError> {
    let contest = store.contest(id)?.ok_or(StoreError::NoContest(id))?;
    let stored = store.contest_players(id)?;
    let mut build_differences = Vec::new();
    let mut compare = |name: &str, original: &str, current: &str| {
        if original != current {
            let [name, original, current] = [name, original, current].map(str::to_owned);
            build_differences.push(BuildDifference { name, original, current });
        }
    };
    compare("ludus", &contest.build, BUILD);
    for ContestPlayer { spec, identity } in players {
        let original = stored.iter().find(|player| player.spec == *spec);
        let original = original.map_or(UNKNOWN_BUILD, |player| &player.identity.build);
        // Built-in players have the build of the program, which was compared above.
        if identity.build != BUILD || original != contest.build {
            compare(spec, original, &identity.build);
        }
    }
    Ok(build_differences)
}

/// Fails if the builds differ from those that started contest `id`.
pub fn require_same_builds(
    store: &Store,
    id: i64,
    players: &[ContestPlayer],
) -> Result<(), ContestError> {
    match build_differences(store, id, players)?.into_iter().next() {
        None => Ok(()),
        Some(difference) => Err(ContestError::OtherBuild { contest: id, difference }),
    }
}
