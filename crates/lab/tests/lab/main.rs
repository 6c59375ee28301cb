//! Tests every generator and every slider lookup on the built-in suites, and every generator on random positions.

#![allow(clippy::disallowed_methods, reason = "tests")]

mod agree;
mod generators;
mod sliders;
