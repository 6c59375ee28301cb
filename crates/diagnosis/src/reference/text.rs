//! What is said about a question to which two sources give different answers: its text and its JSON.

#[cfg(feature = "serde")]
use std::collections::BTreeMap;

use perft_core::Setup;
use perft_core::internals::grouped;

use super::Disagreement;
use crate::drawing::Drawing;
#[cfg(feature = "serde")]
use crate::fields::fields;
use crate::finding_text::FindingText;
#[cfg(feature = "serde")]
use crate::serialize::{PositionInfo, end_of, origin};
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

#[cfg(feature = "serde")]
fields!(Disagreement as found {
    kind: found.kind.name(),
    root: PositionInfo::from(&found.question),
    path: found.question.moves,
    position: end_of(&found.question),
    depth: found.question.depth,
    totals: found.answers.missing_answer().is_none().then(|| {
        BTreeMap::from([("engine_nodes", found.answers.totals[0]), ("reference_nodes", found.answers.totals[1])])
    }),
    only_engine: found.answers.only_first,
    only_reference: found.answers.only_second,
    counts: found.answers.counts.iter().map(|(played, [engine_nodes, reference_nodes])| CountPair { played, engine_nodes, reference_nodes }).collect::<Vec<_>>(),
    unread: found.answers.unread,
    missing_answer: found.answers.missing_answer().map(|(source, error)| {
        BTreeMap::from([("from", ["engine", "reference"][source].to_owned()), ("error", error.to_string())])
    }),
    chess: found.judgement,
    origin: origin(&found.origin),
    origin_depth: found.origin.depth,
});

/// A move with different counts.
#[cfg(feature = "serde")]
#[derive(serde::Serialize)]
struct CountPair<'a> {
    #[serde(rename = "move")]
    played: &'a str,
    engine_nodes: &'a u128,
    reference_nodes: &'a u128,
}

#[cfg(feature = "serde")]
fields!(super::Judgement as judgement {
    nodes: judgement.nodes,
    who_is_right: match judgement.is_right {
        [true, false] => "engine",
        [false, true] => "reference",
        _ => "neither",
    },
    explanations: judgement.explanations,
});
