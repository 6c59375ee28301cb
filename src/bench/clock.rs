//! The clock of benchmarks.

use std::time::{Duration, Instant};

/// A clock that never goes back. Tests implement it with a fake time.
pub trait Clock {
    /// Returns the time since a fixed moment in the past.
    fn now(&self) -> Duration;
}

/// The monotonic clock of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    /// Starts a clock at 0.
    fn default() -> SystemClock {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
