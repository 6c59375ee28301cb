//! The loops of the commands that count: over the positions that the arguments name, and over depths.

use std::io::Write;
use std::ops::RangeInclusive;

use perft_count::Progress;

use crate::input::{Game, Games};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::terminal::watch;
use crate::output::{Digits, Format, INCOMPLETE, Report, emit, tabular, write_json};

/// Makes a report of each position with `report`, and prints it.
///
/// If there are several reports, each says which position it belongs to. Their JSON has one line per report, and their
/// comma-separated values are one table. `report` may print text before its report is printed. It returns the report and
/// the reason why it is incomplete, if it is.
///
/// # Errors
/// A position cannot be read, a report cannot be made or is incomplete, or the output cannot be written.
pub fn report_each<R: Report, W: Write>(
    games: Games,
    format: Format,
    context: &Context,
    out: &mut W,
    mut report: impl FnMut(Game, &mut W) -> Result<(R, Result<(), CliError>), CliError>,
) -> Result<(), CliError> {
    let are_several = games.are_many();
    let mut is_first = true;
    games.for_each(context, |game| {
        let position = *game.position();
        match format {
            Format::Text if are_several => writeln!(out, "{position}")?,
            Format::Markdown if are_several => writeln!(out, "{position}\n")?,
            _ => {}
        }
        let (report, ended) = report(game, out)?;
        if format == Format::Markdown && ended.is_err() {
            writeln!(out, "{INCOMPLETE}\n")?;
        }
        match format {
            Format::Json if are_several => write_json(&report, true, out)?,
            Format::Csv if are_several => {
                let table = tabular(report.table(Digits::Plain)).of_position(&position);
                if is_first { table.write_csv(out)? } else { table.write_csv_rows(out)? }
            }
            format => emit(&report, format, out)?,
        }
        if format == Format::Markdown && are_several {
            writeln!(out)?;
        }
        is_first = false;
        out.flush()?;
        ended
    })
}

/// Counts depth by depth with `count`, and calls `each` with every result. Shows the progress of a depth under `label`.
/// Returns the results, and the reason why the last ones are missing, if they are.
///
/// # Errors
/// The first depth could not be counted.
pub fn count_depths<T>(
    label: &str,
    depths: RangeInclusive<u32>,
    context: &Context,
    count: impl Fn(u32, &Progress) -> Result<T, CliError>,
    mut each: impl FnMut(&[T]) -> Result<(), CliError>,
) -> Result<(Vec<T>, Result<(), CliError>), CliError> {
    let first = *depths.start();
    let mut results = Vec::new();
    for depth in depths {
        let found = watch(context, &format!("{label}({depth})"), |progress| count(depth, progress));
        match found {
            Ok(found) => results.push(found),
            Err(CliError::Interrupted(_)) => {
                let error = CliError::interrupted_at(depth, (depth > first).then(|| depth - 1));
                return if results.is_empty() { Err(error) } else { Ok((results, Err(error))) };
            }
            Err(error) if results.is_empty() => return Err(error),
            Err(error) => return Ok((results, Err(error))),
        }
        each(&results)?;
    }
    Ok((results, Ok(())))
}
