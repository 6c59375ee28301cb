//! `perft hunt`: its output about a bug, and its exit codes.

#[cfg(unix)]
use super::support::{Folder, START, entry, program, write_script};
use super::support::{
    at_once, code as exit_code, engine, err, interrupt, out, report, run, run_with_input, spawn, unfolded,
};

fn perft(arguments: &[&str], engine: &str) -> (i32, String, String) {
    let output = run(&[arguments, &["--engine", engine]].concat());
    (exit_code(&output), out(&output), err(&output))
}

/// The question is asked again in a fresh process, which gives another answer. So no rule is blamed.
#[test]
fn an_answer_that_does_not_repeat_is_told_once() {
    let engine = engine("wrong-after-9-questions");
    let (code, text, errors) = perft(&["hunt", "standard", "--max-nodes", "1k"], &engine);
    assert_eq!((code, errors.as_str()), (1, ""), "{text}");
    for line in [
        "bug 1: not-repeated\n",
        "again     in a fresh process: ",
        ", which is right\n",
        "verdict   not-repeated: a fresh process answers the same question differently",
        ": 1 bug: ",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    assert!(!text.contains("suite     ") && !text.contains("cause"), "{text}");
    let (_, json, _) = perft(&["hunt", "standard", "--max-nodes", "1k", "--json"], &engine);
    let report = super::support::report(&json);
    let finding = &report["findings"][0];
    assert_eq!(finding["found_afresh"], finding["expected"], "{json}");
    assert!(finding["seen"].as_u64().unwrap() > 1 && report["findings"].as_array().unwrap().len() == 1);
    let (code, text, _) = perft(&["suite", "standard", "--max-nodes", "1k"], &engine);
    assert!(code == 1 && text.contains("right in a fresh process: only after other questions"), "{text}");
}

#[test]
fn an_engine_that_ignores_moves_gets_positions_and_is_right() {
    let engine = engine("ignores-moves");
    let (code, text, errors) = perft(&["hunt", "--random", "10"], &engine);
    assert_eq!(code, 0, "{text}");
    assert!(
        errors.starts_with("note: ") && errors.contains(" does not play the moves of a question"),
        "{errors}"
    );
    assert!(text.contains("no bug found"), "{text}");
    let (_, text, _) = perft(&["probe", "-v"], &engine);
    assert!(text.contains("plays moves  no") && text.contains("counts       8 of 8 right"), "{text}");
    assert!(text.contains("ask = [\"position fen {fen}\", \"go perft {depth}\"]"), "{text}");
}

#[test]
fn a_hunt_in_random_positions_ends_after_one_bug_and_others_after_the_wanted_number() {
    let engine = engine("faulty castling-out-of-check");
    let found = |arguments: &[&str]| {
        let (code, json, _) = perft(arguments, &engine);
        assert_eq!(code, 1, "{json}");
        let report = report(&json);
        (report["findings"].as_array().unwrap().len(), report["seed"].as_u64())
    };
    assert_eq!(found(&["hunt", "--random", "2000", "--seed", "3", "--json"]), (1, Some(3)));
    assert_eq!(found(&["hunt", "standard", "--max-nodes", "1k", "--max-bugs", "1", "--json"]), (1, None));
}

/// A probe understands a program with wrong answers, and shows these answers and the next command.
#[test]
fn a_probe_shows_wrong_answers() {
    let engine = engine("faulty castling-out-of-check");
    let (code, text, _) = perft(&["probe"], &engine);
    assert!(code == 1 && text.contains(": found, but 2 of 8 answers are wrong\n"), "{text}");
    let rich = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 0 1";
    assert!(text.contains(&format!("\nwrong        {rich}, depth 1: 7 instead of 5\n")), "{text}");
    let (_, text, _) = perft(&["probe", "--dialect", "uci", "--json"], &engine);
    let report = report(&text);
    let wrong = report["wrong_answers"].as_array().unwrap();
    assert_eq!((&report["verdict"], wrong.len()), (&"found-but-wrong".into(), 2));
    assert_eq!(
        (&wrong[0]["fen"], &wrong[0]["expected"], &wrong[0]["found"]),
        (&rich.into(), &5.into(), &7.into())
    );
    // Windows quotes with `"`.
    let next = report["next"].as_str().unwrap().replace('"', "'");
    assert!(next.starts_with(&format!("perft divide --fen '{rich}' --depth 1 --against ")), "{next}");
}

/// Hunts in a position whose pinned knight the engine moves.
fn pinned(more: &[&str]) -> (i32, String, String) {
    let position = ["hunt", "--fen", "4k3/7r/8/8/1b6/8/3N4/4K3 b - - 0 1", "-d", "2"];
    perft(&[&position, more].concat(), &engine("faulty pinned-piece-moves"))
}

#[test]
fn a_bug_is_shown_with_board_reason_and_verdict() {
    let (code, text, errors) = pinned(&[]);
    assert_eq!((code, errors.as_str()), (1, ""), "{text}");
    for line in [
        "bug 1: generation, pinned-knight\n",
        "bug 1: generation, pinned-knight; seen in ",
        "4 . b . . . . . .",
        "position  ",
        "depth 1   ",
        "extra     d2",
        " is illegal: the knight on d2 is pinned to its king on e1 by the bishop on b4",
        "verdict   generation: the moves are wrong when the position is given as a FEN\n",
        "suite     ",
        ";id \"hunt-pinned-knight\" ;c0 \"generation: ",
        ": 1 bug: 1 of 1 position without the right answer; ",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
}

#[test]
fn the_path_is_shown_if_only_a_path_shows_the_bug() {
    let root = ["hunt", "--fen", "4k3/6b1/8/8/8/8/8/RR2K3 w Q -", "-d", "5"];
    let (code, text, _) = perft(&root, &engine("faulty rook-capture-keeps-right"));
    assert_eq!(code, 1);
    for line in ["reached   ", " moves ", "verdict   make: ", "cause", "queen-side right is gone"] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
}

#[test]
fn epd_output_is_a_suite_that_the_default_generator_passes() {
    let (code, epd, _) = pinned(&["--epd"]);
    assert_eq!(code, 1);
    assert_eq!(exit_code(&run_with_input(&["suite", "-"], &epd)), 0, "{epd}");
    let faulty = ["suite", "-", "--engine", &engine("faulty pinned-piece-moves")];
    assert_eq!(exit_code(&run_with_input(&faulty, &epd)), 1, "{epd}");
}

#[test]
#[cfg(unix)]
fn the_exit_code_is_4_without_an_answer() {
    let folder = Folder::new();
    let command = format!("sh {}/tests/engines/fake.sh dies", env!("CARGO_MANIFEST_DIR"));
    folder.write("perft.toml", &entry("fake", &command));
    let (text, _) = folder.expect(4, &["hunt", "-d", "2", "--fen", "start", "--engine", "fake"]);
    for words in ["verdict   no-answer: ", "no king", "Fake 1.0: 1 bug: "] {
        assert!(text.contains(words), "no '{words}' in\n{text}");
    }
}

/// No number of questions is too small to see that an answer is wrong, but some are to find the reason.
#[test]
fn a_wrong_answer_never_ends_with_0() {
    at_once(&["1", "2", "3", "4", "6", "9"], |&questions| {
        let (code, text, _) = pinned(&["--max-questions", questions]);
        let is_asked = text.contains("1 of 1 position without the right answer");
        assert_eq!((code, is_asked), (1, true), "{text}");
        assert!(text.contains("1 position reached the limit of --max-questions"), "{text}");
    });
}

/// A bug that needs a long path from its root: the counts of its suite line would take forever.
#[test]
fn a_long_path_does_not_stop_the_hunt() {
    let arguments = ["hunt", "--random", "40", "--max-bugs", "3"];
    let start = std::time::Instant::now();
    let (code, text, _) = perft(&arguments, &engine("ends-after-13-moves"));
    assert_eq!(code, 4, "{text}");
    assert!(text.contains(";c1 \"shown at depth "), "{text}");
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn chess960_is_not_asked_of_an_engine_that_does_not_announce_it() {
    let note = " Chess960 positions were not asked: the engine does not announce UCI_Chess960";
    for arguments in [
        &["hunt", "named", "chess960", "--max-nodes", "50"][..],
        &["hunt", "--random", "100"],
        &["suite", "chess960", "--max-nodes", "50"],
    ] {
        let (code, text, _) = perft(arguments, &engine("standard-chess-only"));
        assert_eq!(code, 0, "{arguments:?}: {text}");
        let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(text.contains(note), "{arguments:?}: {text}");
    }
    let only_chess960 = ["hunt", "--fen", "4k3/8/8/8/8/8/8/RK6 w A - 0 1"];
    let (code, text, errors) = perft(&only_chess960, &engine("standard-chess-only"));
    assert_eq!(code, 2, "{text}");
    assert!(errors.contains("nothing was asked"), "{errors}");
}

#[test]
fn impossible_positions_are_asked_only_on_request() {
    let hunted = |more: &[&str]| {
        let arguments = [&["hunt", "standard", "--max-nodes", "50"], more].concat();
        unfolded(&perft(&arguments, &engine("faulty castling-out-of-check")).1)
    };
    let text = hunted(&[]);
    assert!(
        text.contains(" positions that no game reaches were left out: --unreachable asks about them too"),
        "{text}"
    );
    assert!(text.contains(" of 360 positions"), "{text}");
    assert!(hunted(&["--unreachable"]).contains(" of 380 positions"));
    let mate = ["hunt", "--fen", "4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1", "-d", "1"];
    let (code, text, _) = perft(&mate, &engine("faulty castling-out-of-check"));
    assert_eq!(code, 0, "a position that is named is asked about: {text}");
}

#[test]
fn an_interrupted_hunt_prints_what_it_has_found() {
    use std::io::{BufRead, BufReader};
    let arguments = ["hunt", "--random", "100M", "--max-bugs", "100", "--progress", "never"];
    let engine = engine("faulty pinned-piece-moves");
    let mut child = spawn(&[&arguments[..], &["--engine", &engine]].concat());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("bug 1: generation")));
    interrupt(&child);
    assert!(lines.any(|line| line == "incomplete: stopped before the end"));
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Below a move at depth 1 there are no moves that could explain its count.
#[test]
fn a_move_that_is_counted_twice_at_depth_1_is_a_bug() {
    let (code, text, errors) =
        perft(&["hunt", "--fen", "start", "-d", "1", "--dialect", "uci"], &engine("counts-e2e4-twice"));
    assert_eq!((code, errors.as_str()), (1, ""), "{text}");
    assert!(text.contains("wrong     e2e4: expected 1, found 2\n"), "{text}");
}

/// It needs half a second for the positions that show how fast it is. So the count of four plies is left out.
#[test]
#[cfg(unix)]
fn a_slow_engine_is_not_asked_for_large_counts() {
    let folder = Folder::new();
    let pace = "case $line in *'fen r3k2r/p1ppqpb1/bn2pnp1'* | *'fen r4rk1/1pp1qppp'*) sleep 0.5;; esac";
    let program = program().display().to_string();
    let engine = format!("while read -r line; do {pace}; echo \"$line\"; done | exec '{program}' uci");
    write_script(&folder.path("slow"), &engine);
    folder.write("my.epd", &format!("{START} ;D1 20 ;D4 197281\n"));
    let hunt = "hunt ./slow my.epd --dialect uci --engine-log log";
    let (_, errors) = folder.line(0, hunt);
    for said in [" nodes/s, so counts above ", "000 are left out; --max-nodes asks for more"] {
        assert!(errors.contains(said), "{errors}");
    }
    assert!(!folder.read("log").contains("Nodes searched: 197281"));
    let (_, errors) = folder.line(0, &format!("{hunt} --max-nodes 1k"));
    assert!(!errors.contains("nodes/s"), "{errors}");
}
