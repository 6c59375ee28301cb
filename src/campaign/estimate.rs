//! Estimates: about how many leaf nodes a tree has that is too big to count.
//!
//! A *walk* goes down the tree with random moves and multiplies the numbers of legal moves on its way. It ends some
//! plies above the leaves, where the product is multiplied by an exact count. The mean of these products is an unbiased
//! estimate of the number of leaf nodes (Donald E. Knuth, "Estimating the Efficiency of Backtrack Programs", 1975).
//!
//! There are equally many walks below each root move, so the differences between root moves do not add to the error.
//! This is stratified sampling. (The first estimates of perft(13) were made by such walks: "Perft(13) betting pool",
//! TalkChess, 2011.)
//!
//! ```text
//!   root --- every move --- random --- random --- perft(rest)        20 x 31 x 28 x 8902
//! ```
//!
//! The interval is that of the normal distribution. The products are skewed, so some thousands of walks are needed.

use perft_core::{Interrupted, Position};
use perft_count::internals::Share;
use perft_count::{Perft, Progress};
use perft_diagnosis::random::Random;

use crate::timing::Interval;

/// 95 % of a normal distribution are within this number of standard deviations of the mean.
const NORMAL_95: f64 = 1.959_964;

/// The number of walks whose ends are counted together.
const BATCH: u64 = 256;

/// The options of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimateOptions {
    /// The depth in plies.
    pub depth: u32,
    /// The number of plies at the end that are counted exactly.
    pub rest: u32,
    /// The approximate number of walks. Each root move has equally many, and at least two.
    pub walks: u64,
    /// The seed of the random moves.
    pub seed: u64,
}

/// An estimate of the number of leaf nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimated number of leaf nodes.
    pub nodes: f64,
    /// The estimated standard deviation of the estimate.
    pub standard_error: f64,
    /// The number of walks; 0 if the tree was counted exactly.
    pub walks: u64,
}

impl Estimate {
    /// Returns the confidence interval of 95 %.
    pub fn interval(&self) -> Interval {
        let half = NORMAL_95 * self.standard_error;
        Interval { low: (self.nodes - half).max(0.0), high: self.nodes + half }
    }
}

/// Estimates the number of leaf nodes at a depth. A seed always gives the same estimate, on any number of threads.
///
/// # Errors
/// The stop signal of `progress` was raised.
///
/// # Panics
/// The depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
pub fn estimate(
    root: &Position,
    options: EstimateOptions,
    perft: &Perft,
    progress: &Progress,
) -> Result<Estimate, Interrupted> {
    let EstimateOptions { depth, rest, walks, seed } = options;
    progress.restart();
    if depth <= rest {
        let nodes = perft.count_with_progress(root, depth, progress)? as f64;
        return Ok(Estimate { nodes, standard_error: 0.0, walks: 0 });
    }
    let moves = root.legal_moves();
    let per_move = walks.div_ceil(moves.len().max(1) as u64).max(2);
    let share = Share::WHOLE.split(moves.len());
    let mut random = Random::new(seed);
    let (mut nodes, mut variance) = (0.0, 0.0);
    for played in &moves {
        let child = root.play_legal(*played);
        let mut moments = Moments::default();
        while moments.count < per_move {
            let batch = (per_move - moments.count).min(BATCH);
            let walks = (0..batch).map(|_| walk(child, depth - 1 - rest, &mut random));
            let (weights, positions): (Vec<f64>, Vec<Position>) = walks.unzip();
            let counts = perft.count_each_as(&positions, rest, progress, share.part(batch, per_move))?;
            // A walk that ended early has the weight 0, whatever its count.
            weights.iter().zip(counts).for_each(|(weight, nodes)| moments.add(weight * nodes as f64));
        }
        nodes += moments.mean;
        variance += moments.variance_of_mean();
    }
    Ok(Estimate { nodes, standard_error: variance.sqrt(), walks: per_move * moves.len() as u64 })
}

/// Makes a walk of this number of plies. Returns the product of the numbers of moves, which is 0 after mate or
/// stalemate, and the last position.
fn walk(mut position: Position, plies: u32, random: &mut Random) -> (f64, Position) {
    let mut weight = 1.0;
    for _ in 0..plies {
        let moves = position.legal_moves();
        weight *= moves.len() as f64;
        if moves.is_empty() {
            break;
        }
        position = position.play_legal(moves[random.below(moves.len())]);
    }
    (weight, position)
}

/// Mean and variance, updated number by number (B. P. Welford, "Note on a Method for Calculating Corrected Sums of
/// Squares and Products", 1962).
#[derive(Default)]
struct Moments {
    count: u64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    fn add(&mut self, number: f64) {
        self.count += 1;
        let before = number - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (number - self.mean);
    }

    fn variance_of_mean(&self) -> f64 {
        self.squares / (self.count as f64 - 1.0) / self.count as f64
    }
}

#[cfg(test)]
mod tests {
    use perft_core::START_FEN;

    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// Depths and counts that several people have counted.
    const KNOWN: [(&str, u32, f64); 6] = [
        (KIWIPETE, 5, 193_690_690.0),
        (START_FEN, 9, 2_439_530_234_167.0),
        (START_FEN, 10, 69_352_859_712_417.0),
        (START_FEN, 11, 2_097_651_003_696_806.0),
        (START_FEN, 12, 62_854_969_236_701_747.0),
        (START_FEN, 13, 1_981_066_775_000_396_239.0),
    ];

    fn estimated(fen: &str, depth: u32, walks: u64, seed: u64) -> Estimate {
        let root = Position::from_fen(fen).unwrap();
        let options = EstimateOptions { depth, rest: 2, walks, seed };
        estimate(&root, options, &Perft::new(), &Progress::default()).unwrap()
    }

    /// About 95 of 100 intervals at each depth should contain the true count. The environment variable `PERFT_WALKS`
    /// sets the number of walks of an estimate; the default is 1,000.
    #[test]
    fn about_95_percent_of_the_intervals_contain_the_known_count() {
        let walks = std::env::var("PERFT_WALKS").map_or(1_000, |walks| walks.parse().unwrap());
        let mut held_in_all = 0;
        for (fen, depth, truth) in KNOWN {
            let (mut held, mut sum, mut errors) = (0, 0.0, 0.0);
            for seed in 0..100 {
                let found = estimated(fen, depth, walks, seed);
                let Interval { low, high } = found.interval();
                held += u32::from((low..=high).contains(&truth));
                sum += found.nodes / truth;
                errors += found.standard_error / truth;
            }
            println!(
                "{fen}, perft({depth}): {held} of 100 contain {truth}; mean deviation {:+.2} %, standard error {:.2} %",
                sum - 100.0,
                errors
            );
            assert!((89..=99).contains(&held), "depth {depth}: {held} of 100");
            // The standard error of the mean of 100 estimates is a tenth of that of one.
            assert!((sum - 100.0).abs() < 3.0 * errors / 10.0, "depth {depth}: biased");
            held_in_all += held;
        }
        assert!((554..=586).contains(&held_in_all), "{held_in_all} of 600");
    }

    #[test]
    fn walks_that_end_early_have_no_weight() {
        // Fool's mate is possible, so some walks end early.
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let truth = Position::from_fen(fen).unwrap().perft(4) as f64;
        let found = estimated(fen, 4, 1_000, 1);
        assert!((found.nodes - truth).abs() < 4.0 * found.standard_error);
        let mate = estimated("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 4, 1_000, 0);
        assert_eq!((mate.nodes, mate.standard_error), (0.0, 0.0));
    }
}
