//! Moves as text: coordinates (`e2e4`, `e7e8q`, castling `e1g1`) and SAN (`e4`, `e8=Q`, `O-O`).
//!
//! Reading also takes long algebraic (`Ng1-f3`), castling with zeros or as the king taking its
//! rook (`e1h1`), and tolerates missing or superfluous `+`, `#`, `!`, `?`, missing `x` and `=`,
//! `e.p.`, and coordinates in capital letters.

use super::position::Chess;
use cozy_chess::{File, Move, Piece, Rank, Square};
use ludus_core::{Notation, Position, TextError};

/// Whether the king moves onto its own rook, which is how castling is encoded.
fn is_castling(position: &Chess, mv: Move) -> bool {
    position.board.colors(position.board.side_to_move()).has(mv.to)
}

fn castles_short(mv: Move) -> bool {
    mv.to.file() > mv.from.file()
}

/// The square the moving piece ends on.
pub(super) fn destination(position: &Chess, mv: Move) -> Square {
    if !is_castling(position, mv) {
        return mv.to;
    }
    Square::new(if castles_short(mv) { File::G } else { File::C }, mv.to.rank())
}

pub(super) fn coordinates(position: &Chess, mv: Move) -> String {
    let promotion = mv.promotion.map(char::from);
    let promotion = promotion.as_slice().iter();
    format!("{}{}{}", mv.from, destination(position, mv), promotion.collect::<String>())
}

fn legal_moves(position: &Chess) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn moved_piece(position: &Chess, mv: Move) -> Piece {
    position.board.piece_on(mv.from).expect("a legal move starts at a piece")
}

fn is_capture(position: &Chess, mv: Move) -> bool {
    let en_passant = moved_piece(position, mv) == Piece::Pawn && mv.from.file() != mv.to.file();
    en_passant || position.board.colors(!position.board.side_to_move()).has(mv.to)
}

pub(super) fn san(position: &Chess, mv: Move) -> String {
    let mut text = if is_castling(position, mv) {
        if castles_short(mv) { "O-O" } else { "O-O-O" }.to_owned()
    } else {
        san_without_suffix(position, mv)
    };
    let next = position.after(mv);
    if next.in_check() {
        text.push(if next.has_moves() { '+' } else { '#' });
    }
    text
}

fn san_without_suffix(position: &Chess, mv: Move) -> String {
    let piece = moved_piece(position, mv);
    let mut text = String::new();
    if piece == Piece::Pawn {
        if is_capture(position, mv) {
            text.push(mv.from.file().into());
        }
    } else {
        text.push(char::from(piece).to_ascii_uppercase());
        text += &disambiguation(position, mv, piece);
    }
    if is_capture(position, mv) {
        text.push('x');
    }
    text += &mv.to.to_string();
    if let Some(promotion) = mv.promotion {
        text.push('=');
        text.push(char::from(promotion).to_ascii_uppercase());
    }
    text
}

/// Disambiguation of `mv` from other legal moves of the same kind of piece to the same square: the
/// file if that is enough, else the rank, else both.
fn disambiguation(position: &Chess, mv: Move, piece: Piece) -> String {
    let rivals: Vec<Square> = legal_moves(position)
        .into_iter()
        .filter(|other| other.to == mv.to && other.from != mv.from)
        .filter(|&other| moved_piece(position, other) == piece)
        .map(|other| other.from)
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|rival| rival.file() != mv.from.file()) {
        mv.from.file().to_string()
    } else if rivals.iter().all(|rival| rival.rank() != mv.from.rank()) {
        mv.from.rank().to_string()
    } else {
        mv.from.to_string()
    }
}

pub(super) fn parse(position: &Chess, text: &str) -> Result<Move, TextError> {
    let bare = strip_suffixes(text);
    if let Some(short) = read_castling(bare) {
        let castles = |mv: &Move| is_castling(position, *mv) && castles_short(*mv) == short;
        let found = legal_moves(position).into_iter().find(castles);
        return found.ok_or_else(|| position.illegal_move(text));
    }
    let Some(pattern) =
        MovePattern::read(bare).or_else(|| MovePattern::read(&bare.to_ascii_lowercase()))
    else {
        return Err(position.illegal_move(text));
    };
    let mut moves = legal_moves(position);
    moves.retain(|&mv| pattern.matches(position, mv));
    let chosen: Vec<Move> =
        moves.iter().copied().filter(|mv| mv.promotion == pattern.promotion).collect();
    match chosen[..] {
        [mv] => Ok(mv),
        [] if pattern.promotion.is_none() && !moves.is_empty() => {
            Err(TextError::whole("chess move", text, "a piece to promote to, such as =Q"))
        }
        [] => Err(position.illegal_move(text)),
        _ => {
            let names: Vec<String> = chosen.iter().map(|&mv| san(position, mv)).collect();
            let expected = format!("a move that is not ambiguous: {}", names.join(" or "));
            Err(TextError::whole("chess move", text, expected))
        }
    }
}

/// `text` without check marks, annotation glyphs and the `e.p.` suffix.
fn strip_suffixes(text: &str) -> &str {
    let bare = text.trim().trim_end_matches(['+', '#', '!', '?']).trim_end();
    let bare = bare.strip_suffix("e.p.").or_else(|| bare.strip_suffix("ep")).unwrap_or(bare);
    bare.trim_end()
}

/// Castling read from `text`: true for the king's side.
fn read_castling(text: &str) -> Option<bool> {
    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" => Some(true),
        "O-O-O" => Some(false),
        _ => None,
    }
}

/// A move as far as its text gives it; a missing part matches anything.
struct MovePattern {
    piece: Option<Piece>,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    to: Square,
    promotion: Option<Piece>,
}

impl MovePattern {
    fn read(text: &str) -> Option<MovePattern> {
        let piece = text.chars().next().filter(char::is_ascii_uppercase);
        let piece = piece.map(|letter| Piece::try_from(letter.to_ascii_lowercase()));
        let piece = piece.transpose().ok()?;
        let rest = if piece.is_some() { &text[1..] } else { text };
        let (rest, promotion) = split_promotion(rest);
        let to_at = rest.len().checked_sub(2)?;
        let to = rest.get(to_at..)?.parse().ok()?;
        let from = rest[..to_at].trim_end_matches(['x', ':', '-']);
        let captures = rest[from.len()..to_at].contains(['x', ':']);
        if to_at - from.len() > 1 {
            return None;
        }
        let mut from = from.chars().peekable();
        let file = from.next_if(|letter| ('a'..='h').contains(letter));
        let rank = from.next_if(|letter| ('1'..='8').contains(letter));
        if from.next().is_some() {
            return None;
        }
        let file = file.and_then(|letter| File::try_from(letter).ok());
        let rank = rank.and_then(|letter| Rank::try_from(letter).ok());
        // Without a piece letter it is a pawn move, unless the origin is given in full.
        let pawn = (file.is_none() || rank.is_none()).then_some(Piece::Pawn);
        Some(MovePattern { piece: piece.or(pawn), file, rank, captures, to, promotion })
    }

    /// Whether `mv` matches the text, promotion aside.
    fn matches(&self, position: &Chess, mv: Move) -> bool {
        let names_origin = self.file.is_some() && self.rank.is_some();
        let reaches = if is_castling(position, mv) {
            names_origin && (self.to == mv.to || self.to == destination(position, mv))
        } else {
            self.to == mv.to && (!self.captures || is_capture(position, mv))
        };
        reaches
            && self.piece.is_none_or(|piece| piece == moved_piece(position, mv))
            && self.file.is_none_or(|file| file == mv.from.file())
            && self.rank.is_none_or(|rank| rank == mv.from.rank())
    }
}

/// Takes `=Q`, `(Q)`, `/Q`, `Q` or the same in small letters off the end of `text`.
fn split_promotion(text: &str) -> (&str, Option<Piece>) {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let piece = match bare.bytes().last() {
        Some(b'N' | b'n') => Piece::Knight,
        Some(b'B' | b'b') => Piece::Bishop,
        Some(b'R' | b'r') => Piece::Rook,
        Some(b'Q' | b'q') => Piece::Queen,
        _ => return (text, None),
    };
    let bare = &bare[..bare.len() - 1];
    (bare.strip_suffix(['=', '(', '/']).unwrap_or(bare), Some(piece))
}
