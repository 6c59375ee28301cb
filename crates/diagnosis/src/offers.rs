//! Questions with small known counts that can be asked to decide between models.

use std::sync::LazyLock;

use perft_core::CastlingNotation;
use perft_core::internals::is_possible;
use perft_core::suite::builtin;

use crate::evidence::Told;
use crate::models::Model;
use crate::mutations::{MutationSet, relevant};
use crate::path::MovePath;
use crate::source::Answer;
use crate::target::random_target;

/// The largest right count of a question.
const MAX_NODES: u128 = 600;

/// The largest right count of a question about one of the [`MORE`] positions.
const MAX_NODES_OF_MORE: u128 = 1_500;

/// The greatest depth of a question.
const MAX_DEPTH: u32 = 3;

/// The number of random positions.
const RANDOM: u64 = 200;

/// Positions that the suites do not have: few pieces, a full halfmove clock, many moves, and castling with few other moves.
const MORE: [&str; 17] = [
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/4N3/4K3 w - - 0 1",
    "4k3/8/4b3/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/4b3/8/8/4B3/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/4NN2/8/4K3 w - - 0 1",
    "4k3/7p/8/8/8/8/7P/4K3 w - - 100 90",
    "4k3/7p/8/8/8/8/7P/4K3 w - - 99 90",
    "4k3/7p/8/8/8/8/7P/4K3 w - - 60 70",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "k7/p7/P7/8/8/8/8/R3K3 w Q - 0 1",
    "k7/7p/7P/8/8/8/8/4K2R w K - 0 1",
    "r3k3/8/8/8/8/p7/P7/K7 b q - 0 1",
    "4k2r/8/8/8/8/7p/7P/K7 b k - 0 1",
    "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1",
    "4k2r/8/8/8/8/8/8/4K2R b Kk - 0 1",
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
];

/// A question about a small position.
pub(crate) struct Offer {
    /// The position with its right divide, and without an answer.
    pub told: Told,
    /// The name of the position in the built-in suites.
    pub name: Option<&'static str>,
    is_chess960: bool,
    is_possible: bool,
    /// The mutations that can change the count.
    relevant: MutationSet,
}

/// The offers about positions of the built-in suites, the smallest first.
static OF_SUITES: LazyLock<Vec<Offer>> = LazyLock::new(|| {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    offers(cases.map(|case| (MovePath::new(case.position), Some(case.name()))), MAX_NODES)
});

/// The other offers: about [`MORE`] positions and random ones.
static OTHERS: LazyLock<Vec<Offer>> = LazyLock::new(|| {
    let of_fen = |fen: &str| MovePath::of_setup(&fen.parse().expect("the FEN is right"));
    let more = MORE.map(|fen| (of_fen(fen).expect("the position is legal"), None));
    let random = (0..RANDOM).map(|number| (random_target(0, number, 1).path.without_moves(), None));
    let mut others = offers(more.into_iter(), MAX_NODES_OF_MORE);
    others.extend(offers(random, MAX_NODES));
    others
});

/// Returns the questions about positions whose right count is not too large, the smallest first.
fn offers(paths: impl Iterator<Item = (MovePath, Option<&'static str>)>, max_nodes: u128) -> Vec<Offer> {
    let of_path = |(path, name): (MovePath, Option<&'static str>)| {
        let of_depth = move |depth| Offer::of(&path, name, depth, max_nodes);
        (1..=MAX_DEPTH).filter_map(of_depth)
    };
    let mut offers: Vec<Offer> = paths.flat_map(of_path).collect();
    offers.sort_by_key(|offer| (offer.told.depth, offer.told.difference.ours));
    offers
}

impl Offer {
    /// Returns a question, unless its right count is too large.
    fn of(path: &MovePath, name: Option<&'static str>, depth: u32, max_nodes: u128) -> Option<Offer> {
        if path.end.perft(depth) > max_nodes {
            return None;
        }
        let told = Told::new(path.clone(), depth, path.end.divide(depth), Answer::default());
        Some(Offer {
            told,
            name,
            is_chess960: path.notation() == CastlingNotation::Chess960,
            is_possible: is_possible(&path.end),
            relevant: relevant(path, depth),
        })
    }

    /// Returns all offers. Positions that no game reaches are left out if a program may refuse them.
    pub fn all(with_chess960: bool, with_impossible: bool) -> impl Iterator<Item = &'static Offer> + Clone {
        let all = OF_SUITES.iter().chain(OTHERS.iter());
        all.filter(move |offer| {
            (with_chess960 || !offer.is_chess960) && (with_impossible || offer.is_possible)
        })
    }

    /// Returns the offers about positions of the built-in suites that a game can reach, the smallest first.
    pub fn of_suites(with_chess960: bool) -> impl Iterator<Item = &'static Offer> + Clone {
        OF_SUITES.iter().filter(move |offer| offer.is_possible && (with_chess960 || !offer.is_chess960))
    }

    /// Returns the total that a program with a model gives, if it is known.
    pub fn total(&self, model: Model) -> Option<i128> {
        match model {
            Model::Rule(rule) if !self.relevant.contains(rule.mutation) => Some(self.right()),
            model => model.total(&self.told),
        }
    }

    /// Returns the totals that programs with some models give, if they are known.
    pub fn totals(&self, models: &[Model]) -> Vec<Option<i128>> {
        models.iter().map(|&model| self.total(model)).collect()
    }

    /// Returns the right total.
    pub fn right(&self) -> i128 {
        self.told.difference.ours as i128
    }
}

/// Returns the offer that splits the models best: after the answer, the fewest are left at worst.
pub(crate) fn best(models: &[Model], offers: impl Iterator<Item = &'static Offer>) -> Option<&'static Offer> {
    let mut best: Option<(usize, &Offer)> = None;
    for offer in offers.take_while(|_| models.len() > 1) {
        let most = largest_class(&offer.totals(models));
        if most < best.map_or(models.len(), |(most, _)| most) {
            best = Some((most, offer));
        }
        if 2 * most <= models.len() + 1 {
            break;
        }
    }
    best.map(|(_, offer)| offer)
}

/// Returns the offers for which all models give a wrong total.
pub(crate) fn expected_wrong(
    models: &[Model],
    offers: impl Iterator<Item = &'static Offer>,
) -> Vec<&'static Offer> {
    let is_wrong = |offer: &&Offer| {
        models.iter().all(|&model| offer.total(model).is_some_and(|total| total != offer.right()))
    };
    offers.take_while(|_| !models.is_empty()).filter(is_wrong).collect()
}

/// Returns the largest number of models that are left after one of the answers. A model whose total is not known is
/// always left.
fn largest_class(totals: &[Option<i128>]) -> usize {
    let left =
        |total: &Option<i128>| totals.iter().filter(|other| other.is_none() || *other == total).count();
    totals.iter().map(left).max().unwrap_or_default()
}
