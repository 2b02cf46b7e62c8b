//! Charts of tournaments as SVG: plain data in, one self-contained document out.
//!
//! No external fonts, scripts or styles; names are escaped. Colours are from the palette of M. Okabe
//! and K. Ito (*Color Universal Design*, 2008), which is safe for colour-blind readers, on a light
//! background for printing.

mod axis;
mod boards;
mod cross_table;
mod lines;
mod ratings;
mod shares;
mod svg;

pub use boards::{BoardCard, BoardChart, board_chart};
pub use cross_table::{CrossTable, cross_table};
pub use lines::{LineChart, Series, Unit, line_chart};
pub use ratings::{RatingBar, RatingChart, rating_chart};
pub use shares::{ShareBar, ShareChart, share_chart};

/// Colours shared by all charts.
mod palette {
    pub const INK: &str = "#1b1f24";
    pub const QUIET_INK: &str = "#57606a";
    pub const PAPER: &str = "#ffffff";
    pub const GRID: &str = "#dde1e6";
    pub const AXIS: &str = "#8c959f";
    pub const EMPTY: &str = "#f0f2f4";
    pub const DIAGONAL: &str = "#d5dae0";
    pub const BLUE: &str = "#0072b2";

    /// Okabe-Ito palette without yellow, which is too faint for lines on white.
    pub const LINES: [&str; 7] =
        ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#1b1f24"];
}

#[cfg(test)]
mod tests;
