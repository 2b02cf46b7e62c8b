//! Tables of endings, with the game's type erased.

use crate::records;
use ludus_core::{
    Notation, Options, Random, TextError,
    endgame_index::{Cell, EndgameIndex},
};
use ludus_search::tables::{
    Database, EndgameError, Value,
    endgame::{self, Step},
    retrograde::Work,
};
use std::{
    marker::PhantomData,
    path::Path,
    time::{Duration, Instant},
};
use thiserror::Error;

/// What can be done with the endings of a game.
pub trait Endgames: Sync {
    /// The most pieces there can be tables for.
    fn most_pieces(&self) -> usize;
    /// Whether the game with these options has tables at all.
    ///
    /// # Errors
    /// If the options do not fit the game.
    fn know(&self, options: &Options) -> Result<bool, TextError>;
    /// Makes what is missing; see [`endgame::build`].
    fn build(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Work<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<(), EndgameError>;
    /// Finds every value anew and returns how many are wrong; see [`endgame::verify`].
    fn verify(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Work<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<u64, EndgameError>;
    /// What is in a folder.
    fn info(&self, folder: &Path) -> Result<EndgameInfo, EndgameError>;
    /// What the tables say of a position and of each of its moves.
    fn probe(
        &self,
        folder: &Path,
        options: &Options,
        position: &str,
    ) -> Result<EndgameAnswer, ProbeError>;
    /// What the tables with up to `pieces` pieces say of each position, for the side to move.
    fn values(
        &self,
        folder: &Path,
        pieces: usize,
        options: &Options,
        positions: &[String],
    ) -> Result<Vec<Option<Value>>, ProbeError>;
    /// Asks the tables about random positions for about `time`, on this thread: how often, and how
    /// long it really took.
    fn probes(
        &self,
        folder: &Path,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), EndgameError>;
}

/// Why the tables do not tell.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// No such position.
    #[error(transparent)]
    Position(#[from] TextError),
    /// The tables cannot be used.
    #[error(transparent)]
    Tables(#[from] EndgameError),
    /// There are tables, but not for so many pieces.
    #[error("the position has {pieces} pieces, and there are tables for up to {known}")]
    Unknown { pieces: usize, known: usize },
}

/// A group of slices done.
pub struct EndgameStep {
    /// Their names.
    pub slices: Vec<String>,
    /// Positions done so far, and in all.
    pub done: u64,
    pub all: u64,
    pub seconds: f64,
    /// Whether they were there already.
    pub found: bool,
}

/// What tables there are.
pub struct EndgameInfo {
    /// All endings with at most so many pieces are here.
    pub pieces: usize,
    pub slices: Vec<EndgameSlice>,
    /// By number of pieces: boards with pieces of both sides or one, whoever is to move.
    pub boards: Vec<(usize, u64)>,
}

/// One slice.
pub struct EndgameSlice {
    pub name: String,
    pub pieces: usize,
    pub positions: u64,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    pub bytes: u64,
}

/// What the tables say of a position.
pub struct EndgameAnswer {
    pub value: Value,
    /// Plies to the end.
    pub distance: Option<u8>,
    /// For each move, what it leads to, as its player sees it.
    pub moves: Vec<(String, Value, Option<u8>)>,
}

/// The one implementation, for every game with tables.
pub struct Tables<P>(PhantomData<fn() -> P>);

impl<P> Tables<P> {
    /// The tables of the game `P`.
    pub const NEW: Tables<P> = Tables(PhantomData);
}

pub(crate) fn named<P: EndgameIndex>(step: &Step) -> EndgameStep {
    EndgameStep {
        slices: step.slices.iter().map(|&slice| P::slice_name(slice)).collect(),
        done: step.done,
        all: step.all,
        seconds: step.seconds,
        found: step.found,
    }
}

/// Positions with up to `pieces` pieces, each as likely as any other.
fn random_positions<P: EndgameIndex>(pieces: usize, count: usize, random: &mut Random) -> Vec<P> {
    let slices: Vec<usize> = (2..=pieces).flat_map(P::groups).flatten().collect();
    let numbers: u64 = slices.iter().map(|&slice| P::numbers(slice)).sum();
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count && numbers > 0 {
        let mut index = random.below(numbers as usize) as u64;
        for &slice in &slices {
            if index < P::numbers(slice) {
                positions.extend(P::at(Cell { slice, index }));
                break;
            }
            index -= P::numbers(slice);
        }
    }
    positions
}

impl<P: EndgameIndex + Notation> Endgames for Tables<P> {
    fn most_pieces(&self) -> usize {
        P::MOST_PIECES
    }

    fn know(&self, options: &Options) -> Result<bool, TextError> {
        Ok(records::position::<P>(options, None)?.is_tabulated())
    }

    fn build(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Work<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<(), EndgameError> {
        endgame::build::<P>(folder, pieces, work, |step| on_step(&named::<P>(step)))
    }

    fn verify(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Work<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<u64, EndgameError> {
        endgame::verify::<P>(folder, pieces, work, |step| on_step(&named::<P>(step)))
    }

    fn info(&self, folder: &Path) -> Result<EndgameInfo, EndgameError> {
        let database = Database::<P>::open(folder, P::MOST_PIECES)?;
        let slice = |info: endgame::SliceInfo| EndgameSlice {
            name: P::slice_name(info.slice),
            pieces: P::slice_pieces(info.slice),
            positions: P::positions(info.slice),
            wins: info.census.wins,
            losses: info.census.losses,
            draws: info.census.draws,
            bytes: info.bytes,
        };
        let mut slices: Vec<EndgameSlice> = database.slices().map(slice).collect();
        slices.sort_by(|one, other| (one.pieces, &one.name).cmp(&(other.pieces, &other.name)));
        let boards = (1..=P::MOST_PIECES).map(|pieces| (pieces, P::boards(pieces))).collect();
        Ok(EndgameInfo { pieces: database.pieces(), slices, boards })
    }

    fn probe(
        &self,
        folder: &Path,
        options: &Options,
        position: &str,
    ) -> Result<EndgameAnswer, ProbeError> {
        let position: P = records::position(options, Some(position))?;
        let database = Database::<P>::open(folder, P::MOST_PIECES)?;
        let unknown =
            || ProbeError::Unknown { pieces: position.pieces(), known: database.pieces() };
        let known = database.probe(&position).ok_or_else(unknown)?;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut answer =
            EndgameAnswer { value: known.value, distance: known.distance, moves: Vec::new() };
        for mv in moves {
            let next = database.probe(&position.after(mv)).ok_or_else(unknown)?;
            answer.moves.push((position.move_text(mv), next.value.turned(), next.distance));
        }
        Ok(answer)
    }

    fn values(
        &self,
        folder: &Path,
        pieces: usize,
        options: &Options,
        positions: &[String],
    ) -> Result<Vec<Option<Value>>, ProbeError> {
        let database = Database::<P>::open(folder, pieces)?;
        let value = |text: &String| {
            let position: P = records::position(options, Some(text))?;
            Ok(database.probe(&position).map(|known| known.value))
        };
        positions.iter().map(value).collect()
    }

    fn probes(
        &self,
        folder: &Path,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), EndgameError> {
        /// Far more than fit into the processor's caches together with their values.
        const POSITIONS: usize = 1 << 18;
        let database = Database::<P>::open(folder, P::MOST_PIECES)?;
        if database.pieces() == 0 {
            return Err(EndgameError::Missing { path: folder.to_owned() });
        }
        let positions: Vec<P> =
            random_positions(database.pieces(), POSITIONS, &mut Random::new(seed));
        let started = Instant::now();
        let mut probed = 0;
        while probed == 0 || started.elapsed() < time {
            for position in &positions {
                std::hint::black_box(database.probe(position));
            }
            probed += positions.len() as u64;
        }
        Ok((probed, started.elapsed()))
    }
}
