//! The files of an experiment that was done.

use super::{
    CONTEST, Contest, DOCUMENT, EXPERIMENT, FINDINGS, File, GAMES, PlayerIdentity, RUN, games,
};
use crate::{
    TrainingError,
    reproduce::{Findings, Lab, Named, Task, chart, document, figures},
};
use ludus_arena::{
    contest::{Setup, Start, register},
    replay::Replay,
    store::ContestPlayer,
};
use serde_json::json;

/// The files that all experiments of a bundle share: the document and its charts.
pub fn shared(found: &[(Named, Findings)]) -> Vec<File> {
    let group = found.first().map_or("", |(named, _)| &named.experiment.group);
    let mut files = vec![File::text(DOCUMENT.to_owned(), document(group, found))];
    let charts = found.iter().filter_map(|(named, findings)| chart(named, findings));
    files.extend(charts.map(|(name, svg)| File::text(name, svg)));
    files
}

impl Lab<'_> {
    /// What a bundle has of an experiment that was done here just now.
    ///
    /// # Errors
    /// If the store fails.
    pub fn pack(&self, named: &Named, findings: &Findings) -> Result<Vec<File>, TrainingError> {
        let Named { name, text, .. } = named;
        let path = |file: &str| format!("{name}/{file}");
        let mut files = vec![
            File::text(path(EXPERIMENT), text.as_bytes()),
            File::json(path(RUN), &self.changes),
            File::json(
                path(FINDINGS),
                &json!({
                    "findings": findings, "figures": figures(&named.experiment, findings),
                }),
            ),
        ];
        for (setup, number) in self.setups(named, findings)?.iter().zip(1..) {
            self.pack_contest(setup, &path(&format!("contest-{number}")), &mut files)?;
        }
        Ok(files)
    }

    /// The matches of an experiment.
    pub(in crate::reproduce) fn setups(
        &self,
        named: &Named,
        findings: &Findings,
    ) -> Result<Vec<Setup>, TrainingError> {
        let seed = named.experiment.seed;
        match (named.experiment.task(), findings) {
            (Task::Match(played), Findings::Match(_)) => {
                Ok(vec![self.setup(&named.name, played, seed)?])
            }
            (Task::Boards(boards), Findings::Boards(found)) => {
                let setup = |size| self.board_setup(named, boards, found, size);
                found.boards.iter().map(|board| setup(board.size)).collect()
            }
            _ => Ok(Vec::new()),
        }
    }

    fn pack_contest(
        &self,
        setup: &Setup,
        folder: &str,
        files: &mut Vec<File>,
    ) -> Result<(), TrainingError> {
        let disk = |error: &dyn std::fmt::Display| TrainingError::Disk(error.to_string());
        let id = register(setup, self.store, Start::Resume).map_err(|error| disk(&error))?;
        let stored = self.store.contest(id).map_err(|error| disk(&error))?;
        let stored = stored.ok_or_else(|| TrainingError::Disk(format!("no contest {id}")))?;
        let players = self.store.contest_players(id).map_err(|error| disk(&error))?;
        let players = players.into_iter().map(|ContestPlayer { spec, identity }| PlayerIdentity {
            player: spec,
            spec: identity.spec,
            build: identity.build,
        });
        let contest = Contest {
            name: stored.name,
            kind: stored.kind,
            build: stored.build,
            players: players.collect(),
            config: stored.config,
            repeats: self.store.repeats(id).map_err(|error| disk(&error))?,
        };
        files.push(File::json(format!("{folder}/{CONTEST}"), &contest));
        let replay = Replay::new(setup);
        let (mut lines, mut records) = (String::new(), String::new());
        for game in self.store.contest_games(id) {
            let game = game.map_err(|error| disk(&error))?;
            let opening = replay.opening(game.index).map_err(|error| disk(&error))?;
            lines += &games::line(opening, &game);
            records += &game.record;
        }
        files.push(File::text(format!("{folder}/{GAMES}"), lines));
        files.push(File::text(format!("{folder}/{}", records_name(setup)), records));
        Ok(())
    }
}

/// The file of the games as records.
pub(super) fn records_name(setup: &Setup) -> String {
    format!("games.{}", setup.game.record_format().name())
}
