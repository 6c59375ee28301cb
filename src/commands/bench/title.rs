//! The title of a timing report: which programs and which positions it is about.

/// The largest number of names in a list.
const MAX_NAMES: usize = 5;

/// Returns names as a list in words: `a, b and c`. If there are too many, only the first ones are listed, and the
/// others are counted.
pub fn listed<N: AsRef<str>>(names: &[N]) -> String {
    let shown = &names[..names.len().min(MAX_NAMES)];
    let (last, others) = match (names.len() - shown.len(), shown) {
        (0, []) => return String::new(),
        (0, [others @ .., last]) => (last.as_ref().to_owned(), others),
        (more, shown) => (format!("{more} more"), shown),
    };
    let others: Vec<&str> = others.iter().map(AsRef::as_ref).collect();
    if others.is_empty() { last } else { format!("{} and {last}", others.join(", ")) }
}

/// Returns the title: `Speed of bitboard and stockfish: start 5 and kiwipete 5`.
pub fn title<N: AsRef<str>>(programs: &[N], positions: &[String]) -> String {
    format!("Speed of {}: {}", listed(programs), listed(positions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
    }
}
