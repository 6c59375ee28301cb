//! Plots of speeds: a bar with its confidence interval for each program or position, and a dot for each run.
//!
//! ```text
//!     start 5 (Mnps)
//!     bitboard  |================.:.  2190.8 (× 1)
//!     magic     |===.             365.1 (× 0.1971)
//!               0       1000       2000
//! ```
//!
//! Lengths are speeds: all panels have the same axis, and it begins at 0. A bar may be too short to see, so its speed
//! and its ratio to the reference are also written.
//!
//! An SVG needs no other files. It has no background and adapts to light and dark themes. The `plotters` crate draws it
//! and chooses the ticks.

use std::io;
use std::ops::Range;

use perft_diagnosis::lines::visible;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::contender::ContenderResult;
use super::report::BenchReport;
use super::tasks::TaskInfo;
use crate::output::numbers::{mega, ratio_text};
use crate::timing::Interval;

/// A plot: panels below each other.
pub struct Plot {
    pub panels: Vec<Panel>,
}

/// Bars below a title.
pub struct Panel {
    pub title: String,
    pub bars: Vec<Bar>,
}

pub struct Bar {
    pub label: String,
    /// The number of the colour. All bars of one program have the same colour.
    pub color: usize,
    /// The speed in leaf nodes per second, or the reason why there is no bar.
    pub speed: Result<f64, &'static str>,
    /// The confidence interval of the speed.
    pub interval: Option<Interval>,
    /// The speed in each run, in leaf nodes per second.
    pub runs: Vec<f64>,
    /// The ratio to the speed of the reference, if there is one.
    pub ratio: Option<f64>,
}

impl BenchReport {
    /// Returns the plot of all runs. A single contender has one panel for all positions. Several contenders have a
    /// panel for each position, and one of the mean speeds before them if there are several positions.
    pub fn plot(&self) -> Plot {
        let tasks = &self.tasks;
        if let [only] = &self.contenders[..] {
            let bars = tasks.iter().map(|task| Bar { label: task.name(), ..self.bar(only, task) }).collect();
            return Plot { panels: vec![Panel { title: "positions and depths".to_owned(), bars }] };
        }
        let panel = |title: String, bar: &dyn Fn(&ContenderResult) -> Bar| {
            let bars = self.contenders.iter().enumerate().map(|(color, of)| Bar { color, ..bar(of) });
            Panel { title, bars: bars.collect() }
        };
        let means = (tasks.len() > 1).then(|| panel("geometric mean".to_owned(), &mean_bar));
        let positions = tasks.iter().map(|task| panel(task.name(), &|of| self.bar(of, task)));
        Plot { panels: means.into_iter().chain(positions).collect() }
    }

    fn bar(&self, of: &ContenderResult, task: &TaskInfo) -> Bar {
        match self.measurement(of, task) {
            Ok(result) => Bar {
                speed: Ok(result.nodes_per_second),
                interval: Some(result.nodes_per_second_interval),
                runs: result.run_speeds(),
                ratio: result.ratio.map(|ratio| ratio.value),
                ..mean_bar(of)
            },
            Err(reason) => Bar { speed: Err(reason), ratio: None, ..mean_bar(of) },
        }
    }
}

fn mean_bar(of: &ContenderResult) -> Bar {
    Bar {
        label: of.contender.name.clone(),
        color: 0,
        speed: of.nodes_per_second.ok_or("not in all positions"),
        interval: None,
        runs: Vec::new(),
        ratio: of.overall.map(|ratio| ratio.value),
    }
}

type DrawError = DrawingAreaErrorKind<io::Error>;

/// The width of a plot. All sizes are in pixels.
const WIDTH: u32 = 960;
/// The horizontal range of the bars. The labels are on the left, and the speeds on the right.
const BARS: (i32, i32) = (200, 790);
/// The height of a bar with the space around it.
const ROW_HEIGHT: i32 = 26;
/// The number of letters that fit into a label.
const LABEL_LENGTH: usize = 26;
/// The height of the title of a panel, above its bars.
const HEAD_HEIGHT: i32 = 30;
/// The height of the axis of a panel, below its bars.
const FOOT_HEIGHT: i32 = 40;

/// A color that can be read on white and on black. The style replaces it in programs that support light and dark
/// themes.
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
         @media screen and (prefers-color-scheme:dark){{text{{fill:#e6edf3}}polyline[stroke-width=\"2\"]{{stroke:#e6edf3}}{dark}}}</style>"
    )
}

impl Plot {
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Only files can cause errors in this backend.
        self.draw(&mut svg).expect("writing to a string does not fail");
        let (tag, content) = svg.split_once('>').expect("an SVG begins with a tag");
        format!("{tag}>\n{}{content}", style())
    }

    fn draw(&self, svg: &mut String) -> Result<(), DrawError> {
        let height: i32 = self.panels.iter().map(Panel::height).sum();
        let canvas = SVGBackend::with_string(svg, (WIDTH, height as u32)).into_drawing_area();
        let drawing = Drawing { canvas, axis: self.axis() };
        let mut y = 0;
        for panel in &self.panels {
            drawing.panel(panel, y)?;
            y += panel.height();
        }
        drawing.canvas.present()
    }

    /// Returns the axis of speeds in Mnps, from 0 to the fastest run of all panels.
    fn axis(&self) -> RangedCoordf64 {
        let bars = self.panels.iter().flat_map(|panel| &panel.bars);
        let fastest = bars.map(Bar::fastest).fold(0.0, f64::max);
        RangedCoordf64::from(0.0..if fastest > 0.0 { fastest / 1e6 } else { 1.0 })
    }
}

impl Panel {
    fn height(&self) -> i32 {
        HEAD_HEIGHT + ROW_HEIGHT * self.bars.len() as i32 + FOOT_HEIGHT
    }
}

impl Bar {
    /// Returns the largest speed that is drawn; 0 if there is none.
    fn fastest(&self) -> f64 {
        let high = self.interval.map(|interval| interval.high);
        self.runs.iter().copied().chain(self.speed).chain(high).fold(0.0, f64::max)
    }

    /// Returns the speed and the ratio, or the reason why there is no speed.
    fn figures(&self) -> String {
        match (self.speed, self.ratio) {
            (Err(reason), _) => reason.to_owned(),
            (Ok(speed), None) => mega(speed),
            // The reference, or as fast as it.
            (Ok(speed), Some(1.0)) => format!("{} (× 1)", mega(speed)),
            (Ok(speed), Some(ratio)) => format!("{} (× {})", mega(speed), ratio_text(ratio)),
        }
    }
}

/// The number of ticks of an axis, at most.
const TICKS: usize = 6;

/// A plot while it is drawn.
struct Drawing<'a> {
    canvas: DrawingArea<SVGBackend<'a>, Shift>,
    axis: RangedCoordf64,
}

impl Drawing<'_> {
    fn panel(&self, panel: &Panel, top: i32) -> Result<(), DrawError> {
        let rows = top + HEAD_HEIGHT;
        self.text(&format!("{} (Mnps)", panel.title), (20, top + HEAD_HEIGHT / 2), 17, HPos::Left)?;
        self.axis(rows..top + panel.height() - FOOT_HEIGHT)?;
        panel.bars.iter().zip((rows..).step_by(ROW_HEIGHT as usize)).try_for_each(|(bar, y)| self.bar(bar, y))
    }

    /// Draws the axis below the bars, which have these vertical positions, with faint vertical lines at the ticks.
    fn axis(&self, y: Range<i32>) -> Result<(), DrawError> {
        let (left, right) = BARS;
        for tick in self.axis.key_points(TICKS) {
            let at = self.axis.map(&tick, (left, right));
            self.canvas.draw(&PathElement::new([(at, y.start), (at, y.end + 4)], INK.mix(0.35)))?;
            // Sums of decimal fractions are not exact.
            let label = ((tick * 1e9).round() / 1e9).to_string();
            self.text(&label, (at, y.end + 12), 13, HPos::Center)?;
        }
        self.canvas.draw(&PathElement::new([(left, y.end), (right, y.end)], INK))
    }

    /// Draws a bar, its label and its runs in the row that begins at `top`.
    fn bar(&self, bar: &Bar, top: i32) -> Result<(), DrawError> {
        let x = |speed: f64| self.axis.map(&(speed / 1e6), BARS);
        let y = top + ROW_HEIGHT / 2;
        self.text(&shorten(&bar.label), (BARS.0 - 8, y), 14, HPos::Right)?;
        self.text(&bar.figures(), (x(bar.fastest()) + 8, y), 13, HPos::Left)?;
        let Ok(speed) = bar.speed else { return Ok(()) };
        let color = COLORS[bar.color % COLORS.len()].0;
        let corners = [(BARS.0, y - 8), (x(speed), y + 8)];
        self.canvas.draw(&Rectangle::new(corners, color.mix(0.45).filled()))?;
        for &run in &bar.runs {
            self.canvas.draw(&Circle::new((x(run), y + 4), 3, color.mix(0.7).filled()))?;
        }
        let Some(Interval { low, high }) = bar.interval else { return Ok(()) };
        let (low, high, y) = (x(low), x(high), y - 4);
        // A horizontal line with a tick at both ends.
        for path in [[(low, y), (high, y)], [(low, y - 5), (low, y + 5)], [(high, y - 5), (high, y + 5)]] {
            self.canvas.draw(&PathElement::new(path, ShapeStyle::from(&INK).stroke_width(2)))?;
        }
        Ok(())
    }

    fn text(&self, content: &str, at: (i32, i32), size: i32, side: HPos) -> Result<(), DrawError> {
        let style =
            TextStyle::from(("sans-serif", size).into_font()).color(&INK).pos(Pos::new(side, VPos::Center));
        self.canvas.draw(&Text::new(visible(content), at, style))
    }
}

/// Shortens a label that is too long. It keeps the end, because commands differ there.
fn shorten(label: &str) -> String {
    match label.chars().count() {
        0..=LABEL_LENGTH => label.to_owned(),
        length => format!("…{}", label.chars().skip(length + 1 - LABEL_LENGTH).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, speed: f64) -> Bar {
        Bar {
            label: label.to_owned(),
            color: 0,
            speed: Ok(speed),
            interval: Some(Interval { low: 0.9 * speed, high: 1.1 * speed }),
            runs: [0.99, 1.0, 1.02].map(|factor| factor * speed).to_vec(),
            ratio: Some(speed / 5e9),
        }
    }

    fn plot() -> Plot {
        let none = Bar { speed: Err("wrong"), interval: None, runs: Vec::new(), ..bar("a<b", 0.0) };
        let panel =
            Panel { title: "start 6".to_owned(), bars: vec![bar("bitboard", 5e9), bar("magic", 1e9), none] };
        Plot { panels: vec![panel] }
    }

    #[test]
    fn a_plot_has_bars_and_dots_and_needs_no_other_files() {
        let svg = plot().svg();
        assert_eq!(svg.matches("<circle").count(), 6, "{svg}");
        assert_eq!(svg.matches("<rect").count(), 2, "no bar for a wrong count, and no background: {svg}");
        for text in [
            "bitboard",
            "5000.0 (× 1)",
            "1000.0 (× 0.2000)",
            "wrong",
            "start 6",
            "a&lt;b",
            "prefers-color-scheme",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let addresses: Vec<&str> = svg.split("http").skip(1).collect();
        assert!(addresses.iter().all(|rest| rest.starts_with("://www.w3.org/2000/svg")), "{svg}");
    }

    fn widths(svg: &str) -> Vec<i32> {
        let bars = svg.split("<rect").skip(1);
        let width = |bar: &str| bar.split_once("width=\"")?.1.split_once('"')?.0.parse().ok();
        bars.map(|bar| width(bar).unwrap()).collect()
    }

    #[test]
    fn bars_of_all_panels_are_as_long_as_the_speeds() {
        let mut plot = plot();
        plot.panels.push(Panel { title: "kiwipete 5".to_owned(), bars: vec![bar("slow", 5e8)] });
        let [fast, slower, slow] = widths(&plot.svg())[..] else { panic!() };
        assert!((fast - 5 * slower).abs() <= 5 && (fast - 10 * slow).abs() <= 10, "{fast} {slower} {slow}");
    }

    #[test]
    fn an_empty_plot_can_be_drawn() {
        let empty = Plot { panels: vec![Panel { title: String::new(), bars: Vec::new() }] };
        assert!(empty.svg().ends_with("</svg>\n"));
    }

    #[test]
    fn long_labels_lose_their_beginning() {
        assert_eq!(shorten("stockfish"), "stockfish");
        assert_eq!(shorten("../a/very/long/path/to/some/engine"), "…/long/path/to/some/engine");
    }
}
