//! What a program may believe of a position, if its moves are not those of the position: a right that it kept or lost, an
//! en passant square, a man who is still there.

use super::explain::words;
use super::line::MovePath;
use perft_core::{Color, ColoredPiece, Move, MoveKind, Piece, Square};
use perft_core::{Position, Setup};

/// A position that differs in one thing, and the difference in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    /// What is believed.
    pub position: Position,
    /// In what it differs, a sentence without a full stop.
    pub text: String,
}

/// What could be believed of the position at the end of a line, the most frequent mistakes first. Positions that cannot
/// be played, and such as do not differ, are left out.
pub fn beliefs(line: &MovePath) -> Vec<Belief> {
    let mut beliefs = Beliefs { truth: line.end, setup: line.end_setup(), found: Vec::new() };
    beliefs.add_lost_rights(line);
    beliefs.add_en_passant(line);
    beliefs.add_forgotten_rights(line);
    beliefs.add_men(line);
    beliefs.add_turn();
    beliefs.found
}

struct Beliefs {
    truth: Position,
    setup: Setup,
    found: Vec<Belief>,
}

impl Beliefs {
    fn add(&mut self, text: String, change: impl FnOnce(&mut Setup)) {
        let mut setup = self.setup.clone();
        change(&mut setup);
        match Position::try_from(&setup) {
            Ok(position) if position != self.truth => self.found.push(Belief { position, text }),
            _ => {}
        }
    }

    /// Rights that a king or rook at home, or one who has come back, would have if nothing had happened.
    fn add_lost_rights(&mut self, line: &MovePath) {
        let gone = line.root.castling().all_rooks() & !line.end.castling().all_rooks();
        for rook in gone {
            let color = words::side(color_of(rook));
            self.add(format!("{color} still has the right to castle with the rook on {rook}"), |setup| {
                setup.castling.add(rook);
            });
        }
        if gone.has_many() {
            self.add("no castling right has been lost".to_owned(), |setup| {
                gone.into_iter().for_each(|rook| setup.castling.add(rook));
            });
        }
    }

    fn add_forgotten_rights(&mut self, line: &MovePath) {
        let held = line.end.castling().all_rooks();
        for rook in held {
            let color = words::side(color_of(rook));
            self.add(format!("{color} has no right to castle with the rook on {rook}"), |setup| {
                setup.castling.remove(rook.into());
            });
        }
        for color in Color::ALL {
            self.add(format!("{} has no castling right", words::side(color)), |setup| {
                setup.castling.remove(line.end.castling().rooks(color))
            });
        }
        self.add("nobody has a castling right".to_owned(), |setup| setup.castling.remove(held));
    }

    fn add_en_passant(&mut self, line: &MovePath) {
        if let Some(passed) = self.setup.en_passant {
            self.add(format!("no pawn can be captured en passant on {passed}"), |setup| {
                setup.en_passant = None
            });
        }
        let mut position = line.root;
        let mut squares: Vec<Square> = position.en_passant().into_iter().collect();
        for &played in &line.moves {
            if played.kind() == MoveKind::DoublePush {
                squares.push(passed_by(played));
            }
            position = position.play_unchecked(played);
        }
        for passed in squares.into_iter().rev() {
            self.add(format!("a pawn can be captured en passant on {passed}"), |setup| {
                setup.en_passant = Some(passed)
            });
        }
    }

    /// Men whom the last move should have taken off, moved or changed.
    fn add_men(&mut self, line: &MovePath) {
        let Some((&played, earlier)) = line.moves.split_last() else { return };
        let before = earlier.iter().fold(line.root, |position, &played| position.play_unchecked(played));
        let (from, to) = (played.from(), played.to());
        let mover = before.piece_at(from);
        self.add_man(from, mover, "still stands on");
        if played.kind() == MoveKind::EnPassant {
            let captured = captured_en_passant(played);
            self.add_man(captured, before.piece_at(captured), "still stands on");
        }
        if played.kind() == MoveKind::Castling {
            self.add_man(to, before.piece_at(to), "still stands on");
        }
        if let (Some(_), Some(man)) = (played.kind().promotion(), mover) {
            for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
                let promoted = ColoredPiece { piece, ..man };
                self.add(format!("the pawn has become a {}", name(promoted)), |setup| {
                    setup.board[to.index()] = Some(promoted);
                });
            }
        }
        self.add(format!("nothing stands on {to}"), |setup| setup.board[to.index()] = None);
    }

    fn add_man(&mut self, at: Square, man: Option<ColoredPiece>, what: &str) {
        if let Some(man) = man {
            self.add(format!("the {} {what} {at}", name(man)), |setup| setup.board[at.index()] = Some(man));
        }
    }

    fn add_turn(&mut self) {
        let other = !self.setup.turn;
        self.add(format!("it is {}'s move", words::side(other)), |setup| {
            setup.turn = other;
            setup.en_passant = None;
        });
    }
}

/// A man as people say it.
fn name(man: ColoredPiece) -> String {
    format!("{} {}", man.color, words::piece(man.piece))
}

/// Whose back rank a square is on.
fn color_of(rook: Square) -> Color {
    if Color::White.back_rank() == rook.rank() { Color::White } else { Color::Black }
}

/// The square that a double push passes.
fn passed_by(played: Move) -> Square {
    let (from, to) = (played.from().index(), played.to().index());
    Square::ALL[(from + to) / 2]
}

fn captured_en_passant(played: Move) -> Square {
    Square::new(played.to().file(), played.from().rank())
}

/// What could be believed of the position at the end of a line if a move that was played from it was not taken back whole.
pub fn beliefs_after_taking_back(line: &MovePath, played: Move) -> Vec<Belief> {
    let (from, to) = (played.from(), played.to());
    let mut beliefs = Beliefs { truth: line.end, setup: line.end_setup(), found: Vec::new() };
    let mover = line.end.piece_at(from);
    let captured = match played.kind() {
        MoveKind::EnPassant => Some(captured_en_passant(played)),
        MoveKind::Castling => None,
        _ => Some(to).filter(|&to| line.end.piece_at(to).is_some()),
    };
    if let Some((at, man)) = captured.and_then(|at| Some((at, line.end.piece_at(at)?))) {
        beliefs.add(format!("the {} on {at} is gone", name(man)), |setup| setup.board[at.index()] = None);
    }
    if let Some(man) = mover {
        if let Some(piece) = played.kind().promotion() {
            let promoted = ColoredPiece { piece, ..man };
            beliefs.add(format!("a {} stands on {from}, not the pawn", name(promoted)), |setup| {
                setup.board[from.index()] = Some(promoted);
            });
        }
        let gone = |setup: &mut Setup| setup.board[from.index()] = None;
        beliefs.add(format!("the {} on {from} is gone", name(man)), gone);
        if captured.is_none() {
            beliefs.add(format!("the {} stands on {to} too", name(man)), |setup| {
                setup.board[to.index()] = Some(man)
            });
        }
    }
    beliefs.found
}
