//! Finds the wrong move of a source that prints only totals.
//!
//! A total of depth 1 says how many moves are missing or illegal, but not which. Each candidate is one move, or several
//! moves that break the same rule: legal moves if the total is too small, illegal ones if it is too large. Each
//! candidate predicts the totals of depths 2 and 3, because its moves have replies. A candidate with a wrong prediction
//! is dropped.
//!
//! The source may be wrong about the replies too. So it is asked for the total below each legal move, and the
//! prediction uses these totals.

use perft_core::internals::Direction;
use perft_core::{Move, MoveKind, Piece, Position, Rank, Square, legal_moves, perft};

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::explain::{Theme, explain};
use crate::fault::Fault;
use crate::mutations::generate::kind;
use crate::path::MovePath;
use crate::random::setup_of;
use crate::wrong_move::WrongMove;

/// The moves that may explain wrong totals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidates {
    /// The moves of the only candidate whose predictions are all right. The list is empty if there are several
    /// candidates, or none.
    pub certain: Vec<WrongMove>,
    /// The moves of all candidates, if there are several.
    pub possible: Vec<WrongMove>,
    /// The totals of the source, each with its depth.
    pub totals: Vec<(u32, u128)>,
}

/// Several moves with a common cause.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    moves: Vec<Move>,
    is_missing: bool,
}

impl Candidates {
    /// Asks for the totals of the positions around a fault at depth 1, and compares them with the predictions of all
    /// candidates.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub fn find(source: &mut CheckedSource, fault: &Fault) -> Result<Candidates, StopReason> {
        let Some(difference) = fault.kind.difference().filter(|_| fault.depth == 1) else {
            return Ok(Candidates::default());
        };
        let position = &fault.path.end;
        let mut candidates = candidates(position, difference.ours, difference.theirs);
        let mut totals = vec![(1, difference.theirs)];
        for depth in 2..=3 {
            if depth > 2 && candidates.len() < 2 {
                break;
            }
            let Some(found) = Totals::ask(source, &fault.path, depth)? else { break };
            totals.push((depth, found.total));
            candidates.retain(|candidate| candidate.can_explain(position, &found));
        }
        let is_checked = totals.len() > 1;
        let wrong_moves = |candidate: &Candidate| candidate.wrong_moves(position);
        let mut found = Candidates { totals, ..Candidates::default() };
        match &candidates[..] {
            [only] if is_checked => found.certain = wrong_moves(only),
            several => {
                for wrong in several.iter().flat_map(wrong_moves) {
                    if !found.possible.contains(&wrong) {
                        found.possible.push(wrong);
                    }
                }
            }
        }
        Ok(found)
    }
}

/// The totals of a source at one depth: of a position, and below each of its legal moves.
struct Totals {
    depth: u32,
    total: u128,
    below: Vec<(Move, u128)>,
}

impl Totals {
    /// Asks for the totals. Returns `None` if a question cannot be asked or is not answered.
    fn ask(source: &mut CheckedSource, path: &MovePath, depth: u32) -> Result<Option<Totals>, StopReason> {
        if !source.can_ask(depth) {
            return Ok(None);
        }
        let Ok(above) = source.compare(path, depth)? else { return Ok(None) };
        let mut below = Vec::new();
        for played in legal_moves(&path.end) {
            let Ok(answer) = source.compare(&path.played(played), depth - 1)? else { return Ok(None) };
            below.push((played, answer.theirs));
        }
        Ok(Some(Totals { depth, total: above.theirs, below }))
    }
}

impl Candidate {
    /// Whether the total is what a source would count if only these moves were wrong.
    fn can_explain(&self, position: &Position, totals: &Totals) -> bool {
        let is_counted = |played: &Move| !self.is_missing || !self.moves.contains(played);
        let counted = totals.below.iter().filter(|(played, _)| is_counted(played));
        let legal: u128 = counted.map(|(_, nodes)| nodes).sum();
        if self.is_missing {
            return legal == totals.total;
        }
        let Some(below) = self.below(position, totals.depth - 1) else { return true };
        below.iter().any(|below| legal + below == totals.total)
    }

    /// Returns the numbers of leaf nodes that a source may count below illegal moves, or `None` if they are unknown.
    ///
    /// After an illegal move, the king can be captured. Some sources count this capture as a move, and some do not.
    fn below(&self, position: &Position, depth: u32) -> Option<[u128; 2]> {
        let mut sums = [0; 2];
        for &played in &self.moves {
            let next = position.play_unchecked(played);
            let (all, captures) = if Position::try_from(&setup_of(&next)).is_ok() {
                (perft(&next, depth), 0)
            } else if depth == 1 {
                let replies = legal_moves(&next);
                let king = next.king(position.turn());
                (replies.len() as u128, replies.iter().filter(|reply| reply.to() == king).count() as u128)
            } else {
                return None;
            };
            sums[0] += all;
            sums[1] += all - captures;
        }
        Some(sums)
    }

    fn wrong_moves(&self, position: &Position) -> Vec<WrongMove> {
        let notation = position.castling_notation();
        let wrong = |played: &Move| WrongMove::of(position, played.to_uci(notation), self.is_missing);
        self.moves.iter().map(wrong).collect()
    }
}

/// Returns all candidates that may explain the number of moves: one move, or all moves of a piece, of a rule, or of a
/// rule and a piece.
fn candidates(position: &Position, ours: u128, theirs: u128) -> Vec<Candidate> {
    let is_missing = theirs < ours;
    let wanted = ours.abs_diff(theirs);
    let notation = position.castling_notation();
    let moves: Vec<(Move, Theme)> = if is_missing {
        let theme = |played: Move| explain(position, &played.to_uci(notation)).theme;
        legal_moves(position).into_iter().map(|played| (played, theme(played))).collect()
    } else {
        illegal_moves(position)
    };
    let mut found: Vec<Candidate> = Vec::new();
    for &(played, theme) in &moves {
        let of_theme = |other: &(Move, Theme)| other.1 == theme;
        let of_piece = |other: &(Move, Theme)| other.0.from() == played.from();
        let groups: [Vec<(Move, Theme)>; 4] = [
            vec![(played, theme)],
            moves.iter().copied().filter(of_theme).collect(),
            moves.iter().copied().filter(of_piece).collect(),
            moves.iter().copied().filter(|other| of_theme(other) && of_piece(other)).collect(),
        ];
        for group in groups.into_iter().filter(|group| group.len() as u128 == wanted) {
            let moves = group.into_iter().map(|(played, _)| played).collect();
            let candidate = Candidate { moves, is_missing };
            if !found.contains(&candidate) {
                found.push(candidate);
            }
        }
    }
    found
}

/// The rules that generators forget. A move that breaks any other rule is not a move of any chess piece.
const FORGOTTEN: [Theme; 21] = [
    Theme::Blocked,
    Theme::DoubleStep,
    Theme::EnPassantSquare,
    Theme::EnPassantRank,
    Theme::EnPassantDiagonal,
    Theme::EnPassantPin,
    Theme::EnPassantCheck,
    Theme::CastlingRight,
    Theme::CastlingInCheck,
    Theme::CastlingThroughCheck,
    Theme::CastlingIntoCheck,
    Theme::CastlingUncovers,
    Theme::DoubleCheck,
    Theme::Check,
    Theme::PinnedPawn,
    Theme::PinnedKnight,
    Theme::PinnedPiece,
    Theme::KingIntoCheck,
    Theme::KingAlongLine,
    Theme::KingNextToKing,
    Theme::KingTakesProtected,
];

/// Returns the illegal moves that a generator with a forgotten rule would make, each with the rule.
fn illegal_moves(position: &Position) -> Vec<(Move, Theme)> {
    let notation = position.castling_notation();
    let attempts = Square::ALL.into_iter().flat_map(|from| {
        let piece = position.piece_at(from).filter(|found| found.color == position.turn());
        Square::ALL.into_iter().flat_map(move |to| {
            piece.into_iter().flat_map(move |found| kinds(position, found.piece, from, to))
        })
    });
    let broken = |played: Move| {
        let why = explain(position, &played.to_uci(notation));
        (!why.is_legal && FORGOTTEN.contains(&why.theme)).then_some((played, why.theme))
    };
    attempts.filter_map(broken).collect()
}

/// Returns the moves of a piece from one square to another, whether they are legal or not.
fn kinds(position: &Position, piece: Piece, from: Square, to: Square) -> Vec<Move> {
    let us = position.turn();
    if to == position.king(!us) {
        return Vec::new();
    }
    let own = position.piece_at(to).filter(|found| found.color == us).map(|found| found.piece);
    let are_at_home = [from, to].iter().all(|at| at.rank() == us.back_rank());
    let kinds = match (piece, own) {
        (Piece::King, Some(Piece::Rook)) if are_at_home => &[MoveKind::Castling][..],
        (_, Some(_)) => &[],
        (Piece::Pawn, _) => pawn_kinds(position, from, to),
        _ => &[kind(piece, from, to)],
    };
    kinds.iter().map(|&kind| Move::new(kind, from, to)).collect()
}

fn pawn_kinds(position: &Position, from: Square, to: Square) -> &'static [MoveKind] {
    use MoveKind::*;
    let us = position.turn();
    let step = |at: Option<Square>, direction: Direction| at.and_then(|at| direction.step(at));
    let last = matches!(to.rank(), Rank::First | Rank::Eighth);
    if step(step(Some(from), us.forward()), us.forward()) == Some(to) {
        if last { &[] } else { &[DoublePush] }
    } else if from.file() != to.file() && position.piece_at(to).is_none() {
        &[EnPassant]
    } else if last {
        &[PromoteKnight, PromoteBishop, PromoteRook, PromoteQueen]
    } else {
        &[Pawn]
    }
}
