//! Plots of speeds: a bar with its confidence interval for each program or position, and next to it a dot for each run.
//!
//! ```text
//!     kiwipete 6                        every run, relative to the median
//!     bitboard  |==========H== 5476     |      . :|.            |
//!     magic     |==H 1120               |     .  ::|  .    .    |
//!               0    2000    4000 Mnps  -2 %               +2 %
//! ```
//!
//! An SVG needs no other files. It has no background and adapts to light and dark themes. The `plotters` crate draws it and
//! chooses the ticks.

use std::io;
use std::ops::Range;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::bench_result::BenchResult;
use super::numbers::mega;
use crate::bench::Interval;

/// A plot: panels below each other.
pub(super) struct Plot {
    pub title: String,
    /// The lines below the title.
    pub caption: Vec<String>,
    pub panels: Vec<Panel>,
}

/// Bars with a common axis.
pub(super) struct Panel {
    pub title: String,
    pub bars: Vec<Bar>,
}

/// A bar with its label and its runs.
pub(super) struct Bar {
    pub label: String,
    /// The speed in leaf nodes per second; `None` if `remark` is shown instead of a bar.
    pub speed: Option<f64>,
    /// The confidence interval of the speed.
    pub interval: Option<Interval>,
    /// The time of each run, divided by the median.
    pub runs: Vec<f64>,
    /// The reason why there is no bar.
    pub remark: String,
}

impl Bar {
    /// Makes the bar of a result.
    pub fn new(label: String, result: &BenchResult) -> Bar {
        let median = result.timings.median.max(1e-9);
        Bar {
            label,
            speed: Some(result.nodes_per_second),
            interval: Some(result.nodes_per_second_interval),
            runs: result.timings.times.iter().map(|seconds| seconds / median).collect(),
            remark: String::new(),
        }
    }
}

type DrawError = DrawingAreaErrorKind<io::Error>;
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: i32 = 960;
const TITLE_HEIGHT: i32 = 48;
const LINE_HEIGHT: i32 = 18;
const BAR_HEIGHT: i32 = 26;
/// The height of the title of a panel, above its bars.
const HEAD_HEIGHT: i32 = 30;
/// The height of the axis of a panel, below its bars.
const FOOT_HEIGHT: i32 = 44;
/// The horizontal range of the bars.
const BARS: Range<i32> = 200..600;
/// The horizontal range of the dots, one for each run.
const RUNS: Range<i32> = 680..940;
/// The smallest deviation from the median that fills the width of the dots.
const MIN_SPREAD: f64 = 0.005;

/// A color that can be read on white and on black. The style replaces it in programs that support light and dark themes.
const INK: RGBColor = RGBColor(118, 118, 118);
/// Colors that people with color blindness can distinguish: Okabe and Ito, "Color Universal Design" (2008).
const COLORS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];
/// The style of texts and of the lines of intervals. Only those lines have this width.
const STYLE: &str = "<style>\
text{fill:#24292f}polyline[stroke-width=\"2\"]{stroke:#24292f}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}polyline[stroke-width=\"2\"]{stroke:#e6edf3}}\
</style>";

impl Plot {
    /// Returns the plot as SVG.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Only files can cause errors in this backend.
        self.draw(&mut svg).expect("writing to a string does not fail");
        match svg.find("<svg").and_then(|start| Some(start + svg[start..].find('>')? + 1)) {
            Some(end) => svg.insert_str(end, &format!("\n{STYLE}")),
            None => unreachable!("an SVG begins with this tag"),
        }
        svg
    }

    fn height(&self) -> i32 {
        let panels = self.panels.iter().map(Panel::height).sum::<i32>();
        TITLE_HEIGHT + LINE_HEIGHT * self.caption.len() as i32 + panels
    }

    fn draw(&self, svg: &mut String) -> Result<(), DrawError> {
        let canvas = SVGBackend::with_string(svg, (WIDTH as u32, self.height() as u32)).into_drawing_area();
        text(&canvas, &self.title, (20, 24), 22, HPos::Left)?;
        let mut y = TITLE_HEIGHT;
        for line in &self.caption {
            text(&canvas, line, (20, y), 14, HPos::Left)?;
            y += LINE_HEIGHT;
        }
        for panel in &self.panels {
            panel.draw(&canvas, y)?;
            y += panel.height();
        }
        canvas.present()?;
        Ok(())
    }
}

impl Panel {
    fn height(&self) -> i32 {
        HEAD_HEIGHT + BAR_HEIGHT * self.bars.len() as i32 + FOOT_HEIGHT
    }

    fn draw(&self, canvas: &Canvas, top: i32) -> Result<(), DrawError> {
        let bars_top = top + HEAD_HEIGHT;
        let bars_bottom = bars_top + BAR_HEIGHT * self.bars.len() as i32;
        let title_y = top + HEAD_HEIGHT / 2;
        text(canvas, &self.title, (20, title_y), 17, HPos::Left)?;

        let speeds = RangedCoordf64::from(0.0..self.fastest() / 1e6);
        axis(canvas, &speeds, BARS, bars_top..bars_bottom, |value| value.to_string())?;
        text(canvas, "Mnps", (BARS.end + 8, bars_bottom + 12), 13, HPos::Left)?;

        let percent = 100.0 * self.spread();
        let runs = RangedCoordf64::from(-percent..percent);
        if self.bars.iter().any(|bar| !bar.runs.is_empty()) {
            text(canvas, "time of every run, relative to the median", (RUNS.start, title_y), 14, HPos::Left)?;
            axis(canvas, &runs, RUNS, bars_top..bars_bottom, |value| format!("{value:+} %"))?;
        }

        for (index, bar) in self.bars.iter().enumerate() {
            let middle = bars_top + BAR_HEIGHT * index as i32 + BAR_HEIGHT / 2;
            bar.draw(canvas, middle, COLORS[index % COLORS.len()], &speeds, &runs)?;
        }
        Ok(())
    }

    /// Returns the upper end of the axis of speeds, in leaf nodes per second.
    fn fastest(&self) -> f64 {
        let ends = self
            .bars
            .iter()
            .filter_map(|bar| Some(bar.interval.map_or(bar.speed?, |interval| interval.high)));
        ends.fold(0.0, f64::max).max(1.0)
    }

    /// Returns the largest deviation of a run from the median, relative to the median.
    fn spread(&self) -> f64 {
        let deviations = self.bars.iter().flat_map(|bar| &bar.runs).map(|run| (run - 1.0).abs());
        1.05 * deviations.fold(MIN_SPREAD, f64::max)
    }
}

impl Bar {
    fn draw(
        &self,
        canvas: &Canvas,
        y: i32,
        color: RGBColor,
        speeds: &RangedCoordf64,
        runs: &RangedCoordf64,
    ) -> Result<(), DrawError> {
        text(canvas, &shorten(&self.label), (BARS.start - 8, y), 14, HPos::Right)?;
        let Some(speed) = self.speed else {
            return text(canvas, &self.remark, (BARS.start + 6, y), 14, HPos::Left);
        };
        let x = |speed: f64| speeds.map(&(speed / 1e6), (BARS.start, BARS.end));
        canvas.draw(&Rectangle::new([(BARS.start, y - 8), (x(speed), y + 8)], color.mix(0.8).filled()))?;
        if let Some(Interval { low, high }) = self.interval {
            error_bar(canvas, x(low)..x(high), y)?;
        }
        let end = x(self.interval.map_or(speed, |interval| interval.high));
        text(canvas, &mega(speed), (end + 6, y), 13, HPos::Left)?;
        for run in &self.runs {
            let x = runs.map(&(100.0 * (run - 1.0)), (RUNS.start, RUNS.end));
            canvas.draw(&Circle::new((x, y), 4, color.mix(0.5).filled()))?;
        }
        Ok(())
    }
}

/// Draws a horizontal line with a tick at both ends.
fn error_bar(canvas: &Canvas, x: Range<i32>, y: i32) -> Result<(), DrawError> {
    for path in [
        vec![(x.start, y), (x.end, y)],
        vec![(x.start, y - 5), (x.start, y + 5)],
        vec![(x.end, y - 5), (x.end, y + 5)],
    ] {
        canvas.draw(&PathElement::new(path, ShapeStyle::from(&INK).stroke_width(2)))?;
    }
    Ok(())
}

/// Draws an axis below the bars, with faint vertical lines at the ticks.
fn axis(
    canvas: &Canvas,
    coordinates: &RangedCoordf64,
    x: Range<i32>,
    y: Range<i32>,
    label: impl Fn(&f64) -> String,
) -> Result<(), DrawError> {
    const TICKS: usize = 6;
    for value in coordinates.key_points(TICKS) {
        let at = coordinates.map(&value, (x.start, x.end));
        canvas.draw(&PathElement::new(vec![(at, y.start), (at, y.end + 4)], INK.mix(0.35)))?;
        text(canvas, &label(&value), (at, y.end + 12), 13, HPos::Center)?;
    }
    canvas.draw(&PathElement::new(vec![(x.start, y.end), (x.end, y.end)], INK))?;
    Ok(())
}

fn text(canvas: &Canvas, content: &str, at: (i32, i32), size: i32, side: HPos) -> Result<(), DrawError> {
    let style =
        TextStyle::from(("sans-serif", size).into_font()).color(&INK).pos(Pos::new(side, VPos::Center));
    canvas.draw(&Text::new(content.to_owned(), at, style))?;
    Ok(())
}

/// Shortens a label that is too long. It keeps the end, because commands differ there.
fn shorten(label: &str) -> String {
    const MAX_LENGTH: usize = 26;
    let length = label.chars().count();
    match length.checked_sub(MAX_LENGTH) {
        None | Some(0) => label.to_owned(),
        Some(_) => format!("…{}", label.chars().skip(length + 1 - MAX_LENGTH).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let bar = |label: &str, speed| Bar {
            label: label.to_owned(),
            speed: Some(speed),
            interval: Some(Interval { low: 0.9 * speed, high: 1.1 * speed }),
            runs: vec![0.99, 1.0, 1.02],
            remark: String::new(),
        };
        let none = Bar {
            speed: None,
            interval: None,
            runs: Vec::new(),
            remark: "wrong".to_owned(),
            ..bar("a<b", 0.0)
        };
        let panel =
            Panel { title: "start 6".to_owned(), bars: vec![bar("bitboard", 5e9), bar("magic", 1e9), none] };
        Plot { title: "perft".to_owned(), caption: vec!["a & b".to_owned()], panels: vec![panel] }
    }

    #[test]
    fn a_plot_has_bars_and_dots_and_needs_no_other_files() {
        let svg = plot().svg();
        assert_eq!(svg.matches("<circle").count(), 6, "{svg}");
        assert_eq!(svg.matches("<rect").count(), 2, "no bar for a wrong count, and no background: {svg}");
        for text in ["bitboard", "5000.0", "wrong", "start 6", "a&lt;b", "a &amp; b", "prefers-color-scheme"]
        {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let addresses: Vec<&str> = svg.split("http").skip(1).collect();
        assert!(addresses.iter().all(|rest| rest.starts_with("://www.w3.org/2000/svg")), "{svg}");
    }

    #[test]
    fn an_empty_plot_can_be_drawn() {
        let empty = Plot { panels: vec![Panel { title: String::new(), bars: Vec::new() }], ..plot() };
        assert!(empty.svg().ends_with("</svg>\n"));
    }

    #[test]
    fn long_labels_lose_their_beginning() {
        assert_eq!(shorten("stockfish"), "stockfish");
        assert_eq!(shorten("../a/very/long/path/to/some/engine"), "…/long/path/to/some/engine");
    }
}
