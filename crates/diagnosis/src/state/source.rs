//! A source that is asked for its states.

use std::collections::HashMap;

use perft_core::{START_FEN, StopSignal};

use super::fields::{StateAbilities, StateField};
use crate::program::{Asked, Program, StopReason, unless_interrupted};
use crate::source::{Clocks, CountSource, MovePath, Question, SourceError, State};

/// A position other than the start position.
const OTHER: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// Moves from the start position that do not reset the halfmove clock.
const QUIET_MOVES: &str = "g1f3 g8f6 b1c3";

impl StateAbilities {
    /// Asks a source about positions that differ in every part that it may print.
    ///
    /// # Examples
    /// ```
    /// use perft_core::StopSignal;
    /// use perft_diagnosis::source::{Answer, CountSource, Question, SourceError, State};
    /// use perft_diagnosis::state::StateAbilities;
    ///
    /// /// Prints a FEN, but never with other clocks than 0 and 1.
    /// struct WithoutClocks;
    ///
    /// impl CountSource for WithoutClocks {
    ///     fn ask(&mut self, _: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
    ///         unreachable!("no counts are asked for")
    ///     }
    ///
    ///     fn state(&mut self, question: &Question, _: &StopSignal) -> Result<State, SourceError> {
    ///         Ok(State { fen: Some(question.end()?.to_string()), key: None })
    ///     }
    /// }
    ///
    /// let prints = StateAbilities::probe(&mut WithoutClocks, &StopSignal::default()).unwrap();
    /// assert!(prints.fen && !prints.key && !prints.halfmove_clock && !prints.move_number);
    /// ```
    ///
    /// # Errors
    /// Returns an error if the source gives no answer.
    pub fn probe(source: &mut dyn CountSource, stop: &StopSignal) -> Result<StateAbilities, SourceError> {
        let later = Clocks { halfmove: 5, number: 9 };
        let mut ask = |fen, moves, clocks| {
            let path = MovePath { clocks, ..MovePath::of_known(fen, moves) };
            source.state(&path.question(0), stop)
        };
        let states = [
            ask(START_FEN, "", Clocks::START)?,
            ask(START_FEN, "", later)?,
            ask(START_FEN, QUIET_MOVES, Clocks::START)?,
            ask(OTHER, "", Clocks::START)?,
        ];
        let again = ask(START_FEN, "", Clocks::START)?;
        let differs = |field: StateField| {
            let fens = states.iter().filter_map(|state| state.fen.as_deref());
            let values: Vec<&str> = fens.filter_map(|fen| fen.split(' ').nth(field as usize)).collect();
            values.len() == states.len() && values.iter().any(|value| *value != values[0])
        };
        Ok(StateAbilities {
            fen: differs(StateField::Board),
            key: states.iter().all(|state| state.key.is_some())
                && states[0].key != states[3].key
                && states[0].key == again.key,
            halfmove_clock: differs(StateField::HalfMoveClock),
            move_number: differs(StateField::MoveNumber),
        })
    }

    /// Whether it prints neither a FEN nor a key.
    pub fn is_nothing(&self) -> bool {
        !self.fen && !self.key
    }
}

/// A program that is asked for its states.
pub(super) struct StateSource<'p, 'a> {
    pub program: &'p mut Program<'a>,
    pub prints: StateAbilities,
    /// The states of the positions that were given as a FEN.
    known: HashMap<String, State>,
    /// The questions that had no answer at first, and had one after a new start.
    pub not_repeated: Vec<(MovePath, SourceError)>,
}

impl<'p, 'a> StateSource<'p, 'a> {
    pub fn new(program: &'p mut Program<'a>, prints: StateAbilities) -> StateSource<'p, 'a> {
        StateSource { program, prints, known: HashMap::new(), not_repeated: Vec::new() }
    }

    /// Starts the source again. Its keys may then be different.
    pub fn restart(&mut self) {
        self.program.restart();
        self.known.clear();
    }

    /// Returns the state that the source prints for the end of a path, without the parts that it does not really print.
    pub fn state(&mut self, at: &MovePath) -> Asked<State> {
        self.answer(at, at.question(0))
    }

    /// Returns the state that the source prints for a question about the end of a path.
    pub fn answer(&mut self, at: &MovePath, question: Question) -> Asked<State> {
        let is_bare = question.moves.is_empty();
        if let Some(known) = self.known.get(&question.fen).filter(|_| is_bare) {
            return Ok(known.clone());
        }
        let state = self.ask(at, &question)?;
        if state.is_empty() {
            let message = "it printed neither a FEN nor a key".to_owned();
            return Err(StopReason::NoState(Box::new(at.clone()), SourceError::CannotCount(message)));
        }
        if is_bare {
            self.known.insert(question.fen, state.clone());
        }
        Ok(state)
    }

    /// Asks without regard to earlier answers. After a count, the state is empty if the source cannot print it then.
    pub fn ask(&mut self, at: &MovePath, question: &Question) -> Asked<State> {
        self.program.tally.spend()?;
        let mut answer = unless_interrupted(self.program.state(question))?;
        if let Err(error) = answer {
            self.restart();
            answer = unless_interrupted(self.program.state(question))?;
            if answer.is_ok() {
                self.not_repeated.push((at.clone(), error));
            }
        }
        let State { fen, key } = answer.map_err(|error| StopReason::NoState(Box::new(at.clone()), error))?;
        Ok(State { fen: fen.filter(|_| self.prints.fen), key: key.filter(|_| self.prints.key) })
    }
}
