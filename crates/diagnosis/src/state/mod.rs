//! Hunts for bugs that no count shows: wrong FENs, wrong clocks and wrong keys.
//!
//! A program that prints its FEN or its key can be asked for them after moves, after a FEN alone, and after a count.
//! [`hunt_states`] compares the printed FENs with the right ones, and the keys with each other. It starts no process:
//! the program implements [`CountSource::state`](crate::source::CountSource::state). A [`State`](crate::source::State)
//! is read from what the program prints.
//!
//! | file | what is in it |
//! |---|---|
//! | `compare` | what is wrong in a printed FEN |
//! | `source` | a source that is asked for its states, and what it prints at all |
//! | `checks` | the four ways in which a state can be wrong |
//! | `cause` | kinds of moves |
//! | `finding` | the smallest position that shows a bug |
//! | `text` | what is said about it |
//! | `hunt` | the hunt over many positions |

mod cause;
mod checks;
pub(crate) mod compare;
mod finding;
mod hunt;
mod source;
mod text;

pub use cause::StateCause;
pub use finding::StateFinding;
pub use hunt::{StateFacts, StateSummary, hunt_states};
pub use source::StateAbilities;

use crate::named_enum::named_enum;

/// A part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateField {
    /// The pieces on the board.
    Board,
    /// The side to move.
    Turn,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EnPassant,
    /// The half-move clock.
    HalfmoveClock,
    /// The move number.
    MoveNumber,
    /// The key.
    Key,
}

impl StateField {
    /// The fields of a FEN, in their order.
    const OF_FEN: [StateField; 6] = [
        StateField::Board,
        StateField::Turn,
        StateField::Castling,
        StateField::EnPassant,
        StateField::HalfmoveClock,
        StateField::MoveNumber,
    ];

    /// Returns the place of the field in a FEN.
    const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            StateField::Board => "board",
            StateField::Turn => "side-to-move",
            StateField::Castling => "castling-rights",
            StateField::EnPassant => "en-passant-square",
            StateField::HalfmoveClock => "half-move-clock",
            StateField::MoveNumber => "move-number",
            StateField::Key => "key",
        }
    }

    /// Returns the name in a sentence.
    const fn words(self) -> &'static str {
        match self {
            StateField::Board => "the board",
            StateField::Turn => "the side to move",
            StateField::Castling => "the field of the castling rights",
            StateField::EnPassant => "the en passant square",
            StateField::HalfmoveClock => "the half-move clock",
            StateField::MoveNumber => "the move number",
            StateField::Key => "the key",
        }
    }
}

named_enum! {
    /// The kind of a bug in states.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum StateVerdict {
        Setup: "the state is wrong although the position is given as a FEN: a bug in reading or printing it",
        Make: "the state is right when the position is given as a FEN: making a move leaves it wrong",
        Unmake: "a count changes the state: taking back a move does not restore it",
        SameKey: "positions that differ must have different keys",
        NotRepeated:
            "a fresh process does not show it: a table or a state is not reset after other questions, or chance decides",
        NoAnswer: "the program gave no answer",
    }
}
