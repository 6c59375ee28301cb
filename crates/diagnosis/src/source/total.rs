//! Finds out the meaning of the numbers in a line, by the words before and after each of them.

use super::token::Token;
use super::words::{COMMANDS, DEPTH, FILLERS, LABELS, LEAVES, NODES, OTHER, TOTAL};

/// The largest number of signs around a single number that is a count. The row of an empty board has more.
const MAX_SIGNS: usize = 4;

/// The meaning of a number, from the least to the most certain count of leaf nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// A depth, a time or another value.
    Other,
    /// A number without words that give its meaning.
    Bare,
    /// A number that is called a total or a result.
    Total,
    /// A number that is called a number of nodes.
    Nodes,
    /// A number that is called a number of leaf nodes.
    Leaves,
}

/// Whether the depth of a count is the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Other,
    Unsaid,
    Asked,
}

/// The certainty that a number is the total, from the least to the most certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Certainty {
    fit: Fit,
    meaning: Meaning,
}

impl Certainty {
    /// Returns the certainty of a number. `said` is the depth in its line, and `asked` is the depth of the question.
    pub fn new(meaning: Meaning, said: Option<u128>, asked: Option<u32>) -> Certainty {
        let fit = match said.zip(asked) {
            Some((said, asked)) if said == u128::from(asked) => Fit::Asked,
            Some(_) => Fit::Other,
            None => Fit::Unsaid,
        };
        Certainty { fit, meaning }
    }
}

/// The numbers of a line.
pub(super) struct Numbers {
    /// The index of each number among the tokens, the number, and its meaning.
    pub all: Vec<(usize, u128, Meaning)>,
    /// The depth in the line.
    pub depth: Option<u128>,
}

/// Returns the number of nodes in a line without moves, and the certainty that it is the total. `asked` is the depth of
/// the question, if it is known.
pub(super) fn total(tokens: &[Token], asked: Option<u32>) -> Option<(u128, Certainty)> {
    let numbers = Numbers::of(tokens);
    let best = numbers.all.iter().map(|(.., meaning)| *meaning).max()?;
    if best >= Meaning::Total {
        let &(_, nodes, _) = numbers.all.iter().find(|(.., meaning)| *meaning == best)?;
        // `perft: 3` can be a depth.
        let is_depth =
            best == Meaning::Total && asked.is_some_and(|asked| nodes == asked.into()) && is_command(tokens);
        return (!is_depth).then(|| (nodes, Certainty::new(best, numbers.depth, asked)));
    }
    let nodes = match columns(tokens)?.as_slice() {
        [Some(nodes)] => *nodes,
        [first, rest @ ..] if *first == asked.map(u128::from) => largest_first(rest)?,
        // This is a row of a smaller depth: its count, and numbers with a fraction.
        [Some(depth), Some(nodes), others @ ..]
            if asked.is_some_and(|asked| *depth < asked.into())
                && !others.is_empty()
                && others.iter().all(Option::is_none) =>
        {
            return Some((*nodes, Certainty::new(Meaning::Bare, Some(*depth), asked)));
        }
        [Some(nodes), others @ ..] if others.iter().all(Option::is_none) => *nodes,
        _ => return None,
    };
    Some((nodes, Certainty::new(Meaning::Bare, None, asked)))
}

/// Whether the only word is a command.
fn is_command(tokens: &[Token]) -> bool {
    let is_command = |token: &Token| match token {
        Token::Word(word) => COMMANDS.contains(&word.as_str()),
        _ => true,
    };
    tokens.iter().all(is_command)
}

impl Numbers {
    /// Finds out the meaning of the numbers.
    pub fn of(tokens: &[Token]) -> Numbers {
        let mut label = Label::default();
        let (mut all, mut depth) = (Vec::new(), None);
        for (index, token) in tokens.iter().enumerate() {
            let after = &tokens[index + 1..];
            match token {
                Token::Word(word) => label.add(word),
                Token::Number(number) if label.is_of_depth(sign_before(tokens, index), after) => {
                    depth = depth.or(Some(*number));
                    label = Label { follows_depth: true, words: label.words_for_count(after), ..label };
                    all.push((index, *number, Meaning::Other));
                }
                Token::Number(number) => all.push((index, *number, label.meaning(after))),
                Token::OtherNumber => _ = label.meaning(after),
                // The number after a move is not a depth, as in `perft: e2e4 20`.
                Token::Move(_) => label.words.retain(|word| !COMMANDS.contains(word)),
                Token::Sign(_) => {}
            }
        }
        Numbers { all, depth }
    }
}

/// The words before a number.
#[derive(Default)]
struct Label<'a> {
    words: Vec<&'a str>,
    /// Whether the number before these words is a depth. A number without words after a depth is the count of that
    /// depth.
    follows_depth: bool,
    /// Whether the next word is the unit of the previous number.
    expects_unit: bool,
}

impl<'a> Label<'a> {
    fn add(&mut self, word: &'a str) {
        if !std::mem::take(&mut self.expects_unit) {
            self.words.push(word);
        }
    }

    fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(word))
    }

    /// Whether the number after these words is a depth. `before` is the sign directly before it.
    fn is_of_depth(&self, before: char, after: &[Token]) -> bool {
        let last = self.words.last().copied().unwrap_or_default();
        let has_brackets = before == '(' && sign(after.first()) == ')';
        let is_command = COMMANDS.contains(&last) && !matches!(before, ':' | '=');
        DEPTH.contains(&last) || is_command || (has_brackets && self.has(DEPTH))
    }

    /// Returns the words that also apply to the number after the depth, as in `Nodes at depth (3): 8902`.
    fn words_for_count(&self, after: &[Token]) -> Vec<&'a str> {
        let is_over = matches!(after.first(), Some(Token::Sign(',' | ';' | '|')));
        let is_kept = |word: &&&str| !is_over && !OTHER.contains(*word) && !COMMANDS.contains(*word);
        self.words.iter().filter(is_kept).copied().collect()
    }

    /// Returns the meaning of the number after these words, and prepares for the next number.
    fn meaning(&mut self, after: &[Token]) -> Meaning {
        let unit = unit(after, !self.words.is_empty() && !self.has(TOTAL) && !self.has(NODES));
        let meaning = if unit == Some(Meaning::Other) || self.has(OTHER) {
            Meaning::Other
        } else if self.has(LEAVES) || unit == Some(Meaning::Leaves) {
            Meaning::Leaves
        } else if self.has(NODES) || unit == Some(Meaning::Nodes) {
            Meaning::Nodes
        } else if self.has(TOTAL) || (self.words.is_empty() && self.follows_depth) {
            Meaning::Total
        } else {
            Meaning::Bare
        };
        *self = Label { expects_unit: unit.is_some(), ..Label::default() };
        meaning
    }
}

/// Returns the sign directly before a token, or a space.
fn sign_before(tokens: &[Token], index: usize) -> char {
    sign(index.checked_sub(1).and_then(|before| tokens.get(before)))
}

/// Returns the sign of a token, or a space.
fn sign(token: Option<&Token>) -> char {
    match token {
        Some(Token::Sign(sign)) => *sign,
        _ => ' ',
    }
}

/// Returns the meaning that the words after a number give it. `has_label` says whether words before it give it another
/// meaning than nodes. Then `nodes` before another number belongs to that number, as in `Engine 16 nodes 8902`.
fn unit(after: &[Token], has_label: bool) -> Option<Meaning> {
    let [Token::Word(word), rest @ ..] = after else {
        return (sign(after.first()) == '%').then_some(Meaning::Other);
    };
    let word = word.as_str();
    let is_label = matches!(sign(rest.first()), ':' | '=');
    let is_before_number = matches!(rest.first(), Some(Token::Number(_) | Token::OtherNumber));
    let is_rate =
        sign(rest.first()) == '/' || matches!(rest.first(), Some(Token::Word(next)) if next == "per");
    let names_next = LABELS.contains(&word) || (NODES.contains(&word) && has_label && !has_unit(rest));
    if is_rate {
        return Some(Meaning::Other);
    }
    if is_label || (is_before_number && names_next) {
        return None;
    }
    let meanings = [(LEAVES, Meaning::Leaves), (NODES, Meaning::Nodes), (OTHER, Meaning::Other)];
    meanings.into_iter().find(|(words, _)| words.contains(&word)).map(|(_, meaning)| meaning)
}

/// Whether the first of these tokens is a number with a unit.
fn has_unit(tokens: &[Token]) -> bool {
    tokens.len() > 1 && unit(&tokens[1..], false).is_some()
}

/// Returns the numbers of a line whose only words are units. A number with a unit or with a fraction is `None`.
fn columns(tokens: &[Token]) -> Option<Vec<Option<u128>>> {
    let mut columns = Vec::new();
    let (mut signs, mut expects_unit) = (0, false);
    for (index, token) in tokens.iter().enumerate() {
        let has_unit = unit(&tokens[index + 1..], false).is_some();
        match token {
            Token::Number(nodes) => columns.push((!has_unit).then_some(*nodes)),
            Token::OtherNumber => columns.push(None),
            Token::Word(word) if expects_unit || FILLERS.contains(&word.as_str()) => {}
            Token::Word(_) | Token::Move(_) => return None,
            Token::Sign(_) => signs += 1,
        }
        expects_unit = has_unit && matches!(token, Token::Number(_) | Token::OtherNumber);
    }
    (columns.len() > 1 || signs <= MAX_SIGNS).then_some(columns)
}

/// Returns the first number of a row if it is the largest one, except for a possible speed at the end. The count comes
/// before the time and before captures and other kinds of moves. If the first number is not the largest one, it may be
/// the time.
fn largest_first(row: &[Option<u128>]) -> Option<u128> {
    let most = |row: &[Option<u128>]| row.iter().flatten().copied().max();
    let row = match row {
        [most_rows @ .., Some(speed)] if most_rows.len() >= 2 && most(most_rows) < Some(*speed) => most_rows,
        _ => row,
    };
    let first = row.iter().flatten().next().copied()?;
    (Some(first) == most(row)).then_some(first)
}
