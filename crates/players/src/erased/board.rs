//! A game in progress with its type erased.

use super::{
    Analysis, AnalysisControl, ErasedGame, Game, ShownMove, Snapshot, TraceDocument, shown,
};
use crate::{Resources, Roster, records};
use ludus_core::{
    BoardView, EndReason, HasEval, History, Options, Outcome, PlayerError, Side, TextError,
};
use ludus_formats::{Format, PieceColour, Record};
use std::any::Any;

/// A game in progress, whichever game it is: moves and positions as text. It knows no players; they are
/// lent it when they have to move.
pub trait Board: Any + Send + Sync {
    /// The game.
    fn game(&self) -> &'static dyn Game;
    /// The options of the game.
    fn options(&self) -> &Options;
    /// A copy of the game so far.
    fn boxed_clone(&self) -> Box<dyn Board>;
    /// Starts again, from the start or from the position given as text.
    fn restart(&mut self, position: Option<&str>) -> Result<(), TextError>;
    /// Plays a move given as text; returns its canonical text.
    fn play(&mut self, mv: &str) -> Result<String, TextError>;
    /// Takes back one move.
    fn undo(&mut self) -> bool;
    /// The end of the game, if it is over.
    fn ending(&self) -> Option<Finish>;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The name of a side.
    fn side_name(&self, side: Side) -> &'static str;
    /// The position the game started from.
    fn start_position(&self) -> String;
    /// The current position.
    fn position(&self) -> String;
    /// The board to draw.
    fn view(&self) -> BoardView;
    /// The first side's lead in material, in games that have material.
    fn material(&self) -> Option<i32>;
    /// The legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// The legal moves, with their cells.
    fn choices(&self) -> Vec<ShownMove>;
    /// The moves of a line that starts here, with their cells, up to the first illegal one.
    fn line(&self, moves: &[String]) -> Vec<ShownMove>;
    /// Number of moves played.
    fn moves_played(&self) -> usize;
    /// The moves so far, as the command line writes them.
    fn moves(&self) -> Vec<String>;
    /// Move number `ply`, from 0, with its cells; `None` if the game is shorter.
    fn played_move(&self, ply: usize) -> Option<ShownMove>;
    /// The game after `ply` moves; `None` if it is shorter.
    fn snapshot(&self, ply: usize) -> Option<Snapshot>;
    /// The record of the game so far; `finish` overrides the [`ending`](Board::ending).
    fn record(&self, finish: Option<Finish>) -> Record;
}

impl dyn Board {
    /// The game with its options, such as `go:size=9`.
    pub fn name(&self) -> String {
        self.options().to_string()
    }

    /// The side that moved first in this game: sides strictly alternate.
    pub fn first_turn(&self) -> Side {
        if self.moves_played().is_multiple_of(2) { self.turn() } else { !self.turn() }
    }

    /// The side that game records call White.
    pub fn white(&self) -> Side {
        match records::colour_of(self.side_name(Side::First)) {
            PieceColour::White => Side::First,
            PieceColour::Black => Side::Second,
        }
    }

    /// The file format of its record.
    pub fn record_format(&self) -> Format {
        self.game().record_format()
    }

    /// The moves so far, with their cells.
    pub fn played(&self) -> Vec<ShownMove> {
        (0..self.moves_played()).filter_map(|ply| self.played_move(ply)).collect()
    }

    /// The cells the last move touched.
    pub fn last_move_cells(&self) -> Vec<usize> {
        let last = self.moves_played().checked_sub(1).and_then(|ply| self.played_move(ply));
        last.map_or_else(Vec::new, |mv| mv.cells)
    }

    /// Takes back and plays moves until `moves` are those of the game. Players that are lent the board
    /// again find what they know of the shared part still true.
    pub fn set_moves(&mut self, moves: &[String]) -> Result<(), TextError> {
        let played = self.moves();
        let shared = played.iter().zip(moves).take_while(|(old, new)| old == new).count();
        for _ in shared..played.len() {
            self.undo();
        }
        for mv in &moves[shared..] {
            self.play(mv)?;
        }
        Ok(())
    }

    /// Makes a fresh `player` choose a move, without playing it.
    pub fn analyze(
        &self,
        player: &str,
        resources: &Resources,
        control: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError> {
        let mut player = self.game().player(player, resources)?;
        Ok(player.choose(self, control)?.analysis())
    }

    /// Makes a fresh `player` score the `lines` best moves; see
    /// [`BoardPlayer::analyze`](super::BoardPlayer::analyze).
    pub fn analyze_lines(
        &self,
        player: &str,
        lines: usize,
        resources: &Resources,
        control: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError> {
        let mut player = self.game().player(player, resources)?;
        Ok(player.analyze(self, lines, control)?.analysis())
    }

    /// Makes a fresh `player` choose a move on one thread, and records at most `size` nodes or
    /// simulations.
    pub fn trace(
        &self,
        player: &str,
        size: usize,
        resources: &Resources,
        control: &mut AnalysisControl<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError> {
        self.game().trace(self, player, size, resources, control)
    }
}

/// The end of a game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Finish {
    /// The outcome.
    pub outcome: Outcome,
    /// The reason why it is over.
    pub reason: EndReason,
    /// The first side's lead in points, in games that count them.
    pub margin: Option<f32>,
}

impl Finish {
    /// The result as text, such as "White wins by checkmate", or "White (greedy) wins by checkmate"
    /// if `players` names the players.
    pub fn words(&self, board: &dyn Board, players: Option<&[String; 2]>) -> String {
        let Outcome::Win(side) = self.outcome else { return format!("A draw {}", self.reason) };
        let name = board.side_name(side);
        let player = players.map(|players| format!(" ({})", players[side.index()]));
        // "Crosses" and "Noughts" are plural.
        let verb = if name.ends_with('s') { "win" } else { "wins" };
        let points = self.margin.map(|margin| format!(" by {} points", margin.abs()));
        let (player, points) = (player.unwrap_or_default(), points.unwrap_or_default());
        format!("{name}{player} {verb}{points} {}", self.reason)
    }
}

/// The one implementation of [`Board`], for every game.
#[derive(Clone)]
pub(crate) struct TypedBoard<P: Roster> {
    options: Options,
    history: History<P>,
}

impl<P: Roster> TypedBoard<P> {
    pub(crate) fn new(options: Options, history: History<P>) -> TypedBoard<P> {
        TypedBoard { options, history }
    }

    /// The game so far, which players are lent.
    pub(crate) fn history(&self) -> &History<P> {
        &self.history
    }

    fn last(&self) -> &P {
        self.history.last()
    }
}

impl<P: Roster> Board for TypedBoard<P> {
    fn game(&self) -> &'static dyn Game {
        const { &ErasedGame::<P>::NEW }
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn boxed_clone(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }

    fn restart(&mut self, position: Option<&str>) -> Result<(), TextError> {
        self.history = History::new(records::position(&self.options, position)?);
        Ok(())
    }

    fn play(&mut self, mv: &str) -> Result<String, TextError> {
        let mv = self.last().parse_move(mv)?;
        let text = self.last().move_text(mv);
        self.history.push(mv);
        Ok(text)
    }

    fn undo(&mut self) -> bool {
        self.history.pop().is_some()
    }

    fn ending(&self) -> Option<Finish> {
        let (outcome, reason) = P::ending(&self.history)?;
        Some(Finish { outcome, reason, margin: self.last().margin() })
    }

    fn turn(&self) -> Side {
        self.last().turn()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.last().side_name(side)
    }

    fn start_position(&self) -> String {
        self.history.start().text()
    }

    fn position(&self) -> String {
        self.last().text()
    }

    fn view(&self) -> BoardView {
        self.last().view()
    }

    fn material(&self) -> Option<i32> {
        P::Knowledge::material(self.last())
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.last().legal_moves(&mut moves);
        moves.into_iter().map(|mv| self.last().move_text(mv)).collect()
    }

    fn choices(&self) -> Vec<ShownMove> {
        shown::choices(self.last())
    }

    fn line(&self, moves: &[String]) -> Vec<ShownMove> {
        shown::line(self.last(), moves)
    }

    fn moves_played(&self) -> usize {
        self.history.moves().len()
    }

    fn moves(&self) -> Vec<String> {
        let positions = self.history.positions().iter();
        positions.zip(self.history.moves()).map(|(position, &mv)| position.move_text(mv)).collect()
    }

    fn played_move(&self, ply: usize) -> Option<ShownMove> {
        shown::played_move(&self.history, ply)
    }

    fn snapshot(&self, ply: usize) -> Option<Snapshot> {
        shown::snapshot(&self.history, ply)
    }

    fn record(&self, finish: Option<Finish>) -> Record {
        records::record(&self.options, &self.history, finish.or_else(|| self.ending()))
    }
}
