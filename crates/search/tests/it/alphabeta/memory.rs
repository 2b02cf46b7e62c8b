//! State that a searcher keeps from search to search, and when it forgets it.

use super::support::{random_games, start};
use crate::known::Known;
use ludus_core::{Evaluator, HasEval, History, Limits, Notation, Report, SearchControl};
use ludus_knowledge::connect4::Connect4Knowledge;

use ludus_games::{chess::Chess, connect4::Connect4, draughts::Draughts};
use ludus_search::Search;
use ludus_search::alphabeta::{
    RandomTree, ReplacementScheme, SearchSettings, Searcher, TranspositionTable,
};
use std::sync::atomic::AtomicBool;

fn search<P: Known, E: Evaluator<P> + Clone>(
    searcher: &mut Searcher<P, E, P::Knowledge>,
    game: &History<P>,
    depth: u32,
) -> Report<P::Move> {
    let stop = AtomicBool::new(false);
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    searcher.search(game, &Limits { depth: Some(depth), ..Limits::default() }, control)
}

fn table(scheme: ReplacementScheme) -> Option<TranspositionTable> {
    Some(TranspositionTable::new(1 << 16, scheme))
}

#[test]
fn a_new_game_is_like_a_new_searcher() {
    fn check<P: Notation + Known<Knowledge: HasEval<P>>>(name: &str, depth: u32) {
        let games = random_games::<P>(&start(name), 3, 20, 5);
        for (number, scheme) in
            [ReplacementScheme::Aged, ReplacementScheme::TwoLevel].into_iter().enumerate()
        {
            let settings = SearchSettings {
                eval_cache: true,
                min_table_depth: number as i32,
                ..SearchSettings::STRONG
            };
            let fresh = || {
                Searcher::new(
                    settings,
                    table(scheme),
                    &P::Knowledge::handcrafted(),
                    P::Knowledge::default(),
                    1,
                )
            };
            let mut used = fresh();
            for game in &games {
                used.new_game();
                let mut unused = fresh();
                for depth in [depth, depth - 1] {
                    let expected = format!("{:?}", search(&mut unused, game, depth));
                    assert_eq!(format!("{:?}", search(&mut used, game, depth)), expected, "{name}");
                }
            }
        }
    }
    check::<Chess>("chess", 6);
    check::<Draughts>("draughts", 8);
    check::<Connect4>("connect4", 8);
}

#[test]
fn another_evaluator_makes_the_scores_of_the_old_one_forgotten() {
    let settings = SearchSettings { eval_cache: true, ..SearchSettings::ALPHA_BETA };
    let mut different = 0;
    for game in random_games::<Connect4>(&start("connect4"), 8, 20, 6) {
        let [old, new] = [1, 2].map(RandomTree::new);
        let fresh = |evaluator| {
            let mut searcher = Searcher::new(
                settings,
                table(ReplacementScheme::Aged),
                evaluator,
                Connect4Knowledge,
                1,
            );
            search(&mut searcher, &game, 5).score
        };
        let mut searcher =
            Searcher::new(settings, table(ReplacementScheme::Aged), &old, Connect4Knowledge, 1);
        assert_eq!(search(&mut searcher, &game, 5).score, fresh(&old));
        searcher.set_evaluator(&new);
        assert_eq!(search(&mut searcher, &game, 5).score, fresh(&new));
        let shared = searcher.table();
        searcher.set_evaluator(&old);
        assert_eq!(search(&mut searcher, &game, 5).score, fresh(&old), "also with a shared table");
        drop(shared);
        different += u32::from(fresh(&old) != fresh(&new));
    }
    assert!(different > 4, "the evaluators differ in {different} of 8 games");
}
