//! Whether what we find is what was published.
//!
//! Every published figure is judged by itself, by three verdicts. *Not reproduced*: ours and the
//! published one are incompatible. *Reproduced*: they are compatible, and ours is as precise as the
//! experiment fixed beforehand. *Inconclusive*: they are compatible, but ours rests on too few games
//! to have shown a difference. Compatible and precise are:
//! - *score*, *draws*, *loops*, *won as Black*, *won as White*: the 95 % interval of the difference
//!   between ours and the published one includes zero, both intervals counted, so that the few games
//!   of a source count for what they are; our own interval is narrow enough;
//! - *better*: our interval of the score does not lie on the other side of one half. Where it is
//!   narrow enough but lies on neither side, the lead that was published is not there;
//! - *fewer loops*: the same by the interval of the difference between our two shares;
//! - *effort*: neither share is more than twice the other, or ours is below a published limit.
//!   Positions are counted in the training that the experiment fixes: nothing is sampled, so ours is
//!   exact;
//! - *minutes*: ours, for as many games, are no more. They are measured, not sampled; what decides is
//!   a training that is as long as the published one;
//! - *fewer simulations*, *less time*: neither part saved is more than twice the other; our interval
//!   over the games is narrow enough.

use super::{
    Experiment, Findings, Interval, LoopClaim, Match, MatchFindings, MinutesClaim, Precision,
    Published, Task, TimeClaim, TrainingTime, Verdict, boards, hold::Trained, savings,
};
use ludus_arena::elo::Tally;
use serde::Serialize;

/// How far shares of effort may be apart: the source tells neither its look-ahead nor what else its
/// time went into.
const FACTOR: f64 = 2.0;

/// A number as it is shown.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Shown {
    /// A share with its interval.
    Share(Interval),
    /// A share of effort, exact.
    Part(f64),
    /// A share of effort it is below.
    Below(f64),
    /// Minutes.
    Minutes(f64),
    /// A statement.
    Words(&'static str),
}

/// A published figure, ours, and whether they agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// What it is about.
    pub figure: String,
    /// What was published.
    pub published: Shown,
    /// What we find.
    pub ours: Shown,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Whether the verdict is that it is reproduced.
    pub reproduced: bool,
    /// Half-width of our own 95 % interval, if ours has one.
    pub half_width: Option<f64>,
    /// Half-width that decides, if ours has an interval.
    pub precision: Option<f64>,
    /// Games that would decide, about, of an inconclusive one.
    pub games_needed: Option<u64>,
}

impl Figure {
    /// A figure with an interval of its own.
    pub(super) fn precise(
        figure: String,
        [published, ours]: [Shown; 2],
        verdict: Verdict,
        precision: &Precision,
    ) -> Figure {
        let needed = (verdict == Verdict::Inconclusive).then(|| precision.games_needed());
        Figure {
            half_width: precision.half_width(),
            precision: Some(precision.wanted()),
            games_needed: needed,
            ..Figure::exact(figure, [published, ours], verdict)
        }
    }

    /// A figure without one: counted, not sampled.
    fn exact(figure: String, [published, ours]: [Shown; 2], verdict: Verdict) -> Figure {
        Figure {
            figure,
            published,
            ours,
            verdict,
            reproduced: verdict == Verdict::Reproduced,
            half_width: None,
            precision: None,
            games_needed: None,
        }
    }
}

/// Every published figure of an experiment beside what we found.
pub fn figures(experiment: &Experiment, findings: &Findings) -> Vec<Figure> {
    match (experiment.task(), findings) {
        (Task::Match(played), Findings::Match(found)) => of_match(experiment, played, found),
        (Task::Training(training), Findings::Training(found)) => {
            of_training(experiment, training, found)
        }
        (Task::Boards(boards), Findings::Boards(found)) => {
            let rows = boards::rows(boards, found);
            rows.iter().filter_map(|row| row.figure(experiment)).collect()
        }
        (Task::Savings(savings), Findings::Savings(found)) => {
            savings::figures(experiment, savings, found)
        }
        _ => Vec::new(),
    }
}

/// The figures of an experiment that need a precision, by name.
pub fn figure_names(experiment: &Experiment) -> Vec<String> {
    match experiment.task() {
        Task::Match(Match { published, .. }) => {
            let scored = published.won.is_some();
            let names = [
                ("better", scored),
                ("score", scored),
                ("draws", published.drawn.is_some()),
                ("loops", published.loops.is_some()),
            ];
            names
                .iter()
                .filter(|(_, is_there)| *is_there)
                .map(|(name, _)| name.to_string())
                .collect()
        }
        Task::Training(TrainingTime { loops, .. }) => {
            let single = loops.iter().map(loops_name);
            let pairs = loops.windows(2).filter_map(|pair| {
                let fewer = published_fewer([&pair[0], &pair[1]])?;
                Some(fewer_name(&pair[fewer]))
            });
            single.chain(pairs).collect()
        }
        Task::Boards(boards) => boards::figure_names(boards),
        Task::Savings(savings) => savings::figure_names(savings),
    }
}

fn of_match(experiment: &Experiment, played: &Match, found: &MatchFindings) -> Vec<Figure> {
    let Published { games, won, drawn, lost, loops } = played.published;
    let mut figures = Vec::new();
    if let (Some(won), Some(drawn), Some(lost)) = (won, drawn, lost) {
        let sample = found.cell.sample();
        let published = Interval::score(Tally::new(won, drawn, lost).into());
        if let Some((published, ours)) = published.zip(Interval::score(sample)) {
            let games = found.cell.tally.games();
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
    let all = found.cell.tally.games();
    for (name, published, ours) in
        [("draws", drawn, found.cell.tally.draws), ("loops", loops, found.loops)]
    {
        let Some(published) = published else { continue };
        let published = Interval::share(published, games);
        if let Some((published, ours)) = published.zip(Interval::share(ours, all)) {
            let precision = Precision::of_share(&ours, all, experiment.precision_of(name));
            figures.push(compared(name.to_owned(), published, ours, &precision));
        }
    }
    figures
}

/// Two numbers with intervals, which are compatible if their difference may be chance.
pub(super) fn compared(
    name: String,
    published: Interval,
    ours: Interval,
    precision: &Precision,
) -> Figure {
    let verdict = precision.verdict(ours.agrees_with(&published));
    Figure::precise(name, [published, ours].map(Shown::Share), verdict, precision)
}

/// Who is the better one; nobody if the published score is even.
fn better(published: &Interval, ours: &Interval, precision: &Precision) -> Option<Figure> {
    let even = Interval::exact(0.5);
    let (lead, claimed, other) = match published.value - 0.5 {
        lead if lead > 0.0 => (ours.minus(&even), "the first", "the second"),
        lead if lead < 0.0 => (even.minus(ours), "the second", "the first"),
        _ => return None,
    };
    let (verdict, ours) = directed(&lead, precision, [claimed, other]);
    let shown = [Shown::Words(claimed), Shown::Words(ours)];
    Some(Figure::precise("better".to_owned(), shown, verdict, precision))
}

/// The verdict on a lead that was published as positive, and what to call ours.
fn directed(
    lead: &Interval,
    precision: &Precision,
    [claimed, other]: [&'static str; 2],
) -> (Verdict, &'static str) {
    if lead.high < 0.0 {
        return (Verdict::NotReproduced, other);
    }
    if lead.low > 0.0 {
        return (precision.verdict(true), claimed);
    }
    let is_seen_closely = precision.is_reached();
    let verdict = if is_seen_closely { Verdict::NotReproduced } else { Verdict::Inconclusive };
    (verdict, "not decided")
}

fn of_training(experiment: &Experiment, training: &TrainingTime, found: &[Trained]) -> Vec<Figure> {
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

fn exactly(is_compatible: bool) -> Verdict {
    if is_compatible { Verdict::Reproduced } else { Verdict::NotReproduced }
}

fn part(claim: &TimeClaim, one: &Trained, other: &Trained) -> Option<Figure> {
    let ours = one.nodes as f64 / other.nodes.max(1) as f64;
    let (published, agrees) = match (claim.share, claim.below) {
        (Some(share), _) => (Shown::Part(share), is_within_factor(share, ours, FACTOR)),
        (None, Some(below)) => (Shown::Below(below), ours < below),
        (None, None) => return None,
    };
    let name = format!("effort of {} as a part of that of {}", claim.player, claim.of);
    Some(Figure::exact(name, [published, Shown::Part(ours)], exactly(agrees)))
}

/// Whether neither number is more than `factor` times the other.
pub(super) fn is_within_factor(one: f64, other: f64, factor: f64) -> bool {
    one <= other * factor && other <= one * factor
}

fn minutes(claim: &MinutesClaim, found: &Trained) -> Option<Figure> {
    let scale = claim.games as f64 / found.games.max(1) as f64;
    let ours = found.seconds / 60.0 * scale;
    let is_whole = found.games >= claim.games;
    let verdict = match ours <= claim.minutes {
        true if !is_whole => Verdict::Inconclusive,
        agrees => exactly(agrees),
    };
    let name = format!("minutes for {} games of {}", claim.games, claim.player);
    let shown = [Shown::Minutes(claim.minutes), Shown::Minutes(ours)];
    let games_needed = (verdict == Verdict::Inconclusive).then_some(claim.games);
    Some(Figure { games_needed, ..Figure::exact(name, shown, verdict) })
}

fn loops_name(claim: &LoopClaim) -> String {
    format!("loops in the training games of {}", claim.player)
}

fn loops(experiment: &Experiment, claim: &LoopClaim, found: &Trained) -> Option<Figure> {
    let name = loops_name(claim);
    let published = Interval::share(claim.loops, claim.games)?;
    let ours = Interval::share(found.loops, found.games)?;
    let precision = Precision::of_share(&ours, found.games, experiment.precision_of(&name));
    Some(compared(name, published, ours, &precision))
}

/// Which of two claims has the smaller share of loops; neither if as many were published.
fn published_fewer(claims: [&LoopClaim; 2]) -> Option<usize> {
    let published = claims.map(|claim| claim.loops as f64 / claim.games.max(1) as f64);
    (published[0] != published[1]).then(|| usize::from(published[1] < published[0]))
}

fn fewer_name(claim: &LoopClaim) -> String {
    format!("fewer loops of {} than of the other", claim.player)
}

/// Which of two players has fewer loops; neither if as many were published.
fn fewer(experiment: &Experiment, claims: [&LoopClaim; 2], found: [&Trained; 2]) -> Option<Figure> {
    let fewer = published_fewer(claims)?;
    let name = fewer_name(claims[fewer]);
    let ours = found.map(|trained| Interval::share(trained.loops, trained.games));
    let lead = ours[1 - fewer]?.minus(&ours[fewer]?);
    let games = found[0].games.min(found[1].games);
    let precision = Precision::of_difference(&lead, games, experiment.precision_of(&name));
    let (verdict, ours) = directed(&lead, &precision, ["yes", "no"]);
    let shown = [Shown::Words("yes"), Shown::Words(ours)];
    Some(Figure::precise(name, shown, verdict, &precision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_arena::{elo::Pairs, table::Cell};

    fn found(wins: u64, draws: u64, losses: u64, loops: u64) -> MatchFindings {
        let tally = Tally::new(wins, draws, losses);
        let cell = Cell { tally, pairs: Pairs::default(), ..Cell::default() };
        MatchFindings { cell, loops, efforts: [Default::default(); 2] }
    }

    fn experiment(published: &str, more: &str) -> Experiment {
        let text = format!(
            "group = 'g'\ntitle = 't'\nsource = 's'\n{more}\n[match]\ngame = 'draughts'\n\
             first = 'a'\nsecond = 'b'\npublished = {{ {published} }}\n"
        );
        Experiment::parse(&text).unwrap()
    }

    /// What each figure comes to: `+` reproduced, `-` not, `?` inconclusive.
    fn verdicts(figures: &[Figure]) -> String {
        figures.iter().map(|figure| mark(figure.verdict)).collect()
    }

    fn mark(verdict: Verdict) -> char {
        match verdict {
            Verdict::Reproduced => '+',
            Verdict::NotReproduced => '-',
            Verdict::Inconclusive => '?',
        }
    }

    fn judged(experiment: &Experiment, found: &MatchFindings) -> Vec<Figure> {
        figures(experiment, &Findings::Match(found.clone()))
    }

    const FEW: &str = "games = 20, won = 13, drawn = 4, lost = 3, loops = 1";

    #[test]
    fn figures_are_judged_one_by_one() {
        let experiment_of_few = experiment(FEW, "");
        let expect = |found: &MatchFindings, wanted: &str| {
            let all = judged(&experiment_of_few, found);
            let names: Vec<&str> = all.iter().map(|figure| figure.figure.as_str()).collect();
            assert_eq!(names, ["better", "score", "draws", "loops"]);
            assert_eq!(verdicts(&all), wanted, "{found:?}");
            for figure in &all {
                assert_eq!(figure.reproduced, figure.verdict == Verdict::Reproduced);
                let is_open = figure.verdict == Verdict::Inconclusive;
                assert_eq!(figure.games_needed.is_some(), is_open, "{figure:?}");
            }
        };
        expect(&found(130, 40, 30, 10), "++++");
        expect(&found(20, 160, 20, 150), "----");
        expect(&found(60, 120, 20, 10), "++-+");
        expect(&found(30, 40, 130, 10), "--++");
        let draws_only =
            judged(&experiment("games = 20, drawn = 9, loops = 5", ""), &found(1, 1, 1, 0));
        let names = draws_only.iter().map(|figure| figure.figure.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["draws", "loops"]);
    }

    #[test]
    fn few_games_reproduce_nothing() {
        let experiment = experiment(FEW, "");
        for wins in 0..=6 {
            for draws in 0..=6 - wins {
                for loops in 0..=draws {
                    let found = found(wins, draws, 6 - wins - draws, loops);
                    let all = judged(&experiment, &found);
                    assert!(!verdicts(&all).contains('+'), "{found:?}: {all:?}");
                }
            }
        }
        let all = judged(&experiment, &found(1, 0, 1, 0));
        assert_eq!(verdicts(&all), "????", "{all:?}");
        let needed: Vec<u64> = all.iter().filter_map(|figure| figure.games_needed).collect();
        assert!(needed.iter().all(|needed| (20..400).contains(needed)), "{needed:?}");
    }

    #[test]
    fn incompatible_figures_need_no_precision() {
        let all = judged(&experiment(FEW, ""), &found(0, 0, 16, 0));
        assert_eq!(verdicts(&all), "--??", "{all:?}");
    }

    #[test]
    fn a_lead_that_is_not_there_is_not_reproduced_by_many_games() {
        let experiment = experiment("games = 200, won = 80, drawn = 60, lost = 60", "");
        let even = |games: u64| found(games / 4, games / 2, games / 4, 0);
        assert_eq!(verdicts(&judged(&experiment, &even(40))[..1]), "?");
        assert_eq!(verdicts(&judged(&experiment, &even(400))[..1]), "-");
    }

    #[test]
    fn an_experiment_may_fix_another_precision() {
        let some = found(24, 8, 8, 4);
        assert_eq!(verdicts(&judged(&experiment(FEW, ""), &some)), "????");
        let wide = "precision = 0.15\nprecision_why = 'the source has 20 games'\n";
        assert_eq!(verdicts(&judged(&experiment(FEW, wide), &some)), "++++");
        let single =
            format!("{wide}[figures.draws]\nprecision = 0.02\nprecision_why = 'draws are many'\n");
        let all = judged(&experiment(FEW, &single), &some);
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
        let trained = |player: &str, nodes, seconds, loops| Trained {
            player: player.to_owned(),
            games: 100,
            nodes,
            seconds,
            loops,
            sessions: Vec::new(),
        };
        let judge = |nodes, seconds, loops| {
            let found = vec![trained("slow", 1000, 9.0, 0), trained("fast", nodes, seconds, loops)];
            verdicts(&figures(&experiment, &Findings::Training(found)))
        };
        // Nine minutes are published for 5,000 games, of which 100 were trained here.
        assert_eq!(judge(99, 10.0, 2), "++?+");
        assert_eq!(judge(101, 11.0, 40), "-+--");
        assert_eq!(judge(24, 1.0, 2), "-+?+");
        assert_eq!(judge(500, 1.0, 2), "--?+");
        let whole = Trained { games: 5000, ..trained("fast", 1, 9.0 * 60.0, 102) };
        let all = figures(&experiment, &Findings::Training(vec![whole]));
        assert_eq!(verdicts(&all), "++", "minutes and loops");
    }

    #[test]
    fn fewer_loops_must_be_more_than_chance() {
        let claim = |loops| LoopClaim { player: format!("{loops} published"), games: 2000, loops };
        let trained =
            |loops| Trained { games: 2000, nodes: 1, seconds: 1.0, loops, ..Trained::default() };
        let experiment = experiment(FEW, "");
        let judge = |first, second| {
            let claims = [&claim(96), &claim(41)];
            let figure = fewer(&experiment, claims, [&trained(first), &trained(second)]).unwrap();
            assert!(figure.figure.contains("41 published"));
            mark(figure.verdict)
        };
        assert_eq!(judge(1356, 1192), '+');
        assert_eq!((judge(1356, 1340), judge(1192, 1356)), ('-', '-'));
        let alike = [&claim(41), &claim(41)];
        assert!(fewer(&experiment, alike, [&trained(1), &trained(2)]).is_none());
        let few = |loops| Trained { games: 20, ..trained(loops) };
        let figure = fewer(&experiment, [&claim(96), &claim(41)], [&few(12), &few(2)]).unwrap();
        assert_eq!(mark(figure.verdict), '?', "{figure:?}");
    }
}
