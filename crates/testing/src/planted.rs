//! Planted bugs: the broken generators as sources of counts and as engines, and what a hunt must say of each.

use std::time::Instant;

use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Move, Position, START_FEN, StopSignal, find_move};
use perft_diagnosis::serve::{DivideTask, UciEngine};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{Finding, HuntOptions, HuntSummary, HuntTarget, MovePath, Theme, Verdict, hunt};
use perft_lab::generators::Board;

use crate::faulty::{Broken, Faulty};

/// A broken generator that works as a program does: a position is set, moves are made on it, and the tree is walked on one
/// board by making and taking back.
#[derive(Clone)]
pub struct Planted<B> {
    board: Faulty<B>,
    notation: CastlingNotation,
}

impl<B: Broken> Planted<B> {
    /// Returns the board at the start position.
    pub fn new() -> Planted<B> {
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

impl<B: Broken> CountSource for Planted<B> {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        self.notation =
            if question.is_chess960 { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        self.set(&question.fen, &question.moves);
        Ok(Answer { moves: self.divide(question.depth), stated_total: None })
    }
}

impl<B: Broken> UciEngine for Planted<B> {
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

    fn divide(&self, depth: u32) -> DivideTask {
        let planted = self.clone();
        Box::new(move |_| Ok(planted.divide(depth)))
    }

    fn diagram(&self) -> String {
        String::new()
    }
}

/// The built-in positions whose name begins like this, with known counts that a slow generator can make.
pub fn quarries(prefix: &str, max_nodes: u128) -> Vec<HuntTarget> {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let quarries = cases.filter(|case| case.name().starts_with(prefix)).map(|case| {
        let known = case.expected.iter().filter(|known| known.nodes <= max_nodes);
        HuntTarget { path: MovePath::new(case.position), depths: known.map(|known| known.depth).collect() }
    });
    quarries.collect()
}

pub fn hunted(quarries: &[HuntTarget], suspect: &(dyn Fn() -> Box<dyn CountSource> + Sync)) -> HuntSummary {
    hunt(
        &|number| quarries.get(number).cloned(),
        &suspect,
        HuntOptions { threads: 2, ..HuntOptions::default() },
        &StopSignal::default(),
        || {},
    )
}

/// What is said of a bug when it is found.
pub struct Expected<'a> {
    pub verdict: Verdict,
    pub themes: &'a [Theme],
    /// Part of what the program must believe.
    pub belief: &'a str,
}

/// Hunts for a bug; every finding must name it.
pub fn is_found(
    name: &str,
    quarries: &[HuntTarget],
    suspect: &(dyn Fn() -> Box<dyn CountSource> + Sync),
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
        assert!(finding.hypothesis.as_deref().unwrap_or_default().contains(belief), "{name}");
        assert!(finding.fault.path.root.occupied().count() <= 8, "{name}");
    }
}

fn show(finding: &Finding) {
    let line = &finding.fault.path;
    println!(
        "  {} x{}: {} moves {:?} depth {}, {} men; belief {:?}; after {:?}",
        finding.verdict.name(),
        finding.times,
        perft_diagnosis::random::setup_of(&line.root).to_fen(),
        line.uci_moves(),
        finding.fault.depth,
        line.root.occupied().count(),
        finding.hypothesis,
        finding.taken_back(),
    );
    for disputed in &finding.wrong_moves {
        println!(
            "    {} {}: {} [{}]",
            if disputed.is_missing { "missing" } else { "extra" },
            disputed.text,
            disputed.why.text,
            disputed.why.theme.name()
        );
    }
}

/// Hands the list of planted bugs to a macro. Each row has the name of a test, the fault, the positions (by the beginning
/// of their names) and the largest count that is asked, the verdict, the rules that may be named, and a part of what the
/// source must believe.
#[macro_export]
macro_rules! each_planted_bug {
    ($macro:ident) => {
        $macro! {
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
    };
}
