//! The lines that a program prints, as a terminal shows them.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};

use perft_diagnosis::lines::{MAX_LINE, to_text};

/// What a thread has read: the mark of its stream in the log, and a line, or `None` at the end of the stream.
pub(super) type ReadLine = (char, io::Result<Option<String>>);

/// The mark of standard output. That of standard error is `!`.
pub(super) const OUTPUT: char = '<';

/// Sends each line of a stream and its end, until a line cannot be read, or the receiver is gone. A line of standard
/// error that is too long is left out: it is a progress bar, and no part of an answer.
pub(super) fn send_lines(
    stream: impl Read,
    sender: &SyncSender<ReadLine>,
    mark: char,
    unfinished: &Mutex<Vec<u8>>,
) {
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
