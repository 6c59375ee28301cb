//! What is true of a question or of a move: the things that wrong answers may have in common.
//!
//! A [`Property`] is a fact, such as `an en passant capture`, and where it holds: anywhere in the tree of a question, for
//! one side, at the root, below it, above or at the last ply, or in the question before. The facts are rows of a table
//! (`rows`), which are looked up in the positions and moves of a tree (`facts`). They are facts about the question, so
//! they do not depend on the answer, and no bug has to be known for them.

mod facts;
mod rows;
mod squares;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use perft_core::{Color, Move, Piece, Position, Square};

use self::facts::{MoveFacts, NodeFacts, QuestionFacts};
use self::rows::{DEPTH, ILLEGAL, MOVES, NODES, Names, PLACES, QUESTIONS, SQUARES, fill};
use crate::source::{MovePath, passed_by};

/// The number of values of a row: they are the bits of a word.
const WIDTH: usize = 64;

/// The number of rows of the whole table.
const ROWS: usize = MOVES.len() + SQUARES.len() + ILLEGAL.len() + NODES.len() + QUESTIONS.len();

/// The part of the tree of a question in which a fact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TreePart {
    Anywhere,
    White,
    Black,
    AtRoot,
    BelowRoot,
    AboveLastPly,
    LastPly,
    Played,
    Before,
}

/// The parts, and their words after those of a fact.
const TREE_PARTS: [(TreePart, &str); 9] = [
    (TreePart::Anywhere, ""),
    (TreePart::White, " with White to move"),
    (TreePart::Black, " with Black to move"),
    (TreePart::AtRoot, " at the root"),
    (TreePart::BelowRoot, " below the root"),
    (TreePart::AboveLastPly, " above the last ply"),
    (TreePart::LastPly, " at the last ply"),
    (TreePart::Played, " among the moves that are played first"),
    (TreePart::Before, " in the question before"),
];

/// The number of properties.
pub(crate) const PROPERTIES: usize = TREE_PARTS.len() * ROWS * WIDTH;

/// Something that is true of some questions, or of some moves. Its text is a noun: `an en passant capture below the
/// root`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Property(u32);

impl Property {
    fn new(part: TreePart, row: usize, value: usize) -> Property {
        Property((((part as usize) * ROWS + row) * WIDTH + value) as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Property {
        Property(index as u32)
    }

    /// Returns the same fact in each part of the tree.
    pub(crate) fn in_all_parts(self) -> impl Iterator<Item = Property> {
        (self.index() % (ROWS * WIDTH)..PROPERTIES).step_by(ROWS * WIDTH).map(Property::from_index)
    }

    /// Returns the properties of a greater depth than one, the greatest first.
    pub(crate) fn depths() -> impl Iterator<Item = Property> {
        (0..WIDTH).rev().map(|value| Property::new(TreePart::Anywhere, QUESTIONS_START + DEPTH, value))
    }

    /// Returns a key by which properties that separate equally well are sorted: what happens says more than where on the
    /// board, a fact about the whole tree more than one about a part of it, and a high limit more than a low one.
    pub(crate) fn rank(self) -> impl Ord {
        let (part, row) = (self.index() / WIDTH / ROWS, self.index() / WIDTH % ROWS);
        let is_place = (MOVES.len() - PLACES..ILLEGAL_START).contains(&row);
        (is_place, part, row, Reverse(self.index()))
    }
}

impl Display for Property {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (place, value) = (self.index() / WIDTH, self.index() % WIDTH);
        let (text, names) = texts(place % ROWS);
        write!(f, "{}{}", fill(text, names, value), TREE_PARTS[place / ROWS].1)
    }
}

fn texts(row: usize) -> (&'static str, Names) {
    macro_rules! of {
        ($($rows:ident)*) => {
            [].into_iter()$(.chain($rows.iter().map(|row| (row.text, row.names))))*
        };
    }
    of!(MOVES SQUARES ILLEGAL NODES QUESTIONS).nth(row).expect("the table has this row")
}

/// The values of all rows, each as a bit.
type Facts = [u64; ROWS];

/// Adds the values of some rows, the first of which has this place in the table.
macro_rules! add {
    ($facts:expr, $start:expr, $rows:ident, $of:expr) => {
        $facts[$start..].iter_mut().zip($rows).for_each(|(values, row)| *values |= (row.of)($of))
    };
}

/// The places of the first rows of each part.
const SQUARES_START: usize = MOVES.len();
const ILLEGAL_START: usize = SQUARES_START + SQUARES.len();
const NODES_START: usize = ILLEGAL_START + ILLEGAL.len();
const QUESTIONS_START: usize = NODES_START + NODES.len();

/// Moves, each with its properties.
pub(crate) type MovesWithProperties = Vec<(Move, PropertySet)>;

/// The row of the square of a king that is left to an attack. That of the attackers follows.
const ATTACKED: usize = ILLEGAL_START + 7;

/// The row of the ways of moves, and that of the ways to the attackers of a king that is left to them.
const MOVED: usize = MOVES.len() - 4;
const ATTACKING: usize = ILLEGAL_START + 2;

/// The first value of these rows that is of sliders.
const OF_SLIDERS: usize = 48;

/// What moves look at. A table or a loop serves the moves of a piece and its attacks. The first number of each part says
/// what the second one is: a kind of pieces ([`KIND`]), the way of a slider over the board ([`WAY`]), or a square to which
/// something looks from another one. The first number is then that of the other square, from [`LINE`] on.
pub(crate) type View = BTreeSet<(usize, usize)>;

const KIND: usize = 0;
const WAY: usize = 1;
pub(crate) const LINE: usize = 2;

/// The properties of a question or of a move, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertySet(Vec<Property>);

impl PropertySet {
    /// Returns the properties of the question about the end of a path, whose right count is `nodes`. `before` is the
    /// question before it in the same process, with its properties. The moves of the path are a part of the tree, above
    /// its root.
    ///
    /// The time is that of visiting each move of the tree once.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::{MovePath, PropertySet};
    ///
    /// let path = MovePath::new(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap());
    /// let names: Vec<String> = PropertySet::of_question(&path, 1, 6, None).iter().map(|one| one.to_string()).collect();
    /// assert!(names.contains(&"a double step".to_owned()));
    /// assert!(!names.contains(&"a capture".to_owned()));
    /// ```
    pub fn of_question(
        path: &MovePath,
        depth: u32,
        nodes: u128,
        before: Option<(&MovePath, &PropertySet)>,
    ) -> PropertySet {
        let root = path.moves.len();
        let (mut plies, passed) = facts_of_played(path);
        plies.resize(root + depth as usize, [0; ROWS]);
        add_tree(&path.end, passed, &mut plies[root..]);
        let mut of_question = [0; ROWS];
        let facts = QuestionFacts { path, depth, nodes, before: before.map(|(path, _)| path) };
        add!(of_question, QUESTIONS_START, QUESTIONS, &facts);
        let of_color = |color: Color| {
            let skipped = usize::from(color != path.root.turn());
            union(plies.iter().skip(skipped).step_by(2))
        };
        let (above, last) = plies.split_at((root + depth as usize).saturating_sub(1).max(root));
        let mut set = PropertySet::default();
        set.add(TreePart::Anywhere, &union(plies.iter().chain([&of_question])));
        set.add(TreePart::White, &of_color(Color::White));
        set.add(TreePart::Black, &of_color(Color::Black));
        set.add(TreePart::AtRoot, &union(plies.iter().skip(root).take(1)));
        set.add(TreePart::BelowRoot, &union(plies.iter().skip(root + 1)));
        set.add(TreePart::AboveLastPly, &union(above));
        set.add(TreePart::LastPly, &union(last));
        set.add(TreePart::Played, &union(&plies[..root]));
        if let Some((_, before)) = before {
            let first = Property::new(TreePart::Before, 0, 0).0;
            let of_tree = before.iter().take_while(|one| one.index() < ROWS * WIDTH);
            set.0.extend(of_tree.map(|one| Property(first + one.0)));
        }
        set
    }

    /// Returns the properties of each legal move at the end of a path, and of each move that looks legal and is not.
    pub(crate) fn of_moves(path: &MovePath) -> [MovesWithProperties; 2] {
        let position = &path.end;
        let node = NodeFacts::new(position, position.en_passant());
        let played_first = union(&facts_of_played(path).0);
        let mut of_node = [0; ROWS];
        add!(of_node, NODES_START, NODES, &node);
        let part = if position.turn() == Color::White { TreePart::White } else { TreePart::Black };
        let set = |facts: Facts| {
            let mut set = PropertySet::default();
            set.add(TreePart::Anywhere, &facts);
            set.add(part, &facts);
            set.add(TreePart::Played, &played_first);
            set
        };
        let with_facts = |played: Move, is_legal: bool| {
            let made = if is_legal { MoveFacts::legal } else { MoveFacts::illegal }(&node, played);
            let mut facts = of_node;
            add!(facts, 0, MOVES, &made);
            add!(facts, SQUARES_START, SQUARES, &made);
            if !is_legal {
                add!(facts, ILLEGAL_START, ILLEGAL, &made);
            }
            (played, set(facts))
        };
        let legal = node.legal.iter().map(|&played| with_facts(played, true)).collect();
        [legal, node.illegal.iter().map(|&played| with_facts(played, false)).collect()]
    }

    /// Adds the facts of a part, which must come after all parts that were added before.
    fn add(&mut self, part: TreePart, facts: &Facts) {
        for (row, &values) in facts.iter().enumerate().filter(|(_, values)| **values != 0) {
            let has = |value: &usize| values >> value & 1 == 1;
            self.0.extend((0..WIDTH).filter(has).map(|value| Property::new(part, row, value)));
        }
    }

    /// Returns what a move looks at: the pieces that the king is left to, or the one that moves.
    pub(crate) fn view(&self) -> View {
        let values = |row: usize| {
            let has = move |value: &usize| self.contains(Property::new(TreePart::Anywhere, row, *value));
            (0..WIDTH).filter(has)
        };
        let (kinds, ways, from) = match values(ILLEGAL_START).next() {
            None => (0, MOVED, SQUARES_START),
            Some(_) => (ILLEGAL_START, ATTACKING, ATTACKED),
        };
        let kinds = values(kinds).filter(|kind| *kind < Piece::ALL.len()).map(|kind| (KIND, kind));
        let ways = values(ways).filter(|way| *way >= OF_SLIDERS).map(|way| (WAY, way));
        let lines = values(from).flat_map(|square| values(from + 1).map(move |to| (LINE + square, to)));
        kinds.chain(ways).chain(lines).collect()
    }

    /// Whether a property is in the set.
    pub fn contains(&self, property: Property) -> bool {
        self.0.binary_search(&property).is_ok()
    }

    /// Returns the properties.
    pub fn iter(&self) -> impl Iterator<Item = Property> + '_ {
        self.0.iter().copied()
    }
}

fn union<'a>(plies: impl IntoIterator<Item = &'a Facts>) -> Facts {
    let mut all = [0; ROWS];
    plies.into_iter().for_each(|ply| all.iter_mut().zip(ply).for_each(|(all, values)| *all |= values));
    all
}

/// Returns the facts of each move of a path, and the square that the last one has passed.
fn facts_of_played(path: &MovePath) -> (Vec<Facts>, Option<Square>) {
    let (mut position, mut passed) = (path.root, path.root.en_passant().or(path.unusable));
    let of_move = |&played: &Move| {
        let (node, mut facts) = (NodeFacts::new(&position, passed), [0; ROWS]);
        add!(facts, NODES_START, NODES, &node);
        add!(facts, 0, MOVES, &MoveFacts::legal(&node, played));
        (position, passed) = (position.play_legal(played), passed_by(played));
        facts
    };
    let plies = path.moves.iter().map(of_move).collect();
    (plies, passed)
}

/// Adds the facts of a position to those of the first ply, and those of the positions below to the plies after it.
/// `passed` is the square that the last move has passed.
fn add_tree(position: &Position, passed: Option<Square>, plies: &mut [Facts]) {
    let Some((facts, below)) = plies.split_first_mut() else { return };
    let node = NodeFacts::new(position, passed);
    add!(facts, NODES_START, NODES, &node);
    for &played in &node.legal {
        add!(facts, 0, MOVES, &MoveFacts::legal(&node, played));
        if !below.is_empty() {
            add_tree(&position.play_legal(played), passed_by(played), below);
        }
    }
    for &played in &node.illegal {
        add!(facts, ILLEGAL_START, ILLEGAL, &MoveFacts::illegal(&node, played));
    }
}
