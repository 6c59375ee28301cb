//! Counting leaf parents eight at a time, a position a lane.
//!
//! Two plies from the leaves stand siblings that differ very little. Each is its parent with two squares changed, and
//! the side that will reply has not moved: its king and all its pieces but a captured one stand where they stood. So
//! the positions are never stored. The mover's moves are written down as rows of numbers, and eight at a time become
//! vectors in which a lane is a position:
//!
//! ```text
//!   parent      moves            lane:     0      1      2    ...    7
//!   (scalar)    a2a3 b1c3 ...    pawns   | a3.. | a2.. | a2.. |  | a2.. |     parent's pawns, from and to flipped in
//!      |          |              knights | b1.. | c3.. | b1.. |  | b1.. |     the lanes where a pawn (a knight) moved
//!      +----------+------->      ...
//!                                replies |  20  |  20  |  22  |  |  19  |     sums of popcounts of masked target sets
//! ```
//!
//! What is alike in all lanes is found once, as scalars: the replying king's square, and so its rays; which of them a
//! slider of the mover can ever stand on; from where the squares around the king can be attacked at all. What differs
//! is found in lanes, in stages: the children ([`boards`]), then checks and pins, attacked squares, targets, and the
//! count by kind of piece ([`replies`]).
//!
//! Sliders are not looked up. On ranks and files all sliders of a side are moved at once by subtraction in bytes, on
//! diagonals by an occluded fill; two sliders of one side never reach one square in the same direction, so the
//! popcounts of the directional sets are the number of moves.
//!
//! Moves that change more than two squares are played the plain way, and the positions reached fill the lanes that the
//! last vector has left. Captures en passant that answer a double push are counted apart.

mod avx512;
mod boards;
mod counter;
mod delicate;
mod lanes;
mod list;
mod moves;
mod prices;
mod rays;
mod replies;
mod survey;
mod tally;
mod unpinned;

pub use avx512::EightLanes;
pub use counter::three_plies;
