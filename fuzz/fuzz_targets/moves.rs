//! A FEN on the first line, a move on the second: the move is found among the legal ones, or refused.
//!
//! Where the FEN can be played, its moves are generated too, and every one is played; so this target also looks for
//! positions that break the generator.

#![no_main]

use libfuzzer_sys::fuzz_target;
use perft_core::Position;
use perft_core::{find_move, legal_moves};

fuzz_target!(|text: &str| {
    let (fen, move_text) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(position) = Position::from_fen(fen) else { return };
    let moves = legal_moves(&position);
    match find_move(&position, move_text) {
        Ok(found) => assert!(moves.contains(&found), "{found:?} in {fen}"),
        Err(error) => assert_eq!(error.legal.len(), moves.len()),
    }
    for played in moves {
        let child = position.play_unchecked(played);
        // A legal move leaves the mover's king out of check, and one king a side.
        Position::from_fen(&child.to_string()).expect("a legal move leads to a legal position");
    }
});
