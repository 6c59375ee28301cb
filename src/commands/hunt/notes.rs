//! What a report of a hunt says beside its findings: notes about what was not asked, the wrong states behind wrong counts,
//! and the command to run next.

use perft_core::suite;
use perft_diagnosis::source::{CountSource, SourceError};
use perft_diagnosis::state::{StateAbilities, StateFinding, StateVerdict, hunt_states};
use perft_diagnosis::{
    CountFacts, Disagreement, DisagreementKind, Finding, FindingText, HuntTarget, MovePath, ReferenceFacts,
    SearchOptions, SearchSummary, Verdict,
};

use super::args::Hunt;
use crate::engine::{Engine, find_state};
use crate::input::{command, comparison};
use crate::output::{agreeing, number_of};
use crate::report::engine::{ability_notes, impossible_note};

/// Compares the states that an engine prints, if it prints any, where a wrong count may come from a wrong state. Returns what
/// is wrong.
pub fn wrong_states(summary: &SearchSummary<Finding, CountFacts>, hunt: &Hunt) -> Vec<StateFinding> {
    let may_be_of_state = |bug: &&Finding| {
        let Finding { verdict, .. } = bug;
        matches!(verdict, Verdict::Make | Verdict::Unmake | Verdict::Contradiction | Verdict::NotRepeated)
    };
    let bugs = summary.findings.iter().filter(may_be_of_state);
    let mut paths: Vec<MovePath> = bugs.map(|bug| bug.fault.path.clone()).collect();
    if paths.is_empty() || !summary.is_complete {
        return Vec::new();
    }
    let Ok(Some((spec, _))) = find_state(&hunt.engines[0], &hunt.context.stop) else { return Vec::new() };
    paths.extend(suite::named().cases.iter().map(|case| MovePath::new(case.position)));
    let target = |number: usize| Some(HuntTarget { path: paths.get(number)?.clone(), depths: vec![1] });
    let source = || Box::new(Engine::new(spec.clone())) as Box<dyn CountSource>;
    let options = SearchOptions { findings: MOST_STATES, ..hunt.options };
    let summary = hunt_states(target, source, options, &hunt.context.stop, |_| {});
    summary.findings.into_iter().filter(|found| found.verdict != StateVerdict::NoAnswer).collect()
}

/// The largest number of wrong states that a hunt for wrong counts tells.
const MOST_STATES: usize = 3;

/// Returns sentences, without a full stop, about what was not asked or cannot be determined.
pub fn count_notes(summary: &SearchSummary<Finding, CountFacts>, hunt: &Hunt) -> Vec<String> {
    let facts = &summary.source;
    let has = |is_one: fn(&Finding) -> bool| summary.findings.iter().any(is_one);
    let refused = facts.refusal.as_ref().map(|refusal| {
        let (questions, were) =
            (number_of(facts.refused, "question"), agreeing(facts.refused, "was", "were"));
        format!("{questions} {were} not answered with a count, which is no bug; the first: {refusal}")
    });
    let bugs = summary.findings.len();
    let unexplained = (facts.unexplained > 0 && bugs > 0).then(|| {
        let bugs = if bugs == 1 { "the bug" } else { "one of the bugs" };
        format!(
            "{} without the right answer: nothing shows whether {bugs} above is the reason; hunt again after a fix",
            number_of(facts.unexplained, "other position")
        )
    });
    let with_several = (facts.with_several > 0).then(|| {
        let show = agreeing(facts.with_several, "shows", "show");
        format!("{} {show} more than one of the bugs", number_of(facts.with_several, "position"))
    });
    let cases = [
        (
            !facts.abilities.plays_moves,
            "the engine is not told moves: it gets each position as a FEN, so a bug in making moves cannot be told \
             from one in taking them back",
        ),
        (
            facts.leaves_out_moves && bugs == 0,
            "the engine does not print all moves, but its counts are right: that is no bug",
        ),
        (
            has(|finding| finding.verdict == Verdict::NotRepeated),
            "to see the questions before an answer that does not repeat: --engine-log FILE",
        ),
        (
            has(|finding| matches!(finding.fault.difference.error, Some(SourceError::TimedOut(..)))),
            "if the engine needs more time, or hangs: --engine-timeout SECONDS",
        ),
    ];
    let told = cases.into_iter().filter(|(is_told, _)| *is_told).map(|(_, note)| note.to_owned());
    let abilities = ability_notes(&facts.abilities, summary.left_out_chess960).into_iter();
    abilities
        .chain(refused)
        .chain(unexplained)
        .chain(with_several)
        .chain(told)
        .chain(impossible_note(hunt.left_out))
        .collect()
}

/// Returns the line with the command to run next: it asks about the first bug again, or hunts on if there is no bug.
pub fn next(
    summary: &SearchSummary<Finding, CountFacts>,
    texts: &[FindingText],
    hunt: &Hunt,
) -> Option<String> {
    if texts.is_empty() {
        return Some(format!("next: {}", hunt.next.as_ref()?));
    }
    let shown = texts.iter().position(|text| text.epd.is_some())?;
    let bug = &summary.findings[shown].fault;
    let words = comparison(&bug.path.question(bug.depth), hunt.args.engine.text());
    Some(format!("after a fix: {}", command(words, hunt.context)?))
}

/// Returns sentences, without a full stop, about what was not compared.
pub fn state_notes(summary: &SearchSummary<StateFinding, StateAbilities>, hunt: &Hunt) -> Vec<String> {
    let (prints, spec) = (summary.source, &hunt.engines[0]);
    let notes = [
        (!prints.fen, "the engine prints no FEN: only its keys were compared"),
        (!prints.key, "the engine prints no key: only its FENs were compared"),
        (prints.fen && !prints.halfmove_clock, "the engine prints no halfmove clock, or always the same one"),
        (prints.fen && !prints.move_number, "the engine prints no move number, or always the same one"),
        (!spec.state_plays_moves(), "the engine is not told moves: it gets each position as a FEN"),
        (
            !spec.prints_after_count(),
            "states after a count were not compared: the engine does not count in its position",
        ),
    ];
    let told = notes.into_iter().filter(|(is_told, _)| *is_told).map(|(_, note)| note.to_owned());
    let chess960 = ability_notes(&Default::default(), summary.left_out_chess960);
    chess960.into_iter().chain(told).chain(impossible_note(hunt.left_out)).collect()
}

/// Returns sentences about what was not asked or did not repeat.
pub fn difference_notes(summary: &SearchSummary<Disagreement, ReferenceFacts>, hunt: &Hunt) -> Vec<String> {
    let not_repeated = summary.findings.iter().filter(|found| found.kind == DisagreementKind::NotRepeated);
    let cases = [
        (summary.source.unanswered, "neither of them answered the question about"),
        (
            summary.left_out_chess960,
            "one of them does not announce Chess960 or does not read the castling rights, so nothing was asked about",
        ),
        (not_repeated.map(|found| found.times as usize).sum(), "fresh processes did not differ again in"),
    ];
    let told = cases.into_iter().filter(|(number, _)| *number > 0);
    let notes = told.map(|(number, text)| format!("{text} {}", number_of(number, "position")));
    notes.chain(impossible_note(hunt.left_out)).collect()
}
