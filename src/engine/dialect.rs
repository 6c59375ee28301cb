//! Named ways to ask a program: the table that `--dialect` chooses from, and that `perft probe` tries from top to
//! bottom.

use std::fmt;
use std::str::FromStr;

use super::ask_method::{Answers, AskMethod, Handshake, Launch, POSITION};

/// A named way to ask a program for a perft.
#[derive(Clone, Copy)]
pub struct Dialect(&'static Row);

struct Row {
    name: &'static str,
    about: &'static str,
    handshake: Handshake,
    lines: &'static [&'static str],
    arguments: &'static [&'static str],
    launch: Launch,
    answers: Answers,
}

const fn uci(name: &'static str, lines: &'static [&'static str], about: &'static str) -> Row {
    Row {
        name,
        about,
        handshake: Handshake::Uci,
        lines,
        arguments: &[],
        launch: Launch::Once,
        answers: Answers::Counts,
    }
}

const fn cecp(name: &'static str, lines: &'static [&'static str], about: &'static str) -> Row {
    Row { handshake: Handshake::Cecp, ..uci(name, lines, about) }
}

const fn console(name: &'static str, lines: &'static [&'static str], about: &'static str) -> Row {
    Row { handshake: Handshake::None, ..uci(name, lines, about) }
}

/// Returns a dialect for a program that prints its answer only when it ends, because its output is buffered.
const fn buffered(name: &'static str, lines: &'static [&'static str], about: &'static str) -> Row {
    Row { launch: Launch::Each, ..console(name, lines, about) }
}

const fn arguments(name: &'static str, arguments: &'static [&'static str], about: &'static str) -> Row {
    Row { arguments, launch: Launch::Each, ..console(name, &[], about) }
}

/// Dialects in which programs list moves come before dialects in which they may print only totals.
static ROWS: &[Row] = &[
    uci(
        "uci",
        &[POSITION, "go perft {depth}"],
        "a UCI engine with the command go perft N, such as Stockfish",
    ),
    uci("uci-go-divide", &[POSITION, "go perft divide {depth}"], "a UCI engine with go perft divide N"),
    uci("uci-go-split", &[POSITION, "go split {depth}"], "a UCI engine with go split N"),
    uci("uci-go-perftdiv", &[POSITION, "go perftdiv {depth}"], "a UCI engine with go perftdiv N"),
    uci("uci-divide", &[POSITION, "divide {depth}"], "a UCI engine with the command divide N"),
    uci("uci-perftdiv", &[POSITION, "perftdiv {depth}"], "a UCI engine with perftdiv N"),
    uci("uci-d-perftdiv", &[POSITION, "d perftdiv {depth}"], "a UCI engine with d perftdiv N"),
    uci("uci-splitperft", &[POSITION, "splitperft {depth}"], "a UCI engine with splitperft N"),
    uci("uci-perftsplit", &[POSITION, "perftsplit {depth}"], "a UCI engine with perftsplit N"),
    uci("uci-dperft", &[POSITION, "dperft {depth}"], "a UCI engine with dperft N"),
    uci("uci-perft-divide", &[POSITION, "perft divide {depth}"], "a UCI engine with perft divide N"),
    uci("uci-perft-split", &[POSITION, "perft split {depth}"], "a UCI engine with perft split N"),
    uci("uci-divide-perft", &[POSITION, "divide perft {depth}"], "a UCI engine with divide perft N"),
    uci("uci-perft", &[POSITION, "perft {depth}"], "a UCI engine with the command perft N"),
    uci("uci-perft-div", &[POSITION, "perft {depth} div"], "a UCI engine with perft N div"),
    uci("uci-perft-depth", &[POSITION, "perft depth {depth}"], "a UCI engine with perft depth N"),
    uci("uci-simpleperft", &[POSITION, "simpleperft {depth}"], "a UCI engine with simpleperft N"),
    uci("uci-test-perft", &[POSITION, "test perft {depth}"], "a UCI engine with test perft N"),
    uci(
        "uci-dperft-fen",
        &["dperft {depth} fen {fen} moves {moves}"],
        "a UCI engine with dperft N fen FEN moves M...",
    ),
    uci("uci-perft-fen", &["perft {depth} {fen_after}"], "a UCI engine with perft N FEN; it plays no moves"),
    uci(
        "uci-fen-dperft",
        &["fen {fen_after}", "dperft {depth}"],
        "a UCI engine with fen FEN and dperft N; it plays no moves",
    ),
    Row {
        answers: Answers::CountsToTotal,
        ..console(
            "lines",
            &["{depth} {fen} moves {moves}"],
            "a program that reads one question a line: DEPTH FEN [moves MOVES]; see the adapters",
        )
    },
    cecp(
        "cecp-divide",
        &["setboard {fen_after}", "force", "divide {depth}"],
        "an XBoard engine with divide N; it plays no moves",
    ),
    cecp(
        "cecp-perft",
        &["setboard {fen_after}", "force", "perft {depth}"],
        "an XBoard engine with perft N; it plays no moves",
    ),
    cecp(
        "cecp-perft-root",
        &["setboard {fen_after}", "force", "perft {depth} 1"],
        "an XBoard engine with perft N ROOT; it plays no moves",
    ),
    cecp(
        "cecp-sd-divide",
        &["setboard {fen_after}", "force", "sd {depth}", "divide"],
        "an XBoard engine with sd N and divide; it plays no moves",
    ),
    cecp(
        "cecp-sd-perft",
        &["setboard {fen_after}", "force", "sd {depth}", "perft"],
        "an XBoard engine with sd N and perft; it plays no moves",
    ),
    console(
        "dperft-fen",
        &["dperft {depth} fen {fen_after}"],
        "a console with dperft N fen FEN; it plays no moves",
    ),
    console(
        "fen-dperft",
        &["fen {fen_after}", "dperft {depth}"],
        "a console with fen FEN and dperft N; it plays no moves",
    ),
    console(
        "fen-divide",
        &["fen {fen_after}", "divide {depth}"],
        "a console with fen FEN and divide N; it plays no moves",
    ),
    console(
        "position-divide",
        &[POSITION, "divide {depth}"],
        "a console with position fen FEN and divide N, without uci",
    ),
    console(
        "position-perft",
        &[POSITION, "perft {depth}"],
        "a console with position fen FEN and perft N, without uci",
    ),
    console(
        "position-perft-div",
        &[POSITION, "perft {depth} div"],
        "a console with position fen FEN and perft N div, without uci",
    ),
    console(
        "position-simpleperft",
        &[POSITION, "simpleperft {depth}"],
        "a console with position fen FEN and simpleperft N, without uci",
    ),
    console(
        "setboard-divide",
        &["force", "setboard {fen_after}", "force", "divide {depth}"],
        "a console with setboard FEN and divide N; it plays no moves",
    ),
    console(
        "setboard-perft",
        &["force", "setboard {fen_after}", "force", "perft {depth}"],
        "a console with setboard FEN and perft N; it plays no moves",
    ),
    console(
        "pos-divide",
        &["pos {fen_after}", "divide {depth}"],
        "a console with pos FEN and divide N; it plays no moves",
    ),
    console(
        "pos-perft",
        &["pos {fen_after}", "perft {depth}"],
        "a console with pos FEN and perft N; it plays no moves",
    ),
    console("perft-fen", &["perft {depth} {fen_after}"], "a console with perft N FEN; it plays no moves"),
    console(
        "fen-perft",
        &["fen {fen_after}", "perft {depth}"],
        "a console with fen FEN and perft N; it plays no moves",
    ),
    buffered(
        "quit-divide",
        &["force", "setboard {fen_after}", "force", "divide {depth}", "quit"],
        "a console that is started for each question and gets setboard FEN, divide N, quit",
    ),
    buffered(
        "quit-perft",
        &["force", "setboard {fen_after}", "force", "perft {depth}", "quit"],
        "a console that is started for each question and gets setboard FEN, perft N, quit",
    ),
    arguments(
        "perftree",
        &["{depth}", "{fen}", "{moves}"],
        "a command that is run as CMD DEPTH FEN [MOVES], as for perftree",
    ),
    arguments("qperft", &["{depth}", "-2", "{fen}"], "qperft, run as CMD DEPTH -2 FEN; it plays no moves"),
    arguments(
        "args-perft-tree",
        &["-perft-tree", "{depth}", "{fen}", "{moves}"],
        "run as CMD -perft-tree DEPTH FEN [MOVES]",
    ),
    arguments(
        "args-depth-fen",
        &["--depth", "{depth}", "--fen", "{fen}"],
        "run as CMD --depth DEPTH --fen FEN",
    ),
    arguments(
        "args-perft-depth-fen",
        &["perft", "--depth", "{depth}", "--fen", "{fen}"],
        "run as CMD perft --depth DEPTH --fen FEN",
    ),
    arguments(
        "args-perft-type",
        &["perft", "--type", "Divide", "--depth", "{depth}", "--fen", "{fen}"],
        "run as CMD perft --type Divide --depth DEPTH --fen FEN",
    ),
    arguments(
        "args-perft-div",
        &["perft", "-d", "{depth}", "-f", "{fen}", "--div"],
        "run as CMD perft -d DEPTH -f FEN --div",
    ),
    arguments(
        "args-option-perft",
        &["--perft", "{depth}", "--fen", "{fen}"],
        "run as CMD --perft DEPTH --fen FEN",
    ),
    arguments("args-d-f", &["-d", "{depth}", "-f", "{fen}"], "run as CMD -d DEPTH -f FEN"),
    arguments("args-perft-n-div", &["perft", "{depth}", "div", "{fen}"], "run as CMD perft DEPTH div FEN"),
    arguments("args-perft-fen", &["perft", "{fen}", "{depth}"], "run as CMD perft FEN DEPTH"),
    arguments("args-perft", &["perft", "{depth}", "{fen}"], "run as CMD perft DEPTH FEN"),
    arguments("args-divide", &["divide", "{depth}", "{fen}"], "run as CMD divide DEPTH FEN"),
    arguments("args-fen", &["{fen}", "{depth}"], "run as CMD FEN DEPTH"),
    Row {
        answers: Answers::Variations,
        ..uci(
            "uci-multipv",
            &[POSITION, "go depth 1"],
            "a UCI engine without perft that has the option MultiPV: only the moves of each position are checked",
        )
    },
];

impl Dialect {
    /// The dialect of Stockfish, and the default.
    pub const UCI: Dialect = Dialect(&ROWS[0]);

    /// Returns all dialects, in the order in which they are tried.
    pub fn all() -> impl Iterator<Item = Dialect> {
        ROWS.iter().map(Dialect)
    }

    /// Returns the name that is typed on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns a short description for `--help`.
    pub const fn about(self) -> &'static str {
        self.0.about
    }

    /// Returns how a program is asked in this dialect.
    pub fn asking(self) -> AskMethod {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        AskMethod {
            handshake: self.0.handshake,
            lines: owned(self.0.lines),
            arguments: owned(self.0.arguments),
            launch: self.0.launch,
            answers: self.0.answers,
        }
    }
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect::UCI
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Dialect) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Dialect {}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a dialect; \"perft list engines\" lists them")]
pub struct ParseDialectError(pub String);

impl FromStr for Dialect {
    type Err = ParseDialectError;

    fn from_str(text: &str) -> Result<Dialect, ParseDialectError> {
        let found = Dialect::all().find(|dialect| dialect.name() == text);
        found.ok_or_else(|| ParseDialectError(text.to_owned()))
    }
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
