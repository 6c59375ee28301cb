//! Any text as a FEN: it is read or refused, and what was read is written so that it reads the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use perft_core::{FenError, Position, Setup};

fuzz_target!(|text: &str| {
    match Setup::from_fen(text) {
        Ok(setup) => {
            let is_playable = setup.faults().is_empty();
            assert_eq!(Setup::from_fen(&setup.to_fen()).as_ref(), Ok(&setup));
            assert_eq!(Position::try_from(&setup).is_ok(), is_playable);
            assert_eq!(Position::from_fen(text).is_ok(), is_playable);
            let _ = (setup.warnings(), setup.diagram());
        }
        Err(error) => check_faults(text, &error),
    }
    match Position::from_fen(text) {
        Ok(position) => {
            let written = position.to_string();
            let read = Position::from_fen(&written).expect("a position's own FEN");
            assert_eq!(read.to_string(), written);
        }
        Err(error) => check_faults(text, &error),
    }
});

/// Every fault stands in the text, between whole characters.
fn check_faults(text: &str, error: &FenError) {
    assert!(!error.faults.is_empty());
    let _ = error.to_string();
    for fault in &error.faults {
        assert!(text.get(fault.span.clone()).is_some(), "{fault:?}");
    }
}
