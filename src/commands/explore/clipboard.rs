//! Copies text to the clipboard through the terminal, which may run on another machine.
//!
//! The escape sequence is OSC 52 of xterm.

/// Returns the escape sequence that puts a text into the clipboard. Terminals without this feature ignore it.
pub fn copy_sequence(text: &str) -> String {
    format!("\x1b]52;c;{}\x07", base64(text.as_bytes()))
}

/// Encodes bytes as Base64 with padding (RFC 4648): three bytes become four letters.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            (0..3).fold(0, |word, index| word << 8 | u32::from(chunk.get(index).copied().unwrap_or(0)));
        for letter in 0..4 {
            let index = (word >> (18 - 6 * letter)) as usize % 64;
            text.push(if letter <= chunk.len() { char::from(LETTERS[index]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_the_examples_of_the_rfc() {
        for (text, encoded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
        assert_eq!(copy_sequence("foo"), "\x1b]52;c;Zm9v\x07");
    }
}
