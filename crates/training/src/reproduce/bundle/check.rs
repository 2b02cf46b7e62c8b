//! Whether a bundle is what it says.

use super::{
    CONTEST, Contest, DOCUMENT, EXPERIMENT, FINDINGS, GAMES, RUN, games,
    manifest::{self, Contents},
    pack::records_name,
};
use crate::{
    TrainingError,
    reproduce::{
        Changes, Findings, Lab, Named, Task, chart, document, figures,
        hold::{Played, of_run},
    },
};
use ludus_arena::{
    contest::Setup,
    replay::Replay,
    store::{StoredContest, StoredGame},
};
use ludus_core::{Limits, options::split_name};
use ludus_players::external;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// A line of what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Something holds.
    Holds(String),
    /// Something that could not be checked, or need not hold.
    Note(String),
    /// Something does not hold.
    Wrong(String),
}

/// How a bundle is checked.
pub struct Inspection<'a> {
    /// Where players find what they may use, and games are played again.
    pub lab: &'a Lab<'a>,
    /// The build of this program.
    pub build: &'a str,
    /// Games of each experiment to play again.
    pub replays: u64,
}

/// What a bundle says that was found.
#[derive(Deserialize)]
struct Told {
    findings: Findings,
    figures: Value,
}

/// A match of a bundle: its set-up, its games, and who played.
struct Held {
    path: String,
    setup: Setup,
    games: Vec<StoredGame>,
    contest: Contest,
}

impl Held {
    fn played(&self) -> Played<'_> {
        let repeats = self.contest.repeats.len() as u64;
        Played { setup: &self.setup, games: &self.games, repeats }
    }

    /// Whether every planned game is there once, as a game or as the repeat of one by the same
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

/// Checks the bundle in `folder` and tells line by line what holds; `true` if nothing is wrong.
///
/// # Errors
/// If the folder is no bundle, or the check is stopped.
pub fn check(
    folder: &Path,
    inspection: &Inspection<'_>,
    tell: &mut dyn FnMut(Line),
) -> Result<bool, TrainingError> {
    let mut is_right = true;
    let mut tell = |line: Line| {
        is_right &= !matches!(line, Line::Wrong(_));
        tell(line);
    };
    match manifest::read(folder)? {
        Err(wrong) => wrong.into_iter().for_each(|line| tell(Line::Wrong(line))),
        Ok(contents) => Check { inspection, contents: &contents, tell: &mut tell }.run()?,
    }
    Ok(is_right)
}

struct Check<'a> {
    inspection: &'a Inspection<'a>,
    contents: &'a Contents,
    tell: &'a mut dyn FnMut(Line),
}

impl Check<'_> {
    fn holds(&mut self, text: impl Into<String>) {
        (self.tell)(Line::Holds(text.into()));
    }

    fn note(&mut self, text: impl Into<String>) {
        (self.tell)(Line::Note(text.into()));
    }

    fn wrong(&mut self, text: impl Into<String>) {
        (self.tell)(Line::Wrong(text.into()));
    }

    /// What differs is a mistake if the same build made it, else only worth a note.
    fn differs(&mut self, is_same_build: bool, text: String) {
        if is_same_build {
            self.wrong(text);
        } else {
            self.note(format!("{text} (another build made it)"));
        }
    }

    fn run(&mut self) -> Result<(), TrainingError> {
        let manifest = &self.contents.manifest;
        self.holds(format!("{} files are those of the manifest", self.contents.files.len()));
        if !self.is_same_build() {
            let (theirs, ours) = (&manifest.build, self.inspection.build);
            self.note(format!(
                "made by build {theirs}, this is {ours}: games need not be the same"
            ));
        }
        let mut found = Vec::new();
        for name in &manifest.experiments {
            match self.experiment(name) {
                Ok(experiment) => found.push(experiment),
                Err(Fault::Wrong(text)) => self.wrong(text),
                Err(Fault::Lab(error)) => return Err(error),
            }
        }
        if found.len() == manifest.experiments.len() {
            self.document(&found);
        }
        Ok(())
    }

    fn is_same_build(&self) -> bool {
        self.contents.manifest.build == self.inspection.build
    }

    fn experiment(&mut self, name: &str) -> Result<(Named, Findings), Fault> {
        let path = |file: &str| format!("{name}/{file}");
        let text = String::from_utf8_lossy(self.contents.file(&path(EXPERIMENT))?).into_owned();
        let named = Named::read(name, &text)
            .map_err(|error| Fault::Wrong(format!("{}: {error}", path(EXPERIMENT))))?;
        let changes: Changes = self.contents.json(&path(RUN))?;
        let told: Told = self.contents.json(&path(FINDINGS))?;
        let Lab { store, resources, runs, concurrency, stop, .. } = self.inspection.lab;
        let lab = Lab {
            store,
            resources: resources.clone(),
            runs: runs.clone(),
            resume: true,
            changes,
            concurrency: *concurrency,
            stop,
        };
        let mut held = Vec::new();
        for (setup, number) in lab.setups(&named, &told.findings)?.iter().zip(1..) {
            held.push(self.contest(setup, &path(&format!("contest-{number}")))?);
        }
        let played: Vec<Played<'_>> = held.iter().map(Held::played).collect();
        let counted = lab.recount(&named, &told.findings, &played)?;
        if !is_close(&json!(counted), &json!(told.findings)) {
            self.wrong(format!("{}: its figures do not follow from the games", path(FINDINGS)));
        } else if !is_close(&json!(figures(&named.experiment, &counted)), &told.figures) {
            let text = format!("{}: its verdicts do not follow from its figures", path(FINDINGS));
            self.differs(self.is_same_build(), text);
        } else {
            self.holds(format!("{name}: figures and verdicts follow from what is in the bundle"));
        }
        self.replay_games(name, &held)?;
        self.replay_searches(&lab, &named, &told.findings)?;
        // The document is made of what was counted: what was told may not even make sense.
        Ok((named, counted))
    }

    /// Reads the games of a match and plays them through.
    fn contest(&mut self, expected: &Setup, path: &str) -> Result<Held, Fault> {
        let file = |name: &str| format!("{path}/{name}");
        let contest: Contest = self.contents.json(&file(CONTEST))?;
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
        let setup = Setup::of_stored(&stored, expected.resources.clone(), expected.concurrency)
            .map_err(|error| wrong(&file(CONTEST), &error))?;
        if setup.config() != expected.config() {
            let text = format!("{}: not the set-up that {EXPERIMENT} describes", file(CONTEST));
            // Other builds may have other openings, or settings that were not known yet.
            self.differs(self.is_same_build() || !is_asked_for(&setup, expected), text);
        }
        let lines = String::from_utf8_lossy(self.contents.file(&file(GAMES))?).into_owned();
        let games = games::read(&lines).map_err(|error| wrong(&file(GAMES), &error))?;
        let (mut faults, mut said) = (0, 0);
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
                Ok(is_on_board) => said += u64::from(!is_on_board),
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
        let held = Held { path: path.to_owned(), setup, games, contest };
        if !held.is_whole() {
            self.wrong(format!("{}: not every game of the match, once", file(GAMES)));
        } else if faults == 0 {
            let rest = match said {
                0 => String::new(),
                said => format!(" ({said} by resignation, time, forfeit or length)"),
            };
            let games = held.games.len();
            self.holds(format!("{path}: {games} games are legal and end as they say{rest}"));
        }
        Ok(held)
    }

    fn document(&mut self, found: &[(Named, Findings)]) {
        let document = document(&self.contents.manifest.group, found);
        let mut texts = vec![(DOCUMENT.to_owned(), document)];
        texts.extend(found.iter().filter_map(|(named, findings)| chart(named, findings)));
        for (path, text) in texts {
            match self.contents.file(&path) {
                Ok(bytes) if bytes == text.as_bytes() => {
                    self.holds(format!("{path}: follows from the findings"));
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
    fn replay_games(&mut self, name: &str, held: &[Held]) -> Result<(), Fault> {
        let all: u64 = held.iter().map(|held| held.games.len() as u64).sum();
        let wanted = self.inspection.replays.min(all);
        if wanted == 0 {
            return Ok(());
        }
        for held in held {
            if let Some(reason) = Check::unrepeatable(&held.setup) {
                self.note(format!("{}: not played again: {reason}", held.path));
                return Ok(());
            }
        }
        let is_same = self.is_same_build() && self.are_same_players(held)?;
        let places = held.iter().flat_map(|held| held.games.iter().map(move |game| (held, game)));
        let places: Vec<(&Held, &StoredGame)> = places.collect();
        let mut same = 0;
        for number in 0..wanted {
            let (held, game) = places[(number * all / wanted) as usize];
            let again = Replay::new(&held.setup).play(game.index, self.inspection.lab.stop);
            let again = again.map_err(of_run)?;
            self.inspection.lab.go_on()?;
            if (&again.moves, &again.result) == (&game.moves, &game.result) {
                same += 1;
            } else {
                let text = format!(
                    "{}: game {} is another when it is played again",
                    held.path,
                    game.index + 1
                );
                self.differs(is_same, text);
            }
        }
        if same == wanted {
            self.holds(format!("{name}: {same} of {all} games are the same when played again"));
        }
        Ok(())
    }

    /// Why nobody can tell how the games of a match would go, if nobody can.
    fn unrepeatable(setup: &Setup) -> Option<String> {
        if setup.limits.time.is_some() || setup.limits.clock.is_some() {
            return Some("its limits are times".to_owned());
        }
        for player in &setup.players {
            let options = || split_name(player).1.split(',');
            let is_parallel =
                options().any(|option| option.starts_with("threads=") && option != "threads=1");
            let reason = match player {
                // Never by what the bundle says of it: a check starts no program of a stranger.
                player if is_external(player) => "is another program",
                _ if options().any(|option| option.starts_with("time=")) => "thinks for a time",
                _ if is_parallel => "thinks on several threads",
                _ => continue,
            };
            return Some(format!("{player} {reason}"));
        }
        None
    }

    /// Whether the players are those that played, weights and all.
    fn are_same_players(&mut self, held: &[Held]) -> Result<bool, Fault> {
        let mut is_same = true;
        for held in held {
            for player in &held.setup.players {
                let resources = &self.inspection.lab.resources;
                let identity = held.setup.game.identify(player, resources);
                let identity = identity.map_err(TrainingError::from)?;
                let now = identity.build(self.inspection.build);
                let then = held.contest.players.iter().find(|then| then.player == *player);
                let build = then.map_or("nobody knows", |then| &then.build);
                if then.is_none_or(|then| then.spec != identity.spec) || build != now {
                    is_same = false;
                    self.note(format!("{player}: of build {build}, here of {now}"));
                }
            }
        }
        Ok(is_same)
    }

    /// Does some of the searches again.
    fn replay_searches(
        &mut self,
        lab: &Lab<'_>,
        named: &Named,
        findings: &Findings,
    ) -> Result<(), Fault> {
        if self.inspection.replays == 0 {
            return Ok(());
        }
        let name = &named.name;
        if let Task::Savings(savings) = named.experiment.task()
            && [&savings.first, &savings.second].into_iter().any(|player| is_external(player))
        {
            self.note(format!("{name}: not done again: a player is another program"));
            return Ok(());
        }
        match findings {
            Findings::Training(_) => {
                self.note(format!("{name}: trainings are not done again by a check"));
            }
            Findings::Savings(found) => {
                let Some(board) = found.boards.first() else { return Ok(()) };
                let wanted = (board.games.len() as u64).min(self.inspection.replays);
                let mut same = 0;
                for game in 0..wanted {
                    if lab.searches_again(named, found, board, game)? {
                        same += 1;
                    } else {
                        let text = format!("{name}: game {} has other searches now", game + 1);
                        self.differs(self.is_same_build(), text);
                    }
                }
                if same == wanted {
                    self.holds(format!("{name}: {same} games have the same searches again"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether a set-up is as the experiment says, as far as it says anything.
fn is_asked_for(setup: &Setup, expected: &Setup) -> bool {
    let limits = |setup: &Setup| {
        let Limits { depth, nodes, time, .. } = setup.limits;
        (depth, nodes, time, setup.limits.clock.is_some())
    };
    setup.options.to_string() == expected.options.to_string()
        && (&setup.players, setup.games, setup.seed)
            == (&expected.players, expected.games, expected.seed)
        && limits(setup) == limits(expected)
}

/// Whether a player is another program.
fn is_external(player: &str) -> bool {
    external::IDS.contains(&split_name(player).0)
}

/// Why an experiment cannot be checked any further.
enum Fault {
    /// The bundle is wrong.
    Wrong(String),
    /// We are.
    Lab(TrainingError),
}

impl From<String> for Fault {
    fn from(text: String) -> Fault {
        Fault::Wrong(text)
    }
}

impl From<TrainingError> for Fault {
    fn from(error: TrainingError) -> Fault {
        match error {
            TrainingError::Stopped => Fault::Lab(TrainingError::Stopped),
            error => Fault::Wrong(error.to_string()),
        }
    }
}

/// Whether two values are the same but for the rounding of sums.
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
