//! Counts three plies below the positions of a frontier, family by family.
//!
//! A *family* has the same waiting army: its positions differ only in the pieces of the side to move, and in its
//! castling rights. Without captures, two positions have a child in common only if they are of one family. The leaf
//! counter makes the children of a family in vector lanes, merges equal ones in a table that fits into a cache, and
//! counts two plies below each: see [`three_plies_of_family`].
//!
//! [`three_plies_of_family`]: perft_core::LeafCounter::three_plies_of_family
//!
//! Children after captures are merged only within the family of their parents. Giving them to the family of their own
//! army took longer than it saved.

use perft_core::{Color, Interrupted, Position};

use super::lists::{Chunk, CountedPosition, Frontier};
use crate::progress::Share;
use crate::trunk::{Total, Tree, Trunk};

/// The largest number of positions of one family that are counted together.
const MAX_TOGETHER: usize = 4096;

/// The largest sum of multiplicities for which positions are counted together. A position has less than 2^24 leaf nodes
/// three plies below, so the count fits into the 64 bits of the leaf counter.
const MAX_WAYS: u128 = 1 << 40;

impl Frontier {
    /// Returns the sum over all positions: multiplicity times the total three plies below. It returns `None` if the
    /// counter has no code for families. `share` is the share of this work in the whole count.
    pub(super) fn count_families<T: Tree>(
        &self,
        trunk: &Trunk<T>,
        share: Share,
    ) -> Option<Result<T::Total, Interrupted>> {
        trunk.tree.three_plies_of_family(&[])?;
        let count = |family: &[Member]| {
            if trunk.progress.is_stopped() {
                return Err(Interrupted);
            }
            let total = three_plies(&trunk.tree, family);
            trunk.progress.add(total.nodes(), share.part(family.len() as u64, self.positions()));
            Ok(total)
        };
        let of_list = |list: &Vec<Chunk>| {
            let mut members: Vec<Member> = list.iter().flatten().map(Member::of).collect();
            members.sort_unstable_by_key(|member| (member.army_hash, member.order));
            Ok(trunk.threads.map(families(&members), count)?.into_iter().sum())
        };
        Some(trunk.threads.map(&self.lists, of_list).map(|totals| totals.into_iter().sum()))
    }
}

/// A position of a list.
struct Member<'a> {
    /// The hash of the waiting army.
    army_hash: u64,
    /// The number of castling rights that are lost, the pawns, and the other pieces in an arbitrary order.
    ///
    /// A position with many castling rights represents those with fewer, so it comes first. Neighbours with the same
    /// pawns have many children in common.
    order: (u32, u64, u64),
    counted: &'a CountedPosition,
}

impl Member<'_> {
    fn of(counted: &CountedPosition) -> Member<'_> {
        let position = &counted.position;
        let [one, two, ..] = position.to_words();
        let lost_rights = 4 - position.castling_rooks().count();
        let order = (lost_rights, position.pawns().bits(), one ^ two);
        Member { army_hash: position.waiting_hash(), order, counted }
    }

    fn with_white_to_move(&self) -> (Position, u64) {
        let (position, ways) = self.counted.unpack();
        (if position.turn() == Color::White { position } else { position.flipped() }, ways)
    }

    /// Whether a family that this position represents has the other one: see
    /// [`LeafCounter::three_plies_of_family`](perft_core::LeafCounter::three_plies_of_family).
    fn represents(&self, other: &Member) -> bool {
        let (first, other) = (&self.counted.position, &other.counted.position);
        let army = other.waiting_army();
        let rights = other.castling_rooks() & !army[3];
        first.waiting_army() == army
            && (rights & !first.castling_rooks()).is_empty()
            && (rights.is_empty() || first.mover_king() == other.mover_king())
    }
}

/// Large families are split too.
fn families<'a, 'b>(mut members: &'a [Member<'b>]) -> Vec<&'a [Member<'b>]> {
    let mut families = Vec::new();
    while let Some(first) = members.first() {
        let together =
            members.iter().take(MAX_TOGETHER).take_while(|member| first.represents(member)).count();
        let (family, rest) = members.split_at(together);
        families.push(family);
        members = rest;
    }
    families
}

/// Returns the sum over the positions of a family: multiplicity times the total three plies below.
fn three_plies<T: Tree>(tree: &T, family: &[Member]) -> T::Total {
    let parents: Vec<(Position, u64)> = family.iter().map(Member::with_white_to_move).collect();
    let ways: u128 = parents.iter().map(|(_, ways)| u128::from(*ways)).sum();
    let together =
        if parents.len() > 1 && ways <= MAX_WAYS { tree.three_plies_of_family(&parents) } else { None };
    let each = || parents.iter().map(|(parent, ways)| tree.subtree(parent, 3) * u128::from(*ways)).sum();
    together.unwrap_or_else(each)
}
