//! Engines as processes, on every system: how they are found, and that they end with the program, with their own children.
//!
//! The engines are this test program, run for a single test of [`serving`]. Each process of an engine locks a file. The
//! lock ends with the process, so a test can see whether it still runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use super::support::{code, ended_within, err, interrupt, interruptible, out, program, text_of, until};

/// The longest time from the end of the program to the end of its engines, with some time for a busy machine.
const SOON: u64 = 5;

/// The variable with the folder of a test.
const FOLDER: &str = "PERFT_TEST_FOLDER";

/// The engine hangs at the second position.
const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20\n\
                     4k3/8/8/8/8/8/8/4K3 w - - ;D1 5\n\
                     4k3/8/8/8/8/8/8/4K3 b - - ;D1 5\n";

/// Engines rather than tests: each answers UCI commands on the standard input and output of the process.
mod serving {
    use std::io::{BufReader, Write, stdin, stdout};

    use perft_diagnosis::serve::{DivideTask, UciEngine, serve};
    use perft_testing::faulty::FaultySource;

    use super::*;

    fn folder() -> PathBuf {
        std::env::var_os(FOLDER).unwrap().into()
    }

    /// Starts a process of its own and hangs when it is given the second position for the first time. When it is given
    /// that position again, it notes whether the processes of the first time are gone.
    struct Hanging(FaultySource);

    impl Hanging {
        fn hang(&self) {
            let lock = locked(&folder().join("engine"));
            let mut child = Command::new(std::env::current_exe().unwrap());
            let mut child = child.args(arguments("waits")).stdout(Stdio::null()).spawn().unwrap();
            child.wait().unwrap();
            drop(lock);
        }

        fn note_what_runs(&self) {
            let folder = folder();
            until(SOON, || is_unlocked(&folder.join("engine")) && is_unlocked(&folder.join("child")));
            fs::write(folder.join("gone"), "").unwrap();
        }
    }

    impl UciEngine for Hanging {
        fn name(&self) -> String {
            "Hanging".to_owned()
        }

        fn author(&self) -> String {
            self.0.author()
        }

        fn options(&self) -> Vec<String> {
            self.0.options()
        }

        fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
            self.0.set_option(name, value)
        }

        fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
            if fen.is_some_and(|fen| fen.starts_with("4k3")) {
                if folder().join("child").exists() { self.note_what_runs() } else { self.hang() }
            }
            self.0.set_position(fen, moves)
        }

        fn divide(&self, depth: u32) -> DivideTask {
            self.0.divide(depth)
        }

        fn diagram(&self) -> String {
            self.0.diagram()
        }
    }

    #[test]
    #[ignore = "an engine that waits for commands"]
    fn hangs() {
        let mut engine = Hanging(FaultySource::new(None));
        serve(&mut engine, BufReader::new(stdin()), &mut stdout()).unwrap();
    }

    #[test]
    #[ignore = "a child of an engine"]
    fn waits() {
        let _lock = locked(&folder().join("child"));
        std::thread::sleep(std::time::Duration::from_secs(1000));
    }

    /// Ends each line as programs on Windows do.
    struct WithCrLf(std::io::Stdout);

    impl Write for WithCrLf {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
            self.0.write_all(text.as_bytes())?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }

    #[test]
    #[ignore = "an engine that waits for commands"]
    fn ends_lines_with_cr_lf() {
        let mut source = FaultySource::new(None);
        serve(&mut source, BufReader::new(stdin()), &mut WithCrLf(stdout())).unwrap();
    }
}

/// Creates a file and locks it.
fn locked(path: &Path) -> File {
    let unnamed = path.with_extension("new");
    let file = File::create(&unnamed).unwrap();
    file.lock().unwrap();
    fs::rename(unnamed, path).unwrap();
    file
}

fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Returns the arguments with which this test program is an engine.
fn arguments(serving: &str) -> Vec<String> {
    let test = format!("processes::serving::{serving}");
    ["--ignored", "--exact", &test, "--nocapture", "--test-threads", "1"].map(str::to_owned).to_vec()
}

/// Returns the command of an engine, with this test program or a copy of it.
pub fn command(program: &Path, serving: &str) -> String {
    format!("'{}' {}", program.display(), arguments(serving).join(" "))
}

/// Returns the command of an engine whose lines end with CR LF.
pub fn command_with_cr_lf() -> String {
    command(&std::env::current_exe().unwrap(), "ends_lines_with_cr_lf")
}

/// A folder with a suite and with the locks of an engine.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("three.epd"), SUITE).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn perft(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(self.0.path()).env(FOLDER, self.0.path()).args(arguments);
        interruptible(&mut command).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.perft(arguments).output().unwrap()
    }

    /// Starts a suite on the engine that hangs, and waits until it does.
    fn with_hanging_engine(&self) -> Child {
        let engine = command(&std::env::current_exe().unwrap(), "hangs");
        let running =
            self.perft(&["suite", "three.epd", "--dialect", "uci", "--engine", &engine]).spawn().unwrap();
        until(60, || self.path("child").exists());
        assert!(!self.has_ended("engine") && !self.has_ended("child"));
        running
    }

    fn has_ended(&self, process: &str) -> bool {
        is_unlocked(&self.path(process))
    }

    fn wait_for_the_end_of_the_engine(&self) {
        until(SOON, || self.has_ended("engine") && self.has_ended("child"));
    }
}

#[test]
fn a_killed_program_leaves_no_process() {
    let place = Place::new();
    let mut running = place.with_hanging_engine();
    running.kill().unwrap();
    running.wait().unwrap();
    place.wait_for_the_end_of_the_engine();
}

#[test]
fn an_interrupted_program_leaves_no_process() {
    let place = Place::new();
    let mut running = place.with_hanging_engine();
    interrupt(&running);
    assert_eq!(ended_within(&mut running, SOON).code(), Some(130));
    place.wait_for_the_end_of_the_engine();
    let output = running.wait_with_output().unwrap();
    assert!(out(&output).contains("interrupted"), "{}{}", out(&output), err(&output));
}

#[test]
fn an_engine_that_exceeds_its_time_ends_with_its_children() {
    let place = Place::new();
    let engine = command(&std::env::current_exe().unwrap(), "hangs");
    let output =
        place.run(&["suite", "three.epd", "--dialect", "uci", "--engine-timeout", "3", "--engine", &engine]);
    assert_eq!(code(&output), 4, "{}{}", out(&output), err(&output));
    assert!(place.path("gone").exists(), "{}{}", out(&output), err(&output));
}

/// The processor time is that of the engine, and not that of this program. Wine 8 mixes them up.
#[test]
#[cfg(any(target_os = "linux", windows))]
fn what_an_engine_uses_is_reported() {
    let place = Place::new();
    let engine = format!("'{}' uci", program().display());
    let arguments = ["compare", "kiwipete", "-d", "5", "--runs", "3"];
    let arguments = [&arguments[..], &["--export-json", "out.json", "--engine", &engine]].concat();
    let output = place.run(&arguments);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(place.path("out.json")).unwrap()).unwrap();
    let result = &json["results"][1];
    let (wall, user) = (result["median"].as_f64().unwrap(), result["user"].as_f64().unwrap());
    assert!(user > 0.05 * wall && user < 1.2 * wall + 0.03, "{result}");
    let memory = result["memory_usage_byte"][0].as_f64().unwrap();
    assert!((1e6..1e9).contains(&memory), "{result}");
}

/// Copies the program to a file whose path has spaces.
fn with_spaces(place: &Place) -> PathBuf {
    let folder = place.path("My Engines");
    fs::create_dir(&folder).unwrap();
    let path = folder.join(format!("stock fish{}", std::env::consts::EXE_SUFFIX));
    fs::copy(program(), &path).unwrap();
    path
}

#[test]
fn the_path_of_an_engine_may_have_spaces() {
    let place = Place::new();
    let path = with_spaces(&place);
    let relative = Path::new(".").join("My Engines").join(path.file_stem().unwrap());
    for command in [
        format!("'{}' uci", path.display()),
        format!("\"{}\" uci", path.display()),
        format!("'{}' uci", relative.display()),
    ] {
        let output = place.run(&["hunt", "--fen", "start", "-d", "2", "--engine", &command]);
        assert_eq!(code(&output), 0, "{command}: {}", err(&output));
    }
    // In a file, a command can be a list of words.
    let toml = format!("[engine.mine]\r\ncommand = ['{}', 'uci']\r\n", path.display());
    fs::write(place.path("perft.toml"), toml).unwrap();
    let output = place.run(&["hunt", "--fen", "start", "-d", "2", "--engine", "mine"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
}

/// A script that is an engine without arguments.
#[test]
fn a_whole_path_needs_no_quotes() {
    let place = Place::new();
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
    let relative = Path::new(".").join("my engine");
    for command in [text_of(&script), text_of(&relative)] {
        let output = place.run(&["hunt", "--fen", "start", "-d", "2", "--engine", command]);
        assert_eq!(code(&output), 0, "{command}: {}", err(&output));
    }
}

#[test]
fn an_engine_on_the_path_needs_no_ending() {
    let place = Place::new();
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
