use super::*;
use ludus_core::{Notation, Options, Position, Random};

/// Black's view of a board given by its pieces.
fn board(pieces: &str) -> PlayerView {
    let options = Options::parse("draughts", Draughts::OPTIONS).unwrap();
    let position = Draughts::parse(&options, &format!("B:{pieces}")).unwrap();
    PlayerView::of(&position, Colour::Black)
}

#[test]
fn pieces_more_and_fewer() {
    let ahead = board("B1,2,3,K20:W32");
    assert_eq!((ahead.piece_advantage(), ahead.piece_disadvantage()), (3, 0));
    let behind = board("B1:W30,31,K32");
    assert_eq!((behind.piece_advantage(), behind.piece_disadvantage()), (0, 2));
}

#[test]
fn pieces_under_threat() {
    // 18 can take 15 (to 11); 14 is guarded by 9 and 10. Black can take 18 by 15x22 and 14x23.
    let view = board("B9,10,14,15:W18,26");
    assert_eq!((view.piece_threat(), view.piece_take()), (1, 1));
    // A man does not take backwards, a king does.
    assert_eq!(board("B18:W14").piece_threat(), 0);
    assert_eq!(board("B18:WK14").piece_threat(), 1);
    assert_eq!(board("BK18:W14").piece_take(), 1);
}

#[test]
fn rows_gained() {
    assert_eq!(board("B17,20,24,9:W32").advancement(), 2);
    assert_eq!(board("B9,13,17:W32").advancement(), 0);
}

#[test]
fn places() {
    let view = board("B1,3,5,10,14,K15,K27:W12,21");
    assert_eq!(view.double_diagonal(), 6);
    assert_eq!((view.centre_control(), view.king_centre_control()), (3, 1));
    assert_eq!(view.back_row_bridge(), 1);
    assert_eq!(board("B1,3:WK32").back_row_bridge(), 0);
}

#[test]
fn what_the_enemy_reaches() {
    // 22 stands in the middle and goes to 17 and 18, 27 to 23 and 24.
    let view = board("B1:W22,27");
    assert_eq!((view.x_centre_control(), view.total_mobility()), (3, 4));
    assert_eq!(board("B1:WK18").total_mobility(), 4);
}

#[test]
fn exposed_pieces() {
    // 15 stands between 10 and 19, and between 11 and 18; 2 is on the edge; 22 is shut in.
    assert_eq!(board("B2,15:W32").exposure(), 1);
    assert_eq!(board("B22,17,18:W25,26").exposure(), 2);
}

#[test]
fn steps_that_threaten() {
    // 10-15 attacks 19 (24 behind it is empty), 10-14 nothing.
    assert_eq!(board("B10:W19").threat(), 1);
    assert_eq!(board("B10:W19,24").threat(), 0);
    // 23-19 or 23-18 attacks 15 or 14.
    assert_eq!(board("B14,15:W23").taken(), 2);
}

#[test]
fn diagonal_moments() {
    // 32 ends a file, 2 and 13 are beside one; 18 is inside one, 29 three steps off.
    assert_eq!(board("B12:WK2,13,18,29,32").diagonal_moment(), 3);
}

#[test]
fn lonely_pieces() {
    assert_eq!(board("B1,10,11,15,K20:W30").pole(), 1);
    assert_eq!(board("B10:W18,22,29").node(), 2);
}

#[test]
fn back_rows() {
    assert_eq!(board("B2,3,7:W32").triangle_of_oreo(), 1);
    assert_eq!(board("B2,3,7:WK32").triangle_of_oreo(), 0);
    assert_eq!(board("B12:W26,30,31").triangle_of_oreo(), 1);
    assert_eq!(board("B12:W30,32").back_row_control(), 1);
    assert_eq!(board("BK12:W30,32").back_row_control(), 0);
}

#[test]
fn empty_squares() {
    // 14 has 9, 10 and 18 beside it.
    assert_eq!(board("B9,10:W18,32").hole(), 1);
    // 18 lies between 14 and 23.
    let between = board("B1:W14,23").gap();
    let apart = board("B1:W14,K4").gap();
    assert!(between > apart && apart >= 0, "{between} {apart}");
}

#[test]
fn offers() {
    // 11-15 and 11-16 can be taken by 19 and 20; so can nothing else.
    let view = board("B11:W19,20");
    assert_eq!((view.exchange(), view.denial_of_occupancy()), (2, 2));
    assert_eq!(view.undenied_mobility(), (view.total_mobility() - 2).max(0));
    assert_eq!(board("B1:W32").exchange(), 0);
}

#[test]
fn apex_and_cramp() {
    assert_eq!(board("B7,12:W32").apex(), 1);
    assert_eq!(board("B7,12:W26").apex(), 0);
    assert_eq!(board("B7,K12:W32").apex(), 0);
    assert_eq!(board("B9,13:W17,21,22,25").cramp(), 1);
    assert_eq!(board("B9,13:W17,21,22").cramp(), 0);
    assert_eq!(board("B13:W17,21,22,25").cramp(), 0);
}

#[test]
fn strings_and_forks() {
    assert_eq!(board("B1:W14,18,23").dyke(), 1);
    assert_eq!(board("B1:W14,18,23,27").dyke(), 2);
    // 7-10 attacks 14 (to 17) and 15 (to 19).
    assert_eq!(board("B7:W14,15").fork(), 1);
    assert_eq!(board("B7:W14,15,19").fork(), 0);
}

#[test]
fn both_players_see_the_same_of_a_turned_board() {
    let mut random = Random::new(6);
    for _ in 0..40 {
        let mut position = Draughts::new(Rules::English);
        for _ in 0..80 {
            let turned_round = Draughts::with(
                Rules::English,
                !position.colour(),
                [Colour::Black, Colour::White]
                    .map(|colour| rotated(Rules::English, position.pieces(!colour))),
                rotated(Rules::English, position.kings()),
            );
            let [black, white] = [Colour::Black, Colour::White].map(|colour| {
                (PlayerView::of(&position, colour), PlayerView::of(&turned_round, !colour))
            });
            assert_eq!(black.0, black.1);
            assert_eq!(white.0, white.1);
            for feature in FEATURES {
                let count = (feature.count)(&black.0);
                assert!((0..=32).contains(&count), "{}: {count}", feature.name);
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            position.play(mv);
        }
    }
}

#[test]
fn all_counts_stand_in_the_order_of_the_features() {
    let counts = counts(&board("B7,10:W14,15,19"));
    let place = |name| FEATURES.iter().position(|feature| feature.name == name).unwrap();
    assert_eq!(counts[place("PieceDisadvantage")], 1);
    assert_eq!(counts[place("CentreControl")], 1);
}

#[test]
fn inputs_are_the_counts_in_binary() {
    let places: Vec<usize> = (0..IIGA_FEATURES).collect();
    assert_eq!(FeatureMap::new(&places).inputs(), 45);
    assert_eq!(FeatureMap::new(&places[..NEURODRAUGHTS_FEATURES]).inputs(), 38);
    let view = board("B1,2,3,K20:W32");
    let map = FeatureMap::new(&[0, 1, 5]);
    // An advantage of 3, no disadvantage, one piece on the double diagonal.
    assert_eq!(map.bits(&view), 0b0001_0000_0011);
    // 20 pieces more do not fit into four bits.
    let many = PlayerView { own: Eight::SQUARES & 0x7FFFFF, enemy: 0, kings: 0 };
    assert_eq!(FeatureMap::new(&[0]).bits(&many), 0b1111);
}
