//! The contenders: engines, builds of this program, its generators, and a saved baseline.

use std::path::Path;
use std::time::Duration;

use perft_core::StopSignal;
use perft_core::suite::Case;
use perft_diagnosis::source::{CountSource, SourceError};

use super::args::{BenchArgs, split_dialect};
use super::baseline::{SavedContender, SavedReport};
use super::report::{Contender, ContenderKind, Runs};
use super::tasks::{run_bar, show_step, tasks};
use crate::engine::{DriverSource, Engine, InstructionCounter, PerftProgram, output};
use crate::input::{Counting, CountingArgs, Engines, HowToAsk, NamedEngine};
use crate::output::{CliError, CliErrorKind, Context, Settings, environment, join_names, number_of, warn};
use crate::system::NAME;
use crate::system::command_line::{self, file_name};
use crate::timing::{Measure, Measured, Schedule, Task, TimedSource};

/// The time limit for a build to report its settings. A program that reports none is an engine.
const SETTINGS_TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why the flags of this program are refused.
const ONLY_ENGINES: &str = "is for this program, and only engines are timed";

/// The name of this program if no other program is timed and it counts in one way only.
const THIS_PROGRAM: &str = "this program";

/// All contenders, in the order of the tables.
pub struct Contenders<'a> {
    args: &'a BenchArgs,
    context: &'a Context,
    /// The contenders and their runs. The baseline, which is not run, is the last one.
    pub runs: Runs,
    /// The sources of the counts of all contenders except the baseline.
    sources: Vec<TimedSource<'a>>,
    pub baseline: Option<SavedReport>,
    /// How instructions are counted, if they are.
    pub counter: Option<InstructionCounter>,
}

impl<'a> Contenders<'a> {
    /// Prepares all contenders.
    ///
    /// # Errors
    /// The flags do not fit together, the settings of a generator are not possible, an engine or a build does not
    /// start, the baseline has other settings, or no contender has the name of the reference.
    pub fn new(args: &'a BenchArgs, context: &'a Context) -> Result<Contenders<'a>, CliError> {
        let countings: Vec<Counting> =
            args.ways().iter().map(CountingArgs::build).collect::<Result<_, _>>()?;
        let is_timed = args.engines.is_empty() || !args.generators.is_empty();
        let own = if is_timed { countings.len() } else { 0 };
        args.check(own + args.engines.len())?;
        let mut all = Contenders {
            args,
            context,
            runs: Runs {
                measure: args.measure.unwrap_or_default(),
                max_regression: args.max_regression,
                ..Runs::default()
            },
            sources: Vec::new(),
            baseline: None,
            counter: None,
        };
        if all.runs.measure == Measure::Instructions {
            all.counter = Some(InstructionCounter::find().map_err(|reason| {
                CliError::usage(format!("cannot count instructions: {reason}"))
                    .help("apt install valgrind, or use --measure cpu")
            })?);
        }
        let is_only = own == 1 && args.engines.is_empty();
        countings.into_iter().take(own).for_each(|counting| all.add_built_in(counting, is_only));
        if !args.engines.is_empty() {
            // Without engines, perft.toml is not read, so that errors in it do not matter.
            let known = Engines::load(args.config.as_deref())?;
            let flags = context.given.flags_of::<CountingArgs>();
            args.engines.iter().try_for_each(|text| all.add_named(text, &known, &flags))?;
        }
        let is_engine = |contender: &Contender| matches!(contender.kind, ContenderKind::Engine { .. });
        if all.runs.contenders.iter().all(is_engine) {
            context.given.refuse::<CountingArgs>(&[], ONLY_ENGINES)?;
        }
        if let Some(path) = &args.baseline {
            all.add_baseline(path)?;
        }
        all.choose_measure()?;
        all.runs.reference = all.reference()?;
        Ok(all)
    }

    /// Chooses the measure: what was asked for, or otherwise the processor time of several programs, if all tell it and
    /// count on one thread.
    ///
    /// # Errors
    /// A contender does not tell what was asked for.
    fn choose_measure(&mut self) -> Result<(), CliError> {
        let dumb = |measure| {
            let mut contenders = self.runs.contenders.iter();
            contenders.find(|contender| !contender.tells(measure, self.baseline.as_ref()))
        };
        if let Some(Contender { name, .. }) = dumb(self.runs.measure) {
            let unknown = match self.runs.measure {
                Measure::Instructions => format!("how many instructions each run of {name} executes"),
                Measure::Cpu | Measure::Time => format!("how much processor time each run of {name} takes"),
            };
            return Err(CliError::usage(format!(
                "it is not known {unknown}, because it has no process of its own"
            ))
            .help("compare by --measure time, or name programs and builds that are run for each count"));
        }
        let is_cheap = self.runs.contenders.len() > 1 && self.threads() == 1 && cfg!(unix);
        if self.args.measure.is_none() && is_cheap && dumb(Measure::Cpu).is_none() {
            self.runs.measure = Measure::Cpu;
        }
        self.sources.iter_mut().for_each(|source| source.measure = self.runs.measure);
        Ok(())
    }

    fn add(&mut self, contender: Contender, source: impl CountSource + 'a) {
        self.sources.push(TimedSource::new(&contender.name, source, self.context.stop.clone()));
        self.runs.contenders.push(contender);
    }

    /// Adds this program with these settings. It counts within this process.
    fn add_built_in(&mut self, counting: Counting, is_only: bool) {
        let settings = counting.head.settings;
        let (generator, table_bytes) = (settings.generator.clone(), settings.table_bytes);
        let name = if is_only { THIS_PROGRAM } else { &generator };
        let kind = ContenderKind::Generator(settings);
        let words = [vec![NAME.to_owned()], self.context.given.flags_of::<CountingArgs>()].concat();
        let chosen = (!self.args.generators.is_empty()).then_some(["--generator", &generator]);
        let words = words.iter().map(String::as_str).chain(chosen.into_iter().flatten());
        let command = command_line::join(words);
        self.add(Contender::new(name, command, kind), DriverSource::new(counting.perft, table_bytes));
    }

    /// Prepares an engine or a build of this program, and adds it. A build is recognised by its answer. The contender
    /// is named after the file of its program, unless another one has the same file name. `flags` are passed to a build
    /// that has no flags of its own.
    ///
    /// # Errors
    /// A usage error if it is given twice or cannot be started. Later failures are shown in the report instead.
    fn add_named(&mut self, text: &str, known: &Engines, flags: &[String]) -> Result<(), CliError> {
        let (dialect, command) = if known.contains(text) { (None, text) } else { split_dialect(text) };
        let engine_timeout = self.args.engine_timeout;
        let how = HowToAsk { dialect, engine_timeout, ..HowToAsk::default() };
        let named = NamedEngine::new(command, &how, known.clone())?;
        // An engine of perft.toml keeps the name that it has there. With arguments, the program may be an interpreter.
        let is_plain = !known.contains(command) && named.spec.command.len() == 1;
        let short = is_plain.then(|| file_name(command));
        let files: Vec<&str> =
            self.args.engines.iter().map(|other| file_name(split_dialect(other).1)).collect();
        let is_own = |name: &&str| files.iter().filter(|other| *other == name).count() == 1;
        let is_new = |name: &&str| self.runs.contenders.iter().all(|other| other.name != *name);
        let names = short.filter(is_own).into_iter().chain([command, text]);
        let name = names.into_iter().find(is_new).ok_or_else(|| {
            CliError::usage(format!("'{text}' is given twice"))
                .help("give two builds of an engine by their paths: ./new/engine ./old/engine")
        })?;
        let mut words = named.spec.command.clone();
        let has_flags = words.get(1).is_some_and(|word| word.starts_with('-'));
        if dialect.is_none() && !known.contains(command) && (is_plain || has_flags) {
            words.extend(flags.iter().filter(|_| is_plain).cloned());
            if let Some(settings) = ask_settings(&words, &self.context.stop)? {
                let kind = ContenderKind::Build(settings);
                let contender = Contender::new(name, command_line::join(&words), kind);
                self.add(contender, PerftProgram::new(words, self.counter.clone()));
                return Ok(());
            }
        }
        let spec = match named.clone().probe(&[], &self.context.stop) {
            // The failure is shown in the report.
            Err(CliError::Failed { kind: CliErrorKind::Engine, .. }) => named.spec,
            probed => probed?.0,
        };
        let one_process = !spec.is_run_for_each_question();
        let kind = ContenderKind::Engine { dialect: spec.dialect, own_name: None, one_process };
        let contender = Contender::new(name, command_line::join(&spec.command), kind);
        self.add(contender, Engine::new(spec).measuring_usage(self.counter.clone()));
        Ok(())
    }

    /// Adds the earlier result of the only contender.
    ///
    /// # Errors
    /// It cannot be read, or has other settings and `--force` was not given.
    fn add_baseline(&mut self, path: &Path) -> Result<(), CliError> {
        let only = &self.runs.contenders[0];
        let baseline = SavedReport::open(path, &only.name)?;
        let name = format!("the baseline '{}'", path.display());
        let SavedContender { name: saved_name, command, .. } = baseline.contenders[0].clone();
        if saved_name != only.name {
            warn(format!("{name} has the runs of {saved_name}, not of {}", only.name));
        }
        let differences = baseline.differences(&environment::machine(), only.settings());
        if !differences.is_empty() {
            let message = format!("{name} was measured with other settings: {}", differences.join("; "));
            if !self.args.force {
                let help = "use the same settings, or compare nevertheless with --force";
                return Err(CliError::usage(message).help(help));
            }
            warn(message);
        }
        self.runs.contenders.push(Contender::new(&name, command, ContenderKind::Baseline { saved_name }));
        self.baseline = Some(baseline);
        Ok(())
    }

    /// Returns the index of the reference; `None` if there is only one contender. The reference is the one of
    /// `--reference`, or otherwise the baseline or the first contender.
    ///
    /// # Errors
    /// A usage error if there is no contender with the given name or program.
    fn reference(&self) -> Result<Option<usize>, CliError> {
        let Some(name) = &self.args.reference else {
            return Ok((self.runs.contenders.len() > 1).then_some(usize::from(self.baseline.is_some())));
        };
        let is_meant = |other: &Contender| {
            other.name == *name || command_line::split(&other.command).is_some_and(|words| words[0] == *name)
        };
        let found = self.runs.contenders.iter().position(is_meant).ok_or_else(|| {
            let names: Vec<&str> = self.runs.contenders.iter().map(|other| other.name.as_str()).collect();
            CliError::usage(format!("--reference {name}: there is no program with this name"))
                .help(format!("the programs are: {}", names.join(", ")))
        })?;
        Ok(Some(found))
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
        let names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        let positions = number_of(positions, "position");
        format!("timing {} in {positions}, {}", join_names(&names), self.args.plan(&self.schedule()))
    }

    fn schedule(&self) -> Schedule {
        let uses_valgrind = matches!(self.counter, Some(InstructionCounter::Valgrind { .. }));
        let saved = self.baseline.as_ref().map(SavedReport::runs);
        self.args.schedule(self.runs.reference.is_some(), saved, uses_valgrind)
    }

    /// Makes all runs, until the comparison is decided. The saved runs are added. The progress bar is drawn between runs
    /// only.
    pub fn run(&mut self, tasks: &[Task]) {
        let measured = |task: &Task| {
            let measured = Measured::new(task, self.sources.len());
            let saved = self.baseline.iter().map(|saved| saved.samples(task));
            saved.fold(measured, Measured::with_saved)
        };
        let mut measured: Vec<Measured> = tasks.iter().map(measured).collect();
        let (bar, schedule) = (run_bar(self.context), self.schedule());
        let (args, runs, sources) = (self.args, &mut self.runs, &mut self.sources);
        let is_enough = |all: &[Measured]| {
            let is_decided = |ratios| args.is_decided(&ratios);
            args.runs.is_none() && runs.reference.is_some() && runs.ratios(all).flatten().all(is_decided)
        };
        runs.seconds = schedule.run(&mut measured, sources, is_enough, |step| show_step(&bar, step));
        runs.measured = measured;
        for (contender, source) in runs.contenders.iter_mut().zip(sources) {
            if let ContenderKind::Engine { own_name, .. } = &mut contender.kind {
                *own_name = source.own_name().map(str::to_owned);
            }
        }
    }

    /// Returns the largest number of threads on which a contender counts, as far as it is known.
    pub fn threads(&self) -> usize {
        let settings = self.runs.contenders.iter().filter_map(Contender::settings);
        settings.map(|settings| settings.threads).max().unwrap_or(1)
    }
}

/// Asks a build of this program how it counts. Returns `None` if the program reports no settings, because it is not a
/// build.
///
/// # Errors
/// The stop signal was raised.
fn ask_settings(words: &[String], stop: &StopSignal) -> Result<Option<Settings>, CliError> {
    let question = ["--depth", "1", "--single", "--format", "json", "--quiet"].map(str::to_owned);
    let command: Vec<String> = words.iter().cloned().chain(question).collect();
    match output(&command, SETTINGS_TIMEOUT, stop) {
        Err(SourceError::Interrupted) => Err(SourceError::Interrupted.into()),
        Err(_) => Ok(None),
        Ok((text, _)) => Ok(Settings::read(&text)),
    }
}
