//! What samples of a time say: their middle, their spread, what does not belong to them, and how sure that is.
//!
//! Times of a deterministic program are skewed: nothing makes a run faster than undisturbed, much makes it slower. So the
//! median speaks for the samples, outliers are judged by the distance from it, and intervals come from resampling, which
//! asks no normal distribution. Everything is deterministic: the same samples give the same numbers.
//!
//! What is not here: ratios of two series of samples, which are `ratio`'s.

use fastrand::Rng;
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// From this modified z-score on a sample is an outlier: Iglewicz and Hoaglin, "How to Detect and Handle Outliers"
/// (1993), page 11.
pub const OUTLIER_SCORE: f64 = 3.5;

/// From here to there.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The width as a part of the value that the interval is about.
    ///
    /// # Examples
    /// ```
    /// use crate::bench::Interval;
    /// assert_eq!(Interval { low: 1.5, high: 2.5 }.relative_width(2.0), 0.5);
    /// ```
    pub fn relative_width(&self, value: f64) -> f64 {
        (self.high - self.low) / value
    }
}

/// Samples in a few numbers, which have the unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The middle of the sorted samples.
    pub median: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation of the population that the samples come from; `None` of a single one.
    pub standard_deviation: Option<f64>,
    /// The least sample.
    pub min: f64,
    /// The greatest sample.
    pub max: f64,
}

impl Spread {
    /// That of these samples; `None` if there are none.
    pub fn of(samples: &[f64]) -> Option<Spread> {
        (!samples.is_empty()).then(|| Spread {
            median: median(samples),
            mean: samples.mean(),
            standard_deviation: (samples.len() > 1).then(|| samples.std_dev()),
            min: Statistics::min(samples),
            max: Statistics::max(samples),
        })
    }
}

/// What samples say beyond their spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How they spread.
    pub spread: Spread,
    /// Where the median lies in so many of hundred repetitions as the bootstrap is confident.
    pub median_interval: Interval,
    /// Where the mean lies, likewise.
    pub mean_interval: Interval,
    /// The indices of the samples that do not belong to the others, ascending.
    pub outliers: Vec<usize>,
}

impl Summary {
    /// Sums samples up; `None` if there are none.
    ///
    /// # Examples
    /// ```
    /// use crate::bench::{Bootstrap, Summary};
    /// let summary = Summary::of(&[1.0, 1.1, 0.9, 1.0, 5.0], &Bootstrap::default()).unwrap();
    /// assert_eq!((summary.spread.median, summary.spread.max), (1.0, 5.0));
    /// assert_eq!(summary.outliers, [4]);
    /// ```
    pub fn of(samples: &[f64], bootstrap: &Bootstrap) -> Option<Summary> {
        Some(Summary {
            spread: Spread::of(samples)?,
            median_interval: bootstrap.interval(samples, median_in_place),
            mean_interval: bootstrap.interval(samples, |samples| Statistics::mean(&*samples)),
            outliers: outliers(samples),
        })
    }
}

/// The middle of the samples when they are sorted, or the mean of the two in the middle; not a number if there are none.
pub fn median(samples: &[f64]) -> f64 {
    median_in_place(&mut samples.to_vec())
}

/// The same, in any order after it.
pub(super) fn median_in_place(samples: &mut [f64]) -> f64 {
    Data::new(samples).median()
}

/// How far each sample is from the median, in units that are standard deviations if the samples are normal: the modified
/// z-score of Iglewicz and Hoaglin (1993). It measures by the median absolute deviation, which outliers do not move, and
/// where more than half of the samples are equal, by the mean absolute deviation.
///
/// # Examples
/// ```
/// use crate::bench::modified_z_scores;
/// assert_eq!(modified_z_scores(&[1.0, 2.0, 3.0])[2], 0.6745);
/// assert_eq!(modified_z_scores(&[2.0, 2.0]), [0.0, 0.0]);
/// ```
pub fn modified_z_scores(samples: &[f64]) -> Vec<f64> {
    // The 0.75 quantile of the normal distribution, and its mean absolute deviation: sqrt(2 / pi).
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

fn outliers(samples: &[f64]) -> Vec<usize> {
    let scores = modified_z_scores(samples);
    (0..samples.len()).filter(|&index| scores[index].abs() > OUTLIER_SCORE).collect()
}

/// How intervals are found: by drawing from the samples, with replacement, as many as there are, again and again, and
/// taking the middle part of what a statistic gives each time. That is the percentile interval of Efron and Tibshirani,
/// "An Introduction to the Bootstrap" (1993), chapter 13.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bootstrap {
    /// How often to draw.
    pub resamples: usize,
    /// The part of what the statistic gives that lies within the interval, between 0 and 1.
    pub confidence: f64,
    /// The seed of the draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 10,000 draws, 95 % confidence.
    fn default() -> Bootstrap {
        Bootstrap { resamples: 10_000, confidence: 0.95, seed: 0 }
    }
}

impl Bootstrap {
    /// The interval of a statistic of samples, of which there is at least one.
    ///
    /// # Examples
    /// ```
    /// use crate::bench::Bootstrap;
    /// let samples: Vec<f64> = (1..=100).map(f64::from).collect();
    /// let mean = |samples: &mut [f64]| samples.iter().sum::<f64>() / 100.0;
    /// let interval = Bootstrap::default().interval(&samples, mean);
    /// // The mean is 50.5, its standard error 2.9.
    /// assert!((44.0..46.0).contains(&interval.low) && (55.0..57.0).contains(&interval.high));
    /// ```
    ///
    /// # Panics
    /// There are no samples.
    pub fn interval(&self, samples: &[f64], statistic: impl Fn(&mut [f64]) -> f64) -> Interval {
        let mut drawn = Vec::with_capacity(samples.len());
        self.interval_of(|rng| {
            draw(samples, rng, &mut drawn);
            statistic(&mut drawn)
        })
    }

    /// The interval of what is drawn.
    pub(super) fn interval_of(&self, mut replicate: impl FnMut(&mut Rng) -> f64) -> Interval {
        let mut rng = Rng::with_seed(self.seed);
        let mut replicates: Vec<f64> = (0..self.resamples.max(1)).map(|_| replicate(&mut rng)).collect();
        replicates.sort_by(f64::total_cmp);
        let mut replicates = Data::new(replicates);
        let tail = (1.0 - self.confidence) / 2.0;
        Interval { low: replicates.quantile(tail), high: replicates.quantile(1.0 - tail) }
    }

    /// So confident that `count` intervals hold together: Bonferroni's correction (Dunn, "Multiple Comparisons Among
    /// Means", 1961).
    pub(super) fn for_several(self, count: usize) -> Bootstrap {
        Bootstrap { confidence: 1.0 - (1.0 - self.confidence) / count.max(1) as f64, ..self }
    }
}

/// Draws as many of the samples as there are, with replacement.
pub(super) fn draw(samples: &[f64], rng: &mut Rng, drawn: &mut Vec<f64>) {
    drawn.clear();
    drawn.extend((0..samples.len()).map(|_| samples[rng.usize(..samples.len())]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(samples: &[f64]) -> Summary {
        Summary::of(samples, &Bootstrap::default()).unwrap()
    }

    #[test]
    fn textbook_numbers() {
        let found = summary(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).spread;
        assert_eq!((found.median, found.mean, found.min, found.max), (4.5, 5.0, 2.0, 9.0));
        assert!((found.standard_deviation.unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_sample_has_no_spread_and_none_has_no_summary() {
        let found = summary(&[0.5]);
        let Spread { median, mean, standard_deviation, .. } = found.spread;
        assert_eq!((median, mean, standard_deviation), (0.5, 0.5, None));
        assert_eq!(found.median_interval, Interval { low: 0.5, high: 0.5 });
        assert!(found.outliers.is_empty());
        assert_eq!(Summary::of(&[], &Bootstrap::default()), None);
    }

    #[test]
    fn the_order_of_samples_is_kept() {
        let samples = [3.0, 1.0, 50.0, 2.0, 2.5, 1.5];
        assert_eq!(summary(&samples).outliers, [2]);
    }

    #[test]
    fn outliers_are_judged_by_the_median_deviation() {
        // The median is 10, the median deviation 0.1: an outlier is further away than 3.5 / 0.6745 * 0.1 = 0.519.
        let samples = [9.8, 9.9, 9.9, 10.0, 10.0, 10.1, 10.1, 10.5, 10.53];
        let scores = modified_z_scores(&samples);
        assert!((scores[7] - 0.6745 * 5.0).abs() < 1e-9 && scores[7] < OUTLIER_SCORE);
        assert_eq!(outliers(&samples), [8]);
    }

    #[test]
    fn among_equal_samples_the_mean_deviation_judges() {
        let mut samples = [1.0; 20];
        assert!(outliers(&samples).is_empty());
        samples[3] = 1.5;
        assert_eq!(outliers(&samples), [3]);
    }

    #[test]
    fn the_bootstrap_is_deterministic_and_has_a_seed() {
        let samples: Vec<f64> = (0..20).map(|index| f64::from(index * index % 17)).collect();
        let with_seed = |seed| Bootstrap { seed, resamples: 200, ..Bootstrap::default() };
        let interval = |seed| with_seed(seed).interval(&samples, |samples| Statistics::mean(&*samples));
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    #[test]
    fn nine_in_ten_intervals_or_more_cover_the_median() {
        let bootstrap = Bootstrap { resamples: 500, ..Bootstrap::default() };
        let mut rng = Rng::with_seed(7);
        let covers = |_: &u32| {
            // Exponential times above one second: skewed as runs of a program are.
            let samples: Vec<f64> = (0..20).map(|_| 1.0 - 0.05 * (1.0 - rng.f64()).ln()).collect();
            let interval = bootstrap.interval(&samples, median_in_place);
            let median = 1.0 + 0.05 * std::f64::consts::LN_2;
            interval.low <= median && median <= interval.high
        };
        let covered = (0..400).filter(covers).count();
        assert!((360..=396).contains(&covered), "{covered} of 400");
    }

    #[test]
    fn several_intervals_are_wider() {
        let bootstrap = Bootstrap::default();
        assert_eq!(bootstrap.for_several(1), bootstrap);
        assert!((bootstrap.for_several(5).confidence - 0.99).abs() < 1e-12);
    }
}
