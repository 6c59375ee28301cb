//! `perft list positions`: lists the built-in positions and suites.

use std::io::Write;
use std::process::ExitCode;
use std::slice;

use clap::Args;
use perft_core::suite::builtin::{self, BuiltIn};
use perft_core::suite::{Case, KnownCount, named as named_suite};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Content, List};
use crate::input::mistakes::unknown_name;
use crate::output::environment::header;
use crate::output::error::CliError;
use crate::output::{Format, JsonArgs, Nodes, PositionInfo, emit, folded, grouped};

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

pub fn run(args: PositionsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.name.as_deref() {
        Some("invalid") if args.output.format() == Format::Json => {
            return Err(CliError::usage(
                "the lines of 'invalid' are no positions, so there is no JSON of them",
            )
            .help("leave out --json"));
        }
        Some("invalid") => write!(out, "{}", builtin::INVALID)?,
        name => emit(&list(name)?, args.output.format(), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a list of the named positions and all suites, of one suite with its positions, or of one position.
fn list(name: Option<&str>) -> Result<List<Positions>, CliError> {
    let named = name.map(|name| (builtin::suite(name), find_case(name)));
    let (cases, suites, text) = match named {
        None => (named_suite().cases.as_slice(), builtin::suites().to_vec(), all()),
        Some((Some(suite), _)) => (suite.suite().cases.as_slice(), vec![suite], suite.text.to_owned()),
        Some((None, Some(case))) => (slice::from_ref(case), Vec::new(), show(case)),
        Some((None, None)) => {
            return Err(unknown_name(name.unwrap_or_default(), &["the name of a position", "a suite"]));
        }
    };
    let count = |known: &KnownCount| ListedCount { depth: known.depth, nodes: Nodes(known.nodes) };
    let case = |case: &Case| ListedCase {
        position: PositionInfo::named(case.name(), &case.position),
        comment: case.comment.clone(),
        counts: case.expected.iter().map(count).collect(),
    };
    let suite = |suite: &BuiltIn| {
        let positions = suite.suite().cases.len();
        json!({ "name": suite.name, "about": suite.about, "positions": positions })
    };
    let (cases, suites) = (cases.iter().map(case).collect(), suites.into_iter().map(suite).collect());
    Ok(List { header: header(), content: Positions { cases, suites }, text })
}

fn find_case(name: &str) -> Option<&'static Case> {
    let all = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    builtin::position(name).or_else(|| all.into_iter().find(|case| case.name() == name))
}

fn all() -> String {
    let mut text = "Positions, as in perft NAME DEPTH:\n".to_owned();
    for case in &named_suite().cases {
        let depth = case.expected.last().map_or(0, |known| known.depth);
        text += &format!("  {:<12} known to depth {depth:>2}\n    {}\n", case.name(), case.fen);
    }
    text += "\nSuites, for perft suite NAME:\n";
    for suite in builtin::suites() {
        let positions = suite.suite().cases.len();
        let line = format!("  {:<12} {positions:>3} positions: {}", suite.name, suite.about);
        text += &format!("{}\n", folded(&line, 30));
    }
    text + "\n'perft list positions NAME' shows a position or prints a suite as EPD.\n"
}

fn show(case: &Case) -> String {
    let about = folded(case.comment.as_deref().unwrap_or(""), 0);
    let mut text = format!("{}\n{about}\n\n{}\n{}\n\n", case.name(), case.position.diagram(), case.fen);
    for known in &case.expected {
        text += &format!("perft({:2})= {:>33}\n", known.depth, grouped(known.nodes));
    }
    text
}

/// Some or all of the built-in positions and suites.
#[derive(Debug, Serialize)]
struct Positions {
    cases: Vec<ListedCase>,
    suites: Vec<Value>,
}

impl Content for Positions {
    const NAME: &'static str = "positions";
}

#[derive(Debug, Serialize)]
struct ListedCase {
    position: PositionInfo,
    /// The kind of bug that the position catches.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    counts: Vec<ListedCount>,
}

#[derive(Debug, Serialize)]
struct ListedCount {
    depth: u32,
    #[serde(flatten)]
    nodes: Nodes,
}
