//! Files of an experiment that was run.

use super::{
    ATTACHED, BundleFile, BundledContest, CONTEST, DOCUMENT, EXPERIMENT, FINDINGS, GAMES,
    PlayerIdentity, RUN, games,
};
use crate::{
    TrainingError,
    reproduce::{
        ExperimentRunner, ExperimentTask, Findings, NamedExperiment, charts, document, figures,
    },
};
use ludus_arena::{
    contest::{ContestSpec, StartMode, register},
    replay::Replay,
    store::ContestPlayer,
};
use serde_json::json;

/// Files shared by all experiments of a bundle: the document and its charts.
pub fn shared_files(found: &[(NamedExperiment, Findings)]) -> Vec<BundleFile> {
    let group = found.first().map_or("", |(named, _)| &named.experiment.group);
    let mut files = vec![BundleFile::text(DOCUMENT.to_owned(), document(group, found))];
    let charts = found.iter().flat_map(|(named, findings)| charts(named, findings));
    files.extend(charts.map(|(name, svg)| BundleFile::text(name, svg)));
    files
}

impl ExperimentRunner<'_> {
    /// Files of an experiment that was run here just now.
    ///
    /// # Errors
    /// If the store fails.
    pub fn pack(
        &self,
        named: &NamedExperiment,
        findings: &Findings,
    ) -> Result<Vec<BundleFile>, TrainingError> {
        let NamedExperiment { name, text, .. } = named;
        let path = |file: &str| format!("{name}/{file}");
        let mut files = vec![
            BundleFile::text(path(EXPERIMENT), text.as_bytes()),
            BundleFile::json(path(RUN), &self.overrides),
            BundleFile::json(
                path(FINDINGS),
                &json!({
                    "findings": findings, "figures": figures(&named.experiment, findings),
                }),
            ),
        ];
        let attached = named.files.iter();
        files.extend(attached.map(|(file, text)| {
            BundleFile::text(path(&format!("{ATTACHED}/{file}")), text.as_bytes())
        }));
        for (setup, number) in self.setups(named, findings)?.iter().zip(1..) {
            self.pack_contest(setup, &path(&format!("contest-{number}")), &mut files)?;
        }
        Ok(files)
    }

    /// Matches of an experiment.
    pub(in crate::reproduce) fn setups(
        &self,
        named: &NamedExperiment,
        findings: &Findings,
    ) -> Result<Vec<ContestSpec>, TrainingError> {
        match (named.experiment.task(), findings) {
            (ExperimentTask::Match(played), Findings::Match(_)) => {
                Ok(vec![self.setup(named, played)?])
            }
            (ExperimentTask::Boards(boards), Findings::Boards(found)) => {
                let setup = |size| self.board_setup(named, boards, found, size);
                found.boards.iter().map(|board| setup(board.size)).collect()
            }
            (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => {
                self.pair_setups(named, pairs, found)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn pack_contest(
        &self,
        setup: &ContestSpec,
        folder: &str,
        files: &mut Vec<BundleFile>,
    ) -> Result<(), TrainingError> {
        let disk = |error: &dyn std::fmt::Display| TrainingError::Disk(error.to_string());
        let id = register(setup, self.store, StartMode::Resume).map_err(|error| disk(&error))?;
        let stored = self.store.contest(id).map_err(|error| disk(&error))?;
        let stored = stored.ok_or_else(|| TrainingError::Disk(format!("no contest {id}")))?;
        let players = self.store.contest_players(id).map_err(|error| disk(&error))?;
        let players = players.into_iter().map(|ContestPlayer { spec, identity }| PlayerIdentity {
            player: spec,
            spec: identity.spec,
            build: identity.build,
        });
        let contest = BundledContest {
            name: stored.name,
            kind: stored.kind,
            build: stored.build,
            players: players.collect(),
            config: stored.config,
            repeats: self.store.repeats(id).map_err(|error| disk(&error))?,
        };
        files.push(BundleFile::json(format!("{folder}/{CONTEST}"), &contest));
        let replay = Replay::new(setup);
        let (mut lines, mut records) = (String::new(), String::new());
        for game in self.store.contest_games(id) {
            let game = game.map_err(|error| disk(&error))?;
            let opening = replay.opening(game.index).map_err(|error| disk(&error))?;
            lines += &games::line(opening, &game);
            records += &game.record;
        }
        files.push(BundleFile::text(format!("{folder}/{GAMES}"), lines));
        files.push(BundleFile::text(format!("{folder}/{}", records_name(setup)), records));
        Ok(())
    }
}

/// File name of the games' records.
pub(super) fn records_name(setup: &ContestSpec) -> String {
    format!("games.{}", setup.game.record_format().name())
}
