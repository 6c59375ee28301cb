//! Reads the positions that arguments name.

use perft_core::internals::fen_of_epd;
use perft_core::suite::{builtin, named};
use perft_core::{IllegalMove, Position, Setup, find_move};
use perft_diagnosis::lines::{read_line, to_text};

use super::args::PositionArgs;
use super::context::Context;
use super::error::{CliError, warn};

/// Calls `each` with every position that the arguments name: one, or one per line of standard input.
pub fn for_each_position(
    args: &PositionArgs,
    context: &Context,
    mut each: impl FnMut(&Position) -> Result<(), CliError>,
) -> Result<(), CliError> {
    if !args.is_stream() {
        return each(&one_position(args, context)?);
    }
    let mut input = std::io::stdin().lock();
    for number in 1.. {
        let line = read_line(&mut input).map_err(|error| {
            CliError::usage(format!("cannot read standard input: line {number}: {error}"))
        })?;
        let Some(line) = line else { break };
        let line = to_text(&line);
        let text = line.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() && !text.starts_with('#') {
            each(&position(fen_of_epd(text), Some("standard input"), number, args, context)?)?;
        }
    }
    Ok(())
}

/// Returns the one position that the arguments name.
///
/// # Errors
/// The text is not a position, a move is not legal, or positions would come from standard input.
pub fn one_position(args: &PositionArgs, context: &Context) -> Result<Position, CliError> {
    if args.is_stream() {
        let refusal = CliError::usage("this command takes one position, but --fen - reads many");
        return Err(refusal.help("give a FEN or a name; 'perft positions' lists the names"));
    }
    position(&args.fen, None, 1, args, context)
}

/// Returns the position that `text` names, after the moves of `args`.
fn position(
    text: &str,
    origin: Option<&str>,
    line: usize,
    args: &PositionArgs,
    context: &Context,
) -> Result<Position, CliError> {
    let start = match builtin::position(text) {
        Some(case) => case.position,
        None if looks_like_a_name(text) => {
            return Err(unknown_name(text, &["a FEN", "the name of a position"]));
        }
        None => {
            let position = Position::from_fen(text).map_err(|error| CliError::fen(&error, origin, line))?;
            warn_of_ignored_fields(text, context);
            position
        }
    };
    args.each_move().try_fold(start, |position, text| {
        let found = find_move(&position, text).map_err(|error| illegal_move(&error))?;
        Ok(position.play_unchecked(found))
    })
}

/// Whether a text is neither a FEN nor a path.
pub fn looks_like_a_name(text: &str) -> bool {
    !text.contains(['/', ' ', '\t'])
}

/// Returns the error for a name that is none of the `accepted` things; it suggests the most similar name.
pub fn unknown_name(text: &str, accepted: &[&str]) -> CliError {
    let names = named().cases.iter().map(|case| case.name());
    let help = match most_similar(text, names, 1).first() {
        Some(name) => format!("did you mean '{name}'? 'perft positions' lists all names"),
        None => "'perft positions' lists all names; put a FEN in quotes".to_owned(),
    };
    CliError::usage(format!("'{text}' is neither {}", accepted.join(" nor "))).help(help)
}

fn illegal_move(error: &IllegalMove) -> CliError {
    let similar = most_similar(&error.text, error.legal.iter().map(String::as_str), 3);
    let help = match error.legal.len() {
        0 => "the position has no legal moves".to_owned(),
        _ if similar.is_empty() => format!("the legal moves are: {}", error.legal.join(" ")),
        _ => format!("similar legal moves: {}", similar.join(", ")),
    };
    CliError::usage(error).help(help)
}

fn warn_of_ignored_fields(fen: &str, context: &Context) {
    let Ok(setup) = Setup::from_fen(fen) else { return };
    if !context.global.quiet {
        setup.warnings().into_iter().for_each(warn);
    }
}

/// Returns the names most similar to `text`, the most similar first. Names that are not similar at all are left out.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let mut similar: Vec<(f64, &str)> = names
        .map(|name| (strsim::jaro_winkler(&text.to_lowercase(), name), name))
        .filter(|(similarity, _)| *similarity > 0.6)
        .collect();
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    similar.into_iter().take(count).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_names_come_first() {
        let names = ["start", "kiwipete", "endgame"];
        assert_eq!(most_similar("Kiwipet", names.into_iter(), 1), ["kiwipete"]);
        assert_eq!(most_similar("zzz", names.into_iter(), 1), [""; 0]);
        let moves = ["e2e3", "e2e4", "d2d4", "g1f3"];
        assert_eq!(most_similar("e2e5", moves.into_iter(), 2), ["e2e3", "e2e4"]);
    }
}
