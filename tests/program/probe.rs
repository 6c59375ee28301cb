//! `perft probe`, and engines that are asked in other ways than `go perft N`.

use serde_json::Value;

use crate::support::{Folder, at_once, code, err, out, program, report, run, unfolded};
#[cfg(target_os = "linux")]
use crate::support::{OnTerminal, ended_within, interrupt, until};

fn imitation(name: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/imitate.sh");
    format!("sh '{script}' '{}' {name}", program().display())
}

fn python(script: &str, mode: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines");
    format!("python3 '{folder}/{script}' '{}' {mode}", program().display())
}

/// Programs of a survey: the name, the dialect in which each is found, and whether it lists moves.
const SURVEY: &[(&str, &str, bool)] = &[
    ("stockfish", "uci", true),
    ("obsidian", "uci", true),
    ("rawr-totals", "uci", false),
    ("lizard", "uci", true),
    ("viridithas", "uci-go-divide", true),
    ("rawr", "uci-go-split", true),
    ("tcheran", "uci-d-perftdiv", true),
    ("avalanche", "uci-perftdiv", true),
    ("stormphrax", "uci-splitperft", true),
    ("drofa", "uci-perft", true),
    // The program prints moves on standard error, later than the total on standard output.
    ("split", "uci-perft", true),
    ("laser", "uci-perft", false),
    ("simple", "uci-simpleperft", true),
    ("weiss", "uci-perft-fen", false),
    ("pychess", "cecp-perft-root", true),
    ("sd", "cecp-sd-divide", true),
    ("inanis", "dperft-fen", true),
    ("blunder", "fen-dperft", true),
    ("pos", "pos-perft", true),
    ("zahak", "args-perft-tree", true),
    ("lperft", "args-depth-fen", true),
    ("pedantic", "args-perft-type", true),
    ("amoeba", "args-perft-div", true),
    ("templechess", "args-perft-fen", true),
    // Programs that print more than their counts.
    ("currmove", "uci", true),
    ("progress", "uci", true),
    ("bar", "uci", true),
    ("glued", "uci", true),
    ("behind", "fen-perft", true),
    ("deeper", "custom", true),
    ("load-fen", "load-fen-perft", true),
    ("divide-fen", "divide-n-fen", true),
    ("letter", "p-fen", true),
    ("go-perft", "position-go-perft", true),
    ("custom", "clear-custom-perft", true),
    ("fen-word", "args-n-fen-divide", true),
];

#[test]
fn the_programs_of_a_survey_are_found_out() {
    at_once(SURVEY, |&(name, dialect, lists_moves)| {
        let output = run(&["divide", "kiwipete", "2", "--json", "--against", &imitation(name)]);
        assert_eq!(code(&output), 0, "{name}: {}", err(&output));
        let report = report(&out(&output));
        assert_eq!(report["engine"]["dialect"], dialect, "{name}: {report:#}");
        assert_eq!(report["agreeing"], if lists_moves { 48 } else { 0 }, "{name}: {report:#}");
    });
}

/// The program prints only totals in the first way to ask that it understands.
#[test]
fn a_probe_looks_for_a_way_in_which_moves_are_listed() {
    let output = run(&["probe", "--json", &imitation("div"), "--ask-state", "d"]);
    let report = report(&out(&output));
    assert_eq!((code(&output), &report["dialect"]), (0, &"uci-perft-div".into()), "{report:#}");
    let skills = &report["skills"];
    assert_eq!((&skills["right_answers"], &skills["questions"]), (&8.into(), &8.into()), "{report:#}");
    assert_eq!((&skills["lists_moves"], &skills["plays_moves"]), (&true.into(), &true.into()), "{report:#}");
    assert_eq!(report["unread"], Value::from(Vec::<String>::new()), "{report:#}");
}

/// A row of [`ODD`].
type Odd = (&'static str, &'static [&'static str], &'static str, &'static str, i32, &'static str);

/// Programs that print or do something odd: the name, how each is asked, the position and the depth, the exit code of a
/// hunt, and a text of its output.
const ODD: &[Odd] = &[
    ("board", &["--dialect", "fen-perft"], "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "3", 0, "no bug found"),
    ("rows", &["--dialect", "setboard-perft"], "start", "3", 0, "no bug found"),
    ("depth", &["--dialect", "uci-perft"], "6k1/8/8/2PPP3/r2K4/3PP3/8/8 w - - 0 1", "1", 0, "no bug found"),
    ("limit", &["--dialect", "uci-perft"], "k7/8/1K6/8/8/8/8/8 b - - 0 1", "7", 0, "perft depth must be 1-6"),
    ("traceback", &["--dialect", "uci-perft"], "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "2", 4, "IndexError"),
    ("rejects", &["--dialect", "uci-perft"], "kiwipete", "2", 0, "gets each position as a FEN"),
    ("menu", &["--ask", "{fen}", "--ask", "{depth}"], "kiwipete", "1", 0, "no bug found"),
    ("crash", &["--dialect", "uci-perft"], "kiwipete", "1", 4, "double free"),
    (
        "state",
        &["--dialect", "fen-perft", "--state", "--ask-state", "d"],
        "4k3/8/8/8/8/8/8/1N2K3 w - - 3 7",
        "1",
        0,
        "no bug found",
    ),
];

#[test]
fn odd_programs_are_not_accused() {
    at_once(ODD, |&(name, asked, fen, depth, expected, words)| {
        let engine = imitation(name);
        let output = run(&[&["hunt", &engine, "--fen", fen, "--depth", depth], asked].concat());
        let said = out(&output) + &err(&output);
        assert_eq!(code(&output), expected, "{name}: {said}");
        assert!(unfolded(&said).contains(words), "{name}: {said}");
    });
}

/// The program writes the captured piece in front of the square, and castling as `00` and `000`.
#[test]
fn captures_may_name_the_captured_piece() {
    let output = run(&["probe", "-v", &python("captures.py", ""), "--dialect", "lines", "--ask-state", "d"]);
    let text = out(&output);
    assert!(text.contains("moves        listed at every depth\n"), "{text}");
    assert!(text.contains("counts       8 of 8 right\n"), "{text}");
    assert!(text.contains("\n[engine.\"captures\"]\n"), "the script gives the name: {text}");
}

/// Every way to ask is tried. One of the programs prints nothing at all. Until a program is given up, the user is told
/// what the command is doing.
#[test]
fn a_program_without_perft_is_given_up() {
    let [searcher, no_perft, wrong] = ["searcher", "no-perft", "wrong"].map(imitation);
    let silent = ["sleep 30", "--engine-timeout", "3"];
    let cases = [
        (vec!["probe", "--json", &searcher], &[][..]),
        (vec!["suite", "--engine", &no_perft], &["ways to ask it for a perft were tried", "--ask"]),
        (vec!["suite", "--engine", &wrong], &["Nodes: 19"]),
        ([&["hunt"][..], &silent].concat(), &["finding out how to ask sleep 30"]),
        ([&["probe"][..], &silent].concat(), &["trying the ways to ask sleep 30"]),
    ];
    at_once(&cases, |(arguments, words)| {
        let output = run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), 4, "{arguments:?}: {errors}");
        assert!(words.iter().all(|words| errors.contains(words)), "{arguments:?}: {errors}");
        if arguments.contains(&"--json") {
            let report = report(&out(&output));
            assert_eq!(report["dialect"], Value::Null, "{report:#}");
            assert!(report["tried"].as_array().unwrap().len() > 20, "{report:#}");
        }
    });
}

/// One program waits with `select` and reads with a buffer: if two lines come together, it sees only the first one. The
/// other looks for input all the time, so it is never idle.
#[test]
#[cfg(unix)]
fn programs_that_read_their_input_in_odd_ways_are_understood() {
    let modes = [("uci", "uci"), ("console", "setboard-perft"), ("busy", "uci")];
    at_once(&modes, |(mode, dialect)| {
        let engine = python("selecting.py", mode);
        let given = ["--dialect", dialect];
        let suite = run(&[&["suite", "named", "--max-depth", "2", "--engine", &engine][..], &given].concat());
        assert!(out(&suite).contains("14 counts, all right\n"), "{mode}: {}{}", out(&suite), err(&suite));
        let divide = run(&[&["divide", "kiwipete", "2", "--against", &engine][..], &given].concat());
        assert!(
            out(&divide).contains("they agree: 48 moves, 2,039 leaf nodes\n"),
            "{mode}: {}",
            out(&divide)
        );
    });
}

/// The program hangs at each count of depth 3. The other questions show how it prints its counts.
#[test]
fn a_question_at_which_a_program_hangs_is_named() {
    let output = run(&["probe", &imitation("hangs"), "--dialect", "uci", "--engine-timeout", "5"]);
    let text = out(&output);
    assert!(code(&output) == 4 && text.contains("5 of 8 right\n"), "{text}");
    let missing = text.lines().filter(|line| line.contains("depth 3: the engine did not answer within "));
    assert_eq!(missing.count(), 3, "{text}");
}

/// Without arguments, the program does not read its input. So it is asked only with arguments.
#[test]
#[cfg(target_os = "linux")]
fn a_program_that_does_not_read_its_input_is_asked_with_arguments() {
    let folder = Folder::new();
    let divide = ["divide", "kiwipete", "2", "--engine-timeout", "5", "--engine-log", "log", "--against"];
    let output = folder.run(&[&divide[..], &[&imitation("dashes")]].concat());
    assert!(err(&output).contains("in the dialect args-depth-fen-div"), "{}", err(&output));
    let log = folder.read("log");
    let sent = log.lines().filter_map(|line| line.split_once(" > ")).map(|(_, line)| line);
    assert_eq!(sent.collect::<Vec<_>>(), ["uci"]);
}

/// The program counts for ever after `perft N div`, so it is not asked with `perft N`.
#[test]
fn words_at_which_a_program_hangs_are_sent_once() {
    let folder = Folder::new();
    let divide = ["divide", "kiwipete", "2", "--engine-log", "log", "--against", &imitation("endless")];
    let output = folder.run(&divide);
    assert!(err(&output).contains("in the dialect uci-simpleperft"), "{}", err(&output));
    let log = folder.read("log");
    let sent = |line: &str| log.lines().filter(|logged| logged.ends_with(&format!(" > {line}"))).count();
    assert_eq!((sent("perft 1 div"), sent("perft 1")), (1, 0), "{log}");
}

#[test]
fn lines_that_were_not_understood_are_shown() {
    let output = run(&["probe", &imitation("noisy")]);
    let lines = out(&output).lines().filter(|line| *line == "unread       e2e4 is good").count();
    assert_eq!(lines, 5, "{}", out(&output));
}

#[test]
fn other_commands_probe_when_nothing_is_said() {
    let engine = imitation("tcheran");
    let commands = [
        &["hunt", "--fen", "kiwipete", "--depth", "2", "--engine"][..],
        &["divide", "--fen", "kiwipete", "--depth", "2", "--against"],
        &["suite", "named", "--max-depth", "1", "--engine"],
    ];
    at_once(&commands, |command| {
        let output = run(&[*command, &[&engine]].concat());
        let errors = err(&output);
        assert!(output.status.success() && errors.contains("in the dialect uci-d-perftdiv"), "{errors}");
    });
    let given = ["hunt", "--fen", "kiwipete", "--depth", "2", "--engine", &engine];
    let output = run(&[&given[..], &["--dialect", "uci"]].concat());
    assert_eq!(output.status.code(), Some(4), "a dialect that was given is not replaced");
}

/// The engine understands UCI, and hangs at its first answer.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_the_way_that_is_tried() {
    let folder = Folder::new();
    let fake = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");
    let mut terminal =
        OnTerminal::start(&folder.path(""), 80, &["probe", &format!("sh '{fake}' hang notes 1")]);
    terminal.wait_for("trying uci");
    assert!(!terminal.text.contains("note: "), "{:?}", terminal.text);
    let (code, left) = terminal.press_ctrl_c();
    assert_eq!((code, left.as_str()), (130, "interrupted: nothing was finished\r\n"));
}

#[test]
fn questions_can_be_asked_in_any_words() {
    let engine = imitation("stormphrax");
    let ask = ["--ask", "position fen {fen} moves {moves}", "--ask", "splitperft {depth}"];
    let output = run(&[&["hunt", "--fen", "kiwipete", "-d", "2", "--engine", &engine], &ask[..]].concat());
    assert!(output.status.success(), "{}", err(&output));
    let command = format!("{} --depth {{depth}} --fen {{fen}}", imitation("lperft"));
    let output = run(&["hunt", "--fen", "kiwipete", "-d", "2", "--engine", &command]);
    assert!(output.status.success(), "{}", err(&output));
    let output = run(&["hunt", "--fen", "kiwipete", "--engine", &engine, "--ask", "perft {dept}"]);
    assert_eq!(output.status.code(), Some(2));
}

/// One program is probed six times at the same moment. Later commands ask no questions with known answers.
#[test]
fn what_was_found_can_be_saved() {
    let folder = Folder::new();
    let engine = imitation("viridithas");
    let names = ["one", "two", "three", "four", "five", "six"];
    at_once(&names, |name| {
        let probe = ["probe", &engine, "--dialect", "uci-go-divide", "--save", name, "--ask-state", "d"];
        let (text, _) = folder.expect(0, &probe);
        assert!(text.contains(&format!("\nnext: perft hunt {name}")), "{text}");
    });
    let text = folder.read("perft.toml");
    for name in names {
        assert!(text.contains(&format!("[engine.\"{name}\"]\n")), "{text}");
    }
    assert_eq!(text.matches("profile = {").count(), names.len(), "{text}");
    let (text, _) = folder.line(0, "divide kiwipete 2 --against one --engine-log log");
    assert!(text.contains("they agree: 48 moves"), "{text}");
    let log = folder.read("log");
    assert_eq!(log.matches(" > go perft").count(), 1, "{log}");
    for (name, words) in [("one", "already has an engine 'one'"), ("a\u{202e}b", "control characters")] {
        let (_, said) = folder.expect(2, &["probe", &engine, "--save", name]);
        assert!(said.contains(words), "{said}");
    }
    assert!(folder.line(0, "list engines").0.contains("uci-go-divide)"));
}

/// The program prints only totals in the first way to ask, so others are tried.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_probe_tells_what_was_found() {
    let folder = Folder::new();
    let mut program =
        folder.perft(&["probe", &imitation("rawr-totals"), "--engine-log", "log"]).spawn().unwrap();
    until(60, || folder.path("log").exists() && folder.read("log").contains("go perft divide"));
    interrupt(&program);
    assert_eq!(ended_within(&mut program, 20).code(), Some(130));
    let output = program.wait_with_output().unwrap();
    assert!(out(&output).contains("counts       8 of 8 right\n"), "{}", out(&output));
    assert!(err(&output).contains("the other ways to ask were not tried"), "{}", err(&output));
}

/// The patterns of the user decide which numbers are counts, even if they are wrong.
#[test]
fn the_places_of_counts_can_be_given() {
    let engine = imitation("stormphrax");
    let divide = |pattern: &[&str]| {
        let output = run(&[
            &["divide", "kiwipete", "2", "--dialect", "uci-splitperft", "--against", &engine],
            pattern,
        ]
        .concat());
        (code(&output), out(&output) + &err(&output))
    };
    let right = &["--total", r"total (\d+)", "--move", r"^(\S+)\t(\d+)"][..];
    let wrong = &["--total", r"^(\d+) nps"];
    at_once(&[(right, 0, "they agree: 48 moves"), (wrong, 1, "60,000")], |&(pattern, expected, words)| {
        let (code, text) = divide(pattern);
        assert!(code == expected && text.contains(words), "{text}");
    });
    assert_eq!(divide(&["--total", "("]).0, 2);
}
