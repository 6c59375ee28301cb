//! Statistics of a series of times: median, spread, outliers and confidence intervals.
//!
//! The times of a deterministic program are skewed: disturbances make many runs slower, and none makes a run faster. So
//! the median represents the series, outliers are judged by their distance from the median, and intervals come from
//! resampling, which does not assume a normal distribution. The same samples always give the same numbers.
//!
//! Ratios of two series are in `ratio`.

use perft_diagnosis::random::Random;
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// The modified z-score above which a sample is an outlier (Iglewicz and Hoaglin, "How to Detect and Handle Outliers",
/// 1993, page 11).
const OUTLIER_SCORE: f64 = 3.5;

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
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

    /// Returns the distance from a value inside to the farther end.
    pub fn margin(&self, value: f64) -> f64 {
        (self.high - value).max(value - self.low)
    }
}

/// The location and the spread of samples, in the unit of the samples. A sample is the value of one run.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
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
pub fn median_in_place(samples: &mut [f64]) -> f64 {
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

/// The largest number of samples that are drawn for an interval, and the smallest number of times that all samples are
/// drawn.
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
        let mut drawn = Vec::with_capacity(samples.len());
        self.for_samples(samples.len()).interval_of(statistic(&mut samples.to_vec()), |random| {
            draw(samples, random, &mut drawn);
            statistic(&mut drawn)
        })
    }

    /// Returns the confidence interval of a value, from the values that `replicate` draws. The interval is extended to
    /// contain the value: with few samples in many positions, all drawn values may be on one side of it.
    pub fn interval_of(&self, value: f64, mut replicate: impl FnMut(&mut Random) -> f64) -> Interval {
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
pub fn draw(samples: &[f64], random: &mut Random, drawn: &mut Vec<f64>) {
    drawn.clear();
    drawn.extend((0..samples.len()).map(|_| random.pick(samples)));
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a random number from 0 to 1.
    pub fn uniform(random: &mut Random) -> f64 {
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
}
