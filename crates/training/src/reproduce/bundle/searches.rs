//! Searches of a bundle that are repeated: what is not a game.

use super::check::{Checker, Fault, is_external, unrepeatable_player};
use crate::reproduce::{
    ExperimentRunner, ExperimentTask, Findings, NamedExperiment, NodeCounts, NodeFindings,
    PairFindings, PairMatches, Savings, SavingsFindings, SuiteFindings, SuiteTask,
    run::PlayedMatch,
};

/// An experiment that is checked.
struct Checked<'a> {
    runner: &'a ExperimentRunner<'a>,
    named: &'a NamedExperiment,
}

impl Checker<'_> {
    /// Repeats some of the searches.
    pub(super) fn replay_searches(
        &mut self,
        runner: &ExperimentRunner<'_>,
        named: &NamedExperiment,
        (findings, played): (&Findings, &[PlayedMatch<'_>]),
    ) -> Result<(), Fault> {
        if self.options.replays == 0 {
            return Ok(());
        }
        let checked = Checked { runner, named };
        match (named.experiment.task(), findings) {
            (ExperimentTask::Training(_), Findings::Training(_)) => {
                self.note(format!("{}: trainings are not done again by a check", named.name));
                Ok(())
            }
            (ExperimentTask::Savings(savings), Findings::Savings(found)) => {
                self.replay_savings(&checked, savings, found)
            }
            (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => {
                self.judge_again(&checked, pairs, found, played)
            }
            (ExperimentTask::Suite(suite), Findings::Suite(found)) => {
                self.solve_again(&checked, suite, found)
            }
            (ExperimentTask::NodeCounts(counts), Findings::NodeCounts(found)) => {
                self.count_again(&checked, counts, found)
            }
            _ => Ok(()),
        }
    }

    fn replay_savings(
        &mut self,
        checked: &Checked<'_>,
        savings: &Savings,
        found: &SavingsFindings,
    ) -> Result<(), Fault> {
        let Checked { runner, named } = checked;
        let name = &named.name;
        if [&savings.first, &savings.second].into_iter().any(|player| is_external(player)) {
            self.note(format!("{name}: not repeated: a player is an external program"));
            return Ok(());
        }
        let Some(board) = found.boards.first() else { return Ok(()) };
        let wanted = (board.games.len() as u64).min(self.options.replays);
        let mut same = 0;
        for game in 0..wanted {
            if runner.searches_again(named, found, board, game)? {
                same += 1;
            } else {
                let text = format!("{name}: game {} has different searches now", game + 1);
                self.differs(self.is_same_build(), text);
            }
        }
        if same == wanted {
            self.verified(format!("{name}: {same} games have the same searches again"));
        }
        Ok(())
    }

    fn judge_again(
        &mut self,
        checked: &Checked<'_>,
        pairs: &PairMatches,
        found: &PairFindings,
        played: &[PlayedMatch<'_>],
    ) -> Result<(), Fault> {
        let name = &checked.named.name;
        if let Some(reason) = pairs.judge.as_ref().and_then(|judge| unrepeatable_player(judge)) {
            self.note(format!("{name}: last positions are not judged again: {reason}"));
            return Ok(());
        }
        let most = self.options.replays as usize;
        let results = found.pairs.iter().filter(|pair| pair.skipped.is_none()).zip(played);
        let (mut judged, mut different) = (0, 0);
        for (result, played) in results {
            let left = most.saturating_sub(judged);
            judged += result.judged.len().min(left);
            for game in checked.runner.judged_differently(pairs, result, played, left)? {
                different += 1;
                let text =
                    format!("{name}: the end of game {} is judged differently now", game + 1);
                self.differs(self.is_same_build(), text);
            }
        }
        if judged > 0 && different == 0 {
            self.verified(format!("{name}: {judged} last positions are judged the same again"));
        }
        Ok(())
    }

    fn solve_again(
        &mut self,
        checked: &Checked<'_>,
        suite: &SuiteTask,
        found: &SuiteFindings,
    ) -> Result<(), Fault> {
        let (name, most) = (&checked.named.name, self.options.replays);
        for (player, result) in suite.players.iter().zip(&found.players) {
            if result.skipped.is_some() {
                continue;
            }
            if let Some(reason) = unrepeatable_player(&player.player) {
                self.note(format!("{name}: {}: not repeated: {reason}", player.name));
                continue;
            }
            let different =
                checked.runner.solved_differently(checked.named, suite, (player, result), most)?;
            for id in &different {
                let text = format!("{name}: {} solves {id} differently now", player.name);
                self.differs(self.is_same_build(), text);
            }
            if different.is_empty() {
                let count = most.min(result.solved.len() as u64);
                self.verified(format!(
                    "{name}: {}: {count} problems with the same moves",
                    player.name
                ));
            }
        }
        Ok(())
    }

    fn count_again(
        &mut self,
        checked: &Checked<'_>,
        counts: &NodeCounts,
        found: &NodeFindings,
    ) -> Result<(), Fault> {
        let (name, most) = (&checked.named.name, self.options.replays as usize);
        for (player, result) in counts.players.iter().zip(&found.players) {
            if result.skipped.is_some() {
                continue;
            }
            if let Some(reason) = unrepeatable_player(&player.player) {
                self.note(format!("{name}: {}: not repeated: {reason}", player.name));
                continue;
            }
            let different = checked.runner.counted_differently(
                checked.named,
                counts,
                (player, result),
                most,
            )?;
            for place in &different {
                let text = format!(
                    "{name}: {} has other nodes in position {} now",
                    player.name,
                    place + 1
                );
                self.differs(self.is_same_build(), text);
            }
            if different.is_empty() {
                let count = most.min(result.nodes.len());
                self.verified(format!(
                    "{name}: {}: {count} searches with the same nodes",
                    player.name
                ));
            }
        }
        Ok(())
    }
}
