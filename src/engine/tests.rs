//! Engines: a scripted one that fails in many ways, and Stockfish where it is installed.

use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use perft_core::{Position, StopSignal};
use perft_diagnosis::Verdict;
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{Answer, CountSource, End, Profile, Question, SourceError};
use perft_testing::planted::{ExpectedFinding, assert_found, targets};
use perft_testing::programs::example;
use perft_testing::stockfish;
use tempfile::TempDir;

use super::exam::examine;
use super::process::next_line;
use super::process::{Deadline, Process};
use super::{Dialect, Engine, EngineSpec, Transcript};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");

/// The scripted engine in one of its modes, with a folder for its files.
struct Fake {
    _folder: TempDir,
    engine: Engine,
}

impl Fake {
    fn with_limit(mode: &str, answer_limit: Duration) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let spec = EngineSpec::parse(&format!("sh {FAKE} {mode} {}", mark.display()), None).unwrap();
        let engine = Engine::new(EngineSpec { answer_limit, ..spec });
        Fake { _folder: folder, engine }
    }

    fn ask(&mut self, depth: u32) -> Result<Answer, SourceError> {
        self.engine.ask(&Question::new(&Position::start(), depth), &StopSignal::default())
    }
}

#[test]
fn depth_0_is_answered_without_asking() {
    assert_eq!(Fake::with_limit("deaf", Duration::from_secs(1)).ask(0).unwrap().total(), 1);
}

#[test]
fn a_crashed_engine_is_started_again() {
    let mut fake = Fake::with_limit("dies-once", Duration::from_secs(10));
    assert!(matches!(fake.ask(1), Err(SourceError::Ended { .. })));
    assert_eq!(fake.ask(1).unwrap().total(), 20);
}

#[test]
fn endless_output_is_an_error() {
    let error = Fake::with_limit("flood", Duration::from_secs(60)).ask(1);
    assert!(matches!(error, Err(SourceError::NoCount(_))), "{error:?}");
    let error = Fake::with_limit("long-line", Duration::from_secs(60)).ask(1);
    assert!(matches!(error, Err(SourceError::Unreadable(_))), "{error:?}");
}

#[test]
fn other_output_around_an_answer_is_ignored() {
    assert_eq!(Fake::with_limit("garbage", Duration::from_secs(10)).ask(2).unwrap().total(), 400);
}

/// The answer to the first question arrives after the second question was sent.
#[test]
fn a_late_answer_is_not_used_for_the_next_question() {
    let mut fake = Fake::with_limit("late", Duration::from_millis(700));
    assert!(matches!(fake.ask(2), Err(SourceError::TimedOut(..))));
    assert_eq!(fake.ask(1).unwrap().total(), 20);
}

#[test]
fn the_rest_of_an_answer_is_not_used_for_the_next_question() {
    let mut fake = Fake::with_limit("twice", Duration::from_secs(10));
    for depth in [1, 2, 1] {
        assert_eq!(fake.ask(depth).unwrap().total(), 20_i128.pow(depth));
    }
}

/// Scripts that follow the conventions of perftree and of qperft.
#[test]
fn programs_can_be_run_once_for_each_question() {
    let start = Position::start();
    let ask_for = |total: &str, command: &str, dialect, question: &Question| {
        let profile = profile(Some(total), End::Silence);
        let spec = EngineSpec::parse(command, None).unwrap();
        let spec = if spec.has_words { spec } else { spec.asked_in(dialect) };
        Engine::new(EngineSpec { profile: Some(profile), ..spec }).ask(question, &StopSignal::default())
    };
    let ask = |command: &str, dialect, question: &Question| ask_for("#1", command, dialect, question);
    let question = Question { moves: vec!["e2e4".to_owned(), "e7e5".to_owned()], ..Question::new(&start, 3) };
    let dialect = |name: &str| name.parse::<&Dialect>().unwrap();
    let echo = r#"sh -c 'echo "a2a3 $1"; echo "a2a4 2"; echo; echo $(($1 + 2))' script"#;
    assert_eq!(ask(echo, dialect("perftree"), &question).unwrap().total(), 5);
    let shows = r#"sh -c 'test "$3" = "e2e4 e7e5" && echo 7' script"#;
    assert_eq!(ask(shows, dialect("perftree"), &question).unwrap().total(), 7);
    assert!(matches!(ask("sh -c 'exit 4'", dialect("perftree"), &question), Err(SourceError::Ended { .. })));
    let leaves_a_child = ask("sh -c 'sleep 1000 & echo 7'", dialect("perftree"), &question);
    assert_eq!(leaves_a_child.unwrap().total(), 7);
    let hello = ask("echo hello", dialect("perftree"), &question);
    assert!(matches!(&hello, Err(SourceError::Refused(said)) if said.starts_with("hello")), "{hello:?}");

    let prints = r#"sh -c 'echo "2. e2e4 moves = 20 (0.0 sec)"; echo "perft( 1)= 1 (0 sec)"; echo "perft( 2)= 20 (0 sec)"'"#;
    let answer = ask_for(") = #1", prints, dialect("qperft"), &Question::new(&start, 2)).unwrap();
    assert_eq!(answer.total(), 20);
    let placeholders = r#"sh -c 'echo "e2e4 $1"; echo "$1"' script {depth} {fen}"#;
    assert_eq!(ask(placeholders, &Dialect::all()[0], &question).unwrap().total(), 3);
}

fn profile(total: Option<&str>, end: End) -> Profile {
    Profile { total: total.map(str::to_owned), end, ..Profile::of_stockfish() }
}

/// Returns a UCI engine, written in the shell, that runs these commands when it is asked for a perft.
fn shell_engine(perft: &str) -> EngineSpec {
    let script = format!(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) {perft};; quit) exit;; esac; done"
    );
    let spec = EngineSpec::of_words(vec!["sh".to_owned(), "-c".to_owned(), script]).unwrap();
    EngineSpec { answer_limit: Duration::from_secs(20), ..spec }
}

#[test]
fn silence_is_an_answer_only_where_there_are_no_moves() {
    let silent = EngineSpec { profile: Some(profile(None, End::Silence)), ..shell_engine(":") };
    let ask = |fen: &str| {
        let question = Question::new(&fen.parse().unwrap(), 2);
        Engine::new(silent.clone()).ask(&question, &StopSignal::default())
    };
    assert_eq!(ask("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap().total(), 0);
    assert!(matches!(ask(perft_core::START_FEN), Err(SourceError::NotUnderstood { .. })));
}

fn ask_shell_engine(perft: &str, profile: Profile) -> Result<Answer, SourceError> {
    let spec = EngineSpec { profile: Some(profile), ..shell_engine(perft) };
    Engine::new(spec).ask(&Question::new(&Position::start(), 1), &StopSignal::default())
}

#[test]
fn answers_end_in_many_ways() {
    let after = |times, more| End::Total { times: Some(times), more };
    let total = Some("node");
    for (perft, total, end, answer) in [
        ("echo 'e2e4: 1'; echo 'Nodes: 1'", total, End::Ready, (1, Some(1))),
        ("echo 'e2e4: 1'; printf 'Nodes: 1 '", total, End::Ready, (1, Some(1))),
        ("echo 'e2e4: 1'; echo 'd2d4: 1'", None, End::Ready, (2, None)),
        ("printf 'readyok'; echo 'e2e4: 1'; echo 'Nodes: 1'", total, End::Ready, (1, Some(1))),
        ("(sleep 0.02; echo 'e2e4: 1'; echo 'Nodes: 1') &", total, after(1, 0), (1, Some(1))),
        ("(echo 'Nodes: 1'; sleep 0.02; echo 'Nodes: 2') &", total, after(2, 0), (0, Some(2))),
        ("(echo 'Nodes: 1'; sleep 0.02; echo 'Time: 3') &", total, after(1, 1), (0, Some(1))),
        ("printf 'e2e4: 1\\nNodes: 1'; exit", total, End::Silence, (1, Some(1))),
        // The moves come through another pipe than the total and `readyok`, and later.
        ("(sleep 0.02; echo 'e2e4: 1') >&2 & echo 'Nodes: 1'", total, after(1, 0), (1, Some(1))),
        (
            "echo 'e2e4: 1' >&2; echo 'Nodes: 3'; (sleep 0.02; echo 'd2d4: 2' >&2) &",
            total,
            End::Silence,
            (2, Some(3)),
        ),
        (
            "(sleep 0.02; echo 'e2e4: 1'; echo 'd2d4: 2') >&2 & echo 'Nodes: 3'",
            total,
            End::Silence,
            (2, Some(3)),
        ),
    ] {
        let lists_from = perft.contains(">&2").then_some(1);
        let profile = Profile { lists_from, ..profile(total, end) };
        let found = ask_shell_engine(perft, profile);
        let found = found.unwrap_or_else(|error| panic!("{perft}: {error}"));
        assert_eq!((found.moves.len(), found.stated_total), answer, "{perft}");
    }
}

/// The program counts in another thread and says at once that it is ready, or counts behind a relay. What it has counted
/// so far looks like the end of the answer.
#[test]
fn an_answer_goes_on_after_a_line_of_progress() {
    let moves = "for move in d2d4 c2c4 a2a3 a2a4 b2b3 b2b4 c2c3 d2d3 e2e3 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 b1a3 b1c3 g1f3 g1h3; \
        do echo $move: 20; done";
    let totals = "(sleep 0.2; echo 'Nodes: 12000'; sleep 0.3; echo 'Nodes: 97862') &".to_owned();
    let list = format!("(echo 'e2e4: 20'; echo 'Nodes: 20'; sleep 0.2; {moves}; echo 'Nodes: 400') &");
    let silence = "(sleep 1.3; echo 'Nodes: 97862') &".to_owned();
    let behind = format!("echo 'Nodes: 400'; (sleep 0.1; echo 'e2e4: 20'; {moves}) &");
    let cases = [(totals, 4, 0, 97_862), (list, 2, 20, 400), (silence, 4, 0, 97_862), (behind, 2, 20, 400)];
    std::thread::scope(|scope| {
        for (perft, depth, moves, total) in &cases {
            scope.spawn(move || {
                let end = End::Total { times: Some(1), more: 0 };
                let column = (*moves > 0).then(|| "#1".to_owned());
                let lists_from = perft.starts_with("echo").then_some(1);
                let learned = Profile { column, lists_from, ..profile(Some("node"), end) };
                let mut engine = Engine::new(EngineSpec { profile: Some(learned), ..shell_engine(perft) });
                let question = Question::new(&Position::start(), *depth);
                for _ in 0..2 {
                    let answer = engine.ask(&question, &StopSignal::default()).unwrap();
                    assert_eq!((answer.moves.len(), answer.total()), (*moves, *total), "{perft}");
                }
            });
        }
    });
}

#[test]
fn what_a_terminal_overwrites_is_no_part_of_a_line() {
    let lines = |text: &str| -> Vec<String> {
        let (mut output, unfinished) = (text.as_bytes(), Mutex::default());
        std::iter::from_fn(|| next_line(&mut output, &unfinished).unwrap()).collect()
    };
    assert_eq!(lines("e2e4: 20\r\nd2d4: 20\r\r\n"), ["e2e4: 20", "d2d4: 20"]);
    assert_eq!(lines("10%\r20%\r\re2e4: 20\n\rd2d4: 20\n\r"), ["e2e4: 20", "d2d4: 20", ""]);
    assert_eq!(lines("12%\x08\x08\x08done \u{e9}\x08\x08\x08\x08\x08\x08\x08e2e4: 20"), ["e2e4: 20"]);
    assert_eq!(lines(&"10%\r".repeat(50_000)), ["10%"]);
}

/// The engine plays a move after each command, unless `force` is sent after the position.
#[test]
fn an_xboard_engine_is_told_not_to_play() {
    let script = "while read -r word rest; do case $word in \
        protover) echo 'feature ping=1 done=1';; ping) echo pong $rest;; force) forced=1;; setboard) forced=;; \
        perft) if [ $forced ]; then echo 'e2e4 1'; echo 'Nodes: 1'; else echo 'move e2e4'; fi;; quit) exit;; esac; done";
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    let ask = |spec: EngineSpec| {
        let profile = Some(profile(Some("node"), End::Silence));
        let spec = EngineSpec { answer_limit: Duration::from_secs(20), profile, ..spec };
        Engine::new(spec).ask(&Question::new(&Position::start(), 1), &StopSignal::default())
    };
    let spec = EngineSpec::of_words(words).unwrap().asked_in("cecp-perft".parse().unwrap());
    assert_eq!(ask(spec.clone()).unwrap().total(), 1);
    let lines = ["setboard {fen_after}", "perft {depth}"].map(str::to_owned).to_vec();
    let refused = ask(spec.clone().with_lines(lines));
    assert_eq!(refused, Err(SourceError::Refused("move e2e4".to_owned())));
    for dialect in ["setboard-perft", "quit-perft"] {
        assert_eq!(ask(spec.clone().asked_in(dialect.parse().unwrap())).unwrap().total(), 1, "{dialect}");
    }
}

/// Examines a program in a dialect that is only tried.
fn try_dialect(spec: EngineSpec, dialect: &str) -> SourceError {
    let spec = EngineSpec { start_limit: Duration::from_secs(2), is_trial: true, ..spec };
    let mut engine = Engine::new(spec.asked_in(dialect.parse().unwrap()));
    examine(&mut engine, &StopSignal::default()).unwrap_err()
}

/// A program that is only tried is given up when it is idle, and otherwise at the time limit of the start.
#[test]
fn a_program_that_does_not_count_is_given_up_early() {
    let silent = ["sh", "-c", "sleep 1000"].map(str::to_owned);
    let silent = EngineSpec { command: silent.to_vec(), ..shell_engine("") };
    for (engine, dialect) in [
        (shell_engine("sleep 1000"), "uci"),
        (shell_engine("echo 'unknown command'"), "uci"),
        (shell_engine(":"), "setboard-perft"),
        (silent.clone(), "quit-perft"),
        (silent, "perftree"),
    ] {
        let begin = Instant::now();
        let limit = Duration::from_secs(60);
        let error = try_dialect(EngineSpec { answer_limit: limit, ..engine }, dialect);
        let is_expected = matches!(error, SourceError::NotUnderstood { .. } | SourceError::TimedOut(..));
        assert!(is_expected, "{dialect}: {error}");
        assert!(begin.elapsed() < limit / 2, "{dialect}: {:?}", begin.elapsed());
    }
    for perft in ["echo 'info depth 1 score cp 35 pv e2e4'", "echo 'bestmove e2e4'"] {
        assert!(matches!(try_dialect(shell_engine(perft), "uci"), SourceError::Searched(_)), "{perft}");
    }
}

#[test]
fn a_long_answer_is_no_error_and_a_long_introduction_is() {
    let script = |introduction: &str, lines: u32| {
        format!(
            "while read -r word rest; do case $word in uci) {introduction}; echo 'option name MultiPV type spin'; echo uciok;; \
             isready) echo readyok;; go) seq -f 'info depth 1 multipv %.0f score cp 20 nodes 20 pv e2e4' {lines}; \
             echo bestmove e2e4;; quit) exit;; esac; done"
        )
    };
    let ask = |script: String| {
        let words = vec!["sh".to_owned(), "-c".to_owned(), script];
        let spec = EngineSpec::of_words(words).unwrap().asked_in("uci-multipv".parse().unwrap());
        let limit = Duration::from_secs(60);
        let spec = EngineSpec { answer_limit: limit, start_limit: limit, ..spec };
        Engine::new(spec).ask(&Question::new(&Position::start(), 1), &StopSignal::default())
    };
    assert_eq!(ask(script(":", 30_000)).unwrap().moves, [("e2e4".to_owned(), 1)]);
    let error = ask(script("seq -f 'option name %.0f type string' 50000", 1)).unwrap_err();
    assert!(
        matches!(&error, SourceError::NoCount(why) if why.contains("more than 1 MiB of output")),
        "{error}"
    );
}

/// The program ends at once, but leaves a child that keeps running.
#[test]
fn what_a_program_leaves_is_killed_before_its_number_is_free() {
    let script = "sleep 1000 >/dev/null 2>&1 & echo $!; exit 3";
    let command = ["sh", "-c", script].map(str::to_owned);
    let mut process = Process::start(&command, None, &Transcript::default()).unwrap();
    let deadline = Deadline::new(Duration::from_secs(10), &StopSignal::default());
    let child = process.line(&deadline).unwrap().unwrap();
    assert_eq!(process.line(&deadline).unwrap(), None);
    assert_eq!(process.wait_briefly().unwrap().code(), Some(3));
    let begin = Instant::now();
    let state = || Command::new("ps").args(["-o", "stat=", "-p", &child]).output().unwrap().stdout;
    while state().first().is_some_and(|&state| state != b'Z') {
        assert!(begin.elapsed() < Duration::from_secs(10), "it still runs");
    }
}

#[test]
fn a_program_that_does_not_end_is_waited_for_once() {
    let command = ["sleep", "1000"].map(str::to_owned);
    let mut process = Process::start(&command, None, &Transcript::default()).unwrap();
    let times = [(); 2].map(|()| {
        let begin = Instant::now();
        assert!(process.wait_briefly().is_none());
        begin.elapsed()
    });
    assert!(times[1] < times[0] / 2, "{times:?}");
}

#[test]
fn a_program_that_never_reads_does_not_block() {
    let spec = EngineSpec::parse("sh -c 'echo uciok; sleep 100'", None)
        .unwrap()
        .asked_in("fen-perft".parse().unwrap());
    let mut engine = Engine::new(EngineSpec { answer_limit: Duration::from_millis(1500), ..spec });
    let question = Question { fen: "8/".repeat(50_000), ..Question::new(&Position::start(), 1) };
    assert!(engine.ask(&question, &StopSignal::default()).is_err());
}

#[test]
fn programs_without_a_perft_list_their_moves_by_a_search() {
    let Some(path) = stockfish() else { return };
    let mut engine =
        Engine::new(EngineSpec::parse(path, None).unwrap().asked_in("uci-multipv".parse().unwrap()));
    let stop = StopSignal::default();
    for (fen, moves) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 48),
        ("R6k/6pp/8/8/8/8/8/K7 b - - 0 1", 0),
    ] {
        let answer = engine.ask(&Question::new(&Position::from_fen(fen).unwrap(), 1), &stop).unwrap();
        assert_eq!((answer.moves.len(), answer.total()), (moves, moves as i128));
    }
    assert_eq!(engine.abilities().max_depth, Some(1));
    assert!(engine.abilities().is_chess960);
}

#[test]
fn a_move_that_is_taken_back_wrongly_is_found() {
    let name = Mutation::UnmakeLosesPawn.name();
    let program = example("test-engine").to_str().unwrap().to_owned();
    let command = vec![program, "faulty".to_owned(), name.to_owned()];
    let end = End::Total { times: Some(1), more: 0 };
    let profile = Some(Profile { end, ..Profile::of_stockfish() });
    let engine = EngineSpec { command, profile, ..EngineSpec::parse("-", None).unwrap() };
    let source = || -> Box<dyn CountSource> { Box::new(Engine::new(engine.clone())) };
    let expected = ExpectedFinding { verdict: Verdict::Unmake, themes: &[] };
    assert_found(name, &targets("", 5_000), source, expected);
}
