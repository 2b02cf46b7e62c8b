//! What came of the choice of features, for people.

use super::{Contestant, Generation, features_of, winner};
use crate::{
    Recipe,
    cloning::State,
    report::{TdReport, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_games::draughts::features::FEATURES;
use std::collections::BTreeSet;

/// The file of the chart of the generations.
pub const GENERATIONS_CHART: &str = "generations.svg";

/// All there is to say about a choice of features.
pub struct GeneticReport<'a> {
    pub recipe: &'a Recipe,
    pub past: &'a [Generation],
    /// The training of the set that was chosen.
    pub state: &'a State,
}

fn names(features: &[usize]) -> String {
    let names: Vec<&str> = features.iter().map(|&place| FEATURES[place].name).collect();
    names.join(", ")
}

/// The mean number of features.
fn mean_size(generation: &[Contestant]) -> f64 {
    let total: usize = generation.iter().map(|one| features_of(&one.set).len()).sum();
    total as f64 / generation.len() as f64
}

impl GeneticReport<'_> {
    /// What was done, in one line.
    pub fn summary(&self) -> String {
        let sets: BTreeSet<&String> = self.past.iter().flatten().map(|one| &one.set).collect();
        let training = TdReport { recipe: self.recipe, state: self.state };
        format!(
            "{} ({} features, chosen from {} sets in {} generations)",
            training.summary(),
            self.state.learner.features.len(),
            sets.len(),
            self.past.len(),
        )
    }

    /// What the winners scored, and how much of the 28 a generation looks at.
    pub fn chart(&self) -> String {
        let line = |name: &str, value: &dyn Fn(&Generation) -> f64| {
            let generations = self.past.iter().enumerate();
            series(name, generations.map(|(number, one)| ((number + 1) as f64, value(one))))
        };
        line_chart(&LineChart {
            title: &format!("Generations of {}", self.recipe.player),
            x_label: "Generation",
            y_label: "Score, and part of the features",
            unit: Unit::Percent,
            reference: Some(0.5),
            series: &[
                line("score of the winner", &|one| winner(one).record.score()),
                line("features in use, mean", &|one| mean_size(one) / FEATURES.len() as f64),
            ],
        })
    }

    /// The report as Markdown.
    pub fn text(&self) -> String {
        let features = &self.state.learner.features;
        let mut text = format!(
            "# {} chooses its features\n\n{}.\n\nChosen: {}.\n\n\
             ![Generations]({GENERATIONS_CHART})\n\n\
             | generation | its winner: won, drawn (loops), lost | score | features | mean number |\n\
             |---:|---|---:|---|---:|\n",
            self.recipe.player,
            self.summary(),
            names(features),
        );
        for (number, generation) in self.past.iter().enumerate() {
            let Contestant { set, record } = winner(generation);
            text += &format!(
                "| {} | {} | {:.1} % | {} | {:.1} |\n",
                number + 1,
                record.in_words(),
                100.0 * record.score(),
                names(&features_of(set)),
                mean_size(generation),
            );
        }
        text +=
            "\n| feature | chosen | in the first generation | in the last |\n|---|---|---:|---:|\n";
        for (place, feature) in FEATURES.iter().enumerate() {
            let share = |generation: Option<&Generation>| {
                let sets = generation.into_iter().flatten();
                sets.filter(|one| features_of(&one.set).contains(&place)).count()
            };
            text += &format!(
                "| {} | {} | {} | {} |\n",
                feature.name,
                if features.contains(&place) { "yes" } else { "" },
                share(self.past.first()),
                share(self.past.last()),
            );
        }
        let training = TdReport { recipe: self.recipe, state: self.state };
        text + "\n" + &training.text().replacen("# ", "## ", 1)
    }
}
