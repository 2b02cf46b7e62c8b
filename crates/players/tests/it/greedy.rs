//! The handcrafted evaluations are good enough for `greedy` to beat `random` in every game.

use crate::seated::Seated;
use ludus_core::{Limits, Side};
use ludus_players::Resources;

const GAMES: &[&str] = &[
    "tictactoe",
    "split-nim:coins=30",
    "connect4",
    "reversi",
    "draughts",
    "draughts:rules=brazilian",
    "draughts:rules=russian",
    "draughts:rules=international",
    "draughts:rules=italian",
    "draughts:rules=spanish",
    "draughts:rules=czech",
    "draughts:rules=pool",
    "chess",
    "go:size=7",
];

/// Points of `greedy` as `side` in a game against `random`: 1 for a win, 0.5 for a draw.
fn points(game: &str, side: Side, seed: u64) -> f32 {
    let mut seated = Seated::open(game);
    for (side, player) in [(side, "greedy"), (!side, "random")] {
        seated.seat(side, player, &Resources { seed, ..Resources::default() }).unwrap();
    }
    loop {
        if let Some(finish) = seated.board.ending() {
            return (1.0 + finish.outcome.value(side)) / 2.0;
        }
        seated.let_play(Limits::default()).unwrap();
    }
}

#[test]
fn greedy_beats_random() {
    const ROUNDS: u64 = 5;
    for game in GAMES {
        let both = |seed| Side::BOTH.map(|side| points(game, side, seed)).iter().sum::<f32>();
        let score: f32 = (1..=ROUNDS).map(both).sum();
        assert!(score >= 0.8 * 2.0 * ROUNDS as f32, "{game}: {score} of {}", 2 * ROUNDS);
    }
}
