//! The solver against known results and against a plain search.

use super::*;
use ludus_core::{Notation, Options, Random};
use node::area;
use table::SolverTable;

const MEGABYTE: u64 = 1 << 20;
const KINDS: [(u64, SymmetryFolding); 3] = [
    (0, SymmetryFolding::None),
    (4 * MEGABYTE, SymmetryFolding::None),
    (4 * MEGABYTE, SymmetryFolding::Symmetries),
];

fn new_game(size: usize) -> History<Go> {
    let options = Options::parse(&format!("go:size={size},komi=0"), Go::OPTIONS).unwrap();
    History::new(Go::start(&options).unwrap())
}

fn solve(solver: &mut GoSolver, game: &History<Go>) -> (Solution, u64) {
    let stop = AtomicBool::new(false);
    let mut budget = GoSolverBudget::unlimited(&stop);
    let solution = solver.solve(game, MAX_DEPTH, &mut budget).unwrap();
    (solution, budget.nodes)
}

/// Fail-soft alpha-beta on the game itself, which carries its whole history; `None` beyond `budget`
/// nodes.
fn plain(go: &Go, mut alpha: i32, beta: i32, budget: &mut u32) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    let sign = if go.turn() == Side::First { 1 } else { -1 };
    if go.outcome().is_some() {
        return Some(sign * go.score() as i32);
    }
    let mut moves = Vec::new();
    go.legal_moves(&mut moves);
    // A pass that ends the game is the cheapest answer there is.
    moves.rotate_right(usize::from(go.passes() == 1));
    let mut best = -i32::MAX;
    for mv in moves {
        best = best.max(-plain(&go.after(mv), -beta, -alpha, budget)?);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    Some(best)
}

/// Black's lead by the plain search.
fn plain_lead(go: &Go, mut budget: u32) -> Option<i32> {
    let sign = if go.turn() == Side::First { 1 } else { -1 };
    plain(go, -99, 99, &mut budget).map(|lead| sign * lead)
}

/// A game of random moves, passes rarely among them, that goes on.
fn random_game(size: usize, moves: usize, random: &mut Random) -> History<Go> {
    let mut game = new_game(size);
    for _ in 0..moves {
        let mut legal = Vec::new();
        game.last().legal_moves(&mut legal);
        let stones = legal.len() - 1;
        if stones == 0 || random.below(8) == 0 {
            if game.last().passes() == 1 {
                break;
            }
            game.push(GoMove::Pass);
        } else {
            game.push(legal[random.below(stones)]);
        }
    }
    game
}

/// The lead of the side to move by alpha-beta over boards and their whole history, without anything
/// else; `None` beyond `budget` nodes.
fn plain_on_grid(
    grid: &Grid,
    node: &Node,
    game_boards: &mut Vec<Stones>,
    window: (i32, i32),
    budget: &mut u32,
) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    let (mut alpha, beta) = window;
    let pass = if node.passed {
        area(grid, node.stones, node.turn)
    } else {
        -plain_on_grid(grid, &node.after_pass(), game_boards, (-beta, -alpha), budget)?
    };
    let mut best = pass;
    for point in 0..grid.count() as u8 {
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
        let free = node.empty(grid) >> point & 1 == 1;
        let Some(child) = node.after_stone(grid, point).filter(|_| free) else { continue };
        if game_boards.contains(&child.stones) {
            continue;
        }
        game_boards.push(child.stones);
        let value = plain_on_grid(grid, &child, game_boards, (-beta, -alpha), budget);
        game_boards.pop();
        best = best.max(-value?);
    }
    Some(best)
}

/// A game of random moves on any grid: its last position and all its boards.
fn random_play(grid: &Grid, moves: usize, random: &mut Random) -> (Node, Vec<Stones>) {
    let mut node = Node { stones: [0; 2], turn: 0, passed: false, ko: NOWHERE };
    let mut game_boards = vec![node.stones];
    for _ in 0..moves {
        let point = random.below(grid.count() as usize) as u8;
        let free = node.empty(grid) >> point & 1 == 1;
        match node.after_stone(grid, point).filter(|_| free) {
            Some(child) if !game_boards.contains(&child.stones) => {
                game_boards.push(child.stones);
                node = child;
            }
            _ if !node.passed && random.below(4) == 0 => node = node.after_pass(),
            _ => {}
        }
    }
    (node, game_boards)
}

/// Compares random games with the plain search where that ends within `budget` nodes, and returns
/// their number. One table is shared by all, full of results with other histories.
fn compare_on_grid(rows: usize, columns: usize, games: usize, budget: u32) -> usize {
    let grid = Grid::new(rows, columns);
    let mut random = Random::new(11);
    let new_tables = || KINDS.map(|(bytes, _)| (bytes > 0).then(|| SolverTable::new(bytes)));
    let mut tables = new_tables();
    let mut last_counting = [TerritoryClaim::Territory; 2];
    let mut compared = 0;
    for _ in 0..games {
        let moves = random.below(12 * rows * columns);
        let (node, mut boards) = random_play(&grid, moves, &mut random);
        let mut left = budget;
        let all = (-99, 99);
        let Some(expected) = plain_on_grid(&grid, &node, &mut boards, all, &mut left) else {
            continue;
        };
        compared += 1;
        let game_boards = GameBoards { territory_claims: territory_claims(&boards, &grid), boards };
        if game_boards.territory_claims != last_counting {
            last_counting = game_boards.territory_claims;
            tables = new_tables();
        }
        for (table, (_, folding)) in tables.iter_mut().zip(KINDS) {
            let stop = AtomicBool::new(false);
            let mut budget = GoSolverBudget::unlimited(&stop);
            let mut search = Search::new(&grid, table.as_mut(), folding, &game_boards, &mut budget);
            let answer = search.lead(&node, MAX_DEPTH);
            assert_eq!((answer.lower, answer.upper), (expected, expected), "{node:?}");
        }
    }
    compared
}

#[test]
fn empty_boards_have_the_known_values() {
    for (size, lead) in [(2, 1), (3, 9)] {
        for (bytes, folding) in KINDS {
            let (solution, _) = solve(&mut GoSolver::new(bytes, folding), &new_game(size));
            assert_eq!(solution.lead(), Some(lead), "{size} {bytes} {folding:?}");
        }
    }
}

/// The plain search here is the game's own: its rules are another piece of code.
#[test]
fn random_2x2_games_have_the_value_of_the_plain_search() {
    let mut solvers = KINDS.map(|(bytes, folding)| GoSolver::new(bytes, folding));
    let mut random = Random::new(5);
    for _ in 0..40 {
        let moves = random.below(30);
        let game = random_game(2, moves, &mut random);
        let expected = plain_lead(game.last(), u32::MAX);
        for solver in &mut solvers {
            let (solution, _) = solve(solver, &game);
            assert_eq!(solution.lead(), expected, "{:?} {:?}", game.last(), game.moves());
            let after = plain_lead(&game.last().after(solution.mv), u32::MAX);
            assert_eq!(after, expected, "{:?} in {:?}", solution.mv, game.last());
        }
    }
}

#[test]
fn random_games_have_the_value_of_the_plain_search() {
    let boards = [(1, 4, 60), (1, 5, 40), (2, 2, 60), (1, 6, 15), (2, 3, 15), (3, 3, 5)];
    for (rows, columns, least) in boards {
        let compared = compare_on_grid(rows, columns, 60, 20_000);
        assert!(compared >= least, "only {compared} of {rows}x{columns}");
    }
}

#[test]
fn table_and_symmetry_save_nodes() {
    let nodes =
        KINDS.map(|(bytes, folding)| solve(&mut GoSolver::new(bytes, folding), &new_game(3)).1);
    assert!(nodes.is_sorted_by(|more, fewer| more > fewer), "{nodes:?}");
}

#[test]
fn living_stones_and_their_territory_are_certain() {
    let grid = Grid::new(3, 3);
    let alive = unconditional_area(&grid, 0b010_111_010, 0);
    assert_eq!(alive.stones | alive.territory, grid.all);
    assert_eq!(alive.min_lead(&grid), 9);
    // A stone in a corner has no eye to live by.
    assert_eq!(unconditional_area(&grid, 0b010_111_010, 0b001), alive);
}

#[test]
#[ignore = "takes seconds in a release build, minutes otherwise"]
fn black_leads_by_two_on_4x4() {
    let mut solver = GoSolver::new(128 * MEGABYTE, SymmetryFolding::Symmetries);
    let (solution, _) = solve(&mut solver, &new_game(4));
    assert_eq!(solution.lead(), Some(2));
}

/// The figures of `docs/results/go.md`.
#[test]
#[ignore = "prints figures"]
fn print_nodes() {
    for (size, deepest) in
        [(2, MAX_DEPTH), (3, MAX_DEPTH), (4, 8), (4, 10), (4, 12), (4, MAX_DEPTH)]
    {
        for (bytes, folding) in KINDS {
            if (size, deepest, bytes) == (4, MAX_DEPTH, 0) {
                continue;
            }
            let stop = AtomicBool::new(false);
            let mut budget = GoSolverBudget::unlimited(&stop);
            let started = Instant::now();
            let mut solver = GoSolver::new(32 * bytes, folding);
            let solution = solver.solve(&new_game(size), deepest, &mut budget).unwrap();
            println!(
                "{size}x{size} depth {deepest} table {bytes} {folding:?}: {:?}, {} nodes, {:.3} s",
                solution.lead(),
                budget.nodes,
                started.elapsed().as_secs_f64()
            );
        }
    }
}
