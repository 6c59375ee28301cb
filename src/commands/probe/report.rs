//! Ways to ask an engine, engines, and what was found out about an engine.

use std::io::{self, Write};

use serde::Serialize;

use crate::commands::hunt::report::{PrinterReport, line};
use crate::engine::{Attempt, Skills, WrongAnswer};
use crate::output::{Header, Report, agreeing, number_of};
use crate::system::command_line;

/// The longest answer that the text shows, in characters.
const ANSWER_WIDTH: usize = 56;

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
    let tried = if report.shows_tried { "" } else { "\n-v shows what came back each time." };
    writeln!(
        out,
        "{tried}\nIf it has a perft, say how to ask: --ask 'position fen {{fen}} moves {{moves}}' --ask 'perft {{depth}}',\n\
         or put {{depth}} and {{fen}} into the command. If its counts are not found, say where they stand:\n\
         --total 'Nodes: (\\d+)' and --move '(\\S+): (\\d+)'. If it has no perft, wrap its move generator: {}",
        adapter(&report.command)
    )
}

/// Returns a sentence about the adapter that suits a program.
fn adapter(command: &str) -> &'static str {
    let suits =
        |endings: &[&str]| command.split(' ').any(|word| endings.iter().any(|ending| word.ends_with(ending)));
    match () {
        () if suits(&[".py", "python3", "python"]) => {
            "adapters/python-chess.py\nin the repository of perft is an example."
        }
        () if suits(&[".js", ".mjs", "node"]) => {
            "adapters/chess-js.mjs\nin the repository of perft is an example."
        }
        () if suits(&[".jar", ".class", "java"]) => {
            "adapters/chesslib.java\nin the repository of perft is an example."
        }
        () if suits(&[".dll", "dotnet", "mono"]) => {
            "adapters/skeleton.cs\nin the repository of perft is an example."
        }
        () => {
            "adapters/skeleton.cpp\nin the repository of perft is an example, and README.md there names others."
        }
    }
}
