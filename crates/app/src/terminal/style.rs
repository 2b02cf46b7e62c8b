//! Colours of the terminal.

use std::io::{IsTerminal, stdout};

/// Style of boards and texts.
#[derive(Copy, Clone, Debug)]
pub struct TerminalStyle {
    /// Colours and symbols, or plain text.
    pub colour: bool,
    /// Board rotated by 180 degrees.
    pub flipped: bool,
}

/// Text and background colour of the 256-colour palette.
#[derive(Copy, Clone)]
pub struct Paint {
    pub text: u8,
    pub ground: Option<u8>,
}

impl TerminalStyle {
    /// Colours if stdout is a terminal and `NO_COLOR` is not set.
    pub fn detect() -> TerminalStyle {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        TerminalStyle { colour: stdout().is_terminal() && !refused && !dumb, flipped: false }
    }

    /// `text` in these colours.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let ground = paint.ground.map(|ground| format!(";48;5;{ground}")).unwrap_or_default();
        format!("\x1b[38;5;{}{ground}m{text}\x1b[0m", paint.text)
    }

    /// `text` in bold.
    pub fn strong(&self, text: &str) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// `text` dimmed.
    pub fn faint(&self, text: &str) -> String {
        if self.colour { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
    }
}
