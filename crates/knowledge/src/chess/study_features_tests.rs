use super::*;
use ludus_core::{Notation, Options, Position, Random};

fn chess(fen: &str) -> Chess {
    Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), fen).unwrap()
}

/// A plane from its picture, rank 8 first.
fn plane(picture: [&str; 8]) -> u64 {
    let bit = |rank: usize, file: usize| 1 << (8 * (7 - rank) + file);
    let mut plane = 0;
    for (rank, row) in picture.iter().enumerate() {
        for (file, mark) in row.chars().enumerate() {
            plane |= if mark == 'x' { bit(rank, file) } else { 0 };
        }
    }
    plane
}

const EMPTY: &str = "........";

/// Every plane of one position: the white bishop is pinned and still attacks, own pieces are attacked as well.
#[test]
fn every_plane_is_decoded() {
    let position = chess("4r1k1/6pp/8/3q4/1n6/b7/4B1P1/R3K2N b - - 0 1");
    let mut planes = Vec::new();
    study_planes(&position, true, &mut planes);
    let row = |rank: usize, text: &'static str| {
        let mut picture = [EMPTY; 8];
        picture[8 - rank] = text;
        plane(picture)
    };
    let pieces = [
        row(2, "......x."),
        row(1, ".......x"),
        row(2, "....x..."),
        row(1, "x......."),
        0,
        row(1, "....x..."),
        row(7, "......xx"),
        row(4, ".x......"),
        row(3, "x......."),
        row(8, "....x..."),
        row(5, "...x...."),
        row(8, "......x."),
    ];
    for (index, pieces) in pieces.into_iter().enumerate() {
        assert_eq!(planes[index], pieces, "{}", STUDY_PLANE_NAMES[index]);
    }
    let white = plane([
        EMPTY, EMPTY, "x.......", // bishop
        ".x.....x", // bishop, twice
        "..x...x.", // bishop, twice
        "x..x.xxx", // rook up to the bishop; bishop; bishop and pawn; knight; pawn
        "x..xxx..", // rook; king; king, its own bishop; king and knight
        ".xxxxx..", // rook up to its own king; king and bishop
    ]);
    assert_eq!(planes[12], white, "{}", STUDY_PLANE_NAMES[12]);
    assert_eq!(planes[14], 0);
    let mut flipped = Vec::new();
    study_planes(&position.colour_flipped().unwrap(), true, &mut flipped);
    assert_eq!(flipped[14], u64::MAX);
    assert_eq!(
        planes[13].swap_bytes(),
        flipped[12],
        "Black's attacks are White's on the turned board"
    );
    assert_eq!(planes[12].swap_bytes(), flipped[13]);
    let mut published = Vec::new();
    study_planes(&position, false, &mut published);
    assert_eq!((published.len(), &published[..]), (STUDY_PLANES, &planes[..STUDY_PLANES]));
}

/// Black's attacks by walking over the board, in random games.
#[test]
fn attacks_are_those_of_a_walk_over_the_board() {
    let mut random = Random::new(2);
    for _ in 0..30 {
        let mut position = Chess::default();
        for _ in 0..100 {
            let mut planes = Vec::new();
            study_planes(&position, false, &mut planes);
            for (plane, color) in planes[12..].iter().zip(Color::ALL) {
                let walked = Square::ALL.into_iter().filter(|&square| {
                    let around =
                        see::attackers(position.board(), square, position.board().occupied());
                    !(around & position.board().colors(color)).is_empty()
                });
                assert_eq!(BitBoard(*plane), walked.collect::<BitBoard>(), "{}", position.text());
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            position.play(mv);
        }
    }
}

fn names(position: &Chess, mv: &str, interactions: bool) -> Vec<String> {
    let mut features = Vec::new();
    let mv = position.parse_move(mv).unwrap();
    study_move_features(position, mv, interactions, &mut features);
    features.into_iter().map(|feature| study_feature_name(feature.into())).collect()
}

#[test]
fn moves_are_described_by_squares_and_interactions() {
    assert_eq!((STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS), (960, 2568));
    let start = Chess::default();
    assert_eq!(names(&start, "g1f3", false), ["from g1", "to f3"]);
    assert_eq!(names(&start, "g1f3", true), ["from g1", "to f3", "N to f3", "N from g1"]);
    let castling = chess("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1");
    assert_eq!(names(&castling, "e8c8", true), ["from e8", "to c8", "k to c8", "k from e8"]);
    let passing = chess("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    let expected = ["from d4", "to e3", "p to e3", "p takes P", "p from d4"];
    assert_eq!(names(&passing, "d4e3", true), expected);
    let promotion = chess("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    let queen = names(&promotion, "e7d8q", true);
    assert_eq!(queen, ["from e7", "to d8", "P to d8", "P takes r", "P from e7"]);
    assert_eq!(names(&promotion, "e7d8n", true), queen);
}

#[test]
fn boards_have_one_feature_a_square() {
    let mut features = Vec::new();
    study_board_features(&Chess::default(), &mut features);
    let named: Vec<String> =
        features.iter().map(|&feature| study_feature_name(feature.into())).collect();
    assert_eq!(named.len(), 64);
    assert_eq!(named[..3], ["R on a1", "N on b1", "B on c1"]);
    assert_eq!((&named[16][..], &named[60][..]), ("a3 empty", "k on e8"));
}

#[test]
fn every_feature_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<String> =
        (0..STUDY_FEATURES_WITH_INTERACTIONS).map(study_feature_name).collect();
    assert_eq!(names.len(), STUDY_FEATURES_WITH_INTERACTIONS);
}
