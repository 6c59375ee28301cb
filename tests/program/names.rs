//! `perft.toml`: every command that takes an engine accepts its name, and explains the faults in the file.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::support::{Folder, at_once, entry, program, write_script};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");

/// The counts that the scripted engine knows.
const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n";

/// Returns the entry of the scripted engine in one of its modes.
fn mine(mode: &str) -> String {
    entry("mine", &format!("sh fake.sh {mode}"))
}

/// Makes a folder with the scripted engine, a `perft.toml` and a suite.
fn home(toml: &str) -> Folder {
    let home = Folder::new();
    fs::copy(FAKE, home.path("fake.sh")).unwrap();
    home.write("mine.epd", SUITE);
    home.write("perft.toml", toml);
    home
}

/// Runs the program in the folder. Expects this exit code, and returns the whole output.
fn run(home: &Folder, code: i32, line: &str) -> String {
    let (out, err) = home.line(code, &format!("{line} --quiet"));
    out + &err
}

fn suite(home: &Folder, code: i32, more: &str) -> String {
    run(home, code, &format!("suite mine.epd {more}"))
}

#[test]
fn every_command_takes_an_engine_by_its_name() {
    let home = home(&mine("good"));
    let text = suite(&home, 0, "--engine mine");
    assert!(text.contains("2 counts, all right") && !text.contains("note: "), "{text}");
    let (_, text) = home.line(0, "suite mine.epd --engine mine");
    let note = text.lines().find(|line| line.contains("note: the engine 'mine' is the one of"));
    assert!(note.is_some_and(|note| note.contains("perft.toml: ") && note.contains("fake.sh")), "{text}");
    run(&home, 0, "hunt --engine mine --fen start --depth 2");
    run(&home, 1, "hunt --engine mine --random 1");
    for engine in ["--engine mine", "mine"] {
        let text = run(&home, 0, &format!("bench start --depth 2 --runs 2 {engine}"));
        let line = "mine: sh fake.sh good (Fake 1.0), asked as uci";
        assert!(text.lines().any(|found| found.starts_with(line)), "{text}");
    }
}

#[test]
fn a_program_on_the_path_is_not_replaced_by_an_entry() {
    let home = home(&entry("sh", "sh fake.sh good"));
    for more in ["--engine sh", "--engine sh --config perft.toml"] {
        let text = suite(&home, 2, more);
        assert!(text.contains("'sh' is a program on the PATH, and also an engine of"), "{text}");
    }
}

#[test]
fn only_the_file_of_the_current_folder_is_read_unless_one_is_named() {
    let home = home(&mine("good"));
    fs::create_dir(home.path("inner")).unwrap();
    let suite_below = |args: &[&str]| {
        let mut command = home.perft(&[&["suite", "../mine.epd", "--engine", "mine"], args].concat());
        command.current_dir(home.path("inner")).output().unwrap().status.code()
    };
    assert_eq!(suite_below(&[]), Some(2));
    assert_eq!(suite_below(&["--config", "../perft.toml"]), Some(0));
}

#[test]
fn an_engine_may_run_in_another_folder() {
    let home = home(&(entry("mine", "sh ../fake.sh good") + "folder = 'inner'\n"));
    fs::create_dir(home.path("inner")).unwrap();
    suite(&home, 0, "--engine mine");
}

#[test]
fn options_are_set_and_unknown_options_are_errors() {
    let options = |text: &str| home(&format!("{}options = {{ {text} }}\n", mine("options said")));
    let home = options("'book file' = 'a b.bin'");
    suite(&home, 0, "--engine mine");
    assert!(home.read("said").starts_with("name book file value a b.bin\n"), "{}", home.read("said"));
    for verb in ["suite", "bench"] {
        let text = run(&options("Hash = 16"), 2, &format!("{verb} --engine mine"));
        assert!(text.contains("the engine has no option 'Hash'; it has: UCI_Chess960, Book File"), "{text}");
        assert!(text.contains("change the engine 'mine' in "), "{text}");
    }
}

#[test]
fn an_engine_is_started_once_or_for_each_question() {
    for (launch, starts) in [("once", 1), ("each", 2)] {
        let home = home(&format!("{}launch = '{launch}'\n", mine("good")));
        suite(&home, 0, "--engine mine --engine-log said");
        // The first start checks that the engine starts, and the second one asks for its abilities.
        assert_eq!(home.read("said").matches("> uci\n").count(), 2 + starts, "{launch}");
    }
}

#[test]
fn the_command_line_overrides_the_timeout() {
    let home = home(&(mine("hang") + "timeout = 0.3\n"));
    let text = suite(&home, 4, "--engine mine");
    assert!(text.contains("did not answer within 0.3 s"), "{text}");
    let text = suite(&home, 4, "--engine mine --engine-timeout 0.2");
    assert!(text.contains("did not answer within 0.2 s"), "{text}");
}

#[test]
fn an_unknown_name_is_answered_with_the_known_names() {
    let home =
        home("[engine.stockfish-16]\ncommand = 'sf'\n[engine.mine]\ncommand = 'nowhere-to-be-found'\n");
    let file = home.path("perft.toml").canonicalize().unwrap();
    for verb in ["suite", "hunt", "bench"] {
        let text = run(&home, 2, &format!("{verb} --engine stokfish-16"));
        assert!(text.contains("cannot start 'stokfish-16': there is no such program"), "{text}");
        let help = format!("or a name; {} names: mine, stockfish-16", file.display());
        assert!(text.contains(&help), "{text}");
    }
    let text = run(&home, 2, "suite --engine mine");
    assert!(
        text.contains("cannot start 'nowhere-to-be-found'") && text.contains("change the engine 'mine' in"),
        "{text}"
    );
    let text = run(&home, 2, "suite --engine mine --dialect qperft");
    assert!(text.contains("'mine' already says how it is asked, by the dialect uci"), "{text}");
}

#[test]
fn a_faulty_file_is_reported_with_the_line_and_the_keys() {
    let home = home("# programs\n[engine.mine]\ncomand = 'sh fake.sh good'\n");
    for verb in ["suite", "bench"] {
        let text = run(&home, 2, &format!("{verb} --engine mine"));
        for words in [
            "perft.toml:3:1",
            "unknown field `comand`",
            "needs command; dialect, ask, ask_state, handshake, options, launch, timeout, folder, chess960, total, move \
             and profile are optional",
        ] {
            assert!(text.contains(words), "{text}");
        }
    }
    // A command without an engine does not read the file.
    run(&home, 0, "bench start --depth 2 --runs 2");
    suite(&home, 0, "");
    let other = self::home("[engine.mine]\ncommand = 'x'\nprofile = { total = '#', moves = ['M : #'] }\n");
    let text = run(&other, 2, "suite --engine mine");
    assert!(text.contains("Remove a profile that is not valid"), "{text}");
}

/// The engine counts correctly. The words may come in any order, and an executable suite is still a suite.
#[test]
fn every_command_takes_the_engine_as_a_word() {
    let home = home(&mine("good"));
    write_script(&home.path("e"), &format!("exec '{}' uci", program().display()));
    fs::copy(home.path("mine.epd"), home.path("all.epd")).unwrap();
    fs::set_permissions(home.path("all.epd"), fs::Permissions::from_mode(0o777)).unwrap();
    fs::copy(home.path("e"), home.path("a.sh")).unwrap();
    fs::write(home.path("b.sh"), fs::read_to_string(home.path("e")).unwrap()).unwrap();
    let right = [
        ("suite ./e mine.epd", "1 position, 2 counts, all right"),
        ("suite mine.epd mine", "1 position, 2 counts, all right"),
        ("suite './all.epd' 'sh e'", "1 position, 2 counts, all right"),
        ("divide kiwipete 2 --against ./e", "they agree: 48 moves"),
        ("divide ./e kiwipete 2", "they agree: 48 moves"),
        ("divide 2 startpos moves e2e4 e7e5 ./e", "they agree: 29 moves"),
        ("divide 2 8/8/8/8/8/8/8/k1K5 w - - 0 1 ./e", "they agree: 3 moves"),
        ("hunt kiwipete 2 ./e", "no bug found"),
        ("hunt mine.epd ./e", "no bug found"),
        ("probe ./e", "8 of 8 right"),
    ];
    at_once(&right, |(line, printed)| {
        let printed_now = run(&home, 0, line);
        assert!(printed_now.contains(printed), "{line}: {printed_now}");
    });
    for (line, help) in [
        ("probe a.sh", "to run this file, type: perft probe ./a.sh"),
        ("suite mine.epd a.sh", "to run this file, type: perft suite mine.epd ./a.sh"),
        ("divide b.sh kiwipete 2", "to run this file, type: perft divide 'sh b.sh' kiwipete 2"),
        ("hunt './b.sh -x'", "to run this file, type: perft hunt 'sh ./b.sh -x'"),
        ("suite ./missing mine.epd", "cannot start './missing': there is no such program"),
        ("suite ./e ./a.sh", "to compare two: perft hunt ./e --reference ./a.sh"),
    ] {
        let said = run(&home, 2, line).replace(" --quiet", "");
        assert!(said.contains(help), "{line}: {said}");
    }
}
