//! Learned habits of playouts: which 3x3 shapes are answers to the moves before, and which are worth
//! a random move.
//!
//! The moves around the last two are drawn with chances in proportion to the weights of their
//! shapes, and "elsewhere" has a weight too. A random move is taken with the chance of its shape,
//! else another is drawn. All of it can be learned from results, since the chance of every choice
//! is known: a [`Witness`] hears of each.

use super::{
    super::{
        point::Point,
        shapes::{SHAPES, exchanged, picture, read_picture},
        stones::Stones,
    },
    Rule, Trail,
};
use ludus_core::Random;
use std::sync::LazyLock;

/// The weight of moves that are not around the last two.
pub const ELSEWHERE: u32 = 256;

/// The largest weight of a shape beside all moves elsewhere.
pub const LARGEST_WEIGHT: f32 = 250.0;

/// Random moves that may be refused for their shape before any is taken.
pub(super) const REFUSALS: usize = 4;

/// Where an answer lies: beside the last move, diagonally from it, and the same of the move before.
pub const PLACES: usize = 4;

/// Weights of shapes as the side to move sees them: `X` is its own stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Habits {
    /// By place, where all moves elsewhere are worth [`ELSEWHERE`].
    answers: [Vec<u16>; PLACES],
    /// The chance of a random move, of 255.
    anywhere: Vec<u8>,
}

/// What is learned of one shape.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Habit {
    /// Weights as an answer, by place; 1 is that of all moves elsewhere.
    pub answers: [f32; PLACES],
    /// The chance that it is taken as a random move.
    pub anywhere: f32,
}

/// How many shapes there are.
pub fn shapes() -> usize {
    SHAPES.pictures.len()
}

/// The picture of a shape, such as `.X./O*./###`.
pub fn shape_name(shape: usize) -> String {
    picture(SHAPES.pictures[shape])
}

/// The shape of a picture, however it is turned.
pub fn shape_named(name: &str) -> Option<usize> {
    let class = usize::from(SHAPES.classes[usize::from(read_picture(name)?)]);
    (class < shapes()).then_some(class)
}

/// The shape of each neighbourhood; what no board has is counted as one more.
static CLASSES: LazyLock<Box<[u16; 1 << 16]>> = LazyLock::new(|| {
    let most = shapes() as u16;
    let classes: Box<[u16]> = SHAPES.classes.iter().map(|&class| class.min(most)).collect();
    classes.try_into().expect("as many as there are")
});

impl Habits {
    /// From what is learned of each shape.
    ///
    /// # Panics
    /// If there are not as many habits as shapes.
    pub fn new(habits: &[Habit]) -> Habits {
        assert_eq!(habits.len(), shapes(), "other shapes");
        let weight = |place: usize| {
            let scaled = |habit: &Habit| (habit.answers[place] * ELSEWHERE as f32).round() as u16;
            habits.iter().map(scaled).chain([0]).collect()
        };
        let chance = |habit: &Habit| (habit.anywhere * 255.0).round() as u8;
        let anywhere = habits.iter().map(chance).chain([255]).collect();
        Habits { answers: std::array::from_fn(weight), anywhere }
    }

    /// The habits of the drawn patterns: what matches is likely, anything else is not.
    pub fn drawn() -> Vec<Habit> {
        let habit = |&around: &u16| Habit {
            answers: [if super::patterns::is_drawn(around) { 12.0 } else { 0.03 }; PLACES],
            anywhere: 0.9,
        };
        SHAPES.pictures.iter().map(habit).collect()
    }
}

/// A move around one of the last two.
#[derive(Copy, Clone, Debug)]
pub struct Offer {
    /// Where it lies, from 0 to [`PLACES`].
    pub place: u8,
    /// Its shape.
    pub shape: u16,
    /// Its weight beside [`ELSEWHERE`].
    pub weight: u32,
}

/// Who hears of every choice a playout makes by chance.
pub trait Witness {
    /// A rule that had moves to propose was followed, or not.
    fn asked(&mut self, rule: Rule, followed: bool);
    /// One of these was chosen, or a move elsewhere.
    fn answered(&mut self, offers: &[Offer], chosen: Option<usize>);
    /// A random move of this shape was taken, or refused.
    fn drawn(&mut self, shape: u16, taken: bool);
}

impl Witness for () {
    #[inline(always)]
    fn asked(&mut self, _: Rule, _: bool) {}
    #[inline(always)]
    fn answered(&mut self, _: &[Offer], _: Option<usize>) {}
    #[inline(always)]
    fn drawn(&mut self, _: u16, _: bool) {}
}

/// The moves around two others.
struct Offers {
    points: [Point; 16],
    offers: [Offer; 16],
    count: usize,
    total: u32,
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    /// The shape around a point as `SIDE` sees it.
    #[inline(always)]
    fn shape<const SIDE: usize>(&self, point: Point) -> u16 {
        let around = self.neighbourhood(point);
        CLASSES[usize::from(if SIDE == 0 { around } else { exchanged(around) })]
    }

    /// An answer of `SIDE` to the last two moves, if it answers.
    #[inline(always)]
    pub(super) fn draw_answer<const SIDE: usize>(
        &self,
        trail: &Trail,
        habits: &Habits,
        random: &mut Random,
        witness: &mut impl Witness,
    ) -> Option<Point> {
        let mut offers = Offers {
            points: [Point::NOWHERE; 16],
            offers: [Offer { place: 0, shape: 0, weight: 0 }; 16],
            count: 0,
            total: 0,
        };
        for (age, middle) in trail.last.into_iter().enumerate() {
            if middle != Point::NOWHERE {
                self.offer::<SIDE>(habits, age, middle, &mut offers);
            }
        }
        while offers.count > 0 {
            let mut drawn = random.below((ELSEWHERE + offers.total) as usize) as u32;
            let offered = &offers.offers[..offers.count];
            let Some(left) = drawn.checked_sub(ELSEWHERE) else {
                witness.answered(offered, None);
                return None;
            };
            drawn = left;
            let mut chosen = 0;
            while drawn >= offered[chosen].weight {
                drawn -= offered[chosen].weight;
                chosen += 1;
            }
            witness.answered(offered, Some(chosen));
            let point = offers.points[chosen];
            if self.is_sensible::<SIDE>(point) && !self.is_self_atari::<SIDE>(point) {
                return Some(point);
            }
            offers.total -= offers.offers[chosen].weight;
            offers.count -= 1;
            offers.points[chosen] = offers.points[offers.count];
            offers.offers[chosen] = offers.offers[offers.count];
        }
        None
    }

    #[inline(always)]
    fn offer<const SIDE: usize>(
        &self,
        habits: &Habits,
        age: usize,
        middle: Point,
        offers: &mut Offers,
    ) {
        let around = self.neighbourhood(middle);
        let mut empty = !(around | around >> 1) & 0x5555;
        let known = offers.count;
        while empty != 0 {
            let direction = (empty.trailing_zeros() as usize / 2) & 7;
            empty &= empty - 1;
            let point = Self::neighbour(middle, Self::ALL_STEPS[direction]);
            let shape = self.shape::<SIDE>(point);
            let place = 2 * age + usize::from(direction >= 4);
            let weight = u32::from(habits.answers[place][usize::from(shape)]);
            if weight > 0 && !offers.points[..known].contains(&point) {
                offers.points[offers.count & 15] = point;
                offers.offers[offers.count & 15] = Offer { place: place as u8, shape, weight };
                offers.count += 1;
                offers.total += weight;
            }
        }
    }

    /// Whether `SIDE` takes the random move `point`.
    #[inline(always)]
    pub(super) fn takes<const SIDE: usize>(
        &self,
        habits: &Habits,
        point: Point,
        random: &mut Random,
        witness: &mut impl Witness,
    ) -> bool {
        let shape = self.shape::<SIDE>(point);
        let chance = usize::from(habits.anywhere[usize::from(shape)]);
        let taken = random.below(255) < chance;
        witness.drawn(shape, taken);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{super::position::Move, PlayoutBoard, Policy, tests::read},
        *,
    };
    use std::{collections::HashMap, sync::Arc};

    /// A policy with nothing but habits.
    fn policy(habits: &[Habit]) -> Policy {
        Policy { patterns: 100, habits: Some(Arc::new(Habits::new(habits))), ..Policy::light() }
    }

    fn idle() -> Vec<Habit> {
        vec![Habit { answers: [0.0; PLACES], anywhere: 1.0 }; shapes()]
    }

    /// How often each move is chosen, of 1,000 times.
    fn chosen(diagram: &str, policy: &Policy) -> HashMap<Point, u32> {
        let (go, _) = read(diagram);
        let mut random = Random::new(3);
        let mut counts = HashMap::new();
        for _ in 0..1000 {
            if let (Move::Play(point), _) = PlayoutBoard::new(&go).choose(policy, &mut random) {
                *counts.entry(point).or_default() += 1;
            }
        }
        counts
    }

    /// Black has one neighbour of each kind to answer with; `*` is beside the last move.
    const LONELY: &str = "..... ..... .*o.. ..... .....";

    #[test]
    fn answers_come_in_proportion_to_their_weights() {
        let mut habits = idle();
        let beside = shape_named(".../.*O/...").unwrap();
        let diagonal = shape_named("O../.*./...").unwrap();
        habits[beside].answers[0] = 1.5;
        habits[diagonal].answers[1] = 0.25;
        // The wrong places: nothing of this happens here.
        habits[beside].answers[1..].fill(100.0);
        habits[diagonal].answers[0] = 100.0;
        let (go, marked) = read(LONELY);
        let counts = chosen(LONELY, &policy(&habits));
        let of = |points: &[(usize, usize)]| -> u32 {
            points
                .iter()
                .filter_map(|&(row, column)| counts.get(&go.board().point(row, column)))
                .sum()
        };
        let orthogonal = of(&[(1, 2), (2, 1), (2, 3), (3, 2)]);
        let diagonals = of(&[(1, 1), (1, 3), (3, 1), (3, 3)]);
        // Four times 1.5 and four times 0.25 beside 1, of which a sixth of 24 points each.
        assert!((720..850).contains(&orthogonal), "{orthogonal}");
        assert!((110..200).contains(&diagonals), "{diagonals}");
        assert!(counts[&marked[0]] > 150);
    }

    #[test]
    fn the_other_side_sees_its_own_stones() {
        let mut habits = idle();
        habits[shape_named(".X./.*./...").unwrap()].answers[0] = 250.0;
        let beside_own = |diagram: &str| chosen(diagram, &policy(&habits)).len();
        // Nobody has a stone of his own beside the last move here: all moves are random.
        assert!(beside_own("..... ..... ..o.. ..... .....") > 20);
        assert!(beside_own("..... ..... ..x.. ..... .....") > 20);
    }

    #[test]
    fn refused_shapes_are_drawn_only_when_nothing_else_is() {
        let mut habits = idle();
        let (go, _) = read("..... ..... ..X.. ..... ....o");
        let edge = shape_named("###/.*./...").unwrap();
        let at_edge = |policy: &Policy| -> u32 {
            let counts = chosen("..... ..... ..X.. ..... ....o", policy);
            let shape = |point: &Point| {
                SHAPES.class(go.board().neighbourhood(*point), ludus_core::Side::First)
            };
            counts.iter().filter(|(point, _)| shape(point) == edge as u16).map(|(_, n)| n).sum()
        };
        let before = at_edge(&policy(&habits));
        habits[edge].anywhere = 0.0;
        let after = at_edge(&policy(&habits));
        assert!(before > 200 && after < before / 4, "{before} -> {after}");
        // Where all are refused, a move is made all the same.
        habits.fill(Habit { answers: [0.0; PLACES], anywhere: 0.0 });
        let counts = chosen("..... ..... ..X.. ..... ....o", &policy(&habits));
        assert_eq!(counts.values().sum::<u32>(), 1000);
    }

    #[derive(Default)]
    struct Counts {
        asked: u32,
        answered: u32,
        drawn: u32,
    }

    impl Witness for Counts {
        fn asked(&mut self, rule: Rule, _: bool) {
            assert_ne!(rule, Rule::Pattern, "its choices are told one by one");
            self.asked += 1;
        }
        fn answered(&mut self, offers: &[Offer], chosen: Option<usize>) {
            assert!(chosen.is_none_or(|chosen| offers[chosen].weight > 0));
            assert!(offers.iter().all(|offer| usize::from(offer.place) < PLACES));
            self.answered += 1;
        }
        fn drawn(&mut self, shape: u16, _: bool) {
            assert!(usize::from(shape) < shapes());
            self.drawn += 1;
        }
    }

    #[test]
    fn a_witness_changes_nothing_and_hears_of_everything() {
        let (go, _) = read(LONELY);
        let policy = Policy { habits: policy(&Habits::drawn()).habits, ..Policy::strong() };
        let mut counts = Counts::default();
        for seed in 0..20 {
            let (mut seen, mut unseen) = (Vec::new(), Vec::new());
            let mut board = PlayoutBoard::new(&go);
            let one =
                board.play_out_before(&policy, &mut Random::new(seed), &mut seen, &mut counts);
            let mut board = PlayoutBoard::new(&go);
            let other = board.play_out(&policy, &mut Random::new(seed), &mut unseen);
            assert_eq!((one, &seen), (other, &unseen));
        }
        assert!(counts.answered > 100 && counts.drawn > 100 && counts.asked > 20);
    }
}
