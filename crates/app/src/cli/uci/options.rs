//! The options of a player as options of a UCI engine.

use ludus_core::{Kind, OptionSpec, Options, TextError};
use ludus_formats::uci::{EngineOption, OptionKind};
use std::time::Duration;

const THREADS: &str = "Threads";
const MULTI_PV: &str = "MultiPV";
const PONDER: &str = "Ponder";
const OVERHEAD: &str = "Move Overhead";
const HASH: &str = "Hash";
/// What players call the memory that UCI calls Hash.
const MEMORY: &[&str] = &["table", "hash"];
const MEGABYTE: u64 = 1 << 20;
/// In megabytes.
const MAX_HASH: u64 = 1 << 20;

/// What can be set, and what it is set to.
pub struct Settings {
    /// The player's name on the command line.
    player: &'static str,
    specs: &'static [OptionSpec],
    values: Vec<String>,
    pub threads: usize,
    pub multi_pv: usize,
    /// Taken off every clock, for the way to the program and back.
    pub overhead: Duration,
}

/// What a changed option means for the player.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// It has to be built anew.
    Player,
    /// Nothing.
    None,
}

impl Settings {
    /// The settings of `player`, such as `minimax:depth=4`.
    pub fn new(
        player: &str,
        players: &[(&'static str, &'static str, &'static [OptionSpec])],
        threads: usize,
    ) -> Result<Settings, TextError> {
        let (name, _) = ludus_core::options::split_name(player);
        let Some(&(id, _, specs)) = players.iter().find(|(id, ..)| *id == name) else {
            let names: Vec<&str> = players.iter().map(|(id, ..)| *id).collect();
            let expected = format!("one of the players of chess: {}", names.join(", "));
            return Err(TextError::whole("player", name, expected));
        };
        let options = Options::parse(player, specs)?;
        let values = specs.iter().map(|spec| options.text(spec.name).to_owned()).collect();
        let overhead = Duration::from_millis(30);
        Ok(Settings { player: id, specs, values, threads, multi_pv: 1, overhead })
    }

    /// The player with its options, as the command line writes it.
    pub fn spec(&self) -> String {
        let changed = self.specs.iter().zip(&self.values).filter(|(spec, v)| *v != spec.default);
        let changed: Vec<String> =
            changed.map(|(spec, value)| format!("{}={value}", spec.name)).collect();
        match changed[..] {
            [] => self.player.to_owned(),
            _ => format!("{}:{}", self.player, changed.join(",")),
        }
    }

    /// All options, ours first.
    pub fn describe(&self) -> Vec<EngineOption> {
        let spin = |name: &str, default, min, max| EngineOption {
            name: name.to_owned(),
            kind: OptionKind::Spin { default, min, max },
        };
        let mut options = vec![
            spin(THREADS, self.threads as i64, 1, 1024),
            spin(MULTI_PV, 1, 1, 500),
            spin(OVERHEAD, self.overhead.as_millis() as i64, 0, 10_000),
            EngineOption { name: PONDER.to_owned(), kind: OptionKind::Check { default: false } },
        ];
        for (spec, value) in self.specs.iter().zip(&self.values) {
            let option = self.describe_one(spec, value);
            // Case does not matter to UCI: an option of ours hides one of the player's.
            if !options.iter().any(|ours| ours.name.eq_ignore_ascii_case(&option.name)) {
                options.push(option);
            }
        }
        options
    }

    /// An option of the player in UCI's words. UCI has whole numbers only, so others become text.
    fn describe_one(&self, spec: &OptionSpec, value: &str) -> EngineOption {
        let text = || OptionKind::Text { default: value.to_owned() };
        let kind = match spec.kind {
            Kind::Integer { min, max } => value
                .parse()
                .map_or_else(|_| text(), |default| OptionKind::Spin { default, min, max }),
            Kind::Choice(words) => OptionKind::Combo {
                default: value.to_owned(),
                choices: words.iter().map(|&word| word.to_owned()).collect(),
            },
            Kind::Switch => OptionKind::Check { default: value == "on" },
            Kind::Bytes if is_memory(spec) => match self.parse_one(spec, value) {
                Ok(options) => {
                    let default = (options.bytes(spec.name) / MEGABYTE).clamp(1, MAX_HASH) as i64;
                    OptionKind::Spin { default, min: 1, max: MAX_HASH as i64 }
                }
                Err(_) => text(),
            },
            Kind::Number { .. } | Kind::Bytes | Kind::Text => text(),
        };
        EngineOption { name: uci_name(spec).to_owned(), kind }
    }

    /// Checks one option alone, so that no value can smuggle in another.
    fn parse_one(&self, spec: &OptionSpec, value: &str) -> Result<Options, TextError> {
        let text = format!("{}:{}={value}", self.player, spec.name);
        let options = Options::parse(&text, self.specs)?;
        if options.text(spec.name) != value {
            return Err(TextError::whole("value", value, "text that names no other option"));
        }
        Ok(options)
    }

    /// Sets the option that the other program calls `name`.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, TextError> {
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
            return Ok(Change::Player);
        }
        if is(MULTI_PV) {
            self.multi_pv = number(1, 500)? as usize;
            return Ok(Change::None);
        }
        if is(OVERHEAD) {
            self.overhead = Duration::from_millis(number(0, 10_000)?);
            return Ok(Change::None);
        }
        if is(PONDER) {
            return Ok(Change::None);
        }
        let meant = |spec: &OptionSpec| is(uci_name(spec)) || is(spec.name);
        let Some(index) = self.specs.iter().position(meant) else {
            let names: Vec<String> =
                self.describe().into_iter().map(|option| option.name).collect();
            let expected = format!("one of {}", names.join(", "));
            return Err(TextError::whole("option", name, expected));
        };
        let spec = &self.specs[index];
        let text = own_text(spec, value);
        self.parse_one(spec, &text)?;
        self.values[index] = text;
        Ok(Change::Player)
    }
}

fn is_memory(spec: &OptionSpec) -> bool {
    matches!(spec.kind, Kind::Bytes) && MEMORY.contains(&spec.name)
}

fn uci_name(spec: &OptionSpec) -> &'static str {
    if is_memory(spec) { HASH } else { spec.name }
}

/// A value as UCI writes it in the words of the player's option.
fn own_text(spec: &OptionSpec, value: &str) -> String {
    match (spec.kind, value) {
        (Kind::Switch, "true") => "on".to_owned(),
        (Kind::Switch, "false") => "off".to_owned(),
        (Kind::Bytes, _) if is_memory(spec) && value.parse::<u64>().is_ok() => format!("{value}MB"),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[OptionSpec] = &[
        OptionSpec {
            name: "depth",
            kind: Kind::Integer { min: 1, max: 100 },
            default: "3",
            about: "",
        },
        OptionSpec { name: "table", kind: Kind::Bytes, default: "64MB", about: "" },
        OptionSpec { name: "book", kind: Kind::Switch, default: "off", about: "" },
        OptionSpec {
            name: "style",
            kind: Kind::Choice(&["calm", "wild"]),
            default: "calm",
            about: "",
        },
        OptionSpec {
            name: "c",
            kind: Kind::Number { min: 0.0, max: 9.0 },
            default: "1.4",
            about: "",
        },
        OptionSpec { name: "file", kind: Kind::Text, default: "", about: "" },
        OptionSpec { name: "threads", kind: Kind::Text, default: "", about: "" },
    ];

    fn settings(spec: &str) -> Settings {
        Settings::new(spec, &[("toy", "", SPECS)], 1).unwrap()
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
            assert_eq!(settings.set(name, value), Ok(Change::Player), "{name}");
        }
        assert_eq!(settings.spec(), "toy:depth=7,table=128MB,book=on,c=2,file=a, b");
        assert_eq!(settings.set("MultiPV", "3"), Ok(Change::None));
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
