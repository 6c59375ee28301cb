#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| perft_cli::properties::perft_toml(text));
