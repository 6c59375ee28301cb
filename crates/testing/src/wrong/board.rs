//! The board: reading a FEN, attacks, making moves and taking them back.

use perft_core::{Bitboard, Color, ColoredPiece, File, Piece, Rank, Setup, Square};

use super::{Bug, Bugs};
use crate::oracle::{AROUND, DIAGONAL, KNIGHT, ORTHOGONAL, Place};

/// A side on which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wing {
    King,
    Queen,
}

impl Wing {
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// Returns the files of the rook, and of rook and king after castling.
    pub const fn files(self) -> (File, File, File) {
        match self {
            Wing::King => (File::H, File::F, File::G),
            Wing::Queen => (File::A, File::D, File::C),
        }
    }

    /// Returns the files that must be empty.
    pub const fn between(self) -> &'static [File] {
        match self {
            Wing::King => &[File::F, File::G],
            Wing::Queen => &[File::B, File::C, File::D],
        }
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub from: Square,
    pub to: Square,
    pub kind: StepKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    Plain,
    DoubleStep,
    EnPassant,
    Castling(Wing),
    Promotion(Piece),
}

impl Step {
    /// Returns the move in UCI notation.
    pub fn text(self) -> String {
        match self.kind {
            StepKind::Promotion(piece) => format!("{}{}{}", self.from, self.to, piece.letter()),
            _ => format!("{}{}", self.from, self.to),
        }
    }
}

/// A board with everything that decides which moves are legal, and the data that bugs need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub squares: [Option<ColoredPiece>; 64],
    pub turn: Color,
    /// The castling rights, by colour and wing.
    pub rights: [[bool; 2]; 2],
    /// The square that the last move passed with a double step.
    pub passed: Option<Square>,
    /// The passed squares one and two plies ago.
    pub passed_before: [Option<Square>; 2],
    /// The stored squares of the kings.
    pub kings: [Square; 2],
    /// The square of a piece that is missing in the list of pieces.
    pub unlisted: Option<Square>,
    pub is_after_en_passant: bool,
    pub halfmove: u32,
}

impl Board {
    /// Returns the board of a setup of standard chess.
    pub fn new(setup: &Setup) -> Board {
        let king = |color| {
            let is_king = |square: &Square| {
                setup.board[square.index()] == Some(ColoredPiece { color, piece: Piece::King })
            };
            Square::ALL.into_iter().find(is_king).expect("each side has a king")
        };
        let right = |color, wing: Wing| {
            setup.castling.all_rooks().contains(Square::new(wing.files().0, Color::back_rank(color)))
        };
        Board {
            squares: setup.board,
            turn: setup.turn,
            rights: Color::ALL.map(|color| Wing::ALL.map(|wing| right(color, wing))),
            passed: setup.en_passant,
            passed_before: [None; 2],
            kings: Color::ALL.map(king),
            unlisted: None,
            is_after_en_passant: false,
            halfmove: setup.halfmove_clock,
        }
    }

    pub fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.squares[square.index()]
    }

    pub fn has(&self, square: Square, color: Color, piece: Piece) -> bool {
        self.at(square) == Some(ColoredPiece { color, piece })
    }

    pub fn attackers(&self, target: Square, by: Color, bugs: Bugs) -> Bitboard {
        let mut found = Bitboard::from_bits(0);
        let mut add = |from: Option<Square>, piece: Piece| {
            if let Some(from) = from
                && self.has(from, by, piece)
                && !(piece == Piece::Pawn && from.file() == File::H && bugs.has(Bug::PawnOnHGivesNoCheck))
                && !(piece == Piece::Knight && is_rim(from) && bugs.has(Bug::KnightOnRimGivesNoCheck))
            {
                found = found.with(from);
            }
        };
        let backward = -forward(by);
        [-1, 1].iter().for_each(|&side| add(shifted(target, (side, backward)), Piece::Pawn));
        KNIGHT.iter().for_each(|&offset| add(shifted(target, offset), Piece::Knight));
        AROUND.iter().for_each(|&offset| add(shifted(target, offset), Piece::King));
        if bugs.has(Bug::EnPassantDiscoveryUnseen) && self.is_after_en_passant {
            return found;
        }
        for (offsets, piece) in [(ORTHOGONAL, Piece::Rook), (DIAGONAL, Piece::Bishop)] {
            for offset in offsets {
                let Some(from) = self.first_on_line(target, offset) else { continue };
                if self.has(from, by, piece) || self.has(from, by, Piece::Queen) {
                    found = found.with(from);
                }
            }
        }
        found
    }

    fn first_on_line(&self, from: Square, offset: Place) -> Option<Square> {
        let mut to = shifted(from, offset)?;
        while self.at(to).is_none() {
            to = shifted(to, offset)?;
        }
        Some(to)
    }

    /// Returns the pieces that give check to a side.
    pub fn checkers(&self, color: Color, bugs: Bugs) -> Bitboard {
        self.attackers(self.kings[color.index()], !color, bugs)
    }

    pub fn make(&mut self, step: Step, bugs: Bugs) {
        let us = self.turn;
        let mover = self.at(step.from);
        let is_king = mover.is_some_and(|mover| mover.piece == Piece::King);
        let taken = self.at(step.to);
        self.halfmove += 1;
        if taken.is_some() || mover.is_some_and(|mover| mover.piece == Piece::Pawn) {
            self.halfmove = 0;
        }
        self.update_rights(step, mover.map(|mover| mover.piece), bugs);
        if self.unlisted == Some(step.to) {
            self.unlisted = None;
        }
        self.squares[step.from.index()] = None;
        self.squares[step.to.index()] = mover;
        if is_king && !(bugs.has(Bug::KingSquareStale) && matches!(step.kind, StepKind::Castling(_))) {
            self.kings[us.index()] = step.to;
        }
        self.passed_before = [self.passed, self.passed_before[0]];
        self.passed = None;
        match step.kind {
            StepKind::Plain => {}
            StepKind::DoubleStep => {
                let is_set = step.from.file() != File::E || !bugs.has(Bug::NoPassedSquareOnE);
                self.passed = shifted(step.from, (0, forward(us))).filter(|_| is_set);
            }
            StepKind::EnPassant => self.take_en_passant(step, bugs),
            StepKind::Castling(wing) => self.move_rook(us, wing, bugs),
            StepKind::Promotion(piece) => {
                self.squares[step.to.index()] = Some(ColoredPiece { color: us, piece });
                if bugs.has(Bug::PromotedNotListed) {
                    self.unlisted = Some(step.to);
                }
            }
        }
        self.is_after_en_passant = step.kind == StepKind::EnPassant;
        self.turn = !us;
    }

    fn take_en_passant(&mut self, step: Step, bugs: Bugs) {
        self.squares[victim(step).index()] = None;
        if bugs.has(Bug::EnPassantLosesListed) {
            let them = !self.turn;
            let is_listed = |square: &&Square| {
                self.at(**square).is_some_and(|found| found.color == them && found.piece != Piece::King)
            };
            self.unlisted = Square::ALL.iter().rfind(is_listed).copied();
        }
    }

    fn move_rook(&mut self, color: Color, wing: Wing, bugs: Bugs) {
        let (rook_from, rook_to, _) = wing.files();
        let (from, to) = (Square::new(rook_from, color.back_rank()), Square::new(rook_to, color.back_rank()));
        self.squares[to.index()] = self.squares[from.index()].take();
        if bugs.has(Bug::CastledRookNotListed) {
            self.unlisted = Some(to);
        }
        if color == Color::White && bugs.has(Bug::WhiteCastlingTakesBlackRights) {
            self.rights[Color::Black.index()] = [false; 2];
        }
    }

    fn update_rights(&mut self, step: Step, mover: Option<Piece>, bugs: Bugs) {
        let keeps = (step.kind == StepKind::Promotion(Piece::Bishop)
            && bugs.has(Bug::BishopPromotionKeepsRight))
            || (mover == Some(Piece::Knight) && bugs.has(Bug::KnightCaptureKeepsRight));
        for color in Color::ALL {
            let rank = color.back_rank();
            let rights = &mut self.rights[color.index()];
            if step.from == Square::new(File::E, rank) || step.to == Square::new(File::E, rank) {
                *rights = [false; 2];
            }
            for (index, wing) in Wing::ALL.into_iter().enumerate() {
                let rook = Square::new(wing.files().0, rank);
                rights[index] &= step.from != rook && (step.to != rook || keeps);
            }
        }
        let (us, rank) = (self.turn, self.turn.back_rank());
        let is_along = step.from.rank() == rank && step.to.rank() == rank;
        if mover == Some(Piece::Rook) && is_along && bugs.has(Bug::RookOnBackRankTakesRights) {
            self.rights[us.index()] = [false; 2];
        }
    }

    /// `before` is the board before the move.
    pub fn unmake(&mut self, before: &Board, step: Step, bugs: Bugs) {
        let after = std::mem::replace(self, *before);
        let (us, taken) = (before.turn, before.at(step.to));
        let mover = before.at(step.from).map(|mover| mover.piece);
        match step.kind {
            StepKind::EnPassant if bugs.has(Bug::UnmakeEnPassantWrongColor) => {
                self.squares[victim(step).index()] = Some(ColoredPiece { color: us, piece: Piece::Pawn });
            }
            StepKind::Promotion(_) if bugs.has(Bug::UnmakePromotionCaptureLosesPiece) => {
                self.squares[step.to.index()] = None;
            }
            StepKind::Castling(wing) => {
                if us == Color::Black && wing == Wing::King && bugs.has(Bug::UnmakeBlackKingSideLeavesRook) {
                    let place = |file| Square::new(file, Rank::Eighth).index();
                    self.squares.swap(place(File::F), place(File::H));
                }
                if bugs.has(Bug::UnmakeCastlingKeepsKingSquare) {
                    self.kings = after.kings;
                }
            }
            _ => {}
        }
        let takes_rook = taken.is_some_and(|taken| taken.piece == Piece::Rook);
        if mover == Some(Piece::Rook) && takes_rook && bugs.has(Bug::UnmakeRookTakesRookLosesRights) {
            self.rights = after.rights;
        }
        if mover == Some(Piece::King) && taken.is_some() && bugs.has(Bug::UnmakeKingCaptureLosesListed) {
            self.unlisted = Some(step.to);
        }
    }

    pub fn is_same_position(&self, other: &Board) -> bool {
        (self.squares, self.turn, self.rights, self.passed)
            == (other.squares, other.turn, other.rights, other.passed)
    }
}

pub(super) fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// Returns the square of the pawn that an en passant capture removes.
pub(super) fn victim(step: Step) -> Square {
    Square::new(step.to.file(), step.from.rank())
}

pub(super) fn shifted(square: Square, (files, ranks): Place) -> Option<Square> {
    let file = square.file().index() as i8 + files;
    let rank = square.rank().index() as i8 + ranks;
    let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    is_on_board.then(|| Square::new(File::ALL[file as usize], Rank::ALL[rank as usize]))
}

pub(super) fn is_rim(square: Square) -> bool {
    matches!(square.file(), File::A | File::H) || matches!(square.rank(), Rank::First | Rank::Eighth)
}
