//! Chess against the crate `shakmaty`, which shares no code with the board ours is built on.

use ludus_core::{EndReason, Notation, Options, Outcome, Position as _, Random, TextError};
use ludus_games::chess::Chess;
use shakmaty::{
    CastlingMode, Chess as Oracle, EnPassantMode, Position as _, PositionError, fen::Fen,
    san::SanPlus, zobrist::Zobrist64,
};
use std::collections::HashMap;

/// Castling, en passant under pins, promotions, and endings that run out of material.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/pppppppp/8/3bb3/3BB3/8/PPPPPPPP/4K3 w - - 0 1",
    "r3k2r/8/8/pPpPpPpP/PpPpPpPp/8/8/R3K2R w KQkq - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/8/2bnn3/8/8/3BN3/8/4K3 b - - 0 1",
];

fn parse(fen: &str) -> Result<Chess, TextError> {
    Chess::parse(&Options::defaults("chess", &[]), fen)
}

fn start(fen: &str) -> (Chess, Oracle) {
    let ours = parse(fen).unwrap();
    let theirs = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
    (ours, theirs)
}

fn compare(ours: &Chess, theirs: &Oracle) {
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours.text(), fen);
    let read = parse(&fen).unwrap();
    assert!(read == *ours, "{fen}");
    assert_eq!(
        (read.key(), read.verification_key()),
        (ours.key(), ours.verification_key()),
        "{fen}"
    );
    let outcome = match (theirs.is_checkmate(), theirs.is_stalemate()) {
        (true, _) => Some(Outcome::Win(!ours.turn())),
        (_, true) => Some(Outcome::Draw),
        _ => None,
    };
    assert_eq!(ours.outcome(), outcome, "{fen}");
    let dead = ours.rule_draw() == Some(EndReason::Material);
    assert_eq!(dead, theirs.is_insufficient_material(), "{fen}");

    let mut moves = Vec::new();
    ours.legal_moves(&mut moves);
    let mut our_texts: Vec<[String; 2]> =
        moves.iter().map(|&mv| [ours.move_text(mv), ours.record_text(mv)]).collect();
    let mut their_texts: Vec<[String; 2]> = theirs
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let san = SanPlus::from_move(theirs.clone(), mv).to_string();
            [mv.to_uci(CastlingMode::Standard).to_string(), san]
        })
        .collect();
    our_texts.sort();
    their_texts.sort();
    assert_eq!(our_texts, their_texts, "{fen}");
    for [coordinates, san] in &our_texts {
        assert_eq!(ours.parse_move(coordinates), ours.parse_move(san), "{fen}");
    }
}

#[test]
fn random_games_agree_move_by_move() {
    let mut random = Random::new(6);
    let mut keys: HashMap<u64, u64> = HashMap::new();
    let (mut mates, mut stalemates, mut dead) = (0, 0, 0);
    for game in 0..160 {
        let (mut ours, mut theirs) = start(STARTS[game % STARTS.len()]);
        loop {
            compare(&ours, &theirs);
            let Zobrist64(their_key) = theirs.zobrist_hash(EnPassantMode::Legal);
            let seen = *keys.entry(ours.key()).or_insert(their_key);
            assert_eq!(seen, their_key, "one key for two positions: {}", ours.text());
            if ours.rule_draw().is_some() {
                dead += u32::from(theirs.is_insufficient_material());
                break;
            }
            let legal = theirs.legal_moves();
            if legal.is_empty() {
                mates += u32::from(theirs.is_checkmate());
                stalemates += u32::from(theirs.is_stalemate());
                break;
            }
            let mv = legal[random.below(legal.len())];
            let text = mv.to_uci(CastlingMode::Standard).to_string();
            ours.play(ours.parse_move(&text).unwrap());
            theirs.play_unchecked(mv);
        }
    }
    let their_keys: std::collections::HashSet<u64> = keys.values().copied().collect();
    assert_eq!(their_keys.len(), keys.len(), "two keys for one position");
    assert!(mates > 5 && stalemates > 0 && dead > 20, "{mates} {stalemates} {dead}");
}

/// Pieces strewn over the board, two kings among them.
fn random_board(random: &mut Random) -> String {
    let mut squares = ['1'; 64];
    for letter in ['K', 'k'] {
        squares[random.below(64)] = letter;
    }
    for _ in 0..random.below(20) {
        let square = random.below(64);
        let pawns = (8..56).contains(&square);
        let men = if pawns { "NBRQnbrqPPPPPppppp" } else { "NBRQnbrq" };
        let letters: Vec<char> = men.chars().collect();
        squares[square] = random.pick(&letters).unwrap();
    }
    let ranks: Vec<String> = squares.chunks(8).map(join_rank).collect();
    format!("{} {} - - 0 1", ranks.join("/"), ["w", "b"][random.below(2)])
}

/// A rank with neighbouring empty squares counted together.
fn join_rank(rank: &[char]) -> String {
    let mut text: String = rank.iter().collect();
    for empty in (2..=8).rev() {
        text = text.replace(&"1".repeat(empty), &empty.to_string());
    }
    text
}

#[test]
fn random_boards_agree() {
    let mut random = Random::new(8);
    let (mut legal, mut refused) = (0, 0);
    for _ in 0..6_000 {
        let fen = random_board(&mut random);
        let ours = parse(&fen);
        let theirs = fen
            .parse::<Fen>()
            .unwrap()
            .into_position::<Oracle>(CastlingMode::Standard)
            // Checks that no last move explains, and too many promoted pieces, are accepted.
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                compare(&ours, &theirs);
                legal += 1;
            }
            (Err(_), Err(_)) => refused += 1,
            (Ok(_), Err(error)) => panic!("{fen}: {error:?}"),
            (Err(error), Ok(_)) => assert!(error.expected.contains("at most"), "{fen}: {error}"),
        }
    }
    assert!(legal > 1_000 && refused > 1_000, "{legal} {refused}");
}
