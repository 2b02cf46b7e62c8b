//! The number of leaves of the same tree that each search visits.

use super::support::{KINDS, Toy, evaluate_toy, random_tree, search, traced, uniform_tree};
use ludus_core::{History, Random, Score};
use ludus_search::alphabeta::{ReplacementScheme, SearchSettings};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

const PLAIN: fn(SearchSettings) -> SearchSettings =
    |kind| SearchSettings { ordering: false, step: 0, ..kind };
const LARGE: Option<(u64, ReplacementScheme)> = Some((1 << 20, ReplacementScheme::Always));

/// Leaves counted and the set of positions evaluated.
fn leaves(
    toy: &Toy,
    depth: u32,
    kind: SearchSettings,
    memory: Option<(u64, ReplacementScheme)>,
) -> (u64, HashSet<usize>) {
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let noting = {
        let seen = seen.clone();
        move |position: &Toy| -> Score {
            seen.lock().unwrap().insert(position.at);
            evaluate_toy(position)
        }
    };
    let game = History::new(toy.clone());
    let report = search(&game, depth, &noting, PLAIN(kind), memory, 1);
    let seen = seen.lock().unwrap().clone();
    (report.leaves, seen)
}

#[test]
fn alpha_beta_looks_at_no_more_than_minimax_and_no_less_than_the_minimal_tree() {
    let mut random = Random::new(10).split("uniform");
    for (branching, height) in [(2, 6), (3, 4), (3, 5), (4, 4), (6, 3)] {
        let all = (branching as u64).pow(height);
        let half = |plies| (branching as u64).pow(plies);
        let minimal = half(height.div_ceil(2)) + half(height / 2) - 1;
        for _ in 0..10 {
            let toy = Toy::parse(&uniform_tree(&mut random, branching, height));
            assert_eq!(leaves(&toy, height, SearchSettings::NEGAMAX, None).0, all);
            for &(name, kind) in &KINDS[1..] {
                let (_, seen) = leaves(&toy, height, kind, LARGE);
                assert!(seen.len() as u64 >= minimal, "{name}: {} of {minimal}", seen.len());
                assert!(seen.len() >= toy.critical_leaves(), "{name}");
            }
            let (counted, seen) = leaves(&toy, height, SearchSettings::ALPHA_BETA, None);
            assert_eq!(counted, seen.len() as u64, "no leaf is looked at twice");
            assert!((minimal..=all).contains(&counted));
            let sorted = toy.best_first(u64::MAX);
            for kind in [SearchSettings::ALPHA_BETA, SearchSettings::NEGASCOUT, SearchSettings::PVS]
            {
                assert_eq!(leaves(&sorted, height, kind, None).0, minimal, "best order");
            }
        }
    }
}

#[test]
fn trees_of_any_shape_have_a_minimal_tree_too() {
    let mut random = Random::new(11).split("shapes");
    for _ in 0..200 {
        let text = random_tree(&mut random, 5).replace(['w', 'l', 'd'], "0");
        let toy = Toy::parse(&format!("({text} (3 1))"));
        let all = leaves(&toy, 6, SearchSettings::NEGAMAX, None).1;
        for &(name, kind) in &KINDS[1..] {
            let (_, seen) = leaves(&toy, 6, kind, LARGE);
            assert!(seen.len() >= toy.critical_leaves(), "{name} in {text}");
            assert!(seen.is_subset(&all), "{name} in {text}");
        }
    }
}

#[test]
fn sss_looks_at_no_leaf_that_alpha_beta_prunes() {
    let mut random = Random::new(12).split("sss");
    let mut fewer = 0;
    for round in 0..60 {
        let (branching, height) = [(2, 6), (3, 4), (4, 4), (3, 5)][round % 4];
        let toy = Toy::parse(&uniform_tree(&mut random, branching, height));
        let (_, alpha_beta) = leaves(&toy, height, SearchSettings::ALPHA_BETA, None);
        let (counted, sss) = leaves(&toy, height, SearchSettings::SSS, LARGE);
        assert!(sss.is_subset(&alpha_beta), "{:?}", sss.difference(&alpha_beta));
        assert!(counted >= sss.len() as u64);
        fewer += u32::from(sss.len() < alpha_beta.len());
    }
    assert!(fewer > 40, "and it looks at fewer in {fewer} of 60");
}

#[test]
fn null_windows_pay_when_the_order_is_good() {
    let mut random = Random::new(13).split("scout");
    let mut total = [0, 0, 0];
    for _ in 0..60 {
        let toy = Toy::parse(&uniform_tree(&mut random, 5, 5)).best_first(8);
        let count = |kind| leaves(&toy, 5, kind, None).0;
        let kinds = [SearchSettings::ALPHA_BETA, SearchSettings::NEGASCOUT, SearchSettings::PVS];
        for (total, kind) in total.iter_mut().zip(kinds) {
            *total += count(kind);
        }
    }
    let [alpha_beta, scout, principal] = total;
    assert!(scout <= alpha_beta, "NegaScout {scout}, alpha-beta {alpha_beta}");
    assert!(scout <= principal, "NegaScout {scout}, PVS {principal}");
}

#[test]
fn mtdf_needs_two_passes_from_the_right_guess() {
    let mut random = Random::new(14).split("mtd");
    for _ in 0..20 {
        // Five plies high, so that the sixth iteration begins at its own result.
        let toy = Toy::parse(&uniform_tree(&mut random, 3, 5));
        let game = History::new(toy);
        let (report, trace) = traced(&game, 6, &evaluate_toy, SearchSettings::MTDF, LARGE, 10);
        let last: Vec<_> = trace.passes.iter().filter(|pass| pass.depth == 6).collect();
        assert_eq!(last.len(), 2, "{last:?}");
        assert!(last.iter().all(|pass| pass.window.is_null()));
        assert_eq!(report.score, last[1].value.map(Score));
    }
}

#[test]
fn sss_comes_down_and_dual_comes_up() {
    let mut random = Random::new(15).split("bounds");
    for _ in 0..20 {
        let toy = Toy::parse(&uniform_tree(&mut random, 3, 4));
        let game = History::new(toy);
        for (kind, falling) in [(SearchSettings::SSS, true), (SearchSettings::DUAL, false)] {
            let (report, trace) = traced(&game, 4, &evaluate_toy, kind, LARGE, 10);
            let values: Vec<i32> = trace.passes.iter().filter_map(|pass| pass.value).collect();
            let (last, before) = values.split_last().unwrap();
            assert_eq!(report.score, Some(Score(*last)));
            let monotone =
                |pair: &[i32]| if falling { pair[0] > pair[1] } else { pair[0] < pair[1] };
            assert!(before.windows(2).all(monotone), "{values:?}");
        }
    }
}
