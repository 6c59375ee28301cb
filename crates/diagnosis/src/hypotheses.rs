//! Hypotheses about the position that a source really has, if its moves are not those of the position it was given: a
//! castling right that it kept or lost, an en passant square, a piece that was not removed.
//!
//! Each hypothesis changes one thing. If the hypothetical position has exactly the moves and counts of the answer, it
//! tells the author what the source got wrong.

use perft_core::{Color, ColoredPiece, Move, MoveKind, Piece, Position, Setup, Square, legal_moves, perft};

use crate::difference::DivideDifference;
use crate::explain::wording;
use crate::path::{MovePath, passed_by};

/// A position that differs from the actual one in one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hypothesis {
    /// The hypothetical position.
    pub position: Position,
    /// The difference: a sentence without a full stop.
    pub text: String,
}

impl Hypothesis {
    /// Whether the moves and counts of the answer are exactly those of the hypothetical position. `actual` is the
    /// position that was asked about. An answer without moves is not enough for this.
    pub fn explains_moves(&self, difference: &DivideDifference, actual: &Position, depth: u32) -> bool {
        difference.knows_moves()
            && !difference.contradicts_itself
            && self.has_moves_of(difference, actual, depth)
            && perft(&self.position, depth) == difference.theirs
    }

    /// Whether each move of the hypothetical position is in the answer with the same count, and no other move is.
    fn has_moves_of(&self, difference: &DivideDifference, actual: &Position, depth: u32) -> bool {
        let legal = legal_moves(actual);
        let (common, other): (Vec<Move>, Vec<Move>) =
            legal_moves(&self.position).into_iter().partition(|played| legal.contains(played));
        let below = |position: &Position, played| perft(&position.play_unchecked(played), depth - 1);
        let has_count_of_answer = |&played: &Move| {
            below(&self.position, played) == difference.theirs_below(played, || below(actual, played))
        };
        // Castling may have the same text as a king step, so only the other moves are compared with the text.
        difference.has_extra(&self.position, other)
            && common.len() + difference.missing.len() == legal.len()
            && common.iter().all(|played| !difference.missing.contains(played) && has_count_of_answer(played))
    }

    /// Whether all of these totals are those of the hypothetical position. Each total has a depth. A single total
    /// proves nothing, because many positions have it.
    pub fn explains_totals(&self, totals: &[(u32, u128)]) -> bool {
        totals.len() > 1 && totals.iter().all(|&(depth, total)| perft(&self.position, depth) == total)
    }

    /// Whether all wrong counts of the answer are those of the hypothetical position.
    pub fn explains_counts(&self, difference: &DivideDifference, depth: u32) -> bool {
        let moves = legal_moves(&self.position);
        !difference.wrong.is_empty()
            && difference.wrong.iter().all(|wrong| {
                moves.contains(&wrong.played)
                    && perft(&self.position.play_unchecked(wrong.played), depth - 1) == wrong.theirs
            })
    }
}

/// Returns hypotheses about the end of a path, the most frequent mistakes first.
///
/// Illegal positions are left out, and so are positions that are equal to the actual one.
pub fn hypotheses(path: &MovePath) -> Vec<Hypothesis> {
    let mut collector = Collector::new(path);
    collector.add_kept_rights(path);
    collector.add_en_passant(path);
    collector.add_lost_rights(path);
    collector.add_pieces(path);
    collector.add_turn();
    collector.found
}

/// Returns hypotheses about the end of a path after `played` was made there and not taken back completely.
pub fn hypotheses_after_taking_back(path: &MovePath, played: Move) -> Vec<Hypothesis> {
    let (from, to) = (played.from(), played.to());
    let mut collector = Collector::new(path);
    let captured = match played.kind() {
        MoveKind::EnPassant => Some(captured_en_passant(played)),
        MoveKind::Castling => None,
        _ => Some(to).filter(|&to| path.end.piece_at(to).is_some()),
    };
    if let Some((at, piece)) = captured.and_then(|at| Some((at, path.end.piece_at(at)?))) {
        collector.add_change(format!("the {} on {at} is gone", name(piece)), at, None);
    }
    if let Some(mover) = path.end.piece_at(from) {
        if let Some(piece) = played.kind().promotion() {
            let promoted = ColoredPiece { piece, ..mover };
            let text = format!("a {} stands on {from} instead of the pawn", name(promoted));
            collector.add_change(text, from, Some(promoted));
        }
        collector.add_change(format!("the {} on {from} is gone", name(mover)), from, None);
        if captured.is_none() {
            collector.add_change(format!("the {} stands on {to} too", name(mover)), to, Some(mover));
        }
    }
    collector.found
}

/// Collects the hypotheses about one position.
struct Collector {
    actual: Position,
    setup: Setup,
    found: Vec<Hypothesis>,
}

impl Collector {
    fn new(path: &MovePath) -> Collector {
        Collector { actual: path.end, setup: path.end_setup(), found: Vec::new() }
    }

    fn add(&mut self, text: String, change: impl FnOnce(&mut Setup)) {
        let mut setup = self.setup.clone();
        change(&mut setup);
        match Position::try_from(&setup) {
            Ok(position) if position != self.actual => self.found.push(Hypothesis { position, text }),
            _ => {}
        }
    }

    /// Adds a position with another piece on a square, or with an empty square.
    fn add_change(&mut self, text: String, at: Square, piece: Option<ColoredPiece>) {
        self.add(text, |setup| setup.board[at.index()] = piece);
    }

    /// Adds castling rights that the moves of the path took away. They only matter if king and rook are on their home
    /// squares again.
    fn add_kept_rights(&mut self, path: &MovePath) {
        let gone = path.root.castling().all_rooks() & !path.end.castling().all_rooks();
        for rook in gone {
            let side = wording::side(owner_of(rook));
            self.add(format!("{side} still has the right to castle with the rook on {rook}"), |setup| {
                setup.castling.add(rook);
            });
        }
        if gone.has_many() {
            self.add("no castling right has been lost".to_owned(), |setup| {
                gone.into_iter().for_each(|rook| setup.castling.add(rook));
            });
        }
    }

    fn add_lost_rights(&mut self, path: &MovePath) {
        let held = path.end.castling().all_rooks();
        for rook in held {
            let side = wording::side(owner_of(rook));
            self.add(format!("{side} has no right to castle with the rook on {rook}"), |setup| {
                setup.castling.remove(rook.into());
            });
        }
        for color in Color::ALL {
            self.add(format!("{} has no castling right", wording::side(color)), |setup| {
                setup.castling.remove(path.end.castling().rooks(color));
            });
        }
        self.add("neither side has a castling right".to_owned(), |setup| setup.castling.remove(held));
    }

    fn add_en_passant(&mut self, path: &MovePath) {
        if let Some(passed) = self.setup.en_passant {
            self.add(format!("no pawn can be captured en passant on {passed}"), |setup| {
                setup.en_passant = None;
            });
        }
        let double_pushes = path.moves.iter().rev().filter_map(|&played| passed_by(played));
        for passed in double_pushes.chain(path.root.en_passant()) {
            self.add(format!("a pawn can be captured en passant on {passed}"), |setup| {
                setup.en_passant = Some(passed);
            });
        }
    }

    /// Adds pieces that the last move should have removed, moved or changed.
    fn add_pieces(&mut self, path: &MovePath) {
        let Some((&played, earlier)) = path.moves.split_last() else { return };
        let before = earlier.iter().fold(path.root, |position, &played| position.play_unchecked(played));
        let (from, to) = (played.from(), played.to());
        self.add_piece_left(from, &before);
        if played.kind() == MoveKind::EnPassant {
            self.add_piece_left(captured_en_passant(played), &before);
        }
        if played.kind() == MoveKind::Castling {
            self.add_piece_left(to, &before);
        }
        if let (Some(_), Some(pawn)) = (played.kind().promotion(), before.piece_at(from)) {
            for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
                let promoted = ColoredPiece { piece, ..pawn };
                self.add_change(format!("the pawn has become a {}", name(promoted)), to, Some(promoted));
            }
        }
        self.add_change(format!("{to} is empty"), to, None);
    }

    fn add_piece_left(&mut self, at: Square, before: &Position) {
        if let Some(piece) = before.piece_at(at) {
            self.add_change(format!("the {} still stands on {at}", name(piece)), at, Some(piece));
        }
    }

    fn add_turn(&mut self) {
        let other = !self.setup.turn;
        self.add(format!("it is {}'s turn", wording::side(other)), |setup| {
            setup.turn = other;
            setup.en_passant = None;
        });
    }
}

/// Returns the name of a piece, such as `white knight`.
fn name(piece: ColoredPiece) -> String {
    format!("{} {}", piece.color, piece.piece)
}

/// Returns the colour of a castling rook, which is on its own back rank.
fn owner_of(rook: Square) -> Color {
    if Color::White.back_rank() == rook.rank() { Color::White } else { Color::Black }
}

/// Returns the square of the pawn that is captured en passant.
fn captured_en_passant(played: Move) -> Square {
    Square::new(played.to().file(), played.from().rank())
}
