//! Tests that run the program: its output, its files, and its exit codes.

#![allow(clippy::disallowed_methods, reason = "tests of a program")]

mod bench;
#[cfg(unix)]
mod bisect;
mod campaign;
mod conventions;
mod count;
mod diagnose;
mod divide;
#[cfg(target_os = "linux")]
mod endings;
#[cfg(target_os = "linux")]
mod exports;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(target_os = "linux")]
mod hostile_text;
mod hunt;
#[cfg(target_os = "linux")]
mod interrupted;
#[cfg(unix)]
mod json;
mod line_endings;
#[cfg(unix)]
mod names;
#[cfg(unix)]
mod pictures;
mod positions;
#[cfg(unix)]
mod probe;
mod processes;
mod reference;
mod shell;
#[cfg(unix)]
mod slurm;
mod state;
mod stats;
mod stockfish;
mod suite;
mod support;
#[cfg(target_os = "linux")]
mod surroundings;
#[cfg(unix)]
mod transcripts;
mod typing;
mod uci;
mod unique;
mod words;
