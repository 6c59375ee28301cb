//! What the lines of a list are: headings, comments, code. The names of positions in them.

use std::collections::HashMap;

use super::label::{is_in, is_known};
use super::{find_fen, unquoted};

/// The largest number of words of a name in a line of its own.
const MAX_NAME_WORDS: usize = 8;

/// Words that only say that a position follows.
const KEYWORDS: &str = "fen epd position setfen setboard startpos board pos";

/// Words of programs that begin a function, and words before those.
const FUNCTIONS: &str = "fn def func function void TEST TEST_F TEST_CASE test it describe";
const MODIFIERS: &str = "pub public private static async export final";

/// Calls that make a board which the list does not describe.
const BOARDS: &str = "::new() ::default() ::start() ::startpos() Board() Position() .reset()";

/// The start position, as the text of a line.
const STARTS: [&str; 4] = ["initial position", "start position", "starting position", "startposition"];

pub fn is_comment(text: &str) -> bool {
    let is_code = text.starts_with("#[") || text.starts_with("#define");
    !is_code && ["#", "//", "--", "%", "/*"].iter().any(|sign| text.starts_with(sign))
}

/// Whether a line is a heading that ends the text of a position. A line with one `#` may be a comment.
pub fn is_heading(text: &str, is_alone: bool) -> bool {
    let level = text.bytes().take_while(|&letter| letter == b'#').count();
    let is_about_counts = || text[level..].trim().split(' ').all(is_known);
    (level > 1 || level == 1 && is_alone) && text[level..].starts_with(' ') && !is_about_counts()
}

/// Whether a line is only the name of the start position.
pub fn is_start(text: &str) -> bool {
    let text = text.trim_matches(|letter: char| !letter.is_alphanumeric());
    STARTS.iter().any(|start| text.eq_ignore_ascii_case(start))
}

/// Whether a line of a program begins a function, or makes a board that the list does not describe. What follows does
/// not belong to the position above.
pub fn opens_function(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let first = words.find(|word| !is_in(MODIFIERS, word));
    text.contains('(') && first.is_some_and(|first| is_in(FUNCTIONS, first))
        || BOARDS.split(' ').any(|call| text.contains(call))
}

/// Returns a line without a remark at its end.
pub fn without_remark(line: &str) -> &str {
    let end = [" # ", " // ", "\t# ", "\t// "].iter().filter_map(|sign| line.find(sign)).min();
    end.filter(|_| !line.trim_start().starts_with('|')).map_or(line, |end| &line[..end])
}

/// Whether the text before a FEN is only its number in a list: `2. `.
pub fn is_index(before: &str) -> bool {
    let before = before.trim_start_matches(['-', '*', ' ']).trim_end_matches(['`', '"', '\'', ' ']);
    before
        .strip_suffix(['.', ')'])
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns the name that gets a value in the text before the value: `const START: &str = "`.
fn constant(before: &str) -> Option<&str> {
    let before = match before.rfind('=').or_else(|| before.rfind(':')) {
        Some(link) => before[..link].split(':').next()?,
        None => before.trim().strip_prefix("#define ")?,
    };
    let mut words = before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let word = words.find(|word| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'))?;
    (!is_keyword(word)).then_some(word)
}

/// Returns the constants that have a FEN: `START = "..."`. A name of several FENs is none.
pub fn constants(text: &str) -> HashMap<&str, &str> {
    let mut constants: HashMap<&str, Option<&str>> = HashMap::new();
    for line in text.lines().filter(|line| line.contains('/') && line.contains(['=', ':', '#'])) {
        let Some(found) = find_fen(line) else { continue };
        if let Some(name) =
            constant(&line[..found.span.start]).filter(|name| name.len() > 2 && !is_known(name))
        {
            let fen = &line[found.span];
            let known = constants.entry(name).or_insert(Some(fen));
            *known = known.filter(|known| *known == fen);
        }
    }
    constants.into_iter().filter_map(|(name, fen)| Some((name, fen?))).collect()
}

fn is_keyword(word: &str) -> bool {
    is_in(KEYWORDS, &word.to_ascii_lowercase())
}

/// Returns the name before a FEN: `Kiwipete, FEN`.
pub fn name_before(before: &str) -> Option<&str> {
    if before.contains('=') {
        return constant(before);
    }
    let is_name = |field: &&str| {
        let mut words = field.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word.contains(char::is_alphabetic) && !is_keyword(word) && !is_known(word))
    };
    let name = before.split(['|', '\t', ';', ',']).map(unquoted).rfind(is_name)?;
    let is_code = name.contains(['(', '{', '[']) || before.contains("://");
    (!is_code).then(|| name.trim_end_matches([':', ' ']))
}

/// Returns the name in a line above a position: `Kiwipete:`. Code is no name.
pub fn title(text: &str) -> Option<&str> {
    let name = text.trim_matches(['"', '\'', '`', '#', '*', ':', ',', '.', '-', '>', ' ']);
    let is_short = (1..=MAX_NAME_WORDS).contains(&name.split_whitespace().count());
    let is_label = is_known(name.split(' ').next().unwrap_or_default());
    (is_short && !is_label && !name.contains(['(', ')', '{', '}', '[', ']', '=', ';', '"', '<']))
        .then_some(name)
}
