//! Neuroevolution by an evolution strategy (Chellapilla and Fogel 1999): every parent has one child by
//! self-adaptive mutation of its weights; all play some others, and the better half survives.

use ludus_core::Random;

/// A member of the population.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The weights of the network.
    pub weights: Vec<f32>,
    /// The step size (standard deviation) of the mutation of each weight.
    pub spreads: Vec<f32>,
    /// A parameter beside the weights that changes by steps, such as the value of a king.
    pub dial: f32,
}

/// The parameters of initialisation and mutation. The defaults are the published ones.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct EvolutionParams {
    /// Initial weights lie between minus this and this.
    pub weights: f32,
    /// Initial step size.
    pub spread: f32,
    /// Initial value of the parameter.
    pub dial: f32,
    /// Step of the parameter: a child's is one step more, one less, or the same.
    pub dial_step: f32,
    /// Smallest value of the parameter.
    pub dial_least: f32,
    /// Largest value of the parameter.
    pub dial_most: f32,
}

impl Default for EvolutionParams {
    fn default() -> EvolutionParams {
        EvolutionParams {
            weights: 0.2,
            spread: 0.05,
            dial: 2.0,
            dial_step: 0.1,
            dial_least: 1.0,
            dial_most: 3.0,
        }
    }
}

impl EvolutionParams {
    /// An initial member with `count` weights.
    pub fn first(&self, count: usize, random: &mut Random) -> Member {
        let mut weight = || (random.unit() as f32 * 2.0 - 1.0) * self.weights;
        let weights = (0..count).map(|_| weight()).collect();
        Member { weights, spreads: vec![self.spread; count], dial: self.dial }
    }

    /// A child of `parent`: `s' = s · exp(τ · N)` and `w' = w + s' · N` with `τ = 1 / √(2√n)` for `n`
    /// weights, every `N` a normal number of its own.
    pub fn child(&self, parent: &Member, random: &mut Random) -> Member {
        let tau = 1.0 / (2.0 * (parent.weights.len() as f64).sqrt()).sqrt();
        let mut child = parent.clone();
        for (weight, spread) in child.weights.iter_mut().zip(&mut child.spreads) {
            *spread *= exp(tau * random.normal()) as f32;
            *weight += *spread * random.normal() as f32;
        }
        let step = [-self.dial_step, 0.0, self.dial_step][random.below(3)];
        child.dial = (child.dial + step).clamp(self.dial_least, self.dial_most);
        child
    }
}

/// The exponential function, without the machine's own: these differ in the last digit, and a seed must
/// give the same children everywhere.
fn exp(x: f64) -> f64 {
    // The series near 0, then squared back.
    const HALVINGS: i32 = 10;
    let part = x / f64::from(1 << HALVINGS);
    let mut power = 1.0 + part * (1.0 + part / 2.0 * (1.0 + part / 3.0 * (1.0 + part / 4.0)));
    for _ in 0..HALVINGS {
        power *= power;
    }
    power
}

/// The pairings of a generation: each member has the first side in `games` games against others drawn at
/// random with replacement.
///
/// # Panics
/// If there are fewer than two.
pub fn pairings(population: usize, games: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let mut pairings = Vec::with_capacity(population * games);
    for one in 0..population {
        for _ in 0..games {
            // Any other member.
            let other = (one + 1 + random.below(population - 1)) % population;
            pairings.push((one, other));
        }
    }
    pairings
}

/// The `count` members with the most points, best first; of equals those that come first.
pub fn best(points: &[i32], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&member| std::cmp::Reverse(points[member]));
    order.truncate(count);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_right() {
        for step in -600..=600 {
            let x = f64::from(step) / 100.0;
            let error = exp(x) / x.exp() - 1.0;
            assert!(error.abs() < 1e-9, "{x}: {error}");
        }
    }

    #[test]
    fn children_differ_by_as_much_as_their_spreads_say() {
        let heredity = EvolutionParams::default();
        let mut random = Random::new(1);
        let parent = heredity.first(5046, &mut random);
        assert!(parent.weights.iter().all(|weight| weight.abs() <= 0.2));
        let child = heredity.child(&parent, &mut random);
        let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let moved = parent.weights.iter().zip(&child.weights);
        let squares = moved.map(|(before, after)| f64::from(after - before).powi(2)).collect();
        assert!((mean(squares).sqrt() - 0.05).abs() < 0.003);
        // The published value of τ for this number of weights is 0.0839.
        let logarithms = child.spreads.iter().map(|spread| (f64::from(*spread) / 0.05).ln());
        let squares = logarithms.map(|it| it * it).collect();
        assert!((mean(squares).sqrt() - 0.0839).abs() < 0.003);
    }

    #[test]
    fn the_dial_goes_by_steps_and_stays_in_its_range() {
        let heredity = EvolutionParams::default();
        let mut random = Random::new(2);
        let mut member = heredity.first(1, &mut random);
        let (mut least, mut most) = (2.0_f32, 2.0_f32);
        for _ in 0..5000 {
            let child = heredity.child(&member, &mut random);
            assert!((child.dial - member.dial).abs() < 0.1001);
            least = least.min(child.dial);
            most = most.max(child.dial);
            member = child;
        }
        assert_eq!((least, most), (1.0, 3.0));
    }

    #[test]
    fn every_member_plays_some_others() {
        let pairings = pairings(30, 5, &mut Random::new(3));
        assert_eq!(pairings.len(), 150);
        for one in 0..30 {
            assert_eq!(pairings.iter().filter(|(first, _)| *first == one).count(), 5);
        }
        assert!(pairings.iter().all(|(one, other)| one != other && *other < 30));
        let met: std::collections::BTreeSet<usize> = pairings.iter().map(|it| it.1).collect();
        assert!(met.len() > 25, "{met:?}");
    }

    /// The member nearer to a hidden point wins: the population comes close to it.
    #[test]
    fn a_hidden_point_is_found() {
        let (heredity, mut random) = (EvolutionParams::default(), Random::new(4));
        let distance = |member: &Member| {
            let parts = member.weights.iter().enumerate();
            parts.map(|(at, weight)| (weight - at as f32 / 4.0).powi(2)).sum::<f32>()
        };
        let mut parents: Vec<Member> = (0..15).map(|_| heredity.first(8, &mut random)).collect();
        let begin = distance(&parents[0]);
        for _ in 0..300 {
            let children: Vec<Member> =
                parents.iter().map(|parent| heredity.child(parent, &mut random)).collect();
            parents.extend(children);
            let mut points = vec![0; 30];
            for (one, other) in pairings(30, 5, &mut random) {
                let won = distance(&parents[one]) < distance(&parents[other]);
                points[one] += if won { 1 } else { -2 };
                points[other] += if won { -2 } else { 1 };
            }
            parents = best(&points, 15).into_iter().map(|it| parents[it].clone()).collect();
        }
        let end = distance(&parents[0]);
        assert!(begin > 5.0 && end < 0.05, "{begin}, then {end}");
    }
}
