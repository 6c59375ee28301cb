//! Reads lines of text from untrusted sources.
//!
//! The length of a line is limited, so that an endless line cannot fill the memory. Control characters become visible
//! as soon as a line is read, so no message can send them to a terminal.

use std::io::{self, BufRead, ErrorKind, Read};

/// The largest length of a line, in bytes. The longest lines of UCI, FEN and EPD are much shorter.
pub const MAX_LINE: usize = 1 << 16;

/// Reads a line, with its line break if it has one. Returns `None` at the end of the input.
///
/// # Examples
/// ```
/// use perft_diagnosis::lines::{MAX_LINE, read_line};
///
/// let mut input = "uci\nquit".as_bytes();
/// assert_eq!(read_line(&mut input)?.as_deref(), Some(&b"uci\n"[..]));
/// assert_eq!(read_line(&mut input)?.as_deref(), Some(&b"quit"[..]));
/// assert_eq!(read_line(&mut input)?, None);
///
/// let endless = std::io::repeat(b'x');
/// let error = read_line(&mut std::io::BufReader::new(endless)).unwrap_err();
/// assert_eq!(error.to_string(), format!("a line of more than {MAX_LINE} bytes"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns an error if the input cannot be read, or if the line has more than [`MAX_LINE`] bytes. In the second case,
/// the kind of the error is [`InvalidData`](ErrorKind::InvalidData).
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if line.len() > MAX_LINE {
        let message = format!("a line of more than {MAX_LINE} bytes");
        return Err(io::Error::new(ErrorKind::InvalidData, message));
    }
    Ok((!line.is_empty()).then_some(line))
}

/// Returns a line as [`visible`] text, without its byte order mark and its line break. Bytes that are not UTF-8 become
/// replacement characters.
///
/// # Examples
/// ```
/// assert_eq!(perft_diagnosis::lines::to_text(b"quit\r\n"), "quit");
/// ```
pub fn to_text(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    visible(text.trim_start_matches('\u{feff}').trim_end_matches(['\n', '\r']))
}

/// Returns a text with escapes in place of the characters that can control a terminal or hide text: control characters
/// except line breaks and tabs, marks of the writing direction, and characters that XML does not allow.
///
/// # Examples
/// ```
/// use perft_diagnosis::lines::visible;
///
/// assert_eq!(visible("\u{1b}[2J and \u{202e}"), "\\x1b[2J and \\u{202e}");
/// assert_eq!(visible("a\tline\n"), "a\tline\n");
/// ```
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => shown.push(letter),
            _ if letter.is_control() => shown += &format!("\\x{:02x}", u32::from(letter)),
            _ if is_hidden(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// Whether a character can control a terminal or hide text.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(letter, '\u{feff}' | '\u{fffe}'..='\u{ffff}')
}
