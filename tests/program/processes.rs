//! Engines as processes, on every system: how they are found, and that they and their own children end with the
//! program.
//!
//! Each process of the engine that hangs locks a file. The lock ends with the process, so a test can see whether it
//! still runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use perft_testing::engines::is_unlocked;

use super::support::{Folder, code, ended_within, engine, err, interrupt, out, program, text_of, until};

/// The longest time in seconds from the end of the program to the end of its engines, with some extra time for a busy
/// machine.
const SOON: u64 = 20;

/// The engine hangs at the second position.
const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20\n\
                     4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n\
                     4k3/8/8/8/8/8/8/4K3 b - - ;D1 5\n";

/// Makes a folder with a suite. The locks of an engine will be there too.
fn place() -> Folder {
    let place = Folder::new();
    place.write("three.epd", SUITE);
    place
}

fn hanging_engine(place: &Folder) -> String {
    engine(&format!("hangs '{}'", place.path("").display()))
}

fn with_hanging_engine(place: &Folder) -> Child {
    let engine = hanging_engine(place);
    let running =
        place.perft(&["suite", "three.epd", "--dialect", "uci", "--engine", &engine]).spawn().unwrap();
    until(60, || place.path("child").exists());
    assert!(!has_ended(place, "engine") && !has_ended(place, "child"));
    running
}

fn has_ended(place: &Folder, process: &str) -> bool {
    is_unlocked(&place.path(process))
}

fn wait_for_the_end_of_the_engine(place: &Folder) {
    until(SOON, || has_ended(place, "engine") && has_ended(place, "child"));
}

#[test]
fn a_killed_program_leaves_no_process() {
    let place = place();
    let mut running = with_hanging_engine(&place);
    running.kill().unwrap();
    running.wait().unwrap();
    wait_for_the_end_of_the_engine(&place);
}

#[test]
fn an_interrupted_program_leaves_no_process() {
    let place = place();
    let mut running = with_hanging_engine(&place);
    interrupt(&running);
    assert_eq!(ended_within(&mut running, SOON).code(), Some(130));
    wait_for_the_end_of_the_engine(&place);
    let output = running.wait_with_output().unwrap();
    assert!(out(&output).contains("incomplete"), "{}{}", out(&output), err(&output));
}

#[test]
fn an_engine_that_exceeds_its_time_ends_with_its_children() {
    let place = place();
    let engine = hanging_engine(&place);
    let output =
        place.run(&["suite", "three.epd", "--dialect", "uci", "--engine-timeout", "2", "--engine", &engine]);
    assert_eq!(code(&output), 4, "{}{}", out(&output), err(&output));
    assert!(place.path("gone").exists(), "{}{}", out(&output), err(&output));
}

/// The processor time is that of the engine, not that of this program. Wine 8 confuses the two.
#[test]
#[cfg(any(target_os = "linux", windows))]
fn what_an_engine_uses_is_reported() {
    let place = place();
    let engine = format!("'{}' uci", program().display());
    let arguments = ["bench", "kiwipete", "-d", "5", "--runs", "3"];
    let arguments = [&arguments[..], &["--export-json", "out.json", "--engine", &engine]].concat();
    let output = place.run(&arguments);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let json: serde_json::Value = serde_json::from_str(&place.read("out.json")).unwrap();
    let result = &json["results"][0];
    let (wall, user) = (result["median"].as_f64().unwrap(), result["user"].as_f64().unwrap());
    assert!(user > 0.05 * wall && user < 1.2 * wall + 0.03, "{result}");
    let memory = result["memory_usage_byte"][0].as_f64().unwrap();
    assert!((1e6..1e9).contains(&memory), "{result}");
}

fn with_spaces(place: &Folder) -> PathBuf {
    let folder = place.path("My Engines");
    fs::create_dir(&folder).unwrap();
    let path = folder.join(format!("stock fish{}", std::env::consts::EXE_SUFFIX));
    fs::copy(program(), &path).unwrap();
    path
}

/// Hunts with an engine, which must be right.
fn hunt(place: &Folder, engine: &str) {
    place.expect(0, &["hunt", "--fen", "start", "-d", "2", "--engine", engine]);
}

#[test]
fn the_path_of_an_engine_may_have_spaces() {
    let place = place();
    let path = with_spaces(&place);
    let relative = Path::new(".").join("My Engines").join(path.file_stem().unwrap());
    hunt(&place, &format!("'{}' uci", path.display()));
    hunt(&place, &format!("\"{}\" uci", path.display()));
    hunt(&place, &format!("'{}' uci", relative.display()));
    // In a file, a command can be a list of words.
    place.write("perft.toml", &format!("[engine.mine]\r\ncommand = ['{}', 'uci']\r\n", path.display()));
    hunt(&place, "mine");
}

/// A script that is an engine without arguments.
#[test]
fn a_whole_path_needs_no_quotes() {
    let place = place();
    let script = if cfg!(windows) {
        let script = place.path("my engine.cmd");
        fs::write(&script, format!("@\"{}\" uci\r\n", program().display())).unwrap();
        script
    } else {
        let script = place.path("my engine");
        fs::write(&script, format!("#!/bin/sh\nexec '{}' uci\n", program().display())).unwrap();
        Command::new("chmod").args(["+x", text_of(&script)]).status().unwrap();
        script
    };
    hunt(&place, text_of(&script));
    hunt(&place, text_of(&Path::new(".").join("my engine")));
}

#[test]
fn an_engine_on_the_path_needs_no_ending() {
    let place = place();
    let path = with_spaces(&place);
    fs::rename(&path, path.with_file_name(format!("my-engine{}", std::env::consts::EXE_SUFFIX))).unwrap();
    let mut paths: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    paths.push(place.path("My Engines"));
    let output = place
        .perft(&["hunt", "--fen", "start", "-d", "2", "--engine", "my-engine uci"])
        .env("PATH", std::env::join_paths(paths).unwrap())
        .output()
        .unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
}
