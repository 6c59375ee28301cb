//! Texts whose lines are not their rows: JSON, numbered lines, a move above its count, wrapped lines, and several positions.

use perft_core::Position;
use perft_core::internals::find_fen;

use super::line::{Spelling, parts};
use super::notation::coordinate_move;
use super::table::Line;

/// Returns the lines of a text such that each row is one line.
pub(super) fn layout(lines: &[String]) -> Vec<String> {
    let lines = json_objects(lines).or_else(|| without_line_numbers(lines)).unwrap_or_else(|| lines.to_vec());
    joined_pairs(&lines).unwrap_or_else(|| joined_wraps(lines))
}

/// Returns the lines that are not below the FEN of another position, if some rows are below the FEN of this one.
pub(super) fn about(mut lines: Vec<Line>, asked: &Position) -> Vec<Line> {
    let (mut is_about, mut has_rows) = (None, false);
    let mut flags = Vec::new();
    for line in &lines {
        is_about = stated(line).map(|stated| stated == *asked).or(is_about);
        has_rows |= is_about == Some(true) && line.rows().next().is_some();
        flags.push(is_about != Some(false));
    }
    let mut flags = flags.into_iter();
    lines.retain(|_| flags.next() == Some(true) || !has_rows);
    lines
}

fn is_move(word: &str) -> bool {
    coordinate_move(word, ' ').is_some_and(|(length, _)| length == word.len())
}

/// Returns the position of a line without rows and without moves.
fn stated(line: &Line) -> Option<Position> {
    let found = find_fen(&line.text).filter(|_| line.rows().next().is_none())?;
    let has_moves = line.text[found.end..].trim_start().starts_with("moves");
    match found.text(&line.text, 2) {
        _ if has_moves => None,
        "startpos" => Some(Position::start()),
        fen => Position::from_fen(fen).ok(),
    }
}

/// Puts a count behind its move, where a line that begins with a move ends with another one, and the next with its count.
fn joined_wraps(lines: Vec<String>) -> Vec<String> {
    let is_open = |line: &str| {
        let mut words = line.split_whitespace().map(|word| word.trim_end_matches([':', '=']));
        words.next().is_some_and(is_move) && words.next_back().is_some_and(is_move)
    };
    let mut joined: Vec<String> = Vec::new();
    for line in lines {
        let last = joined.last_mut().filter(|last| is_open(last));
        let (count, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match last.filter(|_| count.starts_with(|first: char| first.is_ascii_digit())) {
            Some(last) => {
                *last += &format!(" {count}");
                joined.push(rest.to_owned());
            }
            None => joined.push(line),
        }
    }
    joined
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
    let is_number = |value: &String| !value.is_empty() && value.bytes().all(|digit| digit.is_ascii_digit());
    let Some(moves) = texts.iter().position(|text| values(text).iter().all(|value| is_move(value))) else {
        return texts;
    };
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

/// Returns the lines of a text in which each move stands on a line above its count.
fn joined_pairs(lines: &[String]) -> Option<Vec<String>> {
    let kind = |line: &&String| {
        let parts = parts(line, Spelling::default());
        // `Kf3` in `"uci": "e2f3", "san": "Kf3"` has no number.
        let has_number = parts.iter().flat_map(|part| part.numbers()).any(|number| !number.is_glued);
        (parts.iter().any(|part| part.played.is_some()), has_number)
    };
    let lines: Vec<&String> = lines.iter().filter(|line| !line.trim().is_empty()).collect();
    let kinds: Vec<(bool, bool)> = lines.iter().map(kind).collect();
    // Words may stand between them.
    let full: Vec<(bool, bool)> = kinds.iter().copied().filter(|kind| *kind != (false, false)).collect();
    let moves = full.iter().filter(|(has_move, _)| *has_move).count();
    let pairs = full.windows(2).filter(|two| *two == [(true, false), (false, true)]).count();
    if pairs < 2 || pairs < moves {
        return None;
    }
    let (mut joined, mut is_open) = (Vec::<String>::new(), false);
    for (line, (has_move, has_number)) in lines.into_iter().zip(kinds) {
        match joined.last_mut().filter(|_| is_open) {
            Some(last) => *last += &format!(" {line}"),
            None => joined.push(line.clone()),
        }
        is_open = (is_open || has_move) && !has_number;
    }
    Some(joined)
}
