//! The reports of commands that a signal ends: the figures so far, marked as incomplete, in every format.
//!
//! The engines and builds of these tests note in a file what they were asked. A test waits for such a note before it
//! sends the signal, so the signal comes at a known moment.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};

use serde_json::Value;

use super::endings::send;
use super::support::{
    Folder, OnTerminal, ended_within, entry, program, report, text_of, until, words, write_script,
};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");

/// The text in each incomplete report.
const INCOMPLETE: &str = "incomplete: stopped before the end";

/// The number of bytes that fit into a pipe.
const PIPE: usize = 1 << 16;

/// Three copies of a position. The engine of the tests gives the counts 20 and 400, so each copy is wrong once.
const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 21 ;id \"one\"\n\
                     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;D2 400 ;id \"two\"\n\
                     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D1 20 ;id \"three\"\n";

/// Makes a folder with the suite and an engine, in which programs note what they were asked. The engine hangs at the
/// answer with this number.
fn place_with_engine(answer: usize) -> Folder {
    let place = Folder::new();
    place.write("three.epd", SUITE);
    place.write("perft.toml", &entry("hanging", &format!("sh '{FAKE}' hang notes {answer}")));
    place
}

/// Writes a program that notes each start, and then runs this program.
fn noting_build(place: &Folder) -> String {
    let path = place.path("build.sh");
    let notes = place.path("notes");
    write_script(&path, &format!("echo >>'{}'\nexec '{}' \"$@\"", text_of(&notes), text_of(&program())));
    text_of(&path).to_owned()
}

fn wait_for_notes(place: &Folder, number: usize) {
    let notes = place.path("notes");
    until(60, || fs::read_to_string(&notes).is_ok_and(|text| text.lines().count() >= number));
}

/// Runs a command, sends a signal when there are `notes` notes, and expects exit code 130. Returns standard output and
/// standard error.
fn interrupt(place: &Folder, notes: usize, signal: &str, line: &str) -> (String, String) {
    let words = words(line);
    let mut program = place.perft(&words.iter().map(String::as_str).collect::<Vec<_>>()).spawn().unwrap();
    wait_for_notes(place, notes);
    assert!(send(signal, &program.id().to_string()));
    let (mut out, mut err) = (String::new(), String::new());
    program.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    program.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(ended_within(&mut program, 5).code(), Some(130), "{out}{err}");
    assert!(err.contains("interrupted: "), "{err}");
    (out, err)
}

const SUITE_LINE: &str = "suite three.epd --engine hanging";

/// The number of the answer for the third position. A wrong answer is asked for twice.
const THIRD: usize = 4;

#[test]
fn a_suite_prints_a_problem_when_it_is_found_and_reports_the_rest_after_a_signal() {
    let place = place_with_engine(THIRD);
    let mut program = place.perft(&SUITE_LINE.split(' ').collect::<Vec<_>>()).spawn().unwrap();
    let mut out = BufReader::new(program.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "wrong: three.epd:1: one at depth 1\n");
    wait_for_notes(&place, THIRD);
    assert!(program.try_wait().unwrap().is_none(), "the engine hangs");
    assert!(send("-INT", &program.id().to_string()));
    let (mut rest, mut said) = (String::new(), String::new());
    out.read_to_string(&mut rest).unwrap();
    program.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(ended_within(&mut program, 5).code(), Some(130));
    assert!(rest.contains(&format!("{INCOMPLETE}\nthree.epd: 2 positions, 2 counts, 1 wrong\n")), "{rest}");
    assert!(!rest.contains("wrong: three.epd:1"), "each problem is printed once: {rest}");
    assert!(said.ends_with("interrupted: the counts so far are reported (three.epd: 2)\n"), "{said}");
}

#[test]
fn an_interrupted_suite_says_so_in_json_as_do_the_suites_that_were_not_begun() {
    let place = place_with_engine(THIRD);
    place.write("other.epd", SUITE);
    let (out, err) = interrupt(&place, THIRD, "-TERM", &format!("{SUITE_LINE} other.epd --json"));
    let report = report(&out);
    let suite = &report["suites"][0];
    assert_eq!((&report["complete"], &report["passed"]), (&false.into(), &false.into()));
    assert_eq!((&suite["complete"], &suite["checked"]), (&false.into(), &2.into()));
    assert_eq!(
        (&suite["wrong_counts"][0]["found"], &report["suites"][1]["complete"]),
        (&20.into(), &false.into())
    );
    assert!(err.contains("(three.epd: 2, other.epd: 0)"), "{err}");
}

#[test]
fn an_engine_that_hangs_while_a_divide_is_compared_can_be_interrupted() {
    let place = place_with_engine(1);
    assert_eq!(interrupt(&place, 1, "-INT", "divide 1 --against hanging").0, "");
}

#[test]
fn an_interrupted_suite_of_right_counts_has_not_passed() {
    let place = place_with_engine(2);
    place.write("three.epd", SUITE.split_once('\n').unwrap().1);
    let (out, _) = interrupt(&place, 2, "-INT", SUITE_LINE);
    assert!(out.contains("1 position, 1 count, all right so far\n"), "{out}");
}

#[test]
fn an_interrupted_hunt_is_marked_as_incomplete() {
    for (format, marked) in [("", INCOMPLETE), ("--json", "\"complete\": false"), ("--epd", "# incomplete: ")]
    {
        let place = place_with_engine(2);
        place.write("two.epd", SUITE.split_once('\n').unwrap().1);
        let (out, _) = interrupt(&place, 2, "-INT", &format!("hunt two.epd --engine hanging {format}"));
        assert!(out.contains(marked), "{format}: {out}");
    }
}

/// Trying all mistakes takes many seconds. The bar on the terminal shows when it begins.
const LONG_DIAGNOSIS: [&str; 4] = ["diagnose", "mirrored", "5:15833293", "--threads=1"];

#[test]
fn an_interrupted_diagnosis_is_marked_as_incomplete() {
    for (format, marked, columns) in [(None, INCOMPLETE, 80), (Some("--json"), "\"complete\": false", 60)] {
        let place = Folder::new();
        let args = [&LONG_DIAGNOSIS[..], format.as_slice()].concat();
        let mut terminal = OnTerminal::start(&place.path("."), columns, &args);
        terminal.wait_for(" models");
        let (code, left) = terminal.press_ctrl_c();
        assert_eq!(code, 130, "{left}");
        assert!(left.starts_with("interrupted: "), "{left:?}");
        assert!(left.ends_with("not all models were tried\r\n"), "{left:?}");
        assert!(place.read("out").contains(marked), "{}", place.read("out"));
    }
}

#[test]
fn an_interrupted_benchmark_writes_its_figures_which_are_neither_judged_nor_a_baseline() {
    let place = Folder::new();
    let build = noting_build(&place);
    let line = format!(
        "bench start --depth 3 --runs 100000 --generators bitboard '{build}' --reference bitboard --max-regression 5% \
         --export-json out.json --export-html out.html --format csv"
    );
    let (out, err) = interrupt(&place, 12, "-INT", &line);
    assert!(out.lines().skip(1).all(|line| line.ends_with(",incomplete")), "{out}");
    let report = report(&place.read("out.json"));
    assert_eq!((&report["complete"], &report["results"][0]["complete"]), (&false.into(), &false.into()));
    assert_eq!(report["contenders"][1]["gate"], Value::Null, "a gate does not judge incomplete figures");
    let runs = |index: usize| report["results"][index]["times"].as_array().unwrap().len();
    assert!(runs(0) >= 1 && runs(0) == runs(1), "each build has as many runs: {} and {}", runs(0), runs(1));
    assert!(place.read("out.html").contains(INCOMPLETE));
    let expected = "0 of 1 positions have all their runs; the figures so far were also written to out.json";
    assert!(err.contains(expected), "{err}");
    let (_, said) = place.line(2, "bench start --baseline out.json");
    assert!(said.contains("the benchmark was interrupted"), "{said}");
}

#[test]
fn an_interrupted_benchmark_without_some_positions_is_incomplete() {
    let place = place_with_engine(2);
    let both = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ;D2 400 ;id \"white\"\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - ;D2 400 ;id \"black\"\n";
    place.write("both.epd", both);
    // The first position has its only run when the engine hangs.
    let line = "bench both.epd --depth 2 --runs 1 --warmup 0 --json --engine hanging";
    let (out, err) = interrupt(&place, 2, "-INT", line);
    let report = report(&out);
    let results = report["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["position"]["name"] == "white" && result["complete"] == true));
    assert_eq!((results.len(), &report["complete"]), (1, &false.into()));
    assert!(err.contains("1 of 2 positions have all their runs"), "{err}");
}

#[test]
fn an_interrupted_comparison_of_speeds_shows_the_positions_that_have_runs() {
    let place = place_with_engine(4);
    let (out, err) = interrupt(&place, 4, "-INT", "bench start --depth 2 --runs 100 --engine hanging");
    assert!(out.starts_with(&format!("{INCOMPLETE}\n")) && out.contains("start 2"), "{out}");
    assert!(err.contains("0 of 1 positions have all their runs; no file was written"), "{err}");
}

/// At first the report cannot be written, because its reader is late. After a second, the program prints a message and
/// waits for the reader.
#[test]
fn a_report_that_takes_long_is_not_lost() {
    let place = place_with_engine(4);
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(&[b' '; PIPE]).unwrap();
    let mut command = place.perft(&["bench", "start", "--depth", "2", "--engine", "hanging"]);
    let mut program = command.stdout(writer).spawn().unwrap();
    drop(command);
    wait_for_notes(&place, 4);
    assert!(send("-INT", &program.id().to_string()));
    let said = BufReader::new(program.stderr.take().unwrap());
    assert!(said.lines().any(|line| line.unwrap() == "note: working out the figures so far"));
    let mut out = String::new();
    reader.read_to_string(&mut out).unwrap();
    assert!(out.trim().starts_with(INCOMPLETE) && out.contains("start 2"), "{out}");
    assert_eq!(ended_within(&mut program, 5).code(), Some(130));
}

#[test]
fn nothing_is_reported_before_the_first_run_is_finished() {
    let place = place_with_engine(1);
    let line = "bench start --depth 2 --engine hanging --export-json out.json";
    let (out, err) = interrupt(&place, 1, "-INT", line);
    assert_eq!(out, "");
    assert!(err.contains("no run was finished") && !place.path("out.json").exists(), "{err}");
}
