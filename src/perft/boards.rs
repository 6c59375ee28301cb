//! Trees of the laboratory's boards: one plain recursion for all generators, behind two doors.
//!
//! The doors are this recursion compiled for every CPU, and for those with BMI2 and what came with it; a generator is
//! inlined whole behind each (see [`Board`]). Which door to take is chosen once for a run.

use std::hint::black_box;

use super::cpu_path::CpuPath;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
use super::leaf::Bmi2;
use super::leaf::LeafMode;
use super::trunk::Tree;
use crate::chess::types::Move;
use crate::generators::Board;

/// How the boards of a generator are counted below the trunk.
#[derive(Debug)]
pub(super) struct BoardTree<B> {
    door: Door,
    leaf_mode: LeafMode,
    board: std::marker::PhantomData<B>,
}

/// For which CPU features the recursion is compiled.
#[derive(Clone, Copy, Debug)]
enum Door {
    #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
    Bmi2(Bmi2),
    Portable,
}

impl Door {
    fn of(path: CpuPath) -> Door {
        match path {
            CpuPath::Portable => Door::Portable,
            #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
            _ => Bmi2::detect().map_or(Door::Portable, Door::Bmi2),
            #[cfg(not(all(target_arch = "x86_64", not(perft_portable))))]
            _ => Door::Portable,
        }
    }
}

impl<B: Board> BoardTree<B> {
    /// Counted with what a path has of scalar instructions.
    pub(super) fn new(path: CpuPath, leaf_mode: LeafMode) -> BoardTree<B> {
        BoardTree { door: Door::of(path), leaf_mode, board: std::marker::PhantomData }
    }
}

impl<B: Board> Tree for BoardTree<B> {
    type Node = B;

    type Total = u128;

    fn children(&self, board: &B) -> Vec<(Move, B)> {
        board.children()
    }

    fn unit(&self, board: &B, depth: u32) -> u128 {
        let mut board = board.clone();
        let nodes = match (self.door, self.leaf_mode) {
            #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
            // SAFETY: a Bmi2 exists, so the CPU has the features that its doors are compiled for.
            (Door::Bmi2(_), LeafMode::Bulk) => unsafe { bulk_bmi2(&mut board, depth) },
            #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
            // SAFETY: as above.
            (Door::Bmi2(_), LeafMode::EveryLeaf) => unsafe { every_leaf_bmi2(&mut board, depth) },
            (Door::Portable, LeafMode::Bulk) => bulk(&mut board, depth),
            (Door::Portable, LeafMode::EveryLeaf) => every_leaf(&mut board, depth),
        };
        nodes.into()
    }
}

fn bulk<B: Board>(board: &mut B, depth: u32) -> u64 {
    bulk_by(board, depth, bulk)
}

fn every_leaf<B: Board>(board: &mut B, depth: u32) -> u64 {
    every_leaf_by(board, depth, every_leaf)
}

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn bulk_bmi2<B: Board>(board: &mut B, depth: u32) -> u64 {
    bulk_by(board, depth, |child, depth| bulk_bmi2(child, depth))
}

#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn every_leaf_bmi2<B: Board>(board: &mut B, depth: u32) -> u64 {
    every_leaf_by(board, depth, |child, depth| every_leaf_bmi2(child, depth))
}

/// One step of the recursion, which goes on with `below`; the moves of the last ply are counted, not made.
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

/// As [`bulk_by`], but every move is made.
#[inline(always)]
fn every_leaf_by<B: Board>(board: &mut B, depth: u32, below: impl Fn(&mut B, u32) -> u64) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut nodes = 0;
            board.each_child(|_, child| {
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
