//! Options of the UCI engine, including those of the player.

use ludus_core::{OptionKind, OptionSpec, Options, TextError};
use ludus_formats::uci::{UciOption, UciOptionKind};
use std::time::Duration;

const THREADS: &str = "Threads";
const MULTI_PV: &str = "MultiPV";
const PONDER: &str = "Ponder";
const OVERHEAD: &str = "Move Overhead";
const HASH: &str = "Hash";
/// Player options that correspond to UCI's Hash.
const HASH_OPTIONS: &[&str] = &["table", "hash"];
const MEGABYTE: u64 = 1 << 20;
/// Maximum of Hash, in megabytes.
const MAX_HASH_MB: u64 = 1 << 20;

/// Options and their values.
pub struct UciSettings {
    /// Name of the player on the command line.
    player: &'static str,
    specs: &'static [OptionSpec],
    values: Vec<String>,
    pub threads: usize,
    pub multi_pv: usize,
    /// Move overhead: deducted from every clock, for the communication.
    pub overhead: Duration,
}

/// Effect of a changed option on the player.
#[derive(Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// It has to be rebuilt.
    Player,
    /// None.
    None,
}

impl UciSettings {
    /// The settings of `player`, such as `minimax:depth=4`.
    pub fn new(
        player: &str,
        players: &[(&'static str, &'static str, &'static [OptionSpec])],
        threads: usize,
    ) -> Result<UciSettings, TextError> {
        let (name, _) = ludus_core::options::split_name(player);
        let Some(&(id, _, specs)) = players.iter().find(|(id, ..)| *id == name) else {
            let names: Vec<&str> = players.iter().map(|(id, ..)| *id).collect();
            let expected = format!("one of the players of chess: {}", names.join(", "));
            return Err(TextError::whole("player", name, expected));
        };
        let options = Options::parse(player, specs)?;
        let values = specs.iter().map(|spec| options.text(spec.name).to_owned()).collect();
        let overhead = Duration::from_millis(30);
        Ok(UciSettings { player: id, specs, values, threads, multi_pv: 1, overhead })
    }

    /// The player with its options, as on the command line.
    pub fn spec(&self) -> String {
        let changed = self.specs.iter().zip(&self.values).filter(|(spec, v)| *v != spec.default);
        let changed: Vec<String> =
            changed.map(|(spec, value)| format!("{}={value}", spec.name)).collect();
        match changed[..] {
            [] => self.player.to_owned(),
            _ => format!("{}:{}", self.player, changed.join(",")),
        }
    }

    /// All options, those of the engine first.
    pub fn describe(&self) -> Vec<UciOption> {
        let spin = |name: &str, default, min, max| UciOption {
            name: name.to_owned(),
            kind: UciOptionKind::Spin { default, min, max },
        };
        let mut options = vec![
            spin(THREADS, self.threads as i64, 1, 1024),
            spin(MULTI_PV, 1, 1, 500),
            spin(OVERHEAD, self.overhead.as_millis() as i64, 0, 10_000),
            UciOption { name: PONDER.to_owned(), kind: UciOptionKind::Check { default: false } },
        ];
        for (spec, value) in self.specs.iter().zip(&self.values) {
            let option = self.describe_one(spec, value);
            // UCI ignores case: options of the engine hide those of the player.
            if !options.iter().any(|ours| ours.name.eq_ignore_ascii_case(&option.name)) {
                options.push(option);
            }
        }
        options
    }

    /// A player option as UCI option. UCI has integers only, so other numbers become strings.
    fn describe_one(&self, spec: &OptionSpec, value: &str) -> UciOption {
        let text = || UciOptionKind::Text { default: value.to_owned() };
        let kind = match spec.kind {
            OptionKind::Integer { min, max } => value
                .parse()
                .map_or_else(|_| text(), |default| UciOptionKind::Spin { default, min, max }),
            OptionKind::Choice(words) => UciOptionKind::Combo {
                default: value.to_owned(),
                choices: words.iter().map(|&word| word.to_owned()).collect(),
            },
            OptionKind::Switch => UciOptionKind::Check { default: value == "on" },
            OptionKind::Bytes if is_hash(spec) => match self.parse_one(spec, value) {
                Ok(options) => {
                    let default =
                        (options.bytes(spec.name) / MEGABYTE).clamp(1, MAX_HASH_MB) as i64;
                    UciOptionKind::Spin { default, min: 1, max: MAX_HASH_MB as i64 }
                }
                Err(_) => text(),
            },
            OptionKind::Number { .. } | OptionKind::Bytes | OptionKind::Text => text(),
        };
        UciOption { name: uci_name(spec).to_owned(), kind }
    }

    /// Parses a single option, so that its value cannot contain another option.
    fn parse_one(&self, spec: &OptionSpec, value: &str) -> Result<Options, TextError> {
        let text = format!("{}:{}={value}", self.player, spec.name);
        let options = Options::parse(&text, self.specs)?;
        if options.text(spec.name) != value {
            return Err(TextError::whole("value", value, "text that names no other option"));
        }
        Ok(options)
    }

    /// Sets the option with the UCI name `name`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<OptionEffect, TextError> {
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        let number = |min: u64, max: u64| -> Result<u64, TextError> {
            let fits = |number: &u64| (min..=max).contains(number);
            value.trim().parse().ok().filter(fits).ok_or_else(|| {
                let what = format!("value of {name}");
                TextError::whole(&what, value, format!("a whole number from {min} to {max}"))
            })
        };
        if is(THREADS) {
            self.threads = number(1, 1024)? as usize;
            return Ok(OptionEffect::Player);
        }
        if is(MULTI_PV) {
            self.multi_pv = number(1, 500)? as usize;
            return Ok(OptionEffect::None);
        }
        if is(OVERHEAD) {
            self.overhead = Duration::from_millis(number(0, 10_000)?);
            return Ok(OptionEffect::None);
        }
        if is(PONDER) {
            return Ok(OptionEffect::None);
        }
        let meant = |spec: &OptionSpec| is(uci_name(spec)) || is(spec.name);
        let Some(index) = self.specs.iter().position(meant) else {
            let names: Vec<String> =
                self.describe().into_iter().map(|option| option.name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(TextError::whole("option", name, expected));
        };
        let spec = &self.specs[index];
        let text = player_value(spec, value);
        self.parse_one(spec, &text)?;
        self.values[index] = text;
        Ok(OptionEffect::Player)
    }
}

fn is_hash(spec: &OptionSpec) -> bool {
    matches!(spec.kind, OptionKind::Bytes) && HASH_OPTIONS.contains(&spec.name)
}

fn uci_name(spec: &OptionSpec) -> &'static str {
    if is_hash(spec) { HASH } else { spec.name }
}

/// Converts a UCI value to a value of the player's option.
fn player_value(spec: &OptionSpec, value: &str) -> String {
    match (spec.kind, value) {
        (OptionKind::Switch, "true") => "on".to_owned(),
        (OptionKind::Switch, "false") => "off".to_owned(),
        (OptionKind::Bytes, _) if is_hash(spec) && value.parse::<u64>().is_ok() => {
            format!("{value}MB")
        }
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[OptionSpec] = &[
        OptionSpec {
            name: "depth",
            kind: OptionKind::Integer { min: 1, max: 100 },
            default: "3",
            about: "",
        },
        OptionSpec { name: "table", kind: OptionKind::Bytes, default: "64MB", about: "" },
        OptionSpec { name: "book", kind: OptionKind::Switch, default: "off", about: "" },
        OptionSpec {
            name: "style",
            kind: OptionKind::Choice(&["calm", "wild"]),
            default: "calm",
            about: "",
        },
        OptionSpec {
            name: "c",
            kind: OptionKind::Number { min: 0.0, max: 9.0 },
            default: "1.4",
            about: "",
        },
        OptionSpec { name: "file", kind: OptionKind::Text, default: "", about: "" },
        OptionSpec { name: "threads", kind: OptionKind::Text, default: "", about: "" },
    ];

    fn settings(spec: &str) -> UciSettings {
        UciSettings::new(spec, &[("toy", "", SPECS)], 1).unwrap()
    }

    #[test]
    fn every_kind_of_option_has_a_uci_form() {
        let lines: Vec<String> =
            settings("toy:depth=5").describe().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "option name Threads type spin default 1 min 1 max 1024",
                "option name MultiPV type spin default 1 min 1 max 500",
                "option name Move Overhead type spin default 30 min 0 max 10000",
                "option name Ponder type check default false",
                "option name depth type spin default 5 min 1 max 100",
                "option name Hash type spin default 64 min 1 max 1048576",
                "option name book type check default false",
                "option name style type combo default calm var calm var wild",
                "option name c type string default 1.4",
                "option name file type string default <empty>",
            ]
        );
    }

    #[test]
    fn options_set_become_options_of_the_player() {
        let mut settings = settings("toy");
        for (name, value) in
            [("DEPTH", "7"), ("hash", "128"), ("book", "true"), ("c", "2"), ("file", "a, b")]
        {
            assert_eq!(settings.set(name, value), Ok(OptionEffect::Player), "{name}");
        }
        assert_eq!(settings.spec(), "toy:depth=7,table=128MB,book=on,c=2,file=a, b");
        assert_eq!(settings.set("MultiPV", "3"), Ok(OptionEffect::None));
        assert_eq!(settings.multi_pv, 3);
    }

    #[test]
    fn wrong_names_and_values_are_refused_and_change_nothing() {
        let mut settings = settings("toy");
        for (name, value) in [
            ("nothing", "1"),
            ("depth", "0"),
            ("depth", ""),
            ("depth", "3,book=on"),
            ("file", "x,depth=9"),
            ("style", "mild"),
            ("Threads", "0"),
            ("Move Overhead", "-1"),
            ("Hash", "x"),
        ] {
            assert!(settings.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(settings.spec(), "toy");
    }
}
