//! Wrong ways of adding up leaf nodes. The moves themselves may be right.

use std::ops::RangeInclusive;

use perft_core::RootMove;

use crate::difference::Told;

/// A wrong way of adding up leaf nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Adding {
    /// The count of the depth below.
    DepthOneLess,
    /// The count of the depth above.
    DepthOneMore,
    /// The nodes of all depths from 1.
    AllNodes,
    /// The nodes of all depths, including the root.
    AllNodesAndRoot,
    /// The nodes of all depths except the last.
    InnerNodes,
    /// The count is truncated to this number of bits.
    Bits(u32),
    /// The count is truncated to this number of bits, and the highest bit is the sign.
    SignedBits(u32),
    /// Greater depths are counted as this depth.
    StopsAt(u32),
    /// The count at depth 0 is 0.
    ZeroAtDepth0,
    /// The list of moves of a ply is not cleared before that of the next position.
    ListKept,
}

/// All ways, each with the name and the description of its model.
pub(super) const ALL: [(Adding, &str, &str); 16] = {
    use Adding::*;
    [
        (DepthOneLess, "depth-one-less", "The count is that of the depth below."),
        (DepthOneMore, "depth-one-more", "The count is that of the depth above."),
        (AllNodes, "all-nodes", "All nodes except the root are counted, and not only the leaf nodes."),
        (AllNodesAndRoot, "all-nodes-and-root", "All nodes are counted, and not only the leaf nodes."),
        (InnerNodes, "inner-nodes", "All nodes above the last depth are counted, but not the leaf nodes."),
        (Bits(16), "low-16-bits", "Counts have 16 bits: larger ones overflow."),
        (Bits(32), "low-32-bits", "Counts have 32 bits: larger ones overflow."),
        (Bits(64), "low-64-bits", "Counts have 64 bits: larger ones overflow."),
        (SignedBits(16), "signed-16-bits", "Counts have 16 bits with a sign: larger ones overflow."),
        (SignedBits(32), "signed-32-bits", "Counts have 32 bits with a sign: larger ones overflow."),
        (StopsAt(1), "stops-at-depth-1", "Depths greater than 1 are counted as depth 1."),
        (StopsAt(2), "stops-at-depth-2", "Depths greater than 2 are counted as depth 2."),
        (StopsAt(3), "stops-at-depth-3", "Depths greater than 3 are counted as depth 3."),
        (StopsAt(4), "stops-at-depth-4", "Depths greater than 4 are counted as depth 4."),
        (ZeroAtDepth0, "zero-at-depth-0", "The count at depth 0 is 0; it must be 1."),
        (ListKept, "list-kept", "The list of moves of a ply is not cleared before the next position."),
    ]
};

impl Adding {
    /// Returns the name and the description of its model.
    pub(super) fn texts(self) -> (&'static str, &'static str) {
        ALL.iter().find(|(known, ..)| *known == self).map_or(("", ""), |(_, name, about)| (name, about))
    }

    /// Whether a program that adds up in this way gives an answer. Returns `None` if it is not known.
    pub(super) fn gives(self, told: &Told) -> Option<bool> {
        match self {
            Adding::Bits(_) | Adding::SignedBits(_) => Some(self.cuts(told)),
            Adding::ZeroAtDepth0 => Some(is_zero_or_right(told)),
            Adding::ListKept => keeps_list(told),
            _ => {
                let total = self.total(told)?;
                let is_changed = told.difference.theirs != told.difference.ours as i128;
                let has_total = total == told.difference.theirs && (is_changed || told.is_right());
                Some(has_total && self.has_rows(told))
            }
        }
    }

    /// Returns the total of a program that adds up in this way, if it is known.
    pub(super) fn total(self, told: &Told) -> Option<i128> {
        if matches!(self, Adding::Bits(_) | Adding::SignedBits(_)) {
            return Some(self.cut(told.difference.ours));
        }
        let total: u128 = self.depths(told.depth)?.map(|depth| told.count(depth)).sum::<Option<u128>>()?;
        i128::try_from(total).ok()
    }

    /// Returns the depths whose nodes are counted, if these are other depths.
    fn depths(self, depth: u32) -> Option<RangeInclusive<u32>> {
        Some(match self {
            Adding::DepthOneLess => depth.checked_sub(1)?..=depth - 1,
            Adding::DepthOneMore => depth + 1..=depth + 1,
            Adding::AllNodes => 1..=depth,
            Adding::AllNodesAndRoot => 0..=depth,
            Adding::InnerNodes => 0..=depth.checked_sub(1)?,
            Adding::StopsAt(deepest) => depth.min(deepest)..=depth.min(deepest),
            Adding::Bits(_) | Adding::SignedBits(_) | Adding::ZeroAtDepth0 | Adding::ListKept => return None,
        })
    }

    /// Whether the counts below the moves of an answer, if it lists them, are those of the same depths. The root belongs
    /// to the total only.
    fn has_rows(self, told: &Told) -> bool {
        let Some(depths) = self.depths(told.depth).filter(|_| told.difference.lists_moves) else {
            return told.difference.has_right_moves();
        };
        let below = |played| {
            let position = told.position().play_legal(played);
            depths.clone().filter_map(|depth| Some(position.perft(depth.checked_sub(1)?))).sum()
        };
        let rows: Vec<RootMove> =
            told.ours.iter().map(|known| RootMove { nodes: below(known.played), ..*known }).collect();
        told.has_rows(told.position(), &rows)
    }

    /// Returns a number as a counter of this width stores it.
    fn cut(self, number: u128) -> i128 {
        match self {
            Adding::Bits(bits) => (number % (1 << bits)) as i128,
            Adding::SignedBits(bits) => {
                let low = (number % (1 << bits)) as i128;
                if low < 1 << (bits - 1) { low } else { low - (1 << bits) }
            }
            _ => number as i128,
        }
    }

    /// Whether the answer has truncated counts: the total, the counts below moves, or both.
    fn cuts(self, told: &Told) -> bool {
        let difference = &told.difference;
        let sum: i128 = told.ours.iter().map(|known| self.cut(known.nodes)).sum();
        let cut_sum = u128::try_from(sum).map_or(sum, |sum| self.cut(sum));
        let has_cut_sum =
            !told.ours.is_empty() && (told.difference.theirs == sum || told.difference.theirs == cut_sum);
        let is_cut_total = told.difference.theirs == self.cut(difference.ours);
        if !difference.lists_moves {
            return is_cut_total || has_cut_sum;
        }
        let is_cut = |known: &RootMove| {
            let wrong = difference.wrong.iter().find(|wrong| wrong.played == known.played);
            i128::try_from(wrong.map_or(known.nodes, |wrong| wrong.theirs)) == Ok(self.cut(known.nodes))
        };
        difference.has_right_moves()
            && ((difference.wrong.is_empty() && is_cut_total)
                || (told.ours.iter().all(is_cut) && has_cut_sum))
    }
}

/// Whether an answer at depth 1 has only zeros, and any other answer is right or has only zeros.
fn is_zero_or_right(told: &Told) -> bool {
    let difference = &told.difference;
    let rows = difference.wrong.len();
    let is_zero = difference.theirs == 0
        && (!difference.lists_moves || (difference.has_right_moves() && rows == told.ours.len()))
        && difference.wrong.iter().all(|wrong| wrong.theirs == 0);
    is_zero || (told.depth > 1 && told.is_right())
}

/// Whether the count below each move is that of all moves so far. Only depth 2 is predictable: at greater depths, the
/// moves of other positions are played too.
fn keeps_list(told: &Told) -> Option<bool> {
    match told.depth {
        1 => Some(told.is_right()),
        2 => Some(if told.answer.moves.is_empty() { has_sum_of_lists(told) } else { grows(told) }),
        _ => None,
    }
}

/// Whether the listed counts grow by the right count of each move.
fn grows(told: &Told) -> bool {
    let mut sum = 0;
    let mut listed = told.answer.moves.iter();
    told.difference.has_right_moves()
        && !told.difference.contradicts_itself
        && listed.all(|(text, nodes)| {
            let known = told.ours.iter().find(|known| known.played.to_uci(told.path.notation()) == *text);
            sum += known.map_or(0, |known| known.nodes);
            *nodes == sum
        })
}

/// Whether the total is the sum of the growing lists. This is known only if all moves have the same count.
fn has_sum_of_lists(told: &Told) -> bool {
    let Some(first) = told.ours.first() else { return told.difference.theirs == 0 };
    let moves = told.ours.len() as u128;
    let is_same = told.ours.iter().all(|known| known.nodes == first.nodes);
    is_same && i128::try_from(first.nodes * moves * (moves + 1) / 2) == Ok(told.difference.theirs)
}
