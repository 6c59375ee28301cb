//! Conventions that all commands share: help, colors, interrupts, closed pipes. Also the commands that only print.

use assert_cmd::cargo::cargo_bin_cmd;

use crate::support::{code, err, good, json, spawn};

#[test]
fn built_in_positions_and_suites_are_listed_and_shown() {
    assert!(good(&["list", "positions"]).contains("kiwipete     known to depth  9"));
    assert!(good(&["list", "positions", "kiwipete"]).contains("193,690,690"));
    assert!(good(&["list", "positions", "standard"]).contains(";D1 "));
    assert!(good(&["list", "positions", "invalid"]).contains("is not a piece"));
    let kiwipete = json(&["list", "positions", "kiwipete", "--json"]);
    assert_eq!(kiwipete["cases"][0]["counts"][2]["nodes"], 97862);
    assert_eq!(kiwipete["suites"].as_array().unwrap().len(), 0);
    let standard = json(&["list", "positions", "standard", "--json"]);
    assert_eq!(standard["suites"][0]["positions"], standard["cases"].as_array().unwrap().len());
}

#[test]
fn a_closed_pipe_is_success() {
    let mut child = spawn(&["list", "positions", "standard"]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
}

#[test]
fn colors_follow_the_flag_and_the_terminal() {
    assert!(!good(&["suite", "named", "--max-nodes", "100"]).contains('\u{1b}'));
    assert!(good(&["suite", "named", "--max-nodes", "100", "--color", "always"]).contains('\u{1b}'));
    let mut quiet = cargo_bin_cmd!("perft");
    let output = quiet.env("NO_COLOR", "1").args(["--depth", "1", "--fen", "8/8"]).output().unwrap();
    assert!(!err(&output).contains('\u{1b}'));
}
