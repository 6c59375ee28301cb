//! The moves of a position. Each bug of move generation is one condition.

use perft_core::{Color, File, Piece, Rank, Square};

use super::board::{Board, Step, StepKind, Wing, forward, is_rim, shifted};
use super::{Bug, Bugs};
use crate::oracle::{AROUND, DIAGONAL, KNIGHT, ORTHOGONAL, Place};

/// The place where moves are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// A position whose moves are listed or played.
    Inside,
    /// The last ply, where moves are only counted.
    LastPly,
}

impl Board {
    pub fn legal_moves(&self, bugs: Bugs, at: At) -> Vec<Step> {
        let mut moves = Vec::new();
        let us = self.turn;
        let is_check = self.checkers(us, bugs).any();
        for from in Square::ALL {
            let Some(found) = self.at(from).filter(|found| found.color == us) else { continue };
            if self.unlisted != Some(from) {
                self.moves_of(from, found.piece, is_check, bugs, &mut moves);
            }
        }
        moves.retain(|&step| self.is_legal(step, is_check, bugs, at));
        let castlings = Wing::ALL.into_iter().filter_map(|wing| self.castling(wing, bugs, at));
        // Castling is first, so that wrong unmaking changes the counts of the other moves.
        let mut moves: Vec<Step> = castlings.chain(moves).collect();
        for (bug, length) in [(Bug::ListEnds40, 40), (Bug::ListEnds64, 64)] {
            if bugs.has(bug) {
                moves.truncate(length);
            }
        }
        moves
    }

    fn moves_of(&self, from: Square, piece: Piece, is_check: bool, bugs: Bugs, moves: &mut Vec<Step>) {
        let (offsets, range): (&[Place], usize) = match piece {
            Piece::Pawn => return self.pawn_moves(from, is_check, bugs, moves),
            Piece::Knight if is_rim(from) && bugs.has(Bug::KnightStaysOnRim) => return,
            Piece::Knight => (&KNIGHT, 1),
            Piece::Bishop => (&DIAGONAL, 7),
            Piece::Rook => (&ORTHOGONAL, 7),
            Piece::Queen => (&AROUND, 7),
            Piece::King => (&AROUND, 1),
        };
        let us = self.turn;
        for &offset in offsets {
            let is_back_diagonal = offset.0 != 0 && offset.1 == -forward(us);
            let is_short = piece == Piece::Queen && is_back_diagonal && bugs.has(Bug::QueenShortBackwards);
            let mut to = from;
            for _ in 0..if is_short { 3 } else { range } {
                let Some(next) = shifted(to, offset) else { break };
                to = next;
                let taken = self.at(to);
                let is_barred = piece == Piece::Bishop
                    && taken.is_some()
                    && is_on_long_diagonal(from)
                    && bugs.has(Bug::BishopNoCaptureOnLongDiagonal);
                if taken.is_none_or(|taken| taken.color != us) && !is_barred {
                    moves.push(Step { from, to, kind: StepKind::Plain });
                }
                let is_stopped = piece == Piece::Rook
                    && us == Color::White
                    && offset == (-1, 0)
                    && to.file() == File::C
                    && bugs.has(Bug::RookStopsAtC);
                if taken.is_some() || is_stopped {
                    break;
                }
            }
        }
    }

    fn pawn_moves(&self, from: Square, is_check: bool, bugs: Bugs, moves: &mut Vec<Step>) {
        let us = self.turn;
        let forward = forward(us);
        let second_rank = if us == Color::White { Rank::Second } else { Rank::Seventh };
        let Some(one) = shifted(from, (0, forward)) else { return };
        if self.at(one).is_none() {
            self.pawn_move(from, one, is_check, bugs, moves);
        }
        let may_pass = self.at(one).is_none_or(|found| found.color == us && bugs.has(Bug::DoubleStepOverOwn));
        let has_double = from.rank() == second_rank
            && !(from.file() == File::A && bugs.has(Bug::NoDoubleStepOnA))
            && !(is_check && bugs.has(Bug::NoDoubleStepInCheck));
        if let Some(to) = shifted(one, (0, forward)).filter(|&two| self.at(two).is_none())
            && may_pass
            && has_double
        {
            moves.push(Step { from, to, kind: StepKind::DoubleStep });
        }
        for side in [-1, 1] {
            let Some(to) = shifted(from, (side, forward)) else { continue };
            match self.at(to) {
                Some(taken) if taken.color != us => self.pawn_move(from, to, is_check, bugs, moves),
                None if self.can_take_en_passant(from, to, bugs) => {
                    moves.push(Step { from, to, kind: StepKind::EnPassant });
                }
                _ => {}
            }
        }
    }

    fn can_take_en_passant(&self, from: Square, to: Square, bugs: Bugs) -> bool {
        let is_late = self.passed_before[1] == Some(to) && bugs.has(Bug::EnPassantTwoPliesLater);
        let has_victim = self.has(Square::new(to.file(), from.rank()), !self.turn, Piece::Pawn);
        (self.passed == Some(to) || is_late)
            && has_victim
            && !(from.file() == File::H && bugs.has(Bug::NoEnPassantFromH))
    }

    /// Adds a move of a pawn. A move to the last rank is added as four promotions.
    fn pawn_move(&self, from: Square, to: Square, is_check: bool, bugs: Bugs, moves: &mut Vec<Step>) {
        if !matches!(to.rank(), Rank::First | Rank::Eighth) {
            moves.push(Step { from, to, kind: StepKind::Plain });
            return;
        }
        for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
            let is_to_a = to.file() < from.file();
            let is_missing = (piece == Piece::Rook && is_to_a && bugs.has(Bug::NoRookPromotionToA))
                || (piece != Piece::Queen && is_check && bugs.has(Bug::InCheckOnlyQueens));
            if !is_missing {
                moves.push(Step { from, to, kind: StepKind::Promotion(piece) });
            }
        }
    }

    /// Whether the king is safe after a move, as a program with these bugs judges it.
    fn is_legal(&self, step: Step, is_check: bool, bugs: Bugs, at: At) -> bool {
        let us = self.turn;
        let mut after = *self;
        after.make(step, Bugs::default());
        let taken = self.at(step.to).map(|taken| taken.piece);
        // The copy was made without bugs, so it needs this flag as it was before the move.
        after.is_after_en_passant = self.is_after_en_passant;
        if self.has(step.from, us, Piece::King) {
            return self.is_legal_king_move(step, &after, bugs, at);
        }
        let king = after.kings[us.index()];
        let checkers = after.checkers(us, bugs);
        if checkers.is_empty() {
            return true;
        }
        let is_en_passant = step.kind == StepKind::EnPassant;
        let opens =
            |is_line: fn(Square, Square) -> bool| checkers.into_iter().all(|from| is_line(from, king));
        let takes_knight = || {
            let before = self.checkers(us, bugs);
            before.has_many() && before.contains(step.to) && taken == Some(Piece::Knight)
        };
        let is_last = at == At::LastPly;
        (bugs.has(Bug::PinsOnFilesOnly)
            && !is_check
            && !is_en_passant
            && opens(|from, king| from.file() != king.file()))
            || (bugs.has(Bug::DoubleCheckTakesKnight) && takes_knight())
            || (bugs.has(Bug::EnPassantPinOnRank)
                && is_en_passant
                && opens(|from, king| from.rank() == king.rank()))
            || (bugs.has(Bug::LeafEnPassantDiagonal) && is_last && is_en_passant && opens(is_diagonal))
            || (bugs.has(Bug::LeafUnderpromotionsUnchecked)
                && is_last
                && matches!(step.kind, StepKind::Promotion(piece) if piece != Piece::Queen))
    }

    fn is_legal_king_move(&self, step: Step, after: &Board, bugs: Bugs, at: At) -> bool {
        let (us, taken) = (self.turn, self.at(step.to).map(|taken| taken.piece));
        if taken == Some(Piece::Queen) && bugs.has(Bug::KingTakesNoQueen) {
            return false;
        }
        if (taken == Some(Piece::Pawn) && bugs.has(Bug::KingTakesProtectedPawn))
            || (taken.is_some() && at == At::LastPly && bugs.has(Bug::LeafKingCapturesUnchecked))
        {
            return true;
        }
        let is_harmless = |from: Square| {
            bugs.has(Bug::KingNextToKingDiagonally)
                && after.has(from, !us, Piece::King)
                && from.file() != step.to.file()
                && from.rank() != step.to.rank()
        };
        after.attackers(step.to, !us, bugs).into_iter().all(is_harmless)
    }

    fn castling(&self, wing: Wing, bugs: Bugs, at: At) -> Option<Step> {
        let us = self.turn;
        let is_black_queen_side = us == Color::Black && wing == Wing::Queen;
        let rank = us.back_rank();
        let (rook, crossed, target) = wing.files();
        let place = |file| Square::new(file, rank);
        let trusts_right = bugs.has(Bug::BishopPromotionKeepsRight) || bugs.has(Bug::KnightCaptureKeepsRight);
        let is_at_home = self.has(place(File::E), us, Piece::King)
            && (trusts_right || self.has(place(rook), us, Piece::Rook))
            && self.unlisted != Some(place(File::E));
        let ignores_b = is_black_queen_side && bugs.has(Bug::BlackQueenSideIgnoresB8);
        let is_free = |&&file: &&File| self.at(place(file)).is_none() || (ignores_b && file == File::B);
        let are_free = wing.between().iter().filter(is_free).count() == wing.between().len();
        let is_safe = |file: File| {
            let attackers = self.attackers(place(file), !us, bugs);
            let is_ignored = |from: Square| {
                us == Color::Black
                    && file == crossed
                    && self.has(from, !us, Piece::Knight)
                    && bugs.has(Bug::BlackCastlesPastKnight)
            };
            attackers.into_iter().all(is_ignored)
        };
        let is_left_out = is_black_queen_side && at == At::LastPly && bugs.has(Bug::LeafNoBlackQueenSide);
        let is_allowed = self.rights[us.index()][wing as usize]
            && is_at_home
            && are_free
            && [File::E, crossed, target].into_iter().all(is_safe)
            && !is_left_out;
        let (from, to) = (place(File::E), place(target));
        is_allowed.then_some(Step { from, to, kind: StepKind::Castling(wing) })
    }
}

fn is_on_long_diagonal(square: Square) -> bool {
    let (file, rank) = (square.file().index(), square.rank().index());
    file == rank || file + rank == 7
}

fn is_diagonal(a: Square, b: Square) -> bool {
    a.file().index().abs_diff(b.file().index()) == a.rank().index().abs_diff(b.rank().index())
}
