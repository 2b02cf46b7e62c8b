//! Strengths of features, learned from choices: the generalised Bradley-Terry model of teams,
//! fitted by minorisation-maximisation (Hunter 2004; Coulom 2007 for moves of Go).
//!
//! A competition is a choice of one candidate among several. A candidate is a team of features, at most
//! one of each group; a team is as strong as the product of its members, and is chosen with a
//! probability proportional to that.

/// Stands for "no feature of this group".
pub const NONE: u16 = u16::MAX;

/// The competitions of a training set.
#[derive(Clone, Debug, PartialEq)]
pub struct Competitions {
    /// Number of features of each group.
    groups: Vec<usize>,
    /// For each candidate, its feature of each group.
    members: Vec<u16>,
    competitions: Vec<Competition>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
struct Competition {
    /// Its candidates end before this one; they begin where those of the competition before end.
    end: usize,
    /// The index of the chosen candidate among all candidates.
    chosen: usize,
}

impl Competitions {
    /// An empty set, over groups with these numbers of features.
    ///
    /// # Panics
    /// If a group has more features than two bytes can number.
    pub fn new(groups: &[usize]) -> Competitions {
        assert!(groups.iter().all(|&features| features <= usize::from(NONE)), "too many features");
        Competitions { groups: groups.to_vec(), members: Vec::new(), competitions: Vec::new() }
    }

    /// Adds a competition: `candidates` are teams one after the other, a feature (or [`NONE`]) of each
    /// group, and `chosen` is the index of the chosen team.
    ///
    /// # Panics
    /// If the numbers do not fit together.
    pub fn add(&mut self, candidates: &[u16], chosen: usize) {
        let width = self.groups.len();
        let count = candidates.len() / width;
        assert!(candidates.len() == count * width && chosen < count, "not a competition");
        let begin = self.members.len() / width;
        self.members.extend_from_slice(candidates);
        self.competitions.push(Competition { end: begin + count, chosen: begin + chosen });
    }

    /// The number of competitions.
    pub fn len(&self) -> usize {
        self.competitions.len()
    }

    /// Whether there are no competitions.
    pub fn is_empty(&self) -> bool {
        self.competitions.is_empty()
    }

    /// Each competition with the range of its candidates.
    fn iter(&self) -> impl Iterator<Item = (std::ops::Range<usize>, usize)> + '_ {
        let begins =
            std::iter::once(0).chain(self.competitions.iter().map(|competition| competition.end));
        begins
            .zip(&self.competitions)
            .map(|(begin, competition)| (begin..competition.end, competition.chosen))
    }

    fn team(&self, candidate: usize) -> &[u16] {
        let width = self.groups.len();
        &self.members[candidate * width..][..width]
    }
}

/// The strength (gamma) of each feature of each group; 1 is neither good nor bad.
#[derive(Clone, Debug, PartialEq)]
pub struct Strengths {
    /// By group, then by feature.
    pub groups: Vec<Vec<f64>>,
}

/// The quality of predictions of choices.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PredictionStats {
    /// The mean logarithm of the probability of the chosen candidate.
    pub log_likelihood: f64,
    /// Accuracy: the share of the competitions in which the strongest candidate was chosen; of several
    /// that are equally strong, each counts a part.
    pub first: f64,
    /// The mean number of candidates that are stronger than the chosen one, equals counting half.
    pub mean_rank: f64,
}

impl Strengths {
    /// Strength 1 for every feature.
    pub fn uniform(groups: &[usize]) -> Strengths {
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
    pub fn mm_step(&mut self, competitions: &Competitions, prior: f64) {
        for group in 0..self.groups.len() {
            self.update_group(competitions, group, prior);
        }
    }

    fn update_group(&mut self, competitions: &Competitions, group: usize, prior: f64) {
        let features = self.groups[group].len();
        let (mut wins, mut weights) = (vec![prior; features], vec![0.0; features]);
        // The products of the other members of each feature's teams in this competition.
        let (mut partners, mut seen) = (vec![0.0; features], Vec::new());
        for (candidates, chosen) in competitions.iter() {
            let mut all = 0.0;
            for candidate in candidates {
                let team = competitions.team(candidate);
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
            let won = competitions.team(chosen)[group];
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

    /// The quality of the predictions for `competitions`.
    pub fn prediction_stats(&self, competitions: &Competitions) -> PredictionStats {
        let (mut log_likelihood, mut first, mut rank) = (0.0, 0.0, 0.0);
        for (candidates, chosen) in competitions.iter() {
            let own = self.of(competitions.team(chosen));
            let (mut all, mut stronger, mut equal) = (0.0, 0, 0);
            for candidate in candidates {
                let strength = self.of(competitions.team(candidate));
                all += strength;
                stronger += u32::from(strength > own);
                equal += u32::from(strength == own);
            }
            log_likelihood += (own / all).ln();
            first += if stronger == 0 { 1.0 / f64::from(equal) } else { 0.0 };
            rank += f64::from(stronger) + f64::from(equal - 1) / 2.0;
        }
        let count = competitions.len().max(1) as f64;
        PredictionStats {
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
    fn made_up(truth: &Strengths, count: usize) -> Competitions {
        let sizes: Vec<usize> = truth.groups.iter().map(Vec::len).collect();
        let (mut random, mut competitions) = (Random::new(1), Competitions::new(&sizes));
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
            competitions.add(teams.as_flattened(), chosen);
        }
        competitions
    }

    #[test]
    fn known_strengths_are_found_again() {
        let truth = Strengths { groups: vec![vec![4.0, 0.25, 1.5], vec![8.0, 0.5]] };
        let competitions = made_up(&truth, 20_000);
        let mut found = Strengths::uniform(&[3, 2]);
        let mut likelihood = found.prediction_stats(&competitions).log_likelihood;
        for _ in 0..60 {
            found.mm_step(&competitions, 1.0);
            let now = found.prediction_stats(&competitions).log_likelihood;
            assert!(now > likelihood - 1e-6, "a step never makes it worse");
            likelihood = now;
        }
        for (found, truth) in found.groups.iter().flatten().zip(truth.groups.iter().flatten()) {
            assert!((found / truth).ln().abs() < 0.1, "{found}, not {truth}");
        }
        let prediction_stats = found.prediction_stats(&competitions);
        assert!(
            prediction_stats.first
                > Strengths::uniform(&[3, 2]).prediction_stats(&competitions).first + 0.1
        );
        assert!(prediction_stats.mean_rank < 1.5, "{prediction_stats:?}");
    }

    /// At the optimum the gradient is zero: a little more or less of any strength is worse.
    #[test]
    fn what_is_found_is_the_most_likely() {
        let truth = Strengths { groups: vec![vec![3.0, 0.2], vec![0.7, 2.0]] };
        let competitions = made_up(&truth, 2_000);
        let mut found = Strengths::uniform(&[2, 2]);
        (0..200).for_each(|_| found.mm_step(&competitions, 0.0));
        let best = found.prediction_stats(&competitions).log_likelihood;
        for group in 0..2 {
            for feature in 0..2 {
                for factor in [0.98, 1.02] {
                    let mut other = found.clone();
                    other.groups[group][feature] *= factor;
                    assert!(other.prediction_stats(&competitions).log_likelihood < best);
                }
            }
        }
    }

    #[test]
    fn what_never_wins_stays_finite_and_what_never_comes_stays_even() {
        let mut competitions = Competitions::new(&[3]);
        (0..50).for_each(|_| competitions.add(&[0, 1], 0));
        let mut found = Strengths::uniform(&[3]);
        (0..50).for_each(|_| found.mm_step(&competitions, 1.0));
        let [winner, loser, unseen] = found.groups[0][..] else { unreachable!() };
        assert!(winner > 2.0 && loser < 0.5 && loser > 0.0 && winner < 1e3);
        assert!((unseen - 1.0).abs() < 1e-9);
        assert_eq!(found.of(&[NONE]), 1.0);
    }
}
