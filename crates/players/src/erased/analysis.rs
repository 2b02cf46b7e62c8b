//! Reports of searches: numbers, and text for those who show it.

use super::{Board, ShownMove, Turn, board::TypedBoard, shown};
use crate::Roster;
use ludus_core::{
    Action, Choice, History, MoveReport, Notation, Proof, RankedLine, Report, Score, ScoreMargin,
    Side, TableReport, ending::moves_to_end,
};
use serde::Serialize;
use std::{
    cell::RefCell,
    time::{Duration, Instant},
};

/// A report of a search, intermediate or final. Its text is written when somebody asks for it.
pub struct SearchReport<'a> {
    /// The numbers that are the same for all games.
    pub numbers: ReportNumbers,
    write: Box<dyn Fn() -> Analysis + 'a>,
}

impl SearchReport<'_> {
    /// The whole report, with moves and scores as text.
    pub fn analysis(&self) -> Analysis {
        (self.write)()
    }
}

/// The numbers of a report.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ReportNumbers {
    /// The score for the side to move, if the player evaluates.
    pub score: Option<Score>,
    /// Completed depth.
    pub depth: u32,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Time charged for the move so far.
    pub time: Duration,
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
    pub fn text(&self, board: &dyn Board) -> String {
        let lead = |margin: f32| {
            if margin == 0.0 {
                return "a draw".to_owned();
            }
            let side = if margin > 0.0 { Side::First } else { Side::Second };
            format!("{} by {}", board.side_name(side), margin.abs())
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

/// Turns the reports of one search into erased ones.
pub(super) struct ReportWriter<'b, P: Roster> {
    board: &'b TypedBoard<P>,
    player: String,
    started: Instant,
    /// A copy of the game to play lines in, made when one is needed.
    ahead: RefCell<Option<History<P>>>,
}

impl<'b, P: Roster> ReportWriter<'b, P> {
    /// The writer of a search that starts now.
    pub(super) fn new(board: &'b TypedBoard<P>, player: &str) -> ReportWriter<'b, P> {
        let (player, started) = (player.to_owned(), Instant::now());
        ReportWriter { board, player, started, ahead: RefCell::default() }
    }

    /// An intermediate report.
    pub(super) fn report<'r>(&'r self, report: &'r Report<P::Move>) -> SearchReport<'r> {
        let numbers = self.numbers(report);
        SearchReport { numbers, write: Box::new(move || self.write(report, numbers.time)) }
    }

    /// The decision that ends the search.
    pub(super) fn turn(self, choice: Choice<P::Move>) -> Turn<'b> {
        let numbers = self.numbers(&choice.report);
        let mv = match choice.action {
            Action::Play(mv) => Some(self.board.history().last().move_text(mv)),
            Action::Resign => None,
        };
        let write = move || self.write_choice(&choice, numbers.time);
        Turn { mv, report: SearchReport { numbers, write: Box::new(write) } }
    }

    fn numbers(&self, report: &Report<P::Move>) -> ReportNumbers {
        ReportNumbers {
            score: report.score,
            depth: report.depth,
            nodes: report.nodes,
            time: report.time.unwrap_or_else(|| self.started.elapsed()),
        }
    }

    /// The final report with the move that was chosen, which need not be the first of its line.
    fn write_choice(&self, choice: &Choice<P::Move>, time: Duration) -> Analysis {
        let mut analysis = self.write(&choice.report, time);
        let best = match choice.action {
            Action::Play(mv) => Some(shown::shown(self.board.history().last(), mv)),
            Action::Resign => None,
        };
        (analysis.best, analysis.best_cells) = text_and_cells(best);
        analysis
    }

    /// A report with its moves as text and its lines cut at the end of the game.
    fn write(&self, report: &Report<P::Move>, time: Duration) -> Analysis {
        let game = self.board.history();
        let root = game.last();
        let mut ahead = self.ahead.borrow_mut();
        let mut length = |line: &[P::Move]| match line.len() {
            short @ (0 | 1) => short,
            _ => moves_to_end(ahead.get_or_insert_with(|| game.clone()), line),
        };
        let ranked: Vec<Vec<String>> = report
            .lines
            .iter()
            .map(|ranked| line_text(root, &ranked.line[..length(&ranked.line)]))
            .collect();
        let line = shown::moves(root, &report.line[..length(&report.line)]);
        let (best, best_cells) = text_and_cells(line.first().cloned());
        let pv: Vec<String> = line.iter().map(|mv| mv.mv.clone()).collect();
        let ranked = if ranked.is_empty() { vec![pv.clone()] } else { ranked };
        Analysis {
            game: (self.board as &dyn Board).name(),
            position: root.text(),
            player: self.player.clone(),
            best,
            best_cells,
            score: report.score.map(|score| score.0),
            score_words: report.score.map_or_else(String::new, score_words::<P>),
            win: report.score.and_then(Score::win_in),
            proven: report.is_proven(report.score),
            proof: report.proof,
            margin: report.margin.map(FinalMargin::from),
            depth: report.depth,
            nodes: report.nodes,
            leaves: report.leaves,
            seconds: time.as_secs_f64(),
            moves: move_scores(root, report, &ranked),
            pv_labels: line.into_iter().map(|mv| mv.label).collect(),
            pv,
            table: report.table.map(TableUse::from),
        }
    }
}

/// The text and the cells of a move.
fn text_and_cells(mv: Option<ShownMove>) -> (Option<String>, Vec<usize>) {
    mv.map_or((None, Vec::new()), |mv| (Some(mv.mv), mv.cells))
}

/// A score as players of the game write it.
pub(super) fn score_words<P: Notation>(score: Score) -> String {
    if P::WINS_IN_MOVES { score.in_moves() } else { score.to_string() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Options;
    use ludus_games::chess::Chess;

    /// The analysis of a report with this line.
    fn described(game: &History<Chess>, line: &[&str]) -> Analysis {
        let mut ahead = game.clone();
        for mv in line {
            ahead.push(ahead.last().parse_move(mv).unwrap());
        }
        let line = ahead.moves()[game.moves().len()..].to_vec();
        let report = Report { line, ..Report::default() };
        let board = TypedBoard::new(options(), game.clone());
        ReportWriter::new(&board, "engine").report(&report).analysis()
    }

    fn options() -> Options {
        Options::defaults(Chess::ID, Chess::OPTIONS)
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
        let start = Chess::parse(&options(), "8/8/8/4k3/8/4K3/4R3/8 w - - 97 90").unwrap();
        let line = ["e2e1", "e5d5", "e1e2", "d5e5", "e2e1"];
        assert_eq!(described(&History::new(start), &line).pv, line[..3], "fifty moves");
    }
}
