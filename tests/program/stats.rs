//! `perft stats`: counts of each kind of move.

use crate::support::{good, json};

#[test]
fn stats_has_a_row_per_kind_and_a_column_per_depth() {
    let text = good(&["stats", "--fen", "kiwipete", "--depth", "3"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        &["depth", "1", "2", "3"][..],
        &["nodes", "48", "2039", "97862"],
        &["direct", "and", "discovered", "0", "0", "0"],
        &["checkmates", "0", "0", "1"],
    ] {
        assert!(rows.iter().any(|found| found == row), "no {row:?} in\n{text}");
    }
}

#[test]
fn every_format_has_the_same_numbers() {
    let with = |format| good(&["stats", "--depth", "4", "--single", "--format", format]);
    assert!(
        with("csv").lines().nth(1).unwrap().starts_with("4,197281,1576,0,0,0,469,469,0,0,0,8,8,0,0,0,0,")
    );
    assert!(with("markdown").contains("| 4     | 197,281 |    1,576 |"), "{}", with("markdown"));
    let report = json(&["stats", "--depth", "4", "--json", "--threads", "2", "--hash", "1M"]);
    assert_eq!((&report["mode"], &report["threads"]), (&"statistics".into(), &2.into()));
    assert!(report["table_bytes"].as_u64().is_some_and(|bytes| 0 < bytes && bytes <= 1 << 20));
    let last = &report["results"][3];
    assert_eq!(
        (&last["nodes"], &last["checks"], &last["checkmates"]),
        (&197_281.into(), &469.into(), &8.into())
    );
    assert_eq!(with("jsonl").lines().count(), 1);
}

#[test]
fn a_position_is_its_own_leaf() {
    let text = good(&["stats", "--depth", "0"]);
    assert!(text.lines().any(|line| line.split_whitespace().eq(["nodes", "1"])), "{text}");
}
