//! Writes a bug as text: the board, the moves that are missing or not legal, and the kind of the bug.
//!
//! ```text
//! position  4k3/8/8/8/8/8/8/R3K3 w Q - 0 1
//! depth 1   expected 16, found 15
//! missing   e1c1 is legal: castling on the queen side
//! verdict   generation: the moves are wrong when the position is given as a FEN: a bug in move generation
//! ```

use std::fmt::{self, Display, Formatter};

use perft_core::impossibilities;

use crate::causes::Causes;
use crate::difference::DivideDifference;
use crate::explain::explain_path;
use crate::finding::Finding;
use crate::path::MovePath;
use crate::verdict::Verdict;

/// The width of the first column.
const INDENT: usize = 10;

/// The number of moves with a wrong count that the text shows.
const COUNTS: usize = 5;

/// The number of causes that the text names.
const CAUSES: usize = 3;

/// The number of moves of each kind that the text explains. The kinds are: missing, and not legal.
const MOVES: usize = 8;

impl Display for Finding {
    /// Writes the board, then lines that begin with a word of up to ten columns.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.fault.path.end_setup().diagram())?;
        self.write_position(f)?;
        self.write_counts(f)?;
        let (missing, extra): (Vec<_>, Vec<_>) = self.wrong_moves.iter().partition(|wrong| wrong.is_missing);
        write_some(f, "extra", &extra, MOVES, |wrong| wrong.why.text.clone())?;
        write_some(f, "missing", &missing, MOVES, |wrong| wrong.why.text.clone())?;
        let unread = self.difference().map_or(&[][..], |difference| &difference.unread);
        unread.iter().try_for_each(|text| line(f, "unread", text))?;
        line(f, "verdict", format!("{}: {}", self.verdict.name(), self.verdict.about()))?;
        self.write_circumstances(f)
    }
}

impl Finding {
    /// Returns the name of the bug: its kind, and the chess rules that it is about.
    pub fn name(&self) -> String {
        let mut words = vec![self.verdict.name()];
        words.extend(self.themes().iter().map(|(theme, _)| theme.name()));
        words.dedup();
        words.join(", ")
    }

    fn write_position(&self, f: &mut Formatter) -> fmt::Result {
        let path = &self.fault.path;
        line(f, "position", path.end_setup().to_fen())?;
        if path.moves.is_empty() { Ok(()) } else { line(f, "reached", written(path)) }
    }

    fn write_counts(&self, f: &mut Formatter) -> fmt::Result {
        let depth = format!("depth {}", self.fault.depth);
        if let Some(error) = self.error() {
            line(f, &depth, error)?;
        }
        let Some(difference) = self.difference() else { return self.write_other(f) };
        line(f, &depth, format!("expected {}, found {}", grouped(difference.ours), signed(difference)))?;
        self.write_other(f)?;
        let notation = self.fault.path.notation();
        if self.verdict == Verdict::Make && !self.fault.path.moves.is_empty() {
            line(f, "", "the answer is right when the position is given as a FEN")?;
        }
        if let Some(played) = self.last_right() {
            let played = played.to_uci(notation);
            line(f, "", format!("the counts are right up to that of {played}"))?;
        }
        write_some(f, "wrong", &difference.wrong, COUNTS, |wrong| {
            let played = wrong.played.to_uci(notation);
            format!("{played}: expected {}, found {}", grouped(wrong.ours), grouped(wrong.theirs))
        })
    }

    /// Writes the other answer that was given to the same question.
    fn write_other(&self, f: &mut Formatter) -> fmt::Result {
        let text = match &self.other {
            None => return Ok(()),
            Some(Ok(other)) if other.is_right() => format!("{}, which is right", signed(other)),
            Some(Ok(other)) => format!("{}, which is wrong in another way", signed(other)),
            Some(Err(error)) => error.to_string(),
        };
        line(f, "again", format!("in a fresh process: {text}"))
    }

    /// Writes the other facts: how the position was reached, and what would explain the counts.
    fn write_circumstances(&self, f: &mut Formatter) -> fmt::Result {
        let path = &self.fault.path;
        explain_path(&path.root, &path.moves).iter().try_for_each(|sentence| line(f, "", sentence))?;
        self.write_causes(f)?;
        let impossible: Vec<String> = impossibilities(&path.root).iter().map(ToString::to_string).collect();
        if !impossible.is_empty() {
            line(f, "note", format!("no game reaches this position: {}", impossible.join("; ")))?;
        }
        let is_shown = self.origin.moves.is_empty() && self.origin.root == path.root;
        if is_shown { Ok(()) } else { line(f, "met in", written(&self.origin)) }
    }

    /// Writes the models that reproduce the answers, and which answers these are.
    fn write_causes(&self, f: &mut Formatter) -> fmt::Result {
        let Causes { reproduced, others, .. } = &self.causes;
        let models = self.causes.named();
        if models.is_empty() {
            return Ok(());
        }
        let word = if models.len() == 1 { "cause" } else { "causes" };
        write_some(f, word, &models, CAUSES, |model| format!("{}: {}", model.name(), model.about()))?;
        let each = if models.len() == 1 { "it" } else { "each" };
        let reproduced = number_of_answers(*reproduced);
        let proof = match others {
            0 => format!("{each} reproduces {reproduced} about this position"),
            1 => {
                format!("{each} reproduces {reproduced} about this position, and does not contradict another")
            }
            others => {
                format!(
                    "{each} reproduces {reproduced} about this position, and contradicts none of {others} others"
                )
            }
        };
        line(f, "", proof)?;
        match self.causes.narrower() {
            0 => Ok(()),
            1 => line(f, "", "a narrower form, such as for one side only, does so too"),
            narrower => {
                line(f, "", format!("{narrower} narrower forms, such as for one side only, do so too"))
            }
        }
    }
}

/// Returns the total of an answer, with its sign.
fn signed(difference: &DivideDifference) -> String {
    let sign = if difference.is_negative { "-" } else { "" };
    format!("{sign}{}", grouped(difference.theirs))
}

/// Returns `all 12 answers`, or `the answer`.
fn number_of_answers(count: usize) -> String {
    if count == 1 { "the answer".to_owned() } else { format!("all {count} answers") }
}

/// Writes a line with a word in the first column.
fn line(f: &mut Formatter, word: &str, text: impl Display) -> fmt::Result {
    writeln!(f, "{word:<INDENT$}{text}")
}

/// Writes a line for each of the first `shown` items, and the number of the others.
fn write_some<T>(
    f: &mut Formatter,
    word: &str,
    items: &[T],
    shown: usize,
    text: impl Fn(&T) -> String,
) -> fmt::Result {
    items.iter().take(shown).try_for_each(|item| line(f, word, text(item)))?;
    match items.len().saturating_sub(shown) {
        0 => Ok(()),
        more => line(f, "", format!("... and {more} more")),
    }
}

/// Returns a path in UCI notation, without the word `position`.
fn written(path: &MovePath) -> String {
    let root = path.root_setup().to_fen();
    match path.moves.is_empty() {
        true => root,
        false => format!("{root} moves {}", path.uci_moves().join(" ")),
    }
}

/// Returns the number with a comma after every three digits: `119,060,324`.
#[doc(hidden)]
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}
