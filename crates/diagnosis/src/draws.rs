//! Draws by a rule: perft counts the moves of every position, but an engine may end a game in a drawn position.
//!
//! A program that tests for draws in its perft counts too few nodes: after 50 moves without progress, in a position
//! that occurred before, or with too few pieces to mate. The missing moves then have nothing in common, so each of them
//! would look like a bug of a different rule. Here, the answer is compared with the counts of such a program.

use perft_core::{Color, Move, Piece, Position, Square, legal_moves, perft};

use crate::budget::StopReason;
use crate::checked_source::CheckedSource;
use crate::difference::DivideDifference;
use crate::fault::{Fault, FaultKind};
use crate::path::{Clocks, MovePath};

/// The largest number of leaf nodes that is counted again with draws.
const MAX_NODES: u128 = 200_000;

/// The halfmove clock at which the fifty-move rule draws a game.
const FIFTY_MOVES: u32 = 100;

/// A rule by which a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawRule {
    FiftyMoves,
    /// The position occurred before, this number of times.
    Repetition(usize),
    /// Mate is impossible with up to this number of pieces beside the kings: one knight or bishop; or one on each side,
    /// or two knights on one.
    InsufficientMaterial(usize),
}

const RULES: [DrawRule; 5] = [
    DrawRule::FiftyMoves,
    DrawRule::Repetition(1),
    DrawRule::Repetition(2),
    DrawRule::InsufficientMaterial(1),
    DrawRule::InsufficientMaterial(2),
];

/// Returns the rule that explains a wrong answer: a sentence without a full stop that says how the game ended.
///
/// # Errors
/// Returns an error if no more questions may be asked, or if the stop signal is raised.
pub(crate) fn explanation(
    source: &mut CheckedSource,
    fault: &Fault,
) -> Result<Option<&'static str>, StopReason> {
    let Fault { path, depth, kind } = fault;
    let (FaultKind::Moves(difference) | FaultKind::Contradiction(difference)) = kind else { return Ok(None) };
    let loses_nodes = difference.theirs < difference.ours && difference.extra.is_empty();
    if !loses_nodes || difference.ours > MAX_NODES {
        return Ok(None);
    }
    let mut rules: Vec<DrawRule> =
        RULES.into_iter().filter(|&rule| explains(rule, path, *depth, difference)).collect();
    if rules.iter().any(DrawRule::is_about_history) && rules.iter().any(|rule| !rule.is_about_history()) {
        // Without moves and with new clocks, the position has no history.
        let is_right = source.is_right(&MovePath::new(path.end), *depth)?;
        rules.retain(|rule| rule.is_about_history() == is_right);
    }
    Ok(rules.first().map(|rule| rule.about()))
}

/// Whether a program that ends games by a rule gives this answer, at whatever nodes it tests for draws.
fn explains(rule: DrawRule, path: &MovePath, depth: u32, difference: &DivideDifference) -> bool {
    let right = |played| perft(&path.end.play_unchecked(played), depth - 1);
    let tests = [(false, false), (false, true), (true, false), (true, true)];
    tests.into_iter().any(|(tests_root, tests_leaves)| {
        difference.has_counts(&Game::new(path, rule, tests_leaves).divide(depth, tests_root), right)
    })
}

impl DrawRule {
    /// Whether the rule depends on the moves and clocks before a position, and not only on the position.
    fn is_about_history(&self) -> bool {
        !matches!(self, DrawRule::InsufficientMaterial(_))
    }

    const fn about(self) -> &'static str {
        match self {
            DrawRule::FiftyMoves => "the fifty-move rule ended the game",
            DrawRule::Repetition(_) => "the repetition of a position ended the game",
            DrawRule::InsufficientMaterial(_) => "too few pieces to mate ended the game",
        }
    }
}

/// A game up to a position, and the settings of a program that ends drawn games.
struct Game {
    positions: Vec<Position>,
    clocks: Clocks,
    rule: DrawRule,
    /// Whether leaf nodes are tested for draws too.
    tests_leaves: bool,
}

impl Game {
    fn new(path: &MovePath, rule: DrawRule, tests_leaves: bool) -> Game {
        let mut game = Game { positions: vec![path.root], clocks: path.clocks, rule, tests_leaves };
        path.moves.iter().for_each(|&played| game.play(played));
        game
    }

    fn end(&self) -> Position {
        *self.positions.last().expect("there is a root")
    }

    fn play(&mut self, played: Move) {
        let before = self.end();
        self.clocks = self.clocks.after(&before, played);
        self.positions.push(before.play_unchecked(played));
    }

    /// Counts the leaf nodes below each move. If the position itself is also tested and is drawn, the list is empty.
    fn divide(&mut self, depth: u32, tests_root: bool) -> Vec<(Move, u128)> {
        if tests_root && self.is_drawn() {
            return Vec::new();
        }
        let moves = legal_moves(&self.end());
        moves.into_iter().map(|played| (played, self.count_below(played, depth))).collect()
    }

    /// Counts the leaf nodes below a move. `depth` is the depth of the position before the move.
    fn count_below(&mut self, played: Move, depth: u32) -> u128 {
        let clocks = self.clocks;
        self.play(played);
        let nodes = self.count(depth - 1);
        self.positions.pop();
        self.clocks = clocks;
        nodes
    }

    fn count(&mut self, depth: u32) -> u128 {
        match depth {
            0 => u128::from(!self.tests_leaves || !self.is_drawn()),
            _ => self.divide(depth, true).into_iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    fn is_drawn(&self) -> bool {
        let end = self.end();
        match self.rule {
            DrawRule::FiftyMoves => self.clocks.halfmove >= FIFTY_MOVES,
            DrawRule::Repetition(times) => {
                self.positions.iter().filter(|&&earlier| earlier == end).count() > times
            }
            DrawRule::InsufficientMaterial(pieces) => has_insufficient_material(&end, pieces),
        }
    }
}

/// Whether neither side can mate, and the board has at most `most` pieces beside the kings.
fn has_insufficient_material(position: &Position, most: usize) -> bool {
    let pieces = Square::ALL.into_iter().filter_map(|at| position.piece_at(at));
    let others: Vec<_> = pieces.filter(|found| found.piece != Piece::King).collect();
    let are_minor = others.iter().all(|found| matches!(found.piece, Piece::Knight | Piece::Bishop));
    let are_knights = others.iter().all(|found| found.piece == Piece::Knight);
    let is_balanced = others.iter().filter(|found| found.color == Color::White).count() == 1;
    others.len() <= most && are_minor && (others.len() < 2 || is_balanced || are_knights)
}
