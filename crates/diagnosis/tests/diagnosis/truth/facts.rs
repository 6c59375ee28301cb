//! The answers that a program has printed during a hunt, to look up what is known about a position.

use std::collections::HashMap;

use perft_core::Position;
use perft_diagnosis::{DivideDifference, MovePath};
use perft_testing::wrong::program::{Entry, Form, path_of};

/// The largest count of an answer at a depth above 2 that is quick to count again.
const QUICK: u128 = 3_000;

/// The answers of a program.
pub struct Facts {
    pub form: Form,
    pub entries: Vec<Entry>,
    /// The indices of the entries about a position.
    by_position: HashMap<Position, Vec<usize>>,
}

impl Facts {
    pub fn new(form: Form, entries: Vec<Entry>) -> Facts {
        let mut by_position: HashMap<Position, Vec<usize>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            by_position.entry(path_of(&entry.question).end).or_default().push(index);
        }
        Facts { form, entries, by_position }
    }

    /// Returns the answers about a position, in any way of asking.
    pub fn about<'a>(&'a self, position: &Position) -> impl Iterator<Item = &'a Entry> + use<'a> {
        self.by_position.get(position).into_iter().flatten().map(|&index| &self.entries[index])
    }

    /// Returns the answers about a position that was given as a FEN.
    pub fn about_fen<'a>(
        &'a self,
        position: &Position,
        depth: u32,
    ) -> impl Iterator<Item = &'a Entry> + use<'a> {
        self.about(position)
            .filter(move |entry| entry.question.depth == depth && entry.question.moves.is_empty())
    }

    /// Returns the answers to the question about the end of a path.
    pub fn answers<'a>(&'a self, path: &MovePath, depth: u32) -> impl Iterator<Item = &'a Entry> + use<'a> {
        let path = if self.form == Form::FenOnly { path.without_moves() } else { path.clone() };
        let question = path.question(depth);
        self.about(&path.end).filter(move |entry| {
            (&entry.question.fen, &entry.question.moves, entry.question.depth)
                == (&question.fen, &question.moves, question.depth)
        })
    }

    /// Returns the answers that are quick to count again.
    pub fn quick(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| {
            entry.question.depth <= 2 || entry.answer.count().is_none_or(|count| count <= QUICK)
        })
    }

    /// Whether the program has listed a move that is not legal, or has listed a move twice.
    pub fn lists_extra(&self, position: &Position, text: &str) -> bool {
        let is_legal = position.find_move(text).is_ok();
        self.about(position).any(|entry| {
            let times = entry.answer.moves.iter().filter(|(listed, _)| listed == text).count();
            times > usize::from(is_legal)
        })
    }

    /// Whether the program has left out a legal move.
    pub fn leaves_out(&self, position: &Position, text: &str) -> bool {
        let notation = position.castling_notation();
        let is_legal = position.legal_moves().into_iter().any(|played| played.to_uci(notation) == text);
        let leaves_out = |entry: &Entry| {
            let is_listed = entry.answer.moves.iter().any(|(listed, _)| listed == text);
            !is_listed && (!entry.answer.moves.is_empty() || entry.answer.total() == 0)
        };
        is_legal && self.about(position).any(leaves_out)
    }
}

/// Returns the difference between an answer and the right one.
pub fn difference(entry: &Entry) -> DivideDifference {
    let end = path_of(&entry.question).end;
    DivideDifference::new(&end, &end.divide(entry.question.depth), &entry.answer)
}

pub fn is_right(entry: &Entry) -> bool {
    difference(entry).is_right()
}
