//! What time it is: the one place that looks at a clock for a benchmark, and a clock of one's own for tests.

use std::time::{Duration, Instant};

/// Says how much time has passed since some moment in the past; never goes back.
pub trait Clock {
    /// The time since that moment.
    fn now(&self) -> Duration;
}

/// The clock of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    /// A clock that says 0 now.
    fn default() -> SystemClock {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now(&self) -> Duration {
        (**self).now()
    }
}
