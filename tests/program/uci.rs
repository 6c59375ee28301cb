//! `perft uci`: sessions with the built-in generator as a UCI engine.

use crate::support::{KIWIPETE, code, err, out, run_with_input};

/// Returns the output of the program after its banner.
fn session(input: &str) -> String {
    let output = run_with_input(&["uci"], input);
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
    let said = out(&output);
    let (banner, rest) = said.split_once('\n').expect("a banner");
    assert!(banner.starts_with("perft ") && banner.ends_with(" by the perft authors"), "{banner}");
    rest.to_owned()
}

#[test]
fn questions_before_the_end_of_input_are_answered() {
    assert!(session("go perft 3").ends_with("\n\nNodes searched: 8902\n\n"));
    assert_eq!(session("position startpos\ngo perft 0\n"), "\nNodes searched: 1\n\n");
    assert_eq!(session(""), "");
}

#[test]
fn threads_and_a_table_can_be_set() {
    let set = "setoption name threads value 2\nsetoption name Hash value 4\n";
    let said = session(&format!("{set}position fen {KIWIPETE}\ngo perft 5\n"));
    assert!(said.ends_with("Nodes searched: 193690690\n\n"), "{said}");
}

#[test]
fn errors_are_reported_and_nothing_is_counted() {
    let wrong = [
        "setoption name Threads value many",
        "setoption name Threads value 0",
        "setoption name Style value wild",
        "setoption name UCI_Chess960 value perhaps",
        "position fen nonsense",
        "position startpos moves e2e5",
        "go perft 1",
    ];
    let said = session(&format!("{}\nposition startpos\ngo perft 1\n", wrong.join("\n")));
    let complaints = said.lines().take_while(|line| line.starts_with("info string ")).count();
    assert_eq!(complaints, wrong.len(), "{said}");
    assert!(said.ends_with("Nodes searched: 20\n\n"), "{said}");
}

/// The tool perftree starts its reference engine and reads one line. Then it asks a question, and reads moves up to
/// an empty line, the total, and one more empty line. At depth 0 there are no moves.
#[test]
fn perftree_can_use_it_as_its_reference() {
    let asked = "position fen 7k/8/8/8/8/8/8/K7 w - - 0 1 moves a1a2\ngo perft 1\n\
                 position fen 7k/8/8/8/8/8/8/K7 w - - 0 1 moves a1a2 h8h7\ngo perft 0\n";
    let said = session(asked);
    let expected = "h8g7: 1\nh8g8: 1\nh8h7: 1\n\nNodes searched: 3\n\n\nNodes searched: 1\n\n";
    assert_eq!(said, expected);
}

#[test]
fn an_endless_line_is_refused() {
    for args in [&["uci"][..], &["--depth", "1", "--fen", "-"]] {
        let output = run_with_input(args, &"x".repeat(1 << 17));
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(err(&output).contains("a line of more than 65536 bytes"), "{args:?}: {}", err(&output));
    }
}
