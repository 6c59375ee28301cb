//! Moves in standard algebraic notation (SAN): `e4`, `Nbd7`, `exd6`, `e8=Q+`, `O-O`.

use crate::position::Position;
use crate::types::{CastlingSide, Move, MoveKind, Piece, Square};

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
        /// The piece that a pawn promotes to.
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

/// Returns the piece of a promotion in one of its spellings: `=Q`, `Q`, `q`, `(Q)`, `/Q`.
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
    use crate::types::CastlingNotation;

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
