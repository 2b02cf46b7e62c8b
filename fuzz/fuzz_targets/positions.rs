#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    ludus_fuzz::every_game!(ludus_fuzz::position, text);
});
