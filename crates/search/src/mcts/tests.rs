//! The parts against plain versions of them. The search as a whole is tested in `tests/it/mcts.rs`.

use super::{
    local_stats::LocalTable,
    rave::AmafMoves,
    report,
    select::{self, ChildStats, Descent, ln},
    settings::{FinalChoice, MctsSettings, RaveSchedule, RaveSettings, SelectionPolicy, Widening},
    tree::{NewChild, NodeId, ProvenValue, Tree, WIN_POINTS},
};
use ludus_core::{Random, Side};

fn child(mv: u8) -> NewChild<u8> {
    NewChild { mv, index: usize::from(mv), prior: (0.5, 0.0), bias: f32::from(mv) / 20.0 }
}

/// A root with children that have random counts.
fn random_children_of_root(random: &mut Random, has_extras: bool) -> Tree<u8> {
    let mut tree = Tree::new(0, has_extras);
    let mut free = tree.clear();
    let root = tree.node(NodeId::ROOT);
    let moves: Vec<_> = (0..1 + random.below(10) as u8).map(child).collect();
    assert!(tree.claim(root) && tree.expand(root, &mut free, &moves, true));
    let children = tree.children(root).unwrap();
    for (index, node) in tree.block(children).iter().enumerate() {
        for _ in 0..1 + random.below(40) {
            let points = random.below(3) as u64 * WIN_POINTS / 2;
            root.enter::<false>();
            node.enter::<true>();
            node.leave::<true>(points);
        }
        if has_extras {
            for _ in 0..random.below(60) {
                tree.extras(children)[index].add_rave(random.unit() as f32, 1.0);
            }
        }
    }
    tree
}

fn plain(settings: &MctsSettings) -> Descent<'_> {
    Descent { settings, rave: None, detours: false }
}

#[test]
fn the_logarithm_is_good_to_four_digits() {
    for visits in (1..5_000).chain([1 << 20, (1 << 24) + 12_345, u32::MAX]) {
        let exact = f64::from(visits).ln();
        assert!((f64::from(ln(visits)) - exact).abs() < 1e-4 * exact.max(1.0), "{visits}");
    }
}

/// UCT as published.
fn uct(visits: u32, points: f64, above: u32, c: f64) -> f64 {
    points / f64::from(visits) + c * (f64::from(above).ln() / f64::from(visits)).sqrt()
}

#[test]
fn selection_finds_what_a_plain_recomputation_does() {
    let mut random = Random::new(5);
    for _ in 0..500 {
        let c = random.unit() * 2.0;
        let settings =
            MctsSettings { selection: SelectionPolicy::Ucb(c as f32), ..MctsSettings::UCT };
        let tree = random_children_of_root(&mut random, false);
        let root = tree.node(NodeId::ROOT);
        let children = tree.children(root).unwrap();
        let values: Vec<f64> = tree
            .block(children)
            .iter()
            .map(|node| uct(node.visits(), f64::from(node.points()), root.visits(), c))
            .collect();
        let chosen = select::pick(tree.block(children), &[], plain(&settings), root.visits());
        let greatest = values.iter().copied().fold(f64::MIN, f64::max);
        assert!(values[chosen] > greatest - 1e-4, "{values:?}");
    }
}

/// The published formulas, term by term.
fn blended(schedule: RaveSchedule, own: (f64, f64), rave: (f64, f64)) -> f64 {
    let ((n, points), (r, rave_points)) = (own, rave);
    let (mean, rave_mean) = (points / n, rave_points / r);
    match schedule {
        RaveSchedule::Fuego { initial, last } => {
            let w = r / (1.0 / f64::from(initial) + r / f64::from(last));
            (n * mean + w * rave_mean) / (n + w)
        }
        RaveSchedule::GellySilver { bias } => {
            let beta = r / (r + n + 4.0 * n * r * f64::from(bias).powi(2));
            (1.0 - beta) * mean + beta * rave_mean
        }
    }
}

#[test]
fn selection_by_rave_follows_the_published_formulas() {
    let mut random = Random::new(6);
    for round in 0..500 {
        let schedule = [RaveSchedule::FUEGO, RaveSchedule::GELLY_SILVER][round % 2];
        let rave = Some(RaveSettings {
            schedule,
            skip: 0,
            first_only: false,
            nearness: 0.0,
            priors: true,
        });
        let settings =
            MctsSettings { selection: SelectionPolicy::Ucb(0.0), rave, ..MctsSettings::UCT };
        let tree = random_children_of_root(&mut random, true);
        let root = tree.node(NodeId::ROOT);
        let children = tree.children(root).unwrap();
        let nodes = tree.block(children).iter().zip(tree.extras(children));
        let values: Vec<f64> = nodes
            .map(|(node, extra)| {
                let own = (f64::from(node.visits()), f64::from(node.points()));
                match extra.rave() {
                    (0.0, _) => own.1 / own.0,
                    (visits, points) => {
                        blended(schedule, own, (f64::from(visits), f64::from(points)))
                    }
                }
            })
            .collect();
        let descent = Descent { rave, ..plain(&settings) };
        let (nodes, extras) = (tree.block(children), tree.extras(children));
        let chosen = select::pick(nodes, extras, descent, root.visits());
        let greatest = values.iter().copied().fold(f64::MIN, f64::max);
        assert!(values[chosen] > greatest - 1e-4, "{values:?}");
    }
}

#[test]
fn likely_moves_are_explored_as_alphago_did() {
    let mut random = Random::new(8);
    for _ in 0..500 {
        let c = random.unit() * 2.0;
        let settings =
            MctsSettings { selection: SelectionPolicy::Puct(c as f32), ..MctsSettings::UCT };
        let tree = random_children_of_root(&mut random, true);
        let root = tree.node(NodeId::ROOT);
        let children = tree.children(root).unwrap();
        let (nodes, extras) = (tree.block(children), tree.extras(children));
        let above = f64::from(root.visits()).sqrt();
        let value = |(index, node): (usize, &super::tree::Node<u8>)| {
            let (visits, chance) = (f64::from(node.visits()), index as f64 / 20.0);
            f64::from(node.points()) / visits + c * chance * above / (1.0 + visits)
        };
        let values: Vec<f64> = nodes.iter().enumerate().map(value).collect();
        let chosen = select::pick(nodes, extras, plain(&settings), root.visits());
        let greatest = values.iter().copied().fold(f64::MIN, f64::max);
        assert!(values[chosen] > greatest - 1e-4, "{values:?}");
    }
}

#[test]
fn settled_moves_are_not_searched() {
    let mut random = Random::new(7);
    let tree = random_children_of_root(&mut random, false);
    let root = tree.node(NodeId::ROOT);
    let children = tree.children(root).unwrap();
    let nodes = tree.block(children);
    nodes[1..].iter().for_each(|node| node.prove(ProvenValue::Loss));
    assert_eq!(select::pick(nodes, &[], plain(&MctsSettings::UCT), root.visits()), 0);
    nodes[0].prove(ProvenValue::Win);
    assert_eq!(select::pick(nodes, &[], plain(&MctsSettings::UCT), root.visits()), 0);
    assert_eq!(report::best(&tree, children, FinalChoice::Visits), Some(0));
}

#[test]
fn widening_adds_moves_with_the_root_of_the_visits() {
    let settings = MctsSettings { widening: Widening::Root(0.5), ..MctsSettings::UCT };
    let widths = [0, 4, 16, 100, 1_000_000].map(|visits| select::width(&settings, visits, 30));
    assert_eq!(widths, [1, 2, 3, 6, 30]);
    assert_eq!(select::width(&MctsSettings::UCT, 0, 30), 30);
}

/// Coulom's schedule: `t_1 = 0`, `t_n = t_(n-1) + 40 * 1.4^(n-2)`.
#[test]
fn widening_by_powers_adds_each_move_at_its_time() {
    let settings = MctsSettings { widening: Widening::COULOM, ..MctsSettings::UCT };
    let mut due = 0.0;
    for number in 2..20 {
        due += 40.0 * 1.4f64.powi(number - 2);
        let width = |visits: f64| select::width(&settings, visits as u32, 30);
        assert_eq!(width((due * 0.999).floor()), number as usize - 1, "before {due}");
        assert_eq!(width((due * 1.001).ceil()), number as usize, "after {due}");
    }
    let widths = [0, 39, 40, 95, 96, 1_000_000].map(|visits| select::width(&settings, visits, 5));
    assert_eq!(widths, [1, 1, 2, 2, 3, 5]);
}

#[test]
fn priors_count_as_visits_but_not_as_simulations() {
    for (in_rave, rave) in [(true, (8.0, 6.0)), (false, (0.0, 0.0))] {
        let mut tree = Tree::new(0, true);
        let mut free = tree.clear();
        let root = tree.node(NodeId::ROOT);
        let child = NewChild { prior: (0.75, 8.0), ..child(3) };
        assert!(tree.claim(root) && tree.expand(root, &mut free, &[child], in_rave));
        let children = tree.children(root).unwrap();
        let node = &tree.block(children)[0];
        assert_eq!((node.visits(), node.played(), node.mean()), (8, 0, 0.75));
        assert_eq!(tree.extras(children)[0].rave(), rave);
        assert_eq!(tree.played_mean(children, 0), 0.75);
        node.enter::<false>();
        node.leave::<false>(0);
        assert_eq!((node.visits(), node.played(), node.mean()), (9, 1, 6.0 / 9.0));
        assert_eq!(tree.played_mean(children, 0), 0.0, "the prior is no result");
    }
}

/// A move with a good prior that was searched and found bad: the rest of the prior must neither choose
/// it nor keep a search from ending.
#[test]
fn priors_do_not_choose() {
    let mut tree = Tree::new(0, true);
    let mut free = tree.clear();
    let root = tree.node(NodeId::ROOT);
    let promising = NewChild { prior: (1.0, 80.0), ..child(1) };
    assert!(tree.claim(root) && tree.expand(root, &mut free, &[child(0), promising], true));
    let children = tree.children(root).unwrap();
    for (node, (visits, wins)) in tree.block(children).iter().zip([(1_000, 500), (110, 44)]) {
        for visit in 0..visits {
            node.enter::<false>();
            node.leave::<false>(if visit < wins { WIN_POINTS } else { 0 });
        }
    }
    assert!(tree.block(children)[1].mean() > 0.6);
    for choice in [FinalChoice::Value, FinalChoice::LowerBound, FinalChoice::Visits] {
        assert_eq!(report::best(&tree, children, choice), Some(0), "{choice:?}");
    }
    assert!(report::is_settled(&tree, children));
}

/// RAVE values after a simulation in which one side made move 0 at once and move 1 later, and the
/// other made move 1 before that.
#[test]
fn moves_count_by_who_makes_them_first_and_how_soon() {
    for (first_only, nearness, expected) in [
        (false, 0.0, [(1.0, 1.0), (1.0, 1.0)]),
        (true, 0.0, [(1.0, 1.0), (0.0, 0.0)]),
        (false, 3.0, [(4.0, 4.0), (2.5, 2.5)]),
    ] {
        let schedule = RaveSchedule::FUEGO;
        let rave = RaveSettings { schedule, skip: 0, first_only, nearness, priors: false };
        let mut tree = Tree::new(0, true);
        let mut free = tree.clear();
        let root = tree.node(NodeId::ROOT);
        assert!(tree.claim(root));
        assert!(tree.expand(root, &mut free, &[child(0), child(1)], false));
        let mut amaf = AmafMoves::new(2, rave);
        amaf.clear(4);
        amaf.set(Side::First, 1, 2);
        amaf.set(Side::Second, 1, 1);
        amaf.set(Side::First, 0, 0);
        amaf.update_children(&tree, root, 0, Side::First, 1.0);
        let children = tree.children(root).unwrap();
        let added: Vec<_> =
            tree.extras(children).iter().map(super::tree::NodeExtras::rave).collect();
        assert_eq!(added, expected);
    }
}

#[test]
fn a_full_tree_refuses_and_stays_whole() {
    let mut tree: Tree<u8> = Tree::new(0, false);
    let mut free = tree.clear();
    let moves: Vec<_> = (0..250).map(child).collect();
    let mut ids = vec![NodeId::ROOT];
    let mut next = 0;
    loop {
        let node = tree.node(ids[next]);
        assert!(tree.claim(node));
        if !tree.expand(node, &mut free, &moves, true) {
            assert!(tree.children(node).is_none() && tree.claim(node), "it can be tried again");
            break;
        }
        let children = tree.children(node).unwrap();
        ids.extend((0..children.count()).map(|index| children.id(index)));
        next += 1;
    }
    assert_eq!(next, 16 + 16, "two chunks of 4096, the root in the first");
    tree.clear();
    assert!(tree.children(tree.node(NodeId::ROOT)).is_none());
}

/// Two threads with local statistics: the tree has everything once both are synchronised, and each then
/// has the counts of the other.
#[test]
fn local_stats_are_synchronised_with_the_tree() {
    let tree = random_children_of_root(&mut Random::new(8), false);
    let root = tree.node(NodeId::ROOT);
    let children = tree.children(root).unwrap();
    let nodes = tree.block(children);
    let before: Vec<_> = nodes.iter().map(|node| (node.visits(), node.points())).collect();
    let mut threads = [LocalTable::default(), LocalTable::default()];
    for local in &mut threads {
        local.reset(&tree);
        for _ in 0..1_000 {
            let Some((_, range)) = local.enter_root().children() else {
                local.add_children(&tree, 0, children);
                continue;
            };
            assert_eq!(local.enter(range.start + 1).mv(), 1);
            local.at(1).unwrap().leave(WIN_POINTS);
        }
    }
    let unsynced = nodes.iter().map(|node| (node.visits(), node.points()));
    assert!(unsynced.eq(before.iter().copied()), "nothing is added in between");
    nodes[0].prove(ProvenValue::Loss);
    let visits = root.visits();
    threads.iter_mut().for_each(|local| local.sync_all(&tree));
    assert_eq!(root.visits(), visits + 2_000);
    let added = nodes[1].visits() - before[1].0;
    assert_eq!(nodes[1].points() - before[1].1, added as f32);
    assert!(added > 1_400, "{added}: all but those before there were local statistics");
    threads[0].sync_all(&tree);
    let (_, range) = threads[0].enter_root().children().unwrap();
    let known = threads[0].in_range(range);
    assert_eq!((known[1].visits(), known[0].proof()), (nodes[1].visits(), ProvenValue::Loss));
}

/// However many visits priors are worth, children are synchronised after a third more real ones.
#[test]
fn priors_do_not_delay_synchronisation() {
    let mut tree = Tree::new(0, true);
    let mut free = tree.clear();
    let root = tree.node(NodeId::ROOT);
    let moves = [1, 2].map(|mv| NewChild { prior: (0.5, 5_000.0), ..child(mv) });
    assert!(tree.claim(root) && tree.expand(root, &mut free, &moves, true));
    let mut local = LocalTable::default();
    local.reset(&tree);
    let added = (0..1_000).find(|_| {
        let added = local.enter_root().children().is_some();
        if !added {
            local.add_children(&tree, 0, tree.children(root).unwrap());
        }
        added
    });
    let due = (0..).find(|_| local.enter_root().is_due()).unwrap();
    assert!(due <= added.unwrap() / 3 + 1, "{due} after {added:?}");
}
