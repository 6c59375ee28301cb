//! The board of the plain generator: 64 squares, and the attacks on a square.

use perft_core::internals::Direction;
use perft_core::internals::attacks::{king, knight, pawn};
use perft_core::{Bitboard, CastlingRights, Color, ColoredPiece, Move, MoveKind, Piece, Position, Square};

use super::active::Rules;
use super::facts::Facts;
use super::rules::Rule;
use crate::random::setup_of;

/// The number of words of a packed board.
pub(super) const PACKED_WORDS: usize = 6;

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

    /// Returns the board after the piece of a move has moved. This is enough to see which lines are open. Castling
    /// rights, the rook of a castling move and promotions are not handled.
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
        let mut next = step(from, direction);
        while let Some(square) = next {
            if let Some(piece) = self.at(square) {
                return Some((square, piece));
            }
            next = step(square, direction);
        }
        None
    }

    /// Returns the pieces of a colour that attack a square.
    pub fn attackers(&self, target: Square, by: Color, rules: &mut Rules) -> Bitboard {
        let of = |squares: Bitboard, piece| -> Bitboard {
            squares.into_iter().filter(|&square| self.has(square, by, piece)).collect()
        };
        let mut found = self.pawn_attackers(target, by, rules);
        found |= of(knight(target), Piece::Knight);
        for direction in Direction::ALL {
            if let Some((square, piece)) = self.first_piece(target, direction)
                && piece.color == by
                && slides(piece.piece, direction)
                && self.is_in_reach(square, target, piece.piece, rules)
            {
                found |= square.into();
            }
        }
        let is_seen = |square: &Square| {
            let facts = Facts::side(by) | Facts::line(*square, target);
            let facts = facts | self.attacking_pieces(Bitboard::from(*square));
            !rules.is_broken(Rule::AttackUnseen, facts)
        };
        found = found.into_iter().filter(is_seen).collect();
        found |= of(king(target), Piece::King);
        for piece in [Piece::Knight, Piece::King] {
            let (wrapped, rule) = wrapped(piece, target);
            let attackers = of(wrapped, piece);
            if attackers.any() && rules.is_broken(rule, Facts::side(by)) {
                found |= attackers;
            }
        }
        found
    }

    /// Returns the kinds of the pieces on some squares, as attackers.
    pub fn attacking_pieces(&self, squares: Bitboard) -> Facts {
        let attacker = |square| self.at(square).map_or(Facts::NONE, |found| Facts::attacker(found.piece));
        Facts::of_each(squares, attacker)
    }

    /// Whether a slider attacks a square on its open line. A bug may hide the last square of the line.
    fn is_in_reach(&self, from: Square, target: Square, piece: Piece, rules: &mut Rules) -> bool {
        !rules.is_any_broken(short_slides(from, target), Facts::mover(piece) | Facts::Attacks)
    }

    fn pawn_attackers(&self, target: Square, by: Color, rules: &mut Rules) -> Bitboard {
        let of = |color| -> Bitboard {
            // A pawn attacks the square if a pawn of the other colour on the square would attack the pawn.
            let squares = pawn(color, target).into_iter();
            squares.filter(|&square| self.has(square, by, Piece::Pawn)).collect()
        };
        let (real, reversed) = (of(!by), of(by));
        let differs = real.any() || reversed.any();
        if differs && rules.is_broken(Rule::PawnAttackReversed, Facts::side(by)) { reversed } else { real }
    }

    /// Returns the own pieces that are the only piece between their king and an enemy slider.
    pub fn pinned(&self, king: Square) -> Bitboard {
        let pinned_in = |direction: Direction| {
            let (shield, piece) = self.first_piece(king, direction)?;
            let (_, pinner) = self.first_piece(shield, direction)?;
            let is_pinned =
                piece.color == self.turn && pinner.color != self.turn && slides(pinner.piece, direction);
            is_pinned.then_some(shield)
        };
        Direction::ALL.into_iter().filter_map(pinned_in).collect()
    }

    /// Returns the squares to which a piece of the side to move can go, and the squares of its own pieces that it
    /// protects. Pawns are handled separately.
    pub fn reach(&self, piece: Piece, from: Square, rules: &mut Rules) -> Bitboard {
        match piece {
            Piece::Knight | Piece::King => {
                let targets = leaps(piece, from);
                let (wrapped, rule) = wrapped(piece, from);
                let adds = wrapped.any() && rules.is_broken(rule, Facts::side(self.turn));
                if adds { targets | wrapped } else { targets }
            }
            _ => {
                let directions = Direction::ALL.into_iter().filter(|&direction| slides(piece, direction));
                directions.fold(Bitboard::EMPTY, |all, way| all | self.line(piece, from, way, rules))
            }
        }
    }

    /// Returns the squares to which a slider can go in a direction.
    fn line(&self, piece: Piece, from: Square, direction: Direction, rules: &mut Rules) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        let mut last = None;
        let mut next = step(from, direction);
        while let Some(to) = next {
            let found = self.at(to);
            if found.is_some_and(|found| found.color == self.turn) {
                break;
            }
            reached |= to.into();
            last = Some(to);
            next = if found.is_some() { None } else { step(to, direction) };
        }
        let Some(last) = last else { return reached };
        let facts = Facts::mover(piece) | Facts::Moves;
        let is_short = rules.is_broken(Rule::LastSquareMissing, facts)
            || rules.is_any_broken(short_slides(from, last), facts);
        if is_short { reached & !Bitboard::from(last) } else { reached }
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

    /// Returns the board in 48 bytes. Boards of one tree are equal if and only if their packed forms are equal.
    pub fn packed(&self) -> [u64; PACKED_WORDS] {
        let mut packed = [0; PACKED_WORDS];
        for (index, piece) in self.squares.iter().enumerate() {
            let code = piece.map_or(0, |piece| 1 + piece.piece as u64 * 2 + piece.color.index() as u64);
            packed[index / 16] |= code << (4 * (index % 16));
        }
        packed[4] = self.castling.all_rooks().bits();
        packed[5] = self.en_passant.map_or(64, |square| square.index() as u64) * 2 + self.turn.index() as u64;
        packed
    }
}

/// The square next to each square, by direction.
static NEXT: [[Option<Square>; 64]; 8] = {
    let mut next = [[None; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut index = 0;
        while index < 64 {
            if let Some(square) = Square::from_index(index) {
                next[Direction::ALL[direction] as usize][index] = Direction::ALL[direction].step(square);
            }
            index += 1;
        }
        direction += 1;
    }
    next
};

/// Returns the square one step away.
fn step(from: Square, direction: Direction) -> Option<Square> {
    NEXT[direction as usize][from.index()]
}

/// The numbers that the steps of a knight add to the index of a square.
const KNIGHT_OFFSETS: [i8; 8] = [17, 15, 10, 6, -6, -10, -15, -17];

/// The numbers that the steps of a king add to the index of a square.
const KING_OFFSETS: [i8; 8] = [1, -1, 7, -7, 8, -8, 9, -9];

/// Returns the squares to which a knight or a king can go.
fn leaps(piece: Piece, from: Square) -> Bitboard {
    if piece == Piece::Knight { knight(from) } else { king(from) }
}

/// Returns the squares to which a knight or a king can go only around the edge of the board, and the rule that forbids
/// it.
fn wrapped(piece: Piece, from: Square) -> (Bitboard, Rule) {
    let (offsets, rule) = match piece {
        Piece::Knight => (KNIGHT_OFFSETS, Rule::KnightWraps),
        _ => (KING_OFFSETS, Rule::KingWraps),
    };
    if !matches!(from.file().index(), 0 | 1 | 6 | 7) {
        return (Bitboard::EMPTY, rule);
    }
    let squares = offsets.into_iter().filter_map(|offset| offset_square(from, offset));
    (squares.collect::<Bitboard>() & !leaps(piece, from), rule)
}

/// Returns the square with an index that is larger by `offset`.
pub(super) fn offset_square(from: Square, offset: i8) -> Option<Square> {
    usize::try_from(from.index() as i8 + offset).ok().and_then(Square::from_index)
}

/// Returns the rules about slides that are one square too short and that concern a slide between these two squares.
fn short_slides(from: Square, to: Square) -> &'static [Rule] {
    let files = to.file().index() as i8 - from.file().index() as i8;
    let ranks = to.rank().index() as i8 - from.rank().index() as i8;
    let is_last = |index: usize, way: i8| !(0..8).contains(&(index as i8 + way.signum()));
    let is_edge = is_last(to.file().index(), files) || is_last(to.rank().index(), ranks);
    match is_edge {
        _ if files.abs().max(ranks.abs()) == 7 => &[Rule::LongestSlideMissing, Rule::EdgeMissing],
        true => &[Rule::EdgeMissing],
        false => &[],
    }
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
