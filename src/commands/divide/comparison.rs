//! The report of `perft divide --against`: how the divide of another program differs from ours.

use perft_core::{CastlingNotation, Move, RootMove, StopSignal};
use perft_diagnosis::source::Answer;
use perft_diagnosis::{Model, Told, WrongCount, WrongMove, causes_of, wrong_moves};
use serde::Serialize;

use crate::commands::suite::asked::EngineInfo;
use crate::input::Game;
use crate::output::table::Table;
use crate::output::{Digits, Nodes, PositionInfo, Provenance, with_sign};

/// The largest right count for which causes are searched. It takes some seconds.
const MAX_NODES_OF_CAUSES: u128 = 5_000_000;

/// The divide of another program.
#[derive(Default)]
pub struct Answered {
    /// The name of the program: the engine's own name, or the origin of the text.
    pub name: String,
    pub answer: Answer,
    /// The engine that gave it; `None` for a text.
    pub engine: Option<EngineInfo>,
    /// What a user types to ask the engine by hand.
    pub by_hand: Vec<String>,
    /// The engine's answer about the position after a move with a wrong count, which it got as a FEN.
    pub after_wrong: Option<(Move, Told)>,
}

/// How the divide of another program differs from ours.
#[derive(Clone, Debug, Serialize)]
pub struct DivideComparison {
    /// How our divide was counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The engine that was asked; `None` if its output was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInfo>,
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies, including the root move.
    pub depth: u32,
    /// Whether the other divide is right.
    pub right: bool,
    /// Whether the other divide says which moves there are. If not, only the totals are compared.
    pub lists_moves: bool,
    /// The number of moves in both divides together.
    pub listed: usize,
    /// The number of legal moves that the other divide does not list although its total is right.
    pub unlisted: usize,
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
    /// The mistakes with which a program gives the other divide. Empty if that is not known well enough. If there are
    /// several, it is not known which one is right.
    pub causes: Vec<Model>,
    /// A move with a wrong count, if the engine is right about the position after it when it is given as a FEN.
    pub right_as_fen: Option<String>,
    /// The lines that were not understood, if they are probably the reason for the difference.
    pub unread: Vec<String>,
    /// What a user types to ask the engine by hand.
    #[serde(skip)]
    pub by_hand: Vec<String>,
    /// The command that looks further into the difference.
    pub next: Option<String>,
    /// The time of our count in seconds.
    pub seconds: f64,
    /// The name of the other program: the engine's own name, or the origin of the text.
    #[serde(skip)]
    pub other: String,
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
        ours: Vec<RootMove>,
        answered: Answered,
        stop: &StopSignal,
    ) -> DivideComparison {
        let notation = game.notation;
        let Answered { name, answer, engine, by_hand, after_wrong } = answered;
        let told = Told::new(game.path.clone(), game.depth, ours, answer);
        let is_right_as_fen = after_wrong.as_ref().filter(|(_, told)| told.is_right());
        let right_as_fen = is_right_as_fen.map(|(played, _)| played.to_uci(notation));
        let more = after_wrong.into_iter().map(|(_, told)| told);
        let causes = causes_of(&told, more, MAX_NODES_OF_CAUSES, stop);
        let (missing, extra): (Vec<_>, Vec<_>) =
            disputed(&told, notation).into_iter().partition(|only| only.disputed.is_missing);
        let Told { path, ours, answer, difference, .. } = told;
        let lists_moves = difference.knows_moves();
        let agreeing = ours.len() - missing.len() - difference.wrong.len();
        let mut wrong_counts: Vec<WrongCount<String>> =
            difference.wrong.iter().map(|wrong| wrong.written(notation)).collect();
        wrong_counts.sort_by(|a, b| a.played.cmp(&b.played));
        DivideComparison {
            provenance,
            engine,
            position: PositionInfo {
                name: Some(game.words().join(" ")),
                ..PositionInfo::new(&path.end, notation)
            },
            depth: game.depth,
            right: difference.is_right(),
            lists_moves,
            listed: ours.len() + extra.len(),
            unlisted: difference.unlisted.len(),
            agreeing: if lists_moves { agreeing } else { 0 },
            expected: difference.ours,
            found: difference.theirs,
            sum: difference.contradicts_itself.then(|| answer.sum()),
            wrong_counts,
            missing,
            extra,
            causes,
            right_as_fen,
            unread: difference.unread,
            by_hand,
            next: None,
            seconds: 0.0,
            other: name,
        }
    }

    /// Returns the header of the column of the other divide.
    pub fn column(&self) -> &str {
        if self.engine.is_some() { &self.other } else { "yours" }
    }

    /// Returns the rows that differ and the totals. `column` is the header of the column of the other divide.
    pub fn counts(&self, column: &str, digits: Digits) -> Table {
        let number = |number: u128| digits.count(number);
        let total = ("total", Some(self.expected), Some(self.found));
        let rows = self.rows().into_iter().chain([total]).map(|(label, ours, theirs)| {
            let own = ours.map_or_else(String::new, &number);
            let other = theirs.map_or_else(String::new, |nodes| with_sign(nodes, number));
            let difference = signed(ours.unwrap_or(0), theirs.unwrap_or(0), number);
            vec![label.to_owned(), own, other, difference]
        });
        Table::new(["move", "perft", column, "difference"], rows)
    }

    /// Returns the moves that differ with the counts of both, sorted as text.
    fn rows(&self) -> Vec<(&str, Option<u128>, Option<i128>)> {
        let wrong = self.wrong_counts.iter();
        let wrong = wrong.map(|wrong| (wrong.played.as_str(), Some(wrong.ours), Some(wrong.theirs as i128)));
        let missing = self.missing.iter().map(|only| (only.disputed.text.as_str(), Some(only.nodes.0), None));
        let extra =
            self.extra.iter().map(|only| (only.disputed.text.as_str(), None, Some(only.nodes.0 as i128)));
        let mut rows: Vec<_> = wrong.chain(missing).chain(extra).collect();
        rows.sort_unstable();
        rows
    }
}

/// Returns the moves that only one of the divides has, sorted as text.
fn disputed(told: &Told, notation: CastlingNotation) -> Vec<DisputedMove> {
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
    let wrong = wrong_moves(told.position(), &told.difference).into_iter();
    let mut moves: Vec<DisputedMove> = wrong.map(with_nodes).collect();
    moves.sort_by(|a, b| a.disputed.text.cmp(&b.disputed.text));
    moves
}

/// Returns how much larger the count that was found is than the expected one: `+8`, `-1,204`.
pub fn signed(expected: u128, found: i128, number: impl Fn(u128) -> String) -> String {
    let difference = found - expected as i128;
    let plus = if difference > 0 { "+" } else { "" };
    format!("{plus}{}", with_sign(difference, number))
}
