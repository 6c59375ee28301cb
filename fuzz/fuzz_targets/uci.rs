#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| perft_cli::properties::uci(bytes));
