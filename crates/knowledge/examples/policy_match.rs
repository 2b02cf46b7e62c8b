//! Strength of a policy without a tree: flat Monte Carlo, every move tried equally often.
//!
//!     cargo run --release -p ludus-knowledge --example policy_match [GAMES [SIMULATIONS [SIZE [A B]]]]
//!
//! `A` and `B` are `light`, `fuego` or `strong`, with rules switched off by `-rule`, such as
//! `strong-nakade-ladders`. They take turns to be Black.

use ludus_core::{LeafEvaluator, Notation, Options, Playout, Position, Random};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::{
    leaf_evaluator::GoLeafEvaluator, policy::PlayoutPolicy, priors::GoPriors,
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
fn policy(text: &str) -> PlayoutPolicy {
    let mut words = text.split('-');
    let mut policy = match words.next() {
        Some("light") => PlayoutPolicy::light(),
        Some("fuego") => PlayoutPolicy::fuego(),
        Some("strong") => PlayoutPolicy::strong(),
        _ => panic!("no policy {text}"),
    };
    for word in words {
        policy.set(&word.replace('_', "-"), 0).unwrap_or_else(|| panic!("no rule {word}"));
    }
    policy
}

/// The final score of a game of Black's policy against White's.
fn play(start: &Go, players: [&PlayoutPolicy; 2], simulations: usize, random: &mut Random) -> f32 {
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

/// The move with the best mean value. Without the small part of it that is the margin, a player far
/// ahead would find all moves equal and play anything.
fn best(go: &Go, policy: &PlayoutPolicy, simulations: usize, random: &mut Random) -> GoMove {
    let mut evaluator = GoLeafEvaluator::new(policy.clone(), GoPriors::none());
    let mut moves = Vec::new();
    evaluator.moves(go, &mut moves);
    let each = simulations.div_ceil(moves.len());
    let mut playout = Playout::default();
    let mut worth = |mv| {
        let after = go.after(mv);
        if let Some(margin) = after.margin() {
            return margin.signum() * go.turn().sign() as f32;
        }
        let values = (0..each).map(|_| {
            playout.clear();
            -evaluator.simulate(&after, random, &mut playout)
        });
        values.sum::<f32>() / each as f32
    };
    let valued = moves.into_iter().map(|mv| (worth(mv), mv));
    let best = valued.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.expect("there is always a move").1
}
