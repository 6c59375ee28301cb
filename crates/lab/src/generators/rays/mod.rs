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

mod play;

use arrayvec::ArrayVec;
use perft_core::internals::attacks::{between, diagonal_rays, knight, orthogonal_rays, pawn};
use perft_core::internals::{
    Armies, Army, ChecksAndPins, Direction, Side, Sink, en_passant, origin, pawn_moves, piece_moves,
    with_side,
};
use perft_core::{Bitboard, CastlingRights, Color, MAX_MOVES, Move, MoveKind, Position, Square};

use super::board::{Board, king_moves};
use crate::sliders::Rays;

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
    fn each_child(&mut self, visit: impl FnMut(Move, &mut RaysBoard)) {
        with_side!(self.turn, S => self.each_child_of::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn, S => self.generate::<S>(&mut total));
        total
    }
}

impl RaysBoard {
    /// Plays each legal move of side `S`, the side to move, on a copy.
    #[inline(always)]
    fn each_child_of<S: Side>(&mut self, mut visit: impl FnMut(Move, &mut RaysBoard)) {
        let them = self.all(S::Other::COLOR);
        let mut list = List { board: self, them, moves: ArrayVec::new() };
        self.generate::<S>(&mut list);
        for &packed in &list.moves {
            let mut child = *self;
            child.play::<S>(packed);
            visit(packed.to_move(), &mut child);
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

/// A kind of piece, or none, in three bits.
///
/// The number is the index of its set on the board. Index 0 is the set of all white pieces. A capture of "none" changes
/// no square of this set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind(u32);

impl Kind {
    const NONE: Kind = Kind(0);
    const PAWN: Kind = Kind(1);
    const KNIGHT: Kind = Kind(2);
    const BISHOP: Kind = Kind(3);
    const ROOK: Kind = Kind(4);
    const QUEEN: Kind = Kind(5);
    const KING: Kind = Kind(6);

    /// Returns the kind with these bits, each 0 or 1, the lowest first.
    #[inline(always)]
    const fn from_bits(low: u32, middle: u32, high: u32) -> Kind {
        Kind(low | middle << 1 | high << 2)
    }

    /// Returns the number of the kind, which is below 8.
    #[inline(always)]
    const fn index(self) -> usize {
        (self.0 & 7) as usize
    }
}

/// A move in 32 bits. For castling, the target is the square of the rook.
///
/// ```text
///   bits   0 to 5   6 to 11   12 to 14   15 to 17   18 to 20   21            22           23
///          from     to        moved      captured   promoted   double push   en passant   castling
/// ```
#[derive(Clone, Copy, Debug)]
struct RaysMove(u32);

impl RaysMove {
    const MOVED: u32 = 12;
    const CAPTURED: u32 = 15;
    const PROMOTED: u32 = 18;
    const DOUBLE_PUSH: u32 = 1 << 21;
    const EN_PASSANT: u32 = 1 << 22;
    const CASTLING: u32 = 1 << 23;

    #[inline(always)]
    fn new(moved: Kind, from: Square, to: Square) -> RaysMove {
        RaysMove(from as u32 | (to as u32) << 6 | moved.0 << RaysMove::MOVED)
    }

    #[inline(always)]
    fn capturing(self, captured: Kind) -> RaysMove {
        RaysMove(self.0 | captured.0 << RaysMove::CAPTURED)
    }

    #[inline(always)]
    fn promoting(self, promoted: Kind) -> RaysMove {
        RaysMove(self.0 | promoted.0 << RaysMove::PROMOTED)
    }

    #[inline(always)]
    fn flagged(self, flag: u32) -> RaysMove {
        RaysMove(self.0 | flag)
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::from_low_bits(self.0)
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::from_low_bits(self.0 >> 6)
    }

    #[inline(always)]
    const fn moved(self) -> Kind {
        Kind(self.0 >> RaysMove::MOVED & 7)
    }

    #[inline(always)]
    const fn captured(self) -> Kind {
        Kind(self.0 >> RaysMove::CAPTURED & 7)
    }

    #[inline(always)]
    const fn promoted(self) -> Kind {
        Kind(self.0 >> RaysMove::PROMOTED & 7)
    }

    #[inline(always)]
    const fn is(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Returns the square of the captured piece.
    ///
    /// For most moves, this is the target. For en passant, it is the square behind the target. Its index differs in the
    /// bit of value 8 (c6 and c5, c3 and c4).
    #[inline(always)]
    const fn capture_square(self) -> Square {
        Square::from_low_bits(
            self.0 >> 6 ^ (self.0 & RaysMove::EN_PASSANT) >> RaysMove::EN_PASSANT.ilog2() << 3,
        )
    }

    /// Whether the move is a promotion, a double push or castling, which do more than move one piece and capture
    /// another.
    #[inline(always)]
    const fn is_special(self) -> bool {
        self.0 & (7 << RaysMove::PROMOTED | RaysMove::DOUBLE_PUSH | RaysMove::CASTLING) != 0
    }

    fn to_move(self) -> Move {
        let (from, to) = (self.from(), self.to());
        let kind = match self.promoted() {
            Kind::KNIGHT => MoveKind::PromoteKnight,
            Kind::BISHOP => MoveKind::PromoteBishop,
            Kind::ROOK => MoveKind::PromoteRook,
            Kind::QUEEN => MoveKind::PromoteQueen,
            _ if self.is(RaysMove::DOUBLE_PUSH) => MoveKind::DoublePush,
            _ if self.is(RaysMove::EN_PASSANT) => MoveKind::EnPassant,
            _ if self.is(RaysMove::CASTLING) => MoveKind::Castling,
            _ => match self.moved() {
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

/// Returns the pieces without the knights and sliders that could not attack a square next to this one even on an empty
/// board.
///
/// This saves 10 to 16 percent of all instructions in positions without immediate castling (start position at depth 5,
/// positions 5 and 6 of the wiki at depth 4, BMI2). It saves nothing in Kiwipete, where all pieces are needed.
#[inline(always)]
fn near(army: &Army, square: Square) -> Army {
    static NEIGHBOURHOODS: [Neighbourhood; 64] = Neighbourhood::all();
    let around = &NEIGHBOURHOODS[square.index()];
    Army {
        knights: army.knights & around.knights,
        diagonals: army.diagonals & around.diagonals,
        orthogonals: army.orthogonals & around.orthogonals,
        ..*army
    }
}

/// The squares from which a piece attacks any square next to one square, on an empty board.
#[derive(Clone, Copy, Debug)]
struct Neighbourhood {
    knights: Bitboard,
    diagonals: Bitboard,
    orthogonals: Bitboard,
}

impl Neighbourhood {
    const fn all() -> [Neighbourhood; 64] {
        const EMPTY: Bitboard = Bitboard::EMPTY;
        let mut all = [Neighbourhood { knights: EMPTY, diagonals: EMPTY, orthogonals: EMPTY }; 64];
        let mut index = 0;
        while index < 64 * 8 {
            if let Some(beside) = Direction::ALL[index % 8].step(Square::ALL[index / 8]) {
                all[index / 8].add_attackers(beside);
            }
            index += 1;
        }
        all
    }

    const fn add_attackers(&mut self, target: Square) {
        let mut index = 0;
        while index < 64 {
            let from = Square::ALL[index];
            let files = (target as i8 % 8 - from as i8 % 8).abs();
            let ranks = (target as i8 / 8 - from as i8 / 8).abs();
            if files * ranks == 2 {
                self.knights = self.knights.with(from);
            } else if files == ranks && files != 0 {
                self.diagonals = self.diagonals.with(from);
            } else if (files == 0) != (ranks == 0) {
                self.orthogonals = self.orthogonals.with(from);
            }
            index += 1;
        }
    }
}

/// Finds the checks and pins of side `S`, whose pieces are `us`, without a lookup of sliders.
#[inline(always)]
fn checks_and_pins<S: Side>(armies: &Armies) -> ChecksAndPins {
    let Armies { us, them, king, .. } = *armies;
    let leapers = (knight(king) & them.knights) | (pawn(S::COLOR, king) & them.pawns);
    let mut checkers = leapers;
    let mut evasions = leapers;
    let mut line_to = |slider: Square| {
        let line = between(king, slider).with(slider);
        let pieces = line & (us.all | them.all);
        if pieces == Bitboard::from(slider) {
            checkers |= pieces;
            evasions |= line;
        }
        let pins = (pieces & them.all) == Bitboard::from(slider) && !(pieces & us.all).has_many();
        if pins && pieces.has_many() { line } else { Bitboard::EMPTY }
    };
    let mut diagonal_pins = Bitboard::EMPTY;
    for slider in diagonal_rays(king) & them.diagonals {
        diagonal_pins |= line_to(slider);
    }
    let mut orthogonal_pins = Bitboard::EMPTY;
    for slider in orthogonal_rays(king) & them.orthogonals {
        orthogonal_pins |= line_to(slider);
    }
    let check_mask = match (checkers.any(), checkers.has_many()) {
        (false, _) => Bitboard::FULL,
        (true, false) => evasions,
        (true, true) => Bitboard::EMPTY,
    };
    ChecksAndPins { checkers, check_mask, diagonal_pins, orthogonal_pins }
}

/// Lists the moves, and looks up the captured piece of each.
struct List<'a> {
    board: &'a RaysBoard,
    them: Bitboard,
    moves: ArrayVec<RaysMove, MAX_MOVES>,
}

impl Sink for List<'_> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        let moved = match kind {
            MoveKind::EnPassant => Kind::PAWN,
            MoveKind::Knight => Kind::KNIGHT,
            MoveKind::King | MoveKind::Castling => Kind::KING,
            _ if self.board.of_kind(Kind::QUEEN).contains(from) => Kind::QUEEN,
            MoveKind::Diagonal => Kind::BISHOP,
            _ => Kind::ROOK,
        };
        for to in targets & self.them {
            self.moves.push(RaysMove::new(moved, from, to).capturing(self.board.kind_at(to)));
        }
        for to in targets & !self.them {
            let packed = RaysMove::new(moved, from, to);
            self.moves.push(match kind {
                MoveKind::EnPassant => packed.capturing(Kind::PAWN).flagged(RaysMove::EN_PASSANT),
                MoveKind::Castling => packed.flagged(RaysMove::CASTLING),
                _ => packed,
            });
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        let flag = if kind == MoveKind::DoublePush { RaysMove::DOUBLE_PUSH } else { 0 };
        for to in targets {
            let packed = RaysMove::new(Kind::PAWN, origin(to, offset), to);
            self.moves.push(packed.capturing(self.board.kind_at(to)).flagged(flag));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            let packed = RaysMove::new(Kind::PAWN, origin(to, offset), to);
            for promoted in [Kind::QUEEN, Kind::ROOK, Kind::BISHOP, Kind::KNIGHT] {
                self.moves.push(packed.capturing(self.board.kind_at(to)).promoting(promoted));
            }
        }
    }
}

impl RaysBoard {
    /// Adds all legal moves of side `S`, the side to move.
    #[inline(always)]
    fn generate<S: Side>(&self, sink: &mut impl Sink) {
        let (us, them) = (&self.army(S::COLOR), &self.army(S::Other::COLOR));
        let (king, their_king) = (self.kings[S::COLOR.index()], self.kings[S::Other::COLOR.index()]);
        let armies = &Armies { us, them, king, their_king };
        let found = &checks_and_pins::<S>(armies);
        king_moves::<S>(armies, self.castling, found, near, Rays, sink);
        if found.check_mask.is_empty() {
            return;
        }
        piece_moves(armies, found, Rays, sink);
        pawn_moves::<S>(armies, found, sink);
        en_passant::<S>(armies, self.en_passant, Rays, sink);
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
                    let next = position.play_legal(played);
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
                position = position.play_legal(played);
            }
        }
        assert!(passed > 0 && castled > 0);
    }
}
