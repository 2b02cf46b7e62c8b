//! A player with its game's type erased.

use super::{
    Analysis, Board, ReportNumbers, SearchReport, TraceDocument, analysis::ReportWriter,
    board::TypedBoard, trace,
};
use crate::{Resources, Roster, roster};
use ludus_core::{Choice, Limits, Outcome, Player, PlayerError, Report, SearchControl, Side};
use std::{any::Any, sync::atomic::AtomicBool};

/// A player of some game. It is lent the board whenever it has to move, and keeps its tables and trees
/// from move to move; a board of another game is refused.
pub trait BoardPlayer: Send {
    /// Chooses a move on `board`, whose game is not over.
    fn choose<'b>(
        &mut self,
        board: &'b dyn Board,
        control: &mut AnalysisControl<'_>,
    ) -> Result<Turn<'b>, PlayerError>;

    /// Analyses the position on `board`: scores the `lines` best moves. A solver scores every move,
    /// however long that takes within the limits.
    ///
    /// # Errors
    /// If it cannot choose, or cannot report as many lines.
    fn analyze<'b>(
        &mut self,
        board: &'b dyn Board,
        lines: usize,
        control: &mut AnalysisControl<'_>,
    ) -> Result<Turn<'b>, PlayerError>;

    /// Clears all state of the previous game; see [`Player::new_game`].
    fn new_game(&mut self, seed: u64);

    /// Tells the player of the end of the game on `board`, which it played as `side`.
    fn game_over(&mut self, board: &dyn Board, side: Side, outcome: Outcome);
}

/// Limits of a search, a flag that stops it and a callback for its reports.
pub struct AnalysisControl<'a> {
    /// The limits of the search.
    pub limits: Limits,
    /// Set to stop the search now.
    pub stop: &'a AtomicBool,
    /// Called with every report.
    pub on_report: &'a mut dyn FnMut(&SearchReport<'_>),
}

/// A player's decision. It holds the board until it is dropped, so that its report can be shown.
pub struct Turn<'b> {
    /// The move; `None` if the player resigns.
    pub mv: Option<String>,
    /// The final report of the search.
    pub report: SearchReport<'b>,
}

impl Turn<'_> {
    /// The final report in words, with the move that was chosen.
    pub fn analysis(&self) -> Analysis {
        self.report.analysis()
    }

    /// The move and the numbers of the report; the board is free again.
    pub fn into_move(self) -> (Option<String>, ReportNumbers) {
        (self.mv, self.report.numbers)
    }
}

/// The one implementation of [`BoardPlayer`], for the players of every game.
pub(crate) struct TypedPlayer<P: Roster> {
    spec: String,
    player: Box<dyn Player<P>>,
}

/// The board of a game of `P`.
fn board_of<P: Roster>(board: &dyn Board) -> Result<&TypedBoard<P>, PlayerError> {
    (board as &dyn Any).downcast_ref().ok_or_else(|| {
        let (own, other) = (P::ID, board.options());
        PlayerError::failed(format!("a player of {own} cannot play {other}"))
    })
}

impl<P: Roster> TypedPlayer<P> {
    pub(crate) fn new(spec: &str, resources: &Resources) -> Result<TypedPlayer<P>, PlayerError> {
        Ok(TypedPlayer { spec: spec.to_owned(), player: roster::build(spec, resources)? })
    }

    /// Runs `search` of the player, with erased reports.
    fn search<'b>(
        &mut self,
        board: &'b dyn Board,
        control: &mut AnalysisControl<'_>,
        search: impl FnOnce(
            &mut dyn Player<P>,
            &TypedBoard<P>,
            &mut SearchControl<'_, P::Move>,
        ) -> Result<Choice<P::Move>, PlayerError>,
    ) -> Result<Turn<'b>, PlayerError> {
        let board = board_of::<P>(board)?;
        let writer = ReportWriter::new(board, &self.spec);
        let on_report = &mut *control.on_report;
        let mut forward = |report: &Report<P::Move>| on_report(&writer.report(report));
        let mut typed = SearchControl { stop: control.stop, on_report: &mut forward };
        let choice = search(&mut *self.player, board, &mut typed)?;
        Ok(writer.turn(choice))
    }
}

impl<P: Roster> BoardPlayer for TypedPlayer<P> {
    fn choose<'b>(
        &mut self,
        board: &'b dyn Board,
        control: &mut AnalysisControl<'_>,
    ) -> Result<Turn<'b>, PlayerError> {
        let limits = control.limits;
        self.search(board, control, |player, board, typed| {
            player.choose(board.history(), &limits, typed)
        })
    }

    fn analyze<'b>(
        &mut self,
        board: &'b dyn Board,
        lines: usize,
        control: &mut AnalysisControl<'_>,
    ) -> Result<Turn<'b>, PlayerError> {
        let limits = control.limits;
        self.search(board, control, |player, board, typed| {
            player.analyze(board.history(), &limits, lines.max(1), typed)
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }

    fn game_over(&mut self, board: &dyn Board, side: Side, outcome: Outcome) {
        if let Ok(board) = board_of::<P>(board) {
            self.player.game_over(board.history(), side, outcome);
        }
    }
}

/// Makes a fresh `player` choose a move on one thread, and records at most `size` nodes or simulations.
pub(super) fn trace<P: Roster>(
    board: &dyn Board,
    player: &str,
    size: usize,
    resources: &Resources,
    control: &mut AnalysisControl<'_>,
) -> Result<(Analysis, TraceDocument), PlayerError> {
    let board = board_of::<P>(board)?;
    let mut searcher = roster::build_traced::<P>(player, resources)?;
    let writer = ReportWriter::new(board, player);
    let on_report = &mut *control.on_report;
    let mut forward = |report: &Report<P::Move>| on_report(&writer.report(report));
    let mut typed = SearchControl { stop: control.stop, on_report: &mut forward };
    let (choice, recorded) =
        searcher.choose_traced(board.history(), &control.limits, &mut typed, size)?;
    let analysis = writer.report(&choice.report).analysis();
    let document = trace::document(board.history().last(), &analysis, &recorded);
    Ok((analysis, document))
}
