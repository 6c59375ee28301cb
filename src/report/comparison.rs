//! How a benchmark compares with another, position by position and overall.

use serde::Serialize;

use crate::bench::{GateResult, Interval, Measure, Ratio, Ratios};

/// How a benchmark compares with another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What it is compared with.
    pub with: String,
    /// By which time: `wall`, or `processor` on one thread where it is known.
    pub measure: &'static str,
    /// True if both were run in turns.
    pub paired: bool,
    /// The part by which it may be slower, if that is asked.
    pub max_regression: Option<f64>,
    /// Whether it is slower than that.
    pub verdict: Option<GateResult>,
    /// The geometric mean of the ratios; above 1 is faster than what it is compared with.
    pub overall: Ratio,
    /// The ratios. Their intervals hold together, with the overall one, with a confidence of 95 %.
    pub positions: Vec<PositionRatio>,
}

/// How a position compares.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionRatio {
    /// What it is called.
    pub name: String,
    /// The depth in plies.
    pub depth: u32,
    /// The ratio of speeds.
    #[serde(flatten)]
    pub ratio: Ratio,
    /// Whether it is slower than allowed, if that is asked.
    pub verdict: Option<GateResult>,
}

impl Comparison {
    /// A comparison of these positions, by name and depth.
    pub fn new(
        with: &str,
        measure: Measure,
        paired: bool,
        positions: &[(&str, u32)],
        ratios: &Ratios,
        max_regression: Option<f64>,
    ) -> Comparison {
        let one = |(&(name, depth), &ratio): (&(&str, u32), &Ratio)| PositionRatio {
            name: name.to_owned(),
            depth,
            ratio,
            verdict: max_regression.map(|allowed| ratio.gate(allowed)),
        };
        Comparison {
            with: with.to_owned(),
            measure: measure_name(measure),
            paired,
            max_regression,
            verdict: max_regression.map(|allowed| ratios.gate(allowed)),
            overall: ratios.overall,
            positions: positions.iter().zip(&ratios.positions).map(one).collect(),
        }
    }

    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let overall = self.max_regression.map(|allowed| self.overall.gate(allowed));
        let mean = (self.positions.len() > 1).then(|| row("geometric mean", None, &self.overall, overall));
        let one = |position: &PositionRatio| {
            row(&position.name, Some(position.depth), &position.ratio, position.verdict)
        };
        self.positions.iter().map(one).chain(mean).collect()
    }

    /// What has come out, in a sentence.
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
                    "not shown to be slower by more than the {} % allowed: more runs would tell",
                    percent(allowed)
                )
            }
            _ if low > 1.0 => "faster".to_owned(),
            _ if high < 1.0 => "slower".to_owned(),
            _ => "no difference that these runs show".to_owned(),
        }
    }
}

/// The name of a measure in reports.
pub(super) const fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Wall => "wall",
        Measure::Processor => "processor",
    }
}

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

pub(super) const COMPARISON_HEADER: [&str; 5] = ["position", "depth", "speed ratio", "95 % interval", ""];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_says_what_came_out() {
        let ratio = |low, high| Ratio { ratio: (low + high) / 2.0, interval: Interval { low, high } };
        let conclusion = |low, high, allowed| {
            let ratios = Ratios { positions: vec![ratio(low, high)], overall: ratio(low, high) };
            Comparison::new("main", Measure::Wall, true, &[("start", 6)], &ratios, allowed).conclusion()
        };
        assert_eq!(conclusion(0.90, 0.92, Some(0.05)), "slower by more than the 5 % allowed");
        assert_eq!(conclusion(0.96, 0.99, Some(0.05)), "not slower by more than the 5 % allowed");
        assert_eq!(
            conclusion(0.94, 0.99, Some(0.025)),
            "not shown to be slower by more than the 2.5 % allowed: more runs would tell"
        );
        assert_eq!(conclusion(1.01, 1.03, None), "faster");
        assert_eq!(conclusion(0.96, 0.99, None), "slower");
        assert_eq!(conclusion(0.99, 1.01, None), "no difference that these runs show");
    }
}
