//! Every page at every width in both themes, and the loading time of the start page.

use crate::{NARROW, WIDE, assert_silent, in_browser, ludus::Ludus, note, webdriver::Browser};
use serde_json::{Value, json};

/// Largest transfer of a first visit, with the thumbnails of the games.
const LARGEST_TRANSFER: f64 = 100_000.0;
/// Number of timed visits.
const VISITS: u32 = 10;

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

/// Measurements of a first visit.
struct Visit {
    /// Milliseconds until the page can be used, and until it is painted.
    ready: f64,
    painted: f64,
    /// Files loaded when it was built, and the bytes transferred in all.
    requests: Vec<String>,
    transferred: f64,
}

/// After the page itself only files that it names are loaded, all at once: no script has to be read to discover another.
#[test]
fn the_first_page_takes_two_rounds() {
    in_browser(WIDE, |browser, ludus| {
        let visit = first_visit(browser, &ludus);
        let named = browser.run(
            "const all = [...document.querySelectorAll('link[href], script[src], img[src]')];
             return all.map((one) => one.href || one.src)",
        );
        let named = named.as_array().expect("a list");
        for file in &visit.requests {
            assert!(named.contains(&json!(file)), "{file} is not named by the page");
        }
        let (files, kilobytes) = (visit.requests.len(), visit.transferred / 1e3);
        note(&format!("first page: itself and {files} files, in all {kilobytes:.0} kB"));
        assert!(files <= 12, "{:?}", visit.requests);
        assert!(visit.transferred <= LARGEST_TRANSFER, "{} bytes", visit.transferred);
        browser.wait_for("document.querySelectorAll('.game-picker .board-svg').length === 7");
        assert_silent(browser);
    });
}

#[test]
fn what_is_chosen_is_in_sight_on_a_phone() {
    in_browser(NARROW, |browser, ludus| {
        browser.go(&ludus.page("#/play?game=tictactoe&opponent=random"));
        for name in ["game", "opponent"] {
            browser.wait_for(&format!(
                "(() => {{
                   const card = document.querySelector('label:has([name={name}]:checked)');
                   const {{ left, right }} = card?.getBoundingClientRect() ?? {{ left: -1 }};
                   return left >= 0 && right <= innerWidth;
                 }})()"
            ));
        }
        assert_silent(browser);
    });
}

#[test]
#[ignore = "a measurement, for a release build on a quiet machine"]
fn how_soon_the_first_page_is_there() {
    let mut visits = Vec::new();
    for _ in 0..VISITS {
        // Each in its own browser: nothing is cached.
        in_browser(WIDE, |browser, ludus| visits.push(first_visit(browser, &ludus)));
    }
    if visits.is_empty() {
        return;
    }
    let times = [
        ("ready", visits.iter().map(|visit| visit.ready).collect::<Vec<_>>()),
        ("painted", visits.iter().map(|visit| visit.painted).collect()),
    ];
    for (what, mut times) in times {
        times.sort_by(f64::total_cmp);
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        note(&format!("first page {what}: median {median:.0} ms, longest {longest:.0} ms"));
    }
}

fn first_visit(browser: &Browser, ludus: &Ludus) -> Visit {
    // It is built as soon as its cards are in the document, and ready before the next frame.
    let watch = "new MutationObserver((_, observer) => {
          if (!document.querySelector('.play-setup .player-card')) return;
          observer.disconnect();
          window.builtAt = performance.now();
          requestAnimationFrame(() => { window.readyAt = performance.now(); });
        }).observe(document, { childList: true, subtree: true });
        new PerformanceObserver((list) => { window.paintedAt ??= list.getEntries()[0].startTime; })
            .observe({ type: 'paint', buffered: true });";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": watch }));
    browser.go(&ludus.page(""));
    browser.wait_for("window.readyAt && window.paintedAt");
    browser.finish_animations();
    let seen = browser.run(
        "const entries = performance.getEntriesByType('resource');
         const early = entries.filter((entry) => entry.responseEnd <= window.builtAt);
         const all = [...performance.getEntriesByType('navigation'), ...entries];
         return {
           ready: window.readyAt,
           painted: window.paintedAt,
           requests: early.map((entry) => entry.name),
           transferred: all.reduce((sum, entry) => sum + entry.transferSize, 0),
         }",
    );
    assert_silent(browser);
    let requests = seen["requests"].as_array().expect("a list").iter();
    Visit {
        ready: number(&seen["ready"]),
        painted: number(&seen["painted"]),
        requests: requests.filter_map(Value::as_str).map(str::to_owned).collect(),
        transferred: number(&seen["transferred"]),
    }
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
        browser.emulate_theme(theme);
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

/// Every article of the page Learn.
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

/// Checks the current page at both widths in both themes.
pub fn assert_well_everywhere(browser: &Browser, page: &str) {
    for (size, theme) in THEMES.into_iter().flat_map(|theme| [(NARROW, theme), (WIDE, theme)]) {
        browser.resize(size);
        browser.emulate_theme(theme);
        browser.reload();
        assert_well(browser, page, theme);
    }
}

/// Asserts that the page is shown, fits the screen and writes no errors.
fn assert_well(browser: &Browser, page: &str, theme: &str) {
    browser
        .wait_for("document.querySelector('main h1') && !document.querySelector('.loading-bar')");
    browser.finish_animations();
    let console_problems = browser.console_problems();
    assert!(console_problems.is_empty(), "{page}, {theme}: the console says {console_problems:#?}");
    let faults = browser.texts("main [role=alert]:not([hidden])");
    assert!(faults.iter().all(String::is_empty), "{page}, {theme}: {faults:?}");
    let widths = browser.run(
        "const { clientWidth, scrollWidth } = document.documentElement;
         return [clientWidth, scrollWidth]",
    );
    assert_eq!(widths[0], widths[1], "{page}, {theme}: the page is wider than the screen");
}
