//! What the leaf nodes are, by depth.

use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde::Serialize;

use super::{Context, Nodes, PositionInfo, grouped, markdown_table};
use perft_core::LeafStatistics;

/// The statistics of several depths.
#[derive(Clone, Debug, Serialize)]
pub struct StatisticsReport {
    /// How they were found.
    #[serde(flatten)]
    pub context: Context,
    /// The root of the trees.
    pub position: PositionInfo,
    /// An entry a depth.
    pub results: Vec<DepthStatistics>,
}

/// The statistics of one depth. All numbers but `nodes` are at most that; see [`LeafStatistics`] for what they mean.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct DepthStatistics {
    pub depth: u32,
    #[serde(flatten)]
    nodes_field: Nodes,
    captures: u128,
    en_passant: u128,
    castles: u128,
    promotions: u128,
    checks: u128,
    direct_checks: u128,
    discovered_checks: u128,
    direct_and_discovered_checks: u128,
    double_discovered_checks: u128,
    checkmates: u128,
    stalemates: u128,
    /// The time that the depth took.
    pub seconds: f64,
    #[serde(skip)]
    nodes: u128,
}

/// What a column of a table is called, for programs, and how it is called for people.
const KINDS: [(&str, &str); 12] = [
    ("nodes", "nodes"),
    ("captures", "captures"),
    ("en_passant", "en passant"),
    ("castles", "castles"),
    ("promotions", "promotions"),
    ("checks", "checks"),
    ("direct_checks", "  direct"),
    ("discovered_checks", "  discovered"),
    ("direct_and_discovered_checks", "  direct and discovered"),
    ("double_discovered_checks", "  double discovered"),
    ("checkmates", "checkmates"),
    ("stalemates", "stalemates"),
];

impl DepthStatistics {
    /// A depth and the time that it took.
    pub fn new(depth: u32, found: &LeafStatistics, elapsed: Duration) -> DepthStatistics {
        DepthStatistics {
            depth,
            nodes_field: found.nodes.into(),
            captures: found.captures,
            en_passant: found.en_passant,
            castles: found.castles,
            promotions: found.promotions,
            checks: found.checks(),
            direct_checks: found.direct_checks,
            discovered_checks: found.discovered_checks,
            direct_and_discovered_checks: found.direct_and_discovered_checks,
            double_discovered_checks: found.double_discovered_checks,
            checkmates: found.checkmates,
            stalemates: found.stalemates,
            seconds: elapsed.as_secs_f64(),
            nodes: found.nodes,
        }
    }

    /// The numbers, in the order of [`KINDS`].
    fn numbers(&self) -> [u128; KINDS.len()] {
        [
            self.nodes,
            self.captures,
            self.en_passant,
            self.castles,
            self.promotions,
            self.checks,
            self.direct_checks,
            self.discovered_checks,
            self.direct_and_discovered_checks,
            self.double_discovered_checks,
            self.checkmates,
            self.stalemates,
        ]
    }
}

impl StatisticsReport {
    /// A column a depth, a row a kind; grouped, the numbers are for people.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_text(&self, is_grouped: bool, out: &mut impl Write) -> io::Result<()> {
        let text = |number: u128| if is_grouped { grouped(number) } else { number.to_string() };
        let mut table = Table::new();
        let depths = self.results.iter().map(|result| result.depth.to_string());
        table.load_style(NOTHING).add_row(["depth".to_owned()].into_iter().chain(depths));
        for (index, (_, name)) in KINDS.iter().enumerate() {
            let numbers = self.results.iter().map(|result| text(result.numbers()[index]));
            table.add_row([(*name).to_owned()].into_iter().chain(numbers));
        }
        let seconds = self.results.iter().map(|result| format!("{:.3}", result.seconds));
        table.add_row(["seconds".to_owned()].into_iter().chain(seconds));
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(out, "{}", table.trim_fmt())
    }

    /// Comma-separated values with a header.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        let kinds = KINDS.iter().map(|(name, _)| *name);
        csv.write_record(["depth"].into_iter().chain(kinds).chain(["seconds"]))?;
        for result in &self.results {
            let numbers = result.numbers().map(|number| number.to_string());
            let (depth, seconds) = (result.depth.to_string(), format!("{:.6}", result.seconds));
            csv.write_record([depth].into_iter().chain(numbers).chain([seconds]))?;
        }
        csv.flush()
    }

    /// A Markdown table, a row a depth.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let header: Vec<&str> = ["depth"].into_iter().chain(KINDS.map(|(_, name)| name.trim())).collect();
        let rows = self.results.iter().map(|result| {
            let numbers = result.numbers().map(grouped);
            [result.depth.to_string()].into_iter().chain(numbers).collect()
        });
        writeln!(out, "{}", markdown_table(&header, rows))
    }
}
