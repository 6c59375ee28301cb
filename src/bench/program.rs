//! Another `perft` program as what is timed: a process a run, which takes its own time.
//!
//! The program is asked for one count as comma-separated values and says how long the counting took, so that starting a
//! process is no part of the figure. Any build that knows `--single --format csv` will do.

use std::time::Duration;

use super::subject::{ProcessorTime, Sample, Subject, SubjectError, Task};
use crate::engine::{Output, output};
use perft_core::StopSignal;
use perft_diagnosis::source::SourceError;

/// Longer than this no run can be waited for.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

/// A program that counts.
#[derive(Debug)]
pub struct ProgramSubject {
    name: String,
    program: String,
    /// How it is to count: `--threads 2`.
    arguments: Vec<String>,
    stop: StopSignal,
}

impl ProgramSubject {
    /// Times this program, which is handed these arguments besides the position and the depth.
    pub fn new(name: &str, program: &str, arguments: &[String], stop: StopSignal) -> ProgramSubject {
        ProgramSubject {
            name: name.to_owned(),
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            stop,
        }
    }

    fn command(&self, task: &Task) -> Vec<String> {
        let fixed = [
            self.program.clone(),
            "--fen".to_owned(),
            task.position.to_string(),
            "--depth".to_owned(),
            task.expected.depth.to_string(),
        ];
        let format = ["--single", "--format", "csv", "--quiet"].map(str::to_owned);
        fixed.into_iter().chain(format).chain(self.arguments.iter().cloned()).collect()
    }
}

impl Subject for ProgramSubject {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&mut self, task: &Task) -> Result<Sample, SubjectError> {
        let Output { text, spent } = output(&self.command(task), LIMIT, &self.stop)?;
        let Count { nodes, seconds, work_seconds } = read(&text, task.expected.depth).ok_or_else(|| {
            SubjectError::Failed(format!("this is no count: '{}'", text.lines().next().unwrap_or_default()))
        })?;
        Ok(Sample {
            nodes,
            seconds,
            work_seconds,
            processor: spent.map(ProcessorTime::from),
            peak_memory_bytes: spent.and_then(|spent| spent.peak_memory_bytes),
        })
    }
}

impl From<SourceError> for SubjectError {
    fn from(error: SourceError) -> SubjectError {
        match error {
            SourceError::Interrupted => SubjectError::Interrupted,
            _ => SubjectError::Failed(error.to_string()),
        }
    }
}

/// What a program says of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    nodes: u128,
    seconds: f64,
    /// Earlier versions do not say it.
    work_seconds: Option<f64>,
}

/// The count of a depth.
fn read(text: &str, depth: u32) -> Option<Count> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next()?.split(',').collect();
    let column = |name: &str| header.iter().position(|title| *title == name);
    let of_work = column("processor_seconds");
    let (of_depth, of_nodes, of_seconds) = (column("depth")?, column("nodes")?, column("seconds")?);
    lines.find_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let is_asked = field(of_depth).parse() == Ok(depth);
        let count = || {
            Some(Count {
                nodes: field(of_nodes).parse().ok()?,
                seconds: field(of_seconds).parse().ok()?,
                work_seconds: of_work.and_then(|index| field(index).parse().ok()),
            })
        };
        if is_asked { count() } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(seconds: f64, work_seconds: Option<f64>) -> Count {
        Count { nodes: 8902, seconds, work_seconds }
    }

    #[test]
    fn the_line_of_the_depth_is_read_wherever_its_columns_stand() {
        let text = "depth,nodes,seconds,nodes_per_second\n3,8902,0.000100,89020000\n";
        assert_eq!(read(text, 3), Some(count(0.0001, None)));
        assert_eq!(read(text, 4), None);
        let text = "seconds,depth,mode,nodes,processor_seconds\n0.5,3,plain,8902,0.25\n";
        assert_eq!(read(text, 3), Some(count(0.5, Some(0.25))));
    }

    #[test]
    fn what_is_no_count_is_none() {
        for text in [
            "",
            "hello\n",
            "depth,nodes\n3,8902\n",
            "depth,nodes,seconds\n3,8902",
            "depth,nodes,seconds\n3,x,1\n",
        ] {
            assert_eq!(read(text, 3), None, "{text:?}");
        }
    }
}
