//! Moves of a position from a search of a UCI engine: one with as many variations as there are moves lists the moves of
//! a position.

/// The UCI option for the number of variations.
pub(super) const OPTION: &str = "MultiPV";

/// A number that is larger than the number of moves in any position.
pub(super) const MOST: &str = "256";

/// Returns the first moves of the variations in the output of a search, in the format of Stockfish's perft.
pub(super) fn moves(search: &[String]) -> Vec<String> {
    let mut moves: Vec<&str> = Vec::new();
    for line in search.iter().filter(|line| line.starts_with("info ")) {
        let first = line.split_whitespace().skip_while(|&word| word != "pv").nth(1);
        moves.extend(first.filter(|first| !moves.contains(first)));
    }
    let total = format!("Nodes searched: {}", moves.len());
    moves.into_iter().map(|played| format!("{played}: 1")).chain([total]).collect()
}
