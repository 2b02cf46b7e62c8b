//! Playouts that know something of Go.
//!
//! Every move of a playout is chosen by the first rule that has one, in the order of [`Policy`]'s
//! fields: mostly answers to the last move, then captures anywhere, then anything that fills no own
//! eye. Each rule has a file of its own and proposes moves; this one asks them in turn.
//!
//! [`play_out_with`] plays a game to its end; [`PlayoutBoard`] goes move by move.

mod capture;
mod defence;
pub mod habits;
mod ladder;
mod liberties;
mod low_liberty;
mod nakade;
mod patterns;
mod playout_board;
pub(super) mod points;
mod self_atari;
mod settings;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use tests::read as read_diagram;

pub use playout_board::{PlayoutBoard, play_out_with};
pub use settings::{Policy, Rule};

use super::{point::Point, stones::Stones};
use capture::Endangered;
use habits::{REFUSALS, Witness};
use ludus_core::{Random, Side};
use points::Points;

/// A ko taken no more than so many moves ago is worth taking back.
const KO_MEMORY: usize = 4;

/// What a policy needs to know besides the stones.
#[derive(Clone)]
pub(super) struct Trail {
    turn: Side,
    /// Passes just before.
    passes: u8,
    /// Moves made in the playout.
    length: usize,
    /// The last move and the one before, or [`Point::NOWHERE`].
    last: [Point; 2],
    /// Where a ko was taken most recently, and after how many moves.
    ko: (Point, usize),
    endangered: Endangered,
    /// The moves a rule has proposed.
    proposed: Points,
}

impl Trail {
    fn new() -> Trail {
        Trail {
            turn: Side::First,
            passes: 0,
            length: 0,
            last: [Point::NOWHERE; 2],
            ko: (Point::NOWHERE, 0),
            endangered: Endangered::new(),
            proposed: Points::new(),
        }
    }
}

/// Whether something happens that has this chance, in percent.
#[inline(always)]
fn happens(chance: u8, random: &mut Random) -> bool {
    chance >= 100 || chance > 0 && random.below(100) < usize::from(chance)
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    /// The move of `SIDE` that `policy` makes, if any, and the rule that made it.
    fn choose<const SIDE: usize, const ENEMY: usize>(
        &mut self,
        trail: &mut Trail,
        policy: &Policy,
        random: &mut Random,
        witness: &mut impl Witness,
    ) -> (Rule, Option<Point>) {
        for rule in Rule::PROPOSING {
            let chance = rule.chance(policy);
            if chance == 0 {
                continue;
            }
            if rule == Rule::Pattern
                && let Some(habits) = &policy.habits
            {
                match self.draw_answer::<SIDE>(trail, habits, random, witness) {
                    Some(point) => return (rule, Some(point)),
                    None => continue,
                }
            }
            self.propose::<SIDE, ENEMY>(rule, trail, policy);
            if trail.proposed.is_empty() {
                continue;
            }
            // Drawn last, since most rules have nothing to say most of the time.
            let followed = happens(chance, random);
            witness.asked(rule, followed);
            if !followed {
                trail.proposed.clear();
            }
            while let Some(point) = trail.proposed.draw(random) {
                if self.accepts::<SIDE, ENEMY>(rule, point, policy.seki) {
                    trail.proposed.clear();
                    return (rule, Some(point));
                }
            }
        }
        let point = self.draw_careful_move::<SIDE, ENEMY>(policy, random, witness);
        (if point.is_some() { Rule::Random } else { Rule::Pass }, point)
    }

    /// Fills the list of proposed moves with those of `rule`.
    #[inline(always)]
    fn propose<const SIDE: usize, const ENEMY: usize>(
        &self,
        rule: Rule,
        trail: &mut Trail,
        policy: &Policy,
    ) {
        let out = &mut trail.proposed;
        if rule == Rule::GlobalCapture {
            return self.propose_global_captures::<SIDE>(&mut trail.endangered, out);
        }
        let [last, before] = trail.last;
        match rule {
            Rule::KoRefight => {
                let (ko, moment) = trail.ko;
                if ko != Point::NOWHERE && trail.length - moment <= KO_MEMORY && self.is_empty(ko) {
                    out.add(ko);
                }
            }
            Rule::Pattern => {
                for around in [last, before] {
                    if around != Point::NOWHERE {
                        self.propose_patterns::<SIDE>(around, out);
                    }
                }
            }
            _ if last == Point::NOWHERE => {}
            Rule::Nakade => self.propose_nakade::<SIDE>(last, out),
            Rule::Capture => self.propose_capture(last, out),
            Rule::Defence => self.propose_defence::<SIDE>(last, policy.ladders, out),
            _ => self.propose_low_liberty::<SIDE, ENEMY>(last, out),
        }
    }

    /// Whether a move that `rule` proposes may be played by one who does or does not know of seki.
    #[inline(always)]
    fn accepts<const SIDE: usize, const ENEMY: usize>(
        &self,
        rule: Rule,
        point: Point,
        knows_seki: bool,
    ) -> bool {
        if !self.is_sensible::<SIDE>(point) {
            return false;
        }
        match rule {
            Rule::LowLiberty | Rule::Pattern => !self.is_self_atari::<SIDE>(point),
            _ => !(knows_seki && self.spoils_a_seki::<SIDE, ENEMY>(point)),
        }
    }

    /// A random move as in a light playout, but for stones put in atari.
    #[inline(always)]
    fn draw_careful_move<const SIDE: usize, const ENEMY: usize>(
        &mut self,
        policy: &Policy,
        random: &mut Random,
        witness: &mut impl Witness,
    ) -> Option<Point> {
        let mut untried = self.empty;
        let (mut refused, mut refusals) = (None, 0);
        while untried > 0 {
            let place = random.below(untried);
            let point = self.empty_at(place);
            if self.is_sensible::<SIDE>(point) {
                if let Some(habits) = &policy.habits
                    && refusals < REFUSALS
                    && !self.takes::<SIDE>(habits, point, random, witness)
                {
                    refused = Some(point);
                    refusals += 1;
                    untried -= 1;
                    self.swap_empties(place, untried);
                    continue;
                }
                if !policy.minds_self_atari() || !self.is_self_atari::<SIDE>(point) {
                    return Some(point);
                }
                if let Some(better) = self.second_thought::<SIDE, ENEMY>(point, policy, random) {
                    return Some(better);
                }
            }
            untried -= 1;
            self.swap_empties(place, untried);
        }
        refused
    }

    /// Places a stone of `SIDE` on `point`, or passes, and keeps the trail up to date. With `KEYS`
    /// the key is kept too.
    #[inline(always)]
    fn make<const SIDE: usize, const KEYS: bool>(
        &mut self,
        trail: &mut Trail,
        point: Option<Point>,
    ) {
        trail.length += 1;
        trail.last = [point.unwrap_or(Point::NOWHERE), trail.last[0]];
        trail.turn = Side::BOTH[1 - SIDE];
        let Some(point) = point else {
            trail.passes += 1;
            self.ko = Point::NOWHERE;
            return;
        };
        trail.passes = 0;
        self.play::<SIDE, KEYS>(point);
        self.note_endangered::<SIDE>(point, &mut trail.endangered);
        if self.ko != Point::NOWHERE {
            trail.ko = (self.ko, trail.length);
        }
    }

    /// Whether a playout under `policy` is over: both sides have passed, one is hopeless, or it goes
    /// in circles.
    #[inline(always)]
    fn is_finished(&self, trail: &Trail, policy: &Policy) -> bool {
        let points = self.size * self.size;
        let lead = usize::from(self.counts[0].abs_diff(self.counts[1]));
        trail.passes >= 2
            || policy.mercy > 0 && 100 * lead > usize::from(policy.mercy) * points
            || trail.length >= 3 * points
    }
}
