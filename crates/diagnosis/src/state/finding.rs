//! Four kinds of wrong states, the check that finds each of them, and the smallest example of each with its text.
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

use std::collections::BTreeSet;

use perft_core::{Move, Setup};

use super::fields::{StateCause, StateField, WrongField, causes, wrong_fields};
use super::source::StateSource;
use crate::named_enum::named_enum;
use crate::program::Asked;
use crate::shrink::try_shrink;
use crate::source::{Clocks, MovePath, Question, SourceError, State};

named_enum! {
    /// The kind of a bug in states.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum StateVerdict {
        Setup: "the state is wrong although the position is given as a FEN: a bug in reading or printing it",
        Make: "the state is right when the position is given as a FEN: making a move leaves it wrong",
        Unmake: "a count changes the state: taking back a move does not restore it",
        SameKey: "positions that differ must have different keys",
        NotRepeated:
            "a fresh process does not show it: a table or a state is not reset after other questions, or chance decides",
        NoAnswer: "the program gave no answer",
    }
}

/// A bug in the state that a program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateFinding {
    /// The kind of bug.
    pub verdict: StateVerdict,
    /// The wrong field, or `None` if there is no answer.
    pub field: Option<StateField>,
    /// The possible [causes](StateFinding::cause), from special to general.
    pub(super) causes: Vec<StateCause>,
    /// A description of the bug: a sentence without a full stop.
    pub text: String,
    /// The smallest position and the fewest moves that were found to show the bug.
    pub at: MovePath,
    /// The depth of the count after which the state is wrong, or 0 if no count is needed.
    pub depth: u32,
    /// The text that the program should print in this field. It is empty if any other text is right.
    pub expected: String,
    /// The text that the program prints in this field.
    pub found: String,
    /// The FEN of the position whose key is compared.
    pub other: Option<String>,
    /// The reason why there is no answer.
    pub error: Option<SourceError>,
    /// The path on which the bug was first found.
    pub origin: MovePath,
    /// The number of positions that show the bug.
    pub times: u64,
}

impl StateFinding {
    pub(super) fn new(verdict: StateVerdict, at: &MovePath, wrong: WrongField) -> StateFinding {
        let causes = match (verdict, at.last_move()) {
            (StateVerdict::Make, Some((before, played))) => causes(&before, played, wrong.field),
            _ => Vec::new(),
        };
        let WrongField { field, expected, found } = wrong;
        StateFinding { field: Some(field), causes, expected, found, ..StateFinding::at(verdict, at) }
    }

    fn at(verdict: StateVerdict, at: &MovePath) -> StateFinding {
        StateFinding {
            verdict,
            field: None,
            causes: Vec::new(),
            text: String::new(),
            at: at.clone(),
            depth: 0,
            expected: String::new(),
            found: String::new(),
            other: None,
            error: None,
            origin: at.clone(),
            times: 1,
        }
    }

    pub(super) fn without_answer(at: &MovePath, error: SourceError) -> StateFinding {
        let text = error.to_string();
        StateFinding { text, error: Some(error), ..StateFinding::at(StateVerdict::NoAnswer, at) }
    }

    /// Returns the finding for a source that reads the castling rights of Chess960 only by the letters of files. At the
    /// end of the path, it does not read K and Q.
    pub(super) fn reads_only_files(at: &MovePath) -> StateFinding {
        let text = "K and Q in the castling field of a Chess960 FEN are not read (the letters of the files are understood)";
        let [expected, found] = ["KQ", "-"].map(str::to_owned);
        let wrong = WrongField { field: StateField::CastlingRights, expected, found };
        StateFinding { text: text.to_owned(), ..StateFinding::new(StateVerdict::Setup, at, wrong) }
    }

    /// Returns the kind of move after which the bug shows, or the part of a position that the key ignores. It is `None`
    /// if the bug is in reading or printing a FEN.
    pub fn cause(&self) -> Option<StateCause> {
        self.causes.first().copied()
    }

    pub(super) fn not_repeated(self) -> StateFinding {
        let text = format!("{}, but not in a fresh process", self.text);
        StateFinding { verdict: StateVerdict::NotRepeated, causes: Vec::new(), text, ..self }
    }

    /// Returns the meaning of the verdict: a sentence without a full stop.
    pub fn about(&self) -> &'static str {
        match (self.verdict, self.field) {
            (StateVerdict::Make, Some(StateField::Key)) => {
                "equal positions must have equal keys: making a move or reading a FEN leaves the key wrong"
            }
            (verdict, _) => verdict.about(),
        }
    }

    /// Whether a fault is probably the same bug.
    pub(super) fn covers(&self, fault: &StateFinding) -> bool {
        self.verdict == fault.verdict
            && self.field == fault.field
            && self.cause().is_none_or(|cause| fault.causes.contains(&cause))
    }

    /// Whether both are the same bug, or failures of the same kind. All findings that do not repeat count as one bug.
    pub(super) fn is_same_bug(&self, other: &StateFinding) -> bool {
        let kind = |finding: &StateFinding| {
            let error = finding.error.as_ref().map(std::mem::discriminant);
            let field = finding.field.filter(|_| finding.verdict != StateVerdict::NotRepeated);
            (finding.verdict, field, finding.cause(), error)
        };
        kind(self) == kind(other)
    }
}

/// Returns a smaller fault that shows the same bug: first with fewer moves, then after the most general kind of move,
/// then with fewer pieces and with the clocks of the start position.
pub(super) fn find_smallest(source: &mut StateSource, fault: StateFinding) -> Asked<StateFinding> {
    let fault = drop_moves(source, fault)?;
    let fault = generalise_move(source, fault)?;
    let fault = drop_pieces(source, fault)?;
    let clocks = if fault.at.clocks.halfmove == 0 { fault.at.clocks } else { Clocks::START };
    let plain = MovePath { clocks: Clocks { number: 1, ..clocks }, ..fault.at.clone() };
    Ok(find_again(source, &fault, &plain)?.unwrap_or(fault))
}

pub(super) fn find_again(
    source: &mut StateSource,
    fault: &StateFinding,
    at: &MovePath,
) -> Asked<Option<StateFinding>> {
    let found = find_faults(source, fault.verdict, at)?;
    // A count makes moves of all kinds, so the cause is not compared. The pieces that remain on the smallest board show
    // it.
    let is_same_cause = |found: &StateFinding| match fault.cause() {
        Some(cause) if fault.verdict != StateVerdict::Unmake => found.causes.contains(&cause),
        _ => true,
    };
    Ok(found.into_iter().find(|found| found.field == fault.field && is_same_cause(found)))
}

fn drop_moves(source: &mut StateSource, fault: StateFinding) -> Asked<StateFinding> {
    for skipped in (1..=fault.at.moves.len()).rev() {
        if let Some(shorter) = find_again(source, &fault, &fault.at.without_first(skipped))? {
            return Ok(shorter);
        }
    }
    Ok(fault)
}

/// Returns the fault after the most general kind of move from the same position. If the key is wrong after every move,
/// it would be misleading to say that it is wrong after castling.
fn generalise_move(source: &mut StateSource, fault: StateFinding) -> Asked<StateFinding> {
    let Some(field) =
        fault.field.filter(|_| fault.verdict == StateVerdict::Make && fault.at.moves.len() == 1)
    else {
        return Ok(fault);
    };
    let root = fault.at.at_root();
    let general: Vec<StateCause> = fault.causes.iter().skip(1).rev().copied().collect();
    for cause in general {
        let is_of_kind = |played: &Move| causes(&root.end, *played, field).first() == Some(&cause);
        let Some(played) = root.end.legal_moves().into_iter().find(is_of_kind) else { continue };
        let found = find_faults(source, StateVerdict::Make, &root.played(played))?;
        if let Some(found) = found.into_iter().find(|found| found.field == fault.field) {
            return Ok(found);
        }
    }
    Ok(fault)
}

fn drop_pieces(source: &mut StateSource, fault: StateFinding) -> Asked<StateFinding> {
    let (smallest, outcome) = try_shrink(&fault.at.root, |root| match fault.at.replayed_from(root) {
        Some(at) => find_again(source, &fault, &at),
        None => Ok(None),
    });
    outcome.map(|()| smallest.unwrap_or(fault))
}

/// Keys are not compared from this halfmove clock on, because Stockfish changes its keys from 14 on.
pub(super) const MAX_CLOCK: u32 = 10;

/// The depth of the count after which a state is compared with the state before it.
const COUNT_DEPTH: u32 = 2;

pub(super) fn find_faults(
    source: &mut StateSource,
    verdict: StateVerdict,
    at: &MovePath,
) -> Asked<Vec<StateFinding>> {
    let mut found = match verdict {
        StateVerdict::Setup => {
            find_wrong(source, &at.without_moves()).map(|wrong| all(verdict, &at.without_moves(), wrong))
        }
        StateVerdict::Make => find_make_faults(source, at),
        StateVerdict::Unmake => find_unmake_faults(source, at),
        StateVerdict::SameKey => find_same_key_faults(source, &at.without_moves()),
        StateVerdict::NotRepeated | StateVerdict::NoAnswer => Ok(Vec::new()),
    }?;
    found.iter_mut().for_each(|fault| fault.text = sentence(fault));
    Ok(found)
}

fn find_wrong(source: &mut StateSource, at: &MovePath) -> Asked<Vec<WrongField>> {
    let state = source.state(at)?;
    Ok(wrong_fields(&state, at, source.prints))
}

fn all(verdict: StateVerdict, at: &MovePath, wrong: Vec<WrongField>) -> Vec<StateFinding> {
    wrong.into_iter().map(|wrong| StateFinding::new(verdict, at, wrong)).collect()
}

fn find_make_faults(source: &mut StateSource, at: &MovePath) -> Asked<Vec<StateFinding>> {
    if at.moves.is_empty() {
        return Ok(Vec::new());
    }
    let mut misread = find_wrong(source, &at.at_root())?;
    misread.extend(find_wrong(source, &at.without_moves())?);
    let is_misread = |field| misread.iter().any(|wrong| wrong.field == field);
    if is_misread(StateField::Board) || is_misread(StateField::SideToMove) {
        return Ok(Vec::new());
    }
    let state = source.state(at)?;
    let mut found = wrong_fields(&state, at, source.prints);
    found.retain(|wrong| !is_misread(wrong.field));
    if found.is_empty() && !is_misread(StateField::CastlingRights) && !is_misread(StateField::EnPassantSquare)
    {
        return Ok(find_key_fault(source, at, &state)?.into_iter().collect());
    }
    Ok(all(StateVerdict::Make, at, found))
}

/// Returns the fault if the key after moves differs from that of the same position given as a FEN.
///
/// A key may include the file of an en passant square on which no capture is legal. So the key of any right FEN is
/// accepted.
fn find_key_fault(source: &mut StateSource, at: &MovePath, state: &State) -> Asked<Option<StateFinding>> {
    let Some(key) = state.key.as_ref().filter(|_| at.without_moves().clocks.halfmove < MAX_CLOCK) else {
        return Ok(None);
    };
    let mut first = None;
    for fen in spellings(at, state) {
        let question = Question { fen: fen.clone(), ..at.without_moves().question(0) };
        let Some(expected) = source.answer(at, question)?.key else { return Ok(None) };
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

fn find_unmake_faults(source: &mut StateSource, at: &MovePath) -> Asked<Vec<StateFinding>> {
    let before = source.state(at)?;
    let mut fault = None;
    for depth in (1..=COUNT_DEPTH).rev() {
        let after = source.ask(at, &at.question(depth))?;
        let Some(wrong) = difference(&before, &after) else { break };
        let moves = at.end.legal_moves().into_iter();
        let causes: BTreeSet<_> = moves.flat_map(|played| causes(&at.end, played, wrong.field)).collect();
        let causes = causes.into_iter().collect();
        fault = Some(StateFinding { causes, depth, ..StateFinding::new(StateVerdict::Unmake, at, wrong) });
    }
    Ok(fault.into_iter().collect())
}

/// Returns the first field that a count has changed.
fn difference(before: &State, after: &State) -> Option<WrongField> {
    if let (Some(before), Some(after)) = (&before.fen, &after.fen) {
        let mut fields = StateField::ALL[..6].iter().copied().zip(before.split(' ').zip(after.split(' ')));
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

fn find_same_key_faults(source: &mut StateSource, at: &MovePath) -> Asked<Vec<StateFinding>> {
    let mut faults = Vec::new();
    let Some(key) = ask_key(source, at)? else { return Ok(faults) };
    for (cause, setup) in variants(at) {
        let Ok(variant) = MovePath::of_setup(&setup) else { continue };
        if ask_key(source, &variant)?.as_ref() == Some(&key) {
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
fn ask_key(source: &mut StateSource, at: &MovePath) -> Asked<Option<String>> {
    let state = source.state(at)?;
    let is_position =
        |wrong: &WrongField| !matches!(wrong.field, StateField::HalfMoveClock | StateField::MoveNumber);
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
    variants
}

/// Returns a sentence about a wrong state, without a full stop.
fn sentence(fault: &StateFinding) -> String {
    let StateFinding { expected, found, depth, .. } = fault;
    let field = fault.field.map_or("", StateField::about);
    let words = fault.cause().filter(|&cause| cause < StateCause::Move).map(StateCause::about);
    let played = fault.at.uci_moves().pop().unwrap_or_default();
    let after = words.map_or(played.clone(), |words| format!("{words} ({played})"));
    match (fault.verdict, fault.field) {
        (StateVerdict::Setup, _) => {
            format!("{field} is {found} for a position that is given as a FEN; it must be {expected}")
        }
        (StateVerdict::Make, Some(StateField::Key)) => {
            format!("the key after {after} is not the key of the same position given as a FEN")
        }
        (StateVerdict::Make, Some(StateField::EnPassantSquare)) if found == "-" => {
            format!("there is no en passant square after {after}, although a capture on {expected} is legal")
        }
        (StateVerdict::Make, Some(StateField::EnPassantSquare)) if expected == "-" => {
            format!("the en passant square is {found} after {after}, and no pawn has just passed it")
        }
        (StateVerdict::Make, _) => format!("{field} is {found} after {after}; it must be {expected}"),
        (StateVerdict::Unmake, _) => {
            let probably = words.map_or(String::new(), |words| format!(", probably {words},"));
            format!(
                "{field} is not what it was before a count to depth {depth}: a move that is taken back{probably} leaves \
                 {found} instead of {expected}"
            )
        }
        (StateVerdict::SameKey, _) => {
            let what = match fault.cause() {
                Some(StateCause::SideToMove) => "White to move and with Black to move",
                Some(StateCause::CastlingRight) => "and without a castling right",
                _ => "and without the en passant square, on which a capture is legal",
            };
            format!("the key of the position is the same with {what}")
        }
        (StateVerdict::NotRepeated | StateVerdict::NoAnswer, _) => found.clone(),
    }
}
