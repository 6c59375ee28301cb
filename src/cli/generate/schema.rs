//! `perft generate schema`: the JSON schema of everything that `--json` prints.

use std::io::Write;
use std::process::ExitCode;

use crate::cli::error::CliError;
use crate::report::schema::SCHEMA;

/// Examples for the help.
pub const EXAMPLES: &str = "\
Examples:
  perft generate schema > perft.schema.json                 for a validator in your CI
  perft generate schema | jq '.\"$defs\" | keys'             the names of its definitions";

/// Runs the command.
pub fn run(out: &mut impl Write) -> Result<ExitCode, CliError> {
    out.write_all(SCHEMA.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
