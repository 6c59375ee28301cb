//! Sets of work units, such as `1-17,20,25-400`.

use std::fmt;
use std::str::FromStr;

/// A set of work units. Its text form is a list of ascending numbers and ranges: `1-17,20,25-400`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    pub fn len(&self) -> u32 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the unit with the greatest number.
    pub fn last(&self) -> Option<u32> {
        self.0.last().map(|&(_, last)| last)
    }

    /// Returns the units in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// Collects ascending numbers.
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

impl FromStr for Ranges {
    type Err = String;

    fn from_str(text: &str) -> Result<Ranges, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = (first.parse().ok()?, last.parse().ok()?);
            (0 < range.0 && range.0 <= range.1).then_some(range)
        };
        let ranges: Option<Vec<(u32, u32)>> = text.split(',').map(range).collect();
        let ranges = ranges.filter(|ranges| ranges.is_sorted_by(|a, b| a.1 < b.0));
        ranges.map(Ranges).ok_or_else(|| {
            format!(
                "'{text}' is not a list of units; use ascending numbers and ranges such as 1-17,20,25-400"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_written_and_parsed() {
        let ranges: Ranges = [1, 2, 3, 7, 9, 10].into_iter().collect();
        assert_eq!(ranges.to_string(), "1-3,7,9-10");
        assert_eq!(ranges.len(), 6);
        assert_eq!("1-3,7,9-10".parse(), Ok(ranges));
        for wrong in ["", "0", "3-1", "2,1", "1-3,3", "x"] {
            assert!(wrong.parse::<Ranges>().is_err(), "{wrong}");
        }
    }
}
