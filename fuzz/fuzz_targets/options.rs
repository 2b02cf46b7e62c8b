#![no_main]

use ludus_core::{Kind, OptionSpec};

/// One option of each kind.
const SPECS: &[OptionSpec] = &[
    OptionSpec { name: "n", kind: Kind::Integer { min: -9, max: 99 }, default: "1", about: "" },
    OptionSpec { name: "x", kind: Kind::Number { min: -1.5, max: 9.0 }, default: "0.5", about: "" },
    OptionSpec { name: "c", kind: Kind::Choice(&["one", "two"]), default: "one", about: "" },
    OptionSpec { name: "s", kind: Kind::Switch, default: "off", about: "" },
    OptionSpec { name: "b", kind: Kind::Bytes, default: "64MB", about: "" },
    OptionSpec { name: "t", kind: Kind::Text, default: "", about: "" },
];

libfuzzer_sys::fuzz_target!(|text: &str| {
    ludus_fuzz::option_text(text, SPECS);
    ludus_fuzz::every_game!(ludus_fuzz::game_options, text);
});
