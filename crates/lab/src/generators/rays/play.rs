//! Plays a move on a copy of the board, and updates the Zobrist key.
//!
//! All sets change by exclusive or. A move changes the set of its kind of piece and the set of its colour, and the same
//! two sets for the captured piece. If nothing is captured, the last two changes have no effect, so no branch is
//! needed. Only rare cases have branches: king moves, lost castling rights, double pushes, promotions and castling.
//!
//! The key is the exclusive or of random words: one for each piece on its square, one for each rook with a castling
//! right, one for the file of an en passant square, and one if Black is to move. So the same operation adds and removes
//! each of them. (Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.)

use perft_core::internals::{Direction, Side, origin, split_mix_64};
use perft_core::{Bitboard, CastlingSide, Color, Square};

use super::{Kind, RaysBoard, RaysMove, set_of};

/// `S` is always the side to move.
impl RaysBoard {
    /// Plays a legal move of any kind. It calls separate functions for castling, double pushes and promotions.
    #[inline(always)]
    pub(super) fn play<S: Side>(&mut self, packed: RaysMove) {
        let (us, them) = (set_of(S::COLOR), set_of(S::Other::COLOR));
        self.turn = S::Other::COLOR;
        self.key ^= ZOBRIST.turn;
        if let Some(passed) = self.en_passant.take() {
            self.key ^= ZOBRIST.en_passant(passed);
        }
        if packed.is(RaysMove::CASTLING) {
            self.castle::<S>(packed.from(), packed.to());
            return;
        }
        let (from, to, moved) = (packed.from(), packed.to(), packed.moved());
        let both = Bitboard::from(from) | to.into();
        self.sets[moved.index()] ^= both;
        self.sets[us] ^= both;
        self.key ^= ZOBRIST.piece(S::COLOR, moved, from) ^ ZOBRIST.piece(S::COLOR, moved, to);

        // If nothing is captured, `taken` is empty and the random word is zero, so nothing changes.
        let captured = packed.captured();
        let at = packed.capture_square();
        let taken = Bitboard::from_bits(u64::from(captured != Kind::NONE) << at as u8);
        self.sets[captured.index()] ^= taken;
        self.sets[them] ^= taken;
        self.key ^= ZOBRIST.piece(S::Other::COLOR, captured, at);

        let mut gone = both;
        if moved == Kind::KING {
            self.kings[S::COLOR.index()] = to;
            gone |= S::BACK_RANK;
        }
        self.lose_rights(gone);
        if packed.is_special() {
            self.finish::<S>(packed);
        }
    }

    /// Completes a double push or a promotion.
    #[inline(always)]
    fn finish<S: Side>(&mut self, packed: RaysMove) {
        let to = packed.to();
        if packed.is(RaysMove::DOUBLE_PUSH) {
            let stop = Bitboard::from(to);
            let beside = stop.step(Direction::West) | stop.step(Direction::East);
            if (beside & self.of_kind(Kind::PAWN) & self.all(S::Other::COLOR)).any() {
                let passed = origin(to, S::FORWARD.offset());
                self.en_passant = Some(passed);
                self.key ^= ZOBRIST.en_passant(passed);
            }
        } else {
            let promoted = packed.promoted();
            self.sets[Kind::PAWN.index()] ^= to.into();
            self.sets[promoted.index()] ^= to.into();
            self.key ^= ZOBRIST.piece(S::COLOR, Kind::PAWN, to) ^ ZOBRIST.piece(S::COLOR, promoted, to);
        }
    }

    /// Castles. King and rook may move to each other's squares. Then the two changes of a set cancel each other there.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        for (kind, from, to) in [(Kind::KING, king, king_target), (Kind::ROOK, rook, rook_target)] {
            let change = Bitboard::from(from) ^ to.into();
            self.sets[kind.index()] ^= change;
            self.sets[set_of(S::COLOR)] ^= change;
            self.key ^= ZOBRIST.piece(S::COLOR, kind, from) ^ ZOBRIST.piece(S::COLOR, kind, to);
        }
        self.kings[S::COLOR.index()] = king_target;
        self.lose_rights(S::BACK_RANK);
    }

    /// Removes the castling rights of rooks on these squares.
    #[inline(always)]
    fn lose_rights(&mut self, squares: Bitboard) {
        let lost = self.castling.all_rooks() & squares;
        if lost.any() {
            self.castling.remove(lost);
            for rook in lost {
                self.key ^= ZOBRIST.right(rook);
            }
        }
    }

    /// Returns the key, computed from the whole board.
    pub(super) fn key_from_scratch(&self) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for square in self.all(color) {
                let kind = match self.kings.contains(&square) {
                    true => Kind::KING,
                    false => self.kind_at(square),
                };
                key ^= ZOBRIST.piece(color, kind, square);
            }
        }
        for rook in self.castling.all_rooks() {
            key ^= ZOBRIST.right(rook);
        }
        if let Some(passed) = self.en_passant {
            key ^= ZOBRIST.en_passant(passed);
        }
        if self.turn == Color::Black { key ^ ZOBRIST.turn } else { key }
    }
}

/// The random words of the key.
struct Zobrist {
    /// The words by colour, kind and square. They are zero for no piece.
    pieces: [[[u64; 64]; 8]; 2],
    /// The words by the square of a rook with a castling right.
    rights: [u64; 64],
    /// The words by file.
    en_passant: [u64; 8],
    /// The word for Black to move.
    turn: u64,
}

static ZOBRIST: Zobrist = Zobrist::new();

impl Zobrist {
    const fn new() -> Zobrist {
        let mut state = 0;
        let mut pieces = [[[0; 64]; 8]; 2];
        let mut index = 0;
        while index < 2 * 64 {
            let (color, square) = (index / 64, index % 64);
            let mut kind = Kind::PAWN.index();
            while kind <= Kind::KING.index() {
                pieces[color][kind][square] = split_mix_64(&mut state);
                kind += 1;
            }
            index += 1;
        }
        let (rights, en_passant) = (words(&mut state), words(&mut state));
        Zobrist { pieces, rights, en_passant, turn: split_mix_64(&mut state) }
    }

    #[inline(always)]
    fn piece(&self, color: Color, kind: Kind, square: Square) -> u64 {
        self.pieces[color.index()][kind.index()][square.index()]
    }

    #[inline(always)]
    fn right(&self, rook: Square) -> u64 {
        self.rights[rook.index()]
    }

    #[inline(always)]
    fn en_passant(&self, passed: Square) -> u64 {
        self.en_passant[passed.file().index()]
    }
}

/// Returns the next words of the random generator.
const fn words<const N: usize>(state: &mut u64) -> [u64; N] {
    let mut words = [0; N];
    let mut index = 0;
    while index < N {
        words[index] = split_mix_64(state);
        index += 1;
    }
    words
}
