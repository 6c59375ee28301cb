//! Reads the words and numbers of a line: the numbers, each with the meaning of the words before it, the names and the
//! faults.

use std::ops::Range;

use super::gap::Number;
use super::scan::Scan;
use crate::perft::MAX_DEPTH;
use crate::suite::LineFaultKind;
use crate::text::header::Column;
use crate::text::label::{self, Label, Phrase, is_in};
use crate::text::{is_fraction, is_minus, place, read_number, unit_behind, unquoted};

/// Signs that are always between the digits of a number. Other signs may also separate two numbers.
const SIGNS: [char; 6] = ['\'', '_', '\u{a0}', '\u{202f}', '\u{2009}', '\u{2019}'];

/// Operations of EPD with text or moves behind them.
const TEXT_OPERATIONS: &str = "am bm c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 eco id nic pm pv rc sm";

impl Scan<'_> {
    /// Reads the numbers and the names of a part of a line. Numbers without words have the meaning of their column.
    /// `is_behind_fen` is whether the part begins directly behind a FEN.
    pub fn read_part(&mut self, part: Range<usize>, column: Column, is_behind_fen: bool) {
        let (text, mut at, end) = (self.text, part.start, part.end);
        let mut phrase = Phrase::default();
        let mut is_field = is_behind_fen;
        while let Some(first) = text[at..end].chars().next() {
            let rest = &text[at..end];
            let mut length = first.len_utf8();
            if first.is_ascii_digit() {
                length = self.number(at, &part, column, phrase);
                phrase = Phrase::default();
            } else if first.is_alphabetic() || first == '_' {
                length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let word = &rest[..length];
                if is_field && let Some(operand) = self.operation(at, end, word) {
                    length = operand;
                } else if self.depth_in_word(at, word) {
                    phrase = Phrase::default();
                } else {
                    phrase.add(word);
                    length += self.name(at + length, end, phrase.label());
                }
            } else {
                match first {
                    '"' => {
                        let is_text = !self.is_quoted && phrase.label() == Label::Other;
                        let skipped = rest[1..].find('"').filter(|_| is_text);
                        length += skipped.map_or(0, |length| length + 1);
                        self.is_quoted ^= skipped.is_none();
                    }
                    '[' | '{' | '(' => self.gap.open(first, &mut phrase),
                    ']' | '}' | ')' => {
                        phrase.end(false);
                        self.gap.close(at + 1);
                    }
                    ':' | '=' | '>' => {
                        phrase.end(true);
                        self.link(at, end);
                    }
                    ',' | ';' | '|' => phrase = Phrase::default(),
                    _ if first.is_whitespace() || "'`".contains(first) => {}
                    _ => phrase.end(false),
                }
            }
            is_field = first == ';' || is_field && first.is_whitespace();
            at += length;
        }
    }

    /// Reads a number. Returns its length, with its unit.
    fn number(&mut self, at: usize, part: &Range<usize>, column: Column, phrase: Phrase) -> usize {
        let (before, rest) = (&self.text[part.start..at], &self.text[at..part.end]);
        let signs: Vec<char> = SIGNS.into_iter().chain(self.spelling.sign).collect();
        let number = read_number(rest, &signs).expect("it begins with a digit");
        let after = &rest[number.length..];
        let unit = if number.unit.is_empty() { unit_behind(after) } else { number.unit };
        let length = place(rest, unit).end.max(number.length);
        let bracket =
            self.gap.open.last_mut().map(|bracket| (std::mem::take(&mut bracket.is_perft), bracket.is_other));
        let label = match (phrase.label(), bracket) {
            (Label::None | Label::Other, Some((true, _))) => Label::Depth,
            (Label::None, Some((_, true))) => Label::Other,
            (Label::None, _) => column.0,
            (label, _) => label,
        };
        let is_odd = !number.unit.is_empty() && !label::is_unit(unit);
        let label = match label::of_name(unit).0 {
            // `2O` is no number.
            _ if is_odd || unit.is_empty() => label,
            unit if label == Label::None || unit == Label::Other => unit,
            _ => label,
        };
        let value = number.value.filter(|_| !is_odd);
        // The parts of a date or a time are counts only if the first one is.
        let is_known = |last: &Number| last.place.end + 1 == at;
        let is_part = before.ends_with([':', '.', '/', '-'])
            && before[..before.len() - 1].ends_with(|letter: char| letter.is_ascii_digit())
            && !self.numbers.last().is_some_and(is_known);
        let mut signs = before.chars().rev();
        let is_negative = signs.next().is_some_and(|sign| is_minus(sign, signs.next().unwrap_or(' ')));
        let is_fraction = number.value.is_none() && is_fraction(&rest[..number.length]);
        let is_other = matches!(label, Label::Other | Label::Name | Label::Comment);
        // Where a count is expected, a number that is none is a fault.
        let is_expected = self.numbers.last().is_some_and(|last| last.label == Label::Depth);
        if !(is_part || is_other || is_fraction && !is_expected) {
            let value = value.filter(|_| !is_negative);
            let place = at..at + if value.is_none() { length } else { number.length };
            if let (Some(depth), Label::Count) = (column.1, label) {
                self.push(Some(depth.into()), Label::Depth, place.clone());
            }
            self.push(value, label, place);
        }
        length
    }

    fn push(&mut self, value: Option<u128>, label: Label, place: Range<usize>) {
        self.numbers.push(Number { value, label, place, line: self.number });
    }

    /// Reads a depth at the end of a word: `D3`, `perft3`, `nodes_3`. Returns whether there is one.
    fn depth_in_word(&mut self, at: usize, word: &str) -> bool {
        let stem = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = &word[stem.len()..];
        let is_function = self.text[at + word.len()..].starts_with('(');
        let is_label = || matches!(label::of_name(stem), (Label::Depth | Label::Count, None));
        if digits.is_empty() || is_function || !(stem == "D" || is_label()) {
            return false;
        }
        let place = at + stem.len()..at + word.len();
        match digits.parse().ok().filter(|depth| *depth <= u128::from(MAX_DEPTH)) {
            None => self.gap.faults.push((place, LineFaultKind::BadDepth(digits.to_owned()))),
            depth => self.push(depth, Label::Depth, place),
        }
        true
    }

    /// Reads an operation of EPD that has no count. Returns its length, or `None` for any other text.
    fn operation(&mut self, at: usize, end: usize, word: &str) -> Option<usize> {
        let rest = &self.text[at..end];
        let field = &rest[..rest.find(';').unwrap_or(rest.len())];
        let operand = field[word.len()..].trim();
        let operand_at = at + word.len() + field[word.len()..].len() - field[word.len()..].trim_start().len();
        let has_digit = operand.contains(|letter: char| letter.is_ascii_digit());
        let letters = word.strip_prefix('D').filter(|letters| (1..=2).contains(&letters.len()));
        if is_in(TEXT_OPERATIONS, word)
            && operand_at > at + word.len()
            && !operand.starts_with(['(', '=', ':', '['])
        {
            let quoted =
                rest[operand_at - at..].strip_prefix('"').and_then(|text| Some((text, text.find('"')?)));
            let (text, length) = quoted
                .map_or((operand, field.len()), |(text, end)| (&text[..end], operand_at - at + end + 2));
            let label = match word {
                "id" => Label::Name,
                "c0" => Label::Comment,
                _ => Label::Other,
            };
            self.gap.names.push((label, unquoted(text), at));
            return Some(length);
        }
        if word.strip_prefix(['D', 'd']).is_some_and(|digits| digits.parse::<u128>().is_ok()) && !has_digit {
            // A sign such as `?` stands for an unknown count.
            if operand.is_empty() || operand.contains(char::is_alphanumeric) {
                let place = operand_at..operand_at + operand.len();
                self.gap.faults.push((place, LineFaultKind::BadCount(operand.to_owned())));
            }
            return Some(field.len());
        }
        // `Dx 401` is meant as a depth.
        let letters = letters.filter(|letters| has_digit && letters.chars().all(char::is_alphabetic))?;
        self.gap.faults.push((at + 1..at + word.len(), LineFaultKind::BadDepth(letters.to_owned())));
        Some(word.len())
    }

    /// Reads the text of a name or a comment behind its label: `name: "Kiwipete"`. Returns its length.
    fn name(&mut self, at: usize, end: usize, label: Label) -> usize {
        let rest = &self.text[at..end];
        let link = rest.trim_start_matches(['"', '\'', ' ']).strip_prefix([':', '=']);
        let Some(operand) =
            link.filter(|_| matches!(label, Label::Name | Label::Comment)).map(str::trim_start)
        else {
            return 0;
        };
        let quote = operand.chars().next().filter(|sign| "\"'`".contains(*sign));
        let length = match quote {
            Some(sign) => operand[1..].find(sign).map_or(0, |length| length + 2),
            None => operand.find([',', ';', '|', '}', '(', '[', '{']).unwrap_or(operand.len()),
        };
        let is_code = operand[length..].starts_with(['(', '[', '{']);
        let name = unquoted(&operand[..length]);
        if name.is_empty() || is_code {
            return 0;
        }
        self.gap.names.push((label, name, at));
        // The quotes before the link and around the name are skipped together.
        self.is_quoted = false;
        rest.len() - operand.len() + length
    }

    /// A sign such as `:` between two numbers: the first one is a depth.
    fn link(&mut self, at: usize, end: usize) {
        let text = self.text;
        let after = text[at + 1..end].trim_start_matches(['>', ' ', '"', '\'', '\t']);
        if let Some(last) = self.numbers.last_mut()
            && [Label::None, Label::Count].contains(&last.label)
            && after.starts_with(|letter: char| letter.is_ascii_digit())
            && text[last.place.end..at].chars().all(|sign| " \"'\t-=".contains(sign))
            && last.value.is_some_and(|value| value <= MAX_DEPTH.into())
        {
            last.label = Label::Depth;
        }
    }
}
