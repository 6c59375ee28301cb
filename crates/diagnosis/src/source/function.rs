//! Turns functions into sources.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use perft_core::StopSignal;

use super::{Abilities, Answer, CountSource, Question, SourceError};

/// Returns a source that calls a function for each question.
///
/// The function sets up [`Question::fen`], plays [`Question::moves`], and returns an [`Answer`] or a value that can be
/// converted into one: the total, or the moves with their counts. If it panics, the question has no answer, which a
/// hunt reports. The panic prints nothing.
///
/// # Examples
/// A generator that forgets the en passant square after a move:
/// ```
/// use perft_core::{Position, Setup};
/// use perft_diagnosis::source::{Question, from_fn};
/// use perft_diagnosis::{SearchOptions, Verdict, hunt, random_target};
///
/// fn my_perft(question: &Question) -> u128 {
///     let mut position: Position = question.fen.parse().unwrap();
///     for text in &question.moves {
///         position = position.play_unchecked(position.find_move(text).unwrap());
///     }
///     if !question.moves.is_empty() {
///         position = Position::try_from(&Setup { en_passant: None, ..Setup::from(&position) }).unwrap();
///     }
///     position.perft(question.depth)
/// }
///
/// let bugs = hunt(
///     |number| (number < 3000).then(|| random_target(1, number as u64, 1)),
///     || Box::new(from_fn(my_perft)),
///     SearchOptions { findings: 1, ..SearchOptions::default() },
///     &Default::default(),
///     |_| {},
/// );
/// assert_eq!(bugs.findings[0].verdict, Verdict::Make);
/// println!("{}", bugs.findings[0]);
/// ```
pub fn from_fn<A: Into<Answer>>(mut count: impl FnMut(&Question) -> A) -> impl CountSource {
    Function { count: move |question: &Question| count(question).into(), plays_moves: true }
}

/// Returns a source that calls a function with a FEN and a depth in plies.
///
/// The function gets no moves, so a hunt cannot distinguish a bug in making moves from a bug in taking them back.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::source::{CountSource, Question, from_fen_fn};
///
/// let mut source = from_fen_fn(|fen, depth| Position::from_fen(fen).unwrap().perft(depth));
/// let answer = source.ask(&Question::new(&Position::start(), 3), &StopSignal::default()).unwrap();
/// assert_eq!(answer.total(), 8902);
/// ```
pub fn from_fen_fn<A: Into<Answer>>(mut count: impl FnMut(&str, u32) -> A) -> impl CountSource {
    let count = move |question: &Question| count(&question.fen, question.depth).into();
    Function { count, plays_moves: false }
}

struct Function<F> {
    count: F,
    plays_moves: bool,
}

impl<F: FnMut(&Question) -> Answer> CountSource for Function<F> {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        caught(|| (self.count)(question))
            .map_err(|panic| SourceError::CannotCount(format!("the function panicked: {panic}")))
    }

    fn abilities(&self) -> Abilities {
        Abilities { plays_moves: self.plays_moves, ..Abilities::default() }
    }
}

thread_local! {
    /// Whether this thread runs a function whose panics are caught.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// The message and the place of the last panic that was caught.
    static CAUGHT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Calls a function. If it panics, nothing is printed, and the message and the place of the panic are returned.
///
/// A hook that belongs to the whole process decides what a panic prints. So the hook here is set once, and passes all
/// other panics on to the previous hook. If a panic ends the process, it cannot be caught, and it is printed.
fn caught<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| if IS_CAUGHT.get() { note(panic) } else { others(panic) }));
    });
    IS_CAUGHT.set(cfg!(panic = "unwind"));
    let result = catch_unwind(AssertUnwindSafe(function));
    IS_CAUGHT.set(false);
    result.map_err(|_| CAUGHT.take())
}

fn note(panic: &PanicHookInfo) {
    let message = panic.payload();
    let message = message.downcast_ref::<String>().map(String::as_str).or(message.downcast_ref().copied());
    let message = message.unwrap_or("no message");
    let place = panic.location().map_or_else(String::new, |location| format!(" at {location}"));
    CAUGHT.set(format!("{message}{place}"));
}
