//! The move generator: one function for each kind of piece, from the view of the side to move, and the sinks that receive
//! the moves.

use std::hint::black_box;

use crate::attacks::sliders::Sliders;
use crate::attacks::{king, knight, pawn};
use crate::const_table;
use crate::position::{Armies, ChecksAndPins, Position};
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, Direction, File, Move, MoveKind, MoveList, Side, Square,
};

/// Passes all legal moves of side `S`, the side to move, to a sink.
///
/// The function is always inlined, so that it is compiled for the CPU features of its caller.
#[inline(always)]
pub fn generate<S: Side>(position: &Position, sliders: impl Sliders, sink: &mut impl Sink) {
    debug_assert_eq!(position.turn(), S::COLOR);
    let armies = &position.armies_of::<S>();
    let found = &ChecksAndPins::find::<S>(armies, sliders);
    king_moves::<S>(armies, position.castling(), found, sliders, sink);
    if found.check_mask.is_empty() {
        return;
    }
    piece_moves(armies, found, sliders, sink);
    pawn_moves::<S>(armies, found, sink);
    en_passant::<S>(armies, position.en_passant(), sliders, sink);
}

/// Generates king moves and castling. Only they need the squares that the opponent attacks, so this function finds
/// these squares, and only if the king may have a move.
#[inline(always)]
pub fn king_moves<S: Side>(
    armies: &Armies,
    castling: CastlingRights,
    found: &ChecksAndPins,
    sliders: impl Sliders,
    sink: &mut impl Sink,
) {
    let steps = king(armies.king) & !armies.us.all;
    let rooks = castling.rooks(S::COLOR);
    if steps.is_empty() && !has_free_castling_path::<S>(armies, rooks) {
        return;
    }
    let without_king = armies.occupied() ^ armies.king.into();
    let attacked = armies.them.attacked::<S::Other>(armies.their_king, without_king, sliders);
    sink.piece(MoveKind::King, armies.king, steps & !attacked);
    castle::<S>(armies, rooks, found, attacked, sink);
}

#[inline(always)]
fn has_free_castling_path<S: Side>(armies: &Armies, rooks: Bitboard) -> bool {
    let occupied = armies.occupied();
    let mut rooks = rooks.into_iter();
    rooks.any(|rook| (CastlingPaths::of::<S>(armies.king, rook).must_be_empty & occupied).is_empty())
}

/// Generates castling. In Chess960, the rook may be pinned along the back rank. It cannot castle then, because the
/// pinner would attack the king on its target square.
#[inline(always)]
fn castle<S: Side>(
    armies: &Armies,
    rooks: Bitboard,
    found: &ChecksAndPins,
    attacked: Bitboard,
    sink: &mut impl Sink,
) {
    if rooks.is_empty() || found.in_check() {
        return;
    }
    for rook in rooks & !found.orthogonal_pins {
        let paths = CastlingPaths::of::<S>(armies.king, rook);
        if (paths.must_be_empty & armies.occupied()).is_empty() && (paths.must_be_safe & attacked).is_empty()
        {
            sink.piece(MoveKind::Castling, armies.king, rook.into());
        }
    }
}

/// The squares that must be empty or safe for a king and a rook to castle.
#[derive(Clone, Copy)]
pub struct CastlingPaths {
    /// The squares that the king or the rook crosses or enters, except their own two squares.
    pub must_be_empty: Bitboard,
    /// The squares that the king crosses or enters.
    pub must_be_safe: Bitboard,
}

impl CastlingPaths {
    /// Returns the squares for side `S` with its king and rook on the given squares.
    #[inline(always)]
    pub fn of<S: Side>(king: Square, rook: Square) -> CastlingPaths {
        static PATHS: [[[CastlingPaths; 8]; 8]; 2] =
            [CastlingPaths::table(Color::White), CastlingPaths::table(Color::Black)];
        PATHS[S::COLOR.index()][king.file().index()][rook.file().index()]
    }

    const fn table(color: Color) -> [[CastlingPaths; 8]; 8] {
        const NOTHING: CastlingPaths =
            CastlingPaths { must_be_empty: Bitboard::EMPTY, must_be_safe: Bitboard::EMPTY };
        const_table!([[NOTHING; 8]; 8], king => {
            const_table!([NOTHING; 8], rook => CastlingPaths::between(color, File::ALL[king], File::ALL[rook]))
        })
    }

    const fn between(color: Color, king_file: File, rook_file: File) -> CastlingPaths {
        let king = Square::new(king_file, color.back_rank());
        let rook = Square::new(rook_file, color.back_rank());
        let side = if rook_file as u8 > king_file as u8 { CastlingSide::King } else { CastlingSide::Queen };
        let king_path = path(king, side.king_target(color));
        let rook_path = path(rook, side.rook_target(color));
        let own = Bitboard::from_square(king).with(rook).bits();
        CastlingPaths {
            must_be_empty: Bitboard::from_bits((king_path | rook_path) & !own),
            must_be_safe: Bitboard::from_bits(king_path),
        }
    }
}

/// Returns the squares of a rank from `from` to `to` as bits, without `from`.
const fn path(from: Square, to: Square) -> u64 {
    let (start, end) = (Bitboard::from_square(from).bits(), Bitboard::from_square(to).bits());
    if end > start { (end << 1).wrapping_sub(start << 1) } else { start - end }
}

/// Generates the moves of knights and sliders. A pinned knight has no moves. A pinned slider can move along its pin
/// line if it slides in that direction.
#[inline(always)]
pub fn piece_moves(armies: &Armies, found: &ChecksAndPins, sliders: impl Sliders, sink: &mut impl Sink) {
    let (us, occupied) = (armies.us, armies.occupied());
    let targets = found.check_mask & !us.all;
    let free = !found.pins();
    for from in us.knights & free {
        sink.piece(MoveKind::Knight, from, knight(from) & targets);
    }
    for from in us.diagonals & free {
        sink.piece(MoveKind::Diagonal, from, sliders.bishop(from, occupied) & targets);
    }
    for from in us.orthogonals & free {
        sink.piece(MoveKind::Orthogonal, from, sliders.rook(from, occupied) & targets);
    }
    // All pin lines of one kind can be used together. A slider on one pin line cannot reach another, because the king
    // is between them.
    for from in us.diagonals & found.diagonal_pins {
        let on_line = sliders.bishop(from, occupied) & found.diagonal_pins;
        sink.piece(MoveKind::Diagonal, from, on_line & targets);
    }
    for from in us.orthogonals & found.orthogonal_pins {
        let on_line = sliders.rook(from, occupied) & found.orthogonal_pins;
        sink.piece(MoveKind::Orthogonal, from, on_line & targets);
    }
}

/// Generates pawn moves except en passant, for all pawns at once in each direction.
#[inline(always)]
pub fn pawn_moves<S: Side>(armies: &Armies, found: &ChecksAndPins, sink: &mut impl Sink) {
    let Armies { us, them, .. } = *armies;
    let (diagonal_pins, orthogonal_pins) = (found.diagonal_pins, found.orthogonal_pins);

    // A pawn on a diagonal pin line cannot be pushed. On an orthogonal pin line, it must stay on the line, so the line
    // must be its file.
    let empty = !armies.occupied();
    let pushers = us.pawns & !diagonal_pins;
    let pushed = (pushers & !orthogonal_pins).step(S::FORWARD)
        | ((pushers & orthogonal_pins).step(S::FORWARD) & orthogonal_pins);
    let single = pushed & empty;
    let double = (single & S::THIRD_RANK).step(S::FORWARD) & empty & found.check_mask;
    one_step::<S>(sink, S::FORWARD, single & found.check_mask);
    sink.pawns(MoveKind::DoublePush, 2 * S::FORWARD.offset(), double);

    // A pawn on an orthogonal pin line cannot capture. On a diagonal pin line, it must stay on the line.
    let takers = us.pawns & !orthogonal_pins;
    for direction in S::CAPTURES {
        let taken = (takers & !diagonal_pins).step(direction)
            | ((takers & diagonal_pins).step(direction) & diagonal_pins);
        one_step::<S>(sink, direction, taken & them.all & found.check_mask);
    }
}

/// Passes pawn moves in one direction to the sink. Pawns that reach the last rank promote.
#[inline(always)]
pub fn one_step<S: Side>(sink: &mut impl Sink, direction: Direction, targets: Bitboard) {
    let offset = direction.offset();
    let promoting = targets & S::LAST_RANK;
    sink.pawns(MoveKind::Pawn, offset, targets & !S::LAST_RANK);
    if promoting.any() {
        sink.promotions(offset, promoting);
    }
}

/// Generates en passant captures. [`Armies::en_passant_is_legal`] tests each of them.
#[inline(always)]
pub fn en_passant<S: Side>(
    armies: &Armies,
    passed: Option<Square>,
    sliders: impl Sliders,
    sink: &mut impl Sink,
) {
    let Some(passed) = passed else { return };
    for from in pawn(S::Other::COLOR, passed) & armies.us.pawns {
        if armies.en_passant_is_legal::<S>(from, passed, sliders) {
            sink.piece(MoveKind::EnPassant, from, passed.into());
        }
    }
}

/// Returns the number of legal moves of side `S`, without making them.
#[inline(always)]
pub fn count_moves<S: Side>(position: &Position, sliders: impl Sliders) -> u64 {
    let mut total = 0;
    generate::<S>(position, sliders, &mut total);
    total
}

/// Makes every legal move of side `S`, and returns the sum of `count` over the positions reached.
#[inline(always)]
pub fn sum_over_children<S: Side>(
    position: &Position,
    sliders: impl Sliders,
    count: impl Fn(&Position) -> u64,
) -> u64 {
    let mut total = 0;
    for_each_child::<S>(position, sliders, |child| total += count(child));
    total
}

/// Makes every legal move of side `S`, and calls `visit` with each position reached.
#[inline(always)]
pub fn for_each_child<S: Side>(position: &Position, sliders: impl Sliders, visit: impl FnMut(&Position)) {
    let mut play = Play::<S, _> { position, visit, side: std::marker::PhantomData };
    generate::<S>(position, sliders, &mut play);
}

/// Makes every legal move of side `S`, and returns their number.
#[inline(always)]
pub fn play_moves<S: Side>(position: &Position, sliders: impl Sliders) -> u64 {
    sum_over_children::<S>(position, sliders, |child| {
        // Without this, the compiler would remove the code that makes the move.
        black_box(child);
        1
    })
}

struct Play<'a, S, F> {
    position: &'a Position,
    visit: F,
    side: std::marker::PhantomData<S>,
}

impl<S: Side, F: FnMut(&Position)> MoveSink for Play<'_, S, F> {
    #[inline(always)]
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square) {
        (self.visit)(&self.position.play_as::<S>(kind, from, to));
    }
}

/// Receives the legal moves of a position while they are generated, several at a time.
pub trait Sink {
    /// Receives the moves of the piece on `from` to each of the targets. For castling, the target is the rook's square.
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard);

    /// Receives one pawn move to each of the targets. The index of the target minus `offset` is the index of the
    /// pawn's square.
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard);

    /// Receives pawn moves to the last rank, as [`Sink::pawns`] does: four promotions to each of the targets.
    fn promotions(&mut self, offset: i8, targets: Bitboard);
}

/// Returns the square from which a pawn moves to a target; see [`Sink::pawns`].
#[inline(always)]
pub fn origin(to: Square, offset: i8) -> Square {
    Square::from_low_bits((to as u32).wrapping_sub(offset as u32))
}

/// Receives the legal moves of a position one at a time. Every such type is a [`Sink`].
pub trait MoveSink {
    /// Receives a move. For castling, `to` is the rook's square.
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square);
}

impl<T: MoveSink> Sink for T {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.receive(kind, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        for to in targets {
            self.receive(kind, origin(to, offset), to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            for kind in MoveKind::PROMOTIONS {
                self.receive(kind, origin(to, offset), to);
            }
        }
    }
}

/// Lists the moves. A whole set is added at once, so the length in memory is written only once for each set.
impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, origin(to, offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            self.extend(MoveKind::PROMOTIONS.map(|kind| Move::new(kind, origin(to, offset), to)));
        }
    }
}

/// Counts the moves: bulk counting.
impl Sink for u64 {
    #[inline(always)]
    fn piece(&mut self, _: MoveKind, _: Square, targets: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: MoveKind, _: i8, targets: Bitboard) {
        *self += u64::from(targets.count());
    }

    #[inline(always)]
    fn promotions(&mut self, _: i8, targets: Bitboard) {
        *self += 4 * u64::from(targets.count());
    }
}
