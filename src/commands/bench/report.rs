//! The report of a benchmark: what was measured. All formats are written from it.
//!
//! The record is `results`: one [`Measurement`] for each position and contender. [`super::text`] and [`super::page`]
//! show it. `--format json` and `--export-json` write the same JSON document, which [`super::baseline`] reads.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::statistics::Statistics;

use super::baseline::SavedReport;
use super::conditions::Environment;
use crate::output::{Header, Machine, Settings, environment};
use crate::system::command_line;
use crate::timing::{
    Costs, Failure, GateResult, Measure, Measured, Measurement, Ratio, Ratios, Task, Timings,
};

#[derive(Clone, Debug, Serialize)]
pub struct BenchReport {
    #[serde(flatten)]
    pub header: Header,
    pub machine: Machine,
    pub environment: Environment,
    /// Whether all runs were made. `false` if the command was interrupted.
    pub complete: bool,
    /// Warnings that the figures may be wrong, with advice.
    pub warnings: Vec<String>,
    /// The name of the contender that ratios refer to; `None` if there is only one contender.
    pub reference_name: Option<String>,
    pub measure: Measure,
    /// The allowed slowdown: 0.05 for five percent. `None` if no bound was given, or if runs are missing.
    pub max_regression: Option<f64>,
    /// The time of all rounds in seconds.
    pub seconds: f64,
    /// The positions with their depths, in the order of the tables.
    #[serde(skip)]
    pub tasks: Vec<Task>,
    /// The contenders, in the order of the tables.
    pub contenders: Vec<Contender>,
    /// The measurements, one for each position and contender.
    pub results: Vec<Measurement>,
    pub failures: Vec<Failure>,
}

/// The runs of all contenders, from which the report is made.
#[derive(Default)]
pub struct Runs {
    pub contenders: Vec<Contender>,
    pub measured: Vec<Measured>,
    /// The index of the reference; `None` if there is only one contender.
    pub reference: Option<usize>,
    pub measure: Measure,
    /// The allowed slowdown, if the contenders are judged.
    pub max_regression: Option<f64>,
    /// The time of all rounds in seconds.
    pub seconds: f64,
}

impl Runs {
    /// Returns the ratios of each contender to the reference. Those of the reference itself are `None`.
    pub fn ratios(&self, measured: &[Measured]) -> impl Iterator<Item = Option<Ratios>> {
        (0..self.contenders.len()).map(move |own| {
            let reference = self.reference.filter(|&reference| reference != own)?;
            let costs = measured.iter().map(|position| position.costs(own, reference, self.measure));
            Some(Ratios::new(&costs.collect::<Vec<Costs>>(), self.contenders.len() - 1))
        })
    }

    /// Makes the report. Incomplete runs are not judged.
    pub fn report(
        mut self,
        complete: bool,
        machine: Machine,
        environment: Environment,
        warnings: Vec<String>,
    ) -> BenchReport {
        self.max_regression = self.max_regression.filter(|_| complete);
        let ratios: Vec<Option<Ratios>> = self.ratios(&self.measured).collect();
        let mut results = Vec::new();
        for (place, measured) in self.measured.iter().enumerate() {
            for (index, ratios) in ratios.iter().enumerate() {
                let ratio = ratios.as_ref().and_then(|ratios| ratios.positions[place]);
                let gate = ratio.zip(self.max_regression).map(|(ratio, allowed)| ratio.gate(allowed));
                let result = self.measurement(measured, index);
                results.extend(result.map(|result| Measurement { ratio, gate, ..result }));
            }
        }
        for (index, ratios) in ratios.iter().enumerate() {
            let samples = self.measured.iter().flat_map(|measured| &measured.series[index]);
            let peak_memory = samples.filter_map(|run| Some(run.memory_peak_resident?.value as u64)).max();
            let contender = &mut self.contenders[index];
            let own = results.iter().filter(|result| result.contender == contender.name);
            let is_everywhere = own.clone().count() == self.measured.len();
            contender.nodes_per_second =
                is_everywhere.then(|| own.map(|result| result.nodes_per_second).geometric_mean());
            contender.overall = ratios.as_ref().and_then(|ratios| ratios.overall);
            let gate = ratios.as_ref().zip(self.max_regression);
            contender.gate = gate.and_then(|(ratios, allowed)| ratios.gate(allowed));
            if let ContenderKind::Engine { .. } = contender.kind {
                contender.peak_memory_bytes = peak_memory;
            }
        }
        BenchReport {
            header: environment::header(),
            machine,
            environment,
            complete,
            warnings,
            reference_name: self.reference.map(|reference| self.contenders[reference].name.clone()),
            measure: self.measure,
            max_regression: self.max_regression,
            seconds: self.seconds,
            tasks: self.measured.iter().map(|measured| measured.task.clone()).collect(),
            contenders: self.contenders,
            results,
            failures: self.measured.into_iter().flat_map(|measured| measured.failures).flatten().collect(),
        }
    }

    /// Returns the record of a contender in a position; `None` if it has no runs.
    fn measurement(&self, measured: &Measured, index: usize) -> Option<Measurement> {
        let Measured { task, is_complete, .. } = measured;
        let samples = Some(&measured.series[index]).filter(|samples| !samples.is_empty())?;
        let contender = &self.contenders[index];
        let mut name = format!("{}, depth {}", task.position.label(), task.depth);
        if self.contenders.len() > 1 {
            name = format!("{}: {name}", contender.name);
        }
        let parameters = self.parameters(task, index);
        let timings = Timings::new(name, contender.command_line(task), parameters, samples);
        let measurement = Measurement::new(timings, task, &contender.name, self.measure);
        Some(Measurement { complete: *is_complete, ..measurement })
    }

    /// Returns what distinguishes a result from the others: its position and its contender. Contenders that differ in one
    /// setting are distinguished by it, such as the number of threads. A single result has its depth, so that reports of
    /// several depths can be plotted together. The plot of hyperfine takes exactly one parameter, with numbers.
    fn parameters(&self, task: &Task, index: usize) -> BTreeMap<String, String> {
        let settings: Option<Vec<&Settings>> = self.contenders.iter().map(Contender::settings).collect();
        let setting = settings.and_then(|all| Settings::only_difference(&all));
        let of_contender = || match &setting {
            Some((field, values)) => (*field, values[index].clone()),
            None => ("contender", self.contenders[index].name.clone()),
        };
        let mut parameters = Vec::new();
        parameters.extend((self.measured.len() > 1).then(|| ("position", task.position.label().to_owned())));
        parameters.extend((self.contenders.len() > 1).then(of_contender));
        if parameters.is_empty() {
            parameters.push(("depth", task.depth.to_string()));
        }
        parameters.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

impl BenchReport {
    /// Returns the measurement of a contender in a position.
    ///
    /// # Errors
    /// It has no speed there. Returns the reason in one word.
    pub fn measurement(&self, contender: &Contender, task: &Task) -> Result<&Measurement, &'static str> {
        let name = &contender.name;
        let found = self.results.iter().find(|result| result.contender == *name && result.task == *task);
        found.ok_or_else(|| {
            let is_of = |failure: &&Failure| failure.contender == *name && failure.task == *task;
            self.failures.iter().find(is_of).map_or("-", |failure| failure.outcome.name())
        })
    }
}

/// A program whose speed is measured, or one of the ways in which this program counts. The report adds the figures.
#[derive(Clone, Debug, Serialize)]
pub struct Contender {
    pub name: String,
    /// The command that counts in the same way, or that starts the engine.
    pub command: String,
    #[serde(flatten)]
    pub kind: ContenderKind,
    /// The geometric mean of its speeds in leaf nodes per second; `None` if the speed of a position is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` without a reference, or if the contender has no ratio
    /// in a position of the reference.
    pub overall: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if it is not judged.
    pub gate: Option<GateResult>,
    /// The peak memory of an engine in bytes. `None` if the system does not say, and for other contenders.
    pub peak_memory_bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ContenderKind {
    Generator(Settings),
    /// A build of this program, which counts in a process of its own.
    Build(Settings),
    Engine {
        dialect: &'static str,
        /// The name that it gives itself; `None` if it gives none, or never answered.
        own_name: Option<String>,
        /// Whether one process answers all questions.
        one_process: bool,
    },
    /// Saved runs, and the name that their program had.
    Baseline {
        saved_name: String,
    },
}

impl Contender {
    pub fn new(name: &str, command: String, kind: ContenderKind) -> Contender {
        Contender {
            name: name.to_owned(),
            command,
            kind,
            nodes_per_second: None,
            overall: None,
            gate: None,
            peak_memory_bytes: None,
        }
    }

    pub fn description(&self) -> String {
        let described = match &self.kind {
            ContenderKind::Generator(settings) => settings.to_string(),
            ContenderKind::Build(settings) if self.command == self.name => {
                format!("a build of perft, {settings}")
            }
            ContenderKind::Build(settings) => format!("{}, a build of perft, {settings}", self.command),
            ContenderKind::Engine { dialect, own_name, .. } => {
                let said = own_name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
                format!("{}{said}, asked as {dialect}", self.command)
            }
            ContenderKind::Baseline { saved_name } => format!("saved runs of {saved_name}"),
        };
        match self.settings() {
            Some(Settings { table_bytes: 1.., .. }) => described + ", empty before each run",
            _ => described,
        }
    }

    /// Returns how it counts; `None` for an engine and for a baseline.
    pub fn settings(&self) -> Option<&Settings> {
        match &self.kind {
            ContenderKind::Generator(settings) | ContenderKind::Build(settings) => Some(settings),
            _ => None,
        }
    }

    pub fn is_built_in(&self) -> bool {
        matches!(self.kind, ContenderKind::Generator(_))
    }

    /// Whether this measure of its runs is known. What a process has used is known exactly when it has ended.
    pub fn tells(&self, measure: Measure, baseline: Option<&SavedReport>) -> bool {
        match &self.kind {
            _ if measure == Measure::Time => true,
            ContenderKind::Generator(_) => measure == Measure::Cpu && cfg!(unix),
            ContenderKind::Build(_) => true,
            ContenderKind::Engine { one_process, .. } => !one_process,
            ContenderKind::Baseline { .. } => baseline.is_some_and(|saved| saved.tells(measure)),
        }
    }

    /// Returns the command that makes a count once. For an engine, it is the command with the question.
    pub fn command_line(&self, task: &Task) -> String {
        let (command, fen, depth) = (&self.command, &task.position.fen, task.depth);
        match &self.kind {
            ContenderKind::Engine { dialect, .. } => format!("{command} ({dialect}: {fen}, depth {depth})"),
            _ => format!("{command} --fen {} --depth {depth} --single", command_line::quoted(fen)),
        }
    }
}
