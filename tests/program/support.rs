//! Runs the program and makes the checks that are common to all tests.

use std::fs;
use std::io::Read;
#[cfg(target_os = "linux")]
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin_cmd;
use perft_testing::programs::example;
use rayon::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

pub fn run(args: &[&str]) -> Output {
    cargo_bin_cmd!("perft").args(args).output().unwrap()
}

pub fn run_with_input(args: &[&str], input: &str) -> Output {
    cargo_bin_cmd!("perft").args(args).write_stdin(input).output().unwrap()
}

/// Examines the cases, eight at the same time, and returns the results in the order of the cases. It is for cases
/// that mostly wait for engines.
pub fn at_once<T: Sync, R: Send>(cases: &[T], examine: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
    pool.install(|| cases.par_iter().with_max_len(1).map(&examine).collect())
}

pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn err(output: &Output) -> String {
    without_notes_of_waiting(&String::from_utf8(output.stderr.clone()).unwrap())
}

/// Returns a text without the notes about waiting for an engine, and about finding out how to ask it. On a busy
/// machine, every engine may be slow to start.
pub fn without_notes_of_waiting(text: &str) -> String {
    let is_note = |line: &str| {
        line.starts_with("note: waiting for ") || line.starts_with("note: finding out how to ask ")
    };
    text.split_inclusive('\n').filter(|line| !is_note(line)).collect()
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Returns a text without the line breaks between the words of a long sentence.
pub fn unfolded(text: &str) -> String {
    text.replace("\n  ", " ")
}

/// Runs the program, expects success without messages, and returns standard output.
pub fn good(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{args:?}");
    out(&output)
}

/// Runs the program, expects a usage error without output, and returns the message.
pub fn refused(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{args:?}");
    err(&output)
}

/// Runs the program, expects success without messages, and returns the report.
pub fn json(args: &[&str]) -> Value {
    report(&good(args))
}

pub fn report(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the words of a command line.
pub fn words(line: &str) -> Vec<String> {
    shell_words::split(line).unwrap()
}

/// Returns the command line of an engine with planted faults. `perft_testing::engines` lists their names.
pub fn engine(fault: &str) -> String {
    format!("'{}' {fault}", example("test-engine").display())
}

/// Returns the entry of `perft.toml` for an engine that prints its counts as Stockfish does. With this profile, it is
/// asked no questions with known answers.
#[cfg(unix)]
pub fn entry(name: &str, command: &str) -> String {
    let profile = r##"{ total = "node searched", column = "#1", end = "ready" }"##;
    format!("[engine.{name}]\ncommand = {command:?}\nprofile = {profile}\n")
}

/// A folder in which the program runs.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Writes a file, and returns its name.
    pub fn write<'n>(&self, name: &'n str, text: &str) -> &'n str {
        fs::write(self.path(name), text).unwrap();
        name
    }

    /// Returns the names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the command that runs the program in the folder. Its output goes to pipes, and it can be interrupted.
    pub fn perft(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.0.path()).args(args);
        interruptible(&mut command).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.perft(args).output().unwrap()
    }

    /// Runs the program, and expects this exit code. Returns standard output and standard error.
    pub fn expect(&self, code: i32, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let (out, err) = (out(&output), err(&output));
        assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
        (out, err)
    }

    /// Runs the program with the words of a command line, as [`Folder::expect`] does.
    pub fn line(&self, code: i32, line: &str) -> (String, String) {
        self.expect(code, &words(line).iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Starts the program. Its input and its output are pipes, and it can be interrupted.
pub fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(program());
    let command = interruptible(&mut command).args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Makes [`interrupt`] possible for the process that a command starts. On Windows it gets a console of its own, because
/// Ctrl-C goes to all processes of a console. On Unix it must not inherit that the signal is ignored: a shell ignores it
/// in commands that it starts in the background.
pub fn interruptible(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    for signal in [nix::sys::signal::SIGINT, nix::sys::signal::SIGQUIT] {
        // SAFETY: no handler is installed.
        unsafe { nix::sys::signal::signal(signal, nix::sys::signal::SigHandler::SigDfl) }.unwrap();
    }
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(
        command,
        windows_sys::Win32::System::Threading::CREATE_NO_WINDOW,
    );
    command
}

/// Sends a process the signal of Ctrl-C.
pub fn interrupt(process: &Child) {
    let mut command = if cfg!(windows) {
        let mut command = Command::new(example("test-engine"));
        command.args(["press-ctrl-c", &process.id().to_string()]);
        command
    } else {
        let mut command = Command::new("kill");
        command.args(["-INT", &process.id().to_string()]);
        command
    };
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

/// Asks a process to end. On Windows, this is the same as [`interrupt`].
pub fn terminate(process: &Child) {
    if cfg!(windows) {
        return interrupt(process);
    }
    assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap().success());
}

/// Waits for the end of a process. Fails if it still runs after some seconds.
pub fn ended_within(child: &mut Child, seconds: u64) -> ExitStatus {
    let mut status = None;
    until(seconds, || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

/// Whether a process with this number runs. A zombie does not run.
#[cfg(target_os = "linux")]
pub fn is_alive(process: &str) -> bool {
    let Ok(number) = process.parse::<u32>() else { return false };
    let stat = fs::read_to_string(format!("/proc/{number}/stat"));
    stat.is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|state| !state.starts_with('Z')))
}

/// Reads the output of a process until it contains a text, and returns it. Fails if the process ends before.
pub fn read_until(printed: &mut impl Read, text: &str) -> String {
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains(text) {
        let mut bytes = [0; 4096];
        let count = printed.read(&mut bytes).unwrap();
        assert!(count > 0, "no '{text}' in {:?}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&bytes[..count]);
    }
    String::from_utf8(read).unwrap()
}

/// Waits until a condition is true. Fails if it is not true after some seconds.
pub fn until(seconds: u64, mut is_true: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_true() {
        assert!(begin.elapsed() < Duration::from_secs(seconds), "nothing happened for {seconds} s");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The program on a terminal. Standard output goes to a file.
#[cfg(target_os = "linux")]
pub struct OnTerminal {
    script: Child,
    shown: std::process::ChildStdout,
    columns: usize,
    /// The output on the terminal so far, with its control characters.
    pub text: String,
}

#[cfg(target_os = "linux")]
impl OnTerminal {
    /// Starts the program in a folder, with its standard output in the file `out` there.
    pub fn start(folder: &Path, columns: usize, args: &[&str]) -> OnTerminal {
        let quoted: Vec<String> =
            args.iter().map(|arg| format!("'{}'", arg.replace('\'', "'\\''"))).collect();
        let command =
            format!("stty rows 24 cols {columns}; exec '{}' {} >out", text_of(&program()), quoted.join(" "));
        let mut script = Command::new("script");
        script.args(["--quiet", "--return", "--command", &command, "/dev/null"]).current_dir(folder);
        script.env("SHELL", "/bin/sh").env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut script = script.spawn().unwrap();
        let shown = script.stdout.take().unwrap();
        OnTerminal { script, shown, columns, text: String::new() }
    }

    pub fn wait_for(&mut self, text: &str) {
        if !self.text.contains(text) {
            self.text += &read_until(&mut self.shown, text);
        }
    }

    /// Presses Ctrl-C. Returns the exit code, and the text on the terminal after the line that was erased last. No
    /// line may have been wider than the terminal.
    pub fn press_ctrl_c(mut self) -> (i32, String) {
        self.script.stdin.as_ref().unwrap().write_all(b"\x03").unwrap();
        let mut rest = Vec::new();
        self.shown.read_to_end(&mut rest).unwrap();
        self.text += &String::from_utf8_lossy(&rest);
        let plain = console::strip_ansi_codes(&self.text).replace("^C", "");
        let wide = plain.split(['\r', '\n']).find(|line| line.chars().count() > self.columns);
        assert_eq!(wide, None, "{:?}", self.text);
        let left = self.text.rsplit("\x1b[2K").next().unwrap().to_owned();
        (ended_within(&mut self.script, 5).code().unwrap(), left)
    }
}

/// Writes a shell script that can be run by its path.
///
/// A shell writes it. If this process did, a program that another thread starts now would hold the file open for
/// writing, and the script could not be run.
#[cfg(unix)]
pub fn write_script(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 755 "$0""#]).arg(path).arg(text);
    assert!(shell.status().unwrap().success());
}

pub fn program() -> PathBuf {
    std::path::absolute(env!("CARGO_BIN_EXE_perft")).unwrap()
}

pub fn text_of(path: &Path) -> &str {
    path.to_str().unwrap()
}
