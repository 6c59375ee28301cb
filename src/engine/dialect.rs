//! Named ways to ask a program: the table that `--dialect` chooses from, and that `perft probe` tries from top to
//! bottom. The table is the file `dialects.txt`, which describes its columns.
//!
//! A search of a UCI engine with as many variations as there are moves lists the moves of a position.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::ask_method::{AskMethod, Handshake, Launch};

/// A named way to ask a program for a perft: the index of a row of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect(usize);

struct Row {
    name: &'static str,
    about: &'static str,
    asking: AskMethod,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    include_str!("dialects.txt").lines().filter(|line| !line.starts_with('#')).map(Row::read).collect()
});

impl Row {
    fn read(line: &'static str) -> Row {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [kind, name, asked, about] = columns[..] else { panic!("{line} has another number of columns") };
        let parts = |separator| asked.split(separator).map(str::to_owned).collect();
        let uci = AskMethod { lines: parts("; "), ..AskMethod::default() };
        let console = AskMethod { handshake: Handshake::None, ..uci.clone() };
        let asking = match kind {
            "uci" => uci,
            "cecp" => AskMethod { handshake: Handshake::Cecp, ..uci },
            "console" => console,
            "buffered" => AskMethod { launch: Launch::Each, ..console },
            "arguments" => AskMethod { arguments: parts(" "), ..AskMethod::without_words() },
            "search" => AskMethod { is_search: true, ..uci },
            _ => panic!("{kind} is not a kind of dialects"),
        };
        Row { name, about, asking }
    }
}

impl Dialect {
    /// The dialect of Stockfish, and the default.
    pub const UCI: Dialect = Dialect(0);

    /// Returns all dialects, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Dialect> {
        (0..ROWS.len()).map(Dialect)
    }

    pub fn name(self) -> &'static str {
        ROWS[self.0].name
    }

    /// Returns a short description for `--help`.
    pub fn about(self) -> &'static str {
        ROWS[self.0].about
    }

    pub fn asking(self) -> &'static AskMethod {
        &ROWS[self.0].asking
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<Dialect, String> {
        let found = Dialect::all().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| format!("'{text}' is not a dialect; \"perft list engines\" lists them"))
    }
}

/// The UCI option for the number of variations.
pub(super) const OPTION: &str = "MultiPV";

/// A number that is larger than the number of moves in any position.
pub(super) const MOST: &str = "256";

/// Returns the first moves of the variations in the output of a search, in the format of Stockfish's perft.
pub(super) fn moves(search: &[String]) -> Vec<String> {
    let mut moves: Vec<&str> = Vec::new();
    for line in search.iter().filter(|line| line.starts_with("info ")) {
        let first = line.split_whitespace().skip_while(|&word| word != "pv").nth(1);
        moves.extend(first.filter(|first| !moves.contains(first)));
    }
    let total = format!("Nodes searched: {}", moves.len());
    moves.into_iter().map(|played| format!("{played}: 1")).chain([total]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ask_method::{is_template, unknown_placeholder};

    #[test]
    fn names_are_unique_and_templates_are_complete() {
        let names: Vec<&str> = Dialect::all().map(Dialect::name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name}");
            assert_eq!(name.parse::<Dialect>().unwrap().name(), *name);
        }
        for dialect in Dialect::all() {
            let asking = dialect.asking();
            let all = asking.lines.iter().chain(&asking.arguments);
            let text: String = all.map(|text| format!("{text} ")).collect();
            assert!(is_template(&text) && unknown_placeholder(&text).is_none(), "{dialect}");
            assert!(
                text.contains("{fen") && (text.contains("{depth}") || text.contains("depth 1")),
                "{dialect}"
            );
        }
        assert!("stockfish".parse::<Dialect>().is_err());
    }
}
