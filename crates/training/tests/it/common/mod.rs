//! Helpers shared by the tests, and a toy game to learn.
//!
//! A toy game: both sides in turn put a stone into one of three columns that hold five stones each.
//! After twelve plies the side with more stones in the last column wins. Its evaluation counts the
//! stones in each column; only one of the three weights matters.

pub mod go;
pub mod interrupted;
pub mod job;

use ludus_core::{linear::Group, *};
use ludus_players::Roster;

pub const COLUMNS: usize = 3;
const HEIGHT: u8 = 5;
const PLIES: u8 = 12;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ridge {
    stones: [[u8; COLUMNS]; 2],
    plies: u8,
}

impl Ridge {
    fn ahead(&self, column: usize) -> i32 {
        i32::from(self.stones[0][column]) - i32::from(self.stones[1][column])
    }
}

impl Position for Ridge {
    type Move = u8;
    fn turn(&self) -> Side {
        Side::BOTH[usize::from(self.plies % 2)]
    }
    fn legal_moves(&self, out: &mut Vec<u8>) {
        if self.plies < PLIES {
            let room = |&column: &u8| {
                let column = usize::from(column);
                self.stones[0][column] + self.stones[1][column] < HEIGHT
            };
            out.extend((0..COLUMNS as u8).filter(room));
        }
    }
    fn play(&mut self, column: u8) {
        self.stones[self.turn().index()][usize::from(column)] += 1;
        self.plies += 1;
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.plies >= PLIES).then(|| Outcome::from_margin(self.ahead(2) as f32))
    }
    fn key(&self) -> u64 {
        let stones = self.stones.iter().flatten().fold(0, |key, &n| key * 8 + u64::from(n));
        position::mix(stones * 16 + u64::from(self.plies))
    }

    fn move_count(&self) -> usize {
        COLUMNS
    }
    fn move_index(&self, column: u8) -> usize {
        column.into()
    }
}

impl Notation for Ridge {
    const ID: &'static str = "ridge";
    fn start(_: &Options) -> Result<Ridge, TextError> {
        Ok(Ridge { stones: [[0; COLUMNS]; 2], plies: 0 })
    }
    fn parse(_: &Options, text: &str) -> Result<Ridge, TextError> {
        let error = || TextError::whole("ridge", text, "seven numbers with commas between them");
        let numbers: Result<Vec<u8>, _> = text.split(',').map(str::parse).collect();
        match numbers.map_err(|_| error())?[..] {
            [a, b, c, d, e, f, plies] => Ok(Ridge { stones: [[a, b, c], [d, e, f]], plies }),
            _ => Err(error()),
        }
    }
    fn text(&self) -> String {
        let [[a, b, c], [d, e, f]] = self.stones;
        format!("{a},{b},{c},{d},{e},{f},{}", self.plies)
    }
    fn move_text(&self, column: u8) -> String {
        column.to_string()
    }
}

/// The stones of each column, weighted.
#[derive(Copy, Clone, Default)]
pub struct RidgeKnowledge;

impl LinearEval for RidgeKnowledge {
    type Position = Ridge;
    const GROUPS: &'static [Group] = &[Group { name: "stones", terms: COLUMNS }];
    fn count_terms(position: &Ridge, sink: &mut impl TermSink) {
        for column in 0..COLUMNS {
            sink.add(column, position.ahead(column));
        }
    }
    fn phase(position: &Ridge) -> i32 {
        eval::MAX_PHASE * i32::from(position.plies) / i32::from(PLIES)
    }
}

impl HasEval<Ridge> for RidgeKnowledge {
    type Handcrafted = LinearEvaluator<RidgeKnowledge>;
    fn handcrafted() -> LinearEvaluator<RidgeKnowledge> {
        LinearEvaluator::new(&Weights::zero(RidgeKnowledge::GROUPS))
    }
}

impl SearchHints<Ridge> for RidgeKnowledge {}
impl Roster for Ridge {
    type Knowledge = RidgeKnowledge;
}
