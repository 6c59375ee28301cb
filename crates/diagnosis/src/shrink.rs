//! Removes everything from a position that a property, such as showing a bug, does not need.

use perft_core::internals::is_possible;
use perft_core::{Piece, Position, Setup, Square};

use crate::random::setup_of;

/// Returns the position with pieces, castling rights and the en passant square removed, as long as it keeps a property.
///
/// The position itself must have the property. One item is removed at a time, until no single removal keeps the
/// property.
///
/// # Examples
/// ```
/// use perft_core::{MoveKind, Position};
/// use perft_diagnosis::shrink;
///
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// let can_castle = |position: &Position| {
///     position.legal_moves().iter().any(|played| played.kind() == MoveKind::Castling)
/// };
/// let smallest = shrink(&Position::from_fen(kiwipete).unwrap(), can_castle);
/// assert_eq!(smallest.occupied().count(), 3);
/// assert!(can_castle(&smallest));
/// ```
pub fn shrink(position: &Position, mut has_property: impl FnMut(&Position) -> bool) -> Position {
    let (mut smallest, mut setup) = (*position, setup_of(position));
    loop {
        let smaller = removals(&setup).into_iter().find_map(|smaller| {
            let position = Position::try_from(&smaller).ok().filter(&mut has_property)?;
            Some((position, smaller))
        });
        match smaller {
            Some(smaller) => (smallest, setup) = smaller,
            None => return smallest,
        }
    }
}

/// Shrinks a position like [`shrink`], with a test that may fail. A possible position does not become an impossible
/// one.
///
/// The test looks for a bug in a position. It returns the bug, or `None` if the position does not show it. Returns the
/// bug in the smallest position, or `None` if nothing could be removed; and the error that ended the search, if any.
pub(crate) fn try_shrink<T, E>(
    position: &Position,
    mut test: impl FnMut(&Position) -> Result<Option<T>, E>,
) -> (Option<T>, Result<(), E>) {
    let can_be_impossible = !is_possible(position);
    let (mut smallest, mut outcome) = (None, Ok(()));
    shrink(position, |smaller| {
        if outcome.is_err() || !(can_be_impossible || is_possible(smaller)) {
            return false;
        }
        let found = test(smaller).unwrap_or_else(|error| {
            outcome = Err(error);
            None
        });
        let has_property = found.is_some();
        smallest = found.or(smallest.take());
        has_property
    });
    (smallest, outcome)
}

/// Returns all setups in which one piece, one castling right or the en passant square is removed.
fn removals(setup: &Setup) -> Vec<Setup> {
    let without_right = |rook: Square| {
        let mut smaller = setup.clone();
        smaller.castling.remove(rook.into());
        smaller
    };
    let without_piece = |at: Square| {
        let mut smaller = without_right(at);
        smaller.board[at.index()].take_if(|found| found.piece != Piece::King).map(|_| smaller)
    };
    let pieces = Square::ALL.into_iter().filter_map(without_piece);
    let rights = setup.castling.all_rooks().into_iter().map(without_right);
    let square = setup.en_passant.map(|_| Setup { en_passant: None, ..setup.clone() });
    pieces.chain(rights).chain(square).collect()
}
