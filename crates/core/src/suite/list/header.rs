//! The columns of a table with their header, and lines without a FEN: the counts of the position above, or the name of
//! the next position.

use super::numbers::{Label, Numbers, Token, parse_number, tokens};
use super::record::Record;
use crate::perft::MAX_DEPTH;
use crate::text::{FoundFen, place};

/// The characters that can separate columns. The first of these that a line contains separates its columns.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// The first line of a table.
#[derive(Debug)]
pub struct Header {
    separator: char,
    labels: Vec<Label>,
    /// The index of the column with the FEN.
    fen: usize,
}

impl Header {
    /// Reads a header: a few words in each column, and a column for the FEN. Any other text is not a header.
    pub fn parse(text: &str) -> Option<Header> {
        let separator = SEPARATORS.into_iter().find(|&separator| text.contains(separator))?;
        let columns: Vec<&str> = split(text, |letter| letter == separator).collect();
        let is_fen = |column: &&str| {
            let column = column.to_lowercase();
            let mut words = column.split(|letter: char| !letter.is_alphabetic());
            words.any(|word| ["fen", "epd", "position", "board", "fenstring"].contains(&word))
        };
        // The last of several such columns, as in `position,fen,nodes`.
        let fen = columns.iter().rposition(is_fen)?;
        let labels: Vec<Label> = columns.iter().map(|column| Label::parse(column)).collect();
        let is_balanced = |column: &str| column.matches('(').count() == column.matches(')').count();
        let is_name = |column: &&str| column.split_whitespace().count() <= 3 && is_balanced(column);
        let is_short = columns.iter().all(is_name);
        let is_table = labels.iter().any(|label| !matches!(label, Label::Other | Label::More));
        (is_short && is_table).then_some(Header { separator, labels, fen })
    }

    /// Reads the columns of a line.
    pub fn read(&self, line: &str, found: &FoundFen<'_>, record: &mut Record) {
        let columns: Vec<&str> = split(line, |letter| letter == self.separator).collect();
        let has_fen = |column: &&str| place(line, column).contains(&found.span.start);
        let Some(fen) = columns.iter().position(has_fen) else { return };
        for (index, column) in columns.iter().enumerate().filter(|(index, _)| *index != fen) {
            let text = column.trim();
            // A bar at the start of a line makes an empty column.
            match (index + self.fen).checked_sub(fen).map_or(Label::Other, |index| self.label(index)) {
                Label::Name if !text.is_empty() => record.case.id = Some(unquoted(text)),
                Label::Comment if !text.is_empty() => record.case.comment = Some(unquoted(text)),
                Label::Count if !self.labels.contains(&Label::Depth) => record.numbers.read_field(line, text),
                label => record.numbers.add_labelled(label, line, text),
            }
        }
        record.numbers.end_record();
    }

    /// Returns the label of a column. Columns after the last label continue from it.
    fn label(&self, index: usize) -> Label {
        let before = &self.labels[..=index.min(self.labels.len() - 1)];
        let goes_on = index >= self.labels.len() || before.last() == Some(&Label::More);
        let last = before.iter().rposition(|label| *label != Label::More).unwrap_or(0);
        match self.labels[last] {
            Label::CountAt(depth) if goes_on => Label::CountAt(depth.saturating_add((index - last) as u32)),
            label @ (Label::Count | Label::CountAt(_)) => label,
            _ if goes_on => Label::Other,
            label => label,
        }
    }
}

/// Splits a line at separators outside of double quotes. A comma in brackets does not separate.
pub fn split(line: &str, is_separator: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let (mut in_quotes, mut brackets) = (false, 0_usize);
    line.split(move |letter: char| {
        in_quotes ^= letter == '"';
        match letter {
            '[' | '{' | '(' => brackets += 1,
            ']' | '}' | ')' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        !in_quotes && is_separator(letter) && (letter != ',' || brackets == 0)
    })
}

/// Reads the text after and before the FEN of a line.
pub fn read_fields(line: &str, found: &FoundFen<'_>, record: &mut Record) {
    let (before, after) = (&line[..found.span.start], &line[found.end..]);
    // The quotes of the FEN end here.
    let after = without_remarks(after.trim_start().trim_start_matches(['"', '\'', '`']));
    let is_list = after.chars().all(|letter| letter.is_ascii_digit() || " \t,;|:".contains(letter));
    let has_commas =
        after.trim_start().starts_with(',') || is_list && !after[1.min(after.len())..].contains(['|', ';']);
    let is_separator = |letter: char| SEPARATORS.contains(&letter) && (has_commas || letter != ',');
    for field in split(after, is_separator).map(str::trim) {
        let (word, operand) = field.split_once([' ', '\t']).unwrap_or((field, ""));
        match Label::parse(word) {
            Label::Name if !operand.is_empty() => record.case.id = Some(unquoted(operand.trim())),
            Label::Comment if !operand.is_empty() => record.case.comment = Some(unquoted(operand.trim())),
            _ => record.numbers.read_field(line, field),
        }
    }
    let mut numbers_before = Numbers::default();
    for field in split(before, |letter| SEPARATORS.contains(&letter)).map(unquoted) {
        let is_word = |word: &str| Label::parse(word) == Label::Other && word.contains(char::is_alphabetic);
        let is_name = field.split([' ', ':', '=']).any(|word| is_word(word) && !is_keyword(word));
        if is_name && record.case.id.is_none() && !field.contains(['(', '{', '[']) && !before.contains("://")
        {
            record.case.id = Some(field.trim_end_matches([':', '=', ' ']).to_owned());
        } else {
            numbers_before.read_field(before, &field);
        }
    }
    if record.numbers.is_empty() && record.numbers.faults.is_empty() && found.tail.len() <= 2 {
        numbers_before.faults.clear();
        record.numbers = numbers_before;
    }
}

/// Returns a text without a code comment at its end, and without a remark in parentheses at its start.
fn without_remarks(text: &str) -> &str {
    let end = [" # ", " // "].iter().filter_map(|sign| text.find(sign)).min().unwrap_or(text.len());
    let text = &text[..end];
    let start = text.trim_start();
    match start.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((remark, rest)) if !remark.contains(|letter: char| letter.is_ascii_digit()) => rest,
        _ => text,
    }
}

fn is_keyword(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    ["fen", "epd", "position", "setfen", "setboard"].contains(&word.as_str())
}

/// Returns a text without a list bullet before it, and without quotes or emphasis around it.
pub fn unquoted(text: &str) -> String {
    let text = text.trim().trim_start_matches(['*', '-']).trim();
    text.trim_matches(['"', '`', '*']).trim().to_owned()
}

/// The largest number of words of a name.
const MAX_NAME_WORDS: usize = 8;

/// Reads a line without a FEN. Returns whether it is a line of a `.perft` file.
///
/// The line is a depth and its count (`perft 3 8902`, or a call such as `assert_eq!(perft(&board, 3), 8902)`), or
/// fields with labels (`depth: 1 nodes: 20 time: 5`), or numbers alone, or the counts of all depths under any name, as
/// in the code of a program. For any other line, the numbers are empty. `is_list` says whether numbers can be the
/// counts of the position from depth 1 or 0 on.
pub fn read_below(numbers: &mut Numbers, line: &str, text: &str, is_list: impl Fn(&[u128]) -> bool) -> bool {
    let pieces = tokens(text);
    let plain: Vec<u128> = numbers_of(&pieces).collect();
    let is_perft = matches!(&pieces[..], [Token::Word("perft"), Token::Number(_), Token::Number(_), ..]);
    let is_call =
        plain.len() == 2 && text.to_lowercase().contains("perft") && (plain[0] == 1 || !is_list(&plain));
    let can_be_pair = |depth, nodes| depth <= MAX_DEPTH.into() && (depth > 0 || nodes == 1);
    if let [depth, nodes, ..] = plain[..]
        && (is_perft || is_call)
        && can_be_pair(depth, nodes)
    {
        numbers.add_known(depth as u32, nodes, place(line, text));
        return text.starts_with("perft ") || text.starts_with("perft\t");
    }
    if let Some(operands) = text.strip_prefix("perft ").filter(|_| pieces.len() > 2)
        && matches!(pieces[1], Token::Word(_) | Token::Number(_))
        && (1..3).contains(&plain.len())
    {
        numbers.refuse_count(line, operands);
        return true;
    }
    let mut named = Numbers::default();
    named.read_field(text, text);
    if !named.known.is_empty() || begins_with_label(text) && pieces.iter().all(is_known) {
        split(text, |letter| "|;".contains(letter)).for_each(|field| numbers.read_field(line, field));
        let has_words = pieces.iter().any(|piece| matches!(piece, Token::Word(_)));
        if !has_words && (!is_list(&plain) || plain.first() == Some(&1)) {
            numbers.pair_up();
        }
        return false;
    }
    let lists = pieces.split(|piece| !matches!(piece, Token::Number(_)));
    match lists.map(|list| numbers_of(list).collect::<Vec<_>>()).find(|list| is_list(list)) {
        Some(list) => numbers.plain = list,
        None => *numbers = Numbers::default(),
    }
    false
}

fn numbers_of<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = u128> + 'a {
    tokens.iter().filter_map(|token| match token {
        Token::Number(text) => parse_number(text),
        _ => None,
    })
}

fn is_known(token: &Token<'_>) -> bool {
    !matches!(token, Token::Word(word) if matches!(Label::parse(word), Label::Other | Label::Name | Label::Comment))
}

/// Whether the first word of a line is a number, or says what the numbers are.
fn begins_with_label(text: &str) -> bool {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let word = &text[..text.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len())];
    let is_filler = ["info", "go"].contains(&word);
    is_filler || word.starts_with(|letter: char| letter.is_ascii_digit()) || is_known(&Token::Word(word))
}

/// Returns the name in a line above a position: `Kiwipete:`, `name: "Kiwipete"`. Code is no name.
pub fn title(text: &str) -> Option<String> {
    let name = match text.split_once([':', '=']) {
        Some((key, name)) if Label::parse(key) == Label::Name => name,
        _ => text,
    };
    let name = name.trim().trim_matches(['"', '\'', '`', '#', '*', ':', ',', '.', '-', '>', ' ']);
    let is_short = (1..=MAX_NAME_WORDS).contains(&name.split_whitespace().count());
    (is_short && !name.contains(['(', ')', '{', '}', '[', ']', '=', ';', '"'])).then(|| name.to_owned())
}
