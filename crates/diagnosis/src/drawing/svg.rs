//! A drawing as SVG, without styles and scripts, so that a page can contain it and an image viewer can show it.

use std::fmt::Write;

use perft_core::{Color, ColoredPiece, Rank, Square};

use super::{Arrow, ArrowKind, Drawing, Mark};

/// The shapes of the pieces. The page shows the same file.
const PIECES: &str = include_str!("pieces.svg");

/// The width of a square, and of the field of a piece.
const SQUARE: usize = 40;
const BOARD: usize = 8 * SQUARE;

/// The length of the head of an arrow, in tenths.
const HEAD: i32 = 110;

impl Drawing {
    /// Returns a whole image with White at the bottom. People who cannot see it get the description.
    pub fn to_svg(&self, description: &str) -> String {
        let description = description.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let shapes = PIECES.trim().trim_start_matches("<svg xmlns=\"http://www.w3.org/2000/svg\">");
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {BOARD} {BOARD}\" width=\"{BOARD}\" role=\"img\" \
             aria-label=\"{description}\" font-family=\"system-ui, sans-serif\" font-size=\"9\">\n<defs>{}</defs>\n\
             <path fill=\"#ece7db\" d=\"M0 0h{BOARD}v{BOARD}H0z\"/>\n{}{}{}{}</svg>\n",
            shapes.trim_end_matches("</svg>"),
            dark_squares(),
            self.marks_to_svg(),
            self.pieces_to_svg(),
            self.arrows_to_svg(),
        )
    }

    /// Returns the marks and the arrows as an image without a board. A page puts it on its own board.
    pub fn to_overlay(&self) -> String {
        let (marks, arrows) = (self.marks_to_svg(), self.arrows_to_svg());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {BOARD} {BOARD}\">{marks}{arrows}</svg>"
        )
    }

    /// Returns the marks of the squares, which are drawn below the pieces.
    fn marks_to_svg(&self) -> String {
        let mut svg = String::new();
        for (&square, &mark) in &self.marks {
            let (x, y) = corner(square);
            let (inner, color) = (SQUARE - 4, color_of(mark));
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" fill=\"{color}\" fill-opacity=\".35\" \
                 stroke=\"{color}\" stroke-width=\"3\"/>",
                x + 2,
                y + 2,
            );
        }
        svg
    }

    /// Returns the arrows, which are drawn above the pieces. A missing move is dashed, because the program does not have
    /// it, and a line of a check is dotted.
    fn arrows_to_svg(&self) -> String {
        self.arrows.iter().map(arrow_to_svg).collect()
    }

    fn pieces_to_svg(&self) -> String {
        let mut svg =
            String::from("<g stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
        for square in Square::ALL {
            let Some(ColoredPiece { color, piece }) = self.board[square.index()] else { continue };
            let (x, y) = corner(square);
            let style = match color {
                Color::White => "fill=\"#fffdf6\" stroke=\"#22282c\" color=\"#22282c\"",
                Color::Black => "fill=\"#2a3036\" stroke=\"#11161a\" color=\"#e9edf0\"",
            };
            let shape = piece.letter().to_ascii_lowercase();
            let _ = writeln!(
                svg,
                "<use href=\"#piece-{shape}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" {style}/>"
            );
        }
        svg + "</g>\n"
    }
}

/// Returns the dark squares, and the coordinates at the edges.
fn dark_squares() -> String {
    let is_dark = |square: &Square| (square.file().index() + square.rank().index()).is_multiple_of(2);
    let mut path = String::new();
    let mut labels = String::new();
    for square in Square::ALL {
        let (x, y) = corner(square);
        if is_dark(&square) {
            let _ = write!(path, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
        }
        if square.file().index() == 0 {
            let _ = write!(labels, "<text x=\"{}\" y=\"{}\">{}</text>", x + 2, y + 9, square.rank().digit());
        }
        if square.rank() == Rank::First {
            let _ =
                write!(labels, "<text x=\"{}\" y=\"{}\">{}</text>", x + 34, y + 38, square.file().letter());
        }
    }
    format!("<path fill=\"#94a9b5\" d=\"{path}\"/>\n<g fill=\"#1f2a31\">{labels}</g>\n")
}

/// Returns the upper left corner of a square.
fn corner(square: Square) -> (usize, usize) {
    (SQUARE * square.file().index(), SQUARE * (7 - square.rank().index()))
}

/// Returns the middle of a square, in tenths.
fn middle(square: Square) -> (i32, i32) {
    let (x, y) = corner(square);
    (10 * (x + SQUARE / 2) as i32, 10 * (y + SQUARE / 2) as i32)
}

const fn color_of(mark: Mark) -> &'static str {
    match mark {
        Mark::Named => "#3b6fb0",
        Mark::Captured | Mark::Pinned => "#b8609a",
        Mark::Right => "#9c7c00",
        Mark::King => "#e0a100",
        Mark::Attacker => "#7b2fbf",
    }
}

/// Returns an arrow. Its numbers are whole tenths.
fn arrow_to_svg(arrow: &Arrow) -> String {
    let &Arrow { from, to, kind } = arrow;
    let (color, width, dashes) = match kind {
        ArrowKind::Played => ("#1f6fb2", 40, ""),
        ArrowKind::Line => ("#7b2fbf", 30, " stroke-dasharray=\"20 50\""),
        ArrowKind::Counted => ("#b46a00", 60, ""),
        ArrowKind::Missing => ("#12803c", 60, " stroke-dasharray=\"100 50\""),
        ArrowKind::Extra => ("#cf222e", 60, ""),
    };
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = f64::from(x2 - x1).hypot(f64::from(y2 - y1));
    let part = |size: i32, of: i32| (f64::from(size * of) / length).round() as i32;
    // The line ends at the base of the head, and the head at the middle of the square.
    let (bx, by) = (x2 - part(HEAD, x2 - x1), y2 - part(HEAD, y2 - y1));
    let side = HEAD / 2 + 2 * width / 5;
    let (sx, sy) = (part(side, y2 - y1), part(side, x2 - x1));
    format!(
        "<g transform=\"scale(.1)\" fill=\"{color}\" stroke=\"{color}\" opacity=\".85\">\
         <path d=\"M{x1} {y1}L{bx} {by}\" stroke-width=\"{width}\"{dashes}/>\
         <path stroke=\"#fff\" stroke-width=\"10\" d=\"M{x2} {y2}L{} {}L{} {}z\"/></g>\n",
        bx - sx,
        by + sy,
        bx + sx,
        by - sy,
    )
}
