//! The arguments of `perft bench`.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use perft_lab::generators::Generator;
use perft_lab::sliders::SliderMethod;

use super::exports::MeasurementOutput;
use super::runs::{RunArgs, parse_percent};
use crate::input::{
    CountingArgs, CpuChoice, HashArgs, MachineArgs, Threads, cpu_choices, generator_choices, parse_depth,
    parse_seconds, slider_methods,
};
use crate::output::context::Context;
use crate::output::error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft bench                             time six positions
  perft bench my.epd 5 --runs 20 --pin 1  your own positions, on CPU core 1
  perft bench --export-json main.json     before a change: save the result
  perft bench --baseline main.json --max-regression 5%
                                          after it: exit code 3 if slower
  perft bench --against ../old/perft      two builds in turns: the surest way
  perft bench --engine ./new --engine ./old --reference old
  perft bench --cpu-paths avx2,bmi2 --threads 1,2
  perft bench --generators all            all generators of this program";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    after_help = "Exit codes: 0 success, 1 a count is wrong, 2 bad usage or input, 3 slower than --max-regression \
                  allows, 4 the other program failed, 130 interrupted."
)]
pub struct BenchArgs {
    /// Positions to time: names, built-in suites, EPD files with known counts, or - for standard input [default: six
    /// well-known ones]. A number at the end is the depth
    #[arg(value_name = "NAME|FILE|-")]
    pub positions: Vec<String>,
    /// Count every position to this depth; its count must be known [default: the depth that takes the slowest contender
    /// about half a second]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub built_in: BuiltInArgs,
    #[command(flatten)]
    pub contenders: ContenderArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub output: MeasurementOutput,
}

/// How this program counts. Each list makes several contenders.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct BuiltInArgs {
    /// Number of threads, or "all" for one per core; several numbers are compared
    #[arg(
        short,
        long,
        value_name = "N|all,...",
        value_delimiter = ',',
        default_value = "1",
        allow_negative_numbers = true
    )]
    threads: Vec<Threads>,
    /// Move generators to count with: all, or names; "perft list generators" lists them [default: bitboard]
    #[arg(long, value_name = "all|NAME,...", visible_alias = "generator", value_delimiter = ',', value_parser = generator_choices(), hide_possible_values = true)]
    generators: Vec<Option<Generator>>,
    #[command(flatten)]
    table: HashArgs,
    /// CPU features to use [default: auto]
    #[arg(long, value_name = "PATH,...", visible_alias = "cpu-path", value_delimiter = ',', value_parser = cpu_choices(), hide_short_help = true)]
    cpu_paths: Vec<CpuChoice>,
    /// Slider lookups of the bitboard generator; the CPU path must be scalar (bmi2 or portable) [default: the lookup of
    /// the CPU path]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = slider_methods(), hide_short_help = true)]
    sliders: Vec<SliderMethod>,
    /// Make every move of the last ply instead of counting the moves (no bulk counting), as many engines do
    #[arg(long, hide_short_help = true)]
    no_bulk: bool,
}

/// The contenders besides this program.
#[derive(Debug, Args)]
#[command(next_help_heading = "Comparing")]
pub struct ContenderArgs {
    /// Compare with another build of perft; both take turns, each run in a process of its own
    #[arg(long, value_name = "BINARY", value_hint = ValueHint::FilePath)]
    pub against: Option<String>,
    /// Compare with an engine: its name in perft.toml, or its command, which runs without a shell. The dialect may come
    /// first, as in qperft:CMD. Repeat the flag for several engines
    #[arg(long = "engine", value_name = "NAME|[DIALECT:]CMD", value_hint = ValueHint::FilePath)]
    pub engines: Vec<String>,
    /// Time limit for the start and for each answer of an engine [default: 10 and 60, or the value in perft.toml]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "engines", hide_short_help = true)]
    pub engine_timeout: Option<Duration>,
    /// Take engines from this file instead of perft.toml in the current folder
    #[arg(long, value_name = "FILE", requires = "engines", hide_short_help = true)]
    pub config: Option<PathBuf>,
    /// Compare with an earlier result: a file that --export-json wrote
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub baseline: Option<PathBuf>,
    /// Contender that the ratios refer to, by its name in the table [default: the baseline, the other build or the
    /// first]
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,
    /// End with exit code 3 if a contender is slower than the reference by more than P, with 95% confidence
    #[arg(long, value_name = "P%", value_parser = parse_percent)]
    pub max_regression: Option<f64>,
    /// Compare even if the CPU, the threads, or other settings differ
    #[arg(long, hide_short_help = true)]
    force: bool,
}

impl BuiltInArgs {
    /// Returns all combinations of the generators, the slider lookups, the CPU paths and the numbers of threads, each of
    /// them once.
    pub fn combined(&self) -> Vec<CountingArgs> {
        let &BuiltInArgs { table, no_bulk, .. } = self;
        let generators = match self.generators.as_slice() {
            [] => vec![Generator::Bitboard],
            chosen if chosen.contains(&None) => Generator::ALL.to_vec(),
            chosen => chosen.iter().copied().flatten().collect(),
        };
        let cpu_paths = or_default(self.cpu_paths.clone(), CpuChoice::Auto);
        let sliders = or_default(self.sliders.iter().copied().map(Some).collect(), None);
        let mut all = Vec::new();
        for &threads in &self.threads {
            for &cpu_path in &cpu_paths {
                for &generator in &generators {
                    for &sliders in &sliders {
                        let plain = CountingArgs::from(MachineArgs { threads, cpu_path });
                        all.push(CountingArgs { table, no_bulk, generator, sliders, ..plain });
                    }
                }
            }
        }
        let mut seen = HashSet::new();
        all.retain(|args| seen.insert(args.flags()));
        all
    }

    pub fn has_several_threads(&self) -> bool {
        self.threads.len() > 1
    }
}

fn or_default<T>(given: Vec<T>, default: T) -> Vec<T> {
    if given.is_empty() { vec![default] } else { given }
}

impl ContenderArgs {
    /// Refuses flags that do not fit together. `built_in` is the number of ways in which this program counts.
    pub fn check(&self, built_in: usize) -> Result<(), CliError> {
        let has_reference = self.baseline.is_some() || self.against.is_some() || self.reference.is_some();
        if self.max_regression.is_some() && !has_reference {
            return Err(CliError::usage("--max-regression needs something to compare with").help(
                "add --baseline FILE (an earlier result), --against BINARY (another build) or --reference NAME (a contender)",
            ));
        }
        if built_in > 1 && self.needs_one_way_to_count() {
            return Err(CliError::usage(
                "baselines and --against need this program to count in one way only",
            )
            .help("give one generator, one slider lookup, one CPU path and one number of threads"));
        }
        Ok(())
    }

    /// Whether this program is compared with itself: with another build or with a baseline.
    pub fn needs_one_way_to_count(&self) -> bool {
        self.against.is_some() || self.baseline.is_some()
    }

    /// Refuses to compare speeds that were measured with different settings; with `--force`, prints a warning instead.
    pub fn check_differences(
        &self,
        reference: &str,
        differences: &[String],
        context: &Context,
    ) -> Result<(), CliError> {
        if differences.is_empty() {
            return Ok(());
        }
        let message = format!("{reference} was measured with other settings: {}", differences.join("; "));
        if !self.force {
            return Err(
                CliError::usage(message).help("use the same settings, or compare nevertheless with --force")
            );
        }
        context.warn(message);
        Ok(())
    }
}
