//! Commands as text: splitting them into words, quoting words, and the programs that words name.
//!
//! - On Unix, the rules are those of the shell.
//! - On Windows, the rules are those by which programs there read their command line: double quotes keep spaces
//!   together, and a backslash is an ordinary character unless a double quote follows. A word may also be in single
//!   quotes, because Windows PowerShell removes double quotes from the arguments of programs. A single quote within a
//!   word is an ordinary character.
//!
//! A command that the user is told to type is quoted for the system on which it is printed. Both `cmd` and PowerShell
//! understand double quotes.

use std::ffi::OsStr;
use std::io::Read;
use std::mem;
use std::path::{Path, is_separator};
use std::sync::OnceLock;

use super::NAME;
use super::files::{self, Kind};

/// Splits a command into words; `None` if a quote is not closed.
pub fn split(command: &str) -> Option<Vec<String>> {
    if cfg!(windows) { split_for_windows(command) } else { shell_words::split(command).ok() }
}

/// Returns the command that consists of these words, in quotes where they need them.
pub fn join(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// Checks that this program accepts a line of these words. The commands set it when the program starts, because only
/// they have the parser.
pub static IS_ACCEPTED: OnceLock<fn(&[String]) -> bool> = OnceLock::new();

/// Returns the line of this program with these words, for the user to type. Every line that is suggested is made here.
/// Returns `None` if there are no words, or if the program would refuse them.
pub fn to_type(words: &[impl AsRef<str>]) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| word.as_ref().to_owned()).collect();
    let is_accepted = !words.is_empty() && IS_ACCEPTED.get().is_none_or(|is_accepted| is_accepted(&words));
    is_accepted.then(|| join([NAME.to_owned()].into_iter().chain(words)))
}

pub fn arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

/// Returns the arguments of this process, in which these words are replaced by others. A word may begin a quoted
/// argument. Returns no words if one of them is not an argument.
pub fn again(edits: &[(&str, &[&str])]) -> Vec<String> {
    let replaced = |mut words: Vec<String>, (word, by): &(&str, &[&str])| {
        let rest = |other: &str| {
            other
                .strip_prefix(word)
                .map(str::to_owned)
                .filter(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let (place, rest) =
            words.iter().enumerate().rev().find_map(|(place, other)| Some((place, rest(other)?)))?;
        let mut by: Vec<String> = by.iter().map(|by| (*by).to_owned()).collect();
        if let Some(last) = by.last_mut() {
            last.push_str(&rest);
        }
        words.splice(place..=place, by);
        Some(words)
    };
    edits.iter().try_fold(arguments(), replaced).unwrap_or_default()
}

/// Returns the name of the file of a program.
pub fn file_name(program: &str) -> &str {
    Path::new(program).file_name().and_then(OsStr::to_str).unwrap_or(program)
}

/// Returns a text as one word, in quotes if it needs them.
pub fn quoted(word: &str) -> String {
    if cfg!(windows) { quoted_for_windows(word) } else { shell_words::quote(word).into_owned() }
}

fn split_for_windows(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    // The current word, and the quote that is open.
    let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
    for c in command.chars() {
        match (quote, c) {
            (None, ' ' | '\t' | '\r' | '\n') => words.extend(mem::take(&mut word)),
            (None, '\'') if word.is_none() => {
                word = Some(String::new());
                quote = Some(c);
            }
            (Some('\''), '\'') => quote = None,
            (None | Some('"'), '"') => {
                let word = word.get_or_insert_default();
                let backslashes = last_backslashes(word);
                word.truncate(word.len() - backslashes.div_ceil(2));
                match (backslashes % 2, quote) {
                    (1, _) => word.push(c),
                    (_, None) => quote = Some(c),
                    (_, Some(_)) => quote = None,
                }
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn quoted_for_windows(word: &str) -> String {
    // In PowerShell, a comma makes a list, and most other signs have a special meaning.
    let is_plain = |c: char| c.is_alphanumeric() || r"\/._-:+=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let mut text = String::from('"');
    for c in word.chars() {
        if c == '"' {
            double_last_backslashes(&mut text);
            text.push('\\');
        }
        text.push(c);
    }
    double_last_backslashes(&mut text);
    text.push('"');
    text
}

/// A quote follows. Before it, two backslashes stand for one.
fn double_last_backslashes(text: &mut String) {
    text.push_str(&"\\".repeat(last_backslashes(text)));
}

fn last_backslashes(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

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

/// Whether a word is a path of a program, or a name on the PATH that is not a file here. A text without `#!` is not a
/// program, even if all files are executable, as on the disks of Windows in Linux.
pub fn is_program(word: &str) -> bool {
    let path = Path::new(word);
    let is_found = which::which(word).is_ok() && (word.contains(is_separator) || !path.is_file());
    let is_script = || beginning(path).is_some_and(|beginning| beginning.starts_with(b"#!"));
    is_found && (is_script() || !is_text(path))
}

pub fn is_text(file: &Path) -> bool {
    let is_text = |byte: &u8| *byte >= b' ' && *byte != 0x7f || b"\0\t\r\n".contains(byte);
    beginning(file).is_some_and(|beginning| beginning.iter().all(is_text))
}

fn beginning(file: &Path) -> Option<Vec<u8>> {
    let mut beginning = Vec::new();
    files::open(file, Kind::Regular).ok()?.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    Some(beginning)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_commands_are_split_at_spaces_outside_quotes() {
        for (command, words) in [
            (r"C:\x\engine.exe --flag", &[r"C:\x\engine.exe", "--flag"][..]),
            (r#""C:\My Engines\stock fish.exe"  --flag"#, &[r"C:\My Engines\stock fish.exe", "--flag"]),
            (r"'C:\My Engines\stock fish.exe' --flag", &[r"C:\My Engines\stock fish.exe", "--flag"]),
            (r"C:\Users\O'Brien\sf.exe it's", &[r"C:\Users\O'Brien\sf.exe", "it's"]),
            (r#"engine --fen="{fen}" "" ''"#, &["engine", "--fen={fen}", "", ""]),
            (r#"a \"b\" "c \"d\" e" "f\\" g\\"h i""#, &["a", r#""b""#, r#"c "d" e"#, r"f\", r"g\h i"]),
            (r"\\server\share\e.exe", &[r"\\server\share\e.exe"]),
            ("", &[]),
            (" \t", &[]),
        ] {
            assert_eq!(split_for_windows(command).unwrap(), words, "{command}");
        }
        for open in [r#""C:\x y"#, "'a b", r#""a\""#] {
            assert_eq!(split_for_windows(open), None, "{open}");
        }
    }

    #[test]
    fn quoted_words_are_read_again() {
        let words = [
            "",
            "a",
            r"C:\x\e.exe",
            r"C:\My Engines\",
            "it's",
            "'a'",
            r#"say "a b""#,
            r#"\" \\" \"#,
            "e2e4,e7e5",
            "8/8/8/8/8/8/8/k1K5 w - - 0 1",
        ];
        let text = words.map(quoted_for_windows).join(" ");
        assert_eq!(split_for_windows(&text).unwrap(), words, "{text}");
        assert_eq!(split(&join(words)).unwrap(), words);
        assert_eq!(quoted_for_windows(r"C:\x\e.exe"), r"C:\x\e.exe");
        assert_eq!(quoted_for_windows("start pos"), "\"start pos\"");
    }
}
