//! How fast one series of times is, measured by another, and whether that is too slow.
//!
//! A ratio is of speeds: 1.05 means five percent faster than the reference. Times that were taken in turns are *paired*:
//! what disturbed both runs of a round divides out. Times of different days are *independent*. Intervals come from the
//! bootstrap, and hold for all positions and the overall ratio together.

use fastrand::Rng;

use super::statistics::{Bootstrap, Interval, draw, median, median_in_place};

/// The times of one position in seconds: one's own and those of the reference, of each at least one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times<'a> {
    /// What is judged.
    pub own: &'a [f64],
    /// What it is measured by.
    pub reference: &'a [f64],
}

/// A ratio of speeds: above 1 is faster than the reference.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Ratio {
    /// The ratio.
    pub ratio: f64,
    /// Where it lies, as far as the samples say.
    pub interval: Interval,
}

/// The ratios of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// One a position.
    pub positions: Vec<Ratio>,
    /// Their geometric mean, which treats faster and slower alike (Fleming and Wallace, "How Not To Lie With
    /// Statistics", 1986).
    pub overall: Ratio,
}

/// What a ratio means for a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GateResult {
    /// The whole interval is slower than is allowed.
    Slower,
    /// The bound lies in the interval: more runs would tell.
    Unsure,
    /// The whole interval is within what is allowed.
    Fine,
}

impl Ratio {
    /// Judges by how much slower than the reference is allowed: 0.05 for five percent.
    ///
    /// # Examples
    /// ```
    /// use crate::bench::{Interval, Ratio, GateResult};
    /// let ratio = Ratio { ratio: 0.95, interval: Interval { low: 0.94, high: 0.96 } };
    /// assert_eq!(ratio.gate(0.03), GateResult::Slower);
    /// assert_eq!(ratio.gate(0.05), GateResult::Unsure);
    /// assert_eq!(ratio.gate(0.10), GateResult::Fine);
    /// ```
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
    /// Ratios of times that were not taken together: of the medians.
    ///
    /// # Examples
    /// ```
    /// use crate::bench::{Bootstrap, Ratios, Times};
    /// let times = Times { own: &[1.0, 1.1, 1.0], reference: &[2.0, 2.0, 2.1] };
    /// let ratios = Ratios::independent(&[times], &Bootstrap::default());
    /// assert_eq!(ratios.overall.ratio, 2.0);
    /// ```
    ///
    /// # Panics
    /// There is no position, or a position without times.
    pub fn independent(times: &[Times], bootstrap: &Bootstrap) -> Ratios {
        let ratio = |times: &Times| median(times.reference) / median(times.own);
        let mut drawn = Vec::new();
        let mut redraw = |times: &Times, rng: &mut Rng| {
            draw(times.reference, rng, &mut drawn);
            let reference = median_in_place(&mut drawn);
            draw(times.own, rng, &mut drawn);
            reference / median_in_place(&mut drawn)
        };
        Ratios::of(times, bootstrap, ratio, &mut redraw)
    }

    /// Ratios of times that were taken in turns, run by run: medians of what each round says. Rounds of which a half is
    /// missing are left out.
    ///
    /// # Panics
    /// There is no position, or a position without a round.
    pub fn paired(times: &[Times], bootstrap: &Bootstrap) -> Ratios {
        let rounds: Vec<Vec<f64>> = times.iter().map(rounds).collect();
        let ratio = |rounds: &Vec<f64>| median(rounds);
        let mut drawn = Vec::new();
        let mut redraw = |rounds: &Vec<f64>, rng: &mut Rng| {
            draw(rounds, rng, &mut drawn);
            median_in_place(&mut drawn)
        };
        Ratios::of(&rounds, bootstrap, ratio, &mut redraw)
    }

    fn of<T>(
        positions: &[T],
        bootstrap: &Bootstrap,
        ratio: impl Fn(&T) -> f64,
        redraw: &mut impl FnMut(&T, &mut Rng) -> f64,
    ) -> Ratios {
        assert!(!positions.is_empty(), "ratios of no position");
        let bootstrap = bootstrap.for_several(if positions.len() == 1 { 1 } else { positions.len() + 1 });
        let overall = geometric_mean(positions.iter().map(&ratio));
        let interval = bootstrap
            .interval_of(|rng| geometric_mean(positions.iter().map(|position| redraw(position, rng))));
        let one = |position: &T| Ratio {
            ratio: ratio(position),
            interval: bootstrap.interval_of(|rng| redraw(position, rng)),
        };
        Ratios { positions: positions.iter().map(one).collect(), overall: Ratio { ratio: overall, interval } }
    }

    /// The worst verdict on the overall ratio and on every position.
    pub fn gate(&self, allowed_loss: f64) -> GateResult {
        let verdicts = || self.positions.iter().chain([&self.overall]).map(|ratio| ratio.gate(allowed_loss));
        if verdicts().any(|verdict| verdict == GateResult::Slower) {
            GateResult::Slower
        } else if self.overall.gate(allowed_loss) == GateResult::Fine {
            GateResult::Fine
        } else {
            GateResult::Unsure
        }
    }
}

/// The ratio of each round.
fn rounds(times: &Times) -> Vec<f64> {
    times.own.iter().zip(times.reference).map(|(own, reference)| reference / own).collect()
}

/// The geometric mean of numbers above 0; 1 of none.
///
/// # Examples
/// ```
/// use crate::bench::geometric_mean;
/// assert_eq!(geometric_mean([4.0, 9.0].into_iter()), 6.0);
/// ```
pub fn geometric_mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0_u32), |(sum, count), number| (sum + number.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times around a second with noise of so many percent, in step with a drift that both sides share.
    fn noisy(scale: f64, noise: f64, drift: f64, rng: &mut Rng) -> Vec<f64> {
        (0..12)
            .map(|round| scale * (1.0 + drift * f64::from(round)) * (1.0 + noise * (rng.f64() - 0.5)))
            .collect()
    }

    #[test]
    fn pairs_do_not_mind_a_drift() {
        let mut rng = Rng::with_seed(3);
        let own = noisy(1.05, 0.01, 0.05, &mut rng);
        let reference = noisy(1.0, 0.01, 0.05, &mut rng);
        let times = [Times { own: &own, reference: &reference }];
        let paired = Ratios::paired(&times, &Bootstrap::default());
        let independent = Ratios::independent(&times, &Bootstrap::default());
        assert_eq!(paired.gate(0.03), GateResult::Slower);
        assert_eq!(independent.gate(0.03), GateResult::Unsure);
    }

    #[test]
    fn equal_programs_raise_no_alarm_and_slower_ones_do() {
        let mut alarms = [0, 0];
        for seed in 0..100 {
            let mut rng = Rng::with_seed(seed);
            for (index, slowness) in [1.0, 1.05].into_iter().enumerate() {
                let series: Vec<[Vec<f64>; 2]> = (0..4)
                    .map(|_| [noisy(slowness, 0.06, 0.0, &mut rng), noisy(1.0, 0.06, 0.0, &mut rng)])
                    .collect();
                let times: Vec<Times> =
                    series.iter().map(|[own, reference]| Times { own, reference }).collect();
                let bootstrap = Bootstrap { resamples: 1000, seed, ..Bootstrap::default() };
                alarms[index] +=
                    u32::from(Ratios::paired(&times, &bootstrap).gate(0.03) == GateResult::Slower);
            }
        }
        assert_eq!(alarms[0], 0, "false alarms");
        assert!(alarms[1] >= 50, "{} of 100", alarms[1]);
    }

    #[test]
    fn one_position_can_fail_all() {
        let (fine, slow) = ([1.0; 8], [1.2; 8]);
        let times = [Times { own: &fine, reference: &fine }, Times { own: &slow, reference: &fine }];
        let ratios = Ratios::paired(&times, &Bootstrap::default());
        assert_eq!(ratios.positions[0].gate(0.1), GateResult::Fine);
        assert_eq!(ratios.overall.gate(0.1), GateResult::Fine);
        assert_eq!(ratios.gate(0.1), GateResult::Slower);
    }
}
