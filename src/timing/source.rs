//! The sources of a benchmark, and the counts that they repeat.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use perft_core::suite::{Case, KnownCount};
use perft_core::{Position, StopSignal};
use perft_diagnosis::source::{Cost, CountSource, Question, SourceError};
use serde::{Deserialize, Serialize};

use crate::output::PositionInfo;

/// A count that is repeated: a position, a depth and the known result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The known number of leaf nodes.
    #[serde(skip)]
    pub nodes: u128,
}

impl Task {
    pub fn new(case: &Case, expected: KnownCount) -> Task {
        let KnownCount { depth, nodes } = expected;
        Task { position: PositionInfo::named(case.name(), &case.position), depth, nodes }
    }

    /// Returns the position and the depth: `kiwipete 5`.
    pub fn name(&self) -> String {
        format!("{} {}", self.position.label(), self.depth)
    }

    /// Returns the position and the depth for sentences: `kiwipete at depth 5`.
    pub fn place(&self) -> String {
        format!("{} at depth {}", self.position.label(), self.depth)
    }
}

/// What the speeds of programs are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Elapsed time
    #[default]
    Time,
    /// Processor time of the process, on all threads
    Cpu,
    /// Instructions that the process executes in user space
    Instructions,
}

impl Measure {
    /// Returns what is measured, for sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Time => "elapsed time",
            Measure::Cpu => "processor time",
            Measure::Instructions => "instructions",
        }
    }
}

/// One run of a count. The JSON is that of hyperfine 2 for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The number of instructions that the process executed in user space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Quantity>,
    /// The peak memory of the process up to the end of the run, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_peak_resident: Option<Quantity>,
    /// The processor time of the count alone in seconds, on all threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_cpu: Option<Quantity>,
    /// The processor time of the process in the kernel, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_system: Option<Quantity>,
    /// The processor time of the process in user mode, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_user: Option<Quantity>,
    /// The elapsed time in seconds.
    pub time_wall_clock: Quantity,
    /// Always 0, because runs that fail are not timed.
    #[serde(default)]
    exit_code: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    pub value: f64,
    #[serde(skip_deserializing)]
    pub unit: &'static str,
}

impl Quantity {
    fn seconds(time: Duration) -> Quantity {
        Quantity { value: time.as_secs_f64(), unit: "second" }
    }
}

impl Sample {
    /// Makes a sample from the time that the clock measured for a count, and from its cost. If the source has measured
    /// a time itself, that time is used, because it does not include the question and the answer.
    pub fn new(elapsed: Duration, cost: Cost) -> Sample {
        let bytes = |bytes| Quantity { value: bytes as f64, unit: "byte" };
        let instructions = |number| Quantity { value: number as f64, unit: "instruction" };
        Sample {
            instructions: cost.instructions.map(instructions),
            memory_peak_resident: cost.usage.and_then(|usage| usage.peak_memory_bytes).map(bytes),
            time_cpu: cost.processor_time.map(Quantity::seconds),
            time_system: cost.usage.map(|usage| Quantity::seconds(usage.system)),
            time_user: cost.usage.map(|usage| Quantity::seconds(usage.user)),
            time_wall_clock: Quantity::seconds(cost.elapsed.unwrap_or(elapsed)),
            exit_code: 0,
        }
    }

    /// Returns the elapsed time of the run in seconds.
    pub fn seconds(&self) -> f64 {
        self.time_wall_clock.value
    }

    /// Returns what the run has cost, in seconds or in instructions; `None` if that is not known.
    pub fn cost(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Time => Some(self.seconds()),
            Measure::Cpu => Some(self.time_user?.value + self.time_system?.value),
            Measure::Instructions => Some(self.instructions?.value),
        }
    }
}

/// Returns a speed in leaf nodes per second. It is finite, even if the time is too short for the clock.
pub fn nodes_per_second(nodes: u128, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9)
}

pub struct Run {
    /// The total that the source has stated.
    pub total: i128,
    pub sample: Sample,
    /// The time that passed during the run, with the start of a program.
    pub seconds: f64,
}

/// A source of counts whose answers are timed.
///
/// The speed that an engine itself prints is ignored, because each engine measures something different. An engine that
/// keeps running is started before the clock. A program that is run once for each question is timed together with its
/// start.
///
/// A source that failed in a position is not asked about it again, and a source that could not be prepared is never
/// asked. Otherwise the benchmark would wait for the same time limit many times.
pub struct TimedSource<'a> {
    pub name: String,
    source: Box<dyn CountSource + 'a>,
    stop: StopSignal,
    /// What each of its runs must know.
    pub measure: Measure,
    /// The positions in which it failed, as FENs.
    failures: HashMap<String, SourceError>,
    /// The reason why the source could not be prepared.
    not_ready: Option<SourceError>,
}

impl<'a> TimedSource<'a> {
    /// The name is for messages and tables.
    pub fn new(name: &str, source: impl CountSource + 'a, stop: StopSignal) -> TimedSource<'a> {
        let source = Box::new(source);
        let (name, measure) = (name.to_owned(), Measure::default());
        TimedSource { name, source, stop, measure, failures: HashMap::new(), not_ready: None }
    }

    /// Returns the name that the source gives itself, once it is known.
    pub fn own_name(&self) -> Option<&str> {
        self.source.name()
    }

    /// Runs a task once. The caller checks whether the number of leaf nodes is right.
    ///
    /// # Errors
    /// The source gives no count, or it is not known what the count has cost.
    pub fn run(&mut self, task: &Task) -> Result<Run, SourceError> {
        let fen = &task.position.fen;
        if let Some(error) = self.not_ready.as_ref().or(self.failures.get(fen)) {
            return Err(error.clone());
        }
        self.source.prepare(&self.stop).inspect_err(|error| self.not_ready = Some(error.clone()))?;
        let position = Position::from_fen(fen).expect("the FEN of a position");
        let question = Question::new(&position, task.depth);
        let begin = Instant::now();
        let answer = self.source.ask(&question, &self.stop);
        let elapsed = begin.elapsed();
        let answer = answer.inspect_err(|error| {
            self.failures.insert(fen.clone(), error.clone());
        })?;
        let sample = Sample::new(elapsed, answer.cost);
        if sample.cost(self.measure).is_none() {
            let unknown = format!("the system does not say its {}", self.measure.name());
            return Err(SourceError::CannotCount(unknown));
        }
        Ok(Run { total: answer.total(), sample, seconds: elapsed.as_secs_f64().max(sample.seconds()) })
    }
}

/// The target time of counting in a run, in seconds. Many short runs decide earlier than a few long ones.
const TARGET_SECONDS: f64 = 0.1;

/// The shortest and the longest time of counting, in seconds, that is needed to know a speed. In between, it is half of
/// the time that an answer takes in addition.
const ENOUGH_SECONDS: (f64, f64) = (0.005, 0.25);

/// The longest time of the smallest count, in seconds. A source that takes longer counts slowly.
const SLOW_SECONDS: f64 = 2.0;

/// How often a question is asked to choose a depth. The fastest answer counts, because others were disturbed.
const TRIES: u32 = 3;

/// Returns the known count of a case whose time is nearest to [`TARGET_SECONDS`], as a ratio, or `None` if no count is
/// known. Each depth takes some ten to forty times as long as the one before, so the time is mostly between 0.02 s and
/// 0.5 s. The speed is that of the first count that takes long enough. The smallest count itself takes hardly any time,
/// so its time is the time to ask the question, or to start a program that is run once for each question.
///
/// # Errors
/// The source gives no count.
pub fn calibrate(case: &Case, source: &mut TimedSource) -> Result<Option<KnownCount>, SourceError> {
    let Some((&smallest, others)) = case.expected.split_first() else { return Ok(None) };
    let overhead = fastest(&Task::new(case, smallest), source)?;
    if overhead > SLOW_SECONDS {
        return Ok(Some(smallest));
    }
    let enough = (overhead / 2.0).clamp(ENOUGH_SECONDS.0, ENOUGH_SECONDS.1);
    for &expected in others {
        let counting = fastest(&Task::new(case, expected), source)? - overhead;
        if counting >= enough {
            let distance = |known: &&KnownCount| {
                let seconds = counting * known.nodes as f64 / expected.nodes as f64;
                (seconds / TARGET_SECONDS).ln().abs()
            };
            return Ok(case.expected.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied());
        }
    }
    Ok(case.expected.last().copied())
}

fn fastest(task: &Task, source: &mut TimedSource) -> Result<f64, SourceError> {
    let mut seconds = f64::INFINITY;
    for _ in 0..TRIES {
        seconds = seconds.min(source.run(task)?.sample.seconds());
        // A slow answer is not asked for again and again.
        if seconds > 10.0 * TARGET_SECONDS {
            break;
        }
    }
    Ok(seconds)
}
