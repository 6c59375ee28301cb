//! Checks the findings of a hunt for each planted bug.

use std::collections::BTreeSet;
use std::time::Instant;

use perft_core::suite::builtin;
use perft_core::{Square, StopSignal, impossibilities};
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{
    ArrowKind, Drawing, Finding, HuntSummary, HuntTarget, MovePath, SearchOptions, Theme, Verdict, hunt,
};

/// Returns the built-in positions whose names start with `prefix`, with the depths whose counts are at most
/// `max_nodes`.
pub fn targets(prefix: &str, max_nodes: u128) -> Vec<HuntTarget> {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let targets = cases.filter(|case| case.name().starts_with(prefix)).map(|case| {
        let known = case.expected.iter().filter(|known| known.nodes <= max_nodes);
        HuntTarget { path: MovePath::new(case.position), depths: known.map(|known| known.depth).collect() }
    });
    targets.collect()
}

/// Hunts on all targets, on two threads.
pub fn hunt_all(targets: &[HuntTarget], source: impl Fn() -> Box<dyn CountSource> + Sync) -> HuntSummary {
    let options = SearchOptions { threads: 2, ..SearchOptions::default() };
    hunt(|number| targets.get(number).cloned(), source, options, &StopSignal::default(), |_| {})
}

/// The properties that every finding about a planted bug must have.
#[derive(Clone, Copy)]
pub struct ExpectedFinding<'a> {
    /// The kind of the bug.
    pub verdict: Verdict,
    /// The themes that may be named.
    pub themes: &'a [Theme],
}

/// Hunts for a bug and checks that there are findings, and that each of them is as expected.
///
/// # Panics
/// Panics if the bug is not found, or if a finding is not as expected.
pub fn assert_found(
    name: &str,
    targets: &[HuntTarget],
    source: impl Fn() -> Box<dyn CountSource> + Sync,
    expected: ExpectedFinding,
) {
    let start = Instant::now();
    let summary = hunt_all(targets, source);
    println!(
        "{name}: {} findings, {} of {} positions faulty, {} questions, {:.2} s",
        summary.findings.len(),
        summary.faulty,
        summary.positions,
        summary.questions,
        start.elapsed().as_secs_f64()
    );
    summary.findings.iter().for_each(|finding| println!("{finding}"));
    assert!(!summary.findings.is_empty(), "{name} is not found");
    for finding in &summary.findings {
        let ExpectedFinding { verdict, themes } = expected;
        assert_eq!(finding.verdict, verdict, "{name}");
        assert!(finding.themes().iter().all(|(theme, _)| themes.contains(theme)), "{name}");
        let causes: Vec<String> = finding.causes.models.iter().map(|model| model.name()).collect();
        assert!(causes.iter().any(|cause| cause == name), "{name}: {causes:?}");
        assert_drawn(finding);
        let (root, origin) = (&finding.fault.path.root, &finding.origin.root);
        assert!(root.occupied().count() <= 8, "{name}");
        assert!(impossibilities(root).is_empty() || !impossibilities(origin).is_empty(), "{name}: {root}");
    }
}

/// The first words of the lines of a finding that repeat positions and moves as they were asked.
const NOT_SENTENCES: [&str; 3] = ["position", "reached", "met in"];

/// Checks that the drawing of a finding has all squares of its sentences, and its wrong moves as arrows.
fn assert_drawn(finding: &Finding) {
    let text = finding.to_string();
    let (_, lines) = text.split_once("\n\n").expect("there is a board");
    // A cause is a sentence about all positions.
    let lines = lines.split("\ncause").next().unwrap_or_default();
    let is_sentence = |line: &&str| !NOT_SENTENCES.iter().any(|word| line.starts_with(word));
    let sentences: String = lines.split_inclusive('\n').filter(is_sentence).collect();
    let drawing = finding.drawing();
    let drawn = drawn_squares(&drawing);
    let lacking: Vec<Square> = squares_of(&sentences).difference(&drawn).copied().collect();
    assert!(lacking.is_empty(), "{lacking:?} are not drawn: {finding}");
    let has = |kind| drawing.arrows.iter().any(|arrow| arrow.kind == kind);
    let told = ["\nmissing", "\nextra"].map(|word| text.contains(word));
    assert_eq!([ArrowKind::Missing, ArrowKind::Extra].map(has), told, "{finding}");
}

/// Returns the squares of a drawing that are marked or at the ends of arrows.
pub fn drawn_squares(drawing: &Drawing) -> BTreeSet<Square> {
    let ends = drawing.arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]);
    Square::ALL.into_iter().filter(|square| drawing.mark(*square).is_some()).chain(ends).collect()
}

/// Returns the squares of a text, also those of moves such as `e7e8q`.
pub fn squares_of(text: &str) -> BTreeSet<Square> {
    // These are examples of moves.
    let text = text.replace("as in e2e4", "").replace("as in e7e8q", "");
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let squares = |word: &str| -> Option<Vec<Square>> {
        let parts = match word.len() {
            2 => vec![word],
            4 | 5 => vec![&word[..2], &word[2..4]],
            _ => return None,
        };
        parts.into_iter().map(|part| part.parse().ok()).collect()
    };
    words.filter_map(squares).flatten().collect()
}

/// Passes the list of planted bugs to a macro.
///
/// Each row has the name of a test, the bug, the start of the names of the positions, the largest count that is asked
/// for, the verdict, and the themes that may be named. Each finding must name the bug as a cause.
#[macro_export]
macro_rules! each_planted_bug {
    ($macro:ident) => {
        $macro! {
            en_passant_pin EnPassantPin "" 5_000 Generation [EnPassantRank EnPassantDiagonal];
            en_passant_stays EnPassantStays "" 5_000 Make [EnPassantSquare EnPassantRank EnPassantPin];
            castling_through_check CastlingThroughCheck "" 5_000 Generation [CastlingThroughCheck];
            castling_out_of_check CastlingOutOfCheck "" 5_000 Generation [CastlingInCheck];
            castling_through_pieces CastlingThroughPieces "" 5_000 Generation [CastlingBlocked];
            rook_capture_keeps_right RookCaptureKeepsRight "right-second-rook" 3_000_000 Make [CastlingRight];
            rook_move_keeps_right RookMoveKeepsRight "right-rook" 1_000_000 Make [CastlingRight];
            king_move_keeps_rights KingMoveKeepsRights "right-king" 1_000_000 Make [CastlingRight KingStep];
            pinned_piece_moves PinnedPieceMoves "" 5_000 Generation [PinnedPiece PinnedKnight];
            pinned_pawn_captures PinnedPawnCaptures "" 5_000 Generation [PinnedPawn];
            double_check DoubleCheck "" 5_000 Generation [DoubleCheck];
            king_steps_back KingStepsBack "" 5_000 Generation [KingAlongLine];
            no_knight_promotion NoKnightPromotion "" 5_000 Generation [Promotion PromotionCapture];
            capture_promotes_to_queen CapturePromotesToQueen "" 5_000 Generation [PromotionCapture];
            double_step_jumps DoubleStepJumps "" 5_000 Generation [Blocked];
            unmake_loses_rights UnmakeLosesRights "" 5_000 Unmake [];
            unmake_keeps_promotion UnmakeKeepsPromotion "" 5_000 Unmake [];
            unmake_loses_pawn UnmakeLosesPawn "" 5_000 Unmake [];
        }
    };
}
