//! The report of `perft diagnose`: the mistakes that explain wrong numbers.

use perft_diagnosis::{Diagnosis, TellingCount, Told, Tried};
use serde::Serialize;

use crate::commands::hunt::report::CauseReport;
use crate::output::{Header, PositionInfo, Provenance};

/// The result of a diagnosis.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnoseReport {
    /// How the right numbers were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The given numbers.
    pub counts: Vec<NumberReport>,
    /// The mistakes that give all of the numbers. If there are several, it is not known which one is right.
    pub causes: Vec<CauseReport>,
    /// The number of narrower forms of the causes, such as for one side only, that give all of the numbers, too.
    pub narrower: usize,
    /// Whether nothing interrupted the command.
    pub complete: bool,
    /// Counts that distinguish the causes.
    pub telling: Vec<TellingReport>,
    /// The time in seconds.
    pub seconds: f64,
}

/// A given number.
#[derive(Clone, Debug, Serialize)]
pub struct NumberReport {
    /// The position, with the name or the FEN by which it was given as its name.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The given number, or the total of a divide.
    pub found: i128,
    /// The right number.
    pub expected: u128,
    /// Whether the given number is right. For a divide, the counts below the moves must be right, too.
    pub right: bool,
    /// The number of models that were compared with it. Other numbers had ruled out the others.
    pub models_tried: usize,
    /// Whether models of broken rules were among them. They are not tried if the right number is too large.
    pub rules_tried: bool,
}

/// The mistakes that are tried.
#[derive(Clone, Debug, Serialize)]
pub struct CatalogueReport {
    /// The program that wrote the list, and when.
    #[serde(flatten)]
    pub header: Header,
    /// The mistakes, by topic.
    pub mistakes: Vec<CauseReport>,
    /// The number of models: the mistakes, and mistakes like them in a part of the moves or of the program only.
    pub models: usize,
}

/// A count that distinguishes causes.
#[derive(Clone, Debug, Serialize)]
pub struct TellingReport {
    /// The position, with its name if it is in the built-in suites.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The right number.
    pub expected: u128,
    /// The number that a program with each cause gives, if it is known.
    pub predicted: Vec<Option<i128>>,
}

impl DiagnoseReport {
    /// Makes a report. `names` contains the position of each number as the user wrote it. `seconds` is the time that
    /// was used.
    pub fn new(provenance: Provenance, names: &[String], found: &Diagnosis, seconds: f64) -> DiagnoseReport {
        let numbers = names.iter().zip(&found.answers).zip(&found.tried);
        DiagnoseReport {
            provenance,
            counts: numbers.map(|((name, told), tried)| NumberReport::new(name, told, *tried)).collect(),
            causes: found.causes.iter().copied().map(CauseReport::from).collect(),
            narrower: found.narrower,
            complete: found.is_complete,
            telling: found.telling.iter().map(TellingReport::new).collect(),
            seconds,
        }
    }

    /// Whether all given numbers are right.
    pub fn is_right(&self) -> bool {
        self.counts.iter().all(|number| number.right)
    }
}

impl NumberReport {
    fn new(name: &str, told: &Told, tried: Tried) -> NumberReport {
        NumberReport {
            position: PositionInfo::named(name, told.position()),
            depth: told.depth,
            found: told.theirs,
            expected: told.difference.ours,
            right: told.is_right(),
            models_tried: tried.models,
            rules_tried: tried.with_rules,
        }
    }
}

impl TellingReport {
    fn new(telling: &TellingCount) -> TellingReport {
        let told = &telling.question;
        TellingReport {
            position: PositionInfo { name: Some(telling.name.to_owned()), ..PositionInfo::end(&told.path) },
            depth: told.depth,
            expected: told.difference.ours,
            predicted: telling.totals.clone(),
        }
    }
}
