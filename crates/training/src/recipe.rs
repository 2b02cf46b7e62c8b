//! Recipes: TOML files that describe training runs.

use crate::{
    feature_selection::FeatureSelectionSettings, find_trainable, go_net::GoNetSettings,
    hill_climb::HillClimbSettings, move_strengths::MoveStrengthsSettings,
    neuroevolution::NeuroevolutionSettings, nnue::NnueSettings,
    playout_weights::PlayoutWeightsSettings, self_play::SelfPlaySettings,
    specialists::SpecialistsSettings, td_self_play::TdSettings, texel::TexelSettings,
    trainable::Trainable,
};
use ludus_core::{Options, TextError};
use serde::{Deserialize, Serialize};

/// A training run: game, player, seed and the settings of its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Training method.
    pub kind: TrainingKind,
    /// Game, with its options.
    pub game: String,
    /// Player that plays the games, with its options.
    pub player: String,
    /// Weights to start from.
    #[serde(default)]
    pub start: StartWeights,
    /// Seed of everything random.
    #[serde(default = "one")]
    pub seed: u64,
    /// More files of self-play games to train on, relative to the recipe's folder.
    #[serde(default)]
    pub data: Vec<String>,
    /// Self-play games, for `kind = "texel"` and `kind = "net"`.
    #[serde(default)]
    pub self_play: SelfPlaySettings,
    /// Texel tuning, for `kind = "texel"`.
    #[serde(default)]
    pub texel: TexelSettings,
    /// Hill climbing, for `kind = "climb"`.
    #[serde(default, rename = "climb")]
    pub hill_climb: HillClimbSettings,
    /// NNUE training, for `kind = "net"`.
    #[serde(default, rename = "net")]
    pub nnue: NnueSettings,
    /// TD learning, for `kind = "td"` and `kind = "genetic"`.
    #[serde(default)]
    pub td: TdSettings,
    /// Endgame specialists, for `kind = "mp"`.
    #[serde(default, rename = "mp")]
    pub specialists: SpecialistsSettings,
    /// Genetic feature selection, for `kind = "genetic"`.
    #[serde(default, rename = "genetic")]
    pub feature_selection: FeatureSelectionSettings,
    /// Neuroevolution, for `kind = "evolution"`.
    #[serde(default, rename = "evolution")]
    pub neuroevolution: NeuroevolutionSettings,
    /// Bradley-Terry strengths of move features, for `kind = "moves"`.
    #[serde(default, rename = "moves")]
    pub move_strengths: MoveStrengthsSettings,
    /// Weights of the playout policy, for `kind = "habits"`.
    #[serde(default, rename = "habits")]
    pub playout_weights: PlayoutWeightsSettings,
    /// Training of a Go network, for `kind = "go-net"`.
    #[serde(default)]
    pub go_net: GoNetSettings,
}

fn one() -> u64 {
    1
}

/// Training method of a run. The names in recipes are older than those here and stay.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrainingKind {
    /// Texel tuning of a linear evaluation on self-play positions.
    Texel,
    /// Hill climbing: matches of mutated weights against the champion.
    #[serde(rename = "climb")]
    HillClimb,
    /// NNUE: a network that corrects the handcrafted evaluation, trained on self-play positions.
    #[serde(rename = "net")]
    Nnue,
    /// TD learning of a network on features, by self-play against a copy of itself.
    Td,
    /// Endgame specialists: clusters of endgame positions, TD learning of one network for each.
    #[serde(rename = "mp")]
    Specialists,
    /// Genetic selection of features for networks that learn by TD.
    #[serde(rename = "genetic")]
    FeatureSelection,
    /// Neuroevolution: networks play each other, the better half survives and has children.
    #[serde(rename = "evolution")]
    Neuroevolution,
    /// Bradley-Terry strengths of move features, fitted to the moves of self-play.
    #[serde(rename = "moves")]
    MoveStrengths,
    /// Weights of the playout policy, fitted to the results of self-play (simulation balancing).
    #[serde(rename = "habits")]
    PlayoutWeights,
    /// Policy, value and ownership network of Go, trained on self-play.
    GoNet,
}

impl TrainingKind {
    /// Name of the kind in recipes.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TrainingKind::Texel => "texel",
            TrainingKind::HillClimb => "climb",
            TrainingKind::Nnue => "net",
            TrainingKind::Td => "td",
            TrainingKind::Specialists => "mp",
            TrainingKind::FeatureSelection => "genetic",
            TrainingKind::Neuroevolution => "evolution",
            TrainingKind::MoveStrengths => "moves",
            TrainingKind::PlayoutWeights => "habits",
            TrainingKind::GoNet => "go-net",
        }
    }
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
    /// Creates a recipe with default settings.
    pub fn new(kind: TrainingKind, game: &str, player: &str) -> Recipe {
        Recipe {
            kind,
            game: game.to_owned(),
            player: player.to_owned(),
            start: StartWeights::default(),
            seed: one(),
            data: Vec::new(),
            self_play: SelfPlaySettings::default(),
            texel: TexelSettings::default(),
            hill_climb: HillClimbSettings::default(),
            nnue: NnueSettings::default(),
            td: TdSettings::default(),
            specialists: SpecialistsSettings::default(),
            feature_selection: FeatureSelectionSettings::default(),
            neuroevolution: NeuroevolutionSettings::default(),
            move_strengths: MoveStrengthsSettings::default(),
            playout_weights: PlayoutWeightsSettings::default(),
            go_net: GoNetSettings::default(),
        }
    }

    /// Reads and checks a recipe.
    ///
    /// # Errors
    /// If anything in it is unknown or out of its range.
    pub fn parse(text: &str) -> Result<Recipe, TextError> {
        let recipe: Recipe = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            TextError::from_parser("recipe", text, at, error.message())
        })?;
        recipe.check()?;
        Ok(recipe)
    }

    /// Finds the recipe's game and parses its options.
    ///
    /// # Errors
    /// If the game cannot be trained or its options are wrong.
    pub fn trainable(&self) -> Result<(&'static dyn Trainable, Options), TextError> {
        find_trainable(&self.game)
    }

    fn check(&self) -> Result<(), TextError> {
        let SelfPlaySettings { games, every, .. } = self.self_play;
        let required_games = match self.kind {
            TrainingKind::Texel | TrainingKind::Nnue => Some(("self_play.games", games)),
            TrainingKind::MoveStrengths => Some(("moves.games", self.move_strengths.games)),
            TrainingKind::PlayoutWeights => Some(("habits.games", self.playout_weights.games)),
            TrainingKind::GoNet => Some(("go_net.games", self.go_net.games)),
            _ => None,
        };
        if let Some((name, 0)) = required_games
            && self.data.is_empty()
        {
            let expected = format!("{name} of at least 1, or files of games in data");
            return Err(TextError::whole("recipe", "no games", expected));
        }
        self.nnue.check()?;
        self.td.check()?;
        self.specialists.check()?;
        self.feature_selection.check()?;
        self.neuroevolution.check()?;
        self.move_strengths.check()?;
        self.go_net.check()?;
        self.playout_weights.check()?;
        let texel = &self.texel;
        let hill_climb = &self.hill_climb;
        let whole = |name: &str, value: u64, min: u64, max: u64| {
            range(name, value as f64, min as f64, max as f64)
        };
        whole("self_play.games", games, 0, u32::MAX.into())?;
        whole("self_play.every", every as u64, 1, 1_000_000)?;
        for (name, opening, rules) in [
            ("self_play", self.self_play.opening, self.self_play.rules),
            ("climb", hill_climb.opening, hill_climb.rules),
        ] {
            whole(&format!("{name}.opening.plies"), opening.plies as u64, 0, 200)?;
            range(&format!("{name}.opening.balance"), opening.balance.into(), 0.0, 32_000.0)?;
            whole(&format!("{name}.rules.longest"), rules.longest as u64, 1, 100_000)?;
            whole(&format!("{name}.rules.agreed"), rules.agreed.into(), 1, 1_000)?;
            let decided = rules.decided.unwrap_or(1);
            range(&format!("{name}.rules.decided"), decided.into(), 1.0, 32_000.0)?;
        }
        range("texel.lambda", texel.lambda, 0.0, 1.0)?;
        range("texel.k", texel.k.unwrap_or(1.0), 0.001, 1_000.0)?;
        range("texel.rate", texel.rate, 1e-6, 10_000.0)?;
        range("texel.validation", texel.validation, 0.0, 0.9)?;
        range("texel.l2", texel.l2, 0.0, 1e9)?;
        whole("texel.patience", texel.patience.into(), 1, 100_000)?;
        whole("climb.steps", hill_climb.steps.into(), 1, 1_000_000)?;
        whole("climb.games", hill_climb.games, 2, 1_000_000)?;
        whole("climb.final_games", hill_climb.final_games, 2, 1_000_000)?;
        whole("climb.patience", hill_climb.patience.into(), 1, 1_000_000)?;
        range("climb.accept", hill_climb.accept, 0.0, 1.0)?;
        range("climb.share", hill_climb.share, 0.0, 1.0)?;
        range("climb.mutation", hill_climb.mutation, 0.0, 10_000.0)?;
        range("climb.restart", hill_climb.restart, 0.0, 10_000.0)
    }
}

/// Checks that a setting lies in its range; `name` is its path in the recipe.
pub(crate) fn range(name: &str, value: f64, min: f64, max: f64) -> Result<(), TextError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    let expected = format!("a number from {min} to {max}");
    Err(TextError::whole("recipe", &format!("{name} = {value}"), expected))
}
