//! 3x3 windows over 8 by 8 cells with 2.25 times fewer products (Winograd 1980, Lavin and Gray 2016).
//!
//! The board is cut into 16 tiles of 2 by 2 outputs, each of which sees 4 by 4 inputs. Inputs and weights
//! are transformed into 16 elements, each element is a product by a matrix ([`super::multiply_add`]), and the
//! products are transformed into outputs. Transforms only add and halve. Transformed cells are held
//! element by element, and within an element tile by tile.
//!
//! Each transform has its transpose, which carries gradients back.

use super::{Channels, WIDTH};

/// Cells of the board, row by row.
pub const CELLS: usize = SIZE * SIZE;
/// Elements of a transformed tile.
pub const ELEMENTS: usize = TILE * TILE;
/// Tiles of the board.
pub const TILES: usize = PER_ROW * PER_ROW;
/// Squares that a window sees.
pub const TAPS: usize = WINDOW * WINDOW;

const SIZE: usize = 8;
const PER_ROW: usize = SIZE / 2;
const TILE: usize = 4;
const WINDOW: usize = 3;
/// Channels that are transformed at once.
const LANES: usize = 8;
const PARTS: usize = WIDTH / LANES;

type Lanes = [f32; LANES];

#[inline(always)]
fn sum(one: Lanes, other: Lanes) -> Lanes {
    let mut out = one;
    for lane in 0..LANES {
        out[lane] += other[lane];
    }
    out
}

#[inline(always)]
fn difference(one: Lanes, other: Lanes) -> Lanes {
    let mut out = one;
    for lane in 0..LANES {
        out[lane] -= other[lane];
    }
    out
}

#[inline(always)]
fn half(one: Lanes) -> Lanes {
    let mut out = one;
    for lane in &mut out {
        *lane *= 0.5;
    }
    out
}

#[inline(always)]
fn negative(one: Lanes) -> Lanes {
    let mut out = one;
    for lane in &mut out {
        *lane = -*lane;
    }
    out
}

#[inline(always)]
fn input_side([a, b, c, d]: [Lanes; 4]) -> [Lanes; 4] {
    [difference(a, c), sum(b, c), difference(c, b), difference(b, d)]
}

#[inline(always)]
fn input_back([a, b, c, d]: [Lanes; 4]) -> [Lanes; 4] {
    [a, sum(difference(b, c), d), difference(sum(b, c), a), negative(d)]
}

#[inline(always)]
fn output_side([a, b, c, d]: [Lanes; 4]) -> [Lanes; 2] {
    [sum(sum(a, b), c), difference(difference(b, c), d)]
}

#[inline(always)]
fn output_back([a, b]: [Lanes; 2]) -> [Lanes; 4] {
    [a, sum(a, b), difference(a, b), negative(b)]
}

#[inline(always)]
fn weights_side([a, b, c]: [Lanes; 3]) -> [Lanes; 4] {
    let outer = sum(a, c);
    [a, half(sum(outer, b)), half(difference(outer, b)), c]
}

#[inline(always)]
fn weights_back([a, b, c, d]: [Lanes; 4]) -> [Lanes; 3] {
    let both = half(sum(b, c));
    [sum(a, both), half(difference(b, c)), sum(both, d)]
}

/// A step along the columns and then along the rows.
#[inline(always)]
fn both_sides<const FROM: usize, const TO: usize>(
    tile: [[Lanes; FROM]; FROM],
    side: impl Fn([Lanes; FROM]) -> [Lanes; TO],
) -> [[Lanes; TO]; TO] {
    let mut columns = [[[0.0; LANES]; FROM]; TO];
    for column in 0..FROM {
        let mut lanes = [[0.0; LANES]; FROM];
        for row in 0..FROM {
            lanes[row] = tile[row][column];
        }
        let lanes = side(lanes);
        for row in 0..TO {
            columns[row][column] = lanes[row];
        }
    }
    let mut out = [[[0.0; LANES]; TO]; TO];
    for row in 0..TO {
        out[row] = side(columns[row]);
    }
    out
}

#[inline(always)]
fn read(cell: &Channels, part: usize) -> Lanes {
    cell.0.as_chunks::<LANES>().0[part]
}

#[inline(always)]
fn write(cell: &mut Channels, part: usize, lanes: Lanes) {
    cell.0.as_chunks_mut::<LANES>().0[part] = lanes;
}

/// Calls `work` for each tile and part of the channels.
#[inline(always)]
fn for_each_tile(mut work: impl FnMut(usize, usize)) {
    for tile in 0..TILES {
        for part in 0..PARTS {
            work(tile, part);
        }
    }
}

/// A tile of transformed cells.
#[inline(always)]
fn read_elements(elements: &[Channels], stride: usize, at: usize, part: usize) -> [[Lanes; 4]; 4] {
    let mut tile = [[[0.0; LANES]; TILE]; TILE];
    for row in 0..TILE {
        for column in 0..TILE {
            tile[row][column] = read(&elements[(row * TILE + column) * stride + at], part);
        }
    }
    tile
}

#[inline(always)]
fn write_elements(
    elements: &mut [Channels],
    stride: usize,
    at: usize,
    part: usize,
    tile: [[Lanes; 4]; 4],
) {
    for (row, lanes) in tile.iter().enumerate() {
        for (column, lanes) in lanes.iter().enumerate() {
            write(&mut elements[(row * TILE + column) * stride + at], part, *lanes);
        }
    }
}

/// The first cell of a tile of outputs.
#[inline(always)]
fn corner(tile: usize) -> (usize, usize) {
    (2 * (tile / PER_ROW), 2 * (tile % PER_ROW))
}

/// The cell a tile sees at a place, if it is on the board.
#[inline(always)]
fn seen(tile: usize, row: usize, column: usize) -> Option<usize> {
    let (first, left) = corner(tile);
    let (row, column) = (first + row, left + column);
    let on_board = (1..=SIZE).contains(&row) && (1..=SIZE).contains(&column);
    on_board.then(|| (row - 1) * SIZE + column - 1)
}

/// Transforms the cells of a board.
pub fn transform_input(cells: &[Channels; CELLS], out: &mut [Channels; ELEMENTS * TILES]) {
    for tile in 0..TILES {
        let mut cell = [&Channels::ZERO; TILE * TILE];
        for (place, cell) in cell.iter_mut().enumerate() {
            if let Some(seen) = seen(tile, place / TILE, place % TILE) {
                *cell = &cells[seen];
            }
        }
        for part in 0..PARTS {
            let mut lanes = [[[0.0; LANES]; TILE]; TILE];
            for row in 0..TILE {
                for column in 0..TILE {
                    lanes[row][column] = read(cell[row * TILE + column], part);
                }
            }
            write_elements(out, TILES, tile, part, both_sides(lanes, input_side));
        }
    }
}

/// The transpose of [`transform_input`].
pub fn input_gradient(change: &[Channels; ELEMENTS * TILES], cells: &mut [Channels; CELLS]) {
    cells.fill(Channels::ZERO);
    for_each_tile(|tile, part| {
        let back = both_sides(read_elements(change, TILES, tile, part), input_back);
        for (row, lanes) in back.iter().enumerate() {
            for (column, lanes) in lanes.iter().enumerate() {
                if let Some(cell) = seen(tile, row, column) {
                    let cell = &mut cells[cell];
                    write(cell, part, sum(read(cell, part), *lanes));
                }
            }
        }
    });
}

/// Transforms products into the cells of a board.
pub fn transform_output(products: &[Channels; ELEMENTS * TILES], cells: &mut [Channels; CELLS]) {
    for_each_tile(|tile, part| {
        let outputs = both_sides(read_elements(products, TILES, tile, part), output_side);
        let (first, left) = corner(tile);
        for (row, lanes) in outputs.iter().enumerate() {
            for (column, lanes) in lanes.iter().enumerate() {
                write(&mut cells[(first + row) * SIZE + left + column], part, *lanes);
            }
        }
    });
}

/// The transpose of [`transform_output`].
pub fn output_gradient(change: &[Channels; CELLS], out: &mut [Channels; ELEMENTS * TILES]) {
    for_each_tile(|tile, part| {
        let (first, left) = corner(tile);
        let at = |row, column| (first + row) * SIZE + left + column;
        let mut lanes = [[[0.0; LANES]; 2]; 2];
        for row in 0..2 {
            for column in 0..2 {
                lanes[row][column] = read(&change[at(row, column)], part);
            }
        }
        write_elements(out, TILES, tile, part, both_sides(lanes, output_back));
    });
}

/// Transforms weights as [`super::convolve`] has them into a matrix for each element.
///
/// # Panics
/// If there are not nine taps, or the room is not that of sixteen elements.
pub fn transform_weights(weights: &[Channels], out: &mut [Channels]) {
    assert_eq!((weights.len(), out.len()), (TAPS * WIDTH, ELEMENTS * WIDTH), "sizes");
    for channel in 0..WIDTH {
        for part in 0..PARTS {
            let mut taps = [[[0.0; LANES]; WINDOW]; WINDOW];
            for (row, taps) in taps.iter_mut().enumerate() {
                for (column, lanes) in taps.iter_mut().enumerate() {
                    let tap = row * WINDOW + column;
                    *lanes = read(&weights[tap * WIDTH + channel], part);
                }
            }
            write_elements(out, WIDTH, channel, part, both_sides(taps, weights_side));
        }
    }
}

/// Adds to the gradient by weights the transpose of [`transform_weights`].
///
/// # Panics
/// If there are not nine taps, or not sixteen elements.
pub fn add_weights_gradient(change: &[Channels], gradient: &mut [Channels]) {
    assert_eq!((gradient.len(), change.len()), (TAPS * WIDTH, ELEMENTS * WIDTH), "sizes");
    for channel in 0..WIDTH {
        for part in 0..PARTS {
            let taps = both_sides(read_elements(change, WIDTH, channel, part), weights_back);
            for (row, lanes) in taps.iter().enumerate() {
                for (column, lanes) in lanes.iter().enumerate() {
                    let row = &mut gradient[(row * WINDOW + column) * WIDTH + channel];
                    write(row, part, sum(read(row, part), *lanes));
                }
            }
        }
    }
}
