//! What is said about a wrong state: its text and its JSON.

use super::finding::{StateFinding, StateVerdict};
use crate::drawing::Drawing;
#[cfg(feature = "serde")]
use crate::fields::fields;
use crate::finding_text::FindingText;
#[cfg(feature = "serde")]
use crate::serialize::{PositionInfo, origin};

impl StateFinding {
    /// Returns the finding as text. Its name is the kind of bug, the field and the kind of move.
    pub fn to_text(&self) -> FindingText {
        let field = self.field.map(|field| field.name());
        let cause = self.cause().map(|cause| cause.name());
        let name = [Some(self.verdict.name()), field, cause].into_iter().flatten().collect::<Vec<_>>();
        let mut text = FindingText {
            word: "bug",
            name: name.join(", "),
            is_wrong: self.verdict != StateVerdict::NoAnswer,
            times: Some(self.times),
            drawing: Some(Drawing::of_path(&self.at)),
            epd: Some(format!("position fen {}", self.at.question(0))),
            ..FindingText::default()
        };
        text.add_whole("position", self.at.end_setup().to_fen());
        if !self.at.moves.is_empty() {
            text.add_whole("reached", self.at.question(0));
        }
        text.add("wrong", &self.text);
        add_values(self, &mut text);
        text.add("verdict", format!("{}: {}", self.verdict.name(), self.about()));
        let origin = self.origin.question(0).to_string();
        if origin != self.at.root_setup().to_fen() {
            text.add_whole("met in", origin);
        }
        text
    }
}

/// Adds the values that were compared. If two keys differ, it is not known which one is right.
fn add_values(bug: &StateFinding, text: &mut FindingText) {
    let StateFinding { expected, found, .. } = bug;
    match &bug.other {
        _ if found.is_empty() => {}
        Some(other) if expected.is_empty() => {
            text.add_whole("key", found);
            text.add_whole("", format!("also for position fen {other}"));
        }
        Some(other) => {
            text.add_whole("key", format!("{found} after the moves"));
            text.add_whole("", format!("{expected} for position fen {other}"));
        }
        None if expected.is_empty() => text.add_whole("printed", found),
        None if bug.depth > 0 => {
            text.add_whole("printed", format!("{expected} before the count, {found} after it"));
        }
        None => {
            text.add_whole("printed", found);
            text.add_whole("right", expected);
        }
    }
}

#[cfg(feature = "serde")]
fields!(StateFinding as bug {
    verdict: bug.verdict.name(),
    meaning: bug.about(),
    field: bug.field.map(|field| field.name()),
    cause: bug.cause().map(|cause| cause.name()),
    text: bug.text,
    seen: bug.times,
    root: PositionInfo::from(&bug.at.question(0)),
    path: bug.at.uci_moves(),
    position: PositionInfo::end(&bug.at),
    depth: bug.depth,
    expected_text: Some(&bug.expected).filter(|text| !text.is_empty()),
    found_text: Some(&bug.found).filter(|text| !text.is_empty()),
    other: bug.other.as_ref().map(|fen| PositionInfo::of_fen(fen.clone(), bug.at.notation())),
    error: bug.error.as_ref().map(ToString::to_string),
    origin: origin(&bug.origin.question(1)),
});
