//! The three kinds of hunts: for wrong counts, for wrong states, and for differences from a reference. Each runs under a
//! progress bar, and prints its findings when they are found and its report at the end.

use std::io::{self, Write};
use std::iter::repeat;
use std::process::ExitCode;
use std::time::Instant;

use anstyle::AnsiColor;
use perft_core::suite::builtin;
use perft_count::CpuPath;
use perft_diagnosis::source::CountSource;
use perft_diagnosis::state::{StateAbilities, StateFinding, hunt_states};
use perft_diagnosis::{
    CountFacts, Disagreement, Finding, FindingLine, FindingText, HuntTarget, MovePath, ReferenceFacts,
    ReferenceTarget, SearchSummary, compare_with_reference,
};
use serde::Serialize;

use super::args::Hunt;
use super::notes::{count_notes, difference_notes, next, state_notes, wrong_states};
use crate::engine::Engine;
use crate::output::marks::{board, label};
use crate::output::standard_output::print_above;
use crate::output::{
    CliError, CountMode, Format, INCOMPLETE, Provenance, Report, Settings, emit, exit_code, folded, grouped,
    incomplete_line, number_of, progress_bar, styled,
};
use crate::report::engine::{EngineInfo, INDENT, PrinterReport, check_asked};
use crate::system::command_line::file_name;

/// Hunts for wrong counts.
///
/// # Errors
/// Nothing was asked, the hunt is interrupted, or the output cannot be written.
pub fn hunt_counts(
    hunt: &Hunt,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let mut report: HuntReport<Finding> = hunt.run(out, |on_event| {
        perft_diagnosis::hunt(target, || hunt.source(0), hunt.options, &hunt.context.stop, on_event)
    })?;
    report.states = wrong_states(&report.summary, hunt);
    if hunt.args.output.format() == Format::Text && !hunt.args.epd {
        report.states.iter().try_for_each(|found| hunt.write(&found.to_text(), "wrong state", out))?;
    }
    report.notes = count_notes(&report.summary, hunt);
    report.next = next(&report.summary, &report.texts, hunt);
    let refused = report.summary.source.refused;
    let is_all_refused = refused > 0 && refused >= report.summary.questions;
    report.conclude(hunt, is_all_refused, out)
}

/// Hunts for wrong states.
///
/// # Errors
/// Nothing was asked, the hunt is interrupted, or the output cannot be written.
pub fn hunt_for_states(
    hunt: &Hunt,
    target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    let mut report: HuntReport<StateFinding> = hunt.run(out, |on_event| {
        hunt_states(target, || hunt.source(0), hunt.options, &hunt.context.stop, on_event)
    })?;
    let ask_state = hunt.engines[0].ask_state.clone().unwrap_or_default();
    report.notes = state_notes(&report.summary, hunt);
    report.state = Some(PrinterReport { ask_state, prints: report.summary.source });
    report.conclude(hunt, false, out)
}

/// Compares an engine with a reference. They may play a variant of chess.
///
/// # Errors
/// Nothing was asked, the comparison is interrupted, or the output cannot be written.
pub fn compare(
    mut hunt: Hunt,
    target: &(dyn Fn(usize) -> Option<ReferenceTarget> + Sync),
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    hunt.options.is_variant = hunt.engines.iter().flat_map(|spec| &spec.options).any(|(name, value)| {
        let is_chess = ["chess", "standard", "normal"].contains(&value.as_str());
        name.eq_ignore_ascii_case("UCI_Variant") && !is_chess
    });
    let mut report: HuntReport<Disagreement> = hunt.run(out, |on_event| {
        let engines = || [hunt.source(0), hunt.source(1)];
        compare_with_reference(target, engines, hunt.options, &hunt.context.stop, on_event)
    })?;
    let unanswered = report.summary.source.unanswered;
    report.unanswered_positions = Some(unanswered);
    report.notes = difference_notes(&report.summary, &hunt);
    let is_all_unanswered = unanswered > 0 && unanswered == report.summary.positions;
    report.conclude(&hunt, is_all_unanswered, out)
}

/// The result of a hunt.
#[derive(Serialize)]
#[serde(bound = "F: Serialize")]
pub struct HuntReport<F: Found> {
    /// How the right answers were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub engine: EngineInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<EngineInfo>,
    /// How the engine is made to print its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<PrinterReport>,
    /// What is wrong in the states that the engine prints, if a wrong count may come from one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateFinding>,
    /// The seed of the positions, if they were random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The time in seconds.
    pub seconds: f64,
    /// The number of positions that were left out because no game reaches them.
    pub left_out_impossible: usize,
    /// The number of positions that both engines of a comparison left unanswered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered_positions: Option<usize>,
    /// Sentences about what was not asked or cannot be determined.
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub summary: SearchSummary<F, F::Facts>,
    /// What is said about each finding.
    #[serde(skip)]
    pub texts: Vec<FindingText>,
    /// The names of the engines in the text.
    #[serde(skip)]
    pub names: String,
    /// The line with the command to run next.
    #[serde(skip)]
    pub next: Option<String>,
}

/// A kind of finding, as text.
pub trait Found: Serialize + Sized {
    /// The facts about the source.
    type Facts;
    /// The name of the report.
    const REPORT: &'static str;
    /// Describes the faulty positions, as in `3 of 5 positions without the right answer`.
    const FAULTY: &'static str;
    /// The number of findings that the text shows. The JSON has all of them.
    const SHOWN: usize = usize::MAX;

    /// Returns what is said about it.
    fn text(&self, hunt: &Hunt) -> FindingText;

    /// Returns the result in a few words: red for bugs, green for no bug, and yellow if that is not known.
    fn result(report: &HuntReport<Self>) -> String {
        match report.texts.iter().filter(|text| text.word == "bug").count() {
            0 if !report.texts.is_empty() => styled("some answers could not be read", AnsiColor::Yellow),
            0 if !report.summary.is_complete => styled("no bug found so far", AnsiColor::Yellow),
            0 => styled("no bug found", AnsiColor::Green),
            bugs => styled(&number_of(bugs, "bug"), AnsiColor::Red),
        }
    }
}

impl Found for Finding {
    type Facts = CountFacts;
    const REPORT: &'static str = "hunt";
    const FAULTY: &'static str = "without the right answer";

    fn text(&self, hunt: &Hunt) -> FindingText {
        let mut text = self.to_text();
        if let Some(epd) = text.epd.clone() {
            let by_hand = hunt.engines[0].by_hand(&self.question()).unwrap_or_default();
            let words = ["by hand"].into_iter().chain(repeat(""));
            by_hand.iter().zip(words).for_each(|(line, word)| text.add_whole(word, line));
            text.add_whole("suite", epd);
        }
        text
    }
}

impl Found for StateFinding {
    type Facts = StateAbilities;
    const REPORT: &'static str = "hunt_state";
    const FAULTY: &'static str = "with a wrong state";

    fn text(&self, _: &Hunt) -> FindingText {
        self.to_text()
    }
}

impl Found for Disagreement {
    type Facts = ReferenceFacts;
    const REPORT: &'static str = "hunt_reference";
    const FAULTY: &'static str = "answered differently";
    const SHOWN: usize = 10;

    fn text(&self, hunt: &Hunt) -> FindingText {
        self.to_text(hunt.short_names())
    }

    fn result(report: &HuntReport<Disagreement>) -> String {
        match report.texts.len() {
            0 if !report.summary.is_complete => styled("no difference so far", AnsiColor::Yellow),
            0 => styled("no difference", AnsiColor::Green),
            _ => styled("they differ", AnsiColor::Red),
        }
    }
}

impl Hunt<'_> {
    /// Returns a new source of answers: the engine for index 0, and the reference for index 1.
    pub fn source(&self, index: usize) -> Box<dyn CountSource> {
        Box::new(Engine::new(self.engines[index].clone()))
    }

    /// Returns the leaf nodes that a slow engine counts in a second. `None` if it is not slow, or does not answer.
    pub fn speed_if_slow(&self) -> Option<f64> {
        let mut program = self.engines[0].program(&self.context.stop);
        let mut slow_count = |name: &str, depth, seconds: f64| {
            let path = MovePath::new(builtin::position(name)?.position);
            let start = Instant::now();
            program.ask(&path.question(depth), None).ok()?;
            let took = start.elapsed().as_secs_f64();
            (took > seconds).then(|| path.end.perft(depth) as f64 / took)
        };
        // Another program may have the processor for a moment, so the engine is slow only if all answers are late.
        slow_count("kiwipete", 2, 0.001)?;
        Some(slow_count("kiwipete", 3, 0.05)?.max(slow_count("alternative", 3, 0.05)?))
    }

    /// Runs `search` and prints each finding at once.
    ///
    /// # Errors
    /// Nothing was asked, or a finding could not be printed.
    pub fn run<F: Found>(
        &self,
        out: &mut (impl Write + Send),
        search: impl FnOnce(&mut (dyn FnMut(Option<&F>) + Send)) -> SearchSummary<F, F::Facts>,
    ) -> Result<HuntReport<F>, CliError> {
        let start = Instant::now();
        let bar = progress_bar(self.context, "hunt", "{pos}/{len} positions", self.positions as u64);
        let (mut number, mut printed) = (0, Ok(()));
        let summary = search(&mut |found| {
            let Some(found) = found else { return bar.inc(1) };
            number += 1;
            if printed.is_err() {
                return;
            }
            printed = print_above(&bar, &self.context.stop, out, |out| match self.args.output.format() {
                _ if self.args.epd => found.text(self).epd.map_or(Ok(()), |line| writeln!(out, "{line}")),
                Format::Text if number <= F::SHOWN => {
                    let text = found.text(self);
                    self.write(&text, &format!("{} {number}", text.word), out)
                }
                _ => Ok(()),
            });
        });
        bar.finish_and_clear();
        printed?;
        check_asked(summary.positions, summary.left_out_chess960)?;
        let names = summary.names.iter().cloned();
        let mut engines = self.engines.iter().zip(names).map(|(spec, name)| EngineInfo::new(spec, name));
        let engine = engines.next().expect("there is an engine");
        let reference = engines.next();
        let names = match reference {
            Some(_) => self.short_names().join(" and "),
            None => engine.own_name.as_ref().unwrap_or(&engine.command).clone(),
        };
        Ok(HuntReport {
            provenance: Settings::new(CountMode::Hunt, CpuPath::best(), self.options.threads).into(),
            engine,
            reference,
            state: None,
            states: Vec::new(),
            seed: self.args.random.map(|_| self.args.seed),
            seconds: start.elapsed().as_secs_f64(),
            left_out_impossible: self.left_out,
            unanswered_positions: None,
            notes: Vec::new(),
            texts: summary.findings.iter().map(|found| found.text(self)).collect(),
            summary,
            names,
            next: None,
        })
    }

    /// Writes a finding below a title.
    pub fn write(&self, found: &FindingText, title: &str, out: &mut impl Write) -> io::Result<()> {
        let color = if found.is_wrong { AnsiColor::Red } else { AnsiColor::Yellow };
        writeln!(out, "{}: {}\n", styled(title, color), folded(&found.name, 2))?;
        if let Some(drawing) = &found.drawing {
            writeln!(out, "{}", board(drawing, self.args.figures))?;
        }
        for FindingLine { word, text, is_whole, .. } in &found.lines {
            let text = if *is_whole { text } else { &folded(text, INDENT) };
            writeln!(out, "{}{text}", label(word, INDENT))?;
        }
        writeln!(out)
    }

    /// Returns short names of the engine and the reference: those of `perft.toml` or of the programs, or general ones if
    /// both are equal.
    pub fn short_names(&self) -> [&str; 2] {
        let typed = [self.args.engine.text(), self.args.reference.as_deref()];
        let names = [0, 1].map(|index| {
            let typed = typed[index].filter(|name| !name.contains([' ', '/', '\\']));
            typed.unwrap_or(file_name(&self.engines[index].command[0]))
        });
        if names[0] == names[1] { ["the engine", "the reference"] } else { names }
    }
}

impl<F: Found> HuntReport<F> {
    /// Prints the report and returns the exit code. With the format EPD, all lines were printed during the hunt. Only a
    /// comment follows if the list is incomplete. `has_no_answers` is whether no question was answered.
    ///
    /// # Errors
    /// The hunt was interrupted, or the output cannot be written.
    pub fn conclude(
        self,
        hunt: &Hunt,
        has_no_answers: bool,
        out: &mut impl Write,
    ) -> Result<ExitCode, CliError> {
        let SearchSummary { is_complete, positions, faulty, .. } = &self.summary;
        match hunt.args.epd {
            false => emit(&self, hunt.args.output.format(), out)?,
            true if !is_complete => writeln!(out, "# {INCOMPLETE}")?,
            true => {}
        }
        if !is_complete {
            out.flush()?;
            return Err(CliError::Interrupted(format!("done: {}", number_of(*positions, "position"))));
        }
        let has_failed = faulty + self.texts.len() > 0 || has_no_answers;
        Ok(exit_code(self.texts.iter().any(|text| text.is_wrong), has_failed))
    }
}

impl<F: Found> Report for HuntReport<F> {
    const NAME: &'static str = F::REPORT;

    /// Writes the end of a hunt: how often each bug was seen, what was left out, and the result.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let SearchSummary { is_complete, positions, faulty, questions, cut_short, .. } = &self.summary;
        for (index, FindingText { word, name, times, .. }) in self.texts.iter().enumerate() {
            let Some(times) = times else { continue };
            let seen = number_of(*times, "position");
            writeln!(out, "{}", folded(&format!("{word} {}: {name}; seen in {seen}", index + 1), 2))?;
        }
        if self.texts.len() > F::SHOWN {
            let more = number_of(self.texts.len() - F::SHOWN, "more difference");
            writeln!(out, "... and {more}; --json lists all")?;
        }
        if *cut_short > 0 {
            writeln!(out, "{} reached the limit of --max-questions", number_of(*cut_short, "position"))?;
        }
        self.notes.iter().try_for_each(|note| writeln!(out, "{}", folded(note, 2)))?;
        if !is_complete {
            writeln!(out, "{}", incomplete_line())?;
        }
        let (faulty, positions) = (grouped(*faulty as u128), number_of(*positions, "position"));
        let each = if self.reference.is_some() { " to each" } else { "" };
        let summary = format!(
            "{}: {}: {faulty} of {positions} {}; {}{each} in {:.1} s",
            self.names,
            F::result(self),
            F::FAULTY,
            number_of(*questions, "question"),
            self.seconds
        );
        writeln!(out, "{}", folded(&summary, 2))?;
        self.next.as_ref().map_or(Ok(()), |next| writeln!(out, "{next}"))
    }
}
