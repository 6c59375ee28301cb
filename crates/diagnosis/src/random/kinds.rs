//! Kinds of random positions, each for what a generator may get wrong there.
//!
//! Games reach what games reach: few checks, fewer pins, hardly an en passant capture that matters. The other kinds
//! build what is rare: the lines of the king of the side to move full of pinned men, batteries and men that may uncover
//! a check; castling under fire; pawns side by side; boards so crowded that there are more moves than in any game. From
//! half of the built positions a few moves are played, so that the men of both sides have moved.

use super::placement::{
    distance, is_king, put, put_castling_rooks, put_kings, put_passing_pawn, random_setup,
    turn_coats_of_checkers,
};
use super::{ROOTS, Random, chess960_start, choose, setup_of};
use perft_core::internals::Direction;
use perft_core::legal_moves;
use perft_core::{CastlingRights, Color, ColoredPiece, File, Piece, Rank, Square};
use perft_core::{Position, START_FEN, Setup};

/// The position with the most moves that is known, 218 (Nenad Petrović, 1964).
pub const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

/// Plies of the longest random game.
const GAME_PLIES: usize = 200;

/// How a position came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionKind {
    /// A random game of standard chess.
    Game,
    /// A random game of Chess960; in half of them, each side has its own array.
    Chess960,
    /// A random game from one of the [`ROOTS`].
    Root,
    /// A game, and then some men taken off, put on, moved, or turned.
    Changed,
    /// Any number of men thrown on the board.
    Thrown,
    /// Eight men or fewer beside the kings.
    Sparse,
    /// Men of both sides on the lines of the mover's king.
    KingsLines,
    /// Men of both sides around the mover's king, and the enemy's aim at the squares beside it.
    KingsZone,
    /// Kings and rooks at home, with the right to castle, and attackers.
    Castling,
    /// Pawns before their first step, beside enemy pawns, and before their last.
    Pawns,
    /// [`MOST_MOVES`] with random changes, or as many queens and knights as there is room.
    Crowded,
}

impl PositionKind {
    /// All kinds.
    pub const ALL: [PositionKind; 11] = [
        PositionKind::Game,
        PositionKind::Chess960,
        PositionKind::Root,
        PositionKind::Changed,
        PositionKind::Thrown,
        PositionKind::Sparse,
        PositionKind::KingsLines,
        PositionKind::KingsZone,
        PositionKind::Castling,
        PositionKind::Pawns,
        PositionKind::Crowded,
    ];

    /// A random position of this kind.
    pub fn position(self, random: &mut Random) -> Position {
        match self {
            PositionKind::Game | PositionKind::Chess960 | PositionKind::Root => {
                game(&self.root(random), random, GAME_PLIES)
            }
            _ => {
                let setup = self.setup(random);
                let position = Position::try_from(&setup).expect("mended");
                if random.one_in(2) { walk(position, random, 4) } else { position }
            }
        }
    }

    fn root(self, random: &mut Random) -> String {
        match self {
            PositionKind::Chess960 => {
                let white = random.below(960) as u32;
                let black = if random.one_in(2) { white } else { random.below(960) as u32 };
                chess960_start(white, black)
            }
            PositionKind::Root => random.pick(&ROOTS).to_owned(),
            _ => START_FEN.to_owned(),
        }
    }

    fn setup(self, random: &mut Random) -> Setup {
        let men = random.below(63);
        match self {
            PositionKind::Thrown => random_setup(random, men),
            PositionKind::Sparse => random_setup(random, men % 9),
            PositionKind::KingsLines => kings_lines(random),
            PositionKind::KingsZone => kings_zone(random),
            PositionKind::Castling => castling(random),
            PositionKind::Pawns => pawns(random),
            PositionKind::Crowded => crowded(random),
            _ => {
                let root = random
                    .pick(&[PositionKind::Game, PositionKind::Chess960, PositionKind::Root])
                    .root(random);
                let setup = setup_of(&game(&root, random, GAME_PLIES));
                let changes = 1 + random.below(8);
                changed(setup, random, changes)
            }
        }
    }
}

/// The position some random moves into a game.
fn game(fen: &str, random: &mut Random, plies: usize) -> Position {
    walk(Position::from_fen(fen).expect("a root"), random, plies)
}

/// The position after so many random moves or fewer.
fn walk(mut position: Position, random: &mut Random, plies: usize) -> Position {
    for _ in 0..random.below(plies + 1) {
        let Some(played) = choose(&legal_moves(&position), random.number()) else { break };
        position = position.play_unchecked(played);
    }
    position
}

/// On the eight lines of the mover's king, square by square: nothing, a man of its own, or an enemy, often one that
/// moves along the line.
fn kings_lines(random: &mut Random) -> Setup {
    let mut setup = two_kings(random);
    let us = setup.turn;
    let king = king_of(&setup, us);
    let density = 1 + random.below(3);
    for direction in Direction::ORTHOGONAL.into_iter().chain(Direction::DIAGONAL) {
        if random.one_in(4) {
            continue;
        }
        let is_orthogonal = Direction::ORTHOGONAL.contains(&direction);
        let along = if is_orthogonal { Piece::Rook } else { Piece::Bishop };
        let mut next = direction.step(king);
        while let Some(at) = next {
            if random.below(4) < density {
                match random.below(8) {
                    0..3 => put_man(&mut setup, at, us, random.pick(&MEN)),
                    3..6 => put_man(&mut setup, at, !us, random.pick(&[along, along, Piece::Queen])),
                    _ => put_man(&mut setup, at, !us, random.pick(&MEN)),
                }
            }
            next = direction.step(at);
        }
    }
    let others = random.below(10);
    put_random_men(&mut setup, random, others);
    finished(setup, random)
}

/// Men on the 24 squares around the mover's king, and enemies elsewhere.
fn kings_zone(random: &mut Random) -> Setup {
    let mut setup = two_kings(random);
    let us = setup.turn;
    let king = king_of(&setup, us);
    let near: Vec<Square> = Square::ALL.into_iter().filter(|&at| distance(at, king) <= 2).collect();
    for _ in 0..random.below(14) {
        let color = if random.one_in(3) { us } else { !us };
        put_man(&mut setup, random.pick(&near), color, random.pick(&MEN));
    }
    for _ in 0..random.below(8) {
        let piece = random.pick(&[Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::Pawn]);
        put_man(&mut setup, random.pick(&Square::ALL), !us, piece);
    }
    let others = random.below(8);
    put_random_men(&mut setup, random, others);
    finished(setup, random)
}

/// Kings on their back ranks, most on the e-file, castling rooks, pawns before them, and attackers.
fn castling(random: &mut Random) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    for color in Color::ALL {
        let file = if random.one_in(2) { File::E } else { random.pick(&File::ALL) };
        put(&mut setup, Square::new(file, color.back_rank()), color, Piece::King);
    }
    for color in Color::ALL {
        let before = color.forward();
        for file in File::ALL {
            let home = Square::new(file, color.back_rank());
            if random.one_in(3) {
                put_man(&mut setup, before.step(home).expect("a rank further"), color, Piece::Pawn);
            }
        }
    }
    let attackers = random.below(16);
    put_random_men(&mut setup, random, attackers);
    put_castling_rooks(&mut setup, random);
    finished(setup, random)
}

/// Pawns on every third square or so, on ranks that matter, and a few sliders and kings among them.
fn pawns(random: &mut Random) -> Setup {
    let mut setup = two_kings(random);
    for rank in [Rank::Second, Rank::Third, Rank::Fourth, Rank::Fifth, Rank::Sixth, Rank::Seventh] {
        if random.one_in(4) {
            continue;
        }
        // Which side's pawns stand here most: those before their first step, before their last, or both side by side.
        let most = random.pick(&Color::ALL);
        for file in File::ALL {
            if random.one_in(2) {
                let color = if random.one_in(4) { !most } else { most };
                put_man(&mut setup, Square::new(file, rank), color, Piece::Pawn);
            }
        }
    }
    let others = random.below(10);
    put_random_men(&mut setup, random, others);
    finished(setup, random)
}

/// As many moves as there can be.
fn crowded(random: &mut Random) -> Setup {
    let setup = if random.one_in(2) {
        let setup = Setup::from_fen(MOST_MOVES).expect("a position");
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
            put_man(&mut setup, random.pick(&Square::ALL), color, random.pick(kinds));
        }
        let pawns = random.below(6);
        put_random_men(&mut setup, random, pawns);
        finished(setup, random)
    };
    if random.one_in(2) { flipped(&setup) } else { setup }
}

/// So many changes: a man is taken off, put on, moved or turned.
fn changed(mut setup: Setup, random: &mut Random, changes: usize) -> Setup {
    for _ in 0..changes {
        let at = random.pick(&Square::ALL);
        if is_king(&setup, at) {
            continue;
        }
        let Some(man) = setup.board[at.index()] else {
            put_man(&mut setup, at, random.pick(&Color::ALL), random.pick(&MEN));
            continue;
        };
        match random.below(4) {
            0 => setup.board[at.index()] = None,
            1 => {
                setup.board[at.index()] = None;
                put_man(&mut setup, random.pick(&Square::ALL), man.color, man.piece);
            }
            2 => put_man(&mut setup, at, !man.color, man.piece),
            _ => put_man(&mut setup, at, man.color, random.pick(&MEN)),
        }
    }
    if random.one_in(4) {
        setup.turn = !setup.turn;
    }
    setup.en_passant = None;
    turn_coats_of_checkers(&mut setup);
    setup
}

/// The same with the colours exchanged and the board seen from the other side.
pub fn flipped(setup: &Setup) -> Setup {
    let mut flipped = Setup { turn: !setup.turn, ..Setup::EMPTY };
    for at in Square::ALL {
        let man = setup.board[at.index()];
        flipped.board[at.flip_rank().index()] = man.map(|man| ColoredPiece { color: !man.color, ..man });
    }
    let mut castling = CastlingRights::NONE;
    setup.castling.all_rooks().into_iter().for_each(|rook| castling.add(rook.flip_rank()));
    Setup { castling, en_passant: setup.en_passant.map(Square::flip_rank), ..flipped }
}

/// What any square may hold beside kings.
const MEN: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

fn two_kings(random: &mut Random) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    put_kings(&mut setup, random);
    setup
}

fn king_of(setup: &Setup, color: Color) -> Square {
    setup.squares_of(color, Piece::King).first().expect("there is a king")
}

/// Puts a man where no king stands; a pawn becomes a knight where pawns cannot stand.
fn put_man(setup: &mut Setup, at: Square, color: Color, piece: Piece) {
    let is_last = matches!(at.rank(), Rank::First | Rank::Eighth);
    let piece = if piece == Piece::Pawn && is_last { Piece::Knight } else { piece };
    if !is_king(setup, at) {
        put(setup, at, color, piece);
    }
}

fn put_random_men(setup: &mut Setup, random: &mut Random, men: usize) {
    for _ in 0..men {
        put_man(setup, random.pick(&Square::ALL), random.pick(&Color::ALL), random.pick(&MEN));
    }
}

/// Castling rights and a passing pawn now and then, and nobody in check who has just moved.
fn finished(mut setup: Setup, random: &mut Random) -> Setup {
    if setup.castling == CastlingRights::NONE && random.one_in(4) {
        put_castling_rooks(&mut setup, random);
    }
    if random.one_in(4) {
        put_passing_pawn(&mut setup, random);
    }
    turn_coats_of_checkers(&mut setup);
    setup
}
