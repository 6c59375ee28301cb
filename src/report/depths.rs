//! The loops over the positions and the depths of a command, and the upper plies of a tree.

use std::io::Write;
use std::ops::RangeInclusive;

use perft_core::{Position, StopSignal};
use perft_count::{Frontier, FrontierError, Perft, Progress};

use crate::input::{Game, Games};
use crate::output::{
    CliError, Context, Digits, Format, INCOMPLETE, Report, emit, tabular, watch, write_json,
};

/// Makes a report of each position with `report`, and prints it.
///
/// If there are several reports, each says which position it belongs to. Their JSON has one line per report, and their
/// comma-separated values are one table. `report` may print text before its report is printed. It returns the report,
/// and the reason if the report is incomplete.
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
    let are_several = matches!(games, Games::Input { .. });
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

/// Counts depth by depth with `count`, and calls `each` with a result as soon as it is known. Shows the progress of a
/// depth under `label`. Returns the results, and the reason why the last ones are missing, if they are.
///
/// # Errors
/// The first depth could not be counted, or `each` failed.
pub fn count_depths<T>(
    label: &str,
    depths: RangeInclusive<u32>,
    context: &Context,
    mut count: impl FnMut(u32, &Progress) -> Result<T, CliError>,
    mut each: impl FnMut(&T) -> Result<(), CliError>,
) -> Result<(Vec<T>, Result<(), CliError>), CliError> {
    let mut results = Vec::new();
    for depth in depths {
        let error = match watch(context, &format!("{label}({depth})"), |progress| count(depth, progress)) {
            Ok(found) => {
                each(&found)?;
                results.push(found);
                continue;
            }
            Err(CliError::Interrupted(_)) if results.is_empty() => {
                CliError::Interrupted(format!("depth {depth} is unfinished"))
            }
            Err(CliError::Interrupted(_)) => CliError::Interrupted(format!(
                "depth {depth} is unfinished; depth {} is the last one counted",
                depth - 1
            )),
            Err(error) => error,
        };
        return if results.is_empty() { Err(error) } else { Ok((results, Err(error))) };
    }
    Ok((results, Ok(())))
}

/// The memory for merging the upper plies, in bytes. It is enough for ply 5 of the start position or ply 4 of kiwipete.
/// Merging them takes a fraction of a second.
const EXACT_MEMORY: usize = 64 << 20;

/// The number of plies that are counted below the end of each walk, and below the merged plies of an exact count. An
/// exact count is faster than the forecast, because it also merges most of the first of these plies.
pub const REST: u32 = 3;

/// Merges equal positions of the upper plies, as far as a small memory allows. At least three plies stay below.
pub fn upper_plies(
    position: &Position,
    depth: u32,
    perft: &Perft,
    stop: &StopSignal,
) -> Result<Frontier, FrontierError> {
    let mut frontier = Frontier::new(position);
    while frontier.ply() + REST < depth {
        match frontier.next(perft, EXACT_MEMORY, &Progress::new(stop.clone())) {
            Ok(next) => frontier = next,
            Err(FrontierError::NoRoom { .. } | FrontierError::TooManyNodes { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(frontier)
}
