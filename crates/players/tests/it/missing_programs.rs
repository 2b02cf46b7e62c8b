//! Tests whose program is missing are skipped by name, and do not count as passed.

use ludus_test_support::run_without;

#[test]
fn tests_without_their_engine_note_that_they_are_skipped() {
    for (engine, prefix) in [("stockfish", "uci_stockfish::"), ("gnugo", "gtp_gnugo::")] {
        let (ran, noted) = run_without(engine, prefix);
        assert!(!ran.is_empty(), "{prefix} has no tests");
        let expected =
            ran.iter().map(|test| format!("ludus-players {test}: {engine} is not installed"));
        assert_eq!(noted, expected.collect::<Vec<_>>());
    }
}
