//! Numbers of leaf nodes and their kinds, speeds and times, for programs and for people.

use std::io::{IsTerminal, stdout};

use perft_core::internals::grouped;
use perft_count::{LeafKind, LeafStatistics};
use serde::{Serialize, Serializer};

/// A Julian year in seconds.
pub const SECONDS_PER_YEAR: u32 = 31_557_600;

/// A node count. In JSON it is the field `nodes`, and also `nodes_text` beyond 2^53, where many readers round integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "NodesFields")]
pub struct Nodes(pub u128);

/// The fields of a node count.
#[derive(Serialize)]
struct NodesFields {
    nodes: u128,
    /// The same number as text, if it is above 2^53.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes_text: Option<String>,
}

impl From<Nodes> for NodesFields {
    fn from(Nodes(nodes): Nodes) -> NodesFields {
        /// The largest count that every JSON reader reads exactly.
        const MAX_PORTABLE: u128 = 1 << 53;
        NodesFields { nodes, nodes_text: (nodes > MAX_PORTABLE).then(|| nodes.to_string()) }
    }
}

/// A number of leaf nodes, and the number of each kind of them if they were counted too.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Leaves {
    #[serde(flatten)]
    pub nodes: Nodes,
    #[serde(flatten)]
    pub kinds: Option<Kinds>,
}

/// Leaf nodes, which are written with one field per kind.
#[derive(Clone, Copy, Debug)]
pub struct Kinds(pub LeafStatistics);

impl Serialize for Kinds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(LeafKind::ALL.iter().map(|kind| (kind.name, (kind.count)(&self.0))))
    }
}

impl From<u128> for Leaves {
    fn from(nodes: u128) -> Leaves {
        Leaves { nodes: Nodes(nodes), kinds: None }
    }
}

impl From<LeafStatistics> for Leaves {
    fn from(leaves: LeafStatistics) -> Leaves {
        Leaves { nodes: Nodes(leaves.nodes), kinds: Some(Kinds(leaves)) }
    }
}

impl Leaves {
    /// Returns the number, and the numbers of the kinds if they were counted.
    pub fn cells(&self, digits: Digits) -> Vec<String> {
        let kinds = self.kinds.iter();
        let kinds = kinds.flat_map(|Kinds(leaves)| LeafKind::ALL.iter().map(|kind| (kind.count)(leaves)));
        [self.nodes.0].into_iter().chain(kinds).map(|number| digits.count(number)).collect()
    }
}

/// Returns the names of the kinds as headings of columns.
pub fn kind_names(digits: Digits) -> impl Iterator<Item = String> {
    LeafKind::ALL.iter().map(move |kind| match digits {
        Digits::Plain => kind.name.to_owned(),
        Digits::Grouped => kind.name.replace('_', " "),
    })
}

/// How the numbers of a result are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// For programs: plain digits, and times to the microsecond.
    Plain,
    /// For people: digits grouped by three, and times to the millisecond.
    Grouped,
}

impl Digits {
    /// Returns how standard output is written: for people on a terminal, otherwise for programs.
    pub fn of_output() -> Digits {
        if stdout().is_terminal() { Digits::Grouped } else { Digits::Plain }
    }

    pub fn count(self, number: impl Into<u128>) -> String {
        if self == Digits::Grouped { grouped(number.into()) } else { number.into().to_string() }
    }

    /// Returns a count aligned to the right: plain digits in 12 columns, as in qperft, or grouped ones in 16.
    pub fn in_column(self, number: impl Into<u128>) -> String {
        let width = if self == Digits::Grouped { 16 } else { 12 };
        format!("{:>width$}", self.count(number))
    }

    /// Returns a number with its sign.
    pub fn signed(self, number: i128) -> String {
        let sign = if number < 0 { "-" } else { "" };
        format!("{sign}{}", self.count(number.unsigned_abs()))
    }

    /// Returns how much larger the count that was found is than the expected one: `+8`, `-1,204`.
    pub fn difference(self, expected: u128, found: i128) -> String {
        let difference = found - expected as i128;
        let plus = if difference > 0 { "+" } else { "" };
        format!("{plus}{}", self.signed(difference))
    }

    pub fn seconds(self, seconds: f64) -> String {
        format!("{seconds:.*}", if self == Digits::Grouped { 3 } else { 6 })
    }
}

/// Returns a number of things: `1 position`, `1,204 positions`, `2 plies`.
pub fn number_of(number: impl TryInto<u128>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    let plural = match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with('s') => format!("{noun}es"),
        None => format!("{noun}s"),
    };
    format!("{} {plural}", grouped(number))
}

/// Returns the form of a verb that agrees with a number of things: `is` or `are`.
pub fn agreeing<'a>(number: impl TryInto<u128>, one: &'a str, several: &'a str) -> &'a str {
    if number.try_into().is_ok_and(|number| number == 1) { one } else { several }
}

/// Returns a speed in millions of nodes per second: `712.3 Mnps`.
pub fn mega_per_second(nodes: u128, seconds: f64) -> String {
    format!("{} Mnps", mega(per_second(nodes, seconds)))
}

/// Returns a speed in nodes per second as millions, without the unit. It has three digits or more: `0.00310`, `2.54`,
/// `712.3`.
pub fn mega(nodes_per_second: f64) -> String {
    let millions = nodes_per_second / 1e6;
    format!("{millions:.*}", decimals(millions, 3).max(1))
}

/// Returns a number with the decimals that a range of this width has with two digits, but with three to five digits. A
/// width of 0 gives four digits. `round` rounds to an integer.
pub fn rounded(number: f64, width: f64, round: fn(f64) -> f64) -> String {
    let least = decimals(number, if width > 0.0 { 3 } else { 4 });
    let places = least.max(decimals(width, 2)).min(decimals(number, 5));
    let unit = 10_f64.powi(places as i32);
    format!("{:.places$}", round((number * unit * 1e6).round() / 1e6) / unit)
}

/// Returns the number of decimals that gives a number this many significant digits; 0 for numbers that are not above 0.
fn decimals(number: f64, digits: i32) -> usize {
    let power = if number > 0.0 { number.log10().floor() as i32 } else { digits };
    usize::try_from(digits - 1 - power).unwrap_or(0)
}

/// Returns the nodes per second; 0 if the time is too short for the clock.
pub fn per_second(nodes: u128, seconds: f64) -> f64 {
    if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 }
}

/// Returns a time with four digits in a suitable unit: `1.234 s`, `56.70 ms`, `8.900 µs`.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        0.001.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "µs"),
    };
    format!("{value:.*} {unit}", decimals(value, 4))
}

/// The largest number of names in a list.
const MAX_NAMES: usize = 5;

/// Returns names as a list in words: `a, b and c`. If there are too many, only the first ones are listed, and the
/// others are counted.
pub fn join_names<N: AsRef<str>>(names: &[N]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] if names.len() <= MAX_NAMES => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and {} more", names[..MAX_NAMES].join(", "), names.len() - MAX_NAMES),
    }
}

/// Returns ascending numbers as text: `1,4-6` with the separator `,`.
pub fn ranges(numbers: impl IntoIterator<Item = u32>, separator: &str) -> String {
    let numbers: Vec<u32> = numbers.into_iter().collect();
    let parts = numbers.chunk_by(|a, b| a + 1 == *b).map(|part| match part {
        [one] => one.to_string(),
        _ => format!("{}-{}", part[0], part[part.len() - 1]),
    });
    parts.collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_53_bits_are_also_text() {
        let json = |nodes: u128| serde_json::to_string(&Nodes(nodes)).unwrap();
        assert_eq!(json(9_007_199_254_740_992), r#"{"nodes":9007199254740992}"#);
        assert_eq!(
            json(61_885_021_521_585_529_237),
            r#"{"nodes":61885021521585529237,"nodes_text":"61885021521585529237"}"#
        );
    }

    #[test]
    fn nouns_agree_with_their_number() {
        let all = [number_of(1_u32, "ply"), number_of(0_u8, "ply"), number_of(1204_usize, "position")];
        assert_eq!(all, ["1 ply", "0 plies", "1,204 positions"]);
        assert_eq!([1_u64, 2].map(|number| number_of(number, "process")), ["1 process", "2 processes"]);
        assert_eq!([1_u64, 2].map(|number| agreeing(number, "was", "were")), ["was", "were"]);
    }

    #[test]
    fn speeds_are_in_millions_of_nodes_per_second() {
        assert_eq!(mega_per_second(3_195_901_860, 4.5), "710.2 Mnps");
        assert_eq!(mega_per_second(20, 0.0), "0.0 Mnps");
        let texts = [2.190_84e9, 94.55e6, 9.996e6, 2.535e6, 310_000.0, 3100.0].map(mega);
        assert_eq!(texts, ["2190.8", "94.5", "10.00", "2.54", "0.310", "0.00310"]);
    }

    #[test]
    fn a_rounded_interval_contains_the_interval() {
        for (value, low, high, text) in [
            (1.1623, 1.141, 1.17, "1.162, 1.141 to 1.170"),
            (1.1623, 1.1618, 1.1629, "1.1623, 1.1618 to 1.1629"),
            (2140.4, 2116.4, 2150.0, "2140, 2116 to 2150"),
            (0.0079, 0.005_02, 0.0081, "0.00790, 0.00502 to 0.00810"),
            (1.0, 1.0, 1.0, "1.000, 1.000 to 1.000"),
            (0.854, 0.6, 4.0, "0.854, 0.600 to 4.00"),
            (1.032_292, 1.032_289, 1.032_297, "1.0323, 1.0322 to 1.0323"),
        ] {
            let [value, low, high] =
                [(value, f64::round as fn(f64) -> f64), (low, f64::floor), (high, f64::ceil)]
                    .map(|(number, round)| rounded(number, high - low, round));
            assert_eq!(format!("{value}, {low} to {high}"), text);
        }
    }

    #[test]
    fn times_have_four_digits_and_a_unit() {
        let texts = [1.2345, 56.78, 0.567_89, 0.005_678, 0.000_008_9].map(duration);
        assert_eq!(texts, ["1.234 s", "56.78 s", "567.9 ms", "5.678 ms", "8.900 µs"]);
    }
}
