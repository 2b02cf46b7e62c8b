//! A game at a table: who plays, what was played, how it ended. Nothing here waits.

use super::{
    clock::{ClockInput, Clocks, SavedClocks},
    mind::frugal,
    view::{LimitsInput, SideView, Sides, TableView},
};
use crate::server::{
    error::ApiError,
    place,
    view::{EndingView, SideName, played},
};
use ludus_core::{Limits, Options, Outcome, Reason, Side, TextError};
use ludus_players::{Analysis, Finish, Game, Progress, Resources, Session, find_game};
use serde::{Deserialize, Serialize};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};
use utoipa::ToSchema;

/// The longest game here.
const MOST_MOVES: usize = 5_000;
/// From so many moves on an even game may be agreed drawn.
const EARLIEST_DRAW: usize = 20;

/// A new game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// With its options, such as `draughts:rules=english`.
    pub game: String,
    /// Where it starts, as text; the usual start if not given.
    pub position: Option<String>,
    /// A PGN, PDN or SGF to go on with.
    pub record: Option<String>,
    /// Who plays the first side: a player such as `engine:level=3`, or nobody for a human.
    pub first: Option<String>,
    /// Who plays the second side.
    pub second: Option<String>,
    pub clock: Option<ClockInput>,
    #[serde(default)]
    pub limits: LimitsInput,
    /// Decides everything random the players do.
    pub seed: Option<u32>,
}

/// A game in progress.
pub struct Play {
    id: String,
    version: u64,
    game: &'static dyn Game,
    options: Options,
    session: Box<dyn Session>,
    players: [Option<String>; 2],
    limits: LimitsInput,
    seed: u32,
    clocks: Option<Clocks>,
    /// A result that is not on the board.
    decided: Option<Finish>,
    /// The human who offers a draw, until the other one moves or declines.
    draw_offer: Option<Side>,
    /// What the player that moved last thought, until its move is taken back.
    thought: Option<Box<Analysis>>,
    /// Whether the player to move is at it.
    pub thinking: bool,
    /// Why the player to move does not move.
    pub fault: Option<String>,
}

/// What has to be kept of a game.
#[derive(Serialize, Deserialize)]
pub struct SavedPlay {
    version: u64,
    game: String,
    start: String,
    moves: Vec<String>,
    players: [Option<String>; 2],
    limits: LimitsInput,
    seed: u32,
    clocks: Option<SavedClocks>,
    decided: Option<SavedFinish>,
    #[serde(default)]
    draw_offer: Option<SideName>,
}

#[derive(Serialize, Deserialize)]
struct SavedFinish {
    winner: Option<SideName>,
    /// Its [id](Reason::id).
    reason: String,
}

/// What a player is asked.
#[derive(Clone)]
pub struct Order {
    /// Of the game when it was asked.
    pub version: u64,
    pub game: &'static dyn Game,
    pub options: Options,
    pub start: String,
    pub moves: Vec<String>,
    pub side: Side,
    pub player: String,
    pub limits: Limits,
    pub seed: u64,
}

impl Order {
    /// The same after it has waited for `time`, which its clock has run.
    pub fn begun_after(mut self, time: Duration) -> Order {
        if let Some(clock) = &mut self.limits.clock {
            clock.remaining = clock.remaining.saturating_sub(time);
        }
        self
    }
}

impl Play {
    /// Sets up the board; the players are known to be fit for it.
    pub fn new(
        id: String,
        session: Box<dyn Session>,
        input: NewTable,
        seed: u32,
    ) -> Result<Play, ApiError> {
        let (game, options) = find_game(&session.game())?;
        let players = [input.first, input.second];
        for player in players.iter().flatten() {
            place::check_player(game, player)?;
        }
        input.limits.check()?;
        Ok(Play {
            id,
            version: 1,
            game,
            options,
            session,
            players,
            limits: input.limits,
            seed: input.seed.unwrap_or(seed),
            clocks: input.clock.map(Clocks::new).transpose()?,
            decided: None,
            draw_offer: None,
            thought: None,
            thinking: false,
            fault: None,
        })
    }

    /// Asks every player once, to hear now if it does not play this game by these rules. The stop
    /// flag is up from the start: no answer takes long.
    pub fn check_players(&self, resources: &Resources) -> Result<(), ApiError> {
        for player in self.players.iter().flatten() {
            if self.finish().is_some() {
                self.game.check_player(player, resources)?;
                continue;
            }
            let limits = Limits { nodes: Some(1), ..Limits::default() };
            let stop = AtomicBool::new(true);
            let mut progress = Progress { limits, stop: &stop, on_report: &mut |_| {} };
            let player = frugal(self.game, player, &limits);
            self.session.analyze(&player, resources, &mut progress)?;
        }
        Ok(())
    }

    pub fn restore(id: String, saved: SavedPlay) -> Result<Play, ApiError> {
        let (game, options) = find_game(&saved.game)?;
        let mut session = game.open(&options, Some(&saved.start))?;
        for mv in &saved.moves {
            session.play(mv)?;
        }
        let finish = |SavedFinish { winner, reason }: SavedFinish| -> Result<Finish, TextError> {
            Ok(Finish {
                outcome: winner.map_or(Outcome::Draw, |side| Outcome::Win(side.into())),
                reason: Reason::from_id(&reason)?,
                margin: None,
            })
        };
        Ok(Play {
            id,
            version: saved.version,
            game,
            options,
            session,
            players: saved.players,
            limits: saved.limits,
            seed: saved.seed,
            clocks: saved.clocks.map(Clocks::from),
            decided: saved.decided.map(finish).transpose()?,
            draw_offer: saved.draw_offer.map(Into::into),
            thought: None,
            thinking: false,
            fault: None,
        })
    }

    pub fn save(&self) -> SavedPlay {
        let now = Instant::now();
        let decided = self.decided.map(|finish| SavedFinish {
            winner: match finish.outcome {
                Outcome::Draw => None,
                Outcome::Win(side) => Some(side.into()),
            },
            reason: finish.reason.id().to_owned(),
        });
        SavedPlay {
            version: self.version,
            game: self.session.game(),
            start: self.session.start_position(),
            moves: self.session.moves(),
            players: self.players.clone(),
            limits: self.limits,
            seed: self.seed,
            clocks: self.clocks.as_ref().map(|clocks| clocks.save(self.turn(), now)),
            decided,
            draw_offer: self.draw_offer.map(Into::into),
        }
    }

    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn player(&self, side: Side) -> Option<&str> {
        self.players[side.index()].as_deref()
    }

    /// What records call the two sides.
    pub fn names(&self) -> [String; 2] {
        Side::BOTH.map(|side| self.player(side).unwrap_or("Human").to_owned())
    }

    pub fn turn(&self) -> Side {
        self.session.turn()
    }

    pub fn finish(&self) -> Option<Finish> {
        self.decided.or_else(|| self.session.ending())
    }

    /// Something is different now.
    pub fn touch(&mut self) {
        self.version += 1;
        self.thinking = false;
        if self.finish().is_some()
            && let Some(clocks) = &mut self.clocks
        {
            clocks.stop(self.session.turn(), Instant::now());
        }
    }

    /// What the player to move has to do, if there is one and the game goes on.
    pub fn order(&self) -> Option<Order> {
        let side = self.turn();
        let player = self.player(side)?.to_owned();
        if self.finish().is_some() || self.session.moves_played() >= MOST_MOVES {
            return None;
        }
        let clocks = self.clocks.as_ref();
        let clock = clocks.map(|clocks| clocks.of_player(side, Instant::now()));
        Some(Order {
            version: self.version,
            game: self.game,
            options: self.options.clone(),
            start: self.session.start_position(),
            moves: self.session.moves(),
            side,
            player,
            limits: Limits { clock, ..self.limits.limits() },
            seed: u64::from(self.seed) * 2 + side.index() as u64,
        })
    }

    /// A move of the human whose turn it is.
    pub fn play_human(&mut self, text: &str) -> Result<(), ApiError> {
        self.check_going()?;
        let side = self.turn();
        if let Some(player) = self.player(side) {
            let name = self.session.side_name(side);
            return Err(ApiError::conflict(format!("it is {name}'s turn, whom {player} plays")));
        }
        self.make(text)
    }

    /// A move of the player whose turn it is.
    pub fn make(&mut self, text: &str) -> Result<(), ApiError> {
        let side = self.turn();
        if self.session.moves_played() >= MOST_MOVES {
            return Err(ApiError::conflict(format!("the game has {MOST_MOVES} moves: no more")));
        }
        self.session.play(text)?;
        if let Some(clocks) = &mut self.clocks {
            clocks.press(side, Instant::now());
        }
        if self.draw_offer == Some(!side) {
            self.draw_offer = None;
        }
        self.fault = None;
        Ok(())
    }

    /// What the player that moved last thought.
    pub fn thought(&self) -> Option<&Analysis> {
        self.thought.as_deref()
    }

    /// The player to move makes the move it thought best.
    pub fn make_thought(&mut self, thought: Box<Analysis>) -> Result<(), ApiError> {
        self.make(thought.best.as_deref().unwrap_or_default())?;
        self.thought = Some(thought);
        Ok(())
    }

    fn check_going(&self) -> Result<(), ApiError> {
        match self.finish() {
            None => Ok(()),
            Some(finish) => {
                let ending = EndingView::new(&*self.session, finish);
                Err(ApiError::conflict(format!("the game is over: {}", ending.words())))
            }
        }
    }

    /// Takes back to the last turn of a human.
    pub fn undo(&mut self) -> Result<(), ApiError> {
        if self.decided.is_some_and(|finish| finish.reason == Reason::Time) {
            return Err(ApiError::conflict("time cannot be taken back"));
        }
        let turn = self.turn();
        let only_the_end = self.decided.is_some() && self.player(turn).is_none();
        if !only_the_end {
            for _ in 0..self.plies_to_undo()? {
                self.session.undo();
            }
            self.draw_offer = None;
            self.thought = None;
        }
        self.decided = None;
        self.fault = None;
        self.pass_clock_from(turn);
        Ok(())
    }

    /// How many plies back the last turn of a human is.
    fn plies_to_undo(&self) -> Result<usize, ApiError> {
        let mut turn = self.turn();
        for plies in 1..=self.session.moves_played() {
            turn = !turn;
            if self.player(turn).is_none() {
                return Ok(plies);
            }
        }
        Err(ApiError::conflict("no human has a move to take back"))
    }

    /// The side to move is another than `before`, who has thought until now.
    fn pass_clock_from(&mut self, before: Side) {
        let Some(clocks) = &mut self.clocks else { return };
        clocks.stop(before, Instant::now());
        if self.session.moves_played() > 0 {
            clocks.start(Instant::now());
        }
    }

    pub fn resign(&mut self, side: Side) -> Result<(), ApiError> {
        self.check_going()?;
        if let Some(player) = self.player(side) {
            let name = self.session.side_name(side);
            return Err(ApiError::conflict(format!(
                "{player} plays {name}: only a human resigns here"
            )));
        }
        self.decide(Outcome::Win(!side), Reason::Resignation);
        Ok(())
    }

    pub fn decide(&mut self, outcome: Outcome, reason: Reason) {
        self.decided = Some(Finish { outcome, reason, margin: None });
    }

    /// The flag of the side to move has fallen.
    pub fn fall(&mut self) {
        self.decide(Outcome::Win(!self.turn()), Reason::Time);
    }

    /// When that will be, if a clock runs.
    pub fn falls(&self) -> Option<Instant> {
        if self.finish().is_some() {
            return None;
        }
        self.clocks.as_ref()?.falls(self.turn())
    }

    pub fn has_clocks(&self) -> bool {
        self.clocks.is_some()
    }

    /// Whether clocks stand still that should run: those of a game that was loaded.
    pub fn is_halted(&self) -> bool {
        self.has_clocks()
            && self.session.moves_played() > 0
            && self.finish().is_none()
            && self.falls().is_none()
    }

    /// Halted clocks go on where they stood.
    pub fn go_on(&mut self) {
        if self.is_halted()
            && let Some(clocks) = &mut self.clocks
        {
            clocks.start(Instant::now());
        }
    }

    /// A human offers a draw or accepts one: `side`, or who is to move. Returns who has to answer, if
    /// it is a player.
    pub fn offer_draw(&mut self, side: Option<Side>) -> Result<Option<String>, ApiError> {
        self.check_going()?;
        let side = side.unwrap_or(self.turn());
        if let Some(player) = self.player(side) {
            let name = self.session.side_name(side);
            return Err(ApiError::conflict(format!(
                "{player} plays {name}: only a human offers draws here"
            )));
        }
        if let Some(player) = self.player(!side) {
            if side != self.turn() {
                let message = format!("it is the turn of {player}: wait for its move");
                return Err(ApiError::conflict(message));
            }
            return Ok(Some(player.to_owned()));
        }
        if self.draw_offer == Some(!side) {
            self.agree();
        } else {
            self.draw_offer = Some(side);
        }
        Ok(None)
    }

    /// The other human does not want the draw that is offered.
    pub fn decline_draw(&mut self) -> Result<(), ApiError> {
        self.check_going()?;
        match self.draw_offer.take() {
            Some(_) => Ok(()),
            None => Err(ApiError::conflict("no draw is offered: there is nothing to decline")),
        }
    }

    /// Answers an offer by what the player asked thinks: `score` is that of the side that offers.
    pub fn answer_draw(&mut self, score: Option<i32>) {
        let late = self.session.moves_played() >= EARLIEST_DRAW;
        if late && score.is_some_and(|score| score >= 0) {
            self.agree();
        }
    }

    fn agree(&mut self) {
        self.draw_offer = None;
        self.decide(Outcome::Draw, Reason::Agreement);
    }

    /// What lists show.
    pub fn summary(&self, updated: i64) -> Summary {
        Summary {
            id: self.id.clone(),
            game: self.session.game(),
            name: self.game.name().to_owned(),
            first: self.players[0].clone(),
            second: self.players[1].clone(),
            moves: self.session.moves_played(),
            ending: self.finish().map(|finish| EndingView::new(&*self.session, finish)),
            updated,
        }
    }

    pub fn view(&self) -> TableView {
        let session = &*self.session;
        let finish = self.finish();
        let now = Instant::now();
        let side = |side: Side| SideView {
            name: session.side_name(side),
            player: self.players[side.index()].clone(),
            clock_ms: self
                .clocks
                .as_ref()
                .map(|clocks| milliseconds(clocks.left(side, self.turn(), now))),
        };
        TableView {
            id: self.id.clone(),
            version: self.version,
            game: session.game(),
            game_name: self.game.name(),
            position: session.position(),
            start: session.start_position(),
            first_turn: session.first_turn().into(),
            turn: session.turn().into(),
            view: session.view().into(),
            last_cells: session.last_move_cells(),
            legal: match finish {
                Some(_) => Vec::new(),
                None => session.choices().into_iter().map(Into::into).collect(),
            },
            moves: played(session),
            sides: Sides { first: side(Side::First), second: side(Side::Second) },
            ending: finish.map(|finish| EndingView::new(session, finish)),
            thinking: self.thinking.then(|| session.turn().into()),
            draw_offer: self.draw_offer.filter(|_| finish.is_none()).map(Into::into),
            record_format: session.record_format().name(),
            seed: self.seed,
            limits: self.limits,
            error: self.fault.clone(),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A table in a list.
#[derive(Serialize, ToSchema)]
pub struct Summary {
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
