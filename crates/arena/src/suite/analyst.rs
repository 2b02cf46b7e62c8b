//! Analysis of positions by a player: the best move, and the score of the second best.

use super::legal_moves;
use ludus_core::{
    Action, History, Limits, MoveReport, Player, PlayerError, Position, Report, Score,
    SearchControl,
};
use ludus_games::chess::{Chess, Move};
use ludus_players::{Resources, build_player};
use std::sync::atomic::AtomicBool;

/// A player that analyses positions.
pub(super) struct Analyst {
    player: Box<dyn Player<Chess>>,
    spec: String,
    seed: u64,
}

/// Analysis of one position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assessment {
    pub best: Move,
    pub score: Score,
    /// Depth reached.
    pub depth: u32,
    /// Depth from which on the best move stayed the same.
    pub stable_from_depth: u32,
    /// Second-best move, if reported by the player (an engine with MultiPV).
    second: Option<(Move, Score)>,
}

impl Assessment {
    /// Score of the second-best move, if reported by the player.
    pub(super) fn reported_second(&self) -> Option<Score> {
        self.second.map(|(_, score)| score)
    }
}

impl Analyst {
    pub(super) fn new(spec: &str, seed: u64) -> Result<Analyst, PlayerError> {
        let player = build_player(spec, &Resources { seed, ..Resources::default() })?;
        Ok(Analyst { player, spec: spec.to_owned(), seed })
    }

    /// Name of the player.
    pub(super) fn name(&self) -> &str {
        self.player.name()
    }

    /// Clears what the player remembers of earlier positions.
    pub(super) fn clear(&mut self) {
        self.player.new_game(self.seed);
    }

    /// Analyses a position in which the game is not over.
    pub(super) fn analyse(&mut self, position: &Chess) -> Result<Assessment, PlayerError> {
        let mut firsts: Vec<(u32, Move)> = Vec::new();
        let mut on_report = |report: &Report<Move>| {
            firsts.extend(report.line.first().map(|&mv| (report.depth, mv)));
        };
        let mut control =
            SearchControl { stop: &AtomicBool::new(false), on_report: &mut on_report };
        let game = History::new(position.clone());
        let choice = self.player.choose(&game, &Limits::default(), &mut control)?;
        let (Action::Play(best), Some(score)) = (choice.action, choice.report.score) else {
            return Err(PlayerError::failed(format!("{} gives no scores", self.spec)));
        };
        let stayed = firsts.iter().rev().take_while(|(_, mv)| *mv == best);
        Ok(Assessment {
            best,
            score,
            depth: choice.report.depth,
            stable_from_depth: stayed.last().map_or(choice.report.depth, |first| first.0),
            second: second_of(best, &choice.report.moves),
        })
    }

    /// The second-best move after that of `assessment`, and its score. If the player reported only one
    /// line, every position after the other moves is analysed.
    pub(super) fn second(
        &mut self,
        position: &Chess,
        assessment: &Assessment,
    ) -> Result<Option<(Move, Score)>, PlayerError> {
        if assessment.second.is_some() {
            return Ok(assessment.second);
        }
        let mut second = None;
        for mv in legal_moves(position).into_iter().filter(|&mv| mv != assessment.best) {
            let next = position.after(mv);
            let score = match next.outcome() {
                Some(outcome) => Score::terminal(outcome, position.turn(), 1),
                None => -self.analyse(&next)?.score,
            };
            if second.is_none_or(|(_, best)| score > best) {
                second = Some((mv, score));
            }
        }
        Ok(second)
    }
}

/// The second-best of the reported moves, if all of them have scores. Searches list moves without
/// exact scores where they only have a bound.
fn second_of(best: Move, moves: &[MoveReport<Move>]) -> Option<(Move, Score)> {
    let scored: Option<Vec<(Move, Score)>> =
        moves.iter().map(|entry| Some((entry.mv, entry.score?))).collect();
    scored?.into_iter().filter(|(mv, _)| *mv != best).max_by_key(|(_, score)| *score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options};

    #[test]
    fn the_second_move_is_the_same_reported_or_computed() {
        // Queen and rook hang.
        let fen = "3q3k/8/8/r7/8/1N6/8/3R2K1 w - - 0 1";
        let position = Chess::parse(&Options::defaults("chess", Chess::OPTIONS), fen).unwrap();
        // Minimax reports the score of every move, alpha-beta does not.
        let mut minimax = Analyst::new("minimax:depth=3", 1).unwrap();
        let reported = minimax.analyse(&position).unwrap();
        let mut alphabeta = Analyst::new("alphabeta:depth=2", 1).unwrap();
        assert_eq!(position.move_text(reported.best), "d1d8");
        assert!(reported.second.is_some());
        let second =
            alphabeta.second(&position, &Assessment { second: None, ..reported.clone() }).unwrap();
        let reported = minimax.second(&position, &reported).unwrap();
        assert_eq!(reported.map(|second| second.1), second.map(|second| second.1));
    }

    #[test]
    fn a_player_without_scores_is_refused() {
        let mut random = Analyst::new("random", 1).unwrap();
        assert!(random.analyse(&Chess::default()).unwrap_err().to_string().contains("random"));
    }
}
