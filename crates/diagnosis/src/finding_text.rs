//! A finding as text, and what is said about a bug that wrong counts show: the lines of its text, its line for a suite,
//! the drawing of its position, and its JSON.

use std::fmt::{self, Display, Formatter};

use perft_core::internals::grouped;
use perft_core::{CastlingNotation, Setup, StopSignal, impossibilities};

use crate::causes::{Causes, OtherWrong};
use crate::difference::{TELLING, Told, Verdict, WrongCount, WrongMove};
use crate::drawing::{ArrowKind, Drawing};
use crate::explain::explain_path;
#[cfg(feature = "serde")]
use crate::fields::fields;
use crate::finding::Finding;
#[cfg(feature = "serde")]
use crate::serialize::{PositionInfo, origin};
use crate::source::{Question, signed};
use crate::target::counts_to;

/// The largest count of a line for a test suite, in leaf nodes. Counting up to this size takes less than a second.
const MAX_EPD_NODES: f64 = 1e8;

/// The width of the first column.
const INDENT: usize = 10;

/// The number of moves with a wrong count that the text shows.
const COUNTS: usize = 5;

/// The number of plies deeper, and the largest count, at which a wrong count is looked for.
const PLIES: u32 = 4;
const MAX_NODES: f64 = 100_000.0;

/// The number of causes that the text names.
const CAUSES: usize = 3;

/// The number of facts about wrong answers that the text tells.
const FACTS: usize = 3;

/// The number of moves of each kind that the text explains. The kinds are: missing, and not legal.
const MOVES: usize = 8;

/// A finding as text: a title, a board, and lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindingText {
    /// The word for it: `bug`, `difference`, or `answer` if the source may be right.
    pub word: &'static str,
    /// The kind of the bug, in a few words.
    pub name: String,
    /// Whether the source is wrong. Otherwise it gave no answer, or its answer was not understood.
    pub is_wrong: bool,
    /// The number of positions that show it. `None` if that is not counted.
    pub times: Option<u64>,
    /// The board with the squares and the moves that the lines tell about. `None` if it is no board of chess.
    pub drawing: Option<Drawing>,
    /// The lines below the board.
    pub lines: Vec<FindingLine>,
    /// The line that shows the bug again: a line for a test suite or, for a wrong state, a position to type into the program.
    /// `None` if no line shows it.
    pub epd: Option<String>,
}

/// A line of the text of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindingLine {
    /// The word in the first column. It is empty if the line belongs to the one before it.
    pub word: String,
    /// The text.
    pub text: String,
    /// Whether the text stays on one line, so that it can be copied.
    pub is_whole: bool,
}

impl FindingText {
    /// Adds a line.
    pub fn add(&mut self, word: &str, text: impl Display) {
        self.lines.push(FindingLine { word: word.to_owned(), text: text.to_string(), is_whole: false });
    }

    /// Adds a text that stays on one line.
    pub fn add_whole(&mut self, word: &str, text: impl Display) {
        self.lines.push(FindingLine { word: word.to_owned(), text: text.to_string(), is_whole: true });
    }

    pub(crate) fn add_some<T>(&mut self, word: &str, items: &[T], shown: usize, text: impl Fn(&T) -> String) {
        items.iter().take(shown).for_each(|item| self.add(word, text(item)));
        if items.len() > shown {
            self.add("", format!("... and {} more", items.len() - shown));
        }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.fault.path.end_setup().diagram())?;
        self.to_text().lines.iter().try_for_each(|line| writeln!(f, "{:<INDENT$}{}", line.word, line.text))
    }
}

impl Finding {
    /// Returns the name of the bug: its kind, and the chess rules that it is about.
    pub fn name(&self) -> String {
        let mut words = self.theme_names();
        words.insert(0, self.verdict.name());
        words.join(", ")
    }

    /// Returns the names of the chess rules that the bug is about.
    pub fn theme_names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.themes().iter().map(|(theme, _)| theme.name()).collect();
        names.dedup();
        names
    }

    /// Returns the line for a test suite. It has the counts up to the depth that shows the bug. If that depth is too
    /// large to count, the line names the moves that show the bug.
    pub(super) fn epd_line(&self, stop: &StopSignal) -> String {
        let Told { path, depth, .. } = &self.fault;
        let last = path.moves.len() + *depth as usize;
        let counts = counts_to(&path.root, last as u32, MAX_EPD_NODES, stop);
        let mut line = self.fen(&path.root_setup());
        for (depth, nodes) in counts.iter().enumerate() {
            line += &format!(" ;D{} {nodes}", depth + 1);
        }
        let chess960 = if path.notation() == CastlingNotation::Chess960 { "chess960-" } else { "" };
        let kind = self.verdict.name();
        let name = self.theme_names().first().copied().unwrap_or(kind);
        let why = self.wrong_moves.first().map_or(self.verdict.about(), |wrong| &wrong.why.text);
        line += &format!(" ;id \"hunt-{chess960}{name}\" ;c0 \"{kind}: {why}\"");
        if counts.len() < last {
            line += &format!(" ;c1 \"shown at depth {depth} after {}\"", path.uci_moves().join(" "));
        }
        line
    }

    /// Returns the FEN as the source got it.
    fn fen(&self, setup: &Setup) -> String {
        let is_chess960 = self.fault.path.notation() == CastlingNotation::Chess960;
        if self.gets_file_letters && is_chess960 { setup.to_shredder_fen() } else { setup.to_fen() }
    }

    /// Returns the question that shows the bug, as the source got it.
    pub fn question(&self) -> Question {
        let question = self.fault.path.question(self.fault.depth);
        if self.gets_file_letters { question.with_file_letters() } else { question }
    }

    /// Returns the board with the squares and the moves that the text tells about.
    pub fn drawing(&self) -> Drawing {
        let Told { path, difference, .. } = &self.fault;
        let (end, notation) = (&path.end, path.notation());
        let mut drawing = Drawing::of_path(path);
        let counted = difference.wrong.iter().take(COUNTS).map(|wrong| (wrong.played, ArrowKind::Counted));
        let taken_back = self.last_right().map(|played| (played, ArrowKind::TakenBack));
        for (played, kind) in counted.chain(taken_back) {
            drawing.add_move(end, &played.to_uci(notation), kind);
        }
        for shown in self.shown_moves() {
            shown.iter().take(MOVES).for_each(|wrong| drawing.add_wrong_move(end, wrong));
        }
        drawing
    }

    fn shown_moves(&self) -> [Vec<&WrongMove>; 2] {
        let (missing, extra) = self.wrong_moves.iter().partition(|wrong| wrong.is_missing);
        [extra, missing]
    }

    /// Returns the finding as text.
    pub fn to_text(&self) -> FindingText {
        let is_shown = !matches!(self.verdict, Verdict::Unread | Verdict::NotRepeated);
        let mut text = FindingText {
            word: if self.verdict == Verdict::Unread { "answer" } else { "bug" },
            name: self.name(),
            is_wrong: self.fault.difference.is_wrong(),
            times: Some(self.times),
            drawing: Some(self.drawing()),
            epd: is_shown.then(|| self.epd.clone()),
            ..FindingText::default()
        };
        self.add_answer(&mut text);
        self.add_circumstances(&mut text);
        text
    }

    fn add_answer(&self, text: &mut FindingText) {
        let Told { path, depth, difference, .. } = &self.fault;
        let notation = path.notation();
        text.add_whole("position", self.fen(&path.end_setup()));
        if !path.moves.is_empty() {
            text.add_whole("reached", path.question(1));
        }
        let depth = format!("depth {depth}");
        match &difference.error {
            Some(error) => text.add(&depth, error),
            None => {
                let (ours, theirs) = (grouped(difference.ours), signed(difference.theirs));
                text.add(&depth, format!("expected {ours}, found {theirs}"));
            }
        }
        if let Some(other) = &self.other {
            let again = match &other.error {
                Some(error) => error.to_string(),
                None if other.is_right() => format!("{}, which is right", signed(other.theirs)),
                None => format!("{}, which is wrong in another way", signed(other.theirs)),
            };
            text.add("again", format!("in a fresh process: {again}"));
        }
        if let Some(played) = self.last_right() {
            text.add("", format!("the counts are right up to that of {}", played.to_uci(notation)));
        }
        text.add_some("wrong", &difference.wrong, COUNTS, |wrong| {
            let played = wrong.played.to_uci(notation);
            let other = self.other_depth(wrong).map(|depth| format!(", which is its count at depth {depth}"));
            let (ours, theirs) = (grouped(wrong.ours), grouped(wrong.theirs));
            format!("{played}: expected {ours}, found {theirs}{}", other.unwrap_or_default())
        });
        let [extra, missing] = self.shown_moves();
        text.add_some("extra", &extra, MOVES, |wrong| wrong.why.text.clone());
        text.add_some("missing", &missing, MOVES, |wrong| wrong.why.text.clone());
        text.add_some("unread", &difference.unread, usize::MAX, String::clone);
        if self.causes.models.is_empty() {
            self.in_common.iter().take(FACTS).for_each(|fact| text.add("in common", fact));
        }
        text.add("verdict", format!("{}: {}", self.verdict.name(), self.verdict.about()));
    }

    /// Returns the depth at which a wrong count below a move is right, if the count is too large for chance.
    fn other_depth(&self, wrong: &WrongCount) -> Option<u32> {
        let after = self.fault.path.end.play_legal(wrong.played);
        let counts = counts_to(&after, self.fault.depth + PLIES, MAX_NODES, &StopSignal::default());
        let plies = counts.iter().position(|&count| count == wrong.theirs && count >= TELLING)?;
        Some(plies as u32 + 2)
    }

    /// Adds how the position was reached, what would explain the counts, and where the bug was met.
    fn add_circumstances(&self, text: &mut FindingText) {
        let path = &self.fault.path;
        text.add_some("", &explain_path(&path.root, &path.moves), usize::MAX, String::clone);
        self.add_causes(text);
        let impossible: Vec<String> = impossibilities(&path.root).iter().map(ToString::to_string).collect();
        if !impossible.is_empty() {
            text.add("note", format!("no game reaches this position: {}", impossible.join("; ")));
        }
        if !self.origin.moves.is_empty() || self.origin.root != path.root {
            text.add_whole("met in", self.origin.question(1));
        }
    }

    /// Adds the models that reproduce the answers, and which answers these are.
    fn add_causes(&self, text: &mut FindingText) {
        let Causes { reproduced, unknown, others, other_wrong, .. } = &self.causes;
        let models = self.causes.named();
        let (word, each) = match models.len() {
            0 => return,
            1 => ("cause", "it"),
            _ => ("causes", "each"),
        };
        text.add_some(word, &models, CAUSES, |model| format!("{}: {}", model.name(), model.about()));
        let reproduced =
            if *reproduced == 1 { "the answer".to_owned() } else { format!("all {reproduced} answers") };
        let proof = match others {
            0 => String::new(),
            1 => ", and does not contradict another".to_owned(),
            others => format!(", and contradicts none of {} others", grouped(*others as u128)),
        };
        let OtherWrong { given, of } = *other_wrong;
        let proof = match of == given {
            true => proof,
            false => format!(
                ", and {given} of {of} other wrong ones that were compared: the mistake is a similar one, or not the only one"
            ),
        };
        let unknown = match unknown {
            0 => String::new(),
            unknown => format!(" (not counting {unknown} where a king could be captured)"),
        };
        text.add("", format!("{each} reproduces {reproduced} about this position{unknown}{proof}"));
        match self.causes.narrower() {
            0 => {}
            1 => text.add("", "a narrower form, such as for one side only, does so too"),
            many => text.add("", format!("{many} narrower forms, such as for one side only, do so too")),
        }
    }
}

#[cfg(feature = "serde")]
fields!(Finding as bug {
    verdict: bug.verdict.name(),
    meaning: bug.verdict.about(),
    themes: bug.theme_names(),
    seen: bug.times,
    root: PositionInfo::from(&bug.fault.path.question(0)),
    path: bug.fault.path.uci_moves(),
    position: PositionInfo::end(&bug.fault.path),
    depth: bug.fault.depth,
    expected: bug.fault.difference.ours,
    found: bug.fault.difference.error.is_none().then_some(bug.fault.difference.theirs),
    error: bug.fault.difference.error.as_ref().map(ToString::to_string),
    found_afresh: bug.other.as_ref().filter(|other| other.error.is_none()).map(|other| other.theirs),
    missing: bug.wrong_moves.iter().filter(|wrong| wrong.is_missing).collect::<Vec<_>>(),
    extra: bug.wrong_moves.iter().filter(|wrong| !wrong.is_missing).collect::<Vec<_>>(),
    unread: bug.fault.difference.unread,
    wrong_counts: bug.fault.difference.wrong.iter().map(|wrong| wrong.written(bug.fault.path.notation())).collect::<Vec<_>>(),
    last_right: bug.last_right().map(|played| played.to_uci(bug.fault.path.notation())),
    causes: bug.causes.named(),
    narrower: bug.causes.narrower(),
    in_common: bug.in_common,
    reproduced: bug.causes.reproduced,
    with_king_captured: bug.causes.unknown,
    not_contradicted: bug.causes.others,
    other_wrong: bug.causes.other_wrong,
    impossible: impossibilities(&bug.fault.path.root).iter().map(ToString::to_string).collect::<Vec<_>>(),
    history: explain_path(&bug.fault.path.root, &bug.fault.path.moves),
    origin: origin(&bug.origin.question(1)),
    epd: bug.epd,
});

#[cfg(feature = "serde")]
fields!(WrongMove as wrong {
    move: wrong.text,
    why: wrong.why.text,
    theme: wrong.why.theme.name(),
});
