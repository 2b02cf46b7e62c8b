//! Whether those who play a contest on are those who began it.

use crate::{
    build::BUILD,
    run::RunError,
    store::{ContestPlayer, Store, StoreError},
};
use ludus_players::identity::UNKNOWN_BUILD;

/// Where two builds of the same thing differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A player, or `ludus` for the rules of play.
    pub what: String,
    /// The build that began the contest.
    pub then: String,
    /// The build that is here.
    pub now: String,
}

/// Where `players` and this program differ from those that began the contest numbered `id`.
pub fn differences(
    store: &Store,
    id: i64,
    players: &[ContestPlayer],
) -> Result<Vec<Difference>, StoreError> {
    let contest = store.contest(id)?.ok_or(StoreError::NoContest(id))?;
    let stored = store.contest_players(id)?;
    let mut differences = Vec::new();
    let mut compare = |what: &str, then: &str, now: &str| {
        if then != now {
            let [what, then, now] = [what, then, now].map(str::to_owned);
            differences.push(Difference { what, then, now });
        }
    };
    compare("ludus", &contest.build, BUILD);
    for ContestPlayer { spec, identity } in players {
        let then = stored.iter().find(|player| player.spec == *spec);
        let then = then.map_or(UNKNOWN_BUILD, |player| &player.identity.build);
        // Our own players differ as the program does, which is said already.
        if identity.build != BUILD || then != contest.build {
            compare(spec, then, &identity.build);
        }
    }
    Ok(differences)
}

/// Refuses to let others play the contest on than those who began it.
pub fn check(store: &Store, id: i64, players: &[ContestPlayer]) -> Result<(), RunError> {
    match differences(store, id, players)?.into_iter().next() {
        None => Ok(()),
        Some(difference) => Err(RunError::OtherBuild { contest: id, difference }),
    }
}
