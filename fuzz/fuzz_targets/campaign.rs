#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| perft_cli::properties::campaign_files(text));
