//! The arguments that name a position and a depth.

use std::path::Path;

use clap::Args;
use perft_core::internals::AlgebraicMove;
use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Position};

use super::parse_depth;
use super::words::{TypedPosition, first_word, is_number, joined, take_number};
use crate::output::error::CliError;
use crate::system::command_line::quoted;
use crate::system::program::{is_command, to_run};

/// Which position to use, and how deep to go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Position and depth")]
pub struct PositionArgs {
    /// Position (a name or a FEN) and depth: kiwipete 5
    ///
    /// A FEN needs no quotes. Moves may follow the position, in UCI or standard algebraic notation: startpos moves e2e4
    /// Nf6. The lines of UCI, "position startpos moves ..." and "position fen ...", are read too. The last number is
    /// the depth.
    #[arg(value_names = ["POSITION", "DEPTH"], num_args = 0.., allow_negative_numbers = true, display_order = 1)]
    pub words: Vec<String>,
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, display_order = 2)]
    depth: Option<u32>,
    /// Position: a FEN, a name, or "-" to read one per line [default: start]
    ///
    /// X-FEN and Shredder-FEN are read too. "perft list positions" lists the names. With "-", every line of standard
    /// input is a position.
    #[arg(short, long, value_name = "FEN|NAME|-", value_parser = parse_position, display_order = 3)]
    fen: Option<String>,
    /// Moves to play first: e2e4,e7e5 or 'e4 e5'
    ///
    /// They are separated by commas or blanks, and written in UCI or standard algebraic notation.
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',', display_order = 4)]
    moves: Vec<String>,
    /// Print castling moves in Chess960 notation (king takes rook); both notations are always accepted as input
    #[arg(long, hide_short_help = true, display_order = 5)]
    chess960: bool,
}

/// The root of a count and its depth, as the user gave them.
#[derive(Clone, Debug)]
pub struct Root {
    /// A FEN, a name, or `-` for standard input.
    pub position: String,
    /// The moves to play from there, one per item.
    pub moves: Vec<String>,
    /// The depth in plies; 0 if each question on standard input has its own.
    pub depth: u32,
    /// Whether a depth was given.
    pub has_depth: bool,
    /// Whether castling moves are printed in Chess960 notation, even if the position does not need it.
    pub is_chess960: bool,
    /// The command that would read these positions from standard input, if no position was named.
    pub reader: Option<String>,
}

impl PositionArgs {
    /// Returns the position and the depth that the words and the flags give together. `default` is the depth if
    /// neither gives one. Examples in messages begin with `command`, such as `perft divide`.
    ///
    /// # Errors
    /// A part was given twice or in the wrong place, the depth is not valid, or there is no depth.
    pub fn root(&self, command: &str, default: Option<u32>) -> Result<Root, CliError> {
        // Without quotes, the rest of the FEN of `--fen` is in the words.
        let words: Vec<String> = self.fen.iter().chain(&self.words).cloned().collect();
        let typed = read_words(&words, command)?;
        let depth = one_depth(typed.depth, self.depth)?;
        let flag_moves: Vec<String> =
            self.moves.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
        if let (Some(first), Some(flagged)) = (typed.moves.first(), flag_moves.first()) {
            return Err(given_twice("line", &format!("moves {first} ..."), &format!("--moves {flagged}")));
        }
        let is_named = !typed.position.is_empty();
        let position = if is_named { typed.position } else { "start".to_owned() };
        let moves = if flag_moves.is_empty() { typed.moves } else { flag_moves };
        let keyword = if moves.is_empty() { "" } else { " moves " };
        let line =
            |position: &str, depth| format!("{command} {position}{keyword}{} {depth}", moves.join(" "));
        let depth = depth.or(default);
        if depth.is_none() && position != "-" {
            return Err(without_depth(&line(&quoted(&position), 5)));
        }
        let (depth, has_depth) = (depth.unwrap_or(0), depth.is_some());
        let reader = (!is_named).then(|| line("-", depth));
        Ok(Root { position, moves, depth, has_depth, is_chess960: self.chess960, reader })
    }
}

/// Reads words that name a position, moves and a depth. Examples in messages begin with `command`.
///
/// # Errors
/// A part was given twice, or a word is none of these parts.
pub fn read_words(words: &[String], command: &str) -> Result<TypedPosition, CliError> {
    if words.iter().any(|word| word.trim().is_empty()) {
        let help = "give a FEN or a name; an unset variable of a shell is an empty text";
        return Err(CliError::usage("the text of a position is empty").help(help));
    }
    let typed = TypedPosition::of_words(words);
    let first = first_word(&typed.position);
    // A FEN is checked where it is read.
    if !first.contains('/') {
        refuse_second_number(&typed)?;
    }
    if is_known(&typed.position) {
        return Ok(typed);
    }
    let refusal = if is_known(first) { Some(leftover(&typed, command)) } else { misplaced(&typed, command) };
    refusal.map_or(Ok(typed), Err)
}

impl Root {
    /// Whether positions are read from standard input, one per line.
    pub fn is_stream(&self) -> bool {
        self.position == "-"
    }

    /// Returns the castling notation to print for a position.
    pub fn notation(&self, position: &Position) -> CastlingNotation {
        if self.is_chess960 { CastlingNotation::Chess960 } else { position.castling_notation() }
    }

    /// Returns the position and the moves as they were given, as a name for people.
    pub fn name(&self) -> String {
        match self.moves.as_slice() {
            [] => self.position.clone(),
            moves => format!("{} {}", self.position, moves.join(" ")),
        }
    }

    /// Returns the position and the moves as words that select the same position in another run of this program:
    /// `kiwipete moves e1g1`.
    pub fn words(&self) -> Vec<String> {
        let moves = if self.moves.is_empty() { None } else { Some("moves".to_owned()) };
        [self.position.clone()].into_iter().chain(moves).chain(self.moves.clone()).collect()
    }

    /// Returns the flags that select the same position in another run of this program.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = vec!["--fen".to_owned(), self.position.clone()];
        if !self.moves.is_empty() {
            flags.extend(["--moves".to_owned(), self.moves.join(",")]);
        }
        flags
    }

    /// Refuses the depth 0 for a command that shows root moves.
    pub fn with_root_moves(self) -> Result<Root, CliError> {
        match self.depth {
            0 if self.has_depth => Err(CliError::usage("depth 0 has no root moves")
                .help("a divide includes the root move; give a depth of at least 1")),
            _ => Ok(self),
        }
    }
}

/// Returns the positions, suites and files of a list, and the depth. The depth is a number at the end of the list, or
/// `flag`.
///
/// # Errors
/// The depth is not valid, or was given twice.
pub fn names_and_depth(words: &[String], flag: Option<u32>) -> Result<(Vec<String>, Option<u32>), CliError> {
    let is_depth = |word: &str| is_number(word) && !Path::new(word).exists();
    let mut names = joined(words);
    let depth = take_number(&mut names, is_depth);
    match (names.iter().find(|name| is_depth(name)), depth) {
        (Some(other), Some(depth)) => Err(given_twice("depth", other, &depth)),
        (_, depth) => Ok((names, one_depth(depth, flag)?)),
    }
}

/// Returns the depth that was given as a word or with the flag.
///
/// # Errors
/// The depth is not valid, or was given twice.
pub fn one_depth(word: Option<String>, flag: Option<u32>) -> Result<Option<u32>, CliError> {
    match (word, flag) {
        (Some(word), Some(flag)) => Err(given_twice("depth", &word, &format!("--depth {flag}"))),
        (Some(word), None) => checked_depth(&word).map(Some),
        (None, flag) => Ok(flag),
    }
}

/// Parses the value of `--fen`. A number is refused: it would be read as the depth.
fn parse_position(text: &str) -> Result<String, String> {
    if is_number(text) {
        return Err(format!("a number is a depth, not a position; leave out --fen: perft {text}"));
    }
    Ok(text.to_owned())
}

/// Returns the error for a position without a depth. `line` is a command with one.
pub fn without_depth(line: &str) -> CliError {
    CliError::usage("no depth was given").help(format!("add a number of plies, as in: {line}"))
}

fn given_twice(what: &str, one: &str, other: &str) -> CliError {
    CliError::usage(format!("the {what} was given twice: {one} and {other}")).help("leave out one of them")
}

fn checked_depth(text: &str) -> Result<u32, CliError> {
    parse_depth(text).map_err(|accepted| CliError::usage(format!("'{text}' is not a depth")).help(accepted))
}

fn refuse_second_number(typed: &TypedPosition) -> Result<(), CliError> {
    let named = if is_known(&typed.position) { "" } else { typed.position.as_str() };
    let mut words = named.split(' ').chain(typed.moves.iter().map(String::as_str));
    match (words.find(|word| is_number(word)), &typed.depth) {
        (Some(other), Some(depth)) => Err(given_twice("depth", other, depth)),
        _ => Ok(()),
    }
}

/// Returns the error for words after the name of a position that are not a depth.
fn leftover(typed: &TypedPosition, command: &str) -> CliError {
    let (name, rest) = typed.position.split_once(' ').unwrap_or((&typed.position, ""));
    let first = first_word(rest);
    if is_known(first) || first.contains('/') {
        let message = format!("two positions were given: '{name}' and '{rest}'");
        return CliError::usage(message).help("leave out one of them");
    }
    if is_move(first) {
        return without_keyword(&format!("{name} "), rest, typed, command);
    }
    match &typed.depth {
        None => CliError::usage(format!("'{first}' is not a depth"))
            .help(format!("give a number of plies, as in: {command} {name} 5")),
        Some(depth) => CliError::usage(format!("'{rest}' is neither a move nor a depth"))
            .help(format!("leave it out: {command} {name} {depth}")),
    }
}

/// Returns the error for a text that this program reads elsewhere, but that is not a position.
fn misplaced(typed: &TypedPosition, command: &str) -> Option<CliError> {
    let text = typed.position.as_str();
    let first = first_word(text);
    let refusal = |what: &str| CliError::usage(format!("'{first}' is {what}, not a position"));
    if builtin::suite(first).is_some() {
        return Some(refusal("a suite").help(format!("check it with: perft suite {first}")));
    }
    if is_command(first) && first.len() > 2 {
        return Some(refusal("a program").help(format!("find its bugs with: perft hunt {}", quoted(first))));
    }
    if Path::new(first).is_file() {
        let (file, depth) = (quoted(first), typed.depth.as_deref().unwrap_or("5"));
        let against = format!("{command} {depth} --against {file}");
        let check = match to_run(first) {
            Some(program) => format!("perft hunt {} finds the bugs of a program", quoted(&program)),
            None if command == "perft divide" && first.ends_with(".txt") => {
                format!("{against} compares with the output of a program")
            }
            None => format!("perft suite {file} checks its known counts"),
        };
        let help = format!("{check}; {command} - {depth} < {file} reads a position from each line");
        return Some(refusal("a file").help(help));
    }
    if is_move(first) {
        return Some(without_keyword("", text, typed, command));
    }
    let name = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let (name, depth) = (name.trim_end_matches(['=', ':', ',', '-']), &first[name.len()..]);
    let is_glued = !depth.is_empty() && builtin::position(name).is_some();
    is_glued.then(|| {
        CliError::usage(format!("'{first}' is not the name of a position"))
            .help(format!("put a blank before the depth: {command} {name} {depth}"))
    })
}

/// Returns the error for moves without the word `moves` before them. `position` ends with a blank, or is empty.
fn without_keyword(position: &str, moves: &str, typed: &TypedPosition, command: &str) -> CliError {
    let first = first_word(moves);
    let depth = typed.depth.as_deref().unwrap_or("5");
    CliError::usage(format!("the word 'moves' is missing before '{first}'"))
        .help(format!("put it there: {command} {position}moves {moves} {depth}"))
}

/// Whether a word has the form of a move.
pub fn is_move(word: &str) -> bool {
    AlgebraicMove::parse(word).is_some() && !word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a word names positions without being a FEN.
fn is_known(word: &str) -> bool {
    word == "-" || builtin::position(word).is_some()
}
