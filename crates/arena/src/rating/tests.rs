use super::*;

fn pairing(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Pairing {
    Pairing { first, second, wdl: Wdl::new(wins, draws, losses) }
}

fn rated(players: usize, pairings: &[Pairing]) -> Ratings {
    rate(players, pairings, &RatingOptions::default()).unwrap()
}

fn elo(ratings: &Ratings, player: usize) -> f64 {
    ratings.players[player].elo.value.unwrap()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

/// One half of a virtual point each: without draws the rating is that of `(wins + 1/2) / (games +
/// 1)`, and the variance of a log odds is the inverse of `n p (1 - p)`.
#[test]
fn two_players_without_draws_have_a_closed_form() {
    let ratings = rated(2, &[pairing(0, 1, 30, 0, 10)]);
    let odds: f64 = 30.5 / 10.5;
    close(elo(&ratings, 0), 200.0 * odds.log10());
    close(elo(&ratings, 1), -200.0 * odds.log10());
    let deviation = (41.0f64 / (30.5 * 10.5)).sqrt();
    close(ratings.players[0].elo.error().unwrap(), Z95 * deviation * ELO_PER_NAT / 2.0);
    assert_eq!(ratings.draw_rate, Some(0.0));
}

/// With almost no prior the difference is that of the score by the usual formula.
#[test]
fn a_gap_means_the_score_of_the_usual_formula_with_draws_too() {
    let options = RatingOptions { prior: 0.0, ..RatingOptions::default() };
    for (wins, draws, losses) in [(60, 900, 40), (600, 300, 100), (60, 0, 40)] {
        let wdl = Wdl::new(wins, draws, losses);
        let ratings = rate(2, &[Pairing { first: 0, second: 1, wdl }], &options).unwrap();
        let difference = elo(&ratings, 0) - elo(&ratings, 1);
        let by_match = crate::elo::ScoreSample::from(wdl).elo();
        assert!((difference - by_match.value.unwrap()).abs() < 1e-3, "{difference}");
        // The error is that of the match, whose difference is twice as large as a rating.
        let (error, expected) =
            (2.0 * ratings.players[0].elo.error().unwrap(), by_match.error().unwrap());
        assert!((error - expected).abs() < 0.05 * expected, "{error} {expected}");
    }
    // With more players, a gap still gives the expected score of the two.
    let pairings = [pairing(0, 1, 40, 50, 10), pairing(1, 2, 30, 60, 10), pairing(0, 2, 55, 40, 5)];
    let ratings = rate(3, &pairings, &options).unwrap();
    let score = |a, b| crate::elo::expected_score(elo(&ratings, a) - elo(&ratings, b));
    let points: f64 = 100.0 * (score(0, 1) + score(0, 2));
    assert!((points - (40.0 + 25.0 + 55.0 + 20.0)).abs() < 1e-3, "{points}");
}

/// The first side wins 3 : 1 between equal players: an advantage of 191 Elo.
#[test]
fn the_first_move_takes_its_part() {
    let pairings = [pairing(0, 1, 3000, 0, 1000), pairing(1, 0, 3000, 0, 1000)];
    let options = RatingOptions { first_move: true, ..RatingOptions::default() };
    let ratings = rate(2, &pairings, &options).unwrap();
    close(elo(&ratings, 0), 0.0);
    let found = ratings.first_move.value.unwrap();
    assert!((found - 400.0 * 3f64.log10()).abs() < 0.2, "{found}");
    assert!(ratings.first_move.low.unwrap() < found && found < ratings.first_move.high.unwrap());
    assert_eq!(rated(2, &pairings).first_move, Estimate::default());
    // With a first-move advantage, games say less about the players.
    let error = |ratings: &Ratings| ratings.players[0].elo.error().unwrap();
    assert!(error(&ratings) > error(&rated(2, &pairings)));
    // If it decides every game, the advantage is unbounded by the games, but the estimate is finite.
    let always = rate(2, &[pairing(0, 1, 50, 0, 0), pairing(1, 0, 50, 0, 0)], &options).unwrap();
    assert!(always.first_move.value.unwrap() > 500.0);
}

#[test]
fn players_who_only_win_stay_finite_and_first() {
    let ratings = rated(
        3,
        &[pairing(0, 1, 1_000_000, 0, 0), pairing(1, 2, 20, 0, 0), pairing(0, 2, 20, 0, 0)],
    );
    assert_eq!(ratings.ranking(), [0, 1, 2]);
    for rating in &ratings.players {
        let Estimate { value, low, high } = rating.elo;
        assert!(low.unwrap() < value.unwrap() && value.unwrap() < high.unwrap());
    }
    // Newton's method converges where minorisation-maximisation would need a million steps: observed
    // and expected points agree.
    let two = rated(2, &[pairing(0, 1, 1_000_000, 0, 0)]);
    close(elo(&two, 0) - elo(&two, 1), 400.0 * (1_000_000.5f64 / 0.5).log10());
}

/// Extreme results: one pair only draws, one only wins, and the first move decides the rest.
/// Minorisation-maximisation alone diverges far here before it returns.
#[test]
fn results_that_leave_almost_everything_to_the_prior_are_still_rated() {
    let many = 1 << 20;
    let pairings = [
        pairing(0, 4, 0, 0, many),
        pairing(0, 1, 0, many, 0),
        pairing(2, 3, 64, 0, 0),
        pairing(3, 2, many, 0, 0),
    ];
    let options = RatingOptions { first_move: true, ..RatingOptions::default() };
    let ratings = rate(5, &pairings, &options).unwrap();
    assert!(ratings.players.iter().all(|rating| rating.elo.error().is_some()));
    assert!(elo(&ratings, 4) > elo(&ratings, 0) && ratings.first_move.value.unwrap() > 0.0);
}

#[test]
fn nothing_but_draws_are_equal_players() {
    let few = rated(2, &[pairing(0, 1, 0, 4, 0)]);
    let many = rated(2, &[pairing(0, 1, 0, 4000, 0)]);
    close(elo(&few, 0), 0.0);
    close(elo(&many, 0), 0.0);
    let error = |ratings: &Ratings| ratings.players[0].elo.error().unwrap();
    assert!(error(&few) > 50.0 && error(&many) < 1.0, "{} {}", error(&few), error(&many));
    assert!(many.draw_rate.unwrap() > 0.99);
}

#[test]
fn groups_without_common_games_are_reported() {
    let ratings =
        rated(6, &[pairing(3, 0, 5, 1, 2), pairing(1, 4, 9, 3, 3), pairing(2, 5, 0, 0, 0)]);
    assert_eq!(ratings.groups, [vec![0, 3], vec![1, 4], vec![2], vec![5]]);
    assert!(!ratings.is_connected());
    assert_eq!(ratings.players[4].group, 1);
    for group in [[0, 3], [1, 4]] {
        close(elo(&ratings, group[0]) + elo(&ratings, group[1]), 0.0);
    }
    assert_eq!(ratings.players[2].elo, Estimate::default());
    // An anchor in one group does not affect the other.
    let options = RatingOptions {
        anchor: Anchor::Player { player: 0, elo: 1500.0 },
        ..RatingOptions::default()
    };
    let pairings = [pairing(3, 0, 5, 1, 2), pairing(1, 4, 9, 3, 3)];
    let anchored = rate(5, &pairings, &options).unwrap();
    close(elo(&anchored, 0), 1500.0);
    close(anchored.players[0].elo.error().unwrap(), 0.0);
    close(elo(&anchored, 3) - 1500.0, 2.0 * elo(&rated(5, &pairings), 3));
    close(elo(&anchored, 1), elo(&rated(5, &pairings), 1));
}

#[test]
fn bad_input_is_an_error() {
    let options = RatingOptions::default();
    let error = |pairings: &[Pairing], options: &RatingOptions| {
        rate(2, pairings, options).unwrap_err().to_string()
    };
    assert!(error(&[pairing(0, 2, 1, 0, 0)], &options).contains("player 2 of 2 does not exist"));
    assert!(error(&[pairing(1, 1, 1, 0, 0)], &options).contains("paired with itself"));
    let far = RatingOptions { anchor: Anchor::Player { player: 7, elo: 0.0 }, ..options };
    assert!(error(&[], &far).contains("player 7 of 2"));
    assert!(error(&[], &RatingOptions { prior: f64::NAN, ..options }).contains("prior"));
    let nan = RatingOptions { anchor: Anchor::Player { player: 0, elo: f64::NAN }, ..options };
    assert!(error(&[], &nan).contains("anchor"));
    assert_eq!(rated(0, &[]).players, []);
    assert_eq!(rated(1, &[]).groups, [[0]]);
    assert_eq!(rated(3, &[]).draw_rate, None);
}

#[test]
fn the_order_of_players_and_pairings_does_not_matter() {
    let pairings = [
        pairing(0, 1, 12, 5, 3),
        pairing(1, 2, 7, 9, 4),
        pairing(2, 0, 1, 2, 17),
        pairing(3, 0, 4, 4, 12),
        pairing(2, 3, 10, 0, 10),
    ];
    let options = RatingOptions { first_move: true, ..RatingOptions::default() };
    let plain = rate(4, &pairings, &options).unwrap();
    let turned: Vec<Pairing> = pairings
        .iter()
        .rev()
        .map(|old| Pairing { first: 3 - old.first, second: 3 - old.second, wdl: old.wdl })
        .collect();
    let turned = rate(4, &turned, &options).unwrap();
    for player in 0..4 {
        let (a, b) = (plain.players[player].elo, turned.players[3 - player].elo);
        close(a.value.unwrap(), b.value.unwrap());
        close(a.error().unwrap(), b.error().unwrap());
    }
    close(plain.first_move.value.unwrap(), turned.first_move.value.unwrap());
    // Split into single entries, the games give the same ratings.
    let mut split = pairings.to_vec();
    split[0] = pairing(0, 1, 10, 5, 0);
    split.push(pairing(0, 1, 2, 0, 3));
    // To the last bit: a resumed tournament reports the same as an uninterrupted one.
    assert_eq!(plain, rate(4, &split, &options).unwrap());
}

#[test]
fn turning_every_result_turns_every_rating() {
    let pairings = [pairing(0, 1, 12, 5, 3), pairing(1, 2, 7, 9, 4), pairing(2, 0, 1, 2, 17)];
    let mirrored: Vec<Pairing> =
        pairings.iter().map(|old| Pairing { wdl: old.wdl.mirrored(), ..*old }).collect();
    let (plain, mirrored) = (rated(3, &pairings), rated(3, &mirrored));
    for player in 0..3 {
        close(elo(&plain, player), -elo(&mirrored, player));
    }
    // The first side does not matter unless its advantage is fitted.
    let swapped: Vec<Pairing> = pairings
        .iter()
        .map(|old| Pairing { first: old.second, second: old.first, wdl: old.wdl.mirrored() })
        .collect();
    let swapped = rated(3, &swapped);
    (0..3).for_each(|player| close(elo(&plain, player), elo(&swapped, player)));
}

/// A long chain, where convergence is slow: observed and expected points agree.
#[test]
fn a_chain_of_sixty_players_is_fitted_exactly() {
    let pairings: Vec<Pairing> = (0..59).map(|i| pairing(i, i + 1, 12, 0, 8)).collect();
    let ratings = rated(60, &pairings);
    for player in 0..59 {
        let step = elo(&ratings, player) - elo(&ratings, player + 1);
        // The ends share their virtual game with a player who has another.
        let games: f64 = if player == 0 || player == 58 { 0.75 } else { 0.5 };
        close(step, 400.0 * ((12.0 + games / 2.0) / (8.0 + games / 2.0)).log10());
    }
}
