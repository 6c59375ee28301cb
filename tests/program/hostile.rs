//! Engines that behave badly, in every command that asks an engine. Each command ends in time, reports that something
//! is wrong, and leaves no process behind.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use super::support::{at_once, ended_within, is_alive, until, write_script};

const ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/hostile.sh");

/// The memory that the program may use, in KiB.
const MEMORY: u64 = 2_000_000;

/// The longest time of a command in seconds, on a busy machine.
const LONGEST: u64 = 90;

/// The time after which all processes of an engine must be gone, in seconds.
const SOON: u64 = 20;

/// The files in the folder of a run: a suite, a script that runs the engine with arguments, and the list of the
/// processes of the engine.
const SUITE: &str = "start.epd";
const OTHER_BUILD: &str = "./other-build";
const PROCESSES: &str = "processes";

/// The commands. `{engine}` is the engine, and `{limit}` its time limit. Each asks in one dialect only.
const COMMANDS: [&str; 6] = [
    "suite start.epd --dialect uci --engine-timeout {limit} --engine {engine}",
    "hunt --fen start -d 2 --max-questions 5 --dialect uci --engine-timeout {limit} --engine {engine}",
    "hunt --random 2 --max-questions 5 --dialect uci --engine-timeout {limit} --engine {engine}",
    "bench start --depth 2 --runs 2 --engine-timeout {limit} --engine uci:{engine}",
    "probe --dialect uci --engine-timeout {limit} --engine {engine}",
    "divide 2 --dialect uci --engine-timeout {limit} --against {engine}",
];

/// Commands that try every dialect. Each attempt starts the engine once or more.
const SEARCHES: [&str; 2] = [
    "probe --engine-timeout {limit} --engine {engine}",
    "bench start --depth 2 --runs 2 --engine-timeout {limit} ./other-build",
];

/// The engines that every dialect is tried on. The search takes longer for an engine that answers.
const SEARCHED: [&str; 3] = ["flooding", "forking", "ignoring-signals"];

/// Runs one command on an engine, and waits until no process of the engine is left. Returns the exit code and standard
/// error.
fn run_on(mode: &str, limit: &str, command: &str) -> (i32, String) {
    let folder = tempfile::tempdir().unwrap();
    let suite = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";
    fs::write(folder.path().join(SUITE), suite).unwrap();
    let processes = folder.path().join(PROCESSES);
    let engine = format!("sh '{ENGINE}' {mode} '{}'", processes.display());
    write_script(&folder.path().join(OTHER_BUILD), &format!("exec {engine} \"$@\""));
    let arguments: Vec<String> =
        command.split(' ').map(|word| word.replace("{limit}", limit).replace("{engine}", &engine)).collect();
    let ended = run(folder.path(), &arguments);
    let started = fs::read_to_string(&processes).unwrap_or_default();
    until(SOON, || !started.lines().any(is_alive));
    ended
}

/// Runs one command in a folder with limited memory. The command must end in time, without a panic, and with a
/// message. Returns the exit code and standard error.
fn run(folder: &Path, arguments: &[String]) -> (i32, String) {
    let limited = format!("ulimit -v {MEMORY}; exec \"$@\"");
    // This test does not read pipes while the program runs, so its outputs are files.
    let (out, errors) = (folder.join("out"), folder.join("errors"));
    let mut program = Command::new("sh")
        .args(["-c", &limited, "sh", env!("CARGO_BIN_EXE_perft")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&errors).unwrap())
        .spawn()
        .unwrap();
    let status = ended_within(&mut program, LONGEST);
    let [out, errors] =
        [out, errors].map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned());
    assert!(!errors.contains("panicked") && !(out + &errors).is_empty(), "{arguments:?}: {errors}");
    let code = status.code().unwrap_or_else(|| panic!("{arguments:?} ended with {status}: {errors}"));
    (code, errors)
}

/// The engines, each with the time limit of its answers. The limit is short for an engine that never answers.
const ENGINES: [(&str, &str); 13] = [
    ("silent", "0.1"),
    ("never-reading", "0.1"),
    ("ignoring-signals", "0.1"),
    ("closing-output", "0.1"),
    ("forking", "0.1"),
    ("endless-introduction", "0.1"),
    ("flooding", "0.1"),
    ("endless-line", "0.1"),
    ("dying", "0.5"),
    ("garbage", "0.5"),
    ("many-moves", "0.5"),
    ("huge-numbers", "0.5"),
    ("contradicting", "0.5"),
];

/// Most of the time is spent waiting for time limits, so the engines run at the same time, and so do the commands.
#[test]
fn no_command_succeeds_on_a_bad_engine() {
    at_once(&ENGINES, |(mode, limit)| {
        let searches = SEARCHES.into_iter().filter(|_| SEARCHED.contains(mode));
        let commands: Vec<&str> = COMMANDS.into_iter().chain(searches).collect();
        at_once(&commands, |&command| {
            let (code, said) = run_on(mode, limit, command);
            let expected: &[i32] = if SEARCHES.contains(&command) { &[4] } else { &[1, 2, 4] };
            assert!(expected.contains(&code), "{mode}: {command}: {code}: {said}");
        });
    });
}

/// The options of the engine would fill the memory before the time limit.
#[test]
fn an_introduction_has_a_longest_length() {
    let (code, said) = run_on("endless-introduction", "10", COMMANDS[0]);
    assert_eq!(code, 4);
    assert!(said.contains("more than 1 MiB of output before its first question"), "{said}");
}

/// The engine is slow, and right about the start position. It does not answer for other positions.
#[test]
fn an_engine_that_is_slow_is_waited_for() {
    for command in &COMMANDS[..2] {
        let (code, said) = run_on("slow", "20", command);
        assert_eq!(code, 0, "{command}: {said}");
    }
}
