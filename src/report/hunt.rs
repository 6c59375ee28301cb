//! The report of `perft hunt`: the bugs of an engine.

use perft_core::{CastlingNotation, perft};
use perft_diagnosis::random::setup_of;
use perft_diagnosis::{Finding, HuntSummary, MovePath, WrongMove, explain_path};
use serde::Serialize;

use super::Provenance;
use super::suite::EngineInfo;

/// The result of a search for bugs.
#[derive(Clone, Debug, Serialize)]
pub struct HuntReport {
    /// How the correct counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine.
    pub engine: EngineInfo,
    /// The seed of the positions, if they were random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The number of positions that the engine was asked about.
    pub positions: usize,
    /// The number of positions with a wrong or missing answer.
    pub faulty: usize,
    /// The number of questions.
    pub questions: u64,
    /// The number of positions that were left early, because the limit of questions was reached.
    pub cut_short: usize,
    /// The time in seconds.
    pub seconds: f64,
    /// The bugs, the most frequent one first.
    pub findings: Vec<FindingReport>,
}

/// A bug.
#[derive(Clone, Debug, Serialize)]
pub struct FindingReport {
    /// The kind of bug: `generation`, `make`, `unmake`, `sum` or `no-answer`.
    pub verdict: &'static str,
    /// The meaning of that kind.
    pub meaning: &'static str,
    /// The rules that the bug concerns.
    pub themes: Vec<&'static str>,
    /// How often it was found.
    pub times: u64,
    /// The FEN of the position from which the bug can be reproduced.
    pub root: String,
    /// The moves from there that reproduce it.
    pub path: Vec<String>,
    /// The FEN of the position after these moves.
    pub fen: String,
    /// The depth of the question in plies.
    pub depth: u32,
    /// The correct number of leaf nodes.
    pub expected: u128,
    /// The number that the engine counts, if it answers.
    pub found: Option<u128>,
    /// Why the engine does not answer, if it does not.
    pub error: Option<String>,
    /// The legal moves that the engine does not have.
    pub missing: Vec<WrongMoveReport>,
    /// The moves of the engine that are not legal.
    pub extra: Vec<WrongMoveReport>,
    /// The moves with a wrong count.
    pub wrong: Vec<WrongCountReport>,
    /// The move after which counts become wrong, if the engine contradicts itself.
    pub taken_back: Option<String>,
    /// A statement about the position that is false but would make the answer right.
    pub as_if: Option<String>,
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
    /// The FEN of the position before the moves.
    pub root: String,
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

impl HuntReport {
    /// Makes a report of a search.
    pub fn new(
        provenance: Provenance,
        engine: EngineInfo,
        seed: Option<u64>,
        hunted: &HuntSummary,
        seconds: f64,
    ) -> HuntReport {
        HuntReport {
            provenance,
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
    /// Makes a report of a bug.
    pub fn new(finding: &Finding) -> FindingReport {
        let path = &finding.fault.path;
        let notation = path.notation();
        let difference = finding.difference();
        let wrong_moves = |is_missing: bool| {
            let all = finding.wrong_moves.iter().filter(|wrong| wrong.is_missing == is_missing);
            all.map(WrongMoveReport::new).collect()
        };
        let wrong_counts =
            difference.iter().flat_map(|difference| &difference.wrong).map(|wrong| WrongCountReport {
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
            root: fen(path),
            path: path.uci_moves(),
            fen: path.end_setup().to_fen(),
            depth: finding.fault.depth,
            expected: perft(&path.end, finding.fault.depth),
            found: difference.map(|difference| difference.theirs),
            error: finding.error().map(ToString::to_string),
            missing: wrong_moves(true),
            extra: wrong_moves(false),
            wrong: wrong_counts.collect(),
            taken_back: finding.taken_back().map(|played| played.to_uci(notation)),
            as_if: finding.hypothesis.clone(),
            history: explain_path(&path.root, &path.moves),
            origin: OriginReport { root: fen(&finding.origin), path: finding.origin.uci_moves() },
            epd: epd(finding, &themes),
            themes,
        }
    }
}

impl WrongMoveReport {
    fn new(wrong: &WrongMove) -> WrongMoveReport {
        WrongMoveReport {
            played: wrong.text.clone(),
            why: wrong.why.text.clone(),
            theme: wrong.why.theme.name(),
        }
    }
}

fn fen(path: &MovePath) -> String {
    setup_of(&path.root).to_fen()
}

/// Returns an EPD line with the position that reproduces a bug and its correct counts, up to the depth that shows it.
fn epd(finding: &Finding, themes: &[&str]) -> String {
    let path = &finding.fault.path;
    let depths = 1..=path.moves.len() as u32 + finding.fault.depth;
    let counts: Vec<String> =
        depths.map(|depth| format!(" ;D{depth} {}", perft(&path.root, depth))).collect();
    let name = themes.first().copied().unwrap_or(finding.verdict.name());
    let why = match finding.wrong_moves.first() {
        Some(wrong) => wrong.why.text.clone(),
        None => finding.verdict.about().to_owned(),
    };
    let chess960 = if path.notation() == CastlingNotation::Chess960 { "chess960-" } else { "" };
    format!(
        "{}{} ;id \"hunt-{chess960}{name}\" ;c0 \"{}: {why}\"",
        fen(path),
        counts.concat(),
        finding.verdict.name()
    )
}
