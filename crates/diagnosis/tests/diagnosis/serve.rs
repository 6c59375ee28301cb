//! Sessions with an engine that records its calls.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use perft_core::{Interrupted, MAX_DEPTH};
use perft_diagnosis::serve::{DivideTask, UciEngine, serve};

/// Records its calls. A count at depth [`LONG`] takes longer than a script. A count at depth [`ENDLESS`] takes as long,
/// and then runs until it is stopped.
#[derive(Default)]
struct Fake {
    calls: Vec<String>,
    /// The client and the lines that it sends during an endless count.
    late: RefCell<Option<(Sender<String>, &'static str)>>,
}

/// A time that is longer than the lines of a script take to arrive.
const LONG_TIME: Duration = Duration::from_millis(200);

const LONG: u32 = 98;

const ENDLESS: u32 = 99;

/// A position that makes the client of [`Fake`] go away.
const GONE: &str = "gone";

impl UciEngine for Fake {
    fn name(&self) -> String {
        "Fake 1".to_owned()
    }

    fn author(&self) -> String {
        "nobody".to_owned()
    }

    fn options(&self) -> Vec<String> {
        vec!["Hash type spin default 0 min 0 max 9".to_owned()]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.calls.push(format!("{name}={value}"));
        if name == "Hash" { Ok(()) } else { Err(format!("no option {name}")) }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.calls.push(format!("{fen:?} {moves:?}"));
        Ok(())
    }

    fn divide(&self, depth: u32) -> DivideTask {
        let late = if depth == ENDLESS { self.late.take() } else { None };
        Box::new(move |stop| {
            let begin = Instant::now();
            while depth >= LONG && begin.elapsed() < LONG_TIME && !stop.is_raised() {
                std::thread::yield_now();
            }
            if let Some((client, lines)) = late {
                client.send(lines.to_owned()).unwrap();
            }
            while depth == ENDLESS && !stop.is_raised() {
                std::thread::yield_now();
            }
            let moves = ["a2a3", "a2a4"].map(|played| (played.to_owned(), depth.into()));
            if stop.is_raised() { Err(Interrupted) } else { Ok(moves.to_vec()) }
        })
    }

    fn diagram(&self) -> String {
        "a board".to_owned()
    }

    fn is_client_gone(&self) -> bool {
        self.calls.last().is_some_and(|call| call.contains(GONE))
    }
}

/// Returns the output of a session after the banner, and the recorded calls.
fn talk(input: &str) -> (String, Vec<String>) {
    serve_fake(Fake::default(), Cursor::new(input.to_owned()))
}

/// Does the same as [`talk`], but the lines `late` arrive during an endless count.
fn talk_late(input: &str, late: &'static str) -> (String, Vec<String>) {
    let (client, lines) = channel();
    client.send(input.to_owned()).unwrap();
    let fake = Fake { late: RefCell::new(Some((client, late))), ..Fake::default() };
    serve_fake(fake, BufReader::new(Lines(lines)))
}

fn serve_fake(mut fake: Fake, input: impl BufRead + Send + 'static) -> (String, Vec<String>) {
    let mut output = Vec::new();
    serve(&mut fake, input, &mut output).unwrap();
    let said = String::from_utf8(output).unwrap();
    (said.strip_prefix("Fake 1 by nobody\n").expect("the banner comes first").to_owned(), fake.calls)
}

/// Lines that arrive when they are sent.
struct Lines(Receiver<String>);

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let lines = self.0.recv().unwrap_or_default();
        buffer[..lines.len()].copy_from_slice(lines.as_bytes());
        Ok(lines.len())
    }
}

const DIVIDE_3: &str = "a2a3: 3\na2a4: 3\n\nNodes searched: 6\n\n";
const DIVIDE_1: &str = "a2a3: 1\na2a4: 1\n\nNodes searched: 2\n\n";

#[test]
fn the_handshake_lists_the_options() {
    let (said, _) = talk("uci\nisready\n");
    let options = "option name Hash type spin default 0 min 0 max 9";
    assert_eq!(said, format!("id name Fake 1\nid author nobody\n{options}\nuciok\nreadyok\n"));
}

#[test]
fn positions_and_options_reach_the_engine() {
    let (said, asked) = talk(
        "position startpos moves e2e4 e7e5\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\n\
         setoption name Hash value 5\nsetoption name Clear Hash\nposition nowhere\n",
    );
    let expected =
        [r#"None ["e2e4", "e7e5"]"#, r#"Some("8/8/8/8/8/8/8/8 w - - 0 1") []"#, "Hash=5", "Clear Hash="];
    assert_eq!(asked, expected);
    let errors =
        "info string no option Clear Hash\ninfo string expected position startpos or position fen FEN\n";
    assert_eq!(said, errors);
}

#[test]
fn nothing_is_counted_after_a_wrong_position() {
    let (said, _) = talk("position nowhere\ngo perft 1\nd\nposition startpos\ngo perft 1\n");
    let why = "expected position startpos or position fen FEN\n";
    let refusal = format!("info string {why}{}", format!("info string no position: {why}").repeat(2));
    assert_eq!(said, refusal + DIVIDE_1);
}

#[test]
fn a_divide_is_printed_as_stockfish_prints_it() {
    assert_eq!(talk("go perft 3\nd\n").0, format!("{DIVIDE_3}a board\n"));
    assert_eq!(talk("go perft 0\nquit\n").0.lines().last(), Some(""));
}

#[test]
fn unknown_commands_are_ignored() {
    assert_eq!(talk("\nfoo bar\njoho debug on\n").0, "");
    assert_eq!(talk("please isready\n").0, "readyok\n");
    for (asked, depth) in [("go perft many\n", "many"), ("go perft\n", "")] {
        let refusal = format!("info string go perft '{depth}': not a depth from 0 to {MAX_DEPTH}\n");
        assert_eq!(talk(asked).0, refusal);
    }
}

#[test]
fn commands_are_answered_during_a_count_and_it_can_be_stopped() {
    let (said, _) = talk("go perft 99\nisready\nstop\ngo perft 99\nisready\nstop\nquit\nisready\n");
    // The stop is noticed when it is read. This may be before the answer to the line before it.
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["info string stopped", "info string stopped", "readyok", "readyok"]);
    assert_eq!(talk("go perft 3\nquit\n").0, DIVIDE_3);
}

#[test]
fn a_script_is_finished_before_its_quit() {
    let long = "a2a3: 98\na2a4: 98\n\nNodes searched: 196\n\n";
    assert_eq!(talk("go perft 98\nquit\n").0, long);
    let (said, _) = talk("go perft 98\nposition startpos\ngo perft 98\nd\nquit\ngo perft 1\n");
    assert_eq!(said, format!("{long}{long}a board\n"));
}

#[test]
fn a_late_quit_stops_a_count() {
    let waiting: &str = Box::leak(("d\n".repeat(900) + "quit\n").into_boxed_str());
    for late in ["quit\n", "position startpos\nd\ngo perft 1\nquit\n", waiting] {
        let (said, calls) = talk_late("go perft 99\n", late);
        assert_eq!((said.as_str(), calls.len()), ("info string stopped\n", 0), "{late}");
    }
    let (said, _) = talk_late("go perft 1\ngo perft 99\nd\n", "isready\nquit\n");
    assert_eq!(said, format!("{DIVIDE_1}info string stopped\n"));
}

#[test]
fn a_stop_is_noticed_behind_other_commands() {
    let waiting = "position startpos\n".repeat(900);
    let (said, _) = talk(&format!("go perft 99\n{waiting}stop\ngo perft 3\nd\ngo perft 99\n{waiting}stop\n"));
    assert_eq!(said, format!("info string stopped\n{DIVIDE_3}a board\ninfo string stopped\n"));
    // A late `stop` ends the running count, and also the count that it belongs to.
    let (said, _) = talk_late("go perft 99\n", "d\ngo perft 98\nd\nstop\n");
    assert_eq!(said, "info string stopped\na board\ninfo string stopped\na board\n");
}

#[test]
fn a_client_that_is_gone_ends_a_count() {
    let gone = format!("position fen {GONE}\ngo perft 99\n");
    assert_eq!(talk(&gone).0, "info string stopped\n");
    assert_eq!(talk(&format!("{gone}d\nquit\n")).0, "info string stopped\na board\n");
}

#[test]
fn an_endless_line_ends_the_session() {
    let (mut fake, mut output) = (Fake::default(), Vec::new());
    let endless = io::BufReader::new(io::repeat(b'x'));
    let input = io::BufReader::new(io::Read::chain(&b"go perft 99\n"[..], endless));
    let error = serve(&mut fake, input, &mut output).unwrap_err();
    assert_eq!(error.to_string(), "a line of more than 65536 bytes");
    assert!(output.ends_with(b"info string stopped\n"));
}

#[test]
fn a_search_is_answered_with_a_null_move() {
    for go in ["go", "go depth 5", "go infinite", "position nowhere\ngo wtime 100 btime 100"] {
        let said = talk(&format!("{go}\nisready\n")).0;
        assert!(said.ends_with("only go perft N is answered\nbestmove 0000\nreadyok\n"), "{said}");
    }
}
