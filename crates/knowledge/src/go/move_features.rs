//! Move features whose strengths are learned from games, as in Crazy Stone (Coulom 2007, *Computing
//! Elo Ratings of Move Patterns in the Game of Go*).
//!
//! A move has at most one feature of each group; a feature is a number within its group.

use super::{
    shapes::{SHAPES, picture, read_picture},
    tactical_features::{LADDERS, TacticalFeatures, VITAL},
};
use ludus_core::{Position, Side};
use ludus_games::go::{Go, GoBoard, GoMove, Point};

/// No feature of a group.
pub const NO_FEATURE: u16 = u16::MAX;

/// The number of groups.
pub const FEATURE_GROUPS: usize = 13;

/// The features of one move (a *team*, in Coulom's words), one of each group or [`NO_FEATURE`].
pub type Team = [u16; FEATURE_GROUPS];

/// The names of the groups and of their features, in order; patterns are numbered, not named.
pub const FEATURE_NAMES: [(&str, &[&str]); FEATURE_GROUPS] = [
    ("pass", &["after a move", "after a pass"]),
    ("capture", &["of what attacks", "of the last move", "of one stone", "of more"]),
    ("escape", &["into one liberty", "into two", "into more"]),
    ("self-atari", &["of one stone", "of two or three", "of more"]),
    ("atari", &["on the last move", "on one stone", "on more", "by a ko"]),
    ("edge", &["first line", "second", "third", "fourth", "fifth or higher"]),
    ("last move", DISTANCES),
    ("move before", DISTANCES),
    ("own beside", &["in atari", "two liberties", "three", "more"]),
    ("others beside", &["in atari", "two liberties", "three", "more"]),
    ("ladder", LADDERS),
    ("vital point", VITAL),
    ("pattern", &[]),
];

const DISTANCES: &[&str] = &[
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "11",
    "12",
    "13",
    "14",
    "15",
    "16",
    "17 or more",
];

/// The name of a feature; for a pattern its picture, rows from the top with `X` for the mover's
/// stones and `#` off the board, such as `.X./O*./###`.
pub fn feature_name(group: usize, feature: usize) -> String {
    match FEATURE_NAMES[group].1.get(feature) {
        Some(name) => (*name).to_owned(),
        None => picture(SHAPES.pictures[feature]),
    }
}

/// The feature of a group with this name; for a pattern, any of its pictures.
pub fn feature_named(group: usize, name: &str) -> Option<usize> {
    if group < FEATURE_GROUPS - 1 {
        return FEATURE_NAMES[group].1.iter().position(|known| *known == name);
    }
    let class = SHAPES.classes[usize::from(read_picture(name)?)];
    (class != NO_FEATURE).then_some(usize::from(class))
}

/// The number of features of each group.
pub fn groups() -> [usize; FEATURE_GROUPS] {
    let mut sizes = FEATURE_NAMES.map(|(_, names)| names.len());
    sizes[FEATURE_GROUPS - 1] = SHAPES.pictures.len();
    sizes
}

/// The features of the moves of one position.
pub struct MoveFeatures<'a> {
    position: &'a Go,
    board: &'a GoBoard,
    side: Side,
    /// Rows and columns of the last moves.
    last: [Option<(usize, usize)>; 2],
    /// The chain of the last move, or [`Point::NOWHERE`].
    last_chain: Point,
    liberties: Liberties,
    tactics: TacticalFeatures,
}

/// Numbers of liberties of all chains, by head.
struct Liberties([u8; 1024]);

impl Liberties {
    /// Counts the liberties of all chains in one pass over the empty points.
    fn of(board: &GoBoard) -> Liberties {
        let mut liberties = Liberties([0; 1024]);
        for &point in board.empties() {
            let mut chains = Chains::EMPTY;
            let stones = board.neighbours(point).filter(|&it| !board.is_empty(it));
            stones.for_each(|stone| chains.add(board.chain(stone)));
            for chain in chains.iter() {
                let count = &mut liberties.0[chain.index() % 1024];
                *count = count.saturating_add(1);
            }
        }
        liberties
    }

    #[inline]
    fn at(&self, chain: Point) -> usize {
        usize::from(self.0[chain.index() % 1024])
    }
}

impl<'a> MoveFeatures<'a> {
    /// The features of the side to move's moves.
    pub fn new(position: &'a Go) -> MoveFeatures<'a> {
        let (board, last) = (position.board(), position.last_moves());
        let stone = last[0].filter(|&last| !board.is_empty(last));
        MoveFeatures {
            position,
            board,
            side: position.turn(),
            last: last.map(|last| last.map(|last| board.row_column(last))),
            last_chain: stone.map_or(Point::NOWHERE, |stone| board.chain(stone)),
            liberties: Liberties::of(board),
            tactics: TacticalFeatures::of(board, position.turn()),
        }
    }

    /// The number of liberties of the chain at `point`.
    pub(super) fn liberties(&self, point: Point) -> usize {
        self.liberties.at(self.board.chain(point))
    }

    /// The features of a legal move.
    pub fn of(&self, mv: GoMove) -> Team {
        match mv {
            GoMove::Pass => {
                let mut team = [NO_FEATURE; FEATURE_GROUPS];
                team[0] = u16::from(self.position.passes() > 0);
                team
            }
            GoMove::Play(point) => self.of_stone(point),
        }
    }

    fn of_stone(&self, point: Point) -> Team {
        let beside = AdjacentChains::of(self.board, self.side, point);
        let place = self.board.row_column(point);
        let after = self.liberties_after(point, &beside);
        [
            NO_FEATURE,
            self.capture(&beside),
            self.escape(after, &beside),
            self.self_atari(after, &beside),
            self.atari(point, &beside),
            self.edge(place),
            distance(self.last[0], place),
            distance(self.last[1], place),
            self.least_liberties(&beside.own),
            self.least_liberties(&beside.others),
            self.tactics.ladder(point),
            self.tactics.vital(point),
            SHAPES.class(self.board.neighbourhood(point), self.side),
        ]
    }

    fn edge(&self, (row, column): (usize, usize)) -> u16 {
        let size = self.board.size();
        let lines = [row, column, size - 1 - row, size - 1 - column];
        lines.into_iter().min().unwrap_or(0).min(4) as u16
    }

    fn capture(&self, beside: &AdjacentChains) -> u16 {
        let captured = || self.captured(beside);
        if captured().next().is_none() {
            NO_FEATURE
        } else if captured().any(|chain| self.attacks_chain_in_atari(chain)) {
            0
        } else if captured().any(|chain| chain == self.last_chain) {
            1
        } else if captured().map(|chain| self.board.chain_size(chain)).sum::<usize>() == 1 {
            2
        } else {
            3
        }
    }

    /// The chains that a move captures.
    fn captured(&self, beside: &AdjacentChains) -> impl Iterator<Item = Point> {
        beside.others.iter().filter(move |&chain| self.liberties.at(chain) == 1)
    }

    /// Whether an own chain in atari stands beside `chain`.
    fn attacks_chain_in_atari(&self, chain: Point) -> bool {
        self.board.chain_stones(chain).any(|stone| {
            self.board.neighbours(stone).any(|point| {
                self.board.stone(point) == Some(self.side)
                    && self.liberties.at(self.board.chain(point)) == 1
            })
        })
    }

    /// Escape of an own chain from atari, into `after` liberties.
    fn escape(&self, after: usize, beside: &AdjacentChains) -> u16 {
        let escapes = beside.own.iter().any(|chain| self.liberties.at(chain) == 1);
        if escapes { after.clamp(1, 3) as u16 - 1 } else { NO_FEATURE }
    }

    fn self_atari(&self, after: usize, beside: &AdjacentChains) -> u16 {
        if after != 1 {
            return NO_FEATURE;
        }
        let size: usize = beside.own.iter().map(|chain| self.board.chain_size(chain)).sum();
        match size + 1 {
            1 => 0,
            2 | 3 => 1,
            _ => 2,
        }
    }

    fn atari(&self, point: Point, beside: &AdjacentChains) -> u16 {
        let mut chains = beside.others.iter().filter(|&chain| self.liberties.at(chain) == 2);
        let Some(first) = chains.next() else { return NO_FEATURE };
        if self.takes_ko(point, beside) {
            3
        } else if first == self.last_chain || chains.any(|chain| chain == self.last_chain) {
            0
        } else if self.board.chain_size(first) == 1 {
            1
        } else {
            2
        }
    }

    /// Whether the move takes a ko.
    fn takes_ko(&self, point: Point, beside: &AdjacentChains) -> bool {
        let captured: usize = self.captured(beside).map(|chain| self.board.chain_size(chain)).sum();
        captured == 1
            && beside.own.is_empty()
            && self.board.neighbours(point).all(|it| !self.board.is_empty(it))
    }

    /// The number of liberties of the chain of a new stone, counted up to four.
    fn liberties_after(&self, point: Point, beside: &AdjacentChains) -> usize {
        // A chain gives up one liberty for the stone it joins.
        if beside.own.iter().any(|chain| self.liberties.at(chain) > MAX_COUNTED_LIBERTIES) {
            return MAX_COUNTED_LIBERTIES;
        }
        let mut found = LibertySet::new();
        let empty = self.board.neighbours(point).filter(|&it| self.board.is_empty(it));
        empty.for_each(|liberty| found.add(liberty));
        for chain in beside.own.iter() {
            self.add_liberties(chain, point, &mut found);
        }
        for chain in self.captured(beside) {
            self.add_captured_liberties(chain, point, &beside.own, &mut found);
        }
        found.count
    }

    /// Adds the liberties of a chain other than `except`.
    fn add_liberties(&self, chain: Point, except: Point, found: &mut LibertySet) {
        for stone in self.board.chain_stones(chain) {
            for point in self.board.neighbours(stone) {
                if point != except && self.board.is_empty(point) {
                    found.add(point);
                }
            }
            if found.is_full() {
                return;
            }
        }
    }

    /// Adds the liberties that appear when a stone on `point` captures `captured`.
    fn add_captured_liberties(
        &self,
        captured: Point,
        point: Point,
        own: &Chains,
        found: &mut LibertySet,
    ) {
        let joins = |beside: Point| {
            beside == point
                || self.board.stone(beside) == Some(self.side)
                    && own.iter().any(|chain| chain == self.board.chain(beside))
        };
        for stone in self.board.chain_stones(captured) {
            if self.board.neighbours(stone).any(joins) {
                found.add(stone);
            }
        }
    }

    /// The feature of the chain with the fewest liberties, before the move.
    fn least_liberties(&self, chains: &Chains) -> u16 {
        let least = chains.iter().map(|chain| self.liberties.at(chain)).min();
        least.map_or(NO_FEATURE, |least| least.clamp(1, 4) as u16 - 1)
    }
}

/// `|dx| + |dy| + max(|dx|, |dy|)`, as feature: 2 is the first, 17 and more the last.
fn distance(from: Option<(usize, usize)>, (row, column): (usize, usize)) -> u16 {
    let Some((other_row, other_column)) = from else { return NO_FEATURE };
    let [down, right] = [row.abs_diff(other_row), column.abs_diff(other_column)];
    (down + right + down.max(right)).clamp(2, 17) as u16 - 2
}

/// The chains beside a point, each once.
struct AdjacentChains {
    own: Chains,
    others: Chains,
}

/// At most four chains.
struct Chains {
    heads: [Point; 4],
    count: usize,
}

impl Chains {
    const EMPTY: Chains = Chains { heads: [Point::NOWHERE; 4], count: 0 };

    fn add(&mut self, head: Point) {
        if !self.heads[..self.count].contains(&head) {
            self.heads[self.count] = head;
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.heads[..self.count].iter().copied()
    }

    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl AdjacentChains {
    fn of(board: &GoBoard, side: Side, point: Point) -> AdjacentChains {
        let mut beside = AdjacentChains { own: Chains::EMPTY, others: Chains::EMPTY };
        for neighbour in board.neighbours(point) {
            match board.stone(neighbour) {
                Some(owner) if owner == side => beside.own.add(board.chain(neighbour)),
                Some(_) => beside.others.add(board.chain(neighbour)),
                None => {}
            }
        }
        beside
    }
}

/// Liberties are counted up to this number.
const MAX_COUNTED_LIBERTIES: usize = 4;

/// Distinct points, at most [`MAX_COUNTED_LIBERTIES`].
struct LibertySet {
    points: [Point; MAX_COUNTED_LIBERTIES],
    count: usize,
}

impl LibertySet {
    fn new() -> LibertySet {
        LibertySet { points: [Point::NOWHERE; MAX_COUNTED_LIBERTIES], count: 0 }
    }

    fn is_full(&self) -> bool {
        self.count >= MAX_COUNTED_LIBERTIES
    }

    fn add(&mut self, point: Point) {
        if !self.is_full() && !self.points[..self.count].contains(&point) {
            self.points[self.count] = point;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Random};

    /// A position from rows of `X`, `O` and `.`, Black to move after White played at `last`.
    fn position(rows: &[&str], last: Option<(usize, usize)>) -> Go {
        let options = Options::parse(&format!("go:size={}", rows.len()), Go::OPTIONS).unwrap();
        let go = Go::start(&options).unwrap();
        let mut board = GoBoard::new(rows.len());
        for (row, text) in rows.iter().enumerate() {
            for (column, stone) in text.chars().enumerate() {
                let point = board.point(row, column);
                match stone {
                    'X' => drop(board.play(Side::First, point)),
                    'O' => drop(board.play(Side::Second, point)),
                    _ => {}
                }
            }
        }
        let last = last.map_or(Point::NOWHERE, |(row, column)| board.point(row, column));
        Go::new(board, Side::First, *go.rules()).with_last_move(last)
    }

    fn team(go: &Go, row: usize, column: usize) -> Team {
        MoveFeatures::new(go).of(GoMove::Play(go.board().point(row, column)))
    }

    #[test]
    fn captures_and_ataris_are_seen() {
        let go = position(
            &[
                ".XO..", // taking the stone at the corner's right saves nothing
                ".XOX.", //
                "..X..", //
                ".....", //
                "O....",
            ],
            Some((0, 2)),
        );
        let taken = team(&go, 0, 3);
        assert_eq!(taken[1], 1, "the chain of the last move");
        assert_eq!(taken[5], 0, "on the first line");
        assert_eq!(taken[6], 0, "beside the last move");
        assert_eq!(team(&go, 3, 0)[4], 1, "atari on one stone in the corner");
        assert_eq!(team(&go, 4, 4)[1], NO_FEATURE);
    }

    #[test]
    fn escapes_and_self_ataris_are_seen() {
        let go = position(
            &[
                "XO...", //
                ".....", //
                "..O..", //
                ".OX..", //
                "..O..",
            ],
            Some((2, 2)),
        );
        assert_eq!(team(&go, 1, 0)[2], 1, "out of the corner into two liberties");
        let run = team(&go, 3, 3);
        assert_eq!((run[2], run[8]), (2, 0), "out of atari into three liberties");
        assert_eq!(team(&go, 4, 1)[3], 0, "one stone with one liberty");
        assert_eq!(team(&go, 0, 4)[3], NO_FEATURE);
    }

    #[test]
    fn passes_have_a_group_of_their_own() {
        let mut go = position(&["...", "...", "..."], None);
        assert_eq!(MoveFeatures::new(&go).of(GoMove::Pass)[0], 0);
        go.play(GoMove::Pass);
        let pass = MoveFeatures::new(&go).of(GoMove::Pass);
        assert_eq!(pass[0], 1);
        assert!(pass[1..].iter().all(|&feature| feature == NO_FEATURE));
    }

    /// On all positions of random games: within bounds, the same with the colours exchanged, and
    /// liberties as the board has them after the move.
    #[test]
    fn features_agree_with_the_board_after_the_move() {
        let mut random = Random::new(1);
        for size in [5, 9, 13] {
            let options = Options::parse(&format!("go:size={size}"), Go::OPTIONS).unwrap();
            let mut go = Go::start(&options).unwrap();
            let mut moves = Vec::new();
            for _ in 0..2 * size * size {
                moves.clear();
                go.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                check(&go, mv);
                go.play(mv);
            }
        }
    }

    fn check(go: &Go, mv: GoMove) {
        let team = MoveFeatures::new(go).of(mv);
        for (feature, size) in team.iter().zip(groups()) {
            assert!(*feature == NO_FEATURE || usize::from(*feature) < size);
        }
        let swapped = go.colour_flipped().expect("Go can be turned round");
        assert_eq!(MoveFeatures::new(&swapped).of(mv), team);
        let GoMove::Play(point) = mv else { return };
        let features = MoveFeatures::new(go);
        let beside = AdjacentChains::of(go.board(), go.turn(), point);
        for chain in beside.own.iter().chain(beside.others.iter()) {
            assert_eq!(features.liberties.at(chain), go.board().liberties(chain));
        }
        let counted = features.liberties_after(point, &beside);
        let after = go.after(mv);
        assert_eq!(counted, after.board().liberties(point).min(4), "{go:?} {point:?}");
        let captures = go.board().captures(go.turn(), point) > 0;
        assert_eq!(team[1] != NO_FEATURE, captures);
    }

    #[test]
    fn every_feature_has_a_name_of_its_own() {
        for (group, size) in groups().into_iter().enumerate() {
            for feature in 0..size {
                let name = feature_name(group, feature);
                assert_eq!(feature_named(group, &name), Some(feature), "{name}");
            }
        }
        assert_eq!(
            feature_named(FEATURE_GROUPS - 1, ".X./O*./###"),
            feature_named(FEATURE_GROUPS - 1, "###/.*O/.X.")
        );
        for wrong in ["", ".X./O*./##.", ".X./O../###", ".X.-O*.-###", ".X./Ü*./##"] {
            assert_eq!(feature_named(FEATURE_GROUPS - 1, wrong), None, "{wrong}");
        }
        assert_eq!(feature_named(1, "of nothing"), None);
    }
}
