//! SVG elements, and estimates of text width.

use super::palette;
use std::fmt::Write;

/// Font sizes in pixels.
pub(super) const TITLE: f64 = 20.0;
pub(super) const BODY: f64 = 14.0;
pub(super) const SMALL: f64 = 12.0;

/// Anchor of a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Start,
    Middle,
    End,
}

/// Style of a text.
#[derive(Copy, Clone, Debug)]
pub(super) struct TextStyle<'a> {
    pub size: f64,
    pub align: Align,
    pub colour: &'a str,
    pub bold: bool,
}

impl TextStyle<'static> {
    pub const fn new(size: f64, align: Align) -> TextStyle<'static> {
        TextStyle { size, align, colour: palette::INK, bold: false }
    }

    pub const fn quiet(self) -> TextStyle<'static> {
        TextStyle { colour: palette::QUIET_INK, ..self }
    }
}

impl<'a> TextStyle<'a> {
    pub const fn bold(self) -> TextStyle<'a> {
        TextStyle { bold: true, ..self }
    }

    pub const fn colour(self, colour: &str) -> TextStyle<'_> {
        TextStyle { size: self.size, align: self.align, colour, bold: self.bold }
    }
}

/// A rectangle in pixels.
#[derive(Copy, Clone, Debug)]
pub(super) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// An SVG document under construction.
pub(super) struct Canvas {
    text: String,
}

impl Canvas {
    /// A document of this size. Title and description are for screen readers.
    pub fn new(width: f64, height: f64, title: &str, description: &str) -> Canvas {
        let mut text = String::new();
        let (title, description) = (escape(title), escape(description));
        let (width, height) = (number(width), number(height));
        let _ = write!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n\
             <title>{title}</title>\n<desc>{description}</desc>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            palette::PAPER
        );
        Canvas { text }
    }

    /// The finished document.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// Raw markup.
    pub fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
        self.text.push('\n');
    }

    pub fn rectangle(&mut self, area: Area, fill: &str) {
        let Area { x, y, width, height } = area;
        let (x, y) = (number(x), number(y));
        let (width, height) = (number(width), number(height));
        self.raw(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        ));
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let (x1, y1, x2, y2) = (number(from.0), number(from.1), number(to.0), number(to.1));
        self.raw(&format!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\"/>"
        ));
    }

    /// Text on a base line at `y`; a text wider than `room` is shortened in the middle, with the full
    /// text as a tooltip.
    pub fn text_within(&mut self, (x, y): (f64, f64), text: &str, style: TextStyle<'_>, room: f64) {
        let shown = shortened(text, style.size, room);
        let tip = if shown == text { None } else { Some(text) };
        self.write_text((x, y), &shown, style, tip);
    }

    /// Text on a base line at `y`.
    pub fn text(&mut self, at: (f64, f64), text: &str, style: TextStyle<'_>) {
        self.write_text(at, text, style, None);
    }

    fn write_text(
        &mut self,
        (x, y): (f64, f64),
        text: &str,
        style: TextStyle<'_>,
        tip: Option<&str>,
    ) {
        let anchor = match style.align {
            Align::Start => "",
            Align::Middle => " text-anchor=\"middle\"",
            Align::End => " text-anchor=\"end\"",
        };
        let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
        let tip = tip.map_or(String::new(), |tip| format!("<title>{}</title>", escape(tip)));
        self.raw(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{weight}>{tip}{}</text>",
            number(x),
            number(y),
            style.size,
            style.colour,
            escape(text)
        ));
    }
}

/// A coordinate with at most two decimals.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes text for XML: markup escaped, white space turned into spaces, other control characters
/// replaced.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => escaped.push('\u{fffd}'),
            character => escaped.push(character),
        }
    }
    escaped
}

/// Approximate width of a text in pixels. Fonts differ between viewers, so this is a generous
/// estimate.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let wide = |character: char| matches!(character, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..);
    let widths = text.chars().map(|character| if wide(character) { 1.05 } else { 0.61 });
    widths.sum::<f64>() * size
}

/// Shortens a text wider than `room` to its start and end around an ellipsis. Both ends matter:
/// players often differ in the last option only.
fn shortened(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let characters: Vec<char> = text.chars().collect();
    for kept in (2..characters.len()).rev() {
        let head: String = characters[..kept.div_ceil(2)].iter().collect();
        let tail: String = characters[characters.len() - kept / 2..].iter().collect();
        let short = format!("{head}…{tail}");
        if text_width(&short, size) <= room {
            return short;
        }
    }
    "…".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_are_harmless() {
        assert_eq!(escape("<a b=\"c\">&'\u{0}\n"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\u{fffd} ");
    }

    #[test]
    fn long_names_keep_both_ends() {
        let name = "uci:path=/usr/games/stockfish,nodes=2000";
        let short = shortened(name, 14.0, 200.0);
        assert!(short.starts_with("uci:path") && short.ends_with("2000") && short.contains('…'));
        assert!(text_width(&short, 14.0) <= 200.0);
        assert_eq!(shortened("random", 14.0, 200.0), "random");
        assert_eq!(shortened(name, 14.0, 0.0), "…");
        assert!(text_width("囲碁", 10.0) > text_width("go", 10.0));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([number(1.0), number(0.126), number(-0.001)], ["1", "0.13", "0"]);
    }
}
