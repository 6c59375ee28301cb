//! Progress bars on standard error, and styles of text.
//!
//! A terminal echoes Ctrl-C as two characters (`^C`) at the cursor. After a bar as wide as the terminal, the echo would
//! start a new line, and erasing the bar would leave the old line behind. Bars are therefore drawn a little narrower than
//! the terminal.

use std::io;

use anstyle::{AnsiColor, Style};
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::context::Context;

/// Columns kept free at the right for an echoed `^C`.
const MARGIN: u16 = 4;

/// How many times a second a bar is drawn at most.
const REFRESH_HZ: u8 = 20;

/// Returns a bar over `length` steps that is drawn only if progress is wanted and standard error is a terminal.
///
/// The template is that of [`ProgressStyle`].
pub fn progress_bar(context: &Context, template: &str, length: Option<u64>) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    ProgressBar::with_draw_target(length, draw_target(context)).with_style(style)
}

/// Returns the place where bars are drawn: standard error if it is a terminal and progress is wanted, otherwise nowhere.
fn draw_target(context: &Context) -> ProgressDrawTarget {
    let terminal = Term::stderr();
    if terminal.is_term() && !context.global.hides_progress() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Narrowed(terminal)), REFRESH_HZ)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Returns the text in bold and in this color. The output stream removes the style where colors are not wanted.
pub fn styled(text: &str, color: AnsiColor) -> String {
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{text}{style:#}")
}

/// The width to which long texts are folded, in columns.
const FOLD: usize = 100;

/// Returns the text folded at blanks. All lines after the first begin with `indent` blanks. Nothing is cut: a longer word
/// has a line of its own.
pub fn folded(text: &str, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        lines.push(String::new());
        for word in paragraph.split(' ') {
            let line = lines.last_mut().expect("a line was pushed");
            if line.is_empty() {
                line.push_str(word);
            } else if indent + line.chars().count() + 1 + word.chars().count() <= FOLD {
                line.push(' ');
                line.push_str(word);
            } else {
                lines.push(word.to_owned());
            }
        }
    }
    lines.join(&format!("\n{:indent$}", ""))
}

/// A terminal that claims to be narrower by [`MARGIN`] columns.
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

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn texts_are_folded_and_nothing_is_cut() {
        let text = format!("{} end\nlast line", "word ".repeat(30).trim_end());
        let shown = folded(&text, 10);
        assert!(shown.lines().count() == 3 && shown.lines().all(|line| line.len() <= 100), "{shown}");
        assert!(
            shown.lines().skip(1).all(|line| line.starts_with("          ") && !line[10..].starts_with(' '))
        );
        assert!(shown.ends_with("\n          last line"));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        assert_eq!(words(&shown), words(&text));
        assert_eq!(folded(&"x".repeat(300), 4).len(), 300);
    }
}
