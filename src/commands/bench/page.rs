//! An HTML page in one file, light or dark, for every width: the conclusion, what limits it, and the charts.
//!
//! Charts as SVG, without scripts and without links, so that a page can contain them and each can be copied out.
//!
//! ```text
//!     new                    1.16 (1.14 to 1.18)
//!     ───────────┼──────────────────├─●─┤───────
//!              1.00      1.05     1.10     1.15
//! ```
//!
//! A row has a name and figures, and below them its runs as small dots, its median as a large dot and its interval as
//! whiskers. The axis is logarithmic, so that twice and half as fast are equally far from 1. The text has the colour of
//! the page, which may be light or dark. The drawing is narrow, so that it can be read on a phone.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::report::BenchReport;
use super::text::{interval_text, ratio_text};
use crate::output::table::escape_markup;
use crate::timing::{Interval, Measure, Measurement, Ratio, Task};

const STYLE: &str = include_str!("page.css");

const LEGEND: &str = "A small dot is a run; a hollow one at the end of the axis is beyond it. A large dot is the median, \
                      and the whiskers are its 99 % interval. The axes are logarithmic.";

impl BenchReport {
    pub fn write_page(&self, out: &mut impl Write) -> io::Result<()> {
        let title = escape_markup(&self.title());
        writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>")?;
        writeln!(out, "<p class=\"conclusion\">{}</p>", marked(&self.conclusion()))?;
        let warnings = self.warnings.iter().map(|warning| format!("warning: {warning}"));
        for problem in self.problems().into_iter().chain(warnings) {
            writeln!(out, "<p class=\"problem\">{}</p>", marked(&problem))?;
        }
        if let Some(reference) = &self.reference_name {
            let line =
                format!("<p class=\"legend\">Above 1 is faster than {}.</p>", escape_markup(reference));
            write!(out, "{}", section("Ratios of the speeds", &line, &self.ratio_rows(), Some(1.0)))?;
        }
        for task in &self.tasks {
            let unit = format!("<p class=\"legend\">{}</p>", self.unit());
            write!(out, "{}", section(&task.name(), &unit, &self.speed_rows(task), None))?;
        }
        writeln!(out, "<p class=\"legend\">{LEGEND}</p>")?;
        let lines = self.settings().into_iter().chain([self.header.date()]);
        let lines: Vec<String> = lines.map(|line| escape_markup(&line)).collect();
        writeln!(out, "<p class=\"settings\">{}</p>\n</body>\n</html>", lines.join("<br>"))
    }

    fn title(&self) -> String {
        format!("Speed of {}", self.names())
    }

    const fn unit(&self) -> &'static str {
        match self.measure {
            Measure::Time => "Million leaf nodes per second",
            Measure::Cpu => "Million leaf nodes per second of processor time",
            Measure::Instructions => "Leaf nodes per instruction",
        }
    }

    fn ratio_rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let several = self.contenders.len() > 2;
        for place in self.tasks.iter().map(Some).chain((self.tasks.len() > 1).then_some(None)) {
            for (colour, contender) in self.contenders.iter().enumerate() {
                let ratio = match place {
                    Some(task) => self.measurement(contender, task).ok().and_then(|result| result.ratio),
                    None => contender.overall,
                };
                let place = place.map_or_else(|| "geometric mean".to_owned(), Task::name);
                let name = if several { format!("{place}, {}", contender.name) } else { place };
                rows.extend(ratio.map(|ratio| ratio_row(name, &ratio, colour)));
            }
        }
        rows
    }

    fn speed_rows(&self, task: &Task) -> Vec<Row> {
        let row = |(colour, result): (usize, &Measurement)| {
            let nodes = result.nodes.0 as f64;
            let scale = if self.measure == Measure::Instructions { 1.0 } else { 1e6 };
            let costs = result.timings.measurements.iter().filter_map(|run| run.cost(self.measure));
            let [cost, speed] = self.cost_cells(result);
            let interval = result.nodes_per_second_interval.filter(|_| scale > 1.0);
            Row {
                name: result.contender.clone(),
                figures: format!("{speed} ({cost})"),
                colour,
                runs: costs.map(|cost| nodes / cost.max(1e-9) / scale).collect(),
                median: nodes / result.median_cost(self.measure).max(1e-9) / scale,
                interval: interval
                    .map(|Interval { low, high }| Interval { low: low / scale, high: high / scale }),
            }
        };
        let contenders = self.contenders.iter().enumerate();
        let results = contenders
            .filter_map(|(colour, contender)| Some((colour, self.measurement(contender, task).ok()?)));
        results.map(row).collect()
    }
}

fn ratio_row(name: String, ratio: &Ratio, colour: usize) -> Row {
    let interval =
        ratio.interval.map_or_else(String::new, |interval| format!(" ({})", interval_text(interval)));
    Row {
        name,
        figures: ratio_text(ratio) + &interval,
        colour,
        runs: Vec::new(),
        median: ratio.value,
        interval: ratio.interval,
    }
}

fn section(title: &str, line: &str, rows: &[Row], marked: Option<f64>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let svg = chart(rows, marked, title);
    format!("<section>\n<h2>{}</h2>\n{line}\n{svg}</section>\n", escape_markup(title))
}

/// Returns text as markup that keeps the parts of a flag on one line.
fn marked(text: &str) -> String {
    let whole = |word: &str| match word.starts_with("--") {
        true => format!("<span class=\"flag\">{word}</span>"),
        false => word.to_owned(),
    };
    escape_markup(text).split(' ').map(whole).collect::<Vec<String>>().join(" ")
}

/// The size of a drawing in its own units, in which a letter is about 6 wide.
const WIDTH: f64 = 370.0;
const ROW: f64 = 36.0;
const AXIS: f64 = 24.0;
/// The room beside the axis, for half a number below its ends.
const SIDE: f64 = 18.0;

/// The number of runs from which not each of them has its dot.
const MANY_RUNS: usize = 1_000;

/// Colours that people with any colour vision tell apart, on white and on black.
const COLOURS: [&str; 6] = ["#2b83c8", "#d9600a", "#0f9a72", "#b8609a", "#9c7c00", "#7d72d8"];

#[derive(Clone, Debug)]
struct Row {
    name: String,
    figures: String,
    /// Rows with the same number have the same colour.
    colour: usize,
    runs: Vec<f64>,
    median: f64,
    interval: Option<Interval>,
}

/// Returns a chart of rows, for people who cannot see it with a description. A line marks a value, if it is given.
fn chart(rows: &[Row], line: Option<f64>, description: &str) -> String {
    let axis = Axis::of(rows, line);
    let bottom = ROW * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\" fill=\"currentColor\">\n",
        bottom + AXIS,
        escape_markup(description)
    );
    for tick in axis.ticks() {
        let (x, number) = (axis.place(tick), (tick * 1e9).round() / 1e9);
        let width = if line == Some(tick) { "1.5" } else { "0.4" };
        // The lines leave out the text of each row.
        let lines: String =
            (0..rows.len()).map(|row| format!("M{x:.1} {}v18", ROW * row as f64 + 16.0)).collect();
        let _ = writeln!(
            svg,
            "<path d=\"{lines}\" stroke=\"currentColor\" stroke-width=\"{width}\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
            bottom + 13.0
        );
    }
    rows.iter().enumerate().for_each(|(index, row)| svg.push_str(&axis.row(row, ROW * index as f64)));
    svg + "</svg>\n"
}

fn names(name: &str, figures: &str, top: f64) -> String {
    let (name, figures) = (escape_markup(name), escape_markup(figures));
    format!(
        "<text x=\"0\" y=\"{0}\" font-weight=\"bold\">{name}</text>\
         <text x=\"{WIDTH}\" y=\"{0}\" text-anchor=\"end\">{figures}</text>",
        top + 12.0
    )
}

/// A logarithmic axis.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    /// Returns an axis with all medians, intervals and runs, but not with runs that are more than three times as fast
    /// or slow as all medians: one disturbed run would hide the others.
    fn of(rows: &[Row], line: Option<f64>) -> Axis {
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, 0.0), |(low, high), value| (value.min(low), value.max(high)))
        };
        let (low, high) = ends(&mut rows.iter().map(|row| row.median).chain(line));
        let intervals = rows.iter().filter_map(|row| row.interval);
        let intervals = intervals.flat_map(|Interval { low, high }| [low, high]);
        let runs = rows.iter().flat_map(|row| row.runs.iter().copied());
        let values = intervals.chain(runs).map(|value| value.clamp(low / 3.0, high * 3.0));
        let (from, to) = ends(&mut values.chain([low, high]));
        let room = (to / from).powf(0.04).max(1.002);
        Axis { from: from / room, to: to * room }
    }

    /// Returns round numbers: at equal distances, or 1, 2 and 5 in each power of ten if the axis is long.
    fn ticks(&self) -> Vec<f64> {
        let Axis { from, to } = *self;
        let is_inside = |tick: &f64| (from..=to).contains(tick);
        if to > 6.0 * from {
            let powers = (from.log10().floor() as i32)..=(to.log10().ceil() as i32);
            let leads: &[f64] = if to > 1e3 * from { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let all = powers.flat_map(|power| leads.iter().map(move |lead| lead * 10_f64.powi(power)));
            return all.filter(is_inside).collect();
        }
        let power = 10_f64.powf((to - from).log10().floor());
        let steps = [0.2, 0.5, 1.0, 2.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| (to - from) / step <= 7.0).unwrap_or(2.0 * power);
        let first = (from / step).ceil() as i64;
        let tick = |number: i64| (number as f64 * step * 1e9).round() / 1e9;
        (first..).map(tick).take_while(is_inside).collect()
    }

    /// Values beyond the axis are at its end.
    fn place(&self, value: f64) -> f64 {
        let part = (value.max(1e-300) / self.from).ln() / (self.to / self.from).ln();
        SIDE + part.clamp(0.0, 1.0) * (WIDTH - 2.0 * SIDE)
    }

    fn row(&self, row: &Row, top: f64) -> String {
        let (colour, middle) = (COLOURS[row.colour % COLOURS.len()], top + 25.0);
        let mut svg = format!(
            "<g fill=\"{colour}\" stroke=\"{colour}\"><g fill=\"currentColor\" stroke=\"none\">{}</g>",
            names(&row.name, &row.figures, top)
        );
        // Thousands of runs would make a file of megabytes. Those that would cover each other are one dot.
        let mut places = BTreeSet::new();
        for &run in &row.runs {
            let place = (10.0 * self.place(run)).round() as i64;
            if row.runs.len() > MANY_RUNS && !places.insert(place) {
                continue;
            }
            let is_outside = !(self.from..=self.to).contains(&run);
            let fill = if is_outside { " fill=\"none\"" } else { " stroke=\"none\"" };
            let x = self.place(run);
            let _ = write!(
                svg,
                "<circle class=\"run\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"2\" fill-opacity=\".4\"{fill}/>"
            );
        }
        if let Some(Interval { low, high }) = row.interval {
            let (left, right) = (self.place(low), self.place(high));
            let _ = write!(
                svg,
                "<path class=\"interval\" d=\"M{left:.1} {0}v10M{right:.1} {0}v10M{left:.1} {middle}H{right:.1}\" \
                 stroke-width=\"1.6\"/>",
                middle - 5.0
            );
        }
        let x = self.place(row.median);
        svg + &format!("<circle class=\"median\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"3.5\"/></g>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_a_few_round_numbers() {
        for (from, to, ticks) in [
            (0.959, 1.081, &[0.96, 0.98, 1.0, 1.02, 1.04, 1.06, 1.08][..]),
            (3.4, 4.3, &[3.4, 3.6, 3.8, 4.0, 4.2]),
            (0.1, 10.0, &[0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]),
            (540.0, 7600.0, &[1000.0, 2000.0, 5000.0]),
            (0.5, 5000.0, &[1.0, 10.0, 100.0, 1000.0]),
        ] {
            let found = Axis { from, to }.ticks();
            let is_equal = |(a, b): (&f64, &f64)| (a / b - 1.0).abs() < 1e-9;
            assert!(found.len() == ticks.len() && found.iter().zip(ticks).all(is_equal), "{found:?}");
        }
    }

    #[test]
    fn twice_and_half_as_fast_are_equally_far_from_the_line() {
        let row = |median| Row {
            name: "a".to_owned(),
            figures: String::new(),
            colour: 0,
            runs: vec![0.001],
            median,
            interval: None,
        };
        let axis = Axis::of(&[row(2.0), row(0.5)], Some(1.0));
        let [half, one, two] = [0.5, 1.0, 2.0].map(|value| axis.place(value));
        assert!(((one - half) - (two - one)).abs() < 1e-9);
        assert_eq!((axis.place(0.001), axis.place(1e9)), (SIDE, WIDTH - SIDE));
        assert!(axis.from > 0.1, "a run that is a thousand times as slow is not");
        assert_eq!(chart(&[row(2.0)], None, "").matches("fill=\"none\"").count(), 1);
        let many = Row { runs: (0..50_000).map(|run| 2.0 + f64::from(run) / 1e5).collect(), ..row(2.0) };
        assert!(chart(&[many], None, "").len() < 500_000);
    }
}
