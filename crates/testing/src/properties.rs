//! Properties of any text. The fuzz targets check them for random texts, and tests for the texts in `fuzz/corpus`.

use std::fs;
use std::path::Path;

use perft_core::suite::Suite;
use perft_core::{FenError, Position, Setup};
use perft_diagnosis::source::Answer;

/// Checks a property for each file in a folder of `fuzz/corpus`.
///
/// # Panics
/// Panics if the property does not hold for a file, or if the folder has no files.
pub fn check_corpus(name: &str, property: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(!files.is_empty(), "there are no files in {}", folder.display());
    for file in files {
        println!("{}", file.display());
        property(&fs::read(file).unwrap());
    }
}

/// Checks that a text is read as a FEN or is refused. A FEN that was read must be the same after writing and reading
/// it.
///
/// # Panics
/// Panics if this does not hold.
pub fn fen(text: &str) {
    match Setup::from_fen(text) {
        Ok(setup) => {
            let is_playable = setup.faults().is_empty();
            assert_eq!(Setup::from_fen(&setup.to_fen()).as_ref(), Ok(&setup));
            assert_eq!(Position::try_from(&setup).is_ok(), is_playable);
            assert_eq!(Position::from_fen(text).is_ok(), is_playable);
            let _ = (setup.warnings(), setup.diagram());
        }
        Err(error) => check_faults(text, &error),
    }
    match Position::from_fen(text) {
        Ok(position) => {
            let written = position.to_string();
            let read = Position::from_fen(&written).expect("a position's own FEN");
            assert_eq!(read.to_string(), written);
        }
        Err(error) => check_faults(text, &error),
    }
}

/// Checks that the place of every fault is in the text, between whole characters.
fn check_faults(text: &str, error: &FenError) {
    assert!(error.fen == text && !error.faults.is_empty() && !error.to_string().is_empty());
    for fault in &error.faults {
        assert!(text.get(fault.span.clone()).is_some(), "{fault:?}");
        assert!(!fault.kind.help().is_empty());
    }
}

/// Checks that a text is read as a suite with positions and counts, or is refused with a place for every fault.
///
/// # Panics
/// Panics if this does not hold.
pub fn epd(text: &str) {
    match Suite::from_text("fuzz", text) {
        Ok(suite) => assert!(suite.cases.iter().all(|case| !case.expected.is_empty())),
        Err(error) => {
            assert!(!error.faults.is_empty());
            for fault in &error.faults {
                assert!(fault.text.get(fault.span.clone()).is_some());
                assert!(fault.column() >= 1);
            }
        }
    }
}

/// Checks a text with a FEN on the first line and a move on the second. The move must be a legal move or be refused,
/// and every legal move must lead to a legal position.
///
/// # Panics
/// Panics if this does not hold.
pub fn moves(text: &str) {
    let (fen, move_text) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(position) = Position::from_fen(fen) else { return };
    let moves = position.legal_moves();
    match position.find_move(move_text) {
        Ok(found) => assert!(moves.contains(&found), "{found:?} in {fen}"),
        Err(error) => assert_eq!(error.legal.len(), moves.len()),
    }
    for played in moves {
        let child = position.play_legal(played);
        // After a legal move, the mover's king is not in check, and each side has one king.
        Position::from_fen(&child.to_string()).expect("a legal move leads to a legal position");
    }
}

/// Checks that every count that is read in a divide is in the text. Moves that look like UCI moves must be the same
/// after they are written as Stockfish does, with their total, and read again.
///
/// # Panics
/// Panics if this does not hold.
pub fn divides(text: &str) {
    let answer = Answer::parse(text);
    check_counts(text, &answer);
    let is_plain =
        |played: &str| played.starts_with(|letter| ('a'..='h').contains(&letter)) && played.len() >= 4;
    let moves: Vec<_> = answer.moves.iter().filter(|(played, _)| is_plain(played)).cloned().collect();
    let written: String = moves.iter().map(|(played, nodes)| format!("{played}: {nodes}\n")).collect();
    // Without the total, two lists could look like one list in which moves were found twice.
    let total: u128 = moves.iter().map(|(_, nodes)| nodes).sum();
    assert_eq!(Answer::parse(&format!("{written}\nNodes searched: {total}")).moves, moves);
}

/// Checks that every count of an answer is in the text that was read.
///
/// # Panics
/// Panics if this does not hold.
pub fn check_counts(text: &str, answer: &Answer) {
    let is_separator = |letter: char| " .,'_\u{a0}\u{202f}\u{2019}".contains(letter);
    let plain = text.replace(is_separator, "");
    let total = answer.stated_total.map(i128::unsigned_abs);
    let counts = answer.moves.iter().map(|(_, nodes)| nodes).chain(&total);
    for nodes in counts {
        assert!(plain.contains(&nodes.to_string()), "{nodes} is not in {text:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_the_properties() {
        let of_text = |property: fn(&str)| move |bytes: &[u8]| property(&String::from_utf8_lossy(bytes));
        check_corpus("fen", of_text(fen));
        check_corpus("epd", of_text(epd));
        check_corpus("moves", of_text(moves));
        check_corpus("divides", of_text(divides));
    }
}
