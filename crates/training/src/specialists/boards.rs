//! Collects positions with twelve pieces from games.

use super::BoardCollectionSettings;
use crate::{
    TrainingError, TrainingProgress, TrainingStage, folder::RunFolder, parallel::in_order,
    run::damaged,
};
use ludus_core::{
    Action, Ending, History, Limits, Notation, Options, Player, Position, Random, SearchControl,
    Side, TextError, endgame_index::EndgameIndex,
};
use ludus_games::draughts::{Draughts, DraughtsKnowledge};
use ludus_players::{Resources, build_player, draughts::mp_draughts::ENDGAME_PIECES};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

const CHECKPOINT: &str = "boards.json";
/// Games between two checkpoints, at most and at least.
const MAX_GAMES_PER_CHECKPOINT: u64 = 50;
const MIN_GAMES_PER_CHECKPOINT: u64 = 8;
/// Games a pairing may play for each position it should bring.
const MAX_GAMES_PER_BOARD: u64 = 10;

/// Positions collected from the games of one pairing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CollectedBoards {
    games: u64,
    boards: Vec<String>,
}

/// Collects positions from games.
pub(super) struct BoardCollector<'a> {
    pub settings: &'a BoardCollectionSettings,
    /// Position before the random plies.
    pub start: Draughts,
    /// Seed of everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Stop flag; the block in progress is lost.
    pub stop: &'a AtomicBool,
}

type Players = [Box<dyn Player<Draughts>>; 2];

impl BoardCollector<'_> {
    /// Plays the remaining games and returns all positions.
    pub fn run(
        &self,
        folder: &mut RunFolder,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<Vec<Draughts>, TrainingError> {
        let mut all_collected: Vec<CollectedBoards> = match folder.read(CHECKPOINT)? {
            None => vec![CollectedBoards::default(); self.settings.pairings.len()],
            Some(bytes) => serde_json::from_slice(&bytes)
                .ok()
                .filter(|checkpoint: &Vec<CollectedBoards>| {
                    checkpoint.len() == self.settings.pairings.len()
                })
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let (wanted, started) = (self.settings.games, Instant::now());
        let games = |all_collected: &[CollectedBoards]| {
            all_collected.iter().map(|it| it.games).sum::<u64>()
        };
        let played_before = games(&all_collected);
        let mut known: HashSet<String> =
            all_collected.iter().flat_map(|collected| collected.boards.iter().cloned()).collect();
        for pairing in 0..all_collected.len() {
            while all_collected[pairing].boards.len() < wanted {
                self.block(pairing, &mut all_collected[pairing], &mut known)?;
                let checkpoint = serde_json::to_vec(&all_collected).expect("boards can be written");
                folder.write(CHECKPOINT, &checkpoint)?;
                let done: usize =
                    all_collected.iter().map(|collected| collected.boards.len()).sum();
                let played = games(&all_collected);
                let seconds = started.elapsed().as_secs_f64();
                folder.log(&json!({
                    "event": "boards", "boards": done, "games": played, "seconds": seconds,
                }))?;
                let rate = (played - played_before) as f64 / seconds.max(1e-9);
                let note = format!("{played} games, {rate:.1} games/s");
                let (done, total) = (done as u64, self.settings.total() as u64);
                progress(&TrainingProgress { stage: TrainingStage::Collecting, done, total, note });
            }
        }
        let boards = all_collected.iter().flat_map(|collected| &collected.boards);
        let boards = boards.map(|text| self.parse(text).ok());
        boards.collect::<Option<_>>().ok_or_else(|| damaged(folder, CHECKPOINT))
    }

    fn parse(&self, text: &str) -> Result<Draughts, TextError> {
        Draughts::parse(&Options::parse(Draughts::ID, Draughts::OPTIONS)?, text)
    }

    /// Plays some more games of a pairing.
    fn block(
        &self,
        pairing: usize,
        collected: &mut CollectedBoards,
        known: &mut HashSet<String>,
    ) -> Result<(), TrainingError> {
        let (wanted, names) = (self.settings.games, &self.settings.pairings[pairing]);
        let left = (wanted as u64 * MAX_GAMES_PER_BOARD).saturating_sub(collected.games);
        if left == 0 {
            let found = format!("{} v {}: {} boards", names[0], names[1], collected.boards.len());
            let expected = format!(
                "{wanted} different boards with {ENDGAME_PIECES} pieces from {} games; fewer boards, more \
                 random plies or other players may help",
                collected.games
            );
            return Err(TextError::whole("mp.boards", &found, expected).into());
        }
        let missing = (wanted - collected.boards.len()) as u64;
        let end = collected.games
            + missing.clamp(MIN_GAMES_PER_CHECKPOINT, MAX_GAMES_PER_CHECKPOINT).min(left);
        let build = |spec: &String| build_player::<Draughts>(spec, &Resources::default());
        let make = || Ok([build(&names[0])?, build(&names[1])?]);
        let play = |players: &mut Players, number| self.game(players, pairing, number);
        in_order(collected.games..end, self.threads, make, play, |board: Option<Draughts>| {
            if let Some(board) = board
                && collected.boards.len() < wanted
                && known.insert(board.text())
            {
                collected.boards.push(board.text());
            }
            Ok(())
        })?;
        collected.games = end;
        Ok(())
    }

    /// First position with twelve pieces of game `number`, if it has one.
    fn game(
        &self,
        players: &mut Players,
        pairing: usize,
        number: u64,
    ) -> Result<Option<Draughts>, TrainingError> {
        let mut random =
            Random::new(self.seed).split(&format!("boards of pairing {pairing}, game {number}"));
        let mut game = History::new(self.start);
        let mut moves = Vec::new();
        for player in players.iter_mut() {
            player.new_game(random.bits());
        }
        let limits = Limits { depth: Some(self.settings.depth), ..Limits::default() };
        while Draughts::ending(&game).is_none() && game.moves().len() < self.settings.longest {
            let pieces = DraughtsKnowledge::pieces(game.last());
            if pieces <= ENDGAME_PIECES {
                return Ok((pieces == ENDGAME_PIECES).then_some(*game.last()));
            }
            if game.moves().len() < self.settings.random_plies {
                moves.clear();
                game.last().legal_moves(&mut moves);
                game.push(random.pick(&moves).expect("the game is not over"));
                continue;
            }
            let is_first = (game.last().turn() == Side::First) == number.is_multiple_of(2);
            let mut control = SearchControl { stop: self.stop, on_report: &mut |_| {} };
            let player = &mut players[usize::from(!is_first)];
            let choice = player.choose(&game, &limits, &mut control)?;
            // The result of a stopped search is not the one it would have come to.
            if self.stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            match choice.action {
                Action::Play(mv) => game.push(mv),
                Action::Resign => return Ok(None),
            }
        }
        Ok(None)
    }
}
