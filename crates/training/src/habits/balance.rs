//! Simulation balancing (Silver and Tesauro 2009; Huang, Coulom and Lin 2010): habits are changed so
//! that the mean result of playouts comes nearer to the result of the game.
//!
//! With `V` the mean result of a position's playouts and `z` that of the game, the error `(z - V)^2`
//! falls fastest along `(z - V) * dV`, and `dV` is the mean of `result * psi`, where `psi` sums up how
//! much likelier each choice of the playout would be if a habit grew. Half of the playouts give `V`, the
//! other half `dV`, and the other way round, so that chance does not agree with itself.

use super::lessons::Lesson;
use ludus_core::{Random, Side};
use ludus_games::go::{
    Go,
    policy::{
        PlayoutBoard, Policy, Rule,
        habits::{ELSEWHERE, Habit, LARGEST_WEIGHT, Offer, PLACES, Witness, shapes},
    },
};
use ludus_players::playout_habits::{PlayoutHabits, RULES};

const SMALLEST_WEIGHT: f64 = 0.002;
const LARGEST_ODDS: f64 = 99.0;

/// The rules of [`RULES`], in order.
const LEARNED_RULES: [Rule; RULES.len()] = [
    Rule::KoRefight,
    Rule::Nakade,
    Rule::Capture,
    Rule::Defence,
    Rule::LowLiberty,
    Rule::GlobalCapture,
];

/// Weights and odds in one row: of shapes as answers place by place, of shapes as random moves, of
/// rules. All are positive, and steps multiply them: no logarithm is needed, which is not the same
/// on every machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Odds(pub Vec<f64>);

fn odds(chance: f64) -> f64 {
    chance / (1.0 - chance)
}

fn chance(odds: f64) -> f64 {
    odds / (1.0 + odds)
}

/// How many numbers are learned.
pub(super) fn numbers() -> usize {
    (PLACES + 1) * shapes() + RULES.len()
}

impl Odds {
    /// Before anything is learned.
    pub fn untaught() -> Odds {
        let PlayoutHabits { rules, shapes } = PlayoutHabits::untaught();
        let answers = (0..PLACES)
            .flat_map(|place| shapes.iter().map(move |habit| f64::from(habit.answers[place])));
        let anywhere = shapes.iter().map(|habit| odds(habit.anywhere.into()));
        let rules = rules.iter().map(|&percent| odds(f64::from(percent) / 100.0));
        Odds(answers.chain(anywhere).chain(rules).collect())
    }

    /// As playouts use them, to four digits.
    pub fn habits(&self) -> PlayoutHabits {
        let count = shapes();
        let rounded = |value: f64| format!("{value:.3e}").parse::<f32>().expect("a number");
        let habit = |shape| Habit {
            answers: std::array::from_fn(|place| rounded(self.0[place * count + shape])),
            anywhere: rounded(chance(self.0[PLACES * count + shape])),
        };
        let rule = |number| {
            let percent = 100.0 * chance(self.0[(PLACES + 1) * count + number]);
            percent.round().clamp(1.0, 99.0) as u8
        };
        PlayoutHabits { rules: std::array::from_fn(rule), shapes: (0..count).map(habit).collect() }
    }

    /// Makes a number larger by a part of it, or smaller.
    pub fn grow(&mut self, number: usize, step: f64) {
        let step = step.clamp(-0.5, 0.5);
        let grown = self.0[number] * if step >= 0.0 { 1.0 + step } else { 1.0 / (1.0 - step) };
        let (least, most) = match number < PLACES * shapes() {
            true => (SMALLEST_WEIGHT, LARGEST_WEIGHT.into()),
            false => (1.0 / LARGEST_ODDS, LARGEST_ODDS),
        };
        self.0[number] = grown.clamp(least, most);
    }
}

/// What one playout says about each number: how much likelier it would be if the number grew.
struct Diary<'a> {
    notes: Vec<(usize, f64)>,
    policy: &'a Policy,
    habits: &'a PlayoutHabits,
}

impl Witness for Diary<'_> {
    fn asked(&mut self, rule: Rule, followed: bool) {
        let Some(number) = LEARNED_RULES.iter().position(|learned| *learned == rule) else {
            return;
        };
        let chance = f64::from(rule.chance(self.policy)) / 100.0;
        let note = if followed { 1.0 - chance } else { -chance };
        self.notes.push(((PLACES + 1) * shapes() + number, note));
    }

    fn answered(&mut self, offers: &[Offer], chosen: Option<usize>) {
        let total = ELSEWHERE + offers.iter().map(|offer| offer.weight).sum::<u32>();
        for (index, offer) in offers.iter().enumerate() {
            let happened = if chosen == Some(index) { 1.0 } else { 0.0 };
            let number = usize::from(offer.place) * shapes() + usize::from(offer.shape);
            self.notes.push((number, happened - f64::from(offer.weight) / f64::from(total)));
        }
    }

    fn drawn(&mut self, shape: u16, taken: bool) {
        // What no board has was never learned.
        let Some(habit) = self.habits.shapes.get(usize::from(shape)) else { return };
        let chance = f64::from(habit.anywhere);
        let note = if taken { 1.0 - chance } else { -chance };
        self.notes.push((PLACES * shapes() + usize::from(shape), note));
    }
}

/// Habits with the policy that has them.
pub(super) struct Taught {
    pub habits: PlayoutHabits,
    pub policy: Policy,
}

impl Taught {
    pub fn new(odds: &Odds) -> Taught {
        let habits = odds.habits();
        Taught { policy: habits.policy(), habits }
    }
}

/// Half of the playouts of a position.
#[derive(Default)]
struct Half {
    playouts: f64,
    won: f64,
    notes: Vec<(usize, f64)>,
    /// Of the playouts that were won.
    won_notes: Vec<(usize, f64)>,
}

impl Half {
    fn mean(&self) -> f64 {
        self.won / self.playouts.max(1.0)
    }
}

/// Which way the numbers should go for one lesson, and the squared error of its playouts.
pub(super) struct Advice {
    pub direction: Vec<(usize, f64)>,
    pub error: f64,
}

/// Plays a lesson out and sees what would have foretold its result better.
pub(super) fn advise(
    taught: &Taught,
    position: &Go,
    lesson: &Lesson,
    playouts: usize,
    mut random: Random,
) -> Advice {
    let mut board = PlayoutBoard::new(position);
    let mut moves = Vec::new();
    let mut halves = [Half::default(), Half::default()];
    for number in 0..playouts {
        board.set(position);
        moves.clear();
        let mut diary = Diary { notes: Vec::new(), policy: &taught.policy, habits: &taught.habits };
        let margin = board.play_out_before(&taught.policy, &mut random, &mut moves, &mut diary);
        let half = &mut halves[number % 2];
        half.playouts += 1.0;
        if margin > 0.0 {
            half.won += 1.0;
            half.won_notes.extend(&diary.notes);
        }
        half.notes.append(&mut diary.notes);
    }
    let result = if lesson.winner == Side::First { 1.0 } else { 0.0 };
    let mut direction = Vec::new();
    for (own, other) in [(0, 1), (1, 0)] {
        let half = &halves[own];
        let factor = (result - halves[other].mean()) / half.playouts.max(1.0);
        let mean = half.mean();
        direction.extend(half.won_notes.iter().map(|&(number, note)| (number, factor * note)));
        direction.extend(half.notes.iter().map(|&(number, note)| (number, -factor * mean * note)));
    }
    let mean = (halves[0].won + halves[1].won) / playouts as f64;
    Advice { direction, error: (result - mean).powi(2) }
}

/// The squared error of the playouts of a lesson.
pub(super) fn error_of(
    policy: &Policy,
    position: &Go,
    lesson: &Lesson,
    playouts: usize,
    mut random: Random,
) -> f64 {
    let mut board = PlayoutBoard::new(position);
    let mut moves = Vec::new();
    let mut won = 0.0;
    for _ in 0..playouts {
        board.set(position);
        moves.clear();
        if board.play_out(policy, &mut random, &mut moves) > 0.0 {
            won += 1.0;
        }
    }
    let result = if lesson.winner == Side::First { 1.0 } else { 0.0 };
    (result - won / playouts as f64).powi(2)
}
