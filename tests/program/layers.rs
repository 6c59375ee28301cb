//! Who may know whom, and who may do what: the order of the folders, held by reading the source.
//!
//! Every `.rs` file of `src/` is cut into words (comments, strings and `#[cfg(test)]` modules left out), and every path
//! in it, with the branches of its braces, is judged twice: does it lead to a layer further down, and does it do what
//! only some layers may do? A new folder that [`LAYERS`] does not name is a violation too. What a macro or a re-export
//! smuggles past a path is not seen.

use std::fmt;
use std::fs;
use std::path::Path;

/// The layers of the library; each may use itself and those above it.
const LAYERS: [&str; 12] = [
    "chess::types",
    "chess::attacks",
    "chess::position",
    "movegen",
    "generators",
    "perft",
    "suite",
    "engine",
    "hunt",
    "bench",
    "campaign",
    "report",
];

/// The files of the program, `src/main.rs` and `src/cli`: they see the library from outside.
const PROGRAM: &str = "the program";

/// A file that only says which modules there are: `src/lib.rs`, `src/chess/mod.rs`.
const HOUSE: &str = "the house";

/// What only some may do.
struct Deed {
    /// The paths that do it, by how they end or what stands in them.
    paths: &'static [&'static str],
    /// Who may.
    allowed: &'static [&'static str],
    rule: &'static str,
}

const DEEDS: [Deed; 5] = [
    Deed {
        paths: &[
            "print!",
            "println!",
            "eprint!",
            "eprintln!",
            "dbg!",
            "io::stdout",
            "io::stderr",
            "io::Stdout",
            "io::Stderr",
        ],
        allowed: &[PROGRAM],
        rule: "only the program prints",
    },
    Deed {
        paths: &["env::args", "env::args_os"],
        allowed: &[PROGRAM],
        rule: "only the program reads arguments",
    },
    Deed { paths: &["process::exit", "process::abort"], allowed: &[PROGRAM], rule: "only the program exits" },
    Deed {
        paths: &["Instant::now", "SystemTime::now"],
        allowed: &["bench", "engine", PROGRAM],
        rule: "only the measuring code, and who waits for an engine, reads a clock",
    },
    Deed {
        paths: &["Command::new"],
        allowed: &["engine", PROGRAM],
        rule: "only the engine code starts processes",
    },
];

/// A line that breaks a rule.
#[derive(Debug, PartialEq)]
struct Violation {
    file: String,
    line: usize,
    path: String,
    rule: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "src/{}:{}: `{}`: {}", self.file, self.line, self.path, self.rule)
    }
}

#[test]
fn the_source_keeps_its_layers() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut files);
    assert!(files.iter().any(|(file, _)| file == "lib.rs"), "the source was not found");
    let violations: Vec<Violation> = files.iter().flat_map(|(file, source)| check(file, source)).collect();
    let lines: Vec<String> = violations.iter().map(Violation::to_string).collect();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}

/// The source files below a folder, each named as seen from `src`.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else if name.ends_with(".rs") {
            files.push((name, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

/// All violations in a file, which is named as seen from `src`.
fn check(file: &str, source: &str) -> Vec<Violation> {
    let here = module_of(file);
    let mut violations = Vec::new();
    for (line, path) in paths(&words(source), &here) {
        let rules = [forbidden_import(&here, &path), forbidden_deed(&here, &path)];
        let path = path.join("::");
        violations.extend(rules.into_iter().flatten().map(|rule| Violation {
            file: file.to_owned(),
            line,
            path: path.clone(),
            rule,
        }));
    }
    violations
}

/// The module that a file is: `chess/types/mod.rs` is `chess::types`.
fn module_of(file: &str) -> Vec<String> {
    let mut module: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if ["mod", "lib"].contains(&module[module.len() - 1].as_str()) {
        module.pop();
    }
    module
}

/// The layer of a module or of something in it, `None` if the module is in no layer.
fn layer_of(module: &[String]) -> Option<&'static str> {
    if module.first().is_some_and(|first| first == "main" || first == "cli") {
        return Some(PROGRAM);
    }
    let is_in = |layer: &&str| {
        layer.split("::").eq(module.iter().map(String::as_str).take(layer.split("::").count()))
    };
    LAYERS.into_iter().find(is_in).or((module.is_empty() || module == ["chess"]).then_some(HOUSE))
}

/// The rule that a path of this module breaks by where it leads.
fn forbidden_import(here: &[String], path: &[String]) -> Option<String> {
    if path[0] != "crate" {
        return None;
    }
    let rank = |layer| LAYERS.into_iter().position(|other| other == layer);
    match (layer_of(here), layer_of(&path[1..])) {
        (Some(PROGRAM), _) => {
            let is_of_library = |layer: &str| layer.split("::").next() == path.get(1).map(String::as_str);
            let is_forbidden = LAYERS.into_iter().any(is_of_library);
            is_forbidden.then(|| "the program sees the library only as `perft::`".to_owned())
        }
        (None, _) => Some(format!("`{}` is in no layer that tests/layers.rs knows", here.join("::"))),
        (_, None) => Some("it leads to no layer that tests/layers.rs knows".to_owned()),
        (Some(HOUSE), Some(_)) => None,
        (Some(from), Some(to)) if rank(to) <= rank(from) && rank(to).is_some() => None,
        (Some(from), Some(to)) => Some(format!("{from} may not use {to}, which does not stand above it")),
    }
}

/// The rule that a path of this module breaks by what it does.
fn forbidden_deed(here: &[String], path: &[String]) -> Option<String> {
    let layer = layer_of(here).unwrap_or(HOUSE);
    let does = |deed: &&str| {
        let deed: Vec<&str> = deed.split("::").collect();
        path.windows(deed.len()).any(|window| window.iter().eq(deed.iter()))
    };
    let forbidden = |deed: &&Deed| !deed.allowed.contains(&layer) && deed.paths.iter().any(does);
    DEEDS.iter().find(forbidden).map(|deed| deed.rule.to_owned())
}

/// A word of the source, or a single sign, and its line. `::` is one sign.
type Word = (usize, String);

/// Every path in the source with its line; `super` is resolved from the module, and then begins with `crate` too.
fn paths(words: &[Word], here: &[String]) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    let mut module = here.to_vec();
    // For every open brace: does it belong to an inline module?
    let mut braces = Vec::new();
    let mut index = 0;
    while index < words.len() {
        let is = |offset: usize, text: &str| words.get(index + offset).is_some_and(|(_, word)| word == text);
        if is(0, "mod") && is(2, "{") {
            module.push(words[index + 1].1.clone());
            braces.push(true);
            index += 3;
        } else if is(0, "{") || is(0, "}") {
            if is(0, "{") {
                braces.push(false);
            } else if braces.pop() == Some(true) {
                module.pop();
            }
            index += 1;
        } else if (is(0, "crate") || is(0, "super")) && !is(1, "::") {
            // No path, but who may see: `pub(crate)`.
            index += 1;
        } else if is_name(&words[index].1) {
            let start = found.len();
            index = tree(words, index, &[], &mut found);
            found[start..].iter_mut().for_each(|(_, path)| resolve(path, &module));
        } else {
            index += 1;
        }
    }
    found
}

/// Reads a path from `index` on, and every branch of its braces; gives the index behind it.
fn tree(words: &[Word], mut index: usize, prefix: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    let word = |index: usize| words.get(index).map_or("", |(_, word)| word.as_str());
    let line = words[index].0;
    let mut path = prefix.to_vec();
    while is_name(word(index)) {
        path.push(word(index).to_owned());
        index += 1;
        if word(index) != "::" {
            break;
        }
        index += 1;
    }
    if word(index) == "{" && index > 0 && word(index - 1) == "::" {
        index += 1;
        while index < words.len() && word(index) != "}" {
            // Past what is no path: commas, globs, `as`.
            index = if is_name(word(index)) { tree(words, index, &path, found) } else { index + 1 };
        }
        return index + 1;
    }
    if word(index) == "!" && word(index + 1) != "=" {
        path.last_mut().expect("it began with a name").push('!');
    }
    found.push((line, path));
    index
}

/// Rewrites `super::super::x` to the path from the root.
fn resolve(path: &mut Vec<String>, module: &[String]) {
    let ups = path.iter().take_while(|name| *name == "super").count();
    if ups > 0 {
        let above = &module[..module.len().saturating_sub(ups)];
        let root = std::iter::once("crate".to_owned()).chain(above.iter().cloned());
        path.splice(..ups, root);
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|letter: char| letter == '_' || letter.is_alphabetic())
}

/// Cuts a source into words and signs, without comments, literals and test modules.
fn words(source: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(letter) = rest.chars().next() {
        let ignored = ignored(rest);
        let length = match ignored {
            0 if is_name(rest) => {
                rest.find(|letter: char| letter != '_' && !letter.is_alphanumeric()).unwrap_or(rest.len())
            }
            0 if rest.starts_with("::") => 2,
            0 => letter.len_utf8(),
            length => length,
        };
        let (word, behind) = rest.split_at(length);
        if ignored == 0 {
            words.push((line, word.to_owned()));
        }
        line += word.matches('\n').count();
        rest = behind;
    }
    without_tests(words)
}

/// The length of the white space, comment, literal or lifetime that a text begins with; 0 if it begins with a word or
/// a sign.
fn ignored(text: &str) -> usize {
    let through =
        |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    let quote = text.trim_start_matches(['b', 'c']);
    let hashes = quote.strip_prefix('r').map(|raw| &raw[..raw.len() - raw.trim_start_matches('#').len()]);
    let raw_start = text.len() - quote.len() + 1 + hashes.map_or(0, str::len);
    if text.starts_with("//") {
        through(0, "\n")
    } else if text.starts_with("/*") {
        block_comment(text)
    } else if let Some(hashes) = hashes.filter(|_| text[raw_start..].starts_with('"')) {
        through(raw_start + 1, &format!("\"{hashes}"))
    } else if quote.starts_with('"') {
        text.len() - quote.len() + quoted(quote, '"')
    } else if let Some(inside) = quote.strip_prefix('\'') {
        // A character ends with a quote; a lifetime is a name, and no quote follows it.
        let behind = inside.trim_start_matches(|letter: char| letter == '_' || letter.is_alphanumeric());
        let is_lifetime = is_name(inside) && !behind.starts_with('\'');
        text.len() - if is_lifetime { behind.len() } else { quote.len() - quoted(quote, '\'') }
    } else {
        text.len() - text.trim_start().len()
    }
}

/// The length of a literal with its quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if letter == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    text.len()
}

/// The length of a comment, which may have others in it.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    for (at, _) in text.char_indices() {
        if text[at..].starts_with("/*") {
            depth += 1;
        } else if text[..at].ends_with("*/") {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    text.len()
}

/// Leaves out modules under `#[cfg(test)]`.
fn without_tests(words: Vec<Word>) -> Vec<Word> {
    let opening = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let mut kept = Vec::new();
    let mut index = 0;
    while index < words.len() {
        if !words[index..].iter().map(|(_, word)| word.as_str()).take(opening.len()).eq(opening) {
            kept.push(words[index].clone());
            index += 1;
            continue;
        }
        let mut depth = 0;
        while index < words.len() {
            match words[index].1.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            index += 1;
            if depth == 0 && ["}", ";"].contains(&words[index - 1].1.as_str()) {
                break;
            }
        }
    }
    kept
}

/// What a file of this name, with this source, is accused of: line and path.
fn accused(file: &str, source: &str) -> Vec<(usize, String)> {
    check(file, source).into_iter().map(|violation| (violation.line, violation.path)).collect()
}

#[test]
fn planted_violations_are_found() {
    let planted = [
        // Where paths lead.
        (
            "chess/types/square.rs",
            "use perft_core::internals::attacks::king;",
            "perft_core::internals::attacks::king",
        ),
        ("chess/attacks/mod.rs", "use super::position::Position;", "perft_core::Position"),
        ("movegen/text.rs", "use crate::{chess::types::{Move}, perft::Perft};", "perft_core::Perft"),
        ("movegen/mod.rs", "fn f() { super::perft::perft(p, 1); }", "perft_core::perft"),
        ("perft/driver.rs", "fn f(t: &crate::report::Table) {}", "crate::report::Table"),
        ("perft/driver.rs", "use crate::*;", "crate"),
        ("perft/driver.rs", "use crate::cli::Arguments;", "crate::cli::Arguments"),
        ("suite.rs", "mod inner { use super::super::hunt::Cause; }", "perft_diagnosis::Cause"),
        ("engine/mod.rs", "use crate::nowhere::X;", "crate::nowhere::X"),
        ("extra.rs", "use perft_core::Square;", "perft_core::Square"),
        ("main.rs", "use perft_core::Square;", "perft_core::Square"),
        ("cli/count.rs", "fn f() { perft_core::perft(p, 1); }", "perft_core::perft"),
        // What is done.
        ("perft/table.rs", "fn f() { println!(\"{}\", 1); }", "println!"),
        ("report/json.rs", "use std::io::{self, stdout};", "std::io::stdout"),
        ("lib.rs", "fn f() { std::env::args(); }", "std::env::args"),
        ("engine/process.rs", "use std::{fs, process::{exit, Child}};", "std::process::exit"),
        ("hunt/walk.rs", "fn f() { let t = std::time::Instant::now(); }", "std::time::Instant::now"),
        ("hunt/mod.rs", "fn f() { Command::new(\"x\"); }", "Command::new"),
    ];
    for (file, source, path) in planted {
        assert_eq!(accused(file, source), [(1, path.to_owned())], "{file}: {source}");
    }
}

#[test]
fn what_is_allowed_is_let_pass() {
    let innocent = [
        (
            "perft/leaf/paths.rs",
            "use super::{LeafCounter, scalar}; use perft_core::internals::sliders::Magic;",
        ),
        (
            "movegen/mod.rs",
            "mod inner { use super::Sink; } pub(crate) use sinks::origin; pub(super) fn f() {}",
        ),
        ("lib.rs", "pub mod chess; pub use perft_core::perft;"),
        ("bench/clock.rs", "fn f() { Instant::now(); }"),
        ("engine/process.rs", "fn f() { Command::new(name); }"),
        ("main.rs", "use crate::cli::run; fn main() { println!(\"{}\", perft_core::perft(p, 1)); }"),
        ("cli/mod.rs", "use super::Failure; use perft_core::Square;"),
        (
            "perft/mod.rs",
            "//! crate::report\n/* a /* println!() */ Command::new */ /// use perft_diagnosis;\n",
        ),
        (
            "perft/mod.rs",
            "fn f<'a>(x: &'a str) -> char { \"perft_diagnosis\"; r#\"a\"perft_diagnosis\"#; b'\"'; '\\''; '\"' }",
        ),
        (
            "perft/mod.rs",
            "#[cfg(test)]\nmod tests { use perft_diagnosis::X; fn f() { if a != b { println!(); } } }",
        ),
    ];
    for (file, source) in innocent {
        assert_eq!(accused(file, source), [], "{file}: {source}");
    }
}

#[test]
fn the_line_is_named() {
    let source = "//! Squares.\n\nuse std::fmt;\n/* two\nlines */ use perft_core::internals::{\n    types::Color,\n    position::Key,\n};\n";
    let violations = check("chess/types/square.rs", source);
    assert_eq!(
        violations[0].to_string(),
        "src/chess/types/square.rs:7: `perft_core::internals::Key`: \
         chess::types may not use chess::position, which does not stand above it"
    );
    assert_eq!(violations.len(), 1);
    assert_eq!(accused("hunt/mod.rs", "#[cfg(test)]\nmod tests {\n{}\n}\nuse crate::report::X;").len(), 1);
}
