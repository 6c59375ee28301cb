//! How programs print their counts is learned from their answers to an exam.
//!
//! Most of the formats in `formats.txt` are from a survey of public engines.

use std::sync::LazyLock;

use perft_diagnosis::source::{Answer, End, Lesson, Patterns, Profile, learn};

use super::printer::{Bug, Counted, EXAM, LATER, count, formats};

/// The answers of a program to the exam and to later questions.
struct Answers {
    bug: Bug,
    exam: Vec<Counted>,
    later: Vec<Counted>,
}

impl Answers {
    fn of(bug: Bug) -> Answers {
        let count = |question| count(question, bug);
        Answers { bug, exam: EXAM.map(count).to_vec(), later: LATER.map(count).to_vec() }
    }

    fn lessons(&self, format: &str, grouping: &str) -> Vec<Lesson> {
        self.exam.iter().map(|counted| counted.lesson(counted.print(format, grouping))).collect()
    }

    fn learn(&self, format: &str, grouping: &str) -> Option<Profile> {
        learn(&self.lessons(format, grouping), &Patterns::default())
    }

    /// Returns what was not learned from a program that prints in this format.
    fn fault(&self, format: &str, grouping: &str) -> Option<String> {
        let fault = match self.learn(format, grouping) {
            None => Some("nothing was learned".to_owned()),
            Some(profile) => self.exam.iter().chain(&self.later).find_map(|counted| {
                let answer = profile.read(&counted.print(format, grouping), counted.depth);
                let fault = counted.fault(format, &answer)?;
                Some(format!("{} at {}: {fault}\n    {profile:?}", counted.position, counted.depth))
            }),
        };
        fault.map(|fault| format!("{:?}: {format:?} {grouping:?}: {fault}", self.bug))
    }
}

static ALL: LazyLock<[Answers; 4]> =
    LazyLock::new(|| [Bug::None, Bug::OtherPositions, Bug::Deep, Bug::NoCastling].map(Answers::of));

/// Checks that these formats are learned from programs with and without bugs.
fn check<'a>(formats: impl IntoIterator<Item = (String, &'a str)>) {
    let mut faults = Vec::new();
    let mut number = 0;
    for (format, grouping) in formats {
        number += 1;
        // If only the counts at depth 1 are right, the sum over all depths or two adjacent numbers may look like a
        // count.
        let is_unclear = |bug| {
            bug == Bug::Deep && (format == "$m $n $s" || format.contains("$A") && !format.contains("$n"))
        };
        let clear = ALL.iter().filter(|answers| !is_unclear(answers.bug));
        faults.extend(clear.filter_map(|answers| answers.fault(&format, grouping)));
    }
    assert!(faults.is_empty(), "{} faults in {number} formats:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn lines_of_moves_are_learned() {
    let after = ["", "\nTime: $T, nodes: $t"].into_iter().cycle();
    check(formats("moves").iter().zip(after).map(|(moves, after)| (format!("{moves}{after}"), "")));
}

#[test]
fn lines_of_totals_are_learned() {
    let before = ["", "$m $n\n"].into_iter().cycle();
    check(formats("totals").iter().zip(before).map(|(total, before)| (format!("{before}{total}"), "")));
}

#[test]
fn answers_are_learned() {
    check(formats("answers").into_iter().map(|answer| (answer, "")));
}

#[test]
fn signs_between_groups_of_digits_are_learned() {
    let formats =
        ["$m: $n\nTotal: $t", "Depth: $d, nodes: $t, $T", "$m  $n  $s\n\n$t", "$m......$n\nNodes.....$t"];
    for grouping in [",", ".", "'", "_", " ", "\u{a0}", "\u{202f}", "\u{2019}"] {
        check(formats.map(|format| (format.to_owned(), grouping)));
    }
}

#[test]
fn a_program_that_is_wrong_everywhere_is_not_understood() {
    let answers = Answers::of(Bug::Everywhere);
    for format in ["$m: $n\n\nNodes searched: $t", "$m: $n", "perft $d: $t"] {
        assert!(answers.learn(format, "").is_none(), "{format}");
    }
    let texts = [
        "",
        "hello",
        "$m",
        "$f",
        "$b",
        "Depth: $d\nTime: $x",
        "error: '$d' is no command",
        "1. e2e4\n2. d2d4",
    ];
    for format in texts {
        assert!(ALL[0].learn(format, "").is_none(), "{format}");
    }
}

/// Its knights leave the board. All of its totals are wrong, but not the counts of the legal moves.
#[test]
fn a_program_with_odd_moves_everywhere_is_understood() {
    let of = |depth: u32| {
        let position = perft_core::Position::start();
        let divide = position.divide(depth);
        let mut lines: Vec<String> = divide
            .iter()
            .map(|root| format!("{}: {}", root.played.to_uci(position.castling_notation()), root.nodes))
            .collect();
        lines.insert(0, "g1i2: 1".to_owned());
        lines.push(format!("Nodes searched: {}", position.perft(depth) + 1));
        Lesson::new(position, depth, divide, lines)
    };
    let profile = learn(&[of(1), of(2)], &Patterns::default()).unwrap();
    let answer = profile.read(&of(1).lines, 1);
    assert_eq!((answer.moves.len(), answer.stated_total), (21, Some(21)));
}

#[test]
fn the_end_of_an_answer_is_learned() {
    let after = |times, more| End::Total { times, more };
    for (format, ready, end) in [
        ("$m: $n\n\nNodes searched: $t\n", None, after(Some(1), 0)),
        ("$m: $n\nNodes: $t\n\nTime: $T\nNPS: $x", None, after(Some(1), 2)),
        ("Total: $t\n$m: $n\nTotal: $t\nbye", None, after(Some(2), 1)),
        ("$m: $n\nTotal: $t\nTotal: $t\nbye", None, after(Some(2), 1)),
        ("*perft $d: $t", None, after(Some(1), 0)),
        ("depth nodes\n*Nodes: $t", None, after(None, 0)),
        ("*$m $n\n*Nodes: $t\nbye", None, after(None, 1)),
        ("$m $n", None, End::Silence),
        ("Nodes: $t\n$m $n", None, after(Some(1), 0)),
        ("Nodes: $t\n?bye", None, End::Silence),
        ("$m $n\nNodes: $t\nbye", Some(0), after(Some(1), 1)),
        ("$m $n", Some(0), End::Ready),
        ("$m $n\nNodes: $t", Some(1), after(Some(1), 0)),
    ] {
        let mut lessons = ALL[0].lessons(format, "");
        for lesson in &mut lessons {
            lesson.ready = ready.map(|before| lesson.lines.len() - before);
        }
        assert_eq!(learn(&lessons, &Patterns::default()).unwrap().end, end, "{format}");
    }
}

#[test]
fn an_answer_is_over_at_its_learned_end() {
    let profile = ALL[0].learn("$m: $n\nperft $d: $t\n$T", "").unwrap();
    let mut reader = profile.reader(3, 1);
    for (line, is_over) in
        [("a2a3: 380", false), ("perft 2: 400", false), ("perft 3: 380", false), ("", false), ("9 ms", true)]
    {
        reader.read(line);
        assert_eq!(reader.is_over(), is_over, "{line}");
    }
    assert_eq!(reader.finish().stated_total, Some(380));
    let profile = Profile::of_stockfish();
    let mut reader = profile.reader(1, 20);
    assert!(!reader.is_over(), "it may count in another thread");
    reader.read("Nodes searched: 20");
    assert!(reader.is_over());
}

/// Some programs list no moves at depth 1.
/// The total counts a row that is no move. To wait for more would take a quarter of a second for each question.
#[test]
fn an_answer_with_an_odd_row_is_over() {
    let lesson = |extra: &str| {
        let position = perft_core::Position::start();
        let row =
            |root: &perft_core::RootMove| format!("{}: 1", root.played.to_uci(position.castling_notation()));
        let mut lines: Vec<String> = position.divide(1).iter().map(row).collect();
        let total = lines.len() + extra.lines().count();
        lines.splice(0..0, extra.lines().map(str::to_owned));
        lines.push(format!("Nodes searched: {total}"));
        Lesson::new(position, 1, position.divide(1), lines)
    };
    let profile = learn(&[lesson("")], &Patterns::default()).unwrap();
    for (extra, moves, is_over) in [("", 20, true), ("a8b:: 1", 20, true), ("a8b:: 1", 21, false)] {
        let mut reader = profile.reader(1, moves);
        lesson(extra).lines.iter().for_each(|line| reader.read(line));
        assert_eq!(reader.is_over(), is_over, "{extra}, {moves} moves: {:?}", reader.answer());
    }
}

#[test]
fn moves_may_come_later_than_the_total_through_another_pipe() {
    let mut lessons = ALL[0].lessons("$m: $n\nNodes: $t", "");
    let is_over = |lessons: &[Lesson], depth, lines: &[&str]| {
        let profile = learn(lessons, &Patterns::default()).unwrap();
        let mut reader = profile.reader(depth, 2);
        lines.iter().for_each(|line| reader.read(line));
        reader.is_over()
    };
    for lesson in &mut lessons {
        lesson.uses_two_pipes = true;
        let listed = lesson.lines.len() - 1;
        lesson.lines.rotate_right(if lesson.depth == 2 { listed / 2 } else { 0 });
    }
    for (lines, ends) in [
        (&["Nodes: 20"][..], false),
        (&["Nodes: 20", "e2e4: 13"], false),
        (&["Nodes: 20", "e2e4: 13", "d2d4: 7"], true),
        (&["e2e4: 13", "d2d4: 7"], false),
        (&["Nodes: 0"], false),
    ] {
        assert_eq!(is_over(&lessons, 1, lines), ends, "{lines:?}");
    }
    for lesson in lessons.iter_mut().filter(|lesson| lesson.depth == 1) {
        lesson.lines = lesson.lines.split_off(lesson.lines.len() - 1);
    }
    assert!(is_over(&lessons, 1, &["Nodes: 20"]) && !is_over(&lessons, 2, &["Nodes: 20"]));
}

#[test]
fn totals_of_other_depths_are_not_read() {
    for format in ["*perft $d: $t", "*|   $d | $t | $T", "info depth $d time $x nodes $t"] {
        for answers in ALL.iter() {
            let profile = answers.learn(format, "").unwrap();
            let lines = answers.exam[1].print(format, "");
            assert_eq!(profile.read(&lines, 4).stated_total, None, "{:?}: {format}", answers.bug);
        }
    }
}

#[test]
fn what_the_user_says_is_not_learned() {
    let pattern = |text: &str| Some(text.parse().unwrap());
    let patterns = Patterns { total: pattern("sum=(\\S+)"), moves: pattern("(\\w+)#(?<nodes>\\d+)") };
    let profile = learn(&ALL[0].lessons("$m: $n\n$t", ""), &patterns).unwrap();
    let answer = profile.read(&["e2e4: 20", "e2e4#7", "total 20", "sum=1,234"].map(str::to_owned), 1);
    assert_eq!((answer.moves.as_slice(), answer.stated_total), (&[("e2e4".to_owned(), 7)][..], Some(1234)));
    let known = Profile::of_stockfish().with_patterns(profile.patterns);
    assert_eq!(known.read(&["e2e4#7", "sum=8"].map(str::to_owned), 1).stated_total, Some(8));
    let moves = || pattern("(\\S+): (\\d+)");
    for patterns in [
        Patterns { total: None, moves: moves() },
        Patterns { total: pattern("Nodes: (\\d+)"), moves: moves() },
    ] {
        let profile = learn(&ALL[0].lessons("$m: $n\nNodes: $t", ""), &patterns).unwrap();
        let answer = profile.read(&["e2e4: 20", "Nodes: 20"].map(str::to_owned), 1);
        assert_eq!((answer.moves.len(), answer.stated_total), (1, Some(20)), "the total is no move");
    }
}

/// A label says that it is a total. A count of all nodes of the tree has the same label and is not wrong.
#[test]
fn a_stated_total_that_is_always_wrong_is_read() {
    let learned = |total: &dyn Fn(&Counted) -> u128| {
        let answers = Answers::of(Bug::None);
        let lesson = |counted: &Counted| {
            let mut lines = counted.print("$m: $n", "");
            lines.push(format!("Nodes searched: {}", total(counted)));
            counted.lesson(lines)
        };
        let lessons: Vec<Lesson> = answers.exam.iter().map(lesson).collect();
        let profile = learn(&lessons, &Patterns::default()).unwrap();
        profile.read(&lessons[1].lines, lessons[1].depth)
    };
    let twice = learned(&|counted| 2 * counted.total());
    assert_eq!((twice.stated_total, twice.contradicts_itself()), (Some(17_804), true));
    let tree = learned(&|counted| (1..=counted.depth).map(|depth| counted.position.perft(depth)).sum());
    assert_eq!((tree.stated_total, tree.total()), (None, 8902));
}

/// Such a number would make sums overflow.
#[test]
fn a_number_that_no_program_counts_to_is_not_a_count() {
    let answer = Answer::parse(&format!("a2a3: {0}\nb2b3: {0}\nTotal: {0}\n", u128::MAX));
    assert!(answer.is_empty(), "{answer:?}");
    let most = 1_u128 << 100;
    assert_eq!(Answer::parse(&format!("a2a3: {most}\nb2b3: {most}")).count(), Some(2 * most));
}

#[test]
fn a_long_line_is_read_only_if_it_can_be_a_list() {
    assert!(Answer::parse(&"1 ".repeat(30_000)).is_empty());
    let most = count(("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "", 1), Bug::None);
    assert_eq!(Answer::parse(&most.print("~$m: $n ~", "").join("")).moves.len(), 218);
}

#[test]
fn an_example_of_a_move_in_a_menu_is_no_row() {
    let menu = ["[4] Enter 'move' followed by a move (e2e4).", "a2a3: 1", "b2b3: 1", "Nodes searched: 2"];
    assert_eq!(
        Profile::of_stockfish().read(&menu.map(str::to_owned), 1),
        Answer {
            moves: vec![("a2a3".to_owned(), 1), ("b2b3".to_owned(), 1)],
            stated_total: Some(2),
            ..Answer::default()
        }
    );
}

/// It is an extra move, and not a line that vanishes.
#[test]
fn what_stands_where_a_move_should_be_is_kept() {
    let lines = ["a2a3: 1", "h2h1k: 1", "Th9-f1: 2", "4-13: 1", "x86-64: 5", "Nodes searched: 5"];
    let answer = Profile::of_stockfish().read(&lines.map(str::to_owned), 1);
    let written: Vec<&str> = answer.moves.iter().map(|(played, _)| played.as_str()).collect();
    assert_eq!(written, ["a2a3", "h2h1k", "Th9-f1", "4-13"]);
}

#[test]
fn lines_between_moves_that_are_not_understood_are_kept() {
    let profile = Profile::of_stockfish();
    let lines = ["a", "a2a3: 1", "castles long: 1 time", "e2e4: 1", "g1f3", "Nodes searched: 4", "bye"];
    assert_eq!(profile.read(&lines.map(str::to_owned), 1).unread, ["castles long: 1 time"]);
    // Above and below the rows, if they have what these lack of the total.
    for (total, unread) in [("7", &["c8d:: 2", "b8a:: 3"][..]), ("8", &[])] {
        let lines = ["c8d:: 2", "a2a3: 1", "e2e4: 1", "b8a:: 3", &format!("Nodes searched: {total}")];
        assert_eq!(profile.read(&lines.map(str::to_owned), 1).unread, unread, "{total}");
    }
}

#[test]
fn a_text_of_a_known_divide_is_read() {
    let boards = include_str!("../../../../fuzz/corpus/divides/boards");
    let one_line = include_str!("../../../../fuzz/corpus/divides/one-line");
    for (question, text, moves, total) in [
        ((EXAM[0].0, "", 2), boards, 20, Some(400)),
        (("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "", 5), one_line, 24, Some(3_605_103)),
        ((EXAM[0].0, "", 3), "Perft 3: 8903", 0, Some(8903)),
        ((EXAM[0].0, "", 3), "Perft 3", 0, None),
        ((EXAM[0].0, "", 3), "8903 nodes in 0.002 s", 0, Some(8903)),
        ((EXAM[0].0, "", 3), "Nodes: 8902\nTime: 12", 0, Some(8902)),
        ((EXAM[0].0, "", 3), "Nodes: 8903\nTime: 12", 0, Some(8903)),
        ((EXAM[0].0, "", 2), "1. e4 21\n2. Nf3 23\ntotal 44 in 3 s", 2, Some(44)),
        ((EXAM[0].0, "", 1), "a2a3: 1\na2a3: 1\nb2b3: 1", 3, None),
        ((EXAM[0].0, "", 2), "a2a3: 1\nb2b3: 1\na2a3: 20\nb2b3: 19", 2, None),
        ((EXAM[0].0, "", 2), "a2a3: 1\nb2b3: 1\nc2c3: 1\nc2c3: 20\na2a3: 19", 2, None),
        ((EXAM[0].0, "", 2), "a2a3: 20\nb2b3: 20\nb2b3: 20", 3, None),
        ((EXAM[0].0, "", 2), "a2a3: 20\nNodes searched: 40\nb2b3: 20", 2, Some(40)),
        ((EXAM[0].0, "", 2), "a2a3: 2.0k\nNodes: 8.9k", 0, None),
    ] {
        let counted = count(question, Bug::None);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let ours = counted.position.divide(counted.depth);
        let answer = Answer::of_text(&lines, &counted.position, counted.depth, &ours);
        assert_eq!((answer.moves.len(), answer.stated_total), (moves, total), "{text}: {answer:?}");
    }
}
