//! Compares our divide with that of another program: with its output in a file or on standard input, or with an engine.

use std::io::{IsTerminal, Write, stdin};
use std::process::ExitCode;

use perft_core::{CastlingNotation, Interrupted, Move, RootMove, StopSignal};
use perft_diagnosis::source::{Abilities, CountSource, Question, SourceError};
use perft_diagnosis::{Chess960Source, DivideDifference, Told};

use super::comparison::{Answered, DivideComparison};
use super::{DivideArgs, timed};
use crate::engine::{Engine, EngineSpec};
use crate::input::{
    Counting, EngineArgs, Game, Word, command, hunt_of, read_answer, read_lines, refuse_options, refuse_rival,
};
use crate::output::error::{ENGINE_FAILED, USAGE, WRONG};
use crate::output::{CliError, Context, WaitNote, emit, note};
use crate::report::engine::{EngineInfo, ability_notes, check_asked};

/// The source of the other divide.
enum Other {
    /// The output of a program.
    Text(Vec<String>),
    /// An engine that has not been asked yet.
    Engine(Box<EngineSpec>),
}

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
    let other = Other::open(text, &args.engine, context)?;
    let (ours, seconds) = timed(game.position(), game.depth, counting, context)?;
    let ours: Vec<RootMove> =
        ours.into_iter().map(|(played, leaves)| RootMove { played, nodes: leaves.nodes.0 }).collect();
    let answered = other.answer(text, &game, &ours, &context.stop)?;
    let mut report = DivideComparison::new(counting.report_head(), &game, ours, answered, &context.stop);
    report.seconds = seconds;
    report.next = next(&report, text, &game, context);
    emit(&report, format, out)?;
    Ok(exit_code(&report))
}

impl Other {
    /// Reads the text, or makes sure that the engine understands the way to ask it.
    ///
    /// # Errors
    /// The text cannot be read. For an engine, the errors of [`EngineArgs::build`].
    fn open(text: &str, engine: &EngineArgs, context: &Context) -> Result<Other, CliError> {
        if text != "-" && Word::of_system(text) != Word::File {
            let spec = engine.build(context)?.expect("the text is the engine");
            return Ok(Other::Engine(Box::new(spec)));
        }
        refuse_options("an engine, but --against names a text", context)?;
        if text == "-" && stdin().is_terminal() {
            let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
            note(format!("paste the other divide, then press {end} on a line of its own"));
        }
        read_lines(text, context).map(Other::Text)
    }

    /// Returns the other divide.
    ///
    /// # Errors
    /// The text has no counts, or the engine does not answer, or cannot be asked this question.
    fn answer(
        self,
        text: &str,
        game: &Game,
        ours: &[RootMove],
        stop: &StopSignal,
    ) -> Result<Answered, CliError> {
        let spec = match self {
            Other::Text(lines) => {
                let answer = read_answer(text, &lines, (game.position(), game.depth), ours)?;
                let right = ours.iter().map(|known| known.nodes).sum();
                refuse_rival(&answer, right, (&game.words, game.depth))?;
                let name = if text == "-" { "standard input" } else { text }.to_owned();
                return Ok(Answered { name, answer, ..Answered::default() });
            }
            Other::Engine(spec) => spec,
        };
        let _patience = WaitNote::with(format!("waiting for the divide of {text}"));
        let mut engine = Chess960Source::new(Box::new(Engine::new(spec.as_ref().clone())));
        engine.prepare(stop)?;
        let question = question(&engine.abilities(), game)?;
        let misread = if question.is_chess960 { engine.examine(stop) } else { None };
        if let Some((_, reading)) = misread {
            note(format!("{text}: {}", reading.about()));
        }
        let expected = ours.iter().map(|known| known.nodes).sum();
        let answer = engine.ask(&question, stop)?.unless_refused(expected)?;
        let difference = DivideDifference::new(game.position(), ours, &answer);
        let smallest = difference.wrong.iter().min_by_key(|wrong| wrong.ours);
        let after_wrong = match smallest.filter(|_| difference.is_wrong() && game.depth > 1) {
            Some(wrong) => ask_after(wrong.played, &mut engine, game, stop)?,
            None => None,
        };
        let info = EngineInfo::new(&spec, engine.name().map(str::to_owned));
        let name = info.own_name.clone().unwrap_or_else(|| text.to_owned());
        let by_hand = spec.by_hand(&engine.written(&question))?;
        Ok(Answered { name, answer, engine: Some(info), by_hand, after_wrong })
    }
}

/// Asks an engine about the position after a move, given as a FEN. Returns `None` if there is no answer.
fn ask_after(
    played: Move,
    engine: &mut Chess960Source<Engine>,
    game: &Game,
    stop: &StopSignal,
) -> Result<Option<(Move, Told)>, CliError> {
    let (path, depth) = (game.path.played(played).without_moves(), game.depth - 1);
    match engine.ask(&path.question(depth), stop) {
        Ok(answer) => {
            let ours = path.end.divide_until(depth, stop)?;
            Ok(Some((played, Told::new(path, depth, ours, answer))))
        }
        Err(SourceError::Interrupted) => Err(Interrupted.into()),
        Err(_) => Ok(None),
    }
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

/// Returns the exit code. A divide that was not understood does not count as wrong.
fn exit_code(report: &DivideComparison) -> ExitCode {
    match (report.right, report.unread.is_empty()) {
        (true, _) => ExitCode::SUCCESS,
        (false, true) => ExitCode::from(WRONG),
        (false, false) if report.other.engine.is_some() => ExitCode::from(ENGINE_FAILED),
        (false, false) => ExitCode::from(USAGE),
    }
}
