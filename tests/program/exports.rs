//! Files that are written when the program is killed: each is old or new. The files that the program leaves behind
//! are removed.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::support::{text_of, until};

fn spawn(file: &Path, arguments: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_perft"))
        .args(["bench", "start", "--export-json", text_of(file)])
        .args(arguments.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the names of the files in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_killed_program_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.json");
    fs::write(&file, "old").unwrap();
    let before = names(folder.path());
    let mut program = spawn(&file, "--depth 7 --runs 1000");
    until(20, || names(folder.path()) != before);
    program.kill().unwrap();
    program.wait().unwrap();
    let killed = names(folder.path());
    assert_eq!((killed.len(), fs::read_to_string(&file).unwrap().as_str()), (2, "old"), "{killed:?}");
    assert!(spawn(&file, "--depth 1 --runs 1").wait().unwrap().success());
    assert_eq!(names(folder.path()), killed, "nothing is removed that another run has created");
    serde_json::from_slice::<serde_json::Value>(&fs::read(&file).unwrap()).unwrap();
}
