//! The drawing of a bug: the board, the squares that its sentences talk about, and moves as arrows.
//!
//! A drawing has the squares of the sentences themselves, so it cannot contradict them. The board says what each square
//! is: the king, a piece that gives check or pins, the piece that is pinned. [`Drawing::to_svg`] draws it. The terminal
//! colours the squares of its text.

mod svg;

use std::collections::BTreeMap;

use perft_core::{Bitboard, ColoredPiece, File, Piece, Position, Setup, Square};

use crate::difference::WrongMove;
use crate::explain::{Theme, attempt::Attempt, explain_path, move_squares};
use crate::source::MovePath;

/// A board with marked squares and arrows.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::{Drawing, Mark, WrongMove, explain};
///
/// let position = Position::from_fen("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1")?;
/// let why = explain(&position, "e5d6");
/// let drawing = Drawing::of_moves(&position, &[WrongMove { text: "e5d6".to_owned(), is_missing: false, why }]);
/// assert_eq!(drawing.mark("h5".parse()?), Some(Mark::Attacker));
/// assert_eq!(drawing.mark("a5".parse()?), Some(Mark::King));
/// assert_eq!(drawing.mark("d5".parse()?), Some(Mark::Captured));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drawing {
    /// The piece on each square, by the index of the square.
    pub board: [Option<ColoredPiece>; 64],
    /// The arrows, without the ones that are covered by others.
    pub arrows: Vec<Arrow>,
    marks: BTreeMap<Square, Mark>,
}

/// What a marked square is. If a square is several of them, the later one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A square that a sentence names.
    Named,
    /// A pawn that is captured en passant.
    Captured,
    /// A piece that is pinned.
    Pinned,
    /// A rook, or the place of a rook, whose castling right is gone.
    Right,
    /// The king that a sentence is about.
    King,
    /// An enemy piece that gives check, pins, or attacks a square that the king may not enter.
    Attacker,
}

/// An arrow between two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrow {
    /// The first square.
    pub from: Square,
    /// The last square.
    pub to: Square,
    /// The piece that a pawn becomes there.
    pub promotion: Option<Piece>,
    /// What the arrow shows.
    pub kind: ArrowKind,
}

/// What an arrow shows. Each kind has a word: the class of its arrows in an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// A move that led to the position.
    Played,
    /// A move after which the counts are wrong, although it was taken back.
    TakenBack,
    /// The line of a check, a pin or an attack.
    Line,
    /// A legal move with another count.
    Counted,
    /// A legal move that is missing.
    Missing,
    /// A move that is listed and is not legal.
    Extra,
    /// A legal move that is listed twice.
    Twice,
}

impl Drawing {
    /// Returns a drawing without marks.
    pub fn new(setup: &Setup) -> Drawing {
        Drawing { board: setup.board, arrows: Vec::new(), marks: BTreeMap::new() }
    }

    /// Returns the drawing of the end of a path, with its moves, the castling rights that they remove, and the squares of
    /// the sentences about them.
    pub fn of_path(path: &MovePath) -> Drawing {
        let mut drawing = Drawing::new(&path.end_setup());
        for sentence in explain_path(&path.root, &path.moves) {
            drawing.add_named(&sentence);
        }
        let mut position = path.root;
        for (&played, text) in path.moves.iter().zip(path.uci_moves()) {
            drawing.add_move(&position, &text, ArrowKind::Played);
            let after = position.play_legal(played);
            let lost = position.castling().all_rooks() & !after.castling().all_rooks();
            lost.into_iter().for_each(|rook| drawing.add_mark(rook, Mark::Right));
            position = after;
        }
        drawing
    }

    /// Returns the drawing of moves that are missing or not legal.
    pub fn of_moves(position: &Position, moves: &[WrongMove]) -> Drawing {
        let mut drawing = Drawing::new(&Setup::from(position));
        moves.iter().for_each(|wrong| drawing.add_wrong_move(position, wrong));
        drawing
    }

    /// Returns what a square is, if it is marked.
    pub fn mark(&self, square: Square) -> Option<Mark> {
        self.marks.get(&square).copied()
    }

    /// Returns the kind of the move that starts or ends on a square: the one that is wrong, if there are several.
    pub fn move_on(&self, square: Square) -> Option<ArrowKind> {
        let ends_here =
            |arrow: &&Arrow| arrow.kind != ArrowKind::Line && [arrow.from, arrow.to].contains(&square);
        self.arrows.iter().filter(ends_here).map(|arrow| arrow.kind).max_by_key(|&kind| kind as u8)
    }

    /// Adds a move that is missing or not legal, and the squares of the sentence about it.
    pub fn add_wrong_move(&mut self, position: &Position, wrong: &WrongMove) {
        let kind = match (wrong.is_missing, wrong.why.is_legal) {
            (true, _) => ArrowKind::Missing,
            (false, true) => ArrowKind::Twice,
            (false, false) => ArrowKind::Extra,
        };
        let named = self.add_named(&wrong.why.text);
        let Some((from, to, promotion)) = move_squares(position, &wrong.text) else { return };
        self.add_arrow(from, to, promotion, kind);
        if let Some(attempt) = Attempt::new(position, (from, to, promotion)) {
            self.add_roles(&attempt, wrong.why.theme, named);
        }
    }

    /// Adds a legal move, in UCI notation.
    pub fn add_move(&mut self, position: &Position, text: &str, kind: ArrowKind) {
        if let Some((from, to, promotion)) = move_squares(position, text) {
            self.add_arrow(from, to, promotion, kind);
        }
    }

    /// Adds the squares of a sentence, and returns them.
    fn add_named(&mut self, sentence: &str) -> Bitboard {
        let words = sentence.split(|letter: char| !letter.is_ascii_alphanumeric());
        let named: Bitboard = words.filter_map(|word| word.parse::<Square>().ok()).collect();
        named.into_iter().for_each(|square| self.add_mark(square, Mark::Named));
        named
    }

    /// Adds what the squares of a sentence are: the king, the pieces that attack it, and so on.
    fn add_roles(&mut self, attempt: &Attempt, theme: Theme, named: Bitboard) {
        let &Attempt { position, from, to, us, king, .. } = attempt;
        let captured = attempt.captured_en_passant();
        if let Some(captured) = captured {
            self.add_mark(captured, Mark::Captured);
        }
        if attempt.pinner().is_some_and(|pinner| named.contains(pinner)) {
            self.add_mark(from, Mark::Pinned);
        }
        if theme == Theme::CastlingRight {
            let file = if to.file() > king.file() { File::H } else { File::A };
            let is_rook = attempt.board.has(to, us, Piece::Rook);
            self.add_mark(if is_rook { to } else { Square::new(file, us.back_rank()) }, Mark::Right);
        }
        if named.contains(king) {
            self.add_mark(king, Mark::King);
        }
        let theirs = attempt.board.of_color(!us);
        // The pieces that a sentence names do not stand in the way of the line that it is about.
        let leaving = (named & !theirs).into_iter().chain([from]).chain(captured);
        let board = leaving.fold(attempt.board, |board, square| board.without(square));
        for attacker in named & theirs {
            let is_attacked = |&target: &Square| {
                target != attacker && board.right_attackers(target, !us).contains(attacker)
            };
            if let Some(target) = targets(attempt, named & !theirs).into_iter().find(is_attacked) {
                self.add_mark(attacker, Mark::Attacker);
                self.add_arrow(attacker, target, None, ArrowKind::Line);
                if target == position.king(us) {
                    self.add_mark(target, Mark::King);
                }
            }
        }
    }

    fn add_mark(&mut self, square: Square, mark: Mark) {
        let known = self.marks.entry(square).or_insert(mark);
        *known = mark.max(*known);
    }

    fn add_arrow(&mut self, from: Square, to: Square, promotion: Option<Piece>, kind: ArrowKind) {
        let arrow = Arrow { from, to, promotion, kind };
        if from != to && !self.arrows.contains(&arrow) {
            self.arrows.push(arrow);
        }
    }
}

/// Returns the squares that an enemy piece may attack in a sentence, the most probable one first. Of a king's move, these
/// are the squares that the sentence names, then those of the move.
fn targets(attempt: &Attempt, named: Bitboard) -> Vec<Square> {
    let &Attempt { from, to, king, .. } = attempt;
    if from != king {
        return vec![king];
    }
    let start = Some(from).filter(|&from| named.contains(from));
    named.into_iter().filter(|&square| square != from).chain(start).chain([to, from]).collect()
}
