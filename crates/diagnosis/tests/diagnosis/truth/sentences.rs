//! Checks each sentence of a finding against the log of the program and against the planted bug.

use perft_diagnosis::Finding;
use perft_testing::wrong::program::Planted;

use super::causes::{cause_sentences, refuted};
use super::facts::{Facts, is_right};
use super::kinds::{is_true, kinds};

/// Returns each sentence of a finding, and whether it is true.
pub fn sentences(finding: &Finding, facts: &Facts, planted: Planted) -> Vec<(String, bool)> {
    let mut told = Vec::new();
    moves(finding, facts, &mut told);
    numbers(finding, facts, &mut told);
    let verdict = finding.verdict;
    let is_kind = kinds(planted).into_iter().any(|kind| is_true(verdict, kind, facts.form));
    told.push((format!("kind: {}", verdict.name()), is_kind));
    told.push((format!("verdict: {}", verdict.about()), has_evidence(finding, facts)));
    told.extend(cause_sentences(finding, facts, planted));
    told.extend(refuted(finding, facts).into_iter().map(|name| (format!("refuted cause: {name}"), false)));
    told
}

/// Checks the moves that are called missing or not legal.
fn moves(finding: &Finding, facts: &Facts, told: &mut Vec<(String, bool)>) {
    let position = &finding.fault.path.end;
    for wrong in &finding.wrong_moves {
        let is_shown = match wrong.is_missing {
            true => facts.leaves_out(position, &wrong.text),
            false => facts.lists_extra(position, &wrong.text),
        };
        let word = if wrong.is_missing { "missing" } else { "extra" };
        told.push((format!("{word}: {}", wrong.why.text), is_shown));
    }
}

/// Checks the expected and the found numbers.
fn numbers(finding: &Finding, facts: &Facts, told: &mut Vec<(String, bool)>) {
    let found = &finding.fault.difference;
    if found.error.is_some() {
        return;
    }
    let (path, depth) = (&finding.fault.path, finding.fault.depth);
    let is_printed = facts.answers(path, depth).any(|entry| entry.answer.total() == found.theirs);
    let is_expected = path.end.perft(depth) == found.ours;
    told.push((format!("expected {}, found {}", found.ours, found.theirs), is_printed && is_expected));
    for wrong in &found.wrong {
        let text = wrong.played.to_uci(path.notation());
        let is_printed = facts
            .answers(path, depth)
            .any(|entry| entry.answer.moves.contains(&(text.clone(), wrong.theirs)));
        told.push((format!("wrong {text}: {}", wrong.theirs), is_printed));
    }
    if let Some(other) = &finding.other {
        let answers = facts.answers(path, depth);
        let totals: Vec<i128> = answers.map(|entry| entry.answer.total()).collect();
        let is_printed = other.error.is_none() && totals.contains(&other.theirs);
        told.push(("again in a fresh process".to_owned(), is_printed));
    }
}

/// Whether the log has the answers that a verdict is about.
fn has_evidence(finding: &Finding, facts: &Facts) -> bool {
    let (path, depth) = (&finding.fault.path, finding.fault.depth);
    let is_wrong = || facts.answers(path, depth).any(|entry| !is_right(entry));
    match finding.verdict.name() {
        "generation" | "generation-or-last-ply" => {
            facts.about_fen(&path.end, depth).any(|entry| !is_right(entry))
        }
        "make" if finding.causes.models.is_empty() => {
            !path.moves.is_empty() && is_wrong() && facts.about_fen(&path.end, depth).any(is_right)
        }
        "contradiction" => is_wrong() && is_right_below(finding, facts),
        "sum" => facts.answers(path, depth).any(|entry| entry.answer.contradicts_itself()),
        "not-repeated" => {
            let mut answers: Vec<_> = facts.answers(path, depth).map(|entry| &entry.answer).collect();
            answers.dedup();
            answers.len() > 1
        }
        "unread" | "no-answer" | "chess960" => false,
        _ => is_wrong(),
    }
}

/// Whether the program was right about the position after the first move with a wrong count. If the answer has only a
/// total, it must be right about the position after each move.
fn is_right_below(finding: &Finding, facts: &Facts) -> bool {
    let (path, depth) = (&finding.fault.path, finding.fault.depth);
    let found = &finding.fault.difference;
    if found.error.is_some() {
        return false;
    }
    let is_right_after = |played| {
        let below = path.played(played);
        let mut answers = facts.answers(&below, depth - 1);
        answers.any(is_right)
    };
    if found.lists_moves {
        found.wrong.first().is_some_and(|wrong| is_right_after(wrong.played))
    } else {
        path.end.legal_moves().into_iter().all(is_right_after)
    }
}
