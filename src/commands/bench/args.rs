//! The arguments of `perft bench`.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};
use perft_lab::generators::Generator;

use crate::engine::Dialect;
use crate::input::{CountingArgs, Word, generator_choices, joined, one_depth, parse_depth, parse_seconds};
use crate::output::{CliError, Context, FormatArgs, OutputFile};
use crate::timing::{GateResult, Interval, Measure, Ratio, Ratios, Schedule};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 success, 1 a count is wrong, 2 bad usage or input, 3 slower than --max-regression \
                  allows, 4 the other program failed, 5 --max-regression could not be decided, 130 interrupted."
)]
pub struct BenchArgs {
    /// Engines (commands, or names from perft.toml) and builds of perft to time [default: this program]; then positions:
    /// names, FENs, suites, files with known counts, or - for standard input [default: six well-known ones]; then the
    /// depth
    #[arg(value_names = ["ENGINE|BUILD", "POSITION", "DEPTH"], num_args = 0..)]
    pub words: Vec<String>,
    /// Count every position to this depth [default: the depth that takes the slowest program about 0.2 seconds]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    pub depth: Option<u32>,
    /// Move generators of this program to time: all, or names; "perft list generators" lists them [default: bitboard]
    #[arg(long, value_name = "all|NAME,...", value_delimiter = ',', value_parser = generator_choices(), hide_possible_values = true, conflicts_with = "generator", help_heading = "Counting")]
    pub generators: Vec<Option<Generator>>,
    #[command(flatten)]
    pub counting: CountingArgs,
    /// An engine, the same as one among the words: its name in perft.toml, or its command, which runs without a shell.
    /// The dialect may come first, as in qperft:CMD. Repeat the flag for several engines
    #[arg(long = "engine", value_name = "NAME|[DIALECT:]CMD", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = "Comparing")]
    pub engines: Vec<String>,
    /// Time limit for the start and for each answer of an engine [default: 10 and 60, or the value in perft.toml]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, hide_short_help = true, help_heading = "Comparing")]
    pub engine_timeout: Option<Duration>,
    /// Take engines from this file instead of perft.toml in the current folder
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Comparing")]
    pub config: Option<PathBuf>,
    /// Compare the one program with its earlier result: a file that --export-json wrote
    #[arg(long, value_name = "FILE", help_heading = "Comparing")]
    pub baseline: Option<PathBuf>,
    /// Program that the ratios refer to, by its name in the table [default: the baseline or the first]
    #[arg(long, value_name = "NAME", help_heading = "Comparing")]
    pub reference: Option<String>,
    /// Run until it is known whether a program is slower than the reference by more than P percent: 5 or 5%. If it is,
    /// end with exit code 3. A value below 1 needs the sign: 0.5%
    #[arg(long, value_name = "P", value_parser = parse_percent, help_heading = "Comparing")]
    pub max_regression: Option<f64>,
    /// Compare by time, cpu or instructions [default: cpu or time]
    ///
    /// The default is cpu for several programs that count on one thread, each count in its own process
    #[arg(long, value_enum, value_name = "WHAT", hide_possible_values = true, help_heading = "Comparing")]
    pub measure: Option<Measure>,
    /// Compare even if the CPU, the threads, or other settings differ
    #[arg(long, hide_short_help = true, help_heading = "Comparing")]
    pub force: bool,
    /// Number of warm-up rounds before the timed rounds
    #[arg(short, long, value_name = "N", default_value = "1", hide_short_help = true, help_heading = "Runs")]
    warmup: u32,
    /// Run each position exactly N times [default: as often as needed]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with_all = ["max_time", "precision"], help_heading = "Runs")]
    pub runs: Option<u32>,
    /// Stop after this time, for all positions together [default: 30; with --max-regression 60; if valgrind counts 600]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, hide_short_help = true, help_heading = "Runs")]
    max_time: Option<Duration>,
    /// Stop when the 99% confidence interval of the ratio of the speeds is no wider than this many percent
    #[arg(long, value_name = "P", value_parser = parse_percent, default_value = "1%", conflicts_with = "max_regression", hide_short_help = true, help_heading = "Runs")]
    precision: f64,
    #[command(flatten)]
    pub format: FormatArgs,
    /// Also write the result to FILE as JSON, which the scripts of hyperfine can read
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub export_json: Option<OutputFile>,
    /// Also write an HTML page to FILE: the conclusion, charts of the ratios and of all runs, the settings
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub export_html: Option<OutputFile>,
}

/// The number of runs of a single program. They are enough for a baseline.
const RUNS_OF_ONE: u32 = 40;

impl BenchArgs {
    /// Moves the programs and the depth from the words to `--engine` and `--depth`. The positions stay: names of positions
    /// and suites, files and FENs.
    ///
    /// # Errors
    /// The depth was given twice, there is an option for engines but no engine, or `perft.toml` is wrong.
    pub fn sort_words(&mut self, context: &Context) -> Result<(), CliError> {
        let mut depths = Vec::new();
        for text in joined(&std::mem::take(&mut self.words)) {
            let (dialect, command) = split_dialect(&text);
            match Word::of(command, self.config.as_deref())? {
                Word::Engine => self.engines.push(text),
                word if word == Word::Program || dialect.is_some() => {
                    return Err(word.refusal(&text, "an engine", context));
                }
                Word::Number => depths.push(text),
                _ => self.words.push(text),
            }
        }
        self.depth = one_depth(&depths, self.depth)?;
        let of_engines =
            [("--config", self.config.is_some()), ("--engine-timeout", self.engine_timeout.is_some())];
        match of_engines.iter().find(|(_, is_given)| *is_given && self.engines.is_empty()) {
            Some((flag, _)) => Err(CliError::usage(format!("{flag} needs an engine"))),
            None => Ok(()),
        }
    }

    pub fn ways(&self) -> Vec<CountingArgs> {
        let generators = match self.generators.as_slice() {
            [] => vec![self.counting.generator],
            chosen if chosen.contains(&None) => Generator::ALL.to_vec(),
            chosen => chosen.iter().copied().flatten().collect(),
        };
        let mut seen = HashSet::new();
        let distinct = generators.into_iter().filter(|generator| seen.insert(*generator));
        distinct.map(|generator| CountingArgs { generator, ..self.counting.clone() }).collect()
    }

    /// Refuses flags that do not fit together.
    pub fn check(&self, programs: usize) -> Result<(), CliError> {
        if self.max_regression.is_some() && self.baseline.is_none() && self.reference.is_none() {
            return Err(CliError::usage("--max-regression needs something to compare with")
                .help("add --reference NAME (one of the programs) or --baseline FILE (an earlier result)"));
        }
        if programs > 1 && self.baseline.is_some() {
            return Err(CliError::usage("--baseline compares one program with its earlier result")
                .help("name one engine, one build or one generator"));
        }
        Ok(())
    }

    /// Returns the limits of the runs. `saved` is the number of runs of a baseline, with which the runs are paired.
    pub fn schedule(&self, compares: bool, saved: Option<usize>, uses_valgrind: bool) -> Schedule {
        let most = if compares { u32::MAX } else { RUNS_OF_ONE };
        let most = saved.map_or(most, |saved| u32::try_from(saved).unwrap_or(most));
        let seconds = if uses_valgrind { 600 } else { 30 << u32::from(self.max_regression.is_some()) };
        let max_time = self.max_time.unwrap_or(Duration::from_secs(seconds));
        match self.runs {
            Some(runs) => Schedule { warmup: self.warmup, max_rounds: runs, max_time: Duration::MAX },
            None => Schedule { warmup: self.warmup, max_rounds: most, max_time },
        }
    }

    /// Returns in words how often or how long the positions are timed.
    pub fn plan(&self, schedule: &Schedule) -> String {
        match self.runs {
            Some(1) => "once".to_owned(),
            Some(runs) => format!("{runs} times"),
            None => format!("for {} s at most", schedule.max_time.as_secs_f64()),
        }
    }

    /// Whether ratios need no more runs to be compared.
    pub fn is_decided(&self, ratios: &Ratios) -> bool {
        match (self.max_regression, ratios.overall) {
            (_, None) => true,
            (Some(allowed), Some(_)) => ratios.gate(allowed) != Some(GateResult::Unsure),
            (None, Some(Ratio { value, interval })) => {
                interval.is_some_and(|Interval { low, high }| (high - low) / value <= self.precision)
            }
        }
    }
}

/// Parses a percentage, with or without its sign, and returns it as a fraction of 1.
///
/// # Errors
/// It is not from 0 to below 100, or it is between 0 and 1 without a sign: `0.05` could mean 5 % or 0.05 %.
fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%');
    let percent = number.unwrap_or(text).trim().parse::<f64>().ok();
    match percent.filter(|percent| (0.0..100.0).contains(percent)) {
        Some(percent) if number.is_none() && 0.0 < percent && percent < 1.0 => {
            let fraction = (percent * 1e10).round() / 1e8;
            Err(format!("write {fraction}% if it is a fraction, or {percent}%"))
        }
        Some(percent) => Ok(percent / 100.0),
        None => Err("give a percentage below 100, such as 5 or 0.5%".to_owned()),
    }
}

/// Splits `DIALECT:CMD`. Text before a colon that is not the name of a dialect belongs to the command.
pub fn split_dialect(text: &str) -> (Option<&'static Dialect>, &str) {
    let prefixed = text.split_once(':').and_then(|(name, command)| Some((Some(name.parse().ok()?), command)));
    prefixed.unwrap_or((None, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_below_one_need_a_percent_sign() {
        for (text, fraction) in
            [("5%", 0.05), ("5", 0.05), ("0.5 %", 0.005), ("2.5", 0.025), ("0", 0.0), ("1", 0.01)]
        {
            assert_eq!(parse_percent(text), Ok(fraction), "{text}");
        }
        assert_eq!(parse_percent("0.05").unwrap_err(), "write 5% if it is a fraction, or 0.05%");
        for wrong in ["", "%", "100%", "-1%", "NaN%", "x%", "100", "-1"] {
            assert!(parse_percent(wrong).unwrap_err().contains("below 100"), "{wrong}");
        }
    }

    #[test]
    fn only_the_name_of_a_dialect_is_split_off() {
        assert_eq!(split_dialect("qperft:./qperft -x"), ("qperft".parse().ok(), "./qperft -x"));
        assert_eq!(split_dialect("uci:stockfish"), (Some(&Dialect::all()[0]), "stockfish"));
        for command in ["stockfish", "C:/engine.exe", "./my engine:2"] {
            assert_eq!(split_dialect(command), (None, command));
        }
    }
}
