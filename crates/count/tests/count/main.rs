//! Tests of the library from outside.
//!
//! Every driver and every CPU path is compared with known counts, with the plain oracle and with another program.

mod exact;
mod other_program;
mod paths;
mod properties;
mod statistics;
mod suites;
