//! The table of the properties: what a move is, why a move that looks legal is not, what is true of a position, and
//! what is true of a question. A row has a text, the values that it can have, and a function that returns the values of
//! a move, a position or a question as a set of bits. A new property is a row here and nothing else.

use perft_core::internals::grouped;
use perft_core::{Bitboard, CastlingNotation, Color, File, MoveKind, Piece, Position, Rank, Square};

use super::facts::{MoveFacts, NodeFacts, QuestionFacts};
use super::squares::{captured_on, kinds, lines, of_each, pieces, way, ways, wing, wings, with};
use crate::random::distance;

/// A row of the table for moves, positions or questions. `F` is the type of its function, which returns the values, each
/// as a bit.
pub(super) struct Row<F> {
    pub text: &'static str,
    pub names: Names,
    pub of: F,
}

type MoveRow = Row<fn(&MoveFacts) -> u64>;
type NodeRow = Row<fn(&NodeFacts) -> u64>;
type QuestionRow = Row<fn(&QuestionFacts) -> u64>;

/// A row whose values are those of a function, or only of what has a property. Without names, there is one value: whether
/// it has the property.
macro_rules! row {
    ($text:literal, |$of:ident| $is:expr) => {
        row!($text, &[], |$of| u64::from($is))
    };
    ($text:literal, $names:expr, |$of:ident| $values:expr, if $is:expr) => {
        row!($text, $names, |$of| if $is { $values } else { 0 })
    };
    ($text:literal, $names:expr, $of:expr) => {
        Row { text: $text, names: $names, of: $of }
    };
}

/// What each `{}` in the text of a row stands for, by its value. Of two, the first one is the value divided by eight.
pub(super) type Names = &'static [fn(usize) -> String];

const PIECES: Names = &[piece];
/// The six pieces, and the sliders by the way they move.
const MOVERS: Names = &[mover];
const MOVERS_ON_FILES: Names = &[mover, file];
const MOVERS_ON_RANKS: Names = &[mover, rank];
const MOVERS_BY_WAY: Names = &[mover, |way| WAY_NAMES[way].to_owned()];
const MOVERS_FROM_WAY: Names = &[mover, |way| WAYS_FROM[way].to_owned()];
const MOVERS_BY_DISTANCE: Names = &[mover, |squares| squares.to_string()];
const SQUARE: Names = &[|value| Square::ALL[value].to_string()];
const WINGS: Names = &[|value| ["king-side", "queen-side"][value].to_owned()];
const LINES: Names = &[|value| LINE_NAMES[value].to_owned()];
const WAYS: Names = &[|value| WAYS_FROM[value].to_owned()];
const FILES: Names = &[file];
const RANKS: Names = &[rank];
const COLORS: Names = &[|value| ["White", "Black"][value].to_owned()];
/// The parts in which two positions may differ.
const PARTS: Names = &[|value| PART_NAMES[value].to_owned()];
const DISTANCES: Names = &[|value| value.to_string()];
const DEPTHS: Names = &[|value| (value + 1).to_string()];
const CLOCKS: Names = &[|value| ["1", "50", "98", "100"][value].to_owned()];
const MORE_MOVES: Names = &[|value| LENGTHS[value].to_string()];
const MORE_NODES: Names = &[|value| grouped(COUNTS[value].into())];

fn piece(value: usize) -> String {
    Piece::ALL[value].to_string()
}

fn file(value: usize) -> String {
    File::ALL[value].letter().to_string()
}

fn rank(value: usize) -> String {
    Rank::ALL[value].digit().to_string()
}

/// What a move is. The rows are looked up for legal moves and, when moves are compared, for illegal ones too.
pub(super) static MOVES: &[MoveRow] = &[
    row!("a {} move", MOVERS, |m| movers(m)),
    row!("a quiet {} move", MOVERS, |m| movers(m), if m.is_quiet()),
    row!("a capture by a {}", MOVERS, |m| movers(m), if m.captured.is_some()),
    row!("a capture", |m| m.captured.is_some()),
    row!("a capture of a {}", PIECES, |m| pieces(m.captured.filter(|_| !is(m, MoveKind::EnPassant)))),
    row!("an en passant capture", |m| is(m, MoveKind::EnPassant)),
    row!("a double step", |m| is(m, MoveKind::DoublePush)),
    row!("a double step past an enemy pawn", |m| m.sets_en_passant()),
    row!("castling", |m| m.is_castling()),
    row!("castling {}", WINGS, |m| wing(m.from, m.to), if m.is_castling()),
    row!("castling right after a double step", |m| m.is_castling() && m.node.passed.is_some()),
    row!("a move of another kind to the square that a pawn has just passed", |m| {
        m.node.passed == Some(m.to) && !is(m, MoveKind::EnPassant)
    }),
    row!("a move of another piece as a king castles", |m| m.is_like_castling()),
    row!("a promotion", |m| m.promotion().is_some()),
    row!("a promotion to a piece other than a queen", |m| {
        m.promotion().is_some_and(|piece| piece != Piece::Queen)
    }),
    row!("a promotion to a {}", PIECES, |m| pieces(m.promotion())),
    row!("a promotion with a capture", |m| m.promotion().is_some() && m.captured.is_some()),
    row!("a promotion without a capture", |m| m.promotion().is_some() && m.captured.is_none()),
    row!("a capture of a rook that may castle", |m| m.captured_right() != 0),
    row!("a capture of a rook that may castle {}", WINGS, |m| m.captured_right()),
    row!("a promotion that captures a rook that may castle", |m| {
        m.promotion().is_some() && m.captured_right() != 0
    }),
    row!("a king move that ends a right to castle", |m| {
        m.piece == Piece::King && !m.is_castling() && m.node.rights().any()
    }),
    row!("a rook move that ends a right to castle", |m| m.node.rights().contains(m.from)),
    row!("a move that gives check", |m| m.checks.any()),
    row!("a {} move that gives check", MOVERS, |m| movers(m), if m.checks.any()),
    row!("a discovered check", |m| (m.checks & !Bitboard::from(m.to)).any()),
    row!("a promotion that gives check", |m| m.promotion().is_some() && m.checks.any()),
    row!("a king that only an enemy {} shields from a slider", PIECES, |m| m.shields),
    row!("a move that mates", |m| m.is_mate),
    row!("a move that stalemates", |m| m.is_stalemate),
    row!("a move out of check by a {}", MOVERS, |m| movers(m), if m.node.checkers.any()),
    row!("a capture of the checking piece", |m| m.node.checkers.contains(captured_on(m.played))),
    row!("a {} move that captures the checking piece", MOVERS,
        |m| movers(m), if m.node.checkers.contains(captured_on(m.played))),
    row!("a {} move that blocks a check", MOVERS, |m| movers(m), if m.blocks()),
    row!("a move of a pinned {}", MOVERS, |m| movers(m), if m.node.pinned.contains(m.from)),
    row!("another move where an en passant capture is possible", |m| {
        !is(m, MoveKind::EnPassant) && m.node.captors.any()
    }),
    row!("a {} move from the {}-file", MOVERS_ON_FILES, |m| with(movers(m), m.from.file().index())),
    row!("a {} move to the {}-file", MOVERS_ON_FILES, |m| with(movers(m), m.to.file().index())),
    row!("a {} move from rank {}", MOVERS_ON_RANKS, |m| with(movers(m), m.from.rank().index())),
    row!("a {} move to rank {}", MOVERS_ON_RANKS, |m| with(movers(m), m.to.rank().index())),
    row!("a {} move {}", MOVERS_BY_WAY, |m| with(movers(m), way(m.from, m.to))),
    row!("a {} move of {} squares", MOVERS_BY_DISTANCE, |m| with(movers(m), distance(m.from, m.to) as usize)),
    row!("a {} capture from {} squares away", MOVERS_BY_DISTANCE,
        |m| with(movers(m), distance(m.from, m.to) as usize), if m.captured.is_some()),
    row!("a {} capture {}", MOVERS_BY_WAY, |m| with(movers(m), way(m.from, m.to)), if m.captured.is_some()),
];

/// The number of the last rows of [`MOVES`], which are about places on the board.
pub(super) const PLACES: usize = 8;

/// The squares of a move. In the tree of a question, nearly all squares occur, so these rows are of moves only.
pub(super) static SQUARES: &[MoveRow] = &[
    row!("a move from {}", SQUARE, |m| Bitboard::from(m.from).bits()),
    row!("a move to {}", SQUARE, |m| Bitboard::from(m.to).bits()),
];

/// Why a move that looks legal is not.
pub(super) static ILLEGAL: &[MoveRow] = &[
    row!("a king left to an attack by a {}", PIECES, |m| kinds(&m.node.position, m.attackers)),
    row!("a king left to an attack along a {}", LINES, |m| m.attacker_lines()),
    row!("a king left to a {} that attacks from {}", MOVERS_FROM_WAY, |m| m.attacking_ways()),
    row!("a king left to a slider {} squares away", DISTANCES, |m| {
        of_each(m.sliders(), |at| 1 << distance(m.king, at))
    }),
    row!("a king left to an attack from the {}-file", FILES, |m| {
        of_each(m.attackers, |at| 1 << at.file().index())
    }),
    row!("a king left to an attack on the {}-file", FILES, |m| 1 << m.king.file().index()),
    row!("a king left to an attack on rank {}", RANKS, |m| 1 << m.king.rank().index()),
    row!("a king left to an attack on {}", SQUARE, |m| Bitboard::from(m.king).bits()),
    row!("a king left to an attack from {}", SQUARE, |m| m.attackers.bits()),
    row!("an illegal {} move", MOVERS, |m| movers(m)),
    row!("a king step to an attacked square", |m| m.is_step()),
    row!("a king step to a square that a {} attacks", PIECES,
        |m| kinds(&m.node.position, m.attackers), if m.is_step()),
    row!("a king step back along the line of a slider", |m| m.is_back_on_line()),
    row!("a king step back along a {}", LINES, |m| m.attacker_lines(), if m.is_back_on_line()),
    row!("a king capture of a protected piece", |m| m.is_step() && m.captured.is_some()),
    row!("a king capture of a protected {}", PIECES, |m| pieces(m.captured), if m.is_step()),
    row!("an illegal castling", |m| m.is_castling()),
    row!("an illegal castling {}", WINGS, |m| wing(m.from, m.to), if m.is_castling()),
    row!("castling without a right", |m| m.lacks_right()),
    row!("castling without a right, but with one on the other side of the board", |m| {
        m.lacks_right() && m.node.rights().any()
    }),
    row!("castling over a piece", |m| m.is_blocked_castling() && !m.lacks_right()),
    row!("castling out of check", |m| m.is_unsafe_castling() && m.node.checkers.any()),
    row!("castling through or into check", |m| m.is_unsafe_castling() && m.node.checkers.is_empty()),
    row!("a double step over a piece", |m| m.is_double_step(true)),
    row!("a double step from another rank than the second", |m| m.is_double_step(false)),
    row!("a move that does not answer a check", |m| m.leaves_check()),
    row!("a {} move that does not answer a check", MOVERS, |m| movers(m), if m.leaves_check()),
    row!("a move that does not answer a double check", |m| m.leaves_check() && m.node.checkers.has_many()),
    row!("a check by a {} that is not answered", PIECES,
        |m| kinds(&m.node.position, m.node.checkers), if m.leaves_check()),
    row!("a pinned piece that leaves its line", |m| m.leaves_pin()),
    row!("a pinned {} that leaves its line", PIECES, |m| pieces(Some(m.piece)), if m.leaves_pin()),
    row!("a pin along a {} that is left", LINES, |m| m.attacker_lines(), if m.leaves_pin()),
    row!("an illegal en passant capture", |m| is(m, MoveKind::EnPassant)),
    row!("an illegal en passant capture that leaves a king to an attack along a {}", LINES,
        |m| m.attacker_lines(), if is(m, MoveKind::EnPassant)),
];

/// The numbers of moves at which lists may end.
const LENGTHS: &[u64] = &[30, 32, 40, 48, 50, 60, 64, 80, 100, 127, 128, 200, 218];

/// The counts at which counters may overflow.
const COUNTS: &[u64] = &[255, 32_767, 65_535, 2_147_483_647, 4_294_967_295];

/// What is true of a position.
pub(super) static NODES: &[NodeRow] = &[
    row!("a king in check", |n| n.checkers.any()),
    row!("a king in check by a {}", PIECES, |n| kinds(&n.position, n.checkers)),
    row!("a king in check along a {}", LINES, |n| lines(n.king, n.checkers)),
    row!("a king in check from {}", WAYS, |n| ways(n.king, n.checkers & n.sliders())),
    row!("a king in double check", |n| n.checkers.has_many()),
    row!("a pin", |n| n.pinned.any()),
    row!("a pin, and a second pin or a check", |n| n.pinned.has_many() || n.pinned.any() && n.checkers.any()),
    row!("a pinned {}", PIECES, |n| kinds(&n.position, n.pinned)),
    row!("a pin along a {}", LINES, |n| lines(n.king, n.pinned)),
    row!("a pin from {}", WAYS, |n| ways(n.king, n.pinned)),
    row!("an en passant square", |n| n.position.en_passant().is_some()),
    row!("an en passant capture, legal or not", |n| n.captors.any()),
    row!("an en passant square with an illegal capture", |n| {
        n.captors.any() && n.position.legal_en_passant().is_none()
    }),
    row!("two pawns that can capture en passant", |n| n.captors.has_many()),
    row!("a right to castle", |n| n.rights().any()),
    row!("a right to castle {}", WINGS, |n| wings(n.king, n.rights())),
    row!("a right to castle {} and no other", WINGS,
        |n| wings(n.king, n.rights()), if !n.position.castling().all_rooks().has_many()),
    row!("all four rights to castle", |n| n.position.castling().all_rooks().count() == 4),
    row!("a right to castle that cannot be used", |n| n.rights().any() && !n.castles),
    row!("more than {} moves", MORE_MOVES, |n| above(LENGTHS, n.legal.len() as u64)),
    row!("more than {} moves, legal or not", MORE_MOVES, |n| {
        above(LENGTHS, (n.legal.len() + n.illegal.len()) as u64)
    }),
    row!("a position without a legal move", |n| n.legal.is_empty()),
    row!("a checkmate", |n| n.legal.is_empty() && n.checkers.any()),
    row!("a stalemate", |n| n.legal.is_empty() && n.checkers.is_empty()),
    row!("no {}", PIECES, |n| n.numbers(|number| number == 0)),
    row!("two or more of the piece {}", PIECES, |n| n.numbers(|number| number > 1)),
];

/// The number of the row of depths among those of questions.
pub(super) const DEPTH: usize = 4;

/// What is true of a question, beside what happens in its tree.
pub(super) static QUESTIONS: &[QuestionRow] = &[
    row!("moves that are played first", |q| !q.path.moves.is_empty()),
    row!("an en passant square in the FEN that no pawn attacks", |q| q.path.unusable.is_some()),
    row!("castling rights of Chess960", |q| q.path.notation() == CastlingNotation::Chess960),
    row!("a halfmove clock of {} or more", CLOCKS, |q| {
        above(&[0, 49, 97, 99], q.path.clocks.halfmove.into())
    }),
    row!("a depth above {}", DEPTHS, |q| above(&[1, 2, 3, 4, 5], q.depth.into())),
    row!("a count above {}", MORE_NODES, |q| above(COUNTS, q.nodes.try_into().unwrap_or(u64::MAX))),
    row!("{} to move", COLORS, |q| 1 << (q.path.end.turn() as u32)),
    row!("the position of the question before it", |q| {
        q.before.is_some_and(|before| before.end == q.path.end)
    }),
    row!("a position that differs from one of the question before it only in {}", PARTS, |q| {
        q.before.map_or(0, |before| other_parts(&before.end, &q.path.end))
    }),
    row!("no question before it", |q| q.before.is_none()),
];

pub(super) fn fill(text: &str, names: Names, value: usize) -> String {
    match names {
        [] => text.to_owned(),
        [name] => text.replacen("{}", &name(value), 1),
        [.., second] => text.replacen("{}", &names[0](value / 8), 1).replacen("{}", &second(value % 8), 1),
    }
}

/// The names of the lines, as values.
const LINE_NAMES: [&str; 4] = ["file", "rank", "diagonal from a1 to h8", "diagonal from a8 to h1"];

/// The ways of a move over the board, as values.
const WAY_NAMES: [&str; 8] = [
    "up the board",
    "down the board",
    "to the right",
    "to the left",
    "up and right",
    "up and left",
    "down and right",
    "down and left",
];

/// The sides of a king, in the order of [`WAY_NAMES`].
const WAYS_FROM: [&str; 8] = [
    "above",
    "below",
    "the right",
    "the left",
    "above on the right",
    "above on the left",
    "below on the right",
    "below on the left",
];

fn mover(value: usize) -> String {
    let sliders = ["bishop or diagonal queen", "rook or straight queen"];
    Piece::ALL.get(value).map_or_else(|| sliders[value - Piece::ALL.len()].to_owned(), ToString::to_string)
}

fn movers(made: &MoveFacts) -> u64 {
    let piece = pieces(Some(made.piece));
    match made.played.kind() {
        MoveKind::Diagonal => piece | 1 << 6,
        MoveKind::Orthogonal => piece | 1 << 7,
        _ => piece,
    }
}

fn is(made: &MoveFacts, kind: MoveKind) -> bool {
    made.played.kind() == kind
}

/// The parts of a position, as values.
const PART_NAMES: [&str; 9] = [
    "the side to move",
    "castling rights",
    "the en passant square",
    "the piece on one square",
    "White's right to castle king-side",
    "White's right to castle queen-side",
    "Black's right to castle king-side",
    "Black's right to castle queen-side",
    "the side that has a right to castle",
];

/// Returns the parts in which a position, or one after a move, differs from one of another question, if it differs in
/// nothing else.
fn other_parts(one: &Position, other: &Position) -> u64 {
    let below = |position: &Position| -> Vec<Position> {
        let after = position.legal_moves().into_iter().map(|played| position.play_legal(played));
        after.chain([*position]).collect()
    };
    let others = below(other);
    below(one)
        .iter()
        .flat_map(|one| others.iter().map(|other| other_part(one, other)))
        .fold(0, |all, part| all | part)
}

/// Returns the part in which two positions differ, if there is only one.
fn other_part(one: &Position, other: &Position) -> u64 {
    if one.occupied() != other.occupied() {
        return 0;
    }
    let squares = one.occupied().into_iter().filter(|&at| one.piece_at(at) != other.piece_at(at)).count();
    let differs = [
        one.turn() != other.turn(),
        one.castling() != other.castling(),
        one.en_passant() != other.en_passant(),
        squares == 1,
    ];
    let bits: u64 = (0..).zip(differs).map(|(place, differs)| u64::from(differs) << place).sum();
    if squares > 1 || !bits.is_power_of_two() {
        return 0;
    }
    let rights = Color::ALL.map(|color| {
        let rooks = |position: &Position| wings(position.king(color), position.castling().rooks(color));
        rooks(one) ^ rooks(other)
    });
    let right = rights[0] | rights[1] << 2;
    let one_right = if right.is_power_of_two() { right << 4 } else { 0 };
    bits | one_right | u64::from([0b0101, 0b1010].contains(&right)) << 8
}

fn above(limits: &[u64], number: u64) -> u64 {
    (0..).zip(limits).filter(|(_, limit)| number > **limit).map(|(place, _)| 1 << place).sum::<u64>()
}
