//! The encoding of text that the user gives: UTF-8.

use crate::output::error::CliError;

/// Checks that a text does not begin with the byte order mark of UTF-16, in which Windows PowerShell writes files.
/// `name` is the name of the file.
///
/// # Errors
/// It does.
pub fn refuse_utf16(name: &str, bytes: &[u8]) -> Result<(), CliError> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(CliError::usage(format!(
            "'{name}' is in UTF-16, not UTF-8"
        ))
        .help("save it as UTF-8; in PowerShell, write '| Out-File -Encoding utf8 FILE' instead of '> FILE'")),
        _ => Ok(()),
    }
}
