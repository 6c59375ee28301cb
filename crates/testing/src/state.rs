//! A program that prints its FEN and its key, with any convention and with any of several bugs.
//!
//! Its counts are right, but for a convention. The bugs are in data that no count checks: clocks, keys, and a castling right
//! without its rook.

use std::cell::Cell;

use perft_core::{Color, Move, MoveKind, Piece, Position, START_FEN, Setup, Square, StopSignal};
use perft_diagnosis::Clocks;
use perft_diagnosis::random::Random;
use perft_diagnosis::serve::{DivideTask, UciEngine};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError, State};

/// A bug in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateBug {
    /// After castling, the key still has the rook on its old square.
    StaleKeyAfterCastling,
    /// The key has no en passant file.
    NoEnPassantInKey,
    /// A capture does not reset the halfmove clock, unless a pawn captures.
    CaptureKeepsClock,
    /// A pawn move does not reset the halfmove clock, unless it captures.
    PawnMoveKeepsClock,
    /// The right to castle with a captured rook is kept.
    RookCaptureKeepsRight,
    /// Taking back a capture does not restore the key.
    UnmakeLosesKey,
    /// The key does not depend on the side to move.
    NoTurnInKey,
    /// A promotion leaves a pawn in the key.
    PromotionKeepsPawnKey,
    /// The en passant file stays in the key after the next move.
    EnPassantStaysInKey,
    /// No move changes the side to move in the key.
    MovesKeepTurnInKey,
    /// The halfmove clock of a FEN is not read.
    ClockNotRead,
}

/// The condition under which an en passant square is printed, or is part of the key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnPassant {
    /// After each double push.
    Always,
    /// If an opposing pawn is next to the pushed pawn.
    #[default]
    Beside,
    /// If a capture is legal.
    Legal,
}

/// The format in which a program prints its state.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    /// The condition under which the FEN has an en passant square.
    pub fen_square: EnPassant,
    /// The condition under which the key has an en passant file.
    pub key_file: EnPassant,
    /// Whether castling rights are written as files.
    pub is_shredder: bool,
    /// The number of fields of the FEN, from 4 to 6, or 0 if there is no FEN.
    pub fields: usize,
    /// Whether the clocks are always 0 and 1.
    pub has_constant_clocks: bool,
    /// Whether there is a key.
    pub has_key: bool,
    /// Whether a halfmove clock from 14 on changes the key, as in Stockfish.
    pub key_has_clock: bool,
    /// Whether the king may castle with a right that a bug has kept.
    pub uses_kept: bool,
}

impl Default for Conventions {
    fn default() -> Conventions {
        Conventions {
            fen_square: EnPassant::default(),
            key_file: EnPassant::default(),
            is_shredder: false,
            fields: 6,
            has_constant_clocks: false,
            has_key: true,
            key_has_clock: false,
            uses_kept: false,
        }
    }
}

/// A program that prints its state.
#[derive(Clone)]
pub struct StateProgram {
    bug: Option<StateBug>,
    conventions: Conventions,
    position: Position,
    clocks: Clocks,
    /// The square that the last move has passed, or the en passant square of the FEN.
    passed: Option<Square>,
    /// The rooks whose castling rights a bug has kept.
    kept: Vec<Square>,
    /// The exclusive or of everything that bugs have wrongly left in the key.
    stray: Cell<u64>,
}

impl StateProgram {
    /// Returns a program at the start position.
    pub fn new(bug: Option<StateBug>, conventions: Conventions) -> StateProgram {
        StateProgram {
            bug,
            conventions,
            position: Position::start(),
            clocks: Clocks::START,
            passed: None,
            kept: Vec::new(),
            stray: Cell::new(0),
        }
    }

    fn has(&self, bug: StateBug) -> bool {
        self.bug == Some(bug)
    }

    fn set(&mut self, fen: &str, moves: &[impl AsRef<str>]) {
        let setup = Setup::from_fen(fen).unwrap();
        self.position = Position::try_from(&setup).unwrap();
        self.clocks = Clocks { halfmove: setup.halfmove_clock, number: setup.fullmove_number };
        if self.has(StateBug::ClockNotRead) {
            self.clocks.halfmove = 0;
        }
        self.passed = setup.en_passant;
        self.kept.clear();
        self.stray.set(0);
        for text in moves {
            self.play(self.position.find_move(text.as_ref()).unwrap());
        }
    }

    fn play(&mut self, played: Move) {
        let before = self.position;
        let is_capture = captures(&before, played);
        let is_pawn_move = before.piece_at(played.from()).unwrap().piece == Piece::Pawn;
        let clock = self.clocks.halfmove;
        self.clocks = self.clocks.after(&before, played);
        if self.has(StateBug::CaptureKeepsClock) && is_capture && !is_pawn_move
            || self.has(StateBug::PawnMoveKeepsClock) && is_pawn_move && !is_capture
        {
            self.clocks.halfmove = clock + 1;
        }
        if self.has(StateBug::RookCaptureKeepsRight)
            && is_capture
            && before.castling().all_rooks().contains(played.to())
        {
            self.kept.push(played.to());
        }
        self.stray.set(self.stray.get() ^ self.stray_after(played));
        let middle = Square::from_index((played.from().index() + played.to().index()) / 2);
        self.passed = middle.filter(|_| played.kind() == MoveKind::DoublePush);
        self.position = before.play_legal(played);
    }

    /// Returns the part that a move wrongly leaves in the key.
    fn stray_after(&self, played: Move) -> u64 {
        let us = self.position.turn();
        let is_castling = played.kind() == MoveKind::Castling;
        match self.bug {
            Some(StateBug::StaleKeyAfterCastling) if is_castling => {
                let target = perft_core::CastlingSide::of(played.from(), played.to()).rook_target(us);
                of_piece(us, Piece::Rook, played.to()) ^ of_piece(us, Piece::Rook, target)
            }
            Some(StateBug::PromotionKeepsPawnKey) => match played.kind().promotion() {
                Some(piece) => of_piece(us, piece, played.to()) ^ of_piece(us, Piece::Pawn, played.to()),
                None => 0,
            },
            Some(StateBug::EnPassantStaysInKey) => {
                self.square(self.conventions.key_file).map_or(0, |square| word(2000 + square.file().index()))
            }
            Some(StateBug::MovesKeepTurnInKey) => TURN,
            _ => 0,
        }
    }

    fn count_leaves_stray(&self, depth: u32) {
        let has_capture = self.position.legal_moves().iter().any(|&played| captures(&self.position, played));
        if self.has(StateBug::UnmakeLosesKey) && depth > 0 && has_capture {
            self.stray.set(self.stray.get() ^ word(7000));
        }
    }

    fn square(&self, shown: EnPassant) -> Option<Square> {
        match shown {
            EnPassant::Always => self.passed,
            EnPassant::Beside => self.position.en_passant(),
            EnPassant::Legal => self.position.legal_en_passant(),
        }
    }

    fn state(&self) -> State {
        let Conventions { fen_square, is_shredder, fields, has_constant_clocks, has_key, .. } =
            self.conventions;
        let clocks = if has_constant_clocks { Clocks::START } else { self.clocks };
        let mut setup = Setup {
            en_passant: self.square(fen_square),
            halfmove_clock: clocks.halfmove,
            fullmove_number: clocks.number,
            ..Setup::from(&self.position)
        };
        self.kept.iter().for_each(|&rook| setup.castling.add(rook));
        let fen = if is_shredder { setup.to_shredder_fen() } else { setup.to_fen() };
        let fen = fen.split(' ').take(fields).collect::<Vec<_>>().join(" ");
        State { fen: (fields > 0).then_some(fen), key: has_key.then(|| format!("{:016X}", self.key())) }
    }

    fn key(&self) -> u64 {
        let mut key = self.stray.get();
        for square in self.position.occupied() {
            let piece = self.position.piece_at(square).unwrap();
            key ^= of_piece(piece.color, piece.piece, square);
        }
        for rook in self.position.castling().all_rooks().into_iter().chain(self.kept.iter().copied()) {
            key ^= word(1000 + rook.index());
        }
        if let Some(square) = self.square(self.conventions.key_file)
            && !self.has(StateBug::NoEnPassantInKey)
        {
            key ^= word(2000 + square.file().index());
        }
        if self.position.turn() == Color::Black && !self.has(StateBug::NoTurnInKey) {
            key ^= TURN;
        }
        match self.clocks.halfmove {
            clock @ 14.. if self.conventions.key_has_clock => key ^ word(3000 + clock as usize / 8),
            _ => key,
        }
    }

    fn divide_of(position: &Position, depth: u32) -> Vec<(String, u128)> {
        let notation = position.castling_notation();
        let moves = position.divide(depth);
        moves.iter().map(|below| (below.played.to_uci(notation), below.nodes)).collect()
    }
}

fn captures(position: &Position, played: Move) -> bool {
    let takes = position.piece_at(played.to()).is_some() && played.kind() != MoveKind::Castling;
    takes || played.kind() == MoveKind::EnPassant
}

const TURN: u64 = 0x9d39_247e_3377_6d41;

fn word(number: usize) -> u64 {
    Random::new(number as u64).number()
}

fn of_piece(color: Color, piece: Piece, square: Square) -> u64 {
    word(10_000 + (color.index() * 8 + piece as usize) * 64 + square.index())
}

impl CountSource for StateProgram {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        self.set(&question.fen, &question.moves);
        Ok(Answer::from(StateProgram::divide_of(&self.position, question.depth)))
    }

    fn state(&mut self, question: &Question, _: &StopSignal) -> Result<State, SourceError> {
        self.set(&question.fen, &question.moves);
        self.count_leaves_stray(question.depth);
        Ok(StateProgram::state(self))
    }
}

impl UciEngine for StateProgram {
    fn name(&self) -> String {
        self.bug.map_or("Right".to_owned(), |bug| format!("{bug:?}"))
    }

    fn options(&self) -> Vec<String> {
        vec!["UCI_Chess960 type check default false".to_owned()]
    }

    /// Castling is written as the position needs it.
    fn set_option(&mut self, _: &str, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.set(fen.unwrap_or(START_FEN), moves);
        Ok(())
    }

    fn divide(&self, depth: u32) -> DivideTask {
        self.count_leaves_stray(depth);
        let position = self.position;
        let kept = self.kept.first().filter(|_| self.conventions.uses_kept).copied();
        Box::new(move |_| {
            let mut moves = StateProgram::divide_of(&position, depth);
            moves.extend(kept.map(|rook| (format!("{}{rook}", position.king(position.turn())), 1)));
            Ok(moves)
        })
    }

    fn diagram(&self) -> String {
        let State { fen, key } = StateProgram::state(self);
        let line =
            |name: &str, text: Option<String>| text.map_or(String::new(), |text| format!("\n{name}: {text}"));
        self.position.diagram() + &line("Fen", fen) + &line("Key", key)
    }
}
