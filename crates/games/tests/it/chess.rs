use crate::common;
use ludus_core::{
    EndReason, History, Notation, Options, Outcome, Position, Random, Side, conformance,
};
use ludus_games::chess::Chess;
use proptest::prelude::*;

#[test]
fn conforms() {
    conformance::check::<Chess>("chess", 12);
}

#[test]
fn perft_file() {
    common::perft_file::<Chess>("chess");
}

#[test]
#[ignore = "takes seconds: cargo test -p ludus-games large_perft -- --ignored"]
fn large_perft() {
    common::large_perft_file::<Chess>("chess");
}

#[test]
fn playthrough() {
    common::playthrough::<Chess>("chess", "chess", 1);
}

fn read(fen: &str) -> Result<Chess, String> {
    Chess::parse(&Options::defaults("chess", &[]), fen).map_err(|error| error.to_string())
}

fn position(fen: &str) -> Chess {
    read(fen).unwrap()
}

/// The game that `moves`, split at spaces, lead to from `fen`.
fn game(fen: &str, moves: &str) -> History<Chess> {
    let mut game = History::new(position(fen));
    for text in moves.split_whitespace() {
        assert_eq!(Chess::ending(&game), None, "before {text}");
        game.push(game.last().parse_move(text).unwrap());
    }
    game
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn mate_wins_and_stalemate_draws() {
    let mated = game(START, "f3 e5 g4 Qh4#");
    assert_eq!(Chess::ending(&mated), Some((Outcome::Win(Side::Second), EndReason::Checkmate)));
    let stale = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stale.outcome(), Some(Outcome::Draw));
}

#[test]
fn the_third_occurrence_draws() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let drawn = game(START, shuffle);
    assert_eq!(Chess::ending(&drawn), Some((Outcome::Draw, EndReason::Repetition)));
    // The position after e4 e5 counts from there, and losing a castling right makes it another.
    let other = game(START, "e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8");
    assert_eq!((Chess::ending(&other), other.repetitions()), (None, 2));
}

#[test]
fn en_passant_makes_another_position_only_if_it_can_be_played() {
    // Nothing can capture on e3: the double step leaves no trace.
    let stepped = game(START, "e4");
    assert_eq!(stepped.last().text(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let given = position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert!(given == *stepped.last() && given.key() == stepped.last().key());
    // A black pawn on d4 can, so here it matters.
    let without = position("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    let with = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert!(
        without != with
            && without.key() != with.key()
            && without.verification_key() != with.verification_key()
    );
    assert_eq!(with.text(), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    // Here it would uncover the king on the fourth rank.
    let pinned = position("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
    assert_eq!(pinned.text(), "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
    assert!(pinned == position("8/8/8/8/k2pP2R/8/8/4K3 b - - 7 9"), "clocks do not count");
}

#[test]
fn fifty_moves_draw_unless_the_last_one_mates() {
    let late = game("7k/8/8/8/8/8/R7/K7 w - - 99 80", "Ra3");
    assert_eq!(Chess::ending(&late), Some((Outcome::Draw, EndReason::NoProgress)));
    let reset = game("7k/8/8/8/8/8/RP6/K7 w - - 99 80", "b3");
    assert_eq!(Chess::ending(&reset), None);
    let mate = game("7k/8/6K1/8/8/8/R7/8 w - - 99 80", "Ra8#");
    assert_eq!(Chess::ending(&mate), Some((Outcome::Win(Side::First), EndReason::Checkmate)));
    assert_eq!(mate.last().rule_draw(), None);
    let played = mate.last().rollout(&mut Random::new(1), &mut Vec::new());
    assert_eq!(played, Outcome::Win(Side::First));
}

#[test]
fn dead_positions_draw() {
    let dead = [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3K4/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3KB3/8/8 w - - 0 1",
        "8/2b5/4kb2/8/8/3KB3/8/8 w - - 0 1",
    ];
    for fen in dead {
        let game = History::new(position(fen));
        assert_eq!(Chess::ending(&game), Some((Outcome::Draw, EndReason::Material)), "{fen}");
    }
    let alive = [
        "8/8/4kb2/8/8/3K1B2/8/8 w - - 0 1",
        "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/2NKN3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KP3/8/8 w - - 0 1",
        "8/8/4kb2/8/8/3KN3/8/8 w - - 0 1",
    ];
    for fen in alive {
        assert_eq!(position(fen).rule_draw(), None, "{fen}");
    }
}

#[test]
fn moves_are_read_as_people_write_them() {
    let check = |fen: &str, texts: &str, canonical: &str, san: &str| {
        let position = position(fen);
        for text in texts.split_whitespace() {
            let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.move_text(mv), canonical, "{text} in {fen}");
            assert_eq!(position.record_text(mv), san, "{text} in {fen}");
        }
    };
    check(START, "e4 e2e4 e2-e4 E2E4 Pe4 Pe2-e4 e4!? e4+", "e2e4", "e4");
    check(START, "Nf3 g1f3 Ng1-f3 Ng1f3 Ngf3 N1f3 Nf3! G1F3", "g1f3", "Nf3");
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(castle, "O-O 0-0 o-o e1g1 e1h1 Ke1-g1 O-O+", "e1g1", "O-O");
    check(castle, "O-O-O 0-0-0 e1c1 e1a1", "e1c1", "O-O-O");
    let rooks = "7r/4k3/8/8/8/8/8/4K2R w K - 0 1";
    check(rooks, "Rxh8 h1h8 Rh8 Rh1xh8+ Rh1:h8", "h1h8", "Rxh8");
    let promote = "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    check(promote, "exd8=Q exd8Q e7d8q ed8=Q exd8q e7xd8=Q exd8(Q) exd8/Q+", "e7d8q", "exd8=Q");
    check(promote, "exd8=N e7d8n", "e7d8n", "exd8=N");
    let bishop = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
    check(bishop, "bxc3 bc3 b2c3 b2xc3", "b2c3", "bxc3");
    let passing = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
    check(passing, "dxe3 dxe3e.p. dxe3ep d4e3 de3", "d4e3", "dxe3");
}

#[test]
fn san_says_no_more_than_it_must() {
    let san = |fen: &str, text: &str| {
        let position = position(fen);
        position.record_text(position.parse_move(text).unwrap())
    };
    let rooks = "4k3/8/8/8/R6R/8/8/R3K3 w - - 0 1";
    assert_eq!(san(rooks, "a4d4"), "Rad4");
    assert_eq!(san(rooks, "a4a2"), "R4a2");
    let queens = "8/7k/8/8/Q2Q4/8/8/Q3K3 w - - 0 1";
    assert_eq!(san(queens, "a4d1"), "Qa4d1");
    assert_eq!(san("4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1c2"), "Nc2", "the other is pinned");
    assert_eq!(san("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "Ra8#");
    assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
}

#[test]
fn bad_moves_are_refused_with_a_reason() {
    let error = |fen: &str, text: &str| position(fen).parse_move(text).unwrap_err().to_string();
    assert_eq!(
        error(START, "e5"),
        "bad chess move \"e5\": expected one of the 20 legal moves, \
         such as a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 …"
    );
    assert_eq!(
        error("4k3/8/8/8/R6R/8/8/4K3 w - - 0 1", "Rd4"),
        "bad chess move \"Rd4\": \
         expected a move that is not ambiguous: Rad4 or Rhd4"
    );
    assert_eq!(
        error("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8"),
        "bad chess move \"e7d8\": \
         expected a piece to promote to, such as =Q"
    );
    for text in ["O-O", "Kg1", "e2e5", "Nxf3", "e4=Q", "e2--e4", "e", "Zf3", "é4", "e2e4e5", ""] {
        assert!(position(START).parse_move(text).is_err(), "{text}");
    }
    assert!(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").parse_move("Kg8").is_err());
}

/// FENs that are refused for their first field, with the messages.
const MALFORMED_BOARDS: &[(&str, &str)] = &[
    ("", "column 1: it ends here, expected the eight ranks of the board"),
    ("8/8/8/8/8/8/8/8", "column 16: it ends here, expected a space, then the side to move, w or b"),
    (
        "8/8/8/8/8/8/8/8 w - -",
        "column 1: found \"8/8/8/8/8/8/8/8\", expected exactly one white king, not 0",
    ),
    (
        "4k3/9/8/8/8/8/8/4K3 w - -",
        "column 5: found \"9/8/8/8/8/8/4K3\", expected a piece of PNBRQKpnbrqk, a digit 1 to 8 or /",
    ),
    (
        "4k3/7/8/8/8/8/8/4K3 w - -",
        "column 6: found \"/8/8/8/8/8/4K3\", expected rank 7 to fill eight squares",
    ),
    (
        "4k3/44/8/8/8/8/8/4K3 w - -",
        "column 6: found \"4/8/8/8/8/8/4K3\", expected one digit for neighbouring empty squares",
    ),
    ("4k3/8/8/8/8/8/4K3 w - -", "column 18: found \" w\", expected a / and rank 1"),
    ("4k3/8/8/8/8/8/8/4K3/8 w - -", "column 20: found \"/8\", expected no more than eight ranks"),
    (
        "4k3P/8/8/8/8/8/8/4K3 w - -",
        "column 4: found \"P/8/8/8/8/8/8/4K3\", expected a / between ranks",
    ),
    (
        "4k2P/8/8/8/8/8/8/4K3 w - -",
        "column 4: found \"P/8/8/8/8/8/8/4K3\", expected no pawn on the first or last rank",
    ),
];

/// FENs that are refused for a later field, with the messages.
const MALFORMED_FIELDS: &[(&str, &str)] = &[
    ("4k3/8/8/8/8/8/8/4K3 W - -", "column 21: found \"W\", expected the side to move, w or b"),
    (
        "4k3/8/8/8/8/8/8/4K3 w  -",
        "column 23: found \" -\", expected the castling rights, such as KQkq or -",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w KQ -",
        "column 25: found \"Q\", expected no Q unless the king is on e1 and a rook on a1",
    ),
    (
        "4k3/8/8/8/8/8/8/R3K2R w QK -",
        "column 26: found \"K\", expected - or some of the letters KQkq, in this order",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - e3",
        "column 25: found \"e3\", expected - or an en-passant square on rank 6",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - e6",
        "column 25: found \"e6\", expected -, because no pawn has just gone from e7 to e5",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 101 1",
        "column 27: found \"101\", expected the halfmove clock, a number from 0 to 100",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 00 1",
        "column 27: found \"00\", expected the halfmove clock, a number from 0 to 100",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
        "column 29: found \"0\", expected the move number, from 1 to 65535",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0",
        "column 28: it ends here, expected a space, then the move number",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x",
        "column 31: found \"x\", expected nothing after the move number",
    ),
    (
        "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
        "column 23: found \"w\", expected the other side to move, because its king could be captured",
    ),
    (
        "4k3/8/8/4p3/8/5n2/8/4K3 w - e6 0 1",
        "column 29: found \"e6\", expected -, because no double step led to this check",
    ),
];

#[test]
fn malformed_fens_are_refused_with_their_place() {
    for (fen, message) in MALFORMED_BOARDS.iter().chain(MALFORMED_FIELDS) {
        let error = read(fen).map(|position| position.text()).unwrap_err();
        assert_eq!(error, format!("bad FEN at line 1, {message}"), "{fen}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    let queens = "qqqqkqqq/qqqqqqqq/q7/8/8/8/8/4K3 w - -";
    assert!(read(queens).unwrap_err().contains("at most 16 black pieces, not 17"));
    let pawns = "4k3/pppppppp/p7/8/8/8/8/4K3 w - -";
    assert!(read(pawns).unwrap_err().contains("at most 8 black pawns, not 9"));
    let kings = "8/8/8/8/8/8/3k4/4K3 w - - 0 1";
    assert!(read(kings).unwrap_err().contains("kings that do not stand side by side"));
}

#[test]
fn the_counters_of_a_fen_may_be_left_out() {
    assert!(position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -") == position(START));
}

proptest! {
    #[test]
    fn nonsense_never_panics(
        text in "\\PC{0,60}",
        fen in "([1-8pnbrqkPNBRQK]{1,9}/){7}[1-8pnbrqkPNBRQK]{1,8} [wb] [KQkq-]{1,4} ([a-h][1-8]|-)( [0-9]{1,3}){0,3}",
        mv in "[NBRQKPO0]?[a-h1-8x:=()/+#-]{0,8}[NBRQnbrq]?[+#!?)]{0,2}",
    ) {
        for text in [&text, &fen] {
            if let Ok(position) = read(text) {
                let written = position.text();
                prop_assert!(read(&written).unwrap() == position);
                let _ = position.parse_move(&mv);
            }
        }
        let castling = position("r3k2r/pP2P3/8/3pP3/8/8/p7/R3K2R w KQkq d6 0 1");
        for text in [&text, &fen, &mv] {
            if let Ok(mv) = castling.parse_move(text) {
                prop_assert_eq!(castling.parse_move(&castling.move_text(mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn damaged_fens_never_panic(at in 0usize..60, byte in 0u8..128) {
        let mut bytes = b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".to_vec();
        bytes[at] = byte;
        if let Ok(position) = read(std::str::from_utf8(&bytes).unwrap()) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                prop_assert_eq!(position.parse_move(&position.record_text(mv)), Ok(mv));
            }
        }
    }
}
