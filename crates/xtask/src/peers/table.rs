//! The comparison as a table, for the terminal and for Markdown.

use super::Comparison;

pub fn plain(first: &str, peer: &str, comparisons: &[Comparison]) -> String {
    let rows = rows(first, peer, comparisons);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let [name, rest @ ..] = row;
        let mut line = format!("{name:<0$}", widths[0]);
        for (cell, width) in rest.iter().zip(&widths[1..]) {
            line += &format!("  {cell:>width$}");
        }
        line + "\n"
    };
    rows.iter().map(line).collect()
}

/// The table below a paragraph on what was measured.
pub fn markdown(about: &str, first: &str, peer: &str, comparisons: &[Comparison]) -> String {
    let mut text = format!("{about} Made by `cargo xtask peers --markdown FILE`.\n\n");
    for (index, row) in rows(first, peer, comparisons).iter().enumerate() {
        text += &format!("| {} |\n", row.join(" | "));
        if index == 0 {
            text += "|---|--:|--:|--:|--:|---|\n";
        }
    }
    text
}

/// The header and one row per comparison.
fn rows(first: &str, peer: &str, comparisons: &[Comparison]) -> Vec<[String; 6]> {
    let header = [first, &format!("{peer} /s"), "Ludus /s", "ratio", "wanted", "ok"];
    let row = |comparison: &Comparison| {
        [
            comparison.name.to_owned(),
            grouped(comparison.theirs),
            grouped(comparison.ours),
            format!("{:.1}", comparison.ratio()),
            comparison.wanted.to_string(),
            if comparison.is_met() { "yes" } else { "NO" }.to_owned(),
        ]
    };
    std::iter::once(header.map(String::from)).chain(comparisons.iter().map(row)).collect()
}

/// A whole number with commas between groups of three digits.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> [Comparison; 3] {
        [
            Comparison { name: "chess", theirs: 500.0, ours: 10_000.0, wanted: 10.0 },
            Comparison {
                name: "go:size=9",
                theirs: 7_000.4,
                ours: 1_234_567.0 / 20.0,
                wanted: 10.0,
            },
            Comparison { name: "batch", theirs: 7_000.0, ours: 6_300.0, wanted: 0.8 },
        ]
    }

    #[test]
    fn the_plain_table_is_aligned() {
        let expected = "\
game       OpenSpiel /s  Ludus /s  ratio  wanted   ok
chess               500    10,000   20.0      10  yes
go:size=9         7,000    61,728    8.8      10   NO
batch             7,000     6,300    0.9     0.8  yes
";
        assert_eq!(plain("game", "OpenSpiel", &sample()), expected);
    }

    #[test]
    fn the_markdown_table_has_a_row_per_comparison() {
        let text = markdown("Games per second.", "game", "OpenSpiel", &sample());
        assert!(text.starts_with("Games per second. Made by"));
        assert!(text.contains("\n|---|--:|--:|--:|--:|---|\n| chess | 500 | 10,000 | 20.0 |"));
        assert!(text.ends_with("| batch | 7,000 | 6,300 | 0.9 | 0.8 | yes |\n"));
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(
            [0.0, 999.0, 1_000.0, 1_234_567.0].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
