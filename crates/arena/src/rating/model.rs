//! The Bradley-Terry model and its most likely parameters.
//!
//! With `d` the difference in log strength (the first move included), the first player is expected
//! to score `1 / (1 + e^-d)`, a draw being half a point. The likelihood is that of wins and losses
//! with draws as half of each (a quasi-likelihood: only the expected score is modelled). It is
//! concave in the log parameters, its gradient is observed minus expected points, its curvature
//! their variance in games without draws.

use super::matrix::Matrix;
use std::collections::BTreeSet;

/// Games between two players in which `first` moved first.
#[derive(Clone, Debug)]
pub(super) struct Encounter {
    pub first: usize,
    pub second: usize,
    pub games: f64,
    /// Points of `first`, a draw being half of one.
    pub points: f64,
    pub draws: f64,
}

/// Virtual games of the prior: half of them won by each player of a pair, without draws or a
/// first-move advantage.
#[derive(Clone, Debug)]
struct VirtualGames {
    players: [usize; 2],
    games: f64,
}

/// Games and prior, and the parameters to fit.
#[derive(Debug)]
pub(super) struct BradleyTerry {
    players: usize,
    encounters: Vec<Encounter>,
    virtual_games: Vec<VirtualGames>,
    prior: f64,
    fit_first_move: bool,
}

/// Values of the parameters.
#[derive(Clone, Debug)]
pub(super) struct FittedParameters {
    /// Logarithms of the strengths.
    pub strengths: Vec<f64>,
    /// Logarithm of the advantage of the first move.
    pub first_move: f64,
}

/// Points, observed or expected.
#[derive(Clone, Debug)]
struct Totals {
    points: Vec<f64>,
    first_points: f64,
}

impl FittedParameters {
    fn difference(&self, encounter: &Encounter) -> f64 {
        self.strengths[encounter.first] + self.first_move - self.strengths[encounter.second]
    }

    /// The score expected of the first player.
    fn score(&self, encounter: &Encounter) -> f64 {
        logistic(self.difference(encounter))
    }
}

/// `1 / (1 + e^-x)`.
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(e^(x/2) + e^(-x/2))`, for any size of `x`.
fn log_cosh_sum(x: f64) -> f64 {
    x.abs() / 2.0 + (-x.abs()).exp().ln_1p()
}

impl BradleyTerry {
    pub fn new(
        players: usize,
        encounters: Vec<Encounter>,
        prior: f64,
        fit_first_move: bool,
    ) -> BradleyTerry {
        let games: f64 = encounters.iter().map(|encounter| encounter.games).sum();
        let pairs: BTreeSet<[usize; 2]> = encounters
            .iter()
            .map(|encounter| [encounter.first, encounter.second])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        let mut opponents = vec![0.0; players];
        pairs.iter().flatten().for_each(|&player| opponents[player] += 1.0);
        let virtual_games = pairs.iter().map(|&[a, b]| VirtualGames {
            players: [a, b],
            games: prior * (1.0 / opponents[a] + 1.0 / opponents[b]) / 2.0,
        });
        BradleyTerry {
            players,
            virtual_games: virtual_games.collect(),
            encounters,
            prior,
            fit_first_move: fit_first_move && games > 0.0,
        }
    }

    /// Number of fitted parameters: the strengths, then the first move.
    pub fn parameters(&self) -> usize {
        self.players + usize::from(self.fit_first_move)
    }

    pub fn first_move_index(&self) -> Option<usize> {
        self.fit_first_move.then_some(self.players)
    }

    /// Fits the parameters: minorisation-maximisation first, then Newton's method for the last
    /// digits.
    pub fn fit(&self, groups: &[Vec<usize>]) -> FittedParameters {
        const MAX_STEPS: usize = 500;
        let mut fit = self.start();
        let observed = self.observed();
        for _ in 0..MAX_STEPS {
            if self.minorise_maximise(&mut fit, &observed) < 1e-12 {
                break;
            }
        }
        self.newton(fit, &observed, groups)
    }

    fn start(&self) -> FittedParameters {
        FittedParameters { strengths: vec![0.0; self.players], first_move: 0.0 }
    }

    /// Draw rate of equal players, if the draw rate of unequal ones is proportional to `p (1 - p)`.
    ///
    /// It gives the dispersion: the variance of a game of score `p` with draw probability `d` is
    /// `p (1 - p) - d / 4`.
    pub fn draw_rate(&self, fit: &FittedParameters) -> f64 {
        let (mut draws, mut expected, mut games) = (0.0, 0.0, 0.0);
        for encounter in &self.encounters {
            let score = fit.score(encounter);
            draws += encounter.draws;
            games += encounter.games;
            expected += 4.0 * encounter.games * score * (1.0 - score);
        }
        // Draws only: the bound of the rule of three.
        if draws == 0.0 { 0.0 } else { (draws / expected).min(1.0 - 3.0 / (games + 3.0)) }
    }

    fn observed(&self) -> Totals {
        let mut totals = Totals { points: vec![0.0; self.players], first_points: self.prior / 2.0 };
        for encounter in &self.encounters {
            totals.points[encounter.first] += encounter.points;
            totals.points[encounter.second] += encounter.games - encounter.points;
            totals.first_points += encounter.points;
        }
        for VirtualGames { players: [a, b], games } in &self.virtual_games {
            totals.points[*a] += games / 2.0;
            totals.points[*b] += games / 2.0;
        }
        totals
    }

    fn expected(&self, fit: &FittedParameters) -> Totals {
        let first_points = self.prior * logistic(fit.first_move);
        let mut totals = Totals { points: vec![0.0; self.players], first_points };
        for encounter in &self.encounters {
            let score = fit.score(encounter);
            totals.points[encounter.first] += encounter.games * score;
            totals.points[encounter.second] += encounter.games * (1.0 - score);
            totals.first_points += encounter.games * score;
        }
        for VirtualGames { players: [a, b], games } in &self.virtual_games {
            let chance = logistic(fit.strengths[*a] - fit.strengths[*b]);
            totals.points[*a] += games * chance;
            totals.points[*b] += games * (1.0 - chance);
        }
        totals
    }

    /// One round of minorisation-maximisation; returns the largest change of a log parameter.
    ///
    /// Hunter's minorisation makes the logarithm of the sum linear; then each strength stands alone
    /// and its maximum is at `strength * observed points / expected points`. The same holds for the
    /// first move.
    fn minorise_maximise(&self, fit: &mut FittedParameters, observed: &Totals) -> f64 {
        let mut largest = 0.0f64;
        let expected = self.expected(fit);
        for (player, strength) in fit.strengths.iter_mut().enumerate() {
            if observed.points[player] > 0.0 {
                let change = (observed.points[player] / expected.points[player]).ln();
                *strength += change;
                largest = largest.max(change.abs());
            }
        }
        if self.fit_first_move {
            let change = (observed.first_points / self.expected(fit).first_points).ln();
            fit.first_move += change;
            largest = largest.max(change.abs());
        }
        largest
    }

    /// Newton's method, with steps halved until the likelihood does not fall.
    fn newton(
        &self,
        mut fit: FittedParameters,
        observed: &Totals,
        groups: &[Vec<usize>],
    ) -> FittedParameters {
        const MAX_STEPS: usize = 100;
        let mut likelihood = self.log_likelihood(&fit);
        for _ in 0..MAX_STEPS {
            let gradient = self.gradient(&fit, observed);
            let Some(mut step) = damped_solve(&self.information(&fit, groups), &gradient) else {
                break;
            };
            let mut length = step.iter().fold(0.0f64, |longest, x| longest.max(x.abs()));
            while length > 1e-12 {
                let next = self.moved(&fit, &step);
                let next_likelihood = self.log_likelihood(&next);
                if next_likelihood >= likelihood {
                    (fit, likelihood) = (next, next_likelihood);
                    break;
                }
                step.iter_mut().for_each(|x| *x /= 2.0);
                length /= 2.0;
            }
            if length <= 1e-12 {
                break;
            }
        }
        fit
    }

    fn moved(&self, fit: &FittedParameters, step: &[f64]) -> FittedParameters {
        let mut moved = fit.clone();
        moved.strengths.iter_mut().zip(step).for_each(|(strength, x)| *strength += x);
        if let Some(index) = self.first_move_index() {
            moved.first_move += step[index];
        }
        moved
    }

    fn log_likelihood(&self, fit: &FittedParameters) -> f64 {
        let mut sum = -self.prior * log_cosh_sum(fit.first_move);
        for encounter in &self.encounters {
            let d = fit.difference(encounter);
            sum += (encounter.points - encounter.games / 2.0) * d;
            sum -= encounter.games * log_cosh_sum(d);
        }
        for VirtualGames { players: [a, b], games } in &self.virtual_games {
            sum -= games * log_cosh_sum(fit.strengths[*a] - fit.strengths[*b]);
        }
        sum
    }

    fn gradient(&self, fit: &FittedParameters, observed: &Totals) -> Vec<f64> {
        let expected = self.expected(fit);
        let mut gradient: Vec<f64> =
            observed.points.iter().zip(&expected.points).map(|(seen, due)| seen - due).collect();
        if self.fit_first_move {
            gradient.push(observed.first_points - expected.first_points);
        }
        gradient
    }

    /// The Fisher information. Adding a constant to the strengths of a group changes nothing, so that
    /// direction gets an arbitrary positive weight: the inverse is used only for differences within a
    /// group, which do not depend on it.
    pub fn information(&self, fit: &FittedParameters, groups: &[Vec<usize>]) -> Matrix {
        let mut information = Matrix::zero(self.parameters());
        for encounter in &self.encounters {
            self.add_encounter(&mut information, fit, encounter);
        }
        for VirtualGames { players: [a, b], games } in &self.virtual_games {
            let chance = logistic(fit.strengths[*a] - fit.strengths[*b]);
            let weight = games * chance * (1.0 - chance);
            information.add_outer(&[(*a, 1.0), (*b, -1.0)], weight);
        }
        if let Some(index) = self.first_move_index() {
            let chance = logistic(fit.first_move);
            information.add(index, index, self.prior * chance * (1.0 - chance));
        }
        for group in groups {
            let diagonal: f64 = group.iter().map(|&player| information.get(player, player)).sum();
            let weight = if diagonal > 0.0 { diagonal / group.len() as f64 } else { 1.0 };
            let constant: Vec<(usize, f64)> = group.iter().map(|&player| (player, 1.0)).collect();
            information.add_outer(&constant, weight / group.len() as f64);
        }
        information
    }

    fn add_encounter(
        &self,
        information: &mut Matrix,
        fit: &FittedParameters,
        encounter: &Encounter,
    ) {
        let score = fit.score(encounter);
        let mut direction = vec![(encounter.first, 1.0), (encounter.second, -1.0)];
        direction.extend(self.first_move_index().map(|index| (index, 1.0)));
        information.add_outer(&direction, encounter.games * score * (1.0 - score));
    }
}

/// Newton step with the least damping (D. W. Marquardt, 1963) that makes the information positive
/// definite; far from the maximum, rounding errors may make it indefinite.
fn damped_solve(information: &Matrix, gradient: &[f64]) -> Option<Vec<f64>> {
    let damping = [0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1.0];
    damping.into_iter().find_map(|damping| information.with_diagonal(damping).solve(gradient))
}

/// Index of the group of every player.
pub(super) fn group_of(players: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut of = vec![0; players];
    for (index, group) in groups.iter().enumerate() {
        group.iter().for_each(|&player| of[player] = index);
    }
    of
}
