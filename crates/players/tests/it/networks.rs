//! The rules of draughts with a network, and those with the handcrafted evaluation.

use ludus_core::{History, Limits, Notation, Options, SearchControl};
use ludus_games::draughts::Draughts;
use ludus_players::{Resources, build_player};
use std::sync::atomic::AtomicBool;

/// Nodes and score of a search of the starting position.
fn search(rules: &str, player: &str) -> (u64, Option<i32>) {
    let options = Options::parse(&format!("draughts:rules={rules}"), Draughts::OPTIONS).unwrap();
    let game = History::new(Draughts::start(&options).unwrap());
    let mut player = build_player::<Draughts>(player, &Resources::default()).unwrap();
    let stop = AtomicBool::new(false);
    let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let report = player.choose(&game, &limits, &mut control).unwrap().report;
    (report.nodes, report.score.map(|score| score.0))
}

#[test]
fn only_english_draughts_have_a_network() {
    let [net, hand] = ["engine:table=1MB", "engine:eval=hand,table=1MB"];
    assert_ne!(search("english", net), search("english", hand));
    for rules in ["brazilian", "russian", "international", "italian", "spanish", "czech", "pool"] {
        assert_eq!(search(rules, net), search(rules, hand), "{rules}");
    }
}
