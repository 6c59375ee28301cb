//! Counts the kinds of the leaf nodes below a leaf parent. Few moves are made.
//!
//! Captures, castling and promotions are counted as the sizes of sets of targets. A move is only made if it may give
//! check, or if it may stalemate the opponent ([`stalemate_targets`]). It may give check in these cases:
//!
//! - The piece *arrives* on a square from which it attacks the enemy king.
//! - The piece *departs* from a line between one of our sliders and the enemy king, on which it stands alone.
//! - It is a promotion of a pawn that the enemy king sees: the new piece attacks through the pawn's square.
//! - It is castling, and the enemy king sees the rook's target square or is on our back rank.
//! - It is an en passant capture.
//!
//! Every move that gives check meets one of these conditions. The position after the move decides whether it does.
//! Checks are 1 to 4 % of all moves.

use super::generate::{count_moves, generate};
use super::{Sink, origin};
use crate::attacks::sliders::{Magic, Sliders};
use crate::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use crate::leaf_statistics::LeafStatistics;
use crate::position::{Armies, Position};
use crate::types::{Bitboard, CastlingSide, Direction, Move, MoveKind, MoveList, Side, Square};
use crate::with_side;

/// Adds the statistics one ply below a position in which side `S` is to move.
#[inline(always)]
pub fn add_leaf_statistics<S: Side>(
    position: &Position,
    sliders: impl Sliders,
    statistics: &mut LeafStatistics,
) {
    let mut listed = MoveList::new();
    let mut sorter = LeafSorter::<S>::of(position, sliders, &mut listed);
    generate::<S>(position, sliders, &mut sorter);
    sorter.add_to(statistics);
    let may_stalemate = sorter.stalemate_targets.any();
    for &played in &listed {
        add_check_or_mate::<S>(position, played, may_stalemate, sliders, statistics);
    }
}

/// Returns the statistics of a single leaf node: a legal move, and the position after it.
pub fn statistics_of_move(position: &Position, played: Move) -> LeafStatistics {
    let kind = played.kind();
    let is_en_passant = kind == MoveKind::EnPassant;
    let is_capture = is_en_passant || position.army(!position.turn()).all.contains(played.to());
    let mut statistics = LeafStatistics {
        nodes: 1,
        captures: is_capture.into(),
        en_passant: is_en_passant.into(),
        castles: (kind == MoveKind::Castling).into(),
        promotions: kind.promotion().is_some().into(),
        ..LeafStatistics::default()
    };
    with_side!(position.turn(), S => add_check_or_mate::<S>(position, played, true, Magic, &mut statistics));
    statistics
}

/// Counts the moves by kind, except checks and mates, and lists the moves that have to be made.
struct LeafSorter<'a, S> {
    /// The moves that may give check or stalemate.
    listed: &'a mut MoveList,
    enemies: Bitboard,
    queens: Bitboard,
    /// All moves from these squares are listed.
    departures: Bitboard,
    /// All moves to these squares are listed, because they may stalemate.
    stalemate_targets: Bitboard,
    /// The squares from which a pawn attacks the enemy king.
    pawn_arrivals: Bitboard,
    /// The squares from which a knight attacks the enemy king.
    knight_arrivals: Bitboard,
    /// The squares from which a bishop attacks the enemy king.
    diagonal_arrivals: Bitboard,
    /// The squares from which a rook attacks the enemy king.
    orthogonal_arrivals: Bitboard,
    /// Whether the enemy king is on our back rank, where castling opens and closes lines.
    is_king_on_back_rank: bool,
    nodes: u64,
    captures: u64,
    en_passant: u64,
    castles: u64,
    promotions: u64,
    side: std::marker::PhantomData<S>,
}

impl<'a, S: Side> LeafSorter<'a, S> {
    #[inline(always)]
    fn of(position: &Position, sliders: impl Sliders, listed: &'a mut MoveList) -> LeafSorter<'a, S> {
        let Armies { us, them, their_king: king, .. } = position.armies_of::<S>();
        let occupied = position.occupied();
        LeafSorter {
            listed,
            enemies: them.all,
            queens: us.diagonals & us.orthogonals,
            departures: discoverers::<S>(position),
            stalemate_targets: stalemate_targets::<S>(position),
            pawn_arrivals: pawn(S::Other::COLOR, king),
            knight_arrivals: knight(king),
            diagonal_arrivals: sliders.bishop(king, occupied),
            orthogonal_arrivals: sliders.rook(king, occupied),
            is_king_on_back_rank: S::BACK_RANK.contains(king),
            nodes: 0,
            captures: 0,
            en_passant: 0,
            castles: 0,
            promotions: 0,
            side: std::marker::PhantomData,
        }
    }

    /// Adds what was counted, without checks and mates.
    #[inline(always)]
    fn add_to(&self, statistics: &mut LeafStatistics) {
        statistics.nodes += u128::from(self.nodes);
        statistics.captures += u128::from(self.captures);
        statistics.en_passant += u128::from(self.en_passant);
        statistics.castles += u128::from(self.castles);
        statistics.promotions += u128::from(self.promotions);
    }

    #[inline(always)]
    fn count(&mut self, targets: Bitboard, moves: u64) {
        self.nodes += moves * u64::from(targets.count());
        self.captures += moves * u64::from((targets & self.enemies).count());
    }

    /// Returns the squares from which the piece on `from` attacks the enemy king after a move of this kind.
    #[inline(always)]
    fn arrivals(&self, kind: MoveKind, from: Square) -> Bitboard {
        let is_queen = kind == MoveKind::PromoteQueen || self.queens.contains(from);
        match kind {
            MoveKind::Pawn | MoveKind::DoublePush => self.pawn_arrivals,
            MoveKind::Knight | MoveKind::PromoteKnight => self.knight_arrivals,
            MoveKind::King => Bitboard::EMPTY,
            MoveKind::EnPassant | MoveKind::Castling => Bitboard::FULL,
            _ if is_queen => self.diagonal_arrivals | self.orthogonal_arrivals,
            MoveKind::Diagonal | MoveKind::PromoteBishop => self.diagonal_arrivals,
            _ => self.orthogonal_arrivals,
        }
    }

    /// Whether castling may give check or stalemate.
    #[inline(always)]
    fn must_list_castling(&self, king: Square, rook: Square) -> bool {
        let target = CastlingSide::of(king, rook).rook_target(S::COLOR);
        self.is_king_on_back_rank
            || self.orthogonal_arrivals.contains(target)
            || (self.departures & (Bitboard::from(king) | rook.into())).any()
            // Our rook's square is one of these targets only if all squares are.
            || self.stalemate_targets.contains(rook)
    }
}

impl<S: Side> Sink for LeafSorter<'_, S> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.count(targets, 1);
        match kind {
            MoveKind::EnPassant => {
                self.en_passant += 1;
                self.captures += 1;
            }
            MoveKind::Castling => {
                self.castles += 1;
                if targets.into_iter().any(|rook| !self.must_list_castling(from, rook)) {
                    return;
                }
            }
            _ => {}
        }
        let arrivals = targets & (self.arrivals(kind, from) | self.stalemate_targets);
        for to in if self.departures.contains(from) { targets } else { arrivals } {
            self.listed.push(Move::new(kind, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        self.count(targets, 1);
        // Rotated squares that leave the board are not targets of pawns.
        let departed = Bitboard::from_bits(self.departures.bits().rotate_left(offset as u32 & 63));
        for to in targets & (self.pawn_arrivals | departed | self.stalemate_targets) {
            self.listed.push(Move::new(kind, origin(to, offset), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        self.count(targets, 4);
        self.promotions += 4 * u64::from(targets.count());
        let departures = self.departures | self.diagonal_arrivals | self.orthogonal_arrivals;
        for to in targets {
            let from = origin(to, offset);
            for kind in MoveKind::PROMOTIONS {
                let arrivals = self.arrivals(kind, from) | self.stalemate_targets;
                if departures.contains(from) || arrivals.contains(to) {
                    self.listed.push(Move::new(kind, from, to));
                }
            }
        }
    }
}

/// Returns the pieces of side `S` that stand alone between one of its sliders and the enemy king.
#[inline(always)]
fn discoverers<S: Side>(position: &Position) -> Bitboard {
    let Armies { us, them, their_king: king, .. } = position.armies_of::<S>();
    let sliders = (orthogonal_rays(king) & us.orthogonals) | (diagonal_rays(king) & us.diagonals);
    let mut found = Bitboard::EMPTY;
    for slider in sliders {
        let line = between(king, slider);
        let ours = line & us.all;
        if (line & them.all).is_empty() && !ours.has_many() {
            found |= ours;
        }
    }
    found
}

/// Returns the targets of the moves of side `S` that may stalemate the opponent, other than en passant captures.
///
/// The opponent is not stalemated if one of its pieces can still move after the move of side `S`. This is certain for
/// some pieces, unless the move captures the piece or blocks it:
///
/// - A pinned pawn can still push on a file, and a pinned slider can still move along its line. Other pieces count only
///   if they are on no line with their king.
/// - A piece can capture what arrives beside it. Only a pawn is blocked, by a move to the square in front of it.
/// - Castling moves two pieces, but it blocks only pawns on their seventh rank, which do not count.
///
/// With two such pieces, no move stalemates, because a move has one target. With one, the targets are its square and,
/// for a pawn, the square in front of it. With none, they are all squares.
#[inline(always)]
fn stalemate_targets<S: Side>(position: &Position) -> Bitboard {
    let them = position.army(S::Other::COLOR);
    let their_king = position.king(S::Other::COLOR);
    let (orthogonal, diagonal) = (orthogonal_rays(their_king), diagonal_rays(their_king));
    let rank = Bitboard::rank(their_king.rank());
    let pawns = them.pawns & !(diagonal | rank | S::Other::SEVENTH_RANK);
    let pushes = pawns.step(S::Other::FORWARD) & !position.occupied();
    if pushes.has_many() {
        return Bitboard::EMPTY;
    }
    let open = !them.all;
    let beside = |[a, b, c, d]: [Direction; 4]| open.step(a) | open.step(b) | open.step(c) | open.step(d);
    let orthogonals = them.orthogonals & !diagonal & beside(Direction::ORTHOGONAL);
    let diagonals = them.diagonals & !orthogonal & beside(Direction::DIAGONAL);
    let can_leap = |square: &Square| (knight(*square) & open).any();
    let knights = (them.knights & !(orthogonal | diagonal)).into_iter().filter(can_leap).collect();
    let movable = pushes.step(S::FORWARD) | orthogonals | diagonals | knights;
    match movable.count() {
        0 => Bitboard::FULL,
        1 => movable | pushes,
        _ => Bitboard::EMPTY,
    }
}

#[inline(always)]
fn add_check_or_mate<S: Side>(
    position: &Position,
    played: Move,
    may_stalemate: bool,
    sliders: impl Sliders,
    statistics: &mut LeafStatistics,
) {
    let after = position.play_as::<S>(played.kind(), played.from(), played.to());
    let king = after.king(S::Other::COLOR);
    let checkers = after.attackers(king, S::COLOR, after.occupied(), sliders);
    if checkers.any() {
        let (is_direct, is_double) = (checkers.contains(moved_piece::<S>(played)), checkers.has_many());
        statistics.checks.count(is_direct, is_double);
        if has_no_move::<S::Other>(&after, sliders) {
            statistics.checkmates.count(is_direct, is_double);
        }
    } else if may_stalemate && has_no_move::<S::Other>(&after, sliders) {
        statistics.stalemates += 1;
    }
}

/// Returns the square of the piece that moved and can give a direct check. When castling, that piece is the rook.
#[inline(always)]
fn moved_piece<S: Side>(played: Move) -> Square {
    match played.kind() {
        MoveKind::Castling => CastlingSide::of(played.from(), played.to()).rook_target(S::COLOR),
        _ => played.to(),
    }
}

/// Looks for a step of the king first, because most positions have one.
#[inline(always)]
fn has_no_move<S: Side>(position: &Position, sliders: impl Sliders) -> bool {
    let from = position.king(S::COLOR);
    let without_king = position.occupied() ^ from.into();
    let is_safe = |to| position.attackers(to, S::Other::COLOR, without_king, sliders).is_empty();
    let mut steps = (king(from) & !position.army(S::COLOR).all).into_iter();
    !steps.any(is_safe) && count_moves::<S>(position, sliders) == 0
}
