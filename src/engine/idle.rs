//! Finds out whether a silent program has nothing to do. A program that computes, or waits for a processor or a
//! disk, is not idle.

use std::time::Duration;

use super::process::Process;

/// The number of silent periods after which an idle program is given up.
pub(super) const PERIODS: u32 = 3;

/// The shortest and the longest period.
const PERIOD: [Duration; 2] = [Duration::from_millis(125), Duration::from_millis(500)];

/// Returns the length of a silent period for a program with this time limit.
pub(super) fn period(limit: Duration) -> Duration {
    (limit / 20).clamp(PERIOD[0], PERIOD[1])
}

/// Counts the periods in which a program is silent and idle.
pub(super) struct Idle {
    processor_time: Option<Duration>,
    periods: u32,
}

impl Idle {
    /// Starts to watch a program.
    pub fn of(process: &Process) -> Idle {
        Idle { processor_time: process.processor_time(), periods: 0 }
    }

    /// Notes that the program was silent for one more period. Returns the number of periods in a row in which it
    /// was idle. The number is 0 where the system does not report processor times.
    pub fn periods(&mut self, process: &Process) -> u32 {
        let now = process.processor_time();
        let is_idle = now == std::mem::replace(&mut self.processor_time, now) && !process.is_running();
        self.periods = if now.is_some() && is_idle { self.periods + 1 } else { 0 };
        self.periods
    }
}
