//! The report of `perft hunt --state`: wrong FENs and wrong keys of an engine.

use perft_diagnosis::state::{StateAbilities, StateFinding, StateSummary};
use serde::Serialize;

use super::report::{HuntTotals, OriginReport};
use crate::commands::suite::engine_info::{ability_notes, impossible_note};
use crate::engine::EngineSpec;
use crate::output::PositionInfo;

/// The result of a search for wrong states.
#[derive(Clone, Debug, Serialize)]
pub struct StatesReport {
    /// The engine, and the numbers of positions and questions.
    #[serde(flatten)]
    pub totals: HuntTotals,
    /// How the engine is made to print its state.
    pub state: PrinterReport,
    /// The bugs, in the order in which they were found.
    pub findings: Vec<StateFindingReport>,
}

/// How an engine is made to print its FEN or its key.
#[derive(Clone, Debug, Serialize)]
pub struct PrinterReport {
    /// The line after which it prints them.
    pub ask_state: String,
    /// The parts that it prints: `fen`, `key`, and in its FEN `half-move-clock` and `move-number`.
    pub prints: Vec<&'static str>,
}

/// A bug in the states of an engine.
#[derive(Clone, Debug, Serialize)]
pub struct StateFindingReport {
    /// The kind of bug: `setup`, `make`, `unmake`, `same-key` or `no-answer`.
    pub verdict: &'static str,
    /// The meaning of that kind.
    pub meaning: &'static str,
    /// The wrong field: `board`, `side-to-move`, `castling-rights`, `en-passant-square`, `half-move-clock`,
    /// `move-number` or `key`. It is `null` if there is no answer.
    pub field: Option<&'static str>,
    /// The kind of move after which it is wrong, or the part of a position that the key ignores.
    pub cause: Option<&'static str>,
    /// The fault, as a sentence.
    pub text: String,
    /// How often it was found.
    pub seen: u64,
    /// The position from which the bug can be reproduced.
    pub root: PositionInfo,
    /// The moves from there that reproduce it.
    pub path: Vec<String>,
    /// The position after these moves.
    pub position: PositionInfo,
    /// The depth of the count that leaves the state wrong; 0 if no count is needed.
    pub depth: u32,
    /// The text that the engine should print in this field, if only one text is right.
    pub expected_text: Option<String>,
    /// The text that the engine prints in this field.
    pub found_text: Option<String>,
    /// The position whose key was compared.
    pub other: Option<PositionInfo>,
    /// Why the engine does not answer, if it does not.
    pub error: Option<String>,
    /// The position and the moves in which it was first found.
    pub origin: OriginReport,
}

impl PrinterReport {
    /// Describes the state that an engine prints after a line.
    pub fn new(ask_state: String, prints: StateAbilities) -> PrinterReport {
        let StateAbilities { fen, key, halfmove_clock, move_number } = prints;
        let all =
            [(fen, "fen"), (key, "key"), (halfmove_clock, "half-move-clock"), (move_number, "move-number")];
        let printed = all.into_iter().filter_map(|(is_printed, name)| is_printed.then_some(name));
        PrinterReport { ask_state, prints: printed.collect() }
    }

    /// Returns the printed parts in words: `FEN and key`, `FEN`, `key`.
    pub fn words(&self) -> &'static str {
        match (self.prints.contains(&"fen"), self.prints.contains(&"key")) {
            (true, true) => "FEN and key",
            (true, false) => "FEN, but no key",
            (false, true) => "key, but no FEN",
            (false, false) => "neither FEN nor key",
        }
    }
}

impl StateFindingReport {
    pub fn new(finding: &StateFinding) -> StateFindingReport {
        let shown = |text: &String| (!text.is_empty()).then(|| text.clone());
        let notation = finding.at.notation();
        StateFindingReport {
            verdict: finding.verdict.name(),
            meaning: finding.about(),
            field: finding.field.map(|field| field.name()),
            cause: finding.cause().map(|cause| cause.name()),
            text: finding.text.clone(),
            seen: finding.times,
            root: PositionInfo::root(&finding.at),
            path: finding.at.uci_moves(),
            position: PositionInfo::end(&finding.at),
            depth: finding.depth,
            expected_text: shown(&finding.expected),
            found_text: shown(&finding.found),
            other: finding.other.as_ref().map(|fen| PositionInfo::of_fen(fen.clone(), notation)),
            error: finding.error.as_ref().map(ToString::to_string),
            origin: OriginReport::new(&finding.origin),
        }
    }
}

/// Returns sentences, without a full stop, about what was not compared.
pub fn state_notes(hunted: &StateSummary, spec: &EngineSpec, left_out_impossible: usize) -> Vec<String> {
    let mut notes = ability_notes(&Default::default(), hunted.left_out_chess960);
    let prints = hunted.source.prints;
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
    let plays_moves = spec.state_plays_moves(line);
    add(!plays_moves, "the engine is not told moves: it gets each position as a FEN");
    add(
        !spec.prints_after_count(),
        "states after a count were not compared: the engine does not count in its position",
    );
    notes.extend(impossible_note(left_out_impossible));
    notes
}
