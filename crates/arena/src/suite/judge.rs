//! What a player thinks of a position: its best move, and what the next best is worth.

use super::legal_moves;
use ludus_core::{
    Action, History, Limits, MoveReport, Player, PlayerError, Position, Report, Score, Watch,
};
use ludus_games::chess::{Chess, Move};
use ludus_players::{Resources, build_player};
use std::sync::atomic::AtomicBool;

/// A player that is asked about positions.
pub(super) struct Judge {
    player: Box<dyn Player<Chess>>,
    spec: String,
    seed: u64,
}

/// What a judge said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opinion {
    pub best: Move,
    pub score: Score,
    /// The depth it reached.
    pub depth: u32,
    /// The depth from which on it stayed with its move.
    pub seen_from: u32,
    /// The next best move, if the judge itself tells (an engine asked for more than one line).
    second: Option<(Move, Score)>,
}

impl Opinion {
    /// The score of the next best move, if the judge itself told it.
    pub(super) fn told_second(&self) -> Option<Score> {
        self.second.map(|(_, score)| score)
    }
}

impl Judge {
    pub(super) fn new(spec: &str, seed: u64) -> Result<Judge, PlayerError> {
        let player = build_player(spec, &Resources { seed, ..Resources::default() })?;
        Ok(Judge { player, spec: spec.to_owned(), seed })
    }

    /// What the player calls itself.
    pub(super) fn name(&self) -> &str {
        self.player.name()
    }

    /// Forgets the positions it has been asked about.
    pub(super) fn forget(&mut self) {
        self.player.new_game(self.seed);
    }

    /// Its opinion of a position in which the game goes on.
    pub(super) fn ask(&mut self, position: &Chess) -> Result<Opinion, PlayerError> {
        let mut firsts: Vec<(u32, Move)> = Vec::new();
        let mut listen = |report: &Report<Move>| {
            firsts.extend(report.line.first().map(|&mv| (report.depth, mv)));
        };
        let mut watch = Watch { stop: &AtomicBool::new(false), on_report: &mut listen };
        let game = History::new(position.clone());
        let choice = self.player.choose(&game, &Limits::default(), &mut watch)?;
        let (Action::Play(best), Some(score)) = (choice.action, choice.report.score) else {
            return Err(PlayerError::failed(format!("{} judges no positions", self.spec)));
        };
        let stayed = firsts.iter().rev().take_while(|(_, mv)| *mv == best);
        Ok(Opinion {
            best,
            score,
            depth: choice.report.depth,
            seen_from: stayed.last().map_or(choice.report.depth, |first| first.0),
            second: second_of(best, &choice.report.moves),
        })
    }

    /// The best move but that of `opinion`, and its score. A judge that told only one line is
    /// asked about every position the others lead to.
    pub(super) fn second(
        &mut self,
        position: &Chess,
        opinion: &Opinion,
    ) -> Result<Option<(Move, Score)>, PlayerError> {
        if opinion.second.is_some() {
            return Ok(opinion.second);
        }
        let mut second = None;
        for mv in legal_moves(position).into_iter().filter(|&mv| mv != opinion.best) {
            let next = position.after(mv);
            let score = match next.outcome() {
                Some(outcome) => Score::terminal(outcome, position.turn(), 1),
                None => -self.ask(&next)?.score,
            };
            if second.is_none_or(|(_, best)| score > best) {
                second = Some((mv, score));
            }
        }
        Ok(second)
    }
}

/// The second of the moves a player listed, if it has scores for all it listed. A search that
/// proves some moves only worse than others lists them without.
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
    fn told_or_asked_for_the_second_move_is_the_same() {
        // The queen hangs, and so does a rook, which is less.
        let fen = "3q3k/8/8/r7/8/1N6/8/3R2K1 w - - 0 1";
        let position = Chess::parse(&Options::defaults("chess", Chess::OPTIONS), fen).unwrap();
        // Minimax tells the score of every move; alpha-beta does not.
        let mut teller = Judge::new("minimax:depth=3", 1).unwrap();
        let told = teller.ask(&position).unwrap();
        let mut asked = Judge::new("alphabeta:depth=2", 1).unwrap();
        assert_eq!(position.move_text(told.best), "d1d8");
        assert!(told.second.is_some());
        let second = asked.second(&position, &Opinion { second: None, ..told.clone() }).unwrap();
        let told = teller.second(&position, &told).unwrap();
        assert_eq!(told.map(|second| second.1), second.map(|second| second.1));
    }

    #[test]
    fn a_player_without_judgement_is_no_judge() {
        let mut judge = Judge::new("random", 1).unwrap();
        assert!(judge.ask(&Chess::default()).unwrap_err().to_string().contains("random"));
    }
}
