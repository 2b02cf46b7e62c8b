//! Chances of a player that plays uniformly random moves, exactly.

use super::{
    SuiteProblem,
    line::{LineReferee, LineStep},
};
use ludus_core::Position;
use serde::{Deserialize, Serialize};

/// Probabilities that uniformly random moves solve a problem.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RandomChance {
    /// By the first move.
    pub key: f64,
    /// By every move of the line, against the best defence.
    pub line: f64,
    /// By the moves after the first alone, with the first right move and its defence given; `None`
    /// if there is no second move.
    pub after_key: Option<f64>,
}

impl RandomChance {
    /// The chances of a problem.
    pub fn of(problem: &SuiteProblem) -> RandomChance {
        let referee = LineReferee::new(problem);
        let moves = problem.position.count_moves().max(1) as f64;
        let key = referee.right_moves().len() as f64 / moves;
        let after_key = referee.right_moves().first().and_then(|&mv| {
            let mut next = referee.clone();
            matches!(next.play(mv), LineStep::Reply(_)).then(|| line_chance(&next))
        });
        RandomChance { key, line: line_chance(&referee), after_key }
    }
}

/// Probability that random moves keep the mate to its end.
fn line_chance(referee: &LineReferee) -> f64 {
    let solved = |&mv| {
        let mut next = referee.clone();
        match next.play(mv) {
            LineStep::Failed => 0.0,
            LineStep::Solved => 1.0,
            LineStep::Reply(_) => line_chance(&next),
        }
    };
    let sum: f64 = referee.right_moves().iter().map(solved).sum();
    sum / referee.position().count_moves().max(1) as f64
}

/// Exact distribution of the number of problems solved, each with its own probability.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedCount {
    /// `probabilities[n]`: that of solving exactly `n`.
    probabilities: Vec<f64>,
}

impl SolvedCount {
    /// The distribution for independent problems.
    pub fn of(chances: impl IntoIterator<Item = f64>) -> SolvedCount {
        let mut probabilities = vec![1.0];
        for chance in chances {
            probabilities.push(0.0);
            for count in (0..probabilities.len()).rev() {
                let before = count.checked_sub(1).map_or(0.0, |count| probabilities[count]);
                probabilities[count] = probabilities[count] * (1.0 - chance) + before * chance;
            }
        }
        SolvedCount { probabilities }
    }

    /// Expected number.
    pub fn mean(&self) -> f64 {
        self.probabilities.iter().zip(0u32..).map(|(chance, count)| chance * f64::from(count)).sum()
    }

    /// Probability of at least `count`.
    pub fn at_least(&self, count: usize) -> f64 {
        self.probabilities.iter().skip(count).sum()
    }

    /// The smallest range that leaves at most 2.5 % on each side.
    pub fn range95(&self) -> (usize, usize) {
        let top = self.probabilities.len() - 1;
        let low = (0..=top).rev().find(|&count| 1.0 - self.at_least(count) <= 0.025);
        let high = (0..=top).find(|&count| self.at_least(count + 1) <= 0.025);
        (low.unwrap_or(0), high.unwrap_or(top))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{legal_moves, read};
    use ludus_core::{Outcome, Random};

    const SUITE: &str = "\
        kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"Morphy\";\n\
        5k2/8/8/8/8/8/R7/1R2K3 w - - dm 2; id \"rooks\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Rxd8+; id \"queen\";\n\
        rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - dm 1; id \"fool\";\n";

    #[test]
    fn chances_of_small_problems_are_counted_by_hand() {
        let problems = read(SUITE).unwrap();
        let morphy = &problems[0];
        let chance = RandomChance::of(morphy);
        let moves = legal_moves(&morphy.position);
        assert!((chance.key - 1.0 / moves.len() as f64).abs() < 1e-12);
        let mut referee = LineReferee::new(morphy);
        referee.play(referee.right_moves()[0]);
        let second = legal_moves(referee.position());
        let mates = second.iter().filter(|&&mv| {
            let after = referee.position().after(mv);
            after.outcome().is_some_and(|outcome| outcome != Outcome::Draw)
        });
        let after_key = mates.count() as f64 / second.len() as f64;
        assert_eq!(chance.after_key, Some(after_key));
        assert!((chance.line - chance.key * after_key).abs() < 1e-12, "{chance:?}");
        // One move decides: both rules are the same.
        for problem in &problems[2..] {
            let chance = RandomChance::of(problem);
            let all = problem.position.count_moves() as f64;
            assert_eq!((chance.key, chance.line, chance.after_key), (1.0 / all, 1.0 / all, None));
        }
    }

    #[test]
    fn chances_agree_with_a_simulation() {
        const GAMES: u32 = 5_000;
        let problems = read(SUITE).unwrap();
        let mut random = Random::new(5);
        for problem in &problems {
            let start = LineReferee::new(problem);
            let (mut keys, mut lines) = (0, 0);
            for _ in 0..GAMES {
                let mut referee = start.clone();
                let mut is_first = true;
                loop {
                    let moves = legal_moves(referee.position());
                    let step = referee.play(random.pick(&moves).unwrap());
                    keys += u32::from(is_first && step != LineStep::Failed);
                    is_first = false;
                    lines += u32::from(step == LineStep::Solved);
                    if !matches!(step, LineStep::Reply(_)) {
                        break;
                    }
                }
            }
            let chance = RandomChance::of(problem);
            for (found, expected) in [(keys, chance.key), (lines, chance.line)] {
                let deviation = (expected * (1.0 - expected) / f64::from(GAMES)).sqrt();
                let share = f64::from(found) / f64::from(GAMES);
                let is_near = (share - expected).abs() < 5.0 * deviation + 1e-9;
                assert!(is_near, "{}: {share} instead of {expected}", problem.id);
            }
        }
    }

    #[test]
    fn the_distribution_is_that_of_all_cases() {
        let chances = [0.5, 0.1, 0.9, 0.3];
        let mut expected = [0.0; 5];
        for case in 0u32..16 {
            let is_solved = |number: usize| case >> number & 1 == 1;
            let chance: f64 = chances
                .iter()
                .enumerate()
                .map(|(number, &chance)| if is_solved(number) { chance } else { 1.0 - chance })
                .product();
            expected[case.count_ones() as usize] += chance;
        }
        let found = SolvedCount::of(chances);
        for (count, expected) in expected.iter().enumerate() {
            let exactly = found.at_least(count) - found.at_least(count + 1);
            assert!((exactly - expected).abs() < 1e-12, "{count}");
        }
        assert!((found.mean() - 1.8).abs() < 1e-12);
        assert!((found.at_least(0) - 1.0).abs() < 1e-12 && found.at_least(5) == 0.0);
        let (low, high) = SolvedCount::of([0.5; 100]).range95();
        assert_eq!((low, high), (40, 60));
        assert_eq!(SolvedCount::of([]).range95(), (0, 0));
    }
}
