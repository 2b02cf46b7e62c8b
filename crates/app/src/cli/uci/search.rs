//! One search: its thread, and its reports in UCI format.

use super::engine::Event;
use ludus_core::{Limits, PlayerError, Score};
use ludus_formats::uci::{ScoreValue, UciInfo, UciScore};
use ludus_players::{Analysis, AnalysisControl, Board, BoardPlayer, MoveScore, SearchReport};
use std::{
    cmp::Reverse,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::AtomicBool, mpsc::Sender},
    thread,
    time::Duration,
};

/// The board and the player, which plays both sides. A running search owns them.
pub struct SearchPair {
    pub board: Box<dyn Board>,
    pub player: Box<dyn BoardPlayer>,
}

/// Starts a search of `lines` lines in a separate thread. Board and player come back with the last event.
pub fn start_search(
    mut pair: SearchPair,
    lines: usize,
    limits: Limits,
    stop: Arc<AtomicBool>,
    events: Sender<Event>,
) {
    thread::spawn(move || {
        let reports = events.clone();
        let mut listen = |report: &SearchReport<'_>| {
            let _ = reports.send(Event::Report(Box::new(report.analysis())));
        };
        let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut listen };
        // A panic of the player must not leave the client without an answer.
        let found = catch_unwind(AssertUnwindSafe(|| match lines {
            1 => pair.one_line(&mut progress),
            _ => pair.several_lines(lines, &mut progress, &events),
        }));
        let found = match found {
            Ok(found) => found.map(Box::new).map_err(|error| error.to_string()),
            Err(_) => Err("the player crashed".to_owned()),
        };
        let _ = events.send(Event::Done(pair, found));
    });
}

impl SearchPair {
    fn one_line(&mut self, progress: &mut AnalysisControl<'_>) -> Result<Analysis, PlayerError> {
        Ok(self.player.choose(&*self.board, progress)?.analysis())
    }

    /// MultiPV search; a player with only one line sends a note and searches that.
    fn several_lines(
        &mut self,
        lines: usize,
        progress: &mut AnalysisControl<'_>,
        events: &Sender<Event>,
    ) -> Result<Analysis, PlayerError> {
        let found = self.player.analyze(&*self.board, lines, progress);
        match found.map(|turn| turn.analysis()) {
            Err(PlayerError::Input(error)) => {
                let _ = events.send(Event::Note(error.to_string()));
                self.one_line(progress)
            }
            found => found,
        }
    }
}

/// The root moves to choose from.
pub struct RootMoves {
    allowed: Vec<String>,
    /// Whether `searchmoves` left some out.
    restricted: bool,
}

/// The best move and the expected reply; no move if the game is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    pub mv: Option<String>,
    pub ponder: Option<String>,
}

/// A line with its score.
struct Line {
    score: Option<i32>,
    pv: Vec<String>,
}

impl RootMoves {
    /// `wanted` are the moves after `searchmoves`; if none is legal, all moves are allowed.
    pub fn new(legal: Vec<String>, wanted: &[String]) -> RootMoves {
        let is_wanted = |mv: &&String| wanted.contains(mv);
        let allowed: Vec<String> = legal.iter().filter(is_wanted).cloned().collect();
        if allowed.is_empty() || allowed.len() == legal.len() {
            return RootMoves { allowed: legal, restricted: false };
        }
        RootMoves { allowed, restricted: true }
    }

    /// Whether there is no move at all.
    pub fn is_over(&self) -> bool {
        self.allowed.is_empty()
    }

    /// A move for the case that the player gives none.
    pub fn fallback(&self) -> BestMove {
        BestMove { mv: self.allowed.first().cloned(), ponder: None }
    }

    /// The best allowed move.
    pub fn best(&self, analysis: &Analysis) -> BestMove {
        match self.lines(analysis).into_iter().next() {
            Some(Line { pv, .. }) if !pv.is_empty() => {
                let mut pv = pv.into_iter();
                BestMove { mv: pv.next(), ponder: pv.next() }
            }
            _ => self.fallback(),
        }
    }

    /// The player's lines, best first: the principal variation, then other reported moves.
    fn lines(&self, analysis: &Analysis) -> Vec<Line> {
        let preferred = analysis.best.as_ref().filter(|best| self.allowed.contains(best));
        let mut others: Vec<_> = analysis
            .moves
            .iter()
            .filter(|entry| Some(&entry.mv) != preferred && self.allowed.contains(&entry.mv))
            .filter(|entry| entry.score.is_some() || entry.visits > 0)
            .collect();
        let rank = |entry: &MoveScore| entry.rank.unwrap_or(usize::MAX);
        others.sort_by_key(|entry| (rank(entry), Reverse((entry.visits, entry.score))));
        let preferred = preferred.map(|best| {
            let whole = analysis.pv.first() == Some(best);
            let pv = if whole { analysis.pv.clone() } else { vec![best.clone()] };
            Line { score: analysis.score, pv }
        });
        let others = others.into_iter().map(|entry| Line {
            score: entry.score,
            pv: if entry.pv.is_empty() { vec![entry.mv.clone()] } else { entry.pv.clone() },
        });
        preferred.into_iter().chain(others).collect()
    }

    /// `info` messages of an analysis, at most `multi_pv` of them.
    pub fn infos(&self, analysis: &Analysis, multi_pv: usize) -> Vec<UciInfo> {
        let seconds = analysis.seconds.max(1e-6);
        let rank = |index: usize| {
            (multi_pv > 1 || self.restricted).then(|| u32::try_from(index + 1).unwrap_or(u32::MAX))
        };
        let lines = self.lines(analysis).into_iter().take(multi_pv).enumerate();
        let infos = lines.map(|(index, line)| UciInfo {
            depth: Some(analysis.depth),
            multipv: rank(index),
            score: line.score.map(uci_score),
            nodes: Some(analysis.nodes),
            nodes_per_second: Some((analysis.nodes as f64 / seconds) as u64),
            time: Some(Duration::from_secs_f64(seconds)),
            pv: line.pv,
            ..UciInfo::default()
        });
        infos.collect()
    }
}

/// A score in UCI format, which counts moves to a mate instead of plies.
fn uci_score(hundredths: i32) -> UciScore {
    let value = match Score(hundredths).win_in() {
        Some(plies) if hundredths > 0 => ScoreValue::Mate((plies + 1) / 2),
        Some(plies) => ScoreValue::Mate(-((1 - plies) / 2)),
        None => ScoreValue::Centipawns(hundredths),
    };
    UciScore { value, bound: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Proof;

    fn analysis() -> Analysis {
        let entry =
            |mv: &str, score| MoveScore { mv: mv.to_owned(), score, ..MoveScore::default() };
        Analysis {
            margin: None,
            game: "chess".to_owned(),
            position: String::new(),
            player: "toy".to_owned(),
            best: Some("a".to_owned()),
            best_cells: Vec::new(),
            score: Some(30),
            score_words: "+0.30".to_owned(),
            win: None,
            proven: false,
            proof: Proof::NotSought,
            depth: 2,
            nodes: 10,
            leaves: 5,
            seconds: 0.5,
            pv: vec!["a".to_owned(), "x".to_owned()],
            pv_labels: vec!["a".to_owned(), "x".to_owned()],
            moves: vec![entry("c", Some(10)), entry("a", Some(30)), entry("b", Some(20))],
            table: None,
        }
    }

    fn root(wanted: &[&str]) -> RootMoves {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        RootMoves::new(words(&["c", "b", "a", "d"]), &words(wanted))
    }

    fn info_lines(root: &RootMoves, multi_pv: usize) -> Vec<String> {
        root.infos(&analysis(), multi_pv).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_are_ranked_and_limited() {
        let one = "info depth 2 score cp 30 nodes 10 nps 20 time 500 pv a x";
        assert_eq!(info_lines(&root(&[]), 1), [one]);
        let lines = info_lines(&root(&[]), 9);
        assert_eq!(lines.len(), 3);
        assert!(lines[1].contains("multipv 2 score cp 20") && lines[1].ends_with("pv b"));
    }

    #[test]
    fn only_the_wanted_moves_are_chosen_from() {
        let mv = |wanted: &[&str]| root(wanted).best(&analysis()).mv.unwrap();
        assert_eq!(root(&[]).best(&analysis()).ponder.as_deref(), Some("x"));
        assert_eq!((mv(&["b", "c"]), mv(&["c"]), mv(&["d"])), ("b".into(), "c".into(), "d".into()));
        assert_eq!(mv(&["nonsense"]), "a");
    }

    #[test]
    fn mates_are_counted_in_moves() {
        let mate = |plies: i32| uci_score(Score::WIN.0 - plies).value;
        assert_eq!((mate(1), mate(3)), (ScoreValue::Mate(1), ScoreValue::Mate(2)));
        let mated = |plies: i32| uci_score(plies - Score::WIN.0).value;
        assert_eq!((mated(2), mated(4)), (ScoreValue::Mate(-1), ScoreValue::Mate(-2)));
    }
}
