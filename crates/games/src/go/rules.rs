//! Rule sets and the options that choose them.

use ludus_core::{OptionKind, OptionSpec, Options, TextError};

/// Repetitions that are forbidden.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ko {
    /// A ko may not be retaken at once; longer cycles are allowed, and the third occurrence of
    /// a board with the same side to move ends the game without a winner.
    Simple,
    /// No board may be repeated.
    Positional,
    /// No board may be repeated with the same side to move.
    Situational,
}

/// Scoring of the end of the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones on the board and the empty points only they touch.
    Area,
    /// Empty points only own stones touch, and captured stones. Every stone left on the board
    /// counts as alive: dead ones must be captured before the passes.
    Territory,
}

/// The rules of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct GoRules {
    /// Repetitions that are forbidden.
    pub ko: Ko,
    /// Whether a move may leave its own chain without liberties, which removes it.
    pub suicide: bool,
    /// Scoring of the end of the game.
    pub scoring: Scoring,
    /// Komi: compensation of the second side, in half points.
    pub komi_halves: i32,
}

impl GoRules {
    /// Komi in points.
    pub fn komi(&self) -> f32 {
        self.komi_halves as f32 / 2.0
    }
}

/// `auto` takes the value of the rule set.
const AUTO: &str = "auto";

/// A preset of rules: its name, ko, suicide, scoring and komi in half points.
type RulePreset = (&'static str, Ko, bool, Scoring, i32);

const RULE_PRESETS: [RulePreset; 5] = [
    ("chinese", Ko::Positional, false, Scoring::Area, 15),
    ("japanese", Ko::Simple, false, Scoring::Territory, 13),
    ("aga", Ko::Situational, false, Scoring::Area, 15),
    ("new-zealand", Ko::Situational, true, Scoring::Area, 14),
    ("tromp-taylor", Ko::Positional, true, Scoring::Area, 15),
];

/// Komi of a handicap game: it only breaks ties.
const HANDICAP_KOMI: i32 = 1;

/// The options of Go.
pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "size",
        kind: OptionKind::Integer { min: 2, max: 25 },
        default: "19",
        about: "points along one side",
    },
    OptionSpec {
        name: "komi",
        kind: OptionKind::Number { min: -1000.0, max: 1000.0 },
        default: AUTO,
        about: "White's points for moving second, in halves; \
                7.5 unless the rules or a handicap (0.5) say otherwise",
    },
    OptionSpec {
        name: "handicap",
        kind: OptionKind::Integer { min: 0, max: 9 },
        default: "0",
        about: "stones Black starts with on the usual points; White then moves first",
    },
    OptionSpec {
        name: "rules",
        kind: OptionKind::Choice(&["chinese", "japanese", "aga", "new-zealand", "tromp-taylor"]),
        default: "chinese",
        about: "rule set for the options left at auto",
    },
    OptionSpec {
        name: "ko",
        kind: OptionKind::Choice(&[AUTO, "simple", "positional", "situational"]),
        default: AUTO,
        about: "which repetitions are forbidden; positional under the default rules",
    },
    OptionSpec {
        name: "suicide",
        kind: OptionKind::Choice(&[AUTO, "off", "on"]),
        default: AUTO,
        about: "whether a move may kill its own chain; off under the default rules",
    },
    OptionSpec {
        name: "scoring",
        kind: OptionKind::Choice(&[AUTO, "area", "territory"]),
        default: AUTO,
        about: "how the end is counted; area under the default rules",
    },
];

impl GoRules {
    /// The rules `options` ask for.
    pub(super) fn new(options: &Options) -> Result<GoRules, TextError> {
        let name = options.text("rules");
        let set = RULE_PRESETS.iter().find(|set| set.0 == name).expect("one of the choices");
        let &(_, ko, suicide, scoring, komi_halves) = set;
        Ok(GoRules {
            ko: match options.text("ko") {
                "simple" => Ko::Simple,
                "positional" => Ko::Positional,
                "situational" => Ko::Situational,
                _ => ko,
            },
            suicide: match options.text("suicide") {
                "on" => true,
                "off" => false,
                _ => suicide,
            },
            scoring: match options.text("scoring") {
                "area" => Scoring::Area,
                "territory" => Scoring::Territory,
                _ => scoring,
            },
            komi_halves: match options.text("komi") {
                AUTO if options.integer("handicap") > 0 => HANDICAP_KOMI,
                AUTO => komi_halves,
                text => half_points(text, options.number("komi"))?,
            },
        })
    }
}

impl GoRules {
    /// The game on a board of this size by these rules, in as few options as possible.
    pub(super) fn game_text(&self, size: usize) -> String {
        let mut options = Vec::new();
        if size != 19 {
            options.push(format!("size={size}"));
        }
        let same = |&&(_, ko, suicide, scoring, _): &&RulePreset| {
            (ko, suicide, scoring) == (self.ko, self.suicide, self.scoring)
        };
        let named = RULE_PRESETS.iter().find(same);
        let &(name, .., komi_halves) = named.unwrap_or(&RULE_PRESETS[0]);
        if self.komi_halves != komi_halves {
            options.push(format!("komi={}", self.komi()));
        }
        if name != RULE_PRESETS[0].0 {
            options.push(format!("rules={name}"));
        }
        if named.is_none() {
            let ko = match self.ko {
                Ko::Simple => "simple",
                Ko::Positional => "positional",
                Ko::Situational => "situational",
            };
            let suicide = if self.suicide { "on" } else { "off" };
            let scoring = match self.scoring {
                Scoring::Area => "area",
                Scoring::Territory => "territory",
            };
            options.push(format!("ko={ko},suicide={suicide},scoring={scoring}"));
        }
        if options.is_empty() { "go".to_owned() } else { format!("go:{}", options.join(",")) }
    }
}

fn half_points(text: &str, points: f64) -> Result<i32, TextError> {
    let halves = points * 2.0;
    if halves == halves.round() {
        Ok(halves as i32)
    } else {
        Err(TextError::whole("go komi", text, "whole or half points"))
    }
}
