//! What holds for any text. The fuzz targets check it for random texts, and tests for those in `fuzz/corpus`.

use std::fs;
use std::path::Path;

use perft_core::suite::Suite;
use perft_core::{FenError, Position, Setup, find_move, legal_moves};
use perft_diagnosis::source::Answer;

/// Checks a property for each file in a folder of `fuzz/corpus`.
///
/// # Panics
/// The property does not hold for a file, or the folder has no files.
pub fn check_corpus(name: &str, property: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(!files.is_empty(), "there are no files in {}", folder.display());
    for file in files {
        println!("{}", file.display());
        property(&fs::read(file).unwrap());
    }
}

/// A text is read as a FEN or is refused. What was read is written so that it reads the same.
///
/// # Panics
/// This is not so.
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

/// Every fault stands in the text, between whole characters.
fn check_faults(text: &str, error: &FenError) {
    assert!(!error.faults.is_empty());
    let _ = error.to_string();
    for fault in &error.faults {
        assert!(text.get(fault.span.clone()).is_some(), "{fault:?}");
    }
}

/// A text is read as a suite with positions and counts, or is refused, and every fault has a place in its line.
///
/// # Panics
/// This is not so.
pub fn epd(text: &str) {
    match Suite::from_epd("fuzz", text) {
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

/// A FEN stands on the first line, a move on the second. The move is found among the legal ones or is refused, and
/// every legal move leads to a legal position.
///
/// # Panics
/// This is not so.
pub fn moves(text: &str) {
    let (fen, move_text) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(position) = Position::from_fen(fen) else { return };
    let moves = legal_moves(&position);
    match find_move(&position, move_text) {
        Ok(found) => assert!(moves.contains(&found), "{found:?} in {fen}"),
        Err(error) => assert_eq!(error.legal.len(), moves.len()),
    }
    for played in moves {
        let child = position.play_unchecked(played);
        // A legal move leaves the mover's king out of check, and one king a side.
        Position::from_fen(&child.to_string()).expect("a legal move leads to a legal position");
    }
}

/// Every count that is read in a divide stands in the text. Moves of two squares, written as Stockfish writes them with their
/// total, are read the same.
///
/// # Panics
/// This is not so.
pub fn divides(text: &str) {
    let answer = Answer::parse(text);
    check_counts(text, &answer);
    let is_plain =
        |played: &str| played.starts_with(|letter| ('a'..='h').contains(&letter)) && played.len() >= 4;
    let moves: Vec<_> = answer.moves.iter().filter(|(played, _)| is_plain(played)).cloned().collect();
    let written: String = moves.iter().map(|(played, nodes)| format!("{played}: {nodes}\n")).collect();
    // Without the total, two lists could be one with moves that were found twice.
    let total: u128 = moves.iter().map(|(_, nodes)| nodes).sum();
    assert_eq!(Answer::parse(&format!("{written}\nNodes searched: {total}")).moves, moves);
}

/// Checks that every count of an answer stands in the text that was read.
///
/// # Panics
/// This is not so.
pub fn check_counts(text: &str, answer: &Answer) {
    let is_separator = |letter: char| " .,'_\u{a0}\u{202f}\u{2019}".contains(letter);
    let plain = text.replace(is_separator, "");
    let counts = answer.moves.iter().map(|(_, nodes)| nodes).chain(&answer.stated_total);
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
