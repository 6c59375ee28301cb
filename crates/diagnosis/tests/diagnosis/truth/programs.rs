//! Hunts on programs with planted bugs, and counts the sentences that are not true.

use std::fmt::Write;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::available_parallelism;
use std::time::Instant;

use perft_core::{Position, StopSignal};
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{
    HuntSummary, HuntTarget, MovePath, SearchOptions, Verdict, hunt, random_target, special_targets,
};
use perft_testing::planted::targets;
use perft_testing::wrong::program::{Form, Log, Planted, Program};

use super::causes::names_planted;
use super::facts::Facts;
use super::kinds::number;
use super::sentences::sentences;

/// The time in seconds from which a program is printed as slow.
const SLOW: f64 = 5.0;

/// The results of several programs.
#[derive(Clone, Debug, Default)]
pub struct Results {
    pub programs: usize,
    /// The number of programs whose wrong answers led to no finding.
    pub not_found: usize,
    /// The number of programs that gave no wrong answer.
    pub not_shown: usize,
    pub findings: usize,
    pub sentences: usize,
    pub false_sentences: usize,
    /// The numbers of models of rules with a finding, and of those whose cause was named: with lists of moves, and with
    /// totals only.
    pub models: [(usize, usize); 2],
    /// The time that hunting took, and that checking took.
    pub seconds: [f64; 2],
    /// Texts about programs with false sentences, no finding or no wrong answer.
    pub report: Vec<String>,
}

impl Results {
    fn add(&mut self, other: Results) {
        self.programs += other.programs;
        self.not_found += other.not_found;
        self.not_shown += other.not_shown;
        self.findings += other.findings;
        self.sentences += other.sentences;
        self.false_sentences += other.false_sentences;
        self.seconds.iter_mut().zip(other.seconds).for_each(|(mine, theirs)| *mine += theirs);
        for (mine, theirs) in self.models.iter_mut().zip(other.models) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        self.report.extend(other.report);
    }

    /// Prints the report and the numbers.
    pub fn print(&self, title: &str) {
        self.report.iter().for_each(|text| println!("{text}"));
        let [(listed, listed_named), (totals, totals_named)] = self.models;
        println!(
            "{title}: {} programs ({} not shown, {} not found), {} findings, {} sentences, {} false; causes named: \
             {listed_named} of {listed} with lists, {totals_named} of {totals} with totals; {:.0?} s",
            self.programs,
            self.not_shown,
            self.not_found,
            self.findings,
            self.sentences,
            self.false_sentences,
            self.seconds,
        );
    }
}

/// Returns the targets that show the planted bugs.
pub fn all_targets(max_nodes: u128) -> Vec<HuntTarget> {
    let mut all = targets("", max_nodes);
    all.extend(targets("right-", 50_000));
    all.extend((0..40).map(|number| random_target(3, number, 2)));
    all.extend(special_targets());
    all.push(after_castling());
    all
}

/// Returns a target after a castling move of each side.
fn after_castling() -> HuntTarget {
    let root = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    let play = |path: MovePath, text: &str| path.played(path.end.find_move(text).unwrap());
    let path = ["e1g1", "e8c8"].into_iter().fold(MovePath::new(root), play);
    HuntTarget { path, depths: vec![1, 2] }
}

/// Hunts on all programs, on all cores.
pub fn examine_all(programs: &[(Planted, Form)], targets: &[HuntTarget]) -> Results {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some(&(planted, form)) = programs.get(next.fetch_add(1, Relaxed)) {
                    let result = examine(planted, form, targets);
                    results.lock().unwrap().push((planted.name(), result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by(|a, b| a.0.cmp(&b.0));
    let mut all = Results::default();
    results.into_iter().for_each(|(_, result)| all.add(result));
    all
}

/// Hunts on one program and checks each sentence.
fn examine(planted: Planted, form: Form, targets: &[HuntTarget]) -> Results {
    let start = Instant::now();
    let log = Log::default();
    let options = SearchOptions { questions: 4_000, faults: 12, survey: 2_000, ..SearchOptions::default() };
    let source = || -> Box<dyn CountSource> { Box::new(Program::new(planted, form, &log)) };
    let target = |number| targets.get(number).cloned();
    let summary = hunt(target, source, options, &StopSignal::default(), |_| {});
    let hunted = start.elapsed().as_secs_f64();
    let facts = Facts::new(form, std::mem::take(&mut *log.lock().unwrap()));
    let mut result = judge(planted, form, &summary, &facts);
    result.seconds = [hunted, start.elapsed().as_secs_f64() - hunted];
    if result.seconds.iter().sum::<f64>() > SLOW {
        let name = planted.name();
        println!("{name} [{form:?}]: {} questions, {:.1?} s", facts.entries.len(), result.seconds);
    }
    result
}

fn judge(planted: Planted, form: Form, summary: &HuntSummary, facts: &Facts) -> Results {
    let findings = &summary.findings;
    let mut result = Results { programs: 1, findings: findings.len(), ..Results::default() };
    let name = format!("{} [{form:?}]", planted.name());
    if summary.faulty == 0 {
        result.not_shown = 1;
        result.report.push(format!("--- {name}\nno answer is wrong"));
    } else if findings.is_empty() {
        result.not_found = 1;
        result.report.push(format!("--- {name}\nNOT FOUND, although {} answers are wrong", summary.faulty));
    }
    for finding in findings {
        let told = sentences(finding, facts, planted);
        result.sentences += told.len();
        let wrong: Vec<&String> = told.iter().filter(|(_, is_true)| !is_true).map(|(text, _)| text).collect();
        result.false_sentences += wrong.len();
        if !wrong.is_empty() {
            let mut text = format!("--- {name}\n");
            wrong.iter().for_each(|sentence| writeln!(text, "FALSE {sentence}").unwrap());
            write!(text, "{finding}").unwrap();
            result.report.push(text);
        }
    }
    let excess = findings.len().saturating_sub(number(planted));
    if excess > 0 {
        result.sentences += excess;
        result.false_sentences += excess;
        let verdicts: Vec<&str> = findings.iter().map(|found| Verdict::name(found.verdict)).collect();
        result.report.push(format!("--- {name}\nFALSE {excess} findings too many: {}", verdicts.join(", ")));
    }
    if matches!(planted, Planted::Rule(_)) && !findings.is_empty() {
        let is_named = findings.iter().any(|finding| names_planted(finding, facts, planted));
        result.models[usize::from(form == Form::Totals)] = (1, usize::from(is_named));
    }
    result
}
