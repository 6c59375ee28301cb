//! Sets of units, written short: `1-17,20,25-400`; and shards, every N-th unit.

use std::fmt;
use std::str::FromStr;

/// Units in ascending order, as text `1-17,20,25-400`. It can be read back.
///
/// # Examples
/// ```
/// use crate::campaign::Ranges;
/// let ranges: Ranges = [1, 2, 3, 7, 9, 10].into_iter().collect();
/// assert_eq!(ranges.to_string(), "1-3,7,9-10");
/// assert_eq!(ranges.len(), 6);
/// assert_eq!("1-3,7,9-10".parse(), Ok(ranges));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// The number of units.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// True without units.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a unit is among them.
    pub fn contains(&self, unit: u32) -> bool {
        let index = self.0.partition_point(|&(_, last)| last < unit);
        self.0.get(index).is_some_and(|&(first, _)| first <= unit)
    }

    /// The units.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// From ascending numbers.
impl FromIterator<u32> for Ranges {
    fn from_iter<I: IntoIterator<Item = u32>>(units: I) -> Ranges {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for unit in units {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == unit => *last = unit,
                _ => ranges.push((unit, unit)),
            }
        }
        Ranges(ranges)
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// A text that is no set of units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' are no units: ascending numbers and ranges such as 1-17,20,25-400")]
pub struct ParseRangesError(String);

impl FromStr for Ranges {
    type Err = ParseRangesError;

    fn from_str(text: &str) -> Result<Ranges, ParseRangesError> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = (first.parse().ok()?, last.parse().ok()?);
            (0 < range.0 && range.0 <= range.1).then_some(range)
        };
        let ranges: Option<Vec<(u32, u32)>> = text.split(',').map(range).collect();
        let ranges = ranges.filter(|ranges| ranges.is_sorted_by(|a, b| a.1 < b.0));
        ranges.map(Ranges).ok_or_else(|| ParseRangesError(text.to_owned()))
    }
}

/// One part of so many: every N-th unit, so that what is hard is spread evenly.
///
/// # Examples
/// ```
/// use crate::campaign::Shard;
/// let shard: Shard = "2/3".parse()?;
/// let units: Vec<u32> = (1..=9).filter(|&unit| shard.contains(unit)).collect();
/// assert_eq!(units, [2, 5, 8]);
/// assert!("4/3".parse::<Shard>().is_err());
/// # Ok::<(), crate::campaign::ParseShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    of: u32,
}

/// A text that is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no shard: I/N, with I from 1 to N")]
pub struct ParseShardError(String);

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// All shards of a whole that is cut into so many.
    pub fn all(of: u32) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |index| Shard { index, of })
    }

    /// True if a unit belongs to this shard.
    pub const fn contains(self, unit: u32) -> bool {
        unit % self.of == self.index % self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let parse = || {
            let (index, of) = text.split_once('/')?;
            let shard = Shard { index: index.parse().ok()?, of: of.parse().ok()? };
            (1..=shard.of).contains(&shard.index).then_some(shard)
        };
        parse().ok_or_else(|| ParseShardError(text.to_owned()))
    }
}
