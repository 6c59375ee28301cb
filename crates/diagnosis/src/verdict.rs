//! The kinds of bugs.

use crate::named_enum::named_enum;

named_enum! {
    /// The kind of a bug. It is told only if the questions that show it were asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Verdict {
        Generation: "the moves are wrong when the position is given as a FEN: a bug in move generation",
        ///
        /// The source lists no moves, and no question shows which of the two it is.
        GenerationOrLastPly:
            "the count of depth 1 is wrong when the position is given as a FEN: a bug in move generation, or in the code that \
            counts the last ply",
        Make: "making a move leaves something wrong behind",
        Unmake: "taking back a move leaves something wrong behind",
        Contradiction:
            "the program is right when it is asked about the positions below: taking back a move, a transposition table, \
            counting the last ply, or adding up is wrong",
        ///
        /// The source cannot play moves, so it is also possible that making a move is wrong.
        MakeOrUnmake:
            "the program is right about the positions below when each is given as a FEN: making or taking back a move, a \
            transposition table, counting the last ply, or adding up is wrong",
        LastPly: "the moves of each position are right, but the code that counts those of the last ply has a bug of its own",
        ///
        /// The source ends a game that is drawn by a rule, and counts no nodes below.
        Draw:
            "perft counts the legal moves of a drawn position too: the fifty-move rule, repetitions and insufficient \
            material do not end it",
        Sum: "the total is not the sum over the moves",
        Reading: "the program answers another question than the one that it was asked",
        Pattern:
            "the counts of several well-known positions are wrong in the same way. Mend this first: it hides other bugs",
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
