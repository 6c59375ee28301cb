//! `perft probe`: finds out how an engine can be asked for a perft.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;

use perft_diagnosis::lines::visible;
use serde::Serialize;

use super::hunt::report::{PrinterReport, line};
use crate::engine::{self, Attempt, Dialect, EngineSpec, Probed, Skills, WrongAnswer};
use crate::input::config::entry;
use crate::input::engine::{EngineArgs, NamedEngine, command};
use crate::output::context::Context;
use crate::output::error::{CliError, ENGINE_FAILED, exit_code};
use crate::output::terminal::{WaitNote, progress_line};
use crate::output::{Format, Header, JsonArgs, Report, agreeing, emit, environment, number_of};
use crate::system::{NAME, command_line};

/// The time for some thousand nodes from which a program is slow, so that it is asked for small counts only.
const SLOW: Duration = Duration::from_millis(300);

/// The longest answer that the text shows, in characters.
const ANSWER_WIDTH: usize = 56;

/// The endings of words in the commands of programs, and the adapter that suits them.
const ADAPTERS: [(&str, &str); 4] = [
    (".py python3 python", "adapters/python-chess.py"),
    (".js .mjs node", "adapters/chess-js.mjs"),
    (".jar .class java", "adapters/chesslib.java"),
    (".dll dotnet mono", "adapters/skeleton.cs"),
];

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

/// The report of `perft probe`.
#[derive(Debug, Serialize)]
pub struct ProbeReport {
    /// The program that wrote the report, and the time.
    #[serde(flatten)]
    pub header: Header,
    /// The command line of the program.
    pub command: String,
    /// The overall result.
    pub verdict: ProbeVerdict,
    /// The name that the program gives itself.
    pub own_name: Option<String>,
    /// The dialect that was found; `None` if there is none.
    pub dialect: Option<&'static str>,
    /// The lines that ask a question.
    pub ask: Vec<String>,
    /// The arguments that ask a question.
    pub arguments: Vec<String>,
    /// The folder in which it runs, if it does not work in the current one.
    pub folder: Option<String>,
    /// The skills of the program.
    pub skills: Option<Skills>,
    /// The questions that were not answered with the right count.
    pub wrong_answers: Vec<WrongAnswer>,
    /// The first lines of its answers that were not understood, as it printed them.
    pub unread: Vec<String>,
    /// How it is made to print its FEN or its key; `None` if it prints neither.
    pub state: Option<PrinterReport>,
    /// Why the first way to ask was not understood, if no way was found.
    pub failure: Option<String>,
    /// The other dialects that were tried, with what came back.
    pub tried: Vec<Attempt>,
    /// Whether the text shows them.
    #[serde(skip)]
    pub shows_tried: bool,
    /// The command to run next.
    pub next: Option<String>,
    /// The entry for `perft.toml`.
    pub entry: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

/// The overall result of probing a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeVerdict {
    /// A way was found, and all answers are right.
    Found,
    /// A way was found, but some answers are wrong.
    FoundButWrong,
    /// A way was found, but some questions were not answered.
    FoundButUnanswered,
    /// No way was found.
    NotFound,
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
    let probed = engine::probe(&named.spec, true, &context.stop, &on_dialect).map_err(start_error)?;
    let is_interrupted = probed.is_interrupted;
    let mut state = None;
    if let Some(exam) = &probed.exam {
        named.remember(&exam.spec, context);
        if !is_interrupted {
            line.set_message("finding out how it prints its FEN or its key");
            let found = engine::find_state(&exam.spec, &context.stop).map_err(start_error)?;
            state = found.map(|(spec, prints)| PrinterReport {
                ask_state: spec.ask_state.unwrap_or_default(),
                prints,
            });
        }
    }
    line.finish_and_clear();
    drop(wait_note);
    let report = report(probed, state, &args, &named, start.elapsed(), context);
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

/// Returns the report on an engine, and how it is made to print its FEN or its key, if it prints one of them.
fn report(
    probed: Probed,
    state: Option<PrinterReport>,
    args: &ProbeArgs,
    named: &NamedEngine,
    elapsed: Duration,
    context: &Context,
) -> ProbeReport {
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

/// Returns the name of the program: that of its script, if an interpreter runs one.
fn name_of(spec: &EngineSpec) -> String {
    let folder = spec.folder.clone().unwrap_or_default();
    let script = spec.command.iter().skip(1).find(|word| folder.join(word).is_file());
    let stem = Path::new(script.unwrap_or(&spec.command[0])).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or("my-engine").to_owned()
}

impl Report for ProbeReport {
    const NAME: &'static str = "probe";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let name = self.own_name.as_deref().unwrap_or(&self.command);
        let (Some(dialect), Some(skills)) = (self.dialect, &self.skills) else {
            return write_failure(self, name, out);
        };
        write_title(name, &self.wrong_answers, skills.questions, out)?;
        let mut write = |label: &str, text: &str| writeln!(out, "{label:<12} {text}");
        write("dialect", &dialect_words(dialect, self))?;
        skill_words(skills).iter().try_for_each(|(label, text)| write(label, text))?;
        let state = match &self.state {
            Some(state) => &format!("{} after '{}'", state.words(), state.ask_state),
            None => "not printed: hunt --state cannot compare FENs and keys",
        };
        write("state", state)?;
        if let Some(folder) = &self.folder {
            write("folder", &format!("{folder}: it does not work in the current one"))?;
        }
        write(
            "process",
            if skills.keeps_running { "one for all questions" } else { "one for each question" },
        )?;
        write("counts", &format!("{} of {} right", skills.right_answers, skills.questions))?;
        for wrong in &self.wrong_answers {
            write(if wrong.found.is_some() { "wrong" } else { "missing" }, &wrong_words(wrong))?;
        }
        self.unread.iter().try_for_each(|line| write("unread", line))?;
        if !self.tried.is_empty() {
            write(
                "tried",
                &format!("{}, and none shows more", number_of(self.tried.len(), "other dialect")),
            )?;
        }
        if !self.shows_tried {
            return write("perft.toml", "--save NAME adds it, -v shows the entry");
        }
        self.write_tried(out)?;
        writeln!(out, "\nFor perft.toml:\n\n{}", self.entry.as_deref().unwrap_or_default().trim_end())
    }
}

impl ProbeReport {
    fn write_tried(&self, out: &mut impl Write) -> io::Result<()> {
        for attempt in self.tried.iter().filter(|_| self.shows_tried) {
            let mut answer: String = attempt.answer.chars().take(ANSWER_WIDTH).collect();
            if answer.len() < attempt.answer.len() {
                answer.push_str("...");
            }
            writeln!(out, "  {:<20} {answer}", attempt.dialect)?;
        }
        Ok(())
    }
}

fn write_title(name: &str, wrong: &[WrongAnswer], questions: usize, out: &mut impl Write) -> io::Result<()> {
    let missing = wrong.iter().filter(|wrong| wrong.found.is_none()).count();
    let answers = |number: usize, what: &str| {
        (number > 0).then(|| {
            let answers = number_of(questions, "answer");
            format!("{number} of {answers} {} {what}", agreeing(number, "is", "are"))
        })
    };
    match [answers(wrong.len() - missing, "wrong"), answers(missing, "missing")] {
        [None, None] => writeln!(out, "{name}"),
        parts => {
            writeln!(out, "{name}: found, but {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns the dialect with the lines or the arguments that ask a question.
fn dialect_words(dialect: &str, report: &ProbeReport) -> String {
    let sent = if report.ask.is_empty() { report.arguments.join(" ") } else { report.ask.join("; ") };
    if sent.is_empty() { dialect.to_owned() } else { format!("{dialect}: {sent}") }
}

/// Returns the skills in words, each with its label.
fn skill_words(skills: &Skills) -> [(&'static str, &'static str); 4] {
    let moves = match (skills.lists_moves_at_depth_1, skills.lists_moves) {
        (true, true) => "listed at every depth",
        (false, true) => "listed, but not at depth 1",
        (true, false) => "listed at depth 1, and never counted deeper",
        (false, false) => "never listed: only totals",
    };
    let total = if skills.states_total { "stated" } else { "not stated: the sum of the moves" };
    let plays = if skills.plays_moves { "yes" } else { "no: only bugs of move generation can be told" };
    let chess960 =
        if skills.announces_chess960 { "yes" } else { "not announced: such positions are left out" };
    [("moves", moves), ("total", total), ("plays moves", plays), ("Chess960", chess960)]
}

fn wrong_words(wrong: &WrongAnswer) -> String {
    let received = match (wrong.found, &wrong.error) {
        (Some(found), _) => format!("{found} instead of {}", wrong.expected),
        (None, error) => error.clone().unwrap_or_default(),
    };
    format!("{}, depth {}: {received}", line(&wrong.fen, &wrong.moves), wrong.depth)
}

fn write_failure(report: &ProbeReport, name: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{name}: found no way to ask for a perft; {} were tried", report.tried.len())?;
    report.failure.iter().try_for_each(|failure| writeln!(out, "first        {failure}"))?;
    report.write_tried(out)?;
    if report.tried.iter().all(|attempt| attempt.answer == "no answer") {
        let command = command_line::join(["script", "-qefc", &report.command, "/dev/null"]);
        writeln!(out, "terminal     if it works only in a terminal: perft probe '{command}'")?;
    }
    let suits = |ending: &str| report.command.split(' ').any(|word| word.ends_with(ending));
    let adapter = ADAPTERS.iter().find(|(endings, _)| endings.split(' ').any(suits));
    let (adapter, more) = match adapter {
        Some((_, file)) => (*file, ""),
        None => ("adapters/skeleton.cpp", ", and README.md there names others"),
    };
    let tried = if report.shows_tried { "" } else { "\n-v shows what came back each time." };
    writeln!(
        out,
        "{tried}\nIf it has a perft, say how to ask: --ask 'position fen {{fen}} moves {{moves}}' --ask 'perft {{depth}}',\n\
         or put {{depth}} and {{fen}} into the command. If its counts are not found, say where they stand:\n\
         --total 'Nodes: (\\d+)' and --move '(\\S+): (\\d+)'. If it has no perft, wrap its move generator: {adapter}\n\
         in the repository of perft is an example{more}."
    )
}
