//! Classic bugs of move generators, and a plain generator that can have each of them.
//!
//! A [`Mutation`] changes one rule. A [`MutatedBoard`] is a generator that follows the rules of chess with one mutation
//! or with none. Each rule that authors often get wrong is written in one place, and mutations break it there. Without
//! a mutation the generator is right: the tests compare it with [`perft_core`].
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

mod board;
mod catalogue;
mod counts;
mod models;
mod moves;
mod rules;

pub use catalogue::Mutation;
pub(crate) use catalogue::MutationSet;
pub(crate) use models::relevant;
pub use models::{RuleModel, Scope, matching};

use std::convert::Infallible;

use perft_core::{Bitboard, Move, MoveKind, MoveList, Piece, Position, Square};
#[cfg(not(target_family = "wasm"))]
use rayon::prelude::*;

pub(crate) use board::Board;
use board::Rules;
use rules::{Facts, Rule};

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

/// The threads of the current rayon pool share the items. WebAssembly has no threads.
fn try_map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    result_of: impl Fn(T) -> Result<R, E> + Sync + Send,
) -> Result<Vec<R>, E> {
    #[cfg(not(target_family = "wasm"))]
    let results = items.into_par_iter().with_max_len(16).map(result_of);
    #[cfg(target_family = "wasm")]
    let results = items.into_iter().map(result_of);
    results.collect()
}

/// A plain generator, in which a mutation may change one rule.
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
        let mut moves = MoveList::new();
        if let Some(situation) = self.situation() {
            for from in self.board.of_color(self.board.turn) {
                self.moves_from(from, &situation, &mut moves);
            }
        }
        self.castlings(&mut moves);
        moves
    }

    /// Adds the legal moves of a piece, except castling.
    fn moves_from(&mut self, from: Square, situation: &Situation, moves: &mut MoveList) {
        let mut unchecked = MoveList::new();
        match self.board.at(from) {
            Some(mover) if mover.piece == Piece::Pawn => self.pawn_moves(from, &mut unchecked),
            Some(mover) => self.piece_moves(mover.piece, from, &mut unchecked),
            None => {}
        }
        // Iterating by value would copy the list with its unused capacity.
        moves.extend(unchecked.iter().copied().filter(|&played| self.is_legal(played, situation)));
    }

    /// Plays each legal move, calls `visit` with it and the board after it, and takes it back.
    pub fn each_child(&mut self, mut visit: impl FnMut(Move, &mut MutatedBoard)) {
        let Ok(()) = self.try_each_child(|played, child| {
            visit(played, child);
            Ok::<(), Infallible>(())
        });
    }

    /// Does the same as [`MutatedBoard::each_child`], until `visit` fails.
    fn try_each_child<E>(
        &mut self,
        mut visit: impl FnMut(Move, &mut MutatedBoard) -> Result<(), E>,
    ) -> Result<(), E> {
        for &played in &self.legal_moves() {
            let before = self.board;
            self.play(played);
            visit(played, self)?;
            self.unmake(before, played);
        }
        Ok(())
    }

    /// Counts the moves without making them.
    pub fn count_moves(&mut self) -> u64 {
        let moves = self.legal_moves();
        moves.len() as u64 + u64::from(moves.is_empty() && self.counts_end())
    }

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

    fn counts_end(&mut self) -> bool {
        self.rules.is_broken(Rule::EndIsLeaf, Facts::NONE)
    }
}

/// The facts that decide which moves of a position are legal.
struct Situation {
    /// The king of the side to move. It is missing if a bug allowed its capture.
    king: Option<Square>,
    checkers: Bitboard,
    pinned: Bitboard,
}

impl MutatedBoard {
    /// Returns the situation of the side to move, or `None` if it has no moves at all.
    fn situation(&mut self) -> Option<Situation> {
        if self.breaks(Rule::NoMoves) {
            return None;
        }
        let king = self.board.king(self.board.turn);
        let checkers = king.map(|king| self.board.attackers(king, !self.board.turn, &mut self.rules));
        let pinned = king.map(|king| self.board.pinned(king));
        Some(Situation { king, checkers: checkers.unwrap_or_default(), pinned: pinned.unwrap_or_default() })
    }

    /// Whether a move that is not castling is allowed.
    fn is_legal(&mut self, played: Move, situation: &Situation) -> bool {
        let Some(king) = situation.king else { return true };
        match played.kind() {
            MoveKind::King => self.is_legal_for_king(played, situation),
            MoveKind::EnPassant => self.is_legal_capture_en_passant(played, king, situation),
            // A move of a piece that is not pinned discovers no attack.
            _ if situation.checkers.is_empty() && !situation.pinned.contains(played.from()) => true,
            _ => {
                let after = self.board.with_piece_moved(played);
                let left = after.attackers(king, !self.board.turn, &mut self.rules);
                self.is_excused(played, king, left, situation) && !self.is_refused(played, situation)
            }
        }
    }

    /// Returns the facts about a move before it is made.
    fn facts(&self, played: Move) -> Facts {
        let (from, to) = (played.from(), played.to());
        let piece_at = |square| self.board.at(square).map(|piece| piece.piece);
        let (kind, captured) = match played.kind() {
            MoveKind::DoublePush => (Facts::DoubleStep, None),
            MoveKind::EnPassant => (Facts::EnPassant, Some(Piece::Pawn)),
            MoveKind::Castling => (Facts::Castling, None),
            kind if kind.promotion().is_some() => (Facts::Promotion, piece_at(to)),
            _ => (Facts::Step, piece_at(to)),
        };
        let mover = piece_at(from).map_or(Facts::NONE, Facts::mover);
        let way = if mover == Facts::Pawn { Facts::pawn_step(from, to) } else { Facts::NONE };
        let promoted = played.kind().promotion().map_or(Facts::NONE, Facts::promoted);
        Facts::side(self.board.turn) | mover | kind | Facts::captured(captured) | way | promoted
    }

    fn is_legal_for_king(&mut self, played: Move, situation: &Situation) -> bool {
        let them = !self.board.turn;
        let mut after = self.board.with_piece_moved(played);
        let left = after.attackers(played.to(), them, &mut self.rules);
        if left.is_empty() {
            let is_shielded = after.shielded_attackers(played.to(), them).any();
            return !is_shielded || !self.breaks(Rule::KingShunsShielded);
        }
        let facts = self.facts(played) | after.attacking_pieces(left);
        // The king is put back on its square, to test whether it blocks the line of the attack there.
        after.put(played.from(), self.board.at(played.from()));
        let is_back =
            situation.checkers.any() && after.attackers(played.to(), them, &mut self.rules).is_empty();
        let flight = match is_back {
            true if situation.checkers.has_many() => Facts::StepsBackFromTwo,
            true => Facts::StepsBackFromOne,
            false => Facts::StepsElsewhere,
        };
        self.rules.is_broken(Rule::KingIntoAttack, facts | flight)
    }

    fn is_legal_capture_en_passant(&mut self, played: Move, king: Square, situation: &Situation) -> bool {
        let them = !self.board.turn;
        let mut after = self.board.with_piece_moved(played);
        let left = after.attackers(king, them, &mut self.rules);
        if left.any() {
            let captured = self.board.captured_en_passant(played);
            if !situation.checkers.contains(captured) {
                after.put(captured, self.board.at(captured));
            }
            let is_hidden = after.attackers(king, them, &mut self.rules).is_empty();
            let facts = self.facts(played) | Facts::of_each(left, |from| Facts::line(from, king));
            let rules: &[Rule] = match is_hidden {
                true => &[Rule::EnPassantUnchecked, Rule::EnPassantOpensLine],
                false => &[Rule::EnPassantUnchecked],
            };
            if !self.rules.is_any_broken(rules, facts) && !self.is_excused(played, king, left, situation) {
                return false;
            }
        }
        !self.is_refused(played, situation)
    }

    /// Whether a move of a piece other than the king is allowed although the pieces `left` attack the king after it.
    fn is_excused(&mut self, played: Move, king: Square, left: Bitboard, situation: &Situation) -> bool {
        if left.is_empty() {
            return true;
        }
        let (uncovered, unanswered) = (left & !situation.checkers, left & situation.checkers);
        let facts = self.facts(played);
        if uncovered.any() {
            let line = Facts::of_each(uncovered, |from| Facts::line(from, king));
            let pinned = facts | line | self.board.attacking_pieces(uncovered);
            if !self.rules.is_broken(Rule::PinIgnored, pinned) {
                return false;
            }
        }
        let answers_one = unanswered.count() < situation.checkers.count();
        let answer = if answers_one { Facts::AnswersOne } else { Facts::AnswersNone };
        let checked = facts | answer | self.board.attacking_pieces(unanswered);
        unanswered.is_empty() || self.rules.is_broken(Rule::CheckIgnored, checked)
    }

    /// Whether a mutation refuses a move of a piece other than the king although the king is not attacked after it.
    fn is_refused(&mut self, played: Move, situation: &Situation) -> bool {
        let facts = self.facts(played);
        if situation.pinned.contains(played.from()) && self.rules.is_broken(Rule::PinnedFrozen, facts) {
            return true;
        }
        if situation.checkers.is_empty() {
            return false;
        }
        let captures_checker = situation.checkers.contains(played.to())
            || played.kind() == MoveKind::EnPassant
                && situation.checkers.contains(self.board.captured_en_passant(played));
        let answer = if captures_checker { Facts::TakesChecker } else { Facts::Interposes };
        let checkers = self.board.attacking_pieces(situation.checkers);
        self.rules.is_broken(Rule::AnswerMissing, facts | answer | checkers)
    }
}
