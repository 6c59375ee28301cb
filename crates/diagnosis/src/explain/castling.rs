//! Castling: what is meant by a text, and which of its conditions fails.

use super::board::Board;
use super::scene::{Asked, Scene};
use super::{Reason, Theme, words};
use perft_core::internals::attacks::between;
use perft_core::{Bitboard, CastlingSide, File, Piece, Square};

const ILLEGAL: &str = "is illegal";

/// A king's move that can only be meant as castling.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attempt {
    /// With a rook that has the right.
    With(Square),
    /// On this castling_side, where no rook has it. The rook is known if the king was to take it.
    WithoutRight(CastlingSide, Option<Square>),
}

impl Attempt {
    /// Castling as king takes rook, or as the king's own step to where it castles, if no plain step goes there.
    pub fn of(scene: &Scene) -> Option<Attempt> {
        let Asked { from, to, .. } = scene.asked;
        let us = scene.us();
        let home = us.back_rank();
        if scene.man.piece != Piece::King || from.rank() != home || to.rank() != home {
            return None;
        }
        if scene.position.castling().rooks(us).contains(to) {
            return Some(Attempt::With(to));
        }
        let is_step = from.file().index().abs_diff(to.file().index()) == 1;
        let mut castling_sides = scene.position.castling_sides(us);
        if let Some((_, rook)) =
            castling_sides.find(|(castling_side, _)| !is_step && castling_side.king_target(us) == to)
        {
            return Some(Attempt::With(rook));
        }
        if scene.board.has_piece(us, Piece::Rook, to) {
            return Some(Attempt::WithoutRight(CastlingSide::of(from, to), Some(to)));
        }
        let castling_side = [CastlingSide::King, CastlingSide::Queen]
            .into_iter()
            .find(|castling_side| castling_side.king_target(us) == to)?;
        (!is_step && from != to).then_some(Attempt::WithoutRight(castling_side, None))
    }

    /// The condition that fails; `None` if the king may castle.
    pub fn fault(self, scene: &Scene) -> Option<Reason> {
        let (theme, because) = match self {
            Attempt::WithoutRight(castling_side, rook) => {
                (Theme::CastlingRight, no_right(scene, castling_side, rook))
            }
            Attempt::With(rook) => Castling::of(scene, rook).fault(scene)?,
        };
        Some(Reason::new(theme, ILLEGAL, because))
    }
}

/// Why there is no right. Only in standard chess is it known where king and rook have their homes.
fn no_right(scene: &Scene, castling_side: CastlingSide, rook: Option<Square>) -> String {
    let us = scene.us();
    let side = words::side(us);
    let corner = match castling_side {
        CastlingSide::King => Square::new(File::H, us.back_rank()),
        CastlingSide::Queen => Square::new(File::A, us.back_rank()),
    };
    let is_at_home = scene.king.file() == File::E;
    match rook {
        Some(rook) if !is_at_home || rook != corner => {
            format!("the rook on {rook} is {side}'s own, and has no right to castle")
        }
        _ if !is_at_home => format!("{side} has no right to castle {}", words::castling_side(castling_side)),
        _ if scene.board.has_piece(us, Piece::Rook, corner) => {
            format!("{side}'s {} right is gone", words::castling_side(castling_side))
        }
        _ => format!("{side} has no rook on {corner} to castle with"),
    }
}

/// A king and a rook that has the right, and where they go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castling {
    pub castling_side: CastlingSide,
    king: [Square; 2],
    rook: [Square; 2],
}

impl Castling {
    /// Castling with this rook.
    pub fn of(scene: &Scene, rook: Square) -> Castling {
        let castling_side = CastlingSide::of(scene.king, rook);
        let us = scene.us();
        Castling {
            castling_side,
            king: [scene.king, castling_side.king_target(us)],
            rook: [rook, castling_side.rook_target(us)],
        }
    }

    fn fault(self, scene: &Scene) -> Option<(Theme, String)> {
        let them = !scene.us();
        let without_king = scene.board.without(scene.king);
        let attackers = |square| without_king.attackers(square, them);
        let [from, to] = self.king;
        if scene.checkers.any() {
            let because =
                format!("the king on {from} is in check by {}", words::men(&scene.board, scene.checkers));
            return Some((Theme::CastlingInCheck, because));
        }
        if let Some(man) = (self.way() & scene.board.occupied()).first() {
            let because = format!("{} stands {}", words::man(&scene.board, man), self.place());
            return Some((Theme::CastlingBlocked, because));
        }
        if let Some(passed) = between(from, to).into_iter().find(|&square| attackers(square).any()) {
            return Some((Theme::CastlingThroughCheck, attacked(scene, "passes", passed, attackers(passed))));
        }
        if attackers(to).any() {
            return Some((Theme::CastlingIntoCheck, attacked(scene, "comes to", to, attackers(to))));
        }
        let slider = self.after(&scene.board).attackers(to, them).first()?;
        let because = format!(
            "the rook on {} leaves, and {} then attacks the king on {to}",
            self.rook[0],
            words::man(&scene.board, slider)
        );
        Some((Theme::CastlingUncovers, because))
    }

    /// Why the king may castle.
    pub fn merit(self) -> String {
        let [from, to] = self.king;
        let mut safe: Vec<String> =
            between(from, to).with(from).with(to).into_iter().map(|square| square.to_string()).collect();
        if to < from {
            safe.reverse();
        }
        let safe = match safe.as_slice() {
            [one] => format!("{one} is not attacked"),
            [one, other] => format!("neither {one} nor {other} is attacked"),
            all => format!("none of {} is attacked", words::joined(all.to_vec())),
        };
        format!("nothing stands {}, and {safe}", self.place())
    }

    /// The squares that king and rook cross or enter, without their own.
    fn way(self) -> Bitboard {
        let path = |[from, to]: [Square; 2]| between(from, to).with(to);
        (path(self.king) | path(self.rook)) & !(Bitboard::from(self.king[0]).with(self.rook[0]))
    }

    /// Where nothing may stand: in standard chess that is between king and rook, in Chess960 it may be beyond.
    fn place(self) -> &'static str {
        let is_between = (self.way() & !between(self.king[0], self.rook[0])).is_empty();
        if is_between { "between king and rook" } else { "in the way of king or rook" }
    }

    fn after(self, board: &Board) -> Board {
        board.castled(self.king, self.rook)
    }
}

/// `the king passes d1, which the bishop on g4 attacks`.
fn attacked(scene: &Scene, verb: &str, square: Square, attackers: Bitboard) -> String {
    let (men, attack) = (words::men(&scene.board, attackers), words::attack(attackers));
    format!("the king {verb} {square}, which {men} {attack}")
}
