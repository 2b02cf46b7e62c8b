//! Forced mates played out: every move of the player must keep the mate, the best defence answers.

use super::{Goal, SuiteProblem, forced, legal_moves};
use ludus_core::{Outcome, Position};
use ludus_games::chess::{Chess, Move};

/// The best defence: the reply that delays a mate within `plies` plies for longest, the first of
/// equals in the order of generation; `None` if the game is over.
pub fn best_defence(position: &Chess, plies: u32) -> Option<Move> {
    let mut best = None;
    for reply in legal_moves(position) {
        let length = forced::win_in(&position.after(reply), plies).unwrap_or(u32::MAX);
        if best.is_none_or(|(_, longest)| length > longest) {
            best = Some((reply, length));
        }
    }
    best.map(|(reply, _)| reply)
}

/// A problem while it is played out.
#[derive(Clone, Debug)]
pub struct LineReferee {
    right_moves: Vec<Move>,
    position: Chess,
    /// Plies within which the mate is forced; `None` if the first move decides.
    plies: Option<u32>,
}

/// Consequence of a move of the player.
#[derive(Clone, Debug, PartialEq)]
pub enum LineStep {
    /// The problem is not solved.
    Failed,
    /// The problem is solved.
    Solved,
    /// The mate is kept; the best defence, after which the player moves again.
    Reply(Move),
}

impl LineReferee {
    /// Starts a problem.
    pub fn new(problem: &SuiteProblem) -> LineReferee {
        let plies = match problem.goal {
            Goal::Mate(moves) => Some(2 * moves - 1),
            Goal::Best(_) | Goal::Avoid(_) => None,
        };
        let position = problem.position.clone();
        LineReferee { right_moves: problem.solutions(), position, plies }
    }

    /// Position in which the player is to move.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Moves that keep the mate, or solve a problem of another kind.
    pub fn right_moves(&self) -> &[Move] {
        &self.right_moves
    }

    /// Judges a move of the player, and answers it.
    pub fn play(&mut self, mv: Move) -> LineStep {
        if !self.right_moves.contains(&mv) {
            return LineStep::Failed;
        }
        let after = self.position.after(mv);
        let Some(plies) = self.plies else { return LineStep::Solved };
        if after.outcome() == Some(Outcome::Win(self.position.turn())) {
            return LineStep::Solved;
        }
        // A right move that is not mate leaves the defender a move, and a mate in two plies less.
        let left = plies.saturating_sub(2);
        let Some(reply) = best_defence(&after, left) else { return LineStep::Failed };
        self.position = after.after(reply);
        self.plies = Some(left);
        self.right_moves = forced::winning_moves(&self.position, left);
        LineStep::Reply(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::read;
    use ludus_core::Notation;

    const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2;";

    fn referee(line: &str) -> LineReferee {
        LineReferee::new(&read(line).unwrap()[0])
    }

    fn play(referee: &mut LineReferee, mv: &str) -> LineStep {
        let mv = referee.position().parse_move(mv).unwrap();
        referee.play(mv)
    }

    #[test]
    fn a_mate_is_played_out_against_the_first_of_the_longest_defences() {
        let mut game = referee(MORPHY);
        let replies = legal_moves(&game.position().after(game.right_moves()[0]));
        assert!(replies.len() > 1, "{replies:?}");
        // Every reply is mated by the next move, so the first is the best defence.
        assert_eq!(play(&mut game, "Ra6"), LineStep::Reply(replies[0]));
        for mv in legal_moves(game.position()) {
            let is_mate = game.position().after(mv).outcome().is_some();
            let step = game.clone().play(mv);
            assert_eq!(step == LineStep::Solved, is_mate, "{}", game.position().move_text(mv));
            assert_eq!(step == LineStep::Failed, !is_mate);
        }
        assert_eq!(play(&mut referee(MORPHY), "Ra5"), LineStep::Failed);
    }

    #[test]
    fn the_longest_defence_is_chosen() {
        let text = "5k2/8/8/8/8/8/R7/1R2K3 w - - dm 2;";
        let mut game = referee(text);
        let key = game.right_moves()[0];
        let after = game.position().after(key);
        let lengths: Vec<Option<u32>> = legal_moves(&after)
            .into_iter()
            .map(|reply| forced::win_in(&after.after(reply), 3))
            .collect();
        let LineStep::Reply(reply) = game.play(key) else { panic!("{key:?} keeps the mate") };
        let length = forced::win_in(&after.after(reply), 3);
        assert_eq!(Some(length), lengths.iter().max().copied());
        assert_eq!(length, Some(1));
    }

    #[test]
    fn problems_without_a_mate_are_decided_by_the_first_move() {
        let queen = "3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Rxd8+;";
        assert_eq!(play(&mut referee(queen), "Rxd8+"), LineStep::Solved);
        assert_eq!(play(&mut referee(queen), "Nxa5"), LineStep::Failed);
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - dm 1;";
        assert_eq!(play(&mut referee(fool), "Qh4#"), LineStep::Solved);
    }
}
