//! A bug of states, with the smallest position and the most general kind of move that show it.

use perft_core::Move;

use super::cause::{StateCause, causes};
use super::checks::faults;
use super::compare::WrongField;
use super::source::{Failure, StateSource};
use super::{StateField, StateVerdict};
use crate::path::{Clocks, MovePath};
use crate::shrink::try_shrink;
use crate::source::SourceError;

/// A bug in the state that a program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The number of times that the bug was found.
    pub times: u64,
}

impl StateFinding {
    /// Returns a finding about a wrong field at the end of a path, without a text.
    pub(super) fn new(verdict: StateVerdict, at: &MovePath, wrong: WrongField) -> StateFinding {
        let causes = match (verdict, at.last_move()) {
            (StateVerdict::Make, Some((before, played))) => causes(&before, played, wrong.field),
            _ => Vec::new(),
        };
        let WrongField { field, expected, found } = wrong;
        StateFinding { field: Some(field), causes, expected, found, ..StateFinding::at(verdict, at) }
    }

    /// Returns a finding that only has a kind and a place.
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
        StateFinding {
            field: Some(StateField::Castling),
            text: text.to_owned(),
            expected: "KQ".to_owned(),
            found: "-".to_owned(),
            ..StateFinding::at(StateVerdict::Setup, at)
        }
    }

    /// Returns the kind of move after which the bug shows, or the part of a position that the key ignores. It is `None`
    /// if the bug is in reading or printing a FEN.
    pub fn cause(&self) -> Option<StateCause> {
        self.causes.first().copied()
    }

    /// Returns the finding for a bug that a new start of the source does not show.
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
pub(super) fn smallest(
    source: &mut StateSource,
    fault: StateFinding,
    allow_impossible: bool,
) -> Result<StateFinding, Failure> {
    let fault = with_fewest_moves(source, fault)?;
    let fault = with_most_general_move(source, fault)?;
    let fault = with_fewest_pieces(source, fault, allow_impossible)?;
    let clocks = if fault.at.clocks.halfmove == 0 { fault.at.clocks } else { Clocks::START };
    let plain = MovePath { clocks: Clocks { number: 1, ..clocks }, ..fault.at.clone() };
    Ok(again(source, &fault, &plain)?.unwrap_or(fault))
}

/// Returns the same fault at the end of another path, if the path shows it.
pub(super) fn again(
    source: &mut StateSource,
    fault: &StateFinding,
    at: &MovePath,
) -> Result<Option<StateFinding>, Failure> {
    let found = faults(source, fault.verdict, at)?;
    // A count makes moves of all kinds, so the cause is not compared. The pieces that remain on the smallest board show
    // it.
    let is_same_cause = |found: &StateFinding| match fault.cause() {
        Some(cause) if fault.verdict != StateVerdict::Unmake => found.causes.contains(&cause),
        _ => true,
    };
    Ok(found.into_iter().find(|found| found.field == fault.field && is_same_cause(found)))
}

fn with_fewest_moves(source: &mut StateSource, fault: StateFinding) -> Result<StateFinding, Failure> {
    for skipped in (1..=fault.at.moves.len()).rev() {
        if let Some(shorter) = again(source, &fault, &fault.at.without_first(skipped))? {
            return Ok(shorter);
        }
    }
    Ok(fault)
}

/// Returns the fault after the most general kind of move from the same position. If the key is wrong after every move,
/// it would be misleading to say that it is wrong after castling.
fn with_most_general_move(source: &mut StateSource, fault: StateFinding) -> Result<StateFinding, Failure> {
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
        let found = faults(source, StateVerdict::Make, &root.played(played))?;
        if let Some(found) = found.into_iter().find(|found| found.field == fault.field) {
            return Ok(found);
        }
    }
    Ok(fault)
}

fn with_fewest_pieces(
    source: &mut StateSource,
    fault: StateFinding,
    allow_impossible: bool,
) -> Result<StateFinding, Failure> {
    let (smallest, outcome) =
        try_shrink(&fault.at.root, allow_impossible, |root| match fault.at.replayed_from(root) {
            Some(at) => again(source, &fault, &at),
            None => Ok(None),
        });
    outcome.map(|()| smallest.unwrap_or(fault))
}
