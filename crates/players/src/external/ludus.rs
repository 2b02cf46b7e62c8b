//! `ludus`: another program that speaks the Ludus protocol (`docs/PROTOCOL.md`), for every game: a
//! Ludus of another build, or a stranger's engine.
//!
//! The engine starts and introduces itself when the player is built. Which game is played must be said
//! before the first move; a position tells it, so that happens at the first move. As the `player`
//! option goes on to the engine, commas and all, none of the others has the name of a player's.

use super::process::{Engine, Program};
use crate::{
    Recipe, Roster,
    settings::{self, text},
};
use ludus_core::{
    Action, Choice, Fault, History, Limits, OptionSpec, Options, Player, PlayerError, Report,
    Score, TextError, Watch,
};
use ludus_formats::ludus::{self as protocol, Command, Decision, Go, Info, Reply};
use std::time::{Duration, Instant};

const OPTIONS: &[OptionSpec] = &[
    text("path", "ludus", "the program"),
    text("args", "engine", "its arguments, split at spaces"),
    text("player", "", "how it is to play, such as engine:nodes=300; none: as it likes"),
    text(
        "overhead",
        "0ms",
        "taken off the times it is told; the way there and back is not charged",
    ),
    text("handshake", "10s", "how long it may take to start and to get ready"),
    text("grace", "2s", "how long past its time it counts as late, and then as hanging"),
    text("patience", "60s", "how long it may take for a move without a time limit"),
    text("log", "", "a file to append all that is said to"),
];

/// The recipe, the same for every game.
pub fn recipe<P: Roster>() -> Recipe<P> {
    Recipe {
        id: "ludus",
        about: "another program: a Ludus of any build, or any engine that speaks its protocol",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(LudusPlayer::new(options, P::ID)?)),
    }
}

struct LudusPlayer {
    engine: Engine,
    settings: Settings,
    /// What it calls itself.
    name: String,
    /// What it calls its build, if it does.
    build: String,
    /// The game it was told of, with its options.
    game: Option<String>,
    seed: Option<u64>,
    /// What went wrong between two moves, to be told at the next.
    trouble: Option<PlayerError>,
}

struct Settings {
    player: String,
    overhead: Duration,
    handshake: Duration,
    grace: Duration,
    patience: Duration,
}

impl LudusPlayer {
    fn new(options: &Options, game: &str) -> Result<LudusPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let time = |name| Ok::<_, TextError>(settings::time(options, name)?.unwrap_or_default());
        let mut player = LudusPlayer {
            name: program.name().to_owned(),
            engine: Engine::new(program),
            settings: Settings {
                player: options.text("player").to_owned(),
                overhead: time("overhead")?,
                handshake: time("handshake")?,
                grace: time("grace")?,
                patience: time("patience")?,
            },
            build: String::new(),
            game: None,
            seed: None,
            trouble: None,
        };
        player.shake_hands(game)?;
        Ok(player)
    }

    fn deadline(&self) -> Option<Instant> {
        Some(Instant::now() + self.settings.handshake)
    }

    /// Starts the engine and hears whether it plays the game named `game`.
    fn shake_hands(&mut self, game: &str) -> Result<(), PlayerError> {
        self.engine.stop();
        self.game = None;
        self.engine.start()?;
        let result = self.hear_introduction(game);
        if result.is_err() {
            self.engine.stop();
        }
        result
    }

    fn hear_introduction(&mut self, game: &str) -> Result<(), PlayerError> {
        let deadline = self.deadline();
        let mut games = Vec::new();
        self.engine.ask(&Command::Ludus(protocol::VERSION).to_string())?;
        loop {
            match Reply::parse(&self.engine.read_line(deadline)?) {
                Some(Reply::Id { key, value }) if key == "name" && !value.is_empty() => {
                    self.name = value;
                }
                Some(Reply::Id { key, value }) if key == "build" => self.build = value,
                Some(Reply::Game { name, .. }) => games.push(name),
                Some(Reply::Ludus(protocol::VERSION)) => break,
                Some(Reply::Ludus(version)) => {
                    let what = format!("it speaks version {version} of the protocol, not 1");
                    return Err(self.engine.fault(Fault::Protocol, &what));
                }
                Some(Reply::Error(error)) => {
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
            // The game first: which players there are depends on it.
            self.wish(&Command::Game(game.to_owned()))?;
            self.wish(&Command::Player(self.settings.player.clone()))?;
        }
        Ok(())
    }

    /// Sends a command that an engine may refuse: its user then wants another engine or game.
    fn wish(&mut self, command: &Command) -> Result<(), PlayerError> {
        self.engine.ask(&command.to_string())?;
        match self.hear_pong()? {
            None => Ok(()),
            Some(error) => {
                let expected = format!("what {} accepts; it says {error:?}", self.name);
                Err(TextError::whole("command", &command.to_string(), expected).into())
            }
        }
    }

    /// Waits until the engine has done what it was told, which shows how long the way there and back
    /// is; what it complained of, if it did.
    fn hear_pong(&mut self) -> Result<Option<String>, PlayerError> {
        let deadline = self.deadline();
        self.engine.send(&Command::Ping.to_string())?;
        let departure = self.engine.departure();
        let mut complaint = None;
        loop {
            match Reply::parse(&self.engine.read_line(deadline)?) {
                Some(Reply::Pong) => break,
                Some(Reply::Error(error)) => complaint = complaint.or(Some(error)),
                _ => {}
            }
        }
        self.engine.note_round_trip(&departure);
        Ok(complaint)
    }

    /// Tells the engine which game it is, unless it knows.
    fn set_game(&mut self, game: String) -> Result<(), PlayerError> {
        if self.game.as_ref() == Some(&game) {
            return Ok(());
        }
        self.wish(&Command::Game(game.clone()))?;
        if let Some(seed) = self.seed {
            self.wish(&Command::NewGame { seed })?;
        }
        self.game = Some(game);
        Ok(())
    }

    /// Asks for a move and listens until it comes; `stop` makes it come sooner.
    fn think<P: Roster>(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.engine.ask(&position_command(game).to_string())?;
        if let Some(error) = self.hear_pong()? {
            let what = format!("it refused the position: {error}");
            return Err(self.engine.fault(Fault::Protocol, &what));
        }
        let mut deadline = Instant::now() + self.allowance(limits);
        let go = go_command(limits, self.settings.overhead);
        self.engine.send(&Command::Go(go).to_string())?;
        let departure = self.engine.departure();
        let mut report = Report::default();
        let (mut told_to_stop, mut complaint) = (false, None);
        loop {
            let line = if told_to_stop {
                Some(self.engine.read_line(Some(deadline))?)
            } else {
                self.engine.read_line_unless(Some(deadline), watch.stop)?
            };
            let Some(line) = line else {
                told_to_stop = true;
                deadline = Instant::now() + self.settings.grace;
                self.engine.send(&Command::Stop.to_string())?;
                continue;
            };
            match Reply::parse(&line) {
                Some(Reply::Info(info)) if hear(game.last(), &info, &mut report) => {
                    (watch.on_report)(&report);
                }
                Some(Reply::Error(error)) => complaint = Some(error),
                Some(Reply::BestMove(decision)) => {
                    report.time = Some(self.engine.charge(&departure));
                    return self.choice(game.last(), decision, report, complaint);
                }
                _ => {}
            }
        }
    }

    /// How long to wait for the move before the engine counts as hanging.
    fn allowance(&self, limits: &Limits) -> Duration {
        let clock = limits.clock.map(|clock| clock.remaining);
        match limits.time.into_iter().chain(clock).min() {
            Some(time) => time + self.settings.grace,
            None => self.settings.patience,
        }
    }

    /// What the engine decided, its move checked.
    fn choice<P: Roster>(
        &mut self,
        position: &P,
        decision: Decision,
        mut report: Report<P::Move>,
        complaint: Option<String>,
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
            Decision::None => match complaint {
                Some(error) => format!("it gave no move: {error}"),
                None => "it gave no move".to_owned(),
            },
        };
        Err(self.engine.fault(Fault::IllegalMove, &what))
    }

    /// Prepares for another game; fails if the engine has ended.
    fn announce_game(&mut self, seed: u64) -> Result<(), PlayerError> {
        if self.game.is_none() {
            return self.hear_pong().map(drop);
        }
        self.wish(&Command::NewGame { seed })
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
        // An engine that ended since its last move has not done so in this game: start another.
        if self.engine.is_running() && self.announce_game(seed).is_ok() {
            return;
        }
        self.trouble = self.shake_hands(P::ID).err();
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        if !self.engine.is_running() {
            self.shake_hands(P::ID)?;
        }
        self.set_game(game.start().game_text())?;
        self.think(game, limits, watch)
    }
}

/// The start and all moves, so that the engine sees repetitions.
fn position_command<P: Roster>(game: &History<P>) -> Command {
    let text = game.start().text();
    let usual = usual_start::<P>(&game.start().game_text());
    let positions = game.positions().iter();
    let moves = positions.zip(game.moves()).map(|(position, &mv)| position.move_text(mv));
    Command::Position {
        start: (usual.as_ref() != Some(&text)).then_some(text),
        moves: moves.collect(),
    }
}

/// The position that the game named by `text` starts from.
fn usual_start<P: Roster>(text: &str) -> Option<String> {
    let options = Options::parse(text, P::OPTIONS).ok()?;
    Some(P::start(&options).ok()?.text())
}

/// The limits as the protocol says them.
fn go_command(limits: &Limits, overhead: Duration) -> Go {
    // A clock that has run out is still a clock.
    let told = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
    let Limits { depth, nodes, time, clock } = *limits;
    Go {
        depth,
        nodes,
        time: time.map(told),
        clock: clock.map(|clock| told(clock.remaining)),
        increment: clock.map(|clock| clock.increment).filter(|increment| !increment.is_zero()),
        moves: clock.and_then(|clock| clock.moves_to_go),
    }
}

/// Takes in a report; whether ours got better by it.
fn hear<P: Roster>(position: &P, info: &Info, report: &mut Report<P::Move>) -> bool {
    report.nodes = info.nodes.unwrap_or(report.nodes);
    report.depth = info.depth.unwrap_or(report.depth);
    let Some(score) = info.score else { return false };
    report.score = Some(match score {
        protocol::Score::Hundredths(hundredths) => Score::evaluation(hundredths),
        protocol::Score::Win(plies) => win_in(plies),
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

/// The score of a game that is decided in so many plies; wild numbers must not leave the scale.
fn win_in(plies: i32) -> Score {
    const FARTHEST: i32 = Score::WIN.0 - Score::EVAL_MAX.0 - 1;
    let distance = plies.saturating_abs().min(FARTHEST);
    if plies > 0 { Score(Score::WIN.0 - distance) } else { Score(distance - Score::WIN.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GAMES, external};
    use ludus_core::{Clock, Notation, Position};
    use ludus_games::{draughts::Draughts, go::Go as GoGame, split_nim::SplitNim};

    #[test]
    fn options_of_players_can_be_told_from_ours() {
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
    fn games_are_told_with_what_makes_their_rules() {
        fn check<P: Roster + std::fmt::Debug>(spec: &str, told: &str) {
            let start = P::start(&Options::parse(spec, P::OPTIONS).unwrap()).unwrap();
            assert_eq!(start.game_text(), told, "{spec}");
            let again = Options::parse(told, P::OPTIONS).unwrap();
            assert_eq!(P::parse(&again, &start.text()).as_ref(), Ok(&start), "{spec}");
            assert_eq!(P::parse(&again, &start.text()).unwrap().game_text(), told, "{spec}");
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
    fn positions_that_are_no_start_are_told_in_full() {
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
    fn times_are_told_as_they_are() {
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
    fn wild_distances_stay_wins_and_losses() {
        assert_eq!((win_in(5).win_in(), win_in(-4).win_in()), (Some(5), Some(-4)));
        for wild in [i32::MAX, i32::MIN, 0] {
            assert!(win_in(wild).win_in().is_some(), "{wild}");
        }
    }
}
