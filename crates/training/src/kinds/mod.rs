//! Kinds of training, a folder each. A kind is a name, the settings of its recipes and a
//! [`Training`] for each of its games.

pub mod chess_cnn;
pub mod feature_selection;
pub mod go_net;
pub mod hill_climb;
pub mod logreg;
pub mod move_strengths;
pub mod neuroevolution;
pub mod nnue;
pub mod playout_weights;
pub mod specialists;
pub mod td;
pub mod texel;

use crate::{
    Job, Recipe, Run, TrainingError,
    games::{TrainableGame, unknown_game},
    run::Trained,
};
use ludus_core::{TextError, options::split_name};
use serde::{Serialize, de::DeserializeOwned};
use std::{any::Any, fmt};
use toml::de::Deserializer;

/// Every kind of training. Adding one adds a folder and an entry here.
pub static KINDS: &[&TrainingKind] = &[
    &texel::KIND,
    &hill_climb::KIND,
    &nnue::KIND,
    &td::KIND,
    &specialists::KIND,
    &feature_selection::KIND,
    &neuroevolution::KIND,
    &move_strengths::KIND,
    &playout_weights::KIND,
    &go_net::KIND,
    &chess_cnn::KIND,
    &logreg::KIND,
];

/// A training whose recipe, game, players and files were checked.
pub trait Training {
    /// Runs all stages, or the rest of them.
    ///
    /// # Errors
    /// If a player or the disk fails, or the stop flag is raised.
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError>;
}

/// A training that is ready to run, or the reason why it cannot.
pub type PreparedTraining<'a> = Result<Box<dyn Training + 'a>, TrainingError>;

/// Settings of a recipe: a struct with a field for each section.
pub trait Settings: Any + fmt::Debug + Send + Sync {
    /// Kind of training that has these settings.
    fn kind(&self) -> &'static TrainingKind;

    /// Checks the ranges of all values, and that there are games if the kind needs them.
    fn check(&self, recipe: &Recipe) -> Result<(), TextError>;

    /// Players that the settings name besides the recipe's own.
    fn players(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Number of steps of the main stage; 0 if unknown.
    fn steps(&self) -> u64 {
        0
    }
}

/// A kind of training.
pub struct TrainingKind {
    /// Name in recipes.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Games that can be trained this way.
    pub games: &'static [TrainableGame],
    sections: fn() -> Vec<String>,
    read: fn(Deserializer<'_>) -> Result<Box<dyn Settings>, toml::de::Error>,
}

impl TrainingKind {
    /// The kind with settings `S`.
    pub const fn new<S>(
        name: &'static str,
        about: &'static str,
        games: &'static [TrainableGame],
    ) -> TrainingKind
    where
        S: Settings + Default + Serialize + DeserializeOwned,
    {
        TrainingKind { name, about, games, sections: sections::<S>, read: read::<S> }
    }

    /// Finds a kind by its name.
    pub fn find(name: &str) -> Option<&'static TrainingKind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }

    /// Names of the sections that its recipes may have.
    pub fn sections(&self) -> Vec<String> {
        (self.sections)()
    }

    /// Reads its sections of a recipe.
    pub(crate) fn read(
        &self,
        sections: Deserializer<'_>,
    ) -> Result<Box<dyn Settings>, toml::de::Error> {
        (self.read)(sections)
    }

    /// Checks all that can be checked of a job before it runs.
    pub(crate) fn prepare<'a>(&self, job: &'a Job) -> PreparedTraining<'a> {
        let (name, _) = split_name(&job.recipe.game);
        match self.games.iter().find(|game| game.id == name) {
            Some(game) => (game.prepare)(job),
            None => Err(unsupported_game(self.name, name).into()),
        }
    }
}

impl fmt::Debug for TrainingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TrainingKind").field(&self.name).finish()
    }
}

/// Names of the sections: the fields of the settings.
fn sections<S: Default + Serialize>() -> Vec<String> {
    let table = toml::Table::try_from(S::default()).expect("settings are a struct of tables");
    table.into_iter().map(|(name, _)| name).collect()
}

fn read<S: Settings + DeserializeOwned>(
    sections: Deserializer<'_>,
) -> Result<Box<dyn Settings>, toml::de::Error> {
    Ok(Box::new(S::deserialize(sections)?))
}

/// Error of a kind that cannot train a game: names the kinds that can, or the games of all kinds.
fn unsupported_game(kind: &str, game: &str) -> TextError {
    let trains = |kind: &&&TrainingKind| kind.games.iter().any(|known| known.id == game);
    let names: Vec<&str> = KINDS.iter().filter(trains).map(|kind| kind.name).collect();
    let Some((last, others)) = names.split_last() else { return unknown_game(game) };
    let names = if others.is_empty() {
        (*last).to_owned()
    } else {
        format!("{} or {last}", others.join(", "))
    };
    TextError::whole("kind", kind, format!("{names}, the kinds of training that {game} has"))
}
