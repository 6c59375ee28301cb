//! The hunt finds every planted bug in the suites without help, and says rightly what it is.

mod common;

use std::time::Instant;

use common::faulty::{self, Broken, Faulty};
use perft::chess::position::{Position, START_FEN};
use perft::chess::types::{CastlingNotation, Move};
use perft::engine::{Answer, Dialect, Divide, Engine, EngineError, EngineSpec, Question, Served, serve};
use perft::generators::Board;
use perft::hunt::{Bounds, Finding, Hunted, Line, Quarry, Suspect, Theme, Verdict, hunt, random_quarry};
use perft::movegen::find_move;
use perft::perft::StopSignal;
use perft::suite::builtin;

/// A broken generator that works as a program does: a position is set, moves are made on it, and the tree is walked on one
/// board by making and taking back.
#[derive(Clone)]
struct Planted<B> {
    board: Faulty<B>,
    notation: CastlingNotation,
}

impl<B: Broken> Planted<B> {
    fn new() -> Planted<B> {
        Planted { board: Faulty::new(&Position::start()), notation: CastlingNotation::Standard }
    }

    fn set(&mut self, fen: &str, moves: &[impl AsRef<str>]) {
        let mut truth = Position::from_fen(fen).unwrap();
        self.board = Faulty::new(&truth);
        for text in moves {
            let played = find_move(&truth, text.as_ref()).unwrap();
            self.board = self.board.played(played);
            truth = truth.play_unchecked(played);
        }
    }

    fn divide(&self, depth: u32) -> Vec<(String, u128)> {
        let mut moves = Vec::new();
        self.board.clone().each_child(|played: Move, child| {
            moves.push((played.to_uci(self.notation), count(child, depth - 1).into()));
        });
        moves
    }
}

fn count<B: Broken>(board: &mut Faulty<B>, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return board.count_moves(),
        _ => {}
    }
    let mut total = 0;
    board.each_child(|_, child| total += count(child, depth - 1));
    total
}

impl<B: Broken> Suspect for Planted<B> {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, EngineError> {
        self.notation =
            if question.is_chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        self.set(&question.fen, &question.moves);
        Ok(Answer { moves: self.divide(question.depth), stated_total: None })
    }
}

impl<B: Broken> Served for Planted<B> {
    fn name(&self) -> String {
        format!("Planted {:?}", B::FAULT)
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

    fn divide(&self, depth: u32) -> Divide {
        let planted = self.clone();
        Box::new(move |_| Ok(planted.divide(depth)))
    }

    fn drawing(&self) -> String {
        String::new()
    }
}

/// This test program, run as an engine with a bug: a test that serves, alone, on the test's own standard input and output.
fn engine(serving: &str) -> EngineSpec {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let test = format!("serving::{serving}");
    let arguments = ["--ignored", "--exact", &test, "--nocapture", "--test-threads", "1"];
    let command = std::iter::once(program).chain(arguments.map(str::to_owned)).collect();
    EngineSpec { command, ..EngineSpec::parse("-", Dialect::Uci).unwrap() }
}

/// The built-in positions whose name begins like this, with known counts that a slow generator can make.
fn quarries(prefix: &str, max_nodes: u128) -> Vec<Quarry> {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let quarries = cases.filter(|case| case.name().starts_with(prefix)).map(|case| {
        let known = case.expected.iter().filter(|known| known.nodes <= max_nodes);
        Quarry { line: Line::from(case.position), depths: known.map(|known| known.depth).collect() }
    });
    quarries.collect()
}

fn hunted(quarries: &[Quarry], suspect: &(dyn Fn() -> Box<dyn Suspect> + Sync)) -> Hunted {
    hunt(
        &|number| quarries.get(number).cloned(),
        2,
        &suspect,
        Bounds::default(),
        &StopSignal::default(),
        || {},
    )
}

/// What is said of a bug when it is found.
struct Expected<'a> {
    verdict: Verdict,
    themes: &'a [Theme],
    /// Part of what the program must believe.
    belief: &'a str,
}

/// Hunts for a bug; every finding must name it.
fn is_found(
    name: &str,
    quarries: &[Quarry],
    suspect: &(dyn Fn() -> Box<dyn Suspect> + Sync),
    Expected { verdict, themes, belief }: Expected,
) {
    let start = Instant::now();
    let hunted = hunted(quarries, suspect);
    println!(
        "{name}: {} findings, {} of {} positions faulty, {} questions, {:.2} s",
        hunted.findings.len(),
        hunted.faulty,
        hunted.positions,
        hunted.questions,
        start.elapsed().as_secs_f64()
    );
    hunted.findings.iter().for_each(show);
    assert!(!hunted.findings.is_empty(), "{name} is not found");
    for finding in &hunted.findings {
        assert_eq!(finding.verdict, verdict, "{name}");
        assert!(finding.themes().iter().all(|(theme, _)| themes.contains(theme)), "{name}");
        assert!(finding.belief.as_deref().unwrap_or_default().contains(belief), "{name}");
        assert!(finding.fault.line.root.occupied().count() <= 8, "{name}");
    }
}

fn show(finding: &Finding) {
    let line = &finding.fault.line;
    println!(
        "  {} x{}: {} moves {:?} depth {}, {} men; belief {:?}; after {:?}",
        finding.verdict.name(),
        finding.times,
        perft::hunt::random::setup_of(&line.root).to_fen(),
        line.uci_moves(),
        finding.fault.depth,
        line.root.occupied().count(),
        finding.belief,
        finding.taken_back(),
    );
    for disputed in &finding.disputed {
        println!(
            "    {} {}: {} [{}]",
            if disputed.is_missing { "missing" } else { "extra" },
            disputed.text,
            disputed.why.text,
            disputed.why.theme.name()
        );
    }
}

macro_rules! found {
    ($($test:ident $fault:ident $prefix:literal $max_nodes:literal $verdict:ident [$($theme:ident)*] $belief:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let themes = [$(Theme::$theme),*];
                let expected = Expected { verdict: Verdict::$verdict, themes: &themes, belief: $belief };
                let suspect = || -> Box<dyn Suspect> { Box::new(Planted::<faulty::$fault>::new()) };
                is_found(stringify!($fault), &quarries($prefix, $max_nodes), &suspect, expected);
            }
        )*

        /// The same bugs in programs of their own.
        mod over_processes {
            use super::*;

            $(
                #[test]
                fn $test() {
                    let themes = [$(Theme::$theme),*];
                    let expected = Expected { verdict: Verdict::$verdict, themes: &themes, belief: $belief };
                    let suspect = || -> Box<dyn Suspect> { Box::new(Engine::new(engine(stringify!($test)))) };
                    is_found(stringify!($fault), &quarries($prefix, $max_nodes), &suspect, expected);
                }
            )*
        }

        /// Engines, not tests: see [`engine`].
        mod serving {
            use super::*;

            $(
                #[test]
                #[ignore = "an engine, which waits for commands"]
                fn $test() {
                    let mut planted = Planted::<faulty::$fault>::new();
                    serve(&mut planted, std::io::stdin().lock(), &mut std::io::stdout()).unwrap();
                }
            )*
        }
    };
}

// The bug; the positions and how deep they are counted; the verdict, the rules named, and what the program must believe.
found! {
    en_passant_pin EnPassantPin "" 5_000 Generation [EnPassantRank EnPassantDiagonal] "";
    en_passant_stays EnPassantStays "" 5_000 Make [EnPassantSquare EnPassantRank EnPassantPin] "a pawn can be captured en passant";
    castling_through_check CastlingThroughCheck "" 5_000 Generation [CastlingThroughCheck] "";
    castling_out_of_check CastlingOutOfCheck "" 5_000 Generation [CastlingInCheck] "";
    castling_through_pieces CastlingThroughPieces "" 5_000 Generation [CastlingBlocked] "";
    rook_capture_keeps_right RookCaptureKeepsRight "right-second-rook" 3_000_000 Make [CastlingRight] "still has the right to castle with the rook";
    rook_move_keeps_right RookMoveKeepsRight "right-rook" 1_000_000 Make [CastlingRight] "still has the right to castle with the rook";
    king_move_keeps_rights KingMoveKeepsRights "" 5_000 Make [CastlingRight KingStep] "still has the right to castle with the rook";
    pinned_piece_moves PinnedPieceMoves "" 5_000 Generation [PinnedPiece PinnedKnight] "";
    pinned_pawn_captures PinnedPawnCaptures "" 5_000 Generation [PinnedPawn] "";
    double_check DoubleCheck "" 5_000 Generation [DoubleCheck] "";
    king_steps_back KingStepsBack "" 5_000 Generation [KingAlongLine] "";
    no_knight_promotion NoKnightPromotion "" 5_000 Generation [Promotion PromotionCapture] "";
    capture_promotes_to_queen CapturePromotesToQueen "" 5_000 Generation [PromotionCapture] "";
    double_step_jumps DoubleStepJumps "" 5_000 Generation [Blocked] "";
    unmake_loses_rights UnmakeLosesRights "" 5_000 Unmake [] "has no right to castle with the rook";
    unmake_keeps_promotion UnmakeKeepsPromotion "" 5_000 Unmake [] "";
    unmake_loses_pawn UnmakeLosesPawn "" 5_000 Unmake [] "pawn on";
}

#[test]
fn the_same_board_without_a_fault_is_never_accused() {
    let suspect = || -> Box<dyn Suspect> { Box::new(Planted::<faulty::Sound>::new()) };
    let hunted = hunted(&quarries("", 2_000), &suspect);
    assert_eq!((hunted.findings, hunted.faulty), (Vec::new(), 0));
}

/// Random positions find bugs too, and a seed finds the same ones again.
#[test]
fn random_positions_find_bugs_and_a_seed_the_same_again() {
    let hunted = |seed| {
        let quarry = |number| (number < 2_000).then(|| random_quarry(seed, number as u64, 2));
        let suspect = || -> Box<dyn Suspect> { Box::new(Planted::<faulty::PinnedPieceMoves>::new()) };
        let bounds = Bounds { findings: 1, ..Bounds::default() };
        hunt(&quarry, 1, &suspect, bounds, &StopSignal::default(), || {}).findings
    };
    let found = hunted(1);
    assert!(found.iter().all(|finding| finding.verdict == Verdict::Generation) && !found.is_empty());
    assert!(found.iter().all(|finding| finding.fault.line.root.occupied().count() <= 8));
    assert_eq!(found, hunted(1));
}

/// Programs that fail in other ways than by a wrong move.
#[test]
fn failures_and_wrong_sums_are_findings_of_their_own() {
    struct Other(Verdict);
    impl Suspect for Other {
        fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, EngineError> {
            let answer = Planted::<faulty::Sound>::new().ask(question, stop)?;
            match self.0 {
                Verdict::NoAnswer if question.depth == 3 => Err(EngineError::NoCount("nothing".to_owned())),
                Verdict::Sum => Ok(Answer { stated_total: Some(answer.sum() + 1), ..answer }),
                _ => Ok(answer),
            }
        }
    }
    for verdict in [Verdict::NoAnswer, Verdict::Sum] {
        let quarry = Quarry { line: Line::from(Position::start()), depths: vec![1, 2, 3] };
        let suspect = || -> Box<dyn Suspect> { Box::new(Other(verdict)) };
        let hunted = hunted(&[quarry], &suspect);
        let verdicts: Vec<Verdict> = hunted.findings.iter().map(|finding| finding.verdict).collect();
        assert_eq!((hunted.faulty, verdicts), (1, vec![verdict]));
    }
}

/// A program that says only totals is asked move by move, and its bug is still led back to one position.
#[test]
fn bare_totals_lead_to_the_position_too() {
    struct Totals(Planted<faulty::PinnedPieceMoves>);
    impl Suspect for Totals {
        fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, EngineError> {
            let total = self.0.ask(question, stop)?.sum();
            Ok(Answer { moves: Vec::new(), stated_total: Some(total) })
        }
    }
    let root = Position::from_fen("4k3/3r4/8/8/8/8/4N3/4K3 b - - 0 1").unwrap();
    let quarry = Quarry { line: Line::from(root), depths: vec![1, 2] };
    let suspect = || -> Box<dyn Suspect> { Box::new(Totals(Planted::new())) };
    let hunted = hunted(&[quarry], &suspect);
    let [finding] = &hunted.findings[..] else { panic!("{:?}", hunted.findings) };
    assert_eq!((finding.verdict, finding.fault.depth), (Verdict::Generation, 1));
    assert_eq!(finding.origin.uci_moves(), ["d7e7"]);
    assert!(
        finding.fault.line.end.piece_at(perft::chess::types::Square::E2).is_some(),
        "the pinned knight stays"
    );
}

/// What the program prints of a bug, and with which exit code it ends.
mod program {
    use super::*;
    use assert_cmd::Command;

    /// The command line of a broken engine.
    fn command(serving: &str) -> String {
        let words = engine(serving).command;
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<String>>().join(" ")
    }

    fn perft(arguments: &[&str], engine: &str) -> (i32, String, String) {
        let output =
            Command::cargo_bin("perft").unwrap().args(arguments).args(["--engine", engine]).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    const PINNED: &str = "4k3/7r/8/8/1b6/8/3N4/4K3 b - - 0 1";

    #[test]
    fn a_bug_is_shown_with_board_reason_and_verdict() {
        let (code, text, errors) =
            perft(&["hunt", "--fen", PINNED, "-d", "2"], &command("pinned_piece_moves"));
        assert_eq!((code, errors.as_str()), (1, ""), "{text}");
        for line in [
            "bug 1 of 1: generation, pinned-knight; met ",
            "4 . b . . . . . .",
            "position  ",
            "depth 1   ",
            "extra     d2",
            " is illegal: the knight on d2 is pinned to its king on e1 by the bishop on b4",
            "verdict   generation: the moves are wrong on the bare position too",
            "suite     ",
            ";id \"hunt-pinned-knight\" ;c0 \"generation: ",
            ": 1 bug: 1 of 1 positions are answered wrongly; ",
        ] {
            assert!(text.contains(line), "no '{line}' in\n{text}");
        }
    }

    #[test]
    fn a_path_is_shown_where_only_a_path_shows_the_bug() {
        let root = ["hunt", "--fen", "4k3/6b1/8/8/8/8/8/RR2K3 w Q -", "-d", "5"];
        let (code, text, _) = perft(&root, &command("rook_capture_keeps_right"));
        assert_eq!(code, 1);
        for line in [
            "reached   ",
            " moves ",
            "verdict   make: ",
            "as if     White still has the right to castle",
            "queen-side right is gone",
        ] {
            assert!(text.contains(line), "no '{line}' in\n{text}");
        }
    }

    #[test]
    fn epd_goes_into_a_suite_that_our_own_generator_passes() {
        let (code, epd, _) =
            perft(&["hunt", "--fen", PINNED, "-d", "2", "--epd"], &command("pinned_piece_moves"));
        assert_eq!(code, 1);
        Command::cargo_bin("perft").unwrap().args(["suite", "-"]).write_stdin(epd.clone()).assert().success();
        Command::cargo_bin("perft")
            .unwrap()
            .args(["suite", "-", "--engine", &command("pinned_piece_moves")])
            .write_stdin(epd)
            .assert()
            .code(1);
    }

    #[test]
    fn json_has_it_all() {
        let arguments = ["fuzz", "--positions", "2000", "--json"];
        let (code, text, _) = perft(&arguments, &command("castling_out_of_check"));
        assert_eq!(code, 1);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let finding = &report["findings"][0];
        assert_eq!(report["mode"], "fuzz");
        assert_eq!(report["seed"], 1);
        assert_eq!(finding["verdict"], "generation");
        assert_eq!(finding["themes"][0], "castling-in-check");
        assert_eq!(finding["extra"][0]["theme"], "castling-in-check");
        assert!(finding["found"].as_u64() > finding["expected"].as_u64());
    }

    #[test]
    fn nothing_found_is_success_and_no_answer_a_failure_of_the_program() {
        let (code, text, _) = perft(&["hunt", "-d", "3", "--fen", "start"], &command("double_check"));
        assert_eq!(code, 0, "{text}");
        assert!(text.contains(": no bug found: 0 of 1 positions"), "{text}");
        let fake = format!("sh {}/tests/engines/fake.sh dies", env!("CARGO_MANIFEST_DIR"));
        let (code, text, _) = perft(&["hunt", "-d", "2", "--fen", "start"], &fake);
        assert_eq!(code, 4, "{text}");
        for words in ["verdict   no-answer: ", "no king", "Fake 1.0: 1 bug: "] {
            assert!(text.contains(words), "no '{words}' in\n{text}");
        }
    }

    /// A signal ends the hunt, but not what it has found.
    #[cfg(unix)]
    #[test]
    fn what_was_found_is_told_when_the_hunt_is_interrupted() {
        use std::io::{BufRead, BufReader};
        let arguments = ["fuzz", "--positions", "100M", "--findings", "100", "--progress", "never"];
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_perft"))
            .args(arguments)
            .args(["--engine", &command("pinned_piece_moves")])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(2));
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let lines: Vec<String> =
            BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
        assert!(lines.iter().any(|line| line.starts_with("bug 1 of ")), "{lines:?}");
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }

    #[test]
    fn wrong_usage_is_said_to() {
        for (arguments, message) in [
            (&["hunt"][..], "no program to hunt in"),
            (&["fuzz"], "no program to hunt in"),
            (&["hunt", "--depth", "3"], "--fen <FEN|NAME>"),
            (&["hunt", "start", "--fen", "start"], "cannot be used with"),
        ] {
            let output = Command::cargo_bin("perft").unwrap().args(arguments).output().unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{errors}");
            assert!(errors.contains(message), "{errors}");
        }
    }
}
