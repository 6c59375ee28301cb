//! Random positions, games and moves, in which what is rare in games is frequent.
//!
//! Everything follows from the numbers of a [`Random`], whose sequence is part of what this module promises: a seed that
//! once found something finds it again in every version, on every machine. ([`kinds`] lists how positions come about.)

pub mod kinds;
pub mod placement;

use perft_core::{Move, MoveKind};
use perft_core::{Position, Setup};

/// Positions to walk from, each for what it has within a few moves.
pub const ROOTS: [&str; 10] = [
    // Everything that a game has.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // Castling on all four sides, pins, en passant.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Two pawns leave the king's rank at once.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // Castling against promotions that take rooks.
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // Promotions of all kinds, for both sides.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Nothing but kings and rooks that may castle.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    // Nothing but pawns: a double push beside an enemy pawn is never far.
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    // Few moves, so that counts go deep.
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    // Rooks that castle stand right beside the king, or one file from where they go.
    "1rk3r1/pp4pp/8/3pp3/3PP3/8/PP4PP/1RK3R1 w GBgb - 0 1",
    // The queens' rays fill the board: checks and pins on every move.
    "3q2k1/2q5/8/8/8/8/3Q4/1K2Q3 w - - 0 1",
];

/// A start array of Chess960 for each side, by its number from 0 to 959 in Reinhard Scharnagl's list, as a Shredder-FEN.
///
/// # Examples
/// ```
/// use perft_diagnosis::random::chess960_start;
/// assert_eq!(chess960_start(518, 518), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
/// ```
///
/// # Panics
/// A number is above 959.
pub fn chess960_start(white: u32, black: u32) -> String {
    let (white, black) = (chess960_array(white), chess960_array(black));
    let rights = |array: &str| -> String {
        let rooks = array.char_indices().filter(|(_, piece)| *piece == 'R');
        rooks.map(|(file, _)| (b'A' + file as u8) as char).rev().collect()
    };
    let (upper, lower) = (rights(&white), rights(&black).to_lowercase());
    let black = black.to_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {upper}{lower} - 0 1")
}

/// The pieces of a start array from the a-file on. The number says in turn: the bishop of light squares, that of dark
/// squares, the queen and both knights among the files that are left; rook, king and rook fill the rest.
fn chess960_array(number: u32) -> String {
    /// The places of the two knights among five free files.
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    assert!(number < 960, "there are 960 start arrays");
    let number = number as usize;
    let mut array = [None; 8];
    array[2 * (number % 4) + 1] = Some('B');
    array[2 * (number / 4 % 4)] = Some('B');
    let free =
        |array: &[Option<char>; 8]| -> Vec<usize> { (0..8).filter(|&file| array[file].is_none()).collect() };
    array[free(&array)[number / 16 % 6]] = Some('Q');
    let left = free(&array);
    KNIGHTS[number / 96].iter().for_each(|&place| array[left[place]] = Some('N'));
    free(&array).into_iter().zip(['R', 'K', 'R']).for_each(|(file, piece)| array[file] = Some(piece));
    array.into_iter().flatten().collect()
}

/// What a position says of itself, with an en passant square even where no capture on it is legal.
pub fn setup_of(position: &Position) -> Setup {
    Setup { en_passant: position.en_passant(), ..Setup::from(position) }
}

/// The move that a number stands for. One number in four picks a rarer kind, if there is one: plain chance castles,
/// promotes and takes en passant too seldom.
pub fn choose(moves: &[Move], choice: u64) -> Option<Move> {
    let is_rare = |played: &&Move| {
        use MoveKind::*;
        !matches!(played.kind(), Pawn | DoublePush | Knight | Diagonal | Orthogonal | King)
    };
    let rare: Vec<&Move> = moves.iter().filter(is_rare).collect();
    let index = (choice / 4) as usize;
    match rare.len() {
        0 => moves.get(index % moves.len().max(1)).copied(),
        count if choice.is_multiple_of(4) => Some(*rare[index % count]),
        _ => Some(moves[index % moves.len()]),
    }
}

/// Seeded chance: Sebastiano Vigna's SplitMix64. (Twelve lines, which will never change, beside a library that might.)
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn start_arrays_are_all_different_and_legal() {
        let arrays: HashSet<String> = (0..960).map(chess960_array).collect();
        assert_eq!(arrays.len(), 960);
        for array in arrays {
            let files = |wanted| array.char_indices().filter(move |(_, piece)| *piece == wanted);
            let of = |wanted| files(wanted).map(|(file, _)| file).collect::<Vec<usize>>();
            let (bishops, rooks, king) = (of('B'), of('R'), of('K'));
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{array}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{array}");
        }
        assert_eq!(chess960_array(0), "BBQNNRKR");
        assert_eq!(chess960_array(959), "RKRNNQBB");
    }

    /// The sequence of a seed is a promise.
    #[test]
    fn the_numbers_of_a_seed_stay_the_same() {
        let mut random = Random::new(1);
        let first: Vec<u64> = (0..3).map(|_| random.number()).collect();
        assert_eq!(first, [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67, 0xf893_a2ee_fb32_555e]);
    }
}
