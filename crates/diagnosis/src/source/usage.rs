//! The cost of an answer: time and memory.

use std::time::Duration;

/// The cost of an answer. Values that the source does not know are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The time that the source itself measured for the count, or `None` if the caller must measure it.
    pub elapsed: Option<Duration>,
    /// The CPU time of the count alone, on all threads, or `None` if it is unknown.
    pub processor_time: Option<Duration>,
    /// The resources that the process of the source used for the answer, or `None` if they are unknown.
    pub usage: Option<Usage>,
}

/// The CPU time and memory that a process has used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The CPU time in the program, on all threads.
    pub user: Duration,
    /// The CPU time in the operating system on behalf of the program.
    pub system: Duration,
    /// The peak memory of the process since its start, in bytes, or `None` if it is unknown.
    pub peak_memory_bytes: Option<u64>,
}

impl Usage {
    /// Returns the sum of the CPU times in the program and in the operating system.
    pub fn processor_time(&self) -> Duration {
        self.user + self.system
    }

    /// Returns the usage since an earlier measurement. The peak memory is still that of the whole life of the process.
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
