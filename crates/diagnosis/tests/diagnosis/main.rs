//! The diagnosis from outside: planted bugs are found and named.

mod agree;
mod hunt;
