//! The evaluation: linear in its weights, which are in `data/hand/draughts.txt`, a block of terms
//! for each rule set that has weights of its own; the others borrow the block of the most similar.
//!
//! It is meant for quiet positions. Captures are resolved by the search: the evaluation only knows
//! whether the side to move has one and which pieces the other side could jump next.

mod board_masks;
mod count_terms;
mod patterns;
mod term_layout;

use crate::draughts::DraughtsKnowledge;
use board_masks::BoardMasks;
use ludus_core::{
    HasEval, LinearEval, LinearEvaluator, TermSink, Weights, eval::MAX_PHASE, linear::Group,
};
use ludus_games::{
    draughts::{Colour, Draughts, Rules, board::Ten},
    with_static_rules,
};
use std::sync::LazyLock;

impl LinearEval for DraughtsKnowledge {
    type Position = Draughts;

    const GROUPS: &'static [Group] = &term_layout::GROUPS;

    #[inline]
    fn count_terms(position: &Draughts, sink: &mut impl TermSink) {
        with_static_rules!(position.rules(), R => count_terms::count_terms::<R>(position, sink));
    }

    /// Phase by the number of pieces gone.
    #[inline]
    fn phase(position: &Draughts) -> i32 {
        let pieces = (position.own() | position.other()).count_ones();
        i32::from(PHASE[usize::from(position.rules().large_board())][pieces as usize])
    }

    /// With flying kings a lone king on the long diagonal holds against three pieces with a king,
    /// and elsewhere against two: such a lead is worth a tenth. Short kings hold as one against two
    /// only in a double corner, which is left to search.
    #[inline]
    fn scale_drawish(position: &Draughts, sum: i32) -> i32 {
        let few = (position.own() | position.other()).count_ones() <= 4;
        if few && position.rules().flying_kings() && lone_king_holds(position) {
            sum / 10
        } else {
            sum
        }
    }
}

/// The phase by number of pieces, on the small board and on the large.
const PHASE: [[u16; 65]; 2] = [phases(24), phases(40)];

const fn phases(all: usize) -> [u16; 65] {
    let mut phases = [0; 65];
    let mut pieces = 0;
    while pieces < all {
        phases[pieces] = ((all - pieces) * MAX_PHASE as usize / all) as u16;
        pieces += 1;
    }
    phases
}

#[inline(never)]
fn lone_king_holds(position: &Draughts) -> bool {
    let diagonal = if position.rules().large_board() {
        Ten::LONG_DIAGONAL
    } else {
        ludus_games::draughts::board::MAIN_ROAD
    };
    let holds = |pieces: u64, against: u64| {
        let is_king = pieces.count_ones() == 1 && pieces & position.kings() == pieces;
        let crowned = against & position.kings() != 0;
        let enough = if pieces & diagonal != 0 { 3 } else { 2 };
        is_king && crowned && against.count_ones() <= enough
    };
    holds(position.own(), position.other()) || holds(position.other(), position.own())
}

/// Nominal value of a king, in hundredths of a man.
#[inline]
pub(super) const fn king_value(rules: Rules) -> i32 {
    if rules.flying_kings() { 300 } else { 140 }
}

static HANDCRAFTED: LazyLock<LinearEvaluator<DraughtsKnowledge>> = LazyLock::new(|| {
    let weights = Weights::parse(ludus_data::hand::DRAUGHTS, DraughtsKnowledge::GROUPS)
        .expect("a test reads these weights");
    LinearEvaluator::new(&weights)
});

impl HasEval<Draughts> for DraughtsKnowledge {
    type Handcrafted = LinearEvaluator<DraughtsKnowledge>;

    fn handcrafted() -> LinearEvaluator<DraughtsKnowledge> {
        HANDCRAFTED.clone()
    }

    fn material(position: &Draughts) -> Option<i32> {
        let worth = |pieces: u64| {
            let kings = (pieces & position.kings()).count_ones() as i32;
            100 * (pieces.count_ones() as i32 - kings) + king_value(position.rules()) * kings
        };
        let [first, second] = match position.rules().first() {
            Colour::Black => [Colour::Black, Colour::White],
            Colour::White => [Colour::White, Colour::Black],
        };
        Some(worth(position.pieces(first)) - worth(position.pieces(second)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{
        Evaluator, Notation, Options, Position, Random, eval::Weight, linear::TermCounts,
    };

    fn parse(rules: Rules, text: &str) -> Draughts {
        let spec = format!("draughts:rules={}", rules.name());
        let options = Options::parse(&spec, Draughts::OPTIONS).unwrap();
        Draughts::parse(&options, text).unwrap()
    }

    /// The score for the side to move.
    fn score(rules: Rules, text: &str) -> i32 {
        DraughtsKnowledge::handcrafted().evaluate(&parse(rules, text)).0
    }

    #[test]
    fn weights_are_read_and_even_at_the_start() {
        for rules in Rules::ALL {
            let start = Draughts::new(rules);
            assert_eq!(DraughtsKnowledge::phase(&start), 0);
            assert_eq!(DraughtsKnowledge::material(&start), Some(0));
            let score = DraughtsKnowledge::handcrafted().evaluate(&start).0;
            assert!((-30..=30).contains(&score), "{}: {score}", rules.name());
        }
        let empty = parse(Rules::English, "W:W:B");
        assert_eq!(DraughtsKnowledge::phase(&empty), MAX_PHASE);
    }

    #[test]
    fn random_weights_of_all_terms_evaluate_both_colours_alike() {
        let mut random = Random::new(7);
        let mut weights = Weights::zero(DraughtsKnowledge::GROUPS);
        for weight in &mut weights.terms {
            let mut number = || random.below(201) as i32 - 100;
            *weight = Weight::tapered(number(), number());
        }
        let mut hand = LinearEvaluator::<DraughtsKnowledge>::new(&weights);
        for rules in Rules::ALL {
            for _ in 0..300 {
                let squares = ludus_games::draughts::board::all_squares(rules);
                let inner = squares & random.bits() & random.bits();
                let black = inner & random.bits();
                let kings = inner & random.bits() & random.bits();
                let position = Draughts::with(rules, Colour::Black, [black, inner & !black], kings);
                let swapped = position.colour_flipped().unwrap();
                assert_eq!(hand.evaluate(&position), hand.evaluate(&swapped), "{position:?}");
                let negated: Vec<_> = TermCounts::of::<DraughtsKnowledge>(&swapped)
                    .0
                    .iter()
                    .map(|&(term, count)| (term, -count))
                    .collect();
                assert_eq!(TermCounts::of::<DraughtsKnowledge>(&position).0, negated);
            }
        }
    }

    #[test]
    fn pieces_are_worth_what_they_should() {
        let english = |text| score(Rules::English, text);
        assert!(english("B:W30,31,32:B1,2,3,4") > 100);
        let with = |piece| score(Rules::English, &format!("B:W25,29,30,31,32:B1,2,3,4,{piece}"));
        assert!(with("K14") > with("14") + 30, "a king among men");
        assert!(english("B:W29,5:B1,23") > english("B:W31,5:B1,23") + 20, "a runaway");
        let russian = |text| score(Rules::Russian, text);
        assert!(russian("W:WKc1,a1,g1:Bb8,h8,f8") > 200);
    }

    #[test]
    fn a_lone_flying_king_holds() {
        let russian = |text| score(Rules::Russian, text);
        assert!(russian("W:WKc1,Ke1,Kg1:BKa1") < 150, "on the main road");
        assert!(russian("W:WKc1,Ke1,Kg1:BKb8") > 500, "elsewhere");
        assert!(score(Rules::International, "W:WK47,K48:BK6") < 100);
    }

    #[test]
    fn quiet_moves_keep_the_opposition() {
        let term = term_layout::TermLayout::of(Rules::English).turn + 1;
        let opposition = |position: &Draughts| {
            let counts = TermCounts::of::<DraughtsKnowledge>(position);
            counts.0.iter().find(|&&(found, _)| found == term).map_or(0, |&(_, count)| count)
        };
        let english = |text| opposition(&parse(Rules::English, text));
        // Two men face each other with three rows between: the side to move has to give way.
        assert_eq!([english("B:W22:B6"), english("W:W22:B6")], [-1, 1]);
        assert_eq!([english("B:W18:B6"), english("B:W22,32:B6")], [1, 0]);
        let mut random = Random::new(2);
        let mut position = Draughts::new(Rules::English);
        let mut moves = Vec::new();
        for _ in 0..2000 {
            moves.clear();
            position.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else {
                position = Draughts::new(Rules::English);
                continue;
            };
            let next = position.after(mv);
            assert!(mv.captures() > 0 || opposition(&next) == opposition(&position));
            position = next;
        }
    }
}
