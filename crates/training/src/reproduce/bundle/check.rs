//! Check of a bundle: files, games, findings and document.

use super::{
    ATTACHED, BundledContest, CONTEST, DOCUMENT, EXPERIMENT, FINDINGS, GAMES, RUN, games,
    manifest::{self, Contents},
    pack::records_name,
};
use crate::{
    TrainingError,
    reproduce::{
        ExperimentRunner, Findings, NamedExperiment, Overrides,
        attached::base_name,
        charts, document, figures,
        run::{PlayedMatch, run_error},
    },
};
use ludus_arena::{
    contest::ContestSpec,
    replay::Replay,
    store::{StoredContest, StoredGame},
};
use ludus_core::{Limits, TextError, options::split_name};
use ludus_players::external;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{borrow::Cow, path::Path};

/// A line of the check's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckLine {
    /// Something was verified.
    Verified(String),
    /// Something could not be checked, or need not hold.
    Note(String),
    /// Something is wrong.
    Wrong(String),
}

/// Options of a check.
pub struct CheckOptions<'a> {
    /// Runner whose resources and store the replayed games use.
    pub runner: &'a ExperimentRunner<'a>,
    /// Build of this program.
    pub build: &'a str,
    /// Number of games of each experiment to replay.
    pub replays: u64,
}

/// Findings as stored in the bundle.
#[derive(Deserialize)]
struct StoredFindings {
    findings: Findings,
    figures: Value,
}

/// A match of a bundle: its specification, its games, and its players.
struct BundledMatch {
    path: String,
    setup: ContestSpec,
    games: Vec<StoredGame>,
    contest: BundledContest,
}

impl BundledMatch {
    fn played(&self) -> PlayedMatch<'_> {
        let repeats = self.contest.repeats.len() as u64;
        PlayedMatch { setup: &self.setup, games: &self.games, repeats }
    }

    /// Whether every planned game is there once, as a game or as the repeat of one with the same
    /// sides.
    fn is_whole(&self) -> bool {
        let mut numbers: Vec<u64> = self.games.iter().map(|game| game.index).collect();
        let repeats = &self.contest.repeats;
        let are_known = repeats
            .iter()
            .all(|(index, of)| of < index && of % 2 == index % 2 && numbers.contains(of));
        numbers.extend(repeats.iter().map(|(index, _)| index));
        numbers.sort_unstable();
        are_known && numbers.iter().copied().eq(0..self.setup.planned())
    }
}

/// Checks the bundle in `folder` and reports each result to `report`; `true` if nothing is wrong.
///
/// # Errors
/// If the folder is no bundle, or the check is stopped.
pub fn check(
    folder: &Path,
    options: &CheckOptions<'_>,
    report: &mut dyn FnMut(CheckLine),
) -> Result<bool, TrainingError> {
    let mut is_right = true;
    let mut report = |line: CheckLine| {
        is_right &= !matches!(line, CheckLine::Wrong(_));
        report(line);
    };
    match manifest::read(folder)? {
        Err(wrong) => wrong.into_iter().for_each(|line| report(CheckLine::Wrong(line))),
        Ok(contents) => Checker { options, contents: &contents, report: &mut report }.run()?,
    }
    Ok(is_right)
}

pub(super) struct Checker<'a> {
    pub(super) options: &'a CheckOptions<'a>,
    contents: &'a Contents,
    report: &'a mut dyn FnMut(CheckLine),
}

impl Checker<'_> {
    pub(super) fn verified(&mut self, text: impl Into<String>) {
        (self.report)(CheckLine::Verified(text.into()));
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        (self.report)(CheckLine::Note(text.into()));
    }

    fn wrong(&mut self, text: impl Into<String>) {
        (self.report)(CheckLine::Wrong(text.into()));
    }

    /// Reports a difference: an error if the same build made the bundle, else only a note.
    pub(super) fn differs(&mut self, is_same_build: bool, text: String) {
        if is_same_build {
            self.wrong(text);
        } else {
            self.note(format!("{text} (another build made it)"));
        }
    }

    fn run(&mut self) -> Result<(), TrainingError> {
        let manifest = &self.contents.manifest;
        self.verified(format!("{} files are those of the manifest", self.contents.files.len()));
        if !self.is_same_build() {
            let (theirs, ours) = (&manifest.build, self.options.build);
            self.note(format!(
                "made by build {theirs}, this is {ours}: games need not be the same"
            ));
        }
        let mut found = Vec::new();
        for name in &manifest.experiments {
            match self.experiment(name) {
                Ok(experiment) => found.push(experiment),
                Err(Fault::Wrong(text)) => self.wrong(text),
                Err(Fault::Run(error)) => return Err(error),
            }
        }
        if found.len() == manifest.experiments.len() {
            self.document(&found);
        }
        Ok(())
    }

    pub(super) fn is_same_build(&self) -> bool {
        self.contents.manifest.build == self.options.build
    }

    fn experiment(&mut self, name: &str) -> Result<(NamedExperiment, Findings), Fault> {
        let path = |file: &str| format!("{name}/{file}");
        let text = String::from_utf8_lossy(self.contents.file(&path(EXPERIMENT))?).into_owned();
        let attached = |file: &str| {
            let path = path(&format!("{ATTACHED}/{}", base_name(file)));
            let found = self.contents.file(&path).map(String::from_utf8_lossy);
            found.map(Cow::into_owned).map_err(|_| {
                TextError::whole("file of the experiment", file, format!("{path} in the bundle"))
            })
        };
        let named = NamedExperiment::read_with(name, &text, &attached)
            .map_err(|error| Fault::Wrong(format!("{}: {error}", path(EXPERIMENT))))?;
        let overrides: Overrides = self.contents.json(&path(RUN))?;
        let stored: StoredFindings = self.contents.json(&path(FINDINGS))?;
        let ExperimentRunner { store, resources, runs, concurrency, stop, .. } =
            self.options.runner;
        let runner = ExperimentRunner {
            store,
            resources: resources.clone(),
            runs: runs.clone(),
            resume: true,
            overrides,
            concurrency: *concurrency,
            stop,
        };
        let mut matches = Vec::new();
        for (setup, number) in runner.setups(&named, &stored.findings)?.iter().zip(1..) {
            matches.push(self.contest(setup, &path(&format!("contest-{number}")))?);
        }
        let played: Vec<PlayedMatch<'_>> = matches.iter().map(BundledMatch::played).collect();
        let counted = runner.recount(&named, &stored.findings, &played)?;
        if !is_close(&json!(counted), &json!(stored.findings)) {
            self.wrong(format!("{}: its figures do not follow from the games", path(FINDINGS)));
        } else if !is_close(&json!(figures(&named.experiment, &counted)), &stored.figures) {
            let text = format!("{}: its verdicts do not follow from its figures", path(FINDINGS));
            self.differs(self.is_same_build(), text);
        } else {
            self.verified(format!(
                "{name}: figures and verdicts follow from what is in the bundle"
            ));
        }
        self.replay_games(name, &matches)?;
        self.replay_searches(&runner, &named, (&stored.findings, &played))?;
        // The document is built from recomputed findings: the stored ones may not even be
        // consistent.
        Ok((named, counted))
    }

    /// Reads the games of a match and replays their moves.
    fn contest(&mut self, expected: &ContestSpec, path: &str) -> Result<BundledMatch, Fault> {
        let file = |name: &str| format!("{path}/{name}");
        let contest: BundledContest = self.contents.json(&file(CONTEST))?;
        let stored = StoredContest {
            id: 0,
            name: contest.name.clone(),
            kind: contest.kind.clone(),
            game: String::new(),
            config: contest.config.clone(),
            build: contest.build.clone(),
            started_at: 0,
            finished_at: None,
            games: 0,
        };
        let wrong =
            |file: &str, error: &dyn std::fmt::Display| Fault::Wrong(format!("{file}: {error}"));
        let setup =
            ContestSpec::from_stored(&stored, expected.resources.clone(), expected.concurrency)
                .map_err(|error| wrong(&file(CONTEST), &error))?;
        if setup.config() != expected.config() {
            let text = format!("{}: not the set-up that {EXPERIMENT} describes", file(CONTEST));
            // Other builds may have other openings, or settings that did not exist yet.
            self.differs(self.is_same_build() || !is_asked_for(&setup, expected), text);
        }
        let lines = String::from_utf8_lossy(self.contents.file(&file(GAMES))?).into_owned();
        let games = games::read(&lines).map_err(|error| wrong(&file(GAMES), &error))?;
        let (mut faults, mut decided_off_board) = (0, 0);
        let replay = Replay::new(&setup);
        for (opening, game) in &games {
            let number = game.index + 1;
            let given = replay.opening(game.index);
            if given.map_err(|error| wrong(&file(GAMES), &error))? != *opening {
                let text =
                    format!("{}: game {number}: another opening than the seed gives", file(GAMES));
                self.differs(self.is_same_build(), text);
            }
            match games::verify(&setup, opening, game) {
                Ok(is_on_board) => decided_off_board += u64::from(!is_on_board),
                Err(error) => {
                    faults += 1;
                    self.wrong(format!("{}: game {number}: {error}", file(GAMES)));
                }
            }
        }
        drop(replay);
        let games: Vec<StoredGame> = games.into_iter().map(|(_, game)| game).collect();
        let records = records_name(&setup);
        let compared = games::compare_records(&setup, self.contents.file(&file(&records))?, &games);
        compared.map_err(|error| wrong(&file(&records), &error))?;
        let matches = BundledMatch { path: path.to_owned(), setup, games, contest };
        if !matches.is_whole() {
            self.wrong(format!("{}: not exactly the games of the match", file(GAMES)));
        } else if faults == 0 {
            let rest = match decided_off_board {
                0 => String::new(),
                decided_off_board => {
                    format!(" ({decided_off_board} by resignation, time, forfeit or length)")
                }
            };
            let games = matches.games.len();
            self.verified(format!("{path}: {games} games are legal and end as they say{rest}"));
        }
        Ok(matches)
    }

    fn document(&mut self, found: &[(NamedExperiment, Findings)]) {
        let document = document(&self.contents.manifest.group, found);
        let mut texts = vec![(DOCUMENT.to_owned(), document)];
        texts.extend(found.iter().flat_map(|(named, findings)| charts(named, findings)));
        for (path, text) in texts {
            match self.contents.file(&path) {
                Ok(bytes) if bytes == text.as_bytes() => {
                    self.verified(format!("{path}: follows from the findings"));
                }
                Ok(_) => {
                    let text = format!("{path}: does not follow from the findings");
                    self.differs(self.is_same_build(), text);
                }
                Err(error) => self.wrong(error),
            }
        }
    }

    /// Plays some of the games again.
    fn replay_games(&mut self, name: &str, matches: &[BundledMatch]) -> Result<(), Fault> {
        if self.options.replays == 0 {
            return Ok(());
        }
        let mut repeatable = Vec::new();
        for matches in matches {
            match unrepeatable(&matches.setup) {
                Some(reason) => self.note(format!("{}: not replayed: {reason}", matches.path)),
                None => repeatable.push(matches),
            }
        }
        let is_same = self.is_same_build() && self.has_same_players(&repeatable)?;
        let all: u64 = repeatable.iter().map(|matches| matches.games.len() as u64).sum();
        let wanted = self.options.replays.min(all);
        let mut places: Vec<(&BundledMatch, &StoredGame)> = Vec::new();
        for matches in repeatable {
            places.extend(matches.games.iter().map(|game| (matches, game)));
        }
        let mut same = 0;
        for number in 0..wanted {
            let (matches, game) = places[(number * all / wanted) as usize];
            let again = Replay::new(&matches.setup).play(game.index, self.options.runner.stop);
            let again = again.map_err(run_error)?;
            self.options.runner.check_not_stopped()?;
            if (&again.moves, &again.result) == (&game.moves, &game.result) {
                same += 1;
            } else {
                let text = format!(
                    "{}: game {} differs when it is played again",
                    matches.path,
                    game.index + 1
                );
                self.differs(is_same, text);
            }
        }
        if same == wanted && wanted > 0 {
            self.verified(format!("{name}: {same} of {all} games are the same when played again"));
        }
        Ok(())
    }

    /// Whether the players are the ones that played, including their weights.
    fn has_same_players(&mut self, matches: &[&BundledMatch]) -> Result<bool, Fault> {
        let mut is_same = true;
        let mut known = Vec::new();
        for matches in matches {
            for player in &matches.setup.players {
                if known.contains(&player) {
                    continue;
                }
                known.push(player);
                let resources = &self.options.runner.resources;
                let identity = matches.setup.game.identify(player, resources);
                let identity = identity.map_err(TrainingError::from)?;
                let now = identity.build(self.options.build);
                let then = matches.contest.players.iter().find(|then| then.player == *player);
                let build = then.map_or("unknown", |then| &then.build);
                if then.is_none_or(|then| then.spec != identity.spec) || build != now {
                    is_same = false;
                    self.note(format!("{player}: of build {build}, here of {now}"));
                }
            }
        }
        Ok(is_same)
    }
}

/// Reason why the games of a match cannot be repeated exactly, if there is one.
fn unrepeatable(setup: &ContestSpec) -> Option<String> {
    if setup.limits.time.is_some() || setup.limits.clock.is_some() {
        return Some("its limits are in time".to_owned());
    }
    setup.players.iter().find_map(|player| unrepeatable_player(player))
}

/// Reason why a player does not repeat its searches exactly, if there is one.
pub(super) fn unrepeatable_player(player: &str) -> Option<String> {
    let options = || split_name(player).1.split(',');
    let is_parallel =
        options().any(|option| option.starts_with("threads=") && option != "threads=1");
    let reason = match player {
        // Decided without trusting the bundle: a check never starts external programs.
        player if is_external(player) => "is an external program",
        _ if options().any(|option| option.starts_with("time=")) => "is limited by time",
        _ if is_parallel => "searches on several threads",
        _ => return None,
    };
    Some(format!("{player} {reason}"))
}

/// Whether a match has the settings of the experiment.
fn is_asked_for(setup: &ContestSpec, expected: &ContestSpec) -> bool {
    let limits = |setup: &ContestSpec| {
        let Limits { depth, nodes, time, .. } = setup.limits;
        (depth, nodes, time, setup.limits.clock.is_some())
    };
    setup.options.to_string() == expected.options.to_string()
        && (&setup.players, setup.games, setup.seed)
            == (&expected.players, expected.games, expected.seed)
        && limits(setup) == limits(expected)
}

/// Whether a player is an external program.
pub(super) fn is_external(player: &str) -> bool {
    external::IDS.contains(&split_name(player).0)
}

/// Reason why an experiment cannot be checked any further.
pub(super) enum Fault {
    /// The bundle is wrong.
    Wrong(String),
    /// The check itself failed.
    Run(TrainingError),
}

impl From<String> for Fault {
    fn from(text: String) -> Fault {
        Fault::Wrong(text)
    }
}

impl From<TrainingError> for Fault {
    fn from(error: TrainingError) -> Fault {
        match error {
            TrainingError::Stopped => Fault::Run(TrainingError::Stopped),
            error => Fault::Wrong(error.to_string()),
        }
    }
}

/// Whether two values are equal up to rounding of sums.
fn is_close(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_close(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|it| is_close(one, it)))
        }
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap_or(f64::NAN));
            (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-9)
        }
        (one, other) => one == other,
    }
}
