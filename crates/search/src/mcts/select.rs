//! Selection: the child a descent goes to.

use super::{
    rave,
    settings::{MctsSettings, RaveSettings, SelectionPolicy, Widening},
    tree::{NodeExtras, ProvenValue},
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

/// Progressive widening: the number of a node's moves that are considered after `visits` visits.
#[inline]
pub(super) fn width(settings: &MctsSettings, visits: u32, count: usize) -> usize {
    match settings.widening {
        Widening::All => count,
        Widening::Root(factor) => count.min(1 + (factor * (visits as f32).sqrt()) as usize),
        Widening::Geometric { wait, growth } => geometric_width(wait, growth, visits as f32, count),
    }
}

/// The width of the geometric schedule. Counted, not computed: there are few moves, and a logarithm is
/// not the same on every machine.
#[inline]
fn geometric_width(wait: f32, growth: f32, visits: f32, count: usize) -> usize {
    let (mut moves, mut pause, mut next) = (1, wait, wait);
    while moves < count && visits >= next {
        moves += 1;
        pause *= growth;
        next += pause;
    }
    moves.min(count)
}

/// UCB or PUCT, the value a descent maximises: mean and exploration term of a child. A move without visits has its
/// first-play urgency, or more than any other.
pub(super) struct SelectionValue<'a> {
    settings: &'a MctsSettings,
    rave: Option<RaveSettings>,
    /// `c^2 ln(visits of the node)`.
    spread: f32,
    /// PUCT: `c sqrt(visits of the node)`.
    prior_factor: f32,
}

impl<'a> SelectionValue<'a> {
    #[inline]
    pub fn new(
        settings: &'a MctsSettings,
        rave: Option<RaveSettings>,
        visits: u32,
    ) -> SelectionValue<'a> {
        let spread = match settings.selection {
            SelectionPolicy::Ucb(c) if c > 0.0 => c * c * ln(visits.max(1)),
            _ => 0.0,
        };
        let prior_factor = match settings.selection {
            SelectionPolicy::Puct(c) => c * (visits as f32).sqrt(),
            _ => 0.0,
        };
        SelectionValue { settings, rave, spread, prior_factor }
    }

    /// The value of a child by its visits and points.
    #[inline]
    pub fn plain(&self, visits: u32, points: f32) -> f32 {
        if visits == 0 {
            return self.settings.first_play_urgency.unwrap_or(f32::INFINITY);
        }
        let share = 1.0 / visits as f32;
        points * share + (self.spread * share).sqrt()
    }

    /// The value with RAVE and bias.
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
                // With RAVE values a move needs no visit to be compared.
                mean + (self.spread / visits.max(1) as f32).sqrt()
            }
            _ => self.plain(visits, points),
        };
        value + (self.settings.bias + self.prior_factor / (1 + visits) as f32) * bias
    }
}

/// The settings of one descent.
#[derive(Copy, Clone)]
pub(super) struct Descent<'a> {
    pub settings: &'a MctsSettings,
    pub rave: Option<RaveSettings>,
    /// Whether to go to the best unproven child even if a proven draw looks better. Descents that end in
    /// the draw show nothing new; without such a detour now and then nothing more would be proven.
    pub detours: bool,
}

/// The statistics of a child that a descent uses.
pub(super) trait ChildStats {
    fn visits(&self) -> u32;
    fn points(&self) -> f32;
    fn proof(&self) -> ProvenValue;
}

/// The child to go to: the first of those with the greatest value that are not proven to lose.
#[inline]
pub(super) fn pick<N: ChildStats>(
    nodes: &[N],
    extras: &[NodeExtras],
    descent: Descent<'_>,
    parent_visits: u32,
) -> usize {
    let settings = descent.settings;
    let nodes = &nodes[..width(settings, parent_visits, nodes.len())];
    if nodes.len() == 1 {
        return 0;
    }
    if settings.selection == SelectionPolicy::Even {
        return fewest_visits(nodes);
    }
    let selection_value = SelectionValue::new(settings, descent.rave, parent_visits);
    if extras.is_empty() {
        if let Some(chosen) = best_of_open(nodes, &selection_value) {
            return chosen;
        }
        best(nodes, descent, |_, node| selection_value.plain(node.visits(), node.points()))
    } else {
        best(nodes, descent, |index, node| {
            let extra = &extras[index];
            selection_value.blended(node.visits(), node.points(), extra.rave(), extra.bias())
        })
    }
}

/// The child with the greatest value, if all have visits and none is proven; the first one without
/// visits, if there is no first-play urgency. `None` in all other cases.
///
/// The same as [`best`], but without a branch that depends on values: half of those would be
/// mispredicted. One child at a time: collecting values for vector instructions costs more than the
/// divisions and roots it saves.
#[inline]
fn best_of_open<N: ChildStats>(nodes: &[N], selection_value: &SelectionValue<'_>) -> Option<usize> {
    let (mut greatest, mut proven) = (0, false);
    for (index, node) in nodes.iter().enumerate() {
        let visits = node.visits();
        proven |= node.proof() != ProvenValue::Unknown;
        if visits == 0 {
            return (!proven && selection_value.settings.first_play_urgency.is_none())
                .then_some(index);
        }
        let share = 1.0 / visits as f32;
        let value = node.points() * share + (selection_value.spread * share).sqrt();
        // Numbers that are not negative are in the order of their bits; the first of equals wins.
        let place = u32::MAX - index as u32;
        greatest = greatest.max(u64::from(value.to_bits()) << 32 | u64::from(place));
    }
    if proven && selection_value.settings.solver {
        return None;
    }
    Some((u32::MAX - greatest as u32) as usize)
}

#[inline]
fn best<N: ChildStats>(
    nodes: &[N],
    descent: Descent<'_>,
    mut selection_value: impl FnMut(usize, &N) -> f32,
) -> usize {
    let (mut chosen, mut greatest) = (0, f32::NEG_INFINITY);
    for (index, node) in nodes.iter().enumerate() {
        let value = match node.proof() {
            ProvenValue::Unknown => selection_value(index, node),
            _ if !descent.settings.solver => selection_value(index, node),
            ProvenValue::Win => return index,
            ProvenValue::Loss => continue,
            ProvenValue::Draw if descent.detours => -1.0,
            ProvenValue::Draw => 0.5,
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

fn fewest_visits<N: ChildStats>(nodes: &[N]) -> usize {
    let visits = |&(_, node): &(usize, &N)| node.visits();
    nodes.iter().enumerate().min_by_key(visits).map_or(0, |(index, _)| index)
}
