//! Self-play games as the first stage of a run.

use super::{SelfPlay, SelfPlaySettings, file::SelfPlayFile};
use crate::{Recipe, Run, TrainingError, TrainingStage, recipe::range};
use ludus_core::{Options, TextError};
use ludus_players::Roster;
use serde_json::json;
use std::{path::PathBuf, time::Instant};

const GAMES_FILE: &str = "games.txt";
/// Games between two log entries.
const LOG_INTERVAL_GAMES: u64 = 1000;

impl SelfPlaySettings {
    /// Checks the ranges, and that there are games to learn from.
    pub(crate) fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        recipe.check_games("self_play.games", self.games)?;
        range("self_play.games", self.games as f64, 0.0, u32::MAX.into())?;
        range("self_play.every", self.every as f64, 1.0, 1e6)?;
        self.opening.check("self_play.opening")?;
        self.rules.check("self_play.rules")
    }

    /// Files with the positions of a run: its own games, and those the recipe names.
    pub(crate) fn game_files(&self, run: &Run<'_>) -> Vec<PathBuf> {
        let own = (self.games > 0).then(|| run.folder.file(GAMES_FILE));
        own.into_iter().chain(run.job.data_files()).collect()
    }
}

impl<P: Roster> SelfPlay<'_, P> {
    /// Plays the games of a run, or the rest of them. `evaluation` identifies the player's
    /// evaluation.
    pub(crate) fn play_games(
        &self,
        evaluation: &str,
        run: &mut Run<'_>,
    ) -> Result<(), TrainingError> {
        let total = self.settings.games;
        if total == 0 {
            return Ok(());
        }
        let Recipe { player, game, .. } = &run.job.recipe;
        let header = json!({
            "game": Options::parse(game, P::OPTIONS)?.to_string(),
            "player": player,
            "weights": evaluation,
            "seed": self.seed,
            "self_play": self.settings,
        });
        let path = run.folder.file(GAMES_FILE);
        let mut file = SelfPlayFile::open(&path, &header.to_string())?;
        let (known, started) = (file.positions, Instant::now());
        let played = self.run(file.games, |game| {
            let seconds = started.elapsed().as_secs_f64();
            let (games, positions) = (file.games + 1, file.positions + game.positions.len() as u64);
            if games.is_multiple_of(LOG_INTERVAL_GAMES) || games == total {
                run.log(&json!({
                    "event": "games", "games": games, "positions": positions, "seconds": seconds,
                }))?;
            }
            file.append(&game).map_err(|error| TrainingError::disk(&path, &error))?;
            let rate = (positions - known) as f64 / seconds.max(1e-9);
            let note = format!("{positions} positions, {rate:.0}/s");
            run.progress(TrainingStage::SELF_PLAY, games, total, note);
            Ok(())
        });
        file.sync().map_err(|error| TrainingError::disk(&path, &error))?;
        played
    }
}
