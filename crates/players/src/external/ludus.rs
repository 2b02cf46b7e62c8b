//! `ludus`: another program that speaks the Ludus protocol (`docs/PROTOCOL.md`), for every game: a
//! Ludus of another build, or any other engine.
//!
//! The engine starts and introduces itself when the player is built. The game is set at the first move,
//! when its options are known. The value of the `player` option is passed to the engine with its
//! commas, so no other option here may have the name of a player's option.

use super::timing::{EngineTimes, GRACE, HANDSHAKE, LOG, PATIENCE};
use super::{process::EngineProcess, program::Program};
use crate::{PlayerRecipe, Roster, settings::text};
use ludus_core::{
    Action, Choice, Fault, History, Limits, OptionSpec, Options, Player, PlayerError, Report,
    Score, SearchControl, TextError,
};
use ludus_formats::ludus::{
    self as protocol, Decision, LudusCommand, LudusGo, LudusInfo, LudusReply,
};
use std::time::{Duration, Instant};

const OPTIONS: &[OptionSpec] = &[
    text("path", "ludus", "the program"),
    text("args", "engine", "its arguments, split at spaces"),
    text("player", "", "the player it runs, such as engine:nodes=300; empty: its default"),
    text(
        "overhead",
        "0ms",
        "subtracted from the times it is given; the communication time is not charged",
    ),
    HANDSHAKE,
    GRACE,
    PATIENCE,
    LOG,
];

/// The recipe, the same for every game.
pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "ludus",
        about: "an external engine, by the Ludus protocol: a Ludus of any build or any other program",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(LudusPlayer::new(options, P::ID)?)),
    }
}

struct LudusPlayer {
    engine: EngineProcess,
    settings: Settings,
    /// Its name, as it reports it.
    name: String,
    /// Its build, if it reports one.
    build: String,
    /// The game it was set to, with its options.
    game: Option<String>,
    seed: Option<u64>,
    /// An error between two moves, to be returned at the next.
    pending_error: Option<PlayerError>,
}

struct Settings {
    player: String,
    times: EngineTimes,
}

impl LudusPlayer {
    fn new(options: &Options, game: &str) -> Result<LudusPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let mut player = LudusPlayer {
            name: program.name().to_owned(),
            engine: EngineProcess::new(program),
            settings: Settings {
                player: options.text("player").to_owned(),
                times: EngineTimes::new(options)?,
            },
            build: String::new(),
            game: None,
            seed: None,
            pending_error: None,
        };
        player.handshake(game)?;
        Ok(player)
    }

    fn deadline(&self) -> Option<Instant> {
        Some(Instant::now() + self.settings.times.handshake_timeout)
    }

    /// Starts the engine and checks that it plays the game named `game`.
    fn handshake(&mut self, game: &str) -> Result<(), PlayerError> {
        self.engine.stop();
        self.game = None;
        self.engine.start()?;
        let result = self.read_introduction(game);
        if result.is_err() {
            self.engine.stop();
        }
        result
    }

    fn read_introduction(&mut self, game: &str) -> Result<(), PlayerError> {
        let deadline = self.deadline();
        let mut games = Vec::new();
        self.engine.ask(&LudusCommand::Ludus(protocol::VERSION).to_string())?;
        loop {
            match LudusReply::parse(&self.engine.read_line(deadline)?) {
                Some(LudusReply::Id { key, value }) if key == "name" && !value.is_empty() => {
                    self.name = value;
                }
                Some(LudusReply::Id { key, value }) if key == "build" => self.build = value,
                Some(LudusReply::Game { name, .. }) => games.push(name),
                Some(LudusReply::Ludus(protocol::VERSION)) => break,
                Some(LudusReply::Ludus(version)) => {
                    let what = format!("it speaks version {version} of the protocol, not 1");
                    return Err(self.engine.fault(Fault::Protocol, &what));
                }
                Some(LudusReply::Error(error)) => {
                    let what = format!("it did not introduce itself: {error}");
                    return Err(self.engine.fault(Fault::Protocol, &what));
                }
                _ => {}
            }
        }
        if !games.iter().any(|known| known == game) {
            let expected = format!("one {} plays: {}", self.name, games.join(", "));
            return Err(TextError::whole("game", game, expected).into());
        }
        if !self.settings.player.is_empty() {
            // The game first, because the players depend on it.
            self.request(&LudusCommand::Game(game.to_owned()))?;
            self.request(&LudusCommand::Player(self.settings.player.clone()))?;
        }
        Ok(())
    }

    /// Sends a command that an engine may refuse, which is then an error in the user's input.
    fn request(&mut self, command: &LudusCommand) -> Result<(), PlayerError> {
        self.engine.ask(&command.to_string())?;
        match self.read_pong()? {
            None => Ok(()),
            Some(error) => {
                let expected = format!("what {} accepts; it says {error:?}", self.name);
                Err(TextError::whole("command", &command.to_string(), expected).into())
            }
        }
    }

    /// Waits until the engine has handled its commands, and records the round trip; returns its error
    /// message, if any.
    fn read_pong(&mut self) -> Result<Option<String>, PlayerError> {
        let deadline = self.deadline();
        self.engine.send(&LudusCommand::Ping.to_string())?;
        let sent = self.engine.last_send_time();
        let mut error_message = None;
        loop {
            match LudusReply::parse(&self.engine.read_line(deadline)?) {
                Some(LudusReply::Pong) => break,
                Some(LudusReply::Error(error)) => error_message = error_message.or(Some(error)),
                _ => {}
            }
        }
        self.engine.record_round_trip(&sent);
        Ok(error_message)
    }

    /// Sets the game of the engine, unless it is set already.
    fn set_game(&mut self, game: String) -> Result<(), PlayerError> {
        if self.game.as_ref() == Some(&game) {
            return Ok(());
        }
        self.request(&LudusCommand::Game(game.clone()))?;
        if let Some(seed) = self.seed {
            self.request(&LudusCommand::NewGame { seed })?;
        }
        self.game = Some(game);
        Ok(())
    }

    /// Requests a move and reads until it comes; `stop` makes the engine move at once.
    fn think<P: Roster>(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.engine.ask(&position_command(game).to_string())?;
        if let Some(error) = self.read_pong()? {
            let what = format!("it refused the position: {error}");
            return Err(self.engine.fault(Fault::Protocol, &what));
        }
        let mut deadline = Instant::now() + self.settings.times.max_wait(limits);
        let go = go_command(limits, self.settings.times.overhead);
        self.engine.send(&LudusCommand::Go(go).to_string())?;
        let sent = self.engine.last_send_time();
        let mut report = Report::default();
        let (mut stop_sent, mut error_message) = (false, None);
        loop {
            let line = if stop_sent {
                Some(self.engine.read_line(Some(deadline))?)
            } else {
                self.engine.read_line_unless(Some(deadline), control.stop)?
            };
            let Some(line) = line else {
                stop_sent = true;
                deadline = Instant::now() + self.settings.times.grace;
                self.engine.send(&LudusCommand::Stop.to_string())?;
                continue;
            };
            match LudusReply::parse(&line) {
                Some(LudusReply::Info(info)) if read_info(game.last(), &info, &mut report) => {
                    (control.on_report)(&report);
                }
                Some(LudusReply::Error(error)) => error_message = Some(error),
                Some(LudusReply::BestMove(decision)) => {
                    report.time = Some(self.engine.charged_time(&sent));
                    return self.choice(game.last(), decision, report, error_message);
                }
                _ => {}
            }
        }
    }

    /// The engine's choice, its move checked.
    fn choice<P: Roster>(
        &mut self,
        position: &P,
        decision: Decision,
        mut report: Report<P::Move>,
        error_message: Option<String>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let what = match decision {
            Decision::Resign => return Ok(Choice { action: Action::Resign, report }),
            Decision::Move(text) => match position.parse_move(&text) {
                Ok(mv) => {
                    if report.line.first() != Some(&mv) {
                        report.line = vec![mv];
                    }
                    return Ok(Choice::play(mv, report));
                }
                Err(_) => format!("it played {text:?} in {}", position.text()),
            },
            Decision::None => match error_message {
                Some(error) => format!("it gave no move: {error}"),
                None => "it gave no move".to_owned(),
            },
        };
        Err(self.engine.fault(Fault::IllegalMove, &what))
    }

    /// Prepares for another game; fails if the engine has ended.
    fn announce_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if self.game.is_none() {
            return self.read_pong().map(drop);
        }
        self.request(&LudusCommand::NewGame { seed })
    }
}

impl<P: Roster> Player<P> for LudusPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn external_build(&self) -> Option<String> {
        let settings = format!("{};{}", self.settings.player, self.build);
        Some(self.engine.program().build(&self.name, &settings))
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = Some(seed);
        // An engine that exited after its last move did not crash in this game: start it again.
        if self.engine.is_running() && self.announce_game(seed).is_ok() {
            return;
        }
        self.pending_error = self.handshake(P::ID).err();
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        if let Some(pending_error) = self.pending_error.take() {
            return Err(pending_error);
        }
        if !self.engine.is_running() {
            self.handshake(P::ID)?;
        }
        self.set_game(game.start().game_text())?;
        self.think(game, limits, control)
    }
}

/// The start position and all moves, so that the engine sees repetitions.
fn position_command<P: Roster>(game: &History<P>) -> LudusCommand {
    let text = game.start().text();
    let usual = usual_start::<P>(&game.start().game_text());
    let positions = game.positions().iter();
    let moves = positions.zip(game.moves()).map(|(position, &mv)| position.move_text(mv));
    LudusCommand::Position {
        start: (usual.as_ref() != Some(&text)).then_some(text),
        moves: moves.collect(),
    }
}

/// The position that the game named by `text` starts from.
fn usual_start<P: Roster>(text: &str) -> Option<String> {
    let options = Options::parse(text, P::OPTIONS).ok()?;
    Some(P::start(&options).ok()?.text())
}

/// The limits as the protocol expresses them.
fn go_command(limits: &Limits, overhead: Duration) -> LudusGo {
    // A clock that has run out is still a clock.
    let given = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
    let Limits { depth, nodes, time, clock } = *limits;
    LudusGo {
        depth,
        nodes,
        time: time.map(given),
        clock: clock.map(|clock| given(clock.remaining)),
        increment: clock.map(|clock| clock.increment).filter(|increment| !increment.is_zero()),
        moves: clock.and_then(|clock| clock.moves_to_go),
    }
}

/// Adds an info line to the report; true if it has a score.
fn read_info<P: Roster>(position: &P, info: &LudusInfo, report: &mut Report<P::Move>) -> bool {
    report.nodes = info.nodes.unwrap_or(report.nodes);
    report.depth = info.depth.unwrap_or(report.depth);
    let Some(score) = info.score else { return false };
    report.score = Some(match score {
        protocol::LudusScore::Hundredths(hundredths) => Score::evaluation(hundredths),
        protocol::LudusScore::Win(plies) => win_in(plies),
    });
    let mut position = position.clone();
    let line = info.pv.iter().map_while(|text| {
        let mv = position.parse_move(text).ok()?;
        position.play(mv);
        Some(mv)
    });
    report.line = line.collect();
    true
}

/// The score of a win in `plies`, or of a loss if negative; absurd numbers stay on the scale.
fn win_in(plies: i32) -> Score {
    const MAX_DISTANCE: i32 = Score::WIN.0 - Score::EVAL_MAX.0 - 1;
    let distance = plies.saturating_abs().min(MAX_DISTANCE);
    if plies > 0 { Score(Score::WIN.0 - distance) } else { Score(distance - Score::WIN.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GAMES, external};
    use ludus_core::{Clock, Notation, Position};
    use ludus_games::{draughts::Draughts, go::Go as GoGame, split_nim::SplitNim};

    #[test]
    fn no_option_has_the_name_of_a_players_option() {
        for (id, _, options) in GAMES.iter().flat_map(|game| game.players()) {
            for option in options.iter().filter(|_| !external::IDS.contains(&id)) {
                let ours = OPTIONS.iter().any(|own| own.name == option.name);
                assert!(!ours, "player=X would lose its option {}", option.name);
            }
        }
        let spec = "ludus:path=a b,player=engine:nodes=300,table=4MB,log=x";
        let options = Options::parse(spec, OPTIONS).unwrap();
        assert_eq!(options.text("player"), "engine:nodes=300,table=4MB");
    }

    #[test]
    fn games_are_sent_with_the_options_of_their_rules() {
        fn check<P: Roster + std::fmt::Debug>(spec: &str, sent: &str) {
            let start = P::start(&Options::parse(spec, P::OPTIONS).unwrap()).unwrap();
            assert_eq!(start.game_text(), sent, "{spec}");
            let again = Options::parse(sent, P::OPTIONS).unwrap();
            assert_eq!(P::parse(&again, &start.text()).as_ref(), Ok(&start), "{spec}");
            assert_eq!(P::parse(&again, &start.text()).unwrap().game_text(), sent, "{spec}");
        }
        check::<Draughts>("draughts", "draughts");
        check::<Draughts>("draughts:rules=russian", "draughts:rules=russian");
        check::<SplitNim>("split-nim:coins=9", "split-nim:coins=9");
        check::<GoGame>("go", "go");
        check::<GoGame>("go:size=9,handicap=2", "go:size=9,komi=0.5");
        check::<GoGame>("go:size=9,rules=japanese", "go:size=9,rules=japanese");
        let odd = "go:komi=3.5,ko=simple,suicide=on,scoring=area";
        check::<GoGame>(odd, odd);
    }

    #[test]
    fn positions_other_than_the_start_are_sent_in_full() {
        let start = |spec| GoGame::start(&Options::parse(spec, GoGame::OPTIONS).unwrap()).unwrap();
        let mut game = History::new(start("go:size=5"));
        game.push(game.last().parse_move("C3").unwrap());
        assert_eq!(position_command(&game).to_string(), "position start moves C3");
        let game = History::new(game.last().clone());
        let said = position_command(&game).to_string();
        assert_eq!(said, format!("position {}", game.last().text()));
        let handicap = History::new(start("go:size=9,handicap=2"));
        assert!(position_command(&handicap).to_string().starts_with("position 9/"));
        assert!(handicap.last().outcome().is_none());
    }

    #[test]
    fn times_are_sent_unchanged() {
        let said = |limits| go_command(&limits, Duration::ZERO).to_string();
        assert_eq!(said(Limits::default()), "go");
        let time = Some(Duration::from_millis(100));
        assert_eq!(
            said(Limits { time, nodes: Some(9), ..Limits::default() }),
            "go nodes 9 time 100"
        );
        let (remaining, increment) = (Duration::from_secs(5), Duration::from_millis(50));
        let clock = Some(Clock { remaining, increment, moves_to_go: None });
        assert_eq!(said(Limits { clock, ..Limits::default() }), "go clock 5000 increment 50");
    }

    #[test]
    fn absurd_distances_stay_wins_and_losses() {
        assert_eq!((win_in(5).win_in(), win_in(-4).win_in()), (Some(5), Some(-4)));
        for wild in [i32::MAX, i32::MIN, 0] {
            assert!(win_in(wild).win_in().is_some(), "{wild}");
        }
    }
}
