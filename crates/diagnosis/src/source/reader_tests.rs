//! Lines and whole outputs of many programs.
//!
//! The outputs are those of a survey of public engines, shortened to a few moves. Where a program prints no moves, there
//! are none here either.

use super::line::Line;
use super::{Answer, AnswerReader, LineKind};

fn counted(text: &str, nodes: u128) -> Line {
    Line::Move(text.to_owned(), nodes)
}

#[test]
fn moves_are_read_in_all_spellings() {
    for line in [
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
    ] {
        assert_eq!(Line::read(line, Some(3)), counted("e2e4", 600), "{line}");
    }
    for (line, expected) in [
        ("e2e4: 6'000", counted("e2e4", 6000)),
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
        assert_eq!(Line::read(line, None), expected, "{line}");
    }
}

#[test]
fn totals_are_read_in_all_spellings() {
    for line in [
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
    ] {
        let read = Line::read(line, Some(3));
        assert!(matches!(read, Line::Total { nodes: 8902, .. }), "{line}: {read:?}");
    }
}

#[test]
fn what_is_not_a_count_is_not_read_as_one() {
    for line in [
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
    ] {
        assert_eq!(Line::read(line, Some(3)), Line::Other, "{line}");
    }
    for line in ["e2e4", "e2e4: many", "e2e4: -5", "e2e4 1.5"] {
        assert_eq!(Line::read(line, Some(3)), Line::NoCount, "{line}");
    }
    for line in [
        "bestmove e2e4 ponder e7e5",
        "bestmove 0000",
        "info depth 1 seldepth 1 multipv 1 score cp 20 nodes 20 nps 20000 time 1 pv e2e4",
        "info depth 1 currmove e2e4 currmovenumber 1",
    ] {
        assert_eq!(Line::read(line, Some(3)), Line::Search, "{line}");
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

#[test]
fn only_the_last_of_several_lists_counts() {
    let text = "2. a2a3 moves = 20\n2. e2e4 moves = 20\nperft( 2)= 40\n\n3. a2a3 moves = 380\n3. e2e4 moves = 600\nperft( 3)= 980\n";
    let answer = read(3, text);
    assert_eq!((answer.moves.len(), answer.stated_total, answer.sum()), (2, Some(980), 980));
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
