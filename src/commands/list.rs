//! `perft list`: what is built in, and what `perft.toml` adds.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{io, slice};

use clap::Subcommand;
use perft_core::suite::{Case, KnownCount, builtin, named as named_suite};
use perft_lab::generators::Generator;
use serde::Serialize;
use serde_json::{Value, json};

use crate::engine::{Dialect, EngineSpec};
use crate::input::{Engines, unknown_name};
use crate::output::environment::header;
use crate::output::safe::escape_json;
use crate::output::{CliError, Format, Header, JsonArgs, Nodes, PositionInfo, bold, folded, grouped};
use crate::system::command_line;

/// A list as JSON.
#[derive(Debug, Serialize)]
struct List<T> {
    report: &'static str,
    #[serde(flatten)]
    header: Header,
    #[serde(flatten)]
    content: T,
}

fn print<T: Serialize>(
    report: &'static str,
    (content, text): (T, String),
    output: JsonArgs,
    out: &mut impl Write,
) -> Result<(), CliError> {
    if output.format() == Format::Json {
        let list = List { report, header: header(), content };
        writeln!(out, "{}", escape_json(&serde_json::to_string_pretty(&list).map_err(io::Error::from)?))?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

#[derive(Debug, Subcommand)]
pub enum ListCommand {
    /// List the built-in positions and suites, or show one
    Positions {
        /// A position to show with its known counts, a suite to print as EPD, or "invalid" to print lines that every FEN
        /// parser should reject
        #[arg(value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        output: JsonArgs,
    },
    /// List the ways to ask an engine, and the engines of perft.toml
    Engines {
        /// Show the engines of this file instead of those of perft.toml in the current folder
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        #[command(flatten)]
        output: JsonArgs,
    },
    /// List the built-in move generators
    Generators(JsonArgs),
}

pub fn run(command: ListCommand, out: &mut impl Write) -> Result<(), CliError> {
    match command {
        ListCommand::Positions { name, output } => {
            print("positions", positions(name.as_deref(), output.format())?, output, out)
        }
        ListCommand::Engines { config, output } => print("engines", engines(config.as_deref())?, output, out),
        ListCommand::Generators(output) => print("generators", generators(), output, out),
    }
}

fn generators() -> (Value, String) {
    let mut text = String::new();
    let mut generators: Vec<Value> = Vec::new();
    for generator in Generator::ALL {
        let (name, about, source) = (generator.name(), generator.about(), generator.source());
        generators.push(json!({ "name": name, "about": about, "source": source }));
        let _ = writeln!(text, "{}  {about:<45}  {source}", bold(&format!("{name:<12}")));
    }
    text += "\nThe sources are pages of the Chess Programming Wiki.\n\
             '--generator NAME' counts with one; 'perft bench --generators all' times all.\n";
    (json!({ "generators": generators }), text)
}

fn engines(config: Option<&Path>) -> Result<(Value, String), CliError> {
    let engines = Engines::load(config)?;
    let mut text = format!("{}, in the order in which they are tried:\n", bold("Dialects"));
    let mut dialects: Vec<Value> = Vec::new();
    for Dialect { name, about, asking } in Dialect::all() {
        dialects.push(json!({
            "name": name,
            "about": about,
            "handshake": asking.handshake,
            "ask": asking.lines,
            "arguments": asking.arguments,
        }));
        let _ = writeln!(text, "  {}\n      {}", bold(name), folded(about, 6));
    }
    text += &match engines.specs().next() {
        None => "\nNo engines in perft.toml; 'perft probe --save' adds one.\n".to_owned(),
        Some(_) => format!("\n{} of {}:\n", bold("Engines"), engines.path.display()),
    };
    let engine = |(name, spec): (&str, &EngineSpec)| {
        let command = command_line::join(&spec.command);
        let _ = writeln!(text, "  {name:<16} {command} ({})", spec.dialect);
        json!({ "name": name, "command": command, "dialect": spec.dialect })
    };
    let engines: Vec<Value> = engines.specs().map(engine).collect();
    Ok((json!({ "dialects": dialects, "engines": engines }), text))
}

/// Lists the named positions and all suites, one suite with its positions, or one position.
fn positions(name: Option<&str>, format: Format) -> Result<(Positions, String), CliError> {
    let (cases, suites, text) = match name.map(|name| (builtin::suite(name), find_case(name))) {
        None => (named_suite().cases.as_slice(), builtin::suites().iter().collect(), all()),
        Some((Some(suite), _)) => (suite.suite().cases.as_slice(), vec![suite], suite.text.to_owned()),
        Some((None, Some(case))) => (slice::from_ref(case), Vec::new(), show(case)),
        Some(_) if name == Some("invalid") && format == Format::Json => {
            let message = "the lines of 'invalid' are no positions, so there is no JSON of them";
            return Err(CliError::usage(message).help("leave out --json"));
        }
        Some(_) if name == Some("invalid") => (&[] as &[Case], Vec::new(), builtin::INVALID.to_owned()),
        Some(_) => {
            return Err(unknown_name(name.unwrap_or_default(), "neither a position nor a suite", &[]));
        }
    };
    let count = |known: &KnownCount| ListedCount { depth: known.depth, nodes: Nodes(known.nodes) };
    let cases = cases.iter().map(|case| ListedCase {
        position: PositionInfo::named(case.name(), &case.position),
        comment: case.comment.as_deref(),
        counts: case.expected.iter().map(count).collect(),
    });
    let suites = suites.iter().map(|suite| {
        let positions = suite.suite().cases.len();
        json!({ "name": suite.name, "about": suite.about, "positions": positions })
    });
    Ok((Positions { cases: cases.collect(), suites: suites.collect() }, text))
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

#[derive(Debug, Serialize)]
struct Positions {
    cases: Vec<ListedCase>,
    suites: Vec<Value>,
}

#[derive(Debug, Serialize)]
struct ListedCase {
    position: PositionInfo,
    /// The kind of bug that the position catches.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'static str>,
    counts: Vec<ListedCount>,
}

#[derive(Debug, Serialize)]
struct ListedCount {
    depth: u32,
    #[serde(flatten)]
    nodes: Nodes,
}
