//! The app in a real browser, used as a person uses it, against the real program.
//!
//! Needs chromium and chromedriver; where they are missing the tests are skipped.

mod analyse;
mod learning;
mod ludus;
mod pages;
mod play;
mod table;
mod webdriver;

use ludus::Ludus;
use ludus_test_support::{find_program, note_skipped, run_without};
use std::{any::type_name, io::Write};
use webdriver::{Browser, Driver};

const WIDE: (u32, u32) = (1440, 900);
const NARROW: (u32, u32) = (390, 844);

/// Runs a test in a window of its own, at a server of its own.
fn in_browser<Test: FnOnce(&Browser, Ludus)>(size: (u32, u32), test: Test) {
    for program in ["chromium", "chromedriver"] {
        if find_program(program).is_none() {
            let (package, name) = (env!("CARGO_PKG_NAME"), type_name::<Test>());
            return note_skipped(package, name, &format!("{program} is not installed"));
        }
    }
    test(&Driver::shared().open(size), Ludus::start());
}

/// Tells something even if the test passes, whose output is kept back otherwise.
fn tell(words: &str) {
    writeln!(std::io::stderr(), "browser: {words}").ok();
}

/// The page wrote neither an error nor a warning to its console.
fn assert_silent(browser: &Browser) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "the console says {complaints:#?}");
}

#[test]
fn without_a_browser_every_test_notes_that_it_is_skipped() {
    for module in ["analyse::", "learning::", "pages::", "play::"] {
        let (ran, noted) = run_without("chromium", module);
        assert!(!ran.is_empty(), "{module} has no tests");
        let expected =
            ran.iter().map(|test| format!("ludus-app {test}: chromium is not installed"));
        assert_eq!(noted, expected.collect::<Vec<_>>());
    }
}
