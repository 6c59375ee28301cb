//! The numbers of captures and other kinds of leaf nodes that programs print beside a count.

use perft_core::LeafStatistics;

/// A kind of leaf nodes that programs count, as far as all of them mean nearly the same.
///
/// Direct, discovered and double checks are left out: programs count them in too many ways.
///
/// # Examples
/// ```
/// use perft_core::LeafStatistics;
/// use perft_diagnosis::source::CountedKind;
///
/// let kind = CountedKind::of_word("e.p.").unwrap();
/// let leaves = LeafStatistics { nodes: 20, captures: 3, en_passant: 1, ..LeafStatistics::default() };
/// assert_eq!((kind, kind.counts(&leaves)), (CountedKind::EnPassant, vec![1]));
/// // Some programs do not count an en passant capture as a capture.
/// assert_eq!(CountedKind::Captures.counts(&leaves), [3, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountedKind {
    /// The last move captures.
    Captures,
    /// The last move captures en passant.
    EnPassant,
    /// The last move castles.
    Castles,
    /// The last move promotes.
    Promotions,
    /// The last move gives check.
    Checks,
    /// The last move gives checkmate.
    Checkmates,
    /// The last move gives stalemate.
    Stalemates,
}

impl CountedKind {
    /// The kinds, each with its name and the words for it, in the singular.
    const ALL: [(CountedKind, &str, &str); 7] = [
        (CountedKind::Captures, "captures", "capture capt cap caps"),
        (CountedKind::EnPassant, "en passant", "ep passant enpassant"),
        (CountedKind::Castles, "castles", "castle castling"),
        (CountedKind::Promotions, "promotions", "promotion promo promos"),
        (CountedKind::Checks, "checks", "check"),
        (CountedKind::Checkmates, "checkmates", "checkmate mate"),
        (CountedKind::Stalemates, "stalemates", "stalemate"),
    ];

    /// Returns the kind that a word or the name of a column means.
    pub fn of_word(name: &str) -> Option<CountedKind> {
        let name = name.to_lowercase();
        let words: Vec<&str> = name.split(|letter: char| !letter.is_alphabetic()).collect();
        CountedKind::of_words(&words)
    }

    /// Returns the kind that the name of a number means. Words in between, such as `discovered`, are not understood.
    pub(super) fn of_words(words: &[&str]) -> Option<CountedKind> {
        let name: Vec<String> = words.iter().map(|word| super::words::singular(word)).collect();
        let name = name.concat();
        let name = name.strip_prefix("num").or(name.strip_prefix("en")).unwrap_or(&name);
        let is_meant = |words: &str| words.split(' ').any(|word| word == name);
        CountedKind::ALL.into_iter().find(|(.., words)| is_meant(words)).map(|(kind, ..)| kind)
    }

    /// Returns the name, in the plural.
    pub fn name(self) -> &'static str {
        CountedKind::ALL[self as usize].1
    }

    /// Returns the numbers that programs give, the usual one first. They are more than one if programs differ in what
    /// they count.
    pub fn counts(self, leaves: &LeafStatistics) -> Vec<u128> {
        let checkmates = leaves.checkmates.total();
        match self {
            CountedKind::Captures => vec![leaves.captures, leaves.captures - leaves.en_passant],
            CountedKind::EnPassant => vec![leaves.en_passant],
            CountedKind::Castles => vec![leaves.castles],
            CountedKind::Promotions => vec![leaves.promotions, leaves.promotions / 4],
            CountedKind::Checks => vec![leaves.checks.total(), leaves.checks.total() - checkmates],
            CountedKind::Checkmates => vec![checkmates],
            CountedKind::Stalemates => vec![leaves.stalemates],
        }
    }

    /// Whether the last move alone decides if a leaf node is of this kind.
    pub(crate) fn is_of_moves(self) -> bool {
        self as usize <= CountedKind::Promotions as usize
    }
}

/// The number of leaf nodes of one kind that a program gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafCount {
    /// The kind.
    pub kind: CountedKind,
    /// The number.
    pub nodes: i128,
}

impl LeafCount {
    /// Whether the number is right for these leaf nodes, as some programs count.
    pub fn is_of(self, leaves: &LeafStatistics) -> bool {
        self.kind.counts(leaves).into_iter().any(|count| i128::try_from(count) == Ok(self.nodes))
    }
}
