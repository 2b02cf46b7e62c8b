use super::*;
use crate::plain::test_tree::{TestTree, TreeValues};

const SETTINGS: Ucb1Settings = Ucb1Settings {
    exploration: 2.0,
    iterations: 4,
    plies: 0,
    selection: Selection::Published,
    final_move: FinalMove::Total,
    unit: 1.0,
};

fn run(root: &TestTree, settings: Ucb1Settings) -> (Report<u8>, MctsTrace<u8>) {
    let stop = AtomicBool::new(false);
    let (mut values, mut random) = (TreeValues::default(), Random::new(1));
    let mut trace = MctsTrace::new(100_000);
    let mut search = Ucb1::new(settings, &mut values, &mut random, root);
    let report = search.search(&Limits::default(), 1, &stop, Some(&mut trace));
    (report, trace)
}

/// Visits, total and UCB1 of the children of the root.
fn children(trace: &MctsTrace<u8>) -> Vec<(u32, f32, f32)> {
    let children = trace.nodes.iter().filter(|node| node.parent == Some(0));
    children.map(|node| (node.visits, node.points, node.selection_value.unwrap())).collect()
}

/// Sections 5.1 to 5.4 of the source: S1 (t = 20, n = 2) against S2 (t = 10, n = 1) with N = 3.
#[test]
fn the_worked_example_of_the_study() {
    let root = TestTree::parse("(20(0 0) 10(10 10))", Side::First);
    let (_, before) = run(&root, Ucb1Settings { iterations: 3, ..SETTINGS });
    assert_eq!(before.nodes[0].visits, 3);
    let [s1, s2] = children(&before)[..] else { panic!("two moves") };
    assert_eq!(((s1.0, s1.1), (s2.0, s2.1)), ((2, 20.0), (1, 10.0)));
    assert!((s1.2 - 11.48).abs() < 0.005 && (s2.2 - 12.10).abs() < 0.005, "{s1:?} {s2:?}");
    let (_, after) = run(&root, SETTINGS);
    let simulation = &after.simulations[3];
    assert_eq!((simulation.path[0], simulation.path.len(), simulation.value), (1, 2, 10.0));
    assert_eq!(after.nodes[0].visits, 4);
    let [s1, s2] = children(&after)[..] else { panic!("two moves") };
    assert_eq!(((s1.0, s1.1), (s2.0, s2.1)), ((2, 20.0), (2, 20.0)));
    let grown = after.nodes.iter().filter(|node| node.parent == Some(2) && node.visits > 0);
    let s5: Vec<_> = grown.map(|node| (node.points, node.visits)).collect();
    assert_eq!(s5, [(10.0, 1)]);
}

#[test]
fn visits_and_totals_add_up() {
    let mut random = Random::new(8);
    for _ in 0..50 {
        let root = TestTree::random(&mut random, 5);
        let plies = random.below(4) as u32;
        for selection in [Selection::Published, Selection::Negated] {
            let (report, trace) =
                run(&root, Ucb1Settings { iterations: 200, plies, selection, ..SETTINGS });
            assert_eq!((report.nodes, trace.nodes[0].visits), (200, 200));
            let sum: f32 = trace.simulations.iter().map(|simulation| simulation.value).sum();
            assert!((trace.nodes[0].points - sum).abs() < 0.01);
            for (index, node) in trace.nodes.iter().enumerate().filter(|(_, node)| node.expanded) {
                let below: u32 = trace
                    .nodes
                    .iter()
                    .filter(|child| child.parent == Some(index))
                    .map(|child| child.visits)
                    .sum();
                // The first visit of every node but the root was simulated from the node itself.
                assert_eq!(below + u32::from(index > 0), node.visits);
            }
        }
    }
}

/// Black can answer the first move with 9 or with -1 for White; the second is worth 1.
#[test]
fn selection_decides_whom_the_second_side_helps() {
    let root = TestTree::parse("(0(9 -1) 0(1 1))", Side::First);
    let long = |selection| Ucb1Settings { iterations: 1000, selection, ..SETTINGS };
    let (published, _) = run(&root, long(Selection::Published));
    assert_eq!(published.line[0], 0, "Black helps White");
    let (negated, trace) = run(&root, long(Selection::Negated));
    assert_eq!(negated.line[0], 1);
    assert_eq!(trace.raw, Some(RawScale { exploration: 2.0, negated_parity: Some(0) }));
}

#[test]
fn totals_prefer_the_least_visited_of_bad_moves() {
    let root = TestTree::parse("(-1 -5)", Side::First);
    let last = |final_move| Ucb1Settings { iterations: 100, final_move, ..SETTINGS };
    let moves = run(&root, last(FinalMove::Visits)).0;
    assert_eq!(moves.line, [0], "{:?}", moves.moves);
    assert!(moves.moves[0].visits > 10 * moves.moves[1].visits);
    assert_eq!(run(&root, last(FinalMove::Total)).0.line, [1]);
    // Black plays the least total.
    let root = TestTree::parse("(-1 -5)", Side::Second);
    assert_eq!(run(&root, last(FinalMove::Total)).0.line, [0]);
}

#[test]
fn logarithms_are_those_of_the_library() {
    for visits in (1..5000).chain([1 << 20, (1 << 31) + 1, u32::MAX]) {
        assert!((ln(visits) - f64::from(visits).ln()).abs() < 1e-13, "{visits}");
    }
}
