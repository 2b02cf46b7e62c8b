//! A position is its piles, the largest first, and the side to move: `4+2+1 first`. A move is the
//! pile and its parts, `7=5+2`; the pile may be left out, and the parts may be in either order.

use super::position::{MAX_COINS, Split, SplitNim};
use ludus_core::{
    BoardView, Cell, Grid, Notation, OptionKind, OptionSpec, Options, Piece, PieceKind, Position,
    Side, TextError,
};

const WHAT: &str = "split-nim position";

/// Piles drawn side by side before the next row begins.
const COLUMNS: usize = 10;

impl Notation for SplitNim {
    const ID: &'static str = "split-nim";
    const NAME: &'static str = "Split-Nim";
    const ABOUT: &'static str =
        "split a pile into two unequal ones: the player who cannot move loses";
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: "coins",
        kind: OptionKind::Integer { min: 1, max: MAX_COINS as i64 },
        default: "7",
        about: "coins in the pile the game starts with",
    }];

    fn start(options: &Options) -> Result<SplitNim, TextError> {
        Ok(SplitNim::new(options.integer("coins") as u8))
    }

    /// The text determines the position: it may have more or fewer coins than `options`.
    fn parse(_: &Options, text: &str) -> Result<SplitNim, TextError> {
        let error = |at, expected: &str| TextError::at(WHAT, text, at, expected);
        let (piles, turn) = text
            .split_once(' ')
            .ok_or_else(|| error(text.len(), "piles and the side to move, like \"4+2+1 first\""))?;
        let mut position = SplitNim::empty();
        let (mut at, mut coins) = (0, 0);
        for pile in piles.split('+') {
            let size = number(pile).ok_or_else(|| error(at, "a pile: its number of coins"))?;
            coins += usize::from(size);
            if coins > MAX_COINS {
                return Err(error(at, &format!("at most {MAX_COINS} coins in all")));
            }
            position.add(size);
            at += pile.len() + 1;
        }
        if position.piles().len() == 1 && position.piles()[0].count > 1 {
            return Err(error(0, "piles that are not all equal: unequal splits never lead there"));
        }
        if turn != turn_name(position.turn()) {
            let right = turn_name(position.turn());
            return Err(error(at, &format!("{right:?} to move, by the number of piles")));
        }
        Ok(position)
    }

    fn game_text(&self) -> String {
        match self.coins() {
            7 => SplitNim::ID.to_owned(),
            coins => format!("{}:coins={coins}", SplitNim::ID),
        }
    }

    fn text(&self) -> String {
        let piles: Vec<String> = self.each_pile().map(|size| size.to_string()).collect();
        format!("{} {}", piles.join("+"), turn_name(self.turn()))
    }

    fn move_text(&self, split: Split) -> String {
        format!("{}={}+{}", split.pile, split.larger(), split.smaller)
    }

    fn parse_move(&self, text: &str) -> Result<Split, TextError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        read_split(text.trim())
            .filter(|split| moves.contains(split))
            .ok_or_else(|| self.illegal_move(text))
    }

    fn view(&self) -> BoardView {
        let pile = |coins: u8| Cell {
            piece: Some(Piece {
                side: Side::First, // piles have no owner
                light: true,
                kind: PieceKind::Coins(coins.into()),
            }),
            ..Cell::default()
        };
        let mut cells: Vec<Cell> = self.each_pile().map(pile).collect();
        let columns = cells.len().min(COLUMNS);
        let rows = cells.len().div_ceil(columns);
        cells.resize(columns * rows, Cell::default());
        BoardView {
            grid: Grid::Squares,
            dark_first: false,
            columns,
            rows,
            cells,
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            notes: vec![self.splittable_note()],
        }
    }

    /// The first of the piles of that size.
    fn move_cells(&self, split: Split) -> Vec<usize> {
        vec![self.each_pile().take_while(|&size| size > split.pile).count()]
    }
}

impl SplitNim {
    fn splittable_note(&self) -> String {
        match self.splittable().map(|piles| u32::from(piles.count)).sum() {
            0 => "no pile can be split".to_owned(),
            1 => "1 pile can be split".to_owned(),
            count => format!("{count} piles can be split"),
        }
    }
}

fn turn_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// A number from 1 to 255 without sign or leading zeros.
fn number(text: &str) -> Option<u8> {
    text.starts_with(|first: char| matches!(first, '1'..='9')).then(|| text.parse().ok())?
}

/// `7=5+2` or `5+2`, parts in either order; unequal parts are the only legality checked.
fn read_split(text: &str) -> Option<Split> {
    let (pile, parts) = match text.split_once('=') {
        Some((pile, parts)) => (Some(number(pile)?), parts),
        None => (None, text),
    };
    let (one, other) = parts.split_once('+')?;
    let (one, other) = (number(one)?, number(other)?);
    let sum = one.checked_add(other)?;
    let fits = one != other && pile.is_none_or(|pile| pile == sum);
    fits.then_some(Split { pile: sum, smaller: one.min(other) })
}
