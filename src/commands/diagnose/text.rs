//! The diagnosis as text, in 80 columns.

use std::cmp::Ordering;
use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_diagnosis::Mistake;

use super::report::{CandidateReport, CatalogueReport, DiagnoseReport, NumberReport, TellingReport};
use crate::output::fold::folded;
use crate::output::terminal::{incomplete_line, styled};
use crate::output::{Report, grouped};

/// The number of candidates that are shown.
const SHOWN: usize = 24;

/// The letters of the variants of a candidate that are shown.
const VARIANT_LABELS: &str = "abcdefghijkl";

impl Report for DiagnoseReport {
    const NAME: &'static str = "diagnose";

    /// Writes a report. An interrupted diagnosis is marked.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for of_position in self.counts.chunk_by(|a, b| a.position == b.position) {
            writeln!(out, "{}", of_position[0].position.label())?;
            of_position.iter().try_for_each(|number| write_number(number, out))?;
        }
        writeln!(out)?;
        if self.is_right() {
            let all = if self.counts.len() == 1 { "The number is" } else { "All numbers are" };
            return writeln!(out, "{}", styled(&format!("{all} right."), AnsiColor::Green));
        }
        if !self.complete {
            writeln!(out, "{}", incomplete_line())?;
        }
        write_candidates(self, out)?;
        if self.complete {
            write_telling(self, out)?;
        }
        write_effort(self, out)
    }
}

impl Report for CatalogueReport {
    const NAME: &'static str = "mistakes";

    /// Writes all mistakes with their descriptions, by topic.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        for mistakes in self.mistakes.chunk_by(|a, b| a.topic == b.topic) {
            writeln!(out, "{}:", mistakes[0].topic)?;
            for mistake in mistakes {
                writeln!(out, "  {}", mistake.name)?;
                write_folded(6, mistake.about, out)?;
            }
        }
        Ok(())
    }
}

fn write_number(number: &NumberReport, out: &mut impl Write) -> io::Result<()> {
    let NumberReport { depth, found, expected, .. } = *number;
    let verdict = match found.cmp(&expected) {
        Ordering::Equal => styled("right", AnsiColor::Green),
        Ordering::Less => {
            format!("{} too few, right is {}", grouped(expected - found), grouped(expected))
        }
        Ordering::Greater => {
            format!("{} too many, right is {}", grouped(found - expected), grouped(expected))
        }
    };
    writeln!(out, "  depth {depth}: {}: {verdict}", grouped(found))?;
    if !number.examined {
        let text = "This depth is too large to try changed rules. Give the number of a smaller depth too.";
        write_folded(4, text, out)?;
    }
    Ok(())
}

fn write_candidates(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    let best = &report.candidates[..report.best];
    let Some(first) = best.first() else {
        let mistake = if report.complete { "known mistake" } else { "mistake that was tried" };
        return writeln!(out, "No {mistake} gives {}.", these(report.counts.len()));
    };
    let (explained, all) = (first.explained, report.counts.len());
    let generals = best.iter().filter(|candidate| candidate.variant_of.is_none()).count();
    let what = if generals == 1 { "1 mistake gives" } else { &format!("{generals} mistakes give") };
    let title = match explained {
        _ if explained == all => format!("{what} exactly {}:", these(all)),
        1 => format!("{what} only one of these {all} numbers:"),
        _ => format!("{what} only {explained} of these {all} numbers:"),
    };
    writeln!(out, "{}\n", styled(&title, AnsiColor::Red))?;
    for (label, candidate) in labels(report).iter().zip(best).take(generals.min(SHOWN)) {
        write_candidate(label, candidate, report, out)?;
    }
    if generals > SHOWN {
        writeln!(out, "... and {} more; --json lists all", generals - SHOWN)?;
    }
    Ok(())
}

/// Returns a label for each of the best candidates: `1`, and `1a` for a variant of it. Variants that are not shown
/// have an empty label.
fn labels(report: &DiagnoseReport) -> Vec<String> {
    let best = &report.candidates[..report.best];
    let mut variants = vec![0; best.len()];
    let label = |(index, candidate): (usize, &CandidateReport)| {
        let Some(general) = general(candidate, best) else { return (index + 1).to_string() };
        variants[general] += 1;
        let letter = VARIANT_LABELS.chars().nth(variants[general] - 1);
        letter.map_or_else(String::new, |letter| format!("{}{letter}", general + 1))
    };
    best.iter().enumerate().map(label).collect()
}

/// Returns the index of the candidate of which this one is a variant.
fn general(variant: &CandidateReport, best: &[CandidateReport]) -> Option<usize> {
    let name = variant.variant_of?;
    best.iter().position(|candidate| candidate.mistake.name == name)
}

fn write_candidate(
    label: &str,
    candidate: &CandidateReport,
    report: &DiagnoseReport,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{label:>3}  {}", candidate.mistake.name)?;
    write_folded(5, candidate.mistake.about, out)?;
    write_variants(candidate, report, out)?;
    // The number that the candidate gives instead of each number that it does not explain.
    for (given, nodes) in report.counts.iter().zip(&candidate.predicted) {
        if let Some(nodes) = nodes.filter(|&nodes| nodes != given.found) {
            let (name, nodes) = (given.position.label(), grouped(nodes));
            write_folded(5, &format!("But it gives {nodes} for {name} at depth {}.", given.depth), out)?;
        }
    }
    Ok(())
}

fn write_variants(
    candidate: &CandidateReport,
    report: &DiagnoseReport,
    out: &mut impl Write,
) -> io::Result<()> {
    let labels = labels(report);
    let of_candidate = |variant: &CandidateReport| variant.variant_of == Some(candidate.mistake.name);
    let all = labels.iter().zip(&report.candidates).filter(|(_, variant)| of_candidate(variant));
    let (shown, hidden): (Vec<_>, Vec<_>) = all.partition(|(label, _)| !label.is_empty());
    let mut names: Vec<String> =
        shown.iter().map(|(label, variant)| format!("{label} {}", variant.mistake.name)).collect();
    if names.is_empty() {
        return Ok(());
    }
    if !hidden.is_empty() {
        names.push(format!("and {} more", hidden.len()));
    }
    let text = format!("Variants with the same result: {}", names.join(", "));
    write_folded(5, &text, out)
}

fn these(count: usize) -> String {
    if count == 1 { "this number".to_owned() } else { format!("these {count} numbers") }
}

fn write_telling(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    if report.best < 2 {
        return Ok(());
    }
    if report.telling.is_empty() {
        return writeln!(out, "\nNo small position tells them apart.");
    }
    writeln!(out, "\nCount these positions with your program to tell them apart:\n")?;
    for telling in &report.telling {
        writeln!(out, "{}", telling.position.fen)?;
        writeln!(out, "  depth {}; right is {}", telling.depth, grouped(telling.expected))?;
        for (nodes, candidates) in by_number(telling, report) {
            let text = format!("{}: mistake {}", grouped(nodes), candidates.join(", "));
            write_folded(4, &text, out)?;
        }
    }
    Ok(())
}

/// Returns the different numbers, each with the labels of the candidates that give it. A variant is listed with its
/// general form unless their numbers differ.
fn by_number(telling: &TellingReport, report: &DiagnoseReport) -> Vec<(u128, Vec<String>)> {
    let (best, labels) = (&report.candidates[..report.best], labels(report));
    let general_of = |index: usize| general(&best[index], best);
    // A variant comes after its general form.
    let mut order: Vec<usize> = (0..telling.predicted.len()).collect();
    order.sort_by_key(|&index| (general_of(index).unwrap_or(index), index));
    let mut groups: Vec<(u128, Vec<String>)> = Vec::new();
    for index in order {
        let (label, nodes) = (labels[index].clone(), telling.predicted[index]);
        let of_general = general_of(index).map(|general| telling.predicted[general]);
        match groups.iter_mut().find(|(other, _)| *other == nodes) {
            _ if label.is_empty() || of_general == Some(nodes) => {}
            Some((_, labels)) => labels.push(label),
            None => groups.push((nodes, vec![label])),
        }
    }
    groups
}

fn write_effort(report: &DiagnoseReport, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{} tried in {:.1} s", tried(report), report.seconds)?;
    if report.best == 0 || report.candidates[0].explained < report.counts.len() {
        write_folded(
            0,
            "'perft hunt --engine CMD' finds bugs of any kind, if perft can run the program.",
            out,
        )?;
    }
    Ok(())
}

/// Returns how many mistakes were tried, and how many there are.
pub fn tried(report: &DiagnoseReport) -> String {
    let of_all = if report.complete { String::new() } else { format!(" of {}", Mistake::KNOWN) };
    format!("{}{of_all} mistakes", report.mistakes_tried)
}

/// Writes a folded text, all lines of which begin with `indent` blanks.
fn write_folded(indent: usize, text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:indent$}{}", "", folded(text, indent))
}
