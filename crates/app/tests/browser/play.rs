//! Whole games on the page Play.

use crate::{
    WIDE, assert_silent, in_browser,
    pages::assert_well_everywhere,
    table::Table,
    webdriver::{LEFT, with_text},
};
use serde_json::json;

#[test]
fn a_game_of_draughts_with_long_jumps() {
    in_browser(WIDE, |browser, ludus| {
        let mut table = Table::with_friend(browser, &ludus, "draughts");
        let opening = "9-14 21-17 14-21 22-17 10-15 23-18 15-22 25-18 11-16 30-25 21-30 29-25";
        for (number, step) in opening.split(' ').enumerate() {
            let (from, to) = step.split_once('-').expect("from and to");
            match number {
                0 => table.drag(from, to),
                _ => table.play(&[from, to]),
            }
        }
        // A king jumps in a ring over four men and returns to its square.
        table.play(&["30", "23", "14", "21", "30"]);
        assert_eq!(table.last_move(), "30x30");
        for taken in ["17", "18", "25", "26"] {
            assert!(table.is_empty(taken), "{}", table.cell_words(taken));
        }
        for step in ["24-19", "16-23", "27-18", "7-11", "31-26", "30-14", "28-24"] {
            let (from, to) = step.split_once('-').expect("from and to");
            table.play(&[from, to]);
        }
        table.drag("12", "16");
        table.play(&["24", "19"]);
        table.play(&["16", "23"]);
        table.play(&["32", "27"]);
        table.play(&["23", "32"]);
        assert_eq!(table.moves().len(), 25);
        assert!(table.ending().starts_with("Black wins:"), "{}", table.ending());
        assert_well_everywhere(browser, "a game that is over");
    });
}

#[test]
fn a_ring_of_jumps_can_be_gone_round_either_way() {
    in_browser(WIDE, |browser, ludus| {
        for way in [["7", "14", "23", "16", "7"], ["7", "16", "23", "14", "7"]] {
            let position = "B:W10,11,18,19:BK7";
            let mut table = Table::set_up(browser, &ludus, "draughts", position);
            table.play(&way);
            assert_eq!(table.last_move(), "7x7");
            assert!(table.ending().starts_with("Black wins:"), "{}", table.ending());
        }
        assert_silent(browser);
    });
}

#[test]
fn a_game_of_chess_with_castling_and_promotions() {
    in_browser(WIDE, |browser, ludus| {
        let mut table = Table::with_friend(browser, &ludus, "chess");
        for step in "e2e4 f7f5 e4f5 g7g6 f5g6 a7a6 g6h7 a6a5".split(' ') {
            table.play(&[&step[..2], &step[2..]]);
        }
        table.drag("g1", "f3");
        for step in "a5a4 f1e2 a4a3".split(' ') {
            table.play(&[&step[..2], &step[2..]]);
        }
        table.play(&["e1", "g1"]);
        assert_eq!(table.last_move(), "O-O");
        assert_eq!(table.cell_words("f1"), "f1, white rook");
        table.play(&["a3", "b2"]);
        table.promote(&["h7", "g8"], "hxg8=Q");
        assert_eq!(table.cell_words("g8"), "g8, white queen");
        table.promote(&["b2", "a1"], "bxa1=N");
        assert_eq!(table.cell_words("a1"), "a1, black knight");
        table.play(&["g8", "g6"]);
        assert_eq!(table.last_move(), "Qg6#");
        assert!(table.ending().starts_with("White wins:"), "{}", table.ending());
        assert_silent(browser);
    });
}

#[test]
fn a_game_of_go_with_a_capture_a_ko_and_two_passes() {
    in_browser(WIDE, |browser, ludus| {
        let mut table = Table::of_size(browser, &ludus, "go", 9);
        for point in "C4 F4 D5 E5 D3 E3 G7 D4 E4".split(' ') {
            table.play(&[point]);
        }
        assert!(table.is_empty("D4"), "Black's stone at E4 took it");
        // White may not retake at once (ko): the point takes no stone, and typing it shows an error.
        table.click(&["D4"]);
        assert_silent(browser);
        browser.fill("#typed-move", "D4");
        browser.click(".typed-move button[type=submit]");
        browser.wait_for("document.querySelector('.toasts').innerText.includes('D4')");
        let refusals = browser.console_problems();
        let expected = |line: &String| line.contains("/move") && line.contains("status of 4");
        assert!(refusals.len() == 1 && refusals.iter().all(expected), "{refusals:?}");
        assert_eq!((table.moves().len(), table.is_empty("D4")), (9, true));
        // After a threat and its answer White may.
        for point in ["H8", "H2", "D4"] {
            table.play(&[point]);
        }
        assert!(table.is_empty("E4"), "White's stone at D4 took it");
        table.pass();
        table.pass();
        // Five stones each, and for White the point at E4 and 7.5 for moving second.
        assert_eq!(table.ending(), "White wins: White wins by 8.5 points after two passes");
        assert_silent(browser);
    });
}

#[test]
fn a_game_of_connect_four_to_its_win() {
    in_browser(WIDE, |browser, ludus| {
        // A link with unknown options shows a message, and does not affect later games.
        browser.go(&ludus.page("#/play?game=connect4:foo=1"));
        assert!(browser.text(".toasts").contains("foo=1"));
        let mut table = Table::with_friend(browser, &ludus, "connect4");
        // Discs fall: a click anywhere in a column means its lowest free hole.
        for hole in ["d6", "e6", "d3", "e1", "d5", "e3", "d4"] {
            table.play(&[hole]);
        }
        assert!(!table.is_empty("d4") && table.is_empty("d5"));
        assert!(table.ending().starts_with("Yellow wins:"), "{}", table.ending());
        let table = Table::set_up(browser, &ludus, "connect4", "d e d");
        assert_eq!(table.moves(), ["d", "e", "d"], "moves without numbers are a game");
        assert_silent(browser);
    });
}

#[test]
fn a_game_of_reversi_with_a_pass() {
    in_browser(WIDE, |browser, ludus| {
        let mut table = Table::with_friend(browser, &ludus, "reversi");
        for square in "c4 e3 f2 c6 e6 f3 g3 b3 a2 g2 h1".split(' ') {
            table.play(&[square]);
        }
        assert!(table.status().contains("You can only pass"), "{}", table.status());
        table.pass();
        table.play(&["b7"]);
        assert!(table.ending().starts_with("Black wins:"), "{}", table.ending());
        assert_silent(browser);
    });
}

#[test]
fn a_game_goes_on_after_a_reload_and_after_the_server_was_killed() {
    in_browser(WIDE, |browser, mut ludus| {
        let mut table = Table::with_engine(browser, &ludus, "draughts");
        table.play_any();
        table.play_any();
        let (address, moves) = (table.address(), table.moves());
        browser.reload();
        browser.wait_for("document.querySelectorAll('.move-list .move').length === 4");
        assert_eq!((table.address(), table.moves()), (address.clone(), moves));
        browser.wait_for("document.querySelector('.board-svg.interactive')");
        table.play_any();
        assert_silent(browser);
        let moves = table.moves();
        ludus.kill();
        browser.wait_for("document.querySelector('.table-page').classList.contains('offline')");
        ludus.restart();
        // The page reconnects by itself …
        browser.wait_for("!document.querySelector('.table-page').classList.contains('offline')");
        table.play_any();
        assert_eq!(table.moves()[..6], moves);
        // … and the game is still there after a reload.
        browser.go(&ludus.page(""));
        browser.click(".recent-game");
        browser.wait_for("document.querySelectorAll('.move-list .move').length === 8");
        assert_eq!(table.address(), address);
        let is_lost_line = |line: &String| line.contains("/live");
        let console_problems = browser.console_problems();
        assert!(console_problems.iter().all(is_lost_line), "{console_problems:?}");
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_move_that_is_not_saved_or_not_answered_is_kept_and_sent_again() {
    in_browser(WIDE, |browser, mut ludus| {
        let mut table = Table::with_friend(browser, &ludus, "tictactoe");
        table.play(&["b2"]);
        assert_silent(browser);
        let shown = "!document.querySelector('.unsent[role=alert]').hidden";
        ludus.fill_disk();
        table.click(&["a1"]);
        browser.wait_for(shown);
        browser.click(with_text(".unsent button", "Send again"));
        browser.wait_for(shown);
        let words = browser.text(".unsent");
        assert!(words.contains("Your move is kept and sent again: not saved"), "{words}");
        assert_eq!(table.moves().len(), 1);
        ludus.make_room();
        table.wait_for_moves(1);
        browser.wait_for("document.querySelector('.unsent').hidden");
        ludus.kill();
        table.click(&["c3"]);
        browser.wait_for(shown);
        assert!(browser.text(".unsent").contains("cannot be reached"));
        ludus.restart();
        table.wait_for_moves(1);
        browser.wait_for("document.querySelector('.unsent').hidden");
        assert!(table.moves().len() == 3, "{:?}", table.moves());
        let console_problems = browser.console_problems();
        let is_failed_request = |line: &String| line.contains("/live") || line.contains("/move");
        assert!(console_problems.iter().all(is_failed_request), "{console_problems:?}");
    });
}

#[test]
fn a_level_stays_when_another_setting_is_changed() {
    in_browser(WIDE, |browser, ludus| {
        browser.go(&ludus.page("#/play?game=chess&opponent=engine:level=5"));
        browser.wait_for("document.querySelector('ludus-options [role=switch]') !== null");
        browser.run(
            "const slider = document.getElementById('level');
             slider.value = 2;
             slider.dispatchEvent(new Event('input'));
             const switches = [...document.querySelectorAll('ludus-options [role=switch]')];
             switches.at(-1).click();",
        );
        let settings = "document.querySelector('.pairing').textContent";
        browser.wait_for(&format!("{settings}.includes('quiescence off')"));
        browser.wait_for(&format!("{settings}.includes('level 2')"));
        assert_silent(browser);
    });
}

#[test]
fn clocks_run_on_while_one_looks_back() {
    in_browser(WIDE, |browser, ludus| {
        // Far more time than the moves need.
        let clock = json!({ "seconds": 3_000, "increment": 0 });
        let input = json!({ "game": "chess", "clock": clock });
        let mut table = Table::asked_for(browser, &ludus, &input);
        table.play(&["e2", "e4"]);
        browser.wait_for("document.querySelector('.clock.running').textContent < '49:58'");
        browser.press(LEFT);
        browser.wait_for("document.querySelector('.table-status.past')");
        let left = browser.text(".clock.running");
        assert!(left.as_str() < "49:58", "{left}");
        assert_silent(browser);
    });
}
