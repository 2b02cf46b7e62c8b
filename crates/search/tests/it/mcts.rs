//! Monte-Carlo tree search as a whole.

use ludus_core::{
    HasEval, History, LeafEvaluator, Limits, NodeStats, Notation, Options, Outcome, Playout,
    Position, Random, Report, SearchControl, Side, position::mix,
};
use ludus_knowledge::chess::ChessKnowledge;

use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, go::Go, reversi::Reversi,
    split_nim::SplitNim, tictactoe::TicTacToe,
};
use ludus_search::mcts::{
    FinalChoice, Mcts, MctsSettings, MctsTrace, ProvenValue, RaveSchedule, RaveSettings, Rollouts,
    SelectionPolicy, TruncatedRollouts,
};
use ludus_search::{Search, SearchOutput};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::Duration,
};

const NO_SOLVER: MctsSettings = MctsSettings { solver: false, ..MctsSettings::UCT };

fn start<P: Notation>(spec: &str) -> P {
    P::start(&Options::parse(spec, P::OPTIONS).unwrap()).unwrap()
}

fn search<P: Position, G: LeafEvaluator<P>>(
    mcts: &mut Mcts<P, G>,
    game: &History<P>,
    simulations: u64,
) -> Report<P::Move> {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(simulations), ..Limits::default() };
    mcts.search(game, &limits, &mut SearchControl { stop: &stop, on_report: &mut |_| {} })
}

fn rollouts<P: Position>(
    settings: MctsSettings,
    threads: usize,
    seed: u64,
) -> Mcts<P, Rollouts<P::Move>> {
    Mcts::new(settings, threads, seed, || match settings.rave {
        Some(_) => Rollouts::recorded(),
        None => Rollouts::new(),
    })
}

/// 1, 0 or -1 for the side to move, by exhaustive search.
fn negamax<P: Position>(position: &P) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.value(position.turn()) as i32;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|&mv| -negamax(&position.after(mv))).max().unwrap()
}

fn moves_of<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

#[test]
fn it_never_loses_at_noughts_and_crosses() {
    for seed in 0..40 {
        let settings = if seed % 2 == 0 { MctsSettings::UCT } else { NO_SOLVER };
        let mut mcts = rollouts::<TicTacToe>(settings, 1, seed);
        let mut random = Random::new(seed);
        let mut game = History::new(TicTacToe::default());
        let own = (seed / 2 % 2) as usize;
        while game.last().outcome().is_none() {
            let moves = moves_of(game.last());
            let mv = if game.last().turn().index() == own {
                search(&mut mcts, &game, 2_000).line[0]
            } else if seed % 3 == 0 {
                random.pick(&moves).unwrap()
            } else {
                let worth = |&mv: &u8| -negamax(&game.last().after(mv));
                let best = moves.iter().map(worth).max().unwrap();
                let equal: Vec<u8> = moves.into_iter().filter(|mv| worth(mv) == best).collect();
                random.pick(&equal).unwrap()
            };
            game.push(mv);
        }
        let lost = Outcome::Win(Side::BOTH[1 - own]);
        assert_ne!(game.last().outcome(), Some(lost), "seed {seed}: {:?}", game.moves());
    }
}

#[test]
fn noughts_and_crosses_is_proven_a_draw() {
    let mut mcts =
        rollouts::<TicTacToe>(MctsSettings { early_stop: false, ..MctsSettings::UCT }, 1, 3);
    let report = search(&mut mcts, &History::new(TicTacToe::default()), 1_000_000);
    assert!(
        report.nodes < 1_000_000,
        "it stops when there is nothing left to prove: {}",
        report.nodes
    );
    assert_eq!(report.score.unwrap().0, 0);
}

/// Random positions of `game`, `plies` from the start, against negamax.
fn check_proofs<P: Position>(start: &P, plies: usize, positions: u64) {
    for seed in 0..positions {
        let mut random = Random::new(seed);
        let mut game = History::new(start.clone());
        for _ in 0..plies {
            let Some(mv) = random.pick(&moves_of(game.last())) else { break };
            game.push(mv);
        }
        if game.last().outcome().is_some() {
            continue;
        }
        let settings = MctsSettings { early_stop: false, ..MctsSettings::UCT };
        let mut mcts = rollouts::<P>(settings, 1 + seed as usize % 2, seed);
        let report = search(&mut mcts, &game, 2_000_000);
        assert!(report.nodes < 2_000_000, "seed {seed}: nothing proven");
        let score = report.score.unwrap();
        let value = negamax(game.last());
        assert_eq!(score.win_in().map_or(0, i32::signum), value, "seed {seed}: {score}");
        let reached = game.last().after(report.line[0]);
        assert_eq!(-negamax(&reached), value, "seed {seed}: a move that keeps the value");
    }
}

#[test]
fn proofs_agree_with_minimax() {
    check_proofs(&TicTacToe::default(), 3, 30);
    check_proofs(&start::<SplitNim>("split-nim:coins=12"), 1, 5);
    check_proofs(&Connect4::default(), 32, 30);
    check_proofs(&start::<Reversi>("reversi"), 53, 10);
}

#[test]
fn one_thread_is_a_function_of_the_seed() {
    let run = |seed| {
        let settings = MctsSettings { early_stop: false, ..MctsSettings::UCT };
        let mut mcts = rollouts::<Connect4>(settings, 1, seed);
        let mut game = History::new(Connect4::default());
        let first = search(&mut mcts, &game, 3_000);
        game.push(first.line[0]);
        game.push(moves_of(game.last())[0]);
        (first, search(&mut mcts, &game, 3_000))
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

fn visits<M>(report: &Report<M>) -> u64 {
    report.moves.iter().map(|entry| entry.visits).sum()
}

#[test]
fn every_simulation_is_counted_once_on_any_number_of_threads() {
    for threads in [1, 2, 4] {
        for rave in [
            None,
            Some(RaveSettings {
                schedule: RaveSchedule::FUEGO,
                skip: 20,
                first_only: false,
                nearness: 0.0,
                priors: true,
            }),
        ] {
            let settings = MctsSettings { rave, early_stop: false, ..NO_SOLVER };
            let mut mcts = rollouts::<Connect4>(settings, threads, 1);
            let report = search(&mut mcts, &History::new(Connect4::default()), 20_000);
            assert_eq!((report.nodes, visits(&report)), (20_000, 20_000), "{threads} threads");
        }
    }
}

/// Takes its time over the moves of a position.
struct Ponderous;

impl LeafEvaluator<Connect4> for Ponderous {
    fn simulate(&mut self, _: &Connect4, _: &mut Random, _: &mut Playout<u8>) -> f32 {
        0.0
    }

    fn moves(&mut self, position: &Connect4, out: &mut Vec<u8>) {
        // The other thread may come as far as it can.
        for _ in 0..1_000 {
            std::thread::yield_now();
        }
        position.legal_moves(out);
    }
}

#[test]
fn no_thread_simulates_before_the_root_has_moves() {
    let settings = MctsSettings { early_stop: false, expansion_threshold: u32::MAX, ..NO_SOLVER };
    let mut mcts = Mcts::new(settings, 2, 1, || Ponderous);
    let report = search(&mut mcts, &History::new(Connect4::default()), 1_000);
    assert_eq!((report.nodes, visits(&report)), (1_000, 1_000));
}

#[test]
fn the_kept_part_of_a_tree_is_the_same_tree() {
    let mut mcts = rollouts::<Connect4>(MctsSettings { early_stop: false, ..NO_SOLVER }, 1, 9);
    let mut game = History::new(Connect4::default());
    let mut growth = MctsTrace::new(1_000_000);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    let line = mcts.run(&game, &limits, SearchOutput::Trace(&mut growth), control).line;
    let (first, second) = (line[0], line[1]);
    let child = |parent: usize, mv: u8| {
        growth.nodes.iter().position(|node| node.parent == Some(parent) && node.mv == Some(mv))
    };
    let node = child(child(0, first).unwrap(), second).unwrap();
    let counts: HashMap<u8, u64> = growth
        .nodes
        .iter()
        .filter(|below| below.parent == Some(node))
        .map(|below| (below.mv.unwrap(), u64::from(below.visits)))
        .collect();
    game.push(first);
    game.push(second);
    let report = search(&mut mcts, &game, 1);
    for entry in &report.moves {
        let more = entry.visits - counts[&entry.mv];
        assert!(more <= 1, "{}: one simulation was added", entry.mv);
    }
    assert_eq!(visits(&report), counts.values().sum::<u64>() + 1);
}

#[test]
fn another_game_begins_with_another_tree() {
    let mut mcts = rollouts::<Connect4>(MctsSettings { early_stop: false, ..NO_SOLVER }, 1, 9);
    let mut game = History::new(Connect4::default());
    search(&mut mcts, &game, 1_000);
    game.push(3);
    let elsewhere = History::new(*game.last());
    assert_eq!(visits(&search(&mut mcts, &elsewhere, 500)), 500);
    game.pop();
    assert_eq!(visits(&search(&mut mcts, &game, 500)), 500);
}

#[test]
fn a_full_tree_goes_on_simulating() {
    for threads in [1, 2] {
        let settings = MctsSettings { memory: 1, early_stop: false, ..NO_SOLVER };
        let mut mcts = rollouts::<Go>(settings, threads, 1);
        let game = History::new(start::<Go>("go:size=9"));
        let report = search(&mut mcts, &game, 3_000);
        assert_eq!((report.nodes, visits(&report)), (3_000, 3_000));
        assert_eq!(report.moves.len(), 82);
    }
}

#[test]
fn stopping_early_does_not_change_the_choice() {
    let mut stopped = 0;
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let mut game = History::new(Connect4::default());
        for _ in 0..random.below(20) {
            game.push(random.pick(&moves_of(game.last())).unwrap());
            if game.last().outcome().is_some() {
                game.pop();
                break;
            }
        }
        let run = |early_stop| {
            let settings = MctsSettings { early_stop, ..NO_SOLVER };
            search(&mut rollouts::<Connect4>(settings, 1, seed), &game, 4_000)
        };
        let (short, long) = (run(true), run(false));
        assert_eq!(short.line[0], long.line[0], "seed {seed}");
        stopped += usize::from(short.nodes < long.nodes);
    }
    assert!(stopped > 10, "{stopped} searches stopped early");
}

/// Random games, each kept for the test to look at.
struct Logged(Rollouts<u8>, Arc<Mutex<Vec<Vec<u8>>>>);

impl LeafEvaluator<Connect4> for Logged {
    fn simulate(
        &mut self,
        position: &Connect4,
        random: &mut Random,
        playout: &mut Playout<u8>,
    ) -> f32 {
        let value = self.0.simulate(position, random, playout);
        self.1.lock().unwrap().push(playout.moves.clone());
        value
    }
}

#[test]
fn rave_counts_what_a_plain_recount_does() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let rave = Some(RaveSettings {
        schedule: RaveSchedule::FUEGO,
        skip: 20,
        first_only: false,
        nearness: 0.0,
        priors: true,
    });
    let settings = MctsSettings { rave, early_stop: false, ..NO_SOLVER };
    let mut mcts = Mcts::new(settings, 1, 4, || Logged(Rollouts::recorded(), Arc::clone(&log)));
    let mut growth = MctsTrace::new(1_000_000);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    let mut game = History::new(Connect4::default());
    [3, 3, 3, 3, 3, 2, 3, 2].iter().for_each(|&mv| game.push(mv));
    mcts.run(&game, &limits, SearchOutput::Trace(&mut growth), control);

    let mut counts: HashMap<(Vec<u8>, u8), (u32, f32)> = HashMap::new();
    let mut playouts = log.lock().unwrap().clone().into_iter();
    for simulation in &growth.simulations {
        let path = &simulation.path;
        let end = path.iter().fold(*game.last(), |position, &mv| position.after(mv));
        let playout = if end.outcome().is_some() { Vec::new() } else { playouts.next().unwrap() };
        let all: Vec<u8> = path.iter().copied().chain(playout).collect();
        for depth in 0..path.len() {
            for mv in 0..7 {
                if all[depth..].iter().step_by(2).any(|&made| made == mv) {
                    let entry = counts.entry((path[..depth].to_vec(), mv)).or_default();
                    let value = if depth % 2 == 0 { simulation.value } else { -simulation.value };
                    *entry = (entry.0 + 1, entry.1 + (value + 1.0) / 2.0);
                }
            }
        }
    }
    let mut paths: Vec<Vec<u8>> = Vec::new();
    let mut compared = 0;
    for node in &growth.nodes {
        let Some((parent, mv)) = node.parent.zip(node.mv) else {
            paths.push(Vec::new());
            continue;
        };
        let found = counts.get(&(paths[parent].clone(), mv)).copied();
        let mean = found.map(|(visits, points)| (visits, points / visits as f32));
        assert_eq!(node.rave, mean, "{:?} {mv}", paths[parent]);
        compared += usize::from(mean.is_some());
        paths.push([paths[parent].as_slice(), &[mv]].concat());
    }
    assert!(compared > 300, "{compared} nodes compared");
}

/// One to three stones are taken from a heap; its moves have no indices of their own.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Heap {
    stones: u8,
    turn: Side,
}

impl Position for Heap {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.stones.min(3));
    }

    fn play(&mut self, taken: u8) {
        *self = Heap { stones: self.stones - taken, turn: !self.turn };
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0).then_some(Outcome::Win(!self.turn))
    }

    fn key(&self) -> u64 {
        mix(2 * u64::from(self.stones) + self.turn.index() as u64)
    }
}

#[test]
fn rave_has_no_effect_where_all_moves_share_an_index() {
    let rave = Some(RaveSettings {
        schedule: RaveSchedule::FUEGO,
        skip: 0,
        first_only: false,
        nearness: 0.0,
        priors: false,
    });
    let game = History::new(Heap { stones: 30, turn: Side::First });
    let visits = |rave| {
        let settings = MctsSettings { rave, early_stop: false, ..NO_SOLVER };
        let report = search(&mut rollouts(settings, 1, 7), &game, 2_000);
        report.moves.iter().map(|entry| (entry.mv, entry.visits)).collect::<Vec<_>>()
    };
    assert_eq!(visits(rave), visits(None));
}

/// Random playouts of which every second one is interrupted after its first move.
struct Cut(Rollouts<u8>, Arc<Mutex<Vec<(usize, bool)>>>);

impl LeafEvaluator<Connect4> for Cut {
    fn simulate(
        &mut self,
        position: &Connect4,
        random: &mut Random,
        playout: &mut Playout<u8>,
    ) -> f32 {
        let value = self.0.simulate(position, random, playout);
        let mut log = self.1.lock().unwrap();
        playout.interrupted = log.len() % 2 == 1;
        if playout.interrupted {
            playout.moves.truncate(1);
        }
        log.push((playout.moves.len(), playout.interrupted));
        value
    }
}

#[test]
fn a_report_tells_what_the_playouts_of_the_search_took() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let settings = MctsSettings { early_stop: false, ..NO_SOLVER };
    let mut mcts = Mcts::new(settings, 2, 4, || Cut(Rollouts::recorded(), Arc::clone(&log)));
    let game = History::new(Connect4::default());
    for _ in 0..2 {
        log.lock().unwrap().clear();
        let found = search(&mut mcts, &game, 500).playouts.unwrap();
        let log = log.lock().unwrap();
        assert_eq!(found.begun, log.len() as u64);
        assert_eq!(found.interrupted, log.len() as u64 / 2);
        assert_eq!(found.moves, log.iter().map(|(moves, _)| *moves as u64).sum::<u64>());
    }
}

/// Sees all that is backed up, and calls every position at depth 1 lost for the side to move.
struct Watcher(Rollouts<u8>, Vec<NodeStats>);

impl LeafEvaluator<TicTacToe> for Watcher {
    const OBSERVES: bool = true;

    fn simulate(
        &mut self,
        position: &TicTacToe,
        random: &mut Random,
        playout: &mut Playout<u8>,
    ) -> f32 {
        self.0.simulate(position, random, playout)
    }

    fn observe(&mut self, _: &TicTacToe, stats: NodeStats) -> Option<f32> {
        self.1.push(stats);
        (stats.depth == 1).then_some(-1.0)
    }
}

#[test]
fn a_guide_can_observe_and_correct_what_is_backed_up() {
    let settings = MctsSettings { early_stop: false, ..NO_SOLVER };
    let mut mcts = Mcts::new(settings, 1, 1, || Watcher(Rollouts::new(), Vec::new()));
    let report = search(&mut mcts, &History::new(TicTacToe::default()), 200);
    assert!(report.score.unwrap().0 > 10_000, "{:?}", report.score);
    let seen = &mcts.evaluators().next().unwrap().1;
    assert_eq!(seen.iter().filter(|stats| stats.depth == 0).count(), 200);
    assert!(seen.iter().any(|stats| stats.depth == 2));
}

#[test]
fn flat_search_splits_evenly_or_by_confidence() {
    let game = History::new(Connect4::default());
    let even = search(&mut rollouts::<Connect4>(MctsSettings::FLAT, 1, 1), &game, 7_000);
    assert!(even.moves.iter().all(|entry| entry.visits == 1_000));
    assert_eq!(even.depth, 1);
    let ucb = MctsSettings { selection: SelectionPolicy::Ucb(0.7), ..MctsSettings::FLAT };
    let ucb = search(&mut rollouts::<Connect4>(ucb, 1, 1), &game, 7_000);
    assert_eq!((ucb.line.as_slice(), ucb.depth), ([3].as_slice(), 1));
    assert!(ucb.moves[0].visits > 2_000);
}

#[test]
fn every_final_choice_sees_the_winning_move() {
    let mut game = History::new(Connect4::default());
    [3, 0, 3, 0, 3, 1].iter().for_each(|&mv| game.push(mv));
    for final_choice in
        [FinalChoice::Visits, FinalChoice::Value, FinalChoice::LowerBound, FinalChoice::Total]
    {
        for solver in [false, true] {
            let settings = MctsSettings { final_choice, solver, ..MctsSettings::UCT };
            let report = search(&mut rollouts::<Connect4>(settings, 1, 1), &game, 3_000);
            assert_eq!(report.line[0], 3, "{final_choice:?}");
            assert_eq!(report.score.unwrap().win_in(), Some(1), "an end is an end");
        }
    }
}

#[test]
fn games_that_repeat_positions_end_in_the_tree() {
    // Two kings that can only walk: everything is a repetition or a draw.
    let options = Options::defaults("chess", Chess::OPTIONS);
    let chess = Chess::parse(&options, "8/8/8/3k4/8/8/1R6/K7 w - - 0 1").unwrap();
    let report =
        search(&mut rollouts::<Chess>(MctsSettings::UCT, 2, 1), &History::new(chess), 2_000);
    assert!(report.nodes > 0 && !report.line.is_empty());
    let draughts = start::<Draughts>("draughts");
    let settings = MctsSettings {
        rave: Some(RaveSettings {
            schedule: RaveSchedule::GELLY_SILVER,
            skip: 0,
            first_only: false,
            nearness: 0.0,
            priors: true,
        }),
        ..MctsSettings::UCT
    };
    let report = search(&mut rollouts(settings, 1, 1), &History::new(draughts), 1_000);
    assert!(visits(&report) >= 1_000 || report.nodes < 1_000);
}

#[test]
fn evaluations_guide_as_well_as_playouts() {
    let options = Options::defaults("chess", Chess::OPTIONS);
    // The queen can be taken.
    let chess = Chess::parse(&options, "k7/8/8/3q4/4P3/8/8/K7 w - - 0 1").unwrap();
    for plies in [0, 4] {
        let guide = || TruncatedRollouts::new(ChessKnowledge::handcrafted(), 300.0, plies);
        let mut mcts = Mcts::new(MctsSettings::UCT, 1, 1, guide);
        let report = search(&mut mcts, &History::new(chess.clone()), 2_000);
        assert_eq!(chess.move_text(report.line[0]), "e4d5", "{plies} plies");
    }
}

#[test]
fn time_limits_are_kept() {
    let mut mcts = rollouts::<Go>(NO_SOLVER, 2, 1);
    let stop = AtomicBool::new(false);
    let limits = Limits { time: Some(Duration::from_millis(60)), ..Limits::default() };
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    // Nothing else ends it.
    let report = mcts.search(&History::new(start::<Go>("go:size=19")), &limits, control);
    assert!(report.nodes > 0);
}

#[test]
fn a_trace_tells_every_simulation_and_the_tree_at_the_end() {
    let mut mcts = rollouts::<TicTacToe>(MctsSettings { early_stop: false, ..NO_SOLVER }, 1, 1);
    let mut growth = MctsTrace::new(100);
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    let game = History::new(TicTacToe::default());
    let report = mcts.run(&game, &limits, SearchOutput::Trace(&mut growth), control);
    assert_eq!((report.nodes, growth.total, growth.simulations.len()), (300, 300, 100));
    assert!(growth.nodes.len() <= 100);
    let root = &growth.nodes[0];
    assert_eq!((root.visits, root.parent, root.proof), (300, None, ProvenValue::Unknown));
    let below = growth.nodes.iter().filter(|node| node.parent == Some(0));
    assert_eq!(below.map(|node| node.visits).sum::<u32>(), 300);
}
