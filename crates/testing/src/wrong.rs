//! Programs with known bugs, to test what a hunt says about them.
//!
//! Each [`Bug`] is planted in a plain generator that shares no code with the generators of the workspace. So a hunt
//! cannot find the bug by comparing two copies of the same mistake. Without a bug, the generator is right: the tests
//! compare it with `perft_core`. Most of the bugs have been seen in real programs, and most of them are not in the
//! catalogue of mutations.
//!
//! - `board`: the board, making moves and taking them back
//! - `moves`: the moves of a position
//! - `count`: counting, with tables and drawn games
//! - [`program`]: a program that answers questions, and the log of its answers

mod board;
mod count;
mod moves;
pub mod program;

/// The part of a program that a bug is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The moves of a position are wrong.
    Generation,
    /// Playing a move leaves something wrong behind.
    Make,
    /// Taking back a move leaves something wrong behind.
    Unmake,
    /// The moves are right, but they are counted wrong at the last ply.
    LastPly,
    /// The leaf nodes are added up wrong.
    AddingUp,
    /// A drawn game has no moves.
    Draw,
    /// A transposition table returns the count of another position.
    Table,
    /// The question is read wrong.
    Reading,
    /// The answer depends on earlier questions.
    Changing,
}

/// Defines [`Bug`]. Each row has the name of a bug and a description. The rows are grouped by kind.
macro_rules! bugs {
    ($($kind:ident { $($bug:ident $about:literal;)* })*) => {
        /// A bug that can be planted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Bug {
            $($(#[doc = $about] $bug,)*)*
        }

        impl Bug {
            /// All bugs.
            pub const ALL: &'static [Bug] = &[$($(Bug::$bug,)*)*];

            /// Returns the part of the program that the bug is in.
            pub const fn kind(self) -> Kind {
                match self {
                    $($(Bug::$bug => Kind::$kind,)*)*
                }
            }
        }
    };
}

bugs! {
    Generation {
        BlackQueenSideIgnoresB8 "Black castles on the queen side although b8 is occupied.";
        KnightStaysOnRim "Knights on the rim cannot move.";
        BishopNoCaptureOnLongDiagonal "Bishops on a long diagonal cannot capture.";
        QueenShortBackwards "Queens move at most three squares diagonally backwards.";
        BlackCastlesPastKnight "Black castles although a knight attacks the crossed square.";
        NoDoubleStepOnA "Pawns on the a-file have no double step.";
        DoubleStepOverOwn "A pawn can jump over a piece of its own side.";
        NoRookPromotionToA "A pawn that captures towards the a-file does not promote to a rook.";
        ListEnds40 "The list of moves ends after 40 moves.";
        ListEnds64 "The list of moves ends after 64 moves.";
        PinsOnFilesOnly "A pin along a rank or a diagonal is not seen.";
        DoubleCheckTakesKnight "A double check may be answered by capturing the knight.";
        KingNextToKingDiagonally "Kings may stand diagonally next to each other.";
        PawnOnHGivesNoCheck "Pawns on the h-file attack nothing.";
        KnightOnRimGivesNoCheck "Knights on the rim attack nothing.";
        KingTakesNoQueen "A king cannot capture a queen.";
        KingTakesProtectedPawn "A king may capture a protected pawn.";
        InCheckOnlyQueens "While in check, a pawn only promotes to a queen.";
        NoDoubleStepInCheck "A double step never answers a check.";
        NoEnPassantFromH "A pawn on the h-file cannot capture en passant.";
        EnPassantPinOnRank "An en passant capture is allowed although it opens the rank of the king.";
        RookStopsAtC "White rooks that move towards the a-file stop on the c-file.";
    }
    Make {
        BishopPromotionKeepsRight "The castling right remains when a promotion to a bishop captures the rook.";
        KnightCaptureKeepsRight "The castling right remains when a knight captures the rook.";
        EnPassantTwoPliesLater "A pawn can also be captured en passant two plies later.";
        RookOnBackRankTakesRights "Any move of a rook along its back rank takes both castling rights.";
        KingSquareStale "After castling, check is tested on the old square of the king.";
        EnPassantLosesListed "After an en passant capture, a piece of the other side is missing in the list of pieces.";
        PromotedNotListed "A promoted piece cannot move.";
        CastledRookNotListed "A rook that has castled cannot move.";
        WhiteCastlingTakesBlackRights "When White castles, Black loses its castling rights.";
        NoPassedSquareOnE "The double step of a pawn on the e-file sets no en passant square.";
        EnPassantDiscoveryUnseen "After an en passant capture, checks by bishops, rooks and queens are not seen.";
    }
    Unmake {
        UnmakeEnPassantWrongColor "Taking back an en passant capture returns a pawn of the wrong colour.";
        UnmakePromotionCaptureLosesPiece "Taking back a promotion with a capture does not return the piece.";
        UnmakeBlackKingSideLeavesRook "Taking back castling by Black on the king side leaves the rook on f8.";
        UnmakeRookTakesRookLosesRights "Taking back a capture of a rook by a rook does not restore castling rights.";
        UnmakeCastlingKeepsKingSquare "Taking back castling does not restore the stored square of the king.";
        UnmakeKingCaptureLosesListed "Taking back a capture by a king does not return the piece to the list of pieces.";
    }
    LastPly {
        LeafUnderpromotionsUnchecked "At the last ply, underpromotions count although they leave the king in check.";
        LeafEnPassantDiagonal "At the last ply, an en passant capture counts although it opens a diagonal.";
        LeafMatesCount "Below the root, a mate counts as a leaf node.";
        LeafKingCapturesUnchecked "At the last ply, a king may capture a protected piece.";
        LeafNoBlackQueenSide "At the last ply, castling by Black on the queen side does not count.";
    }
    AddingUp {
        Counts16Bits "Counts have 16 bits.";
        OnePlyLess "The program counts one ply less.";
        AllNodes "The program counts the nodes of all depths.";
    }
    Draw {
        FiftyMoves "The fifty-move rule ends the game.";
        FiftyPlies "The game ends after 50 plies without progress.";
        Repetition "A repeated position ends the game.";
        InsufficientMaterial "A lone knight or bishop ends the game.";
    }
    Table {
        KeyWithoutCastling "The key of the table lacks the castling rights.";
        KeyWithoutEnPassant "The key of the table lacks the en passant square.";
        KeyWithoutTurn "The key of the table lacks the side to move.";
        KeyWithoutBlackKing "The key of the table lacks the black king.";
        KeyWithoutDepth "The key of the table lacks the depth.";
        Key16Bits "The key of the table has 16 bits.";
    }
    Reading {
        RefusesUselessEnPassant "A FEN with a useless en passant square is not read, so the old position stays.";
        TurnUnread "The side to move of the FEN is not read.";
        BlackRightsUnread "The castling rights of Black are not read.";
        LastMoveUnread "The last move of the question is not played.";
        PromotionUnread "The promotions of the question are always to a queen.";
        CastlingMoveLeavesRook "Castling in the moves of the question moves only the king.";
    }
    Changing {
        EveryFifth "Every fifth answer is 1 too large.";
        RightsUnreadLater "After 40 questions, castling rights are no longer read.";
    }
}

/// A set of bugs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bugs(u128);

impl Bugs {
    /// Returns a set of several bugs.
    pub fn new(bugs: &[Bug]) -> Bugs {
        Bugs(bugs.iter().fold(0, |bits, &bug| bits | 1 << bug as u32))
    }

    /// Whether the set has this bug.
    pub fn has(self, bug: Bug) -> bool {
        self.0 >> bug as u32 & 1 == 1
    }

    /// Whether the set has a bug of this kind.
    pub fn has_kind(self, kind: Kind) -> bool {
        Bug::ALL.iter().any(|&bug| bug.kind() == kind && self.has(bug))
    }
}

impl From<Bug> for Bugs {
    fn from(bug: Bug) -> Bugs {
        Bugs::new(&[bug])
    }
}
