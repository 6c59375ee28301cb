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

use std::fs::File;
use std::io::Read;
use std::mem;
use std::path::{Path, is_separator};

use super::NAME;

/// Splits a command into words; `None` if a quote is not closed.
pub fn split(command: &str) -> Option<Vec<String>> {
    if cfg!(windows) { split_for_windows(command) } else { shell_words::split(command).ok() }
}

/// Returns the command that consists of these words, in quotes where they need them.
pub fn join(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// Returns the command line of this process with another command in the place of a program. Returns `None` if no
/// argument begins with the program.
pub fn again_with(program: &str, command: &str) -> Option<String> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_it = |argument: &&mut String| {
        split(argument).is_some_and(|words| words.first().is_some_and(|word| word == program))
    };
    let argument = arguments.iter_mut().find(is_it)?;
    let rest = argument.strip_prefix(program)?;
    *argument = format!("{command}{rest}");
    Some(join([NAME.to_owned()].into_iter().chain(arguments)))
}

/// Returns the command line of this process with another word at its end.
pub fn again_and(word: &str) -> String {
    join([NAME.to_owned()].into_iter().chain(std::env::args().skip(1)).chain([word.to_owned()]))
}

/// Returns the command line of this process with the words of this command at its beginning.
pub fn again_from(command: &str) -> String {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    if let Some(place) = arguments.windows(words.len()).position(|part| part == words) {
        arguments.drain(place..place + words.len());
    }
    join([NAME.to_owned()].into_iter().chain(words).chain(arguments))
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

/// Doubles the backslashes at the end of a text. Before a quote, two backslashes stand for one.
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

/// Whether a command begins with a program: a path, or a name on the PATH that is not a file here. A text without `#!`
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

/// Whether a word is a file, a pipe or a device that is read, and not a program or a folder.
pub fn is_readable(word: &str) -> bool {
    let is_program = || std::path::absolute(word).is_ok_and(|path| is_program(&path.to_string_lossy()));
    std::fs::metadata(word).is_ok_and(|found| !found.is_dir()) && !is_program()
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
