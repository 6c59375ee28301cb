//! The facts that the rows of the table look at: of a move, of a move that looks legal and is not, of a position and of
//! a question.

use perft_core::internals::ChecksAndPins;
use perft_core::internals::attacks::{between, diagonal_rays, orthogonal_rays};
use perft_core::internals::sliders::Magic;
use perft_core::internals::{count_moves, with_side};
use perft_core::{Bitboard, CastlingSide, File, Move, MoveKind, MoveList, Piece, Position, Rank, Square};

use super::squares::{captured_on, is_between, kinds, line, lines, of_each, way, wings, with};
use crate::mutations::{MutatedBoard, Mutation};
use crate::source::MovePath;

/// What is true of a position: its moves, and who attacks the king.
pub(super) struct NodeFacts {
    pub position: Position,
    pub legal: MoveList,
    /// The moves that look legal and are not: they leave the king attacked, or they are castling moves and double steps
    /// that lack something else.
    pub illegal: Vec<Move>,
    pub king: Square,
    pub checkers: Bitboard,
    /// The own pieces that are pinned.
    pub pinned: Bitboard,
    /// The pawns that attack the en passant square.
    pub captors: Bitboard,
    /// The square that a double step has just passed. A program may keep it even if no pawn attacks it.
    pub passed: Option<Square>,
    /// Whether castling is legal.
    pub castles: bool,
}

impl NodeFacts {
    pub fn new(position: &Position, passed: Option<Square>) -> NodeFacts {
        let (us, legal) = (position.turn(), position.legal_moves());
        let found = with_side!(us, S => ChecksAndPins::find::<S>(&position.armies_of::<S>(), Magic));
        let castles = legal.iter().any(|played| played.kind() == MoveKind::Castling);
        let mut node = NodeFacts {
            position: *position,
            king: position.king(us),
            checkers: found.checkers,
            pinned: found.pins() & position.army(us).all,
            captors: position.en_passant().map_or(Bitboard::EMPTY, |at| position.en_passant_captors(at)),
            passed,
            castles,
            legal,
            illegal: Vec::new(),
        };
        node.illegal = node.illegal_moves();
        node
    }

    fn illegal_moves(&self) -> Vec<Move> {
        let mut pseudo =
            MutatedBoard::new(&self.position, Mutation::PseudoLegal.into()).legal_moves().to_vec();
        let us = self.position.turn();
        let is_home = self.king == Square::new(File::E, us.back_rank());
        let corners = [File::A, File::H].map(|file| Square::new(file, us.back_rank()));
        let is_rook = |at: &Square| is_home && self.position.pieces(us, Piece::Rook).contains(*at);
        let rooks = self.rights() | corners.into_iter().filter(is_rook).collect();
        pseudo.extend(rooks.into_iter().map(|rook| Move::new(MoveKind::Castling, self.king, rook)));
        for from in self.position.pieces(us, Piece::Pawn) {
            let to = us.forward().step(from).and_then(|one| us.forward().step(one));
            let to = to.filter(|to| to.rank() != (!us).back_rank() && self.position.piece_at(*to).is_none());
            pseudo.extend(to.map(|to| Move::new(MoveKind::DoublePush, from, to)));
        }
        let mut seen = Vec::new();
        pseudo.retain(|played| {
            let is_new = !self.legal.contains(played) && !seen.contains(played);
            seen.push(*played);
            is_new
        });
        pseudo
    }

    /// Whether no piece stands in the way of castling with a rook.
    pub fn is_way_free(&self, rook: Square) -> bool {
        let (side, us) = (CastlingSide::of(self.king, rook), self.position.turn());
        let way = |from: Square, to: Square| between(from, to) | to.into();
        let ways = way(self.king, side.king_target(us)) | way(rook, side.rook_target(us));
        let others = self.position.occupied() & !Bitboard::from(self.king) & !Bitboard::from(rook);
        (ways & others).is_empty()
    }

    /// Returns the own rooks that may castle.
    pub fn rights(&self) -> Bitboard {
        self.position.castling().rooks(self.position.turn())
    }

    /// Returns the sliders of the other side.
    pub fn sliders(&self) -> Bitboard {
        let army = self.position.army(!self.position.turn());
        army.diagonals | army.orthogonals
    }

    /// Returns the kinds of own pieces whose number has a property.
    pub fn numbers(&self, is_meant: fn(u32) -> bool) -> u64 {
        let number = |piece: &Piece| self.position.pieces(self.position.turn(), *piece).count();
        let meant = Piece::ALL.into_iter().filter(|piece| is_meant(number(piece)));
        meant.map(|piece| 1 << (piece as u32)).sum()
    }
}

/// A move of a position: a legal one, or one that looks legal and is not.
pub(super) struct MoveFacts<'a> {
    pub node: &'a NodeFacts,
    pub played: Move,
    pub from: Square,
    pub to: Square,
    pub piece: Piece,
    pub captured: Option<Piece>,
    /// The pieces that give check after it.
    pub checks: Bitboard,
    pub is_mate: bool,
    pub is_stalemate: bool,
    /// The kinds of enemy pieces that alone stand between the king and an enemy slider after it.
    pub shields: u64,
    /// Of an illegal move: the pieces that attack the king after it, or a square that it passes.
    pub attackers: Bitboard,
    /// The square on which the king is attacked. For castling, it is that before the move.
    pub king: Square,
}

impl<'a> MoveFacts<'a> {
    /// Returns a legal move. Whether it ends the game is looked up too.
    pub fn legal(node: &'a NodeFacts, played: Move) -> MoveFacts<'a> {
        let after = node.position.play_legal(played);
        let moves = with_side!(after.turn(), S => count_moves::<S>(&after, Magic));
        let (checks, is_over) = (after.checkers(), moves == 0);
        let (is_mate, is_stalemate) = (is_over && checks.any(), is_over && checks.is_empty());
        let shields = shields(&after);
        MoveFacts { checks, is_mate, is_stalemate, shields, ..MoveFacts::unplayed(node, played) }
    }

    /// Returns a move that looks legal and is not.
    pub fn illegal(node: &'a NodeFacts, played: Move) -> MoveFacts<'a> {
        let made = MoveFacts::unplayed(node, played);
        let us = node.position.turn();
        let taken = Bitboard::from(captured_on(played));
        let attackers = |king: Square, occupied| node.position.attackers(king, !us, occupied, Magic);
        let attackers = if made.is_castling() {
            let target = CastlingSide::of(made.from, made.to).king_target(us);
            let passed = between(node.king, target) | target.into() | node.king.into();
            let without_king = node.position.occupied() ^ node.king.into();
            let passed = passed.into_iter().map(|at| attackers(at, without_king));
            passed.fold(Bitboard::EMPTY, |all, one| all | one)
        } else {
            let left = node.position.occupied() & !taken & !Bitboard::from(made.from);
            attackers(made.king, left.with(made.to)) & !taken
        };
        MoveFacts { attackers, ..made }
    }

    /// Returns a move whose consequences are not looked up.
    fn unplayed(node: &'a NodeFacts, played: Move) -> MoveFacts<'a> {
        let at = |square| node.position.piece_at(square).map(|found| found.piece);
        let is_castling = played.kind() == MoveKind::Castling;
        let mut made = MoveFacts {
            node,
            played,
            from: played.from(),
            to: played.to(),
            piece: at(played.from()).unwrap_or(Piece::King),
            captured: if is_castling { None } else { at(captured_on(played)) },
            checks: Bitboard::EMPTY,
            is_mate: false,
            is_stalemate: false,
            shields: 0,
            attackers: Bitboard::EMPTY,
            king: node.king,
        };
        if made.is_step() {
            made.king = made.to;
        }
        made
    }

    pub fn is_castling(&self) -> bool {
        self.played.kind() == MoveKind::Castling
    }

    /// Whether it is a step of the king.
    pub fn is_step(&self) -> bool {
        self.piece == Piece::King && !self.is_castling()
    }

    /// Whether another piece moves as a castling king does.
    pub fn is_like_castling(&self) -> bool {
        let to = [File::C, File::G].map(|file| Square::new(file, self.from.rank()));
        !self.is_castling() && [Square::E1, Square::E8].contains(&self.from) && to.contains(&self.to)
    }

    pub fn is_quiet(&self) -> bool {
        self.captured.is_none() && self.promotion().is_none() && !self.is_castling()
    }

    pub fn promotion(&self) -> Option<Piece> {
        self.played.kind().promotion()
    }

    /// Returns the wing of the castling right of a captured rook.
    pub fn captured_right(&self) -> u64 {
        let position = &self.node.position;
        let rooks = position.castling().rooks(!position.turn()) & Bitboard::from(self.to);
        wings(position.king(!position.turn()), rooks)
    }

    /// Whether the move is a double step that an enemy pawn stands beside.
    pub fn sets_en_passant(&self) -> bool {
        let beside = |square: &Square| {
            square.rank() == self.to.rank() && square.file().index().abs_diff(self.to.file().index()) == 1
        };
        let them = !self.node.position.turn();
        let mut pawns = self.node.position.pieces(them, Piece::Pawn).into_iter();
        self.played.kind() == MoveKind::DoublePush && pawns.any(|square| beside(&square))
    }

    /// Whether the move of another piece than the king blocks a check.
    pub fn blocks(&self) -> bool {
        let checker = self.node.checkers.first();
        self.piece != Piece::King && checker.is_some_and(|at| is_between(self.to, self.node.king, at))
    }

    /// Whether it is castling and only an attack forbids it.
    pub fn is_unsafe_castling(&self) -> bool {
        self.is_castling() && !self.lacks_right() && !self.is_blocked_castling()
    }

    pub fn lacks_right(&self) -> bool {
        self.is_castling() && !self.node.rights().contains(self.to)
    }

    pub fn is_blocked_castling(&self) -> bool {
        self.is_castling() && !self.node.is_way_free(self.to)
    }

    /// Whether it is a double step over a piece. Otherwise a double step that is not attacked starts on a wrong rank.
    pub fn is_double_step(&self, jumps: bool) -> bool {
        let between = between(self.from, self.to);
        let is_blocked = (between & self.node.position.occupied()).any();
        let is_home = self.node.position.turn().rank(self.from.rank()) == Rank::Second;
        self.played.kind() == MoveKind::DoublePush && if jumps { is_blocked } else { !is_home && !is_blocked }
    }

    /// Returns the lines along which sliders attack the king.
    pub fn attacker_lines(&self) -> u64 {
        lines(self.king, self.sliders())
    }

    /// Returns the pieces that attack the king, each with the way to it. Sliders also count by the way they move.
    pub fn attacking_ways(&self) -> u64 {
        of_each(self.attackers, |at| {
            let slides = self.node.sliders().contains(at);
            let sliders = line(self.king, at).filter(|_| slides).map_or(0, |line| 1 << (7 - line / 2));
            with(kinds(&self.node.position, at.into()) | sliders, way(self.king, at))
        })
    }

    /// Returns the sliders that attack the king.
    pub fn sliders(&self) -> Bitboard {
        self.attackers & self.node.sliders()
    }

    /// Whether the square of a king step is attacked only once the king has left its own square.
    pub fn is_back_on_line(&self) -> bool {
        let position = &self.node.position;
        self.is_step() && position.attackers(self.to, !position.turn(), position.occupied(), Magic).is_empty()
    }

    /// Whether a piece other than the king leaves the king in check.
    pub fn leaves_check(&self) -> bool {
        self.piece != Piece::King && (self.attackers & self.node.checkers).any()
    }

    pub fn leaves_pin(&self) -> bool {
        self.node.pinned.contains(self.from) && (self.attackers & !self.node.checkers).any()
    }
}

/// Returns the kinds of pieces of the side to move that alone stand between the other king and a slider.
fn shields(after: &Position) -> u64 {
    let (us, them) = (!after.turn(), after.turn());
    let (king, army) = (after.king(us), after.army(them));
    let sliders = orthogonal_rays(king) & army.orthogonals | diagonal_rays(king) & army.diagonals;
    let shield = |slider| between(king, slider) & after.occupied();
    let alone = sliders.into_iter().map(shield).filter(|shield| shield.any() && !shield.has_many());
    alone.fold(0, |all, shield| all | kinds(after, shield & army.all))
}

/// A question, and the path of the one before it in the same process.
#[derive(Clone, Copy)]
pub(super) struct QuestionFacts<'a> {
    pub path: &'a MovePath,
    pub depth: u32,
    /// The right count.
    pub nodes: u128,
    pub before: Option<&'a MovePath>,
}
