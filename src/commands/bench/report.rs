//! The report of a benchmark: what was measured. All formats are written from it.
//!
//! The same JSON document is printed by `--format json` and written by `--export-json`. [`super::baseline`] reads it. The objects in its `results` begin with the fields of hyperfine: see
//! [`crate::output::hyperfine`].
//!
//! The record is `results`: one [`Measurement`] for each position and contender. [`super::text`] and [`super::page`]
//! show it.

use std::collections::BTreeMap;

use perft_core::suite::KnownCount;
use serde::Serialize;
use statrs::statistics::Statistics;

use super::contenders::{Contender, ContenderKind, Runs};
use super::tasks::TaskInfo;
use crate::output::environment::Environment;
use crate::output::hyperfine::Timings;
use crate::output::{Nodes, Provenance};
use crate::timing::{
    Bootstrap, GateResult, Interval, Measure, Measured, Ratio, Ratios, RunFailure, Task, Times,
    nodes_per_second, outliers,
};

#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    /// How the counts were made. If this program counted in several ways, `contenders` has the settings of each.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The build and the state of the machine.
    pub environment: Environment,
    /// The kind of all times, speeds and ratios: `processor` if all contenders are generators or builds of perft with
    /// one thread, and if it is known for every run; otherwise `wall`.
    pub measure: Measure,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// Warnings that the figures may be wrong, with advice.
    pub warnings: Vec<String>,
    /// The name of the contender that ratios are computed to; `None` if there is only one contender.
    pub reference_name: Option<String>,
    /// How much slower than the reference a contender may be: 0.05 for five percent. `None` if no bound was given.
    pub max_regression: Option<f64>,
    /// The positions with their depths, in the order of the tables.
    #[serde(skip)]
    pub tasks: Vec<TaskInfo>,
    /// The contenders, in the order of the tables.
    pub contenders: Vec<ContenderResult>,
    /// The measurements, one for each position and contender.
    pub results: Vec<Measurement>,
    /// The positions in which a contender counts wrong or not at all.
    pub failures: Vec<Failure>,
}

/// A contender, and its speed in all positions.
#[derive(Clone, Debug, Serialize)]
pub struct ContenderResult {
    /// The contender.
    #[serde(flatten)]
    pub contender: Contender,
    /// The geometric mean of its speeds in leaf nodes per second; `None` if the speed of a position is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` without a reference, if the contender has no ratio
    /// in a position of the reference, or if the machine was too busy.
    pub overall: Option<Ratio>,
    /// Whether the overall ratio is missing because the machine was too busy.
    pub too_busy: bool,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
    /// The peak memory of an engine in bytes. `None` if the system does not say, and for built-in generators, because
    /// all of them run in one process.
    pub peak_memory_bytes: Option<u64>,
}

/// The runs of one contender in one position.
///
/// The JSON has the fields of hyperfine first, and then the other fields.
#[derive(Clone, Debug, Serialize)]
pub struct Measurement {
    /// The command that makes the same count once, and its runs.
    #[serde(flatten)]
    pub timings: Timings,
    /// The count that was timed.
    #[serde(flatten)]
    pub task: TaskInfo,
    /// The name of the contender.
    pub contender: String,
    /// The leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The number of runs.
    pub runs: usize,
    /// The speed in leaf nodes per second, from the median time.
    pub nodes_per_second: f64,
    /// The 95 % confidence interval of the speed.
    pub nodes_per_second_interval: Interval,
    /// The 95 % confidence interval of the median time.
    pub median_interval: Interval,
    /// The 95 % confidence interval of the mean time.
    pub mean_interval: Interval,
    /// The indices of the runs that are outliers.
    pub outliers: Vec<usize>,
    /// Whether the interval became as narrow as was asked for.
    pub precise: bool,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// The ratio of the speed to that of the reference: above 1 is faster. The confidence intervals of all positions
    /// hold together. `None` if the reference has no speed here, if there is no reference, or if the machine was too
    /// busy.
    pub ratio: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
}

/// A position in which a contender has no speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The count that was asked for.
    #[serde(flatten)]
    pub task: TaskInfo,
    /// The name of the contender.
    pub contender: String,
    /// The kind of failure.
    pub outcome: Outcome,
    /// The problem.
    pub error: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A count was wrong.
    Wrong,
    /// There was no count.
    Failed,
}

impl Outcome {
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
        }
    }
}

impl Runs {
    /// Returns the report.
    ///
    /// # Panics
    /// There is no position.
    pub fn report(
        self,
        provenance: Provenance,
        environment: Environment,
        warnings: Vec<String>,
    ) -> BenchReport {
        let ratios: Vec<Option<Ratios>> =
            (0..self.contenders.len()).map(|index| self.ratios(index)).collect();
        let (mut results, mut failures) = (Vec::new(), Vec::new());
        for (place, measured) in self.measured.iter().enumerate() {
            for (index, contender) in self.contenders.iter().enumerate() {
                let is_alone = self.contenders.len() == 1;
                let ratio = ratios[index].as_ref().and_then(|ratios| ratios.positions[place]);
                let gate = ratio.zip(self.bound(index)).map(|(ratio, allowed)| ratio.gate(allowed));
                let result = Measurement::new(measured, index, contender, is_alone);
                results.extend(result.map(|result| Measurement { ratio, gate, ..result }));
                let failure = measured.failures[index].as_ref();
                failures
                    .extend(failure.map(|failure| Failure::new(&measured.task, failure, &contender.name)));
            }
        }
        let contenders = ratios.iter().enumerate();
        let contenders = contenders.map(|(index, ratios)| self.contender(index, ratios.as_ref(), &results));
        BenchReport {
            provenance,
            environment,
            measure: self.measured[0].measure,
            complete: self.complete,
            warnings,
            reference_name: self.reference.map(|reference| self.contenders[reference].name.clone()),
            max_regression: self.max_regression,
            tasks: self.measured.iter().map(|measured| TaskInfo::new(&measured.task)).collect(),
            contenders: contenders.collect(),
            results,
            failures,
        }
    }

    /// Returns the allowed slowdown of a contender. The reference is not judged.
    fn bound(&self, contender: usize) -> Option<f64> {
        self.max_regression.filter(|_| self.reference.is_some_and(|reference| reference != contender))
    }

    fn ratios(&self, contender: usize) -> Option<Ratios> {
        let reference = self.reference?;
        let is_saved = |index: usize| self.contenders[index].kind == ContenderKind::Baseline;
        let took_turns = is_saved(contender) == is_saved(reference);
        let ratios = if took_turns { Ratios::paired } else { Ratios::independent };
        let times: Vec<Times> =
            self.measured.iter().map(|measured| measured.times(contender, reference)).collect();
        Some(ratios(&times, &Bootstrap::default()))
    }

    fn contender(&self, index: usize, ratios: Option<&Ratios>, results: &[Measurement]) -> ContenderResult {
        let contender = &self.contenders[index];
        let own = results.iter().filter(|result| result.contender == contender.name);
        let is_everywhere = own.clone().count() == self.measured.len();
        let samples = self.measured.iter().flat_map(|measured| &measured.series[index]);
        let is_engine = matches!(contender.kind, ContenderKind::Engine { .. });
        let peak_memory = samples.filter_map(|sample| sample.usage?.peak_memory_bytes).max();
        ContenderResult {
            contender: contender.clone(),
            nodes_per_second: is_everywhere
                .then(|| own.map(|result| result.nodes_per_second).geometric_mean()),
            overall: ratios.and_then(|ratios| ratios.overall),
            too_busy: ratios.is_some_and(|ratios| ratios.is_too_busy),
            gate: ratios.zip(self.bound(index)).and_then(|(ratios, allowed)| ratios.gate(allowed)),
            peak_memory_bytes: peak_memory.filter(|_| is_engine),
        }
    }
}

impl Measurement {
    /// Makes the record of a contender's times, without a ratio. `is_alone` says that there is no other contender, so
    /// the name of the measurement need not contain that of the contender. Returns `None` if there are no runs.
    pub fn new(
        measured: &Measured,
        index: usize,
        contender: &Contender,
        is_alone: bool,
    ) -> Option<Measurement> {
        let series = Some(&measured.series[index]).filter(|series| !series.is_empty())?;
        let task = &measured.task;
        let nodes = task.expected.nodes;
        let info = TaskInfo::new(task);
        let depth = info.depth.to_string();
        let mut parameters = BTreeMap::from([("position", task.name.clone()), ("depth", depth)]);
        let mut name = format!("{}, depth {}", task.name, info.depth);
        if !is_alone {
            name = format!("{}: {name}", contender.name);
            parameters.insert("contender", contender.name.clone());
        }
        let command_line = contender.command_line(&info);
        let timings = Timings::new(name, command_line, parameters, series, measured.measure);
        let median_interval = Bootstrap::default().median_interval(&timings.times);
        Some(Measurement {
            task: info,
            contender: contender.name.clone(),
            nodes: Nodes(nodes),
            runs: series.len(),
            nodes_per_second: nodes_per_second(nodes, timings.spread.median),
            nodes_per_second_interval: Interval {
                low: nodes_per_second(nodes, median_interval.high),
                high: nodes_per_second(nodes, median_interval.low),
            },
            median_interval,
            mean_interval: Bootstrap::default().mean_interval(&timings.times),
            outliers: outliers(&timings.times),
            precise: measured.is_precise,
            complete: measured.is_complete,
            ratio: None,
            gate: None,
            timings,
        })
    }
}

impl Failure {
    /// Describes a failure of the contender with this name.
    pub fn new(task: &Task, failure: &RunFailure, contender: &str) -> Failure {
        let Task { name, expected: KnownCount { depth, nodes }, .. } = task;
        let (outcome, error) = match failure {
            RunFailure::Wrong(found) => {
                let wrong =
                    format!("{contender} counts {found} nodes in {name} at depth {depth}, not {nodes}");
                (Outcome::Wrong, wrong)
            }
            RunFailure::Failed(error) => {
                (Outcome::Failed, format!("{contender} does not count {name}: {error}"))
            }
        };
        Failure { task: TaskInfo::new(task), contender: contender.to_owned(), outcome, error }
    }
}

impl BenchReport {
    pub fn has_failure(&self, outcome: Outcome) -> bool {
        self.failures.iter().any(|failure| failure.outcome == outcome)
    }

    /// Whether a contender is certainly slower than allowed.
    pub fn has_slower(&self) -> bool {
        self.contenders.iter().any(|result| result.gate == Some(GateResult::Slower))
    }

    /// Returns the measurement of a contender in a position.
    ///
    /// # Errors
    /// It has no speed there. Returns the reason in one word.
    pub fn measurement(&self, of: &ContenderResult, task: &TaskInfo) -> Result<&Measurement, &'static str> {
        let name = &of.contender.name;
        let found = self.results.iter().find(|result| result.contender == *name && result.task == *task);
        found.ok_or_else(|| {
            let is_of = |failure: &&Failure| failure.contender == *name && failure.task == *task;
            self.failures.iter().find(is_of).map_or("-", |failure| failure.outcome.name())
        })
    }

    pub fn is_reference(&self, name: &str) -> bool {
        self.reference_name.as_deref() == Some(name)
    }
}
