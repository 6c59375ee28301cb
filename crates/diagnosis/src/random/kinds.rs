//! Kinds of random positions. Each kind has many cases that generators often get wrong.
//!
//! Games have few checks, fewer pins, and hardly any en passant capture that matters. The other kinds construct
//! positions that are rare in games: pinned pieces and batteries on the lines of a king, castling near attackers, pawns
//! side by side, and boards with more moves than any game has. A few random moves are played from half of the
//! constructed positions.

use perft_core::internals::{Direction, is_possible, too_much_material};
use perft_core::{CastlingRights, Color, File, Piece, Position, Rank, START_FEN, Setup, Square};

use super::{
    ROOTS, Random, chess960_start, distance, is_king, put, put_castling_rooks, put_passing_pawn,
    random_moves, random_setup, recolor_checkers, setup_of, two_kings,
};
use crate::named_enum::named_enum;

/// The position with the most legal moves that a game can reach: 218 (Nenad Petrović, 1964).
pub const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// The length of the longest random game, in plies.
const MAX_PLIES: usize = 200;

named_enum! {
    /// The way in which a random position is made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum PositionKind {
        Game: "A random game of standard chess",
        Chess960: "A random game of Chess960. In half of the games, the two sides start from different arrays",
        Root: "A random game from one of ten well-known positions",
        Changed: "A game, after which some pieces are removed, added, moved, or change their colour",
        Scattered: "Any number of pieces on random squares",
        Sparse: "Few pieces on random squares",
        KingLines: "Pieces of both sides on the lines of the king of the side to move",
        KingZone: "Pieces of both sides around the king of the side to move, and enemy pieces elsewhere",
        Castling: "Kings and rooks on their home squares with castling rights, and attackers",
        Pawns: "Pawns before their first move, next to enemy pawns, and before promotion",
        Crowded: "The position with the most moves, changed at random, or a board full of queens and knights",
    }
}

impl PositionKind {
    /// Returns a random position of this kind.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::random::{Random, kinds::PositionKind};
    ///
    /// let position = PositionKind::Castling.position(&mut Random::new(7));
    /// assert_eq!(position, PositionKind::Castling.position(&mut Random::new(7)));
    /// ```
    pub fn position(self, random: &mut Random) -> Position {
        match self {
            PositionKind::Game | PositionKind::Chess960 | PositionKind::Root => self.game(random),
            _ => {
                let setup = self.setup(random);
                let position = legal(&setup);
                if random.one_in(2) { walk(position, random, 4) } else { position }
            }
        }
    }

    /// Returns a random position of this kind that is not [impossible](perft_core::impossibilities). Pieces beyond
    /// those that a game can have are removed.
    ///
    /// # Examples
    /// ```
    /// use perft_core::impossibilities;
    /// use perft_diagnosis::random::{Random, kinds::PositionKind};
    ///
    /// let position = PositionKind::Crowded.possible_position(&mut Random::new(7));
    /// assert!(impossibilities(&position).is_empty());
    /// ```
    pub fn possible_position(self, random: &mut Random) -> Position {
        loop {
            let position = self.position(random);
            if let Some(position) = thinned(&position, random).filter(is_possible) {
                return position;
            }
        }
    }

    /// Returns the kind of the random position with this number: the kinds take turns.
    pub fn of_number(number: u64) -> PositionKind {
        PositionKind::ALL[number as usize % PositionKind::ALL.len()]
    }

    /// Returns the position after some random moves of a game.
    fn game(self, random: &mut Random) -> Position {
        let root = match self {
            PositionKind::Chess960 => {
                let white = random.below(960) as u32;
                let black = if random.one_in(2) { white } else { random.below(960) as u32 };
                &chess960_start(white, black)
            }
            PositionKind::Root => random.pick(&ROOTS),
            _ => START_FEN,
        };
        walk(Position::from_fen(root).expect("roots are legal"), random, MAX_PLIES)
    }

    fn setup(self, random: &mut Random) -> Setup {
        let pieces = random.below(63);
        match self {
            PositionKind::Scattered => random_setup(random, pieces),
            PositionKind::Sparse => random_setup(random, pieces % 9),
            PositionKind::KingLines => king_lines(random),
            PositionKind::KingZone => king_zone(random),
            PositionKind::Castling => castling(random),
            PositionKind::Pawns => pawns(random),
            PositionKind::Crowded => crowded(random),
            _ => {
                let kind = random.pick(&[PositionKind::Game, PositionKind::Chess960, PositionKind::Root]);
                let setup = setup_of(&kind.game(random));
                let changes = 1 + random.below(8);
                changed(setup, random, changes)
            }
        }
    }
}

fn legal(setup: &Setup) -> Position {
    Position::try_from(setup).expect("constructed setups are legal")
}

fn walk(position: Position, random: &mut Random, plies: usize) -> Position {
    let moves = random.below(plies + 1);
    random_moves(&position, random, moves).into_iter().fold(position, |at, played| at.play_legal(played))
}

/// Returns the position with random pieces removed, until it has no more material than a game can have. Returns `None`
/// if the rest is not a legal position.
fn thinned(position: &Position, random: &mut Random) -> Option<Position> {
    let mut setup = setup_of(position);
    for color in Color::ALL {
        while too_much_material(&setup, color).is_some() {
            let is_removable = |at: &Square| {
                setup.board[at.index()]
                    .is_some_and(|found| found.color == color && found.piece != Piece::King)
            };
            let removable: Vec<Square> = Square::ALL.into_iter().filter(is_removable).collect();
            let at = random.pick(&removable);
            setup.board[at.index()] = None;
            setup.castling.remove(at.into());
        }
    }
    recolor_checkers(&mut setup);
    Position::try_from(&setup).ok()
}

/// Returns a setup with pieces on the eight lines of a king. The squares of these lines are empty, or have a piece of
/// its own side or an enemy piece, often a slider that moves along the line.
fn king_lines(random: &mut Random) -> Setup {
    let mut setup = two_kings(random);
    let us = setup.turn;
    let king = setup.squares_of(us, Piece::King).first().expect("there is a king");
    let density = 1 + random.below(3);
    let orthogonal = Direction::ORTHOGONAL.map(|direction| (direction, Piece::Rook));
    let diagonal = Direction::DIAGONAL.map(|direction| (direction, Piece::Bishop));
    for (direction, along) in orthogonal.into_iter().chain(diagonal) {
        if random.one_in(4) {
            continue;
        }
        let mut next = direction.step(king);
        while let Some(at) = next {
            if random.below(4) < density {
                match random.below(8) {
                    0..3 => put_piece(&mut setup, at, us, random.pick(&PIECES)),
                    3..6 => put_piece(&mut setup, at, !us, random.pick(&[along, along, Piece::Queen])),
                    _ => put_piece(&mut setup, at, !us, random.pick(&PIECES)),
                }
            }
            next = direction.step(at);
        }
    }
    put_random_pieces(&mut setup, random, 10);
    finished(setup, random)
}

/// Returns a setup with pieces on the 24 squares around the king of the side to move, and enemy pieces elsewhere.
fn king_zone(random: &mut Random) -> Setup {
    let mut setup = two_kings(random);
    let us = setup.turn;
    let king = setup.squares_of(us, Piece::King).first().expect("there is a king");
    let near: Vec<Square> = Square::ALL.into_iter().filter(|&at| distance(at, king) <= 2).collect();
    for _ in 0..random.below(14) {
        let color = if random.one_in(3) { us } else { !us };
        put_piece(&mut setup, random.pick(&near), color, random.pick(&PIECES));
    }
    for _ in 0..random.below(8) {
        let piece = random.pick(&[Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::Pawn]);
        put_piece(&mut setup, random.pick(&Square::ALL), !us, piece);
    }
    put_random_pieces(&mut setup, random, 8);
    finished(setup, random)
}

/// Returns a setup with kings on their back ranks, often on the e-file, castling rooks, pawns in front of them, and
/// attackers.
fn castling(random: &mut Random) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    for color in Color::ALL {
        let file = if random.one_in(2) { File::E } else { random.pick(&File::ALL) };
        put(&mut setup, Square::new(file, color.back_rank()), color, Piece::King);
    }
    for color in Color::ALL {
        for file in File::ALL {
            if random.one_in(3) {
                put_piece(&mut setup, Square::new(file, color.rank(Rank::Second)), color, Piece::Pawn);
            }
        }
    }
    put_random_pieces(&mut setup, random, 16);
    put_castling_rooks(&mut setup, random);
    finished(setup, random)
}

/// Returns a setup with many pawns, and a few other pieces among them.
fn pawns(random: &mut Random) -> Setup {
    let mut setup = two_kings(random);
    for rank in [Rank::Second, Rank::Third, Rank::Fourth, Rank::Fifth, Rank::Sixth, Rank::Seventh] {
        if random.one_in(4) {
            continue;
        }
        // The choice of the side decides whether pawns on the second and seventh rank are before their first move or
        // before promotion.
        let most = random.pick(&Color::ALL);
        for file in File::ALL {
            if random.one_in(2) {
                let color = if random.one_in(4) { !most } else { most };
                put_piece(&mut setup, Square::new(file, rank), color, Piece::Pawn);
            }
        }
    }
    put_random_pieces(&mut setup, random, 10);
    finished(setup, random)
}

/// Returns a setup with very many moves.
fn crowded(random: &mut Random) -> Setup {
    let setup = if random.one_in(2) {
        let setup = Setup::from_fen(MOST_MOVES).expect("the FEN is correct");
        let changes = random.below(12);
        changed(setup, random, changes)
    } else {
        let mut setup = two_kings(random);
        let most = random.pick(&Color::ALL);
        let kinds = random.pick(&[
            &[Piece::Queen][..],
            &[Piece::Queen, Piece::Knight],
            &[Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight],
            &[Piece::Knight],
        ]);
        let others = random.pick(&[2, 4, 8]);
        for _ in 0..8 + random.below(30) {
            let color = if random.one_in(others) { !most } else { most };
            put_piece(&mut setup, random.pick(&Square::ALL), color, random.pick(kinds));
        }
        put_random_pieces(&mut setup, random, 6);
        finished(setup, random)
    };
    if random.one_in(2) { setup_of(&legal(&setup).flipped()) } else { setup }
}

/// Returns the setup after some changes: a piece is removed, added or moved, or changes its colour or kind.
fn changed(mut setup: Setup, random: &mut Random, changes: usize) -> Setup {
    for _ in 0..changes {
        let at = random.pick(&Square::ALL);
        if is_king(&setup, at) {
            continue;
        }
        let Some(found) = setup.board[at.index()] else {
            put_piece(&mut setup, at, random.pick(&Color::ALL), random.pick(&PIECES));
            continue;
        };
        let change = random.below(4);
        if change < 2 {
            setup.board[at.index()] = None;
        }
        match change {
            0 => {}
            1 => put_piece(&mut setup, random.pick(&Square::ALL), found.color, found.piece),
            2 => put_piece(&mut setup, at, !found.color, found.piece),
            _ => put_piece(&mut setup, at, found.color, random.pick(&PIECES)),
        }
    }
    if random.one_in(4) {
        setup.turn = !setup.turn;
    }
    setup.en_passant = None;
    recolor_checkers(&mut setup);
    setup
}

/// All pieces except the king.
const PIECES: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// Puts a piece on a square unless a king is there. On the first and last rank, a pawn becomes a knight.
fn put_piece(setup: &mut Setup, at: Square, color: Color, piece: Piece) {
    let is_last = matches!(at.rank(), Rank::First | Rank::Eighth);
    let piece = if piece == Piece::Pawn && is_last { Piece::Knight } else { piece };
    if !is_king(setup, at) {
        put(setup, at, color, piece);
    }
}

fn put_random_pieces(setup: &mut Setup, random: &mut Random, bound: usize) {
    for _ in 0..random.below(bound) {
        put_piece(setup, random.pick(&Square::ALL), random.pick(&Color::ALL), random.pick(&PIECES));
    }
}

/// Adds castling rights and an en passant square to some setups, and corrects illegal checks.
fn finished(mut setup: Setup, random: &mut Random) -> Setup {
    if setup.castling == CastlingRights::NONE && random.one_in(4) {
        put_castling_rooks(&mut setup, random);
    }
    if random.one_in(4) {
        put_passing_pawn(&mut setup, random);
    }
    recolor_checkers(&mut setup);
    setup
}
