//! `perft explain`: says whether a move is legal in a position, and why.

use std::io::{self, Write};

use clap::Args;
use perft_diagnosis::{Drawing, explain_path, explanations};
use serde::Serialize;

use crate::input::{Typed, game};
use crate::output::marks::write_board;
use crate::output::{CliError, Context, Header, JsonArgs, PositionInfo, Report, emit, environment, folded};
use crate::system::command_line::arguments;

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// Position (a name or a FEN), moves to play first, and the move to explain, in UCI or standard algebraic notation
    #[arg(value_names = ["POSITION", "MOVE"], num_args = 0..)]
    words: Vec<String>,
    #[command(flatten)]
    output: JsonArgs,
}

/// Why a move is legal or not.
#[derive(Debug, Serialize)]
struct ExplainReport {
    #[serde(flatten)]
    header: Header,
    position: PositionInfo,
    /// The move as it was typed.
    r#move: String,
    legal: bool,
    /// The rules that decide. A move in algebraic notation may be one of several pieces.
    reasons: Vec<Reason>,
    /// What the moves before it changed: castling rights, and the en passant square.
    before: Vec<String>,
    #[serde(skip)]
    drawing: Drawing,
}

#[derive(Debug, Serialize)]
struct Reason {
    theme: &'static str,
    text: String,
}

pub fn run(args: ExplainArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let mut typed = Typed::of(&args.words);
    // No depth belongs here.
    typed.others.append(&mut typed.depths);
    let Some(text) = typed.others.pop_if(|_| !typed.positions.is_empty()).or_else(|| typed.moves.pop())
    else {
        let example = [arguments(), vec!["e2e4".to_owned()]].concat();
        return Err(CliError::usage("no move was given").suggest("add one, as in", &example));
    };
    if !typed.positions.is_empty() {
        typed.refuse_others(context)?;
    }
    let start = typed.positions.first().or(typed.others.first()).map_or("start", String::as_str);
    let path = game::path(start, &typed.moves, context)?;
    let found = explanations(&path.end, &text);
    let report = ExplainReport {
        header: environment::header(),
        position: PositionInfo::new(&path.end, path.end.castling_notation()),
        r#move: text,
        legal: found.iter().any(|explained| explained.why.is_legal),
        drawing: Drawing::of_moves(&path.end, &found),
        reasons: found
            .into_iter()
            .map(|explained| Reason { theme: explained.why.theme.name(), text: explained.why.text })
            .collect(),
        before: explain_path(&path.root, &path.moves),
    };
    Ok(emit(&report, args.output.format(), out)?)
}

impl Report for ExplainReport {
    const NAME: &'static str = "explain";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        write_board(&self.drawing, out)?;
        let reasons = self.reasons.iter().map(|reason| &reason.text);
        reasons.chain(&self.before).try_for_each(|text| writeln!(out, "{}", folded(text, 0)))
    }
}
