//! Names that mean nothing, and those that are like them.

use perft_core::suite::{builtin, named};

use crate::output::CliError;
use crate::system::command_line::{again, to_type};

/// Returns the error for a text that means nothing. `what` says what it is not. It suggests the most similar name: after
/// `perft` alone also that of one of these commands.
pub fn unknown_name(text: &str, what: &str, commands: &[String]) -> CliError {
    let is_typed = !again(&[(text, &[text])]).is_empty();
    let error = match commands.is_empty() || !is_typed {
        true => CliError::usage(format!("'{text}' is {what}")),
        false => CliError::usage(format!("no command or position called '{text}'")),
    };
    if text.starts_with("960:") {
        return error.help("the number of a Chess960 start position is 0 to 959, as in 960:518");
    }
    error.help(meant(text, commands).unwrap_or_else(|| {
        "'perft help' lists the commands, 'perft list positions' the positions; a FEN has '/' between its ranks"
            .to_owned()
    }))
}

/// Returns the question for a name that the user may have meant, with the line to type then.
pub fn meant(text: &str, commands: &[String]) -> Option<String> {
    let positions = named().cases.iter().map(|case| case.name());
    let suites = builtin::suites().iter().map(|suite| suite.name);
    let names = commands.iter().map(String::as_str).chain(positions).chain(suites);
    let name = *most_similar(text, names, 1).first()?;
    let line = to_type(&again(&[(text, &[name])])).map(|line| format!(" type: {line}"));
    Some(format!("did you mean '{name}'?{}", line.unwrap_or_default()))
}

/// Returns the names that the user may have meant by `text`, the most similar first.
///
/// A name is included if it begins with the text, or if a few letters are wrong, missing, superfluous or exchanged: one
/// in a word of up to five letters, three in a long word. A name with another number of digits is not included, unless
/// it begins with the text.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let allowed = match text.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let lower = name.to_lowercase();
        if text.len() > 2 && lower.starts_with(&text) {
            return Some(0);
        }
        let wrong = strsim::osa_distance(&text, &lower);
        (wrong <= allowed && digits(&text) == digits(&lower)).then_some(wrong)
    };
    let mut similar: Vec<(usize, &str)> = names.filter_map(|name| Some((distance(name)?, name))).collect();
    similar.sort_by_key(|(wrong, _)| *wrong);
    similar.into_iter().take(count).map(|(_, name)| name).collect()
}
