use super::*;
use crate::plain::test_tree::{TestTree, TreeValues};
use ludus_core::Random;

const FULL: AlphaBetaSettings = AlphaBetaSettings { depth: 9, ordering: false, pruning: true };

fn search(
    root: &TestTree,
    settings: AlphaBetaSettings,
    nodes: Option<u64>,
    lines: usize,
) -> (Report<u8>, Trace<u8>) {
    let stop = AtomicBool::new(false);
    let (mut values, mut trace) = (TreeValues::default(), Trace::new(10_000));
    let limits = Limits { nodes, ..Limits::default() };
    let search = AlphaBeta::new(settings, &mut values, &limits, &stop);
    let report = search.with_trace(&mut trace).search(root, lines);
    (report, trace)
}

/// The first best line of algorithm 1, written once more.
fn minimax(position: &TestTree, depth: u32) -> (i32, Vec<u8>) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth == 0 || moves.is_empty() {
        return (position.value(), Vec::new());
    }
    let sign = position.turn().sign();
    let mut best = (i32::MIN, Vec::new());
    for mv in moves {
        let (value, line) = minimax(&position.after(mv), depth - 1);
        if sign * value > best.0 {
            best = (sign * value, [vec![mv], line].concat());
        }
    }
    (sign * best.0, best.1)
}

/// Section 3 of the source: leaf 3 gives alpha 3; leaf 7 makes its parent 7 and beta 7 above; leaf 9 cuts its sibling.
#[test]
fn the_worked_tree_of_the_study() {
    let root = TestTree::parse("(((3 7)(9 100))((1 2)(8 8)))", Side::First);
    let (report, trace) = search(&root, FULL, None, 1);
    let visits: Vec<(i32, Window)> =
        trace.visits.iter().map(|visit| (visit.value, visit.window)).collect();
    let window = |visit: usize| visits[visit].1;
    // Visits in order: root, left, its left child, 3, 7, its right child, 9.
    assert_eq!(window(3), Window::OPEN);
    assert_eq!(window(4), Window { alpha: -Score::INFINITE.0, beta: -3 }, "alpha 3, seen by Black");
    assert_eq!((visits[2].0, visits[4].0), (7, -7));
    assert_eq!(window(5), Window { alpha: -Score::INFINITE.0, beta: 7 }, "beta 7, seen by White");
    assert_eq!((visits[5].0, visits[6].0), (9, -9));
    assert_eq!(trace.visits[5].cause, Some(Cause::Cut(1)), "the sibling of 9 is not visited");
    assert_eq!(visits[1].0, -7, "the left move is worth 7, seen by Black");
    // The right move: its first child is worth 2 < 7, so the second is cut.
    assert_eq!((visits[7].0, trace.visits[7].cause), (-2, Some(Cause::Cut(1))));
    assert_eq!((report.score, &report.line[..]), (Some(Score(7)), &[0, 0, 1][..]));
    assert_eq!(report.nodes, 10);
    assert_eq!(report.leaves, 5);
    assert!(trace.visits.iter().all(|visit| visit.value.abs() != 100));
}

#[test]
fn pruning_and_ordering_change_no_value() {
    let mut random = Random::new(3);
    let mut saved = 0;
    for _ in 0..400 {
        let root = TestTree::random(&mut random, 6);
        for depth in 1..=6 {
            let (value, line) = minimax(&root, depth);
            let value = Score(value * root.turn().sign());
            let run = |ordering, pruning| {
                search(&root, AlphaBetaSettings { depth, ordering, pruning }, None, 1).0
            };
            let [plain, pruned] = [run(false, false), run(false, true)];
            assert_eq!((plain.score, &plain.line), (Some(value), &line));
            assert_eq!((pruned.score, &pruned.line), (Some(value), &line));
            assert!(pruned.nodes <= plain.nodes);
            saved += plain.nodes - pruned.nodes;
            let [ordered, both] = [run(true, false), run(true, true)];
            assert_eq!((ordered.score, both.score), (Some(value), Some(value)));
            assert_eq!(ordered.line, both.line);
            assert_eq!(ordered.nodes, plain.nodes, "the whole tree in another order");
        }
    }
    assert!(saved > 1_000, "{saved}");
}

#[test]
fn a_stopped_search_reports_its_finished_moves() {
    let root = TestTree::parse("((5 6)(7 8)(9 9))", Side::First);
    let all = search(&root, FULL, None, 1).0;
    assert_eq!((all.score, all.line.first(), all.depth), (Some(Score(9)), Some(&2), 9));
    // The first move with its two leaves, the second with one.
    let some = search(&root, FULL, Some(5), 1).0;
    assert_eq!((some.score, some.line.first(), some.depth), (Some(Score(5)), Some(&0), 0));
    let none = search(&root, FULL, Some(1), 1).0;
    assert_eq!((none.score, none.line.first(), none.nodes), (None, Some(&0), 1));
}

#[test]
fn several_lines_are_the_best_moves_in_order() {
    let root = TestTree::parse("((5 6)(7 8)(9 9)(7 3))", Side::First);
    let report = search(&root, FULL, None, 3).0;
    let ranked: Vec<(i32, u8)> =
        report.lines.iter().map(|line| (line.score.unwrap().0, line.line[0])).collect();
    assert_eq!(ranked, [(9, 2), (7, 1), (5, 0)]);
    assert_eq!(report.line, report.lines[0].line);
}
