//! Endgame databases for players: found in a folder, built on first use, opened once a process.

use crate::{
    Resources,
    endgames::{EndgameStep, named_step},
    recipe::{DataFolder, FoundData},
    settings::text,
};
use ludus_core::{
    Notation, OptionSpec, Options, PlayerError, TextError, endgame_index::EndgameIndex,
};
use ludus_search::{
    alphabeta::EndgameOracle,
    tables::{
        EndgameDatabase, EndgameError,
        endgame::{self, unstoppable},
    },
};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// Pieces of the tables built on first use, in under a minute. Where results must be the same on
/// every machine, larger tables that happen to be there are not used.
pub const BUILT_PIECES: usize = 5;

/// The option for the endgame database of a player.
pub const OPTION: OptionSpec = text(
    "database",
    "auto",
    "endgame tables of English draughts: on (built on first use), off, auto (if there are any) or a folder",
);

/// The endgame database the options ask for.
///
/// # Errors
/// If it is missing, damaged or cannot be built.
pub fn oracle<K: EndgameIndex<Position: Notation>>(
    options: &Options,
    resources: &Resources,
) -> Result<Option<Arc<dyn EndgameOracle<K::Position>>>, PlayerError> {
    let value = options.text(OPTION.name);
    let wrong = |expected: String| TextError::whole("database of the player", value, expected);
    let to_player_error = |error| match error {
        EndgameError::Damaged { .. } | EndgameError::Missing { .. } => {
            wrong(format!("tables that are whole ({error})")).into()
        }
        error => PlayerError::Failed(Box::new(error)),
    };
    let database = match (value, &resources.data) {
        ("off", _) | ("auto", None | Some(DataFolder { found_data: FoundData::Ignored, .. })) => {
            None
        }
        ("auto", Some(data)) => open_shared::<K>(&folder::<K::Position>(data), K::MAX_PIECES, None)
            .map_err(to_player_error)?,
        ("on", None) => {
            return Err(wrong("a folder, because there is no data directory".to_owned()).into());
        }
        ("on", Some(data)) => {
            let missing = BuildMissing { pieces: BUILT_PIECES, data };
            let max_pieces = match data.found_data {
                FoundData::Used => K::MAX_PIECES,
                FoundData::Ignored => BUILT_PIECES,
            };
            open_shared::<K>(&folder::<K::Position>(data), max_pieces, Some(&missing))
                .map_err(to_player_error)?
        }
        (given, _) => {
            let found =
                open_shared::<K>(Path::new(given), K::MAX_PIECES, None).map_err(to_player_error)?;
            let expected = "on, off, auto or a folder that `ludus endgame build` has filled";
            Some(found.ok_or_else(|| wrong(expected.to_owned()))?)
        }
    };
    Ok(database.map(|database| database as Arc<dyn EndgameOracle<K::Position>>))
}

/// The folder of a game's tables.
fn folder<P: Notation>(data: &DataFolder) -> PathBuf {
    data.path.join("endgame").join(P::ID)
}

/// Tables to build if they are missing.
struct BuildMissing<'a> {
    /// Build those with up to this number of pieces.
    pieces: usize,
    data: &'a DataFolder,
}

type OpenDatabases = HashMap<(TypeId, PathBuf, usize), Arc<dyn Any + Send + Sync>>;

/// The tables in `folder` with up to `max_pieces` pieces, shared by all players of this process;
/// `None` if there are none and none are to be built.
fn open_shared<K: EndgameIndex>(
    folder: &Path,
    max_pieces: usize,
    missing: Option<&BuildMissing<'_>>,
) -> Result<Option<Arc<EndgameDatabase<K>>>, EndgameError> {
    static OPENED: LazyLock<Mutex<OpenDatabases>> = LazyLock::new(Mutex::default);
    // Other callers wait while tables are being built. A panic leaves the list as it was.
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (TypeId::of::<K>(), folder.to_owned(), max_pieces);
    let wanted = missing.map_or(1, |missing| missing.pieces);
    let known = opened.get(&key).cloned().and_then(|any| any.downcast::<EndgameDatabase<K>>().ok());
    if let Some(database) = known.filter(|database| database.pieces() >= wanted) {
        return Ok(Some(database));
    }
    let mut database = EndgameDatabase::<K>::open(folder, max_pieces)?;
    if let Some(missing) = missing
        && database.pieces() < wanted
    {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        endgame::build::<K>(folder, wanted, &unstoppable(threads), |step| {
            missing.data.report(&named_step::<K>(step));
        })?;
        database = EndgameDatabase::open(folder, max_pieces)?;
    }
    if database.pieces() == 0 {
        return Ok(None);
    }
    let database = Arc::new(database);
    opened.insert(key, Arc::clone(&database) as Arc<dyn Any + Send + Sync>);
    Ok(Some(database))
}

impl DataFolder {
    fn report(&self, step: &EndgameStep) {
        if let Some(on_step) = &self.on_step {
            on_step(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_knowledge::draughts::DraughtsKnowledge;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn ask(spec: &str, data: Option<DataFolder>) -> Result<usize, String> {
        let options = Options::parse(spec, &[OPTION]).unwrap();
        let resources = Resources { data, ..Resources::default() };
        let found =
            oracle::<DraughtsKnowledge>(&options, &resources).map_err(|error| error.to_string())?;
        Ok(found.map_or(0, |oracle| oracle.max_size()))
    }

    fn data(path: &Path, found_data: FoundData) -> Option<DataFolder> {
        Some(DataFolder { path: path.to_owned(), found_data, on_step: None })
    }

    #[test]
    fn tables_are_used_where_the_option_and_the_place_allow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(ask("x", data(path, FoundData::Used)), Ok(0));
        assert_eq!(ask("x:database=auto", None), Ok(0));
        let tables = path.join("endgame").join("draughts");
        endgame::build::<DraughtsKnowledge>(&tables, 2, &unstoppable(1), |_| {}).unwrap();
        assert_eq!(ask("x", data(path, FoundData::Used)), Ok(2));
        assert_eq!(ask("x", data(path, FoundData::Ignored)), Ok(0));
        assert_eq!(ask("x:database=off", data(path, FoundData::Used)), Ok(0));
        assert_eq!(ask(&format!("x:database={}", tables.display()), None), Ok(2));

        let error = ask("x:database=on", None).unwrap_err();
        assert!(error.contains("no data directory"), "{error}");
        let error = ask("x:database=no-such-folder", None).unwrap_err();
        assert!(
            error.contains("no-such-folder") && error.contains("ludus endgame build"),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_table_is_named() {
        let folder = tempfile::tempdir().unwrap();
        endgame::build::<DraughtsKnowledge>(folder.path(), 2, &unstoppable(1), |_| {}).unwrap();
        let file = folder.path().join("0m1k-1m0k.wld");
        let mut bytes = std::fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&file, bytes).unwrap();
        let error = ask(&format!("x:database={}", folder.path().display()), None).unwrap_err();
        assert!(error.contains("0m1k-1m0k.wld") && error.contains("corrupt"), "{error}");
    }

    #[test]
    fn missing_tables_are_built_once_however_many_ask() {
        let folder = tempfile::tempdir().unwrap();
        let steps = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&steps);
        let data = DataFolder {
            path: PathBuf::new(),
            found_data: FoundData::Used,
            on_step: Some(Arc::new(move |step| {
                counted.fetch_add(step.slices.len(), Relaxed);
            })),
        };
        let built = || {
            let missing = BuildMissing { pieces: 2, data: &data };
            open_shared::<DraughtsKnowledge>(folder.path(), 2, Some(&missing)).unwrap().unwrap()
        };
        let all: Vec<Arc<EndgameDatabase<DraughtsKnowledge>>> = std::thread::scope(|scope| {
            let asking: Vec<_> = (0..4).map(|_| scope.spawn(built)).collect();
            asking.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.iter().all(|it| Arc::ptr_eq(it, &all[0]) && it.pieces() == 2));
        assert_eq!(steps.load(Relaxed), 4, "two men and kings on either side make four slices");
    }
}
