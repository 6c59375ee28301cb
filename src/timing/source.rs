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
}

/// One run of a count. The JSON is that of hyperfine 2 for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
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

/// A value with its unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// The value.
    pub value: f64,
    /// The unit.
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
        Sample {
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
}

/// Returns a speed in leaf nodes per second. It is finite, even if the time is too short for the clock.
pub fn nodes_per_second(nodes: u128, seconds: f64) -> f64 {
    nodes as f64 / seconds.max(1e-9)
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
    /// The positions in which it failed, as FENs.
    failures: HashMap<String, SourceError>,
    /// The reason why the source could not be prepared.
    not_ready: Option<SourceError>,
}

impl<'a> TimedSource<'a> {
    /// Makes a source. The name is for messages and tables.
    pub fn new(name: &str, source: impl CountSource + 'a, stop: StopSignal) -> TimedSource<'a> {
        let source = Box::new(source);
        TimedSource { name: name.to_owned(), source, stop, failures: HashMap::new(), not_ready: None }
    }

    /// Returns the name that the source gives itself, once it is known.
    pub fn own_name(&self) -> Option<&str> {
        self.source.name()
    }

    /// Runs a task once, and returns the number of leaf nodes. The caller checks whether it is right.
    ///
    /// # Errors
    /// The source gives no count.
    pub fn run(&mut self, task: &Task) -> Result<(u128, Sample), SourceError> {
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
        Ok((answer.total(), Sample::new(elapsed, self.source.cost())))
    }
}

/// The target time of a run, in seconds. Disturbances and the resolution of the clock are small compared with it, and
/// many such runs can be made.
const TARGET_SECONDS: f64 = 0.2;

/// The shortest time of a count, in seconds, from which a speed is computed.
const MIN_SECONDS: f64 = 0.005;

/// Returns the known count of a case whose time is nearest to [`TARGET_SECONDS`], as a ratio, or `None` if no count is
/// known. Each depth takes some ten to forty times as long as the one before, so the time is mostly between 0.04 s and
/// 1 s. Times of larger counts are estimated from the smaller ones. The smallest count itself takes hardly any time, so
/// its time is the time to ask the question, or to start a program that is run once for each question.
///
/// # Errors
/// The source gives no count.
pub fn calibrate(case: &Case, source: &mut TimedSource) -> Result<Option<KnownCount>, SourceError> {
    let mut nodes_per_second = None;
    let mut overhead = None;
    let mut best: Option<(f64, KnownCount)> = None;
    for &expected in &case.expected {
        let seconds = match nodes_per_second {
            Some(speed) => overhead.unwrap_or(0.0) + expected.nodes as f64 / speed,
            None => {
                let seconds = source.run(&Task::new(case, expected))?.1.seconds();
                let counting = seconds - *overhead.get_or_insert(seconds);
                nodes_per_second = (counting >= MIN_SECONDS).then(|| expected.nodes as f64 / counting);
                seconds
            }
        };
        let distance = (seconds.max(1e-9) / TARGET_SECONDS).ln().abs();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, expected));
        }
        if seconds > TARGET_SECONDS {
            break;
        }
    }
    Ok(best.map(|(_, expected)| expected))
}
