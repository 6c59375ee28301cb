//! Notes that data on standard input was not read.
//!
//! Standard input is read only if an argument is `-`. Without it, `perft 4 < my.epd` counts the start position, and
//! the user should know. This module does not read or wait: the data may belong to the script that runs the program.

use crate::output::context::Context;
use crate::output::error::note;

/// Prints a note if there is data on standard input, when this value is made or when it is dropped.
pub struct UnreadInput {
    /// The command that reads the data, until the note is printed.
    reader: Option<String>,
}

impl UnreadInput {
    /// Call this at the start of a command that was not told to read standard input. `reader` is the command that would
    /// read it.
    pub fn watch(reader: String, context: &Context) -> UnreadInput {
        let mut unread = UnreadInput { reader: Some(reader).filter(|_| !context.global.quiet) };
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
