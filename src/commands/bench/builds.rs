//! The builds of perft that are timed: this one, or this one and the one of `--against`.

use std::time::Duration;

use perft_diagnosis::source::SourceError;

use super::args::BenchArgs;
use super::baseline::{RecordedSettings, THIS_PROGRAM};
use super::tasks::build_failed;
use crate::engine::{DriverSource, Output, PerftProgram, output};
use crate::input::Counting;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::system::command_line;
use crate::timing::{SystemClock, TimedSource};

/// The time limit for another build to report its settings.
const SETTINGS_TIMEOUT: Duration = Duration::from_secs(10);

/// The builds of perft that are timed, this one first.
///
/// A single build runs within this process. With another build, each run of both is a process of its own.
pub struct Builds<'a>(Vec<TimedSource<'a>>);

/// A timed build, as the report describes it.
pub struct BuildInfo {
    /// The name of the build; `None` if it is the only one.
    pub name: Option<String>,
    /// A command that counts once in the same way.
    pub command: String,
}

impl<'a> Builds<'a> {
    /// Prepares the builds that the arguments name.
    ///
    /// # Errors
    /// The other build does not start, or its settings differ from those of this one.
    pub fn new(
        args: &BenchArgs,
        counting: Counting,
        clock: &'a SystemClock,
        context: &Context,
    ) -> Result<Builds<'a>, CliError> {
        let timed = |name, program| TimedSource::new(name, program, clock, context.stop.clone());
        let Some(path) = &args.reference.against else {
            let source = match counting.head.table_bytes {
                0 => DriverSource::new(counting.perft),
                bytes => {
                    DriverSource::new(counting.perft).with_fresh_table(bytes, args.counting.seed.unwrap_or(0))
                }
            };
            return Ok(Builds(vec![TimedSource::new("this program", source, clock, context.stop.clone())]));
        };
        let this = std::env::current_exe().map_err(|error| {
            CliError::usage(format!("cannot find the executable file of this program: {error}"))
        })?;
        let flags = args.counting.flags();
        let differences = settings(path, &flags, context)?.differences(&counting.head);
        args.reference.check_differences(&format!("'{path}'"), &differences, context)?;
        Ok(Builds(vec![
            timed(THIS_PROGRAM, PerftProgram::new(&this.to_string_lossy(), &flags)),
            timed(path, PerftProgram::new(path, &flags)),
        ]))
    }

    /// Returns this build.
    pub fn this(&mut self) -> &mut [TimedSource<'a>] {
        &mut self.0[..1]
    }

    /// Returns all builds, this one first.
    pub fn sources(&mut self) -> &mut [TimedSource<'a>] {
        &mut self.0
    }

    /// Describes the builds for the report, in the order of [`sources`](Builds::sources).
    pub fn infos(&self, args: &BenchArgs) -> Vec<BuildInfo> {
        let flags = args.counting.flags();
        let info = |name, program: &str| {
            let words = [program].into_iter().chain(flags.iter().map(String::as_str));
            BuildInfo { name, command: command_line::join(words) }
        };
        match self.0.as_slice() {
            [this, other] => vec![
                info(Some(this.name().to_owned()), "perft"),
                info(Some(other.name().to_owned()), other.name()),
            ],
            _ => vec![info(None, "perft")],
        }
    }
}

/// Asks another build for the settings that it would count with.
fn settings(program: &str, flags: &[String], context: &Context) -> Result<RecordedSettings, CliError> {
    let command = [program, "--depth", "1", "--single", "--format", "json", "--quiet"].map(str::to_owned);
    let command: Vec<String> = command.into_iter().chain(flags.iter().cloned()).collect();
    let Output { text, .. } =
        output(&command, SETTINGS_TIMEOUT, &context.stop).map_err(|error| match error {
            SourceError::Interrupted => error.into(),
            SourceError::NotStarted(..) => CliError::usage(error)
                .help("give a program on the PATH, or a path such as --against ../old/perft"),
            _ => build_failed(format!("'{program}' does not count: {error}")),
        })?;
    RecordedSettings::read(&text)
        .map_err(|error| build_failed(format!("'{program}' does not report its settings: {error}")))
}
