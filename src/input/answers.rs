//! Reads the counts of another program from a text.
//!
//! Standard input is read only if an argument is `-`. Without it, `perft 4 < my.epd` counts the start position, and the
//! user should know. So a note says that data was not read. The check neither reads nor waits: the data may belong to
//! the script that runs the program.

use perft_core::{Position, RootMove};
use perft_diagnosis::source::Answer;

use crate::output::{CliError, Context, note};

/// Reads the counts of a text about a position. `ours` are the right counts at this depth, and `name` is the name of the
/// file, or `-` for standard input.
///
/// # Errors
/// The text has no counts, or it is not clear which of its numbers are counts.
pub fn read_answer(
    name: &str,
    lines: &[String],
    (position, depth): (&Position, u32),
    ours: &[RootMove],
) -> Result<Answer, CliError> {
    let answer = Answer::of_text(lines, position, depth, ours);
    if answer.is_empty() {
        let message = format!(
            "there are no counts in {}, or it is not clear which of its numbers they are",
            shown(name)
        );
        return Err(CliError::usage(message).help(
            "give the output of a perft: a line such as 'e2e4: 20' for each move, or the total alone",
        ));
    }
    Ok(answer)
}

/// Returns the name of a text in a message.
pub fn shown(name: &str) -> String {
    if name == "-" { "standard input".to_owned() } else { format!("'{name}'") }
}

/// Checks that a text does not begin with the byte order mark of UTF-16, in which Windows PowerShell writes files.
/// `name` is the name of the file.
///
/// # Errors
/// The text begins with this mark.
pub fn refuse_utf16(name: &str, bytes: &[u8]) -> Result<(), CliError> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(CliError::usage(format!(
            "'{name}' is in UTF-16, not UTF-8"
        ))
        .help("save it as UTF-8; in PowerShell, write '| Out-File -Encoding utf8 FILE' instead of '> FILE'")),
        _ => Ok(()),
    }
}

/// Prints a note if there is data on standard input, when this value is made or when it is dropped.
pub struct UnreadInput {
    /// The command that reads the data, until the note is printed.
    reader: Option<String>,
}

impl UnreadInput {
    /// Call this at the start of a command that was not told to read standard input. `reader` is the command that would
    /// read it.
    pub fn watch(reader: Option<String>, context: &Context) -> UnreadInput {
        let mut unread = UnreadInput { reader: reader.filter(|_| !context.global.quiet) };
        unread.look();
        unread
    }

    fn look(&mut self) {
        if let Some(reader) = self.reader.take_if(|_| is_waiting()) {
            note(format!("the data on standard input was not read; to read it: {reader}"));
        }
    }
}

impl Drop for UnreadInput {
    /// Checks again, because the other end of a pipe may have been slow to start.
    fn drop(&mut self) {
        self.look();
    }
}

/// Whether a file or a pipe on standard input has data. A terminal and `/dev/null` have none. Always `false` on
/// Windows, where each kind of input needs a different check.
fn is_waiting() -> bool {
    #[cfg(unix)]
    return {
        use std::io::{IsTerminal, stdin};
        !stdin().is_terminal() && crate::system::unix::waiting_bytes(stdin()) > 0
    };
    #[cfg(not(unix))]
    false
}
