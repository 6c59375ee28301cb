//! The colours of what perft found: of the words before its sentences, and of the squares of its boards.
//!
//! A missing move is green, an extra one is red, and a wrong count is yellow, in every command. Where colours are not
//! wanted, the output stream removes them, and the text is the same.

use std::io::{self, Write, stdout};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, AnsiColor, Style};
use perft_core::{Color, ColoredPiece, File, Rank, Square};
use perft_diagnosis::{ArrowKind, Drawing, Mark};

use super::safe::{styled, styled_as};

/// Returns the word before a sentence in a column of this width, with the colour of what it is about.
pub fn label(word: &str, width: usize) -> String {
    let color = match word {
        "missing" => AnsiColor::Green,
        "extra" => AnsiColor::Red,
        "wrong" => AnsiColor::Yellow,
        "cause" | "causes" => AnsiColor::Magenta,
        "in common" => AnsiColor::Cyan,
        _ => return format!("{word:<width$}"),
    };
    format!("{}{:2$}", styled(word, color), "", width.saturating_sub(word.len()))
}

/// Black in the palette of 256 colours, which is black in every theme of a terminal.
pub const BLACK: u8 = 16;

/// Returns a board with the squares of its moves and its marks in colours. The pieces are letters, or figures if
/// `has_figures` is set. An empty square has a point that only shows without colours.
pub fn board(drawing: &Drawing, has_figures: bool) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let piece = drawing.board[square.index()];
            let sign = piece.map_or('.', if has_figures { figure } else { ColoredPiece::letter });
            let [front, back] = square_colors(drawing, square).map(|color| Some(Ansi256Color(color).into()));
            let style = Style::new().fg_color(front).bg_color(back);
            let is_white = piece.is_some_and(|piece| piece.color == Color::White);
            text += &styled_as(if is_white { style.bold() } else { style }, &format!(" {sign}"));
        }
        text.push('\n');
    }
    text + "  a b c d e f g h\n"
}

/// Writes a board in colours where they are wanted. Without them, it would show no more than the FEN.
pub fn write_board(drawing: &Drawing, out: &mut impl Write) -> io::Result<()> {
    match AutoStream::choice(&stdout()) {
        ColorChoice::Never => Ok(()),
        _ => writeln!(out, "{}", board(drawing, false)),
    }
}

fn figure(piece: ColoredPiece) -> char {
    let figures = if piece.color == Color::White {
        ['♙', '♘', '♗', '♖', '♕', '♔']
    } else {
        ['♟', '♞', '♝', '♜', '♛', '♚']
    };
    figures[piece.piece as usize]
}

/// Returns the colours of the piece and of the square in the palette of 256 colours. A square has that of its mark, or that
/// of the board. Black letters can be read on all of them, and the point of an empty square is not seen.
pub fn square_colors(drawing: &Drawing, square: Square) -> [u8; 2] {
    let is_dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
    let back = mark_color(drawing, square).unwrap_or(if is_dark { 109 } else { 187 });
    [if drawing.board[square.index()].is_some() { BLACK } else { back }, back]
}

/// Returns the colour of a mark, like that of the pictures. The squares of a wrong move have the colour of that move,
/// whatever else they are.
pub fn mark_color(drawing: &Drawing, square: Square) -> Option<u8> {
    let marked = drawing.mark(square).map(|mark| match mark {
        Mark::Attacker => 141,
        Mark::King => 214,
        Mark::Named => 75,
        Mark::Captured | Mark::Pinned => 175,
        Mark::Right => 142,
    });
    match drawing.move_on(square) {
        Some(ArrowKind::Missing) => Some(77),
        Some(ArrowKind::Extra | ArrowKind::Twice) => Some(203),
        Some(ArrowKind::Counted) => Some(226),
        Some(ArrowKind::Played | ArrowKind::TakenBack) => marked.or(Some(81)),
        Some(ArrowKind::Line) | None => marked,
    }
}

#[cfg(test)]
mod tests {
    use perft_core::Position;
    use perft_diagnosis::{WrongMove, explain};

    use super::*;
    use crate::output::safe::shown;

    #[test]
    fn boards_without_colours_are_those_of_positions() {
        let position = Position::from_fen("4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1").unwrap();
        let wrong = WrongMove { text: "e8g8".to_owned(), is_missing: false, why: explain(&position, "e8g8") };
        let drawing = Drawing::of_moves(&position, &[wrong]);
        let shown = shown(&board(&drawing, false));
        assert_eq!(anstream::adapter::strip_str(&shown).to_string(), position.diagram());
        assert!(board(&drawing, true).contains('♚'));
        // The king's move is red, and the knight that gives check is violet.
        assert!(shown.contains("[48;5;203m k") && shown.contains("[48;5;141m N"), "{shown:?}");
    }
}
