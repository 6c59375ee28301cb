//! The clock of benchmarks, and the two kinds of time.

use std::time::{Duration, Instant};

/// A clock that never goes back. Tests implement it with a fake time.
pub trait Clock {
    /// Returns the time since a fixed moment in the past.
    fn now(&self) -> Duration;
}

/// A kind of time. All speeds, ratios and intervals of a report are of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Elapsed time: what the user waits for.
    Wall,
    /// Processor time of the count. With one thread, it equals the elapsed time on an idle machine. On a busy machine
    /// it is more precise, because it does not include waiting for a core.
    Processor,
}

impl Measure {
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Wall => "wall",
            Measure::Processor => "processor",
        }
    }
}

/// The monotonic clock of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> SystemClock {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
