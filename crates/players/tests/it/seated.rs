//! A board with players at its sides, for tests that play games.

use ludus_core::{Limits, PlayerError, Side, TextError};
use ludus_players::{Analysis, AnalysisControl, Board, BoardPlayer, Resources, find_game};
use std::sync::atomic::AtomicBool;

pub struct Seated {
    pub board: Box<dyn Board>,
    players: [Option<Box<dyn BoardPlayer>>; 2],
}

/// A player's action, its analysis in words.
#[derive(Debug)]
pub enum Turn {
    Moved(Box<Analysis>),
    Resigned,
}

impl Seated {
    pub fn at(board: Box<dyn Board>) -> Seated {
        Seated { board, players: [None, None] }
    }

    pub fn open(game: &str) -> Seated {
        let (game, options) = find_game(game).unwrap();
        Seated::at(game.open(&options, None).unwrap())
    }

    pub fn seat(
        &mut self,
        side: Side,
        player: &str,
        resources: &Resources,
    ) -> Result<(), PlayerError> {
        self.players[side.index()] = Some(self.board.game().player(player, resources)?);
        Ok(())
    }

    pub fn new_game(&mut self, seeds: [u64; 2]) -> Result<(), TextError> {
        for (player, seed) in self.players.iter_mut().zip(seeds) {
            if let Some(player) = player {
                player.new_game(seed);
            }
        }
        self.board.restart(None)
    }

    /// Makes the player of the side to move choose a move, and plays it.
    pub fn let_play(&mut self, limits: Limits) -> Result<Turn, PlayerError> {
        self.let_play_until(limits, &AtomicBool::new(false))
    }

    pub fn let_play_until(
        &mut self,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Turn, PlayerError> {
        let player = self.players[self.board.turn().index()].as_mut().expect("a player is seated");
        let mut control = AnalysisControl { limits, stop, on_report: &mut |_| {} };
        let analysis = player.choose(&*self.board, &mut control)?.analysis();
        let Some(mv) = &analysis.best else { return Ok(Turn::Resigned) };
        self.board.play(mv)?;
        Ok(Turn::Moved(Box::new(analysis)))
    }
}
