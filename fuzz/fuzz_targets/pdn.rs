#![no_main]

use ludus_formats::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ludus_fuzz::records(Format::Pdn, bytes));
