//! Names of squares: numbers from 1 at the top, or letters and ranks as on a chess board.

use super::rules::Rules;

/// The number of a square, counted from 1.
pub(super) fn number(rules: Rules, bit: u32) -> u32 {
    // Every second row is followed by one bit that is no square.
    bit - bit / (2 * rules.width() + 1) + 1
}

/// The bit of a square number between 1 and the last.
pub(super) fn bit(rules: Rules, number: u32) -> u32 {
    number - 1 + (number - 1) / (2 * rules.width())
}

/// Row from the top and column from the left.
pub(super) fn place(rules: Rules, bit: u32) -> (usize, usize) {
    let index = number(rules, bit) - 1;
    let row = index / rules.width();
    let column = 2 * (index % rules.width()) + u32::from(row.is_multiple_of(2));
    (row as usize, column as usize)
}

/// The square at a row and a column, if it is a dark one.
pub(super) fn at(rules: Rules, row: usize, column: usize) -> Option<u32> {
    let size = rules.size();
    (row < size && column < size && (row ^ column) & 1 == 1)
        .then(|| bit(rules, row as u32 * rules.width() + column as u32 / 2 + 1))
}

/// The canonical name of a square.
pub(super) fn name(rules: Rules, bit: u32) -> String {
    if !rules.algebraic() {
        return number(rules, bit).to_string();
    }
    let (row, column) = place(rules, bit);
    format!("{}{}", char::from(b'a' + column as u8), rules.size() - row)
}

/// Reads the square at the start of `text`; returns its bit and the number of bytes read. Numbers
/// are read in every rule set, letters where they are usual.
pub(super) fn read(rules: Rules, text: &str) -> Option<(u32, usize)> {
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
pub(super) fn expected(rules: Rules) -> String {
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
