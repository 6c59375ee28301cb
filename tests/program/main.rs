//! Tests of the program from outside: what it prints and where, its files, and its exit codes.

mod bench;
mod campaign;
mod compare;
mod count;
mod hunt;
mod layers;
#[cfg(unix)]
mod names;
mod stockfish;
#[cfg(unix)]
mod submit;
