//! Leaf statistics: the numbers of captures, checks, mates and other kinds of leaf nodes.
//!
//! A leaf node is the last move of a line and the position after it. `movegen/leaf_kinds.rs` counts the kinds below a
//! leaf parent.

use std::iter::Sum;
use std::ops::{Add, Mul};

/// The number of leaf nodes of each kind.
///
/// Sums and products that do not fit into 128 bits are [`u128::MAX`]. No kind has more leaf nodes than there are leaf
/// nodes, so all numbers are right if `nodes` is smaller than that.
///
/// # Examples
/// ```
/// use perft_core::{CheckCounts, LeafStatistics};
///
/// let checks = CheckCounts { direct: 2, discovered: 1, ..CheckCounts::default() };
/// let statistics = LeafStatistics { nodes: 20, checks, ..LeafStatistics::default() };
/// assert_eq!(statistics.checks.total(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeafStatistics {
    /// All leaf nodes.
    pub nodes: u128,
    /// The last move is a capture, en passant included.
    pub captures: u128,
    /// The last move is an en passant capture.
    pub en_passant: u128,
    /// The last move is castling.
    pub castles: u128,
    /// The last move is a promotion. Each of the four pieces counts as a separate move.
    pub promotions: u128,
    /// The last move gives check. Checkmates are included.
    pub checks: CheckCounts,
    /// Checkmates: check, and no legal move.
    pub checkmates: CheckCounts,
    /// Stalemates: no check, and no legal move.
    pub stalemates: u128,
}

/// The number of checks of each kind. The kinds exclude each other.
///
/// The definitions are those of François Labelle, "Statistics on chess games". Other programs count differently:
///
/// - Many call a direct and discovered check a "double check".
/// - The Grand Chess Tree does not count checkmates as checks. Its number of each kind is the number of checks here
///   minus the number of checkmates.
///
/// # Examples
/// See [`LeafStatistics`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CheckCounts {
    /// The piece that moved gives check, and no other piece does. When castling, that piece is the rook.
    pub direct: u128,
    /// One piece gives check, and it is not the piece that moved.
    pub discovered: u128,
    /// Double checks by the piece that moved and another piece.
    pub direct_and_discovered: u128,
    /// Double checks by pieces that did not move. An en passant capture can discover two checks at once.
    pub double_discovered: u128,
}

/// A kind of leaf node, as a row of reports.
#[derive(Clone, Copy, Debug)]
pub struct LeafKind {
    /// The name in files: `en_passant`.
    pub name: &'static str,
    /// The name for people. It begins with two blanks if the kind is a part of the kind above it.
    pub label: &'static str,
    /// A description, or an empty text if the name needs none.
    pub about: &'static str,
    /// Returns the number of leaf nodes of this kind.
    pub count: fn(&LeafStatistics) -> u128,
}

impl LeafKind {
    /// All kinds, in the order of reports.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{LeafKind, LeafStatistics};
    ///
    /// let statistics = LeafStatistics { nodes: 20, captures: 3, ..LeafStatistics::default() };
    /// let captures = &LeafKind::ALL[0];
    /// assert_eq!((captures.name, (captures.count)(&statistics)), ("captures", 3));
    /// ```
    pub const ALL: [LeafKind; 15] = {
        const DIRECT: &str = "given only by the moved piece or, if it castled, by the rook";
        const DISCOVERED: &str = "given by one piece that did not move";
        const BOTH: &str = "given by the moved piece and by another one";
        const DOUBLE: &str = "given by two pieces that did not move";
        macro_rules! kinds {
            ($($name:literal $label:literal $about:expr => $count:expr;)*) => {
                [$(LeafKind { name: $name, label: $label, about: $about, count: $count }),*]
            };
        }
        kinds! {
            "captures" "captures" "including en passant" => |leaves| leaves.captures;
            "en_passant" "en passant" "" => |leaves| leaves.en_passant;
            "castles" "castles" "" => |leaves| leaves.castles;
            "promotions" "promotions" "one for each promotion piece" => |leaves| leaves.promotions;
            "checks" "checks" "including checkmates" => |leaves| leaves.checks.total();
            "direct_checks" "  direct" DIRECT => |leaves| leaves.checks.direct;
            "discovered_checks" "  discovered" DISCOVERED => |leaves| leaves.checks.discovered;
            "direct_and_discovered_checks" "  direct and discovered" BOTH => |leaves| leaves.checks.direct_and_discovered;
            "double_discovered_checks" "  double discovered" DOUBLE => |leaves| leaves.checks.double_discovered;
            "checkmates" "checkmates" "" => |leaves| leaves.checkmates.total();
            "direct_checkmates" "  direct" "" => |leaves| leaves.checkmates.direct;
            "discovered_checkmates" "  discovered" "" => |leaves| leaves.checkmates.discovered;
            "direct_and_discovered_checkmates" "  direct and discovered" "" => |leaves| leaves.checkmates.direct_and_discovered;
            "double_discovered_checkmates" "  double discovered" "" => |leaves| leaves.checkmates.double_discovered;
            "stalemates" "stalemates" "" => |leaves| leaves.stalemates;
        }
    };
}

impl LeafStatistics {
    /// Returns the statistics at depth 0: the root is the only leaf node, and no move led to it.
    #[doc(hidden)]
    pub fn of_root() -> LeafStatistics {
        LeafStatistics { nodes: 1, ..LeafStatistics::default() }
    }

    /// Whether some leaf nodes can have these kinds.
    #[doc(hidden)]
    pub fn is_possible(&self) -> bool {
        let CheckCounts { direct, discovered, direct_and_discovered, double_discovered } = self.checkmates;
        let mates = [direct, discovered, direct_and_discovered, double_discovered];
        let CheckCounts { direct, discovered, direct_and_discovered, double_discovered } = self.checks;
        let checks = [direct, discovered, direct_and_discovered, double_discovered];
        let most = self.nodes;
        self.en_passant <= self.captures
            && self.captures.saturating_add(self.castles) <= most
            && self.promotions.saturating_add(self.castles) <= most
            && self.checks.total().saturating_add(self.stalemates) <= most
            && mates.iter().zip(checks).all(|(mates, checks)| *mates <= checks)
    }

    fn zip(self, other: LeafStatistics, combine: impl Fn(u128, u128) -> u128) -> LeafStatistics {
        LeafStatistics {
            nodes: combine(self.nodes, other.nodes),
            captures: combine(self.captures, other.captures),
            en_passant: combine(self.en_passant, other.en_passant),
            castles: combine(self.castles, other.castles),
            promotions: combine(self.promotions, other.promotions),
            checks: self.checks.zip(other.checks, &combine),
            checkmates: self.checkmates.zip(other.checkmates, &combine),
            stalemates: combine(self.stalemates, other.stalemates),
        }
    }
}

impl CheckCounts {
    /// Returns the number of checks of all kinds.
    pub const fn total(&self) -> u128 {
        let double = self.direct_and_discovered.saturating_add(self.double_discovered);
        self.direct.saturating_add(self.discovered).saturating_add(double)
    }

    /// Adds one check. `is_direct` says whether the piece that moved gives check.
    #[doc(hidden)]
    #[inline(always)]
    pub fn count(&mut self, is_direct: bool, is_double: bool) {
        let kind = match (is_direct, is_double) {
            (true, false) => &mut self.direct,
            (false, false) => &mut self.discovered,
            (true, true) => &mut self.direct_and_discovered,
            (false, true) => &mut self.double_discovered,
        };
        *kind += 1;
    }

    fn zip(self, other: CheckCounts, combine: impl Fn(u128, u128) -> u128) -> CheckCounts {
        CheckCounts {
            direct: combine(self.direct, other.direct),
            discovered: combine(self.discovered, other.discovered),
            direct_and_discovered: combine(self.direct_and_discovered, other.direct_and_discovered),
            double_discovered: combine(self.double_discovered, other.double_discovered),
        }
    }
}

impl Add for LeafStatistics {
    type Output = LeafStatistics;

    fn add(self, other: LeafStatistics) -> LeafStatistics {
        self.zip(other, u128::saturating_add)
    }
}

/// The statistics of several equal subtrees.
impl Mul<u128> for LeafStatistics {
    type Output = LeafStatistics;

    fn mul(self, multiplicity: u128) -> LeafStatistics {
        self.zip(self, |count, _| count.saturating_mul(multiplicity))
    }
}

impl Sum for LeafStatistics {
    fn sum<I: Iterator<Item = LeafStatistics>>(all: I) -> LeafStatistics {
        all.fold(LeafStatistics::default(), LeafStatistics::add)
    }
}
