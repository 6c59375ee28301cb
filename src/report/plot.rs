//! Speeds as a picture: a bar with its interval for every program or position, and beside it every single run.
//!
//! ```text
//!     kiwipete 6                        every run, to the median
//!     bitboard  |==========H== 5476     |      . :|.            |
//!     magic     |==H 1120               |     .  ::|  .    .    |
//!               0    2000    4000 Mnps  -2 %               +2 %
//! ```
//!
//! An SVG is self-contained, has no background, and follows the reader's choice between light and dark. `plotters` draws
//! it and chooses the ticks.

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

use super::bench::BenchResult;
use crate::bench::Interval;

/// What is drawn: panels below each other.
pub(super) struct Plot {
    pub title: String,
    /// Lines of small print below the title.
    pub caption: Vec<String>,
    pub panels: Vec<Panel>,
}

/// Bars that share an axis.
pub(super) struct Panel {
    pub title: String,
    pub rows: Vec<Row>,
}

/// A bar.
pub(super) struct Row {
    pub label: String,
    /// Leaf nodes a second, and where they lie; `None` with `remark` instead.
    pub rate: Option<f64>,
    pub interval: Option<Interval>,
    /// Every run's time as a part of the median.
    pub runs: Vec<f64>,
    /// Why there is no bar.
    pub remark: String,
}

impl Row {
    /// The runs of a position.
    pub fn of(label: String, result: &BenchResult) -> Row {
        Row {
            label,
            rate: Some(result.nodes_per_second),
            interval: Some(result.nodes_per_second_interval),
            runs: result
                .timings
                .times
                .iter()
                .map(|seconds| seconds / result.timings.median.max(1e-9))
                .collect(),
            remark: String::new(),
        }
    }
}

type DrawError = DrawingAreaErrorKind<io::Error>;
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: i32 = 960;
const TITLE_HEIGHT: i32 = 48;
const LINE_HEIGHT: i32 = 18;
const ROW_HEIGHT: i32 = 26;
/// Above and below the rows of a panel: its title, and its axis.
const HEAD_HEIGHT: i32 = 30;
const FOOT_HEIGHT: i32 = 44;
const BARS: Range<i32> = 200..600;
const RUNS: Range<i32> = 680..940;
/// Runs that differ less than this are not spread over the whole width.
const LEAST_SPREAD: f64 = 0.005;

/// Readable on white and on black; the style replaces it for whoever says which of them it is.
const INK: RGBColor = RGBColor(118, 118, 118);
/// Colours that those who see fewer colours tell apart: Okabe and Ito, "Color Universal Design" (2008).
const COLORS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
];
/// Text, and the lines of intervals, which are those of this width.
const STYLE: &str = "<style>\
text{fill:#24292f}polyline[stroke-width=\"2\"]{stroke:#24292f}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}polyline[stroke-width=\"2\"]{stroke:#e6edf3}}\
</style>";

impl Plot {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // The only errors of this backend are those of files, and this is none.
        self.draw(&mut svg).expect("a text can be written to");
        match svg.find("<svg").and_then(|start| Some(start + svg[start..].find('>')? + 1)) {
            Some(end) => svg.insert_str(end, &format!("\n{STYLE}")),
            None => unreachable!("this is what SVG begins with"),
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
        HEAD_HEIGHT + ROW_HEIGHT * self.rows.len() as i32 + FOOT_HEIGHT
    }

    fn draw(&self, canvas: &Canvas, top: i32) -> Result<(), DrawError> {
        let first = top + HEAD_HEIGHT;
        let bottom = first + ROW_HEIGHT * self.rows.len() as i32;
        text(canvas, &self.title, (20, top + HEAD_HEIGHT / 2), 17, HPos::Left)?;
        let ends =
            self.rows.iter().filter_map(|row| Some(row.interval.map_or(row.rate?, |interval| interval.high)));
        let fastest = ends.fold(0.0, f64::max).max(1.0) / 1e6;
        let bars = RangedCoordf64::from(0.0..fastest);
        let ticks = |value: &f64| value.to_string();
        axis(canvas, &bars, BARS, first..bottom, ticks)?;
        text(canvas, "Mnps", (BARS.end + 8, bottom + 12), 13, HPos::Left)?;
        let spread = self.spread();
        let runs = RangedCoordf64::from(-100.0 * spread..100.0 * spread);
        let has_runs = self.rows.iter().any(|row| !row.runs.is_empty());
        if has_runs {
            let title = "time of every run, to the median";
            text(canvas, title, (RUNS.start, top + HEAD_HEIGHT / 2), 14, HPos::Left)?;
            axis(canvas, &runs, RUNS, first..bottom, |value| format!("{value:+} %"))?;
        }
        for (number, row) in self.rows.iter().enumerate() {
            let middle = first + ROW_HEIGHT * number as i32 + ROW_HEIGHT / 2;
            row.draw(canvas, middle, COLORS[number % COLORS.len()], &bars, &runs)?;
        }
        Ok(())
    }

    /// How far runs are from the median, as a part of it.
    fn spread(&self) -> f64 {
        let deviations = self.rows.iter().flat_map(|row| &row.runs).map(|run| (run - 1.0).abs());
        1.05 * deviations.fold(LEAST_SPREAD, f64::max)
    }
}

impl Row {
    fn draw(
        &self,
        canvas: &Canvas,
        y: i32,
        color: RGBColor,
        bars: &RangedCoordf64,
        runs: &RangedCoordf64,
    ) -> Result<(), DrawError> {
        text(canvas, &shortened(&self.label), (BARS.start - 8, y), 14, HPos::Right)?;
        let Some(rate) = self.rate else {
            return text(canvas, &self.remark, (BARS.start + 6, y), 14, HPos::Left);
        };
        let x = |rate: f64| bars.map(&(rate / 1e6), (BARS.start, BARS.end));
        canvas.draw(&Rectangle::new([(BARS.start, y - 8), (x(rate), y + 8)], color.mix(0.8).filled()))?;
        let mut end = x(rate);
        if let Some(Interval { low, high }) = self.interval {
            end = x(high);
            for path in [
                vec![(x(low), y), (end, y)],
                vec![(x(low), y - 5), (x(low), y + 5)],
                vec![(end, y - 5), (end, y + 5)],
            ] {
                canvas.draw(&PathElement::new(path, ShapeStyle::from(&INK).stroke_width(2)))?;
            }
        }
        text(canvas, &format!("{:.1}", rate / 1e6), (end + 6, y), 13, HPos::Left)?;
        for run in &self.runs {
            let x = runs.map(&(100.0 * (run - 1.0)), (RUNS.start, RUNS.end));
            canvas.draw(&Circle::new((x, y), 4, color.mix(0.5).filled()))?;
        }
        Ok(())
    }
}

/// A line below the rows, with ticks, and faint lines through them.
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

/// The label, cut at its beginning if there is no place for all of it: commands differ at their ends.
fn shortened(label: &str) -> String {
    const LONGEST: usize = 26;
    let length = label.chars().count();
    match length.checked_sub(LONGEST) {
        None | Some(0) => label.to_owned(),
        Some(_) => format!("…{}", label.chars().skip(length + 1 - LONGEST).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let bar = |label: &str, rate| Row {
            label: label.to_owned(),
            rate: Some(rate),
            interval: Some(Interval { low: 0.9 * rate, high: 1.1 * rate }),
            runs: vec![0.99, 1.0, 1.02],
            remark: String::new(),
        };
        let none = Row {
            rate: None,
            interval: None,
            runs: Vec::new(),
            remark: "wrong".to_owned(),
            ..bar("a<b", 0.0)
        };
        let panel =
            Panel { title: "start 6".to_owned(), rows: vec![bar("bitboard", 5e9), bar("magic", 1e9), none] };
        Plot { title: "perft".to_owned(), caption: vec!["a & b".to_owned()], panels: vec![panel] }
    }

    #[test]
    fn a_bar_and_a_dot_a_run_and_nothing_from_elsewhere() {
        let svg = plot().svg();
        assert_eq!(svg.matches("<circle").count(), 6, "{svg}");
        assert_eq!(svg.matches("<rect").count(), 2, "no bar for who is wrong, and no background: {svg}");
        for text in ["bitboard", "5000.0", "wrong", "start 6", "a&lt;b", "a &amp; b", "prefers-color-scheme"]
        {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let addresses: Vec<&str> = svg.split("http").skip(1).collect();
        assert!(addresses.iter().all(|rest| rest.starts_with("://www.w3.org/2000/svg")), "{svg}");
    }

    #[test]
    fn a_plot_of_nothing_is_drawn() {
        let empty = Plot { panels: vec![Panel { title: String::new(), rows: Vec::new() }], ..plot() };
        assert!(empty.svg().ends_with("</svg>\n"));
    }

    #[test]
    fn long_labels_are_cut_at_their_beginning() {
        assert_eq!(shortened("stockfish"), "stockfish");
        assert_eq!(shortened("../a/very/long/path/to/some/engine"), "…/long/path/to/some/engine");
    }
}
