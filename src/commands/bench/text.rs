//! A report in words: as text, as Markdown and as a page.

use std::io::{self, Write};

use super::contender::{ContenderResult, way_to_count};
use super::csv::csv_table;
use super::report::BenchReport;
use crate::output::numbers::{mega, times_as_fast};
use crate::output::table::escape_markdown;
use crate::output::{INCOMPLETE, Provenance, Report, Table, folded, grouped};
use crate::timing::{GateResult, Interval};

/// A part of a text, of a Markdown document or of a page.
pub enum Block {
    Table(Table),
    Paragraph(String),
    List(Vec<String>),
}

impl Block {
    /// Whether the part says nothing: it is a table or a list without rows.
    fn is_empty(&self) -> bool {
        match self {
            Block::Table(table) => table.rows.is_empty(),
            Block::Paragraph(text) => text.is_empty(),
            Block::List(lines) => lines.is_empty(),
        }
    }

    /// Returns the part as text, with long lines folded.
    fn text(&self) -> String {
        match self {
            Block::Table(table) => table.text(),
            Block::Paragraph(text) => folded(text, 0),
            Block::List(lines) => joined(lines, "\n", |line| folded(line, 2)),
        }
    }

    fn markdown(&self) -> String {
        match self {
            Block::Table(table) => table.markdown(),
            Block::Paragraph(text) => escape_markdown(text),
            Block::List(lines) => joined(lines, "\n", |line| format!("- {}", escape_markdown(line))),
        }
    }
}

/// Writes each of several items, and returns them with a separator between them.
fn joined<T>(items: &[T], separator: &str, write: impl Fn(&T) -> String) -> String {
    items.iter().map(write).collect::<Vec<String>>().join(separator)
}

impl Report for BenchReport {
    const NAME: &'static str = "bench";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let mut blocks = self.blocks();
        blocks.insert(0, Block::List(self.settings()));
        writeln!(out, "{}", joined(&blocks, "\n\n", Block::text))
    }

    fn exact_table(&self) -> Option<Table> {
        Some(csv_table(&self.results, &self.failures, self.measure))
    }

    /// Writes the same blocks as the text. The settings come after the first one.
    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let mut blocks = self.blocks();
        blocks.insert(1, Block::Paragraph(format!("{}.", self.settings().join("; "))));
        writeln!(out, "{}", joined(&blocks, "\n\n", Block::markdown))
    }
}

impl BenchReport {
    /// Returns the parts of the text below the settings. The first one is a table, unless every position failed.
    ///
    /// If this program is measured alone, or compared with itself, every figure is shown. Otherwise there may be many
    /// contenders, so each of them has one row for all positions.
    pub fn blocks(&self) -> Vec<Block> {
        let failures = self.failures.iter();
        let failures = failures.map(|failure| format!("{}: {}", failure.outcome.name(), failure.error));
        let mut blocks = if self.is_of_this_program() {
            let mut blocks = vec![Block::Table(self.details()), Block::List(self.means())];
            blocks.extend(self.compared().flat_map(|of| self.comparison(of)));
            blocks.push(Block::List(failures.collect()));
            blocks
        } else {
            let lines = self.contenders.iter().map(ContenderResult::line);
            let verdicts = self.compared().filter(|of| of.gate.is_some()).flat_map(|of| self.verdict(of));
            vec![
                Block::Table(self.speeds()),
                Block::Paragraph(self.legend()),
                Block::Table(self.times()),
                Block::List(lines.chain(verdicts).chain(failures).collect()),
            ]
        };
        blocks.retain(|block| !block.is_empty());
        blocks
    }

    /// Returns the ratios of a contender to the reference, and the verdict.
    fn comparison(&self, of: &ContenderResult) -> Vec<Block> {
        let ratios = Block::Table(self.ratios(of));
        let Some(reference) = self.reference_name.as_ref().filter(|_| !ratios.is_empty()) else {
            return Vec::new();
        };
        let heading = Block::Paragraph(format!("Compared with {reference}, above 1 is faster:"));
        vec![heading, ratios, Block::List(self.verdict(of).into_iter().collect())]
    }

    /// Returns the mean speeds, if there are several positions.
    fn means(&self) -> Vec<String> {
        let has_several = self.contenders.len() > 1;
        let line = |of: &ContenderResult| {
            let mean = mega(of.nodes_per_second?);
            let of = if has_several { format!(" of {}", of.contender.name) } else { String::new() };
            Some(format!("geometric mean{of}: {mean} Mnps"))
        };
        let is_mean = self.tasks.len() > 1;
        self.contenders.iter().filter(|_| is_mean).filter_map(line).collect()
    }

    /// Returns in words whether a contender is slower than the reference, or slower than allowed. Returns `None`
    /// without an overall ratio.
    fn verdict(&self, of: &ContenderResult) -> Option<String> {
        let Interval { low, high } = of.overall?.interval;
        let (name, reference) = (&of.contender.name, self.reference_name.as_ref()?);
        let bound = || match self.max_regression {
            Some(allowed) => format!(" than {reference} by more than {} %", percent(allowed)),
            None => format!(" than {reference}"),
        };
        Some(match of.gate {
            Some(GateResult::Slower) => format!("{name}: slower{}", bound()),
            Some(GateResult::Fine) => format!("{name}: not slower{}", bound()),
            Some(GateResult::Unsure) => format!("{name}: not shown to be slower{}: try more runs", bound()),
            None if low > 1.0 => format!("{name}: faster than {reference}"),
            None if high < 1.0 => format!("{name}: slower than {reference}"),
            None => format!("{name}: no difference from {reference} within the precision of these runs"),
        })
    }

    /// Returns the conclusions as sentences: the speed of a single contender, how this program compares with its
    /// reference, or which of several contenders was the fastest.
    pub fn conclusions(&self) -> Vec<String> {
        match self.contenders.as_slice() {
            [only] => self.speed(only).into_iter().collect(),
            _ if self.is_of_this_program() => {
                let compared = |of| [self.ratio_sentence(of), self.verdict(of).map(|text| text + ".")];
                self.compared().flat_map(compared).flatten().collect()
            }
            _ => self.fastest().unwrap_or_default(),
        }
    }

    fn speed(&self, of: &ContenderResult) -> Option<String> {
        let speed = mega(of.nodes_per_second?);
        Some(match self.tasks.as_slice() {
            [task] => {
                let Interval { low, high } = self.measurement(of, task).ok()?.nodes_per_second_interval;
                format!("{}: {speed} Mnps (95 % interval: {} to {}).", task.name(), mega(low), mega(high))
            }
            several => format!("{speed} Mnps in the geometric mean of {} positions.", several.len()),
        })
    }

    fn ratio_sentence(&self, of: &ContenderResult) -> Option<String> {
        let ratio = times_as_fast(&of.overall?, self.reference_name.as_ref()?);
        Some(format!("{} is {ratio}.", of.contender.name))
    }

    /// Returns which contender was the fastest, and by how much. Returns `None` without ratios.
    fn fastest(&self) -> Option<Vec<String>> {
        let mut ranked: Vec<&ContenderResult> =
            self.contenders.iter().filter(|of| of.overall.is_some()).collect();
        let ratio = |of: &ContenderResult| of.overall.map_or(0.0, |ratio| ratio.value);
        ranked.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
        let first = ranked.first()?;
        let fastest = format!("{} was the fastest: {}", first.contender.name, self.speed(first)?);
        let lead = ranked.get(1).and_then(|second| self.lead(first, second));
        Some([fastest].into_iter().chain(lead).collect())
    }

    /// Returns by how much the fastest contender is faster than the reference. If it is the reference, returns by how
    /// much it is faster than the second.
    fn lead(&self, first: &ContenderResult, second: &ContenderResult) -> Option<String> {
        let lead = match self.is_reference(&first.contender.name) {
            true => times_as_fast(&second.overall?.inverse(), &second.contender.name),
            false => times_as_fast(&first.overall?, self.reference_name.as_ref()?),
        };
        Some(format!("It was {lead}."))
    }

    /// Returns lines about the build, the machine and the settings of the count. The first one says so if runs are
    /// missing.
    pub fn settings(&self) -> Vec<String> {
        let Provenance { generator, cpu_path, sliders, threads, table_bytes, bulk, .. } = &self.provenance;
        let table = match *table_bytes {
            0 => "no table".to_owned(),
            bytes => format!("a table of {} bytes, empty before each run", grouped(bytes as u128)),
        };
        let leaves = if *bulk { "bulk counting" } else { "every leaf made" };
        let count = format!("{leaves}, {table}");
        let count = match self.has_one_generator() {
            true => format!("{}, {count}", way_to_count(generator, cpu_path, *sliders, *threads)),
            false => count,
        };
        let times = format!("all times are {} time", self.measure.name());
        let incomplete = (!self.complete).then(|| INCOMPLETE.to_owned());
        let summary = self.environment.summary(&self.provenance);
        incomplete.into_iter().chain(summary).chain([count, times]).collect()
    }

    pub fn legend(&self) -> String {
        let ratio = self.reference_name.as_ref().map_or_else(String::new, |reference| {
            format!(" Ratio (×): of speeds to {reference}, the median of all rounds; above 1 is faster.")
        });
        format!("Mnps: millions of leaf nodes per second, from the median time.{ratio}")
    }
}

/// Returns a fraction in percent, with up to three decimals: `2.5`.
fn percent(fraction: f64) -> String {
    format!("{:.3}", fraction * 100.0).trim_end_matches('0').trim_end_matches('.').to_owned()
}
