//! Names of squares: numbers from 1, or letters and ranks as on a chess board; and their places on
//! the board as it is drawn.

use super::rules::Rules;

/// The number of squares before this one, in the order of bits.
#[inline]
pub fn index(rules: Rules, bit: u32) -> u32 {
    // Every second row is followed by one bit that is no square.
    bit - bit / (2 * rules.width() + 1)
}

fn bit_of_index(rules: Rules, index: u32) -> u32 {
    index + index / (2 * rules.width())
}

/// The number of the square with an index, less one, or the index of a number less one: whether the
/// board is mirrored and whether it is numbered from below, both are their own inverse.
#[inline]
fn renumbered(rules: Rules, index: u32) -> u32 {
    let names = rules.set().squares;
    let width = rules.width();
    let (row, column) = (index / width, index % width);
    let column = if names.mirrored { width - 1 - column } else { column };
    let number = row * width + column;
    if names.from_below { rules.squares() - 1 - number } else { number }
}

/// The number of a square, counted from 1.
#[inline]
pub fn number(rules: Rules, bit: u32) -> u32 {
    renumbered(rules, index(rules, bit)) + 1
}

/// The bit of a square number between 1 and the last.
pub fn bit(rules: Rules, number: u32) -> u32 {
    bit_of_index(rules, renumbered(rules, number - 1))
}

/// The column as drawn of a column of the layout, or the other way round.
fn drawn_column(rules: Rules, column: usize) -> usize {
    if rules.set().squares.mirrored { rules.size() - 1 - column } else { column }
}

/// Row from the top and column from the left.
pub fn place(rules: Rules, bit: u32) -> (usize, usize) {
    let index = index(rules, bit);
    let row = index / rules.width();
    let column = 2 * (index % rules.width()) + u32::from(row.is_multiple_of(2));
    (row as usize, drawn_column(rules, column as usize))
}

/// The square at a row and a column, if it is a dark one.
pub fn at(rules: Rules, row: usize, column: usize) -> Option<u32> {
    let size = rules.size();
    if row >= size || column >= size {
        return None;
    }
    let column = drawn_column(rules, column);
    ((row ^ column) & 1 == 1)
        .then(|| bit_of_index(rules, row as u32 * rules.width() + column as u32 / 2))
}

/// The canonical name of a square.
pub fn name(rules: Rules, bit: u32) -> String {
    if !rules.algebraic() {
        return number(rules, bit).to_string();
    }
    let (row, column) = place(rules, bit);
    format!("{}{}", char::from(b'a' + column as u8), rules.size() - row)
}

/// Reads the square at the start of `text`; returns its bit and the number of bytes read. Numbers
/// are read in every rule set, letters where they are usual.
pub fn read(rules: Rules, text: &str) -> Option<(u32, usize)> {
    let bytes = text.as_bytes();
    let letters = usize::from(bytes.first()?.is_ascii_alphabetic());
    let digits = bytes[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if letters == 0 {
        let number: u32 = text[..digits].parse().ok()?;
        return (1..=rules.squares()).contains(&number).then(|| (bit(rules, number), digits));
    }
    // One digit, so that squares may follow each other without a separator.
    let &[letter, digit, ..] = bytes else { return None };
    if !rules.algebraic() || digits == 0 {
        return None;
    }
    let column = letter.to_ascii_lowercase().checked_sub(b'a')?;
    let row = rules.size().checked_sub(usize::from(digit - b'0'))?;
    at(rules, row, usize::from(column)).map(|bit| (bit, 2))
}

/// The description of a square for error messages of [`read`].
pub fn expected(rules: Rules) -> String {
    let last = rules.squares();
    if rules.algebraic() {
        format!("a dark square such as c3, or a number from 1 to {last}")
    } else {
        format!("a square number from 1 to {last}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::board::{all_squares, bits};

    #[test]
    fn names_and_places_lead_back_to_the_square() {
        for rules in Rules::ALL {
            for square in bits(all_squares(rules)) {
                let (row, column) = place(rules, square);
                assert_eq!(at(rules, row, column), Some(square));
                let name = name(rules, square);
                assert_eq!(read(rules, &name), Some((square, name.len())));
                assert_eq!(bit(rules, number(rules, square)), square);
            }
        }
    }

    #[test]
    fn corners_have_their_usual_names() {
        let names = |rules| [1, 4, 29, 32].map(|number| name(rules, bit(rules, number)));
        assert_eq!(names(Rules::English), ["1", "4", "29", "32"]);
        assert_eq!(names(Rules::Russian), ["b8", "h8", "a1", "g1"]);
        assert_eq!(place(Rules::International, bit(Rules::International, 46)), (9, 0));
        for nonsense in ["", "x", "a", "a2", "i1", "a0", "a9", "0", "33", "99999999999", "é"] {
            assert_eq!(read(Rules::Russian, nonsense), None, "{nonsense:?}");
        }
    }
}
