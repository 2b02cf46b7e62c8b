//! Boards and prompt in the terminal.

mod board;
mod prompt;
mod style;

pub use board::draw;
pub use prompt::Prompt;
pub use style::TerminalStyle;
