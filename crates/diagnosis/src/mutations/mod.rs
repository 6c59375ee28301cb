//! Classic bugs of move generators, and a plain generator that can have each of them.
//!
//! A [`Mutation`] changes one rule. A [`MutatedBoard`] is a mailbox generator that follows the rules of chess with one
//! mutation or with none. Each rule that authors often get wrong is written in one place, and mutations break it there.
//! Without a mutation the generator is right: the tests compare it with [`perft_core`].
//!
//! The tests of this workspace plant these bugs in generators and engines. [`diagnose()`](crate::diagnose()) searches
//! for the mutation that explains a wrong count.
//!
//! # Examples
//! ```
//! use perft_core::Position;
//! use perft_diagnosis::mutations::{Mutation, count};
//!
//! // White may not castle, because the king would pass f1, which the rook on f8 attacks.
//! let position = Position::from_fen("5rk1/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
//! let wrong = count(&position, 1, Mutation::CastlingThroughCheck.into());
//! assert_eq!(wrong, count(&position, 1, None) + 1);
//! ```

mod active;
mod board;
mod castling;
mod catalogue;
mod changes;
mod counter;
mod facts;
pub(crate) mod generate;
mod hash;
mod legality;
mod matching;
mod models;
mod play;
mod restrictions;
mod rules;
mod set;
mod tree;
mod variants;

pub use catalogue::Mutation;
pub use matching::matching;
pub(crate) use matching::relevant;
pub use models::{RuleModel, Scope};
pub(crate) use set::MutationSet;
pub use variants::UnknownMutation;

use active::Rules;
use board::Board;
use facts::Facts;
use legality::Situation;
use perft_core::{Move, MoveList, Position, Square};
use rules::Rule;

/// Counts the leaf nodes below a position one by one, as a generator with this mutation does.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::mutations::{Mutation, count};
///
/// let start = Position::start();
/// assert_eq!(count(&start, 3, None), 8902);
/// assert_eq!(count(&start, 3, Mutation::NoDoubleStep.into()), 2124);
/// ```
pub fn count(position: &Position, depth: u32, mutation: Option<Mutation>) -> u64 {
    MutatedBoard::new(position, mutation).count(depth)
}

/// A plain mailbox generator one rule of which may be changed by a mutation.
///
/// It makes and takes back moves on one board, as most engines do. So a mutation of taking back moves leaves the board
/// changed.
///
/// # Examples
/// ```
/// use perft_core::{CastlingNotation, Position};
/// use perft_diagnosis::mutations::{MutatedBoard, Mutation};
///
/// let pinned = Position::from_fen("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1").unwrap();
/// let mut board = MutatedBoard::new(&pinned, Mutation::PinnedPieceMoves.into());
/// let moves = board.legal_moves().into_iter().map(|played| played.to_uci(CastlingNotation::Standard));
/// assert_eq!(moves.filter(|text| text.starts_with("d2")).count(), 6);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MutatedBoard {
    board: Board,
    rules: Rules,
}

impl MutatedBoard {
    /// Returns the board of a position of standard chess or Chess960.
    pub fn new(position: &Position, mutation: Option<Mutation>) -> MutatedBoard {
        MutatedBoard::read(position, Rules::new(mutation))
    }

    fn read(position: &Position, mut rules: Rules) -> MutatedBoard {
        let mut board = Board::new(position);
        if board.en_passant.is_some() && rules.is_broken(Rule::EnPassantUnread, Facts::NONE) {
            board.en_passant = None;
        }
        MutatedBoard { board, rules }
    }

    /// Returns the moves that are legal for this generator. Some bugs list a move twice.
    pub fn legal_moves(&mut self) -> MoveList {
        let mut moves = self.moves_but_castling();
        self.castlings(&mut moves);
        moves
    }

    /// Returns the legal moves except castling.
    fn moves_but_castling(&mut self) -> MoveList {
        let mut moves = MoveList::new();
        let Some(situation) = self.situation() else { return moves };
        for from in self.board.of_color(self.board.turn) {
            self.moves_from(from, &situation, &mut moves);
        }
        moves
    }

    /// Adds the legal moves of a piece, except castling.
    fn moves_from(&mut self, from: Square, situation: &Situation, moves: &mut MoveList) {
        let mut unchecked = MoveList::new();
        self.unchecked_moves(from, &mut unchecked);
        moves.extend(unchecked.into_iter().filter(|&played| self.is_legal(played, situation)));
    }

    /// Plays each legal move, calls `visit` with it and the board after it, and takes it back.
    pub fn each_child(&mut self, mut visit: impl FnMut(Move, &mut MutatedBoard)) {
        for played in self.legal_moves() {
            let before = self.board;
            self.play(played);
            visit(played, self);
            self.unmake(before, played);
        }
    }

    /// Counts the moves without making them.
    pub fn count_moves(&mut self) -> u64 {
        let moves = self.legal_moves();
        moves.len() as u64 + u64::from(moves.is_empty() && self.counts_end())
    }

    /// Whether a rule is broken for the side to move.
    fn breaks(&mut self, rule: Rule) -> bool {
        self.rules.is_broken(rule, Facts::side(self.board.turn))
    }

    /// Counts the leaf nodes at a depth, one by one.
    pub fn count(&mut self, depth: u32) -> u64 {
        match depth {
            0 => return 1,
            1 => return self.count_moves(),
            _ => {}
        }
        let (mut nodes, mut has_child) = (0, false);
        self.each_child(|_, child| {
            nodes += child.count(depth - 1);
            has_child = true;
        });
        nodes + u64::from(!has_child && self.counts_end())
    }

    /// Whether the end of a game counts as a leaf node.
    fn counts_end(&mut self) -> bool {
        self.rules.is_broken(Rule::EndIsLeaf, Facts::NONE)
    }
}
