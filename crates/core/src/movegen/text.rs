//! Moves as text: from user input, where they may be illegal, and in standard algebraic notation (SAN) such as `e4`,
//! `Nbd7`, `exd6`, `e8=Q+` and `O-O`.

use super::Status;
use crate::position::Position;
use crate::types::{CastlingNotation, CastlingSide, Move, MoveKind, MoveList, Piece, Square};

/// The error of a move that is not legal in its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a legal move in {fen}")]
pub struct IllegalMove {
    /// The move, in text form.
    pub text: String,
    /// The FEN of the position.
    pub fen: String,
    /// The legal moves of the position, in text form.
    pub legal: Vec<String>,
}

impl IllegalMove {
    fn new(text: String, position: &Position, moves: &MoveList) -> IllegalMove {
        let notation = position.castling_notation();
        let legal = moves.iter().map(|legal| legal.to_uci(notation)).collect();
        IllegalMove { text, fen: position.to_string(), legal }
    }
}

/// Returns the only one of `moves` that a text in SAN can mean, or `None` if it can mean several or none.
pub(super) fn only_meaning(position: &Position, moves: &MoveList, text: &str) -> Option<Move> {
    let written = AlgebraicMove::parse(text)?;
    let mut meant = moves.iter().copied().filter(|&played| written.can_mean(position, played));
    meant.next().filter(|_| meant.next().is_none())
}

impl Position {
    /// Returns the legal move that a text means. The text is in the notation of UCI (`g1f3`, `e7e8q`) or in standard
    /// algebraic notation (`Nf3`, `e8=Q`, `O-O`).
    ///
    /// In UCI notation, castling may be written in either [`CastlingNotation`]. Text such as `f1g1` can mean a king
    /// move or castling. It means the king move if that is legal.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K -".parse().unwrap();
    /// assert_eq!(position.find_move("e1g1"), position.find_move("e1h1"));
    /// assert_eq!(position.find_move("e1g1"), position.find_move("O-O"));
    /// assert!(position.find_move("e1c1").unwrap_err().legal.contains(&"e1g1".to_owned()));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a legal move of the position, or if it can mean several of them.
    pub fn find_move(&self, text: &str) -> Result<Move, IllegalMove> {
        let moves = self.legal_moves();
        let find = |notation| moves.iter().copied().find(|found| found.to_uci(notation) == text);
        find(CastlingNotation::Chess960)
            .or_else(|| find(CastlingNotation::Standard))
            .or_else(|| only_meaning(self, &moves, text))
            .ok_or_else(|| IllegalMove::new(text.to_owned(), self, &moves))
    }

    /// Returns the position after a move, if the move is legal.
    ///
    /// The kind of the move must be right as well. For example, a double step of a pawn must be a
    /// [`MoveKind::DoublePush`](crate::MoveKind::DoublePush).
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Move, MoveKind, Position, Square};
    /// let start = Position::start();
    /// let after = start.try_play(Move::new(MoveKind::Knight, Square::G1, Square::F3))?;
    /// assert_eq!(after.to_string(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1");
    ///
    /// let error = start.try_play(Move::new(MoveKind::Knight, Square::G1, Square::E2)).unwrap_err();
    /// assert_eq!(error.text, "g1e2");
    /// # Ok::<(), perft_core::IllegalMove>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the move is not one of the [`legal_moves`](Position::legal_moves) of the position.
    pub fn try_play(&self, played: Move) -> Result<Position, IllegalMove> {
        let moves = self.legal_moves();
        if moves.contains(&played) {
            Ok(self.play_legal(played))
        } else {
            Err(IllegalMove::new(played.to_uci(self.castling_notation()), self, &moves))
        }
    }
}

impl Move {
    /// Returns the move in standard algebraic notation: `Nbd7`, `exd6`, `e8=Q+`, `O-O#`.
    ///
    /// The square that the piece leaves is named only as far as necessary: by its file, its rank or both.
    /// [`Position::find_move`] reads this notation.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    ///
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K2R w KQ -".parse().unwrap();
    /// let moves = position.legal_moves();
    /// let written: Vec<String> = moves.iter().map(|played| played.to_san(&position)).collect();
    /// assert!(["O-O", "Ra8#", "Rg1", "Kd2"].iter().all(|text| written.iter().any(|other| other == text)));
    /// ```
    ///
    /// # Panics
    /// Panics if the move is not legal in the position.
    pub fn to_san(self, position: &Position) -> String {
        let moves = position.legal_moves();
        let is_meant = |text: &String| only_meaning(position, &moves, text) == Some(self);
        let Some(written) = spellings(self, position).into_iter().find(is_meant) else {
            panic!("{self:?} is not a legal move in {position}");
        };
        let after = position.play_legal(self);
        match (after.status(), after.checkers().any()) {
            (Status::Checkmate, _) => written + "#",
            (_, true) => written + "+",
            (_, false) => written,
        }
    }
}

/// Returns the spellings of a move without a sign for check, the shortest first.
fn spellings(played: Move, position: &Position) -> Vec<String> {
    let (from, to) = (played.from(), played.to());
    if played.kind() == MoveKind::Castling {
        let is_king_side = CastlingSide::of(from, to) == CastlingSide::King;
        return vec![if is_king_side { "O-O" } else { "O-O-O" }.to_owned()];
    }
    let piece = position.piece_at(from).map_or(Piece::Pawn, |moving| moving.piece);
    let is_capture = position.occupied().contains(to) || played.kind() == MoveKind::EnPassant;
    let (file, rank) = (from.file().letter().to_string(), from.rank().digit().to_string());
    let (letter, origins) = match piece {
        Piece::Pawn if is_capture => (None, vec![file]),
        Piece::Pawn => (None, vec![String::new()]),
        _ => (Some(piece.letter().to_ascii_uppercase()), vec![String::new(), file, rank, from.to_string()]),
    };
    let letter = letter.map(String::from).unwrap_or_default();
    let capture = if is_capture { "x" } else { "" };
    let promotion = played.kind().promotion();
    let promotion =
        promotion.map_or(String::new(), |piece| format!("={}", piece.letter().to_ascii_uppercase()));
    origins.iter().map(|origin| format!("{letter}{origin}{capture}{to}{promotion}")).collect()
}

/// A move in standard algebraic notation. The position decides which legal move it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlgebraicMove {
    /// Castling: `O-O` or `O-O-O`, also with zeros.
    Castling(CastlingSide),
    /// Any other move.
    Piece {
        /// The piece that moves.
        piece: Piece,
        /// The file or the rank of the `from` square, both, or an empty text.
        origin: String,
        /// The `to` square.
        to: Square,
        /// The promotion piece.
        promotion: Option<Piece>,
    },
}

impl AlgebraicMove {
    /// Reads a move. Signs for checks and comments (`+`, `#`, `!`, `?`) are ignored, and so is a capture sign.
    pub fn parse(text: &str) -> Option<AlgebraicMove> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" => return Some(AlgebraicMove::Castling(CastlingSide::King)),
            "O-O-O" | "0-0-0" => return Some(AlgebraicMove::Castling(CastlingSide::Queen)),
            _ => {}
        }
        let letter = text.chars().next().filter(char::is_ascii_uppercase);
        let piece =
            letter.map_or(Some(Piece::Pawn), |letter| Piece::from_letter(letter.to_ascii_lowercase()))?;
        let rest = &text[usize::from(letter.is_some())..];
        let end = rest.rfind(|letter: char| matches!(letter, '1'..='8'))? + 1;
        let to = rest.get(end.checked_sub(2)?..end)?.parse().ok()?;
        let origin = rest[..end - 2].trim_end_matches('x').to_owned();
        let is_origin = origin.len() <= 2 && origin.chars().all(|part| matches!(part, 'a'..='h' | '1'..='8'));
        let promotion = match &rest[end..] {
            "" => None,
            written => Some(promoted_piece(written)?),
        };
        is_origin.then_some(AlgebraicMove::Piece { piece, origin, to, promotion })
    }

    /// Whether the text can mean a legal move. It can mean several moves, such as `Nd2` if two knights can move there.
    pub fn can_mean(&self, position: &Position, played: Move) -> bool {
        let is_castling = played.kind() == MoveKind::Castling;
        match self {
            AlgebraicMove::Castling(side) => {
                is_castling && CastlingSide::of(played.from(), played.to()) == *side
            }
            AlgebraicMove::Piece { piece, origin, to, promotion } => {
                let from = played.from().to_string();
                !is_castling
                    && played.to() == *to
                    && position.piece_at(played.from()).is_some_and(|moving| moving.piece == *piece)
                    && origin.chars().all(|part| from.contains(part))
                    && played.kind().promotion() == *promotion
            }
        }
    }
}

/// Returns the promotion piece that a text names: `=Q`, `Q`, `q`, `(Q)` or `/Q`.
fn promoted_piece(text: &str) -> Option<Piece> {
    let bare = text.trim_start_matches(['=', '/', '(', '[']).trim_end_matches([')', ']']);
    let mut letters = bare.chars();
    let piece = letters.next().and_then(|letter| Piece::from_letter(letter.to_ascii_lowercase()))?;
    let can_become = !matches!(piece, Piece::Pawn | Piece::King);
    (can_become && letters.next().is_none()).then_some(piece)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::split_mix_64;
    use crate::suite;
    use crate::types::CastlingNotation;
    use crate::types::{MoveKind, Square};

    #[test]
    fn a_king_move_is_preferred_to_castling_with_the_same_text() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1").unwrap();
        assert_eq!(position.find_move("f1g1").map(Move::kind), Ok(MoveKind::Castling));
        let position = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert_eq!(position.find_move("f1g1").map(Move::kind), Ok(MoveKind::King));
        assert_eq!(position.find_move("f1h1").map(Move::kind), Ok(MoveKind::Castling));
    }

    #[test]
    fn only_legal_moves_are_played() {
        let start = Position::start();
        for played in start.legal_moves() {
            assert_eq!(start.try_play(played), Ok(start.play_legal(played)));
        }
        let wrong_kind = Move::new(MoveKind::Pawn, Square::E2, Square::E4);
        let error = start.try_play(wrong_kind).unwrap_err();
        assert_eq!(error.legal.len(), 20);
        assert_eq!(
            error.to_string(),
            "'e2e4' is not a legal move in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
    }

    #[test]
    fn a_written_move_is_read_as_the_same_move() {
        let mut state = 1;
        for case in suite::builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases) {
            let mut position = case.position;
            for _ in 0..6 {
                let moves = position.legal_moves();
                for &played in &moves {
                    let text = played.to_san(&position);
                    assert_eq!(position.find_move(&text), Ok(played), "{text} in {position}");
                }
                let Some(last) = (moves.len() as u64).checked_sub(1) else { break };
                position = position.play_legal(moves[(split_mix_64(&mut state) % (last + 1)) as usize]);
            }
        }
    }

    /// The spellings are those of python-chess 1.11.
    #[test]
    fn moves_have_the_shortest_spelling() {
        for (fen, expected) in [
            (
                "6k1/5ppp/8/8/8/8/8/R3K2R w KQ -",
                "Kd1 Kd2 Ke2 Kf1 Kf2 O-O O-O-O Ra2 Ra3 Ra4 Ra5 Ra6 Ra7 Ra8# Rb1 Rc1 Rd1 Rf1 Rg1 Rh2 Rh3 Rh4 Rh5 Rh6 \
                 Rxh7",
            ),
            (
                "2k5/8/8/3pP3/8/1N3N2/8/RN2K3 w Q d6",
                "Kd1 Kd2 Ke2 Kf1 Kf2 N1d2 Na3 Na5 Nb3d2 Nbd4 Nc1 Nc3 Nc5 Nfd2 Nfd4 Ng1 Ng5 Nh2 Nh4 Ra2 Ra3 Ra4 Ra5 \
                 Ra6 Ra7 Ra8+ e6 exd6",
            ),
            (
                "1r5k/P7/8/8/8/8/8/4K3 w - -",
                "Kd1 Kd2 Ke2 Kf1 Kf2 a8=B a8=N a8=Q a8=R axb8=B axb8=N axb8=Q+ axb8=R+",
            ),
            (
                "4k3/8/1q3q2/8/3P4/8/1q6/7K b - -",
                "Kd7 Kd8 Ke7 Kf7 Kf8 Q2b3 Q2b4 Q2b5 Q2xd4 Q6b3 Q6b4 Q6b5 Qa1+ Qa2 Qa3 Qa5 Qa6 Qa7 Qb1+ Qb6xd4 Qb7+ \
                 Qb8 Qbc6+ Qbd6 Qbd8 Qbe6 Qbf2 Qc1+ Qc2 Qc3 Qc5 Qc7 Qd2 Qe2 Qe5 Qe7 Qf1# Qf3+ Qf4 Qf5 Qf7 Qf8 Qfc6+ \
                 Qfd6 Qfd8 Qfe6 Qff2 Qfxd4 Qg2+ Qg5 Qg6 Qg7 Qh2+ Qh4+ Qh6+ Qh8+",
            ),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let moves = position.legal_moves();
            let mut written: Vec<String> = moves.iter().map(|played| played.to_san(&position)).collect();
            written.sort();
            assert_eq!(written.join(" "), expected);
        }
    }

    #[test]
    #[should_panic(expected = "is not a legal move")]
    fn a_move_that_is_not_legal_is_not_written() {
        Move::new(MoveKind::Pawn, Square::E2, Square::E5).to_san(&Position::start());
    }

    #[test]
    fn moves_are_read_in_all_spellings() {
        let position = Position::from_fen("r3k2r/1P6/8/3pP3/8/2N5/8/R3K1N1 w Qkq d6 0 1").unwrap();
        let meant = |text: &str| -> Vec<String> {
            let Some(written) = AlgebraicMove::parse(text) else { return Vec::new() };
            let meant =
                position.legal_moves().into_iter().filter(|played| written.can_mean(&position, *played));
            meant.map(|played| played.to_uci(CastlingNotation::Standard)).collect()
        };
        for (text, written) in [
            ("Nge2", "g1e2"),
            ("N3e2", "c3e2"),
            ("Nc3xd5!", "c3d5"),
            ("exd6", "e5d6"),
            ("e6", "e5e6"),
            ("bxa8=R+", "b7a8r"),
            ("b8=Q", "b7b8q"),
            ("b8Q", "b7b8q"),
            ("b8(N)", "b7b8n"),
            ("O-O-O", "e1c1"),
            ("0-0-0#", "e1c1"),
            ("Kf2", "e1f2"),
        ] {
            assert_eq!(meant(text), [written], "{text}");
        }
        assert_eq!(meant("Ne2").len(), 2, "both knights");
        for text in ["Nf6", "O-O", "b8", "b8=K", "b8=QQ", "Kd5", "ne2", "Nodes", "x", "1", "", "é4", "Zb2"] {
            assert_eq!(meant(text), Vec::<String>::new(), "{text}");
        }
    }
}
