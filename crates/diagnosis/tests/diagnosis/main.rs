//! Integration tests: planted bugs are found and named.

#![allow(clippy::disallowed_methods, reason = "tests")]

mod accusation;
mod again;
mod causes;
mod check;
mod diagnose;
mod difference;
mod drawing;
mod explain;
mod hunt;
mod impossible;
mod in_common;
mod learn;
mod models;
mod mutations;
mod one_bug;
mod pattern;
mod printer;
mod reference;
mod serve;
mod state;
mod targets;
mod text;
mod truth;

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, CountSource, Question};
use perft_testing::faulty::FaultySource;

/// Returns the right answer to a question.
fn right(question: &Question) -> Answer {
    FaultySource::new(None).ask(question, &StopSignal::default()).unwrap()
}
