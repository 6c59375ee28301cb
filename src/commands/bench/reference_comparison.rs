//! The comparison of a benchmark with its reference, which is a baseline or another build.

use serde::Serialize;

use crate::output::PositionInfo;
use crate::output::numbers::{bounds_text, ratio_text, times_as_fast};
use crate::output::table::Table;
use crate::timing::{GateResult, Interval, Ratio, Ratios, Task};

/// The comparison of a benchmark with its reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReferenceComparison {
    /// The name of the reference.
    pub reference_name: String,
    /// Whether the benchmark and its reference ran alternately.
    pub paired: bool,
    /// How much slower than the reference it may be: 0.05 for five percent. `None` if no bound was given.
    pub max_regression: Option<f64>,
    /// Whether it is slower than that; `None` if no bound was given.
    pub gate: Option<GateResult>,
    /// The geometric mean of the ratios: above 1 is faster than the reference.
    pub overall: Ratio,
    /// The ratios of the positions. Their confidence intervals and the overall one hold together with 95 %.
    pub ratios: Vec<PositionRatio>,
}

/// The ratio of speeds in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionRatio {
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The ratio.
    pub ratio: Ratio,
    /// Whether it is slower than allowed; `None` if no bound was given.
    pub gate: Option<GateResult>,
}

impl ReferenceComparison {
    /// Makes a comparison with the reference of this name. `tasks` contains the position and the depth of each ratio.
    pub fn new(
        reference_name: &str,
        paired: bool,
        tasks: &[&Task],
        ratios: &Ratios,
        max_regression: Option<f64>,
    ) -> ReferenceComparison {
        let one = |(task, &ratio): (&&Task, &Ratio)| PositionRatio {
            position: PositionInfo::named(&task.name, &task.position),
            depth: task.expected.depth,
            ratio,
            gate: max_regression.map(|allowed| ratio.gate(allowed)),
        };
        ReferenceComparison {
            reference_name: reference_name.to_owned(),
            paired,
            max_regression,
            gate: max_regression.map(|allowed| ratios.gate(allowed)),
            overall: ratios.overall,
            ratios: tasks.iter().zip(&ratios.positions).map(one).collect(),
        }
    }

    /// Returns the table of the ratios.
    pub fn table(&self) -> Table {
        let overall = self.max_regression.map(|allowed| self.overall.gate(allowed));
        let mean = (self.ratios.len() > 1).then(|| row("geometric mean", None, &self.overall, overall));
        let one = |position: &PositionRatio| {
            row(position.position.label(), Some(position.depth), &position.ratio, position.gate)
        };
        let header = ["position", "depth", "speed ratio", "95 % interval", ""];
        Table::new(header, self.ratios.iter().map(one).chain(mean))
    }

    /// Returns the overall ratio and the conclusion as a sentence.
    pub fn sentence(&self) -> String {
        let ratio = times_as_fast(&self.overall, &self.reference_name);
        format!("This program is {ratio}: {}.", self.conclusion())
    }

    /// Returns the ratio in a position; `None` if it was not compared.
    pub fn ratio(&self, position: &PositionInfo, depth: u32) -> Option<Ratio> {
        let is_of = |ratio: &&PositionRatio| (&ratio.position, ratio.depth) == (position, depth);
        self.ratios.iter().find(is_of).map(|found| found.ratio)
    }

    /// Returns the conclusion in words.
    pub fn conclusion(&self) -> String {
        let percent = |allowed: f64| {
            format!("{:.3}", allowed * 100.0).trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let Interval { low, high } = self.overall.interval;
        match (self.gate, self.max_regression) {
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

/// Returns a row of the table.
fn row(name: &str, depth: Option<u32>, ratio: &Ratio, gate: Option<GateResult>) -> Vec<String> {
    let gate = match gate {
        None => "",
        Some(GateResult::Fine) => "fine",
        Some(GateResult::Unsure) => "unsure",
        Some(GateResult::Slower) => "slower",
    };
    vec![
        name.to_owned(),
        depth.map_or_else(String::new, |depth| depth.to_string()),
        ratio_text(ratio.value),
        bounds_text(&ratio.interval),
        gate.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use perft_core::suite::builtin;

    use super::*;

    #[test]
    fn the_conclusion_depends_on_the_interval_and_the_bound() {
        let start = builtin::position("start").unwrap();
        let task = Task::new(start, start.expected[5]);
        let ratio = |low, high| Ratio { value: (low + high) / 2.0, interval: Interval { low, high } };
        let conclusion = |low, high, allowed| {
            let ratios = Ratios { positions: vec![ratio(low, high)], overall: ratio(low, high) };
            ReferenceComparison::new("main", true, &[&task], &ratios, allowed).conclusion()
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
