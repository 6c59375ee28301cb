//! `perft hunt --state`: engines with bugs that no count shows.

use crate::support::{Folder, at_once, code, engine, err, out, report, run, run_with_input};

/// Runs `perft hunt --state` on the program with this name in `perft_testing::engines`.
fn states(name: &str, more: &[&str]) -> (i32, String, String) {
    let engine = engine(&format!("state {name}"));
    let output = run(&[&["hunt", "--state", "--engine", &engine], more].concat());
    (code(&output), out(&output), err(&output))
}

#[test]
fn a_bug_is_shown_with_board_reason_and_verdict() {
    let rook = ["--fen", "r3k2r/8/8/3B4/8/8/8/4K3 w kq - 0 1"];
    let (code, text, errors) = states("rook-capture", &rook);
    assert_eq!((code, errors.as_str()), (1, ""), "{text}");
    for line in [
        "bug 1: make, castling-rights, rook-captured\n",
        "bug 1: make, castling-rights, rook-captured; seen in ",
        "position  ",
        "reached   ",
        "wrong     the field of the castling rights is q after the capture of a castling\n          rook (d5a8); it must be -\n",
        "verdict   make: the state is right when the position is given as a FEN: making a",
        "met in    r3k2r/8/8/3B4/8/8/8/4K3 w kq - 3 7 moves d5a8\n",
        ": 1 bug: 1 of 1 position with a wrong state; ",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    let (_, lines, _) = states("rook-capture", &[&rook[..], &["--epd"]].concat());
    assert!(lines.starts_with("position fen ") && lines.ends_with(" moves d5a8\n"), "{lines}");
    let (_, text, _) = states("unmake", &["--fen", "kiwipete"]);
    assert!(text.contains("the key is not what it was before a count to depth 1"), "{text}");
    assert!(text.contains(" before the count, ") && text.contains(" taken back, probably"), "{text}");
}

/// A wrong count that is right as a FEN comes from the state: a hunt for counts compares it, if the engine prints it.
#[test]
fn a_hunt_for_counts_tells_the_wrong_state_behind_a_bug() {
    let position = ["r3k2r/8/8/3B4/8/8/8/4K3 w kq - 0 1", "moves", "d5a8", "1"];
    let hunted = |name: &str, more: &[&str]| {
        let engine = engine(&format!("state {name}"));
        run(&[&["hunt", engine.as_str()], &position[..], more].concat())
    };
    let text = out(&hunted("kept-right", &[]));
    for line in [
        "bug 1: make",
        "wrong state: make, castling-rights, rook-captured\n",
        "wrong     the field of the castling rights is q after the capture of a castling\n          rook (d5a8); it must be -\n",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    let json = report(&out(&hunted("kept-right", &["--json"])));
    assert_eq!(json["states"][0]["verdict"], "make", "{json}");
    let text = out(&hunted("right", &[]));
    assert!(text.contains("no bug found") && !text.contains("wrong state"), "{text}");
}

#[test]
fn right_engines_are_not_accused() {
    let (code, text, errors) = states("right", &["--random", "30"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{text}");
    assert!(text.contains(": no bug found: 0 of "), "{text}");
    let (code, text, _) = states("four-fields", &["--random", "20"]);
    assert_eq!(code, 0, "{text}");
    for note in ["prints no key", "prints no halfmove clock", "prints no move number"] {
        assert!(text.contains(note), "no '{note}' in\n{text}");
    }
    let perft = format!("'{}' uci", assert_cmd::cargo::cargo_bin!("perft").display());
    let output = run(&["hunt", "--state", "--random", "30", "--engine", &perft]);
    let text = out(&output);
    assert_eq!(self::code(&output), 0, "{text}");
    assert!(text.contains(": no bug found: 0 of 30 positions with a wrong state; "), "{text}");
}

#[test]
fn an_engine_that_prints_no_state_is_told_so() {
    let (code, text, errors) = states("silent", &["--fen", "start"]);
    assert_eq!((code, text.as_str()), (4, ""), "{errors}");
    assert!(errors.contains("found no command after which") && errors.contains("--ask-state"), "{errors}");
    let (code, _, errors) = states("right", &["--fen", "start", "--ask-state", "nothing"]);
    assert!(code == 4 && errors.contains("neither a FEN nor a key after 'nothing'"), "{errors}");
    let (code, _, errors) = states("right", &["--fen", "start", "--ask-state", "d {depht}"]);
    assert!(code == 2 && errors.contains("'{depht}' is not a part of a question"), "{errors}");
}

/// The script prints its FEN after `where`, knows no perft, and may fail on castling.
#[cfg(unix)]
#[test]
fn scripts_are_asked_in_their_own_words() {
    let perft = assert_cmd::cargo::cargo_bin!("perft").display().to_string();
    let hunt = |failure: &str, limit: &str| {
        let engine = format!(
            r#"sh -c 'while read -r line; do case $line in
            uci) echo id name Script; echo uciok;; isready) echo readyok;; position*) position=$line;;
            where) case $position in *e1c1*) {failure};; esac
            printf "%s\nd\n" "$position" | "{perft}" uci | grep -e Fen -e Key;;
            quit) exit;; esac; done'"#
        );
        let position = ["--fen", "4k3/8/8/8/8/8/8/R3K3 w Q -"];
        let asking =
            ["--dialect", "uci", "--ask-state", "where", "--engine-timeout", limit, "--engine", &engine];
        run(&[&["hunt", "--state"], &position[..], &asking[..]].concat())
    };
    let output = hunt(":", "20");
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("states after a count were not compared"), "{}", out(&output));
    let failures = [("exit 7", "20", "the engine ended"), ("sleep 60", "1", "did not answer within 1 s")];
    at_once(&failures, |&(failure, limit, words)| {
        let output = hunt(failure, limit);
        let text = out(&output);
        assert_eq!(code(&output), 4, "{text}{}", err(&output));
        assert!(text.contains("bug 1: no-answer") && text.contains(words), "{text}");
    });
}

/// A console that is started once, and a console that is started for each question.
#[cfg(unix)]
#[test]
fn consoles_without_a_handshake_are_asked_too() {
    let folder = Folder::new();
    let perft = assert_cmd::cargo::cargo_bin!("perft").display().to_string();
    let script = format!(
        "while read -r word rest; do case $word in setboard) fen=$rest;; \
         where) printf 'position fen %s\\nd\\n' \"$fen\" | '{perft}' uci | grep Key;; \
         perft) '{perft}' divide --depth \"$rest\" --fen \"$fen\";; esac; done\n"
    );
    folder.write("console.sh", &script);
    let entry = |name: &str, launch: &str| {
        format!(
            "[engine.{name}]\ncommand = 'sh console.sh'\nhandshake = 'none'\nlaunch = '{launch}'\n\
             ask = ['setboard {{fen}}', 'perft {{depth}}']\nask_state = 'where'\n"
        )
    };
    folder.write("perft.toml", &(entry("once", "once") + &entry("each", "each")));
    at_once(&[("once", true), ("each", false)], |&(name, counts)| {
        let args = ["hunt", "--state", "--fen", "4k3/8/8/8/8/8/4P3/4K3 w - -", "--engine", name];
        let (text, _) = folder.expect(0, &args);
        assert!(text.contains("prints no FEN") && text.contains("it gets each position as a FEN"), "{text}");
        assert_eq!(text.contains("states after a count were not compared"), !counts, "{text}");
        assert!(text.contains("no bug found: 0 of 1 position with a wrong state"), "{text}");
    });
}

#[cfg(unix)]
#[test]
fn a_probe_finds_the_line_and_saves_it() {
    let folder = Folder::new();
    let (text, _) = folder.expect(0, &["probe", &engine("state right"), "--save", "mine"]);
    assert!(text.contains("state        FEN and key after 'd'"), "{text}");
    assert!(folder.read("perft.toml").contains("ask_state = \"d\""));
    let (text, _) = folder.line(0, "hunt --state --engine mine --fen start --json");
    assert_eq!(report(&text)["state"]["prints"][2], "half-move-clock", "{text}");
    let text = out(&folder.run(&["probe", &engine("state silent")]));
    assert!(text.contains("state        not printed: hunt --state cannot compare"), "{text}");
}

#[test]
fn perft_uci_prints_fen_and_key() {
    let print = |position: &str| {
        let text = out(&run_with_input(&["uci"], &format!("position {position}\nd\n")));
        let find = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
        (find("Fen: "), find("Key: "))
    };
    let (fen, key) = print("fen 4k3/8/8/8/4p3/8/3P4/4K3 w - - 5 9 moves d2d4");
    assert_eq!(fen, "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 9");
    assert_eq!(print(&format!("fen {fen}")).1, key);
    assert!(key.len() == 16 && key.chars().all(|digit| digit.is_ascii_hexdigit()), "{key}");
    assert_ne!(print("fen 4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 9").1, key);
    assert_eq!(
        print("fen 4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 9 moves e8e7").0,
        "8/4k3/8/8/3Pp3/8/8/4K3 w - - 1 10"
    );
}
