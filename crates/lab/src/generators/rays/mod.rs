//! `rays`: ray attacks by bit scans, the classical approach.
//!
//! The attacks of a slider are four rays on an empty board, each cut off behind its first blocker. On a ray towards h8,
//! the first blocker is the lowest occupied square, which a forward bit scan finds. On a ray towards a1, it is the
//! highest one, which a reverse bit scan finds. The squares behind the blocker are the blocker's own ray in the same
//! direction. An exclusive or removes them:
//!
//! ```text
//!   the ray of d4      the first blocker   the ray of the     the attacks of d4
//!   to the north-east  on it               blocker            to the north-east
//!   . . . . . . . 1    . . . . . . . b     . . . . . . . 1    . . . . . . . .
//!   . . . . . . 1 .    . . . . . . . .     . . . . . . 1 .    . . . . . . . .
//!   . . . . . 1 . .    . . . . . B . .     . . . . . . . .    . . . . . 1 . .
//!   . . . . 1 . . .    . . . . . . . .     . . . . . . . .    . . . . 1 . . .
//!   . . . d . . . .    . . . . . . . .     . . . . . . . .    . . . d . . . .
//! ```
//!
//! This needs no multiplication and no large table: the rays of all squares take a few KiB. A ray without a blocker
//! needs no branch, because the scan then finds the last entry of the table, which is empty.
//!
//! **Legality.** Checks and pins are found before the moves. If an enemy slider would attack the king on an empty
//! board, it checks if no piece is between, and pins if one piece of the king's side is between. The results are pin
//! lines, and a check mask, on which all moves except those of the king must end. The king may step to squares that are
//! not attacked if it is removed. Lookups are slow here, so the pieces that could not attack a square next to the king
//! even on an empty board are skipped. An en passant capture removes two pawns at once, which may open a rank, and the
//! captured pawn alone may open a diagonal. So the attackers of the king are looked up on the board after the capture.
//!
//! **Moves and boards.** A move has 32 bits and contains the moving and the captured piece, so playing it does not read
//! the board. The captured piece is looked up only for captures. The board has a set for each kind of piece and for
//! each colour, and a Zobrist key. It is copied for each move, which takes three loads and stores of vectors. Making
//! and unmaking moves by exclusive or on one board executes 3 percent more instructions.
//!
//! **Cost.** A ray takes four instructions: a mask, a scan and two loads. A lookup takes about 20, where magic
//! multiplication takes about 8. With BMI2, a leaf of bulk counting takes 19.2 instructions. Without BMI2, bit scans
//! that are defined for zero are missing too, and a leaf takes 31.5 instructions. (Geometric means over six well-known
//! positions.)
//!
//! Sources: Chess Programming Wiki, "Classical Approach", "Checks and Pinned Pieces (Bitboards)", "Zobrist Hashing".

mod generate;
mod moves;
mod play;

pub use self::moves::RaysMove;

use arrayvec::ArrayVec;
use perft_core::internals::attacks::diagonal_rays;
use perft_core::internals::{Side, with_side};
use perft_core::{Bitboard, CastlingRights, Color, Move, MoveKind, Position, Square};

use self::generate::{Army, List};
use self::moves::Kind;
use super::Board;

/// A board of bitboards by kind of piece and by colour, with its Zobrist key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaysBoard {
    /// All white pieces, the six kinds of piece, and all black pieces. [`Kind`] and [`set_of`] give the indices.
    sets: [Bitboard; 8],
    /// The Zobrist key.
    key: u64,
    castling: CastlingRights,
    kings: [Square; 2],
    turn: Color,
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: Option<Square>,
}

// The board is copied for every move that is played.
const _: () = assert!(size_of::<RaysBoard>() <= 88);

/// Returns the index of the set of all pieces of a colour.
#[inline(always)]
const fn set_of(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

impl Board for RaysBoard {
    type Move = RaysMove;

    fn new(position: &Position) -> RaysBoard {
        let mut sets = [Bitboard::EMPTY; 8];
        for color in Color::ALL {
            let army = position.army(color);
            sets[set_of(color)] = army.all;
            sets[Kind::PAWN.index()] |= army.pawns;
            sets[Kind::KNIGHT.index()] |= army.knights;
            sets[Kind::BISHOP.index()] |= army.diagonals & !army.orthogonals;
            sets[Kind::ROOK.index()] |= army.orthogonals & !army.diagonals;
            sets[Kind::QUEEN.index()] |= army.orthogonals & army.diagonals;
            sets[Kind::KING.index()] |= position.king(color).into();
        }
        let mut board = RaysBoard {
            sets,
            key: 0,
            castling: position.castling(),
            kings: Color::ALL.map(|color| position.king(color)),
            turn: position.turn(),
            en_passant: position.en_passant(),
        };
        board.key = board.key_from_scratch();
        board
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(RaysMove, &mut RaysBoard)) {
        with_side!(self.turn, S => self.each_child_of::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn, S => self.generate::<S>(&mut total));
        total
    }

    fn to_move(&self, packed: RaysMove) -> Move {
        let (from, to) = (packed.from(), packed.to());
        let kind = match packed.promoted() {
            Kind::KNIGHT => MoveKind::PromoteKnight,
            Kind::BISHOP => MoveKind::PromoteBishop,
            Kind::ROOK => MoveKind::PromoteRook,
            Kind::QUEEN => MoveKind::PromoteQueen,
            _ if packed.is(RaysMove::DOUBLE_PUSH) => MoveKind::DoublePush,
            _ if packed.is(RaysMove::EN_PASSANT) => MoveKind::EnPassant,
            _ if packed.is(RaysMove::CASTLING) => MoveKind::Castling,
            _ => match packed.moved() {
                Kind::PAWN => MoveKind::Pawn,
                Kind::KNIGHT => MoveKind::Knight,
                Kind::KING => MoveKind::King,
                _ if diagonal_rays(from).contains(to) => MoveKind::Diagonal,
                _ => MoveKind::Orthogonal,
            },
        };
        Move::new(kind, from, to)
    }
}

impl RaysBoard {
    /// Plays each legal move of side `S`, the side to move, on a copy.
    #[inline(always)]
    fn each_child_of<S: Side>(&mut self, mut visit: impl FnMut(RaysMove, &mut RaysBoard)) {
        let them = self.all(S::Other::COLOR);
        let mut list = List { board: self, them, moves: ArrayVec::new() };
        self.generate::<S>(&mut list);
        for &packed in &list.moves {
            let mut child = *self;
            child.play::<S>(packed);
            visit(packed, &mut child);
        }
    }

    /// Returns all pieces of a colour.
    #[inline(always)]
    const fn all(&self, color: Color) -> Bitboard {
        self.sets[set_of(color)]
    }

    /// Returns the pieces of a kind, of both colours.
    #[inline(always)]
    const fn of_kind(&self, kind: Kind) -> Bitboard {
        self.sets[kind.index()]
    }

    /// Returns the pieces of a colour by their way of moving.
    #[inline(always)]
    fn army(&self, color: Color) -> Army {
        let all = self.all(color);
        let queens = self.of_kind(Kind::QUEEN);
        Army {
            pawns: self.of_kind(Kind::PAWN) & all,
            knights: self.of_kind(Kind::KNIGHT) & all,
            diagonals: (self.of_kind(Kind::BISHOP) | queens) & all,
            orthogonals: (self.of_kind(Kind::ROOK) | queens) & all,
            king: self.kings[color.index()],
            all,
        }
    }

    /// Returns the kind of the piece on a square, or none. Kings are ignored. The three bits of the number of the kind
    /// are combined.
    #[inline(always)]
    fn kind_at(&self, square: Square) -> Kind {
        let [_, pawns, knights, bishops, rooks, queens, ..] = self.sets;
        let bit = |set: Bitboard| (set.bits() >> square as u8 & 1) as u32;
        Kind::from_bits(bit(pawns | bishops | queens), bit(knights | bishops), bit(rooks | queens))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use perft_core::internals::split_mix_64;

    use super::*;

    const ROOTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w BGbg - 0 1",
    ];

    #[test]
    fn keys_and_boards_stay_right_in_random_games() {
        let mut random = 0;
        let (mut passed, mut castled) = (0, 0);
        let mut fen_of = HashMap::new();
        for game in 0..200 {
            let mut position = Position::from_fen(ROOTS[game % ROOTS.len()]).unwrap();
            let mut board = RaysBoard::new(&position);
            for _ in 0..100 {
                for (played, child) in board.children() {
                    assert_eq!(child.key, child.key_from_scratch(), "{played:?} in {position}");
                    let next = position.play_unchecked(played);
                    assert_eq!(child, RaysBoard::new(&next));
                    assert_eq!(*fen_of.entry(child.key).or_insert(next.to_string()), next.to_string());
                    passed += u32::from(played.kind() == MoveKind::EnPassant);
                    castled += u32::from(played.kind() == MoveKind::Castling);
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves[(split_mix_64(&mut random) % moves.len() as u64) as usize];
                let found = board.children().into_iter().find(|(other, _)| *other == played);
                board = found.expect("every legal move is found").1;
                position = position.play_unchecked(played);
            }
        }
        assert!(passed > 0 && castled > 0);
    }
}
