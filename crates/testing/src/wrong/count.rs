//! Counting leaf nodes on one board, with a transposition table and with drawn games if a bug needs them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use perft_core::{Color, ColoredPiece, Piece};

use super::board::{Board, Step};
use super::moves::At;
use super::{Bug, Bugs, Kind};

/// A board on which leaf nodes are counted.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub board: Board,
    bugs: Bugs,
    /// The boards before, if a bug compares them.
    history: Vec<Board>,
    has_table: bool,
    pub table: HashMap<u64, u128>,
}

impl Counter {
    pub fn new(board: Board, bugs: Bugs) -> Counter {
        let has_table = bugs.has_kind(Kind::Table);
        Counter { board, bugs, history: Vec::new(), has_table, table: HashMap::new() }
    }

    /// Plays a move of a question.
    pub fn play(&mut self, step: Step) {
        self.history.push(self.board);
        self.board.make(step, self.bugs);
    }

    pub fn divide(&mut self, depth: u32) -> Vec<(String, u128)> {
        if self.is_drawn() {
            return Vec::new();
        }
        let moves = self.board.legal_moves(self.bugs, At::Inside);
        moves.into_iter().map(|step| (step.text(), self.below(step, depth - 1))).collect()
    }

    fn below(&mut self, step: Step, depth: u32) -> u128 {
        let before = self.board;
        self.play(step);
        let nodes = self.count(depth);
        self.history.pop();
        self.board.unmake(&before, step, self.bugs);
        nodes + u128::from(depth > 0 && self.bugs.has(Bug::AllNodes))
    }

    fn count(&mut self, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        if self.is_drawn() {
            return 0;
        }
        let key = self.has_table.then(|| self.key(depth)).filter(|_| depth > 1);
        if let Some(&known) = key.and_then(|key| self.table.get(&key)) {
            return known;
        }
        let at = if depth == 1 { At::LastPly } else { At::Inside };
        let moves = self.board.legal_moves(self.bugs, at);
        let us = self.board.turn;
        let nodes = if moves.is_empty() {
            let is_mate = self.board.checkers(us, self.bugs).any();
            u128::from(is_mate && self.bugs.has(Bug::LeafMatesCount))
        } else if depth == 1 {
            moves.len() as u128
        } else {
            moves.into_iter().map(|step| self.below(step, depth - 1)).sum()
        };
        if let Some(key) = key {
            self.table.insert(key, nodes);
        }
        nodes
    }

    fn key(&self, depth: u32) -> u64 {
        let (board, bugs) = (&self.board, self.bugs);
        let mut hasher = DefaultHasher::new();
        let black_king = ColoredPiece { color: Color::Black, piece: Piece::King };
        for found in board.squares {
            let found = found.filter(|&found| found != black_king || !bugs.has(Bug::KeyWithoutBlackKing));
            found.map(|found| (found.color.index(), found.piece as u8)).hash(&mut hasher);
        }
        (!bugs.has(Bug::KeyWithoutTurn)).then_some(board.turn.index()).hash(&mut hasher);
        (!bugs.has(Bug::KeyWithoutCastling)).then_some(board.rights).hash(&mut hasher);
        let passed = board.passed.map(|square| square.index());
        passed.filter(|_| !bugs.has(Bug::KeyWithoutEnPassant)).hash(&mut hasher);
        (!bugs.has(Bug::KeyWithoutDepth)).then_some(depth).hash(&mut hasher);
        let key = hasher.finish();
        if bugs.has(Bug::Key16Bits) { key & 0xffff } else { key }
    }

    fn is_drawn(&self) -> bool {
        let (board, bugs) = (&self.board, self.bugs);
        (bugs.has(Bug::FiftyMoves) && board.halfmove >= 100)
            || (bugs.has(Bug::FiftyPlies) && board.halfmove >= 50)
            || (bugs.has(Bug::Repetition) && self.history.iter().any(|before| board.is_same_position(before)))
            || (bugs.has(Bug::InsufficientMaterial) && has_insufficient_material(board))
    }
}

/// Whether there are only the kings and at most one knight or bishop.
fn has_insufficient_material(board: &Board) -> bool {
    let pieces = board.squares.iter().flatten().filter(|found| found.piece != Piece::King);
    let others: Vec<Piece> = pieces.map(|found| found.piece).collect();
    matches!(others[..], [] | [Piece::Knight | Piece::Bishop])
}
