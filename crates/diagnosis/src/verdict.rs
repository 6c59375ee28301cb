//! What kind of bug a fault is, and of what position the program seems to think.
//!
//! The same position is asked about in another way. With its bare FEN instead of the moves that led there: if the program
//! is wrong there too, it generates moves wrongly; if it is right, playing a move leaves something behind, and the game is
//! begun later and later to see which. A program that counts a move wrong, but is right about the position after it, has
//! not taken back what it had played before.

use super::compare::DivideDifference;
use super::explain::{Explanation, Theme, explain};
use super::line::MovePath;
use super::search::{Fault, FaultKind, Halt, Inquiry};
use super::shrink::shrink;
use super::state::{Belief, beliefs, beliefs_after_taking_back};
use crate::source::SourceError;
use perft_core::Move;
use perft_core::Position;
use perft_core::perft;
use perft_core::{find_move, legal_moves};

/// The kind of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The moves of a position are wrong, however it was reached.
    Generation,
    /// They are wrong only behind certain moves: playing a move leaves the position changed.
    Make,
    /// They are right in every position that is asked about, and yet counted wrong in the tree above: taking back a move
    /// leaves the position changed, or a table gives wrong answers.
    Unmake,
    /// A total that is not the sum over its moves.
    Sum,
    /// No answer.
    NoAnswer,
}

impl Verdict {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Generation => "generation",
            Verdict::Make => "make",
            Verdict::Unmake => "unmake",
            Verdict::Sum => "sum",
            Verdict::NoAnswer => "no-answer",
        }
    }

    /// What it means, a sentence without a full stop.
    pub const fn about(self) -> &'static str {
        match self {
            Verdict::Generation => "the moves are wrong on the bare position too: a bug of move generation",
            Verdict::Make => {
                "on the bare position the moves are right: playing a move leaves something wrong behind (make)"
            }
            Verdict::Unmake => {
                "asked about the positions below, the program is right: taking back a move leaves something wrong \
                 behind (unmake), or a table gives wrong counts"
            }
            Verdict::Sum => "the total is not the sum over the moves",
            Verdict::NoAnswer => "the program gave no answer",
        }
    }
}

/// A move that is missing, or that is none, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMove {
    /// The move in UCI.
    pub text: String,
    /// True if it is legal and the program lacks it; false if it is not and the program has it.
    pub is_missing: bool,
    /// Why it is legal or not.
    pub why: Explanation,
}

/// A bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it shows: on as small a board, with as short a past, as shows it.
    pub fault: Fault,
    /// What kind it is.
    pub verdict: Verdict,
    /// The moves that are missing or too many.
    pub wrong_moves: Vec<WrongMove>,
    /// Something that is not true, but would make the program's moves right; a sentence without a full stop.
    pub hypothesis: Option<String>,
    /// Where it was met first.
    pub origin: MovePath,
    /// How often it was met.
    pub times: u64,
}

impl Finding {
    /// Finds out what kind of bug a fault is.
    pub(super) fn of(inquiry: &mut Inquiry, fault: Fault) -> Result<Finding, Halt> {
        let origin = fault.path.clone();
        let (fault, verdict) = match fault.kind {
            FaultKind::Moves(_) => {
                let fault = at_least_depth(inquiry, fault)?;
                with_shortest_past(inquiry, fault)?
            }
            FaultKind::Contradiction(_) => (smallest_contradiction(inquiry, fault)?, Verdict::Unmake),
            FaultKind::Sum(_) => (fault, Verdict::Sum),
            FaultKind::NoAnswer(_) => (without_past(inquiry, fault)?, Verdict::NoAnswer),
        };
        let mut finding =
            Finding { fault, verdict, wrong_moves: Vec::new(), hypothesis: None, origin, times: 1 };
        finding.explain();
        Ok(finding)
    }

    /// The comparison that shows it; none if there was no answer.
    pub fn difference(&self) -> Option<&DivideDifference> {
        self.fault.kind.difference()
    }

    /// Why there was no answer, if there was none.
    pub fn error(&self) -> Option<&SourceError> {
        match &self.fault.kind {
            FaultKind::NoAnswer(error) => Some(error),
            _ => None,
        }
    }

    /// Of a contradiction: the move behind which counts begin to be wrong.
    pub fn taken_back(&self) -> Option<Move> {
        let is_unmake = self.verdict == Verdict::Unmake;
        self.difference().filter(|_| is_unmake).and_then(|comparison| comparison.last_right)
    }

    /// The rules at stake, each once, with the direction: true for a move that is missing.
    pub fn themes(&self) -> Vec<(Theme, bool)> {
        let mut themes: Vec<(Theme, bool)> =
            self.wrong_moves.iter().map(|disputed| (disputed.why.theme, disputed.is_missing)).collect();
        themes.sort_unstable();
        themes.dedup();
        themes
    }

    fn explain(&mut self) {
        let Fault { path: line, depth, kind } = &self.fault;
        match kind {
            FaultKind::Moves(comparison) => {
                self.wrong_moves = disputed(&line.end, comparison);
                let believed =
                    beliefs(line).into_iter().find(|belief| has_moves_of(comparison, &line.end, belief));
                self.hypothesis = believed.map(|belief| belief.text);
            }
            FaultKind::Contradiction(comparison) => {
                let last = comparison.last_right.into_iter();
                let halfway = last.flat_map(|played| beliefs_after_taking_back(line, played));
                let mut all = beliefs(&line.without_moves()).into_iter().chain(halfway);
                self.hypothesis =
                    all.find(|belief| has_counts_of(comparison, *depth, belief)).map(|belief| belief.text);
            }
            FaultKind::Sum(_) | FaultKind::NoAnswer(_) => {}
        }
    }

    /// Takes all from the board that is not needed to show the bug; of several rules at stake, this one.
    pub(super) fn shrink(&mut self, inquiry: &mut Inquiry, theme: Option<(Theme, bool)>) -> Result<(), Halt> {
        let mut outcome = Ok(());
        let root = self.fault.path.root;
        let mut smallest = None;
        shrink(&root, |root| match self.on(inquiry, root, theme) {
            Ok(Some(fault)) => {
                smallest = Some(fault);
                true
            }
            Ok(None) => false,
            Err(halt) => {
                outcome = Err(halt);
                false
            }
        });
        if let Some(fault) = smallest {
            self.fault = fault;
            self.explain();
        }
        outcome
    }

    /// The same moves from another position, if they show the same bug.
    fn on(
        &self,
        inquiry: &mut Inquiry,
        root: &Position,
        theme: Option<(Theme, bool)>,
    ) -> Result<Option<Fault>, Halt> {
        let Some(line) = self.fault.path.replayed_from(root) else { return Ok(None) };
        let depth = self.fault.depth;
        let answer = inquiry.compare(&line, depth)?;
        let kind = match (&self.fault.kind, answer) {
            (FaultKind::NoAnswer(known), Err(error)) => {
                let is_same = std::mem::discriminant(known) == std::mem::discriminant(&error);
                is_same.then_some(FaultKind::NoAnswer(error))
            }
            (FaultKind::NoAnswer(_), Ok(_)) | (_, Err(_)) => None,
            (FaultKind::Sum(_), Ok(found)) => found.contradicts_itself.then_some(FaultKind::Sum(found)),
            (FaultKind::Contradiction(_), Ok(found)) => {
                is_contradiction(inquiry, &line, depth, &found)?.then_some(FaultKind::Contradiction(found))
            }
            (FaultKind::Moves(_), Ok(found)) => {
                let is_same = self.shows_moves(inquiry, &line, &found, theme)?;
                is_same.then_some(FaultKind::Moves(found))
            }
        };
        Ok(kind.map(|kind| Fault { path: line, depth, kind }))
    }

    fn shows_moves(
        &self,
        inquiry: &mut Inquiry,
        line: &MovePath,
        found: &DivideDifference,
        theme: Option<(Theme, bool)>,
    ) -> Result<bool, Halt> {
        let is_same = match theme {
            None => !found.is_right(),
            Some(theme) => {
                disputed(&line.end, found).iter().any(|found| (found.why.theme, found.is_missing) == theme)
            }
        };
        Ok(is_same
            && (self.verdict != Verdict::Make
                || inquiry.is_right(&line.without_moves(), self.fault.depth)?))
    }
}

/// The moves that are missing or too many, with the reasons.
fn disputed(position: &Position, comparison: &DivideDifference) -> Vec<WrongMove> {
    let notation = position.castling_notation();
    let missing = comparison.missing.iter().map(|played| (played.to_uci(notation), true));
    let extra = comparison.extra.iter().map(|text| (text.clone(), false));
    missing.chain(extra).map(|(text, is_missing)| WrongMove::of(position, text, is_missing)).collect()
}

impl WrongMove {
    fn of(position: &Position, text: String, is_missing: bool) -> WrongMove {
        let mut why = explain(position, &text);
        if why.is_legal && !is_missing {
            why.text = format!("{text} is listed twice");
        }
        WrongMove { text, is_missing, why }
    }
}

/// The fault as the shallowest question shows it.
fn at_least_depth(inquiry: &mut Inquiry, fault: Fault) -> Result<Fault, Halt> {
    if fault.depth > 1
        && let Ok(comparison) = inquiry.compare(&fault.path, 1)?
        && !comparison.is_right()
    {
        return Ok(Fault { depth: 1, kind: FaultKind::Moves(comparison), ..fault });
    }
    Ok(fault)
}

/// The fault on the bare position; or, if that is answered rightly, behind as few moves as show it.
fn with_shortest_past(inquiry: &mut Inquiry, fault: Fault) -> Result<(Fault, Verdict), Halt> {
    for skipped in (0..=fault.path.moves.len()).rev() {
        let line = fault.path.without_first(skipped);
        let is_bare = line.moves.is_empty();
        if skipped == 0 {
            return Ok((fault, if is_bare { Verdict::Generation } else { Verdict::Make }));
        }
        if let Ok(comparison) = inquiry.compare(&line, fault.depth)?
            && !comparison.is_right()
        {
            let verdict = if is_bare { Verdict::Generation } else { Verdict::Make };
            return Ok((Fault { path: line, kind: FaultKind::Moves(comparison), ..fault }, verdict));
        }
    }
    Ok((fault, Verdict::Generation))
}

/// The failure on the bare position, if it fails there too.
fn without_past(inquiry: &mut Inquiry, fault: Fault) -> Result<Fault, Halt> {
    let is_slow =
        matches!(fault.kind, FaultKind::NoAnswer(SourceError::TimedOut(_) | SourceError::NoTotal(..)));
    if fault.path.moves.is_empty() || is_slow {
        return Ok(fault);
    }
    let line = fault.path.without_moves();
    Ok(match inquiry.compare(&line, fault.depth)? {
        Err(error) => Fault { path: line, kind: FaultKind::NoAnswer(error), ..fault },
        Ok(_) => fault,
    })
}

/// The contradiction at the least depth, and on the bare position if it shows there.
fn smallest_contradiction(inquiry: &mut Inquiry, mut fault: Fault) -> Result<Fault, Halt> {
    for line in [fault.path.without_moves(), fault.path.clone()] {
        for depth in 2..=fault.depth {
            if let Ok(comparison) = inquiry.compare(&line, depth)?
                && is_contradiction(inquiry, &line, depth, &comparison)?
            {
                fault = Fault { path: line, depth, kind: FaultKind::Contradiction(comparison) };
                return Ok(fault);
            }
        }
    }
    Ok(fault)
}

/// True if a move is counted wrong below which the program is right when asked about it alone.
fn is_contradiction(
    inquiry: &mut Inquiry,
    line: &MovePath,
    depth: u32,
    comparison: &DivideDifference,
) -> Result<bool, Halt> {
    match comparison.wrong.first() {
        Some(wrong) if comparison.has_right_moves() => {
            inquiry.is_right(&line.played(wrong.played), depth - 1)
        }
        _ => Ok(false),
    }
}

/// True if the moves that the program has are those of what it is thought to believe.
fn has_moves_of(comparison: &DivideDifference, truth: &Position, belief: &Belief) -> bool {
    let believed = legal_moves(&belief.position);
    let count = legal_moves(truth).len() + comparison.extra.len() - comparison.missing.len();
    believed.len() == count
        && comparison.missing.iter().all(|missing| !believed.contains(missing))
        && comparison.extra.iter().all(|extra| find_move(&belief.position, extra).is_ok())
}

/// True if all counts that are wrong are those of what the program is thought to believe.
fn has_counts_of(comparison: &DivideDifference, depth: u32, belief: &Belief) -> bool {
    let believed = legal_moves(&belief.position);
    comparison.wrong.iter().all(|wrong| {
        believed.contains(&wrong.played)
            && perft(&belief.position.play_unchecked(wrong.played), depth - 1) == wrong.theirs
    })
}
