//! `perft probe`, and engines that are asked in other ways than `go perft N`.

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::OnTerminal;
use crate::support::{at_once, code, err, out, report, run, run_in};

fn imitation(name: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/imitate.sh");
    let perft = assert_cmd::cargo::cargo_bin!("perft");
    format!("sh '{script}' '{}' {name}", perft.display())
}

/// Programs of a survey: the name, the dialect in which each is found, and whether it lists moves at depth 1 and
/// deeper.
const SURVEY: &[(&str, &str, bool, bool)] = &[
    ("stockfish", "uci", true, true),
    ("berserk", "uci", true, true),
    ("simbelmyne", "uci", true, true),
    ("tofiks", "uci", true, true),
    ("zahak", "args-perft-tree", true, true),
    ("obsidian", "uci", false, true),
    ("bbc", "uci", true, true),
    ("rawr", "uci-go-split", true, true),
    ("rawr-totals", "uci", false, false),
    ("koivisto", "uci", false, true),
    ("stash", "uci", false, false),
    ("lizard", "uci", true, true),
    ("viridithas", "uci-go-divide", true, true),
    ("weiss", "uci-perft-fen", false, false),
    ("drofa", "uci-perft", true, true),
    ("caissa", "uci-perft", true, true),
    ("halogen", "uci-perft", true, true),
    ("clover", "uci-perft", false, true),
    ("stormphrax", "uci-splitperft", true, true),
    ("rubichess", "uci-perft", true, true),
    ("laser", "uci-perft", false, false),
    ("motor", "uci-perft", true, true),
    ("wyldchess", "uci-perft", false, false),
    ("carp", "uci-perft", true, true),
    ("tcheran", "uci-d-perftdiv", true, true),
    ("velvet", "uci-perft", false, false),
    ("weiawaga", "uci-perft", true, true),
    ("blunder", "fen-dperft", true, true),
    ("serendipity", "uci-perft", true, true),
    ("leorik", "uci-perft", false, false),
    ("avalanche", "uci-perftdiv", true, true),
    ("pychess", "cecp-perft-root", true, true),
    ("inanis", "dperft-fen", true, true),
    ("pedantic", "args-perft-type", true, true),
    ("amoeba", "args-perft-div", true, true),
    ("templechess", "args-perft-fen", true, true),
    ("lperft", "args-depth-fen", true, true),
    ("div", "uci-perft-div", true, true),
    ("simple", "uci-simpleperft", true, true),
    ("pos", "pos-perft", true, true),
    ("sd", "cecp-sd-divide", true, true),
    // The program prints moves on standard error, later than the total on standard output.
    ("split", "uci-perft", true, true),
];

#[test]
fn the_programs_of_a_survey_are_found_out() {
    at_once(SURVEY, |&(name, dialect, first, deeper)| {
        // All lines that may print a FEN or a key are tried on one program only, because each takes some time.
        let state: &[&str] = if name == "blunder" { &[] } else { &["--ask-state", "d"] };
        let output = run(&[&["probe", "--json", &imitation(name)][..], state].concat());
        let report = report(&out(&output));
        assert_eq!((code(&output), &report["dialect"]), (0, &Value::from(dialect)), "{name}: {report:#}");
        let skills = &report["skills"];
        assert_eq!(skills["right_answers"], skills["questions"], "{name}: {report:#}");
        assert_eq!(skills["lists_moves_at_depth_1"], first, "{name}: {report:#}");
        assert_eq!(skills["lists_moves"], deeper, "{name}: {report:#}");
        assert_eq!(report["unread"], Value::from(Vec::<String>::new()), "{name}");
    });
}

/// Every way to ask is tried. One of the programs prints nothing at all. Until it is given up, the user is told what
/// the command is doing. Another one prints right counts that perft cannot read, so no bug may be reported.
#[test]
fn a_program_without_perft_is_given_up() {
    let [searcher, no_perft, json] = ["searcher", "no-perft", "json"].map(imitation);
    let silent = ["sleep 30", "--engine-timeout", "0.1"];
    let cases = [
        (vec!["probe", "--json", &searcher], &[][..]),
        (vec!["probe", "--json", &no_perft], &[]),
        (vec!["suite", "--engine", &no_perft], &["ways to ask it for a perft were tried", "--ask"]),
        (vec!["hunt", &json], &["not a perft: 1 instead of the 20 moves"]),
        ([&["hunt"][..], &silent].concat(), &["ways to ask sleep 30"]),
        ([&["probe"][..], &silent].concat(), &["trying the ways to ask sleep 30"]),
    ];
    at_once(&cases, |(arguments, words)| {
        let output = run(arguments);
        let errors = err(&output);
        assert_eq!(code(&output), 4, "{arguments:?}: {errors}");
        assert!(words.iter().all(|words| errors.contains(words)), "{arguments:?}: {errors}");
        if arguments.contains(&"--json") {
            let report = report(&out(&output));
            assert_eq!(report["dialect"], Value::Null, "{report:#}");
            assert!(report["tried"].as_array().unwrap().len() > 20, "{report:#}");
        }
    });
}

/// The program waits with `select` and reads with a buffer. If two lines come together, it sees only the first one.
#[test]
#[cfg(unix)]
fn a_program_that_sees_one_line_at_a_time_is_found() {
    let perft = assert_cmd::cargo::cargo_bin!("perft");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/selecting.py");
    at_once(&[("uci", "uci"), ("console", "setboard-perft")], |(mode, dialect)| {
        let engine = format!("python3 '{script}' '{}' {mode}", perft.display());
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

/// The data of the program is in its folder.
#[test]
#[cfg(unix)]
fn a_program_that_needs_its_own_folder_runs_there() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("data"), "").unwrap();
    let script = format!("[ -e data ] || {{ echo 'no data'; exit 1; }}\nexec {}\n", imitation("caissa"));
    std::fs::write(own.join("engine.sh"), script).unwrap();
    let output = run_in(folder.path(), &["probe", "sh own/engine.sh", "--save", "mine"]);
    let text = out(&output);
    assert_eq!(code(&output), 0, "{text}");
    let own = own.canonicalize().unwrap();
    assert!(
        text.contains(&format!("folder       {}: it does not work in the current one\n", own.display())),
        "{text}"
    );
    at_once(&["sh own/engine.sh", "mine"], |engine| {
        let output = run_in(folder.path(), &["hunt", engine, "--fen", "start", "--depth", "2"]);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let is_said = err(&output).contains("sh own/engine.sh does not work in this folder: it runs in ");
        assert_eq!(is_said, *engine != "mine", "{}", err(&output));
    });
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
        ["hunt", "--fen", "kiwipete", "--depth", "2", "--engine"],
        ["divide", "--fen", "kiwipete", "--depth", "2", "--against"],
        ["suite", "named", "--max-depth", "1", "--quiet", "--engine"],
    ];
    at_once(&commands, |command| {
        let output = run(&[&command[..], &[&engine]].concat());
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
    let folder = tempfile::tempdir().unwrap();
    let fake = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");
    let mut terminal = OnTerminal::start(folder.path(), &["probe", &format!("sh '{fake}' hang notes 1")]);
    terminal.wait_for("asking with \"go perft 1\" (1 of ");
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

#[test]
fn what_was_found_can_be_saved() {
    let folder = tempfile::tempdir().unwrap();
    let run_there = |arguments: &[&str]| run_in(folder.path(), arguments);
    let engine = imitation("viridithas");
    assert!(run_there(&["probe", &engine, "--save", "mine"]).status.success());
    let text = std::fs::read_to_string(folder.path().join("perft.toml")).unwrap();
    assert!(text.contains("[engine.\"mine\"]") && text.contains("dialect = \"uci-go-divide\""), "{text}");
    assert!(run_there(&["hunt", "--fen", "kiwipete", "-d", "2", "--engine", "mine"]).status.success());
    assert_eq!(run_there(&["probe", &engine, "--save", "mine"]).status.code(), Some(2), "the name is taken");
    let listed = run_there(&["list", "engines"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("uci-go-divide)"));
}
