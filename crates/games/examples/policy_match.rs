//! How much a policy is worth without a tree: flat Monte Carlo, every move tried equally often.
//!
//!     cargo run --release -p ludus-games --example policy_match [GAMES [SIMULATIONS [SIZE [A B]]]]
//!
//! `A` and `B` are `light`, `fuego` or `strong`, with rules switched off by `-rule`, such as
//! `strong-nakade-ladders`. They take turns to be Black.

use ludus_core::{Notation, Options, Position, Random, Side};
use ludus_games::go::{
    Go, Move,
    guide::GoGuide,
    policy::{PlayoutBoard, Policy},
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |index: usize, default| arguments.get(index).map_or(default, String::as_str);
    let number = |index, default| text(index, default).parse::<usize>().expect("a number");
    let (games, simulations, size) = (number(0, "20"), number(1, "300"), number(2, "9"));
    let names = [text(3, "fuego"), text(4, "light")];
    let players = names.map(policy);
    let options = Options::parse(&format!("go:size={size}"), Go::OPTIONS).expect("an option");
    let start = Go::start(&options).expect("a start");
    let mut random = Random::new(1);
    let mut wins = 0;
    for game in 0..games {
        let first = game % 2;
        let score = play(&start, [&players[first], &players[1 - first]], simulations, &mut random);
        wins += usize::from((score > 0.0) == (first == 0));
    }
    println!("{} won {wins} of {games} games against {}", names[0], names[1]);
}

/// Reads a policy such as `strong-nakade`.
fn policy(text: &str) -> Policy {
    let mut words = text.split('-');
    let mut policy = match words.next() {
        Some("light") => Policy::light(),
        Some("fuego") => Policy::fuego(),
        Some("strong") => Policy::strong(),
        _ => panic!("no policy {text}"),
    };
    for word in words {
        match word {
            "ko_refight" => policy.ko_refight = 0,
            "nakade" => policy.nakade = 0,
            "capture" => policy.capture = 0,
            "defence" => policy.defence = 0,
            "ladders" => policy.ladders = false,
            "low_liberty" => policy.low_liberty = 0,
            "patterns" => policy.patterns = 0,
            "global_capture" => policy.global_capture = 0,
            "correction" => policy.correction = 0,
            "rejection" => policy.rejection = 0,
            "mercy" => policy.mercy = 0,
            _ => panic!("no rule {word}"),
        }
    }
    policy
}

/// The final score of a game of Black's policy against White's.
fn play(start: &Go, players: [&Policy; 2], simulations: usize, random: &mut Random) -> f32 {
    let mut go = start.clone();
    let longest = 2 * go.board().size() * go.board().size();
    for _ in 0..longest {
        if go.outcome().is_some() {
            break;
        }
        go.play(best(&go, players[go.turn().index()], simulations, random));
    }
    go.score()
}

/// The move with the most won playouts.
fn best(go: &Go, policy: &Policy, simulations: usize, random: &mut Random) -> Move {
    let mut moves = Vec::new();
    ludus_core::Guide::moves(&mut GoGuide::fuego(), go, &mut moves);
    let each = simulations.div_ceil(moves.len());
    let mut board = PlayoutBoard::new(go);
    let mut played = Vec::new();
    let mut worth = |mv| {
        let after = go.after(mv);
        let won = (0..each).filter(|_| {
            played.clear();
            board.set(&after);
            let score = board.play_out(policy, random, &mut played);
            (score > 0.0) == (go.turn() == Side::First)
        });
        won.count()
    };
    moves.into_iter().max_by_key(|&mv| worth(mv)).expect("a guide always has a move")
}
