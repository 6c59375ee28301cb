//! Sources of perft counts: the questions, the answers, the cost of an answer, and the errors.
//!
//! A *source* is anything that counts leaf nodes and may count them wrong: an engine, a script, or a move generator in
//! this process. All code that compares, checks or times counts uses the one trait [`CountSource`]. Nothing here starts
//! a process or reads a clock. The `perft` program implements the trait for engines and for its own drivers.
//!
//! # Implementing `CountSource` for your own generator
//!
//! Set up the position of [`Question::fen`], play [`Question::moves`] with your own code, and return the number of leaf
//! nodes below each move. Play the moves instead of setting up the position after them. Only then can
//! [`hunt`](crate::hunt()) distinguish a bug in making moves from a bug in generating them.
//!
//! This generator forgets that a pawn may promote to a knight. Three positions are enough to find the bug:
//!
//! ```
//! use perft_core::{Move, MoveKind, Position, StopSignal};
//! use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
//! use perft_diagnosis::{SearchOptions, HuntTarget, MovePath, Verdict, hunt};
//!
//! struct NoKnightPromotions;
//!
//! fn moves(position: &Position) -> Vec<Move> {
//!     let all = position.legal_moves().into_iter();
//!     all.filter(|played| played.kind() != MoveKind::PromoteKnight).collect()
//! }
//!
//! fn count(position: &Position, depth: u32) -> u128 {
//!     if depth == 0 {
//!         return 1;
//!     }
//!     moves(position).into_iter().map(|played| count(&position.play_legal(played), depth - 1)).sum()
//! }
//!
//! impl CountSource for NoKnightPromotions {
//!     fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
//!         let mut position = Position::from_fen(&question.fen).expect("a question has a legal position");
//!         for text in &question.moves {
//!             let played = position.find_move(text).expect("a question has legal moves");
//!             position = position.play_legal(played);
//!         }
//!         let notation = position.castling_notation();
//!         let below = |played: Move| {
//!             (played.to_uci(notation), count(&position.play_legal(played), question.depth - 1))
//!         };
//!         Ok(Answer { moves: moves(&position).into_iter().map(below).collect(), stated_total: None, ..Answer::default() })
//!     }
//! }
//!
//! let targets = [
//!     "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
//!     "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
//!     "7k/8/1P6/8/8/8/4r3/K7 w - - 0 1",
//! ]
//! .map(|fen| HuntTarget { path: MovePath::new(Position::from_fen(fen).unwrap()), depths: vec![1, 2, 3] });
//! let summary = hunt(
//!     |number| targets.get(number).cloned(),
//!     || Box::new(NoKnightPromotions),
//!     SearchOptions::default(),
//!     &StopSignal::default(),
//!     |_| {},
//! );
//!
//! assert_eq!((summary.positions, summary.faulty, summary.findings.len()), (3, 1, 1));
//! let bug = &summary.findings[0];
//! assert_eq!(bug.verdict, Verdict::Generation);
//! assert!(bug.wrong_moves[0].is_missing);
//! assert_eq!(
//!     bug.wrong_moves[0].why.text,
//!     "b7b8n is legal: a pawn that reaches the last rank may become a knight"
//! );
//! ```

mod answer;
mod error;
mod layout;
mod leaf_count;
mod learn;
mod line;
mod meaning;
pub(crate) mod notation;
mod patterns;
mod question;
mod reading;
mod state;
mod table;
mod text_facts;
mod totals;
mod words;

pub use answer::{Answer, AnswerReader, End, Profile, has_size_of};
pub use error::SourceError;
pub use leaf_count::{CountedKind, LeafCount};
pub use learn::{Lesson, learn, shows_count};
pub use line::Spelling;
pub use patterns::{Pattern, Patterns};
pub use question::{Clocks, MovePath, Question};
pub(crate) use question::{is_capture, is_pawn_move, passed_by};
pub use reading::stated_totals;
pub use state::State;
pub(crate) use text_facts::signed;
pub use text_facts::{OtherCounts, TextFacts};
pub use totals::{StatedTotal, TextTotals};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use perft_core::StopSignal;

/// A source of perft counts that may be wrong, and may fail to answer.
///
/// See the [module](self) for an example.
pub trait CountSource {
    /// Counts the leaf nodes below the position of a question.
    ///
    /// A source that can be interrupted returns [`SourceError::Interrupted`] soon after `stop` is raised.
    ///
    /// # Errors
    /// Returns an error if there is no answer. The source must still be able to answer the next question.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError>;

    /// Returns the state that the source prints for the position of a question: its FEN, its key, or both. If the depth
    /// of the question is not 0, the source first counts to this depth. Then errors in taking back moves show in the
    /// state.
    ///
    /// The state is empty if the source prints none, or if it cannot count before it prints. The default is an empty
    /// state.
    ///
    /// # Errors
    /// The same as for [`CountSource::ask`].
    fn state(&mut self, _question: &Question, _stop: &StopSignal) -> Result<State, SourceError> {
        Ok(State::default())
    }

    /// Prepares the source for the next question, so that the preparation is not timed with the answer. An engine is
    /// started. A driver with a transposition table gets an empty table. Calling this function is optional.
    ///
    /// # Errors
    /// Returns an error if the source cannot be prepared. Then it cannot answer any question.
    fn prepare(&mut self, _stop: &StopSignal) -> Result<(), SourceError> {
        Ok(())
    }

    /// Discards data of earlier questions, such as a transposition table. An engine is started again for the next
    /// question. The default does nothing, for sources that keep no data.
    ///
    /// A wrong answer shows a broken rule only if a new start gives the same answer.
    fn restart(&mut self) {}

    /// Returns the questions that the source can be asked. An engine may know more about itself once it is
    /// [prepared](CountSource::prepare).
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }

    /// Returns the name that the source gives itself, once it is known.
    fn name(&self) -> Option<&str> {
        None
    }
}

/// The questions that a source can be asked, in addition to those about moves and counts of a position of standard
/// chess.
///
/// The default is all questions.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::Abilities;
///
/// assert!(Abilities::default().can_ask(12));
/// let simple = Abilities { plays_moves: false, is_chess960: false, max_depth: Some(1) };
/// assert!(simple.can_ask(1) && !simple.can_ask(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether it plays the moves of a question. Otherwise it gets the FEN after the moves, so only bugs of move
    /// generation show.
    pub plays_moves: bool,
    /// Whether it knows the castling rules and the castling notation of Chess960.
    pub is_chess960: bool,
    /// The greatest depth in plies of a question, or `None` if there is no limit.
    pub max_depth: Option<u32>,
}

impl Default for Abilities {
    fn default() -> Abilities {
        Abilities { plays_moves: true, is_chess960: true, max_depth: None }
    }
}

impl Abilities {
    /// Whether a question with this depth can be asked.
    pub fn can_ask(&self, depth: u32) -> bool {
        self.max_depth.is_none_or(|max| depth <= max)
    }
}

/// Returns a source that calls a function for each question.
///
/// The function sets up [`Question::fen`], plays [`Question::moves`], and returns an [`Answer`] or a value that can be
/// converted into one: the total, or the moves with their counts. If it panics, the question has no answer, which a
/// hunt reports.
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
///         position = position.play_legal(position.find_move(text).unwrap());
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
        let count = AssertUnwindSafe(|| (self.count)(question));
        catch_unwind(count).map_err(|panic| {
            let message =
                panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref().copied());
            SourceError::Panicked(message.unwrap_or("no message").to_owned())
        })
    }

    fn abilities(&self) -> Abilities {
        Abilities { plays_moves: self.plays_moves, ..Abilities::default() }
    }
}

/// The cost of an answer. Values that the source does not know are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The time that the source itself measured for the count, or `None` if the caller must measure it.
    pub elapsed: Option<Duration>,
    /// The CPU time of the count alone, on all threads, or `None` if it is unknown.
    pub processor_time: Option<Duration>,
    /// The resources that the process of the source used for the answer, or `None` if they are unknown.
    pub usage: Option<Usage>,
    /// The instructions that the process of the source executed for the answer, or `None` if they were not counted.
    pub instructions: Option<u64>,
}

/// The CPU time and memory that a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The CPU time in the program, on all threads.
    pub user: Duration,
    /// The CPU time in the operating system on behalf of the program.
    pub system: Duration,
    /// The peak memory of the process since its start, in bytes, or `None` if it is unknown.
    pub peak_memory_bytes: Option<u64>,
}

impl Usage {
    /// Returns the sum of the CPU times in the program and in the operating system.
    pub fn processor_time(&self) -> Duration {
        self.user + self.system
    }

    /// Returns the usage since an earlier measurement. The peak memory is still that of the whole life of the process.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Usage;
    /// use std::time::Duration;
    /// let at = |seconds, peak| Usage {
    ///     user: Duration::from_secs(seconds),
    ///     system: Duration::ZERO,
    ///     peak_memory_bytes: Some(peak),
    /// };
    /// assert_eq!(at(5, 900).since(at(2, 700)), at(3, 900));
    /// ```
    pub fn since(self, earlier: Usage) -> Usage {
        Usage {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            ..self
        }
    }
}
