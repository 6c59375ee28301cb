//! `perft unique`: distinct positions at each ply.

use crate::support::{code, err, good, interrupt, json, out, read_until, run, spawn};

#[test]
fn every_ply_has_a_line() {
    let text = good(&["unique", "--depth", "4", "--threads", "2"]);
    let counts: Vec<&str> = text.lines().map(|line| line.split_once(" (").unwrap().0).collect();
    assert_eq!(
        counts,
        [
            "unique( 0)=            1 of            1 nodes",
            "unique( 1)=           20 of           20 nodes",
            "unique( 2)=          400 of          400 nodes",
            "unique( 3)=         5362 of         8902 nodes",
            "unique( 4)=        72078 of       197281 nodes",
        ]
    );
    assert_eq!(good(&["unique", "--depth", "0"]).lines().count(), 1);
}

#[test]
fn every_format_has_the_same_counts() {
    let report = json(&["unique", "--fen", "kiwipete", "--depth", "2", "--json"]);
    assert_eq!((&report["mode"], &report["depth"]), (&"unique".into(), &2.into()));
    let first = &report["results"][1];
    assert_eq!((&first["depth"], &first["positions"], &first["nodes"]), (&1.into(), &48.into(), &48.into()));
    assert_eq!(report["positions"], report["results"][2]["positions"]);
    let csv = good(&["unique", "--depth", "1", "--format", "csv"]);
    assert!(csv.starts_with("depth,positions,nodes,seconds\n0,1,1,"));
    assert!(good(&["unique", "--depth", "3", "--format", "markdown"]).contains(" 5,362 |"));
}

#[test]
fn a_ply_that_does_not_fit_is_reported_with_sizes() {
    let output = run(&["unique", "--depth", "6", "--memory", "1M"]);
    assert_eq!(code(&output), 2);
    assert_eq!(out(&output).lines().count(), 4);
    assert!(err(&output).contains("the positions at ply 4 do not fit into 1048576 bytes"));
    assert!(err(&output).contains("at ply 3, 5,362 positions take"));
}

#[test]
fn an_interrupt_names_the_last_ply() {
    let mut child = spawn(&["unique", "--depth", "14"]);
    read_until(child.stdout.as_mut().unwrap(), "\n");
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(err(&output).contains("is the last one counted"));
}
