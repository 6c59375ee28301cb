//! A program with bugs that answers questions, and the log of its answers.

use std::sync::{Arc, Mutex, PoisonError};

use perft_core::{Color, File, Piece, Position, Setup, Square, StopSignal};
use perft_diagnosis::MovePath;
use perft_diagnosis::mutations::RuleModel;
use perft_diagnosis::source::{Abilities, Answer, CountSource, Question, SourceError};

use super::board::{Board, Step, StepKind, Wing, shifted};
use super::count::Counter;
use super::{Bug, Bugs, Kind};

/// The number of questions after which [`Bug::RightsUnreadLater`] shows.
const LATER: u32 = 40;

/// What is wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// A mutation of the catalogue, in a part of the program.
    Rule(RuleModel),
    /// Bugs of the plain generator.
    Bugs(Bugs),
}

impl Planted {
    /// Returns the names of what is wrong.
    pub fn name(self) -> String {
        match self {
            Planted::Rule(model) => model.name(),
            Planted::Bugs(bugs) => {
                let names = Bug::ALL.iter().filter(|&&bug| bugs.has(bug)).map(|bug| format!("{bug:?}"));
                names.collect::<Vec<_>>().join(" + ")
            }
        }
    }
}

/// The form of a program: what it is asked and what it prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It lists the moves with their counts.
    Lists,
    /// It prints only the total.
    Totals,
    /// It gets only FENs, and lists the moves.
    FenOnly,
    /// It lists the moves, and forgets everything before each question.
    Fresh,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 4] = [Form::Lists, Form::Totals, Form::FenOnly, Form::Fresh];
}

/// A question and the answer that the program printed.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The question.
    pub question: Question,
    /// The answer.
    pub answer: Answer,
}

/// All questions and answers of a program.
pub type Log = Arc<Mutex<Vec<Entry>>>;

/// A program with bugs.
pub struct Program {
    planted: Planted,
    form: Form,
    log: Log,
    /// The board and the table of the plain generator.
    counter: Counter,
    questions: u32,
}

impl Program {
    /// Returns a program that writes its answers to a log.
    pub fn new(planted: Planted, form: Form, log: &Log) -> Program {
        let counter = Program::counter(planted);
        Program { planted, form, log: Arc::clone(log), counter, questions: 0 }
    }

    fn counter(planted: Planted) -> Counter {
        let bugs = if let Planted::Bugs(bugs) = planted { bugs } else { Bugs::default() };
        Counter::new(Board::new(&Setup::from(&Position::start())), bugs)
    }

    fn answer(&mut self, question: &Question) -> Answer {
        match self.planted {
            Planted::Rule(model) => answer_of(model, question),
            Planted::Bugs(bugs) => self.plain(bugs, question),
        }
    }

    fn plain(&mut self, bugs: Bugs, question: &Question) -> Answer {
        self.questions += 1;
        self.set(bugs, question);
        let depth = question.depth - u32::from(bugs.has(Bug::OnePlyLess));
        if depth == 0 {
            return Answer::from(1_u64);
        }
        let mut answer = Answer { moves: self.counter.divide(depth), ..Answer::default() };
        if bugs.has(Bug::Counts16Bits) {
            answer.moves.iter_mut().for_each(|(_, nodes)| *nodes &= 0xffff);
            answer.stated_total = Some(answer.sum() as i128 & 0xffff);
        }
        if bugs.has(Bug::EveryFifth)
            && self.questions.is_multiple_of(5)
            && let Some((_, nodes)) = answer.moves.first_mut()
        {
            *nodes += 1;
        }
        answer
    }

    /// Sets up the position of a question.
    fn set(&mut self, bugs: Bugs, question: &Question) {
        let setup: Setup = question.fen.parse().expect("a question has a legal position");
        let mut board = Board::new(&setup);
        let useless = setup.en_passant.is_some()
            && Position::from_fen(&question.fen)
                .is_ok_and(|position| Setup::from(&position).en_passant.is_none());
        if useless && bugs.has(Bug::RefusesUselessEnPassant) {
            return;
        }
        if bugs.has(Bug::TurnUnread) {
            board.turn = Color::White;
        }
        if bugs.has(Bug::BlackRightsUnread) {
            board.rights[Color::Black.index()] = [false; 2];
        }
        if bugs.has(Bug::RightsUnreadLater) && self.questions > LATER {
            board.rights = [[false; 2]; 2];
        }
        let table = std::mem::take(&mut self.counter.table);
        self.counter = Counter::new(board, bugs);
        if bugs.has_kind(Kind::Table) {
            self.counter.table = table;
        }
        let skipped = usize::from(bugs.has(Bug::LastMoveUnread) && !question.moves.is_empty());
        for text in &question.moves[..question.moves.len() - skipped] {
            let step = read_step(&self.counter.board, text, bugs);
            self.counter.play(step);
        }
    }
}

impl CountSource for Program {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        if self.form == Form::Fresh {
            self.restart();
        }
        let mut answer = self.answer(question);
        match (self.form, self.planted) {
            // The program may count the moves of the root in another way than it lists them.
            (Form::Totals, Planted::Rule(model)) => {
                answer = Answer::from(model.count(&path_of(question), question.depth));
            }
            (Form::Totals, Planted::Bugs(_)) => answer = Answer::from(answer.total()),
            _ => {}
        }
        let entry = Entry { question: question.clone(), answer: answer.clone() };
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        Ok(answer)
    }

    fn restart(&mut self) {
        self.counter = Program::counter(self.planted);
        self.questions = 0;
    }

    fn abilities(&self) -> Abilities {
        Abilities { plays_moves: self.form != Form::FenOnly, is_chess960: false, max_depth: None }
    }
}

/// Returns the path of a question.
///
/// # Panics
/// Panics if the question is not legal.
pub fn path_of(question: &Question) -> MovePath {
    MovePath::parse(&question.fen, &question.moves).expect("a question is legal")
}

/// Returns the answer of a model of the catalogue, with a list of moves.
pub fn answer_of(model: RuleModel, question: &Question) -> Answer {
    let path = path_of(question);
    let notation = path.notation();
    let moves = model.divide(&path, question.depth).into_iter();
    let moves = moves.map(|(played, nodes)| (played.to_uci(notation), nodes.into()));
    Answer { moves: moves.collect(), ..Answer::default() }
}

fn read_step(board: &Board, text: &str, bugs: Bugs) -> Step {
    let square = |part: &str| -> Square { part.parse().expect("a move has two squares") };
    let (from, to) = (square(&text[..2]), square(&text[2..4]));
    let piece = board.at(from).map(|found| found.piece);
    let passes = |ranks| shifted(from, (0, ranks)) == Some(to);
    let castles = piece == Some(Piece::King)
        && from.file() == File::E
        && matches!(to.file(), File::C | File::G)
        && !bugs.has(Bug::CastlingMoveLeavesRook);
    let kind = if let Some(letter) = text[4..].chars().next() {
        let piece = Piece::from_letter(letter).expect("a promotion has a piece");
        StepKind::Promotion(if bugs.has(Bug::PromotionUnread) { Piece::Queen } else { piece })
    } else if piece == Some(Piece::Pawn) && (passes(2) || passes(-2)) {
        StepKind::DoubleStep
    } else if piece == Some(Piece::Pawn) && from.file() != to.file() && board.at(to).is_none() {
        StepKind::EnPassant
    } else if castles {
        StepKind::Castling(if to.file() == File::G { Wing::King } else { Wing::Queen })
    } else {
        StepKind::Plain
    };
    Step { from, to, kind }
}
