//! Engines with planted faults, which the tests start as processes: the example `test-engine` of the workspace.
//!
//! ```text
//! test-engine faulty BUG      a generator with this bug, a name of `perft diagnose --list`
//! test-engine state NAME      prints its FEN and key: one of STATES
//! test-engine ODDITY          counts right, but behaves oddly: one of ODDITIES
//! test-engine hangs FOLDER    hangs, with a child process: see `hang`
//! test-engine waits FOLDER    this child process
//! test-engine crlf            ends its lines with CR LF
//! test-engine dies            ends at once
//! ```

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufReader, Stdout, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::time::{Duration, Instant};

use perft_core::{CastlingNotation, Position};
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::serve::{DivideTask, UciEngine, serve};

use crate::faulty::FaultySource;
use crate::state::{Conventions, StateBug, StateProgram};

/// The longest time from the end of an engine to the end of its child processes, with a reserve for a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// The programs that print their state: the name, the bug, and the number of printed fields of the FEN. A key is
/// printed only with all six fields.
const STATES: [(&str, Option<StateBug>, usize); 12] = [
    ("right", None, 6),
    ("silent", None, 0),
    ("four-fields", None, 4),
    ("castling", Some(StateBug::StaleKeyAfterCastling), 6),
    ("en-passant", Some(StateBug::NoEnPassantInKey), 6),
    ("capture", Some(StateBug::CaptureKeepsClock), 6),
    ("pawn-move", Some(StateBug::PawnMoveKeepsClock), 6),
    ("rook-capture", Some(StateBug::RookCaptureKeepsRight), 6),
    ("kept-right", Some(StateBug::RookCaptureKeepsRight), 6),
    ("unmake", Some(StateBug::UnmakeLosesKey), 6),
    ("turn", Some(StateBug::NoTurnInKey), 6),
    ("promotion", Some(StateBug::PromotionKeepsPawnKey), 6),
];

/// The odd behaviour of an engine whose generator has no bug.
#[derive(Clone, PartialEq)]
enum Oddity {
    /// It does not announce that it knows Chess960.
    StandardChessOnly,
    /// It ends when it gets more than 13 moves.
    EndsAfter13Moves,
    /// It counts the position before the moves.
    IgnoresMoves,
    /// It counts one node too many from the tenth question on, as if it did not reset a part of its state.
    WrongAfter9Questions,
    /// It counts e2e4 twice at depth 1.
    CountsE2e4Twice,
    /// It can play a variant without castling.
    Variants,
    /// It reads the castling rights of Chess960 only by the letters of files.
    ReadsOnlyFiles,
    /// It hangs when it gets an endgame of two kings for the first time: see [`hang`].
    Hangs(PathBuf),
}

const ODDITIES: [(&str, Oddity); 7] = [
    ("standard-chess-only", Oddity::StandardChessOnly),
    ("ends-after-13-moves", Oddity::EndsAfter13Moves),
    ("ignores-moves", Oddity::IgnoresMoves),
    ("wrong-after-9-questions", Oddity::WrongAfter9Questions),
    ("counts-e2e4-twice", Oddity::CountsE2e4Twice),
    ("variants", Oddity::Variants),
    ("reads-only-files", Oddity::ReadsOnlyFiles),
];

/// Runs the engine that the arguments name, until its input ends.
///
/// # Errors
/// Returns an error if the output cannot be written.
///
/// # Panics
/// Panics if there is no such engine.
pub fn run(arguments: &[&str]) -> io::Result<()> {
    match arguments {
        ["faulty", bug] => answer(FaultySource::new(Some(Mutation::from_name(bug).expect("a bug")))),
        ["state", name] => {
            let &(_, bug, fields) = STATES.iter().find(|(known, ..)| known == name).expect("a program");
            let uses_kept = *name == "kept-right";
            let conventions =
                Conventions { fields, uses_kept, has_key: fields == 6, ..Conventions::default() };
            answer(StateProgram::new(bug, conventions))
        }
        ["hangs", folder] => answer(Odd::new(Oddity::Hangs(folder.into()))),
        ["waits", folder] => {
            let _lock = locked(&Path::new(folder).join("child"));
            std::thread::sleep(Duration::from_secs(1000));
            Ok(())
        }
        ["crlf"] => serve(&mut FaultySource::new(None), BufReader::new(stdin()), &mut WithCrLf(stdout())),
        ["dies"] => exit(3),
        [name] => {
            let (_, oddity) = ODDITIES.iter().find(|(known, _)| known == name).expect("an engine");
            answer(Odd::new(oddity.clone()))
        }
        _ => panic!("no engine is {arguments:?}"),
    }
}

fn answer(mut engine: impl UciEngine) -> io::Result<()> {
    serve(&mut engine, BufReader::new(stdin()), &mut stdout())
}

struct Odd {
    source: FaultySource,
    oddity: Oddity,
    questions: Cell<u32>,
}

impl Odd {
    fn new(oddity: Oddity) -> Odd {
        Odd { source: FaultySource::new(None), oddity, questions: Cell::new(0) }
    }
}

impl UciEngine for Odd {
    fn name(&self) -> String {
        "Odd".to_owned()
    }

    fn options(&self) -> Vec<String> {
        match self.oddity {
            Oddity::StandardChessOnly => Vec::new(),
            Oddity::Variants => {
                vec!["UCI_Variant type combo default chess var chess var nocastle".to_owned()]
            }
            _ => self.source.options(),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if self.oddity == Oddity::Variants {
            self.source = FaultySource::new((value == "nocastle").then_some(Mutation::NoCastling));
            return Ok(());
        }
        self.source.set_option(name, value)
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        match &self.oddity {
            Oddity::EndsAfter13Moves if moves.len() > 13 => exit(3),
            Oddity::IgnoresMoves => self.source.set_position(fen, &[]),
            Oddity::ReadsOnlyFiles => {
                self.source.set_position(fen.map(without_sides_in_chess960).as_deref(), moves)
            }
            Oddity::Hangs(folder) => {
                if fen.is_some_and(|fen| fen.starts_with("4k3")) {
                    if folder.join("child").exists() { note_what_runs(folder) } else { hang(folder) }
                }
                self.source.set_position(fen, moves)
            }
            _ => self.source.set_position(fen, moves),
        }
    }

    fn divide(&self, depth: u32) -> DivideTask {
        self.questions.set(self.questions.get() + 1);
        let is_wrong = self.oddity == Oddity::WrongAfter9Questions && self.questions.get() > 9;
        let counts_twice = self.oddity == Oddity::CountsE2e4Twice && depth == 1;
        let right = self.source.divide(depth);
        Box::new(move |progress| {
            let mut moves = right(progress)?;
            moves.iter_mut().take(usize::from(is_wrong)).for_each(|(_, nodes)| *nodes += 1);
            moves
                .iter_mut()
                .filter(|(text, _)| counts_twice && text == "e2e4")
                .for_each(|(_, nodes)| *nodes = 2);
            Ok(moves)
        })
    }

    fn diagram(&self) -> String {
        self.source.diagram()
    }
}

/// Returns a FEN of Chess960 without its castling rights if they are written as K and Q. Returns other FENs unchanged.
fn without_sides_in_chess960(fen: &str) -> String {
    let is_chess960 = Position::from_fen(fen)
        .is_ok_and(|position| position.castling_notation() == CastlingNotation::Chess960);
    let is_left_out = |field: &str| is_chess960 && field.chars().all(|letter| "KQkq".contains(letter));
    fen.split(' ').map(|field| if is_left_out(field) { "-" } else { field }).collect::<Vec<_>>().join(" ")
}

/// Starts a child process and hangs.
///
/// Each process locks a file in the folder: `engine` and `child`. The lock ends with the process, so a test can see
/// whether the process still runs. When the engine is started again and gets the same position, it waits until both
/// processes of the first run have ended. Then it writes the file `gone`.
fn hang(folder: &Path) {
    let lock = locked(&folder.join("engine"));
    let mut child = Command::new(std::env::current_exe().expect("the path of the engine is known"));
    let child = child.arg("waits").arg(folder).stdout(Stdio::null());
    child.spawn().and_then(|mut child| child.wait()).expect("the child runs");
    drop(lock);
}

fn note_what_runs(folder: &Path) {
    let begin = Instant::now();
    while !(is_unlocked(&folder.join("engine")) && is_unlocked(&folder.join("child"))) {
        assert!(begin.elapsed() < SOON, "a process of the first time still runs");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::write(folder.join("gone"), "").expect("the folder can be written");
}

/// Creates a file and locks it. The file gets its name only after it is locked.
fn locked(path: &Path) -> File {
    let unnamed = path.with_extension("new");
    let file = File::create(&unnamed).expect("the folder can be written");
    file.lock().expect("files can be locked");
    fs::rename(unnamed, path).expect("the folder can be written");
    file
}

/// Whether a process has locked this file and has ended since then.
pub fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Ends each line as programs on Windows do.
struct WithCrLf(Stdout);

impl Write for WithCrLf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
        self.0.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
