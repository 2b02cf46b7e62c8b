//! Colours, where the terminal has them.

use std::io::{IsTerminal, stdout};

/// How boards are drawn.
#[derive(Copy, Clone, Debug)]
pub struct Style {
    /// With colours and symbols, or in plain letters.
    pub colour: bool,
    /// Turned by half a circle.
    pub flipped: bool,
}

/// Colours of the 256-colour palette.
#[derive(Copy, Clone)]
pub struct Paint {
    pub text: u8,
    pub ground: Option<u8>,
}

impl Style {
    /// Colours if stdout is a terminal and `NO_COLOR` is not set.
    pub fn detect() -> Style {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Style { colour: stdout().is_terminal() && !refused && !dumb, flipped: false }
    }

    /// `text` in these colours.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let ground = paint.ground.map(|ground| format!(";48;5;{ground}")).unwrap_or_default();
        format!("\x1b[38;5;{}{ground}m{text}\x1b[0m", paint.text)
    }

    /// `text`, easy to see.
    pub fn strong(&self, text: &str) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// `text`, easy to overlook.
    pub fn faint(&self, text: &str) -> String {
        if self.colour { format!("\x1b[2m{text}\x1b[0m") } else { text.to_owned() }
    }
}
