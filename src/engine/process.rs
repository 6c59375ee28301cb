//! An external program as a process: lines in and out, with deadlines and bounds.
//!
//! Threads read standard output and standard error into one short queue, so that waiting for a line can end at a
//! deadline or at the stop signal. A program that prints endless lines fills the queue and then blocks. A program that
//! prints one endless line is an error. Lines are read as a terminal shows them.
//!
//! Dropping a [`Process`] kills its whole [`Group`], so the children of the program end with it. That also happens if
//! this program ends without dropping anything. On Unix, an ended process is waited for with `wait4`, the only call
//! that reports what this one process has used.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::lines::{MAX_LINE, to_text};
use perft_diagnosis::source::{SourceError, Usage};
use wait4::{ResUse, Wait4};

use super::group::Group;
use super::idle::{Idle, POLL};
use super::input::Input;
use super::spec::find;
use super::transcript::Transcript;

/// The largest number of lines that wait to be read.
const QUEUE: usize = 1024;

/// The largest number of bytes that a program may print before its first question.
const MOST_AT_START: usize = 1 << 20;

/// The largest size of an answer, in bytes. The longest answers list all variations of a search.
const MOST_OF_ANSWER: usize = 16 << 20;

/// The number of last lines that are kept for error messages.
const KEPT_LINES: usize = 3;

/// The longest time between the end of the output and the end of the process.
const GRACE: Duration = Duration::from_millis(500);

/// The time up to which the processor time, which Linux counts in hundredths of a second, says nothing.
const TOO_SHORT: Duration = Duration::from_millis(100);

/// How long standard error is read after standard output has ended.
const LAST_ERRORS: Duration = Duration::from_millis(300);

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

/// The next event in the output of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OutputEvent {
    /// The program has printed a line, on standard output or on standard error.
    Line(String),
    /// The program is silent. It may have read its input, where the system says so, and then also do nothing.
    Silent { has_read: bool, is_idle: bool },
    /// The program has closed its output. It may have ended, and failed.
    End { has_failed: bool },
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
    lines: Receiver<ReadLine>,
    output_has_ended: bool,
    /// Standard output, to see whether a part of it is not read yet.
    #[cfg(unix)]
    output: Option<std::os::fd::OwnedFd>,
    /// The beginning of a line on standard output.
    unfinished: Arc<Mutex<Vec<u8>>>,
    /// Whether lines of this answer have come through standard output, and through standard error.
    used_pipes: [bool; 2],
    /// The processor time of its processes at the last look, and at the last look before this answer.
    processor_time: Option<Duration>,
    processor_time_before: Option<Duration>,
    /// The bytes that the program may still print, and the limit at the start of the answer.
    left: usize,
    limit: usize,
    /// The last lines of standard output and of standard error that are not empty, for error messages.
    last_lines: [VecDeque<String>; 2],
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
        // Windows itself adds only the extension `.exe`, and looks for a relative path in the current folder.
        let found = if cfg!(windows) { find(program, folder).ok() } else { None };
        let mut to_run = Command::new(found.as_deref().unwrap_or(Path::new(program)));
        to_run.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            to_run.current_dir(folder);
        }
        let process = Process::spawn(to_run, transcript)
            .map_err(|error| SourceError::NotStarted(program.clone(), error.kind(), error.to_string()))?;
        transcript.log(process.child.id(), '$', &command.join(" "));
        Ok(process)
    }

    fn spawn(mut command: Command, transcript: &Transcript) -> io::Result<Process> {
        Group::prepare(&mut command);
        let child = command.spawn()?;
        let (sender, lines) = sync_channel(QUEUE);
        let mut process = Process {
            group: Group::of(&child),
            child,
            end: None,
            grace_ends: None,
            input: None,
            lines,
            output_has_ended: false,
            #[cfg(unix)]
            output: None,
            unfinished: Arc::default(),
            used_pipes: [false; 2],
            processor_time: None,
            processor_time_before: None,
            left: MOST_AT_START,
            limit: MOST_AT_START,
            last_lines: Default::default(),
            transcript: transcript.clone(),
        };
        if let Some(output) = process.child.stdout.take() {
            #[cfg(unix)]
            {
                process.output = Some(std::os::fd::AsFd::as_fd(&output).try_clone_to_owned()?);
            }
            let (sender, unfinished) = (sender.clone(), process.unfinished.clone());
            Builder::new().spawn(move || send_lines(output, &sender, OUTPUT, &unfinished))?;
        }
        if let Some(errors) = process.child.stderr.take() {
            Builder::new().spawn(move || send_lines(errors, &sender, '!', &Mutex::default()))?;
        }
        process.input = process.child.stdin.take().map(Input::to).transpose()?;
        Ok(process)
    }

    /// Sends a text of one or more lines. The program may read it later or never.
    pub fn send(&mut self, text: &str) -> Result<(), SourceError> {
        text.lines().for_each(|line| self.transcript.log(self.child.id(), '>', line));
        let is_sent = self.input.as_ref().is_some_and(|input| input.write(text));
        if is_sent { Ok(()) } else { Err(self.ended()) }
    }

    pub fn expect_answer(&mut self) {
        (self.left, self.limit) = (MOST_OF_ANSWER, MOST_OF_ANSWER);
        self.used_pipes = [false; 2];
        self.processor_time_before = self.processor_time;
    }

    /// Whether lines of this answer have come through standard output and through standard error.
    pub fn uses_two_pipes(&self) -> bool {
        self.used_pipes == [true; 2]
    }

    /// Takes everything that the program has printed since its last answer.
    pub fn late_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.len() < QUEUE {
            match self.lines.try_recv() {
                Ok((mark, Ok(Some(line)))) => {
                    self.note(mark, &line);
                    lines.push(line);
                }
                Ok((mark, Ok(None))) => self.output_has_ended |= mark == OUTPUT,
                Ok((_, Err(_))) | Err(_) => break,
            }
        }
        lines
    }

    /// Takes the beginning of a line that is not finished yet as a line, if it has a count.
    pub fn take_unfinished(&mut self, has_count: &dyn Fn(&str) -> bool) -> Option<String> {
        let unfinished = self.unfinished.clone();
        let mut bytes = unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        let line = Some(to_text(&bytes)).filter(|line| !line.is_empty() && has_count(line))?;
        bytes.clear();
        self.note(OUTPUT, &line);
        Some(line)
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
                OutputEvent::Silent { .. } => {}
            }
        }
    }

    /// Waits for the next line, or for the end of the output. With a `patience`, also waits until the program has been
    /// silent for this time. The output of a program that has ended, and whose children are idle, has ended too.
    pub fn hear(
        &mut self,
        patience: Option<Duration>,
        deadline: &Deadline,
    ) -> Result<OutputEvent, SourceError> {
        let mut idle = Idle::new(patience);
        loop {
            let quiet = if self.output_has_ended { LAST_ERRORS } else { idle.left() };
            let left = deadline.at.saturating_duration_since(Instant::now());
            let read = self.lines.recv_timeout(left.min(POLL).min(quiet));
            if deadline.stop.is_raised() {
                return Err(SourceError::Interrupted);
            }
            match read {
                // A program that never stops printing would never be silent.
                Ok(_) if left.is_zero() => return Err(self.timed_out(deadline)),
                Ok((mark, Ok(Some(line)))) => return self.heard(mark, line),
                Ok((mark, Ok(None))) => self.output_has_ended |= mark == OUTPUT,
                Ok((_, Err(error))) => return Err(SourceError::Unreadable(error.to_string())),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(self.timed_out(deadline)),
                Err(error) if self.output_has_ended || error == RecvTimeoutError::Disconnected => {
                    return Ok(self.end());
                }
                Err(_) if quiet.is_zero() => match idle.look(&self.group, &self.child) {
                    Some(true) if self.has_unread_output() => {}
                    Some(true) if self.has_ended() => return Ok(self.end()),
                    look => {
                        self.processor_time = idle.processor_time.or(self.processor_time);
                        if let Some(is_quiet) = look {
                            let has_read = self.has_read_all();
                            let is_idle = is_quiet && has_read;
                            return Ok(OutputEvent::Silent { has_read: has_read && cfg!(unix), is_idle });
                        }
                    }
                },
                Err(_) => {}
            }
        }
    }

    fn end(&mut self) -> OutputEvent {
        OutputEvent::End { has_failed: self.wait_briefly().is_some_and(|status| !status.success()) }
    }

    /// Whether the program has read all its input. `true` where the system does not say.
    pub fn has_read_all(&self) -> bool {
        self.input.as_ref().is_none_or(Input::is_read)
    }

    /// Whether the program has used the processor for at least half of this time, which its answer has taken so far.
    /// Then its processes are those that count. `false` where the system does not say.
    pub fn has_worked(&self, time: Duration) -> bool {
        let [before, now] = [self.processor_time_before, self.processor_time].map(Option::unwrap_or_default);
        self.processor_time.is_some() && (time <= TOO_SHORT || 2 * now.saturating_sub(before) >= time)
    }

    /// Whether the program prints nothing before it gets more input: it has read all of it, and only waits for more.
    pub fn only_reads(&self) -> bool {
        self.has_read_all() && self.group.only_reads() && !self.has_unread_output()
    }

    /// Whether the program has printed something that is not read yet. `false` where the system does not say.
    fn has_unread_output(&self) -> bool {
        #[cfg(unix)]
        return self
            .output
            .as_ref()
            .is_some_and(|output| rustix::io::ioctl_fionread(output).unwrap_or(0) > 0);
        #[cfg(not(unix))]
        return false;
    }

    /// Whether the program has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.end.is_some() || self.group.has_ended(&mut self.child)
    }

    fn timed_out(&self, deadline: &Deadline) -> SourceError {
        SourceError::TimedOut(deadline.limit, self.last_said())
    }

    /// Returns a line, or an error if the program has printed too much.
    fn heard(&mut self, mark: char, line: String) -> Result<OutputEvent, SourceError> {
        match self.left.checked_sub(line.len() + 1) {
            Some(left) => {
                self.left = left;
                self.note(mark, &line);
                Ok(OutputEvent::Line(line))
            }
            None => {
                let when = if self.limit == MOST_AT_START { " before its first question" } else { "" };
                Err(SourceError::NoCount(format!("more than {} MiB of output{when}", self.limit >> 20)))
            }
        }
    }

    /// Logs a line and keeps it for error messages.
    fn note(&mut self, mark: char, line: &str) {
        self.transcript.log(self.child.id(), mark, line);
        if !line.trim().is_empty() {
            let pipe = usize::from(mark != OUTPUT);
            self.used_pipes[pipe] = true;
            let lines = &mut self.last_lines[pipe];
            lines.push_back(line.to_owned());
            if lines.len() > KEPT_LINES {
                lines.pop_front();
            }
        }
    }

    /// Returns the last lines. Those of standard error come last, because they often say why a program has ended. The
    /// order of two streams is not known.
    fn last_said(&self) -> String {
        let [output, errors] = &self.last_lines;
        let skipped = (output.len() + errors.len()).saturating_sub(KEPT_LINES);
        output.iter().skip(skipped).chain(errors).map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    /// Returns the error for a program that has ended or closed its output: the exit status and its last lines.
    pub fn ended(&mut self) -> SourceError {
        let status = self.wait_briefly();
        // The last lines may not have been read yet. The streams of a program that has ended end too.
        let ends = Instant::now() + if status.is_some() { GRACE } else { LAST_ERRORS };
        while let Ok((mark, read)) = self.lines.recv_timeout(ends.saturating_duration_since(Instant::now())) {
            if let Ok(Some(line)) = read {
                self.note(mark, &line);
            }
        }
        let status = status.map_or("its output is closed".to_owned(), |status| status.to_string());
        SourceError::Ended { status, last: self.last_said() }
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

/// What a thread has read: the mark of its stream in the log, and a line, or `None` at the end of the stream.
type ReadLine = (char, io::Result<Option<String>>);

/// The mark of standard output. That of standard error is `!`.
const OUTPUT: char = '<';

/// Sends each line of a stream and its end, until a line cannot be read, or the receiver is gone. A line of standard
/// error that is too long is left out: it is a progress bar, and no part of an answer.
fn send_lines(stream: impl Read, sender: &SyncSender<ReadLine>, mark: char, unfinished: &Mutex<Vec<u8>>) {
    let mut stream = BufReader::new(stream);
    loop {
        let read = next_line(&mut stream, unfinished);
        let is_too_long = read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::InvalidData);
        if is_too_long && mark != OUTPUT {
            continue;
        }
        let is_last = !matches!(read, Ok(Some(_)));
        if sender.send((mark, read)).is_err() || is_last {
            return;
        }
    }
}

/// Returns the next line of the output, or `None` at its end. The line grows in `unfinished`.
pub(super) fn next_line(
    output: &mut impl BufRead,
    unfinished: &Mutex<Vec<u8>>,
) -> io::Result<Option<String>> {
    loop {
        let bytes = output.fill_buf()?;
        let length = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| at + 1);
        let mut line = unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        bytes[..length].iter().for_each(|&byte| print(byte, &mut line));
        let is_finished = length == 0 || bytes[length - 1] == b'\n';
        output.consume(length);
        if line.len() > MAX_LINE {
            line.clear();
            let message = format!("a line of more than {MAX_LINE} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if length == 0 && line.is_empty() {
            return Ok(None);
        }
        if is_finished {
            return Ok(Some(to_text(&std::mem::take(&mut *line)).trim_end().to_owned()));
        }
    }
}

/// Adds a byte to a line as a terminal does: what a progress bar has overwritten is not part of the line. The text
/// before a carriage return is overwritten by other text, and a backspace takes back a character.
fn print(byte: u8, line: &mut Vec<u8>) {
    match byte {
        b'\x08' => while line.pop().is_some_and(|last| last & 0xc0 == 0x80) {},
        b'\r' | b'\n' => line.push(byte),
        _ => {
            if line.last() == Some(&b'\r') {
                line.clear();
            }
            line.push(byte);
        }
    }
}
