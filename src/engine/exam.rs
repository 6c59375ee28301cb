//! Questions with known answers. They show what a program can report, and whether it is right about the usual traps.

use perft_core::{Position, START_FEN as START, StopSignal, perft};
use perft_diagnosis::source::{CountSource, Question, SourceError};
use serde::Serialize;

use super::ask_method::Launch;
use super::client::Engine;
use super::probe::{LONGEST, MOVES};
use super::spec::EngineSpec;

/// The number of lines that are shown because they were not understood.
const SHOWN_LINES: usize = 5;

/// A position with castling on both sides, en passant and promotions.
const RICH: &str = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2";

/// A position in which an en passant capture and promotions follow each other.
const PAWNS: &str = "8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1";

/// The questions: a FEN, the moves to play first, and the depth.
const QUESTIONS: &[(&str, &[&str], u32)] = &[
    (START, &[], 1),
    (START, &[], 3),
    (START, MOVES, 2),
    (RICH, &[], 1),
    (RICH, &[], 2),
    (PAWNS, &[], 1),
    (PAWNS, &[], 3),
    (START, &[], 2),
];

/// The result of examining a program.
#[derive(Clone, Debug, Default)]
pub struct Exam {
    /// The skills that the program has shown.
    pub skills: Skills,
    /// The answers that are not right.
    pub wrong: Vec<WrongAnswer>,
    /// The first lines of its answers that were not understood.
    pub unread: Vec<String>,
    /// The name that the program gives itself.
    pub name: Option<String>,
}

/// The skills of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Skills {
    /// Whether it lists moves at depth 1.
    pub lists_moves_at_depth_1: bool,
    /// Whether it lists moves at greater depths.
    pub lists_moves: bool,
    /// Whether it states a total.
    pub states_total: bool,
    /// Whether it plays moves from a position.
    pub plays_moves: bool,
    /// Whether it announces Chess960.
    pub announces_chess960: bool,
    /// Whether one process answers all questions.
    pub keeps_running: bool,
    /// The number of right answers.
    pub right_answers: usize,
    /// The number of questions.
    pub questions: usize,
}

/// A question that was not answered with the right count.
#[derive(Clone, Debug, Serialize)]
pub struct WrongAnswer {
    /// The position.
    pub fen: String,
    /// The moves that are played first.
    pub moves: Vec<String>,
    /// The depth in plies.
    pub depth: u32,
    /// The right count.
    pub expected: u128,
    /// The count that came back; `None` if there was none.
    pub found: Option<u128>,
    /// Why there was no count.
    pub error: Option<String>,
}

/// Asks a program all questions.
///
/// # Errors
/// The stop signal was raised.
pub fn examine(spec: &EngineSpec, stop: &StopSignal) -> Result<Exam, SourceError> {
    let answer_limit = spec.answer_limit.min(LONGEST);
    let mut engine = Engine::new(EngineSpec { answer_limit, ..spec.clone() });
    let mut exam = Exam::default();
    let max_depth = engine.abilities().max_depth.unwrap_or(u32::MAX);
    for &(fen, moves, depth) in QUESTIONS.iter().filter(|(_, _, depth)| *depth <= max_depth) {
        let root = Position::from_fen(fen).expect("the position is right");
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        exam.ask(&mut engine, Question { moves, ..Question::new(&root, depth) }, &root, stop)?;
    }
    let abilities = engine.abilities();
    exam.skills.plays_moves &= abilities.plays_moves;
    exam.skills.announces_chess960 = abilities.is_chess960;
    exam.skills.keeps_running = !spec.is_run_for_each_question() && spec.asking.launch == Launch::Once;
    exam.unread.truncate(SHOWN_LINES);
    exam.name = engine.name().map(str::to_owned);
    Ok(exam)
}

impl Exam {
    /// Asks a question, whose moves begin at `root`, and judges the answer.
    fn ask(
        &mut self,
        engine: &mut Engine,
        question: Question,
        root: &Position,
        stop: &StopSignal,
    ) -> Result<(), SourceError> {
        let (end, depth) = (question.end()?, question.depth);
        let expected = perft(&end, depth);
        self.skills.questions += 1;
        let (found, error) = match engine.ask(&question, stop) {
            Err(SourceError::Interrupted) => return Err(SourceError::Interrupted),
            Err(error) => (None, Some(error.to_string())),
            Ok(answer) => {
                let lists_moves = !answer.moves.is_empty();
                self.skills.plays_moves |= end != *root && answer.total() != perft(root, depth);
                self.skills.states_total |= answer.stated_total.is_some();
                self.skills.lists_moves_at_depth_1 |= lists_moves && depth == 1;
                self.skills.lists_moves |= lists_moves && depth > 1;
                let total = answer.total();
                self.unread.extend(answer.unread);
                (Some(total), None)
            }
        };
        if found == Some(expected) {
            self.skills.right_answers += 1;
        } else {
            let Question { fen, moves, .. } = question;
            self.wrong.push(WrongAnswer { fen, moves, depth, expected, found, error });
        }
        Ok(())
    }
}
