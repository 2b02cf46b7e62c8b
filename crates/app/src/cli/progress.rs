//! Progress of long tasks, on stderr: a bar in a terminal, otherwise a line now and then.
//!
//! Nothing is shown during the first two seconds, and nothing is written to stdout. A separate thread
//! draws, so that the elapsed time advances even if a task reports nothing for a while.

use crate::error::print_message;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use std::{
    io::{IsTerminal, stderr},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Delay before progress is shown.
const SHOW_AFTER: Duration = Duration::from_secs(2);
/// Interval between lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Interval between redraws of the bar.
const REDRAW_INTERVAL: Duration = Duration::from_millis(250);

/// Shows the progress of a task until it is dropped.
pub struct ProgressReporter {
    started: Instant,
    shared: Arc<Shared>,
    display: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// Progress of the task.
#[derive(Clone, Default)]
struct State {
    done: u64,
    /// Total; 0 if unknown.
    total: u64,
    note: String,
    ended: bool,
}

impl ProgressReporter {
    /// Starts to show the progress of a task, counted in `unit`.
    pub fn new(task: impl Into<String>, unit: &'static str) -> ProgressReporter {
        let shared = Arc::new(Shared::default());
        let (display, task) = (shared.clone(), task.into());
        let display = thread::Builder::new().spawn(move || display.run(&task, unit));
        ProgressReporter { started: Instant::now(), shared, display: display.ok() }
    }

    /// Whether the task has taken so long that its progress is displayed.
    pub fn is_displayed(&self) -> bool {
        self.started.elapsed() >= SHOW_AFTER
    }

    /// Sets the progress; a `total` of 0 means unknown.
    pub fn show(&self, done: u64, total: u64, note: &str) {
        let mut state = self.shared.lock();
        (state.done, state.total) = (done, total);
        if state.note != note {
            note.clone_into(&mut state.note);
        }
    }
}

impl Drop for ProgressReporter {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_all();
        if let Some(display) = self.display.take() {
            let _ = display.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, task: &str, unit: &str) {
        let started = Instant::now();
        let is_terminal = stderr().is_terminal();
        let mut bar: Option<ProgressBar> = None;
        let mut due = SHOW_AFTER;
        let mut state = self.lock();
        while !state.ended {
            let now = started.elapsed();
            if let Some(left) = due.checked_sub(now).filter(|left| !left.is_zero()) {
                let waited = self.changed.wait_timeout(state, left);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let seen = state.clone();
            drop(state); // a slow terminal must not block the task
            if is_terminal {
                let new = || ProgressBar::new_spinner().with_elapsed(now);
                draw(bar.get_or_insert_with(new), task, unit, &seen, now);
            } else {
                print_message(&line(task, unit, &seen, now));
            }
            due = next_due(now, is_terminal);
            state = self.lock();
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }
}

/// Time of the next update.
fn next_due(now: Duration, is_terminal: bool) -> Duration {
    now + if is_terminal { REDRAW_INTERVAL } else { LINE_INTERVAL }
}

fn draw(bar: &ProgressBar, task: &str, unit: &str, state: &State, elapsed: Duration) {
    let template = match state.total {
        0 => format!("{task}: {{spinner}} {{msg}}"),
        _ => {
            format!("{task}: {{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{eta}} left  {{msg}}")
        }
    };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    if state.total > 0 {
        bar.set_length(state.total);
        bar.set_position(state.done);
        bar.set_message(state.note.clone());
    } else {
        bar.set_message(amount(unit, state, elapsed));
        bar.tick();
    }
}

/// One line, such as "endgame tables: 12,000 of 260,000 positions, 12 seconds, 0202".
fn line(task: &str, unit: &str, state: &State, elapsed: Duration) -> String {
    format!("{task}: {}", amount(unit, state, elapsed))
}

fn amount(unit: &str, state: &State, elapsed: Duration) -> String {
    let (done, total) = (HumanCount(state.done), HumanCount(state.total));
    let elapsed = HumanDuration(Duration::from_secs(elapsed.as_secs()));
    let amount = match (state.done, state.total) {
        (0, 0) => format!("{elapsed}"),
        (_, 0) => format!("{done} {unit}, {elapsed}"),
        _ => format!("{done} of {total} {unit}, {elapsed}"),
    };
    if state.note.is_empty() { amount } else { format!("{amount}, {}", state.note) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(done: u64, total: u64, note: &str) -> State {
        State { done, total, note: note.to_owned(), ended: false }
    }

    #[test]
    fn lines_say_how_far_the_work_is() {
        let seconds = Duration::from_millis(12_700);
        let line = |state| line("tables", "positions", &state, seconds);
        assert_eq!(line(state(1200, 5000, "")), "tables: 1,200 of 5,000 positions, 12 seconds");
        assert_eq!(line(state(0, 5000, "a b")), "tables: 0 of 5,000 positions, 12 seconds, a b");
        assert_eq!(line(state(7, 0, "")), "tables: 7 positions, 12 seconds");
        assert_eq!(line(state(0, 0, "")), "tables: 12 seconds");
    }

    #[test]
    fn lines_are_rare_and_redraws_are_not() {
        assert_eq!(next_due(SHOW_AFTER, false), Duration::from_secs(12));
        assert_eq!(next_due(SHOW_AFTER, true), Duration::from_millis(2_250));
    }

    #[test]
    fn a_task_that_ends_at_once_shows_nothing() {
        let progress = ProgressReporter::new("nothing", "things");
        progress.show(1, 1, "");
        drop(progress); // joins the display thread
    }
}
