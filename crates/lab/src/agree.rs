//! Compares move generators with each other. All of them play the same games and must have the same moves.
//!
//! Each generator keeps its own board through a game. So this tests the data that a board carries from move to move
//! (castling rights, the en passant square, sets that are updated bit by bit) as well as the moves of a given position.
//!
//! The first games start from the positions of the given suites, later ones from random positions of all
//! [kinds](perft_diagnosis::random::kinds::PositionKind). A game depends only on the seed and its number, so the result
//! is the same on any number of threads. If several games have a disagreement, that of the first game is reported.

use perft_core::suite::Suite;
use perft_core::{Move, Position, StopSignal};
use perft_diagnosis::random::game::RandomGame;
use perft_diagnosis::{MovePath, shrink};
use rayon::prelude::*;

use crate::each_generator;
use crate::generators::{Board, Generator, count_moves_of};

/// The length of the longest game, in plies.
const MAX_PLIES: usize = 60;

/// The number of games that are played before the number of positions is checked.
const BATCH: u64 = 64;

/// A move generator that plays games on its own board.
///
/// Implement it for your generator to compare it with others by [`agree()`].
pub trait Player: Send {
    /// Returns the name in reports.
    fn name(&self) -> &str;

    /// Sets up a position.
    fn set(&mut self, position: &Position);

    /// Returns the legal moves of the current position, and their number as counted without listing them.
    fn moves(&mut self) -> (Vec<Move>, u64);

    /// Makes a move. Does nothing if the generator does not have this move.
    fn play(&mut self, played: Move);
}

/// Returns a player for one of the generators of this crate.
pub fn player(generator: Generator) -> Box<dyn Player> {
    macro_rules! player_on_its_board {
        ($($name:literal $variant:ident $board:ty, $about:literal, $source:literal;)*) => {
            match generator {
                $(Generator::$variant => Box::new(BoardPlayer::<$board>::new($name)),)*
            }
        };
    }
    each_generator!(player_on_its_board)
}

/// A player for any type that implements [`Board`].
#[derive(Debug)]
pub struct BoardPlayer<B> {
    name: String,
    board: B,
}

impl<B: Board> BoardPlayer<B> {
    /// Returns a player at the start position.
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
        (self.board.legal_moves().to_vec(), count_moves_of(&mut self.board))
    }

    fn play(&mut self, played: Move) {
        let children = self.board.children();
        if let Some((_, child)) = children.into_iter().find(|(found, _)| *found == played) {
            self.board = child;
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// The number of positions in which the players were compared.
    pub positions: u64,
    /// The number of legal moves in all of these positions.
    pub moves: u64,
    /// The number of games.
    pub games: u64,
    /// The first position in which players disagree.
    pub disagreement: Option<Disagreement>,
    /// Whether the stop signal ended the comparison early.
    pub is_interrupted: bool,
}

/// A position in which players disagree about the legal moves.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The position, with the moves of the game that lead to it.
    pub path: MovePath,
    /// The moves that not all players have, each with the names of the players that have it.
    pub moves: Vec<(Move, Vec<String>)>,
    /// The number of moves of each player.
    pub players: Vec<PlayerCounts>,
    /// Whether players also disagree when they set up the position. Otherwise only the moves of the game lead to the
    /// disagreement.
    pub is_in_position: bool,
    /// A smaller position in which players disagree, if `is_in_position`.
    pub smallest: Option<Position>,
}

/// The number of moves of a player in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerCounts {
    /// The name of the player.
    pub name: String,
    /// The number of moves that the player lists.
    pub listed: usize,
    /// The number of moves that the player counts without listing them.
    pub counted: u64,
}

/// Compares players in at least `positions` positions, until they disagree, or until the stop signal is raised.
///
/// `players` creates the players of each thread. `report` is called after each game with its number of positions. The
/// games run on the threads of the current rayon pool.
///
/// # Examples
/// ```
/// use perft_core::StopSignal;
/// use perft_lab::generators::Generator;
/// use perft_lab::{agree, player};
///
/// let players = || Generator::ALL.iter().map(|&generator| player(generator)).collect();
/// let agreement = agree(players, &[], 1000, 1, &StopSignal::default(), |_| {});
/// assert!(agreement.positions >= 1000 && agreement.disagreement.is_none());
/// ```
pub fn agree(
    players: impl Fn() -> Vec<Box<dyn Player>> + Sync,
    suites: &[&Suite],
    positions: u64,
    seed: u64,
    stop: &StopSignal,
    report: impl Fn(u64) + Sync,
) -> Agreement {
    let roots: Vec<Position> =
        suites.iter().flat_map(|suite| &suite.cases).map(|case| case.position).collect();
    let mut sum = Agreement::default();
    while sum.positions < positions && sum.disagreement.is_none() {
        let first = sum.games;
        let play = |players: &mut Vec<Box<dyn Player>>, number: u64| {
            if stop.is_raised() {
                return None;
            }
            let played = play_game(RandomGame::new(seed, number, &roots), players);
            report(played.positions);
            Some(played)
        };
        let games: Vec<Option<Agreement>> =
            (first..first + BATCH).into_par_iter().map_init(&players, play).collect();
        let is_interrupted = games.iter().any(Option::is_none);
        games.into_iter().flatten().for_each(|game| sum.add(game));
        if is_interrupted && sum.disagreement.is_none() {
            return Agreement { is_interrupted: true, ..sum };
        }
    }
    if let Some(found) = &mut sum.disagreement {
        found.simplify(&mut players());
    }
    sum
}

fn play_game(mut game: RandomGame, players: &mut [Box<dyn Player>]) -> Agreement {
    let mut agreement = Agreement { games: 1, ..Agreement::default() };
    let mut path = MovePath::new(game.root);
    players.iter_mut().for_each(|player| player.set(&path.root));
    loop {
        let moves = sorted(path.end.legal_moves().to_vec());
        agreement.positions += 1;
        agreement.moves += moves.len() as u64;
        if players.iter_mut().any(|player| !has_moves(player.as_mut(), &moves)) {
            agreement.disagreement = Some(Disagreement::collect(path, players));
            return agreement;
        }
        let Some(played) = game.choose(&moves).filter(|_| path.moves.len() < MAX_PLIES) else {
            return agreement;
        };
        path.moves.push(played);
        path.end = path.end.play_legal(played);
        players.iter_mut().for_each(|player| player.play(played));
    }
}

impl Agreement {
    /// Adds the next game, unless an earlier one has a disagreement.
    fn add(&mut self, game: Agreement) {
        if self.disagreement.is_none() {
            self.positions += game.positions;
            self.moves += game.moves;
            self.games += game.games;
            self.disagreement = game.disagreement;
        }
    }
}

impl Disagreement {
    /// Collects the moves of the players, which must be at the end of the path.
    fn collect(path: MovePath, players: &mut [Box<dyn Player>]) -> Disagreement {
        let listed: Vec<(String, Vec<Move>, u64)> = players
            .iter_mut()
            .map(|player| {
                let (moves, counted) = player.moves();
                (player.name().to_owned(), moves, counted)
            })
            .collect();
        let mut all: Vec<Move> = listed.iter().flat_map(|(_, moves, _)| moves.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let disputed = all.into_iter().filter_map(|played| {
            let having = listed.iter().filter(|(_, moves, _)| moves.contains(&played));
            let names: Vec<String> = having.map(|(name, ..)| name.clone()).collect();
            (names.len() < listed.len()).then_some((played, names))
        });
        let moves = disputed.collect();
        let counts = listed.into_iter().map(|(name, moves, counted)| PlayerCounts {
            name,
            listed: moves.len(),
            counted,
        });
        Disagreement { path, moves, players: counts.collect(), is_in_position: false, smallest: None }
    }

    /// Shrinks the position if it shows the disagreement without the moves of the game. Otherwise shortens the path.
    fn simplify(&mut self, players: &mut [Box<dyn Player>]) {
        self.is_in_position = disagree_after(players, &self.path.without_moves());
        if self.is_in_position {
            let disagree = |position: &Position| disagree_after(players, &MovePath::new(*position));
            self.smallest = Some(shrink(&self.path.end, disagree));
        } else {
            let shorter = (0..self.path.moves.len()).rev().map(|skipped| self.path.without_first(skipped));
            let shortest = shorter.into_iter().find(|path| disagree_after(players, path));
            self.path = shortest.unwrap_or_else(|| self.path.clone());
        }
    }

    /// Returns the FEN of the position, with its en passant square even if no capture on it is legal.
    pub fn fen(&self) -> String {
        self.path.end_setup().to_fen()
    }
}

/// Whether any player has wrong moves after it sets up the root of a path and plays the moves.
fn disagree_after(players: &mut [Box<dyn Player>], path: &MovePath) -> bool {
    let moves = sorted(path.end.legal_moves().to_vec());
    players.iter_mut().any(|player| {
        player.set(&path.root);
        path.moves.iter().for_each(|&played| player.play(played));
        !has_moves(player.as_mut(), &moves)
    })
}

/// Whether a player lists exactly these sorted moves and counts the same number.
fn has_moves(player: &mut dyn Player, expected: &[Move]) -> bool {
    let (moves, counted) = player.moves();
    counted == expected.len() as u64 && sorted(moves) == expected
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}
