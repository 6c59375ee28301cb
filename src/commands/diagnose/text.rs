//! The diagnosis as text, in 80 columns.

use std::cmp::Reverse;
use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_diagnosis::{MAX_NODES_OF_KINDS, TellingCount};

use super::{CatalogueReport, DiagnoseReport, KindReport, NumberReport};
use crate::output::{Report, agreeing, folded, grouped, incomplete_line, number_of, styled, with_sign};
use crate::system::command_line::to_type;

/// The number of causes that are shown.
const SHOWN: usize = 12;

impl Report for DiagnoseReport {
    const NAME: &'static str = "diagnose";

    /// Writes a report. An interrupted diagnosis is marked.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for of_position in self.counts.chunk_by(|a, b| a.position == b.position) {
            writeln!(out, "{}", of_position[0].position.label())?;
            of_position.iter().try_for_each(|number| write_number(number, out))?;
        }
        writeln!(out)?;
        if self.found.is_right() && self.has_wrong_others() {
            return writeln!(
                out,
                "{}",
                styled("What stands beside a right number is wrong.", AnsiColor::Red)
            );
        }
        if self.found.is_right() {
            let all = if self.counts.len() == 1 { "The number is" } else { "All numbers are" };
            return writeln!(out, "{}", styled(&format!("{all} right."), AnsiColor::Green));
        }
        if !self.found.is_complete {
            return writeln!(out, "{}", incomplete_line());
        }
        write_causes(self, out)?;
        if self.wrong() == 1
            && !self.found.causes.is_empty()
            && !self.counts.iter().any(|number| number.is_divide || !number.kinds.is_empty())
        {
            let text =
                "One wrong number alone is no proof: other bugs may give it too. One more number decides.";
            writeln!(out)?;
            write_folded(0, text, out)?;
        }
        write_telling(self, out)?;
        writeln!(out)?;
        write_folded(0, &effort(self), out)?;
        if self.found.causes.is_empty() {
            let line = to_type(&["hunt", "./my-engine"]).unwrap_or_default();
            write_folded(0, &format!("For other bugs, if perft can run the program: {line}"), out)?;
        }
        Ok(())
    }
}

impl Report for CatalogueReport {
    const NAME: &'static str = "mistakes";

    /// Writes all mistakes with their descriptions, by topic.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for mistakes in self.mistakes.chunk_by(|a, b| a.topic() == b.topic()) {
            writeln!(out, "{}:", mistakes[0].topic())?;
            for cause in mistakes {
                writeln!(out, "  {}", cause.name())?;
                write_folded(6, &cause.about(), out)?;
            }
        }
        let models = grouped(self.models as u128);
        let text = "Rules are also broken for one side only, for some moves only, and in a part of the program only.";
        writeln!(out)?;
        write_folded(0, &format!("{text} So {models} models are tried."), out)
    }
}

fn write_number(number: &NumberReport, out: &mut impl Write) -> io::Result<()> {
    let NumberReport { depth, found, expected, right, has_wrong_others, .. } = *number;
    let (given, difference) = (with_sign(found, grouped), found - expected as i128);
    let verdict = match difference {
        _ if has_wrong_others && right => "right, but not what stands beside it".to_owned(),
        _ if right => styled("right", AnsiColor::Green),
        0 => "the counts below some moves are wrong".to_owned(),
        _ => off_by(difference, expected),
    };
    let column = number.column.iter().map(|name| format!(" (\"{name}\")")).collect::<String>();
    writeln!(out, "  depth {depth}: {given}{column}: {verdict}")?;
    let (right, wrong): (Vec<_>, Vec<_>) = number.kinds.iter().partition(|kind| kind.right);
    for KindReport { kind, found, expected, .. } in wrong {
        let difference = off_by(found - *expected as i128, *expected);
        writeln!(out, "    {kind} {}: {difference}", with_sign(*found, grouped))?;
    }
    let names: Vec<&str> = right.iter().map(|kind| kind.kind).collect();
    if !names.is_empty() {
        writeln!(out, "    {}: {}", names.join(", "), styled("right", AnsiColor::Green))?;
    }
    match number.uncompared {
        0 => Ok(()),
        _ => writeln!(out, "    captures and the like: not compared, the count is too large"),
    }
}

/// Returns how far a number is off: `62 too few, right is 97,862`.
fn off_by(difference: i128, expected: u128) -> String {
    let word = if difference < 0 { "few" } else { "many" };
    format!("{} too {word}, right is {}", grouped(difference.unsigned_abs()), grouped(expected))
}

fn write_causes(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    let untested = report.counts.iter().filter(|number| !number.rules_tried).count();
    let all = report.counts.len();
    let numbers = match (all, untested) {
        (1, _) => "this number".to_owned(),
        (_, 0) if report.wrong() == all => format!("these {all} numbers"),
        (_, 0) => {
            let wrong = report.wrong();
            format!("these {all} numbers, {wrong} of which {} wrong", agreeing(wrong, "is", "are"))
        }
        _ => "the numbers that models were tried at".to_owned(),
    };
    let title = match report.found.causes.len() {
        0 => return writeln!(out, "No known mistake gives {numbers}."),
        1 => format!("1 mistake gives exactly {numbers}:"),
        causes => format!("{causes} mistakes give exactly {numbers}:"),
    };
    writeln!(out, "{}\n", styled(&folded(&title, 0), AnsiColor::Red))?;
    for (number, cause) in (1_usize..).zip(&report.found.causes).take(SHOWN) {
        writeln!(out, "{number:>3}  {}", styled(&cause.name(), AnsiColor::Magenta))?;
        write_folded(5, &cause.about(), out)?;
    }
    match report.found.causes.len().saturating_sub(SHOWN) {
        0 => {}
        more => writeln!(out, "... and {more} more; --json lists all")?,
    }
    match report.found.narrower {
        0 => Ok(()),
        _ if !report.shows_narrower => Ok(()),
        1 => writeln!(out, "\nA narrower form, such as for one side only, gives it too."),
        narrower => writeln!(out, "\n{narrower} narrower forms, such as for one side only, give it too."),
    }
}

fn write_telling(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    if report.found.causes.len() < 2 {
        return Ok(());
    }
    if report.found.telling.is_empty() {
        return writeln!(out, "\nNo small position tells them apart.");
    }
    writeln!(out, "\nCount these positions with your program to tell them apart:\n")?;
    for telling in &report.found.telling {
        let question = &telling.question;
        writeln!(out, "{}", question.path.end_setup().to_fen())?;
        writeln!(out, "  depth {}; right is {}", question.depth, grouped(question.difference.ours))?;
        for (total, causes) in by_number(telling) {
            let total = total.map_or_else(|| "another number".to_owned(), |total| with_sign(total, grouped));
            let word = if causes.len() == 1 { "mistake" } else { "mistakes" };
            write_folded(4, &format!("{total}: {word} {}", ranges(&causes)), out)?;
        }
    }
    Ok(())
}

/// Returns the different totals, each with the numbers of the causes that give it.
fn by_number(telling: &TellingCount) -> Vec<(Option<i128>, Vec<usize>)> {
    let mut groups: Vec<(Option<i128>, Vec<usize>)> = Vec::new();
    for (cause, &total) in (1..).zip(&telling.totals) {
        match groups.iter_mut().find(|(other, _)| *other == total) {
            Some((_, causes)) => causes.push(cause),
            None => groups.push((total, vec![cause])),
        }
    }
    groups
}

/// Returns numbers in ascending order as text: `1, 4-6`.
fn ranges(numbers: &[usize]) -> String {
    let parts = numbers.chunk_by(|a, b| a + 1 == *b).map(|part| match part {
        [one] => one.to_string(),
        _ => format!("{}-{}", part[0], part[part.len() - 1]),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Returns how many models were compared with the number of each depth: `1,412 models were tried at depth 4; 12 models
/// were tried at depth 5.`
fn effort(report: &DiagnoseReport) -> String {
    let mut numbers: Vec<&NumberReport> = report.counts.iter().collect();
    numbers.sort_by_key(|number| (Reverse(number.models_tried), number.expected));
    let (counted, too_large): (Vec<_>, Vec<_>) = numbers.into_iter().partition(|number| number.rules_tried);
    let tried = counted.into_iter().filter(|number| number.models_tried > 0).map(|number| {
        let (models, were) =
            (number_of(number.models_tried, "model"), agreeing(number.models_tried, "was", "were"));
        format!("{models} {were} tried at depth {}", number.depth)
    });
    let too_large = too_large.into_iter().map(|NumberReport { depth, .. }| {
        format!("depth {depth} is too large to be counted with models, so only ways of adding up were tried")
    });
    let has_large_kinds =
        |number: &&NumberReport| !number.kinds.is_empty() && number.expected > MAX_NODES_OF_KINDS;
    let kinds = report.counts.iter().filter(has_large_kinds).map(|NumberReport { depth, .. }| {
        format!("depth {depth} is too large to count captures and the like with models")
    });
    format!("{}. {:.1} s", tried.chain(too_large).chain(kinds).collect::<Vec<_>>().join("; "), report.seconds)
}

/// Writes a text, folded into lines that begin with `indent` blanks.
fn write_folded(indent: usize, text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:indent$}{}", "", folded(text, indent))
}
