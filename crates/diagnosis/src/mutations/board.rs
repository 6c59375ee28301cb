//! The board of the plain generator with the attacks on a square, and the rules that it follows: the active mutation,
//! and the mutations that could have changed something in its place.

use std::cell::RefCell;
use std::sync::LazyLock;

use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::sliders::ray;
use perft_core::internals::{Direction, const_table};
use perft_core::{
    Bitboard, CastlingRights, Color, ColoredPiece, LeafStatistics, Move, MoveKind, Piece, Position, Rank,
    Square,
};

use super::catalogue::{Mutation, MutationSet};
use super::rules::{Break, Facts, Rule};
use crate::random::setup_of;

/// The number of words of a packed board.
pub(super) const PACKED_WORDS: usize = 6;

/// A position, which bugs may have made illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    // These are compared first: most boards differ in them.
    colors: [Bitboard; 2],
    pieces: [Bitboard; 6],
    squares: [Option<ColoredPiece>; 64],
    /// The squares from which the kings may castle.
    pub homes: [Square; 2],
    pub turn: Color,
    pub castling: CastlingRights,
    pub en_passant: Option<Square>,
}

impl Board {
    pub fn new(position: &Position) -> Board {
        let setup = setup_of(position);
        let mut board = Board {
            squares: [None; 64],
            colors: [Bitboard::EMPTY; 2],
            pieces: [Bitboard::EMPTY; 6],
            homes: Color::ALL.map(|color| position.king(color)),
            turn: setup.turn,
            castling: setup.castling,
            en_passant: setup.en_passant,
        };
        Square::ALL.into_iter().for_each(|square| board.put(square, setup.board[square.index()]));
        board
    }

    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    pub fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    fn pieces_of(&self, color: Color, piece: Piece) -> Bitboard {
        self.colors[color.index()] & self.pieces[piece as usize]
    }

    pub fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.squares[square.index()]
    }

    pub fn has(&self, square: Square, color: Color, piece: Piece) -> bool {
        self.at(square) == Some(ColoredPiece { color, piece })
    }

    /// Puts a piece on a square, or empties it.
    pub fn put(&mut self, square: Square, piece: Option<ColoredPiece>) {
        if let Some(ColoredPiece { color, piece }) = self.at(square) {
            self.colors[color.index()] &= !Bitboard::from(square);
            self.pieces[piece as usize] &= !Bitboard::from(square);
        }
        if let Some(ColoredPiece { color, piece }) = piece {
            self.colors[color.index()] |= square.into();
            self.pieces[piece as usize] |= square.into();
        }
        self.squares[square.index()] = piece;
    }

    pub fn without(mut self, square: Square) -> Board {
        self.put(square, None);
        self
    }

    /// Returns the square of a king. It is missing if a bug allowed its capture.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces_of(color, Piece::King).first()
    }

    /// Returns the board after the piece of a move has moved. This is enough to see which lines are open. Castling
    /// rights, the rook of a castling move and promotions are not handled.
    pub fn with_piece_moved(&self, played: Move) -> Board {
        let mut after = self.without(played.from());
        after.put(played.to(), self.at(played.from()));
        if played.kind() == MoveKind::EnPassant {
            after.put(self.captured_en_passant(played), None);
        }
        after
    }

    /// Adds a move as a leaf node, without checks and mates.
    pub fn add_leaf(&self, played: Move, leaves: &mut LeafStatistics) {
        let (kind, is_en_passant) = (played.kind(), played.kind() == MoveKind::EnPassant);
        let is_capture = is_en_passant || self.at(played.to()).is_some_and(|piece| piece.color != self.turn);
        leaves.nodes += 1;
        leaves.captures += u128::from(is_capture);
        leaves.en_passant += u128::from(is_en_passant);
        leaves.castles += u128::from(kind == MoveKind::Castling);
        leaves.promotions += u128::from(kind.promotion().is_some());
    }

    pub fn captured_en_passant(&self, played: Move) -> Square {
        (!self.turn).forward().step(played.to()).expect("the en passant square is not on the last rank")
    }

    /// Returns the sliders of a colour whose lines lead to a square, whether there are pieces between or not.
    fn sliders_towards(&self, target: Square, by: Color) -> Bitboard {
        let [bishops, rooks, queens] =
            [Piece::Bishop, Piece::Rook, Piece::Queen].map(|piece| self.pieces_of(by, piece));
        orthogonal_rays(target) & (rooks | queens) | diagonal_rays(target) & (bishops | queens)
    }

    /// Returns the pieces of a colour that attack a square by the rules of chess.
    pub fn right_attackers(&self, target: Square, by: Color) -> Bitboard {
        self.attackers(target, by, &mut Rules::new(None))
    }

    pub(super) fn attackers(&self, target: Square, by: Color, rules: &mut Rules) -> Bitboard {
        let mut attackers =
            self.pawn_attackers(target, by, rules) | knight(target) & self.pieces_of(by, Piece::Knight);
        for square in self.sliders_towards(target, by) {
            let is_open = (between(square, target) & self.occupied()).is_empty();
            if is_open && self.is_in_reach(square, target, rules) {
                attackers |= square.into();
            }
        }
        let shielded = self.shielded_attackers(target, by);
        if shielded.any() && rules.is_broken(Rule::AttackThroughPawn, Facts::side(by)) {
            attackers |= shielded;
        }
        for square in attackers {
            let facts = Facts::side(by) | Facts::line(square, target);
            let facts = facts | self.attacking_pieces(square.into());
            if rules.is_broken(Rule::AttackUnseen, facts) {
                attackers &= !Bitboard::from(square);
            }
        }
        attackers |= king(target) & self.pieces_of(by, Piece::King);
        for piece in [Piece::Knight, Piece::King] {
            let (wrapped, rule) = wrapped(piece, target);
            let around = wrapped & self.pieces_of(by, piece);
            if around.any() && rules.is_broken(rule, Facts::side(by)) {
                attackers |= around;
            }
        }
        attackers
    }

    /// Returns the sliders that would attack a square if a pawn of their colour right beside the square were gone.
    pub(super) fn shielded_attackers(&self, target: Square, by: Color) -> Bitboard {
        let shields = king(target) & self.pieces_of(by, Piece::Pawn);
        if shields.is_empty() {
            return Bitboard::EMPTY;
        }
        let is_shielded = |slider: &Square| {
            let between = between(*slider, target) & self.occupied();
            between.any() && !between.has_many() && (between & shields).any()
        };
        self.sliders_towards(target, by).into_iter().filter(is_shielded).collect()
    }

    /// Returns the pawns of a colour that can step to a square, and those that attack it.
    pub(super) fn pawns_towards(&self, target: Square, by: Color) -> [Bitboard; 2] {
        let pawns = self.pieces_of(by, Piece::Pawn);
        let back = (!by).forward().step(target);
        let behind = back.filter(|one| by.rank(target.rank()) == Rank::Fourth && self.at(*one).is_none());
        let twice = behind.and_then(|one| (!by).forward().step(one));
        let stepping = back.into_iter().chain(twice).collect::<Bitboard>() & pawns;
        [stepping, pawn(!by, target) & pawns]
    }

    pub(super) fn attacking_pieces(&self, squares: Bitboard) -> Facts {
        let attacker =
            |square| self.at(square).map_or(Facts::NONE, |found| Facts::ByPawn.after(found.piece as usize));
        Facts::of_each(squares, attacker)
    }

    /// Whether a slider attacks a square on its open line. A bug may hide the last square of the line.
    fn is_in_reach(&self, from: Square, target: Square, rules: &mut Rules) -> bool {
        let short = short_slides(from, target);
        let Some(slider) = self.at(from).filter(|_| !short.is_empty()) else { return true };
        let facts = Facts::side(slider.color) | Facts::mover(slider.piece) | Facts::Attacks;
        !rules.is_any_broken(short, facts)
    }

    fn pawn_attackers(&self, target: Square, by: Color, rules: &mut Rules) -> Bitboard {
        // A pawn attacks the square if a pawn of the other colour on the square would attack the pawn.
        let attackers_of = |color| pawn(color, target) & self.pieces_of(by, Piece::Pawn);
        let (real, reversed) = (attackers_of(!by), attackers_of(by));
        let differs = real.any() || reversed.any();
        if differs && rules.is_broken(Rule::PawnAttackReversed, Facts::side(by)) { reversed } else { real }
    }

    /// Returns the own pieces that are the only piece between their king and an enemy slider.
    pub fn pinned(&self, king: Square) -> Bitboard {
        let mut pinned = Bitboard::EMPTY;
        for pinner in self.sliders_towards(king, !self.turn) {
            let shields = between(king, pinner) & self.occupied();
            if shields.any() && !shields.has_many() {
                pinned |= shields & self.of_color(self.turn);
            }
        }
        pinned
    }

    /// Returns the squares to which a piece of the side to move can go. Those of a knight or king include the squares
    /// of own pieces. Pawns are handled separately.
    pub(super) fn reach(&self, piece: Piece, from: Square, rules: &mut Rules) -> Bitboard {
        match piece {
            Piece::Knight | Piece::King => {
                let targets = leaps(piece, from);
                let (wrapped, rule) = wrapped(piece, from);
                let adds = wrapped.any() && rules.is_broken(rule, Facts::side(self.turn));
                if adds { targets | wrapped } else { targets }
            }
            _ => {
                let directions: &[Direction] = match piece {
                    Piece::Bishop => &Direction::DIAGONAL,
                    Piece::Rook => &Direction::ORTHOGONAL,
                    _ => &Direction::ALL,
                };
                let lines = directions.iter().map(|&way| self.line(piece, from, way, rules));
                lines.fold(Bitboard::EMPTY, |all, line| all | line)
            }
        }
    }

    fn line(&self, piece: Piece, from: Square, direction: Direction, rules: &mut Rules) -> Bitboard {
        let reached = open_line(from, direction, self.occupied()) & !self.of_color(self.turn);
        let last = if direction.offset() > 0 { last(reached) } else { reached.first() };
        let Some(last) = last else { return reached };
        let facts = Facts::side(self.turn) | Facts::mover(piece) | Facts::Moves;
        let is_short = rules.is_broken(Rule::LastSquareMissing, facts)
            || rules.is_any_broken(short_slides(from, last), facts);
        if is_short { reached & !Bitboard::from(last) } else { reached }
    }

    /// Returns the board in 48 bytes. Boards of one tree are equal if and only if their packed forms are equal.
    pub fn packed(&self) -> [u64; PACKED_WORDS] {
        let [pawns, knights, bishops, rooks, queens, kings] = self.pieces.map(Bitboard::bits);
        let en_passant = self.en_passant.map_or(64, |square| square.index() as u64);
        [
            pawns | bishops | queens,
            knights | bishops | kings,
            rooks | queens | kings,
            self.colors[1].bits(),
            self.castling.all_rooks().bits(),
            en_passant * 2 + self.turn.index() as u64,
        ]
    }
}

/// The squares in each direction of each square.
static RAYS: [[Bitboard; 64]; 8] = const_table!([[Bitboard::EMPTY; 64]; 8], direction => {
    const_table!([Bitboard::EMPTY; 64], square => {
        ray(Square::ALL[square], Direction::ALL[direction], Bitboard::EMPTY)
    })
});

/// Returns the squares in a direction up to the first occupied one, which is included.
fn open_line(from: Square, direction: Direction, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[direction as usize];
    let line = rays[from.index()];
    let pieces = line & occupied;
    // The index grows or falls along the whole line.
    let first = if direction.offset() > 0 { pieces.first() } else { last(pieces) };
    first.map_or(line, |first| line & !rays[first.index()])
}

fn last(squares: Bitboard) -> Option<Square> {
    squares.bits().checked_ilog2().and_then(|index| Square::from_index(index as usize))
}

fn leaps(piece: Piece, from: Square) -> Bitboard {
    if piece == Piece::Knight { knight(from) } else { king(from) }
}

/// Returns the squares to which a knight or a king can go only around the edge of the board, and the rule that forbids
/// it.
fn wrapped(piece: Piece, from: Square) -> (Bitboard, Rule) {
    /// The numbers that the steps of a knight and of a king add to the index of a square.
    const OFFSETS: [(Piece, [i8; 8]); 2] =
        [(Piece::Knight, [17, 15, 10, 6, -6, -10, -15, -17]), (Piece::King, [1, -1, 7, -7, 8, -8, 9, -9])];
    static WRAPPED: LazyLock<[[Bitboard; 64]; 2]> = LazyLock::new(|| {
        OFFSETS.map(|(piece, offsets)| {
            Square::ALL.map(|from| {
                let squares = offsets.iter().filter_map(|&offset| offset_square(from, offset));
                squares.collect::<Bitboard>() & !leaps(piece, from)
            })
        })
    });
    let index = usize::from(piece == Piece::King);
    (WRAPPED[index][from.index()], [Rule::KnightWraps, Rule::KingWraps][index])
}

pub(super) fn offset_square(from: Square, offset: i8) -> Option<Square> {
    usize::try_from(from.index() as i8 + offset).ok().and_then(Square::from_index)
}

/// Returns the rules that make a slide between two squares one square too short.
fn short_slides(from: Square, to: Square) -> &'static [Rule] {
    let files = to.file().index() as i8 - from.file().index() as i8;
    let ranks = to.rank().index() as i8 - from.rank().index() as i8;
    let is_last = |index: usize, way: i8| !(0..8).contains(&(index as i8 + way.signum()));
    let is_edge = is_last(to.file().index(), files) || is_last(to.rank().index(), ranks);
    match is_edge {
        _ if files.abs().max(ranks.abs()) == 7 => &[Rule::LongestSlideMissing, Rule::EdgeMissing],
        true => &[Rule::EdgeMissing],
        false => &[],
    }
}

/// The mutations that break a rule.
#[derive(Default)]
struct Breaking {
    /// The attributes that distinguish these mutations.
    distinguishing: Facts,
    mutations: Vec<(Mutation, Facts)>,
}

static BY_RULE: LazyLock<Vec<Breaking>> = LazyLock::new(|| {
    let mut by_rule: Vec<Breaking> = Vec::new();
    for &mutation in Mutation::ALL {
        for &Break { rule, accepted } in mutation.breaks() {
            let rules = by_rule.len().max(rule as usize + 1);
            by_rule.resize_with(rules, Breaking::default);
            let breaking = &mut by_rule[rule as usize];
            breaking.distinguishing = breaking.distinguishing | accepted.restricted();
            breaking.mutations.push((mutation, accepted));
        }
    }
    by_rule
});

/// The size of the cache of a thread. There are about 500 different questions, so few share a place.
const KNOWN: usize = 4096;

thread_local! {
    /// A cache for [`breaking`]: at each place, the last key and its mutations.
    static BREAKING: RefCell<Vec<(u64, MutationSet)>> =
        RefCell::new(vec![(u64::MAX, MutationSet::default()); KNOWN]);
}

fn breaking(rule: Rule, facts: Facts) -> MutationSet {
    let all = &BY_RULE[rule as usize];
    let facts = Facts(facts.0 & all.distinguishing.0);
    let key = facts.0 | (rule as u64) << 56;
    BREAKING.with_borrow_mut(|known| {
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
        let known = &mut known[place as usize];
        if known.0 != key {
            let mutations = all.mutations.iter().filter(|(_, accepted)| facts.is_within(*accepted));
            *known = (key, mutations.map(|(mutation, _)| *mutation).collect());
        }
        known.1
    })
}

/// The active mutation, and the mutations that could have changed something.
///
/// The generator reads the mutation only through [`Rules::is_broken`], and only where a broken rule changes its
/// behaviour. So it behaves in exactly the same way with each mutation that is not relevant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The rules that the active mutation breaks.
    broken: &'static [Break],
    /// Whether relevant mutations are recorded.
    records: bool,
    /// The mutations that could have changed something so far if they were active instead.
    pub relevant: MutationSet,
}

impl Rules {
    /// Returns the rules with a mutation, or with none.
    pub fn new(mutation: Option<Mutation>) -> Rules {
        let broken = mutation.map_or(&[][..], Mutation::breaks);
        Rules { broken, records: false, relevant: MutationSet::default() }
    }

    /// Returns the rules with a mutation, or with none. The relevant mutations are recorded.
    pub fn recorded(mutation: Option<Mutation>) -> Rules {
        Rules { records: true, ..Rules::new(mutation) }
    }

    #[inline]
    pub fn is_broken(&mut self, rule: Rule, facts: Facts) -> bool {
        self.is_any_broken(&[rule], facts)
    }

    #[inline]
    pub fn is_any_broken(&mut self, rules: &[Rule], facts: Facts) -> bool {
        let mut is_broken = false;
        for broken in self.broken {
            for &rule in rules {
                is_broken |= rule as u8 == broken.rule as u8 && facts.is_within(broken.accepted);
            }
        }
        if self.records && !rules.is_empty() {
            self.record(rules, facts, is_broken);
        }
        is_broken
    }

    fn record(&mut self, rules: &[Rule], facts: Facts, is_broken: bool) {
        let mut breaking = breaking(rules[0], facts);
        for &rule in &rules[1..] {
            breaking = breaking.union(self::breaking(rule, facts));
        }
        self.relevant = self.relevant.union(if is_broken { breaking.complement() } else { breaking });
    }
}
