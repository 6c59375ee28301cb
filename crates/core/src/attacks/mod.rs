//! Attack sets: the squares that a piece on a square attacks.
//!
//! The attacks of knights, kings and pawns, the rays of a slider on an empty board, and the squares between two squares
//! are tables. The attacks of sliders depend on the occupied squares; a lookup method behind the trait
//! [`sliders::Sliders`] finds them. All tables are built at compile time from single steps.

mod leapers;
mod lines;
pub mod sliders;

pub use leapers::{king, knight, pawn};
pub use lines::{between, diagonal_rays, orthogonal_rays};
