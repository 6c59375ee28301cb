//! `perft diagnose`: its output about wrong numbers, and its exit codes.

use crate::support::{KIWIPETE, at_once, code, err, good, json, out, report, run, run_with_input, unfolded};

fn wrong(args: &[&str]) -> String {
    // On a busy machine, a note would say that it takes long.
    let output = run(&[&["diagnose", "--quiet"], args].concat());
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
        &["kiwipete", "2", "2038"],
        &["kiwipete", "D2=2038"],
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

/// The table of many pages and programs, with blanks or bars between its columns.
#[test]
fn captures_and_other_kinds_beside_a_number_are_compared() {
    let header =
        ["Depth", "Nodes", "Captures", "E.p.", "Castles", "Promotions", "Checks", "Double Checks", "Mates"];
    let rows = [
        ["1", "48", "8", "0", "2", "0", "0", "0", "0"],
        ["2", "2,039", "351", "1", "91", "0", "3", "0", "0"],
        ["3", "97,862", "17,102", "45", "3,162", "0", "993", "0", "1"],
    ];
    for separator in ["  ", " | ", "\t", ";"] {
        let table = |rows: &[[&str; 9]]| {
            let lines = [header].iter().chain(rows).map(|row| row.join(separator) + "\n").collect::<String>();
            run_with_input(&["diagnose", "kiwipete", "-", "--quiet"], &lines)
        };
        let output = table(&rows);
        assert_eq!(code(&output), 0, "{}", out(&output));
        assert_eq!(
            out(&output)
                .matches("captures, en passant, castles, promotions, checks, checkmates: right")
                .count(),
            3
        );
        for column in 2..9 {
            let mut wrong = rows;
            wrong[2][column] = "7";
            let output = table(&wrong);
            let is_unclear = header[column] == "Double Checks";
            assert_eq!(code(&output), i32::from(!is_unclear), "{}", out(&output));
            assert_eq!(out(&output).contains("right, but not what stands beside it"), !is_unclear);
        }
    }
    let block = run_with_input(
        &["diagnose", "kiwipete", "-", "-d", "3"],
        "Nodes: 97862\nCaptures: 17101\nE.p.: 45\n",
    );
    assert!(out(&block).contains("    captures 17,101: 1 too few, right is 17,102\n    en passant: right\n"));
}

#[test]
fn captures_decide_between_causes() {
    let text = wrong(&["kiwipete", "3:97766"]);
    assert!(text.contains("3 mistakes give exactly this number:"), "{text}");
    let text = wrong(&["kiwipete", "3:97766", "captures:17047", "ep:0"]);
    assert!(text.contains("2 mistakes give exactly this number:") && !text.contains("unmake"), "{text}");
    assert!(!text.contains("no proof"), "{text}");
    let text = wrong(&["kiwipete", "3:97766", "ep:45"]);
    assert!(text.contains("1 mistake gives exactly this number:\n\n  1  unmake"), "{text}");
}

#[test]
fn the_mistakes_are_named_and_told_apart_in_80_columns() {
    let text = wrong(&["kiwipete", "2:2038"]);
    for line in [
        "  depth 2: 2,038: 1 too few, right is 2,039",
        " mistakes give exactly this number:",
        "     En passant captures are missing.",
        "\nOne wrong number alone is no proof: other bugs may give it too. One more number\ndecides.\n",
        ": mistakes 1",
        "Count these positions with your program to tell them apart:",
        " models were tried at depth 2. ",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn json_has_the_numbers_the_causes_and_the_telling_counts() {
    let output = run(&["diagnose", "kiwipete", "3:97817", "start", "1:20", "--json"]);
    assert_eq!(code(&output), 1);
    let report = report(&out(&output));
    assert_eq!(report["mode"], "diagnose");
    let [wrong, right] = [0, 1].map(|index| &report["counts"][index]);
    assert_eq!((&wrong["found"], &wrong["expected"]), (&97_817.into(), &97_862.into()));
    assert_eq!((&right["right"], &right["rules_tried"]), (&true.into(), &true.into()));
    assert!(wrong["models_tried"].as_u64() > right["models_tried"].as_u64(), "{report}");
    let causes = report["causes"].as_array().unwrap();
    assert!(causes.iter().any(|cause| cause["name"] == "no-en-passant-at-last-ply"), "{report}");
    assert_eq!(report["telling"][0]["predicted"].as_array().unwrap().len(), causes.len());
}

#[test]
fn a_number_that_has_overflowed_is_read() {
    let text = wrong(&["start", "7:-1099065436"]);
    assert!(
        text.contains("  depth 7: -1,099,065,436: 4,294,967,296 too few, right is 3,195,901,860"),
        "{text}"
    );
    assert!(text.contains("1 mistake gives exactly this number:\n\n  1  signed-32-bits\n"), "{text}");
    assert!(unfolded(&text).contains("depth 7 is too large to be counted with models"), "{text}");
    assert!(wrong(&["start", "3:-3"]).contains("No known mistake gives this number.\n"));
}

/// A divide says more than its total.
#[test]
fn a_divide_is_read() {
    let ours = good(&["divide", "--fen", "kiwipete", "--depth", "2"]);
    let divide = ours.lines().filter(|line| !line.starts_with("Nodes"));
    let theirs: String = divide.map(|line| line.replace("a2a4: 44", "a2a4: 43") + "\n").collect();
    let output = run_with_input(&["diagnose", "kiwipete", "-", "--depth", "2", "start", "1:20"], &theirs);
    let text = out(&output);
    assert_eq!(code(&output), 1, "{text}");
    assert!(text.contains("  depth 2: 2,038: 1 too few, right is 2,039\n"), "{text}");
    assert!(text.contains("no-en-passant\n"), "{text}");
    let two_wrong = theirs.replace("a2a3: 44", "a2a3: 45");
    let output = run_with_input(&["diagnose", "kiwipete", "-", "--depth", "2"], &two_wrong);
    assert!(
        out(&output).contains("depth 2: 2,039: the counts below some moves are wrong\n"),
        "{}",
        out(&output)
    );
    let output = run_with_input(&["diagnose", "kiwipete", "-"], &theirs);
    assert!(err(&output).contains("the text in standard input has no depth"), "{}", err(&output));
}

/// The count that came is judged, and not the one that should have come.
#[test]
fn the_totals_of_a_text_are_read() {
    for (args, text, told) in [
        (
            &["start", "-"][..],
            "perft(3) = 8902, expected 9194",
            "depth 3: 8,902: right, but not what stands beside it",
        ),
        (
            &["-"],
            "| FEN | depth | expected | actual |\n|---|---|---|---|\n\
             | 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 | 5 | 674624 | 674543 |\n",
            "depth 5: 674,543 (\"actual\"): 81 too few, right is 674,624",
        ),
    ] {
        let output = run_with_input(&[&["diagnose", "--quiet"], args].concat(), text);
        let read = out(&output);
        assert_eq!((code(&output), err(&output).as_str()), (1, ""), "{read}");
        assert!(read.contains(told) && (args.len() == 1 || !read.contains("mistake")), "{read}");
    }
}

/// `W` stands for the wrong number of a program, and `R` for the right one. Test frameworks print both, in any order, and
/// so do authors. If both are the same, nothing is wrong; a text that is not understood is refused. In a table, each number
/// has the depth of its row or of its column. A depth that is asked for hides no number of the text.
#[test]
fn a_number_beside_the_right_one_is_never_passed_over() {
    let texts = [
        ("REQUIRE( perft(3) == R )\nwith expansion:\n  W == R", 2),
        ("EXPECT_EQ(perft(3), R)\n  perft(3)\n    Which is: W", 2),
        ("CHECK_EQ( perft(b, 3), R ) is NOT correct!\n  values: CHECK_EQ( W, R )", 2),
        ("assert_eq!(perft(3), R) failed: left W", 2),
        ("assert perft(board, 3) == R\nE  assert W == R", 2),
        ("FAIL in (perft-3)\nexpected: (= R (perft 3))\n  actual: (not (= R W))", 2),
        ("thread 'perft' panicked at src/lib.rs:10:5:\n  left: R\n right: W", 2),
        ("perft(3) R W", 2),
        ("D3: R (W)", 2),
        ("start depth 3 = R nodes, previous run W", 2),
        ("At depth 3 I have W nodes whereas the wiki says R", 2),
        ("actual R\nexpected W at depth 3", 2),
        ("depth 3: R -> W", 2),
        ("depth 1: 20 -> 20\ndepth 2: 400 -> 400\ndepth 3: R -> W", 2),
        ("Depth 3: AssertionError: expected W to equal R", 1),
        ("perft 3\nAssertionError: expected W to be R", 1),
        ("perft.cpp:42: Failure\nperft 3\nExpected: R\nActual: W", 1),
        ("perft(3) = W, should be R", 1),
        ("perft(3) = W, expected R", 1),
        ("perft(3): W != R", 1),
        ("Depth 3: W nodes (should be R)", 1),
        ("depth 3\nExpected: R Got: W", 1),
        ("| depth | expected | actual |\n|---|---|---|\n| 3 | R | W |", 1),
        ("depth nodes known diff\n1 20 20 0\n2 400 400 0\n3 W R +292", 1),
        ("depth        1      2      3\nexpected    20    400   R\nactual      20    400   W\n", 1),
        ("depth        1      2      3\nStockfish    20    400   R\nmine      20    400   W\n", 1),
        ("depth;expected;got\n2;400;400\n3;R;W\n", 1),
        ("{\"1\": 20, \"2\": 400, \"3\": W}", 1),
        ("[{\"depth\": 1, \"nodes\": 20}, {\"depth\": 3, \"nodes\": W}]", 1),
        (
            "[{\"depth\": 2, \"nodes\": 400, \"expected\": 400}, {\"depth\": 3, \"nodes\": W, \"expected\": R}]",
            1,
        ),
    ];
    at_once(&texts, |&(text, expected)| {
        let told = ["292 too many, right is 8,902", "8,902 is right, but the text also has 9,194"];
        // One text has no depth.
        for depth in [&["--depth", "3"][..], &[]].into_iter().take(if text.contains('3') { 2 } else { 1 }) {
            let diagnosed = |wrong: &str| {
                let text = text.replace('R', "8902").replace('W', wrong);
                run_with_input(&[&["diagnose", "start", "-", "--quiet"], depth].concat(), &text)
            };
            let output = diagnosed("9194");
            let said = out(&output) + &err(&output);
            assert_eq!(code(&output), expected, "{text}: {said}");
            assert!(said.contains(told[usize::from(expected == 2)]), "{text}: {said}");
            assert!(expected == 2 || said.contains("depth 3: 9,194"), "{text}: {said}");
            let same = diagnosed("8902");
            assert_eq!(code(&same), 0, "{text}: {}", out(&same));
        }
    });
}

/// A text says its position and its depth in any place, and its numbers in any language.
#[test]
fn the_position_and_the_depth_may_stand_elsewhere_in_a_text() {
    for (text, told) in [
        (
            "FEN: r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\nperft(3) = 97863",
            "1 too many",
        ),
        ("Position: Kiwipete\ndepth 3: 97863 nodes", "1 too many"),
        ("Expected: 8902\nActual: 9194\n  at PerftDepth3", "292 too many"),
        ("9194 !== 8902\n\n    at perft depth 3", "292 too many"),
        ("glubina 3: polucheno 9194, ozhidalos 8902", "292 too many"),
        ("9194/8902 depth 3", "292 too many"),
        ("check perft(3) == 8902 has failed in \"perft_d3\" [9194 != 8902]", "292 too many"),
        ("Depth 3: 8902 expected. Result 9194.", "9,194: 292 too many"),
        (
            "  1) perft depth 3\n     Failure/Error: expect(perft(3)).to eq(8902)\n  expected: 8902\n  got: 9194",
            "292 too many",
        ),
    ] {
        let output = run_with_input(&["diagnose", "-", "--quiet"], text);
        let said = out(&output) + &err(&output);
        assert!(code(&output) == 1 && said.contains(told), "{text}: {said}");
    }
    let said =
        out(&run_with_input(&["diagnose", "-", "--quiet"], "glubina 3: polucheno 9194, ozhidalos 8902"));
    assert!(
        said.contains("    no word says what this number is: it is about as large as the right one\n"),
        "{said}"
    );
}

#[test]
fn an_unknown_cause_is_admitted() {
    let text = wrong(&["kiwipete", "3:98501", "2:2038"]);
    assert!(text.contains("\nNo known mistake gives these 2 numbers.\n\n"), "{text}");
    assert!(text.contains("perft hunt ./my-engine"), "{text}");
}

#[test]
fn the_catalogue_is_listed() {
    let text = good(&["diagnose", "--list"]);
    assert!(
        text.contains("en passant:\n  no-en-passant\n      En passant captures are missing.\n"),
        "{text}"
    );
    assert!(text.starts_with("adding up:\n  depth-one-less\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let list = json(&["diagnose", "--list", "--json"]);
    let mistakes = list["mistakes"].as_array().unwrap().len();
    assert!((80..400).contains(&mistakes) && list["models"].as_u64() > Some(mistakes as u64), "{mistakes}");
}

#[test]
fn a_text_without_a_number_is_refused() {
    let text = err(&run_with_input(&["diagnose", "-"], "hello\n"));
    assert!(text.contains("there is no number in standard input"), "{text}");
}
