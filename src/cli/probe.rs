//! `perft probe`: finds out how an engine can be asked for a perft.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::StopSignal;

use super::context::Context;
use super::engine::{EngineArgs, NamedEngine};
use super::environment;
use super::error::{CliError, ENGINE_FAILED};
use super::patience::Patience;
use super::terminal::progress_line;
use crate::command_line;
use crate::engine::{self, CUSTOM, Dialect, EngineSpec, ProbeStep};
use crate::files;
use crate::report::engines::{AttemptReport, ProbeReport, SkillsReport};
use crate::report::states::PrinterReport;
use crate::report::write_json;

const EXAMPLES: &str = "\
Examples:
  perft probe ./my-engine                    how can it be asked, and what can it tell?
  perft probe ./my-engine --save mine        then: perft hunt --engine mine
  perft probe 'java -jar engine.jar'         a command with arguments
  perft probe './x --depth {depth} --fen {fen}'";

/// The longest answer that the text shows, in characters.
const ANSWER_WIDTH: usize = 56;

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct ProbeArgs {
    /// Engine to try: a command with arguments, or a name from perft.toml
    #[arg(value_name = "NAME|CMD", required_unless_present = "engine", conflicts_with = "engine")]
    command: Option<String>,
    /// Add the engine to perft.toml under this name
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the command.
pub fn run(args: ProbeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let named = args.engine.named_or(args.command.as_deref())?;
    let start = Instant::now();
    let line = progress_line(context, "probe");
    line.set_message(format!("trying the ways to ask {}", named.text));
    let patience = line.is_hidden().then(|| Patience::with(line.message()));
    let on_step = |step: ProbeStep| line.set_message(words(step));
    let probed = engine::probe(&named.spec, named.has_words, &context.stop, &on_step)
        .map_err(|error| named.engines.start_error(&named.text, error))?;
    let name = args.save.clone().unwrap_or_else(|| file_stem(&named.spec.command[0]));
    line.set_message("finding out how it prints its FEN or its key");
    let state = match &probed.spec {
        Some(spec) => state(spec, &named, &context.stop)?,
        None => None,
    };
    let ask_state = state.as_ref().map(|state| state.ask_state.as_str());
    let entry = probed.spec.as_ref().map(|spec| entry(&name, spec, ask_state));
    let asking = probed.spec.as_ref().map(|spec| spec.asking.clone());
    line.finish_and_clear();
    drop(patience);
    let report = ProbeReport {
        header: environment::header(),
        command: command_line::join(&named.spec.command),
        own_name: probed.name,
        dialect: probed.spec.as_ref().map(|spec| spec.dialect),
        ask: asking.as_ref().map(|asking| asking.lines.clone()).unwrap_or_default(),
        arguments: asking.map(|asking| asking.arguments).unwrap_or_default(),
        state,
        skills: probed.spec.is_some().then(|| SkillsReport::new(probed.skills)),
        unread: probed.unread,
        tried: probed.attempts.iter().map(AttemptReport::new).collect(),
        entry,
        seconds: start.elapsed().as_secs_f64(),
    };
    if args.json {
        write_json(&report, false, out)?;
    } else {
        write_text(&report, out)?;
    }
    let Some(entry) = &report.entry else { return Ok(ExitCode::from(ENGINE_FAILED)) };
    if let Some(name) = &args.save {
        let path = named.engines.path();
        if named.engines.contains(name) {
            return Err(CliError::usage(format!("{} already has an engine '{name}'", path.display())));
        }
        files::append(path, &format!("\n{entry}"))
            .map_err(|error| CliError::usage(format!("cannot write to '{}': {error}", path.display())))?;
        if !args.json {
            writeln!(out, "\nadded to {}; now: perft hunt --engine {name}", path.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a step of probing in words, with the place of the dialects in the list of all.
fn words(step: ProbeStep) -> String {
    let ProbeStep::Dialects(dialects) = step else {
        return "asking some questions with known answers".to_owned();
    };
    let place = |dialect: &Dialect| Dialect::all().take_while(|other| other != dialect).count() + 1;
    let all = Dialect::all().count();
    match dialects {
        [one] => format!("asking with \"{}\" ({} of {all})", question(*one), place(one)),
        [first, .., last] => {
            let (many, first, last) = (dialects.len(), place(first), place(last));
            format!("starting it in {many} other ways ({first} to {last} of {all})")
        }
        [] => String::new(),
    }
}

/// Returns the line or the arguments that ask for the moves of a position in a dialect.
fn question(dialect: Dialect) -> String {
    let asking = dialect.asking();
    let words = asking.lines.last().cloned().unwrap_or_else(|| asking.arguments.join(" "));
    words.replace("{depth}", "1")
}

/// Returns how an engine is made to print its FEN or its key, if it prints them.
fn state(
    spec: &EngineSpec,
    named: &NamedEngine,
    stop: &StopSignal,
) -> Result<Option<PrinterReport>, CliError> {
    let found = engine::find_state(spec, stop);
    let printer = found.map_err(|error| named.engines.start_error(&named.text, error))?;
    Ok(printer.map(|found| PrinterReport::new(found.spec.ask_state.unwrap_or_default(), found.prints)))
}

/// Returns the name of a program without folder and extension.
fn file_stem(program: &str) -> String {
    let stem = Path::new(program).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or("my-engine").to_owned()
}

/// Returns the entry of an engine for `perft.toml`.
pub fn entry(name: &str, spec: &EngineSpec, ask_state: Option<&str>) -> String {
    // A JSON string is a basic string of TOML, but for one control character.
    let quoted = |text: &str| serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f");
    let words: Vec<String> = spec.command.iter().map(|word| quoted(word)).collect();
    let mut text = format!("[engine.{}]\ncommand = [{}]\n", quoted(name), words.join(", "));
    if spec.dialect != CUSTOM {
        text += &format!("dialect = {}\n", quoted(spec.dialect));
    } else if !spec.asking.lines.is_empty() {
        let lines: Vec<String> = spec.asking.lines.iter().map(|line| quoted(line)).collect();
        text +=
            &format!("handshake = {}\nask = [{}]\n", quoted(spec.asking.handshake.name()), lines.join(", "));
    }
    if let Some(line) = ask_state {
        text += &format!("ask_state = {}\n", quoted(line));
    }
    text
}

fn write_text(report: &ProbeReport, out: &mut impl Write) -> std::io::Result<()> {
    let name = report.own_name.as_deref().unwrap_or(&report.command);
    let (Some(dialect), Some(skills)) = (report.dialect, &report.skills) else {
        return write_failure(report, name, out);
    };
    writeln!(out, "{name}")?;
    let sent = if report.ask.is_empty() { &report.arguments } else { &report.ask };
    let separator = if report.ask.is_empty() { " " } else { "; " };
    let sent = sent.join(separator);
    let colon = if sent.is_empty() { "" } else { ": " };
    writeln!(out, "dialect      {dialect}{colon}{sent}")?;
    let moves = match (skills.lists_moves_at_depth_1, skills.lists_moves) {
        (true, true) => "listed at every depth",
        (false, true) => "listed, but not at depth 1",
        (true, false) => "listed at depth 1, and never counted deeper",
        (false, false) => "never listed: only totals",
    };
    writeln!(out, "moves        {moves}")?;
    writeln!(
        out,
        "total        {}",
        if skills.states_total { "stated" } else { "not stated: the sum of the moves" }
    )?;
    let plays = if skills.plays_moves { "yes" } else { "no: only bugs of move generation can be told" };
    writeln!(out, "plays moves  {plays}")?;
    writeln!(
        out,
        "Chess960     {}",
        if skills.announces_chess960 { "yes" } else { "not announced: such positions are left out" }
    )?;
    let state = match &report.state {
        Some(state) => format!("{} after '{}'", state.words(), state.ask_state),
        None => "not printed: hunt --state cannot compare FENs and keys".to_owned(),
    };
    writeln!(out, "state        {state}")?;
    let process = if skills.keeps_running { "one for all questions" } else { "one for each question" };
    writeln!(out, "process      {process}")?;
    writeln!(out, "counts       {} of {} right", skills.right_answers, skills.questions)?;
    report.unread.iter().try_for_each(|line| writeln!(out, "unread       {line}"))?;
    writeln!(out, "\nFor perft.toml:\n\n{}", report.entry.as_deref().unwrap_or_default().trim_end())
}

fn write_failure(report: &ProbeReport, name: &str, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{name}: found no way to ask for a perft. Tried, and what came back:\n")?;
    for attempt in &report.tried {
        let mut answer: String = attempt.answer.chars().take(ANSWER_WIDTH).collect();
        if answer.len() < attempt.answer.len() {
            answer.push_str("...");
        }
        writeln!(out, "  {:<20} {answer}", attempt.dialect)?;
    }
    writeln!(
        out,
        "\nIf it has a perft, say how to ask: --ask 'position fen {{fen}} moves {{moves}}' --ask 'perft {{depth}}',\n\
         or put {{depth}} and {{fen}} into the command. If it has none, wrap its move generator in one of the adapters."
    )
}
