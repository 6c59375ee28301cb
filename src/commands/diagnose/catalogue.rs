//! `perft diagnose --list`: the mistakes that are tried.

use std::io::{self, Write};

use super::report::CatalogueReport;
use super::text::write_wrapped;
use crate::output::{environment, write_json};

/// Writes all mistakes with their descriptions, by family.
pub fn list(as_json: bool, out: &mut impl Write) -> io::Result<()> {
    let catalogue = CatalogueReport::new(environment::header());
    if as_json {
        return write_json(&catalogue, false, out);
    }
    for family in catalogue.mistakes.chunk_by(|a, b| a.family == b.family) {
        writeln!(out, "{}:", family[0].family)?;
        for mistake in family {
            writeln!(out, "  {}", mistake.name)?;
            write_wrapped("      ", mistake.about, out)?;
        }
    }
    Ok(())
}
