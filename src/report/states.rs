//! The report of `perft hunt --state`: wrong FENs and wrong keys of an engine.

use perft_diagnosis::state::{ClockedPath, StateAbilities, StateFinding, StateSummary};
use serde::Serialize;

use super::Provenance;
use super::hunt::{OriginReport, impossible_note};
use super::suite::{EngineInfo, ability_notes};
use crate::engine::EngineSpec;

/// The result of a search for wrong states.
#[derive(Clone, Debug, Serialize)]
pub struct StatesReport {
    /// How the right states were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine.
    pub engine: EngineInfo,
    /// The line that makes the engine print its state.
    pub ask_state: String,
    /// What the engine prints.
    pub prints: PrintsReport,
    /// The seed of the positions, if they were random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether everything was asked that should be. `false` if the command was interrupted.
    pub complete: bool,
    /// The number of positions that the engine was asked about.
    pub positions: usize,
    /// The number of positions with a wrong or missing state.
    pub faulty: usize,
    /// The number of questions.
    pub questions: u64,
    /// The number of positions that were left early, because the limit of questions was reached.
    pub cut_short: usize,
    /// The number of Chess960 positions that were left out, because the engine does not play Chess960.
    pub left_out_chess960: usize,
    /// The number of positions that were left out because no game reaches them.
    pub left_out_impossible: usize,
    /// What was not compared, in sentences.
    pub notes: Vec<String>,
    /// The time in seconds.
    pub seconds: f64,
    /// The bugs, in the order in which they were found.
    pub findings: Vec<StateFindingReport>,
}

/// What an engine prints about its position.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PrintsReport {
    /// Whether it prints a FEN.
    pub fen: bool,
    /// Whether it prints a key.
    pub key: bool,
    /// Whether its FEN has a half-move clock.
    pub halfmove_clock: bool,
    /// Whether its FEN has a move number.
    pub move_number: bool,
}

/// A bug in the states of an engine.
#[derive(Clone, Debug, Serialize)]
pub struct StateFindingReport {
    /// The kind of bug: `setup`, `make`, `unmake`, `same-key` or `no-answer`.
    pub verdict: &'static str,
    /// The meaning of that kind.
    pub meaning: &'static str,
    /// The wrong field: `board`, `side-to-move`, `castling-rights`, `en-passant-square`, `half-move-clock`, `move-number` or
    /// `key`. It is `null` if there is no answer.
    pub field: Option<&'static str>,
    /// The kind of move after which it is wrong, or the part of a position that the key ignores.
    pub cause: Option<&'static str>,
    /// What is wrong, in a sentence.
    pub text: String,
    /// How often it was found.
    pub times: u64,
    /// The FEN of the position from which the bug can be reproduced.
    pub root: String,
    /// The moves from there that reproduce it.
    pub path: Vec<String>,
    /// The FEN of the position after these moves.
    pub fen: String,
    /// The depth of the count that leaves the state wrong; 0 if no count is needed.
    pub depth: u32,
    /// What the engine should print in this field, if only one text is right.
    pub expected: Option<String>,
    /// What the engine prints in this field.
    pub found: Option<String>,
    /// The FEN of the position whose key was compared.
    pub other: Option<String>,
    /// Why the engine does not answer, if it does not.
    pub error: Option<String>,
    /// The position and the moves in which it was first found.
    pub origin: OriginReport,
}

impl PrintsReport {
    /// Describes what an engine prints.
    pub fn new(prints: StateAbilities) -> PrintsReport {
        let StateAbilities { fen, key, halfmove_clock, move_number } = prints;
        PrintsReport { fen, key, halfmove_clock, move_number }
    }

    /// Returns what is printed in words: `FEN and key`, `FEN`, `key`.
    pub fn words(&self) -> &'static str {
        match (self.fen, self.key) {
            (true, true) => "FEN and key",
            (true, false) => "FEN, but no key",
            (false, true) => "key, but no FEN",
            (false, false) => "neither FEN nor key",
        }
    }
}

impl StateFindingReport {
    /// Makes a report of a bug.
    pub fn new(finding: &StateFinding) -> StateFindingReport {
        let shown = |text: &String| (!text.is_empty()).then(|| text.clone());
        StateFindingReport {
            verdict: finding.verdict.name(),
            meaning: finding.about(),
            field: finding.field.map(|field| field.name()),
            cause: finding.cause.map(|cause| cause.name()),
            text: finding.text.clone(),
            times: finding.times,
            root: finding.at.root_setup().to_fen(),
            path: finding.at.path.uci_moves(),
            fen: finding.at.end_setup().to_fen(),
            depth: finding.depth,
            expected: shown(&finding.expected),
            found: shown(&finding.found),
            other: finding.other.clone(),
            error: finding.error.as_ref().map(ToString::to_string),
            origin: origin(&finding.origin),
        }
    }
}

fn origin(at: &ClockedPath) -> OriginReport {
    OriginReport { root: at.root_setup().to_fen(), path: at.path.uci_moves() }
}

/// Returns what was not compared, in sentences without a full stop.
pub fn state_notes(hunted: &StateSummary, spec: &EngineSpec, left_out_impossible: usize) -> Vec<String> {
    let mut notes = ability_notes(&Default::default(), hunted.left_out_chess960);
    let prints = hunted.prints;
    let mut add = |is_missing: bool, note: &str| {
        if is_missing {
            notes.push(note.to_owned());
        }
    };
    add(!prints.fen, "the engine prints no FEN: only its keys were compared");
    add(!prints.key, "the engine prints no key: only its FENs were compared");
    add(prints.fen && !prints.halfmove_clock, "the engine prints no half-move clock, or always the same one");
    add(prints.fen && !prints.move_number, "the engine prints no move number, or always the same one");
    let line = spec.ask_state.as_deref().unwrap_or_default();
    let plays_moves = spec.asking.state_plays_moves(&spec.command, line);
    add(!plays_moves, "the engine is not told moves: it gets each position as a FEN");
    add(
        !spec.prints_after_count(),
        "states after a count were not compared: the engine does not count in its position",
    );
    notes.extend(impossible_note(left_out_impossible));
    notes
}
