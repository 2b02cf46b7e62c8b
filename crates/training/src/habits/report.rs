//! What came of it, for people.

use super::{fit::State, lessons::Lessons};
use crate::{
    Recipe,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_games::go::policy::habits::shape_name;
use ludus_players::playout_habits::{PlayoutHabits, RULES};

/// Shapes shown at either end of the list.
const SHOWN: usize = 20;

/// All there is to say about habits of playouts.
pub(super) struct HabitsReport<'a> {
    pub recipe: &'a Recipe,
    pub lessons: &'a Lessons,
    pub state: &'a State,
    /// The error of the policy without habits.
    pub strong: f64,
}

impl HabitsReport<'_> {
    /// What was learned, in one line.
    pub fn summary(&self) -> String {
        let last = self.state.history[self.state.history.len() - 1];
        format!(
            "{}: {} positions of {} games, mean squared error of 40 playouts of positions held out \
             {:.5} -> {:.5} after {} steps ({:.5} by rules alone)",
            self.recipe.game,
            self.lessons.train.len() + self.lessons.held_out.len(),
            self.lessons.games(),
            self.state.history[0].held_out,
            last.held_out,
            last.steps,
            self.strong,
        )
    }

    /// Errors by step.
    pub fn chart(&self) -> String {
        let looks = || self.state.history.iter();
        line_chart(&LineChart {
            title: &format!("Habits of playouts of {}", self.recipe.game),
            x_label: "Step",
            y_label: "Mean squared error",
            unit: Unit::Number,
            reference: None,
            series: &[
                series("learned from", looks().skip(1).map(|look| (look.steps as f64, look.train))),
                series("held out", looks().map(|look| (look.steps as f64, look.held_out))),
            ],
        })
    }

    /// The report as Markdown.
    pub fn text(&self) -> String {
        let settings = &self.recipe.habits;
        let mut text = format!(
            "# Habits of playouts of {}\n\n{}.\n\n| | |\n|---|---|\n| player | `{}` |\n\
             | learned from | {} positions |\n| held out | {} positions |\n\
             | positions a step | {} |\n| playouts a position | {} |\n| rate | {} |\n\n\
             ![Error by step]({CHART})\n\n| step | learned from | held out |\n|---:|---:|---:|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.lessons.train.len(),
            self.lessons.held_out.len(),
            settings.batch,
            settings.playouts,
            settings.rate,
        );
        for look in &self.state.history {
            let train = if look.steps == 0 { String::new() } else { format!("{:.5}", look.train) };
            text += &format!("| {} | {train} | {:.5} |\n", look.steps, look.held_out);
        }
        let (habits, before) = (self.state.odds.habits(), PlayoutHabits::untaught());
        text += "\n## Rules\n\n| rule | chance | before |\n|---|---:|---:|\n";
        for (number, rule) in RULES.iter().enumerate() {
            let (now, then) = (habits.rules[number], before.rules[number]);
            text += &format!("| {rule} | {now} % | {then} % |\n");
        }
        text + &extremes(&habits, &before)
    }
}

/// The shapes that are answered with most, and those that were left most.
fn extremes(habits: &PlayoutHabits, before: &PlayoutHabits) -> String {
    let mut changed: Vec<usize> =
        (0..habits.shapes.len()).filter(|&it| habits.shapes[it] != before.shapes[it]).collect();
    let weight = |shape: &usize| habits.shapes[*shape].answers[0];
    changed.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    let line = |&shape: &usize| {
        let habit = habits.shapes[shape];
        let answers = habit.answers.map(|weight| format!("{weight:.3}")).join(" | ");
        let then = before.shapes[shape].answers[0];
        format!("| `{}` | {answers} | {:.3} | {then} |\n", shape_name(shape), habit.anywhere)
    };
    let first: String = changed.iter().take(SHOWN).map(line).collect();
    let last: String = changed.iter().rev().take(SHOWN).map(line).collect();
    format!("\n## Likely answers\n{HEADING}{first}\n## Unlikely answers\n{HEADING}{last}")
}

const HEADING: &str = "\n| shape | beside the last move | diagonal | beside the one before | diagonal | \
                       anywhere | before |\n|---|---:|---:|---:|---:|---:|---:|\n";
