//! Standard error as a place to draw a bar that can be erased again.
//!
//! A terminal echoes Ctrl-C as two characters where the cursor stands. Behind a bar as wide as the terminal they would
//! begin a new line, and the bar would be out of reach of its own erasure; so bars believe that the terminal is a
//! little narrower.

use std::io;

use console::Term;
use indicatif::{ProgressDrawTarget, TermLike};

/// Columns that stay free at the right: room for an echoed ^C.
const MARGIN: u16 = 4;

/// How often a second a bar is drawn at most.
const REFRESH_HZ: u8 = 20;

/// Where bars are drawn: nowhere if standard error is not a terminal.
pub fn draw_target() -> ProgressDrawTarget {
    let terminal = Term::stderr();
    if terminal.is_term() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Narrowed(terminal)), REFRESH_HZ)
    } else {
        ProgressDrawTarget::hidden()
    }
}

#[derive(Debug)]
struct Narrowed(Term);

impl TermLike for Narrowed {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(MARGIN)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
