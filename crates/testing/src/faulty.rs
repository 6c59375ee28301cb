//! A move generator with one planted bug at a time, to test that comparisons and hunts find it.
//!
//! It is a plain mailbox generator. Each rule that authors often get wrong is written in one place, and broken there
//! if its bug is planted. The bug is part of the type, so that each faulty generator is a [`Board`] like any other.

use std::marker::PhantomData;

use perft_core::internals::Direction;
use perft_core::{
    Bitboard, CastlingSide, Color, ColoredPiece, Move, MoveKind, Piece, Position, Rank, Setup, Square,
};
use perft_diagnosis::random::setup_of;
use perft_lab::generators::{Board, Design};

/// The bug of a faulty generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// The same code without a bug.
    NoBug,
    /// The captured pawn still blocks lines to the king when an en passant capture is tested for legality.
    EnPassantPin,
    /// An en passant capture is still possible after further moves.
    EnPassantStays,
    /// The king may castle across attacked squares.
    CastlingThroughCheck,
    /// The king may castle out of check.
    CastlingOutOfCheck,
    /// Only the squares that the king crosses must be empty when it castles.
    CastlingThroughPieces,
    /// The castling right of a captured rook remains.
    RookCaptureKeepsRight,
    /// A rook keeps its castling right when it moves, and can castle after it returns.
    RookMoveKeepsRight,
    /// A king keeps its castling rights when it moves, and can castle after it returns.
    KingMoveKeepsRights,
    /// Knights, bishops, rooks and queens may leave their pin line.
    PinnedPieceMoves,
    /// Pawns may capture off their pin line.
    PinnedPawnCaptures,
    /// A move that answers one of two checks is legal.
    DoubleCheck,
    /// The king may step back along the line of a slider that checks it.
    KingStepsBack,
    /// Pawns do not promote to knights.
    NoKnightPromotion,
    /// A pawn that captures on the last rank promotes to a queen only.
    CapturePromotesToQueen,
    /// A pawn jumps over a piece with its double step.
    DoubleStepJumps,
    /// Taking back a capture does not restore castling rights.
    UnmakeLosesRights,
    /// Taking back a move does not restore the en passant square.
    UnmakeLosesEnPassant,
    /// Taking back a promotion does not restore the pawn.
    UnmakeKeepsPromotion,
    /// Taking back an en passant capture does not restore the captured pawn.
    UnmakeLosesPawn,
}

/// A bug as a type.
pub trait PlantedBug: Clone + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The bug.
    const BUG: Bug;
}

macro_rules! bugs {
    ($($bug:ident),* $(,)?) => {
        $(
            #[doc = concat!("Plants [`Bug::", stringify!($bug), "`].")]
            #[derive(Clone, Debug, PartialEq)]
            pub struct $bug;

            impl PlantedBug for $bug {
                const BUG: Bug = Bug::$bug;
            }
        )*
    };
}

bugs!(
    NoBug,
    EnPassantPin,
    EnPassantStays,
    CastlingThroughCheck,
    CastlingOutOfCheck,
    CastlingThroughPieces,
    RookCaptureKeepsRight,
    RookMoveKeepsRight,
    KingMoveKeepsRights,
    PinnedPieceMoves,
    PinnedPawnCaptures,
    DoubleCheck,
    KingStepsBack,
    NoKnightPromotion,
    CapturePromotesToQueen,
    DoubleStepJumps,
    UnmakeLosesRights,
    UnmakeLosesEnPassant,
    UnmakeKeepsPromotion,
    UnmakeLosesPawn,
);

/// A mailbox of 64 squares with the bug `B`.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultyBoard<B> {
    setup: Setup,
    bug: PhantomData<B>,
}

impl<B: PlantedBug> Board for FaultyBoard<B> {
    type Move = Move;

    const DESIGN: Design = Design {
        about: "a mailbox with a bug",
        board: "64 squares",
        sliders: "steps",
        legality: "on a copy, except for the bug",
        playing: "on a copy, except for the bug",
        moves: "the common form",
        counting: "one by one",
        source: "the tests",
    };

    fn new(position: &Position) -> FaultyBoard<B> {
        FaultyBoard { setup: setup_of(position), bug: PhantomData }
    }

    fn each_child(&mut self, mut visit: impl FnMut(Move, &mut FaultyBoard<B>)) {
        for played in self.legal() {
            let before = self.setup.clone();
            self.make(played);
            visit(played, self);
            self.unmake(before, played);
        }
    }

    fn count_moves(&mut self) -> u64 {
        self.legal().len() as u64
    }

    fn to_move(&self, played: Move) -> Move {
        played
    }
}

impl<B: PlantedBug> FaultyBoard<B> {
    /// Returns the board after one of its moves.
    pub fn played(&self, played: Move) -> FaultyBoard<B> {
        let mut board = self.clone();
        board.make(played);
        board
    }

    fn has(&self, bug: Bug) -> bool {
        B::BUG == bug
    }

    fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.setup.board[square.index()]
    }

    fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::ALL {
            match self.at(from) {
                Some(found) if found.color == self.setup.turn => self.moves_of(found.piece, from, &mut moves),
                _ => {}
            }
        }
        moves.retain(|played| self.is_legal(*played));
        self.castlings(&mut moves);
        moves
    }

    fn moves_of(&self, piece: Piece, from: Square, moves: &mut Vec<Move>) {
        if piece == Piece::Pawn {
            return self.pawn_moves(from, moves);
        }
        for to in reach(&self.setup, piece, from) {
            if self.at(to).is_none_or(|found| found.color != self.setup.turn) {
                moves.push(Move::new(kind(piece, from, to), from, to));
            }
        }
    }

    fn pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let us = self.setup.turn;
        let Some(one) = us.forward().step(from) else { return };
        if self.at(one).is_none() {
            self.pawn_move(from, one, false, moves);
        }
        let is_home = from.rank() == if us == Color::White { Rank::Second } else { Rank::Seventh };
        let two = us.forward().step(one).filter(|two| is_home && self.at(*two).is_none());
        let is_free = self.at(one).is_none() || self.has(Bug::DoubleStepJumps);
        if let Some(two) = two.filter(|_| is_free) {
            moves.push(Move::new(MoveKind::DoublePush, from, two));
        }
        for to in [Direction::West, Direction::East].into_iter().filter_map(|side| side.step(one)) {
            match self.at(to) {
                Some(found) if found.color != us => self.pawn_move(from, to, true, moves),
                None if self.setup.en_passant == Some(to) => {
                    let played = Move::new(MoveKind::EnPassant, from, to);
                    let passed = Some(ColoredPiece { color: !us, piece: Piece::Pawn });
                    if self.at(captured_en_passant(played)) == passed {
                        moves.push(played);
                    }
                }
                _ => {}
            }
        }
    }

    fn pawn_move(&self, from: Square, to: Square, captures: bool, moves: &mut Vec<Move>) {
        if !matches!(to.rank(), Rank::First | Rank::Eighth) {
            moves.push(Move::new(MoveKind::Pawn, from, to));
            return;
        }
        for promotion in MoveKind::PROMOTIONS {
            let is_missing = match promotion {
                MoveKind::PromoteQueen => false,
                MoveKind::PromoteKnight if self.has(Bug::NoKnightPromotion) => true,
                _ => captures && self.has(Bug::CapturePromotesToQueen),
            };
            if !is_missing {
                moves.push(Move::new(promotion, from, to));
            }
        }
    }

    /// Whether a move leaves the king unattacked.
    fn is_legal(&self, played: Move) -> bool {
        let us = self.setup.turn;
        let king = king_of(&self.setup, us);
        let checkers = attackers(&self.setup, king, !us);
        let is_pawn_capture = played.kind() == MoveKind::Pawn && played.from().file() != played.to().file();
        let is_piece = matches!(played.kind(), MoveKind::Knight | MoveKind::Diagonal | MoveKind::Orthogonal);
        if checkers.is_empty()
            && (is_piece && self.has(Bug::PinnedPieceMoves)
                || is_pawn_capture && self.has(Bug::PinnedPawnCaptures))
        {
            return true;
        }
        let mut after = self.clone();
        after.make(played);
        if played.kind() == MoveKind::EnPassant && self.has(Bug::EnPassantPin) {
            let captured = captured_en_passant(played);
            if !checkers.contains(&captured) {
                after.setup.board[captured.index()] = self.at(captured);
            }
        }
        if played.kind() == MoveKind::King && self.has(Bug::KingStepsBack) {
            let hides = after.at(played.from()).is_none() && !checkers.is_empty();
            if hides {
                after.setup.board[played.from().index()] =
                    Some(ColoredPiece { color: us, piece: Piece::Pawn });
            }
        }
        let left = attackers(&after.setup, king_of(&after.setup, us), !us);
        let answers_one =
            checkers.len() > 1 && left.len() < checkers.len() && played.kind() != MoveKind::King;
        left.is_empty() || answers_one && self.has(Bug::DoubleCheck)
    }

    fn castlings(&self, moves: &mut Vec<Move>) {
        let us = self.setup.turn;
        let king = king_of(&self.setup, us);
        if king.rank() != us.back_rank() {
            return;
        }
        for rook in self.setup.castling.rooks(us) {
            // With a bug, a right may remain after its rook is gone.
            if self.at(rook) == Some(ColoredPiece { color: us, piece: Piece::Rook })
                && self.may_castle(king, rook)
            {
                moves.push(Move::new(MoveKind::Castling, king, rook));
            }
        }
    }

    fn may_castle(&self, king: Square, rook: Square) -> bool {
        let us = self.setup.turn;
        let side = CastlingSide::of(king, rook);
        let (king_goes, rook_goes) = (side.king_target(us), side.rook_target(us));
        let is_empty = |square: &Square| *square == king || *square == rook || self.at(*square).is_none();
        let rook_path = if self.has(Bug::CastlingThroughPieces) { Vec::new() } else { span(rook, rook_goes) };
        if !span(king, king_goes).iter().chain(&rook_path).all(is_empty) {
            return false;
        }
        let mut bare = self.setup.clone();
        bare.board[king.index()] = None;
        let is_safe = |square: &Square| attackers(&bare, *square, !us).is_empty();
        let start_is_safe = is_safe(&king) || self.has(Bug::CastlingOutOfCheck);
        let crossed =
            span(king, king_goes).into_iter().filter(|square| *square != king && *square != king_goes);
        let crossed_are_safe =
            self.has(Bug::CastlingThroughCheck) || crossed.into_iter().all(|at| is_safe(&at));
        let mut after = self.clone();
        after.make(Move::new(MoveKind::Castling, king, rook));
        start_is_safe && crossed_are_safe && attackers(&after.setup, king_goes, !us).is_empty()
    }

    fn make(&mut self, played: Move) {
        let (us, from, to) = (self.setup.turn, played.from(), played.to());
        let mover = self.setup.board[from.index()].take();
        let captures = self.at(to).is_some();
        let passed = self.setup.en_passant.take();
        match played.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                self.setup.board[to.index()] = None;
                self.setup.board[side.king_target(us).index()] = mover;
                let rook = Some(ColoredPiece { color: us, piece: Piece::Rook });
                self.setup.board[side.rook_target(us).index()] = rook;
            }
            MoveKind::EnPassant => {
                self.setup.board[captured_en_passant(played).index()] = None;
                self.setup.board[to.index()] = mover;
            }
            kind => {
                let piece = kind.promotion().map(|piece| ColoredPiece { color: us, piece });
                self.setup.board[to.index()] = piece.or(mover);
            }
        }
        if played.kind() == MoveKind::DoublePush {
            self.setup.en_passant = us.forward().step(from);
        } else if self.has(Bug::EnPassantStays) {
            self.setup.en_passant = passed.filter(|_| played.kind() != MoveKind::EnPassant);
        }
        self.lose_rights(played, captures);
        self.setup.turn = !us;
    }

    fn lose_rights(&mut self, played: Move, captures: bool) {
        let mut lost = Bitboard::EMPTY;
        if !self.has(Bug::RookMoveKeepsRight) {
            lost |= played.from().into();
        }
        if captures && !self.has(Bug::RookCaptureKeepsRight) {
            lost |= played.to().into();
        }
        let king_moves = matches!(played.kind(), MoveKind::King | MoveKind::Castling);
        if king_moves && !self.has(Bug::KingMoveKeepsRights) {
            lost |= Bitboard::rank(self.setup.turn.back_rank());
        }
        self.setup.castling.remove(lost);
    }

    fn unmake(&mut self, before: Setup, played: Move) {
        let after = std::mem::replace(&mut self.setup, before);
        let captures = self.at(played.to()).is_some() && played.kind() != MoveKind::Castling;
        if captures && self.has(Bug::UnmakeLosesRights) {
            self.setup.castling = after.castling;
        }
        if self.has(Bug::UnmakeLosesEnPassant) {
            self.setup.en_passant = None;
        }
        if let Some(piece) = played.kind().promotion()
            && self.has(Bug::UnmakeKeepsPromotion)
        {
            self.setup.board[played.from().index()] =
                after.board[played.to().index()].filter(|found| found.piece == piece);
        }
        if played.kind() == MoveKind::EnPassant && self.has(Bug::UnmakeLosesPawn) {
            self.setup.board[captured_en_passant(played).index()] = None;
        }
    }
}

/// Returns the squares that a piece attacks. Pawns are treated apart.
fn reach(setup: &Setup, piece: Piece, from: Square) -> Vec<Square> {
    let (directions, range): (&[Direction], usize) = match piece {
        Piece::Pawn => return Vec::new(),
        Piece::Knight => return knight_leaps(from),
        Piece::Bishop => (&Direction::DIAGONAL, 7),
        Piece::Rook => (&Direction::ORTHOGONAL, 7),
        Piece::Queen => (&AROUND, 7),
        Piece::King => (&AROUND, 1),
    };
    let mut reached = Vec::new();
    for direction in directions {
        let mut next = direction.step(from);
        for _ in 0..range {
            let Some(to) = next else { break };
            reached.push(to);
            if setup.board[to.index()].is_some() {
                break;
            }
            next = direction.step(to);
        }
    }
    reached
}

const AROUND: [Direction; 8] = [
    Direction::North,
    Direction::South,
    Direction::East,
    Direction::West,
    Direction::NorthEast,
    Direction::SouthWest,
    Direction::NorthWest,
    Direction::SouthEast,
];

fn knight_leaps(from: Square) -> Vec<Square> {
    let distance = |to: Square| {
        let files = (from.file() as i8 - to.file() as i8).abs();
        files * (from.rank() as i8 - to.rank() as i8).abs()
    };
    Square::ALL.into_iter().filter(|&to| distance(to) == 2).collect()
}

/// Returns the pieces of a colour that attack a square, found by moving each kind of piece from the square.
fn attackers(setup: &Setup, target: Square, by: Color) -> Vec<Square> {
    let is_enemy = |at: &Square, piece| setup.board[at.index()] == Some(ColoredPiece { color: by, piece });
    let mut found = Vec::new();
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King] {
        found.extend(reach(setup, piece, target).into_iter().filter(|at| is_enemy(at, piece)));
    }
    if let Some(behind) = (!by).forward().step(target) {
        let sides = [Direction::West, Direction::East].into_iter().filter_map(|side| side.step(behind));
        found.extend(sides.filter(|at| is_enemy(at, Piece::Pawn)));
    }
    found
}

fn king_of(setup: &Setup, color: Color) -> Square {
    setup.squares_of(color, Piece::King).first().expect("there is a king")
}

/// Returns the squares of a rank from one to another, both included.
fn span(a: Square, b: Square) -> Vec<Square> {
    (a.index().min(b.index())..=a.index().max(b.index())).map(|index| Square::ALL[index]).collect()
}

/// Returns the square of the pawn that is captured en passant.
fn captured_en_passant(played: Move) -> Square {
    Square::new(played.to().file(), played.from().rank())
}

/// Returns the kind of a move of a piece other than a pawn.
fn kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Knight => MoveKind::Knight,
        Piece::King => MoveKind::King,
        _ if is_orthogonal => MoveKind::Orthogonal,
        _ => MoveKind::Diagonal,
    }
}
