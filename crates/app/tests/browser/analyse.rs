//! Positions and records on the Analyse page.

use crate::{
    WIDE, assert_silent, in_browser,
    webdriver::{HOME, with_text},
};
use serde_json::json;

/// White to move in a position with stones set up.
const SET_UP: &str = "5/2X2/1XOX1/5/4O w - 0 0/0";

#[test]
fn a_copy_of_a_game_of_go_has_the_stones_it_began_with() {
    in_browser(WIDE, |browser, ludus| {
        let position = SET_UP.replace(' ', "%20");
        let game = "go:size=5,komi=0.5,rules=japanese";
        let address = format!("#/analyse?game={game}&position={position}&moves=C2%20A1");
        browser.go(&ludus.page(&address));
        browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
        browser.wait_for("document.querySelectorAll('.variation-move').length >= 3");
        browser.click(with_text("button", "Record"));
        browser.wait_for("window.copied");
        let record = browser.run("return window.copied");
        let record = record.as_str().expect("a text");
        for part in ["AB[cb][bc][dc]", "AW[cc][ee]", "PL[W]", ";W[cd];B[ae]"] {
            assert!(record.contains(part), "{part}: {record}");
        }
        let body = json!({ "game": "go", "record": record }).to_string();
        let read = browser.run(&format!(
            "return fetch('/api/positions', {{ method: 'POST', body: {},
               headers: {{ 'Content-Type': 'application/json' }} }}).then((answer) => answer.json())",
            json!(body)
        ));
        assert_eq!(read["start"], json!(SET_UP), "{read}");
        assert_eq!(read["moves"].as_array().map(Vec::len), Some(2));
        assert!(
            read["game"].as_str().is_some_and(|game| game.contains("rules=japanese")),
            "{read}"
        );
        // After a move by mouse the arrow keys still step through the game.
        browser.click("[data-name='E5']");
        browser.wait_for(
            "document.querySelector('.variation-move[aria-current]').textContent.includes('E5')",
        );
        browser.press(HOME);
        browser.wait_for("document.querySelector('.variation-move.start[aria-current]')");
        assert_silent(browser);
    });
}
