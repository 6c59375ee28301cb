//! An HTML page in one file, light or dark, for every width: for each position, a bar for each program.
//!
//! ```text
//!     start 5
//!     new    4.00 ± 0.05 Mnps (49.3 ms), 1.16 ± 0.02 times as fast as old
//!     ==============|=·:·=|
//!     old    3.45 ± 0.04 Mnps (57.2 ms)
//!     ===========|=·:·=|
//!     0 Mnps   1        2        3        4
//! ```
//!
//! The length of a bar is a speed. A dot is a run, and the line at the end of a bar is its interval. All positions have
//! the same axis, which begins at 0. Places are percentages of the axis, so nothing depends on the width of the page.

use std::io::{self, Write};

use super::contenders::Contender;
use super::report::BenchReport;
use super::text::{speed, times_as_fast};
use crate::output::numbers::{duration, join_names};
use crate::output::table::escape_markup;
use crate::timing::{Interval, Measurement, Task, nodes_per_second};

const STYLE: &str = include_str!("page.css");

/// The axis of speeds from 0 to a round number of nodes per second, with ticks at equal distances.
struct Axis {
    end: f64,
    ticks: u32,
}

impl BenchReport {
    pub fn write_page(&self, out: &mut impl Write) -> io::Result<()> {
        let title = escape_markup(&self.title());
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        self.problems().iter().try_for_each(|problem| write_problem(problem, out))?;
        let axis = Axis::up_to(self.results.iter().map(fastest).fold(0.0, f64::max));
        for task in &self.tasks {
            writeln!(out, "<section>\n<h2>{}</h2>", escape_markup(&task.name()))?;
            self.contenders.iter().try_for_each(|contender| self.write_bar(contender, task, &axis, out))?;
            writeln!(out, "{}\n</section>", axis.markup())?;
        }
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        warnings.into_iter().try_for_each(|warning| write_problem(&warning, out))?;
        let lines = self.settings().into_iter().chain([self.header.date()]);
        let lines: Vec<String> = lines.map(|line| escape_markup(&line)).collect();
        writeln!(out, "<p class=\"settings\">{}</p>", lines.join("<br>"))?;
        writeln!(out, "<p class=\"conclusion\">{}</p>", unbroken(&escape_markup(&self.conclusion())))?;
        writeln!(out, "</body>\n</html>")
    }

    fn title(&self) -> String {
        let names: Vec<&str> = self.contenders.iter().map(|contender| contender.name.as_str()).collect();
        format!("Speed of {}", join_names(&names))
    }

    /// Writes the figures of a contender in a position, and its bar below them.
    fn write_bar(
        &self,
        contender: &Contender,
        task: &Task,
        axis: &Axis,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let measured = self.measurement(contender, task);
        let figures = measured.map_or_else(str::to_owned, |result| self.figures_of(result));
        let (name, figures) = (escape_markup(&contender.name), unbroken(&escape_markup(&figures)));
        writeln!(out, "<p class=\"program\"><b>{name}</b> {figures}</p>")?;
        let Ok(result) = measured else { return Ok(()) };
        let Interval { low, high } = result.nodes_per_second_interval;
        write!(out, "<div class=\"track\" aria-hidden=\"true\">")?;
        write!(out, "<i class=\"bar\" style=\"width:{}\"></i>", axis.place(result.nodes_per_second))?;
        for &seconds in &result.timings.times {
            let place = axis.place(nodes_per_second(result.nodes.0, seconds));
            write!(out, "<i class=\"run\" style=\"left:{place}\"></i>")?;
        }
        let (left, width) = (axis.place(low), axis.place(high - low));
        writeln!(out, "<i class=\"interval\" style=\"left:{left};width:{width}\"></i></div>")
    }

    fn figures_of(&self, result: &Measurement) -> String {
        let time = duration(result.timings.spread.median);
        let reference = self.reference_name.as_deref().unwrap_or_default();
        let ratio = result.ratio.filter(|_| !self.is_reference(&result.contender));
        let ratio = ratio.map_or_else(String::new, |ratio| format!(", {}", times_as_fast(&ratio, reference)));
        format!("{} Mnps ({time}){ratio}", speed(result))
    }
}

fn write_problem(text: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<p class=\"problem\">{}</p>", unbroken(&escape_markup(text)))
}

/// Keeps a margin on the line of its value, and the parts of a flag on one line.
fn unbroken(text: &str) -> String {
    let whole = |word: &str| match word.starts_with("--") {
        true => format!("<span>{word}</span>"),
        false => word.to_owned(),
    };
    text.replace(" ± ", "\u{a0}±\u{a0}").split(' ').map(whole).collect::<Vec<String>>().join(" ")
}

/// Returns the largest speed that is drawn.
fn fastest(result: &Measurement) -> f64 {
    let run = nodes_per_second(result.nodes.0, result.timings.spread.min);
    run.max(result.nodes_per_second_interval.high)
}

impl Axis {
    /// Returns an axis for speeds up to this one.
    fn up_to(fastest: f64) -> Axis {
        let power = 10_f64.powf(fastest.max(1.0).log10().floor());
        let steps = [0.2, 0.5, 1.0, 2.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| fastest <= 5.0 * step).unwrap_or(2.0 * power);
        let ticks = (fastest / step).ceil().max(1.0);
        Axis { end: step * ticks, ticks: ticks as u32 }
    }

    /// Returns a place on the axis in CSS.
    fn place(&self, nodes_per_second: f64) -> String {
        format!("{:.2}%", 100.0 * nodes_per_second / self.end)
    }

    fn markup(&self) -> String {
        let tick = |number: u32| {
            let at = self.end / f64::from(self.ticks) * f64::from(number);
            // Products of decimal fractions are not exact.
            let millions = (at * 1e3).round() / 1e9;
            let unit = if number == 0 { " Mnps" } else { "" };
            format!("<span style=\"left:{}\">{millions}{unit}</span>", self.place(at))
        };
        let ticks: String = (0..=self.ticks).map(tick).collect();
        format!("<div class=\"axis\" aria-hidden=\"true\">{ticks}</div>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_begins_at_0_and_ends_at_a_round_number_above_the_fastest_run() {
        for (fastest, end, ticks) in [
            (4.0e6, 4.0, 4),
            (2190.8e6, 2500.0, 5),
            (3.1e6, 4.0, 4),
            (1.4e6, 1.5, 3),
            (9.9e6, 10.0, 5),
            (2e3, 0.002, 4),
        ] {
            let axis = Axis::up_to(fastest);
            assert_eq!(((axis.end / 1e3).round() / 1e3, axis.ticks), (end, ticks), "{fastest}");
            assert_eq!(axis.place(0.0), "0.00%");
            assert!(axis.markup().contains(&format!("left:100.00%\">{end}</span>")), "{}", axis.markup());
        }
        assert_eq!(Axis::up_to(0.0).ticks, 1);
    }
}
