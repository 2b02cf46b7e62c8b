//! Search parameters and the searches they change.

use super::support::search;
use ludus_core::{HasEval, History, Notation, Options};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::ChessKnowledge;

use ludus_search::alphabeta::{ReplacementScheme, SearchParams, SearchSettings};

/// Positions and the depths they are searched to: with many captures, quiet, with few pieces.
const POSITIONS: [(&str, u32); 3] = [
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 8),
    ("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9", 10),
    ("8/5pk1/4p1p1/3pP2p/1r1P3P/5KP1/1R3P2/8 w - - 0 1", 14),
];

fn nodes(params: SearchParams, (text, depth): (&str, u32)) -> u64 {
    let options = Options::defaults(Chess::ID, Chess::OPTIONS);
    let game = History::new(Chess::parse(&options, text).unwrap());
    let settings = SearchSettings { params, ..SearchSettings::STRONG };
    let table = Some((1 << 20, ReplacementScheme::Aged));
    search(&game, depth, &ChessKnowledge::handcrafted(), settings, table, 1).nodes
}

#[test]
fn every_parameter_changes_the_search() {
    let usual = POSITIONS.map(|position| nodes(SearchParams::DEFAULT, position));
    for spec in SearchParams::SPECS {
        let changes = |(position, usual)| {
            [spec.min, spec.max].into_iter().any(|value| {
                let mut params = SearchParams::DEFAULT;
                params.set(spec.name, value).unwrap();
                nodes(params, position) != usual
            })
        };
        assert!(POSITIONS.into_iter().zip(usual).any(changes), "{}", spec.name);
    }
}
