//! 3x3 shapes around a move: equality under symmetry, and diagrams.

use ludus_core::Side;
use std::sync::LazyLock;

/// The class of a neighbourhood that no board has.
pub const NO_SHAPE: u16 = u16::MAX;

/// All shapes.
pub(super) static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);

/// The 3x3 patterns that differ even if rotated and mirrored.
pub(super) struct Shapes {
    /// By neighbourhood, as the first side sees it.
    pub classes: Vec<u16>,
    /// The representative neighbourhood of each class.
    pub pictures: Vec<u16>,
}

/// Positions of a neighbourhood's points, from the lowest bits, in its picture of three rows.
const PLACES: [usize; 8] = [1, 4, 6, 9, 0, 2, 8, 10];
const EMPTY_PICTURE: &[u8; 11] = b".../.*./...";
const CONTENTS: &[u8; 4] = b".XO#";

pub(super) fn picture(around: u16) -> String {
    let mut rows = EMPTY_PICTURE.map(char::from);
    for (index, place) in PLACES.into_iter().enumerate() {
        rows[place] = char::from(CONTENTS[usize::from(around >> (2 * index) & 3)]);
    }
    rows.into_iter().collect()
}

pub(super) fn read_picture(text: &str) -> Option<u16> {
    let text: &[u8; 11] = text.as_bytes().try_into().ok()?;
    let mut around = 0;
    for (index, place) in PLACES.into_iter().enumerate() {
        let content = CONTENTS.iter().position(|&content| content == text[place])?;
        around |= (content as u16) << (2 * index);
    }
    (picture(around).as_bytes() == text).then_some(around)
}

/// Images of the eight points around when the board is rotated by 90 degrees, and when it is
/// mirrored left to right, in the order of [`GoBoard::neighbourhood`].
const TURN: [usize; 8] = [2, 0, 3, 1, 5, 7, 4, 6];
const MIRROR: [usize; 8] = [0, 2, 1, 3, 5, 4, 7, 6];

fn permuted(around: u16, to: &[usize; 8]) -> u16 {
    (0..8).fold(0, |all, from| all | (around >> (2 * from) & 3) << (2 * to[from]))
}

/// The least of the eight pictures of a neighbourhood.
fn canonical(around: u16) -> u16 {
    let mut picture = around;
    let pictures = (0..4).flat_map(|_| {
        picture = permuted(picture, &TURN);
        [picture, permuted(picture, &MIRROR)]
    });
    pictures.min().unwrap_or(around)
}

/// A neighbourhood with the colours exchanged.
#[inline(always)]
pub(super) fn colours_swapped(around: u16) -> u16 {
    let stones = (around ^ around >> 1) & 0x5555;
    around ^ (stones | stones << 1)
}

/// Whether the points off the board are none, an edge or a corner.
fn is_possible(around: u16) -> bool {
    let off = around & around >> 1 & 0x5555;
    const UP: u16 = 1 | 1 << 8 | 1 << 10;
    const LEFT: u16 = 1 << 2 | 1 << 8 | 1 << 12;
    const RIGHT: u16 = 1 << 4 | 1 << 10 | 1 << 14;
    const DOWN: u16 = 1 << 6 | 1 << 12 | 1 << 14;
    let is_off = |edge: u16| off & edge == edge;
    let edges = [UP, LEFT, RIGHT, DOWN].into_iter().filter(|&edge| is_off(edge));
    let opposite = is_off(UP) && is_off(DOWN) || is_off(LEFT) && is_off(RIGHT);
    off == edges.fold(0, |all, edge| all | edge) && !opposite
}

impl Shapes {
    fn new() -> Shapes {
        let mut classes = vec![NO_SHAPE; 1 << 16];
        let mut pictures = Vec::new();
        for around in 0..=u16::MAX {
            if is_possible(around) && canonical(around) == around {
                classes[usize::from(around)] = pictures.len() as u16;
                pictures.push(around);
            }
        }
        for around in (0..=u16::MAX).filter(|&around| is_possible(around)) {
            classes[usize::from(around)] = classes[usize::from(canonical(around))];
        }
        Shapes { classes, pictures }
    }

    pub fn class(&self, around: u16, side: Side) -> u16 {
        let seen = if side == Side::First { around } else { colours_swapped(around) };
        self.classes[usize::from(seen)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_the_same_turned_round_and_mirrored() {
        assert_eq!(SHAPES.pictures.len(), 1107);
        for around in (0..=u16::MAX).filter(|&around| is_possible(around)) {
            for to in [&TURN, &MIRROR] {
                let picture = permuted(around, to);
                assert_eq!(SHAPES.class(around, Side::First), SHAPES.class(picture, Side::First));
            }
            let colours_swapped = colours_swapped(around);
            assert_eq!(
                SHAPES.class(around, Side::First),
                SHAPES.class(colours_swapped, Side::Second)
            );
        }
    }
}
