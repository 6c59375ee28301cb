//! Four kinds of wrong states, and the check that finds each of them.
//!
//! 1. *setup*: the FEN that is printed for a bare FEN differs from that FEN.
//! 2. *make*: after moves, the FEN is wrong, or the key differs from that of the bare FEN. Errors that also occur for
//!    the bare FEN are left out, and so are errors that depend on a field that is already wrong at the root.
//! 3. *unmake*: after a count, FEN or key differ from those before it.
//! 4. *same key*: two positions that differ in a right, in an en passant square or in the side to move have the same
//!    key.
//!
//! The key of a position after moves is compared with that of its bare FEN. So two move orders to one position are
//! compared as well.

use perft_core::{Position, Setup};

use super::cause::{StateCause, causes};
use super::compare::{WrongField, wrong_fields};
use super::finding::StateFinding;
use super::source::{Failure, StateSource};
use super::text::sentence;
use super::{StateField, StateVerdict};
use crate::path::MovePath;
use crate::source::State;

/// The half-move clock from which on keys are not compared, because Stockfish changes its keys from 14 on.
pub(super) const MAX_CLOCK: u32 = 10;

/// The depth of the count after which a state is compared with the state before it.
const COUNT_DEPTH: u32 = 2;

/// Returns the faults of one kind at the end of a path.
pub(super) fn faults(
    source: &mut StateSource,
    verdict: StateVerdict,
    at: &MovePath,
) -> Result<Vec<StateFinding>, Failure> {
    let mut found = match verdict {
        StateVerdict::Setup => setup_faults(source, &at.without_moves()),
        StateVerdict::Make => make_faults(source, at),
        StateVerdict::Unmake => unmake_faults(source, at),
        StateVerdict::SameKey => same_key_faults(source, &at.without_moves()),
        StateVerdict::NotRepeated | StateVerdict::NoAnswer => Ok(Vec::new()),
    }?;
    found.iter_mut().for_each(|fault| fault.text = sentence(fault));
    Ok(found)
}

fn wrong(source: &mut StateSource, at: &MovePath) -> Result<Vec<WrongField>, Failure> {
    let state = source.state(at)?;
    Ok(wrong_fields(&state, at, source.prints))
}

fn setup_faults(source: &mut StateSource, at: &MovePath) -> Result<Vec<StateFinding>, Failure> {
    let wrong = wrong(source, at)?;
    Ok(wrong.into_iter().map(|wrong| StateFinding::new(StateVerdict::Setup, at, wrong)).collect())
}

fn make_faults(source: &mut StateSource, at: &MovePath) -> Result<Vec<StateFinding>, Failure> {
    if at.moves.is_empty() {
        return Ok(Vec::new());
    }
    let mut misread = wrong(source, &at.at_root())?;
    misread.extend(wrong(source, &at.without_moves())?);
    let is_misread = |field| misread.iter().any(|wrong| wrong.field == field);
    if is_misread(StateField::Board) || is_misread(StateField::Turn) {
        return Ok(Vec::new());
    }
    let state = source.state(at)?;
    let mut found = wrong_fields(&state, at, source.prints);
    found.retain(|wrong| !is_misread(wrong.field));
    if found.is_empty() && !is_misread(StateField::Castling) && !is_misread(StateField::EnPassant) {
        return Ok(key_fault(source, at, &state)?.into_iter().collect());
    }
    Ok(found.into_iter().map(|wrong| StateFinding::new(StateVerdict::Make, at, wrong)).collect())
}

/// Returns the fault if the key after moves differs from that of the same position given as a FEN.
///
/// A key may include the file of an en passant square on which no capture is legal. So the key of any right FEN is
/// accepted.
fn key_fault(
    source: &mut StateSource,
    at: &MovePath,
    state: &State,
) -> Result<Option<StateFinding>, Failure> {
    let Some(key) = state.key.as_ref().filter(|_| at.without_moves().clocks.halfmove < MAX_CLOCK) else {
        return Ok(None);
    };
    let mut first = None;
    for fen in spellings(at, state) {
        let Some(expected) = source.state_of_fen(at, &fen)?.key else { return Ok(None) };
        if expected == *key {
            return Ok(None);
        }
        first = first.or(Some((fen, expected)));
    }
    let Some((fen, expected)) = first else { return Ok(None) };
    let wrong = WrongField { field: StateField::Key, expected, found: key.clone() };
    Ok(Some(StateFinding { other: Some(fen), ..StateFinding::new(StateVerdict::Make, at, wrong) }))
}

/// Returns the right FENs of the end of a path, which differ in the en passant square. The FEN that the program itself
/// prints comes first.
fn spellings(at: &MovePath, state: &State) -> Vec<String> {
    let setup = at.end_setup();
    let legal = at.end.legal_en_passant();
    let squares = match legal {
        Some(_) => vec![legal],
        None => vec![setup.en_passant, None, at.passed_square()],
    };
    let spelled = |en_passant| Setup { en_passant, ..setup.clone() }.to_fen();
    let mut fens: Vec<String> = squares.into_iter().map(spelled).collect();
    let printed = state.fen.as_deref().and_then(|fen| fen.split(' ').nth(3)).unwrap_or_default();
    fens.sort_by_key(|fen| fen.split(' ').nth(3) != Some(printed));
    fens.dedup();
    fens
}

fn unmake_faults(source: &mut StateSource, at: &MovePath) -> Result<Vec<StateFinding>, Failure> {
    let before = source.state(at)?;
    let mut fault = None;
    for depth in (1..=COUNT_DEPTH).rev() {
        let after = source.state_after_count(at, depth)?;
        let Some(wrong) = difference(&before, &after) else { break };
        let mut causes: Vec<StateCause> = at
            .end
            .legal_moves()
            .into_iter()
            .flat_map(|played| causes(&at.end, played, wrong.field))
            .collect();
        causes.sort_unstable();
        causes.dedup();
        fault = Some(StateFinding { causes, depth, ..StateFinding::new(StateVerdict::Unmake, at, wrong) });
    }
    Ok(fault.into_iter().collect())
}

/// Returns the first field that a count has changed.
fn difference(before: &State, after: &State) -> Option<WrongField> {
    if let (Some(before), Some(after)) = (&before.fen, &after.fen) {
        let mut fields = StateField::OF_FEN.into_iter().zip(before.split(' ').zip(after.split(' ')));
        if let Some((field, (expected, found))) = fields.find(|(_, (before, after))| before != after) {
            return Some(WrongField { field, expected: expected.to_owned(), found: found.to_owned() });
        }
    }
    match (&before.key, &after.key) {
        (Some(expected), Some(found)) if expected != found => {
            Some(WrongField { field: StateField::Key, expected: expected.clone(), found: found.clone() })
        }
        _ => None,
    }
}

fn same_key_faults(source: &mut StateSource, at: &MovePath) -> Result<Vec<StateFinding>, Failure> {
    let mut faults = Vec::new();
    let Some(key) = right_key(source, at)? else { return Ok(faults) };
    for (cause, setup) in variants(at) {
        let Some(variant) = MovePath::of_setup(&setup) else { continue };
        if right_key(source, &variant)?.as_ref() == Some(&key) {
            let wrong = WrongField { field: StateField::Key, expected: String::new(), found: key.clone() };
            faults.push(StateFinding {
                causes: vec![cause],
                other: Some(setup.to_fen()),
                ..StateFinding::new(StateVerdict::SameKey, at, wrong)
            });
        }
    }
    Ok(faults)
}

/// Returns the key of a position that is given as a FEN, if the program reads this FEN correctly.
fn right_key(source: &mut StateSource, at: &MovePath) -> Result<Option<String>, Failure> {
    let state = source.state(at)?;
    let is_position =
        |wrong: &WrongField| !matches!(wrong.field, StateField::HalfmoveClock | StateField::MoveNumber);
    let is_misread = wrong_fields(&state, at, source.prints).iter().any(is_position);
    Ok(state.key.filter(|_| !is_misread))
}

/// Returns positions that must have different keys, and the part in which each differs.
fn variants(at: &MovePath) -> Vec<(StateCause, Setup)> {
    let setup = at.end_setup();
    let mut variants = Vec::new();
    if setup.en_passant.is_none() {
        variants.push((StateCause::SideToMove, Setup { turn: !setup.turn, ..setup.clone() }));
    }
    for rook in setup.castling.all_rooks() {
        let mut without = setup.clone();
        without.castling.remove(rook.into());
        variants.push((StateCause::CastlingRight, without));
    }
    if at.end.legal_en_passant().is_some() {
        variants.push((StateCause::EnPassantSquare, Setup { en_passant: None, ..setup }));
    }
    variants.retain(|(_, setup)| Position::try_from(setup).is_ok());
    variants
}
