//! Tables of endings for players: found in a folder, built on first use, opened once a process.

use crate::{
    Resources,
    endgames::{EndgameStep, named},
    recipe::{DataFolder, Finds},
    settings::text,
};
use ludus_core::{
    Notation, OptionSpec, Options, PlayerError, TextError, endgame_index::EndgameIndex,
};
use ludus_search::{
    alphabeta::Oracle,
    tables::{
        Database, EndgameError,
        endgame::{self, unstoppable},
    },
};
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// Built on first use: up to so many pieces, in under a minute. Where results must be the same for
/// everybody, larger tables that happen to be there are not used.
pub const BUILT_PIECES: usize = 5;

/// Which tables a player uses.
pub const OPTION: OptionSpec = text(
    "database",
    "auto",
    "tables of English endings: on (built on first use), off, auto (if there are any) or a folder",
);

/// The tables the options ask for.
///
/// # Errors
/// If they ask for tables that are not there or damaged, or that cannot be built.
pub fn oracle<P: EndgameIndex + Notation>(
    options: &Options,
    resources: &Resources,
) -> Result<Option<Arc<dyn Oracle<P>>>, PlayerError> {
    let value = options.text(OPTION.name);
    let wrong = |expected: String| TextError::whole("database of the player", value, expected);
    let in_words = |error| match error {
        EndgameError::Damaged { .. } | EndgameError::Missing { .. } => {
            wrong(format!("tables that are whole ({error})")).into()
        }
        error => PlayerError::Failed(Box::new(error)),
    };
    let database = match (value, &resources.data) {
        ("off", _) | ("auto", None | Some(DataFolder { finds: Finds::Ignored, .. })) => None,
        ("auto", Some(data)) => {
            shared::<P>(&folder::<P>(data), P::MOST_PIECES, None).map_err(in_words)?
        }
        ("on", None) => {
            return Err(wrong("a folder, because there is no data directory".to_owned()).into());
        }
        ("on", Some(data)) => {
            let missing = Missing { pieces: BUILT_PIECES, data };
            let most = match data.finds {
                Finds::Used => P::MOST_PIECES,
                Finds::Ignored => BUILT_PIECES,
            };
            shared::<P>(&folder::<P>(data), most, Some(&missing)).map_err(in_words)?
        }
        (given, _) => {
            let found = shared::<P>(Path::new(given), P::MOST_PIECES, None).map_err(in_words)?;
            let expected = "on, off, auto or a folder that `ludus endgame build` has filled";
            Some(found.ok_or_else(|| wrong(expected.to_owned()))?)
        }
    };
    Ok(database.map(|database| database as Arc<dyn Oracle<P>>))
}

/// Where the tables of a game are kept.
fn folder<P: Notation>(data: &DataFolder) -> PathBuf {
    data.path.join("endgame").join(P::ID)
}

/// What to do if there are no tables.
struct Missing<'a> {
    /// Build those with up to so many pieces.
    pieces: usize,
    data: &'a DataFolder,
}

type Opened = HashMap<(TypeId, PathBuf, usize), Arc<dyn Any + Send + Sync>>;

/// The tables in `folder` with up to `most` pieces, which all players of this process share; `None`
/// if there are none and none are to be built.
fn shared<P: EndgameIndex>(
    folder: &Path,
    most: usize,
    missing: Option<&Missing<'_>>,
) -> Result<Option<Arc<Database<P>>>, EndgameError> {
    static OPENED: LazyLock<Mutex<Opened>> = LazyLock::new(Mutex::default);
    // Whoever comes while tables are being built waits for them. A panic leaves the list as it was.
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let place = (TypeId::of::<P>(), folder.to_owned(), most);
    let wanted = missing.map_or(1, |missing| missing.pieces);
    let known = opened.get(&place).cloned().and_then(|any| any.downcast::<Database<P>>().ok());
    if let Some(database) = known.filter(|database| database.pieces() >= wanted) {
        return Ok(Some(database));
    }
    let mut database = Database::<P>::open(folder, most)?;
    if let Some(missing) = missing
        && database.pieces() < wanted
    {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        endgame::build::<P>(folder, wanted, &unstoppable(threads), |step| {
            missing.data.tell(&named::<P>(step));
        })?;
        database = Database::open(folder, most)?;
    }
    if database.pieces() == 0 {
        return Ok(None);
    }
    let database = Arc::new(database);
    opened.insert(place, Arc::clone(&database) as Arc<dyn Any + Send + Sync>);
    Ok(Some(database))
}

impl DataFolder {
    fn tell(&self, step: &EndgameStep) {
        if let Some(on_step) = &self.on_step {
            on_step(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_games::draughts::Draughts;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn ask(spec: &str, data: Option<DataFolder>) -> Result<usize, String> {
        let options = Options::parse(spec, &[OPTION]).unwrap();
        let resources = Resources { data, ..Resources::default() };
        let found = oracle::<Draughts>(&options, &resources).map_err(|error| error.to_string())?;
        Ok(found.map_or(0, |oracle| oracle.largest()))
    }

    fn data(path: &Path, finds: Finds) -> Option<DataFolder> {
        Some(DataFolder { path: path.to_owned(), finds, on_step: None })
    }

    #[test]
    fn tables_are_used_where_the_option_and_the_place_allow() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert_eq!(ask("x", data(path, Finds::Used)), Ok(0));
        assert_eq!(ask("x:database=auto", None), Ok(0));
        let tables = path.join("endgame").join("draughts");
        endgame::build::<Draughts>(&tables, 2, &unstoppable(1), |_| {}).unwrap();
        assert_eq!(ask("x", data(path, Finds::Used)), Ok(2));
        assert_eq!(ask("x", data(path, Finds::Ignored)), Ok(0));
        assert_eq!(ask("x:database=off", data(path, Finds::Used)), Ok(0));
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
        endgame::build::<Draughts>(folder.path(), 2, &unstoppable(1), |_| {}).unwrap();
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
            finds: Finds::Used,
            on_step: Some(Arc::new(move |step| {
                counted.fetch_add(step.slices.len(), Relaxed);
            })),
        };
        let built = || {
            let missing = Missing { pieces: 2, data: &data };
            shared::<Draughts>(folder.path(), 2, Some(&missing)).unwrap().unwrap()
        };
        let all: Vec<Arc<Database<Draughts>>> = std::thread::scope(|scope| {
            let asking: Vec<_> = (0..4).map(|_| scope.spawn(built)).collect();
            asking.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(all.iter().all(|it| Arc::ptr_eq(it, &all[0]) && it.pieces() == 2));
        assert_eq!(steps.load(Relaxed), 4, "two men and kings on either side make four slices");
    }
}
