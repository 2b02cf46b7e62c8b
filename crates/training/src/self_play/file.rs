//! Files of self-play games: append-only text.
//!
//! ```text
//! ludus self-play 1
//! {"game":"chess","player":"engine:nodes=2000", …}
//! game 0 0.5 - 83 2            number, result, margin or -, plies, positions that follow
//! 35 rnbqkbnr/pppp…            the search's score for the first side or -, the position
//! -12 r1bqk2r/pppp…
//! game 1 1 - 61 1
//! …
//! ```
//!
//! A killed process leaves at most one incomplete game at the end, which is cut off when the file
//! is opened again. Positions are stored as text, not as counts of terms: games are expensive, and
//! another evaluation can be tuned on the same ones.

use crate::TrainingError;
use ludus_core::{Notation, Options, TextError};
use ludus_files::AppendFile;
use std::{path::Path, thread};

const MAGIC: &str = "ludus self-play 1\n";
const FORMAT_NAME: &str = "file of self-play games";

/// One game and the positions taken from it.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// Number of the game, from 0.
    pub number: u64,
    /// 1 if the first side won, 0.5 for a draw, 0 if it lost.
    pub result: f32,
    /// Points the first side was ahead by, if the game was played to a final count.
    pub margin: Option<f32>,
    /// Length in plies.
    pub plies: usize,
    /// The search's score for the first side, and the position.
    pub positions: Vec<(Option<i32>, String)>,
}

impl SelfPlayGame {
    fn text(&self) -> String {
        let SelfPlayGame { number, result, plies, .. } = self;
        let margin = self.margin.map_or_else(|| "-".to_owned(), |margin| margin.to_string());
        let mut text =
            format!("game {number} {result} {margin} {plies} {}\n", self.positions.len());
        for (score, position) in &self.positions {
            match score {
                Some(score) => text += &format!("{score} {position}\n"),
                None => text += &format!("- {position}\n"),
            }
        }
        text
    }
}

/// Labels of a position: the result of its game and the search score.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PositionLabel {
    /// Number of the game.
    pub game: u32,
    /// 1 if the first side won, 0.5 for a draw, 0 if it lost.
    pub result: f32,
    /// Final margin of the first side in points.
    pub margin: Option<f32>,
    /// Search score for the first side.
    pub score: Option<i32>,
}

/// An append-only file of games.
pub struct SelfPlayFile {
    file: AppendFile,
    /// Number of games.
    pub games: u64,
    /// Number of positions.
    pub positions: u64,
    unsynced: u32,
}

/// Games between two syncs to disk.
const SYNC_INTERVAL_GAMES: u32 = 256;

impl SelfPlayFile {
    /// Opens the file at `path` for appending, or creates it. `header` is one line that describes
    /// how the games are played; a file with another one is refused.
    pub fn open(path: &Path, header: &str) -> Result<SelfPlayFile, TrainingError> {
        let disk = |error: std::io::Error| TrainingError::disk(path, &error);
        let (file, text) = AppendFile::open(path).map_err(disk)?;
        let head = format!("{MAGIC}{header}\n");
        let mut games = SelfPlayFile { file, games: 0, positions: 0, unsynced: 0 };
        if text.len() < head.len() && head.as_bytes().starts_with(&text) {
            let written = games.file.cut(0).and_then(|()| games.file.append(head.as_bytes()));
            return written.map(|()| games).map_err(disk);
        }
        if !text.starts_with(head.as_bytes()) {
            let expected = "one begun with the same recipe and weights";
            return Err(TextError::whole(FORMAT_NAME, &path.display().to_string(), expected).into());
        }
        let text = String::from_utf8_lossy(&text);
        let (blocks, end) = scan(&text)?;
        for (index, block) in blocks.iter().enumerate() {
            if block.number != index as u64 {
                let expected = format!("game {index} at this place");
                return Err(TextError::at(FORMAT_NAME, &text, block.offset, expected).into());
            }
        }
        games.games = blocks.len() as u64;
        games.positions = blocks.iter().map(|block| block.count as u64).sum();
        games.file.cut(end as u64).map_err(disk)?;
        Ok(games)
    }

    /// Appends a game in one write.
    pub fn append(&mut self, block: &SelfPlayGame) -> std::io::Result<()> {
        self.file.append(block.text().as_bytes())?;
        self.games += 1;
        self.positions += block.positions.len() as u64;
        self.unsynced += 1;
        if self.unsynced >= SYNC_INTERVAL_GAMES { self.sync() } else { Ok(()) }
    }

    /// Syncs the file to disk.
    pub fn sync(&mut self) -> std::io::Result<()> {
        self.unsynced = 0;
        self.file.sync()
    }
}

/// A game of the file, its positions not parsed yet.
struct FoundGame<'a> {
    offset: usize,
    number: u64,
    result: f32,
    margin: Option<f32>,
    count: usize,
    positions: &'a str,
}

/// Finds the complete games of `text`, and the end of the last one.
fn scan(text: &str) -> Result<(Vec<FoundGame<'_>>, usize), TextError> {
    let line_end = |from: usize| text[from..].find('\n').map(|length| from + length + 1);
    let mut end =
        text.starts_with(MAGIC).then_some(MAGIC.len()).and_then(line_end).ok_or_else(|| {
            TextError::at(
                FORMAT_NAME,
                text,
                0,
                format!("{:?} and a line of settings", MAGIC.trim_end()),
            )
        })?;
    let mut blocks = Vec::new();
    'games: while let Some(first) = line_end(end) {
        let Some(mut block) = heading(text[end..first].trim_end(), end) else {
            return Err(TextError::at(
                FORMAT_NAME,
                text,
                end,
                "game NUMBER RESULT MARGIN PLIES POSITIONS",
            ));
        };
        let mut last = first;
        for _ in 0..block.count {
            let Some(next) = line_end(last) else { break 'games };
            last = next;
        }
        block.positions = &text[first..last];
        blocks.push(block);
        end = last;
    }
    Ok((blocks, end))
}

fn heading(line: &str, offset: usize) -> Option<FoundGame<'_>> {
    let words: Vec<&str> = line.split(' ').collect();
    let ["game", number, result, margin, _plies, count] = words[..] else { return None };
    Some(FoundGame {
        offset,
        number: number.parse().ok()?,
        result: result.parse().ok().filter(|result| (0.0..=1.0).contains(result))?,
        margin: match margin {
            "-" => None,
            margin => Some(margin.parse().ok().filter(|margin: &f32| margin.is_finite())?),
        },
        count: count.parse().ok()?,
        positions: "",
    })
}

/// Reads the positions of a file on several threads: each makes a collection and puts the positions
/// of a part of the games into it. `first_game` is added to the numbers of the games, so that those
/// of several files stay apart.
pub fn read_positions<P: Notation, C: Send>(
    path: &Path,
    options: &Options,
    first_game: u32,
    threads: usize,
    make: impl Fn() -> C + Sync,
    put: impl Fn(&mut C, &P, PositionLabel) + Sync,
) -> Result<Vec<C>, TrainingError> {
    let bytes = ludus_files::read(path).map_err(|error| TrainingError::disk(path, &error))?;
    let text = String::from_utf8_lossy(&bytes);
    let (blocks, _) = scan(&text)?;
    let part = blocks.len().div_ceil(threads.max(1)).max(1);
    let read = |blocks: &[FoundGame<'_>]| -> Result<C, TextError> {
        let mut collection = make();
        for block in blocks {
            each_position::<P>(block, options, first_game, &mut |position, label| {
                put(&mut collection, position, label);
            })?;
        }
        Ok(collection)
    };
    let parts: Vec<Result<C, TextError>> = thread::scope(|scope| {
        let handles: Vec<_> =
            blocks.chunks(part).map(|blocks| scope.spawn(|| read(blocks))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no reader panics")).collect()
    });
    parts.into_iter().map(|part| Ok(part?)).collect()
}

fn each_position<P: Notation>(
    block: &FoundGame<'_>,
    options: &Options,
    first_game: u32,
    each: &mut dyn FnMut(&P, PositionLabel),
) -> Result<(), TextError> {
    for line in block.positions.lines() {
        let bad = || TextError::whole(FORMAT_NAME, line, "a score or -, and a position");
        let (score, position) = line.split_once(' ').ok_or_else(bad)?;
        let score = match score {
            "-" => None,
            score => Some(score.parse().map_err(|_| bad())?),
        };
        let game = first_game.wrapping_add(block.number as u32);
        let FoundGame { result, margin, .. } = *block;
        each(&P::parse(options, position)?, PositionLabel { game, result, margin, score });
    }
    Ok(())
}
