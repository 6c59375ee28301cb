//! Timing: counts are repeated until their speed is known precisely.
//!
//! - [`TimedSource`]: a source of counts whose answers are timed;
//! - [`Schedule`]: the order and number of runs of [`Task`]s on several sources; every count is checked;
//! - [`Spread`], [`Bootstrap`], [`outliers`]: the statistics of one series of times;
//! - [`Ratios`]: the comparison of the speeds of two sources.
//!
//! Results come with confidence intervals. Time comes from a [`clock::Clock`], so tests can use a fake one and never
//! wait. This module does not print; `commands::bench` formats its results.

mod calibration;
mod clock;
#[cfg(test)]
pub mod fake;
mod measured;
mod pin;
mod ratio;
mod schedule;
mod source;
mod statistics;

pub use calibration::calibrate;
pub use clock::{Measure, SystemClock};
pub use measured::{Measured, RunFailure};
pub use pin::{PinError, pin};
pub use ratio::{GateResult, Ratio, Ratios, Times};
pub use schedule::{Schedule, Step};
pub use source::{Sample, Task, TimedSource, nodes_per_second};
pub use statistics::{Bootstrap, Interval, Spread, outliers};
