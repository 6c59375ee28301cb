//! Questions that are not read as they were asked: moves that are not played, a FEN that is refused, a side that is not
//! read.

use perft_core::{Color, Move, Position, RootMove, divide};

use crate::evidence::Told;
use crate::random::setup_of;

/// The largest right count for which the divide of another position is compared.
const MAX_NODES: u128 = 2_000_000;

/// A way in which a program answers another question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Misreading {
    /// It does not play the moves of any question.
    MovesUnread,
    /// It reads White as the side to move in each FEN.
    TurnUnread,
    /// It answers about the start position, where it answers wrongly.
    StartStays,
    /// It answers about the last position about which it was right, where it answers wrongly.
    PositionStays,
    /// It does not play the last move of a question, where it answers wrongly.
    LastMoveUnplayed,
}

impl Misreading {
    pub(super) const ALL: [Misreading; 5] = [
        Misreading::MovesUnread,
        Misreading::TurnUnread,
        Misreading::StartStays,
        Misreading::PositionStays,
        Misreading::LastMoveUnplayed,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Misreading::MovesUnread => "moves-unread",
            Misreading::TurnUnread => "turn-unread",
            Misreading::StartStays => "start-stays",
            Misreading::PositionStays => "position-stays",
            Misreading::LastMoveUnplayed => "last-move-unplayed",
        }
    }

    pub(super) const fn about(self) -> &'static str {
        match self {
            Misreading::MovesUnread => "The moves after the FEN are not played.",
            Misreading::TurnUnread => "White is taken to be the side to move in each FEN.",
            Misreading::StartStays => {
                "These are the counts of the start position: the position was not set up."
            }
            Misreading::PositionStays => {
                "These are the counts of a position that was asked about before: the new position was not set up."
            }
            Misreading::LastMoveUnplayed => {
                "These are the counts before the last move: the move was not played."
            }
        }
    }

    /// Whether it concerns some questions only. Right answers to others do not contradict it.
    pub(crate) const fn is_local(self) -> bool {
        !matches!(self, Misreading::MovesUnread | Misreading::TurnUnread)
    }

    /// Whether it gives an answer. Returns `None` if it does not concern the question or is too slow to tell.
    pub(super) fn gives(self, told: &Told) -> Option<bool> {
        if told.difference.ours > MAX_NODES {
            return None;
        }
        if self.is_local() && told.is_right() {
            return Some(true);
        }
        let Some(position) = self.position(told) else { return self.is_local().then_some(false) };
        if position == *told.position() {
            return Some(told.is_right());
        }
        let moves: Vec<(Move, u128)> = divide(&position, told.depth)
            .into_iter()
            .map(|RootMove { played, nodes }| (played, nodes))
            .collect();
        let total = moves.iter().map(|(_, nodes)| *nodes as i128).sum();
        Some(told.has_of(&position, &moves, total))
    }

    /// Returns the position that is counted.
    pub(super) fn position(self, told: &Told) -> Option<Position> {
        match self {
            Misreading::MovesUnread => Some(told.path.root),
            Misreading::TurnUnread => {
                let root = told.path.root;
                if root.turn() == Color::White || !told.path.moves.is_empty() {
                    return None;
                }
                let mut setup = setup_of(&root);
                (setup.turn, setup.en_passant) = (Color::White, None);
                Position::try_from(&setup).ok()
            }
            Misreading::StartStays => Some(Position::start()),
            Misreading::PositionStays => Some(told.before.unwrap_or_else(Position::start)),
            Misreading::LastMoveUnplayed => told.path.last_move().map(|(before, _)| before),
        }
    }
}
