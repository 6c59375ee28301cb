//! A wait until a program has been silent for some time.

use std::process::Child;
use std::time::{Duration, Instant};

use super::group::Group;

/// The interval at which the stop signal is checked.
pub(super) const POLL: Duration = Duration::from_millis(20);

/// The number of looks at a program during a wait. It must have done nothing between any two of them.
const LOOKS: u32 = 4;

/// The number of looks where the system does not say what the program does.
const LOOKS_IF_UNKNOWN: u32 = 12;

/// A wait until a program has been silent for some time. The program is looked at several times.
pub(super) struct Idle {
    period: Option<Duration>,
    begin: Instant,
    /// The processor time of the program at the last look.
    pub processor_time: Option<Duration>,
    looks: u32,
    /// The number of looks in a row at which the program had done nothing since the look before.
    quiet: u32,
}

impl Idle {
    pub fn new(patience: Option<Duration>) -> Idle {
        let period = patience.map(|patience| patience / LOOKS);
        Idle { period, begin: Instant::now(), processor_time: None, looks: 0, quiet: 0 }
    }

    pub fn left(&self) -> Duration {
        self.period.map_or(POLL, |period| period.saturating_sub(self.begin.elapsed()))
    }

    /// Looks at the program. Returns whether it has done nothing all the time, once that is known.
    pub fn look(&mut self, group: &Group, child: &Child) -> Option<bool> {
        let (before, activity) = (self.processor_time, group.activity(child));
        (self.processor_time, self.begin) = (activity.map(|(time, _)| time), Instant::now());
        let is_quiet = activity.is_none_or(|(time, is_running)| before == Some(time) && !is_running);
        (self.looks, self.quiet) = (self.looks + 1, if is_quiet { self.quiet + 1 } else { 0 });
        let is_idle = self.quiet >= if activity.is_some() { LOOKS - 1 } else { LOOKS_IF_UNKNOWN };
        (is_idle || self.looks >= LOOKS && self.quiet == 0).then_some(is_idle)
    }
}
