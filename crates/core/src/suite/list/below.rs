//! Lines without a FEN: the counts of the position above, or the name of the next one.

use super::numbers::{Label, Numbers};
use super::tokens::{Token, number, tokens};
use crate::perft::MAX_DEPTH;

/// A line with more words is no name.
const MAX_NAME_WORDS: usize = 8;

/// What a line says about the position above.
pub enum Below<'a> {
    /// A depth and its count: `perft 3 8902`, or a call such as `assert_eq!(perft(&board, 3), 8902)`.
    Pair(u32, u128),
    /// The operands of `perft`, which are not a depth and a count.
    Broken(&'a str),
    /// Fields with labels, such as `depth: 1 nodes: 20 time: 5`, or numbers alone. Of those, two are a depth and its count
    /// if `are_pairs` is true.
    Fields { are_pairs: bool },
    /// The counts of all depths, under any name, as in the code of a program.
    List(Vec<u128>),
    /// Nothing.
    Nothing,
}

impl Below<'_> {
    /// Reads a line. `is_list` says whether numbers can be the counts of the position from depth 1 or 0 on.
    pub fn new(text: &str, is_list: impl Fn(&[u128]) -> bool) -> Below<'_> {
        let pieces = tokens(text);
        let plain: Vec<u128> = numbers_of(&pieces).collect();
        let is_perft = |pieces: &[Token<'_>]| {
            matches!(pieces, [Token::Word("perft"), Token::Number(_), Token::Number(_), ..])
        };
        let is_call =
            plain.len() == 2 && text.to_lowercase().contains("perft") && (plain[0] == 1 || !is_list(&plain));
        let can_be_pair = |depth, nodes| depth <= MAX_DEPTH.into() && (depth > 0 || nodes == 1);
        if let [depth, nodes, ..] = plain[..]
            && (is_perft(&pieces) || is_call)
            && can_be_pair(depth, nodes)
        {
            return Below::Pair(depth as u32, nodes);
        }
        if let Some(operands) = text.strip_prefix("perft ").filter(|_| pieces.len() > 2)
            && matches!(pieces[1], Token::Word(_) | Token::Number(_))
            && (1..3).contains(&plain.len())
        {
            return Below::Broken(operands);
        }
        let mut named = Numbers::default();
        named.read_field(text, text);
        if !named.known.is_empty() || begins_with_label(text) && pieces.iter().all(is_known) {
            let has_words = pieces.iter().any(|piece| matches!(piece, Token::Word(_)));
            let is_list = is_list(&plain) && plain.first() != Some(&1);
            return Below::Fields { are_pairs: !has_words && !is_list };
        }
        let lists = pieces.split(|piece| !matches!(piece, Token::Number(_)));
        let list = lists.map(|list| numbers_of(list).collect::<Vec<_>>()).find(|list| is_list(list));
        list.map_or(Below::Nothing, Below::List)
    }
}

fn numbers_of<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = u128> + 'a {
    tokens.iter().filter_map(|token| match token {
        Token::Number(text) => number(text),
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
