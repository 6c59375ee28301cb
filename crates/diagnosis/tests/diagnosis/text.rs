//! Texts that somebody pastes: a right divide agrees however it is written, and a wrong one never does.
//!
//! The formats are those of programs in `formats.txt`.

use std::sync::LazyLock;

use perft_core::{Position, RootMove};
use perft_diagnosis::DivideDifference;
use perft_diagnosis::source::Answer;

use super::printer::{Bug, Counted, Question, count, formats};

const QUESTIONS: [Question; 9] = [
    (perft_core::START_FEN, "", 1),
    (perft_core::START_FEN, "", 3),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", 1),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", 2),
    ("r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2", "", 3),
    ("8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1", "", 1),
    ("8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1", "", 3),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "", 2),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "", 4),
];

/// Lines that stand above or below a divide.
const NOISE: [&str; 24] = [
    "Engine 15 by Somebody (see AUTHORS)",
    "info string NNUE evaluation using nn-ad9b42354671.nnue enabled",
    "hash 16 MB",
    "1 thread, hash 16",
    "Done in 12 ms",
    "nps: 12345678",
    "Time: 0.012 s (12,345,678 nps)",
    "perft 3 of my engine 2.1",
    "> go perft 3",
    "id name My engine 4",
    "option name Hash type spin default 16 min 1 max 33554432",
    "uciok",
    "readyok",
    "position startpos moves e2e4 e7e5",
    "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "Key: 8F8F01D4562F59FB",
    "bestmove e2e4 ponder e7e5",
    "Engine 15 by Somebody",
    "perft 3",
    "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out; finished in 0.01s",
    "<testsuite name=\"perft\" tests=\"1\" failures=\"0\" time=\"0.012\">",
    "+---+---+\n| r | n | 8\n+---+---+\n| p | p | 7\n+---+---+\n|   | P | 6\n+---+---+",
    "[src/main.rs:42:5] &result = {",
    "Name: nodes, dtype: int64",
];

static COUNTED: LazyLock<Vec<(Counted, Vec<RootMove>)>> = LazyLock::new(|| {
    let counted = |question| {
        let counted = count(question, Bug::None);
        let divide = counted.position.divide(counted.depth);
        (counted, divide)
    };
    QUESTIONS.map(counted).to_vec()
});

/// A change of a divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    None,
    /// One count is wrong.
    Count,
    /// One move is another legal one.
    Move,
    /// One row is missing.
    Row,
    /// The stated total is wrong.
    Total,
}

/// What was read from a text: whether all of it agrees, and the number of legal moves that are said not to be in it.
fn judged(lines: &[String], counted: &Counted, ours: &[RootMove]) -> (Option<bool>, usize) {
    let answer = Answer::of_text(lines, &counted.position, counted.depth, ours);
    let difference = DivideDifference::new(&counted.position, ours, &answer);
    let not_listed = difference.missing.len() + difference.unlisted.len();
    // A number with an unknown name far from the sum may be anything, so it is only shown.
    let is_clear = answer.text.is_some_and(|text| text.unclear.is_empty());
    (is_clear.then(|| difference.is_right()), not_listed)
}

/// Returns a text in a format with a change, or `None` if the change cannot be made or cannot be seen.
fn text(counted: &Counted, rows: &str, total: &str, change: Change, seed: usize) -> Option<Vec<String>> {
    let mut changed = counted.clone();
    let moves = changed.plies.last_mut()?;
    let at = seed % moves.len();
    let mut stated = counted.clone();
    match change {
        Change::None => {}
        Change::Count if seed.is_multiple_of(2) && moves[at].1 > 1 => moves[at].1 -= 1,
        Change::Count => moves[at].1 += 1 + (seed % 7) as u128,
        Change::Move if moves.len() > 1 => moves[at].0 = moves[(at + 1) % moves.len()].0,
        Change::Row if moves.len() > 1 => drop(moves.remove(at)),
        Change::Total => stated.plies.last_mut()?[at].1 += 1 + (seed % 1000) as u128,
        _ => return None,
    }
    let noise = |index: usize| NOISE[(seed / 7 + index * 5) % NOISE.len()].lines().map(str::to_owned);
    let mut lines: Vec<String> = (0..seed % 3).flat_map(noise).collect();
    lines.extend(changed.print(rows, ""));
    lines.extend(if change == Change::Total { &stated } else { &changed }.print(total, ""));
    lines.extend((3..3 + seed / 3 % 3).flat_map(noise));
    Some(lines)
}

#[test]
fn right_divides_agree_and_wrong_ones_do_not() {
    let (rows, totals) = (formats("moves"), formats("totals"));
    let (mut cases, mut faults) = (0, Vec::new());
    for seed in 0..21_500_usize {
        let random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        let (counted, ours) = &COUNTED[random % COUNTED.len()];
        let row = &rows[seed % rows.len()];
        let total = if seed.is_multiple_of(4) { "" } else { &totals[random / 16 % totals.len()] };
        let change =
            [Change::None, Change::Count, Change::Move, Change::Row, Change::Total][random / 2048 % 5];
        // Without their letters, promotions have the same name.
        if change == Change::Move && row.contains("$q") || change == Change::Total && total.is_empty() {
            continue;
        }
        let Some(lines) = text(counted, row, total, change, random / 65_536) else { continue };
        cases += 1;
        let (agrees, not_listed) = judged(&lines, counted, ours);
        let is_right = match change {
            Change::None => agrees == Some(true) && not_listed == 0,
            Change::Row => not_listed > 0,
            _ => agrees != Some(true),
        };
        if !is_right {
            faults.push(format!("{change:?} {row:?} {total:?}\n{}\n", lines.join("\n")));
        }
    }
    assert!(faults.is_empty(), "{} of {cases} are wrong:\n{}", faults.len(), faults.join("\n"));
    assert!(cases >= 20_000, "{cases}");
}

/// Texts about kiwipete at depth 2 that programs print for people: `$m` and `$n` are a move and its count, `$u` and `$v`
/// its squares, `$i` the number of the line, and the last part is below the rows.
const LAYOUTS: [(&str, &str); 12] = [
    ("Move { from: $u, to: $v }: $n\n", "Total: $t\n"),
    ("{\"from\": \"$u\", \"to\": \"$v\", \"nodes\": $n}\n", "{\"total\": $t}\n"),
    ("Move(from_square='$u', to_square='$v', promotion=None) $n\n", ""),
    ("info currmove $m currmovenumber $i nodes $n\n", "info nodes $t\n"),
    ("  $i\t$m: $n\n", "    49\t\n    50\tNodes searched: $t\n"),
    ("$i:$m $n\n", "49:total $t\n"),
    ("  [\"$m\"]=>\n  int($n)\n", "Total: $t\n"),
    ("- move: $m\n  nodes: $n\n", ""),
    ("$m\t1\t$n\n", "total\t48\t$t\n"),
    ("$m $n 1\n", "sum $t 48\n"),
    ("$m,$n\n", "total,$t\n"),
    ("|$m|$n|\n", "|total|$t|\n"),
];

#[test]
fn every_layout_is_read() {
    let position: Position =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().unwrap();
    let ours = position.divide(2);
    for (row, total) in LAYOUTS {
        // Adds a number to a count and to the total, or writes a sign before them.
        let read = |count: (u128, &str), total_change: (u128, &str)| {
            let written = |nodes: u128, (more, sign): (u128, &str)| format!("{sign}{}", nodes + more);
            let rows = ours.iter().enumerate().map(|(index, known)| {
                let nodes = written(known.nodes, if index == 17 { count } else { (0, "") });
                let uci = known.played.to_uci(position.castling_notation());
                let row = row.replace("$u", &uci[..2]).replace("$v", &uci[2..4]).replace("$m", &uci);
                row.replace("$n", &nodes).replace("$i", &(index + 1).to_string())
            });
            let text = rows.collect::<String>() + &total.replace("$t", &written(2039, total_change));
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let answer = Answer::of_text(&lines, &position, 2, &ours);
            DivideDifference::new(&position, &ours, &answer).is_right()
        };
        let (right, wrong) = ((0, ""), (1, ""));
        assert!(read(right, right), "{row}");
        assert!(!read(wrong, right) && !read(wrong, wrong), "{row}");
        assert!(total.is_empty() || !read(right, wrong), "{row}");
        for negative in [(0, "-"), (0, "\u{2212}")] {
            assert!(!read(negative, right), "{row}");
            assert!(total.is_empty() || !read(right, negative), "{row}");
        }
    }
}

/// The words `position` and `moves` are also names of columns.
#[test]
fn a_line_of_uci_is_no_header_of_a_table() {
    let position: Position = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse().unwrap();
    let ours = position.divide(2);
    let row = |known: &RootMove| {
        format!("{} {} 0.001 13", known.played.to_uci(position.castling_notation()), known.nodes)
    };
    let read = |total: &str| {
        let first = "position startpos moves e2e4".to_owned();
        let lines: Vec<String> =
            [first].into_iter().chain(ours.iter().map(row)).chain([total.to_owned()]).collect();
        DivideDifference::new(&position, &ours, &Answer::of_text(&lines, &position, 2, &ours)).is_right()
    };
    assert!(read("2 600 0.001 123"));
    assert!(!read("2 601 0.001 123"));
}

/// JSON may have a list of the moves and a list of the counts. Each count belongs to the move at its place.
#[test]
fn moves_and_counts_in_two_lists_are_joined() {
    let position: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    let ours = position.divide(2);
    let moves: Vec<String> =
        ours.iter().map(|known| format!("{:?}", known.played.to_uci(position.castling_notation()))).collect();
    let read = |counts: &[u128], total: u128| {
        let (moves, counts) = (moves.join(","), format!("{counts:?}"));
        let text = format!("{{\"depth\":2,\"moves\":[{moves}],\n\"counts\":{counts},\"total\":{total}}}");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        DivideDifference::new(&position, &ours, &Answer::of_text(&lines, &position, 2, &ours)).is_right()
    };
    let mut counts: Vec<u128> = ours.iter().map(|known| known.nodes).collect();
    let total = counts.iter().sum();
    assert!(read(&counts, total) && !read(&counts, total + 1));
    counts[2] += 1;
    assert!(!read(&counts, total) && !read(&counts, total + 1));
}

#[test]
fn a_promotion_may_be_a_field_of_a_move() {
    let position: Position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    let ours = position.divide(1);
    for (before, after) in [("Some(", ")"), ("", ""), ("Piece::", "")] {
        let row = |known: &RootMove| {
            let (from, to) = (known.played.from(), known.played.to());
            let promoted = known.played.kind().promotion();
            let promoted = promoted.map_or("None".to_owned(), |piece| format!("{before}{piece:?}{after}"));
            format!("Move {{ from: {from}, to: {to}, promotion: {promoted} }}: {}", known.nodes)
        };
        let lines: Vec<String> = ours.iter().map(row).collect();
        let answer = Answer::of_text(&lines, &position, 1, &ours);
        assert!(DivideDifference::new(&position, &ours, &answer).is_right(), "{lines:?}: {answer:?}");
        assert!(answer.moves.iter().any(|(played, _)| played == "a7a8n"), "{answer:?}");
    }
}

/// A divide and its total beside the first rows of another depth: a count that was interrupted. Other rows are told.
#[test]
fn a_part_of_a_divide_of_another_depth_is_left_out() {
    let start = Position::start();
    let rows = |depth: u32| {
        let notation = start.castling_notation();
        let row = |root: &RootMove| format!("{}: {}\n", root.played.to_uci(notation), root.nodes);
        start.divide(depth).iter().map(row).collect::<Vec<String>>()
    };
    let ours = start.divide(3);
    let judged = |text: &str| {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let found = DivideDifference::new(&start, &ours, &Answer::of_text(&lines, &start, 3, &ours));
        (found.is_right(), found.extra.len())
    };
    let right = format!("{}\nNodes searched: 8902\n", rows(3).concat());
    let wrong = right.replacen("380", "381", 1).replace("8902", "8903");
    for part in [&rows(4)[..7], &rows(2)[..4]].map(<[String]>::concat) {
        for (divide, is_right) in [(&right, true), (&wrong, false)] {
            for text in [format!("{part}\n{divide}"), format!("{divide}\n{part}")] {
                assert_eq!(judged(&text), (is_right, 0), "{text}");
            }
        }
    }
    // Rows with the same counts, rows that are not legal, and rows that the total counts too are of this divide.
    let twice = rows(3)[..4].concat();
    for part in [&twice, "e1e2: 20\n", "h2h4: 420\n"] {
        assert!(!judged(&format!("{right}\n{part}")).0, "{part}");
    }
    let before = rows(2)[..4].concat();
    for text in [format!("Nodes 8982\n\n{before}\n{}", rows(3).concat()), before + &rows(3).concat()] {
        assert!(!judged(&text).0, "{text}");
    }
    let groups = format!("{}hash 800\n{}", rows(3)[..2].concat(), rows(3)[2..].concat());
    assert!(judged(&groups).0, "{groups}");
}
