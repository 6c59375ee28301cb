//! The report of `perft hunt`: the bugs of an engine.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::{CastlingNotation, Impossibility, Position, Setup, StopSignal, impossibilities};
use perft_count::{Perft, Progress};
use perft_diagnosis::source::SourceError;
use perft_diagnosis::{
    Finding, HuntSummary, Model, MovePath, Verdict, WrongCount, WrongMove, counts_to, explain_path,
};
use serde::{Serialize, Serializer};

use crate::commands::suite::asked::{EngineInfo, ability_notes, impossible_note};
use crate::output::table::folded;
use crate::output::terminal::{incomplete_line, styled};
use crate::output::{PositionInfo, Provenance, agreeing, grouped, number_of};

/// The part of the report that all searches for bugs share: the engine, and the numbers of positions and
/// questions.
#[derive(Clone, Debug, Serialize)]
pub struct HuntTotals {
    /// How the right answers were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine.
    pub engine: EngineInfo,
    /// The seed of the positions, if they were random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether the search was finished. `false` if the command was interrupted.
    pub complete: bool,
    /// The number of positions that the engine was asked about.
    pub positions: usize,
    /// The number of positions with a wrong or missing answer.
    pub faulty: usize,
    /// The number of questions.
    pub questions: u64,
    /// The number of positions that were left early, because the limit of questions was reached.
    pub cut_short: usize,
    /// The number of Chess960 positions that were left out, because the engine does not play Chess960.
    pub left_out_chess960: usize,
    /// The number of positions that were left out because no game reaches them.
    pub left_out_impossible: usize,
    /// Sentences about what was not asked or cannot be determined.
    pub notes: Vec<String>,
    /// The time in seconds.
    pub seconds: f64,
    /// The line with the command to run next.
    #[serde(skip)]
    pub next: Option<String>,
}

/// The result of a search for bugs.
#[derive(Clone, Debug, Serialize)]
pub struct HuntReport {
    /// The engine, and the numbers of positions and questions.
    #[serde(flatten)]
    pub totals: HuntTotals,
    /// The bugs, in the order in which they were found.
    pub findings: Vec<FindingReport>,
}

/// A bug.
#[derive(Clone, Debug, Serialize)]
pub struct FindingReport {
    /// The kind of bug: the name of a [`Verdict`].
    #[serde(serialize_with = "as_name")]
    pub verdict: Verdict,
    /// The kind and the rules that the bug concerns.
    #[serde(skip)]
    pub name: String,
    /// The meaning of that kind.
    pub meaning: &'static str,
    /// The rules that the bug concerns.
    pub themes: Vec<&'static str>,
    /// How often it was found.
    pub seen: u64,
    /// The position from which the bug can be reproduced.
    pub root: PositionInfo,
    /// The moves from there that reproduce it.
    pub path: Vec<String>,
    /// The position after these moves.
    pub position: PositionInfo,
    /// The depth of the question in plies.
    pub depth: u32,
    /// The correct number of leaf nodes.
    pub expected: u128,
    /// The number that the engine counts, if it answers.
    pub found: Option<i128>,
    /// Why the engine does not answer, if it does not.
    pub error: Option<String>,
    /// The number that a fresh process of the engine counts, if its answer is another one.
    pub found_afresh: Option<i128>,
    /// The legal moves that the engine does not have.
    pub missing: Vec<WrongMoveReport>,
    /// The moves of the engine that are not legal.
    pub extra: Vec<WrongMoveReport>,
    /// The lines of the answer that were not understood, if they are probably the reason for the difference.
    pub unread: Vec<String>,
    /// The moves with a wrong count.
    pub wrong_counts: Vec<WrongCountReport>,
    /// The last move before the counts become wrong, if the engine contradicts itself.
    pub last_right: Option<String>,
    /// The causes. If there are several, it is not known which one is right.
    pub causes: Vec<CauseReport>,
    /// The number of narrower forms of them, such as for one side only, that give all answers, too.
    pub narrower: usize,
    /// The number of answers about the position that each cause reproduces.
    pub reproduced: usize,
    /// The number of answers about other positions that no cause contradicts.
    pub not_contradicted: usize,
    /// Why no game can lead to the root position. Empty if a game can, as far as that is checked.
    pub impossible: Vec<String>,
    /// How the moves changed castling rights and the en passant square.
    pub history: Vec<String>,
    /// The position and the moves in which it was first found.
    pub origin: OriginReport,
    /// A line for a test suite in EPD.
    pub epd: String,
}

/// A position and moves from it.
#[derive(Clone, Debug, Serialize)]
pub struct OriginReport {
    /// The position before the moves.
    pub root: PositionInfo,
    /// The moves.
    pub path: Vec<String>,
}

/// A move that the engine does not have although it is legal, or has although it is not.
#[derive(Clone, Debug, Serialize)]
pub struct WrongMoveReport {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// Why it is legal or not.
    pub why: String,
    /// The rule that it concerns.
    pub theme: &'static str,
}

/// A cause of wrong counts: a mistake with which a program gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CauseReport {
    /// The name.
    pub name: String,
    /// The part of a program that has the mistake.
    pub topic: &'static str,
    /// The behaviour of a program with the mistake.
    pub about: String,
}

/// A move with a wrong count.
#[derive(Clone, Debug, Serialize)]
pub struct WrongCountReport {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The correct number of leaf nodes below it.
    pub expected: u128,
    /// The number that the engine counts.
    pub found: u128,
}

fn as_name<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.name())
}

/// Returns sentences, without a full stop, about what was not asked or cannot be determined.
pub fn count_notes(hunted: &HuntSummary, left_out_impossible: usize) -> Vec<String> {
    let mut notes = ability_notes(&hunted.source.abilities, hunted.left_out_chess960);
    if !hunted.source.abilities.plays_moves {
        notes.push(
            "the engine is not told moves: it gets each position as a FEN, so a bug in making moves cannot be told from \
             one in taking them back"
                .to_owned(),
        );
    }
    if let Some(refusal) = &hunted.source.refusal {
        let refused = hunted.source.refused;
        let (questions, were) = (number_of(refused, "question"), agreeing(refused, "was", "were"));
        notes.push(format!(
            "{questions} {were} not answered with a count, which is no bug; the first: {refusal}"
        ));
    }
    if hunted.source.leaves_out_moves {
        notes
            .push("the engine does not print all moves, but its counts are right: that is no bug".to_owned());
    }
    if hunted.findings.iter().any(|finding| finding.verdict == Verdict::NotRepeated) {
        notes
            .push("to see the questions before an answer that does not repeat: --engine-log FILE".to_owned());
    }
    let is_late =
        |finding: &Finding| matches!(finding.fault.difference.error, Some(SourceError::TimedOut(..)));
    if hunted.findings.iter().any(is_late) {
        notes.push("if the engine needs more time, or hangs: --engine-timeout SECONDS".to_owned());
    }
    notes.extend(impossible_note(left_out_impossible));
    notes
}

impl FindingReport {
    /// Makes a report of a bug. Counting for it ends when the stop signal is raised.
    pub fn new(finding: &Finding, stop: &StopSignal) -> FindingReport {
        let path = &finding.fault.path;
        let notation = path.notation();
        let difference = &finding.fault.difference;
        let wrong_moves = |is_missing: bool| {
            let all = finding.wrong_moves.iter().filter(|wrong| wrong.is_missing == is_missing);
            all.map(WrongMoveReport::new).collect()
        };
        let is_answered = difference.error.is_none();
        let mut themes: Vec<&str> = finding.themes().iter().map(|(theme, _)| theme.name()).collect();
        themes.dedup();
        FindingReport {
            verdict: finding.verdict,
            name: finding.name(),
            meaning: finding.verdict.about(),
            seen: finding.times,
            root: PositionInfo::root(path),
            path: path.uci_moves(),
            position: PositionInfo::end(path),
            depth: finding.fault.depth,
            expected: difference.ours,
            found: is_answered.then(|| difference.their_total()),
            error: difference.error.as_ref().map(ToString::to_string),
            found_afresh: finding
                .other
                .as_ref()
                .filter(|other| other.error.is_none())
                .map(|other| other.their_total()),
            missing: wrong_moves(true),
            extra: wrong_moves(false),
            unread: difference.unread.clone(),
            impossible: impossibilities(&path.root).iter().map(Impossibility::to_string).collect(),
            wrong_counts: difference
                .wrong
                .iter()
                .map(|wrong| WrongCountReport::new(wrong, notation))
                .collect(),
            last_right: finding.last_right().map(|played| played.to_uci(notation)),
            causes: finding.causes.named().into_iter().map(CauseReport::from).collect(),
            narrower: finding.causes.narrower(),
            reproduced: finding.causes.reproduced,
            not_contradicted: finding.causes.others,
            history: explain_path(&path.root, &path.moves),
            origin: OriginReport::new(&finding.origin),
            epd: epd(finding, &themes, stop),
            themes,
        }
    }
}

impl From<Model> for CauseReport {
    fn from(model: Model) -> CauseReport {
        CauseReport { name: model.name(), topic: model.topic(), about: model.about() }
    }
}

impl OriginReport {
    pub fn new(path: &MovePath) -> OriginReport {
        OriginReport { root: PositionInfo::root(path), path: path.uci_moves() }
    }
}

impl WrongCountReport {
    pub fn new(wrong: &WrongCount, notation: CastlingNotation) -> WrongCountReport {
        WrongCountReport { played: wrong.played.to_uci(notation), expected: wrong.ours, found: wrong.theirs }
    }
}

impl WrongMoveReport {
    pub fn new(wrong: &WrongMove) -> WrongMoveReport {
        WrongMoveReport {
            played: wrong.text.clone(),
            why: wrong.why.text.clone(),
            theme: wrong.why.theme.name(),
        }
    }
}

/// The largest count of a line for a test suite, in leaf nodes. Counting up to this size takes less than a second.
const MAX_EPD_NODES: f64 = 1e8;

/// Returns an EPD line with the position that reproduces a bug and its correct counts, up to the depth that shows it.
/// If that depth is too large to count, the line names the moves that show the bug.
fn epd(finding: &Finding, themes: &[&str], stop: &StopSignal) -> String {
    let path = &finding.fault.path;
    let depth = path.moves.len() as u32 + finding.fault.depth;
    let counts = counts_to(&path.root, depth, MAX_EPD_NODES, stop);
    let name = themes.first().copied().unwrap_or(finding.verdict.name());
    let why = match finding.wrong_moves.first() {
        Some(wrong) => wrong.why.text.clone(),
        None => finding.verdict.about().to_owned(),
    };
    let chess960 = if path.notation() == CastlingNotation::Chess960 { "chess960-" } else { "" };
    let operations: String =
        (1..).zip(&counts).map(|(depth, nodes): (u32, _)| format!(" ;D{depth} {nodes}")).collect();
    let moves = if counts.len() < depth as usize {
        let moves = path.uci_moves().join(" ");
        format!(" ;c1 \"shown at depth {} after {moves}\"", finding.fault.depth)
    } else {
        String::new()
    };
    let kind = finding.verdict.name();
    format!(
        "{}{operations} ;id \"hunt-{chess960}{name}\" ;c0 \"{kind}: {why}\"{moves}",
        PositionInfo::root(path).fen
    )
}

/// Returns the number of leaf nodes, or `None` if the stop signal is raised.
pub fn count(position: &Position, depth: u32, stop: &StopSignal) -> Option<u128> {
    Perft::new().count_with_progress(position, depth, &Progress::new(stop.clone())).ok()
}

/// The width of the first column of a finding.
pub const INDENT: usize = 10;

/// The number of causes that are shown.
const SHOWN_CAUSES: usize = 3;

/// Writes what was left out, and the last line: the engine, the result, and the number of faulty positions. `what`
/// describes them, as in `without the right answer`.
pub fn write_totals(totals: &HuntTotals, result: &str, what: &str, out: &mut impl Write) -> io::Result<()> {
    let HuntTotals { engine, positions, faulty, questions, cut_short, notes, seconds, complete, .. } = totals;
    if *cut_short > 0 {
        writeln!(out, "{} reached the limit of --max-questions", number_of(*cut_short, "position"))?;
    }
    notes.iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))?;
    write_if_incomplete(*complete, out)?;
    let name = engine.own_name.as_deref().unwrap_or(&engine.command);
    let (faulty, positions) = (grouped(*faulty as u128), number_of(*positions, "position"));
    let questions = number_of(*questions, "question");
    let summary = format!("{name}: {result}: {faulty} of {positions} {what}; {questions} in {seconds:.1} s");
    writeln!(out, "{}", folded(&summary, 2))?;
    totals.next.as_ref().map_or(Ok(()), |next| writeln!(out, "{next}"))
}

/// Writes the first causes, and the number of further ones. Each of them gives `what`.
pub fn write_causes(causes: &[CauseReport], what: &str, out: &mut impl Write) -> io::Result<()> {
    let word = if causes.len() == 1 { "cause" } else { "causes" };
    for (index, cause) in causes.iter().take(SHOWN_CAUSES).enumerate() {
        let word = if index == 0 { word } else { "" };
        let text = folded(&format!("{}: {}", cause.name, cause.about), INDENT);
        writeln!(out, "{word:<INDENT$}{text}")?;
    }
    let more = causes.len().saturating_sub(SHOWN_CAUSES);
    let proof = match (causes.len(), more) {
        (0, _) => return Ok(()),
        (1, _) => format!("it gives exactly {what}"),
        (_, 0) => format!("each gives exactly {what}"),
        _ => format!("... and {more} more; each gives exactly {what}"),
    };
    writeln!(out, "{:INDENT$}{}", "", folded(&proof, INDENT))
}

/// Writes what a user types to see a bug: the command that runs the engine, and the lines to type into it.
pub fn write_by_hand(lines: &[String], out: &mut impl Write) -> io::Result<()> {
    let labels = ["by hand"].into_iter().chain(std::iter::repeat(""));
    lines.iter().zip(labels).try_for_each(|(line, label)| writeln!(out, "{label:<INDENT$}{line}"))
}

pub fn write_if_incomplete(is_complete: bool, out: &mut impl Write) -> io::Result<()> {
    if is_complete { Ok(()) } else { writeln!(out, "{}", incomplete_line()) }
}

/// Returns how often a bug was seen: `once`, `12 times`.
pub fn seen(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { number_of(times, "time") }
}

/// Returns the number of bugs in words, in green or red. An incomplete search without a bug has no result.
pub fn number_of_bugs(bugs: usize, is_complete: bool) -> String {
    match bugs {
        0 if !is_complete => styled("no bug found so far", AnsiColor::Yellow),
        0 => styled("no bug found", AnsiColor::Green),
        bugs => styled(&number_of(bugs, "bug"), AnsiColor::Red),
    }
}

/// Returns a position and the moves from there: `FEN moves e2e4 e7e5`.
pub fn line(fen: &str, path: &[String]) -> String {
    if path.is_empty() { fen.to_owned() } else { format!("{fen} moves {}", path.join(" ")) }
}

pub fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}
