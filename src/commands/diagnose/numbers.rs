//! Reads the numbers to explain, with their positions.

use std::path::Path;

use perft_core::perft;
use perft_core::suite::{Suite, builtin};
use perft_count::internals::forecast;
use perft_diagnosis::Claim;

use super::DiagnoseArgs;
use crate::input::suite_reader::read_suite;
use crate::input::{games, joined, parse_depth};
use crate::output::context::Context;
use crate::output::error::CliError;

/// More leaf nodes than this are not counted.
const MAX_NODES: f64 = 1e12;

/// The depth of the shallow counts from which the size of deeper counts is forecast.
const SHALLOW: u32 = 3;

/// A number, and the name by which its position was given.
#[derive(Debug)]
pub struct Number {
    pub name: String,
    pub claim: Claim,
}

#[derive(Debug, PartialEq, Eq)]
enum Item {
    /// A number, with its depth or without.
    Count(Option<u32>, u128),
    /// An EPD line.
    Line(String),
    /// A file, or `-`.
    File(String),
    /// A FEN or a name.
    Position(String),
}

/// Reads the numbers of the arguments.
pub fn read(args: &DiagnoseArgs, context: &Context) -> Result<Vec<Number>, CliError> {
    let mut numbers = Vec::new();
    let mut name = args.fen.clone();
    let moves: Vec<String> =
        args.moves.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    let mut position = games::path(&args.fen, &moves, context)?.end;
    for text in joined(&args.numbers) {
        match item(&text)? {
            Item::Count(depth, nodes) => {
                let depth = depth.or(args.depth).ok_or_else(|| without_depth(&text))?;
                numbers.push(Number { name: name.clone(), claim: Claim { position, depth, nodes } });
            }
            Item::Line(line) => numbers.extend(of_suite(&Suite::from_epd("argument", &line)?)),
            Item::File(file) => numbers.extend(of_suite(&read_suite(&file, &context.stop)?)),
            Item::Position(text) => {
                position = games::path(&text, &[], context)?.end;
                name = text;
            }
        }
    }
    if numbers.is_empty() {
        return Err(CliError::usage("no number was given").help(
            "give the number of your program with its depth, as in 'perft diagnose kiwipete 3:97000'",
        ));
    }
    numbers.iter().try_for_each(refuse_endless)?;
    Ok(numbers)
}

/// Refuses a depth at which counting the right number would take too long.
fn refuse_endless(number: &Number) -> Result<(), CliError> {
    let Claim { position, depth, .. } = number.claim;
    let counts: Vec<u128> = (0..=depth.min(SHALLOW)).map(|depth| perft(&position, depth)).collect();
    let nodes = forecast(&counts, depth);
    if nodes <= MAX_NODES {
        return Ok(());
    }
    Err(CliError::usage(format!("depth {depth} has about {nodes:.0e} leaf nodes, too many to count"))
        .help("give the number of a smaller depth"))
}

fn of_suite(suite: &Suite) -> impl Iterator<Item = Number> {
    suite.cases.iter().flat_map(|case| {
        let claim = |depth, nodes| Claim { position: case.position, depth, nodes };
        case.expected
            .iter()
            .map(move |known| Number { name: case.name().to_owned(), claim: claim(known.depth, known.nodes) })
    })
}

fn without_depth(text: &str) -> CliError {
    CliError::usage(format!("the number '{text}' has no depth")).help(format!("give --depth N, or N:{text}"))
}

fn item(text: &str) -> Result<Item, CliError> {
    if let Some(nodes) = count(text) {
        return Ok(Item::Count(None, nodes));
    }
    if let Some((depth, nodes)) = text.split_once(':')
        && let Some(nodes) = count(nodes)
    {
        let depth = parse_depth(depth)
            .map_err(|accepted| CliError::usage(format!("'{depth}' is not a depth")).help(accepted))?;
        return Ok(Item::Count(Some(depth), nodes));
    }
    let text = text.to_owned();
    Ok(match text.as_str() {
        "-" => Item::File(text),
        line if line.contains(';') => Item::Line(text),
        name if builtin::position(name).is_none() && Path::new(name).is_file() => Item::File(text),
        _ => Item::Position(text),
    })
}

/// Parses a number of nodes, with or without separators between the digits: `4865609`, `4,865,609`, `4_865_609`.
fn count(text: &str) -> Option<u128> {
    let is_number = text.starts_with(|letter: char| letter.is_ascii_digit());
    let digits = text.replace([',', '_', '\'', '.'], "");
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_a_depth_and_separators() {
        for text in ["4865609", "4,865,609", "4_865_609", "4'865'609"] {
            assert_eq!(item(text).unwrap(), Item::Count(None, 4_865_609));
            assert_eq!(item(&format!("5:{text}")).unwrap(), Item::Count(Some(5), 4_865_609));
        }
        assert!(item("999:20").is_err());
        assert_eq!(item("kiwipete").unwrap(), Item::Position("kiwipete".to_owned()));
        assert_eq!(item("8/8 w - - ;D1 5").unwrap(), Item::Line("8/8 w - - ;D1 5".to_owned()));
        assert_eq!(item("-").unwrap(), Item::File("-".to_owned()));
    }
}
