//! A game on the page Play.

use crate::{
    ludus::Ludus,
    webdriver::{Browser, HOME, labelled, with_text},
};
use serde_json::{Value, json};

pub struct Table<'a> {
    browser: &'a Browser<'a>,
    played: usize,
}

impl<'a> Table<'a> {
    /// A game of two humans.
    pub fn with_friend(browser: &'a Browser<'a>, ludus: &Ludus, game: &str) -> Table<'a> {
        choose_game(browser, ludus, game);
        choose_opponent(browser, "");
        Table::begin(browser)
    }

    /// A game of two humans on a board of this size.
    pub fn of_size(browser: &'a Browser<'a>, ludus: &Ludus, game: &str, size: u8) -> Table<'a> {
        choose_game(browser, ludus, game);
        choose_opponent(browser, "");
        browser.click(with_text("summary", "Rules and board"));
        browser.fill(labelled("Size"), &size.to_string());
        Table::begin(browser)
    }

    /// A game of two humans from this position.
    pub fn set_up(
        browser: &'a Browser<'a>,
        ludus: &Ludus,
        game: &str,
        position: &str,
    ) -> Table<'a> {
        choose_game(browser, ludus, game);
        choose_opponent(browser, "");
        browser.click(with_text("summary", "Start from a position or a game"));
        browser.fill(labelled("Position or record"), position);
        Table::begin(browser)
    }

    /// A game against the weakest engine; the human moves first.
    pub fn with_engine(browser: &'a Browser<'a>, ludus: &Ludus, game: &str) -> Table<'a> {
        choose_game(browser, ludus, game);
        choose_opponent(browser, "engine");
        browser.click(labelled("Level"));
        browser.press(HOME);
        Table::begin(browser)
    }

    /// A game started through the API.
    pub fn asked_for(browser: &'a Browser<'a>, ludus: &Ludus, input: &Value) -> Table<'a> {
        browser.go(&ludus.page(""));
        let begin = format!(
            "const headers = {{ 'Content-Type': 'application/json' }};
             return fetch('/api/tables', {{ method: 'POST', headers, body: {} }})
                 .then((answer) => answer.json()).then(({{ id }}) => id)",
            json!(input.to_string())
        );
        let id = browser.run(&begin);
        browser.go(&ludus.page(&format!("#/play/{}", id.as_str().expect("a table"))));
        browser.wait_for("document.querySelector('.table-page .board-svg.interactive')");
        Table { browser, played: 0 }
    }

    fn begin(browser: &'a Browser<'a>) -> Table<'a> {
        browser.click(with_text(".setup-go button", "Play"));
        browser.wait_for("document.querySelector('.table-page .board-svg.interactive')");
        Table { browser, played: 0 }
    }

    /// Makes a move by clicking its cells.
    pub fn play(&mut self, cells: &[&str]) {
        self.click(cells);
        self.wait_for_moves(1);
    }

    /// Makes a pawn move with a promotion.
    pub fn promote(&mut self, cells: &[&str], label: &str) {
        self.click(cells);
        self.browser.click(&*format!("[role=dialog] button[aria-label={}]", json!(label)));
        self.wait_for_moves(1);
    }

    pub fn drag(&mut self, from: &str, to: &str) {
        self.browser.drag(&*cell(from), &*cell(to));
        self.wait_for_moves(1);
    }

    pub fn pass(&mut self) {
        self.browser.click(with_text(".table-actions button", "Pass"));
        self.wait_for_moves(1);
    }

    /// Clicks cells that need not be a move.
    pub fn click(&self, cells: &[&str]) {
        for name in cells {
            self.browser.click(&*cell(name));
        }
    }

    /// Makes the first legal move and waits for the opponent's reply.
    pub fn play_any(&mut self) {
        let offered =
            self.browser.run("return document.querySelector('ludus-board').legal[0].cells");
        for index in offered.as_array().expect("a move has cells") {
            self.browser.click(&*format!(".table-board [data-cell='{index}']"));
        }
        self.wait_for_moves(2);
    }

    /// Waits for this number of further moves, and until the next can be made or the game is over.
    pub fn wait_for_moves(&mut self, more: usize) {
        self.played += more;
        self.browser.wait_for(&format!(
            "document.querySelectorAll('.move-list .move').length === {} &&
             document.querySelector('.table-page :is(.interactive, .result:not([hidden]))')",
            self.played
        ));
    }

    /// The moves in the list beside the board.
    pub fn moves(&self) -> Vec<String> {
        self.browser.texts(".move-list .move")
    }

    pub fn last_move(&self) -> String {
        self.moves().pop().unwrap_or_default()
    }

    /// Accessible name of a cell: `e4, empty`.
    pub fn cell_words(&self, name: &str) -> String {
        let label = format!("return document.querySelector({}).ariaLabel", json!(cell(name)));
        self.browser.run(&label).as_str().unwrap_or_default().to_owned()
    }

    pub fn is_empty(&self, name: &str) -> bool {
        self.cell_words(name).ends_with(", empty")
    }

    /// Status line of the game.
    pub fn status(&self) -> String {
        self.browser.text(".table-status")
    }

    /// Result of the game in words.
    pub fn ending(&self) -> String {
        self.browser.wait_for("!document.querySelector('.result').hidden");
        format!("{}: {}", self.browser.text(".result-heading"), self.browser.text(".result-words"))
    }

    /// URL of the game.
    pub fn address(&self) -> Value {
        self.browser.run("return location.hash")
    }
}

fn choose_game(browser: &Browser, ludus: &Ludus, game: &str) {
    browser.go(&ludus.page(""));
    browser.click(&*format!(".game-card:has(input[value={game}])"));
}

/// The card of this opponent; an empty name is a human.
fn choose_opponent(browser: &Browser, player: &str) {
    browser.click(&*format!(".player-card:has(input[value='{player}'])"));
}

fn cell(name: &str) -> String {
    format!(".table-board [data-name='{name}']")
}
