//! The pages Explain, Arena, Train and Learn.

use crate::{
    WIDE, assert_silent, in_browser,
    ludus::Ludus,
    pages::assert_well_everywhere,
    webdriver::{Browser, labelled, wait_until, with_text},
};
use serde_json::json;

#[test]
fn alpha_beta_is_stepped_through_to_its_cut() {
    in_browser(WIDE, |browser, ludus| {
        browser.go(&ludus.page("#/explain?game=tictactoe&player=mtdf"));
        browser.click(with_text("[role=tab]", "A tree typed by hand"));
        browser.fill(labelled("Tree"), "((3 12 8) (2 4 6) (14 5 2))");
        browser.choose(labelled("First algorithm"), "alphabeta");
        assert_eq!(browser.count(".explain-run"), 0, "a link starts no search");
        browser.click(with_text("button[type=submit]", "Search"));
        browser.wait_for("document.querySelector('.explain-run')");
        browser.click("[aria-label='To the start (Home)']");
        assert_eq!(browser.text(".stepper-place"), "0 / 15");
        assert_eq!(
            browser.count("ludus-search-tree .tone-cut"),
            0,
            "nothing is cut before it begins"
        );
        for step in 1..=15 {
            browser.click("[aria-label='One step forward (.)']");
            assert_eq!(browser.text(".stepper-place"), format!("{step} / 15"));
        }
        // The second branch is worth 2 at most, the first 3: its other leaves are cut.
        browser.wait_for("document.querySelectorAll('ludus-search-tree .tone-ghost').length === 2");
        assert_eq!(
            labels(browser, "ludus-search-tree .tone-cut"),
            ["b, value ≤ 2, window [3, +∞], 2 visits, cut off: 2 moves left out"]
        );
        let mut left_out = labels(browser, "ludus-search-tree .tone-ghost");
        left_out.sort();
        assert_eq!(left_out, ["b.b, value 4, not visited", "b.c, value 6, not visited"]);
        assert_eq!(
            browser.count("ludus-search-tree .tree-strokes"),
            2,
            "strokes through both edges"
        );
        assert!(browser.text(".explain-comparison").contains("visits 11 of 13 nodes"));
        browser.click(with_text("[role=tab]", "A position"));
        browser.choose(labelled("Evaluation"), "none");
        browser.click(with_text("button[type=submit]", "Search"));
        let reference = "document.querySelector('.is-reference th')?.textContent";
        browser.wait_for(&format!("{reference} === 'Minimax (results only)'"));
        let address = browser.run("return decodeURIComponent(location.hash)");
        assert!(address.as_str().is_some_and(|it| it.contains("alphabeta:depth=3,eval=none")));
        assert_silent(browser);
    });
}

fn labels(browser: &Browser, selector: &str) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('{selector}')].map((element) => element.ariaLabel)"
    );
    let labels = browser.run(&script);
    let labels = labels.as_array().expect("a list").iter();
    labels.map(|label| label.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn four_players_meet_and_one_of_their_games_is_analysed() {
    in_browser(WIDE, |browser, ludus| {
        browser.go(&ludus.page("#/arena"));
        browser.click(with_text("a", "New contest"));
        browser.choose(labelled("Game"), "tictactoe");
        browser.click(with_text(".entrant-chip", "Random"));
        browser.click(with_text(".entrant-chip", "Greedy"));
        browser.fill(labelled("Games per pairing"), "2");
        assert_eq!(browser.text(".contest-sum"), "6 pairings × 2 = 12 games");
        browser.click(with_text("button[type=submit]", "Start the contest"));
        browser.wait_for("document.querySelector('.contest-title [data-state=finished]')");
        browser.wait_for("document.querySelectorAll('.contest-games tbody tr').length === 12");
        let points = points(&browser.texts("ludus-cross-table .cross-total"));
        assert_eq!((points.len(), points.iter().sum::<f64>()), (4, 12.0), "{points:?}");
        assert!(points.is_sorted_by(|better, worse| better >= worse), "{points:?}");
        assert_eq!(browser.count("ludus-cross-table .cross-cell.played"), 12);
        assert_well_everywhere(browser, "a contest");
        let plies: usize =
            browser.text(".contest-games tbody tr td:nth-child(6)").parse().expect("a number");
        browser.click("[aria-label='Analyse game 1']");
        browser.text(with_text("h1", "Analyse Tic-tac-toe"));
        assert_eq!(browser.count(".analyse-page ludus-board [data-cell]"), 9);
        let moves = browser.texts(".variation-move:not(.start)");
        assert_eq!(moves.len(), plies, "{moves:?}");
        assert_well_everywhere(browser, "a game of a contest");
    });
}

/// Points of each row of a cross table, from its columns' texts such as `3.5 / 6`.
fn points(columns: &[String]) -> Vec<f64> {
    let points = columns.iter().filter_map(|text| text.split_once(" / ").map(|(points, _)| points));
    points.map(|points| points.parse().expect("a number")).collect()
}

#[test]
fn a_network_learns_and_its_curve_grows() {
    in_browser(WIDE, |browser, ludus| {
        browser.go(&ludus.page("#/train"));
        browser.click(with_text("a", "See the recipes"));
        browser.click("a[href='#/train/recipe/quick-draughts']");
        browser.click(with_text("button[type=submit]", "Start the run"));
        browser.wait_for("document.querySelector('.run .contest-title [data-state=running]')");
        let curve = "document.querySelector('.run-curves path.chart-line')?.getAttribute('d')";
        browser.wait_for(&format!("/L.*L/.test({curve} ?? '')"));
        browser.click(with_text("button", "Stop"));
        browser.wait_for("document.querySelector('.run .contest-title [data-state=stopped]')");
        assert_well_everywhere(browser, "a run");
        browser.click(with_text("a", "All runs"));
        browser.wait_for("document.querySelector('.run-card .sparkline')");
        assert_eq!(browser.text(".run-card h3"), "quick-draughts");
        assert_well_everywhere(browser, "the list of runs");
    });
}

#[test]
fn what_a_run_learned_is_saved_where_a_token_is_needed() {
    in_browser(WIDE, |browser, _| {
        let ludus = Ludus::guarded("open-sesame-please");
        browser.go(&ludus.page("?token=open-sesame-please"));
        // A session cookie takes the place of the token, which is nowhere that a script could find it.
        assert_eq!(browser.run("return location.search + document.cookie"), json!(""));
        let kept = "return JSON.stringify(localStorage).includes('sesame')";
        assert_eq!(browser.run(kept), json!(false));
        let recipe = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"neurodraughts:pruning=on\"\n\
                      [td]\nsessions = 2\ngames = 2\nlook_ahead = 2";
        let body = json!({ "name": "short", "recipe": recipe }).to_string();
        browser.run(&format!(
            "return fetch('/api/runs', {{ method: 'POST', body: {},
               headers: {{ 'Content-Type': 'application/json' }} }}).then((answer) => answer.status)",
            json!(body)
        ));
        browser.go(&ludus.page("#/train/run/short"));
        browser.wait_for("document.querySelector('.run .contest-title [data-state=finished]')");
        let folder = tempfile::tempdir().expect("a folder for a while");
        let place = json!({ "behavior": "allow", "downloadPath": folder.path() });
        browser.devtools("Browser.setDownloadBehavior", &place);
        browser.click(with_text("button", "What it learned"));
        let saved = || {
            let files = std::fs::read_dir(folder.path()).expect("a folder").flatten();
            let mut names = files.filter_map(|file| file.file_name().into_string().ok());
            names.find(|name| name.starts_with("short-weights.") && !name.ends_with("download"))
        };
        wait_until("the weights are saved", || saved().is_some());
        assert_silent(browser);
    });
}
