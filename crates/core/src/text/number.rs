//! Reads one number at the start of a text.

use super::label::is_known;

/// All signs that are written between groups of three digits, the usual ones first: `8,902`, `8.902`, `8'902`, `8_902`,
/// `8 902`.
pub const GROUPING_SIGNS: [char; 9] =
    [',', '.', '\'', '_', ' ', '\u{a0}', '\u{202f}', '\u{2009}', '\u{2019}'];

/// A number at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<'a> {
    /// Its length in bytes, with its type in a program (`400_u64`, `20L`), and without its unit.
    pub length: usize,
    /// Its value. `None` if it has a fraction or an exponent, or is too large.
    pub value: Option<u128>,
    /// The sign between its groups of three digits, if it has any.
    pub grouping: Option<char>,
    /// The letters and digits that follow directly, such as `ms` in `12ms`.
    pub unit: &'a str,
}

/// Reads the number at the start of a text. `signs` are the signs that may separate its groups of digits: without them,
/// `8,902` is the number 8. Returns `None` if the text does not start with a digit.
///
/// Digits are groups only if all of them are: `20,400,8902` starts with the number 20. A minus sign is the caller's
/// business.
pub fn read_number<'a>(text: &'a str, signs: &[char]) -> Option<Number<'a>> {
    let mut length = digits(text);
    if length == 0 {
        return None;
    }
    let grouping = text[length..].chars().next().filter(|sign| signs.contains(sign));
    let grouped = grouping.and_then(|sign| grouped_length(text, length, sign));
    length = grouped.unwrap_or(length);
    let mut plain = text[..length].bytes().filter(u8::is_ascii_digit);
    let value =
        plain.try_fold(0_u128, |value, digit| value.checked_mul(10)?.checked_add(u128::from(digit - b'0')));
    let fraction = text[length..].strip_prefix('.').map_or(0, digits);
    if fraction > 0 {
        length += 1 + fraction;
    }
    let after = &text[length..];
    let after = &after[..after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len())];
    let is_exponent =
        after.starts_with(['e', 'E']) && digits(text[length + 1..].trim_start_matches(['+', '-'])) > 0;
    let (length, unit) = if is_type(after) { (length + after.len(), "") } else { (length, after) };
    let value = value.filter(|_| fraction == 0 && !is_exponent);
    Some(Number { length, value, grouping: grouping.filter(|_| grouped.is_some()), unit })
}

/// Whether a sign directly before digits makes the number negative. In a date, and behind a move, it is a dash.
pub fn is_minus(sign: char, before: char) -> bool {
    "-\u{2212}\u{2013}".contains(sign) && !before.is_alphanumeric() && !"-+#!?)]}".contains(before)
}

/// Returns the word behind a number that says what it is: `20 nodes`, `5 ms`. In `perft 3 nodes 8902`, the word belongs
/// to the next number.
pub fn unit_behind(after: &str) -> &str {
    let rest = after.trim_start_matches(' ');
    let (word, rest) = rest.split_at(rest.find(|letter: char| !letter.is_alphabetic()).unwrap_or(rest.len()));
    let is_end = rest.is_empty() || rest.starts_with([',', ';', ')', ']', '}', '|', '.']);
    let is_label = rest.starts_with('(')
        || rest.trim_start().starts_with(|next: char| next.is_ascii_digit() || ":=\"".contains(next));
    let is_unit = after.starts_with(' ') && (is_end || is_known(word) && !is_label);
    if is_unit { word } else { &after[..0] }
}

/// Whether a number has a fraction, and not groups of digits: `0.125`, `12.5`.
pub fn is_fraction(number: &str) -> bool {
    let mut groups = number.split('.').skip(1).peekable();
    groups.peek().is_some() && (number.starts_with('0') || groups.any(|group| group.len() != 3))
}

/// Returns the length of a number whose first digits are followed by groups of three digits, or `None` if they are not.
fn grouped_length(text: &str, first: usize, sign: char) -> Option<usize> {
    let mut length = first;
    while let Some(group) = text[length..].strip_prefix(sign) {
        match digits(group) {
            3 => length += sign.len_utf8() + 3,
            0 => break,
            _ => return None,
        }
    }
    (length > first && first <= 3 && !text.starts_with('0')).then_some(length)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether a text is the type of a number in a program: `_u64`, `L`, `ull`.
fn is_type(text: &str) -> bool {
    let text = text.trim_start_matches('_').to_ascii_lowercase();
    let letters = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let bits = &text[letters.len()..];
    match letters {
        "u" | "i" => ["", "8", "16", "32", "64", "128"].contains(&bits),
        "l" | "ll" | "ul" | "ull" | "lu" | "llu" | "n" | "z" | "uz" | "usize" | "isize" => bits.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_with_its_groups_its_type_and_its_unit() {
        for (text, signs, length, value, unit) in [
            ("8902 nodes", ",", 4, Some(8902), ""),
            ("8,902", ",", 5, Some(8902), ""),
            ("8,902", "", 1, Some(8), ""),
            ("8.902", ".", 5, Some(8902), ""),
            ("8.902", ",", 5, None, ""),
            ("0.625", ".", 5, None, ""),
            ("4_865_609_u64", "_", 13, Some(4_865_609), ""),
            ("4\u{202f}865\u{202f}609)", "\u{202f}", 13, Some(4_865_609), ""),
            ("20,400,8902", ",", 2, Some(20), ""),
            ("20,400, 8902", ",", 6, Some(20_400), ""),
            ("1234,567", ",", 4, Some(1234), ""),
            ("20ULL,", ",", 5, Some(20), ""),
            ("12ms", ",", 2, Some(12), "ms"),
            ("2O", ",", 1, Some(2), "O"),
            ("1.5M", ",", 3, None, "M"),
            ("4e6", ",", 1, None, "e6"),
            ("4e+6", ",", 1, None, "e"),
            ("4294967295", ",", 10, Some(4_294_967_295), ""),
            ("999999999999999999999999999999999999999", ",", 39, None, ""),
        ] {
            let signs: Vec<char> = signs.chars().collect();
            let read = read_number(text, &signs).unwrap();
            assert_eq!((read.length, read.value, read.unit), (length, value, unit), "{text}");
            let plain: String = text[..length].chars().filter(char::is_ascii_digit).collect();
            assert!(read.value.is_none() || plain.starts_with(&value.unwrap().to_string()), "{text}");
        }
        assert_eq!(read_number("8'902", &GROUPING_SIGNS).unwrap().grouping, Some('\''));
        assert_eq!(read_number("-8", &GROUPING_SIGNS), None);
    }
}
