//! What reaches a terminal is harmless, wherever it comes from.
//!
//! All text on standard output and standard error goes through [`shown`]: characters that control a terminal or hide
//! text are made visible. The styles of this program pass, because they have a mark, and nothing but a style may have
//! it. In JSON, such characters are written as escapes.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use perft_diagnosis::lines::{is_hidden, visible};

/// The beginning of a style, and the same with the mark: a character that has no meaning. Until it is printed, a marked
/// style still has no width when text is folded.
const STYLE: &str = "\x1b[";
const MARKED: &str = "\x1b[\u{10fffd}";

/// Returns a text in a style. Where colours are not wanted, the output stream removes the style.
pub fn styled_as(style: Style, text: &str) -> String {
    marked(&format!("{style}{text}{style:#}"))
}

/// Returns a text in bold.
pub fn bold(text: &str) -> String {
    styled_as(Style::new().bold(), text)
}

/// Returns a text in bold and in this color.
pub fn styled(text: &str, color: AnsiColor) -> String {
    styled_as(Style::new().bold().fg_color(Some(color.into())), text)
}

/// Marks the styles of a text as those of this program.
pub fn marked(text: &str) -> String {
    text.replace(STYLE, MARKED)
}

/// Returns a text as it is printed.
pub fn shown(text: &str) -> String {
    let mut parts = text.split(MARKED);
    let first = visible(parts.next().unwrap_or_default());
    parts.fold(first, |shown, part| {
        let end = part.find(|sign: char| !sign.is_ascii_digit() && sign != ';').unwrap_or(part.len());
        let begin = if part[end..].starts_with('m') { STYLE.to_owned() } else { visible(STYLE) };
        shown + &begin + &visible(part)
    })
}

/// Returns JSON with escapes for the characters that control a terminal or hide text. They can only be in strings.
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '\n' => escaped.push(letter),
            _ if is_hidden(letter) => escaped += &format!("\\u{:04x}", u32::from(letter)),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A stream of text that is made harmless, line by line.
pub struct SafeWriter<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> SafeWriter<W> {
    pub fn new(out: W) -> SafeWriter<W> {
        SafeWriter { out, line: Vec::new() }
    }

    fn print(&mut self, length: usize) -> io::Result<()> {
        let rest = self.line.split_off(length);
        let text = std::mem::replace(&mut self.line, rest);
        self.out.write_all(shown(&String::from_utf8_lossy(&text)).as_bytes())
    }
}

impl<W: Write> Write for SafeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            self.print(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.print(self.line.len())?;
        self.out.flush()
    }
}

impl<W: Write> Drop for SafeWriter<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;b\u{7}\u{9b}2J\u{202e}\u{2066}\u{1b}[31m\r\u{1b}[\u{10fffd}2J";

    #[test]
    fn only_own_styles_reach_the_terminal() {
        let printed = shown(&format!("{} {HOSTILE}", styled("x", AnsiColor::Red)));
        let safe = "a\\x1b]0;b\\x07\\x9b2J\\u{202e}\\u{2066}\\x1b[31m\\x0d\\x1b[2J";
        assert_eq!(printed, format!("\x1b[1m\x1b[31mx\x1b[0m {safe}"));
        let mut out = Vec::new();
        let mut writer = SafeWriter::new(&mut out);
        HOSTILE.bytes().for_each(|byte| writer.write_all(&[byte]).unwrap());
        drop(writer);
        assert_eq!(String::from_utf8(out).unwrap(), safe);
    }

    #[test]
    fn json_keeps_its_meaning() {
        let escaped = escape_json(&serde_json::to_string(HOSTILE).unwrap());
        assert!(!escaped.contains(is_hidden), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), HOSTILE);
    }
}
