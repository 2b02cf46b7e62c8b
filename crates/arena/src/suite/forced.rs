//! Forced wins, proved by exhaustive search: no evaluation, no hash table, no pruning except that one
//! refutation is enough.

use ludus_core::{Outcome, Position};

/// The moves that win by force within `plies` plies. Draws by repetition or move count are ignored,
/// which makes no difference to a mate in a few moves from a position without history.
pub fn winning_moves<P: Position>(position: &P, plies: u32) -> Vec<P::Move> {
    let mut moves = Vec::new();
    if plies == 0 {
        return moves;
    }
    position.legal_moves(&mut moves);
    moves.retain(|&mv| is_lost(&position.after(mv), plies - 1));
    moves
}

/// Whether the side to move has a forced win within `plies` plies.
pub fn is_won<P: Position>(position: &P, plies: u32) -> bool {
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().any(|mv| is_lost(&position.after(mv), plies - 1))
}

/// Whether the side to move has lost or loses by force within `plies` plies.
fn is_lost<P: Position>(position: &P, plies: u32) -> bool {
    if plies == 0 || position.count_moves() == 0 {
        return position.outcome() == Some(Outcome::Win(!position.turn()));
    }
    let mut replies = Vec::new();
    position.legal_moves(&mut replies);
    replies.into_iter().all(|reply| is_won(&position.after(reply), plies - 1))
}

/// The length in plies of the shortest forced win, if there is one of at most `plies` plies.
pub fn win_in<P: Position>(position: &P, plies: u32) -> Option<u32> {
    (1..=plies).step_by(2).find(|&length| is_won(position, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Random, Side};
    use ludus_games::{chess::Chess, tictactoe::TicTacToe};

    fn chess(fen: &str) -> Chess {
        Chess::parse(&Options::defaults("chess", Chess::OPTIONS), fen).unwrap()
    }

    fn keys(fen: &str, plies: u32) -> Vec<String> {
        let position = chess(fen);
        winning_moves(&position, plies).into_iter().map(|mv| position.record_text(mv)).collect()
    }

    #[test]
    fn known_problems_have_their_keys() {
        // Paul Morphy, 1849: 1 Ra6.
        let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        assert_eq!(keys(morphy, 3), ["Ra6"]);
        assert_eq!(win_in(&chess(morphy), 5), Some(3));
        // The Arabian end of Philidor's smothered mate.
        let smothered = "5r1k/6pp/7N/3Q4/8/8/8/6K1 w - - 0 1";
        assert_eq!(keys(smothered, 3), ["Qg8+"]);
        assert_eq!(win_in(&chess(smothered), 2), None);
        // The fool's mate, and the move before it.
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        assert_eq!(keys(fool, 1), ["Qh4#"]);
        assert_eq!(win_in(&chess(fool), 3), Some(1));
        assert_eq!(win_in(&Chess::default(), 3), None);
    }

    #[test]
    fn stalemate_is_no_win() {
        assert_eq!(keys("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1), ["Qf8#"]);
        assert!(keys("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", 0).is_empty());
        assert!(!is_won(&chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3));
    }

    /// Reference: plain negamax to depth `plies`.
    fn value(position: &TicTacToe, plies: u32) -> i32 {
        match position.outcome() {
            Some(Outcome::Win(winner)) => return if winner == position.turn() { 1 } else { -1 },
            Some(Outcome::Draw) => return 0,
            None if plies == 0 => return 0,
            None => {}
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().map(|mv| -value(&position.after(mv), plies - 1)).max().unwrap()
    }

    #[test]
    fn it_agrees_with_a_plain_negamax() {
        let mut random = Random::new(11);
        let mut won = [0, 0];
        for _ in 0..300 {
            let mut position =
                TicTacToe::start(&Options::defaults("tictactoe", TicTacToe::OPTIONS)).unwrap();
            for _ in 0..2 + random.below(4) {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                position = random.pick(&moves).map_or(position, |mv| position.after(mv));
            }
            if position.outcome().is_some() {
                continue;
            }
            for plies in 0..=5 {
                let wins = is_won(&position, plies);
                assert_eq!(wins, value(&position, plies) == 1, "{} {plies}", position.text());
                assert_eq!(wins, !winning_moves(&position, plies).is_empty());
                won[usize::from(position.turn() == Side::First)] += usize::from(wins);
            }
        }
        assert!(won.iter().all(|&won| won > 50), "{won:?}");
    }
}
