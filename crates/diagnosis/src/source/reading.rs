//! Reads a text with the counts of a program, whose question is known.
//!
//! The rows and columns of the text are found by its structure alone. The right counts only choose between readings of
//! the whole text: how its numbers and moves are written, and which of its columns are counts of this depth. They never
//! choose between the numbers of a row, so a wrong number is not passed over.

use std::collections::{BTreeMap, HashMap, HashSet};

use perft_core::{Move, Position, RootMove};

use super::answer::{Answer, MAX_UNREAD, has_size_of, signed};
use super::layout::{about, layout};
use super::line::{Part, Spelling, spellings};
use super::meaning::Role;
use super::notation::indices_meant;
use super::table::{Column, Line, Table};
use super::text_facts::{OtherCounts, TextFacts};
use super::totals::{StatedTotal, TextTotals, totals};
use crate::lines::visible;

/// The right counts of the moves that a text names.
pub(super) struct Known<'a> {
    position: &'a Position,
    legal: Vec<Move>,
    ours: &'a [RootMove],
    /// The sum of the right counts.
    right: u128,
    depth: u32,
}

impl Answer {
    /// Reads a text about a position. `ours` are the right counts below its moves at this depth. If the text has several
    /// columns of counts, the answer is that of the counts that came, or the first one that is not right.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Answer;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    /// let lines = ["e1d1: 6 (expected 5)", "e1d2: 6 (expected 5)"].map(str::to_owned);
    /// let answer = Answer::of_text(&lines, &position, 2, &position.divide(2));
    /// assert_eq!(answer.moves, [("e1d1".to_owned(), 6), ("e1d2".to_owned(), 6)]);
    /// let text = answer.text.unwrap();
    /// assert_eq!((text.others[0].name.as_str(), text.others[0].wrong), ("expected", 0));
    /// ```
    pub fn of_text(lines: &[String], position: &Position, depth: u32, ours: &[RootMove]) -> Answer {
        let known = Known::new(position, depth, ours);
        let lines = layout(lines);
        let readings = text_spellings(&lines).into_iter().map(|spelling| known.read(&lines, spelling));
        let best = readings.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, answer)| answer).unwrap_or_default()
    }

    /// Reads the output of a perft command, by its structure alone.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Answer;
    ///
    /// let answer = Answer::parse("e2-e4 20 nodes\nNg1-f3 20 nodes\nTime: 3 ms, nodes: 40");
    /// assert_eq!(answer.moves, [("e2e4".to_owned(), 20), ("g1f3".to_owned(), 20)]);
    /// assert_eq!(answer.stated_total, Some(40));
    /// ```
    pub fn parse(text: &str) -> Answer {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Answer { text: None, ..Answer::of_text(&lines, &Position::start(), 0, &[]) }
    }
}

/// Returns the totals that a text states, read by its structure alone.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::stated_totals;
///
/// let totals = stated_totals(&["Depth 3: 9194 nodes (should be 8902)".to_owned()]).stated;
/// assert_eq!((totals[0].nodes, totals[0].depth, totals[0].is_expected), (9194, Some(3), false));
/// assert_eq!((totals[1].nodes, totals[1].is_expected), (8902, true));
/// ```
pub fn stated_totals(lines: &[String]) -> TextTotals {
    let spelling = text_spellings(lines)[0];
    let lines: Vec<Line> = lines.iter().map(|line| Line::new(line, spelling)).collect();
    let table = Table::read(&lines, spelling);
    let mut totals = totals(&table);
    totals.stated.retain(|total| total.field.is_none() && total.is_clear);
    totals
}

/// Returns the spellings that a text may have, the most probable one first: a sign between groups is used, unless it is
/// a blank.
fn text_spellings(lines: &[String]) -> Vec<Spelling> {
    let mut spellings = spellings(lines.iter().map(String::as_str));
    spellings.sort_by_key(|spelling| match spelling.grouping {
        Some(sign) if sign.is_whitespace() => 2,
        None => 1,
        Some(_) => 0,
    });
    spellings
}

/// The largest number of different totals of a text without rows.
const MOST_TOTALS: usize = 2;

/// How well a reading fits: the number of legal moves that have a count, of counts that are about right, and of totals
/// that are.
type Fit = (usize, usize, usize);

/// The number of moves whose counts cannot be right by coincidence.
const MANY_MOVES: usize = 16;

impl Known<'_> {
    pub fn new<'a>(position: &'a Position, depth: u32, ours: &'a [RootMove]) -> Known<'a> {
        let right = ours.iter().map(|known| known.nodes).sum();
        Known { position, legal: ours.iter().map(|known| known.played).collect(), ours, right, depth }
    }

    fn read(&self, lines: &[String], spelling: Spelling) -> (Fit, Answer) {
        let lines = about(lines.iter().map(|line| Line::new(line, spelling)).collect(), self.position);
        let table = Table::read(&lines, spelling);
        let TextTotals { stated: mut totals, unclear: numbers, .. } = totals(&table);
        self.choose_field(&mut totals);
        let judged = self.columns_of_counts(&table);
        let named = |column: &JudgedColumn| {
            if self.ours.is_empty() { column.column.counts.len() } else { column.legal }
        };
        let best = judged.iter().map(|column| (named(column), column.near)).max().unwrap_or_default();
        let near_totals =
            totals.iter().filter(|total| is_near(total.nodes.unsigned_abs(), self.right)).count();
        let mut answer = Answer { unread: table.unread.clone(), ..Answer::default() };
        let mut text = TextFacts { left_out: table.columns.len() - judged.len(), ..TextFacts::default() };
        let chosen = column_of_answer(&judged);
        for (index, column) in judged.iter().enumerate() {
            let name = column.name(index);
            if index == chosen {
                answer.moves.clone_from(&column.column.counts);
                text.column = Some(name).filter(|_| judged.len() > 1);
            } else {
                let (wrong, missing, counts) = (column.wrong, column.missing, column.column.counts.len());
                text.others.push(OtherCounts { name, wrong, missing, counts, total: None });
            }
        }
        if judged.is_empty() {
            answer.unread.extend(self.lists_of_moves(&lines));
        }
        let mut of_table = self.totals_of(&totals, &table, &judged);
        keep_of_columns(&mut of_table, &table, &judged);
        let (of_table, unclear) = split_unclear(of_table, &judged);
        text.unclear = unclear.iter().map(|total| visible(lines[total.line].text.trim())).collect();
        text.others.extend(self.state_total(&mut answer, of_table, &judged));
        if judged.is_empty() && answer.stated_total.is_none() {
            text.others.extend(self.state_by_elimination(&mut answer, &numbers));
            text.is_unnamed = answer.stated_total.is_some();
        } else if judged.is_empty() {
            text.numbers = numbers;
        }
        answer.text = Some(text);
        ((best.0, best.1, near_totals), answer)
    }

    /// Returns the columns that are counts of this depth: those that are named so, and those of which most numbers are
    /// about right.
    fn columns_of_counts<'t>(&self, table: &'t Table) -> Vec<JudgedColumn<'t>> {
        let mut judged: Vec<JudgedColumn> = table.columns.iter().map(|column| self.judge(column)).collect();
        // A column may be that of some rows only. What all rows of a block lack is missing. A part of a divide lacks
        // most of the moves.
        for block in 0..table.blocks.len() {
            let of_block = judged.iter().filter(|column| column.column.block == block);
            let missing = of_block.map(|column| column.missing).min().unwrap_or(0);
            let missing = if 4 * missing > 3 * self.ours.len() { 0 } else { missing };
            let of_block = judged.iter_mut().filter(|column| column.column.block == block);
            of_block.for_each(|column| column.missing = missing);
        }
        // The first column of a block in which counts are expected is that of the counts that came.
        let is_beside_expected = |column: &Column| {
            let of_block = || table.columns.iter().filter(|other| other.block == column.block);
            let first = of_block().find(|other| other.role == Some(Role::Plain));
            first.is_some_and(|first| std::ptr::eq(first, column))
                && of_block().any(|other| other.role == Some(Role::Expected))
        };
        let is_count = |judged: &JudgedColumn| {
            let has_role = matches!(judged.column.role, Some(Role::Expected | Role::Got));
            has_role && judged.column.is_named || judged.is_near() || is_beside_expected(judged.column)
        };
        if judged.iter().any(is_count) {
            judged.retain(is_count);
        } else {
            // The last block is that of the greatest depth.
            let last = judged.iter().map(|column| column.column.block).max();
            judged.retain(|column| Some(column.column.block) == last);
            judged.sort_by_key(|column| column.column.role.is_none());
            judged.truncate(1);
        }
        judged
    }

    /// Keeps the numbers of one field of the lines without words: that in which most counts of all depths are about right.
    fn choose_field(&self, totals: &mut Vec<StatedTotal>) {
        let mut near: BTreeMap<usize, usize> = BTreeMap::new();
        for total in totals.iter() {
            let (Some(field), Some(depth)) = (total.field, total.depth) else { continue };
            let count = match depth {
                0 => 1,
                _ if depth == self.depth => self.right,
                _ if depth < self.depth => self.position.perft(depth),
                _ => continue,
            };
            *near.entry(field).or_default() += usize::from(is_near(total.nodes.unsigned_abs(), count));
        }
        // The first of several.
        let best = near.iter().rev().max_by_key(|(_, near)| **near).map(|(field, _)| *field);
        totals.retain(|total| total.field.is_none() || total.field == best);
    }

    /// Returns the totals of this depth that belong to one of the columns, or to none.
    fn totals_of<'t>(
        &self,
        totals: &'t [StatedTotal],
        table: &Table,
        judged: &[JudgedColumn],
    ) -> Vec<&'t StatedTotal> {
        let is_of_depth = |total: &&StatedTotal| {
            let is_below_rows = total.has_depth_above && !judged.is_empty();
            is_below_rows || total.depth.is_none_or(|depth| depth == self.depth)
        };
        let is_of_column = |total: &&StatedTotal| {
            let before = (0..table.blocks.len()).rfind(|&block| table.blocks[block].1 <= total.line);
            judged.is_empty() || judged.iter().any(|column| column.column.block == before.unwrap_or(0))
        };
        // In `perft(board, 3) == 8902`, the depth is no count.
        let is_count = |total: &&StatedTotal| !judged.is_empty() || total.nodes != i128::from(self.depth);
        let found = totals.iter().filter(is_of_depth).filter(is_of_column).filter(is_count);
        let found: Vec<&StatedTotal> = found.collect();
        // Counts of another depth are better than none: they are told to be that.
        if found.is_empty() && judged.is_empty() { totals.iter().filter(is_count).collect() } else { found }
    }

    /// Sets the stated total of an answer. Returns the totals that stand beside it.
    fn state_total(
        &self,
        answer: &mut Answer,
        totals: Vec<&StatedTotal>,
        judged: &[JudgedColumn],
    ) -> Vec<OtherCounts> {
        let (expected, mut stated): (Vec<&StatedTotal>, Vec<&StatedTotal>) =
            totals.into_iter().partition(|total| total.is_expected);
        let is_total = |total: &StatedTotal, nodes: u128| u128::try_from(total.nodes) == Ok(nodes);
        if judged.is_empty() {
            if stated.is_empty() {
                let wrong = expected.iter().find(|total| !is_total(total, self.right));
                answer.stated_total = wrong.or(expected.last()).map(|total| total.nodes);
                return Vec::new();
            }
            // A total for each depth, without the depths.
            let is_ladder = stated.len() > 1
                && stated.len() == self.depth as usize
                && stated.is_sorted_by(|one, next| one.nodes < next.nodes);
            if is_ladder {
                stated.drain(..stated.len() - 1);
            }
            // Many different totals are something else.
            let different: HashSet<i128> = stated.iter().map(|total| total.nodes).collect();
            if different.len() <= MOST_TOTALS {
                let wrong = stated.iter().find(|total| !is_total(total, self.right));
                answer.stated_total = wrong.or(stated.last()).map(|total| total.nodes);
            }
        } else {
            let sums: Vec<u128> = judged.iter().map(|column| column.column.sum()).collect();
            // A total of moves may be their number.
            let rows = answer.moves.len() as u128;
            let is_sum = |total: &StatedTotal| {
                sums.iter().any(|&sum| is_total(total, sum))
                    || total.name.ends_with("move") && is_total(total, rows)
            };
            let wrong = stated.iter().find(|total| !is_sum(total));
            let own = answer.sum();
            let of_answer = stated.iter().find(|total| is_total(total, own));
            answer.stated_total = wrong.or(of_answer).map(|total| total.nodes);
        }
        let other = |total: &StatedTotal| OtherCounts::of_total(total.name.clone(), total.nodes, self.right);
        expected.into_iter().map(other).collect()
    }

    /// Sets the stated total of a text in which no word says which number it is: the only number of about the size of the
    /// right count, but for this count and the depth. Returns the right count if it stands beside it.
    fn state_by_elimination(&self, answer: &mut Answer, numbers: &[i128]) -> Option<OtherCounts> {
        let is_count = |&nodes: &i128| nodes != i128::from(self.depth) && has_size_of(nodes, self.right);
        let is_right = |nodes: i128| nodes == signed(self.right, false);
        let has_right = numbers.iter().any(|&nodes| is_right(nodes));
        let mut others = numbers.iter().copied().filter(is_count).filter(|&nodes| !is_right(nodes));
        let other = others.next();
        let is_only = others.all(|nodes| Some(nodes) == other);
        answer.stated_total = other.or(has_right.then_some(signed(self.right, false))).filter(|_| is_only);
        let has_right_beside = has_right && other.is_some() && is_only;
        has_right_beside.then(|| OtherCounts::of_total(String::new(), signed(self.right, false), self.right))
    }

    /// Returns the moves that a text can mean, as indices into `ours`.
    fn meant(&self, played: &str) -> Vec<usize> {
        indices_meant(self.position, &self.legal, played)
    }

    pub fn judge<'c>(&self, column: &'c Column) -> JudgedColumn<'c> {
        let mut judged = JudgedColumn { column, legal: 0, near: 0, wrong: 0, missing: 0 };
        let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (played, nodes) in &column.counts {
            let meant = known.entry(played).or_insert_with(|| self.meant(played));
            let times = times.entry(played).or_default();
            *times += 1;
            // A promotion without its piece may stand for four moves. Any other move that is listed again is wrong.
            judged.wrong += usize::from(!meant.is_empty() && *times > meant.len());
            let right: Vec<u128> = meant.iter().map(|&index| self.ours[index].nodes).collect();
            judged.legal += usize::from(!right.is_empty());
            let is_exact = right.contains(nodes) || (right.len() > 1 && right.iter().sum::<u128>() == *nodes);
            judged.wrong += usize::from(!is_exact);
            judged.near += usize::from(is_exact || right.iter().any(|&right| is_near(*nodes, right)));
        }
        let named: HashSet<usize> = known.into_values().flatten().collect();
        let is_missing = |(index, known): (usize, &RootMove)| known.nodes > 0 && !named.contains(&index);
        judged.missing = self.ours.iter().enumerate().filter(|one| is_missing(*one)).count();
        judged
    }

    /// Whether a list has nearly all legal moves with their right counts, so many that it is no coincidence.
    pub fn is_listed_in(&self, moves: &[(String, u128)]) -> bool {
        let right = moves.iter().flat_map(|(played, nodes)| {
            self.meant(played).into_iter().filter(|&index| self.ours[index].nodes == *nodes)
        });
        self.ours.len() >= MANY_MOVES && 10 * right.collect::<HashSet<_>>().len() >= 9 * self.ours.len()
    }

    /// Returns the lines that name most of the legal moves, if they do. Without rows of them, they were not understood.
    fn lists_of_moves(&self, lines: &[Line]) -> Vec<String> {
        let mut named = HashSet::new();
        let mut unread = Vec::new();
        for line in lines.iter().filter(|line| line.may_list_moves()) {
            let meant: Vec<usize> =
                line.parts.iter().flat_map(Part::moves).flat_map(|played| self.meant(played)).collect();
            if !meant.is_empty() {
                named.extend(meant);
                unread.push(visible(line.text.trim()));
            }
        }
        unread.truncate(MAX_UNREAD);
        if named.len() > 1 && 2 * named.len() > self.ours.len() { unread } else { Vec::new() }
    }
}

/// Keeps the totals of the columns that are counts. A row with a total for each column has those of all of them.
/// Otherwise, what stands behind a total is that of another column.
fn keep_of_columns(totals: &mut Vec<&StatedTotal>, table: &Table, judged: &[JudgedColumn]) {
    let sums: Vec<u128> = table.columns.iter().map(Column::sum).collect();
    let lines: Vec<usize> = totals.iter().map(|total| total.line).collect();
    let in_row = |line: usize| lines.iter().filter(|other| **other == line).count();
    totals.retain(|total| {
        let is_row = table.columns.len() > 1 && in_row(total.line) == table.columns.len();
        match table.columns.get(total.place).filter(|_| is_row) {
            Some(column) => judged.iter().any(|judged| std::ptr::eq(judged.column, column)),
            None => total.place == 0 || judged.len() > 1 && !sums.contains(&total.nodes.unsigned_abs()),
        }
    });
}

/// Splits totals into those that are clear, and others. Without a clear one, a number with an unknown name is a total if
/// it is about the sum of the rows.
fn split_unclear<'t>(
    totals: Vec<&'t StatedTotal>,
    judged: &[JudgedColumn],
) -> (Vec<&'t StatedTotal>, Vec<&'t StatedTotal>) {
    let has_clear = totals.iter().any(|total| total.is_clear);
    // Twice the sum is the total of a program that adds each row twice.
    let is_about = |total: &StatedTotal, sum: u128| {
        let nodes = total.nodes.unsigned_abs();
        4 * sum.abs_diff(nodes) <= sum || nodes == 2 * sum
    };
    let is_sum = |total: &StatedTotal| judged.iter().any(|column| is_about(total, column.column.sum()));
    totals.into_iter().partition(|total| total.is_clear || !has_clear && is_sum(total))
}

/// Returns the index of the column that is the answer: that of the counts that came, or the first one that is wrong.
fn column_of_answer(judged: &[JudgedColumn]) -> usize {
    let first = |is_meant: &dyn Fn(&JudgedColumn) -> bool| judged.iter().position(is_meant);
    let is_expected = |column: &JudgedColumn| column.column.role == Some(Role::Expected);
    first(&|column| column.column.role == Some(Role::Got))
        .or_else(|| first(&|column| !is_expected(column) && !column.is_right()))
        .or_else(|| first(&|column| !column.is_right()))
        .or_else(|| first(&|column| !is_expected(column)))
        .unwrap_or(0)
}

/// Whether a number is about a right count. Zeros are often something else, such as captures or times.
fn is_near(nodes: u128, right: u128) -> bool {
    nodes == right || nodes > 0 && 2 * nodes.abs_diff(right) <= right.max(2)
}

/// A column, compared with the right counts.
pub(super) struct JudgedColumn<'a> {
    column: &'a Column,
    /// The number of counts of legal moves.
    legal: usize,
    /// The number of counts that are about right.
    near: usize,
    pub wrong: usize,
    /// The number of legal moves that no row of its block has.
    missing: usize,
}

impl JudgedColumn<'_> {
    fn is_right(&self) -> bool {
        self.wrong + self.missing == 0
    }

    fn is_near(&self) -> bool {
        self.column.role.is_some() && 2 * self.near >= self.column.counts.len()
    }

    fn name(&self, index: usize) -> String {
        if self.column.name.is_empty() { format!("column {}", index + 1) } else { self.column.name.clone() }
    }
}
