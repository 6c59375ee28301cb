//! Statistics of the runs: median, spread, confidence intervals, and the ratio of the speeds of two programs.
//!
//! A ratio is a ratio of speeds: 1.05 means five percent faster than the reference. Each round gives one ratio, because
//! a disturbance of a round affects both programs. The ratio of a position is the median of these. The overall ratio is
//! the median of the geometric means that the rounds have over all positions.
//!
//! The interval of a median is between two of the sorted values, so the interval of a ratio is above zero. If two
//! programs are equal, each round is a fair coin: which of them was faster? The interval ends where a gambler who bets
//! on this coin would have multiplied his stake too often for a fair coin, and he may stop whenever he wants. So the
//! intervals hold at all times together, and looking again after each round does not raise the error. They assume
//! nothing about how the times are distributed.
//!
//! Sources: Ville, "Étude critique de la notion de collectif", 1939, for the bound on the gambler; Ramdas, Grünwald,
//! Vovk and Shafer, "Game-Theoretic Statistics and Safe Anytime-Valid Inference", 2023.

use serde::{Deserialize, Serialize};
use statrs::function::beta::ln_beta;
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// The probability that some interval of a comparison does not contain its true value.
const ERROR: f64 = 0.01;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The location and the spread of samples, in the unit of the samples. A sample is the value of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spread {
    pub mean: f64,
    /// The estimated standard deviation of the runs; `None` for a single run.
    pub stddev: Option<f64>,
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// Returns the location and the spread of samples, or `None` if there are none.
    pub fn of(samples: &[f64]) -> Option<Spread> {
        (!samples.is_empty()).then(|| Spread {
            mean: samples.mean(),
            stddev: (samples.len() > 1).then(|| samples.std_dev()),
            median: median(samples),
            min: Statistics::min(samples),
            max: Statistics::max(samples),
        })
    }
}

/// Returns the median, or NaN if there are no samples.
pub fn median(samples: &[f64]) -> f64 {
    Data::new(samples.to_vec()).median()
}

/// Returns how many times a gambler has multiplied his stake who has bet on a fair coin that showed heads `heads` times
/// in `tosses`. Before the first toss, he spreads his stake over the coins of all probabilities, with the weights of
/// Jeffreys: the beta distribution with the parameters one half.
fn gain(heads: usize, tosses: usize) -> f64 {
    let (heads, tails) = (heads as f64, (tosses - heads) as f64);
    ((heads + tails) * std::f64::consts::LN_2 + ln_beta(heads + 0.5, tails + 0.5) - ln_beta(0.5, 0.5)).exp()
}

/// Returns the confidence interval of the median; `None` if there are too few samples. One of `count` intervals is
/// wrong, now or after more samples, with a probability of 1 % at most.
pub fn median_interval(samples: &[f64], count: usize) -> Option<Interval> {
    let bound = count as f64 / ERROR;
    let rank = (0..samples.len() / 2).take_while(|&heads| gain(heads, samples.len()) >= bound).count();
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let first = rank.checked_sub(1)?;
    Some(Interval { low: sorted[first], high: sorted[sorted.len() - rank] })
}

/// Returns the smallest number of samples that have an interval, if `count` intervals hold together.
pub fn fewest_samples(count: usize) -> usize {
    (1..).find(|&samples| gain(0, samples) >= count as f64 / ERROR).expect("the gain grows without limit")
}

/// The costs of the runs of one position, in seconds or in instructions. A program without runs has failed there.
/// Runs of the same index are a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// The costs of the program that is judged.
    pub own: Vec<f64>,
    pub reference: Vec<f64>,
}

impl Costs {
    fn ratios(&self) -> Vec<f64> {
        // Some clocks say that a very short run took no time.
        let ratio = |(own, reference): (&f64, &f64)| reference.max(1e-9) / own.max(1e-9);
        self.own.iter().zip(&self.reference).map(ratio).collect()
    }
}

/// A ratio of speeds. Above 1 is faster than the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The median of the ratios of the rounds.
    pub value: f64,
    /// The confidence interval of the ratio; `None` if there are too few rounds.
    pub interval: Option<Interval>,
}

/// The ratios of a program to the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// The ratio in each position; `None` if one of the two has no runs there.
    pub positions: Vec<Option<Ratio>>,
    /// The geometric mean of the positions, which treats faster and slower alike (Fleming and Wallace, "How Not To Lie
    /// With Statistics", 1986). `None` if the program has no runs in a position that the reference has, because the
    /// mean would then describe other positions than those of other programs. It is also `None` without any position.
    pub overall: Option<Ratio>,
}

/// Whether a ratio is within an allowed loss of speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateResult {
    /// The whole interval is slower than allowed.
    Slower,
    /// The bound is inside the interval, or there is no interval. More runs may decide.
    Unsure,
    /// The whole interval is within the allowed loss.
    Fine,
}

impl Ratio {
    fn of(rounds: &[f64], intervals: usize) -> Ratio {
        Ratio { value: median(rounds), interval: median_interval(rounds, intervals) }
    }

    /// Returns the ratio of the reference to this program.
    pub fn inverse(&self) -> Ratio {
        let inverse = |Interval { low, high }| Interval { low: 1.0 / high, high: 1.0 / low };
        Ratio { value: 1.0 / self.value, interval: self.interval.map(inverse) }
    }

    /// Compares the ratio with an allowed loss of speed: 0.05 allows five percent slower than the reference.
    pub fn gate(&self, allowed_loss: f64) -> GateResult {
        let bound = 1.0 - allowed_loss;
        match self.interval {
            Some(interval) if interval.high < bound => GateResult::Slower,
            Some(interval) if interval.low >= bound => GateResult::Fine,
            _ => GateResult::Unsure,
        }
    }
}

/// Returns the number of intervals that hold together: of each position and of the overall ratio, for each program that
/// is compared.
pub fn intervals_of(positions: usize, programs: usize) -> usize {
    programs * if positions > 1 { positions + 1 } else { 1 }
}

impl Ratios {
    /// Returns the ratios of one of `programs` programs that are compared with a reference.
    pub fn new(costs: &[Costs], programs: usize) -> Ratios {
        let rounds: Vec<Vec<f64>> = costs.iter().map(Costs::ratios).collect();
        let compared: Vec<&Vec<f64>> = rounds.iter().filter(|rounds| !rounds.is_empty()).collect();
        let intervals = intervals_of(costs.len(), programs);
        let complete = compared.iter().map(|rounds| rounds.len()).min().unwrap_or(0);
        let mean = |round: usize| compared.iter().map(|rounds| rounds[round]).geometric_mean();
        let means: Vec<f64> = (0..complete).map(mean).collect();
        let is_missing = |costs: &Costs| costs.own.is_empty() && !costs.reference.is_empty();
        let has_overall = !compared.is_empty() && !costs.iter().any(is_missing);
        let ratio = |rounds: &Vec<f64>| (!rounds.is_empty()).then(|| Ratio::of(rounds, intervals));
        Ratios {
            positions: rounds.iter().map(ratio).collect(),
            overall: has_overall.then(|| Ratio::of(&means, intervals)),
        }
    }

    /// Compares all ratios with an allowed loss of speed. One position that is too slow makes the whole result
    /// [`GateResult::Slower`]. The result is not [`GateResult::Fine`] while a position seems to be too slow. Returns
    /// `None` if the program has no runs in a position of the reference.
    pub fn gate(&self, allowed_loss: f64) -> Option<GateResult> {
        let all = || self.positions.iter().flatten().chain(&self.overall);
        let seems_slow = all().any(|ratio| ratio.value < 1.0 - allowed_loss);
        match self.overall?.gate(allowed_loss) {
            _ if all().any(|ratio| ratio.gate(allowed_loss) == GateResult::Slower) => {
                Some(GateResult::Slower)
            }
            GateResult::Fine if !seems_slow => Some(GateResult::Fine),
            _ => Some(GateResult::Unsure),
        }
    }
}

#[cfg(test)]
mod tests {
    use perft_diagnosis::random::Random;

    use super::*;

    fn uniform(random: &mut Random) -> f64 {
        const STEPS: usize = 1 << 52;
        random.below(STEPS) as f64 / STEPS as f64
    }

    #[test]
    fn spread_of_a_textbook_example() {
        let found = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((found.median, found.mean, found.min, found.max), (4.5, 5.0, 2.0, 9.0));
        assert!((found.stddev.unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_sample_has_no_deviation_and_none_has_no_spread() {
        let Spread { median, mean, stddev, .. } = Spread::of(&[0.5]).unwrap();
        assert_eq!((median, mean, stddev), (0.5, 0.5, None));
        assert_eq!(median_interval(&[0.5], 1), None);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn the_gain_is_that_of_a_bet_on_every_coin() {
        // The gain is the mean of (2p)^heads * (2 - 2p)^tails over the arcsine distribution of p.
        for (heads, tosses, expected) in [(0, 0, 1.0), (1, 1, 1.0), (1, 2, 0.5), (2, 2, 1.5), (0, 10, 180.43)]
        {
            assert!((gain(heads, tosses) / expected - 1.0).abs() < 1e-4, "{heads} of {tosses}");
        }
    }

    /// The tables of the book say that 10 runs carry a comparison in one position, and 13 in six.
    #[test]
    fn a_median_has_an_interval_if_there_are_enough_samples() {
        assert_eq!([1, 7, 12].map(fewest_samples), [10, 13, 13]);
        let samples: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(median_interval(&samples[..9], 1), None);
        assert_eq!(median_interval(&samples[..10], 1), Some(Interval { low: 11.0, high: 20.0 }));
        assert_eq!(median_interval(&samples, 1), Some(Interval { low: 3.0, high: 18.0 }));
        assert_eq!(median_interval(&[1.0; 10], 1), Some(Interval { low: 1.0, high: 1.0 }));
    }

    /// In fewer than one of 100 series, some interval is ever wrong, although it is computed after every sample.
    #[test]
    fn looking_again_does_not_raise_the_error() {
        let mut random = Random::new(7);
        let is_ever_wrong = |_: &u32| {
            let series: Vec<f64> = (0..150).map(|_| -(1.0 - uniform(&mut random)).ln()).collect();
            let is_wrong = |Interval { low, high }| !(low..=high).contains(&std::f64::consts::LN_2);
            (1..=series.len()).any(|size| median_interval(&series[..size], 1).is_some_and(is_wrong))
        };
        let wrong = (0..1000).filter(is_ever_wrong).count();
        assert!((1..=10).contains(&wrong), "{wrong} of 1000");
    }

    #[test]
    fn a_ratio_is_compared_with_the_allowed_loss() {
        let ratio = Ratio { value: 0.95, interval: Some(Interval { low: 0.94, high: 0.96 }) };
        let gates = [0.03, 0.05, 0.10].map(|allowed| ratio.gate(allowed));
        assert_eq!(gates, [GateResult::Slower, GateResult::Unsure, GateResult::Fine]);
        assert_eq!(Ratio { interval: None, ..ratio }.gate(0.1), GateResult::Unsure);
    }

    #[test]
    fn a_disturbed_round_does_not_disturb_the_ratio() {
        let mut random = Random::new(3);
        let load: Vec<f64> = (0..30).map(|_| 1.0 + 9.0 * uniform(&mut random)).collect();
        let costs = Costs { own: load.iter().map(|load| 1.1 * load).collect(), reference: load };
        let ratio = Ratios::new(&[costs], 1).overall.unwrap();
        assert!((ratio.value * 1.1 - 1.0).abs() < 1e-12 && ratio.gate(0.05) == GateResult::Slower);
    }

    #[test]
    fn one_slow_position_fails_the_gate() {
        let costs = |own: [f64; 2]| own.map(|own| Costs { own: vec![own; 12], reference: vec![1.0; 12] });
        let ratios = Ratios::new(&costs([1.0, 1.2]), 1);
        assert_eq!(ratios.positions[0].unwrap().gate(0.1), GateResult::Fine);
        assert_eq!(ratios.overall.unwrap().gate(0.1), GateResult::Fine);
        assert_eq!(ratios.gate(0.1), Some(GateResult::Slower));
        // While a position seems to be slow, the gate does not pass.
        let mut unsure = costs([1.0, 1.2]);
        unsure[1].own[..4].fill(1.0);
        assert_eq!(Ratios::new(&unsure, 1).gate(0.1), Some(GateResult::Unsure));
        assert_eq!(Ratios::new(&costs([1.0, 1.05]), 1).gate(0.1), Some(GateResult::Fine));
    }

    #[test]
    fn the_mean_is_over_the_positions_of_the_reference() {
        let (none, some): (&[f64], &[f64]) = (&[], &[1.0; 3]);
        let ratios = |own: [&[f64]; 2], reference: [&[f64]; 2]| {
            let costs =
                [0, 1].map(|index| Costs { own: own[index].to_vec(), reference: reference[index].to_vec() });
            let Ratios { positions, overall } = Ratios::new(&costs, 1);
            (positions.iter().map(Option::is_some).collect::<Vec<_>>(), overall.map(|ratio| ratio.value))
        };
        assert_eq!(ratios([some, some], [some, none]), (vec![true, false], Some(1.0)));
        assert_eq!(ratios([some, none], [some, some]), (vec![true, false], None));
        assert_eq!(ratios([none, some], [some, none]), (vec![false, false], None));
    }
}
