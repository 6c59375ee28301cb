//! What is said about a question to which two sources give different answers.

use perft_core::Setup;
use perft_core::internals::grouped;

use super::Disagreement;
use crate::drawing::Drawing;
use crate::finding_text::FindingText;
use crate::source::signed;

/// The number of moves with different counts that are shown.
const SHOWN_COUNTS: usize = 5;

impl Disagreement {
    /// Returns the difference as text. `names` are those of the two sources.
    pub fn to_text(&self, names: [&str; 2]) -> FindingText {
        let Disagreement { question, answers, origin, .. } = self;
        let mut text = FindingText {
            word: "difference",
            name: self.kind.about().to_owned(),
            is_wrong: answers.is_understood(),
            drawing: question.end().ok().map(|end| Drawing::new(&Setup::from(&end))),
            ..FindingText::default()
        };
        match question.end_fen() {
            Ok(end) if !question.moves.is_empty() => {
                text.add_whole("position", end);
                text.add_whole("reached", question);
            }
            _ => text.add_whole("position", question),
        }
        add_answers(self, names, &mut text);
        answers.unread.iter().for_each(|line| text.add_whole("unread", line));
        if (&origin.fen, &origin.moves) != (&question.fen, &question.moves) {
            text.add_whole("met in", format!("{origin}, depth {}", origin.depth));
        }
        text
    }
}

/// Adds the counts and the moves of both engines, and which engine is right in chess.
fn add_answers(found: &Disagreement, names: [&str; 2], text: &mut FindingText) {
    let Disagreement { question, answers, judgement, .. } = found;
    let depth = format!("depth {}", question.depth);
    if let Some((index, error)) = answers.missing_answer() {
        return text.add(&depth, format!("{}: {error}", names[index]));
    }
    let both = |[one, other]: [i128; 2]| {
        let [one, other] = [one, other].map(signed);
        format!("{} counts {one}, {} {other}", names[0], names[1])
    };
    text.add_whole(&depth, both(answers.totals));
    for (name, moves) in names.iter().zip([&answers.only_first, &answers.only_second]) {
        if !moves.is_empty() {
            text.add("only", format!("{name}: {}", moves.join(" ")));
        }
    }
    text.add_some("below", &answers.counts, SHOWN_COUNTS, |(played, counts)| {
        format!("{played}: {}", both(counts.map(|nodes| nodes as i128)))
    });
    let Some(judgement) = judgement else { return };
    let right = match judgement.is_right {
        [true, _] => format!("{} is right", names[0]),
        [_, true] => format!("{} is right", names[1]),
        _ => "neither is right".to_owned(),
    };
    text.add_whole("in chess", format!("{right}: {}", grouped(judgement.nodes)));
    judgement.explanations.iter().for_each(|why| text.add("", why));
}
