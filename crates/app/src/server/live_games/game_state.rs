//! State of a live game: players, moves, clock and result. Nothing here blocks.

mod saved;

pub use saved::SavedGame;

use super::{
    clock::{GameClock, TimeControl},
    players::with_small_table,
    view::{LimitsInput, LiveGameView, SideView, Sides},
};
use crate::server::{
    allowed_players,
    error::ApiError,
    view::{EndingView, played_moves},
};
use ludus_core::{EndReason, Limits, Outcome, Side};
use ludus_players::{Analysis, AnalysisControl, Board, Finish, Game, Resources};
use serde::{Deserialize, Serialize};
use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};
use utoipa::ToSchema;

/// Maximum length of a game in plies.
const MAX_MOVES: usize = 5_000;
/// Plies before a player accepts a draw.
const MIN_PLIES_FOR_DRAW: usize = 20;

/// Settings of a new game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGameInput {
    /// Game with its options, such as `draughts:rules=english`.
    pub game: String,
    /// Starting position as text; the standard one if absent.
    pub position: Option<String>,
    /// PGN, PDN or SGF record to continue from.
    pub record: Option<String>,
    /// Player of the first side, such as `engine:level=3`; absent for a human.
    pub first: Option<String>,
    /// Player of the second side; absent for a human.
    pub second: Option<String>,
    pub clock: Option<TimeControl>,
    #[serde(default)]
    pub limits: LimitsInput,
    /// Seed of the players' random numbers.
    pub seed: Option<u32>,
    /// Key of this request: a random text of 16 to 64 characters. The same request sent again, when no
    /// answer came, is answered with the game that the first one has started.
    pub request: Option<String>,
}

/// Whether a request has changed a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StateChange {
    Made,
    /// There is nothing to change, or not any more.
    None,
}

/// A game in progress.
#[derive(Clone)]
pub struct GameState {
    id: String,
    version: u64,
    /// Shared with the search for the next move; see [`board_mut`](GameState::board_mut).
    board: Arc<dyn Board>,
    players: [Option<String>; 2],
    limits: LimitsInput,
    seed: u32,
    clock: Option<GameClock>,
    /// Result by agreement, resignation or time.
    decided: Option<Finish>,
    /// Side of the human who offers a draw, until the opponent moves or declines.
    draw_offer: Option<Side>,
    /// Analysis behind the last move of a player, until it is taken back.
    last_analysis: Option<Arc<Analysis>>,
    /// Whether a search for the next move is under way.
    pub thinking: bool,
    /// Error of the player to move.
    pub player_error: Option<String>,
    /// Reason why the move found for the player to move cannot be saved.
    pub not_saved: Option<String>,
}

/// A request for a player's next move.
#[derive(Clone)]
pub struct MoveRequest {
    /// Version of the game when the request was made.
    pub version: u64,
    pub board: Arc<dyn Board>,
    pub side: Side,
    pub player: String,
    pub limits: Limits,
    pub seed: u64,
}

impl MoveRequest {
    /// Subtracts the time the request has waited in the queue from the clock.
    pub fn after_waiting(mut self, time: Duration) -> MoveRequest {
        if let Some(clock) = &mut self.limits.clock {
            clock.remaining = clock.remaining.saturating_sub(time);
        }
        self
    }
}

impl GameState {
    /// Creates a game; refuses players that are not allowed here.
    pub fn new(
        id: String,
        board: Box<dyn Board>,
        input: NewGameInput,
        seed: u32,
    ) -> Result<GameState, ApiError> {
        let players = [input.first, input.second];
        for player in players.iter().flatten() {
            allowed_players::check_player(board.game(), player)?;
        }
        input.limits.check()?;
        Ok(GameState {
            id,
            version: 1,
            board: board.into(),
            players,
            limits: input.limits,
            seed: input.seed.unwrap_or(seed),
            clock: input.clock.map(GameClock::new).transpose()?,
            decided: None,
            draw_offer: None,
            last_analysis: None,
            thinking: false,
            player_error: None,
            not_saved: None,
        })
    }

    /// Asks every player for a move once, so that one that does not support these rules fails now. The
    /// stop flag is set from the start, so this is quick.
    pub fn check_players(&self, resources: &Resources) -> Result<(), ApiError> {
        for player in self.players.iter().flatten() {
            if self.finish().is_some() {
                self.game().check_player(player, resources)?;
                continue;
            }
            let limits = Limits { nodes: Some(1), ..Limits::default() };
            let stop = AtomicBool::new(true);
            let mut control = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
            let player = with_small_table(self.game(), player, &limits);
            self.game().player(&player, resources)?.choose(&*self.board, &mut control)?;
        }
        Ok(())
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn board(&self) -> &Arc<dyn Board> {
        &self.board
    }

    /// The board to change. A search that still holds it goes on with the game as it was: then the
    /// change is made to a copy.
    fn board_mut(&mut self) -> &mut dyn Board {
        if Arc::get_mut(&mut self.board).is_none() {
            self.board = self.board.boxed_clone().into();
        }
        Arc::get_mut(&mut self.board).expect("nobody else holds it")
    }

    pub fn game(&self) -> &'static dyn Game {
        self.board.game()
    }

    pub fn player(&self, side: Side) -> Option<&str> {
        self.players[side.index()].as_deref()
    }

    /// Names of the two sides in records.
    pub fn names(&self) -> [String; 2] {
        Side::BOTH.map(|side| self.player(side).unwrap_or("Human").to_owned())
    }

    pub fn turn(&self) -> Side {
        self.board.turn()
    }

    pub fn finish(&self) -> Option<Finish> {
        self.decided.or_else(|| self.board.ending())
    }

    /// Marks a change: increments the version, and stops the clock of a finished game.
    pub fn bump_version(&mut self) {
        self.version += 1;
        self.thinking = false;
        self.not_saved = None;
        if self.finish().is_some() {
            self.stop_clock();
        }
    }

    /// Stops the clock, charging the side to move for the time until now.
    pub fn stop_clock(&mut self) {
        let turn = self.turn();
        if let Some(clock) = &mut self.clock {
            clock.stop(turn, Instant::now());
        }
    }

    /// Request for the next move, if a player is to move and the game is not over.
    pub fn move_request(&self) -> Option<MoveRequest> {
        let side = self.turn();
        let player = self.player(side)?.to_owned();
        if self.finish().is_some() || self.board.moves_played() >= MAX_MOVES {
            return None;
        }
        let clock = self.clock.as_ref().map(|clock| clock.of_player(side, Instant::now()));
        Some(MoveRequest {
            version: self.version,
            board: Arc::clone(&self.board),
            side,
            player,
            limits: Limits { clock, ..self.limits.limits() },
            seed: u64::from(self.seed) * 2 + side.index() as u64,
        })
    }

    /// Plays a move of the human to move. `ply` is the number of moves played before it: a request that is
    /// sent again changes nothing.
    pub fn play_human_move(
        &mut self,
        text: &str,
        ply: Option<usize>,
    ) -> Result<StateChange, ApiError> {
        if let Some(ply) = ply
            && self.is_played(text, ply)?
        {
            return Ok(StateChange::None);
        }
        self.check_not_over()?;
        let side = self.turn();
        if let Some(player) = self.player(side) {
            let name = self.board.side_name(side);
            return Err(ApiError::conflict(format!("it is {name}'s turn (played by {player})")));
        }
        self.play_move(text)?;
        Ok(StateChange::Made)
    }

    /// Whether this move has been played after `ply` moves; an error if another one has, or if the game has
    /// not come so far.
    fn is_played(&self, text: &str, ply: usize) -> Result<bool, ApiError> {
        let moves = self.board.moves();
        if ply == moves.len() {
            return Ok(false);
        }
        let number = ply.saturating_add(1);
        let Some(played) = moves.get(ply) else {
            let count = moves.len();
            return Err(ApiError::conflict(format!(
                "move {number} ({text}) cannot follow {count} moves: expected ply {count}; moves may have been \
                 taken back"
            )));
        };
        // The text may be in another notation than that of the list.
        let mut board = self.board.boxed_clone();
        board.set_moves(&moves[..ply])?;
        if board.play(text).is_ok() && board.moves().last() == Some(played) {
            return Ok(true);
        }
        Err(ApiError::conflict(format!(
            "move {number} has been played and is {played}, not {text}"
        )))
    }

    /// Plays a move of the side to move.
    pub fn play_move(&mut self, text: &str) -> Result<(), ApiError> {
        let side = self.turn();
        if self.board.moves_played() >= MAX_MOVES {
            return Err(ApiError::conflict(format!(
                "the game has reached the limit of {MAX_MOVES} moves"
            )));
        }
        self.board_mut().play(text)?;
        if let Some(clock) = &mut self.clock {
            clock.press(side, Instant::now());
        }
        if self.draw_offer == Some(!side) {
            self.draw_offer = None;
        }
        self.player_error = None;
        Ok(())
    }

    /// Analysis behind the last move of a player.
    pub fn last_analysis(&self) -> Option<&Analysis> {
        self.last_analysis.as_deref()
    }

    /// Keeps the analysis behind the move just played.
    pub fn keep_analysis(&mut self, analysis: Arc<Analysis>) {
        self.last_analysis = Some(analysis);
    }

    fn check_not_over(&self) -> Result<(), ApiError> {
        match self.finish() {
            None => Ok(()),
            Some(finish) => {
                let ending = EndingView::new(&*self.board, finish);
                Err(ApiError::conflict(format!("the game is over: {}", ending.words())))
            }
        }
    }

    /// Takes back to the last turn of a human, or takes back the result.
    pub fn undo(&mut self) -> Result<(), ApiError> {
        if self.decided.is_some_and(|finish| finish.reason == EndReason::Time) {
            return Err(ApiError::conflict("a game lost on time cannot be taken back"));
        }
        let turn = self.turn();
        let only_the_result = self.decided.is_some() && self.player(turn).is_none();
        if !only_the_result {
            for _ in 0..self.plies_to_undo()? {
                self.board_mut().undo();
            }
            self.draw_offer = None;
            self.last_analysis = None;
        }
        self.decided = None;
        self.player_error = None;
        self.switch_clock_from(turn);
        Ok(())
    }

    /// Plies since the last turn of a human.
    fn plies_to_undo(&self) -> Result<usize, ApiError> {
        let mut turn = self.turn();
        for plies in 1..=self.board.moves_played() {
            turn = !turn;
            if self.player(turn).is_none() {
                return Ok(plies);
            }
        }
        Err(ApiError::conflict("there is no move to take back"))
    }

    /// Charges `before` for the time until now and starts the clock of the side to move.
    fn switch_clock_from(&mut self, before: Side) {
        let Some(clock) = &mut self.clock else { return };
        clock.stop(before, Instant::now());
        if self.board.moves_played() > 0 {
            clock.start(Instant::now());
        }
    }

    pub fn resign(&mut self, side: Side) -> Result<(), ApiError> {
        self.check_not_over()?;
        if let Some(player) = self.player(side) {
            let name = self.board.side_name(side);
            return Err(ApiError::conflict(format!(
                "{name} is played by {player}: only a human can resign"
            )));
        }
        self.decide(Outcome::Win(!side), EndReason::Resignation);
        Ok(())
    }

    pub fn decide(&mut self, outcome: Outcome, reason: EndReason) {
        self.decided = Some(Finish { outcome, reason, margin: None });
    }

    /// Ends the game: the side to move has run out of time.
    pub fn flag_fall(&mut self) {
        self.decide(Outcome::Win(!self.turn()), EndReason::Time);
    }

    /// Time at which the flag of the side to move falls, if its clock runs.
    pub fn flag_falls_at(&self) -> Option<Instant> {
        if self.finish().is_some() {
            return None;
        }
        self.clock.as_ref()?.flag_falls_at(self.turn())
    }

    pub fn has_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// Whether the clock should run but does not, as in a game that was just loaded.
    pub fn is_clock_stopped(&self) -> bool {
        self.has_clock()
            && self.board.moves_played() > 0
            && self.finish().is_none()
            && self.flag_falls_at().is_none()
    }

    /// Restarts a clock that should run but does not.
    pub fn resume_clock(&mut self) {
        if self.is_clock_stopped()
            && let Some(clock) = &mut self.clock
        {
            clock.start(Instant::now());
        }
    }

    /// The player that has to answer when the human playing `side`, by default the side to move, offers a
    /// draw; `None` if the opponent is a human.
    pub fn player_to_ask(&self, side: Option<Side>) -> Result<Option<String>, ApiError> {
        self.check_not_over()?;
        let side = side.unwrap_or(self.turn());
        if let Some(player) = self.player(side) {
            let name = self.board.side_name(side);
            return Err(ApiError::conflict(format!(
                "{name} is played by {player}: only a human can offer a draw"
            )));
        }
        let Some(player) = self.player(!side) else { return Ok(None) };
        if side != self.turn() {
            let message = format!("{player} is to move: wait for its move");
            return Err(ApiError::conflict(message));
        }
        Ok(Some(player.to_owned()))
    }

    /// Offers or accepts a draw for the human playing `side`, by default the side to move, if a human has to
    /// answer.
    pub fn offer_draw(&mut self, side: Option<Side>) -> Result<StateChange, ApiError> {
        if self.player_to_ask(side)?.is_some() {
            return Ok(StateChange::None);
        }
        let side = side.unwrap_or(self.turn());
        if self.draw_offer == Some(side) {
            return Ok(StateChange::None);
        }
        if self.draw_offer == Some(!side) {
            self.agree_draw();
        } else {
            self.draw_offer = Some(side);
        }
        Ok(StateChange::Made)
    }

    /// Declines a draw offer.
    pub fn decline_draw(&mut self) -> Result<(), ApiError> {
        self.check_not_over()?;
        match self.draw_offer.take() {
            Some(_) => Ok(()),
            None => Err(ApiError::conflict("there is no draw offer to decline")),
        }
    }

    /// Answers a draw offer for a player: `score` is that of the side that offers, by the player's
    /// analysis.
    pub fn answer_draw(&mut self, score: Option<i32>) -> StateChange {
        let late_enough = self.board.moves_played() >= MIN_PLIES_FOR_DRAW;
        if !late_enough || score.is_none_or(|score| score < 0) {
            return StateChange::None;
        }
        self.agree_draw();
        StateChange::Made
    }

    fn agree_draw(&mut self) {
        self.draw_offer = None;
        self.decide(Outcome::Draw, EndReason::Agreement);
    }

    /// Entry for lists of games.
    pub fn summary(&self, updated: i64) -> LiveGameSummary {
        LiveGameSummary {
            id: self.id.clone(),
            game: self.board.name(),
            name: self.game().name().to_owned(),
            first: self.players[0].clone(),
            second: self.players[1].clone(),
            moves: self.board.moves_played(),
            ending: self.finish().map(|finish| EndingView::new(&*self.board, finish)),
            updated,
        }
    }

    pub fn view(&self) -> LiveGameView {
        let board = &*self.board;
        let finish = self.finish();
        let now = Instant::now();
        let side = |side: Side| SideView {
            name: board.side_name(side),
            player: self.players[side.index()].clone(),
            clock_ms: self
                .clock
                .as_ref()
                .map(|clock| milliseconds(clock.left(side, self.turn(), now))),
        };
        LiveGameView {
            id: self.id.clone(),
            version: self.version,
            game: board.name(),
            game_name: board.game().name(),
            position: board.position(),
            start: board.start_position(),
            first_turn: board.first_turn().into(),
            turn: board.turn().into(),
            view: board.view().into(),
            last_cells: board.last_move_cells(),
            legal: match finish {
                Some(_) => Vec::new(),
                None => board.choices().into_iter().map(Into::into).collect(),
            },
            moves: played_moves(board),
            sides: Sides { first: side(Side::First), second: side(Side::Second) },
            ending: finish.map(|finish| EndingView::new(board, finish)),
            thinking: self.thinking.then(|| board.turn().into()),
            draw_offer: self.draw_offer.filter(|_| finish.is_none()).map(Into::into),
            record_format: board.record_format().name(),
            seed: self.seed,
            limits: self.limits,
            error: self.player_error.clone(),
            not_saved: self.not_saved.clone(),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub struct LiveGameSummary {
    id: String,
    game: String,
    name: String,
    first: Option<String>,
    second: Option<String>,
    moves: usize,
    ending: Option<EndingView>,
    /// Milliseconds since 1970.
    updated: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    /// A game of a human against `greedy`.
    fn game() -> GameState {
        let (game, options) = find_game("tictactoe").unwrap();
        let input = NewGameInput {
            game: options.to_string(),
            position: None,
            record: None,
            first: None,
            second: Some("greedy".to_owned()),
            clock: None,
            limits: LimitsInput::default(),
            seed: None,
            request: None,
        };
        let board = game.open(&options, None).unwrap();
        GameState::new("id".to_owned(), board, input, 1).ok().unwrap()
    }

    #[test]
    fn a_search_shares_the_board_and_keeps_it_if_the_game_changes_meanwhile() {
        let mut state = game();
        state.play_human_move("b2", None).ok().unwrap();
        let request = state.move_request().expect("a player is to move");
        assert!(Arc::ptr_eq(&request.board, state.board()), "the board is not copied");
        state.undo().ok().unwrap();
        assert_eq!((state.board().moves_played(), request.board.moves_played()), (0, 1));
        drop(request);
        let before = Arc::as_ptr(state.board());
        state.play_human_move("a1", None).ok().unwrap();
        assert!(std::ptr::addr_eq(before, Arc::as_ptr(state.board())), "nobody else holds it");
    }

    #[test]
    fn a_move_that_was_played_at_its_ply_is_not_played_again() {
        let mut state = game();
        let play = |state: &mut GameState, text, ply| {
            state.play_human_move(text, Some(ply)).map_err(|error| error.message)
        };
        assert_eq!(play(&mut state, "b2", 0), Ok(StateChange::Made));
        assert_eq!(play(&mut state, "b2", 0), Ok(StateChange::None));
        let other = play(&mut state, "a1", 0).unwrap_err();
        assert_eq!(other, "move 1 has been played and is b2, not a1");
        assert!(play(&mut state, "nonsense", 0).unwrap_err().contains("is b2, not nonsense"));
        let late = play(&mut state, "a1", 5).unwrap_err();
        assert!(late.contains("move 6 (a1) cannot follow 1 moves: expected ply 1"), "{late}");
        assert!(play(&mut state, "a1", usize::MAX).is_err());
        assert_eq!(state.board().moves(), ["b2"]);
        state.play_move("a1").ok().unwrap();
        state.decide(Outcome::Draw, EndReason::Agreement);
        assert_eq!(play(&mut state, "b2", 0), Ok(StateChange::None), "also after the end");
    }
}
