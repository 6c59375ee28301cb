//! `perft list positions`: lists the built-in positions and suites.

use std::io::{self, Write};
use std::process::ExitCode;
use std::slice;

use clap::Args;
use perft_core::suite::builtin::{self, BuiltIn};
use perft_core::suite::{Case, KnownCount, named as named_suite};
use serde::Serialize;

use crate::input::games::unknown_name;
use crate::output::error::CliError;
use crate::output::{
    Format, Header, JsonArgs, Nodes, PositionInfo, Report, emit, environment, folded, grouped,
};

const EXAMPLES: &str = "\
Examples:
  perft list positions                      list all names
  perft list positions kiwipete             show a position and its known counts
  perft list positions standard > my.epd    print a suite as EPD";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct PositionsArgs {
    /// A position to show with its known counts, a suite to print as EPD, or "invalid" to print lines that every FEN
    /// parser should reject
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    output: JsonArgs,
}

/// The suite or the position with a name.
#[derive(Clone, Copy, Debug)]
enum Named {
    Suite(&'static BuiltIn),
    Case(&'static Case),
}

/// Runs the command.
pub fn run(args: PositionsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.name.as_deref() {
        Some("invalid") if args.output.format() == Format::Json => {
            return Err(CliError::usage(
                "the lines of 'invalid' are no positions, so there is no JSON of them",
            )
            .help("leave out --json"));
        }
        Some("invalid") => write!(out, "{}", builtin::INVALID)?,
        name => emit(&report(name.map(named_by).transpose()?), args.output.format(), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the suite or the position of a name.
fn named_by(name: &str) -> Result<Named, CliError> {
    let suite = builtin::suite(name).map(Named::Suite);
    suite
        .or_else(|| find_case(name).map(Named::Case))
        .ok_or_else(|| unknown_name(name, &["the name of a position", "a suite"]))
}

/// Returns a report of the named positions and all suites, of one suite with its positions, or of one position.
fn report(named: Option<Named>) -> PositionsReport {
    let (cases, suites) = match named {
        None => (named_suite().cases.as_slice(), builtin::suites().to_vec()),
        Some(Named::Suite(suite)) => (suite.suite().cases.as_slice(), vec![suite]),
        Some(Named::Case(case)) => (slice::from_ref(case), Vec::new()),
    };
    PositionsReport {
        header: environment::header(),
        cases: cases.iter().map(CaseReport::new).collect(),
        suites: suites.into_iter().map(BuiltInReport::new).collect(),
        named,
    }
}

fn find_case(name: &str) -> Option<&'static Case> {
    let all = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    builtin::position(name).or_else(|| all.into_iter().find(|case| case.name() == name))
}

fn list(suites: &[BuiltInReport], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "Positions, as in perft NAME DEPTH:")?;
    for case in &named_suite().cases {
        let depth = case.expected.last().map_or(0, |known| known.depth);
        writeln!(out, "  {:<12} known to depth {depth:>2}\n    {}", case.name(), case.fen)?;
    }
    writeln!(out, "\nSuites, for perft suite NAME:")?;
    for BuiltInReport { name, about, positions } in suites {
        let line = format!("  {name:<12} {positions:>3} positions: {about}");
        writeln!(out, "{}", folded(&line, 30))?;
    }
    writeln!(out, "\n'perft list positions NAME' shows a position or prints a suite as EPD.")
}

fn show(case: &Case, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}\n{}", case.name(), folded(case.comment.as_deref().unwrap_or(""), 0))?;
    writeln!(out, "\n{}\n{}\n", case.position.diagram(), case.fen)?;
    for known in &case.expected {
        writeln!(out, "perft({:2})= {:>33}", known.depth, grouped(known.nodes))?;
    }
    Ok(())
}

/// Some or all of the built-in positions and suites.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionsReport {
    /// Who wrote the report.
    #[serde(flatten)]
    pub header: Header,
    /// The positions.
    pub cases: Vec<CaseReport>,
    /// The suites.
    pub suites: Vec<BuiltInReport>,
    /// The suite or the position that was asked for.
    #[serde(skip)]
    named: Option<Named>,
}

/// A position with its known counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CaseReport {
    /// The position.
    pub position: PositionInfo,
    /// The kind of bug that the position catches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The known counts, by depth.
    pub counts: Vec<KnownCountReport>,
}

/// A known count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KnownCountReport {
    /// The depth in plies.
    pub depth: u32,
    /// The leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
}

/// A built-in suite.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltInReport {
    /// The name.
    pub name: &'static str,
    /// The purpose of the suite.
    pub about: &'static str,
    /// The number of its positions.
    pub positions: usize,
}

impl Report for PositionsReport {
    const NAME: &'static str = "positions";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        match self.named {
            None => list(&self.suites, out),
            Some(Named::Suite(suite)) => write!(out, "{}", suite.text),
            Some(Named::Case(case)) => show(case, out),
        }
    }
}

impl CaseReport {
    /// Describes a case.
    pub fn new(case: &Case) -> CaseReport {
        let count = |known: &KnownCount| KnownCountReport { depth: known.depth, nodes: Nodes(known.nodes) };
        CaseReport {
            position: PositionInfo::named(case.name(), &case.position),
            comment: case.comment.clone(),
            counts: case.expected.iter().map(count).collect(),
        }
    }
}

impl BuiltInReport {
    /// Describes a suite.
    pub fn new(built_in: &BuiltIn) -> BuiltInReport {
        let &BuiltIn { name, about, .. } = built_in;
        BuiltInReport { name, about, positions: built_in.suite().cases.len() }
    }
}
