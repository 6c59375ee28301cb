//! Lists as people keep them, and their faults.

use perft_core::suite::{Case, Suite};

const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

fn expected(text: &str) -> Vec<(u32, u128)> {
    let suite = Suite::from_text("test", text).unwrap();
    assert_eq!(suite.cases.len(), 1);
    suite.cases[0].expected.iter().map(|known| (known.depth, known.nodes)).collect()
}

#[test]
fn all_usual_formats_are_read() {
    for line in [
        format!("{KINGS} ;D1 3 ;D2 5"),
        format!("{KINGS} 0 1 ;D1 3 ;D2 5"),
        format!("{KINGS} 0 1;D1 3;D2 5"),
        format!("{KINGS}  ; D2  5 ; D1 3 ;"),
        format!("{KINGS} D1 3; D2 5;"),
        format!("  {KINGS} 0 1 ;D1 3 ;D2 5 ;D2 5  "),
        format!("\u{feff}# a comment\r\n\r\n{KINGS} ;D1 3 ;D2 5\r\n"),
        format!("{KINGS} ;hmvc 0 ;D1 3 ;bm \"a;D9 9\" ;D2 5 ;ce 7"),
    ] {
        assert_eq!(expected(&line), [(1, 3), (2, 5)], "{line}");
    }
}

/// The lines of `.perft` files may be mixed with those of EPD.
#[test]
fn known_counts_may_have_lines_of_their_own() {
    let text = format!(
        "# kings\nid  0\nepd {KINGS}\nperft 2 7\n\n  perft\t1  3\r\n{KINGS} 0 1 ;D1 3\nid other name\n\
         epd {KINGS} ;D1 3\nperft 1 3\nepd {KINGS}\nperft 3 35"
    );
    let suite = Suite::from_text("test", &text).unwrap();
    let read = |case: &Case| {
        let counts: Vec<u32> = case.expected.iter().map(|known| known.depth).collect();
        (case.id.clone(), case.line, counts)
    };
    let found: Vec<_> = suite.cases.iter().map(read).collect();
    let id = |name: &str| Some(name.to_owned());
    assert_eq!(
        found,
        [(id("0"), 3, vec![1, 2]), (None, 7, vec![1]), (id("other name"), 9, vec![1]), (None, 11, vec![3])]
    );
}

#[test]
fn faults_of_lines_of_their_own_are_found() {
    let text = format!(
        "perft 1 3\nid a\nepd {KINGS}\nepd 8/8/8/8/8/8/8/k1K5 x - -\nperft 1 3\n  epd {KINGS}\nperft 1 x\nperft y 3\nperft\n\
         epd {KINGS}\nperft 1 3\nperft 1 4\n{KINGS} ;D1 3\nperft 1 3\nepd"
    );
    let error = Suite::from_text("f", &text).unwrap_err().to_string();
    let lines: Vec<&str> = error.split("; ").collect();
    assert_eq!(
        lines,
        [
            "f:4:24: 'x' is not a side to move",
            "f:7:9: 'x' is not a number of nodes",
            "f:8:7: 'y' is not a depth from 0 to 255",
            "f:12:9: depth 1 has two different counts",
            "f:15:4: no FEN was read in this line",
        ]
    );
}

#[test]
fn every_fault_of_every_line_is_found_with_its_place() {
    let text = format!(
        "{KINGS} ;D1 3\n{KINGS} ;D1 x ;D2\n 8/8/8/8/8/8/8/k1K4P x - - ;D1 1\n{KINGS}\n\
         {KINGS} ;D1 3 ;D1 4\n{KINGS} ;D999 1"
    );
    let error = Suite::from_text("f.epd", &text).unwrap_err();
    let lines: Vec<String> = error.to_string().split("; ").map(str::to_owned).collect();
    assert_eq!(
        lines,
        [
            "f.epd:2:30: 'x' is not a number of nodes",
            "f.epd:2:35: '' is not a number of nodes",
            "f.epd:3:20: a pawn cannot stand on h1",
            "f.epd:3:22: 'x' is not a side to move",
            "f.epd:5:36: depth 1 has two different counts",
            "f.epd:6:28: '999' is not a depth from 0 to 255",
        ]
    );
}

/// Reads a list and writes its cases: the name, the first rank of the board, and the counts.
fn read(text: &str) -> String {
    let suite = Suite::from_text("test", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let case = |case: &Case| {
        let counts = case.expected.iter().map(|known| format!(" {}:{}", known.depth, known.nodes));
        let id = case.id.as_deref().unwrap_or_default();
        format!("{id}[{}]{}", case.fen.split('/').next_back().unwrap(), counts.collect::<String>())
    };
    suite.cases.iter().map(case).collect::<Vec<_>>().join(" ")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

#[test]
fn lists_are_read_as_people_keep_them() {
    let signs = [("START", START), ("KINGS", KINGS), ("⇥", "\t"), ("␍", "\r"), ("␀", "\0")];
    for block in include_str!("lists.txt").split("==== ").skip(1) {
        let (expected, text) = block.split_once('\n').unwrap();
        let text = signs.iter().fold(text.to_owned(), |text, (sign, plain)| text.replace(sign, plain));
        assert_eq!(read(text.strip_suffix('\n').unwrap()), expected, "{text}");
    }
}

#[test]
fn how_numbers_were_read_is_said() {
    let notes = |text: &str| Suite::from_text("atomic.txt", text).unwrap().notes.join("; ");
    let of_variant =
        "the name of the file has 'atomic' in it; perft counts by the rules of standard chess and Chess960";
    assert_eq!(
        notes(&format!("two words\nand more\n{START}; 6; 119060324")),
        format!(
            "{of_variant}; the numbers of each FEN are read as a depth and its count; 1 line was left out; the first is line 1: 'two words'"
        )
    );
    assert_eq!(notes(&format!("{START}, 20, 400")), of_variant);
}

#[test]
fn what_is_not_understood_says_what_was_read() {
    let message = |text: &str| Suite::from_text("f", text).unwrap_err().to_string();
    let place = START.len() + 1;
    for (text, error) in [
        (
            format!("{START},55"),
            format!(
                "f:1:{}: it is not clear which depths these numbers belong to; the count at depth 1 is 20",
                place + 1
            ),
        ),
        (START.to_owned(), format!("f:1:{place}: a position was read here, but no known count")),
        (format!("{START} 0 1"), format!("f:1:{}: a position was read here, but no known count", place + 4)),
        ("hello\nworld".to_owned(), "f:1:1: no FEN was read in this line".to_owned()),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1 ;D1 20".to_owned(),
            "f:1:1: this is not standard chess: it has pieces in hand, as in Crazyhouse".to_owned(),
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1 ;D1 20".to_owned(),
            "f:1:1: this is not standard chess: it has a count of checks, as in Three-check".to_owned(),
        ),
        (
            "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1 ;D1 28".to_owned(),
            "f:1:1: this is not standard chess: it has a board of 10x8 squares".to_owned(),
        ),
        (
            "[{\"fen\": \"8/8/8/8/8/8/8/k1K5 w - -\"}]".to_owned(),
            "f:1:35: a position was read here, but no known count".to_owned(),
        ),
    ] {
        assert_eq!(message(&text), error, "{text}");
    }
}

/// Files of `data/` as people keep them, with the counts that are read. `faults` are the places of illegal positions.
#[test]
fn files_are_read_as_people_keep_them() {
    let read = |name: &str| {
        let path = format!("{}/tests/lists/data/{name}", env!("CARGO_MANIFEST_DIR"));
        match Suite::from_text(name, &std::fs::read_to_string(path).unwrap()) {
            Ok(suite) => (suite, Vec::new()),
            Err(error) => {
                (error.rest, error.faults.iter().map(|fault| (fault.line, fault.column())).collect())
            }
        }
    };
    for (name, counts, faults) in [
        ("count-before-depth.txt", "1:20 2:400 3:8902", &[][..]),
        ("depth-then-list.txt", "1:20 2:400 3:8902 1:14 2:191 3:2812", &[]),
        ("heading-ends-position.md", "1:20 2:400", &[]),
        ("zero-is-not-counted.epd", "3:2812 1:26 3:27826", &[]),
        ("three-wrong.epd", "1:6 1:6 1:7", &[]),
        ("mixed-with-attributes.txt", "3:8902 3:9999", &[]),
        ("fen-above-blocks.txt", "1:14 2:191", &[]),
        ("path-in-code.txt", "3:8902 3:2812", &[]),
        ("tabs.txt", "1:20 2:400 1:14 2:191", &[]),
        ("one-illegal-position.txt", "1:20 2:400 1:14", &[(4, 35)]),
        ("list.py", "3:8902 3:2812", &[]),
        ("haskell.hs", "3:8902 2:2039", &[]),
        ("imported-constant.rs", "1:20 2:400", &[]),
        ("numbered.epd", "1:20 2:400 1:48 2:2039 1:14", &[]),
        ("wiki.txt", "0:1 1:20 2:400 3:8902 1:48 2:2039", &[]),
        ("rows.cpp", "5:4865609 4:4085603 3:2812", &[]),
        ("constants.java", "1:20 2:400 1:48 3:8902", &[]),
        ("depth-before-fen.c", "1:20 2:400 3:2812", &[]),
        ("default-board.cpp", "1:20 2:400 3:8902", &[]),
    ] {
        let (suite, found) = read(name);
        let known = suite.cases.iter().flat_map(|case| &case.expected);
        let known: Vec<String> = known.map(|known| format!("{}:{}", known.depth, known.nodes)).collect();
        assert_eq!((known.join(" ").as_str(), found.as_slice()), (counts, faults), "{name}");
    }
}

/// A small count at a great depth is not taken for a statistic.
#[test]
fn a_count_that_is_much_too_small_is_read() {
    assert_eq!(expected(&format!("{START} ;D1 20 ;D12 14")), [(1, 20), (12, 14)]);
    assert_eq!(expected(&format!("{START}; 1; 20; 2; 4; 3; 8902")), [(1, 20), (2, 4), (3, 8902)]);
}

/// A number that no reading uses is never passed over.
#[test]
fn a_count_without_a_depth_is_refused() {
    for (operation, fault) in [
        (";Dx 401", "'x' is not a depth from 0 to 255"),
        (";D4294967298 401", "'4294967298' is not a depth from 0 to 255"),
        (";D1 3 401", "'401' has no depth"),
        (";D1 3 ; 401", "'401' has no depth"),
        ("; 401", "it is not clear which depths these numbers belong to; the count at depth 1 is 3"),
        (";D1 3 ;D12 401 ;Dx 1", "'x' is not a depth from 0 to 255"),
        (";D1 2O", "'2O' is not a number of nodes"),
        (";D1 -3", "'3' is not a number of nodes"),
        (";D1 3.5", "'3.5' is not a number of nodes"),
        (";D1", "'' is not a number of nodes"),
    ] {
        let error = Suite::from_text("f", &format!("{KINGS} ;D1 3 ;D2 7\n{KINGS} {operation}")).unwrap_err();
        assert_eq!(error.faults[0].kind.to_string(), fault, "{operation}");
        assert!(error.rest.cases.is_empty(), "{operation}");
    }
}
