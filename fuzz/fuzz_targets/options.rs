#![no_main]

use ludus_core::{OptionKind, OptionSpec};

/// One option of each kind.
const SPECS: &[OptionSpec] = &[
    OptionSpec {
        name: "n",
        kind: OptionKind::Integer { min: -9, max: 99 },
        default: "1",
        about: "",
    },
    OptionSpec {
        name: "x",
        kind: OptionKind::Number { min: -1.5, max: 9.0 },
        default: "0.5",
        about: "",
    },
    OptionSpec { name: "c", kind: OptionKind::Choice(&["one", "two"]), default: "one", about: "" },
    OptionSpec { name: "s", kind: OptionKind::Switch, default: "off", about: "" },
    OptionSpec { name: "b", kind: OptionKind::Bytes, default: "64MB", about: "" },
    OptionSpec { name: "t", kind: OptionKind::Text, default: "", about: "" },
];

libfuzzer_sys::fuzz_target!(|text: &str| {
    ludus_fuzz::option_text(text, SPECS);
    ludus_fuzz::every_game!(ludus_fuzz::game_options, text);
});
