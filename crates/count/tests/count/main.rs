//! Tests of the public API.
//!
//! Every driver and every CPU path is compared with known counts, with the plain oracle and with another program.

#![allow(clippy::disallowed_methods, reason = "tests")]

mod exact;
mod frontier;
mod other_program;
mod paths;
mod properties;
mod sort;
mod statistics;
mod suites;
mod table;
