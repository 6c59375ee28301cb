//! How the program ends: signals, clients and terminals that go away, and the engines that it has started.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::support::{ended_within, is_alive, text_of, until};

const PERFT: &str = env!("CARGO_BIN_EXE_perft");
const HANG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/hang.sh");

/// The longest time from a signal to the end of the program, with some time for a busy machine.
const SOON: u64 = 3;

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(PERFT);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(signal: &str, process: &str) -> bool {
    Command::new("kill").args([signal, process]).stderr(Stdio::null()).status().unwrap().success()
}

/// Starts a suite on an engine that hangs. Returns the program, and the processes of the engine.
fn with_engine(folder: &Path) -> (Child, Vec<String>) {
    let engine = format!("sh '{HANG}' '{}'", folder.display());
    let program = spawn(&["suite", "standard", "--dialect", "uci", "--engine", &engine]);
    until(30, || folder.join("child").exists());
    let number = |name: &str| fs::read_to_string(folder.join(name)).unwrap().trim().to_owned();
    (program, vec![number("engine"), number("child")])
}

fn said(program: &mut Child) -> String {
    let mut text = String::new();
    program.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_killed_program_leaves_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let (mut program, engine) = with_engine(folder.path());
    assert!(engine.iter().all(|process| is_alive(process)));
    program.kill().unwrap();
    program.wait().unwrap();
    until(SOON, || !engine.iter().any(|process| is_alive(process)));
}

#[test]
fn two_interrupts_leave_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let (mut program, engine) = with_engine(folder.path());
    let id = program.id().to_string();
    assert!(send("-INT", &id) && send("-INT", &id));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(130));
    assert!(said(&mut program).contains("interrupted: "));
    until(SOON, || !engine.iter().any(|process| is_alive(process)));
}

#[test]
fn two_interrupts_say_what_is_done() {
    let mut program = spawn(&["--depth", "14"]);
    let id = program.id().to_string();
    until(20, || catches_signals(&id));
    assert!(send("-INT", &id) && send("-INT", &id));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(130));
    let text = said(&mut program);
    assert!(text.contains("interrupted: depth ") && text.contains(" is unfinished"), "{text}");
}

/// The program waits for input, or for somebody who reads its output, and checks no stop signal there.
#[test]
fn a_signal_ends_a_program_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let wrong = folder.path().join("wrong.epd");
    fs::write(&wrong, "8/8/8/8/8/8/8/k1K5 w - - ;D1 x\n".repeat(10_000)).unwrap();
    let cases: [&[&str]; 4] = [
        &["suite", "-"],
        &["suite", text_of(&pipe)],
        &["--depth", "3", "--fen", "-"],
        &["suite", text_of(&wrong)],
    ];
    for args in cases {
        let mut program = spawn(args);
        let id = program.id().to_string();
        until(20, || catches_signals(&id));
        assert!(send("-TERM", &id));
        let status = ended_within(&mut program, SOON);
        assert_eq!(status.code(), Some(130), "{args:?}");
    }
}

/// Whether the program has installed its handler for SIGTERM.
fn catches_signals(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
    u64::from_str_radix(caught, 16).unwrap() >> 14 & 1 == 1
}

#[test]
fn a_signal_ends_the_reading_of_an_endless_suite() {
    let mut program = spawn(&["suite", "-"]);
    let mut input = program.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while input.write_all(b"# a comment\n").is_ok() {});
    let id = program.id().to_string();
    until(20, || catches_signals(&id));
    assert!(send("-TERM", &id));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(130));
    assert!(said(&mut program).contains("interrupted: nothing was finished"));
    writer.join().unwrap();
}

#[test]
fn a_client_that_goes_away_ends_a_count() {
    let mut program = spawn(&["uci"]);
    let mut input = program.stdin.take().unwrap();
    input.write_all(b"go perft 12\nisready\n").unwrap();
    let mut output = program.stdout.take().unwrap();
    let (mut text, mut bytes) = (String::new(), [0; 1000]);
    while !text.contains("readyok") {
        let length = output.read(&mut bytes).unwrap();
        text += &String::from_utf8_lossy(&bytes[..length]);
    }
    drop((input, output));
    assert_eq!(ended_within(&mut program, SOON).code(), Some(0));
}

#[test]
fn quit_ends_a_count() {
    let mut program = spawn(&["uci"]);
    program.stdin.as_ref().unwrap().write_all(b"go perft 12\nquit\n").unwrap();
    assert_eq!(ended_within(&mut program, SOON).code(), Some(0));
}

/// `script` gives the program a terminal. When `script` is killed, the terminal is gone.
#[test]
#[cfg(target_os = "linux")]
fn the_explorer_ends_with_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let number = folder.path().join("number");
    let shown = folder.path().join("shown");
    // Only the first process gets the signal of the hang-up. So the explorer has to see it at the terminal.
    let explorer = folder.path().join("explorer.sh");
    fs::write(&explorer, format!("echo $$ >'{}'; exec '{PERFT}' explore", number.display())).unwrap();
    let command = format!("trap '' HUP; stty rows 30 cols 100; sh '{}'; :", explorer.display());
    let started = Command::new("script")
        .args(["--quiet", "--flush", "--command", &command, text_of(&shown)])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let Ok(mut terminal) = started else {
        println!("skipped: script is not installed");
        return;
    };
    // The explorer draws its moves.
    until(20, || fs::read(&shown).is_ok_and(|text| String::from_utf8_lossy(&text).contains("e2e4")));
    let explorer = fs::read_to_string(&number).unwrap().trim().to_owned();
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    until(SOON, || !is_alive(&explorer));
}

#[test]
fn a_full_or_closed_output_is_an_error() {
    for args in ["--depth 3", "divide --depth 3", "--help", "--version", "positions"] {
        for redirection in [">/dev/full", ">&-"] {
            let script = format!("'{PERFT}' {args} {redirection}");
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{script}: {said}");
            assert!(said.contains("error: cannot write the output: "), "{script}: {said}");
        }
        let output =
            Command::new("sh").args(["-c", &format!("'{PERFT}' {args} >/dev/null")]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
    }
}
