//! Words as users type them: positions and depths without flags, mistyped words, and help on a narrow terminal.

use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;

use crate::support::{
    Folder, KIWIPETE, at_once, err, good, json, out, refused, run, run_with_input, unfolded, words,
};
#[cfg(unix)]
use crate::support::{interrupt, interruptible, program};

/// Runs the program as if on a terminal with this number of columns.
fn on_columns(columns: u32, args: &[&str]) -> Output {
    cargo_bin_cmd!("perft").env("COLUMNS", columns.to_string()).args(args).output().unwrap()
}

/// Sentences fit into a narrow terminal, and are not wider than 80 columns in a wide one.
#[test]
fn texts_are_folded_to_the_width_of_the_terminal() {
    let wrong = ["diagnose", "start", "4:197281", "kiwipete", "3:97766", "endgame", "5:671300"];
    let explained = ["explain", "4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1", "e8g8"];
    for args in [&wrong[..], &explained] {
        for columns in [40, 60, 200] {
            let printed = out(&on_columns(columns, args));
            let widest = printed.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= columns.min(80) as usize, "{columns}: {printed}");
        }
    }
}

/// Returns the columns of a part of `typing.txt`.
fn typed<const COLUMNS: usize>(part: &str) -> impl Iterator<Item = [String; COLUMNS]> {
    let text = include_str!("typing.txt").replace("{kiwipete}", KIWIPETE);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let begin =
        lines.iter().position(|line| line.starts_with(&format!("[{part}]"))).expect("the part exists") + 1;
    lines.into_iter().skip(begin).take_while(|line| !line.is_empty()).map(|line| {
        let mut columns = line.split(" | ").map(str::to_owned);
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    })
}

fn good_line(line: &str) -> String {
    let words = words(line);
    good(&words.iter().map(String::as_str).collect::<Vec<&str>>())
}

/// Returns the command lines of this program that a message suggests, without the name of the program.
fn suggested(said: &str) -> Vec<String> {
    let lines = said.split(": perft ").skip(1);
    lines
        .map(|rest| rest.split(['\n', ';']).next().unwrap().split(" < ").next().unwrap().to_owned())
        .collect()
}

/// Checks that the program accepts a suggested line. The engines and folders of examples do not exist.
fn accepted(line: &str) {
    // A count may take longer, but it has begun then.
    let limit = std::time::Duration::from_secs(2);
    let folder = tempfile::tempdir().unwrap();
    let output =
        cargo_bin_cmd!("perft").args(words(line)).current_dir(folder.path()).timeout(limit).output().unwrap();
    let is_example =
        ["cannot start", "nine", "is a program", "unused"].iter().any(|part| err(&output).contains(part));
    assert!(output.status.code() != Some(2) || is_example, "perft {line}: {}", err(&output));
}

fn refused_line(line: &str) -> String {
    let words = words(line);
    refused(&words.iter().map(String::as_str).collect::<Vec<&str>>())
}

mod positions {
    use super::*;

    /// Returns the count of the last depth.
    fn count(line: &str) -> String {
        let text = good_line(line);
        let last = text.lines().last().unwrap();
        last[last.find('=').unwrap() + 1..].split_whitespace().next().unwrap().to_owned()
    }

    #[test]
    fn a_position_and_a_depth_need_no_flags() {
        for [line, nodes] in typed("counts") {
            assert_eq!(count(&line), nodes, "{line}");
        }
    }

    #[test]
    fn moves_are_read_behind_a_position_and_in_san() {
        let after = good_line("divide --fen start --moves e2e4,e7e5,g1f3 2");
        for line in [
            "divide startpos moves e2e4 e7e5 g1f3 2",
            "divide position startpos moves e2e4 e7e5 g1f3 2",
            "divide start moves e4 e5 Nf3 2",
            "divide 'position startpos moves e2e4 e7e5 g1f3' 2",
            "divide -m 'e2e4 e7e5 g1f3' 2",
            "divide -m e4,e5,Nf3 -d 2",
            "divide moves e4 e5 Nf3 2",
            "divide position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5 g1f3 2",
            "divide rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves e2e4 e7e5 g1f3 2",
        ] {
            assert_eq!(good_line(line), after, "{line}");
        }
        let castled = good_line("divide kiwipete moves O-O O-O-O 1");
        assert_eq!(castled, good_line("divide kiwipete --moves e1g1,e8c8 1"));
        let output = run_with_input(&["divide", "-", "1"], "startpos moves e4 e5 Nf3\n");
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1";
        let divided = good_line("divide start moves e4 e5 Nf3 1");
        assert_eq!(out(&output), format!("{fen}\n{divided}"), "{}", err(&output));
    }

    #[test]
    fn the_lines_of_uci_are_read_from_standard_input() {
        let counts = |args: &[&str], input: &str| {
            let output = run_with_input(args, input);
            assert_eq!(output.status.code(), Some(0), "{}", err(&output));
            let text = out(&output);
            text.lines()
                .filter_map(|line| line.strip_prefix("Nodes searched: ")?.parse().ok())
                .collect::<Vec<u64>>()
        };
        assert_eq!(counts(&["divide", "-"], "go perft 3\n"), [8_902]);
        let dialogue = "uci\nisready\nposition startpos moves e2e4\ngo perft 1\nposition fen 8/8/8/8/8/8/8/k1K5 w - -\n\
                        go perft 1\nperft 2\nquit\n";
        assert_eq!(counts(&["divide", "-"], dialogue), [20, 3, 7]);
        assert_eq!(counts(&["divide", "-", "2"], "kiwipete\ngo perft 1\n"), [2_039, 48]);
        assert!(out(&run_with_input(&["-"], "go perft 3\n")).contains("perft( 3)=         8902"));
        let output = run_with_input(&["divide", "-"], "kiwipete\n");
        assert!(err(&output).contains("no depth was given") && err(&output).contains(": perft divide - 5"));
        assert_eq!(run_with_input(&["divide", "-"], "go perft 0\n").status.code(), Some(2));
    }

    #[test]
    fn every_command_with_a_position_reads_it() {
        assert!(good_line("divide kiwipete 2").contains("Nodes searched: 2039"));
        assert!(good_line("stats position2 2").contains("  48   2039"));
        assert!(good_line("unique kiwipete 2").contains("unique( 2)="));
        assert!(good_line("estimate start 2").contains("perft(2) = 400"));
        assert!(good_line("diagnose position2 2:2039").contains("2,039"));
        let perft = env!("CARGO_BIN_EXE_perft");
        let hunted = good(&["hunt", &format!("'{perft}' uci"), "kiwipete", "moves", "O-O", "2"]);
        assert!(hunted.contains("1 position"), "{hunted}");
        let (planned, _) = Folder::new().line(0, "campaign plan kiwipete 4 --split 2 -o four");
        assert!(planned.contains("planned perft(4)"));
        let timed = json(&["bench", "kiwipete", "3", "--runs", "2", "--json", "--quiet"]);
        assert_eq!(timed["results"][0]["parameters"]["depth"], "3");
    }

    #[test]
    fn contradictions_say_what_to_do() {
        at_once(&typed("contradictions").collect::<Vec<_>>(), |[line, message, help]| {
            let said = refused_line(line);
            assert!(said.contains(message) && said.contains(help), "{line}: {said}");
            suggested(&said).iter().for_each(|line| accepted(line));
        });
    }

    #[test]
    fn the_depth_may_stand_before_the_position_and_the_moves() {
        let after = good_line("divide kiwipete moves e1g1 2");
        assert_eq!(good_line("divide kiwipete 2 moves e1g1"), after);
        let timed = json(&["bench", "3", "kiwipete", "--runs", "2", "--json", "--quiet"]);
        assert_eq!(timed["results"][0]["parameters"]["depth"], "3");
    }

    #[test]
    fn fens_are_read_as_people_have_them() {
        for (fen, warning) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", ""),
            ("https://lichess.org/analysis/standard/r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", ""),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq \u{2013} 0 1", ""),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq",
                "ends after the castling field: there is no en passant square",
            ),
            ("r2k3r/8/8/8/8/8/8/R3K2R w KQkq -", "black's castling rights are read as those of Chess960"),
        ] {
            let output = run(&[fen, "1"]);
            assert!(out(&output).contains(" 26 ("), "{fen}: {}{}", out(&output), err(&output));
            assert!(unfolded(&err(&output)).contains(warning), "{fen}: {}", err(&output));
            assert_eq!(warning.is_empty(), err(&output).is_empty(), "{fen}: {}", err(&output));
        }
    }

    #[test]
    fn a_file_is_no_position() {
        let folder = Folder::new();
        folder.write("my.epd", "8/8/8/8/8/8/8/k1K5 w - - 0 1 ;D1 5\n");
        for (line, hint) in
            [("my.epd 3", "perft - 3 < my.epd"), ("divide my.epd 3", "perft divide - 3 < my.epd")]
        {
            let said = unfolded(&folder.line(2, line).1);
            for words in ["'my.epd' is a file, not a position", "perft suite my.epd", hint] {
                assert!(said.contains(words), "{said}");
            }
        }
        folder.write("my.epd", "#!/bin/sh\nexec ./my-engine\n");
        let (_, said) = folder.line(2, "suite my.epd");
        assert!(said.contains("is a script, not a suite") && said.contains("chmod +x"), "{said}");
    }
}

/// Data is waiting on standard input, which is read only for `-`.
#[cfg(unix)]
mod unread {
    use std::fs::File;
    use std::io::{BufRead, BufReader, Read, Write, pipe};
    use std::process::{Command, Stdio};

    use super::*;

    /// Runs the program with this standard input and returns standard error.
    fn said(line: &str, input: impl Into<Stdio>) -> String {
        let output = Command::new(program()).args(words(line)).stdin(input).output().unwrap();
        assert!(output.status.success(), "{line}: {}", err(&output));
        err(&output)
    }

    /// Returns the reading end of a pipe that contains this text, and the writing end.
    fn piped(text: &str) -> (std::io::PipeReader, std::io::PipeWriter) {
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        (reader, writer)
    }

    fn note(reader: &str) -> String {
        format!("note: the data on standard input was not read; to read it: {reader}\n")
    }

    #[test]
    fn data_that_waits_is_noted() {
        for (line, reader) in [
            ("2", "perft 2 -"),
            ("divide 2 -m e2e4", "perft divide 2 -m e2e4 -"),
            ("stats 2", "perft stats 2 -"),
            ("unique 2", "perft unique 2 -"),
            ("estimate 2", "perft estimate 2 -"),
            ("suite --max-nodes 100", "perft suite -"),
        ] {
            let (input, other_end) = piped("kiwipete\n");
            assert_eq!(said(line, input), note(reader));
            drop(other_end);
            let (input, other_end) = piped("kiwipete\n");
            drop(other_end);
            assert_eq!(said(line, input), note(reader));
        }
        let (input, _other_end) = piped("kiwipete\n");
        let waiting = said(&format!("hunt \"'{}' uci\" --max-nodes 10", program().display()), input);
        assert!(waiting.starts_with("note: the data on standard input was not read"), "{waiting}");
    }

    #[test]
    fn a_file_is_noted_and_stays_unread() {
        let folder = Folder::new();
        let path = folder.path(folder.write("depths", "1\n2\n3\n"));
        let mut file = File::open(&path).unwrap();
        assert_eq!(said("2", file.try_clone().unwrap()), note("perft 2 -"));
        let mut rest = String::new();
        file.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "1\n2\n3\n");
        assert_eq!(said("2", file), "", "at the end of the file");
        let script = "while read depth; do \"$0\" --single --format csv $depth | tail -1; done < \"$1\"";
        let output = Command::new("sh").args(["-c", script]).arg(program()).arg(&path).output().unwrap();
        assert_eq!(out(&output).lines().count(), 3);
        let reader = |depth| note(&format!("perft --single --format csv {depth} -"));
        assert_eq!(err(&output), [reader(1), reader(2)].concat());
    }

    #[test]
    fn data_that_comes_late_is_noted_at_the_end() {
        let (input, mut other_end) = pipe().unwrap();
        let mut command = Command::new(program());
        let mut child = interruptible(command.arg("20").arg("--exact"))
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().starts_with("perft( 1)="));
        other_end.write_all(b"kiwipete\n").unwrap();
        interrupt(&child);
        lines.for_each(drop);
        let output = child.wait_with_output().unwrap();
        assert!(err(&output).contains(&note("perft 20 --exact -")), "{}", err(&output));
    }

    #[test]
    fn nothing_is_noted_without_data_or_with_a_position() {
        let (input, _other_end) = pipe().unwrap();
        assert_eq!(said("2", input), "", "an open pipe");
        let (input, _) = pipe().unwrap();
        assert_eq!(said("2", input), "", "a closed pipe");
        assert_eq!(said("2", Stdio::null()), "");
        assert_eq!(said("2", File::open("/dev/zero").unwrap()), "");
        for line in ["kiwipete 2", "suite named --max-nodes 100", "-q 2", "list positions"] {
            let (input, _other_end) = piped("kiwipete\n");
            assert_eq!(said(line, input), "", "{line}");
        }
    }
}

mod suggestions {
    use super::*;

    /// Returns the command line that a message ends with.
    fn hinted(line: &str) -> String {
        let said = refused_line(line);
        let (_, hint) = said.split_once(": perft ").unwrap_or_else(|| panic!("{line}: {said}"));
        hint.lines().next().unwrap().to_owned()
    }

    /// People type what other programs understand. The command line that the message suggests must work.
    #[test]
    fn what_other_programs_understand_gets_a_hint_that_works() {
        for [line, hint] in typed("hints") {
            assert_eq!(hinted(&line), hint, "{line}");
            good_line(&hint);
        }
    }

    #[test]
    fn far_words_are_not_suggested() {
        for line in ["position9 3", "frobnicate", "w 3", "queen 4", "kiwipete/8 w - - 3"] {
            assert!(!refused_line(line).contains("did you mean"), "{line}: {}", refused_line(line));
        }
    }
}

mod help {
    use super::*;

    const COMMANDS: [&str; 14] = [
        "divide", "stats", "unique", "estimate", "suite", "hunt", "diagnose", "explain", "probe", "bench",
        "campaign", "list", "generate", "uci",
    ];

    const IN_GROUPS: [&str; 9] = [
        "campaign plan",
        "campaign work",
        "campaign merge",
        "campaign verify",
        "list positions",
        "list engines",
        "list generators",
        "generate completions",
        "generate man",
    ];

    #[test]
    fn the_short_page_fits_on_a_screen() {
        for columns in [80, 120] {
            let page = out(&on_columns(columns, &["-h"]));
            assert!((25..=32).contains(&page.lines().count()), "{page}");
            assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
            assert!(COMMANDS.iter().all(|name| page.contains(name)), "{page}");
            assert_eq!(out(&on_columns(columns, &["help"])), page);
        }
        let nothing = run(&[]);
        assert_eq!(nothing.status.code(), Some(2));
        assert_eq!(err(&nothing), good(&["-h"]));
    }

    #[test]
    fn every_page_keeps_to_the_columns() {
        for name in COMMANDS.into_iter().chain(IN_GROUPS) {
            let page_of = |flag| name.split(' ').chain([flag]).collect::<Vec<&str>>();
            for flag in ["-h", "--help"] {
                let page = out(&on_columns(80, &page_of(flag)));
                assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
            }
            let (short, long) = (good(&page_of("-h")), good(&page_of("--help")));
            let usage = long.find("Usage:").unwrap();
            assert!(long.find("Examples:").is_none_or(|examples| examples < usage), "{long}");
            let examples = long.lines().skip_while(|line| *line != "Examples:");
            let examples = examples.take_while(|line| !line.is_empty());
            let mut columns: Vec<usize> = examples.filter_map(|line| line.rfind("  ")).collect();
            columns.retain(|column| *column > 8);
            columns.dedup();
            assert!(columns.len() <= 1, "the comments of the examples of {name}: {columns:?}");
            assert!(short.lines().count() <= 60.min(long.lines().count()), "{name}: {short}");
        }
        let page = out(&on_columns(80, &["--help"]));
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        assert!(page.contains("--cpu-path") && page.contains("Exit codes:"), "{page}");
        let [examples, usage] = ["Examples:", "Usage:"].map(|title| page.find(title).unwrap());
        assert!(examples < usage, "{page}");
    }

    #[test]
    fn help_describes_a_command() {
        assert_eq!(good(&["help", "divide"]), good(&["divide", "--help"]));
        assert_eq!(good(&["help", "list", "positions"]), good(&["list", "positions", "--help"]));
    }

    #[test]
    fn a_group_shows_its_commands() {
        for name in IN_GROUPS {
            let (group, command) = name.split_once(' ').unwrap();
            assert!(good(&["help", group]).contains(&format!("\n  {command} ")), "{name}");
            assert_eq!((run(&[group]).status.code(), err(&run(&[group]))), (Some(2), good(&[group, "-h"])));
        }
    }

    #[test]
    fn the_contract_of_a_dialect_is_in_the_short_page() {
        for name in ["suite", "hunt", "probe", "campaign verify"] {
            let page = good_line(&format!("{name} -h")).split_whitespace().collect::<Vec<&str>>().join(" ");
            for part in
                ["\"go perft N\"", "perftree runs CMD N FEN", "a line for each root move (\"e2e4: 20\")"]
            {
                assert!(page.contains(part), "{name}: {page}");
            }
        }
    }

    #[test]
    fn one_letter_has_one_meaning() {
        for name in ["divide", "stats", "hunt", "bench", "campaign plan", "diagnose", "estimate", "unique"] {
            for (letter, long) in [("-m", "--moves"), ("-t", "--threads"), ("-d", "--depth"), ("-f", "--fen")]
            {
                for line in good_line(&format!("{name} --help")).lines() {
                    assert!(
                        !line.trim_start().starts_with(&format!("{letter},")) || line.contains(long),
                        "{line}"
                    );
                }
            }
        }
    }
}

mod widths {
    use super::*;

    #[test]
    fn messages_are_folded_between_words() {
        for columns in [40, 80, 120] {
            let said = err(&on_columns(columns, &["divide", "kiwipete", "3", "-m", "e9"]));
            let joined = said.split_whitespace().collect::<Vec<&str>>().join(" ");
            assert!(joined.contains("is not a legal move in r3k2r/"), "{said}");
            let too_long = |line: &&str| line.chars().count() > columns as usize && !line.contains('/');
            assert_eq!(said.lines().find(too_long), None, "{said}");
        }
    }

    #[test]
    fn lists_and_estimates_fit_80_columns() {
        for line in [
            "list positions",
            "estimate 6 --walks 1000",
            "list engines",
            "list generators",
            "list positions kiwipete",
        ] {
            let text = good_line(line);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{line}: {text}");
        }
    }
}
