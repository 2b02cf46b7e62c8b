//! Numbered pieces of work whose results are stored line by line, so that they can be resumed.

use super::ExperimentRunner;
use crate::{
    TrainingError,
    folder::{create_folder, lock_file, open_lines},
    parallel::in_order,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{collections::BTreeMap, sync::atomic::Ordering};

/// A result as a line of the file.
#[derive(Serialize, Deserialize)]
struct Line<R> {
    /// Everything that decides the results.
    task: String,
    number: u64,
    result: R,
}

/// Work to be done.
pub(super) struct NumberedTask<'a> {
    /// Name of the experiment.
    pub name: &'a str,
    /// Everything that decides the results: stored results of another task are ignored.
    pub task: String,
    /// Number of pieces.
    pub count: u64,
}

impl ExperimentRunner<'_> {
    /// Does the work on all threads, after what an earlier run stored if this one resumes it. Results
    /// are reported and returned in the order of their numbers.
    pub(super) fn numbered<S, R: Serialize + DeserializeOwned + Send>(
        &self,
        task: &NumberedTask<'_>,
        start: impl Fn() -> Result<S, TrainingError> + Sync,
        work: impl Fn(&mut S, u64) -> Result<R, TrainingError> + Sync,
        report: &mut dyn FnMut(&R),
    ) -> Result<Vec<R>, TrainingError> {
        let path = self.runs.join(format!("{}.jsonl", task.name));
        create_folder(&self.runs)?;
        let _lock = lock_file(&path)?;
        let (mut file, bytes) = open_lines(&path)?;
        let mut results =
            if self.resume { stored(&String::from_utf8_lossy(&bytes), task) } else { Vec::new() };
        results.iter().for_each(&mut *report);
        let stop = self.stop;
        in_order(
            results.len() as u64..task.count,
            self.concurrency,
            start,
            |state, number| {
                let result = work(state, number)?;
                // A result that was cut short by the stop flag must not be stored.
                if stop.load(Ordering::Relaxed) {
                    return Err(TrainingError::Stopped);
                }
                Ok(Line { task: task.task.clone(), number, result })
            },
            |line| {
                let text = serde_json::to_string(&line)
                    .map_err(|error| TrainingError::Disk(error.to_string()))?;
                file.append(format!("{text}\n").as_bytes())
                    .map_err(|error| TrainingError::disk(&path, &error))?;
                report(&line.result);
                results.push(line.result);
                Ok(())
            },
        )?;
        Ok(results)
    }
}

/// Stored results of a task, from the first one on as far as there are any.
fn stored<R: DeserializeOwned>(text: &str, task: &NumberedTask<'_>) -> Vec<R> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Line<R>>(line).ok());
    let mut found: BTreeMap<u64, R> = lines
        .filter(|line| line.task == task.task)
        .map(|line| (line.number, line.result))
        .collect();
    (0..task.count).map_while(|number| found.remove(&number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_the_same_task_are_found_up_to_the_first_gap() {
        let line = |task: &str, number, result: u64| {
            serde_json::to_string(&Line { task: task.to_owned(), number, result }).unwrap() + "\n"
        };
        let text = line("b", 0, 9)
            + &line("a", 0, 7)
            + "broken\n"
            + &line("a", 1, 5)
            + &line("a", 0, 6)
            + &line("a", 3, 4);
        let task = |count| NumberedTask { name: "n", task: "a".to_owned(), count };
        assert_eq!(stored::<u64>(&text, &task(9)), [6, 5]);
        assert_eq!(stored::<u64>(&text, &task(1)), [6]);
        assert_eq!(stored::<u64>(&text, &task(0)), [0; 0]);
    }
}
