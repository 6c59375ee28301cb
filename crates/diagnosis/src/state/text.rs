//! What is said about a wrong state.

use super::finding::{StateFinding, StateVerdict};
use crate::drawing::Drawing;
use crate::finding_text::FindingText;

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
