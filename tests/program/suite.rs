//! `perft suite`: known counts checked with the built-in generators and with engines.

use crate::support::{Folder, code, err, good, out, program, report, run, run_with_input, text_of, unfolded};

const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

#[test]
fn built_in_suites_pass() {
    let text = good(&["suite", "--max-nodes", "100k"]);
    assert_eq!(text.matches("all right").count(), 3);
    assert!(text.contains("known counts skipped"));
}

#[test]
fn a_suite_without_a_check_is_not_called_right() {
    let output = run(&["suite", "start", "--max-depth", "0"]);
    assert!(code(&output) == 2 && out(&output).contains("0 counts, nothing checked\n"), "{output:?}");
    assert!(err(&output).contains("no known count was checked"), "{output:?}");
    let output = run(&["suite", "start", "--max-nodes", "1", "--json"]);
    assert_eq!((code(&output), &report(&out(&output))["passed"]), (2, &false.into()));
}

/// A false known count cannot make the program count without end: counting stops above the limit.
#[test]
fn the_limit_holds_for_what_is_counted() {
    let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D12 14\n";
    let output = run_with_input(&["suite", "-", "--max-nodes", "1000"], line);
    let text = out(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.contains(" or more: counting ended above --max-nodes\n"), "{text}");
    let engine = format!("'{}' uci", text_of(&program()));
    let output = run_with_input(&["hunt", "--engine", &engine, "-", "--max-nodes", "1000"], line);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
}

#[test]
fn a_wrong_count_of_a_file_is_a_fault_of_the_file() {
    let line = format!("{KINGS} ;D1 3 ;D2 9 ;id \"kings\" ;c0 \"king moves: bare kings\"\n");
    let output = run_with_input(&["suite", "-"], &line);
    assert_eq!(code(&output), 1);
    let text = out(&output);
    for part in [
        "wrong count in the file: standard input:1: kings at depth 2\n  this position tests: king moves: bare kings\n",
        "  the file says                    9\n",
        "  perft counts                     7\n",
        "  difference                      -2\n",
        "  next          perft divide --fen '8/8/8/8/8/8/8/k1K5 w - -' --depth 2\n",
        "1 position, 2 counts, 1 wrong\n",
        "  help: by the rules of chess the file is wrong; to check an engine, name it: ./my-engine\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let output = run_with_input(&["suite", "-", "--json"], &line);
    let report = report(&out(&output));
    assert_eq!((code(&output), &report["passed"]), (1, &false.into()));
    let wrong = &report["suites"][0]["wrong_counts"][0];
    assert_eq!((&wrong["found"], &wrong["wrong_in_file"]), (&7.into(), &true.into()));
}

#[test]
fn a_file_is_read_and_limits_are_kept() {
    let folder = Folder::new();
    folder.write("mine.epd", &format!("{KINGS} ;D1 3 ;D2 999999999 ;D3 1"));
    let (text, _) = folder.line(0, "suite mine.epd --max-nodes 1k --max-depth 2");
    assert!(text.contains("1 position, 1 count, all right") && text.contains("2 known counts skipped"));
}

#[test]
fn faults_of_a_file_name_line_and_column() {
    let folder = Folder::new();
    folder.write("broken.epd", &format!("{KINGS} ;D1 3\n{KINGS} ;D1 x\n8/8 w - - ;D1 1\n"));
    let (_, text) = folder.line(2, "suite broken.epd");
    assert!(text.contains("broken.epd:2:30") && text.contains("broken.epd:3:1"), "{text}");
    assert!(
        text.contains("'x' is not a number of nodes") && text.contains("the number of ranks is 2, not 8")
    );
}

/// The others are checked, and the illegal one is told last.
#[test]
fn an_illegal_position_does_not_stop_the_others() {
    let text = format!("{KINGS} ;D1 3\n4k3/3P4/8/8/8/8/8/4K3 w - - ;D1 13\n{KINGS} ;D1 4\n");
    let output = run_with_input(&["suite", "-"], &text);
    assert_eq!(code(&output), 2);
    assert!(out(&output).contains("2 positions, 2 counts, 1 wrong\n"), "{}", out(&output));
    assert!(err(&output).contains("black is in check, but it is not black's move"), "{}", err(&output));
}

#[test]
fn every_wrong_count_of_a_file_is_told_in_the_same_direction() {
    let text = format!("{KINGS} ;D1 4\n").repeat(2) + &format!("{KINGS} ;D1 3 ;D2 9\n");
    let output = run_with_input(&["suite", "-"], &text);
    let said = out(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("depth 2: the file says 9, right is 7"), "{said}");
}

/// A script is an engine, unless it is a list.
#[test]
fn a_script_with_positions_and_counts_is_a_list() {
    let folder = Folder::new();
    folder.write("cases.sh", &format!("CASES = [(\"{KINGS}\", 1, 3), (\"{KINGS}\", 2, 7)]\n"));
    assert!(folder.line(0, "suite cases.sh").0.contains("2 positions, 2 counts, all right\n"));
    folder.write("cases.sh", "echo hello\n");
    let (_, text) = folder.line(2, "suite cases.sh");
    assert!(unfolded(&text).contains("to run this file, type: perft suite 'sh "), "{text}");
}

#[test]
fn a_file_in_utf16_is_refused_in_one_sentence() {
    let folder = Folder::new();
    let line = format!("\u{feff}{KINGS} ;D1 3\r\n");
    let bytes: Vec<u8> = line.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path("powershell.epd"), &bytes).unwrap();
    for command in ["suite powershell.epd", "divide 2 --against powershell.epd"] {
        let (_, text) = folder.line(2, command);
        assert!(text.contains("powershell.epd' is in UTF-16, not UTF-8\n"), "{text}");
    }
    let output = assert_cmd::cargo_bin_cmd!("perft").args(["-", "2"]).write_stdin(bytes).output().unwrap();
    assert!(err(&output).contains("'standard input' is in UTF-16"), "{}", err(&output));
}

#[cfg(unix)]
mod engine {
    use std::process::Output;

    use super::*;
    use crate::support::{engine, entry};

    const FAKE: &str = concat!("sh ", env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh ");

    fn suite(arguments: &[&str]) -> Output {
        run(&[&["suite", "named", "--max-nodes", "10k", "--engine"], arguments].concat())
    }

    /// Checks the scripted engine in one of its modes.
    fn suite_of(mode: &str, more: &[&str]) -> Output {
        let folder = Folder::new();
        folder.write("perft.toml", &entry("fake", &format!("{FAKE} {mode}")));
        folder.run(&[&["suite", "named", "--max-nodes", "10k", "--engine", "fake"], more].concat())
    }

    /// A program that gives the same wrong count each time.
    const WRONG: &str = "sh -c 'echo 20' script";
    const TWENTY: [&str; 5] = [WRONG, "--dialect", "perftree", "--total", r"\d+"];

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
        let output = suite(&TWENTY);
        let text = out(&output);
        assert_eq!((code(&output), err(&output).as_str()), (1, ""));
        assert!(text.contains("wrong: named:6: kiwipete at depth 1\n  this position tests: "), "{text}");
        assert!(
            text.contains("\n  expected                     48\n") && !text.contains("the file"),
            "{text}"
        );
        assert!(text.contains(" deeper counts of failed positions skipped\n"), "{text}");
        assert!(!text.contains("kiwipete at depth 2"), "{text}");
    }

    /// The command repeats the suite: the same engine is asked in the same way about the same positions.
    #[test]
    fn the_command_that_continues_is_printed() {
        let output = suite(&[&TWENTY[..], &["--threads", "2"]].concat());
        let text = out(&output);
        let next = text.lines().last().unwrap().strip_prefix("next: ").unwrap();
        let hunted = r"perft hunt 'sh -c '\''echo 20'\'' script' named --max-nodes 10k --threads 2";
        assert_eq!(next, format!(r"{hunted} --dialect perftree --total '\d+'"));
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_perft")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        let hunt = std::process::Command::new("sh").args(["-c", next]).env("PATH", path).output().unwrap();
        assert_eq!(code(&hunt), 1, "{}", err(&hunt));
        let right = out(&suite(&[&ourselves()]));
        assert!(right.ends_with(&format!("next: perft hunt '{}' --random 100k\n", ourselves())), "{right}");
    }

    /// Two problems are shown in full with what to type, and the others in groups.
    #[test]
    fn many_problems_are_grouped_and_all_are_shown_on_demand() {
        let text = out(&suite(&TWENTY));
        let shown = |text: &str| text.matches("\nwrong: ").count() + usize::from(text.starts_with("wrong: "));
        assert_eq!(shown(&text), 2, "{text}");
        assert!(
            text.contains("\n  by hand    sh -c 'echo 20' script 1 '")
                && text.contains("\n  next       perft divide"),
            "{text}"
        );
        assert!(
            text.contains("\n5 more problems, by what the positions test; --all shows all:\n  promotion: "),
            "{text}"
        );
        assert_eq!(shown(&out(&suite(&[&TWENTY[..], &["--all"]].concat()))), 7);
        let planted = crate::support::engine("faulty castling-out-of-check");
        let text = out(&run(&["suite", "standard", &planted, "--max-nodes", "1k"]));
        assert!(text.contains(" more problems; --all shows all\nstandard: "), "{text}");
        assert!(text.contains("cause"), "{text}");
    }

    #[test]
    fn a_part_of_a_suite_is_checked_up_to_the_first_wrong_count() {
        let text = good(&["suite", "named", "--only", "PROMO", "--max-nodes", "100"]);
        assert!(text.starts_with("named: 3 positions, "), "{text}");
        let text = good(&["suite", "named", "--only", "kiwi", "--max-nodes", "100"]);
        assert!(text.starts_with("named: 1 position, 1 count, all right\n"), "{text}");
        let output = suite(&[&TWENTY[..], &["--fail-fast", "--only", "kiwipete"]].concat());
        let text = out(&output);
        assert_eq!(code(&output), 1, "{text}");
        assert!(
            text.contains(
                "\nstopped at the first wrong count (--fail-fast)\nnamed: 1 position, 1 count, 1 wrong\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("next: perft hunt ") && text.contains(" --depth 1 --dialect perftree"),
            "{text}"
        );
    }

    /// The first eight questions are those of the exam.
    #[test]
    fn an_engine_is_asked_for_the_cheapest_counts_of_all_suites_first() {
        let folder = Folder::new();
        let line = "suite named chess960 --engine-log log --max-depth 5 --engine";
        folder.expect(0, &line.split(' ').chain([ourselves().as_str()]).collect::<Vec<_>>());
        let text = folder.read("log");
        let numbers = |words: &str| -> Vec<u64> {
            text.lines().filter_map(|line| line.split_once(words)?.1.parse().ok()).collect()
        };
        let (asked, counts) = (numbers("> go perft "), numbers("< Nodes searched: "));
        assert!(asked[8..].is_sorted() && asked.last() == Some(&5), "{asked:?}");
        let most = counts.into_iter().max();
        assert!(most.is_some_and(|most| (1_000_000..3_000_000).contains(&most)), "{most:?}");
    }

    #[test]
    fn an_engine_is_asked_about_impossible_positions_only_on_demand() {
        let args = ["suite", "standard", "--max-depth", "1"];
        let engine = ["--engine", &ourselves()];
        let text = good(&[&args[..], &engine].concat());
        let note =
            "17 positions that no game reaches were left out: --unreachable asks about\n    them too\n";
        assert!(text.starts_with("standard: 309 positions") && text.contains(note), "{text}");
        for all in [good(&args), good(&[&args[..], &engine, &["--unreachable"]].concat())] {
            assert!(all.starts_with("standard: 326 positions") && !all.contains("no game"), "{all}");
        }
    }

    #[test]
    fn an_engine_that_fails_gives_exit_code_4_and_the_run_goes_on() {
        let output = suite_of("dies", &[]);
        // Long texts are folded.
        let text = out(&output).split_whitespace().collect::<Vec<&str>>().join(" ");
        assert_eq!((code(&output), text.matches("unanswered: named:").count()), (4, 2), "{text}");
        assert!(text.contains("(exit status: 3); it last printed: "), "{text}");
        assert!(text.contains("assertion failed: no king"), "{text}");
        let report = report(&out(&suite_of("dies", &["--json"])));
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
        let output = suite_of("deaf", &["--engine-timeout", "0.3"]);
        assert_eq!((code(&output), out(&output).as_str()), (4, ""));
        assert!(err(&output).contains("the engine did not answer within 0.3 s"), "{}", err(&output));
    }

    /// The engine reads the castling rights of Chess960 only as letters of files. The count of the file is wrong.
    #[test]
    fn a_question_is_shown_as_it_was_asked() {
        let folder = Folder::new();
        folder.write("one.epd", "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1 ;D1 99\n");
        let (text, _) = folder.expect(1, &["suite", "one.epd", "--engine", &engine("reads-only-files")]);
        assert!(text.contains("position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\n"), "{text}");
        assert!(text.contains("--fen '4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1'"), "{text}");
    }
}

#[test]
fn lines_with_the_same_fault_are_shown_once() {
    let output = run_with_input(&["suite", "-"], &format!("{KINGS} ;D1 x\n").repeat(5000));
    let said = err(&output);
    assert_eq!(code(&output), 2);
    assert!(said.contains("the same in 4,999 more lines: 2, 3, 4"), "{said}");
    assert_eq!(said.matches("'x' is not a number of nodes").count(), 1);
}

#[test]
fn how_a_list_was_read_is_said() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -; 6; 119060324\n";
    for args in [&["suite", "-"][..], &["bench", "-", "2", "--runs", "2"]] {
        let said = |more: &[&str]| err(&run_with_input(&[args, more].concat(), text)).replace("\n ", "");
        assert!(said(&[]).contains("the numbers of each FEN are read as"), "{args:?}: {}", said(&[]));
        assert!(!said(&["--quiet"]).contains("are read as"), "{args:?}");
    }
}

#[test]
fn many_faults_of_a_line_are_not_all_shown() {
    let said = err(&run_with_input(&["suite", "-"], &format!("{KINGS} {}\n", ";D1 x ".repeat(9000))));
    assert!(said.contains("not shown: 92 more faults of this line"), "{said}");
}
