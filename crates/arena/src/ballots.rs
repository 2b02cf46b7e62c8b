//! The three-move ballots of English draughts: every distinct position after three moves in which
//! neither side has lost a man or must lose one at once.
//!
//! Of the 302 sequences of three moves, 216 lead to different positions; in 174 of these the men
//! stay even after a search of four plies with all captures played out. Searching deeper changes
//! nothing, and 174 is the number of ballots in tournament play.

use crate::game::Opening;
use ludus_core::{HasEval, Notation, Options, Position};
use ludus_games::draughts::{Draughts, DraughtsMove};
use ludus_knowledge::draughts::DraughtsKnowledge;

/// Depth of the search before captures are played out.
const SEARCH_DEPTH: u32 = 4;

/// All ballots, each with one move order to its position, sorted by moves.
pub fn three_move_ballots() -> Vec<Opening> {
    let options = Options::defaults(Draughts::ID, Draughts::OPTIONS);
    let start = Draughts::start(&options).expect("the usual rules have a start");
    let mut lines = vec![(start, Vec::new())];
    for _ in 0..3 {
        lines = extended(&lines);
    }
    let even = lines.into_iter().filter(|(position, _)| balance(position, SEARCH_DEPTH) == 0);
    even.map(|(_, moves)| Opening { position: None, moves }).collect()
}

/// Extends every line by every move; keeps one line per position.
fn extended(lines: &[(Draughts, Vec<String>)]) -> Vec<(Draughts, Vec<String>)> {
    let mut longer: Vec<(Draughts, Vec<String>)> = Vec::new();
    for (position, moves) in lines {
        for mv in moves_of(position) {
            let next = position.after(mv);
            if !longer.iter().any(|(known, _)| *known == next) {
                let mut moves = moves.clone();
                moves.push(position.move_text(mv));
                longer.push((next, moves));
            }
        }
    }
    longer
}

fn moves_of(position: &Draughts) -> Vec<DraughtsMove> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The material balance for the side to move, by minimax to `depth` and then along captures only.
fn balance(position: &Draughts, depth: u32) -> i32 {
    let moves = moves_of(position);
    let captures = moves.first().is_some_and(|mv| mv.captures() > 0);
    if moves.is_empty() || (depth == 0 && !captures) {
        return DraughtsKnowledge::material(position).unwrap_or(0) * position.turn().sign();
    }
    let values = moves.into_iter().map(|mv| -balance(&position.after(mv), depth.saturating_sub(1)));
    values.max().expect("there are moves")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_174() {
        let ballots = three_move_ballots();
        assert_eq!(ballots.len(), 174);
        assert_eq!(ballots[0].moves.len(), 3);
    }
}
