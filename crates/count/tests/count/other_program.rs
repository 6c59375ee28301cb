//! Compares the moves of this crate with those of the crate `cozy-chess`, which was written independently.
//!
//! Random games of standard chess and Chess960 are played on both boards at once. After every move, both must have
//! the same pieces, castling rights and legal moves, and all CPU paths must have the same counts at depths 1 and 2.
//! The same is done with random placements of pieces. `cozy-chess` refuses positions with more than 16 pieces or 8
//! pawns of one side; `properties.rs` compares these with the oracle.

use perft_core::{CastlingNotation, Position, START_FEN};
use perft_count::{CpuPath, Perft};
use perft_diagnosis::random::{Random, chess960_start, choose, random_setup, setup_of};
use perft_testing::drivers;

/// The number of positions that are compared in each of the two kinds of games.
const POSITIONS: usize = 10_000;

/// The number of plies after which a game ends.
const GAME_PLIES: usize = 160;

#[test]
fn moves_agree_in_games_of_standard_chess() {
    play_games(1, |_| START_FEN.to_owned());
}

#[test]
fn moves_agree_in_games_of_chess960() {
    play_games(2, |random| {
        let white = random.below(960) as u32;
        // In half of the games, the two sides start from different arrays, which the castling rules allow.
        let black = if random.one_in(2) { white } else { random.below(960) as u32 };
        chess960_start(white, black)
    });
}

#[test]
fn moves_agree_in_random_placements() {
    let mut random = Random::new(3);
    let mut comparer = Comparer::new();
    while comparer.compared < 5_000 {
        let pieces = random.below(31);
        let setup = random_setup(&mut random, pieces);
        let Ok(theirs) = cozy_chess::Board::from_fen(&setup.to_shredder_fen(), true) else { continue };
        comparer.compare(&Position::try_from(&setup).expect("random placements are legal"), &theirs);
    }
}

/// Plays random games until enough positions were compared.
fn play_games(seed: u64, start: impl Fn(&mut Random) -> String) {
    let mut random = Random::new(seed);
    let mut comparer = Comparer::new();
    while comparer.compared < POSITIONS {
        let fen = start(&mut random);
        let mut ours = Position::from_fen(&fen).expect("a start array");
        let mut theirs: cozy_chess::Board = fen.parse().expect("a start array");
        for _ in 0..GAME_PLIES {
            comparer.compare(&ours, &theirs);
            let Some(played) = choose(&ours.legal_moves(), random.number()) else { break };
            ours = ours.play_legal(played);
            theirs.play(played.to_uci(CastlingNotation::Chess960).parse().expect("the same notation"));
        }
    }
}

/// Compares positions and counts them.
struct Comparer {
    compared: usize,
    counters: Vec<(CpuPath, Perft)>,
}

impl Comparer {
    fn new() -> Comparer {
        Comparer { compared: 0, counters: drivers() }
    }

    fn compare(&mut self, ours: &Position, theirs: &cozy_chess::Board) {
        self.compared += 1;
        let fen = format!("{theirs:#}");
        let setup = setup_of(ours);
        assert_eq!(state(&setup.to_shredder_fen()), state(&fen), "the positions differ");

        let expected = moves_of(theirs);
        let texts: Vec<String> = expected.iter().map(cozy_chess::Move::to_string).collect();
        let found = ours.legal_moves().iter().map(|found| found.to_uci(CastlingNotation::Chess960)).collect();
        assert_same_moves("legal_moves", &fen, found, texts.clone());
        let replies = expected.iter().map(|&played| {
            let mut child = theirs.clone();
            child.play_unchecked(played);
            count_moves(&child)
        });
        let replies = replies.sum::<u128>();
        for (path, counter) in &self.counters {
            let count = |depth| counter.count(ours, depth);
            let divided = counter.divide(ours, 1);
            let found = divided.iter().map(|root| root.played.to_uci(CastlingNotation::Chess960)).collect();
            assert_same_moves(path.name(), &fen, found, texts.clone());
            assert_eq!(count(1), texts.len() as u128, "{path} counts wrongly at depth 1: {fen}");
            if count(2) != replies {
                explain(path.name(), counter, ours, theirs);
            }
        }
    }
}

/// Panics and names the move whose replies are counted wrongly.
fn explain(path: &str, counter: &Perft, ours: &Position, theirs: &cozy_chess::Board) -> ! {
    for root in counter.divide(ours, 2) {
        let played = root.played.to_uci(CastlingNotation::Chess960);
        let mut child = theirs.clone();
        child.play(played.parse().unwrap());
        let expected = count_moves(&child);
        assert_eq!(root.nodes, expected, "{path}: replies to {played} in {theirs:#}");
    }
    panic!("{path}: the count of depth 2 is not the sum of its divide: {theirs:#}");
}

fn moves_of(board: &cozy_chess::Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_a_piece| {
        moves.extend(of_a_piece);
        false
    });
    moves
}

fn count_moves(board: &cozy_chess::Board) -> u128 {
    let mut count = 0;
    board.generate_moves(|of_a_piece| {
        count += of_a_piece.len() as u128;
        false
    });
    count
}

/// Returns the pieces, the side to move and the castling rights of a FEN.
fn state(fen: &str) -> Vec<&str> {
    fen.split(' ').take(3).collect()
}

/// Panics unless both lists have the same moves, each the same number of times.
fn assert_same_moves(who: &str, fen: &str, mut found: Vec<String>, mut expected: Vec<String>) {
    found.sort();
    expected.sort();
    if found != expected {
        let missing: Vec<&String> = expected.iter().filter(|text| !found.contains(text)).collect();
        let extra: Vec<&String> = found.iter().filter(|text| !expected.contains(text)).collect();
        panic!(
            "{who} in {fen}\n  missing: {missing:?}\n  extra: {extra:?}\n  {} moves, not {}",
            found.len(),
            expected.len()
        );
    }
}

/// Checks that a difference would be noticed.
#[test]
#[should_panic(expected = "missing: [\"e2e4\"]")]
fn a_missing_move_is_reported() {
    let all =
        || Position::start().legal_moves().iter().map(|m| m.to_uci(CastlingNotation::Chess960)).collect();
    let expected: Vec<String> = all();
    let mut found: Vec<String> = all();
    found.retain(|text| text != "e2e4");
    assert_same_moves("a generator that misses a move", START_FEN, found, expected);
}
