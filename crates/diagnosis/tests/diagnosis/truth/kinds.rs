//! The kind of a planted bug, and the verdicts that are true of it.

use std::collections::BTreeSet;

use perft_core::suite;
use perft_diagnosis::mutations::{RuleModel, Scope};
use perft_diagnosis::{MovePath, Verdict};
use perft_testing::wrong::program::{Form, Planted};
use perft_testing::wrong::{Bug, Kind};

/// Returns the kinds of the bugs of a program.
pub fn kinds(planted: Planted) -> BTreeSet<Kind> {
    match planted {
        Planted::Rule(model) => BTreeSet::from([kind_of(model)]),
        Planted::Bugs(bugs) => Bug::ALL.iter().filter(|&&bug| bugs.has(bug)).map(|bug| bug.kind()).collect(),
    }
}

/// Returns the number of bugs of a program.
pub fn number(planted: Planted) -> usize {
    match planted {
        Planted::Rule(_) => 1,
        Planted::Bugs(bugs) => Bug::ALL.iter().filter(|&&bug| bugs.has(bug)).count(),
    }
}

/// Returns the kind of a model. An experiment decides whether it is about the moves of a FEN, or only about moves that
/// are made.
fn kind_of(model: RuleModel) -> Kind {
    if model.mutation.topic() == "unmaking moves" {
        return Kind::Unmake;
    }
    if model.scope != Scope::Everywhere {
        return Kind::LastPly;
    }
    if model.name().contains("unread") {
        return Kind::Reading;
    }
    if model.mutation.topic() == "ends of games" {
        return Kind::LastPly;
    }
    let is_wrong = |path: &MovePath| {
        let moves: Vec<_> = model.divide(path, 1).into_iter().map(|(played, _)| played).collect();
        moves.len() as u128 != path.end.perft(1) || path.end.legal_moves().iter().any(|m| !moves.contains(m))
    };
    let cases = suite::standard().cases.iter().chain(&suite::named().cases);
    let paths: Vec<MovePath> = cases.map(|case| MovePath::new(case.position)).collect();
    let children = |path: &MovePath| -> Vec<MovePath> {
        path.end.legal_moves().into_iter().map(|played| path.played(played).without_moves()).collect()
    };
    let is_of_moves =
        paths.iter().any(is_wrong) || paths.iter().any(|path| children(path).iter().any(is_wrong));
    if is_of_moves { Kind::Generation } else { Kind::Make }
}

/// Whether a verdict is true of a bug. A verdict that names several kinds is true of each of them.
pub fn is_true(verdict: Verdict, kind: Kind, form: Form) -> bool {
    let is_any = |names: &[&str]| names.contains(&verdict.name());
    match kind {
        _ if verdict == Verdict::Unfinished => true,
        // Without tests for check, or without making moves, nearly all counts are wrong.
        Kind::Generation | Kind::Make if verdict == Verdict::Pattern => true,
        // A total of depth 1 may be that of the code for the last ply.
        Kind::Generation if form == Form::Totals => is_any(&["generation", "generation-or-last-ply"]),
        Kind::Generation => is_any(&["generation"]),
        Kind::Make if form == Form::FenOnly => is_any(&["make", "contradiction"]),
        Kind::Make => is_any(&["make"]),
        Kind::Unmake => is_any(&["unmake", "contradiction"]),
        Kind::LastPly => is_any(&["last-ply", "contradiction", "generation-or-last-ply"]),
        Kind::AddingUp => is_any(&["sum", "pattern", "contradiction"]),
        // A repetition needs moves, so the position alone has a right answer.
        Kind::Draw => is_any(&["draw", "make"]),
        Kind::Table => is_any(&["contradiction", "not-repeated"]),
        // A misread question gets a wrong answer in each experiment.
        Kind::Reading => is_any(&["generation", "make", "pattern", "reading", "not-repeated"]),
        Kind::Changing => is_any(&["not-repeated"]),
    }
}
