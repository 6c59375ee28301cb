//! The fast legal generator.
//!
//! Every move it finds is legal; none is made and taken back to find out. Three things, found first, decide it all
//! ([`ChecksAndPins`](crate::position::ChecksAndPins) and the squares that the enemy attacks):
//!
//! - the king goes where the enemy does not attack, itself taken off the board so that it hides nothing behind it;
//! - every other piece ends on the check mask: anywhere, or on the one square or line that answers the check;
//! - a pinned piece stays on its pin line.
//!
//! En passant, which takes two pawns off one rank at a time, is played out on the board's outline instead.
//!
//! The generator hands sets of targets to a [`Sink`], which lists them, counts them or plays them; it is compiled for
//! each side, slider look-up and sink. Text comes in and out through [`find_move`].

mod generate;
mod sinks;
mod text;

pub use generate::CastlingPaths;
pub use generate::generate;
pub use sinks::Sink;
pub use sinks::origin;
pub use text::{MoveError, find_move};

use crate::attacks::sliders::{Magic, Sliders};
use crate::position::Position;
use crate::types::{Black, Color, MoveList, White};

/// The legal moves of a position, in the order in which they are found.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::legal_moves;
/// assert_eq!(legal_moves(&Position::start()).len(), 20);
/// ```
pub fn legal_moves(position: &Position) -> MoveList {
    legal_moves_by(position, Magic)
}

/// The legal moves of a position, found with this slider look-up.
#[inline(always)]
pub fn legal_moves_by(position: &Position, sliders: impl Sliders) -> MoveList {
    let mut list = MoveList::new();
    match position.turn() {
        Color::White => generate::<White>(position, sliders, &mut list),
        Color::Black => generate::<Black>(position, sliders, &mut list),
    }
    list
}
