//! Sample contests and games.

use ludus_arena::{
    game::{Category, PlayerStats},
    store::{NewContest, StoredGame},
};
use ludus_core::{EndReason, Outcome, Side};

pub fn contest(fingerprint: &str) -> NewContest {
    NewContest {
        name: format!("the {fingerprint} cup"),
        kind: "tournament".to_owned(),
        game: "tictactoe".to_owned(),
        config: serde_json::json!({"games": 20}),
        fingerprint: fingerprint.to_owned(),
        seed: u64::MAX,
        build: "1.0".to_owned(),
        players: Vec::new(),
    }
}

pub fn game(index: u64) -> StoredGame {
    StoredGame {
        index,
        first: "random".to_owned(),
        second: "minimax:depth=3".to_owned(),
        opening: (index % 2 == 1).then(|| ".../.../... x".to_owned()),
        moves: "b2 a1 a2".to_owned(),
        result: [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw]
            [index as usize % 3],
        reason: EndReason::ThreeInARow,
        category: index.is_multiple_of(5).then_some(Category::Forfeit),
        detail: index.is_multiple_of(5).then(|| "it's \"100 %\" broken\n\u{1F600}".to_owned()),
        plies: 3 + index as u32 % 7,
        stats: [
            PlayerStats { nodes: index, ..PlayerStats::default() },
            PlayerStats { milliseconds: 0.5, ..PlayerStats::default() },
        ],
        record: format!("[Event \"game {index}\"]\n\n1. b2 a1 2. a2 *\n"),
        finished_at: 1_800_000_000 + index as i64,
    }
}
