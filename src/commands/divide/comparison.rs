//! The report of `perft divide --against`: how the divide of another program differs from ours, and its text.

use std::io::{self, Write};

use anstyle::AnsiColor;
use perft_core::{CastlingNotation, Move, StopSignal};
use perft_diagnosis::source::TextFacts;
use perft_diagnosis::{
    DivideDifference, Drawing, Model, Told, Verdict, WrongCount, WrongMove, causes_of, wrong_moves,
};
use serde::Serialize;

use crate::input::Game;
use crate::output::marks::write_board;
use crate::output::table::unbroken;
use crate::output::{
    Digits, Nodes, PositionInfo, Provenance, Report, Table, agreeing, folded, grouped, number_of, styled,
};
use crate::report::engine::{EngineInfo, write_by_hand, write_causes, write_line};

/// The largest count that is made to find out whether an answer is that of another depth.
const MAX_NODES_OF_DEPTH: u128 = 100_000_000;

/// Where the divide of another program comes from.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Answered {
    /// The engine that gave it; `None` for a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInfo>,
    /// The name of the program: the engine's own name, or the origin of the text.
    #[serde(skip)]
    pub name: String,
    /// The lines that a user types to ask the engine by hand.
    #[serde(skip)]
    pub by_hand: Vec<String>,
    /// A move with a wrong count, and the engine's answer about the position after it, given as a FEN.
    #[serde(skip)]
    pub after_wrong: Option<(Move, Told)>,
}

/// How the divide of another program differs from ours.
#[derive(Clone, Debug, Serialize)]
pub struct DivideComparison {
    /// How our divide was counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    #[serde(flatten)]
    pub other: Answered,
    pub position: PositionInfo,
    /// The depth in plies, including the root move.
    pub depth: u32,
    pub right: bool,
    /// Whether the other divide says which moves there are. If not, only the totals are compared.
    pub lists_moves: bool,
    /// The number of legal moves and extra moves.
    pub listed: usize,
    /// The number of legal moves that the other divide does not list although its total is right.
    pub unlisted: usize,
    #[serde(skip)]
    pub unlisted_moves: Vec<String>,
    /// Whether the other divide is a text with so few moves that it seems to be a part of a divide.
    pub is_excerpt: bool,
    /// Whether only the counts that stand in a text beside those of the other divide are wrong.
    #[serde(skip)]
    pub is_right_but_others: bool,
    /// Whether the counts are right, and the names of moves are not.
    pub is_misnamed: bool,
    /// The depth whose counts the other divide has, if it is another one.
    pub depth_of_counts: Option<u32>,
    /// What else is in the text, if the other divide is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<TextFacts>,
    /// The number of moves with the same count in both.
    pub agreeing: usize,
    /// The correct number of leaf nodes.
    pub expected: u128,
    /// The number of leaf nodes that the other divide states, or the sum over its moves.
    pub found: i128,
    /// The sum over the moves of the other divide, if that is not the total that it states.
    pub sum: Option<u128>,
    /// The moves with a wrong count, sorted as text.
    pub wrong_counts: Vec<WrongCount<String>>,
    /// The legal moves that the other divide does not have.
    pub missing: Vec<DisputedMove>,
    /// The moves of the other divide that are not legal, or that it lists twice.
    pub extra: Vec<DisputedMove>,
    /// The mistakes that give the other divide. Empty if the divide says too little. If there are several, it is not
    /// known which one was made.
    pub causes: Vec<Model>,
    /// A move with a wrong count, if the engine counts correctly after it when it gets the position as a FEN.
    pub right_as_fen: Option<String>,
    /// The lines that were not understood, if they are probably the reason for the difference.
    pub unread: Vec<String>,
    /// The board with the moves that only one of the divides has.
    #[serde(skip)]
    drawing: Drawing,
    /// The command that looks further into the difference.
    pub next: Option<String>,
    /// The time of our count in seconds.
    pub seconds: f64,
}

/// A move that only one of the divides has.
#[derive(Clone, Debug, Serialize)]
pub struct DisputedMove {
    /// The move, and why it is legal or not.
    #[serde(flatten)]
    pub disputed: WrongMove,
    /// The leaf nodes below it, in the divide that has it.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl DivideComparison {
    /// Compares our divide with that of another program. The caller fills in `next` and `seconds`.
    pub fn new(
        provenance: Provenance,
        game: &Game,
        told: Told,
        mut other: Answered,
        stop: &StopSignal,
    ) -> DivideComparison {
        let notation = game.notation;
        let after_wrong = other.after_wrong.take();
        let right_as_fen = after_wrong.as_ref().filter(|(_, told)| told.is_right());
        let right_as_fen = right_as_fen.map(|(played, _)| played.to_uci(notation));
        let more = after_wrong.into_iter().map(|(_, told)| told);
        let depth_of_counts = told.other_depth(MAX_NODES_OF_DEPTH);
        let causes = if depth_of_counts.is_some() { Vec::new() } else { causes_of(&told, more, stop) };
        let wrong = wrong_moves(told.position(), &told.difference);
        let drawing = Drawing::of_moves(told.position(), &wrong[..wrong.len().min(EXPLAINED)]);
        let (missing, extra): (Vec<_>, Vec<_>) =
            disputed(&told, wrong, notation).into_iter().partition(|only| only.disputed.is_missing);
        let Told { path, ours, answer, difference, .. } = told;
        let sum = difference.contradicts_itself.then(|| answer.sum());
        let lists_moves = difference.knows_moves();
        let unlisted_moves: Vec<String> =
            difference.unlisted.iter().map(|played| played.to_uci(notation)).collect();
        let left_out = if difference.is_excerpt { difference.unlisted.len() } else { missing.len() };
        let agreeing = ours.len() - left_out - difference.wrong.len();
        let mut wrong_counts: Vec<WrongCount<String>> =
            difference.wrong.iter().map(|wrong| wrong.written(notation)).collect();
        wrong_counts.sort_by(|a, b| a.played.cmp(&b.played));
        let name = Some(game.words.join(" "));
        DivideComparison {
            provenance,
            other,
            position: PositionInfo { name, ..PositionInfo::new(&path.end, notation) },
            depth: game.depth,
            right: difference.is_right(),
            lists_moves,
            listed: ours.len() + extra.len(),
            unlisted: difference.unlisted.len(),
            unlisted_moves,
            is_excerpt: difference.is_excerpt,
            is_right_but_others: difference.has_wrong_others
                && DivideDifference { has_wrong_others: false, ..difference.clone() }.is_right(),
            is_misnamed: difference.is_misnamed,
            depth_of_counts,
            text: answer.text,
            agreeing: if lists_moves { agreeing } else { 0 },
            expected: difference.ours,
            found: difference.theirs,
            sum,
            wrong_counts,
            missing,
            extra,
            causes,
            right_as_fen,
            unread: difference.unread,
            drawing,
            next: None,
            seconds: 0.0,
        }
    }

    /// Returns the rows that differ, sorted as text, and the totals.
    fn counts(&self, header: [&str; 4], digits: Digits) -> Table {
        let wrong = self.wrong_counts.iter();
        let wrong = wrong.map(|wrong| (wrong.played.as_str(), Some(wrong.ours), Some(wrong.theirs as i128)));
        let missing = self.missing.iter().map(|only| (only.disputed.text.as_str(), Some(only.nodes.0), None));
        let extra =
            self.extra.iter().map(|only| (only.disputed.text.as_str(), None, Some(only.nodes.0 as i128)));
        let mut rows: Vec<_> = wrong.chain(missing).chain(extra).collect();
        rows.sort_unstable();
        // The sum over some of the moves says nothing.
        if !self.is_excerpt || self.found == self.expected as i128 {
            rows.push(("total", Some(self.expected), Some(self.found)));
        }
        let rows = rows.into_iter().map(|(label, ours, theirs)| {
            let own = ours.map_or_else(String::new, |nodes| digits.count(nodes));
            let other = theirs.map_or_else(String::new, |nodes| digits.signed(nodes));
            let difference = digits.difference(ours.unwrap_or(0), theirs.unwrap_or(0));
            vec![label.to_owned(), own, other, difference]
        });
        Table::new(header, rows)
    }
}

/// The largest number of missing moves, and of extra moves, that are explained.
const EXPLAINED: usize = 8;

impl Report for DivideComparison {
    const NAME: &'static str = "divide_comparison";

    /// Writes a comparison: the moves that differ, why moves are missing or not legal, the result, and the next
    /// command.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}\n", heading(self))?;
        if self.right || self.is_right_but_others {
            write_text_facts(self, out)?;
        } else {
            let table = self.table(Digits::Grouped).expect("it is a table");
            table.text().lines().try_for_each(|line| writeln!(out, "{}", coloured(line, &table)))?;
            writeln!(out)?;
            write_reasons(self, out)?;
        }
        writeln!(out, "{}", folded(&result(self), 2))?;
        self.next.iter().try_for_each(|command| writeln!(out, "next: {command}"))
    }

    fn table(&self, digits: Digits) -> Option<Table> {
        let column = if self.other.engine.is_some() { &self.other.name } else { "yours" };
        Some(match digits {
            Digits::Plain => self.counts(["move", "expected", "found", "difference"], digits),
            Digits::Grouped => self.counts(["move", "perft", column, "difference"], digits),
        })
    }
}

/// Returns a line of the table. That of a move has the colour of what is wrong with it.
fn coloured(line: &str, table: &Table) -> String {
    let mut moves = table.rows.iter().filter(|row| row[0] != "total");
    let row = moves.find(|row| line.split(' ').next() == Some(&row[0]));
    match row.map(|row| (row[1].is_empty(), row[2].is_empty())) {
        None => line.to_owned(),
        Some((true, _)) => styled(line, AnsiColor::Red),
        Some((_, true)) => styled(line, AnsiColor::Green),
        Some(_) => styled(line, AnsiColor::Yellow),
    }
}

/// A FEN stays on one line, so that it can be copied.
fn heading(report: &DivideComparison) -> String {
    let position = unbroken(report.position.label());
    let heading = format!("perft and {} at depth {} of {position}", report.other.name, report.depth);
    folded(&heading, 2)
}

/// Writes the reasons for the difference, as far as they are known. Lines that were not understood are the only
/// reason if there are any.
fn write_reasons(report: &DivideComparison, out: &mut impl Write) -> io::Result<()> {
    write_text_facts(report, out)?;
    if !report.unread.is_empty() {
        return report.unread.iter().try_for_each(|line| write_line("unread", &format!("\"{line}\""), out));
    }
    if !report.drawing.arrows.is_empty() {
        write_board(&report.drawing, out)?;
    }
    write_moves("extra", &report.extra, out)?;
    write_moves("missing", &report.missing, out)?;
    if report.is_misnamed {
        write_line("names", Verdict::Names.about(), out)?;
    }
    if let Some(depth) = report.depth_of_counts {
        write_line("depth", &format!("these are the counts of depth {depth}"), out)?;
    }
    if let Some(sum) = report.sum {
        let (found, sum) = (Digits::Grouped.signed(report.found), grouped(sum));
        write_line("sum", &format!("the moves add up to {sum}, but the stated total is {found}"), out)?;
    }
    if let Some(played) = &report.right_as_fen {
        let text = format!(
            "{} is right about the position after {played} when it is given as a FEN: making or taking back a move, a \
             transposition table, counting the last ply, or adding up is wrong",
            report.other.name
        );
        write_line("as FEN", &text, out)?;
    }
    let given = if report.lists_moves { "this divide" } else { "this total" };
    write_causes(&report.causes, given, out)?;
    write_by_hand(&report.other.by_hand, out)
}

/// Says which column of a text the counts are from, whether the others are right, and which moves the text lacks.
fn write_text_facts(report: &DivideComparison, out: &mut impl Write) -> io::Result<()> {
    let Some(text) = &report.text else { return Ok(()) };
    text.sentences().iter().try_for_each(|sentence| write_line("text", sentence, out))?;
    if report.unlisted_moves.is_empty() || report.is_excerpt {
        return Ok(());
    }
    write_line("not given", &report.unlisted_moves.join(" "), out)
}

fn write_moves(word: &str, moves: &[DisputedMove], out: &mut impl Write) -> io::Result<()> {
    let shown = &moves[..moves.len().min(EXPLAINED)];
    shown.iter().try_for_each(|only| write_line(word, &only.disputed.why.text, out))?;
    match moves.len() - shown.len() {
        0 => Ok(()),
        more => write_line("", &format!("... and {}", number_of(more, "more move")), out),
    }
}

fn result(report: &DivideComparison) -> String {
    let DivideComparison {
        right, lists_moves, listed, unlisted, agreeing: agree, unread, is_excerpt, ..
    } = report;
    let moves = number_of(*listed, "move");
    let agreement = format!("{agree} of {moves} {}", agreeing(*agree, "agrees", "agree"));
    let without_moves = format!("{} lists no moves", report.other.name);
    let nodes = grouped(report.expected);
    match (right, lists_moves) {
        _ if report.is_right_but_others => {
            let wrong = styled("what stands beside them is wrong", AnsiColor::Red);
            format!("these counts agree, but {wrong}: {moves}, {nodes}")
        }
        _ if *is_excerpt => {
            let shown = listed - unlisted;
            let wrong = report.wrong_counts.len();
            let counts = match (shown, wrong) {
                (_, 0) => "no count is wrong".to_owned(),
                (1, _) => "its count is wrong".to_owned(),
                (_, wrong) if wrong == shown => "all these counts are wrong".to_owned(),
                (_, wrong) => format!("{} {} wrong", number_of(wrong, "count"), agreeing(wrong, "is", "are")),
            };
            let total = if *right { "; the totals agree" } else { "; nothing is known about the others" };
            format!("{shown} of {moves} {} in the text: {counts}{total}", agreeing(shown, "is", "are"))
        }
        (true, true) if *unlisted > 0 => {
            let totals = styled("the totals agree", AnsiColor::Green);
            let shown = listed - unlisted;
            format!("{totals}: {nodes}; {shown} of {moves} {} listed", agreeing(shown, "was", "were"))
        }
        (true, true) => {
            let nodes = number_of(report.expected, "leaf node");
            format!("{}: {moves}, {nodes}", styled("they agree", AnsiColor::Green))
        }
        (true, false) => {
            format!("{}: {nodes}; {without_moves}", styled("the totals agree", AnsiColor::Green))
        }
        _ if !unread.is_empty() => {
            let said = styled("not all lines were understood", AnsiColor::Yellow);
            format!("{said}, which may explain the difference: {agreement}")
        }
        (false, true) => format!("{}: {agreement}", styled("they differ", AnsiColor::Red)),
        (false, false) => format!("{}; {without_moves}", styled("the totals differ", AnsiColor::Red)),
    }
}

/// Returns the moves that only one of the divides has, sorted as text.
fn disputed(told: &Told, wrong: Vec<WrongMove>, notation: CastlingNotation) -> Vec<DisputedMove> {
    let own = told.position().castling_notation();
    let with_nodes = |mut disputed: WrongMove| {
        let nodes = if disputed.is_missing {
            let legal = told.ours.iter().find(|legal| legal.played.to_uci(own) == disputed.text);
            disputed.text = legal.map_or(disputed.text, |legal| legal.played.to_uci(notation));
            legal.map(|legal| legal.nodes)
        } else {
            // If the move is listed several times, the last one is superfluous.
            let theirs = told.answer.moves.iter().rev().find(|(text, _)| *text == disputed.text);
            theirs.map(|(_, nodes)| *nodes)
        };
        DisputedMove { disputed, nodes: Nodes(nodes.unwrap_or(0)) }
    };
    let mut moves: Vec<DisputedMove> = wrong.into_iter().map(with_nodes).collect();
    moves.sort_by(|a, b| a.disputed.text.cmp(&b.disputed.text));
    moves
}
