//! Perft: counting the leaf nodes of the tree of legal chess moves, to find bugs in move generators and to compare
//! their speed.

pub mod chess;
