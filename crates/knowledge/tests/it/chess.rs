//! The handcrafted evaluation of chess.

use ludus_core::{
    Evaluator, HandcraftedEval, HasEval, Notation, Options, Position, Random,
    eval::Weight,
    linear::{LinearEval, LinearEvaluator, TermCounts, Weights},
};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::{ChessEval, ChessKnowledge};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn position(fen: &str) -> Chess {
    Chess::parse(&Options::defaults("chess", &[]), fen).unwrap()
}

/// The handcrafted evaluation for White, in hundredths of a pawn.
fn judge(fen: &str) -> i32 {
    let position = position(fen);
    ChessKnowledge::handcrafted().evaluate(&position).0 * position.turn().sign()
}

#[test]
fn the_evaluation_knows_the_basics() {
    assert!((0..60).contains(&judge(START)), "only the move counts: {}", judge(START));
    assert_eq!(ChessKnowledge::handcrafted().phase(&position(START)), 0);
    assert!(judge("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 800);
    let far = judge("6k1/5ppp/4P3/8/8/8/5PPP/6K1 w - - 0 1");
    let near = judge("6k1/5ppp/8/8/4P3/8/5PPP/6K1 w - - 0 1");
    assert!(far > near, "a passed pawn is worth more the further it has gone");
    let active = judge("8/8/8/3k4/8/8/4P3/K7 w - - 0 1");
    let home = judge("k7/8/8/8/8/8/4P3/K7 w - - 0 1");
    assert!(active < home, "in the ending a king belongs in the middle");
    let safe = judge("r4rk1/ppp2ppp/8/3q4/3Q4/8/PPP2PPP/R4RK1 w - - 0 1");
    let bare = judge("r4rk1/ppp2ppp/8/3q4/3Q1PPP/8/PPP5/R4RK1 w - - 0 1");
    assert!(safe > bare, "a king needs pawns in front of it");
}

#[test]
fn the_evaluation_knows_what_cannot_be_won() {
    let drawn = [
        "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
        "4k3/4b3/8/8/8/8/8/R3K3 w - - 0 1",
        "k7/8/8/8/8/8/P7/2B1K3 w - - 0 1",
        "7k/8/8/7P/8/8/8/4K3 w - - 0 1",
    ];
    for fen in drawn {
        assert!((-20..80).contains(&judge(fen)), "{fen}: {}", judge(fen));
    }
    let won = [
        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
        "k7/8/8/8/8/8/P7/1B2K3 w - - 0 1",
        "8/8/8/k7/8/6P1/8/K7 w - - 0 1",
    ];
    for fen in won {
        assert!(judge(fen) > 300, "{fen}: {}", judge(fen));
    }
    let alike = judge("8/3k1b2/3p4/8/3PP3/3KB3/8/8 w - - 0 1");
    let unlike = judge("8/3kb3/3p4/8/3PP3/3KB3/8/8 w - - 0 1");
    assert!(0 < alike && alike < unlike, "bishops of different shades draw: {alike} {unlike}");
}

#[test]
fn the_evaluation_sees_threats_and_attacks() {
    let attacked = judge("r1bq1rk1/pppp1p1p/6p1/6N1/7Q/3B4/PPP2PPP/R4RK1 w - - 0 1");
    let calm = judge("r1bq1rk1/pppp1p1p/6p1/8/8/3B1N2/PPPQ1PPP/R4RK1 w - - 0 1");
    assert!(attacked > calm + 50, "{attacked} {calm}");
    let forked = judge("r5k1/pp3ppp/8/8/8/8/PP1n1PPP/1R3RK1 w - - 0 1");
    let free = judge("r5k1/pp1n1ppp/8/8/8/8/PP3PPP/1R3RK1 w - - 0 1");
    assert!(forked < free, "{forked} {free}");
}

#[test]
fn the_weights_fit_and_explain_themselves() {
    let read = Weights::parse(ludus_data::hand::CHESS, ChessKnowledge::GROUPS).unwrap();
    assert_eq!(
        Weights::parse(&read.text(ChessKnowledge::GROUPS), ChessKnowledge::GROUPS),
        Ok(read)
    );
    let kiwipete = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let parts = ChessKnowledge::handcrafted().explain(&kiwipete);
    assert_eq!(parts[0].value, ChessKnowledge::handcrafted().evaluate(&kiwipete).0);
    assert!(
        (15..=1 + ChessKnowledge::GROUPS.len()).contains(&parts.len()),
        "only groups that count"
    );
    let counts = TermCounts::of::<ChessKnowledge>(&kiwipete);
    let terms: usize = ChessKnowledge::GROUPS.iter().map(|group| group.terms).sum();
    assert!(counts.0.iter().all(|&(term, _)| term < terms));
}

/// Games with every position twice, so that the pawn table is hit often, and with weights that
/// distinguish all terms.
#[test]
fn the_fast_evaluation_equals_the_plain_one() {
    let mut random = Random::new(5);
    let mut weights = Weights::zero(ChessKnowledge::GROUPS);
    for weight in &mut weights.terms {
        let mut draw = || random.below(41) as i32 - 20;
        *weight = Weight::tapered(draw(), draw());
    }
    let mut drawn = (LinearEvaluator::<ChessKnowledge>::new(&weights), ChessEval::new(&weights));
    let read = Weights::parse(ludus_data::hand::CHESS, ChessKnowledge::GROUPS).unwrap();
    let mut real = (LinearEvaluator::<ChessKnowledge>::new(&read), ChessKnowledge::handcrafted());
    let mut moves = Vec::new();
    for _ in 0..80 {
        let mut game = vec![position(START)];
        for _ in 0..200 {
            let last = game.last().unwrap();
            moves.clear();
            last.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            game.push(last.after(mv));
        }
        for position in game.iter().chain(&game) {
            for (plain, fast) in [&mut drawn, &mut real].map(|pair| (&mut pair.0, &mut pair.1)) {
                assert_eq!(fast.evaluate(position), plain.evaluate(position), "{position:?}");
            }
        }
    }
}
