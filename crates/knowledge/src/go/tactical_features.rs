//! Tactical move features: ladders that work or fail, and vital points of eyes.

use super::{
    move_features::NO_FEATURE,
    policy::{PolicyView, points::Points},
};
use ludus_core::Side;
use ludus_games::{
    go::{GoBoard, Point, stones::Stones},
    with_stones,
};

/// The features of ladders, the most important first.
pub(super) const LADDERS: &[&str] = &[
    "catches more",
    "catches one stone",
    "saves more",
    "saves one stone",
    "in vain",
    "dead anyway",
];
const CATCHES_MORE: u16 = 0;
const SAVES_MORE: u16 = 2;
const IN_VAIN: u16 = 4;
const DEAD: u16 = 5;

/// The features of vital points.
pub(super) const VITAL: &[&str] = &["of an eye of theirs", "of an own eye"];

/// Tactical features by point.
pub(super) struct TacticalFeatures {
    ladders: Vec<(Point, u16)>,
    vital: [Points; 2],
}

impl TacticalFeatures {
    /// The features of the moves of `side`.
    pub(super) fn of(board: &GoBoard, side: Side) -> TacticalFeatures {
        let mut tactics =
            TacticalFeatures { ladders: Vec::new(), vital: [Points::new(), Points::new()] };
        with_stones!(board.stones(), stones => match side {
            Side::First => tactics.find::<0, 1, _, _, _>(board, stones),
            Side::Second => tactics.find::<1, 0, _, _, _>(board, stones),
        });
        tactics
    }

    /// The feature of a ladder at `point`.
    pub(super) fn ladder(&self, point: Point) -> u16 {
        let at_point = self.ladders.iter().filter(|(place, _)| *place == point);
        at_point.map(|&(_, feature)| feature).min().unwrap_or(NO_FEATURE)
    }

    /// The feature of a vital point at `point`.
    pub(super) fn vital(&self, point: Point) -> u16 {
        let feature = self.vital.iter().position(|points| points.as_slice().contains(&point));
        feature.map_or(NO_FEATURE, |feature| feature as u16)
    }

    fn find<
        const SIDE: usize,
        const ENEMY: usize,
        const ROOM: usize,
        const STRIDE: usize,
        const LENGTH: usize,
    >(
        &mut self,
        board: &GoBoard,
        stones: &Stones<ROOM, STRIDE, LENGTH>,
    ) {
        for point in board.points() {
            match board.stone(point) {
                None => {
                    let [enemy, own] = &mut self.vital;
                    PolicyView(stones).propose_vital_point_at::<SIDE>(point, enemy);
                    PolicyView(stones).propose_vital_point_at::<ENEMY>(point, own);
                }
                Some(_) if board.chain(point) != point => {}
                Some(owner) if owner.index() == SIDE => {
                    self.find_own::<SIDE, _, _, _>(point, stones);
                }
                Some(_) => self.find_theirs::<ENEMY, _, _, _>(point, stones),
            }
        }
    }

    /// Features of an own chain: it runs into a ladder, or has to be saved now.
    fn find_own<const SIDE: usize, const ROOM: usize, const STRIDE: usize, const LENGTH: usize>(
        &mut self,
        chain: Point,
        stones: &Stones<ROOM, STRIDE, LENGTH>,
    ) {
        if let Some(liberty) = stones.last_liberty(chain) {
            if PolicyView(stones).is_caught::<SIDE>(liberty, 0) {
                self.ladders.push((liberty, IN_VAIN));
            }
        } else if let Some(liberties) = PolicyView(stones).two_liberties(chain)
            && PolicyView(stones).ladder_attack::<SIDE>(chain).is_some()
        {
            let feature = SAVES_MORE + u16::from(stones.chain_size(chain) == 1);
            self.ladders.extend(liberties.map(|liberty| (liberty, feature)));
        }
    }

    /// Features of an enemy chain: it can be caught, or cannot escape.
    fn find_theirs<
        const ENEMY: usize,
        const ROOM: usize,
        const STRIDE: usize,
        const LENGTH: usize,
    >(
        &mut self,
        chain: Point,
        stones: &Stones<ROOM, STRIDE, LENGTH>,
    ) {
        if let Some(liberty) = stones.last_liberty(chain) {
            if PolicyView(stones).is_caught::<ENEMY>(liberty, 0) {
                self.ladders.push((liberty, DEAD));
            }
        } else if let Some(attack) = PolicyView(stones).ladder_attack::<ENEMY>(chain) {
            let feature = CATCHES_MORE + u16::from(stones.chain_size(chain) == 1);
            self.ladders.push((attack, feature));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as find, *};
    use ludus_core::Position;

    /// The name of the ladder's feature and of the vital point's at the marked point of a diagram.
    fn seen(diagram: &str) -> [Option<&'static str>; 2] {
        let (position, marked) = find(diagram);
        let tactics = TacticalFeatures::of(position.board(), position.turn());
        let name = |names: &[&'static str], feature: u16| names.get(usize::from(feature)).copied();
        let [point] = marked.as_slice() else { panic!("one mark") };
        [name(LADDERS, tactics.ladder(*point)), name(VITAL, tactics.vital(*point))]
    }

    #[test]
    fn ladders_are_started_feared_and_not_run_from() {
        let start = "....... ..OO... .OXx*.. ..O.... ....... ....... .......";
        assert_eq!(seen(start)[0], Some("catches more"));
        let run = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        assert_eq!(seen(run)[0], Some("in vain"));
        let take = "....... ..XX... .Xo*... ..X.... ....... ....... .......";
        assert_eq!(seen(take)[0], Some("dead anyway"));
        let fear = "....... ..OO... .OXX*.. ..o.... ....... ....... .......";
        assert_eq!(seen(fear)[0], Some("saves more"));
        let broken = "....... ..OO... .OX*... ..o.... ....... .....X. .......";
        assert_eq!(seen(broken)[0], None, "the stone below breaks the ladder");
    }

    #[test]
    fn vital_points_of_both_sides_are_seen() {
        assert_eq!(seen(".*.O. OOOO. ..... ..... ....o")[1], Some("of an eye of theirs"));
        assert_eq!(seen(".*.X. XXXX. ..... ..... ....o")[1], Some("of an own eye"));
        assert_eq!(seen("..*.O OOOOO ..... ..... ....o")[1], None, "four in a row have two");
    }
}
