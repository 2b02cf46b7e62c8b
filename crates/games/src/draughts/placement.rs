//! Pieces on squares as the inputs of a network: men and kings, own and others', on the 32 squares
//! of the English board. Each side sees the board from its own edge.

use super::{
    position::Draughts,
    rules::{Colour, Rules},
    squares,
};
use ludus_core::{NnueInputs, Side};

/// Men and kings.
const KINDS: usize = 2;
const SQUARES: usize = 32;

impl NnueInputs for Draughts {
    type Sets = [u64; 2 * KINDS];

    const INPUTS: usize = 2 * KINDS * SQUARES;
    const ASPECTS: usize = 1;
    const STAGES: usize = 8;
    const EMPTY: Self::Sets = [0; 2 * KINDS];

    /// Only the English rules have a network.
    #[inline]
    fn is_described(&self) -> bool {
        self.rules == Rules::English
    }

    #[inline]
    fn sets(&self) -> Self::Sets {
        let [black, white] = [Colour::Black, Colour::White].map(|colour| self.pieces(colour));
        let (men, kings) = (!self.kings, self.kings);
        [black & men, black & kings, white & men, white & kings]
    }

    #[inline]
    fn aspect(&self, _: Side) -> usize {
        0
    }

    #[inline]
    fn input(side: Side, _: usize, set: usize, square: usize) -> usize {
        // Bits past the last square belong to the larger board, which is not described.
        let square = squares::number(Rules::English, square as u32) as usize - 1;
        let square = square.min(SQUARES - 1);
        match side {
            Side::First => set * SQUARES + square,
            Side::Second => (set + KINDS) % (2 * KINDS) * SQUARES + SQUARES - 1 - square,
        }
    }

    #[inline]
    fn stage(&self) -> usize {
        let pieces = (self.own | self.other).count_ones() as usize;
        pieces.saturating_sub(1) / 3 % Self::STAGES
    }

    #[inline]
    fn clock(&self) -> usize {
        self.clock.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{HasEval, Position, Random};

    /// The inputs that are on, as the side to move and as the other side sees them.
    fn inputs(position: &Draughts) -> [Vec<usize>; 2] {
        [position.turn(), !position.turn()].map(|side| {
            let mut inputs = Vec::new();
            for (set, squares) in position.sets().into_iter().enumerate() {
                let on = (0..64).filter(|square| squares >> square & 1 != 0);
                inputs.extend(on.map(|square| Draughts::input(side, 0, set, square)));
            }
            inputs.sort_unstable();
            inputs
        })
    }

    #[test]
    fn both_colours_look_alike() {
        let mut random = Random::new(21);
        let mut seen = [0; Draughts::STAGES];
        for _ in 0..60 {
            let mut position = Draughts::new(Rules::English);
            let mut moves = Vec::new();
            for _ in 0..150 {
                let all = inputs(&position);
                for view in &all {
                    assert_eq!(view.len(), (position.own | position.other).count_ones() as usize);
                    assert!(view.windows(2).all(|pair| pair[0] < pair[1]), "{position:?}");
                    assert!(view.iter().all(|&input| input < Draughts::INPUTS));
                }
                let swapped = position.swapped().unwrap();
                assert_eq!(inputs(&swapped), all, "{position:?}");
                assert_eq!(swapped.stage(), position.stage());
                // Own men never stand in the row they are crowned in.
                assert!(all[0].iter().all(|&input| !(28..32).contains(&input)), "{position:?}");
                seen[position.stage()] += 1;
                moves.clear();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                let clock = position.clock();
                position.play(mv);
                assert_eq!(position.clock() % 256, (clock + 1) % 256);
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn only_the_english_rules_are_described() {
        let described = Rules::ALL.map(|rules| Draughts::new(rules).is_described());
        assert_eq!(described, [true, false, false, false]);
    }
}
