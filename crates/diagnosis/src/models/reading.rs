//! Questions that are not read as they were asked: moves that are not played, a FEN that is refused, a side that is not
//! read.

use perft_core::{Color, Move, Position, RootMove};

use crate::evidence::Told;
use crate::named_enum::named_enum;
use crate::random::setup_of;

/// The largest right count for which the divide of another position is compared.
const MAX_NODES: u128 = 2_000_000;

named_enum! {
    /// A way in which a program answers another question. The last three concern only the questions that it answers
    /// wrongly.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Misreading {
        MovesUnread: "The moves after the FEN are not played",
        TurnUnread: "White is taken to be the side to move in each FEN",
        StartStays: "These are the counts of the start position",
        PositionStays: "These are the counts of a position that was asked about before",
        LastMoveUnplayed: "These are the counts of the position before the last move",
    }
}

impl Misreading {
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
        let moves: Vec<(Move, u128)> = position
            .divide(told.depth)
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
