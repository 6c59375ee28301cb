//! Draws by a rule. Perft counts the moves of every position, but a program may end a game in a drawn position.

use perft_core::{Color, Move, Piece, Position, Square};

use crate::evidence::Told;
use crate::path::{Clocks, MovePath};

/// A rule by which a program ends games, and the nodes where it tests it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Draw {
    rule: Rule,
    tests_root: bool,
    tests_leaves: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Rule {
    /// The halfmove clock has reached this number of plies.
    Clock(u32),
    /// The position occurred before, this number of times.
    Repetition(usize),
    /// Mate is impossible with up to this number of pieces beside the kings: none; one knight or bishop; or one on each
    /// side, or two knights on one.
    InsufficientMaterial(usize),
}

const RULES: [Rule; 7] = [
    Rule::Clock(100),
    Rule::Clock(50),
    Rule::Repetition(1),
    Rule::Repetition(2),
    Rule::InsufficientMaterial(0),
    Rule::InsufficientMaterial(1),
    Rule::InsufficientMaterial(2),
];

impl Draw {
    pub(super) fn all() -> impl Iterator<Item = Draw> {
        let places = [(false, false), (false, true), (true, false), (true, true)];
        RULES.into_iter().flat_map(move |rule| {
            places.map(|(tests_root, tests_leaves)| Draw { rule, tests_root, tests_leaves })
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self.rule {
            Rule::Clock(100) => "fifty-moves-end",
            Rule::Clock(_) => "fifty-plies-end",
            Rule::Repetition(_) => "repetition-ends",
            Rule::InsufficientMaterial(_) => "insufficient-material-ends",
        }
    }

    pub(super) const fn about(self) -> &'static str {
        match self.rule {
            Rule::Clock(100) => "The fifty-move rule ends the game.",
            Rule::Clock(_) => {
                "The game ends after fifty plies without progress; the rule is fifty moves of each side."
            }
            Rule::Repetition(_) => "The repetition of a position ends the game.",
            Rule::InsufficientMaterial(_) => "Too few pieces to mate end the game.",
        }
    }

    /// Whether a program with this rule gives an answer. Returns `None` if that takes long to count.
    pub(super) fn gives(self, told: &Told) -> Option<bool> {
        if !told.is_small() {
            return None;
        }
        let moves = self.divide(&told.path, told.depth);
        let total = moves.iter().map(|(_, nodes)| *nodes as i128).sum();
        Some(told.has(&moves, total))
    }

    pub(super) fn divide(self, path: &MovePath, depth: u32) -> Vec<(Move, u128)> {
        let mut game = Game { positions: vec![path.root], clocks: path.clocks, draw: self };
        path.moves.iter().for_each(|&played| game.play(played));
        game.divide(depth, self.tests_root)
    }
}

/// A game up to a position, and the rule that may end it.
struct Game {
    positions: Vec<Position>,
    clocks: Clocks,
    draw: Draw,
}

impl Game {
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
        let moves = self.end().legal_moves();
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
            0 => u128::from(!self.draw.tests_leaves || !self.is_drawn()),
            _ => self.divide(depth, true).into_iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    fn is_drawn(&self) -> bool {
        let end = self.end();
        match self.draw.rule {
            Rule::Clock(plies) => self.clocks.halfmove >= plies,
            Rule::Repetition(times) => {
                self.positions.iter().filter(|&&earlier| earlier == end).count() > times
            }
            Rule::InsufficientMaterial(pieces) => has_insufficient_material(&end, pieces),
        }
    }
}

/// Whether neither side can mate, and the board has at most `most` pieces beside the kings.
fn has_insufficient_material(position: &Position, most: usize) -> bool {
    if position.occupied().count() as usize > most + 2 {
        return false;
    }
    let pieces = Square::ALL.into_iter().filter_map(|at| position.piece_at(at));
    let others: Vec<_> = pieces.filter(|found| found.piece != Piece::King).collect();
    let are_minor = others.iter().all(|found| matches!(found.piece, Piece::Knight | Piece::Bishop));
    let are_knights = others.iter().all(|found| found.piece == Piece::Knight);
    let is_balanced = others.iter().filter(|found| found.color == Color::White).count() == 1;
    are_minor && (others.len() < 2 || is_balanced || are_knights)
}
