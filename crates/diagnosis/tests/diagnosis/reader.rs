//! Lines and whole outputs of many programs.
//!
//! The outputs are from a survey of public engines, shortened to a few moves. If a program prints no moves, its output
//! here has none either.

use perft_diagnosis::source::{Answer, AnswerReader, LineKind};

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Move(String, u128),
    Total(u128),
    /// The line belongs to the moves, but its count cannot be read.
    NoCount,
    Search,
    Other,
}

/// Reads a line after a line with the move `h8h1`.
fn line(text: &str, depth: Option<u32>) -> Line {
    let mut reader = AnswerReader::new(depth);
    reader.read("h8h1: 1");
    let kind = reader.read(text);
    let mut answer = reader.finish();
    match (kind, answer.moves.pop(), answer.stated_total) {
        (LineKind::Search, ..) => Line::Search,
        (LineKind::Count, _, Some(total)) => Line::Total(total),
        (LineKind::Count, Some((text, nodes)), None) => Line::Move(text, nodes),
        _ if answer.unread.is_empty() => Line::Other,
        _ => Line::NoCount,
    }
}

fn counted(text: &str, nodes: u128) -> Line {
    Line::Move(text.to_owned(), nodes)
}

#[test]
fn moves_are_read_in_all_spellings() {
    for text in [
        "e2e4: 600",
        "e2e4 600",
        "e2e4 - 600",
        "e2e4:600",
        "E2E4 = 600",
        "\te2e4:\t600 ",
        "e2e4 -> 600",
        "e2e4              600",
        "e2e4 -- 600 nodes in 0.002",
        "e2e4: 600 leafs",
        "e2e4 : 600 : \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"",
        "move: e2e4   nodes: 600",
        "move 3: e2e4 600",
        " 3. e2e4 600",
        "2. e2e4 moves =        600 ( 0.000 sec)",
        "info string e2e4: 600",
        "[12] e2-e4 | 600 | 4.9%",
        "Pe2-e4, 600, 1800",
        "e2e4+ 600",
        "600 e2e4",
        "(e2e4) 600",
        "Move e2e4 leads to 600 positions",
        "Move e2e4 has 600 nodes",
        "e2->e4: 600",
        "[E2->E4] nodes=600",
        "e2 -> e4 = 600",
        "e2 e4 600",
        "e2 e4: 600",
        "E2>E4 600",
        "from e2 to e4: 600",
        "(e2,e4): 600",
        "e2–e4: 600",
        "e2 → e4 : 600",
        "♙e2e4: 600",
        "♙ e2-e4: 600",
        "\u{1b}[1me2e4\u{1b}[0m: \u{1b}[32m600\u{1b}[0m",
        "thinking...\re2e4: 600\r",
        "1. e2e4 = 600",
        "1/20 e2e4 600",
        "[12:34:56] e2e4: 600",
        "e2e4=600",
        "e2e4,600,20",
        "e2e4-600",
        "e2e4 | 600 | 5.0%",
        "e2e4 5.0% 600",
        "e2e4 5% 600 nodes",
        "e2e4 12 ms 600",
        "e2e4 time 12 nodes 600",
        "e2e4 depth 2 nodes 600",
        "e2e4 600 (0.01s)",
        "e2e4: 600 (total: 1200)",
        "e2e4 600 1200",
        "600 nodes e2e4",
        "info string move e2e4 nodes 600",
        "perft: e2e4 600",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4 600",
        "e2e4 600 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "{\"move\":\"e2e4\",\"nodes\":600}",
        "<move from=\"e2\" uci=\"e2e4\" nodes=\"600\"/>",
        "rootMove=e2e4 nodeCount=600",
        "root_move=e2e4 leaf_nodes=600",
        "├── e2e4: 600",
        "* e2e4 ... 600",
        "Perft e2e4 : 600 nodes in 2 ms (300 knps)",
        "{e2e4, 600}",
        "e2e4\t600\t0.2 ms\t3.0 Mnps",
    ] {
        assert_eq!(line(text, Some(3)), counted("e2e4", 600), "{text}");
    }
    for (text, expected) in [
        ("e2e4: 6'000", counted("e2e4", 6000)),
        ("e2e4: 1_000", counted("e2e4", 1000)),
        ("e2e4: 1.234.567", counted("e2e4", 1_234_567)),
        ("e2e4: 12 034 567", counted("e2e4", 12_034_567)),
        ("e7->e8=Q: 5", counted("e7e8q", 5)),
        ("e7e8♕: 5", counted("e7e8q", 5)),
        ("e7 e8q 5", counted("e7e8q", 5)),
        ("♘f3: 20", counted("Nf3", 20)),
        ("♘g1xf3+ 20", counted("g1f3", 20)),
        ("e7e8q: 1,234,567", counted("e7e8q", 1_234_567)),
        ("e7e8Q 5", counted("e7e8q", 5)),
        ("b7b8=Q 5", counted("b7b8q", 5)),
        ("b7b8(Q): 5", counted("b7b8q", 5)),
        ("d5xe6: 5", counted("d5e6", 5)),
        ("O-O: 5", counted("O-O", 5)),
        ("0-0-0 5", counted("O-O-O", 5)),
        ("1. Nf3 20", counted("Nf3", 20)),
        ("exd6: 20", counted("exd6", 20)),
        ("e8=Q+ 20", counted("e8=Q+", 20)),
        ("a4 20", counted("a4", 20)),
    ] {
        assert_eq!(line(text, None), expected, "{text}");
    }
}

#[test]
fn moves_of_two_squares_are_read_in_all_spellings() {
    for (text, written) in [
        ("e2e4", "e2e4"),
        ("E2E4", "e2e4"),
        ("e2-e4", "e2e4"),
        ("Ng1f3", "g1f3"),
        ("bb1c2", "b1c2"),
        ("Nb1xc3+", "b1c3"),
        ("b7b8=Q", "b7b8q"),
        ("b7b8(N)", "b7b8n"),
        ("b7xa8/R#", "b7a8r"),
        ("b7b8q", "b7b8q"),
        ("a7a8(é)", "a7a8"),
        ("d5xe6e.p.", "d5e6"),
        ("d5e6ep", "d5e6"),
        ("0-0-0", "O-O-O"),
        ("o-o", "O-O"),
        ("O-O+", "O-O"),
    ] {
        assert_eq!(line(&format!("{text}: 20"), None), counted(written, 20), "{text}");
    }
    for text in ["e2e9", "e2e4q5", "a1b2c3d4", "i1i2", "0-1", "", "é2e4", "e2e4ää"] {
        let read = line(&format!("{text}: 20"), None);
        assert!(!matches!(read, Line::Move(..)), "{text}: {read:?}");
    }
}

#[test]
fn fens_are_cut_out() {
    for (text, expected) in [
        ("FEN : rnbqkb1r/pp2pppp/5n2/2b3b1/5P2/8/PPP1P1PP/RNBQKBNR w KQkq - 0 5", Line::Other),
        ("e2e4 : \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\" : 20", counted("e2e4", 20)),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1 e2e4 20", counted("e2e4", 20)),
        ("8/8/8/8/8/8/8/K1k5 w - - 0 1 20", Line::Total(20)),
        ("8/8/8/8/8/8/8/K1k5 w - - 20", Line::Other),
        ("8/8/8/8/8/8/8/K1k5 w - -: 20", Line::Total(20)),
        ("8/8/8/8/8/8/8/K1k5 20", Line::Total(20)),
        ("8/8/8/8/8/8/8/K1k5_w_-_-_0_1 20", Line::Total(20)),
        ("\"8/8/8/8/8/8/8/K1k5 b - - 0 1\",\"nodes\":20}", Line::Total(20)),
        ("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR[Pp] w KQkq - 3 4 nodes 20", Line::Total(20)),
    ] {
        assert_eq!(line(text, None), expected, "{text}");
    }
}

#[test]
fn colours_and_figurines_are_as_on_paper() {
    assert_eq!(line("\u{1b}[1;32me2e4\u{1b}[0m: 20", None), counted("e2e4", 20));
    assert_eq!(line("working 10%\rworking 90%\r♘f3: 20", None), counted("Nf3", 20));
    assert_eq!(line("\u{1b}[", None), Line::Other);
}

#[test]
fn totals_are_read_in_all_spellings() {
    for text in [
        "Nodes searched: 8902",
        "Nodes searched: 8,902",
        "nodes searched  : 8902",
        "Nodes searched:\t8902",
        "Nodes searched: 8902 (nps 1234567)",
        "Nodes searched: 8902 in 0.003 s (2.9 mnps)",
        "Nodes searched: 8902 in 3 seconds (29 M nps)",
        "Total: 8902",
        "total 8902",
        "total: 8902",
        "Total nodes: 8902",
        "Total nodes:      8902",
        "Total nodes for depth (3) : 8902",
        "Nodes: 8902",
        "nodes: 8902",
        "nodes 8902",
        "nodes: 8902 nps: 1234567",
        "Nodes: 8902 nps 1234567",
        "Nodes: 8902 Time: 3",
        "| Nodes: 8902",
        "Leaves: 8902",
        "perft(3) = 8902",
        "perft( 3)=       8902 ( 0.001 sec)",
        "perft 3: 8902",
        "perft 3: 8902 leaves const 0.001",
        "perft 3 nodes 8902 time 200",
        "Perft 3: 8902 nodes, 12 ms",
        "Depth 3: 8902",
        "depth 3 nodes 8902",
        "8902",
        "8902 leafs total",
        "8902 nodes in 0.002 - 4.3 mnps",
        "8902 nodes in 1ms -> 8902000 nodes/s",
        "8902 in 2 ms",
        "info nodes 8902 nps 1234567 time 3",
        "info depth 3 nodes 8902 time 3 nps 1234567",
        "info depth 3, nodes 8902",
        "info string Nodes: 8902",
        "Time: 3, nodes: 8902",
        "NPS: 1234567, nodes: 8902",
        "Time 12 ms NPS 1000 Nodes 8902",
        "3 8902 0.001 1234567",
        "Total number of leaf nodes: 8902",
        "searched 8902 moves",
        "Depth: 3 Nodes: 8902 Time: 2",
        "Depth: 3, nodes: 8902, time: 2, nps: 4451000",
        "Depth: 3 nodes 8902 time 2",
        "Depth: 3, 8902",
        "Perft: 3 Nodes: 8902",
        "perft: 8902",
        "Time: 2 ms Depth: 3 Nodes: 8902 NPS: 4451000",
        "time 2 depth 3 nodes 8902",
        "nodes 8902 time 2 depth 3",
        "depth\t3\tnodes\t8902\ttime\t2",
        "info string depth 3 nodes 8902 time 2 nps 4451000",
        "info depth 3 time 2 nodes 8902 nps 4451000",
        "Total: 20 moves, 8902 nodes",
        "Nodes: 9322 Leaves: 8902",
        "Total nodes (8902)",
        "Nodes searched at depth 3: 8902",
        "depth=3 nodes=8902 time=2",
        "{\"depth\":3,\"nodes\":8902,\"nps\":4451000}",
        "totalNodes: 8902",
        "total_nodes=8902",
        "Perft3: 8902",
        "perft 3 -> 8902",
        "perft(3): 8902 (4451 knps)",
        "Perft to depth 3 gives 8902 nodes",
        "3: 8902",
        "3: 8902 (2 ms, 4.4 Mnps)",
        "3\t8902\t2",
        "3 8902 2 4451000",
        "3 8902 34 0 0 0 12 0",
        "| 3 | 8902 | 0.002 s |",
        "3   0.001   8902   4451000",
        "= 8902",
        "--> 8902",
        "\u{1b}[36mNodes\u{1b}[0m: 8902",
        "8902nodes",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 depth 3 nodes 8902",
        "Stockfish 16 nodes 8902",
        "Found 8902 positions in 0.5 s",
        "Time 1.5 s (2.9 mnps) nodes 8902",
    ] {
        assert_eq!(line(text, Some(3)), Line::Total(8902), "{text}");
    }
}

#[test]
fn what_is_not_a_count_is_not_read_as_one() {
    for text in [
        "",
        "readyok",
        "uciok",
        "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)",
        "Program 3 by Somebody",
        "info string NNUE evaluation using nn-ad9b42354671.nnue enabled",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Perft type spin default 5 min 1 max 9",
        "id name 197281",
        "e2e9: 5",
        "e2e4q5: 5",
        "Time: 5",
        "Total time: 5",
        "Total time (ms) : 5",
        "time 5 ms",
        "NPS 1000000",
        "Nodes/second: 1000000",
        "nodes per second: 1000000",
        "1000000 nodes/s",
        "1000000 nps",
        "12 ms",
        "3s",
        "3.5",
        "Total 1.5",
        "Perft 1",
        "perft 3",
        "go perft 3",
        "Starting perft at depth 3",
        "Running perft test 3",
        "Depth: 3",
        "Hash size: 16 MB",
        "Hash: 16",
        "Captures: 34",
        "Checks 12",
        "Unknown command: 'perft 3'. Type help for more information.",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "position startpos moves e2e4 e7e5 g1f3",
        "999999999999999999999999999999999999999999",
        "FEN : rnbqkb1r/pp2pppp/5n2/2b3b1/5P2/8/PPP1P1PP/RNBQKBNR w KQkq - 0 5",
        "Position: 8/8/8/8/8/8/8/K1k5 w - - 12 40",
        "8/8/8/8/8/8/8/K1k5 w - - 12",
        "8 . . . . . . . .",
        "7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟",
        "5 |   |   |   |   |   |   |   |   |",
        "Nodes: 8.9k",
        "Nodes: 8k",
        "Nodes: 9 M",
        "Nodes: 8.9e3",
        "Nodes: 89e2",
        "Nodes: 0x22c6",
        "8k",
        "1,23,456",
        "Nodes: 8 902",
        "3 2 8902",
        "3 2 8902 4451000",
        "8 902 nodes",
        "Perft: 3",
        "Interior nodes: 421",
        "Key: 8F8F01D4562F59FB",
        "Stockfish 16",
        "TT: 16 MB, 4 threads",
        "pawn structure: 5",
    ] {
        assert_eq!(line(text, Some(3)), Line::Other, "{text}");
    }
    for text in
        ["e2e4", "e2e4: many", "e2e4: -5", "e2e4 1.5", "e2e4: 8.9k", "e2e4: 8k", "e2e4: 8 902", "e2e4 0x14"]
    {
        assert_eq!(line(text, Some(3)), Line::NoCount, "{text}");
    }
    for text in [
        "bestmove e2e4 ponder e7e5",
        "bestmove 0000",
        "move e2e4",
        "move Nf3",
        "My move is: e2e4",
        "My move is : e4",
        "info depth 1 seldepth 1 multipv 1 score cp 20 nodes 20 nps 20000 time 1 pv e2e4",
        "info depth 1 currmove e2e4 currmovenumber 1",
    ] {
        assert_eq!(line(text, Some(3)), Line::Search, "{text}");
    }
}

fn read(depth: u32, text: &str) -> Answer {
    let mut reader = AnswerReader::new(Some(depth));
    for line in text.lines() {
        assert_ne!(reader.read(line), LineKind::Search, "{line}");
    }
    reader.finish()
}

/// The moves, the depth and the output of an answer, as a program prints it at depth 2 for `a2a3`, `g1f3` and `e2e4`.
const SURVEY: &[(&str, usize, Option<u128>, &str)] = &[
    (
        "Stockfish",
        3,
        Some(60),
        "info string classical evaluation enabled\na2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes searched: 60\n\n",
    ),
    ("Fairy-Stockfish", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes searched: 60\n"),
    ("berserk", 3, Some(60), "\na2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes: 60\nTime: 1 ms\nNPS: 60000\n"),
    ("calvin", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\nNodes searched: 60"),
    ("simbelmyne", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\n\n60\n"),
    ("tofiks", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\nNodes searched: 60 (nps 4032258)\n"),
    ("zahak", 3, Some(60), "a2a3 20\ng1f3 20\ne2e4 20\n\n60\n"),
    ("Obsidian", 3, Some(60), "a2a3 -> 20\ng1f3 -> 20\ne2e4 -> 20\nnodes: 60\ntime: 0\n"),
    (
        "bbc",
        3,
        Some(60),
        "\n     Performance test\n\n     move: a2a3   nodes: 20\n     move: g1f3   nodes: 20\n     move: e2e4   nodes: 20\n\n    \
         Depth: 2\n    Nodes: 60\n     Time: 0\n\n",
    ),
    ("rawr", 3, Some(60), "a2a3 20\ng1f3 20\ne2e4 20\nnodes 60\n"),
    ("Koivisto", 3, Some(60), "a2a3 20\ng1f3 20\ne2e4 20\nnodes: 60 nps: 60000\n"),
    ("stash-bot", 0, Some(60), "info nodes 60 nps 60000 time 1\n"),
    (
        "Lizard",
        3,
        Some(60),
        "\ninfo string x\na2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes searched: 60 in 0.0012 s (50,000 nps)\n",
    ),
    ("viridithas", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\ninfo depth 2 nodes 60 time 1 nps 60000\n"),
    ("weiss", 0, Some(60), "\nPerft starting:\nDepth : 2\n\nNodes : 60\nTime  : 1ms\nnps   : 60000\n"),
    (
        "Drofa",
        3,
        Some(60),
        "a2a3: 20\ng1f3: 20\ne2e4: 20\n\n===========================\nTotal time (ms) : 5\nNodes searched  : 60\nNodes/second    : 12000\n",
    ),
    ("Caissa", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\nTotal nodes:      60\nTime: 0.000123 seconds\n"),
    (
        "Halogen",
        3,
        Some(60),
        "a2a3: 20\ng1f3: 20\ne2e4: 20\nNodes searched: 60 in 0.001 seconds (60000 nps)\n",
    ),
    ("CloverEngine", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\nnodes: 60\ntime : 0\nnps: 60000\n"),
    ("Stormphrax", 3, Some(60), "a2a3\t20\ng1f3\t20\ne2e4\t20\ntotal 60\n60000 nps\n"),
    ("RubiChess", 3, Some(60), "a2a3 : 20\ng1f3 : 20\ne2e4 : 20\nTotal nodes: 60  Time: 0.001  nps: 60000\n"),
    ("Laser", 0, Some(60), "Perft depth: 2\nNodes: 60\nTime: 0.001\nNodes/second: 60000\n"),
    ("motor", 3, Some(60), "a2a3 20\ng1f3 20\ne2e4 20\nTime: 1, nodes: 60"),
    ("WyldChess", 0, Some(60), "info depth 1, nodes 3\ninfo depth 2, nodes 60\n"),
    (
        "carp",
        3,
        Some(60),
        "a2a3 -- 20 nodes in 0.1us\ng1f3 -- 20 nodes in 0.1us\ne2e4 -- 20 nodes in 0.1us\n\n60 nodes in 4.2us - 14Mnps\n",
    ),
    ("tcheran", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\ntotal: 60\n"),
    ("velvet", 0, Some(60), "info string Nodes: 60\ninfo string Time: 0.01s\n"),
    (
        "Weiawaga",
        3,
        Some(60),
        "a2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes: 60\nTime elapsed in microseconds: 12\n",
    ),
    ("blunder", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\nNodes: 60\nTime: 12ms\n"),
    ("Serendipity", 3, Some(60), "a2a3:\t20\ng1f3:\t20\ne2e4:\t20\nNodes searched:\t60\n"),
    ("Leorik", 0, Some(60), "  60\n"),
    ("Avalanche", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\n\nTotal: 60\n"),
    ("PyChess", 3, Some(60), "a2-a3   20   20\nNg1-f3   20   40\ne2-e4   20   60\n2   60   0.01   6000.0\n"),
    ("Inanis", 3, Some(60), "a2a3: 20 leafs\ng1f3: 20 leafs\ne2e4: 20 leafs\n\n60 leafs total\n"),
    (
        "Pedantic",
        3,
        Some(60),
        "a2a3 : 20 : \"rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1\"\ng1f3 : 20 : \"r\"\ne2e4 : 20 : \"r\"\nTotal nodes for depth (2) : 60\n",
    ),
    (
        "amoeba",
        3,
        Some(60),
        "a2a3              20\ng1f3              20\ne2e4              20\nperft 2: 60 leaves const 1.2 us\n",
    ),
    ("templechess", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes searched: 60\nTime: 1 ms\n"),
    ("lperft", 3, Some(60), "a2a3 -> 20\ng1f3 -> 20\ne2e4 -> 20\n60 nodes in 1.2ms -> 50000 nodes/s\n"),
    ("sunfish", 3, Some(60), "a2a3: 20\ng1f3: 20\ne2e4: 20\n\nNodes searched: 60\n"),
    (
        "qperft, with a divide for each depth",
        3,
        Some(60),
        "perft( 1)=            3 ( 0.000 sec)\n2. a2a3 moves =         20 ( 0.000 sec)\n2. g1f3 moves =         20 ( 0.000 sec)\n\
         2. e2e4 moves =         20 ( 0.000 sec)\nperft( 2)=           60 ( 0.000 sec)\n",
    ),
    ("a script without a total", 3, None, "a2a3: 20\ng1f3: 20\ne2e4: 20\n"),
    (
        "a table with a header",
        3,
        Some(60),
        "Move  Nodes\n-----------\na2a3  20\ng1f3  20\ne2e4  20\n-----------\nTotal 60\n",
    ),
    (
        "a header that looks like a total",
        3,
        Some(60),
        "Perft 2\nDepth: 2\na2a3 20\ng1f3 20\ne2e4 20\nLeaf nodes: 60\nTotal moves: 3\n",
    ),
    ("the total before the moves", 3, Some(60), "Nodes: 60\na2a3 20\ng1f3 20\ne2e4 20\n"),
    ("standard algebraic notation", 3, Some(60), "a3: 20\nNf3: 20\ne4: 20\nTotal: 60\n"),
    (
        "other numbers with labels behind the total",
        3,
        Some(60),
        "a2a3 20\ng1f3 20\ne2e4 20\nNodes: 60\nCaptures: 0\nFound: 7\n",
    ),
];

#[test]
fn the_outputs_of_a_survey_are_read() {
    for (program, moves, total, text) in SURVEY {
        let answer = read(2, text);
        assert_eq!((answer.moves.len(), answer.stated_total), (*moves, *total), "{program}: {answer:?}");
        assert!(answer.moves.iter().all(|(_, nodes)| *nodes == 20), "{program}: {answer:?}");
        assert_eq!(answer.unread, Vec::<String>::new(), "{program}");
        if *moves == 3 && *program != "standard algebraic notation" {
            let written: Vec<&str> = answer.moves.iter().map(|(text, _)| text.as_str()).collect();
            assert_eq!(written, ["a2a3", "g1f3", "e2e4"], "{program}");
        }
    }
}

/// An output format: its name, the depth, the moves and the total that must be read, and the output.
type Habit = (&'static str, u32, &'static [(&'static str, u128)], Option<u128>, &'static str);

const HABITS: &[Habit] = &[
    (
        "a divide and a total for each depth",
        3,
        &[("a2a3", 380), ("e2e4", 600)],
        Some(980),
        "2. a2a3 moves = 20\n2. e2e4 moves = 20\nperft( 2)= 40\n\n3. a2a3 moves = 380\n3. e2e4 moves = 600\nperft( 3)= 980\n",
    ),
    (
        "a divide for each depth, with a total at the end only",
        2,
        &[("a2a3", 20), ("e2e4", 21)],
        Some(41),
        "a2a3: 1\ne2e4: 1\na2a3: 20\ne2e4: 21\nNodes: 41\n",
    ),
    (
        "a divide for each depth, without totals",
        2,
        &[("a2a3", 20), ("e2e4", 21)],
        None,
        "Depth 1\na2a3: 1\ne2e4: 1\nDepth 2\na2a3: 20\ne2e4: 21\n",
    ),
    (
        "a divide for each depth, in another order, without moves whose count is 0",
        2,
        &[("d2d4", 19), ("a2a3", 20)],
        None,
        "a2a3: 1\ne2e4: 1\nd2d4: 1\nd2d4: 19\na2a3: 20\n",
    ),
    (
        "a divide for each depth, with promotions that look the same",
        2,
        &[("b7b8", 5), ("b7b8", 6), ("b7b8", 7), ("b7b8", 8), ("e1e2", 9)],
        None,
        "b7b8 1\nb7b8 1\nb7b8 1\nb7b8 1\ne1e2 1\nb7b8 5\nb7b8 6\nb7b8 7\nb7b8 8\ne1e2 9\n",
    ),
    (
        "a move that was found twice",
        2,
        &[("a2a3", 20), ("a2a3", 20)],
        Some(40),
        "a2a3: 20\na2a3: 20\nNodes: 40\n",
    ),
    (
        "a move that was found twice, last",
        2,
        &[("a2a3", 20), ("b2b3", 20), ("b2b3", 20)],
        None,
        "a2a3: 20\nb2b3: 20\nb2b3: 20\n",
    ),
    ("moves that were found twice at depth 1", 1, &[("a2a3", 1), ("a2a3", 1)], None, "a2a3: 1\na2a3: 1\n"),
    (
        "the total between the moves, from another stream",
        2,
        &[("a2a3", 20), ("b2b3", 21), ("e2e4", 22)],
        Some(63),
        "a2a3: 20\nNodes searched: 63\nb2b3: 21\ne2e4: 22\n",
    ),
    (
        "the total before a last move without replies",
        2,
        &[("a2a3", 20), ("e2e4", 0)],
        Some(20),
        "a2a3: 20\nNodes searched: 20\ne2e4: 0\n",
    ),
    (
        "a table with depth, time and count",
        3,
        &[],
        Some(8902),
        "Depth  Time (ms)  Nodes\n1      0          20\n2      1          400\n3      12         8902\n",
    ),
    (
        "a table with tabs",
        3,
        &[],
        Some(8902),
        "depth\ttime\tnps\tnodes\n1\t0\t0\t20\n2\t1\t400000\t400\n3\t2\t4451000\t8902\n",
    ),
    (
        "a table with a frame",
        2,
        &[],
        Some(400),
        "+-------+-------+------+\n| Depth | Nodes | Time |\n+-------+-------+------+\n|     1 |    20 |    0 |\n|     2 |   400 |    1 |\n+--+\n",
    ),
    (
        "a table in Markdown",
        2,
        &[],
        Some(400),
        "| Time | Depth | Leaves |\n|------|-------|--------|\n| 0 ms | 1 | 20 |\n| 1 ms | 2 | 400 |\n",
    ),
    ("a table as CSV", 2, &[], Some(400), "depth,nodes,time\n1,20,0\n2,400,1\n"),
    (
        "a table of moves as CSV",
        2,
        &[("a2a3", 20), ("e2e4", 20)],
        None,
        "move,time,nodes\na2a3,12,20\ne2e4,11,20\n",
    ),
    (
        "a table of moves with the time before the count",
        2,
        &[("a2a3", 20), ("e2e4", 21)],
        Some(41),
        "Nr  Move  Time  Nodes\n1   a2a3  12    20\n2   e2e4  11    21\nTotal nodes: 41\n",
    ),
    (
        "a table with kinds of moves",
        3,
        &[],
        Some(8902),
        "Depth Nodes Captures E.p. Castles Promotions Checks Checkmates\n1 20 0 0 0 0 0 0\n2 400 0 0 0 0 0 0\n3 8902 34 0 0 0 12 0\n",
    ),
    ("a table without a header", 3, &[], Some(8902), "1 20 0\n2 400 0\n3 8902 2\n"),
    (
        "a table without a header, with units",
        3,
        &[],
        Some(8902),
        "1: 20 (0 ms)\n2: 400 (0 ms)\n3: 8902 (2 ms, 4.4 Mnps)\n",
    ),
    (
        "info lines for each depth",
        3,
        &[],
        Some(8902),
        "info depth 1 nodes 20 time 0 nps 0\ninfo depth 2 nodes 400 time 0 nps 0\ninfo depth 3 nodes 8902 time 2 nps 4451000\n",
    ),
    (
        "info strings for each depth",
        2,
        &[("a2a3", 20), ("e2e4", 20)],
        Some(40),
        "info string perft depth 1 time 0 nodes 2\ninfo string a2a3 20\ninfo string e2e4 20\ninfo string perft depth 2 time 1 nodes 40\n",
    ),
    (
        "the sum over all depths behind the depths",
        3,
        &[],
        Some(8902),
        "perft 1: 20\nperft 2: 400\nperft 3: 8902\nTotal nodes: 9322\n",
    ),
    ("the number of moves behind the nodes", 3, &[], Some(8902), "Nodes: 8902\nTotal moves: 20\nTime: 3\n"),
    ("interior nodes behind the leaves", 3, &[], Some(8902), "Leaves: 8902\nNodes: 9322\n"),
    (
        "the FEN before the moves",
        2,
        &[("a2a3", 20)],
        Some(20),
        "FEN : rnbqkb1r/pp2pppp/5n2/2b3b1/5P2/8/PPP1P1PP/RNBQKBNR w KQkq - 0 5\na2a3: 20\n\nNodes searched: 20\n",
    ),
    (
        "the FEN behind each move",
        2,
        &[("a2a3", 20), ("e2e4", 20)],
        Some(40),
        "a2a3 20 rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1\n\
         e2e4 20 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n40\n",
    ),
    (
        "a board before the moves",
        2,
        &[("a2a3", 20)],
        Some(20),
        "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n7 ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟\n6 . . . . . . . .\n5 . . . . . . . .\n  a b c d e f g h\na2a3: 20\n20\n",
    ),
    (
        "colours, tabs and CRLF",
        2,
        &[("a2a3", 20), ("e2e4", 1234)],
        Some(1254),
        "\u{1b}[1mMove\tNodes\u{1b}[0m\r\n\u{1b}[33ma2a3\u{1b}[0m\t20\r\ne2e4\t1,234\r\nTotal\t1,254\r\n",
    ),
    (
        "arrows and brackets",
        2,
        &[("e2e4", 20), ("a7a8q", 20)],
        Some(40),
        "[E2->E4] nodes=20\n[A7->A8=Q] nodes=20\nSum = 40\n",
    ),
    (
        "figurines",
        2,
        &[("Nf3", 20), ("g1h3", 20), ("a7a8q", 20)],
        Some(60),
        "♘f3 20\n♘g1-h3 20\n♙a7-a8♕ 20\n∑ 60\n",
    ),
    (
        "JSON, one line for each move",
        2,
        &[("a2a3", 20), ("e2e4", 21)],
        Some(41),
        "{\"depth\": 2, \"moves\": [\n{\"move\": \"a2a3\", \"nodes\": 20},\n{\"move\": \"e2e4\", \"nodes\": 21}\n], \"total\": 41}\n",
    ),
    ("pairs of squares", 2, &[("e2e4", 20), ("a7a8q", 21)], Some(41), "e2 e4 20\na7 a8q 21\n41 nodes\n"),
    ("counts with units of thousands only", 3, &[], None, "a2a3 0.4k\ne2e4 0.6k\nNodes: 8.9k\n"),
    (
        "a running sum and times behind each count",
        2,
        &[("a2a3", 20), ("e2e4", 21)],
        Some(41),
        "1  a2a3   20   20  0.01s\n2  e2e4   21   41  0.02s\nperft 2 = 41 (0.03s, 1366 nps)\n",
    ),
    (
        "speeds between the moves",
        2,
        &[("a2a3", 20), ("e2e4", 21)],
        Some(41),
        "a2a3: 20\n  12000 nps\ne2e4: 21\n  12000 nps\nleaf nodes........41\n",
    ),
    ("the total with a speed in thousands", 3, &[], Some(8902), "Perft(3) 8902 nodes 0.002 sec 4451 kN/s\n"),
    ("a time of hours, minutes and seconds", 3, &[], Some(8902), "Time: 0:00:02\nLeaf count: 8902\n"),
    ("the depth on a line of its own", 3, &[], Some(8902), "Depth:\t3\nCount:\t8902\nElapsed:\t2\n"),
    ("only a depth and a time", 3, &[], None, "Perft 3\nDepth: 3\nTime: 12\n3 12 8902\n"),
    ("numbers of moves without counts", 3, &[], None, "1. e2e4\n2. d2d4\n"),
    ("a game", 3, &[], None, "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6\n"),
    ("an evaluation", 3, &[], None, "Evaluation: 25 cp\nScore 0.25 (white side)\nMaterial 4000\n"),
    (
        "a table of evaluations",
        3,
        &[],
        None,
        "| Term | MG | EG |\n| Pawns | 12 | 20 |\n| Total | 5.1 | 0.2 |\n",
    ),
];

#[test]
fn habits_of_printing_are_read() {
    for &(habit, depth, moves, total, text) in HABITS {
        let answer = read(depth, text);
        let read: Vec<(&str, u128)> =
            answer.moves.iter().map(|(text, nodes)| (text.as_str(), *nodes)).collect();
        assert_eq!((read.as_slice(), answer.stated_total), (moves, total), "{habit}");
    }
}

#[test]
fn lines_between_moves_that_are_not_understood_are_kept() {
    let answer = read(1, "a2a3: 1\ncastles long: 1 time\ne2e4: 1\ng1f3\nTotal: 4\nbye\n");
    assert_eq!(answer.unread, ["castles long: 1 time", "g1f3"]);
    let answer = read(1, "hello\nunknown command\n\n");
    assert_eq!(answer.unread, ["hello", "unknown command"]);
    assert!(answer.is_empty());
}

#[test]
fn an_answer_is_complete_with_a_total_that_fits() {
    let mut reader = AnswerReader::new(Some(2));
    let mut after = |line: &str| {
        reader.read(line);
        (reader.has_counts(), reader.is_complete())
    };
    assert_eq!(after("hello"), (false, false));
    assert_eq!(after("a2a3 20"), (true, false));
    assert_eq!(after("Total: 19"), (true, false));
    assert_eq!(after("Leaves: 20"), (true, true));
}

/// Such a number would make sums overflow.
#[test]
fn a_number_that_no_program_counts_to_is_not_a_count() {
    let answer = read(2, &format!("a2a3: {0}\nb2b3: {0}\nTotal: {0}\n", u128::MAX));
    assert!(answer.is_empty(), "{answer:?}");
    let most = 1_u128 << 100;
    assert_eq!(read(2, &format!("a2a3: {most}\nb2b3: {most}")).total(), 2 * most);
}

/// King moves from the second to the first rank look like promotions without the letter of the piece. Each list has
/// them once.
#[test]
fn king_moves_in_lists_for_each_depth_are_no_promotions() {
    let text = "  Kh2-h3          1          1\n  Kh2-h1          1          2\n  Kh2-g1          1          3\n \
                1          3  0.00     12671.61nps\n  Kh2-h3         25         25\n  Kh2-h1         25         50\n  \
                Kh2-g1         25         75\n 2         75  0.00    161402.15nps\n";
    let mut reader = AnswerReader::new(Some(2));
    for line in text.lines() {
        reader.read(line);
    }
    let answer = reader.finish();
    let moves = ["h2h3", "h2h1", "h2g1"].map(|played| (played.to_owned(), 25));
    assert_eq!((answer.moves.as_slice(), answer.stated_total), (&moves[..], Some(75)));
    assert!(answer.unread.is_empty(), "{:?}", answer.unread);
}

/// The format of `perft N` in programs derived from Crafty: depth, nodes, seconds, speed.
#[test]
fn rows_with_a_depth_and_a_speed_are_totals() {
    let mut reader = AnswerReader::new(Some(2));
    for line in [" 1         20  0.00     96774.19nps", " 2        400  0.00    158514.89nps"] {
        reader.read(line);
    }
    assert_eq!(reader.finish(), Answer::from(400_u32));
}

/// Reading this line would take seconds, so an engine could exceed its time limit.
#[test]
fn a_line_that_is_too_long_for_counts_is_not_read() {
    let mut reader = AnswerReader::new(Some(3));
    assert_eq!(reader.read(&"1 ".repeat(30_000)), LineKind::Other);
    assert!(!reader.has_counts());
    let moves = "e2e4: 20 ".repeat(218);
    assert_eq!(reader.read(&moves), LineKind::Count);
}
