//! The contenders: engines, builds of this program, its generators, and a saved baseline.

use std::path::Path;
use std::time::Duration;

use perft_core::suite::Case;
use perft_diagnosis::source::{CountSource, SourceError};
use serde::Serialize;

use super::args::{BenchArgs, BuiltInArgs, ContenderArgs, Named, split_dialect};
use super::baseline::SavedReport;
use super::tasks::{RunBar, tasks};
use crate::engine::{DriverSource, Engine, Output, PerftProgram, output};
use crate::input::config::Engines;
use crate::input::engine::NamedEngine;
use crate::input::how_to_ask::HowToAsk;
use crate::input::{Counting, CountingArgs, CpuChoice};
use crate::output::Provenance;
use crate::output::context::Context;
use crate::output::error::{CliError, ENGINE_FAILED};
use crate::output::numbers::join_names;
use crate::system::command_line;
use crate::timing::{GateResult, Measure, Measured, Ratio, SystemClock, Task, TimedSource};

/// The time limits for another build to report its settings, and for a program that may be an engine instead.
const SETTINGS_TIMEOUT: Duration = Duration::from_secs(10);
const GUESS_TIMEOUT: Duration = Duration::from_secs(2);

/// The reason why a flag of this program has no effect.
const ONLY_ENGINES: &str = "is for this program, and only engines are timed";

/// The name of this program if it counts in one way only.
const THIS_PROGRAM: &str = "this program";

/// A program, or a way in which this program counts, whose speed is measured. After the runs, it has its speed in all
/// positions.
#[derive(Clone, Debug, Serialize)]
pub struct Contender {
    /// The name in the tables.
    pub name: String,
    /// The command that counts in the same way, or that starts the engine.
    pub command: String,
    /// The properties of the kind of contender.
    #[serde(flatten)]
    pub kind: ContenderKind,
    /// The geometric mean of its speeds in leaf nodes per second; `None` if the speed of a position is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` without a reference, if the contender has no ratio
    /// in a position of the reference, or if the machine was too busy.
    pub overall: Option<Ratio>,
    /// Whether the overall ratio is missing because the machine was too busy.
    pub too_busy: bool,
    /// Whether it is slower than allowed; `None` if no bound was given, and for the reference itself.
    pub gate: Option<GateResult>,
    /// The peak memory of an engine in bytes. `None` if the system does not say, and for built-in generators, because
    /// all of them run in one process.
    pub peak_memory_bytes: Option<u64>,
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

/// All contenders, in the order of the tables.
pub struct Contenders<'a> {
    args: &'a BenchArgs,
    clock: &'a SystemClock,
    context: &'a Context,
    /// The baseline, which is not run, is the last one.
    contenders: Vec<Contender>,
    /// The sources of the counts of all contenders except the baseline.
    sources: Vec<TimedSource<'a>>,
    /// The fields that the report begins with.
    pub head: Provenance,
    /// The saved runs.
    pub baseline: Option<SavedReport>,
    /// The index of the reference; `None` if there is only one contender.
    reference: Option<usize>,
}

impl Contender {
    pub fn new(name: &str, command: String, kind: ContenderKind) -> Contender {
        Contender {
            name: name.to_owned(),
            command,
            kind,
            nodes_per_second: None,
            overall: None,
            too_busy: false,
            gate: None,
            peak_memory_bytes: None,
        }
    }

    /// Whether the report already says how the contender counts, because it is the only way.
    pub fn is_like_the_report(&self, generator: &str) -> bool {
        matches!(self.kind, ContenderKind::Generator { .. }) && generator != "several"
    }

    pub fn description(&self) -> String {
        match &self.kind {
            ContenderKind::Generator { generator, cpu_path, sliders, threads } => {
                format!("generator {}", way_to_count(generator, cpu_path, *sliders, *threads))
            }
            ContenderKind::Build => format!("a build of perft: {}", self.command),
            ContenderKind::Engine { dialect, own_name } => {
                let said = own_name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
                format!("{}{said}, asked as {dialect}", self.command)
            }
            ContenderKind::Baseline => format!("saved runs of {}", self.command),
        }
    }

    /// Returns the command that makes a count once. For an engine, it is the command with the question.
    pub fn command_line(&self, task: &Task) -> String {
        let (command, fen, depth) = (&self.command, &task.position.fen, task.depth);
        match &self.kind {
            ContenderKind::Engine { dialect, .. } => format!("{command} ({dialect}: {fen}, depth {depth})"),
            _ => format!("{command} --fen {} --depth {depth} --single", command_line::quoted(fen)),
        }
    }
}

impl<'a> Contenders<'a> {
    /// Prepares all contenders.
    ///
    /// # Errors
    /// The settings of a generator are not possible, an engine or a build does not start, or a build or a baseline has
    /// other settings. There is no contender with the name of the reference.
    pub fn new(
        args: &'a BenchArgs,
        named: &Named,
        clock: &'a SystemClock,
        context: &'a Context,
    ) -> Result<Contenders<'a>, CliError> {
        let ContenderArgs { against, baseline, config, .. } = &args.contenders;
        let built_in = args.built_in.combined();
        let is_timed = named.engines.is_empty() || args.built_in.names_generators() || against.is_some();
        let own = if is_timed { built_in.as_slice() } else { &[] };
        args.contenders.check(own.len() + named.engines.len())?;
        let countings = built_in.iter().map(|counting| counting.build(context));
        let countings: Vec<Counting> = countings.collect::<Result<_, _>>()?;
        let mut all = Contenders {
            args,
            clock,
            context,
            contenders: Vec::new(),
            sources: Vec::new(),
            head: common_head(&countings),
            baseline: None,
            reference: None,
        };
        let flags = built_in[0].flags();
        for (counting_args, counting) in own.iter().zip(countings) {
            let is_only = own.len() == 1 && named.engines.is_empty();
            all.add_built_in(counting_args, counting, is_only)?;
        }
        if let Some(path) = against {
            let settings = settings(path, &flags, SETTINGS_TIMEOUT, context)?;
            all.add_build(path, path, &settings, &flags)?;
        }
        if !named.engines.is_empty() {
            // Without engines, perft.toml is not read, so that errors in it do not matter.
            let known = Engines::load(config.as_deref())?;
            named.engines.iter().try_for_each(|text| all.add_named(text, &named.engines, &known, &flags))?;
        }
        let is_engine = |contender: &Contender| matches!(contender.kind, ContenderKind::Engine { .. });
        if all.contenders.iter().all(is_engine) {
            context.given.refuse::<BuiltInArgs>(&["generators"], ONLY_ENGINES)?;
            all.head.generator = "engine";
        }
        if let Some(path) = baseline {
            all.add_baseline(path)?;
        }
        Ok(Contenders { reference: all.reference()?, ..all })
    }

    fn add(&mut self, contender: Contender, source: impl CountSource + 'a) {
        self.sources.push(TimedSource::new(&contender.name, source, self.clock, self.context.stop.clone()));
        self.contenders.push(contender);
    }

    /// Adds this program with these settings.
    ///
    /// It counts within this process. Next to another build, each run of both is a process of its own.
    fn add_built_in(
        &mut self,
        args: &CountingArgs,
        counting: Counting,
        is_only: bool,
    ) -> Result<(), CliError> {
        let name = match is_only {
            true => THIS_PROGRAM.to_owned(),
            false => name(args, self.args.built_in.has_several_threads()),
        };
        let Provenance { generator, cpu_path, sliders, threads, table_bytes, .. } = counting.head;
        let kind = ContenderKind::Generator { generator, cpu_path, sliders, threads };
        let contender = Contender::new(&name, command("perft", &args.flags()), kind);
        if self.args.contenders.against.is_some() {
            let this = std::env::current_exe().map_err(|error| {
                CliError::usage(format!("cannot find the executable file of this program: {error}"))
            })?;
            self.add(contender, PerftProgram::new(&this.to_string_lossy(), &args.flags()));
        } else if table_bytes > 0 {
            self.add(contender, DriverSource::new(counting.perft).with_fresh_table(table_bytes));
        } else {
            self.add(contender, DriverSource::new(counting.perft));
        }
        Ok(())
    }

    fn add_build(
        &mut self,
        name: &str,
        path: &str,
        settings: &SavedReport,
        flags: &[String],
    ) -> Result<(), CliError> {
        self.refuse_differences(&format!("'{path}'"), settings)?;
        let contender = Contender::new(name, command(path, flags), ContenderKind::Build);
        self.add(contender, PerftProgram::new(path, flags));
        Ok(())
    }

    /// Refuses to compare speeds that were measured with different settings; with `--force`, prints a warning instead.
    fn refuse_differences(&self, reference: &str, saved: &SavedReport) -> Result<(), CliError> {
        let differences = saved.differences(&self.head);
        let message = format!("{reference} was measured with other settings: {}", differences.join("; "));
        match (differences.is_empty(), self.args.contenders.force) {
            (true, _) => {}
            (false, true) => self.context.warn(message),
            (false, false) => {
                let help = "use the same settings, or compare nevertheless with --force";
                return Err(CliError::usage(message).help(help));
            }
        }
        Ok(())
    }

    /// Prepares an engine or a build of this program, and adds it. A build is told by its answer. It is called by the
    /// name of its file, unless another one of `all` has the same.
    ///
    /// # Errors
    /// A usage error if it cannot be started. Failures of an engine after its start are shown in the report instead.
    fn add_named(
        &mut self,
        text: &str,
        all: &[String],
        known: &Engines,
        flags: &[String],
    ) -> Result<(), CliError> {
        let (dialect, command) = if known.contains(text) { (None, text) } else { split_dialect(text) };
        let engine_timeout = self.args.contenders.engine_timeout;
        let how = HowToAsk::of(dialect, Vec::new(), engine_timeout);
        let named = NamedEngine::new(command, &how, known.clone())?;
        // An engine of perft.toml keeps its name there. With arguments, the program may be an interpreter.
        let is_plain = !known.contains(command) && named.spec.command.len() == 1;
        let short = Some(command).filter(|_| is_plain).and_then(file_name);
        let is_own = |name: &&str| all.iter().filter(|other| file_name(other) == Some(*name)).count() == 1;
        let is_new = |name: &&str| self.contenders.iter().all(|other| other.name != *name);
        let names = short.filter(is_own).into_iter().chain([command, text]);
        let name = names.into_iter().find(is_new).ok_or_else(|| {
            CliError::usage(format!("'{text}' is given twice"))
                .help("give two builds of an engine by their paths: ./new/engine ./old/engine")
        })?;
        if is_plain
            && dialect.is_none()
            && let Ok(settings) = settings(command, flags, GUESS_TIMEOUT, self.context)
        {
            return self.add_build(name, command, &settings, flags);
        }
        let spec = match named.understood(&self.context.stop) {
            // The failure is shown in the report.
            Err(CliError::Ended { .. }) => named.spec.clone(),
            spec => spec?,
        };
        let kind = ContenderKind::Engine { dialect: spec.dialect, own_name: None };
        let contender = Contender::new(name, command_line::join(&spec.command), kind);
        self.add(contender, Engine::new(spec));
        Ok(())
    }

    /// Adds the earlier result of the only contender.
    fn add_baseline(&mut self, path: &Path) -> Result<(), CliError> {
        let Contender { name, command, .. } = self.contenders[0].clone();
        let baseline = SavedReport::open(path, &name)?;
        let name = format!("the baseline '{}'", path.display());
        self.refuse_differences(&name, &baseline)?;
        self.contenders.push(Contender::new(&name, command, ContenderKind::Baseline));
        self.baseline = Some(baseline);
        Ok(())
    }

    /// Returns the index of the reference; `None` if there is only one contender. The reference is the one of
    /// `--reference`, or otherwise the baseline, the other build, or the first contender.
    ///
    /// # Errors
    /// A usage error if there is no contender with the given name or program.
    fn reference(&self) -> Result<Option<usize>, CliError> {
        let is_earlier =
            |contender: &Contender| matches!(contender.kind, ContenderKind::Build | ContenderKind::Baseline);
        let Some(name) = &self.args.contenders.reference else {
            let earlier = self.contenders.iter().position(is_earlier);
            return Ok((self.contenders.len() > 1).then(|| earlier.unwrap_or(0)));
        };
        let is_meant = |other: &Contender| {
            other.name == *name || command_line::split(&other.command).is_some_and(|words| words[0] == *name)
        };
        let found = self.contenders.iter().position(is_meant).ok_or_else(|| {
            let names: Vec<&str> = self.contenders.iter().map(|other| other.name.as_str()).collect();
            CliError::usage(format!("--reference {name}: there is no program with this name"))
                .help(format!("the programs are: {}", names.join(", ")))
        })?;
        Ok(Some(found))
    }

    /// Returns the kind of time to measure.
    ///
    /// With one thread, it is processor time, because that hardly depends on other programs of the machine. The number
    /// of threads of an engine is not known, and a baseline must contain processor times too.
    fn measure(&self) -> Measure {
        let has_one_thread = |contender: &Contender| match contender.kind {
            ContenderKind::Generator { threads, .. } => threads == 1,
            ContenderKind::Build => self.head.threads == 1,
            ContenderKind::Baseline => true,
            ContenderKind::Engine { .. } => false,
        };
        let is_known = self.baseline.as_ref().is_none_or(SavedReport::has_processor_times);
        match is_known && self.contenders.iter().all(has_one_thread) {
            true => Measure::Processor,
            false => Measure::Wall,
        }
    }

    /// Returns the positions to time at their depths: the given depth, that of the baseline, or one that suits the
    /// slowest contender.
    ///
    /// # Errors
    /// The count at a depth is not known, the user interrupted, or the baseline has none of the positions.
    pub fn tasks(&mut self, cases: &[Case], depth: Option<u32>) -> Result<Vec<Task>, CliError> {
        let baseline = self.baseline.as_ref();
        let depth = |case: &Case| depth.or_else(|| baseline?.depth(&case.position.to_string()));
        let tasks = tasks(cases, depth, &mut self.sources, self.context)?;
        if baseline.is_some_and(|saved| tasks.iter().all(|task| saved.samples(task).is_empty())) {
            return Err(CliError::usage("the baseline has none of these positions at these depths")
                .help("time the positions of the baseline, and leave out --depth"));
        }
        Ok(tasks)
    }

    /// Returns in words what is about to be timed, and for how long: for users who see no progress bar.
    pub fn plan(&self, positions: usize) -> String {
        let names: Vec<&str> = self.sources.iter().map(TimedSource::name).collect();
        let positions = match positions {
            1 => "1 position".to_owned(),
            several => format!("{several} positions"),
        };
        format!("timing {} in {positions}, {}", join_names(&names), self.args.runs.plan())
    }

    /// Makes all runs. The progress bar is drawn between runs only.
    pub fn run(&mut self, tasks: &[Task]) -> Vec<Measured> {
        let schedule = self.args.runs.schedule(self.measure());
        let bar = RunBar::new(self.context);
        schedule.run(tasks, &mut self.sources, self.clock, |step| bar.show_step(step))
    }

    /// Returns the runs of all contenders, including the saved ones, and the fields that the report begins with.
    /// Incomplete runs are not judged.
    pub fn into_runs(self, mut measured: Vec<Measured>, complete: bool) -> (Runs, Provenance) {
        let Contenders { args, mut contenders, sources, head, baseline, reference, .. } = self;
        for (contender, source) in contenders.iter_mut().zip(&sources) {
            if let ContenderKind::Engine { own_name, .. } = &mut contender.kind {
                *own_name = source.own_name().map(str::to_owned);
            }
        }
        if let Some(baseline) = baseline {
            measured
                .iter_mut()
                .for_each(|position| position.add_source(baseline.samples(&position.task).to_vec()));
        }
        let max_regression = args.contenders.max_regression.filter(|_| complete);
        (Runs { contenders, measured, complete, reference, max_regression }, head)
    }
}

/// Returns how a built-in generator counts: `bitboard, CPU path bmi2, sliders by pext, 1 thread`.
pub fn way_to_count(generator: &str, cpu_path: &str, sliders: Option<&str>, threads: usize) -> String {
    let sliders = sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
    let threads = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    format!("{generator}, CPU path {cpu_path}{sliders}, {threads}")
}

/// Returns the name of the file of a program, which a dialect may precede.
fn file_name(program: &str) -> Option<&str> {
    Path::new(split_dialect(program).1).file_name()?.to_str()
}

/// Returns the fields that the report begins with: those of the only way to count, or those that all share. Of the
/// numbers of threads, it has the largest.
fn common_head(countings: &[Counting]) -> Provenance {
    let most = countings.iter().map(|counting| &counting.head).max_by_key(|head| head.threads);
    let head = most.expect("this program counts in at least one way").clone();
    match countings {
        [_] => head,
        _ => Provenance { generator: "several", cpu_path: "several", sliders: None, ..head },
    }
}

/// Returns the name in the table, such as `magic` or `bitboard:avx2`. It includes the threads if several numbers are
/// compared.
fn name(args: &CountingArgs, has_several_threads: bool) -> String {
    let path = Some(args.machine.cpu_path).filter(|&path| path != CpuChoice::Auto);
    let parts = [
        Some(args.generator.to_string()),
        args.sliders.map(|method| method.name().to_owned()),
        path.map(|path| path.to_string()),
        has_several_threads.then(|| format!("{}t", args.machine.threads)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(":")
}

fn command(program: &str, flags: &[String]) -> String {
    command_line::join([program].into_iter().chain(flags.iter().map(String::as_str)))
}

/// Asks another build for the settings that it would count with.
fn settings(
    program: &str,
    flags: &[String],
    limit: Duration,
    context: &Context,
) -> Result<SavedReport, CliError> {
    let failed = |message: String| CliError::Ended {
        message,
        help: "--against works with any build of perft that knows --single and --format".to_owned(),
        code: ENGINE_FAILED,
    };
    let command = [program, "--depth", "1", "--single", "--format", "json", "--quiet"].map(str::to_owned);
    let command: Vec<String> = command.into_iter().chain(flags.iter().cloned()).collect();
    let Output { text, .. } = output(&command, limit, &context.stop).map_err(|error| match error {
        SourceError::Interrupted => error.into(),
        SourceError::NotStarted(..) => CliError::usage(error)
            .help("give a program on the PATH, or a path such as --against ../old/perft"),
        _ => failed(format!("'{program}' does not count: {error}")),
    })?;
    SavedReport::read(&text)
        .map_err(|error| failed(format!("'{program}' does not report its settings: {error}")))
}

/// The runs of all contenders, from which the report is made.
pub struct Runs {
    pub contenders: Vec<Contender>,
    /// The runs of the contenders in each position.
    pub measured: Vec<Measured>,
    /// Whether all runs were made in all positions, including those that are left out.
    pub complete: bool,
    /// The index of the reference; `None` if there is only one contender.
    pub reference: Option<usize>,
    /// The allowed slowdown, if the contenders are judged.
    pub max_regression: Option<f64>,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: BenchArgs,
    }

    #[test]
    fn settings_are_combined() {
        let names = |words: &str| {
            let cli = Cli::parse_from(["perft"].into_iter().chain(words.split_whitespace()));
            let built_in = &cli.args.built_in;
            let names = built_in.combined();
            let names = names.iter().map(|args| name(args, built_in.has_several_threads()));
            names.collect::<Vec<String>>().join(" ")
        };
        assert_eq!(names(""), "bitboard");
        assert_eq!(names("--generators magic,bitboard,magic"), "magic bitboard");
        assert!(names("--generators all").starts_with("bitboard magic "));
        let words = "--generator magic --sliders magic,fill --cpu-path portable";
        assert_eq!(names(words), "magic:magic:portable magic:fill:portable");
        let four = "bitboard:avx2:1t bitboard:bmi2:1t bitboard:avx2:2t bitboard:bmi2:2t";
        assert_eq!(names("--cpu-paths avx2,bmi2 --threads 1,2"), four);
    }
}
