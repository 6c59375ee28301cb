//! Models of wrong programs: each counts wrongly in one definite way.
//!
//! A cause of wrong counts is reported only if a model reproduces every answer. So a model says exactly what a program
//! with its mistake answers, or that it does not know.

mod adding;

pub use adding::Adding;

use perft_core::{Color, Interrupted, Move, Piece, Position, RootMove, StopSignal};

use crate::difference::Told;
#[cfg(feature = "serde")]
use crate::fields::fields;
use crate::mutations::{self, MutatedBoard, Mutation, RuleModel, Scope};
use crate::named_enum::named_enum;
use crate::random::setup_of;
use crate::source::notation::indices_meant;
use crate::source::{Clocks, MovePath};

/// A program that counts wrongly in one definite way.
///
/// # Examples
/// ```
/// use perft_diagnosis::Model;
///
/// let model = Model::all().find(|model| model.name() == "no-en-passant-at-last-ply").unwrap();
/// assert_eq!(model.topic(), "en passant");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Model {
    /// Counts are added up wrongly.
    Adding(Adding),
    /// Drawn games end.
    Draw(Draw),
    /// Another question is answered.
    Reading(Misreading),
    /// A rule is broken.
    Rule(RuleModel),
    /// The moves that are listed need not be legal.
    RootUnchecked,
    /// The list of moves ends at this number.
    ListEnds(u32),
}

/// The description of [`Model::RootUnchecked`].
const ROOT_UNCHECKED: &str =
    "The moves that are listed need not be legal: those that leave the king in check are listed too.";

impl Model {
    /// Returns all models except [`Model::ListEnds`] and the ways of misreading the castling rights of Chess960.
    pub fn all() -> impl Iterator<Item = Model> {
        let adding = adding::ALL.iter().map(|&(adding, ..)| Model::Adding(adding));
        let readings = Misreading::ALL.iter().filter(|reading| !reading.is_of_chess960());
        let rules = RuleModel::all().iter().copied().map(Model::Rule);
        let readings = readings.copied().map(Model::Reading);
        adding.chain(Draw::all().map(Model::Draw)).chain(readings).chain([Model::RootUnchecked]).chain(rules)
    }

    /// Returns the name, such as `no-en-passant`.
    pub fn name(self) -> String {
        self.texts().1
    }

    /// Returns what a program with this mistake does: one sentence.
    pub fn about(self) -> String {
        self.texts().2
    }

    /// Returns the part of a program that has the mistake, such as `castling`.
    pub fn topic(self) -> &'static str {
        self.texts().0
    }

    /// Returns the topic, the name and the description.
    fn texts(self) -> (&'static str, String, String) {
        let (topic, (name, about)) = match self {
            Model::Adding(adding) => ("adding up", adding.texts()),
            Model::Draw(draw) => ("draws", draw.rule.texts()),
            Model::Reading(reading) => {
                return ("reading the question", reading.name().to_owned(), format!("{}.", reading.about()));
            }
            Model::Rule(rule) => return (rule.mutation.topic(), rule.name(), rule.about()),
            Model::RootUnchecked => ("check", ("root-unchecked", ROOT_UNCHECKED)),
            Model::ListEnds(1) => {
                ("move list", ("list-ends-at-1", "The list of moves ends after the first move."))
            }
            Model::ListEnds(length) => {
                let about = format!("The list of moves ends at {length} moves.");
                return ("move list", format!("list-ends-at-{length}"), about);
            }
        };
        (topic, name.to_owned(), about.to_owned())
    }

    /// Whether the model is not a special case of another one, such as the same mistake for one side only.
    pub fn is_general(self) -> bool {
        match self {
            Model::Rule(rule) => rule.scope == Scope::Everywhere && rule.mutation.is_general(),
            _ => true,
        }
    }

    /// Whether the model makes nearly all counts wrong, so that it hides other mistakes.
    pub(crate) fn hides_others(self) -> bool {
        match self {
            Model::Adding(_) | Model::RootUnchecked => true,
            Model::Reading(reading) => !reading.is_local(),
            Model::Rule(rule) => matches!(rule.mutation.name(), "pseudo-legal" | "moves-not-made"),
            _ => false,
        }
    }

    /// Whether a program with this mistake gives an answer. Returns `None` if that is not known.
    pub(crate) fn gives(self, told: &Told) -> Option<bool> {
        match self {
            Model::Adding(adding) => adding.gives(told),
            _ if told.depth == 0 => Some(told.is_right()),
            Model::Draw(draw) => draw.gives(told),
            Model::Reading(reading) => reading.gives(told),
            Model::Rule(rule) => Some(has_rule_counts(
                told,
                &rule.divide(&told.path, told.depth),
                rule.count(&told.path, told.depth),
            )),
            Model::RootUnchecked => Some(lists_unchecked(told)),
            Model::ListEnds(length) => list_ends(told, length as usize),
        }
    }

    /// Whether a program with this mistake gives the numbers of captures, castling moves and promotions of an answer. If
    /// that is not known, it is taken to count them right.
    pub(crate) fn gives_kinds(self, told: &Told) -> bool {
        let leaves = match self {
            Model::Rule(rule) => rule.leaf_statistics(&told.path, told.depth),
            _ => told.leaves,
        };
        told.kinds.iter().filter(|count| count.kind.is_of_moves()).all(|count| count.is_of(&leaves))
    }

    /// Whether a program with this mistake can capture a king below a position. What it counts then is not known.
    pub(crate) fn captures_king(self, told: &Told) -> bool {
        matches!(self, Model::Rule(rule) if rule.captures_king(&told.path, told.depth))
    }

    /// Returns the total of a program with this mistake, or `None` if it is not known. The answer is not used.
    pub(crate) fn total(self, told: &Told) -> Option<i128> {
        match self {
            Model::Adding(adding) => adding.total(told),
            Model::Draw(draw) => {
                let moves = draw.divide(&told.path, told.depth);
                Some(moves.iter().map(|known| known.nodes as i128).sum())
            }
            Model::Reading(reading) if reading.is_local() => None,
            Model::Reading(reading) => i128::try_from(reading.position(told)?.perft(told.depth)).ok(),
            Model::Rule(rule) => Some(rule.count(&told.path, told.depth).into()),
            Model::ListEnds(length) if told.depth == 1 => {
                Some(told.difference.ours.min(length.into()) as i128)
            }
            Model::RootUnchecked | Model::ListEnds(_) => None,
        }
    }
}

#[cfg(feature = "serde")]
fields!(Model as model {
    name: model.name(),
    topic: model.topic(),
    about: model.about(),
});

/// Returns the models that are not a narrower form of another one. A narrower form is the same mistake for one side or
/// some moves only, or not at the root.
pub(crate) fn without_narrower(models: &[Model]) -> Vec<Model> {
    let is_within = |model: &Model, other: &Model| matches!((model, other), (Model::Rule(rule), Model::Rule(other)) if rule.is_narrower_than(*other));
    let is_broadest = |model: &Model| !models.iter().any(|other| is_within(model, other));
    models.iter().copied().filter(is_broadest).collect()
}

/// Keeps the models that give an answer, and those of which this is not known.
///
/// # Errors
/// Returns an error if the stop signal is raised.
pub(crate) fn keep_giving(
    models: &mut Vec<Model>,
    told: &Told,
    stop: &StopSignal,
) -> Result<(), Interrupted> {
    let rule = |model: &Model| match model {
        Model::Rule(rule) => Some(*rule),
        _ => None,
    };
    let rules: Vec<RuleModel> = models.iter().filter_map(rule).collect();
    let is_confirmed = |moves: &[(Move, u64)], total| has_rule_counts(told, moves, total);
    let rules = mutations::matching(rules, &told.path, told.depth, stop, &is_confirmed)?;
    models.retain(|model| match model {
        Model::Rule(rule) => rules.contains(rule),
        model => model.gives(told) != Some(false),
    });
    Ok(())
}

/// Whether an answer has the counts of a rule model. A program that lists moves adds up what it lists.
fn has_rule_counts(told: &Told, moves: &[(Move, u64)], total: u64) -> bool {
    if told.answer.moves.is_empty() && told.answer.stated_total.is_some() {
        return told.difference.theirs == i128::from(total);
    }
    let counted = |&(played, nodes): &(Move, u64)| RootMove { played, nodes: nodes.into() };
    told.has(told.position(), &moves.iter().map(counted).collect::<Vec<_>>())
}

/// Whether an answer lists the legal moves with right counts, all moves that leave the king in check, and no others.
fn lists_unchecked(told: &Told) -> bool {
    let position = told.position();
    let legal = position.legal_moves();
    let mut unchecked = MutatedBoard::new(position, Mutation::PseudoLegal.into()).legal_moves().to_vec();
    unchecked.retain(|played| !legal.contains(played));
    let difference = &told.difference;
    if difference.is_right() {
        // The counts below the illegal moves may be 0.
        return unchecked.is_empty() || told.answer.moves.len() >= legal.len() + unchecked.len();
    }
    let is_listed = !difference.extra.is_empty()
        && difference.missing.is_empty()
        && difference.wrong.is_empty()
        && !difference.contradicts_itself;
    // The texts must mean exactly these moves, each once.
    let mut takes = |text: &String| {
        let meant = indices_meant(position, &unchecked, text);
        meant.first().map(|&index| unchecked.swap_remove(index)).is_some()
    };
    is_listed && difference.extra.iter().all(&mut takes) && unchecked.is_empty()
}

/// Whether an answer lists only this number of the legal moves. Above depth 1, a total does not show this.
fn list_ends(told: &Told, length: usize) -> Option<bool> {
    let difference = &told.difference;
    let legal = told.ours.len();
    if legal <= length {
        return (told.depth == 1).then_some(difference.is_right());
    }
    let is_shorter = difference.extra.is_empty() && difference.missing.len() == legal - length;
    match (told.depth, difference.lists_moves) {
        (1, false) => Some(told.difference.theirs == length as i128),
        (_, false) => None,
        (_, true) => Some(is_shorter),
    }
}

/// The largest right count for which misreadings are tested. Each test computes the divide of another position.
const MAX_NODES: u128 = 2_000_000;

named_enum! {
    /// A way in which a program answers another question. All but the first two concern only the questions that it
    /// answers wrongly.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Misreading {
        MovesUnread: "The moves after the FEN are not played",
        TurnUnread: "White is taken to be the side to move in each FEN",
        StartStays: "These are the counts of the start position",
        PositionStays: "These are the counts of a position that was asked about before",
        LastMoveUnplayed: "These are the counts of the position before the last move",
        OnlyFileLetters: "K and Q in the castling field of a Chess960 FEN are not read as the outermost rooks; the letters of \
            files are understood",
        OnlySides: "The letter of a file in the castling field of a Chess960 FEN is not read; K and Q are understood",
        NoChess960Castling: "There is no castling in Chess960, although the program announces Chess960",
    }
}

impl Misreading {
    /// Whether the misreading concerns only some questions. Right answers to others do not contradict it.
    pub(crate) const fn is_local(self) -> bool {
        !matches!(self, Misreading::MovesUnread | Misreading::TurnUnread)
    }

    /// Whether this is a way of reading the castling rights of Chess960.
    fn is_of_chess960(self) -> bool {
        self >= Misreading::OnlyFileLetters
    }

    /// Whether a program with this misreading gives an answer. Returns `None` if that is unknown or slow to count.
    fn gives(self, told: &Told) -> Option<bool> {
        if told.difference.ours > MAX_NODES || self.is_of_chess960() {
            return None;
        }
        if self.is_local() && told.is_right() {
            return Some(true);
        }
        let Some(position) = self.position(told) else { return self.is_local().then_some(false) };
        if position == *told.position() {
            return Some(told.is_right());
        }
        Some(told.has(&position, &position.divide(told.depth)))
    }

    /// Returns the position that is counted.
    fn position(self, told: &Told) -> Option<Position> {
        match self {
            Misreading::MovesUnread => Some(told.path.root),
            Misreading::TurnUnread => {
                let root = told.path.root;
                if root.turn() == Color::White || !told.path.moves.is_empty() {
                    return None;
                }
                let mut setup = setup_of(&root);
                (setup.turn, setup.en_passant) = (Color::White, None);
                Position::try_from(&setup).ok()
            }
            Misreading::StartStays => Some(Position::start()),
            Misreading::PositionStays => Some(told.before.unwrap_or_else(Position::start)),
            Misreading::LastMoveUnplayed => told.path.last_move().map(|(before, _)| before),
            Misreading::OnlyFileLetters | Misreading::OnlySides | Misreading::NoChess960Castling => None,
        }
    }
}

/// A rule by which a program ends games, and the nodes where it tests it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Draw {
    rule: DrawRule,
    tests_root: bool,
    tests_leaves: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum DrawRule {
    /// The halfmove clock has reached this number of plies.
    Clock(u32),
    /// The position occurred before, this number of times.
    Repetition(usize),
    /// Neither side can force mate, with up to this number of pieces beside the kings. One is a knight or a bishop. Two
    /// are one on each side, or two knights on one side.
    InsufficientMaterial(u32),
}

impl DrawRule {
    fn all() -> impl Iterator<Item = DrawRule> {
        let material = (0..3).map(DrawRule::InsufficientMaterial);
        [100, 50].map(DrawRule::Clock).into_iter().chain([1, 2].map(DrawRule::Repetition)).chain(material)
    }

    /// Returns the name and the description of its models.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            DrawRule::Clock(100) => ("fifty-moves-end", "The fifty-move rule ends the game."),
            DrawRule::Clock(_) => {
                ("fifty-plies-end", "The game ends after fifty plies without progress, not fifty moves.")
            }
            DrawRule::Repetition(_) => ("repetition-ends", "The repetition of a position ends the game."),
            DrawRule::InsufficientMaterial(_) => {
                ("insufficient-material-ends", "Too few pieces to mate end the game.")
            }
        }
    }
}

impl Draw {
    fn all() -> impl Iterator<Item = Draw> {
        let places = [(false, false), (false, true), (true, false), (true, true)];
        DrawRule::all().flat_map(move |rule| {
            places.map(|(tests_root, tests_leaves)| Draw { rule, tests_root, tests_leaves })
        })
    }

    /// Whether a program with this rule gives an answer. Returns `None` if that takes long to count.
    fn gives(self, told: &Told) -> Option<bool> {
        told.is_small().then(|| told.has(told.position(), &self.divide(&told.path, told.depth)))
    }

    /// If the root is tested and drawn, it has no moves.
    fn divide(self, path: &MovePath, depth: u32) -> Vec<RootMove> {
        let (mut game, mut clocks) = (vec![path.root], path.clocks);
        for &played in &path.moves {
            let before = game[game.len() - 1];
            clocks = clocks.after(&before, played);
            game.push(before.play_legal(played));
        }
        let is_drawn = self.tests_root && self.ends(&game, clocks);
        if is_drawn { Vec::new() } else { self.divide_game(&mut game, clocks, depth) }
    }

    fn divide_game(self, game: &mut Vec<Position>, clocks: Clocks, depth: u32) -> Vec<RootMove> {
        let end = game[game.len() - 1];
        let below = |played| {
            game.push(end.play_legal(played));
            let nodes = self.count(game, clocks.after(&end, played), depth - 1);
            game.pop();
            RootMove { played, nodes }
        };
        end.legal_moves().into_iter().map(below).collect()
    }

    fn count(self, game: &mut Vec<Position>, clocks: Clocks, depth: u32) -> u128 {
        let is_drawn = (depth > 0 || self.tests_leaves) && self.ends(game, clocks);
        match depth {
            _ if is_drawn => 0,
            0 => 1,
            _ => self.divide_game(game, clocks, depth).iter().map(|known| known.nodes).sum(),
        }
    }

    fn ends(self, game: &[Position], clocks: Clocks) -> bool {
        let end = game[game.len() - 1];
        match self.rule {
            DrawRule::Clock(plies) => clocks.halfmove >= plies,
            DrawRule::Repetition(times) => game.iter().filter(|&&earlier| earlier == end).count() > times,
            DrawRule::InsufficientMaterial(pieces) => has_insufficient_material(&end, pieces),
        }
    }
}

/// Whether neither side can force mate, and the board has at most `most` pieces beside the kings.
fn has_insufficient_material(position: &Position, most: u32) -> bool {
    let count = |piece| Color::ALL.map(|color| position.pieces(color, piece).count());
    let (knights, bishops) = (count(Piece::Knight), count(Piece::Bishop));
    let [white, black] = [knights[0] + bishops[0], knights[1] + bishops[1]];
    let others = position.occupied().count() - 2;
    others <= most && others == white + black && (others < 2 || white == 1 || bishops == [0; 2])
}
