//! Engines that behave badly, in every command that asks an engine: each command ends in time, says that something is wrong, and
//! leaves no process behind.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use super::support::{ended_within, is_alive, until};

const ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/hostile.sh");

/// The memory that the program may use, in KiB.
const MEMORY: u64 = 2_000_000;

/// The longest time of a command in seconds, on a busy machine.
const LONGEST: u64 = 90;

/// The time after which all processes of an engine must be gone, in seconds.
const SOON: u64 = 3;

/// The commands, each with the arguments before the engine.
const COMMANDS: [&[&str]; 5] = [
    &["suite", "start.epd", "--dialect", "uci", "--engine-timeout", "0.5", "--engine"],
    &[
        "hunt",
        "--fen",
        "start",
        "-d",
        "2",
        "--questions",
        "9",
        "--dialect",
        "uci",
        "--engine-timeout",
        "0.5",
        "--engine",
    ],
    &[
        "fuzz",
        "--positions",
        "2",
        "--questions",
        "9",
        "--dialect",
        "uci",
        "--engine-timeout",
        "0.5",
        "--engine",
    ],
    &["compare", "start", "--depth", "2", "--runs", "2", "--engine-timeout", "0.5", "--engine"],
    &["probe", "--engine"],
];

/// Runs all commands on an engine at the same time, and returns the exit codes.
fn run_all(mode: &str) -> Vec<i32> {
    std::thread::scope(|scope| {
        let runs = COMMANDS.map(|arguments| scope.spawn(move || run_on(mode, arguments)));
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    })
}

/// Runs one command on an engine, and waits until no process of the engine is left.
fn run_on(mode: &str, arguments: &[&str]) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    let suite = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";
    fs::write(folder.path().join("start.epd"), suite).unwrap();
    let processes = folder.path().join("processes");
    let engine = format!("sh '{ENGINE}' {mode} '{}'", processes.display());
    let code = run(folder.path(), &[arguments, &[&engine]].concat());
    let started = fs::read_to_string(&processes).unwrap_or_default();
    until(SOON, || !started.lines().any(is_alive));
    code
}

/// Runs one command in a folder with limited memory. It must end in time, without a panic, and not without a word.
fn run(folder: &Path, arguments: &[&str]) -> i32 {
    let limited = format!("ulimit -v {MEMORY}; exec \"$@\"");
    // Nobody reads a pipe while the program runs, so its outputs are files.
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
    let said = [out, errors].map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned());
    assert!(!said[1].contains("panicked") && !said.concat().is_empty(), "{arguments:?}: {said:?}");
    status.code().unwrap_or_else(|| panic!("{arguments:?} ended with {status}: {said:?}"))
}

macro_rules! never_succeeds {
    ($($test:ident $mode:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let codes = run_all($mode);
                // `compare` times the built-in generator too, and names the engine that failed.
                assert!(codes.iter().all(|code| [1, 2, 4].contains(code)), "{}: {codes:?}", $mode);
            }
        )*
    };
}

never_succeeds! {
    an_engine_that_is_silent "silent";
    an_engine_that_never_reads "never-reading";
    an_engine_that_introduces_itself_for_ever "endless-introduction";
    an_engine_that_floods "flooding";
    an_engine_with_an_endless_line "endless-line";
    an_engine_that_prints_garbage "garbage";
    an_engine_that_forks "forking";
    an_engine_that_ignores_signals "ignoring-signals";
    an_engine_that_dies "dying";
    an_engine_that_closes_its_output "closing-output";
    an_engine_with_thousands_of_moves "many-moves";
    an_engine_with_numbers_beyond_128_bits "huge-numbers";
    an_engine_that_contradicts_itself "contradicting";
}

/// It is slow, and right about the start position. Of other positions it knows nothing.
#[test]
fn an_engine_that_is_slow_is_waited_for() {
    let codes = run_all("slow");
    assert_eq!(codes[..2], [0, 0], "{codes:?}");
}
