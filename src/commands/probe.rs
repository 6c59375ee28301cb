//! `perft probe`: finds out how an engine can be asked for a perft.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::engine::{self, Attempt, Dialect, EngineSpec, Exam, Probed, Skills, WrongAnswer};
use crate::input::config::entry;
use crate::input::{EngineArgs, NamedEngine, Word, command, comparison, hunt_of};
use crate::output::{
    CliError, CliErrorKind, Context, Format, Header, JsonArgs, Report, WaitNote, agreeing, emit, environment,
    exit_code, number_of, progress_line,
};
use crate::report::engine::PrinterReport;
use crate::system::command_line::{self, to_type};

/// The longest answer that the text shows, in characters.
const ANSWER_WIDTH: usize = 56;

/// The endings of words in the commands of programs, and the adapter that suits them.
const ADAPTERS: [(&str, &str); 4] = [
    (".py python3 python", "adapters/python-chess.py"),
    (".js .mjs node", "adapters/chess-js.mjs"),
    (".jar .class java", "adapters/chesslib.java"),
    (".dll dotnet mono", "adapters/skeleton.cs"),
];

#[derive(Debug, Args)]
pub struct ProbeArgs {
    /// Engine to try: a command with arguments, or a name from perft.toml
    #[arg(value_name = "NAME|CMD", conflicts_with = "engine")]
    command: Option<String>,
    /// Add the engine to perft.toml under this name, with how it prints its counts
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    #[command(flatten)]
    output: JsonArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Debug, Serialize)]
pub struct ProbeReport {
    #[serde(flatten)]
    pub header: Header,
    /// The command line of the program.
    pub command: String,
    pub verdict: ProbeVerdict,
    /// The name that the program gives itself.
    pub own_name: Option<String>,
    /// The dialect that was found; `None` if there is none.
    pub dialect: Option<&'static str>,
    /// The lines that ask a question.
    pub ask: Vec<String>,
    /// The arguments that ask a question.
    pub arguments: Vec<String>,
    pub skills: Option<Skills>,
    pub wrong_answers: Vec<WrongAnswer>,
    /// The first lines of its answers that were not understood, as it printed them.
    pub unread: Vec<String>,
    /// How it is made to print its FEN or its key; `None` if it prints neither.
    pub state: Option<PrinterReport>,
    /// Why the most promising way to ask was not understood, if no way was found.
    pub failure: Option<String>,
    /// The other dialects that were tried, with what came back.
    pub tried: Vec<Attempt>,
    #[serde(skip)]
    pub shows_tried: bool,
    /// The command to run next.
    pub next: Option<String>,
    /// The entry for `perft.toml`.
    pub entry: Option<String>,
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
    NotFound,
}

pub fn run(mut args: ProbeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut words: Vec<String> = args.command.take().into_iter().collect();
    args.engine.take_from(&mut words, context)?;
    if let Some(other) = words.first() {
        return Err(Word::of(other, None)?.refusal(other, "an engine", context));
    }
    let text = args.engine.text().ok_or_else(|| {
        CliError::usage("no engine was given")
            .suggest("name the engine to ask, as in", &["probe", "./my-engine"])
    })?;
    let named = args.engine.load(text)?;
    if let Some(name) = &args.save {
        named.engines.check_new(name)?;
    }
    let start = Instant::now();
    let line = progress_line(context, "probe");
    line.set_message(format!("trying the ways to ask {}", named.text));
    let wait_note = line.is_hidden().then(|| WaitNote::with(line.message()));
    let tried = AtomicUsize::new(1);
    let on_dialect = |dialect: &'static Dialect| {
        let (number, of) = (tried.fetch_add(1, Ordering::Relaxed), Dialect::all().len());
        line.set_message(format!("trying {} ({number} of {of})", dialect.name));
    };
    let start_error = |error| named.engines.start_error(&named.text, error);
    let probed = engine::probe(&named.spec, true, &context.stop, &on_dialect).map_err(start_error)?;
    let is_interrupted = probed.is_interrupted;
    let mut state = None;
    if let Some(exam) = probed.exam.as_ref().filter(|_| !is_interrupted) {
        line.set_message("finding out how it prints its FEN or its key");
        let found = engine::find_state(&exam.spec, &context.stop).map_err(start_error)?;
        state = found
            .map(|(spec, prints)| PrinterReport { ask_state: spec.ask_state.unwrap_or_default(), prints });
    }
    line.finish_and_clear();
    drop(wait_note);
    let mut report = report(probed, state, &args, &named);
    (report.shows_tried, report.seconds) = (context.global.verbose, start.elapsed().as_secs_f64());
    if let (Some(name), Some(entry), false) = (&args.save, &report.entry, is_interrupted) {
        named.engines.save(name, entry)?;
    }
    report.next =
        report.entry.as_ref().and_then(|_| next(&report.wrong_answers, &args, &named.text, context));
    emit(&report, args.output.format(), out)?;
    if is_interrupted {
        return Err(CliError::Interrupted("the other ways to ask were not tried".to_owned()));
    }
    if report.entry.is_none() {
        return Ok(CliErrorKind::Engine.into());
    }
    if args.output.format() == Format::Text {
        if args.save.is_some() {
            writeln!(out, "\nadded to {}", named.engines.path.display())?;
        }
        report.next.iter().try_for_each(|command| writeln!(out, "\nnext: {command}"))?;
    }
    let is = |verdict| report.verdict == verdict;
    Ok(exit_code(is(ProbeVerdict::FoundButWrong), is(ProbeVerdict::FoundButUnanswered)))
}

/// `state` is how the engine prints its FEN or its key, if it prints one of them. The caller adds the next command, the time,
/// and whether the text has the other dialects.
fn report(
    probed: Probed,
    state: Option<PrinterReport>,
    args: &ProbeArgs,
    named: &NamedEngine,
) -> ProbeReport {
    let name = args.save.clone().unwrap_or_else(|| name_of(&named.spec));
    let ask_state = state.as_ref().map(|state| state.ask_state.as_str());
    let (is_found, exam) = (probed.exam.is_some(), probed.exam.unwrap_or_default());
    let Exam { spec, wrong, .. } = exam;
    ProbeReport {
        header: environment::header(),
        command: command_line::join(&named.spec.command),
        verdict: match wrong.is_empty() {
            _ if !is_found => ProbeVerdict::NotFound,
            true => ProbeVerdict::Found,
            false if wrong.iter().any(|wrong| wrong.found.is_some()) => ProbeVerdict::FoundButWrong,
            false => ProbeVerdict::FoundButUnanswered,
        },
        own_name: exam.name,
        dialect: is_found.then_some(spec.dialect),
        entry: is_found.then(|| entry(&name, &spec, ask_state)),
        ask: spec.asking.lines,
        arguments: spec.asking.arguments,
        state,
        skills: is_found.then_some(exam.skills),
        next: None,
        wrong_answers: wrong,
        unread: exam.unread,
        failure: probed.reason.filter(|_| !is_found).map(|error| error.to_string()),
        tried: probed.attempts,
        shows_tried: false,
        seconds: 0.0,
    }
}

/// Returns the command to run next: it shows the moves of an answer with a wrong count, or hunts. A saved engine is
/// called by its name in `perft.toml`, which says how to ask it.
fn next(wrong: &[WrongAnswer], args: &ProbeArgs, engine: &str, context: &Context) -> Option<String> {
    let engine = args.save.as_deref().unwrap_or(engine);
    let has_count = |wrong: &&WrongAnswer| wrong.found.is_some();
    let words = match wrong.iter().filter(has_count).min_by_key(|wrong| wrong.expected) {
        Some(wrong) => comparison(&wrong.question(), Some(engine)),
        None => hunt_of(engine),
    };
    match &args.save {
        Some(_) => to_type(&[words, context.given.flags(&["config"])].concat()),
        None => command(words, context),
    }
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
        let missing = self.wrong_answers.iter().filter(|wrong| wrong.found.is_none()).count();
        let faults = [(self.wrong_answers.len() - missing, "wrong"), (missing, "missing")];
        let faults = faults.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| {
            let answers = number_of(skills.questions, "answer");
            format!("{number} of {answers} {} {what}", agreeing(number, "is", "are"))
        });
        let faults = faults.collect::<Vec<_>>().join(", ");
        let found = if faults.is_empty() { "" } else { ": found, but " };
        writeln!(out, "{name}{found}{faults}")?;
        let sent = if self.ask.is_empty() { self.arguments.join(" ") } else { self.ask.join("; ") };
        let colon = if sent.is_empty() { "" } else { ": " };
        let moves = match (skills.lists_moves_at_depth_1, skills.lists_moves) {
            (true, true) => "listed at every depth",
            (false, true) => "listed, but not at depth 1",
            (true, false) => "listed at depth 1, and never counted deeper",
            (false, false) => "never listed: only totals",
        };
        let state = match &self.state {
            Some(state) => &format!("{} after '{}'", state.words(), state.ask_state),
            None => "not printed: hunt --state cannot compare FENs and keys",
        };
        let either = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
        let no_total = "not found: the counts of the moves are added up";
        let only_generation = "no: only bugs of move generation can be told";
        let left_out = "not announced: such positions are left out";
        let mut write = |label: &str, text: &str| writeln!(out, "{label:<12} {text}");
        for (label, text) in [
            ("dialect", format!("{dialect}{colon}{sent}").as_str()),
            ("moves", moves),
            ("total", either(skills.states_total, "stated", no_total)),
            ("plays moves", either(skills.plays_moves, "yes", only_generation)),
            ("Chess960", either(skills.announces_chess960, "yes", left_out)),
            ("state", state),
            ("process", either(skills.keeps_running, "one for all questions", "one for each question")),
            ("counts", &format!("{} of {} right", skills.right_answers, skills.questions)),
        ] {
            write(label, text)?;
        }
        for wrong in &self.wrong_answers {
            let (label, received) = match wrong.found {
                Some(found) => ("wrong", format!("{found} instead of {}", wrong.expected)),
                None => ("missing", wrong.error.clone().unwrap_or_default()),
            };
            write(label, &format!("{}, depth {}: {received}", wrong.question(), wrong.depth))?;
        }
        self.unread.iter().try_for_each(|line| write("unread", line))?;
        if !self.tried.is_empty() {
            write("tried", &number_of(self.tried.len(), "other dialect"))?;
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

fn write_failure(report: &ProbeReport, name: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{name}: found no way to ask for a perft; {} were tried", report.tried.len())?;
    report.failure.iter().try_for_each(|failure| writeln!(out, "closest      {failure}"))?;
    report.write_tried(out)?;
    if report.tried.iter().all(|attempt| attempt.answer == "no answer") {
        let command = command_line::join(["script", "-qefc", &report.command, "/dev/null"]);
        if let Some(line) = to_type(&["probe", &command]) {
            writeln!(out, "terminal     if it works only in a terminal: {line}")?;
        }
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
