//! A generator served as a UCI program, for tools that speak to one: `position`, `go perft N`, `d`.
//!
//! What is served is a matter of [`UciEngine`]; here is the conversation. A count runs on a thread of its own, so that
//! `stop` and `isready` are answered meanwhile; everything else waits until it is done, `quit` and the end of the
//! input too, since scripts write them right behind their question. As the protocol wants ("Description of the
//! universal chess interface", Stefan Meyer-Kahlen), words before the first known one are ignored, and so is a line
//! without any. A search, which a GUI may ask for, is answered with the null move, so that it does not wait for
//! ever.

use std::io::{self, BufRead, Write};
use std::sync::{Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use perft_core::{Interrupted, StopSignal};

/// What a UCI session serves.
pub trait UciEngine {
    /// The name and the version.
    fn name(&self) -> String;

    /// Who wrote it.
    fn author(&self) -> String;

    /// The options that can be set, each as UCI describes it: `Threads type spin default 1 min 1 max 8`.
    fn options(&self) -> Vec<String>;

    /// Sets an option.
    ///
    /// # Errors
    /// There is no such option, or the value is not possible: why, in words.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// Goes to a position, the start position without a FEN, and plays moves from there.
    ///
    /// # Errors
    /// The FEN or a move is wrong: why, in words.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String>;

    /// A count below the present position, to be made on some thread.
    fn divide(&self, depth: u32) -> DivideTask;

    /// The present position, as text.
    fn diagram(&self) -> String;
}

/// Counts below each move, the moves in UCI and in the order in which they are to be printed, until the signal ends it.
pub type DivideTask = Box<dyn FnOnce(&StopSignal) -> Result<Vec<(String, u128)>, Interrupted> + Send>;

/// Talks to a client until `quit` or the end of the input.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn serve(
    served: &mut dyn UciEngine,
    input: impl BufRead,
    output: &mut (impl Write + Send),
) -> io::Result<()> {
    let output = Mutex::new(output);
    std::thread::scope(|scope| {
        let mut session = Session { served, output: &output, scope, running: None, fault: None };
        for line in input.lines() {
            if session.obey(&line?)? == Then::Quit {
                break;
            }
        }
        session.wait()
    })
}

/// A conversation.
struct Session<'scope, 'env, W> {
    served: &'env mut dyn UciEngine,
    output: &'env Mutex<&'env mut W>,
    scope: &'scope Scope<'scope, 'env>,
    running: Option<Running<'scope>>,
    /// Why there is no position. Counting another one than the client believes would mislead it.
    fault: Option<String>,
}

/// A count on its own thread.
struct Running<'scope> {
    stop: StopSignal,
    thread: ScopedJoinHandle<'scope, io::Result<()>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    GoOn,
    Quit,
}

impl<'env, W: Write + Send> Session<'_, 'env, W> {
    fn obey(&mut self, line: &str) -> io::Result<Then> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(start) = words.iter().position(|word| COMMANDS.contains(word)) else {
            return Ok(Then::GoOn);
        };
        let (command, arguments) = (words[start], &words[start + 1..]);
        match command {
            "quit" => return Ok(Then::Quit),
            "stop" => self.stop()?,
            "isready" => self.say("readyok")?,
            _ => {
                self.wait()?;
                self.obey_at_rest(command, arguments)?;
            }
        }
        Ok(Then::GoOn)
    }

    fn obey_at_rest(&mut self, command: &str, arguments: &[&str]) -> io::Result<()> {
        match command {
            "uci" => self.introduce(),
            "setoption" => self.set_option(arguments),
            "position" => self.set_position(arguments),
            "go" => self.go(arguments),
            "d" => match &self.fault {
                Some(_) => self.say_there_is_no_position(),
                None => self.say(&self.served.diagram()),
            },
            // `ucinewgame` and the others change nothing here.
            _ => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        let mut text = format!("id name {}\nid author {}\n", self.served.name(), self.served.author());
        for option in self.served.options() {
            text += &format!("option name {option}\n");
        }
        self.say(&(text + "uciok"))
    }

    /// `setoption name NAME [value VALUE]`, both of which may have spaces.
    fn set_option(&mut self, arguments: &[&str]) -> io::Result<()> {
        let arguments = arguments.strip_prefix(&["name"]).unwrap_or(arguments);
        let (name, value) = split_at(arguments, "value");
        let outcome = self.served.set_option(&name.join(" "), &value.join(" "));
        self.complain(outcome)
    }

    /// `position startpos|fen FEN [moves MOVE...]`.
    fn set_position(&mut self, arguments: &[&str]) -> io::Result<()> {
        let (place, moves) = split_at(arguments, "moves");
        let outcome = match place {
            ["startpos", ..] => self.served.set_position(None, moves),
            ["fen", fen @ ..] => self.served.set_position(Some(&fen.join(" ")), moves),
            _ => Err("position startpos, or position fen FEN".to_owned()),
        };
        self.fault = outcome.as_ref().err().cloned();
        self.complain(outcome)
    }

    fn go(&mut self, arguments: &[&str]) -> io::Result<()> {
        let ["perft", depth, ..] = arguments else { return self.say("bestmove 0000") };
        match depth.parse() {
            _ if self.fault.is_some() => self.say_there_is_no_position(),
            Ok(depth) if depth <= perft_core::MAX_DEPTH => {
                self.start(depth);
                Ok(())
            }
            _ => self.complain(Err(format!("go perft {depth}: not a depth"))),
        }
    }

    fn start(&mut self, depth: u32) {
        let (divide, output, stop) = (self.served.divide(depth), self.output, StopSignal::default());
        let signal = stop.clone();
        let thread = self.scope.spawn(move || match divide(&signal) {
            Ok(moves) => say(output, &divide_text(&moves, depth)),
            Err(Interrupted) => say(output, "info string stopped"),
        });
        self.running = Some(Running { stop, thread });
    }

    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &self.running {
            running.stop.raise();
        }
        self.wait()
    }

    /// Until the count that runs, if any, is printed.
    fn wait(&mut self) -> io::Result<()> {
        match self.running.take() {
            Some(running) => running.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            None => Ok(()),
        }
    }

    fn say_there_is_no_position(&self) -> io::Result<()> {
        let why = self.fault.as_deref().unwrap_or_default();
        self.say(&format!("info string no position: {why}"))
    }

    fn complain(&self, outcome: Result<(), String>) -> io::Result<()> {
        match outcome {
            Ok(()) => Ok(()),
            Err(why) => self.say(&format!("info string {why}")),
        }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        say(self.output, text)
    }
}

/// The words that begin a command.
const COMMANDS: [&str; 11] = [
    "uci",
    "isready",
    "setoption",
    "position",
    "go",
    "stop",
    "quit",
    "d",
    "ucinewgame",
    "debug",
    "ponderhit",
];

/// The words before a keyword, and those behind it.
fn split_at<'a, 'b>(words: &'a [&'b str], keyword: &str) -> (&'a [&'b str], &'a [&'b str]) {
    match words.iter().position(|&word| word == keyword) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

/// What Stockfish prints for `go perft`. A divide of depth 0 has no moves, but one node.
fn divide_text(moves: &[(String, u128)], depth: u32) -> String {
    let mut text = String::new();
    for (played, nodes) in moves {
        text += &format!("{played}: {nodes}\n");
    }
    let total: u128 = moves.iter().map(|(_, nodes)| nodes).sum();
    text + &format!("\nNodes searched: {}\n", if depth == 0 { 1 } else { total })
}

/// One text at a time, whole lines, at once.
fn say(output: &Mutex<&mut impl Write>, text: &str) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{text}")?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes what it is asked; depth 99 counts until it is stopped.
    #[derive(Default)]
    struct Fake(Vec<String>);

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
            self.0.push(format!("{name}={value}"));
            if name == "Hash" { Ok(()) } else { Err(format!("no option {name}")) }
        }

        fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
            self.0.push(format!("{fen:?} {moves:?}"));
            Ok(())
        }

        fn divide(&self, depth: u32) -> DivideTask {
            Box::new(move |stop| {
                while depth == 99 && !stop.is_raised() {
                    std::thread::yield_now();
                }
                if depth == 99 { Err(Interrupted) } else { Ok(vec![("a2a3".to_owned(), depth.into())]) }
            })
        }

        fn diagram(&self) -> String {
            "a board".to_owned()
        }
    }

    /// What a session prints, and what was asked for.
    fn talk(input: &str) -> (String, Vec<String>) {
        let (mut fake, mut output) = (Fake::default(), Vec::new());
        serve(&mut fake, input.as_bytes(), &mut output).unwrap();
        (String::from_utf8(output).unwrap(), fake.0)
    }

    #[test]
    fn the_handshake_lists_the_options() {
        let (said, _) = talk("uci\nisready\n");
        let options = "option name Hash type spin default 0 min 0 max 9";
        assert_eq!(said, format!("id name Fake 1\nid author nobody\n{options}\nuciok\nreadyok\n"));
    }

    #[test]
    fn positions_and_options_are_handed_on() {
        let (said, asked) = talk(
            "position startpos moves e2e4 e7e5\nposition fen 8/8/8/8/8/8/8/8 w - - 0 1\n\
             setoption name Hash value 5\nsetoption name Clear Hash\nposition nowhere\n",
        );
        let expected =
            [r#"None ["e2e4", "e7e5"]"#, r#"Some("8/8/8/8/8/8/8/8 w - - 0 1") []"#, "Hash=5", "Clear Hash="];
        assert_eq!(asked, expected);
        let complaints =
            "info string no option Clear Hash\ninfo string position startpos, or position fen FEN\n";
        assert_eq!(said, complaints);
    }

    #[test]
    fn after_a_wrong_position_nothing_is_counted_until_a_right_one() {
        let (said, _) = talk("position nowhere\ngo perft 1\nd\nposition startpos\ngo perft 1\n");
        let why = "position startpos, or position fen FEN\n";
        let refusal = format!("info string {why}{}", format!("info string no position: {why}").repeat(2));
        assert_eq!(said, refusal + "a2a3: 1\n\nNodes searched: 1\n\n");
    }

    #[test]
    fn a_divide_is_printed_as_stockfish_prints_it() {
        assert_eq!(talk("go perft 3\nd\n").0, "a2a3: 3\n\nNodes searched: 3\n\na board\n");
        assert_eq!(talk("go perft 0\nquit\n").0.lines().last(), Some(""));
    }

    #[test]
    fn the_unknown_is_ignored_and_a_search_gets_an_answer() {
        assert_eq!(talk("\nfoo bar\njoho debug on\n").0, "");
        assert_eq!(talk("please isready\n").0, "readyok\n");
        assert_eq!(talk("go infinite\n").0, "bestmove 0000\n");
        assert_eq!(talk("go perft many\n").0, "info string go perft many: not a depth\n");
    }

    #[test]
    fn a_count_can_be_stopped_and_is_answered_over() {
        let (said, _) = talk("go perft 99\nisready\nstop\ngo perft 99\nisready\nstop\nquit\nisready\n");
        assert_eq!(said, "readyok\ninfo string stopped\n".repeat(2));
        assert_eq!(talk("go perft 2\nquit\n").0, "a2a3: 2\n\nNodes searched: 2\n\n");
    }
}
