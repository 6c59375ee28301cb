//! The positions of the command line: the arguments that name them, reading them, and a report for each of them.
//!
//! The words of a command with one position become a [`Game`] here, once. The words of `hunt`, `bench` and `diagnose`
//! may also name engines, suites and files. Those commands sort their words, and [`path`] reads the positions.

use std::io::Write;

use clap::Args;
use perft_core::internals::find_fen;
use perft_core::suite::builtin;
use perft_core::{CastlingNotation, IllegalMove, Position, Square};
use perft_diagnosis::lines::{read_line, to_text};
use perft_diagnosis::{Explanation, MovePath, Theme, explain, explanations};

use super::parse_depth;
use super::texts::{UnreadInput, refuse_utf16};
use super::words::{Typed, first_word, given_twice, is_number, one_depth, split_moves};
use super::wrong_words::{most_similar, no_depth, unknown_name};
use crate::output::{
    CliError, Context, Digits, Format, INCOMPLETE, PositionInfo, Report, emit, tabular, warn, write_json,
};
use crate::system::command_line::{again, arguments, to_type};

/// The lines of UCI that say nothing about a position.
const UCI_LINES: [&str; 6] = ["uci", "isready", "ucinewgame", "setoption", "stop", "quit"];

/// Which position to use, and how deep to go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Position and depth")]
pub struct PositionArgs {
    /// Position (a name or a FEN) and depth: kiwipete 5
    ///
    /// A FEN needs no quotes. Moves may follow the position, in UCI or standard algebraic notation: startpos moves e2e4
    /// Nf6. The word "moves" may be left out. The lines of UCI, "position startpos moves ..." and "position fen ...", are
    /// read too. The last number is the depth.
    #[arg(value_names = ["POSITION", "DEPTH"], num_args = 0.., allow_negative_numbers = true, display_order = 1)]
    pub words: Vec<String>,
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, display_order = 2)]
    depth: Option<u32>,
    /// Position: a FEN, a name, or "-" to read one per line [default: start]
    ///
    /// X-FEN and Shredder-FEN are read too. "perft list positions" lists the names. With "-", every line of standard
    /// input is a position.
    #[arg(short, long, value_name = "FEN|NAME|-", display_order = 3)]
    fen: Option<String>,
    /// Moves to play first: e2e4,e7e5 or 'e4 e5'
    ///
    /// They are separated by commas or blanks, and written in UCI or standard algebraic notation.
    #[arg(short, long, value_name = "MOVES", display_order = 4)]
    moves: Vec<String>,
    /// Print castling moves in Chess960 notation (king takes rook); both notations are always accepted as input
    #[arg(long, hide_short_help = true, display_order = 5)]
    chess960: bool,
}

/// A game to count: where it begins, its moves, and the depth below its last position.
#[derive(Clone, Debug)]
pub struct Game {
    /// The start, the moves, and the position to count.
    pub path: MovePath,
    /// The depth in plies.
    pub depth: u32,
    /// How castling moves are printed.
    pub notation: CastlingNotation,
    /// The words that name the game in another command: `kiwipete moves e1g1`.
    pub words: Vec<String>,
}

/// The games that the arguments name.
pub enum Games {
    /// One game, and the command that reads games from standard input, if no position was named.
    One(Box<Game>, Option<String>),
    /// A game in each line of standard input. The depth is `None` if each question there has its own.
    Input { moves: Vec<String>, depth: Option<u32>, is_chess960: bool },
}

impl PositionArgs {
    /// Reads the games. `default` is the depth if none is given.
    ///
    /// # Errors
    /// A part was given twice or in the wrong place, the depth is not valid, or there is no depth; a text is not a
    /// position, or a move is not legal.
    pub fn games(&self, default: Option<u32>, context: &Context) -> Result<Games, CliError> {
        // Without quotes, the rest of the FEN of `--fen` is in the words.
        let words: Vec<String> = self.fen.iter().chain(&self.words).cloned().collect();
        if words.iter().any(|word| word.trim().is_empty()) {
            let help = "give a FEN or a name; an unset variable of a shell is an empty text";
            return Err(CliError::usage("the text of a position is empty").help(help));
        }
        if let Some(number) = self.fen.as_ref().filter(|fen| is_number(fen)) {
            return Err(CliError::usage(format!("'{number}' is a depth, not a position"))
                .suggest("leave out --fen", &again(&[("--fen", &[])])));
        }
        let mut typed = Typed::of(&words);
        let depth = one_depth(&typed.depths, self.depth)?.or(default);
        let flagged = split_moves(&self.moves);
        if let (Some(first), Some(_)) = (typed.moves.first(), flagged.first()) {
            let [flag, all] = [flagged.join(","), [&flagged[..], &typed.moves].concat().join(",")];
            let without = typed.moves.iter().map(|word| (word.as_str(), &[][..]));
            let line = again(&without.chain([(flag.as_str(), &[all.as_str()][..])]).collect::<Vec<_>>());
            let error = given_twice("line", &format!("moves {first} ..."), &format!("--moves {flag}"));
            return Err(if typed.has_keyword { error } else { error.suggest("for one line, type", &line) });
        }
        typed.refuse_others(context)?;
        typed.moves.extend(flagged);
        let is_named = !typed.positions.is_empty();
        if !is_named {
            typed.positions.push("start".to_owned());
        }
        if typed.positions[0] == "-" {
            return Ok(Games::Input { moves: typed.moves, depth, is_chess960: self.chess960 });
        }
        let path = path(&typed.positions[0], &typed.moves, context).map_err(|error| {
            // A depth may look like a pawn move.
            let epd = typed.moves.first().filter(|text| text.starts_with(['d', 'D']) && depth.is_none());
            epd.filter(|_| !typed.has_keyword).map_or(error, |text| no_depth(text))
        })?;
        let Some(depth) = depth else { return Err(without_depth()) };
        let reader = if is_named { None } else { to_type(&[arguments(), vec!["-".to_owned()]].concat()) };
        Ok(Games::One(Box::new(Game::new(path, depth, self.chess960, typed.words())), reader))
    }

    /// Reads the one game of a command that takes no games from standard input.
    ///
    /// # Errors
    /// The same as for [`PositionArgs::games`], or the games would come from standard input.
    pub fn game(&self, default: Option<u32>, context: &Context) -> Result<Game, CliError> {
        match self.games(default, context)? {
            Games::One(game, _) => Ok(*game),
            Games::Input { .. } => Err(many_games()),
        }
    }
}

impl Game {
    fn new(path: MovePath, depth: u32, is_chess960: bool, words: Vec<String>) -> Game {
        let own = path.end.castling_notation();
        Game { path, depth, notation: if is_chess960 { CastlingNotation::Chess960 } else { own }, words }
    }

    pub fn position(&self) -> &Position {
        &self.path.end
    }

    /// Describes the position in a report.
    pub fn info(&self) -> PositionInfo {
        PositionInfo::new(self.position(), self.notation)
    }

    /// Refuses the depth 0 for a command that shows root moves.
    pub fn with_root_moves(self) -> Result<Game, CliError> {
        match self.depth {
            0 => Err(CliError::usage("depth 0 has no root moves")
                .help("a divide includes the root move; give a depth of at least 1")),
            _ => Ok(self),
        }
    }
}

impl Games {
    /// Makes a report of each position with `report`, and prints it.
    ///
    /// If there are several reports, each says which position it belongs to. Their JSON has one line per report, and their
    /// comma-separated values are one table. `report` may print text before its report is printed. It returns the report,
    /// and the reason if the report is incomplete.
    ///
    /// # Errors
    /// A position cannot be read, a report cannot be made or is incomplete, or the output cannot be written.
    pub fn report_each<R: Report, W: Write>(
        self,
        format: Format,
        context: &Context,
        out: &mut W,
        mut report: impl FnMut(Game, &mut W) -> Result<(R, Result<(), CliError>), CliError>,
    ) -> Result<(), CliError> {
        let are_several = matches!(self, Games::Input { .. });
        let mut is_first = true;
        self.for_each(context, |game| {
            let position = *game.position();
            match format {
                _ if !are_several => {}
                Format::Json | Format::Csv => {}
                Format::Markdown => writeln!(out, "{position}\n")?,
                _ => writeln!(out, "{position}")?,
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

    /// Calls `each` with every game. A line `go perft 3` of standard input asks for another depth of the last game.
    ///
    /// # Errors
    /// `each` returns one, or a line of standard input is no game.
    fn for_each(
        self,
        context: &Context,
        mut each: impl FnMut(Game) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let (moves, depth, is_chess960) = match self {
            Games::One(game, reader) => {
                let _unread = UnreadInput::watch(reader);
                return each(*game);
            }
            Games::Input { moves, depth, is_chess960 } => (moves, depth, is_chess960),
        };
        let mut path = MovePath::new(Position::start());
        let mut is_asked = depth.is_some();
        let mut input = std::io::stdin().lock();
        for number in 1.. {
            let line = read_line(&mut input).map_err(|error| {
                CliError::usage(format!("cannot read line {number} of standard input")).because(error)
            })?;
            let Some(line) = line else { break };
            refuse_utf16("standard input", &line)?;
            let line = to_text(&line);
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') || UCI_LINES.contains(&first_word(text)) {
                continue;
            }
            let in_line = |error: CliError| error.in_line("standard input", number);
            let depth = match depth_of_question(text) {
                Some(depth) => one_depth(&[depth.to_owned()], None).map_err(in_line)?,
                None => {
                    path = read(fen_of_line(text), &moves, Some(number), context).map_err(in_line)?;
                    depth
                }
            };
            if let Some(depth) = depth {
                is_asked = true;
                each(Game::new(path.clone(), depth, is_chess960, Vec::new()))?;
            }
        }
        if is_asked { Ok(()) } else { Err(without_depth()) }
    }
}

/// Returns the error for games from standard input, where only one is possible.
pub fn many_games() -> CliError {
    CliError::usage("this command takes one position, but '-' reads many")
        .help("give a FEN or a name; 'perft list positions' lists the names")
}

/// Returns the depth of a line such as `go perft 3`.
fn depth_of_question(line: &str) -> Option<&str> {
    let mut words =
        line.split_whitespace().skip_while(|word| ["go", "perft", "divide", "depth"].contains(word));
    let depth = words.next().filter(|word| is_number(word) && words.next().is_none())?;
    (depth != line).then_some(depth)
}

/// Returns the FEN of a line, without the text before and after it. A line of UCI, such as `position fen ... moves
/// e2e4`, stays as it is.
fn fen_of_line(line: &str) -> &str {
    let has_moves = line.contains(" moves ") && !line.contains(';');
    match find_fen(line) {
        Some(found) if !has_moves => found.text(line, 2),
        _ => line,
    }
}

/// Returns the path from the position that an argument names: first along the moves in the text of the argument, then
/// along `moves`.
///
/// # Errors
/// The text is not a position, or a move is not legal.
pub fn path(text: &str, moves: &[String], context: &Context) -> Result<MovePath, CliError> {
    // An argument may be a line that was copied from an EPD file.
    let is_line = text.contains(';') || text.contains("://");
    read(if is_line { fen_of_line(text) } else { text }, moves, None, context)
}

/// Returns the path from the position that a text names, along the moves in the text and then along `moves`. The text
/// is a line of standard input with this number, or an argument.
fn read(text: &str, moves: &[String], line: Option<usize>, context: &Context) -> Result<MovePath, CliError> {
    let typed = Typed::of(&[text.to_owned()]);
    let unknown =
        |text: &str| unknown_name(text, "neither a FEN nor the name of a position", &context.given.commands);
    let [text] = typed.positions.as_slice() else { return Err(unknown(text)) };
    if let Some(other) = typed.others.first().or(typed.depths.first()) {
        return Err(unknown(other));
    }
    let start = match builtin::position(text) {
        Some(case) => MovePath::of_fen(&case.fen, case.position),
        None if text == "-" => return Err(unknown(text)),
        None => {
            let origin = line.map(|_| "standard input");
            let read = Position::from_fen_with_warnings(text);
            let (position, warnings) =
                read.map_err(|error| CliError::fen(&error, origin, line.unwrap_or(1)))?;
            warnings.into_iter().for_each(warn);
            MovePath::of_fen(text, position)
        }
    };
    typed.moves.iter().chain(moves).try_fold(start, |path, text| {
        let played = path.end.find_move(text).map_err(|error| illegal_move(&error, &path.end))?;
        Ok(path.played(played))
    })
}

fn without_depth() -> CliError {
    let line = [arguments(), vec!["5".to_owned()]].concat();
    CliError::usage("no depth was given").suggest("add a number of plies, as in", &line)
}

fn illegal_move(error: &IllegalMove, position: &Position) -> CliError {
    let explained = explanations(position, &error.text);
    let meant = |is_legal: bool| {
        let meant = explained.iter().filter(move |meant| meant.why.is_legal == is_legal);
        meant.map(|meant| meant.text.as_str()).collect::<Vec<_>>()
    };
    if let legal @ [_, ..] = meant(true).as_slice() {
        return CliError::usage(format!("'{}' can mean several moves in {}", error.text, error.fen))
            .help(format!("give one of them: {}", legal.join(", ")));
    }
    let Explanation { text, theme, .. } = explain(position, &error.text);
    let reason = if theme == Theme::Notation { String::new() } else { format!("{text}; ") };
    CliError::usage(error).help(reason + &legal_instead(error, &meant(false)))
}

/// Returns the text to type instead: the legal moves from the squares of the moves that were meant, otherwise those with
/// similar names, otherwise all.
fn legal_instead(error: &IllegalMove, meant: &[&str]) -> String {
    let legal = || error.legal.iter().map(String::as_str);
    let is_whole = |text: &&&str| text.get(2..4).is_some_and(|square| square.parse::<Square>().is_ok());
    let is_near = |played: &&str| meant.iter().filter(is_whole).any(|text| text[..2] == played[..2]);
    let near: Vec<&str> = legal().filter(is_near).collect();
    let similar = most_similar(&error.text, legal(), 3);
    match [near, similar, legal().collect()].into_iter().find(|moves| !moves.is_empty()) {
        Some(moves) => format!("legal moves: {}", moves.join(", ")),
        None => "the position has no legal moves".to_owned(),
    }
}
