//! The app in a real browser, used as a person uses it, against the real program.
//!
//! Needs chromium and chromedriver; where they are missing the tests say so and pass.

mod analyse;
mod learning;
mod ludus;
mod pages;
mod play;
mod table;
mod webdriver;

use ludus::Ludus;
use std::io::Write;
use webdriver::{Browser, Driver};

const WIDE: (u32, u32) = (1440, 900);
const NARROW: (u32, u32) = (390, 844);

/// Runs a test in a window of its own, at a server of its own.
fn in_browser(size: (u32, u32), test: impl FnOnce(&Browser, Ludus)) {
    let Some(driver) = Driver::shared() else {
        tell("SKIPPED, nothing was tested: this needs chromium and chromedriver in the PATH");
        return;
    };
    test(&driver.open(size), Ludus::start());
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
