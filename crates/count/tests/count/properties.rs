//! Properties that hold for every position and every text, tested on random ones.
//!
//! There are four groups: FEN and moves as text; the mirrored board; all drivers compared with a plain recursion; and
//! the generator compared with the oracle of `perft-testing`. The last group uses random games and random placements of
//! pieces, which other programs refuse. `proptest` shrinks a failing case and prints it as a FEN.

use std::collections::HashMap;
use std::fmt;

use perft_core::{
    CastlingNotation, CastlingRights, Color, ColoredPiece, File, Interrupted, Move, Piece, Position, Rank,
    Setup, Square, StopSignal,
};
use perft_count::internals::{Key, KeyMaker};
use perft_count::{CpuPath, LeafMode, MIN_TABLE_BYTES, Perft, Progress, Table};
use perft_diagnosis::random::{ROOTS, Random, chess960_start, choose, random_setup, setup_of};
use perft_testing::drivers;
use perft_testing::oracle::Board;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Returns a configuration with this number of cases per property. Failing cases are printed, not written to a file.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A position that is printed as a FEN when a test fails.
#[derive(Clone, Copy, PartialEq)]
struct FenPosition(Position);

/// A setup that is printed as a FEN when a test fails.
#[derive(Clone, PartialEq)]
struct FenSetup(Setup);

impl fmt::Debug for FenSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.to_fen())
    }
}

impl fmt::Debug for FenPosition {
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

/// Generates a start position and the random numbers that [`choose`] turns into moves.
fn games(plies: usize) -> impl Strategy<Value = (String, Vec<u16>)> {
    (roots(), vec(any::<u16>(), 0..plies))
}

/// Generates positions at the end of random games.
fn game_positions() -> impl Strategy<Value = FenPosition> {
    games(80).prop_map(|(root, choices)| {
        let mut position = Position::from_fen(&root).unwrap();
        for choice in choices {
            let Some(played) = choose(&position.legal_moves(), choice.into()) else { break };
            position = position.play_legal(played);
        }
        FenPosition(position)
    })
}

/// Generates random placements of pieces, from a few pieces to a full board.
fn random_placements() -> impl Strategy<Value = FenSetup> {
    (any::<u64>(), 0..=62usize)
        .prop_map(|(seed, pieces)| FenSetup(random_setup(&mut Random::new(seed), pieces)))
}

fn placement_positions() -> impl Strategy<Value = FenPosition> {
    random_placements()
        .prop_map(|case| FenPosition(Position::try_from(&case.0).expect("random placements are legal")))
}

fn any_position() -> impl Strategy<Value = FenPosition> {
    prop_oneof![game_positions(), placement_positions()]
}

/// Generates setups with any piece on any square: no kings, ten kings, castling rights without rooks.
fn nonsense_setups() -> impl Strategy<Value = FenSetup> {
    let pieces = vec(proptest::option::weighted(0.3, select("PNBRQKpnbrqk".chars().collect::<Vec<_>>())), 64);
    (pieces, select(&Color::ALL[..]), rights(), passed(), any::<u32>(), any::<u32>()).prop_map(
        |(pieces, turn, castling, en_passant, halfmove_clock, fullmove_number)| {
            let mut board = [None; 64];
            for (square, letter) in board.iter_mut().zip(pieces) {
                *square = letter.and_then(ColoredPiece::from_letter);
            }
            FenSetup(Setup { board, turn, castling, en_passant, halfmove_clock, fullmove_number })
        },
    )
}

/// Generates castling rights on any squares of the two back ranks.
fn rights() -> impl Strategy<Value = CastlingRights> {
    any::<u16>().prop_map(|bits| {
        let mut rights = CastlingRights::NONE;
        let squares = Square::ALL[..8].iter().chain(&Square::ALL[56..]).enumerate();
        squares.filter(|(index, _)| bits >> index & 1 == 1).for_each(|(_, rook)| rights.add(*rook));
        rights
    })
}

/// Generates any en passant square, or none.
fn passed() -> impl Strategy<Value = Option<Square>> {
    proptest::option::of(select(&Square::ALL[..]))
}

/// A change of a text at a random character.
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

/// Generates any text, text made of the characters of FEN, and FENs with a few edits.
fn texts() -> impl Strategy<Value = String> {
    let near_fens = (any_position(), vec(edits(), 0..6));
    prop_oneof![
        1 => any::<String>(),
        1 => vec(letters(), 0..100).prop_map(|letters| letters.into_iter().collect()),
        3 => near_fens.prop_map(|(case, edits)| edit(&case.0.to_string(), &edits)),
    ]
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn any_text_is_read_or_refused_with_faults(text in texts()) {
        perft_testing::properties::fen(&text);
    }

    #[test]
    fn any_setup_is_read_back_from_its_fen(case in nonsense_setups()) {
        for fen in [case.0.to_fen(), case.0.to_shredder_fen()] {
            prop_assert_eq!(&Setup::from_fen(&fen).unwrap(), &case.0, "{}", fen);
        }
    }

    #[test]
    fn rights_and_en_passant_squares_without_effect_are_ignored(
        case in random_placements(),
        castling in rights(),
        en_passant in passed(),
    ) {
        let setup = Setup { castling, en_passant, ..case.0 };
        let sensible = sensible(&setup);
        let left_out = (castling.all_rooks().count() - sensible.castling.all_rooks().count()) as usize
            + usize::from(en_passant != sensible.en_passant);
        prop_assert_eq!(setup.warnings().len(), left_out, "{:?}", setup.warnings());
        prop_assert_eq!(sensible.warnings(), []);
        prop_assert_eq!(Position::try_from(&setup), Position::try_from(&sensible));
    }

    #[test]
    fn any_text_is_a_legal_move_or_an_error(
        case in any_position(),
        text in "[a-h][1-8][a-h][1-8][nbrqkNQ]?|\\PC{0,6}",
    ) {
        let moves = case.0.legal_moves();
        match case.0.find_move(&text) {
            Ok(found) => prop_assert!(moves.contains(&found)),
            Err(error) => {
                prop_assert_eq!(error.legal.len(), moves.len());
                prop_assert!(!error.legal.contains(&error.text));
            }
        }
    }

    #[test]
    fn positions_are_read_back_from_their_fen(case in any_position()) {
        let position = case.0;
        let setup = Setup::from(&position);
        prop_assert_eq!(&Setup::from_fen(&position.to_string()).unwrap(), &setup);
        prop_assert!(setup.warnings().is_empty());
        let read = Position::from_fen(&position.to_string()).unwrap();
        prop_assert_eq!(Setup::from(&read), setup);
        prop_assert_eq!(read.legal_moves(), position.legal_moves());
        // The FEN has no en passant square if no capture is legal.
        if position.en_passant() == position.legal_en_passant() {
            prop_assert_eq!(read, position);
        }
    }

    #[test]
    fn every_legal_move_is_found_by_its_text(case in any_position()) {
        for found in case.0.legal_moves() {
            let text = found.to_uci(CastlingNotation::Chess960);
            prop_assert_eq!(case.0.find_move(&text), Ok(found));
            // In standard notation, castling can have the text of a king move. Then the king move has priority.
            let text = found.to_uci(CastlingNotation::Standard);
            let meant = case.0.find_move(&text).unwrap();
            prop_assert!(meant == found || meant.to_uci(CastlingNotation::Chess960) == text);
        }
    }
}

/// Returns the setup without castling rights that do not fit the pieces, and without such an en passant square.
fn sensible(setup: &Setup) -> Setup {
    let is_piece =
        |square: Square, color, piece| setup.board[square.index()] == Some(ColoredPiece { color, piece });
    let mut castling = CastlingRights::NONE;
    for color in Color::ALL {
        let rank = File::ALL.map(|file| Square::new(file, color.back_rank()));
        let Some(king) = rank.iter().position(|&square| is_piece(square, color, Piece::King)) else {
            continue;
        };
        let has_right = |square: &&Square| {
            setup.castling.all_rooks().contains(**square) && is_piece(**square, color, Piece::Rook)
        };
        let outermost = [rank[..king].iter().find(has_right), rank[king..].iter().rev().find(has_right)];
        outermost.into_iter().flatten().for_each(|rook| castling.add(*rook));
    }
    let en_passant = setup.en_passant.filter(|passed| {
        // The ranks where the pawn started, which it has passed, and where it is now.
        let ranks = if setup.turn == Color::White { [6, 5, 4] } else { [1, 2, 3] };
        let [start, here, stop] = ranks.map(|rank| Square::new(passed.file(), Rank::ALL[rank]));
        here == *passed
            && is_piece(stop, !setup.turn, Piece::Pawn)
            && [start, here].into_iter().all(|square| setup.board[square.index()].is_none())
    });
    Setup { castling, en_passant, ..setup.clone() }
}

/// Returns the position with the colours exchanged and the board mirrored.
fn mirrored(position: &Position) -> Position {
    let setup = setup_of(position);
    let mut board = [None; 64];
    let mut castling = CastlingRights::NONE;
    for square in Square::ALL {
        let piece = setup.board[square.index()];
        board[square.flip_rank().index()] = piece.map(|piece| ColoredPiece { color: !piece.color, ..piece });
    }
    setup.castling.all_rooks().into_iter().for_each(|rook| castling.add(rook.flip_rank()));
    let en_passant = setup.en_passant.map(Square::flip_rank);
    let mirrored = Setup { board, turn: !setup.turn, castling, en_passant, ..setup };
    Position::try_from(&mirrored).expect("as legal as before")
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn the_mirrored_position_has_the_same_counts(case in any_position()) {
        let mirrored = mirrored(&case.0);
        prop_assert_eq!(case.0.flipped(), mirrored);
        prop_assert_eq!(mirrored.legal_moves().len(), case.0.legal_moves().len());
        for (path, counter) in drivers() {
            for depth in 1..=affordable_depth(&case.0, 100_000).min(3) {
                let count = |position| counter.count_with_progress(position, depth, &Progress::default());
                prop_assert_eq!(count(&mirrored), count(&case.0), "{}, depth {}", path, depth);
            }
        }
    }

    #[test]
    fn keys_are_equal_if_and_only_if_fens_are(case in any_position(), seed in any::<u64>()) {
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

/// Returns positions that differ from this one only in the side to move, a castling right, the en passant square or a
/// piece.
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
    position.legal_moves().iter().map(|played| position.play_legal(*played)).collect()
}

/// Counts leaf nodes by plain recursion, without bulk counting, table, threads or leaf counter.
fn plain_perft(position: &Position, depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    moves.iter().map(|played| plain_perft(&position.play_legal(*played), depth - 1)).sum()
}

/// Returns the greatest depth from 1 to 6 whose count is not above the limit, or 1.
fn affordable_depth(position: &Position, limit: u128) -> u32 {
    (2..=6).find(|&depth| position.perft(depth) > limit).map_or(6, |depth| depth - 1)
}

/// Generates the size and the seed of a table. The smallest table has a single bucket and keeps almost nothing.
fn tables() -> impl Strategy<Value = (usize, u64)> {
    (prop_oneof![Just(MIN_TABLE_BYTES), MIN_TABLE_BYTES..1 << 16], any::<u64>())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn all_drivers_agree_with_plain_recursion(case in any_position(), (bytes, seed) in tables(), threads in 2..5usize) {
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
                // The second run uses what the first one has stored in the table.
                for run in 1..=2 {
                    let progress = Progress::default();
                    let count = driver.count_with_progress(&position, depth, &progress);
                    prop_assert_eq!(count, Ok(expected), "{}, {}, depth {}, run {}", path, name, depth, run);
                    prop_assert_eq!(u128::from(progress.nodes()), expected, "{}, {}", path, name);
                }
                check_divide(&driver, &position, depth, expected)?;
            }
        }
    }
}

/// Checks that a divide has all legal moves in order, each with the right count, and that the counts add up.
fn check_divide(
    driver: &Perft,
    position: &Position,
    depth: u32,
    expected: u128,
) -> Result<(), TestCaseError> {
    let divided = driver.divide(position, depth);
    let played: Vec<Move> = divided.iter().map(|root| root.played).collect();
    prop_assert_eq!(&played[..], &position.legal_moves()[..]);
    prop_assert_eq!(divided.iter().map(|root| root.nodes).sum::<u128>(), expected);
    for root in divided {
        let below = position.play_legal(root.played).perft(depth - 1);
        prop_assert_eq!(root.nodes, below, "below {}", root.played.to_uci(CastlingNotation::Chess960));
    }
    Ok(())
}

#[test]
fn an_interrupted_count_leaves_nothing_wrong_in_the_table() {
    for (root, threads) in ROOTS.iter().zip([1, 2, 3].into_iter().cycle()) {
        let position = Position::from_fen(root).unwrap();
        let table = Table::new(1 << 16, 7).unwrap();
        let driver = Perft::new().threads(threads).unwrap().table(table);
        for stop_at in [1, 1_000, 200_000] {
            assert_eq!(count_until(&driver, &position, stop_at), Err(Interrupted), "{root}");
            let depth = affordable_depth(&position, 500_000);
            let count = driver.count_with_progress(&position, depth, &Progress::default());
            assert_eq!(count, Ok(position.perft(depth)), "{root}, depth {depth}");
        }
    }
}

/// Starts a count that is too deep to end, and stops it after a number of nodes.
fn count_until(driver: &Perft, position: &Position, nodes: u64) -> Result<u128, Interrupted> {
    let stop = StopSignal::default();
    let progress = Progress::new(stop.clone());
    std::thread::scope(|scope| {
        let count = scope.spawn(|| driver.count_with_progress(position, 60, &progress));
        while progress.nodes() < nodes && !count.is_finished() {
            std::thread::yield_now();
        }
        stop.raise();
        count.join().unwrap()
    })
}

/// Compares the legal moves and the positions after them with those of the oracle.
fn check_moves(position: &Position, board: &Board) -> Result<(), TestCaseError> {
    let fen = setup_of(position).to_fen();
    let expected = board.legal_moves();
    let moves = position.legal_moves();
    let found: Vec<String> = moves.iter().map(|found| found.to_uci(CastlingNotation::Chess960)).collect();
    let missing: Vec<&String> = expected.keys().filter(|text| !found.contains(text)).collect();
    let extra: Vec<&String> = found.iter().filter(|text| !expected.contains_key(*text)).collect();
    prop_assert!(missing.is_empty() && extra.is_empty(), "{fen}: missing {missing:?}, extra {extra:?}");
    prop_assert_eq!(found.len(), expected.len(), "a move is listed twice: {}", fen);
    for (played, text) in moves.iter().zip(&found) {
        let child = position.play_legal(*played);
        prop_assert_eq!(Setup::from(&child), expected[text].to_setup(), "{} in {}", text, fen);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn moves_in_random_games_agree_with_the_oracle((root, choices) in games(60)) {
        let mut position = Position::from_fen(&root).unwrap();
        let mut board = Board::new(&setup_of(&position));
        for choice in choices {
            check_moves(&position, &board)?;
            let Some(played) = choose(&position.legal_moves(), choice.into()) else { break };
            board = board.legal_moves()[&played.to_uci(CastlingNotation::Chess960)];
            position = position.play_legal(played);
        }
    }
}

proptest! {
    // 1,322 random placements were enough to reveal each of 308 planted bugs that two plies can reveal. `paths.rs`
    // compares the counts of the paths on such positions.
    #![proptest_config(cases(1500))]

    #[test]
    fn moves_in_random_placements_agree_with_the_oracle(case in random_placements()) {
        let position = Position::try_from(&case.0).unwrap();
        let board = Board::new(&case.0);
        check_moves(&position, &board)?;
        prop_assert_eq!(position.perft(2), board.perft(2));
    }
}

/// Positions that no game can reach but that the program must count.
const IMPOSSIBLE: [(&str, &str); 9] = [
    ("ten queens", "kn6/pp6/8/2QQQQ2/2QQQQ2/8/QQ6/K7 w - - 0 1"),
    ("twenty-two queens", "kn1Q2QK/pp2Q3/QnQ2Q1Q/1Q5Q/3Q2QQ/Q6Q/Q1Q3QQ/2nQQQQ1 w - - 0 1"),
    ("check by three pieces", "4k3/8/8/8/4r3/8/2n5/4K2r w - - 0 1"),
    ("check along every line", "4k3/8/1q3q2/3r4/r2K2r1/8/1b1r1b2/8 w - - 0 1"),
    ("check by eight knights", "4k3/8/2n1n3/1n3n2/3K4/1n3n2/2n1n3/8 w - - 0 1"),
    ("64 pieces", "rnbqkbnr/pppppppp/nnnnnnnn/bbbbbbbb/BBBBBBBB/NNNNNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("sixteen pawns for each side", "4k3/pppppppp/8/pppppppp/PPPPPPPP/8/PPPPPPPP/4K3 w - - 0 1"),
    ("en passant, but two other pieces give check", "4k3/8/8/q2pP3/3K4/8/8/b7 w - d6 0 1"),
    ("a pinned piece on every line", "k7/q2q2q1/8/2NPB3/q1RKQ1r1/2BPP3/5q2/q2q4 w - - 0 1"),
];

#[test]
fn moves_in_impossible_positions_agree_with_the_oracle() {
    for (what, fen) in IMPOSSIBLE {
        let setup = Setup::from_fen(fen).unwrap();
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{what}: {error}"));
        let board = Board::new(&setup);
        check_moves(&position, &board).unwrap_or_else(|error| panic!("{what}: {error}"));
        for (path, counter) in drivers() {
            for depth in 0..=2 {
                let count = counter.count_with_progress(&position, depth, &Progress::default());
                assert_eq!(count, Ok(board.perft(depth)), "{what}: {path}, depth {depth}");
            }
        }
    }
}

#[test]
fn the_oracle_has_the_known_counts() {
    let counts = [(0, 3, 8_902), (1, 3, 97_862), (2, 4, 43_238), (3, 3, 9_467), (4, 3, 9_483)];
    for (root, depth, expected) in counts {
        let board = Board::new(&Setup::from_fen(ROOTS[root]).unwrap());
        assert_eq!(board.perft(depth), expected, "{}", ROOTS[root]);
    }
}
