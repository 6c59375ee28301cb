//! `perft diagnose`: its output about wrong numbers, and its exit codes.

use crate::support::{KIWIPETE, code, err, good, json, out, refused, report, run, run_with_input};

fn wrong(args: &[&str]) -> String {
    let output = run(&[&["diagnose"], args].concat());
    assert_eq!((code(&output), err(&output).as_str()), (1, ""), "{args:?}");
    out(&output)
}

#[test]
fn a_right_number_is_said_to_be_right() {
    assert_eq!(good(&["diagnose", "4:197281"]), "start\n  depth 4: 197,281: right\n\nThe number is right.\n");
    let text = good(&["diagnose", "kiwipete", "2:2039", "endgame", "3:2,812"]);
    assert!(text.ends_with("All numbers are right.\n"), "{text}");
}

#[test]
fn a_number_can_be_given_in_several_ways() {
    let right = "depth 2: 2,038: 1 too few, right is 2,039";
    for args in [
        &["--fen", "kiwipete", "--depth", "2", "2038"][..],
        &["kiwipete", "2:2038"],
        &["Kiwipete", "-d", "2", "2_038"],
        &[KIWIPETE, "2:2,038"],
        &[&format!("{KIWIPETE} ;D2 2038")],
    ] {
        let text = wrong(args);
        assert!(text.contains(right), "{text}");
    }
    let unquoted: Vec<&str> = KIWIPETE.split(' ').chain(["2:2038"]).collect();
    assert!(wrong(&unquoted).contains(right));
    let epd = format!("{KIWIPETE} ;D1 48 ;D2 2038\n");
    let output = run_with_input(&["diagnose", "-"], &epd);
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains(right) && out(&output).contains("depth 1: 48: right"));
}

#[test]
fn the_mistakes_are_named_and_told_apart_in_80_columns() {
    let text = wrong(&["kiwipete", "2:2038"]);
    for line in [
        "  depth 2: 2,038: 1 too few, right is 2,039",
        "4 mistakes give exactly this number:",
        "     En passant captures are missing.",
        "     Variants with the same result: 1a no-en-passant-by-black,",
        ": mistake 1a\n",
        "Count these positions with your program to tell them apart:",
        " tried in ",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn json_has_the_numbers_the_candidates_and_the_telling_counts() {
    let output = run(&["diagnose", "kiwipete", "3:97817", "start", "1:20", "--json"]);
    assert_eq!(code(&output), 1);
    let report = report(&out(&output));
    assert_eq!(report["mode"], "diagnose");
    assert_eq!(
        (&report["counts"][0]["found"], &report["counts"][0]["expected"]),
        (&97_817.into(), &97_862.into())
    );
    assert_eq!((&report["counts"][1]["right"], &report["best"]), (&true.into(), &3.into()));
    let names: Vec<&serde_json::Value> = (0..3).map(|index| &report["candidates"][index]["name"]).collect();
    assert_eq!(
        names,
        ["no-en-passant-by-white", "leaf-en-passant-missing", "no-en-passant-by-white-towards-a"]
    );
    let generals = [0, 1, 2].map(|index| &report["candidates"][index]["variant_of"]);
    assert_eq!(
        generals,
        [&serde_json::Value::Null, &serde_json::Value::Null, &"no-en-passant-by-white".into()]
    );
    assert_eq!(report["candidates"][0]["predicted"], serde_json::json!([97_817, 20]));
    assert_eq!(report["telling"][0]["predicted"].as_array().unwrap().len(), 3);
}

#[test]
fn an_unknown_cause_is_admitted() {
    let text = wrong(&["kiwipete", "4:4100700"]);
    assert!(text.contains("\nNo known mistake gives this number.\n\n316 mistakes tried in "), "{text}");
    assert!(text.contains("perft hunt --engine"), "{text}");
}

#[test]
fn the_catalogue_is_listed() {
    let text = good(&["diagnose", "--list"]);
    assert!(
        text.starts_with("en passant:\n  no-en-passant\n      En passant captures are missing.\n"),
        "{text}"
    );
    assert!(text.contains("\nadding up:\n  depth-one-less\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let list = json(&["diagnose", "--list", "--json"]);
    assert!(list["mistakes"].as_array().unwrap().len() > 80);
}

#[test]
fn wrong_usage_is_an_error() {
    for (args, message) in [
        (&["diagnose"][..], "no number was given"),
        (&["diagnose", "123"], "give --depth N, or N:123"),
        (&["diagnose", "kiwipeet", "2:1"], "did you mean 'kiwipete'?"),
        (&["diagnose", "99:1"], "too many to count"),
        (&["diagnose", "999:1"], "'999' is not a depth"),
        (&["diagnose", "8/8 ;D1 5"], "this line is not a position with known counts"),
    ] {
        let text = refused(args);
        assert!(text.contains(message), "{text}");
    }
}
