//! `perft divide`: the formats and the castling notation.

use perft_core::Position;
use serde_json::Value;

use crate::support::{good, out, refused, report, run_with_input};

const KING_AND_ROOK: &str = "4k3/8/8/8/8/8/7P/R3K3 w Q - 0 1";

fn divide(format: &str) -> String {
    good(&["divide", "--fen", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "--depth", "2", "--format", format])
}

#[test]
fn every_format() {
    let moves = ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "c1c2", "c1d1", "c1d2"];
    let nodes = [1, 1, 0, 0, 1, 3, 3];
    let lines = |line: &dyn Fn(&str, u32) -> String| -> String {
        moves.iter().zip(nodes).map(|(played, nodes)| line(played, nodes) + "\n").collect()
    };
    let stockfish = lines(&|played, nodes| format!("{played}: {nodes}"));
    assert_eq!(divide("stockfish"), format!("{stockfish}\nNodes searched: 9\n\n"));
    let perftree = lines(&|played, nodes| format!("{played} {nodes}"));
    assert_eq!(divide("perftree"), format!("{perftree}\n9\n"));
    let qperft = lines(&|played, nodes| format!("2. {} moves = {nodes:10}", &played[..4]));
    assert!(divide("qperft").starts_with(&format!("{qperft}perft( 2)=            9 (")));
    let csv = lines(&|played, nodes| format!("{played},{nodes}"));
    assert_eq!(divide("csv"), format!("move,nodes\n{csv}"));
    assert!(divide("markdown").contains("| c1d1  |     3 |"));
    let whole = report(&divide("json"));
    assert_eq!(whole["moves"][5], serde_json::json!({"move": "c1d1", "nodes": 3}));
    assert_eq!(whole["nodes"], 9);
    let jsonl = divide("jsonl");
    assert_eq!(jsonl.lines().count(), 8);
    let lines: Vec<Value> = jsonl.lines().map(report).collect();
    assert_eq!((&lines[5]["move"], &lines[5]["nodes"]), (&"c1d1".into(), &3.into()));
    assert_eq!((&lines[5]["position"], &lines[7]["nodes"]), (&lines[7]["position"], &9.into()));
}

#[test]
fn each_of_several_divides_says_which_position_it_belongs_to() {
    let divide = |format: &str| {
        let args = ["divide", "--fen", "-", "--depth", "1", "--format", format];
        out(&run_with_input(&args, &format!("{KING_AND_ROOK}\nstart\n")))
    };
    let start = Position::start().to_string();
    for format in ["stockfish", "qperft", "perftree", "markdown"] {
        let text = divide(format);
        let place = |fen: &str| text.lines().position(|line| line == fen).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(place(KING_AND_ROOK), 0, "{text}");
        let first_move = text.lines().position(|line| line.contains("a2a3")).unwrap();
        let header = if format == "markdown" { 4 } else { 1 };
        assert_eq!(first_move, place(&start) + header, "{text}");
    }
    let csv = divide("csv");
    assert!(csv.starts_with(&format!("fen,move,nodes\n{KING_AND_ROOK},a1a2,1\n")), "{csv}");
    let of_start = |line: &&str| report(line)["position"]["fen"] == start.as_str();
    assert_eq!(divide("json").lines().filter(of_start).count(), 1);
    assert_eq!(divide("jsonl").lines().filter(of_start).count(), 21);
}

#[test]
fn castling_notation_follows_the_position_or_the_flag() {
    let castling = |args: &[&str]| {
        let text = good(&[&["divide", "--depth", "1", "--fen"], args].concat());
        ["e1c1: 1", "e1a1: 1", "f1h1: 1"].into_iter().filter(|line| text.contains(line)).collect::<Vec<_>>()
    };
    assert_eq!(castling(&[KING_AND_ROOK]), ["e1c1: 1"]);
    assert_eq!(castling(&[KING_AND_ROOK, "--chess960"]), ["e1a1: 1"]);
    assert_eq!(castling(&["4k3/8/8/8/8/8/8/5K1R w H - 0 1"]), ["f1h1: 1"]);
}

#[test]
fn depth_0_has_no_root_move() {
    assert!(refused(&["divide", "--depth", "0"]).contains("give a depth of at least 1"));
}
