//! The totals that a text states, apart from the counts of its moves.

use perft_core::internals::find_fen;

use super::answer::signed;
use super::leaf_count::LeafCount;
use super::line::{Number, Part};
use super::meaning::{
    MOST_PLIES, Meaning, Role, is_filler, is_inequality, is_linked, name, named, names_count, role,
};
use super::table::{Line, Table, fields_below};

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
    /// The numbers that are called depths, each once.
    pub depths: Vec<u32>,
}

/// Returns the totals of a text.
pub(super) fn totals(lines: &[Line], table: &Table) -> TextTotals {
    let mut reader = Reader::default();
    for (at, line) in lines.iter().enumerate() {
        reader.note(line);
        let is_single = line.parts.len() == 1 && !is_rank(lines, at);
        let is_below_rows = is_single && table.is_right_below(at, lines);
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
    /// The names of the columns.
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
        let depths = depths(&meanings);
        for depth in &depths {
            if !self.found.depths.contains(depth) {
                self.found.depths.push(*depth);
            }
        }
        if depths.len() > 1 && depths.len() == meanings.len() {
            self.column_depths.clone_from(&depths);
        }
        let begins_with_depth = is_row_of_depth(part, &meanings);
        let first = meanings.first().filter(|_| begins_with_depth);
        let first = first.and_then(|(number, _)| u32::try_from(number.value()?).ok());
        let depth = depths.first().copied().or(first);
        let is_only = part.numbers().count() == 1;
        let stated = meanings.iter().enumerate().filter_map(|(field, &(number, meaning))| match meaning {
            Meaning::Total(role) => Some((number, role, None)),
            Meaning::Unclear if begins_with_depth && field > 0 => Some((number, Role::Plain, Some(field))),
            Meaning::Unclear if is_below_rows && is_only => Some((number, Role::Plain, None)),
            _ => None,
        });
        let kinds: Vec<LeafCount> = meanings.iter().filter_map(|&kind| leaf_count(kind)).collect();
        let stated: Vec<StatedTotal> = stated
            .filter_map(|(number, role, field)| {
                let of_column = self.column_depths.get(number.index()).filter(|_| row.is_some()).copied();
                let own = of_column.or_else(|| depth_before(number, &meanings));
                Some(StatedTotal {
                    nodes: signed(number.value()?, number.is_negative()),
                    depth: own.or(depth).or(self.depth),
                    fen: self.fen.clone(),
                    is_expected: role == Role::Expected,
                    name: match name(number).join(" ") {
                        name if name.is_empty() => header_name(number, &names).to_owned(),
                        name => name,
                    },
                    kinds: kinds.clone(),
                    field,
                    place: place(number, &meanings),
                    is_clear: begins_with_depth || role_of(number, &meanings).is_some(),
                    has_depth_above: depth.is_none(),
                    role,
                    line: at,
                })
            })
            .collect();
        let unclear = meanings.iter().filter(|(_, meaning)| *meaning == Meaning::Unclear);
        let unclear = unclear.filter_map(|(number, _)| i128::try_from(number.value()?).ok());
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

fn depths(meanings: &[(Number, Meaning)]) -> Vec<u32> {
    let depths = meanings.iter().filter(|(_, meaning)| *meaning == Meaning::Depth);
    depths.filter_map(|(number, _)| u32::try_from(number.value()?).ok()).collect()
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

/// Returns the last depth before a number.
fn depth_before(number: Number, meanings: &[(Number, Meaning)]) -> Option<u32> {
    let before = meanings.iter().take_while(|(other, _)| !other.is(number));
    let (depth, _) = before.filter(|(_, meaning)| *meaning == Meaning::Depth).last()?;
    depth.value()?.try_into().ok()
}

/// Returns the role of a number that is a total.
fn role_of(number: Number, meanings: &[(Number, Meaning)]) -> Option<Role> {
    meanings.iter().find_map(|(other, meaning)| match meaning {
        Meaning::Total(role) if other.is(number) => Some(*role),
        _ => None,
    })
}

/// Returns the number of totals of the same kind before a number without a name.
fn place(number: Number, meanings: &[(Number, Meaning)]) -> usize {
    let is_beside = |number: &Number| name(*number).is_empty();
    let before =
        std::iter::successors(Some(number), |number| number.previous().filter(|_| is_beside(number)));
    before.skip(1).take_while(|before| role_of(*before, meanings) == Some(Role::Plain)).count()
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

/// Whether numbers without words begin with a depth, as in `3 8902 0.001 123456`.
fn is_row_of_depth(part: &Part, meanings: &[(Number, Meaning)]) -> bool {
    let is_depth = |number: Number| number.value().is_some_and(|depth| depth <= MOST_PLIES);
    matches!(meanings, [(first, Meaning::Unclear), _, ..] if is_depth(*first))
        && meanings.iter().all(|(_, meaning)| matches!(meaning, Meaning::Unclear | Meaning::Other))
        && part.texts().all(is_filler)
}

/// Whether a line is a rank of a board: the line above or below begins with the number of the next rank.
fn is_rank(lines: &[Line], at: usize) -> bool {
    let rank =
        |line: &Line| line.parts.first()?.numbers().next()?.value().filter(|rank| (1..=8).contains(rank));
    let own = rank(&lines[at]);
    let is_next = |line: &Line| own.zip(rank(line)).is_some_and(|(own, other)| own.abs_diff(other) == 1);
    // Frames may stand between the ranks.
    lines[at.saturating_sub(2)..lines.len().min(at + 3)].iter().any(is_next)
}

/// Returns the number of leaf nodes of a kind, if a number is one.
fn leaf_count((number, meaning): (Number, Meaning)) -> Option<LeafCount> {
    let Meaning::Kind(kind) = meaning else { return None };
    Some(LeafCount { kind, nodes: signed(number.value()?, number.is_negative()) })
}

/// The numbers of a row, each with the name of its column.
type Named<'a> = Vec<(Number<'a>, &'a str)>;

/// Returns the numbers of a row of a table with the names that its header gives to them.
fn header_names<'a>(part: &'a Part, line: &Line, header: &'a [String]) -> Named<'a> {
    let Some(cells) = fields_below(header, &line.text).filter(|_| part.texts().all(is_filler)) else {
        return Vec::new();
    };
    let mut cells = cells.into_iter().zip(header);
    let is_in = |digits: &str, cell: &str| cell.chars().filter(char::is_ascii_digit).eq(digits.chars());
    let column = |number: Number<'a>| {
        let digits = number.value()?.to_string();
        let (_, name) = cells.find(|(cell, _)| is_in(&digits, cell))?;
        Some((number, name.as_str()))
    };
    part.numbers().filter_map(column).collect()
}

fn header_name<'a>(number: Number, names: &Named<'a>) -> &'a str {
    names.iter().find(|(other, _)| other.is(number)).map_or("", |(_, name)| name)
}

/// Gives numbers their meanings that are all depths with their counts, as in `"1": 20, "2": 400`.
fn mark_pairs(meanings: &mut [(Number, Meaning)]) {
    let value = |(number, _): &(Number, Meaning)| number.value();
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
        other.1 == Meaning::Unclear && other.0.value() == Some(one) && named(other.0).is_empty()
    };
    let follows = first.value().is_some_and(|first| (first + 1..).zip(&*rest).all(is_next));
    for (_, meaning) in rest.iter_mut().filter(|_| follows) {
        *meaning = Meaning::Depth;
    }
}

/// Returns the numbers of a part with their meanings. A number that no word names has its meaning from the others.
/// `names` are those of the columns, if it is a row of a table.
fn meanings<'a>(part: &'a Part, names: &Named, is_single: bool) -> Vec<(Number<'a>, Meaning)> {
    let mut meanings: Vec<(Number, Meaning)> = Vec::new();
    for number in part.numbers() {
        let own = Meaning::of(number);
        let meaning = match (own, header_name(number, names)) {
            (Meaning::Unclear, "") if is_single && number.is_alone() => Meaning::Total(Role::Plain),
            (Meaning::Unclear, name) if !name.is_empty() => Meaning::of_words(&[name]),
            _ => own,
        };
        meanings.push((number, meaning));
    }
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
            && first.value().is_some_and(|depth| depth <= MOST_PLIES);
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
        if has_role && *meaning == Meaning::Unclear && number.value().is_some() {
            *meaning = Meaning::Total(Role::Got);
        }
    }
    meanings
}
