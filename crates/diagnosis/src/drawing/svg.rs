//! A drawing as SVG, without styles and scripts, so that a page can contain it and an image viewer can show it.

use std::cmp::Reverse;
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
            self.arrows_to_svg(""),
        )
    }

    /// Returns the marks and the arrows as an image without a board. A page puts it on its own board. Its pieces have their
    /// shapes in the file `pieces.svg`.
    pub fn to_overlay(&self) -> String {
        let (marks, arrows) = (self.marks_to_svg(), self.arrows_to_svg("pieces.svg"));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {BOARD} {BOARD}\">{marks}{arrows}</svg>"
        )
    }

    fn marks_to_svg(&self) -> String {
        let to_svg = |(&square, &mark): (&Square, &Mark)| {
            let ((x, y), inner, color) = (corner(square), SQUARE - 4, color_of(mark));
            format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" fill=\"{color}\" fill-opacity=\".35\" \
                 stroke=\"{color}\" stroke-width=\"3\"/>\n",
                x + 2,
                y + 2,
            )
        };
        self.marks.iter().map(to_svg).collect()
    }

    /// Returns the arrows, which are drawn above the pieces. A missing move is dashed, because the program does not have
    /// it, and a line of a check is dotted. Narrow arrows can be seen on wide ones. The pieces of promotions have a corner
    /// each, and their shapes in a file.
    fn arrows_to_svg(&self, file: &str) -> String {
        let mut arrows: Vec<&Arrow> = self.arrows.iter().collect();
        arrows.sort_by_key(|arrow| Reverse(style(arrow.kind).1));
        let promotions = arrows.iter().filter_map(|arrow| {
            let (x, y) = corner(arrow.to);
            let piece = arrow.promotion?;
            let mover = self.board[arrow.from.index()].or(self.board[arrow.to.index()])?;
            let place = (x + 21 * (piece as usize % 2), y + 21 * (piece as usize / 2 % 2));
            Some(piece_to_svg(ColoredPiece { piece, ..mover }, place, 19, file))
        });
        arrows.iter().map(|arrow| arrow_to_svg(arrow)).chain(promotions).collect()
    }

    fn pieces_to_svg(&self) -> String {
        let to_svg =
            |square: Square| Some(piece_to_svg(self.board[square.index()]?, corner(square), SQUARE, ""));
        let pieces: String = Square::ALL.into_iter().filter_map(to_svg).collect();
        format!("<g stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{pieces}</g>\n")
    }
}

fn piece_to_svg(found: ColoredPiece, (x, y): (usize, usize), size: usize, file: &str) -> String {
    let style = match found.color {
        Color::White => "fill=\"#fffdf6\" stroke=\"#22282c\" color=\"#22282c\"",
        Color::Black => "fill=\"#2a3036\" stroke=\"#11161a\" color=\"#e9edf0\"",
    };
    let shape = found.piece.letter().to_ascii_lowercase();
    format!(
        "<use href=\"{file}#piece-{shape}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" {style}/>\n"
    )
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

fn corner(square: Square) -> (usize, usize) {
    (SQUARE * square.file().index(), SQUARE * (7 - square.rank().index()))
}

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

/// Returns the color of an arrow, its width in tenths, and its dashes.
const fn style(kind: ArrowKind) -> (&'static str, i32, &'static str) {
    match kind {
        ArrowKind::Played | ArrowKind::TakenBack => ("#1f6fb2", 40, ""),
        ArrowKind::Line => ("#7b2fbf", 30, " stroke-dasharray=\"20 50\""),
        ArrowKind::Counted => ("#b46a00", 60, ""),
        ArrowKind::Missing => ("#12803c", 60, " stroke-dasharray=\"100 50\""),
        ArrowKind::Extra | ArrowKind::Twice => ("#cf222e", 60, ""),
    }
}

/// The numbers are whole tenths. A move that was taken back has a head at both ends, and one that is listed twice is
/// labelled.
fn arrow_to_svg(&Arrow { from, to, kind, .. }: &Arrow) -> String {
    let (color, width, dashes) = style(kind);
    let (start, end) = (middle(from), middle(to));
    let ((x2, y2), mut heads) = head(start, end, width);
    let (mut x1, mut y1) = start;
    if kind == ArrowKind::TakenBack {
        let (base, back) = head(end, start, width);
        (x1, y1) = base;
        heads += &back;
    }
    let label = match kind {
        ArrowKind::Twice => format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"200\" font-weight=\"bold\" stroke=\"#fff\" \
             stroke-width=\"40\" paint-order=\"stroke\">2×</text>",
            (start.0 + end.0) / 2,
            (start.1 + end.1) / 2 + 70
        ),
        _ => String::new(),
    };
    format!(
        "<g transform=\"scale(.1)\" fill=\"{color}\" stroke=\"{color}\" opacity=\".85\">\
         <path d=\"M{x1} {y1}L{x2} {y2}\" stroke-width=\"{width}\"{dashes}/>\
         <path stroke=\"#fff\" stroke-width=\"10\" d=\"{heads}\"/>{label}</g>\n"
    )
}

/// Returns the head of an arrow, whose tip is in the middle of a square, as a path, and the middle of its base.
fn head((x1, y1): (i32, i32), (x2, y2): (i32, i32), width: i32) -> ((i32, i32), String) {
    let length = f64::from(x2 - x1).hypot(f64::from(y2 - y1));
    let part = |size: i32, of: i32| (f64::from(size * of) / length).round() as i32;
    let (x, y) = (x2 - part(HEAD, x2 - x1), y2 - part(HEAD, y2 - y1));
    let side = HEAD / 2 + 2 * width / 5;
    let (sx, sy) = (part(side, y2 - y1), part(side, x2 - x1));
    ((x, y), format!("M{x2} {y2}L{} {}L{} {}z", x - sx, y + sy, x + sx, y - sy))
}
