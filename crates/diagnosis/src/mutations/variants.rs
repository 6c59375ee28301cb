//! The variants of the rows of the catalogue: for one side, for one other attribute, or for both.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::catalogue::{Mutation, ROWS, Row};
use super::restrictions::{Restriction, SIDES};
use super::rules::{Break, Rule};

/// A mutation: the general form of a row, or a variant of it.
struct Entry {
    row: usize,
    name: String,
    about: String,
    topic: &'static str,
    breaks: Vec<Break>,
}

/// All mutations. The variants of a row follow its general form.
static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let of_row = |row: usize| (0..ROWS[row].len()).map(move |number| Entry::of(row, number));
    (0..ROWS.len()).flat_map(of_row).collect()
});

/// For each mutation, the one of which it is a variant.
static GENERAL: LazyLock<Vec<Option<Mutation>>> = LazyLock::new(|| {
    let general = |&variant: &Mutation| {
        let generals = Mutation::ALL.iter().copied().filter(|&other| variant.is_variant_of(other));
        let generals: Vec<Mutation> = generals.collect();
        let is_nearest = |&&near: &&Mutation| !generals.iter().any(|nearer| nearer.is_variant_of(near));
        generals.iter().find(is_nearest).copied()
    };
    Mutation::ALL.iter().map(general).collect()
});

/// The number of mutations.
pub(super) const COUNT: usize = first_of(ROWS.len());

/// Returns the number of mutations before a row.
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
    /// Returns a mutation of the row. The general form has the number 0.
    fn of(row: usize, number: usize) -> Entry {
        let &Row { name, about, topic, breaks, groups } = &ROWS[row];
        let sides = 1 + SIDES.len();
        let side = (number % sides).checked_sub(1).map(|index| &SIDES[index]);
        let mut attributes = groups.unwrap_or_default().iter().copied().flatten();
        let attribute = (number / sides).checked_sub(1).and_then(|index| attributes.nth(index));
        let restrictions: Vec<&Restriction> = side.into_iter().chain(attribute).collect();
        let words: Vec<&str> = restrictions.iter().map(|restriction| restriction.words).collect();
        let text = match words.is_empty() {
            true => about.to_owned(),
            false => format!("{} ({}).", about.trim_end_matches('.'), words.join(", ")),
        };
        let slugs = restrictions.iter().map(|restriction| restriction.slug);
        let restricted = |broken: &Break| restrictions.iter().fold(*broken, |all, only| all.only(only.facts));
        Entry {
            row,
            name: std::iter::once(name).chain(slugs).collect::<Vec<&str>>().join("-"),
            about: text,
            topic,
            breaks: breaks.iter().map(restricted).collect(),
        }
    }
}

impl Mutation {
    /// All mutations, in the order of the catalogue.
    pub const ALL: &'static [Mutation] = {
        const ALL: [Mutation; COUNT] = {
            let (mut all, mut index) = ([Mutation(0); COUNT], 0);
            while index < COUNT {
                all[index] = Mutation(index as u16);
                index += 1;
            }
            all
        };
        &ALL
    };

    /// Returns the general form of a row.
    pub(super) const fn general_of(row: usize) -> Mutation {
        Mutation(first_of(row) as u16)
    }

    fn entry(self) -> &'static Entry {
        &ENTRIES[self.index()]
    }

    /// Returns the place in [`Mutation::ALL`].
    pub(super) const fn index(self) -> usize {
        self.0 as usize
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
        self.entry().topic
    }

    /// Returns the rules that are broken.
    pub(super) fn breaks(self) -> &'static [Break] {
        &self.entry().breaks
    }

    /// Whether this mutation is a variant of another one, for one side, one piece or one direction only.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::mutations::Mutation;
    ///
    /// let [white, black] = ["no-en-passant-white", "no-en-passant-black"].map(|name| name.parse::<Mutation>().unwrap());
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

    /// Returns the number of the row of the catalogue.
    pub(super) fn row(self) -> usize {
        self.entry().row
    }

    /// Whether both mutations break the same rules for the same facts.
    #[doc(hidden)]
    pub fn breaks_the_same_as(self, other: Mutation) -> bool {
        self.breaks() == other.breaks()
    }

    /// Whether some rule that is broken has a property.
    pub(super) fn breaks_any(self, property: impl Fn(Rule) -> bool) -> bool {
        self.breaks().iter().any(|broken| property(broken.rule))
    }

    /// Returns the mutation of which this one is a variant. If there are several, returns the most similar one.
    #[doc(hidden)]
    pub fn general(self) -> Option<Mutation> {
        GENERAL[self.index()]
    }
}

impl fmt::Debug for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mutation {
    type Err = UnknownMutation;

    fn from_str(text: &str) -> Result<Mutation, UnknownMutation> {
        let mut all = Mutation::ALL.iter().copied();
        all.find(|mutation| mutation.name() == text).ok_or_else(|| UnknownMutation(text.to_owned()))
    }
}

/// The error of parsing a text that is not the name of a [`Mutation`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of a mutation")]
pub struct UnknownMutation(pub String);
