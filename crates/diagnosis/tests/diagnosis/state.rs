//! Tests that a hunt for wrong states finds every planted bug and names it, and reports no right program.

use perft_core::{CastlingNotation, StopSignal};
use perft_diagnosis::source::{Abilities, Answer, CountSource, Question, SourceError, State};
use perft_diagnosis::state::{StateCause, StateField, StateFinding, StateSummary, StateVerdict, hunt_states};
use perft_diagnosis::{HuntTarget, SearchOptions, random_target};
use perft_testing::planted::targets;
use perft_testing::state::{Conventions, EnPassant, StateBug, StateProgram};

fn hunt(targets: &[HuntTarget], bug: Option<StateBug>, conventions: Conventions) -> StateSummary {
    let source = || -> Box<dyn CountSource> { Box::new(StateProgram::new(bug, conventions)) };
    let options = SearchOptions { threads: 2, ..SearchOptions::default() };
    hunt_states(|number| targets.get(number).cloned(), source, options, &StopSignal::default(), |_| {})
}

fn suites_and_random(random: u64) -> Vec<HuntTarget> {
    let mut all = targets("", 0);
    all.extend((0..random).map(|number| random_target(1, number, 1)));
    all
}

/// Prints a finding. The output shows if a test fails.
fn print(finding: &StateFinding) {
    let StateFinding { verdict, text, times, at, .. } = finding;
    println!("{} x{times}: {text}: {} {:?}", verdict.name(), at.root_setup().to_fen(), at.uci_moves());
}

/// Checks that exactly one bug is found, and returns it.
fn only_bug(bug: StateBug, conventions: Conventions) -> StateFinding {
    let summary = hunt(&suites_and_random(100), Some(bug), conventions);
    summary.findings.iter().for_each(print);
    let [finding] = &summary.findings[..] else { panic!("{bug:?}: {} findings", summary.findings.len()) };
    assert!(finding.times > 3 && summary.faulty > 3 && summary.cut_short == 0, "{bug:?}");
    finding.clone()
}

/// Reads the castling rights of Chess960 only by the letters of files.
struct ReadsOnlyFiles(StateProgram);

impl CountSource for ReadsOnlyFiles {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        self.0.ask(question, stop)
    }

    fn state(&mut self, question: &Question, stop: &StopSignal) -> Result<State, SourceError> {
        let mut fields: Vec<&str> = question.fen.split(' ').collect();
        if question.is_chess960 && fields[2].contains(['K', 'Q', 'k', 'q']) {
            fields[2] = "-";
        }
        self.0.state(&Question { fen: fields.join(" "), ..question.clone() }, stop)
    }

    fn abilities(&self) -> Abilities {
        self.0.abilities()
    }
}

#[test]
fn a_program_that_reads_only_letters_of_files_has_one_bug() {
    let mut targets = targets("", 0);
    targets.retain(|target| target.path.notation() == CastlingNotation::Chess960);
    assert!(targets.len() > 50);
    let source = || -> Box<dyn CountSource> {
        Box::new(ReadsOnlyFiles(StateProgram::new(None, Conventions::default())))
    };
    let options = SearchOptions { threads: 2, ..SearchOptions::default() };
    let stop = StopSignal::default();
    let summary = hunt_states(|number| targets.get(number).cloned(), source, options, &stop, |_| {});
    summary.findings.iter().for_each(print);
    let [finding] = &summary.findings[..] else { panic!("{} findings", summary.findings.len()) };
    assert_eq!((finding.verdict, finding.field, summary.faulty), (Setup, Some(CastlingRights), 0));
}

use StateBug::*;
use StateField::{CastlingRights, HalfMoveClock, Key};
use StateVerdict::{Make, SameKey, Setup, Unmake};

/// The bugs, and the expected finding of each: the verdict, the field, the cause, the largest number of pieces and a
/// part of the text.
type Expected = (StateBug, StateVerdict, StateField, Option<StateCause>, u32, &'static str);

const EXPECTED: [Expected; 11] = [
    (
        StaleKeyAfterCastling,
        Make,
        Key,
        Some(StateCause::Castling),
        3,
        "is not the key of the same position given as a FEN",
    ),
    (
        NoEnPassantInKey,
        SameKey,
        Key,
        Some(StateCause::EnPassantSquare),
        4,
        "the key of the position is the same with and without the en passant square ",
    ),
    (CaptureKeepsClock, Make, HalfMoveClock, Some(StateCause::Capture), 4, "; it must be 0"),
    (PawnMoveKeepsClock, Make, HalfMoveClock, Some(StateCause::PawnMove), 3, "the half-move clock is "),
    (
        RookCaptureKeepsRight,
        Make,
        CastlingRights,
        Some(StateCause::RookCaptured),
        4,
        " side is still there after its rook on ",
    ),
    (UnmakeLosesKey, Unmake, Key, Some(StateCause::Capture), 4, "probably a capture,"),
    (
        NoTurnInKey,
        SameKey,
        Key,
        Some(StateCause::SideToMove),
        2,
        "the same with White to move and with Black to move",
    ),
    (PromotionKeepsPawnKey, Make, Key, Some(StateCause::Promotion), 4, "the key after a promotion ("),
    (EnPassantStaysInKey, Make, Key, Some(StateCause::EnPassantEnds), 4, "the move after a double push"),
    (MovesKeepTurnInKey, Make, Key, Some(StateCause::Move), 3, "the key after "),
    (
        ClockNotRead,
        Setup,
        HalfMoveClock,
        None,
        2,
        "the half-move clock is 0 for a position that is given as a FEN",
    ),
];

#[test]
fn every_planted_bug_is_found_and_named() {
    for (bug, verdict, field, cause, pieces, text) in EXPECTED {
        let found = only_bug(bug, Conventions::default());
        assert_eq!((found.verdict, found.field, found.cause()), (verdict, Some(field), cause), "{bug:?}");
        assert!(found.text.contains(text), "{}", found.text);
        assert!(found.at.root.occupied().count() <= pieces, "{bug:?}");
        assert!(found.at.moves.len() <= 1, "{bug:?}");
    }
}

/// A program that prints no FEN shows its bugs in the keys.
#[test]
fn keys_alone_show_bugs_of_keys() {
    let conventions = Conventions { fields: 0, ..Conventions::default() };
    for (bug, verdict, field, cause, ..) in EXPECTED.into_iter().filter(|(_, _, field, ..)| *field == Key) {
        let found = only_bug(bug, conventions);
        assert_eq!((found.verdict, found.field, found.cause()), (verdict, Some(field), cause), "{bug:?}");
    }
    let kept = only_bug(RookCaptureKeepsRight, conventions);
    assert_eq!((kept.field, kept.cause()), (Some(Key), Some(StateCause::RookCaptured)));
}

#[test]
fn a_right_program_is_never_accused() {
    let right = Conventions::default();
    let clocks = Conventions { has_constant_clocks: true, ..right };
    let all = [EnPassant::Always, EnPassant::Beside, EnPassant::Legal];
    let squares = all
        .into_iter()
        .flat_map(|fen_square| all.map(|key_file| Conventions { fen_square, key_file, ..right }));
    let others = [
        Conventions { is_shredder: true, ..right },
        Conventions { fields: 4, ..right },
        Conventions { fields: 5, ..right },
        Conventions { fields: 0, ..right },
        Conventions { fields: 0, key_file: EnPassant::Always, ..right },
        Conventions { has_key: false, ..right },
        Conventions { key_has_clock: true, ..right },
        clocks,
    ];
    let targets = suites_and_random(50);
    for conventions in squares.chain(others) {
        let summary = hunt(&targets, None, conventions);
        assert_eq!((&summary.findings[..], summary.faulty), (&[][..], 0), "{conventions:?}");
        assert_eq!((summary.positions, summary.cut_short), (targets.len(), 0));
        assert_eq!(
            (summary.source.prints.fen, summary.source.prints.key),
            (conventions.fields > 0, conventions.has_key)
        );
        let has_clock = conventions.fields > 4 && !conventions.has_constant_clocks;
        assert_eq!(summary.source.prints.halfmove_clock, has_clock, "{conventions:?}");
    }
}

#[test]
fn nothing_is_asked_of_a_program_that_prints_nothing() {
    let silent = Conventions { fields: 0, has_key: false, ..Conventions::default() };
    let summary = hunt(&targets("", 0), None, silent);
    assert!(summary.source.prints.is_nothing() && summary.questions == 0 && summary.findings.is_empty());
}
