//! Removes everything from a position that a property, such as showing a bug, does not need.

use perft_core::{Position, Setup, Square};

use crate::random::placement::is_king;
use crate::random::setup_of;

/// Returns the position with pieces, castling rights and the en passant square removed, as long as it keeps a property.
///
/// The position itself must have the property. One item is removed at a time, until no single removal keeps the
/// property.
///
/// # Examples
/// ```
/// use perft_core::{MoveKind, Position, legal_moves};
/// use perft_diagnosis::shrink;
///
/// let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// let can_castle = |position: &Position| {
///     legal_moves(position).iter().any(|played| played.kind() == MoveKind::Castling)
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

/// Returns all setups in which one piece, one castling right or the en passant square is removed.
fn removals(setup: &Setup) -> Vec<Setup> {
    let mut smaller = Vec::new();
    for at in Square::ALL.into_iter().filter(|&at| setup.board[at.index()].is_some() && !is_king(setup, at)) {
        let mut without = setup.clone();
        without.board[at.index()] = None;
        without.castling.remove(at.into());
        smaller.push(without);
    }
    for rook in setup.castling.all_rooks() {
        let mut without = setup.clone();
        without.castling.remove(rook.into());
        smaller.push(without);
    }
    if setup.en_passant.is_some() {
        smaller.push(Setup { en_passant: None, ..setup.clone() });
    }
    smaller
}
