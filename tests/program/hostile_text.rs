//! Text from others that would control the terminal, hide other text or break an export. No command passes it on.

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin_cmd;
#[cfg(target_os = "linux")]
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::support::{at_once, program, text_of};

/// Characters that set the title, clear the screen and change the direction of text, and markup of HTML and Markdown.
const MARKS: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}2J\u{7f}\u{202e}\u{200f}\u{2028}|<img>[a](b)";

/// Commands that ask an engine. `{engine}` is its name in `perft.toml`.
const COMMANDS: &[&str] = &[
    "suite evil.epd --engine {engine}",
    "hunt evil.epd --engine {engine} --max-questions 20",
    "probe {engine} --save other",
    "divide 1 --against {engine}",
    "bench start --depth 1 --runs 2 --engine {engine} --export-html a.html",
    "bench start --depth 1 --runs 2 --engine {engine} --quiet --format markdown",
    "bench start --depth 1 --runs 2 --engine {engine} --quiet --format csv",
];

/// Returns a folder with a hostile name. It contains engines, suites and a divide.
fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix(&MARKS.replace('/', "")).tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    // The name of the first engine, what it says before its total, and the whole output of the second one are hostile. A wrong
    // count takes long, because it is not known when its answer is over. So only one at depth 2 is wrong.
    let script = format!(
        "echo '{MARKS}' >&2\n'{}' uci | sed -u 's,^id name.*,id name {MARKS},; s,^g1h3: 20$,g1h3: 21,; s,^Nodes,{MARKS} e2e4 e2e5 7\\n&,'\n",
        text_of(&program())
    );
    write("evil.sh", &script);
    write("crash.sh", &format!("echo '{MARKS}'\necho '{MARKS}' >&2\nexit 3\n"));
    write(
        "perft.toml",
        "[engine.evil]\ncommand = 'sh evil.sh'\ndialect = 'uci'\n[engine.crash]\ncommand = 'sh crash.sh'\n",
    );
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    write("evil.epd", &format!("{start} ;D1 20 ;D2 400 ;id \"{MARKS}\" ;c0 \"{MARKS}\"\n"));
    write("wrong.epd", &format!("{start} ;D1 21 ;id \"{MARKS}\"\n"));
    write("faulty.epd", &format!("{start} ;D1 20\n{start} {MARKS};{MARKS} 5\n"));
    write("divide.txt", &format!("e2e4: 20\n{MARKS} e2e5 4\ne2e3: 20\n"));
    write(&format!("{MARKS}.epd"), &format!("{start} ;D1 20\n"));
    folder
}

/// Runs the program in the folder and returns its whole output, which must not control a terminal.
fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = cargo_bin_cmd!("perft").current_dir(folder).args(arguments).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    check(&text, &format!("{arguments:?}"));
    text
}

fn check(text: &str, what: &str) {
    let is_evil = |letter: char| {
        letter != '\n' && (letter.is_control() || MARKS.contains(letter) && !letter.is_ascii())
    };
    assert!(!text.contains(is_evil), "{what}: {text:?}");
}

#[test]
fn no_engine_controls_the_terminal() {
    at_once(&["evil", "crash"], |engine| never_controls_the_terminal(engine));
}

fn never_controls_the_terminal(engine: &str) {
    let folder = folder();
    let texts = at_once(COMMANDS, |command| {
        let words: Vec<&str> =
            command.split(' ').map(|word| if word == "{engine}" { engine } else { word }).collect();
        run(folder.path(), &words)
    });
    let shown = texts.iter().filter(|text| text.contains("\\x1b]0;title\\x07")).count();
    assert!(shown >= 5, "{engine}: {shown} of {texts:#?}");
    let page = fs::read_to_string(folder.path().join("a.html")).unwrap_or_default();
    check(&page, "a.html");
    let formatted = COMMANDS.iter().zip(&texts).filter(|(command, _)| command.contains("--format"));
    for line in formatted.flat_map(|(_, text)| text.lines()).chain(page.lines()) {
        let has_markup = line.contains("<img>") || line.contains(" [a](");
        assert!(!has_markup || line.starts_with("note: "), "{line}");
    }
}

#[test]
fn no_file_controls_the_terminal() {
    let folder = folder();
    let run = |arguments: &[&str]| run(folder.path(), arguments);
    for arguments in [
        &["suite", "evil.epd"][..],
        &["suite", "wrong.epd"],
        &["suite", "wrong.epd", "--json"],
        &["suite", "faulty.epd"],
        &["divide", "3", "--against", "divide.txt"],
        &["list", "engines"],
    ] {
        run(arguments);
    }
    assert!(run(&["suite", "wrong.epd"]).contains("\\u{202e}"));
    let name = format!("{MARKS}.epd");
    assert!(run(&["suite", &name]).contains("has control characters"));
}

/// An entry of `perft.toml` with strings in all its fields.
#[cfg(target_os = "linux")]
const ENTRY: &str = r#"[engine."mine"]
command = "sh evil.sh"
handshake = "uci"
ask = ["position fen {fen} moves {moves}", "go perft {depth}"]
options = { "Hash" = "16" }
launch = "once"
folder = "."
ask_state = "d"
total = "searched: (\\d+)"
move = "(\\S+): (\\d+)"
profile = { total = "node searched", end = "ready" }
"#;

/// Returns the bytes that the program writes to a terminal. Styles are removed, and so is the erasing of progress bars.
#[cfg(target_os = "linux")]
fn on_terminal(folder: &Path, arguments: &[&str]) -> String {
    let quoted = |word: &&str| format!("'{}'", word.replace('\'', "'\\''"));
    let words: Vec<String> = arguments.iter().map(quoted).collect();
    let command = format!("stty rows 24 cols 200; exec '{}' {}", text_of(&program()), words.join(" "));
    let mut script = Command::new("script");
    script.args(["--quiet", "--command", &command, "/dev/null"]).current_dir(folder);
    let output = script.env("SHELL", "/bin/sh").env("TERM", "xterm").stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    let plain = parts.fold(first, |plain, part| {
        let end = part.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ';');
        match end.strip_prefix(['m', 'K', 'A', 'B']) {
            Some(rest) => plain + rest,
            None => plain + "\x1b[" + part,
        }
    });
    plain.replace('\r', "")
}

/// Every text that a command reads is hostile: the strings of JSON and TOML after their escapes, the names of files, and
/// what programs print.
#[test]
#[cfg(target_os = "linux")]
fn nothing_hostile_reaches_a_terminal() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let marks = serde_json::to_string(MARKS).unwrap();
    let good = |arguments: &[&str]| {
        let output = cargo_bin_cmd!("perft").current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    fs::write(
        path("divide.json"),
        format!("[{{\"move\": {marks}, \"nodes\": 20}}, {{\"move\": \"e2e4\", \"nodes\": 21}}]"),
    )
    .unwrap();
    good(&["bench", "start", "1", "--runs", "2", "--export-json", "baseline.json"]);
    good(&["campaign", "plan", "3", "--split", "1", "-o", "campaign"]);
    good(&["campaign", "work", "campaign"]);
    let journals = || fs::read_dir(path("campaign/journals")).unwrap().map(|entry| entry.unwrap().path());
    // Each string of a report and of a journal in turn, with the right checksum.
    let baseline = fs::read_to_string(path("baseline.json")).unwrap();
    let strings: BTreeSet<&str> = baseline.split('"').skip(1).step_by(2).collect();
    let strings: Vec<(usize, &str)> = strings.into_iter().enumerate().collect();
    at_once(&strings, |(number, string)| {
        let name = format!("{number}.json");
        fs::write(path(&name), baseline.replace(&format!("\"{string}\""), &marks)).unwrap();
        let bench = ["bench", "start", "1", "--runs", "2", "--baseline", &name];
        check(&on_terminal(folder.path(), &bench), string);
    });
    // Each string of a configuration in turn.
    fs::write(path("entry.toml"), ENTRY).unwrap();
    good(&["list", "engines", "--config", "entry.toml"]);
    let escaped: String = MARKS.chars().map(|letter| format!("\\U{:08x}", u32::from(letter))).collect();
    let strings: Vec<(usize, &str)> = ENTRY.split('"').skip(1).step_by(2).enumerate().collect();
    at_once(&strings, |(number, string)| {
        let name = format!("{number}.toml");
        let entry = ENTRY.replacen(&format!("\"{string}\""), &format!("\"{escaped}\""), 1);
        fs::write(path(&name), entry).unwrap();
        for command in ["list engines", "list engines --json", "divide 1 --against mine", "probe mine"] {
            let words: Vec<&str> = command.split(' ').chain(["--config", &name]).collect();
            check(&on_terminal(folder.path(), &words), string);
        }
    });
    let journal = journals().next().unwrap();
    let line = fs::read_to_string(&journal).unwrap();
    let (body, _) = line.split_once(",\"check\"").unwrap();
    for string in body.split('"').skip(1).step_by(2) {
        let body = body.replacen(&format!("\"{string}\""), &marks, 1);
        let sum: String =
            Sha256::digest(body.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        fs::write(&journal, format!("{line}{body},\"check\":\"{sum}\"}}\n")).unwrap();
        for flag in ["--verbose", "--json"] {
            check(&on_terminal(folder.path(), &["campaign", "merge", "campaign", flag]), string);
        }
    }
    fs::write(&journal, line.replace("\"nodes\":", "\"nodes\":1")).unwrap();
    let evil = format!("{MARKS}.jsonl").replace('/', "");
    fs::copy(&journal, path("campaign/journals").join(evil)).unwrap();
    for arguments in [
        &["campaign", "merge", "campaign"][..],
        &["campaign", "merge", "campaign", "--json"],
        &["divide", "2", "--against", "divide.json"],
        &["divide", "2", "--against", "divide.json", "--json"],
        &["diagnose", "divide.json", "--depth", "2"],
        &["suite", "evil.epd", "--json"],
        &["suite", "faulty.epd"],
        &["list", "engines", "--json"],
        &["probe", "evil"],
        &["divide", "2", "--against", "crash"],
    ] {
        let text = on_terminal(folder.path(), arguments);
        assert!(!text.is_empty(), "{arguments:?}");
        check(&text, &format!("{arguments:?}"));
    }
}

#[test]
fn files_without_an_end_are_refused() {
    for arguments in [
        &["list", "engines", "--config", "/dev/zero"][..],
        &["bench", "start", "-d", "1", "--baseline", "/dev/zero"],
    ] {
        let text = run(Path::new("."), arguments);
        assert!(text.contains("it has more than "), "{text}");
    }
}
