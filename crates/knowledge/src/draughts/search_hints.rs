//! Search hints: captures are mandatory, so a position with a capture is not quiet.

use super::{DraughtsKnowledge, eval::king_value};
use ludus_core::{Position, SearchHints};
use ludus_games::draughts::{
    Colour, Draughts, DraughtsMove,
    board::{all_squares, crowning, row},
};

#[inline]
fn is_man(position: &Draughts, square: u32) -> bool {
    position.kings() >> square & 1 == 0
}

/// Whether a man makes `mv` and ends it in the crowning row.
#[inline]
fn crowns(position: &Draughts, mv: DraughtsMove) -> bool {
    is_man(position, mv.from()) && crowning(position.rules(), position.colour()) >> mv.to() & 1 == 1
}

/// Appends the steps of men into the crowning row.
#[inline]
fn crowning_steps(position: &Draughts, out: &mut Vec<DraughtsMove>) {
    let width = position.rules().width();
    let (next, step) = match position.colour() {
        Colour::Black => (row(width, 2 * width - 2), width as i32),
        Colour::White => (row(width, 1), -(width as i32)),
    };
    let mut men = position.own() & !position.kings() & next;
    let empty = all_squares(position.rules()) & !(position.own() | position.other());
    while men != 0 {
        let from = men.trailing_zeros();
        men &= men - 1;
        for distance in [step, step + step.signum()] {
            let to = from.wrapping_add_signed(distance);
            if empty.unbounded_shr(to) & 1 == 1 {
                out.push(DraughtsMove::quiet(from, to));
            }
        }
    }
}

impl SearchHints<Draughts> for DraughtsKnowledge {
    /// By man or king, target square and direction.
    const HISTORY_SIZE: usize = 2 * 64 * 4;

    #[inline]
    fn history_index(self, position: &Draughts, mv: DraughtsMove) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| square as usize);
        // The two steps down differ by one bit in length, and so do the two steps up.
        let way = usize::from(to > from) << 1 | (from ^ to) & 1;
        usize::from(!is_man(position, mv.from())) << 8 | to << 2 | way
    }

    /// Captured pieces and the gain of crowning.
    #[inline]
    fn material_gain(self, position: &Draughts, mv: DraughtsMove) -> i32 {
        let crown = king_value(position.rules()) - 100;
        let captured = mv.captured();
        let crowned = i32::from(crowns(position, mv));
        if captured == 0 {
            return crown * crowned;
        }
        let kings = (captured & position.kings()).count_ones() as i32;
        100 * captured.count_ones() as i32 + crown * (kings + crowned)
    }

    /// Men of the home row are moved last.
    #[inline]
    fn quiet_bonus(self, position: &Draughts, mv: DraughtsMove) -> i32 {
        let home =
            position.own() & !position.kings() & crowning(position.rules(), !position.colour());
        -60 * (home >> mv.from() & 1) as i32
    }

    #[inline]
    fn must_respond(self, position: &Draughts) -> bool {
        position.can_capture()
    }

    #[inline]
    fn noisy_moves(self, position: &Draughts, out: &mut Vec<DraughtsMove>) {
        if position.can_capture() {
            position.legal_moves(out);
        } else {
            crowning_steps(position, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;
    use ludus_games::draughts::Rules;

    /// Calls `check` with the positions of random games of every rule set and their moves.
    fn random_games(mut check: impl FnMut(&Draughts, &[DraughtsMove])) {
        let mut random = Random::new(11);
        for rules in Rules::ALL {
            for _ in 0..60 {
                let mut position = Draughts::new(rules);
                for _ in 0..150 {
                    let mut moves = Vec::new();
                    position.legal_moves(&mut moves);
                    check(&position, &moves);
                    let Some(mv) = random.pick(&moves) else { break };
                    position.play(mv);
                }
            }
        }
    }

    #[test]
    fn must_respond_means_that_the_legal_moves_are_captures() {
        let (mut must_respond, mut crowned) = (0, 0);
        random_games(|position, moves| {
            let captures = moves.iter().any(|mv| mv.captures() > 0);
            assert_eq!(DraughtsKnowledge.must_respond(position), captures, "{position:?}");
            let mut noisy = vec![moves.first().copied().unwrap_or(DraughtsMove::quiet(0, 0))];
            DraughtsKnowledge.noisy_moves(position, &mut noisy);
            let is_noisy = |mv: &&DraughtsMove| {
                captures
                    || position.after(**mv).kings().count_ones() > position.kings().count_ones()
            };
            let mut expected: Vec<DraughtsMove> = moves.iter().filter(is_noisy).copied().collect();
            let mut found = noisy.split_off(1);
            for list in [&mut expected, &mut found] {
                list.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.captured()));
            }
            assert_eq!(found, expected, "{position:?}");
            must_respond += usize::from(captures);
            crowned += usize::from(!captures && !found.is_empty());
        });
        assert!(must_respond > 1000 && crowned > 200, "{must_respond} {crowned}");
    }

    #[test]
    fn history_indices_are_in_range_and_tell_quiet_moves_apart() {
        random_games(|position, moves| {
            let mut indices: Vec<usize> = moves
                .iter()
                .filter(|mv| mv.captures() == 0 && is_man(position, mv.from()))
                .map(|&mv| DraughtsKnowledge.history_index(position, mv))
                .collect();
            indices.sort_unstable();
            assert!(indices.windows(2).all(|pair| pair[0] < pair[1]), "{position:?}");
            assert!(moves.iter().all(|&mv| DraughtsKnowledge.history_index(position, mv)
                < DraughtsKnowledge::HISTORY_SIZE));
        });
    }

    #[test]
    fn a_gain_is_what_the_balance_of_pieces_gains() {
        use ludus_core::HasEval;
        random_games(|position, moves| {
            for &mv in moves {
                let [before, after] = [*position, position.after(mv)]
                    .map(|p| DraughtsKnowledge::material(&p).unwrap());
                let gained = (after - before) * position.turn().sign();
                let passing = position.rules().crowned_in_passing() && mv.captures() > 0;
                assert!(
                    DraughtsKnowledge.material_gain(position, mv) == gained || passing,
                    "{position:?} {mv:?}"
                );
                assert!(
                    mv.captures() > 0
                        || (-100..=200).contains(&DraughtsKnowledge.quiet_bonus(position, mv))
                );
            }
        });
    }
}
