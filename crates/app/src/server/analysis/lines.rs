//! The best lines of a position beside the very best one.

use super::super::error::ApiError;
use ludus_core::{Limits, Score};
use ludus_players::{Analysis, MoveScore, Progress, Resources, Session};
use serde::Serialize;
use std::{sync::atomic::AtomicBool, time::Duration};

/// The part of the time for the best move; the rest is for the others.
pub const SHARE_OF_BEST: f64 = 0.6;
/// The part of their time that is used to see which of them matter.
const SHARE_OF_GLANCES: f64 = 0.3;

/// What is wanted.
pub struct Wanted<'a> {
    pub player: &'a str,
    pub count: usize,
    pub time: Duration,
}

/// A move with what it leads to. Scores are those of the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    #[serde(rename = "move")]
    pub mv: String,
    /// As records write it.
    pub label: String,
    pub cells: Vec<usize>,
    pub score: Option<i32>,
    pub win: Option<i32>,
    pub score_words: String,
    pub pv: Vec<String>,
    pub pv_labels: Vec<String>,
}

impl Line {
    fn new(board: &dyn Session, pv: Vec<String>, score: Option<i32>) -> Line {
        let shown = board.line(&pv);
        let pv_labels: Vec<String> = shown.iter().map(|mv| mv.label.clone()).collect();
        let first = shown.into_iter().next();
        Line {
            mv: pv.first().cloned().unwrap_or_default(),
            label: pv_labels.first().cloned().unwrap_or_default(),
            cells: first.map_or_else(Vec::new, |mv| mv.cells),
            win: score.and_then(|score| Score(score).win_in()),
            score_words: score.map_or_else(String::new, |score| board.score_words(Score(score))),
            score,
            pv,
            pv_labels,
        }
    }
}

/// The best lines of the position on `board`, the one of `analysis` first, which learns the scores
/// of the others. A player that has judged enough moves by itself is not asked again.
pub fn search(
    board: &mut dyn Session,
    analysis: &mut Analysis,
    wanted: &Wanted<'_>,
    resources: &Resources,
    stop: &AtomicBool,
) -> Result<Vec<Line>, ApiError> {
    let judged = analysis.moves.iter().filter(|entry| entry.score.is_some()).count();
    let Some(best) = analysis.best.clone() else { return Ok(Vec::new()) };
    let mut others = board.legal_moves();
    others.retain(|mv| *mv != best);
    if judged >= wanted.count.min(others.len() + 1) || others.is_empty() {
        return Ok(Vec::new());
    }
    let mut search = Search { board, player: wanted.player, resources, stop };
    let glance = wanted.time.mul_f64(SHARE_OF_GLANCES / others.len() as f64);
    let mut glances = Vec::new();
    for mv in &others {
        glances.push(search.score(mv, glance)?);
    }
    glances.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    glances.truncate(wanted.count - 1);
    let look = wanted.time.mul_f64((1.0 - SHARE_OF_GLANCES) / glances.len() as f64);
    let mut found = Vec::new();
    for (pv, _) in &glances {
        found.push(search.score(&pv[0], look)?);
    }
    found.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    let mut pv = analysis.pv.clone();
    if pv.first() != Some(&best) {
        pv = vec![best];
    }
    let mut lines = vec![Line::new(board, pv, analysis.score)];
    lines.extend(found.into_iter().map(|(pv, score)| Line::new(board, pv, score)));
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
struct Search<'a> {
    board: &'a mut dyn Session,
    player: &'a str,
    resources: &'a Resources,
    stop: &'a AtomicBool,
}

impl Search<'_> {
    /// The line that begins with `mv`, and its score.
    fn score(&mut self, mv: &str, time: Duration) -> Result<(Vec<String>, Option<i32>), ApiError> {
        let mover = self.board.turn();
        self.board.play(mv)?;
        let mut line = vec![mv.to_owned()];
        let score = match self.board.ending() {
            Some(finish) => Ok(Some(Score::terminal(finish.outcome, mover, 1).0)),
            None => {
                let limits = Limits { time: Some(time), ..Limits::default() };
                let mut progress = Progress { limits, stop: self.stop, on_report: &mut |_| {} };
                let answer = self.board.analyze(self.player, self.resources, &mut progress);
                answer.map(|answer| {
                    line.extend(answer.pv);
                    answer.score.map(seen_a_ply_earlier)
                })
            }
        };
        self.board.undo();
        Ok((line, score?))
    }
}

/// The score of a move, by the score of the position it leads to.
fn seen_a_ply_earlier(score: i32) -> i32 {
    let seen = Score(-score);
    seen.0 - seen.win_in().map_or(0, i32::signum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    #[test]
    fn a_win_is_a_ply_farther_from_the_move_before() {
        assert_eq!(Score(seen_a_ply_earlier(Score::WIN.0 - 4)).win_in(), Some(-5));
        assert_eq!(Score(seen_a_ply_earlier(4 - Score::WIN.0)).win_in(), Some(5));
        assert_eq!(seen_a_ply_earlier(35), -35);
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
        let mut progress = Progress { limits, stop: &stop, on_report: &mut |_| {} };
        let mut analysis = board.analyze("alphabeta:depth=5", &resources, &mut progress).unwrap();
        let wanted = Wanted { player: "alphabeta:depth=4", count: 3, time: Duration::from_secs(5) };
        let lines = search(&mut *board, &mut analysis, &wanted, &resources, &stop).unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!(Some(&lines[0].mv), analysis.best.as_ref());
        assert!(lines[0].score >= lines[1].score && lines[1].score >= lines[2].score);
        assert_eq!(board.moves_played(), 4, "the board is as it was");
        assert!(analysis.moves.iter().any(|entry| entry.mv == lines[1].mv));
    }
}
