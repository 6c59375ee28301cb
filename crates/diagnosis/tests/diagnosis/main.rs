//! Integration tests: planted bugs are found and named.

mod accusation;
mod again;
mod causes;
mod check;
mod hunt;
mod impossible;
mod mutations;
mod pattern;
mod state;
