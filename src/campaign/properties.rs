//! Properties that hold for any files of a campaign. A fuzz target checks them for random bytes, and a test
//! checks them for the files in `fuzz/corpus`.

use super::journal::CountedUnit;
use super::manifest::{Document, Manifest};
use super::unit;

/// Checks a manifest, lines of a journal and lines of a unit, which are separated by empty lines. Each of them
/// must be read or refused. Writing a value that was read and reading it again must give the same value. Wrong
/// checksums are corrected first, because otherwise nearly every random file would be refused at once.
pub fn campaign_files(text: &str) {
    let (start, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let (journal, unit) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let _ = Manifest::parse(start.as_bytes());
    let Some(manifest) = signed_manifest(start) else { return };
    for line in journal.lines() {
        let _ = CountedUnit::parse(line.as_bytes(), &manifest);
        check_journal_line(line, &manifest);
    }
    let moves: Vec<String> = manifest.moves.iter().map(|root| root.played.clone()).collect();
    for position in unit.lines().filter_map(|line| unit::parse_line(line, &manifest)) {
        let (text, info) = unit::to_text(1, std::slice::from_ref(&position), &moves);
        assert_eq!(text.lines().nth(1).and_then(|line| unit::parse_line(line, &manifest)), Some(position));
        assert_eq!(info.positions, 1);
    }
}

/// Returns the manifest with the right checksum, if its content is possible.
fn signed_manifest(text: &str) -> Option<Manifest> {
    let document: Document = serde_json::from_str(text).ok()?;
    let manifest = document.into_manifest().signed();
    let written = manifest.to_text();
    let read = Manifest::parse(written.as_bytes()).ok()?;
    assert_eq!(read, manifest);
    assert_eq!(read.root().to_string(), perft_core::Position::from_fen(&read.fen).unwrap().to_string());
    assert!(read.remaining_depth() > 0);
    let _ = (read.side_to_move_at_split(), read.identity(), read.sha256());
    Some(read)
}

/// Makes a line part of the campaign. Checks that it is then refused, or that reading it gives the value that was
/// written.
fn check_journal_line(line: &str, manifest: &Manifest) {
    let Ok(counted) = serde_json::from_str::<CountedUnit>(line) else { return };
    let counted = counted.of_campaign(manifest);
    if let Ok(read) = CountedUnit::parse(counted.to_line().as_bytes(), manifest) {
        assert_eq!(read, counted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_the_properties() {
        perft_testing::properties::check_corpus("campaign", |bytes| {
            campaign_files(&String::from_utf8_lossy(bytes));
        });
    }
}
