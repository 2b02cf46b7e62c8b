//! `name:key=value,key=value`: the option grammar of games and players.

use crate::TextError;
use std::fmt;

/// Specification of an option of a game or a player.
#[derive(Copy, Clone, Debug)]
pub struct OptionSpec {
    /// The key.
    pub name: &'static str,
    /// Allowed values.
    pub kind: OptionKind,
    /// Default value, in text form.
    pub default: &'static str,
    /// One-line description.
    pub about: &'static str,
}

/// Type and range of the value of an option.
#[derive(Copy, Clone, Debug)]
pub enum OptionKind {
    /// A whole number from `min` to `max`.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A number from `min` to `max`.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `on` or `off`.
    Switch,
    /// An amount of memory, such as `64MB`.
    Bytes,
    /// Any text. Commas are part of it unless a `key=` follows.
    Text,
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Number { min, max } => write!(f, "a number from {min} to {max}"),
            OptionKind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            OptionKind::Switch => f.write_str("on or off"),
            OptionKind::Bytes => f.write_str("an amount of memory such as 512KB, 64MB or 2GB"),
            OptionKind::Text => f.write_str("text"),
        }
    }
}

impl OptionKind {
    fn accepts(self, value: &str) -> bool {
        match self {
            OptionKind::Integer { min, max } => {
                value.parse().is_ok_and(|number: i64| (min..=max).contains(&number))
            }
            OptionKind::Number { min, max } => {
                value.parse().is_ok_and(|number: f64| number >= min && number <= max)
            }
            OptionKind::Choice(words) => words.contains(&value),
            OptionKind::Switch => matches!(value, "on" | "off"),
            OptionKind::Bytes => parse_bytes(value).is_some(),
            OptionKind::Text => true,
        }
    }
}

/// Parses an amount of memory such as 512KB, 64MB or 2GB.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let unit: u64 = match text[digits..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1 << 10,
        "M" | "MB" => 1 << 20,
        "G" | "GB" => 1 << 30,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(unit)
}

/// Splits `name:options` at the first colon.
pub fn split_name(text: &str) -> (&str, &str) {
    text.split_once(':').unwrap_or((text, ""))
}

/// Checked options: every value is known to fit its [`OptionKind`], so the getters cannot fail.
#[derive(Clone, Debug)]
pub struct Options {
    name: String,
    specs: &'static [OptionSpec],
    values: Vec<String>,
}

impl Options {
    /// The default values.
    pub fn defaults(name: &str, specs: &'static [OptionSpec]) -> Options {
        let values = specs.iter().map(|spec| spec.default.to_owned()).collect();
        Options { name: name.to_owned(), specs, values }
    }

    /// Parses `name:key=value,key=value` against `specs`; the name is not checked.
    pub fn parse(text: &str, specs: &'static [OptionSpec]) -> Result<Options, TextError> {
        let (name, rest) = split_name(text);
        let mut options = Options::defaults(name, specs);
        let mut given = vec![false; specs.len()];
        let wrong_key =
            |found: &str, expected| TextError::whole(&format!("option of {name}"), found, expected);
        for (key, value) in pieces(rest, specs) {
            let Some(index) = specs.iter().position(|spec| spec.name == key) else {
                let found = value.map_or(key.to_owned(), |value| format!("{key}={value}"));
                return Err(wrong_key(&found, known_keys(specs)));
            };
            let kind = specs[index].kind;
            let Some(value) = value else {
                return Err(wrong_key(key, format!("{key}= and {kind}")));
            };
            if given[index] {
                return Err(wrong_key(key, "it only once".to_owned()));
            }
            if !kind.accepts(value) {
                return Err(TextError::whole(&format!("{key} of {name}"), value, kind.to_string()));
            }
            given[index] = true;
            options.values[index] = value.to_owned();
        }
        Ok(options)
    }

    /// The name in front of the colon.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options there are.
    pub fn specs(&self) -> &'static [OptionSpec] {
        self.specs
    }

    /// The value of an option, as text.
    ///
    /// # Panics
    /// If the game or player has no such option, which is a bug.
    pub fn text(&self, name: &str) -> &str {
        let index = self.specs.iter().position(|spec| spec.name == name);
        &self.values[index.unwrap_or_else(|| panic!("{} has no option {name:?}", self.name))]
    }

    /// The value of a [`OptionKind::Integer`].
    pub fn integer(&self, name: &str) -> i64 {
        self.text(name).parse().expect("checked when parsed")
    }

    /// The value of a [`OptionKind::Number`].
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().expect("checked when parsed")
    }

    /// The value of a [`OptionKind::Switch`].
    pub fn switch(&self, name: &str) -> bool {
        self.text(name) == "on"
    }

    /// The value of a [`OptionKind::Bytes`].
    pub fn bytes(&self, name: &str) -> u64 {
        parse_bytes(self.text(name)).expect("checked when parsed")
    }
}

/// Cuts `rest` at commas into keys and values; a piece without `=` continues a text value.
fn pieces<'a>(rest: &'a str, specs: &[OptionSpec]) -> Vec<(&'a str, Option<&'a str>)> {
    let is_text = |key: &str| {
        specs.iter().any(|spec| spec.name == key && matches!(spec.kind, OptionKind::Text))
    };
    let mut pieces: Vec<(&str, Option<&str>)> = Vec::new();
    let mut start = 0;
    for piece in rest.split(',').filter(|_| !rest.is_empty()) {
        let known_key = piece.split_once('=').filter(|(key, _)| {
            pieces.last().is_none_or(|(last, _)| !is_text(last))
                || specs.iter().any(|spec| spec.name == *key)
        });
        match (known_key, pieces.last_mut()) {
            (Some((key, value)), _) => pieces.push((key, Some(value))),
            (None, Some((key, Some(value)))) if is_text(key) => {
                let value_start = value.as_ptr() as usize - rest.as_ptr() as usize;
                *value = &rest[value_start..start + piece.len()];
            }
            (None, _) => pieces.push((piece, None)),
        }
        start += piece.len() + 1;
    }
    pieces
}

fn known_keys(specs: &[OptionSpec]) -> String {
    if specs.is_empty() {
        return "no options: there are none".to_owned();
    }
    let names: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
    format!("one of the options {}", names.join(", "))
}

/// Writes the name and whatever differs from the defaults, in a form that parses back.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        let mut separator = ':';
        for (spec, value) in self.specs.iter().zip(&self.values) {
            if value != spec.default {
                write!(f, "{separator}{}={value}", spec.name)?;
                separator = ',';
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[OptionSpec] = &[
        OptionSpec {
            name: "size",
            kind: OptionKind::Integer { min: 2, max: 25 },
            default: "19",
            about: "",
        },
        OptionSpec {
            name: "komi",
            kind: OptionKind::Number { min: -100.0, max: 100.0 },
            default: "6.5",
            about: "",
        },
        OptionSpec {
            name: "ko",
            kind: OptionKind::Choice(&["simple", "positional"]),
            default: "positional",
            about: "",
        },
        OptionSpec { name: "book", kind: OptionKind::Switch, default: "off", about: "" },
        OptionSpec { name: "table", kind: OptionKind::Bytes, default: "64MB", about: "" },
        OptionSpec { name: "args", kind: OptionKind::Text, default: "", about: "" },
    ];

    #[test]
    fn values_and_defaults_are_read_and_written_back() {
        let text = "gtp:size=9,komi=-0.5,table=2kb,args=--mode gtp,--level=10,ko=simple";
        let options = Options::parse(text, SPECS).unwrap();
        assert_eq!(options.name(), "gtp");
        assert_eq!(options.integer("size"), 9);
        assert_eq!(options.number("komi"), -0.5);
        assert_eq!(options.text("ko"), "simple");
        assert_eq!(options.text("args"), "--mode gtp,--level=10");
        assert_eq!(options.bytes("table"), 2048);
        assert!(!options.switch("book"));
        let written = options.to_string();
        assert_eq!(Options::parse(&written, SPECS).unwrap().to_string(), written);
        assert_eq!(Options::parse("gtp", SPECS).unwrap().to_string(), "gtp");
    }

    #[test]
    fn errors_name_the_option_and_the_expected_values() {
        let message = |text| Options::parse(text, SPECS).unwrap_err().to_string();
        assert_eq!(
            message("go:size=-5"),
            "bad size of go \"-5\": expected a whole number from 2 to 25"
        );
        assert_eq!(
            message("go:size=9,clour=red"),
            "bad option of go \"clour=red\": expected one of the options size, komi, ko, book, table, args"
        );
        assert!(message("go:size").ends_with("expected size= and a whole number from 2 to 25"));
        assert!(message("go:size=9,size=9").ends_with("\"size\": expected it only once"));
        assert!(message("go:komi=NaN").contains("a number from -100 to 100"));
        assert!(message("go:table=9XB").contains("64MB"));
        assert!(message("go:,").contains("one of the options"));
    }
}
