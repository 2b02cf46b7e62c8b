//! Collects positions with twelve pieces from games.

use super::{BoardCollectionSettings, COLLECTING};
use crate::{
    Run, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    parallel::in_order,
};
use ludus_core::{
    Action, History, Limits, Notation, Options, Player, Position, Random, SearchControl, Side,
    TextError, endgame_index::EndgameIndex,
};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_players::{Resources, build_player, draughts::mp_draughts::ENDGAME_PIECES};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

const CHECKPOINT: &str = "boards.json";
/// Games between two checkpoints, at most and at least.
const MAX_GAMES_PER_CHECKPOINT: u64 = 50;
const MIN_GAMES_PER_CHECKPOINT: u64 = 8;
/// Games a pairing may play for each position it should bring.
const MAX_GAMES_PER_BOARD: u64 = 10;

/// Positions collected from the games of one pairing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct CollectedBoards {
    games: u64,
    boards: Vec<String>,
}

/// Collects positions from games, some games of one pairing in a step.
pub(super) struct BoardCollector<'a> {
    settings: &'a BoardCollectionSettings,
    /// Position before the random plies.
    start: Draughts,
}

type Players = [Box<dyn Player<Draughts>>; 2];

impl CheckpointedStage for BoardCollector<'_> {
    type State = Vec<CollectedBoards>;

    const STAGE: TrainingStage = COLLECTING;

    fn load(&self, folder: &RunFolder) -> Result<Option<Vec<CollectedBoards>>, TrainingError> {
        let pairings = self.settings.pairings.len();
        folder.json_checkpoint(CHECKPOINT, |all: Vec<CollectedBoards>| {
            (all.len() == pairings).then_some(all)
        })
    }

    fn save(&mut self, all: &Self::State, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(CHECKPOINT, all)
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<Vec<CollectedBoards>, TrainingError> {
        Ok(vec![CollectedBoards::default(); self.settings.pairings.len()])
    }

    fn is_done(&self, all: &Vec<CollectedBoards>) -> bool {
        self.unfinished(all).is_none()
    }

    fn step(
        &mut self,
        all: &mut Vec<CollectedBoards>,
        run: &mut Run<'_>,
    ) -> Result<(), TrainingError> {
        let known = all.iter().flat_map(|collected| collected.boards.iter().cloned()).collect();
        let pairing = self.unfinished(all).expect("the stage is not done");
        self.block(pairing, &mut all[pairing], known, run)
    }

    /// Games played.
    fn amount(&self, all: &Vec<CollectedBoards>) -> u64 {
        all.iter().map(|collected| collected.games).sum()
    }

    fn report(&mut self, all: &Vec<CollectedBoards>, pace: Pace) -> StepReport {
        let boards: usize = all.iter().map(|collected| collected.boards.len()).sum();
        let games = self.amount(all);
        StepReport {
            entry: Some(json!({
                "event": "boards", "number": games, "boards": boards, "games": games,
                "seconds": pace.seconds,
            })),
            done: boards as u64,
            total: self.settings.total() as u64,
            note: format!("{games} games, {:.1} games/s", pace.rate()),
        }
    }
}

impl<'a> BoardCollector<'a> {
    pub fn new(settings: &'a BoardCollectionSettings, start: Draughts) -> BoardCollector<'a> {
        BoardCollector { settings, start }
    }

    /// Plays the remaining games and returns all positions.
    pub fn collect(mut self, run: &mut Run<'_>) -> Result<Vec<Draughts>, TrainingError> {
        let all = run.stage(&mut self)?;
        let boards = all.iter().flat_map(|collected| &collected.boards);
        let boards = boards.map(|text| self.parse(text).ok());
        boards.collect::<Option<_>>().ok_or_else(|| run.folder.damaged(CHECKPOINT))
    }

    /// First pairing that has not brought all its positions.
    fn unfinished(&self, all: &[CollectedBoards]) -> Option<usize> {
        all.iter().position(|collected| collected.boards.len() < self.settings.games)
    }

    fn parse(&self, text: &str) -> Result<Draughts, TextError> {
        Draughts::parse(&Options::parse(Draughts::ID, Draughts::OPTIONS)?, text)
    }

    /// Plays some more games of a pairing.
    fn block(
        &self,
        pairing: usize,
        collected: &mut CollectedBoards,
        mut known: HashSet<String>,
        run: &Run<'_>,
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
        let (seed, stop) = (run.job.recipe.seed, run.stop);
        let play = |players: &mut Players, number| self.game(players, pairing, number, seed, stop);
        in_order(collected.games..end, run.job.threads, make, play, |board: Option<Draughts>| {
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
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Draughts>, TrainingError> {
        let mut random =
            Random::new(seed).split(&format!("boards of pairing {pairing}, game {number}"));
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
            let mut control = SearchControl { stop, on_report: &mut |_| {} };
            let player = &mut players[usize::from(!is_first)];
            let choice = player.choose(&game, &limits, &mut control)?;
            // The result of a stopped search is not the one it would have come to.
            if stop.load(Ordering::Relaxed) {
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
