//! `eval`: the evaluation of the textbook searches.

use ludus_core::{History, Limits, Options, Random, Score, SearchControl};
use ludus_games::{connect4::Connect4, draughts::Draughts, reversi::Reversi, tictactoe::TicTacToe};
use ludus_players::{Resources, Roster, build_player};
use std::sync::atomic::AtomicBool;

const SEARCHES: [&str; 9] =
    ["minimax", "negamax", "alphabeta", "aspiration", "negascout", "pvs", "mtdf", "sss", "dual"];
const EVALUATIONS: [&str; 4] = ["hand", "none", "mobility", "random"];

/// The move and the value a player finds; with `game_seed`, in a new game with that seed.
fn decision<P: Roster>(
    spec: &str,
    game: &History<P>,
    seed: u64,
    game_seed: Option<u64>,
) -> (P::Move, Score) {
    let resources = Resources { seed, ..Resources::default() };
    let mut player = build_player::<P>(spec, &resources).unwrap();
    if let Some(seed) = game_seed {
        player.new_game(seed);
    }
    let stop = AtomicBool::new(false);
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    let choice = player.choose(game, &Limits::default(), control).unwrap();
    let score = choice.report.score.expect("a search has a value");
    (choice.report.line[0], score)
}

/// Unfinished games of random moves.
fn openings<P: Roster>(count: usize, plies: usize) -> Vec<History<P>> {
    let options = Options::defaults(P::ID, P::OPTIONS);
    let start = P::start(&options).unwrap();
    let mut random = Random::new(1);
    let mut games = Vec::new();
    while games.len() < count {
        let mut game = History::new(start.clone());
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.last().legal_moves(&mut moves);
            if let Some(mv) = random.pick(&moves) {
                game.push(mv);
            }
        }
        if P::ending(&game).is_none() {
            games.push(game);
        }
    }
    games
}

fn agree<P: Roster>(plies: usize) {
    for game in openings::<P>(3, plies) {
        for eval in EVALUATIONS {
            let value =
                |player| decision(&format!("{player}:depth=3,eval={eval}"), &game, 7, None).1;
            let wanted = value("minimax");
            for player in SEARCHES {
                let place = game.last().text();
                assert_eq!(value(player), wanted, "{player}, eval={eval} in {place}");
            }
        }
    }
}

#[test]
fn all_searches_agree_under_every_evaluation() {
    agree::<TicTacToe>(2);
    agree::<Connect4>(8);
    agree::<Reversi>(12);
    agree::<Draughts>(12);
}

#[test]
fn the_evaluation_changes_the_move() {
    let games = openings::<Reversi>(6, 14);
    let moves = |eval| -> Vec<_> {
        let spec = format!("alphabeta:depth=2,eval={eval}");
        games.iter().map(|game| decision(&spec, game, 1, None).0).collect()
    };
    let chosen = EVALUATIONS.map(moves);
    for (index, one) in chosen.iter().enumerate() {
        assert!(chosen[..index].iter().all(|other| other != one), "{chosen:?}");
    }
    let default = games.iter().map(|game| decision("alphabeta:depth=2", game, 1, None).0);
    assert!(default.eq(chosen[0].iter().copied()), "the handcrafted evaluation is the default");
}

#[test]
fn without_an_evaluation_only_ends_are_seen() {
    let value =
        |eval, game: &_| decision(&format!("negascout:depth=3,eval={eval}"), game, 1, None).1;
    let games = openings::<Connect4>(40, 16);
    let (mut open, mut ended) = (0, 0);
    for game in &games {
        let seen = value("none", game);
        match seen.win_in() {
            Some(_) => {
                ended += 1;
                assert_eq!(seen, value("hand", game), "ends count the same");
            }
            None => {
                open += 1;
                assert_eq!(seen, Score::DRAW);
            }
        }
    }
    assert!(open > 5 && ended > 5, "{open} open, {ended} ended");
}

#[test]
fn chance_comes_from_the_seed_of_the_player_and_then_of_the_game() {
    let games = openings::<Draughts>(5, 8);
    for player in ["minimax", "mtdf"] {
        let spec = format!("{player}:depth=2,eval=random");
        let values = |seed, game_seed| -> Vec<_> {
            games.iter().map(|game| decision(&spec, game, seed, game_seed).1).collect()
        };
        assert_eq!(values(1, None), values(1, None));
        assert_ne!(values(1, None), values(2, None));
        assert_eq!(values(1, Some(2)), values(2, None));
        assert_eq!(values(1, Some(2)), values(5, Some(2)));
    }
}
