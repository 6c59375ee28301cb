//! The suites that are part of the program: the files of `positions/`.

use std::sync::LazyLock;

use super::{Case, Suite};

/// A suite that is built in.
#[derive(Debug)]
pub struct BuiltIn {
    /// The name by which a user asks for it.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The file as it stands in `positions/`.
    pub text: &'static str,
    suite: LazyLock<Suite>,
}

macro_rules! built_in {
    ($name:literal, $about:literal) => {
        BuiltIn {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../positions/", $name, ".epd")),
            suite: LazyLock::new(|| {
                Suite::from_epd($name, include_str!(concat!("../../positions/", $name, ".epd")))
                    .expect("the built-in suites are read in a test")
            }),
        }
    };
}

static SUITES: [BuiltIn; 3] = [
    built_in!("named", "positions that everybody knows by name, to the deepest depths known"),
    built_in!("standard", "standard chess: a trap a line"),
    built_in!("chess960", "Chess960: castling from anywhere, a trap a line"),
];

/// Lines that must be refused, each with the reason: what a reader of FEN is tested with.
pub const INVALID: &str = include_str!("../../positions/invalid.epd");

impl BuiltIn {
    /// Its cases.
    ///
    /// # Panics
    /// Never: a test reads every file.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }
}

/// All built-in suites.
pub fn suites() -> &'static [BuiltIn] {
    &SUITES
}

/// The built-in suite of this name.
pub fn suite(name: &str) -> Option<&'static BuiltIn> {
    SUITES.iter().find(|built_in| built_in.name == name)
}

/// The named positions.
pub fn named() -> &'static Suite {
    SUITES[0].suite()
}

/// The position that goes by this name; upper case or lower does not matter.
///
/// # Examples
/// ```
/// use perft_core::suite::builtin::position;
/// assert_eq!(position("Kiwipete").unwrap().expected[0].nodes, 48);
/// assert_eq!(position("startpos").unwrap().name(), "start");
/// assert!(position("nowhere").is_none());
/// ```
pub fn position(name: &str) -> Option<&'static Case> {
    let name = name.to_lowercase();
    let name = if name == "startpos" { "start" } else { &name };
    named().cases.iter().find(|case| case.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use std::collections::HashSet;

    #[test]
    fn every_case_has_a_name_of_its_own_and_says_what_it_is_for() {
        let mut names = HashSet::new();
        for built_in in suites() {
            for case in &built_in.suite().cases {
                assert!(case.id.is_some() && names.insert(case.name()), "{}", case.fen);
                assert!(case.family().is_some(), "{}", case.name());
            }
        }
    }

    #[test]
    fn invalid_lines_are_refused_for_every_reason_given() {
        let lines: Vec<&str> = INVALID.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() > 40);
        for line in lines {
            let (fen, reasons) = line.split_once(" ;c0 \"").expect("every line gives its reasons");
            let error = Position::from_fen(fen).expect_err(fen);
            let found: Vec<String> = error.faults.iter().map(|fault| fault.kind.to_string()).collect();
            assert_eq!(found.join(" + "), reasons.trim_end_matches('"'), "{fen}");
        }
    }

    #[test]
    fn depths_are_without_gaps_and_deep_enough() {
        for built_in in suites() {
            for case in &built_in.suite().cases {
                let depths: Vec<u32> = case.expected.iter().map(|known| known.depth).collect();
                assert!(depths.len() >= 4, "{}", case.name());
                assert_eq!(depths, (1..=depths.len() as u32).collect::<Vec<_>>(), "{}", case.name());
            }
        }
    }
}
