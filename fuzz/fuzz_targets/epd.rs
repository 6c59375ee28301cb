//! Any text as a suite: no panic; what is read has positions and counts, and every fault has a place in its line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use perft_core::suite::Suite;

fuzz_target!(|text: &str| {
    match Suite::from_epd("fuzz", text) {
        Ok(suite) => assert!(suite.cases.iter().all(|case| !case.expected.is_empty())),
        Err(error) => {
            assert!(!error.faults.is_empty());
            for fault in &error.faults {
                assert!(fault.text.get(fault.span.clone()).is_some());
                assert!(fault.column() >= 1);
            }
        }
    }
});
