//! The moves of the plain generator: pseudo-legal moves, castling, and making and taking back a move.

use perft_core::internals::Direction;
use perft_core::internals::attacks::{between, pawn};
use perft_core::{Bitboard, CastlingSide, ColoredPiece, File, Move, MoveKind, MoveList, Piece, Rank, Square};

use super::MutatedBoard;
use super::board::{Board, offset_square};
use super::rules::{Facts, Rule};

impl MutatedBoard {
    /// Adds the pseudo-legal moves of a piece other than a pawn.
    pub(super) fn piece_moves(&mut self, piece: Piece, from: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        for to in self.board.reach(piece, from, &mut self.rules) {
            if self.board.at(to).is_none_or(|piece| piece.color != us) {
                moves.push(Move::new(kind(piece, from, to), from, to));
            }
        }
    }

    /// Adds the pseudo-legal moves of a pawn.
    pub(super) fn pawn_moves(&mut self, from: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        let Some(one) = us.forward().step(from) else { return };
        let ahead = self.board.at(one);
        if ahead.is_none_or(|piece| piece.color != us && self.breaks(Rule::PawnPushCaptures)) {
            self.pawn_move(from, one, moves);
        }
        let two = us.forward().step(one).filter(|&two| self.may_step_twice(from, one, two));
        if let Some(two) = two {
            moves.push(Move::new(MoveKind::DoublePush, from, two));
        }
        let captures_backwards = self.captures_backwards(from);
        let one = (!us).forward().step(from).filter(|_| captures_backwards).unwrap_or(one);
        for side in [Direction::West, Direction::East] {
            match side.step(one) {
                Some(to) => self.pawn_capture(from, to, moves),
                None => self.wrapped_capture(from, one, side, moves),
            }
        }
    }

    /// Whether a bug lets a pawn capture backwards instead of forwards.
    fn captures_backwards(&mut self, from: Square) -> bool {
        let us = self.board.turn;
        let mut targets = self.board.of_color(!us);
        if let Some(en_passant) = self.board.en_passant {
            targets |= en_passant.into();
        }
        let captures = (pawn(us, from) | pawn(!us, from)) & targets;
        captures.any() && self.breaks(Rule::PawnsCaptureBackwards)
    }

    fn may_step_twice(&mut self, from: Square, one: Square, two: Square) -> bool {
        let us = self.board.turn;
        let jumps = self.board.at(one).is_some();
        let rank = us.rank(from.rank());
        match (rank, self.board.at(two)) {
            (Rank::Second, Some(piece)) => {
                piece.color != us && !jumps && self.breaks(Rule::DoubleStepCaptures)
            }
            (_, Some(_)) => false,
            (Rank::Second, None) if jumps => self.breaks(Rule::DoubleStepJumps),
            (Rank::Second, None) => !self.breaks(Rule::DoubleStepMissing),
            _ if jumps || matches!(two.rank(), Rank::First | Rank::Eighth) => false,
            _ => {
                let rank = if rank == Rank::Third { Facts::ThirdRank } else { Facts::LaterRank };
                self.rules.is_broken(Rule::DoubleStepFromRank, Facts::side(us) | rank)
            }
        }
    }

    fn pawn_capture(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        let facts = Facts::side(us) | Facts::pawn_step(from, to);
        match self.board.at(to) {
            Some(piece) if piece.color == us => {}
            Some(_) if self.rules.is_broken(Rule::PawnCaptureMissing, facts) => {}
            Some(_) => self.pawn_move(from, to, moves),
            None if self.board.en_passant == Some(to) => self.en_passant(from, to, moves),
            None if self.rules.is_broken(Rule::PawnStepsAside, facts) => self.pawn_move(from, to, moves),
            _ => {}
        }
    }

    fn en_passant(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let us = self.board.turn;
        let played = Move::new(MoveKind::EnPassant, from, to);
        // With a bug, the en passant square may remain after its pawn is gone.
        if !self.board.has(self.board.captured_en_passant(played), !us, Piece::Pawn) {
            return;
        }
        let facts = Facts::side(us) | Facts::pawn_step(from, to);
        let mut captors = pawn(!us, to).into_iter().filter(|&square| self.board.has(square, us, Piece::Pawn));
        let is_second = captors.next() != Some(from);
        let is_missing = self.rules.is_broken(Rule::EnPassantMissing, facts)
            || is_second && self.rules.is_broken(Rule::SecondEnPassantMissing, facts);
        if !is_missing {
            moves.push(played);
        }
    }

    /// Adds a capture around the edge of the board, which only a bug allows. `one` is next to the pawn on its file.
    fn wrapped_capture(&mut self, from: Square, one: Square, side: Direction, moves: &mut MoveList) {
        let us = self.board.turn;
        let Some(to) = offset_square(one, side.offset()) else { return };
        let is_capture = self.board.at(to).is_some_and(|piece| piece.color != us);
        let rules: &[Rule] = match self.board.en_passant == Some(to) {
            true => &[Rule::PawnWraps, Rule::EnPassantWraps],
            false => &[Rule::PawnWraps],
        };
        let facts = Facts::side(us) | Facts::pawn_step(from, to);
        if (is_capture || rules.len() > 1) && self.rules.is_any_broken(rules, facts) {
            self.pawn_capture(from, to, moves);
        }
    }

    fn pawn_move(&mut self, from: Square, to: Square, moves: &mut MoveList) {
        let captured = Facts::captured(self.board.at(to).map(|piece| piece.piece));
        let facts = Facts::side(self.board.turn) | captured | Facts::pawn_step(from, to);
        let is_promotion = to.rank() == (!self.board.turn).back_rank();
        if !is_promotion || self.rules.is_broken(Rule::PromotionStaysPawn, facts) {
            moves.push(Move::new(MoveKind::Pawn, from, to));
            return;
        }
        for promotion in MoveKind::PROMOTIONS {
            let piece = promotion.promotion().map_or(Facts::NONE, Facts::promoted);
            if !self.rules.is_broken(Rule::PromotionMissing, facts | piece) {
                moves.push(Move::new(promotion, from, to));
            }
        }
    }
}

/// Returns the kind of a move of a piece other than a pawn.
pub(crate) fn kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Knight => MoveKind::Knight,
        Piece::King => MoveKind::King,
        _ if is_orthogonal => MoveKind::Orthogonal,
        _ => MoveKind::Diagonal,
    }
}

impl MutatedBoard {
    pub(super) fn castlings(&mut self, moves: &mut MoveList) {
        let us = self.board.turn;
        let home = self.board.homes[us.index()];
        // With a bug, a castling right may remain after the king has left.
        let mut rooks = self.board.castling.rooks(us);
        if self.board.king(us) != Some(home) || rooks.is_empty() || self.breaks(Rule::NoMoves) {
            return;
        }
        let others = self.corner_rooks(home) & !rooks;
        if !rooks.has_many() && others.any() && self.breaks(Rule::CastlingSharesRight) {
            rooks |= others;
        }
        for rook in rooks {
            if self.may_castle(home, rook) {
                let castling = Move::new(MoveKind::Castling, home, rook);
                moves.push(castling);
                if self.rules.is_broken(Rule::CastlingTwice, self.castling_facts(home, rook)) {
                    moves.push(castling);
                }
            }
        }
    }

    fn corner_rooks(&self, home: Square) -> Bitboard {
        let corners = [File::A, File::H].map(|file| Square::new(file, home.rank()));
        corners.into_iter().filter(|corner| self.board.has(*corner, self.board.turn, Piece::Rook)).collect()
    }

    fn castling_facts(&self, king: Square, rook: Square) -> Facts {
        Facts::side(self.board.turn) | Facts::wing(CastlingSide::of(king, rook))
    }

    fn may_castle(&mut self, king: Square, rook: Square) -> bool {
        let (us, side) = (self.board.turn, CastlingSide::of(king, rook));
        let king_path = span(king, side.king_target(us));
        let rook_path = span(rook, side.rook_target(us)) & !king_path;
        let facts = self.castling_facts(king, rook);
        let others = self.board.occupied() & !Bitboard::from(king).with(rook);
        let mut blocked = Facts::NONE;
        for (path, fact) in [(king_path, Facts::KingPath), (rook_path, Facts::RookPath)] {
            if (path & others).any() {
                blocked = blocked | fact;
            }
        }
        // With a bug, a right may remain after its rook is gone.
        let has_rook =
            self.board.has(rook, us, Piece::Rook) || self.rules.is_broken(Rule::CastlingWithoutRook, facts);
        has_rook
            && (blocked == Facts::NONE || self.rules.is_broken(Rule::CastlingBlocked, facts | blocked))
            && self.is_safe_to_castle(king, rook)
            && !self.is_castling_refused(king, rook, rook_path)
    }

    /// Whether the king is not attacked on its square, on the squares that it passes, and on its target square.
    fn is_safe_to_castle(&mut self, king: Square, rook: Square) -> bool {
        let (us, side) = (self.board.turn, CastlingSide::of(king, rook));
        let target = side.king_target(us);
        let bare = self.board.without(king);
        // In Chess960, the castling rook may have protected the target square from an attack.
        let mut after = bare.without(rook);
        after.put(side.rook_target(us), Some(ColoredPiece { color: us, piece: Piece::Rook }));
        let facts = self.castling_facts(king, rook);
        let mut crossed = between(king, target).into_iter();
        self.is_safe(&bare, king, Rule::CastlingOutOfCheck, facts)
            && crossed.all(|square| self.is_safe(&bare, square, Rule::CastlingThroughCheck, facts))
            && self.is_safe(&after, target, Rule::CastlingIntoCheck, facts)
    }

    /// Whether a square is not attacked, or a mutation breaks the rule that forbids the attack.
    fn is_safe(&mut self, board: &Board, square: Square, rule: Rule, facts: Facts) -> bool {
        let them = !self.board.turn;
        let mut attackers = board.attackers(square, them, &mut self.rules);
        let [stepping, capturing] = board.pawns_towards(square, them);
        let is_crossed = rule != Rule::CastlingOutOfCheck && stepping != capturing;
        if is_crossed && self.breaks(Rule::CastlingTestedWithSteps) {
            attackers = attackers & !capturing | stepping;
        }
        attackers.is_empty() || self.rules.is_broken(rule, facts | board.attacking_pieces(attackers))
    }

    /// Whether a mutation refuses castling that is legal.
    fn is_castling_refused(&mut self, king: Square, rook: Square, rook_path: Bitboard) -> bool {
        let (us, board) = (self.board.turn, self.board);
        let facts = self.castling_facts(king, rook);
        let mut is_attacked = |square| board.attackers(square, !us, &mut self.rules).any();
        let is_rook_attacked = is_attacked(rook);
        let is_path_attacked = (rook_path & !Bitboard::from(rook)).into_iter().any(is_attacked);
        self.rules.is_broken(Rule::CastlingMissing, facts)
            || is_rook_attacked && self.rules.is_broken(Rule::CastlingRookAttacked, facts)
            || is_path_attacked && self.rules.is_broken(Rule::CastlingRookPathAttacked, facts)
    }
}

fn span(a: Square, b: Square) -> Bitboard {
    between(a, b).with(a).with(b)
}

impl MutatedBoard {
    /// Makes a move of this board.
    pub fn play(&mut self, played: Move) {
        let us = self.board.turn;
        if self.rules.is_broken(Rule::MovesNotMade, Facts::NONE) {
            return;
        }
        let (lost, facts) = (self.lost_rights(played), self.facts(played));
        self.move_pieces(played);
        let passed = self.board.en_passant.take();
        let from_rank = match us.rank(played.from().rank()) {
            Rank::Second => Facts::SecondRank,
            Rank::Third => Facts::ThirdRank,
            _ => Facts::LaterRank,
        };
        let is_double = played.kind() == MoveKind::DoublePush;
        if is_double && !self.rules.is_broken(Rule::EnPassantNotSet, Facts::side(us) | from_rank) {
            self.board.en_passant = us.forward().step(played.from());
        } else if passed.is_some() && self.rules.is_broken(Rule::EnPassantStays, facts) {
            self.board.en_passant = passed.filter(|_| played.kind() != MoveKind::EnPassant);
        }
        self.board.castling.remove(lost);
        self.board.turn = !us;
    }

    fn move_pieces(&mut self, played: Move) {
        let (us, from, to) = (self.board.turn, played.from(), played.to());
        let mover = self.board.at(from);
        self.board.put(from, None);
        match played.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                let rook = Some(ColoredPiece { color: us, piece: Piece::Rook });
                let facts = self.castling_facts(from, to);
                let leaves_rook = self.rules.is_broken(Rule::CastlingLeavesRook, facts);
                self.board.put(to, rook.filter(|_| leaves_rook));
                self.board.put(side.king_target(us), mover);
                if !leaves_rook {
                    self.board.put(side.rook_target(us), rook);
                }
            }
            kind => {
                let promoted = kind.promotion().map(|piece| {
                    let color = if self.breaks(Rule::PromotionChangesSide) { !us } else { us };
                    ColoredPiece { color, piece }
                });
                self.board.put(to, promoted.or(mover));
            }
        }
        if played.kind() == MoveKind::EnPassant && !self.breaks(Rule::EnPassantLeavesPawn) {
            self.board.put(self.board.captured_en_passant(played), None);
        }
    }

    /// Returns the squares of the rooks whose castling right a move takes away.
    fn lost_rights(&mut self, played: Move) -> Bitboard {
        let us = self.board.turn;
        let (own, theirs) = (self.board.castling.rooks(us), self.board.castling.rooks(!us));
        let mut lost = Bitboard::EMPTY;
        if own.any() {
            lost = match played.kind() {
                MoveKind::King | MoveKind::Castling => self.lost_by_king(played, own),
                _ if own.contains(played.from()) => self.lost_by_rook(played.from(), own),
                _ => self.lost_by_other_rook(played.from(), own),
            };
        }
        let captures = played.kind() != MoveKind::Castling && self.board.at(played.to()).is_some();
        if captures && theirs.contains(played.to()) {
            lost |= self.lost_by_capture(played, theirs);
        }
        lost
    }

    fn lost_by_king(&mut self, played: Move, own: Bitboard) -> Bitboard {
        let (facts, home) = (self.facts(played), self.board.homes[self.board.turn.index()]);
        let is_lost = |rook: &Square| {
            let wing = Facts::wing(CastlingSide::of(home, *rook));
            !self.rules.is_broken(Rule::KingMoveKeepsRight, facts | wing)
        };
        own.into_iter().filter(is_lost).collect()
    }

    fn lost_by_rook(&mut self, from: Square, own: Bitboard) -> Bitboard {
        let facts = self.castling_facts(self.board.homes[self.board.turn.index()], from);
        let is_kept = self.rules.is_broken(Rule::RookMoveKeepsRight, facts);
        let takes_both = own.has_many() && self.rules.is_broken(Rule::RookMoveTakesBothRights, facts);
        let taken = if is_kept { Bitboard::EMPTY } else { from.into() };
        if takes_both { own } else { taken }
    }

    /// Returns the rights that another rook on the same file takes away because of a bug.
    fn lost_by_other_rook(&mut self, from: Square, own: Bitboard) -> Bitboard {
        let us = self.board.turn;
        let on_file: Bitboard = own.into_iter().filter(|rook| rook.file() == from.file()).collect();
        let takes =
            on_file.any() && self.board.has(from, us, Piece::Rook) && self.breaks(Rule::RookTakesRightOfFile);
        if takes { on_file } else { Bitboard::EMPTY }
    }

    fn lost_by_capture(&mut self, played: Move, theirs: Bitboard) -> Bitboard {
        let (them, rook) = (!self.board.turn, played.to());
        let wing = Facts::wing(CastlingSide::of(self.board.homes[them.index()], rook));
        // The side is the one that has the right, not the one that captures.
        let kind = if played.kind().promotion().is_some() { Facts::Promotion } else { Facts::Step };
        let facts = Facts::side(them) | wing | kind;
        if self.rules.is_broken(Rule::RookCaptureKeepsRight, facts) {
            return Bitboard::EMPTY;
        }
        let takes_both = theirs.has_many() && self.rules.is_broken(Rule::RookCaptureTakesBothRights, facts);
        if takes_both { theirs } else { rook.into() }
    }

    /// `before` is the board before the move.
    pub(super) fn unmake(&mut self, before: Board, played: Move) {
        let after = std::mem::replace(&mut self.board, before);
        self.unmake_rights(&after, played);
        if before.en_passant.is_some() && self.breaks(Rule::UnmakeLosesEnPassant) {
            self.board.en_passant = None;
        }
        match played.kind() {
            MoveKind::EnPassant if self.breaks(Rule::UnmakeLosesPawn) => {
                self.board.put(before.captured_en_passant(played), None);
            }
            MoveKind::EnPassant if self.breaks(Rule::UnmakeWrongPawn) => {
                let pawn = ColoredPiece { color: before.turn, piece: Piece::Pawn };
                self.board.put(before.captured_en_passant(played), Some(pawn));
            }
            MoveKind::Castling => self.unmake_castling(before, played),
            kind if kind.promotion().is_some() && self.breaks(Rule::UnmakeKeepsPromotion) => {
                let promoted = after.at(played.to()).filter(|piece| Some(piece.piece) == kind.promotion());
                self.board.put(played.from(), promoted);
            }
            _ => {}
        }
    }

    fn unmake_castling(&mut self, before: Board, played: Move) {
        let facts = self.castling_facts(played.from(), played.to());
        if self.rules.is_broken(Rule::UnmakeLeavesRook, facts) {
            let side = CastlingSide::of(played.from(), played.to());
            let rook = self.board.at(played.to());
            self.board.put(played.to(), None);
            self.board.put(side.rook_target(before.turn), rook);
            self.board.put(played.from(), before.at(played.from()));
        }
    }

    fn unmake_rights(&mut self, after: &Board, played: Move) {
        if self.board.castling == after.castling {
            return;
        }
        let captures = played.kind() != MoveKind::Castling && self.board.at(played.to()).is_some();
        let mover = self.board.at(played.from()).map(|mover| mover.piece);
        let moves_right = matches!(mover, Some(Piece::King | Piece::Rook));
        let facts = self.facts(played);
        if captures && self.rules.is_broken(Rule::UnmakeLosesRightsOfCapture, facts)
            || moves_right && self.rules.is_broken(Rule::UnmakeLosesRightsOfMover, facts)
        {
            self.board.castling = after.castling;
        }
    }
}
