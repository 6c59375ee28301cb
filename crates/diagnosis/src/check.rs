//! Checks a move generator in a test: a hunt in the positions of a suite, whose bugs are the error.

use std::fmt::{self, Debug, Display, Formatter};

use perft_core::StopSignal;
use perft_core::suite::{Case, Limits, Suite};

use crate::finding::Finding;
use crate::hunt::hunt;
use crate::search::SearchOptions;
use crate::source::{Answer, from_fen_fn};
use crate::survey::survey_for;
use crate::target::HuntTarget;

/// The bugs of a move generator: the error of [`check`]. There is at least one.
///
/// Its text, also with `{:?}`, has the board, the moves and the reason for each. So `check(...).unwrap()` in a test
/// prints the bugs.
#[derive(Clone, PartialEq, Eq)]
pub struct Bugs(pub Vec<Finding>);

impl Display for Bugs {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (1..).zip(&self.0).try_for_each(|(number, bug): (u32, _)| {
            let end = if number == 1 { "" } else { "\n" };
            write!(f, "{end}bug {number}: {}\n\n{bug}", bug.name())
        })
    }
}

impl Debug for Bugs {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl std::error::Error for Bugs {}

/// Checks a move generator in the positions of a suite. Each wrong count is followed down to the move that causes it.
///
/// `count` takes a FEN and a depth in plies, which is at least 1. It returns the moves with the number of leaf nodes
/// below each, as a `Vec` of pairs such as `("e2e4", 20)`. It may also return only the total, as a `u64`. Then more
/// questions are needed, and less is known about moves that are missing or illegal.
///
/// [`Limits::max_nodes`] leaves out the positions that no game reaches, because a generator may refuse them. Use
/// `Limits { impossible: true, ..limits }` to check them, too. A panic of the function is reported as a bug.
///
/// [`Suite::first_difference`] is faster, but it only says which count is wrong. To find bugs in playing moves, pass
/// [`from_fn`](crate::source::from_fn) to [`hunt()`].
///
/// # Examples
/// ```
/// use perft_core::suite::{self, Limits};
/// use perft_diagnosis::check;
///
/// fn my_divide(fen: &str, depth: u32) -> Vec<(String, u128)> {
///     // Call your generator here.
/// #   let position = perft_core::Position::from_fen(fen).unwrap();
/// #   let notation = position.castling_notation();
/// #   position.divide(depth).iter().map(|root| (root.played.to_uci(notation), root.nodes)).collect()
/// }
///
/// // In a test of your generator:
/// check(suite::standard(), &Limits::max_nodes(2_000), my_divide).unwrap();
/// ```
///
/// # Errors
/// Returns the bugs if some counts are wrong.
pub fn check<A: Into<Answer>>(
    suite: &Suite,
    limits: &Limits,
    count: impl Fn(&str, u32) -> A + Sync,
) -> Result<(), Bugs> {
    let cases: Vec<&Case> = suite.cases.iter().filter(|case| limits.includes(case)).collect();
    let nodes = suite.known_counts(limits).iter().map(|(_, known)| known.nodes).sum();
    let options = SearchOptions { survey: survey_for(nodes), ..SearchOptions::default() };
    let summary = hunt(
        |number| cases.get(number).map(|case| HuntTarget::of_case(case, limits)),
        || Box::new(from_fen_fn(&count)),
        options,
        &StopSignal::default(),
        |_| {},
    );
    if summary.findings.is_empty() { Ok(()) } else { Err(Bugs(summary.findings)) }
}
