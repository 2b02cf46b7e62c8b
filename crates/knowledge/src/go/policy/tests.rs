//! Diagrams of what each rule proposes, and every shortcut against a plain way.
//!
//! In a diagram the small letter is the last move, so the other side is to move, and `*` marks the
//! moves that are proposed.

use super::{capture::ChainsInAtari, *};
use ludus_core::Position;
use ludus_games::{
    go::{
        Go, GoBoard, GoMove,
        rules::{GoRules, Ko, Scoring},
    },
    with_stones,
};

pub(super) const RULES: GoRules =
    GoRules { ko: Ko::Simple, suicide: false, scoring: Scoring::Area, komi_halves: 15 };

/// The position of a diagram and the points marked in it.
pub(in super::super) fn read(diagram: &str) -> (Go, Vec<Point>) {
    let rows: Vec<&str> = diagram.split_whitespace().collect();
    let mut board = GoBoard::new(rows.len());
    let (mut last, mut turn, mut marked) = (Point::NOWHERE, Side::First, Vec::new());
    for (row, text) in rows.iter().enumerate() {
        assert_eq!(text.len(), rows.len(), "a square board");
        for (column, cell) in text.chars().enumerate() {
            let point = board.point(row, column);
            match cell.to_ascii_uppercase() {
                'X' => _ = board.play(Side::First, point),
                'O' => _ = board.play(Side::Second, point),
                '*' => marked.push(point),
                _ => {}
            }
            if cell.is_ascii_lowercase() {
                last = point;
                turn = if cell == 'x' { Side::Second } else { Side::First };
            }
        }
    }
    (Go::new(board, turn, RULES).with_last_move(last), marked)
}

/// A policy with only one rule.
fn only(rule: PlayoutRule) -> PlayoutPolicy {
    let mut policy = PlayoutPolicy::light();
    match rule {
        PlayoutRule::Nakade => policy.nakade = 100,
        PlayoutRule::Capture => policy.capture = 100,
        PlayoutRule::Defence => (policy.defence, policy.ladders) = (100, true),
        PlayoutRule::LowLiberty => policy.low_liberty = 100,
        PlayoutRule::Pattern => policy.patterns = 100,
        PlayoutRule::GlobalCapture => policy.global_capture = 100,
        PlayoutRule::KoRefight => policy.ko_refight = 100,
        PlayoutRule::Random | PlayoutRule::Pass => {}
    }
    policy
}

fn proposed(go: &Go, policy: &PlayoutPolicy) -> Vec<Point> {
    let mut candidates = Vec::new();
    PlayoutBoard::new(go).candidates(policy, &mut candidates);
    let mut points: Vec<Point> = candidates.into_iter().map(|(mv, _)| mv.point()).collect();
    points.sort();
    points
}

/// Asserts that `rule` proposes exactly the marked moves.
fn proposes(rule: PlayoutRule, diagram: &str) {
    let (go, marked) = read(diagram);
    assert_eq!(proposed(&go, &only(rule)), marked, "{rule:?} in\n{go:?}");
}

#[test]
fn the_last_move_is_captured_if_it_is_in_atari() {
    proposes(PlayoutRule::Capture, "..X.. .XoX. ..*.. ..... .....");
    proposes(PlayoutRule::Capture, "..O.. .OxO. ..*.. ..... .....");
    proposes(PlayoutRule::Capture, "..... .XoX. ..... ..... .....");
}

#[test]
fn a_chain_in_atari_runs() {
    proposes(PlayoutRule::Defence, "..o.. .OXO. ..*.. ..... .....");
    proposes(PlayoutRule::Defence, "OXo.. O.O.. .O... ..... .....");
}

#[test]
fn a_chain_in_atari_captures_an_attacker() {
    proposes(PlayoutRule::Defence, "*OXo. .X*.. ..... ..... .....");
}

#[test]
fn chains_do_not_run_into_ladders() {
    let caught = "....... ..OO... .OX.... ..o.... ....... ....... .......";
    let broken = "....... ..OO... .OX*... ..o.... ....... .....X. .......";
    proposes(PlayoutRule::Defence, caught);
    proposes(PlayoutRule::Defence, broken);
    let (go, _) = read(caught);
    let blind = PlayoutPolicy { ladders: false, ..only(PlayoutRule::Defence) };
    assert_eq!(proposed(&go, &blind), [go.board().point(2, 3)]);
}

/// The same ladder over the whole of the largest board, on a quarter of a thread's usual stack.
#[test]
fn long_ladders_need_little_stack() {
    let across = || {
        let mut rows = vec![".".repeat(25); 25];
        for (row, stones) in ["..OO", ".OX.", "..o."].into_iter().enumerate() {
            rows[row + 1].replace_range(..4, stones);
        }
        proposes(PlayoutRule::Defence, &rows.join(" "));
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(across).unwrap().join().unwrap();
}

#[test]
fn chains_with_two_liberties_gain_some() {
    proposes(PlayoutRule::LowLiberty, "..*.. .OX*. ..o.. ..... .....");
    proposes(PlayoutRule::LowLiberty, ".*X*. .Xo*. ..*.. ..... .....");
    // X at A5 has two liberties but would gain none on either.
    proposes(PlayoutRule::LowLiberty, "X.O.. oO... .O... ..... .....");
}

#[test]
fn patterns_are_found_beside_the_last_move() {
    let found = |diagram| {
        let (go, marked) = read(diagram);
        let proposed = proposed(&go, &only(PlayoutRule::Pattern));
        assert!(marked.iter().all(|point| proposed.contains(point)), "{proposed:?} in\n{go:?}");
        !marked.is_empty() || proposed.is_empty()
    };
    assert!(found("..... .XoX. ..*.. ..... ....."), "hane");
    assert!(found("..... .Xo.. .O*.. ..... ....."), "a cut");
    assert!(found("..... ..... ..o.. ..... ....."), "nothing beside a lone stone");
}

#[test]
fn patterns_in_self_atari_are_refused() {
    // The cut at B5 would have one liberty.
    proposes(PlayoutRule::Pattern, "XoX.. O.O.. .O... ..... .....");
}

#[test]
fn the_vital_point_of_a_small_region_is_played() {
    proposes(PlayoutRule::Nakade, ".*.o. OOOO. ..... ..... .....");
    proposes(PlayoutRule::Nakade, ".*.o. O.OO. OOO.. ..... .....");
    proposes(PlayoutRule::Nakade, "..OO. .*.o. OOOO. ..... .....");
    proposes(PlayoutRule::Nakade, "....o OOOOO ..... ..... .....");
    proposes(PlayoutRule::Nakade, "X..o. OOOO. ..... ..... .....");
}

#[test]
fn captures_anywhere_are_found() {
    proposes(PlayoutRule::GlobalCapture, "*OX.. XX... ..... ...*. o.XOX");
    proposes(PlayoutRule::GlobalCapture, "..... ..... ..... ..... o....");
}

#[test]
fn a_ko_is_fought_after_the_threat_is_answered() {
    let (mut go, _) = read("..... ..XO. .X.XO ..XO. o....");
    let point = |row, column| GoMove::Play(go.board().point(row, column));
    let [ko, take, threat, answer] = [point(2, 3), point(2, 2), point(0, 0), point(4, 4)];
    go.play(GoMove::Pass);
    let mut board = PlayoutBoard::new(&go);
    for mv in [take, threat, answer] {
        board.play(mv);
    }
    let mut candidates = Vec::new();
    board.candidates(&only(PlayoutRule::KoRefight), &mut candidates);
    assert_eq!(candidates, [(ko, PlayoutRule::KoRefight)]);
}

#[test]
fn a_random_self_atari_is_corrected_or_rejected() {
    // X at B5 and C5 has the liberties A5 and D5, which leads out.
    let (go, _) = read(".XX.. OOO.. ..... ..... ....o");
    let [bad, good] = [0, 3].map(|column| go.board().point(0, column));
    with_stones!(go.board().stones(), stones => {
        assert!(PolicyView(stones).is_self_atari::<0>(bad));
        assert!(!PolicyView(stones).is_self_atari::<0>(good));
        assert_eq!(PolicyView(stones).correct::<0>(bad), Some(good));
    });
    // Four stones in a row give nothing but themselves; two may take an eye.
    let (go, _) = read(".XXX. OOOO. ..... ..... ....o");
    with_stones!(go.board().stones(), stones => {
        assert!(PolicyView(stones).is_waste::<0>(go.board().point(0, 0)));
    });
    let (go, _) = read(".X.O. OOOO. ..... ..... ....o");
    with_stones!(go.board().stones(), stones => {
        assert!(!PolicyView(stones).is_waste::<0>(go.board().point(0, 0)));
    });
}

#[test]
fn a_lone_stone_is_shifted_to_its_only_liberty() {
    let (go, marked) = read(".O... *.... ..... ..... ....o");
    let corner = go.board().point(0, 0);
    with_stones!(go.board().stones(), stones => {
        assert_eq!(PolicyView(stones).shift::<0>(corner), Some(marked[0]));
    });
    // If the liberty is as bad the stone stays.
    let (go, _) = read(".O... .O... O.... ..... ....o");
    with_stones!(go.board().stones(), stones => assert_eq!(PolicyView(stones).shift::<0>(corner), None));
}

#[test]
fn a_seki_is_left_alone() {
    // A stone of either side on C6 is captured; the three stones and D6 are no shape that takes an
    // eye.
    let (go, marked) = read("XO*XO. XO.XO. XOOXO. XXXOO. ...... ....o.");
    let spoils = |go: &Go| with_stones!(go.board().stones(), stones => PolicyView(stones).spoils_seki::<0, 1>(marked[0]));
    assert!(spoils(&go));
    let (open, _) = read("XO*X.. XO.XO. XOOXO. XXXOO. ...... ....o.");
    assert!(!spoils(&open), "Black has a liberty of his own");
    let policy = PlayoutPolicy { seki: true, ..PlayoutPolicy::light() };
    let mut random = Random::new(1);
    for _ in 0..200 {
        let (mv, _) = PlayoutBoard::new(&go).choose(&policy, &mut random);
        assert_ne!(mv, GoMove::Play(marked[0]));
    }
}

#[test]
fn points_of_a_seki_agree_with_trying_them() {
    let mut found = 0;
    through_games(4, |go| {
        let (side, board) = (go.turn(), go.board());
        for &point in board.empties() {
            let dies = |side| {
                let mut board = board.clone();
                board.play(side, point);
                board.is_empty(point) || board.liberties(point) < 2
            };
            let joined = || {
                let mut chains: Vec<Point> = board
                    .neighbours(point)
                    .filter(|&beside| board.stone(beside) == Some(side))
                    .map(|beside| board.chain(beside))
                    .collect();
                chains.sort();
                chains.dedup();
                1 + chains.iter().map(|&chain| board.chain_size(chain)).sum::<usize>()
            };
            let has_enemy =
                board.neighbours(point).any(|beside| board.stone(beside) == Some(!side));
            let (spoils, takes_eye) = with_stones!(board.stones(), stones => match side {
                Side::First => {
                    (PolicyView(stones).spoils_seki::<0, 1>(point), PolicyView(stones).makes_nakade::<0>(point))
                }
                Side::Second => {
                    (PolicyView(stones).spoils_seki::<1, 0>(point), PolicyView(stones).makes_nakade::<1>(point))
                }
            });
            let expected = has_enemy && dies(side) && dies(!side) && joined() >= 3 && !takes_eye;
            assert_eq!(spoils, expected, "{point:?} {go:?}");
            found += usize::from(spoils);
        }
    });
    assert!(found > 20, "{found}");
}

#[test]
fn small_eyes_have_room_for_three_stones() {
    let is_small = |diagram| {
        let (go, marked) = read(diagram);
        with_stones!(go.board().stones(), stones => PolicyView(stones).is_in_small_eye::<0>(marked[0]))
    };
    assert!(is_small("*..O. OOOo. ..... ..... ....."));
    assert!(is_small("X*.O. OOOo. ..... ..... ....."));
    assert!(!is_small("*...O OOOOo ..... ..... ....."));
    assert!(!is_small("*.... ..... ..... ..... ....o"));
}

#[test]
fn mercy_ends_a_hopeless_game() {
    let (go, _) = read("XXXX. XXXXX ..... ..... o....");
    let board = PlayoutBoard::new(&go);
    assert!(board.is_over(&PlayoutPolicy::fuego()));
    assert!(!board.is_over(&PlayoutPolicy::fuego().without_mercy()));
}

fn policies() -> [PlayoutPolicy; 3] {
    [PlayoutPolicy::light(), PlayoutPolicy::fuego(), PlayoutPolicy::strong()]
}

/// Calls `look` with every position of random games under all policies, on boards of several sizes,
/// and checks that every move is legal and the count right.
fn through_games(games: usize, mut look: impl FnMut(&Go)) {
    let mut random = Random::new(5);
    for size in [2, 3, 5, 6, 9, 13] {
        for policy in policies().map(PlayoutPolicy::without_mercy) {
            for _ in 0..games {
                let mut go = Go::new(GoBoard::new(size), Side::First, RULES);
                let mut board = PlayoutBoard::new(&go);
                while !board.is_over(&policy) {
                    look(&go);
                    let (mv, _) = board.choose(&policy, &mut random);
                    assert!(
                        mv == GoMove::Pass || go.illegal(mv.point()).is_none(),
                        "{mv:?} {go:?}"
                    );
                    board.play(mv);
                    go.play(mv);
                }
                assert_eq!(board.score(), go.score());
            }
        }
    }
}

#[test]
fn policies_play_legal_moves_and_count_right() {
    through_games(60, |_| {});
}

#[test]
fn whole_playouts_are_the_same_games_as_those_step_by_step() {
    for policy in policies() {
        for size in [5, 9, 19] {
            let go = Go::new(GoBoard::new(size), Side::First, RULES);
            let (mut one, mut other) = (Random::new(8), Random::new(8));
            let mut moves = Vec::new();
            let score = play_out_with(&go, &policy, &mut one, &mut moves);
            let mut board = PlayoutBoard::new(&go);
            for mv in moves {
                assert_eq!(board.choose(&policy, &mut other).0, mv);
                board.play(mv);
            }
            assert!(board.is_over(&policy));
            assert_eq!(board.score(), score);
        }
    }
}

#[test]
fn keys_do_not_depend_on_the_way() {
    let mut random = Random::new(9);
    let go = Go::new(GoBoard::new(9), Side::First, RULES);
    let mut board = PlayoutBoard::new(&go);
    let mut position = go;
    while !board.is_over(&PlayoutPolicy::strong()) {
        let (mv, _) = board.choose(&PlayoutPolicy::strong(), &mut random);
        board.play(mv);
        position.play(mv);
        let fresh = PlayoutBoard::new(&position);
        assert_eq!(
            (fresh.key(), fresh.verification_key()),
            (board.key(), board.verification_key())
        );
        let turned = board.rotated_keys();
        assert_eq!(turned[0], (board.key(), board.verification_key()));
    }
}

#[test]
fn the_list_of_chains_in_atari_agrees_with_a_look_at_all() {
    let mut random = Random::new(6);
    for size in [5, 9, 19] {
        for policy in policies() {
            let go = Go::new(GoBoard::new(size), Side::First, RULES);
            let mut board = PlayoutBoard::new(&go);
            while !board.is_over(&policy) {
                let (mv, _) = board.choose(&policy, &mut random);
                board.play(mv);
                let captures = |board: &mut PlayoutBoard| {
                    let mut found = Vec::new();
                    board.candidates(&only(PlayoutRule::GlobalCapture), &mut found);
                    let mut points: Vec<Point> = found.iter().map(|(mv, _)| mv.point()).collect();
                    points.sort();
                    points
                };
                let kept = captures(&mut board.clone());
                let mut fresh = board.clone();
                fresh.state.in_atari_chains = ChainsInAtari::new();
                with_stones!(fresh.board().clone().stones(), stones => {
                    PolicyView(stones).find_chains_in_atari(&mut fresh.state.in_atari_chains);
                });
                assert_eq!(kept, captures(&mut fresh));
            }
        }
    }
}

/// The number of liberties of the chain at `point` after a move there; 0 for suicide.
fn liberties_after(go: &Go, point: Point) -> usize {
    let mut board = go.board().clone();
    board.play(go.turn(), point);
    if board.is_empty(point) { 0 } else { board.liberties(point) }
}

#[test]
fn self_atari_agrees_with_trying_it() {
    through_games(4, |go| {
        for &point in go.board().empties() {
            let found = with_stones!(go.board().stones(), stones => match go.turn() {
                Side::First => PolicyView(stones).is_self_atari::<0>(point),
                Side::Second => PolicyView(stones).is_self_atari::<1>(point),
            });
            assert_eq!(found, liberties_after(go, point) < 2, "{point:?} {go:?}");
        }
    });
}

/// The stones of each side in atari, counted one by one.
fn plain_in_atari(board: &GoBoard) -> [usize; 2] {
    Side::BOTH.map(|side| {
        let in_atari_chains =
            |point: &Point| board.stone(*point) == Some(side) && board.liberties(*point) == 1;
        board.points().filter(in_atari_chains).count()
    })
}

#[test]
fn stones_in_atari_after_a_move_agree_with_trying_it() {
    let mut most = [0; 2];
    through_games(4, |go| {
        let (side, before) = (go.turn(), plain_in_atari(go.board()));
        let safe = |point: &&Point| !go.board().is_suicide(side, **point);
        for &point in go.board().empties().iter().filter(safe) {
            let mut board = go.board().clone();
            board.play(side, point);
            let after = plain_in_atari(&board);
            let expected = [after[(!side).index()], after[side.index()]];
            let found = ataris_after(go.board(), side, point, before);
            assert_eq!(found, expected, "{point:?} {go:?}");
            for (most, found) in most.iter_mut().zip(found) {
                *most = found.max(*most);
            }
        }
    });
    assert!(most.iter().all(|&most| most > 4), "{most:?}");
}

/// A playout keeps what is in atari from move to move.
#[test]
fn stones_in_atari_are_known_all_through_a_playout() {
    let mut random = Random::new(6);
    for _ in 0..20 {
        let mut board = PlayoutBoard::new(&Go::new(GoBoard::new(7), Side::First, RULES));
        while !board.is_over(&PlayoutPolicy::fuego()) {
            let (mv, _) = board.choose(&PlayoutPolicy::fuego(), &mut random);
            board.play(mv);
            assert_eq!(
                board.stones_in_atari(),
                plain_in_atari(board.board()),
                "{:?}",
                board.board()
            );
        }
    }
}

#[test]
fn two_liberties_and_gains_agree_with_counting() {
    through_games(4, |go| {
        for point in go.board().points().filter(|&point| go.board().stone(point) == Some(go.turn()))
        {
            let found = with_stones!(go.board().stones(), stones => PolicyView(stones).two_liberties(point));
            assert_eq!(found.is_some(), go.board().liberties(point) == 2);
            let Some([one, other]) = found else { continue };
            let gains = with_stones!(go.board().stones(), stones => match go.turn() {
                Side::First => PolicyView(stones).gains_liberties::<0>(one, other),
                Side::Second => PolicyView(stones).gains_liberties::<1>(one, other),
            });
            assert_eq!(gains, liberties_after(go, one) > 2, "{one:?} {go:?}");
        }
    });
}

/// Whether the side to move catches the chain at `target` with at most `most` ataris, read with
/// positions.
fn plain_ladder(go: &Go, target: Point, most: u32) -> bool {
    match go.board().liberties(target) {
        0 | 1 => return true,
        2 if most > 0 => {}
        _ => return false,
    }
    let empties = go.board().empties().to_vec();
    let tried =
        |go: &Go, point: Point| go.illegal(point).is_none().then(|| go.after(GoMove::Play(point)));
    empties.iter().any(|&attack| {
        let Some(after) = tried(go, attack) else { return false };
        after.board().liberties(target) == 1
            && !empties.iter().chain(after.board().empties()).any(|&escape| {
                tried(&after, escape).is_some_and(|escaped| {
                    escaped.board().liberties(target) > 1
                        && !plain_ladder(&escaped, target, most - 1)
                })
            })
    })
}

#[test]
fn ladders_agree_with_a_plain_search() {
    let (mut ladders, mut short, mut positions) = (0, 0, 0);
    let mut random = Random::new(4);
    for _ in 0..60 {
        let mut go = Go::new(GoBoard::new(6), Side::First, RULES);
        let mut board = PlayoutBoard::new(&go);
        while !board.is_over(&PlayoutPolicy::fuego()) {
            let (mv, _) = board.choose(&PlayoutPolicy::fuego(), &mut random);
            board.play(mv);
            go.play(mv);
            let enemies = go.board().points().filter(|&point| {
                go.board().stone(point) == Some(!go.turn()) && go.board().chain(point) == point
            });
            for target in enemies.filter(|&target| go.board().liberties(target) == 2) {
                let [found, at_once] = [100, 1].map(|most| {
                    let found = with_stones!(go.board().stones(), stones => match go.turn() {
                        Side::First => PolicyView(stones).is_captured_in_ladder::<1>(target, most),
                        Side::Second => PolicyView(stones).is_captured_in_ladder::<0>(target, most),
                    });
                    assert_eq!(found, plain_ladder(&go, target, most), "{most} {target:?} {go:?}");
                    found
                });
                ladders += usize::from(found);
                short += usize::from(at_once);
                positions += 1;
            }
        }
    }
    assert!(ladders > 50 && positions > 2 * ladders, "{ladders} of {positions}");
    assert!((1..ladders).contains(&short), "{short} of {ladders}");
}
