//! A game in progress with the game's type erased: text in, text out.

use crate::{Moment, Resources, Roster, ShownMove, TraceDocument, records, roster, shown, trace};
use ludus_core::{
    Action, BoardView, Choice, History, Limits, Margin, MoveReport, Notation, Options, Outcome,
    Player, PlayerError, Proof, RankedLine, Reason, Report, Score, Side, TableReport, TextError,
    Watch, ending::moves_to_end,
};
use ludus_formats::{Color, Format, Record};
use serde::Serialize;
use std::{sync::atomic::AtomicBool, time::Instant};

/// A game in progress, whichever game it is.
pub trait Session: Send {
    /// The game with its options, such as `go:size=9`.
    fn game(&self) -> String;
    /// How games of this kind are saved.
    fn record_format(&self) -> Format;
    /// The game so far, to be saved; `finish` goes before the [`ending`](Session::ending).
    fn record(&self, finish: Option<Finish>) -> Record;
    /// The side records call White.
    fn white(&self) -> Side;
    /// The position the game started from.
    fn start_position(&self) -> String;
    /// The current position.
    fn position(&self) -> String;
    /// The board to draw.
    fn view(&self) -> BoardView;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The side that moved first in this game.
    fn first_turn(&self) -> Side;
    /// What a side is called.
    fn side_name(&self, side: Side) -> &'static str;
    /// A score as people of this game read it.
    fn score_words(&self, score: Score) -> String;
    /// The legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// The legal moves, to be shown.
    fn choices(&self) -> Vec<ShownMove>;
    /// The moves so far, to be shown.
    fn played(&self) -> Vec<ShownMove>;
    /// The moves of a line that starts here, to be shown, up to the first that is not legal.
    fn line(&self, moves: &[String]) -> Vec<ShownMove>;
    /// The game after `ply` moves, if it has so many.
    fn moment(&self, ply: usize) -> Option<Moment>;
    /// How many moves have been played.
    fn moves_played(&self) -> usize;
    /// The moves so far, as the command line writes them.
    fn moves(&self) -> Vec<String>;
    /// The moves so far, as game records write them.
    fn record_moves(&self) -> Vec<String>;
    /// The cells the last move touched.
    fn last_move_cells(&self) -> Vec<usize>;
    /// By how much the first side is ahead in material, in games that have it.
    fn material(&self) -> Option<i32>;
    /// Clears the board for another game, from the start or from the position given as text. The
    /// players keep their seats; their part of `seeds` decides everything random they do.
    fn new_game(&mut self, position: Option<&str>, seeds: [u64; 2]) -> Result<(), TextError>;
    /// Lets the players change seats.
    fn swap_seats(&mut self);
    /// Plays a move given as text; returns its canonical text.
    fn play(&mut self, mv: &str) -> Result<String, TextError>;
    /// Takes back one move.
    fn undo(&mut self) -> bool;
    /// How the game ended, once it has.
    fn ending(&self) -> Option<Finish>;
    /// Gives `player`, such as `minimax:depth=3`, the seat of `side`.
    fn seat(&mut self, side: Side, player: &str, resources: &Resources) -> Result<(), PlayerError>;
    /// Lets the player seated at the side to move make its move.
    fn let_play(&mut self, progress: &mut Progress<'_>) -> Result<Turn, PlayerError>;
    /// Asks the player seated at the side to move what the `lines` best moves are worth, without playing.
    fn let_analyze(
        &mut self,
        lines: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError>;
    /// Asks a fresh `player` what it would play in the current position, without playing.
    fn analyze(
        &self,
        player: &str,
        resources: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError>;
    /// Asks a fresh `player` what the `lines` best moves are worth. One that solves positions judges every
    /// move, however long that takes within the limits.
    fn analyze_lines(
        &self,
        player: &str,
        lines: usize,
        resources: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError>;
    /// Asks for its move on one thread, with a record of the search: at most `size` visits or simulations.
    fn trace(
        &self,
        player: &str,
        size: usize,
        resources: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError>;
    /// Tells the seated players that the game is over.
    fn game_over(&mut self, outcome: Outcome);
}

/// The caller's end of a thinking player: its limits, a flag that stops it, an ear for its reports.
pub struct Progress<'a> {
    /// When to stop.
    pub limits: Limits,
    /// Raised to stop now.
    pub stop: &'a AtomicBool,
    /// Called with every report.
    pub on_report: &'a mut dyn FnMut(&Analysis),
}

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Finish {
    /// Who won.
    pub outcome: Outcome,
    /// Why it is over.
    pub reason: Reason,
    /// The first side's lead in points, in games that count them.
    pub margin: Option<f32>,
}

impl Finish {
    /// The result in words, such as "White wins by checkmate", or "White (greedy) wins by checkmate"
    /// if `players` tells who they are.
    pub fn words(&self, session: &dyn Session, players: Option<&[String; 2]>) -> String {
        let Outcome::Win(side) = self.outcome else { return format!("A draw {}", self.reason) };
        let name = session.side_name(side);
        let player = players.map(|players| format!(" ({})", players[side.index()]));
        // Crosses and Noughts are many.
        let verb = if name.ends_with('s') { "win" } else { "wins" };
        let points = self.margin.map(|margin| format!(" by {} points", margin.abs()));
        let (player, points) = (player.unwrap_or_default(), points.unwrap_or_default());
        format!("{name}{player} {verb}{points} {}", self.reason)
    }
}

/// What a seated player did.
#[derive(Clone, Debug)]
pub enum Turn {
    /// It made the move the analysis calls best.
    Moved(Box<Analysis>),
    /// It gave up.
    Resigned,
}

/// What a player thinks of a position. Serialised, it is the JSON of `ludus analyze`.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The game with its options.
    pub game: String,
    /// The position.
    pub position: String,
    /// The player asked.
    pub player: String,
    /// The move it would make; `None` if it would resign.
    pub best: Option<String>,
    /// The cells of that move.
    pub best_cells: Vec<usize>,
    /// Its score in hundredths for the side to move, if it judges.
    pub score: Option<i32>,
    /// The same as people read it: `+0.35`, `wins in 5 plies`, in chess `wins in 3 moves`; empty if it
    /// does not judge.
    pub score_words: String,
    /// Plies to a proven end of the game: positive if the side to move wins.
    pub win: Option<i32>,
    /// Whether the score is the value of the game and no estimate.
    pub proven: bool,
    /// Whether a proof was looked for.
    #[serde(skip)]
    pub proof: Proof,
    /// The final count, if it is proved.
    pub margin: Option<FinalMargin>,
    /// Completed depth.
    pub depth: u32,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Positions evaluated at the horizon.
    pub leaves: u64,
    /// Time taken: what a clock charges for the move.
    pub seconds: f64,
    /// The line it expects.
    pub pv: Vec<String>,
    /// The same as game records write it.
    pub pv_labels: Vec<String>,
    /// What it thinks of each move, if it tells.
    pub moves: Vec<MoveScore>,
    /// What its transposition table did, if it has one.
    pub table: Option<TableUse>,
}

/// By how much the first side is ahead at the end of the game.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct FinalMargin {
    /// On the board alone.
    pub board: f32,
    /// With all that the rules add, such as komi.
    pub total: f32,
}

impl FinalMargin {
    /// In words, such as "Black by 9 on the board, Black by 1.5 in all".
    pub fn text(&self, session: &dyn Session) -> String {
        let lead = |margin: f32| {
            if margin == 0.0 {
                return "a draw".to_owned();
            }
            let side = if margin > 0.0 { Side::First } else { Side::Second };
            format!("{} by {}", session.side_name(side), margin.abs())
        };
        if self.board == self.total {
            return lead(self.total);
        }
        format!("{} on the board, {} in all", lead(self.board), lead(self.total))
    }
}

impl From<Margin> for FinalMargin {
    fn from(Margin { board, total }: Margin) -> FinalMargin {
        FinalMargin { board, total }
    }
}

/// How a transposition table served a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableUse {
    /// Places for positions.
    pub capacity: u64,
    /// Places in use.
    pub used: u64,
    /// Lookups.
    pub probes: u64,
    /// Lookups that found the position.
    pub hits: u64,
    /// Lookups that made a search needless.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over those of other positions.
    pub overwrites: u64,
    /// Entries not kept, because others were worth more.
    pub lost: u64,
}

impl From<TableReport> for TableUse {
    fn from(report: TableReport) -> TableUse {
        let TableReport { capacity, used, probes, hits, cutoffs, stores, overwrites, lost } =
            report;
        TableUse { capacity, used, probes, hits, cutoffs, stores, overwrites, lost }
    }
}

/// What a player thinks of one move.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MoveScore {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score for the side to move.
    pub score: Option<i32>,
    /// How often it was tried.
    pub visits: u64,
    /// Its place among the best moves from 1 on, if it has a line.
    pub rank: Option<usize>,
    /// The line it leads to, itself first; empty if there is none.
    pub pv: Vec<String>,
    /// The score as people read it; empty if it was not judged.
    pub score_words: String,
    /// Plies to a proven end of the game: positive if the side to move wins.
    pub win: Option<i32>,
    /// Whether the score is the value of the game and no estimate.
    pub proven: bool,
    /// The final count after this move, if it is proved.
    pub margin: Option<FinalMargin>,
}

/// The one implementation of [`Session`], for every game.
pub(crate) struct Table<P: Roster> {
    options: Options,
    game: History<P>,
    seats: [Option<Seat<P>>; 2],
}

struct Seat<P: Roster> {
    spec: String,
    player: Box<dyn Player<P>>,
}

/// What a player says to a question.
type Answer<M> = Result<Choice<M>, PlayerError>;

impl<P: Roster> Seat<P> {
    fn new(spec: &str, resources: &Resources) -> Result<Seat<P>, PlayerError> {
        Ok(Seat { spec: spec.to_owned(), player: roster::build(spec, resources)? })
    }

    /// Lets the player think about `game` and puts what it says into words.
    fn think(
        &mut self,
        game: &History<P>,
        name: &str,
        progress: &mut Progress<'_>,
    ) -> Result<(Action<P::Move>, Analysis), PlayerError> {
        self.ask(game, name, progress, |player, limits, watch| player.choose(game, limits, watch))
    }

    /// Asks the player what the best moves of `game` are worth.
    fn analyze(
        &mut self,
        game: &History<P>,
        name: &str,
        lines: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError> {
        let (_, analysis) = self.ask(game, name, progress, |player, limits, watch| {
            player.analyze(game, limits, lines.max(1), watch)
        })?;
        Ok(analysis)
    }

    /// Asks the player something about `game` and puts what it says into words.
    fn ask(
        &mut self,
        game: &History<P>,
        name: &str,
        progress: &mut Progress<'_>,
        question: impl FnOnce(&mut dyn Player<P>, &Limits, &mut Watch<'_, P::Move>) -> Answer<P::Move>,
    ) -> Result<(Action<P::Move>, Analysis), PlayerError> {
        let started = Instant::now();
        let spec = &self.spec;
        let mut ahead = None;
        let mut in_words =
            |report: &Report<P::Move>| describe(game, &mut ahead, name, spec, report, started);
        let on_report = &mut *progress.on_report;
        let mut listen = |report: &Report<P::Move>| on_report(&in_words(report));
        let mut watch = Watch { stop: progress.stop, on_report: &mut listen };
        let choice = question(&mut *self.player, &progress.limits, &mut watch)?;
        let mut analysis = in_words(&choice.report);
        let best = match choice.action {
            Action::Play(mv) => Some(shown::shown(game.last(), mv)),
            Action::Resign => None,
        };
        analysis.best_cells = best.as_ref().map_or_else(Vec::new, |best| best.cells.clone());
        analysis.best = best.map(|best| best.mv);
        Ok((choice.action, analysis))
    }
}

fn score_words<P: Notation>(score: Score) -> String {
    if P::WINS_IN_MOVES { score.in_moves() } else { score.to_string() }
}

/// A report with its moves as text, its line up to the end of the game. `ahead` is a copy of the game
/// to play lines in, made when one is needed.
fn describe<P: Roster>(
    game: &History<P>,
    ahead: &mut Option<History<P>>,
    name: &str,
    spec: &str,
    report: &Report<P::Move>,
    started: Instant,
) -> Analysis {
    let root = game.last();
    let mut position = root.clone();
    let mut length = |line: &[P::Move]| match line.len() {
        short @ (0 | 1) => short,
        _ => moves_to_end(ahead.get_or_insert_with(|| game.clone()), line),
    };
    let ranked: Vec<Vec<String>> = report
        .lines
        .iter()
        .map(|ranked| line_text(root, &ranked.line[..length(&ranked.line)]))
        .collect();
    let length = length(&report.line);
    let mut line = Vec::with_capacity(length);
    for &mv in &report.line[..length] {
        line.push(shown::shown(&position, mv));
        position.play(mv);
    }
    let best = line.first().cloned();
    let pv: Vec<String> = line.iter().map(|mv| mv.mv.clone()).collect();
    let ranked = if ranked.is_empty() { vec![pv.clone()] } else { ranked };
    Analysis {
        game: name.to_owned(),
        position: root.text(),
        player: spec.to_owned(),
        best_cells: best.as_ref().map_or_else(Vec::new, |best| best.cells.clone()),
        best: best.map(|best| best.mv),
        score: report.score.map(|score| score.0),
        score_words: report.score.map_or_else(String::new, score_words::<P>),
        win: report.score.and_then(Score::win_in),
        proven: report.is_proven(report.score),
        proof: report.proof,
        margin: report.margin.map(FinalMargin::from),
        depth: report.depth,
        nodes: report.nodes,
        leaves: report.leaves,
        seconds: report.time.unwrap_or_else(|| started.elapsed()).as_secs_f64(),
        moves: move_scores(root, report, &ranked),
        pv_labels: line.into_iter().map(|mv| mv.label).collect(),
        pv,
        table: report.table.map(TableUse::from),
    }
}

/// The root moves of a report, those with a line ranked; `lines` are the texts of the lines, or of the
/// only one.
fn move_scores<P: Roster>(
    root: &P,
    report: &Report<P::Move>,
    lines: &[Vec<String>],
) -> Vec<MoveScore> {
    let only = [RankedLine { score: report.score, margin: report.margin, line: Vec::new() }];
    let ranked = if report.lines.is_empty() { &only } else { &report.lines[..] };
    let describe = |mv: String, score: Option<Score>, visits: u64| {
        let rank = lines.iter().position(|line| line.first() == Some(&mv));
        let score = rank.and_then(|rank| ranked[rank].score).or(score);
        MoveScore {
            score: score.map(|score| score.0),
            visits,
            rank: rank.map(|rank| rank + 1),
            pv: rank.map_or_else(Vec::new, |rank| lines[rank].clone()),
            score_words: score.map_or_else(String::new, score_words::<P>),
            win: score.and_then(Score::win_in),
            proven: report.is_proven(score),
            margin: rank.and_then(|rank| ranked[rank].margin).map(FinalMargin::from),
            mv,
        }
    };
    let told =
        |entry: &MoveReport<P::Move>| describe(root.move_text(entry.mv), entry.score, entry.visits);
    let mut moves: Vec<MoveScore> = report.moves.iter().map(told).collect();
    if !report.lines.is_empty() {
        for line in lines {
            if moves.iter().all(|entry| entry.mv != line[0]) {
                moves.push(describe(line[0].clone(), None, 0));
            }
        }
    }
    moves
}

/// The moves of a line as text.
fn line_text<P: Notation>(root: &P, line: &[P::Move]) -> Vec<String> {
    let mut position = root.clone();
    let text = |&mv: &P::Move| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    };
    line.iter().map(text).collect()
}

impl<P: Roster> Table<P> {
    pub(crate) fn of_game(options: Options, game: History<P>) -> Table<P> {
        Table { options, game, seats: [None, None] }
    }

    fn replay(&self, text: fn(&P, P::Move) -> String) -> Vec<String> {
        let positions = self.game.positions().iter();
        positions.zip(self.game.moves()).map(|(position, &mv)| text(position, mv)).collect()
    }
}

impl<P: Roster> Session for Table<P> {
    fn game(&self) -> String {
        self.options.to_string()
    }

    fn record_format(&self) -> Format {
        P::RECORD.into()
    }

    fn record(&self, finish: Option<Finish>) -> Record {
        records::record(&self.options, &self.game, finish.or_else(|| self.ending()))
    }

    fn white(&self) -> Side {
        match records::first_color(self.game.start()) {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    fn start_position(&self) -> String {
        self.game.start().text()
    }

    fn position(&self) -> String {
        self.game.last().text()
    }

    fn view(&self) -> BoardView {
        self.game.last().view()
    }

    fn turn(&self) -> Side {
        self.game.last().turn()
    }

    fn first_turn(&self) -> Side {
        self.game.start().turn()
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.game.last().side_name(side)
    }

    fn score_words(&self, score: Score) -> String {
        score_words::<P>(score)
    }

    fn legal_moves(&self) -> Vec<String> {
        let position = self.game.last();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().map(|mv| position.move_text(mv)).collect()
    }

    fn choices(&self) -> Vec<ShownMove> {
        shown::choices(self.game.last())
    }

    fn played(&self) -> Vec<ShownMove> {
        shown::played(&self.game)
    }

    fn line(&self, moves: &[String]) -> Vec<ShownMove> {
        shown::line(self.game.last(), moves)
    }

    fn moment(&self, ply: usize) -> Option<Moment> {
        shown::moment(&self.game, ply)
    }

    fn moves_played(&self) -> usize {
        self.game.moves().len()
    }

    fn moves(&self) -> Vec<String> {
        self.replay(P::move_text)
    }

    fn record_moves(&self) -> Vec<String> {
        self.replay(P::record_text)
    }

    fn last_move_cells(&self) -> Vec<usize> {
        let played = self.game.moves().len();
        let Some(&mv) = self.game.moves().last() else { return Vec::new() };
        self.game.positions()[played - 1].move_cells(mv)
    }

    fn material(&self) -> Option<i32> {
        self.game.last().material()
    }

    fn new_game(&mut self, position: Option<&str>, seeds: [u64; 2]) -> Result<(), TextError> {
        self.game = History::new(records::position(&self.options, position)?);
        for (seat, seed) in self.seats.iter_mut().zip(seeds) {
            if let Some(seat) = seat {
                seat.player.new_game(seed);
            }
        }
        Ok(())
    }

    fn swap_seats(&mut self) {
        self.seats.swap(0, 1);
    }

    fn play(&mut self, mv: &str) -> Result<String, TextError> {
        let mv = self.game.last().parse_move(mv)?;
        let text = self.game.last().move_text(mv);
        self.game.push(mv);
        Ok(text)
    }

    fn undo(&mut self) -> bool {
        self.game.pop().is_some()
    }

    fn ending(&self) -> Option<Finish> {
        let (outcome, reason) = P::ending(&self.game)?;
        Some(Finish { outcome, reason, margin: self.game.last().margin() })
    }

    fn seat(&mut self, side: Side, player: &str, resources: &Resources) -> Result<(), PlayerError> {
        self.seats[side.index()] = Some(Seat::new(player, resources)?);
        Ok(())
    }

    fn let_play(&mut self, progress: &mut Progress<'_>) -> Result<Turn, PlayerError> {
        let side = self.turn();
        let name = self.options.to_string();
        let Some(seat) = &mut self.seats[side.index()] else {
            return Err(PlayerError::failed(format!("nobody plays {}", self.side_name(side))));
        };
        let (action, analysis) = seat.think(&self.game, &name, progress)?;
        match action {
            Action::Play(mv) => {
                self.game.push(mv);
                Ok(Turn::Moved(Box::new(analysis)))
            }
            Action::Resign => Ok(Turn::Resigned),
        }
    }

    fn let_analyze(
        &mut self,
        lines: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError> {
        let side = self.turn();
        let name = self.options.to_string();
        let Some(seat) = &mut self.seats[side.index()] else {
            return Err(PlayerError::failed(format!("nobody plays {}", self.side_name(side))));
        };
        seat.analyze(&self.game, &name, lines, progress)
    }

    fn analyze(
        &self,
        player: &str,
        resources: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError> {
        let mut seat = Seat::new(player, resources)?;
        let (_, analysis) = seat.think(&self.game, &self.options.to_string(), progress)?;
        Ok(analysis)
    }

    fn analyze_lines(
        &self,
        player: &str,
        lines: usize,
        resources: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<Analysis, PlayerError> {
        let mut seat = Seat::new(player, resources)?;
        seat.analyze(&self.game, &self.options.to_string(), lines, progress)
    }

    fn trace(
        &self,
        player: &str,
        size: usize,
        resources: &Resources,
        progress: &mut Progress<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError> {
        let mut searcher = roster::build_traced::<P>(player, resources)?;
        let (name, started) = (self.game(), Instant::now());
        let mut ahead = None;
        let mut in_words = |report: &Report<P::Move>| {
            describe(&self.game, &mut ahead, &name, player, report, started)
        };
        let on_report = &mut *progress.on_report;
        let mut listen = |report: &Report<P::Move>| on_report(&in_words(report));
        let mut watch = Watch { stop: progress.stop, on_report: &mut listen };
        let (choice, recorded) =
            searcher.choose_traced(&self.game, &progress.limits, &mut watch, size)?;
        let analysis = in_words(&choice.report);
        let document = trace::document(self.game.last(), &analysis, &recorded);
        Ok((analysis, document))
    }

    fn game_over(&mut self, outcome: Outcome) {
        for (seat, side) in self.seats.iter_mut().zip(Side::BOTH) {
            if let Some(seat) = seat {
                seat.player.game_over(&self.game, side, outcome);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_games::chess::Chess;

    /// What `report` comes to in `game`, as data.
    fn described(game: &History<Chess>, line: &[&str]) -> Analysis {
        let mut ahead = game.clone();
        for mv in line {
            ahead.push(ahead.last().parse_move(mv).unwrap());
        }
        let line = ahead.moves()[game.moves().len()..].to_vec();
        let report = Report { line, ..Report::default() };
        describe(game, &mut None, "chess", "engine", &report, Instant::now())
    }

    #[test]
    fn lines_end_where_the_game_ends() {
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(3);
        let mut game = History::new(Chess::default());
        assert_eq!(described(&game, &shuffle).pv, shuffle[..8], "the third time is a draw");
        for mv in &shuffle[..4] {
            game.push(game.last().parse_move(mv).unwrap());
        }
        assert_eq!(described(&game, &shuffle).pv, shuffle[..4]);
        let options = Options::defaults(Chess::ID, Chess::OPTIONS);
        let start = Chess::parse(&options, "8/8/8/4k3/8/4K3/4R3/8 w - - 97 90").unwrap();
        let line = ["e2e1", "e5d5", "e1e2", "d5e5", "e2e1"];
        assert_eq!(described(&History::new(start), &line).pv, line[..3], "fifty moves");
    }
}
