//! `perft divide`: the formats and the castling notation.

use serde_json::Value;

use crate::support::{good, refused};

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
    let report: Value = serde_json::from_str(&divide("json")).unwrap();
    assert_eq!(report["moves"][5], serde_json::json!({"move": "c1d1", "nodes": 3}));
    assert_eq!(report["nodes"], 9);
    let jsonl = divide("jsonl");
    assert_eq!(jsonl.lines().count(), 8);
    assert_eq!(jsonl.lines().nth(5), Some(r#"{"move":"c1d1","nodes":3}"#));
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
