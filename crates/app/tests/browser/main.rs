//! The browser app in a real browser, against the real server.
//!
//! Needs chromium and chromedriver; without them the tests are skipped.

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

/// Runs a test with its own window and its own server.
fn in_browser<Test: FnOnce(&Browser, Ludus)>(size: (u32, u32), test: Test) {
    for program in ["chromium", "chromedriver"] {
        if find_program(program).is_none() {
            let (package, name) = (env!("CARGO_PKG_NAME"), type_name::<Test>());
            return note_skipped(package, name, &format!("{program} is not installed"));
        }
    }
    test(&Driver::shared().open(size), Ludus::start());
}

/// Writes a note that is shown even if the test passes.
fn note(words: &str) {
    writeln!(std::io::stderr(), "browser: {words}").ok();
}

/// Asserts that the page has written neither errors nor warnings to its console.
fn assert_silent(browser: &Browser) {
    let console_problems = browser.console_problems();
    assert!(console_problems.is_empty(), "the console says {console_problems:#?}");
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
