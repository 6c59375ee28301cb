//! The sentences about wrong states.

use perft_core::{CastlingSide, MoveKind, Setup};

use super::compare::castling_sides;
use super::finding::StateFinding;
use super::{StateCause, StateField, StateVerdict};

/// Returns a sentence about a wrong state, without a full stop.
pub(super) fn sentence(fault: &StateFinding) -> String {
    let field = fault.field.map_or("", StateField::words);
    match fault.verdict {
        StateVerdict::Setup => format!(
            "{field} is {} for a position that is given as a FEN; it must be {}",
            fault.found, fault.expected
        ),
        StateVerdict::Make => after_move(fault, field),
        StateVerdict::Unmake => after_count(fault, field),
        StateVerdict::SameKey => same_key(fault),
        StateVerdict::NotRepeated | StateVerdict::NoAnswer => fault.found.clone(),
    }
}

fn after_move(fault: &StateFinding, name: &str) -> String {
    let played = last_move(fault);
    let kind = fault.cause().and_then(|cause| cause.words());
    let after = match kind {
        Some(kind) => format!("{kind} ({played})"),
        None => played,
    };
    let StateFinding { field, expected, found, .. } = fault;
    match field {
        Some(StateField::Key) => {
            format!("the key after {after} is not the key of the same position given as a FEN")
        }
        Some(StateField::Castling) => castling(fault, &after),
        Some(StateField::EnPassant) if found == "-" => {
            format!("there is no en passant square after {after}, although a capture on {expected} is legal")
        }
        Some(StateField::EnPassant) if expected == "-" => {
            format!("the en passant square is {found} after {after}, and no pawn has just passed it")
        }
        _ => format!("{name} is {found} after {after}; it must be {expected}"),
    }
}

fn last_move(fault: &StateFinding) -> String {
    let moves = fault.at.uci_moves();
    moves.last().cloned().unwrap_or_default()
}

/// Returns a sentence about the first castling right that is kept or lost without a reason.
fn castling(fault: &StateFinding, after: &str) -> String {
    let right = fault.at.end_setup();
    let printed = right.to_fen().replacen(&format!(" {} ", fault.expected), &format!(" {} ", fault.found), 1);
    let found = Setup::from_fen(&printed).unwrap_or(right.clone());
    if let Some(kept) = more_right(fault, &found, &right) {
        return format!("{kept} is still there after {}", reason(fault, after));
    }
    match more_right(fault, &right, &found) {
        Some(lost) => format!("{lost} is gone after {after}"),
        None => {
            format!("the castling rights are {} after {after}; they must be {}", fault.found, fault.expected)
        }
    }
}

/// Returns the name of the first castling right that one setup has and another has not.
fn more_right(fault: &StateFinding, more: &Setup, less: &Setup) -> Option<String> {
    let [more, less] = [more, less].map(|setup| castling_sides(setup, &fault.at.end));
    let (color, side) = more.into_iter().find(|right| !less.contains(right))?;
    let side = if side == CastlingSide::King { "king side" } else { "queen side" };
    Some(format!("the right of {color} to castle {side}"))
}

/// Returns the reason why a castling right must be gone after the last move.
fn reason(fault: &StateFinding, after: &str) -> String {
    let Some((before, played)) = fault.at.last_move() else { return after.to_owned() };
    let is_king = matches!(played.kind(), MoveKind::King | MoveKind::Castling);
    match fault.cause() {
        Some(StateCause::RookCaptured) => format!("its rook on {} was captured", played.to()),
        Some(StateCause::Castling | StateCause::RightLost) if is_king => {
            format!("its king has moved ({})", played.to_uci(before.castling_notation()))
        }
        Some(StateCause::RightLost) => format!("its rook has moved from {}", played.from()),
        _ => after.to_owned(),
    }
}

fn after_count(fault: &StateFinding, field: &str) -> String {
    let cause = fault.cause().and_then(|cause| cause.words());
    let probably = cause.map_or(String::new(), |words| format!(", probably {words},"));
    let StateFinding { expected, found, depth, .. } = fault;
    format!(
        "{field} is not what it was before a count to depth {depth}: \
         a move that is taken back{probably} leaves {found} instead of {expected}"
    )
}

fn same_key(fault: &StateFinding) -> String {
    let what = match fault.cause() {
        Some(StateCause::SideToMove) => "White to move and with Black to move".to_owned(),
        Some(StateCause::EnPassantSquare) => {
            let square = fault.at.end.legal_en_passant();
            let square = square.map_or(String::new(), |square| format!(" {square}"));
            format!("and without the en passant square{square}, on which a capture is legal")
        }
        _ => {
            let other = fault.other.as_deref().and_then(|fen| Setup::from_fen(fen).ok());
            let right = other.and_then(|other| more_right(fault, &fault.at.end_setup(), &other));
            format!("and without {}", right.as_deref().unwrap_or("a castling right"))
        }
    };
    format!("the key of the position is the same with {what}")
}
