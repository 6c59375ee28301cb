//! An answer compared with the right one: the difference between them, the fault that it shows, and the wrong moves
//! with the rule for each.

use std::mem::discriminant;

use perft_core::internals::AlgebraicMove;
use perft_core::{CastlingNotation, ColoredPiece, LeafStatistics, Move, Position, RootMove, Square};

use crate::explain::{Explanation, Theme, explain};
use crate::named_enum::named_enum;
use crate::source::notation::indices_meant;
use crate::source::{Answer, LeafCount, MovePath, SourceError};

/// The difference between an answer and the correct divide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DivideDifference {
    /// The legal moves that are not in the answer and that explain why it is wrong.
    pub missing: Vec<Move>,
    /// Other legal moves that are not in the answer. Either their count is 0, or the rest of the answer is right,
    /// including its total. Some programs do not print all moves. That is not a bug.
    pub unlisted: Vec<Move>,
    /// The moves of the answer that are not legal or that it lists a second time, as the answer writes them.
    pub extra: Vec<String>,
    /// The legal moves with a wrong count, in the order of the answer.
    pub wrong: Vec<WrongCount>,
    /// Whether the counts are right, and the names of moves are not: each move that is not legal has the count of a legal
    /// move that is missing.
    pub is_misnamed: bool,
    /// Whether counts that stand in a text beside those of the answer are wrong.
    pub has_wrong_others: bool,
    /// Whether the answer is a text with so few of the moves that it seems to be a part of a divide. Nothing is known
    /// about the other moves.
    pub is_excerpt: bool,
    /// The last move with a correct count before the first one with a wrong count.
    pub last_right: Option<Move>,
    /// The correct number of leaf nodes.
    pub ours: u128,
    /// The number of leaf nodes in the answer. Programs whose counters overflow may print a negative one.
    pub theirs: i128,
    /// Whether the answer lists moves. A total alone says nothing about moves.
    pub lists_moves: bool,
    /// Whether the stated total differs from the sum over the moves of the answer, and moves that are not listed do not
    /// explain this difference.
    pub contradicts_itself: bool,
    /// The lines of the answer that were not understood, if they are probably the reason for the difference. Otherwise
    /// empty.
    pub unread: Vec<String>,
    /// The reason why there is no answer, if there is none.
    pub error: Option<SourceError>,
}

/// A legal move with a wrong count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct WrongCount<M = Move> {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub played: M,
    /// The correct number of leaf nodes below the move.
    #[cfg_attr(feature = "serde", serde(rename = "expected"))]
    pub ours: u128,
    /// The number of leaf nodes in the answer.
    #[cfg_attr(feature = "serde", serde(rename = "found"))]
    pub theirs: u128,
}

impl WrongCount {
    /// Returns the same with the move as text.
    pub fn written(self, notation: CastlingNotation) -> WrongCount<String> {
        let WrongCount { played, ours, theirs } = self;
        WrongCount { played: played.to_uci(notation), ours, theirs }
    }
}

impl DivideDifference {
    /// Compares an answer about a position with `ours`, the correct divide.
    ///
    /// Moves may be written in any notation. Some programs, such as qperft, print promotions without the promotion
    /// piece. Such lines are assigned to the four promotions so that as many counts as possible agree.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::DivideDifference;
    /// use perft_diagnosis::source::Answer;
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let ours = position.divide(1);
    /// assert!(DivideDifference::new(&position, &ours, &Answer::parse("15")).is_right());
    ///
    /// let found = DivideDifference::new(&position, &ours, &Answer::parse("e1g1: 1\na2a3: 1"));
    /// assert_eq!((found.missing.len(), found.extra), (14, vec!["a2a3".to_owned()]));
    /// ```
    pub fn new(position: &Position, ours: &[RootMove], answer: &Answer) -> DivideDifference {
        let mut difference = DivideDifference {
            ours: ours.iter().map(|known| known.nodes).sum(),
            theirs: answer.total(),
            lists_moves: !answer.moves.is_empty(),
            contradicts_itself: answer.contradicts_itself(),
            ..DivideDifference::default()
        };
        if difference.lists_moves || difference.theirs == 0 {
            difference.compare_moves(position, ours, answer);
        }
        let is_text = answer.text.is_some();
        let others = answer.text.iter().flat_map(|text| &text.others);
        difference.has_wrong_others = others.into_iter().any(|other| other.wrong + other.missing > 0);
        let may_leave_out = answer.unread.is_empty() && difference.has_right_counts(answer);
        difference.is_excerpt = is_text
            && difference.lists_moves
            && difference.extra.is_empty()
            && 4 * difference.missing.len() > 3 * ours.len();
        if difference.is_excerpt || may_leave_out && !is_text {
            difference.unlisted.append(&mut difference.missing);
            difference.extra.clear();
            difference.contradicts_itself = false;
        }
        difference.is_misnamed = difference.has_wrong_names(ours, answer);
        let is_unread = if difference.is_right() { is_text } else { difference.is_misread(answer) };
        if is_unread {
            difference.unread.clone_from(&answer.unread);
        }
        difference
    }

    /// Whether the extra moves have the counts of the missing ones, and nothing else is wrong. Small counts agree by chance,
    /// so the names must be alike, too: they are no moves, or those of promotions from the same square.
    fn has_wrong_names(&self, ours: &[RootMove], answer: &Answer) -> bool {
        let found = |text: &String| answer.moves.iter().rev().find(|(listed, _)| listed == text);
        let mut extra: Vec<(&str, u128)> =
            self.extra.iter().filter_map(found).map(|(text, nodes)| (text.as_str(), *nodes)).collect();
        let is_missing = |known: &&RootMove| self.missing.contains(&known.played);
        let mut missing: Vec<&RootMove> = ours.iter().filter(is_missing).collect();
        extra.sort_unstable_by_key(|(text, nodes)| (*nodes, *text));
        missing.sort_unstable_by_key(|known| (known.nodes, known.played.to_uci(CastlingNotation::Standard)));
        let is_alike = |((text, nodes), known): (&(&str, u128), &&RootMove)| {
            let is_move = text.len() >= 4 && text.get(..2).is_some_and(|from| from.parse::<Square>().is_ok());
            let is_promotion = known.played.kind().promotion().is_some()
                && text.starts_with(&known.played.from().to_string());
            *nodes == known.nodes && (*nodes >= TELLING || !is_move || is_promotion)
        };
        let is_legal =
            |text: &str| ours.iter().any(|known| known.played.to_uci(CastlingNotation::Standard) == text);
        !extra.is_empty()
            // A legal move that is listed twice has its own name.
            && !extra.iter().any(|(text, _)| is_legal(text))
            && extra.len() == missing.len()
            && self.wrong.is_empty()
            && self.theirs == self.ours as i128
            && extra.iter().zip(&missing).all(is_alike)
    }

    /// Whether lines that were not understood probably explain the difference. There are three cases: the stated total
    /// is right, it does not fit the moves that were read, or there is no total and the missing moves may be on these
    /// lines.
    fn is_misread(&self, answer: &Answer) -> bool {
        let unread = answer.unread.len();
        match answer.stated_total {
            _ if unread == 0 => false,
            _ if answer.text.is_some() && !self.lists_moves => true,
            Some(total) => total == self.ours as i128 || self.contradicts_itself,
            None => self.extra.is_empty() && (1..=unread).contains(&self.missing.len()),
        }
    }

    /// Whether the total and the counts below all listed moves are right. Some programs list illegal moves with the
    /// count 0.
    fn has_right_counts(&self, answer: &Answer) -> bool {
        let is_counted =
            |text: &String| answer.moves.iter().any(|(listed, nodes)| listed == text && *nodes > 0);
        self.theirs == self.ours as i128 && self.wrong.is_empty() && !self.extra.iter().any(is_counted)
    }

    fn compare_moves(&mut self, position: &Position, ours: &[RootMove], answer: &Answer) {
        let mut left: Vec<RootMove> = ours.to_vec();
        let mut last = None;
        for (text, theirs) in &answer.moves {
            let moves: Vec<Move> = left.iter().map(|known| known.played).collect();
            let meant = indices_meant(position, &moves, text);
            let same = meant.iter().copied().find(|&index| left[index].nodes == *theirs);
            // One name may stand for several promotions, and one count for their sum.
            let sum: u128 = meant.iter().map(|&index| left[index].nodes).sum();
            if same.is_none() && meant.len() > 1 && sum == *theirs {
                left.retain(|known| !meant.iter().any(|&index| moves[index] == known.played));
                continue;
            }
            let Some(index) = same.or(meant.first().copied()) else {
                self.extra.push(text.clone());
                continue;
            };
            let RootMove { played, nodes } = left.remove(index);
            if nodes == *theirs {
                last = Some(played).filter(|_| self.wrong.is_empty()).or(last);
            } else {
                self.wrong.push(WrongCount { played, ours: nodes, theirs: *theirs });
            }
        }
        for RootMove { played, nodes } in left {
            if nodes == 0 { self.unlisted.push(played) } else { self.missing.push(played) }
        }
        self.last_right = last.filter(|_| !self.wrong.is_empty());
    }

    /// Whether the answer is correct.
    pub fn is_right(&self) -> bool {
        self.error.is_none()
            && self.theirs == self.ours as i128
            && self.has_right_moves()
            && self.wrong.is_empty()
            && !self.contradicts_itself
            && !self.has_wrong_others
            && self.unread.is_empty()
    }

    /// Whether the source gave a wrong answer, and the answer was understood.
    pub fn is_wrong(&self) -> bool {
        !self.is_right() && self.unread.is_empty() && self.error.is_none()
    }

    /// Whether another answer to the same question is wrong or missing in the same way. Programs with several threads
    /// list the moves in a different order each time.
    pub(crate) fn is_same_as(&self, other: &DivideDifference) -> bool {
        let extra = |difference: &DivideDifference| {
            let mut extra = difference.extra.clone();
            extra.sort_unstable();
            extra
        };
        let is_in_other = |wrong: &WrongCount| other.wrong.contains(wrong);
        let error = |difference: &DivideDifference| difference.error.as_ref().map(discriminant);
        (self.theirs, &self.missing, self.lists_moves, error(self))
            == (other.theirs, &other.missing, other.lists_moves, error(other))
            && self.unread.is_empty() == other.unread.is_empty()
            && extra(self) == extra(other)
            && self.wrong.len() == other.wrong.len()
            && self.wrong.iter().all(is_in_other)
    }

    /// Whether the answer says which moves there are. It either lists them, or says that there are none.
    pub fn knows_moves(&self) -> bool {
        self.lists_moves || self.theirs == 0
    }

    /// Whether the answer has all legal moves and no others. An answer without a list of moves passes.
    pub fn has_right_moves(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty()
    }
}

/// A count that hardly agrees with that of another move by chance.
pub(crate) const TELLING: u128 = 100;

/// The largest right count that is counted with many models.
const MAX_NODES: u128 = 20_000;

/// The largest right count for which the count of the next depth is also counted.
const MAX_NODES_BEFORE_NEXT: u128 = 200_000;

/// An answer of a program, right or wrong. It may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The position that was asked about, as it was given to the program.
    pub path: MovePath,
    /// The depth of the question in plies.
    pub depth: u32,
    /// The correct divide. For a number without moves it may be empty.
    pub ours: Vec<RootMove>,
    /// The correct counts at the depths from 0 on, as far as they are known.
    pub counts: Vec<u128>,
    /// The answer.
    pub answer: Answer,
    /// Its difference from the correct divide.
    pub difference: DivideDifference,
    /// The last position about which the same process was right before, if there is one.
    pub before: Option<Position>,
    /// Whether the same process was asked the question before this one in a list of answers.
    pub follows: bool,
    /// The numbers of captures and other kinds of leaf nodes that the program gives.
    pub kinds: Vec<LeafCount>,
    /// The right leaf nodes by kind. They are known if there are `kinds`.
    pub leaves: LeafStatistics,
}

impl Told {
    /// Returns an answer about the end of a path, whose correct divide is `ours`.
    pub fn new(path: MovePath, depth: u32, ours: Vec<RootMove>, answer: Answer) -> Told {
        let mut difference = DivideDifference::new(&path.end, &ours, &answer);
        if depth == 0 {
            difference.ours = 1;
        }
        Told {
            path,
            depth,
            ours,
            counts: Vec::new(),
            answer,
            difference,
            before: None,
            follows: false,
            kinds: Vec::new(),
            leaves: LeafStatistics::default(),
        }
    }

    /// Returns the position that was asked about.
    pub fn position(&self) -> &Position {
        &self.path.end
    }

    /// Returns the numbers of captures and other kinds that are wrong.
    pub fn wrong_kinds(&self) -> impl Iterator<Item = LeafCount> {
        self.kinds.iter().copied().filter(|kind| !kind.is_of(&self.leaves))
    }

    /// Whether the position is small enough to be counted with many models.
    pub fn is_small(&self) -> bool {
        self.difference.ours <= MAX_NODES
    }

    /// Whether the answer is right. The numbers of captures and other kinds are not looked at.
    pub fn is_right(&self) -> bool {
        self.difference.is_right()
    }

    /// Returns the correct number of leaf nodes at a depth, unless it takes long to count.
    pub fn count(&self, depth: u32) -> Option<u128> {
        let is_small = depth <= self.depth || self.difference.ours <= MAX_NODES_BEFORE_NEXT;
        let counted = || is_small.then(|| self.position().perft(depth));
        self.counts.get(depth as usize).copied().or_else(counted)
    }

    /// Returns the depth whose counts a wrong answer has, if it is near and takes no more than this number of nodes.
    pub fn other_depth(&self, max_nodes: u128) -> Option<u32> {
        let (depth, theirs) = (self.depth, u128::try_from(self.difference.theirs).ok()?);
        let is_moved = self.difference.has_right_moves();
        let near = [depth.checked_sub(1), depth.checked_add(1), depth.checked_add(2)].into_iter().flatten();
        let mut near = near.filter(|&near| near > 0 && is_moved && !self.is_right() && theirs <= max_nodes);
        near.find(|&near| {
            // A count that grows with the depth is not smaller than the number of moves one ply earlier.
            let is_deeper = near > depth;
            (theirs > self.difference.ours) == is_deeper
                && self.has(self.position(), &self.position().divide(near))
        })
    }

    /// Whether the answer has exactly these counts below the moves of a position, and their sum. Moves with the count 0
    /// need not be listed.
    pub fn has(&self, position: &Position, moves: &[RootMove]) -> bool {
        let has_total = self.difference.theirs == moves.iter().map(|known| known.nodes as i128).sum();
        has_total
            && !self.misstates_total()
            && (self.answer.moves.is_empty() || self.has_rows(position, moves))
    }

    fn misstates_total(&self) -> bool {
        let DivideDifference { contradicts_itself, wrong, .. } = &self.difference;
        *contradicts_itself && wrong.is_empty() && self.difference.has_right_moves()
    }

    /// Whether the answer lists exactly these counts below the moves of a position.
    pub(crate) fn has_rows(&self, position: &Position, moves: &[RootMove]) -> bool {
        let difference = DivideDifference::new(position, moves, &self.answer);
        difference.has_right_moves() && difference.wrong.is_empty()
    }

    /// Returns the kind of the bug, as far as this wrong answer shows it: the moves are wrong, the total is not their
    /// sum, or the moves are counted wrong. In the last case, the answers about the positions below are expected to be
    /// right.
    pub(crate) fn first_verdict(&self) -> Verdict {
        let Told { depth, difference, .. } = self;
        let has_wrong_moves = !difference.has_right_moves() || *depth == 1 && !difference.contradicts_itself;
        match difference.error {
            Some(SourceError::Refused(_)) => Verdict::Refused,
            Some(_) => Verdict::NoAnswer,
            None if !difference.unread.is_empty() => Verdict::Unread,
            None if difference.is_misnamed => Verdict::Names,
            None if has_wrong_moves => Verdict::Generation,
            None if difference.lists_moves && difference.wrong.is_empty() => Verdict::Sum,
            None => Verdict::Contradiction,
        }
    }
}

named_enum! {
    /// The kind of a bug. It is reported only if the questions that show it were asked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Verdict {
        Generation: "the moves are wrong when the position is given as a FEN",
        ///
        /// The source lists no moves, and no question shows which of the two it is.
        GenerationOrLastPly: "the count of depth 1 is wrong when the position is given as a FEN",
        Make: "the answer is right when the position is given as a FEN, and wrong after these moves",
        Unmake: "the program is right about the position alone, and wrong when it counts below it",
        Contradiction:
            "the program is right when it is asked about the positions below: what it does between them is wrong",
        LastPly: "the moves of each position are right, but the code that counts those of the last ply has a bug of its own",
        ///
        /// The source ends a game that is drawn by a rule, and counts no nodes below.
        Draw:
            "perft counts the legal moves of a drawn position too: the fifty-move rule, repetitions and insufficient \
            material do not end it",
        Sum: "the total is not the sum over the moves",
        Names: "the counts are right, and the names of these moves are not those of legal moves",
        Reading: "the program answers another question than the one that it was asked",
        Pattern:
            "the counts of several well-known positions are wrong in the same way. Mend this first: it hides other bugs",
        NotRepeated: "a fresh process answers the same question differently: other questions before it, or chance, decide",
        Unfinished: "the count is wrong; the hunt ended before it found the cause",
        Unread:
            "the answer could not be read: lines of it were not understood, and what was read does not fit. \
            This says nothing about the program",
        NoAnswer: "the program gave no answer",
        Refused:
            "the position is legal, and so are the moves that lead to it; the program answers other questions of this depth",
    }
}

/// A move that is missing, or that is listed but not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMove {
    /// The move, as the source writes it or in UCI notation.
    pub text: String,
    /// Whether the move is legal and missing. Otherwise the source lists it although it is not legal, or lists it
    /// twice.
    pub is_missing: bool,
    /// The reason why the move is legal or not.
    pub why: Explanation,
}

/// The rule that decides about a wrong move, and whether the move is missing.
pub type WrongTheme = (Theme, bool);

impl WrongMove {
    pub(super) fn key(&self) -> WrongTheme {
        (self.why.theme, self.is_missing)
    }
}

/// Returns the moves that are missing or not legal, each with the reason.
pub fn wrong_moves(position: &Position, difference: &DivideDifference) -> Vec<WrongMove> {
    let notation = position.castling_notation();
    let missing = difference.missing.iter().map(|played| (played.to_uci(notation), true));
    let extra = difference.extra.iter().map(|text| (text.clone(), false));
    let explained = |(text, is_missing): (String, bool)| {
        let mut why = explain(position, &text);
        if why.is_legal && !is_missing {
            why.text = format!("{text} is listed twice");
        }
        WrongMove { text, is_missing, why }
    };
    missing.chain(extra).map(explained).collect()
}

/// Explains a move in UCI or standard algebraic notation. In algebraic notation, a move that is not legal is explained for
/// each piece that it can mean.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::explanations;
///
/// let found = explanations(&Position::start(), "Nd2");
/// assert_eq!(found.iter().map(|why| why.text.as_str()).collect::<Vec<_>>(), ["b1d2", "g1d2"]);
/// ```
pub fn explanations(position: &Position, text: &str) -> Vec<WrongMove> {
    let meant = match (position.find_move(text), AlgebraicMove::parse(text)) {
        (Ok(played), _) => vec![played.to_uci(position.castling_notation())],
        (_, Some(AlgebraicMove::Piece { piece, origin, to, promotion })) => {
            let standing = ColoredPiece { color: position.turn(), piece };
            let is_meant = |from: &Square| {
                position.piece_at(*from) == Some(standing) && from.to_string().contains(&origin)
            };
            let letter = promotion.map(|piece| piece.letter().to_string()).unwrap_or_default();
            Square::ALL.into_iter().filter(is_meant).map(|from| format!("{from}{to}{letter}")).collect()
        }
        _ => Vec::new(),
    };
    let explained = |text: String| {
        let why = explain(position, &text);
        WrongMove { text, is_missing: why.is_legal, why }
    };
    let meant = if meant.is_empty() { vec![text.to_owned()] } else { meant };
    meant.into_iter().map(explained).collect()
}
