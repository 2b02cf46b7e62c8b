//! Figures of the pairs: shares of results, statements and rankings, each with its verdict.

use super::{
    PairFindings, PairMatch, PairMatches, PairResult, PairStatement, Relation, RelationKind,
};
use crate::reproduce::{
    Experiment, Figure, FigureValue, FigureVerdict, Interval, Precision, Published,
    verdict::compared,
};
use ludus_arena::elo::Wdl;

/// Results in the order of tables.
pub(super) const RESULTS: [&str; 4] = ["won", "drawn", "forced", "lost"];

fn result_name(played: &PairMatch, result: &str) -> String {
    format!("{}: {result}", played.title())
}

/// Published counts in the order of [`RESULTS`].
pub(super) fn published_counts(published: &Published) -> [u64; 4] {
    let Published { won, drawn, forced, lost, .. } = *published;
    [won, drawn, forced, lost].map(|count| count.unwrap_or(0))
}

impl PairResult {
    /// Counts in the order of `RESULTS`.
    pub fn counts(&self) -> [u64; 4] {
        let Wdl { wins, losses, .. } = self.cell.wdl;
        [wins, self.draws.drawn(), self.draws.forced(), losses]
    }

    /// Mean score of the first player, with Wilson's interval, which is too wide if there are draws.
    pub(super) fn score(&self) -> Option<Interval> {
        let wdl = self.cell.wdl;
        Interval::share_of(wdl.score()?, wdl.games())
    }
}

/// Names of all figures.
pub(in crate::reproduce) fn figure_names(pairs: &PairMatches) -> Vec<String> {
    let published = pairs.matches.iter().filter(|played| played.published.is_some());
    let results = published.flat_map(|played| RESULTS.map(|name| result_name(played, name)));
    let statements = pairs.statements.iter().map(|statement| statement.says.clone());
    let relations = pairs.relations().unwrap_or_default();
    results.chain(statements).chain(relations.iter().map(Relation::to_string)).collect()
}

/// Every figure beside ours.
pub(in crate::reproduce) fn figures(
    experiment: &Experiment,
    pairs: &PairMatches,
    found: &PairFindings,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (played, result) in pairs.matches.iter().zip(&found.pairs) {
        figures.extend(of_pair(experiment, played, result));
    }
    for (index, statement) in pairs.statements.iter().enumerate() {
        figures.push(of_statement(experiment, statement, index, found));
    }
    for relation in pairs.relations().unwrap_or_default() {
        figures.extend(of_relation(experiment, pairs, &relation, found));
    }
    figures
}

/// Figures of a pair; none if it was not published or not played.
pub(super) fn of_pair(
    experiment: &Experiment,
    played: &PairMatch,
    result: &PairResult,
) -> Vec<Figure> {
    let Some(published) = &played.published else { return Vec::new() };
    let games = result.cell.wdl.games();
    let counts = published_counts(published).into_iter().zip(result.counts());
    let figure = |(name, (then, now)): (&str, (u64, u64))| {
        let then = Interval::share(then, published.games)?;
        let now = Interval::share(now, games)?;
        let name = result_name(played, name);
        let precision = Precision::of_share(&now, games, experiment.precision_of(&name));
        Some(compared(name, then, now, &precision))
    };
    RESULTS.into_iter().zip(counts).filter_map(figure).collect()
}

/// Figure of a statement. It agrees if the share may be as great as claimed.
fn of_statement(
    experiment: &Experiment,
    statement: &PairStatement,
    index: usize,
    found: &PairFindings,
) -> Figure {
    let name = statement.says.clone();
    let published = FigureValue::AtLeast(statement.share);
    let counts = || found.pairs.iter().filter_map(|pair| pair.statements.get(index));
    let among = counts().map(|count| count.among).sum();
    let holding = counts().map(|count| count.holding).sum();
    let Some(ours) = Interval::share(holding, among) else {
        let shown = [published, FigureValue::Words("no such game")];
        return Figure::exact(name, shown, FigureVerdict::Inconclusive);
    };
    let precision = Precision::of_share(&ours, among, experiment.precision_of(&name));
    let verdict = if ours.high < statement.share {
        FigureVerdict::NotReproduced
    } else if ours.low >= statement.share {
        FigureVerdict::Reproduced
    } else if ours.value < statement.share {
        FigureVerdict::Inconclusive
    } else {
        precision.verdict(true)
    };
    let shown = [published, FigureValue::Share(ours)];
    let mut figure = Figure::precise(name, shown, verdict, &precision);
    // Of the games of the pairs only some are those of the statement.
    let played: u64 = found.pairs.iter().map(|pair| pair.games).max().unwrap_or(0);
    figure.games_needed = figure
        .games_needed
        .map(|games| (games * played).div_ceil(among.max(1)).max(played + 1).next_multiple_of(10));
    figure
}

/// Figure of a relation between two players; `None` if they did not play.
fn of_relation(
    experiment: &Experiment,
    pairs: &PairMatches,
    relation: &Relation,
    found: &PairFindings,
) -> Option<Figure> {
    let Relation { first, second, kind } = relation;
    let mut results = pairs.matches.iter().zip(&found.pairs);
    let (played, result) = results.find(|(played, _)| played.has(first) && played.has(second))?;
    let score = result.score()?;
    let ours = if played.first == *first { score } else { Interval::exact(1.0).minus(&score) };
    let name = relation.to_string();
    let games = result.cell.wdl.games();
    let precision = Precision::of_share(&ours, games, experiment.precision_of(&name));
    let verdict = relation_verdict(*kind, &ours, &precision);
    let published = match kind {
        RelationKind::Better => FigureValue::Words("more than half"),
        RelationKind::NotWorse => FigureValue::Words("half or more"),
        RelationKind::Equal => FigureValue::Words("about half"),
    };
    Some(Figure::precise(name, [published, FigureValue::Share(ours)], verdict, &precision))
}

/// Verdict by the score of the player that is named first.
fn relation_verdict(kind: RelationKind, ours: &Interval, precision: &Precision) -> FigureVerdict {
    let (is_worse, is_better) = (ours.high < 0.5, ours.low > 0.5);
    match kind {
        RelationKind::Better if is_better => FigureVerdict::Reproduced,
        // Seen closely, the lead is not there.
        RelationKind::Better => precision.not_there(is_worse),
        RelationKind::NotWorse if is_better => FigureVerdict::Reproduced,
        RelationKind::NotWorse => precision.verdict(!is_worse),
        RelationKind::Equal => precision.verdict(!is_worse && !is_better),
    }
}

impl Precision {
    /// Verdict on a lead that we do not see: only many games show that it is not there.
    fn not_there(&self, is_reversed: bool) -> FigureVerdict {
        if is_reversed || self.is_reached() {
            FigureVerdict::NotReproduced
        } else {
            FigureVerdict::Inconclusive
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::{DrawKinds, ExperimentTask, Findings, pairs::StatementCount};
    use ludus_arena::table::HeadToHead;

    const TEXT: &str = "
group = 'g'
title = 't'
source = 's'
precision = 0.085
precision_why = '20 of 20'
[pairs]
game = 'chess'
players = [{ name = 'A', player = 'a' }, { name = 'B', player = 'b' }, { name = 'C', player = 'c' }]
matches = [
    { first = 'A', second = 'B', published = { games = 20, won = 2, drawn = 0, forced = 13, lost = 5 } },
    { first = 'A', second = 'C' },
]
statements = [{ says = 'short', player = 'A', among = 'won', shorter_than = 40, share = 0.5 }]
rankings = ['C > A ~ B']
";

    fn result(counts: [u64; 4], statement: [u64; 2]) -> PairResult {
        let [won, drawn, forced, lost] = counts;
        PairResult {
            games: counts.iter().sum(),
            cell: HeadToHead { wdl: Wdl::new(won, drawn + forced, lost), ..HeadToHead::default() },
            draws: DrawKinds { stalemate: drawn, length: forced, ..DrawKinds::default() },
            statements: vec![StatementCount { among: statement[0], holding: statement[1] }],
            ..PairResult::default()
        }
    }

    /// Verdicts: `+` reproduced, `-` not, `?` inconclusive.
    fn verdicts(first: PairResult, second: PairResult) -> String {
        let experiment = Experiment::parse(TEXT).unwrap();
        let found = Findings::Pairs(PairFindings { pairs: vec![first, second] });
        let figures = crate::reproduce::figures(&experiment, &found);
        let names: Vec<&str> = figures.iter().map(|figure| figure.figure.as_str()).collect();
        let all = crate::reproduce::figure_names(&experiment);
        assert!(names.iter().all(|name| all.iter().any(|it| it == name)), "{names:?} {all:?}");
        let mark = |figure: &Figure| match figure.verdict {
            FigureVerdict::Reproduced => '+',
            FigureVerdict::NotReproduced => '-',
            FigureVerdict::Inconclusive => '?',
        };
        figures.iter().map(mark).collect()
    }

    fn skipped() -> PairResult {
        PairResult { games: 20, skipped: Some("no weights".to_owned()), ..PairResult::default() }
    }

    #[test]
    fn shares_of_results_are_compared_one_by_one() {
        let lost = || result([0, 0, 0, 20], [0, 0]);
        // Won, drawn, forced, lost; the statement; C > A, A ~ B.
        assert_eq!(verdicts(result([2, 0, 13, 5], [2, 2]), lost()), "?+???+?");
        assert_eq!(verdicts(result([20, 0, 0, 0], [20, 20]), lost()), "-+--++-");
        assert_eq!(verdicts(result([200, 0, 1300, 500], [200, 20]), lost()), "++++-+-");
        assert_eq!(verdicts(result([500, 0, 1000, 500], [200, 150]), lost()), "+++++++");
    }

    #[test]
    fn twenty_wins_of_twenty_are_precise_enough() {
        let experiment = Experiment::parse(TEXT).unwrap();
        let ExperimentTask::Pairs(pairs) = experiment.task() else { panic!() };
        let figures = of_pair(&experiment, &pairs.matches[0], &result([20, 0, 0, 0], [0, 0]));
        assert!(figures.iter().all(|figure| figure.half_width.unwrap() < 0.085), "{figures:?}");
        let fewer = of_pair(&experiment, &pairs.matches[0], &result([18, 0, 0, 0], [0, 0]));
        assert!(fewer.iter().all(|figure| figure.verdict != FigureVerdict::Reproduced));
    }

    #[test]
    fn pairs_that_were_left_out_have_no_figures() {
        // Only the statement is left, about no game.
        assert_eq!(verdicts(skipped(), skipped()), "?");
    }
}
