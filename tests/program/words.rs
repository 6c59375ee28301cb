//! A word that somebody types starts no program, unless it is a path, a name in `perft.toml`, or has arguments.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use assert_cmd::cargo::cargo_bin_cmd;

use crate::support::{at_once, err};

/// The commands with words, in which `WORD` stands for the word.
const COMMANDS: [&str; 16] = [
    "WORD",
    "WORD 1",
    "kiwipete 1 WORD",
    "divide WORD 1",
    "divide kiwipete 1 WORD",
    "stats WORD 1",
    "unique WORD 1",
    "estimate WORD 1",
    "suite WORD",
    "suite kiwipete WORD",
    "hunt WORD",
    "hunt kiwipete WORD",
    "bench WORD start 1",
    "diagnose WORD 1:21",
    "probe WORD",
    "campaign verify WORD",
];

/// Returns words of the documents, names of files, and names of this program with a mistake in each.
fn typed_words() -> Vec<String> {
    let names =
        ["kiwipete", "startpos", "endgame", "talkchess", "standard", "chess960", "divide", "stats", "unique"];
    let left_out =
        |name: &str| (1..name.len()).map(|at| [&name[..at], &name[at + 1..]].concat()).collect::<Vec<_>>();
    let mut words: BTreeSet<String> = names.iter().flat_map(|name| left_out(name)).collect();
    words.extend(names.iter().map(|name| format!("{name}s")));
    let files =
        ["my.epd", "a.py", "perft.sh", "engine", "stockfish", "qperft", "mine", "e9", "test", "make", "a-b"];
    words.extend(files.map(str::to_owned));
    let text = concat!(include_str!("../../ARCHITECTURE.md"), include_str!("../../CONTRIBUTING.md"));
    let dictionary = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 1);
    for word in dictionary.map(str::to_lowercase) {
        if words.len() < 500 {
            words.insert(word);
        }
    }
    words.into_iter().collect()
}

/// Makes programs of these names in a folder. Each notes that it was started.
fn with_programs(folder: &Path, words: &[String]) {
    let script = folder.join("script.of.all");
    fs::write(&script, format!("#!/bin/sh\necho \"$0\" >> '{}/started'\n", folder.display())).unwrap();
    fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    words.iter().for_each(|word| symlink(&script, folder.join(word)).unwrap());
}

#[test]
fn no_word_starts_a_program() {
    let words = typed_words();
    assert_eq!(words.len(), 500);
    let (here, on_path) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    with_programs(on_path.path(), &words);
    // Half of the words are also names of programs in the current folder.
    with_programs(here.path(), &words.iter().step_by(2).cloned().collect::<Vec<_>>());
    let numbered: Vec<(usize, String)> = words.into_iter().enumerate().collect();
    at_once(&numbered, |(number, word)| {
        for command in [number % 16, (number / 16 + 7) % 16].map(|index| COMMANDS[index]) {
            let line = command.replace("WORD", word);
            let output = cargo_bin_cmd!("perft")
                .current_dir(here.path())
                .env("PATH", on_path.path())
                .args(line.split(' '))
                .output()
                .unwrap();
            for folder in [&here, &on_path] {
                assert!(!folder.path().join("started").exists(), "{line}: {}", err(&output));
            }
        }
    });
}

#[test]
fn a_path_and_a_name_behind_a_flag_start_a_program() {
    let here = tempfile::tempdir().unwrap();
    with_programs(here.path(), &["kiwipetes".to_owned(), "3".to_owned()]);
    let started = here.path().join("started");
    for line in [
        "suite ./kiwipetes --max-depth 1",
        "suite --engine kiwipetes --max-depth 1",
        "divide 1 --against kiwipetes",
        "divide 1 ./3",
    ] {
        let mut command = cargo_bin_cmd!("perft");
        command.current_dir(here.path()).env("PATH", here.path()).args(line.split(' ')).output().unwrap();
        assert!(started.exists(), "{line}");
        fs::remove_file(&started).unwrap();
    }
}

#[test]
fn a_number_is_a_depth_even_if_a_file_has_its_name() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("1"), "").unwrap();
    for line in ["bench start 1 --runs 1 --quiet", "start 1", "divide 1"] {
        let output = cargo_bin_cmd!("perft").current_dir(here.path()).args(line.split(' ')).output().unwrap();
        assert!(output.status.success(), "{line}: {}", err(&output));
    }
}
