//! Another build of this program, run once for each question.
//!
//! The build is asked for one count as comma-separated values and states how long the counting took. So the time to
//! start the process is not part of the result. Every version that knows `--single --format csv` works.

use std::collections::HashMap;
use std::time::Duration;

use perft_core::StopSignal;
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError, Usage};

use super::process::{Deadline, Process, Transcript};

/// The longest time that a run may take.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

/// A build of `perft` that counts in a process of its own.
#[derive(Debug)]
pub struct PerftProgram {
    program: String,
    /// The arguments that say how to count, such as `--threads 2`.
    arguments: Vec<String>,
    cost: Cost,
}

impl PerftProgram {
    /// Describes a build. `arguments` are passed in addition to the position and the depth.
    pub fn new(program: &str, arguments: &[String]) -> PerftProgram {
        PerftProgram { program: program.to_owned(), arguments: arguments.to_vec(), cost: Cost::default() }
    }

    fn command(&self, question: &Question) -> Vec<String> {
        let depth = question.depth.to_string();
        let mut words = vec![self.program.as_str(), "--fen", &question.fen, "--depth", &depth];
        words.extend(["--single", "--format", "csv", "--quiet"]);
        let moves = question.moves.join(",");
        if !moves.is_empty() {
            words.extend(["--moves", &moves]);
        }
        words.into_iter().map(str::to_owned).chain(self.arguments.iter().cloned()).collect()
    }
}

impl CountSource for PerftProgram {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        self.cost = Cost::default();
        let Output { text, usage } = output(&self.command(question), LIMIT, stop)?;
        let (nodes, cost) = read(&text, question.depth)
            .ok_or_else(|| SourceError::NoCount(format!("'{}'", text.lines().next().unwrap_or_default())))?;
        self.cost = Cost { usage, ..cost };
        Ok(Answer { stated_total: Some(nodes), ..Answer::default() })
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// Reads the count of a depth, and the times that the program states for it.
fn read(text: &str, depth: u32) -> Option<(u128, Cost)> {
    let mut lines = text.lines().map(|line| line.split(','));
    let header: Vec<&str> = lines.next()?.collect();
    lines.find_map(|fields| {
        let row: HashMap<&str, &str> = header.iter().copied().zip(fields).collect();
        if row.get("depth")?.parse() != Ok(depth) {
            return None;
        }
        let cost = Cost {
            elapsed: Some(seconds(row.get("seconds")?)?),
            // Earlier versions do not have this column.
            processor_time: row.get("processor_seconds").and_then(|text| seconds(text)),
            usage: None,
        };
        Some((row.get("nodes")?.parse().ok()?, cost))
    })
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// The output of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The standard output.
    pub text: String,
    /// The resources that the command has used; `None` if the system does not say.
    pub usage: Option<Usage>,
}

/// Runs a command without input until it ends.
///
/// # Errors
/// The command does not start, does not end within the limit, fails, or prints too much; or the stop signal was
/// raised.
pub fn output(command: &[String], limit: Duration, stop: &StopSignal) -> Result<Output, SourceError> {
    let mut process = Process::start(command, None, &Transcript::default())?;
    // An engine ends when there is no input.
    process.close_input();
    process.expect_answer();
    let deadline = Deadline::new(limit, stop);
    let mut text = String::new();
    while let Some(line) = process.line(&deadline)? {
        text.push_str(&line);
        text.push('\n');
    }
    match process.wait_briefly() {
        Some(status) if status.success() => Ok(Output { text, usage: process.usage() }),
        _ => Err(process.ended()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(elapsed: Duration, processor_time: Option<Duration>) -> Option<(u128, Cost)> {
        Some((8902, Cost { elapsed: Some(elapsed), processor_time, usage: None }))
    }

    #[test]
    fn the_line_of_the_depth_is_read_in_any_order_of_columns() {
        let text = "depth,nodes,seconds,nodes_per_second\n3,8902,0.000100,89020000\n";
        assert_eq!(read(text, 3), count(Duration::from_micros(100), None));
        assert_eq!(read(text, 4), None);
        let text = "seconds,depth,mode,nodes,processor_seconds\n0.5,3,plain,8902,0.25\n";
        assert_eq!(read(text, 3), count(Duration::from_millis(500), Some(Duration::from_millis(250))));
    }

    #[test]
    fn text_without_a_count_is_none() {
        for text in [
            "",
            "hello\n",
            "depth,nodes\n3,8902\n",
            "depth,nodes,seconds\n3,8902",
            "depth,nodes,seconds\n3,x,1\n",
            "depth,nodes,seconds\n3,8902,-1\n",
        ] {
            assert_eq!(read(text, 3), None, "{text:?}");
        }
    }

    #[test]
    fn the_moves_of_a_question_are_passed_on() {
        let start = perft_core::Position::start();
        let question = |moves: &[&str]| Question {
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            ..Question::new(&start, 3)
        };
        let program = PerftProgram::new("./old", &["--threads".to_owned(), "2".to_owned()]);
        let words = |moves: &[&str]| program.command(&question(moves))[5..].join(" ");
        assert_eq!(words(&[]), "--single --format csv --quiet --threads 2");
        assert_eq!(words(&["e2e4", "e7e5"]), "--single --format csv --quiet --moves e2e4,e7e5 --threads 2");
    }
}
