//! Final ownership, dead stones and the score, estimated by playouts.

use super::policy::{PlayoutBoard, PlayoutPolicy};
use ludus_core::{Position, Random, Side};
use ludus_games::go::{Go, GoBoard, Point, rules::Scoring};

/// A chain whose points the other side owns on average by more than this is dead.
const DEAD_OWNERSHIP: f32 = 0.4;

/// Expected ownership of each point, from 1 (the first side) to -1 (the second), in the
/// order of [`GoBoard::points`]: the mean over playouts, which all run to the end. Passes made
/// so far do not count.
pub fn ownership(
    position: &Go,
    policy: &PlayoutPolicy,
    playouts: u32,
    random: &mut Random,
) -> Vec<f32> {
    let position = &position.with_turn(position.turn());
    let policy = policy.clone().without_mercy();
    let board = position.board();
    let mut owned = vec![0; board.size() * board.size()];
    let (mut playout, mut moves) = (PlayoutBoard::new(position), Vec::new());
    for _ in 0..playouts {
        moves.clear();
        playout.set(position);
        playout.play_out(&policy, random, &mut moves);
        for (owned, owner) in owned.iter_mut().zip(owners(playout.board())) {
            *owned += owner;
        }
    }
    owned.into_iter().map(|owned| owned as f32 / playouts.max(1) as f32).collect()
}

/// The owner of every point of a board on which only eyes are left: 1 the first side, -1 the
/// second, 0 neither.
fn owners(board: &GoBoard) -> impl Iterator<Item = i32> + use<'_> {
    board.points().map(|point| match board.stone(point) {
        Some(side) => side.sign(),
        None => {
            let beside = |side| board.neighbours(point).any(|p| board.stone(p) == Some(side));
            i32::from(beside(Side::First)) - i32::from(beside(Side::Second))
        }
    })
}

/// The stones of chains that do not survive, in the order of [`GoBoard::points`].
pub fn dead_stones(
    position: &Go,
    policy: &PlayoutPolicy,
    playouts: u32,
    random: &mut Random,
) -> Vec<Point> {
    let board = position.board();
    let ownership = ownership(position, policy, playouts, random);
    let owned_by_chain = |chain: Point| {
        let index = |point| {
            let (row, column) = board.row_column(point);
            row * board.size() + column
        };
        let sum: f32 = board.chain_stones(chain).map(|stone| ownership[index(stone)]).sum();
        sum / board.chain_size(chain) as f32
    };
    let is_dead = |point: &Point| {
        board
            .stone(*point)
            .is_some_and(|side| owned_by_chain(*point) * (side.sign() as f32) < -DEAD_OWNERSHIP)
    };
    board.points().filter(is_dead).collect()
}

/// The score for the first side with dead stones removed, komi included: by area or territory, as
/// the rules say. Under territory scoring dead stones are prisoners.
pub fn settled_score(
    position: &Go,
    policy: &PlayoutPolicy,
    playouts: u32,
    random: &mut Random,
) -> f32 {
    score_without(position, &dead_stones(position, policy, playouts, random))
}

/// The score of `position` without the stones of `dead`, which become prisoners.
pub fn score_without(position: &Go, dead: &[Point]) -> f32 {
    let board = position.board();
    let mut settled = GoBoard::new(board.size());
    for point in board.points().filter(|point| !dead.contains(point)) {
        if let Some(side) = board.stone(point) {
            settled.play(side, point);
        }
    }
    let count = |board: &GoBoard, side| board.count(side) as i32;
    let [first, second] = settled.territory().map(|points| points as i32);
    let others = match position.rules().scoring {
        Scoring::Area => count(&settled, Side::First) - count(&settled, Side::Second),
        Scoring::Territory => {
            let taken = |side| count(board, side) - count(&settled, side);
            position.prisoner_lead() + taken(Side::Second) - taken(Side::First)
        }
    };
    (first - second + others) as f32 - position.rules().komi()
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};
    use ludus_games::go::GoMove;
    use ludus_games::go::rules::GoRules;

    /// Two living groups and a dead white stone in Black's corner.
    const FINISHED: &str = "
        .X.XO..
        XXXXOO.
        ...XO.O
        .O.XOOO
        ...XO..
        .XXXOOO
        .X.XO.o";

    #[test]
    fn a_finished_board_belongs_to_its_owners() {
        let (position, _) = read(FINISHED);
        let owned = ownership(&position, &PlayoutPolicy::strong(), 200, &mut Random::new(1));
        for (index, owned) in owned.iter().enumerate() {
            let black = index % 7 < 4;
            let surely = if black { *owned } else { -owned };
            assert!(surely > 0.6, "{index}: {owned}");
        }
    }

    #[test]
    fn dead_stones_are_found_and_taken_off() {
        let (position, _) = read(FINISHED);
        let mut random = Random::new(1);
        let dead = dead_stones(&position, &PlayoutPolicy::fuego(), 200, &mut random);
        assert_eq!(dead, [position.board().point(3, 1)]);
        let over = position.after(GoMove::Pass).after(GoMove::Pass);
        assert_eq!(
            dead_stones(&over, &PlayoutPolicy::fuego(), 200, &mut random),
            dead,
            "at the end too"
        );
        let komi = position.rules().komi();
        let score = settled_score(&position, &PlayoutPolicy::fuego(), 200, &mut random);
        assert_eq!(score, 28.0 - 21.0 - komi, "area");
        let rules = GoRules { scoring: Scoring::Territory, ..*position.rules() };
        let japanese = position.with_rules(rules);
        let expected = territory_of_finished() - komi;
        assert_eq!(settled_score(&japanese, &PlayoutPolicy::fuego(), 200, &mut random), expected);
    }

    /// Counted in the diagram: Black's empty points, the dead stone's point and the prisoner, less
    /// White's empty points.
    fn territory_of_finished() -> f32 {
        let rows: Vec<&str> = FINISHED.split_whitespace().collect();
        let empty = |columns: std::ops::Range<usize>| {
            rows.iter().map(|row| row[columns.clone()].matches('.').count()).sum::<usize>() as f32
        };
        empty(0..4) + 1.0 + 1.0 - empty(4..7)
    }
}
