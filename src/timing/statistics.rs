//! Statistics of times: median, spread, outliers, confidence intervals, and the ratio of the speeds of two programs.
//!
//! The times of a deterministic program are skewed: disturbances make many runs slower, and none makes a run faster. So
//! the median represents the series, outliers are judged by their distance from the median, and intervals come from
//! resampling, which does not assume a normal distribution. The same samples always give the same numbers.
//!
//! A ratio is a ratio of speeds: 1.05 means five percent faster than the reference. It is the ratio of the median
//! times. If the programs took turns, whole rounds are resampled: a disturbance of one round affects both programs and
//! cancels out. The intervals hold for all positions and for the overall ratio at the same time.

use perft_diagnosis::random::Random;
use serde::{Deserialize, Serialize};
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// The modified z-score above which a sample is an outlier (Iglewicz and Hoaglin, "How to Detect and Handle Outliers",
/// 1993, page 11).
const OUTLIER_SCORE: f64 = 3.5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns the width of the interval divided by a value, usually the estimate that the interval belongs to.
    pub fn relative_width(&self, value: f64) -> f64 {
        (self.high - self.low) / value
    }

    /// Returns the distance from a value in the interval to the farther end.
    pub fn margin(&self, value: f64) -> f64 {
        (self.high - value).max(value - self.low)
    }
}

/// The location and the spread of samples, in the unit of the samples. A sample is the value of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spread {
    /// The mean of the runs.
    pub mean: f64,
    /// The estimated standard deviation of the runs; `None` for a single run.
    pub stddev: Option<f64>,
    /// The median of the runs.
    pub median: f64,
    /// The smallest value of a run.
    pub min: f64,
    /// The largest value of a run.
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
    median_in_place(&mut samples.to_vec())
}

/// Returns the median. Changes the order of the samples.
fn median_in_place(samples: &mut [f64]) -> f64 {
    Data::new(samples).median()
}

/// Returns the modified z-score of each sample (Iglewicz and Hoaglin, 1993).
///
/// The score is the distance from the median, in a unit that is the standard deviation if the samples are normally
/// distributed. The unit is computed from the median absolute deviation, which outliers do not change. If more than
/// half of the samples are equal, that deviation is 0, and the mean absolute deviation is used instead.
fn modified_z_scores(samples: &[f64]) -> Vec<f64> {
    // The 0.75 quantile of the normal distribution, and its mean absolute deviation, sqrt(2 / pi).
    const MEDIAN_DEVIATION: f64 = 0.6745;
    const MEAN_DEVIATION: f64 = 0.797_884_560_802_865_4;
    let middle = median(samples);
    let deviations: Vec<f64> = samples.iter().map(|sample| (sample - middle).abs()).collect();
    let factor = match (median(&deviations), deviations.as_slice().mean()) {
        (of_median, _) if of_median > 0.0 => MEDIAN_DEVIATION / of_median,
        (_, of_mean) if of_mean > 0.0 => MEAN_DEVIATION / of_mean,
        _ => 0.0,
    };
    samples.iter().map(|sample| (sample - middle) * factor).collect()
}

/// Returns the indices of the outliers, ascending.
pub fn outliers(samples: &[f64]) -> Vec<usize> {
    let scores = modified_z_scores(samples);
    (0..samples.len()).filter(|&index| scores[index].abs() > OUTLIER_SCORE).collect()
}

/// The largest number of samples that are drawn for an interval, and the smallest number of resamples in any case.
const MOST_DRAWN: usize = 2_000_000;
const FEWEST_RESAMPLES: usize = 50;

/// Percentile bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
///
/// Each resample draws as many samples as there are, with replacement. This is repeated many times. The interval is the
/// middle part of the values of the statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// The number of resamples.
    pub resamples: usize,
    /// The confidence level, between 0 and 1.
    pub confidence: f64,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 10,000 resamples and a confidence of 95 %.
    fn default() -> Bootstrap {
        Bootstrap { resamples: 10_000, confidence: 0.95, seed: 0 }
    }
}

impl Bootstrap {
    pub fn median_interval(&self, samples: &[f64]) -> Interval {
        self.interval(samples, median_in_place)
    }

    pub fn mean_interval(&self, samples: &[f64]) -> Interval {
        self.interval(samples, |samples| Statistics::mean(&*samples))
    }

    /// Returns the confidence interval of a statistic. It contains the value of the statistic.
    ///
    /// # Panics
    /// There are no samples.
    fn interval(&self, samples: &[f64], statistic: impl Fn(&mut [f64]) -> f64) -> Interval {
        let value = statistic(&mut samples.to_vec());
        self.for_samples(samples.len()).interval_of(value, |random| statistic(&mut draw(samples, random)))
    }

    /// Returns the confidence interval of a value, from the values that `replicate` draws. The interval is extended to
    /// contain the value: with few samples in many positions, all drawn values may be on one side of it.
    fn interval_of(&self, value: f64, mut replicate: impl FnMut(&mut Random) -> f64) -> Interval {
        let mut random = Random::new(self.seed);
        let mut replicates: Vec<f64> = (0..self.resamples.max(1)).map(|_| replicate(&mut random)).collect();
        replicates.sort_by(f64::total_cmp);
        let mut replicates = Data::new(replicates);
        let tail = (1.0 - self.confidence) / 2.0;
        Interval {
            low: replicates.quantile(tail).min(value),
            high: replicates.quantile(1.0 - tail).max(value),
        }
    }

    /// Limits the time to compute an interval: the more samples there are, the fewer resamples are drawn. So a
    /// benchmark that is interrupted after a million runs ends soon, too.
    pub fn for_samples(self, samples: usize) -> Bootstrap {
        let resamples = (MOST_DRAWN / samples.max(1)).max(FEWEST_RESAMPLES);
        Bootstrap { resamples: self.resamples.min(resamples), ..self }
    }

    /// Raises the confidence of each interval so that `count` intervals hold at the same time: the Bonferroni
    /// correction (Dunn, "Multiple Comparisons Among Means", 1961).
    pub fn for_several(self, count: usize) -> Bootstrap {
        Bootstrap { confidence: 1.0 - (1.0 - self.confidence) / count.max(1) as f64, ..self }
    }
}

/// Draws as many samples as there are, with replacement.
fn draw(samples: &[f64], random: &mut Random) -> Vec<f64> {
    samples.iter().map(|_| random.pick(samples)).collect()
}

/// The times of one position in seconds. A program without times has failed there, or did not run.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The times of the program that is judged.
    pub own: Vec<f64>,
    /// The times of the reference.
    pub reference: Vec<f64>,
}

impl Times {
    /// Returns the ratio of the median times.
    fn ratio(&self) -> f64 {
        median(&self.reference) / median(&self.own)
    }

    /// Draws as many times as there are, with replacement. If the programs took turns, draws whole rounds.
    fn redrawn(&self, took_turns: bool, random: &mut Random) -> Times {
        let Times { own, reference } = self;
        if !took_turns {
            return Times { own: draw(own, random), reference: draw(reference, random) };
        }
        let rounds = own.len().min(reference.len());
        let drawn = (0..rounds).map(|_| random.below(rounds)).map(|round| (own[round], reference[round]));
        let (own, reference) = drawn.unzip();
        Times { own, reference }
    }
}

/// A ratio of speeds. Above 1 is faster than the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The ratio.
    pub value: f64,
    /// The confidence interval of the ratio.
    pub interval: Interval,
}

/// The ratios of a program to the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// The ratio in each position; `None` if one of the two has no times there.
    pub positions: Vec<Option<Ratio>>,
    /// The geometric mean of the positions, which treats faster and slower alike (Fleming and Wallace, "How Not To Lie
    /// With Statistics", 1986). `None` if the program has no times in a position that the reference has, because the
    /// mean would then describe other positions than those of other programs. It is also `None` without any position.
    pub overall: Option<Ratio>,
}

/// Whether a ratio is within an allowed loss of speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateResult {
    /// The whole interval is slower than allowed.
    Slower,
    /// The bound is inside the interval. More runs would decide.
    Unsure,
    /// The whole interval is within the allowed loss.
    Fine,
}

impl Ratio {
    /// Returns the ratio of the reference to this program.
    pub fn inverse(&self) -> Ratio {
        let Interval { low, high } = self.interval;
        Ratio { value: 1.0 / self.value, interval: Interval { low: 1.0 / high, high: 1.0 / low } }
    }

    /// Compares the ratio with an allowed loss of speed: 0.05 allows five percent slower than the reference.
    pub fn gate(&self, allowed_loss: f64) -> GateResult {
        let bound = 1.0 - allowed_loss;
        if self.interval.high < bound {
            GateResult::Slower
        } else if self.interval.low >= bound {
            GateResult::Fine
        } else {
            GateResult::Unsure
        }
    }
}

impl Ratios {
    /// Returns the ratios of the median times. Times that were measured in turns are resampled round by round.
    pub fn new(times: &[Times], took_turns: bool, bootstrap: &Bootstrap) -> Ratios {
        let has_both = |times: &&Times| !times.own.is_empty() && !times.reference.is_empty();
        let compared: Vec<&Times> = times.iter().filter(has_both).collect();
        let samples = compared.iter().map(|times| times.own.len() + times.reference.len()).sum();
        let intervals = if compared.len() == 1 { 1 } else { compared.len() + 1 };
        let bootstrap = bootstrap.for_samples(samples).for_several(intervals);
        let ratio = |compared: &[&Times]| {
            let value = compared.iter().map(|times| times.ratio()).geometric_mean();
            let interval = bootstrap.interval_of(value, |random| {
                compared.iter().map(|times| times.redrawn(took_turns, random).ratio()).geometric_mean()
            });
            Ratio { value, interval }
        };
        let is_missing = |times: &Times| times.own.is_empty() && !times.reference.is_empty();
        let has_overall = !compared.is_empty() && !times.iter().any(is_missing);
        let positions = times.iter().map(|times| has_both(&times).then(|| ratio(&[times])));
        Ratios { positions: positions.collect(), overall: has_overall.then(|| ratio(&compared)) }
    }

    /// Compares all ratios with an allowed loss of speed. One position that is too slow makes the whole result
    /// [`GateResult::Slower`]; otherwise the overall ratio decides. Returns `None` if the program has no times in a
    /// position of the reference.
    pub fn gate(&self, allowed_loss: f64) -> Option<GateResult> {
        let overall = self.overall?.gate(allowed_loss);
        let mut positions = self.positions.iter().flatten();
        match positions.any(|ratio| ratio.gate(allowed_loss) == GateResult::Slower) {
            true => Some(GateResult::Slower),
            false => Some(overall),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a random number from 0 to 1.
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
        let interval = Bootstrap::default().median_interval(&[0.5]);
        assert_eq!(interval, Interval { low: 0.5, high: 0.5 });
        assert!(outliers(&[0.5]).is_empty());
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn outliers_are_indices_into_the_unsorted_samples() {
        let samples = [3.0, 1.0, 50.0, 2.0, 2.5, 1.5];
        assert_eq!(outliers(&samples), [2]);
    }

    #[test]
    fn outliers_are_judged_by_the_median_deviation() {
        // The median is 10 and the median deviation is 0.1: an outlier is further away than 3.5 / 0.6745 * 0.1 = 0.519.
        let samples = [9.8, 9.9, 9.9, 10.0, 10.0, 10.1, 10.1, 10.5, 10.53];
        let scores = modified_z_scores(&samples);
        assert!((scores[7] - 0.6745 * 5.0).abs() < 1e-9 && scores[7] < OUTLIER_SCORE);
        assert_eq!(outliers(&samples), [8]);
    }

    #[test]
    fn outliers_among_equal_samples_are_judged_by_the_mean_deviation() {
        let mut samples = [1.0; 20];
        assert!(outliers(&samples).is_empty());
        samples[3] = 1.5;
        assert_eq!(outliers(&samples), [3]);
    }

    #[test]
    fn the_bootstrap_depends_on_the_seed_only() {
        let samples: Vec<f64> = (0..20).map(|index| f64::from(index * index % 17)).collect();
        let with_seed = |seed| Bootstrap { seed, resamples: 200, ..Bootstrap::default() };
        let interval = |seed| with_seed(seed).mean_interval(&samples);
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    #[test]
    fn at_least_nine_in_ten_intervals_contain_the_median() {
        let bootstrap = Bootstrap { resamples: 500, ..Bootstrap::default() };
        let mut random = Random::new(7);
        let covers = |_: &u32| {
            // The times are exponential, above one second: skewed, like the runs of a program.
            let samples: Vec<f64> = (0..20).map(|_| 1.0 - 0.05 * (1.0 - uniform(&mut random)).ln()).collect();
            let interval = bootstrap.median_interval(&samples);
            let median = 1.0 + 0.05 * std::f64::consts::LN_2;
            interval.low <= median && median <= interval.high
        };
        let covered = (0..400).filter(covers).count();
        assert!((360..=396).contains(&covered), "{covered} of 400");
    }

    #[test]
    fn many_samples_are_drawn_less_often() {
        let resamples =
            [100, 200, 2_000, 10_000_000].map(|samples| Bootstrap::default().for_samples(samples).resamples);
        assert_eq!(resamples, [10_000, 10_000, 1_000, 50]);
    }

    #[test]
    fn intervals_for_several_statistics_are_wider() {
        let bootstrap = Bootstrap::default();
        assert_eq!(bootstrap.for_several(1), bootstrap);
        assert!((bootstrap.for_several(5).confidence - 0.99).abs() < 1e-12);
    }

    #[test]
    fn the_interval_of_a_mean_is_about_two_standard_errors_wide_on_each_side() {
        let samples: Vec<f64> = (1..=100).map(f64::from).collect();
        let interval = Bootstrap::default().mean_interval(&samples);
        // The mean is 50.5, and its standard error is 2.9.
        assert!((44.0..46.0).contains(&interval.low) && (55.0..57.0).contains(&interval.high));
    }

    #[test]
    fn modified_z_scores_of_few_samples() {
        assert_eq!(modified_z_scores(&[1.0, 2.0, 3.0])[2], 0.6745);
        assert_eq!(modified_z_scores(&[2.0, 2.0]), [0.0, 0.0]);
    }

    #[test]
    fn a_ratio_is_compared_with_the_allowed_loss() {
        let ratio = Ratio { value: 0.95, interval: Interval { low: 0.94, high: 0.96 } };
        assert_eq!(ratio.gate(0.03), GateResult::Slower);
        assert_eq!(ratio.gate(0.05), GateResult::Unsure);
        assert_eq!(ratio.gate(0.10), GateResult::Fine);
    }

    #[test]
    fn independent_ratios_are_those_of_the_medians() {
        let times = Times { own: vec![1.0, 1.1, 1.0], reference: vec![2.0, 2.0, 2.1] };
        assert_eq!(Ratios::new(&[times], false, &Bootstrap::default()).overall.unwrap().value, 2.0);
    }

    /// Returns times of about a second, with noise and a drift from round to round.
    fn noisy(scale: f64, noise: f64, drift: f64, random: &mut Random) -> Vec<f64> {
        (0..12)
            .map(|round| scale * (1.0 + drift * f64::from(round)) * (1.0 + noise * (uniform(random) - 0.5)))
            .collect()
    }

    #[test]
    fn a_drift_does_not_disturb_paired_times() {
        let mut random = Random::new(3);
        let own = noisy(1.05, 0.01, 0.05, &mut random);
        let reference = noisy(1.0, 0.01, 0.05, &mut random);
        let times = [Times { own, reference }];
        let paired = Ratios::new(&times, true, &Bootstrap::default());
        let independent = Ratios::new(&times, false, &Bootstrap::default());
        assert_eq!(paired.gate(0.03), Some(GateResult::Slower));
        assert_eq!(independent.gate(0.03), Some(GateResult::Unsure));
    }

    #[test]
    fn only_a_slower_program_fails_the_gate() {
        let mut failures = [0, 0];
        for seed in 0..50 {
            let mut random = Random::new(seed);
            for (index, slowness) in [1.0, 1.05].into_iter().enumerate() {
                let mut noisy = |scale| noisy(scale, 0.06, 0.0, &mut random);
                let times: Vec<Times> =
                    (0..4).map(|_| Times { own: noisy(slowness), reference: noisy(1.0) }).collect();
                let bootstrap = Bootstrap { resamples: 1000, seed, ..Bootstrap::default() };
                failures[index] +=
                    u32::from(Ratios::new(&times, true, &bootstrap).gate(0.03) == Some(GateResult::Slower));
            }
        }
        assert_eq!(failures[0], 0, "equal programs");
        assert!(failures[1] >= 25, "{} of 50", failures[1]);
    }

    #[test]
    fn a_ratio_lies_in_its_interval_even_if_all_that_is_drawn_is_on_one_side_of_it() {
        // The median is that of the two equal rounds, but in one of four draws it is that of the other round.
        let times = vec![Times { own: vec![1.0; 3], reference: vec![1.0, 1.0, 1e9] }; 60];
        for took_turns in [true, false] {
            let bootstrap = Bootstrap { resamples: 1000, ..Bootstrap::default() };
            let ratios = Ratios::new(&times, took_turns, &bootstrap);
            for ratio in ratios.positions.into_iter().chain([ratios.overall]) {
                let Ratio { value, interval } = ratio.unwrap();
                assert!(interval.low <= value && value <= interval.high, "{value} {interval:?}");
            }
        }
    }

    #[test]
    fn one_slow_position_fails_the_gate() {
        let times = [1.0, 1.2].map(|own| Times { own: vec![own; 8], reference: vec![1.0; 8] });
        let ratios = Ratios::new(&times, true, &Bootstrap::default());
        assert_eq!(ratios.positions[0].unwrap().gate(0.1), GateResult::Fine);
        assert_eq!(ratios.overall.unwrap().gate(0.1), GateResult::Fine);
        assert_eq!(ratios.gate(0.1), Some(GateResult::Slower));
    }

    #[test]
    fn the_mean_is_over_the_positions_of_the_reference() {
        let (none, some): (&[f64], &[f64]) = (&[], &[1.0; 3]);
        let ratios = |own: [&[f64]; 2], reference: [&[f64]; 2]| {
            let times =
                [0, 1].map(|index| Times { own: own[index].to_vec(), reference: reference[index].to_vec() });
            let Ratios { positions, overall } = Ratios::new(&times, true, &Bootstrap::default());
            (positions.iter().map(Option::is_some).collect::<Vec<_>>(), overall.map(|ratio| ratio.value))
        };
        assert_eq!(ratios([some, some], [some, none]), (vec![true, false], Some(1.0)));
        assert_eq!(ratios([some, none], [some, some]), (vec![true, false], None));
        assert_eq!(ratios([none, some], [some, none]), (vec![false, false], None));
    }
}
