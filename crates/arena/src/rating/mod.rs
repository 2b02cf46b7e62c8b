//! Ratings of all players of a tournament from their results.
//!
//! The Bradley-Terry model (R. A. Bradley and M. E. Terry, *Rank Analysis of Incomplete Block
//! Designs*, Biometrika 39, 1952) of the *expected score*, a draw being half a point: players `d`
//! Elo apart are expected to score `1 / (1 + 10^(-d/400))`, drawn games included. So all ratings,
//! the difference printed for a match and that of a sequential test are on one scale, and any two
//! ratings give the expected score. (A model of wins, draws and losses apart, such
//! as R. R. Davidson's of 1970, has its own scale, in which a gap means less in drawish games.) An
//! advantage of the first move is added as by R. R. Davidson and R. J. Beaver (*On Extending the
//! Bradley-Terry Model to Incorporate Within-Pair Order Effects*, Biometrics 33, 1977).
//!
//! It is fitted by minorisation-maximisation (D. R. Hunter, *MM Algorithms for Generalized
//! Bradley-Terry Models*, Annals of Statistics 32, 2004). The error bars come from the inverse of the
//! Fisher information, narrowed as draws narrow the variance of a game: the dispersion of a
//! quasi-likelihood (R. W. M. Wedderburn, *Quasi-likelihood Functions*, Biometrika 61, 1974).

mod matrix;
mod model;

use crate::elo::{Estimate, Wdl, Z95};
use matrix::Matrix;
use model::{BradleyTerry, Encounter, FittedParameters};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Elo of a factor `e` in strength.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Games between two players in which `first` always moved first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Index of the player who moved first.
    pub first: usize,
    /// Index of the other.
    pub second: usize,
    /// The results, from the point of view of `first`.
    pub wdl: Wdl,
}

/// Zero point of the rating scale.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum Anchor {
    /// The average rating of every group is 0.
    #[default]
    Mean,
    /// This player has this rating; groups without the player keep an average of 0.
    Player {
        /// Index of the player.
        player: usize,
        /// The rating given.
        elo: f64,
    },
}

/// Options of the rating model.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RatingOptions {
    /// Virtual draws of each player, shared evenly among the opponents. They keep ratings finite after
    /// wins only or losses only, and do not narrow error bars. At least one millionth.
    pub prior: f64,
    /// Whether to fit an advantage of the first move; if not, there is none.
    pub first_move: bool,
    /// Zero point of the rating scale.
    pub anchor: Anchor,
}

impl Default for RatingOptions {
    fn default() -> RatingOptions {
        RatingOptions { prior: 1.0, first_move: false, anchor: Anchor::Mean }
    }
}

/// The rating of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Rating with its 95 % interval; empty for a player without games.
    pub elo: Estimate,
    /// All results of the player.
    #[serde(rename = "tally")]
    pub wdl: Wdl,
    /// Index into [`Ratings::groups`].
    pub group: usize,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// One for each player, in the order of the players.
    pub players: Vec<Rating>,
    /// Groups of players connected by games, in the order of their first players. Ratings of different
    /// groups cannot be compared.
    pub groups: Vec<Vec<usize>>,
    /// Advantage of the first move; empty if it was not fitted.
    pub first_move: Estimate,
    /// Estimated draw rate of equal players; `None` without games.
    pub draw_rate: Option<f64>,
}

impl Ratings {
    /// Player indices from the best rating to the worst, those without one last.
    pub fn ranking(&self) -> Vec<usize> {
        let elo = |player: &usize| self.players[*player].elo.value.unwrap_or(f64::NEG_INFINITY);
        let score = |player: &usize| self.players[*player].wdl.score().unwrap_or(0.0);
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| {
            elo(b).total_cmp(&elo(a)).then(score(b).total_cmp(&score(a))).then(a.cmp(b))
        });
        order
    }

    /// Whether all players can be compared.
    pub fn is_connected(&self) -> bool {
        self.groups.len() <= 1
    }
}

/// Invalid input of [`rate`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// A pairing or the anchor names a player who does not exist.
    #[error("player {0} of {1} does not exist (they count from 0)")]
    NoSuchPlayer(usize, usize),
    /// A pairing of a player with itself.
    #[error("player {0} is paired with itself")]
    OwnOpponent(usize),
    /// The prior or the anchor is not a finite number.
    #[error("{0} must be a finite number")]
    NotFinite(&'static str),
}

/// Rates `players` players by their games.
pub fn rate(
    players: usize,
    pairings: &[Pairing],
    options: &RatingOptions,
) -> Result<Ratings, RatingError> {
    check(players, pairings, options)?;
    let mut totals = vec![Wdl::default(); players];
    for pairing in pairings {
        totals[pairing.first] += pairing.wdl;
        totals[pairing.second] += pairing.wdl.mirrored();
    }
    let groups = groups(players, pairings);
    let encounters = merged(pairings);
    let prior = options.prior.max(1e-6);
    let model = BradleyTerry::new(players, encounters, prior, options.first_move);
    let mut fit = model.fit(&groups);
    centre(&mut fit.strengths, &groups);
    let covariance = model.information(&fit, &groups).inverse();
    let draw_rate = model.draw_rate(&fit);
    let report = Report { model: &model, fit: &fit, covariance, draw_rate, groups: &groups };

    let mut ratings: Vec<Rating> = totals
        .iter()
        .zip(model::group_of(players, &groups))
        .map(|(&wdl, group)| Rating { elo: Estimate::default(), wdl, group })
        .collect();
    for (player, rating) in ratings.iter_mut().enumerate() {
        if rating.wdl.games() > 0 {
            rating.elo = report.rating(player, options.anchor);
        }
    }
    let played = totals.iter().any(|wdl| wdl.games() > 0);
    let first_move =
        if options.first_move && played { report.first_move() } else { Estimate::default() };
    let draw_rate = played.then_some(draw_rate);
    Ok(Ratings { players: ratings, groups, first_move, draw_rate })
}

/// Merges the games of each ordered pair of players, in player order, so that the ratings do not depend
/// on the order of the games, not even in the last digit.
fn merged(pairings: &[Pairing]) -> Vec<Encounter> {
    let mut totals: BTreeMap<(usize, usize), Wdl> = BTreeMap::new();
    for pairing in pairings {
        *totals.entry((pairing.first, pairing.second)).or_default() += pairing.wdl;
    }
    let encounter = |((first, second), wdl): ((usize, usize), Wdl)| Encounter {
        first,
        second,
        games: wdl.games() as f64,
        points: wdl.points(),
        draws: wdl.draws as f64,
    };
    totals.into_iter().filter(|(_, wdl)| wdl.games() > 0).map(encounter).collect()
}

fn check(players: usize, pairings: &[Pairing], options: &RatingOptions) -> Result<(), RatingError> {
    let anchor = match options.anchor {
        Anchor::Mean => None,
        Anchor::Player { elo, .. } if !elo.is_finite() => {
            return Err(RatingError::NotFinite("the rating of the anchor"));
        }
        Anchor::Player { player, .. } => Some(player),
    };
    if !options.prior.is_finite() {
        return Err(RatingError::NotFinite("the prior"));
    }
    let named = pairings.iter().flat_map(|pairing| [pairing.first, pairing.second]).chain(anchor);
    for player in named {
        if player >= players {
            return Err(RatingError::NoSuchPlayer(player, players));
        }
    }
    match pairings.iter().find(|pairing| pairing.first == pairing.second) {
        Some(pairing) => Err(RatingError::OwnOpponent(pairing.first)),
        None => Ok(()),
    }
}

/// Groups of players connected by games, by flood fill.
fn groups(players: usize, pairings: &[Pairing]) -> Vec<Vec<usize>> {
    let mut opponents = vec![Vec::new(); players];
    for pairing in pairings.iter().filter(|pairing| pairing.wdl.games() > 0) {
        opponents[pairing.first].push(pairing.second);
        opponents[pairing.second].push(pairing.first);
    }
    let mut reached = vec![false; players];
    let mut groups = Vec::new();
    for start in 0..players {
        let mut group = Vec::new();
        let mut open = vec![start];
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut reached[player], true) {
                group.push(player);
                open.extend(&opponents[player]);
            }
        }
        if !group.is_empty() {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}

/// Moves the average of every group to zero.
fn centre(strengths: &mut [f64], groups: &[Vec<usize>]) {
    for group in groups {
        let sum: f64 = group.iter().map(|&player| strengths[player]).sum();
        let mean = sum / group.len() as f64;
        group.iter().for_each(|&player| strengths[player] -= mean);
    }
}

/// Turns the fitted parameters and their covariance into Elo.
struct Report<'a> {
    model: &'a BradleyTerry,
    fit: &'a FittedParameters,
    covariance: Option<Matrix>,
    draw_rate: f64,
    groups: &'a [Vec<usize>],
}

impl Report<'_> {
    /// Elo of the log-strength `offset`, with the error of `contrast`, the weights of the parameters
    /// in it.
    fn estimate(&self, offset: f64, contrast: &[f64]) -> Estimate {
        let variance = self
            .covariance
            .as_ref()
            .map_or(f64::NAN, |matrix| matrix.quadratic_form(contrast).max(0.0));
        let deviation = (variance * (1.0 - self.draw_rate)).sqrt();
        Estimate::symmetric(offset * ELO_PER_NAT, Z95 * deviation * ELO_PER_NAT)
    }

    fn rating(&self, player: usize, anchor: Anchor) -> Estimate {
        let group = self.groups.iter().find(|group| group.contains(&player));
        let group = group.map_or(&[][..], Vec::as_slice);
        let strengths = &self.fit.strengths;
        let mut contrast = vec![0.0; self.model.parameters()];
        contrast[player] = 1.0;
        match anchor {
            Anchor::Player { player: zero, elo } if group.contains(&zero) => {
                contrast[zero] -= 1.0;
                let estimate = self.estimate(strengths[player] - strengths[zero], &contrast);
                let add = |number: Option<f64>| number.map(|number| number + elo);
                Estimate {
                    value: add(estimate.value),
                    low: add(estimate.low),
                    high: add(estimate.high),
                }
            }
            _ => {
                group.iter().for_each(|&other| contrast[other] -= 1.0 / group.len() as f64);
                self.estimate(strengths[player], &contrast)
            }
        }
    }

    fn first_move(&self) -> Estimate {
        let mut contrast = vec![0.0; self.model.parameters()];
        if let Some(index) = self.model.first_move_index() {
            contrast[index] = 1.0;
        }
        self.estimate(self.fit.first_move, &contrast)
    }
}

#[cfg(test)]
mod tests;
