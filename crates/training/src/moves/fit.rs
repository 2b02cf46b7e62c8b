//! From games to strengths: every move made is a choice among the moves that could have been made.

use super::MovesSettings;
use crate::go_games::{GameFile, held_out, replay};
use ludus_core::{LeafEvaluator, TextError};
use ludus_games::go::{
    Go, Move,
    guide::GoGuide,
    move_features::{MoveFeatures, NONE, Team, groups},
};
use ludus_models::bradley_terry::{Contests, Foresight, Strengths};
use serde::{Deserialize, Serialize};

/// The choices of the games, and how often each feature was there to be chosen.
pub(super) struct Lessons {
    /// Learned from.
    pub train: Contests,
    /// Not learned from.
    pub held_out: Contests,
    /// By group and feature, of what is learned from.
    pub counts: Vec<Vec<Count>>,
    /// Games learned from, and held out.
    pub games: [u64; 2],
    guide: GoGuide,
}

/// How often a feature was chosen, and in how many choices it was offered.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub chosen: u32,
    pub offered: u32,
}

impl Lessons {
    pub fn new() -> Lessons {
        let counts = groups().map(|features| vec![Count::default(); features]).to_vec();
        let [train, held_out] = [(); 2].map(|()| Contests::new(&groups()));
        Lessons { train, held_out, counts, games: [0; 2], guide: GoGuide::strong() }
    }

    /// Takes in the games of a file.
    pub fn add(&mut self, file: &GameFile<'_>, settings: &MovesSettings) -> Result<(), TextError> {
        for (number, moves) in file.games.iter().enumerate() {
            let is_held_out = held_out(number as u64, settings.validation);
            self.games[usize::from(is_held_out)] += 1;
            let first = settings.random_plies + settings.skip;
            // The line with the rules comes before the games.
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            replay(&file.options, moves, |position, mv, ply| {
                if ply >= first {
                    self.add_choice(position, mv, is_held_out);
                }
            })
            .map_err(in_line)?;
        }
        Ok(())
    }

    fn add_choice(&mut self, position: &Go, chosen: Move, is_held_out: bool) {
        let mut moves = Vec::new();
        self.guide.moves(position, &mut moves);
        let place = moves.iter().position(|&mv| mv == chosen).unwrap_or_else(|| {
            moves.push(chosen);
            moves.len() - 1
        });
        let features = MoveFeatures::new(position);
        let teams: Vec<Team> = moves.iter().map(|&mv| features.of(mv)).collect();
        if is_held_out {
            self.held_out.add(teams.as_flattened(), place);
        } else {
            self.train.add(teams.as_flattened(), place);
            self.count(&teams, place);
        }
    }

    fn count(&mut self, teams: &[Team], place: usize) {
        for (group, counts) in self.counts.iter_mut().enumerate() {
            let mut offered: Vec<u16> = teams.iter().map(|team| team[group]).collect();
            offered.sort_unstable();
            offered.dedup();
            for feature in offered.into_iter().filter(|&feature| feature != NONE) {
                let count = &mut counts[usize::from(feature)];
                count.offered += 1;
                count.chosen += u32::from(teams[place][group] == feature);
            }
        }
    }
}

/// Strengths on their way, and how well those of each step foresaw, the first before any step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub strengths: Strengths,
    pub history: Vec<Step>,
}

/// How well the strengths of one step foresee moves.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub train: Foresight,
    pub held_out: Foresight,
}

impl Step {
    fn of(strengths: &Strengths, lessons: &Lessons) -> Step {
        let [train, held_out] =
            [&lessons.train, &lessons.held_out].map(|choices| strengths.foresight(choices));
        Step { train, held_out }
    }
}

impl State {
    pub fn begin(lessons: &Lessons) -> State {
        let strengths = Strengths::even(&groups());
        State { history: vec![Step::of(&strengths, lessons)], strengths }
    }

    /// Steps done.
    pub fn steps(&self) -> usize {
        self.history.len() - 1
    }

    pub fn step(&mut self, lessons: &Lessons, prior: f64) {
        self.strengths.improve(&lessons.train, prior);
        self.history.push(Step::of(&self.strengths, lessons));
    }
}

/// A state as it is kept: the bits of its numbers, for what is read must be what was written.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    strengths: Vec<Vec<u64>>,
    history: Vec<[u64; 6]>,
}

impl Kept {
    pub fn of(state: &State) -> Kept {
        let bits = |group: &Vec<f64>| group.iter().map(|strength| strength.to_bits()).collect();
        let step = |step: &Step| {
            let numbers = [step.train, step.held_out]
                .map(|sight| [sight.log_likelihood, sight.first, sight.mean_rank]);
            [0, 1, 2, 3, 4, 5].map(|index: usize| numbers[index / 3][index % 3].to_bits())
        };
        Kept {
            strengths: state.strengths.groups.iter().map(bits).collect(),
            history: state.history.iter().map(step).collect(),
        }
    }

    /// The state, unless it is one of other features.
    pub fn state(&self) -> Option<State> {
        let fits = self.strengths.iter().map(Vec::len).eq(groups()) && !self.history.is_empty();
        let numbers = |bits: &Vec<u64>| bits.iter().copied().map(f64::from_bits).collect();
        let step = |bits: &[u64; 6]| {
            let [a, b, c, d, e, f] = bits.map(f64::from_bits);
            let sight =
                |log_likelihood, first, mean_rank| Foresight { log_likelihood, first, mean_rank };
            Step { train: sight(a, b, c), held_out: sight(d, e, f) }
        };
        fits.then(|| State {
            strengths: Strengths { groups: self.strengths.iter().map(numbers).collect() },
            history: self.history.iter().map(step).collect(),
        })
    }
}
