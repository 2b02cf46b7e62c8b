//! Verdicts: whether our findings agree with the published figures.
//!
//! Every published figure gets one of three verdicts. *Not reproduced*: ours and the published one
//! are incompatible. *Reproduced*: they are compatible, and ours is as precise as the experiment
//! fixed beforehand. *Inconclusive*: they are compatible, but ours rests on too few games to have
//! shown a difference. Compatible and precise are:
//! - *score*, *draws*, *loops*, *won as Black*, *won as White*: the 95 % interval of the difference
//!   between ours and the published one includes zero, combined from both intervals, so that the few
//!   games of a source count for what they are; our own interval is narrow enough;
//! - *better*: our interval of the score does not lie on the other side of one half. Where it is
//!   narrow enough but lies on neither side, the lead that was published is not there;
//! - *fewer loops*: the same by the interval of the difference between our two shares;
//! - *effort*: neither share is more than twice the other, or ours is below a published limit.
//!   Nodes are counted in the training that the experiment fixes: nothing is sampled, so ours is
//!   exact;
//! - *minutes*: ours, for the same number of games, are no more. They are measured, not sampled; a
//!   training as long as the published one decides;
//! - *won*, *drawn*, *forced*, *lost* of a pair, *solved* of a suite: shares, as above;
//! - statements and rankings: our share or score against the claimed one (`pairs::figures`);
//! - *fewer simulations*, *less time*: neither part saved is more than twice the other; our interval
//!   over the games is narrow enough.

use super::{
    Experiment, ExperimentTask, FigureVerdict, Findings, Interval, LoopClaim, Match, MatchFindings,
    MinutesClaim, Precision, Published, TimeClaim, TrainingTime, boards, node_counts, pairs,
    run::TrainingCost, savings, suite_task,
};
use ludus_arena::elo::Wdl;
use serde::Serialize;

/// Factor up to which shares of effort agree: the source reports neither its look-ahead nor a
/// breakdown of its time.
const AGREEMENT_FACTOR: f64 = 2.0;

/// Value of a figure.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FigureValue {
    /// A share with its interval.
    Share(Interval),
    /// A share of effort, exact.
    Part(f64),
    /// An upper bound of a share of effort.
    Below(f64),
    /// A lower bound of a share of games.
    AtLeast(f64),
    /// Minutes.
    Minutes(f64),
    /// A statement.
    Words(&'static str),
}

/// A published figure, ours, and the verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Name of the figure.
    pub figure: String,
    /// Published value.
    pub published: FigureValue,
    /// Our value.
    pub ours: FigureValue,
    /// Verdict.
    pub verdict: FigureVerdict,
    /// Whether the verdict is *reproduced*.
    pub reproduced: bool,
    /// Half-width of our own 95 % interval, if ours has one.
    pub half_width: Option<f64>,
    /// Half-width required, if ours has an interval.
    pub precision: Option<f64>,
    /// Number of games that would about decide an inconclusive figure.
    pub games_needed: Option<u64>,
}

impl Figure {
    /// A figure with an interval of its own.
    pub(super) fn precise(
        figure: String,
        [published, ours]: [FigureValue; 2],
        verdict: FigureVerdict,
        precision: &Precision,
    ) -> Figure {
        let needed = (verdict == FigureVerdict::Inconclusive).then(|| precision.games_needed());
        Figure {
            half_width: precision.half_width(),
            precision: Some(precision.required()),
            games_needed: needed,
            ..Figure::exact(figure, [published, ours], verdict)
        }
    }

    /// A figure without one: counted, not sampled.
    pub(super) fn exact(
        figure: String,
        [published, ours]: [FigureValue; 2],
        verdict: FigureVerdict,
    ) -> Figure {
        Figure {
            figure,
            published,
            ours,
            verdict,
            reproduced: verdict == FigureVerdict::Reproduced,
            half_width: None,
            precision: None,
            games_needed: None,
        }
    }
}

/// Every published figure of an experiment beside ours.
pub fn figures(experiment: &Experiment, findings: &Findings) -> Vec<Figure> {
    match (experiment.task(), findings) {
        (ExperimentTask::Match(played), Findings::Match(found)) => {
            of_match(experiment, played, found)
        }
        (ExperimentTask::Training(training), Findings::Training(found)) => {
            of_training(experiment, training, found)
        }
        (ExperimentTask::Boards(boards), Findings::Boards(found)) => {
            let rows = boards::rows(boards, found);
            rows.iter().filter_map(|row| row.figure(experiment)).collect()
        }
        (ExperimentTask::Savings(savings), Findings::Savings(found)) => {
            savings::figures(experiment, savings, found)
        }
        (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => {
            pairs::figures(experiment, pairs, found)
        }
        (ExperimentTask::Suite(suite), Findings::Suite(found)) => {
            suite_task::figures(experiment, suite, found)
        }
        (ExperimentTask::NodeCounts(counts), Findings::NodeCounts(found)) => {
            node_counts::figures(experiment, counts, found)
        }
        _ => Vec::new(),
    }
}

/// Names of an experiment's figures that need a precision.
pub fn figure_names(experiment: &Experiment) -> Vec<String> {
    match experiment.task() {
        ExperimentTask::Match(Match { published, .. }) => {
            let scored = published.won.is_some();
            let names = [
                ("better", scored),
                ("score", scored),
                ("draws", published.drawn.is_some()),
                ("forced", published.forced.is_some()),
                ("loops", published.loops.is_some()),
            ];
            names
                .iter()
                .filter(|(_, is_there)| *is_there)
                .map(|(name, _)| name.to_string())
                .collect()
        }
        ExperimentTask::Training(TrainingTime { loops, .. }) => {
            let single = loops.iter().map(loops_name);
            let pairs = loops.windows(2).filter_map(|pair| {
                let fewer = published_fewer([&pair[0], &pair[1]])?;
                Some(fewer_name(&pair[fewer]))
            });
            single.chain(pairs).collect()
        }
        ExperimentTask::Boards(boards) => boards::figure_names(boards),
        ExperimentTask::Savings(savings) => savings::figure_names(savings),
        ExperimentTask::Pairs(pairs) => pairs::figure_names(pairs),
        ExperimentTask::Suite(suite) => suite_task::figure_names(suite),
        ExperimentTask::NodeCounts(counts) => node_counts::figure_names(counts),
    }
}

fn of_match(experiment: &Experiment, played: &Match, found: &MatchFindings) -> Vec<Figure> {
    let Published { games, won, drawn, forced, lost, loops } = played.published;
    let mut figures = Vec::new();
    if let (Some(won), Some(drawn), Some(lost)) = (won, drawn, lost) {
        let sample = found.cell.sample();
        let all_drawn = drawn + forced.unwrap_or(0);
        let published = Interval::score(Wdl::new(won, all_drawn, lost).into());
        if let Some((published, ours)) = published.zip(Interval::score(sample)) {
            let games = found.cell.wdl.games();
            let precision =
                |name| Precision::of_score(sample, games, experiment.precision_of(name));
            let better =
                precision("better").and_then(|precision| better(&published, &ours, &precision));
            figures.extend(better);
            let score = precision("score")
                .map(|precision| compared("score".to_owned(), published, ours, &precision));
            figures.extend(score);
        }
    }
    let all = found.cell.wdl.games();
    let our_forced = found.forced.map_or(0, |kinds| kinds.forced());
    for (name, published, ours) in [
        ("draws", drawn, found.cell.wdl.draws - our_forced),
        ("forced", forced, our_forced),
        ("loops", loops, found.loops),
    ] {
        let Some(published) = published else { continue };
        let published = Interval::share(published, games);
        if let Some((published, ours)) = published.zip(Interval::share(ours, all)) {
            let precision = Precision::of_share(&ours, all, experiment.precision_of(name));
            figures.push(compared(name.to_owned(), published, ours, &precision));
        }
    }
    figures
}

/// Compares two numbers with intervals, which are compatible if their difference may be chance.
pub(super) fn compared(
    name: String,
    published: Interval,
    ours: Interval,
    precision: &Precision,
) -> Figure {
    let verdict = precision.verdict(ours.agrees_with(&published));
    Figure::precise(name, [published, ours].map(FigureValue::Share), verdict, precision)
}

/// Figure for the better player; `None` if the published score is even.
fn better(published: &Interval, ours: &Interval, precision: &Precision) -> Option<Figure> {
    let even = Interval::exact(0.5);
    let (lead, claimed, other) = match published.value - 0.5 {
        lead if lead > 0.0 => (ours.minus(&even), "the first", "the second"),
        lead if lead < 0.0 => (even.minus(ours), "the second", "the first"),
        _ => return None,
    };
    let (verdict, ours) = verdict_on_lead(&lead, precision, [claimed, other]);
    let shown = [FigureValue::Words(claimed), FigureValue::Words(ours)];
    Some(Figure::precise("better".to_owned(), shown, verdict, precision))
}

/// Verdict on a lead that was published as positive, and the words for ours.
pub(super) fn verdict_on_lead(
    lead: &Interval,
    precision: &Precision,
    [claimed, other]: [&'static str; 2],
) -> (FigureVerdict, &'static str) {
    if lead.high < 0.0 {
        return (FigureVerdict::NotReproduced, other);
    }
    if lead.low > 0.0 {
        return (precision.verdict(true), claimed);
    }
    let is_seen_closely = precision.is_reached();
    let verdict =
        if is_seen_closely { FigureVerdict::NotReproduced } else { FigureVerdict::Inconclusive };
    (verdict, "not decided")
}

fn of_training(
    experiment: &Experiment,
    training: &TrainingTime,
    found: &[TrainingCost],
) -> Vec<Figure> {
    let of = |player: &String| found.iter().find(|trained| trained.player == *player);
    let mut figures = Vec::new();
    for claim in &training.time {
        if let (Some(one), Some(other)) = (of(&claim.player), of(&claim.of)) {
            figures.extend(part(claim, one, other));
        }
    }
    figures.extend(training.minutes.iter().filter_map(|claim| minutes(claim, of(&claim.player)?)));
    let loops_of = |claim: &LoopClaim| loops(experiment, claim, of(&claim.player)?);
    figures.extend(training.loops.iter().filter_map(loops_of));
    figures.extend(training.loops.windows(2).filter_map(|pair| {
        let claims = [&pair[0], &pair[1]];
        fewer(experiment, claims, [of(&pair[0].player)?, of(&pair[1].player)?])
    }));
    figures
}

fn exact_verdict(is_compatible: bool) -> FigureVerdict {
    if is_compatible { FigureVerdict::Reproduced } else { FigureVerdict::NotReproduced }
}

fn part(claim: &TimeClaim, one: &TrainingCost, other: &TrainingCost) -> Option<Figure> {
    let ours = one.nodes as f64 / other.nodes.max(1) as f64;
    let (published, agrees) = match (claim.share, claim.below) {
        (Some(share), _) => {
            (FigureValue::Part(share), is_within_factor(share, ours, AGREEMENT_FACTOR))
        }
        (None, Some(below)) => (FigureValue::Below(below), ours < below),
        (None, None) => return None,
    };
    let name = format!("effort of {} as a part of that of {}", claim.player, claim.of);
    Some(Figure::exact(name, [published, FigureValue::Part(ours)], exact_verdict(agrees)))
}

/// Whether neither number is more than `factor` times the other.
pub(super) fn is_within_factor(one: f64, other: f64, factor: f64) -> bool {
    one <= other * factor && other <= one * factor
}

fn minutes(claim: &MinutesClaim, found: &TrainingCost) -> Option<Figure> {
    let scale = claim.games as f64 / found.games.max(1) as f64;
    let ours = found.seconds / 60.0 * scale;
    let is_whole = found.games >= claim.games;
    let verdict = match ours <= claim.minutes {
        true if !is_whole => FigureVerdict::Inconclusive,
        agrees => exact_verdict(agrees),
    };
    let name = format!("minutes for {} games of {}", claim.games, claim.player);
    let shown = [FigureValue::Minutes(claim.minutes), FigureValue::Minutes(ours)];
    let games_needed = (verdict == FigureVerdict::Inconclusive).then_some(claim.games);
    Some(Figure { games_needed, ..Figure::exact(name, shown, verdict) })
}

fn loops_name(claim: &LoopClaim) -> String {
    format!("loops in the training games of {}", claim.player)
}

fn loops(experiment: &Experiment, claim: &LoopClaim, found: &TrainingCost) -> Option<Figure> {
    let name = loops_name(claim);
    let published = Interval::share(claim.loops, claim.games)?;
    let ours = Interval::share(found.loops, found.games)?;
    let precision = Precision::of_share(&ours, found.games, experiment.precision_of(&name));
    Some(compared(name, published, ours, &precision))
}

/// Index of the claim with the smaller share of loops; `None` if both are equal.
fn published_fewer(claims: [&LoopClaim; 2]) -> Option<usize> {
    let published = claims.map(|claim| claim.loops as f64 / claim.games.max(1) as f64);
    (published[0] != published[1]).then(|| usize::from(published[1] < published[0]))
}

fn fewer_name(claim: &LoopClaim) -> String {
    format!("fewer loops of {} than of the other", claim.player)
}

/// Figure for the player with fewer loops; `None` if the published shares are equal.
fn fewer(
    experiment: &Experiment,
    claims: [&LoopClaim; 2],
    found: [&TrainingCost; 2],
) -> Option<Figure> {
    let fewer = published_fewer(claims)?;
    let name = fewer_name(claims[fewer]);
    let ours = found.map(|trained| Interval::share(trained.loops, trained.games));
    let lead = ours[1 - fewer]?.minus(&ours[fewer]?);
    let games = found[0].games.min(found[1].games);
    let precision = Precision::of_difference(&lead, games, experiment.precision_of(&name));
    let (verdict, ours) = verdict_on_lead(&lead, &precision, ["yes", "no"]);
    let shown = [FigureValue::Words("yes"), FigureValue::Words(ours)];
    Some(Figure::precise(name, shown, verdict, &precision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::DrawKinds;
    use ludus_arena::{elo::Pentanomial, table::HeadToHead};

    fn found(wins: u64, draws: u64, losses: u64, loops: u64) -> MatchFindings {
        let wdl = Wdl::new(wins, draws, losses);
        let cell = HeadToHead { wdl, pairs: Pentanomial::default(), ..HeadToHead::default() };
        MatchFindings { cell, loops, forced: None, efforts: [Default::default(); 2] }
    }

    fn experiment(published: &str, more: &str) -> Experiment {
        let text = format!(
            "group = 'g'\ntitle = 't'\nsource = 's'\n{more}\n[match]\ngame = 'draughts'\n\
             first = 'a'\nsecond = 'b'\npublished = {{ {published} }}\n"
        );
        Experiment::parse(&text).unwrap()
    }

    /// Verdicts of the figures: `+` reproduced, `-` not, `?` inconclusive.
    fn verdicts(figures: &[Figure]) -> String {
        figures.iter().map(|figure| mark(figure.verdict)).collect()
    }

    fn mark(verdict: FigureVerdict) -> char {
        match verdict {
            FigureVerdict::Reproduced => '+',
            FigureVerdict::NotReproduced => '-',
            FigureVerdict::Inconclusive => '?',
        }
    }

    fn verdict_figures(experiment: &Experiment, found: &MatchFindings) -> Vec<Figure> {
        figures(experiment, &Findings::Match(found.clone()))
    }

    const FEW: &str = "games = 20, won = 13, drawn = 4, lost = 3, loops = 1";

    #[test]
    fn figures_are_judged_one_by_one() {
        let experiment_of_few = experiment(FEW, "");
        let expect = |found: &MatchFindings, required: &str| {
            let all = verdict_figures(&experiment_of_few, found);
            let names: Vec<&str> = all.iter().map(|figure| figure.figure.as_str()).collect();
            assert_eq!(names, ["better", "score", "draws", "loops"]);
            assert_eq!(verdicts(&all), required, "{found:?}");
            for figure in &all {
                assert_eq!(figure.reproduced, figure.verdict == FigureVerdict::Reproduced);
                let is_open = figure.verdict == FigureVerdict::Inconclusive;
                assert_eq!(figure.games_needed.is_some(), is_open, "{figure:?}");
            }
        };
        expect(&found(130, 40, 30, 10), "++++");
        expect(&found(20, 160, 20, 150), "----");
        expect(&found(60, 120, 20, 10), "++-+");
        expect(&found(30, 40, 130, 10), "--++");
        let draws_only = verdict_figures(
            &experiment("games = 20, drawn = 9, loops = 5", ""),
            &found(1, 1, 1, 0),
        );
        let names = draws_only.iter().map(|figure| figure.figure.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["draws", "loops"]);
    }

    #[test]
    fn forced_draws_are_a_figure_of_their_own() {
        let published = "games = 20, won = 5, drawn = 2, forced = 13, lost = 0";
        let experiment = experiment(published, "");
        let verdicts_of = |draws: DrawKinds| {
            let mut found = found(50, draws.drawn() + draws.forced(), 0, 0);
            found.forced = Some(draws);
            let all = verdict_figures(&experiment, &found);
            let names: Vec<&str> = all.iter().map(|figure| figure.figure.as_str()).collect();
            assert_eq!(names, ["better", "score", "draws", "forced"]);
            verdicts(&all)
        };
        let like = DrawKinds { stalemate: 20, length: 100, repetition: 30, ..DrawKinds::default() };
        assert_eq!(verdicts_of(like), "++++");
        let unlike = DrawKinds { stalemate: 130, length: 20, ..DrawKinds::default() };
        assert_eq!(verdicts_of(unlike), "++--");
    }

    #[test]
    fn few_games_reproduce_nothing() {
        let experiment = experiment(FEW, "");
        for wins in 0..=6 {
            for draws in 0..=6 - wins {
                for loops in 0..=draws {
                    let found = found(wins, draws, 6 - wins - draws, loops);
                    let all = verdict_figures(&experiment, &found);
                    assert!(!verdicts(&all).contains('+'), "{found:?}: {all:?}");
                }
            }
        }
        let all = verdict_figures(&experiment, &found(1, 0, 1, 0));
        assert_eq!(verdicts(&all), "????", "{all:?}");
        let needed: Vec<u64> = all.iter().filter_map(|figure| figure.games_needed).collect();
        assert!(needed.iter().all(|needed| (20..400).contains(needed)), "{needed:?}");
    }

    #[test]
    fn incompatible_figures_need_no_precision() {
        let all = verdict_figures(&experiment(FEW, ""), &found(0, 0, 16, 0));
        assert_eq!(verdicts(&all), "--??", "{all:?}");
    }

    #[test]
    fn a_lead_that_is_not_there_is_not_reproduced_by_many_games() {
        let experiment = experiment("games = 200, won = 80, drawn = 60, lost = 60", "");
        let even = |games: u64| found(games / 4, games / 2, games / 4, 0);
        assert_eq!(verdicts(&verdict_figures(&experiment, &even(40))[..1]), "?");
        assert_eq!(verdicts(&verdict_figures(&experiment, &even(400))[..1]), "-");
    }

    #[test]
    fn an_experiment_may_fix_another_precision() {
        let some = found(24, 8, 8, 4);
        assert_eq!(verdicts(&verdict_figures(&experiment(FEW, ""), &some)), "????");
        let wide = "precision = 0.15\nprecision_why = 'the source has 20 games'\n";
        assert_eq!(verdicts(&verdict_figures(&experiment(FEW, wide), &some)), "++++");
        let single =
            format!("{wide}[figures.draws]\nprecision = 0.02\nprecision_why = 'draws are many'\n");
        let all = verdict_figures(&experiment(FEW, &single), &some);
        assert_eq!(verdicts(&all), "++?+");
        assert_eq!(all[2].precision, Some(0.02));
    }

    #[test]
    fn effort_is_compared_in_positions() {
        let text = "group = 'g'\ntitle = 't'\nsource = 's'\n[training-time]\ngame = 'draughts'\n\
                    players = ['slow', 'fast']\n\
                    time = [{ player = 'fast', of = 'slow', share = 0.05 }, \
                            { player = 'fast', of = 'slow', below = 0.4 }]\n\
                    minutes = [{ player = 'fast', games = 5000, minutes = 9.0 }]\n\
                    loops = [{ player = 'fast', games = 2000, loops = 41 }]\n";
        let experiment = Experiment::parse(text).unwrap();
        let trained = |player: &str, nodes, seconds, loops| TrainingCost {
            player: player.to_owned(),
            games: 100,
            nodes,
            seconds,
            loops,
            sessions: Vec::new(),
        };
        let verdict_of = |nodes, seconds, loops| {
            let found = vec![trained("slow", 1000, 9.0, 0), trained("fast", nodes, seconds, loops)];
            verdicts(&figures(&experiment, &Findings::Training(found)))
        };
        // Nine minutes were published for 5,000 games, of which 100 were trained here.
        assert_eq!(verdict_of(99, 10.0, 2), "++?+");
        assert_eq!(verdict_of(101, 11.0, 40), "-+--");
        assert_eq!(verdict_of(24, 1.0, 2), "-+?+");
        assert_eq!(verdict_of(500, 1.0, 2), "--?+");
        let whole = TrainingCost { games: 5000, ..trained("fast", 1, 9.0 * 60.0, 102) };
        let all = figures(&experiment, &Findings::Training(vec![whole]));
        assert_eq!(verdicts(&all), "++", "minutes and loops");
    }

    #[test]
    fn fewer_loops_must_be_more_than_chance() {
        let claim = |loops| LoopClaim { player: format!("{loops} published"), games: 2000, loops };
        let trained = |loops| TrainingCost {
            games: 2000,
            nodes: 1,
            seconds: 1.0,
            loops,
            ..TrainingCost::default()
        };
        let experiment = experiment(FEW, "");
        let verdict_of = |first, second| {
            let claims = [&claim(96), &claim(41)];
            let figure = fewer(&experiment, claims, [&trained(first), &trained(second)]).unwrap();
            assert!(figure.figure.contains("41 published"));
            mark(figure.verdict)
        };
        assert_eq!(verdict_of(1356, 1192), '+');
        assert_eq!((verdict_of(1356, 1340), verdict_of(1192, 1356)), ('-', '-'));
        let alike = [&claim(41), &claim(41)];
        assert!(fewer(&experiment, alike, [&trained(1), &trained(2)]).is_none());
        let few = |loops| TrainingCost { games: 20, ..trained(loops) };
        let figure = fewer(&experiment, [&claim(96), &claim(41)], [&few(12), &few(2)]).unwrap();
        assert_eq!(mark(figure.verdict), '?', "{figure:?}");
    }
}
