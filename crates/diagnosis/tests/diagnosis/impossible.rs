//! The suites label the positions that no game can reach.

use perft_core::suite::builtin;
use perft_diagnosis::{Impossibility, impossibilities};

/// The operation that labels a position, before the reasons.
const LABEL: &str = ";c2 \"impossible: ";

#[test]
fn impossible_positions_of_the_suites_are_labelled() {
    let mut labelled = 0;
    let mut wrong = Vec::new();
    for built_in in builtin::suites() {
        let lines: Vec<&str> = built_in.text.lines().collect();
        for case in &built_in.suite().cases {
            let reasons: Vec<String> =
                impossibilities(&case.position).iter().map(Impossibility::to_string).collect();
            let label = lines[case.line - 1].split_once(LABEL).map(|(_, rest)| rest);
            let label = label.and_then(|rest| rest.split('"').next());
            labelled += usize::from(label.is_some());
            if label.unwrap_or_default() != reasons.join("; ") {
                wrong.push(format!("{}:{} {}", built_in.name, case.line, reasons.join("; ")));
            }
        }
    }
    assert!(wrong.is_empty(), "wrong labels:\n{}", wrong.join("\n"));
    assert!(labelled >= 6, "{labelled}");
}
