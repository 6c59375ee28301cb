//! `perft stats`: counts of each kind of move.

use crate::support::{code, err, good, interrupt, json, out, read_until, refused, report, run, spawn};

#[test]
fn an_interrupt_shows_the_depths_so_far_in_every_format() {
    let interrupted = |command: &str, format: &str| {
        let args = [command, "14", "--exact", "--memory", "16M", "--verbose", "--format", format];
        let mut child = spawn(&args);
        read_until(child.stderr.as_mut().unwrap(), "perft(3): ");
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 130);
        out(&output)
    };
    let text = interrupted("stats", "text");
    assert!(
        text.starts_with("incomplete: stopped before the end\ndepth ") && text.contains(" 8902"),
        "{text}"
    );
    let csv = interrupted("stats", "csv");
    assert!(csv.contains("\n3,8902,"), "{csv}");
    let markdown = interrupted("start", "markdown");
    assert!(markdown.starts_with("incomplete: ") && markdown.contains(" 8,902 |"), "{markdown}");
    let report = report(&interrupted("start", "json"));
    assert_eq!((&report["complete"], &report["results"][2]["nodes"]), (&false.into(), &8902.into()));
}

/// With a table, a position of two locked-in kings reaches depths at which the numbers do not fit.
#[test]
fn numbers_that_do_not_fit_into_128_bits_are_refused() {
    const LOCKED: &str = "k7/8/p1p1p1p1/P1P1P1P1/p1p1p1p1/P1P1P1P1/8/K7 w - - 0 1";
    let output = run(&["stats", LOCKED, "60", "--hash", "16M", "--json"]);
    assert_eq!(code(&output), 2);
    assert_eq!(err(&output).lines().next(), Some("error: depth 58 has more leaf nodes than 2^128"));
    let report = report(&out(&output));
    let results = report["results"].as_array().unwrap();
    assert_eq!((&report["complete"], results.len()), (&false.into(), 57));
    let refusal = refused(&["divide", LOCKED, "60", "--hash", "16M", "--stats"]);
    assert!(refusal.contains("depth 60 has more leaf nodes than 2^128"), "{refusal}");
}

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
    assert!(with("csv").lines().nth(1).unwrap().starts_with("4,197281,1576,0,0,0,"));
    assert!(with("markdown").contains("| 4     | 197,281 |    1,576 |"), "{}", with("markdown"));
    let report = json(&["stats", "--depth", "4", "--json", "--threads", "2", "--hash", "1M"]);
    assert_eq!((&report["mode"], &report["threads"]), (&"statistics".into(), &2.into()));
    assert!(report["table_bytes"].as_u64().is_some_and(|bytes| 0 < bytes && bytes <= 1 << 20));
    let last = &report["results"][3];
    assert_eq!(
        (&last["nodes"], &last["checks"], &last["checkmates"]),
        (&197_281.into(), &469.into(), &8.into())
    );
}

#[test]
fn a_position_is_its_own_leaf() {
    let text = good(&["stats", "--depth", "0"]);
    assert!(text.lines().any(|line| line.split_whitespace().eq(["nodes", "1"])), "{text}");
}

#[test]
fn a_divide_has_the_kinds_of_each_move() {
    let text = good(&["divide", "kiwipete", "1", "--stats"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    for row in [
        &["move", "nodes", "captures", "castles"][..],
        &["e1g1", "1", "0", "1"],
        &["e2a6", "1", "1", "0"],
        &["total", "48", "8", "2"],
    ] {
        assert!(rows.iter().any(|found| found.starts_with(row)), "no {row:?} in\n{text}");
    }
    let with = |more: &[&str]| json(&[&["divide", "kiwipete", "3", "--stats", "--json"], more].concat());
    let (report, hashed) = (with(&[]), with(&["--hash", "1M", "--threads", "2"]));
    assert_eq!((&report["report"], &report["moves"]), (&"divide".into(), &hashed["moves"]));
    assert_eq!(report["moves"], with(&["--exact"])["moves"]);
    let whole = json(&["stats", "kiwipete", "3", "--single", "--json"]);
    for kind in ["nodes", "captures", "en_passant", "castles", "checks", "discovered_checks", "checkmates"] {
        let moves = report["moves"].as_array().unwrap().iter();
        let sum: u64 = moves.map(|row| row[kind].as_u64().unwrap()).sum();
        assert_eq!(
            (&report["total"][kind], &whole["results"][0][kind]),
            (&sum.into(), &sum.into()),
            "{kind}"
        );
    }
    let csv = good(&["divide", "kiwipete", "2", "--stats", "--format", "csv"]);
    assert!(csv.starts_with("move,nodes,captures,en_passant,castles,"), "{csv}");
}
