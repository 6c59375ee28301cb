//! The kinds of contenders: built-in generators, other builds, engines and baselines.

use serde::Serialize;

use super::tasks::TaskInfo;
use crate::system::command_line;
use crate::timing::{GateResult, Ratio};

/// The name of this program among builds and baselines.
pub const THIS_PROGRAM: &str = "this program";

/// A program, or a way in which this program counts, whose speed is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contender {
    /// The name in the tables.
    pub name: String,
    /// The command that counts in the same way, or that starts the engine.
    pub command: String,
    /// The properties of the kind of contender.
    #[serde(flatten)]
    pub kind: ContenderKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ContenderKind {
    /// A built-in generator.
    Generator {
        /// The name of the generator.
        generator: &'static str,
        /// The CPU features that it was compiled for.
        cpu_path: &'static str,
        /// The slider lookup; `None` if there is no choice.
        sliders: Option<&'static str>,
        /// The number of threads.
        threads: usize,
    },
    /// Another build of this program, with the same settings.
    Build,
    /// An engine.
    Engine {
        /// The dialect of its questions and answers.
        dialect: &'static str,
        /// The name that it gives itself; `None` if it gives none, or never answered.
        own_name: Option<String>,
    },
    /// The saved runs of an earlier build of this program, with the same settings.
    Baseline,
}

/// A contender, and its speed in all positions.
#[derive(Clone, Debug, Serialize)]
pub struct ContenderResult {
    /// The contender.
    #[serde(flatten)]
    pub contender: Contender,
    /// The geometric mean of its speeds in leaf nodes per second; `None` if the speed of a position is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` without a reference, or if the contender has no ratio
    /// in a position of the reference.
    pub overall: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
    /// The peak memory of an engine in bytes. `None` if the system does not say, and for built-in generators, because
    /// all of them run in one process.
    pub peak_memory_bytes: Option<u64>,
}

impl Contender {
    fn description(&self) -> String {
        match &self.kind {
            ContenderKind::Generator { generator, cpu_path, sliders, threads } => {
                format!("generator {}", way_to_count(generator, cpu_path, *sliders, *threads))
            }
            ContenderKind::Build => format!("another build: {}", self.command),
            ContenderKind::Engine { dialect, own_name } => {
                let said = own_name.as_deref().unwrap_or("does not say its name");
                format!("{said}; asked as {dialect}: {}", self.command)
            }
            ContenderKind::Baseline => format!("saved runs of {}", self.command),
        }
    }

    /// Returns the command that makes a count once. For an engine, it is the command with the question.
    pub fn command_line(&self, task: &TaskInfo) -> String {
        let (command, fen, depth) = (&self.command, &task.position.fen, task.depth);
        match &self.kind {
            ContenderKind::Engine { dialect, .. } => format!("{command} ({dialect}: {fen}, depth {depth})"),
            _ => format!("{command} --fen {} --depth {depth} --single", command_line::quoted(fen)),
        }
    }
}

/// Returns how a built-in generator counts: `bitboard, CPU path bmi2, sliders by pext, 1 thread(s)`.
pub fn way_to_count(generator: &str, cpu_path: &str, sliders: Option<&str>, threads: usize) -> String {
    let sliders = sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
    format!("{generator}, CPU path {cpu_path}{sliders}, {threads} thread(s)")
}

impl ContenderResult {
    pub fn line(&self) -> String {
        let mebibytes = |bytes: u64| format!("; {:.1} MiB at most", bytes as f64 / f64::from(1 << 20));
        let memory = self.peak_memory_bytes.map_or_else(String::new, mebibytes);
        format!("{}: {}{memory}", self.contender.name, self.contender.description())
    }
}
