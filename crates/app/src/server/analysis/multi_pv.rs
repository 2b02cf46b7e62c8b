//! Multi-PV: the second-best and further lines of a position, by searches of single moves.

use super::super::error::ApiError;
use ludus_core::{Limits, Score};
use ludus_players::{Analysis, AnalysisControl, Board, MoveScore, Resources};
use serde::Serialize;
use std::{sync::atomic::AtomicBool, time::Duration};
use utoipa::ToSchema;

/// Share of the time for the best line; the rest is for the others.
pub const BEST_MOVE_TIME_SHARE: f64 = 0.6;
/// Share of the remaining time for a first look at every other move.
const PROBE_TIME_SHARE: f64 = 0.3;

/// Number of lines, player and time of a multi-PV search.
pub struct MultiPvRequest<'a> {
    pub player: &'a str,
    pub count: usize,
    pub time: Duration,
}

/// A line with its score, from the side to move's point of view.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AnalysisLine {
    #[serde(rename = "move")]
    pub mv: String,
    /// First move in the game's notation.
    pub label: String,
    pub cells: Vec<usize>,
    pub score: Option<i32>,
    pub win: Option<i32>,
    pub score_words: String,
    pub pv: Vec<String>,
    pub pv_labels: Vec<String>,
}

impl AnalysisLine {
    fn new(board: &dyn Board, pv: Vec<String>, score: Option<i32>) -> AnalysisLine {
        let shown = board.line(&pv);
        let pv_labels: Vec<String> = shown.iter().map(|mv| mv.label.clone()).collect();
        let first = shown.into_iter().next();
        AnalysisLine {
            mv: pv.first().cloned().unwrap_or_default(),
            label: pv_labels.first().cloned().unwrap_or_default(),
            cells: first.map_or_else(Vec::new, |mv| mv.cells),
            win: score.and_then(|score| Score(score).win_in()),
            score_words: score
                .map_or_else(String::new, |score| board.game().score_words(Score(score))),
            score,
            pv,
            pv_labels,
        }
    }
}

/// Finds the best lines of the position on `board`, that of `analysis` first, and adds the scores of the
/// others to `analysis`. Empty if the player has scored enough moves by itself.
pub fn search(
    board: &mut dyn Board,
    analysis: &mut Analysis,
    request: &MultiPvRequest<'_>,
    resources: &Resources,
    stop: &AtomicBool,
) -> Result<Vec<AnalysisLine>, ApiError> {
    let scored = analysis.moves.iter().filter(|entry| entry.score.is_some()).count();
    let Some(best) = analysis.best.clone() else { return Ok(Vec::new()) };
    let mut others = board.legal_moves();
    others.retain(|mv| *mv != best);
    if scored >= request.count.min(others.len() + 1) || others.is_empty() {
        return Ok(Vec::new());
    }
    let mut search = MoveSearch { board, player: request.player, resources, stop };
    let probe_time = request.time.mul_f64(PROBE_TIME_SHARE / others.len() as f64);
    let mut probes = Vec::new();
    for mv in &others {
        probes.push(search.score(mv, probe_time)?);
    }
    probes.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    probes.truncate(request.count - 1);
    let move_time = request.time.mul_f64((1.0 - PROBE_TIME_SHARE) / probes.len() as f64);
    let mut lines_found = Vec::new();
    for (pv, _) in &probes {
        lines_found.push(search.score(&pv[0], move_time)?);
    }
    lines_found.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    let mut pv = analysis.pv.clone();
    if pv.first() != Some(&best) {
        pv = vec![best];
    }
    let mut lines = vec![AnalysisLine::new(board, pv, analysis.score)];
    lines.extend(lines_found.into_iter().map(|(pv, score)| AnalysisLine::new(board, pv, score)));
    for line in &lines[1..] {
        analysis.moves.retain(|entry| entry.mv != line.mv);
        analysis.moves.push(MoveScore {
            mv: line.mv.clone(),
            score: line.score,
            score_words: line.score_words.clone(),
            win: line.win,
            proven: line.win.is_some(),
            ..MoveScore::default()
        });
    }
    Ok(lines)
}

/// Searches single moves of a position.
struct MoveSearch<'a> {
    board: &'a mut dyn Board,
    player: &'a str,
    resources: &'a Resources,
    stop: &'a AtomicBool,
}

impl MoveSearch<'_> {
    /// Line that begins with `mv`, and its score.
    fn score(&mut self, mv: &str, time: Duration) -> Result<(Vec<String>, Option<i32>), ApiError> {
        let mover = self.board.turn();
        self.board.play(mv)?;
        let mut line = vec![mv.to_owned()];
        let score = match self.board.ending() {
            Some(finish) => Ok(Some(Score::terminal(finish.outcome, mover, 1).0)),
            None => {
                let limits = Limits { time: Some(time), ..Limits::default() };
                let mut control =
                    AnalysisControl { limits, stop: self.stop, on_report: &mut |_| {} };
                let answer = self.board.analyze(self.player, self.resources, &mut control);
                answer.map(|answer| {
                    line.extend(answer.pv);
                    answer.score.map(parent_score)
                })
            }
        };
        self.board.undo();
        Ok((line, score?))
    }
}

/// Score of a move, from the score of the position after it.
fn parent_score(score: i32) -> i32 {
    let seen = Score(-score);
    seen.0 - seen.win_in().map_or(0, i32::signum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    #[test]
    fn a_win_is_a_ply_farther_from_the_move_before() {
        assert_eq!(Score(parent_score(Score::WIN.0 - 4)).win_in(), Some(-5));
        assert_eq!(Score(parent_score(4 - Score::WIN.0)).win_in(), Some(5));
        assert_eq!(parent_score(35), -35);
    }

    #[test]
    fn the_second_best_move_comes_second() {
        let (game, options) = find_game("connect4").unwrap();
        let mut board = game.open(&options, None).unwrap();
        for mv in ["4", "1", "4", "1"] {
            board.play(mv).unwrap();
        }
        let stop = AtomicBool::new(false);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let resources = Resources::default();
        let mut control = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
        let mut analysis = board.analyze("alphabeta:depth=5", &resources, &mut control).unwrap();
        let request =
            MultiPvRequest { player: "alphabeta:depth=4", count: 3, time: Duration::from_secs(5) };
        let lines = search(&mut *board, &mut analysis, &request, &resources, &stop).unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!(Some(&lines[0].mv), analysis.best.as_ref());
        assert!(lines[0].score >= lines[1].score && lines[1].score >= lines[2].score);
        assert_eq!(board.moves_played(), 4, "the board is unchanged");
        assert!(analysis.moves.iter().any(|entry| entry.mv == lines[1].mv));
    }
}
