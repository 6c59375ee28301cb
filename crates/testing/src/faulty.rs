//! The mutated generator as a source of counts and as a UCI engine.

use perft_core::{CastlingNotation, Position, START_FEN, StopSignal};
use perft_diagnosis::mutations::{MutatedBoard, Mutation};
use perft_diagnosis::serve::{DivideTask, UciEngine};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};

/// A source of counts with a bug.
///
/// It works like an engine: it sets up a position, plays moves, and counts by making and taking back moves on one
/// board.
#[derive(Clone)]
pub struct FaultySource {
    name: String,
    bug: Option<Mutation>,
    board: MutatedBoard,
    notation: CastlingNotation,
}

impl FaultySource {
    /// Returns a source at the start position.
    pub fn new(bug: Option<Mutation>) -> FaultySource {
        let board = MutatedBoard::new(&Position::start(), bug);
        let name = format!("Faulty {}", bug.map_or("none", Mutation::name));
        FaultySource { name, bug, board, notation: CastlingNotation::Standard }
    }

    fn set(&mut self, fen: &str, moves: &[impl AsRef<str>]) {
        let mut position = Position::from_fen(fen).unwrap();
        self.board = MutatedBoard::new(&position, self.bug);
        for text in moves {
            let played = position.find_move(text.as_ref()).unwrap();
            self.board.play(played);
            position = position.play_legal(played);
        }
    }

    fn divide(&self, depth: u32) -> Vec<(String, u128)> {
        let mut moves = Vec::new();
        { self.board }.each_child(|played, child| {
            moves.push((played.to_uci(self.notation), child.count(depth - 1).into()));
        });
        moves
    }
}

impl CountSource for FaultySource {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        self.notation =
            if question.is_chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        self.set(&question.fen, &question.moves);
        Ok(Answer { moves: self.divide(question.depth), stated_total: None, ..Answer::default() })
    }
}

impl UciEngine for FaultySource {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn author(&self) -> String {
        "the tests".to_owned()
    }

    fn options(&self) -> Vec<String> {
        vec!["UCI_Chess960 type check default false".to_owned()]
    }

    fn set_option(&mut self, _: &str, value: &str) -> Result<(), String> {
        self.notation = if value == "true" { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.set(fen.unwrap_or(START_FEN), moves);
        Ok(())
    }

    fn divide(&self, depth: u32) -> DivideTask {
        let source = self.clone();
        Box::new(move |_| Ok(source.divide(depth)))
    }

    fn diagram(&self) -> String {
        String::new()
    }
}
