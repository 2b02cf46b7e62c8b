//! Recipes: TOML files that describe training runs.

use crate::{
    games::game_options,
    kinds::{KINDS, Settings, TrainingKind},
};
use ludus_core::{Options, TextError};
use serde::{Deserialize, Serialize};
use std::{any::Any, ops::Range};
use toml::{
    Spanned,
    de::{DeTable, Deserializer, Error},
};

/// A training run: kind, game, player, seed and the settings of the kind.
#[derive(Debug)]
pub struct Recipe {
    /// Game, with its options.
    pub game: String,
    /// Player that plays the games, with its options.
    pub player: String,
    /// Weights to start from.
    pub start: StartWeights,
    /// Seed of everything random.
    pub seed: u64,
    /// More files of self-play games to train on, relative to the recipe's folder.
    pub data: Vec<String>,
    settings: Box<dyn Settings>,
}

/// Keys of a recipe outside the sections.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeHead {
    #[serde(rename = "kind")]
    _kind: String,
    game: String,
    player: String,
    #[serde(default)]
    start: StartWeights,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default)]
    data: Vec<String>,
}

fn one() -> u64 {
    1
}

/// Weights that a run starts from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum StartWeights {
    /// Weights of the game's handcrafted evaluation.
    #[default]
    Hand,
    /// All zero.
    Zero,
    /// Weights in a file, relative to the recipe's folder.
    File(String),
}

impl From<String> for StartWeights {
    fn from(text: String) -> StartWeights {
        match text.as_str() {
            "hand" => StartWeights::Hand,
            "zero" => StartWeights::Zero,
            _ => StartWeights::File(text),
        }
    }
}

impl From<StartWeights> for String {
    fn from(start: StartWeights) -> String {
        match start {
            StartWeights::Hand => "hand".to_owned(),
            StartWeights::Zero => "zero".to_owned(),
            StartWeights::File(file) => file,
        }
    }
}

impl Recipe {
    /// Creates a recipe with these settings and seed 1.
    pub fn new(game: &str, player: &str, settings: impl Settings) -> Recipe {
        Recipe {
            game: game.to_owned(),
            player: player.to_owned(),
            start: StartWeights::default(),
            seed: one(),
            data: Vec::new(),
            settings: Box::new(settings),
        }
    }

    /// Reads and checks a recipe.
    ///
    /// # Errors
    /// If anything in it is unknown, out of its range, or a section of another kind.
    pub fn parse(text: &str) -> Result<Recipe, TextError> {
        Recipe::read(text, ForeignSections::Refused)
    }

    /// Reads the recipe of a run that has begun. Sections of other kinds are ignored, as they once
    /// were in every recipe: the run goes on.
    ///
    /// # Errors
    /// If anything else in it is unknown or out of its range.
    pub fn parse_begun(text: &str) -> Result<Recipe, TextError> {
        Recipe::read(text, ForeignSections::Ignored)
    }

    fn read(text: &str, foreign: ForeignSections) -> Result<Recipe, TextError> {
        let refused = |error: Error| refusal(text, &error);
        let document = DeTable::parse(text).map_err(refused)?;
        let kind = kind_of(text, document.get_ref())?;
        let (sections, head) = split_sections(text, document, kind, foreign)?;
        let head = RecipeHead::deserialize(Deserializer::from(head)).map_err(refused)?;
        let settings = kind.read(Deserializer::from(sections)).map_err(refused)?;
        let RecipeHead { game, player, start, seed, data, .. } = head;
        let recipe = Recipe { game, player, start, seed, data, settings };
        recipe.settings.check(&recipe)?;
        Ok(recipe)
    }

    /// Kind of training.
    pub fn kind(&self) -> &'static TrainingKind {
        self.settings.kind()
    }

    /// Settings of the kind.
    ///
    /// # Panics
    /// If they are not `S`, which is a mistake in the kind that asks for them.
    pub fn settings<S: Settings>(&self) -> &S {
        let settings: &dyn Any = &*self.settings;
        settings.downcast_ref().expect("a kind asks for the settings it reads")
    }

    /// Checks that the game can be trained and parses its options.
    ///
    /// # Errors
    /// If the game cannot be trained or its options are wrong.
    pub fn game_options(&self) -> Result<Options, TextError> {
        game_options(&self.game)
    }

    /// All players that the recipe names.
    pub fn players(&self) -> Vec<&str> {
        [vec![self.player.as_str()], self.settings.players()].concat()
    }

    /// Number of steps of the run's main stage; 0 if unknown.
    pub fn steps(&self) -> u64 {
        self.settings.steps()
    }

    /// Checks that there are games to learn from: `games`, the setting `name`, or files.
    pub(crate) fn check_games(&self, name: &str, games: u64) -> Result<(), TextError> {
        if games > 0 || !self.data.is_empty() {
            return Ok(());
        }
        let expected = format!("{name} of at least 1, or files of games in data");
        Err(TextError::whole("recipe", "no games", expected))
    }
}

fn refusal(text: &str, error: &Error) -> TextError {
    let offset = error.span().map_or(0, |span| span.start);
    TextError::from_parser("recipe", text, offset, error.message())
}

fn kind_of(text: &str, document: &DeTable<'_>) -> Result<&'static TrainingKind, TextError> {
    let refused = |span: Range<usize>, message: &str| {
        TextError::from_parser("recipe", text, span.start, message)
    };
    let Some((_, value)) = document.iter().find(|(key, _)| key.get_ref() == "kind") else {
        return Err(refused(0..0, "missing field `kind`"));
    };
    let name = value.get_ref().as_str().unwrap_or_default();
    TrainingKind::find(name).ok_or_else(|| {
        let names: Vec<String> = KINDS.iter().map(|kind| format!("`{}`", kind.name)).collect();
        let names = names.join(", ");
        refused(value.span(), &format!("unknown kind `{name}`, expected one of {names}"))
    })
}

/// Treatment of sections of other kinds.
#[derive(Copy, Clone, PartialEq)]
enum ForeignSections {
    Refused,
    Ignored,
}

/// Divides a recipe into the sections of its kind and the rest.
fn split_sections<'a>(
    text: &str,
    document: Spanned<DeTable<'a>>,
    kind: &TrainingKind,
    foreign: ForeignSections,
) -> Result<(Spanned<DeTable<'a>>, Spanned<DeTable<'a>>), TextError> {
    let (span, own) = (document.span(), kind.sections());
    let (mut sections, mut head) = (DeTable::new(), DeTable::new());
    for (key, value) in document.into_inner() {
        let name = key.get_ref();
        let is_of = |kind: &TrainingKind| kind.sections().iter().any(|section| section == name);
        if is_of(kind) {
            sections.insert(key, value);
        } else if !KINDS.iter().any(|other| is_of(other)) {
            head.insert(key, value);
        } else if foreign == ForeignSections::Refused {
            let problem = format!("recipe (section [{name}] is not for kind {:?})", kind.name);
            let expected = format!("no sections but [{}]", own.join("] and ["));
            return Err(TextError::at(&problem, text, key.span().start, expected));
        }
    }
    Ok((Spanned::new(span.clone(), sections), Spanned::new(span, head)))
}

/// Checks that a setting lies in its range; `name` is its path in the recipe.
pub(crate) fn range(name: &str, value: f64, min: f64, max: f64) -> Result<(), TextError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    let expected = format!("a number from {min} to {max}");
    Err(TextError::whole("recipe", &format!("{name} = {value}"), expected))
}
