//! Generators with one rule broken each: proof that a comparison finds what it is there to find.
//!
//! One plain mailbox generator in which every rule that people get wrong stands in one place, behind a question: is this the
//! rule that is broken? The rule is part of the type, so that each broken generator is a [`Board`] like any other.

use std::marker::PhantomData;

use perft_core::internals::Direction;
use perft_core::{Bitboard, CastlingSide, Color, ColoredPiece, Move, MoveKind, Piece, Rank, Square};
use perft_core::{Position, Setup};
use perft_diagnosis::random::setup_of;
use perft_lab::generators::{Board, Design};

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: the same code, and right.
    Sound,
    /// Whether en passant uncovers the king is judged with the captured pawn still on the board.
    EnPassantPin,
    /// En passant is still possible a move later.
    EnPassantStays,
    /// The square that the king crosses when it castles may be attacked.
    CastlingThroughCheck,
    /// The king may castle out of a check.
    CastlingOutOfCheck,
    /// Between king and rook only the squares that the king crosses must be empty.
    CastlingThroughPieces,
    /// A rook that is captured leaves its castling right behind.
    RookCaptureKeepsRight,
    /// A rook that moves keeps its castling right, and has it again when it comes back.
    RookMoveKeepsRight,
    /// A king that moves keeps its castling rights, and has them again when it comes back.
    KingMoveKeepsRights,
    /// Knights, bishops, rooks and queens may leave their pin line.
    PinnedPieceMoves,
    /// Pawns may capture off their pin line.
    PinnedPawnCaptures,
    /// In a double check it is enough to answer one of the two.
    DoubleCheck,
    /// The king hides what is behind it from a slider that checks it.
    KingStepsBack,
    /// Pawns do not become knights.
    NoKnightPromotion,
    /// A pawn that captures on the last rank becomes a queen only.
    CapturePromotesToQueen,
    /// A pawn's double step jumps over what stands before it.
    DoubleStepJumps,
    /// Taking back a capture does not bring castling rights back.
    UnmakeLosesRights,
    /// Taking back a move does not bring the en passant square back.
    UnmakeLosesEnPassant,
    /// Taking back a promotion leaves what the pawn became.
    UnmakeKeepsPromotion,
    /// Taking back en passant does not bring the captured pawn back.
    UnmakeLosesPawn,
}

/// A fault as a type.
pub trait Broken: Clone + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    const FAULT: Fault;
}

macro_rules! faults {
    ($($fault:ident),* $(,)?) => {
        $(
            #[derive(Clone, Debug, PartialEq)]
            pub struct $fault;

            impl Broken for $fault {
                const FAULT: Fault = Fault::$fault;
            }
        )*
    };
}

faults!(
    Sound,
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

/// A mailbox of 64 squares with a fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Faulty<B> {
    setup: Setup,
    fault: PhantomData<B>,
}

impl<B: Broken> Board for Faulty<B> {
    type Move = Move;

    const DESIGN: Design = Design {
        about: "a mailbox with a fault",
        board: "64 squares",
        sliders: "steps",
        legality: "on a copy, but for the fault",
        playing: "on a copy, but for the fault",
        moves: "the common form",
        counting: "one by one",
        source: "the tests",
    };

    fn new(position: &Position) -> Faulty<B> {
        Faulty { setup: setup_of(position), fault: PhantomData }
    }

    fn each_child(&mut self, mut visit: impl FnMut(Move, &mut Faulty<B>)) {
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

impl<B: Broken> Faulty<B> {
    /// The board after one of its moves, none of which is taken back.
    pub fn played(&self, played: Move) -> Faulty<B> {
        let mut board = self.clone();
        board.make(played);
        board
    }

    fn has(&self, fault: Fault) -> bool {
        B::FAULT == fault
    }

    fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.setup.board[square.index()]
    }

    fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::ALL {
            match self.at(from) {
                Some(man) if man.color == self.setup.turn => self.moves_of(man.piece, from, &mut moves),
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
            if self.at(to).is_none_or(|man| man.color != self.setup.turn) {
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
        let is_free = self.at(one).is_none() || self.has(Fault::DoubleStepJumps);
        if let Some(two) = two.filter(|_| is_free) {
            moves.push(Move::new(MoveKind::DoublePush, from, two));
        }
        for to in [Direction::West, Direction::East].into_iter().filter_map(|side| side.step(one)) {
            match self.at(to) {
                Some(man) if man.color != us => self.pawn_move(from, to, true, moves),
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
                MoveKind::PromoteKnight if self.has(Fault::NoKnightPromotion) => true,
                _ => captures && self.has(Fault::CapturePromotesToQueen),
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
            && (is_piece && self.has(Fault::PinnedPieceMoves)
                || is_pawn_capture && self.has(Fault::PinnedPawnCaptures))
        {
            return true;
        }
        let mut after = self.clone();
        after.make(played);
        if played.kind() == MoveKind::EnPassant && self.has(Fault::EnPassantPin) {
            let captured = captured_en_passant(played);
            if !checkers.contains(&captured) {
                after.setup.board[captured.index()] = self.at(captured);
            }
        }
        if played.kind() == MoveKind::King && self.has(Fault::KingStepsBack) {
            let hides = after.at(played.from()).is_none() && !checkers.is_empty();
            if hides {
                after.setup.board[played.from().index()] =
                    Some(ColoredPiece { color: us, piece: Piece::Pawn });
            }
        }
        let left = attackers(&after.setup, king_of(&after.setup, us), !us);
        let answers_one =
            checkers.len() > 1 && left.len() < checkers.len() && played.kind() != MoveKind::King;
        left.is_empty() || answers_one && self.has(Fault::DoubleCheck)
    }

    fn castlings(&self, moves: &mut Vec<Move>) {
        let us = self.setup.turn;
        let king = king_of(&self.setup, us);
        if king.rank() != us.back_rank() {
            return;
        }
        for rook in self.setup.castling.rooks(us) {
            // A right that outlived its rook, or whose king is elsewhere, is of no use to anybody.
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
        let rook_path =
            if self.has(Fault::CastlingThroughPieces) { Vec::new() } else { span(rook, rook_goes) };
        if !span(king, king_goes).iter().chain(&rook_path).all(is_empty) {
            return false;
        }
        let mut bare = self.setup.clone();
        bare.board[king.index()] = None;
        let is_safe = |square: &Square| attackers(&bare, *square, !us).is_empty();
        let start_is_safe = is_safe(&king) || self.has(Fault::CastlingOutOfCheck);
        let crossed =
            span(king, king_goes).into_iter().filter(|square| *square != king && *square != king_goes);
        let crossed_are_safe =
            self.has(Fault::CastlingThroughCheck) || crossed.into_iter().all(|at| is_safe(&at));
        let mut after = self.clone();
        after.make(Move::new(MoveKind::Castling, king, rook));
        start_is_safe && crossed_are_safe && attackers(&after.setup, king_goes, !us).is_empty()
    }

    fn make(&mut self, played: Move) {
        let (us, from, to) = (self.setup.turn, played.from(), played.to());
        let man = self.setup.board[from.index()].take();
        let captures = self.at(to).is_some();
        let passed = self.setup.en_passant.take();
        match played.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::of(from, to);
                self.setup.board[to.index()] = None;
                self.setup.board[side.king_target(us).index()] = man;
                let rook = Some(ColoredPiece { color: us, piece: Piece::Rook });
                self.setup.board[side.rook_target(us).index()] = rook;
            }
            MoveKind::EnPassant => {
                self.setup.board[captured_en_passant(played).index()] = None;
                self.setup.board[to.index()] = man;
            }
            kind => {
                let piece = kind.promotion().map(|piece| ColoredPiece { color: us, piece });
                self.setup.board[to.index()] = piece.or(man);
            }
        }
        if played.kind() == MoveKind::DoublePush {
            self.setup.en_passant = us.forward().step(from);
        } else if self.has(Fault::EnPassantStays) {
            // Of the two sides' passing pawns only one can be taken by whoever is to move.
            self.setup.en_passant = passed.filter(|_| played.kind() != MoveKind::EnPassant);
        }
        self.lose_rights(played, captures);
        self.setup.turn = !us;
    }

    fn lose_rights(&mut self, played: Move, captures: bool) {
        let mut lost = Bitboard::EMPTY;
        if !self.has(Fault::RookMoveKeepsRight) {
            lost |= played.from().into();
        }
        if captures && !self.has(Fault::RookCaptureKeepsRight) {
            lost |= played.to().into();
        }
        let king_moves = matches!(played.kind(), MoveKind::King | MoveKind::Castling);
        if king_moves && !self.has(Fault::KingMoveKeepsRights) {
            lost |= Bitboard::rank(self.setup.turn.back_rank());
        }
        self.setup.castling.remove(lost);
    }

    fn unmake(&mut self, before: Setup, played: Move) {
        let after = std::mem::replace(&mut self.setup, before);
        let captures = self.at(played.to()).is_some() && played.kind() != MoveKind::Castling;
        if captures && self.has(Fault::UnmakeLosesRights) {
            self.setup.castling = after.castling;
        }
        if self.has(Fault::UnmakeLosesEnPassant) {
            self.setup.en_passant = None;
        }
        if let Some(piece) = played.kind().promotion()
            && self.has(Fault::UnmakeKeepsPromotion)
        {
            self.setup.board[played.from().index()] =
                after.board[played.to().index()].filter(|man| man.piece == piece);
        }
        if played.kind() == MoveKind::EnPassant && self.has(Fault::UnmakeLosesPawn) {
            self.setup.board[captured_en_passant(played).index()] = None;
        }
    }
}

/// The squares that a man attacks, whatever stands there.
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

/// The men of a colour that attack a square: a man there of each kind would attack them.
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

/// The squares of a rank from one to another, both included.
fn span(a: Square, b: Square) -> Vec<Square> {
    (a.index().min(b.index())..=a.index().max(b.index())).map(|index| Square::ALL[index]).collect()
}

/// Where the pawn stands that is taken en passant.
fn captured_en_passant(played: Move) -> Square {
    Square::new(played.to().file(), played.from().rank())
}

/// The kind of a plain move of a piece other than a pawn.
fn kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Knight => MoveKind::Knight,
        Piece::King => MoveKind::King,
        _ if is_orthogonal => MoveKind::Orthogonal,
        _ => MoveKind::Diagonal,
    }
}
