//! `perft divide`: the formats, the castling notation, and the comparison with other divides.

use crate::support::{Folder, code, engine, err, good, out, refused, report, run, run_with_input, unfolded};

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
    let qperft = lines(&|played, nodes| format!("2. {} moves = {nodes:10}", &played[..4]));
    assert!(divide("qperft").starts_with(&format!("{qperft}perft( 2)=            9 (")));
    let csv = lines(&|played, nodes| format!("{played},{nodes}"));
    assert_eq!(divide("csv"), format!("move,nodes\n{csv}"));
    assert!(divide("markdown").contains("| c1d1  |     3 |"));
    let whole = report(&divide("json"));
    assert_eq!(whole["moves"][5], serde_json::json!({"move": "c1d1", "nodes": 3}));
    assert_eq!(whole["nodes"], 9);
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

/// The king is in check, so it may not castle.
const CHECK: &str = "2n5/1p2r1k1/8/8/8/8/P6P/R3K2R w KQ - 0 1";

/// Compares with a text on standard input. Returns the exit code and the output.
fn against(position: &str, depth: &str, text: &str) -> (i32, String) {
    let output = run_with_input(&["divide", "--fen", position, "--depth", depth, "--against", "-"], text);
    assert_eq!(err(&output), "", "{text}");
    (code(&output), out(&output))
}

/// Returns our divide without the lines that have one of these texts.
fn divide_without(position: &str, depth: &str, texts: &[&str]) -> String {
    let divide = good(&["divide", "--fen", position, "--depth", depth]);
    let lines = divide.split_inclusive('\n');
    lines.filter(|line| !texts.iter().any(|text| line.contains(text))).collect()
}

#[test]
fn an_engine_that_differs_is_explained() {
    let faulty = engine("faulty castling-out-of-check");
    let output = run(&["divide", CHECK, "1", "--against", &faulty]);
    let (result, next) =
        out(&output).split_once("next: ").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!((code(&output), err(&output).as_str()), (1, ""));
    let (result, causes) = result.split_at(result.find("          castling-").unwrap());
    assert_eq!(
        result,
        "perft and Faulty castling-out-of-check at depth 1 of\n\
         \x20 2n5/1p2r1k1/8/8/8/8/P6P/R3K2R w KQ - 0 1\n\n\
         move   perft  Faulty castling-out-of-check  difference\n\
         e1c1                                     1          +1\n\
         e1g1                                     1          +1\n\
         total      4                             6          +2\n\n\
         extra     e1c1 is illegal: the king on e1 is in check by the rook on e7\n\
         extra     e1g1 is illegal: the king on e1 is in check by the rook on e7\n\
         causes    castling-out-of-check: The king may castle while the king is in check.\n"
    );
    assert!(causes.ends_with("they differ: 4 of 6 moves agree\n"), "{causes}");
    assert!(next.starts_with("perft hunt ") && next.ends_with(&format!(" '{CHECK}' 1\n")), "{next}");
}

/// Runs a command. Returns its output, and the command that it names for the next step.
#[cfg(unix)]
fn followed(command: &str) -> (String, String) {
    let words = shell_words::split(command).unwrap();
    let text = out(&run(&words.iter().skip(1).map(String::as_str).collect::<Vec<&str>>()));
    let next = text.split_once("next: ").unwrap_or_default().1.trim_end().to_owned();
    (text, next)
}

/// The quotes are those of a shell on Unix.
#[cfg(unix)]
#[test]
fn each_command_that_is_named_leads_on_to_the_bug() {
    let faulty = engine("faulty castling-out-of-check");
    let engine = format!("--against {} --engine-timeout 20", shell_words::quote(&faulty));
    let (_, next) = followed(&format!("perft divide talkchess 3 {engine}"));
    assert_eq!(next, format!("perft divide talkchess moves a2a3 2 {engine}"));
    let (_, next) = followed(&next);
    assert_eq!(next, format!("perft divide talkchess moves a2a3 d8a5 1 {engine}"));
    let (text, next) = followed(&next);
    assert!(text.contains("extra     e1g1 is illegal: the king on e1 is in check"), "{text}");
    let (text, _) = followed(&next);
    assert!(text.contains("bug 1: generation, castling-in-check"), "{text}");
}

#[test]
fn an_engine_that_agrees_is_a_success() {
    let perft = format!("'{}' uci", env!("CARGO_BIN_EXE_perft"));
    let chess960 = "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1";
    for args in [
        &["kiwipete", "3"][..],
        &["kiwipete", "moves", "e1g1", "2", "--chess960"],
        &[chess960, "moves", "b1a1", "2"],
    ] {
        let text = good(&[&["divide"], args, &["--against", &perft]].concat());
        let next = format!("next: perft hunt {}\n", shell_words::quote(&perft));
        assert!(text.contains("they agree: ") && text.ends_with(&next), "{text}");
    }
    let json = good(&["divide", "3", "--against", &perft, "--json"]);
    assert_eq!((&report(&json)["right"], &report(&json)["agreeing"]), (&true.into(), &20.into()));
    let wrong = "e2e4: 20\na1a2: 1\ne2e3: 19\nNodes searched: 41\n";
    let found = report(&out(&run_with_input(&["divide", "2", "--against", "-", "--json"], wrong)));
    assert_eq!((&found["missing"][0]["nodes"], &found["extra"][0]["nodes"]), (&20.into(), &1.into()));
    assert_eq!((&found["wrong_counts"][0]["found"], &found["sum"]), (&19.into(), &40.into()));
}

#[test]
fn an_engine_gets_the_castling_rights_of_chess960_as_it_reads_them() {
    let files = engine("reads-only-files");
    for fen in ["rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1", "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1"] {
        let output = run(&["divide", fen, "2", "--against", &files]);
        let (text, note) = (out(&output), err(&output));
        assert_eq!(code(&output), 0, "{text}");
        assert!(text.contains("they agree: 23 moves, 442 leaf nodes\n"), "{text}");
        assert!(
            unfolded(&note).contains("K and Q in the castling field of a Chess960 FEN are not read"),
            "{note}"
        );
    }
}

#[test]
fn an_engine_is_not_asked_what_it_does_not_know() {
    let standard = engine("standard-chess-only");
    let chess960 = "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1";
    assert!(refused(&["divide", chess960, "2", "--against", &standard]).contains("--engine-chess960"));
}

#[test]
fn the_output_of_any_program_is_read() {
    let ours = good(&["divide", "kiwipete", "3"]);
    let reversed: Vec<&str> = ours.lines().filter(|line| line.contains(": ")).rev().skip(1).collect();
    let stockfish = format!(
        "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)\n\
         info string NNUE evaluation using nn-ad9b42354671.nnue enabled\n\
         {}\n\nNodes searched: 97862\n\n",
        reversed.join("\n")
    );
    assert!(against("kiwipete", "3", &stockfish).1.contains("they agree: 48 moves, 97,862 leaf nodes\n"));
    let promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
    let qperft = good(&["divide", "--fen", promotions, "--depth", "3", "--format", "qperft"]);
    assert!(!qperft.contains("g2h1q"));
    assert!(against(promotions, "3", &qperft).1.contains("they agree: 24 moves, 9,483 leaf nodes\n"));
    let castling = divide_without(KING_AND_ROOK, "1", &[]);
    for (written, meant) in [("e1c1", "e1a1"), ("e1c1", "O-O-O"), ("h2h4", "h4"), ("a1a8", "Rxa8+")] {
        let text = castling.replace(written, meant);
        assert_eq!(against(KING_AND_ROOK, "1", &text).0, 0, "{text}");
    }
    let both = "h1g1 Rg1 5\nh1f1 Rf1 3\nh1h2 Rh2 5\nh1h3 Rh3 5\nh1h4 Rh4 5\nh1h5 Rh5 5\nh1h6 Rh6 5\nh1h7 Rh7 2\n\
                h1h8 Rh8+ 3\ne1d1 Kd1 5\ne1d2 Kd2 5\ne1e2 Ke2 5\ne1f1 Kf1 5\ne1f2 Kf2 5\ne1g1 O-O 3\n";
    let rook = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(against(rook, "2", both).1.contains("they agree: 15 moves, 66 leaf nodes"));
}

#[test]
fn moves_that_are_missing_or_have_another_count_are_listed() {
    let text = divide_without("start", "3", &["e2e4", "Nodes"]).replace("d2d4: 560", "d2d4: 561");
    let (code, text) = against("start", "3", &text);
    assert_eq!(code, 1);
    assert_eq!(
        text,
        "perft and standard input at depth 3 of start\n\n\
         move   perft  yours  difference\n\
         d2d4     560    561          +1\n\
         e2e4     600               -600\n\
         total  8,902  8,303        -599\n\n\
         missing   e2e4 is legal: the pawn on e2 has not moved, and e3 and e4 are empty\n\
         they differ: 18 of 20 moves agree\n\
         next: perft divide start moves d2d4 2\n"
    );
}

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/// Texts with a fault that must not be passed over, each with the sentences that tell it. Rows of a second block are not
/// lost, whatever their moves are.
#[test]
fn every_row_column_and_total_of_a_text_counts() {
    let rows = ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2"];
    let listed = |row: &dyn Fn(&str) -> String| rows.map(row).join("\n") + "\n";
    let right = |depth: u32| listed(&|played| format!("{played}: {}", if depth == 1 { 1 } else { 5 }));
    let map = |name: &str, first| {
        let entries: Vec<String> =
            rows.map(|played| format!("'{played}': {}", if played == "e1d1" { first } else { 5 })).to_vec();
        format!("{name} = {{{}}}\n", entries.join(", "))
    };
    let maps = map("mine", 5) + &map("theirs", 4);
    let again = map("", 5).replace("}\n", ", 'e1f2': 5} ==") + &map("", 5);
    let table = listed(&|played| format!("{played} 5 5 +0"));
    let spaced = right(2).replace(':', "");
    for (depth, text, told) in [
        ("1", right(1) + "h1i1: 1\n", "extra     h1i1 is not a move: i1 is not a square"),
        ("1", right(1) + "4-13: 1\nNodes searched: 6\n", "extra     4-13 is not a move|total      5      6"),
        ("1", right(1) + "O-O-O: 1\n", "extra     O-O-O is illegal: White has no rook on a1 to castle with"),
        (
            "2",
            listed(&|played| format!("{played}: 6 (expected 5)")),
            "the counts of \"column 1\" are compared|\"expected\" is right in all 5 rows|0 of 5 moves agree",
        ),
        (
            "2",
            listed(&|played| format!("{played}: 5 vs {played}=4")),
            "0 of 5 moves agree|is right in all 5 rows",
        ),
        ("2", maps, "the counts of \"mine\" are compared|\"theirs\" is wrong in 1 of 5 rows"),
        ("2", right(2) + "Total: 35\nTime: 12 ms\n", "the moves add up to 25, but the stated total is 35"),
        ("1", right(2), "these are the counts of depth 2"),
        ("2", right(2) + "Nodes searched: -25\n", "the stated total is -25"),
        ("2", format!("depth 1\n{}total: 5\n\ndepth 2\ne1e3: 5\n{}", right(1), right(2)), "e1e3 is illegal"),
        ("2", again, "e1f2 is listed twice"),
        ("2", format!("{spaced}\n{}", spaced.replace("e1e2", "e1d2 5\ne1e2")), "e1d2 is listed twice"),
        ("2", format!("move expected actual diff\n{table}total 25 26 +1\n"), "the stated total is 26"),
        ("2", spaced.clone() + "Razem: 50\n", "the stated total is 50"),
    ] {
        let (code, shown) = against(KINGS, depth, &text);
        let shown = unfolded(&shown);
        assert_eq!(code, 1, "{text}\n{shown}");
        for sentence in told.split('|') {
            assert!(shown.contains(sentence), "no '{sentence}' in\n{shown}");
        }
    }
    let report = unfolded(&against("kiwipete", "4", "d5d6: 79604\nd5e6: 97470\n").1);
    assert!(report.contains("2 of 48 moves are in the text: all these counts are wrong"), "{report}");
    assert!(!report.contains("missing"), "{report}");
}

/// Each spelling of a divide is read, and a wrong count in it is seen.
#[test]
fn moves_are_read_in_the_words_of_any_program() {
    let position = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    let divide = good(&["divide", position, "2"]);
    let rows: Vec<(&str, &str)> = divide.lines().filter_map(|line| line.split_once(": ")).collect();
    let rows = &rows[..rows.len() - 1];
    let piece =
        |played: &str, king: char| if played.starts_with("a1") { king.to_string() } else { String::new() };
    let promoted = |played: &str, before: &str, names: [&str; 4]| {
        let letter = played.chars().nth(4).and_then(|letter| "qrbn".find(letter));
        letter.map(|at| format!("{before}{}", names[at])).unwrap_or_default()
    };
    type Row<'a> = &'a dyn Fn(&str, &str) -> String;
    let german: Row = &|played, nodes| {
        let promotion = promoted(played, "=", ["D", "T", "L", "S"]);
        format!("{}{}-{}{promotion} {nodes}\n", piece(played, 'K'), &played[..2], &played[2..4])
    };
    let words: Row = &|played, nodes| {
        let promotion = promoted(played, " promoting to ", ["queen", "rook", "bishop", "knight"]);
        format!("Move {} to {}{promotion}: {nodes} nodes\n", &played[..2], &played[2..4])
    };
    let arrows: Row = &|played, nodes| {
        let promotion = promoted(played, " = ", ["Q", "R", "B", "N"]);
        format!("{} \u{2192} {}{promotion}: {nodes}\n", &played[..2], &played[2..4])
    };
    let fields: Row = &|played, nodes| {
        let [from, to, promotion] = [&played[..2], &played[2..4], &played[4..]];
        format!(
            "{{\"from\": \"{from}\", \"to\": \"{to}\", \"promo\": \"{promotion}\", \"leafs\": {nodes}}}, "
        )
    };
    let nested: Row = &|played, nodes| {
        format!("{{\"move\": {{\"uci\": \"{played}\"}},\n \"count\": {{\"nodes\": {nodes}}}}}, ")
    };
    let wrapped: Row =
        &|played, nodes| format!("{played}{}{nodes} ", if played == "a7b8q" { '\n' } else { ' ' });
    let usual: Row = &|played, nodes| format!("{played}: {nodes}\n");
    let cells: Row = &|played, nodes| format!("<tr><td>{played}</td><td>{nodes}</td></tr>");
    let total: u32 = rows.iter().map(|(_, nodes)| nodes.parse::<u32>().unwrap()).sum();
    let fen = format!("position startpos\ne2e4: 20\nd2d4: 20\n\nposition fen {position}\n");
    for (before, row, after) in [
        ("", german, format!("Summe: {total}\n")),
        ("", words, format!("Altogether {total}\n")),
        ("", arrows, format!("\u{3a3} {total}\n")),
        (&format!("{{\"total\": {total}, \"roots\": ["), fields, "null]}".to_owned()),
        (&format!("{{\"total\": {total}, \"moves\": ["), nested, "null]}".to_owned()),
        ("", wrapped, format!("\ntotal {total}\n")),
        (&fen, usual, format!("Nodes: {total}\n")),
        ("<table>", cells, format!("\n</table><p>Total: {total}</p>\n")),
    ] {
        let text = |rows: &[(&str, &str)]| {
            let rows: String = rows.iter().map(|(played, nodes)| row(played, nodes)).collect();
            format!("{before}{rows}{after}")
        };
        let (code, shown) = against(position, "2", &text(rows));
        assert!(code == 0 && shown.contains("they agree: 11 moves"), "{}\n{shown}", text(rows));
        let mut wrong = rows.to_vec();
        wrong[1].1 = "9";
        let (code, shown) = against(position, "2", &text(&wrong));
        assert!(code == 1 && shown.contains("10 of 11 moves agree"), "{}\n{shown}", text(&wrong));
        let other_total = text(rows).replace(&total.to_string(), &(total + 1).to_string());
        assert_eq!(against(position, "2", &other_total).0, 1, "{other_total}");
    }
}

#[test]
fn a_total_alone_is_compared_and_diagnosed() {
    let (code, text) = against("start", "3", "8902");
    assert!(code == 0 && text.contains("the totals agree: 8,902; standard input lists no moves\n"), "{text}");
    let (code, text) = against("start", "3", "Nodes: 8903");
    assert!(code == 1 && text.contains("\nthe totals differ; standard input lists no moves\n"), "{text}");
    assert!(text.contains("total  8,902  8,903          +1\n"), "{text}");
    assert!(text.ends_with("next: perft diagnose --fen start 3:8903\n"), "{text}");
}

#[test]
fn lines_that_are_not_understood_are_no_bugs() {
    let text = divide_without("start", "3", &["Nodes"]).replace("e2e4: 600", "e2e4: many");
    let (code, text) = against("start", "3", &text);
    assert_eq!(code, 2);
    assert!(text.contains("unread    \"e2e4: many\"\n"), "{text}");
    assert!(unfolded(&text).contains("may explain the difference: 19 of 20 moves agree\n"), "{text}");
    assert!(!text.contains("e2e4 is legal") && !text.contains("next: "), "{text}");
}

#[test]
fn a_comparison_has_tables_for_programs() {
    let theirs = "e1e3: 7\nNodes searched: 7\n";
    let formatted = |format| {
        let args = ["divide", "1k6/8/8/8/8/8/8/7K w - - 0 1", "1", "--against", "-", "--format", format];
        out(&run_with_input(&args, theirs))
    };
    let rows = "e1e3,,7,+7\nh1g1,1,,-1\nh1g2,1,,-1\nh1h2,1,,-1\ntotal,3,7,+4\n";
    assert_eq!(formatted("csv"), format!("move,expected,found,difference\n{rows}"));
    assert!(formatted("markdown").contains("| total |     3 |     7 |         +4 |\n"));
}

#[test]
fn a_file_is_read_and_a_program_is_run() {
    let folder = Folder::new();
    let divide = "divide 2 --against ./theirs.txt";
    folder.write("theirs.txt", "\u{feff}a2a3: 20\r\n");
    let (text, _) = folder.line(1, divide);
    assert!(unfolded(&text).contains("1 of 20 moves is in the text: no count is wrong"), "{text}");
    let (_, said) = folder.line(2, &format!("{divide} --dialect uci"));
    assert!(said.contains("--dialect needs an engine"), "{said}");
    folder.write("theirs.txt", "go perft 1\nUnknown command\n");
    assert!(folder.line(2, divide).1.contains("there are no counts in '"));
    #[cfg(unix)]
    {
        let script = format!("exec '{}' uci", env!("CARGO_BIN_EXE_perft"));
        crate::support::write_script(&folder.path("theirs.txt"), &script);
        assert!(folder.line(0, divide).0.contains("they agree: 20 moves, 400 leaf nodes\n"));
    }
}

/// The engine reads the en passant square of a FEN, but sets none when it plays a double step.
#[test]
fn a_position_that_is_right_as_a_fen_is_told_and_rules_out_causes() {
    let engine = engine("faulty en-passant-not-set");
    let fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    let output = run(&["divide", "--fen", fen, "--depth", "2", "--against", &engine]);
    let (code, text) = (code(&output), out(&output));
    assert!(code == 1 && text.contains("as FEN    "), "{text}");
    assert!(text.contains("en-passant-not-set: ") && !text.contains(" no-en-passant: "), "{text}");
}

#[test]
fn an_engine_that_fails_is_not_wrong() {
    let failing = if cfg!(windows) { "cmd /c exit 3" } else { "sh -c 'exit 3'" };
    let output = run(&["divide", "1", "--dialect", "perftree", "--against", failing]);
    assert_eq!((code(&output), out(&output).as_str()), (4, ""), "{}", err(&output));
}

/// Only causes that the divide shows are named.
#[test]
fn a_divide_names_its_cause() {
    let ours = good(&["divide", "--fen", "kiwipete", "--depth", "2"]);
    let list = ours.replace("a2a4: 44", "a2a4: 41").replace("2039", "2036");
    let (code, text) = against("kiwipete", "2", &list);
    assert!(code == 1 && !text.contains("cause"), "{text}");
    let (_, text) =
        against(CHECK, "1", &format!("{}e1c1: 1\ne1g1: 1\n", divide_without(CHECK, "1", &["Nodes"])));
    assert!(text.contains("castling-out-of-check: "), "{text}");
    let (code, text) = against("start", "3", "Nodes searched: -8902");
    assert!(code == 1 && text.contains("total  8,902  -8,902     -17,804\n"), "{text}");
}

#[test]
fn the_json_of_a_divide_is_read() {
    let json = good(&["divide", "kiwipete", "3", "--json"]);
    assert!(against("kiwipete", "3", &json).1.contains("they agree: 48 moves, 97,862 leaf nodes\n"));
    let (_, text) = against("start", "1", "e2e4: 1\nNodes searched: 20\n");
    assert!(
        unfolded(&text).contains("1 of 20 moves is in the text: no count is wrong; the totals agree\n"),
        "{text}"
    );
}

/// A board is shown only in colours: without them, it would say no more than the FEN.
#[test]
fn wrong_moves_are_drawn_in_colours() {
    let fen = "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1";
    let theirs = "a5a4: 1\na5b4: 1\na5b5: 1\na5b6: 1\na5a6: 1\ne5e6: 1\ne5d6: 1\n";
    // The square d6, in the red of a move that is not legal.
    let red_square = "\u{1b}[48;5;203m .\u{1b}[0m";
    for (color, is_drawn) in [("always", true), ("never", false)] {
        let divide = run_with_input(&["divide", fen, "1", "--against", "-", "--color", color], theirs);
        let explained = run(&["explain", fen, "e5d6", "--color", color]);
        assert_eq!(out(&divide).contains("\u{1b}[31me5d6 "), is_drawn, "{}", out(&divide));
        for output in [divide, explained] {
            assert_eq!(out(&output).contains(red_square), is_drawn, "{}", out(&output));
        }
    }
}
