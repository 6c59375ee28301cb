//! The questions of the page about positions, and the answers, as JSON.
//!
//! [`answer`] takes a question, such as `{"ask": "count", "fen": "...", "depth": 3}`, and returns its answer, such as
//! `{"nodes": "8902"}`. The questions are the variants of `Kind` in `question`. `compare` has the answers about what the user
//! pasted. There is no state between questions, so workers share only the compiled module. A number of nodes is written
//! as a string, because JavaScript reads JSON numbers above 2^53 wrongly.
//!
//! [`exports`] is the interface of the WebAssembly module: functions that pass text. It replaces `wasm-bindgen`, whose
//! command-line program would have to be built first, in the version that fits the library.

mod compare;
pub mod exports;
mod place;
mod question;

use place::Fault;
use question::Question;
use serde_json::json;

/// Returns the answer to a question, both as JSON.
///
/// For a question that cannot be answered, the answer is an object with the field `error`.
///
/// # Examples
/// ```
/// let answer = perft_web::answer(r#"{"ask": "count", "fen": "4k3/8/8/8/8/8/8/4K2R w K -", "depth": 2}"#);
/// assert_eq!(answer, r#"{"nodes":"66"}"#);
/// ```
pub fn answer(question: &str) -> String {
    let answered = serde_json::from_str(question).map_err(Fault::request).and_then(Question::answer);
    answered.unwrap_or_else(|Fault(error)| json!({ "error": error })).to_string()
}
