//! The rules of chess written as plainly as possible, to check the move generators.
//!
//! Every piece moves square by square, as far as it can. The move is made on a copy of the board. It is illegal if the
//! king can be captured there. There are no bitboards, no pins and no check masks. Of the library, this file uses only
//! the basic types, and [`Setup`] as input.

use std::collections::BTreeMap;

use perft_core::{CastlingRights, Color, ColoredPiece, File, Piece, Rank, Setup, Square};

/// A file and a rank, each from 0 to 7 on the board.
pub type Place = (i8, i8);

pub(crate) const ORTHOGONAL: [Place; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
pub(crate) const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(crate) const AROUND: [Place; 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];
pub(crate) const KNIGHT: [Place; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A board with all data that decide which moves are legal.
#[derive(Clone, Copy)]
pub struct Board {
    /// The piece on each square, by file and rank.
    pieces: [[Option<ColoredPiece>; 8]; 8],
    turn: Color,
    /// The castling rights, by colour and file of the rook.
    may_castle: [[bool; 8]; 2],
    /// The square that the last move passed, if it was a double push.
    passed: Option<Place>,
}

impl Board {
    /// Returns the board of a setup. Its castling rights and en passant square are not checked.
    pub fn new(setup: &Setup) -> Board {
        let mut board = Board {
            pieces: [[None; 8]; 8],
            turn: setup.turn,
            may_castle: [[false; 8]; 2],
            passed: setup.en_passant.map(place),
        };
        for square in Square::ALL {
            board.put(place(square), setup.board[square.index()]);
        }
        for color in Color::ALL {
            for rook in setup.castling.rooks(color) {
                board.may_castle[color.index()][rook.file().index()] = true;
            }
        }
        board
    }

    /// Returns the board as a setup, with an en passant square if a capture on it is legal.
    pub fn to_setup(self) -> Setup {
        let mut castling = CastlingRights::NONE;
        for color in Color::ALL {
            let files = File::ALL.into_iter().filter(|file| self.may_castle[color.index()][file.index()]);
            files.for_each(|file| castling.add(Square::new(file, color.back_rank())));
        }
        Setup {
            board: Square::ALL.map(|square| self.at(place(square))),
            turn: self.turn,
            castling,
            en_passant: self.passed.filter(|_| self.can_take_en_passant()).map(square),
            ..Setup::EMPTY
        }
    }

    /// Returns every legal move in the UCI notation of Chess960, with the board after it.
    pub fn legal_moves(&self) -> BTreeMap<String, Board> {
        let mut children = BTreeMap::new();
        for from in self.places_of(self.turn) {
            if self.has_piece(from, self.turn, Piece::Pawn) {
                self.pawn_moves(from, &mut children);
            } else {
                for to in self.reach(from) {
                    if self.at(to).is_none_or(|found| found.color != self.turn) {
                        children.insert(text(from, to), self.moved(from, to));
                    }
                }
            }
        }
        self.castlings(&mut children);
        children.retain(|_, child| !child.is_attacked(child.king(self.turn), !self.turn));
        children
    }

    /// Counts the leaf nodes one by one.
    pub fn perft(&self, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        self.legal_moves().values().map(|child| child.perft(depth - 1)).sum()
    }

    /// Returns the squares of the pieces of a colour that attack a square.
    pub fn attackers(&self, target: Place, by: Color) -> Vec<Place> {
        let pieces = self.places_of(by).into_iter();
        pieces.filter(|&from| self.reach(from).contains(&target)).collect()
    }

    /// Returns the square of a king.
    pub fn king(&self, color: Color) -> Place {
        let mut pieces = self.places_of(color).into_iter();
        pieces.find(|&place| self.has_piece(place, color, Piece::King)).expect("there is a king")
    }

    fn pawn_moves(&self, from: Place, children: &mut BTreeMap<String, Board>) {
        let (file, rank) = from;
        let (forward, second_rank) = if self.turn == Color::White { (1, 1) } else { (-1, 6) };
        let (one, two) = ((file, rank + forward), (file, rank + 2 * forward));
        if self.at(one).is_none() {
            self.pawn_move(from, one, self.moved(from, one), children);
            if rank == second_rank && self.at(two).is_none() {
                let child = Board { passed: Some(one), ..self.moved(from, two) };
                self.pawn_move(from, two, child, children);
            }
        }
        for to in self.reach(from) {
            if self.at(to).is_some_and(|found| found.color != self.turn) {
                self.pawn_move(from, to, self.moved(from, to), children);
            } else if self.passed == Some(to) {
                let mut child = self.moved(from, to);
                child.put((to.0, rank), None);
                self.pawn_move(from, to, child, children);
            }
        }
    }

    /// Adds a move of a pawn. A move to the last rank is added as four promotions.
    fn pawn_move(&self, from: Place, to: Place, child: Board, children: &mut BTreeMap<String, Board>) {
        if to.1 != 0 && to.1 != 7 {
            children.insert(text(from, to), child);
            return;
        }
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let mut promoted = child;
            promoted.put(to, Some(ColoredPiece { color: self.turn, piece }));
            children.insert(text(from, to) + &piece.letter().to_string(), promoted);
        }
    }

    /// Adds castling if all squares that king and rook cross or enter are empty, except for these two pieces, and if no
    /// square from the king's to its target is attacked. The caller checks the king after castling.
    fn castlings(&self, children: &mut BTreeMap<String, Board>) {
        let rights = (0..8).filter(|&file| self.may_castle[self.turn.index()][file as usize]);
        for rook_file in rights {
            let king = self.king(self.turn);
            let rook = (rook_file, king.1);
            let (king_goes, rook_goes) = if rook.0 > king.0 { (6, 5) } else { (2, 3) };

            let mut without_king = *self;
            without_king.put(king, None);
            let mut bare = without_king;
            bare.put(rook, None);
            let is_free = |file| bare.at((file, king.1)).is_none();
            let is_safe = |file| !without_king.is_attacked((file, king.1), !self.turn);
            if span(king.0, king_goes).chain(span(rook.0, rook_goes)).all(is_free)
                && span(king.0, king_goes).all(is_safe)
            {
                let mut child = self.moved(king, king);
                child.put(king, None);
                child.put(rook, None);
                child.put((king_goes, king.1), self.at(king));
                child.put((rook_goes, king.1), self.at(rook));
                children.insert(text(king, rook), child);
            }
        }
    }

    fn moved(&self, from: Place, to: Place) -> Board {
        let mut child = Board { turn: !self.turn, passed: None, ..*self };
        child.put(from, None);
        child.put(to, self.at(from));
        if self.has_piece(from, self.turn, Piece::King) {
            child.may_castle[self.turn.index()] = [false; 8];
        }
        // A rook that moved or was captured loses its castling right.
        for (file, rank) in [from, to] {
            match rank {
                0 => child.may_castle[Color::White.index()][file as usize] = false,
                7 => child.may_castle[Color::Black.index()][file as usize] = false,
                _ => {}
            }
        }
        child
    }

    fn reach(&self, from: Place) -> Vec<Place> {
        let Some(piece) = self.at(from) else { return Vec::new() };
        let (steps, range): (&[Place], usize) = match piece.piece {
            Piece::Pawn if piece.color == Color::White => (&[(-1, 1), (1, 1)], 1),
            Piece::Pawn => (&[(-1, -1), (1, -1)], 1),
            Piece::Knight => (&KNIGHT, 1),
            Piece::Bishop => (&DIAGONAL, 7),
            Piece::Rook => (&ORTHOGONAL, 7),
            Piece::Queen => (&AROUND, 7),
            Piece::King => (&AROUND, 1),
        };
        let mut reached = Vec::new();
        for step in steps {
            let mut to = from;
            for _ in 0..range {
                to = (to.0 + step.0, to.1 + step.1);
                if !(0..8).contains(&to.0) || !(0..8).contains(&to.1) {
                    break;
                }
                reached.push(to);
                if self.at(to).is_some() {
                    break;
                }
            }
        }
        reached
    }

    fn can_take_en_passant(&self) -> bool {
        let moves = self.legal_moves();
        let pawns = self
            .places_of(self.turn)
            .into_iter()
            .filter(|&place| self.has_piece(place, self.turn, Piece::Pawn));
        let mut to_passed = pawns.filter_map(|from| Some(text(from, self.passed?)));
        to_passed.any(|capture| moves.contains_key(&capture))
    }

    fn is_attacked(&self, target: Place, by: Color) -> bool {
        !self.attackers(target, by).is_empty()
    }

    fn places_of(&self, color: Color) -> Vec<Place> {
        let places = Square::ALL.into_iter().map(place);
        places.filter(|&place| self.at(place).is_some_and(|found| found.color == color)).collect()
    }

    fn has_piece(&self, place: Place, color: Color, piece: Piece) -> bool {
        self.at(place) == Some(ColoredPiece { color, piece })
    }

    fn at(&self, (file, rank): Place) -> Option<ColoredPiece> {
        self.pieces[file as usize][rank as usize]
    }

    fn put(&mut self, (file, rank): Place, piece: Option<ColoredPiece>) {
        self.pieces[file as usize][rank as usize] = piece;
    }
}

fn span(a: i8, b: i8) -> std::ops::RangeInclusive<i8> {
    a.min(b)..=a.max(b)
}

/// Returns the file and rank of a square.
pub fn place(square: Square) -> Place {
    (square.file().index() as i8, square.rank().index() as i8)
}

/// Returns the square with a file and a rank.
pub fn square((file, rank): Place) -> Square {
    Square::new(File::ALL[file as usize], Rank::ALL[rank as usize])
}

fn text(from: Place, to: Place) -> String {
    format!("{}{}", square(from), square(to))
}
