//! Properties that hold for every position and every text, tested on random ones.
//!
//! There are four groups: FEN and moves as text; the mirrored board; all drivers compared with a plain recursion; and
//! the generator compared with the oracle of `perft-testing`. The last group uses random games and random placements of
//! pieces, which other programs refuse.

use std::collections::HashMap;

use perft_core::{
    CastlingNotation, CastlingRights, Color, ColoredPiece, File, Interrupted, Move, Piece, Position, Rank,
    Setup, Square, StopSignal,
};
use perft_count::internals::{Key, KeyMaker};
use perft_count::{CpuPath, LeafMode, MIN_TABLE_BYTES, Perft, Progress, Table};
use perft_diagnosis::random::kinds::PositionKind;
use perft_diagnosis::random::{ROOTS, Random, choose, random_setup, setup_of};
use perft_testing::oracle::Board;
use perft_testing::{children, drivers};

/// Calls a function with random positions, and with the generator that has made each. When a test fails, the last line
/// that is shown is the position.
fn for_positions(count: u64, check: impl Fn(&Position, &mut Random)) {
    for number in 0..count {
        let mut random = Random::new(number);
        let position = PositionKind::of_number(number).position(&mut random);
        println!("{number}: {}", setup_of(&position).to_shredder_fen());
        check(&position, &mut random);
    }
}

/// Returns a random placement of pieces, from a few pieces to a full board.
fn placement(random: &mut Random) -> Setup {
    let pieces = random.below(63);
    random_setup(random, pieces)
}

/// Returns a setup with any piece on any square: no kings, ten kings, castling rights without rooks.
fn nonsense_setup(random: &mut Random) -> Setup {
    let mut board = [None; 64];
    for square in &mut board {
        let letter = char::from(random.pick(b"PNBRQKpnbrqk"));
        *square = ColoredPiece::from_letter(letter).filter(|_| random.below(10) < 3);
    }
    let [halfmove_clock, fullmove_number] = [0, 1].map(|_| random.number() as u32);
    let (turn, castling, en_passant) = (random.pick(&Color::ALL), rights(random), passed(random));
    Setup { board, turn, castling, en_passant, halfmove_clock, fullmove_number }
}

/// Returns castling rights on any squares of the two back ranks.
fn rights(random: &mut Random) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    let squares = Square::ALL[..8].iter().chain(&Square::ALL[56..]);
    squares.filter(|_| random.one_in(2)).for_each(|rook| rights.add(*rook));
    rights
}

/// Returns any en passant square, or none.
fn passed(random: &mut Random) -> Option<Square> {
    random.one_in(2).then(|| random.pick(&Square::ALL))
}

/// Returns a letter of FENs, or sometimes any character.
fn letter(random: &mut Random) -> char {
    let of_fens = b"pnbrqkPNBRQKwabcdefghABCDEFGH0123456789/- \t\r\n+";
    let any = char::from_u32(random.below(0x11_0000) as u32).filter(|_| random.one_in(4));
    any.unwrap_or_else(|| random.pick(of_fens).into())
}

/// Returns fewer than `limit` letters.
fn letters(random: &mut Random, limit: usize) -> String {
    (0..random.below(limit)).map(|_| letter(random)).collect()
}

/// Returns the text with up to five random changes. A change replaces, removes, inserts or repeats a letter, or cuts off
/// the end.
fn changed(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..random.below(6) {
        let at = random.below(letters.len() + 1);
        if random.one_in(12) {
            letters.truncate(at);
        }
        let removed = at..letters.len().min(at + random.below(2));
        let limit = if random.one_in(12) { 256 } else { 2 };
        let times = random.below(limit);
        letters.splice(removed, std::iter::repeat_n(letter(random), times));
    }
    letters.into_iter().collect()
}

#[test]
fn any_text_is_read_or_refused_with_faults() {
    for_positions(1500, |position, random| {
        let is_fen = random.below(5) < 3;
        let text = if is_fen { changed(&position.to_string(), random) } else { letters(random, 100) };
        println!("{text:?}");
        perft_testing::properties::fen(&text);
    });
}

#[test]
fn any_setup_is_read_back_from_its_fen() {
    for_positions(1500, |_, random| {
        let setup = nonsense_setup(random);
        for fen in [setup.to_fen(), setup.to_shredder_fen()] {
            assert_eq!(Setup::from_fen(&fen).unwrap(), setup, "{fen}");
        }
    });
}

#[test]
fn rights_and_en_passant_squares_without_effect_are_ignored() {
    for_positions(1500, |_, random| {
        let (castling, en_passant) = (rights(random), passed(random));
        let setup = Setup { castling, en_passant, ..placement(random) };
        let sensible = sensible(&setup);
        let left_out = (castling.all_rooks().count() - sensible.castling.all_rooks().count()) as usize
            + usize::from(en_passant != sensible.en_passant);
        assert_eq!(setup.warnings().len(), left_out, "{}: {:?}", setup.to_fen(), setup.warnings());
        assert_eq!(sensible.warnings(), []);
        assert_eq!(Position::try_from(&setup), Position::try_from(&sensible));
    });
}

#[test]
fn any_text_is_a_legal_move_or_an_error() {
    for_positions(1500, |position, random| {
        let squares = [0, 1].map(|_| random.pick(&Square::ALL).to_string()).concat();
        let piece = if random.one_in(2) { "" } else { random.pick(&["n", "b", "r", "q", "k", "N", "Q"]) };
        let text = if random.one_in(2) { squares + piece } else { letters(random, 7) };
        let moves = position.legal_moves();
        match position.find_move(&text) {
            Ok(found) => assert!(moves.contains(&found), "{text}"),
            Err(error) => {
                assert_eq!(error.legal.len(), moves.len(), "{text}");
                assert!(!error.legal.contains(&error.text), "{text}");
            }
        }
    });
}

#[test]
fn positions_are_read_back_from_their_fen() {
    for_positions(1500, |position, _| {
        let setup = Setup::from(position);
        assert_eq!(Setup::from_fen(&position.to_string()).unwrap(), setup);
        assert!(setup.warnings().is_empty());
        let read = Position::from_fen(&position.to_string()).unwrap();
        assert_eq!(Setup::from(&read), setup);
        assert_eq!(read.legal_moves(), position.legal_moves());
        // The FEN has no en passant square if no capture is legal.
        if position.en_passant() == position.legal_en_passant() {
            assert_eq!(read, *position);
        }
    });
}

#[test]
fn every_legal_move_is_found_by_its_text() {
    for_positions(1500, |position, _| {
        for found in position.legal_moves() {
            let text = found.to_uci(CastlingNotation::Chess960);
            assert_eq!(position.find_move(&text), Ok(found));
            // In standard notation, castling can have the text of a king move. Then the king move has priority.
            let text = found.to_uci(CastlingNotation::Standard);
            let meant = position.find_move(&text).unwrap();
            assert!(meant == found || meant.to_uci(CastlingNotation::Chess960) == text, "{text}");
        }
    });
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

#[test]
fn the_mirrored_position_has_the_same_counts() {
    for_positions(60, |position, _| {
        let mirrored = mirrored(position);
        assert_eq!(position.flipped(), mirrored);
        assert_eq!(mirrored.legal_moves().len(), position.legal_moves().len());
        for (path, counter) in drivers() {
            for depth in 1..=affordable_depth(position, 100_000).min(3) {
                let count = |position| counter.count_with_progress(position, depth, &Progress::default());
                assert_eq!(count(&mirrored), count(position), "{path}, depth {depth}");
            }
        }
    });
}

#[test]
fn keys_are_equal_if_and_only_if_fens_are() {
    for_positions(60, |position, random| {
        let keys = KeyMaker::new(random.number());
        let mut key_of = HashMap::<String, Key>::new();
        let mut fen_of = HashMap::<Key, String>::new();
        let mut reached = vec![*position];
        for _ in 0..3 {
            let before: Vec<Position> = reached.iter().copied().take(30).collect();
            reached.extend(before.iter().flat_map(children));
        }
        let near = reached.iter().take(30).flat_map(neighbours).collect::<Vec<_>>();
        for position in reached.into_iter().chain(near) {
            let (fen, key) = (position.to_string(), keys.key(&position, 4));
            assert_ne!(key, keys.key(&position, 5));
            assert_eq!(key_of.entry(fen.clone()).or_insert(key), &key, "two keys of {fen}");
            assert_eq!(fen_of.entry(key).or_insert(fen.clone()), &fen);
        }
    });
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

#[test]
fn all_drivers_agree_with_plain_recursion() {
    for_positions(60, |position, random| {
        let depth = affordable_depth(position, 150_000);
        let expected = plain_perft(position, depth);
        // The smallest table has a single bucket and keeps almost nothing.
        let more = if random.one_in(2) { 0 } else { random.below(1 << 16) };
        let (seed, threads) = (random.number(), 2 + random.below(3));
        let table = || Table::new(MIN_TABLE_BYTES + more, seed).unwrap();
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
                    let count = driver.count_with_progress(position, depth, &progress);
                    assert_eq!(count, Ok(expected), "{path}, {name}, depth {depth}, run {run}");
                    assert_eq!(u128::from(progress.nodes()), expected, "{path}, {name}");
                }
                check_divide(&driver, position, depth, expected);
            }
        }
    });
}

/// Checks that a divide has all legal moves in order, each with the right count, and that the counts add up.
fn check_divide(driver: &Perft, position: &Position, depth: u32, expected: u128) {
    let divided = driver.divide(position, depth);
    let played: Vec<Move> = divided.iter().map(|root| root.played).collect();
    assert_eq!(&played[..], &position.legal_moves()[..]);
    assert_eq!(divided.iter().map(|root| root.nodes).sum::<u128>(), expected);
    for root in divided {
        let below = position.play_legal(root.played).perft(depth - 1);
        assert_eq!(root.nodes, below, "below {}", root.played.to_uci(CastlingNotation::Chess960));
    }
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
fn check_moves(position: &Position, board: &Board) {
    let fen = setup_of(position).to_fen();
    let expected = board.legal_moves();
    let moves = position.legal_moves();
    let found: Vec<String> = moves.iter().map(|found| found.to_uci(CastlingNotation::Chess960)).collect();
    let missing: Vec<&String> = expected.keys().filter(|text| !found.contains(text)).collect();
    let extra: Vec<&String> = found.iter().filter(|text| !expected.contains_key(*text)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "{fen}: missing {missing:?}, extra {extra:?}");
    assert_eq!(found.len(), expected.len(), "a move is listed twice: {fen}");
    for (played, text) in moves.iter().zip(&found) {
        let child = position.play_legal(*played);
        assert_eq!(Setup::from(&child), expected[text].to_setup(), "{text} in {fen}");
    }
}

#[test]
fn moves_in_random_games_agree_with_the_oracle() {
    for_positions(60, |position, random| {
        let (mut position, mut board) = (*position, Board::new(&setup_of(position)));
        for _ in 0..random.below(60) {
            check_moves(&position, &board);
            let Some(played) = choose(&position.legal_moves(), random.number()) else { break };
            board = board.legal_moves()[&played.to_uci(CastlingNotation::Chess960)];
            position = position.play_legal(played);
        }
    });
}

/// 1,322 random placements were enough to reveal each of 308 planted bugs that two plies can reveal. `paths.rs` compares
/// the counts of the paths on such positions.
#[test]
fn moves_in_random_placements_agree_with_the_oracle() {
    for_positions(1500, |_, random| {
        let setup = placement(random);
        let (position, board) = (Position::try_from(&setup).unwrap(), Board::new(&setup));
        check_moves(&position, &board);
        assert_eq!(position.perft(2), board.perft(2), "{}", setup.to_fen());
    });
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
        check_moves(&position, &board);
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
