//! Counts the instructions that a program executes in user space: with a counter of the processor, where there is one
//! for us, and otherwise with valgrind, which runs a program some 50 times slower.
//!
//! The counter of the processor belongs to this thread, is inherited by the processes that it starts, and begins to
//! count when these execute another program. So it never counts this program. Valgrind writes a file for each process.

use std::fs;

use perft_diagnosis::source::SourceError;
use tempfile::TempDir;

use super::spec::find;

#[derive(Clone, Debug)]
pub enum InstructionCounter {
    Processor,
    Valgrind { reason: String },
}

/// The count of a process that runs, and of its children.
#[derive(Debug)]
pub(super) enum RunningCounter {
    #[cfg(target_os = "linux")]
    Processor(perf_event::Counter),
    /// The folder for the reports of valgrind.
    Valgrind(TempDir),
}

impl InstructionCounter {
    /// Finds the way to count on this machine.
    ///
    /// # Errors
    /// There is none. The text says why.
    pub fn find() -> Result<InstructionCounter, String> {
        match processor_counter().map(drop) {
            Ok(()) => Ok(InstructionCounter::Processor),
            Err(reason) if find("valgrind", None).is_ok() => Ok(InstructionCounter::Valgrind { reason }),
            Err(reason) => Err(format!("{reason}, and valgrind is not installed")),
        }
    }

    /// Begins to count the process that this thread starts next. Valgrind is added to its command.
    pub(super) fn begin(&self, command: &mut Vec<String>) -> Result<RunningCounter, SourceError> {
        match self {
            InstructionCounter::Processor => processor_counter().map_err(SourceError::CannotCount),
            InstructionCounter::Valgrind { .. } => {
                let folder =
                    tempfile::tempdir().map_err(|error| SourceError::CannotCount(error.to_string()))?;
                let report = format!("--log-file={}/%p", folder.path().display());
                let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=yes"];
                let words = ["valgrind"].into_iter().chain(options).chain([report.as_str()]);
                command.splice(..0, words.map(str::to_owned));
                Ok(RunningCounter::Valgrind(folder))
            }
        }
    }
}

impl RunningCounter {
    /// Returns the number of instructions of a process that has ended.
    pub fn end(self) -> Option<u64> {
        match self {
            #[cfg(target_os = "linux")]
            RunningCounter::Processor(mut counter) => counter.read().ok(),
            RunningCounter::Valgrind(folder) => {
                let reports = fs::read_dir(folder.path()).ok()?.flatten();
                let counts = reports.map(|report| collected(&fs::read_to_string(report.path()).ok()?));
                counts.flatten().reduce(|sum, count| sum + count)
            }
        }
    }
}

/// Reads the number of instructions from a report of callgrind. A process that started another program has none.
fn collected(report: &str) -> Option<u64> {
    let line = report.lines().find_map(|line| line.split_once("Collected :"))?;
    line.1.trim().parse().ok()
}

#[cfg(target_os = "linux")]
fn processor_counter() -> Result<RunningCounter, String> {
    use perf_event::events::Hardware;
    use std::io::ErrorKind;

    let counter = inherited(Hardware::INSTRUCTIONS);
    counter.map(RunningCounter::Processor).map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => {
            "the system forbids the counters of the processor (set kernel.perf_event_paranoid to 2)"
                .to_owned()
        }
        // As virtual machines mostly do.
        ErrorKind::NotFound | ErrorKind::Unsupported => {
            "this machine has no counter of instructions".to_owned()
        }
        _ => format!("the counters of the processor cannot be used ({error})"),
    })
}

/// Opens a counter of what the processes that this thread starts do in user space.
#[cfg(target_os = "linux")]
fn inherited(event: impl perf_event::events::Event) -> std::io::Result<perf_event::Counter> {
    perf_event::Builder::new(event).inherit(true).enable_on_exec(true).build()
}

#[cfg(not(target_os = "linux"))]
fn processor_counter() -> Result<RunningCounter, String> {
    Err("the counters of the processor are read on Linux only".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_of_valgrind_is_read() {
        let report =
            "==7== Events    : Ir\n==7== Collected : 21754823\n==7== \n==7== I   refs:      21,754,823\n";
        assert_eq!(collected(report), Some(21_754_823));
        assert_eq!(collected("==7== Command: sh\n"), None);
    }

    /// Machines without counters of instructions have clocks that are read in the same way. A counter serves one
    /// process: Linux may lose the count of a second one.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_inherited_counter_counts_the_started_process_only() {
        let counted = |times: u32| {
            let mut counter = inherited(perf_event::events::Software::TASK_CLOCK).ok()?;
            let mut sum = 0_u64;
            (0..3_000_000).for_each(|number| sum = std::hint::black_box(sum + number));
            assert_eq!(counter.read().unwrap(), 0);
            let script = format!("i=0; while [ $i -lt {times} ]; do i=$((i+1)); done");
            assert!(std::process::Command::new("sh").args(["-c", &script]).status().unwrap().success());
            Some(counter.read().unwrap())
        };
        let (Some(short), Some(long)) = (counted(1), counted(100_000)) else {
            println!("left out: the system forbids to count");
            return;
        };
        assert!(short > 0 && long > 3 * short, "{short} {long}");
    }
}
