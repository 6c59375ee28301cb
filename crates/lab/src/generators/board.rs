//! What every generator of the laboratory does, and what is said of it.

use std::fmt::Debug;

use perft_core::Position;
use perft_core::{Move, MoveKind, MoveList, Piece, Square};

/// A position as one design keeps it, with the moves that the design finds.
///
/// Generators are compiled twice, for every CPU and for those with BMI2, by inlining them whole behind two doors of the
/// driver. So every function on the way of a count is `#[inline(always)]`; one that is not keeps the plain instructions.
///
/// Two boards are equal if their next moves and all that follows from them are.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_lab::generators::Board;
/// let mut board: Position = Board::new(&Position::start());
/// let mut replies = 0;
/// board.each_child(|_, child| replies += child.count_moves());
/// assert_eq!((board.count_moves(), replies), (20, 400));
/// ```
pub trait Board: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A move, packed as the design packs it.
    type Move: Copy;

    /// What is to be said of the design.
    const DESIGN: Design;

    /// The board of a position, in standard chess or Chess960.
    fn new(position: &Position) -> Self;

    /// Plays each legal move and hands it over, with the board after it. When this returns, the board is as it was.
    fn each_child(&mut self, visit: impl FnMut(Self::Move, &mut Self));

    /// The number of legal moves, found as cheaply as the design can: bulk counting.
    fn count_moves(&mut self) -> u64;

    /// The same move in the common form. The move has not been played yet.
    fn to_move(&self, packed: Self::Move) -> Move;

    /// The legal moves and the boards after them, in the order in which the design finds them.
    fn children(&self) -> Vec<(Move, Self)> {
        let mut children = Vec::new();
        self.clone().each_child(|packed, child| children.push((self.to_move(packed), child.clone())));
        children
    }

    /// The legal moves, in the order in which the design finds them.
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.clone().each_child(|packed, _| moves.push(self.to_move(packed)));
        moves
    }
}

/// A design in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Design {
    /// What it is, in a sentence without a full stop.
    pub about: &'static str,
    /// How the board is kept.
    pub board: &'static str,
    /// How the attacks of sliders are found.
    pub sliders: &'static str,
    /// How moves that leave the king in check are kept out.
    pub legality: &'static str,
    /// How a move is played, and taken back.
    pub playing: &'static str,
    /// What a move holds, and in how many bits.
    pub moves: &'static str,
    /// How the moves of the last ply are counted.
    pub counting: &'static str,
    /// Who described the design, or is known for it.
    pub source: &'static str,
}

/// The kind of a move that is no promotion, en passant or castling, by what moves and the geometry.
pub(super) fn plain_kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Pawn if from.index().abs_diff(to.index()) == 16 => MoveKind::DoublePush,
        Piece::Pawn => MoveKind::Pawn,
        Piece::Knight => MoveKind::Knight,
        Piece::Rook => MoveKind::Orthogonal,
        Piece::Queen if is_orthogonal => MoveKind::Orthogonal,
        Piece::Bishop | Piece::Queen => MoveKind::Diagonal,
        Piece::King => MoveKind::King,
    }
}
