//! Lists in JSON: objects with a FEN and counts, in arrays and objects of any depth, or one on each line.

use serde_json::{Deserializer, Map, Value};

use super::lines::List;
use super::numbers::{Label, Numbers};
use super::record::Record;
use crate::text::find_fen;

/// Reads a text that is JSON. Returns `None` if it is not.
pub fn read(text: &str) -> Option<List> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if !text.starts_with(['[', '{']) {
        return None;
    }
    let values: Vec<Value> = Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()?;
    let mut json = Json { text, at: 0, line: 1, list: List::default() };
    values.iter().for_each(|value| json.value(value));
    Some(json.list)
}

struct Json<'a> {
    text: &'a str,
    /// The place of the last FEN, and its line.
    at: usize,
    line: usize,
    list: List,
}

impl Json<'_> {
    /// Reads a value that may have positions anywhere.
    fn value(&mut self, value: &Value) {
        match value {
            Value::Array(values) => match values.split_first() {
                Some((Value::String(fen), counts)) if find_fen(fen).is_some() => {
                    self.record(fen, |record| {
                        counts.iter().for_each(|count| unlabelled(&mut record.numbers, count));
                    });
                }
                _ => values.iter().for_each(|value| self.value(value)),
            },
            Value::Object(fields) => self.object(fields),
            _ => {}
        }
    }

    fn object(&mut self, fields: &Map<String, Value>) {
        let fen = fields.iter().find_map(|(name, value)| {
            value.as_str().filter(|text| find_fen(text).is_some()).map(|fen| (name, fen))
        });
        if let Some((key, fen)) = fen {
            return self.record(fen, |record| read_object(record, fields, key));
        }
        for (name, value) in fields {
            if find_fen(name).is_some() {
                self.record(name, |record| list(&mut record.numbers, Label::Count, value));
            } else {
                self.value(value);
            }
        }
    }

    /// Adds a position with the numbers that a function reads.
    fn record(&mut self, fen: &str, read: impl FnOnce(&mut Record)) {
        // The fields of an object are sorted, so a FEN can be above the last one. FENs with escapes are not found.
        let later = self.text[self.at..].find(fen).map(|place| self.at + place);
        if let Some(place) = later.or_else(|| self.text.find(fen)) {
            let (from, line) = if later.is_some() { (self.at, self.line) } else { (0, 1) };
            self.line = line + self.text[from..place].matches('\n').count();
            self.at = place;
        }
        let Some(found) = find_fen(fen) else { return };
        self.list.position(fen, &found, self.line, |record| {
            read(record);
            // The faults have places in other texts.
            record.numbers.faults.iter_mut().for_each(|(span, _)| *span = 0..fen.len());
        });
    }
}

/// Reads the other fields of an object with a FEN.
fn read_object(record: &mut Record, fields: &Map<String, Value>, fen: &str) {
    let others = || fields.iter().filter(|(name, _)| *name != fen);
    for (name, value) in others() {
        let (label, text) = (Label::parse(name), value.as_str().unwrap_or_default());
        match label {
            Label::Name if !text.is_empty() => record.case.id = Some(text.to_owned()),
            Label::Comment if !text.is_empty() => record.case.comment = Some(text.to_owned()),
            Label::Other | Label::Name | Label::Comment => {}
            _ => list(&mut record.numbers, label, value),
        }
    }
    if record.numbers.is_empty() {
        others()
            .filter(|(name, value)| {
                Label::parse(name) == Label::Other && (value.is_array() || value.is_object())
            })
            .for_each(|(_, value)| list(&mut record.numbers, Label::Count, value));
    }
}

/// Reads the counts in a value with this label.
fn list(numbers: &mut Numbers, label: Label, value: &Value) {
    match value {
        Value::Number(number) => list(numbers, label, &Value::String(number.to_string())),
        Value::String(text) => numbers.add_labelled(label, text, text),
        Value::Array(values) => {
            for value in values {
                match value {
                    Value::Array(pair) if pair.len() == 2 => {
                        list(numbers, Label::Depth, &pair[0]);
                        list(numbers, Label::Count, &pair[1]);
                    }
                    _ => unlabelled(numbers, value),
                }
            }
        }
        Value::Object(fields) => {
            if let Label::CountAt(depth) = label {
                list(numbers, Label::Depth, &depth.into());
            }
            for (name, value) in fields {
                let label = Label::parse(name);
                if !matches!(label, Label::Other | Label::Name | Label::Comment) {
                    list(numbers, label, value);
                }
            }
            numbers.end_record();
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Reads the numbers in a value without a label.
fn unlabelled(numbers: &mut Numbers, value: &Value) {
    if value.is_array() || value.is_object() {
        return list(numbers, Label::Count, value);
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    numbers.read_field(&text, &text);
}
