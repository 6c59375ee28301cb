//! The profile of an engine in `perft.toml`.

use std::fmt;

use perft_diagnosis::source::{End, Patterns, Profile, Spelling, Times};
use serde::{Deserialize, Serialize};

/// How an engine prints its answers, as `perft probe --save` writes it.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProfileTable {
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<String>,
    /// The index of the number that is the depth, beside the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    moves: Vec<String>,
    /// The sign between groups of three digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    digits: Option<char>,
    /// Whether moves are in standard algebraic notation.
    #[serde(skip_serializing_if = "is_false")]
    algebraic: bool,
    /// Whether a list of moves for each depth is printed.
    #[serde(skip_serializing_if = "is_false")]
    repeats: bool,
    /// The words of a refusal that are also in right answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    harmless: Vec<String>,
    end: EndTable,
}

/// The end of an answer.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum EndTable {
    #[default]
    Ready,
    /// The number of lines with a total, or 0 for one for each depth, and of the lines behind it.
    Total(usize, usize),
    Silence,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl fmt::Display for ProfileTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = toml::Value::try_from(self).map_err(|_| fmt::Error)?;
        write!(f, "{value}")
    }
}

impl From<&Profile> for ProfileTable {
    fn from(profile: &Profile) -> ProfileTable {
        ProfileTable {
            total: profile.total.clone(),
            depth: profile.depth,
            moves: profile.moves.clone(),
            digits: profile.spelling.grouping,
            algebraic: profile.spelling.is_algebraic,
            repeats: profile.repeats,
            harmless: profile.harmless.clone(),
            end: match profile.end {
                End::Ready => EndTable::Ready,
                End::Total { times: Times::Always(times), more } => EndTable::Total(times, more),
                End::Total { times: Times::EachDepth, more } => EndTable::Total(0, more),
                End::Silence => EndTable::Silence,
            },
        }
    }
}

impl ProfileTable {
    /// Returns the profile with what the user has said about the places.
    pub fn with(self, patterns: Patterns) -> Profile {
        Profile {
            total: self.total,
            depth: self.depth,
            moves: self.moves,
            spelling: Spelling { grouping: self.digits, is_algebraic: self.algebraic },
            repeats: self.repeats,
            harmless: self.harmless,
            end: match self.end {
                EndTable::Ready => End::Ready,
                EndTable::Total(0, more) => End::Total { times: Times::EachDepth, more },
                EndTable::Total(times, more) => End::Total { times: Times::Always(times), more },
                EndTable::Silence => End::Silence,
            },
            patterns,
        }
    }
}
