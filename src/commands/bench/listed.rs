//! Lists of names in sentences and titles.

/// The largest number of names in a list.
const MAX_NAMES: usize = 5;

/// Returns names as a list in words: `a, b and c`. If there are too many, only the first ones are listed, and the
/// others are counted.
pub fn listed<N: AsRef<str>>(names: &[N]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] if names.len() <= MAX_NAMES => format!("{} and {last}", first.join(", ")),
        _ => format!("{} and {} more", names[..MAX_NAMES].join(", "), names.len() - MAX_NAMES),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d", "e"]), "a, b, c, d and e");
        assert_eq!(listed(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
    }
}
