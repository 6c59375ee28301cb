//! The report of a benchmark: what was measured. All formats are written from it.
//!
//! The same JSON document is printed by `--format json` and written by `--export-json`. [`super::baseline`] reads it. The objects in its `results` begin with the fields of hyperfine: see
//! [`crate::output::hyperfine`].
//!
//! The record is `results`: one [`Measurement`] for each position and contender. [`super::text`] and [`super::tables`]
//! put it into words and tables.

use serde::Serialize;
use statrs::statistics::Statistics;

use super::contender::{Contender, ContenderKind, ContenderResult};
use super::measurement::{Failure, Measurement, Outcome};
use super::tasks::TaskInfo;
use crate::output::Provenance;
use crate::output::environment::Environment;
use crate::timing::{Bootstrap, GateResult, Measure, Measured, Ratios, Times};

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

/// The runs of all contenders, from which the report is made.
pub struct Runs {
    pub contenders: Vec<Contender>,
    /// The runs of the contenders in each position.
    pub measured: Vec<Measured>,
    /// Whether all runs were made in all positions, including those that are left out.
    pub complete: bool,
    /// The index of the reference; `None` if there is only one contender.
    pub reference: Option<usize>,
    /// The allowed slowdown, if the contenders are judged.
    pub max_regression: Option<f64>,
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
            gate: ratios.zip(self.bound(index)).and_then(|(ratios, allowed)| ratios.gate(allowed)),
            peak_memory_bytes: peak_memory.filter(|_| is_engine),
        }
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

    /// Returns the contenders that are compared with the reference.
    pub fn compared(&self) -> impl Iterator<Item = &ContenderResult> {
        let is_compared = |of: &&ContenderResult| !self.is_reference(&of.contender.name);
        self.contenders.iter().filter(is_compared)
    }

    /// Whether this program counts in one way only.
    pub fn has_one_generator(&self) -> bool {
        let is_generator =
            |of: &&ContenderResult| matches!(of.contender.kind, ContenderKind::Generator { .. });
        self.contenders.iter().filter(is_generator).count() == 1
    }

    /// Whether this program is measured alone, or compared with itself: with another build or with a baseline.
    pub fn is_of_this_program(&self) -> bool {
        let is_engine = |of: &ContenderResult| matches!(of.contender.kind, ContenderKind::Engine { .. });
        self.has_one_generator() && !self.contenders.iter().any(is_engine)
    }
}
