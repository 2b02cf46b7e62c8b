//! Which child a descent goes to.

use super::{
    rave,
    settings::{Rave, Selection, Settings, Widening},
    tree::{Extra, Proof},
};

/// The natural logarithm of `visits`, to about four digits. Unlike the library's it is the same on
/// every machine, and it costs a few instructions.
#[inline]
pub(super) fn ln(visits: u32) -> f32 {
    let bits = (visits as f32).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    // log2 on [1, 2) to a ten-thousandth, by Chebyshev nodes; in pairs, for shorter chains.
    let square = mantissa * mantissa;
    let low = 4.049_617 * mantissa - 2.505_614_7;
    let high = 0.635_511_1 * mantissa - 2.099_402_3;
    let log = low + square * (high - 0.080_010_88 * square);
    (exponent as f32 + log) * std::f32::consts::LN_2
}

/// How many of a node's moves are looked at after so many visits.
#[inline]
pub(super) fn width(settings: &Settings, visits: u32, count: usize) -> usize {
    match settings.widening {
        Widening::All => count,
        Widening::Root(factor) => count.min(1 + (factor * (visits as f32).sqrt()) as usize),
        Widening::Geometric { wait, growth } => geometric(wait, growth, visits as f32, count),
    }
}

/// How many of `count` moves have been waited for. Counted, not computed: there are few, and a
/// logarithm is not the same on every machine.
#[inline]
fn geometric(wait: f32, growth: f32, visits: f32, count: usize) -> usize {
    let (mut moves, mut pause, mut next) = (1, wait, wait);
    while moves < count && visits >= next {
        moves += 1;
        pause *= growth;
        next += pause;
    }
    moves.min(count)
}

/// What a descent maximises, for one child. A move nobody tried is worth its first-play urgency, or
/// more than anything.
pub(super) struct Urgency<'a> {
    settings: &'a Settings,
    rave: Option<Rave>,
    /// `c^2 ln(visits of the node)`.
    spread: f32,
    /// `c sqrt(visits of the node)`, for moves that are likely.
    pull: f32,
}

impl<'a> Urgency<'a> {
    #[inline]
    pub fn new(settings: &'a Settings, rave: Option<Rave>, visits: u32) -> Urgency<'a> {
        let spread = match settings.selection {
            Selection::Ucb(c) if c > 0.0 => c * c * ln(visits.max(1)),
            _ => 0.0,
        };
        let pull = match settings.selection {
            Selection::Puct(c) => c * (visits as f32).sqrt(),
            _ => 0.0,
        };
        Urgency { settings, rave, spread, pull }
    }

    /// With `n` visits that came to `points`.
    #[inline]
    pub fn plain(&self, visits: u32, points: f32) -> f32 {
        if visits == 0 {
            return self.settings.first_play.unwrap_or(f32::INFINITY);
        }
        let share = 1.0 / visits as f32;
        points * share + (self.spread * share).sqrt()
    }

    /// With RAVE visits and the bias besides.
    #[inline]
    pub fn blended(
        &self,
        visits: u32,
        points: f32,
        (rave_visits, rave_points): (f32, f32),
        bias: f32,
    ) -> f32 {
        let value = match self.rave {
            Some(rave) if rave_visits > 0.0 => {
                let mean =
                    rave::blend(rave.schedule, (visits as f32, points), (rave_visits, rave_points));
                // Where RAVE tells untried moves apart, none needs a first try.
                mean + (self.spread / visits.max(1) as f32).sqrt()
            }
            _ => self.plain(visits, points),
        };
        value + (self.settings.bias + self.pull / (1 + visits) as f32) * bias
    }
}

/// What one descent goes by.
#[derive(Copy, Clone)]
pub(super) struct Descent<'a> {
    pub settings: &'a Settings,
    pub rave: Option<Rave>,
    /// Whether to go to the best open child even if a proven draw looks better. Descents that end in
    /// the draw teach nothing; without a detour now and then nothing more would be proven.
    pub detours: bool,
}

/// What a descent knows of a child.
pub(super) trait Counts {
    fn visits(&self) -> u32;
    fn points(&self) -> f32;
    fn proof(&self) -> Proof;
}

/// The child to go to: the first of the most urgent ones that are not proven to lose.
#[inline]
pub(super) fn pick<N: Counts>(
    nodes: &[N],
    extras: &[Extra],
    descent: Descent<'_>,
    parent_visits: u32,
) -> usize {
    let settings = descent.settings;
    let nodes = &nodes[..width(settings, parent_visits, nodes.len())];
    if nodes.len() == 1 {
        return 0;
    }
    if settings.selection == Selection::Even {
        return fewest_visits(nodes);
    }
    let urgency = Urgency::new(settings, descent.rave, parent_visits);
    if extras.is_empty() {
        if let Some(chosen) = best_of_open(nodes, &urgency) {
            return chosen;
        }
        best(nodes, descent, |_, node| urgency.plain(node.visits(), node.points()))
    } else {
        best(nodes, descent, |index, node| {
            let extra = &extras[index];
            urgency.blended(node.visits(), node.points(), extra.rave(), extra.bias())
        })
    }
}

/// The most urgent child, if all have visits and none is proven; the first one without visits, if
/// nothing is said of such moves. `None` where it takes more to tell.
///
/// The same as [`best`], but without a branch that depends on values: half of those would be
/// mispredicted. One child at a time: figures collected for vector instructions have to be waited
/// for, which costs more than the divisions and roots saved.
#[inline]
fn best_of_open<N: Counts>(nodes: &[N], urgency: &Urgency<'_>) -> Option<usize> {
    let (mut greatest, mut proven) = (0, false);
    for (index, node) in nodes.iter().enumerate() {
        let visits = node.visits();
        proven |= node.proof() != Proof::Unknown;
        if visits == 0 {
            return (!proven && urgency.settings.first_play.is_none()).then_some(index);
        }
        let share = 1.0 / visits as f32;
        let value = node.points() * share + (urgency.spread * share).sqrt();
        // Numbers that are not negative are in the order of their bits; the first of equals wins.
        let place = u32::MAX - index as u32;
        greatest = greatest.max(u64::from(value.to_bits()) << 32 | u64::from(place));
    }
    if proven && urgency.settings.solver {
        return None;
    }
    Some((u32::MAX - greatest as u32) as usize)
}

#[inline]
fn best<N: Counts>(
    nodes: &[N],
    descent: Descent<'_>,
    mut urgency: impl FnMut(usize, &N) -> f32,
) -> usize {
    let (mut chosen, mut greatest) = (0, f32::NEG_INFINITY);
    for (index, node) in nodes.iter().enumerate() {
        let value = match node.proof() {
            Proof::Unknown => urgency(index, node),
            _ if !descent.settings.solver => urgency(index, node),
            Proof::Win => return index,
            Proof::Loss => continue,
            Proof::Draw if descent.detours => -1.0,
            Proof::Draw => 0.5,
        };
        if value > greatest {
            (chosen, greatest) = (index, value);
            if value == f32::INFINITY {
                break;
            }
        }
    }
    chosen
}

fn fewest_visits<N: Counts>(nodes: &[N]) -> usize {
    let visits = |&(_, node): &(usize, &N)| node.visits();
    nodes.iter().enumerate().min_by_key(visits).map_or(0, |(index, _)| index)
}
