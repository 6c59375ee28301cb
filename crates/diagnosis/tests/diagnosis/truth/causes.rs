//! Checks the causes that a finding reports.
//!
//! A model of a rule is checked against the log: it must reproduce every answer about the position of the finding,
//! except those that are told as unknown. If it gives another count where the program is right, the log refutes it. For
//! other models, a table says of which bugs they are true.

use std::collections::BTreeMap;

use perft_diagnosis::mutations::RuleModel;
use perft_diagnosis::source::Question;
use perft_diagnosis::{Finding, Model};
use perft_testing::wrong::Bug;
use perft_testing::wrong::program::{Entry, Planted, answer_of, path_of};

use super::facts::{Facts, is_right};

/// Returns sentences about the causes of a finding, and whether each is true.
pub fn cause_sentences(finding: &Finding, facts: &Facts, planted: Planted) -> Vec<(String, bool)> {
    let models = &finding.causes.models;
    let mut told = Vec::new();
    for model in models {
        if let Model::Rule(rule) = model {
            let others = facts.about(&finding.fault.path.end).filter(|entry| !gives(*rule, entry)).count();
            let reproduces = others <= finding.causes.unknown;
            told.push((format!("cause reproduces all answers: {}", model.name()), reproduces));
        }
    }
    // If there are several causes, at least one of them must be true.
    let names: Vec<String> = models.iter().map(|model| model.name()).collect();
    if models.iter().any(|model| !matches!(model, Model::Rule(_))) {
        told.push((
            format!("cause: {}", names.join(", ")),
            names.iter().any(|name| is_true_of(name, planted)),
        ));
    }
    if let (Planted::Rule(rule), false) = (planted, models.is_empty()) {
        let names: Vec<String> = models.iter().map(|model| model.name()).collect();
        told.push((format!("one of these: {}", names.join(", ")), is_named(models, rule, facts)));
    }
    told
}

/// Whether a finding names the planted model, or one with the same answers.
pub fn names_planted(finding: &Finding, facts: &Facts, planted: Planted) -> bool {
    matches!(planted, Planted::Rule(rule) if is_named(&finding.causes.models, rule, facts))
}

/// Whether a model is in a list, or gives the same answers as one in the list.
fn is_named(models: &[Model], planted: RuleModel, facts: &Facts) -> bool {
    let is_same = |model: &Model| match model {
        Model::Rule(rule) => facts.quick().all(|entry| gives(*rule, entry)),
        model => is_true_of(&model.name(), Planted::Rule(planted)),
    };
    models.contains(&Model::Rule(planted)) || models.iter().any(is_same)
}

/// Returns the causes of a finding that give another count where the program is right, with the question.
pub fn refuted(finding: &Finding, facts: &Facts) -> Vec<String> {
    let right: Vec<&Entry> = facts.quick().filter(|entry| is_right(entry)).collect();
    let rules = finding.causes.models.iter().filter_map(|model| match model {
        Model::Rule(rule) => Some(*rule),
        _ => None,
    });
    let refuting = |rule: RuleModel| {
        let entry = right.iter().find(|entry| !gives(rule, entry))?;
        let Question { fen, moves, depth, .. } = &entry.question;
        Some(format!("{}, but {fen} {} at depth {depth} is right", rule.name(), moves.join(" ")))
    };
    rules.filter_map(refuting).collect()
}

/// Whether a model gives an answer.
fn gives(rule: RuleModel, entry: &Entry) -> bool {
    let Entry { question, answer } = entry;
    if answer.moves.is_empty() && answer.stated_total.is_some() {
        return i128::from(rule.count(&path_of(question), question.depth)) == answer.total();
    }
    sorted(&answer_of(rule, question).moves) == sorted(&answer.moves)
}

fn sorted(moves: &[(String, u128)]) -> BTreeMap<(&str, u128), usize> {
    let mut times = BTreeMap::new();
    moves.iter().for_each(|(text, nodes)| *times.entry((text.as_str(), *nodes)).or_default() += 1);
    times
}

/// Whether a cause that is not a rule is true of a program.
fn is_true_of(cause: &str, planted: Planted) -> bool {
    match planted {
        Planted::Rule(rule) => rule.name().contains(cause),
        Planted::Bugs(bugs) => Bug::ALL.iter().any(|&bug| bugs.has(bug) && causes(bug).contains(&cause)),
    }
}

/// Returns the names of the models of a bug, other than rules.
fn causes(bug: Bug) -> &'static [&'static str] {
    match bug {
        Bug::ListEnds40 => &["list-ends-at-40"],
        Bug::ListEnds64 => &["list-ends-at-64"],
        Bug::Counts16Bits => &["low-16-bits"],
        Bug::OnePlyLess => &["depth-one-less"],
        Bug::AllNodes => &["all-nodes"],
        Bug::FiftyMoves => &["fifty-moves-end"],
        Bug::FiftyPlies => &["fifty-plies-end"],
        Bug::Repetition => &["repetition-ends"],
        Bug::InsufficientMaterial => &["insufficient-material-ends"],
        Bug::RefusesUselessEnPassant => &["position-stays", "start-stays"],
        Bug::TurnUnread => &["turn-unread"],
        Bug::LastMoveUnread => &["last-move-unplayed"],
        _ => &[],
    }
}
