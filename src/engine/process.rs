//! An external program as a process: lines in and out, with deadlines and bounds.
//!
//! A thread reads the output into a short queue, so that waiting for a line can end at a deadline or at the stop signal. A
//! program that prints endless lines fills the queue and then blocks. A program that prints one endless line is an error.
//!
//! Each process has a process group of its own. Dropping a [`Process`] kills the whole group, so the children of the program
//! end with it. An ended process is waited for with `wait4`, the only call that reports what this one process has used.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use perft_core::StopSignal;
use perft_diagnosis::source::{SourceError, Usage};
use wait4::{ResUse, Wait4};

use super::usage;

/// The most lines that wait to be read.
const QUEUE: usize = 1024;

/// The longest line in bytes.
const MAX_LINE: u64 = 1 << 16;

/// The number of last lines of standard error that are kept for error messages.
const KEPT_ERRORS: usize = 3;

/// The interval at which the stop signal is checked.
const POLL: Duration = Duration::from_millis(20);

/// The longest time between the end of the output and the end of the process.
const GRACE: Duration = Duration::from_millis(500);

/// The first pause before checking again whether a process has ended. It is short because it is part of the time of a run,
/// and most processes end at once. Each further pause is longer.
const FIRST_PAUSE: Duration = Duration::from_micros(50);

/// When waiting for a program ends: at a point in time, or when the stop signal is raised.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    at: Instant,
    limit: Duration,
    stop: StopSignal,
}

impl Deadline {
    /// Starts to wait now, for at most `limit`.
    pub fn new(limit: Duration, stop: &StopSignal) -> Deadline {
        Deadline { at: Instant::now() + limit, limit, stop: stop.clone() }
    }
}

/// Checks that a program exists: on the PATH, or if it is a path, from this folder or else from the current one.
pub(super) fn find(program: &str, folder: Option<&Path>) -> Result<(), SourceError> {
    let here = || std::env::current_dir().unwrap_or_default();
    let folder = folder.map_or_else(here, Path::to_owned);
    which::which_in(program, std::env::var_os("PATH"), &folder).map(drop).map_err(|_| {
        let is_there = program.contains(std::path::is_separator) && folder.join(program).exists();
        let kind = if is_there { io::ErrorKind::PermissionDenied } else { io::ErrorKind::NotFound };
        SourceError::NotStarted(program.to_owned(), kind)
    })
}

/// A log of everything that is sent to a program and received from it. By default, nothing is logged.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Option<Arc<Mutex<File>>>);

impl Transcript {
    /// Writes the log to a file.
    pub fn to(file: File) -> Transcript {
        Transcript(Some(Arc::new(Mutex::new(file))))
    }

    /// Logs a line. Errors are ignored: the log is not worth failing for.
    fn log(&self, process: u32, mark: &str, line: &str) {
        if let Some(file) = &self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(file, "{process} {mark} {line}");
        }
    }
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Exit status and usage, once the process has ended. It must not be waited for a second time.
    end: Option<ResUse>,
    lines: Receiver<io::Result<String>>,
    errors: Arc<Mutex<Vec<String>>>,
    error_reader: Option<JoinHandle<()>>,
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
        let mut command_to_run = Command::new(program);
        command_to_run.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command_to_run.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command_to_run, 0);
        let mut child = command_to_run.spawn().map_err(not_started)?;
        let (sender, lines) = sync_channel(QUEUE);
        let errors = Arc::default();
        let mut error_reader = None;
        if let (Some(output), Some(error_output)) = (child.stdout.take(), child.stderr.take()) {
            std::thread::spawn(move || read_lines(output, &sender));
            let (kept, transcript, id) = (Arc::clone(&errors), transcript.clone(), child.id());
            let read = move || keep_last_lines(error_output, &kept, &transcript, id);
            error_reader = Some(std::thread::spawn(read));
        }
        transcript.log(child.id(), "$", &command.join(" "));
        Ok(Process { child, end: None, lines, errors, error_reader, transcript: transcript.clone() })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), SourceError> {
        self.transcript.log(self.child.id(), ">", line);
        let sent = match &mut self.child.stdin {
            Some(input) => writeln!(input, "{line}").and_then(|()| input.flush()),
            None => Ok(()),
        };
        sent.map_err(|_| self.ended())
    }

    /// Returns the next line, or `None` at the end of the output.
    pub fn line(&mut self, deadline: &Deadline) -> Result<Option<String>, SourceError> {
        loop {
            let left = deadline.at.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(Ok(line)) => {
                    self.transcript.log(self.child.id(), "<", &line);
                    return Ok(Some(line));
                }
                Ok(Err(error)) => return Err(SourceError::Unreadable(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if deadline.stop.is_raised() => {
                    return Err(SourceError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(SourceError::TimedOut(deadline.limit));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns the error for a program that has ended or closed its input: the exit status and the last lines of its standard
    /// error.
    pub fn ended(&mut self) -> SourceError {
        let status = self.wait_briefly();
        let all_errors_read = || self.error_reader.as_ref().is_none_or(JoinHandle::is_finished);
        try_until_grace_ends(|| all_errors_read().then_some(()));
        let stderr = self.errors.lock().unwrap_or_else(PoisonError::into_inner).join("; ");
        match status {
            Some(status) => SourceError::Ended { status: status.to_string(), stderr },
            None => SourceError::Ended { status: "its output is closed".to_owned(), stderr },
        }
    }

    /// Waits a short time for a program that is about to end. Returns its exit status, or `None` if it still runs.
    pub fn wait_briefly(&mut self) -> Option<ExitStatus> {
        try_until_grace_ends(|| {
            self.end = self.end.or_else(|| self.child.try_wait4().ok().flatten());
            self.end.map(|end| end.status)
        })
    }

    /// Returns what the program has used since it was started, or `None` where the system does not say.
    pub fn usage(&self) -> Option<Usage> {
        match self.end {
            Some(end) => Some(usage::of_ended(end.rusage)),
            None => usage::of_running(self.child.id()),
        }
    }

    /// Kills the program and its process group.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            // The group can outlive the program. The error for an empty group is expected.
            let group = nix::unistd::Pid::from_raw(group);
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        if self.end.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Repeats an attempt until it succeeds or [`GRACE`] is over. Returns its last result.
fn try_until_grace_ends<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let begin = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        let outcome = attempt();
        if outcome.is_some() || begin.elapsed() > GRACE {
            return outcome;
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(POLL / 4);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends each line of the output, until the output ends, a line cannot be read, or the receiver is gone.
fn read_lines(output: impl Read, sender: &SyncSender<io::Result<String>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output).take(MAX_LINE).read_until(b'\n', &mut line);
        let line = match read {
            Ok(0) => return,
            Ok(length) if length as u64 == MAX_LINE && line.last() != Some(&b'\n') => {
                let _ = sender.send(Err(io::Error::other(format!("a line of more than {MAX_LINE} bytes"))));
                return;
            }
            Ok(_) => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Err(error) => Err(error),
        };
        let is_last = line.is_err();
        if sender.send(line).is_err() || is_last {
            return;
        }
    }
}

/// Reads standard error to its end and keeps the last lines.
fn keep_last_lines(output: impl Read, kept: &Mutex<Vec<String>>, transcript: &Transcript, id: u32) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while matches!((&mut output).take(MAX_LINE).read_until(b'\n', &mut line), Ok(length) if length > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        transcript.log(id, "!", &text);
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT_ERRORS {
            kept.remove(0);
        }
        kept.push(text);
        line.clear();
    }
}
