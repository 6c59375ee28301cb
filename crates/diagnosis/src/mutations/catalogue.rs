//! The catalogue: every mutation with a description and the rules that it breaks.
//!
//! Each row is the general form of a mutation. Most rows have variants, which break the same rules for fewer facts: for
//! one side, or for one attribute of the groups that the row names, or for both.

use std::fmt;
use std::sync::LazyLock;

use perft_core::internals::const_table;

use super::rules::{Break, Facts, Rule};
use crate::named_enum::kebab_case;

/// Defines the rows. Each row has a name, the groups of its variants in parentheses, a description, and the broken
/// rules with the facts for which they are broken. A row without parentheses has no variants. `()` means variants for
/// one side only. The rows are grouped by topic. The name of a mutation is that of its row in kebab case.
macro_rules! catalogue {
    ($($topic:literal {
        $($row:ident $(($($group:ident)*))? $about:literal $($rule:ident [$($fact:ident)*])+;)*
    })*) => {
        /// A classic bug of move generators: one rule that is changed.
        ///
        /// The general form of each mutation is a constant. Most have variants, for one side, piece or direction only.
        ///
        /// # Examples
        /// ```
        /// use perft_diagnosis::mutations::Mutation;
        ///
        /// let variant = Mutation::from_name("no-castling-white-king-side").unwrap();
        /// assert_eq!(variant.about(), "Castling is missing (White, king side).");
        /// assert!(variant.is_variant_of(Mutation::NoCastling));
        /// println!("{} ({}): {}", variant.name(), variant.topic(), variant.about());
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Mutation(pub(super) u16);

        #[expect(non_upper_case_globals, reason = "the constants are used like the variants of an enum")]
        impl Mutation {
            $($(#[doc = $about] pub const $row: Mutation = Mutation(first_of(Number::$row as usize) as u16);)*)*
        }

        /// The number of each row.
        #[derive(Clone, Copy)]
        enum Number { $($($row,)*)* }

        const ROWS: &[Row] = &[$($(Row {
            name: stringify!($row),
            about: $about,
            topic: $topic,
            breaks: &[$((Rule::$rule, &[$(Facts::$fact),*])),+],
            groups: groups!($(($($group)*))?),
        },)*)*];
    };
}

macro_rules! groups {
    () => { None };
    (($($group:ident)*)) => { Some(&[$($group),*]) };
}

/// The general form of a mutation.
struct Row {
    name: &'static str,
    about: &'static str,
    topic: &'static str,
    /// The broken rules. In each group of facts that occurs here, only these are accepted.
    breaks: &'static [(Rule, &'static [Facts])],
    /// The groups of attributes. There is a variant for each attribute. `None` if there are no variants.
    groups: Option<&'static [&'static [Restriction]]>,
}

catalogue! {
    "en passant" {
        NoEnPassant(DIRECTIONS) "En passant captures are missing." EnPassantMissing[];
        NoEnPassantOnEdge() "En passant captures on the a-file and on the h-file are missing." EnPassantMissing[OnA OnH];
        EnPassantUnread "The en passant square of the FEN is not read." EnPassantUnread[];
        EnPassantPin(EN_PASSANT_LINES) "An en passant capture is tested for check with the captured pawn still on the board." EnPassantOpensLine[];
        EnPassantUnchecked() "En passant captures are not tested for check at all." EnPassantUnchecked[];
        EnPassantNotAnswer() "A pawn that gives check by its double step cannot be captured en passant." AnswerMissing[EnPassant TakesChecker];
        EnPassantStays(MOVERS) "The en passant square is not cleared by the next move." EnPassantStays[];
        EnPassantNotSet() "A double step sets no en passant square; only that of the FEN is used." EnPassantNotSet[];
        EnPassantLeavesPawn() "The captured pawn stays on the board after an en passant capture." EnPassantLeavesPawn[];
        EnPassantOnePawn() "Only one of two pawns can capture en passant." SecondEnPassantMissing[];
        EnPassantWraps(DIRECTIONS) "A pawn on the edge can capture en passant on the other edge of the board." EnPassantWraps[];
    }
    "castling" {
        NoCastling(WINGS) "Castling is missing." CastlingMissing[];
        CastlingOutOfCheck(WINGS) "The king may castle while the king is in check." CastlingOutOfCheck[];
        CastlingThroughCheck(WINGS) "The king may castle across an attacked square." CastlingThroughCheck[];
        CastlingIntoCheck(WINGS) "The king may castle to an attacked square." CastlingIntoCheck[];
        CastlingUnchecked(WINGS ATTACKERS) "The king may castle out of check, through check and into check." CastlingOutOfCheck[] CastlingThroughCheck[] CastlingIntoCheck[];
        CastlingPathUnchecked(WINGS) "The king may castle out of check and across attacked squares; only its target square is tested." CastlingOutOfCheck[] CastlingThroughCheck[];
        CastlingOverPieces(WINGS) "The squares between king and rook need not be empty for castling." CastlingBlocked[];
        CastlingThroughPieces() "The squares that only the rook crosses (b1 and b8) need not be empty for castling." CastlingBlocked[RookPath];
        CastlingRookAttacked(WINGS) "Castling is refused if the rook is attacked." CastlingRookAttacked[];
        CastlingRookPathAttacked() "Castling is refused if a square that only the rook crosses (b1 or b8) is attacked." CastlingRookPathAttacked[];
        CastlingLeavesRook(WINGS) "Castling moves the king, but not the rook." CastlingLeavesRook[];
        CastlingTestedWithMoves() "The squares that the king crosses are tested with the moves of the other side: pawns straight ahead, and not diagonally." CastlingTestedWithSteps[];
        CastlingTwice(WINGS) "Castling is listed twice, once for the king and once for the rook." CastlingTwice[];
    }
    "castling rights" {
        RookCaptureKeepsRight(WINGS) "The castling right of a captured rook remains; another rook on its square can castle." RookCaptureKeepsRight[];
        PromotionCaptureKeepsRight() "The castling right of a rook remains if a promoting pawn captures it." RookCaptureKeepsRight[Promotion];
        PhantomRook(WINGS) "The castling right of a captured rook remains, and castling without a rook creates one." RookCaptureKeepsRight[] CastlingWithoutRook[];
        RookMoveKeepsRight(WINGS) "A rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[];
        KingMoveKeepsRights(WINGS) "A king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[];
        CastlingKeepsRight() "A king that castles keeps its right on the other side and can castle again when it is back." KingMoveKeepsRight[Castling];
        RightsAreKept() "No move takes castling rights away." RookCaptureKeepsRight[] RookMoveKeepsRight[] KingMoveKeepsRight[];
        OneRightForBothSides() "One castling right allows castling on both sides." CastlingSharesRight[];
        RookMoveLosesBoth() "A rook that moves takes the castling rights of both sides away." RookMoveTakesBothRights[];
        RookOnFileLosesRight() "A rook that moves from any square of the a-file or h-file takes the castling right on that side away." RookTakesRightOfFile[];
        RookCaptureLosesBoth() "The capture of a rook takes the castling rights of both sides away." RookCaptureTakesBothRights[];
    }
    "pins" {
        PinsIgnored(PIECES LINES SLIDING_CHECKERS) "Pinned pieces and pawns may leave their pin line." PinIgnored[];
        PinnedPieceMoves() "Pinned knights, bishops, rooks and queens may leave their pin line." PinIgnored[Knight Bishop Rook Queen];
        PinnedPawnCaptures() "Pinned pawns may capture off their pin line." PinIgnored[Pawn CAPTURE Step Promotion];
        PinnedPawnPushes() "Pinned pawns may step forward off their pin line." PinIgnored[Pawn Quiet];
        PinnedPawnDoubleSteps() "Pinned pawns may make a double step off their pin line." PinIgnored[Pawn Quiet DoubleStep];
        PinnedPawnPromotes() "Pinned pawns may promote off their pin line." PinIgnored[Pawn Promotion];
        OrthogonalPinsIgnored() "Pins by rooks, and by queens on ranks and files, are not seen." PinIgnored[OnRank OnFile];
        PinnedAllFrozen() "Pinned pieces and pawns cannot move at all, not even along their pin line." PinnedFrozen[];
        PinnedPiecesFrozen(SLIDERS) "Pinned pieces cannot move at all, not even along their pin line." PinnedFrozen[Knight Bishop Rook Queen];
        PinnedPawnsFrozen() "Pinned pawns cannot move at all, not even along their pin line." PinnedFrozen[Pawn];
        PinnedPawnPushMissing() "Pinned pawns cannot step forward along their pin line." PinnedFrozen[Pawn Quiet];
        PinnedPawnDoubleStepMissing() "Pinned pawns cannot make a double step along their pin line." PinnedFrozen[Pawn Quiet DoubleStep];
        PinnedPawnCaptureMissing() "Pinned pawns cannot capture along their pin line." PinnedFrozen[Pawn CAPTURE];
        PinnedPawnEnPassantMissing() "Pinned pawns cannot capture en passant along their pin line." PinnedFrozen[Pawn EnPassant];
    }
    "check" {
        PseudoLegal() "Moves are not tested for check, and the king can be captured." PinIgnored[] CheckIgnored[] KingIntoAttack[];
        CheckIgnored(PIECES CHECKERS) "In check, pieces other than the king may make any move." CheckIgnored[];
        UnderpromotionsUnchecked() "Promotions to rooks, bishops and knights are not tested for check." PinIgnored[Pawn Promotion ToKnight ToBishop ToRook] CheckIgnored[Pawn Promotion ToKnight ToBishop ToRook];
        DoubleCheck() "In double check, a move that answers one of the two checks is allowed." CheckIgnored[AnswersOne];
        OnlyKingMovesInCheck(PIECES CHECKERS) "In check, only the king can move." AnswerMissing[];
        NoInterposition(PIECES SLIDING_CHECKERS) "A check cannot be answered by moving a piece between." AnswerMissing[Interposes];
        NoInterpositionByDoubleStep() "A check cannot be answered by the double step of a pawn." AnswerMissing[Interposes Pawn DoubleStep];
        NoCaptureOfChecker(PIECES CHECKERS) "A piece that gives check can be captured by the king only." AnswerMissing[TakesChecker];
        NoPromotionInCheck() "A check cannot be answered by a promotion." AnswerMissing[Promotion];
        KingIntoCheck(CHECKERS) "The king may move to any attacked square." KingIntoAttack[];
        KingStepsBack(SLIDING_CHECKERS) "The king may step back along the line of a slider that checks it." KingIntoAttack[StepsBackFromOne StepsBackFromTwo];
        KingStepsBackInCheck() "The king may step back along the line of a slider that checks it, but not in double check." KingIntoAttack[StepsBackFromOne];
        KingStepsBackInDoubleCheck() "In double check, the king may step back along the line of a slider." KingIntoAttack[StepsBackFromTwo];
        KingsAdjacent() "The king may step next to the other king." KingIntoAttack[ByKing];
        KingCapturesDefended(CAPTURED ATTACKERS) "The king may capture a defended piece." KingIntoAttack[CAPTURE];
        PawnAttacksIgnored() "Attacks by pawns are not seen: no check by a pawn, and the king steps beside it." AttackUnseen[ByPawn];
        KnightAttacksIgnored() "Attacks by knights are not seen when the king is tested for check." AttackUnseen[ByKnight];
        BishopAttacksIgnored() "Attacks by bishops are not seen when the king is tested for check." AttackUnseen[ByBishop];
        RookAttacksIgnored() "Attacks by rooks are not seen when the king is tested for check." AttackUnseen[ByRook];
        QueenAttacksIgnored(LINES) "Attacks by queens are not seen when the king is tested for check." AttackUnseen[ByQueen];
        QueenAttacksOnLinesIgnored() "Attacks by queens on ranks and files are not seen when the king is tested for check." AttackUnseen[ByQueen OnRank OnFile];
        SlidersSeeThroughPawns() "A bishop, rook or queen attacks through a pawn of its own side that stands right beside the square." AttackThroughPawn[];
        KingShunsShieldedSquares() "The king may not step beside an enemy pawn with a bishop, rook or queen behind it on the line." KingShunsShielded[];
        PawnAttacksReversed() "Pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[];
    }
    "promotion" {
        NoPromotion() "A pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[];
        CaptureNoPromotion() "A pawn that captures on the last rank stays a pawn." PromotionStaysPawn[CAPTURE];
        PromotionMissing() "Moves of pawns to the last rank are missing." PromotionMissing[];
        PromotionToQueenOnly() "Pawns promote to queens only." PromotionMissing[ToKnight ToBishop ToRook];
        PromotionToQueenOrRook() "Pawns promote to queens and rooks only." PromotionMissing[ToKnight ToBishop];
        PromotionToQueenOrBishop() "Pawns promote to queens and bishops only." PromotionMissing[ToKnight ToRook];
        PromotionToRookOrBishop() "Pawns promote to rooks and bishops only." PromotionMissing[ToKnight ToQueen];
        PromotionToQueenOrKnight() "Pawns promote to queens and knights only." PromotionMissing[ToBishop ToRook];
        PromotionToRookOrKnight() "Pawns promote to rooks and knights only." PromotionMissing[ToBishop ToQueen];
        PromotionToBishopOrKnight() "Pawns promote to bishops and knights only." PromotionMissing[ToRook ToQueen];
        NoKnightPromotion() "Pawns do not promote to knights." PromotionMissing[ToKnight];
        NoBishopPromotion() "Pawns do not promote to bishops." PromotionMissing[ToBishop];
        NoRookPromotion() "Pawns do not promote to rooks." PromotionMissing[ToRook];
        NoQueenPromotion() "Pawns do not promote to queens." PromotionMissing[ToQueen];
        CapturePromotesToQueen() "A capture on the last rank promotes to a queen only." PromotionMissing[CAPTURE ToKnight ToBishop ToRook];
        PushPromotesToQueen() "A step to the last rank without a capture promotes to a queen only." PromotionMissing[Quiet ToKnight ToBishop ToRook];
        PromotionPushMissing() "Promotions without a capture are missing." PromotionMissing[Quiet];
        PromotionCaptureMissing(DIRECTIONS EDGES) "Promotions with a capture are missing." PromotionMissing[CAPTURE];
        PromotionIsWhite "A black pawn promotes to a white piece." PromotionChangesSide[Black];
        PromotionIsBlack "A white pawn promotes to a black piece." PromotionChangesSide[White];
    }
    "pawns and edges" {
        NoDoubleStep() "Double steps of pawns are missing." DoubleStepMissing[];
        DoubleStepJumps() "A pawn can jump over a piece with its double step." DoubleStepJumps[];
        DoubleStepCaptures() "A pawn can capture with its double step." DoubleStepCaptures[];
        DoubleStepFromAnyRank() "A pawn can make a double step from every rank." DoubleStepFromRank[];
        DoubleStepFromAnyRankPlain() "A pawn can make a double step from every rank, and only one from the second rank sets an en passant square." DoubleStepFromRank[] EnPassantNotSet[ThirdRank LaterRank];
        DoubleStepFromThirdRank() "A pawn can also make a double step from its third rank." DoubleStepFromRank[ThirdRank];
        PawnPushCaptures() "A pawn can capture a piece straight ahead." PawnPushCaptures[];
        PawnStepsAside(DIRECTIONS) "A pawn can step diagonally to an empty square." PawnStepsAside[];
        NoPawnCapture(DIRECTIONS EDGES) "Captures of pawns are missing." PawnCaptureMissing[];
        PawnsCaptureBackwards() "Pawns capture backwards instead of forwards." PawnsCaptureBackwards[];
        PawnWraps(DIRECTIONS) "A pawn on the edge captures around it, on the other edge of the board." PawnWraps[];
        KnightWraps() "A knight jumps around the edge, to the other edge of the board." KnightWraps[];
        KingWraps() "A king steps around the edge, to the other edge of the board." KingWraps[];
    }
    "sliders" {
        SlideNeverToEdge(SLIDERS) "Bishops, rooks and queens neither move to nor attack the edge of the board at the end of a line." EdgeMissing[];
        SlideNeverSeven(SLIDERS) "Bishops, rooks and queens move and attack at most six squares far." LongestSlideMissing[];
        SlideStopsShort(SLIDERS) "Bishops, rooks and queens stop one square before the end of each line." LastSquareMissing[Moves];
        SlideNotToEdge(SLIDERS) "Bishops, rooks and queens cannot move to the edge of the board at the end of a line." EdgeMissing[Moves];
        SlideNotSeven(SLIDERS) "Bishops, rooks and queens move at most six squares far." LongestSlideMissing[Moves];
    }
    "unmaking moves" {
        UnmakeLosesRights() "Taking back a capture does not restore castling rights." UnmakeLosesRightsOfCapture[];
        UnmakeLosesMovedRights(KING_OR_ROOK) "Taking back a move of a king or rook does not restore castling rights." UnmakeLosesRightsOfMover[];
        UnmakeLosesCastlingRights() "Taking back castling does not restore castling rights." UnmakeLosesRightsOfMover[Castling];
        UnmakeLosesEnPassant() "Taking back a move does not restore the en passant square." UnmakeLosesEnPassant[];
        UnmakeKeepsPromotion() "Taking back a promotion does not restore the pawn." UnmakeKeepsPromotion[];
        UnmakeLosesPawn() "Taking back an en passant capture does not restore the captured pawn." UnmakeLosesPawn[];
        UnmakeWrongPawn() "Taking back an en passant capture restores a pawn of the wrong colour." UnmakeWrongPawn[];
        UnmakeLeavesRook() "Taking back castling does not return the rook." UnmakeLeavesRook[];
    }
    "making moves" {
        NoMoves() "No moves are generated." NoMoves[];
        MovesNotMade "Moves are not made, so each ply counts the moves of the same position again." MovesNotMade[];
    }
    "ends of games" {
        EndIsLeaf "Checkmates and stalemates above the last ply are counted as leaf nodes." EndIsLeaf[];
    }
}

/// An attribute to which a mutation can be restricted.
#[derive(Clone, Copy, Debug)]
struct Restriction {
    facts: Facts,
    /// The part of the name of a variant, not yet in kebab case.
    name: &'static str,
    /// The part of the description of a variant.
    words: &'static str,
}

/// Defines groups of attributes.
macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident: $($attribute:ident $words:literal),*;)*) => {
        $($(#[$doc])* const $group: &[Restriction] = &[$(Restriction {
            facts: Facts::$attribute,
            name: stringify!($attribute),
            words: $words,
        },)*];)*
    };
}

groups! {
    SIDES: White "White", Black "Black";
    WINGS: KingSide "king side", QueenSide "queen side";
    /// The pieces other than the king.
    PIECES: Pawn "pawns", Knight "knights", Bishop "bishops", Rook "rooks", Queen "queens";
    SLIDERS: Bishop "bishops", Rook "rooks", Queen "queens";
    /// The piece whose move does not clear something.
    MOVERS: Pawn "moves of pawns", Knight "moves of knights", Bishop "moves of bishops", Rook "moves of rooks",
        Queen "moves of queens", King "moves of the king";
    KING_OR_ROOK: King "king", Rook "rook";
    CAPTURED: TakesPawn "of pawns", TakesKnight "of knights", TakesBishop "of bishops", TakesRook "of rooks",
        TakesQueen "of queens";
    /// The pieces that can give check.
    CHECKERS: ByPawn "by pawns", ByKnight "by knights", ByBishop "by bishops", ByRook "by rooks", ByQueen "by queens";
    SLIDING_CHECKERS: ByBishop "by bishops", ByRook "by rooks", ByQueen "by queens";
    ATTACKERS: ByPawn "by pawns", ByKnight "by knights", ByBishop "by bishops", ByRook "by rooks",
        ByQueen "by queens", ByKing "by the king";
    LINES: OnRank "on ranks", OnFile "on files", OnDiagonal "on diagonals";
    /// The lines that the removal of the captured pawn can open.
    EN_PASSANT_LINES: OnRank "on ranks", OnDiagonal "on diagonals";
    DIRECTIONS: TowardsA "towards the a-file", TowardsH "towards the h-file";
    EDGES: OnA "on the a-file", OnH "on the h-file";
}

/// A mutation: the general form of a row, or a variant of it.
struct Entry {
    row: usize,
    name: String,
    about: String,
    breaks: Vec<Break>,
}

/// All mutations. The variants of a row follow its general form.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut entries = Vec::with_capacity(COUNT);
    for (row, Row { groups, .. }) in ROWS.iter().enumerate() {
        let attributes = groups.unwrap_or_default().iter().copied().flatten().map(Some);
        let sides = groups.map_or(&[][..], |_| SIDES).iter().map(Some);
        for attribute in std::iter::once(None).chain(attributes) {
            for side in std::iter::once(None).chain(sides.clone()) {
                let restrictions: Vec<&Restriction> = side.into_iter().chain(attribute).collect();
                entries.push(Entry::new(row, &restrictions));
            }
        }
    }
    entries
});

/// The number of mutations.
pub(super) const COUNT: usize = first_of(ROWS.len());

const fn first_of(row: usize) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < row {
        count += ROWS[index].len();
        index += 1;
    }
    count
}

impl Row {
    /// The number of mutations of the row: for both sides and for each side, with each attribute and with none.
    const fn len(&self) -> usize {
        let Some(groups) = self.groups else { return 1 };
        let (mut attributes, mut index) = (1, 0);
        while index < groups.len() {
            attributes += groups[index].len();
            index += 1;
        }
        attributes * (1 + SIDES.len())
    }
}

impl Entry {
    /// Returns the mutation of a row with some restrictions. The general form has none.
    fn new(row: usize, restrictions: &[&Restriction]) -> Entry {
        let &Row { name, about, breaks, .. } = &ROWS[row];
        let words: Vec<&str> = restrictions.iter().map(|restriction| restriction.words).collect();
        let text = match words.is_empty() {
            true => about.to_owned(),
            false => format!("{} ({}).", about.trim_end_matches('.'), words.join(", ")),
        };
        let names = restrictions.iter().map(|restriction| restriction.name);
        let restricted = |&(rule, only): &(Rule, &[Facts])| {
            let each = restrictions.iter().map(|restriction| Facts::accepted(&[restriction.facts]));
            Break { rule, accepted: each.fold(Facts::accepted(only), |all, only| Facts(all.0 & only.0)) }
        };
        Entry {
            row,
            name: [name].into_iter().chain(names).map(kebab_case).collect::<Vec<_>>().join("-"),
            about: text,
            breaks: breaks.iter().map(restricted).collect(),
        }
    }
}

impl Mutation {
    /// All mutations, in the order of the catalogue.
    pub const ALL: &'static [Mutation] = &const_table!([Mutation(0); COUNT], index => Mutation(index as u16));

    fn entry(self) -> &'static Entry {
        &ENTRIES[self.index()]
    }

    /// Returns the place in [`Mutation::ALL`].
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the mutation with a name, if there is one.
    pub fn from_name(name: &str) -> Option<Mutation> {
        Mutation::ALL.iter().copied().find(|mutation| mutation.name() == name)
    }

    /// Returns the name, such as `en-passant-stays`.
    pub fn name(self) -> &'static str {
        &self.entry().name
    }

    /// Returns a description of the bug: one sentence.
    pub fn about(self) -> &'static str {
        &self.entry().about
    }

    /// Returns the part of a generator that the bug is in, such as `castling`.
    pub fn topic(self) -> &'static str {
        ROWS[self.row()].topic
    }

    pub(super) fn breaks(self) -> &'static [Break] {
        &self.entry().breaks
    }

    /// Whether this mutation is a variant of another one, for one side, one piece or one direction only.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::mutations::Mutation;
    ///
    /// let [white, black] = ["white", "black"].map(|side| Mutation::from_name(&format!("no-en-passant-{side}")).unwrap());
    /// assert!(white.is_variant_of(Mutation::NoEnPassant));
    /// assert!(!white.is_variant_of(black));
    /// ```
    pub fn is_variant_of(self, other: Mutation) -> bool {
        let is_each_within = |part: Mutation, whole: Mutation| {
            part.breaks().iter().all(|a| whole.breaks().iter().any(|b| a.is_within(*b)))
        };
        let breaks_as_many = self.breaks().len() == other.breaks().len();
        breaks_as_many && is_each_within(self, other) && !is_each_within(other, self)
    }

    pub(super) fn row(self) -> usize {
        self.entry().row
    }

    pub(super) fn breaks_any(self, property: impl Fn(Rule) -> bool) -> bool {
        self.breaks().iter().any(|broken| property(broken.rule))
    }

    /// Whether it is a variant of no other mutation.
    #[doc(hidden)]
    pub fn is_general(self) -> bool {
        !Mutation::ALL.iter().any(|&other| self.is_variant_of(other))
    }
}

impl fmt::Debug for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The number of words of 64 bits that a set needs.
const WORDS: usize = COUNT.div_ceil(64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutationSet([u64; WORDS]);

impl MutationSet {
    #[inline]
    pub fn contains(self, mutation: Mutation) -> bool {
        self.0[mutation.index() / 64] >> (mutation.index() % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, mutation: Mutation) {
        self.0[mutation.index() / 64] |= 1 << (mutation.index() % 64);
    }

    #[inline]
    pub fn union(self, other: MutationSet) -> MutationSet {
        self.with_words(other, |a, b| a | b)
    }

    #[inline]
    pub fn intersection(self, other: MutationSet) -> MutationSet {
        self.with_words(other, |a, b| a & b)
    }

    pub fn is_empty(self) -> bool {
        self == MutationSet::default()
    }

    #[inline]
    pub fn without(self, other: MutationSet) -> MutationSet {
        self.with_words(other, |a, b| a & !b)
    }

    #[inline]
    pub fn complement(self) -> MutationSet {
        MutationSet([u64::MAX; WORDS]).without(self)
    }

    // A loop: with `map` and `array::from_fn`, which are not inlined, the search took twice as long.
    #[inline]
    fn with_words(mut self, other: MutationSet, of_words: impl Fn(u64, u64) -> u64) -> MutationSet {
        for word in 0..WORDS {
            self.0[word] = of_words(self.0[word], other.0[word]);
        }
        self
    }

    /// Returns the first mutation of the catalogue that is in the set.
    pub fn first(self) -> Option<Mutation> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(Mutation((word * 64) as u16 + self.0[word].trailing_zeros() as u16))
    }

    /// Returns the mutations of the set, in the order of the catalogue.
    pub fn iter(mut self) -> impl Iterator<Item = Mutation> {
        std::iter::from_fn(move || {
            let first = self.first()?;
            self.0[first.index() / 64] &= self.0[first.index() / 64] - 1;
            Some(first)
        })
    }
}

/// The mutations of taking back moves.
pub static UNMAKING: LazyLock<MutationSet> = LazyLock::new(|| {
    let all = Mutation::ALL.iter().copied();
    all.filter(|mutation| mutation.breaks_any(Rule::is_of_unmaking)).collect()
});

impl FromIterator<Mutation> for MutationSet {
    fn from_iter<I: IntoIterator<Item = Mutation>>(mutations: I) -> MutationSet {
        let mut set = MutationSet::default();
        mutations.into_iter().for_each(|mutation| set.insert(mutation));
        set
    }
}
