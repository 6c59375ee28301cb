//! The JSON of every command follows the published schema.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::{self, KIWIPETE, code, engine, good, out, run_with_input, text_of};

/// The validator of each report, by its name. Unlike the published schema, it does not allow fields that the schema
/// does not name.
static VALIDATORS: LazyLock<HashMap<String, Validator>> = LazyLock::new(|| {
    let mut schema = schema();
    for definition in schema["$defs"].as_object_mut().unwrap().values_mut() {
        if definition.get("properties").is_some() {
            definition["unevaluatedProperties"] = json!(false);
        }
    }
    let reports = schema.as_object_mut().unwrap().remove("oneOf").unwrap();
    let of_report = |report: &Value| {
        schema["$ref"] = report["$ref"].clone();
        let name = report["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        (name.to_owned(), validator(&schema))
    };
    reports.as_array().unwrap().iter().map(of_report).collect()
});

fn schema() -> Value {
    serde_json::from_str(include_str!("../../docs/schema/perft.json")).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::options().should_validate_formats(true).build(schema).unwrap()
}

/// Fails if a document does not follow the schema, and names the fields that are wrong.
pub fn check(document: &Value) {
    let name = document["report"].as_str().unwrap_or_else(|| panic!("not a report: {document:#}"));
    let validator = VALIDATORS.get(name).unwrap_or_else(|| panic!("no definition of '{name}'"));
    let faults: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(faults.is_empty(), "{name}:\n{}\n{document:#}", faults.join("\n"));
}

/// Returns the reports that a command prints, one on each line or a single one, with an exit code from 0 to 4.
fn reports(args: &[&str], input: &str) -> Vec<Value> {
    let output = run_with_input(args, input);
    assert!((0..=4).contains(&code(&output)), "{args:?}: {output:?}");
    let text = out(&output);
    let documents = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let documents: Vec<Value> = documents.collect::<Result<_, _>>().unwrap();
    assert!(!documents.is_empty(), "{args:?}: {output:?}");
    documents
}

/// Checks the output of a command, and returns the last report.
fn checked(args: &[&str], input: &str) -> Value {
    let mut documents = reports(args, input);
    documents.iter().for_each(check);
    documents.pop().unwrap()
}

/// The command line of an engine that fails at once.
pub const FAILING: &str = if cfg!(windows) { "cmd /c exit 3" } else { "sh -c 'exit 3'" };

#[test]
fn the_program_prints_the_published_schema() {
    assert_eq!(good(&["generate", "schema"]), include_str!("../../docs/schema/perft.json"));
    assert!(jsonschema::meta::is_valid(&schema()));
}

#[test]
fn documents_that_do_not_follow_the_schema_are_found() {
    let document = support::json(&["--depth", "2", "--json"]);
    let whole = validator(&schema());
    assert!(whole.is_valid(&document));
    let mut changes: Vec<Value> = Vec::new();
    for (field, value) in [
        ("nodes", json!("400")),
        ("timestamp", json!("today")),
        ("position", json!("start")),
        ("report", json!("divide")),
        ("results", json!([{"ply": 1}])),
        ("machine", Value::Null),
    ] {
        let mut changed = document.clone();
        changed[field] = value;
        changes.push(changed);
        let mut without = document.clone();
        without.as_object_mut().unwrap().remove(field);
        changes.push(without);
    }
    for changed in &changes {
        assert!(!whole.is_valid(changed), "{changed:#}");
    }
    let mut unknown = document;
    unknown["unknown"] = json!(1);
    assert!(whole.is_valid(&unknown), "later versions may add fields");
    assert!(!VALIDATORS["count"].is_valid(&unknown));
}

#[test]
fn counts_follow_the_schema() {
    let several = format!("{KIWIPETE}\nstart\n");
    for args in [
        &["kiwipete", "3", "--json"][..],
        &["4", "--json", "--hash", "1M", "--threads", "2"],
        &["5", "--json", "--exact", "--memory", "64M"],
        &["divide", "kiwipete", "2", "--json"],
        &["divide", "--fen", "-", "--depth", "2", "--json"],
        &["divide", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1", "--json"],
        &["unique", "3", "--json"],
        &["stats", "kiwipete", "3", "--json"],
        &["estimate", "7", "--walks", "100", "--json"],
        &["estimate", "3", "--json"],
    ] {
        checked(args, &several);
    }
}

#[test]
fn comparisons_of_divides_follow_the_schema() {
    let against = |input| checked(&["divide", "2", "--against", "-", "--json"], input);
    let found = against("e2e4: 20\na1a2: 1\ne2e3: 19\nNodes searched: 41\n");
    assert_eq!((&found["missing"][0]["nodes"], &found["extra"][0]["nodes"]), (&20.into(), &1.into()));
    assert_eq!((&found["wrong_counts"][0]["found"], &found["sum"]), (&19.into(), &40.into()));
    against("Nodes searched: 400\n");
    let faulty = engine("faulty castling-out-of-check");
    let found = checked(&["divide", "talkchess", "3", "--against", &faulty, "--json"], "");
    assert_eq!(found["engine"]["own_name"], "Faulty castling-out-of-check");
    assert!(found["next"].as_str().unwrap().starts_with("perft divide talkchess moves a2a3 2 --against "));
}

#[test]
fn lists_follow_the_schema() {
    for args in [
        &["list", "generators", "--json"][..],
        &["list", "engines", "--json"],
        &["diagnose", "--list", "--json"],
        &["list", "positions", "--json"],
    ] {
        checked(args, "");
    }
    let one = checked(&["list", "positions", "kiwipete", "--json"], "");
    assert_eq!((&one["cases"][0]["position"]["fen"], &one["suites"]), (&KIWIPETE.into(), &json!([])));
    assert_eq!(one["cases"][0]["counts"][2], json!({"depth": 3, "nodes": 97862}));
    let suite = checked(&["list", "positions", "standard", "--json"], "");
    assert_eq!(suite["suites"][0]["positions"], suite["cases"].as_array().unwrap().len());
    assert!(support::refused(&["list", "positions", "invalid", "--json"]).contains("leave out --json"));
    assert!(support::refused(&["list", "positions", "nowhere", "--json"]).contains("lists all names"));
}

#[test]
fn checks_of_generators_follow_the_schema() {
    let wrong = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - ;D1 15 ;id \"wrong\" ;c0 \"pins: a rook\"\n";
    checked(&["suite", "-", "--json"], wrong);
    checked(&["suite", "named", "--max-depth", "2", "--json", "--hash", "1M"], "");
    let faulty = engine("faulty castling-out-of-check");
    checked(&["suite", "-", "--dialect", "uci", "--engine", &faulty, "--json"], wrong);
    checked(&["suite", "-", "--dialect", "perftree", "--engine", FAILING, "--json"], wrong);
    checked(&["hunt", "--generators", "all", "--random", "500", "--json"], "");
    let found = checked(&["diagnose", "kiwipete", "3:97817", "start", "1:20", "--json"], "");
    assert_eq!((&found["counts"][1]["right"], &found["complete"]), (&true.into(), &true.into()));
    checked(&["diagnose", "4:197281", "--json"], "");
}

#[test]
fn hunts_follow_the_schema() {
    let faulty = engine("faulty castling-out-of-check");
    checked(&["hunt", "--fen", KIWIPETE, "-d", "3", "--engine", &faulty, "--json"], "");
    let silent = ["hunt", "--fen", "start", "-d", "1", "--dialect", "perftree", "--engine", FAILING];
    checked(&[&silent[..], &["--json"]].concat(), "");
    let perft = format!("'{}' uci", env!("CARGO_BIN_EXE_perft"));
    let both = ["--engine", &faulty, "--reference", &perft, "--json"];
    let found = checked(&[&["hunt", "--random", "2000"][..], &both].concat(), "");
    assert_eq!(found["differences"].as_array().unwrap().len(), 1);
}

#[test]
fn probes_follow_the_schema() {
    let perft = format!("'{}' uci", env!("CARGO_BIN_EXE_perft"));
    let found = checked(&["probe", &perft, "--json"], "");
    assert_eq!(found["state"]["prints"], json!(["fen", "key", "half-move-clock", "move-number"]));
    let found = checked(&["probe", FAILING, "--json"], "");
    assert_eq!(found["dialect"], Value::Null);
}

/// Checks the report in a file.
fn check_file(path: &Path) {
    check(&serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap());
}

#[test]
fn benchmarks_and_exported_files_follow_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.json");
    let quick = ["start", "kiwipete", "--depth", "2", "--runs", "2", "--quiet", "--json"];
    good(&["--depth", "3", "--export-json", text_of(&file)]);
    check_file(&file);
    checked(&[&["bench"][..], &quick, &["--export-json", text_of(&file)]].concat(), "");
    check_file(&file);
    let against = ["--against", env!("CARGO_BIN_EXE_perft"), "--max-regression", "99%"];
    let found = checked(&[&["bench"][..], &quick, &against].concat(), "");
    assert!(found["contenders"][0]["gate"].is_string() && found["results"][1]["contender"].is_string());
    let perft = format!("'{}' uci", env!("CARGO_BIN_EXE_perft"));
    let contenders = ["--generator", "bitboard,magic", "--engine", &perft, "--engine", FAILING];
    let found = checked(&[&["bench"][..], &quick, &contenders].concat(), "");
    assert_eq!(found["contenders"].as_array().unwrap().len(), 4);
}

#[test]
fn campaigns_follow_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("five");
    let dir = text_of(&place);
    good(&["campaign", "plan", "--depth", "4", "--split", "2", "--unit-positions", "100", "-o", dir]);
    let found = checked(&["campaign", "merge", dir, "--json"], "");
    assert_eq!((&found["complete"], found.get("nodes")), (&false.into(), None));
    good(&["campaign", "work", dir]);
    let certificate = folder.path().join("certificate.json");
    let found = checked(&["campaign", "merge", dir, "--json", "--certificate", text_of(&certificate)], "");
    assert_eq!(found["campaign"]["position"]["chess960"], false);
    check_file(&certificate);
}

/// Every command with an option for JSON is run above.
#[test]
fn no_command_is_forgotten() {
    let source = include_str!("schema.rs");
    let folder = tempfile::tempdir().unwrap();
    good(&["generate", "man", "--folder", text_of(folder.path())]);
    let mut with_json = Vec::new();
    for page in std::fs::read_dir(folder.path().join("man1")).unwrap() {
        let path = page.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let command =
            name.split('-').skip(1).map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
        if std::fs::read_to_string(&path).unwrap().contains("\\-\\-json") && !command.is_empty() {
            assert!(source.contains(&command), "{name} has JSON that no test checks");
            with_json.push(name);
        }
    }
    assert!(with_json.len() >= 12, "{with_json:?}");
}
