//! Endgame tables, with the game's type erased.

use crate::records;
use ludus_core::{
    Notation, Options, Position, Random, TextError,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use ludus_search::tables::{
    EndgameDatabase, EndgameError, EndgameValue,
    endgame::{self, BuildProgress},
    retrograde::Workers,
};
use std::{
    marker::PhantomData,
    path::Path,
    time::{Duration, Instant},
};
use thiserror::Error;

/// Building and probing the endgame tables of a game.
pub trait Endgames: Sync {
    /// The largest number of pieces tables can have.
    fn max_pieces(&self) -> usize;
    /// Whether the game with these options has tables.
    ///
    /// # Errors
    /// If the options do not fit the game.
    fn has_tables(&self, options: &Options) -> Result<bool, TextError>;
    /// Builds missing tables; see [`endgame::build`].
    fn build(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Workers<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<(), EndgameError>;
    /// Recomputes every value and returns the number of wrong ones; see [`endgame::verify`].
    fn verify(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Workers<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<u64, EndgameError>;
    /// The tables in a folder.
    fn info(&self, folder: &Path) -> Result<EndgameInfo, EndgameError>;
    /// The values of a position and of each of its moves.
    fn probe(
        &self,
        folder: &Path,
        options: &Options,
        position: &str,
    ) -> Result<EndgameAnswer, ProbeError>;
    /// The value of each position for the side to move, by the tables with up to `pieces` pieces.
    fn values(
        &self,
        folder: &Path,
        pieces: usize,
        options: &Options,
        positions: &[String],
    ) -> Result<Vec<Option<EndgameValue>>, ProbeError>;
    /// Probes random positions for about `time` on this thread: the number of probes and the time they
    /// took.
    fn probes(
        &self,
        folder: &Path,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), EndgameError>;
}

/// The reason why a position has no value.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// No such position.
    #[error(transparent)]
    Position(#[from] TextError),
    /// The tables cannot be used.
    #[error(transparent)]
    Tables(#[from] EndgameError),
    /// The position has more pieces than the tables.
    #[error("the position has {pieces} pieces, and there are tables for up to {known}")]
    TooManyPieces { pieces: usize, known: usize },
}

/// One finished step of building tables: a group of slices.
pub struct EndgameStep {
    /// Their names.
    pub slices: Vec<String>,
    /// Positions done so far.
    pub done: u64,
    /// Positions in all.
    pub all: u64,
    pub seconds: f64,
    /// Whether they existed already.
    pub found: bool,
}

/// The tables in a folder.
pub struct EndgameInfo {
    /// Endgames with at most this number of pieces are complete.
    pub pieces: usize,
    pub slices: Vec<EndgameSlice>,
    /// By number of pieces: boards with pieces of both sides or one, the side to move not counted.
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

/// The value of a position, and of each of its moves.
pub struct EndgameAnswer {
    pub value: EndgameValue,
    /// Plies to the end.
    pub distance: Option<u8>,
    /// For each move, the value and distance it leads to, for the side that makes it.
    pub moves: Vec<(String, EndgameValue, Option<u8>)>,
}

/// The implementation of [`Endgames`], for every game with tables.
pub struct EndgameTables<K>(PhantomData<K>);

impl<K> EndgameTables<K> {
    /// The tables numbered by `K`.
    pub const NEW: EndgameTables<K> = EndgameTables(PhantomData);
}

pub(crate) fn named_step<K: EndgameIndex>(step: &BuildProgress) -> EndgameStep {
    EndgameStep {
        slices: step.slices.iter().map(|&slice| K::slice_name(slice)).collect(),
        done: step.done,
        all: step.all,
        seconds: step.seconds,
        found: step.found,
    }
}

/// Positions with up to `pieces` pieces, each as likely as any other.
fn random_positions<K: EndgameIndex>(
    pieces: usize,
    count: usize,
    random: &mut Random,
) -> Vec<K::Position> {
    let slices: Vec<usize> = (2..=pieces).flat_map(K::groups).flatten().collect();
    let numbers: u64 = slices.iter().map(|&slice| K::slice_size(slice)).sum();
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count && numbers > 0 {
        let mut index = random.below(numbers as usize) as u64;
        for &slice in &slices {
            if index < K::slice_size(slice) {
                positions.extend(K::position_at(EndgameSlot { slice, index }));
                break;
            }
            index -= K::slice_size(slice);
        }
    }
    positions
}

impl<K: EndgameIndex<Position: Notation>> Endgames for EndgameTables<K> {
    fn max_pieces(&self) -> usize {
        K::MAX_PIECES
    }

    fn has_tables(&self, options: &Options) -> Result<bool, TextError> {
        Ok(K::is_tabulated(&records::position(options, None)?))
    }

    fn build(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Workers<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<(), EndgameError> {
        endgame::build::<K>(folder, pieces, work, |step| on_step(&named_step::<K>(step)))
    }

    fn verify(
        &self,
        folder: &Path,
        pieces: usize,
        work: &Workers<'_>,
        on_step: &mut dyn FnMut(&EndgameStep),
    ) -> Result<u64, EndgameError> {
        endgame::verify::<K>(folder, pieces, work, |step| on_step(&named_step::<K>(step)))
    }

    fn info(&self, folder: &Path) -> Result<EndgameInfo, EndgameError> {
        let database = EndgameDatabase::<K>::open(folder, K::MAX_PIECES)?;
        let slice = |info: endgame::SliceInfo| EndgameSlice {
            name: K::slice_name(info.slice),
            pieces: K::slice_pieces(info.slice),
            positions: K::position_count(info.slice),
            wins: info.census.wins,
            losses: info.census.losses,
            draws: info.census.draws,
            bytes: info.bytes,
        };
        let mut slices: Vec<EndgameSlice> = database.slices().map(slice).collect();
        slices.sort_by(|one, other| (one.pieces, &one.name).cmp(&(other.pieces, &other.name)));
        let boards = (1..=K::MAX_PIECES).map(|pieces| (pieces, K::board_count(pieces))).collect();
        Ok(EndgameInfo { pieces: database.pieces(), slices, boards })
    }

    fn probe(
        &self,
        folder: &Path,
        options: &Options,
        position: &str,
    ) -> Result<EndgameAnswer, ProbeError> {
        let position: K::Position = records::position(options, Some(position))?;
        let database = EndgameDatabase::<K>::open(folder, K::MAX_PIECES)?;
        let unknown =
            || ProbeError::TooManyPieces { pieces: K::pieces(&position), known: database.pieces() };
        let known = database.probe(&position).ok_or_else(unknown)?;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut answer =
            EndgameAnswer { value: known.value, distance: known.distance, moves: Vec::new() };
        for mv in moves {
            let next = database.probe(&position.after(mv)).ok_or_else(unknown)?;
            answer.moves.push((position.move_text(mv), next.value.flipped(), next.distance));
        }
        Ok(answer)
    }

    fn values(
        &self,
        folder: &Path,
        pieces: usize,
        options: &Options,
        positions: &[String],
    ) -> Result<Vec<Option<EndgameValue>>, ProbeError> {
        let database = EndgameDatabase::<K>::open(folder, pieces)?;
        let value = |text: &String| {
            let position: K::Position = records::position(options, Some(text))?;
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
        /// More than fit into the processor's caches together with their values.
        const POSITIONS: usize = 1 << 18;
        let database = EndgameDatabase::<K>::open(folder, K::MAX_PIECES)?;
        if database.pieces() == 0 {
            return Err(EndgameError::Missing { path: folder.to_owned() });
        }
        let positions = random_positions::<K>(database.pieces(), POSITIONS, &mut Random::new(seed));
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
