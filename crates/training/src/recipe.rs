//! Recipes: what a run is to do, as a TOML file.

use crate::{
    climb::ClimbSettings, cloning::TdSettings, evolution::EvolutionSettings, find_bench,
    games::Bench, genetic::GeneticSettings, go_net::GoNetSettings, habits::HabitsSettings,
    moves::MovesSettings, mp::MpSettings, net::NetSettings, self_play::SelfPlaySettings,
    texel::TexelSettings,
};
use ludus_core::{Options, TextError};
use serde::{Deserialize, Serialize};

/// What a run is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// How weights are found.
    pub kind: Kind,
    /// The game, with its options.
    pub game: String,
    /// Who plays: a player that judges by weights.
    pub player: String,
    /// The weights to start from.
    #[serde(default)]
    pub start: Start,
    /// Decides everything random.
    #[serde(default = "one")]
    pub seed: u64,
    /// Files of self-play games to tune on besides the run's own, beside the recipe.
    #[serde(default)]
    pub data: Vec<String>,
    /// The run's own games, for `kind = "texel"` and `kind = "net"`.
    #[serde(default)]
    pub self_play: SelfPlaySettings,
    /// How to tune, for `kind = "texel"`.
    #[serde(default)]
    pub texel: TexelSettings,
    /// How to climb, for `kind = "climb"`.
    #[serde(default)]
    pub climb: ClimbSettings,
    /// How to train, for `kind = "net"`.
    #[serde(default)]
    pub net: NetSettings,
    /// How to learn, for `kind = "td"` and `kind = "genetic"`.
    #[serde(default)]
    pub td: TdSettings,
    /// How to train specialists for endings, for `kind = "mp"`.
    #[serde(default)]
    pub mp: MpSettings,
    /// How to choose features, for `kind = "genetic"`.
    #[serde(default)]
    pub genetic: GeneticSettings,
    /// How networks evolve, for `kind = "evolution"`.
    #[serde(default)]
    pub evolution: EvolutionSettings,
    /// How strengths of moves are learned, for `kind = "moves"`.
    #[serde(default)]
    pub moves: MovesSettings,
    /// How playouts are learned, for `kind = "habits"`.
    #[serde(default)]
    pub habits: HabitsSettings,
    /// How a network is trained, for `kind = "go-net"`.
    #[serde(default)]
    pub go_net: GoNetSettings,
}

fn one() -> u64 {
    1
}

/// How weights are found.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// By making an error small over positions of self-play.
    Texel,
    /// By matches of mutants against champions.
    Climb,
    /// A network that corrects the hand evaluation, by making an error small.
    Net,
    /// A network on features, by temporal differences in games against its copy.
    Td,
    /// Specialists for endings, each by temporal differences on boards of its own.
    Mp,
    /// The same on features that a genetic algorithm chooses.
    Genetic,
    /// A network on squares, by playing others of which the better live on.
    Evolution,
    /// Strengths of the features of moves, from the moves of self-play.
    Moves,
    /// Habits of playouts, from the results of self-play.
    Habits,
    /// A network for the search of Go, from self-play.
    GoNet,
}

impl Kind {
    /// Its name in a recipe.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Texel => "texel",
            Kind::Climb => "climb",
            Kind::Net => "net",
            Kind::Td => "td",
            Kind::Mp => "mp",
            Kind::Genetic => "genetic",
            Kind::Evolution => "evolution",
            Kind::Moves => "moves",
            Kind::Habits => "habits",
            Kind::GoNet => "go-net",
        }
    }
}

/// The weights a run starts from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Start {
    /// Those of the game's hand evaluation.
    #[default]
    Hand,
    /// All zero.
    Zero,
    /// Those of a file beside the recipe.
    File(String),
}

impl From<String> for Start {
    fn from(text: String) -> Start {
        match text.as_str() {
            "hand" => Start::Hand,
            "zero" => Start::Zero,
            _ => Start::File(text),
        }
    }
}

impl From<Start> for String {
    fn from(start: Start) -> String {
        match start {
            Start::Hand => "hand".to_owned(),
            Start::Zero => "zero".to_owned(),
            Start::File(file) => file,
        }
    }
}

impl Recipe {
    /// A recipe with everything else as usual.
    pub fn new(kind: Kind, game: &str, player: &str) -> Recipe {
        Recipe {
            kind,
            game: game.to_owned(),
            player: player.to_owned(),
            start: Start::default(),
            seed: one(),
            data: Vec::new(),
            self_play: SelfPlaySettings::default(),
            texel: TexelSettings::default(),
            climb: ClimbSettings::default(),
            net: NetSettings::default(),
            td: TdSettings::default(),
            mp: MpSettings::default(),
            genetic: GeneticSettings::default(),
            evolution: EvolutionSettings::default(),
            moves: MovesSettings::default(),
            habits: HabitsSettings::default(),
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
            TextError::told("recipe", text, at, error.message())
        })?;
        recipe.check()?;
        Ok(recipe)
    }

    /// The bench this recipe is for, and the options of the game.
    ///
    /// # Errors
    /// If the game cannot be tuned or its options are wrong.
    pub fn bench(&self) -> Result<(&'static dyn Bench, Options), TextError> {
        find_bench(&self.game)
    }

    fn check(&self) -> Result<(), TextError> {
        let SelfPlaySettings { games, every, .. } = self.self_play;
        let wanted = match self.kind {
            Kind::Texel | Kind::Net => Some(("self_play.games", games)),
            Kind::Moves => Some(("moves.games", self.moves.games)),
            Kind::Habits => Some(("habits.games", self.habits.games)),
            Kind::GoNet => Some(("go_net.games", self.go_net.games)),
            _ => None,
        };
        if let Some((name, 0)) = wanted
            && self.data.is_empty()
        {
            let expected = format!("{name} of at least 1, or files of games in data");
            return Err(TextError::whole("recipe", "no games", expected));
        }
        self.net.check()?;
        self.td.check()?;
        self.mp.check()?;
        self.genetic.check()?;
        self.evolution.check()?;
        self.moves.check()?;
        self.go_net.check()?;
        self.habits.check()?;
        let texel = &self.texel;
        let climb = &self.climb;
        let whole = |name: &str, value: u64, least: u64, most: u64| {
            range(name, value as f64, least as f64, most as f64)
        };
        whole("self_play.games", games, 0, u32::MAX.into())?;
        whole("self_play.every", every as u64, 1, 1_000_000)?;
        for (name, opening, rules) in [
            ("self_play", self.self_play.opening, self.self_play.rules),
            ("climb", climb.opening, climb.rules),
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
        whole("climb.steps", climb.steps.into(), 1, 1_000_000)?;
        whole("climb.games", climb.games, 2, 1_000_000)?;
        whole("climb.final_games", climb.final_games, 2, 1_000_000)?;
        whole("climb.patience", climb.patience.into(), 1, 1_000_000)?;
        range("climb.accept", climb.accept, 0.0, 1.0)?;
        range("climb.share", climb.share, 0.0, 1.0)?;
        range("climb.mutation", climb.mutation, 0.0, 10_000.0)?;
        range("climb.restart", climb.restart, 0.0, 10_000.0)
    }
}

pub(crate) fn range(name: &str, value: f64, least: f64, most: f64) -> Result<(), TextError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let expected = format!("a number from {least} to {most}");
    Err(TextError::whole("recipe", &format!("{name} = {value}"), expected))
}
