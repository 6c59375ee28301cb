//! Text whose lines end with CR LF, as on Windows, is read like other text, on every system.

use std::fs;

use super::support::{code, engine, err, out, program, run, run_with_input, text_of};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn suites() {
    let folder = tempfile::tempdir().unwrap();
    let suite = format!("# a comment\r\n\r\n{START} ;D1 20 ;D2 400\r\n{START} ;D1 20 ;id \"two\"\r\n");
    let file = folder.path().join("suite.epd");
    fs::write(&file, &suite).unwrap();
    for output in [run(&["suite", text_of(&file)]), run_with_input(&["suite", "-"], &suite)] {
        assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{}", out(&output));
    }
    // The number of the last line is right, and no line is read twice.
    let wrong = suite.replace("D2 400\r\n", "D2 401\r\n");
    let output = run_with_input(&["suite", "-"], &wrong);
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(out(&output).contains("400") && !out(&output).contains('\r'), "{}", out(&output));
}

#[test]
fn positions_on_standard_input() {
    let output = run_with_input(&["--fen", "-", "-d", "2", "--single"], &format!("{START}\r\nkiwipete\r\n"));
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
    assert!(out(&output).contains("400") && out(&output).contains("2039"), "{}", out(&output));
}

#[test]
fn uci_commands() {
    let output = run_with_input(&["uci"], "uci\r\nposition startpos moves e2e4\r\ngo perft 2\r\nquit\r\n");
    assert!(out(&output).contains("Nodes searched: 600"), "{}", out(&output));
}

#[test]
fn what_engines_print() {
    let engine = engine("crlf");
    let output = run(&["hunt", "--fen", START, "-d", "3", "--engine", &engine]);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    let output = run(&["probe", "--engine", &engine]);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    assert!(!out(&output).contains("\\r"), "{}", out(&output));
}

#[test]
fn files_with_names_of_engines() {
    let folder = tempfile::tempdir().unwrap();
    let toml = folder.path().join("perft.toml");
    let program = program().display().to_string();
    fs::write(
        &toml,
        format!("# mine\r\n[engine.mine]\r\ncommand = ['{program}', 'uci']\r\ntimeout = 20\r\n"),
    )
    .unwrap();
    let output = run(&["hunt", "--config", text_of(&toml), "--engine", "mine", "--fen", START, "-d", "2"]);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    fs::write(&toml, "# mine\r\n[engine.mine]\r\ncomand = 'x'\r\n").unwrap();
    let output = run(&["list", "engines", "--config", text_of(&toml)]);
    assert!(err(&output).contains("perft.toml:3:1") && !err(&output).contains('\r'), "{}", err(&output));
}

/// The journals of the campaign were changed by a program that converts line ends. All their lines are complete.
#[test]
fn journals() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = folder.path().join("campaign");
    let campaign = text_of(&campaign);
    for arguments in [
        &["campaign", "plan", "-d", "4", "--split", "2", "-o", campaign][..],
        &["campaign", "work", campaign],
    ] {
        assert_eq!(code(&run(arguments)), 0);
    }
    for journal in fs::read_dir(folder.path().join("campaign/journals")).unwrap() {
        let path = journal.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    }
    let output = run(&["campaign", "merge", campaign]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out(&output).contains("197281"), "{}", out(&output));
}
