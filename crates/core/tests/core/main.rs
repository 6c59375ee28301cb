//! The core library from outside: every driver and CPU path against known counts, the plain oracle and another program.

mod exact;
mod paths;
mod peer;
mod properties;
mod statistics;
mod suites;
