//! Who attacks what on a board with given blockers: geometry, no rules of play.
//!
//! Leapers (knight, king, pawn) and lines (rays, between) are tables; sliders are looked up by one of several
//! methods behind the [`sliders::Sliders`] trait. All tables are built by `const fn` from single steps.

mod leapers;
mod lines;
pub mod sliders;

pub use leapers::{king, knight, pawn};
pub use lines::{between, diagonal_rays, orthogonal_rays};
