//! A hunt finds planted bugs in an engine that runs as a process of its own: one bug for each verdict. The tests of
//! `perft-diagnosis` hunt every planted bug.

use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{CountSource, End, Profile, Times};
use perft_diagnosis::{Theme, Verdict};
use perft_testing::planted::{ExpectedFinding, assert_found, targets};
use perft_testing::programs::example;

use super::{Dialect, Engine, EngineSpec};

/// Hunts on the positions whose names start with `prefix`.
fn hunt(bug: Mutation, prefix: &str, max_nodes: u128, expected: ExpectedFinding) {
    let program = example("test-engine").to_str().unwrap().to_owned();
    let command = vec![program, "faulty".to_owned(), bug.name().to_owned()];
    let end = End::Total { times: Times::Always(1), more: 0 };
    let profile = Some(Profile { end, ..Profile::default() });
    let engine = EngineSpec { command, profile, ..EngineSpec::parse("-", Dialect::UCI).unwrap() };
    let source = || -> Box<dyn CountSource> { Box::new(Engine::new(engine.clone())) };
    assert_found(bug.name(), &targets(prefix, max_nodes), source, expected);
}

#[test]
fn a_wrong_move_is_found() {
    let themes = &[Theme::CastlingInCheck];
    let expected = ExpectedFinding { verdict: Verdict::Generation, themes };
    hunt(Mutation::CastlingOutOfCheck, "", 5_000, expected);
}

#[test]
fn a_wrong_state_after_a_move_is_found() {
    let expected = ExpectedFinding { verdict: Verdict::Make, themes: &[Theme::CastlingRight] };
    hunt(Mutation::RookCaptureKeepsRight, "right-second-rook", 3_000_000, expected);
}

#[test]
fn a_move_that_is_taken_back_wrongly_is_found() {
    let expected = ExpectedFinding { verdict: Verdict::Unmake, themes: &[] };
    hunt(Mutation::UnmakeLosesPawn, "", 5_000, expected);
}
