use crate::common;
use ludus_core::{
    Notation, Options, Outcome, PieceKind, Position, Side, conformance, perft::perft,
};
use ludus_games::split_nim::{Split, SplitNim};
use std::collections::{BTreeSet, HashMap};

#[test]
fn conforms() {
    for coins in [1, 2, 3, 4, 7, 30, 199, 200] {
        conformance::check::<SplitNim>(&format!("split-nim:coins={coins}"), 40);
    }
}

#[test]
fn perft_file() {
    common::perft_file::<SplitNim>("split_nim");
}

#[test]
fn playthrough() {
    common::playthrough::<SplitNim>("split_nim", "split-nim:coins=12", 1);
}

fn parse(text: &str) -> Result<SplitNim, String> {
    let options = Options::defaults("split-nim", SplitNim::OPTIONS);
    SplitNim::parse(&options, text).map_err(|error| error.to_string())
}

/// The positions after every move, the plain way: piles in a list, kept in falling order.
fn plain_moves(piles: &[usize]) -> BTreeSet<Vec<usize>> {
    let mut next = BTreeSet::new();
    for (index, &pile) in piles.iter().enumerate() {
        for part in (1..pile).filter(|part| 2 * part != pile) {
            let mut piles = piles.to_vec();
            piles.remove(index);
            piles.extend([part, pile - part]);
            piles.sort_by(|a, b| b.cmp(a));
            next.insert(piles);
        }
    }
    next
}

/// Different moves may lead to the same piles, so moves are counted by what they split.
fn plain_perft(piles: &[usize], depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let sizes: BTreeSet<usize> = piles.iter().copied().collect();
    let mut nodes = 0;
    for size in sizes {
        let mut rest = piles.to_vec();
        rest.remove(piles.iter().position(|&pile| pile == size).unwrap());
        for part in (1..size).filter(|part| 2 * part < size) {
            nodes += plain_perft(&[&rest[..], &[part, size - part]].concat(), depth - 1);
        }
    }
    nodes
}

#[test]
fn perft_agrees_with_piles_in_a_list() {
    for coins in 1..=16 {
        for depth in 0..=6 {
            let counted = perft(&SplitNim::new(coins), depth);
            assert_eq!(counted, plain_perft(&[coins.into()], depth), "{coins} coins, {depth}");
        }
    }
    assert_eq!(perft(&SplitNim::new(40), 4), plain_perft(&[40], 4));
    assert_eq!(perft(&SplitNim::new(200), 3), plain_perft(&[200], 3));
}

#[test]
fn there_is_room_for_the_most_sizes_there_can_be() {
    let mut piles: Vec<usize> = (1..=18).rev().collect();
    piles.insert(0, 200 - piles.iter().sum::<usize>());
    let text: Vec<String> = piles.iter().map(ToString::to_string).collect();
    let full = parse(&format!("{} first", text.join("+"))).unwrap();
    assert_eq!(piles_of(&full), piles);
    assert_eq!(perft(&full, 3), plain_perft(&piles, 3));
}

#[test]
fn moves_lead_to_the_positions_of_the_plain_generator() {
    let mut open = vec![vec![12]];
    let mut seen = BTreeSet::new();
    while let Some(piles) = open.pop() {
        if !seen.insert(piles.clone()) {
            continue;
        }
        let text: Vec<String> = piles.iter().map(ToString::to_string).collect();
        let turn = if piles.len() % 2 == 1 { "first" } else { "second" };
        let position = parse(&format!("{} {turn}", text.join("+"))).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let after: BTreeSet<Vec<usize>> =
            moves.iter().map(|&split| piles_of(&position.after(split))).collect();
        assert_eq!(after, plain_moves(&piles), "{}", position.text());
        open.extend(after);
    }
    assert!(seen.len() > 50);
}

fn piles_of(position: &SplitNim) -> Vec<usize> {
    let text = position.text();
    text.split(' ').next().unwrap().split('+').map(|pile| pile.parse().unwrap()).collect()
}

/// Whether the side to move wins, by looking at every continuation.
fn mover_wins(position: &SplitNim, known: &mut HashMap<String, bool>) -> bool {
    let text = position.text();
    if let Some(&wins) = known.get(&text) {
        return wins;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let wins = moves.into_iter().any(|split| !mover_wins(&position.after(split), known));
    known.insert(text, wins);
    wins
}

/// The Grundy numbers of single piles: a pile is worth the least number none of its splits is.
fn grundy_numbers(most: usize) -> Vec<usize> {
    let mut numbers = vec![0; most + 1];
    for size in 3..=most {
        let splits: BTreeSet<usize> =
            (1..=(size - 1) / 2).map(|part| numbers[part] ^ numbers[size - part]).collect();
        numbers[size] = (0..).find(|number| !splits.contains(number)).unwrap();
    }
    numbers
}

#[test]
fn the_second_player_wins_with_seven_coins() {
    assert!(!mover_wins(&SplitNim::new(7), &mut HashMap::new()));
}

#[test]
fn the_winner_of_every_position_agrees_with_the_theory_of_grundy() {
    let numbers = grundy_numbers(30);
    assert_eq!(numbers[..14], [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3]);
    let mut known = HashMap::new();
    for coins in 1..=30 {
        mover_wins(&SplitNim::new(coins), &mut known);
    }
    for (text, wins) in &known {
        let sum = piles_of(&parse(text).unwrap()).iter().fold(0, |sum, &pile| sum ^ numbers[pile]);
        assert_eq!(*wins, sum != 0, "{text}");
    }
    let lost: Vec<u8> = (1..=30).filter(|&c| !known[&SplitNim::new(c).text()]).collect();
    assert_eq!(lost, [1, 2, 4, 7, 10, 20, 23, 26]);
}

#[test]
fn the_last_player_able_to_move_wins() {
    let position = parse("2+1 second").unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(position.count_moves(), 0);
    assert_eq!(SplitNim::new(2).outcome(), Some(Outcome::Win(Side::Second)));
}

#[test]
fn piles_are_a_multiset() {
    let one = parse("4+2+1 first").unwrap();
    let other = parse("1+4+2 first").unwrap();
    assert!(
        one == other
            && one.key() == other.key()
            && one.verification_key() == other.verification_key()
    );
    assert_eq!(other.text(), "4+2+1 first");
    assert_eq!(parse("3+3+1 first").unwrap().count_moves(), 1, "equal piles are one move");
}

#[test]
fn moves_may_leave_out_the_pile() {
    let start = SplitNim::new(7);
    for text in ["7=5+2", "7=2+5", "5+2", "2+5", " 5+2 "] {
        assert_eq!(start.parse_move(text).unwrap(), Split { pile: 7, smaller: 2 }, "{text:?}");
    }
    for text in ["8=5+2", "5+3", "7=7+0", "7", "7=5", "7=5+1+1", "7=+5+2", "07=5+2", "200+100"] {
        let error = start.parse_move(text).unwrap_err().to_string();
        assert!(error.ends_with("one of the 3 legal moves, such as 7=6+1 7=5+2 7=4+3"), "{error}");
    }
    let halves = parse("4+2+1 first").unwrap().parse_move("4=2+2").unwrap_err();
    assert!(halves.to_string().contains("expected one of the 1 legal moves, such as 4=3+1"));
}

#[test]
fn impossible_positions_are_refused() {
    assert!(parse("7").unwrap_err().contains("it ends here, expected piles and the side"));
    assert!(parse("7 second").unwrap_err().contains("column 3: found \"second\""));
    assert!(parse("4+3 first").unwrap_err().contains("\"second\" to move"));
    assert!(parse("4++3 second").unwrap_err().contains("column 3"));
    assert!(parse("4+x first").unwrap_err().contains("column 3: found \"x\", expected a pile"));
    assert!(parse("3+3 second").unwrap_err().contains("not all equal"));
    assert!(parse("150+51 second").unwrap_err().contains("at most 200 coins"));
    assert!(parse("300 first").unwrap_err().contains("a pile: its number of coins"));
    assert!(parse("4+0 second").unwrap_err().contains("a pile"));
    assert!(parse("7  first").unwrap_err().contains("column 3"));
    assert!(parse("7 first ").unwrap_err().contains("column 3"));
    assert!(parse("").is_err());
}

#[test]
fn the_view_is_a_row_of_piles() {
    let position = parse("4+2+1 first").unwrap();
    let view = position.view();
    let coins: Vec<_> = view.cells.iter().filter_map(|cell| cell.piece).map(|p| p.kind).collect();
    assert_eq!(coins, [PieceKind::Coins(4), PieceKind::Coins(2), PieceKind::Coins(1)]);
    assert_eq!((view.columns, view.rows), (3, 1));
    assert_eq!(view.notes, ["1 pile can be split"]);
    assert_eq!(position.move_cells(Split { pile: 4, smaller: 1 }), [0]);
}
