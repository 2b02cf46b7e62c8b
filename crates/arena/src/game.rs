//! One game between two seated players.

use crate::adjudicate::{Adjudication, Judge, Oracle};
use ludus_core::{Clock, Limits, Outcome, PlayerError, Reason, Side, TextError};
use ludus_formats::{Record, WriteOptions};
use ludus_players::{Analysis, Finish, Progress, Session, Turn};
use serde::{Deserialize, Serialize};
use std::{sync::atomic::AtomicBool, time::Duration};

/// How a game is to be played.
pub struct GameRules<'a> {
    /// How long players may think.
    pub limits: Limits,
    /// When it is stopped early.
    pub adjudication: &'a Adjudication,
    /// Who knows the value of some positions.
    pub oracle: Option<&'a dyn Oracle>,
    /// Told of every position as it comes up, the first one included.
    pub on_position: &'a dyn Fn(&dyn Session),
}

/// Where a game starts: a position, and moves played from it before the players take over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The position; the usual start if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// A draw or loss that is counted apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Drawn because it reached the longest permitted length.
    Forced,
    /// Drawn by repetition or without progress although one side was ahead in material or, by an
    /// oracle, won.
    Loop,
    /// Lost because a player broke a rule, crashed, hung or flooded.
    Forfeit,
    /// Lost on time.
    Time,
}

impl Category {
    /// All of them.
    pub const ALL: [Category; 4] =
        [Category::Forced, Category::Loop, Category::Forfeit, Category::Time];

    /// The name it is stored by, also shown. It never changes.
    pub fn id(self) -> &'static str {
        match self {
            Category::Forced => "forced",
            Category::Loop => "loop",
            Category::Forfeit => "forfeit",
            Category::Time => "time",
        }
    }

    /// The category stored as `id`.
    ///
    /// # Errors
    /// If no category has this id.
    pub fn from_id(id: &str) -> Result<Category, TextError> {
        Category::ALL.into_iter().find(|category| category.id() == id).ok_or_else(|| {
            let ids: Vec<&str> = Category::ALL.into_iter().map(Category::id).collect();
            TextError::whole("category", id, format!("one of {}", ids.join(", ")))
        })
    }
}

/// What a player spent on a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Moves it chose.
    pub moves: u64,
    /// Sum of the depths it reached.
    pub depth: u64,
    /// Positions or simulations.
    pub nodes: u64,
    /// Time.
    pub milliseconds: f64,
}

impl Effort {
    /// Adds what was spent elsewhere.
    pub fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.milliseconds += other.milliseconds;
    }

    /// Real time a move, to a tenth of a millisecond.
    pub fn milliseconds_a_move(&self) -> f64 {
        (self.milliseconds / self.moves.max(1) as f64 * 10.0).round() / 10.0
    }
}

/// A finished game.
pub struct GameReport {
    /// Every move from the start, the opening's included, in canonical text.
    pub moves: Vec<String>,
    /// How it ended.
    pub finish: Finish,
    /// Whether it is counted apart.
    pub category: Option<Category>,
    /// What a faulty player did.
    pub detail: Option<String>,
    /// What each side spent.
    pub efforts: [Effort; 2],
    /// The game as a record, with depth, score and time of every move as comments.
    pub record: Record,
    /// Its options for the writer.
    pub write_options: WriteOptions,
}

/// Plays a game from `opening` between the players seated in `session`.
///
/// # Errors
/// If the opening is not legal. Whatever the players do wrong only loses them the game.
pub fn play(
    session: &mut dyn Session,
    opening: &Opening,
    seeds: [u64; 2],
    rules: &GameRules<'_>,
    stop: &AtomicBool,
) -> Result<GameReport, TextError> {
    session.new_game(opening.position.as_deref(), seeds)?;
    for mv in &opening.moves {
        session.play(mv)?;
    }
    let mut state = Play {
        judge: Judge::new(rules.adjudication, rules.oracle),
        clocks: [rules.limits.clock; 2],
        efforts: [Effort::default(); 2],
        comments: vec![String::new(); opening.moves.len()],
        detail: None,
    };
    let finish = loop {
        (rules.on_position)(session);
        if let Some(finish) = session.ending() {
            break finish;
        }
        if let Some(finish) = state.next_move(session, rules, stop) {
            break finish;
        }
    };
    session.game_over(finish.outcome);
    let known_win = rules.oracle.and_then(|oracle| oracle.verdict(session));
    let won = known_win.is_some_and(|outcome| outcome != Outcome::Draw);
    Ok(state.report(session, finish, won))
}

struct Play<'a> {
    judge: Judge<'a>,
    clocks: [Option<Clock>; 2],
    efforts: [Effort; 2],
    comments: Vec<String>,
    detail: Option<String>,
}

impl Play<'_> {
    /// Lets the side to move move; the finish if that ends the game.
    fn next_move(
        &mut self,
        session: &mut dyn Session,
        rules: &GameRules<'_>,
        stop: &AtomicBool,
    ) -> Option<Finish> {
        let side = session.turn();
        let lost = |reason| Some(Finish { outcome: Outcome::Win(!side), reason, margin: None });
        let limits = Limits { clock: self.clocks[side.index()], ..rules.limits };
        let mut progress = Progress { limits, stop, on_report: &mut |_| {} };
        let analysis = match session.let_play(&mut progress) {
            Err(error) => {
                self.blame(&error);
                return lost(Reason::Forfeit);
            }
            Ok(Turn::Resigned) => return lost(Reason::Resignation),
            Ok(Turn::Moved(analysis)) => analysis,
        };
        // Another program's way to us and back is not its time.
        let used = Duration::from_secs_f64(analysis.seconds);
        self.note(side, &analysis, used);
        if !press(&mut self.clocks[side.index()], used) {
            return lost(Reason::Time);
        }
        let plies = session.moves_played() as u32;
        if session.ending().is_some() {
            return None;
        }
        self.judge.after_move(session, side, analysis.score, plies)
    }

    fn blame(&mut self, error: &PlayerError) {
        self.detail = Some(error.to_string());
    }

    fn note(&mut self, side: Side, analysis: &Analysis, used: Duration) {
        self.efforts[side.index()].add(&Effort {
            moves: 1,
            depth: analysis.depth.into(),
            nodes: analysis.nodes,
            milliseconds: used.as_secs_f64() * 1000.0,
        });
        let score = analysis.score.map(|score| format!("{:+.2}", f64::from(score) / 100.0));
        let clock = self.clocks[side.index()].map(|clock| {
            let left = clock.remaining.saturating_sub(used);
            format!(" clk {:.1}s", left.as_secs_f64())
        });
        self.comments.push(format!(
            "{}/{} {:.3}s{}",
            score.unwrap_or_else(|| "-".to_owned()),
            analysis.depth,
            used.as_secs_f64(),
            clock.unwrap_or_default()
        ));
    }

    /// The finished game; `won` if somebody knows that a side could have won it at the end.
    fn report(self, session: &dyn Session, finish: Finish, won: bool) -> GameReport {
        let mut record = session.record(Some(finish));
        let nodes: Vec<_> = record.main_line().collect();
        for (id, comment) in nodes.into_iter().zip(self.comments) {
            if !comment.is_empty() {
                record[id].comments.push(comment);
            }
        }
        let unequal = won || session.material().is_some_and(|material| material != 0);
        let category = match finish.reason {
            Reason::Length => Some(Category::Forced),
            Reason::Repetition | Reason::NoProgress if unequal => Some(Category::Loop),
            Reason::Time => Some(Category::Time),
            Reason::Forfeit => Some(Category::Forfeit),
            _ => None,
        };
        GameReport {
            moves: session.moves(),
            finish,
            category,
            detail: self.detail,
            efforts: self.efforts,
            record,
            write_options: WriteOptions { starts: Some(session.first_turn()), first_number: None },
        }
    }
}

/// Takes the time used from a clock; `false` if it has run out.
fn press(clock: &mut Option<Clock>, used: Duration) -> bool {
    let Some(clock) = clock else { return true };
    match clock.remaining.checked_sub(used) {
        Some(left) => {
            clock.remaining = left + clock.increment;
            true
        }
        None => false,
    }
}
