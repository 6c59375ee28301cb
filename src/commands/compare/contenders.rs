//! The contenders: built-in generators with different settings, and engines.

use std::path::Path;

use perft_lab::generators::Generator;
use perft_lab::sliders::SliderMethod;

use super::ContenderArgs;
use super::contender::{Contender, ContenderKind};
use crate::engine::{Dialect, DriverSource, Engine};
use crate::input::config::Engines;
use crate::input::engine::WordArgs;
use crate::input::{CountingArgs, CpuChoice, MachineArgs, Threads};
use crate::output;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::system::command_line;
use crate::timing::{Measure, SystemClock, TimedSource};

/// All contenders, in the order of the table.
pub struct Contenders<'a> {
    contenders: Vec<Contender>,
    /// The source of the counts of each contender.
    sources: Vec<TimedSource<'a>>,
    /// The fields that the report begins with. They describe the machine and the settings that all contenders share.
    pub head: output::Provenance,
}

impl<'a> Contenders<'a> {
    /// Prepares all contenders that the arguments name.
    ///
    /// # Errors
    /// The settings of a generator are not possible, or an engine does not start.
    pub fn new(
        args: &ContenderArgs,
        clock: &'a SystemClock,
        context: &Context,
    ) -> Result<Contenders<'a>, CliError> {
        let mut all = Contenders::built_in(args, clock, context)?;
        // Without engines, perft.toml is not read, so that errors in it do not matter.
        let engines =
            if args.engines.is_empty() { Engines::default() } else { Engines::load(args.config.as_deref())? };
        for text in &args.engines {
            all.add_engine(text, args, &engines, clock, context)?;
        }
        // The report describes each contender separately.
        let head =
            output::Provenance { generator: "several", cpu_path: "several", sliders: None, ..all.head };
        Ok(Contenders { head, ..all })
    }

    /// Prepares the built-in contenders. The head of the report is that of the contender with the most threads.
    fn built_in(
        args: &ContenderArgs,
        clock: &'a SystemClock,
        context: &Context,
    ) -> Result<Contenders<'a>, CliError> {
        let mut contenders: Vec<Contender> = Vec::new();
        let mut sources = Vec::new();
        let mut head: Option<output::Provenance> = None;
        for &threads in &args.threads {
            for variant in args.variants() {
                let name = variant.name(threads, args.threads.len() > 1);
                if contenders.iter().any(|contender| contender.name == name) {
                    continue;
                }
                let counting_args = variant.counting_args(threads, args.no_bulk);
                let counting = counting_args.build(context)?;
                let kind = ContenderKind::Generator {
                    generator: counting.head.generator,
                    cpu_path: counting.head.cpu_path,
                    sliders: counting.head.sliders,
                    threads: counting.head.threads,
                };
                let source = DriverSource::new(counting.perft);
                sources.push(TimedSource::new(&name, source, clock, context.stop.clone()));
                let command = format!("perft {}", counting_args.flags().join(" "));
                contenders.push(Contender { name, command, kind });
                if head.as_ref().is_none_or(|head| head.threads < counting.head.threads) {
                    head = Some(counting.head);
                }
            }
        }
        Ok(Contenders { contenders, sources, head: head.expect("there is always a built-in contender") })
    }

    /// Prepares an engine and adds it.
    ///
    /// # Errors
    /// A usage error if the engine cannot be started. Failures after the start are shown in the report instead.
    fn add_engine(
        &mut self,
        text: &str,
        args: &ContenderArgs,
        engines: &Engines,
        clock: &'a SystemClock,
        context: &Context,
    ) -> Result<(), CliError> {
        let (dialect, command) = if engines.contains(text) { (None, text) } else { split_dialect(text) };
        let named = WordArgs::of_dialect(dialect).named(command, engines.clone(), args.engine_timeout)?;
        let spec = match named.understood(&context.stop) {
            // The failure is shown in the report.
            Err(CliError::Ended { .. }) => named.spec.clone(),
            spec => spec?,
        };
        let file_name = match spec.command.as_slice() {
            // An engine of perft.toml keeps its name there.
            _ if engines.contains(command) => None,
            [program] => Path::new(program).file_name().and_then(|name| name.to_str()),
            // With arguments, the program may be an interpreter, so its name does not identify the engine.
            _ => None,
        };
        let is_new = |name: &&str| self.contenders.iter().all(|other| other.name != *name);
        let name = file_name.into_iter().chain([command, text]).find(is_new).ok_or_else(|| {
            CliError::usage(format!("--engine '{text}' is given twice"))
                .help("give two builds of an engine by their paths: --engine ./old --engine ./new")
        })?;
        self.contenders.push(Contender {
            name: name.to_owned(),
            command: command_line::join(&spec.command),
            kind: ContenderKind::Engine { dialect: spec.dialect, own_name: None },
        });
        let source = Engine::new(spec.clone());
        self.sources.push(TimedSource::new(name, source, clock, context.stop.clone()));
        Ok(())
    }

    /// Returns the index of the contender with this name, or of the first contender without a name.
    ///
    /// # Errors
    /// A usage error if there is no such contender.
    pub fn reference(&self, name: Option<&str>) -> Result<usize, CliError> {
        let Some(name) = name else { return Ok(0) };
        let names = || self.contenders.iter().map(|contender| contender.name.as_str());
        names().position(|other| other == name).ok_or_else(|| {
            CliError::usage(format!("--reference {name}: there is no contender with this name"))
                .help(format!("the contenders are: {}", names().collect::<Vec<_>>().join(", ")))
        })
    }

    /// Returns the kind of time to measure: processor time if all contenders are built in and use one thread. The
    /// number of threads of an engine is not known.
    pub fn measure(&self) -> Measure {
        let is_single_threaded =
            |contender: &Contender| matches!(contender.kind, ContenderKind::Generator { threads: 1, .. });
        if self.contenders.iter().all(is_single_threaded) { Measure::Processor } else { Measure::Wall }
    }

    /// Returns the sources to run.
    pub fn sources(&mut self) -> &mut [TimedSource<'a>] {
        &mut self.sources
    }

    /// Describes the contenders, including the names that engines have reported so far.
    pub fn describe(&self) -> Vec<Contender> {
        let mut contenders = self.contenders.clone();
        for (contender, source) in contenders.iter_mut().zip(&self.sources) {
            if let ContenderKind::Engine { own_name, .. } = &mut contender.kind {
                *own_name = source.own_name().map(str::to_owned);
            }
        }
        contenders
    }
}

/// A built-in generator, or the bitboard generator with one setting changed.
enum Variant {
    Generator(Generator),
    Sliders(SliderMethod),
    CpuPath(CpuChoice),
}

impl Variant {
    /// Returns the name in the table, such as `magic` or `bitboard:avx2`. It includes the threads if several numbers
    /// are compared.
    fn name(&self, threads: Threads, with_threads: bool) -> String {
        let bitboard = Generator::Bitboard;
        let name = match self {
            Variant::Generator(generator) => generator.to_string(),
            Variant::Sliders(method) => format!("{bitboard}:{}", method.name()),
            Variant::CpuPath(path) => format!("{bitboard}:{path}"),
        };
        if with_threads { format!("{name}:{threads}t") } else { name }
    }

    fn counting_args(&self, threads: Threads, no_bulk: bool) -> CountingArgs {
        let machine = |cpu_path| MachineArgs { threads, cpu_path };
        let plain = CountingArgs { no_bulk, ..CountingArgs::from(machine(CpuChoice::Auto)) };
        match *self {
            Variant::Generator(generator) => CountingArgs { generator, ..plain },
            Variant::Sliders(method) => CountingArgs { sliders: Some(method), ..plain },
            Variant::CpuPath(path) => CountingArgs { machine: machine(path), ..plain },
        }
    }
}

impl ContenderArgs {
    /// Returns the built-in contenders that were asked for.
    ///
    /// The default is all generators; with engines or several numbers of threads, it is the bitboard generator alone.
    fn variants(&self) -> Vec<Variant> {
        let generators = self.generators.iter().copied().map(Variant::Generator);
        let sliders = self.sliders.iter().copied().map(Variant::Sliders);
        let paths = self.cpu_paths.iter().copied().map(Variant::CpuPath);
        let given: Vec<Variant> = generators.chain(sliders).chain(paths).collect();
        if !given.is_empty() {
            return given;
        }
        let has_others = !self.engines.is_empty() || self.threads.len() > 1;
        let default = if has_others { &[Generator::Bitboard] } else { Generator::ALL };
        default.iter().copied().map(Variant::Generator).collect()
    }
}

/// Splits `DIALECT:CMD`. Text before a colon that is not the name of a dialect belongs to the command.
fn split_dialect(text: &str) -> (Option<Dialect>, &str) {
    let prefixed = text.split_once(':').and_then(|(name, command)| Some((Some(name.parse().ok()?), command)));
    prefixed.unwrap_or((None, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_of_a_dialect_is_split_off() {
        assert_eq!(split_dialect("qperft:./qperft -x"), ("qperft".parse().ok(), "./qperft -x"));
        assert_eq!(split_dialect("uci:stockfish"), (Some(Dialect::UCI), "stockfish"));
        for command in ["stockfish", "C:/engine.exe", "./my engine:2"] {
            assert_eq!(split_dialect(command), (None, command));
        }
    }

    #[test]
    fn names_say_what_differs() {
        let name = |variant: Variant, with_threads| variant.name(Threads::Count(2), with_threads);
        assert_eq!(name(Variant::Generator(Generator::Magic), false), "magic");
        assert_eq!(name(Variant::Sliders(SliderMethod::Magic), false), "bitboard:magic");
        let bmi2 = CpuChoice::Path(perft_count::CpuPath::Bmi2);
        assert_eq!(name(Variant::CpuPath(bmi2), true), "bitboard:bmi2:2t");
    }
}
