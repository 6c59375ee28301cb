//! Collects the Rust examples of the readmes, of the book, and of the front pages of the libraries.
//!
//! - `documents.rs` contains a module for each document, so that its examples run as documentation tests.
//! - `tests.rs` contains the examples that are tests themselves, which a documentation test would leave out. They
//!   contain `todo!` where the reader's generator is called. Here a generator of another crate replaces it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut documents, mut tests) = (String::new(), String::new());
    for (number, path) in paths(&root).iter().enumerate() {
        println!("cargo::rerun-if-changed={}", path.display());
        let text = markdown(path);
        let _ = writeln!(documents, "#[doc = {text:?}]\npub mod document_{number} {{}}");
        for (place, example) in examples(&text).filter(|example| example.contains("#[test]")).enumerate() {
            let example = with_generator(example);
            let _ = writeln!(tests, "mod document_{number}_test_{place} {{\n{example}}}");
        }
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(folder.join("documents.rs"), documents).expect("cargo made the folder");
    fs::write(folder.join("tests.rs"), tests).expect("cargo made the folder");
}

fn paths(root: &Path) -> Vec<PathBuf> {
    let mut paths = vec![root.join("README.md")];
    for library in ["core", "count", "diagnosis", "lab"] {
        paths.extend(["README.md", "src/lib.rs"].map(|file| root.join("crates").join(library).join(file)));
    }
    let book = fs::read_dir(root.join("docs/src")).expect("the book is there");
    let mut chapters: Vec<PathBuf> = book.map(|entry| entry.expect("it can be listed").path()).collect();
    chapters.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    chapters.sort();
    paths.extend(chapters);
    paths
}

/// Returns the documentation at the top of a source file, or the blocks of Rust code in a text.
fn markdown(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("it is a text file");
    if path.extension().is_some_and(|extension| extension == "rs") {
        let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
        return lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect();
    }
    text.split("\n```")
        .skip(1)
        .step_by(2)
        .filter(|block| block.starts_with("rust"))
        .fold(String::new(), |blocks, block| format!("{blocks}\n```{block}\n```\n"))
}

fn examples(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n```rust").skip(1).map(|rest| {
        let (_, code) = rest.split_once('\n').expect("a block has lines");
        code.split("```").next().unwrap_or(code)
    })
}

/// Replaces the line with `todo!` by a call of an existing generator.
fn with_generator(example: &str) -> String {
    let replaced = |line: &str| match line.trim_start().starts_with("todo!(") {
        true => "    crate::OfCozyChess::of(fen, depth)\n".to_owned(),
        false => format!("{line}\n"),
    };
    example.lines().map(replaced).collect()
}
