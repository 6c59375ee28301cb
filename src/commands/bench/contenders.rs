//! Prepares the contenders: this program with different settings, another build, engines, and a saved baseline.

use std::path::Path;
use std::time::Duration;

use perft_core::suite::Case;
use perft_diagnosis::source::{CountSource, SourceError};

use super::args::{BenchArgs, ContenderArgs};
use super::baseline::{Baseline, RecordedSettings};
use super::contender::{Contender, ContenderKind, THIS_PROGRAM};
use super::report::Runs;
use super::runs::RunBar;
use super::tasks::tasks;
use crate::engine::{Dialect, DriverSource, Engine, Output, PerftProgram, output};
use crate::input::config::Engines;
use crate::input::engine::WordArgs;
use crate::input::{Counting, CountingArgs, CpuChoice};
use crate::output::Provenance;
use crate::output::context::Context;
use crate::output::error::{CliError, ENGINE_FAILED};
use crate::system::command_line;
use crate::timing::{Measure, Measured, SystemClock, Task, TimedSource};

/// The time limit for another build to report its settings.
const SETTINGS_TIMEOUT: Duration = Duration::from_secs(10);

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
    pub baseline: Option<Baseline>,
    /// The index of the reference; `None` if there is only one contender.
    reference: Option<usize>,
}

impl<'a> Contenders<'a> {
    /// Prepares all contenders.
    ///
    /// # Errors
    /// The settings of a generator are not possible, an engine or a build does not start, or a build or a baseline has
    /// other settings. There is no contender with the name of the reference.
    pub fn new(
        args: &'a BenchArgs,
        clock: &'a SystemClock,
        context: &'a Context,
    ) -> Result<Contenders<'a>, CliError> {
        let built_in = args.built_in.combined();
        args.contenders.check(built_in.len())?;
        let mut countings = Vec::new();
        for counting in &built_in {
            countings.push(counting.build(context)?);
        }
        let head = common_head(&countings);
        let (contenders, sources) = (Vec::new(), Vec::new());
        let (baseline, reference) = (None, None);
        let mut all = Contenders { args, clock, context, contenders, sources, head, baseline, reference };
        for (counting_args, counting) in built_in.iter().zip(countings) {
            all.add_built_in(counting_args, counting, built_in.len() == 1)?;
        }
        let ContenderArgs { against, engines, baseline, config, .. } = &args.contenders;
        let flags = built_in[0].flags();
        if let Some(path) = against {
            all.add_build(path, &flags)?;
        }
        if !engines.is_empty() {
            // Without engines, perft.toml is not read, so that errors in it do not matter.
            let known = Engines::load(config.as_deref())?;
            engines.iter().try_for_each(|text| all.add_engine(text, &known))?;
        }
        if let Some(path) = baseline {
            all.add_baseline(path, &flags)?;
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
        let others = &self.args.contenders;
        let is_this_program = is_only && (others.engines.is_empty() || others.needs_one_way_to_count());
        let name = match is_this_program {
            true => THIS_PROGRAM.to_owned(),
            false => name(args, self.args.built_in.has_several_threads()),
        };
        let Provenance { generator, cpu_path, sliders, threads, table_bytes, .. } = counting.head;
        let kind = ContenderKind::Generator { generator, cpu_path, sliders, threads };
        let contender = Contender { name, command: command("perft", &args.flags()), kind };
        if others.against.is_some() {
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

    fn add_build(&mut self, path: &str, flags: &[String]) -> Result<(), CliError> {
        let differences = settings(path, flags, self.context)?.differences(&self.head);
        self.args.contenders.check_differences(&format!("'{path}'"), &differences, self.context)?;
        let kind = ContenderKind::Build;
        let contender = Contender { name: path.to_owned(), command: command(path, flags), kind };
        self.add(contender, PerftProgram::new(path, flags));
        Ok(())
    }

    /// Prepares an engine and adds it.
    ///
    /// # Errors
    /// A usage error if the engine cannot be started. Failures after the start are shown in the report instead.
    fn add_engine(&mut self, text: &str, known: &Engines) -> Result<(), CliError> {
        let (dialect, command) = if known.contains(text) { (None, text) } else { split_dialect(text) };
        let timeout = self.args.contenders.engine_timeout;
        let named = WordArgs::of_dialect(dialect).named(command, known.clone(), timeout)?;
        let spec = match named.understood(&self.context.stop) {
            // The failure is shown in the report.
            Err(CliError::Ended { .. }) => named.spec.clone(),
            spec => spec?,
        };
        let file_name = match spec.command.as_slice() {
            // An engine of perft.toml keeps its name there.
            _ if known.contains(command) => None,
            [program] => Path::new(program).file_name().and_then(|name| name.to_str()),
            // With arguments, the program may be an interpreter, so its name does not identify the engine.
            _ => None,
        };
        let is_new = |name: &&str| self.contenders.iter().all(|other| other.name != *name);
        let name = file_name.into_iter().chain([command, text]).find(is_new).ok_or_else(|| {
            CliError::usage(format!("--engine '{text}' is given twice"))
                .help("give two builds of an engine by their paths: --engine ./old --engine ./new")
        })?;
        let contender = Contender {
            name: name.to_owned(),
            command: command_line::join(&spec.command),
            kind: ContenderKind::Engine { dialect: spec.dialect, own_name: None },
        };
        self.add(contender, Engine::new(spec));
        Ok(())
    }

    fn add_baseline(&mut self, path: &Path, flags: &[String]) -> Result<(), CliError> {
        let baseline = Baseline::open(path)?;
        let name = format!("the baseline '{}'", path.display());
        let differences = baseline.settings.differences(&self.head);
        self.args.contenders.check_differences(&name, &differences, self.context)?;
        let kind = ContenderKind::Baseline;
        self.contenders.push(Contender { name, command: command("perft", flags), kind });
        self.baseline = Some(baseline);
        Ok(())
    }

    /// Returns the index of the reference; `None` if there is only one contender. The reference is the one of
    /// `--reference`, or otherwise the baseline, the other build, or the first contender.
    ///
    /// # Errors
    /// A usage error if there is no contender with the given name.
    fn reference(&self) -> Result<Option<usize>, CliError> {
        let is_earlier =
            |contender: &Contender| matches!(contender.kind, ContenderKind::Build | ContenderKind::Baseline);
        let Some(name) = &self.args.contenders.reference else {
            let earlier = self.contenders.iter().position(is_earlier);
            return Ok((self.contenders.len() > 1).then(|| earlier.unwrap_or(0)));
        };
        let names = || self.contenders.iter().map(|contender| contender.name.as_str());
        let found = names().position(|other| other == name).ok_or_else(|| {
            CliError::usage(format!("--reference {name}: there is no contender with this name"))
                .help(format!("the contenders are: {}", names().collect::<Vec<_>>().join(", ")))
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
            ContenderKind::Build | ContenderKind::Baseline => true,
            ContenderKind::Engine { .. } => false,
        };
        let is_known = self.baseline.as_ref().is_none_or(Baseline::has_processor_times);
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
            measured.iter_mut().for_each(|position| position.add_source(baseline.samples(&position.task)));
        }
        let max_regression = args.contenders.max_regression.filter(|_| complete);
        (Runs { contenders, measured, complete, reference, max_regression }, head)
    }
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
fn settings(program: &str, flags: &[String], context: &Context) -> Result<RecordedSettings, CliError> {
    let failed = |message: String| CliError::Ended {
        message,
        help: "--against works with any build of perft that knows --single and --format".to_owned(),
        code: ENGINE_FAILED,
    };
    let command = [program, "--depth", "1", "--single", "--format", "json", "--quiet"].map(str::to_owned);
    let command: Vec<String> = command.into_iter().chain(flags.iter().cloned()).collect();
    let Output { text, .. } =
        output(&command, SETTINGS_TIMEOUT, &context.stop).map_err(|error| match error {
            SourceError::Interrupted => error.into(),
            SourceError::NotStarted(..) => CliError::usage(error)
                .help("give a program on the PATH, or a path such as --against ../old/perft"),
            _ => failed(format!("'{program}' does not count: {error}")),
        })?;
    RecordedSettings::read(&text)
        .map_err(|error| failed(format!("'{program}' does not report its settings: {error}")))
}

/// Splits `DIALECT:CMD`. Text before a colon that is not the name of a dialect belongs to the command.
fn split_dialect(text: &str) -> (Option<Dialect>, &str) {
    let prefixed = text.split_once(':').and_then(|(name, command)| Some((Some(name.parse().ok()?), command)));
    prefixed.unwrap_or((None, text))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn only_the_name_of_a_dialect_is_split_off() {
        assert_eq!(split_dialect("qperft:./qperft -x"), ("qperft".parse().ok(), "./qperft -x"));
        assert_eq!(split_dialect("uci:stockfish"), (Some(Dialect::UCI), "stockfish"));
        for command in ["stockfish", "C:/engine.exe", "./my engine:2"] {
            assert_eq!(split_dialect(command), (None, command));
        }
    }

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
