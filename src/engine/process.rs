//! A foreign program as a process: its own process group, lines in and out, deadlines, bounds.
//!
//! A thread reads what the program prints into a short queue, so that waiting for a line can end at a deadline, or at the
//! stop signal. A program that prints without end fills the queue and then waits; one that prints a line without end is
//! given up. Dropping a process kills its whole group: what the program has started dies with it. A process that has ended is
//! waited for by `wait4`, which alone says what this one has used.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wait4::{ResUse, Wait4};

use super::{SourceError, Spent};
use perft_core::StopSignal;

/// Lines that wait to be looked at.
const QUEUE: usize = 1024;

/// The longest line in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Lines of the standard error output that are kept, for the message when the program fails.
const KEPT_ERRORS: usize = 3;

/// How often the stop signal is looked at.
const POLL: Duration = Duration::from_millis(20);

/// How long a program that has closed its output may take to end.
const GRACE: Duration = Duration::from_millis(500);

/// How soon it is looked at again whether it has; then later and later. Most have a moment later, and are timed until then.
const FIRST_LOOK: Duration = Duration::from_micros(50);

/// Until when to wait, and for what else.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    deadline: Instant,
    limit: Duration,
    stop: StopSignal,
}

impl Patience {
    /// So long from now, or until the signal.
    pub fn new(limit: Duration, stop: &StopSignal) -> Patience {
        Patience { deadline: Instant::now() + limit, limit, stop: stop.clone() }
    }
}

/// Makes sure that there is such a program: on the PATH, or where its path leads from this folder, or from the current one.
pub(super) fn find(program: &str, folder: Option<&Path>) -> Result<(), SourceError> {
    let here = || std::env::current_dir().unwrap_or_default();
    let folder = folder.map_or_else(here, Path::to_owned);
    which::which_in(program, std::env::var_os("PATH"), &folder).map(drop).map_err(|_| {
        let is_there = program.contains(std::path::is_separator) && folder.join(program).exists();
        let kind = if is_there { io::ErrorKind::PermissionDenied } else { io::ErrorKind::NotFound };
        SourceError::NotStarted(program.to_owned(), kind)
    })
}

/// Where everything that is said in both directions is written down.
#[derive(Clone, Debug, Default)]
pub struct Transcript(Option<Arc<Mutex<File>>>);

impl Transcript {
    /// Written to this file.
    pub fn to(file: File) -> Transcript {
        Transcript(Some(Arc::new(Mutex::new(file))))
    }

    /// A line; what cannot be written is lost, since it is not what the user waits for.
    fn note(&self, process: u32, mark: &str, line: &str) {
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
    /// How it has ended, once that is known: it must not be waited for again.
    end: Option<ResUse>,
    lines: Receiver<io::Result<String>>,
    errors: Arc<Mutex<Vec<String>>>,
    error_reader: Option<JoinHandle<()>>,
    transcript: Transcript,
}

impl Process {
    /// Starts a program in a folder, or in the current one; no shell is asked.
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
        transcript.note(child.id(), "$", &command.join(" "));
        Ok(Process { child, end: None, lines, errors, error_reader, transcript: transcript.clone() })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), SourceError> {
        self.transcript.note(self.child.id(), ">", line);
        let sent = match &mut self.child.stdin {
            Some(input) => writeln!(input, "{line}").and_then(|()| input.flush()),
            None => Ok(()),
        };
        sent.map_err(|_| self.ended())
    }

    /// The next line; `None` at the end of the output.
    pub fn line(&mut self, patience: &Patience) -> Result<Option<String>, SourceError> {
        loop {
            let left = patience.deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL)) {
                Ok(Ok(line)) => {
                    self.transcript.note(self.child.id(), "<", &line);
                    return Ok(Some(line));
                }
                Ok(Err(error)) => return Err(SourceError::Unreadable(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if patience.stop.is_raised() => {
                    return Err(SourceError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(SourceError::TimedOut(patience.limit));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Why the program is no more, or does not listen: its exit status, and what it said last.
    pub fn ended(&mut self) -> SourceError {
        let status = self.wait_a_moment();
        let has_said_all = || self.error_reader.as_ref().is_none_or(JoinHandle::is_finished);
        happens_soon(|| has_said_all().then_some(()));
        let said = self.errors.lock().unwrap_or_else(PoisonError::into_inner).join("; ");
        match status {
            Some(status) => SourceError::Ended { status: status.to_string(), stderr: said },
            None => SourceError::Ended { status: "its output is closed".to_owned(), stderr: said },
        }
    }

    /// The exit status of a program that is about to end; `None` if it goes on.
    pub fn wait_a_moment(&mut self) -> Option<ExitStatus> {
        happens_soon(|| {
            self.end = self.end.or_else(|| self.child.try_wait4().ok().flatten());
            self.end.map(|end| end.status)
        })
    }

    /// What the program has used, in all its life if it has ended, or until now; `None` where the system does not say.
    pub fn spent(&self) -> Option<Spent> {
        match self.end {
            Some(end) => Some(end.rusage.into()),
            None => Spent::by_running(self.child.id()),
        }
    }

    /// Ends the program, if it still runs, and whatever it has started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            // The group may outlive its leader. None that is left is an error, and so much the better.
            let group = nix::unistd::Pid::from_raw(group);
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        if self.end.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// What comes of something that is tried until it succeeds or [`GRACE`] is over.
fn happens_soon<T>(mut attempt: impl FnMut() -> Option<T>) -> Option<T> {
    let begin = Instant::now();
    let mut pause = FIRST_LOOK;
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

/// Hands on lines until the output ends, one cannot be read, or nobody listens.
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

fn keep_last_lines(output: impl Read, kept: &Mutex<Vec<String>>, transcript: &Transcript, id: u32) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while matches!((&mut output).take(MAX_LINE).read_until(b'\n', &mut line), Ok(length) if length > 0) {
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        transcript.note(id, "!", &text);
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT_ERRORS {
            kept.remove(0);
        }
        kept.push(text);
        line.clear();
    }
}
