//! Strengths of features, learned from choices: the generalised Bradley-Terry model of teams,
//! fitted by minorisation-maximisation (Hunter 2004; Coulom 2007 for moves of Go).
//!
//! A contest is a choice of one candidate among several. A candidate is a team of features, at most
//! one of each group; a team is as strong as the product of its members, and is chosen with a
//! probability proportional to that.

/// Stands for "no feature of this group".
pub const NONE: u16 = u16::MAX;

/// Choices that were made, to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Contests {
    /// How many features each group has.
    groups: Vec<usize>,
    /// For each candidate, its feature of each group.
    members: Vec<u16>,
    contests: Vec<Contest>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
struct Contest {
    /// Its candidates end before this one; they begin where those of the contest before end.
    end: usize,
    /// Which of all candidates was chosen.
    chosen: usize,
}

impl Contests {
    /// No contests yet, over groups of so many features each.
    ///
    /// # Panics
    /// If a group has more features than two bytes can number.
    pub fn new(groups: &[usize]) -> Contests {
        assert!(groups.iter().all(|&features| features <= usize::from(NONE)), "too many features");
        Contests { groups: groups.to_vec(), members: Vec::new(), contests: Vec::new() }
    }

    /// Adds a contest: `candidates` are teams one after the other, a feature (or [`NONE`]) of each
    /// group, and `chosen` says which team was chosen.
    ///
    /// # Panics
    /// If the numbers do not fit together.
    pub fn add(&mut self, candidates: &[u16], chosen: usize) {
        let width = self.groups.len();
        let count = candidates.len() / width;
        assert!(candidates.len() == count * width && chosen < count, "not a contest");
        let begin = self.members.len() / width;
        self.members.extend_from_slice(candidates);
        self.contests.push(Contest { end: begin + count, chosen: begin + chosen });
    }

    /// How many contests there are.
    pub fn len(&self) -> usize {
        self.contests.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.contests.is_empty()
    }

    /// Each contest with the range of its candidates.
    fn iter(&self) -> impl Iterator<Item = (std::ops::Range<usize>, usize)> + '_ {
        let begins = std::iter::once(0).chain(self.contests.iter().map(|contest| contest.end));
        begins.zip(&self.contests).map(|(begin, contest)| (begin..contest.end, contest.chosen))
    }

    fn team(&self, candidate: usize) -> &[u16] {
        let width = self.groups.len();
        &self.members[candidate * width..][..width]
    }
}

/// How strong each feature of each group is; 1 is neither good nor bad.
#[derive(Clone, Debug, PartialEq)]
pub struct Strengths {
    /// By group, then by feature.
    pub groups: Vec<Vec<f64>>,
}

/// How well strengths foresee choices.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Foresight {
    /// The mean logarithm of the probability given to what was chosen.
    pub log_likelihood: f64,
    /// The part of the contests in which the strongest candidate was chosen; of several that are
    /// equally strong, each counts a part.
    pub first: f64,
    /// The mean number of candidates that were thought stronger, equals counting half.
    pub mean_rank: f64,
}

impl Strengths {
    /// Everything is as strong as everything else.
    pub fn even(groups: &[usize]) -> Strengths {
        Strengths { groups: groups.iter().map(|&features| vec![1.0; features]).collect() }
    }

    /// The strength of a team: a feature, or [`NONE`], of each group.
    #[inline]
    pub fn of(&self, team: &[u16]) -> f64 {
        let members = team.iter().zip(&self.groups).filter(|&(&feature, _)| feature != NONE);
        members.map(|(&feature, group)| group[usize::from(feature)]).product()
    }

    /// One step of minorisation-maximisation for each group in turn. Every feature is also taken to
    /// have won and lost `prior` times against one of strength 1, so that what was never or always
    /// chosen stays finite.
    pub fn improve(&mut self, contests: &Contests, prior: f64) {
        for group in 0..self.groups.len() {
            self.improve_group(contests, group, prior);
        }
    }

    fn improve_group(&mut self, contests: &Contests, group: usize, prior: f64) {
        let features = self.groups[group].len();
        let (mut wins, mut weights) = (vec![prior; features], vec![0.0; features]);
        // What the other members of each feature's teams bring to the contest at hand.
        let (mut partners, mut seen) = (vec![0.0; features], Vec::new());
        for (candidates, chosen) in contests.iter() {
            let mut all = 0.0;
            for candidate in candidates {
                let team = contests.team(candidate);
                let (strength, feature) = (self.of(team), team[group]);
                all += strength;
                if feature != NONE {
                    let feature = usize::from(feature);
                    if partners[feature] == 0.0 {
                        seen.push(feature);
                    }
                    partners[feature] += strength / self.groups[group][feature];
                }
            }
            for feature in seen.drain(..) {
                weights[feature] += partners[feature] / all;
                partners[feature] = 0.0;
            }
            let won = contests.team(chosen)[group];
            if won != NONE {
                wins[usize::from(won)] += 1.0;
            }
        }
        for (feature, strength) in self.groups[group].iter_mut().enumerate() {
            let weight = weights[feature] + 2.0 * prior / (*strength + 1.0);
            if weight > 0.0 {
                *strength = (wins[feature] / weight).clamp(1e-6, 1e6);
            }
        }
    }

    /// How well the strengths foresee the choices of `contests`.
    pub fn foresight(&self, contests: &Contests) -> Foresight {
        let (mut log_likelihood, mut first, mut rank) = (0.0, 0.0, 0.0);
        for (candidates, chosen) in contests.iter() {
            let own = self.of(contests.team(chosen));
            let (mut all, mut stronger, mut equal) = (0.0, 0, 0);
            for candidate in candidates {
                let strength = self.of(contests.team(candidate));
                all += strength;
                stronger += u32::from(strength > own);
                equal += u32::from(strength == own);
            }
            log_likelihood += (own / all).ln();
            first += if stronger == 0 { 1.0 / f64::from(equal) } else { 0.0 };
            rank += f64::from(stronger) + f64::from(equal - 1) / 2.0;
        }
        let count = contests.len().max(1) as f64;
        Foresight {
            log_likelihood: log_likelihood / count,
            first: first / count,
            mean_rank: rank / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    /// Choices made as the model says, by known strengths of two groups.
    fn made_up(truth: &Strengths, count: usize) -> Contests {
        let sizes: Vec<usize> = truth.groups.iter().map(Vec::len).collect();
        let (mut random, mut contests) = (Random::new(1), Contests::new(&sizes));
        for _ in 0..count {
            let teams: Vec<[u16; 2]> = (0..2 + random.below(6))
                .map(|_| {
                    let member = |size: usize, random: &mut Random| match random.below(size + 1) {
                        0 => NONE,
                        feature => feature as u16 - 1,
                    };
                    [member(sizes[0], &mut random), member(sizes[1], &mut random)]
                })
                .collect();
            let all: f64 = teams.iter().map(|team| truth.of(team)).sum();
            let mut ball = random.unit() * all;
            let stops = |team: &[u16; 2]| {
                ball -= truth.of(team);
                ball < 0.0
            };
            let chosen = teams.iter().position(stops).unwrap_or(teams.len() - 1);
            contests.add(teams.as_flattened(), chosen);
        }
        contests
    }

    #[test]
    fn known_strengths_are_found_again() {
        let truth = Strengths { groups: vec![vec![4.0, 0.25, 1.5], vec![8.0, 0.5]] };
        let contests = made_up(&truth, 20_000);
        let mut found = Strengths::even(&[3, 2]);
        let mut likelihood = found.foresight(&contests).log_likelihood;
        for _ in 0..60 {
            found.improve(&contests, 1.0);
            let now = found.foresight(&contests).log_likelihood;
            assert!(now > likelihood - 1e-6, "a step never makes it worse");
            likelihood = now;
        }
        for (found, truth) in found.groups.iter().flatten().zip(truth.groups.iter().flatten()) {
            assert!((found / truth).ln().abs() < 0.1, "{found}, not {truth}");
        }
        let foresight = found.foresight(&contests);
        assert!(foresight.first > Strengths::even(&[3, 2]).foresight(&contests).first + 0.1);
        assert!(foresight.mean_rank < 1.5, "{foresight:?}");
    }

    /// At the optimum the gradient is zero: a little more or less of any strength is worse.
    #[test]
    fn what_is_found_is_the_most_likely() {
        let truth = Strengths { groups: vec![vec![3.0, 0.2], vec![0.7, 2.0]] };
        let contests = made_up(&truth, 2_000);
        let mut found = Strengths::even(&[2, 2]);
        (0..200).for_each(|_| found.improve(&contests, 0.0));
        let best = found.foresight(&contests).log_likelihood;
        for group in 0..2 {
            for feature in 0..2 {
                for factor in [0.98, 1.02] {
                    let mut other = found.clone();
                    other.groups[group][feature] *= factor;
                    assert!(other.foresight(&contests).log_likelihood < best);
                }
            }
        }
    }

    #[test]
    fn what_never_wins_stays_finite_and_what_never_comes_stays_even() {
        let mut contests = Contests::new(&[3]);
        (0..50).for_each(|_| contests.add(&[0, 1], 0));
        let mut found = Strengths::even(&[3]);
        (0..50).for_each(|_| found.improve(&contests, 1.0));
        let [winner, loser, unseen] = found.groups[0][..] else { unreachable!() };
        assert!(winner > 2.0 && loser < 0.5 && loser > 0.0 && winner < 1e3);
        assert!((unseen - 1.0).abs() < 1e-9);
        assert_eq!(found.of(&[NONE]), 1.0);
    }
}
