//! Timing: counts are repeated until a comparison of speeds is decided.
//!
//! - `source`: a [`TimedSource`] repeats a [`Task`]; each run is a [`Sample`]
//! - `schedule`: the order and number of runs of tasks on several sources; every count is checked
//! - `statistics`: the statistics of one series of times, and the ratio of the speeds of two sources
//! - `measurement`: the runs of a contender in a position, with their statistics: what reports and files contain
//!
//! Results come with confidence intervals. The sources of the tests state the times of their answers, so no test waits.
//! This module does not print; `commands::bench` formats its results.

mod measurement;
mod schedule;
mod source;
mod statistics;
#[cfg(test)]
pub mod tests;

pub use measurement::{Measurement, Timings};
pub use schedule::{Failure, Measured, Outcome, Schedule, Step};
pub use source::{Measure, Sample, Task, TimedSource, calibrate};
pub use statistics::{Costs, GateResult, Interval, Ratio, Ratios, fewest_samples, intervals_of};
