//! The comparison as a table, for the terminal and for Markdown.

use super::{Comparison, MEASUREMENT_SECONDS, Measure, ROUNDS, open_spiel};

const HEADER: [&str; 6] = ["game", "OpenSpiel /s", "Ludus /s", "ratio", "wanted", "ok"];

pub fn plain(comparisons: &[Comparison]) -> String {
    let rows = rows(comparisons);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let [game, rest @ ..] = row;
        let mut line = format!("{game:<0$}", widths[0]);
        for (cell, width) in rest.iter().zip(&widths[1..]) {
            line += &format!("  {cell:>width$}");
        }
        line + "\n"
    };
    rows.iter().map(line).collect()
}

pub fn markdown(measure: Measure, comparisons: &[Comparison]) -> String {
    let (what, theirs, ours) = match measure {
        Measure::Playouts => ("Random playouts", "RandomRolloutEvaluator", "ludus bench"),
        Measure::Simulations => ("\nSimulations of a tree search", "MCTSBot", "mcts"),
    };
    let mut text = format!(
        "{what} per second, one thread, OpenSpiel {} (`{theirs}`) and Ludus (`{ours}`)\ntaking turns, the best of {ROUNDS} rounds of {MEASUREMENT_SECONDS} s each. Made by \
         `cargo xtask peers --markdown FILE`.\n\n",
        open_spiel::VERSION
    );
    for (index, row) in rows(comparisons).iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if index == 0 {
            text += "|---|--:|--:|--:|--:|---|\n";
        }
    }
    text
}

/// The header and one row per game.
fn rows(comparisons: &[Comparison]) -> Vec<[String; 6]> {
    let row = |comparison: &Comparison| {
        [
            comparison.game.ludus.to_owned(),
            grouped(comparison.open_spiel),
            grouped(comparison.ludus),
            format!("{:.1}", comparison.ratio()),
            format!("{:.0}", comparison.game.wanted),
            if comparison.is_met() { "yes" } else { "NO" }.to_owned(),
        ]
    };
    std::iter::once(HEADER.map(String::from)).chain(comparisons.iter().map(row)).collect()
}

/// A whole number with commas between groups of three digits.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::{super::Game, *};

    const GAMES: [Game; 2] = [
        Game { open_spiel: "chess", ludus: "chess", wanted: 10.0 },
        Game { open_spiel: "go(board_size=9)", ludus: "go:size=9", wanted: 10.0 },
    ];

    fn sample() -> [Comparison<'static>; 2] {
        [
            Comparison { game: &GAMES[0], open_spiel: 500.0, ludus: 10_000.0 },
            Comparison { game: &GAMES[1], open_spiel: 7_000.4, ludus: 1_234_567.0 / 20.0 },
        ]
    }

    #[test]
    fn the_plain_table_is_aligned() {
        let expected = "\
game       OpenSpiel /s  Ludus /s  ratio  wanted   ok
chess               500    10,000   20.0      10  yes
go:size=9         7,000    61,728    8.8      10   NO
";
        assert_eq!(plain(&sample()), expected);
    }

    #[test]
    fn the_markdown_table_has_a_row_per_game() {
        let text = markdown(Measure::Playouts, &sample());
        assert!(text.contains("\n|---|--:|--:|--:|--:|---|\n| chess | 500 | 10,000 | 20.0 |"));
        assert!(text.ends_with("| go:size=9 | 7,000 | 61,728 | 8.8 | 10 | NO |\n"));
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(
            [0.0, 999.0, 1_000.0, 1_234_567.0].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
