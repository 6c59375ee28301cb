#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| perft_testing::properties::fen(text));
