//! The forms of lists: which numbers of a position are depths, and which are their counts.

use super::gap::Number;
use crate::perft::MAX_DEPTH;
use crate::text::label::Label;

/// The depths and counts of a position in a form.
#[derive(Debug, Default)]
pub struct Counts<'n> {
    /// Each depth with its count.
    pub known: Vec<(u128, &'n Number)>,
    /// A number that is neither a depth nor a count.
    pub unused: Option<&'n Number>,
    /// The number of depths without a count.
    pub dangling: usize,
}

/// A form of lists.
pub struct Form {
    pub trust: Trust,
    /// What the numbers are, for a note to the user.
    pub about: &'static str,
    /// Returns the counts, or `None` for numbers that do not fit.
    pub read: Read,
}

/// Whether counts have to prove a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Its depths are named and need no proof.
    Named,
    /// Right counts have to prove it.
    Proven,
    /// The same, and the user is told about it even then.
    Told,
}

use Trust::{Named, Proven, Told};

type Read = for<'n> fn(&'n [Number]) -> Option<Counts<'n>>;

const fn form(trust: Trust, about: &'static str, read: Read) -> Form {
    Form { trust, about, read }
}

/// All forms. If several fit equally well, the first one is used. An example is behind each.
pub static FORMS: [Form; 10] = [
    form(Named, "a depth and its count", |n| labelled(n.iter())), // D1 20 D2 400
    form(Named, "a count and its depth", |n| labelled(n.iter().rev())), // assertEquals(20, perft(1))
    form(Told, "depths from 0 on instead of 1, and their counts", from_zero), // {"0": 20, "1": 400}
    form(Proven, "the counts from depth 1 on", |n| Some(ladder(1, n))), // 20 400 8902
    form(Proven, "a depth and its count", |n| pairs(n, 0)),       // 1 20 2 400
    form(Proven, "the counts from depth 0 on", ladder_from_zero), // 1 20 400
    form(Proven, "the largest depth, and the counts from depth 1 on", ladder_with_depth), // 3 {20, 400, 8902}
    form(Proven, "the depths, and then their counts", parallel),  // [1, 2], [20, 400]
    form(Told, "a depth, its count, and numbers that are left out", rows), // 1 20 0 0
    form(Proven, "a count and its depth", |n| pairs(n, 1)),       // 20 1
];

/// Reads named depths, each before its count in this order of the numbers.
fn labelled<'n>(numbers: impl Iterator<Item = &'n Number>) -> Option<Counts<'n>> {
    let mut counts = Counts::default();
    let mut depth = None;
    for number in numbers {
        match (number.label, depth.take()) {
            (Label::Depth, before) => {
                counts.dangling += usize::from(before.is_some());
                depth = Some(number.value?);
            }
            (_, Some(depth)) => counts.known.push((depth, number)),
            (_, None) => counts.unused = counts.unused.or(Some(number)),
        }
    }
    counts.dangling += usize::from(depth.is_some());
    (counts.known.len() + counts.dangling > 0).then_some(counts)
}

fn from_zero(numbers: &[Number]) -> Option<Counts<'_>> {
    let mut counts = labelled(numbers.iter())?;
    counts.known.iter_mut().for_each(|(depth, _)| *depth += 1);
    Some(counts)
}

fn ladder(first: u128, numbers: &[Number]) -> Counts<'_> {
    Counts { known: (first..).zip(numbers).collect(), ..Counts::default() }
}

fn ladder_from_zero(numbers: &[Number]) -> Option<Counts<'_>> {
    // In `D1 20 401`, 1 is a depth.
    let is_count = |number: &Number| number.label != Label::Depth;
    (numbers.len() > 1 && numbers[0].value == Some(1) && numbers.iter().all(is_count))
        .then(|| ladder(0, numbers))
}

fn ladder_with_depth(numbers: &[Number]) -> Option<Counts<'_>> {
    let is_depth = |number: &Number| number.value == Some(numbers.len() as u128 - 1);
    match numbers {
        [depth, counts @ ..] if is_depth(depth) => Some(ladder(1, counts)),
        [counts @ .., depth] if is_depth(depth) => Some(ladder(1, counts)),
        _ => None,
    }
}

/// Reads pairs whose depths have this index.
fn pairs(numbers: &[Number], depth: usize) -> Option<Counts<'_>> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    rest.is_empty().then(|| ascending(pairs.iter().map(|pair| (&pair[depth], &pair[1 - depth]))))?
}

fn parallel(numbers: &[Number]) -> Option<Counts<'_>> {
    let (depths, counts) = numbers.split_at(numbers.len() / 2);
    (depths.len() == counts.len()).then(|| ascending(depths.iter().zip(counts)))?
}

fn rows(numbers: &[Number]) -> Option<Counts<'_>> {
    // Nothing that can be a depth or a count of its own is left out.
    let is_row = |row: &[Number]| match row {
        [depth, count, others @ ..] => {
            others.iter().all(|other| other.label != Label::Depth && other.value <= count.value)
                && (others.len() < 2 || others[0].value != depth.value.map(|depth| depth + 1))
        }
        _ => false,
    };
    let rows = || numbers.chunk_by(|one, other| one.line == other.line);
    rows().all(is_row).then(|| ascending(rows().map(|row| (&row[0], &row[1]))))?
}

fn ascending<'n>(pairs: impl Iterator<Item = (&'n Number, &'n Number)>) -> Option<Counts<'n>> {
    let known = pairs.map(|(depth, count)| Some((depth.value?, count))).collect::<Option<Vec<_>>>()?;
    let are_depths = known.is_sorted_by(|(one, _), (other, _)| one < other)
        && known.iter().all(|(depth, _)| *depth <= MAX_DEPTH.into());
    are_depths.then(|| Counts { known, ..Counts::default() })
}
