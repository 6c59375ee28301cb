//! `perft probe`: finds out how an engine can be asked for a perft.

pub mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;
use perft_core::StopSignal;
use perft_diagnosis::lines::visible;
use report::{ProbeReport, ProbeVerdict};

use super::hunt::report::PrinterReport;
use crate::engine::{self, CUSTOM, Dialect, EngineSpec, Probed, Search, WrongAnswer};
use crate::input::config::ProfileTable;
use crate::input::engine::{EngineArgs, NamedEngine, command};
use crate::output::context::Context;
use crate::output::error::{CliError, ENGINE_FAILED, exit_code};
use crate::output::terminal::{WaitNote, progress_line};
use crate::output::{Format, JsonArgs, emit, environment};
use crate::system::{NAME, command_line};

/// The time for some thousand nodes from which a program is slow, so that it is asked for small counts only.
const SLOW: Duration = Duration::from_millis(300);

const EXAMPLES: &str = "\
Examples:
  perft probe ./my-engine                    how can it be asked, and what can it tell?
  perft probe ./my-engine --save mine        then: perft hunt --engine mine
  perft probe 'java -jar engine.jar'         a command with arguments
  perft probe './x --depth {depth} --fen {fen}'";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct ProbeArgs {
    /// Engine to try: a command with arguments, or a name from perft.toml
    #[arg(value_name = "NAME|CMD", required_unless_present = "engine", conflicts_with = "engine")]
    command: Option<String>,
    /// Add the engine to perft.toml under this name, with how it prints its counts
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    #[command(flatten)]
    output: JsonArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(args: ProbeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let text = args.engine.text().or(args.command.as_deref()).expect("the command line names an engine");
    let named = args.engine.named(text)?;
    if let Some(name) = &args.save {
        named.engines.check_new(name)?;
    }
    let start = Instant::now();
    let line = progress_line(context, "probe");
    line.set_message(format!("trying the ways to ask {}", named.text));
    let wait_note = line.is_hidden().then(|| WaitNote::with(line.message()));
    let on_dialect = |dialect: Dialect| line.set_message(words(dialect));
    let start_error = |error| named.engines.start_error(&named.text, error);
    let probed = named.probe(Search::Best, &context.stop, &on_dialect).map_err(start_error)?;
    let is_interrupted = probed.is_interrupted;
    if let Some(exam) = &probed.exam {
        named.remember(&exam.spec, context);
    }
    let state = match &probed.exam {
        Some(exam) if !is_interrupted => state(&exam.spec, &named, &line, &context.stop)?,
        _ => None,
    };
    line.finish_and_clear();
    drop(wait_note);
    let report = Found { probed, state }.report(&args, &named, start.elapsed(), context);
    emit(&report, args.output.format(), out)?;
    if is_interrupted {
        return Err(CliError::Interrupted("the other ways to ask were not tried".to_owned()));
    }
    let Some(entry) = &report.entry else { return Ok(ExitCode::from(ENGINE_FAILED)) };
    if let Some(name) = &args.save {
        named.engines.save(name, entry)?;
        if args.output.format() == Format::Text {
            writeln!(out, "\nadded to {}", visible(&named.engines.path().display().to_string()))?;
        }
    }
    if args.output.format() == Format::Text {
        report.next.iter().try_for_each(|command| writeln!(out, "\nnext: {command}"))?;
    }
    let has_wrong = report.wrong_answers.iter().any(|wrong| wrong.found.is_some());
    Ok(exit_code(has_wrong, !report.wrong_answers.is_empty()))
}

/// The properties of an engine that were found.
struct Found {
    /// How it is asked, and its answers to some questions.
    probed: Probed,
    /// How it is made to print its FEN or its key, if it prints one of them.
    state: Option<PrinterReport>,
}

impl Found {
    fn report(
        self,
        args: &ProbeArgs,
        named: &NamedEngine,
        elapsed: Duration,
        context: &Context,
    ) -> ProbeReport {
        let Found { probed, state } = self;
        let name = args.save.clone().unwrap_or_else(|| name_of(&named.spec));
        let ask_state = state.as_ref().map(|state| state.ask_state.as_str());
        let exam = probed.exam.as_ref();
        let spec = exam.map(|exam| &exam.spec);
        let asking = spec.map(|spec| spec.asking.clone()).unwrap_or_default();
        let is_moved = |spec: &&EngineSpec| spec.folder != named.spec.folder;
        let folder = spec.filter(is_moved).and_then(|spec| spec.folder.as_ref());
        let wrong = exam.map(|exam| exam.wrong.clone()).unwrap_or_default();
        ProbeReport {
            header: environment::header(),
            command: command_line::join(&named.spec.command),
            verdict: match (exam, wrong.is_empty()) {
                (None, _) => ProbeVerdict::NotFound,
                (_, true) => ProbeVerdict::Found,
                _ if wrong.iter().any(|wrong| wrong.found.is_some()) => ProbeVerdict::FoundButWrong,
                _ => ProbeVerdict::FoundButUnanswered,
            },
            own_name: exam.and_then(|exam| exam.name.clone()),
            dialect: spec.map(|spec| spec.dialect),
            ask: asking.lines,
            arguments: asking.arguments,
            folder: folder.map(|folder| folder.display().to_string()),
            entry: spec.map(|spec| entry(&name, spec, folder.map(PathBuf::as_path), ask_state)),
            state,
            skills: exam.map(|exam| exam.skills),
            next: exam.map(|exam| next(&wrong, exam.longest, args, &named.text, context)),
            wrong_answers: wrong,
            unread: exam.map(|exam| exam.unread.clone()).unwrap_or_default(),
            failure: probed.reason.filter(|_| probed.exam.is_none()).map(|error| error.to_string()),
            tried: probed.attempts,
            shows_tried: context.global.verbose,
            seconds: elapsed.as_secs_f64(),
        }
    }
}

/// Returns the command to run next: it shows the moves of an answer with a wrong count, or hunts.
/// An engine that was saved is named by its name there, which says how to ask it.
fn next(
    wrong: &[WrongAnswer],
    longest: Duration,
    args: &ProbeArgs,
    engine: &str,
    context: &Context,
) -> String {
    let saved = args.save.as_deref();
    let mut words = next_words(wrong, saved.unwrap_or(engine));
    if words[0] == "hunt" && longest > SLOW {
        words.extend(["--max-nodes", "10k"].map(str::to_owned));
    }
    match saved {
        Some(_) => {
            let config = context.given.flags(&["config"]);
            command_line::join([NAME.to_owned()].into_iter().chain(words).chain(config))
        }
        None => command(words, context),
    }
}

fn next_words(wrong: &[WrongAnswer], engine: &str) -> Vec<String> {
    let has_count = |wrong: &&WrongAnswer| wrong.found.is_some();
    let Some(WrongAnswer { fen, moves, depth, .. }) =
        wrong.iter().filter(has_count).min_by_key(|wrong| wrong.expected)
    else {
        return ["hunt", engine].map(str::to_owned).into();
    };
    let (moves, depth) = (moves.join(","), depth.to_string());
    let mut words = vec!["divide", "--fen", fen];
    words.extend(if moves.is_empty() { Vec::new() } else { vec!["--moves", &moves] });
    words.extend(["--depth", &depth, "--against", engine]);
    words.into_iter().map(str::to_owned).collect()
}

/// Returns the message while a dialect is tried, with its place in the list of all dialects.
fn words(dialect: Dialect) -> String {
    let place = Dialect::all().take_while(|other| *other != dialect).count() + 1;
    format!("asking with \"{}\" ({place} of {})", question(dialect), Dialect::all().count())
}

/// Returns the line or the arguments that ask for the moves of a position in a dialect.
fn question(dialect: Dialect) -> String {
    let asking = dialect.asking();
    let words = asking.lines.last().cloned().unwrap_or_else(|| asking.arguments.join(" "));
    words.replace("{depth}", "1")
}

/// Returns how an engine is made to print its FEN or its key, if it prints one of them.
fn state(
    spec: &EngineSpec,
    named: &NamedEngine,
    line: &ProgressBar,
    stop: &StopSignal,
) -> Result<Option<PrinterReport>, CliError> {
    line.set_message("finding out how it prints its FEN or its key");
    let found = engine::find_state(spec, stop);
    let printer = found.map_err(|error| named.engines.start_error(&named.text, error))?;
    Ok(printer.map(|found| PrinterReport {
        ask_state: found.spec.ask_state.unwrap_or_default(),
        prints: found.prints,
    }))
}

/// Returns the name of the program: that of its script, if an interpreter runs one.
fn name_of(spec: &EngineSpec) -> String {
    let folder = spec.folder.clone().unwrap_or_default();
    let script = spec.command.iter().skip(1).find(|word| folder.join(word).is_file());
    let stem = Path::new(script.unwrap_or(&spec.command[0])).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or("my-engine").to_owned()
}

/// Returns the entry of an engine for `perft.toml`.
pub fn entry(name: &str, spec: &EngineSpec, folder: Option<&Path>, ask_state: Option<&str>) -> String {
    // A JSON string without control characters is a basic string of TOML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let words: Vec<String> = spec.command.iter().map(|word| quoted(word)).collect();
    let mut text = format!("[engine.{}]\ncommand = [{}]\n", quoted(name), words.join(", "));
    if spec.dialect != CUSTOM {
        text += &format!("dialect = {}\n", quoted(spec.dialect));
    } else if !spec.asking.lines.is_empty() {
        let lines: Vec<String> = spec.asking.lines.iter().map(|line| quoted(line)).collect();
        text +=
            &format!("handshake = {}\nask = [{}]\n", quoted(spec.asking.handshake.name()), lines.join(", "));
    }
    if let Some(folder) = folder.and_then(Path::to_str) {
        text += &format!("folder = {}\n", quoted(folder));
    }
    let patterns = [("total", &spec.patterns.total), ("move", &spec.patterns.moves)];
    for (key, pattern) in patterns.into_iter().filter_map(|(key, pattern)| Some((key, pattern.as_ref()?))) {
        text += &format!("{key} = {}\n", quoted(pattern.as_str()));
    }
    if let Some(line) = ask_state {
        text += &format!("ask_state = {}\n", quoted(line));
    }
    if let Some(profile) = &spec.profile {
        text += &format!("profile = {}\n", ProfileTable::from(profile));
    }
    text
}
