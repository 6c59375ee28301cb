//! Positions from arguments and from standard input.

use std::io::BufRead;

use perft_core::suite::{builtin, epd};
use perft_core::{MoveError, find_move};
use perft_core::{Position, Setup};

use super::args::PositionArgs;
use super::context::Context;
use super::error::{CliError, warn};

/// Hands each position that the arguments ask for to `each`: one, or one a line of standard input.
pub fn for_each_position(
    args: &PositionArgs,
    context: &Context,
    mut each: impl FnMut(&Position) -> Result<(), CliError>,
) -> Result<(), CliError> {
    if args.fen != "-" {
        return each(&one_position(args, context)?);
    }
    for (index, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| CliError::usage(format!("cannot read standard input: {error}")))?;
        let text = line.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() && !text.starts_with('#') {
            each(&position(epd::fen_of(text), Some("standard input"), index + 1, args, context)?)?;
        }
    }
    Ok(())
}

/// The one position that the arguments ask for, where a stream of them makes no sense.
pub fn one_position(args: &PositionArgs, context: &Context) -> Result<Position, CliError> {
    if is_stream(args) {
        let refusal = CliError::usage("--fen - stands for many positions, and this command takes one");
        return Err(refusal.help("a FEN, or a name: perft positions lists them"));
    }
    position(&args.fen, None, 1, args, context)
}

/// True if several positions will come.
pub fn is_stream(args: &PositionArgs) -> bool {
    args.fen == "-"
}

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
            return Err(unknown_name(text, "a FEN nor the name of a position"));
        }
        None => {
            let position = Position::from_fen(text).map_err(|error| CliError::fen(&error, origin, line))?;
            warn_of_what_is_left_out(text, context);
            position
        }
    };
    args.moves.iter().filter(|text| !text.trim().is_empty()).try_fold(start, |position, text| {
        let found = find_move(&position, text.trim()).map_err(|error| illegal_move(&error))?;
        Ok(position.play_unchecked(found))
    })
}

/// True of what is no FEN and no path.
pub fn looks_like_a_name(text: &str) -> bool {
    !text.contains(['/', ' ', '\t'])
}

/// Refuses a name, saying what it is not, and what it is like.
pub fn unknown_name(text: &str, what_it_is_not: &str) -> CliError {
    let names = builtin::named().iter().map(|case| case.name());
    let help = match nearest(text, names, 1).first() {
        Some(name) => format!("did you mean '{name}'? 'perft positions' lists all"),
        None => "'perft positions' lists all names; a FEN must be quoted".to_owned(),
    };
    CliError::usage(format!("'{text}' is neither {what_it_is_not}")).help(help)
}

fn illegal_move(error: &MoveError) -> CliError {
    let near = nearest(&error.text, error.legal.iter().map(String::as_str), 3);
    let help = match error.legal.len() {
        0 => "there is no legal move".to_owned(),
        _ if near.is_empty() => format!("legal are: {}", error.legal.join(" ")),
        _ => format!("legal and like it: {}", near.join(", ")),
    };
    CliError::usage(error).help(help)
}

fn warn_of_what_is_left_out(fen: &str, context: &Context) {
    let Ok(setup) = Setup::from_fen(fen) else { return };
    if !context.global.quiet {
        setup.warnings().into_iter().for_each(warn);
    }
}

/// The names most like a text, the nearest first; none that is not like it at all.
pub fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let mut near: Vec<(f64, &str)> = names
        .map(|name| (strsim::jaro_winkler(&text.to_lowercase(), name), name))
        .filter(|(likeness, _)| *likeness > 0.6)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().take(count).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first() {
        let names = ["start", "kiwipete", "endgame"];
        assert_eq!(nearest("Kiwipet", names.into_iter(), 1), ["kiwipete"]);
        assert_eq!(nearest("zzz", names.into_iter(), 1), [""; 0]);
        let moves = ["e2e3", "e2e4", "d2d4", "g1f3"];
        assert_eq!(nearest("e2e5", moves.into_iter(), 2), ["e2e3", "e2e4"]);
    }
}
