//! Laws that hold for every position and every text, tried on random ones.
//!
//! Four groups: FEN and moves as text; the mirrored board; all drivers against a recursion that is too plain to be
//! wrong; and the generator against the oracle of `common`, on random walks and on men thrown on the board, where no other
//! program can follow. A failing case is shrunk by proptest and printed as a FEN. Known counts are not here.

use std::collections::HashMap;
use std::fmt;

use perft_core::internals::{Key, KeyMaker};
use perft_core::{CastlingNotation, CastlingRights, Color, ColoredPiece, File, Move, Piece, Rank, Square};
use perft_core::{CpuPath, Interrupted, LeafMode, MIN_TABLE_BYTES, Perft, Progress, StopSignal, Table};
use perft_core::{FenError, Position, Setup};
use perft_core::{find_move, legal_moves};
use perft_diagnosis::random::placement::random_setup;
use perft_diagnosis::random::{ROOTS, Random, chess960_start, choose, setup_of};
use perft_testing::oracle::Board;
use perft_testing::{drivers, shredder_fen};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// So many cases a property. Nothing is written to the source tree: what fails is printed, and belongs in a test of its
/// own.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A position that a failure shows as a FEN.
#[derive(Clone, Copy, PartialEq)]
struct Case(Position);

/// A setup that a failure shows as a FEN.
#[derive(Clone, PartialEq)]
struct SetupCase(Setup);

impl fmt::Debug for SetupCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.to_fen())
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", setup_of(&self.0).to_fen())
    }
}

fn roots() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => select(&ROOTS[..]).prop_map(str::to_owned),
        1 => (0..960u32, 0..960u32).prop_map(|(white, black)| chess960_start(white, black)),
    ]
}

/// The numbers of a random walk, for [`choose`].
fn walks(plies: usize) -> impl Strategy<Value = (String, Vec<u16>)> {
    (roots(), vec(any::<u16>(), 0..plies))
}

/// Positions at the end of random walks.
fn walked() -> impl Strategy<Value = Case> {
    walks(80).prop_map(|(root, choices)| {
        let mut position = Position::from_fen(&root).unwrap();
        for choice in choices {
            let Some(played) = choose(&legal_moves(&position), choice.into()) else { break };
            position = position.play_unchecked(played);
        }
        Case(position)
    })
}

/// Men thrown on the board, sparse and crowded alike.
fn thrown() -> impl Strategy<Value = SetupCase> {
    (any::<u64>(), 0..=62usize).prop_map(|(seed, men)| SetupCase(random_setup(&mut Random::new(seed), men)))
}

fn thrown_position() -> impl Strategy<Value = Case> {
    thrown().prop_map(|case| Case(Position::try_from(&case.0).expect("mended")))
}

fn any_position() -> impl Strategy<Value = Case> {
    prop_oneof![walked(), thrown_position()]
}

/// Setups with anything anywhere: no kings, ten kings, rights without rooks.
fn nonsense_setups() -> impl Strategy<Value = SetupCase> {
    let men = vec(proptest::option::weighted(0.3, select("PNBRQKpnbrqk".chars().collect::<Vec<_>>())), 64);
    (men, select(&Color::ALL[..]), rights(), passed(), any::<u32>(), any::<u32>()).prop_map(
        |(men, turn, castling, en_passant, halfmove_clock, fullmove_number)| {
            let mut board = [None; 64];
            for (square, letter) in board.iter_mut().zip(men) {
                *square = letter.and_then(ColoredPiece::from_letter);
            }
            SetupCase(Setup { board, turn, castling, en_passant, halfmove_clock, fullmove_number })
        },
    )
}

/// Any squares of the two back ranks.
fn rights() -> impl Strategy<Value = CastlingRights> {
    any::<u16>().prop_map(|bits| {
        let mut rights = CastlingRights::NONE;
        let squares = Square::ALL[..8].iter().chain(&Square::ALL[56..]).enumerate();
        squares.filter(|(index, _)| bits >> index & 1 == 1).for_each(|(_, rook)| rights.add(*rook));
        rights
    })
}

/// Any square, or none.
fn passed() -> impl Strategy<Value = Option<Square>> {
    proptest::option::of(select(&Square::ALL[..]))
}

/// One change to a text: at some character, put another in, put another in its place, or take it out.
#[derive(Clone, Debug)]
enum Edit {
    Insert(Index, char),
    Replace(Index, char),
    Remove(Index),
    CutFrom(Index),
    Repeat(Index, u8),
}

fn letters() -> impl Strategy<Value = char> {
    let of_fens = "pnbrqkPNBRQKwabcdefghABCDEFGH0123456789/- \t\r\n+".chars().collect::<Vec<_>>();
    prop_oneof![3 => select(of_fens), 1 => any::<char>()]
}

fn edits() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (any::<Index>(), letters()).prop_map(|(at, letter)| Edit::Insert(at, letter)),
        4 => (any::<Index>(), letters()).prop_map(|(at, letter)| Edit::Replace(at, letter)),
        2 => any::<Index>().prop_map(Edit::Remove),
        1 => any::<Index>().prop_map(Edit::CutFrom),
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, times)| Edit::Repeat(at, times)),
    ]
}

fn edit(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for edit in edits {
        let end = letters.len();
        match edit {
            Edit::Insert(at, letter) => letters.insert(at.index(end + 1), *letter),
            _ if letters.is_empty() => {}
            Edit::Replace(at, letter) => letters[at.index(end)] = *letter,
            Edit::Remove(at) => {
                letters.remove(at.index(end));
            }
            Edit::CutFrom(at) => letters.truncate(at.index(end)),
            Edit::Repeat(at, times) => {
                let (at, letter) = (at.index(end), letters[at.index(end)]);
                letters.splice(at..at, std::iter::repeat_n(letter, usize::from(*times)));
            }
        }
    }
    letters.into_iter().collect()
}

/// Any text at all, text in the alphabet of FEN, and FENs with a few faults.
fn texts() -> impl Strategy<Value = String> {
    let near_fens = (any_position(), vec(edits(), 0..6));
    prop_oneof![
        1 => any::<String>(),
        1 => vec(letters(), 0..100).prop_map(|letters| letters.into_iter().collect()),
        3 => near_fens.prop_map(|(case, edits)| edit(&case.0.to_string(), &edits)),
    ]
}

/// Every fault stands in the text, between whole characters, and can be shown.
fn check_faults(text: &str, error: &FenError) -> Result<(), TestCaseError> {
    prop_assert_eq!(&error.fen, text);
    prop_assert!(!error.faults.is_empty());
    prop_assert!(!error.to_string().is_empty());
    for fault in &error.faults {
        prop_assert!(text.get(fault.span.clone()).is_some(), "{:?} in {text:?}", fault);
        prop_assert!(!fault.kind.help().is_empty());
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn any_text_is_read_or_refused(text in texts()) {
        match Setup::from_fen(&text) {
            Ok(setup) => {
                let is_playable = setup.faults().is_empty();
                prop_assert_eq!(Position::from_fen(&text).is_ok(), is_playable);
                prop_assert_eq!(Position::try_from(&setup).is_ok(), is_playable);
                let _ = (setup.warnings(), setup.diagram());
                prop_assert_eq!(Setup::from_fen(&setup.to_fen()), Ok(setup));
            }
            Err(error) => check_faults(&text, &error)?,
        }
        if let Err(error) = Position::from_fen(&text) {
            check_faults(&text, &error)?;
        }
    }

    #[test]
    fn any_setup_is_written_so_that_it_reads_the_same(case in nonsense_setups()) {
        for fen in [case.0.to_fen(), shredder_fen(&case.0)] {
            prop_assert_eq!(&Setup::from_fen(&fen).unwrap(), &case.0, "{}", fen);
        }
    }

    #[test]
    fn what_can_have_no_effect_is_left_out(case in thrown(), castling in rights(), en_passant in passed()) {
        let setup = Setup { castling, en_passant, ..case.0 };
        let sensible = sensible(&setup);
        let left_out = (castling.all_rooks().count() - sensible.castling.all_rooks().count()) as usize
            + usize::from(en_passant != sensible.en_passant);
        prop_assert_eq!(setup.warnings().len(), left_out, "{:?}", setup.warnings());
        prop_assert_eq!(sensible.warnings(), []);
        prop_assert_eq!(Position::try_from(&setup), Position::try_from(&sensible));
    }

    #[test]
    fn any_text_is_a_legal_move_or_none(case in any_position(), text in "[a-h][1-8][a-h][1-8][nbrqkNQ]?|\\PC{0,6}") {
        let moves = legal_moves(&case.0);
        match find_move(&case.0, &text) {
            Ok(found) => prop_assert!(moves.contains(&found)),
            Err(error) => {
                prop_assert_eq!(error.legal.len(), moves.len());
                prop_assert!(!error.legal.contains(&error.text));
            }
        }
    }

    #[test]
    fn positions_are_written_so_that_they_read_the_same(case in any_position()) {
        let position = case.0;
        let setup = Setup::from(&position);
        prop_assert_eq!(&Setup::from_fen(&position.to_string()).unwrap(), &setup);
        prop_assert!(setup.warnings().is_empty());
        let read = Position::from_fen(&position.to_string()).unwrap();
        prop_assert_eq!(Setup::from(&read), setup);
        prop_assert_eq!(legal_moves(&read), legal_moves(&position));
        // Only an en passant square that nobody can use gets lost on the way.
        if position.en_passant() == position.legal_en_passant() {
            prop_assert_eq!(read, position);
        }
    }

    #[test]
    fn every_move_is_found_by_its_text(case in any_position()) {
        for found in legal_moves(&case.0) {
            let text = found.to_uci(CastlingNotation::Chess960);
            prop_assert_eq!(find_move(&case.0, &text), Ok(found));
            // Castling as the king's own step may mean a step: then it does mean that.
            let text = found.to_uci(CastlingNotation::Standard);
            let meant = find_move(&case.0, &text).unwrap();
            prop_assert!(meant == found || meant.to_uci(CastlingNotation::Chess960) == text);
        }
    }
}

/// A setup without the castling rights and the en passant square that nothing on the board stands for.
fn sensible(setup: &Setup) -> Setup {
    let is_man =
        |square: Square, color, piece| setup.board[square.index()] == Some(ColoredPiece { color, piece });
    let mut castling = CastlingRights::NONE;
    for color in Color::ALL {
        let rank = File::ALL.map(|file| Square::new(file, color.back_rank()));
        let Some(king) = rank.iter().position(|&square| is_man(square, color, Piece::King)) else { continue };
        let has_right = |square: &&Square| {
            setup.castling.all_rooks().contains(**square) && is_man(**square, color, Piece::Rook)
        };
        let outermost = [rank[..king].iter().find(has_right), rank[king..].iter().rev().find(has_right)];
        outermost.into_iter().flatten().for_each(|rook| castling.add(*rook));
    }
    let en_passant = setup.en_passant.filter(|passed| {
        // The ranks, from the mover's last one, of the pawn's start, of the passed square and of its stop.
        let ranks = if setup.turn == Color::White { [6, 5, 4] } else { [1, 2, 3] };
        let [start, here, stop] = ranks.map(|rank| Square::new(passed.file(), Rank::ALL[rank]));
        here == *passed
            && is_man(stop, !setup.turn, Piece::Pawn)
            && [start, here].into_iter().all(|square| setup.board[square.index()].is_none())
    });
    Setup { castling, en_passant, ..setup.clone() }
}

/// The same position with the colours exchanged and the board seen from the other side.
fn mirrored(position: &Position) -> Position {
    let setup = setup_of(position);
    let mut board = [None; 64];
    let mut castling = CastlingRights::NONE;
    for square in Square::ALL {
        let man = setup.board[square.index()];
        board[square.flip_rank().index()] = man.map(|man| ColoredPiece { color: !man.color, ..man });
    }
    setup.castling.all_rooks().into_iter().for_each(|rook| castling.add(rook.flip_rank()));
    let en_passant = setup.en_passant.map(Square::flip_rank);
    let mirrored = Setup { board, turn: !setup.turn, castling, en_passant, ..setup };
    Position::try_from(&mirrored).expect("as legal as before")
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn colours_do_not_matter(case in any_position()) {
        let mirrored = mirrored(&case.0);
        prop_assert_eq!(legal_moves(&mirrored).len(), legal_moves(&case.0).len());
        for (path, counter) in drivers() {
            for depth in 1..=affordable_depth(&case.0, 300_000).min(3) {
                let count = |position| counter.count(position, depth, &Progress::default());
                prop_assert_eq!(count(&mirrored), count(&case.0), "{}, depth {}", path, depth);
            }
        }
    }

    /// In both directions: what has one FEN has one key, and what has another FEN has another key.
    #[test]
    fn keys_are_equal_where_fens_are(case in any_position(), seed in any::<u64>()) {
        let keys = KeyMaker::new(seed);
        let mut key_of = HashMap::<String, Key>::new();
        let mut fen_of = HashMap::<Key, String>::new();
        let mut reached = vec![case.0];
        for _ in 0..3 {
            let before: Vec<Position> = reached.iter().copied().take(30).collect();
            reached.extend(before.iter().flat_map(children));
        }
        let near = reached.iter().take(30).flat_map(neighbours).collect::<Vec<_>>();
        for position in reached.into_iter().chain(near) {
            let (fen, key) = (position.to_string(), keys.key(&position, 4));
            prop_assert_ne!(key, keys.key(&position, 5));
            prop_assert_eq!(key_of.entry(fen.clone()).or_insert(key), &key, "two keys of {}", fen);
            prop_assert_eq!(fen_of.entry(key).or_insert(fen.clone()), &fen);
        }
    }
}

/// What differs from a position in one thing: the side, a right, the en passant square or a man.
fn neighbours(position: &Position) -> Vec<Position> {
    let setup = setup_of(position);
    let mut setups = vec![Setup { turn: !setup.turn, ..setup.clone() }];
    for rook in setup.castling.all_rooks() {
        let mut castling = setup.castling;
        castling.remove(rook.into());
        setups.push(Setup { castling, ..setup.clone() });
    }
    let squares = Square::ALL.into_iter().map(Some).chain([None]);
    setups.extend(squares.map(|en_passant| Setup { en_passant, ..setup.clone() }));
    for square in Square::ALL {
        let mut board = setup.board;
        board[square.index()] = None;
        setups.push(Setup { board, ..setup.clone() });
    }
    setups.iter().filter_map(|setup| Position::try_from(setup).ok()).collect()
}

fn children(position: &Position) -> Vec<Position> {
    legal_moves(position).iter().map(|played| position.play_unchecked(*played)).collect()
}

/// Perft as one would explain it: no bulk counting, no table, no threads, no leaf counter.
fn plain_perft(position: &Position, depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    let moves = legal_moves(position);
    moves.iter().map(|played| plain_perft(&position.play_unchecked(*played), depth - 1)).sum()
}

/// The greatest depth, up to 6, whose count stays below a limit; 1 at least.
fn affordable_depth(position: &Position, limit: u128) -> u32 {
    (2..=6).find(|&depth| perft_core::perft(position, depth) > limit).map_or(6, |depth| depth - 1)
}

/// A table from a single bucket, where almost every count is thrown out at once, up to 64 KiB.
fn tables() -> impl Strategy<Value = (usize, u64)> {
    (prop_oneof![Just(MIN_TABLE_BYTES), MIN_TABLE_BYTES..1 << 16], any::<u64>())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn all_drivers_count_alike(case in any_position(), (bytes, seed) in tables(), threads in 2..5usize) {
        let position = case.0;
        let depth = affordable_depth(&position, 150_000);
        let expected = plain_perft(&position, depth);
        let table = || Table::new(bytes, seed).unwrap();
        for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
            let plain = || Perft::new().cpu_path(path).unwrap();
            let drivers = [
                ("serial", plain()),
                ("every leaf", plain().leaf_mode(LeafMode::EveryLeaf)),
                ("parallel", plain().threads(threads).unwrap()),
                ("hashed", plain().table(table())),
                ("hashed, every leaf", plain().leaf_mode(LeafMode::EveryLeaf).table(table())),
                ("parallel, hashed", plain().threads(threads).unwrap().table(table())),
            ];
            for (name, driver) in drivers {
                // A second time: what the table has kept must be as good as what it was given.
                for run in 1..=2 {
                    let progress = Progress::default();
                    let count = driver.count(&position, depth, &progress);
                    prop_assert_eq!(count, Ok(expected), "{}, {}, depth {}, run {}", path, name, depth, run);
                    prop_assert_eq!(u128::from(progress.nodes()), expected, "{}, {}", path, name);
                }
                check_divide(&driver, &position, depth, expected)?;
            }
        }
    }
}

/// A divide has all legal moves in their order, each with its own count, and adds up.
fn check_divide(
    driver: &Perft,
    position: &Position,
    depth: u32,
    expected: u128,
) -> Result<(), TestCaseError> {
    let divided = driver.divide(position, depth, &Progress::default()).unwrap();
    let played: Vec<Move> = divided.iter().map(|root| root.played).collect();
    prop_assert_eq!(&played[..], &legal_moves(position)[..]);
    prop_assert_eq!(divided.iter().map(|root| root.nodes).sum::<u128>(), expected);
    for root in divided {
        let below = perft_core::perft(&position.play_unchecked(root.played), depth - 1);
        prop_assert_eq!(root.nodes, below, "below {}", root.played.to_uci(CastlingNotation::Chess960));
    }
    Ok(())
}

/// A count that was stopped somewhere on its way leaves nothing wrong in the table.
#[test]
fn an_interrupted_count_spoils_no_table() {
    for (root, threads) in ROOTS.iter().zip([1, 2, 3].into_iter().cycle()) {
        let position = Position::from_fen(root).unwrap();
        let table = Table::new(1 << 16, 7).unwrap();
        let driver = Perft::new().threads(threads).unwrap().table(table);
        for stop_at in [1, 1_000, 200_000] {
            assert_eq!(count_until(&driver, &position, stop_at), Err(Interrupted), "{root}");
            let depth = affordable_depth(&position, 500_000);
            let count = driver.count(&position, depth, &Progress::default());
            assert_eq!(count, Ok(perft_core::perft(&position, depth)), "{root}, depth {depth}");
        }
    }
}

/// A count too deep ever to end, stopped after so many nodes.
fn count_until(driver: &Perft, position: &Position, nodes: u64) -> Result<u128, Interrupted> {
    let stop = StopSignal::default();
    let progress = Progress::new(stop.clone());
    std::thread::scope(|scope| {
        let count = scope.spawn(|| driver.count(position, 60, &progress));
        while progress.nodes() < nodes && !count.is_finished() {
            std::thread::yield_now();
        }
        stop.raise();
        count.join().unwrap()
    })
}

/// Moves and their consequences, against the oracle's.
fn check_moves(position: &Position, board: &Board) -> Result<(), TestCaseError> {
    let fen = setup_of(position).to_fen();
    let expected = board.legal_moves();
    let moves = legal_moves(position);
    let found: Vec<String> = moves.iter().map(|found| found.to_uci(CastlingNotation::Chess960)).collect();
    let missing: Vec<&String> = expected.keys().filter(|text| !found.contains(text)).collect();
    let extra: Vec<&String> = found.iter().filter(|text| !expected.contains_key(*text)).collect();
    prop_assert!(missing.is_empty() && extra.is_empty(), "{fen}: missing {missing:?}, extra {extra:?}");
    prop_assert_eq!(found.len(), expected.len(), "a move is there twice: {}", fen);
    for (played, text) in moves.iter().zip(&found) {
        let child = position.play_unchecked(*played);
        prop_assert_eq!(Setup::from(&child), expected[text].to_setup(), "{} in {}", text, fen);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn walks_are_as_the_oracle_says((root, choices) in walks(60)) {
        let mut position = Position::from_fen(&root).unwrap();
        let mut board = Board::new(&setup_of(&position));
        for choice in choices {
            check_moves(&position, &board)?;
            let Some(played) = choose(&legal_moves(&position), choice.into()) else { break };
            board = board.legal_moves()[&played.to_uci(CastlingNotation::Chess960)];
            position = position.play_unchecked(played);
        }
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn thrown_men_move_as_the_oracle_says(case in thrown()) {
        let position = Position::try_from(&case.0).unwrap();
        let board = Board::new(&case.0);
        check_moves(&position, &board)?;
        let [one, two] = [1, 2].map(|depth| board.perft(depth));
        for (path, counter) in drivers() {
            prop_assert_eq!(counter.count(&position, 1, &Progress::default()), Ok(one), "{}", path);
            prop_assert_eq!(counter.count(&position, 2, &Progress::default()), Ok(two), "{}", path);
        }
    }
}

/// Boards that no game reaches but that must count.
const IMPOSSIBLE: [(&str, &str); 9] = [
    ("ten queens", "kn6/pp6/8/2QQQQ2/2QQQQ2/8/QQ6/K7 w - - 0 1"),
    ("twenty-two queens", "kn1Q2QK/pp2Q3/QnQ2Q1Q/1Q5Q/3Q2QQ/Q6Q/Q1Q3QQ/2nQQQQ1 w - - 0 1"),
    ("three men give check at once", "4k3/8/8/8/4r3/8/2n5/4K2r w - - 0 1"),
    ("check along every line", "4k3/8/1q3q2/3r4/r2K2r1/8/1b1r1b2/8 w - - 0 1"),
    ("eight knights give check", "4k3/8/2n1n3/1n3n2/3K4/1n3n2/2n1n3/8 w - - 0 1"),
    ("64 men", "rnbqkbnr/pppppppp/nnnnnnnn/bbbbbbbb/BBBBBBBB/NNNNNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("sixteen pawns a side", "4k3/pppppppp/8/pppppppp/PPPPPPPP/8/PPPPPPPP/4K3 w - - 0 1"),
    ("en passant, but two other men give check", "4k3/8/8/q2pP3/3K4/8/8/b7 w - d6 0 1"),
    ("a pinned man on every line", "k7/q2q2q1/8/2NPB3/q1RKQ1r1/2BPP3/5q2/q2q4 w - - 0 1"),
];

#[test]
fn impossible_boards_are_as_the_oracle_says() {
    for (what, fen) in IMPOSSIBLE {
        let setup = Setup::from_fen(fen).unwrap();
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{what}: {error}"));
        let board = Board::new(&setup);
        check_moves(&position, &board).unwrap_or_else(|error| panic!("{what}: {error}"));
        for (path, counter) in drivers() {
            for depth in 0..=2 {
                let count = counter.count(&position, depth, &Progress::default());
                assert_eq!(count, Ok(board.perft(depth)), "{what}: {path}, depth {depth}");
            }
        }
    }
}

/// The oracle is held to counts that everybody knows.
#[test]
fn the_oracle_knows_the_rules() {
    let counts = [(0, 3, 8_902), (1, 3, 97_862), (2, 4, 43_238), (3, 3, 9_467), (4, 3, 9_483)];
    for (root, depth, expected) in counts {
        let board = Board::new(&Setup::from_fen(ROOTS[root]).unwrap());
        assert_eq!(board.perft(depth), expected, "{}", ROOTS[root]);
    }
}
