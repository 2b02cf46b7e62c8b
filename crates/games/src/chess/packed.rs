//! Positions in 27 bytes, for files with millions of them.
//!
//! ```text
//! byte  0 ..  7   occupied squares, a bit each, least significant byte first
//! byte  8 .. 23   half a byte a piece in the order of squares, the low half first:
//!                 0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king; 8 more if black
//! byte 24         bit 0: Black moves; bits 1 to 4: White castles short, long, Black short, long
//! byte 25         0, or 1 + the file of a pawn that can be captured en passant
//! byte 26         halfmove clock
//! ```
//!
//! The move number is not kept.

use super::position::Chess;
use cozy_chess::{BoardBuilder, Color, File, Piece, Rank, Square};

/// A position in 27 bytes, without its move number.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedChess {
    bytes: [u8; PackedChess::LEN],
}

const PIECES: usize = 8;
const FLAGS: usize = 24;
const EN_PASSANT: usize = 25;
const CLOCK: usize = 26;
/// Added to a black piece.
const BLACK: u8 = 8;
/// Pieces that the bytes have room for: all that a game can have.
const MAX_PIECES: usize = 2 * (FLAGS - PIECES);

/// Castling rights in the order of their bits.
const CASTLING: [(Color, File); 4] = [
    (Color::White, File::H),
    (Color::White, File::A),
    (Color::Black, File::H),
    (Color::Black, File::A),
];

impl PackedChess {
    /// Number of bytes.
    pub const LEN: usize = 27;

    /// Packs a position.
    pub fn new(position: &Chess) -> PackedChess {
        let board = position.board();
        let mut bytes = [0; PackedChess::LEN];
        bytes[..PIECES].copy_from_slice(&board.occupied().0.to_le_bytes());
        for (index, square) in board.occupied().into_iter().take(MAX_PIECES).enumerate() {
            let piece = board.piece_on(square).expect("the square is occupied") as u8;
            let is_black = board.color_on(square) == Some(Color::Black);
            let half = piece + if is_black { BLACK } else { 0 };
            bytes[PIECES + index / 2] |= half << (4 * (index % 2));
        }
        bytes[FLAGS] = u8::from(board.side_to_move() == Color::Black);
        for (bit, (color, file)) in CASTLING.into_iter().enumerate() {
            let rights = board.castle_rights(color);
            let right = if file == File::H { rights.short } else { rights.long };
            bytes[FLAGS] |= u8::from(right.is_some()) << (bit + 1);
        }
        bytes[EN_PASSANT] = position.en_passant().map_or(0, |file| 1 + file as u8);
        bytes[CLOCK] = board.halfmove_clock();
        PackedChess { bytes }
    }

    /// A position as it was stored; [`unpack`](PackedChess::unpack) checks it.
    pub fn from_bytes(bytes: [u8; PackedChess::LEN]) -> PackedChess {
        PackedChess { bytes }
    }

    /// Bytes to store.
    pub fn to_bytes(self) -> [u8; PackedChess::LEN] {
        self.bytes
    }

    /// The same without the halfmove clock: equal for equal positions, and only for them.
    pub fn without_clock(mut self) -> PackedChess {
        self.bytes[CLOCK] = 0;
        self
    }

    /// Unpacks the position; `None` if the bytes are not those of a packed position.
    pub fn unpack(self) -> Option<Chess> {
        let mut builder = BoardBuilder::empty();
        let (squares, rest) = self.bytes.split_at(PIECES);
        let mut occupied = u64::from_le_bytes(squares.try_into().ok()?);
        if occupied.count_ones() as usize > MAX_PIECES {
            return None;
        }
        for index in 0..occupied.count_ones() as usize {
            let half = rest[index / 2] >> (4 * (index % 2)) & 15;
            let color = if half & BLACK == 0 { Color::White } else { Color::Black };
            let piece = Piece::try_index(usize::from(half & !BLACK))?;
            *builder.square_mut(Square::index(occupied.trailing_zeros() as usize)) =
                Some((piece, color));
            occupied &= occupied - 1;
        }
        let flags = self.bytes[FLAGS];
        builder.side_to_move = if flags & 1 == 0 { Color::White } else { Color::Black };
        for (bit, (color, file)) in CASTLING.into_iter().enumerate() {
            if flags >> (bit + 1) & 1 == 1 {
                let rights = builder.castle_rights_mut(color);
                *(if file == File::H { &mut rights.short } else { &mut rights.long }) = Some(file);
            }
        }
        if let Some(file) = self.bytes[EN_PASSANT].checked_sub(1) {
            let rank = Rank::Sixth.relative_to(builder.side_to_move);
            builder.en_passant = Some(Square::new(File::try_index(file.into())?, rank));
        }
        builder.halfmove_clock = self.bytes[CLOCK];
        let position = Chess::new(builder.build().ok()?);
        (PackedChess::new(&position) == self).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Position, Random};

    #[test]
    fn packed_positions_are_those_before() {
        let mut random = Random::new(5);
        let (mut castling, mut en_passant) = (0, 0);
        for _ in 0..200 {
            let mut position = Chess::default();
            for _ in 0..150 {
                let packed = PackedChess::new(&position);
                let back = PackedChess::from_bytes(packed.to_bytes()).unpack().unwrap();
                let fields = |text: String| text.rsplit_once(' ').unwrap().0.to_owned();
                assert_eq!(fields(back.text()), fields(position.text()));
                assert_eq!(back, position);
                castling += usize::from(packed.bytes[FLAGS] > 1);
                en_passant += usize::from(packed.bytes[EN_PASSANT] > 0);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
        assert!(castling > 100 && en_passant > 10, "{castling} and {en_passant}");
    }

    #[test]
    fn the_clock_alone_does_not_make_a_position_another() {
        let parse = |text| Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), text);
        let packed = |text| PackedChess::new(&parse(text).unwrap());
        let (one, other) =
            (packed("4k3/8/8/8/8/8/4P3/4K3 w - - 7 9"), packed("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        assert_ne!(one, other);
        assert_eq!(one.without_clock(), other.without_clock());
        let black = packed("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
        assert_ne!(black.without_clock(), other.without_clock());
    }

    #[test]
    fn bytes_of_no_position_are_refused() {
        let packed = PackedChess::new(&Chess::default()).to_bytes();
        for (index, byte) in
            [(0, 0), (8, 0xF6), (FLAGS, 0x80), (EN_PASSANT, 3), (EN_PASSANT, 200), (CLOCK, 255)]
        {
            let mut bytes = packed;
            bytes[index] = byte;
            assert!(PackedChess::from_bytes(bytes).unpack().is_none(), "byte {index} = {byte}");
        }
        let full = PackedChess::from_bytes([255; PackedChess::LEN]);
        assert!(full.unpack().is_none());
    }
}
