//! All generators against each other, move set by move set, on games that each of them plays along.
//!
//! Every player keeps its own board through a game, so that what a design carries along (castling rights, an en passant
//! square, sets that are changed bit by bit) is put to the test as well as what it finds in a position that it is handed.
//! Games start from the built-in suites first, then from random positions of all [kinds](super::random::kinds::PositionKind). Each
//! follows from the seed and its number alone, whatever the number of threads, and the disagreement that is reported is that
//! of the first game which has one.

use rayon::prelude::*;

use super::random::kinds::PositionKind;
use super::random::{Random, choose, setup_of};
use super::shrink::shrink;
use perft_core::Position;
use perft_core::legal_moves;
use perft_core::suite::Suite;
use perft_core::{Bitboard, Move, MoveKind};
use perft_core::{Interrupted, StopSignal};
use perft_lab::generators::{Board, BoardVisitor, Generator};

/// Plies of the longest game.
const PLIES: usize = 60;

/// Games that are played before it is asked whether they are enough.
const BATCH: u64 = 64;

/// A generator that plays a game along on its own board.
pub trait Player: Send {
    /// What it is called.
    fn name(&self) -> &str;

    /// Goes to a position.
    fn set(&mut self, position: &Position);

    /// The moves that it thinks legal, and how many it counts without listing them.
    fn moves(&mut self) -> (Vec<Move>, u64);

    /// Plays one of the moves; nothing, if it is none for this player.
    fn play(&mut self, played: Move);
}

/// A player for a generator of the laboratory.
pub fn player(generator: Generator) -> Box<dyn Player> {
    struct Named(&'static str);
    impl BoardVisitor for Named {
        type Output = Box<dyn Player>;

        fn visit<B: Board>(self) -> Box<dyn Player> {
            Box::new(BoardPlayer::<B>::new(self.0))
        }
    }
    generator.visit(Named(generator.name()))
}

/// Plays on any board.
#[derive(Debug)]
pub struct BoardPlayer<B> {
    name: String,
    board: B,
}

impl<B: Board> BoardPlayer<B> {
    /// At the start position.
    pub fn new(name: &str) -> BoardPlayer<B> {
        BoardPlayer { name: name.to_owned(), board: B::new(&Position::start()) }
    }
}

impl<B: Board> Player for BoardPlayer<B> {
    fn name(&self) -> &str {
        &self.name
    }

    fn set(&mut self, position: &Position) {
        self.board = B::new(position);
    }

    fn moves(&mut self) -> (Vec<Move>, u64) {
        let mut moves = Vec::with_capacity(64);
        let before = self.board.clone();
        self.board.each_child(|packed, _| moves.push(before.to_move(packed)));
        (moves, self.board.count_moves())
    }

    fn play(&mut self, played: Move) {
        let before = self.board.clone();
        let mut after = None;
        self.board.each_child(|packed, child| {
            if before.to_move(packed) == played {
                after = Some(child.clone());
            }
        });
        if let Some(after) = after {
            self.board = after;
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// The positions in which all players were asked.
    pub positions: u64,
    /// The legal moves of all of them.
    pub moves: u64,
    /// The games.
    pub games: u64,
    /// Where players first differ.
    pub disagreement: Option<Disagreement>,
}

/// A position in which players differ.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Where the game began.
    pub root: Position,
    /// The moves from there; the last is where all still agreed.
    pub path: Vec<Move>,
    /// The position in which they differ, played by our own generator.
    pub position: Position,
    /// The moves that not all have, with the names of those that do.
    pub moves: Vec<(Move, Vec<String>)>,
    /// The players, with the numbers of moves that they list and count.
    pub players: Vec<PlayerCounts>,
    /// True if they differ on the bare position too; otherwise the fault is in what a board carries along a game.
    pub is_in_position: bool,
    /// If it is, a smaller position with the same disagreement.
    pub smallest: Option<Position>,
}

/// How many moves a player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerCounts {
    /// Its name.
    pub name: String,
    /// The moves that it lists.
    pub listed: usize,
    /// The moves that it counts without listing them.
    pub counted: u64,
}

/// Compares players on games until so many positions are looked at, or they differ. Each worker makes its own players.
///
/// # Errors
/// The signal was raised.
///
/// # Examples
/// ```
/// use perft_lab::generators::Generator;
/// use perft_diagnosis::{agree, player};
/// use perft_core::StopSignal;
/// let players = || Generator::ALL.iter().map(|&generator| player(generator)).collect();
/// let agreement = agree(&players, &[], 1000, 1, &StopSignal::default(), |_| {})?;
/// assert!(agreement.positions >= 1000 && agreement.disagreement.is_none());
/// # Ok::<(), perft_core::Interrupted>(())
/// ```
pub fn agree(
    players: &(dyn Fn() -> Vec<Box<dyn Player>> + Sync),
    suites: &[&Suite],
    positions: u64,
    seed: u64,
    stop: &StopSignal,
    report: impl Fn(u64) + Sync,
) -> Result<Agreement, Interrupted> {
    let roots: Vec<Position> =
        suites.iter().flat_map(|suite| &suite.cases).map(|case| case.position).collect();
    let mut sum = Agreement::default();
    while sum.positions < positions && sum.disagreement.is_none() {
        if stop.is_raised() {
            return Err(Interrupted);
        }
        let first = sum.games;
        let play = |players: &mut Vec<Box<dyn Player>>, number: u64| {
            let played = Game::new(seed, number, &roots).play(players);
            report(played.positions);
            played
        };
        let games: Vec<Agreement> = (first..first + BATCH).into_par_iter().map_init(players, play).collect();
        games.into_iter().for_each(|game| sum.add(game));
    }
    if let Some(found) = &mut sum.disagreement {
        found.explain(&mut players());
    }
    Ok(sum)
}

impl Agreement {
    /// The games up to the first disagreement.
    fn add(&mut self, other: Agreement) {
        if self.disagreement.is_none() {
            self.positions += other.positions;
            self.moves += other.moves;
            self.games += other.games;
            self.disagreement = other.disagreement;
        }
    }
}

/// A random game.
pub(super) struct Game {
    pub root: Position,
    /// Where rooks may castle from at the root; empty if the game is not about that.
    homes: Bitboard,
    pub random: Random,
}

impl Game {
    pub fn new(seed: u64, number: u64, roots: &[Position]) -> Game {
        // The first number of a stream of its own; the streams of neighbouring numbers share nothing.
        let mut random = Random::new(Random::new(seed).number() ^ Random::new(number).number());
        let root = match roots.get(number as usize) {
            Some(root) => *root,
            None => PositionKind::ALL[number as usize % PositionKind::ALL.len()].position(&mut random),
        };
        let homes = if random.one_in(2) { root.castling().all_rooks() } else { Bitboard::EMPTY };
        Game { root, homes, random }
    }

    fn play(mut self, players: &mut [Box<dyn Player>]) -> Agreement {
        let mut agreement = Agreement { games: 1, ..Agreement::default() };
        let (mut position, mut path) = (self.root, Vec::new());
        players.iter_mut().for_each(|player| player.set(&position));
        loop {
            let moves = sorted(legal_moves(&position).to_vec());
            agreement.positions += 1;
            agreement.moves += moves.len() as u64;
            if players.iter_mut().any(|player| !agrees(player.as_mut(), &moves)) {
                agreement.disagreement = Some(Disagreement::of(self.root, path, position, players));
                return agreement;
            }
            let Some(played) = self.choose(&moves).filter(|_| path.len() < PLIES) else { return agreement };
            position = position.play_unchecked(played);
            path.push(played);
            players.iter_mut().for_each(|player| player.play(played));
        }
    }
}

impl Game {
    /// A random move. In a game about castling rights the kings stay at home if they can, and every third move goes to or
    /// from a square where a rook may castle, or might have: a right that should be gone is seen only if some rook comes
    /// to stand there again, and the king has never moved.
    pub fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        if self.homes.is_empty() {
            return choose(moves, self.random.number());
        }
        let stays = |played: &Move| !matches!(played.kind(), MoveKind::King | MoveKind::Castling);
        let staying: Vec<Move> = moves.iter().copied().filter(stays).collect();
        let touches = |played: &Move| {
            let squares = Bitboard::from(played.from()) | played.to().into();
            (squares & self.homes).any()
        };
        let touching: Vec<Move> = staying.iter().copied().filter(touches).collect();
        match (touching.is_empty(), staying.is_empty()) {
            (false, _) if self.random.one_in(3) => Some(self.random.pick(&touching)),
            (_, false) => choose(&staying, self.random.number()),
            (_, true) => choose(moves, self.random.number()),
        }
    }
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}

/// True if a player lists these moves, in whatever order, and counts as many.
fn agrees(player: &mut dyn Player, expected: &[Move]) -> bool {
    let (moves, counted) = player.moves();
    counted == expected.len() as u64 && sorted(moves) == expected
}

/// True if all players list the same moves in a position that they are handed, and count as many.
fn all_agree_on(players: &mut [Box<dyn Player>], position: &Position) -> bool {
    let moves = sorted(legal_moves(position).to_vec());
    players.iter_mut().all(|player| {
        player.set(position);
        agrees(player.as_mut(), &moves)
    })
}

impl Disagreement {
    /// The players being in a position in which they differ.
    fn of(
        root: Position,
        path: Vec<Move>,
        position: Position,
        players: &mut [Box<dyn Player>],
    ) -> Disagreement {
        let found: Vec<(String, Vec<Move>, u64)> = players
            .iter_mut()
            .map(|player| {
                let (moves, counted) = player.moves();
                (player.name().to_owned(), moves, counted)
            })
            .collect();
        let mut all: Vec<Move> = found.iter().flat_map(|(_, moves, _)| moves.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let moves = all.into_iter().filter_map(|played| {
            let having = found.iter().filter(|(_, moves, _)| moves.contains(&played));
            let names: Vec<String> = having.map(|(name, ..)| name.clone()).collect();
            (names.len() < found.len()).then_some((played, names))
        });
        let moves = moves.collect();
        let players = found.into_iter().map(|(name, moves, counted)| PlayerCounts {
            name,
            listed: moves.len(),
            counted,
        });
        let players = players.collect();
        Disagreement { root, path, position, moves, players, is_in_position: false, smallest: None }
    }

    /// Finds out whether the position alone is enough, and how small it can be; if not, how short the path can be.
    fn explain(&mut self, players: &mut [Box<dyn Player>]) {
        self.is_in_position = !all_agree_on(players, &self.position);
        if self.is_in_position {
            self.smallest = Some(shrink(&self.position, |position| !all_agree_on(players, position)));
        } else {
            self.shorten(players);
        }
    }

    /// Begins the game as late as the disagreement allows.
    fn shorten(&mut self, players: &mut [Box<dyn Player>]) {
        let mut root = self.root;
        let mut roots = Vec::new();
        for &played in &self.path {
            roots.push(root);
            root = root.play_unchecked(played);
        }
        for (skipped, root) in roots.into_iter().enumerate().rev() {
            let path = &self.path[skipped..];
            players.iter_mut().for_each(|player| player.set(&root));
            path.iter().for_each(|&played| players.iter_mut().for_each(|player| player.play(played)));
            let moves = sorted(legal_moves(&self.position).to_vec());
            if players.iter_mut().any(|player| !agrees(player.as_mut(), &moves)) {
                (self.root, self.path) = (root, path.to_vec());
                return;
            }
        }
    }

    /// The FEN of the position, with the en passant square even where no capture on it is legal.
    pub fn fen(&self) -> String {
        setup_of(&self.position).to_fen()
    }
}
