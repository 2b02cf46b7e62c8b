//! Positions as FEN, read strictly.
//!
//! Named leniencies: the two clocks may be left out together (`0 1` is understood), and an
//! en-passant square may be given after any double step, as many programs do. The text
//! written is canonical: all six fields, an en-passant square only if a capture there is legal.
//! Castling is that of standard chess, with the king on `e1` or `e8`.

use super::position::Chess;
use cozy_chess::{
    BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square, get_king_moves,
};
use ludus_core::TextError;
use std::fmt::Write as _;

const WHAT: &str = "FEN";

/// One field of a FEN and its offset.
#[derive(Copy, Clone)]
struct Field<'a> {
    whole: &'a str,
    start: usize,
    text: &'a str,
}

impl Field<'_> {
    /// An error at byte `offset` of the field.
    fn error(&self, offset: usize, expected: impl Into<String>) -> TextError {
        TextError::at(WHAT, self.whole, self.start + offset, expected)
    }
}

const FIELD_NAMES: [&str; 6] = [
    "the eight ranks of the board",
    "the side to move, w or b",
    "the castling rights, such as KQkq or -",
    "the en-passant square or -",
    "the halfmove clock",
    "the move number",
];

/// Splits `text` at single spaces into its six fields, or four if the clocks are left out.
fn fields(text: &str) -> Result<Vec<Field<'_>>, TextError> {
    let mut fields = Vec::with_capacity(FIELD_NAMES.len());
    let mut start = 0;
    for piece in text.split(' ') {
        let Some(name) = FIELD_NAMES.get(fields.len()) else {
            return Err(TextError::at(WHAT, text, start, "nothing after the move number"));
        };
        if piece.is_empty() {
            return Err(TextError::at(WHAT, text, start, *name));
        }
        fields.push(Field { whole: text, start, text: piece });
        start += piece.len() + 1;
    }
    match fields.len() {
        4 | 6 => Ok(fields),
        count => Err(TextError::at(
            WHAT,
            text,
            text.len(),
            format!("a space, then {}", FIELD_NAMES[count]),
        )),
    }
}

pub(super) fn parse(text: &str) -> Result<Chess, TextError> {
    let fields = fields(text)?;
    let mut builder = BoardBuilder::empty();
    read_placement(fields[0], &mut builder)?;
    check_piece_counts(fields[0], &builder)?;
    builder.side_to_move = match fields[1].text {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(fields[1].error(0, FIELD_NAMES[1])),
    };
    read_castling(fields[2], &mut builder)?;
    read_en_passant(fields[3], &mut builder)?;
    if let [clock, number] = fields[4..] {
        builder.halfmove_clock =
            read_number(clock, 0..=100, "the halfmove clock, a number from 0 to 100")?;
        builder.fullmove_number =
            read_number(number, 1..=u16::MAX, "the move number, from 1 to 65535")?;
    }
    let board = builder.build().map_err(|error| match error {
        BoardBuilderError::InvalidEnPassant => {
            fields[3].error(0, "-, because no double step led to this check")
        }
        _ => fields[1].error(0, "the other side to move, because its king could be captured"),
    })?;
    Ok(Chess { board })
}

fn read_placement(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), TextError> {
    let (mut rank, mut file) = (7, 0);
    let mut after_digit = false;
    for (at, character) in field.text.char_indices() {
        let digit = character.to_digit(10).unwrap_or(0) as usize;
        match character {
            '/' if file == 8 && rank > 0 => (rank, file) = (rank - 1, 0),
            _ if file == 8 && rank > 0 => return Err(field.error(at, "a / between ranks")),
            _ if file == 8 => return Err(field.error(at, "no more than eight ranks")),
            '1'..='8' if after_digit => {
                return Err(field.error(at, "one digit for neighbouring empty squares"));
            }
            '1'..='8' if file + digit <= 8 => file += digit,
            '/' | '1'..='8' => {
                return Err(field.error(at, format!("rank {} to fill eight squares", rank + 1)));
            }
            _ => {
                let piece = read_piece(character).ok_or_else(|| {
                    field.error(at, "a piece of PNBRQKpnbrqk, a digit 1 to 8 or /")
                })?;
                if piece.0 == Piece::Pawn && matches!(rank, 0 | 7) {
                    return Err(field.error(at, "no pawn on the first or last rank"));
                }
                let square = Square::new(File::index(file), Rank::index(rank));
                *builder.square_mut(square) = Some(piece);
                file += 1;
            }
        }
        after_digit = digit > 0;
    }
    if file < 8 {
        return Err(
            field.error(field.text.len(), format!("rank {} to fill eight squares", rank + 1))
        );
    }
    if rank > 0 {
        return Err(field.error(field.text.len(), format!("a / and rank {rank}")));
    }
    Ok(())
}

fn read_piece(letter: char) -> Option<(Piece, Color)> {
    let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
    let colour = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some((piece, colour))
}

/// Rejects boards that `cozy-chess` cannot represent: each side must have one king, not next to the
/// other's, at most eight pawns and at most sixteen pieces.
fn check_piece_counts(field: Field<'_>, builder: &BoardBuilder) -> Result<(), TextError> {
    for (colour, name) in [(Color::White, "white"), (Color::Black, "black")] {
        let pieces = || builder.board.iter().flatten().filter(move |piece| piece.1 == colour);
        let count = |kind| pieces().filter(|piece| piece.0 == kind).count();
        let (kings, pawns, all) = (count(Piece::King), count(Piece::Pawn), pieces().count());
        if kings != 1 {
            return Err(field.error(0, format!("exactly one {name} king, not {kings}")));
        }
        if pawns > 8 {
            return Err(field.error(0, format!("at most 8 {name} pawns, not {pawns}")));
        }
        if all > 16 {
            return Err(field.error(0, format!("at most 16 {name} pieces, not {all}")));
        }
    }
    if kings_touch(builder) {
        return Err(field.error(0, "kings that do not stand side by side"));
    }
    Ok(())
}

fn kings_touch(builder: &BoardBuilder) -> bool {
    let king = |colour| {
        let is_king = |square: &Square| builder.square(*square) == Some((Piece::King, colour));
        Square::ALL.into_iter().find(is_king)
    };
    let (white, black) = (king(Color::White), king(Color::Black));
    white.zip(black).is_some_and(|(white, black)| get_king_moves(white).has(black))
}

fn read_castling(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), TextError> {
    if field.text == "-" {
        return Ok(());
    }
    let mut letters = "KQkq".chars();
    for (at, letter) in field.text.char_indices() {
        if !letters.any(|next| next == letter) {
            return Err(field.error(at, "- or some of the letters KQkq, in this order"));
        }
        let colour = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let short = letter.eq_ignore_ascii_case(&'k');
        let home = Rank::First.relative_to(colour);
        let rook_file = if short { File::H } else { File::A };
        let (king, rook) = (Square::new(File::E, home), Square::new(rook_file, home));
        let stands = |square, piece| builder.square(square) == Some((piece, colour));
        if !stands(king, Piece::King) || !stands(rook, Piece::Rook) {
            let expected = format!("no {letter} unless the king is on {king} and a rook on {rook}");
            return Err(field.error(at, expected));
        }
        let rights = builder.castle_rights_mut(colour);
        *(if short { &mut rights.short } else { &mut rights.long }) = Some(rook_file);
    }
    Ok(())
}

fn read_en_passant(field: Field<'_>, builder: &mut BoardBuilder) -> Result<(), TextError> {
    if field.text == "-" {
        return Ok(());
    }
    let mover = !builder.side_to_move;
    let rank = Rank::Third.relative_to(mover);
    let square = field.text.parse::<Square>().ok().filter(|square| square.rank() == rank);
    let Some(square) = square else {
        return Err(field.error(0, format!("- or an en-passant square on rank {rank}")));
    };
    let pawn = Square::new(square.file(), Rank::Fourth.relative_to(mover));
    let origin = Square::new(square.file(), Rank::Second.relative_to(mover));
    let stepped = builder.square(pawn) == Some((Piece::Pawn, mover))
        && builder.square(square).is_none()
        && builder.square(origin).is_none();
    if !stepped {
        let expected = format!("-, because no pawn has just gone from {origin} to {pawn}");
        return Err(field.error(0, expected));
    }
    builder.en_passant = Some(square);
    Ok(())
}

/// A number without sign or leading zeros.
fn read_number<N: TryFrom<u32> + PartialOrd>(
    field: Field<'_>,
    range: std::ops::RangeInclusive<N>,
    expected: &str,
) -> Result<N, TextError> {
    let canonical = field.text.bytes().all(|byte| byte.is_ascii_digit())
        && (field.text == "0" || !field.text.starts_with('0'));
    let number = field.text.parse::<u32>().ok().filter(|_| canonical);
    number
        .and_then(|number| N::try_from(number).ok())
        .filter(|number| range.contains(number))
        .ok_or_else(|| field.error(0, expected))
}

pub(super) fn write(position: &Chess) -> String {
    let board = &position.board;
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let Some(letter) = position.letter(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text.push(if rank == Rank::First { ' ' } else { '/' });
    }
    let turn = board.side_to_move();
    let en_passant = position.en_passant().map_or("-".to_owned(), |file| {
        Square::new(file, Rank::Sixth.relative_to(turn)).to_string()
    });
    let _ = write!(
        text,
        "{turn} {} {en_passant} {} {}",
        castling_letters(position),
        board.halfmove_clock(),
        board.fullmove_number()
    );
    text
}

fn castling_letters(position: &Chess) -> String {
    let rights = |colour| position.board.castle_rights(colour);
    let (white, black) = (rights(Color::White), rights(Color::Black));
    let letters: String =
        [(white.short, 'K'), (white.long, 'Q'), (black.short, 'k'), (black.long, 'q')]
            .into_iter()
            .filter_map(|(right, letter)| right.map(|_| letter))
            .collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

impl Chess {
    fn letter(&self, square: Square) -> Option<char> {
        let letter = char::from(self.board.piece_on(square)?);
        let white = self.board.color_on(square)? == Color::White;
        Some(if white { letter.to_ascii_uppercase() } else { letter })
    }
}
