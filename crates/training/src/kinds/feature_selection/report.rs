//! Report of a feature selection.

use super::generations::{Contestant, Generation, features_of, winner};
use crate::{
    RunReport,
    kinds::td::{TdReport, TdSettings, TdState},
    report::series,
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_knowledge::draughts::features::FEATURES;
use std::collections::BTreeSet;

/// File of the chart of the generations.
const GENERATIONS_CHART: &str = "generations.svg";

/// Report of a feature selection.
pub(super) struct FeatureSelectionReport<'a> {
    /// Specification of the player.
    pub player: &'a str,
    /// Settings of the training.
    pub settings: &'a TdSettings,
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
    /// The report with its charts.
    pub fn report(&self) -> RunReport {
        let mut charts = vec![(GENERATIONS_CHART, self.chart())];
        charts.extend(self.training().charts());
        RunReport { summary: self.summary(), text: self.text(), charts }
    }

    /// Report of the training of the chosen set.
    fn training(&self) -> TdReport<'_> {
        TdReport { player: self.player, settings: self.settings, state: self.state }
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let sets: BTreeSet<&String> = self.past.iter().flatten().map(|one| &one.set).collect();
        let training = self.training();
        format!(
            "{} ({} features, chosen from {} sets in {} generations)",
            training.summary(),
            self.state.learner.features.len(),
            sets.len(),
            self.past.len(),
        )
    }

    /// Chart of the winners' scores and of the share of features in use.
    fn chart(&self) -> String {
        let line = |name: &str, value: &dyn Fn(&Generation) -> f64| {
            let generations = self.past.iter().enumerate();
            series(name, generations.map(|(number, one)| ((number + 1) as f64, value(one))))
        };
        line_chart(&LineChart {
            title: &format!("Generations of {}", self.player),
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
    fn text(&self) -> String {
        let features = &self.state.learner.features;
        let mut text = format!(
            "# {} chooses its features\n\n{}.\n\nChosen: {}.\n\n\
             ![Generations]({GENERATIONS_CHART})\n\n\
             | generation | its winner: won, drawn (loops), lost | score | features | mean number |\n\
             |---:|---|---:|---|---:|\n",
            self.player,
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
        let training = self.training();
        text + "\n" + &training.text().replacen("# ", "## ", 1)
    }
}
