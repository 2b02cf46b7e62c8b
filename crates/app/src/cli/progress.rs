//! Progress of long work, on stderr: a bar where that is a terminal, else a line now and then.
//!
//! Nothing is shown in the first two seconds, and nothing ever goes to stdout. A thread of its own
//! looks at the clock, so that work which tells nothing for a minute is seen to go on all the same.

use crate::error::say;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use std::{
    io::{IsTerminal, stderr},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How long work may take without a word.
const SILENT_FOR: Duration = Duration::from_secs(2);
/// From one line to the next.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// From one picture of the bar to the next.
const BETWEEN_PICTURES: Duration = Duration::from_millis(250);

/// Work that goes on; dropping it ends what is shown.
pub struct Progress {
    shared: Arc<Shared>,
    teller: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// How far the work is.
#[derive(Clone, Default)]
struct State {
    done: u64,
    /// Of how many; 0 if nobody knows.
    all: u64,
    note: String,
    ended: bool,
}

impl Progress {
    /// Begins to show work such as "tables of endings", which is counted in `unit`.
    pub fn new(what: impl Into<String>, unit: &'static str) -> Progress {
        let shared = Arc::new(Shared::default());
        let (told, what) = (shared.clone(), what.into());
        let teller = thread::Builder::new().spawn(move || told.tell(&what, unit));
        Progress { shared, teller: teller.ok() }
    }

    /// So much is done of `all`, or of nobody knows how much if that is 0.
    pub fn show(&self, done: u64, all: u64, note: &str) {
        let mut state = self.shared.lock();
        (state.done, state.all) = (done, all);
        if state.note != note {
            note.clone_into(&mut state.note);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_all();
        if let Some(teller) = self.teller.take() {
            let _ = teller.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, what: &str, unit: &str) {
        let started = Instant::now();
        let is_terminal = stderr().is_terminal();
        let mut bar: Option<ProgressBar> = None;
        let mut due = SILENT_FOR;
        let mut state = self.lock();
        while !state.ended {
            let now = started.elapsed();
            if let Some(left) = due.checked_sub(now).filter(|left| !left.is_zero()) {
                let waited = self.changed.wait_timeout(state, left);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let seen = state.clone();
            drop(state); // a slow terminal must not keep the work waiting
            if is_terminal {
                let new = || ProgressBar::new_spinner().with_elapsed(now);
                draw(bar.get_or_insert_with(new), what, unit, &seen, now);
            } else {
                say(&line(what, unit, &seen, now));
            }
            due = next_due(now, is_terminal);
            state = self.lock();
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
    }
}

/// When something is shown again that was shown `now`.
fn next_due(now: Duration, is_terminal: bool) -> Duration {
    now + if is_terminal { BETWEEN_PICTURES } else { BETWEEN_LINES }
}

fn draw(bar: &ProgressBar, what: &str, unit: &str, state: &State, elapsed: Duration) {
    let template = match state.all {
        0 => format!("{what}: {{spinner}} {{msg}}"),
        _ => {
            format!("{what}: {{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{eta}} left  {{msg}}")
        }
    };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    if state.all > 0 {
        bar.set_length(state.all);
        bar.set_position(state.done);
        bar.set_message(state.note.clone());
    } else {
        bar.set_message(amount(unit, state, elapsed));
        bar.tick();
    }
}

/// One line, such as "tables of endings: 12,000 of 260,000 positions, 12 seconds, 0202".
fn line(what: &str, unit: &str, state: &State, elapsed: Duration) -> String {
    format!("{what}: {}", amount(unit, state, elapsed))
}

fn amount(unit: &str, state: &State, elapsed: Duration) -> String {
    let (done, all) = (HumanCount(state.done), HumanCount(state.all));
    let elapsed = HumanDuration(Duration::from_secs(elapsed.as_secs()));
    let amount = match (state.done, state.all) {
        (0, 0) => format!("{elapsed}"),
        (_, 0) => format!("{done} {unit}, {elapsed}"),
        _ => format!("{done} of {all} {unit}, {elapsed}"),
    };
    if state.note.is_empty() { amount } else { format!("{amount}, {}", state.note) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(done: u64, all: u64, note: &str) -> State {
        State { done, all, note: note.to_owned(), ended: false }
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
    fn lines_are_rare_and_pictures_are_not() {
        assert_eq!(next_due(SILENT_FOR, false), Duration::from_secs(12));
        assert_eq!(next_due(SILENT_FOR, true), Duration::from_millis(2_250));
    }

    #[test]
    fn work_that_is_over_at_once_ends_what_is_shown() {
        let progress = Progress::new("nothing", "things");
        progress.show(1, 1, "");
        drop(progress); // joins the thread that tells
    }
}
