//! Texts whose lines are not their rows: JSON, numbered lines, and a move above its count.

use super::line::{Spelling, parts};
use super::notation::coordinate_move;

/// Returns the lines of a text such that each row is one line.
pub(super) fn layout(lines: &[String]) -> Vec<String> {
    let lines = json_objects(lines).or_else(|| without_line_numbers(lines)).unwrap_or_else(|| lines.to_vec());
    joined_pairs(&lines).unwrap_or(lines)
}

/// Returns the innermost objects of a text that is JSON, each as a line.
fn json_objects(lines: &[String]) -> Option<Vec<String>> {
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let inside = |sign| text.strip_prefix(sign).map(str::trim_start);
    let is_object = inside('{').is_some_and(|inside| inside.starts_with('"'));
    let is_list = inside('[').is_some_and(|inside| inside.starts_with(['{', '[', '"']));
    let is_json = (is_object || is_list) && text.ends_with(['}', ']']);
    is_json.then(|| joined_lists(text.split(['{', '}', '[', ']']).map(str::to_owned).collect()))
}

/// Joins a list of moves and the lists of numbers behind it, one number for each move. The name of a list stands in the
/// text before it.
fn joined_lists(mut texts: Vec<String>) -> Vec<String> {
    let values = |text: &str| -> Vec<String> {
        text.split(',').map(|value| value.trim_matches([' ', '"']).to_owned()).collect()
    };
    let is_move =
        |value: &String| coordinate_move(value, ' ').is_some_and(|(length, _)| length == value.len());
    let is_number = |value: &String| !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    let Some(moves) = texts.iter().position(|text| values(text).iter().all(is_move)) else { return texts };
    let mut rows = values(&texts[moves]);
    for at in moves + 1..texts.len() {
        let numbers = values(&texts[at]);
        if numbers.len() == rows.len() && numbers.iter().all(is_number) {
            let name = std::mem::take(&mut texts[at - 1]);
            let name = name.trim_matches(|sign: char| !sign.is_alphanumeric());
            rows.iter_mut().zip(numbers).for_each(|(row, number)| *row += &format!(" {name}: {number}"));
            texts[at].clear();
        }
    }
    texts.splice(moves..=moves, rows);
    texts
}

/// Returns the lines of a text with moves without the numbers that count them.
fn without_line_numbers(lines: &[String]) -> Option<Vec<String>> {
    let numbered = |line: &String| {
        let line = line.trim_start();
        let digits = line.find(|letter: char| !letter.is_ascii_digit())?;
        Some((
            line[..digits].parse::<usize>().ok()?,
            line[digits..].trim_start_matches(['.', ':', ')']).to_owned(),
        ))
    };
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let (numbers, texts): (Vec<usize>, Vec<String>) =
        full.map(numbered).collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let has_move = |text: &&String| coordinate_move(text.trim_start(), ' ').is_some();
    let is_list = 2 * texts.iter().filter(has_move).count() > texts.len();
    (is_list && numbers.windows(2).all(|two| two[0] + 1 == two[1])).then_some(texts)
}

/// Returns the lines of a text in which each move stands on the line above its count.
fn joined_pairs(lines: &[String]) -> Option<Vec<String>> {
    let lines: Vec<&String> = lines.iter().filter(|line| !line.trim().is_empty()).collect();
    let has = |line: &str, played: bool| {
        let parts = parts(line, Spelling::default());
        let has_number = parts.iter().any(|part| part.numbers().next().is_some());
        parts.iter().any(|part| part.played.is_some()) == played && has_number != played
    };
    let kinds: Vec<[bool; 2]> = lines.iter().map(|line| [has(line, true), has(line, false)]).collect();
    let is_pair = |at: usize| kinds[at][0] && kinds.get(at + 1).is_some_and(|next| next[1]);
    let moves = kinds.iter().filter(|[is_move, _]| *is_move).count();
    let pairs = (0..lines.len()).filter(|&at| is_pair(at)).count();
    let is_behind = |at: usize| at > 0 && is_pair(at - 1);
    (pairs > 1 && pairs == moves).then(|| {
        let starts = (0..lines.len()).filter(|&at| !is_behind(at));
        starts
            .map(
                |at| if is_pair(at) { format!("{} {}", lines[at], lines[at + 1]) } else { lines[at].clone() },
            )
            .collect()
    })
}
