//! What a text that somebody pastes has beside the counts that are read.

use perft_core::internals::grouped;

/// What a text has beside the counts of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextFacts {
    /// The name of the column that was read, if the text has several columns of counts.
    pub column: Option<String>,
    /// The other columns of counts, and totals that stand beside the one that was read.
    pub others: Vec<OtherCounts>,
    /// The number of columns that are not counts of this depth.
    pub left_out: usize,
    /// The lines below the rows whose number may be a total, although no known word says so.
    pub unclear: Vec<String>,
    /// The numbers of a text without rows of which no word says what they are.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub numbers: Vec<i128>,
    /// Whether the total is the only number of its size, and no word says that it is one.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_unnamed: bool,
}

/// The sentence about a total that no word names.
const UNNAMED: &str = "no word says what this number is: it is about as large as the right one";

impl TextFacts {
    /// Returns sentences about what the text has beside the counts that were read, without a full stop.
    pub fn sentences(&self) -> Vec<String> {
        let compared = self.column.iter().map(|name| format!("the counts of \"{name}\" are compared"));
        let others = self.others.iter().map(|OtherCounts { name, wrong, missing, counts, total }| {
            let lacks = match missing {
                0 => String::new(),
                1 => " and lacks 1 move".to_owned(),
                missing => format!(" and lacks {missing} moves"),
            };
            let total = total.map(|nodes| format!(" {}", signed(nodes))).unwrap_or_default();
            let name = if name.is_empty() { "the other number".to_owned() } else { format!("\"{name}\"") };
            let name = name + &total;
            match (wrong, counts) {
                (0, 1) => format!("{name} is right{lacks}"),
                (_, 1) => format!("{name} is wrong{lacks}"),
                (0, rows) => format!("{name} is right in all {rows} rows{lacks}"),
                (wrong, rows) => format!("{name} is wrong in {wrong} of {rows} rows{lacks}"),
            }
        });
        let left_out = match self.left_out {
            0 => None,
            1 => Some("1 column of other numbers is not compared".to_owned()),
            columns => Some(format!("{columns} columns of other numbers are not compared")),
        };
        let unclear = self.unclear.iter().map(|line| format!("the number in \"{line}\" is not compared"));
        let unnamed = self.is_unnamed.then(|| UNNAMED.to_owned());
        compared.chain(others).chain(left_out).chain(unclear).chain(unnamed).collect()
    }
}

/// Returns a total with a comma after every three digits.
pub(crate) fn signed(total: i128) -> String {
    let sign = if total < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(total.unsigned_abs()))
}

/// Counts of a text beside those that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OtherCounts {
    /// The name of the column or of the total.
    pub name: String,
    /// The number of counts that are not right.
    pub wrong: usize,
    /// The number of legal moves that are not among them.
    pub missing: usize,
    /// The number of counts.
    pub counts: usize,
    /// The count, if it is a total.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub total: Option<i128>,
}

impl OtherCounts {
    /// Returns a total that stands beside another one, compared with the right count.
    pub fn of_total(name: String, nodes: i128, right: u128) -> OtherCounts {
        let wrong = usize::from(u128::try_from(nodes) != Ok(right));
        OtherCounts { name, wrong, missing: 0, counts: 1, total: Some(nodes) }
    }
}
