//! The report of a search, from the info lines of a UCI engine.

use ludus_core::{MoveReport, Notation, Position, RankedLine, Report, Score};
use ludus_formats::uci::{ScoreValue, UciInfo, UciScore};
use ludus_games::chess::{Chess, Move};

/// Collects the info lines of a search into a report.
pub(super) struct ReportBuilder<'a> {
    position: &'a Chess,
    /// Lines that were requested.
    wanted: usize,
    /// The lines of this iteration so far, if several were requested.
    lines: Vec<RankedLine<Move>>,
    pub report: Report<Move>,
}

impl ReportBuilder<'_> {
    pub fn new(position: &Chess, lines: usize) -> ReportBuilder<'_> {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let wanted = lines.min(legal.len());
        ReportBuilder { position, wanted, lines: Vec::new(), report: Report::default() }
    }

    /// Adds an info line; true if it has a new score.
    pub fn add(&mut self, info: &UciInfo) -> bool {
        self.report.nodes = info.nodes.unwrap_or(self.report.nodes);
        let Some(UciScore { value, bound: false }) = info.score else { return false };
        let line = legal_line(self.position, &info.pv);
        let score = score(value);
        let rank = info.multipv.unwrap_or(1);
        let better = (rank as usize).saturating_sub(1);
        if let Some(&mv) = line.first()
            && better <= self.report.moves.len()
        {
            // A new line of this rank replaces the old ones from there on.
            self.report.moves.truncate(better);
            self.report.moves.push(MoveReport { mv, score: Some(score), visits: 0 });
            self.add_line(
                better,
                RankedLine { score: Some(score), margin: None, line: line.clone() },
            );
        }
        if rank != 1 {
            return false;
        }
        self.report.score = Some(score);
        self.report.depth = info.depth.unwrap_or(self.report.depth);
        self.report.line = line;
        true
    }

    /// Adds a line of this iteration; the report gets the lines once all of them are there.
    fn add_line(&mut self, better: usize, line: RankedLine<Move>) {
        if self.wanted > 1 && better <= self.lines.len() {
            self.lines.truncate(better);
            self.lines.push(line);
            if self.lines.len() == self.wanted {
                self.report.lines.clone_from(&self.lines);
            }
        }
    }
}

/// The moves of `line` up to the first that is not legal.
fn legal_line(position: &Chess, line: &[String]) -> Vec<Move> {
    let mut position = position.clone();
    let legal = line.iter().map_while(|text| {
        let mv = position.parse_move(text).ok()?;
        position.play(mv);
        Some(mv)
    });
    legal.collect()
}

fn score(value: ScoreValue) -> Score {
    // Real mate distances are smaller; absurd numbers must stay on the scale.
    const MAX_DISTANCE: i32 = Score::WIN.0 - Score::EVAL_MAX.0 - 1;
    match value {
        ScoreValue::Centipawns(hundredths) => Score::evaluation(hundredths),
        ScoreValue::Mate(moves) if moves > 0 => {
            Score(Score::WIN.0 - moves.saturating_mul(2).saturating_sub(1).min(MAX_DISTANCE))
        }
        ScoreValue::Mate(moves) => {
            Score(moves.saturating_neg().saturating_mul(2).min(MAX_DISTANCE) - Score::WIN.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_plies() {
        let plies = |moves| score(ScoreValue::Mate(moves)).win_in();
        assert_eq!((plies(1), plies(3), plies(-2)), (Some(1), Some(5), Some(-4)));
        for wild in [i32::MAX, i32::MIN, 0] {
            assert!(plies(wild).is_some(), "{wild}");
        }
        assert_eq!(score(ScoreValue::Centipawns(i32::MIN)), Score(-20_000));
    }

    #[test]
    fn lines_are_reported_once_an_iteration_has_all_of_them() {
        let position = Chess::default();
        let mut builder = ReportBuilder::new(&position, 2);
        let mut add = |rank, mv: &str, hundredths| {
            let score = Some(UciScore { value: ScoreValue::Centipawns(hundredths), bound: false });
            let pv = vec![mv.to_owned()];
            builder.add(&UciInfo { multipv: Some(rank), score, pv, ..UciInfo::default() });
            let lines = builder.report.lines.iter();
            let lines = lines.map(|it| (position.move_text(it.line[0]), it.score.unwrap().0));
            lines.map(|(mv, score)| format!("{mv} {score}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(add(1, "e2e4", 30), "");
        assert_eq!(add(2, "d2d4", 20), "e2e4 30, d2d4 20");
        assert_eq!(add(1, "d2d4", 25), "e2e4 30, d2d4 20", "the next iteration is not complete");
        assert_eq!(add(2, "e2e4", 15), "d2d4 25, e2e4 15");
    }
}
