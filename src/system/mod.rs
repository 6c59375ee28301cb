//! The system: files, commands as text, and calls of the Windows API.
//!
//! - `windows`: calls that no library offers in a safe form, on this system only
//! - `command_line`: commands as text, quoting words, and whether a word is a program
//! - `files`: writing files completely or not at all, and reading files that this program has not written

pub mod command_line;
pub mod files;
#[cfg(windows)]
pub mod windows;

/// The name of the program. The package has another name, because another crate on crates.io is called `perft`.
pub const NAME: &str = "perft";
