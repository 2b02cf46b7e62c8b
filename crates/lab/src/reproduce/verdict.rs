//! Whether what we find is what was published.
//!
//! Every published figure is judged by itself:
//! - *better*: our 95 % interval of the score lies on the published side of one half;
//! - *score*, *draws*, *loops*: the 95 % interval of the difference between ours and the published
//!   one includes zero. It is put together from the intervals of both (R. G. Newcombe, *Interval
//!   estimation for the difference between independent proportions*, 1998), so that the few games
//!   of a source count for what they are;
//! - *fewer loops*: ours are fewer, and the interval of the difference does not include zero;
//! - *time*: a published share of effort agrees with ours in positions looked at if neither is more
//!   than twice the other; a published limit holds if ours is below it;
//! - *minutes*: ours, for as many games, are no more;
//! - *won as Black*, *won as White*: as scores, by the shares of games won;
//! - *fewer simulations*, *less time*: neither part saved is more than twice the other.

use super::{
    Experiment, Findings, LoopClaim, Match, MatchFindings, MinutesClaim, Published, Task,
    TimeClaim, TrainingTime, boards, hold::Trained, savings,
};
use ludus_arena::elo::{Sample, Tally, Z95, expected_score};
use serde::Serialize;

/// How far shares of effort may be apart: the source tells neither its look-ahead nor what else its
/// time went into.
const FACTOR: f64 = 2.0;

/// A number with its 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Points a game; `None` without games.
    pub fn score(sample: Sample) -> Option<Interval> {
        let value = sample.score()?;
        let elo = sample.elo();
        let low = elo.low.map_or(0.0, expected_score);
        let high = elo.high.map_or(1.0, expected_score);
        Some(Interval { value, low, high })
    }

    /// The share `count` of `all`, by Wilson's score interval; `None` of nothing.
    pub fn share(count: u64, all: u64) -> Option<Interval> {
        Interval::share_of(count as f64 / all.max(1) as f64, all)
    }

    /// The same of a share that is known no better than in percent.
    pub fn share_of(value: f64, all: u64) -> Option<Interval> {
        if all == 0 {
            return None;
        }
        let (number, square) = (all as f64, Z95 * Z95);
        let middle = (value + square / (2.0 * number)) / (1.0 + square / number);
        let spread = value * (1.0 - value) / number + square / (4.0 * number * number);
        let half = Z95 * spread.sqrt() / (1.0 + square / number);
        let (low, high) = ((middle - half).max(0.0), (middle + half).min(1.0));
        Some(Interval { value, low: low.min(value), high: high.max(value) })
    }

    /// Whether it lies within.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Whether the difference may be chance.
    pub fn agrees_with(&self, other: &Interval) -> bool {
        let difference = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
        difference - below <= 0.0 && 0.0 <= difference + above
    }
}

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
    /// Whether it is reproduced.
    pub reproduced: bool,
}

/// Every published figure of an experiment beside what we found.
pub fn figures(experiment: &Experiment, findings: &Findings) -> Vec<Figure> {
    match (experiment.task(), findings) {
        (Task::Match(played), Findings::Match(found)) => of_match(played, found),
        (Task::Training(training), Findings::Training(found)) => of_training(training, found),
        (Task::Boards(boards), Findings::Boards(found)) => {
            boards::rows(boards, found).iter().filter_map(boards::Row::figure).collect()
        }
        (Task::Savings(savings), Findings::Savings(found)) => savings::figures(savings, found),
        _ => Vec::new(),
    }
}

fn of_match(played: &Match, found: &MatchFindings) -> Vec<Figure> {
    let Published { games, won, drawn, lost, loops } = played.published;
    let mut figures = Vec::new();
    if let (Some(won), Some(drawn), Some(lost)) = (won, drawn, lost) {
        let published = Interval::score(Tally::new(won, drawn, lost).into());
        let ours = Interval::score(found.cell.sample());
        figures.extend(published.zip(ours).and_then(|(published, ours)| better(&published, &ours)));
        figures.extend(share("score", published, ours));
    }
    let all = found.cell.tally.games();
    for (name, published, ours) in
        [("draws", drawn, found.cell.tally.draws), ("loops", loops, found.loops)]
    {
        let Some(published) = published else { continue };
        let published = Interval::share(published, games);
        figures.extend(share(name, published, Interval::share(ours, all)));
    }
    figures
}

/// Who is the better one; nobody if the published score is even.
fn better(published: &Interval, ours: &Interval) -> Option<Figure> {
    let side = |lead: f64| match lead {
        lead if lead > 0.0 => Some("the first"),
        lead if lead < 0.0 => Some("the second"),
        _ => None,
    };
    let published = side(published.value - 0.5)?;
    let shown = side(ours.low - 0.5).filter(|_| ours.low > 0.5);
    let shown = shown.or_else(|| side(ours.high - 0.5).filter(|_| ours.high < 0.5));
    Some(Figure {
        figure: "better".to_owned(),
        published: Shown::Words(published),
        ours: Shown::Words(shown.unwrap_or("not decided")),
        reproduced: shown == Some(published),
    })
}

fn share(name: &str, published: Option<Interval>, ours: Option<Interval>) -> Option<Figure> {
    let (published, ours) = (published?, ours?);
    Some(Figure {
        figure: name.to_owned(),
        published: Shown::Share(published),
        ours: Shown::Share(ours),
        reproduced: ours.agrees_with(&published),
    })
}

fn of_training(training: &TrainingTime, found: &[Trained]) -> Vec<Figure> {
    let of = |player: &String| found.iter().find(|trained| trained.player == *player);
    let mut figures = Vec::new();
    for claim in &training.time {
        if let (Some(one), Some(other)) = (of(&claim.player), of(&claim.of)) {
            figures.extend(part(claim, one, other));
        }
    }
    figures.extend(training.minutes.iter().filter_map(|claim| minutes(claim, of(&claim.player)?)));
    figures.extend(training.loops.iter().filter_map(|claim| loops(claim, of(&claim.player)?)));
    figures.extend(training.loops.windows(2).filter_map(|pair| {
        fewer([&pair[0], &pair[1]], [of(&pair[0].player)?, of(&pair[1].player)?])
    }));
    figures
}

fn part(claim: &TimeClaim, one: &Trained, other: &Trained) -> Option<Figure> {
    let ours = one.nodes as f64 / other.nodes.max(1) as f64;
    let (published, reproduced) = match (claim.share, claim.below) {
        (Some(share), _) => (Shown::Part(share), ours <= share * FACTOR && share <= ours * FACTOR),
        (None, Some(below)) => (Shown::Below(below), ours < below),
        (None, None) => return None,
    };
    Some(Figure {
        figure: format!("effort of {} as a part of that of {}", claim.player, claim.of),
        published,
        ours: Shown::Part(ours),
        reproduced,
    })
}

fn minutes(claim: &MinutesClaim, found: &Trained) -> Option<Figure> {
    let scale = claim.games as f64 / found.games.max(1) as f64;
    let ours = found.seconds / 60.0 * scale;
    Some(Figure {
        figure: format!("minutes for {} games of {}", claim.games, claim.player),
        published: Shown::Minutes(claim.minutes),
        ours: Shown::Minutes(ours),
        reproduced: ours <= claim.minutes,
    })
}

fn loops(claim: &LoopClaim, found: &Trained) -> Option<Figure> {
    let published = Interval::share(claim.loops, claim.games);
    let ours = Interval::share(found.loops, found.games);
    share(&format!("loops in the training games of {}", claim.player), published, ours)
}

/// Which of two players has fewer loops; neither if as many were published.
fn fewer(claims: [&LoopClaim; 2], found: [&Trained; 2]) -> Option<Figure> {
    let published = claims.map(|claim| claim.loops as f64 / claim.games.max(1) as f64);
    if published[0] == published[1] {
        return None;
    }
    let fewer = usize::from(published[1] < published[0]);
    let ours = found.map(|trained| Interval::share(trained.loops, trained.games));
    let (one, other) = (ours[fewer]?, ours[1 - fewer]?);
    let reproduced = one.value < other.value && !one.agrees_with(&other);
    Some(Figure {
        figure: format!("fewer loops of {} than of the other", claims[fewer].player),
        published: Shown::Words("yes"),
        ours: Shown::Words(if reproduced { "yes" } else { "not decided" }),
        reproduced,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_arena::{elo::Pairs, table::Cell};

    fn about(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 5e-4
    }

    #[test]
    fn wilsons_interval_has_its_known_values() {
        // Newcombe's own examples: 81 of 263, 15 of 148, 0 of 20.
        for (count, all, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let found = Interval::share(count, all).unwrap();
            assert!(about(found.low, low) && about(found.high, high), "{found:?}");
        }
        assert_eq!(Interval::share(0, 0), None);
    }

    #[test]
    fn a_difference_within_both_intervals_is_no_difference() {
        // Newcombe 1998: 56/70 - 48/80 has the interval 0.0524 to 0.3339, 9/10 - 3/10 0.1705 to
        // 0.8090, 5/56 - 0/29 -0.0381 to 0.1926.
        let share = |count, all| Interval::share(count, all).unwrap();
        assert!(!share(56, 70).agrees_with(&share(48, 80)));
        assert!(!share(9, 10).agrees_with(&share(3, 10)));
        assert!(share(5, 56).agrees_with(&share(0, 29)));
        assert!(share(0, 29).agrees_with(&share(5, 56)));
    }

    fn found(wins: u64, draws: u64, losses: u64, loops: u64) -> MatchFindings {
        let tally = Tally::new(wins, draws, losses);
        let cell = Cell { tally, pairs: Pairs::default(), ..Cell::default() };
        MatchFindings { cell, loops, efforts: [Default::default(); 2] }
    }

    fn verdicts(published: &str, found: &MatchFindings) -> Vec<(String, bool)> {
        let text = format!(
            "group = 'g'\ntitle = 't'\nsource = 's'\n[match]\ngame = 'draughts'\nfirst = 'a'\n\
             second = 'b'\npublished = {{ {published} }}\n"
        );
        let experiment = Experiment::parse(&text).unwrap();
        let figures = figures(&experiment, &Findings::Match(found.clone()));
        figures.into_iter().map(|figure| (figure.figure, figure.reproduced)).collect()
    }

    #[test]
    fn figures_are_judged_one_by_one() {
        let few = "games = 20, won = 13, drawn = 4, lost = 3, loops = 1";
        let expect = |found: &MatchFindings, wanted: [bool; 4]| {
            let all = verdicts(few, found);
            let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["better", "score", "draws", "loops"]);
            assert_eq!(all.iter().map(|(_, it)| *it).collect::<Vec<_>>(), wanted, "{found:?}");
        };
        expect(&found(130, 40, 30, 10), [true; 4]);
        expect(&found(20, 160, 20, 150), [false; 4]);
        expect(&found(60, 120, 20, 10), [true, true, false, true]);
        expect(&found(30, 40, 130, 10), [false, false, true, true]);
        let draws_only = "games = 20, drawn = 9, loops = 5";
        let names = verdicts(draws_only, &found(1, 1, 1, 0)).into_iter().map(|(name, _)| name);
        assert_eq!(names.collect::<Vec<_>>(), ["draws", "loops"]);
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
        };
        let judge = |nodes, seconds, loops| {
            let found = vec![trained("slow", 1000, 9.0, 0), trained("fast", nodes, seconds, loops)];
            let all = figures(&experiment, &Findings::Training(found));
            all.iter().map(|figure| figure.reproduced).collect::<Vec<_>>()
        };
        assert_eq!(judge(99, 10.0, 2), [true, true, true, true]);
        assert_eq!(judge(101, 11.0, 40), [false, true, false, false]);
        assert_eq!(judge(24, 1.0, 2), [false, true, true, true]);
        assert_eq!(judge(500, 1.0, 2), [false, false, true, true]);
    }

    #[test]
    fn fewer_loops_must_be_more_than_chance() {
        let claim = |loops| LoopClaim { player: format!("{loops} published"), games: 2000, loops };
        let trained =
            |loops| Trained { player: String::new(), games: 2000, nodes: 1, seconds: 1.0, loops };
        let judge = |first, second| {
            let figure = fewer([&claim(96), &claim(41)], [&trained(first), &trained(second)]);
            let figure = figure.unwrap();
            assert!(figure.figure.contains("41 published"));
            figure.reproduced
        };
        assert!(judge(1356, 1192));
        assert!(!judge(1356, 1340) && !judge(1192, 1356));
        assert!(fewer([&claim(41), &claim(41)], [&trained(1), &trained(2)]).is_none());
    }
}
