//! What a hunt has found.

use serde::Serialize;

use super::Context;
use super::suite::EngineInfo;
use perft_core::CastlingNotation;
use perft_core::perft;
use perft_diagnosis::random::setup_of;
use perft_diagnosis::{Finding, HuntSummary, MovePath, WrongMove, explain_path};

/// A hunt.
#[derive(Clone, Debug, Serialize)]
pub struct HuntReport {
    /// How our own counts were made.
    #[serde(flatten)]
    pub context: Context,
    /// The program.
    pub engine: EngineInfo,
    /// The seed of the positions, if they were random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The positions that were asked about.
    pub positions: usize,
    /// Those of them on which some answer was wrong or missing.
    pub faulty: usize,
    /// The questions.
    pub questions: u64,
    /// Positions about which not all was asked, because the bound was met.
    pub cut_short: usize,
    /// The time that it took.
    pub seconds: f64,
    /// The bugs, the most frequent first.
    pub findings: Vec<FindingReport>,
}

/// A bug.
#[derive(Clone, Debug, Serialize)]
pub struct FindingReport {
    /// The kind of bug: generation, make, unmake, sum, no-answer.
    pub verdict: &'static str,
    /// What that means.
    pub meaning: &'static str,
    /// The rules at stake.
    pub themes: Vec<&'static str>,
    /// How often it was met.
    pub times: u64,
    /// The position from which it shows.
    pub root: String,
    /// The moves from there that it needs.
    pub path: Vec<String>,
    /// The position after them.
    pub fen: String,
    /// The depth of the question.
    pub depth: u32,
    /// The leaf nodes.
    pub expected: u128,
    /// What the program counts, if it answers.
    pub found: Option<u128>,
    /// Why it does not answer, if it does not.
    pub error: Option<String>,
    /// Legal moves that it lacks.
    pub missing: Vec<DisputedReport>,
    /// Moves that it has and that are not legal.
    pub extra: Vec<DisputedReport>,
    /// Moves that it counts wrong.
    pub wrong: Vec<WrongReport>,
    /// Of a contradiction: the move behind which counts begin to be wrong.
    pub taken_back: Option<String>,
    /// Something that is not true, but would make its moves right.
    pub as_if: Option<String>,
    /// What the moves did to castling rights and the en passant square.
    pub history: Vec<String>,
    /// Where it was met first.
    pub origin: OriginReport,
    /// A line for a test suite.
    pub epd: String,
}

/// A position and the moves to it.
#[derive(Clone, Debug, Serialize)]
pub struct OriginReport {
    /// Where the moves begin.
    pub root: String,
    /// The moves.
    pub path: Vec<String>,
}

/// A move that is missing, or that is none.
#[derive(Clone, Debug, Serialize)]
pub struct DisputedReport {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// Why it is legal or not.
    pub why: String,
    /// The rule at stake.
    pub theme: &'static str,
}

/// A move that is counted wrong.
#[derive(Clone, Debug, Serialize)]
pub struct WrongReport {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The leaf nodes below it.
    pub expected: u128,
    /// What the program counts.
    pub found: u128,
}

impl HuntReport {
    /// A report of a hunt.
    pub fn new(
        context: Context,
        engine: EngineInfo,
        seed: Option<u64>,
        hunted: &HuntSummary,
        seconds: f64,
    ) -> HuntReport {
        HuntReport {
            context,
            engine,
            seed,
            positions: hunted.positions,
            faulty: hunted.faulty,
            questions: hunted.questions,
            cut_short: hunted.cut_short,
            seconds,
            findings: hunted.findings.iter().map(FindingReport::new).collect(),
        }
    }
}

impl FindingReport {
    /// A report of a bug.
    pub fn new(finding: &Finding) -> FindingReport {
        let line = &finding.fault.path;
        let notation = line.notation();
        let comparison = finding.difference();
        let disputed = |is_missing: bool| {
            let all = finding.wrong_moves.iter().filter(|disputed| disputed.is_missing == is_missing);
            all.map(DisputedReport::new).collect()
        };
        let wrong = comparison.iter().flat_map(|comparison| &comparison.wrong).map(|wrong| WrongReport {
            played: wrong.played.to_uci(notation),
            expected: wrong.ours,
            found: wrong.theirs,
        });
        let mut themes: Vec<&str> = finding.themes().iter().map(|(theme, _)| theme.name()).collect();
        themes.dedup();
        FindingReport {
            verdict: finding.verdict.name(),
            meaning: finding.verdict.about(),
            times: finding.times,
            root: fen(line),
            path: line.uci_moves(),
            fen: line.end_setup().to_fen(),
            depth: finding.fault.depth,
            expected: perft(&line.end, finding.fault.depth),
            found: comparison.map(|comparison| comparison.theirs),
            error: finding.error().map(ToString::to_string),
            missing: disputed(true),
            extra: disputed(false),
            wrong: wrong.collect(),
            taken_back: finding.taken_back().map(|played| played.to_uci(notation)),
            as_if: finding.hypothesis.clone(),
            history: explain_path(&line.root, &line.moves),
            origin: OriginReport { root: fen(&finding.origin), path: finding.origin.uci_moves() },
            epd: epd(finding, &themes),
            themes,
        }
    }
}

impl DisputedReport {
    fn new(disputed: &WrongMove) -> DisputedReport {
        DisputedReport {
            played: disputed.text.clone(),
            why: disputed.why.text.clone(),
            theme: disputed.why.theme.name(),
        }
    }
}

fn fen(line: &MovePath) -> String {
    setup_of(&line.root).to_fen()
}

/// The position from which a bug shows, with the known counts down to the depth that shows it.
fn epd(finding: &Finding, themes: &[&str]) -> String {
    let line = &finding.fault.path;
    let depths = 1..=line.moves.len() as u32 + finding.fault.depth;
    let counts: Vec<String> =
        depths.map(|depth| format!(" ;D{depth} {}", perft(&line.root, depth))).collect();
    let name = themes.first().copied().unwrap_or(finding.verdict.name());
    let why = match finding.wrong_moves.first() {
        Some(disputed) => disputed.why.text.clone(),
        None => finding.verdict.about().to_owned(),
    };
    let chess960 = if line.notation() == CastlingNotation::Chess960 { "chess960-" } else { "" };
    format!(
        "{}{} ;id \"hunt-{chess960}{name}\" ;c0 \"{}: {why}\"",
        fen(line),
        counts.concat(),
        finding.verdict.name()
    )
}
