//! Every page at every width in both themes, and how soon the first is there.

use crate::{NARROW, WIDE, assert_silent, in_browser, ludus::Ludus, tell, webdriver::Browser};
use serde_json::{Value, json};
use std::{thread, time::Duration};

/// What a page writes to its console late is heard as well.
const SETTLING: Duration = Duration::from_millis(150);
/// What a first visit may transfer.
const LARGEST_TRANSFER: f64 = 300_000.0;
/// First visits, of which the soonest counts: other programs may hold one up.
const VISITS: u32 = 3;
/// The goal is 300 ms; machines that do other things at the same time get more.
const LONGEST_WAIT_MILLISECONDS: f64 = 2000.0;

const THEMES: [&str; 2] = ["light", "dark"];
/// Pages besides the six of the navigation.
const FURTHER: [&str; 8] = [
    "#/play?game=chess&opponent=engine:level=2",
    "#/explain?tree=((3 5) (6 9))&player=mtdf&against=sss",
    "#/arena/new",
    "#/train/recipes",
    "#/train/recipe/quick-draughts",
    "#/train/compare",
    "#/train/clusters",
    "#/train/features",
];

#[test]
fn the_first_page_is_there_at_once() {
    let mut visits = Vec::new();
    for _ in 0..VISITS {
        // Each in a window of its own: nothing is in any cache.
        in_browser(WIDE, |browser, ludus| visits.push(first_visit(browser, &ludus)));
    }
    let soonest = visits.iter().map(|(ready, _)| *ready).min_by(f64::total_cmp);
    let Some(ready) = soonest else { return };
    let transferred = visits[0].1;
    let kilobytes = transferred / 1e3;
    tell(&format!("first page ready after {ready:.0} ms, {kilobytes:.0} kB transferred"));
    assert!(ready <= LONGEST_WAIT_MILLISECONDS, "{visits:?}");
    assert!(transferred <= LARGEST_TRANSFER, "{transferred} bytes");
}

/// The milliseconds until the gallery is seen, and the bytes transferred.
fn first_visit(browser: &Browser, ludus: &Ludus) -> (f64, f64) {
    // Looks before every frame whether it is there.
    let watch = "const look = () => document.querySelector('.play-setup .player-card')
        ? (window.readyAt = performance.now()) : requestAnimationFrame(look);
        requestAnimationFrame(look);";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": watch }));
    browser.go(&ludus.page(""));
    browser.wait_for("window.readyAt");
    thread::sleep(SETTLING);
    let transferred = browser.run(
        "return ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
            .reduce((sum, entry) => sum + entry.transferSize, 0)",
    );
    assert_silent(browser);
    (number(&browser.run("return window.readyAt")), number(&transferred))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn every_page_is_silent_on_a_wide_screen() {
    in_browser(WIDE, |browser, ludus| {
        visit_all(browser, &ludus);
        visit_texts(browser, &ludus);
    });
}

#[test]
fn every_page_is_silent_on_a_phone() {
    in_browser(NARROW, |browser, ludus| visit_all(browser, &ludus));
}

fn visit_all(browser: &Browser, ludus: &Ludus) {
    let mut grounds = Vec::new();
    for theme in THEMES {
        browser.prefer(theme);
        browser.go("about:blank");
        browser.go(&ludus.page(""));
        for page in ["play", "analyse", "explain", "arena", "train", "learn"] {
            browser.click(&*format!(".site-nav a[data-page={page}]"));
            browser.wait_for(&format!("document.querySelector('.{page}-stage')"));
            assert_well(browser, page, theme);
        }
        for route in FURTHER {
            browser.go(&ludus.page(route));
            assert_well(browser, route, theme);
        }
        grounds.push(browser.run("return getComputedStyle(document.body).backgroundColor"));
    }
    assert_ne!(grounds[0], grounds[1], "light and dark");
}

/// Every text of the page Learn.
fn visit_texts(browser: &Browser, ludus: &Ludus) {
    browser.go(&ludus.page("#/learn"));
    browser.wait_for("document.querySelector('main a[href^=\"#/learn/\"]')");
    let links = browser.run(
        "return [...new Set([...document.querySelectorAll('main a[href^=\"#/learn/\"]')]
            .map((link) => link.getAttribute('href')))]",
    );
    let links = links.as_array().expect("a list");
    assert!(links.len() > 20, "{links:?}");
    for link in links {
        let route = link.as_str().expect("an address");
        browser.go(&ludus.page(route));
        assert_well(browser, route, "dark");
    }
}

/// Opens the page that is shown at both widths in both themes.
pub fn assert_well_everywhere(browser: &Browser, page: &str) {
    for (size, theme) in THEMES.into_iter().flat_map(|theme| [(NARROW, theme), (WIDE, theme)]) {
        browser.resize(size);
        browser.prefer(theme);
        browser.reload();
        assert_well(browser, page, theme);
    }
}

/// The page is shown, fits the screen and does not complain.
fn assert_well(browser: &Browser, page: &str, theme: &str) {
    browser
        .wait_for("document.querySelector('main h1') && !document.querySelector('.loading-bar')");
    thread::sleep(SETTLING);
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{page}, {theme}: the console says {complaints:#?}");
    let faults = browser.texts("main [role=alert]:not([hidden])");
    assert!(faults.iter().all(String::is_empty), "{page}, {theme}: {faults:?}");
    let widths = browser.run(
        "const { clientWidth, scrollWidth } = document.documentElement;
         return [clientWidth, scrollWidth]",
    );
    assert_eq!(widths[0], widths[1], "{page}, {theme}: the page is wider than the screen");
}
