use super::{point::Point, stones::Stones};
use ludus_core::Side;

#[derive(Clone)]
pub struct Board { pub(super) stones: Sized }

#[derive(Clone)]
pub(super) enum Sized {
    Nine(Box<Stones<128, 10, 150>>),
    Thirteen(Box<Stones<256, 14, 286>>),
    Nineteen(Box<Stones<512, 20, 554>>),
    TwentyFive(Box<Stones<1024, 26, 1078>>),
}

macro_rules! with_stones {
    ($board:expr, $stones:ident => $body:expr) => {{
        match $board {
            Sized::Nine($stones) => $body,
            Sized::Thirteen($stones) => $body,
            Sized::Nineteen($stones) => $body,
            Sized::TwentyFive($stones) => $body,
        }
    }};
}
pub(super) use with_stones;

impl Board {
    pub fn new(size: usize) -> Board {
        let stones = match size {
            ..=9 => Sized::Nine(Box::new(Stones::new(size))),
            ..=13 => Sized::Thirteen(Box::new(Stones::new(size))),
            ..=19 => Sized::Nineteen(Box::new(Stones::new(size))),
            _ => Sized::TwentyFive(Box::new(Stones::new(size))),
        };
        Board { stones }
    }
    pub fn play(&mut self, side: Side, point: Point) -> usize {
        with_stones!(&mut self.stones, stones => match side { Side::First => stones.play::<0, true>(point), Side::Second => stones.play::<1, true>(point)})
    }
}
