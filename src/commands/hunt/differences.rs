//! The report of a comparison of two engines, `perft hunt --reference`.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::{Position, StopSignal};
use perft_diagnosis::source::Question;
use perft_diagnosis::{
    AnswerDifference, Disagreement, DisagreementKind, Explanation, MovePath, ReferenceSummary, explain,
};
use serde::Serialize;

use super::report::{INDENT, OriginReport, board, count, line, write_if_incomplete};
use crate::commands::suite::asked::EngineInfo;
use crate::output::table::folded;
use crate::output::terminal::styled;
use crate::output::{Nodes, PositionInfo, Provenance, Report, grouped, number_of};

/// The result of a comparison of two engines.
#[derive(Clone, Debug, Serialize)]
pub struct DifferencesReport {
    /// How the correct counts of chess were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine.
    pub engine: EngineInfo,
    /// The engine that it is compared with.
    pub reference: EngineInfo,
    /// The seed of the positions, if they were random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether the search was finished. `false` if the command was interrupted.
    pub complete: bool,
    /// The number of positions that both were asked about.
    pub positions: usize,
    /// The number of questions to each of them.
    pub questions: u64,
    /// The number of positions that neither of them answered.
    pub unanswered_positions: usize,
    /// Sentences about what was not asked.
    pub notes: Vec<String>,
    /// The time in seconds.
    pub seconds: f64,
    /// The differences, in the order in which they were found.
    pub differences: Vec<DifferenceReport>,
    /// The short names of the engine and of its reference.
    #[serde(skip)]
    pub names: [String; 2],
}

/// A difference between the engine and its reference.
#[derive(Clone, Debug, Serialize)]
pub struct DifferenceReport {
    /// The kind of difference: `moves`, `counts`, `contradiction`, `not-repeated`, `unread` or
    /// `no-answer`.
    pub kind: &'static str,
    /// The position before the moves.
    pub root: PositionInfo,
    /// The moves from there to the position in which the answers differ.
    pub path: Vec<String>,
    /// The position after these moves, if they are legal in chess.
    pub position: Option<PositionInfo>,
    /// The depth of the question in plies.
    pub depth: u32,
    /// The number of leaf nodes that each counts, if both answer.
    pub totals: Option<BothCounts>,
    /// The moves that only the engine has.
    pub only_engine: Vec<String>,
    /// The moves that only the reference has.
    pub only_reference: Vec<String>,
    /// The moves that are counted differently.
    pub counts: Vec<MoveCounts>,
    /// The lines of the answers that were not understood.
    pub unread: Vec<String>,
    /// Which of them gave no answer, and why.
    pub missing_answer: Option<MissingAnswer>,
    /// The judgement by the rules of chess. `None` if the engines play a variant, or if the position is not one of
    /// chess.
    pub chess: Option<ChessReport>,
    /// The position and the moves in which the difference was first seen, and the depth.
    pub origin: OriginReport,
    /// The depth there.
    pub origin_depth: u32,
}

/// The counts of both engines.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BothCounts {
    /// The count of the engine.
    pub engine_nodes: u128,
    /// The count of the reference.
    pub reference_nodes: u128,
}

/// A move that is counted differently.
#[derive(Clone, Debug, Serialize)]
pub struct MoveCounts {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The counts below it.
    #[serde(flatten)]
    pub counts: BothCounts,
}

/// An answer that was not given.
#[derive(Clone, Debug, Serialize)]
pub struct MissingAnswer {
    /// `engine` or `reference`.
    pub from: &'static str,
    /// The reason.
    pub error: String,
}

/// The judgement of a difference by the rules of chess.
#[derive(Clone, Debug, Serialize)]
pub struct ChessReport {
    /// The correct number of leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The side that is right: `engine`, `reference` or `neither`.
    pub who_is_right: &'static str,
    /// Why each disputed move is legal or not.
    pub explanations: Vec<String>,
}

/// Returns sentences about what was not asked or did not repeat.
pub fn difference_notes(summary: &ReferenceSummary, left_out_impossible: usize) -> Vec<String> {
    let not_repeated = summary.findings.iter().filter(|found| found.is_not_repeated());
    let not_repeated = not_repeated.map(|found| found.times as usize).sum();
    let cases = [
        (summary.unanswered, "neither of them answered the question about"),
        (
            summary.left_out_chess960,
            "one of them does not announce Chess960 or does not read the castling rights, so nothing was asked about",
        ),
        (not_repeated, "fresh processes did not differ again in"),
        (left_out_impossible, "no game reaches (--unreachable asks about them too)"),
    ];
    let note = |(number, text): (usize, &str)| {
        (number > 0).then(|| format!("{text} {}", number_of(number, "position")))
    };
    cases.into_iter().filter_map(note).collect()
}

impl DifferenceReport {
    /// Makes a report of a difference. `is_chess` is whether both engines play by the rules of chess, as far as is
    /// known.
    pub fn new(difference: &Disagreement, is_chess: bool, stop: &StopSignal) -> DifferenceReport {
        let Disagreement { question, origin, kind, .. } = difference;
        let path = path_of(question);
        let answers = kind.answers();
        let counts = answers.iter().flat_map(|answers| &answers.counts).map(|count| MoveCounts {
            played: count.played.clone(),
            counts: BothCounts { engine_nodes: count.first, reference_nodes: count.second },
        });
        let list =
            |moves: fn(&AnswerDifference) -> &Vec<String>| answers.map(moves).cloned().unwrap_or_default();
        DifferenceReport {
            kind: kind.name(),
            root: root(question),
            path: question.moves.clone(),
            position: path.as_ref().map(PositionInfo::end),
            depth: question.depth,
            totals: answers
                .map(|answers| answers.totals)
                .map(|[engine_nodes, reference_nodes]| BothCounts { engine_nodes, reference_nodes }),
            only_engine: list(|answers| &answers.only_first),
            only_reference: list(|answers| &answers.only_second),
            counts: counts.collect(),
            unread: list(|answers| &answers.unread),
            missing_answer: missing_answer(kind),
            chess: path.filter(|_| is_chess).and_then(|path| {
                let answers = answers.filter(|_| kind.is_understood())?;
                ChessReport::new(&path.end, question.depth, answers, stop)
            }),
            origin: OriginReport { root: root(origin), path: origin.moves.clone() },
            origin_depth: origin.depth,
        }
    }
}

fn missing_answer(kind: &DisagreementKind) -> Option<MissingAnswer> {
    let (is_second, error) = kind.missing_answer()?;
    Some(MissingAnswer { from: if is_second { "reference" } else { "engine" }, error: error.to_string() })
}

fn root(question: &Question) -> PositionInfo {
    PositionInfo { name: None, fen: question.fen.clone(), chess960: question.is_chess960 }
}

/// Returns the moves of a question, or `None` if the position or a move is not legal in chess. The engines may play a
/// variant.
fn path_of(question: &Question) -> Option<MovePath> {
    let root = MovePath::new(Position::from_fen(&question.fen).ok()?);
    question.moves.iter().try_fold(root, |path, text| {
        let played = path.end.find_move(text).ok()?;
        Some(path.played(played))
    })
}

impl ChessReport {
    /// Returns the report, or `None` if counting was interrupted.
    fn new(
        position: &Position,
        depth: u32,
        answers: &AnswerDifference,
        stop: &StopSignal,
    ) -> Option<ChessReport> {
        let nodes = count(position, depth, stop)?;
        let explained =
            |moves: &[String]| moves.iter().map(|text| explain(position, text)).collect::<Vec<_>>();
        let (first, second) = (explained(&answers.only_first), explained(&answers.only_second));
        let is_wrong = if first.is_empty() && second.is_empty() {
            answers.totals.map(|total| total != nodes)
        } else {
            let has_wrong = |own: &[Explanation], other: &[Explanation]| {
                own.iter().any(|why| !why.is_legal) || other.iter().any(|why| why.is_legal)
            };
            [has_wrong(&first, &second), has_wrong(&second, &first)]
        };
        let who_is_right = match is_wrong {
            [false, true] => "engine",
            [true, false] => "reference",
            _ => "neither",
        };
        let explanations = first.into_iter().chain(second).map(|why| why.text).collect();
        Some(ChessReport { nodes: Nodes(nodes), who_is_right, explanations })
    }
}

/// The number of differences that the text shows. The JSON contains all of them.
pub const SHOWN_DIFFERENCES: usize = 10;

/// The number of moves with different counts that are shown.
const SHOWN: usize = 5;

impl Report for DifferencesReport {
    const NAME: &'static str = "hunt_reference";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let shown = self.differences.len().min(SHOWN_DIFFERENCES);
        let more = self.differences.len() - shown;
        if more > 0 {
            writeln!(
                out,
                "... and {} with a difference; --json lists all",
                number_of(more, "more position")
            )?;
        }
        self.notes.iter().try_for_each(|note| writeln!(out, "{}", folded(&format!("note: {note}"), 2)))?;
        write_if_incomplete(self.complete, out)?;
        let result = match self.differences.len() {
            0 if !self.complete => styled("no difference so far", AnsiColor::Yellow),
            0 => styled("no difference", AnsiColor::Green),
            _ => styled("they differ", AnsiColor::Red),
        };
        let summary = format!(
            "{} and {}: {result}: {} of {} answered differently; {} to each in {:.1} s",
            self.names[0],
            self.names[1],
            grouped(self.differences.len() as u128),
            number_of(self.positions, "position"),
            number_of(self.questions, "question"),
            self.seconds,
        );
        writeln!(out, "{}", folded(&summary, 2))
    }
}

/// Writes a difference. `names` are those of the engine and of its reference.
pub fn write_difference(
    number: usize,
    found: &DifferenceReport,
    names: [&str; 2],
    out: &mut impl Write,
) -> io::Result<()> {
    let color = if is_understood(found) { AnsiColor::Red } else { AnsiColor::Yellow };
    let title = styled(&format!("difference {number}"), color);
    writeln!(out, "{title}: {}\n", folded(about(found.kind), 2))?;
    if let Some(position) = &found.position {
        writeln!(out, "{}", board(&position.fen))?;
    }
    let here = line(&found.root.fen, &found.path);
    match &found.position {
        Some(position) if !found.path.is_empty() => {
            writeln!(out, "position  {}\nreached   {here}", position.fen)?;
        }
        _ => writeln!(out, "position  {here}")?,
    }
    write_counts(found, names, out)?;
    if let Some(chess) = &found.chess {
        write_chess(chess, names, out)?;
    }
    found.unread.iter().try_for_each(|line| writeln!(out, "unread    {line}"))?;
    let origin = line(&found.origin.root.fen, &found.origin.path);
    if origin != here {
        writeln!(out, "met in    {origin}, depth {}", found.origin_depth)?;
    }
    writeln!(out)
}

fn is_understood(found: &DifferenceReport) -> bool {
    found.missing_answer.is_none() && found.unread.is_empty()
}

fn about(kind: &str) -> &'static str {
    match kind {
        "moves" => "the moves differ",
        "counts" => "the counts differ",
        "contradiction" => {
            "the counts differ, but both agree when they are asked about the positions after each move"
        }
        "not-repeated" => {
            "the answers differ, but not if both are asked in fresh processes: a table or a state of one is not reset after \
             other questions, or chance decides"
        }
        "unread" => "the answers differ, and some of their lines were not understood",
        _ => "one of them gives no answer",
    }
}

fn write_counts(found: &DifferenceReport, names: [&str; 2], out: &mut impl Write) -> io::Result<()> {
    if let Some(MissingAnswer { from, error }) = &found.missing_answer {
        let name = names[usize::from(*from == "reference")];
        return writeln!(out, "depth {:<4}{}", found.depth, folded(&format!("{name}: {error}"), INDENT));
    }
    let [engine, reference] = names;
    if let Some(totals) = found.totals {
        let (first, second) = (grouped(totals.engine_nodes), grouped(totals.reference_nodes));
        writeln!(out, "depth {:<4}{engine} counts {first}, {reference} {second}", found.depth)?;
    }
    for (name, moves) in [(engine, &found.only_engine), (reference, &found.only_reference)] {
        if !moves.is_empty() {
            writeln!(out, "only      {}", folded(&format!("{name}: {}", moves.join(" ")), INDENT))?;
        }
    }
    for count in found.counts.iter().take(SHOWN) {
        let (first, second) = (grouped(count.counts.engine_nodes), grouped(count.counts.reference_nodes));
        writeln!(out, "below     {}: {engine} counts {first}, {reference} {second}", count.played)?;
    }
    match found.counts.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "{:INDENT$}... and {}", "", number_of(more, "more move")),
    }
}

fn write_chess(chess: &ChessReport, names: [&str; 2], out: &mut impl Write) -> io::Result<()> {
    let right = match chess.who_is_right {
        "engine" => format!("{} is right", names[0]),
        "reference" => format!("{} is right", names[1]),
        _ => "neither is right".to_owned(),
    };
    writeln!(out, "in chess  {right}: {}", grouped(chess.nodes.0))?;
    chess.explanations.iter().try_for_each(|why| writeln!(out, "{:INDENT$}{}", "", folded(why, INDENT)))
}
