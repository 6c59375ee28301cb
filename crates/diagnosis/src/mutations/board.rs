//! The board of the plain generator: 64 squares, and what attacks a square.

use perft_core::internals::Direction;
use perft_core::internals::attacks::{king, knight, pawn};
use perft_core::{Bitboard, CastlingRights, Color, ColoredPiece, Move, MoveKind, Piece, Position, Square};

use super::catalogue::{Mutation, Mutations};
use crate::random::setup_of;

/// The rules in force, and the mutations that could have changed something.
///
/// The generator reads a mutation through [`Rules::has`] only, and only where the mutation changes what happens next.
/// So the generator does exactly the same under all mutations that it has not asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The mutations in force.
    pub mutations: Mutations,
    /// The mutations that the generator has asked about.
    pub asked: Mutations,
}

impl Rules {
    /// Whether a mutation is in force.
    pub fn has(&mut self, mutation: Mutation) -> bool {
        self.asked = self.asked.with(mutation);
        self.mutations.contains(mutation)
    }

    /// Whether any of these mutations is in force. All of them are asked about.
    pub fn has_any(&mut self, mutations: &[Mutation]) -> bool {
        let mut found = false;
        for &mutation in mutations {
            found |= self.has(mutation);
        }
        found
    }
}

/// A position, which bugs may have made illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    squares: [Option<ColoredPiece>; 64],
    /// The squares of the kings. A king is missing if a bug allowed its capture.
    kings: [Option<Square>; 2],
    /// The squares from which the kings may castle.
    pub homes: [Square; 2],
    pub turn: Color,
    pub castling: CastlingRights,
    pub en_passant: Option<Square>,
}

impl Board {
    pub fn new(position: &Position) -> Board {
        let setup = setup_of(position);
        let kings = Color::ALL.map(|color| position.king(color));
        Board {
            squares: setup.board,
            kings: kings.map(Some),
            homes: kings,
            turn: setup.turn,
            castling: setup.castling,
            en_passant: setup.en_passant,
        }
    }

    pub fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.squares[square.index()]
    }

    pub fn has(&self, square: Square, color: Color, piece: Piece) -> bool {
        self.at(square) == Some(ColoredPiece { color, piece })
    }

    /// Puts a piece on a square, or empties it.
    pub fn put(&mut self, square: Square, piece: Option<ColoredPiece>) {
        if let Some(ColoredPiece { color, piece: Piece::King }) = self.at(square)
            && self.king(color) == Some(square)
        {
            self.kings[color.index()] = None;
        }
        if let Some(ColoredPiece { color, piece: Piece::King }) = piece {
            self.kings[color.index()] = Some(square);
        }
        self.squares[square.index()] = piece;
    }

    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// Returns the board after the piece of a move has moved. This is enough to see which lines are open; rights, the
    /// rook of a castling move and promotions are left alone.
    pub fn with_piece_moved(&self, played: Move) -> Board {
        let mut after = *self;
        after.put(played.from(), None);
        after.put(played.to(), self.at(played.from()));
        if played.kind() == MoveKind::EnPassant {
            after.put(self.captured_en_passant(played), None);
        }
        after
    }

    /// Returns the square of the pawn that is captured en passant.
    pub fn captured_en_passant(&self, played: Move) -> Square {
        (!self.turn).forward().step(played.to()).expect("the en passant square is not on the last rank")
    }

    /// Returns the first piece in a direction.
    pub fn first_piece(&self, from: Square, direction: Direction) -> Option<(Square, ColoredPiece)> {
        let mut next = direction.step(from);
        while let Some(square) = next {
            if let Some(piece) = self.at(square) {
                return Some((square, piece));
            }
            next = direction.step(square);
        }
        None
    }

    /// Returns the pieces of a colour that attack a square.
    pub fn attackers(&self, target: Square, by: Color, rules: &mut Rules) -> Bitboard {
        let of = |squares: Bitboard, piece| -> Bitboard {
            squares.into_iter().filter(|&square| self.has(square, by, piece)).collect()
        };
        let mut found = of(knight(target), Piece::Knight) | of(king(target), Piece::King);
        found |= self.pawn_attackers(target, by, rules);
        for direction in AROUND {
            if let Some((square, piece)) = self.first_piece(target, direction)
                && piece.color == by
                && slides(piece.piece, direction)
            {
                found |= square.into();
            }
        }
        let wrapped_knights = of(wrapped(target, &KNIGHT_OFFSETS, knight(target)), Piece::Knight);
        if wrapped_knights.any() && rules.has(Mutation::KnightWraps) {
            found |= wrapped_knights;
        }
        let wrapped_king = of(wrapped(target, &KING_OFFSETS, king(target)), Piece::King);
        if wrapped_king.any() && rules.has(Mutation::KingWraps) {
            found |= wrapped_king;
        }
        found
    }

    fn pawn_attackers(&self, target: Square, by: Color, rules: &mut Rules) -> Bitboard {
        let of = |color| -> Bitboard {
            // A pawn attacks the square if a pawn of the other colour on the square would attack the pawn.
            let squares = pawn(color, target).into_iter();
            squares.filter(|&square| self.has(square, by, Piece::Pawn)).collect()
        };
        let (real, reversed) = (of(!by), of(by));
        if (real.any() || reversed.any()) && rules.has(Mutation::PawnAttacksReversed) {
            return reversed;
        }
        if real.any() && rules.has(Mutation::PawnAttacksIgnored) { Bitboard::EMPTY } else { real }
    }

    /// Returns the own pieces that alone stand between their king and an enemy slider.
    pub fn pinned(&self, king: Square) -> Bitboard {
        let pinned_in = |direction: Direction| {
            let (shield, piece) = self.first_piece(king, direction)?;
            let (_, pinner) = self.first_piece(shield, direction)?;
            let is_pinned =
                piece.color == self.turn && pinner.color != self.turn && slides(pinner.piece, direction);
            is_pinned.then_some(shield)
        };
        AROUND.into_iter().filter_map(pinned_in).collect()
    }

    /// Returns the squares that a piece attacks. Pawns are treated apart.
    pub fn reach(&self, piece: Piece, from: Square, rules: &mut Rules) -> Bitboard {
        match piece {
            Piece::Knight => {
                let wrapped = wrapped(from, &KNIGHT_OFFSETS, knight(from));
                let adds = wrapped.any() && rules.has(Mutation::KnightWraps);
                knight(from) | if adds { wrapped } else { Bitboard::EMPTY }
            }
            Piece::King => {
                let wrapped = wrapped(from, &KING_OFFSETS, king(from));
                let adds = wrapped.any() && rules.has(Mutation::KingWraps);
                king(from) | if adds { wrapped } else { Bitboard::EMPTY }
            }
            _ => self.lines(piece, from),
        }
    }

    fn lines(&self, piece: Piece, from: Square) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for direction in AROUND.into_iter().filter(|&direction| slides(piece, direction)) {
            let mut next = direction.step(from);
            while let Some(to) = next {
                reached |= to.into();
                next = if self.at(to).is_some() { None } else { direction.step(to) };
            }
        }
        reached
    }

    /// Whether neither side has the pieces to give checkmate: two kings and at most one knight or bishop.
    pub fn has_insufficient_material(&self) -> bool {
        let mut others = self.squares.iter().flatten().filter(|piece| piece.piece != Piece::King);
        match (others.next(), others.next()) {
            (None, _) => true,
            (Some(piece), None) => matches!(piece.piece, Piece::Knight | Piece::Bishop),
            _ => false,
        }
    }

    /// Returns the board in 48 bytes. Boards of one tree are equal if and only if their packed forms are.
    pub fn packed(&self) -> [u64; 6] {
        let mut packed = [0; 6];
        for (index, piece) in self.squares.iter().enumerate() {
            let code = piece.map_or(0, |piece| 1 + piece.piece as u64 * 2 + piece.color.index() as u64);
            packed[index / 16] |= code << (4 * (index % 16));
        }
        packed[4] = self.castling.all_rooks().bits();
        packed[5] = self.en_passant.map_or(64, |square| square.index() as u64) * 2 + self.turn.index() as u64;
        packed
    }
}

/// The eight directions of a queen.
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

/// What a step of a knight adds to the index of a square.
const KNIGHT_OFFSETS: [i8; 8] = [17, 15, 10, 6, -6, -10, -15, -17];

/// What a step of a king adds to the index of a square.
const KING_OFFSETS: [i8; 8] = [1, -1, 7, -7, 8, -8, 9, -9];

/// Returns the squares that offsets lead to and that are not true targets: those around the edge of the board.
fn wrapped(from: Square, offsets: &[i8], targets: Bitboard) -> Bitboard {
    if !matches!(from.file().index(), 0 | 1 | 6 | 7) {
        return Bitboard::EMPTY;
    }
    let squares = offsets.iter().filter_map(|&offset| offset_square(from, offset));
    squares.collect::<Bitboard>() & !targets
}

/// Returns the square with an index that is larger by `offset`.
pub(super) fn offset_square(from: Square, offset: i8) -> Option<Square> {
    usize::try_from(from.index() as i8 + offset).ok().and_then(Square::from_index)
}

/// Whether a piece slides in a direction.
fn slides(piece: Piece, direction: Direction) -> bool {
    let (files, ranks) = direction.delta();
    match piece {
        Piece::Queen => true,
        Piece::Rook => files == 0 || ranks == 0,
        Piece::Bishop => files != 0 && ranks != 0,
        _ => false,
    }
}
