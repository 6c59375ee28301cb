//! Walks the tree of any [`Board`]: one recursion for all generators, with two entry points.
//!
//! The recursion is compiled twice: once for every CPU, and once for CPUs with BMI2 and the features that came with it.
//! The code of a generator is inlined into both, which is why its functions are `#[inline(always)]`. The entry point is
//! chosen once for a count.

use std::hint::black_box;
use std::marker::PhantomData;

use perft_core::internals::leaf::Bmi2Features;
use perft_core::internals::{Share, Tree, TreeWalk, Trunk, WalkOptions};
use perft_core::{CpuPath, Interrupted, LeafMode, Move, Position, RootMove};

use crate::generators::Board;

/// Walks the tree below a position on the boards of one generator.
#[derive(Debug)]
pub(crate) struct BoardWalk<B>(PhantomData<B>);

impl<B> BoardWalk<B> {
    pub(crate) fn new() -> BoardWalk<B> {
        BoardWalk(PhantomData)
    }
}

impl<B: Board> TreeWalk for BoardWalk<B> {
    fn count(&self, root: &Position, depth: u32, options: &WalkOptions) -> Result<u128, Interrupted> {
        trunk(options).count(&boxed(B::new(root)), depth, Share::WHOLE)
    }

    fn divide(
        &self,
        root: &Position,
        depth: u32,
        options: &WalkOptions,
    ) -> Result<Vec<RootMove>, Interrupted> {
        trunk(options).divide(&boxed(B::new(root)), depth)
    }
}

fn trunk<'a>(options: &WalkOptions<'a>) -> Trunk<'a, BoardTree> {
    // The vector paths use the entry points for BMI2.
    let bmi2 = if options.path == CpuPath::Portable { None } else { Bmi2Features::detect() };
    let tree = BoardTree { bmi2, leaf_mode: options.leaf_mode };
    Trunk { tree, parallel: options.parallel, progress: options.progress }
}

/// Counts boards below the trunk.
#[derive(Clone, Copy)]
struct BoardTree {
    /// The proof that the entry points for BMI2 may be called; `None` if they may not.
    bmi2: Option<Bmi2Features>,
    leaf_mode: LeafMode,
}

/// The board of any generator, behind a pointer, so that the trunk is compiled once and not once for each generator.
/// The call costs nothing that can be measured: a subtree takes about a millisecond.
trait AnyBoard: Send + Sync {
    /// Returns the legal moves and the boards after them.
    fn children(&self) -> Vec<(Move, Box<dyn AnyBoard>)>;

    /// Counts the leaf nodes at a depth below the board.
    fn count(&self, tree: BoardTree, depth: u32) -> u64;
}

fn boxed<B: Board>(board: B) -> Box<dyn AnyBoard> {
    Box::new(board)
}

impl<B: Board> AnyBoard for B {
    fn children(&self) -> Vec<(Move, Box<dyn AnyBoard>)> {
        Board::children(self).into_iter().map(|(played, child)| (played, boxed(child))).collect()
    }

    fn count(&self, tree: BoardTree, depth: u32) -> u64 {
        let mut board = self.clone();
        match (tree.bmi2, tree.leaf_mode) {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value `Bmi2Features` exists only if the CPU has the features that this entry point needs.
            (Some(_), LeafMode::Bulk) => unsafe { bulk_bmi2(&mut board, depth) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            (Some(_), LeafMode::EveryLeaf) => unsafe { every_leaf_bmi2(&mut board, depth) },
            (_, LeafMode::Bulk) => bulk(&mut board, depth),
            (_, LeafMode::EveryLeaf) => every_leaf(&mut board, depth),
        }
    }
}

impl Tree for BoardTree {
    type Node = Box<dyn AnyBoard>;

    type Total = u128;

    fn children(&self, board: &Box<dyn AnyBoard>) -> Vec<(Move, Box<dyn AnyBoard>)> {
        (**board).children()
    }

    fn subtree(&self, board: &Box<dyn AnyBoard>, depth: u32) -> u128 {
        (**board).count(*self, depth).into()
    }
}

fn bulk<B: Board>(board: &mut B, depth: u32) -> u64 {
    bulk_by(board, depth, bulk)
}

fn every_leaf<B: Board>(board: &mut B, depth: u32) -> u64 {
    every_leaf_by(board, depth, every_leaf)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn bulk_bmi2<B: Board>(board: &mut B, depth: u32) -> u64 {
    bulk_by(board, depth, |child, depth| bulk_bmi2(child, depth))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn every_leaf_bmi2<B: Board>(board: &mut B, depth: u32) -> u64 {
    every_leaf_by(board, depth, |child, depth| every_leaf_bmi2(child, depth))
}

/// Counts the leaf nodes below a board. The moves of the last ply are counted and not made. `below` counts below each
/// child, so that each entry point calls itself.
#[inline(always)]
fn bulk_by<B: Board>(board: &mut B, depth: u32, below: impl Fn(&mut B, u32) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_moves(),
        _ => {
            let mut nodes = 0;
            board.each_child(|_, child| nodes += below(child, depth - 1));
            nodes
        }
    }
}

/// Like [`bulk_by`], but also makes the moves of the last ply.
#[inline(always)]
fn every_leaf_by<B: Board>(board: &mut B, depth: u32, below: impl Fn(&mut B, u32) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut nodes = 0;
            board.each_child(|_, child| {
                // Without this, the compiler may remove the making of the move.
                black_box(&*child);
                nodes += 1;
            });
            nodes
        }
        _ => {
            let mut nodes = 0;
            board.each_child(|_, child| nodes += below(child, depth - 1));
            nodes
        }
    }
}
