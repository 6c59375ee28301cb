//! Smaller positions with the same property: what is left is what matters.

use super::random::placement::is_king;
use super::random::setup_of;
use perft_core::Square;
use perft_core::{Position, Setup};

/// The same position with fewer men or rights, as few as still have some property.
pub fn shrink(position: &Position, mut has_property: impl FnMut(&Position) -> bool) -> Position {
    let mut smallest = setup_of(position);
    loop {
        let Some(smaller) = one_less(&smallest)
            .into_iter()
            .find(|smaller| Position::try_from(smaller).is_ok_and(|position| has_property(&position)))
        else {
            return Position::try_from(&smallest).expect("it has the property");
        };
        smallest = smaller;
    }
}

/// All setups with one man, one castling right or the en passant square less.
fn one_less(setup: &Setup) -> Vec<Setup> {
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
