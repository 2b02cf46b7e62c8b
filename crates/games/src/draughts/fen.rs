//! Positions as PDN's FEN: `W:W21-32:BK3,1-12`.
//!
//! First the colour to move, then both colours with their squares, `K` in front of kings. Accepted
//! are both orders of the colours, ranges of numbers (a `K` makes kings of the whole range), an
//! empty list, small letters, spaces between the parts, move counters at the end as lidraughts
//! writes them (`:H0:F1`, without meaning here) and a dot. Written in one form only: White first,
//! every square by itself in ascending order of the numbers, no spaces, no dot; squares by number,
//! or by letter in the rule sets whose `GameType` says so.

use super::{
    board::{bits, crowning},
    position::Draughts,
    rules::{Colour, Rules},
    squares,
};
use ludus_core::TextError;

const WHAT: &str = "draughts position";

pub(super) fn write(position: &Draughts) -> String {
    let list = |colour: Colour| {
        let mut squares: Vec<u32> = bits(position.pieces(colour)).collect();
        squares.sort_unstable_by_key(|&square| squares::number(position.rules, square));
        let name = |square: u32| {
            let king = if position.kings & (1 << square) != 0 { "K" } else { "" };
            king.to_owned() + &squares::name(position.rules, square)
        };
        squares.into_iter().map(name).collect::<Vec<_>>().join(",")
    };
    let (white, black) = (list(Colour::White), list(Colour::Black));
    format!("{}:W{white}:B{black}", position.colour.letter())
}

pub(super) fn read(rules: Rules, text: &str) -> Result<Draughts, TextError> {
    let mut reader = Reader { rules, text, at: 0, pieces: [0; 2], kings: 0 };
    let colour = reader.colour("the side to move, W or B")?;
    reader.sign(':', ":W and White's squares, or :B and Black's")?;
    let first = reader.colour("W or B, then squares")?;
    reader.list(first)?;
    let letter = (!first).letter();
    reader.sign(
        ':',
        &format!("a comma and a square, or :{letter} and {}'s squares", (!first).name()),
    )?;
    let at = reader.at;
    if reader.colour(&format!("{letter}, then squares"))? == first {
        return Err(TextError::at(WHAT, text, at, format!("{letter}: each colour once")));
    }
    reader.list(!first)?;
    reader.skip_counters();
    reader.skip('.');
    reader.skip_spaces();
    if reader.at < text.len() {
        return Err(reader.error("a comma and a square, or the end"));
    }
    Ok(Draughts::with(rules, colour, reader.pieces, reader.kings))
}

struct Reader<'a> {
    rules: Rules,
    text: &'a str,
    /// Number of bytes read.
    at: usize,
    pieces: [u64; 2],
    kings: u64,
}

impl Reader<'_> {
    fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::at(WHAT, self.text, self.at, expected)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips `sign` and spaces in front of it, if it is there.
    fn skip(&mut self, sign: char) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// Skips `:H` or `:F` and a number, as often as they come.
    fn skip_counters(&mut self) {
        while let Some(rest) = self.rest().strip_prefix(":H").or(self.rest().strip_prefix(":F")) {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return;
            }
            self.at += 2 + digits;
        }
    }

    fn sign(&mut self, sign: char, expected: &str) -> Result<(), TextError> {
        if self.skip(sign) { Ok(()) } else { Err(self.error(expected)) }
    }

    fn colour(&mut self, expected: &str) -> Result<Colour, TextError> {
        if self.skip('W') || self.skip('w') {
            Ok(Colour::White)
        } else if self.skip('B') || self.skip('b') {
            Ok(Colour::Black)
        } else {
            Err(self.error(expected))
        }
    }

    /// Squares with commas between them, perhaps none.
    fn list(&mut self, colour: Colour) -> Result<(), TextError> {
        self.skip_spaces();
        if self.rest().is_empty() || self.rest().starts_with([':', '.']) {
            return Ok(());
        }
        loop {
            self.entry(colour)?;
            if !self.skip(',') {
                return Ok(());
            }
        }
    }

    /// A square or a range of squares.
    fn entry(&mut self, colour: Colour) -> Result<(), TextError> {
        let king = self.skip('K') || self.skip('k');
        self.skip_spaces();
        let start = self.at;
        let first = self.square()?;
        if !self.rest().starts_with('-') {
            return self.place(colour, king, first, start);
        }
        self.at += 1;
        let second = self.at;
        let last = self.square()?;
        let [first, last] = [first, last].map(|bit| squares::number(self.rules, bit));
        if last < first {
            return Err(TextError::at(WHAT, self.text, second, "a range that goes up"));
        }
        for number in first..=last {
            self.place(colour, king, squares::bit(self.rules, number), start)?;
        }
        Ok(())
    }

    fn square(&mut self) -> Result<u32, TextError> {
        let (bit, length) = squares::read(self.rules, self.rest())
            .ok_or_else(|| self.error(squares::expected(self.rules)))?;
        self.at += length;
        Ok(bit)
    }

    /// Puts a piece on `square`, which was read from `start` on.
    fn place(
        &mut self,
        colour: Colour,
        king: bool,
        square: u32,
        start: usize,
    ) -> Result<(), TextError> {
        let name = squares::name(self.rules, square);
        let error = |expected: String| Err(TextError::at(WHAT, self.text, start, expected));
        let bit = 1 << square;
        if (self.pieces[0] | self.pieces[1]) & bit != 0 {
            return error(format!("an empty square: {name} is taken twice"));
        }
        if !king && crowning(self.rules, colour) & bit != 0 {
            return error(format!("K{name}: a man on {name} would have been crowned"));
        }
        if self.pieces[colour as usize].count_ones() == self.rules.men() {
            return error(format!("no more than {} pieces of a colour", self.rules.men()));
        }
        self.pieces[colour as usize] |= bit;
        self.kings |= if king { bit } else { 0 };
        Ok(())
    }
}
