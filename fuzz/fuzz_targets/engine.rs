#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| perft_fuzz::engine_output(bytes));
