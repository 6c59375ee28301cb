//! Questions with known answers. They show how a program prints its counts, what it can report, and whether it is right
//! about the usual traps.

use std::time::Duration;

use perft_core::{Position, START_FEN as START, StopSignal};
use perft_diagnosis::source::{
    Answer, CountSource, End, Lesson, Profile, Question, SourceError, learn, shows_count,
};
use serde::Serialize;

use super::client::{Engine, checked};
use super::dialect::{Handshake, Launch};
use super::session::{Heard, Hearing};
use super::spec::{EngineSpec, busy};

/// The number of lines that are shown because they were not understood.
const SHOWN_LINES: usize = 5;

/// The number of answers that are heard out. The others end where these did.
const HEARD_OUT: usize = 2;

const START_MOVES: u128 = 20;

/// The longest time limit of a question to a program that is only tried, on an idle machine.
const LONGEST: Duration = Duration::from_secs(15);

/// The same limit after a question that was not answered.
const AFTER_HANG: Duration = Duration::from_secs(3);

/// Moves from the start position, with castling. A program that ignores them answers with the counts of the start
/// position.
const MOVES: &[&str] = &["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"];

/// A position from which castling on both sides and en passant captures are possible within three plies.
const RICH: &str = "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2";

/// A position in which an en passant capture and promotions follow each other.
const PAWNS: &str = "8/1P3k2/8/3pP3/8/8/1p3K2/8 w - d6 0 1";

/// A position in which a pawn is pinned.
const PINNED: &str = "8/8/8/KP5r/7k/8/8/8 w - - 0 1";

/// The number of pseudo-legal moves there. Four of them are legal.
const PINNED_UNCHECKED: i128 = 5;

/// The questions: a FEN, the moves to play first, and the depth. The first one shows whether a program understands. At
/// depth 3 of the rich position, the counts below moves have four digits, which some programs group: 2,370.
const QUESTIONS: [(&str, &[&str], u32); 8] = [
    (START, &[], 1),
    (START, &[], 3),
    (START, MOVES, 2),
    (RICH, &[], 1),
    (RICH, &[], 3),
    (PAWNS, &[], 1),
    (PAWNS, &[], 3),
    (PINNED, &[], 1),
];

#[derive(Clone, Debug, Default)]
pub struct Exam {
    /// How the program is asked and how its answers are read.
    pub spec: EngineSpec,
    /// Whether the program does not play the moves of a question, although the dialect has them. So it gets the
    /// position after them.
    pub ignores_moves: bool,
    pub skills: Skills,
    pub wrong: Vec<WrongAnswer>,
    /// The first lines of its answers that were not understood.
    pub unread: Vec<String>,
    /// The name that the program gives itself.
    pub name: Option<String>,
    /// How it fails after its answers, if it does.
    pub crash: Option<SourceError>,
}

/// The skills of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Skills {
    pub lists_moves_at_depth_1: bool,
    /// Whether it lists moves at greater depths.
    pub lists_moves: bool,
    pub states_total: bool,
    pub plays_moves: bool,
    pub announces_chess960: bool,
    /// Whether one process answers all questions.
    pub keeps_running: bool,
    pub right_answers: usize,
    pub questions: usize,
}

/// A question that was not answered with the right count.
#[derive(Clone, Debug, Serialize)]
pub struct WrongAnswer {
    pub fen: String,
    /// The moves that are played first.
    pub moves: Vec<String>,
    /// The depth in plies.
    pub depth: u32,
    pub expected: u128,
    /// The count that came back; `None` if there was none.
    pub found: Option<i128>,
    /// Why there was no count.
    pub error: Option<String>,
}

impl WrongAnswer {
    pub fn question(&self) -> Question {
        let (fen, moves) = (self.fen.clone(), self.moves.clone());
        Question { fen, moves, depth: self.depth, is_chess960: false }
    }
}

/// A question with its known answer, and what the program has said.
struct AnsweredQuestion {
    question: Question,
    lesson: Lesson,
    heard: Result<Heard, SourceError>,
}

/// Asks a program all questions, and learns how it prints its counts. A program that is only tried is asked no more
/// after a first answer without the known count, or if it does not read the FEN.
///
/// # Errors
/// No number in the answers is the known count, the program cannot be started, or the stop signal was raised.
pub(super) fn examine(engine: &mut Engine, stop: &StopSignal) -> Result<Exam, SourceError> {
    let spec = engine.spec.clone();
    let max_depth = engine.abilities().max_depth.unwrap_or(u32::MAX);
    let mut asked: Vec<AnsweredQuestion> = Vec::new();
    let mut profile: Option<Profile> = None;
    for &(fen, moves, depth) in QUESTIONS.iter().filter(|(_, _, depth)| *depth <= max_depth) {
        let is_first = asked.is_empty();
        // The first question needs no time at all, and a program that hangs will hang again.
        let has_hung = asked.iter().any(|one| one.heard.is_err());
        let limit = match spec.is_trial {
            _ if has_hung => busy() * AFTER_HANG,
            true if is_first => spec.start_limit,
            true => busy() * LONGEST,
            false => spec.answer_limit,
        };
        engine.spec.answer_limit = spec.answer_limit.min(limit);
        let next = AnsweredQuestion::ask(engine, (fen, moves, depth), is_first, profile.as_ref(), stop);
        match &next.heard {
            Err(error) if spec.is_trial && is_first || is_final(error) => return Err(error.clone()),
            // The program counts one ply deeper than it is asked.
            Ok(_) if is_first && spec.has_depth() && next.shows_deeper() => {
                engine.spec = spec.with_less_depth();
                return examine(engine, stop);
            }
            _ => {}
        }
        let counts_start =
            |profile: &Profile| profile.read(&next.lesson.lines, depth).count() == Some(START_MOVES);
        if spec.is_trial && (fen, depth) == (RICH, 1) && profile.as_ref().is_some_and(counts_start) {
            let reason = "the engine counts the start position each time".to_owned();
            return Err(SourceError::CannotCount(reason));
        }
        let is_understood = !is_first || !spec.is_trial || shows_count(&next.lesson);
        asked.push(next);
        if !is_understood {
            break;
        }
        let heard_out = asked.iter().filter(|one| one.heard.is_ok()).count();
        profile = (heard_out >= HEARD_OUT).then(|| learned(&asked, &spec)).flatten();
        profile = profile.filter(|profile| profile.end != End::Silence);
    }
    let Some(profile) = learned(&asked, &spec) else {
        let AnsweredQuestion { question, heard, .. } = asked.swap_remove(0);
        let heard = heard?;
        let not_understood =
            || SourceError::NotUnderstood { asked: spec.question_text(&question), last: heard.last() };
        return Err(heard.crash.clone().unwrap_or_else(not_understood));
    };
    // A crash counts if the program fails after each of its first right answers.
    let right = asked.iter().take(HEARD_OUT).filter(|one| shows_count(&one.lesson));
    let crashes: Option<Vec<_>> = right.map(|one| one.heard.as_ref().ok()?.crash.clone()).collect();
    let crash = crashes.and_then(|crashes| crashes.into_iter().next());
    let spec = EngineSpec { profile: Some(profile), ..spec };
    let mut exam = Exam { spec, crash, ..Exam::default() };
    for one in &asked {
        let heard = one.heard.as_ref().map_err(SourceError::clone);
        let read = |heard: &Heard| exam.profile().read(&heard.lines, one.question.depth);
        let mut answer =
            heard.and_then(|heard| checked(read(heard), exam.profile(), heard, &one.question, &exam.spec));
        if exam.ignores_moves_of(one) {
            engine.spec = exam.spec.clone().without_moves();
            let again = engine.ask(&one.question, stop);
            if again.as_ref().is_ok_and(|answer| answer.count() == Some(one.lesson.total())) {
                (exam.ignores_moves, exam.spec, answer) = (true, engine.spec.clone(), again);
            }
        }
        exam.judge(one, answer);
    }
    exam.skills.plays_moves &= exam.spec.plays_moves();
    exam.skills.announces_chess960 = engine.abilities().is_chess960;
    exam.skills.keeps_running =
        !exam.spec.is_run_for_each_question() && exam.spec.asking.launch == Launch::Once;
    exam.unread.truncate(SHOWN_LINES);
    if exam.crash.is_some() {
        // Without a profile, every command examines the program again and reports the crash.
        exam.spec.profile = None;
    }
    exam.name = engine.name().map(str::to_owned);
    Ok(exam)
}

/// Whether the error would be the same for every question.
pub(super) fn is_final(error: &SourceError) -> bool {
    matches!(error, SourceError::Interrupted | SourceError::NotStarted(..) | SourceError::NoCommand)
}

fn learned(asked: &[AnsweredQuestion], spec: &EngineSpec) -> Option<Profile> {
    let lessons = |is_used: fn(&Heard) -> bool| -> Vec<Lesson> {
        let is_used = |one: &&AnsweredQuestion| one.heard.as_ref().is_ok_and(is_used);
        asked.iter().filter(is_used).map(|one| one.lesson.clone()).collect()
    };
    // An answer in which the program has failed has no end. Some programs fail after each right answer.
    let whole = lessons(|heard| heard.crash.is_none());
    let used = if whole.is_empty() { lessons(|_| true) } else { whole };
    learn(&used, &spec.patterns)
}

impl AnsweredQuestion {
    fn ask(
        engine: &mut Engine,
        (fen, moves, depth): (&str, &[&str], u32),
        is_first: bool,
        profile: Option<&Profile>,
        stop: &StopSignal,
    ) -> AnsweredQuestion {
        let root = Position::from_fen(fen).expect("the position is right");
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        let question = Question { moves, ..Question::new(&root, depth) };
        let position = question.end().expect("the moves are legal");
        let divide = position.divide(depth);
        let mut lesson = Lesson::new(position, depth, divide, Vec::new());
        let shows = |lines: &[String]| shows_count(&Lesson { lines: lines.to_vec(), ..lesson.clone() });
        let mut reader = profile.map(|profile| profile.reader(depth, lesson.divide.len()));
        let hearing = match &mut reader {
            Some(reader) => Hearing::Learned(reader),
            None => Hearing::Full { shows: &shows, is_trial: is_first && engine.spec.is_trial },
        };
        let heard = engine.hear(&question, hearing, stop);
        if let Ok(heard) = &heard {
            (lesson.lines, lesson.ready) = (heard.lines.clone(), heard.ready);
            lesson.uses_two_pipes = heard.uses_two_pipes;
        }
        AnsweredQuestion { question, lesson, heard }
    }

    /// Whether the answer shows the count of one ply more, and not the right one.
    fn shows_deeper(&self) -> bool {
        let Lesson { position, depth, .. } = self.lesson;
        let deeper = Lesson { depth: depth + 1, divide: position.divide(depth + 1), ..self.lesson.clone() };
        !shows_count(&self.lesson) && shows_count(&deeper)
    }
}

impl Exam {
    /// Whether most of the answers are right, and the program does not seem to count moves that are only pseudo-legal.
    pub fn is_mostly_right(&self) -> bool {
        let is_unchecked = |wrong: &WrongAnswer| wrong.fen == PINNED && wrong.found == Some(PINNED_UNCHECKED);
        2 * self.skills.right_answers > self.skills.questions && !self.wrong.iter().any(is_unchecked)
    }

    /// Whether another way to ask would hardly show more. Few programs without UCI play moves.
    pub fn is_best(&self) -> bool {
        let Skills { lists_moves, plays_moves, .. } = self.skills;
        let is_uci = self.spec.asking.handshake == Handshake::Uci;
        self.wrong.is_empty() && lists_moves && (plays_moves || !is_uci)
    }

    fn profile(&self) -> &Profile {
        self.spec.profile.as_ref().expect("an exam has a profile")
    }

    /// Whether the answer to a question with moves is that of the position before them, or a refusal.
    fn ignores_moves_of(&self, one: &AnsweredQuestion) -> bool {
        let (Ok(heard), depth) = (&one.heard, one.question.depth) else { return false };
        let answer = self.profile().read(&heard.lines, depth);
        let root = Position::from_fen(&one.question.fen).expect("the position is right");
        self.spec.plays_moves()
            && !one.question.moves.is_empty()
            && (answer.is_empty() || answer.count() == Some(root.perft(depth)))
    }

    fn judge(&mut self, one: &AnsweredQuestion, answer: Result<Answer, SourceError>) {
        let Question { fen, moves, depth, .. } = &one.question;
        let expected = one.lesson.total();
        self.skills.questions += 1;
        let is_right = answer.as_ref().is_ok_and(|answer| answer.has_count(expected));
        let (found, error) = match answer.and_then(|answer| answer.unless_refused(expected)) {
            Err(error) => (None, Some(error.to_string())),
            Ok(answer) => {
                let lists_moves = !answer.moves.is_empty();
                self.skills.plays_moves |= !moves.is_empty();
                self.skills.states_total |= answer.stated_total.is_some();
                self.skills.lists_moves_at_depth_1 |= lists_moves && *depth == 1;
                self.skills.lists_moves |= lists_moves && *depth > 1;
                self.unread.extend_from_slice(&answer.unread);
                (Some(answer.total()), None)
            }
        };
        if is_right {
            self.skills.right_answers += 1;
        } else {
            let (fen, moves) = (fen.clone(), moves.clone());
            self.wrong.push(WrongAnswer { fen, moves, depth: *depth, expected, found, error });
        }
    }
}
