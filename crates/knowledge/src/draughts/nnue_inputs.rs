//! NNUE inputs: men and kings, own and enemy, on the 32 squares of the English board. Each side
//! sees the board from its own edge.

use super::DraughtsKnowledge;
use ludus_core::{NnueInputs, Side};
use ludus_games::draughts::{Colour, Draughts, Rules, squares};

/// Men and kings.
const KINDS: usize = 2;
const SQUARES: usize = 32;

impl NnueInputs for DraughtsKnowledge {
    type Position = Draughts;

    type Planes = [u64; 2 * KINDS];

    const INPUTS: usize = 2 * KINDS * SQUARES;
    const ORIENTATIONS: usize = 1;
    const OUTPUT_BUCKETS: usize = 8;
    const EMPTY: Self::Planes = [0; 2 * KINDS];

    /// Only the English rules have a network.
    #[inline]
    fn has_nnue_inputs(position: &Draughts) -> bool {
        position.rules() == Rules::English
    }

    #[inline]
    fn planes(position: &Draughts) -> Self::Planes {
        let [black, white] = [Colour::Black, Colour::White].map(|colour| position.pieces(colour));
        let (men, kings) = (!position.kings(), position.kings());
        [black & men, black & kings, white & men, white & kings]
    }

    #[inline]
    fn orientation(_: &Draughts, _: Side) -> usize {
        0
    }

    #[inline]
    fn input(side: Side, _: usize, plane: usize, square: usize) -> usize {
        // Bits past the last square belong to the larger board, which has no inputs.
        let square = squares::number(Rules::English, square as u32) as usize - 1;
        let square = square.min(SQUARES - 1);
        match side {
            Side::First => plane * SQUARES + square,
            Side::Second => (plane + KINDS) % (2 * KINDS) * SQUARES + SQUARES - 1 - square,
        }
    }

    #[inline]
    fn output_bucket(position: &Draughts) -> usize {
        let pieces = (position.own() | position.other()).count_ones() as usize;
        pieces.saturating_sub(1) / 3 % Self::OUTPUT_BUCKETS
    }

    #[inline]
    fn ply_hint(position: &Draughts) -> usize {
        position.ply().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Position, Random};

    /// The active inputs from the view of the side to move and of the other side.
    fn inputs(position: &Draughts) -> [Vec<usize>; 2] {
        [position.turn(), !position.turn()].map(|side| {
            let mut inputs = Vec::new();
            for (plane, squares) in DraughtsKnowledge::planes(position).into_iter().enumerate() {
                let on = (0..64).filter(|square| squares >> square & 1 != 0);
                inputs.extend(on.map(|square| DraughtsKnowledge::input(side, 0, plane, square)));
            }
            inputs.sort_unstable();
            inputs
        })
    }

    #[test]
    fn both_colours_look_alike() {
        let mut random = Random::new(21);
        let mut seen = [0; DraughtsKnowledge::OUTPUT_BUCKETS];
        for _ in 0..60 {
            let mut position = Draughts::new(Rules::English);
            let mut moves = Vec::new();
            for _ in 0..150 {
                let all = inputs(&position);
                for view in &all {
                    assert_eq!(
                        view.len(),
                        (position.own() | position.other()).count_ones() as usize
                    );
                    assert!(view.windows(2).all(|pair| pair[0] < pair[1]), "{position:?}");
                    assert!(view.iter().all(|&input| input < DraughtsKnowledge::INPUTS));
                }
                let swapped = position.colour_flipped().unwrap();
                assert_eq!(inputs(&swapped), all, "{position:?}");
                assert_eq!(
                    DraughtsKnowledge::output_bucket(&swapped),
                    DraughtsKnowledge::output_bucket(&position)
                );
                // Own men never stand in the row they are crowned in.
                assert!(all[0].iter().all(|&input| !(28..32).contains(&input)), "{position:?}");
                seen[DraughtsKnowledge::output_bucket(&position)] += 1;
                moves.clear();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                let clock = DraughtsKnowledge::ply_hint(&position);
                position.play(mv);
                assert_eq!(DraughtsKnowledge::ply_hint(&position) % 256, (clock + 1) % 256);
            }
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn only_the_english_rules_are_described() {
        for rules in Rules::ALL {
            let described = DraughtsKnowledge::has_nnue_inputs(&Draughts::new(rules));
            assert_eq!(described, rules == Rules::English);
        }
    }
}
