//! The kinds of bugs.

/// The kind of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The moves of a position are wrong, no matter how it was reached.
    Generation,
    /// The moves of a position are wrong only after certain moves: making a move leaves the position wrong.
    Make,
    /// The moves of every position are right when the source is asked about it directly, but a count above them is
    /// wrong. Taking back a move leaves the position wrong, or a transposition table returns wrong counts.
    Unmake,
    /// The moves of every position are right when the source gets the position, but a count above them is wrong. The
    /// source cannot play moves, so it is unknown whether making or taking back a move is wrong.
    MakeOrUnmake,
    /// The moves of every position are right, but they are counted wrong at the last ply.
    LastPly,
    /// The source ends a game that is drawn by a rule, and counts no nodes below.
    Draw,
    /// The total is not the sum over the moves.
    Sum,
    /// The source does not read the castling rights of Chess960, or does not follow its castling rules.
    Chess960,
    /// All counts are wrong in the same way, which is independent of the rules.
    Pattern,
    /// A new start of the source gives another answer to the same question. Possible reasons: a table or a state is not
    /// reset after other questions, or the answer depends on chance.
    NotRepeated,
    /// The count is wrong, but the hunt ended before the cause was found.
    Unfinished,
    /// Lines of the answer were not understood, and the lines that were read do not fit. This says nothing about the
    /// source.
    Unread,
    /// There is no answer.
    NoAnswer,
}

impl Verdict {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Generation => "generation",
            Verdict::Make => "make",
            Verdict::Unmake => "unmake",
            Verdict::MakeOrUnmake => "make-or-unmake",
            Verdict::LastPly => "last-ply",
            Verdict::Draw => "draw",
            Verdict::Sum => "sum",
            Verdict::Chess960 => "chess960",
            Verdict::Pattern => "pattern",
            Verdict::NotRepeated => "not-repeated",
            Verdict::Unfinished => "unfinished",
            Verdict::Unread => "unread",
            Verdict::NoAnswer => "no-answer",
        }
    }

    /// Returns the meaning of the verdict: a sentence without a full stop.
    pub const fn about(self) -> &'static str {
        match self {
            Verdict::Generation => {
                "the moves are also wrong when the position is given as a FEN: a bug in move generation"
            }
            Verdict::Make => {
                "the moves are right when the position is given as a FEN: making a move leaves something wrong behind"
            }
            Verdict::Unmake => {
                "the program is right when it is asked about the positions below: taking back a move leaves something \
                 wrong behind, or a transposition table returns wrong counts"
            }
            Verdict::MakeOrUnmake => {
                "the program is right about the positions below when each is given as a FEN: making or taking back a \
                 move leaves something wrong behind, or a transposition table returns wrong counts"
            }
            Verdict::LastPly => {
                "the moves of each position are right, but the count of the last ply is not: the code that counts leaf nodes \
                 has a bug of its own"
            }
            Verdict::Draw => {
                "perft counts the legal moves of a drawn position too: the fifty-move rule, repetitions and insufficient \
                 material do not end it"
            }
            Verdict::Sum => "the total is not the sum over the moves",
            Verdict::Chess960 => {
                "the program announces Chess960, but does not read the castling rights of its positions, or does not castle by \
                 its rules"
            }
            Verdict::Pattern => {
                "all counts are wrong in the same way, whatever the position. Mend this first: it hides all other bugs"
            }
            Verdict::NotRepeated => {
                "a fresh process answers the same question differently: a table or a state is not reset after other \
                 questions, or chance decides"
            }
            Verdict::Unfinished => "the count is wrong; the hunt ended before it found the cause",
            Verdict::Unread => {
                "the answer could not be read: lines of it were not understood, and what was read does not fit. \
                 This says nothing about the program"
            }
            Verdict::NoAnswer => "the program gave no answer",
        }
    }
}
