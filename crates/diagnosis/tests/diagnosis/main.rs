//! Integration tests: planted bugs are found and named.

mod agree;
mod hunt;
mod mutations;
