//! Conventions that all commands share: help, colors, interrupts, closed pipes. Also the commands that only print.

use std::io::Read;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin_cmd;

use crate::support::{err, good, json, refused};

#[test]
fn help_begins_with_examples() {
    for args in [&["--help"][..], &["divide", "--help"], &["unique", "--help"], &["suite", "--help"]] {
        let text = good(args);
        let (examples, usage) = (text.find("Examples:").unwrap(), text.find("Usage:").unwrap());
        assert!(examples < usage, "{args:?}");
    }
}

#[test]
fn built_in_positions_and_suites_are_listed_and_shown() {
    assert!(good(&["list", "positions"]).contains("kiwipete     known to depth  9"));
    assert!(good(&["list", "positions", "kiwipete"]).contains("193,690,690"));
    assert!(good(&["list", "positions", "standard"]).contains(";D1 "));
    assert!(good(&["list", "positions", "invalid"]).contains("is not a piece"));
    assert!(refused(&["list", "positions", "nowhere"]).contains("nowhere"));
    let kiwipete = json(&["list", "positions", "kiwipete", "--json"]);
    assert_eq!(kiwipete["cases"][0]["counts"][2]["nodes"], 97862);
    assert_eq!(kiwipete["suites"].as_array().unwrap().len(), 0);
    let standard = json(&["list", "positions", "standard", "--json"]);
    assert_eq!(standard["suites"][0]["positions"], standard["cases"].as_array().unwrap().len());
    assert!(refused(&["list", "positions", "invalid", "--json"]).contains("leave out --json"));
}

#[test]
fn a_closed_pipe_is_success() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(["list", "positions", "standard"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn colors_follow_the_flag_and_the_terminal() {
    assert!(!good(&["suite", "named", "--max-nodes", "100"]).contains('\u{1b}'));
    assert!(good(&["suite", "named", "--max-nodes", "100", "--color", "always"]).contains('\u{1b}'));
    let mut quiet = cargo_bin_cmd!("perft");
    let output = quiet.env("NO_COLOR", "1").args(["--depth", "1", "--fen", "8/8"]).output().unwrap();
    assert!(!err(&output).contains('\u{1b}'));
}
