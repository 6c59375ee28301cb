//! `perft suite`: known counts checked with the built-in generators and with engines.

use crate::support::{code, err, good, out, refused, report, run_with_input};

const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

#[test]
fn built_in_suites_pass() {
    let text = good(&["suite", "--max-nodes", "100k"]);
    assert_eq!(text.matches("all right").count(), 3);
    assert!(text.contains("known counts skipped"));
}

#[test]
fn a_wrong_expectation_is_shown_with_the_command_to_see_it() {
    let line = format!("{KINGS} ;D1 3 ;D2 9 ;id \"kings\" ;c0 \"king moves: bare kings\"\n");
    let output = run_with_input(&["suite", "-"], &line);
    assert_eq!(code(&output), 1);
    let text = out(&output);
    for part in [
        "wrong: standard input:1: kings at depth 2\n  king moves: bare kings\n",
        "expected                      9\n",
        "found                         7\n",
        "difference                   -2\n",
        "  perft divide --fen '8/8/8/8/8/8/8/k1K5 w - -' --depth 2\n",
        "1 positions, 2 counts, 1 wrong\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let output = run_with_input(&["suite", "-", "--json"], &line);
    let report = report(&out(&output));
    assert_eq!((code(&output), &report["passed"]), (1, &false.into()));
    assert_eq!(report["suites"][0]["wrong_counts"][0]["found"], 7);
}

#[test]
fn a_file_is_read_and_limits_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.epd");
    std::fs::write(&path, format!("{KINGS} ;D1 3 ;D2 999999999 ;D3 1")).unwrap();
    let text = good(&["suite", path.to_str().unwrap(), "--max-nodes", "1k", "--max-depth", "2"]);
    assert!(text.contains("1 positions, 1 counts, all right") && text.contains("2 known counts skipped"));
}

#[test]
fn faults_of_a_file_name_line_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.epd");
    std::fs::write(&path, format!("{KINGS} ;D1 3\n{KINGS} ;D1 x\n8/8 w - - ;D1 1\n")).unwrap();
    let text = refused(&["suite", path.to_str().unwrap()]);
    assert!(text.contains("broken.epd:2:30") && text.contains("broken.epd:3:1"), "{text}");
    assert!(text.contains("'x' is not a number of nodes") && text.contains("the board has 2 ranks, not 8"));
}

#[test]
fn an_unreadable_suite_is_a_usage_error() {
    let text = refused(&["suite", "nowhere.epd"]);
    assert!(
        text.contains("'nowhere.epd' is neither the name of a position nor a suite nor a file"),
        "{text}"
    );
    let text = refused(&["suite", "./nowhere.epd"]);
    assert!(
        text.contains("cannot read the suite './nowhere.epd'") && text.contains("named, standard, chess960")
    );
    assert_eq!(code(&run_with_input(&["suite", "-"], "# nothing\n")), 2);
}

#[cfg(unix)]
mod engine {
    use std::process::Output;

    use super::*;
    use crate::support::run;

    const FAKE: &str = concat!("sh ", env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh ");

    fn suite(arguments: &[&str]) -> Output {
        run(&[&["suite", "named", "--max-nodes", "10k", "--engine"], arguments].concat())
    }

    /// Our own program, as an engine.
    fn ourselves() -> String {
        format!("{} uci", env!("CARGO_BIN_EXE_perft"))
    }

    #[test]
    fn a_correct_engine_passes_on_several_processes() {
        let output = suite(&[&ourselves(), "--threads", "3"]);
        assert_eq!((code(&output), err(&output).as_str()), (0, ""));
        assert!(out(&output).starts_with("named: 7 positions, 18 counts, all right\n"), "{}", out(&output));
        let report = report(&out(&suite(&[&ourselves(), "--json"])));
        assert_eq!((&report["generator"], &report["passed"]), (&"engine".into(), &true.into()));
        assert!(report["engine"]["own_name"].as_str().is_some_and(|name| name.starts_with("perft ")));
    }

    #[test]
    fn a_wrong_count_is_shown_and_deeper_counts_are_skipped() {
        let output = suite(&["sh -c 'echo 20' script", "--dialect", "perftree"]);
        let text = out(&output);
        assert_eq!((code(&output), err(&output).as_str()), (1, ""));
        assert!(text.contains("wrong: named:6: kiwipete at depth 1\n"), "{text}");
        assert!(text.contains("  promotion: 3 of 3 positions fail\n"), "{text}");
        assert!(text.contains(" deeper counts of failed positions skipped\n"), "{text}");
        assert!(!text.contains("kiwipete at depth 2"), "{text}");
    }

    #[test]
    fn an_engine_that_fails_gives_exit_code_4_and_the_run_goes_on() {
        let output = suite(&[&format!("{FAKE} dies")]);
        // Long texts are folded.
        let text = out(&output).split_whitespace().collect::<Vec<&str>>().join(" ");
        assert_eq!((code(&output), text.matches("unanswered: named:").count()), (4, 7), "{text}");
        assert!(text.contains("(exit status: 3); it last printed: "), "{text}");
        assert!(text.contains("assertion failed: no king"), "{text}");
        let report = report(&out(&suite(&[&format!("{FAKE} dies"), "--json"])));
        assert_eq!(
            (&report["passed"], &report["suites"][0]["unanswered"][6]["depth"]),
            (&false.into(), &1.into())
        );
    }

    #[test]
    fn an_engine_that_does_not_start_is_reported_once() {
        let output = suite(&["/nowhere/engine"]);
        assert_eq!((code(&output), out(&output).as_str()), (2, ""));
        assert_eq!(err(&output).matches("cannot start '/nowhere/engine'").count(), 1, "{}", err(&output));
        let output = suite(&[&format!("{FAKE} refuses")]);
        assert_eq!((code(&output), out(&output).as_str()), (4, ""));
        assert!(err(&output).contains("no licence"), "{}", err(&output));
        assert_eq!(code(&suite(&["'unclosed"])), 2);
    }

    /// The engine does not introduce itself.
    #[test]
    fn the_start_of_an_engine_has_the_same_time_limit_as_an_answer() {
        let output = suite(&[&format!("{FAKE} deaf"), "--dialect", "uci", "--engine-timeout", "0.3"]);
        assert_eq!((code(&output), out(&output).as_str()), (4, ""));
        assert!(err(&output).contains("the engine did not answer within 0.3 s"), "{}", err(&output));
    }

    #[test]
    fn junit_has_one_test_case_per_position() {
        let good = out(&suite(&[&ourselves(), "--format", "junit"]));
        assert!(good.contains("<testsuite name=\"named\" tests=\"7\""), "{good}");
        let bad = out(&suite(&["sh -c 'echo 20' script", "--dialect", "perftree", "--format", "junit"]));
        for expected in [
            "<failure message=\"depth 1: 20 instead of 48\">",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1&#10;perft divide --fen ",
            " --depth 1</failure>",
        ] {
            assert!(bad.contains(expected), "{expected}: {bad}");
        }
    }

    #[test]
    fn the_conversation_can_be_logged() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        assert_eq!(code(&suite(&[&ourselves(), "--engine-log", log.to_str().unwrap()])), 0);
        let text = std::fs::read_to_string(log).unwrap();
        assert!(text.contains("> go perft 1\n") && text.contains("< Nodes searched: 20\n"), "{text}");
    }

    #[test]
    fn flags_of_our_own_generator_are_refused_with_an_engine() {
        for flag in [&["--hash", "1M"][..], &["--no-bulk"], &["--cpu-path", "portable"]] {
            let said = refused(&[&["suite", "--engine", "true"], flag].concat());
            assert!(said.contains(flag[0]), "{said}");
        }
        assert!(refused(&["suite", "--dialect", "qperft"]).contains("--engine"));
    }
}

/// A suite of several blocks is reported as one. It is read with less memory than it would take as a whole.
#[test]
#[cfg(unix)]
fn a_long_suite_is_read_in_blocks() {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.epd");
    let line = format!("{KINGS} ;D1 3 ;id \"{}\" ;c0 \"king moves: any\"\n", "x".repeat(2000));
    let wrong = line.replace("D1 3", "D1 4");
    std::fs::write(&path, line.repeat(25_000) + &wrong + &line.repeat(4_999)).unwrap();
    let script = "ulimit -v 300000; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_perft"), "suite"])
        .arg(&path)
        .output()
        .unwrap();
    let text = out(&output);
    assert_eq!(code(&output), 1, "{}", err(&output));
    assert!(text.contains(": 30000 positions, 30000 counts, 1 wrong\n  90,000 nodes"), "{text}");
    assert!(
        text.contains("long.epd:25001: ") && text.contains("king moves: 1 of 30000 positions fail"),
        "{text}"
    );
}

#[test]
fn after_many_faults_the_rest_is_not_read() {
    let output = run_with_input(&["suite", "-"], &format!("{KINGS} ;D1 x\n").repeat(5000));
    let said = err(&output);
    assert_eq!(code(&output), 2);
    assert!(said.contains("the lines after line 1000 were not read"), "{said}");
    assert_eq!(said.matches("'x' is not a number of nodes").count(), 1000);
}

#[test]
fn many_faults_of_a_line_are_not_all_shown() {
    let said = err(&run_with_input(&["suite", "-"], &format!("{KINGS} {}\n", ";D1 x ".repeat(9000))));
    assert!(said.contains("80 more faults of this line are not shown"), "{said}");
}
