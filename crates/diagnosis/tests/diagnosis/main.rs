//! Integration tests: planted bugs are found and named.

#![allow(clippy::disallowed_methods, reason = "tests")]

mod accusation;
mod again;
mod causes;
mod check;
mod diagnose;
mod difference;
mod explain;
mod hunt;
mod impossible;
mod learn;
mod models;
mod mutations;
mod pattern;
mod printer;
mod reference;
mod serve;
mod state;
mod targets;
mod truth;
