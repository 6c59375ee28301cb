//! Plots of speeds: a bar with its confidence interval for each program or position, and a dot for each run.
//!
//! ```text
//!     kiwipete 6 (Mnps)                 time of every run, relative to the median
//!     bitboard  |==========H== 5476     |      . :|.            |
//!     magic     |==H 1120               |     .  ::|  .    .    |
//!               0    2000    4000       -2 %               +2 %
//! ```
//!
//! If the speeds of a panel differ more than tenfold, its axis is logarithmic. A few very slow runs do not stretch the
//! axis of the runs: they are drawn as hollow circles at its ends. There is a layout for screens and one for phones.
//!
//! An SVG needs no other files. It has no background and adapts to light and dark themes. The `plotters` crate draws it and
//! chooses the ticks.

use std::io;
use std::ops::Range;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::coord::combinators::{IntoLogRange, LogCoord};
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
    /// The number of the colour. Bars about one program have the same.
    pub color: usize,
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
    pub fn new(label: String, color: usize, result: &BenchResult) -> Bar {
        let median = result.timings.median.max(1e-9);
        Bar {
            label,
            color,
            speed: Some(result.nodes_per_second),
            interval: Some(result.nodes_per_second_interval),
            runs: result.timings.times.iter().map(|seconds| seconds / median).collect(),
            remark: String::new(),
        }
    }
}

/// Where the parts of a plot are, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    width: i32,
    /// The horizontal range of the bars.
    bars: (i32, i32),
    /// The horizontal range of the dots, one for each run.
    runs: (i32, i32),
    /// The height of a row: a bar, with its label and its dots beside it or above and below it.
    row: i32,
    /// Whether the label of a bar is above it and its dots are below it.
    is_stacked: bool,
    /// The number of letters that fit into a label.
    label: usize,
}

impl Layout {
    /// The layout for a screen.
    pub const WIDE: Layout =
        Layout { width: 960, bars: (200, 600), runs: (680, 940), row: 26, is_stacked: false, label: 26 };
    /// The layout for a phone: 360 pixels less the margins of a page.
    pub const NARROW: Layout =
        Layout { width: 328, bars: (8, 262), runs: (16, 312), row: 64, is_stacked: true, label: 40 };
}

type DrawError = DrawingAreaErrorKind<io::Error>;
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const TITLE_HEIGHT: i32 = 48;
const LINE_HEIGHT: i32 = 18;
/// The height of the title of a panel, above its bars.
const HEAD_HEIGHT: i32 = 30;
/// The height of the axis of a panel, below its bars.
const FOOT_HEIGHT: i32 = 44;
/// The smallest deviation from the median that fills the width of the dots.
const MIN_SPREAD: f64 = 0.005;

/// The ratio of speeds from which their axis is logarithmic.
const LOGARITHMIC: f64 = 10.0;

/// A color that can be read on white and on black. The style replaces it in programs that support light and dark themes.
const INK: RGBColor = RGBColor(118, 118, 118);
/// Colors that people with color blindness can distinguish: Okabe and Ito, "Color Universal Design" (2008). Each is
/// followed by the one for dark themes, which is lighter where the first is hard to see.
const COLORS: [(RGBColor, &str); 6] = [
    (RGBColor(0, 114, 178), "#3aa0e0"),
    (RGBColor(230, 159, 0), "#e69f00"),
    (RGBColor(0, 158, 115), "#1fc196"),
    (RGBColor(213, 94, 0), "#f07a24"),
    (RGBColor(204, 121, 167), "#d98fb9"),
    (RGBColor(86, 180, 233), "#8fd0f7"),
];

/// Returns the style of texts, of the lines of intervals and of the dark theme. Only those lines have this width.
fn style() -> String {
    let dark: String = COLORS
        .iter()
        .map(|(RGBColor(red, green, blue), dark)| {
            let light = format!("#{red:02X}{green:02X}{blue:02X}");
            format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
        })
        .collect();
    format!(
        "<style>text{{fill:#24292f}}polyline[stroke-width=\"2\"]{{stroke:#24292f}}\
         @media(prefers-color-scheme:dark){{text{{fill:#e6edf3}}polyline[stroke-width=\"2\"]{{stroke:#e6edf3}}{dark}}}</style>"
    )
}

impl Plot {
    /// Returns the plot as SVG, with its title and caption.
    pub fn svg(&self) -> String {
        self.svg_in(Layout::WIDE, true)
    }

    /// Returns the plot as SVG for a page that has the title and the caption itself.
    pub fn svg_without_title(&self, layout: Layout) -> String {
        self.svg_in(layout, false)
    }

    fn svg_in(&self, layout: Layout, has_title: bool) -> String {
        let mut svg = String::new();
        // Only files can cause errors in this backend.
        self.draw(&mut svg, layout, has_title).expect("writing to a string does not fail");
        match svg.find("<svg").and_then(|start| Some(start + svg[start..].find('>')? + 1)) {
            Some(end) => svg.insert_str(end, &format!("\n{}", style())),
            None => unreachable!("an SVG begins with this tag"),
        }
        svg
    }

    fn draw(&self, svg: &mut String, layout: Layout, has_title: bool) -> Result<(), DrawError> {
        let head = if has_title { TITLE_HEIGHT + LINE_HEIGHT * self.caption.len() as i32 } else { 0 };
        let panels: i32 = self.panels.iter().map(|panel| panel.height(layout)).sum();
        let size = (layout.width as u32, (head + panels) as u32);
        let canvas = SVGBackend::with_string(svg, size).into_drawing_area();
        if has_title {
            text(&canvas, &self.title, (20, 24), 22, HPos::Left)?;
            for (line, y) in self.caption.iter().zip((TITLE_HEIGHT..).step_by(LINE_HEIGHT as usize)) {
                text(&canvas, line, (20, y), 14, HPos::Left)?;
            }
        }
        let mut y = head;
        for panel in &self.panels {
            panel.draw(&canvas, y, layout)?;
            y += panel.height(layout);
        }
        canvas.present()?;
        Ok(())
    }
}

/// An axis of speeds in Mnps.
enum Speeds {
    Linear(RangedCoordf64),
    Logarithmic(LogCoord<f64>),
}

impl Speeds {
    fn map(&self, mnps: f64, pixels: (i32, i32)) -> i32 {
        match self {
            Speeds::Linear(axis) => axis.map(&mnps, pixels),
            Speeds::Logarithmic(axis) => axis.map(&mnps, pixels),
        }
    }

    fn ticks(&self) -> Vec<f64> {
        match self {
            Speeds::Linear(axis) => axis.key_points(TICKS),
            Speeds::Logarithmic(axis) => {
                let decades = (-6..7).map(|power| 10_f64.powi(power));
                let ticks = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|step| step * decade));
                ticks.filter(|tick| axis.range().contains(tick)).collect()
            }
        }
    }
}

impl Panel {
    /// Makes a panel with the fastest bar first. Bars without a speed are last.
    pub fn sorted(title: String, mut bars: Vec<Bar>) -> Panel {
        bars.sort_by(|a, b| b.speed.unwrap_or_default().total_cmp(&a.speed.unwrap_or_default()));
        Panel { title, bars }
    }

    fn height(&self, layout: Layout) -> i32 {
        let axes = if layout.is_stacked && self.has_runs() { 2 } else { 1 };
        HEAD_HEIGHT + layout.row * self.bars.len() as i32 + axes * FOOT_HEIGHT
    }

    fn has_runs(&self) -> bool {
        self.bars.iter().any(|bar| !bar.runs.is_empty())
    }

    fn draw(&self, canvas: &Canvas, top: i32, layout: Layout) -> Result<(), DrawError> {
        let rows = top + HEAD_HEIGHT;
        let bottom = rows + layout.row * self.bars.len() as i32;
        let left = if layout.is_stacked { layout.bars.0 } else { 20 };
        let speeds = self.speeds();
        let unit = match speeds {
            Speeds::Linear(_) => "Mnps",
            Speeds::Logarithmic(_) => "Mnps, log scale",
        };
        let title = format!("{} ({unit})", self.title);
        text(canvas, &title, (left, top + HEAD_HEIGHT / 2), 17, HPos::Left)?;
        let ticks =
            speeds.ticks().into_iter().map(|value| (speeds.map(value, layout.bars), value.to_string()));
        axis(canvas, ticks.collect(), layout.bars, rows..bottom)?;

        let percent = 100.0 * self.spread();
        let runs = RangedCoordf64::from(-percent..percent);
        if self.has_runs() {
            let (title_y, range) = match layout.is_stacked {
                true => (bottom + FOOT_HEIGHT - 8, bottom + FOOT_HEIGHT..bottom + FOOT_HEIGHT),
                false => (top + HEAD_HEIGHT / 2, rows..bottom),
            };
            text(
                canvas,
                "time of every run, relative to the median",
                (layout.runs.0, title_y),
                14,
                HPos::Left,
            )?;
            let ticks = runs.key_points(TICKS).into_iter();
            let ticks = ticks.map(|value| (runs.map(&value, layout.runs), format!("{value:+} %")));
            axis(canvas, ticks.collect(), layout.runs, range)?;
        }
        for (bar, y) in self.bars.iter().zip((rows..).step_by(layout.row as usize)) {
            bar.draw(canvas, y, layout, &speeds, &runs)?;
        }
        Ok(())
    }

    /// Returns the axis of speeds.
    fn speeds(&self) -> Speeds {
        let speeds = || self.bars.iter().filter_map(|bar| Some((bar.speed?, bar.interval)));
        let fastest = speeds().map(|(speed, interval)| interval.map_or(speed, |interval| interval.high));
        let slowest = speeds().map(|(speed, interval)| interval.map_or(speed, |interval| interval.low));
        let fastest = fastest.fold(0.0, f64::max).max(1.0) / 1e6;
        let slowest = slowest.fold(f64::INFINITY, f64::min).max(1.0) / 1e6;
        if fastest > LOGARITHMIC * slowest {
            // The shortest bar keeps a length that can be seen.
            Speeds::Logarithmic((slowest / 2.0..fastest).log_scale().into())
        } else {
            Speeds::Linear(RangedCoordf64::from(0.0..fastest))
        }
    }

    /// Returns the deviation from the median at the ends of the axis of runs, relative to the median: the largest
    /// deviation, but at most twice the one that nine runs of ten stay below.
    fn spread(&self) -> f64 {
        let mut deviations: Vec<f64> =
            self.bars.iter().flat_map(|bar| &bar.runs).map(|run| (run - 1.0).abs()).collect();
        deviations.sort_by(f64::total_cmp);
        let ninth = deviations.len().saturating_sub(1) * 9 / 10;
        let usual = deviations.get(ninth).copied().unwrap_or_default();
        let largest = deviations.last().copied().unwrap_or_default();
        1.05 * largest.min(2.0 * usual).max(MIN_SPREAD)
    }
}

impl Bar {
    /// Draws the bar, its label and its runs in the row that begins at `top`.
    fn draw(
        &self,
        canvas: &Canvas,
        top: i32,
        layout: Layout,
        speeds: &Speeds,
        runs: &RangedCoordf64,
    ) -> Result<(), DrawError> {
        let label = shorten(&self.label, layout.label);
        let (y, runs_y) = if layout.is_stacked { (top + 26, top + 46) } else { (top + 13, top + 13) };
        match layout.is_stacked {
            true => text(canvas, &label, (layout.bars.0, top + 8), 14, HPos::Left)?,
            false => text(canvas, &label, (layout.bars.0 - 8, y), 14, HPos::Right)?,
        }
        let Some(speed) = self.speed else {
            return text(canvas, &self.remark, (layout.bars.0 + 6, y), 14, HPos::Left);
        };
        let color = COLORS[self.color % COLORS.len()].0;
        let x = |speed: f64| speeds.map(speed / 1e6, layout.bars);
        canvas.draw(&Rectangle::new([(layout.bars.0, y - 8), (x(speed), y + 8)], color.mix(0.8).filled()))?;
        if let Some(Interval { low, high }) = self.interval {
            error_bar(canvas, x(low)..x(high), y)?;
        }
        let end = x(self.interval.map_or(speed, |interval| interval.high));
        text(canvas, &mega(speed), (end + 6, y), 13, HPos::Left)?;
        let ends = runs.range();
        for percent in self.runs.iter().map(|run| 100.0 * (run - 1.0)) {
            let x = runs.map(&percent.clamp(ends.start, ends.end), layout.runs);
            let style = if ends.contains(&percent) { color.mix(0.6).filled() } else { color.stroke_width(1) };
            canvas.draw(&Circle::new((x, runs_y), 4, style))?;
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

/// The number of ticks of an axis, at most.
const TICKS: usize = 6;

/// Draws an axis below the bars, with faint vertical lines at the ticks, each given by its place and its label.
fn axis(canvas: &Canvas, ticks: Vec<(i32, String)>, x: (i32, i32), y: Range<i32>) -> Result<(), DrawError> {
    for (at, label) in ticks {
        canvas.draw(&PathElement::new(vec![(at, y.start), (at, y.end + 4)], INK.mix(0.35)))?;
        text(canvas, &label, (at, y.end + 12), 13, HPos::Center)?;
    }
    canvas.draw(&PathElement::new(vec![(x.0, y.end), (x.1, y.end)], INK))?;
    Ok(())
}

fn text(canvas: &Canvas, content: &str, at: (i32, i32), size: i32, side: HPos) -> Result<(), DrawError> {
    let style =
        TextStyle::from(("sans-serif", size).into_font()).color(&INK).pos(Pos::new(side, VPos::Center));
    canvas.draw(&Text::new(content.to_owned(), at, style))?;
    Ok(())
}

/// Shortens a label that is too long. It keeps the end, because commands differ there.
fn shorten(label: &str, max_length: usize) -> String {
    let length = label.chars().count();
    match length.checked_sub(max_length) {
        None | Some(0) => label.to_owned(),
        Some(_) => format!("…{}", label.chars().skip(length + 1 - max_length).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let bar = |label: &str, speed| Bar {
            label: label.to_owned(),
            color: 0,
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
    fn one_outlier_does_not_stretch_the_axis_of_the_runs() {
        let mut plot = plot();
        plot.panels[0].bars[1].runs.clear();
        plot.panels[0].bars[0].runs = (0..50).map(|run| 1.0 + 0.0004 * f64::from(run % 5)).collect();
        assert!(plot.panels[0].spread() < 0.05);
        plot.panels[0].bars[0].runs.push(6.0);
        assert!(plot.panels[0].spread() < 0.05, "{}", plot.panels[0].spread());
        let svg = plot.svg();
        let circles = svg.split("<circle").skip(1).filter_map(|circle| circle.split('>').next());
        let hollow = circles.filter(|circle| circle.contains("fill=\"none\"")).count();
        assert_eq!(hollow, 1, "the outlier is a circle at the end: {svg}");
    }

    #[test]
    fn speeds_that_differ_tenfold_have_a_logarithmic_axis() {
        let mut plot = plot();
        assert!(!plot.svg().contains("log scale"));
        plot.panels[0].bars[1].speed = Some(1e8);
        plot.panels[0].bars[1].interval = None;
        assert!(plot.svg().contains("log scale"));
    }

    #[test]
    fn a_plot_for_phones_is_narrow_and_has_no_title() {
        let svg = plot().svg_without_title(Layout::NARROW);
        assert!(svg.contains("width=\"328\"") && !svg.contains("a &amp; b"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 6);
    }

    #[test]
    fn an_empty_plot_can_be_drawn() {
        let empty = Plot { panels: vec![Panel { title: String::new(), bars: Vec::new() }], ..plot() };
        assert!(empty.svg().ends_with("</svg>\n"));
    }

    #[test]
    fn long_labels_lose_their_beginning() {
        assert_eq!(shorten("stockfish", 26), "stockfish");
        assert_eq!(shorten("../a/very/long/path/to/some/engine", 26), "…/long/path/to/some/engine");
    }
}
