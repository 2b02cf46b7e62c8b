//! The trace records what the search did.

use super::support::{KINDS, Toy, evaluate_toy, search, traced};
use ludus_core::{HasEval, History};
use ludus_knowledge::connect4::Connect4Knowledge;
use ludus_knowledge::tictactoe::TicTacToeKnowledge;

use ludus_games::{connect4::Connect4, tictactoe::TicTacToe};
use ludus_search::alphabeta::{Bound, Cause, ReplacementScheme, SearchSettings, Window};

#[test]
fn the_cut_branch_is_there() {
    // The second reply refutes the second move, so the third is left out.
    let toy = Toy::parse("((3 12 8) (9 2 6))");
    let settings = SearchSettings { ordering: false, ..SearchSettings::ALPHA_BETA };
    let (report, trace) = traced(&History::new(toy), 2, &evaluate_toy, settings, None, 100);
    assert_eq!(report.score.unwrap().0, 3);
    let moves: Vec<_> = trace.visits.iter().map(|visit| (visit.ply, visit.mv)).collect();
    let line = [0, 1, 2, 2, 2, 1, 2, 2].iter();
    assert_eq!(
        moves.iter().map(|entry| entry.0).collect::<Vec<_>>(),
        line.copied().collect::<Vec<usize>>()
    );
    let second = &trace.visits[5];
    assert_eq!((second.parent, second.mv), (Some(0), Some(1)));
    assert_eq!(second.window, Window { alpha: -Window::OPEN.beta, beta: -3 });
    assert_eq!((second.value, second.bound), (-2, Bound::Lower));
    assert_eq!(second.cause, Some(Cause::Cut(1)));
    assert_eq!((second.nodes, second.omitted), (3, 0));
    assert_eq!(trace.visits[0].bound, Bound::Exact);
    assert_eq!(trace.visits[7].cause, Some(Cause::Horizon));
}

#[test]
fn every_visit_is_counted_recorded_or_not() {
    let game = History::new(Connect4::default());
    for &(name, kind) in KINDS.iter().chain(&[("strong", SearchSettings::STRONG)]) {
        let memory = Some((1 << 14, ReplacementScheme::TwoLevel));
        let (report, whole) =
            traced(&game, 4, &Connect4Knowledge::handcrafted(), kind, memory, usize::MAX);
        let roots = whole.passes.len() as u64;
        assert_eq!(whole.entered(), report.nodes + roots, "{name}");
        assert_eq!(whole.visits.len() as u64, whole.entered(), "{name}");
        let untraced = search(&game, 4, &Connect4Knowledge::handcrafted(), kind, memory, 1);
        assert_eq!(untraced, report, "{name}: looking changes nothing");
        for (id, visit) in whole.visits.iter().enumerate() {
            assert!(visit.parent.is_none_or(|parent| parent < id), "{name}");
            let below: u64 = whole.visits[id..]
                .iter()
                .filter(|other| other.parent == Some(id))
                .map(|child| child.nodes)
                .sum();
            assert_eq!(visit.nodes, 1 + below, "{name}");
        }
        let (_, part) = traced(&game, 4, &Connect4Knowledge::handcrafted(), kind, memory, 50);
        assert_eq!((part.visits.len(), part.entered()), (50, whole.entered()), "{name}");
        let later_passes = part.visits[49].pass + 1 < part.passes.len();
        assert!(later_passes || part.visits.iter().any(|visit| visit.omitted > 0), "{name}");
    }
}

#[test]
fn a_table_hit_and_a_game_over_say_so() {
    let game = History::new(TicTacToe::default());
    let memory = Some((1 << 16, ReplacementScheme::TwoLevel));
    let settings = SearchSettings::NEGAMAX;
    let (_, trace) =
        traced(&game, 9, &TicTacToeKnowledge::handcrafted(), settings, memory, usize::MAX);
    let with = |cause| trace.visits.iter().filter(|visit| visit.cause == Some(cause)).count();
    assert!(with(Cause::Table(Bound::Exact)) > 1000);
    assert!(with(Cause::GameOver) > 100);
    assert_eq!(with(Cause::Horizon), 0, "nine plies are the whole game");
    assert!(trace.visits.iter().all(|visit| visit.cause.is_some() || visit.nodes > 1));
}
