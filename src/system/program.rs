//! Files that can be run, as the words of a command line name them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, is_separator};

use super::command_line::{join, split};

/// The number of bytes of a file that show whether it is text.
const BEGINNING: u64 = 4096;

/// The programs that run files with these extensions, with the words before the file.
const INTERPRETERS: [(&str, &[&str]); 10] = [
    ("py", &["python3"]),
    ("py", &["python"]),
    ("js", &["node"]),
    ("mjs", &["node"]),
    ("rb", &["ruby"]),
    ("pl", &["perl"]),
    ("lua", &["lua"]),
    ("sh", &["sh"]),
    ("jar", &["java", "-jar"]),
    ("dll", &["dotnet"]),
];

/// Whether a command begins with a program: a path, or a name on the PATH that is not a file here. A list of positions
/// is not a program, even if all files are executable, as on the disks of Windows in Linux.
pub fn is_command(command: &str) -> bool {
    let words = split(command).unwrap_or_default();
    [Some(command), words.first().map(String::as_str)].into_iter().flatten().any(is_program)
}

fn is_program(word: &str) -> bool {
    let is_here = Path::new(word).is_file();
    which::which(word).is_ok() && (word.contains(is_separator) || !is_here) && !is_plain_text(Path::new(word))
}

/// Whether a file is text that is no script.
fn is_plain_text(file: &Path) -> bool {
    let mut beginning = Vec::new();
    let is_read = File::open(file).is_ok_and(|file| file.take(BEGINNING).read_to_end(&mut beginning).is_ok());
    let is_text = |byte: &u8| *byte >= b' ' && *byte != 0x7f || b"\0\t\r\n".contains(byte);
    is_read && !beginning.starts_with(b"#!") && beginning.iter().all(is_text)
}

/// Whether a word is a path like that of a program, but there is no such file.
pub fn is_missing(word: &str) -> bool {
    let path = Path::new(word);
    let has_ending = |ending: &str| INTERPRETERS.iter().any(|(known, _)| *known == ending) || ending == "exe";
    let is_path = word.starts_with(['.', '/', '\\', '~']) && !path.exists();
    is_path && path.extension().is_none_or(|ending| ending.to_str().is_some_and(has_ending))
}

/// Returns the command that runs a file, if the file itself is not a command: `./a.py`, `python3 a.py`.
pub fn to_run(file: &str) -> Option<String> {
    let path = Path::new(file);
    if !path.is_file() || is_program(file) {
        return None;
    }
    let here = format!(".{}{file}", std::path::MAIN_SEPARATOR);
    if !file.contains(is_separator) && is_program(&here) {
        return Some(here);
    }
    let extension = path.extension()?.to_str()?;
    let can_run = |(ending, words): &&(&str, &[&str])| *ending == extension && which::which(words[0]).is_ok();
    let (_, words) = INTERPRETERS.iter().find(can_run)?;
    Some(join(words.iter().copied().chain([file])))
}
