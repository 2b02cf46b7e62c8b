//! A game in progress with the game's type erased: text in, text out.

use crate::{Resources, Roster, ShownMove, Snapshot, TraceDocument, records, roster, shown, trace};
use ludus_core::{
    Action, BoardView, Choice, EndReason, HasEval, History, Limits, MoveReport, Notation, Options,
    Outcome, Player, PlayerError, Proof, RankedLine, Report, Score, ScoreMargin, SearchControl,
    Side, TableReport, TextError, ending::moves_to_end,
};
use ludus_formats::{Format, PieceColour, Record};
use serde::Serialize;
use std::{sync::atomic::AtomicBool, time::Instant};

/// A game in progress, whichever game it is.
pub trait Session: Send {
    /// The game with its options, such as `go:size=9`.
    fn game(&self) -> String;
    /// The file format of its record.
    fn record_format(&self) -> Format;
    /// The record of the game so far; `finish` overrides the [`ending`](Session::ending).
    fn record(&self, finish: Option<Finish>) -> Record;
    /// The side that game records call White.
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
    /// The name of a side.
    fn side_name(&self, side: Side) -> &'static str;
    /// A score as players of this game write it.
    fn score_words(&self, score: Score) -> String;
    /// The legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// The legal moves, with their cells.
    fn choices(&self) -> Vec<ShownMove>;
    /// The moves so far, with their cells.
    fn played(&self) -> Vec<ShownMove>;
    /// The moves of a line that starts here, with their cells, up to the first illegal one.
    fn line(&self, moves: &[String]) -> Vec<ShownMove>;
    /// The game after `ply` moves; `None` if it is shorter.
    fn snapshot(&self, ply: usize) -> Option<Snapshot>;
    /// Number of moves played.
    fn moves_played(&self) -> usize;
    /// The moves so far, as the command line writes them.
    fn moves(&self) -> Vec<String>;
    /// The moves so far, as game records write them.
    fn record_moves(&self) -> Vec<String>;
    /// The cells the last move touched.
    fn last_move_cells(&self) -> Vec<usize>;
    /// The first side's lead in material, in games that have material.
    fn material(&self) -> Option<i32>;
    /// Starts another game, from the start or from the position given as text. The players keep their
    /// seats; each is seeded with its entry of `seeds`.
    fn new_game(&mut self, position: Option<&str>, seeds: [u64; 2]) -> Result<(), TextError>;
    /// Swaps the seats of the players.
    fn swap_seats(&mut self);
    /// Plays a move given as text; returns its canonical text.
    fn play(&mut self, mv: &str) -> Result<String, TextError>;
    /// Takes back one move.
    fn undo(&mut self) -> bool;
    /// The end of the game, if it is over.
    fn ending(&self) -> Option<Finish>;
    /// Seats `player`, such as `minimax:depth=3`, at `side`.
    fn seat(&mut self, side: Side, player: &str, resources: &Resources) -> Result<(), PlayerError>;
    /// Makes the player of the side to move choose and play a move.
    fn let_play(&mut self, progress: &mut AnalysisControl<'_>) -> Result<Turn, PlayerError>;
    /// Makes the player of the side to move score the `lines` best moves, without playing.
    fn let_analyze(
        &mut self,
        lines: usize,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError>;
    /// Makes a fresh `player` choose a move in the current position, without playing it.
    fn analyze(
        &self,
        player: &str,
        resources: &Resources,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError>;
    /// Makes a fresh `player` score the `lines` best moves. A solver scores every move, however long that
    /// takes within the limits.
    fn analyze_lines(
        &self,
        player: &str,
        lines: usize,
        resources: &Resources,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError>;
    /// Makes a fresh `player` choose a move on one thread, and records at most `size` nodes or simulations.
    fn trace(
        &self,
        player: &str,
        size: usize,
        resources: &Resources,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError>;
    /// Notifies the seated players of the end of the game.
    fn game_over(&mut self, outcome: Outcome);
}

/// Limits of a search, a flag that stops it and a callback for its reports.
pub struct AnalysisControl<'a> {
    /// The limits of the search.
    pub limits: Limits,
    /// Set to stop the search now.
    pub stop: &'a AtomicBool,
    /// Called with every report.
    pub on_report: &'a mut dyn FnMut(&Analysis),
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
    pub fn words(&self, session: &dyn Session, players: Option<&[String; 2]>) -> String {
        let Outcome::Win(side) = self.outcome else { return format!("A draw {}", self.reason) };
        let name = session.side_name(side);
        let player = players.map(|players| format!(" ({})", players[side.index()]));
        // "Crosses" and "Noughts" are plural.
        let verb = if name.ends_with('s') { "win" } else { "wins" };
        let points = self.margin.map(|margin| format!(" by {} points", margin.abs()));
        let (player, points) = (player.unwrap_or_default(), points.unwrap_or_default());
        format!("{name}{player} {verb}{points} {}", self.reason)
    }
}

/// A seated player's action.
#[derive(Clone, Debug)]
pub enum Turn {
    /// It made the move the analysis calls best.
    Moved(Box<Analysis>),
    /// It resigned.
    Resigned,
}

/// A player's analysis of a position. Serialised, it is the JSON of `ludus analyze`.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The game with its options.
    pub game: String,
    /// The position.
    pub position: String,
    /// The player.
    pub player: String,
    /// The move it would make; `None` if it would resign.
    pub best: Option<String>,
    /// The cells of that move.
    pub best_cells: Vec<usize>,
    /// Its score in hundredths for the side to move, if the player evaluates.
    pub score: Option<i32>,
    /// The score as text: `+0.35`, `wins in 5 plies`, in chess `wins in 3 moves`; empty if there is no
    /// score.
    pub score_words: String,
    /// Plies to a proven end of the game: positive if the side to move wins.
    pub win: Option<i32>,
    /// Whether the score is the game-theoretic value, not an estimate.
    pub proven: bool,
    /// Whether a proof was sought, and found.
    #[serde(skip)]
    pub proof: Proof,
    /// The final margin, if it is proven.
    pub margin: Option<FinalMargin>,
    /// Completed depth.
    pub depth: u32,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Positions evaluated at the horizon.
    pub leaves: u64,
    /// Time charged for the move.
    pub seconds: f64,
    /// The principal variation.
    pub pv: Vec<String>,
    /// The principal variation as game records write it.
    pub pv_labels: Vec<String>,
    /// The root moves with their scores, if the player reports them.
    pub moves: Vec<MoveScore>,
    /// Statistics of its transposition table, if it has one.
    pub table: Option<TableUse>,
}

/// The first side's lead at the end of the game.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct FinalMargin {
    /// On the board alone.
    pub board: f32,
    /// Including what the rules add, such as komi.
    pub total: f32,
}

impl FinalMargin {
    /// As text, such as "Black by 9 on the board, Black by 1.5 in all".
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

impl From<ScoreMargin> for FinalMargin {
    fn from(ScoreMargin { board, total }: ScoreMargin) -> FinalMargin {
        FinalMargin { board, total }
    }
}

/// Statistics of a transposition table in one search.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableUse {
    /// Number of entries.
    pub capacity: u64,
    /// Entries in use.
    pub used: u64,
    /// Lookups.
    pub probes: u64,
    /// Lookups that found the position.
    pub hits: u64,
    /// Lookups that cut off a search.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over those of other positions.
    pub overwrites: u64,
    /// Entries not stored, because others were kept.
    pub lost: u64,
}

impl From<TableReport> for TableUse {
    fn from(report: TableReport) -> TableUse {
        let TableReport { capacity, used, probes, hits, cutoffs, stores, overwrites, lost } =
            report;
        TableUse { capacity, used, probes, hits, cutoffs, stores, overwrites, lost }
    }
}

/// A player's score of one move.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MoveScore {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its score for the side to move.
    pub score: Option<i32>,
    /// Visits, in searches that count them.
    pub visits: u64,
    /// Its rank among the best moves, from 1, if it has a line.
    pub rank: Option<usize>,
    /// Its principal variation, itself first; empty if there is none.
    pub pv: Vec<String>,
    /// The score as text; empty if there is none.
    pub score_words: String,
    /// Plies to a proven end of the game: positive if the side to move wins.
    pub win: Option<i32>,
    /// Whether the score is the game-theoretic value, not an estimate.
    pub proven: bool,
    /// The final margin after this move, if it is proven.
    pub margin: Option<FinalMargin>,
}

/// The one implementation of [`Session`], for every game.
pub(crate) struct GameSession<P: Roster> {
    options: Options,
    game: History<P>,
    seats: [Option<Seat<P>>; 2],
}

struct Seat<P: Roster> {
    spec: String,
    player: Box<dyn Player<P>>,
}

/// The result of asking a player for a move or an analysis.
type ChoiceResult<M> = Result<Choice<M>, PlayerError>;

impl<P: Roster> Seat<P> {
    fn new(spec: &str, resources: &Resources) -> Result<Seat<P>, PlayerError> {
        Ok(Seat { spec: spec.to_owned(), player: roster::build(spec, resources)? })
    }

    /// Makes the player choose a move, and turns its report into an analysis.
    fn choose(
        &mut self,
        game: &History<P>,
        name: &str,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<(Action<P::Move>, Analysis), PlayerError> {
        self.ask(game, name, progress, |player, limits, control| {
            player.choose(game, limits, control)
        })
    }

    /// Makes the player score the `lines` best moves.
    fn analyze(
        &mut self,
        game: &History<P>,
        name: &str,
        lines: usize,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError> {
        let (_, analysis) = self.ask(game, name, progress, |player, limits, control| {
            player.analyze(game, limits, lines.max(1), control)
        })?;
        Ok(analysis)
    }

    /// Runs `search` of the player, and turns its reports into analyses.
    fn ask(
        &mut self,
        game: &History<P>,
        name: &str,
        progress: &mut AnalysisControl<'_>,
        search: impl FnOnce(
            &mut dyn Player<P>,
            &Limits,
            &mut SearchControl<'_, P::Move>,
        ) -> ChoiceResult<P::Move>,
    ) -> Result<(Action<P::Move>, Analysis), PlayerError> {
        let started = Instant::now();
        let spec = &self.spec;
        let mut ahead = None;
        let mut describe_report =
            |report: &Report<P::Move>| describe(game, &mut ahead, name, spec, report, started);
        let on_report = &mut *progress.on_report;
        let mut listen = |report: &Report<P::Move>| on_report(&describe_report(report));
        let mut control = SearchControl { stop: progress.stop, on_report: &mut listen };
        let choice = search(&mut *self.player, &progress.limits, &mut control)?;
        let mut analysis = describe_report(&choice.report);
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

/// A report with its moves as text and its line cut at the end of the game. `ahead` is a copy of the
/// game to play lines in, made when one is needed.
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
/// principal variation alone.
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
    let described =
        |entry: &MoveReport<P::Move>| describe(root.move_text(entry.mv), entry.score, entry.visits);
    let mut moves: Vec<MoveScore> = report.moves.iter().map(described).collect();
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

impl<P: Roster> GameSession<P> {
    pub(crate) fn new(options: Options, game: History<P>) -> GameSession<P> {
        GameSession { options, game, seats: [None, None] }
    }

    fn replay(&self, text: fn(&P, P::Move) -> String) -> Vec<String> {
        let positions = self.game.positions().iter();
        positions.zip(self.game.moves()).map(|(position, &mv)| text(position, mv)).collect()
    }
}

impl<P: Roster> Session for GameSession<P> {
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
        match records::first_colour(self.game.start()) {
            PieceColour::White => Side::First,
            PieceColour::Black => Side::Second,
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

    fn snapshot(&self, ply: usize) -> Option<Snapshot> {
        shown::snapshot(&self.game, ply)
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
        P::Knowledge::material(self.game.last())
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

    fn let_play(&mut self, progress: &mut AnalysisControl<'_>) -> Result<Turn, PlayerError> {
        let side = self.turn();
        let name = self.options.to_string();
        let Some(seat) = &mut self.seats[side.index()] else {
            return Err(PlayerError::failed(format!(
                "no player is seated as {}",
                self.side_name(side)
            )));
        };
        let (action, analysis) = seat.choose(&self.game, &name, progress)?;
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
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError> {
        let side = self.turn();
        let name = self.options.to_string();
        let Some(seat) = &mut self.seats[side.index()] else {
            return Err(PlayerError::failed(format!(
                "no player is seated as {}",
                self.side_name(side)
            )));
        };
        seat.analyze(&self.game, &name, lines, progress)
    }

    fn analyze(
        &self,
        player: &str,
        resources: &Resources,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError> {
        let mut seat = Seat::new(player, resources)?;
        let (_, analysis) = seat.choose(&self.game, &self.options.to_string(), progress)?;
        Ok(analysis)
    }

    fn analyze_lines(
        &self,
        player: &str,
        lines: usize,
        resources: &Resources,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<Analysis, PlayerError> {
        let mut seat = Seat::new(player, resources)?;
        seat.analyze(&self.game, &self.options.to_string(), lines, progress)
    }

    fn trace(
        &self,
        player: &str,
        size: usize,
        resources: &Resources,
        progress: &mut AnalysisControl<'_>,
    ) -> Result<(Analysis, TraceDocument), PlayerError> {
        let mut searcher = roster::build_traced::<P>(player, resources)?;
        let (name, started) = (self.game(), Instant::now());
        let mut ahead = None;
        let mut describe_report = |report: &Report<P::Move>| {
            describe(&self.game, &mut ahead, &name, player, report, started)
        };
        let on_report = &mut *progress.on_report;
        let mut listen = |report: &Report<P::Move>| on_report(&describe_report(report));
        let mut control = SearchControl { stop: progress.stop, on_report: &mut listen };
        let (choice, recorded) =
            searcher.choose_traced(&self.game, &progress.limits, &mut control, size)?;
        let analysis = describe_report(&choice.report);
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

    /// The analysis of a report with this line.
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
