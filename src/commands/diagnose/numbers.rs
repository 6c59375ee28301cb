//! Reads the numbers and divides to explain, with their positions.

use perft_core::Interrupted;
use perft_core::internals::{GROUPING_SIGNS, is_board, read_number};
use perft_core::suite::Suite;
use perft_count::internals::forecast;
use perft_count::{Perft, Progress};
use perft_diagnosis::source::{
    Answer, CountedKind, LeafCount, OtherCounts, StatedTotal, TextFacts, TextTotals, has_size_of,
    stated_totals,
};
use perft_diagnosis::{MovePath, Told};

use super::DiagnoseArgs;
use crate::input::texts::shown;
use crate::input::{
    Word, first_word, game, joined, parse_depth, read_answer, read_lines, refuse_rival, split_moves,
};
use crate::output::{CliError, Context};

/// The largest forecast number of leaf nodes that is counted.
const MAX_NODES: f64 = 1e12;

/// The largest right count for which the next depth is counted too.
const MAX_NODES_BEFORE_NEXT: u128 = 10_000_000;

/// The largest right count whose captures and other kinds are counted.
const MAX_NODES_OF_STATISTICS: u128 = 10_000_000_000;

/// The greatest depth at which a text without words is read.
const MOST_PLIES: u32 = 5;

/// The depth of the shallow counts from which the size of deeper counts is forecast.
const SHALLOW: u32 = 3;

/// An answer of a program, and the name by which its position was given.
#[derive(Debug)]
pub struct Number {
    pub name: String,
    path: MovePath,
    depth: u32,
    given: StatedCount,
    /// The words that name the number in a text.
    pub column: Option<String>,
    /// The counts that stand beside it in a text, with their names.
    beside: Vec<(String, i128)>,
    /// The numbers of captures and other kinds that are given with it.
    pub kinds: Vec<LeafCount>,
    /// The numbers of its text of which it is not clear what they are.
    unclear: Vec<i128>,
}

#[derive(Debug)]
enum StatedCount {
    /// A total. It is negative if the counter of the program has overflowed.
    Total(i128),
    /// The lines of a divide, and the name of their file.
    Divide(Vec<String>, String),
}

pub fn read(args: &DiagnoseArgs, context: &Context) -> Result<Vec<Number>, CliError> {
    let mut numbers = Vec::new();
    let mut name = args.fen.clone();
    let mut path = game::path(&args.fen, &split_moves(&args.moves), context)?;
    let words = joined(&args.numbers);
    // The number of numbers before the last position.
    let mut before = None;
    for text in if args.depth.is_none() { paired(words) } else { words } {
        if let Some(count) = leaf_count(&text) {
            let last: Option<&mut Number> = numbers.last_mut();
            let last = last.ok_or_else(|| without_number(&text))?;
            last.kinds.push(count);
            continue;
        }
        let word = Word::of(&text, None)?;
        let is_name = word == Word::Position || text.starts_with("960:");
        let number = if is_name { None } else { numbered(&text)? };
        let (depth, given) = if let Some((depth, total)) = number {
            (depth, StatedCount::Total(total))
        } else if text.contains(';') {
            numbers.extend(of_suite(&Suite::from_text("argument", &text)?));
            continue;
        } else if matches!(word, Word::Input | Word::File) {
            let lines = read_lines(&text, context)?;
            if lines.iter().any(|line| is_board(first_word(line))) {
                numbers.extend(of_suite(&Suite::from_text(&text, &lines.join("\n"))?));
                continue;
            }
            let totals = of_totals(&lines, (&name, &path), args.depth, context)?;
            if !totals.is_empty() {
                numbers.extend(totals);
                continue;
            }
            (depth_of(&lines, &path), StatedCount::Divide(lines, text.clone()))
        } else if matches!(word, Word::Position | Word::Fen | Word::Line) {
            if before == Some(numbers.len()) {
                return Err(position_without_number(&name));
            }
            path = game::path(&text, &[], context)?;
            (name, before) = (text, Some(numbers.len()));
            continue;
        } else {
            return Err(word.refusal(&text, "a position", context));
        };
        let depth = depth.or(args.depth).ok_or_else(|| without_depth(&text, &given))?;
        numbers.push(Number::new(name.clone(), path.clone(), depth, given));
    }
    if before == Some(numbers.len()) && !numbers.is_empty() {
        return Err(position_without_number(&name));
    }
    if numbers.is_empty() {
        return Err(CliError::usage("no number was given").suggest(
            "give the number of your program with its depth, as in",
            &["diagnose", "kiwipete", "3:97000"],
        ));
    }
    numbers.iter().try_for_each(Number::refuse_endless)?;
    Ok(numbers)
}

impl Number {
    fn new(name: String, path: MovePath, depth: u32, given: StatedCount) -> Number {
        Number {
            name,
            path,
            depth,
            given,
            column: None,
            beside: Vec::new(),
            kinds: Vec::new(),
            unclear: Vec::new(),
        }
    }

    /// Refuses a depth at which counting the right number would take too long.
    fn refuse_endless(&self) -> Result<(), CliError> {
        let depth = self.depth;
        let counts: Vec<u128> = (0..=depth.min(SHALLOW)).map(|depth| self.path.end.perft(depth)).collect();
        let nodes = forecast(&counts, depth);
        if nodes <= MAX_NODES {
            return Ok(());
        }
        Err(CliError::usage(format!("depth {depth} has about {nodes:.0e} leaf nodes, too many to count"))
            .help("give the number of a smaller depth"))
    }

    /// Returns the answer with the right counts of its position.
    ///
    /// # Errors
    /// The lines have no counts, the text has a number that may be the total, or counting was interrupted.
    pub fn told(&self, perft: &Perft, progress: &Progress) -> Result<Told, CliError> {
        let Number { path, depth, .. } = self;
        let ours = perft.divide_with_progress(&path.end, *depth, progress)?;
        let mut answer = match &self.given {
            StatedCount::Total(total) => {
                let text = TextFacts { numbers: self.unclear.clone(), ..TextFacts::default() };
                Answer { text: Some(text), ..Answer::from(*total) }
            }
            StatedCount::Divide(lines, name) => read_answer(name, lines, (&path.end, *depth), &ours)?,
        };
        let total: u128 = ours.iter().map(|known| known.nodes).sum();
        refuse_rival(&answer, total, (&self.name, *depth))?;
        let other = |(name, nodes): &(String, i128)| OtherCounts::of_total(name.clone(), *nodes, total);
        if !self.beside.is_empty() {
            let others = self.beside.iter().map(other).collect();
            answer.text = Some(TextFacts { others, ..TextFacts::default() });
        }
        let told = Told::new(path.clone(), *depth, ours, answer);
        let has_next = told.difference.ours <= MAX_NODES_BEFORE_NEXT;
        let count = |depth| perft.count_with_progress(&path.end, depth, progress);
        let mut counts: Vec<u128> = (0..*depth).map(count).collect::<Result<_, Interrupted>>()?;
        counts.push(told.difference.ours);
        if has_next {
            counts.push(count(depth + 1)?);
        }
        let leaves = match self.kinds.is_empty() || told.difference.ours > MAX_NODES_OF_STATISTICS {
            true => None,
            false => Some(perft.statistics(&path.end, *depth, None, progress)?),
        };
        let kinds = if leaves.is_some() { self.kinds.clone() } else { Vec::new() };
        Ok(Told { counts, kinds, leaves: leaves.unwrap_or_default(), ..told })
    }
}

/// Returns the totals of a text without moves. A total without a FEN is that of the given position, and one without a
/// depth that of the given one. Without both, it is left out.
fn of_totals(
    lines: &[String],
    (name, path): (&str, &MovePath),
    depth: Option<u32>,
    context: &Context,
) -> Result<Vec<Number>, CliError> {
    if !Answer::parse(&lines.join("\n")).moves.is_empty() {
        return Ok(Vec::new());
    }
    let TextTotals { mut stated, mut unclear, depths } = stated_totals(lines);
    let default = depth.or(depths.first().copied().filter(|_| depths.len() == 1));
    stated.iter_mut().for_each(|total| total.depth = total.depth.or(default));
    // In `perft(board, 3) == 8902`, the depth is no count.
    stated.retain(|total| default.is_none_or(|depth| total.nodes != i128::from(depth)));
    unclear.extend(stated.iter().filter(|total| total.depth.is_none()).map(|total| total.nodes));
    let (expected, totals): (Vec<_>, Vec<_>) = stated.into_iter().partition(|total| total.is_expected);
    let mut numbers = Vec::new();
    for total in totals {
        let Some(own) = total.depth.filter(|own| depth.is_none_or(|asked| asked == *own)) else { continue };
        let of_depth = expected.iter().filter(|other| other.depth.is_none_or(|depth| depth == own));
        let (of_line, elsewhere): (Vec<&StatedTotal>, Vec<_>) =
            of_depth.partition(|other| other.line == total.line);
        let beside = of_line.iter().map(|other| (other.name.clone(), other.nodes)).collect();
        let unclear = unclear.iter().copied().chain(elsewhere.iter().map(|other| other.nodes)).collect();
        let (name, path) = match &total.fen {
            Some(fen) => (fen.clone(), game::path(fen, &[], context)?),
            None => (name.to_owned(), path.clone()),
        };
        let column = Some(total.name).filter(|name| !name.is_empty());
        let number = Number::new(name, path, own, StatedCount::Total(total.nodes));
        numbers.push(Number { column, beside, kinds: total.kinds, unclear, ..number });
    }
    Ok(numbers)
}

/// Returns the depth of a text in which no word says what its numbers are: the one of them at which another one is about
/// right.
fn depth_of(lines: &[String], path: &MovePath) -> Option<u32> {
    let TextTotals { unclear: numbers, mut depths, .. } = stated_totals(lines);
    if depths.is_empty() {
        depths.extend(numbers.iter().filter_map(|&depth| u32::try_from(depth).ok()));
    }
    depths.retain(|depth| (1..=MOST_PLIES).contains(depth));
    let has_count = |&depth: &u32| {
        let right = path.end.perft(depth);
        numbers.iter().any(|&nodes| nodes != i128::from(depth) && has_size_of(nodes, right))
    };
    let mut meant = depths.into_iter().filter(has_count);
    meant.next().filter(|_| meant.next().is_none())
}

fn of_suite(suite: &Suite) -> impl Iterator<Item = Number> {
    suite.cases.iter().flat_map(|case| {
        let (name, path) = (case.name(), MovePath::new(case.position));
        let given = |nodes| StatedCount::Total(nodes as i128);
        case.expected
            .iter()
            .map(move |known| Number::new(name.to_owned(), path.clone(), known.depth, given(known.nodes)))
    })
}

/// Joins each depth with the number after it: `4 4079596`, `4: 4079596` and `D4 4079596` become `4:4079596`.
fn paired(words: Vec<String>) -> Vec<String> {
    let mut paired = Vec::new();
    let mut words = words.into_iter().filter(|word| !["=", ":"].contains(&word.as_str())).peekable();
    while let Some(word) = words.next() {
        let depth = word.trim_start_matches(['D', 'd']).trim_end_matches([':', '=']);
        let is_depth = parse_depth(depth).is_ok();
        match words.next_if(|next| is_depth && count(next).is_some()) {
            Some(total) => paired.push(format!("{depth}:{total}")),
            None => paired.push(word),
        }
    }
    paired
}

fn without_depth(text: &str, given: &StatedCount) -> CliError {
    match given {
        StatedCount::Total(_) => CliError::usage(format!("the number '{text}' has no depth"))
            .help(format!("give --depth N, or N:{text}")),
        StatedCount::Divide(lines, _)
            if !lines.iter().any(|line| line.contains(|sign: char| sign.is_ascii_digit())) =>
        {
            CliError::usage(format!("there is no number in {}", shown(text)))
        }
        StatedCount::Divide(..) => CliError::usage(format!("the text in {} has no depth", shown(text)))
            .help("give its position with --fen and its depth with --depth"),
    }
}

/// Reads the number of leaf nodes of a kind: `captures:17102`, `ep=45`.
fn leaf_count(text: &str) -> Option<LeafCount> {
    let (name, nodes) = text.split_once([':', '='])?;
    Some(LeafCount { kind: CountedKind::of_word(name)?, nodes: count(nodes)? })
}

fn position_without_number(name: &str) -> CliError {
    CliError::usage(format!("no number was given for '{name}'")).help("put each position before its numbers")
}

fn without_number(text: &str) -> CliError {
    CliError::usage(format!("'{text}' belongs to no number")).suggest(
        "put the number of all leaf nodes before it, as in",
        &["diagnose", "kiwipete", "3:97862", text],
    )
}

/// Reads a number with its depth or without: `4865609`, `5:4865609`, `D5=4,865,609`.
fn numbered(text: &str) -> Result<Option<(Option<u32>, i128)>, CliError> {
    let Some((depth, total)) = text.split_once([':', '=']) else {
        return Ok(count(text).map(|total| (None, total)));
    };
    let Some(total) = count(total) else { return Ok(None) };
    let depth = parse_depth(depth.trim_start_matches(['D', 'd']))
        .map_err(|accepted| CliError::usage(format!("'{depth}' is not a depth")).help(accepted))?;
    Ok(Some((Some(depth), total)))
}

/// Parses a number of nodes, with or without separators between the digits: `4865609`, `4,865,609`, `-1099065436`.
fn count(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = read_number(digits, &GROUPING_SIGNS).filter(|number| number.length == digits.len())?;
    let value = i128::try_from(number.value?).ok()?;
    Some(if digits.len() < text.len() { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_may_stand_before_their_numbers() {
        for (words, items) in [
            ("kiwipete 4 4079596", "kiwipete 4:4079596"),
            ("4: 4079596 D5 4,865,609", "4:4079596 5:4,865,609"),
            ("3 = 97000 kiwipete d2:2000 4079596", "3:97000 kiwipete d2:2000 4079596"),
            ("4 kiwipete 5", "4 kiwipete 5"),
        ] {
            let words = words.split(' ').map(str::to_owned).collect();
            assert_eq!(paired(words).join(" "), items);
        }
        assert_eq!(leaf_count("E.p.=1,045"), Some(LeafCount { kind: CountedKind::EnPassant, nodes: 1045 }));
        assert_eq!(leaf_count("depth:4"), None);
        assert_eq!(numbered("D2:2000").unwrap(), Some((Some(2), 2000)));
    }
}
