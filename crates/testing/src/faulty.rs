//! The mutated generator as a source of counts and as a UCI engine.

use perft_core::{Position, START_FEN, StopSignal};
use perft_diagnosis::MovePath;
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
    path: MovePath,
}

impl FaultySource {
    /// Returns a source at the start position.
    pub fn new(bug: Option<Mutation>) -> FaultySource {
        let name = format!("Faulty {}", bug.map_or("none", Mutation::name));
        FaultySource { name, bug, path: MovePath::new(Position::start()) }
    }

    fn divide(&self, depth: u32) -> Vec<(String, u128)> {
        let mut board = MutatedBoard::new(&self.path.root, self.bug);
        self.path.moves.iter().for_each(|&played| board.play(played));
        let mut moves = Vec::new();
        board.each_child(|played, child| {
            moves.push((played.to_uci(self.path.notation()), child.count(depth - 1).into()));
        });
        moves
    }
}

impl CountSource for FaultySource {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        self.path = MovePath::parse(&question.fen, &question.moves)?;
        Ok(Answer::from(self.divide(question.depth)))
    }
}

impl UciEngine for FaultySource {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn options(&self) -> Vec<String> {
        vec!["UCI_Chess960 type check default false".to_owned()]
    }

    /// Castling is written as the position needs it.
    fn set_option(&mut self, _: &str, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.path = MovePath::parse(fen.unwrap_or(START_FEN), moves).map_err(|error| error.to_string())?;
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
