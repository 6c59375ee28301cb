//! The kinds of bugs.

use crate::named_enum::named_enum;

named_enum! {
    /// The kind of a bug.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        Generation: "the moves are also wrong when the position is given as a FEN: a bug in move generation",
        Make:
            "the moves are right when the position is given as a FEN: making a move leaves something wrong behind",
        Unmake:
            "the program is right when it is asked about the positions below: taking back a move leaves something \
            wrong behind, or a transposition table returns wrong counts",
        ///
        /// The source cannot play moves, so it is unknown whether making or taking back a move is wrong.
        MakeOrUnmake:
            "the program is right about the positions below when each is given as a FEN: making or taking back a \
            move leaves something wrong behind, or a transposition table returns wrong counts",
        LastPly:
            "the moves of each position are right, but the count of the last ply is not: the code that counts leaf nodes \
            has a bug of its own",
        ///
        /// The source ends a game that is drawn by a rule, and counts no nodes below.
        Draw:
            "perft counts the legal moves of a drawn position too: the fifty-move rule, repetitions and insufficient \
            material do not end it",
        Sum: "the total is not the sum over the moves",
        Chess960:
            "the program announces Chess960, but does not read the castling rights of its positions, or does not castle by \
            its rules",
        Pattern:
            "all counts are wrong in the same way, whatever the position. Mend this first: it hides all other bugs",
        NotRepeated:
            "a fresh process answers the same question differently: a table or a state is not reset after other \
            questions, or chance decides",
        Unfinished: "the count is wrong; the hunt ended before it found the cause",
        Unread:
            "the answer could not be read: lines of it were not understood, and what was read does not fit. \
            This says nothing about the program",
        NoAnswer: "the program gave no answer",
    }
}
