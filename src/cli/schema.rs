//! `perft schema`: the JSON schema of everything that `--json` prints.

use std::io::Write;
use std::process::ExitCode;

use super::error::CliError;
use crate::report::schema::SCHEMA;

/// Runs the command.
pub fn run(out: &mut impl Write) -> Result<ExitCode, CliError> {
    out.write_all(SCHEMA.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
