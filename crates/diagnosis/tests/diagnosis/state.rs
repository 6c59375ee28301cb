//! Tests that a hunt for wrong states finds every planted bug and names it, and reports no right program.

use StateBug::*;
use StateField::{CastlingRights, HalfMoveClock, Key};
use StateVerdict::{Make, SameKey, Setup, Unmake};
use perft_core::{CastlingNotation, Position, StopSignal};
use perft_diagnosis::internals::wrong_fields;
use perft_diagnosis::source::{Abilities, Answer, CountSource, Question, SourceError, State};
use perft_diagnosis::state::{
    StateAbilities, StateCause, StateField, StateFinding, StateSummary, StateVerdict, hunt_states,
};
use perft_diagnosis::{Clocks, HuntTarget, MovePath, SearchOptions, random_target};
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
        "the key of the position is the same with and without the en passant square, on",
    ),
    (CaptureKeepsClock, Make, HalfMoveClock, Some(StateCause::Capture), 4, "; it must be 0"),
    (PawnMoveKeepsClock, Make, HalfMoveClock, Some(StateCause::PawnMove), 3, "the halfmove clock is "),
    (
        RookCaptureKeepsRight,
        Make,
        CastlingRights,
        Some(StateCause::RookCaptured),
        4,
        "the field of the castling rights is ",
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
        "the halfmove clock is 0 for a position that is given as a FEN",
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
    let all = suites_and_random(50);
    for (number, conventions) in squares.chain(others).enumerate() {
        // A third of the positions for each, in turn.
        let targets: Vec<HuntTarget> = all.iter().skip(number % 3).step_by(3).cloned().collect();
        let summary = hunt(&targets, None, conventions);
        assert_eq!((&summary.findings[..], summary.faulty), (&[][..], 0), "{conventions:?}");
        assert_eq!((summary.positions, summary.cut_short), (targets.len(), 0));
        assert_eq!((summary.source.fen, summary.source.key), (conventions.fields > 0, conventions.has_key));
        let has_clock = conventions.fields > 4 && !conventions.has_constant_clocks;
        assert_eq!(summary.source.halfmove_clock, has_clock, "{conventions:?}");
    }
}

#[test]
fn nothing_is_asked_of_a_program_that_prints_nothing() {
    let silent = Conventions { fields: 0, has_key: false, ..Conventions::default() };
    let summary = hunt(&targets("", 0), None, silent);
    assert!(summary.source.is_nothing() && summary.questions == 0 && summary.findings.is_empty());
}

/// Returns the wrong fields of a FEN that is printed after d2d4.
fn wrong_after_double_push(root: &str, fen: &str) -> Vec<StateField> {
    let root = MovePath::new(Position::from_fen(root).unwrap());
    let path = root.played(root.end.find_move("d2d4").unwrap());
    let at = MovePath { clocks: Clocks { halfmove: 4, number: 9 }, ..path };
    let prints = StateAbilities { fen: true, key: false, halfmove_clock: true, move_number: true };
    let state = State { fen: Some(fen.to_owned()), key: None };
    wrong_fields(&state, &at, prints).into_iter().map(|wrong| wrong.field).collect()
}

#[test]
fn each_wrong_field_is_named() {
    use StateField::*;
    let legal = "r3k3/8/8/8/4p3/8/3P4/4K3 w q - 4 9";
    for (fen, wrong) in [
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q d3 0 9", &[][..]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b a d3 0 9", &[]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q d3", &[]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q - 0 9", &[EnPassantSquare]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b q d4 0 9", &[EnPassantSquare]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 w kq d3 5 10", &[SideToMove, CastlingRights, HalfMoveClock, MoveNumber]),
        ("r3k3/8/8/8/3Pp3/8/8/4K3 b z d3 0 9", &[CastlingRights]),
        ("r3k3/8/8/8/4p3/8/3P4/4K3 b q d3 0 9", &[Board]),
        ("r3k3/8/8/8/3Pp3/8/8/4K4 b q d3 0 9", &[Board]),
    ] {
        assert_eq!(wrong_after_double_push(legal, fen), wrong, "{fen}");
    }
    // No capture on d3 is legal, so both conventions are right.
    let idle = "4k3/8/8/8/8/8/3P4/4K3 w - - 4 9";
    for (square, wrong) in [("-", &[][..]), ("d3", &[]), ("e3", &[EnPassantSquare])] {
        let fen = format!("4k3/8/8/8/3P4/8/8/4K3 b - {square} 0 9");
        assert_eq!(wrong_after_double_push(idle, &fen), wrong, "{square}");
    }
}

const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 7";

#[test]
fn a_fen_is_found_wherever_it_stands() {
    for line in [
        FEN.to_owned(),
        format!("Fen: {FEN}"),
        format!("FEN:{FEN}"),
        format!("info string fen {FEN}"),
        format!("info string {FEN}"),
        format!("fen=\"{FEN}\""),
        format!("  \"{FEN}\", // the position"),
        format!("position fen {FEN} moves e2e4"),
    ] {
        assert_eq!(State::parse(&line).fen.as_deref(), Some(FEN), "{line}");
    }
    for fields in [4, 5] {
        let short = FEN.split(' ').take(fields).collect::<Vec<_>>().join(" ");
        assert_eq!(State::parse(&format!("fen: {short}")).fen, Some(short));
    }
    let shredder = "8/8/8/8/8/8/8/RK5k w A - 0 1";
    assert_eq!(State::parse(shredder).fen.as_deref(), Some(shredder));
    for line in ["8 r . . . k . . r", "Side: black", "a/b/c/d/e/f/g/h w - - 0 1", "8/8/8/8/8/8/8/8 x - -"] {
        assert!(State::parse(line).is_empty(), "{line}");
    }
}

/// Fairy-Stockfish prints both FENs. The move number of the second one could be confused with the name of a square.
#[test]
fn a_fen_of_shogi_is_none() {
    let other = "Sfen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - 10";
    assert!(State::parse(other).is_empty());
    assert!(State::parse("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - - 1").is_empty());
    for text in [format!("Fen: {FEN}\n{other}"), format!("{other}\nFen: {FEN}")] {
        assert_eq!(State::parse(&text).fen.as_deref(), Some(FEN), "{text}");
    }
}

#[test]
fn a_fen_with_a_label_counts_before_others() {
    let other = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    for text in [
        format!("FEN: {FEN}\n{other}"),
        format!("{other}\nFen: {FEN}\nmirrored {other}"),
        format!("position fen {other}\n{FEN}"),
        format!("position fen {other}\nX-FEN: {FEN}\nposition fen {other}"),
    ] {
        assert_eq!(State::parse(&text).fen.as_deref(), Some(FEN), "{text}");
    }
}

#[test]
fn a_key_is_a_long_number_behind_its_name() {
    for (line, key) in [
        ("Key: 8F8F01D4562F59FB", "8F8F01D4562F59FB"),
        ("Key: 0xdd109bcc3d65ae3d", "0xdd109bcc3d65ae3d"),
        ("     Hash key:  28c8cb1fb0ec03e0", "28c8cb1fb0ec03e0"),
        ("Zobrist Key : 0x6ec333f7d32f9a85", "0x6ec333f7d32f9a85"),
        ("Zobrist Key: 1354320381132970006", "1354320381132970006"),
        ("Hash: 0x6ec333f7d32f9a85", "0x6ec333f7d32f9a85"),
        ("PosKey: 4660057516145235573", "4660057516145235573"),
        ("key=6ec333f7d32f9a85 pawnkey=1ec333f7d32f9a85", "6ec333f7d32f9a85"),
        ("Key (hex): 6ec333f7d32f9a85", "6ec333f7d32f9a85"),
    ] {
        assert_eq!(State::parse(line).key.as_deref(), Some(key), "{line}");
    }
    for line in [
        "PawnKey: 11987948374166809114",
        "Hash size: 64 MB",
        "Hash table is initialied with 27962021 entries",
        "Hash: 16",
        "Nodes searched: 4865609123",
        "Checkers: e4",
    ] {
        assert_eq!(State::parse(line).key, None, "{line}");
    }
}

#[test]
fn the_last_fen_and_the_last_key_count() {
    let echo = format!("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1\n\nFen: {FEN}\nKey: 0123456789ABCDEF\n");
    let state = State::parse(&echo);
    assert_eq!((state.fen.as_deref(), state.key.as_deref()), (Some(FEN), Some("0123456789ABCDEF")));
}
