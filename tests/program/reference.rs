//! `perft hunt --reference`: where two engines disagree, which one is right by the rules of chess, and the exit
//! codes.

use super::support::{Folder, code as exit_code, engine, err, out, run, text_of, unfolded};

/// Runs `perft hunt --engine ENGINE --reference REFERENCE ...`. Returns the exit code and both outputs.
fn perft(tested: &str, reference: &str, more: &[&str]) -> (i32, String, String) {
    let (tested, reference) = (engine(tested), engine(reference));
    let output = run(&[&["hunt", "--engine", &tested, "--reference", &reference], more].concat());
    (exit_code(&output), out(&output), err(&output))
}

const CASTLING: &str = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";

/// A generator with the bug lets the pawn step over the knight.
const BLOCKED: &str = "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1";

#[test]
fn a_difference_is_followed_and_the_rules_of_chess_say_who_is_right() {
    let (code, out, _) = perft("variants", "faulty no-castling", &["--fen", "kiwipete", "-d", "3"]);
    assert_eq!(code, 1, "{out}");
    for expected in [
        "difference 1: the moves differ",
        "depth 1   the engine counts 48, the reference 46\n",
        "only      the engine: e1c1 e1g1\n",
        "in chess  the engine is right: 48\n",
        "e1g1 is legal, castling king-side",
        "the engine and the reference: they differ: 1 of 1 position answered differently; 2 questions to each",
    ] {
        assert!(out.contains(expected) || unfolded(&out).contains(expected), "{expected}:\n{out}");
    }
}

#[test]
fn engines_that_play_the_same_variant_agree() {
    let nocastle = ["--option", "UCI_Variant=nocastle", "--fen", CASTLING, "-d", "3"];
    let (code, out, err) = perft("variants", "faulty no-castling", &nocastle);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("no difference"), "{out}");
    assert!(err.contains("has no option UCI_Variant: it is asked without it"), "{err}");
}

#[test]
fn a_variant_is_not_judged_by_the_rules_of_chess() {
    let variant = ["--option", "UCI_Variant=nocastle", "--fen", BLOCKED, "--json"];
    for (more, judge) in [(&variant[..], serde_json::Value::Null), (&variant[2..], "reference".into())] {
        let (code, out, _) = perft("faulty double-step-jumps", "variants", more);
        assert_eq!(code, 1, "{out}");
        let report = crate::support::report(&out);
        assert_eq!(report["findings"][0]["chess"]["who_is_right"], judge);
    }
}

#[test]
fn options_that_neither_has_and_values_that_none_can_have_are_errors() {
    for (other, option, words) in [
        ("variants", "UCI_Chess960=true", "has an option UCI_Chess960"),
        (
            "faulty no-castling",
            "UCI_Variant=atomic",
            "'UCI_Variant' cannot be 'atomic'; it can be: chess, nocastle",
        ),
    ] {
        let (code, _, err) = perft("variants", other, &["--option", option, "--fen", CASTLING]);
        assert!(code == 2 && err.contains(words), "{err}");
    }
}

#[test]
fn both_engines_are_asked_in_as_many_threads_as_wanted() {
    let one = ["--fen", "kiwipete", "-d", "1", "-t", "2", "--json"];
    for (more, threads) in [(&["standard", "--max-nodes", "100", "-t", "2", "--json"][..], 2), (&one, 1)] {
        let (code, out, err) = perft("variants", "variants", more);
        assert_eq!(code, 0, "{out}{err}");
        assert_eq!(crate::support::report(&out)["threads"], threads);
    }
}

#[test]
fn random_positions_are_compared_too() {
    let (code, out, _) = perft("variants", "faulty double-step-jumps", &["--random", "300", "--json"]);
    assert_eq!(code, 1, "{out}");
    let report = crate::support::report(&out);
    let found = &report["findings"][0];
    assert_eq!((&report["mode"], &report["seed"]), (&"hunt".into(), &1.into()));
    assert_eq!((&found["kind"], &found["chess"]["who_is_right"]), (&"moves".into(), &"engine".into()));
    assert_eq!(found["only_engine"].as_array().unwrap().len(), 0);
    assert_eq!(report["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn built_in_suites_and_files_are_compared() {
    let folder = Folder::new();
    let file = folder.path(folder.write("my.epd", &format!("# mine\n{CASTLING} ;D1 13\n")));
    let (code, out, _) = perft("variants", "faulty no-castling", &[text_of(&file)]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("1 of 1 position"), "{out}");
    let (code, out, _) = perft("variants", "variants", &["standard", "--max-nodes", "100"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("no game reaches"), "{out}");
}

#[test]
fn nothing_asked_is_no_agreement() {
    let only_chess960 = ["--fen", "4k3/8/8/8/8/8/8/RK6 w A - 0 1"];
    let (code, out, err) = perft("crlf", "standard-chess-only", &only_chess960);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("nothing was asked: an engine does not announce Chess960"), "{err}");
}

#[test]
fn an_engine_without_an_answer_ends_with_4() {
    let (code, _, err) = perft("dies", "variants", &["--fen", CASTLING]);
    assert_eq!(code, 4, "{err}");
}
