//! Tests every generator on the built-in suites and on random positions.

#![allow(clippy::disallowed_methods, reason = "tests")]

mod generators;
