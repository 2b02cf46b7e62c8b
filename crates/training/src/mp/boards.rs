//! Boards with twelve pieces from real games.

use super::BoardSettings;
use crate::{Progress, Stage, TrainingError, folder::Folder, parallel::in_order, run::damaged};
use ludus_core::{
    Action, Ending, History, Limits, Notation, Options, Player, Position, Random, Side, TextError,
    Watch, endgame_index::EndgameIndex,
};
use ludus_games::draughts::Draughts;
use ludus_players::{Resources, build_player, mp_draughts::ENDING};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

const CHECKPOINT: &str = "boards.json";
/// Games between two checkpoints, at most and at least.
const BLOCK: u64 = 50;
const SMALL_BLOCK: u64 = 8;
/// Games a pairing may play for each board that is wanted of it.
const PATIENCE: u64 = 10;

/// What the games of one pairing have brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Harvest {
    games: u64,
    boards: Vec<String>,
}

/// Collects boards from games.
pub(super) struct Collector<'a> {
    pub settings: &'a BoardSettings,
    /// The position before the random plies.
    pub start: Draughts,
    /// Decides everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Raised to stop; the block under way is lost.
    pub stop: &'a AtomicBool,
}

type Players = [Box<dyn Player<Draughts>>; 2];

impl Collector<'_> {
    /// Plays all games that are left to play and gives all boards.
    pub fn run(
        &self,
        folder: &mut Folder,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Draughts>, TrainingError> {
        let mut harvests: Vec<Harvest> = match folder.read(CHECKPOINT)? {
            None => vec![Harvest::default(); self.settings.pairings.len()],
            Some(bytes) => serde_json::from_slice(&bytes)
                .ok()
                .filter(|kept: &Vec<Harvest>| kept.len() == self.settings.pairings.len())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let (wanted, started) = (self.settings.games, Instant::now());
        let games = |harvests: &[Harvest]| harvests.iter().map(|it| it.games).sum::<u64>();
        let played_before = games(&harvests);
        let mut known: HashSet<String> =
            harvests.iter().flat_map(|harvest| harvest.boards.iter().cloned()).collect();
        for pairing in 0..harvests.len() {
            while harvests[pairing].boards.len() < wanted {
                self.block(pairing, &mut harvests[pairing], &mut known)?;
                let kept = serde_json::to_vec(&harvests).expect("boards can be written");
                folder.write(CHECKPOINT, &kept)?;
                let done: usize = harvests.iter().map(|harvest| harvest.boards.len()).sum();
                let played = games(&harvests);
                let seconds = started.elapsed().as_secs_f64();
                folder.log(&json!({
                    "event": "boards", "boards": done, "games": played, "seconds": seconds,
                }))?;
                let rate = (played - played_before) as f64 / seconds.max(1e-9);
                let note = format!("{played} games, {rate:.1} games/s");
                let (done, total) = (done as u64, self.settings.total() as u64);
                progress(&Progress { stage: Stage::Collecting, done, total, note });
            }
        }
        let boards = harvests.iter().flat_map(|harvest| &harvest.boards);
        let boards = boards.map(|text| self.parse(text).ok());
        boards.collect::<Option<_>>().ok_or_else(|| damaged(folder, CHECKPOINT))
    }

    fn parse(&self, text: &str) -> Result<Draughts, TextError> {
        Draughts::parse(&Options::parse(Draughts::ID, Draughts::OPTIONS)?, text)
    }

    /// Some more games of a pairing.
    fn block(
        &self,
        pairing: usize,
        harvest: &mut Harvest,
        known: &mut HashSet<String>,
    ) -> Result<(), TrainingError> {
        let (wanted, names) = (self.settings.games, &self.settings.pairings[pairing]);
        let left = (wanted as u64 * PATIENCE).saturating_sub(harvest.games);
        if left == 0 {
            let found = format!("{} v {}: {} boards", names[0], names[1], harvest.boards.len());
            let expected = format!(
                "{wanted} different boards with {ENDING} pieces from {} games; fewer boards, more \
                 random plies or other players would do",
                harvest.games
            );
            return Err(TextError::whole("mp.boards", &found, expected).into());
        }
        let missing = (wanted - harvest.boards.len()) as u64;
        let end = harvest.games + missing.clamp(SMALL_BLOCK, BLOCK).min(left);
        let build = |spec: &String| build_player::<Draughts>(spec, &Resources::default());
        let make = || Ok([build(&names[0])?, build(&names[1])?]);
        let play = |players: &mut Players, number| self.game(players, pairing, number);
        in_order(harvest.games..end, self.threads, make, play, |board: Option<Draughts>| {
            if let Some(board) = board
                && harvest.boards.len() < wanted
                && known.insert(board.text())
            {
                harvest.boards.push(board.text());
            }
            Ok(())
        })?;
        harvest.games = end;
        Ok(())
    }

    /// The first board with twelve pieces of game `number`, if it has one.
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
            let pieces = EndgameIndex::pieces(game.last());
            if pieces <= ENDING {
                return Ok((pieces == ENDING).then_some(*game.last()));
            }
            if game.moves().len() < self.settings.random_plies {
                moves.clear();
                game.last().legal_moves(&mut moves);
                game.push(random.pick(&moves).expect("the game is not over"));
                continue;
            }
            let is_first = (game.last().turn() == Side::First) == number.is_multiple_of(2);
            let mut watch = Watch { stop: self.stop, on_report: &mut |_| {} };
            let player = &mut players[usize::from(!is_first)];
            let choice = player.choose(&game, &limits, &mut watch)?;
            // A search that was stopped has not said what it would have said.
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
