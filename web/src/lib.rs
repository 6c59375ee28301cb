//! What the page asks: questions about positions, as JSON.
//!
//! [`answer`] takes a question, such as `{"ask": "count", "fen": "...", "depth": 3}`, and returns its answer, such as
//! `{"nodes": "8902"}`. The questions are the variants of `Kind` in `question`. Each has a file of its own: `position`
//! (the legal moves), `counting`, `compare`, `diagnose` and `suites`. Nothing here keeps state between questions, so
//! workers share nothing but the compiled module.
//!
//! [`exports`] is the interface of the WebAssembly module: two functions that pass text. It replaces `wasm-bindgen`, whose
//! command-line program would have to be built first, in the version that fits the library.

mod answers;
mod compare;
mod counting;
mod diagnose;
pub mod exports;
mod place;
mod position;
mod question;
mod suites;

use place::Fault;
use question::Question;
use serde::Serialize;

/// Returns the answer to a question, both as JSON.
///
/// A question that cannot be answered gets an object with the field `error`.
///
/// # Examples
/// ```
/// let answer = perft_web::answer(r#"{"ask": "count", "fen": "4k3/8/8/8/8/8/8/4K2R w K -", "depth": 2}"#);
/// assert_eq!(answer, r#"{"nodes":"66"}"#);
/// ```
pub fn answer(question: &str) -> String {
    let answered = serde_json::from_str(question).map_err(Fault::request).and_then(Question::answer);
    answered.unwrap_or_else(|error| answers::to_json(&Failure { error }))
}

/// The answer to a question that cannot be answered.
#[derive(Serialize)]
struct Failure {
    error: Fault,
}
