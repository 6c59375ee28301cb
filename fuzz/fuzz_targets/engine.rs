#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| perft_cli::properties::engine_output(
    bytes,
    perft_testing::properties::check_counts
));
