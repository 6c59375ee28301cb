//! Checks that the README and the book show the real output of the program.
//!
//! A transcript is a command after `$ ` and the lines below it. The commands of a document run one after another, in
//! one folder for each document. Numbers with a decimal point (times, speeds) and numbers per second may differ, and so
//! may the number of blanks. A line `...` stands for any lines. Commands that are shown without an output do not run.
//! `./my-engine` is the example of `perft-diagnosis` with this name.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use perft_testing::programs::example;

use super::support::{at_once, out, without_notes_of_waiting};

/// Commands that do not run here, each identified by a part of it, with the reason.
const LEFT_OUT: [(&str, &str); 10] = [
    ("--state", "an engine with another bug"),
    ("./old", "an older build"),
    ("./sjeng", "another engine"),
    ("./stash", "another engine"),
    ("stockfish", "another engine"),
    ("perft estimate", "the time of an exact count depends on the machine"),
    ("eleven", "a campaign of an hour"),
    ("eight", "a campaign of minutes"),
    ("-v", "names the CPU"),
    ("--runs", "the order of speeds depends on the machine"),
];

/// Files of the examples: name and content.
const FILES: [(&str, &str); 2] = [
    (
        "bad.epd",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 x ;D2 191\n\
         n1n5/PPPk4/8/8/8/8/4Kppp/5N1 b - - 0 1 ;D1 24 ;D2 496\n",
    ),
    (
        "mine.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 400 ;D3 8902 ;D4 197281 ;id \"start\" ;c0 \"mixed\"\n\
         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - ;D1 48 ;D2 2039 ;D3 97862 ;D4 4085603 \
         ;id \"kiwipete\" ;c0 \"mixed\"\n\
         8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - ;D1 14 ;D2 191 ;D3 2812 ;D4 43239 ;id \"endgame\" \
         ;c0 \"en passant: both pawns leave the rank, and the rook gives check\"\n",
    ),
];

pub struct Transcript {
    pub command: String,
    pub output: Vec<String>,
}

#[test]
fn documents_show_what_the_program_prints() {
    let (wrong, compared): (String, Vec<usize>) =
        at_once(&documents(), |document| compare(document)).into_iter().unzip();
    assert!(wrong.is_empty(), "{wrong}");
    let compared: usize = compared.iter().sum();
    assert!(compared >= 20, "only {compared} outputs were compared");
}

/// Runs the commands of a document. Returns the differences, and the number of commands.
fn compare(document: &Path) -> (String, usize) {
    let mut wrong = String::new();
    let mut compared = 0;
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in FILES {
        fs::write(folder.path().join(name), content).unwrap();
    }
    symlink(example("my-engine"), folder.path().join("my-engine")).unwrap();
    for Transcript { command, output } in transcripts(&fs::read_to_string(document).unwrap()) {
        // `json.rs` compares the fields of JSON.
        if output[0] == "{" || LEFT_OUT.iter().any(|(part, _)| command.contains(part)) {
            continue;
        }
        compared += 1;
        let printed = printed(&command, folder.path());
        let shown: Vec<String> = output.iter().map(|line| blanked(line)).collect();
        let found: Vec<String> = printed.lines().map(blanked).collect();
        if !matches(&shown, without_blank_end(&found)) {
            let shown = output.join("\n");
            let _ =
                writeln!(wrong, "{}: {command}\nshown:\n{shown}\nprinted:\n{printed}", document.display());
        }
    }
    (wrong, compared)
}

#[test]
fn every_exception_is_needed() {
    let shown: Vec<String> = documents()
        .iter()
        .flat_map(|path| transcripts(&fs::read_to_string(path).unwrap()))
        .map(|shown| shown.command)
        .collect();
    for (part, reason) in LEFT_OUT {
        assert!(shown.iter().any(|command| command.contains(part)), "no example has '{part}' ({reason})");
    }
}

#[test]
fn differences_from_documents_are_seen() {
    let lines = |text: &str| text.split('|').map(blanked).collect::<Vec<String>>();
    for (shown, printed, is_same) in [
        ("a|b", "a|c", false),
        ("a|...|d", "a|b|c|d", true),
        ("...|b|...", "a|c", false),
        ("a", "a|b", false),
        ("perft( 2)=  39 (  0.001 sec)  1,204.5 Mnps", "perft( 2)= 39 ( 12.345 sec) 3.1 Mnps", true),
        ("perft( 2)=  39 ( 0.001 sec)", "perft( 2)= 38 ( 0.001 sec)", false),
    ] {
        assert_eq!(matches(&lines(shown), &lines(printed)), is_same, "{shown} {printed}");
    }
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut chapters: Vec<PathBuf> =
        fs::read_dir(root.join("docs/src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    chapters.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    chapters.sort();
    [vec![root.join("README.md")], chapters].concat()
}

/// Returns the commands of this program that a document shows with an output.
pub fn transcripts(document: &str) -> Vec<Transcript> {
    let mut found: Vec<Transcript> = blocks(document).iter().flat_map(|block| of_block(block)).collect();
    for shown in &mut found {
        shown.output.truncate(without_blank_end(&shown.output).len());
    }
    found.retain(|shown| shown.command.starts_with("perft ") && !shown.output.is_empty());
    found
}

/// Returns the lines of each block of code: fenced, or indented by four blanks.
fn blocks(document: &str) -> Vec<Vec<&str>> {
    let mut blocks = vec![Vec::new()];
    let mut is_fenced = false;
    for line in document.lines() {
        let last = blocks.last_mut().expect("there is a first block");
        if line.starts_with("```") {
            is_fenced = !is_fenced;
            blocks.push(Vec::new());
        } else if is_fenced || line.is_empty() {
            last.push(line);
        } else if let Some(indented) = line.strip_prefix("    ") {
            last.push(indented);
        } else {
            blocks.push(Vec::new());
        }
    }
    blocks
}

/// Returns the commands of a block. A backslash at the end of a line continues the command.
fn of_block(lines: &[&str]) -> Vec<Transcript> {
    let mut found: Vec<Transcript> = Vec::new();
    for line in lines {
        let continued = found.last_mut().filter(|last| last.command.ends_with('\\'));
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Transcript { command: command.to_owned(), output: Vec::new() });
        } else if let Some(last) = continued {
            last.command.pop();
            last.command.push_str(line.trim_start());
        } else if let Some(last) = found.last_mut() {
            last.output.push((*line).to_owned());
        }
    }
    found
}

/// Runs a command in a folder and returns its output and messages, in their order.
pub fn printed(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_perft")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let command = format!("exec 2>&1\n{command}");
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(folder).env("PATH", path).output().unwrap();
    without_notes_of_waiting(&out(&output))
}

/// Returns a line with one blank between words, and `#` for numbers with a decimal point and for numbers per second.
fn blanked(line: &str) -> String {
    let is_decimal = |word: &str| {
        let bytes = word.as_bytes();
        bytes.windows(3).any(|part| part[0].is_ascii_digit() && part[1] == b'.' && part[2].is_ascii_digit())
    };
    let spaced = line.replace('(', "( ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_speed = |index: usize| words.get(index + 1).is_some_and(|unit| unit.contains("/s"));
    let blank = |(index, word)| if is_decimal(word) || is_speed(index) { "#" } else { word };
    words.iter().copied().enumerate().map(blank).collect::<Vec<&str>>().join(" ")
}

fn without_blank_end(lines: &[String]) -> &[String] {
    let length = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    &lines[..length]
}

/// Whether the printed lines match the shown ones. `...` stands for any number of lines.
fn matches(shown: &[String], printed: &[String]) -> bool {
    match (shown, printed) {
        ([], []) => true,
        ([first, rest @ ..], _) if first == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        ([one, shown @ ..], [other, printed @ ..]) => one == other && matches(shown, printed),
        _ => false,
    }
}
