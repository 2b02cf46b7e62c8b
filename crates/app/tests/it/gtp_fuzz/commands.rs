//! Random lines for a GTP engine.

use ludus_core::Random;
use ludus_formats::gtp::GtpCommand;
use std::{fmt, path::Path};

/// The one file that `loadsgf` can read.
pub const GOOD_GAME: &str = "good.sgf";
pub const GOOD_GAME_TEXT: &[u8] = b"(;GM[1]SZ[5]KM[3.5]AB[aa][bb];W[cc];B[dd];W[ee])";
pub const GOOD_GAME_SIZE: usize = 5;

/// A line and its expected response; `None` if it is to be ignored.
pub struct Line {
    pub bytes: Vec<u8>,
    pub command: Option<GtpCommand>,
}

impl Line {
    /// A plain line.
    pub fn of(text: &str) -> Line {
        Line { bytes: text.into(), command: GtpCommand::read(text.as_bytes()) }
    }

    /// The query that ends an analysis and shows the board.
    pub fn list_stones(colour: &str) -> Line {
        Line::of(&format!("1000 list_stones {colour}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.bytes);
        let short: String = text.chars().take(200).collect();
        write!(f, "{short:?}")
    }
}

const NOTHING: [&str; 7] = ["", " ", "\t \t", "# name", "\r", "\u{1}\u{2}\u{7f}", "   # 5 quit"];

const WORDS: [&str; 40] = [
    "b",
    "W",
    "black",
    "White",
    "red",
    "A1",
    "c3",
    "T19",
    "Z25",
    "Z26",
    "I5",
    "a0",
    "pass",
    "PASS",
    "resign",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "25",
    "26",
    "361",
    "99999999999999999999",
    "-2147483649",
    "1e308",
    "-1e999",
    "NaN",
    "inf",
    "-inf",
    "0x10",
    "1.5",
    "+3",
    "..",
    "/",
    "\u{e9}",
    "\u{663}",
    "{}",
    "\"",
    "=",
];

const KOMI: [&str; 12] =
    ["6.5", "0", "-0", "7", "-3.25", "1e3", "-1e30", "1e-300", "NaN", "inf", "-inf", "6,5"];

const SECONDS: [&str; 10] = ["0", "1", "30", "0.001", "-5", "1e9", "1e300", "inf", "NaN", "600"];

const COUNTS: [&str; 8] = ["0", "1", "2", "5", "9", "25", "4294967295", "4294967296"];

const RULES: [&str; 10] = [
    "chinese",
    "japanese",
    "aga",
    "new_zealand",
    "tromp-taylor",
    "ludo",
    "{\"ko\":\"SIMPLE\",\"scoring\":\"AREA\",\"suicide\":true}",
    "{\"ko\":\"POSITIONAL\",\"suicide\":false}",
    "{\"ko\":7}",
    "{broken",
];

const FILES: [&str; 8] = [
    GOOD_GAME,
    GOOD_GAME,
    "empty.sgf",
    "noise.sgf",
    "outside.sgf",
    "chess.sgf",
    "missing.sgf",
    "missing/../..",
];

/// Writes random lines.
pub struct Writer {
    random: Random,
    known: Vec<String>,
    folder: String,
}

impl Writer {
    /// Generates all `known` commands except the one that ends the engine; games are in `folder`.
    pub fn new(random: Random, mut known: Vec<String>, folder: &Path) -> Writer {
        known.retain(|name| name != "quit");
        Writer { random, known, folder: folder.display().to_string() }
    }

    /// Some lines for a board of `size`.
    pub fn batch(&mut self, size: usize) -> Vec<Line> {
        (0..1 + self.random.below(6)).map(|_| self.line(size)).collect()
    }

    fn word(&mut self, words: &[&str]) -> String {
        words[self.random.below(words.len())].to_owned()
    }

    fn line(&mut self, size: usize) -> Line {
        match self.random.below(20) {
            0 => Line { bytes: self.word(&NOTHING).into(), command: None },
            1 => self.garbage(),
            2 => {
                let arguments = self.odd_words();
                let name = self.word(&WORDS);
                // A leading number would be the id.
                self.written(GtpCommand { id: Some(3), name, arguments })
            }
            _ => self.known(size),
        }
    }

    fn garbage(&mut self) -> Line {
        let length = self.random.below(40);
        let byte = |_| match self.random.below(256) as u8 {
            b'\n' => b' ',
            byte => byte,
        };
        let bytes: Vec<u8> = (0..length).map(byte).collect();
        let command = GtpCommand::read(&bytes);
        Line { bytes, command }
    }

    fn known(&mut self, size: usize) -> Line {
        let name = match self.random.below(10) {
            0..4 => "play".to_owned(),
            4 => "genmove".to_owned(),
            5 => "undo".to_owned(),
            _ => self.known[self.random.below(self.known.len())].clone(),
        };
        let arguments =
            if self.random.below(6) == 0 { self.odd_words() } else { self.right(&name, size) };
        let id = (self.random.below(3) == 0).then(|| self.random.below(1 << 31) as u32);
        self.written(GtpCommand { id, name, arguments })
    }

    /// The command as a line, with random tabs, control characters and comments.
    fn written(&mut self, command: GtpCommand) -> Line {
        let id = command.id.map(|id| id.to_string());
        let words = id.iter().chain([&command.name]).chain(&command.arguments);
        let mut text = String::new();
        for word in words {
            text += word;
            text += ["", "\u{8}", "\r"][self.random.below(3)];
            text += [" ", "  ", "\t"][self.random.below(3)];
        }
        if self.random.below(8) == 0 {
            text += "# a comment";
        }
        Line { bytes: text.into_bytes(), command: Some(command) }
    }

    /// Random words, which rarely fit a command.
    fn odd_words(&mut self) -> Vec<String> {
        let count = self.random.below(5);
        let word = |_| {
            if self.random.below(20) == 0 { "x".repeat(3000) } else { self.word(&WORDS) }
        };
        (0..count).map(word).collect()
    }

    fn colour(&mut self) -> String {
        self.word(&["b", "w", "black", "WHITE"])
    }

    fn vertex(&mut self, size: usize) -> String {
        if self.random.below(20) == 0 {
            return "pass".to_owned();
        }
        let column = b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[self.random.below(size)];
        format!("{}{}", char::from(column), 1 + self.random.below(size))
    }

    /// Valid arguments of the command.
    fn right(&mut self, name: &str, size: usize) -> Vec<String> {
        match name {
            "boardsize" => vec![if self.random.below(3) == 0 {
                self.random.below(31).to_string()
            } else {
                (2 + self.random.below(6)).to_string()
            }],
            "komi" => vec![self.word(&KOMI)],
            "play" | "is_legal" => vec![self.colour(), self.vertex(size)],
            "time_settings" => vec![self.word(&SECONDS), self.word(&SECONDS), self.word(&COUNTS)],
            "time_left" => vec![self.colour(), self.word(&SECONDS), self.word(&COUNTS)],
            "kgs-time_settings" => vec![
                self.word(&["none", "absolute", "canadian", "byoyomi"]),
                self.word(&SECONDS),
                self.word(&SECONDS),
                self.word(&COUNTS),
            ],
            "fixed_handicap" | "place_free_handicap" => vec![self.random.below(12).to_string()],
            "set_free_handicap" => {
                let count = 2 + self.random.below(3);
                (0..count).map(|_| self.vertex(size)).collect()
            }
            "loadsgf" => {
                let file = self.word(&FILES);
                let mut words = vec![format!("{}/{file}", self.folder)];
                if self.random.below(2) == 0 {
                    words.push(self.word(&COUNTS));
                }
                words
            }
            "final_status_list" => vec![self.word(&["alive", "dead", "seki"])],
            "known_command" => vec![self.known[self.random.below(self.known.len())].clone()],
            "kgs-rules" | "kata-set-rules" => vec![self.word(&RULES)],
            _ if name.contains("analyze") => vec![self.colour(), self.word(&["1", "0", "100"])],
            _ => vec![self.colour()],
        }
    }
}
