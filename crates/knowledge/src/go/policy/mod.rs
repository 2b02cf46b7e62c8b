//! The playout policy.
//!
//! Every move of a playout is chosen by the first rule that has one, in the order of
//! [`PlayoutPolicy`]'s fields: mostly answers to the last move, then captures anywhere, then any
//! move that fills no own eye. Each rule has its own file and proposes moves; this file asks them
//! in turn.
//!
//! [`play_out_with`] plays a game to its end; [`PlayoutBoard`] goes move by move.

mod capture;
mod defence;
mod ladder;
mod liberties;
mod low_liberty;
mod nakade;
mod patterns;
mod playout_board;
pub mod playout_weights;
pub(super) mod points;
mod self_atari;
mod settings;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use tests::read as read_diagram;

pub use liberties::ataris_after;
pub use playout_board::{PlayoutBoard, play_out_with};
pub use settings::{PlayoutPolicy, PlayoutRule};

use capture::ChainsInAtari;
use ludus_core::{Random, Side};
use ludus_games::go::{Point, stones::Stones};
use playout_weights::{ChoiceRecorder, MAX_REFUSALS};
use points::Points;
use std::ops::Deref;

/// A board as the policy looks at it.
#[derive(Copy, Clone)]
pub(super) struct PolicyView<'a, const ROOM: usize, const STRIDE: usize, const LENGTH: usize>(
    pub &'a Stones<ROOM, STRIDE, LENGTH>,
);

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Deref
    for PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    type Target = Stones<ROOM, STRIDE, LENGTH>;

    #[inline(always)]
    fn deref(&self) -> &Stones<ROOM, STRIDE, LENGTH> {
        self.0
    }
}

/// A board on which a playout places stones.
struct PlayoutStones<'a, const ROOM: usize, const STRIDE: usize, const LENGTH: usize>(
    &'a mut Stones<ROOM, STRIDE, LENGTH>,
);

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PlayoutStones<'_, ROOM, STRIDE, LENGTH>
{
    #[inline(always)]
    fn view(&self) -> PolicyView<'_, ROOM, STRIDE, LENGTH> {
        PolicyView(self.0)
    }
}

/// Age limit, in moves, of a ko that is worth retaking.
const MAX_KO_AGE_MOVES: usize = 4;

/// State of a playout besides the stones.
#[derive(Clone)]
pub(super) struct PlayoutState {
    turn: Side,
    /// Passes just before.
    passes: u8,
    /// Moves made in the playout.
    length: usize,
    /// The last move and the one before, or [`Point::NOWHERE`].
    last: [Point; 2],
    /// The most recent ko point, and the number of moves after which it was taken.
    ko: (Point, usize),
    in_atari_chains: ChainsInAtari,
    /// The moves a rule has proposed.
    proposed: Points,
}

impl PlayoutState {
    fn new() -> PlayoutState {
        PlayoutState {
            turn: Side::First,
            passes: 0,
            length: 0,
            last: [Point::NOWHERE; 2],
            ko: (Point::NOWHERE, 0),
            in_atari_chains: ChainsInAtari::new(),
            proposed: Points::new(),
        }
    }
}

/// Draws a random event with a chance in percent.
#[inline(always)]
fn random_chance(chance: u8, random: &mut Random) -> bool {
    chance >= 100 || chance > 0 && random.below(100) < usize::from(chance)
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PlayoutStones<'_, ROOM, STRIDE, LENGTH>
{
    /// The move of `SIDE` that `policy` makes, if any, and the rule that made it.
    fn choose<const SIDE: usize, const ENEMY: usize>(
        &mut self,
        state: &mut PlayoutState,
        policy: &PlayoutPolicy,
        random: &mut Random,
        recorder: &mut impl ChoiceRecorder,
    ) -> (PlayoutRule, Option<Point>) {
        for rule in PlayoutRule::PROPOSING {
            let chance = rule.chance(policy);
            if chance == 0 {
                continue;
            }
            if rule == PlayoutRule::Pattern
                && let Some(weights) = &policy.weights
            {
                match self.view().draw_answer::<SIDE>(state, weights, random, recorder) {
                    Some(point) => return (rule, Some(point)),
                    None => continue,
                }
            }
            self.view().propose::<SIDE, ENEMY>(rule, state, policy);
            if state.proposed.is_empty() {
                continue;
            }
            // Drawn last, since most rules have no move most of the time.
            let followed = random_chance(chance, random);
            recorder.rule_choice(rule, followed);
            if !followed {
                state.proposed.clear();
            }
            while let Some(point) = state.proposed.draw(random) {
                if self.view().accepts::<SIDE, ENEMY>(rule, point, policy.seki) {
                    state.proposed.clear();
                    return (rule, Some(point));
                }
            }
        }
        let point = self.draw_careful_move::<SIDE, ENEMY>(policy, random, recorder);
        (if point.is_some() { PlayoutRule::Random } else { PlayoutRule::Pass }, point)
    }

    /// A random move as in a light playout, except for self-atari.
    #[inline(always)]
    fn draw_careful_move<const SIDE: usize, const ENEMY: usize>(
        &mut self,
        policy: &PlayoutPolicy,
        random: &mut Random,
        recorder: &mut impl ChoiceRecorder,
    ) -> Option<Point> {
        let mut untried = self.0.empty;
        let (mut refused, mut refusals) = (None, 0);
        while untried > 0 {
            let place = random.below(untried);
            let point = self.0.empty_at(place);
            if self.0.is_sensible::<SIDE>(point) {
                if let Some(weights) = &policy.weights
                    && refusals < MAX_REFUSALS
                    && !self.view().accepts_random_move::<SIDE>(weights, point, random, recorder)
                {
                    refused = Some(point);
                    refusals += 1;
                    untried -= 1;
                    self.0.swap_empties(place, untried);
                    continue;
                }
                if !policy.checks_self_atari() || !self.view().is_self_atari::<SIDE>(point) {
                    return Some(point);
                }
                if let Some(better) =
                    self.view().reconsider_self_atari::<SIDE, ENEMY>(point, policy, random)
                {
                    return Some(better);
                }
            }
            untried -= 1;
            self.0.swap_empties(place, untried);
        }
        refused
    }

    /// Places a stone of `SIDE` on `point`, or passes, and updates the state, with `KEYS` also the
    /// key.
    #[inline(always)]
    fn make<const SIDE: usize, const KEYS: bool>(
        &mut self,
        state: &mut PlayoutState,
        point: Option<Point>,
    ) {
        state.length += 1;
        state.last = [point.unwrap_or(Point::NOWHERE), state.last[0]];
        state.turn = Side::BOTH[1 - SIDE];
        let Some(point) = point else {
            state.passes += 1;
            self.0.ko = Point::NOWHERE;
            return;
        };
        state.passes = 0;
        self.0.play::<SIDE, KEYS>(point);
        self.view().record_chains_in_atari::<SIDE>(point, &mut state.in_atari_chains);
        if self.0.ko != Point::NOWHERE {
            state.ko = (self.0.ko, state.length);
        }
    }
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// Fills the list of proposed moves with those of `rule`.
    #[inline(always)]
    fn propose<const SIDE: usize, const ENEMY: usize>(
        self,
        rule: PlayoutRule,
        state: &mut PlayoutState,
        policy: &PlayoutPolicy,
    ) {
        let out = &mut state.proposed;
        if rule == PlayoutRule::GlobalCapture {
            return self.propose_global_captures::<SIDE>(&mut state.in_atari_chains, out);
        }
        let [last, before] = state.last;
        match rule {
            PlayoutRule::KoRefight => {
                let (ko, taken_at) = state.ko;
                if ko != Point::NOWHERE
                    && state.length - taken_at <= MAX_KO_AGE_MOVES
                    && self.is_empty(ko)
                {
                    out.add(ko);
                }
            }
            PlayoutRule::Pattern => {
                for around in [last, before] {
                    if around != Point::NOWHERE {
                        self.propose_patterns::<SIDE>(around, out);
                    }
                }
            }
            _ if last == Point::NOWHERE => {}
            PlayoutRule::Nakade => self.propose_nakade::<SIDE>(last, out),
            PlayoutRule::Capture => self.propose_capture(last, out),
            PlayoutRule::Defence => self.propose_defence::<SIDE>(last, policy.ladders, out),
            _ => self.propose_low_liberty::<SIDE, ENEMY>(last, out),
        }
    }

    /// Whether a move proposed by `rule` may be played, with or without protection of seki.
    #[inline(always)]
    fn accepts<const SIDE: usize, const ENEMY: usize>(
        self,
        rule: PlayoutRule,
        point: Point,
        protects_seki: bool,
    ) -> bool {
        if !self.is_sensible::<SIDE>(point) {
            return false;
        }
        match rule {
            PlayoutRule::LowLiberty | PlayoutRule::Pattern => !self.is_self_atari::<SIDE>(point),
            _ => !(protects_seki && self.spoils_seki::<SIDE, ENEMY>(point)),
        }
    }

    /// Whether a playout under `policy` is over: both sides have passed, the mercy rule
    /// applies, or it is too long.
    #[inline(always)]
    fn is_finished(self, state: &PlayoutState, policy: &PlayoutPolicy) -> bool {
        let points = self.size * self.size;
        let lead = usize::from(self.counts[0].abs_diff(self.counts[1]));
        state.passes >= 2
            || policy.mercy > 0 && 100 * lead > usize::from(policy.mercy) * points
            || state.length >= 3 * points
    }
}
