//! Placing and lifting stones: the inner loop of everything.

use super::board::{
    BORDER, Board, Cell, Content, EMPTY, NOWHERE, Point, State, content, count, only_at, stone_key,
};
use ludus_core::Side;

/// A board's stones while they are worked on, with the room known to the compiler: an index is
/// masked to it and needs no check.
pub(super) struct Stones<'a, const ROOM: usize> {
    cells: &'a mut [Cell; ROOM],
    pub(super) empties: &'a mut [Point; ROOM],
    pub(super) state: &'a mut State,
}

impl<'a, const ROOM: usize> Stones<'a, ROOM> {
    /// The stones of `board`, whose room must be `ROOM`.
    #[inline]
    pub(super) fn of(board: &'a mut Board) -> Stones<'a, ROOM> {
        const { assert!(ROOM.is_power_of_two()) };
        let Board { cells, empties, state } = board;
        Stones {
            cells: (&mut **cells).try_into().expect("the room of the board"),
            empties: (&mut **empties).try_into().expect("the room of the board"),
            state,
        }
    }

    #[inline(always)]
    pub(super) fn cell(&self, point: Point) -> &Cell {
        &self.cells[point.index() & (ROOM - 1)]
    }

    #[inline(always)]
    fn cell_mut(&mut self, point: Point) -> &mut Cell {
        &mut self.cells[point.index() & (ROOM - 1)]
    }

    #[inline(always)]
    fn around(&self, point: Point) -> [Point; 4] {
        let stride = self.state.stride as u16;
        let point = point.0;
        [point.wrapping_sub(stride), point.wrapping_sub(1), point + 1, point + stride].map(Point)
    }

    #[inline(always)]
    fn diagonals(&self, point: Point) -> [Point; 4] {
        let stride = self.state.stride as u16;
        let (above, below) = (point.0.wrapping_sub(stride), point.0 + stride);
        [above.wrapping_sub(1), above + 1, below.wrapping_sub(1), below + 1].map(Point)
    }

    /// See [`Board::play`]; without `KEYED` the key is left as it is, which playouts need not.
    #[inline]
    pub(super) fn play<const KEYED: bool>(&mut self, side: Side, point: Point) -> usize {
        let own = content(side);
        let liberty = point.liberty();
        let around = self.around(point);
        self.forget_empty(point);
        let cell = self.cell_mut(point);
        (cell.content, cell.link) = (own, point.0);
        self.state.stones[side.index()] += 1;
        self.state.ko = NOWHERE;
        if KEYED {
            self.state.key ^= stone_key(side, point);
        }
        for neighbour in around {
            let chain = self.cell(neighbour).chain;
            let cell = self.cell_mut(chain);
            cell.liberties = cell.liberties.wrapping_sub(liberty);
        }
        for neighbour in around {
            if self.cell(neighbour).content == own {
                self.join(point, neighbour);
            }
        }
        let mut captured = 0;
        let mut hole = NOWHERE;
        for neighbour in around {
            let Cell { content, chain, .. } = *self.cell(neighbour);
            if content == own ^ 3 && count(self.cell(chain).liberties) == 0 {
                captured += self.lift::<KEYED>(!side, neighbour);
                hole = neighbour;
            }
        }
        let chain = *self.cell(self.cell(point).chain);
        if captured == 1 && chain.size == 1 && count(chain.liberties) == 1 {
            self.state.ko = hole;
        } else if count(chain.liberties) == 0 {
            captured = self.lift::<KEYED>(side, point);
        }
        captured
    }

    /// Takes `point` out of the list of empty points.
    #[inline(always)]
    fn forget_empty(&mut self, point: Point) {
        self.state.empty -= 1;
        let place = self.cell(point).link;
        let last = self.empties[self.state.empty & (ROOM - 1)];
        self.empties[usize::from(place) & (ROOM - 1)] = last;
        self.cell_mut(last).link = place;
    }

    /// Makes one chain of the stones at `one` and `other`, which may be one already.
    #[inline]
    fn join(&mut self, one: Point, other: Point) {
        let (mut large, mut small) = (self.cell(one).chain, self.cell(other).chain);
        if large == small {
            return;
        }
        if self.cell(large).size < self.cell(small).size {
            (large, small) = (small, large);
        }
        let Cell { liberties, size, link, .. } = *self.cell(small);
        let cell = self.cell_mut(large);
        cell.liberties = cell.liberties.wrapping_add(liberties);
        cell.size += size;
        let after_large = std::mem::replace(&mut cell.link, link);
        self.cell_mut(small).link = after_large;
        let mut stone = Point(link);
        loop {
            let cell = self.cell_mut(stone);
            cell.chain = large;
            if stone == small {
                break;
            }
            stone = Point(cell.link);
        }
    }

    /// Takes the chain of `side` at `point` off the board and returns how many stones it had.
    fn lift<const KEYED: bool>(&mut self, side: Side, point: Point) -> usize {
        let first_new = self.state.empty;
        let mut stone = point;
        loop {
            let place = self.state.empty;
            self.state.empty += 1;
            self.empties[place & (ROOM - 1)] = stone;
            if KEYED {
                self.state.key ^= stone_key(side, stone);
            }
            let cell = self.cell_mut(stone);
            let next = Point(cell.link);
            *cell =
                Cell { liberties: 0, chain: stone, link: place as u16, size: 1, content: EMPTY };
            stone = next;
            if stone == point {
                break;
            }
        }
        // Only now, when every lifted stone is a chain of its own again.
        for place in first_new..self.state.empty {
            let stone = self.empties[place & (ROOM - 1)];
            let liberty = stone.liberty();
            for neighbour in self.around(stone) {
                let chain = self.cell(neighbour).chain;
                let cell = self.cell_mut(chain);
                cell.liberties = cell.liberties.wrapping_add(liberty);
            }
        }
        let lifted = self.state.empty - first_new;
        self.state.stones[side.index()] -= lifted as u16;
        lifted
    }

    /// Whether a playout may place a stone on the empty `point`: not into an eye of its own, not
    /// into death, not back into a ko.
    #[inline]
    pub(super) fn sensible(&self, side: Side, point: Point) -> bool {
        count(self.cell(point).liberties) != 0 || self.sensible_inside(content(side), point)
    }

    /// [`sensible`](Stones::sensible) for a point without an empty neighbour.
    #[inline]
    fn sensible_inside(&self, own: Content, point: Point) -> bool {
        let mut alive = false;
        let mut friends = 0;
        for neighbour in self.around(point) {
            let Cell { content, chain, .. } = *self.cell(neighbour);
            let dying = only_at(self.cell(chain).liberties, point);
            alive |= (content != BORDER) & ((content == own) != dying);
            friends += u32::from((content == own) | (content == BORDER));
        }
        alive && point != self.state.ko && !(friends == 4 && self.is_guarded(own, point))
    }

    /// Whether the opponent holds too few of the points diagonal to `point` to break an eye there.
    #[inline]
    fn is_guarded(&self, own: Content, point: Point) -> bool {
        let (mut enemies, mut outside) = (0, false);
        for diagonal in self.diagonals(point) {
            let content = self.cell(diagonal).content;
            enemies += u32::from(content == own ^ 3);
            outside |= content == BORDER;
        }
        enemies + u32::from(outside) < 2
    }

    /// Moves the empty point at place `from` of the list to place `to` and the other way round.
    #[inline]
    pub(super) fn swap_empties(&mut self, from: usize, to: usize) {
        let (one, other) = (self.empties[from & (ROOM - 1)], self.empties[to & (ROOM - 1)]);
        self.empties[from & (ROOM - 1)] = other;
        self.empties[to & (ROOM - 1)] = one;
        self.cell_mut(one).link = to as u16;
        self.cell_mut(other).link = from as u16;
    }
}
