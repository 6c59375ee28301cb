//! Finds the names that the user may have meant by a mistyped name.

/// Returns the names that the user may have meant by `text`, the most similar first.
///
/// A name is included if it begins with the text, or if a few letters are wrong, missing, superfluous or exchanged:
/// one in a word of up to five letters, three in a long word. A digit in place of a letter is not counted as a
/// mistake of typing.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let allowed = match text.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let lower = name.to_lowercase();
        if text.len() > 2 && lower.starts_with(&text) {
            return Some(0);
        }
        let wrong = strsim::osa_distance(&text, &lower);
        (wrong <= allowed && digits(&text) == digits(&lower)).then_some(wrong)
    };
    let mut similar: Vec<(usize, &str)> = names.filter_map(|name| Some((distance(name)?, name))).collect();
    similar.sort_by_key(|(wrong, _)| *wrong);
    similar.into_iter().take(count).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use perft_core::suite::named;

    use super::*;

    #[test]
    fn the_most_similar_names_come_first() {
        let moves = ["e2e3", "e2e4", "d2d4", "g1f3"];
        assert_eq!(most_similar("e2e5", moves.into_iter(), 2), ["e2e3", "e2e4"]);
    }

    #[test]
    fn only_near_names_are_suggested() {
        let names = || {
            let cases = named().cases.iter().map(|case| case.name());
            cases.chain([
                "divide",
                "stats",
                "suite",
                "hunt",
                "work",
                "plan",
                "positions",
                "diagnose",
                "explore",
            ])
        };
        for (typed, name) in [
            ("kiwipeet", "kiwipete"),
            ("kiwi", "kiwipete"),
            ("Kiwipet", "kiwipete"),
            ("strat", "start"),
            ("endgmae", "endgame"),
            ("talkches", "talkchess"),
            ("divde", "divide"),
            ("dvidie", "divide"),
            ("huntt", "hunt"),
            ("diagnos", "diagnose"),
            ("position", "positions"),
        ] {
            assert_eq!(most_similar(typed, names(), 1), [name], "{typed}");
        }
        for typed in
            ["position3", "position9", "w", "KQkq", "d", "x", "", "e4", "nonsense", "queen", "rnbqkbnr"]
        {
            assert_eq!(most_similar(typed, names(), 1), [""; 0], "{typed}");
        }
    }
}
