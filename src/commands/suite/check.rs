//! What a suite checks: the generator or an engine, and the part of each suite that it is asked about. Each known count is
//! compared with its count.
//!
//! An engine is asked about all positions at the smallest depth, then at the next, and so on: the cheapest counts come
//! first, and a slow engine shows its first wrong count soon. After a wrong count or a failure, the deeper counts of
//! that position are not asked: they would be wrong for the same reason, and a program that hangs would hang again. A
//! question whose answer is not right is asked again after a new start of the engine, to tell whether other questions
//! are the reason.

use std::collections::BTreeMap;
use std::sync::Mutex;

use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_core::{CastlingNotation, StopSignal};
use perft_count::{Outcome, Perft, check_suite};
use perft_diagnosis::source::{Answer, Question, SourceError};
use perft_diagnosis::{DivideDifference, MovePath, Program, Told, share_work};
use serde::Serialize;

use super::SuiteArgs;
use crate::engine::EngineSpec;
use crate::input::{Counting, CountingArgs, ENGINE_MAX_NODES, NO_EFFECT, is_built_in};
use crate::output::{CliError, Context, PositionInfo, WaitNote};
use crate::report::engine::{EngineInfo, ability_notes, impossible_note};

/// The largest known count that perft itself checks, if no limit is given.
const MAX_NODES: u128 = 1_000_000_000;

/// The generator or the engine that a suite checks, and what is checked.
pub struct SuiteTarget {
    pub parts: Vec<Part>,
    /// The limits of the known counts. For an engine, they end at the greatest depth that it can count.
    pub limits: Limits,
    /// The generator, and the settings of the report.
    pub counting: Counting,
    /// The engine that is checked instead of the generator. After a problem, it is not asked for the deeper counts of
    /// the position.
    pub engine: Option<(EngineSpec, EngineInfo)>,
}

/// The part of a suite that is checked. An engine is not asked about positions that it cannot read and, unless the user
/// wants them, about those that no game reaches.
#[derive(Debug, Default, Serialize)]
pub struct Part {
    #[serde(skip)]
    pub suite: Suite,
    /// The number of Chess960 positions that are left out, because the engine does not play Chess960.
    pub left_out_chess960: usize,
    /// The number of positions that are left out because no game reaches them.
    pub left_out_impossible: usize,
    /// Sentences about the questions that the engine is not asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Part {
    /// Keeps the positions for which `is_kept` is true. Returns the number of the others.
    fn keep(&mut self, is_kept: impl Fn(&Case) -> bool) -> usize {
        let positions = self.suite.cases.len();
        self.suite.cases.retain(is_kept);
        positions - self.suite.cases.len()
    }
}

impl SuiteTarget {
    /// Prepares the generator or the engine. An engine must understand the way to ask it.
    pub fn new(args: &SuiteArgs, suites: Vec<Suite>, context: &Context) -> Result<SuiteTarget, CliError> {
        if args.engine.text().is_some() {
            context.given.refuse::<CountingArgs>(&["threads"], NO_EFFECT)?;
        } else if args.reach.unreachable {
            return Err(CliError::usage(
                "--unreachable needs an engine: without one, no position is left out",
            ));
        }
        let spec = args.engine.build(context)?;
        let counting = args.counting.build()?;
        let parts = suites.into_iter().map(|suite| Part { suite, ..Part::default() }).collect();
        let most = if spec.is_some() { ENGINE_MAX_NODES } else { MAX_NODES };
        let limits = Limits {
            max_nodes: args.max_nodes.unwrap_or(most),
            max_depth: args.max_depth.unwrap_or(u32::MAX),
            ..Limits::NONE
        };
        let mut target = SuiteTarget { parts, limits, counting, engine: None };
        if let Some(spec) = spec {
            target.check_engine(spec, args, &context.stop);
        }
        Ok(target)
    }

    /// Checks an engine instead of the generator.
    fn check_engine(&mut self, spec: EngineSpec, args: &SuiteArgs, stop: &StopSignal) {
        // The engine counts, so the threads of the generator are not needed.
        self.counting.perft = Perft::new();
        self.counting.head.settings.generator = "engine".to_owned();
        let _patience = WaitNote::at_work(format!("waiting for {} to start", spec.command[0]));
        let mut program = spec.program(stop);
        // If the engine does not start, its answers will contain the error.
        let _ = program.prepare();
        let mut cases = self.parts.iter().flat_map(|part| &part.suite.cases);
        let has_chess960 = cases.any(|case| case.position.castling_notation() == CastlingNotation::Chess960);
        let misread = if has_chess960 { program.examine() } else { None };
        let abilities = program.abilities();
        for part in &mut self.parts {
            part.left_out_chess960 = part.keep(|case| program.can_read(&case.position));
            part.left_out_impossible = part.keep(|case| args.reach.allow(&case.position));
            part.notes = ability_notes(&abilities, part.left_out_chess960);
            part.notes.extend(misread.as_ref().map(|(_, reading)| reading.about().to_owned()));
            part.notes.extend(impossible_note(part.left_out_impossible));
        }
        self.limits.max_depth = self.limits.max_depth.min(abilities.max_depth.unwrap_or(u32::MAX));
        let info = EngineInfo::new(&spec, program.name());
        self.engine = Some((spec, info));
    }

    /// Checks all parts until the stop signal is raised. Calls `done` after every count with the index of its part. The
    /// generator checks one part after another, and an engine all of them together.
    pub fn check<'p>(&'p self, stop: &StopSignal, done: impl Fn(usize, Check<'p>) + Sync) {
        let Some((spec, _)) = &self.engine else {
            for (index, Part { suite, .. }) in self.parts.iter().enumerate() {
                let is_built_in = is_built_in(&suite.name);
                let report = |outcome: &_| done(index, Check::of_outcome(outcome, is_built_in));
                // The error of an interrupted check is ignored, because its outcomes were passed on already.
                let _ = check_suite(suite, &self.limits, &self.counting.perft, stop, report);
            }
            return;
        };
        let suites = self.parts.iter().map(|part| &part.suite);
        let threads = self.counting.head.settings.threads;
        check_suites(suites, &self.limits, threads, || spec.program(stop), done);
    }
}

/// A known count and the answer to the question for it.
#[derive(Clone, Debug, Serialize)]
pub struct Check<'a> {
    /// The line number in the suite.
    pub line: usize,
    /// The position, with the FEN of the suite, or with the castling rights as the engine got them.
    pub position: PositionInfo,
    /// The comment in the suite: what the position tests. It need not be the reason for a wrong count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<&'a str>,
    /// The depth in plies.
    pub depth: u32,
    pub expected: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<i128>,
    /// Whether the count that was found is only a lower bound: it is above the limit, so counting ended there.
    pub found_is_lower_bound: bool,
    /// Why the engine gave no count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the engine refused the question in words.
    pub refused: bool,
    /// Whether a difference is a fault of the file. This is so if perft itself counts and the suite is a file of the
    /// user.
    pub wrong_in_file: bool,
    /// Whether the count is wrong or missing, but right in a fresh process of the engine.
    pub right_in_fresh_process: bool,
    /// The command that shows the correct count of each root move, and compares the engine's with it.
    pub command: String,
    /// Whether the time limit of the answer was reached.
    #[serde(skip)]
    pub is_late: bool,
    /// Whether it was printed when it was found.
    #[serde(skip)]
    pub is_printed: bool,
    #[serde(skip)]
    case: &'a Case,
    /// The question as the engine got it.
    #[serde(skip)]
    pub asked: Question,
    /// The answer of an engine, if it was understood.
    #[serde(skip)]
    answer: Option<Answer>,
}

impl<'a> Check<'a> {
    fn new(case: &'a Case, known: KnownCount) -> Check<'a> {
        let named = PositionInfo::named(case.name(), &case.position);
        Check {
            line: case.line,
            position: PositionInfo { fen: case.fen.clone(), ..named },
            comment: case.comment.as_deref(),
            depth: known.depth,
            expected: known.nodes,
            found: None,
            found_is_lower_bound: false,
            error: None,
            refused: false,
            wrong_in_file: false,
            right_in_fresh_process: false,
            command: String::new(),
            is_late: false,
            is_printed: false,
            case,
            asked: Question::with_fen(&case.fen, &case.position, known.depth),
            answer: None,
        }
    }

    /// Returns the check of a count of perft itself. If the known count is not built in, a difference is a fault of the
    /// file.
    fn of_outcome(outcome: &Outcome<'a>, is_built_in: bool) -> Check<'a> {
        Check {
            found: Some(outcome.nodes as i128),
            found_is_lower_bound: outcome.is_lower_bound,
            wrong_in_file: !is_built_in,
            ..Check::new(outcome.case, outcome.expected)
        }
    }

    /// Asks a program for a known count, and again after a new start if the answer is not right. Returns `None` if the
    /// stop signal was raised.
    fn ask(case: &'a Case, known: KnownCount, program: &mut Program) -> Option<Check<'a>> {
        let mut check = Check::new(case, known);
        let question = check.asked.clone();
        let answer = program.ask(&question, Some(known.nodes));
        check.asked = program.written(&question);
        if check.asked != question {
            check.position.fen.clone_from(&check.asked.fen);
        }
        let is_right = |answer: &Answer| answer.count() == Some(known.nodes);
        match answer {
            Err(SourceError::Interrupted) => return None,
            Err(SourceError::Refused(_)) => check.refused = true,
            Ok(ref answer) if is_right(answer) => {}
            _ => {
                let again = program.ask_afresh(&question, Some(known.nodes));
                check.right_in_fresh_process = again.is_ok_and(|answer| is_right(&answer));
            }
        }
        match answer {
            Err(error) => {
                check.is_late = matches!(error, SourceError::TimedOut(..));
                check.error = Some(error.to_string());
            }
            Ok(answer) if !is_right(&answer) && check.is_misread(&answer, &program.stop) => {
                let error = "the answer could not be read: these lines were not understood:";
                check.error = Some(format!("{error}\n{}", answer.unread.join("\n")));
            }
            Ok(answer) => (check.found, check.answer) = (Some(answer.total()), Some(answer)),
        }
        Some(check)
    }

    /// Whether an answer is probably wrong because lines of it were not understood.
    fn is_misread(&self, answer: &Answer, stop: &StopSignal) -> bool {
        let position = &self.case.position;
        !answer.unread.is_empty()
            && position
                .divide_until(self.depth, stop)
                .is_ok_and(|ours| !DivideDifference::new(position, &ours, answer).unread.is_empty())
    }

    pub fn is_right(&self) -> bool {
        self.found == Some(self.expected as i128)
    }

    /// Whether the moves of the answer add up to the right count, and the stated total does not have it.
    pub fn misstates_total(&self) -> bool {
        let has_sum = |answer: &Answer| !answer.moves.is_empty() && answer.sum() == self.expected;
        !self.is_right() && self.answer.as_ref().is_some_and(has_sum)
    }

    /// Returns the answer of an engine with the correct divide. Returns `None` if there is no answer, or if a fresh
    /// process gives another one.
    pub fn told(&self) -> Option<Told> {
        let answer = self.answer.clone().filter(|_| !self.right_in_fresh_process)?;
        let path = MovePath::of_fen(&self.case.fen, self.case.position);
        Some(Told::new(path, self.depth, self.case.position.divide(self.depth), answer))
    }

    /// Returns the deeper known counts of the same position within the limits.
    pub fn deeper(&self, limits: &Limits) -> impl Iterator<Item = &KnownCount> {
        self.case.expected.iter().filter(move |known| known.depth > self.depth && limits.allows(known))
    }
}

/// Asks for every known count of these suites within the limits, until the stop signal of the program is raised. Each
/// thread asks a program of its own. Each check is passed to `report` with the index of its suite.
fn check_suites<'a, 'p>(
    suites: impl Iterator<Item = &'a Suite>,
    limits: &Limits,
    threads: usize,
    program: impl Fn() -> Program<'p> + Sync,
    report: impl Fn(usize, Check<'a>) + Sync,
) {
    let cases =
        suites.enumerate().flat_map(|(index, suite)| suite.cases.iter().map(move |case| (index, case)));
    let first = |(number, (index, case)): (usize, (usize, &'a Case))| {
        let known = case.expected.iter().find(|known| limits.allows(known))?;
        Some(((known.depth, number), (index, case, *known)))
    };
    // The next question about each case, by its depth. A deeper one follows a right answer.
    let queue: BTreeMap<(u32, usize), (usize, &Case, KnownCount)> =
        cases.filter(|(_, case)| limits.includes(case)).enumerate().filter_map(first).collect();
    let queue = Mutex::new(queue);
    let queue = || queue.lock().expect("no thread panics");
    share_work(threads, || {
        let mut program = program();
        let next = || queue().pop_first();
        while let Some(((_, number), (index, case, known))) = next().filter(|_| !program.stop.is_raised()) {
            let Some(check) = Check::ask(case, known, &mut program) else { return };
            if check.is_right()
                && let Some(deeper) = check.deeper(limits).next()
            {
                queue().insert((deeper.depth, number), (index, case, *deeper));
            }
            report(index, check);
        }
    });
}

#[cfg(test)]
mod tests {
    use perft_diagnosis::source::from_fn;

    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

    /// Lines that were not understood are blamed only if the rest of the answer does not show an error.
    #[test]
    fn an_answer_may_be_misread() {
        let is_misread = |moves: &str, stated_total, unread: &[&str]| {
            let moves = moves.split(' ').map(|text| (text.to_owned(), 1)).collect();
            let unread = unread.iter().map(|&line| line.to_owned()).collect();
            let answer = Answer { moves, stated_total, unread, ..Answer::default() };
            let source = || Box::new(from_fn(|_| answer.clone()));
            let suite = Suite::from_text("test", &format!("{KINGS} ;D1 3")).unwrap();
            let found = Mutex::new(Vec::new());
            let report =
                |_, check: Check| found.lock().unwrap().push((check.is_right(), check.error.is_some()));
            let program = || Program::new(source(), StopSignal::default());
            check_suites([&suite].into_iter(), &Limits::NONE, 1, program, report);
            found.into_inner().unwrap()
        };
        let unread: &[&str] = &["Kd2 1"];
        assert_eq!(is_misread("c1c2 c1d1", None, unread), [(false, true)]);
        assert_eq!(is_misread("c1c2 c1d1", Some(4), unread), [(false, true)]);
        assert_eq!(is_misread("c1c2 c1d1", Some(3), unread), [(true, false)]);
        assert_eq!(is_misread("c1c2 c1d1", Some(2), unread), [(false, false)]);
        assert_eq!(is_misread("c1c2 c1b2", None, unread), [(false, false)]);
        assert_eq!(is_misread("c1c2 c1d1", None, &[]), [(false, false)]);
    }
}
