//! The chapter "File formats" of the book lists the fields of the JSON that every command prints.
//!
//! An example is a command and its JSON, with comments after `//`. The command must print exactly the fields of the
//! example, with the same types. Lists are compared by the fields of all their items together. `...` stands for the
//! common fields, or in a list for the kinds of moves. `{...}` stands for one of `OBJECTS`, or for the kinds of moves.

use std::fs;
use std::mem::discriminant;
use std::os::unix::fs::symlink;
use std::path::Path;

use perft_testing::programs::example;
use serde_json::{Map, Value};

use crate::support::{at_once, good, text_of, write_script};
use crate::transcripts::{Transcript, printed, transcripts};

/// The fields of every report, without `report` itself.
const HEADER: [&str; 4] = ["schema_version", "program", "version", "timestamp"];

/// The fields of reports of counts, which say how they were made.
const SETTINGS: [&str; 8] =
    ["machine", "generator", "cpu_path", "threads", "table_bytes", "bulk", "mode", "memory_bytes"];

/// Objects that have the same fields in every report. An object may lack some of them.
const OBJECTS: [&[&str]; 7] = [
    &["cpu", "cores", "arch", "os"],
    &["name", "fen", "chess960"],
    &["command", "dialect", "own_name"],
    &["low", "high"],
    &["column", "others", "left_out", "unclear"],
    &["name", "topic", "about"],
    &["unit", "value", "count", "mean", "stddev", "median", "min", "max"],
];

/// More commands for a report. They print fields that the command of its example leaves out.
const MORE: [(&str, &str); 11] = [
    ("count", "perft 4 --exact --json"),
    ("divide", "perft divide 3 --hash 1M --json"),
    ("stats", "perft stats 3 --exact --json"),
    ("divide_comparison", "printf 'e2e4: 20\\na1a2: 1\\ne2e3: 19\\n' | perft divide 2 --against - --json"),
    ("divide_comparison", "perft divide talkchess moves a2a3 d8a5 1 --against ./my-engine --json"),
    ("suite", "perft suite mine.epd --hash 1M --json"),
    ("suite", "perft suite --engine fails --max-depth 1 named --json"),
    ("hunt", "perft hunt './test-engine faulty no-en-passant' --max-bugs 1 --json"),
    ("hunt", "perft hunt './test-engine counts-e2e4-twice' start 2 --dialect uci --json"),
    (
        "bench",
        "perft bench --engine 'perftree:sh -c \"exit 3\"' --generators bitboard start 2 --runs 2 --json",
    ),
    ("positions", "perft list positions --json"),
];

/// The script `my-other-engine` of the examples.
const OTHER_ENGINE: &str = "exec ./test-engine state rook-capture";

/// Two engines. The second one gives no answer.
const ENGINES: &str = r##"
[engine.mine]
command = './my-engine'
[engine.fails]
command = "sh -c 'exit 3'"
dialect = 'perftree'
profile = { total = "#1", end = "silence" }
"##;

fn examples() -> Vec<Transcript> {
    let chapter = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/file-formats.md");
    let mut examples = transcripts(&fs::read_to_string(chapter).unwrap());
    examples.retain(|example| example.output[0] == "{");
    examples
}

#[test]
fn every_command_with_json_has_an_example() {
    let folder = tempfile::tempdir().unwrap();
    good(&["generate", "man", "--folder", text_of(folder.path())]);
    for page in fs::read_dir(folder.path().join("man1")).unwrap().map(|page| page.unwrap().path()) {
        let command = page.file_stem().unwrap().to_str().unwrap().replace('-', " ");
        let has_json = fs::read_to_string(&page).unwrap().contains("\\-\\-json");
        let has_example = examples().iter().any(|example| example.command.starts_with(&command));
        assert!(has_example || !has_json, "the book has no example of {command} --json");
    }
}

#[test]
fn the_book_lists_the_fields_of_every_report() {
    let examples = examples();
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let faults = at_once(&examples, |example| faults(example, folder.path())).concat();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn prepare(folder: &Path) {
    for engine in ["my-engine", "test-engine"] {
        symlink(example(engine), folder.join(engine)).unwrap();
    }
    write_script(&folder.join("my-other-engine"), OTHER_ENGINE);
    fs::write(folder.join("mine.epd"), "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - ;D1 15 ;c0 \"pins: a rook\"\n")
        .unwrap();
    fs::write(folder.join("perft.toml"), ENGINES).unwrap();
    let campaign = text_of(&folder.join("four")).to_owned();
    good(&["campaign", "plan", "--depth", "4", "--split", "2", "--stats", "--quiet", "-o", &campaign]);
    good(&["campaign", "work", "--quiet", &campaign]);
    fs::write(folder.join("four/journals/damaged.jsonl"), "damaged\n").unwrap();
}

/// Returns the differences between an example and what its command prints.
fn faults(example: &Transcript, folder: &Path) -> Vec<String> {
    let shown = shape(example_json(&example.output));
    let name = shown["report"].as_str().expect("a report").to_owned();
    let commands = MORE.iter().filter(|(report, _)| *report == name).map(|(_, command)| *command);
    let mut found = Value::Null;
    for command in commands.chain([example.command.as_str()]) {
        let text = printed(&format!("exec 2>/dev/null\n{command}"), folder);
        let reports = serde_json::Deserializer::from_str(&text).into_iter::<Value>().map(Result::unwrap);
        for report in reports.filter(|report| report["report"] == name) {
            found = merged(found, shape(report));
        }
    }
    let mut faults = Vec::new();
    compare(&name, &shown, &found, &mut faults);
    faults
}

/// Reads the JSON of an example. Its comments are removed, and `...` is replaced by a field of this name.
fn example_json(lines: &[String]) -> Value {
    let code = lines.iter().map(|line| line.split(" //").next().unwrap_or_default().trim_end());
    let text = code.collect::<Vec<&str>>().join("\n").replace("{...}", "\"{...}\"");
    let text = text.replace(" ...,", " \"...\": null,");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

/// Returns a value in which each list has at most one item, with the fields of all its items.
fn shape(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            let item = items.into_iter().map(shape).reduce(merged);
            Value::Array(item.into_iter().collect())
        }
        Value::Object(mut fields) => {
            fields.remove("nodes_text");
            Value::Object(fields.into_iter().map(|(name, value)| (name, shape(value))).collect())
        }
        other => other,
    }
}

fn merged(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            for (name, value) in other {
                let before = one.remove(&name).unwrap_or_default();
                one.insert(name, merged(before, value));
            }
            Value::Object(one)
        }
        (Value::Array(one), Value::Array(other)) => shape(Value::Array([one, other].concat())),
        (Value::Null, value) | (value, _) => value,
    }
}

/// Compares the shapes of an example and of what was printed. A value that is `null` in one of them fits everything.
fn compare(path: &str, shown: &Value, found: &Value, faults: &mut Vec<String>) {
    match (shown, found) {
        (Value::Null, _) | (_, Value::Null) => {}
        (Value::String(shown), Value::Object(found)) if shown == "{...}" => {
            let is_one = |names: &&[&str]| found.keys().all(|name| names.contains(&name.as_str()));
            if !OBJECTS.iter().any(is_one) && !found.values().all(Value::is_number) {
                faults.push(format!("{path} has other fields: {found:?}"));
            }
        }
        (Value::Object(shown), Value::Object(found)) => compare_fields(path, shown, found, faults),
        (Value::Array(shown), Value::Array(found)) => match (shown.first(), found.first()) {
            (Some(shown), Some(found)) => compare(&format!("{path}[]"), shown, found, faults),
            (Some(one), None) if one.is_object() => faults.push(format!("{path}: no item was printed")),
            (None, Some(one)) if one.is_object() => faults.push(format!("{path}: the book shows no item")),
            _ => {}
        },
        _ if discriminant(shown) != discriminant(found) || shown.is_f64() != found.is_f64() => {
            faults.push(format!("{path} is {found}, but the book shows {shown}"));
        }
        _ => {}
    }
}

fn compare_fields(
    path: &str,
    shown: &Map<String, Value>,
    found: &Map<String, Value>,
    faults: &mut Vec<String>,
) {
    let mut common = Vec::new();
    let is_item = path.contains('.');
    if shown.contains_key("...") && !is_item {
        common.extend(HEADER);
        if found.contains_key("generator") {
            common.extend(SETTINGS);
        }
    }
    let missing = common.iter().filter(|name| !found.contains_key(**name));
    faults.extend(missing.map(|name| format!("{path}.{name} is not printed")));
    for (name, value) in shown.iter().filter(|(name, _)| *name != "...") {
        match found.get(name) {
            Some(printed) => compare(&format!("{path}.{name}"), value, printed, faults),
            None => faults.push(format!("{path}.{name} is not printed")),
        }
    }
    // The use of a table is a common field that is printed only if there is a table.
    let is_table = |name: &str| name == "table" && common.contains(&"table_bytes");
    let is_kind = |name: &str| is_item && shown.contains_key("...") && found[name].is_number();
    let is_known =
        |name: &str| shown.contains_key(name) || common.contains(&name) || is_table(name) || is_kind(name);
    let unknown = found.keys().filter(|name| !is_known(name));
    faults.extend(unknown.map(|name| format!("{path}.{name} is not in the book")));
}
