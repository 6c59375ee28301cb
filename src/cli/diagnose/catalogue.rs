//! `perft diagnose --list`: the mistakes that are tried.

use std::io::{self, Write};

use perft_diagnosis::Miscount;
use perft_diagnosis::mutations::Mutation;
use serde::Serialize;

use super::text::write_wrapped;
use crate::report::diagnose::MistakeReport;
use crate::report::write_json;

/// The list as JSON.
#[derive(Serialize)]
struct Catalogue {
    mistakes: Vec<MistakeReport>,
}

/// Writes all mistakes with their descriptions, by family.
pub fn list(as_json: bool, out: &mut impl Write) -> io::Result<()> {
    let of_rules = Mutation::ALL.iter().map(|&mutation| MistakeReport::from(mutation));
    let mistakes: Vec<MistakeReport> = of_rules.chain(Miscount::ALL.map(MistakeReport::from)).collect();
    if as_json {
        return write_json(&Catalogue { mistakes }, false, out);
    }
    for family in mistakes.chunk_by(|a, b| a.family == b.family) {
        writeln!(out, "{}:", family[0].family)?;
        for mistake in family {
            writeln!(out, "  {}", mistake.name)?;
            write_wrapped("      ", mistake.about, out)?;
        }
    }
    Ok(())
}
