//! What a search should know: captures are forced, so a position with one to make is not quiet.

use super::{
    board::{all_squares, crowning, row},
    english,
    eval::king_worth,
    flying::{self, Brazilian, International, Russian},
    moves::Move,
    position::Draughts,
    rules::{Colour, Rules},
};
use ludus_core::{Position, SearchHints};

impl Draughts {
    /// Whether the side to move can capture, found without making a list.
    #[inline]
    pub(super) fn can_capture(&self) -> bool {
        match (self.rules, self.colour) {
            (Rules::English, Colour::Black) => english::can_capture::<true>(self),
            (Rules::English, Colour::White) => english::can_capture::<false>(self),
            (Rules::Brazilian, _) => flying::can_capture::<Brazilian>(*self),
            (Rules::Russian, _) => flying::can_capture::<Russian>(*self),
            (Rules::International, _) => flying::can_capture::<International>(*self),
        }
    }

    #[inline]
    fn is_man(&self, square: u32) -> bool {
        self.kings >> square & 1 == 0
    }

    /// Whether a man makes `mv` and ends it in the crowning row.
    #[inline]
    fn crowns(&self, mv: Move) -> bool {
        self.is_man(mv.from()) && crowning(self.rules, self.colour) >> mv.to() & 1 == 1
    }

    /// Appends the steps of men into the crowning row.
    #[inline]
    fn crowning_steps(&self, out: &mut Vec<Move>) {
        let width = self.rules.width();
        let (next, step) = match self.colour {
            Colour::Black => (row(width, 2 * width - 2), width as i32),
            Colour::White => (row(width, 1), -(width as i32)),
        };
        let mut men = self.own & !self.kings & next;
        let empty = all_squares(self.rules) & !(self.own | self.other);
        while men != 0 {
            let from = men.trailing_zeros();
            men &= men - 1;
            for distance in [step, step + step.signum()] {
                let to = from.wrapping_add_signed(distance);
                if empty.unbounded_shr(to) & 1 == 1 {
                    out.push(Move::quiet(from, to));
                }
            }
        }
    }
}

impl SearchHints for Draughts {
    /// Man or king, end, and the four ways to come there.
    const SLOTS: usize = 2 * 64 * 4;

    #[inline]
    fn slot(&self, mv: Move) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|square| square as usize);
        // The two steps down differ by one bit in length, and so do the two steps up.
        let way = usize::from(to > from) << 1 | (from ^ to) & 1;
        usize::from(!self.is_man(mv.from())) << 8 | to << 2 | way
    }

    /// Pieces captured, and what being crowned adds.
    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        let crown = king_worth(self.rules) - 100;
        let captured = mv.captured();
        let crowned = i32::from(self.crowns(mv));
        if captured == 0 {
            return crown * crowned;
        }
        let kings = (captured & self.kings).count_ones() as i32;
        100 * captured.count_ones() as i32 + crown * (kings + crowned)
    }

    /// Men of the first row stay there as long as they can.
    #[inline]
    fn preference(&self, mv: Move) -> i32 {
        let home = self.own & !self.kings & crowning(self.rules, !self.colour);
        -60 * (home >> mv.from() & 1) as i32
    }

    #[inline]
    fn is_pressed(&self) -> bool {
        self.can_capture()
    }

    #[inline]
    fn noisy_moves(&self, out: &mut Vec<Move>) {
        if self.can_capture() {
            self.legal_moves(out);
        } else {
            self.crowning_steps(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    /// Calls `check` with the positions of random games of every rule set and their moves.
    fn random_games(mut check: impl FnMut(&Draughts, &[Move])) {
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
    fn pressed_means_that_the_legal_moves_are_captures() {
        let (mut pressed, mut crowned) = (0, 0);
        random_games(|position, moves| {
            let captures = moves.iter().any(|mv| mv.captures() > 0);
            assert_eq!(position.is_pressed(), captures, "{position:?}");
            let mut noisy = vec![moves.first().copied().unwrap_or(Move::quiet(0, 0))];
            position.noisy_moves(&mut noisy);
            let is_noisy = |mv: &&Move| {
                captures || position.after(**mv).kings.count_ones() > position.kings.count_ones()
            };
            let mut expected: Vec<Move> = moves.iter().filter(is_noisy).copied().collect();
            let mut found = noisy.split_off(1);
            for list in [&mut expected, &mut found] {
                list.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.captured()));
            }
            assert_eq!(found, expected, "{position:?}");
            pressed += usize::from(captures);
            crowned += usize::from(!captures && !found.is_empty());
        });
        assert!(pressed > 1000 && crowned > 200, "{pressed} {crowned}");
    }

    #[test]
    fn slots_are_in_range_and_tell_quiet_moves_apart() {
        random_games(|position, moves| {
            let mut slots: Vec<usize> = moves
                .iter()
                .filter(|mv| mv.captures() == 0 && position.is_man(mv.from()))
                .map(|&mv| position.slot(mv))
                .collect();
            slots.sort_unstable();
            assert!(slots.windows(2).all(|pair| pair[0] < pair[1]), "{position:?}");
            assert!(moves.iter().all(|&mv| position.slot(mv) < Draughts::SLOTS));
        });
    }

    #[test]
    fn a_gain_is_what_the_balance_of_pieces_gains() {
        use ludus_core::HasEval;
        random_games(|position, moves| {
            for &mv in moves {
                let [before, after] =
                    [*position, position.after(mv)].map(|p| p.material().unwrap());
                let gained = (after - before) * position.turn().sign();
                let passing = position.rules == Rules::Russian && mv.captures() > 0;
                assert!(position.gain(mv) == gained || passing, "{position:?} {mv:?}");
                assert!(mv.captures() > 0 || (-100..=200).contains(&position.preference(mv)));
            }
        });
    }
}
