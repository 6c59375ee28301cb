//! A bug of a source: the smallest position that shows it, its kind, and its cause.
//!
//! The same position is asked about in other ways. If the answer is also wrong when the position is given as a FEN
//! instead of by moves, the source generates moves wrongly. Otherwise, making a move leaves the position of the source
//! wrong. The start of the game is moved forward to find the shortest sequence of moves that shows this. If a source
//! counts a move wrong, but is right about the position after it, the answers contradict each other.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use perft_core::internals::grouped;
use perft_core::{CastlingNotation, Move, Position, Setup, StopSignal, impossibilities};

use crate::causes::{Causes, RightAnswer, Share};
use crate::descend::{
    find_listed_moves, find_shortest_path, find_smallest_contradiction, find_smallest_depth,
    is_contradiction, judge_at_depth_2, retry_without_moves,
};
use crate::difference::{
    DivideDifference, TELLING, Told, Verdict, WrongCount, WrongMove, WrongTheme, wrong_moves,
};
use crate::drawing::{ArrowKind, Drawing};
use crate::evidence::{Evidence, Group, Shared};
use crate::explain::explain_path;
use crate::models::Model;
use crate::program::{Asked, Program};
use crate::shrink::try_shrink;
use crate::source::{MovePath, Question};
use crate::target::counts_to;

/// A bug of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The smallest position and the shortest path that were found to show the bug.
    pub fault: Told,
    /// The kind of the bug.
    pub verdict: Verdict,
    /// The moves that the source lists although they are not legal, and those that its list lacks.
    pub wrong_moves: Vec<WrongMove>,
    /// The causes: the models that reproduce all answers about the position. Empty if none does.
    pub causes: Causes,
    /// What the wrong answers that belong to the bug have in common.
    pub in_common: Vec<Shared>,
    /// The number of the group of these facts.
    pub(crate) group: Option<Group>,
    /// The answer of a new start of the source to the same question, if the verdict is [`Verdict::NotRepeated`].
    pub other: Option<DivideDifference>,
    /// The path on which the bug was first found.
    pub origin: MovePath,
    /// The number of positions that show the bug.
    pub times: u64,
    /// A line in EPD for a test suite: the position that reproduces the bug, and its correct counts.
    pub epd: String,
    /// Whether the source got the castling rights as letters of files.
    pub gets_file_letters: bool,
}

impl Finding {
    /// Asks about a fault in other ways and returns the kind of bug.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn examine(source: &mut Program, fault: Told) -> Asked<Finding> {
        let origin = fault.path.clone();
        let (fault, verdict) = match fault.first_verdict() {
            Verdict::Generation => {
                let fault = find_smallest_depth(source, fault)?;
                if is_right_at_depth_1(source, &fault)? {
                    (fault, Verdict::Unmake)
                } else {
                    let (fault, verdict) = find_shortest_path(source, fault)?;
                    (find_listed_moves(source, fault)?, verdict)
                }
            }
            Verdict::Contradiction => (find_smallest_contradiction(source, fault)?, Verdict::Contradiction),
            verdict @ (Verdict::NoAnswer | Verdict::Refused) => {
                (retry_without_moves(source, fault)?, verdict)
            }
            verdict => (fault, verdict),
        };
        Ok(Finding { origin, ..Finding::new(fault, verdict) })
    }

    /// Returns a finding about a fault that was not examined, because the hunt ended.
    pub(super) fn unfinished(fault: Told) -> Finding {
        let verdict = match fault.first_verdict() {
            verdict @ (Verdict::Unread | Verdict::NoAnswer | Verdict::Refused) => verdict,
            _ => Verdict::Unfinished,
        };
        Finding::new(fault, verdict)
    }

    /// Returns a finding about a fault whose cause is known.
    pub(super) fn with_causes(fault: Told, causes: Causes) -> Finding {
        let verdict = verdict_of(&causes.models, Verdict::Pattern);
        let mut finding = Finding { causes, ..Finding::new(fault, verdict) };
        if verdict == Verdict::Pattern {
            finding.wrong_moves.clear();
        }
        finding
    }

    /// Returns a finding about a fault that a new start of the source does not show. `other` is the answer of the new
    /// start.
    pub(super) fn not_repeated(fault: Told, other: DivideDifference) -> Finding {
        Finding { other: Some(other), wrong_moves: Vec::new(), ..Finding::new(fault, Verdict::NotRepeated) }
    }

    fn new(fault: Told, verdict: Verdict) -> Finding {
        Finding {
            origin: fault.path.clone(),
            wrong_moves: named_moves(&fault),
            fault,
            verdict,
            causes: Causes::default(),
            in_common: Vec::new(),
            group: None,
            other: None,
            times: 1,
            epd: String::new(),
            gets_file_letters: false,
        }
    }

    /// Returns the last move before the counts become wrong, if the answers contradict each other.
    pub fn last_right(&self) -> Option<Move> {
        let contradicts = matches!(self.verdict, Verdict::Contradiction | Verdict::Unmake);
        self.fault.difference.last_right.filter(|_| contradicts)
    }

    /// Returns the distinct themes of the wrong moves, and for each whether its move is missing.
    pub fn themes(&self) -> Vec<WrongTheme> {
        let themes: BTreeSet<WrongTheme> = self.wrong_moves.iter().map(WrongMove::key).collect();
        themes.into_iter().collect()
    }

    /// Returns the finding as one of a group, with the facts of the group.
    pub(crate) fn of_group(&self, group: Option<Group>, evidence: &Evidence) -> Finding {
        let in_common = group.map(|group| evidence.shared(group)).unwrap_or_default();
        Finding { in_common, group, ..self.clone() }
    }

    /// Finds the cause, and whether the code that counts the last ply is the reason for a wrong count of depth 1.
    /// `wrong` are wrong answers that belong to the same bug: a cause of some of them is not told. `others` are right answers
    /// about other positions.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn explain(
        &mut self,
        source: &mut Program,
        wrong: &[Told],
        others: &[Arc<RightAnswer>],
    ) -> Asked<()> {
        if matches!(self.verdict, Verdict::Sum | Verdict::Unread | Verdict::NoAnswer | Verdict::Refused) {
            return Ok(());
        }
        if self.verdict == Verdict::Generation && !self.fault.difference.knows_moves() {
            self.verdict = judge_at_depth_2(source, &self.fault)?;
        }
        self.causes = Causes::find(source, &self.fault, others)?;
        self.causes.keep_sharing(wrong, &source.stop)?;
        self.verdict = verdict_of(&self.causes.models, self.verdict);
        if self.verdict == Verdict::Reading {
            // The moves are those of another position.
            self.wrong_moves.clear();
        }
        Ok(())
    }

    /// Removes everything from the root position that the bug does not need. The smaller position must show the same
    /// bug: it belongs to the same group or, without a group, has a wrong move for the same reason. A possible position
    /// does not become an impossible one. `models` give the wrong answer. At least one
    /// of them must also give that about the smaller position.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn shrink(
        &mut self,
        source: &mut Program,
        evidence: &Evidence,
        models: &[Model],
    ) -> Asked<()> {
        if matches!(self.verdict, Verdict::Unread) {
            return Ok(());
        }
        let (smallest, outcome) = try_shrink(&self.fault.path.root, |root| {
            let Some(fault) = self.with_other_root(source, root, evidence)? else { return Ok(None) };
            let told = source.known(&fault.path, fault.depth);
            let is_given = |told: &Told| models.iter().any(|model| model.gives(told) == Some(true));
            let is_same = models.is_empty() || told.is_none_or(is_given);
            Ok(Some(fault).filter(|_| is_same))
        });
        if let Some(fault) = smallest {
            self.wrong_moves = named_moves(&fault);
            self.fault = fault;
        }
        outcome
    }

    /// Returns the fault after the same moves from another root, or `None` if the bug does not show there.
    fn with_other_root(
        &self,
        source: &mut Program,
        root: &Position,
        evidence: &Evidence,
    ) -> Asked<Option<Told>> {
        let Some(path) = self.fault.path.replayed_from(root) else { return Ok(None) };
        let told = source.compare(&path, self.fault.depth)?;
        let difference = &told.difference;
        let is_same = match self.verdict {
            Verdict::NoAnswer | Verdict::Refused => difference.is_same_as(&self.fault.difference),
            Verdict::Sum => difference.contradicts_itself && difference.is_wrong(),
            Verdict::Contradiction => is_contradiction(source, &told)?,
            _ => self.is_same_bug(source, &told, evidence)?,
        };
        Ok(is_same.then_some(told))
    }

    fn is_same_bug(&self, source: &mut Program, told: &Told, evidence: &Evidence) -> Asked<bool> {
        let Told { path, difference, .. } = told;
        let themes = self.themes();
        let has_theme = |wrong: &WrongMove| themes.contains(&wrong.key());
        let is_same = match self.group {
            Some(group) => evidence.groups_of(told).contains(&group),
            None => themes.is_empty() || wrong_moves(&path.end, difference).iter().any(has_theme),
        };
        if !difference.is_wrong() || !is_same {
            return Ok(false);
        }
        match self.verdict {
            Verdict::Make => source.is_right(&path.without_moves(), self.fault.depth),
            Verdict::Unmake => source.is_right(path, 1),
            _ => Ok(true),
        }
    }
}

/// Returns the moves that an answer lists although they are not legal, and those that its list lacks.
fn named_moves(fault: &Told) -> Vec<WrongMove> {
    if !fault.difference.unread.is_empty() {
        return Vec::new();
    }
    let mut named = wrong_moves(&fault.path.end, &fault.difference);
    for WrongMove { text, why, .. } in named.iter_mut().filter(|wrong| wrong.is_missing) {
        let is_bare =
            |listed: &String| text.strip_prefix(listed.as_str()).is_some_and(|letter| letter.len() == 1);
        if let Some((listed, _)) = fault.answer.moves.iter().find(|(listed, _)| is_bare(listed)) {
            why.text = format!("{text} is not listed; {listed} is, without the letter of the new piece");
        }
    }
    named
}

/// Whether the source lists the right moves at depth 1. Then counting has changed the moves of a deeper answer.
fn is_right_at_depth_1(source: &mut Program, fault: &Told) -> Asked<bool> {
    if fault.depth == 1 || !fault.difference.knows_moves() || !source.abilities().can_ask(1) {
        return Ok(false);
    }
    let told = source.compare(&fault.path, 1)?;
    Ok(told.is_right() && told.difference.knows_moves())
}

/// Returns the kind of bug that all models have in common, or otherwise the given one.
fn verdict_of(models: &[Model], otherwise: Verdict) -> Verdict {
    let kind = |model: &Model| match model {
        model if model.hides_others() => Verdict::Pattern,
        Model::Draw(_) => Verdict::Draw,
        Model::Reading(_) => Verdict::Reading,
        Model::Rule(rule) if rule.is_of_last_ply() => Verdict::LastPly,
        Model::Rule(rule)
            if rule.mutation.topic() == "unmaking moves" && otherwise == Verdict::Contradiction =>
        {
            Verdict::Unmake
        }
        _ => otherwise,
    };
    let Some((first, others)) = models.split_first() else { return otherwise };
    let first = kind(first);
    if others.iter().all(|model| kind(model) == first) { first } else { otherwise }
}

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

/// The text of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindingText {
    /// The lines.
    pub lines: Vec<FindingLine>,
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

    /// Adds a line for each of the first `shown` items, and the number of the others.
    fn add_some<T>(&mut self, word: &str, items: &[T], shown: usize, text: impl Fn(&T) -> String) {
        items.iter().take(shown).for_each(|item| self.add(word, text(item)));
        if items.len() > shown {
            self.add("", format!("... and {} more", items.len() - shown));
        }
    }
}

impl Display for Finding {
    /// Writes the board, then lines with a word in the first column.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.fault.path.end_setup().diagram())?;
        self.text().lines.iter().try_for_each(|line| writeln!(f, "{:<INDENT$}{}", line.word, line.text))
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

    /// Returns the moves that are not legal, and those that are missing.
    fn shown_moves(&self) -> [Vec<&WrongMove>; 2] {
        let (missing, extra) = self.wrong_moves.iter().partition(|wrong| wrong.is_missing);
        [extra, missing]
    }

    /// Returns the text.
    pub fn text(&self) -> FindingText {
        let mut text = FindingText::default();
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
        let Causes { reproduced, unknown, others, share, .. } = &self.causes;
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
        let Share { given, of } = *share;
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

/// Returns the total of an answer, with its sign.
fn signed(total: i128) -> String {
    let sign = if total < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(total.unsigned_abs()))
}
