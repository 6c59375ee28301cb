//! The laboratory from outside: every generator and every slider look-up on the built-in suites and on random positions.

mod generators;
mod sliders;
