//! Report of a feature selection.

use super::{Contestant, Generation, features_of, winner};
use crate::{
    Recipe,
    report::{TdReport, series},
    td_self_play::TdState,
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_games::draughts::features::FEATURES;
use std::collections::BTreeSet;

/// File of the chart of the generations.
pub const GENERATIONS_CHART: &str = "generations.svg";

/// Report of a feature selection.
pub struct FeatureSelectionReport<'a> {
    pub recipe: &'a Recipe,
    pub past: &'a [Generation],
    /// Training of the chosen set.
    pub state: &'a TdState,
}

fn names(features: &[usize]) -> String {
    let names: Vec<&str> = features.iter().map(|&place| FEATURES[place].name).collect();
    names.join(", ")
}

/// Mean number of features.
fn mean_size(generation: &[Contestant]) -> f64 {
    let total: usize = generation.iter().map(|one| features_of(&one.set).len()).sum();
    total as f64 / generation.len() as f64
}

impl FeatureSelectionReport<'_> {
    /// Summary in one line.
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

    /// Chart of the winners' scores and of the share of features in use.
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

    /// Report as Markdown.
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
                record.text(),
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
