//! Reading and writing FEN (Forsyth-Edwards Notation).
//!
//! The reader accepts one to six fields, separated by blanks or, as in web addresses, by underscores. Castling rights
//! may be letters of `KQkq`, which mean the outermost rook of a side (X-FEN), or the files of the rooks (Shredder-FEN,
//! and X-FEN for an inner rook). The reader finds every fault, not only the first one, with its place in the text. The
//! writer writes X-FEN.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::Position;
use super::setup::{Setup, SetupError, SetupFault, SetupWarning, joined};
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, ColoredPiece, File, Piece, Rank, Square};

/// The FEN of the start position of standard chess.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The error of reading a FEN: all its faults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid FEN '{fen}': {}", joined(.faults.iter().map(|fault| &fault.kind)))]
pub struct FenError {
    /// The text that was read.
    pub fen: String,
    /// The faults, in the order of the text.
    pub faults: Vec<FenFault>,
}

/// A fault of a FEN and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFault {
    /// The bytes of the text that are wrong. The range is empty where something is missing.
    pub span: Range<usize>,
    /// The kind of the fault.
    pub kind: FenFaultKind,
}

/// The kinds of faults of a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenFaultKind {
    /// The text is empty.
    #[error("the board is missing")]
    NoBoard,
    /// There is text after the last field.
    #[error("unexpected text '{0}' after the last field")]
    TrailingText(String),
    /// The board does not have eight ranks.
    #[error("the number of ranks is {0}, not 8")]
    RankCount(usize),
    /// A rank does not have eight squares.
    #[error("rank {0} has {1} squares, not 8")]
    RankLength(char, u32),
    /// A character of the board is neither a piece nor a number of empty squares.
    #[error("'{0}' is not a piece")]
    UnknownPiece(char),
    /// The side to move is neither `w` nor `b`.
    #[error("'{0}' is not a side to move")]
    UnknownSide(String),
    /// A character of the castling field is not a castling right.
    #[error("'{0}' is not a castling right")]
    UnknownCastling(char),
    /// The en passant field is neither a square nor `-`.
    #[error("'{0}' is not an en passant square")]
    UnknownEnPassant(String),
    /// The halfmove clock or the fullmove number is not a whole number, or is too large.
    #[error("'{1}' is not a {0}")]
    InvalidClock(&'static str, String),
    /// The text is a FEN, but its position is not legal.
    #[error(transparent)]
    Setup(#[from] SetupFault),
}

impl FenFaultKind {
    /// Returns a hint that says what to write instead.
    pub fn help(&self) -> &'static str {
        match self {
            FenFaultKind::NoBoard | FenFaultKind::RankCount(_) => {
                "write eight ranks, from the eighth to the first, separated by '/'"
            }
            FenFaultKind::TrailingText(_) => {
                "a FEN has at most six fields: board, side to move, castling rights, en passant square, two clocks"
            }
            FenFaultKind::RankLength(..) => {
                "the pieces and the numbers of empty squares of a rank must add up to 8"
            }
            FenFaultKind::UnknownPiece(_) => {
                "use PNBRQK for white pieces, pnbrqk for black pieces, and 1 to 8 for empty squares"
            }
            FenFaultKind::UnknownSide(_) => "write 'w' or 'b'",
            FenFaultKind::UnknownCastling(_) => {
                "write '-', letters of KQkq, or the files of the rooks, such as HAha"
            }
            FenFaultKind::UnknownEnPassant(_) => {
                "write '-', or the square that a pawn has just passed, such as e3 or d6"
            }
            FenFaultKind::InvalidClock(..) => {
                "write a whole number up to 4294967295, or leave out both clocks"
            }
            FenFaultKind::Setup(SetupFault::NoKing(_) | SetupFault::SecondKing(..)) => {
                "each side needs exactly one king"
            }
            FenFaultKind::Setup(SetupFault::PawnOnLastRank(_)) => {
                "pawns can stand on the second to the seventh rank"
            }
            FenFaultKind::Setup(SetupFault::OpponentInCheck(_)) => "should the other side be to move?",
        }
    }
}

impl Setup {
    /// Reads a FEN, or the first four fields of an EPD line. The position need not be legal.
    ///
    /// All fields but the board may be left out. Then White is to move, nobody can castle, there is no en passant
    /// square, the halfmove clock is 0, and the fullmove number is 1.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Setup;
    /// let fen = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 17";
    /// assert_eq!(Setup::from_fen(fen).unwrap().to_fen(), fen);
    /// assert_eq!(Setup::from_fen("r3k2r/8/8/8/8/8/8/R3K2R_b_Kq_-_3_17").unwrap().to_fen(), fen);
    /// assert_eq!(Setup::from_fen("9/8 x").unwrap_err().faults.len(), 3);
    /// ```
    ///
    /// # Errors
    /// Returns all faults of the text.
    pub fn from_fen(fen: &str) -> Result<Setup, FenError> {
        let reader = Reader::read(fen);
        if reader.faults.is_empty() { Ok(reader.setup) } else { Err(reader.into_error()) }
    }

    /// Returns the FEN, with both clocks. The castling right of an inner rook is written as the file of the rook
    /// (X-FEN).
    pub fn to_fen(&self) -> String {
        self.fen_with(&self.castling_field(false))
    }

    /// Returns the FEN with the files of all rooks that may castle (Shredder-FEN).
    #[doc(hidden)]
    pub fn to_shredder_fen(&self) -> String {
        self.fen_with(&self.castling_field(true))
    }

    fn fen_with(&self, castling: &str) -> String {
        let en_passant = self.en_passant.map_or("-".to_owned(), |square| square.to_string());
        format!(
            "{} {} {castling} {en_passant} {} {}",
            self.placement(),
            self.turn.letter(),
            self.halfmove_clock,
            self.fullmove_number
        )
    }

    fn placement(&self) -> String {
        let letter = |squares: &[Option<ColoredPiece>]| match squares {
            [Some(piece)] => piece.letter(),
            empty => char::from(b'0' + empty.len() as u8),
        };
        let ranks = self.board.chunks(8).rev();
        let texts = ranks.map(|rank| rank.chunk_by(|a, b| a.is_none() && b.is_none()).map(letter).collect());
        texts.collect::<Vec<String>>().join("/")
    }

    /// With `files`, all rights are written as files.
    fn castling_field(&self, files: bool) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            // From the h-file to the a-file, so that the king side comes first.
            let mut rooks: Vec<Square> = self.castling.rooks(color).into_iter().collect();
            rooks.reverse();
            for rook in rooks {
                let letter = match self.side_by_letter(color, rook).filter(|_| !files) {
                    Some(CastlingSide::King) => 'k',
                    Some(CastlingSide::Queen) => 'q',
                    None => rook.file().letter(),
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// Returns the side whose letter (`K` or `Q`) means the rook on this square, if there is one.
    fn side_by_letter(&self, color: Color, rook: Square) -> Option<CastlingSide> {
        [CastlingSide::King, CastlingSide::Queen]
            .into_iter()
            .find(|&side| self.rook_of_plain_letter(color, side) == rook)
    }

    /// Returns the square of the rook that the letter `K` or `Q` means: the outermost rook on that side of the king, or
    /// the corner if there is none.
    fn rook_of_plain_letter(&self, color: Color, side: CastlingSide) -> Square {
        let back_rank = Bitboard::rank(color.back_rank());
        let king = (self.squares_of(color, Piece::King) & back_rank).first();
        let is_on_side = |rook: &Square| king.is_some_and(|king| CastlingSide::of(king, *rook) == side);
        let mut rooks = (self.squares_of(color, Piece::Rook) & back_rank).into_iter().filter(is_on_side);
        let (outermost, corner) = match side {
            CastlingSide::King => (rooks.last(), File::H),
            CastlingSide::Queen => (rooks.next(), File::A),
        };
        outermost.unwrap_or(Square::new(corner, color.back_rank()))
    }
}

impl Position {
    /// Reads a FEN, or the first four fields of an EPD line.
    ///
    /// A position does not store the two clocks. Read a [`Setup`] to keep them.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// let position = Position::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -").unwrap();
    /// assert_eq!(position.occupied().count(), 10);
    /// let error = Position::from_fen("8/8/8/8/8/8/8/K6P w - -").unwrap_err();
    /// assert!(error.to_string().contains("black has no king; a pawn cannot stand on h1"));
    /// ```
    ///
    /// # Errors
    /// Returns all faults of the text and everything that makes the position illegal.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        read_fen(fen).map(|(_, position, _)| position)
    }

    /// Reads a FEN, and also returns warnings about what is assumed or ignored.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// let (_, warnings) = Position::from_fen_with_warnings("4k3/8/8/8/8/8/8/R2K4 w Q").unwrap();
    /// let warnings: Vec<String> = warnings.iter().map(|warning| warning.to_string()).collect();
    /// assert_eq!(warnings[0], "white's castling rights are read as those of Chess960: the king is on d1, not on e1");
    /// assert_eq!(warnings[1], "the FEN ends after the castling field: there is no en passant square");
    /// ```
    ///
    /// # Errors
    /// The same as for [`Position::from_fen`].
    pub fn from_fen_with_warnings(fen: &str) -> Result<(Position, Vec<SetupWarning>), FenError> {
        read_fen(fen).map(|(_, position, warnings)| (position, warnings))
    }
}

impl FromStr for Setup {
    type Err = FenError;

    /// Does the same as [`Setup::from_fen`].
    fn from_str(fen: &str) -> Result<Setup, FenError> {
        Setup::from_fen(fen)
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Does the same as [`Position::from_fen`].
    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

/// Writes the FEN, as [`Setup::to_fen`] does.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_fen())
    }
}

/// Writes the FEN, with the clocks at 0 and 1. The en passant square is written only if a capture on it is legal.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Setup::from(self).fmt(f)
    }
}

pub(crate) fn read_fen(fen: &str) -> Result<(Setup, Position, Vec<SetupWarning>), FenError> {
    let mut reader = Reader::read(fen);
    match reader.position() {
        Some(position) if reader.faults.is_empty() => {
            reader.warnings.extend(reader.setup.warnings());
            Ok((reader.setup, position, reader.warnings))
        }
        _ => Err(reader.into_error()),
    }
}

/// Whether a text is a dash: `-`, or a dash that a word processor writes instead.
fn is_dash(text: &str) -> bool {
    ["-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}"].contains(&text)
}

/// Reads the fields in order and collects the faults.
struct Reader<'a> {
    fen: &'a str,
    setup: Setup,
    faults: Vec<FenFault>,
    warnings: Vec<SetupWarning>,
    /// Whether the board was read without a fault, so that the position can be validated.
    board_is_read: bool,
    board_span: Range<usize>,
    turn_span: Range<usize>,
    square_spans: [Range<usize>; 64],
}

type Field<'a> = (Range<usize>, &'a str);

type ReadField<'a> = fn(&mut Reader<'a>, Field<'a>);

impl<'a> Reader<'a> {
    fn read(fen: &'a str) -> Reader<'a> {
        let mut reader = Reader {
            fen,
            setup: Setup::EMPTY,
            faults: Vec::new(),
            warnings: Vec::new(),
            board_is_read: false,
            board_span: 0..0,
            turn_span: 0..0,
            square_spans: [const { 0..0 }; 64],
        };
        let mut fields = fields(fen);
        match fields.next() {
            Some(field) => reader.board(field),
            None => reader.fault(fen.len()..fen.len(), FenFaultKind::NoBoard),
        }
        // The fields that follow, each with the name of the field before it, and with the defaults.
        let readers: [(&str, &str, ReadField<'a>); 3] = [
            ("board", "White is to move, and nobody can castle", Self::turn),
            ("side to move", "nobody can castle", Self::castling),
            ("castling field", "there is no en passant square", Self::en_passant),
        ];
        for (field, defaults, read) in readers {
            let Some(text) = fields.next() else {
                reader.warnings.push(SetupWarning::EndsAfter(field, defaults));
                return reader;
            };
            read(&mut reader, text);
        }
        if let Some(field) = fields.next() {
            reader.setup.halfmove_clock = reader.clock(field, "halfmove clock").unwrap_or(0);
        }
        if let Some(field) = fields.next() {
            reader.setup.fullmove_number = reader.clock(field, "fullmove number").unwrap_or(1);
        }
        if let Some((span, _)) = fields.next() {
            let rest = fen[span.start..].trim_end();
            reader.fault(span.start..span.start + rest.len(), FenFaultKind::TrailingText(rest.to_owned()));
        }
        reader
    }

    fn fault(&mut self, span: Range<usize>, kind: FenFaultKind) {
        self.faults.push(FenFault { span, kind });
    }

    fn into_error(mut self) -> FenError {
        self.faults.sort_by_key(|fault| fault.span.start);
        FenError { fen: self.fen.to_owned(), faults: self.faults }
    }

    fn board(&mut self, (span, text): Field<'a>) {
        let mut start = span.start;
        let ranks: Vec<&str> = text.split('/').collect();
        for (rank, rank_text) in Rank::ALL.into_iter().rev().zip(&ranks) {
            self.rank(rank, start, rank_text);
            start += rank_text.len() + 1;
        }
        if ranks.len() != 8 {
            self.fault(span.clone(), FenFaultKind::RankCount(ranks.len()));
        }
        self.board_is_read = self.faults.is_empty();
        self.board_span = span;
    }

    fn rank(&mut self, rank: Rank, start: usize, text: &str) {
        let mut files = 0;
        let mut is_clear = true;
        for (offset, letter) in text.char_indices() {
            let span = start + offset..start + offset + letter.len_utf8();
            match (letter, ColoredPiece::from_letter(letter)) {
                ('1'..='8', _) => files += letter as u32 - '0' as u32,
                (_, Some(piece)) => {
                    if let Some(&file) = File::ALL.get(files as usize) {
                        let square = Square::new(file, rank);
                        self.setup.board[square.index()] = Some(piece);
                        self.square_spans[square.index()] = span;
                    }
                    files += 1;
                }
                (_, None) => {
                    self.fault(span, FenFaultKind::UnknownPiece(letter));
                    is_clear = false;
                }
            }
        }
        if is_clear && files != 8 {
            self.fault(start..start + text.len(), FenFaultKind::RankLength(rank.digit(), files));
        }
    }

    fn turn(&mut self, (span, text): Field<'a>) {
        self.turn_span = span.clone();
        match Color::ALL.into_iter().find(|color| text.chars().eq([color.letter()])) {
            Some(color) => self.setup.turn = color,
            None => self.fault(span, FenFaultKind::UnknownSide(text.to_owned())),
        }
    }

    fn castling(&mut self, (span, text): Field<'a>) {
        if is_dash(text) {
            return;
        }
        let mut rights = CastlingRights::NONE;
        for (offset, letter) in text.char_indices() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let lower = letter.to_ascii_lowercase();
            match (lower, File::from_letter(lower)) {
                ('k', _) => rights.add(self.setup.rook_of_plain_letter(color, CastlingSide::King)),
                ('q', _) => rights.add(self.setup.rook_of_plain_letter(color, CastlingSide::Queen)),
                (_, Some(file)) => rights.add(Square::new(file, color.back_rank())),
                (_, None) => {
                    let start = span.start + offset;
                    self.fault(start..start + letter.len_utf8(), FenFaultKind::UnknownCastling(letter));
                }
            }
        }
        self.setup.castling = rights;
        for color in Color::ALL {
            let letters = if color == Color::White { ['K', 'Q'] } else { ['k', 'q'] };
            if text.contains(letters) {
                self.warnings.extend(self.setup.chess960_warning(color));
            }
        }
    }

    fn en_passant(&mut self, (span, text): Field<'a>) {
        match text.parse() {
            Ok(square) => self.setup.en_passant = Some(square),
            Err(_) if is_dash(text) => {}
            Err(_) => self.fault(span, FenFaultKind::UnknownEnPassant(text.to_owned())),
        }
    }

    fn clock(&mut self, (span, text): Field<'a>, name: &'static str) -> Option<u32> {
        let number = text.parse().ok();
        if number.is_none() {
            self.fault(span, FenFaultKind::InvalidClock(name, text.to_owned()));
        }
        number
    }

    /// Returns the position if it is legal. Otherwise adds the faults, each with its place in the text.
    fn position(&mut self) -> Option<Position> {
        if !self.board_is_read {
            return None;
        }
        let SetupError(faults) = match Position::try_from(&self.setup) {
            Ok(position) => return Some(position),
            Err(error) => error,
        };
        for fault in faults {
            let span = match fault {
                SetupFault::NoKing(_) => self.board_span.clone(),
                SetupFault::SecondKing(_, square) | SetupFault::PawnOnLastRank(square) => {
                    self.square_spans[square.index()].clone()
                }
                SetupFault::OpponentInCheck(_) => self.turn_span.clone(),
            };
            self.fault(span, fault.into());
        }
        None
    }
}

fn fields(text: &str) -> impl Iterator<Item = Field<'_>> {
    let words = text.split(|c: char| c.is_ascii_whitespace() || c == '_').filter(|word| !word.is_empty());
    words.map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        (start..start + word.len(), word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(fen: &str) -> Vec<(Range<usize>, String)> {
        let error = Position::from_fen(fen).unwrap_err();
        error.faults.into_iter().map(|fault| (fault.span, fault.kind.to_string())).collect()
    }

    #[test]
    fn every_fault_is_found_with_its_place() {
        assert_eq!(
            faults("rnbqkbnr/ppppxppp/9/8/8/8/PPPPPPP/RNBQKBNR q KZ e9 x 1 !"),
            [
                (13..14, "'x' is not a piece".to_owned()),
                (18..19, "'9' is not a piece".to_owned()),
                (26..33, "rank 2 has 7 squares, not 8".to_owned()),
                (43..44, "'q' is not a side to move".to_owned()),
                (46..47, "'Z' is not a castling right".to_owned()),
                (48..50, "'e9' is not an en passant square".to_owned()),
                (51..52, "'x' is not a halfmove clock".to_owned()),
                (55..56, "unexpected text '!' after the last field".to_owned()),
            ]
        );
    }

    #[test]
    fn every_reason_why_a_position_is_illegal_is_found_with_its_place() {
        assert_eq!(
            faults("K3k2P/8/8/8/8/8/8/4R2K w - -"),
            [
                (0..1, "white has a second king on a8".to_owned()),
                (4..5, "a pawn cannot stand on h8".to_owned()),
            ]
        );
        assert_eq!(
            faults("4k3/8/8/8/8/8/8/4R2K w - -"),
            [(21..22, "black is in check, but it is not black's move".to_owned())]
        );
        assert_eq!(
            faults("8/8/8/8/8/8/8/4R3 w"),
            [(0..17, "white has no king".to_owned()), (0..17, "black has no king".to_owned()),]
        );
    }

    #[test]
    fn a_setup_keeps_the_clocks_and_a_position_does_not() {
        let setup: Setup = "4k3/8/8/8/8/8/8/R3K3 b Q - 7 42".parse().unwrap();
        assert_eq!((setup.halfmove_clock, setup.fullmove_number), (7, 42));
        assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/R3K3 b Q - 7 42");
        let position = Position::try_from(&setup).unwrap();
        assert_eq!(position.to_string(), "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1");
        assert_eq!("4k3/8/8/8/8/8/8/R3K3 b Q - 3 9".parse(), Ok(position));
    }

    #[test]
    fn fields_that_are_left_out_have_defaults_and_a_warning() {
        let read = |fen: &str| {
            let (setup, _, warnings) = read_fen(fen).unwrap();
            (setup.to_fen(), warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        };
        let board = "4k3/8/8/8/8/8/8/4K3";
        for (fields, fen, warning) in [
            ("", "w - - 0 1", "the FEN ends after the board: White is to move, and nobody can castle"),
            (" b", "b - - 0 1", "the FEN ends after the side to move: nobody can castle"),
            (
                " b \u{2013}",
                "b - - 0 1",
                "the FEN ends after the castling field: there is no en passant square",
            ),
            ("_b_\u{2212}_\u{2014}_7_9", "b - - 7 9", ""),
        ] {
            assert_eq!(read(&format!("{board}{fields}")), (format!("{board} {fen}"), warning.to_owned()));
        }
        assert_eq!(faults(" "), [(1..1, "the board is missing".to_owned())]);
    }

    #[test]
    fn a_right_that_only_chess960_has_gets_a_warning() {
        let warnings = |fen: &str| {
            let (_, warnings) = Position::from_fen_with_warnings(fen).unwrap();
            warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(
            warnings("r2k3r/8/8/8/8/8/8/R3K3 b Qkq - 0 1"),
            "black's castling rights are read as those of Chess960: the king is on d8, not on e8"
        );
        assert_eq!(
            warnings("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1"),
            "white's castling rights are read as those of Chess960: the rook is on g1, not on h1"
        );
        assert_eq!(warnings("r2k3r/8/8/8/8/8/8/R3K3 b Aha - 0 1"), "");
        assert_eq!(warnings("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"), "");
    }

    #[test]
    fn clocks_that_are_left_out_are_0_and_1() {
        let clocks = |text: &str| {
            let setup: Setup = format!("4k3/8/8/8/8/8/8/4K3 w - -{text}").parse().unwrap();
            (setup.halfmove_clock, setup.fullmove_number)
        };
        assert_eq!(["", " 5", " 5 6"].map(clocks), [(0, 1), (5, 1), (5, 6)]);
    }

    #[test]
    fn castling_letters_mean_rooks() {
        let rooks = |fen: &str| {
            let rights = Setup::from_fen(fen).unwrap().castling.all_rooks();
            rights.into_iter().map(|rook| rook.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(rooks("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), "a1 h1 a8 h8");
        assert_eq!(rooks("1r2k1r1/8/8/8/8/8/8/RR2KR2 w KQkq - 0 1"), "a1 f1 b8 g8");
        assert_eq!(rooks("4k3/8/8/8/8/8/8/RR2KRR1 w FB - 0 1"), "b1 f1");
        assert_eq!(rooks("4k3/8/8/8/8/8/8/4K3 w Kq - 0 1"), "h1 a8");
    }
}
