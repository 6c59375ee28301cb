//! Reads the positions that arguments name.

use perft_core::internals::{AlgebraicMove, fen_of_epd};
use perft_core::suite::{builtin, named};
use perft_core::{IllegalMove, Move, Position, Setup, find_move, legal_moves};
use perft_diagnosis::MovePath;
use perft_diagnosis::lines::{read_line, to_text};

use super::args::{Root, Typed};
use super::context::Context;
use super::error::{CliError, warn};

/// Calls `each` with every position that the arguments name: one, or one per line of standard input.
pub fn for_each_position(
    root: &Root,
    context: &Context,
    mut each: impl FnMut(&Position) -> Result<(), CliError>,
) -> Result<(), CliError> {
    if !root.is_stream() {
        return each(&one_position(root, context)?);
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
            let line = Line { origin: Some("standard input"), number };
            each(&played(line.read(without_operations(text), context)?, &root.moves)?)?;
        }
    }
    Ok(())
}

/// Returns a line without the operations of EPD. A line of UCI, such as `position startpos moves e2e4`, has none.
fn without_operations(line: &str) -> &str {
    let starts_with_board = line.split(' ').next().is_some_and(|word| word.contains('/'));
    let has_moves = line.contains(" moves ") && !line.contains(';');
    if starts_with_board && !has_moves { fen_of_epd(line) } else { line }
}

/// Returns the one position that the arguments name.
///
/// # Errors
/// The text is not a position, a move is not legal, or positions would come from standard input.
pub fn one_position(root: &Root, context: &Context) -> Result<Position, CliError> {
    Ok(one_path(root, context)?.end)
}

/// Returns the one position that the arguments name, with the moves that lead to it, so that an engine plays them too.
///
/// # Errors
/// As [`one_position`].
pub fn one_path(root: &Root, context: &Context) -> Result<MovePath, CliError> {
    if root.is_stream() {
        let refusal = CliError::usage("this command takes one position, but '-' reads many");
        return Err(refusal.help("give a FEN or a name; 'perft positions' lists the names"));
    }
    path(&root.position, &root.moves, context)
}

/// Returns the position that an argument names, and these moves from there. The text itself may have moves too.
pub fn path(text: &str, moves: &[String], context: &Context) -> Result<MovePath, CliError> {
    let typed = Typed::of_text(text);
    let start = position(&typed.position, &[], context)?;
    typed
        .moves
        .iter()
        .chain(moves)
        .try_fold(MovePath::new(start), |path, text| Ok(path.played(legal_move(&path.end, text)?)))
}

/// Returns the position that an argument names, after these moves. The text itself may have moves too.
pub fn position(text: &str, moves: &[String], context: &Context) -> Result<Position, CliError> {
    played(Line { origin: None, number: 1 }.read(text, context)?, moves)
}

/// Where a text comes from.
struct Line {
    /// The file; `None` for an argument.
    origin: Option<&'static str>,
    number: usize,
}

impl Line {
    /// Returns the position that a text names, after the moves in the text.
    fn read(&self, text: &str, context: &Context) -> Result<Position, CliError> {
        let typed = Typed::of_text(text);
        let text = typed.position.as_str();
        let start = match builtin::position(text) {
            Some(case) => case.position,
            None if looks_like_a_name(text) => {
                return Err(unknown_name(text, &["a FEN", "the name of a position"]));
            }
            None => {
                let read = Position::from_fen(text);
                let position = read.map_err(|error| CliError::fen(&error, self.origin, self.number))?;
                warn_of_ignored_fields(text, context);
                position
            }
        };
        played(start, &typed.moves)
    }
}

/// Returns the position after these moves.
fn played(start: Position, moves: &[String]) -> Result<Position, CliError> {
    moves.iter().try_fold(start, |position, text| Ok(position.play_unchecked(legal_move(&position, text)?)))
}

/// Returns the legal move that a text means.
fn legal_move(position: &Position, text: &str) -> Result<Move, CliError> {
    find_move(position, text).map_err(|error| illegal_move(&error, position))
}

/// Whether a text is neither a FEN nor a path.
pub fn looks_like_a_name(text: &str) -> bool {
    !text.contains('/')
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

fn illegal_move(error: &IllegalMove, position: &Position) -> CliError {
    let meant = meanings(position, &error.text);
    if !meant.is_empty() {
        let message = format!("'{}' can mean several moves in {}", error.text, error.fen);
        return CliError::usage(message).help(format!("give one of them: {}", meant.join(", ")));
    }
    let similar = most_similar(&error.text, error.legal.iter().map(String::as_str), 3);
    let help = match error.legal.len() {
        0 => "the position has no legal moves".to_owned(),
        _ if similar.is_empty() => format!("the legal moves are: {}", error.legal.join(" ")),
        _ => format!("similar legal moves: {}", similar.join(", ")),
    };
    CliError::usage(error).help(help)
}

/// Returns the legal moves that a text in standard algebraic notation can mean.
fn meanings(position: &Position, text: &str) -> Vec<String> {
    let Some(written) = AlgebraicMove::parse(text) else { return Vec::new() };
    let meant = legal_moves(position).into_iter().filter(|played| written.can_mean(position, *played));
    meant.map(|played| played.to_uci(position.castling_notation())).collect()
}

fn warn_of_ignored_fields(fen: &str, context: &Context) {
    let Ok(setup) = Setup::from_fen(fen) else { return };
    if !context.global.quiet {
        setup.warnings().into_iter().for_each(warn);
    }
}

/// Returns the names that `text` can be a slip for, the nearest first.
///
/// A name counts if it begins with the text, or if a few letters are wrong, missing, too many or exchanged: one in a
/// word of up to five letters, three in a long one. A digit is not a slip for a letter.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let allowed = match text.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let lower = name.to_lowercase();
        if text.len() > 2 && lower.starts_with(&text) {
            return Some(0);
        }
        let wrong = strsim::osa_distance(&text, &lower);
        (wrong <= allowed && digits(&text) == digits(&lower)).then_some(wrong)
    };
    let mut similar: Vec<(usize, &str)> = names.filter_map(|name| Some((distance(name)?, name))).collect();
    similar.sort_by_key(|(wrong, _)| *wrong);
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

    #[test]
    fn only_near_names_are_suggested() {
        let names = || {
            let cases = named().cases.iter().map(|case| case.name());
            cases.chain([
                "divide",
                "stats",
                "suite",
                "hunt",
                "work",
                "plan",
                "positions",
                "diagnose",
                "explore",
            ])
        };
        for (typed, name) in [
            ("kiwipeet", "kiwipete"),
            ("kiwi", "kiwipete"),
            ("Kiwipet", "kiwipete"),
            ("strat", "start"),
            ("endgmae", "endgame"),
            ("talkches", "talkchess"),
            ("divde", "divide"),
            ("dvidie", "divide"),
            ("huntt", "hunt"),
            ("diagnos", "diagnose"),
            ("position", "positions"),
        ] {
            assert_eq!(most_similar(typed, names(), 1), [name], "{typed}");
        }
        for typed in
            ["position3", "position9", "w", "KQkq", "d", "x", "", "e4", "nonsense", "queen", "rnbqkbnr"]
        {
            assert_eq!(most_similar(typed, names(), 1), [""; 0], "{typed}");
        }
    }
}
