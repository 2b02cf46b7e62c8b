//! Experiments as TOML files, and those that ship with the program.

use super::{
    GoMatches, NodeCounts, PairMatches, Savings, SuiteTask,
    attached::{AttachedFiles, built_in_file},
    figure_names,
    precision::{DEFAULT_PRECISION, FigurePrecision, check_precision},
    toml_location::with_location,
};
use crate::{kinds::td::TdSettings, recipe::range};
use ludus_arena::openings::Source;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../experiments/", $name, ".toml")))),*]
    };
}

/// Every experiment that ships with the program: name and file. Adding one adds one line here.
pub const EXPERIMENTS: &[(&str, &str)] = shipped![
    "draughts-mp-vision",
    "draughts-mp-neuro",
    "draughts-vision-neuro-loops",
    "draughts-vision-neuro",
    "draughts-vision-ls",
    "draughts-vision-ordering",
    "draughts-training-time",
    "draughts-training-time-deep",
    "draughts-training-minutes",
    "draughts-training-loops",
    "btt-go-1",
    "btt-go-2",
    "btt-go-3",
    "btt-go-4",
    "btt-go-5",
    "btt-go-6",
    "btt-go-7",
    "btt-go-8",
    "btt-go-9",
    "btt-go-10",
    "btt-go-v1-v2",
    "btt-go-v1-v3",
    "btt-go-v2-v3",
    "btt-go-savings",
    "chess-study",
    "chess-study-100",
    "chess-study-negated",
    "chess-study-variants",
    "chess-study-engine",
    "chess-study-mates",
    "chess-study-ordering",
];

/// An experiment with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedExperiment {
    /// Name of its file, without the extension.
    pub name: String,
    /// Parsed experiment.
    pub experiment: Experiment,
    /// Text of its file.
    pub text: String,
    /// Texts of the files it names, such as openings.
    pub files: AttachedFiles,
}

/// A published experiment: the way it is reproduced, and the published figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Group of experiments that share one document.
    pub group: String,
    /// Title in one line.
    pub title: String,
    /// Source of the published figures.
    pub source: String,
    /// Document its group is a part of, if the group has none of its own.
    pub document: Option<String>,
    /// Known reasons for differences.
    #[serde(default)]
    pub why: String,
    /// Seed of everything random.
    #[serde(default = "one")]
    pub seed: u64,
    /// Half-width of our own 95 % interval that is precise enough, if not the default.
    pub precision: Option<f64>,
    /// Reason for another precision.
    pub precision_why: Option<String>,
    /// Programs or weights that may be missing; without them the experiment is left out.
    pub needs: Option<String>,
    /// Precisions of single figures, by their names.
    #[serde(default)]
    pub figures: BTreeMap<String, FigurePrecision>,
    /// A match of two players.
    #[serde(rename = "match")]
    pub played: Option<Match>,
    /// Trainings whose effort is compared.
    #[serde(rename = "training-time")]
    pub training: Option<TrainingTime>,
    /// Matches of Go on several board sizes, with results by colour.
    pub boards: Option<GoMatches>,
    /// Searches of Go whose playouts are compared.
    pub savings: Option<Savings>,
    /// Matches of several pairs of players.
    pub pairs: Option<PairMatches>,
    /// Players that solve a suite of problems.
    pub suite: Option<SuiteTask>,
    /// Searches whose nodes are compared.
    #[serde(rename = "node-counts")]
    pub node_counts: Option<NodeCounts>,
}

/// Kind of an experiment.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum ExperimentTask<'a> {
    /// A match.
    Match(&'a Match),
    /// Trainings.
    Training(&'a TrainingTime),
    /// Matches of Go.
    Boards(&'a GoMatches),
    /// Searches of Go.
    Savings(&'a Savings),
    /// Matches of several pairs.
    Pairs(&'a PairMatches),
    /// A suite of problems.
    Suite(&'a SuiteTask),
    /// Searches whose nodes are compared.
    NodeCounts(&'a NodeCounts),
}

fn one() -> u64 {
    1
}

/// A match of two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Game, with its options.
    pub game: String,
    /// Player whose results are counted.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// Number of games.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// `suite`, `none` or a file beside the experiment; every opening is played with both colours.
    #[serde(default = "suite")]
    pub openings: String,
    /// Games are drawn after this many plies.
    pub max_plies: Option<u32>,
    /// Search depth in plies, for players without a limit of their own.
    pub depth: Option<u32>,
    /// Nodes a move, for players without a limit of their own.
    pub nodes: Option<u64>,
    /// Published results.
    pub published: Published,
}

fn usual_games() -> u64 {
    200
}

pub(super) fn suite() -> String {
    "suite".to_owned()
}

/// Published results of a match, as far as they are known.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Number of games.
    pub games: u64,
    /// Games won by the first player.
    pub won: Option<u64>,
    /// Games drawn; without the forced draws, if those were published.
    pub drawn: Option<u64>,
    /// Games drawn by length, repetition or the no-progress rule.
    pub forced: Option<u64>,
    /// Games lost by the first player.
    pub lost: Option<u64>,
    /// Drawn games that a side with an advantage failed to win.
    pub loops: Option<u64>,
}

/// Trainings whose effort is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingTime {
    /// Game, with its options.
    pub game: String,
    /// Players that are trained.
    pub players: Vec<String>,
    /// Training settings, the same for all.
    #[serde(default)]
    pub td: TdSettings,
    /// Published shares of time.
    #[serde(default)]
    pub time: Vec<TimeClaim>,
    /// Published durations.
    #[serde(default)]
    pub minutes: Vec<MinutesClaim>,
    /// Published loops in training games.
    #[serde(default)]
    pub loops: Vec<LoopClaim>,
}

/// A published share: training `player` took this share of the time of training `of`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeClaim {
    /// The faster player.
    pub player: String,
    /// The slower player.
    pub of: String,
    /// Share, if it was published as a number.
    pub share: Option<f64>,
    /// Upper bound of the share, if only that was published.
    pub below: Option<f64>,
}

/// A published duration of a player's training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinutesClaim {
    /// Player.
    pub player: String,
    /// Number of training games.
    pub games: u64,
    /// Duration in minutes.
    pub minutes: f64,
}

/// Published loops in a player's training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopClaim {
    /// Player.
    pub player: String,
    /// Number of training games.
    pub games: u64,
    /// Training games that ended in a loop.
    pub loops: u64,
}

impl Experiment {
    /// Parses and checks an experiment.
    ///
    /// # Errors
    /// If anything in it is unknown, missing or contradictory. Players are checked when the
    /// experiment is run.
    pub fn parse(text: &str) -> Result<Experiment, TextError> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            TextError::from_parser("experiment", text, at, error.message())
        })?;
        // Recipes use the same limits and errors.
        let named = |error| TextError { what: "experiment".to_owned(), ..error };
        experiment.check().map_err(|error| with_location(text, named(error)))?;
        Ok(experiment)
    }

    fn check(&self) -> Result<(), TextError> {
        let tasks = self.tasks();
        let [task] = tasks[..] else {
            let found = if tasks.is_empty() { "no table" } else { "several tables" };
            let expected = "one of the tables [match], [training-time], [boards], [savings], [pairs], \
                            [suite] and [node-counts]";
            return Err(wrong(found, expected));
        };
        match task {
            ExperimentTask::Match(played) => played.check(),
            ExperimentTask::Training(training) => training.check(),
            ExperimentTask::Boards(boards) => boards.check(),
            ExperimentTask::Savings(savings) => savings.check(),
            ExperimentTask::Pairs(pairs) => pairs.check(),
            ExperimentTask::Suite(suite) => suite.check(),
            ExperimentTask::NodeCounts(counts) => counts.check(),
        }?;
        self.check_precisions()
    }

    fn check_precisions(&self) -> Result<(), TextError> {
        check_precision("precision", self.precision, self.precision_why.as_deref())?;
        let names = figure_names(self);
        for (name, figure) in &self.figures {
            if !names.contains(name) {
                let expected = match &names[..] {
                    [] => "no such table: no figure here has a precision".to_owned(),
                    names => format!("a figure that has a precision: {}", names.join(", ")),
                };
                return Err(wrong(&format!("figures.\"{name}\""), expected));
            }
            figure.check(&format!("figures.\"{name}\".precision"))?;
        }
        Ok(())
    }

    /// Precision a figure needs for a verdict: half-width of our own 95 % interval.
    pub fn precision_of(&self, figure: &str) -> f64 {
        let own = self.figures.get(figure).map(|figure| figure.precision);
        own.or(self.precision).unwrap_or(DEFAULT_PRECISION)
    }

    /// Kind of the experiment.
    pub fn task(&self) -> ExperimentTask<'_> {
        self.tasks().pop().expect("an experiment without a task was refused when it was read")
    }

    fn tasks(&self) -> Vec<ExperimentTask<'_>> {
        let tasks = [
            self.played.as_ref().map(ExperimentTask::Match),
            self.training.as_ref().map(ExperimentTask::Training),
            self.boards.as_ref().map(ExperimentTask::Boards),
            self.savings.as_ref().map(ExperimentTask::Savings),
            self.pairs.as_ref().map(ExperimentTask::Pairs),
            self.suite.as_ref().map(ExperimentTask::Suite),
            self.node_counts.as_ref().map(ExperimentTask::NodeCounts),
        ];
        tasks.into_iter().flatten().collect()
    }

    /// Names of the files it needs, relative to its own.
    pub(super) fn file_names(&self) -> Vec<&str> {
        let is_file = |openings: &str| !["suite", "none"].contains(&openings);
        match self.task() {
            ExperimentTask::Match(Match { openings: file, .. })
            | ExperimentTask::Pairs(PairMatches { openings: file, .. })
                if is_file(file) =>
            {
                vec![file.as_str()]
            }
            ExperimentTask::Suite(suite) => vec![suite.file.as_str()],
            ExperimentTask::NodeCounts(counts) => {
                counts.positions.iter().map(|source| source.file.as_str()).collect()
            }
            _ => Vec::new(),
        }
    }
}

pub(super) fn wrong(found: &str, expected: impl Into<String>) -> TextError {
    TextError::whole("experiment", found, expected)
}

impl Match {
    fn check(&self) -> Result<(), TextError> {
        range("match.games", self.games as f64, 2.0, 1e7)?;
        range("match.depth", self.depth.unwrap_or(1).into(), 1.0, 100.0)?;
        range("match.nodes", self.nodes.unwrap_or(1) as f64, 1.0, 1e15)?;
        range("match.max_plies", self.max_plies.unwrap_or(1).into(), 1.0, 1e6)?;
        check_openings("match.openings", &self.openings)?;
        self.published.check()
    }
}

/// Checks that openings are `suite`, `none` or the name of a file that can hold some.
pub(super) fn check_openings(key: &str, openings: &str) -> Result<(), TextError> {
    if ["suite", "none"].contains(&openings) || Source::of_file(openings, None).is_some() {
        return Ok(());
    }
    let expected = "suite, none or a file (.pgn .pdn .sgf .epd .fen .txt)";
    Err(wrong(&format!("{key} = {openings}"), expected))
}

impl Published {
    pub(super) fn check(&self) -> Result<(), TextError> {
        let Published { games, won, drawn, forced, lost, loops } = *self;
        range("published.games", games as f64, 1.0, 1e9)?;
        if won.is_some() != lost.is_some() || won.is_some() && drawn.is_none() {
            return Err(wrong(
                "published",
                "won, drawn and lost together, or won and lost left out",
            ));
        }
        if forced.is_some() && (won.is_none() || loops.is_some()) {
            return Err(wrong(
                "published.forced",
                "won, drawn, forced and lost together, and no loops",
            ));
        }
        let parts = [won, drawn, lost].iter().try_fold(forced.unwrap_or(0), |sum: u64, part| {
            part.map(|part| sum.saturating_add(part))
        });
        if let (Some(won), Some(drawn), Some(lost)) = (won, drawn, lost)
            && parts != Some(games)
        {
            let forced = forced.map(|forced| format!("{forced} forced, ")).unwrap_or_default();
            let found = format!("published {won} won, {drawn} drawn, {forced}{lost} lost");
            return Err(wrong(&found, format!("{games} games in all, as published.games says")));
        }
        let most = drawn.unwrap_or(games);
        if drawn.is_some_and(|drawn| drawn > games) || loops.is_some_and(|loops| loops > most) {
            return Err(wrong(
                "published",
                "no more loops than draws, and no more draws than games",
            ));
        }
        Ok(())
    }
}

impl TrainingTime {
    fn check(&self) -> Result<(), TextError> {
        self.td.check("td")?;
        if self.players.is_empty() {
            return Err(wrong("players = []", "players to train"));
        }
        let times = self.time.iter().flat_map(|claim| [&claim.player, &claim.of]);
        let minutes = self.minutes.iter().map(|claim| &claim.player);
        let loops = self.loops.iter().map(|claim| &claim.player);
        for player in times.chain(minutes).chain(loops) {
            if !self.players.contains(player) {
                let expected = format!("one of the players: {}", self.players.join(", "));
                return Err(wrong(player, expected));
            }
        }
        for claim in &self.time {
            let part = match (claim.share, claim.below) {
                (Some(part), None) | (None, Some(part)) => part,
                _ => {
                    return Err(wrong(
                        &claim.player,
                        "either share or below in training-time.time",
                    ));
                }
            };
            range("training-time.time", part, 1e-6, 1e6)?;
        }
        for claim in &self.minutes {
            range("training-time.minutes", claim.minutes, 1e-3, 1e6)?;
            range("training-time.minutes.games", claim.games as f64, 1.0, 1e9)?;
        }
        for claim in &self.loops {
            range("training-time.loops.games", claim.games as f64, 1.0, 1e9)?;
            range("training-time.loops", claim.loops as f64, 0.0, claim.games as f64)?;
        }
        Ok(())
    }
}

impl NamedExperiment {
    /// Parses the experiment in the text `text`, named `name`. Files it names are those that ship
    /// with the program.
    ///
    /// # Errors
    /// If the text is wrong.
    pub fn read(name: &str, text: &str) -> Result<NamedExperiment, TextError> {
        NamedExperiment::read_with(name, text, &built_in_file)
    }

    /// Parses an experiment; `file` reads the files it names, which are relative to its own.
    ///
    /// # Errors
    /// If the text is wrong, or a file cannot be read.
    pub fn read_with(
        name: &str,
        text: &str,
        file: &dyn Fn(&str) -> Result<String, TextError>,
    ) -> Result<NamedExperiment, TextError> {
        let experiment = Experiment::parse(text)?;
        let files = AttachedFiles::read(experiment.file_names(), file)
            .map_err(|error| with_location(text, error))?;
        Ok(NamedExperiment { name: name.to_owned(), experiment, text: text.to_owned(), files })
    }

    /// Finds the experiments of a group, or the one of that name.
    ///
    /// # Errors
    /// If there are none; the error lists all.
    pub fn find(word: &str) -> Result<Vec<NamedExperiment>, TextError> {
        let all = NamedExperiment::all()?;
        let meant = |named: &&NamedExperiment| named.name == word || named.experiment.group == word;
        let found: Vec<NamedExperiment> = all.iter().filter(meant).cloned().collect();
        if found.is_empty() {
            let mut names: Vec<&str> = Vec::new();
            for NamedExperiment { name, experiment, .. } in &all {
                if !names.contains(&experiment.group.as_str()) {
                    names.push(&experiment.group);
                }
                names.push(name);
            }
            let expected = format!("a .toml file or one of {}", names.join(", "));
            return Err(TextError::whole("experiment", word, expected));
        }
        Ok(found)
    }

    /// All experiments that ship with the program.
    ///
    /// # Errors
    /// If one of them is wrong; a test checks them.
    pub fn all() -> Result<Vec<NamedExperiment>, TextError> {
        let read = |(name, text): &(&str, &str)| {
            NamedExperiment::read(name, text).map_err(|error| in_file(name, error))
        };
        EXPERIMENTS.iter().map(read).collect()
    }
}

fn in_file(name: &str, error: TextError) -> TextError {
    TextError { what: format!("{name}: {}", error.what), ..error }
}
