//! The comparison of a benchmark with its reference, which is a baseline or another build.

use serde::Serialize;

use super::table::Table;
use crate::bench::{GateResult, Interval, Measure, Ratio, Ratios};

/// The comparison of a benchmark with its reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReferenceComparison {
    /// The name of the reference.
    pub with: String,
    /// The time that ratios are computed from: `wall`, or `processor` if it is known and there is one thread.
    pub measure: &'static str,
    /// Whether the benchmark and its reference ran alternately.
    pub paired: bool,
    /// How much slower than the reference it may be: 0.05 for five percent. `None` if no bound was given.
    pub max_regression: Option<f64>,
    /// Whether it is slower than that; `None` if no bound was given.
    pub verdict: Option<GateResult>,
    /// The geometric mean of the ratios: above 1 is faster than the reference.
    pub overall: Ratio,
    /// The ratios of the positions. Their confidence intervals and the overall one hold together with 95 %.
    pub positions: Vec<PositionRatio>,
}

/// The ratio of speeds in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionRatio {
    /// The name of the position.
    pub name: String,
    /// The depth in plies.
    pub depth: u32,
    /// The ratio.
    #[serde(flatten)]
    pub ratio: Ratio,
    /// Whether it is slower than allowed; `None` if no bound was given.
    pub verdict: Option<GateResult>,
}

impl ReferenceComparison {
    /// Makes a comparison. `positions` has the name and the depth of each ratio.
    pub fn new(
        with: &str,
        measure: Measure,
        paired: bool,
        positions: &[(&str, u32)],
        ratios: &Ratios,
        max_regression: Option<f64>,
    ) -> ReferenceComparison {
        let one = |(&(name, depth), &ratio): (&(&str, u32), &Ratio)| PositionRatio {
            name: name.to_owned(),
            depth,
            ratio,
            verdict: max_regression.map(|allowed| ratio.gate(allowed)),
        };
        ReferenceComparison {
            with: with.to_owned(),
            measure: measure_name(measure),
            paired,
            max_regression,
            verdict: max_regression.map(|allowed| ratios.gate(allowed)),
            overall: ratios.overall,
            positions: positions.iter().zip(&ratios.positions).map(one).collect(),
        }
    }

    /// Returns the table of the ratios.
    pub(super) fn table(&self) -> Table {
        let overall = self.max_regression.map(|allowed| self.overall.gate(allowed));
        let mean = (self.positions.len() > 1).then(|| row("geometric mean", None, &self.overall, overall));
        let one = |position: &PositionRatio| {
            row(&position.name, Some(position.depth), &position.ratio, position.verdict)
        };
        let header = ["position", "depth", "speed ratio", "95 % interval", ""];
        Table::new(header, self.positions.iter().map(one).chain(mean))
    }

    /// Returns the reference, the measure and the conclusion as a sentence.
    pub(super) fn sentence(&self) -> String {
        format!("Compared with {} by {} time: {}.", self.with, self.measure, self.conclusion())
    }

    /// Returns the conclusion in words.
    pub fn conclusion(&self) -> String {
        let percent = |allowed: f64| {
            format!("{:.3}", allowed * 100.0).trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let Interval { low, high } = self.overall.interval;
        match (self.verdict, self.max_regression) {
            (Some(GateResult::Slower), Some(allowed)) => {
                format!("slower by more than the {} % allowed", percent(allowed))
            }
            (Some(GateResult::Fine), Some(allowed)) => {
                format!("not slower by more than the {} % allowed", percent(allowed))
            }
            (Some(GateResult::Unsure), Some(allowed)) => {
                format!(
                    "not shown to be slower by more than the {} % allowed: try more runs",
                    percent(allowed)
                )
            }
            _ if low > 1.0 => "faster".to_owned(),
            _ if high < 1.0 => "slower".to_owned(),
            _ => "no difference within the precision of these runs".to_owned(),
        }
    }
}

/// Returns the name of a measure in reports.
pub(super) const fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Wall => "wall",
        Measure::Processor => "processor",
    }
}

/// Returns a row of the table.
fn row(name: &str, depth: Option<u32>, ratio: &Ratio, verdict: Option<GateResult>) -> Vec<String> {
    let verdict = match verdict {
        None => "",
        Some(GateResult::Fine) => "fine",
        Some(GateResult::Unsure) => "unsure",
        Some(GateResult::Slower) => "slower",
    };
    vec![
        name.to_owned(),
        depth.map_or_else(String::new, |depth| depth.to_string()),
        format!("{:.4}", ratio.ratio),
        format!("{:.4} .. {:.4}", ratio.interval.low, ratio.interval.high),
        verdict.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conclusion_depends_on_the_interval_and_the_bound() {
        let ratio = |low, high| Ratio { ratio: (low + high) / 2.0, interval: Interval { low, high } };
        let conclusion = |low, high, allowed| {
            let ratios = Ratios { positions: vec![ratio(low, high)], overall: ratio(low, high) };
            ReferenceComparison::new("main", Measure::Wall, true, &[("start", 6)], &ratios, allowed)
                .conclusion()
        };
        assert_eq!(conclusion(0.90, 0.92, Some(0.05)), "slower by more than the 5 % allowed");
        assert_eq!(conclusion(0.96, 0.99, Some(0.05)), "not slower by more than the 5 % allowed");
        assert_eq!(
            conclusion(0.94, 0.99, Some(0.025)),
            "not shown to be slower by more than the 2.5 % allowed: try more runs"
        );
        assert_eq!(conclusion(1.01, 1.03, None), "faster");
        assert_eq!(conclusion(0.96, 0.99, None), "slower");
        assert_eq!(conclusion(0.99, 1.01, None), "no difference within the precision of these runs");
    }
}
