//! Compares our divide with that of another program: with its output in a file or on standard input, or with an engine.

use std::io::{IsTerminal, Write, stdin};
use std::process::ExitCode;

use perft_core::{CastlingNotation, Interrupted, RootMove, StopSignal};
use perft_diagnosis::Told;
use perft_diagnosis::source::{Abilities, Question, SourceError};

use super::comparison::{Answered, DivideComparison};
use super::{DivideArgs, timed};
use crate::engine::EngineSpec;
use crate::input::{
    Counting, EngineArgs, Game, Word, command, hunt_of, read_answer, read_lines, refuse_options, refuse_rival,
};
use crate::output::{CliError, CliErrorKind, Context, WaitNote, emit, note};
use crate::report::engine::{EngineInfo, ability_notes, check_asked};

/// Compares our divide with the one of `--against`.
pub fn compare(
    text: &str,
    args: &DivideArgs,
    counting: &Counting,
    context: &Context,
    out: &mut impl Write,
) -> Result<ExitCode, CliError> {
    let refusal = "this format is for one divide, but --against compares two";
    let format = args.format_of_table(refusal)?;
    let game = args.position.game(None, context)?.with_root_moves()?;
    let (spec, lines) = open(text, &args.engine, context)?;
    let (ours, seconds) = timed(&game, counting, context)?;
    let ours: Vec<RootMove> =
        ours.into_iter().map(|(played, leaves)| RootMove { played, nodes: leaves.nodes.0 }).collect();
    let (told, answered) = match spec {
        Some(spec) => of_engine(&spec, text, &game, ours, &context.stop)?,
        None => of_text(&lines, text, &game, ours)?,
    };
    let mut report = DivideComparison::new(counting.report_head(), &game, told, answered, &context.stop);
    report.seconds = seconds;
    report.next = next(&report, text, &game, context);
    emit(&report, format, out)?;
    Ok(exit_code(&report))
}

/// Makes sure that the engine understands the way to ask it, or returns the lines of the text if no engine is named.
///
/// # Errors
/// The text cannot be read. For an engine, the errors of [`EngineArgs::build`].
fn open(
    text: &str,
    engine: &EngineArgs,
    context: &Context,
) -> Result<(Option<EngineSpec>, Vec<String>), CliError> {
    if text != "-" && Word::of_system(text) != Word::File {
        return Ok((engine.build(context)?, Vec::new()));
    }
    refuse_options("an engine, but --against names a text", context)?;
    if text == "-" && stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        note(format!("paste the other divide, then press {end} on a line of its own"));
    }
    Ok((None, read_lines(text, context)?))
}

/// Returns the divide of a text.
///
/// # Errors
/// The text has no counts, or a number that may be the total instead.
fn of_text(
    lines: &[String],
    text: &str,
    game: &Game,
    ours: Vec<RootMove>,
) -> Result<(Told, Answered), CliError> {
    let answer = read_answer(text, lines, (game.position(), game.depth), &ours)?;
    refuse_rival(&answer, ours.iter().map(|known| known.nodes).sum(), (&game.words.join(" "), game.depth))?;
    let name = if text == "-" { "standard input" } else { text }.to_owned();
    let told = Told::new(game.path.clone(), game.depth, ours, answer);
    Ok((told, Answered { name, ..Answered::default() }))
}

/// Returns the divide of an engine.
///
/// # Errors
/// The engine does not answer, or cannot be asked this question.
fn of_engine(
    spec: &EngineSpec,
    text: &str,
    game: &Game,
    ours: Vec<RootMove>,
    stop: &StopSignal,
) -> Result<(Told, Answered), CliError> {
    let expected = ours.iter().map(|known| known.nodes).sum();
    let _patience = WaitNote::with(format!("waiting for the divide of {text}"));
    let mut program = spec.program(stop);
    program.prepare()?;
    let question = question(&program.abilities(), game)?;
    let misread = if question.is_chess960 { program.examine() } else { None };
    if let Some((_, reading)) = misread {
        note(format!("{text}: {}", reading.about()));
    }
    let answer = program.ask(&question, Some(expected))?;
    let told = Told::new(game.path.clone(), game.depth, ours, answer);
    let smallest = told.difference.wrong.iter().min_by_key(|wrong| wrong.ours);
    let after_wrong = match smallest.filter(|_| told.difference.is_wrong() && game.depth > 1) {
        // The position after the move is given as a FEN.
        Some(wrong) => match program.judge(&game.path.played(wrong.played).without_moves(), game.depth - 1) {
            Err(SourceError::Interrupted) => return Err(Interrupted.into()),
            told => told.ok().map(|told| (wrong.played, told)),
        },
        None => None,
    };
    let info = EngineInfo::new(spec, program.name());
    let name = info.own_name.clone().unwrap_or_else(|| text.to_owned());
    let by_hand = spec.by_hand(&program.written(&question))?;
    Ok((told, Answered { name, engine: Some(info), by_hand, after_wrong }))
}

/// Returns the question about the last position of a game. An engine that does not play moves gets this position as a
/// FEN.
///
/// # Errors
/// The engine cannot be asked this question.
fn question(abilities: &Abilities, game: &Game) -> Result<Question, CliError> {
    let path = if abilities.plays_moves { &game.path } else { &game.path.without_moves() };
    let notation = if game.notation == CastlingNotation::Chess960 { game.notation } else { path.notation() };
    let is_chess960 = notation == CastlingNotation::Chess960;
    check_asked(0, usize::from(is_chess960 && !abilities.is_chess960))?;
    if !abilities.can_ask(game.depth) {
        return Err(CliError::usage(ability_notes(abilities, 0).join("; ")));
    }
    let moves = path.moves.iter().map(|played| played.to_uci(notation)).collect();
    Ok(Question { moves, is_chess960, ..path.question(game.depth) })
}

/// Returns the command to run next: it divides after the first move with a wrong count, hunts the bug of the engine, or
/// diagnoses a total. Returns `None` if no command would tell more.
fn next(report: &DivideComparison, text: &str, game: &Game, context: &Context) -> Option<String> {
    let is_engine = report.other.engine.is_some();
    let words = match report.wrong_counts.first().filter(|_| game.depth > 1) {
        _ if !report.unread.is_empty() => return None,
        _ if report.right && is_engine => hunt_of(text),
        _ if report.right => return None,
        Some(wrong) => {
            let mut words = game.words.clone();
            words.extend((words.len() == 1).then(|| "moves".to_owned()));
            let depth = (game.depth - 1).to_string();
            // The other counts below this move are not in a text, so its program is asked by the user.
            let against = if is_engine { vec!["--against".to_owned(), text.to_owned()] } else { Vec::new() };
            let chess960 = context.given.flags(&["chess960"]);
            words.extend([wrong.played.clone(), depth].into_iter().chain(chess960).chain(against));
            words.insert(0, "divide".to_owned());
            words
        }
        None if is_engine => [hunt_of(text), game.words.clone(), vec![game.depth.to_string()]].concat(),
        None if report.lists_moves => return None,
        None => {
            let number = format!("{}:{}", game.depth, report.found);
            vec!["diagnose".to_owned(), "--fen".to_owned(), game.words.join(" "), number]
        }
    };
    command(words, context)
}

/// A divide that was not understood does not count as wrong.
fn exit_code(report: &DivideComparison) -> ExitCode {
    match (report.right, report.unread.is_empty()) {
        (true, _) => ExitCode::SUCCESS,
        (false, true) => CliErrorKind::Wrong.into(),
        (false, false) if report.other.engine.is_some() => CliErrorKind::Engine.into(),
        (false, false) => CliErrorKind::Usage.into(),
    }
}
