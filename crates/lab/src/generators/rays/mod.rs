//! `rays`: ray attacks by bit scans, the classical approach.
//!
//! A slider's attacks are four rays of the empty board, each cut behind its first blocker. On a ray towards h8 that is
//! the lowest occupied square, which a forward bit scan finds; on one towards a1 the highest, which a reverse scan finds.
//! Beyond the blocker lies nothing but the blocker's own ray in the same direction, and an exclusive or takes it off:
//!
//! ```text
//!   ray of d4 to       first blocker     ... and its ray   what d4 attacks
//!   the north-east     of those on it
//!   . . . . . . . 1    . . . . . . . b   . . . . . . . 1   . . . . . . . .
//!   . . . . . . 1 .    . . . . . . . .   . . . . . . 1 .   . . . . . . . .
//!   . . . . . 1 . .    . . . . . B . .   . . . . . . . .   . . . . . 1 . .
//!   . . . . 1 . . .    . . . . . . . .   . . . . . . . .   . . . . 1 . . .
//!   . . . d . . . .    . . . . . . . .   . . . . . . . .   . . . d . . . .
//! ```
//!
//! That needs neither multiplication nor large tables: the rays of all squares are a few KiB. A ray without a blocker
//! needs no branch either, if the scan then finds a sentinel that hides nothing.
//!
//! **Legality.** Before any move come the checks and pins: an enemy slider whose empty-board ray meets the king checks
//! if nothing stands between, and pins if one man of ours does. They leave a check mask, where all moves but the king's
//! must end, and pin lines. The king goes where the enemy does not attack, himself taken off the board. As look-ups are
//! dear here, the enemy's pieces that cannot look beside the king even on an empty board are not asked. An en passant
//! capture takes two pawns off at once, so it is judged on the board after it, by looking from the king along ranks,
//! files and diagonals: the pair may uncover a rank, and the captured pawn alone a diagonal.
//!
//! **Moves and boards.** A move of 32 bits names the moved and the captured piece, so playing it asks the board nothing;
//! the captured piece is found for captures only. The board has a set for each kind and each colour and a Zobrist key,
//! and is copied for each move: three vector loads and stores. Undoing a move by repeating its exclusive ors, and
//! keeping key, rights and en passant square aside, executes 3 percent more instructions (18.6 instead of 18.0 a leaf).
//!
//! **What it costs.** Four instructions a ray, mask, scan and two loads, and so some 20 a look-up, where magic
//! multiplication needs about 8. With BMI2 a leaf of bulk counting takes 18.0 instructions, and 15.6 with magic look-ups
//! in this very generator; without BMI2, where bit scans that are defined for zero are missing too, 26.6 and 23.0
//! (geometric means over six well-known positions).
//!
//! Sources: Chess Programming Wiki, "Classical Approach", "Checks and Pinned Pieces (Bitboards)", "Zobrist Hashing".

mod generate;
mod moves;
mod play;

use arrayvec::ArrayVec;

use self::generate::{Army, Listing};
use self::moves::Kind;
pub use self::moves::PackedMove;
use super::{Board, Design};
use perft_core::Position;
use perft_core::internals::attacks::diagonal_rays;
use perft_core::internals::{Black, Side, White};
use perft_core::{Bitboard, CastlingRights, Color, MAX_MOVES, Move, MoveKind, Square};

/// A board of sets by kind of piece and by colour, with its Zobrist key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaysBoard {
    /// What is white, the six kinds of piece, and what is black: see [`Kind`] and [`set_of`].
    sets: [Bitboard; 8],
    /// The Zobrist key.
    key: u64,
    castling: CastlingRights,
    kings: [Square; 2],
    turn: Color,
    /// The square that a pawn has just passed, if an enemy pawn stands ready to take there.
    en_passant: Option<Square>,
}

// Copied for every move that is played.
const _: () = assert!(size_of::<RaysBoard>() == 88);

/// Where [`RaysBoard`] keeps the set of all pieces of a colour.
#[inline(always)]
const fn set_of(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

impl Board for RaysBoard {
    type Move = PackedMove;

    const DESIGN: Design = Design {
        about: "legal moves from rays that a bit scan cuts at the first blocker",
        board: "bitboards by kind and by colour, with a Zobrist key kept up to date",
        sliders: "rays of the empty board, cut by forward and reverse bit scans",
        legality: "check mask, pins and attacked squares, found before the moves",
        playing: "on a copy of 88 bytes; sets and key change by exclusive or",
        moves: "from, to, moved, captured, promoted and flags in 24 bits of 32",
        counting: "sizes of sets of targets",
        source: "Chess Programming Wiki, \"Classical Approach\"",
    };

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
    fn each_child(&mut self, visit: impl FnMut(PackedMove, &mut RaysBoard)) {
        match self.turn {
            Color::White => self.each_child_of::<White>(visit),
            Color::Black => self.each_child_of::<Black>(visit),
        }
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        match self.turn {
            Color::White => self.generate::<White>(&mut total),
            Color::Black => self.generate::<Black>(&mut total),
        }
        total
    }

    fn to_move(&self, packed: PackedMove) -> Move {
        let (from, to) = (packed.from(), packed.to());
        let kind = match packed.promoted() {
            Kind::KNIGHT => MoveKind::PromoteKnight,
            Kind::BISHOP => MoveKind::PromoteBishop,
            Kind::ROOK => MoveKind::PromoteRook,
            Kind::QUEEN => MoveKind::PromoteQueen,
            _ if packed.is(PackedMove::DOUBLE_PUSH) => MoveKind::DoublePush,
            _ if packed.is(PackedMove::EN_PASSANT) => MoveKind::EnPassant,
            _ if packed.is(PackedMove::CASTLING) => MoveKind::Castling,
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
    fn each_child_of<S: Side>(&mut self, mut visit: impl FnMut(PackedMove, &mut RaysBoard)) {
        let mut moves = ArrayVec::<_, MAX_MOVES>::new();
        let them = self.all(S::Other::COLOR);
        self.generate::<S>(&mut Listing { board: self, them, moves: &mut moves });
        for &packed in &moves {
            let mut child = *self;
            child.play::<S>(packed);
            visit(packed, &mut child);
        }
    }

    /// All pieces of a colour.
    #[inline(always)]
    const fn all(&self, color: Color) -> Bitboard {
        self.sets[set_of(color)]
    }

    /// The pieces of a kind, of both colours.
    #[inline(always)]
    const fn of_kind(&self, kind: Kind) -> Bitboard {
        self.sets[kind.index()]
    }

    /// The pieces of a colour.
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

    /// What stands on a square, a king left out: the three bits of its kind, from three sets.
    #[inline(always)]
    fn kind_at(&self, square: Square) -> Kind {
        let [_, pawns, knights, bishops, rooks, queens, ..] = self.sets;
        let bit = |set: Bitboard| (set.bits() >> square as u8 & 1) as u32;
        Kind::from_bits(bit(pawns | bishops | queens), bit(knights | bishops), bit(rooks | queens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_core::internals::split_mix_64;
    use perft_core::legal_moves;

    const ROOTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w BGbg - 0 1",
    ];

    fn board(fen: &str) -> RaysBoard {
        RaysBoard::new(&Position::from_fen(fen).unwrap())
    }

    /// A board that was played along is that of the position, key and all; and so is each of its children.
    #[test]
    fn keys_are_those_from_scratch_after_random_games() {
        let mut random = 0;
        let (mut passed, mut castled) = (0, 0);
        for game in 0..200 {
            let mut position = Position::from_fen(ROOTS[game % ROOTS.len()]).unwrap();
            let mut board = RaysBoard::new(&position);
            for _ in 0..100 {
                for (played, child) in board.children() {
                    assert_eq!(child.key, child.key_from_scratch(), "{played:?} in {position}");
                    assert_eq!(child, RaysBoard::new(&position.play_unchecked(played)));
                    passed += u32::from(played.kind() == MoveKind::EnPassant);
                    castled += u32::from(played.kind() == MoveKind::Castling);
                }
                let moves = legal_moves(&position);
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

    #[test]
    fn what_a_key_tells_apart() {
        let all = [
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w Kk - 0 1",
            "r3k2r/8/8/8/3nP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3PP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq - 0 1",
        ];
        for (index, a) in all.iter().enumerate() {
            for b in &all[..index] {
                assert_ne!(board(a).key, board(b).key, "{a} {b}");
            }
        }
    }

    #[test]
    fn en_passant_uncovers_nothing() {
        for (fen, is_legal, why) in [
            ("4k3/8/8/3pP3/8/5K2/8/8 w - d6 0 1", true, "nothing looks at the king"),
            ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", false, "both pawns leave the rank"),
            ("4k3/8/2b5/3pP3/8/5K2/8/8 w - d6 0 1", false, "the captured pawn leaves a diagonal"),
            ("4k3/2b5/8/3pP3/5K2/8/8/8 w - d6 0 1", true, "the capturing pawn stays on its diagonal"),
            ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false, "the capturing pawn leaves its file"),
            (
                "3r2k1/8/8/3pP3/8/8/8/3K4 w - d6 0 1",
                true,
                "one pawn takes the place of the other on the file",
            ),
            ("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", true, "the captured pawn gave check"),
            ("4k3/8/2b5/3pP3/4K3/8/8/8 w - d6 0 1", false, "it gave check and hid a bishop"),
        ] {
            let moves = board(fen).legal_moves();
            let found = moves.iter().any(|played| played.kind() == MoveKind::EnPassant);
            assert_eq!(found, is_legal, "{why}: {fen}");
        }
    }
}
