//! Our own counts: a driver in this process, and another build of this program, which is run once for each question.
//!
//! The build is asked for one count as comma-separated values and states how long the counting took. So the time to
//! start the process is not part of the result. Every version that knows `--single --format csv` works.

use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_count::{Perft, Progress, Table};
use perft_diagnosis::source::{Answer, Cost, CountSource, Question, SourceError, Usage};
use serde::Deserialize;

use super::group::process_usage;
use super::instructions::{InstructionCounter, RunningCounter};
use super::process::{Deadline, Process};
use super::transcript::Transcript;

/// The longest time that a run may take.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

/// A driver in this process. It answers with the total only.
#[derive(Debug)]
pub struct DriverSource {
    perft: Perft,
    table_bytes: usize,
}

impl DriverSource {
    /// Makes a source from a driver. If `table_bytes` is not 0, the driver gets an empty transposition table of this
    /// size in each call of [`CountSource::prepare`]. Otherwise a timed run would find the entries of the run before
    /// it.
    pub fn new(perft: Perft, table_bytes: usize) -> DriverSource {
        DriverSource { perft, table_bytes }
    }
}

impl CountSource for DriverSource {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let position = question.end()?;
        let progress = Progress::new(stop.clone());
        let count = || self.perft.count_with_progress(&position, question.depth, &progress);
        let (counted, _, cost) = measured(count);
        Ok(Answer { cost, ..Answer::from(counted.map_err(|_| SourceError::Interrupted)?) })
    }

    fn prepare(&mut self, _: &StopSignal) -> Result<(), SourceError> {
        if self.table_bytes > 0 {
            let table = Table::new(self.table_bytes, 0)
                .map_err(|error| SourceError::CannotCount(error.to_string()))?;
            self.perft = std::mem::take(&mut self.perft).table(table);
        }
        Ok(())
    }
}

/// Does work in this process. Returns its result, its time, and what this process has used for it.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration, Cost) {
    let (before, start) = (process_usage(), Instant::now());
    let result = work();
    let elapsed = start.elapsed();
    let usage = before.zip(process_usage()).map(|(before, after)| after.since(before));
    let processor_time = usage.map(|usage| usage.processor_time());
    (result, elapsed, Cost { processor_time, usage, ..Cost::default() })
}

/// A build of `perft` that counts in a process of its own.
#[derive(Debug)]
pub struct PerftProgram {
    /// The program, and the arguments that say how to count, such as `--threads 2`.
    command: Vec<String>,
    counter: Option<InstructionCounter>,
}

impl PerftProgram {
    /// Describes a build. The position and the depth are added to its command. With a counter, its instructions are
    /// counted.
    pub fn new(command: Vec<String>, counter: Option<InstructionCounter>) -> PerftProgram {
        PerftProgram { command, counter }
    }

    fn command(&self, question: &Question) -> Result<Vec<String>, SourceError> {
        let (fen, depth) = (question.end_fen()?, question.depth.to_string());
        let asked = ["--fen", &fen, "--depth", &depth, "--single", "--format", "csv", "--quiet"];
        Ok([&self.command[..], &asked.map(str::to_owned)].concat())
    }
}

impl CountSource for PerftProgram {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let mut command = self.command(question)?;
        let counting = self.counter.as_ref().map(|counter| counter.begin(&mut command)).transpose()?;
        let (text, usage) = output(&command, LIMIT, stop)?;
        let (nodes, cost) = read(&text, question.depth)
            .ok_or_else(|| SourceError::NoCount(format!("'{}'", text.lines().next().unwrap_or_default())))?;
        let cost = Cost { usage, instructions: counting.and_then(RunningCounter::end), ..cost };
        Ok(Answer { cost, ..Answer::from(nodes) })
    }
}

/// A line of the comma-separated values.
#[derive(Deserialize)]
struct Row {
    depth: u32,
    nodes: u128,
    seconds: f64,
    /// Earlier versions do not have this column.
    processor_seconds: Option<f64>,
}

/// Reads the count of a depth, and the times that the program states for it.
fn read(text: &str, depth: u32) -> Option<(u128, Cost)> {
    let mut rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Row>().flatten();
    let row = rows.find(|row| row.depth == depth)?;
    let duration = |seconds| Duration::try_from_secs_f64(seconds).ok();
    let cost = Cost {
        elapsed: Some(duration(row.seconds)?),
        processor_time: row.processor_seconds.and_then(duration),
        ..Cost::default()
    };
    Some((row.nodes, cost))
}

/// Runs a command without input until it ends.
///
/// # Errors
/// The command does not start, does not end within the limit, fails, or prints too much; or the stop signal was
/// raised.
pub fn output(
    command: &[String],
    limit: Duration,
    stop: &StopSignal,
) -> Result<(String, Option<Usage>), SourceError> {
    let mut process = Process::start(command, None, &Transcript::default())?;
    // An engine that reads commands ends at the end of its input.
    process.close_input();
    process.expect_answer();
    let deadline = Deadline::new(limit, stop);
    let mut text = String::new();
    while let Some(line) = process.line(&deadline)? {
        text.push_str(&line);
        text.push('\n');
    }
    match process.wait_briefly() {
        Some(status) if status.success() => Ok((text, process.usage())),
        _ => Err(process.ended()),
    }
}

#[cfg(test)]
mod tests {
    use perft_core::Position;

    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn question(depth: u32) -> Question {
        Question::new(&Position::from_fen(KIWIPETE).unwrap(), depth)
    }

    #[test]
    fn counts_below_the_moves_of_a_question() {
        let mut source = DriverSource::new(Perft::new(), 0);
        let mut ask = |question| source.ask(&question, &StopSignal::default()).unwrap();
        assert_eq!(ask(question(4)).total(), 4_085_603);
        let answer = ask(Question { moves: vec!["e1g1".to_owned()], ..question(3) });
        assert_eq!((answer.total(), answer.cost.usage.is_some()), (86_975, cfg!(unix)));
    }

    #[test]
    fn each_prepared_question_has_an_empty_table() {
        let mut source = DriverSource::new(Perft::new(), 1 << 20);
        let stop = StopSignal::default();
        let mut probes = || {
            source.prepare(&stop).unwrap();
            source.ask(&question(4), &stop).unwrap();
            let statistics = source.perft.table_statistics().unwrap();
            (statistics.probes, statistics.hits)
        };
        assert_eq!(probes(), probes());
    }

    fn count(elapsed: Duration, processor_time: Option<Duration>) -> Option<(u128, Cost)> {
        Some((8902, Cost { elapsed: Some(elapsed), processor_time, ..Cost::default() }))
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
    fn a_build_gets_the_position_after_the_moves() {
        let start = perft_core::Position::start();
        let question = Question { moves: vec!["b1a3".to_owned()], ..Question::new(&start, 3) };
        let program = PerftProgram::new(["./old", "--threads", "2"].map(str::to_owned).to_vec(), None);
        let words = program.command(&question).unwrap().join(" ");
        let fen = "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQKBNR b KQkq - 1 1";
        assert_eq!(words, format!("./old --threads 2 --fen {fen} --depth 3 --single --format csv --quiet"));
    }
}
