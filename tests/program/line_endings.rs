//! Text whose lines end with CR LF, as on Windows, is read like other text, on every system.

use std::fs;

use super::support::{Folder, START, engine, err, out, program, run_with_input};

#[test]
fn suites() {
    let folder = Folder::new();
    let suite = format!("# a comment\r\n\r\n{START} ;D1 20 ;D2 400\r\n{START} ;D1 20 ;id \"two\"\r\n");
    folder.write("suite.epd", &suite);
    assert_eq!(folder.line(0, "suite suite.epd").1, "");
    let output = run_with_input(&["suite", "-"], &suite);
    assert!(output.status.success() && err(&output).is_empty(), "{}", out(&output));
    // The number of the last line is right, and no line is read twice.
    folder.write("suite.epd", &suite.replace("D2 400\r\n", "D2 401\r\n"));
    let (text, _) = folder.line(1, "suite suite.epd");
    assert!(text.contains("400") && !text.contains('\r'), "{text}");
}

#[test]
fn positions_on_standard_input() {
    let output = run_with_input(&["--fen", "-", "-d", "2", "--single"], &format!("{START}\r\nkiwipete\r\n"));
    assert_eq!(err(&output), "");
    assert!(out(&output).contains("400") && out(&output).contains("2039"), "{}", out(&output));
}

#[test]
fn uci_commands() {
    let output = run_with_input(&["uci"], "uci\r\nposition startpos moves e2e4\r\ngo perft 2\r\nquit\r\n");
    assert!(out(&output).contains("Nodes searched: 600"), "{}", out(&output));
}

#[test]
fn what_engines_print() {
    let (folder, engine) = (Folder::new(), engine("crlf"));
    folder.expect(0, &["hunt", "--fen", START, "-d", "3", "--engine", &engine]);
    let (text, _) = folder.expect(0, &["probe", "--engine", &engine]);
    assert!(!text.contains("\\r"), "{text}");
}

#[test]
fn files_with_names_of_engines() {
    let folder = Folder::new();
    let program = program().display().to_string();
    let toml = format!("# mine\r\n[engine.mine]\r\ncommand = ['{program}', 'uci']\r\ntimeout = 20\r\n");
    folder.write("perft.toml", &toml);
    folder.line(0, "hunt --config perft.toml --engine mine --fen start -d 2");
    folder.write("perft.toml", "# mine\r\n[engine.mine]\r\ncomand = 'x'\r\n");
    let (_, said) = folder.line(2, "list engines --config perft.toml");
    assert!(said.contains("perft.toml:3:1") && !said.contains('\r'), "{said}");
}

/// The journals of the campaign were changed by a program that converts line ends. All their lines are complete.
#[test]
fn journals() {
    let folder = Folder::new();
    folder.line(0, "campaign plan -d 4 --split 2 -o campaign");
    folder.line(0, "campaign work campaign");
    for journal in fs::read_dir(folder.path("campaign/journals")).unwrap() {
        let path = journal.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    }
    assert!(folder.line(0, "campaign merge campaign").0.contains("197281"));
}
