//! Who takes part: generators of ours in several ways, and foreign programs.

use std::path::Path;

use crate::bench::{EngineSubject, Measure, OwnSubject, Subject, SystemClock};
use crate::engine::{Dialect, Engine};
use crate::report;
use crate::report::compare::{Contender, Kind};
use perft_diagnosis::source::EngineError;
use perft_lab::generators::Generator;
use perft_lab::sliders::SliderMethod;

use super::super::args::{CountingArgs, CpuChoice, MachineArgs, Threads};
use super::super::config::{EngineOverrides, Engines};
use super::super::context::Context;
use super::super::error::CliError;
use super::WhoArgs;

/// All who take part, in the order of the table.
pub struct Field<'a> {
    members: Vec<Member<'a>>,
    /// The head of the report: the machine, and what is the same for all of ours.
    pub head: report::Context,
}

/// One who takes part.
struct Member<'a> {
    contender: Contender,
    runner: Runner<'a>,
}

enum Runner<'a> {
    Own(Box<OwnSubject<&'a SystemClock>>),
    Foreign(Box<EngineSubject<&'a SystemClock>>),
}

impl<'a> Field<'a> {
    /// Sets everybody up.
    pub fn new(who: &WhoArgs, clock: &'a SystemClock, context: &Context) -> Result<Field<'a>, CliError> {
        let mut members = Vec::new();
        let mut head = None;
        for &threads in &who.threads {
            for own in who.own() {
                let counting = own.arguments(threads, who.no_bulk).build(context)?;
                let name = own.name(threads, who.threads.len() > 1);
                if members.iter().any(|member: &Member| member.contender.name == name) {
                    continue;
                }
                let flags = own.arguments(threads, who.no_bulk).flags().join(" ");
                let subject = OwnSubject::new(counting.perft, clock, context.stop.clone()).named(&name);
                members.push(Member {
                    contender: Contender {
                        name,
                        command: format!("perft {flags}"),
                        kind: Kind::Generator {
                            generator: counting.head.generator,
                            cpu_path: counting.head.cpu_path,
                            sliders: counting.head.sliders,
                            threads: counting.head.threads,
                        },
                    },
                    runner: Runner::Own(Box::new(subject)),
                });
                let busiest = |head: &report::Context| head.threads < counting.head.threads;
                if head.as_ref().is_none_or(busiest) {
                    head = Some(counting.head);
                }
            }
        }
        // The file is no business of those who name no program.
        let engines = if who.engines.is_empty() { Engines::default() } else { Engines::find()? };
        for engine in &who.engines {
            let member = foreign(engine, who, &engines, &members, clock, context)?;
            members.push(member);
        }
        let head = head.expect("one of ours always takes part");
        // Who counted how stands beside each.
        let several = report::Context { generator: "several", cpu_path: "several", sliders: None, ..head };
        Ok(Field { members, head: several })
    }

    /// The one that ratios are to.
    pub fn reference(&self, name: Option<&str>) -> Result<usize, CliError> {
        let Some(name) = name else { return Ok(0) };
        let names = || self.members.iter().map(|member| member.contender.name.as_str());
        names().position(|other| other == name).ok_or_else(|| {
            CliError::usage(format!("--reference {name}: nobody here is called so"))
                .help(format!("there are: {}", names().collect::<Vec<_>>().join(", ")))
        })
    }

    /// By which time speeds are compared: by the processor's if it is known of all, and one thread is all of it.
    pub fn measure(&self) -> Measure {
        let is_alone = |member: &Member| matches!(member.contender.kind, Kind::Generator { threads: 1, .. });
        if self.members.iter().all(is_alone) { Measure::Processor } else { Measure::Wall }
    }

    /// All of them, to be run.
    pub fn subjects(&mut self) -> Vec<&mut dyn Subject> {
        self.members.iter_mut().map(|member| member.runner.subject()).collect()
    }

    /// Who they are, with what foreign programs have said of themselves until now.
    pub fn contenders(&self) -> Vec<Contender> {
        self.members.iter().map(Member::contender).collect()
    }
}

impl Runner<'_> {
    fn subject(&mut self) -> &mut dyn Subject {
        match self {
            Runner::Own(subject) => subject.as_mut(),
            Runner::Foreign(subject) => subject.as_mut(),
        }
    }
}

impl Member<'_> {
    fn contender(&self) -> Contender {
        let mut contender = self.contender.clone();
        if let (Kind::Engine { said_name, .. }, Runner::Foreign(subject)) =
            (&mut contender.kind, &self.runner)
        {
            *said_name = subject.said_name().map(str::to_owned);
        }
        contender
    }
}

/// A way in which we count.
enum Own {
    Generator(Generator),
    Sliders(SliderMethod),
    CpuPath(CpuChoice),
}

impl Own {
    /// What it is called in the table: `magic`, `bitboard:avx2`, with a number of threads if there are several.
    fn name(&self, threads: Threads, has_several: bool) -> String {
        let ours = Generator::Bitboard;
        let name = match self {
            Own::Generator(generator) => generator.to_string(),
            Own::Sliders(method) => format!("{ours}:{}", method.name()),
            Own::CpuPath(path) => format!("{ours}:{path}"),
        };
        if has_several { format!("{name}:{threads}t") } else { name }
    }

    fn arguments(&self, threads: Threads, no_bulk: bool) -> CountingArgs {
        let machine = |cpu_path| MachineArgs { threads, cpu_path };
        let plain = CountingArgs { no_bulk, ..CountingArgs::from(machine(CpuChoice::Auto)) };
        match *self {
            Own::Generator(generator) => CountingArgs { generator, ..plain },
            Own::Sliders(method) => CountingArgs { sliders: Some(method), ..plain },
            Own::CpuPath(path) => CountingArgs { machine: machine(path), ..plain },
        }
    }
}

impl WhoArgs {
    /// What of ours was asked for; without anything, our own generator beside foreign programs, or all generators.
    fn own(&self) -> Vec<Own> {
        let generators = self.generators.iter().copied().map(Own::Generator);
        let sliders = self.sliders.iter().copied().map(Own::Sliders);
        let paths = self.cpu_paths.iter().copied().map(Own::CpuPath);
        let asked: Vec<Own> = generators.chain(sliders).chain(paths).collect();
        if !asked.is_empty() {
            return asked;
        }
        let has_company = !self.engines.is_empty() || self.threads.len() > 1;
        let all = if has_company { &Generator::ALL[..1] } else { Generator::ALL };
        all.iter().copied().map(Own::Generator).collect()
    }
}

/// A foreign program. One that is not there is refused at once; one that fails in any other way is shown to.
fn foreign<'a>(
    text: &str,
    who: &WhoArgs,
    engines: &Engines,
    others: &[Member],
    clock: &'a SystemClock,
    context: &Context,
) -> Result<Member<'a>, CliError> {
    let (dialect, command) = if engines.contains(text) { (None, text) } else { dialect_of(text) };
    let spec = engines.resolve(command, EngineOverrides { dialect, timeout: who.engine_timeout })?;
    let started = Engine::new(spec.clone()).start(&context.stop);
    if let Err(error) = started
        && matches!(error, EngineError::NotStarted(..) | EngineError::NoOption(..) | EngineError::Interrupted)
    {
        return Err(engines.start_error(command, error));
    }
    let is_new = |name: &&str| others.iter().all(|other| other.contender.name != *name);
    let file = match spec.command.as_slice() {
        // An entry has a name of its own.
        _ if engines.contains(command) => None,
        [program] => Path::new(program).file_name().and_then(|name| name.to_str()),
        // What is run by an interpreter is not called after it.
        _ => None,
    };
    let name = file.into_iter().chain([command, text]).find(is_new).ok_or_else(|| {
        CliError::usage(format!("--engine '{text}' is given twice"))
            .help("two builds of a program have two paths: --engine ./old --engine ./new")
    })?;
    let contender = Contender {
        name: name.to_owned(),
        command: shell_words::join(&spec.command),
        kind: Kind::Engine { dialect: spec.dialect.name(), said_name: None },
    };
    let subject = EngineSubject::new(name, spec.clone(), clock, context.stop.clone());
    Ok(Member { contender, runner: Runner::Foreign(Box::new(subject)) })
}

/// `qperft:./qperft` is asked as qperft is; without a dialect before it, a command is a UCI engine.
fn dialect_of(text: &str) -> (Option<Dialect>, &str) {
    let prefixed = text.split_once(':').and_then(|(name, command)| Some((Some(name.parse().ok()?), command)));
    prefixed.unwrap_or((None, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dialect_before_a_colon_is_one() {
        assert_eq!(dialect_of("qperft:./qperft -x"), (Some(Dialect::Qperft), "./qperft -x"));
        assert_eq!(dialect_of("uci:stockfish"), (Some(Dialect::Uci), "stockfish"));
        for command in ["stockfish", "C:/engine.exe", "./my engine:2"] {
            assert_eq!(dialect_of(command), (None, command));
        }
    }

    #[test]
    fn names_say_what_differs() {
        let name = |own: Own| own.name(Threads::Count(2), false);
        assert_eq!(name(Own::Generator(Generator::Magic)), "magic");
        assert_eq!(name(Own::Sliders(SliderMethod::Magic)), "bitboard:magic");
        assert_eq!(
            Own::CpuPath(CpuChoice::Path(perft_core::CpuPath::Bmi2)).name(Threads::Count(2), true),
            "bitboard:bmi2:2t"
        );
    }
}
