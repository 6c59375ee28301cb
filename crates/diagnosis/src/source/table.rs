//! The structure of a text: rows of one shape are a table, with a column of moves and columns of counts.
//!
//! Nothing here knows which counts are right. A row is a move with the numbers that follow it, up to the next move. Rows
//! with the same signs between the move and its first count belong together. Where their moves begin again, a second
//! block begins, with columns of its own. No row is lost: it is in a column, or among the lines that were not understood.

use std::collections::{HashMap, HashSet};

use super::line::{Number, Part, Spelling, parts, row_without_move};
use super::meaning::{Role, is_measure, name, names_column, names_or_places, names_other, role};
use super::words::is_word;
use crate::lines::visible;

/// The number of lines above a block in which its heading may be, and below it in which its total may be.
const HEADING_LINES: usize = 3;

/// A column of counts.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// Its name, or its place among the columns of its block without names.
    pub label: String,
    /// The words that name it: beside its numbers, in the heading of the table, or above its block.
    pub name: String,
    /// The role that the name gives it, or `None` if the name is that of something else than a count.
    pub role: Option<Role>,
    /// Whether the words beside its numbers or the header of the table name it, and not only what is above its block.
    pub is_named: bool,
    /// The moves as they are written, with their counts.
    pub counts: Vec<(String, u128)>,
    /// The index of its block.
    pub block: usize,
}

impl Column {
    pub fn sum(&self) -> u128 {
        self.counts.iter().fold(0, |sum, (_, nodes)| sum.saturating_add(*nodes))
    }
}

/// A text, and the rows in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<'a> {
    pub lines: &'a [Line],
    pub columns: Vec<Column>,
    /// The first and the last line of each block.
    pub blocks: Vec<(usize, usize)>,
    /// The lines that begin as a row does, with a move that no row has, but without a count.
    pub unread: Vec<String>,
    /// The lines that have rows, and whether these have no moves.
    rows: HashMap<usize, bool>,
}

/// A move and its counts.
#[derive(Clone, Debug)]
struct Row {
    line: usize,
    /// The index among the rows of its line.
    place: usize,
    shape: Shape,
    /// The signs before the move.
    ahead: String,
    played: String,
    /// The counts, each with its words.
    cells: Vec<(String, u128)>,
    /// The number of numbers behind the move, which are the last fields of the line.
    fields: usize,
    /// Whether something else stands where the other rows have a move.
    is_without_move: bool,
    block: usize,
}

/// What rows of one block have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape {
    /// The place in the line, if several lists stand side by side.
    place: usize,
    /// The mark of a line of one of two files: `<`, `>`, `+` or `-`.
    side: String,
    /// The signs between the move and its first count.
    between: String,
}

/// A line of a text, with its parts.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub text: String,
    pub parts: Vec<Part>,
}

impl Line {
    pub fn new(text: &str, spelling: Spelling) -> Line {
        Line { text: text.to_owned(), parts: parts(text, spelling) }
    }

    /// Returns its parts that have a move and a count.
    pub fn rows(&self) -> impl Iterator<Item = &Part> {
        let parts = if self.is_talk() { &[][..] } else { &self.parts };
        parts.iter().filter(|part| part.played.is_some() && !cells(part).is_empty())
    }

    fn has_word(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.parts.iter().flat_map(Part::texts).any(is_meant)
    }

    fn is_current(&self) -> bool {
        self.has_word(|word| word == "currmove")
    }

    /// Returns the names of the fields, if it is the header of a table.
    pub fn header(&self) -> Option<Vec<String>> {
        // `position startpos moves e2e4 e7e5` is a line of UCI.
        let is_question = self.is_talk() && self.parts.iter().any(|part| part.moves().next().is_some());
        if is_question
            || self.parts.iter().any(|part| part.numbers().next().is_some())
            || self.text.trim_end().ends_with(':')
        {
            return None;
        }
        let names: Vec<String> = fields(&self.text).into_iter().map(str::to_lowercase).collect();
        let known = names.iter().filter(|name| names_column(name)).count();
        (known > 1).then_some(names)
    }

    /// Whether the moves in it may be those of a list.
    pub fn may_list_moves(&self) -> bool {
        !self.is_talk() || self.is_current()
    }

    /// Whether it names moves without counting below them, as `bestmove e2e4` does.
    fn is_talk(&self) -> bool {
        self.parts.iter().flat_map(Part::texts).next() == Some("position")
            || self.has_word(|word| ["bestmove", "pv", "ponder"].contains(&word))
            || self.is_current() && !self.has_word(|word| word == "node")
    }
}

impl<'a> Table<'a> {
    pub fn read(lines: &'a [Line], spelling: Spelling) -> Table<'a> {
        // Where other lines have rows, those about a current move are its progress.
        let has_list = lines.iter().any(|line| !line.is_current() && line.rows().next().is_some());
        let listing = (0..).zip(lines).filter(|(_, line)| !has_list || !line.is_current());
        let rows = |(at, line): (usize, &Line)| {
            let rows = line.rows().filter_map(|part| row(part, at)).enumerate();
            rows.map(|(place, row)| Row { place, ..row }).collect::<Vec<_>>()
        };
        let mut rows: Vec<Row> = listing.flat_map(rows).collect();
        if are_side_by_side(&rows) {
            // A row alone on its line is that of the second list behind the sign of `diff`.
            let place = |row: &Row| if row.shape.side == ">" { 1 } else { row.place };
            rows.iter_mut().for_each(|row| row.shape.place = place(row));
        }
        join_sides(&mut rows, lines);
        let Some(main) = most_frequent(&rows) else { return Table { lines, ..Table::default() } };
        join_other_shapes(&mut rows, &main);
        let unread = add_rows_without_move(&mut rows, &main, lines, spelling);
        let mut in_blocks = vec![Vec::new(); number_blocks(&mut rows, lines)];
        rows.iter().for_each(|row| in_blocks[row.block].push(row));
        let place = |rows: &Vec<&Row>| {
            let lines = || rows.iter().map(|row| row.line);
            (lines().min().unwrap_or(0), lines().max().unwrap_or(0))
        };
        let blocks: Vec<_> = in_blocks.iter().map(place).collect();
        let columns = in_blocks.iter().enumerate().flat_map(|(block, rows)| {
            let side = rows.first().map(|row| row.shape.side.clone()).filter(|side| !side.is_empty());
            let begins_line = rows.first().is_some_and(|row| row.place == 0);
            let above = || {
                if blocks.len() > 1 && begins_line { heading(lines, block, &blocks) } else { String::new() }
            };
            let heading = side.unwrap_or_else(above);
            let header = lines[..blocks[block].0].iter().rev().take(HEADING_LINES).find_map(Line::header);
            columns(rows, block, &heading, &header.unwrap_or_default())
        });
        let columns = columns.collect();
        let rows = rows.iter().map(|row| (row.line, row.is_without_move)).collect();
        Table { lines, columns, blocks, unread, rows }
    }

    /// Whether a line is one of the first ones with words or numbers behind the rows.
    pub fn is_right_below(&self, line: usize) -> bool {
        let is_full = |line: &&Line| line.text.contains(char::is_alphanumeric);
        let last = self.blocks.iter().map(|(_, last)| *last).filter(|&last| last < line).max();
        last.is_some_and(|last| self.lines[last + 1..line].iter().filter(is_full).count() < HEADING_LINES)
    }

    /// Returns the parts that are outside the rows.
    pub fn others(&self) -> impl DoubleEndedIterator<Item = &'a Part> {
        self.lines.iter().enumerate().flat_map(move |(at, line)| {
            line.parts.iter().filter(move |part| part.played.is_none() && self.is_outside(at, part))
        })
    }

    /// Returns the lines between the rows of a block that are not understood.
    pub fn between(&self, block: usize) -> Vec<String> {
        let (first, last) = self.blocks[block];
        let between = (first..=last).filter(|at| !self.rows.contains_key(at));
        between.map(|at| visible(self.lines[at].text.trim())).filter(|text| !text.is_empty()).collect()
    }

    /// Whether the numbers of a part may be stated for the whole text, and not for one of its moves.
    pub fn is_outside(&self, line: usize, part: &Part) -> bool {
        self.rows.get(&line).is_none_or(|is_without_move| !is_without_move && part.played.is_none())
    }
}

/// Whether several lists stand side by side: most of the moves at each place of a line are those at the first place.
fn are_side_by_side(rows: &[Row]) -> bool {
    let mut places: HashMap<usize, HashSet<&str>> = HashMap::new();
    for row in rows {
        places.entry(row.place).or_default().insert(&row.played);
    }
    let is_list = |moves: &HashSet<&str>| 2 * moves.intersection(&places[&0]).count() > places[&0].len();
    places.len() > 1 && places.values().all(is_list)
}

/// Returns the row of a part, if it has a move and a count.
fn row(part: &Part, line: usize) -> Option<Row> {
    let cells = cells(part);
    let (played, ahead) = (part.played.clone()?, part.ahead());
    let is_side = ahead.starts_with(['<', '>', '+', '-'])
        && !ahead.contains(|sign: char| sign.is_alphanumeric() || sign == '#');
    let side = if is_side { ahead[..1].to_owned() } else { String::new() };
    let shape = Shape { place: 0, side, between: part.between(*cells.first()?) };
    let fields = part.numbers().filter(|number| number.is_behind_move()).count();
    let cells = cells.into_iter().filter_map(|number| Some((name(number).join(" "), number.value?)));
    Some(Row {
        line,
        place: 0,
        shape,
        ahead,
        played,
        cells: cells.collect(),
        fields,
        is_without_move: false,
        block: 0,
    })
}

/// Returns the numbers of a part that may be the count of its move: those behind the move, or else the last one before
/// it.
fn cells(part: &Part) -> Vec<Number<'_>> {
    let may_be_count = |number: &Number| {
        number.value.is_some() && !number.is_negative && !number.is_glued && !is_measure(*number)
    };
    let (behind, before): (Vec<_>, Vec<_>) =
        part.numbers().filter(may_be_count).partition(|number| number.is_behind_move());
    if behind.is_empty() { before.last().copied().into_iter().collect() } else { behind }
}

fn most_frequent(rows: &[Row]) -> Option<Shape> {
    let mut times: HashMap<&Shape, usize> = HashMap::new();
    rows.iter().for_each(|row| *times.entry(&row.shape).or_default() += 1);
    // The first of several.
    rows.iter().rev().map(|row| &row.shape).max_by_key(|shape| times[shape]).cloned()
}

/// Adds the rows that are in both of two files to the rows of each, where lines begin with `-` or `+`.
fn join_sides(rows: &mut Vec<Row>, lines: &[Line]) {
    let has = |side: char| lines.iter().any(|line| line.text.starts_with(side));
    let is_marked = rows.iter().any(|row| ["-", "+"].contains(&row.shape.side.as_str()));
    if is_marked && has('-') && has('+') {
        let of_side = |row: &Row, side: &str| Row {
            shape: Shape { side: side.to_owned(), ..row.shape.clone() },
            ..row.clone()
        };
        *rows = std::mem::take(rows)
            .into_iter()
            .flat_map(|row| match row.shape.side.as_str() {
                "" => vec![of_side(&row, "-"), of_side(&row, "+")],
                _ => vec![row],
            })
            .collect();
    }
}

/// Gives rows of other shapes the main shape if it lacks their moves and has its counts on the same side of them. If they
/// are few, others are no second table, and are removed.
fn join_other_shapes(rows: &mut Vec<Row>, main: &Shape) {
    let mut moves: HashMap<Shape, HashSet<String>> = HashMap::new();
    for row in rows.iter() {
        moves.entry(row.shape.clone()).or_default().insert(row.played.clone());
    }
    let listed = &moves[main];
    let is_new = |shape: &Shape| {
        moves[shape].is_disjoint(listed) && shape.between.starts_with('M') == main.between.starts_with('M')
    };
    let is_table = |shape: &Shape| 2 * moves[shape].len() >= listed.len() || !shape.side.is_empty();
    rows.retain_mut(|row| {
        if row.shape != *main && row.shape.place == 0 && is_new(&row.shape) {
            row.shape = main.clone();
        }
        is_table(&row.shape)
    });
}

/// Adds the rows in which something else stands where the other rows have a move. Returns the lines that begin as a row
/// does, with a move that no row has, but without a count.
fn add_rows_without_move(
    rows: &mut Vec<Row>,
    main: &Shape,
    lines: &[Line],
    spelling: Spelling,
) -> Vec<String> {
    let main_rows = rows.iter().filter(|row| row.shape == *main);
    let ahead: HashSet<String> = main_rows.map(|row| row.ahead.clone()).collect();
    let with_rows: HashSet<usize> = rows.iter().map(|row| row.line).collect();
    let listed: HashSet<&str> = rows.iter().map(|row| row.played.as_str()).collect();
    let is_row = |part: &Part| {
        let cells = cells(part);
        cells.first().is_some_and(|cell| part.between(*cell) == main.between) && ahead.contains(&part.ahead())
    };
    let is_new = |part: &Part| {
        part.played.as_deref().is_some_and(|played| !listed.contains(played)) && ahead.contains(&part.ahead())
    };
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| !with_rows.contains(at)) {
        if let Some(part) = row_without_move(&line.text, spelling, is_row) {
            found.extend(row(&part, at).map(|row| Row { is_without_move: true, ..row }));
        } else if !line.is_talk() && line.parts.iter().any(is_new) {
            unread.push(visible(line.text.trim()));
        }
    }
    rows.extend(found);
    rows.sort_by_key(|row| row.line);
    unread
}

/// Numbers the blocks of the rows, in the order in which they begin. Returns the number of blocks.
fn number_blocks(rows: &mut [Row], lines: &[Line]) -> usize {
    let mut shapes: Vec<Shape> = Vec::new();
    rows.iter().for_each(|row| {
        if !shapes.contains(&row.shape) {
            shapes.push(row.shape.clone())
        }
    });
    let mut blocks = 0;
    for shape in shapes {
        let mut of_shape: Vec<&mut Row> = rows.iter_mut().filter(|row| row.shape == shape).collect();
        let names: Vec<String> = of_shape.iter().map(|row| row.played.clone()).collect();
        let mut starts = starts(&names);
        starts.iter_mut().for_each(|start| *start = behind_gap(&of_shape, *start));
        add_parts(&of_shape, lines, &mut starts);
        let mut starts = starts.into_iter().peekable();
        for (index, row) in of_shape.iter_mut().enumerate() {
            blocks += usize::from(starts.next_if_eq(&index).is_some());
            row.block = blocks - 1;
        }
    }
    blocks
}

/// The smallest number of rows of a part of a list.
const SMALL_PART: usize = 3;

/// Adds the starts between a list and the beginning of another one, which has the same moves and other counts: a count of
/// another depth was interrupted. Such a part stands behind the list, with the total of the list between them, or before the
/// list, with any line between them. If a number beside the rows is the sum of all of them, they are one list.
fn add_parts(rows: &[&mut Row], lines: &[Line], starts: &mut Vec<usize>) {
    let add = |sums: &mut Vec<u128>, row: &Row| {
        sums.resize(sums.len().max(row.cells.len()), 0);
        sums.iter_mut().zip(&row.cells).for_each(|(sum, (_, nodes))| *sum = sum.saturating_add(*nodes));
    };
    let mut whole = Vec::new();
    rows.iter().for_each(|row| add(&mut whole, row));
    let in_rows: HashSet<usize> = rows.iter().map(|row| row.line).collect();
    let beside = lines.iter().enumerate().filter(|(at, _)| !in_rows.contains(at)).map(|(_, line)| line);
    if has_sum(beside, &whole) {
        return;
    }
    let mut known = std::mem::take(starts).into_iter().peekable();
    let (mut sums, mut listed): (Vec<u128>, HashMap<&str, &Row>) = (Vec::new(), HashMap::new());
    for (at, row) in rows.iter().enumerate() {
        let is_known = known.next_if_eq(&at).is_some();
        let next = &rows[at..known.peek().copied().unwrap_or(rows.len())];
        let part = &rows[starts.last().copied().unwrap_or(0)..at];
        let is_behind = || {
            let between = lines.get(rows[at - 1].line + 1..row.line).unwrap_or_default();
            next.iter().all(|row| differs(row, listed.get(row.played.as_str()).copied()))
                && has_sum(between.iter(), &sums)
        };
        let is_before = || {
            let pairs = || part.iter().zip(next);
            row.line > rows[at - 1].line + 1
                && pairs().all(|(one, other)| one.played == other.played && differs(one, Some(other)))
                && !part.iter().all(|row| may_be_promotion(&row.played))
        };
        let is_start = next.len() >= SMALL_PART && part.len() > next.len() && is_behind()
            || part.len() >= SMALL_PART && next.len() > part.len() && is_before();
        if is_known || is_start {
            starts.push(at);
            sums.clear();
            listed.clear();
        }
        add(&mut sums, row);
        listed.insert(&row.played, row);
    }
}

/// Whether a number of some lines is one of these sums.
fn has_sum<'l>(lines: impl Iterator<Item = &'l Line>, sums: &[u128]) -> bool {
    let is_sum = |number: Number| number.value.is_some_and(|value| sums.contains(&value));
    lines.flat_map(|line| &line.parts).flat_map(Part::numbers).any(is_sum)
}

/// Whether two rows of one move have no count in common.
fn differs(one: &Row, other: Option<&Row>) -> bool {
    let is_in = |count: u128, row: &Row| row.cells.iter().any(|(_, nodes)| *nodes == count);
    other.is_some_and(|other| one.cells.iter().all(|(_, nodes)| !is_in(*nodes, other)))
}

/// The number of rows at the beginning of a block that may have moves which the block before it does not have.
const NEW_ROWS: usize = 4;

/// Returns the index of the first row of a block. A few rows before `start` belong to it, too, if other lines stand between
/// them and the block before.
fn behind_gap(rows: &[&mut Row], start: usize) -> usize {
    let is_first = |at: &usize| *at > 0 && rows[*at].line > rows[*at - 1].line + 1;
    (start.saturating_sub(NEW_ROWS)..=start).rev().find(is_first).unwrap_or(start)
}

/// Returns the indices at which a list of moves begins, and begins again. A block has most of the moves, and so has the
/// next one. A move that a wrong generator has found twice begins no block.
fn starts(names: &[String]) -> Vec<usize> {
    let distinct = names.iter().collect::<HashSet<_>>().len();
    let (mut starts, mut block): (Vec<usize>, HashSet<&str>) = (vec![0], HashSet::new());
    for (index, name) in names.iter().enumerate() {
        if block.contains(name.as_str()) && 2 * block.len() > distinct {
            let mut next = HashSet::new();
            // One name may stand for four promotions.
            let longest = names[index..].iter().take(4 * distinct);
            longest.take_while(|name| next.insert(name.as_str()) || may_be_promotion(name)).count();
            let again = next.iter().filter(|name| block.contains(*name)).count();
            let is_next = 2 * next.len() > distinct && 2 * again > block.len();
            // A move that is doubled at the end of a block does not begin the next one.
            let first = &names[starts[starts.len() - 1]..];
            let is_doubled = name != &first[0] && names[index + 1..].starts_with(&first[..2]);
            if is_next && !is_doubled && (distinct > 1 || names.len() == 2) {
                starts.push(index);
                block.clear();
            }
        }
        block.insert(name);
    }
    starts
}

/// Whether a move can be a promotion. Without the promotion piece, four promotions look the same.
fn may_be_promotion(played: &str) -> bool {
    matches!(played.as_bytes(), [_, b'7', _, b'8'] | [_, b'2', _, b'1'])
}

/// Returns the columns of the rows of a block. A number is named by the words beside it, or by the header.
fn columns(rows: &[&Row], block: usize, heading: &str, header: &[String]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for row in rows {
        let named = header.len().checked_sub(row.fields).filter(|&before| before > 0);
        let names = row.cells.iter().enumerate().map(|(index, (words, _))| {
            let field = named.and_then(|before| header.get(before + index)).filter(|_| words.is_empty());
            field.unwrap_or(words).clone()
        });
        let names: Vec<String> = names.collect();
        let labels = names_or_places(names.iter().cloned());
        for ((label, name), (_, nodes)) in labels.into_iter().zip(&names).zip(&row.cells) {
            let at = columns.iter().position(|known| known.label == label).unwrap_or_else(|| {
                let words: Vec<&str> = if name.is_empty() { heading } else { name }.split(' ').collect();
                let is_sum = !columns.is_empty() && words.iter().any(|word| ["total", "sum"].contains(word));
                let is_named = !name.is_empty();
                let is_other = is_named && (is_sum || names_other(&words));
                let (role, name) = ((!is_other).then(|| role(&words)), words.join(" "));
                columns.push(Column { label, name, role, is_named, counts: Vec::new(), block });
                columns.len() - 1
            });
            columns[at].counts.push((row.played.clone(), *nodes));
        }
    }
    columns
}

/// Returns the words above a block, or before its first row, which say whose counts it has.
fn heading(lines: &[Line], block: usize, blocks: &[(usize, usize)]) -> String {
    let (first, _) = blocks[block];
    let words = |part: &Part| part.texts().filter(|text| is_word(text)).collect::<Vec<_>>().join(" ");
    let in_line = lines[first].parts.first().filter(|part| part.played.is_none()).map(words);
    let is_free = |at: &usize| blocks.iter().all(|(first, last)| !(first..=last).contains(&at));
    let above = (0..first).rev().take_while(is_free).take(HEADING_LINES);
    let mut above = above.map(|at| lines[at].parts.iter().map(words).collect::<Vec<_>>().join(" "));
    in_line
        .filter(|words| !words.is_empty())
        .or_else(|| above.find(|words| !words.is_empty()))
        .unwrap_or_default()
}

/// The signs that may separate the fields of a line. The first one that a line has separates them.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// Returns the fields of a line, which a sign or blanks separate.
pub(super) fn fields(line: &str) -> Vec<&str> {
    let line = line.trim().trim_matches('|');
    match SEPARATORS.into_iter().find(|&sign| line.contains(sign)) {
        Some(sign) => line.split(sign).map(str::trim).collect(),
        None if line.contains("  ") => {
            line.split("  ").map(str::trim).filter(|field| !field.is_empty()).collect()
        }
        None => line.split_whitespace().collect(),
    }
}

/// Returns the fields of a line of a table whose header has this number of fields, if the line has as many. A comma may
/// also stand in a number, and names of several words need two blanks between them.
pub(super) fn fields_below<'a>(header: &[String], line: &'a str) -> Option<Vec<&'a str>> {
    let line = line.trim().trim_matches('|');
    let of_signs = SEPARATORS.map(|sign| line.split(sign).map(str::trim).collect::<Vec<_>>());
    let words = || line.split_whitespace().collect::<Vec<_>>();
    let readings = of_signs.into_iter().chain([fields(line), words()]);
    readings.into_iter().find(|fields| fields.len() > 1 && fields.len() == header.len())
}
