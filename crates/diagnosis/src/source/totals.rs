//! The totals that a text states, apart from the counts of its moves.

use std::collections::BTreeSet;

use perft_core::internals::find_fen;

use super::answer::signed;
use super::leaf_count::LeafCount;
use super::line::{Number, Part};
use super::meaning::{
    MOST_PLIES, Meaning, Role, is_alone, is_inequality, is_linked, name, named, names_count, role,
};
use super::table::{Line, Table, fields_below};
use super::words::is_filler;

/// A number that is stated as a count of leaf nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedTotal {
    /// The count, with its sign.
    pub nodes: i128,
    /// The depth in plies that is stated with it.
    pub depth: Option<u32>,
    /// The FEN that is stated with it or above it, or the name of a built-in position.
    pub fen: Option<String>,
    /// Whether it is the count that should have come, beside the one that came.
    pub is_expected: bool,
    /// The words that name it.
    pub name: String,
    /// The numbers of captures and other kinds that are stated with it.
    pub kinds: Vec<LeafCount>,
    /// The index among the numbers of a line without words, which begins with the depth.
    pub(super) field: Option<usize>,
    /// Its role beside other counts.
    pub(super) role: Role,
    /// The number of totals before it, in a row with the totals of several columns.
    pub(super) place: usize,
    /// Whether a known word or the structure of its line says that it is a total.
    pub(super) is_clear: bool,
    /// Whether the depth, if there is one, is stated above, on a line of its own.
    pub(super) has_depth_above: bool,
    /// The index of its line.
    pub line: usize,
}

/// The totals of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTotals {
    /// The totals, in the order of the text.
    pub stated: Vec<StatedTotal>,
    /// The numbers of which it is not clear what they are. One of them may be a total.
    pub unclear: Vec<i128>,
    /// The numbers that are called depths.
    pub depths: BTreeSet<u32>,
}

pub(super) fn totals(table: &Table) -> TextTotals {
    let mut reader = Reader::default();
    for (at, line) in table.lines.iter().enumerate() {
        reader.note(line);
        let is_single = line.parts.len() == 1 && !is_rank(table.lines, at);
        let is_below_rows = is_single && table.is_right_below(at);
        for part in line.parts.iter().filter(|part| table.is_outside(at, part)) {
            reader.read(part, (at, line), is_single, is_below_rows);
        }
    }
    let mut found = reader.found;
    found.unclear.extend(remove_other_sums(&mut found.stated).iter().map(|total| total.nodes));
    found
}

/// What was read, and what the lines above say about the next one.
#[derive(Default)]
struct Reader {
    found: TextTotals,
    header: Vec<String>,
    /// The last FEN, or the name of a position.
    fen: Option<String>,
    /// The last depth on a line of its own.
    depth: Option<u32>,
    /// The depths of the columns, where a row has the counts of one program.
    column_depths: Vec<u32>,
}

impl Reader {
    fn note(&mut self, line: &Line) {
        // A header is that of the lines with as many fields below it.
        let is_row =
            fields_below(&self.header, &line.text).is_some() || !line.text.contains(char::is_alphanumeric);
        match line.header() {
            Some(header) => self.header = header,
            None if !is_row => self.header.clear(),
            None => {}
        }
        self.fen = stated_position(line).or(self.fen.take());
    }

    /// Reads a part of a line. `is_below_rows` is whether its only number may be the total of the rows above.
    fn read(&mut self, part: &Part, (at, line): (usize, &Line), is_single: bool, is_below_rows: bool) {
        let names = header_names(part, line, &self.header);
        let mut meanings = meanings(part, &names, is_single);
        let row = role_of_row(&meanings).filter(|_| meanings.len() == self.column_depths.len());
        meanings.iter_mut().for_each(|(_, meaning)| *meaning = row.map_or(*meaning, Meaning::Total));
        let depths = depths_in(&meanings);
        self.found.depths.extend(&depths);
        if depths.len() > 1 && depths.len() == meanings.len() {
            self.column_depths.clone_from(&depths);
        }
        let of_row = depth_of_row(part, &meanings);
        let depth = depths.first().copied().or(of_row);
        let is_only = meanings.len() == 1;
        let kind = |&(number, meaning): &(Number, Meaning)| {
            let Meaning::Kind(kind) = meaning else { return None };
            Some(LeafCount { kind, nodes: signed(number.value?, number.is_negative) })
        };
        let kinds: Vec<LeafCount> = meanings.iter().filter_map(kind).collect();
        let total = |(index, &(number, meaning)): (usize, &(Number, Meaning))| {
            let (role, field) = match meaning {
                Meaning::Total(role) => (role, None),
                Meaning::Unclear if of_row.is_some() && index > 0 => (Role::Plain, Some(index)),
                Meaning::Unclear if is_below_rows && is_only => (Role::Plain, None),
                _ => return None,
            };
            let of_column = self.column_depths.get(index).filter(|_| row.is_some()).copied();
            let own = of_column.or_else(|| depths_in(&meanings[..index]).pop());
            let words = name(number).join(" ");
            let is_beside = |at: &usize| {
                name(meanings[at + 1].0).is_empty() && meanings[*at].1 == Meaning::Total(Role::Plain)
            };
            Some(StatedTotal {
                nodes: signed(number.value?, number.is_negative),
                depth: own.or(depth).or(self.depth),
                fen: self.fen.clone(),
                is_expected: role == Role::Expected,
                name: if words.is_empty() { names[index].to_owned() } else { words },
                kinds: kinds.clone(),
                field,
                place: (0..index).rev().take_while(is_beside).count(),
                is_clear: of_row.is_some() || matches!(meaning, Meaning::Total(_)),
                has_depth_above: depth.is_none(),
                role,
                line: at,
            })
        };
        let stated: Vec<StatedTotal> = meanings.iter().enumerate().filter_map(total).collect();
        let unclear = meanings.iter().filter(|(_, meaning)| *meaning == Meaning::Unclear);
        let unclear = unclear.filter_map(|(number, _)| i128::try_from(number.value?).ok());
        self.found.unclear.extend(unclear);
        if let (Some(last), true) = (self.found.stated.last_mut(), stated.is_empty()) {
            // On lines of their own, they belong to the total above.
            last.kinds.extend(kinds);
        }
        if stated.is_empty() && is_only {
            // A depth alone is that of the totals below.
            self.depth = depth.or(self.depth);
        }
        self.found.stated.extend(stated);
    }
}

fn depths_in(meanings: &[(Number, Meaning)]) -> Vec<u32> {
    let depths = meanings.iter().filter(|(_, meaning)| *meaning == Meaning::Depth);
    depths.filter_map(|(number, _)| u32::try_from(number.value?).ok()).collect()
}

/// Returns the role of the counts of a row, if they have no names of their own.
fn role_of_row(meanings: &[(Number, Meaning)]) -> Option<Role> {
    let [(first, Meaning::Unclear | Meaning::Total(_)), others @ ..] = meanings else { return None };
    let is_free = |(number, meaning): &(Number, Meaning)| {
        named(*number).is_empty() && matches!(meaning, Meaning::Unclear | Meaning::Total(_))
    };
    (!others.is_empty() && others.iter().all(is_free)).then(|| role(&named(*first)))
}

/// The names of built-in positions that are no ordinary words of a perft.
const NAMES: [&str; 4] = ["kiwipete", "endgame", "mirrored", "talkchess"];

/// Returns the FEN of a line, or the name of a built-in position in it.
fn stated_position(line: &Line) -> Option<String> {
    let fen = find_fen(&line.text).map(|found| found.text(&line.text, 2).to_owned());
    let mut words = line.text.split(|letter: char| !letter.is_alphanumeric());
    let name = words.find_map(|word| NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(word)));
    fen.or_else(|| name.map(str::to_owned))
}

/// Removes what is not a count of leaf nodes because of the other totals of the text, and returns it.
fn remove_other_sums(totals: &mut Vec<StatedTotal>) -> Vec<StatedTotal> {
    let is_sure = |total: &StatedTotal| total.field.is_none() && total.is_clear;
    let has = |role| totals.iter().any(|total| is_sure(total) && total.role == role);
    let (has_leaves, has_expected, has_plain) = (has(Role::Leaf), has(Role::Expected), has(Role::Plain));
    let has_total =
        totals.iter().any(|total| is_sure(total) && !total.is_expected && !total.name.ends_with("move"));
    let depths: Vec<&StatedTotal> = totals
        .iter()
        .filter(|total| is_sure(total) && !total.has_depth_above && !total.is_expected)
        .collect();
    let of_all_depths: i128 = depths.iter().fold(0, |sum, total| sum.saturating_add(total.nodes));
    let has_depths = depths.len() > 1;
    let is_other = |total: &mut StatedTotal| {
        // Where leaf nodes are named, other nodes are those of the whole tree.
        let is_tree = has_leaves && total.role == Role::Plain && !total.name.is_empty();
        let is_sum = has_depths && total.has_depth_above && total.nodes == of_all_depths;
        // `Found: 7` is a count only beside another one, or if it is the only one.
        let words: Vec<&str> = total.name.split(' ').collect();
        let is_number_of_moves = total.name.ends_with("move") && has_total;
        let is_unsure = total.role == Role::Got && !has_expected && has_plain && !names_count(&words);
        is_tree || is_sum || is_unsure || is_number_of_moves
    };
    totals.extract_if(.., is_other).collect()
}

/// Returns the depth with which numbers without words begin, as in `3 8902 0.001 123456`.
fn depth_of_row(part: &Part, meanings: &[(Number, Meaning)]) -> Option<u32> {
    let [(first, Meaning::Unclear), _, ..] = meanings else { return None };
    let is_bare = |(_, meaning): &(Number, Meaning)| matches!(meaning, Meaning::Unclear | Meaning::Other);
    let is_row = meanings.iter().all(is_bare) && part.texts().all(is_filler);
    first.value.filter(|depth| is_row && *depth <= MOST_PLIES)?.try_into().ok()
}

/// Whether a line is a rank of a board: the line above or below begins with the number of the next rank.
fn is_rank(lines: &[Line], at: usize) -> bool {
    let rank =
        |line: &Line| line.parts.first()?.numbers().next()?.value.filter(|rank| (1..=8).contains(rank));
    let own = rank(&lines[at]);
    let is_next = |line: &Line| own.zip(rank(line)).is_some_and(|(own, other)| own.abs_diff(other) == 1);
    // Frames may stand between the ranks.
    lines[at.saturating_sub(2)..lines.len().min(at + 3)].iter().any(is_next)
}

/// Returns the names that the header of a table gives to the numbers of a row. They are empty for a part of any other line.
fn header_names<'a>(part: &Part, line: &Line, header: &'a [String]) -> Vec<&'a str> {
    let cells = fields_below(header, &line.text).filter(|_| part.texts().all(is_filler));
    let mut cells = cells.unwrap_or_default().into_iter().zip(header);
    let is_in = |digits: &str, cell: &str| cell.chars().filter(char::is_ascii_digit).eq(digits.chars());
    let mut name = |number: Number| {
        let digits = number.value?.to_string();
        cells.find(|(cell, _)| is_in(&digits, cell)).map(|(_, name)| name.as_str())
    };
    part.numbers().map(|number| name(number).unwrap_or_default()).collect()
}

/// Gives numbers their meanings that are all depths with their counts, as in `"1": 20, "2": 400`.
fn mark_pairs(meanings: &mut [(Number, Meaning)]) {
    let value = |(number, _): &(Number, Meaning)| number.value;
    let are_pairs = meanings.len() > 2
        && meanings.len().is_multiple_of(2)
        && meanings.iter().all(|(_, meaning)| *meaning == Meaning::Unclear)
        && meanings.chunks(2).all(|pair| is_linked(pair[1].0) && named(pair[1].0).is_empty())
        && meanings.chunks(2).all(|pair| value(&pair[0]).is_some_and(|depth| depth <= MOST_PLIES))
        && meanings.chunks(2).is_sorted_by(|one, other| value(&one[0]) < value(&other[0]));
    for pair in meanings.chunks_mut(2).filter(|_| are_pairs) {
        (pair[0].1, pair[1].1) = (Meaning::Depth, Meaning::Total(Role::Plain));
    }
}

/// Gives the numbers of a row of depths their meaning: `depth: 1 2 3`.
fn mark_depths(meanings: &mut [(Number, Meaning)]) {
    let [(first, Meaning::Depth), rest @ ..] = meanings else { return };
    let is_next = |(one, other): (u128, &(Number, Meaning))| {
        other.1 == Meaning::Unclear && other.0.value == Some(one) && named(other.0).is_empty()
    };
    let follows = first.value.is_some_and(|first| (first + 1..).zip(&*rest).all(is_next));
    for (_, meaning) in rest.iter_mut().filter(|_| follows) {
        *meaning = Meaning::Depth;
    }
}

/// Returns the numbers of a part with their meanings. A number that no word names has its meaning from the others.
/// `names` are those of the columns, if it is a row of a table.
fn meanings<'a>(part: &'a Part, names: &[&str], is_single: bool) -> Vec<(Number<'a>, Meaning)> {
    let meaning = |(number, name): (Number<'a>, &&str)| match Meaning::of(number) {
        Meaning::Unclear if !name.is_empty() => (number, Meaning::of_words(&[name])),
        Meaning::Unclear if is_single && is_alone(number) => (number, Meaning::Total(Role::Plain)),
        own => (number, own),
    };
    let mut meanings: Vec<(Number, Meaning)> = part.numbers().zip(names).map(meaning).collect();
    mark_pairs(&mut meanings);
    mark_depths(&mut meanings);
    for index in 1..meanings.len() {
        let [(first, before), (second, own)] = [meanings[index - 1], meanings[index]];
        let words = named(second);
        if own != Meaning::Unclear || !words.is_empty() && words[0] != "to" {
            continue;
        }
        let is_depth = index == 1
            && before == Meaning::Unclear
            && is_linked(second)
            && named(first).is_empty()
            && meanings.get(2).is_none_or(|(third, _)| !is_linked(*third))
            && first.value.is_some_and(|depth| depth <= MOST_PLIES);
        // `expected 9194 to equal 8902`
        let is_to = words.first() == Some(&"to");
        if is_to && before != Meaning::Total(Role::Expected) {
            continue;
        }
        if is_to || is_inequality(second) {
            meanings[index - 1].1 = Meaning::Total(Role::Got);
            meanings[index].1 = Meaning::Total(Role::Expected);
        } else if matches!(before, Meaning::Total(_))
            && part.texts().filter(|text| !is_filler(text)).all(|text| text == "total")
        {
            // The row with the totals of several columns.
            meanings[index].1 = Meaning::Total(Role::Plain);
        } else if is_depth || before == Meaning::Depth {
            meanings[index - 1].1 = Meaning::Depth;
            meanings[index].1 = Meaning::Total(Role::Plain);
        }
    }
    // Beside a count that should have come, a number without a name is the one that came.
    let has_role = meanings.iter().any(|(_, meaning)| *meaning == Meaning::Total(Role::Expected));
    for (number, meaning) in &mut meanings {
        if has_role && *meaning == Meaning::Unclear && number.value.is_some() {
            *meaning = Meaning::Total(Role::Got);
        }
    }
    meanings
}
