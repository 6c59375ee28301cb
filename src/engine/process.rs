//! An external program as a process: lines in and out, with deadlines and bounds.
//!
//! Threads read standard output and standard error into one short queue, so that waiting for a line can end at a
//! deadline or at the stop signal. A program that prints endless lines fills the queue and then blocks. A program that
//! prints one endless line is an error. What is written to it is in `input`.
//!
//! Dropping a [`Process`] kills its whole [`Group`], so the children of the program end with it. That also happens if
//! this program ends without dropping anything. On Unix, an ended process is waited for with `wait4`, the only call
//! that reports what this one process has used.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::lines::{read_line, to_text};
use perft_diagnosis::source::{SourceError, Usage};
use wait4::{ResUse, Wait4};

use super::group::Group;
use super::input::Input;

/// The largest number of lines that wait to be read.
const QUEUE: usize = 1024;

/// The largest number of bytes that a program may print before its first question.
const MOST_AT_START: usize = 1 << 20;

/// The largest size of an answer, in bytes. The longest answers list all variations of a search.
const MOST_OF_ANSWER: usize = 16 << 20;

/// The number of last lines that are kept for error messages.
const KEPT_LINES: usize = 3;

/// The interval at which the stop signal is checked.
const POLL: Duration = Duration::from_millis(20);

/// The longest time between the end of the output and the end of the process.
const GRACE: Duration = Duration::from_millis(500);

/// How long standard error is read after standard output has ended.
const LAST_ERRORS: Duration = Duration::from_millis(30);

/// The first pause before checking again whether a process has ended. It is short because it is part of the time of a
/// run, and most processes end at once. Each further pause is longer.
const FIRST_PAUSE: Duration = Duration::from_micros(50);

/// The end of a wait: at a point in time, or when the stop signal is raised.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    at: Instant,
    limit: Duration,
    stop: StopSignal,
}

impl Deadline {
    /// Begins a wait that ends after `limit` at the latest.
    pub fn new(limit: Duration, stop: &StopSignal) -> Deadline {
        Deadline { at: Instant::now() + limit, limit, stop: stop.clone() }
    }
}

/// Returns the file of a program. A name is looked up on the PATH. A path is relative to `folder`, or to the current
/// folder if there is none. On Windows, the name may lack its extension, such as `.exe`.
pub(super) fn find(program: &str, folder: Option<&Path>) -> Result<PathBuf, SourceError> {
    let here = || std::env::current_dir().unwrap_or_default();
    let folder = folder.map_or_else(here, Path::to_owned);
    which::which_in(program, std::env::var_os("PATH"), &folder).map_err(|_| {
        let is_there = program.contains(std::path::is_separator) && folder.join(program).exists();
        let kind = if is_there { io::ErrorKind::PermissionDenied } else { io::ErrorKind::NotFound };
        SourceError::NotStarted(program.to_owned(), kind)
    })
}

/// A log of everything that is sent to a program and received from it. By default, nothing is logged.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Option<Arc<Mutex<File>>>);

impl Transcript {
    pub fn to(file: File) -> Transcript {
        Transcript(Some(Arc::new(Mutex::new(file))))
    }

    /// Logs a line. Errors are ignored, so that a failing log does not end the command.
    fn log(&self, process: u32, mark: &str, line: &str) {
        if let Some(file) = &self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(file, "{process} {mark} {line}");
        }
    }
}

/// The next event in the output of a program.
#[derive(Clone, Debug)]
pub(super) enum OutputEvent {
    /// The program has printed a line, on standard output or on standard error.
    Line(String),
    /// The program has printed nothing for the given time.
    Silence(Activity),
    /// The program has closed its output. It may have ended, and failed.
    End { has_failed: bool },
}

/// The activity of a program while it is silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    /// It has used the processor, or waits for a processor or a disk now.
    Busy,
    /// It has done nothing.
    Idle,
    /// The system does not say.
    Unknown,
}

/// The last lines of an output, for error messages.
#[derive(Debug, Default)]
pub(super) struct LastLines(Vec<String>);

impl LastLines {
    /// Keeps a line, unless it is empty.
    pub fn keep(&mut self, line: &str) {
        if !line.trim().is_empty() {
            self.0.drain(..(self.0.len() + 1).saturating_sub(KEPT_LINES));
            self.0.push(line.to_owned());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn text(&self) -> String {
        self.0.join("; ")
    }
}

/// A stream that a program prints on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Output,
    Errors,
}

/// A report of a reading thread.
enum Event {
    Line(Stream, String),
    Unreadable(String),
    /// Standard output has ended.
    End,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Group,
    /// Exit status and usage, once the process has ended. The process must not be waited for again.
    end: Option<ResUse>,
    /// The time until which a program that is about to end is waited for.
    grace_ends: Option<Instant>,
    /// Standard input. `None` once it is closed.
    input: Option<Input>,
    events: Receiver<Event>,
    output_has_ended: bool,
    /// The bytes that the program may still print, and the limit at the start of the answer.
    left: usize,
    limit: usize,
    /// Whether a part of an answer was on standard error.
    answers_on_errors: bool,
    /// The last lines of both streams.
    last_lines: LastLines,
    /// The processor time when the program was last looked at.
    processor_time: Option<Duration>,
    transcript: Transcript,
}

impl Process {
    /// Starts a program in a folder, or in the current one. No shell is involved.
    pub fn start(
        command: &[String],
        folder: Option<&Path>,
        transcript: &Transcript,
    ) -> Result<Process, SourceError> {
        let (program, arguments) = command.split_first().ok_or(SourceError::NoCommand)?;
        let not_started = |error: io::Error| SourceError::NotStarted(program.clone(), error.kind());
        // Windows itself adds only the extension `.exe`, and looks for a relative path in the current folder.
        let found = if cfg!(windows) { find(program, folder).ok() } else { None };
        let mut command_to_run = Command::new(found.as_deref().unwrap_or(Path::new(program)));
        command_to_run.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command_to_run.current_dir(folder);
        }
        Group::prepare(&mut command_to_run);
        let child = command_to_run.spawn().map_err(not_started)?;
        let group = Group::of(&child);
        let (sender, events) = sync_channel(QUEUE);
        transcript.log(child.id(), "$", &command.join(" "));
        let mut process = Process {
            child,
            group,
            end: None,
            grace_ends: None,
            input: None,
            events,
            output_has_ended: false,
            left: MOST_AT_START,
            limit: MOST_AT_START,
            answers_on_errors: false,
            last_lines: LastLines::default(),
            processor_time: None,
            transcript: transcript.clone(),
        };
        process.start_threads(sender).map_err(not_started)?;
        Ok(process)
    }

    fn start_threads(&mut self, sender: SyncSender<Event>) -> io::Result<()> {
        if let Some(output) = self.child.stdout.take() {
            let sender = sender.clone();
            Builder::new().spawn(move || {
                send_lines(output, &sender, Stream::Output);
                sender.send(Event::End)
            })?;
        }
        if let Some(errors) = self.child.stderr.take() {
            Builder::new().spawn(move || send_lines(errors, &sender, Stream::Errors))?;
        }
        self.input = self.child.stdin.take().map(Input::to).transpose()?;
        Ok(())
    }

    /// Sends a text of one or more lines. The program may read it later or never.
    pub fn send(&mut self, text: &str) -> Result<(), SourceError> {
        text.lines().for_each(|line| self.transcript.log(self.child.id(), ">", line));
        let is_sent = self.input.as_ref().is_some_and(|input| input.write(text));
        if is_sent { Ok(()) } else { Err(self.ended()) }
    }

    /// Makes each later line wait until the program has read the line before it.
    pub fn send_one_by_one(&mut self) {
        if let Some(input) = &mut self.input {
            input.write_one_by_one();
        }
    }

    pub fn expect_answer(&mut self) {
        (self.left, self.limit) = (MOST_OF_ANSWER, MOST_OF_ANSWER);
    }

    /// Discards everything that the program has printed since its last answer.
    pub fn forget(&mut self) {
        for _ in 0..QUEUE {
            match self.events.try_recv() {
                Ok(Event::Line(stream, line)) => self.note(stream, &line),
                Ok(Event::End) => self.output_has_ended = true,
                Ok(Event::Unreadable(_)) | Err(_) => break,
            }
        }
    }

    /// Whether the program has printed on standard error since the first answer began.
    pub fn answers_on_errors(&self) -> bool {
        self.answers_on_errors
    }

    /// Closes standard input, so that the program sees its end.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the next line, or `None` at the end of the output.
    pub fn line(&mut self, deadline: &Deadline) -> Result<Option<String>, SourceError> {
        loop {
            match self.hear(None, deadline)? {
                OutputEvent::Line(line) => return Ok(Some(line)),
                OutputEvent::End { .. } => return Ok(None),
                OutputEvent::Silence(_) => {}
            }
        }
    }

    /// Waits for the next line, the end of the output, or for silence of this length. `None` is any length.
    pub fn hear(
        &mut self,
        patience: Option<Duration>,
        deadline: &Deadline,
    ) -> Result<OutputEvent, SourceError> {
        let begin = Instant::now();
        let patience = if self.output_has_ended { Some(LAST_ERRORS) } else { patience };
        loop {
            let quiet = patience.map(|patience| patience.saturating_sub(begin.elapsed()));
            let left = deadline.at.saturating_duration_since(Instant::now());
            let event = self.events.recv_timeout(left.min(POLL).min(quiet.unwrap_or(POLL)));
            if deadline.stop.is_raised() {
                return Err(SourceError::Interrupted);
            }
            match event {
                // A program that never stops printing would never be silent.
                Ok(_) if left.is_zero() => return Err(self.timed_out(deadline)),
                Ok(Event::Line(stream, line)) => return self.heard(stream, line),
                Ok(Event::Unreadable(error)) => return Err(SourceError::Unreadable(error)),
                Ok(Event::End) => {
                    self.output_has_ended = true;
                    return self.hear(None, deadline);
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(self.end_of_output()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(self.timed_out(deadline)),
                Err(RecvTimeoutError::Timeout) if quiet.is_some_and(|quiet| quiet.is_zero()) => {
                    return Ok(if self.output_has_ended { self.end_of_output() } else { self.silence() });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn end_of_output(&mut self) -> OutputEvent {
        let has_failed = self.wait_briefly().is_some_and(|status| !status.success());
        OutputEvent::End { has_failed }
    }

    fn silence(&mut self) -> OutputEvent {
        let before = self.processor_time;
        self.look();
        OutputEvent::Silence(match self.processor_time {
            None => Activity::Unknown,
            now if now != before || self.group.is_running(&self.child) => Activity::Busy,
            _ => Activity::Idle,
        })
    }

    /// Begins to watch what the program does. Looking at all processes of the system takes a millisecond.
    pub fn look(&mut self) {
        self.processor_time = self.group.processor_time(&self.child);
    }

    fn timed_out(&self, deadline: &Deadline) -> SourceError {
        SourceError::TimedOut(deadline.limit, self.last_lines())
    }

    /// Returns a line, or an error if the program has printed too much.
    fn heard(&mut self, stream: Stream, line: String) -> Result<OutputEvent, SourceError> {
        match self.left.checked_sub(line.len() + 1) {
            Some(left) => {
                self.left = left;
                self.note(stream, &line);
                Ok(OutputEvent::Line(line))
            }
            None => {
                let when = if self.limit == MOST_AT_START { " before its first question" } else { "" };
                Err(SourceError::NoCount(format!("more than {} MiB of output{when}", self.limit >> 20)))
            }
        }
    }

    /// Logs a line and keeps it for error messages.
    fn note(&mut self, stream: Stream, line: &str) {
        let is_error = stream == Stream::Errors;
        self.answers_on_errors |= is_error && self.limit == MOST_OF_ANSWER;
        self.transcript.log(self.child.id(), if is_error { "!" } else { "<" }, line);
        self.last_lines.keep(line);
    }

    /// Returns the last lines of both streams, for error messages.
    pub fn last_lines(&self) -> String {
        self.last_lines.text()
    }

    /// Returns the error for a program that has ended or closed its output: the exit status and its last lines.
    pub fn ended(&mut self) -> SourceError {
        let status = self.wait_briefly();
        // The last lines of the program may still be in the queue.
        let rest = Deadline::new(GRACE, &StopSignal::default());
        while let Ok(OutputEvent::Line(_)) = self.hear(Some(LAST_ERRORS), &rest) {}
        let status = match status {
            Some(status) => status.to_string(),
            None => "its output is closed".to_owned(),
        };
        SourceError::Ended { status, last: self.last_lines() }
    }

    /// Waits a short time for a program that is about to end, and kills the children that it leaves. Returns its exit
    /// status, or `None` if it still runs. Later calls do not wait again.
    pub fn wait_briefly(&mut self) -> Option<ExitStatus> {
        let grace_ends = *self.grace_ends.get_or_insert_with(|| Instant::now() + GRACE);
        let mut pause = FIRST_PAUSE;
        loop {
            if self.end.is_none() && self.group.has_ended(&mut self.child) {
                self.group.kill();
                self.end = self.child.try_wait4().ok().flatten();
            }
            if self.end.is_some() || Instant::now() > grace_ends {
                return self.end.map(|end| end.status);
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(POLL / 4);
        }
    }

    /// Returns what the program has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        self.group.usage(&self.child, self.end.map(|end| end.rusage))
    }
}

impl Drop for Process {
    /// Kills the program and its group, unless it has been waited for: its number may belong to another program then.
    fn drop(&mut self) {
        if self.end.is_none() {
            self.group.kill();
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Sends each line of the output, until the output ends, a line cannot be read, or the receiver is gone.
fn send_lines(output: impl Read, sender: &SyncSender<Event>, stream: Stream) {
    let mut output = BufReader::new(output);
    while let Some(line) = next_line(&mut output).transpose() {
        let is_last = line.is_err();
        let event =
            line.map_or_else(|error| Event::Unreadable(error.to_string()), |line| Event::Line(stream, line));
        if sender.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Returns the next line of the output, or `None` at its end.
pub(super) fn next_line(output: &mut impl BufRead) -> io::Result<Option<String>> {
    let line = read_line(output)?;
    Ok(line.map(|line| to_text(&line).trim_end().to_owned()))
}
