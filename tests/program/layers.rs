//! The order of the folders within a crate, and the actions that only some folders may do.
//!
//! The compiler keeps the borders between crates. Within a crate, this test reads the source statement by statement,
//! without comments and unit tests. It finds the paths that begin with `crate::`, and the paths that lead to the root
//! through `super::`.

use std::fs;
use std::path::Path;

/// The crates with an order of folders. A file may use its own folder and those before it.
const ORDERS: [(&str, &[&str]); 2] = [
    (
        "crates/core/src",
        &[
            "random",
            "cpu",
            "types",
            "attacks",
            "position",
            "movegen",
            "leaf_counter",
            "stop",
            "perft",
            "suite",
        ],
    ),
    ("src", &["windows", "command_line", "files", "engine", "bench", "campaign", "report", "cli"]),
];

/// Crates whose files are only searched for [`RESTRICTED`].
const OTHERS: [&str; 4] = ["crates/count/src", "crates/diagnosis/src", "crates/lab/src", "crates/leaf/src"];

/// Actions that only some folders of the program may do: the name, the texts that show the action, and the folders.
const RESTRICTED: [(&str, &[&str], &[&str]); 5] = [
    ("prints", &["print!(", "println!(", "dbg!(", "io::stdout", "io::stderr"], &["cli"]),
    ("reads arguments", &["env::args"], &["cli"]),
    ("ends the program", &["process::exit", "process::abort"], &["cli"]),
    ("reads a clock", &["Instant::now", "SystemTime::now"], &["bench", "engine", "cli"]),
    ("starts a process", &["Command::new"], &["engine", "cli"]),
];

/// The only module of a library with an action of [`RESTRICTED`]: it reads a clock, to distinguish a script from a
/// client.
const EXCEPTION: (&str, &str) = ("serve", "reads a clock");

#[test]
fn the_source_keeps_its_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut violations = Vec::new();
    for (source, order) in ORDERS.into_iter().chain(OTHERS.map(|source| (source, &[] as &[&str]))) {
        let mut files = Vec::new();
        collect(&root.join(source), &mut Vec::new(), &mut files);
        assert!(files.len() > 5, "found no source in {source}");
        for (module, text) in files {
            let found = violations_in(&module, &text, order);
            violations.extend(found.into_iter().map(|violation| format!("{source}: {violation}")));
        }
    }
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

/// Collects the source files below a folder, each with the path of its module.
fn collect(folder: &Path, module: &mut Vec<String>, files: &mut Vec<(Vec<String>, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_folder_itself = ["mod", "lib", "main"].contains(&name.as_str());
        // A file of unit tests, such as `estimate_tests.rs`.
        let is_tests = name.ends_with("tests");
        module.push(name);
        if path.is_dir() {
            collect(&path, module, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_tests {
            let end = module.len() - usize::from(is_folder_itself);
            files.push((module[..end].to_vec(), fs::read_to_string(&path).unwrap()));
        }
        module.pop();
    }
}

/// Returns the violations of one file, each with the last line of its statement.
///
/// Without an order, a file may use every folder of its crate.
fn violations_in(module: &[String], text: &str, order: &[&str]) -> Vec<String> {
    // The root of a crate, `lib.rs` or `main.rs`, may use all folders.
    let Some(folder) = module.first().map(String::as_str) else { return Vec::new() };
    let rank = |name: &str| order.iter().position(|other| *other == name);
    let mut violations = Vec::new();
    if !order.is_empty() && rank(folder).is_none() {
        violations.push(format!("{folder}: this folder has no place in the order"));
    }
    // Unit tests are at the end of a file.
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    let code: Vec<&str> = code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut line = 1;
    // An import over several lines is one statement.
    for statement in code.join("\n").split(';') {
        line += statement.matches('\n').count();
        let mut report = |what: String| violations.push(format!("{}:{line} {what}", module.join("::")));
        for used in used_folders(statement, module.len()) {
            if rank(used).is_some_and(|used| rank(folder).is_some_and(|own| used > own)) {
                report(format!("uses {used}, which comes after {folder}"));
            }
        }
        for (what, texts, allowed) in RESTRICTED {
            let is_allowed = match order.is_empty() {
                true => (folder, what) == EXCEPTION,
                false => rank(folder).is_some() && allowed.contains(&folder),
            };
            if !is_allowed && texts.iter().any(|text| statement.contains(text)) {
                report(format!("{what}, which only {} may do", allowed.join(", ")));
            }
        }
    }
    violations
}

/// Returns the names at the root of the crate that a statement uses. `depth` is the length of the module's path.
fn used_folders(statement: &str, depth: usize) -> Vec<&str> {
    let to_root = "super::".repeat(depth);
    let paths = statement.split("crate::").skip(1).chain(statement.split(&to_root).skip(1));
    let first_name = |path: &str| path.find(|letter: char| letter != '_' && !letter.is_alphanumeric());
    paths
        .flat_map(|path| match path.strip_prefix('{') {
            None => vec![path],
            Some(group) => group.split(',').map(str::trim_start).collect(),
        })
        .map(|path| &path[..first_name(path).unwrap_or(path.len())])
        .collect()
}

/// Returns how many violations a file of the program has.
fn count_violations(module: &str, text: &str) -> usize {
    let module: Vec<String> = module.split("::").map(str::to_owned).collect();
    violations_in(&module, text, ORDERS[1].1).len()
}

#[test]
fn planted_violations_are_found() {
    for (module, text) in [
        ("engine", "use crate::bench::Clock;"),
        ("engine::uci", "use crate::{\n    engine::Engine,\n    report::Table,\n};"),
        ("bench", "use super::report::Table;"),
        ("bench::clock", "fn f(t: &super::super::report::Table) {}"),
        ("campaign::plan", "fn f() { println!(\"\"); }"),
        ("report::json", "use std::io::stdout;"),
        ("campaign", "fn f() { std::process::exit(1); }"),
        ("campaign", "let start = Instant::now();"),
        ("report", "Command::new(\"x\");"),
        ("extra", "fn f() {}"),
    ] {
        assert_eq!(count_violations(module, text), 1, "{module}: {text}");
    }
}

#[test]
fn allowed_code_passes() {
    for (module, text) in [
        ("bench", "use crate::engine::Engine;\nlet start = Instant::now();"),
        ("report::json", "use super::report; use super::{cli, Nodes};"),
        ("cli::count", "use crate::report::grouped;\nanstream::println!();"),
        ("engine::process", "Command::new(name);"),
        ("engine", "// crate::bench prints with println!(\nfn f() {}"),
        ("engine", "fn f() {}\n#[cfg(test)]\nmod tests { use crate::bench::Clock; }"),
    ] {
        assert_eq!(count_violations(module, text), 0, "{module}: {text}");
    }
}
