//! Static bounds of the solver against plain negamax.

use super::{cells, score, search::CELLS, table::PositionKey, zugzwang};
use ludus_core::{Position, Random, Score};
use ludus_games::connect4::{Connect4, has_four};

/// A position with this number of discs in a random game that is not over.
fn random_position(random: &mut Random, discs: usize) -> Connect4 {
    let mut position = Connect4::default();
    let mut moves = Vec::new();
    while position.all().count_ones() < discs as u32 {
        moves.clear();
        position.legal_moves(&mut moves);
        match random.pick(&moves) {
            Some(column) => position.play(column),
            None => position = Connect4::default(),
        }
    }
    if position.outcome().is_some() { random_position(random, discs) } else { position }
}

/// The exact score, counted from the end of the game, by negamax with a window and nothing else.
fn plain(position: &Connect4, alpha: i32, beta: i32) -> i32 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves.is_empty() {
        let missing = CELLS / 2 + 1 - position.other().count_ones() as i32;
        return if has_four(position.other()) { -missing } else { 0 };
    }
    let mut best = -CELLS;
    for column in moves {
        best = best.max(-plain(&position.after(column), -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

#[test]
fn zugzwang_proves_only_what_is_true() {
    let mut random = Random::new(21);
    let mut claims = [0; 4];
    for round in 0..6_000 {
        let position = random_position(&mut random, 26 + round % 10);
        let (own, all, landings) = (position.own(), position.all(), position.landings());
        let threats = cells::completing_cells(position.other()) & !all;
        let claim = match round % 2 {
            0 => zugzwang::second_player_bound(own, all, landings),
            _ => zugzwang::first_player_bound(own, all, landings, threats),
        };
        let Some(upper) = claim else { continue };
        claims[(upper + 2) as usize] += 1;
        let value = plain(&position, upper, upper + 1);
        assert!(value <= upper, "{position:?}: {value} is more than {upper}");
    }
    assert!(claims[..3].iter().all(|&count| count > 20), "{claims:?}");
}

#[test]
fn positions_with_one_identity_have_one_score() {
    let mut random = Random::new(22);
    let mut same = 0;
    for _ in 0..400 {
        let position = random_position(&mut random, 32);
        let pick = |random: &mut Random, cells: u64| {
            let bits: Vec<u64> =
                (0..64).map(|bit| 1 << bit).filter(|bit| cells & bit != 0).collect();
            random.pick(&bits).unwrap()
        };
        for _ in 0..20 {
            // Two discs change places: mostly another position, sometimes the same to the solver.
            let swap = pick(&mut random, position.own()) | pick(&mut random, position.other());
            let other = Connect4::new(position.own() ^ swap, position.all());
            let won = has_four(other.own()) || has_four(other.other());
            let key = |position: &Connect4| PositionKey::new(position.own(), position.all());
            if !won && key(&other) == key(&position) {
                let value = |position: &Connect4| plain(position, -CELLS, CELLS);
                assert_eq!(value(&position), value(&other), "{position:?} {other:?}");
                same += 1;
            }
        }
    }
    assert!(same > 100, "{same}");
}

#[test]
fn scores_count_plies_from_the_position() {
    let start = Connect4::default();
    assert_eq!(score(1, &start).win_in(), Some(41));
    assert_eq!(score(-1, &start).win_in(), Some(-42));
    assert_eq!(score(0, &start), Score::DRAW);
    let next = start.after(3);
    assert_eq!(score(-1, &next).win_in(), Some(-40));
    assert_eq!(score(1, &next).win_in(), Some(41));
}
