//! Our moves against those of another program: the crate `cozy-chess`, written by other people in another way.
//!
//! Random games are played on both boards at once, half of them from start arrays of Chess960; at every position both
//! must have the same men, rights and moves, and all CPU paths the same counts one and two plies deep. Then the same
//! for men thrown on the board, as far as `cozy-chess` takes such positions: it refuses more than 16 men or 8 pawns a side.
//! What it refuses is left to the oracle, in `tests/properties.rs`.

use perft_core::CastlingNotation;
use perft_core::legal_moves;
use perft_core::{CpuPath, Perft, Progress};
use perft_core::{Position, START_FEN};
use perft_diagnosis::random::{Random, chess960_start, choose, placement, setup_of};
use perft_testing::{drivers, shredder_fen};

/// Positions compared in each of the two kinds of games.
const POSITIONS: usize = 50_000;

/// Plies after which a game that still goes on is left.
const GAME_PLIES: usize = 160;

#[test]
fn games_of_standard_chess() {
    play_games(1, |_| START_FEN.to_owned());
}

#[test]
fn games_of_chess960() {
    play_games(2, |random| {
        let white = random.below(960) as u32;
        // Every other game has a different array for each side, which no rule of castling forbids.
        let black = if random.one_in(2) { white } else { random.below(960) as u32 };
        chess960_start(white, black)
    });
}

#[test]
fn men_thrown_on_the_board() {
    let mut random = Random::new(3);
    let mut peer = Peer::new();
    while peer.compared < 20_000 {
        let men = random.below(31);
        let setup = placement::random_setup(&mut random, men);
        let Ok(theirs) = cozy_chess::Board::from_fen(&shredder_fen(&setup), true) else { continue };
        peer.compare(&Position::try_from(&setup).expect("mended"), &theirs);
    }
}

/// Plays random games until enough positions were compared.
fn play_games(seed: u64, start: impl Fn(&mut Random) -> String) {
    let mut random = Random::new(seed);
    let mut peer = Peer::new();
    while peer.compared < POSITIONS {
        let fen = start(&mut random);
        let mut ours = Position::from_fen(&fen).expect("a start array");
        let mut theirs: cozy_chess::Board = fen.parse().expect("a start array");
        for _ in 0..GAME_PLIES {
            peer.compare(&ours, &theirs);
            let Some(played) = choose(&legal_moves(&ours), random.number()) else { break };
            ours = ours.play_unchecked(played);
            theirs.play(played.to_uci(CastlingNotation::Chess960).parse().expect("the same notation"));
        }
    }
}

/// Compares positions, and counts them.
struct Peer {
    compared: usize,
    counters: Vec<(CpuPath, Perft)>,
}

impl Peer {
    fn new() -> Peer {
        Peer { compared: 0, counters: drivers() }
    }

    fn compare(&mut self, ours: &Position, theirs: &cozy_chess::Board) {
        self.compared += 1;
        let fen = format!("{theirs:#}");
        let setup = setup_of(ours);
        assert_eq!(state(&shredder_fen(&setup)), state(&fen), "not the same position");

        let expected = moves_of(theirs);
        let texts: Vec<String> = expected.iter().map(cozy_chess::Move::to_string).collect();
        let found = legal_moves(ours).iter().map(|found| found.to_uci(CastlingNotation::Chess960)).collect();
        assert_same_moves("legal_moves", &fen, found, texts.clone());
        let replies = expected.iter().map(|&played| {
            let mut child = theirs.clone();
            child.play_unchecked(played);
            count_moves(&child)
        });
        let replies = replies.sum::<u128>();
        for (path, counter) in &self.counters {
            let count = |depth| counter.count(ours, depth, &Progress::default()).unwrap();
            let divided = counter.divide(ours, 1, &Progress::default()).unwrap();
            let found = divided.iter().map(|root| root.played.to_uci(CastlingNotation::Chess960)).collect();
            assert_same_moves(path.name(), &fen, found, texts.clone());
            assert_eq!(count(1), texts.len() as u128, "{path} counts wrongly at depth 1: {fen}");
            if count(2) != replies {
                explain(path.name(), counter, ours, theirs);
            }
        }
    }
}

/// Says below which move the replies are counted wrongly.
fn explain(path: &str, counter: &Perft, ours: &Position, theirs: &cozy_chess::Board) -> ! {
    for root in counter.divide(ours, 2, &Progress::default()).unwrap() {
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

/// Men, side and castling rights of a FEN.
fn state(fen: &str) -> Vec<&str> {
    fen.split(' ').take(3).collect()
}

/// Panics unless both lists have the same moves, each as often.
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

/// The comparison itself must be able to fail.
#[test]
#[should_panic(expected = "missing: [\"e2e4\"]")]
fn a_missing_move_is_reported() {
    let all =
        || legal_moves(&Position::start()).iter().map(|m| m.to_uci(CastlingNotation::Chess960)).collect();
    let expected: Vec<String> = all();
    let mut found: Vec<String> = all();
    found.retain(|text| text != "e2e4");
    assert_same_moves("a generator with a hole", START_FEN, found, expected);
}
