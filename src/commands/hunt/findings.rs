//! The three kinds of hunts: for wrong counts, for wrong states, and for differences from a reference. Each has a
//! function that runs it, and its findings as text.

use std::io::Write;
use std::iter::repeat;
use std::process::ExitCode;

use anstyle::AnsiColor;
use perft_core::{Setup, StopSignal, suite};
use perft_diagnosis::source::{CountSource, SourceError};
use perft_diagnosis::state::{StateFacts, StateFinding, StateVerdict, hunt_states};
use perft_diagnosis::{
    CountFacts, Disagreement, DisagreementKind, Drawing, Finding, FindingText, HuntTarget, MovePath,
    ReferenceFacts, ReferenceTarget, SearchOptions, Verdict, compare_with_reference, hunt,
};

use super::report::{Found, Hunt, HuntReport};
use crate::engine::{Engine, EngineSpec, find_state};
use crate::input::{NamedEngine, command, comparison};
use crate::output::error::ENGINE_FAILED;
use crate::output::{CliError, Format, WaitNote, agreeing, grouped, number_of, styled, with_sign};
use crate::report::engine::{PrinterReport, ability_notes, impossible_note};

/// Hunts for wrong counts.
///
/// # Errors
/// Nothing was asked, the hunt is interrupted, or the output cannot be written.
pub fn hunt_counts(
    job: &Hunt,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let mut report: HuntReport<Finding> =
        job.run(out, |on_event| hunt(target, || job.source(0), job.options, &job.context.stop, on_event))?;
    report.states = wrong_states(&report, job);
    if job.args.output.format() == Format::Text && !job.args.epd {
        report.states.iter().try_for_each(|found| job.write(found, "wrong state", out))?;
    }
    report.notes = count_notes(&report);
    report.next = next(&report.summary.findings, job);
    let refused = report.summary.source.refused;
    let is_all_refused = refused > 0 && refused >= report.summary.questions;
    report.conclude(job, is_all_refused, out)
}

/// Compares the states that an engine prints, if it prints any, where a wrong count may come from a wrong state. Returns what
/// is wrong.
fn wrong_states(report: &HuntReport<Finding>, job: &Hunt) -> Vec<StateFinding> {
    let may_be_of_state = |bug: &&Finding| {
        let Finding { verdict, .. } = bug;
        matches!(verdict, Verdict::Make | Verdict::Unmake | Verdict::Contradiction | Verdict::NotRepeated)
    };
    let bugs = report.summary.findings.iter().filter(may_be_of_state);
    let mut paths: Vec<MovePath> = bugs.map(|bug| bug.fault.path.clone()).collect();
    if paths.is_empty() || !report.summary.is_complete {
        return Vec::new();
    }
    let Ok(Some((spec, _))) = find_state(&job.engines[0].1, &job.context.stop) else { return Vec::new() };
    paths.extend(suite::named().cases.iter().map(|case| MovePath::new(case.position)));
    let target = |number: usize| Some(HuntTarget { path: paths.get(number)?.clone(), depths: vec![1] });
    let source = || Box::new(Engine::new(spec.clone())) as Box<dyn CountSource>;
    let options = SearchOptions { findings: MOST_STATES, ..job.options };
    let summary = hunt_states(target, source, options, &job.context.stop, |_| {});
    summary.findings.into_iter().filter(StateFinding::is_wrong).collect()
}

/// The largest number of wrong states that a hunt for wrong counts tells.
const MOST_STATES: usize = 3;

/// Returns sentences, without a full stop, about what was not asked or cannot be determined.
fn count_notes(report: &HuntReport<Finding>) -> Vec<String> {
    let (summary, facts) = (&report.summary, &report.summary.source);
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
        .chain(impossible_note(report.left_out_impossible))
        .collect()
}

/// Returns the line with the command to run next: it asks about the first bug again, or hunts on if there is no bug.
fn next(findings: &[Finding], job: &Hunt) -> Option<String> {
    if findings.is_empty() {
        return Some(format!("next: {}", job.next.as_ref()?));
    }
    let bug = &findings.iter().find(|finding| finding.epd_line().is_some())?.fault;
    let words = comparison(&bug.path.question(bug.depth), Some(&job.engines[0].0));
    Some(format!("after a fix: {}", command(words, job.context)?))
}

impl Found for Finding {
    type Facts = CountFacts;
    const REPORT: &'static str = "hunt";
    const FAULTY: &'static str = "without the right answer";

    fn is_wrong(&self) -> bool {
        self.fault.difference.is_wrong()
    }

    fn word(&self) -> &'static str {
        if self.verdict == Verdict::Unread { "answer" } else { "bug" }
    }

    fn name(&self) -> String {
        Finding::name(self)
    }

    fn times(&self) -> Option<u64> {
        Some(self.times)
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Finding::drawing(self))
    }

    fn text(&self, hunt: &Hunt) -> FindingText {
        let mut text = Finding::text(self);
        if let Some(epd) = self.epd_line() {
            let by_hand = hunt.engines[0].1.by_hand(&self.question()).unwrap_or_default();
            let words = ["by hand"].into_iter().chain(repeat(""));
            by_hand.iter().zip(words).for_each(|(line, word)| text.add_whole(word, line));
            text.add_whole("suite", epd);
        }
        text
    }

    /// Returns the line if a question about its position shows the bug, so that the position belongs in a suite.
    fn epd_line(&self) -> Option<String> {
        let is_shown = !matches!(self.verdict, Verdict::Unread | Verdict::NotRepeated);
        is_shown.then(|| self.epd.clone())
    }
}

/// Hunts for wrong states.
///
/// # Errors
/// Nothing was asked, the hunt is interrupted, or the output cannot be written.
pub fn hunt_for_states(
    job: &Hunt,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let mut report: HuntReport<StateFinding> = job.run(out, |on_event| {
        hunt_states(target, || job.source(0), job.options, &job.context.stop, on_event)
    })?;
    let ask_state = job.engines[0].1.ask_state.clone().unwrap_or_default();
    report.notes = state_notes(&report, &job.engines[0].1, &ask_state);
    report.state = Some(PrinterReport { ask_state, prints: report.summary.source.prints });
    report.conclude(job, false, out)
}

/// Returns sentences, without a full stop, about what was not compared.
fn state_notes(report: &HuntReport<StateFinding>, spec: &EngineSpec, ask_state: &str) -> Vec<String> {
    let prints = report.summary.source.prints;
    let notes = [
        (!prints.fen, "the engine prints no FEN: only its keys were compared"),
        (!prints.key, "the engine prints no key: only its FENs were compared"),
        (prints.fen && !prints.halfmove_clock, "the engine prints no halfmove clock, or always the same one"),
        (prints.fen && !prints.move_number, "the engine prints no move number, or always the same one"),
        (!spec.state_plays_moves(ask_state), "the engine is not told moves: it gets each position as a FEN"),
        (
            !spec.prints_after_count(),
            "states after a count were not compared: the engine does not count in its position",
        ),
    ];
    let told = notes.into_iter().filter(|(is_told, _)| *is_told).map(|(_, note)| note.to_owned());
    let chess960 = ability_notes(&Default::default(), report.summary.left_out_chess960);
    chess960.into_iter().chain(told).chain(impossible_note(report.left_out_impossible)).collect()
}

/// Finds the command by which an engine prints its FEN or its key. The engine need not know perft.
///
/// # Errors
/// The engine does not start, or prints no state.
pub fn probe_state_engine(named: &NamedEngine, stop: &StopSignal) -> Result<EngineSpec, CliError> {
    let probed = named.clone().probe(&[], stop);
    let spec = probed.map_or_else(|_| named.spec.clone().without_counts(), |(spec, _)| spec);
    let _patience = WaitNote::at_work(format!("finding out how {} prints its FEN or its key", named.text));
    let found = find_state(&spec, stop).map_err(|error| named.engines.start_error(&named.text, error))?;
    found.map(|(spec, _)| spec).ok_or_else(|| {
        let message = match &spec.ask_state {
            Some(line) => format!("the engine prints neither a FEN nor a key after '{line}'"),
            None => "found no command after which the engine prints its FEN or its key".to_owned(),
        };
        CliError::failed(ENGINE_FAILED, message).help("if it has one, give it: --ask-state 'LINE'")
    })
}

impl Found for StateFinding {
    type Facts = StateFacts;
    const REPORT: &'static str = "hunt_state";
    const FAULTY: &'static str = "with a wrong state";

    fn is_wrong(&self) -> bool {
        self.verdict != StateVerdict::NoAnswer
    }

    fn name(&self) -> String {
        let field = self.field.map(|field| field.name());
        let cause = self.cause().map(|cause| cause.name());
        [Some(self.verdict.name()), field, cause].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn times(&self) -> Option<u64> {
        Some(self.times)
    }

    fn drawing(&self) -> Option<Drawing> {
        Some(Drawing::of_path(&self.at))
    }

    fn text(&self, _: &Hunt) -> FindingText {
        let root = self.at.root_setup().to_fen();
        let mut text = FindingText::default();
        text.add_whole("position", self.at.end_setup().to_fen());
        if !self.at.moves.is_empty() {
            text.add_whole("reached", self.at.question(0));
        }
        text.add("wrong", &self.text);
        add_values(self, &mut text);
        text.add("verdict", format!("{}: {}", self.verdict.name(), self.about()));
        let origin = self.origin.question(0).to_string();
        if origin != root {
            text.add_whole("met in", origin);
        }
        text
    }

    fn epd_line(&self) -> Option<String> {
        Some(format!("position fen {}", self.at.question(0)))
    }
}

/// Adds the values that were compared. If two keys differ, it is not known which one is right.
fn add_values(bug: &StateFinding, text: &mut FindingText) {
    let StateFinding { expected, found, .. } = bug;
    match &bug.other {
        _ if found.is_empty() => {}
        Some(other) if expected.is_empty() => {
            text.add_whole("key", found);
            text.add_whole("", format!("also for position fen {other}"));
        }
        Some(other) => {
            text.add_whole("key", format!("{found} after the moves"));
            text.add_whole("", format!("{expected} for position fen {other}"));
        }
        None if expected.is_empty() => text.add_whole("printed", found),
        None if bug.depth > 0 => {
            text.add_whole("printed", format!("{expected} before the count, {found} after it"));
        }
        None => {
            text.add_whole("printed", found);
            text.add_whole("right", expected);
        }
    }
}

/// Compares an engine with a reference. They may play a variant of chess.
///
/// # Errors
/// Nothing was asked, the comparison is interrupted, or the output cannot be written.
pub fn compare(
    mut job: Hunt,
    target: &(dyn Fn(usize) -> Option<ReferenceTarget> + Sync),
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    job.options.is_variant = job.engines.iter().flat_map(|(_, spec)| &spec.options).any(|(name, value)| {
        let is_chess = ["chess", "standard", "normal"].contains(&value.as_str());
        name.eq_ignore_ascii_case("UCI_Variant") && !is_chess
    });
    let mut report: HuntReport<Disagreement> = job.run(out, |on_event| {
        let engines = || [job.source(0), job.source(1)];
        compare_with_reference(target, engines, job.options, &job.context.stop, on_event)
    })?;
    let unanswered = report.summary.source.unanswered;
    report.unanswered_positions = Some(unanswered);
    report.notes = difference_notes(&report);
    let is_all_unanswered = unanswered > 0 && unanswered == report.summary.positions;
    report.conclude(&job, is_all_unanswered, out)
}

/// Returns sentences about what was not asked or did not repeat.
fn difference_notes(report: &HuntReport<Disagreement>) -> Vec<String> {
    let summary = &report.summary;
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
    notes.chain(impossible_note(report.left_out_impossible)).collect()
}

/// The number of moves with different counts that are shown.
const SHOWN_COUNTS: usize = 5;

impl Found for Disagreement {
    type Facts = ReferenceFacts;
    const REPORT: &'static str = "hunt_reference";
    const FAULTY: &'static str = "answered differently";
    const SHOWN: usize = 10;

    fn is_wrong(&self) -> bool {
        self.answers.is_understood()
    }

    fn word(&self) -> &'static str {
        "difference"
    }

    fn name(&self) -> String {
        self.kind.about().to_owned()
    }

    fn drawing(&self) -> Option<Drawing> {
        self.question.end().ok().map(|end| Drawing::new(&Setup::from(&end)))
    }

    fn text(&self, hunt: &Hunt) -> FindingText {
        let Disagreement { question, answers, origin, .. } = self;
        let mut text = FindingText::default();
        match question.end_fen() {
            Ok(end) if !question.moves.is_empty() => {
                text.add_whole("position", end);
                text.add_whole("reached", question);
            }
            _ => text.add_whole("position", question),
        }
        add_answers(self, &hunt.short_names(), &mut text);
        answers.unread.iter().for_each(|line| text.add_whole("unread", line));
        if (&origin.fen, &origin.moves) != (&question.fen, &question.moves) {
            text.add_whole("met in", format!("{origin}, depth {}", origin.depth));
        }
        text
    }

    fn epd_line(&self) -> Option<String> {
        None
    }

    fn result(report: &HuntReport<Disagreement>) -> String {
        match report.summary.findings.len() {
            0 if !report.summary.is_complete => styled("no difference so far", AnsiColor::Yellow),
            0 => styled("no difference", AnsiColor::Green),
            _ => styled("they differ", AnsiColor::Red),
        }
    }
}

/// Adds the counts and the moves of both engines, and which engine is right in chess.
fn add_answers(found: &Disagreement, names: &[&str], text: &mut FindingText) {
    let Disagreement { question, answers, judgement, .. } = found;
    let depth = format!("depth {}", question.depth);
    if let Some((index, error)) = answers.missing_answer() {
        return text.add(&depth, format!("{}: {error}", names[index]));
    }
    let both = |[one, other]: [i128; 2]| {
        let [one, other] = [one, other].map(|total| with_sign(total, grouped));
        format!("{} counts {one}, {} {other}", names[0], names[1])
    };
    text.add_whole(&depth, both(answers.totals));
    for (name, moves) in names.iter().zip([&answers.only_first, &answers.only_second]) {
        if !moves.is_empty() {
            text.add("only", format!("{name}: {}", moves.join(" ")));
        }
    }
    for (played, counts) in answers.counts.iter().take(SHOWN_COUNTS) {
        text.add_whole("below", format!("{played}: {}", both(counts.map(|nodes| nodes as i128))));
    }
    if answers.counts.len() > SHOWN_COUNTS {
        let more = number_of(answers.counts.len() - SHOWN_COUNTS, "more move");
        text.add_whole("", format!("... and {more}"));
    }
    let Some(judgement) = judgement else { return };
    let right = match judgement.is_right {
        [true, _] => format!("{} is right", names[0]),
        [_, true] => format!("{} is right", names[1]),
        _ => "neither is right".to_owned(),
    };
    text.add_whole("in chess", format!("{right}: {}", grouped(judgement.nodes)));
    judgement.explanations.iter().for_each(|why| text.add("", why));
}
