//! The contenders of `perft compare`: what they are, and how their speeds are computed from the runs.
//!
//! A contender that counts a position wrong, or not at all, has no speed in that position. Then it has no mean speed
//! and no overall ratio either, because those would describe other positions than the values of the other contenders.

use serde::Serialize;

use crate::commands::bench::bench_result::{BenchResult, UntimedRow};
use crate::output::PositionInfo;
use crate::timing::{
    BenchError, Bootstrap, GateResult, Measured, Ratio, Ratios, Task, Times, geometric_mean,
};

/// A program or a built-in generator that is compared with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Contender {
    /// The name in the tables.
    pub name: String,
    /// The command that counts in the same way, or that starts the engine.
    pub command: String,
    /// The properties of the kind of contender.
    #[serde(flatten)]
    pub kind: ContenderKind,
}

/// A kind of contender, with its properties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ContenderKind {
    /// A built-in generator.
    Generator {
        /// The name of the generator.
        generator: &'static str,
        /// The CPU features that it was compiled for.
        cpu_path: &'static str,
        /// The slider lookup; `None` if there is no choice.
        sliders: Option<&'static str>,
        /// The number of threads.
        threads: usize,
    },
    /// An engine.
    Engine {
        /// The dialect of its questions and answers.
        dialect: &'static str,
        /// The name that it gives itself; `None` if it gives none, or never answered.
        own_name: Option<String>,
    },
}

/// A contender and its results.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContenderResult {
    /// The contender.
    #[serde(flatten)]
    pub contender: Contender,
    /// The geometric mean of its speeds in leaf nodes per second; `None` if the speed of a position is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` if the ratio of a position is missing.
    pub overall: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if no bound was given.
    pub gate: Option<GateResult>,
    /// The peak memory of an engine in bytes. `None` if the system does not say, and for built-in generators, because
    /// all of them run in one process.
    pub peak_memory_bytes: Option<u64>,
    /// The results in each position.
    pub results: Vec<PositionResult>,
}

/// The result of a contender in one position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionResult {
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// Whether the counts were correct.
    pub outcome: MeasureOutcome,
    /// The problem, if there was one.
    pub error: Option<String>,
    /// The mean and the standard deviation of the times, for tables.
    #[serde(skip)]
    pub time: String,
    /// The speed in leaf nodes per second, from the median time.
    pub nodes_per_second: Option<f64>,
    /// The ratio of the speed to that of the reference: above 1 is faster. The confidence intervals of all positions hold
    /// together.
    pub ratio: Option<Ratio>,
}

/// Whether a contender could be measured in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MeasureOutcome {
    /// All counts were correct.
    Measured,
    /// A count was wrong.
    Wrong,
    /// There was no count.
    Failed,
}

impl MeasureOutcome {
    /// Returns the name in JSON, CSV and tables.
    pub const fn name(self) -> &'static str {
        match self {
            MeasureOutcome::Measured => "measured",
            MeasureOutcome::Wrong => "wrong",
            MeasureOutcome::Failed => "failed",
        }
    }
}

impl Contender {
    /// Returns a line that describes the contender.
    pub fn description(&self) -> String {
        match &self.kind {
            ContenderKind::Generator { generator, cpu_path, sliders, threads } => {
                let sliders = sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
                format!("generator {generator}, CPU path {cpu_path}{sliders}, {threads} thread(s)")
            }
            ContenderKind::Engine { dialect, own_name } => {
                let said = own_name.as_deref().unwrap_or("does not say its name");
                format!("{said}; asked as {dialect}: {}", self.command)
            }
        }
    }
}

impl ContenderResult {
    /// Returns lines that describe the contender and what went wrong.
    pub fn notes(&self) -> Vec<String> {
        let mebibytes = |bytes: u64| format!("; {:.1} MiB at most", bytes as f64 / f64::from(1 << 20));
        let memory = self.peak_memory_bytes.map_or_else(String::new, mebibytes);
        let problem = |position: &PositionResult| {
            Some(format!("{}: {}", position.outcome.name(), position.error.as_deref()?))
        };
        let Contender { name, .. } = &self.contender;
        [format!("{name}: {}{memory}", self.contender.description())]
            .into_iter()
            .chain(self.results.iter().filter_map(problem))
            .collect()
    }

    /// Returns a CSV row for each position without times.
    pub fn untimed_rows(&self) -> impl Iterator<Item = UntimedRow> {
        let Contender { name, command, .. } = &self.contender;
        let is_untimed = |position: &&PositionResult| position.outcome != MeasureOutcome::Measured;
        self.results.iter().filter(is_untimed).map(|position| UntimedRow {
            command: command.clone(),
            position: position.position.label().to_owned(),
            contender: name.clone(),
            depth: position.depth,
            outcome: position.outcome.name(),
        })
    }
}

/// The runs of all contenders. The results of each contender are computed from them.
pub struct Runs<'a> {
    pub contenders: &'a [Contender],
    pub tasks: &'a [Task],
    pub measured: &'a [Measured],
    /// The index of the reference among the contenders.
    pub reference: usize,
}

impl Runs<'_> {
    /// Returns the results of the contender with this index.
    pub fn results(&self, contender: usize) -> (ContenderResult, Vec<BenchResult>) {
        let (mut positions, mut results) = (Vec::new(), Vec::new());
        for (task, measured) in self.tasks.iter().zip(self.measured) {
            let result = self.result(task, measured, contender);
            positions.push(PositionResult::new(task, measured.failures[contender].as_ref(), result.as_ref()));
            results.extend(result);
        }
        let is_complete = results.len() == self.tasks.len();
        let mean = || geometric_mean(results.iter().map(|result| result.nodes_per_second));
        let overall = self.add_ratios(contender, &mut positions);
        let result = ContenderResult {
            contender: self.contenders[contender].clone(),
            nodes_per_second: is_complete.then(mean),
            overall,
            gate: None,
            peak_memory_bytes: self.peak_memory_bytes(contender),
            results: positions,
        };
        (result, results)
    }

    fn peak_memory_bytes(&self, contender: usize) -> Option<u64> {
        let ContenderKind::Engine { .. } = self.contenders[contender].kind else { return None };
        let samples = self.measured.iter().flat_map(|measured| &measured.series[contender]);
        samples.filter_map(|sample| sample.usage?.peak_memory_bytes).max()
    }

    fn result(&self, task: &Task, measured: &Measured, contender: usize) -> Option<BenchResult> {
        if measured.series[contender].is_empty() {
            return None;
        }
        let Contender { name, command, kind } = &self.contenders[contender];
        let mut result = BenchResult::new(task, measured, contender, Some(name), command);
        if let ContenderKind::Engine { dialect, .. } = kind {
            result.timings.command_line =
                format!("{command} ({dialect}: {}, depth {})", task.position, task.expected.depth);
        }
        Some(result)
    }

    /// Sets the ratio to the reference in each position. Returns the overall ratio if no position is missing.
    fn add_ratios(&self, contender: usize, positions: &mut [PositionResult]) -> Option<Ratio> {
        let pairs: Vec<(usize, Vec<f64>, Vec<f64>)> = (0..self.tasks.len())
            .filter_map(|index| {
                Some((index, self.times(index, contender)?, self.times(index, self.reference)?))
            })
            .collect();
        if pairs.is_empty() {
            return None;
        }
        let times: Vec<Times> = pairs.iter().map(|(_, own, reference)| Times { own, reference }).collect();
        let ratios = Ratios::paired(&times, &Bootstrap::default());
        for ((index, ..), ratio) in pairs.iter().zip(&ratios.positions) {
            positions[*index].ratio = Some(*ratio);
        }
        (pairs.len() == self.tasks.len()).then_some(ratios.overall)
    }

    /// Returns the times of a contender in a position; `None` if there are none.
    fn times(&self, index: usize, contender: usize) -> Option<Vec<f64>> {
        Some(self.measured[index].seconds(contender)).filter(|times| !times.is_empty())
    }
}

impl PositionResult {
    fn new(task: &Task, failure: Option<&BenchError>, result: Option<&BenchResult>) -> PositionResult {
        let outcome = match failure {
            None => MeasureOutcome::Measured,
            Some(BenchError::Wrong { .. }) => MeasureOutcome::Wrong,
            Some(_) => MeasureOutcome::Failed,
        };
        PositionResult {
            position: PositionInfo::named(&task.name, &task.position),
            depth: task.expected.depth,
            outcome,
            error: failure.map(ToString::to_string),
            time: result.map_or_else(|| outcome.name().to_owned(), BenchResult::mean_and_deviation),
            nodes_per_second: result.map(|result| result.nodes_per_second),
            ratio: None,
        }
    }
}
