//! Timing: the same counts again and again, until their speed is known.
//!
//! A [`Schedule`] runs [`Task`]s on [`Subject`]s, in turns, and checks every count. A [`Summary`] says what the times of
//! one series are, [`Ratios`] how two compare, both with the uncertainty that the samples have. The clock and the subjects
//! are traits, so that all of this is tested without waiting.
//!
//! Nothing here knows arguments or prints; `report::bench` writes what came of it. Only this module looks at a clock and at
//! what processes use.

mod calibration;
mod clock;
mod engine;
#[cfg(test)]
mod fake;
mod program;
mod ratio;
mod resources;
mod schedule;
mod statistics;
mod subject;

pub use calibration::{TARGET_SECONDS, calibrate};
pub use clock::{Clock, SystemClock};
pub use engine::EngineSubject;
pub use program::ProgramSubject;
pub use ratio::{GateResult, Ratio, Ratios, Times, geometric_mean};
pub use resources::{PinError, Usage, pin, usage};
pub use schedule::{BenchError, Measure, Measured, Schedule, Step};
pub use statistics::{Bootstrap, Interval, OUTLIER_SCORE, Spread, Summary, median, modified_z_scores};
pub use subject::{OwnSubject, ProcessorTime, Sample, Subject, SubjectError, Task};
