//! What an answer costs: time and memory.

use std::time::Duration;

/// What an answer cost, as far as its source knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The time that the source itself measured for the count; `None` if whoever asks must measure it.
    pub elapsed: Option<Duration>,
    /// The processor time of the count alone, on all threads; `None` if it is unknown.
    pub processor_time: Option<Duration>,
    /// What the process of the source used for the answer; `None` if it is unknown.
    pub usage: Option<Usage>,
}

/// The processor time and memory that a process has used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Processor time in the program, on all threads.
    pub user: Duration,
    /// Processor time in the operating system on behalf of the program.
    pub system: Duration,
    /// The most memory that the process occupied at any time since it was started, in bytes; `None` if it is unknown.
    pub peak_memory_bytes: Option<u64>,
}

impl Usage {
    /// Returns the processor time in the program and in the operating system together.
    pub fn processor_time(&self) -> Duration {
        self.user + self.system
    }

    /// Returns what was used since an earlier measurement. The peak memory stays that of the whole life of the process.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Usage;
    /// use std::time::Duration;
    /// let at = |seconds, peak| Usage {
    ///     user: Duration::from_secs(seconds),
    ///     system: Duration::ZERO,
    ///     peak_memory_bytes: Some(peak),
    /// };
    /// assert_eq!(at(5, 900).since(at(2, 700)), at(3, 900));
    /// ```
    pub fn since(self, earlier: Usage) -> Usage {
        Usage {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            ..self
        }
    }
}
