//! Searches of several players in the same positions, whose nodes are compared.

use super::{
    Experiment, ExperimentProgress, ExperimentRunner, Figure, FigureValue, Findings, Interval,
    NamedExperiment, Precision,
    experiment::wrong,
    numbered::NumberedTask,
    pairs::{NamedPlayer, check_name, check_players},
    run::opening_list,
    verdict::verdict_on_lead,
};
use crate::{TrainingError, recipe::range};
use ludus_arena::{build::BUILD, game::Opening};
use ludus_core::{Limits, TextError};
use ludus_players::{AnalysisControl, Board, BoardPlayer, Resources, find_game};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// Searches of several players in the same positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeCounts {
    /// Game, with its options.
    pub game: String,
    /// Positions.
    pub positions: Vec<PositionSource>,
    /// Search depth in plies, for players without a limit of their own.
    pub depth: Option<u32>,
    /// Players.
    pub players: Vec<NamedPlayer>,
    /// Claims of the source.
    #[serde(default)]
    pub fewer: Vec<FewerNodes>,
}

/// A file of positions or openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionSource {
    /// File beside the experiment.
    pub file: String,
    /// Number of positions, evenly spread over the file; all if not given.
    pub count: Option<usize>,
}

/// A claim: a player searches fewer nodes than another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FewerNodes {
    /// Player with fewer nodes.
    pub player: String,
    /// Player with more.
    pub of: String,
}

impl FewerNodes {
    fn name(&self) -> String {
        format!("fewer nodes with {} than with {}", self.player, self.of)
    }
}

/// Results of the searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeFindings {
    /// Positions that were searched.
    pub positions: Vec<String>,
    /// Nodes by player, in the order of the experiment.
    pub players: Vec<NodeResult>,
}

/// Nodes of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeResult {
    /// Reason why it was left out.
    pub skipped: Option<String>,
    /// Nodes by position.
    pub nodes: Vec<u64>,
}

impl NodeResult {
    pub(super) fn sum(&self) -> u64 {
        self.nodes.iter().sum()
    }

    /// Median of the nodes.
    pub(super) fn median(&self) -> u64 {
        let mut sorted = self.nodes.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    }

    /// Nodes as a share of those of another player, with its interval over the positions.
    pub(super) fn share_of(&self, other: &NodeResult) -> Option<Interval> {
        let [ours, theirs] =
            [self, other].map(|it| it.nodes.iter().map(|&nodes| nodes as f64).collect::<Vec<_>>());
        Interval::ratio(&ours, &theirs)
    }

    /// Number of positions with fewer nodes than another player.
    pub(super) fn fewer_than(&self, other: &NodeResult) -> usize {
        self.nodes.iter().zip(&other.nodes).filter(|(ours, theirs)| ours < theirs).count()
    }
}

impl NodeCounts {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("node-counts.depth", self.depth.unwrap_or(1).into(), 1.0, 100.0)?;
        check_players("node-counts", &self.players)?;
        if self.positions.is_empty() {
            return Err(wrong("positions = []", "files of positions"));
        }
        for PositionSource { file, count } in &self.positions {
            super::experiment::check_openings("positions.file", file)?;
            range("positions.count", count.unwrap_or(1) as f64, 1.0, 1e6)?;
        }
        for claim in &self.fewer {
            check_name("fewer.player", &claim.player, &self.players)?;
            check_name("fewer.of", &claim.of, &self.players)?;
        }
        Ok(())
    }

    /// Boards with the positions.
    fn boards(&self, named: &NamedExperiment) -> Result<Vec<Box<dyn Board>>, TextError> {
        let (game, options) = find_game(&self.game)?;
        let mut boards = Vec::new();
        for PositionSource { file, count } in &self.positions {
            let all = opening_list(named, file, game, &options)?;
            let count = count.unwrap_or(all.len());
            if count > all.len() {
                let found = format!("{count} positions of {file}");
                return Err(wrong(&found, format!("at most {}, as many as it has", all.len())));
            }
            for number in 0..count {
                let Opening { position, moves } = &all[number * all.len() / count];
                let mut board = game.open(&options, position.as_deref())?;
                for mv in moves {
                    board.play(mv)?;
                }
                // A position without its history: searches must not see the moves before.
                boards.push(game.open(&options, Some(&board.position()))?);
            }
        }
        Ok(boards)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.name == name)
    }
}

/// Names of the figures.
pub(super) fn figure_names(counts: &NodeCounts) -> Vec<String> {
    counts.fewer.iter().map(FewerNodes::name).collect()
}

/// Every claim beside ours.
pub(super) fn figures(
    experiment: &Experiment,
    counts: &NodeCounts,
    found: &NodeFindings,
) -> Vec<Figure> {
    let figure = |claim: &FewerNodes| {
        let result = |name: &str| found.players.get(counts.place(name)?);
        let (ours, theirs) = (result(&claim.player)?, result(&claim.of)?);
        if ours.skipped.is_some() || theirs.skipped.is_some() {
            return None;
        }
        let share = ours.share_of(theirs);
        let name = claim.name();
        let required = experiment.precision_of(&name);
        let precision = Precision::of_ratio(share.as_ref(), ours.nodes.len() as u64, required);
        let lead = Interval::exact(1.0).minus(&share?);
        let (verdict, _) = verdict_on_lead(&lead, &precision, ["yes", "no"]);
        let shown = [FigureValue::Words("less than all"), FigureValue::Share(share?)];
        Some(Figure::precise(name, shown, verdict, &precision))
    };
    counts.fewer.iter().filter_map(figure).collect()
}

impl ExperimentRunner<'_> {
    pub(super) fn check_node_counts(
        &self,
        named: &NamedExperiment,
        counts: &NodeCounts,
    ) -> Result<(), TrainingError> {
        counts.boards(named)?;
        let (game, _) = find_game(&counts.game)?;
        self.check_named_players(game, &counts.players)
    }

    pub(super) fn count_nodes(
        &self,
        named: &NamedExperiment,
        counts: &NodeCounts,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Findings, TrainingError> {
        let boards = counts.boards(named)?;
        let (game, _) = find_game(&counts.game)?;
        let positions: Vec<String> = boards.iter().map(|board| board.position()).collect();
        let total = positions.len() as u64 * counts.players.len() as u64;
        let mut done = 0;
        let mut players = Vec::new();
        for player in &counts.players {
            if let Some(reason) = self.missing(game, player) {
                players.push(NodeResult { skipped: Some(reason), nodes: Vec::new() });
                done += positions.len() as u64;
                continue;
            }
            let build = game.identify(&player.player, &self.resources)?.build(BUILD);
            let task = NumberedTask {
                name: &named.name,
                task: format!(
                    "{} {:?} {} {build} {}",
                    player.player,
                    counts.depth,
                    named.experiment.seed,
                    positions.join(", ")
                ),
                count: positions.len() as u64,
            };
            let (resources, stop) = (&self.resources, self.stop);
            let nodes = self.numbered(
                &task,
                || NodeCounter::new(named, counts, player, (resources, stop)),
                |counter, number| counter.count(number as usize),
                &mut |_: &u64| {
                    done += 1;
                    on_step(&ExperimentProgress {
                        experiment: &named.name,
                        done,
                        total,
                        unit: "searches",
                        note: player.name.clone(),
                    });
                },
            )?;
            players.push(NodeResult { skipped: None, nodes });
        }
        Ok(Findings::NodeCounts(NodeFindings { positions, players }))
    }

    /// Searches some positions again; the numbers of those with another count now.
    pub(super) fn counted_differently(
        &self,
        named: &NamedExperiment,
        counts: &NodeCounts,
        (player, result): (&NamedPlayer, &NodeResult),
        most: usize,
    ) -> Result<Vec<usize>, TrainingError> {
        let mut counter = NodeCounter::new(named, counts, player, (&self.resources, self.stop))?;
        let count = result.nodes.len().min(counter.boards.len());
        let most = most.min(count);
        let mut different = Vec::new();
        for number in 0..most {
            let place = number * count / most;
            if counter.count(place)? != result.nodes[place] {
                different.push(place);
            }
            self.check_not_stopped()?;
        }
        Ok(different)
    }
}

/// A player and the positions it searches.
struct NodeCounter<'a> {
    player: Box<dyn BoardPlayer>,
    boards: Vec<Box<dyn Board>>,
    depth: Option<u32>,
    seed: u64,
    stop: &'a AtomicBool,
}

impl<'a> NodeCounter<'a> {
    fn new(
        named: &NamedExperiment,
        counts: &NodeCounts,
        player: &NamedPlayer,
        (resources, stop): (&Resources, &'a AtomicBool),
    ) -> Result<NodeCounter<'a>, TrainingError> {
        let (game, _) = find_game(&counts.game)?;
        let seed = named.experiment.seed;
        let resources = Resources { seed, ..resources.clone() };
        let player = game.player(&player.player, &resources)?;
        let boards = counts.boards(named)?;
        Ok(NodeCounter { player, boards, depth: counts.depth, seed, stop })
    }

    fn count(&mut self, number: usize) -> Result<u64, TrainingError> {
        self.player.new_game(self.seed);
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let mut control = AnalysisControl { limits, stop: self.stop, on_report: &mut |_| {} };
        Ok(self.player.choose(&*self.boards[number], &mut control)?.report.numbers.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::FigureVerdict;

    #[test]
    fn savings_are_seen_over_the_positions() {
        let text = "group = 'g'\ntitle = 't'\nsource = 's'\n[node-counts]\ngame = 'chess'\n\
                    positions = [{ file = '../data/suites/chess-tactics.epd', count = 4 }]\n\
                    players = [{ name = 'on', player = 'a' }, { name = 'off', player = 'b' }]\n\
                    fewer = [{ player = 'on', of = 'off' }]\n";
        let experiment = Experiment::parse(text).unwrap();
        let verdict = |on: &[u64], off: &[u64]| {
            let player = |nodes: &[u64]| NodeResult { skipped: None, nodes: nodes.to_vec() };
            let players = vec![player(on), player(off)];
            let found = Findings::NodeCounts(NodeFindings { positions: Vec::new(), players });
            let figures = super::super::figures(&experiment, &found);
            let [figure] = &figures[..] else { panic!("{figures:?}") };
            figure.verdict
        };
        assert_eq!(verdict(&[10, 11, 10, 9], &[100; 4]), FigureVerdict::Reproduced);
        assert_eq!(verdict(&[100; 4], &[10, 11, 10, 9]), FigureVerdict::NotReproduced);
        assert_eq!(verdict(&[10, 400, 10, 9], &[100; 4]), FigureVerdict::Inconclusive);
        let some = NodeResult { skipped: None, nodes: vec![5, 1, 9, 3] };
        let other = NodeResult { skipped: None, nodes: vec![6, 1, 10, 2] };
        assert_eq!((some.sum(), some.median(), some.fewer_than(&other)), (18, 5, 2));
    }
}
